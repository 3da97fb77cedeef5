"""Breaches by spells: undeclared, at the wrong time, after concentration broke, at a target that they do not reach."""

from typing import Any

from tests.lawful.tables.vile_darkness.breaches import (
    BETWEEN,
    BREACHES,
    Broken,
    act,
    at,
    begin,
    caster,
    casts,
    duel,
    effect,
    throw,
)
from tests.lawful.tables.vile_darkness.people import Casting, One
from tests.lawful.tables.vile_darkness.play import Table

__all__ = ["BREACHES"]


def begun(t: Table, spell: str, minors: int = 0) -> tuple[One, Casting]:
    """Let a combatant in HIGH cast, after so many minors in D4."""
    one = caster(t, spell)
    begin(t)
    casting = casts(t, one)
    throw(t, high=one)
    for _ in range(minors):
        act(t, one, "H.D4", "simple", name="open a shutter")
    return one, casting


# ---------------------------------------------------------------- declared, and in time


@at(*BETWEEN)
def a_spell_undeclared(t: Table) -> Broken:
    spell = t.d.choice(("glimmer", "bless", "horn of dusk", "lamp of dawn"))
    one = caster(t, spell)
    begin(t)
    throw(t, high=one)
    known = one.spells[0]
    slot = "H.D4" if spell == "lamp of dawn" else "E"
    rule = "incantation.like-invocation" if known.kind == "incantation" else "invocation.declared-major"
    return rule, effect(t, one, Casting(known, 0, t.round), slot, known.time * (slot == "E"))


@at(*BETWEEN)
def a_spell_before_step_seven(t: Table) -> Broken:
    one, casting = begun(t, t.d.choice(("glimmer", "ward", "horn of dusk")))
    return "spell.after-attacks", effect(t, one, casting, t.d.choice(("H.D1", "H.D4")))


@at(*BETWEEN)
def a_short_invocation_in_step_seven(t: Table) -> Broken:
    one, casting = begun(t, "lamp of dawn")
    return "invocation.one-segment-slot", effect(t, one, casting, "E", 1)


@at(*BETWEEN)
def a_minor_not_counted(t: Table) -> Broken:
    one, casting = begun(t, t.d.choice(("glimmer", "ward")), minors=t.d.randint(1, 2))
    return "minor.adds-one-segment", effect(t, one, casting, "E", casting.spell.time)


@at(*BETWEEN)
def more_than_ten_segments_in_a_round(t: Table) -> Broken:
    one, casting = begun(t, "bless", minors=1)
    return "time.over-ten-carries-over", effect(t, one, casting, "E", 10)


@at(*BETWEEN)
def a_round_cut_short(t: Table) -> Broken:
    one, casting = begun(t, "bless")
    return "time.full-round-work", effect(t, one, casting, "E", t.d.randint(1, 9))


@at(*BETWEEN)
def an_activation_cut_short(t: Table) -> Broken:
    one, casting = begun(t, "horn of dusk")
    return "invocation.default-one-segment", effect(t, one, casting, "E", 1)


# ---------------------------------------------------------------- concentration


@at(*BETWEEN)
def a_spoiled_spell(t: Table) -> Broken:
    one, casting = begun(t, t.d.choice(("glimmer", "ward", "bless")))
    rule, segment = _disturbs(t, one), casting.due
    return rule, effect(t, one, casting, "E", segment)


def _disturbs(t: Table, one: One) -> str:
    """Record what breaks a combatant's concentration, and return the rule."""
    t.reach(t.d.choice(("H.D2", "L.D1", "L.D4")))
    if t.chance(0.5):
        t.timed, t.segment = True, 1
    how = t.d.choice(("damage", "failed-save", "impediment"))
    if how == "damage":
        t.row("damage_dealt", target=one.id, amount=t.d.randint(1, 5))
    elif how == "failed-save":
        t.row("save_rolled", combatant=one.id, save="breath", die=t.d.randint(2, 9), dc=t.d.randint(10, 15))
    else:
        t.row("condition_gained", condition="entwined", targets=[one.id], impedes=True)
    return f"concentration.broken-by-{how}"


