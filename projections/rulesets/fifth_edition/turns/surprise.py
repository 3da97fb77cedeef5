"""Surprise: who is surprised, and until when."""

from __future__ import annotations

from eventstore.events import SurpriseSettled
from projections.because import Because, Derived
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import derives
from projections.time import Boundary


@derives("surprise.gm-decides", on=SurpriseSettled)
def some_are_surprised(state: FifthState, fact: Occurrence[SurpriseSettled]) -> None:
    """Keep the combatants that the GM says are surprised, by name or as a whole side."""
    for one in state.here():
        if one.id in fact.event.surprised or one.side in fact.event.surprised:
            state.surprised[one.id] = fact.seq
            state.touched.add(one.id)
        elif not fact.event.sides or one.side in fact.event.sides:
            end_surprise(state, one.id, Because(some_are_surprised.rules, (fact.seq,)))


@derives("surprise.first-turn-lost", "surprise.no-reaction", at="turn ended")
def surprise_is_over(state: FifthState, turn: Boundary) -> None:
    """End the surprise of a combatant with its first turn."""
    end_surprise(state, turn.who, Because(surprise_is_over.rules, (state.began.get(turn.who, turn.seq), turn.seq)))


def end_surprise(state: FifthState, who: str, why: Because) -> None:
    """End the surprise of a combatant."""
    if seq := state.surprised.pop(who, 0):
        state.touched.add(who)
        state.ended["surprised", who] = Because(why.rules, (seq, *why.events))


@derives("surprise.gm-decides")
def is_surprised(state: FifthState, who: str) -> Derived[bool]:
    """Return whether a combatant is surprised."""
    seq, over = state.surprised.get(who), state.ended.get(("surprised", who))
    gone = (Derived(who, over),) if over else ()
    return Derived(seq is not None, Because(is_surprised.rules, (seq or state.combatants[who].joined,), {}, gone))
