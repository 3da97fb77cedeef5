"""Attacks of opportunity that come too late, or that are held actions under another name."""

from eventstore.events import ActionTaken
from projections.rulesets.definition_master.acts.pricing import AOO, IMMEDIATE, SWIFT
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.squares.ground import no_threat
from projections.rulesets.definition_master.squares.provoking import opening_of, why_not
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.definition_master.state_of_turns import Act
from projections.rulesets.ruleset import Breach, check

Acts = Reading[ActionTaken]


@check("aoo.on-leaving-threat", on=ActionTaken)
def a_strike_comes_at_once(state: MasterState, act: Acts) -> Breach | None:
    """Report a strike at what was done before something else: in an earlier turn, or before a further act of the turn."""
    told = act.act
    if told is None or told.cost != AOO or act.is_granted("aoo.on-leaving-threat") or why_not(state, told):
        return None
    opening = opening_of(state, told)
    if opening is None:
        return None
    since = [each for each in state.round.acts if _is_further(state, each, opening.seq)]
    began = state.clock.turn_event
    if not since and (not began or state.precedes(began, opening.seq)):
        return None
    later = tuple(each.seq for each in since[:1]) or (began,)
    return Breach(f"the moment of event {opening.seq} has gone by", "at once", "later", (opening.seq, *later))


def _is_further(state: MasterState, act: Act, seq: int) -> bool:
    """Say whether an act that is no immediate action came after a record."""
    return act.cost not in (*IMMEDIATE, "free") and act.seq != seq and state.precedes(seq, act.seq)


def _at(state: MasterState, act: Acts) -> Act | None:
    """Return the act at which somebody strikes that does not let it strike; None for other strikes."""
    told = act.act
    if told is None or told.cost != AOO or no_threat(state, told.who).value or not why_not(state, told):
        return None
    opening = opening_of(state, told)
    return state.flow.acts.get(opening.seq) if opening else None


def _unprovoked(state: MasterState, act: Acts, rule: str, at: Act) -> Breach | None:
    """Return the breach of a strike by a rule that applies besides a more specific one."""
    why = why_not(state, act.act) if act.act else ()
    if rule in why or "maneuver.provokes-from-defender" in why or act.is_granted(rule):
        return None
    return Breach(f"{act.one.id} strikes, and nothing provoked it", "no strike", "a strike", (at.seq,))


@check("aoo.on-leaving-threat", on=ActionTaken)
def a_strike_answers_leaving(state: MasterState, act: Acts) -> Breach | None:
    """Report a strike at a move that leaves no square which the striker threatens, or at a five-foot step."""
    at = _at(state, act)
    return _unprovoked(state, act, "aoo.on-leaving-threat", at) if at and at.kind in ("move", "step") else None


@check("aoo.other-provocations", on=ActionTaken)
def a_strike_answers_what_provokes(state: MasterState, act: Acts) -> Breach | None:
    """Report a strike at an act whose entry opens nobody, or not the striker, to it."""
    at = _at(state, act)
    return _unprovoked(state, act, "aoo.other-provocations", at) if at and at.kind not in ("move", "step") else None


@check("swift.never-provokes", on=ActionTaken)
def a_swift_action_draws_no_strike(state: MasterState, act: Acts) -> Breach | None:
    """Report a strike at a swift action of any kind."""
    at = _at(state, act)
    return _unprovoked(state, act, "swift.never-provokes", at) if at and at.cost == SWIFT else None


@check("immediate.three-kinds", on=ActionTaken)
def a_held_attack_is_no_strike(state: MasterState, act: Acts) -> Breach | None:
    """Report a held attack that is recorded as an attack of opportunity, though nothing provoked one."""
    told, armed = act.act, state.flow.triggers.armed.get(act.one.id)
    if told is None or told.cost != AOO or armed is None or armed.action is None or not why_not(state, told):
        return None
    if armed.action.kind.casefold() != told.kind:
        return None
    says = f"what {told.who} held is an immediate action of the third kind"
    return Breach(says, "a held action", "an attack of opportunity", (armed.seq,))
