"""Addresses: the names of derived values, each an object that can be read and, where allowed, set by a ruling."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Literal

from msgspec import Struct

from projections.because import Because, Derived, ask_rule
from projections.fight import Fight
from projections.open_types import Json, RulesState

NOTHING = "none"
"""The value that states that there is none."""

Read = Callable[..., Derived[Json] | None]
"""A function from the state and the open parts of the pattern to the value; None without one."""
Wants = Callable[..., str]
"""A function from state, open parts and value to "" for an allowed value, else to a description of allowed ones."""
Blames = Callable[..., str]
"""A function from state, open parts and value to the rule that a wrong statement breaks; "": the first one."""
Rule = Callable[..., object]
"""A function of state, open parts, value and seq of the ruling that replaces the present value."""
Scope = Literal["fight", "round", "turn"]

OPEN = r"<(\w+)>"
PARTS = {"who": "[a-z0-9-]+", "side": "[a-z0-9-]+", "number": "[1-9][0-9]{0,8}"}
"""The open parts of a pattern as regular expressions; any other is free text."""


class Address(Struct, frozen=True, eq=False, dict=True):
    """The address of a derived value: a pattern, how it is read and, where allowed, set by a ruling."""

    pattern: str
    """The address with its open parts, such as `<who>.hp`."""
    read: Read
    says: str
    """The value's meaning, in a few words."""
    unit: str = "#"
    """How a number is said there, with # in its place: DC #."""
    bare: Callable[..., Json] | None = None
    """Reads the value without its reason, where that is much less work."""

    wants: Wants | None = None
    rule: Rule | None = None
    """Sets the value by a ruling; later facts change it from there. Without it a ruling covers the value."""
    until: Scope = "fight"
    """The boundary up to which a ruling covers the value."""
    fixed: str = ""
    """Why no ruling can set the value; "" if one can."""

    ordered: bool = False
    """Whether the order of a list counts."""
    also: Callable[..., Iterable[Json]] = lambda *_: ()
    """Yields other values that a statement may give as well, where the facts leave it open."""
    blames: Blames = lambda *_: ""

    places: Callable[[RulesState], Iterable[tuple[str, ...]]] | None = None
    """Yields the open parts that exist, where the pattern alone does not say them."""
    notable: bool = False
    """Whether a short view of a combatant mentions the value, if it is not empty."""
    label: str = ""
    """The words before the value in such a view; "-" for none, "" for those of the address."""
    owed: bool = False
    """Whether the value, if it is not empty, is something that a combatant owes."""
    lasts: bool = False
    """Whether a combatant takes the value along to its next fight."""
    tally: str = ""
    """The status that the value follows in brackets, as in dying(1)."""

    @cached_property
    def compiled_form(self) -> re.Pattern[str]:
        """The pattern as a regular expression."""
        first, *rest = map(re.escape, self.pieces)
        words = (f"({PARTS.get(word, '.+')})" for word in self.open_words)
        return re.compile(first + "".join(word + piece for word, piece in zip(words, rest, strict=True)))

    @cached_property
    def pieces(self) -> list[str]:
        """The text around its open parts."""
        return re.split(OPEN, self.pattern)[::2]

    @cached_property
    def open_words(self) -> list[str]:
        """The words for its open parts."""
        return re.findall(OPEN, self.pattern)

    def parts(self, address: str) -> tuple[str, ...] | None:
        """Return the open parts of an address, whether or not there is such a value; None if it does not match this pattern."""
        match = self.compiled_form.fullmatch(address)
        return match.groups() if match else None

    def has_joined(self, state: Fight, parts: tuple[str, ...]) -> bool:
        """Return whether the combatants and sides that these open parts name have joined."""
        for word, value in zip(self.open_words, parts, strict=True):
            if (word == "who" and value not in state.combatants) or (word == "side" and value not in state.sides):
                return False
        return True

    def existing(self, state: Fight) -> Iterator[str]:
        """Yield the addresses of this pattern that exist in a state."""
        if self.places:
            found: Iterable[tuple[str, ...]] = self.places(state)
        elif not self.open_words:
            found = [()]
        elif self.open_words == ["who"]:
            found = [(who,) for who in state.combatants]
        elif self.open_words == ["side"]:
            found = [(side,) for side in state.sides if side not in state.combatants]
        else:
            found = []
        first, *rest = self.pieces
        for values in found:
            yield first + "".join(value + piece for value, piece in zip(values, rest, strict=True))

    def why_refused(self, state: Fight, parts: tuple[str, ...], value: object) -> str:
        """Return "" if a ruling can set this value, else a description of allowed values."""
        if self.fixed:
            return f"nothing: {self.fixed}"
        return self.wants(state, *parts, value) if self.wants else ""

    def value(self, state: Fight, address: str, parts: tuple[str, ...]) -> Derived[Json] | None:
        """Return the value of a ruling that covers this address, else the derived one."""
        ruled = state.ruled.get(address)
        return Derived(ruled.value, Because((), (), (ruled,))) if ruled else ask_rule(self.read, state, *parts)


# ---------------------------------------------------------------- requirements of values


def is_number(value: Json) -> bool:
    """Return whether a stated value is a whole number (not true or false)."""
    return type(value) is int


def require(says: str, holds: Callable[[Json], bool]) -> Wants:
    """Return a requirement that depends on the value alone."""
    return lambda *given: "" if holds(given[-1]) else says


a_number = require("a number", is_number)
a_count = require("a number from 0", lambda value: is_number(value) and value >= 0)
a_tally = require("a number from 0 to 100", lambda value: is_number(value) and 0 <= value <= 100)
a_number_or_none = require("a number, or none", lambda value: value == NOTHING or is_number(value))
a_count_or_none = require("a number from 0, or none", lambda value: value == NOTHING or not a_count(value))
a_word = require("a word", lambda value: isinstance(value, str) and value != "")


def a_combatant_or_none(state: Fight, *rest: object) -> str:
    """Require a combatant who has joined, or none."""
    return "" if rest[-1] == NOTHING or rest[-1] in state.combatants else "a combatant who has joined, or none"


def a_list_of_names(_state: Fight, *rest: object) -> str:
    """Require a list of names, or none."""
    value = rest[-1]
    named = isinstance(value, tuple) and all(isinstance(name, str) for name in value)
    return "" if named or value == NOTHING else "a list of names, or none"
