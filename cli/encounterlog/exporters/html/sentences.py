"""Sentences for the page: every name in them isolated, so that one in a script from right to left moves nothing else."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec import Struct, structs

from encounterlog.text.facts import sentence
from encounterlog.text.naming import Voice
from encounterlog.text_pages.log import Called, Names
from eventstore.events import CombatantJoined, Fact
from eventstore.form import ID_FIELDS, ID_LIST_FIELDS, visible
from eventstore.record import Recorded
from projections.state import State

ISOLATE, POP = "\u2068", "\u2069"
"""The characters that begin and end an isolated name; text from a log holds neither, for invisible characters are made visible first."""


def isolated(name: str) -> str:
    """Return a name with the marks of isolation around it, its own control characters made visible."""
    return f"{ISOLATE}{visible(name)}{POP}"


class Isolated(Names):
    """The names of the combatants, isolated, each made once, and facts in words with them."""

    def __init__(self, records: Iterable[Recorded]) -> None:
        super().__init__(records, short=False)
        self._made: dict[str, str] = {}

    def at(self, state: State, _event: Fact | None = None) -> Called:
        """Return the names in a state."""
        found = state.combatants
        name = Voice(state.rules, lambda who: self._isolated(found[who].name if who in found else who))
        return Called(name, in_words, self.secrets)

    def none(self) -> Called:
        """Return ids for names, as long as nobody has joined."""
        return Called(isolated, in_words, self.secrets)

    def _isolated(self, name: str) -> str:
        if name not in self._made:
            self._made[name] = isolated(name)
        return self._made[name]


def in_words(event: Fact, name: Callable[[str], str]) -> str:
    """Return a fact in words."""
    seen = event if is_plain(event) else _seen(event)
    if isinstance(seen, CombatantJoined) and seen.name:
        seen = structs.replace(seen, name=isolated(seen.name))
    return sentence(seen, name)


def is_plain(value: Any) -> bool:
    """Return whether nothing in a value must be made visible; a backslash may begin an escape of JSON."""
    text = msgspec.json.encode(value).decode()
    return "\\" not in text and text.isprintable()


def _seen(value: Any) -> Any:
    """Return a value with every text in it made visible, but for ids, which are plain words."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, Struct):
        fields = ((field, getattr(value, field)) for field in value.__struct_fields__)
        return structs.replace(value, **{field: one if _is_id(field) else _seen(one) for field, one in fields})
    if isinstance(value, dict):
        return {visible(key): _seen(one) for key, one in value.items()}
    return tuple(map(_seen, value)) if isinstance(value, tuple | list) else value


def _is_id(field: str) -> bool:
    return field in ID_FIELDS or field in ID_LIST_FIELDS


__all__ = ["ISOLATE", "POP", "Isolated", "in_words", "is_plain", "isolated"]
