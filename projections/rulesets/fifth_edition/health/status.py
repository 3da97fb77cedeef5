"""What a combatant is: up, dying, stable, dead; and whether it is a character or a monster."""

from __future__ import annotations

import re

from projections.because import Because, Derived
from projections.folds.effects import why_freed, why_rid
from projections.mechanics import tallies as marks
from projections.mechanics.conditions import Effect
from projections.mechanics.pools import HP, at_or_below
from projections.rulesets.fifth_edition.conditions import exhaustion, not_taken, stated_conditions
from projections.rulesets.fifth_edition.shapes import Body
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import derives
from projections.state import Combatant

STATUSES = {
    "up": "more than 0 hit points",
    "unconscious": "more than 0 hit points, and unconscious",
    "dying": "0 hit points, with death saves to make",
    "stable": "0 hit points, and no death saves to make",
    "down": "0 hit points, and neither a character nor a monster by its sheet",
    "dead": "dead",
}

FOES = "foes"
"""The side whose members are monsters unless something else is said of them."""
NUMBERED = re.compile(r"-\d+$")
"""The end of the id of one of several of a kind, as goblin-2."""
_CLASSES = "artificer|barbarian|bard|cleric|druid|fighter|monk|paladin|ranger|rogue|sorcerer|thief|warlock|wizard"
CLASSED = re.compile(rf"^(?:{_CLASSES})(?![\w'’-])|\b(?:{_CLASSES}) \d", re.IGNORECASE)
"""The class of a character in the notes of a sheet, which begin with it or have a level behind it: cleric, elf wizard 3."""


@derives("zero.unconscious", "zero.monster-dies", "unconscious.falls", "damage.subtracts")
def status(state: FifthState, one: Combatant) -> Derived[str]:
    """Return the status of a combatant: dead, else by its hit points above 0 or at 0."""
    body = state.body(one.id)
    if body.dead:
        return Derived("dead", body.dead)
    level = exhaustion(state, one.id)
    if level.value >= 6:
        return Derived("dead", level.because)
    at_zero = at_or_below(one.pools[HP], 0, (), state.chosen("hp-floor") if body.fallen else {})
    return (status_at_zero if at_zero.value else status_above_zero)(state, one, body, at_zero)


def status_above_zero(state: FifthState, one: Combatant, body: Body, above: Derived[bool]) -> Derived[str]:
    """Return up or unconscious for a combatant with hit points."""
    falls, subtracts = status.rules[2:]
    if asleep := sleeps(state, one):
        of = (above, *(Derived(one.id, Because(of=each.of)) for each in asleep))
        events, options = tuple(each.seq for each in asleep), state.chosen("conditions-as-effects")
        return Derived("unconscious", Because((falls,), events, options, of))
    woken = (by(state, one.id).get("unconscious") for by in (why_freed, why_rid))
    named = (why for name, why in not_taken(state, one.id) if name == "unconscious")
    back = tuple(Derived(one.id, why) for why in (body.fallen, *woken, *named) if why)
    return Derived("up", Because((*body.why, subtracts), (one.joined,), {}, (above, *back)))


def status_at_zero(state: FifthState, one: Combatant, body: Body, at_zero: Derived[bool]) -> Derived[str]:
    """Return dead, down, stable or dying for a combatant at 0 hit points, by what it is and by its death saves."""
    unconscious, monster = status.rules[:2]
    if body.stable:
        return Derived("stable", Because(body.why, (), {}, (body.stable, at_zero)))
    kind, because = kind_of(state, one)
    why, options = Derived(kind, because), state.chosen("monsters-at-zero") if kind == "monster" else {}
    if options and state.option("monsters-at-zero") == "die":
        return Derived("dead", Because((monster,), (), options, (at_zero, why)))
    if not kind:
        return Derived("down", Because((unconscious,), (), {}, (at_zero, why)))
    counts = tuple(marks.count(state.tallies, one.id, name) for name in ("successes", "failures"))
    return Derived("dying", Because((*body.why, unconscious), (), options, (at_zero, why, *counts)))


def sleeps(state: FifthState, one: Combatant) -> list[Effect]:
    """Return the conditions by which a combatant is unconscious whatever its hit points are."""
    return [each for each in stated_conditions(state, one.id) if each.name.casefold() == "unconscious"]


def kind_of(state: FifthState, one: Combatant) -> tuple[str, Because]:
    """Return whether a combatant is a character or a monster, by its sheet, a death save or the option; "" if that is open."""
    if one.sheet.creature:
        return one.sheet.creature, Because((), one.records("creature"))
    proof = state.body(one.id).character
    if proof:
        return "character", Because((), (proof,), state.chosen("unmarked"))
    chosen = state.option("unmarked")
    if chosen == "by-joining":
        return joined_as(state, one)
    return ("" if chosen == "unsaid" else chosen), Because((), one.records("creature"), state.chosen("unmarked"))


def joined_as(state: FifthState, one: Combatant) -> tuple[str, Because]:
    """Return what a combatant is by its class, else by its number or its side; "" if these say nothing."""
    because = Because((), one.records("creature", "notes"), state.chosen("unmarked"))
    if CLASSED.search(one.sheet.notes or ""):
        return "character", because
    if NUMBERED.search(one.id):
        return "monster", because
    ruled = one.ruled.get("side")
    return ("monster" if one.side == FOES else ""), because + Because((), (ruled,) if ruled else ())


def is_kindless(state: FifthState, one: Combatant) -> bool:
    """Say whether a combatant is neither a character nor a monster by what is known of it."""
    return not kind_of(state, one)[0]
