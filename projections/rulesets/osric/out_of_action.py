"""Times out of action: the blows of a round change hit points in the order of their keys, not of their rows."""

from collections.abc import Iterable

from msgspec import structs

from eventstore.shapes import Action
from projections.ruleset.ruleset import derives
from projections.rulesets.osric.keys import shares_dice
from projections.rulesets.osric.routines import takes_routine
from projections.rulesets.osric.state import BY_DICE, Blow, Blows, Order, OsricState, Out, Stood, Trail


@derives("effects.take-hold-at-once")
def after_blows(stood: Stood, blows: Iterable[Blows], limit: int) -> Stood:
    """Return the hit points and times out of action after these blows, in their order."""
    hp, outs = stood.hp, list(stood.outs)
    for alike in blows:
        crosses = hp + alike.lowest <= limit < hp + alike.highest
        hp += 0 if crosses else alike.by
        for blow in alike.each if crosses else ():
            before, hp = hp, hp + blow.by
            if before > limit >= hp:
                outs.append(Out(blow.key, blow.seq))
            elif before <= limit < hp:
                outs[-1] = structs.replace(outs[-1], until=blow.key)
    return Stood(hp, tuple(outs))


def trail_of(state: OsricState, who: str, hp: int, blow: Blow, limit: int) -> Trail:
    """Return a combatant's trail through the round with one more blow; `hp` are its hit points before the first."""
    first = Stood(hp, state.outs.get(who, ()))
    trail: Trail = state.round.trails.get(who) or Trail(first, {}, first)
    blows = trail.blows | {blow.key: trail.blows.get(blow.key, Blows()).with_one(blow)}
    if blow.key == max(blows):
        return Trail(trail.first, blows, after_blows(trail.last, (Blows().with_one(blow),), limit))
    return Trail(trail.first, blows, after_blows(trail.first, (blows[key] for key in sorted(blows)), limit))


def limit_of(state: OsricState, who: str) -> int | None:
    """Return the hit points at which a combatant is out of action; None where only a ruling decides."""
    limit = state.option("out-of-action-at")
    return None if limit == "ruling" or f"{who}.status" in state.ruled else int(limit)


def out_among(state: OsricState, who: str, action: Action, outs: tuple[Out, ...], key: Order) -> Out | None:
    """Return the time out of action that covers a key: the fall is before the key, and the recovery is not."""
    out = next((each for each in outs if each.key < key and (each.until is None or key <= each.until)), None)
    return None if out is None or still_deals_damage(state, who, action, out.key, key) else out


@derives("initiative.tie-damage-stands")
def still_deals_damage(state: OsricState, who: str, action: Action, fell: Order, key: Order) -> bool:
    """Return whether an option lets a combatant that fell on equal dice still deal damage in that segment or round."""
    at_once = fell.segment == key.segment and fell.band == key.band == BY_DICE
    lets = state.option("tie-damage") == "whole-round" or (state.option("tie-handling") == "ruling" and at_once)
    return (
        lets
        and takes_routine(action.plain_kind)
        and fell.round == key.round
        and shares_dice(state, state.combatants[who].side)
    )
