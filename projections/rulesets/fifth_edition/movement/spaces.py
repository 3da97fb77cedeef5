"""Where others stand: passing through their spaces, ending a turn in one, coming nearer to what is feared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from eventstore.events import ActionTaken, Fact, Moved, RoundEnded, RoundStarted, TurnEnded, TurnStarted
from projections.because import Because, Derived
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.conditions import (
    acts_not,
    events_of,
    fall_prone,
    filled,
    is_so,
    kept_from,
    sources,
)
from projections.rulesets.fifth_edition.movement.cost import is_own
from projections.rulesets.fifth_edition.movement.positions import (
    apart,
    footprint,
    others_in,
    records,
    square_of,
    walked,
)
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.fifth_edition.table import clauses
from projections.rulesets.ruleset import Breach, check, derives
from projections.state import Combatant
from projections.time import Boundary


@check("move.through-others", on=Moved)
def some_spaces_cannot_be_passed(state: FifthState, fact: Occurrence[Moved]) -> Breach | None:
    event, one = fact.event, state.combatants[fact.event.combatant]
    if not is_own(event):
        return None
    for square in walked(event.path)[1:-1]:
        for other in others_in(state, one.id, footprint(one, square)):
            if not may_pass(state, one, state.combatants[other]):
                able = events_of(acts_not(state, other)) if state.is_new else ()
                events = (*records(state, other), *able)
                return Breach(f"{one.id} goes through the space of {other}", "a way around", other, events)
    return None


def may_pass(state: FifthState, one: Combatant, other: Combatant) -> bool:
    """Say whether a combatant may go through the space of another, or a size is unknown."""
    larger = figures.larger_by(one, other)
    if one.side == other.side or larger is None or abs(larger) > 1:
        return True
    return state.is_new and (is_so(state, other.id, "no_acts") or figures.size(other) == 0)


@check("move.no-ending-in-others", on=(ActionTaken, TurnStarted, TurnEnded, RoundStarted, RoundEnded))
def nobody_stays_in_others(state: FifthState, fact: Occurrence[Fact]) -> Breach | None:
    now: Iterable[str] = (state.clock.turn, *state.clock.together)
    if isinstance(fact.event, ActionTaken):
        now = [who for who in now if who == fact.event.combatant]
    for who in now:
        strides = state.strides.get(who, ())
        if not strides or state.squares.get(who, (None, None))[1] != strides[-1].seq:
            continue
        last = strides[-1]
        for other in others_in(state, who, footprint(state.combatants[who], last.path[-1])):
            says, events = f"{who} stays in the space of {other}", (last.seq, *records(state, other))
            return Breach(says, "another square", other, events, once=(last.seq,))
    return None


@derives("move.no-ending-in-others", at="turn ended")
def sharing_a_space_ends_prone(state: FifthState, turn: Boundary) -> None:
    """Let a combatant that ends its turn in the space of another fall prone in 2024, unless it is Tiny or larger."""
    one, found = state.combatants[turn.who], square_of(state, turn.who)
    if found is None or one.id in state.mounts or figures.size(one) == 0:
        return
    for other in others_in(state, one.id, footprint(one, found[0])):
        larger = figures.larger_by(one, state.combatants[other])
        where = Derived(other, Because((), (turn.seq, *records(state, one.id, other))))
        why = Because(sharing_a_space_ends_prone.rules, (), state.chosen("edition"), (where,))
        if state.is_new and larger is not None and larger <= 0:
            fall_prone(state, one.id, state.began[one.id], why)
        else:
            kept_from(state, one.id, "prone", why)


@checks_by(*clauses("no_nearer"), on=Moved)
def the_frightened_come_no_nearer(state: FifthState, fact: Occurrence[Moved]) -> Iterator[Fault]:
    """Yield that a combatant comes nearer to the source of a condition that forbids it."""
    event, who = fact.event, fact.event.combatant
    if not is_own(event):
        return
    feared = ((row, each) for row in filled(state, "no_nearer") for each in sources(state, who, row.name).items())
    for row, (source, seq) in feared:
        way = [feet for at in walked(event.path) if (feet := apart(state, who, source, at)) is not None]
        if way and min(way) < way[0]:
            says, why = f"{who} comes nearer to {source}, whom it fears", (seq, *records(state, source))
            yield Fault((row.rule,), says, f"{way[0]} ft or more", f"{min(way)} ft", why)
            return
