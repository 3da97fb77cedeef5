"""OSRIC: lawful fights, and fights with one rule broken on purpose, as the catalogue words the rules.

A breach is tried at its moments of a lawful fight: it tells what breaks its rule and returns the rule with the seq of the
fact that the finding is about, or tells nothing. With it the fight ends.
"""

import random
from collections.abc import Callable
from typing import Any

from tests.lawful.fight import Fight
from tests.lawful.tables.osric import One, Table

Told = tuple[str, int] | None
Breach = Callable[[Table], Told]
BREACHES: list[tuple[Breach, tuple[str, ...]]] = []
"""What can be broken, and at which moments of a fight."""


def at(*moments: str) -> Callable[[Breach], Breach]:
    """Mark a breach with the moments at which it can be tried."""

    def mark(breach: Breach) -> Breach:
        BREACHES.append((breach, moments))
        return breach

    return mark


def pick(t: Table, which: Callable[[One], Any], up: bool = True) -> One | None:
    """Return somebody of whom this holds, who is up."""
    there = t.up() if up else [one for one in t.ones.values() if one.here]
    those = [one for one in there if which(one) and not (up and (one.trail.was_out or one.trail.healed))]
    return t.d.choice(those) if those else None


def free(t: Table, one: One) -> bool:
    """Say whether somebody is bound by no spell."""
    return not t.is_bound(one) and not (t.round == 0 and t.length(one) >= t.segment)


def tells(t: Table, one: One, kind: str, **more: Any) -> int:
    """Tell an act in this segment, or in the one that is said."""
    segment = more.pop("segment", t.segment)
    return t.fight.tell("action_taken", segment=segment, combatant=one.id, action={"kind": kind, **more})


def some_act(t: Table, one: One) -> int:
    """Tell an act of any kind that needs nothing."""
    kind = t.d.choice(("move", "other", "ready", "set-spear"))
    return tells(t, one, kind, **({"name": "climbs"} if kind == "other" else {}))


# ---------------------------------------------------------------- surprise


def may_be_surprised(t: Table) -> list[str]:
    """Return the sides of which somebody can be surprised."""
    those = [
        one for one in t.ones.values() if (2 if one.own_threshold is None else one.own_threshold) > max(0, one.quick)
    ]
    return list(dict.fromkeys(one.side for one in those))


@at("mustered")
def no_surprise_die(t: Table) -> Told:
    side = t.d.choice(t.sides())
    return "surprise.die-each-side", t.fight.tell("surprise_rolled", side=side, die=t.d.choice((0, 7, 12)))


@at("mustered")
def no_check(t: Table) -> Told:
    if not may_be_surprised(t):
        return None
    return "surprise.checked-at-start", t.fight.tell("round_started", round=1)


@at("mustered")
def one_side_unchecked(t: Table) -> Told:
    if not (sides := may_be_surprised(t)):
        return None
    missing, wary = t.d.choice(sides), t.chance(0.5)
    if wary:
        those = [one.id for one in t.ones.values() if one.side == missing]
        t.fight.tell("condition_gained", condition="wary", targets=those)
    for side in t.sides():
        if side != missing:
            t.fight.tell("surprise_rolled", side=side, die=t.d.randint(1, 6))
    rule = "surprise.wariness-does-not-exempt" if wary else "surprise.die-each-side"
    return rule, t.fight.tell("round_started", round=1)


@at("settled")
def another_surprise_die(t: Table) -> Told:
    side = t.d.choice(t.sides())
    rule = "surprise.alerted-side-does-not-roll" if side in t.settled else "surprise.checked-once"
    return rule, t.fight.tell("surprise_rolled", side=side, die=t.d.randint(1, 6))


@at("settled")
def beyond_surprise(t: Table) -> Told:
    segment, one = t.z + t.d.randint(1, 3), t.d.choice(t.up())
    if t.chance(0.3):
        return "surprise.length-of-play", t.fight.tell("segment_reached", segment=segment)
    return "surprise.length-of-play", tells(t, one, t.d.choice(("talk", "move", "cast")), segment=segment, name="howl")


@at("surprise segment")
def surprised_acts(t: Table) -> Told:
    one = pick(t, lambda one: t.length(one) >= t.segment)
    if one is None:
        return None
    rule = "surprise.surprised-cannot-act"
    if t.chance(0.2):
        return rule, t.fight.tell("action_held", segment=t.segment, combatant=one.id)
    return rule, tells(t, one, t.d.choice(("talk", "move", "flee", "cast", "attack")), name="cry")


