"""Breaches by acts beside or instead of others: actions, delays, complex work, movement."""

from tests.lawful.tables.vile_darkness.breaches import (
    BETWEEN,
    BREACHES,
    Broken,
    act,
    at,
    begin,
    caster,
    casts,
    declare,
    delay,
    duel,
    effect,
    end,
    strike,
    throw,
    two,
)
from tests.lawful.tables.vile_darkness.people import One
from tests.lawful.tables.vile_darkness.play import Table

__all__ = ["BREACHES"]

# ---------------------------------------------------------------- major and minor actions


@at(*BETWEEN)
def two_major_actions(t: Table) -> Broken:
    one, foe = duel(t)
    begin(t)
    throw(t, high=t.d.choice((one, foe)))
    strike(t, one, foe, t.own(one, "D3"))
    seq = act(t, one, t.own(one, "D4"), "simple", name="lift the portcullis", cost="major")
    return "major.one-per-round", seq


@at(*BETWEEN)
def a_second_routine(t: Table) -> Broken:
    one, foe = duel(t)
    begin(t)
    throw(t, high=t.d.choice((one, foe)))
    strike(t, one, foe, t.own(one, "D3"))
    return "routine.one-per-round", strike(t, one, foe, "M2")


@at(*BETWEEN)
def an_innate_ability_late(t: Table) -> Broken:
    one, foe = duel(t)
    one = t.muster(one.side, "fighter", innate="glow")
    t.engage(one, foe)
    begin(t)
    throw(t, high=t.d.choice((one, foe)))
    if t.chance(0.5):
        strike(t, one, foe, t.own(one, "D3"))
    return "innate.in-d1", act(t, one, t.own(one, "D4"), "innate", name="glow")


# ---------------------------------------------------------------- delays


@at(*BETWEEN)
def a_delay_outside_step_five(t: Table) -> Broken:
    one, foe = two(t)
    begin(t)
    throw(t, high=t.d.choice((one, foe)))
    return "delay.only-in-group-actions", delay(t, one, t.d.choice(("A", "B", "C", "M1", "M2")))


@at(*BETWEEN)
def no_waiting_for_low(t: Table) -> Broken:
    one, foe = duel(t)
    begin(t)
    throw(t, high=one)
    delay(t, one, t.d.choice(("H.D1", "H.D2")))
    return "delay.high-waits-for-low", strike(t, one, foe, "H.D3")


@at(*BETWEEN)
def a_minor_outside_its_initiative(t: Table) -> Broken:
    one, _ = duel(t)
    begin(t)
    throw(t, high=one)
    delayed = t.chance(0.5)
    if delayed:
        delay(t, one, "H.D2")
    seq = act(t, one, "H.D4" if delayed else "L.D4", "simple", name="drop a sack")
    return "delay.minors-in-own-initiative", seq


@at(*BETWEEN)
def a_major_after_a_delay_in_low(t: Table) -> Broken:
    one, foe = duel(t)
    begin(t)
    throw(t, high=foe)
    delay(t, one, "L.D2")
    return "delay.low-forfeits-major", strike(t, one, foe, "L.D3")


@at(*BETWEEN)
def a_declared_delay_in_high(t: Table) -> Broken:
    one, foe = duel(t)
    begin(t)
    declare(t, one, "delay")
    one.turn.low = True
    throw(t, high=t.d.choice((None, one)))
    return "delay.declared-acts-low", strike(t, one, foe, "H.D3")


@at(*BETWEEN)
def a_delaying_activity_in_high(t: Table) -> Broken:
    one, _ = two(t)
    begin(t)
    throw(t, high=one)
    return "delaying.only-in-low", act(t, one, "H.D4", "delaying", name="light a lantern")


@at(*BETWEEN)
def somebody_delayed_in_high(t: Table) -> Broken:
    one, foe = duel(t)
    begin(t)
    throw(t, high=t.d.choice((None, one)))
    t.fight.tell("condition_gained", condition="delayed", targets=[one.id])
    return "delayed.always-low", strike(t, one, foe, "H.D3")


@at(*BETWEEN)
def a_delaying_activity_of_somebody_delayed(t: Table) -> Broken:
    one, _ = two(t)
    begin(t)
    throw(t, high=one)
    delay(t, one, "H.D2")
    seq = act(t, one, "L.D4", "delaying", name="light a lantern")
    return "delayed.delaying-becomes-complex", seq


# ---------------------------------------------------------------- complex work


