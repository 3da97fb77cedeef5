"""The answers of a service, each defined once: what it sends, what a client reads, and what `/openapi.json` says follow from these.

A field that is UNSET is left out.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

Seq = Annotated[int, Meta(ge=1)]
Head = Annotated[str, Meta(pattern="^[0-9]+:[0-9a-f]{64}$")]
RoleName = Annotated[str, Meta(extra_json_schema={"enum": ["operator", "gm", "player", "spectator"]})]
State = Literal["waiting", "accepted", "declined", "withdrawn"]
StateName = Annotated[str, Meta(extra_json_schema={"enum": ["waiting", "accepted", "declined", "withdrawn"]})]
FACT = {"type": "object", "required": ["type"], "properties": {"type": {"type": "string"}}}
Facts = Annotated[Sequence[Any], Meta(extra_json_schema={"items": FACT})]
Inputs = Annotated[Sequence[Any], Meta(extra_json_schema={"items": {"$ref": "#/components/schemas/input"}})]
Findings = Annotated[Sequence[Any], Meta(extra_json_schema={"items": {"$ref": "#/components/schemas/Finding"}})]
Texts = Sequence[str]


class Listed(Struct):
    """An encounter that the tokens of a request open."""

    name: str
    role: RoleName
    combatants: Texts
    writes: bool = False
    """Whether a player may record what the own combatants do."""


class Encounters(Struct):
    """The encounters that the tokens of a request open."""

    encounters: list[Listed]


class Created(Struct):
    """A new encounter, with the token of its game master; `left_out` are the parts of a party that did not come along."""

    name: str
    head: Head
    id: str
    token: str
    link: str
    left_out: Texts | UnsetType = UNSET


class Appended(Struct, frozen=True, kw_only=True):
    """An append: its first and last record, the end of the log after it, whether it had been done before, and what it raised."""

    first: Seq
    last: Seq
    head: Head
    again: bool
    withheld: Sequence[Seq] | UnsetType = UNSET
    findings: Findings


class MayBeAppended(Struct, frozen=True, kw_only=True):
    """An append, with its facts as sentences, the sums of its dice, and its facts, in an answer that may have none."""

    first: Seq | UnsetType = UNSET
    last: Seq | UnsetType = UNSET
    head: Head | UnsetType = UNSET
    again: bool | UnsetType = UNSET
    withheld: Sequence[Seq] | UnsetType = UNSET
    findings: Findings | UnsetType = UNSET
    echo: Texts | UnsetType = UNSET
    rolled: Texts | UnsetType = UNSET
    facts: Facts | UnsetType = UNSET


class Told(MayBeAppended, frozen=True):
    """A line; if it was only read, also whether it is secret or would wait."""

    secret: bool | UnsetType = UNSET
    proposed: bool | UnsetType = UNSET


class Settled(MayBeAppended, frozen=True):
    """A decided proposal, with its append if it was accepted."""

    id: str
    state: StateName


class Proposal(Struct, kw_only=True):
    """A proposal as game masters see it, and its proposer."""

    id: str
    state: StateName
    version: int
    by: str
    line: str
    echo: Texts
    rolls: bool


class Proposed(Proposal):
    """A proposal that was made, and the number of game masters who have the page open."""

    proposed: str
    masters: int


class Proposals(Struct):
    """The proposals of an encounter."""

    proposals: list[Proposal]


class Offer(Struct):
    """A word with which a line can go on."""

    word: str
    says: str


class Offers(Struct):
    """The word that a line ends with, and the words that it can become."""

    begun: str
    offers: list[Offer]


class Line(Struct):
    """A line with a record's present content."""

    event: Seq
    line: str


class LineUp(Struct):
    """The facts by which a line-up joins, and their lines."""

    lines: Texts
    facts: Inputs
    left_out: Texts


class Token(Struct):
    """A token, without its text."""

    id: str
    role: RoleName
    combatants: Texts
    by: str
    writes: bool
    at: str
    revoked: str | None


class Tokens(Struct):
    """The tokens of an encounter."""

    tokens: list[Token]


class Invited(Token):
    """A new token, with its text, its link, and the link's QR code."""

    token: str
    link: str
    qr: Texts


class Taken(Struct):
    """Whether a word was the first that came."""

    taken: bool


class Reading(Struct):
    """A line that was perhaps meant, with the facts that it would record."""

    line: str
    says: Texts
    facts: Facts


class Problem(Struct):
    """A refusal (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    exit: int
    hint: str | UnsetType = UNSET
    line: int | UnsetType = UNSET
    field: str | UnsetType = UNSET
    column: int | UnsetType = UNSET
    details: Texts | UnsetType = UNSET
    offers: Texts | UnsetType = UNSET
    readings: Sequence[Reading] | UnsetType = UNSET
    expected: str | UnsetType = UNSET
    found: str | UnsetType = UNSET
    state: str | UnsetType = UNSET
    version: int | UnsetType = UNSET
    echo: Texts | UnsetType = UNSET
    between: Sequence[dict[str, Any]] | UnsetType = UNSET
    input: str | UnsetType = UNSET
    key: str | UnsetType = UNSET
    logs: dict[str, str] | UnsetType = UNSET


ALL = (
    Encounters, Created, Appended, Told, Proposed, Proposals, Settled, Offers, Line, LineUp, Tokens, Taken, Invited, Problem,
)  # fmt: skip
"""The answers that `/openapi.json` describes; the others stand in them."""
