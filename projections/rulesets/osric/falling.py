"""Who is out of action from which key on: the blows of a segment in the order of their keys, however they were told."""

from bisect import bisect_right
from collections.abc import Iterable
from operator import attrgetter

from msgspec import structs

from eventstore.shapes import Action
from projections.rulesets.osric.order import shares_dice
from projections.rulesets.osric.routines import takes_routine
from projections.rulesets.osric.state import BY_DICE, Blow, Blows, Order, OsricState, Out, Stood, Trail
from projections.rulesets.ruleset import derives


@derives("effects.take-hold-at-once")
def times_out(stood: Stood, blows: Iterable[Blows], limit: int) -> Stood:
    """Return the hit points and the times out of action that these blows come to, taken in their order."""
    hp, outs = stood.hp, list(stood.outs)
    for alike in blows:
        down = bool(outs) and outs[-1].until is None
        stays = hp + alike.highest <= limit if down else hp + alike.lowest > limit
        for blow in () if stays else alike.each:
            hp += blow.by
            down = bool(outs) and outs[-1].until is None
            if hp <= limit and not down:
                outs.append(Out(blow.key, blow.seq))
            elif hp > limit and down:
                outs[-1] = structs.replace(outs[-1], until=blow.key)
        hp += alike.by if stays else 0
    return Stood(hp, tuple(outs))


def trail_of(state: OsricState, who: str, hp: int, blow: Blow, limit: int) -> Trail:
    """Return a combatant's trail through the round with a blow in it; `hp` are those before the first."""
    first = Stood(hp, state.outs.get(who, ()))
    trail: Trail = state.round.trails.get(who) or Trail(first, (), first)
    alone = Blows(blow.key).with_one(blow)
    place = bisect_right(trail.blows, blow.key, key=attrgetter("key"))
    before, after = trail.blows[:place], trail.blows[place:]
    if before and before[-1].key == blow.key:
        before, alike = before[:-1], before[-1].with_one(blow)
    else:
        alike = alone
    blows = (*before, alike, *after)
    last = times_out(trail.first, blows, limit) if after else times_out(trail.last, (alone,), limit)
    return Trail(trail.first, blows, last)


def limit_of(state: OsricState, who: str) -> int | None:
    """Return the hit points at which somebody is out of action; None where only a ruling says whether it is."""
    limit = state.option("out-of-action-at")
    return None if limit == "ruling" or f"{who}.status" in state.ruled else int(limit)


def out_among(state: OsricState, who: str, action: Action, outs: tuple[Out, ...], key: Order) -> Out | None:
    """Return which of these times somebody is out of action at a key: it fell before, and was not back before it."""
    out = next((each for each in outs if each.key < key and (each.until is None or key <= each.until)), None)
    return None if out is None or deals_all_the_same(state, who, action, out.key, key) else out


@derives("initiative.tie-damage-stands")
def deals_all_the_same(state: OsricState, who: str, action: Action, fell: Order, key: Order) -> bool:
    """Say whether an option lets somebody who fell on equal dice still deal damage in that segment, or that round."""
    at_once = fell.segment == key.segment and fell.band == key.band == BY_DICE
    lets = state.option("tie-damage") == "whole-round" or (state.option("tie-handling") == "ruling" and at_once)
    return lets and takes_routine(action) and fell.round == key.round and shares_dice(state, state.combatants[who].side)