@at(*BETWEEN)
def complex_work_done_too_early(t: Table) -> Broken:
    one, foe = two(t)
    begin(t)
    seq = declare(t, one, "complex", name="pick the lock")
    throw(t, high=t.d.choice((one, foe)))
    t.reach(t.own(one, "D4"))
    return "complex.goes-last", t.row("effect_started", effect="pick the lock", source=one.id, cause=seq)


@at(*BETWEEN)
def something_beside_complex_work(t: Table) -> Broken:
    one, foe = duel(t)
    begin(t)
    declare(t, one, "complex", name="bar the door")
    throw(t, high=t.d.choice((one, foe)))
    return "complex.nothing-else", strike(t, one, foe, t.own(one, "D3"))


# ---------------------------------------------------------------- movement


@at(*BETWEEN)
def a_step_too_far(t: Table) -> Broken:
    one, foe = two(t, "archer")
    begin(t)
    throw(t, high=t.d.choice((one, foe)))
    strike(t, one, foe, t.own(one, "D2"), shot=True)
    return "movement.positioning-ten-feet", step(t, one, 15)


def step(t: Table, one: One, feet: int) -> int:
    """Record a minor movement of so many feet."""
    return t.row("moved", combatant=one.id, distance={"amount": feet, "unit": "ft"}, cost="minor")


@at(*BETWEEN)
def a_step_before_the_shot(t: Table) -> Broken:
    one, foe = two(t, "archer")
    begin(t)
    throw(t, high=t.d.choice((one, foe)))
    t.reach(t.own(one, "D2"))
    seq = step(t, one, t.d.choice((5, 10)))
    strike(t, one, foe, t.own(one, "D2"), shot=True)
    return "movement.positioning-after-major", seq


@at(*BETWEEN)
def a_step_in_melee(t: Table) -> Broken:
    one, foe = duel(t)
    begin(t)
    throw(t, high=t.d.choice((one, foe)))
    strike(t, one, foe, t.own(one, "D3"))
    return "movement.positioning-not-in-melee", step(t, one, t.d.choice((5, 10)))


@at(*BETWEEN)
def a_distance_counted_wrong(t: Table) -> Broken:
    one, foe = two(t)
    one.square = next((x, y) for y in range(12, 99) for x in (0,) if not t.squares() & {(i, y) for i in range(7)})
    t.place(one)
    begin(t)
    throw(t, high=t.d.choice((one, foe)))
    t.reach(t.own(one, "D4"))
    steps, (x, y) = t.d.randint(2, 6), one.square
    way = [[x + i, y] for i in range(steps + 1)]
    wrong = {"amount": 5 * steps + t.d.choice((-5, 5, 10)), "unit": "ft"}
    return "grid.square-five-feet", t.row("moved", combatant=one.id, path=way, distance=wrong)


# ---------------------------------------------------------------- what is maintained


def maintainer(t: Table, side: str = "") -> One:
    """Let a combatant who maintains an effect join, in a round before this one, and open a round."""
    one = caster(t, "pixie light", side, ac=5)
    begin(t)
    casting = casts(t, one)
    throw(t)
    effect(t, one, casting, "E", casting.due, concentration=True)
    t.uses_up(one)
    one.maintains = (casting.spell.name, t.round, casting.due)
    for each in t.up():  # what others carried over was due in that round, and nobody told of it
        if each.casting and each.casting.round_due <= t.round:
            each.casting = None
    t.segment, t.timed = 0, False
    end(t)
    begin(t)
    return one


@at(*BETWEEN)
def a_walk_beyond_half_the_rate(t: Table) -> Broken:
    one = maintainer(t)
    throw(t, high=one)
    t.reach("H.D4")
    far = {"amount": one.walk // 2 + 5, "unit": "ft"}
    return "concentration.half-move", t.row("moved", combatant=one.id, distance=far)


@at(*BETWEEN)
def a_flight_by_potion(t: Table) -> Broken:
    one = maintainer(t)
    t.fight.tell("sheet_changed", combatant=one.id, sheet={"speeds": {"walk": one.walk, "fly": 120}})
    throw(t, high=one)
    t.reach("H.D4")
    far = {"amount": 120, "unit": "ft"}
    return "concentration.native-fly-swim", t.row("moved", combatant=one.id, distance=far, mode="fly")


@at(*BETWEEN)
def a_penalty_for_concentrating(t: Table) -> Broken:
    one = maintainer(t)
    foe = next(each for each in t.foes(one))
    foe = t.muster(foe.side, "fighter", innate="")
    throw(t, high=foe)
    t.reach("H.D3")
    seq = t.attack(foe, one)
    told = t.roll_of(foe, one, foe.arms[0], 20)
    return "concentration.no-combat-penalty", t.of(seq, "attack_rolled", **told, ac=one.ac + 2)
