"""Server-sent events: records as they are streamed, with an id at the end of each append, and other messages."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import msgspec

from eventstore.chain import Anchor
from eventstore.record import Recorded, ends_batch, written
from projections.stream.audience import for_players

BEAT = b"event: beat\ndata: {}\n\n"
"""The sign of life while there is no news: an event, since a browser does not pass comments on to its page."""
BEGIN = b"retry: 1000\n" + BEAT
"""The first event: it also says how long a browser waits before it connects again, in milliseconds."""


def of_records(whole: Sequence[Recorded], after: int, *, secrets: bool) -> Iterator[bytes]:
    """Return the records after one as events; for players those that a later ruling revealed come first, as `revealed`.

    `whole` are all records up to the last one: what players see of them depends on all that came before.
    """
    if secrets:
        return _events(whole[after:])
    shown = tuple(for_players(whole))
    return chain(_revealed(whole[:after], shown), _events(shown[after:]))


def pieces(events: Iterable[bytes], most: int) -> Iterator[bytes]:
    """Yield events joined to pieces of at most so many bytes, each made when it is asked for."""
    held = bytearray()
    for event in events:
        held += event
        while len(held) >= most:
            yield bytes(held[:most])
            del held[:most]
    if held:
        yield bytes(held)


def reset(why: str, *, restart: bool) -> bytes:
    """Return the event that tells a client to stop; `restart` lets its browser begin from the start."""
    return b"event: reset\n%bdata: %b\n\n" % (b"id\n" if restart else b"", msgspec.json.encode({"why": why}))


def reconnect() -> bytes:
    """Return the event that asks a client to connect again, from where it is."""
    return b'event: reconnect\nretry: 200\ndata: {"why":"the service is about to stop"}\n\n'


def revoked() -> bytes:
    """Return the event that ends the stream of a revoked token."""
    return b'event: revoked\ndata: {"why":"the token was revoked"}\n\n'


def word_wanted(number: int, dice: Sequence[str]) -> bytes:
    """Return the event that asks a player's page for a word: the number of the first roll, and the dice."""
    return b"event: word\ndata: %b\n\n" % msgspec.json.encode({"number": number, "dice": dice})


def proposals() -> bytes:
    """Return the event for a change of the waiting proposals, or for a decision."""
    return b"event: proposals\ndata: {}\n\n"


def _events(records: Sequence[Recorded]) -> Iterator[bytes]:
    for record in records:
        place = b"id: %b\n" % str(Anchor(record.seq, record.hash)).encode() if ends_batch(record) else b""
        yield b"%bdata: %b\n\n" % (place, written(record))


def _revealed(before: Sequence[Recorded], shown: Sequence[Recorded]) -> Iterator[bytes]:
    """Yield the records that were withheld before the last ones came, and no longer are."""
    if not any(record.secret for record in before):
        return
    for old, new in zip(for_players(before), shown, strict=False):
        if old.withheld and not new.withheld:
            yield b"event: revealed\ndata: %b\n\n" % written(new)