@at("surprise segment")
def too_long_for_a_segment(t: Table) -> Told:
    if (one := pick(t, lambda one: free(t, one))) is None:
        return None
    time = t.d.choice(({"amount": 7, "unit": "second"}, {"amount": 1, "unit": "minute"}, 2))
    return "surprise.what-fits-a-segment", tells(t, one, t.d.choice(("talk", "other")), name="speech", time=time)


@at("opened")
def surprise_after_round_1_opened(t: Table) -> Told:
    if t.round > 1:
        return None
    t.fight.tell("segment_reached", segment=t.d.randint(1, 3), surprise=True)
    one = t.d.choice(t.up())
    return "sequence.order-of-events", t.fight.tell("action_taken", combatant=one.id, action={"kind": "move"})


# ---------------------------------------------------------------- rounds and dice


@at("closed")
def another_round(t: Table) -> Told:
    number = t.round + t.d.choice((-1, 0, 2, 3))
    return "round.next-declarations", t.fight.tell("round_started", round=max(0, number))


@at("played")
def never_closed(t: Table) -> Told:
    if t.chance(0.5):
        return "round.next-declarations", t.fight.tell("round_ended", round=t.round + 1)
    return "round.next-declarations", t.fight.tell("round_started", round=t.round + 1)


@at("segment played")
def closed_too_soon(t: Table) -> Told:
    if any(t.now < s.due <= 10 * t.round and not s.ended and not s.silent for o in t.ones.values() for s in o.spells):
        return "round.ends-after-both", t.fight.tell("round_ended")
    return None


@at("closed")
def acts_after_the_close(t: Table) -> Told:
    one = pick(t, lambda one: free(t, one))
    return ("sequence.order-of-events", some_act(t, one)) if one else None


@at("thrown")
def another_die(t: Table) -> Told:
    side = t.d.choice(list(t.dice))
    return "initiative.d6-each-side", t.fight.tell("initiative_rolled", side=side, die=t.d.randint(1, 6))


@at("declared")
def no_die_shows_that(t: Table) -> Told:
    side = t.d.choice(t.sides())
    return "initiative.d6-each-side", t.fight.tell("initiative_rolled", side=side, die=t.d.choice((0, 7, 20)))


@at("declared")
def dice_are_missing(t: Table) -> Told:
    sides = list(dict.fromkeys(one.side for one in t.up()))
    thrown = t.d.choice((0, len(sides) - 1))
    one = pick(t, lambda one: free(t, one))
    if one is None or len(sides) < 2:
        return None
    for side in t.d.sample(sides, thrown):
        t.fight.tell("initiative_rolled", side=side, die=t.d.randint(1, 6))
    rule = "sequence.order-of-events" if t.round == 1 else "initiative.fresh-each-round"
    return "initiative.d6-each-side" if thrown else rule, tells(t, one, "move", segment=t.d.randint(1, 10))


@at("segment", "segment played")
def no_such_segment(t: Table) -> Told:
    segment = t.d.randint(11, 14)
    rule, one = "time.round-is-ten-segments", pick(t, lambda one: free(t, one))
    how = t.d.choice(("act", "clock", "damage", "effect"))
    if how == "act":
        return (rule, tells(t, one, t.d.choice(("move", "attack")), segment=segment)) if one else None
    if how == "clock":
        return rule, t.fight.tell("segment_reached", segment=segment)
    target = t.d.choice(list(t.ones))
    if how == "effect":
        return rule, t.fight.tell("effect_started", segment=segment, effect="smoke")
    return (
        (rule, t.fight.tell("damage_dealt", segment=segment, target=target, amount=0)) if t.ones[target].here else None
    )


@at("segment played")
def goes_back(t: Table) -> Told:
    one = pick(t, lambda one: free(t, one) and t.own(one, False)[1] < t.high and not one.trail.blows)
    if one is None:
        return None
    return "sequence.winner-then-loser", tells(t, one, "move", segment=t.own(one, False)[1])


# ---------------------------------------------------------------- who may act, and where


