"""What the breaches of all games share: when each can be told, and that it tells nothing where it does not fit."""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from tests.lawful.fight import Fight


class Played(Protocol):
    """A table whose fight is being recorded; its play yields the moments at which something may be told."""

    fight: Fight

    def play(self, rounds: int) -> Iterator[str]: ...

    def chance(self, share: float) -> bool: ...


T = TypeVar("T", bound=Played)
S = TypeVar("S")
Broken = tuple[str, int] | None
"""The rules that are broken, and the seq of the fact that the findings are about; None where nothing fits."""
Tells = Callable[[T], str | Broken]
"""What tells a breach, and returns the rules with the seq, or without it where that is the last one."""


class Unfit(Exception):
    """Says that a breach does not fit the moment."""


def only(fits: object) -> None:
    """Go on with a breach only where this is so."""
    if not fits:
        raise Unfit


def one_of(dice: random.Random, found: Sequence[S]) -> S:
    """Return one of these, if there is any."""
    only(found)
    return dice.choice(found)


def given(found: S | None) -> S:
    """Return what is there, if it is."""
    if found is None:
        raise Unfit
    return found


class Breach(NamedTuple, Generic[T]):
    """A way to break a rule, the moments of a fight at which it may, and the options that it needs."""

    tells: Tells[T]
    moments: tuple[str, ...]
    options: dict[str, str]

    def __call__(self, table: T) -> Broken:
        try:
            told = self.tells(table)
        except Unfit:
            return None
        return (told, table.fight.seq) if isinstance(told, str) else told


def entering(breaches: list[Breach[T]]) -> Callable[..., Callable[[Tells[T]], Tells[T]]]:
    """Return the decorator that enters a breach in a list, with its moments and its options."""

    def at(*moments: str, **options: str) -> Callable[[Tells[T]], Tells[T]]:
        def enter(tells: Tells[T]) -> Tells[T]:
            breaches.append(Breach(tells, moments, {name.replace("_", "-"): value for name, value in options.items()}))
            return tells

        return enter

    return at


def broken_by(breach: Breach[T], table: T, rounds: int, share: float) -> Fight | None:
    """Play a fight that ends with a breach, tried at this share of its moments; None where that never fits."""
    for moment in table.play(rounds):
        before = table.fight.seq
        if moment in breach.moments and table.chance(share):
            if told := breach(table):
                table.fight.breaks |= {(rule, told[1]) for rule in told[0].split()}
                return table.fight
            if table.fight.seq > before:
                return None
    return None
