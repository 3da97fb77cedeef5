"""The round as a list of turns: acts with their costs, ground covered, resources left, and combatants who are due."""

from eventstore.shapes import Action
from projections.address import is_number
from projections.because import Because, Derived
from projections.fight import Combatant, Ruled, TimelineRow
from projections.folds.budget import resource_rows
from projections.folds.rows import row_of_act, row_of_due, row_of_turn
from projections.mechanics.turnlist import Turn
from projections.open_types import Json
from projections.ruleset.budget import Budget
from projections.ruleset.ruleset import derives
from projections.rulesets.nameless_journey import budget, movement
from projections.rulesets.nameless_journey.movement import feet_left, ground_covered, modes, price_of_path, speed
from projections.rulesets.nameless_journey.order import place_reason, why_ordered
from projections.rulesets.nameless_journey.reactions import spoil_countered_spell
from projections.rulesets.nameless_journey.state import RULES, NamelessRound, NamelessState, PaidAct, Stretch, described
from projections.rulesets.nameless_journey.turns import boundaries_crossed, combatants_due
from projections.time import Point


def timeline_rows(state: NamelessState) -> tuple[TimelineRow, ...]:
    """Return the rows of the round's turns in order, with acts and stretches, then of combatants still due."""
    now: NamelessRound = state.round
    rows = [_turn_row(state, turn) for turn in now.turns]
    rows += [_act_row(state, act) for act in now.acts] + [_stretch_row(each) for each in now.stretches]
    rows.sort(key=lambda row: row.order)
    lost = [_lost_row(state, who, seq) for who, seq in getattr(state.last, "lost", {}).items()]
    return (*lost, *rows, *(row_of_due(state, who, place_reason(state, who)) for who in combatants_due(state)))


@derives("initiative.highest-first")
def _lost_row(state: NamelessState, who: str, seq: int) -> TimelineRow:
    because = why_ordered(state, who) + Because(_lost_row.rules, (seq,))
    return TimelineRow(Point(state.last.number), who, "lost", because, action="turn")


def _turn_row(state: NamelessState, turn: Turn) -> TimelineRow:
    ended = (turn.ended,) if turn.ended else ()
    because = Because(boundaries_crossed.rules, (turn.seq, *ended)) + why_ordered(state, turn.combatant)
    return row_of_turn(turn, because, turn.point.turn, 0, turn.seq)


def _act_row(state: NamelessState, act: PaidAct) -> TimelineRow:
    counter = state.spoiled.get(act.seq)
    because = Because((*budget.act_price(act.action).rules, *budget.pay_act.rules), (act.seq,))
    if tries := [counter] if counter else state.counters.get(act.seq, []):
        saved = [state.spoiled[seq] for seq in tries if seq in state.spoiled]
        because += Because(spoil_countered_spell.rules, (*tries, *saved))
    how, order = "spoiled" if counter else "done", (act.point.turn, 1, act.row)
    return row_of_act(act.point, act.combatant, act.action, how, because, cost=act.cost, events=(act.seq,), order=order)


def _stretch_row(one: Stretch) -> TimelineRow:
    because = Because(feet_left.rules, (one.seq,), (), one.asked)
    walked, cost = Action(kind="move", name=f"{one.mode} {one.feet} ft"), "movement" if one.counts else "none"
    order = (one.point.turn, 1, one.row)
    return row_of_act(one.point, one.combatant, walked, "done", because, cost=cost, events=(one.seq,), order=order)


def _amount_left(state: NamelessState, one: Combatant, what: str) -> Derived[int] | None:
    if what == budget.REACTION:
        return budget.reactions_left(state, one)
    if what in budget.ON_TURN:
        return budget.amount_left(state, one, what)
    return feet_left(state, one, what) if what in modes(state, one) else None


def _wants_left(state: NamelessState, who: str, what: str, value: Json) -> str:
    fits = is_number(value) and value >= 0 and _amount_left(state, state.combatants[who], what)
    return "" if fits else "a number from 0 of what there is"


def _set_amount(state: NamelessState, who: str, what: str, value: int, seq: int) -> None:
    """Set the rest of a resource in this turn; outside its owner's turn, where there is none, the ruling grants it."""
    one = state.combatants[who]
    if not state.clock.is_turn_of(who) and (what != budget.REACTION or budget.has_no_reaction_yet(state, who)):
        state.ruled[f"{who}.left.{what}"] = Ruled(value, seq, "turn")
        return
    if what in resource_rows(RULES):
        whole, spent = budget.full_amount(state, one, what), len(budget.acts_spending(state, who, what))
    else:
        whole, spent = speed(state, one, what), sum(ground_covered(state, who).feet.values())
    budget.add_amount(state, who, what, value - whole.value + spent, seq)


def _feet_moved(state: NamelessState, who: str) -> Derived[int]:
    ground = ground_covered(state, who)
    counted = tuple(each.seq for each in ground.stretches if each.counts)
    turn = ground.turn if counted or ground.reset else state.combatants[who].joined
    because = Because(feet_left.rules, (turn, *counted), (), movement.asked_options_of(ground))
    return Derived(sum(ground.feet.values()), because)


def _feet_of_last_stretch(state: NamelessState, who: str) -> Derived[int] | None:
    own = ground_covered(state, who).stretches
    return Derived(own[-1].feet, Because(price_of_path.rules, (own[-1].seq,), (), own[-1].asked)) if own else None


def _why_barred(state: NamelessState, one: Combatant, what: str) -> Because | None:
    """Return why a combatant cannot use a Reaction that is left: it is its own turn, and no option allows that."""
    option = "reaction-on-own-turn"
    if what != budget.REACTION or not state.clock.is_turn_of(one.id) or state.option(option) == "allowed":
        return None
    return Because(("reaction.outside-own-turn",), state.clock.events)


BUDGET = Budget(
    left=_amount_left, names=lambda s, one: (*budget.ON_TURN, budget.REACTION, *modes(s, one)), bars=_why_barred
)
LEFT = {"wants": _wants_left, "rule": _set_amount}
ADDRESSES = (
    *(
        described(f"<who>.{field}.<what>", lambda s, who, what: _amount_left(s, s.combatants[who], what), **LEFT)
        for field in ("left", "budget")
    ),
    described("<who>.moved", _feet_moved),
    described(
        "<who>.stretch",
        _feet_of_last_stretch,
        places=lambda s: ((who,) for who, ground in s.ground.items() if ground.stretches),
    ),
)
