"""Initiative: rolls, ties, latecomers."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from eventstore.events import CombatantJoined, InitiativeRolled, RulingMade
from projections.address import NOTHING, is_number
from projections.because import Because, Derived
from projections.folds.order import rollers
from projections.folds.vitals import standing
from projections.mechanics import rolls
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition.rolls.dice import kept
from projections.rulesets.fifth_edition.shapes import Initiative
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.fifth_edition.turns.order import controlled
from projections.rulesets.ruleset import derives
from projections.scheduling import turnlist
from projections.scheduling.turn_schedule import turn_list


@derives("initiative.dexterity-check", "surprise.disadvantage")
def total_of(state: FifthState, who: str, event: InitiativeRolled) -> int | None:
    """Return the total of a roll: the die that counts and the bonus; without a die, the recorded total."""
    shown = kept(event.die) if event.die is not None else event.check
    if shown is not None:
        return shown + bonus_of(state, who, event)
    return None if event.total is None else int(Decimal(event.total))


def bonus_of(state: FifthState, who: str, event: InitiativeRolled) -> int:
    """Return the bonus of a roll: as recorded, else that of the sheet."""
    return event.bonus if event.bonus is not None else state.combatants[who].sheet.initiative or 0


@derives("initiative.dexterity-check", "initiative.group-one-roll", "initiative.latecomer", on=InitiativeRolled)
def initiative_is_rolled(state: FifthState, fact: Occurrence[InitiativeRolled]) -> None:
    """Keep a roll for all combatants that share it; of two rolls of a combatant the first counts."""
    event = fact.event
    who = rollers(state, event)
    if event.tie_with:
        for each in who:
            if (thrown := total_of(state, each, replace(event, bonus=0))) is not None:
                rolls.throw(state.ties, each, thrown, fact.seq)
        return
    for each in who:
        total = total_of(state, who[0], event)
        if total is not None and each not in state.rolls:
            group = who if len(who) > 1 else ()
            state.rolls[each] = Initiative(total, bonus_of(state, each, event), (fact.seq,), group)
            if state.started:
                arrives(state, each, fact.seq)


def arrives(state: FifthState, who: str, seq: int) -> None:
    """Give a latecomer its place, in this round or by option in the next."""
    state.turns.arranged = False
    turnlist.put_in(turn_list(state), who, seq)
    if state.option("newcomer") == "next-round":
        state.turns.progress.late[who] = seq
    state.arrives[who] = state.latecomers[who] = seq


@derives("initiative.latecomer", on=CombatantJoined)
def a_returning_combatant_needs_a_new_roll(state: FifthState, fact: Occurrence[CombatantJoined]) -> None:
    """Forget the place of a combatant that joins again."""
    state.rolls.pop(fact.event.combatant, None)
    state.took.pop(fact.event.combatant, None)
    state.turns.arranged = False


@derives("initiative.ties-decided", on=RulingMade)
def ruling_decides_a_tie(state: FifthState, fact: Occurrence[RulingMade]) -> None:
    """Rank the combatants that a ruling on a tie names."""
    if fact.event.ruling == "tie":
        rolls.rank_by_ruling(state.ties, fact.event.combatants, fact.seq)


def initiative(state: FifthState, who: str) -> Derived[object]:
    """Return the initiative of a combatant; a controlled mount has that of its rider."""
    rider = controlled(state).get(who)
    roll = state.rolls.get(rider or who)
    if roll is None:
        one = state.combatants[who]
        left = (standing(one),) if one.left else ()
        return Derived(NOTHING, Because(("initiative.everyone-rolls",), (one.joined,), {}, left))
    if rider:
        mounted = Derived(rider, Because((), (state.mounts[rider].seq,)))
        return Derived(roll.total, Because(("mount.controlled",), roll.events, {}, (mounted,)))
    gone = Derived(None, state.rider_gone.get(who, Because()))
    return Derived(roll.total, Because(("initiative.dexterity-check",), roll.events, {}, (gone,)))


def set_initiative(state: FifthState, who: str, value: Any, seq: int) -> None:
    """Set the initiative of a combatant by a ruling."""
    own = state.combatants[who].sheet.initiative or 0
    old = state.rolls.pop(who, Initiative(own, own, ()))
    if value != NOTHING:
        state.rolls[who] = Initiative(value, old.bonus, (*old.events, seq))
    state.turns.arranged = False


def wants_initiative(_state: FifthState, _who: str, value: object) -> str:
    """Return what a ruling has to say instead of this value; "" for a number or none."""
    return "" if value == NOTHING or is_number(value) else "a number, or none"
