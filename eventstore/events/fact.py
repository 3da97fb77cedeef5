"""The base of all event types, and of those that may give their own moment."""

from msgspec import Struct

from eventstore.shapes import (
    Count,
    Word,
)


def _tag(name: str) -> str:
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name).lstrip("_")


class Fact(
    Struct,
    frozen=True,
    gc=False,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    repr_omit_defaults=True,
    tag_field="type",
    tag=_tag,
):
    """The base of all events: frozen, tagged by `type`, without unknown fields, defaults left out of the line."""


class Momentary(Fact, frozen=True, kw_only=True):
    """The base of events that may give their own moment, valid for them and for facts that name them as `cause`."""

    phase: Word | None = None
    segment: Count | None = None
    second: Count | None = None
