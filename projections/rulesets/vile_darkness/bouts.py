"""Pairs of combatants in melee, by records that hold until the two separate, or for some rounds."""

from collections.abc import Container
from typing import NamedTuple

from msgspec import Struct


class Bout(Struct, frozen=True, gc=False):
    """A record by which two combatants are in melee."""

    seq: int
    first: int = 0
    """The first round of the melee."""
    last: int = 0
    """Its last round; 0: until the two separate."""
    opened: int = 0
    """The record that opened the round of a blow."""

    @property
    def rounds(self) -> "Rounds":
        """The rounds of the melee."""
        return Rounds(self.first, self.last, self.opened)


class Rounds(NamedTuple):
    """The rounds of a melee, which several records of a pair can share."""

    first: int
    last: int
    opened: int


class Melee(Struct):
    """The pairs in melee."""

    bouts: dict[tuple[str, str], dict[Rounds, set[int]]] = {}
    """The records of each pair, by the rounds of the melee."""
    separated: dict[str, int] = {}
    """The records that last took combatants out of a melee."""


def engage(melee: Melee, who: str, other: str, bout: Bout, now: int) -> None:
    """Put two combatants in melee, and forget their melee in rounds before this one."""
    pair = (who, other) if who < other else (other, who)
    there = melee.bouts.setdefault(pair, {})
    for past in [each for each in there if 0 < each.last < now]:
        del there[past]
    there.setdefault(bout.rounds, set()).add(bout.seq)


def separate(melee: Melee, who: str, seq: int, but: Container[str] = ()) -> None:
    """Take a combatant out of melee with all others but these."""
    for pair in [each for each in melee.bouts if who in each]:
        other = pair[pair[0] == who]
        if other not in but:
            del melee.bouts[pair]
            melee.separated |= {who: seq, other: seq}


def foes(melee: Melee, who: str, now: int, round_event: int) -> tuple[dict[str, set[int]], set[int]]:
    """Return a combatant's opponents in melee in a round, each with its records, and the records that ended other
    melees.
    """
    found: dict[str, set[int]] = {}
    over = {melee.separated[who]} if who in melee.separated else set()
    for pair, bouts in melee.bouts.items():
        if who in pair:
            holding = [each for each in bouts if each.last == 0 or each.first <= now <= each.last]
            dated = {round_event for each in bouts if each.last}
            if holding:
                opened = {each.opened for each in holding if each.opened}
                found[pair[pair[0] == who]] = opened.union(dated, *(bouts[each] for each in holding))
            else:
                over |= dated
    return found, over
