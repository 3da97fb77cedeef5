"""Switches off each check and each deriving function of a ruleset, one at a time, and prints what nothing notices.

    python -m tests.unnoticed [RULESET ...]

A function that is switched off does nothing, or returns a sound value that says nothing: 0, "", False (and True), the
own segment without its bonus. It is noticed where a play that holds (a case, breach or alternative of the rulebook, a
fixture) no longer does; a mere crash is not noticed. And a clause's own plays have to notice at least one of the
functions that carry its id. Exits with 1 if anything is printed.
"""

import sys
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec

from eventstore.shapes import Action
from projections.enc import Play, parse
from projections.proof import run
from projections.rulebook import Function, functions, name_of, plays, rules_of
from projections.rulesets import UnknownRuleset, find, keys
from projections.rulesets.osric import order, surprise
from projections.rulesets.osric.state import Order, OsricState
from projections.rulesets.ruleset import Check, Ruleset
from projections.state import Combatant, Told
from projections.time import Point

FIXTURES = Path(__file__).parents[1] / "fixtures"
Replacement = Callable[..., Any]


def main(words: list[str]) -> int:
    """Print what goes unnoticed in these rulesets, or in all; return how many there are, at most 1."""
    found = 0
    try:
        rulesets = [find(key) for key in words or keys()]
    except UnknownRuleset as error:
        sys.exit(f"{error} ({error.hint})")
    for ruleset in rulesets:
        key = ruleset.key
        for line in unnoticed(ruleset, _progress(key)):
            sys.stdout.write(f"{key}: {line}\n")
            found = 1
    return found


def unnoticed(ruleset: Ruleset, progress: Callable[[str], None] = lambda _: None) -> Iterator[str]:
    """Yield each function that can be switched off and nobody notices, and each clause whose own plays notice nothing."""
    stage: list[Play] = []
    failing: list[Play] = []
    for play in (*plays(ruleset), *fixtures(ruleset)):
        (stage if run(play).proven else failing).append(play)
    yield from (
        f"{play.title} ({play.source}, line {play.line}) does not hold, and notices nothing" for play in failing
    )
    yield from (f"{name} is gone: take it out of SIMPLER" for name in _gone(ruleset))
    minding: set[str] = set()
    for function in functions(ruleset):
        progress(name_of(function))
        about = [play for play in stage if concerns(ruleset, play, function)]
        others = [play for play in stage if play not in about]
        for label, replacement in replacements(ruleset, function):
            noticed = [play for play in about if fails_without(function, replacement, play)]
            minding |= {rule for rule in rules_of(function) if _mind(ruleset, noticed, rule)}
            if not noticed and not any(fails_without(function, replacement, play) for play in others):
                yield f"{name_of(function)} ({', '.join(rules_of(function))}): nothing notices {label}"
    progress("")
    for clause in ruleset.catalogue().rule:
        if clause.kind != "gm" and clause.id not in minding:
            yield f"{clause.id}: its own plays notice the absence of none of its functions"


def _gone(ruleset: Ruleset) -> set[str]:
    return SIMPLER.get(ruleset.key, {}).keys() - {name_of(function) for function in functions(ruleset)}


def _mind(ruleset: Ruleset, noticed: list[Play], rule: str) -> bool:
    return any(rule in rules_about(ruleset, play) for play in noticed)


def fixtures(ruleset: Ruleset) -> list[Play]:
    """Return the whole encounters that are kept as fixtures of a ruleset."""
    folder = FIXTURES / ruleset.key
    return [play for path in sorted(folder.glob("*.enc")) for play in parse(path.read_text("utf-8"), path.name)]


def rules_about(ruleset: Ruleset, play: Play) -> tuple[str, ...]:
    """Return the rules that a play is about: its own, or those of its option."""
    option = ruleset.catalogue().find_option(play.name[0]) if play.kind == "alternative" else None
    return option.rules if option else play.name[:1]


def concerns(ruleset: Ruleset, play: Play, function: Function) -> bool:
    """Say whether a play is about a rule that a function carries."""
    return any(rule in rules_of(function) for rule in rules_about(ruleset, play))


def fails_without(function: Function, replacement: Replacement, play: Play) -> bool:
    """Say whether a play that holds fails once a function is replaced; one that crashes has noticed nothing."""
    kept = function.function
    function.function = replacement
    try:
        return not run(play).proven
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return False
    finally:
        function.function = kept


# ---------------------------------------------------------------- what stands in the place of a function


def replacements(ruleset: Ruleset, function: Function) -> Iterator[tuple[str, Replacement]]:
    """Yield what is put in the place of a function, each with its name in a sentence."""
    if isinstance(function, Check):
        yield "that it is silent", _constant(None)
        return
    returned = get_type_hints(function.function)["return"]
    for value in neutral(returned):
        yield ("that it does nothing" if returned is NoneType else f"{value!r} in its place"), _constant(value)
    if simpler := SIMPLER.get(ruleset.key, {}).get(name_of(function)):
        yield simpler


def _constant(value: Any) -> Replacement:
    return lambda *_args, **_kwargs: value


def neutral(kind: Any) -> list[Any]:
    """Return the values of a type that say nothing."""
    if get_origin(kind) in (UnionType, Union):
        return [None] if NoneType in get_args(kind) else neutral(get_args(kind)[0])
    if get_origin(kind) is tuple:
        items = get_args(kind)
        return [()] if Ellipsis in items else [tuple(each) for each in product(*(neutral(item) for item in items))]
    if kind in (bool, int):
        return [kind(0), kind(1)]
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return [kind(*(neutral(field.type)[0] for field in msgspec.structs.fields(kind) if field.required))]
    return [None] if kind in (NoneType, None) else [get_origin(kind)() if get_origin(kind) else kind()]


# ---------------------------------------------------------------- what a function would be without its rule


def _side_of(state: OsricState, one: Combatant, _action: Action | None = None) -> Order | None:
    return order.side_key(state, one.side)


def _own_of(state: OsricState, one: Combatant, action: Action | None, point: Point) -> Order:
    return order.own_key(state, one, action) or Order(point.round, point.segment)


def _lowest_other(state: OsricState, side: str) -> int | None:
    others = [rolled.face for other, rolled in state.dice.items() if other != side]
    return min(others) if others and side in state.dice else None


def _as_placed(_state: OsricState, told: Told[Any]) -> Order:
    return Order(told.point.round, told.point.segment)


SIMPLER: dict[str, dict[str, tuple[str, Replacement]]] = {
    "osric": {
        "surprise.threshold": ("a threshold of 2 for everybody", _constant(2)),
        "surprise.length": ("a length without the bonus", surprise.base),
        "order.highest_other": ("the lowest of the other sides' dice", _lowest_other),
        "order.own_key": ("the place of the side in the place of the archer's", _side_of),
        "order.act_key": ("the own segment in the place of the one held to", _own_of),
        "order.routines_due": ("the routines of the sheet, haste left out", lambda _, one: one.sheet.routines),
        "routines.takes_routine": ("charges that cost no routine", lambda action: action.kind == "attack"),
        "routines.interrupt_key": ("an interrupt in the place of any other act", _as_placed),
    },
}


def _progress(key: str) -> Callable[[str], None]:
    since = time.monotonic()

    def tell(name: str) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{key} {time.monotonic() - since:.0f} s {name}" if name else "\r\x1b[K")
            sys.stderr.flush()

    return tell


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
