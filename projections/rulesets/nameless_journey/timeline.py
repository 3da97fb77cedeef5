"""The round as a list of turns: acts with their costs, ground covered, resources left, and combatants who are due."""

from eventstore.shapes import Action
from projections.address import is_number
from projections.because import Because, Derived
from projections.fight import Combatant, Ruled, TimelineRow
from projections.folds.budget import resource_rows
from projections.folds.rows import row_of_act, row_of_due, row_of_turn
from projections.mechanics.turnlist import Turn
from projections.open_types import Json, RulesState
from projections.ruleset.budget import Budget
from projections.ruleset.ruleset import derives
from projections.rulesets.nameless_journey import budget
from projections.rulesets.nameless_journey.effects import end_of
from projections.rulesets.nameless_journey.movement import asked_for, ground_of, left_in, modes, price, speed
from projections.rulesets.nameless_journey.order import order_because, place_because
from projections.rulesets.nameless_journey.reactions import spell_is_countered
from projections.rulesets.nameless_journey.state import RULES, NamelessRound, NamelessState, PaidAct, Stretch, described
from projections.rulesets.nameless_journey.turns import boundaries_crossed, due
from projections.time import Point


def entries(state: NamelessState) -> tuple[TimelineRow, ...]:
    """Return the rows of the round's turns in order, with acts and stretches, then of combatants still due."""
    now: NamelessRound = state.round
    rows = [_turn(state, turn) for turn in now.turns]
    rows += [_act(state, act) for act in now.acts] + [_stretch(each) for each in now.stretches]
    rows.sort(key=lambda row: row.order)
    lost = [_lost(state, who, seq) for who, seq in getattr(state.last, "lost", {}).items()]
    return (*lost, *rows, *(row_of_due(state, who, place_because(state, who)) for who in due(state)))


@derives("initiative.highest-first")
def _lost(state: NamelessState, who: str, seq: int) -> TimelineRow:
    because = order_because(state, who) + Because(_lost.rules, (seq,))
    return TimelineRow(Point(state.last.number), who, "lost", because, action="turn")


def _turn(state: NamelessState, turn: Turn) -> TimelineRow:
    ended = (turn.ended,) if turn.ended else ()
    because = Because(boundaries_crossed.rules, (turn.seq, *ended)) + order_because(state, turn.combatant)
    return row_of_turn(turn, because, turn.point.turn, 0, turn.seq)


def _act(state: NamelessState, act: PaidAct) -> TimelineRow:
    """Return the row of an act: done, or spoiled by a Counterspell."""
    counter = state.spoiled.get(act.seq)
    because = Because((*budget.price_of(act.action).rules, *budget.act_is_paid.rules), (act.seq,))
    if tries := [counter] if counter else state.counters.get(act.seq, []):
        saved = [state.spoiled[seq] for seq in tries if seq in state.spoiled]
        because += Because(spell_is_countered.rules, (*tries, *saved))
    how, order = "spoiled" if counter else "done", (act.point.turn, 1, act.row)
    return row_of_act(act.point, act.combatant, act.action, how, because, cost=act.cost, events=(act.seq,), order=order)


def _stretch(one: Stretch) -> TimelineRow:
    because = Because(left_in.rules, (one.seq,), (), one.asked)
    walked, cost = Action(kind="move", name=f"{one.mode} {one.feet} ft"), "movement" if one.counts else "none"
    order = (one.point.turn, 1, one.row)
    return row_of_act(one.point, one.combatant, walked, "done", because, cost=cost, events=(one.seq,), order=order)


def _left(state: NamelessState, one: Combatant, what: str) -> Derived[int] | None:
    if what == budget.REACTION:
        return budget.reactions_left(state, one)
    if what in budget.ON_TURN:
        return budget.left(state, one, what)
    return left_in(state, one, what) if what in modes(state, one) else None


def _left_of(state: NamelessState, who: str, what: str) -> Derived[int] | None:
    return _left(state, state.combatants[who], what)


def _wants_left(state: NamelessState, who: str, what: str, value: Json) -> str:
    return "" if is_number(value) and value >= 0 and _left_of(state, who, what) else "a number from 0 of what there is"


def _set_left(state: NamelessState, who: str, what: str, value: int, seq: int) -> None:
    """Set the rest of a resource in this turn; outside its owner's turn, where there is none, the ruling grants it."""
    one = state.combatants[who]
    if not state.clock.is_turn_of(who) and (what != budget.REACTION or budget.is_barred(state, who)):
        state.ruled[f"{who}.left.{what}"] = Ruled(value, seq, "turn")
    elif what in resource_rows(RULES):
        more = value - budget.whole_of(state, one, what).value + len(budget.spent_on(state, who, what))
        budget.allow(state, who, what, more, seq)
    else:
        more = value - speed(state, one, what).value + sum(ground_of(state, who).feet.values())
        budget.allow(state, who, what, more, seq)


def _moved(state: NamelessState, who: str) -> Derived[int]:
    ground = ground_of(state, who)
    counted = tuple(each.seq for each in ground.stretches if each.counts)
    turn = ground.turn if counted or ground.reset else state.combatants[who].joined
    return Derived(sum(ground.feet.values()), Because(left_in.rules, (turn, *counted), (), asked_for(ground)))


def _last_stretch(state: NamelessState, who: str) -> Derived[int] | None:
    own = ground_of(state, who).stretches
    return Derived(own[-1].feet, Because(price.rules, (own[-1].seq,), (), own[-1].asked)) if own else None


def _movers(state: RulesState) -> list[tuple[str]]:
    return [(who,) for who, ground in state.ground.items() if ground.stretches]


def _names(state: NamelessState, one: Combatant) -> tuple[str, ...]:
    return (*budget.ON_TURN, budget.REACTION, *modes(state, one))


def _bars(state: NamelessState, one: Combatant, what: str) -> Because | None:
    """Return why a combatant cannot use a Reaction that is left: it is its own turn, and no option allows that."""
    option = "reaction-on-own-turn"
    if what != budget.REACTION or not state.clock.is_turn_of(one.id) or state.option(option) == "allowed":
        return None
    return Because(("reaction.outside-own-turn",), state.clock.events)


BUDGET = Budget(left=_left, names=_names, bars=_bars)


ADDRESSES = (
    described("<who>.left.<what>", _left_of, wants=_wants_left, rule=_set_left),
    described("<who>.budget.<what>", _left_of, wants=_wants_left, rule=_set_left),
    described("<who>.moved", _moved),
    described("<who>.stretch", _last_stretch, places=_movers),
)


def concentration(_state: NamelessState, one: Combatant) -> tuple[str, Because]:
    """Return no effect: this text has no concentration."""
    return "", Because(end_of.rules, (one.joined,))
