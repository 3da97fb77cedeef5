"""Breaches of surprise, of rounds and dice, and by those who act: out of action, too early, or with a routine too many.

A breach is tried at its moments of a lawful fight: it records what breaks its rule and returns the rule with the seq of the fact that the
finding is about, or records nothing. With it the fight ends."""

from collections.abc import Callable
from typing import Any

from tests.lawful.breaking import Breach, Broken, entering, given, one_of, only
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


# ---------------------------------------------------------------- who may act, and where


@at("surprise segment", "segment")
def the_fallen_act(t: Table) -> Broken:
    one = pick(t, lambda one: one.out is not None and one.trail.was_out and one.out[0] < max(1, t.round), up=False)
    if t.chance(0.2):
        return "effects.take-hold-at-once", t.fight.tell("action_held", segment=t.segment, combatant=one.id)
    kind = t.d.choice(("talk", "move", "attack", "cast", "flee"))
    return "effects.take-hold-at-once", tells(t, one, kind, name="groan")


@at("segment")
def begins_too_early(t: Table) -> Broken:
    one = pick(t, lambda one: unbegun(t, one) and t.own(one, False)[1] > t.segment)
    return "spell.begins-in-own-segment", tells(t, one, "cast", name=given(one.turn.spell)[0])


def unbegun(t: Table, one: One) -> bool:
    """Say whether a combatant may still begin the spell that it declared."""
    turn = one.turn
    hurt = turn.hurt and t.options["spoil-from"] == "round-start"
    return bool(turn.spell and not turn.begun and not turn.given_up and not turn.bound and not one.spell and not hurt)


@at("segment")
def in_the_middle_of_a_spell(t: Table) -> Broken:
    one = pick(t, lambda one: one.spell and one.spell.round < t.round and t.now < one.spell.due and not one.turn.spell)
    only(one.spell is not None and not one.spell.silent)
    return "spell.carries-into-next-round", tells(t, one, t.d.choice(("move", "attack", "flee")), name="staff")


# ---------------------------------------------------------------- spells


def effect(t: Table, cause: int, who: str, name: str, segment: int | None = None) -> int:
    said = t.segment if segment is None else segment
    kind = t.d.choice(("effect", "effect", "condition", "damage"))
    target = next(one.id for one in t.ones.values() if one.here)
    if kind == "damage":
        return t.fight.tell("damage_dealt", segment=said, target=target, amount=0, source=who, cause=cause)
    if kind == "condition":
        return t.fight.tell("condition_gained", segment=said, condition="held", targets=[target], cause=cause)
    return t.fight.tell("effect_started", segment=said, effect=name, source=who, cause=cause)


@at("segment", "surprise segment")
def effect_at_the_wrong_time(t: Table) -> Broken:
    one = pick(t, lambda one: one.spell and not one.spell.silent)
    spell = given(one.spell)
    late = spell.due == t.now and t.segment < (10 if t.round else t.z)
    only(spell.due != t.now or late)
    rule = "spell.completes-after-casting-time" if spell.round else "surprise.spell-fits-or-runs-on"
    return rule, effect(t, spell.seq, spell.who, spell.name, t.segment + late)


@at("segment")
def begun_though_given_up(t: Table) -> Broken:
    one = pick(t, lambda one: one.turn.given_up and not one.turn.begun and not one.turn.bound and not one.spell)
    only(not one.turn.hurt or t.options["spoil-from"] != "round-start")
    return "declare.spell-may-be-given-up", tells(t, one, "cast", name=given(one.turn.spell)[0])


# ---------------------------------------------------------------- routines and blows out of turn


@at("segment")
def part_of_a_routine_elsewhere(t: Table) -> Broken:
    one = pick(t, lambda one: free(t, one) and one.turn.parts)
    return "attack.one-routine", tells(t, one, "attack", routine=t.d.choice(list(one.turn.parts)))


@at("segment")
def too_many_routines(t: Table) -> Broken:
    one = pick(t, lambda one: free(t, one) and one.turn.used >= t.due_routines(one))
    return "attack.not-more-routines-than-due", tells(t, one, t.d.choice(("attack", "charge")))


@at("segment")
def further_routine_too_soon(t: Table) -> Broken:
    def due(one: One) -> bool:
        return free(t, one) and 0 < one.turn.used < t.due_routines(one) and t.segment < t.first_further(one, False)

    one = pick(t, due)
    return ("attack.further-routine-waits", tells(t, one, "attack"))


@at("segment")
def held_as_no_option_allows(t: Table) -> Broken:
    def held(one: One) -> bool:
        own = t.own(one, False)[1]
        return free(t, one) and not one.turn.used and own < t.segment and not t.may_hold(one, own)

    one = pick(t, held)
    return ("segments.held-action", tells(t, one, "move"))


@at("segment")
def effect_of_what_surprise_ended(t: Table) -> Broken:
    spells = [spell for one in t.up() for spell in one.spells if spell.ended == "lost" and not one.turn.spell]
    only(t.round == 1 and spells)
    return "surprise.spell-fits-or-runs-on", effect(t, spells[0].seq, spells[0].who, spells[0].name)
