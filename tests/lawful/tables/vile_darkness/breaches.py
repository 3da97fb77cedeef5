"""Breaches of the setup, the declarations, the dice and the order; and what all breaches share.

A breach plays a round, or a part of one, by people who join for it: it records what breaks its rule, and returns the rule with
the seq of the fact that the finding is about. With it the fight ends.
"""

from collections.abc import Callable, Mapping
from typing import Any

from tests.lawful.tables.vile_darkness.people import AXE, MACE, SPELLS, SWORD, Casting, One, Spell
from tests.lawful.tables.vile_darkness.play import Table

Broken = tuple[str, int]
Breach = Callable[[Table], Broken]
BREACHES: list[tuple[Breach, tuple[str, ...]]] = []
"""What can be broken, and at which moments of a fight."""
BETWEEN = ("opened", "closed")
SPELL: Mapping[str, Spell] = {spell.name: spell for spell in SPELLS}


def at(*moments: str) -> Callable[[Breach], Breach]:
    """Mark a breach with the moments at which it can be tried."""

    def mark(breach: Breach) -> Breach:
        BREACHES.append((breach, moments))
        return breach

    return mark


def two(t: Table, kind: str = "fighter", other: str = "fighter", **more: Any) -> tuple[One, One]:
    """Let two opponents join."""
    one_side, other_side = t.d.sample(t.sides(), 2)
    return t.muster(one_side, kind, innate="", **more), t.muster(other_side, other, innate="")


def duel(t: Table, kind: str = "fighter", other: str = "fighter", **more: Any) -> tuple[One, One]:
    """Let two opponents join who are in melee with each other."""
    if kind == "beast":
        more = {"goes": ""} | more
    one, foe = two(t, kind, other, **more)
    t.engage(one, foe)
    return one, foe


def begin(t: Table) -> None:
    """Open a round in which no segments are recorded but where a breach says so."""
    t.begins()
    t.timed = False


def throw(t: Table, high: One | None = None) -> None:
    """Roll dice that put a combatant's group alone into HIGH, or all groups."""
    t.throws({side: 4 if high is None else 6 if side == high.side else t.d.randint(1, 4) for side in t.sides()})


def declare(t: Table, one: One, kind: str, **more: Any) -> int:
    """Record a declaration."""
    return t.fight.tell("action_declared", combatant=one.id, action={"kind": kind, **more})


def strike(t: Table, one: One, foe: One, slot: str, shot: bool = False, **more: Any) -> int:
    """Record an attack in a slot, with its rolls now and then."""
    t.reach(slot)
    seq = t.attack(one, foe, shot, **more)
    if t.chance(0.5):
        t.routine(one, foe, seq, shot)
    return seq


def act(t: Table, one: One, slot: str, kind: str, **more: Any) -> int:
    """Record an act in a slot."""
    t.reach(slot)
    return t.act(one, kind, **more)


def delay(t: Table, one: One, slot: str) -> int:
    """Record that a combatant announces a delay."""
    t.reach(slot)
    return t.row("turn_delayed", combatant=one.id)


def caster(t: Table, spell: str, side: str = "", **more: Any) -> One:
    """Let a combatant with one spell join."""
    known = SPELL[spell]
    memorized = {spell: 2} if known.kind == "incantation" else {}
    side = side or t.d.choice(t.sides())
    return t.muster(side, "caster", spells=(known,), memorized=memorized, innate="", **more)


def casts(t: Table, one: One) -> Casting:
    """Declare a combatant's spell."""
    t.declares_spell(one, one.spells[0])
    t.reckons(one)
    assert one.casting
    return one.casting


def effect(t: Table, one: One, casting: Casting, slot: str, segment: int = 0, **more: Any) -> int:
    """Record the effect of a spell in a slot, and in a segment where one is said; one without a declaration names none."""
    t.reach(slot)
    t.segment, t.timed = segment, bool(segment)
    told = {"effect": casting.spell.name, "source": one.id} | more
    if casting.seq and t.chance(0.3):
        told["cause"] = casting.seq
    return t.row("effect_started", **told)


def end(t: Table) -> None:
    """Close the round."""
    t.fight.tell("round_ended", round=t.round)


# ---------------------------------------------------------------- setup


