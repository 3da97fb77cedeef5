"""The order of turns: by totals, with ties decided, controlled mounts beside their riders."""

from __future__ import annotations

from itertools import chain

from projections.because import Because, Cites, Derived
from projections.folds.vitals import standing
from projections.mechanics import rolls
from projections.open_types import Fields
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import derives


def level_with(state: FifthState, who: str) -> list[str]:
    """Return the combatants with the same total, this one included, in the order of joining."""
    totals = {each: roll.total for each, roll in state.rolls.items()}
    return [each for each in state.combatants if each in totals and totals[each] == totals.get(who)]


@derives("initiative.ties-decided")
def tie_break(state: FifthState, who: str) -> tuple[int, ...]:
    """Return the key of a combatant among the tied: by ruling, by option, by the turns that they took."""
    level, how = level_with(state, who), state.option("initiative-tie")
    by = [-state.rolls[who].bonus] if how == "higher-bonus" else []
    if how == "roll-off":
        by = [rank for rank, part in enumerate(rolls.tied_groups(state.ties, level)) if who in part]
    ruled = state.ties.ruled.get(who, ())
    return not ruled, *ruled, *by, state.took.get(who, (len(state.took),))[0]


def controlled(state: FifthState) -> dict[str, str]:
    """Return the controlled mounts with their riders, whose initiative they have."""
    return {mount.who: rider for rider, mount in state.mounts.items() if mount.controlled and rider in state.rolls}


@derives("initiative.highest-first", "initiative.order-fixed", "mount.controlled")
def ranked(state: FifthState) -> list[list[str]]:
    """Return the combatants with a place from the highest total down, groups together, controlled mounts with their riders."""
    mounts = controlled(state)
    groups: dict[object, list[str]] = {}
    for who, one in state.combatants.items():
        if who in state.rolls and who not in mounts:
            roll = state.rolls[who]
            groups.setdefault(roll.events if roll.shared else one.joined, []).append(who)

    def place(group: list[str]) -> tuple[object, ...]:
        joined = min(state.at(state.combatants[who].joined) for who in group)
        return -state.rolls[group[0]].total, min(tie_break(state, who) for who in group), joined

    found = sorted(groups.values(), key=place)
    return [[each for who in group for each in (who, *(m for m, r in mounts.items() if r == who))] for group in found]


def key(state: FifthState, who: str) -> Derived[Fields | None]:
    """Return the values that a combatant is sorted by; a controlled mount has the roll of its rider."""
    rolls_as = controlled(state).get(who, who)
    roll = state.rolls.get(rolls_as)
    if roll is None:
        return Derived(None, Because(ranked.rules[:1], ruled_by(state)))
    parts = {"total": roll.total, "joined": state.combatants[who].joined}
    mounted = Derived(parts, seat(state, who))
    level = level_with(state, rolls_as)
    if len(level) == 1:
        return Derived(parts, Because(ranked.rules[:1], roll.events, {}, (mounted,)))
    took = (state.took[each][1] for each in level if each in state.took)
    tied = Derived(parts, Because((), (*took, *rolls.settled_by(state.ties, level))))
    of: tuple[Cites, ...] = (tied, mounted, *(standing(state.combatants[each]) for each in level))
    rules = (ranked.rules[0], "initiative.ties-decided")
    return Derived(parts, Because(rules, roll.events, state.chosen("initiative-tie"), of))


def seat(state: FifthState, who: str) -> Because:
    """Return why a combatant rides or is ridden, or is no longer."""
    mounted = {rider: each.seq for rider, each in state.mounts.items() if who in (rider, each.who)}
    stays = (state.ended.get(("mount", rider)) for rider in mounted)
    whys = [*filter(None, (state.unseated_by.get(who), state.rider_gone.get(who), *stays))]
    events = (*mounted.values(), *(seq for why in whys for seq in why.events))
    return Because((), events, dict(chain(*(why.options.items() for why in whys))))


def ruled_by(state: FifthState) -> tuple[int, ...]:
    """Return the record of a ruling on the order, if there is one."""
    return state.ruled_order[:1] if state.ruled_order else ()


def placed_by(state: FifthState, who: str) -> tuple[int, ...]:
    """Return the records by which a combatant has its place: a ruling on the order, else its roll or that of its rider."""
    return ruled_by(state) or key(state, who).because.events
