"""The way from drafts to lines, with all checks that come before anything is written."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NoReturn

import msgspec
from msgspec import Struct

from eventstore import form
from eventstore.chain import LogPosition, chain_line, encode_metadata
from eventstore.errors import Malformed, TooLarge
from eventstore.events import EncounterOpened
from eventstore.form import are_proper
from eventstore.reading import FORMAT
from eventstore.record import (
    Draft,
    Recorded,
    check_stamp,
    decode,
    encode,
    encode_lines,
    encode_record,
    event_text,
    newest,
)
from eventstore.store import LARGEST_APPEND, MOST_EVENTS
from eventstore.wording import visible

Entropy = Callable[[int], bytes]


class Lines(Struct, frozen=True):
    """A batch as it will be in the log, with its beginning and end."""

    data: bytes
    records: tuple[Recorded, ...]
    start: LogPosition
    end: LogPosition


def make_lines(drafts: Sequence[Draft], start: LogPosition, *, by: str, at: str, entropy: Entropy) -> Lines:
    """Make the lines of a batch that follows `start`; raise Malformed or TooLarge."""
    _check_envelopes(drafts, by, at)
    lines = _chain_drafts(drafts, start, by, at, entropy(16 * len(drafts)).hex())
    data = b"".join(lines)
    records = _decode_usual_lines(lines, data) or tuple(map(_decode_written, drafts, lines))
    if not start.seq:
        _check_opening(records, drafts)
    if len(data) > LARGEST_APPEND:
        raise TooLarge("bytes in one append", len(data), LARGEST_APPEND)
    return Lines(data, records, start, LogPosition(start.offset + len(data), records[-1].seq, records[-1].hash))


def _chain_drafts(drafts: Sequence[Draft], start: LogPosition, by: str, at: str, salts: str) -> list[bytes]:
    """Return the lines of drafts that follow `start`, before they are checked; raise Malformed."""
    size, seq, previous, common, lines = len(drafts), start.seq, start.hash, encode_metadata(at, by), list[bytes]()
    for place, draft in enumerate(drafts):
        seq += 1
        own = common if draft.at is None else encode_metadata(draft.at, by)
        batch = (place + 1, size) if size > 1 else None
        try:
            text = encode(draft.event)
            line = chain_line(draft, text, seq, own, batch, salts[32 * place : 32 * place + 32], previous)
        except (AttributeError, TypeError, ValueError, OverflowError, RecursionError) as error:
            _raise_malformed(draft, str(error))
        previous = line[-67:-3].decode()
        lines.append(line)
    return lines


def _check_envelopes(drafts: Sequence[Draft], by: str, at: str) -> None:
    if not drafts:
        raise Malformed("", "there is nothing to append")
    if len(drafts) > MOST_EVENTS:
        raise TooLarge("facts in one append", len(drafts), MOST_EVENTS)
    check_stamp(at)
    _check_word("by", by)
    if keys := [draft.key for draft in drafts if draft.key is not None]:
        for key in keys:
            _check_word("key", key)
        if len(keys) > len(set(keys)):
            raise Malformed("key", "stands twice in one append")
    for moment in [draft.at for draft in drafts if draft.at is not None]:
        check_stamp(moment)


def _check_word(name: str, text: object) -> None:
    if not isinstance(text, str):
        raise Malformed(name, f"is text, got {type(text).__name__}")
    if not form.is_normal(text):
        raise Malformed(name, "is not text in Unicode normal form C")
    if not 1 <= len(text) <= 120:
        raise Malformed(name, f"has {len(text)} characters, 1 to 120 are allowed")


def _decode_usual_lines(lines: Sequence[bytes], data: bytes) -> tuple[Recorded, ...]:
    """Return lines, all of them together as `data`, as records that are fully checked; nothing in any unusual case."""
    try:
        records = newest.decode_lines(data)
    except (ValueError, RecursionError):
        return ()
    if encode_lines(records) != data or not data.isascii() or max(map(len, lines)) > form.LONGEST_LINE:
        return ()
    events = [record.event for record in records]
    usual = all(event is not None and type(event) is not EncounterOpened and are_proper(event) for event in events)
    return tuple(records) if usual else ()


def _decode_written(draft: Draft, line: bytes) -> Recorded:
    """Return a draft's line as a record, since a line that cannot be read back must not be written. Raise Malformed, TooLarge."""
    try:
        record = decode(line)
    except (ValueError, RecursionError) as error:
        _raise_malformed(draft, str(error))
    if len(line) > form.LONGEST_LINE:
        raise TooLarge("bytes in one line", len(line), form.LONGEST_LINE)
    if encode_record(record) != line[:-1]:
        _raise_malformed(draft, "is not what its type says")
    if type(record.event) is EncounterOpened and record.seq > 1:
        raise Malformed("type", "encounter_opened stands first and only there", "encounter new opens another log")
    form.check_canonical(event_text(line), record.plain)
    return record


def _check_opening(records: Sequence[Recorded], drafts: Sequence[Draft]) -> None:
    event = records[0].event
    if not isinstance(event, EncounterOpened):
        raise Malformed("type", "the first fact of a log is encounter_opened")
    if event.format != FORMAT:
        raise Malformed("format", f"is {event.format}; this version writes format {FORMAT}")
    if drafts[0].secret:
        raise Malformed("secret", "the opening of an encounter cannot be secret")


def _raise_malformed(draft: Draft, reason: str) -> NoReturn:
    """Raise Malformed, with the field at fault if the form shows it."""
    with suppress(TypeError, ValueError, OverflowError, RecursionError):
        form.event_of(form.read_json(json.dumps(msgspec.to_builtins(draft.event))))
    raise Malformed("", f"a {type(draft.event).__name__} cannot be kept: {visible(reason)[:200]}")