@at("surprise segment", "segment")
def the_fallen_act(t: Table) -> Told:
    one = pick(t, lambda one: one.out is not None and one.trail.was_out and one.out[0] < max(1, t.round), up=False)
    if one is None:
        return None
    if t.chance(0.2):
        return "effects.take-hold-at-once", t.fight.tell("action_held", segment=t.segment, combatant=one.id)
    kind = t.d.choice(("talk", "move", "attack", "cast", "flee"))
    return "effects.take-hold-at-once", tells(t, one, kind, name="groan")


@at("segment")
def too_early(t: Table) -> Told:
    shot, kind = t.chance(0.4), t.d.choice(("attack", "attack", "move"))
    shot = shot and kind == "attack"
    one = pick(t, lambda one: free(t, one) and not one.turn.used and t.own(one, shot)[1] > t.segment)
    if one is None:
        return None
    by, bonus = t.own(one, shot)[1] - t.segment, one.missile
    rule = "initiative.other-sides-die"
    if one.kept:
        rule = "segments.held-action"
    elif shot and bonus:
        rule = "initiative.missile-dexterity"
    elif kind == "attack" and not shot and by in (one.quick, bonus):
        rule = "initiative.dexterity-not-for-melee"
    return rule, tells(t, one, kind, name="rush", **({"manner": ["missile"]} if shot else {}))


@at("segment")
def begins_too_early(t: Table) -> Told:
    one = pick(t, lambda one: unbegun(t, one) and t.own(one, False)[1] > t.segment)
    if one is None or one.turn.spell is None:
        return None
    return "spell.begins-in-own-segment", tells(t, one, "cast", name=one.turn.spell[0])


def unbegun(t: Table, one: One) -> bool:
    """Say whether somebody may still begin the spell that it declared."""
    turn = one.turn
    hurt = turn.hurt and t.options["spoil-from"] == "round-start"
    return bool(turn.spell and not turn.begun and not turn.given_up and not turn.bound and not one.spell and not hurt)


@at("segment")
def something_else(t: Table) -> Told:
    def binds(one: One) -> bool:
        carried = one.spell is not None and one.spell.round < t.round
        return not carried and (one.turn.spell is not None or bool(one.turn.bound))

    if (one := pick(t, binds)) is None:
        return None
    rule = "declare.spell-not-substituted" if one.turn.spell else one.turn.bound
    return rule, tells(t, one, t.d.choice(("move", "attack", "cast", "flee", "charge")), name="tumble")


@at("segment")
def in_the_middle_of_a_spell(t: Table) -> Told:
    one = pick(t, lambda one: one.spell and one.spell.round < t.round and t.now < one.spell.due and not one.turn.spell)
    if one is None or one.spell is None or one.spell.silent:
        return None
    return "spell.carries-into-next-round", tells(t, one, t.d.choice(("move", "attack", "flee")), name="staff")


# ---------------------------------------------------------------- spells


@at("opened")
def no_time(t: Table) -> Told:
    one, time = t.d.choice(t.up()), t.d.choice((0, {"amount": 0, "unit": "round"}))
    action = {"kind": "cast", "name": "blink", "time": time}
    return "spell.casting-time-units", t.fight.tell("action_declared", combatant=one.id, action=action)


@at("thrown")
def declared_too_late(t: Table) -> Told:
    one, action = t.d.choice(t.up()), {"kind": "cast", "name": "blink", "time": 1}
    return "declare.spells-before-initiative", t.fight.tell("action_declared", combatant=one.id, action=action)


@at("segment")
def not_declared(t: Table) -> Told:
    one = pick(t, lambda one: free(t, one) and t.place(one) and not one.turn.hurt)
    if one is None:
        return None
    if t.chance(0.5):
        return "declare.spells-before-initiative", tells(t, one, "cast", name="blink", time=2)
    seq = t.fight.tell("effect_started", segment=t.segment, effect="blink", source=one.id)
    return "declare.spells-before-initiative", seq


@at("segment")
def another_effect(t: Table) -> Told:
    one = pick(t, lambda one: one.turn.spell)
    if one is None:
        return None
    seq = t.fight.tell("effect_started", segment=t.segment, effect="blink", source=one.id)
    return "declare.spell-not-substituted", seq


