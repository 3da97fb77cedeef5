"""Initiative: rolls, ties, latecomers."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from eventstore.events import CombatantJoined, InitiativeRolled, RulingMade
from projections.address import NOTHING, is_number
from projections.because import Because, Derived
from projections.folds.order import rollers
from projections.mechanics import rolls
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition.rolls.dice import kept
from projections.rulesets.fifth_edition.state import FifthState, Initiative
from projections.rulesets.ruleset import derives
from projections.scheduling import turnlist
from projections.scheduling.turn_schedule import turn_list


@derives("initiative.dexterity-check", "surprise.disadvantage")
def total_of(state: FifthState, who: str, event: InitiativeRolled) -> int | None:
    """Return the total of a roll: the die that counts, and the bonus; a total without a die stands as recorded."""
    bonus = event.bonus if event.bonus is not None else state.combatants[who].sheet.initiative or 0
    if event.die is not None:
        return kept(event.die) + bonus
    if event.check is not None:
        return event.check + bonus
    return None if event.total is None else int(Decimal(event.total))


@derives("initiative.dexterity-check", "initiative.group-one-roll", "initiative.latecomer", on=InitiativeRolled)
def initiative_is_rolled(state: FifthState, fact: Occurrence[InitiativeRolled]) -> None:
    """Keep a roll, for all who share it; of two of somebody the first counts."""
    event = fact.event
    who = rollers(state, event)
    if event.tie_with:
        for each in who:
            rolls.throw(state.ties, each, kept(event.die or 0), fact.seq)
        return
    for each in who:
        total = total_of(state, who[0], event)
        if total is not None and each not in state.rolls:
            bonus = event.bonus if event.bonus is not None else state.combatants[each].sheet.initiative or 0
            state.rolls[each] = Initiative(total, bonus, (fact.seq,), who if len(who) > 1 else ())
            if state.started and state.clock.round_event:
                arrives(state, each, fact.seq)


def arrives(state: FifthState, who: str, seq: int) -> None:
    """Place a newcomer: in this round if its place is still to come, unless newcomers wait for the next."""
    state.turns.arranged = False
    turnlist.put_in(turn_list(state), who, seq)
    if state.option("newcomer") == "next-round":
        state.turns.progress.late[who] = seq
    state.arrives[who] = state.latecomers[who] = seq


@derives("initiative.latecomer", on=CombatantJoined)
def a_returning_combatant_needs_a_new_roll(state: FifthState, fact: Occurrence[CombatantJoined]) -> None:
    """Forget the place of somebody who joins again."""
    state.rolls.pop(fact.event.combatant, None)
    state.took.pop(fact.event.combatant, None)
    state.turns.arranged = False


@derives("initiative.ties-decided", on=RulingMade)
def ruling_decides_a_tie(state: FifthState, fact: Occurrence[RulingMade]) -> None:
    """Rank those whom a ruling on a tie names."""
    if fact.event.ruling == "tie":
        rolls.rank_by_ruling(state.ties, fact.event.combatants, fact.seq)


def initiative(state: FifthState, who: str) -> Derived[Any]:
    """Return the total that somebody has."""
    roll = state.rolls.get(who)
    if roll is None:
        return Derived(NOTHING, Because(("initiative.everyone-rolls",), (state.combatants[who].joined,)))
    return Derived(roll.total, Because(("initiative.dexterity-check",), roll.events))


def set_initiative(state: FifthState, who: str, value: Any, seq: int) -> None:
    """Let a ruling set a total, alone or in place of a shared one."""
    old = state.rolls.get(who)
    if value == NOTHING:
        state.rolls.pop(who, None)
    else:
        state.rolls[who] = Initiative(value, old.bonus if old else 0, (*(old.events if old else ()), seq))
    state.turns.arranged = False


def wants_initiative(_state: FifthState, _who: str, value: Any) -> str:
    """Allow a number or none."""
    return "" if value == NOTHING or is_number(value) else "a number, or none"
