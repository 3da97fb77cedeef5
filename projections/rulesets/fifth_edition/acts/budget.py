"""What a combatant has left to spend in its turn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from projections.because import Because, Derived
from projections.folds.vitals import standing
from projections.mechanics import resources
from projections.mechanics.memo import remembered
from projections.mechanics.resources import uses
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.acts.deeds import HANDLED, STRIKES
from projections.rulesets.fifth_edition.conditions import acts_not, may_be_surprised
from projections.rulesets.fifth_edition.movement.feet_left import feet_left
from projections.rulesets.fifth_edition.state import Deed, FifthState
from projections.rulesets.fifth_edition.turns.order import seats
from projections.rulesets.fifth_edition.turns.surprise import is_surprised
from projections.rulesets.ruleset import derives
from projections.state import Combatant


@derives("object.one-free", "object.weapon-with-attack")
def handled(state: FifthState, who: str, besides: Deed | None = None) -> Derived[int]:
    """Return how many objects somebody handled for free in its turn; since 2024 each attack has a weapon drawn or put away."""
    those = [deed for deed in state.done.get(who, ()) if deed.cost == "free" and deed.kind in HANDLED]
    those += [besides] if besides else []
    free = [deed for deed in those if not deed.granted]
    events = tuple(deed.seq for deed in free)
    if not state.is_new:
        return Derived(len(free), Because(handled.rules[:1], events))
    drawn = [deed for deed in free if deed.kind in ("draw", "stow")]
    struck = [
        deed.seq for deed in state.done.get(who, ()) if deed.kind in STRIKES and deed.cost in ("action", "attack")
    ]
    acted = any(deed.cost == "action" for deed in state.done.get(who, ()))
    most = max(len(struck), int(besides is not None and not acted))
    number = len(free) - len(drawn) + max(0, len(drawn) - most)
    return Derived(number, Because(handled.rules, (*events, *struck), state.chosen("edition")))


@derives("surprise.first-turn-lost", "incapacitated.no-acts", "dead.out")
def barred(state: FifthState, one: Combatant) -> Because | None:
    """Return why somebody can do nothing: incapacitated, dead, or surprised; None where nothing bars it."""
    surprise, unable, dead = barred.rules
    if one.status == "dead":
        return Because((dead,), (), {}, (standing(one),))
    found = acts_not(state, one.id)
    if found.value:
        return Because((unable,), (), {}, (found,))
    if one.id in state.surprised and not state.is_new:
        return Because((surprise,), (state.surprised[one.id],), state.chosen("edition"))
    return None


NAMES = ("action", "attacks", "bonus", "reaction", "object", "movement")


OWN_TURN = ("action", "attacks", "bonus", "object", "movement")


RULES = {
    "action": "turn.one-action",
    "attacks": "act.attack",
    "bonus": "bonus-action.one",
    "reaction": "reaction.one-until-own-turn",
    "object": "object.one-free",
    "movement": "move.up-to-speed",
}


def slot_name(one: Combatant, what: str) -> str:
    """Return the name under which slots of a level are counted, for the word slot-N."""
    level = what.removeprefix("slot-")
    return next((name for name in one.resources if name.casefold() == f"level {level} spell slot"), "")


@remembered
def left(state: FifthState, one: Combatant, what: str) -> Derived[int] | None:  # noqa: PLR0911 – one for each thing
    """Return what somebody has left of a thing; None where there is no such thing, or nobody knows how much."""
    if what.startswith("slot-"):
        name = slot_name(one, what)
        return Derived(one.resources[name], Because(("slot.spent",), (), {}, (one.counted[name],))) if name else None
    if what not in NAMES:
        return None
    rules, turn = (RULES[what],), (state.clock.turn_event,) if state.clock.turn_event else (one.joined,)
    since = (state.began[one.id],) if one.id in state.began else ()
    options = state.chosen("edition") if may_be_surprised(state, one.id) else {}
    seat = Derived(what, Because((), (*seats(state, one.id), *since), options, (is_surprised(state, one.id),)))
    why = barred(state, one)
    if why and (what in ("action", "bonus", "reaction") or (one.id in state.surprised and not state.is_new)):
        return Derived(0, Because((*rules, *why.rules), (), why.options, (Derived(0, why), seat, unbarred(state, one))))
    if what in OWN_TURN and not state.has_turn(one.id):
        return Derived(0, Because(rules, turn, {}, (seat,)))
    if what == "movement":
        feet = feet_left(state, one)
        return feet and Derived(feet.value, Because((), (), {}, (feet.because, seat)))
    if what == "object":
        found = handled(state, one.id)
        return Derived(max(0, 1 - found.value), Because(rules, turn, {}, (found, seat)))
    whole = whole_of(state, one, what)
    if whole is None:
        return None
    rest = resources.left(state.spending, one.id, what, whole)
    first = turn if what in OWN_TURN else (one.joined,)
    return Derived(rest.value, Because(rules, first, {}, (rest, seat, unbarred(state, one))))


def unbarred(state: FifthState, one: Combatant) -> Derived[None]:
    """Return what it rests on that nothing bars somebody from acting: how it stands, and its conditions."""
    return Derived(None, Because((), (), {}, (standing(one), acts_not(state, one.id))))


@derives("act.attack", "bonus-action.needs-grant")
def whole_of(state: FifthState, one: Combatant, what: str) -> Derived[int] | None:
    """Return how much somebody has of a thing in a turn: attacks by the sheet once the Attack action began, a bonus action if an entry has that cost."""
    if what == "attacks":
        if one.sheet.attacks is None:
            return None
        began = bool(uses(state.spending, one.id, "attacks"))
        return Derived(one.sheet.attacks if began else 0, Because((), one.records("attacks")))
    if what == "bonus":
        used = uses(state.spending, one.id, "bonus")
        has_one = any(entry.cost == "bonus" for entry in one.sheet.entries or ())
        return Derived(int(bool(used) or has_one), Because(("bonus-action.needs-grant",), one.records("entries")))
    return Derived(1, Because((), (one.joined,)))


def also(state: FifthState, who: str, what: str) -> Iterable[int]:
    """Yield what may equally be stated: an unspent bonus action or none, by what grants one; fewer feet after a move of unknown length."""
    if what == "movement" and not all(each.told for each in state.strides.get(who, ())):
        feet = left(state, state.combatants[who], what)
        yield from range(feet.value if feet else 0)
    if what == "bonus" and state.has_turn(who) and not uses(state.spending, who, "bonus"):
        yield from (0, 1)


def bare(state: FifthState, one: Combatant) -> dict[str, Any]:
    """Return what is left of each thing that is known, without reasons."""
    found: dict[str, Any] = {}
    for what in (*NAMES, *(f"slot-{n}" for n in range(1, 10) if slot_name(one, f"slot-{n}"))):
        rest = left(state, one, what)
        if rest is not None:
            found[what] = rest.value
    return found


def names(_state: FifthState, one: Combatant) -> Iterable[str]:
    """Return what somebody has to spend."""
    slots = (f"slot-{n}" for n in range(1, 10) if slot_name(one, f"slot-{n}"))
    known = (what for what in NAMES if (what != "attacks" or one.sheet.attacks is not None))
    return (*(what for what in known if what != "movement" or figures.speeds(one)), *slots)
