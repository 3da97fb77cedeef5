"""Timers of effects that last until a number of boundaries of time have come, such as turns of a combatant.

A timer has an owner whose boundaries it counts; "" if it counts those of no combatant, such as rounds. It counts down the `left` of
its effect. A child never outlives its parent: ending an effect ends its children (`conditions.end_among`), and an effect that has ended has
no timer.
"""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from eventstore.shapes import Duration
from projections.because import Because
from projections.mechanics.conditions import Effect, Key

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

    @property
    def boundaries(self) -> int:
        """The number of boundaries until the effect is over."""
        left = self.effect.left or 0
        return self.skip + max(1, -(-(left - self.least + 1) // self.step))


class Timers(Struct):
    """The running timers."""

    running: dict[Key, Timer] = {}
    """The timers by the keys of their effects."""
    by_owner: dict[str, dict[Key, Timer]] = {}
    """The timers by their owners, then by the keys of their effects."""

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
    of: tuple[int, ...] = ()
    """The other facts by which they count, such as the one that began the turn that is over."""


def until(of: str, at: Side = "start", count: int = 1) -> Duration:
    """Return a duration that ends as a turn of a combatant begins or ends for the count-th time."""
    return Duration(amount=count, unit="round", of=of, at=at)


def originator(effect: Effect) -> str:
    """Return the combatant behind an effect: its source, else the author of the act or roll that caused it, which is then cited; "" if nobody is known."""
    if effect.source or effect.author is None:
        return effect.source
    effect.of = (*effect.of, effect.author)
    return effect.author.value


def timer_on_turns(effect: Effect, said: Duration, *whose: str, skip: int = 0) -> Timer:
    """Return a timer on the turns that a duration names, else on those of the first named combatant."""
    at: Side = "end" if (said.at or "").casefold() == "end" else "start"
    return Timer(effect, next((who for who in (said.of, *whose) if who), ""), at, skip=skip)


def start_timer(timers: Timers, key: Key, timer: Timer) -> None:
    """Start a timer, in place of one that the effect has."""
    stop_timer(timers, key)
    timers.running[key] = timer
    timers.by_owner.setdefault(timer.owner, {})[key] = timer


def stop_timer(timers: Timers, key: Key) -> None:
    """Stop the timer of an effect, if it has one."""
    if timer := timers.running.pop(key, None):
        del timers.by_owner[timer.owner][key]


def count_down(timers: Timers, passed: Passed, seq: int) -> list[Key]:
    """Count down timers by boundaries that a record crosses; return the effects that are then over."""
    among = timers.running if passed.owner is None else timers.by_owner.get(passed.owner, {})
    counted = {key: timer for key, timer in among.items() if passed.at in (None, timer.at)}
    return [key for key, timer in counted.items() if _counts_down(timer, seq, passed)]


def _counts_down(timer: Timer, seq: int, passed: Passed) -> bool:
    """Count down a timer by boundaries; say whether its effect is then over."""
    times = passed.times
    counted = max(0, times - timer.skip)
    timer.skip = max(0, timer.skip - times)
    if not counted:
        return False
    effect = timer.effect
    effect.left = (effect.left or 0) - counted * timer.step
    effect.ticked_by = (*effect.ticked_by, *passed.of, seq)
    return effect.left < timer.least


def cite_reason(timers: Timers, owner: str, at: Side, because: Because) -> None:
    """Cite why the effects go on that a combatant's boundaries on this side count down."""
    for timer in timers.by_owner.get(owner, {}).values():
        if timer.at == at and because not in timer.effect.of:
            timer.effect.of += (because,)


def owners(timers: Timers) -> Iterator[str]:
    """Yield the owners of the timers."""
    return (owner for owner, own in timers.by_owner.items() if own)
