"""Reasons for values, each a small tree that is flattened only when it is shown."""

from _thread import _local as local  # threading gives it that name; asking a log loads none of the rest
from collections.abc import Callable, Iterable
from functools import partial
from typing import Generic, Protocol, TypeVar

from msgspec import UNSET, Struct, UnsetType, field

from projections.open_types import Json

R = TypeVar("R")
V_co = TypeVar("V_co", covariant=True)


class _Page:
    """The options, with their values, that the running rule of a thread has asked for; None while no rule runs."""

    __slots__ = ("asked",)

    def __init__(self) -> None:
        self.asked: dict[str, str] | None = None


class _Notebook(local):
    """A page for each thread."""

    def __init__(self) -> None:
        self.page = _Page()


_NOTEBOOK = _Notebook()


def note_option(option: str, value: str) -> None:
    """Note that an option is asked for; the reasons that the present rule makes from here on cite it."""
    if (asked := _NOTEBOOK.page.asked) is not None:
        asked[option] = value


def asked_so_far() -> dict[str, str]:
    """Return the options that the present rule has asked for."""
    return {**asked} if (asked := _NOTEBOOK.page.asked) else {}


class Reason(Struct, frozen=True, gc=False, repr_omit_defaults=True):
    """A reason as shown: rule ids, the most specific first; seqs of events, in order; options with their values.

    Without the events in `looked_at` the value is the same; for those in `untried` it was too much work to find out.
    Both are UNSET unless they were asked for.
    """

    rules: tuple[str, ...] = ()
    events: tuple[int, ...] = ()
    options: dict[str, str] = {}
    looked_at: tuple[int, ...] | UnsetType = UNSET
    untried: tuple[int, ...] | UnsetType = UNSET


class Cites(Protocol):
    """A source of reasons: another derived value, or a history that is read only on demand."""

    def cites(self) -> "Because":
        """Return the reason that this contributes."""


class Terms(Struct, frozen=True, gc=False):
    """The named terms of a sum, which are shown with its reason."""

    terms: tuple[tuple[str, int], ...]

    def cites(self) -> "Because":
        """Return an empty reason: the terms cite their own."""
        return NOTHING_CITED


class Because(Struct, frozen=True):
    """A reason: rule ids, seqs of events, the derived values that it uses (`of`), and the options that decided.

    With `of`, reasons refer to one another and stay small, instead of growing with the log. The options are those that
    the present rule has asked for, unless others are given.
    """

    rules: tuple[str, ...] = ()
    events: tuple[int, ...] = ()
    of: tuple[Cites, ...] = ()
    options: dict[str, str] = field(default_factory=asked_so_far)

    def __bool__(self) -> bool:
        """Return whether the reason cites anything but rules."""
        return bool(self.events or self.of)

    @property
    def clause(self) -> str:
        """The rule that this reason itself cites first, the most specific one; "" if it cites none."""
        return self.rules[0] if self.rules else ""

    def __add__(self, other: "Because") -> "Because":
        """Return the union of two reasons."""
        return Because(
            tuple(dict.fromkeys(self.rules + other.rules)),
            tuple(sorted({*self.events, *other.events})),
            self.of + other.of,
            self.options | other.options,
        )

    def cites(self) -> "Because":
        """Return the reason itself, for another reason that uses it."""
        return self

    def among(self, known: dict[tuple[object, ...], tuple["Because", Reason]]) -> Reason:
        """Return the same as `flat`; this reason and those that it includes are flattened once, and added to `known`."""
        key = (id(self),)
        if key not in known:
            of = [_complete_reason(each, known) if type(each) is Because and each.of else each for each in self.of]
            found = Because(self.rules, self.events, (*of,), self.options).flat()
            known[key] = self, found  # a kept reason keeps its identity
        return known[key][1]

    def own(self) -> Reason:
        """Return the direct citations of this reason, without those of the values that it uses."""
        return self.flat(lambda one: not isinstance(one, Derived))

    def flat(self, follows: Callable[[Cites], bool] | None = None) -> Reason:
        """Return all citations of this reason and of the values that it uses, each once; its own rules come first.

        With `follows`, only the values for which it is true are included.
        """
        if not self.of:
            return Reason(tuple(dict.fromkeys(self.rules)), tuple(sorted({*self.events})), {**self.options})
        rules: list[str] = []
        events: list[int] = []
        options: list[tuple[str, str]] = []
        seen: dict[int, Because] = {}
        waiting: list[Cites] = [self]
        while waiting:
            one = waiting.pop()
            each = one if type(one) is Because else one.because if type(one) is Derived else one.cites()
            if id(each) in seen:
                continue
            seen[id(each)] = each
            rules += each.rules
            events += each.events
            if each.options:
                options += each.options.items()
            if each.of:
                waiting += filter(follows, each.of[::-1]) if follows else each.of[::-1]
        first = dict(reversed(options))
        return Reason(tuple(dict.fromkeys(rules)), tuple(sorted({*events})), {name: first[name] for name, _ in options})


