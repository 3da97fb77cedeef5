"""Blows out of turn: the acts of opponents that permit them (openings), set spears, and their cost."""

from typing import TYPE_CHECKING

from msgspec import structs

from eventstore.events import (
    ActionAbandoned,
    ActionDeclared,
    ActionTaken,
    ConditionGained,
    ConditionLost,
    Fact,
    RulingMade,
)
from eventstore.shapes import Action
from projections.mechanics.acts import action_word
from projections.mechanics.grants import granted
from projections.mechanics.work import same
from projections.occurrence import Occurrence
from projections.ruleset.catalogue import read
from projections.ruleset.ruleset import derives
from projections.rulesets.osric.sheet import RULES
from projections.rulesets.osric.state import KeyedAct, OsricState, Spear
from projections.rulesets.osric.surprise import specific_rulings

if TYPE_CHECKING:
    from projections.rulesets.osric.reading import Reading


SPEAR, SET_SPEAR = "spear set", "set-spear"
INTERRUPT: str = next(row["cost"] for row in read(RULES).action if row.get("slot") == "trigger")
"""The cost of a blow that answers a trigger."""
FLEE, CHARGE = "flee", "charge"


def is_interrupt(action: Action) -> bool:
    """Return whether an action is a blow out of turn."""
    return action.cost is not None and action.plain_cost == INTERRUPT


def only_opening(state: OsricState, fact: "Reading[Fact]") -> KeyedAct | None:
    """Return the act of an opponent that a blow answers without naming it: the only one that justifies a blow out of turn,
    or the charge that the first blow of a set spear meets.
    """
    said, acts = fact.said, [*(state.openings | state.round.acts).values()]
    if said.plain_kind != "attack" or (said.cost and not is_interrupt(said)):
        return None
    if not is_interrupt(said):
        met = [act.answers for act in state.round.acts_of.get(fact.who, ())]
        new = [act for act in state.openings.values() if act.kind == CHARGE and act.seq not in met]
        acts = [act for act in new if fact.segment is None and act.combatant in fact.at]
    those = [act for act in acts if not fault_of(state, fact, act)]
    return those[0] if len(those) == 1 else None


def fault_of(state: OsricState, fact: "Reading[Fact]", opening: KeyedAct | None) -> str:
    """Return the kind of opening that does not justify a blow, "none" without an opening; "" if the blow is justified."""
    if opening is None:
        return "none"
    point, is_of_opponent = fact.point, fact.one.side != state.combatants[opening.combatant].side
    there = is_of_opponent and opening.key.round == point.round and point.segment in (0, opening.key.segment)
    if is_allowed_by_ruling(state, fact, opening):
        return "" if there else "none"
    if opening.kind == FLEE:
        return "" if there and _leaves(state, fact, opening) else FLEE
    if opening.kind == CHARGE:
        return "" if there and _is_met(fact, opening) else CHARGE
    return "none"


@derives("interrupt.fleeing-attack")
def _leaves(state: OsricState, fact: "Reading[Fact]", flight: KeyedAct) -> bool:
    """Return whether a flight leaves this opponent, and this is the opponent's first strike at it."""
    left, at = flight.action.targets, fact.at
    before = [act for act in state.round.acts_of.get(fact.who, ()) if act.answers == flight.seq]
    routine = fact.said.routine
    again = any(routine is None or act.action.routine != routine for act in before)
    return not again and (not left or fact.who in left) and (not at or flight.combatant in at)


@derives("interrupt.set-spears")
def _is_met(fact: "Reading[Fact]", charge: KeyedAct) -> bool:
    """Return whether a charge is aimed at a combatant whose spear was set before it."""
    aim, at = charge.action.targets, fact.at
    return fact.who in charge.spears and (not aim or fact.who in aim) and (not at or charge.combatant in at)


@derives("interrupt.others-by-ruling")
def is_allowed_by_ruling(state: OsricState, fact: "Reading[Fact]", opening: KeyedAct) -> bool:
    """Return whether a ruling allows openings of this kind, this opening, or blows by this combatant."""
    rule = "interrupt.others-by-ruling"
    rulings = [_as_one_rule(each, rule) for each in specific_rulings(state.rulings)]
    said, who = (opening.action.kind, opening.action.name or opening.action.kind), (fact.who, fact.one.side)
    return granted(rulings, rule, who=who, event=(opening.seq,), said=said, kinds=("grant", "fact")).value


def _as_one_rule(fact: Occurrence[RulingMade], rule: str) -> Occurrence[RulingMade]:
    """Return a ruling on any rule of interrupts as one on `interrupt.others-by-ruling`."""
    event = fact.event
    if not (event.rule or "").startswith("interrupt."):
        return fact
    return structs.replace(fact, event=structs.replace(event, rule=None if event.subject else rule))


@derives("interrupt.fleeing-attack", "interrupt.set-spears")
def is_extra(state: OsricState, fact: "Reading[Fact]") -> bool:
    """Return whether a blow out of turn uses no routine of the round."""
    if not is_interrupt(fact.action):
        return False
    cost = state.option("interrupt-cost")
    fleeing = fact.opening is not None and fact.opening.kind == FLEE
    return cost == "all-free" or (cost == "flee-free" and fleeing)


# ---------------------------------------------------------------- spears


@derives("interrupt.set-spears", on=ActionDeclared)
def spear_is_declared(state: OsricState, fact: Occurrence[ActionDeclared]) -> None:
    """Keep that a combatant declares a spear; another declaration before the dice replaces it."""
    event, number = fact.event, state.clock.round
    side = [one.id for one in state.here() if one.side == event.side]
    for name in [event.combatant] if event.combatant else side:
        if not state.round.dice:
            _put_down(state, name, None)
        if fact.kind == SET_SPEAR:
            state.spears.setdefault(name, Spear(fact.seq, number, action_word(event.action)))


@derives("interrupt.set-spears", on=ActionAbandoned)
def spear_is_given_up(state: OsricState, fact: Occurrence[ActionAbandoned]) -> None:
    """Forget a spear that was declared in this round and is given up."""
    _put_down(state, fact.event.combatant, fact.event.name)


def _put_down(state: OsricState, who: str, name: str | None) -> None:
    spear = state.spears.get(who)
    if spear and spear.said_in == state.clock.round and (same(name, spear.name) or same(name, SET_SPEAR)):
        del state.spears[who]


@derives("interrupt.set-spears", on=ActionTaken)
def spear_is_set_or_moved(state: OsricState, fact: Occurrence[ActionTaken]) -> None:
    """Keep that a combatant sets a spear, and forget the spear of one who moves."""
    who, kind = fact.event.combatant, fact.kind
    if kind == SET_SPEAR:
        state.spears[who] = Spear(fact.seq)
    elif kind in ("move", FLEE, CHARGE):
        state.spears.pop(who, None)


@derives("interrupt.set-spears", on=(ConditionGained, ConditionLost))
def spear_is_a_condition(state: OsricState, fact: Occurrence[ConditionGained] | Occurrence[ConditionLost]) -> None:
    """Treat the condition `spear set` as a set spear."""
    for who in fact.event.targets if fact.event.condition.casefold() == SPEAR else ():
        state.spears.pop(who, None)
        if isinstance(fact.event, ConditionGained):
            state.spears[who] = Spear(fact.seq)
