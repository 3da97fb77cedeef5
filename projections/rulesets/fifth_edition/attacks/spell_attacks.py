"""The bonus of spell attacks."""

from __future__ import annotations

from eventstore.events import AttackRolled
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.attacks.circumstances import deed_behind
from projections.rulesets.fifth_edition.rolls.totals import named
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import Breach, check


@check("spell.attack-bonus", on=AttackRolled)
def spell_attacks_have_their_bonus(state: FifthState, fact: Occurrence[AttackRolled]) -> Breach | None:
    deed = deed_behind(state, fact.cause)
    said = named(fact.event.modifiers, "bonus", "spell attack")
    one = state.combatants[fact.event.combatant]
    armed = figures.weapon_of(one, fact.event.name)
    if deed is None or deed.kind != "cast" or len(said) != 1 or armed:
        return None
    wanted, stated = figures.spell_attack(one)
    if wanted is None or said[0].amount == wanted:
        return None
    severity = "breach" if stated and not any(e.bearer == one.id for e in state.effects.values()) else "notice"
    says, why = f"the sheet of {one.id} gives {wanted:+}", one.records("spellcasting")
    return Breach(says, f"{wanted:+}", f"{said[0].amount:+}", why, severity)
