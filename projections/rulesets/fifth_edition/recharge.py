"""Powers that recharge, such as a breath weapon (Recharge 5-6): spent by their act, ready again by a d6 as a turn begins.

Each is counted as a resource of the combatant: 1 where it is ready, 0 where it is spent.
"""

from __future__ import annotations

from collections.abc import Iterator

from eventstore.events import ActionTaken, CombatantJoined, DiceRolled, Fact, ResourceChanged, SheetChanged
from projections.address import NOTHING
from projections.because import NOTHING_CITED, Because, Derived
from projections.fight import Combatant
from projections.mechanics.grants import granted
from projections.mechanics.rolls import face, is_on
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.deeds import deed_of
from projections.rulesets.fifth_edition.sheet import FifthEntry, Weapon
from projections.rulesets.fifth_edition.state import Deed, FifthState
from projections.time import Boundary

PURPOSE = "recharge"
"""The purpose of the die; the name of the power may follow."""
BREATHS = "breath weapons"
"""The entry of a dragon with several breaths, of which each spends all."""

Power = FifthEntry | Weapon


def powers(one: Combatant) -> dict[str, Power]:
    """Return the powers of a combatant that recharge, by their folded names."""
    listed: tuple[Power, ...] = (*(one.sheet.entries or ()), *one.sheet.weapons)
    return {each.name.casefold(): each for each in listed if each.recharge is not None}


def power_of(one: Combatant, name: str) -> str:
    """Return the folded name of the power that an act of this name uses; "" if it uses none that recharges."""
    found = powers(one)
    if name not in found and name.endswith("breath") and not figures.entry_of(one, name):
        name = BREATHS
    return name if name in found else ""


def is_ready(one: Combatant, name: str) -> bool:
    """Say whether a power is ready: it was not used since it last recharged."""
    return one.resources.get(name, 1) > 0


def counted(one: Combatant, name: str) -> Because:
    """Return why a power is ready or spent."""
    return one.counted.get(name) or Because((), one.records("entries", "weapons"))


@derives("recharge.power", on=(CombatantJoined, SheetChanged), phase="reading")
def power_is_there(state: FifthState, fact: Occurrence[Fact]) -> None:
    """Count the powers on a sheet, each ready until it is used."""
    who = fact.event.combatant  # type: ignore[attr-defined]
    one = state.combatants[who]
    for name in powers(one):
        if name not in one.resources:
            one.resources[name], one.counted[name] = 1, Because(power_is_there.rules, (fact.seq,))


@derives("recharge.power", on=ActionTaken)
def power_is_used(state: FifthState, fact: Occurrence[ActionTaken]) -> None:
    """Spend the power that an act uses."""
    one = state.combatants[fact.event.combatant]
    if name := power_of(one, (fact.event.action.name or "").casefold()):
        one.resources[name], one.counted[name] = 0, Because(power_is_used.rules, (fact.seq,))
        _answer(state, one.id, name, fact.seq)


def _answer(state: FifthState, who: str, name: str, seq: int) -> None:
    """Keep that a combatant no longer owes a die for a power."""
    if state.recharges.get(who, {}).pop(name, None):
        state.ended["recharge", who] = state.ended.get(("recharge", who), NOTHING_CITED) + Because((), (seq,))


@derives("recharge.power", on=ResourceChanged)
def power_is_counted_once(state: FifthState, fact: Occurrence[ResourceChanged]) -> None:
    """Keep the number of a power at 0 or 1, where its use, or its return, is recorded as well."""
    one, name = state.combatants[fact.event.combatant], fact.event.resource.casefold()
    if name in powers(one):
        one.resources[name] = min(1, max(0, one.resources[name]))


@derives("recharge.die", at="turn began", phase="aftermath")
def die_falls_due(state: FifthState, turn: Boundary) -> None:
    """Let a combatant owe a die for each spent power as its turn begins."""
    one = state.combatants[turn.who]
    state.recharges[one.id] = {name: turn.seq for name in powers(one) if not is_ready(one, name)}
    ready = (seq for name in powers(one) if is_ready(one, name) for seq in counted(one, name).own().events)
    state.ended["recharge", one.id] = Because((), tuple(ready))


