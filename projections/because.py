"""Reasons for values, each a small tree that is flattened only when it is shown."""

from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

V_co = TypeVar("V_co", covariant=True)


class Reason(Struct, frozen=True, gc=False):
    """A reason as shown: rule ids, the most specific first; seqs of events, in order; options with their values."""

    rules: tuple[str, ...] = ()
    events: tuple[int, ...] = ()
    options: dict[str, str] = {}


class Cites(Protocol):
    """Something that a reason can rest on: another derived value, or a history that is read only on demand."""

    def cites(self) -> "Because":
        """Return the reason that this contributes."""
        ...


class Terms(Struct, frozen=True, gc=False):
    """The terms of a sum, each with its name: how a number came about, to be told with its reason."""

    terms: tuple[tuple[str, int], ...]

    def cites(self) -> "Because":
        """Return nothing: what the terms rest on is cited beside them."""
        return NOTHING_CITED


class Because(Struct, frozen=True):
    """A reason: rule ids, seqs of events, the options that decided, and (`of`) the derived values that it rests on.

    With `of`, reasons refer to one another and stay small, instead of growing with the log.
    """

    rules: tuple[str, ...] = ()
    events: tuple[int, ...] = ()
    options: dict[str, str] = {}
    of: tuple[Cites, ...] = ()

    def __bool__(self) -> bool:
        """Return whether the reason cites anything besides rules."""
        return bool(self.events or self.of)

    def __add__(self, other: "Because") -> "Because":
        """Return the union of two reasons."""
        return Because(
            tuple(dict.fromkeys(self.rules + other.rules)),
            tuple(sorted({*self.events, *other.events})),
            self.options | other.options,
            self.of + other.of,
        )

    def cites(self) -> "Because":
        """Return the reason itself, for another that rests on it."""
        return self

    def among(self, known: dict[Any, tuple["Because", Reason]]) -> Reason:
        """Return the same as `flat` does; this and the reasons that it takes over are flattened once, and added to those known."""
        key = (id(self),)
        if key not in known:
            of = [_taken_over(each, known) if type(each) is Because and each.of else each for each in self.of]
            found = Because(self.rules, self.events, self.options, (*of,)).flat()
            known[key] = self, found  # what is kept keeps its identity
        return known[key][1]

    def whole(self) -> "Because":
        """Return the same reason, which cites by itself all that it rests on."""
        return _citing(self.flat())

    def own(self) -> Reason:
        """Return what this reason cites directly, without the reasons of the values that it rests on."""
        return self.flat(lambda one: not isinstance(one, Derived))

    def flat(self, follows: Callable[[Cites], bool] | None = None) -> Reason:
        """Return everything that this reason rests on, each rule, event and option once; own rules come first.

        What it rests on in turn is that which `follows`, by default all.
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


def _taken_over(one: Because, known: dict[Any, tuple[Because, Reason]]) -> Because:
    """Return a reason that cites by itself all that it rests on."""
    key = (id(one),)
    if key not in known:
        known[key] = one, one.flat()
    return _citing(known[key][1])


def _citing(found: Reason) -> Because:
    """Return a reason that cites by itself what is shown of one."""
    return Because(found.rules, found.events, found.options)


NOTHING_CITED = Because()


def terms(number: int | None, *those: tuple[str, int]) -> tuple[Terms, ...]:
    """Return the terms that a number is the sum of, for its reason; nothing if it is not, as where a limit cut it off."""
    told = tuple(each for each in those if each[1])
    return (Terms(told),) if len(told) > 1 and sum(amount for _, amount in told) == number else ()


class Derived(Struct, Generic[V_co], frozen=True):
    """A derived value with its reason, from the one function that derives both."""

    value: V_co
    because: Because

    def cites(self) -> Because:
        """Return the reason, for another value that rests on this one."""
        return self.because


class Explained(Struct, frozen=True):
    """A derived value as it is shown, with its flattened reason."""

    value: Any
    because: Reason
