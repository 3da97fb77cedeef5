"""What is said of a line or a file that does not fit, in words."""

import pytest

from eventstore import damage
from eventstore.events import CombatantJoined
from eventstore.record import decode
from tests.eventstore.logs import OPENING, drafts, log_of, small_log

LINES = small_log().splitlines(keepends=True)


def test_a_blank_line_that_others_follow_may_stand_in_a_log() -> None:
    assert damage.describe_foreign_file(b" \t\n", more=True) is None


@pytest.mark.parametrize("end", [b"\n", b"", b"\r\n", b" \n"])
def test_a_line_that_ends_like_a_record_may_be_one_whatever_it_begins_with(end: bytes) -> None:
    assert damage.describe_foreign_file(b"x" + LINES[0][1:-1] + end, more=False) is None


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
    assert damage.batch_fault(found, place, size) == says


def test_of_a_changed_number_only_that_of_the_line_counts() -> None:
    first, line = log_of(
        drafts(OPENING), drafts(CombatantJoined(combatant="orc-1", sheet={"a": {"seq": 9, "b": 1}}))
    ).splitlines(keepends=True)
    assert damage.line_fault(line.replace(b'{"seq":2', b'{"seq":7', 1), 2, decode(first).hash)[0].endswith(
        "changed to 7"
    )
