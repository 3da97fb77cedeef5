"""What a ruleset is: a frozen record, data first, then the few functions that do not fit in data.

A rule is a small function that carries its id. `derives` marks those that work something out, `check` those that look
at a fact before it takes hold and yield a breach or nothing.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import update_wrapper
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, ParamSpec, TypeVar

from msgspec import Struct

from eventstore.events import Fact
from projections.rulesets.catalogue import Catalogue, read
from projections.state import Because, Combatant, Entry, Loss, Occurrence, Slot, State
from projections.time import Calendar, Point

P = ParamSpec("P")
R = TypeVar("R")


class Derivation(Generic[P, R]):
    """Is a deriving function that carries the ids of the rules that it puts into practice."""

    __name__: str

    def __init__(self, function: Callable[P, R], rules: tuple[str, ...], on: tuple[type[Fact], ...]) -> None:
        self.function, self.rules, self.on = function, rules, on
        update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.function(*args, **kwargs)


class Breach(Struct, frozen=True, gc=False):
    """Is what a check yields: a sentence, what was expected and found, and the events that show it.

    `about` is the earlier fact that it is a finding about, where the present one only brings it to light.
    """

    says: str
    expected: str = ""
    found: str = ""
    because: tuple[int, ...] = ()
    severity: str = "breach"
    about: Occurrence[Any] | None = None


class Check(Generic[P]):
    """Is a check that carries its rule's id; of checks in one group only the first that finds something reports."""

    __name__: str

    def __init__(self, function: Callable[P, Breach | None], rule: str, on: tuple[type[Fact], ...], group: str) -> None:
        self.function, self.rule, self.on, self.group = function, rule, on, group
        update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Breach | None:
        return self.function(*args, **kwargs)


def derives(*rules: str, on: Iterable[type[Fact]] | type[Fact] = ()) -> Callable[[Callable[P, R]], Derivation[P, R]]:
    """Mark a function that derives by these rules; with `on` it is a step that each such fact takes."""
    return lambda function: Derivation(function, rules, _types(on))


def check(
    rule: str, *, on: Iterable[type[Fact]] | type[Fact], group: str = ""
) -> Callable[[Callable[P, Breach | None]], Check[P]]:
    """Mark a function that checks facts of these types, before they take hold, by this rule."""
    return lambda function: Check(function, rule, _types(on), group)


def _types(on: Iterable[type[Fact]] | type[Fact]) -> tuple[type[Fact], ...]:
    return (on,) if isinstance(on, type) else tuple(on)


Marked = Derivation[..., Any] | Check[Any]
"""Is a function that carries rules, of either sort."""

Steps = dict[type[Fact], tuple[Callable[[Any, Occurrence[Any]], object], ...]]
Checks = dict[type[Fact], tuple[Check[[Any, Occurrence[Any]]], ...]]


def steps_of(*modules: ModuleType) -> Steps:
    """Return the table from event type to the deriving steps of these modules, in the order in which they stand."""
    table: Steps = {}
    for step in (one for one in marked(modules) if isinstance(one, Derivation)):
        for kind in step.on:
            table[kind] = (*table.get(kind, ()), step)
    return table


def checks_of(*modules: ModuleType) -> Checks:
    """Return the table from event type to the checks of these modules, in the order in which they stand."""
    table: Checks = {}
    for each in (one for one in marked(modules) if isinstance(one, Check)):
        for kind in each.on:
            table[kind] = (*table.get(kind, ()), each)
    return table


def marked(modules: Iterable[ModuleType]) -> Iterator[Marked]:
    """Yield the deriving functions and checks of these modules, not those that they import, as they stand there."""
    for module in modules:
        for value in vars(module).values():
            if isinstance(value, Derivation | Check) and value.__module__ == module.__name__:
                yield value


class Ruleset(Struct, frozen=True):
    """Is a ruleset: identity and data first, then its functions.

    `rules` is the path of its catalogue, `state` and `sheet` are its own types, `statuses` its words for how a combatant
    stands, `strip` the tick that its timeline is drawn in and how many there are, of a round or of a turn, if it counts
    any. `steps` and `checks` are tables from event type to functions. `loss` and `status` serve the vitals,
    `order`, `timeline`, `budget`, `casting` and `concentration` their views; `value` knows addresses of its own, `missing` says in
    sentences what the order still lacks,
    `moment` when a fact took hold where it was left unsaid, `pending` what is called off before it takes effect. Where
    it `derives_rounds`, a recorded round is a claim and does not move the clock. `reasons` says why a field of a combatant
    is what it is, for a pool in the place of `hit_points`; by default nothing.
    """

    key: str
    revision: int
    title: str
    scheduler: str
    rules: Path
    state: type[State]
    sheet: type[Struct]
    calendar: Calendar
    statuses: dict[str, str]
    steps: Steps
    checks: Checks
    loss: Callable[[Any, Combatant, Fact], Loss]
    status: Callable[[Any, Combatant], tuple[str, Because]]
    order: Callable[[Any], tuple[Slot, ...]]
    timeline: Callable[[Any], tuple[Entry, ...]]
    budget: Callable[[Any, Combatant], dict[str, Any]]
    concentration: Callable[[Any, Combatant], tuple[str, Because]]
    casting: Callable[[Any, Combatant], Entry | None]
    hit_points: Because
    value: Callable[[Any, str], tuple[Any, Because] | None] = lambda _state, _address: None
    reasons: Callable[[Any, Combatant, str], Because] = lambda _state, _one, _field: Because()
    moment: Callable[[Any, Occurrence[Any]], Point | None] = lambda _state, _fact: None
    pending: Callable[[Any, Fact], bool] = lambda _state, _event: False
    clock_rules: tuple[str, ...] = ("log.clock",)
    effect_rules: tuple[str, ...] = ("log.effect",)
    phases: tuple[str, ...] = ()
    missing: Callable[[Any], tuple[str, ...]] = lambda _state: ()
    counts_rounds: bool = False
    derives_rounds: bool = False
    strip: tuple[str, int] | None = None

    def catalogue(self) -> Catalogue:
        """Return the ruleset's clauses and options as data."""
        return read(self.rules)

    def default(self, option: str) -> str:
        """Return the default of an option; an unknown one has the value ""."""
        found = self.catalogue().find_option(option)
        return found.values[0] if found else ""
