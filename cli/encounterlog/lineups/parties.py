"""Parties: combatants who join together, in TOML, written by people. pydantic reads it: its errors name the path.

side = "party"

[[member]]
name = "Mira"
sheet = { hp = 9, weapon = "dagger" }
"""

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

STRICT = ConfigDict(extra="forbid", strict=True, frozen=True)


class Member(BaseModel):
    """A member of a party."""

    model_config = STRICT

    name: str = Field(min_length=1, max_length=120, description="The display name.")
    id: str | None = Field(
        default=None, min_length=1, max_length=64, description="The id in the log; by default it is made from the name."
    )
    side: str | None = Field(
        default=None, min_length=1, max_length=64, description="The side, if it is not that of the party."
    )
    count: int = Field(
        default=1, ge=1, le=100, description="How many of the kind join: with 2 they are numbered 1 and 2."
    )
    hidden: bool = Field(default=False, description="Whether the players are not to see that they join.")
    sheet: dict[str, Any] = Field(
        default={}, description="The sheet, with the fields that the ruleset knows, such as hp."
    )


class Party(BaseModel):
    """Those who join together: the side of its members, unless they name another, and the members."""

    model_config = STRICT

    side: str = Field(default="party", min_length=1, max_length=64, description="The side of all who name no other.")
    member: tuple[Member, ...] = Field(min_length=1, max_length=1000, strict=False, description="The members.")


EXAMPLE = """side = "party"

[[member]]
name = "Mira"
sheet = { hp = 9 }

[[member]]
name = "Hound"
count = 2
sheet = { hp = 4 }
"""
"""A party that any ruleset takes which asks for no more than hit points."""


def parse_party(text: str) -> Party:
    """Return a party in TOML; raise ValueError with the path of what is wrong."""
    try:
        with faults_at(""):
            return Party.model_validate(tomllib.loads(text))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


@contextmanager
def faults_at(place: str) -> Iterator[None]:
    """Raise the ValueError of a value with its place; of several faults that pydantic found, the first with its path, and their number."""
    try:
        yield
    except ValidationError as error:
        first, *more = error.errors(include_url=False, include_input=False)
        path = ".".join(filter(None, (place, *map(str, first["loc"]))))
        says = f"{first['msg'].lower()}{f' (and {len(more)} more)' if more else ''}"
        raise ValueError(f"{path}: {says}" if path else says) from None
    except ValueError as error:
        raise ValueError(f"{place}: {error}" if place else str(error)) from None