def _complete_reason(one: Because, known: dict[tuple[object, ...], tuple[Because, Reason]]) -> Because:
    """Return a reason in complete form, without `of`."""
    key = (id(one),)
    if key not in known:
        known[key] = one, one.flat()
    found = known[key][1]
    return Because(found.rules, found.events, (), found.options)


NOTHING_CITED = Because()


def asked_options() -> Because:
    """Return a reason of nothing but the options that the present rule has asked for."""
    return Because()


def terms(number: int | None, *those: tuple[str, int]) -> tuple[Terms, ...]:
    """Return the terms of a sum for its reason; none if fewer than two count, or if a limit changed the sum."""
    counted = tuple(each for each in those if each[1])
    return (Terms(counted),) if len(counted) > 1 and sum(amount for _, amount in counted) == number else ()


class Derived(Struct, Generic[V_co], frozen=True):
    """A derived value with its reason, from the one function that derives both."""

    value: V_co
    because: Because

    def __post_init__(self) -> None:
        """Raise TypeError for a `Reason`, the form for showing: where the value is made, not where it is read."""
        kind: type = type(self.because)
        if kind is Reason:
            raise TypeError("the reason of a Derived is a Because, and here a Reason")

    def cites(self) -> Because:
        """Return the reason, for another value that uses this one."""
        return self.because


def ask_rule(function: Callable[..., R], /, *args: object, **kwargs: object) -> R:
    """Call a rule; the reasons that it makes, and the one that it returns, cite the options that it asks for.

    Its caller counts as asking for them, too, unless the rule returns a reason that the caller can cite.
    """
    page = _NOTEBOOK.page
    asked: dict[str, str] = {}
    before, page.asked = page.asked, asked
    try:
        found = function(*args, **kwargs)
    finally:
        page.asked = before
    if not asked:
        return found
    if isinstance(found, (Derived, Because)):
        return cite_options(found, asked)
    if before is not None:
        before.update(asked)
    return found


def ask_rules(rules: Iterable[partial[object]], *args: object) -> None:
    """Call rules that return nothing; the reasons that each of them makes cite the options that it asks for."""
    page = _NOTEBOOK.page
    before = page.asked
    try:
        for rule in rules:
            page.asked = {}
            rule.args[0](*args)
    finally:
        page.asked = before


def ask_parts(function: Callable[..., R], /, *args: object) -> R:
    """Call a rule whose result has parts that each cite their own options."""
    page = _NOTEBOOK.page
    before, page.asked = page.asked, None
    try:
        return function(*args)
    finally:
        page.asked = before


class Asked(Struct, Generic[V_co], frozen=True):
    """A kept value, with the options that were asked for when it was derived; its readers depend on them, too."""

    value: V_co
    options: dict[str, str]

    def read(self) -> V_co:
        """Return the value, and note the options as asked for."""
        if (asked := _NOTEBOOK.page.asked) is not None:
            asked.update(self.options)
        return self.value


def ask_to_keep(function: Callable[..., R], /, *args: object) -> R | Asked[R]:
    """Call a function whose value is kept, with the options that were asked for, unless its own reason cites them."""
    page = _NOTEBOOK.page
    asked: dict[str, str] = {}
    before, page.asked = page.asked, asked
    try:
        found = function(*args)
    finally:
        page.asked = before
    if not asked:
        return found
    return cite_options(found, asked) if isinstance(found, (Derived, Because)) else Asked(found, asked)


def cite_options(found: R, options: dict[str, str]) -> R:
    """Return a reason, or a value with its reason, that cites these options."""
    because = found.because if isinstance(found, Derived) else found
    if not isinstance(because, Because) or options.keys() <= because.options.keys():
        return found
    cited = Because(because.rules, because.events, because.of, because.options | options)
    return Derived(found.value, cited) if isinstance(found, Derived) else cited  # type: ignore[return-value]


class Explained(Struct, frozen=True):
    """A derived value as it is shown, with its flattened reason."""

    value: Json
    because: Reason
