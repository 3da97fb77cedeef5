"""Durations: effects that last until a number of boundaries of time have come, such as turns of a combatant.

A timer has an owner whose boundaries it counts; "" if it counts those of no combatant, such as rounds. It counts down the `left` of
its effect. A child never outlives its parent: ending an effect ends its children (`conditions.end`), and an effect that has ended has
no timer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from eventstore.events import TimePassed
from eventstore.shapes import Duration
from projections.because import Because, Derived
from projections.mechanics.conditions import Effect, Key
from projections.occurrence import Occurrence
from projections.open_types import RulesState
from projections.time import Boundary, BoundaryKind

if TYPE_CHECKING:
    from projections.state import State

Side = Literal["start", "end"]


class Timer(Struct, gc=False):
    """The timer of one effect."""

    effect: Effect
    owner: str = ""
    """The combatant whose boundaries it counts; "" if it counts those of no combatant."""
    at: str = ""
    """The kind of boundaries that it counts."""
    step: int = 1
    """How much each of them takes off."""
    least: int = 1
    """The effect is over once less than this is left."""
    skip: int = 0
    """The number of boundaries that it does not count first."""
    most: int = 0
    """The most that one record took off."""
    last: tuple[int, int] = (0, 0)
    """The last record that took something off, and how much."""
    beyond: int = 0
    """How much has been taken off since its effect was over."""
    absent: bool = False
    """Whether it counted a boundary in place of a missing turn."""
    ends: tuple[int, ...] = ()
    """The ends of turns that it counted."""

    @property
    def boundaries(self) -> int:
        """The number of boundaries until the effect is over."""
        left = self.effect.left or 0
        return self.skip + max(1, -(-(left - self.least + 1) // self.step))


class Timers(Struct):
    """The running timers, and those of effects that have run out: they count on until no single counted record decides
    that.
    """

    running: dict[Key, Timer] = {}
    """The timers by the keys of their effects."""
    by_owner: dict[str, dict[Key, Timer]] = {}
    """The timers by their owners, then by the keys of their effects."""
    past: dict[Key, Timer] = {}
    """The timers of effects that have run out, for as long as that depends on single records that they counted."""
    left: dict[str, dict[Key, Timer]] = {}
    """For each owner, the timers that the last counted record removed from `past`."""

    def __contains__(self, key: Key) -> bool:
        return key in self.running

    def __getitem__(self, key: Key) -> Timer:
        return self.running[key]


class Passed(Struct, frozen=True, gc=False):
    """Boundaries that have come."""

    owner: str | None
    """The combatant whose boundaries they are; None: any."""
    at: str | None = None
    """The side of the turn; None: either."""
    times: int = 1
    """The number of boundaries."""
    absent: bool = False
    """Whether they are counted in place of a missing turn."""
    of: tuple[int, ...] = ()
    """The other facts by which they count, such as the one that began the turn that is over."""
    again: bool = False
    """Whether another record has reached the same time before, without which this one would have."""
    instead: int = 0
    """The record of an earlier time without which this one would have counted for both, or 0."""


def until(of: str, at: Side = "start", count: int = 1) -> Duration:
    """Return a duration that ends as a turn of a combatant begins or ends for the count-th time."""
    return Duration(amount=count, unit="round", of=of, at=at)


def until_next_turn(state: State, of: str, at: Side) -> Duration:
    """Return a duration that ends as the next turn of a combatant begins or ends; where the end of the running turn
    counts, it is one round longer.
    """
    said, rules = until(of, at), state.rules.durations
    if at == "start" or rules is None or not state.clock.is_turn_of(of):
        return said
    counted = rules.timer(state, Effect(state.seq + 1, "", of), said)
    return said if counted.skip else until(of, at, 2)


def until_turn_is_over(state: State, of: str) -> Duration:
    """Return a duration that ends with a combatant's running turn, or else with its next one."""
    return until(of, "end", 0 if state.clock.is_turn_of(of) else 1)


def originator(effect: Effect) -> str:
    """Return the combatant behind an effect: its source, else the author of the act or roll that caused it, which is then cited; "" if nobody is known."""
    if effect.source or effect.author is None:
        return effect.source
    effect.of = (*effect.of, effect.author)
    return effect.author.value


def from_whom(state: State, effect: Effect) -> str:
    """Return the combatant behind an effect, else the one in whose turn it begins, which is then cited; "" if neither is known."""
    if known := originator(effect):
        return known
    turn = state.clock.turn
    if turn:
        effect.of = (*effect.of, Derived(turn, Because((), (state.clock.turn_event,))))
    return turn


