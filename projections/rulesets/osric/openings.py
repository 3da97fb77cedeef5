"""Openings: acts that let an opponent strike out of turn, and what a blow out of turn has to go by."""

from eventstore.events import ActionDeclared, ActionTaken, ConditionGained, ConditionLost
from eventstore.shapes import Action
from projections.occurrence import Occurrence
from projections.rulesets.osric.state import Act, OsricState
from projections.rulesets.ruleset import derives

SPEAR = "spear set"
INTERRUPT = "interrupt"
FLEE, CHARGE = "flee", "charge"


def is_interrupt(action: Action) -> bool:
    """Say whether an action is a blow out of turn."""
    return action.cost == INTERRUPT


def opening_of(state: OsricState, fact: Occurrence[ActionTaken]) -> Act | None:
    """Return the act that a blow out of turn answers, if it names one; flights and charges of earlier rounds count."""
    return state.openings.get(fact.event.trigger or 0)


def fault_of(state: OsricState, fact: Occurrence[ActionTaken]) -> str:
    """Return the kind of opening that does not bear a blow out, or "none" where there is no opening; "" if it does."""
    opening = opening_of(state, fact)
    if opening is None:
        return "none"
    one, other = state.combatants[fact.event.combatant], state.combatants[opening.combatant]
    key, point = opening.key, fact.point
    there = key.round == point.round and (point.segment in (0, key.segment)) and one.side != other.side
    if is_allowed_by_ruling(state, opening):
        return "" if there else "none"
    if opening.action.kind == FLEE:
        return "" if there and _leaves(state, fact, opening) else FLEE
    if opening.action.kind == CHARGE:
        return "" if there and _is_met(fact, opening) else CHARGE
    return "none"


@derives("interrupt.fleeing-attack")
def _leaves(state: OsricState, fact: Occurrence[ActionTaken], flight: Act) -> bool:
    """Say whether a flight leaves this opponent, who strikes at the one who flees, for the first time."""
    who, left, at = fact.event.combatant, flight.action.targets, fact.event.action.targets
    before = [act for act in state.acts if act.combatant == who and act.answers == flight.seq]
    routine = fact.event.action.routine
    again = any(routine is None or act.action.routine != routine for act in before)
    return not again and (not left or who in left) and (not at or flight.combatant in at)


@derives("interrupt.set-spears")
def _is_met(fact: Occurrence[ActionTaken], charge: Act) -> bool:
    """Say whether a charge comes at somebody whose spear was set before it."""
    who, aim, at = fact.event.combatant, charge.action.targets, fact.event.action.targets
    return who in charge.spears and (not aim or who in aim) and (not at or charge.combatant in at)


@derives("interrupt.others-by-ruling")
def is_allowed_by_ruling(state: OsricState, opening: Act) -> bool:
    """Say whether a ruling allows openings of this kind, or this one."""
    words = {opening.action.kind.casefold(), (opening.action.name or "").casefold()} - {""}
    for fact in state.rulings:
        event = fact.event
        about = event.rule is None or event.rule.startswith("interrupt.")
        if event.ruling not in ("grant", "fact") or not about:
            continue
        subject = (event.subject or "").casefold()
        named = event.event == opening.seq or any(subject and (w in subject or subject in w) for w in words)
        unnamed = event.event is None and not subject and (event.ruling == "grant" or event.rule is not None)
        if named or unnamed:
            return True
    return False


@derives("interrupt.fleeing-attack", "interrupt.set-spears")
def is_extra(state: OsricState, fact: Occurrence[ActionTaken]) -> bool:
    """Say whether a blow out of turn leaves the routines of the round alone."""
    cost = state.option("interrupt-cost")
    opening = opening_of(state, fact)
    fleeing = opening is not None and opening.action.kind == FLEE
    return is_interrupt(fact.event.action) and (cost == "all-free" or (cost == "flee-free" and fleeing))


@derives("interrupt.set-spears", on=(ActionDeclared, ActionTaken))
def spear_is_set_or_moved(state: OsricState, fact: Occurrence[ActionDeclared] | Occurrence[ActionTaken]) -> None:
    """Keep who has set a spear, until the holder moves."""
    who, kind = fact.event.combatant, fact.event.action.kind
    if kind == "set-spear":
        side = fact.event.side if isinstance(fact.event, ActionDeclared) else None
        for name in [who] if who else [one.id for one in state.here() if one.side == side]:
            state.spears.setdefault(name, fact.seq)
    elif who and kind in ("move", FLEE, CHARGE) and isinstance(fact.event, ActionTaken):
        state.spears.pop(who, None)


@derives("interrupt.set-spears", on=(ConditionGained, ConditionLost))
def spear_is_a_condition(state: OsricState, fact: Occurrence[ConditionGained] | Occurrence[ConditionLost]) -> None:
    """Take the condition for a spear that is set."""
    if fact.event.condition.casefold() != SPEAR:
        return
    for who in fact.event.targets:
        if isinstance(fact.event, ConditionGained):
            state.spears.setdefault(who, fact.seq)
        else:
            state.spears.pop(who, None)
