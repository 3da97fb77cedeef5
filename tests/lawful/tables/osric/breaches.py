"""Breaches of surprise, of rounds and dice, and of hit points and statements; and what all breaches share.

A breach is tried at its moments of a lawful fight: it records what breaks its rule and returns the rule with the seq of the fact that the
finding is about, or records nothing. With it the fight ends."""

from collections.abc import Callable
from typing import Any

from tests.lawful.breaking import Breach, Broken, entering, one_of, only
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


def some_act(t: Table, one: One) -> int:
    kind = t.d.choice(("move", "other", "ready", "set-spear"))
    return tells(t, one, kind, **({"name": "climbs"} if kind == "other" else {}))


# ---------------------------------------------------------------- surprise


def may_be_surprised(t: Table) -> list[str]:
    those = [
        one for one in t.ones.values() if (2 if one.own_threshold is None else one.own_threshold) > max(0, one.quick)
    ]
    return list(dict.fromkeys(one.side for one in those))


@at("mustered")
def no_surprise_die(t: Table) -> Broken:
    side = t.d.choice(t.sides())
    return "surprise.die-each-side", t.fight.tell("surprise_rolled", side=side, die=t.d.choice((0, 7, 12)))


@at("mustered")
def no_check(t: Table) -> Broken:
    only(may_be_surprised(t))
    return "surprise.checked-at-start", t.fight.tell("round_started", round=1)


@at("mustered")
def one_side_unchecked(t: Table) -> Broken:
    sides = may_be_surprised(t)
    only(sides)
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


@at("surprise segment")
def too_long_for_a_segment(t: Table) -> Broken:
    one = pick(t, lambda one: free(t, one))
    time = t.d.choice(({"amount": 7, "unit": "second"}, {"amount": 1, "unit": "minute"}, 2))
    return "surprise.what-fits-a-segment", tells(t, one, t.d.choice(("talk", "other")), name="speech", time=time)


@at("opened")
def surprise_after_round_1_opened(t: Table) -> Broken:
    only(t.round <= 1)
    t.fight.tell("segment_reached", segment=t.d.randint(1, 3), surprise=True)
    one = t.d.choice(t.up())
    return "sequence.order-of-events", t.fight.tell("action_taken", combatant=one.id, action={"kind": "move"})


# ---------------------------------------------------------------- rounds and dice


@at("closed")
def another_round(t: Table) -> Broken:
    number = t.round + t.d.choice((-1, 0, 2, 3))
    return "round.next-declarations", t.fight.tell("round_started", round=max(0, number))


@at("played")
def never_closed(t: Table) -> Broken:
    if t.chance(0.5):
        return "round.next-declarations", t.fight.tell("round_ended", round=t.round + 1)
    return "round.next-declarations", t.fight.tell("round_started", round=t.round + 1)


@at("segment played")
def closed_too_soon(t: Table) -> Broken:
    if any(t.now < s.due <= 10 * t.round and not s.ended and not s.silent for o in t.ones.values() for s in o.spells):
        return "round.ends-after-both", t.fight.tell("round_ended")
    return None


@at("closed")
def acts_after_the_close(t: Table) -> Broken:
    one = pick(t, lambda one: free(t, one))
    return ("sequence.order-of-events", some_act(t, one))


@at("thrown")
def another_die(t: Table) -> Broken:
    side = t.d.choice(list(t.dice))
    return "initiative.d6-each-side", t.fight.tell("initiative_rolled", side=side, die=t.d.randint(1, 6))


@at("declared")
def no_die_shows_that(t: Table) -> Broken:
    side = t.d.choice(t.sides())
    return "initiative.d6-each-side", t.fight.tell("initiative_rolled", side=side, die=t.d.choice((0, 7, 20)))


@at("declared")
def dice_are_missing(t: Table) -> Broken:
    sides = list(dict.fromkeys(one.side for one in t.up()))
    thrown = t.d.choice((0, len(sides) - 1))
    one = pick(t, lambda one: free(t, one))
    only(len(sides) >= 2)
    for side in t.d.sample(sides, thrown):
        t.fight.tell("initiative_rolled", side=side, die=t.d.randint(1, 6))
    rule = "sequence.order-of-events" if t.round == 1 else "initiative.fresh-each-round"
    return "initiative.d6-each-side" if thrown else rule, tells(t, one, "move", segment=t.d.randint(1, 10))


@at("segment", "segment played")
def no_such_segment(t: Table) -> Broken:
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
def goes_back(t: Table) -> Broken:
    one = pick(t, lambda one: free(t, one) and t.own(one, False)[1] < t.high and not one.trail.blows)
    return "sequence.winner-then-loser", tells(t, one, "move", segment=t.own(one, False)[1])


# ---------------------------------------------------------------- hit points and statements


@at("segment", "opened")
def no_plain_hit_points(t: Table) -> Broken:
    one = pick(t, lambda one: one.hp > t.limit + 1)
    more = t.d.choice(({"amount": -2}, {"amount": 1, "nonlethal": True}))
    kind = "healed" if "nonlethal" not in more and t.chance(0.5) else "damage_dealt"
    where = {"segment": t.segment} if t.segment else {}
    return "health.hit-points", t.fight.tell(kind, target=one.id, **where, **more)


@at("segment", "closed", "settled")
def wrong_statement(t: Table) -> Broken:
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
def damage_cancelled(t: Table) -> Broken:
    one = pick(t, lambda one: one.tied and t.round, up=False)
    told = t.fight.tell(
        "ruling_made", ruling="override", decision="he was dead", values={f"{one.id}.hp": one.hp + one.tied}
    )
    return "initiative.tie-damage-stands", told


@at("thrown")
def wrong_order(t: Table) -> Broken:
    side = t.d.choice(list(t.dice))
    if t.chance(0.5):
        wrong = t.highest(side) % 6 + 1
        return "initiative.other-sides-die", t.fight.tell("checked", values={f"{side}.segment": wrong})
    order = t.order()
    shared = [slot for slot in order if len({t.ones[name].side for name in slot}) > 1]
    only(shared and (not any(one.missile for one in t.ones.values())))
    stated = [[name] for slot in order for name in slot]
    return "initiative.tie-is-simultaneous", t.fight.tell("checked", values={"order": stated})


@at("segment", "surprise segment", "thrown")
def another_wrong_statement(t: Table) -> Broken:
    one = t.d.choice([one for one in t.ones.values() if one.here])
    kind = t.d.choice(("routines", "surprise.length", "casting.due", "initiative"))
    if kind == "routines":
        values = {f"{one.id}.routines": t.values(one)["routines"] + 1}
        return "attack.level-or-haste-adds-routine", t.fight.tell("checked", values=values)
    if kind == "surprise.length":
        return "surprise.length-of-play", t.fight.tell("checked", values={kind: t.z + 1})
    if kind == "casting.due" and one.spell and not one.spell.silent:
        values = {f"{one.id}.casting.due": t.where(one.spell.due + 1)}
        return "spell.completes-after-casting-time", t.fight.tell("checked", values=values)
    if kind == "initiative" and t.dice:
        lowest = min(t.dice, key=lambda side: t.dice[side])
        if t.dice[lowest] < max(t.dice.values()):
            return "initiative.higher-die-first", t.fight.tell("checked", values={kind: lowest})
    return None
