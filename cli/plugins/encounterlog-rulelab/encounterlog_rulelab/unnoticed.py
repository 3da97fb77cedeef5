"""Functions that nothing would miss: each is switched off by itself, and the plays are run to see whether one fails.

A function that is switched off does nothing, or returns a neutral value: 0, "", False (and True). A play notices it by failing; a crash does not count. A clause's own plays must notice at least one of the functions that carry its id.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from inspect import isabstract
from itertools import product
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from projections.because import Because, Derived
from projections.proving.plays import Play
from projections.proving.proof import run_play
from projections.proving.rulebook import functions, name_of
from projections.replay.failing import RulesetFailed
from projections.ruleset.ruleset import Check, Marked, Ruleset

Replacement = Callable[..., object]
Simpler = Mapping[str, tuple[str, Replacement]]
"""The function without its rule, by its name in `encounter rules`; with it the words that end "nothing notices …"."""


class Unnoticed(msgspec.Struct, frozen=True):
    """A function or clause that no play would miss, the rules that the function carries, and what is wrong."""

    about: str
    says: str
    rules: tuple[str, ...] = ()

    def __str__(self) -> str:
        rules = f" ({', '.join(self.rules)})" if self.rules else ""
        return f"{self.about}{rules}: {self.says}"


def constant(value: object) -> Replacement:
    """Return a function that always returns this."""
    return lambda *_args, **_kwargs: value


def unnoticed(
    ruleset: Ruleset,
    plays: Collection[Play],
    simpler: Simpler | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Iterator[Unnoticed]:
    """Yield each function that can be switched off without a play noticing, and each clause whose own plays notice
    nothing.
    """
    holding = [play for play in plays if run_play(play).is_proven]
    for play in [play for play in plays if play not in holding]:
        yield Unnoticed(f"{play.title} ({play.source}, line {play.line})", "it does not hold, and notices nothing")
    minding: set[str] = set()
    for function in functions(ruleset):
        progress(name_of(function))
        about = [play for play in holding if concerns(ruleset, play, function)]
        others = [play for play in holding if play not in about]
        for label, replacement in replacements(function, simpler or {}):
            noticed = [play for play in about if fails_without(function, replacement, play)]
            minding |= {rule for play in noticed for rule in rules_about(ruleset, play)} & {*function.rules}
            if not noticed and not any(fails_without(function, replacement, play) for play in others):
                yield Unnoticed(name_of(function), f"nothing notices {label}", function.rules)
    progress("")
    for clause in ruleset.catalogue().rule:
        if clause.kind != "gm" and clause.id not in minding:
            yield Unnoticed(clause.id, "its own plays notice the absence of none of its functions")


def rules_about(ruleset: Ruleset, play: Play) -> tuple[str, ...]:
    """Return the rules that a play is about: its own, or those of its option."""
    option = ruleset.catalogue().find_option(play.name[0]) if play.kind == "alternative" else None
    return option.rules if option else play.name[:1]


def concerns(ruleset: Ruleset, play: Play, function: Marked) -> bool:
    """Say whether a play is about a rule that a function carries."""
    return any(rule in function.rules for rule in rules_about(ruleset, play))


def fails_without(function: Marked, replacement: Replacement, play: Play) -> bool:
    """Say whether a play that holds fails once a function is replaced; a crash does not count."""
    kept = function.function
    function.function = replacement
    try:
        return not run_play(play).is_proven
    except (RulesetFailed, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return False
    finally:
        function.function = kept


# ---------------------------------------------------------------- what stands in the place of a function


def replacements(function: Marked, simpler: Simpler) -> Iterator[tuple[str, Replacement]]:
    """Yield the replacements of a function, each with its name in a sentence."""
    if isinstance(function, Check):
        yield "that it is silent", constant(None)
        return
    returned = function.function.__annotations__["return"]
    if isinstance(returned, str):
        returned = get_type_hints(function.function)["return"]
    for value in neutral(returned):
        yield ("that it does nothing" if returned in (None, NoneType) else f"{value!r} in its place"), constant(value)
    if instead := simpler.get(name_of(function)):
        yield instead


def neutral(kind: Any) -> list[Any]:
    """Return the neutral values of a type."""
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
    return [None] if kind in (NoneType, None, Any, object) else [() if isabstract(made) else made()]
