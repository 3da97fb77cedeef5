"""What is said of a line or a file that does not fit, in words."""

import pytest

from eventstore import damage
from eventstore.events import CombatantJoined
from eventstore.record import decode
from tests.eventstore.logs import OPENING, drafts, log_of, small_log

LINES = small_log().splitlines(keepends=True)


@pytest.mark.parametrize("end", [b"\n", b"", b"\r\n", b" \n"])
def test_a_line_that_ends_like_a_record_may_be_one_whatever_it_begins_with(end: bytes) -> None:
    assert damage.describe_foreign_file(b"x" + LINES[0][1:-1] + end, more=False) is None


def test_of_a_changed_number_only_that_of_the_line_counts() -> None:
    first, line = log_of(
        drafts(OPENING), drafts(CombatantJoined(combatant="orc-1", sheet={"a": {"seq": 9, "b": 1}}))
    ).splitlines(keepends=True)
    assert damage.line_fault(line.replace(b'{"seq":2', b'{"seq":7', 1), 2, decode(first).hash)[0].endswith(
        "changed to 7"
    )