@at("gathered")
def surprise_never_checked(t: Table) -> Broken:
    for one in t.up():
        t.place(one)
    return "setup.surprise-checked", t.fight.tell("round_started", round=1)


@at("gathered")
def somebody_not_placed(t: Table) -> Broken:
    t.fight.tell("surprise_settled")
    for one in t.up()[1:]:
        t.place(one)
    return "setup.positions-set", t.fight.tell("round_started", round=1)


@at(*BETWEEN)
def an_armor_class_off_the_scale(t: Table) -> Broken:
    t.muster(t.d.choice(t.sides()), "archer", placed=False, ac=t.d.choice((11, 12, -11, -15)))
    return "attack.ac-scale", t.fight.seq


@at(*BETWEEN)
def a_bonus_counted_once(t: Table) -> Broken:
    faces, bonus = (3, 6, 2, 8), t.d.randint(1, 9)
    wrong = sum(faces) + bonus
    t.muster(t.d.choice(t.sides()), "beast", placed=False, faces=faces, bonus=bonus, hp=wrong, top=wrong, goes="")
    return "hitdice.hit-points", t.fight.seq


@at(*BETWEEN)
def declared_before_the_round(t: Table) -> Broken:
    one, foe = two(t)
    return "round.opened-by-gm", declare(t, one, "charge", targets=[foe.id])


# ---------------------------------------------------------------- declarations and dice


@at(*BETWEEN)
def declared_after_the_dice(t: Table) -> Broken:
    one, foe = two(t)
    begin(t)
    throw(t)
    return "declare.in-step-one", declare(t, one, "charge", targets=[foe.id])


@at(*BETWEEN)
def two_dice(t: Table) -> Broken:
    begin(t)
    throw(t)
    seq = t.fight.tell("initiative_rolled", side=t.d.choice(t.sides()), die=t.d.randint(1, 6))
    return "initiative.one-d6-per-group", seq


@at(*BETWEEN)
def no_such_die(t: Table) -> Broken:
    begin(t)
    seq = t.fight.tell("initiative_rolled", side=t.d.choice(t.sides()), die=t.d.choice((0, 7, 12)))
    return "initiative.one-d6-per-group", seq


@at(*BETWEEN)
def a_fast_action_undeclared(t: Table) -> Broken:
    one, foe = two(t)
    begin(t)
    throw(t)
    kind, slot = t.d.choice((("parley", "A"), ("flee", "B"), ("charge", "C")))
    more = {"targets": [foe.id], "name": one.arms[0].name} if kind == "charge" else {}
    return "fast.declared", act(t, one, slot, kind, **more)


@at(*BETWEEN)
def complex_work_undeclared(t: Table) -> Broken:
    one, _ = two(t)
    begin(t)
    throw(t)
    return "complex.declared", act(t, one, "GL", "complex", name="set a snare")


# ---------------------------------------------------------------- order


@at(*BETWEEN)
def a_low_group_acts_in_high(t: Table) -> Broken:
    shot = t.chance(0.5)
    one, foe = duel(t, "archer" if shot else "fighter")
    begin(t)
    throw(t, high=foe)
    return "initiative.high-and-low", strike(t, one, foe, "H.D2" if shot else "H.D3", shot)


@at(*BETWEEN)
def a_tie_in_low(t: Table) -> Broken:
    one, foe = duel(t)
    begin(t)
    throw(t)
    return "initiative.tie-both-high", strike(t, one, foe, "L.D3")


@at(*BETWEEN)
def a_tie_with_the_shot_after_the_blow(t: Table) -> Broken:
    one, foe = duel(t, "archer")
    begin(t)
    throw(t)
    strike(t, foe, one, "H.D3")
    return "initiative.tie-by-action-type", strike(t, one, foe, "H.D2", shot=True)


@at(*BETWEEN)
def a_shot_after_the_blow_of_an_ally(t: Table) -> Broken:
    one, foe = duel(t, "archer")
    ally = t.muster(one.side, "fighter")
    t.engage(ally, foe)
    begin(t)
    throw(t, high=one)
    strike(t, ally, foe, "H.D3")
    return "group.phase-order", strike(t, one, foe, "H.D2", shot=True)


