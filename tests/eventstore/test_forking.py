"""Forks: another opening, and behind it the same payloads in a chain of their own, whole or not at all."""

from pathlib import Path

import msgspec
import pytest

from eventstore import copying
from eventstore.chain import withhold_payload
from eventstore.errors import CorruptLog, TooLarge
from eventstore.events import Noted
from eventstore.jsonl import JsonlStore
from eventstore.record import Draft, Recorded, encode_record, event_text
from eventstore.shapes import Fork
from eventstore.store import MOST_EVENTS
from tests.eventstore import verifier
from tests.eventstore.logs import AT, OPENING, drafts, log_of, read, rounds, small_log

GOLDEN_LATER = Path(__file__).with_name("golden") / "format-1-later.jsonl"
LATER = "2026-11-21T00:00:00.000000Z"
BATCH = log_of([*drafts(OPENING), *rounds(1, 2)], rounds(3, 1))


def opening(records: list[Recorded]) -> Draft:
    origin = Fork(encounter=OPENING.encounter, seq=records[-1].seq, hash=records[-1].hash)
    return Draft(msgspec.structs.replace(OPENING, encounter="fork", forked_from=origin))


def fork(path: Path, data: bytes, *more: Draft) -> bytes:
    records = read(data)
    copying.create_file(path, copying.lines_of_fork(records, opening(records), more, by="ana", at=LATER))
    return path.read_bytes()


@pytest.mark.parametrize("data", [small_log(), BATCH, GOLDEN_LATER.read_bytes()], ids=["small", "batch", "later"])
def test_a_fork_has_the_payloads_and_salts_of_the_log_in_its_own_chain(tmp_path: Path, data: bytes) -> None:
    made = fork(tmp_path / "fork.jsonl", data)
    assert verifier.first_fault(made)[0] == 0
    mine, theirs = read(made), read(data)
    assert mine[0].event == opening(theirs).event
    assert (mine[0].by, mine[0].at, mine[0].batch) == ("ana", LATER, theirs[0].batch)
    for own, other in zip(mine[1:], theirs[1:], strict=True):
        assert event_text(encode_record(own)) == event_text(encode_record(other))
        assert msgspec.structs.replace(own, hash=other.hash) == other
        assert own.hash != other.hash


def test_what_is_withheld_stays_so_and_what_is_told_after_it_is_one_batch(tmp_path: Path) -> None:
    lines = small_log().splitlines(keepends=True)
    data = b"".join([*lines[:2], withhold_payload(lines[2]), lines[3]])
    made = fork(tmp_path / "fork.jsonl", data, *drafts(Noted(text="a"), Noted(text="b")))
    assert verifier.first_fault(made)[0] == 0
    *_, third, fourth, fifth, last = read(made)
    assert (third.withheld, fourth.withheld) == (True, False)
    assert [(each.batch, each.by, each.at) for each in (fifth, last)] == [((n, 2), "ana", LATER) for n in (1, 2)]
    assert JsonlStore(tmp_path / "fork.jsonl").append(rounds(1, 1), by="gm", at=AT).first == 7


def test_where_what_comes_after_it_is_refused_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(TooLarge):
        fork(tmp_path / "fork.jsonl", small_log(), *drafts(Noted(text="a")) * (MOST_EVENTS + 1))
    assert list(tmp_path.iterdir()) == []


def test_a_log_that_is_damaged_while_it_is_read_is_not_forked_in_part(tmp_path: Path) -> None:
    records = read(small_log())
    path = tmp_path / "ford.jsonl"
    path.write_bytes(small_log().replace(b'"amount":2', b'"amount":3'))
    with pytest.raises(CorruptLog):
        copying.lines_of_fork(JsonlStore(path).read(), opening(records), by="ana", at=LATER)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
