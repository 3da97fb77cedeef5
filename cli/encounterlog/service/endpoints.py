"""Endpoints and their parameters, as the table of routes has them."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from encounterlog.service.calls import JSON, Does
from encounterlog.service.problems import Problem
from eventstore.form import nearest

STREAM = "text/event-stream"
OPERATOR, GM, PLAYER, SPECTATOR = "operator", "gm", "player", "spectator"
READERS = frozenset({GM, PLAYER, SPECTATOR})
WRITERS = frozenset({GM, PLAYER})
OWNERS = frozenset({GM, OPERATOR})
ALL = READERS | OWNERS
NOBODY: frozenset[str] = frozenset()
"""The roles of an endpoint that asks for no token."""
AUTH = ("no-token", "forbidden", "too-many-requests")


class Parameter(Struct, frozen=True):
    """A parameter of the query, or a header: its name, JSON Schema, description, whether it is required."""

    name: str
    says: str
    schema: dict[str, Any]
    needed: bool = False
    header: bool = False

    def read(self, given: list[str]) -> Any:
        """Return the value of a parameter as it was given in the query; raise Problem."""
        if self.schema["type"] == "array":
            return tuple(self._one(text, self.schema["items"]) for text in given)
        if len(given) > 1:
            raise Problem("bad-request", f"{self.name} is given {len(given)} times", "give it once", field=self.name)
        return self._one(given[0], self.schema)

    def _one(self, text: str, schema: Mapping[str, Any]) -> Any:
        if schema["type"] == "integer":
            return self._number(text)
        if schema["type"] == "boolean":
            return self._flag(text)
        if len(text) > schema["maxLength"]:
            raise Problem("bad-request", f"{self.name} has more than {schema['maxLength']} characters", field=self.name)
        return text

    def _number(self, text: str) -> int:
        if text.isascii() and text.isdigit() and len(text) < 16:
            return int(text)
        raise Problem("bad-request", f"{self.name}: '{text[:40]}' is not a whole number from 0", field=self.name)

    def _flag(self, text: str) -> bool:
        if text in ("1", "true", "0", "false"):
            return text in ("1", "true")
        raise Problem("bad-request", f"{self.name}: '{text[:40]}' is neither 1 nor 0", field=self.name)


class Endpoint(Struct, frozen=True):
    """An endpoint: method and path, its description, roles, parameters, body, successes and refusals.

    `body` are the media types that are taken; `given` and `gives` name schemas of /v1/schema or of this service.
    """

    method: str
    path: str
    says: str
    does: Does | None
    roles: frozenset[str] = READERS
    parameters: tuple[Parameter, ...] = ()
    body: tuple[str, ...] = ()
    given: str = ""
    success: tuple[int, ...] = (200,)
    media: str = JSON
    gives: str = ""
    refusals: tuple[str, ...] = ()
    about_one: bool = True
    """Whether the path names an encounter."""
    creates: bool = False
    """Whether it creates the encounter that the path names: tokens of another one are taken."""
    costly: bool = False
    """Whether it may take long: then it runs in a lane of its own, and ends when its asker leaves."""

    @property
    def named(self) -> str:
        """Its name in OpenAPI."""
        words = self.path.replace("/v1/encounters/{name}", "encounter").strip("/").replace("{", "").replace("}", "")
        return f"{self.method.lower()}-{words.replace('/', '-').replace('.', '-')}"

    def read(self, query: Mapping[str, list[str]]) -> dict[str, Any]:
        """Return the parameters of a query by name; raise Problem for what is unknown, missing or malformed."""
        known = {each.name: each for each in self.parameters if not each.header}
        for name in query:
            if name not in known:
                raise Problem("bad-request", f"no parameter '{name[:40]}' here", nearest(name, known), field=name[:40])
        for each in known.values():
            if each.needed and each.name not in query:
                raise Problem("bad-request", f"the parameter {each.name} is missing", each.says, field=each.name)
        return {name: known[name].read(given) for name, given in query.items()}


def text(name: str, says: str, *, needed: bool = False, most: int = 2000) -> Parameter:
    """Return a parameter that is text."""
    return Parameter(name, says, {"type": "string", "maxLength": most}, needed)


def number(name: str, says: str) -> Parameter:
    """Return a parameter that is a whole number."""
    return Parameter(name, says, {"type": "integer", "minimum": 0, "maximum": 10**15 - 1})


def flag(name: str, says: str) -> Parameter:
    """Return a parameter that is true or false, written as 1 or 0."""
    return Parameter(name, says, {"type": "boolean"})


def several(name: str, says: str, kind: str = "string") -> Parameter:
    """Return a parameter that may be repeated."""
    item = (
        {"type": "string", "maxLength": 4000}
        if kind == "string"
        else {"type": kind, "minimum": 0, "maximum": 10**15 - 1}
    )
    return Parameter(name, says, {"type": "array", "items": item, "maxItems": 100})


def header(name: str, says: str) -> Parameter:
    """Return a header."""
    return Parameter(name, says, {"type": "string", "maxLength": 2000}, header=True)