def power_meant(state: FifthState, event: DiceRolled) -> str:
    """Return the power for which a die is rolled: the named one, else the first that owes one, or is spent; "" for none."""
    one, (word, _, named) = state.combatants.get(event.combatant or ""), (event.purpose or "").casefold().partition(" ")
    if one is None or word != PURPOSE:
        return ""
    spent = (name for name in powers(one) if not is_ready(one, name))
    return power_of(one, named) if named else next(iter((*state.recharges.get(one.id, ()), *spent)), "")


@derives("recharge.die")
def recharges(power: Power, event: DiceRolled) -> bool | None:
    """Return whether a die makes a power ready: by its face, else as stated."""
    return event.succeeded if event.die is None else face(event.die) >= (power.recharge or 0)


@derives("recharge.die", "recharge.power", on=DiceRolled, phase="rolls")
def die_is_rolled(state: FifthState, fact: Occurrence[DiceRolled]) -> None:
    """Make a power ready by a die that reaches its number."""
    if name := power_meant(state, fact.event):
        one = state.combatants[fact.event.combatant or ""]
        _answer(state, one.id, name, fact.seq)
        if recharges(powers(one)[name], fact.event):
            why = Because(die_is_rolled.rules, (fact.seq,), (counted(one, name),))
            one.resources[name], one.counted[name] = 1, why


@derives("recharge.die")
def owed(state: FifthState, who: str) -> Derived[str]:
    """Return the dice that a combatant owes for its spent powers, or none."""
    one, due = state.combatants[who], state.recharges.get(who, {})
    over = state.ended.get(("recharge", who))
    if not due:
        return Derived(NOTHING, Because(owed.rules, (one.joined,), (over,) if over else ()))
    shapes = (each.read for each in state.shapes.get(who, ()))
    why = (*(counted(one, name) for name in powers(one)), *((over,) if over else ()), *shapes)
    events = (*one.records("entries", "weapons"), *dict.fromkeys(due.values()))
    return Derived(f"d6 to recharge {', '.join(due)}", Because(owed.rules, events, why))


@check("recharge.power", on=ActionTaken, subject=deed_of)
def a_spent_power_is_not_used(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    one = state.combatants[deed.who]
    name = power_of(one, deed.name)
    if not name or is_ready(one, name):
        return None
    if granted(state.rulings, "recharge.power", who=(one.id, one.side), said=(name,)).value:
        return None
    return Breach(f"{one.id} has not recharged {name}", "ready", "spent", counted(one, name).flat().events)


@checks_by("recharge.die", on=DiceRolled)
def the_die_is_due(state: FifthState, fact: Occurrence[DiceRolled]) -> Iterator[Fault]:
    """Yield a fault for a die that is none, that is not due, or whose outcome is wrong."""
    event, name = fact.event, power_meant(state, fact.event)
    if not name:
        return
    one, rules = state.combatants[event.combatant or ""], ("recharge.die",)
    power = powers(one)[name]
    if event.die is not None and not is_on(event.die, 6):
        yield Fault(rules, f"{name} recharges by a d6", "1 to 6", str(face(event.die)))
        return
    if is_ready(one, name):
        yield Fault(rules, f"{name} is ready", "no die", "a die", counted(one, name).flat().events)
        return
    if state.started and name not in state.recharges.get(one.id, {}):
        before = state.ended.get(("recharge", one.id), NOTHING_CITED).flat().events
        yield Fault(rules, f"{one.id} rolls for {name} once, as its turn begins", "no die", "a die", before)
        return
    made = recharges(power, event)
    if event.succeeded not in (None, made):
        words = {True: "ready", False: "spent"}
        says = f"{name} recharges on {power.recharge} or more"
        why = (*one.records("entries", "weapons"), *counted(one, name).flat().events)
        yield Fault(rules, says, words[bool(made)], words[bool(event.succeeded)], why)
