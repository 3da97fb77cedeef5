"""Hit points and status: a combatant is out of action from the key of the blow that takes it to the limit."""

from collections.abc import Iterable

from msgspec import structs

from eventstore.events import CombatantJoined, DamageDealt, Fact, Healed, RulingMade, SheetChanged
from projections.because import Derived
from projections.fight import Combatant
from projections.mechanics.pools import HP, PoolRules, status_by
from projections.ruleset.ruleset import derives
from projections.rulesets.osric.disturbances import key_of_blow, mark_unsure, wound
from projections.rulesets.osric.keys import fallen
from projections.rulesets.osric.out_of_action import limit_of, out_among, trail_of
from projections.rulesets.osric.reading import Reading
from projections.rulesets.osric.spells import due_key
from projections.rulesets.osric.state import END, Blow, OsricState, Out, key_at

NEVER = -(1 << 62)
"""A limit below any number of hit points."""
STATUSES = {"up": "in the fight", "out": "out of action"}


@derives("health.hit-points")
def pools(state: OsricState, one: Combatant) -> PoolRules:
    """Return the rules of hit points: damage is subtracted whole, healing adds up to the maximum.

    If the last blow was dealt by a combatant who fell at the same time, they cite the rule by which it counts.
    """
    if one.pools[HP].changes.seqs[-1] != state.survived.get(one.id):
        return PoolRules(cites={HP: pools.rules})
    tie, surprise = "initiative.tie-damage-stands", "surprise.shared-segment-at-once"
    return PoolRules(cites={HP: (tie if state.clock.point.round else surprise, *pools.rules)})


@derives("health.out-of-action")
def status(state: OsricState, one: Combatant) -> Derived[str]:
    """Return whether a combatant is up or out of action, by the option's number of hit points."""
    limit = state.option("out-of-action-at")
    return status_by(one.pools[HP], NEVER if limit == "ruling" else int(limit), "out", status.rules)


# ---------------------------------------------------------------- out of action, and back


Changes = DamageDealt | Healed | RulingMade | CombatantJoined | SheetChanged
"""The facts that may change the hit points or the status of combatants."""


@derives(
    "effects.take-hold-at-once", on=(DamageDealt, Healed, RulingMade, CombatantJoined, SheetChanged), phase="status"
)
def falls_or_rises(state: OsricState, fact: Reading[Changes]) -> None:
    """Store the times out of action, for the combatants whose hit points or status a fact may change."""
    for who in _concerned(state, fact.event):
        before = state.outs.get(who, ())
        state.outs[who] = _times(state, fact, state.combatants[who])
        out = fallen(state, who)
        if out and out not in before:
            wound(state, who, fact, out.key)
            if isinstance(fact.event, DamageDealt):
                mark_unsure(state, fact, who)
        _bar(state, who, fact)


def _concerned(state: OsricState, event: Changes) -> Iterable[str]:
    """Return the combatants whose hit points or status a fact may change."""
    if isinstance(event, RulingMade):
        return state.combatants
    return (event.target if isinstance(event, DamageDealt | Healed) else event.combatant,)


def _bar(state: OsricState, who: str, fact: Reading[Fact]) -> None:
    """Bar the acts of this segment that come after the fall, except one that the blow answers out of turn."""
    for act in state.round.acts_of.get(who, ()):
        out = out_among(state, who, act.action, state.outs[who], act.key)
        if out and not fact.answers(act) and out.key.segment == act.key.segment:
            state.round.barred.add(act.seq)


def _times(state: OsricState, fact: Reading[Fact], one: Combatant) -> tuple[Out, ...]:
    """Return a combatant's times out of action: by the keys of blows, else from the end of the fact's segment."""
    limit, lost, times = limit_of(state, one.id), state.loss, state.outs.get(one.id, ())
    if isinstance(fact.event, DamageDealt | Healed) and limit is not None and one.hp is not None:
        blow = Blow(key_of_blow(state, fact), -lost.hp, fact.seq)
        if fact.casting:
            state.round.fell_then[fact.seq] = due_key(state, fact.casting)
        state.round.trails[one.id] = trail = trail_of(state, one.id, one.hp + lost.hp, blow, limit)
        return trail.last.outs
    state.round.trails.pop(one.id, None)
    down, now = fallen(state, one.id), key_at(fact.point, END)
    if one.status == "out" and not down:
        return (*times, Out(now, fact.seq))
    if one.status != "out" and down:
        *before, last = times
        return (*before, structs.replace(last, until=now))
    return times


@derives("initiative.tie-damage-stands", "surprise.shared-segment-at-once", on=DamageDealt, phase="status")
def blows_of_the_fallen_count(state: OsricState, fact: Reading[DamageDealt]) -> None:
    """Keep damage that was dealt by a combatant who fell at the same time."""
    act = state.round.acts.get(fact.seq) or fact.act_behind
    if act and fallen(state, act.combatant) and act.seq not in state.round.barred and state.loss.hp:
        state.survived[fact.event.target] = fact.seq
