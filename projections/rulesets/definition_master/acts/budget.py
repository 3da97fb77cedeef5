"""The budget of a turn: move, standard and swift action, attack actions, and what free actions were used."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from eventstore.events import ActionDeclared, AttackRolled, Moved
from projections.because import Because, Derived
from projections.mechanics.memo import remembered
from projections.occurrence import Occurrence
from projections.rulesets.definition_master.acts import acts
from projections.rulesets.definition_master.state import MasterAct, MasterState
from projections.rulesets.definition_master.turns.order import taken_by
from projections.rulesets.definition_master.vitals import can_act
from projections.rulesets.ruleset import derives
from projections.state import Combatant


class TurnBudget(Struct):
    """What is left of a turn, and by which acts the rest was spent.

    `attacks` counts attack actions left once the standard action went into them (None: it did not). `moves`, `standards`,
    `swifts` and `attacked` are the acts that spent each, `seconds` the moves that cost a standard action, if there is one; `trade` the act for which the standard action was given up as
    a second move, `full` the full-round action in force.
    """

    move: int = 1
    standard: int = 1
    swift: int = 1
    attacks: int | None = None
    moves: list[MasterAct] = []
    seconds: list[MasterAct] = []
    standards: list[MasterAct] = []
    swifts: list[MasterAct] = []
    attacked: list[MasterAct] = []
    trade: MasterAct | None = None
    full: MasterAct | None = None


@derives("turn.action-kinds", on=acts.ACTS)
def act_is_kept(state: MasterState, fact: Any) -> None:
    """Keep an act with what it spends, and which attack rolls belong to an act."""
    told: Occurrence[Any] = fact.fact
    event, flow = told.event, state.flow
    act, rolls = fact.act, isinstance(event, AttackRolled)
    if rolls and not event.confirms and (behind := acts.act_behind(state, told)):
        flow.rolled.setdefault(behind.seq, []).append(told.seq)
    if isinstance(event, Moved) and (carries := acts.carrier(state, told)):
        flow.carried[told.seq] = carries.seq
    if act is None:
        return
    if rolls:
        flow.rolled[act.seq] = [act.seq]
    if isinstance(event, ActionDeclared):
        flow.declared.add(act.seq)
    flow.acts[act.seq] = act
    state.round.acts.append(act)
    if acts.is_immediate(state, act):
        state.round.immediate.setdefault(act.combatant, {})[act.seq] = acts.kind_of(act.cost)
    flow.own_acts.setdefault(act.combatant, []).append(act)


@derives("turn.action-kinds", "standard.traded-for-move", "standard.attacks-in-place")
def spent(one: Combatant, done: Iterable[MasterAct]) -> TurnBudget:
    """Return what these acts of one turn leave of it; what is spent beyond the budget leaves nothing."""
    left, slots = TurnBudget(), len(acts.curve(one).value)
    for act in done:
        if not act.declared:
            _spend(left, act, slots)
    return left


def _spend(left: TurnBudget, act: MasterAct, slots: int) -> None:
    match act.cost:
        case "move":
            if not left.move and trades(left, act):
                left.trade = act if left.standard else left.trade
                left.seconds.append(act)
                left.standard = 0
            left.moves.append(act)
            left.move = 0
        case "standard":
            left.trade = act if buys_move(act) and left.standard else left.trade
            left.standards.append(act)
            left.standard = 0
        case "attack":
            left.attacked.append(act)
            left.attacks = max(0, (slots * left.standard if left.attacks is None else left.attacks) - 1)
            left.standard = 0
        case "full-round":
            left.attacks = slots if act.kind == "charge" and left.standard else left.attacks
            left.full = left.full or act
            left.move = left.standard = 0
            left.swift *= act.kind == "charge"
        case "swift":
            left.swift = 0
            left.swifts.append(act)


def trades(left: TurnBudget, act: MasterAct) -> bool:
    """Say whether a second move action costs the standard action: not one told at the price of the move action that a step has used or would have."""
    return act.action.cost is None or not any(each.kind == "step" for each in (*left.moves, act))


def buys_move(act: MasterAct) -> bool:
    """Say whether an act is what a move action buys, and the standard action when it is given up for one."""
    return acts.usual_cost(act.kind) == acts.MOVE


@remembered
def of_turn(state: MasterState, who: str) -> TurnBudget:
    """Return what somebody has spent and has left of the turn that it took last."""
    return spent(state.combatants[who], acts.acts_of_turn(state, who))


def left(state: MasterState, who: str, what: str) -> Derived[int]:
    """Return what somebody has left of its move, standard, swift or attack actions: nothing outside its turn."""
    found = rest(state, who, what)
    if acts.has_turn(state, who):
        return found
    return Derived(0, Because(spent.rules[:1], (acts.ended_by(state, who, had=found.value > 0),)))


def rest(state: MasterState, who: str, what: str) -> Derived[int]:
    """Return what the turn that somebody took last has left, with what spent the rest; nothing of somebody who is out."""
    one, left = state.combatants[who], of_turn(state, who)
    whole = [*left.standards, *left.attacked, *((*left.moves[:1], *left.seconds[:1]) if left.seconds else ())]
    attacks = len(acts.curve(one).value) * left.standard if left.attacks is None else left.attacks
    number, by = {
        acts.MOVE: (left.move, left.moves),
        acts.STANDARD: (left.standard, whole),
        acts.SWIFT: (left.swift, left.swifts),
        acts.ATTACK: (attacks, whole if left.attacks is None else left.attacked),
    }[what]
    full = [left.full] if left.full and not (what == acts.SWIFT and left.full.kind == "charge") else []
    carried = {act.declared: act.seq for act in reversed(state.flow.own_acts.get(who, ()))}
    moves = state.flow.carried.items() if full and what == acts.MOVE else ()
    along = [seq for seq, by in moves if by == full[0].seq]
    further = (seq for act in (*by, *full) for seq in (act.seq, *filter(None, (carried.get(act.seq, 0),))))
    by_acts = (*further, *along)
    options = priced_by(state, acts.acts_of_turn(state, who))
    if not can_act(state, who):
        return Derived(0, Because(spent.rules, (one.joined,), {}, (one.standing,)))
    if number:
        return Derived(number, Because(spent.rules, (*taken_by(state, who), *by_acts), options, (one.standing,)))
    return Derived(0, Because(spent.rules, by_acts, options))


def priced_by(state: MasterState, done: Iterable[MasterAct]) -> dict[str, str]:
    """Return the option that the prices of these acts depend on, if they do."""
    return state.chosen("grapple-option-cost") if any(act.kind in acts.OPTIONS for act in done) else {}
