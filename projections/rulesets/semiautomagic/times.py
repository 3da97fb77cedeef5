"""Times: how many seconds an action takes, by a ruling, an entry of the sheet, the table, or as recorded."""

from eventstore.shapes import Action
from projections.rulesets.ruleset import derives
from projections.rulesets.semiautomagic.sheet import Listed, seconds_of, table
from projections.rulesets.semiautomagic.state import SemiautomagicState
from projections.state import action_word


def entry_of(state: SemiautomagicState, who: str, action: Action) -> Listed | None:
    """Return the entry of a sheet that an action is, by its name."""
    name = (action.name or "").casefold()
    entries = state.combatants[who].sheet.entries
    return next((entry for entry in entries if name and entry.name.casefold() == name), None)


@derives("action.times", "action.run-three-or-longer")
def listed_time(state: SemiautomagicState, who: str, action: Action) -> int | None:
    """Return the seconds that an action takes by a ruling, its entry, or the table; None where none of them says."""
    ruled = state.ruled_times.get((who, action_word(action).casefold()))
    if ruled:
        return ruled[0]
    entry = entry_of(state, who, action)
    own = seconds_of(entry.time) if entry else None
    if own is not None:
        return own
    row = table().get(action.kind)
    return row.seconds if row else None


def cost(state: SemiautomagicState, who: str, action: Action) -> int:
    """Return the seconds that an action holds: those recorded, right or wrong, else those listed; below 0 counts as 0."""
    recorded = seconds_of(action.time)
    ruled = state.ruled_times.get((who, action_word(action).casefold()))
    if recorded is None or ruled:
        recorded = listed_time(state, who, action)
    return max(0, recorded or 0)


@derives("zero-second.free", "zero-second.during-action")
def takes_seconds(cost: int) -> bool:
    """Say whether an action takes any second: one that takes none needs no free one, and fits into any other action."""
    return cost > 0