@at(*BETWEEN)
def a_lone_activity_too_early(t: Table) -> Broken:
    one, foe = two(t)
    begin(t)
    throw(t, high=t.d.choice((one, foe)))
    phase = t.d.choice(("D1", "D2", "D3"))
    seq = act(t, one, t.own(one, phase), "simple", name="close a door")
    end(t)
    return "group.phase-order" if phase == "D1" else "minor.alone-in-d4", seq


@at(*BETWEEN)
def the_slower_weapon_first(t: Table) -> Broken:
    one, foe = duel(t, arms=(AXE,))
    foe = t.muster(foe.side, "fighter", arms=(SWORD,), innate="")
    t.engage(one, foe)
    begin(t)
    throw(t)
    seq = strike(t, one, foe, "H.D3")
    strike(t, foe, one, "H.D3")
    return "initiative.tie-by-weapon-speed", seq


@at(*BETWEEN)
def a_weapon_made_slower_first(t: Table) -> Broken:
    one, foe = duel(t, arms=(MACE,))
    foe = t.muster(foe.side, "fighter", arms=(MACE,), innate="")
    t.engage(one, foe)
    begin(t)
    throw(t)
    act(t, one, "H.D3", "simple", name="kick a bench over")
    seq = strike(t, one, foe, "H.D3")
    strike(t, foe, one, "H.D3")
    return "minor.raises-weapon-speed", seq


@at(*BETWEEN)
def a_charge_after_a_blow(t: Table) -> Broken:
    one, foe = two(t)
    other = t.muster(one.side, "fighter", innate="")
    t.engage(foe, other)
    begin(t)
    declare(t, one, "charge", targets=[foe.id])
    throw(t, high=foe)
    strike(t, foe, other, "H.D3")
    return "fast.before-group-actions", t.act(one, "charge", targets=[foe.id], name=one.arms[0].name)


@at(*BETWEEN)
def a_charge_before_a_flight(t: Table) -> Broken:
    one, foe = two(t)
    begin(t)
    declare(t, one, "charge", targets=[foe.id])
    declare(t, foe, "flee")
    throw(t)
    act(t, one, "C", "charge", targets=[foe.id], name=one.arms[0].name)
    return "fast.letter-order", act(t, foe, "B", "flee")


@at(*BETWEEN)
def one_that_goes_first_goes_later(t: Table) -> Broken:
    one, foe = duel(t, "beast", goes="first")
    begin(t)
    throw(t, high=t.d.choice((one, foe)))
    return "fast.go-first", strike(t, one, foe, t.own(one, "D3"))


@at(*BETWEEN)
def a_first_routine_out_of_place(t: Table) -> Broken:
    begun = t.chance(0.5)
    one, foe = duel(t, "veteran") if begun else two(t, "scout")
    begin(t)
    throw(t, high=t.d.choice((one, foe)))
    slot = t.own(one, "D3") if begun else "M1"
    return "multi.first-routine", strike(t, one, foe, slot, shot=not begun, routine=1)


@at(*BETWEEN)
def two_routines_in_step_four(t: Table) -> Broken:
    one, foe = duel(t, "veteran")
    begin(t)
    throw(t)
    strike(t, one, foe, "M1", routine=1)
    return "multi.remaining-routines", strike(t, one, foe, "M1", routine=2)


@at(*BETWEEN)
def high_after_low(t: Table) -> Broken:
    one, foe = duel(t, "fighter", "archer")
    begin(t)
    throw(t, high=one)
    strike(t, foe, one, "L.D2", shot=True)
    return "group.high-before-low", strike(t, one, foe, "H.D3")


@at(*BETWEEN)
def a_blow_after_a_spell(t: Table) -> Broken:
    one, foe = duel(t)
    mage = caster(t, "glimmer", foe.side)
    begin(t)
    casting = casts(t, mage)
    throw(t, high=one)
    effect(t, mage, casting, "E", casting.due)
    t.segment = 0
    return "round.step-order", strike(t, one, foe, "H.D3")


@at(*BETWEEN)
def an_eleventh_segment(t: Table) -> Broken:
    one, foe = duel(t)
    begin(t)
    throw(t)
    t.timed, t.segment = True, t.d.choice((11, 12, 20))
    return "time.round-segments", strike(t, one, foe, "H.D3")
