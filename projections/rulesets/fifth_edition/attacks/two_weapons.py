"""Fighting with two weapons."""

from __future__ import annotations

from eventstore.events import ActionTaken
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.acts.deeds import deed_of, is_attack_action
from projections.rulesets.fifth_edition.shapes import Deed
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import Breach, check


@check("two-weapon.bonus-attack", on=ActionTaken, subject=deed_of)
def the_off_hand_has_its_conditions(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:  # noqa: PLR0911 – one for each condition
    if "offhand" not in deed.manner or deed.granted or not deed.own or deed.cost != "bonus":
        return None
    one = state.combatants[deed.who]
    attacks = [each for each in state.done.get(deed.who, ()) if each.kind == "attack"]
    first = [each for each in attacks if is_attack_action(each)]
    if not first and all(each.known for each in attacks):
        return Breach(f"{deed.who} has not attacked in this turn", "the Attack action before", "none")
    second = figures.weapon_of(one, deed.action.name)
    why = (*one.records("weapons"), *(d.seq for d in first))
    if figures.has_property(second, "light") is False:
        name = str(deed.action.name)
        return Breach(f"{name} is not light", "a light weapon", name, why)
    light = [d for d in first if figures.has_property(figures.weapon_of(one, d.action.name), "light") is not False]
    if first and not light:
        return Breach(f"{deed.who} attacked with no light weapon before", "a light weapon", "another", why)
    if not state.is_new and second and not figures.is_melee(second):
        return Breach(f"{second.name} is no melee weapon", "a melee weapon", second.name, why)
    if light and deed.name and all(each.name == deed.name for each in light):
        return Breach("it is the same weapon", "a different one", str(deed.action.name), why)
    return None
