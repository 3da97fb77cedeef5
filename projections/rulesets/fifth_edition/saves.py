"""Saves and checks: totals, DCs, conditions that make them fail."""

from __future__ import annotations

from collections.abc import Iterator

from eventstore.events import DiceRolled, SaveRolled
from eventstore.shapes import Dice
from projections.because import Because, Derived
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import derives
from projections.rulesets.fifth_edition import figures, rolls
from projections.rulesets.fifth_edition.circumstances import wrong_cover
from projections.rulesets.fifth_edition.conditions import filled, has
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.fifth_edition.table import clauses

TOTAL = ("save.total",)


def dc_of(state: FifthState, fact: Occurrence[rolls.SaveOrCheck]) -> int | None:
    """Return the DC of a save or check: its own, else, for a save, that of the act that allowed it."""
    event = fact.event
    if event.dc is not None:
        return int(event.dc)
    deed = state.deeds.get(fact.cause)
    allowed = deed.save if deed and isinstance(event, SaveRolled) else None
    return allowed.dc if allowed else None


@derives("save.total", "condition.fails-saves", *clauses("fails_checks"))
def succeeds(state: FifthState, fact: Occurrence[rolls.SaveOrCheck]) -> Derived[bool | None]:
    """Return whether a save or check succeeds: not if a condition makes it fail, else by its total against the DC."""
    event = fact.event
    if why := fails(state, event):
        return Derived(False, why)
    total, needed = rolls.roll_total(state, event), dc_of(state, fact)
    if isinstance(event, SaveRolled) and total is not None:
        total += max((each.amount for each in event.modifiers if rolls.is_cover(each)), default=0)
    made = event.succeeded if total is None or needed is None else total >= needed
    return Derived(made, Because((), (fact.seq, *((fact.cause,) if event.dc is None else ()))))


@derives("condition.fails-saves", *clauses("fails_checks"))
def fails(state: FifthState, event: rolls.SaveOrCheck) -> Because | None:
    """Return the reason why a condition makes a save or check fail; None if none does."""
    who, purpose = event.combatant or "", (event.purpose or "").casefold()
    if isinstance(event, SaveRolled):
        save = figures.ability(event.save)
        found = has(state, who, *(row.name for row in filled(state, "fails") if save in row.fails))
        return Because(("condition.fails-saves",), (), (found,)) if found.value else None
    for row in filled(state, "fails_checks"):
        found = has(state, who, row.name)
        if found.value and any(word in purpose for word in row.fails_checks):
            return Because((row.rule,), (), (found,))
    return None


@checks_by(
    "condition.fails-saves", *clauses("fails_checks"), "cover.bonus", "exhaustion.penalty", *TOTAL,
    on=(SaveRolled, DiceRolled),
)  # fmt: skip
def saves_and_checks_are_right(state: FifthState, fact: Occurrence[SaveRolled | DiceRolled]) -> Iterator[Fault]:
    """Yield the first fault of a save or a check."""
    event = fact.event
    if event.purpose in ("death", "concentration") and isinstance(event, SaveRolled):
        return
    if event.combatant not in state.combatants:
        return
    yield from [*wrong_save(state, fact)][:1]


def wrong_save(state: FifthState, fact: Occurrence[rolls.SaveOrCheck]) -> Iterator[Fault]:
    """Yield the faults of a save or check."""
    event, why = fact.event, fails(state, fact.event)
    if why:
        if event.succeeded:
            yield Fault(why.rules, f"{event.combatant} fails by its condition", "failed", "made", why.flat().events)
        return
    yield from wrong_cover(fact)
    yield from wrong_sum(state, event)
    found = succeeds(state, fact)
    unclear = (event.die is not None and rolls.has_wrong_face(event.die)) or not is_d20(event.die)
    if event.succeeded not in (None, found.value) and not unclear:
        words = {True: "made", False: "failed"}
        says = f"{rolls.roll_total(state, event)} against DC {dc_of(state, fact)}"
        yield Fault(TOTAL, says, words[bool(found.value)], words[event.succeeded], found.because.events)


def wrong_sum(state: FifthState, event: rolls.SaveOrCheck) -> Iterator[Fault]:
    """Yield a fault for a save or check whose total is not its die and modifiers."""
    if event.die is None or not is_d20(event.die):
        return
    yield from rolls.wrong_face(event.die, TOTAL)
    if not rolls.has_wrong_face(event.die):
        modifiers = (rolls.own(event.modifiers), event.modifiers)
        yield from rolls.wrong_total(
            state, event, TOTAL, {rolls.kept(event.die) + sum(e.amount for e in those) for those in modifiers}
        )


def is_d20(die: object) -> bool:
    """Say whether a die is a d20, as a bare number is."""
    return not isinstance(die, Dice) or "d20" in die.notation


@derives("save.total", on=(SaveRolled, DiceRolled), phase="rolls")
def save_is_made(state: FifthState, fact: Occurrence[rolls.SaveOrCheck]) -> None:
    """Keep whether a save or check succeeds, by the act that asked for it."""
    made = succeeds(state, fact).value
    if made is not None:
        state.checks_made[fact.seq] = made
        if isinstance(fact.event, SaveRolled):
            state.saves[fact.cause, fact.event.combatant] = made
