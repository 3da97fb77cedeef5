"""Switches off each check and each deriving function of a ruleset, one at a time, and prints what nothing notices.

    python -m tests.unnoticed [RULESET ...]
    python -m tests.unnoticed --places [RULESET|ROOM|MODULE ...] [--sample N] [--seed S] [--since COMMIT]

A function that is switched off does nothing, or returns a sound value that says nothing: 0, "", False (and True), the
own segment without its bonus. It is noticed where a play that holds (a case, breach or alternative of the rulebook, a
fixture) no longer does; a mere crash is not noticed. And a clause's own plays have to notice at least one of the
functions that carry its id. Exits with 1 if anything is printed.

With `--places` it changes one place at a time inside the functions (`tests/places/changes.py` lists the changes), of the
rulesets' folders and of what they share (`rooms.py`), and prints the places whose change no play and no test of the room
notices; with `--sample` only some of those that no list names, and tests look at as much as they do in a run of all tests; with `--since` only those in functions that have changed since a commit.
Here a crash counts as noticed, and so does a play that does not come to an end: what stands in the place is of
the same type as before, so that a crash is what the change leads to, not a sign of a stand-in that does not fit; and the
play does fail. A change that changes nothing is listed with its reason in `tests/equivalent/` (`listed.py`); one that is
noticed all the same is tried again, alone and with more patience, before that is said: beside others a witness may be slow.
"""

import sys
import time
from collections.abc import Callable, Iterator
from inspect import isabstract
from itertools import product
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from projections.because import Because, Derived
from projections.proving.enc import Play
from projections.proving.proof import run
from projections.proving.rulebook import functions, name_of, rules_of
from projections.rulesets import UnknownRuleset, find, keys
from projections.rulesets.failing import RulesetFailed
from projections.rulesets.ruleset import Check, Marked, Ruleset
from tests import simpler
from tests.projections.stage import stage
from tests.simpler import Replacement, constant


def main(words: list[str]) -> int:
    """Print what goes unnoticed in these rulesets, or in all; return how many there are, at most 1."""
    if "--places" in words:
        from tests.places.search import main as places  # pytest and all rooms come with it

        return places([word for word in words if word != "--places"])
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
    holding: list[Play] = []
    failing: list[Play] = []
    for play in stage(ruleset):
        (holding if run(play).proven else failing).append(play)
    yield from (
        f"{play.title} ({play.source}, line {play.line}) does not hold, and notices nothing" for play in failing
    )
    yield from (f"{name} is gone: take it out of tests/simpler" for name in _gone(ruleset))
    minding: set[str] = set()
    for function in functions(ruleset):
        progress(name_of(function))
        about = [play for play in holding if concerns(ruleset, play, function)]
        others = [play for play in holding if play not in about]
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
    return simpler.of(ruleset.key).keys() - {name_of(function) for function in functions(ruleset)}


def _mind(ruleset: Ruleset, noticed: list[Play], rule: str) -> bool:
    return any(rule in rules_about(ruleset, play) for play in noticed)


def rules_about(ruleset: Ruleset, play: Play) -> tuple[str, ...]:
    """Return the rules that a play is about: its own, or those of its option."""
    option = ruleset.catalogue().find_option(play.name[0]) if play.kind == "alternative" else None
    return option.rules if option else play.name[:1]


def concerns(ruleset: Ruleset, play: Play, function: Marked) -> bool:
    """Say whether a play is about a rule that a function carries."""
    return any(rule in rules_of(function) for rule in rules_about(ruleset, play))


def fails_without(function: Marked, replacement: Replacement, play: Play) -> bool:
    """Say whether a play that holds fails once a function is replaced; one that crashes has noticed nothing."""
    kept = function.function
    function.function = replacement
    try:
        return not run(play).proven
    except (RulesetFailed, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return False
    finally:
        function.function = kept


# ---------------------------------------------------------------- what stands in the place of a function


def replacements(ruleset: Ruleset, function: Marked) -> Iterator[tuple[str, Replacement]]:
    """Yield what is put in the place of a function, each with its name in a sentence."""
    if isinstance(function, Check):
        yield "that it is silent", constant(None)
        return
    returned = function.function.__annotations__["return"]
    if isinstance(returned, str):
        returned = get_type_hints(function.function)["return"]
    for value in neutral(returned):
        yield ("that it does nothing" if returned in (None, NoneType) else f"{value!r} in its place"), constant(value)
    if instead := simpler.of(ruleset.key).get(name_of(function)):
        yield instead


def neutral(kind: Any) -> list[Any]:
    """Return the values of a type that say nothing."""
    if get_origin(kind) in (UnionType, Union, Annotated):
        return [None] if NoneType in get_args(kind) else neutral(get_args(kind)[0])
    if get_origin(kind) is tuple:
        items = get_args(kind)
        return [()] if Ellipsis in items else [tuple(each) for each in product(*(neutral(item) for item in items))]
    if kind in (bool, int):
        return [kind(0), kind(1)]
    if get_origin(kind) is Derived:
        return [Derived(value, Because()) for value in neutral(get_args(kind)[0])]
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return [kind(**{each.name: neutral(each.type)[0] for each in msgspec.structs.fields(kind) if each.required})]
    made = get_origin(kind) or kind
    return [None] if kind in (NoneType, None, Any) else [() if isabstract(made) else made()]


def _progress(key: str) -> Callable[[str], None]:
    since = time.monotonic()

    def tell(name: str) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{key} {time.monotonic() - since:.0f} s {name}" if name else "\r\x1b[K")
            sys.stderr.flush()

    return tell


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
