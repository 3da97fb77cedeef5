"""A payload replaced by its digest: the chain still verifies, and only the right one can be put back."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventstore.chain import GENESIS, Broken, restored, verified, withheld
from eventstore.errors import CorruptLog
from eventstore.events import Event, Noted
from eventstore.jsonl import JsonlStore
from eventstore.record import Draft, event_text
from tests.eventstore import verifier
from tests.eventstore.logs import AT, events, line_of, small_log

LOG = small_log()
LINES = LOG.splitlines(keepends=True)
BARE = [LINES[0], *map(withheld, LINES[1:])]
WRONG = "another event, or another salt, stood here"


def salt_of(line: bytes) -> str:
    found = re.search(rb'"salt":"([0-9a-f]{32})"', line)
    assert found
    return found[1].decode()


def payload(line: bytes) -> tuple[bytes, str]:
    return event_text(line), salt_of(line)


@given(events(), st.sampled_from([None, ',"digest":"', '"hash":"']))
def test_the_right_payload_put_back_makes_the_line_whole_again(event: Event, key: str | None) -> None:
    line = line_of(Draft(event, key=key), 7, AT, "gm", None, "0123456789abcdef" * 2, GENESIS)
    again = restored(withheld(line), *payload(line))
    assert again == line
    assert verified(again[:-1], GENESIS)
    assert restored(line, *payload(line)) == line


def test_a_wrong_payload_cannot_be_put_back() -> None:
    event, salt = payload(LINES[2])
    for wrong in (
        (event.replace(b"Pfeil", b"Xfeil"), salt),
        (event, salt[:-1] + ("0" if salt[-1] != "0" else "1")),
        (event, ""),
        (b"", salt),
        payload(LINES[1]),
        payload(LINES[3]),
    ):
        with pytest.raises(Broken, match=WRONG):
            restored(BARE[2], *wrong)


def test_each_payload_put_back_brings_the_log_nearer_to_what_it_was(tmp_path: Path) -> None:
    lines, path = list(BARE), tmp_path / "ford.jsonl"
    for number in (3, 1, 2):
        lines[number] = restored(lines[number], *payload(LINES[number]))
        path.write_bytes(b"".join(lines))
        found = JsonlStore(path).verify()
        assert found.problem is None
        assert number + 1 not in found.withheld
        assert verifier.first_fault(path.read_bytes())[0] == 0
    assert path.read_bytes() == LOG


def put_in(line: bytes, event: bytes, salt: bytes) -> bytes:
    """Put a payload into a withheld line by hand, whatever it is."""
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
