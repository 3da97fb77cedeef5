"""Reasons: why a value is what it is, as a small tree that is flattened only when it is shown."""

from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

V = TypeVar("V")


class Reason(Struct, frozen=True, gc=False):
    """A reason as it is shown: rule ids, the most particular first; seqs of events, in order; options with their values."""

    rules: tuple[str, ...] = ()
    events: tuple[int, ...] = ()
    options: dict[str, str] = {}


class Cites(Protocol):
    """What a reason can rest on: another derived value, or a history that is only read when somebody asks."""

    def cites(self) -> "Because":
        """Return the reason that this adds."""
        ...


class Because(Struct, frozen=True):
    """A reason: rule ids, seqs of events, options that decided, and the derived values `of` which it comes.

    `of` keeps reasons small: they refer to one another instead of growing with the log.
    """

    rules: tuple[str, ...] = ()
    events: tuple[int, ...] = ()
    options: dict[str, str] = {}
    of: tuple[Cites, ...] = ()

    def __bool__(self) -> bool:
        """Say whether anything but rules stands behind this."""
        return bool(self.events or self.of)

    def __add__(self, other: "Because") -> "Because":
        """Return both reasons as one."""
        return Because(
            tuple(dict.fromkeys(self.rules + other.rules)),
            tuple(sorted({*self.events, *other.events})),
            self.options | other.options,
            self.of + other.of,
        )

    def cites(self) -> "Because":
        """Return the reason itself, for another that rests on it."""
        return self

    def own(self) -> Reason:
        """Return what this reason cites itself, without what stands behind other derived values."""
        return self.flat(lambda one: not isinstance(one, Derived))

    def flat(self, follows: Callable[[Cites], bool] = lambda _: True) -> Reason:
        """Return everything that this reason rests on, each rule, event and option once; own rules come first."""
        rules, events, options = dict[str, None](), set[int](), dict[str, str]()
        seen, waiting = dict[int, Because](), [self]
        while waiting:
            each = waiting.pop()
            if id(each) in seen:
                continue
            seen[id(each)] = each
            rules.update(dict.fromkeys(each.rules))
            events.update(each.events)
            for name, value in each.options.items():
                options.setdefault(name, value)
            waiting += [one.cites() for one in reversed(each.of) if follows(one)]
        return Reason(tuple(rules), tuple(sorted(events)), options)


class Derived(Struct, Generic[V], frozen=True):
    """A derived value with the reason for it, from the one function that knows both."""

    value: V
    because: Because

    def cites(self) -> Because:
        """Return the reason, for another value that rests on this one."""
        return self.because


class Explained(Struct, frozen=True):
    """A derived value as it is shown, with its flattened reason."""

    value: Any
    because: Reason
