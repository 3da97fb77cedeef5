"""Durations: what lasts until boundaries of time have come so many times, such as a combatant's turns, the combatant who bears it.

A timer belongs to an owner whose boundaries it counts; "" if it counts nobody's, such as rounds. It counts down the
`left` of its effect. A child never outlives its parent: ending an effect ends its children (`conditions.end`), and an
effect that is gone has no timer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from eventstore.events import TimePassed
from eventstore.shapes import Duration
from projections.because import Because, Derived
from projections.mechanics.conditions import Effect, Key
from projections.occurrence import Occurrence
from projections.time import Boundary, BoundaryKind

if TYPE_CHECKING:
    from projections.state import State

Side = Literal["start", "end"]


class Timer(Struct, gc=False):
    """The timer of one effect: whose boundaries it counts, and which kind of them (`at`).

    Each takes `step` off what is left, except the first `skip`; the effect is over once less than `least` is left.
    """

    effect: Effect
    owner: str = ""
    at: str = ""
    step: int = 1
    least: int = 1
    skip: int = 0

    @property
    def boundaries(self) -> int:
        """The number of boundaries until the effect is over."""
        left = self.effect.left or 0
        return self.skip + max(1, -(-(left - self.least + 1) // self.step))


class Timers(Struct):
    """The timers that run, by the keys of their effects and by their owners."""

    running: dict[Key, Timer] = {}
    by_owner: dict[str, dict[Key, Timer]] = {}

    def __contains__(self, key: Key) -> bool:
        return key in self.running

    def __getitem__(self, key: Key) -> Timer:
        return self.running[key]


class Passed(Struct, frozen=True, gc=False):
    """Boundaries that have come: whose, on which side of a turn, how many; None means anybody's, and either side."""

    owner: str | None
    at: str | None = None
    times: int = 1


def until(of: str, at: Side = "start", count: int = 1) -> Duration:
    """Return a duration that ends as a turn of a combatant begins or ends for the count-th time."""
    return Duration(amount=count, unit="round", of=of, at=at)


def timer_on_turns(effect: Effect, said: Duration, *whose: str, skip: int = 0) -> Timer:
    """Return a timer on the turns that a duration names, else on those of the first of these who is anybody."""
    at: Side = "end" if (said.at or "").casefold() == "end" else "start"
    return Timer(effect, next((who for who in (said.of, *whose) if who), ""), at, skip=skip)


def start(timers: Timers, key: Key, timer: Timer) -> None:
    """Start a timer, in place of one that the effect has."""
    stop(timers, key)
    timers.running[key] = timer
    timers.by_owner.setdefault(timer.owner, {})[key] = timer


def stop(timers: Timers, key: Key) -> Timer | None:
    """Stop the timer of an effect, and return it; None if there is none."""
    timer = timers.running.pop(key, None)
    if timer:
        del timers.by_owner[timer.owner][key]
    return timer


def count(timers: Timers, passed: Passed, seq: int) -> list[Key]:
    """Count down timers by boundaries that a record crosses; return the effects that are then over."""
    among = timers.running if passed.owner is None else timers.by_owner.get(passed.owner, {})
    told = {key: timer for key, timer in among.items() if passed.at in (None, timer.at)}
    return [key for key, timer in told.items() if _counts_down(timer, seq, passed.times)]


def _counts_down(timer: Timer, seq: int, times: int) -> bool:
    """Count down a timer by boundaries; say whether its effect is then over."""
    counted = max(0, times - timer.skip)
    timer.skip = max(0, timer.skip - times)
    if not counted:
        return False
    effect = timer.effect
    effect.left = (effect.left or 0) - counted * timer.step
    effect.ticked_by = (*effect.ticked_by, seq)
    return effect.left < timer.least


def owners(timers: Timers) -> Iterator[str]:
    """Yield the owners of the timers that run."""
    yield from [owner for owner, own in timers.by_owner.items() if own]


# ---------------------------------------------------------------- what a ruleset says of them


def timer_of_bearer(_state: Any, effect: Effect, said: Duration) -> Timer:
    """Return a timer on the turns that a duration names, else on its bearer's or its source's."""
    return timer_on_turns(effect, said, effect.bearer, effect.source)


