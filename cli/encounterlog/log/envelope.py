"""The envelope that people write around a fact to say more about it: {"event":{…},"secret":true,"key":"…"}.

It is written by hand, so pydantic reads it: its errors name the field. Imported only if there is an envelope.
"""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from eventstore.errors import Malformed
from eventstore.wording import nearest

WORDS = {
    "extra_forbidden": "no field beside an event",
    "dict_type": "expected a fact",
    "bool_type": "expected true or false",
    "string_type": "expected text",
    "string_too_short": "expected text of at least 1 character",
    "string_too_long": "expected text of at most 120 characters",
}
"""The errors of pydantic in our words."""


class Envelope(BaseModel):
    """A fact with the marks of its record: `secret` withholds it from players, `key` is an idempotency key."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    event: dict[str, Any]
    secret: bool = False
    key: str | None = Field(default=None, min_length=1, max_length=120)


def read(value: dict[str, Any]) -> Envelope:
    """Return an envelope; raise Malformed for the first field that is wrong."""
    try:
        return Envelope.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    field = ".".join(map(str, first["loc"]))
    extra = first["type"] == "extra_forbidden"
    hint = nearest(field, Envelope.model_fields) or "only secret and key can be given beside it" if extra else ""
    raise Malformed(field[:80], WORDS.get(first["type"], first["msg"]), hint)
