"""What can be broken by spending more than a turn has: one account of it, and a check for each clause that it breaks."""

from collections.abc import Iterator
from typing import Any

from eventstore.events import ActionDeclared, ActionTaken, AttackRolled, Moved
from projections.mechanics.squares import legs, steps
from projections.rulesets.definition_master.acts.budget import Budget, buys_move, is_after_step
from projections.rulesets.definition_master.acts.curve import by_base, curve
from projections.rulesets.definition_master.acts.pricing import (
    AOO,
    ATTACK,
    FREE,
    FULL,
    MOVE,
    ON_TURN,
    STANDARD,
    SWIFT,
    entry_of,
)
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.definition_master.state_of_turns import Act
from projections.rulesets.definition_master.table import faults_of, maneuvers
from projections.rulesets.definition_master.vitals import can_act
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.ruleset import Breach, check
from projections.state import Combatant

ACTS = (ActionTaken, ActionDeclared, Moved, AttackRolled)
Acts = Reading[Any]
Excess = dict[str, tuple[str, list[Act]]]
"""The clauses that an act breaks by what it spends: in words, and the acts that had spent it."""
ALIKE = {"cast": "casting.standard-provokes", "use-item": "standard.use-activated"}
"""Kinds of acts two of which do not go into one standard action, by clauses of their own."""
STANDING = ("stand-up", "drop-prone")
BEYOND = {"standard.attacks-in-place", "attacks.extra-above-five", "attacks.at-most-four"}
"""The clauses of which an attack action too many breaks one: that about four, that about a single one, else the first."""


def paid(act: Acts, *costs: str) -> Act | None:
    """Return the act that a fact tells of if it pays one of these costs in its doer's own turn; None otherwise.

    Whoever cannot act pays nothing: that it acts at all is what is wrong.
    """
    told = act.act
    if told is None or not told.own or told.cost not in costs or not can_act(act.state, told.who):
        return None
    return None if told.declared else told


def excess(act: Acts) -> Excess:
    """Return what an act spends beyond the budget of its turn."""
    told, left = paid(act, *ON_TURN), act.budget
    if told is None or told.cost == FREE:
        return {}
    charges = left.full is not None and left.full.kind == "charge" and told.cost == ATTACK
    if told.cost == FULL or (left.full and not charges):
        return _beside(told, left)
    match told.cost:
        case "move":
            traded = left.standard and left.attacks is None and not is_after_step(left, told)
            return {} if left.move or traded else _of_move(told, left)
        case "standard":
            return {} if left.standard else _of_standard(told, left)
        case "attack":
            return _of_attack(act.one, left)
    return {"swift.one-per-round": ("has used its swift action", left.swifts)} if left.swifts else {}


def _beside(told: Act, left: Budget) -> Excess:
    """Return what goes with no full-round action: a move, a standard or, except in a charge, a swift action."""
    full, found = left.full or told, Excess()
    spent = [*left.moves, *left.standards, *left.attacked, *([left.full] if left.full else [])]
    if told.cost != SWIFT and spent:
        says = "has spent of this turn what a full-round action takes"
        found = {"full-round.whole-turn": (says, spent)}
        if "full-defense" in (told.kind, full.kind):
            found["full-defense.full-round"] = says, spent
    if (told.cost == SWIFT or (told.cost == FULL and left.swifts)) and full.kind != "charge":
        found["full-round.no-swift"] = f"takes a full round for the {full.kind}", [*left.swifts, *spent]
    if told.cost == SWIFT and left.swifts:
        found["swift.one-per-round"] = "has used its swift action", left.swifts
    return found


def _of_move(told: Act, left: Budget) -> Excess:
    """Return what a move action breaks that neither a move nor a standard action is left for."""
    if left.standard:
        return _moved(left, told)
    found: Excess = {}
    if left.attacks is not None:
        says = "has used its standard action for attacks"
        found["standard.attacks-exclude-other-standard"] = says, left.attacked
    if left.trade is None:
        says = "has no standard action to give up for a second move"
        found["standard.traded-for-move"] = says, [*left.standards, *left.attacked]
    elif left.attacks is None:
        found["turn.action-kinds"] = "has moved twice in this turn", left.moves
    return found | _moved(left, told)


def _moved(left: Budget, *more: Act) -> Excess:
    """Return the clauses of the moves that had taken the move action: of a step, and of standing up or dropping."""
    stepped = [each for each in (*left.moves, *more) if each.kind == "step"]
    stood = [each for each in left.moves if each.kind in STANDING]
    found: Excess = {"step.in-place-of-move": ("has used its move action for a step", stepped)} if stepped else {}
    return found | ({"move-action.stand-or-drop": ("has used its move action", stood)} if stood else {})


def _traded(left: Budget) -> Excess:
    says = "has given up its standard action for a second move"
    return {"standard.traded-for-move": (says, [left.trade] if left.trade else [])} | _moved(left)


def _of_standard(told: Act, left: Budget) -> Excess:
    """Return what a second standard action breaks, by what has used the first."""
    if left.attacks is not None:
        says = "has used its standard action for attacks"
        return {"standard.attacks-exclude-other-standard": (says, left.attacked)}
    if left.trade:
        return _traded(left)
    says, spent = "has used its standard action", left.standards
    alike = [each for each in spent if each.kind == told.kind and told.kind in ALIKE]
    if not alike:
        return {"standard.whole-slot": (says, spent), "turn.action-kinds": (says, spent)}
    found: Excess = {ALIKE[told.kind]: (says, alike)}
    if left.move and not buys_move(told):
        found["standard.not-from-move"] = "cannot act instead of moving", spent
    return found


