"""Partial amendments: the replacement is completed from the fact that it amends.

It is applied like a JSON merge patch (RFC 7386): objects are merged, everything else is replaced. A replacement that gives
its type is complete and left as it is.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from eventstore.errors import Malformed
from eventstore.events import Amended, EncounterOpened, Fact, Inserted, Struck, name_of
from eventstore.record import Draft, Recorded, RecordedUnknown, upcast
from eventstore.versions import KNOWN
from projections.replay.replay import Replay
from projections.stream.corrections import absolute


def is_partial(fact: Any) -> bool:
    """Return whether the JSON value of a fact is an amendment that gives only the fields that change."""
    kind = KNOWN.get(str(fact.get("type"))) if isinstance(fact, dict) else None
    if kind is None or name_of(kind) != "amended":
        return False
    replacement = fact.get("replacement")
    return isinstance(replacement, dict) and "type" not in replacement and isinstance(fact.get("event"), int)


def completed(
    fact: dict[str, Any], records: dict[int, Recorded], done: Replay, before: Sequence[Draft]
) -> dict[str, Any]:
    """Return the complete amendment; `before` are the drafts that precede it in the append. Raise Malformed."""
    named = fact["event"]
    if -named > len(before):
        raise Malformed("event", f"{named} reaches back beyond this append", "above 0 it names a seq")
    seq = named if named > 0 else done.records + len(before) + 1 + named
    amended = absolute(_amended(seq, records, done, before), seq)
    return fact | {"replacement": _merged(msgspec.to_builtins(amended), fact["replacement"])}


def _amended(seq: int, records: dict[int, Recorded], done: Replay, before: Sequence[Draft]) -> Fact:
    """Return the present fact of record `seq`; raise Malformed if there is none that can be amended."""
    place = seq - done.records - 1
    if not (0 < seq <= done.records or 0 <= place < len(before)):
        raise Malformed("event", f"there is no record {seq} before this one")
    if seq in done.corrections.amended:
        return done.corrections.amended[seq].fact
    event = upcast(before[place].event) if place >= 0 else _event(records[seq])
    if isinstance(event, Struck | EncounterOpened):
        raise Malformed("event", f"record {seq} cannot be amended", "a strike can be struck; the first record stays")
    return event.replacement if isinstance(event, Amended) else event.fact if isinstance(event, Inserted) else event


def _event(record: Recorded) -> Fact:
    if isinstance(record, RecordedUnknown) or record.event is None:
        hint = "its payload is not there; give the whole replacement, with its type"
        raise Malformed("event", f"record {record.seq} is withheld, or of an unknown type", hint)
    return record.event


def _merged(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    both = {name: (old[name], new[name]) for name in old.keys() & new.keys()}
    deep = {
        name: _merged(was, now) for name, (was, now) in both.items() if isinstance(was, dict) and isinstance(now, dict)
    }
    return old | new | deep
