"""Hiding."""

from __future__ import annotations

from typing import Any

from eventstore.events import ActionTaken, AttackRolled, ConditionGained, DiceRolled
from projections.because import Because
from projections.folds.effects import gain
from projections.mechanics.conditions import matching
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.conditions import kept_from, lose
from projections.rulesets.fifth_edition.rolls.totals import comes_to
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import Breach, check, derives


@derives("act.hide", on=DiceRolled)
def somebody_hides(state: FifthState, fact: Occurrence[DiceRolled]) -> None:
    """Let whoever takes the Hide action be hidden by its check, in 2024 from 15 on."""
    event, total = fact.event, comes_to(state, fact.event)
    acted = next((d for d in reversed(state.done.get(event.combatant or "", [])) if d.kind == "hide"), None)
    if "stealth" not in (event.purpose or "").casefold() or acted is None or total is None:
        return
    state.hiding[fact.seq] = state.hiding[acted.seq] = total
    why = Because(somebody_hides.rules, (acted.seq, fact.seq), state.chosen("edition"))
    if total >= 15 or not state.is_new:
        gain(state, acted.who, "hidden", fact.seq).of = (why,)
    else:
        kept_from(state, acted.who, "hidden", why)


@derives("act.hide-ends", on=(AttackRolled, ActionTaken))
def hiding_ends(state: FifthState, fact: Occurrence[Any]) -> None:
    """End being hidden right after an attack, or in 2024 after a spell with words."""
    event, who = fact.event, fact.event.combatant
    if isinstance(event, ActionTaken):
        words = "verbal" in figures.components(state.combatants[who], event.action)
        if not state.is_new or event.action.kind.casefold() != "cast" or not words:
            return
    why = Because(hiding_ends.rules, (fact.seq,), state.chosen("edition"))
    lose(state, matching(state.conditions, "hidden", (who,), None), why)


@check("act.hide", on=ConditionGained)
def a_failed_check_hides_nobody(state: FifthState, fact: Occurrence[ConditionGained]) -> Breach | None:
    event = fact.event
    total = state.hiding.get(fact.cause)
    if not state.is_new or event.condition.casefold() not in ("hidden", "invisible") or total is None or total >= 15:
        return None
    return Breach(f"{total} does not hide anybody", "15 or more", str(total), (fact.cause,))
