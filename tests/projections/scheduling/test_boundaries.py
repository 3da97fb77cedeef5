"""Boundaries as they were recorded, where no list says whose turn comes: how a round and a turn end."""

from msgspec import structs

from projections.fight import Slot
from projections.occurrence import Occurrence
from projections.replay.replay import advance, replay
from projections.ruleset.boundaries import boundaries_as_recorded
from projections.scheduling.ladder_schedule import LadderSchedule
from projections.state import State
from projections.time import Point
from tests.projections.logs import fact, hit, joins, records, round_, turn, turn_ends
from tests.tables import for_each

THREE = (joins("ana"), joins("bo"), joins("cy"))  # records 2 to 4
NOBODY: tuple[Slot, ...] = ()


def told(*facts: str) -> tuple[State, list[str]]:
    """Take in these facts of a game with a ladder, the first as record 5; return its state, and the boundaries of the last."""
    state, found = replay(records(*THREE)).state, list[str]()
    ladder = LadderSchedule(order=lambda _state: NOBODY, rows=lambda _state: ())
    state.rules = structs.replace(state.rules, schedule=ladder, boundaries={}, steps={})
    for record in records(*THREE, *facts)[len(THREE) + 1 :]:
        assert record.event is not None
        taken = Occurrence(seq=record.seq, line=record.seq, event=record.event, point=Point())
        found = [f"{each.kind} {each.who or each.number} {each.seq}" for each in boundaries_as_recorded(state, taken)]
        advance(state, taken)
    return state, found


BEGUN = (round_(1), turn("ana"))  # records 5 and 6


@for_each(("facts", "crosses"), [
    ((turn("bo"),), ["turn ended ana 7", "turn began bo 7"]),
    ((turn("bo", together=["cy", "bo", "zoe"]),), ["turn ended ana 7", "turn began bo 7", "turn began cy 7"]),
    ((turn_ends("ana"),), ["turn ended ana 7"]),
    ((turn_ends("bo"),), []),
    ((fact("combatant_left", combatant="ana"),), ["turn ended ana 7"]),
    ((fact("combatant_left", combatant="bo"),), []),
    ((round_(2),), ["turn ended ana 7", "round closed 1 7", "round opened 2 7"]),
    ((fact("round_ended"),), ["turn ended ana 7", "round closed 1 7"]),
    ((hit("ana", 2),), []),
    ((turn_ends("ana"), turn("bo")), ["turn began bo 8"]),
    ((turn("bo", together=["cy"]), turn_ends("bo")), ["turn ended bo 8"]),
    ((turn("bo", together=["cy"]), turn_ends("cy")), ["turn ended cy 8"]),
    ((turn("bo", together=["cy"]), turn("ana")), ["turn ended bo 8", "turn ended cy 8", "turn began ana 8"]),
])  # fmt: skip
def test_a_turn_ends_as_said_as_another_begins_with_the_round_or_a_leaver(
    facts: tuple[str, ...], crosses: list[str]
) -> None:
    assert told(*BEGUN, *facts)[1] == crosses


def test_the_clock_has_a_turn_until_it_ends() -> None:
    assert told(*BEGUN)[0].clock.turn == "ana"
    assert told(*BEGUN, turn_ends("ana"))[0].clock.turn == ""
