"""Melee: who is in it with whom, by records that hold until something parts the two, or for some rounds."""

from collections.abc import Container
from typing import NamedTuple

from msgspec import Struct


class Bout(Struct, frozen=True, gc=False):
    """That two are in melee: the record of it, and from which round to which it says so (0: until something parts them).

    `opened` is the record that opened the round of a blow.
    """

    seq: int
    first: int = 0
    last: int = 0
    opened: int = 0

    @property
    def said(self) -> "Said":
        """What the record says of the rounds."""
        return Said(self.first, self.last, self.opened)


class Said(NamedTuple):
    """What records of a pair say alike: from which round to which it is in melee, and what opened the round of the blows."""

    first: int
    last: int
    opened: int


class Melee(Struct):
    """The pairs in melee, each with the records that say so, and by combatant the record that last took it out of one."""

    bouts: dict[tuple[str, str], dict[Said, set[int]]] = {}
    parted: dict[str, int] = {}


def engage(melee: Melee, who: str, other: str, bout: Bout, now: int) -> None:
    """Put two in melee; what was said of rounds before this one is let go of."""
    pair = (who, other) if who < other else (other, who)
    there = melee.bouts.setdefault(pair, {})
    for said in [each for each in there if 0 < each.last < now]:
        del there[said]
    there.setdefault(bout.said, set()).add(bout.seq)


def part(melee: Melee, who: str, seq: int, but: Container[str] = ()) -> None:
    """Take somebody out of melee with everybody but these."""
    for pair in [each for each in melee.bouts if who in each]:
        other = pair[pair[0] == who]
        if other not in but:
            del melee.bouts[pair]
            melee.parted |= {who: seq, other: seq}


def foes(melee: Melee, who: str, now: int, round_event: int) -> tuple[dict[str, set[int]], set[int]]:
    """Return with whom somebody is in melee in a round, each with the records that say so, and those that say it is over."""
    found: dict[str, set[int]] = {}
    over = {melee.parted[who]} if who in melee.parted else set()
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
