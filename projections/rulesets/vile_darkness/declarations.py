"""Declarations of step one: of acts, which begin what takes time, and of delays; and what is given up again."""

from msgspec import structs

from eventstore.events import ActionAbandoned, ActionDeclared
from eventstore.shapes import Action
from projections.because import Because
from projections.mechanics import work
from projections.mechanics.declarations import Declared, declare, withdraw
from projections.mechanics.work import same
from projections.occurrence import Occurrence
from projections.rulesets.ruleset import derives
from projections.rulesets.vile_darkness.holding import casting_begins, is_taken_back
from projections.rulesets.vile_darkness.state import VileState
from projections.rulesets.vile_darkness.table import LASTING, kind_of, rows
from projections.rulesets.vile_darkness.works import begin, tick_of, under_way

DELAY = "delay"


def required(action: Action) -> bool:
    """Say whether an action has to be declared, by its kind."""
    return any(row.declared == "required" for row in rows()[action.kind])


def plain(action: Action) -> Action:
    """Return an action with its kind as the table has it; a called shot is an attack in that manner."""
    manner = (*action.manner, "called") if action.kind.casefold() == "called-shot" else action.manner
    return structs.replace(action, kind=kind_of(action), manner=manner)


@derives("declare.in-step-one", "declare.only-when-required", on=ActionDeclared)
def declares(state: VileState, fact: Occurrence[ActionDeclared]) -> None:
    """Keep what a combatant, or each of a group, declared; spells and complex work begin with it."""
    event, late = fact.event, bool(state.round.dice)
    members = [one.id for one in state.here() if one.side == event.side]
    action, those = plain(event.action), (event.combatant,) if event.combatant else members
    state.touched.update(those)
    for who in those:
        if action.kind == DELAY:
            state.round.waits.setdefault(who, Declared(fact.seq, action))
            continue
        before = state.round.said.get(who)
        if before and not late:
            is_taken_back(state, who, before.seq)
        declare(state.round.said, who, action, fact.seq, required, late=late)
        if action.kind in LASTING:
            casting_begins(state, begin(state, who, action, fact.seq, declared=True))


@derives("declare.in-step-one", on=ActionAbandoned)
def gives_up(state: VileState, fact: Occurrence[ActionAbandoned]) -> None:
    """Take back a declaration: before the dice it is as if it had not been made, afterwards the work is given up."""
    who, name, late = fact.event.combatant, fact.event.name, bool(state.round.dice)
    if name and name.casefold() == DELAY:
        state.round.waits.pop(who, None)
        return
    taken = withdraw(state.round.said, who, name, fact.seq, late=late)
    if taken and not late:
        is_taken_back(state, who, taken.seq)
    for each in (each for each in under_way(state, who).value if same(name, each.name)):
        work.withdraw(each, fact.seq, tick_of(state, fact.point), Because(gives_up.rules))
