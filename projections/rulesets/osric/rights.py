"""The right of an act: blows out of turn and their openings, casters and their one spell, routines that are due."""

from eventstore.events import ActionTaken, EffectStarted
from projections.occurrence import Occurrence
from projections.rulesets.osric.casting import SPELL, bound_from_before, casting_of, declared_as, declared_spell
from projections.rulesets.osric.openings import CHARGE, FLEE, fault_of, is_extra, is_interrupt, opening_of
from projections.rulesets.osric.routines import (
    WAITING,
    allowed,
    count_used,
    first_further_segment,
    is_new,
    key_of_act,
    number_of,
    used,
)
from projections.rulesets.osric.spoiling import disturbed_before
from projections.rulesets.osric.state import OsricState
from projections.rulesets.osric.surprise import granted
from projections.rulesets.ruleset import Breach, check
from projections.state import action_word

# ---------------------------------------------------------------- blows out of turn


def _fault(state: OsricState, fact: Occurrence[ActionTaken]) -> str:
    return fault_of(state, fact) if is_interrupt(fact.event.action) else ""


@check("interrupt.fleeing-attack", on=ActionTaken, group="place")
def a_fleeing_attack_belongs_to_its_flight(state: OsricState, fact: Occurrence[ActionTaken]) -> Breach | None:
    opening = opening_of(state, fact)
    if opening is None or _fault(state, fact) != FLEE:
        return None
    where = f"segment {opening.key.segment}"
    says = f"those whom {opening.combatant} leaves have one blow at it each, in {where}"
    return Breach(says, f"one in {where}", f"in segment {fact.point.segment}", (opening.seq,))


@check("interrupt.set-spears", on=ActionTaken, group="place")
def a_set_spear_meets_a_charge(state: OsricState, fact: Occurrence[ActionTaken]) -> Breach | None:
    opening = opening_of(state, fact)
    if opening is None or _fault(state, fact) != CHARGE:
        return None
    says = f"{fact.event.combatant} has no spear set against the charge of {opening.combatant}"
    return Breach(says, "a spear set before the charge", "none that bears this out", (opening.seq,))


@check("interrupt.out-of-turn", on=ActionTaken, group="place")
def a_blow_out_of_turn_names_its_opening(state: OsricState, fact: Occurrence[ActionTaken]) -> Breach | None:
    if not _fault(state, fact):
        return None
    says = f"{fact.event.combatant} strikes out of turn without an opening by an opponent"
    return Breach(says, "an opening", "none")


# ---------------------------------------------------------------- casters


@check("declare.spell-not-substituted", on=ActionTaken, group="place")
def a_declared_spell_binds(state: OsricState, fact: Occurrence[ActionTaken]) -> Breach | None:
    event, who = fact.event, fact.event.combatant
    if event.action.kind in WAITING or fact.point.round == 0:
        return None
    before = bound_from_before(state, who, key_of_act(state, fact))
    if before and before.status in ("spoiled", "withdrawn") and before.ended == fact.point.round:
        found = action_word(event.action)
        return Breach(f"{who} was casting {before.name} into this round", before.name, found, (before.begun,))
    declared = declared_spell(state, who)
    begun = any(one.combatant == who and one.key.round == fact.point.round for one in state.castings)
    its_own = event.action.kind == SPELL and declared_as(state, who, event.action.name) and not begun
    if declared is None or its_own:
        return None
    spell = action_word(declared.action)
    return Breach(f"{who} declared {spell}", spell, action_word(event.action), (declared.seq,))


@check("declare.spell-not-substituted", on=EffectStarted, group="effect")
def no_other_spell_comes_of_a_declaration(state: OsricState, fact: Occurrence[EffectStarted]) -> Breach | None:
    declared = declared_spell(state, fact.event.source or "")
    if declared is None or not is_unheralded(state, fact):
        return None
    spell = action_word(declared.action)
    return Breach(f"{fact.event.source} declared {spell}", spell, fact.event.effect, (declared.seq,))


