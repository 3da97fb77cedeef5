"""Timers: durations that count boundaries of time, such as somebody's turns, whoever bears the effect.

A timer belongs to an owner whose boundaries it counts; "" if it counts nobody's, such as rounds. It counts down the
`left` of its effect. A child never outlives its parent: ending an effect ends its children (`conditions.end`), and a
timer whose effect is gone counts nothing.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from projections.because import Because
from projections.mechanics.conditions import Effect, Key


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


def count(timers: Timers, owner: str, seq: int, at: str = "", times: int = 1) -> list[Key]:
    """Count down the timers of an owner by boundaries; return the effects that are then over, their timers stopped."""
    own = timers.by_owner.get(owner)
    return _count(timers, own, seq, at, times) if own else []


def count_all(timers: Timers, seq: int, times: int = 1) -> list[Key]:
    """Count down all timers by so many boundaries, whoever owns them; return the effects that are then over."""
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
