"""Timers: durations that count boundaries of time, such as the turns of somebody, whoever bears what lasts.

A timer belongs to an owner, at whose boundaries it counts; "" where it counts those of nobody, rounds for instance. What
it counts down is the `left` of its effect. A child never outlives its parent: ending an effect ends those that hang on
it (`conditions.end`), and a timer whose effect is gone counts nothing.
"""

from collections.abc import Container, Iterable, Iterator

from msgspec import Struct

from projections.because import Because
from projections.mechanics.conditions import Effect, Key


class Timer(Struct, gc=False):
    """The duration of one effect: whose boundaries it counts, and which of theirs (`at`).

    Each takes `step` off what is left, and the effect is over once less than `least` is; the first `skip` take nothing.
    """

    effect: Effect
    owner: str = ""
    at: str = ""
    step: int = 1
    least: int = 1
    skip: int = 0

    @property
    def boundaries(self) -> int:
        """How many boundaries it takes until the effect is over."""
        left = self.effect.left or 0
        return self.skip + max(1, -(-(left - self.least + 1) // self.step))


class Timers(Struct):
    """The timers that run, by the effects that they belong to, and by their owners."""

    running: dict[Key, Timer] = {}
    by_owner: dict[str, dict[Key, Timer]] = {}

    def __contains__(self, key: Key) -> bool:
        return key in self.running

    def __getitem__(self, key: Key) -> Timer:
        return self.running[key]


def start(timers: Timers, key: Key, timer: Timer) -> None:
    """Let a timer run, in the place of one that the effect has."""
    stop(timers, key)
    timers.running[key] = timer
    timers.by_owner.setdefault(timer.owner, {})[key] = timer


def stop(timers: Timers, key: Key) -> Timer | None:
    """Stop the timer of an effect, and return it; None where there is none."""
    timer = timers.running.pop(key, None)
    if timer:
        del timers.by_owner[timer.owner][key]
    return timer


def keep(timers: Timers, there: Container[Key]) -> None:
    """Stop the timers of all effects that are not there any more."""
    for key in [key for key in timers.running if key not in there]:
        stop(timers, key)


def count(timers: Timers, owner: str, seq: int, at: str = "", times: int = 1) -> list[Key]:
    """Count a boundary of an owner, or several, down; return the effects that are over with it, their timers stopped."""
    own = timers.by_owner.get(owner)
    return _count(timers, own, seq, at, times) if own else []


def count_all(timers: Timers, seq: int, times: int = 1) -> list[Key]:
    """Count so many boundaries off whatever lasts for a time, whoever owns it."""
    return _count(timers, timers.running, seq, None, times)


def _count(timers: Timers, among: dict[Key, Timer], seq: int, at: str | None, times: int) -> list[Key]:
    over = []
    for key, timer in among.items():
        if at in (None, timer.at) and _counts_down(timer, seq, times):
            over.append(key)
    for key in over:
        stop(timers, key)
    return over


def _counts_down(timer: Timer, seq: int, times: int) -> bool:
    """Take boundaries off a timer; say whether its effect is over with them."""
    counted = max(0, times - timer.skip)
    timer.skip = max(0, timer.skip - times)
    if not counted:
        return False
    effect = timer.effect
    effect.left = (effect.left or 0) - counted * timer.step
    effect.ticked_by = (*effect.ticked_by, seq)
    return effect.left < timer.least


def owners(timers: Timers) -> Iterator[str]:
    """Yield whose boundaries count anything."""
    yield from [owner for owner, own in timers.by_owner.items() if own]


def ran_out(effect: Effect, rules: Iterable[str]) -> Because:
    """Return the reason for the end of an effect whose time is up: all the boundaries that counted it down."""
    return Because(tuple(rules), effect.ticked_by)
