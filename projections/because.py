"""Reasons for values, each a small tree that is flattened only when it is shown."""

from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from projections.open_types import Json

V_co = TypeVar("V_co", covariant=True)


class Reason(Struct, frozen=True, gc=False):
    """A reason as shown: rule ids, the most specific first; seqs of events, in order; options with their values."""

    rules: tuple[str, ...] = ()
    events: tuple[int, ...] = ()
    options: dict[str, str] = {}

    @property
    def clause(self) -> str:
        """The rule that is cited first, the most specific one; "" if none is."""
        return self.rules[0] if self.rules else ""


class Cites(Protocol):
    """A source of reasons: another derived value, or a history that is read only on demand."""

    def cites(self) -> "Because":
        """Return the reason that this contributes."""
        ...


class Terms(Struct, frozen=True, gc=False):
    """The named terms of a sum, which are shown with its reason."""

    terms: tuple[tuple[str, int], ...]

    def cites(self) -> "Because":
        """Return an empty reason: the reasons of the terms are cited beside them."""
        return NOTHING_CITED


class Because(Struct, frozen=True):
    """A reason: rule ids, seqs of events, the derived values that it uses (`of`), and the options that decided.

    With `of`, reasons refer to one another and stay small, instead of growing with the log.
    """

    rules: tuple[str, ...] = ()
    events: tuple[int, ...] = ()
    of: tuple[Cites, ...] = ()
    options: dict[str, str] = {}

    def __bool__(self) -> bool:
        """Return whether the reason cites anything besides rules."""
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

    def among(self, known: dict[Any, tuple["Because", Reason]]) -> Reason:
        """Return the same as `flat`; this reason and those that it includes are flattened once, and added to `known`."""
        key = (id(self),)
        if key not in known:
            of = [_taken_over(each, known) if type(each) is Because and each.of else each for each in self.of]
            found = Because(self.rules, self.events, (*of,), self.options).flat()
            known[key] = self, found  # a kept reason keeps its identity
        return known[key][1]

    def whole(self) -> "Because":
        """Return the same reason in complete form, without `of`."""
        return _citing(self.flat())

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


def _taken_over(one: Because, known: dict[object, tuple[Because, Reason]]) -> Because:
    """Return a reason in complete form, without `of`."""
    key = (id(one),)
    if key not in known:
        known[key] = one, one.flat()
    return _citing(known[key][1])


def _citing(found: Reason) -> Because:
    """Return a complete reason with the citations of a shown one."""
    return Because(found.rules, found.events, (), found.options)


NOTHING_CITED = Because()


def terms(number: int | None, *those: tuple[str, int]) -> tuple[Terms, ...]:
    """Return the terms of a sum for its reason; none if the number is not their sum, for example because of a limit."""
    counted = tuple(each for each in those if each[1])
    return (Terms(counted),) if len(counted) > 1 and sum(amount for _, amount in counted) == number else ()


class Derived(Struct, Generic[V_co], frozen=True):
    """A derived value with its reason, from the one function that derives both."""

    value: V_co
    because: Because

    def __post_init__(self) -> None:
        """Raise TypeError for a reason in the form in which reasons are shown, where it is made and not where it is read."""
        kind: type = type(self.because)
        if kind is Reason:
            raise TypeError("the reason of a Derived is a Because, and here a Reason")

    def cites(self) -> Because:
        """Return the reason, for another value that uses this one."""
        return self.because


class Explained(Struct, frozen=True):
    """A derived value as it is shown, with its flattened reason."""

    value: Json
    because: Reason
