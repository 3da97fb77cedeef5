"""What a combatant is: up, dying, stable, dead; and whether it is a character or a monster."""

from __future__ import annotations

from projections.because import Because, Derived
from projections.mechanics import tallies as marks
from projections.mechanics.conditions import Effect
from projections.mechanics.pools import HP, at_or_below
from projections.rulesets.fifth_edition.conditions import exhaustion, stated_conditions
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import derives
from projections.state import Combatant

STATUSES = {
    "up": "more than 0 hit points",
    "unconscious": "more than 0 hit points, and unconscious",
    "dying": "0 hit points, with death saves to make",
    "stable": "0 hit points, and no death saves to make",
    "down": "0 hit points, and neither character nor monster is said",
    "dead": "dead",
}


@derives("zero.unconscious", "zero.monster-dies", "unconscious.falls", "damage.subtracts")
def status(state: FifthState, one: Combatant) -> Derived[str]:  # noqa: PLR0911 – one for each status
    """Return the status of a combatant: death first, then what holds at 0 hit points, then being unconscious."""
    unconscious, monster, falls, above = status.rules
    body = state.body(one.id)
    if body.dead:
        return Derived("dead", body.dead)
    level = exhaustion(state, one.id)
    if level.value >= 6:
        return Derived("dead", level.because)
    at_zero = at_or_below(one.pools[HP], 0, (), state.chosen("hp-floor") if body.fallen else {})
    if not at_zero.value:
        asleep = sleeps(state, one)
        of = (at_zero, *(Derived(one.id, Because(of=each.of)) for each in asleep))
        options = state.chosen("conditions-as-effects") if asleep else {}
        why_asleep = Because((falls,), tuple(each.seq for each in asleep), options, of)
        found = Derived("unconscious", why_asleep) if asleep else None
        woken = (by.get(one.id, {}).get("unconscious") for by in (state.freed_by, state.rid_by))
        back = tuple(Derived(one.id, why) for why in (body.fallen, *woken) if why)
        rules = (*body.why, above) if one.hp == 1 else (above, *body.why)
        return found or Derived("up", Because(rules, (one.joined,), {}, (at_zero, *back)))
    kind, because = kind_of(state, one)
    why = Derived(kind, because)
    if kind == "monster" and state.option("monsters-at-zero") == "die" and not body.stable:
        return Derived("dead", Because((monster,), (), state.chosen("monsters-at-zero"), (at_zero, why)))
    if not kind and not body.stable:
        return Derived("down", Because((unconscious,), (), {}, (at_zero, why)))
    if body.stable:
        return Derived("stable", Because(body.why, (), {}, (body.stable, at_zero)))
    counts = tuple(marks.count(state.tallies, one.id, name) for name in ("successes", "failures"))
    options = state.chosen("monsters-at-zero") if kind == "monster" else {}
    rules, fallen = (*body.why, unconscious), (Derived(one.id, body.fallen),) if body.fallen else ()
    return Derived("dying", Because(rules, (), options, (at_zero, why, *counts, *fallen)))


def sleeps(state: FifthState, one: Combatant) -> list[Effect]:
    """Return the conditions by which somebody is unconscious whatever its hit points are."""
    return [each for each in stated_conditions(state, one.id) if each.name.casefold() == "unconscious"]


def kind_of(state: FifthState, one: Combatant) -> tuple[str, Because]:
    """Return whether somebody is a character or a monster, by its sheet, a death save, or the option; "" where nobody says."""
    if one.sheet.creature:
        return one.sheet.creature, Because((), one.records("creature"))
    proof = state.body(one.id).character
    if proof:
        return "character", Because((), (proof,), state.chosen("unmarked"))
    chosen = state.option("unmarked")
    return ("" if chosen == "unsaid" else chosen), Because((), one.records("creature"), state.chosen("unmarked"))