def timer_on_turns(effect: Effect, said: Duration, *whose: str, skip: int = 0) -> Timer:
    """Return a timer on the turns that a duration names, else on those of the first named combatant."""
    at: Side = "end" if (said.at or "").casefold() == "end" else "start"
    return Timer(effect, next((who for who in (said.of, *whose) if who), ""), at, skip=skip)


def timer_of_origin(state: State, effect: Effect, said: Duration) -> Timer:
    """Return a timer on the turns that a duration names, else on those of the combatant behind its effect, or of its bearer."""
    return timer_on_turns(effect, said, "" if said.of else from_whom(state, effect), effect.bearer)


def start(timers: Timers, key: Key, timer: Timer) -> None:
    """Start a timer, in place of one that the effect has."""
    stop(timers, key)
    timers.running[key] = timer
    timers.by_owner.setdefault(timer.owner, {})[key] = timer


def stop(timers: Timers, key: Key) -> Timer | None:
    """Stop the timer of an effect, and return it; None if there is none."""
    timers.past.pop(key, None)
    timer = timers.running.pop(key, None)
    if timer:
        del timers.by_owner[timer.owner][key]
    return timer


def count(timers: Timers, passed: Passed, seq: int) -> list[Key]:
    """Count down timers by boundaries that a record crosses; return the effects that are then over."""
    among = timers.running if passed.owner is None else timers.by_owner.get(passed.owner, {})
    counted = {key: timer for key, timer in among.items() if passed.at in (None, timer.at)}
    return [key for key, timer in counted.items() if _counts_down(timer, seq, passed)]


def long_over(timers: Timers, passed: Passed, seq: int) -> list[Timer]:
    """Count on for effects that have run out; return the timers of those that would be over now, whichever single
    record had not counted.

    A timer that counted boundaries in place of missing turns goes on: without the cause of the combatant's absence, its effect would not have ended.
    """
    found: dict[Key, Timer] = {}
    for key, timer in list(timers.past.items()):
        if passed.owner in (None, timer.owner) and passed.at in (None, timer.at):
            _takes(timer, seq, passed)
            timer.beyond += passed.times * timer.step
            enough = passed.again or (timer.effect.left or 0) - timer.beyond + timer.most < timer.least
            if enough and not timer.absent:
                found[key] = timers.past.pop(key)
                same = timers.left.get(timer.owner, {}).items()
                timers.left[timer.owner] = {k: each for k, each in same if each.last[0] == seq} | {key: timer}
    return [*found.values()]


def count_back(timers: Timers, owner: str, seq: int) -> list[Timer]:
    """Take back a record's count on an owner's past timers; return the timers that it had removed, which are past ones
    again.
    """
    back = {key: timer for key, timer in timers.left.pop(owner, {}).items() if timer.last[0] == seq}
    timers.past |= back
    for timer in timers.past.values():
        if timer.owner == owner and timer.last[0] == seq:
            timer.beyond -= timer.last[1]
    return [*back.values()]


def _takes(timer: Timer, seq: int, passed: Passed) -> None:
    """Keep how much a record takes off a timer."""
    before = timer.last[1] if timer.last[0] == seq else 0
    timer.last = (seq, before + passed.times * timer.step)
    timer.most, timer.absent = max(timer.most, timer.last[1]), timer.absent or passed.absent


def _counts_down(timer: Timer, seq: int, passed: Passed) -> bool:
    """Count down a timer by boundaries; say whether its effect is then over."""
    _takes(timer, seq, passed)
    times = passed.times
    counted = max(0, times - timer.skip)
    timer.skip = max(0, timer.skip - times)
    if not counted:
        return False
    effect = timer.effect
    effect.left = (effect.left or 0) - counted * timer.step
    before = effect.ticked_by
    effect.ticked_by = (*(before[:-1] if before[-1:] == (passed.instead,) else before), *passed.of, seq)
    timer.ends += (seq,) if passed.at == "end" else ()
    return effect.left < timer.least


def cite(timers: Timers, owner: str, at: Side, because: Because) -> None:
    """Cite why the effects go on that a combatant's boundaries on this side count down."""
    for timer in timers.by_owner.get(owner, {}).values():
        if timer.at == at and because not in timer.effect.of:
            timer.effect.of += (because,)


