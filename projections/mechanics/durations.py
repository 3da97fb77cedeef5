"""Durations: what lasts until boundaries of time have come so many times, such as somebody's turns, whoever bears it.

A timer belongs to an owner whose boundaries it counts; "" if it counts nobody's, such as rounds. It counts down the
`left` of its effect. A child never outlives its parent: ending an effect ends its children (`conditions.end`), and an
effect that is gone has no timer.
"""

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct

from eventstore.shapes import Duration
from projections.because import Because
from projections.mechanics.conditions import Effect, Key

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
    """Return a duration that ends as a turn of somebody begins or ends for the count-th time."""
    return Duration(amount=count, unit="round", of=of, at=at)


def on_turns(effect: Effect, *whose: str, skip: int = 0) -> Timer:
    """Return a timer on the turns that a duration names, else on those of the first of these who is anybody."""
    said = effect.duration or Duration(amount=0, unit="")
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


def ran_out(effect: Effect, rules: Iterable[str]) -> Because:
    """Return the reason why an effect ran out: all the boundaries that counted it down."""
    return Because(tuple(rules), effect.ticked_by)
