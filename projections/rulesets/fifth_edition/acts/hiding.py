"""The Hide action, and being hidden."""

from __future__ import annotations

from typing import Any

from eventstore.events import ActionTaken, AttackRolled, ConditionGained, DiceRolled
from projections.because import Because
from projections.folds.effects import gain
from projections.mechanics.conditions import matching
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.conditions import kept_from, lose
from projections.rulesets.fifth_edition.rolls.totals import roll_total
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import Breach, check, derives


@derives("act.hide", on=DiceRolled)
def hiding_is_checked(state: FifthState, fact: Occurrence[DiceRolled]) -> None:
    """Let the Stealth check of a Hide action hide its combatant, in 2024 with a total of 15 or more."""
    event, total = fact.event, roll_total(state, fact.event)
    deed = next((each for each in reversed(state.done.get(event.combatant or "", [])) if each.kind == "hide"), None)
    if "stealth" not in (event.purpose or "").casefold() or deed is None or total is None:
        return
    state.hiding[fact.seq] = state.hiding[deed.seq] = total
    why = Because(hiding_is_checked.rules, (deed.seq, fact.seq), state.chosen("edition"))
    if total >= 15 or not state.is_new:
        gain(state, deed.who, "hidden", fact.seq).of = (why,)
    else:
        kept_from(state, deed.who, "hidden", why)


@derives("act.hide-ends", on=(AttackRolled, ActionTaken))
def hiding_ends(state: FifthState, fact: Occurrence[Any]) -> None:
    """End being hidden after an attack, and in 2024 after a spell with a verbal component."""
    event, who = fact.event, fact.event.combatant
    if isinstance(event, ActionTaken):
        words = "verbal" in figures.components(state, state.combatants[who], event.action)
        if not state.is_new or event.action.kind.casefold() != "cast" or not words:
            return
    why = Because(hiding_ends.rules, (fact.seq,), state.chosen("edition"))
    lose(state, matching(state.conditions, "hidden", (who,), None), why)


@check("act.hide", on=ConditionGained)
def a_failed_check_hides_nobody(state: FifthState, fact: Occurrence[ConditionGained]) -> Breach | None:
    total, name = state.hiding.get(fact.cause), fact.event.condition.casefold()
    if not state.is_new or name not in ("hidden", "invisible") or total is None or total >= 15:
        return None
    return Breach(f"{total} does not hide anybody", "15 or more", str(total), (fact.cause,))
