"""Hit points and status: the blows of a round change hit points in the order of their keys, not of their rows, and a
combatant is out of action from the key of the blow that takes it to the limit. What disturbs a caster.
"""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import structs

from eventstore.events import AttackRolled, CombatantJoined, DamageDealt, Fact, Healed, RulingMade, SheetChanged
from eventstore.shapes import Action
from projections.address import NOTHING
from projections.because import Because, Derived, asked_options
from projections.fight import Combatant
from projections.mechanics.pools import HP, PoolRules, pool_status
from projections.mechanics.work import SPOILED, Incident
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import derives
from projections.rulesets.osric.order import shares_dice, time_out
from projections.rulesets.osric.routines import takes_routine
from projections.rulesets.osric.spells import SPOILING, due_key, ending_incident, is_begun
from projections.rulesets.osric.state import BY_DICE, END, Blow, Blows, Order, OsricState, Out, Stood, Trail
from projections.rulesets.osric.surprise import segment_number
from projections.stream.causes import find_origin

if TYPE_CHECKING:
    from projections.rulesets.osric.reading import Reading


@derives("effects.take-hold-at-once")
def state_after_blows(stood: Stood, blows: Iterable[Blows], limit: int) -> Stood:
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


def trail_with_blow(state: OsricState, who: str, hp: int, blow: Blow, limit: int) -> Trail:
    """Return a combatant's trail through the round with one more blow; `hp` are its hit points before the first."""
    first = Stood(hp, state.outs.get(who, ()))
    trail: Trail = state.round.trails.get(who) or Trail(first, {}, first)
    blows = trail.blows | {blow.key: trail.blows.get(blow.key, Blows()).with_one(blow)}
    if blow.key == max(blows):
        return Trail(trail.first, blows, state_after_blows(trail.last, (Blows().with_one(blow),), limit))
    return Trail(trail.first, blows, state_after_blows(trail.first, (blows[key] for key in sorted(blows)), limit))


def limit_of_points(state: OsricState, who: str = "") -> int | None:
    """Return the hit points at which a combatant is out of action, or anybody; None where only a ruling decides."""
    limit = state.option("out-of-action-at")
    if limit == "ruling" or f"{who}.status" in state.ruled:
        return None
    return int(limit) if re.fullmatch(r"-?[0-9]{1,2}", limit) else 0  # its default, for a value that it does not have


def time_out_at(state: OsricState, who: str, action: Action, outs: tuple[Out, ...], key: Order) -> Out | None:
    """Return the time out of action that covers a key: the fall is before the key, and the recovery is not."""
    out = next((each for each in outs if each.key < key and (each.until is None or key <= each.until)), None)
    return None if out is None or still_deals_damage(state, who, action, out.key, key) else out


@derives("initiative.tie-damage-stands")
def still_deals_damage(state: OsricState, who: str, action: Action, fell: Order, key: Order) -> bool:
    """Return whether an option lets a combatant that fell on equal dice still deal damage in that segment or round."""
    at_once = fell.segment == key.segment and fell.band == key.band == BY_DICE
    lets = state.option("tie-damage") == "whole-round" or (state.option("tie-handling") == "ruling" and at_once)
    is_level = fell.round == key.round and shares_dice(state, state.combatants[who].side)
    return lets and is_level and takes_routine(action.plain_kind)


def key_of_outcome(state: OsricState, fact: "Reading[Fact]") -> Order:
    """Return the key at which an outcome takes effect: that of its spell when due, its own, else that of its cause, if
    this is in the segment in which it is recorded.
    """
    keys, here = state.round.keys, Order.at(fact.point)
    seq = fact.seq if fact.seq in keys else find_origin(state, fact.cause, keys)
    key = due_key(state, fact.casting).value if fact.casting else keys.get(seq, here)
    return key if key.point == here.point or not here.segment else here


def key_of_blow(state: OsricState, fact: "Reading[Fact]") -> Order:
    """Return the key at which an outcome may put its target out of action: without a known cause the end of its segment."""
    key = key_of_outcome(state, fact)
    known = fact.cause or fact.casting or fact.seq in state.round.keys
    return key if known else Order.at(key, END)


@derives(SPOILING, on=(DamageDealt, AttackRolled), phase="effects")
def disturb_caster(state: OsricState, fact: "Reading[DamageDealt | AttackRolled]") -> None:
    """Let damage or a hit, by option, spoil the spell that the target is casting in that segment, if it is certain."""
    how, event = state.option("spoil-cause"), fact.event
    if event.target is None:
        return
    keep_disturbance(state, event.target, fact)
    if isinstance(event, AttackRolled):
        hurts = how == "hit" and event.hit is True
    else:
        act = state.round.acts.get(fact.seq) or fact.act_behind
        hurts = state.loss.hp >= 1 if how == "damage" else how == "hit" and act is not None and takes_routine(act.kind)
    if hurts:
        keep_wound(state, event.target, fact, key_of_outcome(state, fact))
    if isinstance(event, DamageDealt) and (hurts or how == "hit"):
        mark_unsure(state, fact, event.target)


def keep_disturbance(state: OsricState, who: str, fact: "Reading[Fact]") -> None:
    """Keep that a combatant was hit or damaged, which disturbs a caster by one option or another."""
    if not isinstance(fact.event, AttackRolled) or fact.event.hit:
        state.round.touched[who] = (why := asked_options(),)
        for casting in (*state.castings, *state.past.values()):
            if casting.who == who and is_begun(state, casting):
                casting.asked += (why,)


