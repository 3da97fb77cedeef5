"""A payload replaced by its digest: the chain still verifies, and only the right one can be put back."""

import re
from pathlib import Path

import pytest

from eventstore.chain import withhold_payload
from eventstore.errors import CorruptLog
from eventstore.events import Noted
from eventstore.jsonl import JsonlStore
from eventstore.record import Draft, event_text
from tests.eventstore import verifier
from tests.eventstore.logs import AT, small_log

LOG = small_log()
LINES = LOG.splitlines(keepends=True)
BARE = [LINES[0], *map(withhold_payload, LINES[1:])]


def salt_of(line: bytes) -> str:
    found = re.search(rb'"salt":"([0-9a-f]{32})"', line)
    assert found
    return found[1].decode()


def payload(line: bytes) -> tuple[bytes, bytes]:
    return event_text(line), salt_of(line).encode()


def test_each_payload_put_back_brings_the_log_nearer_to_what_it_was(tmp_path: Path) -> None:
    lines, path = list(BARE), tmp_path / "ford.jsonl"
    for number in (3, 1, 2):
        lines[number] = put_in(lines[number], *payload(LINES[number]))
        path.write_bytes(b"".join(lines))
        found = JsonlStore(path).verify()
        assert found.problem is None
        assert number + 1 not in found.withheld
        assert verifier.first_fault(path.read_bytes())[0] == 0
    assert path.read_bytes() == LOG


def put_in(line: bytes, event: bytes, salt: bytes) -> bytes:
    return line.replace(b',"hash":"', b',"event":%b,"salt":"%b","hash":"' % (event, salt))


EVENT, SALT = event_text(LINES[2]), salt_of(LINES[2]).encode()


@pytest.mark.parametrize(
    ("event", "salt"),
    [
        (EVENT.replace(b"Pfeil", b"Xfeil"), SALT),
        (EVENT, b"f" * 32),
        (event_text(LINES[1]), salt_of(LINES[1]).encode()),
        (event_text(LINES[3]), SALT),
        (b'{"type":"dreamt"}', SALT),
        (b'{"type":"noted", "text":"x"}', SALT),
        (b"{}", SALT),
    ],
)
def test_a_wrong_payload_put_back_by_hand_is_refused_with_its_line(tmp_path: Path, event: bytes, salt: bytes) -> None:
    path = tmp_path / "ford.jsonl"
    path.write_bytes(b"".join([*BARE[:2], put_in(BARE[2], EVENT, SALT), *BARE[3:]]))
    assert JsonlStore(path).verify().withheld == (2, 4)
    path.write_bytes(b"".join([*BARE[:2], put_in(BARE[2], event, salt), *BARE[3:]]))
    with pytest.raises(CorruptLog, match="its event was changed: the digest does not match") as caught:
        list(JsonlStore(path).read())
    problem = JsonlStore(path).verify().problem
    assert problem is not None
    assert (caught.value.line, problem.line) == (3, 3)
    assert verifier.first_fault(path.read_bytes())[0] == 3
    with pytest.raises(CorruptLog):
        JsonlStore(path).append([Draft(Noted(text="x"))], by="gm", at=AT)
