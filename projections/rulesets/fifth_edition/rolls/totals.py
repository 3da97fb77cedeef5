"""Totals of d20 rolls: the die and its modifiers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from eventstore.events import AttackRolled, SaveRolled
from eventstore.shapes import Modifier
from projections.mechanics.rolls import is_on
from projections.rulesets.faults import Fault
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.conditions import events_of, exhaustion
from projections.rulesets.fifth_edition.rolls.dice import kept
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import derives


def named(modifiers: tuple[Modifier, ...], *words: str) -> list[Modifier]:
    """Return the modifiers with one of these names."""
    return [each for each in modifiers if each.name.casefold() in words]


def own(modifiers: tuple[Modifier, ...]) -> list[Modifier]:
    """Return the modifiers of a roll itself, without those of the AC or DC."""
    return [each for each in modifiers if (each.to or "").casefold() not in ("ac", "dc") and not is_cover(each)]


def is_cover(each: Modifier) -> bool:
    """Say whether a modifier is cover."""
    return "cover" in each.name.casefold()


@derives("exhaustion.penalty")
def penalty(state: FifthState, who: str, modifiers: tuple[Modifier, ...]) -> int:
    """Return what exhaustion takes off a roll in 2024, unless the recorded modifiers name it already."""
    level = exhaustion(state, who).value if state.is_new and who in state.combatants else 0
    return 0 if not modifiers or named(modifiers, "exhaustion", "bonus") else -2 * level


def roll_total(state: FifthState, event: Any) -> int | None:
    """Return the total of a roll by its die and modifiers, without a die or modifiers as stated; None if it is unknown.

    A die that is recorded alone with its outcome has the bonus of the sheet, which is known only for saves.
    """
    if event.die is None or (event.total is not None and not event.modifiers):
        total: int | None = event.total
        return total
    added: int | None = sum(each.amount for each in own(event.modifiers))
    if not event.modifiers and (event.hit if isinstance(event, AttackRolled) else event.succeeded) is not None:
        added = bonus_of_save(state, event) if isinstance(event, SaveRolled) else None
    return None if added is None else kept(event.die) + added + penalty(state, event.combatant, event.modifiers)


def bonus_of_save(state: FifthState, event: SaveRolled) -> int | None:
    """Return the bonus of a save by the sheet; None if it names none, or if an effect or proficiency may add to it.

    A character is proficient in some saves: where the sheet lists none, a save that was made may be one of these.
    """
    one = state.combatants[event.combatant]
    proficient = event.succeeded and not one.sheet.saves and one.sheet.creature != "monster"
    if proficient or any(effect.bearer == one.id for effect in state.effects.values()):
        return None
    return figures.save(one, "constitution" if event.purpose == "concentration" else figures.ability(event.save))


def wrong_face(event: Any, rule: tuple[str, ...]) -> Iterator[Fault]:
    """Yield that a roll shows a face that no d20 has."""
    if not is_on(event.die, 20):
        yield Fault(rule, "a face that no d20 has", "1 to 20", str(kept(event.die)))


def wrong_total(state: FifthState, event: Any, rule: tuple[str, ...], sums: set[int]) -> Iterator[Fault]:
    """Yield that the total of a roll is none of these sums with what exhaustion takes off in 2024."""
    missing = penalty(state, event.combatant, event.modifiers)
    if event.total is None or event.total - missing in sums:
        return
    why = events_of(exhaustion(state, event.combatant)) if missing else ()
    if event.total in sums:
        says = f"exhaustion takes {-missing} off"
        yield Fault(("exhaustion.penalty",), says, str(event.total + missing), str(event.total), why)
    elif event.modifiers:
        says = "the total is not the die and its modifiers"
        yield Fault(rule, says, str(max(sums) + missing), str(event.total), why)
