"""The interface of a ruleset: a frozen record, data first, then the few functions that do not fit in data.

A rule is a small function that carries its id. `derives` marks those that derive something, `check` those that look at
a fact before it is applied and return a breach or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial, update_wrapper
from importlib import import_module
from itertools import groupby
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeAlias, TypeVar, overload

import msgspec
from msgspec import Struct, structs

from eventstore.events import AttackRolled, Fact
from eventstore.paths import AnyPath, modules_in
from eventstore.shapes import Square
from projections.address import Address, Read
from projections.because import Because, Derived, ask_rule
from projections.fight import Combatant, Fight, Round, TimelineRow
from projections.mechanics.pools import PoolRules
from projections.mechanics.triggers import may_react
from projections.occurrence import Occurrence
from projections.open_types import Fields, RulesState
from projections.ruleset.budget import Budget
from projections.ruleset.documents import Documents, Recordings
from projections.ruleset.durations import DurationRules
from projections.ruleset.phases import PLACES, USUAL, Phase
from projections.ruleset.schedule import Schedule
from projections.sheet import Entry
from projections.time import BoundaryKind, Calendar

if TYPE_CHECKING:
    from projections.ruleset.catalogue import Catalogue

K = TypeVar("K")
P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S", bound=Fight)
F = TypeVar("F")
G = TypeVar("G")
T = TypeVar("T")


class Derivation(partial[R], Generic[P, R]):
    """A deriving function that carries the ids of the rules that it implements.

    It is a step called for facts of the types in `on`, or at boundaries of the kinds in `at`, in its `phase`. The reasons
    that it makes cite the options that it asks for.
    """

    __name__: str
    rules: tuple[str, ...]
    on: tuple[type[Fact], ...]
    at: tuple[BoundaryKind, ...]
    phase: Phase

    def __new__(
        cls,
        function: Callable[P, R],
        rules: tuple[str, ...],
        on: tuple[type[Fact], ...],
        at: tuple[BoundaryKind, ...],
        phase: Phase = USUAL,
    ) -> Derivation[P, R]:
        made = super().__new__(cls, ask_rule, function)
        made.rules, made.on, made.at, made.phase = rules, on, at, phase
        return update_wrapper(made, function)  # type: ignore[return-value]

    @property
    def function(self) -> Callable[P, R]:
        """The function itself, which can be replaced."""
        function: Callable[P, R] = self.args[0]
        return function

    @function.setter
    def function(self, other: Callable[P, R]) -> None:
        """Put another function in its place."""
        partial.__setstate__(self, (ask_rule, (other,), {}, vars(self)))  # type: ignore[attr-defined]

    if TYPE_CHECKING:

        def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...


class Breach(Struct, frozen=True, gc=False):
    """The result of a check that finds something: a sentence, the expected and the found value, and the events that show it.

    `about` is the earlier fact that the finding is about, if the present one only reveals it. Breaches with the same
    `once` (what, whom, when) are reported once per log. A `silent` one depends on a point that the text leaves open: it is
    reported only in logs with the option silent-texts.
    """

    says: str
    expected: str = ""
    found: str = ""
    because: tuple[int, ...] = ()
    severity: str = "breach"
    about: Occurrence[Fact] | None = None
    once: tuple[object, ...] = ()
    silent: bool = False


Found: TypeAlias = "Breach | tuple[Breach, ...] | None"
"""The result of a check: nothing, a breach, or several that do not follow from one another."""

Subject = Callable[..., object]
"""A function from a state and a reading to the subject of several checks, derived once; None if there is no such thing."""

Exemption = Callable[[Any, Any, str], bool]
"""A function from a state, a reading and a rule: whether something, such as a ruling, exempts that fact from the rule."""


class Check(Generic[P]):
    """A check that carries its rule's id; of checks in one group only the first by rank that finds something reports.

    One with a `subject` is called with that as its third argument, and only where there is one. What it finds is not
    reported where its exemption `unless` holds, which is asked only then.
    """

    __name__: str

    def __init__(
        self,
        function: Callable[P, Found],
        rule: str,
        on: tuple[type[Fact], ...],
        group: str,
        rank: int,
        subject: Subject | None = None,
        unless: Exemption | None = None,
    ) -> None:
        self.function, self.rule, self.on, self.group, self.rank = function, rule, on, group, rank
        self.rules, self.subject, self.unless = (rule,), subject, unless
        update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Found:
        return self.function(*args, **kwargs)

    def is_exempt(self, state: object, reading: object) -> bool:
        """Return whether its exemption holds for a fact."""
        return self.unless is not None and self.unless(state, reading, self.rule)


def derives(
    *rules: str,
    on: Iterable[type[Fact]] | type[Fact] = (),
    at: Iterable[BoundaryKind] | BoundaryKind = (),
    phase: Phase = USUAL,
) -> Callable[[Callable[P, R]], Derivation[P, R]]:
    """Mark a function that derives by these rules: a step for facts of the types `on`, or one `at` boundaries, in a phase."""
    kinds: tuple[BoundaryKind, ...] = (at,) if isinstance(at, str) else tuple(at)
    return lambda function: Derivation(function, rules, _as_types(on), kinds, phase)


@overload
def check(
    rule: str, *, on: Iterable[type[Fact]] | type[Fact], group: str = "", rank: int = 0, unless: Exemption | None = None
) -> Callable[[Callable[P, Found]], Check[P]]: ...


@overload
def check(
    rule: str,
    *,
    on: Iterable[type[Fact]] | type[Fact],
    group: str = "",
    rank: int = 0,
    subject: Callable[[S, F], T | None],
    unless: Exemption | None = None,
) -> Callable[[Callable[[S, G, T], Found]], Check[[S, G, T]]]: ...


def check(
    rule: str,
    *,
    on: Iterable[type[Fact]] | type[Fact],
    group: str = "",
    rank: int = 0,
    subject: Subject | None = None,
    unless: Exemption | None = None,
) -> Callable[[Callable[P, Found]], Check[P]]:
    """Mark a function that checks facts of these types by this rule, before they are applied.

    With a `subject` it is given that, too, and looks only at facts that have one. What it finds is not reported where
    `unless` is true of the state, the reading and the rule: an exception, such as by a ruling.
    """
    return lambda function: Check(function, rule, _as_types(on), group, rank, subject, unless)


def _as_types(on: Iterable[type[Fact]] | type[Fact]) -> tuple[type[Fact], ...]:
    """Return the types as a tuple; anything else is kept, and reported when the ruleset is loaded (loading.py)."""
    return (on,) if isinstance(on, type | str) or not isinstance(on, Iterable) else tuple(on)


Marked: TypeAlias = "Derivation[..., object] | Check[...]"
"""A function that carries rules, of either kind."""


def in_module(module: str, *made: Marked) -> tuple[Marked, ...]:
    """Return functions that a module of rules has made for itself, as its own."""
    for each in made:
        each.__module__ = module
    return made


Part: TypeAlias = "ModuleType | str"
"""A module with such functions, or the name of a package of them, such as the one that is being imported."""

Steps: TypeAlias = "dict[type[Fact], tuple[Derivation[..., object], ...]]"
BoundarySteps: TypeAlias = "dict[BoundaryKind, tuple[Derivation[..., object], ...]]"


class Series(Struct, frozen=True):
    """Checks about one subject, in their order; where there is no such thing none of them is called."""

    subject: Subject | None
    checks: tuple[Check[...], ...]


Checks = dict[type[Fact], tuple[Series, ...]]


def steps_of(*parts: Part) -> Steps:
    """Return the table from event type to the deriving steps of these parts, phase by phase."""
    return _table_by_phases(parts, lambda step: step.on)


def boundaries_of(*parts: Part) -> BoundarySteps:
    """Return the table from kind of boundary to the deriving steps called at it, phase by phase."""
    return _table_by_phases(parts, lambda step: step.at)


def _table_by_phases(
    parts: Iterable[Part], kinds: Callable[[Derivation[..., object]], tuple[K, ...]]
) -> dict[K, tuple[Derivation[..., object], ...]]:
    table: dict[K, tuple[Derivation[..., object], ...]] = {}
    steps = [one for one in marked(modules_of(*parts)) if isinstance(one, Derivation)]
    for step in sorted(steps, key=lambda one: PLACES.get(one.phase, 0)):  # an unknown one is reported at loading
        for kind in kinds(step):
            table[kind] = (*table.get(kind, ()), step)
    return table


def checks_of(*parts: Part, without: Iterable[ModuleType] = ()) -> Checks:
    """Return the table from event type to the checks of these parts, `without` those of some modules, the lower ranks first."""
    modules = (each for each in modules_of(*parts) if each not in without)
    return checks_table(one for one in marked(modules) if isinstance(one, Check))


def checks_table(checks: Iterable[Check[...]]) -> Checks:
    """Return the table from event type to these checks, the lower ranks first."""
    table: dict[type[Fact], list[Check[...]]] = {}
    for each in sorted(checks, key=lambda one: one.rank):
        for kind in each.on:
            table.setdefault(kind, []).append(each)
    by_subject = {kind: groupby(own, key=lambda each: each.subject) for kind, own in table.items()}
    return {kind: tuple(Series(subject, tuple(own)) for subject, own in found) for kind, found in by_subject.items()}


def modules_of(*parts: Part) -> list[ModuleType]:
    """Return modules sorted by their names; a package stands for the modules in it."""
    those = ((part,) if isinstance(part, ModuleType) else _with_its_modules(import_module(part)) for part in parts)
    found = dict.fromkeys(each for some in those for each in some)
    return sorted(found, key=lambda each: (each.__name__.rpartition(".")[2], each.__name__))


@lru_cache(maxsize=1)  # a ruleset asks several times in a row
def _with_its_modules(package: ModuleType) -> tuple[ModuleType, ...]:
    folders = getattr(package, "__path__", ())
    inside = (f"{package.__name__}.{module}" for folder in folders for module in modules_in(folder))
    return package, *map(import_module, inside)


def marked(modules: Iterable[ModuleType]) -> Iterator[Marked]:
    """Yield the deriving functions and checks of these modules, without imported ones, in the order of the source.

    A name may stand for several of them, as a tuple.
    """
    kinds = (Derivation, Check)
    for module in modules:
        own = module.__name__
        for value in vars(module).values():
            if isinstance(value, kinds):
                if value.__module__ == own:
                    yield value
            elif isinstance(value, tuple):
                yield from (each for each in value if isinstance(each, kinds) and each.__module__ == own)


def address_maker(rules: AnyPath) -> Callable[..., Address]:
    """Return the function that makes a ruleset's addresses: from a pattern, with the words in the table `addresses` of its
    catalogue, or from an address of all games, of which the rest stays.
    """
    from projections.ruleset.catalogue import read_catalogue  # only by a ruleset that has this table

    def described(one: str | Address, reads: Read, **more: Any) -> Address:
        words = read_catalogue(rules).tables["addresses"]
        if isinstance(one, Address):
            return structs.replace(one, read=reads, **words[one.pattern], **more)
        return Address(one, reads, **words[one], **more)

    return described


def usual_card(state: Fight, one: Combatant) -> Fields:
    """Return the card of a combatant in any game whose sheets have fields for it: the default `card`."""
    from projections.card import make_card  # only where one is asked for

    return make_card(state, one)


def no_concentration(_state: RulesState, one: Combatant) -> tuple[str, Because]:
    """Return that a combatant concentrates on nothing, for a game without concentration."""
    return "", Because(("log.effect",), (one.joined,))


class Shapes(Struct, frozen=True):
    """What a line about another shape of a combatant may leave out."""

    points: Callable[[RulesState, str, bool], int | None]
    """The hit points of a shape, which another may have given; None if they are unknown."""
    effect: Callable[[RulesState, str], str]
    """The effect by which a combatant has its present shape; "" if it has none."""


class Ruleset(Struct, frozen=True):
    """A ruleset: identity and data first, then its functions."""

    key: str
    """The name by which logs are opened."""
    revision: int
    """The number of its edition."""
    title: str
    """Its name for people."""
    scheduler: str
    """How time runs, described to people."""
    rules: AnyPath
    """The path of its catalogue."""
    state: type[RulesState]
    """The type of its state."""
    sheet: type[Struct]
    """The type of its sheets."""
    calendar: Calendar
    """Its units of time."""
    statuses: dict[str, str]
    """Its words for a combatant's status."""
    steps: Steps
    """The functions by which facts change the state, by type of event."""
    checks: Checks
    """The functions that find breaches, by type of event."""
    pools: Callable[[RulesState, Combatant], PoolRules]
    """How damage and healing are counted."""
    status: Callable[[RulesState, Combatant], Derived[str]]
    """The function that derives a combatant's status."""
    schedule: Schedule
    """The owner of the order, the dues, the timeline's rows, and the course of time."""
    budget: Budget | None = None
    """The resources that can be spent."""
    durations: DurationRules | None = None
    """How long effects and conditions last."""
    concentration: Callable[[RulesState, Combatant], tuple[str, Because]] = no_concentration
    """The objects of a combatant's concentration, for the views."""
    casting: Callable[[RulesState, Combatant], TimelineRow | None] = lambda _state, _one: None
    """The casting that a combatant is in, for the views."""
    boundaries: BoundarySteps = {}
    """The functions that run at boundaries of time."""
    round: type[Round] = Round
    """The type of its rounds."""
    addresses: tuple[Address, ...] = ()
    """The derived values that only this ruleset has."""
    reading: Callable[[RulesState, Occurrence[Fact]], object] = lambda _state, fact: fact
    """The reading that checks and steps get for a fact: the fact, with values that several of them need derived once."""
    idle: Callable[[RulesState, Occurrence[Fact]], bool] = lambda _state, _fact: False
    """Whether a roll or an act of this round brings nothing about: a miss, the choice of a target."""
    repeats: Callable[[RulesState, Occurrence[Fact]], bool] = lambda _state, _fact: False
    """Whether recorded damage or healing repeats a change that the rules have made, and so changes nothing."""
    answerable: Callable[[RulesState, Combatant, int], Derived[bool]] = lambda state, one, seq: may_react(
        state.triggers, seq, who=one.id
    )
    """Whether a combatant can react to a fact now, in a game that keeps openings for that; usually while its moment lasts."""
    late: Checks = {}
    """Checks that depend on later facts of the round: they look at its facts once the round is over."""
    clock_rules: tuple[str, ...] = ("log.clock",)
    """The clauses that values of the clock cite."""
    effect_rules: tuple[str, ...] = ("log.effect",)
    """The clauses that effects cite."""
    strip: tuple[str, int] | None = None
    """The tick in which its timeline is drawn, and how many there are in a round or turn, if it counts any."""
    squares: Callable[[RulesState], dict[str, Square]] = lambda _state: {}
    """The squares of combatants, in a game that keeps positions."""
    judges_the_dead: bool = False
    """Whether a clause of its own finds what those do whom a ruling calls dead."""
    kindless: Callable[[RulesState, Combatant], bool] = lambda _state, _one: False
    """Whether a combatant's kind is unknown, in a game where that decides its fate at 0 hit points."""
    alike_beside: bool = False
    """Whether conditions of one name on one bearer each run to their own end."""
    manners: Callable[[Any], Iterable[str]] = lambda _sheet: ()
    """The words by which a sheet names manners of its own."""
    listed: Callable[[RulesState, Fields, Any], Fields] = lambda _state, said, _sheet: said
    """The fields of a sheet for those that were typed or are in a line-up, given the sheet so far."""
    filled: Callable[[RulesState, Fields], Fields] = lambda _state, said: said
    """The fields of a sheet with those that it refers to, such as the stat block of a monster."""
    unknown: Callable[[RulesState, Fields], tuple[str, str, str] | None] = lambda _state, _said: None
    """The field of a sheet that refers to something unknown, with a sentence and a hint; None if there is no such
    field."""
    recognized: Callable[[RulesState, str, str, bool, Fields], Fields] = lambda _state, _name, _side, _several, sheet: (
        sheet
    )
    """The sheet's fields for a combatant who joins by a name, with the stat block of that name; further arguments are
    the side and whether it is one of several.
    """
    usual_side: Callable[[RulesState, Fields], str] = lambda _state, _sheet: ""
    """The side of a combatant who joins with a sheet, where the line names no side; "" for none."""
    kinds: Callable[[RulesState, str], tuple[str, tuple[str, ...]]] = lambda _state, _name: ("", ())
    """The name that the tables of the game have for a kind of combatant, in the singular or the plural, "" for none;
    and the names that were perhaps meant."""
    patterns: dict[str, str] = {}
    """The options that are not in the catalogue, each with the form of its value."""
    spell: Callable[[RulesState, str, str], Entry | None] = lambda _state, _caster, _name: None
    """The record of a spell by its caster and its name, in a game that has tables of spells."""
    shapes: Shapes | None = None
    """What a line about another shape of a combatant may leave out, if the game has such shapes."""
    completed: Callable[[RulesState, tuple[Fact, ...]], tuple[tuple[Fact, ...], ...]] = lambda _state, facts: (facts,)
    """The readings of a typed line's facts, completed by its names, such as the damage after a spell's save."""
    documents: Callable[[], Documents | None] = lambda: None
    """The reference documents of the game, if it has any, loaded when they are asked for."""
    recordings: Recordings | None = None
    """The settings for recordings of another program; None if none is imported for this game."""
    card: Callable[[RulesState, Combatant], Fields] = usual_card
    """The content of a combatant's card: `ac` and `saves`, and lists of `attacks` and `spells`, as far as they are known."""
    later_initiative: bool = False
    """Whether a later total of initiative takes the place of the first."""
    strikes: Callable[[RulesState, Occurrence[AttackRolled]], bool | None] | None = None
    """Whether an attack roll hits, in the state before it, None if that is unknown; in a game that derives hits, and
    whose lines show them."""
    goes_on: Callable[[RulesState, Combatant], Fact | None] = lambda _state, _one: None
    """The fact that gives a combatant its status in the next fight; None if its points alone give it."""

    def __post_init__(self) -> None:
        """Make the decoder of sheets in the importing thread: several threads that do so at once end the process."""
        msgspec.json.Decoder(self.sheet)

    def catalogue(self) -> Catalogue:
        """Return the ruleset's clauses and options as data."""
        from projections.ruleset.catalogue import read_catalogue  # only where rules are cited

        return read_catalogue(self.rules)

    def default(self, option: str) -> str:
        """Return the default of an option; an unknown one has the value ""."""
        found = self.catalogue().find_option(option)
        return found.values[0] if found else ""
