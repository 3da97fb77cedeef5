"""The right of an act: blows out of turn and their openings, casters and their one spell, routines that are due."""

from eventstore.events import ActionTaken, EffectStarted
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
from projections.state import Told, action_word

# ---------------------------------------------------------------- blows out of turn


def _fault(state: OsricState, told: Told[ActionTaken]) -> str:
    return fault_of(state, told) if is_interrupt(told.event.action) else ""


@check("interrupt.fleeing-attack", on=ActionTaken, group="place")
def a_fleeing_attack_belongs_to_its_flight(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    opening = opening_of(state, told)
    if opening is None or _fault(state, told) != FLEE:
        return None
    where = f"segment {opening.key.segment}"
    says = f"those whom {opening.combatant} leaves have one blow at it each, in {where}"
    return Breach(says, f"one in {where}", f"in segment {told.point.segment}", (opening.seq,))


@check("interrupt.set-spears", on=ActionTaken, group="place")
def a_set_spear_meets_a_charge(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    opening = opening_of(state, told)
    if opening is None or _fault(state, told) != CHARGE:
        return None
    says = f"{told.event.combatant} has no spear set against the charge of {opening.combatant}"
    return Breach(says, "a spear set before the charge", "none that bears this out", (opening.seq,))


@check("interrupt.out-of-turn", on=ActionTaken, group="place")
def a_blow_out_of_turn_names_its_opening(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    if not _fault(state, told):
        return None
    says = f"{told.event.combatant} strikes out of turn without an opening by an opponent"
    return Breach(says, "an opening", "none")


# ---------------------------------------------------------------- casters


@check("declare.spell-not-substituted", on=ActionTaken, group="place")
def a_declared_spell_binds(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    event, who = told.event, told.event.combatant
    if event.action.kind in WAITING or told.point.round == 0:
        return None
    before = bound_from_before(state, who, key_of_act(state, told))
    if before and before.status in ("spoiled", "withdrawn") and before.ended == told.point.round:
        found = action_word(event.action)
        return Breach(f"{who} was casting {before.name} into this round", before.name, found, (before.begun,))
    declared = declared_spell(state, who)
    begun = any(one.combatant == who and one.key.round == told.point.round for one in state.castings)
    its_own = event.action.kind == SPELL and declared_as(state, who, event.action.name) and not begun
    if declared is None or its_own:
        return None
    spell = action_word(declared.action)
    return Breach(f"{who} declared {spell}", spell, action_word(event.action), (declared.seq,))


@check("declare.spell-not-substituted", on=EffectStarted, group="effect")
def no_other_spell_comes_of_a_declaration(state: OsricState, told: Told[EffectStarted]) -> Breach | None:
    declared = declared_spell(state, told.event.source or "")
    if declared is None or not is_unheralded(state, told):
        return None
    spell = action_word(declared.action)
    return Breach(f"{told.event.source} declared {spell}", spell, told.event.effect, (declared.seq,))


def is_unheralded(state: OsricState, told: Told[EffectStarted]) -> bool:
    """Say whether this is the effect of a spell that was neither declared nor begun, and not reported as such."""
    source = told.event.source
    if not source or told.point.round == 0 or (source, told.event.effect.casefold()) in state.undeclared:
        return False
    of_an_act = any(act.seq == told.cause and act.combatant == source for act in state.acts)
    return not of_an_act and casting_of(state, told) is None


@check("spell.carries-into-next-round", on=ActionTaken, group="place")
def a_caster_does_nothing_else(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    before = bound_from_before(state, told.event.combatant, key_of_act(state, told))
    if before is None or told.event.action.kind in WAITING:
        return None
    idle = before.status == "done" and before.ended == told.point.round > before.key.round
    if before.status != "begun" and not (idle and state.option("after-long-spell") == "no-action"):
        return None
    since = f"round {before.key.round}" if before.key.round else f"surprise segment {before.key.segment}"
    says = f"{told.event.combatant} is casting {before.name} since {since}"
    return Breach(says, before.name, action_word(told.event.action), (before.begun,))


@check("spell.spoiled-by-interruption", on=ActionTaken, group="place")
def a_spell_spoiled_before_its_start_is_not_begun(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    wound = disturbed_before(state, told.event.combatant, told.point)
    if wound is None or told.event.action.kind != SPELL:
        return None
    return Breach(
        f"{action_word(told.event.action)} was spoiled before it was begun", "no casting", "a start", (wound.seq,)
    )


@check("declare.spell-may-be-given-up", on=ActionTaken, group="place")
def a_spell_given_up_is_not_begun(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    declared = declared_spell(state, told.event.combatant)
    if declared is None or not declared.given_up or told.event.action.kind != SPELL:
        return None
    spell = action_word(declared.action)
    return Breach(f"{spell} of {told.event.combatant} was given up", "no casting", "a start", (declared.given_up,))


# ---------------------------------------------------------------- routines


@check("attack.one-routine", on=ActionTaken, group="place")
def a_routine_is_used_together(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    number = 0 if is_extra(state, told) else number_of(state, told)
    parts = [a for a in used(state, told.event.combatant, told.point) if a.routine == number]
    if not number or not parts or told.point.segment in (0, parts[0].key.segment):
        return None
    where = f"segment {parts[0].key.segment}"
    says = f"the routine of {where} is one, with all its blows"
    return Breach(says, where, f"segment {told.point.segment}", (parts[0].seq,))


def used_before(state: OsricState, told: Told[ActionTaken]) -> int | None:
    """Return how many routines were used before a new one; None where the act begins none, or costs none."""
    number = number_of(state, told)
    if not number or is_extra(state, told) or not is_new(state, told, number):
        return None
    return count_used(state, told.event.combatant, told.point)


@check("attack.not-more-routines-than-due", on=ActionTaken, group="place")
def nobody_has_more_routines_than_are_due(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    who = told.event.combatant
    before, due = used_before(state, told), allowed(state, state.combatants[who], told.point)
    if before is None or before < due or granted(state, "attack.not-more-routines-than-due", who):
        return None
    acts = used(state, who, told.point)
    says = f"{who} has used {before} of {due} routines"
    return Breach(says, f"{due} routines", f"routine {before + 1}", tuple(act.seq for act in acts))


@check("attack.further-routine-waits", on=ActionTaken, group="place")
def a_further_routine_waits(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    event = told.event
    first = first_further_segment(state, state.combatants[event.combatant], event.action)
    if told.point.round == 0 or not used_before(state, told) or not 0 < told.point.segment < first:
        return None
    if is_interrupt(event.action):
        return None
    says = f"a further routine of {event.combatant} waits until the other side has acted"
    return Breach(says, f"segment {first} or later", f"segment {told.point.segment}")