@at(*BETWEEN)
def a_spell_spoiled_by_an_arrow(t: Table) -> Broken:
    one, casting = begun(t, t.d.choice(("glimmer", "ward")))
    archer = t.muster(t.foes(one)[0].side, "archer", innate="")
    assert archer.shot
    t.reach("L.D2")
    seq = t.attack(archer, one, shot=True)
    seq = t.of(seq, "attack_rolled", **t.roll_of(archer, one, archer.shot, 20))
    t.of(seq, "damage_dealt", target=one.id, amount=1)
    return "concentration.broken-by-damage", effect(t, one, casting, "E", casting.due)


@at(*BETWEEN)
def a_jostled_caster(t: Table) -> Broken:
    one = caster(t, t.d.choice(("glimmer", "ward")))
    ally = t.muster(one.side, "fighter", innate="")
    for each, square in ((one, (1, 40)), (ally, (0, 40))):
        each.square = square
        t.place(each)
    begin(t)
    casting = casts(t, one)
    throw(t, high=one)
    t.reach("H.D4")
    t.row("moved", combatant=ally.id, path=[[0, 40], [1, 40], [2, 40], [3, 40]])
    return "grid.ally-passing-breaks-concentration", effect(t, one, casting, "E", casting.due)


@at(*BETWEEN)
def a_blow_out_of_turn_by_a_caster(t: Table) -> Broken:
    one = caster(t, t.d.choice(("glimmer", "ward")))
    foe = t.muster(t.foes(one)[0].side, "fighter", innate="")
    t.engage(one, foe)
    begin(t)
    freely = t.chance(0.5)
    casting = casts(t, one)
    if freely:
        t.says(foe, "flee")
    throw(t, high=one)
    if freely:
        trigger = act(t, foe, "B", "flee")
    else:
        t.reach("L.D3")
        trigger = t.attack(foe, one)
    t.attack(one, foe, trigger=trigger, cost="free-attack" if freely else "immediate-attack")
    rule = "free.breaks-concentration" if freely else "immediate-attack.replaces-declared"
    return rule, effect(t, one, casting, "E", casting.due)


# ---------------------------------------------------------------- targets


def aimed(t: Table, spell: str = "spark") -> tuple[One, One, Casting]:
    """Let a combatant in HIGH declare a spell with a foe to aim it at."""
    one = caster(t, spell)
    foe = t.muster(t.foes(one)[0].side, "fighter", innate="")
    begin(t)
    casting = casts(t, one)
    throw(t, high=one)
    return one, foe, casting


def named(t: Table, one: One, foe: One, casting: Casting, slot: str = "H.D1") -> int:
    """Record the target of a spell."""
    return act(t, one, slot, "target", name=casting.spell.name, targets=[foe.id])


@at(*BETWEEN)
def a_target_not_named(t: Table) -> Broken:
    one, foe, casting = aimed(t)
    return "spell.target-in-d1", effect(t, one, casting, "E", casting.due, targets=[foe.id])


@at(*BETWEEN)
def a_target_named_late(t: Table) -> Broken:
    one, foe, casting = aimed(t)
    return "spell.target-in-d1", named(t, one, foe, casting, t.d.choice(("H.D2", "H.D4", "L.D4")))


@at(*BETWEEN)
def another_target_than_was_named(t: Table) -> Broken:
    one, foe, casting = aimed(t)
    other = t.muster(foe.side, "fighter", innate="")
    named(t, one, foe, casting)
    return "spell.target-in-d1", effect(t, one, casting, "E", casting.due, targets=[other.id])


@at(*BETWEEN)
def a_target_out_of_reach(t: Table) -> Broken:
    rules: dict[str, list[dict[str, Any]]] = {
        "spell.line-of-effect": [{"line": "blocked"}],
        "spell.cover-over-half": [{"cover": 51}, {"cover": 100}],
        "spell.line-of-sight": [{"seen": False}],
        "spell.concealment-three-quarters": [{"concealment": 75}, {"concealment": 90}],
    }
    rule = t.d.choice(sorted(rules))
    one, foe, casting = aimed(t)
    named(t, one, foe, casting)
    aim = [{"target": foe.id} | t.d.choice(rules[rule])]
    return rule, effect(t, one, casting, "E", casting.due, targets=[foe.id], aim=aim)


