"""The round as a list of turns and acts, and what everybody has left."""

from typing import Any

from projections.address import NOTHING, Address
from projections.because import Because, Derived
from projections.mechanics.turnlist import Turn
from projections.rulesets.definition_master.acts.acts import acts_of_turn, has_turn, just_ended
from projections.rulesets.definition_master.acts.budget import act_is_kept, left, priced_by
from projections.rulesets.definition_master.acts.curve import curve
from projections.rulesets.definition_master.acts.pricing import ATTACK, MOVE, STANDARD, SWIFT
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.definition_master.state_of_turns import Act
from projections.rulesets.definition_master.turns import immediate
from projections.rulesets.definition_master.turns.held import holding
from projections.rulesets.definition_master.turns.order import order_because
from projections.rulesets.definition_master.turns.turns import due, meets
from projections.rulesets.definition_master.vitals import can_act
from projections.state import Combatant, Entry
from projections.time import Point

WHAT = {MOVE: MOVE, STANDARD: STANDARD, "attacks": ATTACK, SWIFT: SWIFT}
"""What a turn has, by the words of the budget."""
IMMEDIATE = "immediate"
"""The word for the immediate action, which is not of a turn."""


def entries(state: MasterState) -> tuple[Entry, ...]:
    """Return the turns of the round in order, with acts, then those that are put off, and who is still due."""
    rows = [_turn(state, turn) for turn in state.round.turns] + [_act(state, act) for act in state.round.acts]
    rows.sort(key=lambda row: row.order)
    held = [_turn(state, turn) for turn in state.flow.turns.in_hand.values()]
    return (*rows, *held, *(_due(state, who) for who in due(state)))


def _turn(state: MasterState, turn: Turn) -> Entry:
    ended = (turn.ended,) if turn.ended else ()
    because = Because(meets.rules[:1], (*turn.events, *ended)) + order_because(state, turn.combatant)
    return Entry(
        point=turn.point,
        combatant=turn.combatant,
        status=turn.status,
        because=because,
        action="turn",
        events=turn.events,
        order=(turn.point.round, turn.point.turn, 0, *max(map(state.at, turn.events))),
    )


def _act(state: MasterState, act: Act) -> Entry:
    return Entry(
        point=act.point,
        combatant=act.who,
        status="done",
        because=Because(act_is_kept.rules, (act.seq,), priced_by(state, (act,))),
        action=act.kind,
        name=act.action.name,
        cost=act.cost,
        events=(act.seq,),
        order=(act.point.round, act.point.turn, 1, *state.at(act.seq)),
    )


def _due(state: MasterState, who: str) -> Entry:
    return Entry(Point(state.clock.round), who, "due", order_because(state, who), action="turn")


def budget(state: MasterState, one: Combatant) -> dict[str, Any]:
    """Return what somebody has left of its turn."""
    found = {word: left(state, one.id, what).value for word, what in WHAT.items()}
    return {**found, IMMEDIATE: immediate.left(state, one.id).value}


def _left(state: MasterState, who: str, what: str) -> Derived[int] | None:
    if what == IMMEDIATE:
        return immediate.left(state, who)
    return left(state, who, WHAT[what]) if what in WHAT else None


def _free(state: MasterState, who: str) -> Derived[list[str] | str]:
    one, rule = state.combatants[who], "free.distinct-without-limit"
    acts = [act for act in acts_of_turn(state, who) if act.own and act.cost == "free"]
    if acts and has_turn(state, who) and can_act(state, who):
        events = (*state.flow.took[who], *(act.seq for act in acts))
        return Derived([act.kind for act in acts], Because((rule,), events, of=(one.standing,)))
    ended = just_ended(state, who) if acts and can_act(state, who) else 0
    of = (one.standing,) if acts and has_turn(state, who) else ()
    return Derived(NOTHING, Because((rule,), (ended or one.joined,), of=of))


def _places(state: Any) -> list[tuple[str, str]]:
    return [(who, what) for who in state.combatants for what in (*WHAT, IMMEDIATE)]


def _bonuses(state: MasterState, who: str) -> Derived[list[int]]:
    found = curve(state.combatants[who])
    return Derived(list(found.value), found.because)


_ACTS = "acts count as they are recorded"
ADDRESSES = (
    Address("<who>.left.<what>", _left, says="what is left of a turn", fixed=_ACTS, places=_places),
    Address("<who>.budget.<what>", _left, says="the same as `left`", fixed=_ACTS, places=lambda _state: ()),
    Address("<who>.lock", immediate.lock_of, says="the kind that immediate actions are locked to", fixed=_ACTS),
    Address(
        "<who>.attack-bonuses",
        _bonuses,
        says="the bonuses of the attack actions",
        fixed="they follow from the sheet",
        ordered=True,
    ),
    Address("<who>.holding", holding, says="what is held for a trigger", fixed=_ACTS),
    Address("<who>.free", _free, says="the free actions of the turn, by kind", fixed=_ACTS),
)
