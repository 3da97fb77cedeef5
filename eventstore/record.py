"""One line of a log: the envelope, the event, and the hashes that bind it to the line before."""

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from eventstore.events import TAGS, Event
from eventstore.shapes import Count, Word

Hash = Annotated[str, Meta(min_length=64, max_length=64)]
Stamp = Annotated[str, Meta(min_length=27, max_length=27)]
"""A moment of writing: RFC 3339, UTC, microseconds, as in 2026-11-20T19:04:05.123456Z."""


class Recorded(Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Is one record as it stands in the log, its fields in the order of the line.

    `seq` counts from 1; `at` says when it was written down and never orders; `batch` is place and size of several events
    appended as one. `event` is None where the payload is withheld, and where its type is unknown (RecordedUnknown).
    """

    seq: Count
    at: Stamp
    by: Word
    key: Word | None = None
    batch: tuple[Count, Count] | None = None
    secret: bool = False
    digest: Hash
    event: Event | None = None
    salt: str | None = None
    hash: Hash

    @property
    def withheld(self) -> bool:
        """Whether the payload was taken out and only its digest is left."""
        return self.salt is None


class RecordedUnknown(Recorded, frozen=True, gc=False, kw_only=True):
    """Is a record whose event type this version does not know; its bytes are kept as they stand."""

    type: str
    text: bytes


class Draft(Struct, frozen=True, gc=False):
    """Is an event on its way into a log, with what the envelope shall say of it."""

    event: Event
    secret: bool = False
    key: Word | None = None
    at: Stamp | None = None


class _Raw(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    seq: Count
    at: Stamp
    by: Word
    key: Word | None = None
    batch: tuple[Count, Count] | None = None
    secret: bool = False
    digest: Hash
    event: msgspec.Raw
    salt: str
    hash: Hash


class _Tag(Struct, frozen=True):
    type: str


encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Recorded).decode
_decode_raw = msgspec.json.Decoder(_Raw).decode
_decode_tag = msgspec.json.Decoder(_Tag).decode


def decode(line: bytes) -> Recorded:
    """Turn a line (with or without its newline) into a record; raise msgspec.DecodeError where it is none."""
    try:
        return _decode(line)
    except msgspec.ValidationError:
        unknown = _unknown(line)
        if unknown is None:
            raise
        return unknown


def _unknown(line: bytes) -> RecordedUnknown | None:
    """Keep an event of a type from a later version; anything else wrong with a line is none of it."""
    try:
        raw = _decode_raw(line)
        tag = _decode_tag(raw.event).type
    except msgspec.DecodeError:
        return None
    if tag in TAGS:
        return None
    fields = {name: getattr(raw, name) for name in raw.__struct_fields__ if name != "event"}
    return RecordedUnknown(**fields, type=tag, text=bytes(raw.event))
