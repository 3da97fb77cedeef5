"""The order of turns: by totals, with ties decided, mounts beside their riders."""

from __future__ import annotations

from typing import Any

from projections.because import Because, Cites, Derived
from projections.folds.vitals import standing
from projections.mechanics import rolls
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import derives


def level_with(state: FifthState, who: str) -> list[str]:
    """Return who has the same total, including oneself, in the order of joining."""
    own = state.rolls[who].total
    return [each for each in state.combatants if each in state.rolls and state.rolls[each].total == own]


@derives("initiative.ties-decided")
def tie_break(state: FifthState, who: str) -> tuple[int, ...]:
    """Return how the place of somebody among the tied was decided: by ruling, by option, by the turns that they took."""
    level, how = level_with(state, who), state.option("initiative-tie")
    ruled = state.ties.ruled.get(who, (len(level) + 1, 0))[0]
    by = -state.rolls[who].bonus if how == "higher-bonus" else 0
    if how == "roll-off":
        by = next(rank for rank, part in enumerate(rolls.tied_groups(state.ties, level)) if who in part)
    took = state.took.get(who)
    return ruled, by, took[0] if took else len(state.took)


@derives("initiative.highest-first", "initiative.order-fixed", "mount.controlled")
def ranked(state: FifthState) -> list[list[str]]:
    """Return everybody with a place from the highest total down, groups together, controlled mounts with their riders."""
    riders = {mount.who: rider for rider, mount in state.mounts.items() if mount.controlled and rider in state.rolls}
    groups: dict[tuple[int, ...], list[str]] = {}
    for who in state.combatants:
        if who in state.rolls and who not in riders:
            groups.setdefault(
                state.rolls[who].events if state.rolls[who].shared else (0, -state.combatants[who].joined), []
            ).append(who)

    def place(group: list[str]) -> tuple[Any, ...]:
        joined = min(state.at(state.combatants[who].joined) for who in group)
        return -state.rolls[group[0]].total, min(tie_break(state, who) for who in group), joined

    found = sorted(groups.values(), key=place)
    return [[each for who in group for each in (who, *(m for m, r in riders.items() if r == who))] for group in found]


def key(state: FifthState, who: str) -> Derived[dict[str, Any] | None]:
    """Return what somebody is sorted by, with the reason; a controlled mount by its rider's roll."""
    riders = (each for each, mount in state.mounts.items() if mount.who == who and mount.controlled)
    rider = next((each for each in riders if each in state.rolls), "")
    roll = state.rolls.get(rider or who)
    if roll is None:
        return Derived(None, Because(ranked.rules[:1]))
    level = level_with(state, rider or who)
    tied = tuple(state.took[each][1] for each in level if each in state.took) if len(level) > 1 else ()
    tied = (*tied, *rolls.settled_by(state.ties, level)) if len(level) > 1 else ()
    options = state.chosen("initiative-tie") if len(level) > 1 else {}
    rules = (*ranked.rules[:1], *(("initiative.ties-decided",) if len(level) > 1 else ()))
    parts = {"total": roll.total, "joined": state.combatants[who].joined}
    rests: tuple[Cites, ...] = Derived(parts, Because((), tied)), Derived(parts, Because((), seats(state, who)))
    rests = (*rests, *(standing(state.combatants[each]) for each in level if len(level) > 1))
    return Derived(parts, Because(rules, roll.events, options, rests))


def seats(state: FifthState, who: str) -> tuple[int, ...]:
    """Return the records by which somebody shares a place with what it rides, or does no longer."""
    mounted = (each.seq for rider, each in state.mounts.items() if who in (rider, each.who))
    over = (why for why in (state.unseated_by.get(who), state.rider_gone.get(who)) if why)
    return (*mounted, *(seq for why in over for seq in why.events))


def same_total(state: FifthState, one: str, other: str) -> bool:
    """Say whether two have the same total."""
    return one in state.rolls and other in state.rolls and state.rolls[one].total == state.rolls[other].total


def placed_by(state: FifthState, who: str) -> tuple[int, ...]:
    """Return the records by which somebody has its place: its roll, and a ruling on the order."""
    if state.ruled_order:
        return (state.ruled_order[0],)
    return state.rolls[who].events if who in state.rolls else ()
