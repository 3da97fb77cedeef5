"""Components, armor, range and DC of spells."""

from __future__ import annotations

from msgspec import structs

from eventstore.events import ActionTaken, SaveRolled
from projections.because import Because, Derived
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.attacks.circumstances import too_far_away
from projections.rulesets.fifth_edition.conditions import events_of, has
from projections.rulesets.fifth_edition.movement.positions import apart, reach, records
from projections.rulesets.fifth_edition.spells.concentration import is_long
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import Breach, check, derives
from projections.state import Combatant


@check("component.verbal", on=ActionTaken)
def the_silenced_say_no_words(state: FifthState, fact: Occurrence[ActionTaken]) -> Breach | None:
    event, one = fact.event, state.combatants[fact.event.combatant]
    if event.action.kind.casefold() != "cast":
        return None
    found = has(state, one.id, "silenced", "gagged")
    if not found.value or "verbal" not in figures.components(state, one, event.action):
        return None
    stated = event.action.components is not None
    severity = "breach" if stated else figures.severity(one, event.action, "components")
    return Breach(f"{one.id} cannot speak", "no verbal component", "verbal", events_of(found), severity)


@check("spell.armor", on=ActionTaken)
def nobody_casts_in_strange_armor(state: FifthState, fact: Occurrence[ActionTaken]) -> Breach | None:
    one = state.combatants[fact.event.combatant]
    if fact.event.action.kind.casefold() != "cast" or "armor" not in (each.casefold() for each in one.sheet.untrained):
        return None
    return Breach(f"{one.id} wears armor that it is not trained in", "no spell", "a spell", one.records("untrained"))


@check("spell.range", on=ActionTaken)
def spells_go_no_farther(state: FifthState, fact: Occurrence[ActionTaken]) -> Breach | None:
    event, one = fact.event, state.combatants[fact.event.combatant]
    entry = figures.spell_of(state, one, event.action) if event.action.kind.casefold() == "cast" else None
    if entry is None or is_long(state, event.action.time):
        return None
    word, targets = str(entry.range).casefold(), [*state.joined(event.action.targets)]
    if word == "self":
        first = next(iter(targets), one.id)
        says = f"{entry.name} is on its caster"
        return Breach(says, one.id, first, one.records("entries")) if first != one.id else None
    most = reach(one) if word == "touch" else figures.feet_in(word)
    for other in targets:
        feet = apart(state, one.id, other)
        if feet is not None and most is not None and feet > most:
            why = (*one.records("entries"), *records(state, one.id, other))
            severity = figures.severity(one, event.action, "range")
            return structs.replace(too_far_away(other, feet, most, why), severity=severity)
    return None


@check("spell.save-dc", on=SaveRolled)
def spells_have_their_dc(state: FifthState, fact: Occurrence[SaveRolled]) -> Breach | None:
    deed = state.deeds.get(fact.cause)
    if deed is None or deed.kind != "cast" or fact.event.dc is None or fact.event.purpose in ("concentration", "death"):
        return None
    one = state.combatants[deed.who]
    wanted, stated = figures.spell_dc(one)
    if wanted is None or wanted == fact.event.dc or (fact.implied and not is_at_a_foe(state, one, fact.event)):
        return None
    changed = any(effect.bearer == one.id for effect in state.effects.values())
    severity = "breach" if stated and not changed else "notice"
    says, why = f"the sheet of {one.id} gives DC {wanted}", one.records("spellcasting")
    return Breach(says, str(wanted), str(fact.event.dc), why, severity)


def is_at_a_foe(state: FifthState, one: Combatant, save: SaveRolled) -> bool:
    """Say whether a save that names no cause can be one against the spell before it: that of a target on another side."""
    return bool(state.combatants[save.combatant].side != one.side)


@derives("spell.save-dc")
def save_dc(state: FifthState, who: str) -> Derived[int] | None:
    """Return the DC of a combatant's spells."""
    one = state.combatants[who]
    found = figures.spell_dc(one)[0]
    why = one.records("spellcasting", "abilities", "proficiency")
    return None if found is None else Derived(found, Because(save_dc.rules, why))


@derives("spell.attack-bonus")
def attack_bonus(state: FifthState, who: str) -> Derived[int] | None:
    """Return the bonus of a combatant's spell attacks."""
    one = state.combatants[who]
    found = figures.spell_attack(one)[0]
    why = one.records("spellcasting", "abilities", "proficiency")
    return None if found is None else Derived(found, Because(attack_bonus.rules, why))