def mark_unsure(state: OsricState, fact: "Reading[Fact]", who: str) -> None:
    """Mark a caster as unsure whom damage at an uncertain time disturbed, unless all its spells were over before."""
    own = [ending_incident(state, one).value for one in state.castings if one.who == who]
    certain = own and all(end and end.seq != fact.seq for end in own)
    timed = fact.cause or fact.segment is not None
    if not (certain or timed) and (fact.fact.doubtful or segment_number(state, fact.point) < state.reached):
        state.unsure[who] = max(state.reached, segment_number(state, fact.point))


def keep_wound(state: OsricState, who: str, fact: "Reading[Fact]", place: Order) -> None:
    """Keep an incident that can spoil a spell in this round, and disturb the castings of the target by it."""
    last = fact.fact.doubtful if fact.segment is None else 0  # of several possible causes
    because = Because((), (last,) if last else ())
    incident = Incident(fact.seq, segment_number(state, place.point), SPOILED, because, place)
    state.round.wounds.setdefault(who, []).append(incident)
    for casting in (*state.castings, *state.past.values()):
        if casting.who == who:
            casting.incidents.append(incident)


@derives(SPOILING, on=RulingMade, phase="effects")
def spoil_by_ruling(state: OsricState, fact: Occurrence[RulingMade]) -> None:
    """Let a ruling spoil a casting: by `<id>.casting` or `<id>.concentration`, or by this rule with caster or start."""
    event = fact.event
    cites = event.rule == SPOILING and event.ruling != "waiver"
    for casting in state.castings:
        named = cites and (casting.who in event.combatants or event.event == casting.seq)
        fields = ("casting", "concentration")
        if named or any((event.values or {}).get(f"{casting.who}.{field}") == NOTHING for field in fields):
            why, end = Because(spoil_by_ruling.rules), Order.at(fact.point, END)
            casting.incidents.append(Incident(fact.seq, casting.last, SPOILED, why, end, sure=True))


NEVER = -(1 << 62)  # below any number of hit points
STATUSES = {"up": "in the fight", "out": "out of action"}


@derives("health.hit-points")
def pool_rules(state: OsricState, one: Combatant) -> PoolRules:
    """Return the rules of hit points: damage is subtracted whole, healing adds up to the maximum."""
    if one.pools[HP].changes.seqs[-1] != state.survived.get(one.id):
        return PoolRules(cites={HP: pool_rules.rules})
    tie, surprise = "initiative.tie-damage-stands", "surprise.shared-segment-at-once"
    return PoolRules(cites={HP: (tie if state.clock.point.round else surprise, *pool_rules.rules)})


@derives("health.out-of-action")
def status(state: OsricState, one: Combatant) -> Derived[str]:
    """Return whether a combatant is up or out of action, by the option's number of hit points."""
    limit = limit_of_points(state)
    return pool_status(one.pools[HP], NEVER if limit is None else limit, "out", status.rules)


# ---------------------------------------------------------------- out of action, and back


CHANGES = (DamageDealt, Healed, RulingMade, CombatantJoined, SheetChanged)
"""The facts that may change the hit points or the status of combatants."""


@derives("effects.take-hold-at-once", on=CHANGES, phase="status")
def keep_times_out(state: OsricState, fact: "Reading[Fact]") -> None:
    """Store the times out of action, for the combatants whose hit points or status a fact may change."""
    own = str(getattr(fact.event, "target", None) or getattr(fact.event, "combatant", ""))
    for who in state.combatants if isinstance(fact.event, RulingMade) else (own,):
        before = state.outs.get(who, ())
        state.outs[who] = _times_out(state, fact, state.combatants[who])
        out = time_out(state, who)
        if out and out not in before:
            keep_wound(state, who, fact, out.key)
            if isinstance(fact.event, DamageDealt):
                mark_unsure(state, fact, who)
        for act in state.round.acts_of.get(who, ()):  # later in this segment, unless the blow answers it out of turn
            fall = time_out_at(state, who, act.action, state.outs[who], act.key)
            if fall and not fact.answers(act) and fall.key.segment == act.key.segment:
                state.round.barred.add(act.seq)


def _times_out(state: OsricState, fact: "Reading[Fact]", one: Combatant) -> tuple[Out, ...]:
    """Return a combatant's times out of action: by the keys of blows, else from the end of the fact's segment."""
    limit, lost, times = limit_of_points(state, one.id), state.loss, state.outs.get(one.id, ())
    if isinstance(fact.event, DamageDealt | Healed) and limit is not None and one.hp is not None:
        blow = Blow(key_of_blow(state, fact), -lost.hp, fact.seq)
        if fact.casting:
            state.round.fell_then[fact.seq] = due_key(state, fact.casting)
        elif act := state.round.acts.get(find_origin(state, fact.cause, state.round.keys)):
            state.round.fell_then[fact.seq] = Derived(act.key, Because(options=act.because.flat().options))
        state.round.trails[one.id] = trail = trail_with_blow(state, one.id, one.hp + lost.hp, blow, limit)
        return trail.last.outs
    state.round.trails.pop(one.id, None)
    down, now = time_out(state, one.id), Order.at(fact.point, END)
    if one.status == "out" and not down:
        return (*times, Out(now, fact.seq))
    if one.status != "out" and down:
        *before, last = times
        return (*before, structs.replace(last, until=now))
    return times


@derives("initiative.tie-damage-stands", "surprise.shared-segment-at-once", on=DamageDealt, phase="status")
def keep_damage_of_fallen(state: OsricState, fact: "Reading[DamageDealt]") -> None:
    """Keep damage that was dealt by a combatant who fell at the same time."""
    act = state.round.acts.get(fact.seq) or fact.act_behind
    if act and time_out(state, act.combatant) and act.seq not in state.round.barred and state.loss.hp:
        state.survived[fact.event.target] = fact.seq
