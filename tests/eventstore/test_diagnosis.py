"""What is said of a line or a file that does not fit, in words."""

import pytest

from eventstore import damage
from eventstore.chain import GENESIS
from eventstore.events import CombatantJoined
from eventstore.record import decode
from tests.eventstore.logs import OPENING, drafts, log_of, rehashed, small_log

LINES = small_log().splitlines(keepends=True)
HASHES = [GENESIS, *(decode(line).hash for line in LINES)]
"""The hash before each line, and the last one."""


@pytest.mark.parametrize(
    ("first", "says", "hint"),
    [
        (b"\x1f\x8b\x08", "is compressed with gzip, not an encounter log", "unpack it first"),
        (b"%PDF-1.7\n", "is a PDF, not an encounter log", "encounter new makes a log"),
        (b" \t\n", "holds nothing but blanks or NUL bytes, not an encounter log", "encounter new makes a log"),
        (
            b'{"type":"encounter_opened","forked_from":{"encounter":"a","seq":1,"hash":"%b"}}\n' % (b"0" * 64),
            "holds bare facts, not an encounter log",
            "encounter new LOG, then encounter append LOG FILE",
        ),
    ],
)
def test_a_file_of_another_kind_is_named_with_what_to_do(first: bytes, says: str, hint: str) -> None:
    assert damage.kind(first, more=False) == (says, hint)


def test_a_blank_line_that_others_follow_may_stand_in_a_log() -> None:
    assert damage.kind(b" \t\n", more=True) is None


@pytest.mark.parametrize("end", [b"\n", b"", b"\r\n", b" \n"])
def test_a_line_that_ends_like_a_record_may_be_one_whatever_it_begins_with(end: bytes) -> None:
    assert damage.kind(b"x" + LINES[0][1:-1] + end, more=False) is None


@pytest.mark.parametrize(
    ("found", "place", "size", "says"),
    [
        ((2, 3), 3, 5, "a batch breaks off: place 3 of 5 is due, place 2 of 3 stands here"),
        (None, 2, 5, "a batch breaks off: place 2 of 5 is due, a record of its own stands here"),
        ((1, 20_000), 1, 20_000, "begins a batch of 20,000; 2 to 10,000 make one"),
        ((2, 3), 1, 3, "is place 2 of a batch of 3, which begins nowhere"),
    ],
)
def test_a_batch_that_does_not_go_on_is_described(
    found: tuple[int, int] | None, place: int, size: int, says: str
) -> None:
    assert damage.batch(found, place, size) == says


@pytest.mark.parametrize(
    ("text", "seq", "previous", "says"),
    [
        (LINES[2], 2, HASHES[1], "holds seq 3: a line is missing, or they were moved"),
        (LINES[3], 2, HASHES[1], "holds seq 4: 2 lines are missing, or they were moved"),
        (LINES[1], 3, HASHES[2], "holds seq 2: the line before stands twice"),
        (LINES[1], 3, HASHES[1], "holds seq 2: an earlier line stands here again"),
        (LINES[1], 4, HASHES[2], "holds seq 2: an earlier line stands here again"),
        (LINES[1].replace(b'{"seq":2', b'{"seq":7'), 2, HASHES[1], "its number was changed to 7"),
    ],
)
def test_a_line_in_the_wrong_place_is_told_by_its_number(text: bytes, seq: int, previous: str, says: str) -> None:
    assert damage.line(text, seq, previous) == (says, damage.REPAIR)


def test_of_a_changed_number_only_the_lines_own_counts_not_one_in_its_event() -> None:
    first, line = log_of(
        drafts(OPENING), drafts(CombatantJoined(combatant="orc-1", sheet={"a": {"seq": 9, "b": 1}}))
    ).splitlines(keepends=True)
    assert damage.line(line.replace(b'{"seq":2', b'{"seq":7', 1), 2, decode(first).hash)[0].endswith("changed to 7")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (b'"event":{', b'"event": {', "is not in the canonical form (order of keys, spaces, escapes, omitted fields)"),
        (b'"salt":"', b'"salt": "', "is not in the canonical form (order of keys, spaces, escapes, omitted fields)"),
        (b'"event":{', b' "event":{', "is not in the canonical form (order of keys, spaces, escapes, omitted fields)"),
        (
            b'"event":{"type"',
            b'"event":[{"a":1,"event":{"b":1},"salt":"c"}],"x":{"type"',
            "is not a record: Expected `object | null`, got `array` - at `$.event`",
        ),
        (b'"damage_dealt"', b'"lightning", "of":"a"', "is not a record: event: is not in the canonical form"),
    ],
)
def test_a_line_that_fits_the_chain_and_is_written_otherwise_is_told_how(old: bytes, new: bytes, says: str) -> None:
    forged = rehashed([*LINES[:3], LINES[3].replace(old, new, 1)]).splitlines(keepends=True)[3]
    assert damage.line(forged, 4, HASHES[3]) == (says, damage.FORGED)