def _of_attack(one: Combatant, left: Budget) -> Excess:
    """Return what an attack action breaks: after another standard action, or one more than the curve lists."""
    if left.attacks is None:
        if left.standard:
            return {}
        says = "has used its standard action otherwise"
        return _traded(left) if left.trade else {"standard.attacks-exclude-other-standard": (says, left.standards)}
    if left.attacks or left.standards or left.trade:
        return {}
    found, spent = curve(one).value, left.attacked
    count = f"has {len(found)} attack action{'s'[: len(found) != 1]}"
    if len(spent) > 3:
        return {"attacks.at-most-four": ("has attacked four times", spent)}
    if len(found) == 1 and found == by_base(found[0]):
        return {"attacks.extra-above-five": (f"{count} at base attack bonus {found[0]:+}", spent)}
    return {"standard.attacks-in-place": (count, spent)}


def is_beyond(act: Acts) -> bool:
    """Say whether an act is an attack action more than its doer has."""
    return not BEYOND.isdisjoint(excess(act))


@checks_by(*faults_of("spending"), on=ACTS)
def nothing_is_spent_twice(_state: MasterState, act: Acts) -> Iterator[Fault]:
    """Yield by which clauses an act spends beyond the budget; a maneuver too many has a clause of its own."""
    for rule, (says, spent) in excess(act).items():
        alike = BEYOND if rule in BEYOND else {rule}
        if not any(map(act.is_granted, alike)) and not (alike is BEYOND and act.act and act.act.kind in maneuvers()):
            yield Fault(
                (rule,), f"{act.one.id} {says}", "none left", "a further one", tuple(each.seq for each in spent)
            )


@check("turn.action-kinds", on=ACTS)
def actions_are_paid_in_the_own_turn(state: MasterState, act: Acts) -> Breach | None:
    """Report what only the own turn pays for in the turn of another, once a fight has turns; speech is left to the table."""
    told = act.act
    if told is None or told.cost not in ON_TURN or told.own or not state.flow.started or told.kind in ("speak", "talk"):
        return None
    if act.is_granted("turn.action-kinds") or not can_act(state, told.who):
        return None
    turn = state.clock.turn or "nobody"
    return Breach(f"{told.who} spends {told.cost} in the turn of {turn}", f"the turn of {told.who}", turn)


@check("step.in-place-of-move", on=Moved)
def a_step_is_one_square_for_a_move_action(_state: MasterState, act: Acts) -> Breach | None:
    """Report a step of more than a square, and one at another price."""
    told, event = act.act, act.event
    if told is None or told.kind != "step":
        return None
    if _feet(event) > 5:
        return Breach(f"{told.who} takes a step of {_feet(event)} ft", "5 ft", f"{_feet(event)} ft")
    if told.own and told.cost not in (MOVE, STANDARD):
        return Breach(f"{told.who} takes a step as a {told.cost} action", "a move action", told.cost)
    return None


def _feet(event: Any) -> int:
    """Return the feet of a move: as recorded, or by its path."""
    if event.distance is not None:
        by = {"square": 5, "squares": 5, "ft": 1}.get(event.distance.unit.casefold(), 1)
        return int(event.distance.amount * by)
    return 5 * sum(map(steps, legs(event.path)))


@check("standard.attack-actions-listed", on=ActionTaken)
def a_maneuver_in_an_attacks_place_is_no_standard_action(
    _state: MasterState, act: Reading[ActionTaken]
) -> Breach | None:
    """Report an attack, trip, shatter, disarm or bash at the price of the standard action, and a spell at that of an attack."""
    told = act.act
    if told is None or act.is_granted("standard.attack-actions-listed"):
        return None
    if told.kind in ("attack", *maneuvers()) and told.cost in (STANDARD, MOVE, FREE):
        return Breach(f"a {told.kind} takes an attack action", "an attack action", f"a {told.cost} action")
    entry = entry_of(act.one, act.event.action)
    if told.kind == "cast" and told.cost == ATTACK and not (entry and entry.cost == ATTACK):
        return Breach("no entry makes this spell an attack action", "a standard action", "an attack action")
    return None


@check("free.distinct-without-limit", on=ActionTaken)
def no_two_free_actions_are_alike(state: MasterState, act: Reading[ActionTaken]) -> Breach | None:
    """Report a free action like one before it: of the same kind, and by option about the same thing."""
    told = paid(act, FREE)
    if told is None or told.kind in ("escape", "talk", "other") or act.is_granted("free.distinct-without-limit"):
        return None
    alike = [each for each in act.so_far if each.own and each.cost == FREE and _alike(state, each, told)]
    if not alike:
        return None
    says = f"{told.who} has used a free action of the kind {told.kind} in this turn"
    return Breach(says, "another kind", told.kind, tuple(each.seq for each in alike))


def _alike(state: MasterState, one: Act, other: Act) -> bool:
    if one.kind != other.kind:
        return False
    return state.option("free-sameness") == "kind" or _object(one) == _object(other)


def _object(act: Act) -> tuple[Any, ...]:
    action = act.action
    return (*action.targets, (action.object or "").casefold()) if action.targets or action.object else (action.name,)


@check("full-defense.full-round", on=ActionTaken)
def by_option_who_defends_strikes_at_nobody(state: MasterState, act: Reading[ActionTaken]) -> Breach | None:
    """Report by option an attack of opportunity while the own full defense is in force."""
    if act.act is None or act.act.cost != AOO or state.option("full-defense-strikes") == "allowed":
        return None
    defends = next((each for each in act.so_far if each.kind == "full-defense" and each.cost == FULL), None)
    if defends is None:
        return None
    return Breach(f"{act.one.id} only defends until its next turn", "no strike", "a strike", (defends.seq,))
