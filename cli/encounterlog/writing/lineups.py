"""Line-ups: who is in the fight from the start, from a party in TOML and from lines of the grammar.

    side = "party"

    [[member]]
    name = "Mira"
    sheet = { hp = 9, weapon = "dagger" }

A party is written by hand, so pydantic reads it: its errors name the path. Imported only if there is a line-up.
"""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from encounterlog.edge.failures import REFUSED, Failure
from encounterlog.writing.telling import told_at
from eventstore.events import EncounterOpened, Fact
from projections.grammar import names
from projections.grammar.table import Table, recorded
from projections.grammar.tokens import quote

LARGEST = 1 << 20
STRICT = ConfigDict(extra="forbid", strict=True, frozen=True)


class Member(BaseModel):
    """Somebody of a party: display name, id (by default made from the name), side, how many of the kind, sheet."""

    model_config = STRICT

    name: str = Field(min_length=1, max_length=120)
    id: str | None = Field(default=None, min_length=1, max_length=64)
    side: str | None = Field(default=None, min_length=1, max_length=64)
    count: int = Field(default=1, ge=1, le=100)
    sheet: dict[str, Any] = {}


class Party(BaseModel):
    """A party: the side of its members, unless they say another, and the members."""

    model_config = STRICT

    side: str = Field(default="party", min_length=1, max_length=64)
    member: tuple[Member, ...] = Field(min_length=1, strict=False)


def facts(opening: EncounterOpened, parties: Sequence[Path], foes: Sequence[str]) -> list[Fact]:
    """Return the facts by which everybody of a line-up joins; raise Failure with the path of what is wrong."""
    table = Table(recorded([opening], 1), script=True)
    found: list[Fact] = []
    for path in parties:
        party = _read(path)
        for member in party.member:
            found += _told(table, _line(table, member, party.side))
    for each in foes:
        first, _, rest = each.strip().partition(" ")
        found += _told(table, f"join {first} foes {rest}".rstrip())
    return found


def _told(table: Table, line: str) -> Sequence[Fact]:
    told = told_at(table, line)
    table.take(recorded(told.facts, len(table.records) + 1))
    return told.facts


def _line(table: Table, member: Member, side: str) -> str:
    """Return the line by which a member joins."""
    import json

    taken = {*table.done.state.combatants, *table.done.state.sides}
    who = member.id or names.id_of(member.name, taken)
    many = f"*{member.count}" if member.count > 1 else ""
    called = member.name if many or names.id_of(member.name, taken) == who else who
    return f"join {quote(called + many)} {quote(member.side or side)} {json.dumps(member.sheet, ensure_ascii=False)}"


def _read(path: Path) -> Party:
    try:
        with path.open("rb") as file:
            return Party.model_validate(tomllib.loads(file.read(LARGEST).decode()))
    except ValidationError as error:
        wrong = error.errors(include_url=False)[0]
        where = ".".join(map(str, wrong["loc"]))
        raise Failure(REFUSED, f"{path}: {where}: {wrong['msg'].lower()}") from None
    except (OSError, ValueError) as error:
        raise Failure(REFUSED, f"{path}: {str(getattr(error, 'strerror', None) or error).lower()}") from None
