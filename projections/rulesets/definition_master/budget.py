"""The budget of a turn: move, standard, swift and attack actions, and the acts that spent them."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

from eventstore.events import ActionDeclared, AttackRolled, Fact, Moved
from projections.because import Because, Derived
from projections.fight import Combatant
from projections.mechanics.memo import remembered
from projections.occurrence import is_a
from projections.ruleset.ruleset import derives
from projections.rulesets.definition_master import acts
from projections.rulesets.definition_master.order import taken_by
from projections.rulesets.definition_master.state import MasterAct, MasterState
from projections.rulesets.definition_master.vitals import can_act

if TYPE_CHECKING:
    from projections.rulesets.definition_master.reading import Reading


class TurnBudget(Struct):
    """The actions that a turn has left, and the acts that spent the others."""

    move: int = 1
    standard: int = 1
    swift: int = 1
    attacks: int | None = None
    """The attack actions left; None unless the standard action was used for attacks."""
    short: bool = False
    """Whether the standard action had been spent otherwise when the first attack action was."""
    moves: list[MasterAct] = []
    """The acts that cost a move action."""
    seconds: list[MasterAct] = []
    """The acts among them that cost the standard action, as no move action was left."""
    standards: list[MasterAct] = []
    swifts: list[MasterAct] = []
    attacked: list[MasterAct] = []
    """The acts that cost an attack action."""
    trade: MasterAct | None = None
    """The act for which the standard action was given up as a second move."""
    full: MasterAct | None = None
    """The full-round action that takes the turn."""


@derives("turn.action-kinds", on=acts.ACTS)
def act_is_kept(state: MasterState, fact: "Reading[Fact]") -> None:
    """Keep the act that a fact records, and the act to which an attack roll or a move belongs."""
    occurrence, event, flow = fact.fact, fact.event, state.flow
    act, rolls = fact.act, isinstance(event, AttackRolled)
    if isinstance(event, AttackRolled) and not event.confirms and (behind := acts.act_behind(state, occurrence)):
        flow.rolled.setdefault(behind.seq, []).append(occurrence.seq)
    if is_a(occurrence, Moved) and (carries := acts.carrier(state, occurrence)):
        flow.carried[occurrence.seq] = carries.seq
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
def budget_after(one: Combatant, done: Iterable[MasterAct]) -> TurnBudget:
    """Return the budget that these acts of one turn leave; nothing falls below 0."""
    left, slots = TurnBudget(), len(acts.attack_bonuses(one).value)
    for act in done:
        if not act.declared and act.cost in SPENDING:
            SPENDING[act.cost](left, act, slots)
    return left


def _spend_move(left: TurnBudget, act: MasterAct, _slots: int) -> None:
    """Spend the move action or, if it is gone and the act may be traded for it, the standard action."""
    if not left.move and trades(left, act):
        left.trade = act if left.standard else left.trade
        left.seconds.append(act)
        left.standard = 0
    left.moves.append(act)
    left.move = 0


def _spend_standard(left: TurnBudget, act: MasterAct, _slots: int) -> None:
    """Spend the standard action; an act that a move action buys gives it up for a second move."""
    left.trade = act if buys_move(act) and left.standard else left.trade
    left.standards.append(act)
    left.standard = 0


def _spend_attack(left: TurnBudget, act: MasterAct, slots: int) -> None:
    """Spend one attack action; the first one turns the standard action into as many as the combatant has."""
    left.attacked.append(act)
    left.short |= left.attacks is None and not left.standard
    left.attacks = max(0, (slots * left.standard if left.attacks is None else left.attacks) - 1)
    left.standard = 0


def _spend_full_round(left: TurnBudget, act: MasterAct, slots: int) -> None:
    """Spend the whole turn, except that a charge leaves the swift action and gives the attack actions at its end."""
    left.attacks = slots if act.kind == "charge" and left.standard else left.attacks
    left.full = left.full or act
    left.move = left.standard = 0
    left.swift *= act.kind == "charge"


def _spend_swift(left: TurnBudget, act: MasterAct, _slots: int) -> None:
    """Spend the swift action."""
    left.swift = 0
    left.swifts.append(act)


SPENDING: dict[str, Callable[[TurnBudget, MasterAct, int], None]] = {
    acts.MOVE: _spend_move,
    acts.STANDARD: _spend_standard,
    acts.ATTACK: _spend_attack,
    acts.FULL: _spend_full_round,
    acts.SWIFT: _spend_swift,
}
"""The functions that spend the cost of an act, by the cost; an act of any other cost spends nothing of the turn."""


def trades(left: TurnBudget, act: MasterAct) -> bool:
    """Say whether a second move action may cost the standard action: not if its cost is recorded and it or an earlier
    one is a step.
    """
    return act.action.cost is None or not any(each.kind == "step" for each in (*left.moves, act))


def buys_move(act: MasterAct) -> bool:
    """Say whether an act is of a kind that usually costs a move action."""
    return acts.usual_cost(act.kind) == acts.MOVE


@remembered
def budget_of(state: MasterState, who: str) -> TurnBudget:
    """Return the budget of the turn that a combatant took last."""
    return budget_after(state.combatants[who], acts.acts_of_turn(state, who))


def left(state: MasterState, who: str, what: str) -> Derived[int]:
    """Return how much of an action a combatant has left; 0 outside its turn."""
    found = left_of_last_turn(state, who, what)
    if acts.has_turn(state, who):
        return found
    return Derived(0, Because(("turn.action-kinds",), (acts.ended_by(state, who, had=found.value > 0),)))


def left_of_last_turn(state: MasterState, who: str, what: str) -> Derived[int]:
    """Return how much of an action a combatant's last turn has left; 0 if the combatant is out of action.

    The reason cites the acts that spent it and, while some is left, the record that gave the combatant its turn.
    """
    one = state.combatants[who]
    if not can_act(state, who):
        return Derived(0, Because(budget_after.rules, (one.joined,), (one.standing,)))
    number, spenders = _number_and_spenders(one, budget_of(state, who), what)
    records, options = _spending_records(state, who, what, spenders), priced_by(acts.acts_of_turn(state, who))
    if number:
        return Derived(
            number, Because(budget_after.rules, (*taken_by(state, who), *records), (one.standing,), options=options)
        )
    return Derived(0, Because(budget_after.rules, records, options=options))


def _number_and_spenders(one: Combatant, left: TurnBudget, what: str) -> tuple[int, list[MasterAct]]:
    """Return how much of an action a turn has left, and the acts that spent it.

    Attack actions that were not begun, or without a standard action, are spent with it; two moves spend it, too.
    """
    whole = [*left.standards, *left.attacked, *((*left.moves[:1], *left.seconds[:1]) if left.seconds else ())]
    attacks = len(acts.attack_bonuses(one).value) * left.standard if left.attacks is None else left.attacks
    return {
        acts.MOVE: (left.move, left.moves),
        acts.STANDARD: (left.standard, whole),
        acts.SWIFT: (left.swift, left.swifts),
        acts.ATTACK: (attacks, whole if left.attacks is None or left.short else left.attacked),
    }[what]


def _spending_records(state: MasterState, who: str, what: str, spenders: Iterable[MasterAct]) -> tuple[int, ...]:
    """Return the records that spent an action: those of the acts that spent it, and of a full-round action.

    After a declared act comes the act that carried it out, before a further attack the roll that makes it one. The moves that are
    part of a full-round action spend the move action, too. A charge spends no swift action.
    """
    full = budget_of(state, who).full
    taking = [full] if full and not (what == acts.SWIFT and full.kind == "charge") else []
    done = {act.declared: act.seq for act in reversed(state.flow.own_acts.get(who, ()))}
    records = (seq for act in (*spenders, *taking) for seq in (act.seq, act.after, done.get(act.seq, 0)) if seq)
    parts = state.flow.carried.items() if taking and what == acts.MOVE else ()
    return (*records, *(seq for seq, by in parts if by == taking[0].seq))


def priced_by(done: Iterable[MasterAct]) -> dict[str, str]:
    """Return the options on which the prices of these acts depend."""
    return {name: value for act in done for name, value in act.asked.items()}
