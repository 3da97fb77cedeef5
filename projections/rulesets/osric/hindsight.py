"""Hindsight: rows of one segment may stand in any order, so a blow may bar an act or spoil a spell told before it."""

from eventstore.events import DamageDealt
from projections.mechanics.pools import loss
from projections.occurrence import Occurrence
from projections.rulesets.osric.acts import deals_all_the_same
from projections.rulesets.osric.routines import FREE
from projections.rulesets.osric.spoiling import disturbed_at, in_window, key_of_outcome
from projections.rulesets.osric.state import Act, OsricState
from projections.rulesets.ruleset import Breach, check


@check("effects.take-hold-at-once", on=DamageDealt)
def a_blow_bars_what_has_a_higher_key(state: OsricState, fact: Occurrence[DamageDealt]) -> Breach | None:
    if not _fells(state, fact):
        return None
    barred = next(iter(_later_acts(state, fact)), None)
    if barred is None:
        return None
    says = f"{barred.combatant} falls before this in the same segment, by a row told after it"
    return Breach(says, "no act", "an act", (fact.seq,), about=state.moments[barred.seq])


def _fells(state: OsricState, fact: Occurrence[DamageDealt]) -> bool:
    """Say whether damage puts somebody out of action who was not."""
    one, limit = state.combatants[fact.event.target], state.option("out-of-action-at")
    ruled = f"{one.id}.status" in state.ruled
    if limit == "ruling" or one.hp is None or fact.event.object or one.id in state.fallen or ruled:
        return False
    return one.hp - loss(one.hp, one.hp_max, one.temp, one.nld, fact.event, state.rules.pools(state, one)).hp <= int(
        limit
    )


def _later_acts(state: OsricState, fact: Occurrence[DamageDealt]) -> list[Act]:
    """Return the acts of whoever is hit that were told before the blow and have a higher key in its segment."""
    key = key_of_outcome(state, fact)
    opened = {act.answers for act in state.acts if act.seq == fact.cause}
    return [
        act
        for act in state.openings.values()
        if act.combatant == fact.event.target
        and act.seq not in state.barred | opened
        and (act.key.round, act.key.segment) == (key.round, key.segment)
        and act.key > key
        and act.seq in state.moments
        and not deals_all_the_same(state, state.moments[act.seq], key, act.key)
        and act.action.kind not in FREE
    ]


@check("spell.spoiled-by-interruption", on=DamageDealt)
def a_blow_spoils_what_had_effect_after_it(state: OsricState, fact: Occurrence[DamageDealt]) -> Breach | None:
    one = state.combatants[fact.event.target]
    if (
        fact.event.object
        or state.option("spoil-cause") != "damage"
        or loss(one.hp, one.hp_max, one.temp, one.nld, fact.event, state.rules.pools(state, one)).hp < 1
    ):
        return None
    key, segment = key_of_outcome(state, fact), disturbed_at(state, fact)
    for seen in state.seen:
        done = [c for c in state.castings if c.combatant == one.id and c.ended_by == seen.seq and c.status == "done"]
        at_once = (seen.key.round, seen.key.segment) == (key.round, key.segment) and seen.key > key
        if at_once and seen.seq in state.moments and any(in_window(state, casting, segment) for casting in done):
            says = f"{seen.name} of {one.id} is spoiled before its effect, by a row told after it"
            return Breach(says, "no effect", "an effect", (fact.seq,), about=state.moments[seen.seq])
    return None
