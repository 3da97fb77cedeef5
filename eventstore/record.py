"""One line of a log: the envelope, the event, and the hashes that bind it to the line before."""

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from eventstore.errors import Malformed
from eventstore.events import Event, Fact
from eventstore.shapes import Count, Word
from eventstore.versions import CARRYING, EARLIER, KNOWN, UPCASTERS, AnyEvent

F = TypeVar("F", bound=Fact)

Hash = Annotated[str, Meta(min_length=64, max_length=64)]
Salt = Annotated[str, Meta(min_length=32, max_length=32)]
Stamp = Annotated[str, Meta(min_length=27, max_length=27)]
"""A moment of writing: RFC 3339, UTC, microseconds, as in 2026-11-20T19:04:05.123456Z."""

_STAMP = re.compile(r"(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z", re.ASCII)
_BEGINS = b'{"seq":'


class Recorded(Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One record as it is in the log, its fields in the order of the line.

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
    salt: Salt | None = None
    hash: Hash

    @property
    def withheld(self) -> bool:
        """Whether the payload was taken out and only its digest is left."""
        return self.salt is None

    @property
    def plain(self) -> Event | None:
        """The event, where the line has it in the version that it has here."""
        return self.event


class RecordedUnknown(Recorded, frozen=True, gc=False, kw_only=True):
    """A record whose event type this version does not know; its bytes are kept as they are.

    `type` is the unknown one: the event's own, or that of the fact which a correction carries.
    """

    type: str
    text: bytes
    plain = None


class RecordedEarlier(Recorded, frozen=True, gc=False, kw_only=True):
    """A record whose event, or the fact that it carries, was written in an earlier version of its type.

    `event` is in the newest version, `text` as it stands in the log.
    """

    text: bytes
    plain = None


class Draft(Struct, frozen=True, gc=False):
    """An event on its way into a log, with what the envelope shall say of it.

    An event in an earlier version of its type is written as it is.
    """

    event: AnyEvent
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
    salt: Salt
    hash: Hash


class _Tag(Struct, frozen=True):
    type: str
    replacement: msgspec.Raw = msgspec.Raw()
    fact: msgspec.Raw = msgspec.Raw()


encode = msgspec.json.Encoder().encode
decode_newest = msgspec.json.Decoder(Recorded).decode
"""Turns a line into a record whose event is of the newest version of its type, or withheld; raises ValueError, RecursionError."""
_decode_raw = msgspec.json.Decoder(_Raw).decode
_decode_tag = msgspec.json.Decoder(_Tag).decode
_decode_any = msgspec.json.Decoder().decode


def decode(line: bytes) -> Recorded:
    """Turn a line (with or without its newline) into a record; raise ValueError where it is none."""
    try:
        record = decode_newest(line)
    except msgspec.ValidationError:
        other = _of_another_version(line)
        if other is None:
            raise
        return other
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if (record.event is None) is not (record.salt is None):
        raise ValueError("event and salt stand together or not at all")
    return record


def written(record: Recorded) -> bytes:
    """Return the line of a record, without its newline, byte for byte as it stands in the log."""
    if not isinstance(record, RecordedUnknown | RecordedEarlier):
        return encode(record)
    bare = {name: getattr(record, name) for name in Recorded.__struct_fields__ if name not in ("event", "salt")}
    head, hash_, tail = encode(Recorded(**bare)).rpartition(b',"hash":"')
    return b'%b,"event":%b,"salt":%b%b%b' % (head, record.text, encode(record.salt), hash_, tail)


def ends_batch(record: Recorded) -> bool:
    """Whether a record is the last one of its batch, or stands alone."""
    return record.batch is None or record.batch[0] == record.batch[1]


def size_of_batch(record: Recorded) -> int:
    """Return how many records were appended with this one, itself counted."""
    return record.batch[1] if record.batch else 1


def is_end_of_batch(line: bytes) -> bool | None:
    """Whether a line, with its newline, is the last record of its batch; None where it is no whole record."""
    if not line.startswith(_BEGINS) or line[-1:] != b"\n":
        return None
    try:
        return ends_batch(decode(line[:-1]))
    except ValueError:
        return None


def event_text(line: bytes) -> bytes:
    """Return the bytes of the event in a line that has one."""
    return line[line.find(b',"event":') + 9 : line.rfind(b',"salt":"')]


def upcast(event: Fact, steps: Mapping[type[Fact], Callable[[Any], Fact]] = UPCASTERS) -> Event:
    """Return an event, and the fact that it carries, in the newest version; what is in it already is returned as it is."""
    while (step := steps.get(type(event))) is not None:
        event = step(event)
    if (field := CARRYING.get(type(event))) is not None:
        carried = getattr(event, field)
        newest = upcast(carried, steps)
        event = event if newest is carried else msgspec.structs.replace(event, **{field: newest})
    return event  # type: ignore[return-value]  # the last step leads to one of the union's members


def fact_of(value: dict[str, Any], kind: type[F]) -> F:
    """Turn a JSON value into a fact of this type, which may carry one in an earlier version; raise ValidationError."""
    field = CARRYING.get(kind, "")
    inside = earlier(value.get(field))
    if inside is None:
        return msgspec.convert(value, kind)
    carried = fact_of(value[field], inside)
    fact = msgspec.convert(value | {field: msgspec.to_builtins(upcast(carried))}, kind)
    return msgspec.structs.replace(fact, **{field: carried})


def earlier(value: Any) -> type[Fact] | None:
    """Return the type of a JSON value that is a fact in an earlier version, None for every other value."""
    tag = value.get("type") if isinstance(value, dict) else None
    return EARLIER.get(tag) if isinstance(tag, str) else None


def check_stamp(at: str) -> None:
    """Check that a moment of writing has its form and is a day of the calendar; raise Malformed."""
    if not _is_moment(at):
        raise Malformed("at", f"{at[:40]!r} is no moment", "RFC 3339, UTC, microseconds: 2026-11-20T19:04:05.123456Z")


def _is_moment(at: str) -> bool:
    found = _STAMP.fullmatch(at)
    if found is None:
        return False
    try:
        date.fromisoformat(found[1])
    except ValueError:
        return False
    return True


def _of_another_version(line: bytes) -> RecordedUnknown | RecordedEarlier | None:
    """Keep an event of a type from a later or an earlier version; anything else wrong with a line is none of it."""
    try:
        raw = _decode_raw(line)
        fields = {name: getattr(raw, name) for name in raw.__struct_fields__ if name != "event"}
        if (tag := _unknown_tag(raw.event)) is not None:
            return RecordedUnknown(**fields, type=tag, text=bytes(raw.event))
        value = _decode_any(raw.event)
        given = fact_of(value, KNOWN[value["type"]])
    except (ValueError, RecursionError):
        return None
    newest = upcast(given)
    # encoded again, as the newest types are: readers compare it with the line, and so notice another spelling
    return None if newest is given else RecordedEarlier(**fields, event=newest, text=encode(given))


def _unknown_tag(event: msgspec.Raw | bytes) -> str | None:
    """Return the type of an event, or of the fact that it carries, if this version does not know it."""
    tag = _decode_tag(event)
    kind = KNOWN.get(tag.type)
    if kind is None:
        return tag.type
    carried = getattr(tag, CARRYING[kind]) if kind in CARRYING else b""
    return _unknown_tag(carried) if bytes(carried) else None
