"""Breaches by those who act: out of action, too early, in the place of a spell, with a routine or a blow too many."""

from tests.lawful.breaking import Broken, given, only
from tests.lawful.tables.osric.breaches import at, free, pick, tells
from tests.lawful.tables.osric.people import One
from tests.lawful.tables.osric.play import Table

# ---------------------------------------------------------------- who may act, and where


@at("surprise segment", "segment")
def the_fallen_act(t: Table) -> Broken:
    one = pick(t, lambda one: one.out is not None and one.trail.was_out and one.out[0] < max(1, t.round), up=False)
    if t.chance(0.2):
        return "effects.take-hold-at-once", t.fight.tell("action_held", segment=t.segment, combatant=one.id)
    kind = t.d.choice(("talk", "move", "attack", "cast", "flee"))
    return "effects.take-hold-at-once", tells(t, one, kind, name="groan")


@at("segment")
def too_early(t: Table) -> Broken:
    shot, kind = t.chance(0.4), t.d.choice(("attack", "attack", "move"))
    shot = shot and kind == "attack"
    one = pick(t, lambda one: free(t, one) and not one.turn.used and t.own(one, shot)[1] > t.segment)
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
def begins_too_early(t: Table) -> Broken:
    one = pick(t, lambda one: unbegun(t, one) and t.own(one, False)[1] > t.segment)
    return "spell.begins-in-own-segment", tells(t, one, "cast", name=given(one.turn.spell)[0])


def unbegun(t: Table, one: One) -> bool:
    """Say whether a combatant may still begin the spell that it declared."""
    turn = one.turn
    hurt = turn.hurt and t.options["spoil-from"] == "round-start"
    return bool(turn.spell and not turn.begun and not turn.given_up and not turn.bound and not one.spell and not hurt)


@at("segment")
def something_else(t: Table) -> Broken:
    def binds(one: One) -> bool:
        carried = one.spell is not None and one.spell.round < t.round
        return not carried and (one.turn.spell is not None or bool(one.turn.bound))

    one = pick(t, binds)
    rule = "declare.spell-not-substituted" if one.turn.spell else one.turn.bound
    return rule, tells(t, one, t.d.choice(("move", "attack", "cast", "flee", "charge")), name="tumble")


@at("segment")
def in_the_middle_of_a_spell(t: Table) -> Broken:
    one = pick(t, lambda one: one.spell and one.spell.round < t.round and t.now < one.spell.due and not one.turn.spell)
    only(one.spell is not None and not one.spell.silent)
    return "spell.carries-into-next-round", tells(t, one, t.d.choice(("move", "attack", "flee")), name="staff")


# ---------------------------------------------------------------- spells


@at("opened")
def no_time(t: Table) -> Broken:
    one, time = t.d.choice(t.up()), t.d.choice((0, {"amount": 0, "unit": "round"}))
    action = {"kind": "cast", "name": "blink", "time": time}
    return "spell.casting-time-units", t.fight.tell("action_declared", combatant=one.id, action=action)


@at("thrown")
def declared_too_late(t: Table) -> Broken:
    one, action = t.d.choice(t.up()), {"kind": "cast", "name": "blink", "time": 1}
    return "declare.spells-before-initiative", t.fight.tell("action_declared", combatant=one.id, action=action)


@at("segment")
def not_declared(t: Table) -> Broken:
    one = pick(t, lambda one: free(t, one) and t.place(one) and not one.turn.hurt)
    if t.chance(0.5):
        return "declare.spells-before-initiative", tells(t, one, "cast", name="blink", time=2)
    seq = t.fight.tell("effect_started", segment=t.segment, effect="blink", source=one.id)
    return "declare.spells-before-initiative", seq


@at("segment")
def another_effect(t: Table) -> Broken:
    one = pick(t, lambda one: one.turn.spell)
    seq = t.fight.tell("effect_started", segment=t.segment, effect="blink", source=one.id)
    return "declare.spell-not-substituted", seq