@at(*BETWEEN)
def a_target_too_far_away(t: Table) -> Broken:
    one = caster(t, "ray")
    foe = t.muster(t.foes(one)[0].side, "fighter", innate="")
    column, row = t.d.choice(((3, 5), (4, 4), (0, 6), (5, 1)))
    for each, square in ((one, (0, 40)), (foe, (column, 40 + row))):
        each.square = square
        t.place(each)
    begin(t)
    casting = casts(t, one)
    throw(t, high=one)
    named(t, one, foe, casting)
    return "grid.distance-between-centers", effect(t, one, casting, "E", casting.due, targets=[foe.id])


@at(*BETWEEN)
def an_effect_on_somebody_immune(t: Table) -> Broken:
    immune = t.d.choice(("fear", "mind-affecting"))
    one, casting = begun(t, "glimmer")
    foe = t.muster(t.foes(one)[0].side, "fighter")
    t.fight.tell("sheet_changed", combatant=foe.id, sheet={"immune": [immune]})
    seq = effect(t, one, casting, "E", casting.due, attributes=["fear"])
    rule = "attribute.immunity" if immune == "fear" else "attribute.implied"
    return rule, t.of(seq, "condition_gained", condition="frightened", targets=[foe.id])


# ---------------------------------------------------------------- blows out of turn


@at(*BETWEEN)
def a_free_attack_against_the_rules(t: Table) -> Broken:
    surprised = [each for each in t.up() if each.surprised]
    rules = ["free.on-trigger-segment", "free.one-per-segment", "free.primary-routine"]
    rule = t.d.choice(rules + ["free.not-when-surprised"] * 3 * bool(surprised))
    one, foe = duel(t)
    if rule == "free.not-when-surprised":
        one = t.d.choice(surprised)
        foe = t.muster(t.foes(one)[0].side, "fighter", innate="")
        t.engage(one, foe)
    other = t.muster(foe.side, "fighter", innate="")
    t.engage(one, other)
    begin(t)
    for each in (foe, other):
        t.says(each, "flee")
    throw(t)
    trigger = act(t, foe, "B", "flee")
    if rule == "free.on-trigger-segment":
        t.of(trigger, "moved", combatant=foe.id, distance={"amount": 60, "unit": "ft"})
    if rule == "free.one-per-segment":
        t.attack(one, foe, trigger=trigger, cost="free-attack")
        trigger, foe = t.act(other, "flee"), other
    at_whom = other if rule == "free.primary-routine" else foe
    return rule, t.attack(one, at_whom, trigger=trigger, cost="free-attack")


@at(*BETWEEN)
def an_immediate_attack_in_surprise(t: Table) -> Broken:
    surprised = [each for each in t.up() if each.surprised and t.free(each)]
    if not surprised:
        return an_immediate_attack_against_the_rules(t)
    one = t.d.choice(surprised)
    foe = t.muster(t.foes(one)[0].side, "fighter", innate="")
    t.engage(one, foe)
    begin(t)
    throw(t, high=foe)
    t.reach("H.D3")
    trigger = t.attack(foe, one)
    return "immediate-attack.not-when-surprised", t.attack(one, foe, trigger=trigger, cost="immediate-attack")


@at(*BETWEEN)
def an_immediate_attack_against_the_rules(t: Table) -> Broken:
    late = t.chance(0.5)
    one, foe = duel(t)
    begin(t)
    throw(t, high=one)
    if not late:
        t.reach("H.D3")
        t.attack(one, foe)
    t.reach("L.D3")
    if late:
        t.timed, t.segment = True, 3
    trigger = t.attack(foe, one)
    t.segment = 5 * late
    rule = "immediate-attack.on-trigger-segment" if late else "immediate-attack.needs-major"
    return rule, t.attack(one, foe, trigger=trigger, cost="immediate-attack")