@at("segment")
def effect_of_what_is_over(t: Table) -> Told:
    spells = [
        spell
        for one in t.ones.values()
        if one.here and one.spells and not (one.spell or (one.turn.spell and one.turn.spell[0] != one.spells[-1].name))
        for spell in one.spells[-1:]
        if spell.ended in ("spoiled", "withdrawn") and spell.due > 10 * (t.round - 1) and not spell.silent
    ]
    if not spells:
        return None
    spell = t.d.choice(spells)
    rule = "spell.spoiled-by-interruption" if spell.ended == "spoiled" else "declare.spell-may-be-given-up"
    return rule, effect(t, spell.seq, spell.who, spell.name)


def effect(t: Table, cause: int, who: str, name: str, segment: int | None = None) -> int:
    """Tell the effect of a spell."""
    said = t.segment if segment is None else segment
    kind = t.d.choice(("effect", "effect", "condition", "damage"))
    target = next(one.id for one in t.ones.values() if one.here)
    if kind == "damage":
        return t.fight.tell("damage_dealt", segment=said, target=target, amount=0, source=who, cause=cause)
    if kind == "condition":
        return t.fight.tell("condition_gained", segment=said, condition="held", targets=[target], cause=cause)
    return t.fight.tell("effect_started", segment=said, effect=name, source=who, cause=cause)


@at("segment", "surprise segment")
def effect_at_the_wrong_time(t: Table) -> Told:
    if (one := pick(t, lambda one: one.spell and not one.spell.silent)) is None or (spell := one.spell) is None:
        return None
    late = spell.due == t.now and t.segment < (10 if t.round else t.z)
    if spell.due == t.now and not late:
        return None
    rule = "spell.completes-after-casting-time" if spell.round else "surprise.spell-fits-or-runs-on"
    return rule, effect(t, spell.seq, spell.who, spell.name, t.segment + late)


@at("segment")
def begun_though_given_up(t: Table) -> Told:
    one = pick(t, lambda one: one.turn.given_up and not one.turn.begun and not one.turn.bound and not one.spell)
    if one is None or one.turn.spell is None or (one.turn.hurt and t.options["spoil-from"] == "round-start"):
        return None
    return "declare.spell-may-be-given-up", tells(t, one, "cast", name=one.turn.spell[0])


# ---------------------------------------------------------------- routines and blows out of turn


@at("segment")
def part_of_a_routine_elsewhere(t: Table) -> Told:
    one = pick(t, lambda one: free(t, one) and one.turn.parts)
    if one is None:
        return None
    return "attack.one-routine", tells(t, one, "attack", routine=t.d.choice(list(one.turn.parts)))


@at("segment")
def too_many_routines(t: Table) -> Told:
    one = pick(t, lambda one: free(t, one) and one.turn.used >= t.due_routines(one))
    if one is None:
        return None
    return "attack.not-more-routines-than-due", tells(t, one, t.d.choice(("attack", "charge")))


@at("surprise segment")
def too_many_in_surprise(t: Table) -> Told:
    one = pick(t, lambda one: free(t, one))
    if one is None:
        return None
    for _ in range(t.due_routines(one) if t.options["surprise-routines"] == "all-due" else min(1, t.due_routines(one))):
        tells(t, one, "attack")
    return "attack.not-more-routines-than-due", tells(t, one, "attack")


@at("segment")
def further_routine_too_soon(t: Table) -> Told:
    def due(one: One) -> bool:
        return free(t, one) and 0 < one.turn.used < t.due_routines(one) and t.segment < t.first_further(one, False)

    one = pick(t, due)
    return ("attack.further-routine-waits", tells(t, one, "attack")) if one else None


@at("segment", "surprise segment")
def attack_does_not_add_up(t: Table) -> Told:
    one = pick(
        t, lambda one: free(t, one) and t.routine_left(one, True) and not one.turn.used and t.place(one, shot=True)
    )
    if one is None or not t.others(one):
        return None
    seq, die = tells(t, one, "attack", manner=["missile"]), t.d.randint(1, 20)
    wrong = {"die": die, "total": die + one.missile + t.d.choice((-2, 1, 3))}
    more = t.d.choice((wrong, {"die": t.d.choice((0, 21, 30))}))
    target = t.d.choice(t.others(one)).id
    return "attack.missile-bonus-to-hit", t.fight.tell(
        "attack_rolled", combatant=one.id, target=target, cause=seq, **more
    )