def owners(timers: Timers) -> Iterator[str]:
    """Yield the owners of the timers that run, or go on."""
    yield from dict.fromkeys(
        [*(owner for owner, own in timers.by_owner.items() if own), *(each.owner for each in timers.past.values())]
    )


# ---------------------------------------------------------------- what a ruleset says of them


def timer_of_bearer(_state: object, effect: Effect, said: Duration) -> Timer:
    """Return a timer on the turns that a duration names, else on its bearer's or its source's."""
    return timer_on_turns(effect, said, effect.bearer, effect.source)


def timer_of_next_turn(state: State, effect: Effect, said: Duration) -> Timer:
    """Return the same timer; one that counts ends of turns does not count the end of the running turn."""
    timer = timer_of_bearer(state, effect, said)
    timer.skip = int(timer.at == "end" and state.clock.is_turn_of(timer.owner))
    return timer


def by_turns(state: State, boundary: Boundary) -> Iterator[Passed]:
    """Yield the boundaries that one counts as, where rounds are counted by turns: the beginning or the end of a turn.

    A round that opens after one with turns, or after any by `empty_rounds`, counts for owners who will have no turn:
    nobody, or a combatant who has left.
    """
    rules = counting(state)
    if boundary.kind in rules.starts:
        yield Passed(boundary.who, "start", absent=boundary.kind == "place passed")
    elif boundary.kind in rules.ends:
        yield Passed(boundary.who, "end", of=_last_turn(state, boundary.who))
    elif boundary.kind == "round opened" and (state.last.turns or rules.empty_rounds):
        turns = () if rules.empty_rounds else (state.last.turns[0].seq,)
        for owner in [owner for owner in owners(state.durations) if _is_gone(state, owner)]:
            yield Passed(owner, absent=True, of=(*turns, *_left(state, owner)))


def _last_turn(state: State, who: str) -> tuple[int, ...]:
    """Return the course of a combatant's last turn of the round."""
    return next((turn.course for turn in reversed(state.round.turns) if turn.combatant == who), ())


def _is_gone(state: State, owner: str) -> bool:
    return owner not in state.combatants or bool(state.combatants[owner].left)


def _left(state: State, owner: str) -> tuple[int, ...]:
    """Return the fact with which a combatant left, if it ever joined."""
    return (state.combatants[owner].left,) if owner in state.combatants else ()


def whole_rounds(state: State, fact: Occurrence[TimePassed]) -> Iterable[Passed]:
    """Return the boundaries in time that passes without facts: its whole rounds, for all timers."""
    return [Passed(None, None, state.rules.calendar.whole(fact.event.time, "round"))]


def at_a_turn(state: State, key: Key) -> Derived[str]:
    """Return in which round an effect runs out, and on whose turn, if one will come."""
    timer, now = state.durations[key], max(1, state.clock.round)
    effect, owner = timer.effect, timer.owner
    events = tuple(seq for seq in effect.timed_by if seq not in timer.ends)
    begun, rules = Derived(owner, Because(of=effect.of)), counting(state).rules
    if _is_gone(state, owner):
        because = Because(rules, (*events, *_left(state, owner)), of=(begun,))
        return Derived(f"round {now + timer.boundaries}", because)
    turns = [turn for turn in (*state.round.turns, *state.turns.in_hand.values()) if turn.combatant == owner]
    ends = timer.at == "end"
    had = [turn.course if ends else (turn.seq,) for turn in turns if (turn.ended if ends else turn.seq)]
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
    passes: Callable[[RulesState, Boundary], Iterable[Passed]] = by_turns
    """Yield the boundaries that one boundary counts as."""
    time: Callable[[RulesState, Occurrence[TimePassed]], Iterable[Passed]] = whole_rounds
    """Return the boundaries that count as time passes without facts."""
    ends_at: Callable[[RulesState, Key], Derived[str] | None] | None = at_a_turn
    """Return when an effect runs out, in words; None if that is never said."""
    empty_rounds: bool = False
    """Whether a round without turns counts for combatants who will have no turn."""
    next_round: bool = True
    """Whether the end of an effect may still be recorded in the next round."""
    claims: bool = False
    """Whether a record that an effect has expired ends nothing by itself."""
    shows_unknown: bool = False
    """Whether an amount in an unknown unit is shown as left, though nothing counts it."""


def counting(state: State) -> DurationRules:
    """Return a fight's rules for durations; a ruleset that calls this module has them."""
    return state.rules.durations  # type: ignore[return-value]  # such a ruleset has them
