"""Breaches of surprise, of rounds and dice, and of hit points and statements; and what all breaches share.

A breach is tried at its moments of a lawful fight: it records what breaks its rule and returns the rule with the seq of the fact that the
finding is about, or records nothing. With it the fight ends."""

from collections.abc import Callable
from typing import Any

from tests.lawful.breaking import Breach, Broken, entering, one_of
from tests.lawful.tables.osric.people import One
from tests.lawful.tables.osric.play import Table

BREACHES: list[Breach[Table]] = []
at = entering(BREACHES)


def pick(t: Table, which: Callable[[One], Any], up: bool = True) -> One:
    """Return a combatant who is up and of whom this holds."""
    there = t.up() if up else [one for one in t.ones.values() if one.here]
    those = [one for one in there if which(one) and not (up and (one.trail.was_out or one.trail.healed))]
    return one_of(t.d, those)


def free(t: Table, one: One) -> bool:
    return not t.is_bound(one) and not (t.round == 0 and t.length(one) >= t.segment)


def tells(t: Table, one: One, kind: str, **more: Any) -> int:
    """Record an act in this segment, or in the one that is said."""
    segment = more.pop("segment", t.segment)
    return t.fight.tell("action_taken", segment=segment, combatant=one.id, action={"kind": kind, **more})


# ---------------------------------------------------------------- surprise


@at("settled")
def another_surprise_die(t: Table) -> Broken:
    side = t.d.choice(t.sides())
    rule = "surprise.alerted-side-does-not-roll" if side in t.settled else "surprise.checked-once"
    return rule, t.fight.tell("surprise_rolled", side=side, die=t.d.randint(1, 6))


@at("settled")
def beyond_surprise(t: Table) -> Broken:
    segment, one = t.z + t.d.randint(1, 3), t.d.choice(t.up())
    if t.chance(0.3):
        return "surprise.length-of-play", t.fight.tell("segment_reached", segment=segment)
    return "surprise.length-of-play", tells(t, one, t.d.choice(("talk", "move", "cast")), segment=segment, name="howl")


@at("surprise segment")
def surprised_acts(t: Table) -> Broken:
    one = pick(t, lambda one: t.length(one) >= t.segment)
    rule = "surprise.surprised-cannot-act"
    if t.chance(0.2):
        return rule, t.fight.tell("action_held", segment=t.segment, combatant=one.id)
    return rule, tells(t, one, t.d.choice(("talk", "move", "flee", "cast", "attack")), name="cry")


# ---------------------------------------------------------------- rounds and dice


@at("segment played")
def closed_too_soon(t: Table) -> Broken:
    if any(t.now < s.due <= 10 * t.round and not s.ended and not s.silent for o in t.ones.values() for s in o.spells):
        return "round.ends-after-both", t.fight.tell("round_ended")
    return None


@at("segment played")
def goes_back(t: Table) -> Broken:
    one = pick(t, lambda one: free(t, one) and t.own(one, False)[1] < t.high and not one.trail.blows)
    return "sequence.winner-then-loser", tells(t, one, "move", segment=t.own(one, False)[1])
