"""The price of an act: by what was recorded, the entry that grants it, or the table."""

from eventstore.shapes import Action
from projections.rulesets.definition_master.sheet import MasterEntry
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.definition_master.table import Row, action_rows
from projections.rulesets.ruleset import derives
from projections.sheet import entry_named
from projections.state import Combatant

MOVE, STANDARD, ATTACK, FULL, SWIFT, FREE = "move", "standard", "attack", "full-round", "swift", "free"
AOO, COUNTERSPELL, OTHER, HELD = "opportunity", "counterspell", "other", "held"
ON_TURN = (MOVE, STANDARD, ATTACK, FULL, SWIFT, FREE)
"""What is paid in one's own turn."""
IMMEDIATE = (AOO, COUNTERSPELL, OTHER, HELD)
"""Immediate actions, which are paid at any time."""
OPTIONS = ("break", "expose", "grapple-move", "submission", "pin")
"""What somebody who holds another may do with it."""
KINDLESS = {"talk": FREE, "move": MOVE, "pick-up": MOVE}
"""The costs of kinds that the table does not list."""
BELT = "potion belt"


def entry_of(one: Combatant, action: Action) -> MasterEntry | None:
    """Return the entry of the sheet that grants an act, or has its name."""
    entries: tuple[MasterEntry, ...] = one.sheet.entries
    return entry_named(entries, action.granted_by, action.name)


def has_belt(one: Combatant) -> bool:
    """Say whether somebody has a potion belt."""
    return entry_named(one.sheet.entries, BELT) is not None


def cost_word(word: str | None, kind: str) -> str:
    """Return a cost in its counted form; an immediate action is of the kind that its act has; "" if none is named."""
    named = "-".join((word or "").casefold().replace("_", " ").split())
    named = {"aoo": AOO, "attack-of-opportunity": AOO, "bonus": SWIFT, "full": FULL, "reaction": "immediate"}.get(
        named, named
    )
    return {"attack": AOO, COUNTERSPELL: COUNTERSPELL}.get(kind, OTHER) if named == "immediate" else named


@derives("turn.action-kinds", "immediate.three-kinds")
def cost_of(state: MasterState, one: Combatant, action: Action, trigger: int | None = None) -> str:
    """Return what pays for an act: as recorded, else as its entry or its kind says."""
    kind = action.kind.casefold()
    if said := cost_word(action.cost, kind):
        return said
    if kind == COUNTERSPELL:
        return COUNTERSPELL
    if kind == "attack" and trigger is not None and state.clock.turn != one.id:
        return AOO
    return own_cost(state, one, action)


@derives("standard.whole-slot", "swift.only-from-entries")
def own_cost(state: MasterState, one: Combatant, action: Action) -> str:
    """Return the price that an act has if none is recorded: its entry's, else that of its kind."""
    kind, entry = action.kind.casefold(), entry_of(one, action)
    if entry and (said := cost_word(entry.cost, kind)):
        return said
    if kind == "drink" and (action.granted_by or "").casefold() == BELT and has_belt(one):
        return SWIFT
    if kind in OPTIONS and state.option("grapple-option-cost") == "attack":
        return ATTACK
    rows = action_rows(kind)
    return str(rows[0]["cost"]) if rows else KINDLESS.get(kind, STANDARD)


def row_of(action: Action, cost: str) -> Row | None:
    """Return the row of the table that an act falls under: of its kind, by its manner, then by its cost."""
    manners = {word.casefold() for word in action.manner}
    word = "immediate" if cost in IMMEDIATE else cost
    rows = action_rows(action.kind.casefold())
    fitting = [row for row in rows if row.get("manner", "") in manners] or [row for row in rows if "manner" not in row]
    return next((row for row in fitting if row["cost"] == word), fitting[0] if fitting else None)
