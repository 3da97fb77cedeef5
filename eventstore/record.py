"""One line of a log: the envelope, the event, and the hashes that bind it to the line before."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from eventstore.events import TAGS, Amended, EncounterClosed, Event, Fact, Inserted
from eventstore.malformed import Malformed
from eventstore.shapes import Count, Word
from eventstore.wording import short_repr


class EncounterClosed1(Fact, frozen=True, kw_only=True, tag="encounter_closed"):
    """The end of the fight, without a reason.

    {"type":"encounter_closed"}
    """


AnyEvent = Event | EncounterClosed1
"""An event in the version in which it was given, the newest or an earlier one."""

UPCASTERS: dict[type[Fact], Callable[[Any], Fact]] = {EncounterClosed1: lambda _: EncounterClosed()}
"""For each earlier version of a type, the function that converts a fact to the next version."""

EARLIER: dict[str, type[Fact]] = {str(kind.__struct_config__.tag): kind for kind in UPCASTERS}
KNOWN: dict[str, type[Fact]] = EARLIER | TAGS
"""Every version of every type by its tag."""

CARRYING: dict[type[Fact], str] = {Amended: "replacement", Inserted: "fact"}
"""The types that contain another fact, and the field that holds it."""

F = TypeVar("F", bound=Fact)

Hash = Annotated[str, Meta(min_length=64, max_length=64)]
Salt = Annotated[str, Meta(min_length=32, max_length=32)]
Stamp = Annotated[str, Meta(min_length=27, max_length=27)]
"""A moment of writing: RFC 3339, UTC, microseconds, as in 2026-11-20T19:04:05.123456Z."""


class Recorded(Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One record as it is in the log, its fields in the order of the line.

    `seq` counts from 1; `at` says when it was recorded and orders nothing; `batch` is its place among several events
    appended as one, and their number. `event` is None where the payload is withheld, and where its type is unknown (RecordedUnknown).
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

    def __repr__(self) -> str:
        return short_repr(self, f"{self.seq} by {self.by}: {'withheld' if self.withheld else self.event}")

    @property
    def withheld(self) -> bool:
        """Whether the payload was taken out and only its digest is left."""
        return self.salt is None

    @property
    def plain(self) -> Event | None:
        """The event, if the line has it in its newest version."""
        return self.event


class RecordedUnknown(Recorded, frozen=True, gc=False, kw_only=True):
    """A record whose event type this version does not know; its bytes are kept as they are.

    `type` is the unknown one: the event's own, or that of the fact in a correction.
    """

    type: str
    text: bytes
    plain = None


class RecordedEarlier(Recorded, frozen=True, gc=False, kw_only=True):
    """A record whose event, or the fact in it, was written in an earlier version of its type.

    `event` is in the newest version, `text` as it is in the log.
    """

    text: bytes
    plain = None


_WITH_TEXT = (RecordedUnknown, RecordedEarlier)


class Draft(Struct, frozen=True, gc=False):
    """An event to be appended, with the data for its envelope.

    An event in an earlier version of its type is written as it is.
    """

    event: AnyEvent
    secret: bool = False
    key: Word | None = None
    at: Stamp | None = None


class _Raw(Recorded, frozen=True, kw_only=True):
    event: msgspec.Raw  # type: ignore[assignment]
    salt: Salt


class _Tag(Struct, frozen=True):
    type: str
    replacement: msgspec.Raw = msgspec.Raw()
    fact: msgspec.Raw = msgspec.Raw()


_ENCODER = msgspec.json.Encoder()
encode = _ENCODER.encode
encode_into = _ENCODER.encode_into
"""Writes a value over the contents of a bytearray, which costs less than new bytes for each."""
encode_lines = _ENCODER.encode_lines
"""Returns several values as lines, each with its newline."""

newest = msgspec.json.Decoder(Recorded)
"""The decoder of records whose events are of the newest version of their types, or withheld; raises ValueError, RecursionError."""


def decode(line: bytes) -> Recorded:
    """Return a line (with or without its newline) as a record; raise ValueError if it is not one."""
    try:
        record = newest.decode(line)
    except msgspec.ValidationError:
        other = _decode_other_version(line)
        if other is None:
            raise
        return other
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if (record.event is None) is not (record.salt is None):
        raise ValueError("event and salt stand together or not at all")
    return record


def encode_record(record: Recorded) -> bytes:
    """Return the line of a record, without its newline, byte for byte as it is in the log."""
    if type(record) is Recorded or not isinstance(record, _WITH_TEXT):
        return encode(record)
    bare = {name: getattr(record, name) for name in Recorded.__struct_fields__ if name not in ("event", "salt")}
    head, hash_, tail = encode(Recorded(**bare)).rpartition(b',"hash":"')
    return b'%b,"event":%b,"salt":%b%b%b' % (head, record.text, encode(record.salt), hash_, tail)


def ends_batch(record: Recorded) -> bool:
    """Return whether a record is the last one of its batch, or was appended alone."""
    return record.batch is None or record.batch[0] == record.batch[1]


def batches(records: Iterable[Recorded]) -> Iterator[list[Recorded]]:
    """Yield the records of each append together."""
    batch: list[Recorded] = []
    for record in records:
        batch.append(record)
        if ends_batch(record):
            yield batch
            batch = []


def size_of_batch(record: Recorded) -> int:
    """Return how many records were appended together, including this one."""
    return record.batch[1] if record.batch else 1


def decode_whole(line: bytes) -> Recorded | None:
    """Return a line as a record; None if it is not one, or lacks its newline."""
    try:
        return decode(line) if line.startswith(b'{"seq":') and line.endswith(b"\n") else None
    except ValueError:
        return None


def event_text(line: bytes) -> bytes:
    """Return the bytes of the event in a line that has one."""
    return line[line.find(b',"event":') + 9 : line.rfind(b',"salt":"')]


def upcast(event: Fact, steps: Mapping[type[Fact], Callable[[Any], Fact]] = UPCASTERS) -> Event:
    """Return an event, and the fact in it, in the newest version; one that is in it already is returned unchanged."""
    while (step := steps.get(type(event))) is not None:
        event = step(event)
    if (field := CARRYING.get(type(event))) is not None:
        carried = getattr(event, field)
        newest = upcast(carried, steps)
        event = event if newest is carried else msgspec.structs.replace(event, **{field: newest})
    return event  # type: ignore[return-value]  # the last step leads to one of the union's members


def parse_fact(value: dict[str, Any], kind: type[F]) -> F:
    """Return a JSON value as a fact of this type, which may contain an earlier version; raise ValidationError."""
    field = CARRYING.get(kind, "")
    inside = earlier_version(value.get(field))
    if inside is None:
        return msgspec.convert(value, kind)
    carried = parse_fact(value[field], inside)
    fact = msgspec.convert(value | {field: msgspec.to_builtins(upcast(carried))}, kind)
    return msgspec.structs.replace(fact, **{field: carried})


def earlier_version(value: Any) -> type[Fact] | None:
    """Return the type of a JSON value that is a fact in an earlier version, None for every other value."""
    tag = value.get("type") if isinstance(value, dict) else None
    return EARLIER.get(tag) if isinstance(tag, str) else None


def check_stamp(at: str) -> None:
    """Check that a moment of writing has its form and is a day of the calendar; raise Malformed."""
    with suppress(ValueError):
        if datetime.fromisoformat(at[:26]).isoformat(timespec="microseconds") + "Z" == at:
            return
    hint = "RFC 3339, UTC, microseconds: 2026-11-20T19:04:05.123456Z"
    raise Malformed("at", f"{at[:40]!r} is not a timestamp", hint)


def _decode_other_version(line: bytes) -> RecordedUnknown | RecordedEarlier | None:
    """Return a record with an event of a later or an earlier version; None if anything else is wrong with the line."""
    try:
        raw = msgspec.json.decode(line, type=_Raw)
        fields = {name: getattr(raw, name) for name in raw.__struct_fields__ if name != "event"}
        if (tag := _unknown_tag(raw.event)) is not None:
            return RecordedUnknown(**fields, type=tag, text=bytes(raw.event))
        value = msgspec.json.decode(raw.event)
        given = parse_fact(value, KNOWN[value["type"]])
    except (ValueError, RecursionError):
        return None
    newest = upcast(given)
    # encoded again, as the newest types are: readers compare it with the line, and so notice another spelling
    return None if newest is given else RecordedEarlier(**fields, event=newest, text=encode(given))


def _unknown_tag(event: msgspec.Raw | bytes) -> str | None:
    """Return the type of an event, or of the fact in it, if this version does not know it."""
    tag = msgspec.json.decode(event, type=_Tag)
    kind = KNOWN.get(tag.type)
    if kind is None:
        return tag.type
    carried = getattr(tag, CARRYING[kind]) if kind in CARRYING else b""
    return _unknown_tag(carried) if bytes(carried) else None
