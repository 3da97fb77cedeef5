"""Armour class and what raises or lowers it, to hit and in damage: parts of it lost, effects, rulings."""

from collections.abc import Iterable
from typing import Any

from eventstore.events import ActionTaken, EffectStarted, SheetChanged
from eventstore.shapes import Modifier
from projections.because import Because, Derived
from projections.mechanics.conditions import of
from projections.mechanics.grants import forms, names, words
from projections.occurrence import Occurrence
from projections.rulesets.catalogue import read
from projections.rulesets.ruleset import derives
from projections.rulesets.vile_darkness.state import Change, VileState
from projections.rulesets.vile_darkness.table import RULES

AC, ATTACK, DAMAGE = ("ac",), ("attack", "hit", "to-hit"), ("damage",)
"""The words for what a modifier is added to."""
DROPS, TAKES = frozenset({"drop", "discard", "lose"}), frozenset({"take", "pick", "raise", "don"})
"""The verbs by which a part of an armour class goes and comes back."""

# ---------------------------------------------------------------- where a sheet has it from


@derives("attack.ac-scale", on=SheetChanged)
def sheet_is_kept(state: VileState, fact: Occurrence[SheetChanged]) -> None:
    """Keep which record gave each key of a sheet; a new armour class has all its parts."""
    keys = state.changed.setdefault(fact.event.combatant, {})
    keys.update(dict.fromkeys(fact.event.sheet, fact.seq))
    if not {"ac", "ac_parts"}.isdisjoint(fact.event.sheet):
        state.lost.pop(fact.event.combatant, None)


def sheet_records(state: VileState, who: str, *keys: str) -> tuple[int, ...]:
    """Return the records that somebody has these keys of its sheet from."""
    changed = state.changed.get(who, {})
    return tuple(sorted({changed.get(key, state.combatants[who].joined) for key in keys}))


def covering(state: VileState, address: str) -> Derived[Any] | None:
    """Return the value that a ruling has put over a derived one."""
    covered = state.ruled.get(address)
    return Derived(covered.value, Because(of=(covered,))) if covered else None


# ---------------------------------------------------------------- what changes it


@derives("attack.ac-bonus-sign", on=ActionTaken)
def part_is_lost(state: VileState, fact: Occurrence[ActionTaken]) -> None:
    """Keep that somebody has dropped what part of its armour class comes from, or has taken it up again."""
    action, who = fact.event.action, fact.event.combatant
    said = words(f"{action.name or ''} {action.object or ''}")
    verb = forms(said[0]) if said and action.kind == "simple" else frozenset()
    for part in state.combatants[who].sheet.ac_parts:
        if words(part)[-1:] and words(part)[-1] in said:
            if verb & DROPS:
                state.lost.setdefault(who, {})[part] = fact.seq
            elif verb & TAKES:
                state.lost.get(who, {}).pop(part, None)


@derives("attack.ac-bonus-sign", on=EffectStarted)
def effect_brings(state: VileState, fact: Occurrence[EffectStarted]) -> None:
    """Keep what an effect adds to which rolls, and what it permits."""
    if fact.event.modifiers or fact.event.attributes:
        state.bearing[fact.seq] = fact.event


def added(state: VileState, who: str, to: tuple[str, ...]) -> list[tuple[str, Change]]:
    """Return what the effects on somebody add to this, by name."""
    found = [(state.bearing[each.seq], each.seq) for each in of(state.effects, who) if each.seq in state.bearing]
    return [(mod.name, (mod.amount, seq)) for event, seq in found for mod in event.modifiers if mod.to in to]


def changes(state: VileState, who: str) -> list[Change]:
    """Return what is gained by effects and lost of somebody's armour class."""
    parts = state.combatants[who].sheet.ac_parts
    lost = [(-parts[part], seq) for part, seq in state.lost.get(who, {}).items() if part in parts]
    return [*lost, *(change for _, change in added(state, who, AC))]


@derives("attack.gm-modifiers")
def ruled(
    state: VileState, who: str, to: tuple[str, ...], about: Iterable[int] = (), before: int = 0
) -> list[tuple[str, Change]]:
    """Return what rulings of this round add to this: those about one of these records, or of everything since then."""
    found, chain = [], set(about)
    for fact in state.rulings:
        event = fact.event
        if fact.seq < state.round.opened or (event.combatants and who not in event.combatants):
            continue
        if event.event in chain if event.event else not before or fact.seq < before:
            found += [(mod.name, (mod.amount, fact.seq)) for mod in event.modifiers if (mod.to or "attack") in to]
    return found


def unlisted(listed: Iterable[Modifier], found: Iterable[tuple[str, Change]]) -> list[tuple[str, Change]]:
    """Return those of some modifiers that a roll does not list: neither by name nor by amount."""
    own = list(listed)
    return [each for each in found if not any(mod.amount == each[1][0] or names(each[0], (mod.name,)) for mod in own)]


# ---------------------------------------------------------------- what it comes to


def on_the_scale(ac: int) -> int:
    """Return an armour class within the scale: the worst is 10, the best -10."""
    table = read(RULES).tables["attack"]
    return int(max(table["best_ac"], min(table["worst_ac"], ac)))


@derives("attack.ac-scale", "attack.ac-bonus-sign")
def reckoned(base: int, found: Iterable[Change], sheets: tuple[int, ...]) -> Derived[int]:
    """Return an armour class with what changes it: a bonus lowers it, a penalty raises it, within the scale."""
    scale, sign = reckoned.rules
    kept = [change for change in found if change[0]]
    rules = (sign, scale) if kept else (scale,)
    value = on_the_scale(base - sum(amount for amount, _ in kept))
    return Derived(value, Because(rules, tuple(sorted({*sheets, *(seq for _, seq in kept)}))))


def recorded_ac(state: VileState, who: str) -> int:
    """Return the armour class on somebody's sheet."""
    ac = state.combatants[who].sheet.ac
    return 10 if ac is None else int(ac)


def armour(state: VileState, who: str) -> Derived[int]:
    """Return somebody's armour class as it is now."""
    found = [*changes(state, who), *(change for _, change in ruled(state, who, AC))]
    keys = ("ac", "ac_parts") if state.lost.get(who) else ("ac",)
    value = reckoned(recorded_ac(state, who), found, sheet_records(state, who, *keys))
    over = [each for each in state.rid_by.get(who, {}).values() if _brought(state, each.events[0])]
    return Derived(value.value, Because(value.because.rules, value.because.events, {}, tuple(over)))


def _brought(state: VileState, seq: int) -> bool:
    """Say whether an effect brought something to the armour class."""
    return seq in state.bearing and any(mod.to in AC for mod in state.bearing[seq].modifiers)