@at("segment")
def effect_of_what_is_over(t: Table) -> Broken:
    spells = [
        spell
        for one in t.ones.values()
        if one.here and one.spells and not (one.spell or (one.turn.spell and one.turn.spell[0] != one.spells[-1].name))
        for spell in one.spells[-1:]
        if spell.ended in ("spoiled", "withdrawn") and spell.due > 10 * (t.round - 1) and not spell.silent
    ]
    only(spells)
    spell = t.d.choice(spells)
    rule = "spell.spoiled-by-interruption" if spell.ended == "spoiled" else "declare.spell-may-be-given-up"
    return rule, effect(t, spell.seq, spell.who, spell.name)


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


@at("surprise segment")
def too_many_in_surprise(t: Table) -> Broken:
    one = pick(t, lambda one: free(t, one))
    for _ in range(t.due_routines(one) if t.options["surprise-routines"] == "all-due" else min(1, t.due_routines(one))):
        tells(t, one, "attack")
    return "attack.not-more-routines-than-due", tells(t, one, "attack")


@at("segment")
def further_routine_too_soon(t: Table) -> Broken:
    def due(one: One) -> bool:
        return free(t, one) and 0 < one.turn.used < t.due_routines(one) and t.segment < t.first_further(one, False)

    one = pick(t, due)
    return ("attack.further-routine-waits", tells(t, one, "attack"))


@at("segment", "surprise segment")
def attack_does_not_add_up(t: Table) -> Broken:
    one = pick(
        t, lambda one: free(t, one) and t.routine_left(one, True) and not one.turn.used and t.place(one, shot=True)
    )
    only(t.others(one))
    seq, die = tells(t, one, "attack", manner=["missile"]), t.d.randint(1, 20)
    wrong = {"die": die, "total": die + one.missile + t.d.choice((-2, 1, 3))}
    more = t.d.choice((wrong, {"die": t.d.choice((0, 21, 30))}))
    target = t.d.choice(t.others(one)).id
    return "attack.missile-bonus-to-hit", t.fight.tell(
        "attack_rolled", combatant=one.id, target=target, cause=seq, **more
    )


@at("segment", "surprise segment")
def no_opening(t: Table) -> Broken:
    one = pick(t, lambda one: t.round or t.length(one) < t.segment)
    return ("interrupt.out-of-turn", tells(t, one, "attack", cost="interrupt"))


@at("segment", "surprise segment")
def flight_or_charge_answered_wrongly(t: Table) -> Broken:
    one = pick(t, lambda one: free(t, one) and t.place(one) and t.routine_left(one, False) and not one.turn.used)
    foes = [foe for foe in t.others(one) if foe.out is None and not foe.trail.was_out] if one else []
    foes = [foe for foe in foes if t.round or t.length(foe) < t.segment]
    only(len(foes) >= 2)
    kind, (foe, other) = t.d.choice(("flee", "charge")), t.d.sample(foes, 2)
    only(kind != "charge" or not foe.spear)
    seq = tells(t, one, kind, targets=[foe.id])
    who = foe if kind == "charge" else other
    action = {"kind": "attack", "cost": "interrupt", "targets": [one.id]}
    rule = "interrupt.set-spears" if kind == "charge" else "interrupt.fleeing-attack"
    return rule, t.fight.tell("action_taken", segment=t.segment, combatant=who.id, action=action, trigger=seq)


@at("segment")
def held_as_no_option_allows(t: Table) -> Broken:
    def held(one: One) -> bool:
        own = t.own(one, False)[1]
        return free(t, one) and not one.turn.used and own < t.segment and not t.may_hold(one, own)

    one = pick(t, held)
    return ("segments.held-action", tells(t, one, "move"))