def is_unheralded(state: OsricState, fact: Occurrence[EffectStarted]) -> bool:
    """Say whether this is the effect of a spell that was neither declared nor begun, and not reported as such."""
    source = fact.event.source
    if not source or fact.point.round == 0 or (source, fact.event.effect.casefold()) in state.undeclared:
        return False
    of_an_act = any(act.seq == fact.cause and act.combatant == source for act in state.acts)
    return not of_an_act and casting_of(state, fact) is None


@check("spell.carries-into-next-round", on=ActionTaken, group="place")
def a_caster_does_nothing_else(state: OsricState, fact: Occurrence[ActionTaken]) -> Breach | None:
    before = bound_from_before(state, fact.event.combatant, key_of_act(state, fact))
    if before is None or fact.event.action.kind in WAITING:
        return None
    idle = before.status == "done" and before.ended == fact.point.round > before.key.round
    if before.status != "begun" and not (idle and state.option("after-long-spell") == "no-action"):
        return None
    since = f"round {before.key.round}" if before.key.round else f"surprise segment {before.key.segment}"
    says = f"{fact.event.combatant} is casting {before.name} since {since}"
    return Breach(says, before.name, action_word(fact.event.action), (before.begun,))


@check("spell.spoiled-by-interruption", on=ActionTaken, group="place")
def a_spell_spoiled_before_its_start_is_not_begun(state: OsricState, fact: Occurrence[ActionTaken]) -> Breach | None:
    wound = disturbed_before(state, fact.event.combatant, fact.point)
    if wound is None or fact.event.action.kind != SPELL:
        return None
    return Breach(
        f"{action_word(fact.event.action)} was spoiled before it was begun", "no casting", "a start", (wound.seq,)
    )


@check("declare.spell-may-be-given-up", on=ActionTaken, group="place")
def a_spell_given_up_is_not_begun(state: OsricState, fact: Occurrence[ActionTaken]) -> Breach | None:
    declared = declared_spell(state, fact.event.combatant)
    if declared is None or not declared.given_up or fact.event.action.kind != SPELL:
        return None
    spell = action_word(declared.action)
    return Breach(f"{spell} of {fact.event.combatant} was given up", "no casting", "a start", (declared.given_up,))


# ---------------------------------------------------------------- routines


@check("attack.one-routine", on=ActionTaken, group="place")
def a_routine_is_used_together(state: OsricState, fact: Occurrence[ActionTaken]) -> Breach | None:
    number = 0 if is_extra(state, fact) else number_of(state, fact)
    parts = [a for a in used(state, fact.event.combatant, fact.point) if a.routine == number]
    if not number or not parts or fact.point.segment in (0, parts[0].key.segment):
        return None
    where = f"segment {parts[0].key.segment}"
    says = f"the routine of {where} is one, with all its blows"
    return Breach(says, where, f"segment {fact.point.segment}", (parts[0].seq,))


def used_before(state: OsricState, fact: Occurrence[ActionTaken]) -> int | None:
    """Return how many routines were used before a new one; None where the act begins none, or costs none."""
    number = number_of(state, fact)
    if not number or is_extra(state, fact) or not is_new(state, fact, number):
        return None
    return count_used(state, fact.event.combatant, fact.point)


@check("attack.not-more-routines-than-due", on=ActionTaken, group="place")
def nobody_has_more_routines_than_are_due(state: OsricState, fact: Occurrence[ActionTaken]) -> Breach | None:
    who = fact.event.combatant
    before, due = used_before(state, fact), allowed(state, state.combatants[who], fact.point)
    if before is None or before < due or granted(state, "attack.not-more-routines-than-due", who):
        return None
    acts = used(state, who, fact.point)
    says = f"{who} has used {before} of {due} routines"
    return Breach(says, f"{due} routines", f"routine {before + 1}", tuple(act.seq for act in acts))


@check("attack.further-routine-waits", on=ActionTaken, group="place")
def a_further_routine_waits(state: OsricState, fact: Occurrence[ActionTaken]) -> Breach | None:
    event = fact.event
    first = first_further_segment(state, state.combatants[event.combatant], event.action)
    if fact.point.round == 0 or not used_before(state, fact) or not 0 < fact.point.segment < first:
        return None
    if is_interrupt(event.action):
        return None
    says = f"a further routine of {event.combatant} waits until the other side has acted"
    return Breach(says, f"segment {first} or later", f"segment {fact.point.segment}")