@at("segment", "surprise segment")
def no_opening(t: Table) -> Told:
    one = pick(t, lambda one: t.round or t.length(one) < t.segment)
    return ("interrupt.out-of-turn", tells(t, one, "attack", cost="interrupt")) if one else None


@at("segment", "surprise segment")
def flight_or_charge_answered_wrongly(t: Table) -> Told:
    one = pick(t, lambda one: free(t, one) and t.place(one) and t.routine_left(one, False) and not one.turn.used)
    foes = [foe for foe in t.others(one) if foe.out is None and not foe.trail.was_out] if one else []
    foes = [foe for foe in foes if t.round or t.length(foe) < t.segment]
    if one is None or len(foes) < 2:
        return None
    kind, (foe, other) = t.d.choice(("flee", "charge")), t.d.sample(foes, 2)
    if kind == "charge" and foe.spear:
        return None
    seq = tells(t, one, kind, targets=[foe.id])
    who = foe if kind == "charge" else other
    action = {"kind": "attack", "cost": "interrupt", "targets": [one.id]}
    rule = "interrupt.set-spears" if kind == "charge" else "interrupt.fleeing-attack"
    return rule, t.fight.tell("action_taken", segment=t.segment, combatant=who.id, action=action, trigger=seq)


# ---------------------------------------------------------------- hit points and statements


@at("segment", "opened")
def no_plain_hit_points(t: Table) -> Told:
    one = pick(t, lambda one: one.hp > t.limit + 1)
    if one is None:
        return None
    more = t.d.choice(({"amount": -2}, {"amount": 1, "nonlethal": True}))
    kind = "healed" if "nonlethal" not in more and t.chance(0.5) else "damage_dealt"
    where = {"segment": t.segment} if t.segment else {}
    return "health.hit-points", t.fight.tell(kind, target=one.id, **where, **more)


@at("segment", "closed", "settled")
def wrong_statement(t: Table) -> Told:
    one = t.d.choice([one for one in t.ones.values() if one.here])
    if t.chance(0.3):
        return "health.out-of-action", t.fight.tell(
            "checked", values={f"{one.id}.status": "up" if one.hp <= t.limit else "out"}
        )
    rule = "health.hit-points"
    if one.tied:
        rule = "initiative.tie-damage-stands" if t.round else "surprise.shared-segment-at-once"
    return rule, t.fight.tell("checked", values={f"{one.id}.hp": one.hp + (one.tied or t.d.choice((-1, 2)))})


@at("segment played")
def damage_cancelled(t: Table) -> Told:
    if (one := pick(t, lambda one: one.tied and t.round, up=False)) is None:
        return None
    told = t.fight.tell(
        "ruling_made", ruling="override", decision="he was dead", values={f"{one.id}.hp": one.hp + one.tied}
    )
    return "initiative.tie-damage-stands", told


@at("thrown")
def wrong_order(t: Table) -> Told:
    side = t.d.choice(list(t.dice))
    if t.chance(0.5):
        wrong = t.highest(side) % 6 + 1
        return "initiative.other-sides-die", t.fight.tell("checked", values={f"{side}.segment": wrong})
    order = t.order()
    shared = [slot for slot in order if len({t.ones[name].side for name in slot}) > 1]
    if not shared or any(one.missile for one in t.ones.values()):
        return None
    stated = [[name] for slot in order for name in slot]
    return "initiative.tie-is-simultaneous", t.fight.tell("checked", values={"order": stated})


def lawful(dice: random.Random, rounds: int) -> Fight:
    """Play a lawful fight of so many rounds; what breaks a rule in it is struck at once."""
    table = Table(dice)
    for moment in table.play(rounds):
        breach, moments = dice.choice(BREACHES)
        before = table.fight.seq
        if moment in moments and table.chance(0.1) and breach(table):
            for seq in range(before + 1, table.fight.seq + 1):
                table.fight.tell("struck", event=seq)
    return table.fight


def broken(dice: random.Random, rounds: int) -> Fight:
    """Play a fight in which one rule is broken; it ends with the breach."""
    while True:
        table, (breach, moments) = Table(dice), dice.choice(BREACHES)
        for moment in table.play(rounds):
            if moment in moments and table.chance(0.3) and (told := breach(table)):
                table.fight.breaks.add(told)
                return table.fight