@at("segment")
def begun_after_a_wound(t: Table) -> Broken:
    def hurt(one: One) -> bool:
        turn = one.turn
        return bool(turn.hurt and turn.spell and not (turn.begun or turn.given_up or turn.bound or one.spell))

    only(t.options["spoil-from"] == "round-start")
    one = pick(t, hurt)
    return "spell.spoiled-by-interruption", tells(t, one, "cast", name=given(one.turn.spell)[0])


@at("segment")
def felled_by_a_later_row(t: Table) -> Broken:
    one = pick(t, lambda one: free(t, one) and t.place(one) and t.options["hold-order"] == "after")
    key = given(t.place(one))

    def before(foe: One) -> bool:
        strikes = foe.side != one.side and free(t, foe) and t.routine_left(foe, False) and not foe.turn.used
        place = t.place(foe) if strikes else None
        return place is not None and place < key

    foe = pick(t, before)
    only(t.options["tie-damage"] != "whole-round")
    seq = tells(t, one, "move")
    cause = tells(t, foe, "attack", targets=[one.id])
    t.fight.tell("damage_dealt", target=one.id, amount=one.hp - t.limit, cause=cause)
    return "effects.take-hold-at-once", seq


@at("segment", "surprise segment")
def spoiled_by_a_later_row(t: Table) -> Broken:
    spells = [spell for spell in t.due(band=3) if t.options["spoil-cause"] == "damage" and not spell.silent]
    spells = [spell for spell in spells if t.spoils(spell, (0, 0, 1, 0, 0, 1))]
    foe = pick(t, lambda foe: free(t, foe) and t.routine_left(foe, False) and not foe.turn.used and t.place(foe))
    only(spells and foe.side != t.ones[spells[0].who].side)
    who = spells[0].who
    seq = t.fight.tell("effect_started", segment=t.segment, effect=spells[0].name, source=who, cause=spells[0].seq)
    cause = tells(t, foe, "attack", targets=[who])
    t.fight.tell("damage_dealt", target=who, amount=1, cause=cause)
    return "spell.spoiled-by-interruption", seq


@at("segment")
def effect_of_what_surprise_ended(t: Table) -> Broken:
    spells = [spell for one in t.up() for spell in one.spells if spell.ended == "lost" and not one.turn.spell]
    only(t.round == 1 and spells)
    return "surprise.spell-fits-or-runs-on", effect(t, spells[0].seq, spells[0].who, spells[0].name)


@at("segment", "surprise segment")
def flight_answered_by_whom_it_may_not(t: Table) -> Broken:
    one = pick(t, lambda one: free(t, one) and t.place(one))
    foe = pick(t, lambda foe: foe.side != one.side)
    rule, segment, times = given(_why_not(t, foe))
    seq = tells(t, one, "flee", targets=[foe.id])
    action = {"kind": "attack", "cost": "interrupt", "targets": [one.id]}
    for _ in range(times):
        blow = t.fight.tell("action_taken", combatant=foe.id, action=action, trigger=seq, segment=segment)
    return rule, blow


def _why_not(t: Table, foe: One) -> tuple[str, int, int] | None:
    """Return the rule by which a combatant may not strike at one that flees, with the segment and the number of its blows."""
    if not t.round and t.length(foe) >= t.segment:
        return "surprise.surprised-cannot-act", t.segment, 1
    carried = foe.spell is not None and foe.spell.round < t.round
    if (
        t.round and foe.turn.spell
    ):  # where another is carried on, two rules are broken, and the text ranks neither first
        return None if carried else ("declare.spell-not-substituted", t.segment, 1)
    if t.is_bound(foe):
        begun = foe.spell is not None and foe.spell.round == t.round
        return None if begun else (foe.turn.bound or "spell.carries-into-next-round", t.segment, 1)
    if t.options["interrupt-cost"] != "all-count" and t.chance(0.5):
        return "interrupt.fleeing-attack", t.segment, 2
    return None if t.segment == (10 if t.round else t.z) else ("interrupt.fleeing-attack", t.segment + 1, 1)
