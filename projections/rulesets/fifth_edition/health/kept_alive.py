"""Monsters at 0 hit points that may live all the same: by a trait of theirs, or by the word of the game master."""

from __future__ import annotations

import re

from eventstore.events import Healed
from projections.because import Because, Derived
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition.attacks.circumstances import deed_behind
from projections.rulesets.fifth_edition.health.status import kind_of
from projections.rulesets.fifth_edition.shapes import Deed
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import derives
from projections.state import Combatant

TRAITS = frozenset(
    {"undead fortitude", "relentless", "relentless endurance", "relentless rage", "regeneration", "misty escape", "death ward"}
)  # fmt: skip
"""The traits and effects by which somebody at 0 hit points may have 1 instead, or is not dead yet."""
UNLISTED = "a trait that its sheet does not list"
BY_POINTS = ("zero.monster-dies", "zero.massive-damage")
"""The clauses by which a monster is dead for its hit points alone."""


@derives("zero.monster-dies")
def dead_by_points(state: FifthState, one: Combatant) -> Derived[bool]:
    """Return whether a monster is dead for its hit points alone, and not by what is recorded of its death."""
    if one.status != "dead" or not {*BY_POINTS} & {*one.standing.because.rules}:
        return Derived(False, Because())
    kind, why = kind_of(state, one)
    return Derived(kind == "monster", Because((), (), {}, (one.standing, Derived(kind, why))))


def trait_of(state: FifthState, one: Combatant) -> str:
    """Return the trait or effect that may keep a monster alive at 0 hit points; "" where none is known."""
    effects = (each.name for each in state.effects.values() if each.bearer == one.id)
    names = (re.sub(r"\s*\(.*", "", each.casefold()) for each in (*(e.name for e in one.sheet.entries or ()), *effects))
    return next((name for name in names if name in TRAITS), "")


def doubt(state: FifthState, one: Combatant) -> str:
    """Return what may keep a monster alive that is dead by its hit points: a trait, or any where its sheet lists none; "" if nothing may."""
    if not dead_by_points(state, one).value:
        return ""
    return trait_of(state, one) or ("" if one.sheet.entries is not None else UNLISTED)


@derives("zero.monster-dies")
def is_given_back(state: FifthState, fact: Occurrence[Healed]) -> Derived[bool]:
    """Return whether a monster that is dead by its hit points is given some back by no act, or by the one that hurt it: then it was not dead."""
    found, deed = dead_by_points(state, state.combatants[fact.event.target]), deed_behind(state, fact.cause)
    if not found.value or (deed and not hurts(state, deed, fact.event.target)):
        return Derived(False, found.because)
    return Derived(True, Because(is_given_back.rules, (), {}, (found,)))


def hurts(state: FifthState, deed: Deed, who: str) -> bool:
    """Say whether an act has hurt a combatant: what it gets back by such an act is kept by a trait, as the act heals nobody."""
    causes = (deed.seq, *state.rolls_of.get(deed.seq, ()))
    return any(each.event.target == who for cause in causes for each in state.dealt.get(cause, ()))