def timer_of_next_turn(state: State, effect: Effect, said: Duration) -> Timer:
    """Return the same timer, but where it counts the ends of turns, not by the end of the turn that runs."""
    timer = timer_of_bearer(state, effect, said)
    timer.skip = int(timer.at == "end" and state.clock.is_turn_of(timer.owner))
    return timer


def by_turns(state: State, boundary: Boundary) -> Iterator[Passed]:
    """Yield what a boundary counts where rounds are counted by turns: the beginning or the end of its combatant's.

    As a round opens after one with turns, or after any by `empty_rounds`, it counts for whom no turn will come: nobody, or a combatant who has left.
    """
    rules = counting(state)
    if boundary.kind in rules.starts:
        yield Passed(boundary.who, "start")
    elif boundary.kind in rules.ends:
        yield Passed(boundary.who, "end")
    elif boundary.kind == "round opened" and (state.last.turns or rules.empty_rounds):
        yield from [Passed(owner) for owner in owners(state.durations) if _is_gone(state, owner)]


def _is_gone(state: State, owner: str) -> bool:
    return owner not in state.combatants or bool(state.combatants[owner].left)


def whole_rounds(state: State, fact: Occurrence[TimePassed]) -> Iterable[Passed]:
    """Return what counts in time that passes without facts: its whole rounds, for everything."""
    return [Passed(None, None, state.rules.calendar.whole(fact.event.time, "round"))]


def at_a_turn(state: State, key: Key) -> Derived[str]:
    """Return in which round an effect runs out, and on whose turn, if one will come."""
    timer, now = state.durations[key], max(1, state.clock.round)
    effect, owner = timer.effect, timer.owner
    events, rules = (effect.seq, *effect.ticked_by), counting(state).rules
    if _is_gone(state, owner):
        left = (state.combatants[owner].left,) if owner in state.combatants else ()
        return Derived(f"round {now + timer.boundaries}", Because(rules, (*events, *left)))
    turns = [turn for turn in (*state.round.turns, *state.turns.in_hand.values()) if turn.combatant == owner]
    had = tuple(seq for turn in turns if (seq := turn.ended if timer.at == "end" else turn.seq))
    last = now + timer.boundaries - (1 if not had else 0)
    at_end = ", at the end" if timer.at == "end" else ""
    rests = (Derived(owner, Because(of=effect.of)),) if effect.of else ()
    return Derived(f"{owner} in round {last}{at_end}", Because(rules, (*events, *had[-1:]), {}, rests))


class DurationRules(Struct, frozen=True, kw_only=True):
    """How a ruleset counts durations.

    `rules` are the clauses by which something runs out. `timer` returns whose boundaries an effect counts that has just got
    a duration, as a rule with `timer_on_turns`. `unit` is the unit that it is counted in; `starts` and `ends` are the kinds of boundaries that count as the
    beginning and the end of a combatant's turn; `empty_rounds` says whether a round without turns counts for whom no turn will come. `passes` yields what a boundary counts, `time` what counts as time passes
    without facts. `ends_at` says in words when an effect runs out; `next_round` whether that may still be recorded in the round after.
    `shows_unknown` says whether an amount in a unit that is none here is what is left, though nothing counts it.
    `claims` says that a record of what is counted as expired is only a claim: it ends nothing.
    """

    rules: tuple[str, ...]
    timer: Callable[[Any, Effect, Duration], Timer] = timer_of_bearer
    unit: Callable[[Duration], str] = lambda _said: "round"
    starts: tuple[BoundaryKind, ...] = ("turn began",)
    ends: tuple[BoundaryKind, ...] = ("turn ended",)
    passes: Callable[[Any, Boundary], Iterable[Passed]] = by_turns
    time: Callable[[Any, Occurrence[TimePassed]], Iterable[Passed]] = whole_rounds
    ends_at: Callable[[Any, Key], Derived[str] | None] = at_a_turn
    empty_rounds: bool = False
    next_round: bool = True
    claims: bool = False
    shows_unknown: bool = False


def counting(state: State) -> DurationRules:
    """Return how the ruleset of a fight counts durations, which it does if it calls this module."""
    return state.rules.durations  # type: ignore[return-value]  # such a ruleset has them
