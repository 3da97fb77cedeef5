"""Bodies of requests, which people and their programs write, read strictly."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal, Self, TypeVar
from urllib.parse import parse_qs, quote

import msgspec
from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator, model_validator

from encounterlog.log.drawn_dice import LONGEST
from encounterlog.service.problems import Problem
from eventstore.errors import Malformed
from eventstore.form import is_id, is_normal, read_json
from eventstore.wording import nearest, visible

JSON, TEXT, FORM = ("application/json",), ("text/plain",), ("application/x-www-form-urlencoded",)
LINES = ("application/x-ndjson", "application/ndjson", "application/jsonl")
B = TypeVar("B", bound=BaseModel)
quote_name = partial(quote, safe="")  # a name as it stands in an address


class Body(BaseModel):
    """The strict form of bodies: no field that is not named, and no value of another type."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @field_validator("by", "word", "giver", check_fields=False)
    @classmethod
    def _is_plain(cls, text: str, at: ValidationInfo) -> str:
        if not is_normal(text) or visible(text) != text:
            says = "has invisible characters, or is not in Unicode normal form C"
            raise Malformed(at.field_name or "", says, "give a plain one")
        return text


class Opening(Body):
    """A new encounter: its ruleset, title, and how open points of the rules are read."""

    ruleset: str = Field(min_length=1, max_length=120)
    title: str = Field(default="", max_length=120)
    options: dict[str, str] = Field(default={}, max_length=100)
    by: str = Field(default="gm", min_length=1, max_length=120)
    party: str = Field("", max_length=250, description="Another encounter here whose party goes on, or NAME#SIDE.")


class OpeningForm(Body):
    """The fields in the form of the first page: the name of a new encounter, its title, its ruleset, the encounter whose party goes on.

    An empty name is made of the title. A field `option.RULESET.NAME` chooses how an open point of that ruleset is read.
    """

    name: str = Field(max_length=200)
    ruleset: str = Field(max_length=120)
    title: str = Field(default="", max_length=120)
    party: str = Field(default="", max_length=200)
    side: str = Field(default="", max_length=60)


class Invitation(Body):
    """A token to be made: its role, the combatants of a player, the name it writes under, whether a player may write."""

    role: Literal["gm", "player", "spectator"]
    combatants: list[str] = Field(default=[], max_length=100)
    by: str = Field(default="", max_length=120)
    writes: bool = False

    @model_validator(mode="after")
    def _has_own_ones(self) -> Self:
        if (self.combatants or self.writes) and self.role != "player":
            raise Malformed("role", f"a {self.role} has no combatants of its own", "role=player")
        if wrong := next((each for each in self.combatants if not is_id(each) or len(each) > 60), None):
            says = f"'{visible(wrong)[:60]}' is no id of a combatant"
            raise Malformed("combatants", says, "lower-case words joined by -")
        return self


class Typed(Body):
    """A line of the language, with a fresh word for the dice that it draws from a chain.

    A `secret` line is withheld from players, as one is that begins with the word secret; only a game master writes such
    lines. The word of a player is the player's own. That of the game master is another person's if `giver` names them,
    who said it aloud; without a giver it is used where no player's page gives one.
    """

    line: str = Field(min_length=1, max_length=2000)
    secret: bool = False
    word: str = Field(default="", max_length=LONGEST)
    giver: str = Field(default="", max_length=LONGEST)


class Given(Body):
    """A word of a player for the dice of a roll, by its number in the chain."""

    number: int = Field(ge=1, le=10_000_000)
    word: str = Field(min_length=1, max_length=LONGEST)


class Beginning(Body):
    """A chain of dice that is begun: why, if it is a second one, and a seed of its secret, for scripts."""

    because: str = Field(default="", max_length=2000)
    seed: str = Field(default="", max_length=LONGEST)


class Decision(Body):
    """Whether a proposal is accepted, and in which version, so that nobody accepts something that was not shown; without one, as it is now.

    A proposal that is accepted as `secret` is withheld from players, also from its proposer.
    """

    accept: bool
    secret: bool = False
    version: int | None = Field(default=None, ge=1)


def parse_form(data: bytes, what: str) -> dict[str, list[str]]:
    """Return the fields of a form, or of a query; raise Problem."""
    try:
        return parse_qs(data.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=500)
    except ValueError:
        raise Problem("bad-request", f"the {what} is not UTF-8, or has too many fields") from None


def read_form(fields: Mapping[str, str]) -> tuple[OpeningForm, dict[str, str]]:
    """Return the encounter to be opened, and its chosen options, by a form; raise Malformed with the wrong field."""
    if not fields.get("ruleset"):
        raise Malformed("ruleset", "is not chosen", "choose the rules that the fight is played by")
    form = check_body(OpeningForm, {name: one for name, one in fields.items() if not name.startswith("option.")})
    start = f"option.{form.ruleset}."
    return form, {name.removeprefix(start): one for name, one in fields.items() if name.startswith(start) and one}


def fact_lines(body: bytes, media: str) -> bytes:
    """Return the facts in a body as JSON lines: those of NDJSON as they are, of JSON one or a list; raise Problem."""
    if media_kind(media) in LINES:
        return body
    try:
        is_list = body.lstrip()[:1] == b"["
        found = msgspec.json.decode(body, type=list[msgspec.Raw] if is_list else Any)
        rows = [*map(bytes, found)] if is_list else [body]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Problem("bad-request", f"the body is not JSON: {error}", "several facts: a list, or NDJSON") from None
    return b"\n".join(row.replace(b"\r", b" ").replace(b"\n", b" ") for row in rows)


def parse_line_body(body: bytes, media: str) -> Typed:
    """Return the line in a body, plain or as {"line": …}; raise Problem or Malformed."""
    try:
        typed = read_body(Typed, body) if media_kind(media) in JSON else Typed.model_construct(line=body.decode())
    except UnicodeDecodeError:
        raise Problem("bad-request", "the body is not UTF-8") from None
    line = typed.line.rstrip("\r\n")
    if not line.strip() or len(line) > 2000 or "\n" in line or "\r" in line:
        raise Malformed("line", "one line of 1 to 2,000 characters is taken", "such as: b o 14 6")
    return typed.model_copy(update={"line": line})


def media_kind(media: str) -> str:
    """Return a media type without its parameters."""
    return media.partition(";")[0].strip().lower()


def read_body(kind: type[B], body: bytes) -> B:
    """Return a body as a value of this type; raise Problem if it is not JSON, Malformed with the field that is wrong."""
    try:
        return check_body(kind, read_json(body))
    except Malformed as error:
        if error.field:
            raise
        raise Problem("bad-request", f"the body cannot be read: {error.reason}", error.hint) from None


def check_body(kind: type[B], value: Any) -> B:
    """Return a value as one of this type; raise Malformed with the field that is wrong."""
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    field = ".".join(map(str, first["loc"]))[:80]
    hint = nearest(field, kind.model_fields) if first["type"] == "extra_forbidden" else ""
    raise Malformed(field or "body", visible(first["msg"])[:200], hint)
