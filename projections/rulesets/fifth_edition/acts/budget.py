"""What a combatant has left to spend in its turn."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from projections.because import Because, Cites, Derived
from projections.folds.vitals import standing
from projections.mechanics import resources
from projections.mechanics.memo import remembered
from projections.mechanics.resources import Resource, uses
from projections.open_types import Fields
from projections.rulesets.catalogue import read
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.acts.deeds import HANDLED, is_attack_action, paid_with
from projections.rulesets.fifth_edition.conditions import acts_not, may_be_surprised
from projections.rulesets.fifth_edition.movement.feet_left import feet_left
from projections.rulesets.fifth_edition.shapes import Deed
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.fifth_edition.turns.order import seat
from projections.rulesets.fifth_edition.turns.surprise import is_surprised
from projections.rulesets.ruleset import derives
from projections.state import Combatant


@derives("object.one-free", "object.weapon-with-attack")
def handled(state: FifthState, who: str, besides: Deed | None = None) -> Derived[int]:
    """Return how many objects a combatant has handled for free in its turn, with one more act if it is given.

    In 2024 one weapon is drawn or put away with each attack; these do not count.
    """
    done = state.done.get(who, [])
    free = [deed for deed in done if deed.cost == "free" and deed.kind in HANDLED and not deed.granted]
    free += [besides] if besides else []
    events = tuple(deed.seq for deed in free)
    if not state.is_new:
        return Derived(len(free), Because(handled.rules[:1], events))
    drawn = sum(deed.kind in ("draw", "stow") for deed in free)
    struck = [deed.seq for deed in done if is_attack_action(deed)]
    may_still_attack = besides is not None and not any(deed.cost == "action" for deed in done)
    most = max(len(struck), int(may_still_attack))
    number = len(free) - min(drawn, most)
    return Derived(number, Because(handled.rules, (*events, *struck), state.chosen("edition")))


@derives("surprise.first-turn-lost", "incapacitated.no-acts", "dead.out", "surprise.no-reaction")
def barred(state: FifthState, one: Combatant, what: str) -> Because | None:
    """Return why a combatant cannot spend a thing: dead, incapacitated or surprised; None if it can."""
    surprise, unable, dead, no_reaction = barred.rules
    if one.status == "dead":
        return Because((dead,), (), {}, (standing(one),))
    found = acts_not(state, one.id)
    if found.value:
        return Because((unable,), (), {}, (found,))
    if one.id in state.surprised and not state.is_new:
        surprise = no_reaction if what == "reaction" else surprise
        return Because((surprise,), (state.surprised[one.id],), state.chosen("edition"))
    return None


@cache
def rows(rules: object) -> dict[str, Resource]:
    """Return the rows of a catalogue for what a turn has to spend, by name."""
    return resources.resources(read(rules).tables["resource"])


def slots(one: Combatant) -> dict[str, str]:
    """Return the names under which a combatant's spell slots are counted, by the words slot-1 to slot-9."""
    names = {name.casefold(): name for name in reversed(one.resources)}
    levels = {f"slot-{level}": f"level {level} spell slot" for level in "123456789"}
    return {word: names[level] for word, level in levels.items() if level in names}


@remembered
def left(state: FifthState, one: Combatant, what: str) -> Derived[int] | None:
    """Return how much of a thing a combatant has left; None if there is no such thing, or nobody knows how much.

    A combatant that cannot act has none left, and outside its turn only the reaction is left.
    """
    if name := slots(one).get(what):
        return Derived(one.resources[name], Because(("slot.spent",), (), {}, (one.counted[name],)))
    row = rows(state.rules.rules).get(what)
    if row is None:
        return None
    rules, own = (row.rule,), row.where == "own-turn"
    turn = (state.clock.turn_event or one.joined,)
    since = (state.began[one.id],) if one.id in state.began else ()
    options = state.chosen("edition") if may_be_surprised(state, one.id) else {}
    granted = (deed.granted for deed in state.done.get(one.id, ()) if paid_with(deed.cost) == what)
    of: tuple[Cites, ...] = (is_surprised(state, one.id), seat(state, one.id), *granted)
    placed = Derived(what, Because((), since, options, of))
    acts = Derived(None, Because((), (), {}, (standing(one), acts_not(state, one.id))))
    why = barred(state, one, what)
    if why and (what in ("action", "bonus", "reaction") or (one.id in state.surprised and not state.is_new)):
        return Derived(0, Because((*rules, *why.rules), (), why.options, (Derived(None, why), placed, acts)))
    if own and not state.has_turn(one.id):
        return Derived(0, Because(rules, turn, {}, (placed,)))
    return rest(state, one, row, turn if own else (one.joined,), (placed, acts))


def rest(
    state: FifthState, one: Combatant, row: Resource, events: tuple[int, ...], of: tuple[Derived[object], ...]
) -> Derived[int] | None:
    """Return how much of a thing a combatant that can act has left; None if nobody knows how much it has."""
    if row.name == "movement":
        feet = feet_left(state, one)
        return feet and Derived(feet.value, Because((), (), {}, (feet.because, of[0])))
    if row.name == "object":
        found = handled(state, one.id)
        return Derived(max(0, 1 - found.value), Because((row.rule,), events, {}, (found, of[0])))
    whole = whole_of(state, one, row.name)
    if whole is None:
        return None
    found = resources.left(state.spending, one.id, row.name, whole)
    return Derived(found.value, Because((row.rule,), events, {}, (found, *of)))


@derives("act.attack", "bonus-action.needs-grant")
def whole_of(state: FifthState, one: Combatant, what: str) -> Derived[int] | None:
    """Return how much of a thing a turn has: the attacks of the sheet once an Attack action began, a bonus action if an entry needs one."""
    if what == "attacks":
        most, began = one.sheet.attacks, uses(state.spending, one.id, what)
        return None if most is None else Derived(most if began else 0, Because((), one.records("attacks")))
    if what == "bonus":
        has_one = any(entry.cost == "bonus" for entry in one.sheet.entries or ())
        return Derived(int(has_one), Because(("bonus-action.needs-grant",), one.records("entries")))
    return Derived(1, Because((), (one.joined,)))


def also(state: FifthState, who: str, what: str) -> Iterable[int]:
    """Yield other amounts that may be stated: an unspent bonus action or none; fewer feet after a move of unknown length."""
    if what == "movement" and not all(each.recorded for each in state.strides.get(who, ())):
        feet = left(state, state.combatants[who], what)
        yield from range(feet.value if feet else 0)
    if what == "bonus" and state.has_turn(who) and not uses(state.spending, who, "bonus"):
        yield from (0, 1)


def bare(state: FifthState, one: Combatant) -> Fields:
    """Return how much is left of each thing that is known, without reasons."""
    found = {what: left(state, one, what) for what in (*rows(state.rules.rules), *slots(one))}
    return {what: rest.value for what, rest in found.items() if rest is not None}


def names(state: FifthState, one: Combatant) -> Iterable[str]:
    """Return the things that a combatant can spend."""
    unknown = {"attacks": one.sheet.attacks is None, "movement": not figures.speeds(one)}
    return (*(what for what in rows(state.rules.rules) if not unknown.get(what)), *slots(one))
