"""Durations: what a ruleset says of the timers of its effects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from msgspec import Struct

from eventstore.events import TimePassed
from eventstore.shapes import Duration
from projections.because import Because, Derived
from projections.fight import Fight
from projections.mechanics.conditions import Effect, Key
from projections.mechanics.timers import Passed, Side, Timer, originator, owners, timer_on_turns, until
from projections.occurrence import Occurrence
from projections.open_types import RulesState
from projections.time import Boundary, BoundaryKind


def until_next_turn(state: RulesState, of: str, at: Side) -> Duration:
    """Return a duration that ends as the next turn of a combatant begins or ends; where the end of the running turn
    counts, it is one round longer.
    """
    said, rules = until(of, at), state.rules.durations
    if at == "start" or rules is None or not state.clock.is_turn_of(of):
        return said
    counted = rules.timer(state, Effect(state.seq + 1, "", of), said)
    return said if counted.skip else until(of, at, 2)


def until_turn_is_over(state: Fight, of: str) -> Duration:
    """Return a duration that ends with a combatant's running turn, or else with its next one."""
    return until(of, "end", 0 if state.clock.is_turn_of(of) else 1)


def origin_of_effect(state: Fight, effect: Effect) -> str:
    """Return the combatant behind an effect, else the one in whose turn it begins, which is then cited; "" if neither is known."""
    if known := originator(effect):
        return known
    turn = state.clock.turn
    if turn:
        effect.of = (*effect.of, Derived(turn, Because((), (state.clock.turn_event,))))
    return turn


def timer_of_origin(state: Fight, effect: Effect, said: Duration) -> Timer:
    """Return a timer on the turns that a duration names, else on those of the combatant behind its effect, or of its bearer."""
    return timer_on_turns(effect, said, "" if said.of else origin_of_effect(state, effect), effect.bearer)


def timer_of_bearer(_state: object, effect: Effect, said: Duration) -> Timer:
    """Return a timer on the turns that a duration names, else on its bearer's or its source's."""
    return timer_on_turns(effect, said, effect.bearer, effect.source)


def timer_of_next_turn(state: Fight, effect: Effect, said: Duration) -> Timer:
    """Return the same timer; one that counts ends of turns does not count the end of the running turn."""
    timer = timer_of_bearer(state, effect, said)
    timer.skip = int(timer.at == "end" and state.clock.is_turn_of(timer.owner))
    return timer


def boundaries_in_turns(state: RulesState, boundary: Boundary) -> Iterator[Passed]:
    """Yield the boundaries that one counts as, where rounds are counted by turns: the beginning or the end of a turn.

    A round that opens after one with turns, or after any by `empty_rounds`, counts for owners who will have no turn:
    nobody, or a combatant who has left.
    """
    rules = duration_rules(state)
    if boundary.kind in rules.starts:
        yield Passed(boundary.who, "start")
    elif boundary.kind in rules.ends:
        turns = (turn.deciding_events for turn in reversed(state.round.turns) if turn.combatant == boundary.who)
        yield Passed(boundary.who, "end", of=next(turns, ()))
    elif boundary.kind == "round opened" and (state.last.turns or rules.empty_rounds):
        first = () if rules.empty_rounds else (state.last.turns[0].seq,)
        for owner in [owner for owner in owners(state.durations) if _is_gone(state, owner)]:
            yield Passed(owner, of=(*first, *_leaving_record(state, owner)))


def _is_gone(state: Fight, owner: str) -> bool:
    return owner not in state.combatants or bool(state.combatants[owner].left)


def _leaving_record(state: Fight, owner: str) -> tuple[int, ...]:
    return (state.combatants[owner].left,) if owner in state.combatants else ()


def whole_rounds(state: RulesState, fact: Occurrence[TimePassed]) -> Iterable[Passed]:
    """Return the boundaries in time that passes without facts: its whole rounds, for all timers."""
    return [Passed(None, None, state.rules.calendar.whole_units(fact.event.time, "round"))]


def turn_of_end(state: RulesState, key: Key) -> Derived[str]:
    """Return in which round an effect runs out, and on whose turn, if one will come."""
    timer, now = state.durations[key], max(1, state.clock.round)
    effect, owner = timer.effect, timer.owner
    events = effect.timer_facts
    begun, rules = Derived(owner, Because(of=effect.of)), duration_rules(state).rules
    if _is_gone(state, owner):
        because = Because(rules, (*events, *_leaving_record(state, owner)), of=(begun,))
        return Derived(f"round {now + timer.boundaries}", because)
    turns = [turn for turn in (*state.round.turns, *state.turns.in_hand.values()) if turn.combatant == owner]
    ends = timer.at == "end"
    had = [turn.deciding_events if ends else (turn.seq,) for turn in turns if (turn.ended if ends else turn.seq)]
    last = now + timer.boundaries - (1 if not had else 0)
    at_end = ", at the end" if ends else ""
    return Derived(f"{owner} in round {last}{at_end}", Because(rules, (*events, *chain(*had[-1:])), of=(begun,)))


class DurationRules(Struct, frozen=True, kw_only=True):
    """The rules by which a ruleset counts durations."""

    rules: tuple[str, ...]
    """The clauses by which effects run out."""
    timer: Callable[[RulesState, Effect, Duration], Timer] = timer_of_bearer
    """Return the timer of an effect with a duration, usually by `timer_on_turns`."""
    unit: Callable[[Duration], str] = lambda _said: "round"
    """Return the unit in which a duration is counted."""
    starts: tuple[BoundaryKind, ...] = ("turn began",)
    """The kinds of boundaries that count as the beginning of a turn."""
    ends: tuple[BoundaryKind, ...] = ("turn ended",)
    """The kinds of boundaries that count as the end of a turn."""
    passes: Callable[[RulesState, Boundary], Iterable[Passed]] = boundaries_in_turns
    """Yield the boundaries that one boundary counts as."""
    time: Callable[[RulesState, Occurrence[TimePassed]], Iterable[Passed]] = whole_rounds
    """Return the boundaries that count as time passes without facts."""
    ends_at: Callable[[RulesState, Key], Derived[str] | None] | None = turn_of_end
    """Return when an effect runs out, in words; None if that is never said."""
    empty_rounds: bool = False
    """Whether a round without turns counts for combatants who will have no turn."""
    next_round: bool = True
    """Whether the end of an effect may still be recorded in the next round."""
    claims: bool = False
    """Whether a record that an effect has expired ends nothing by itself."""
    shows_unknown: bool = False
    """Whether an amount in an unknown unit is shown as left, though nothing counts it."""


def duration_rules(state: RulesState) -> DurationRules:
    """Return a fight's rules for durations; a ruleset that calls this module has them."""
    rules: DurationRules = state.rules.durations  # such a ruleset has them
    return rules
