"""The corrected stream: the records with strikes, amendments and insertions applied. Nothing is erased.

A strike takes a record out; a strike that is itself struck takes nothing out any more, and so on to any depth. An
amendment replaces a fact; of several, the last that is not struck counts. An insertion comes after the record that it
names, or after the fact that this record inserts; several after the same record keep the order in which they were
written.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from msgspec import Struct, structs

from eventstore.events import EVENT_TYPES, Amended, Correction, Event, Fact, Inserted, Struck
from eventstore.form import REFERENCE_FIELDS
from eventstore.record import Recorded
from projections.occurrence import Occurrence

E = TypeVar("E", bound=Fact)

CORRECTIONS = frozenset({Struck, Amended, Inserted})
_REFERENCES: dict[type[Fact], tuple[str, ...]] = {
    kind: names
    for kind in EVENT_TYPES
    if (names := tuple(name for name in kind.__struct_fields__ if name in REFERENCE_FIELDS))
}


class Corrections(Struct, gc=False):
    """The combined result of all corrections of a log."""

    struck: dict[int, int] = {}
    """The strike that takes out each struck record."""
    amended: dict[int, Occurrence[Event]] = {}
    """The replacement of each amended record, as a fact of the amendment."""
    inserted: dict[int, list[Occurrence[Event]]] = {}
    """The facts inserted after each record."""
    strays: dict[int, str] = {}
    """Corrections of records that cannot be corrected, with the reason."""
    lapsed: dict[int, str] = {}
    """Corrections of corrections that were taken back, with the reason."""
    made: tuple[int, ...] = ()
    """All corrections of the log, including those that no longer count."""
    places: dict[int, tuple[int, ...]] = {}
    """The places of inserted facts in the corrected stream, comparable with (seq,) of the others."""


def absolute(event: E, seq: int) -> E:
    """Return the event with references that count back from `seq` made absolute."""
    for name in _REFERENCES.get(type(event), ()):
        reference = getattr(event, name)
        if reference is not None and reference < 0:
            event = structs.replace(event, **{name: seq + reference})
    return event


def stated_fact(event: Fact | None) -> Fact | None:
    """Return the fact that a correction states; any other event is one itself."""
    return event.replacement if isinstance(event, Amended) else event.fact if isinstance(event, Inserted) else event


def map_references(event: E, change: Callable[[int], int]) -> E:
    """Return the event with each of its references as the function changes it."""
    named = {name: getattr(event, name) for name in _REFERENCES.get(type(event), ())}
    changed = {name: new for name, old in named.items() if old is not None and (new := change(old)) != old}
    return structs.replace(event, **changed) if changed else event


def corrections_of(records: Iterable[Recorded]) -> Corrections:
    """Return the result of all corrections; one that is struck or that points nowhere (a stray) does not count."""
    made = {r.seq: r for r in records if type(r.event) in CORRECTIONS}
    events: dict[int, Correction] = {
        seq: absolute(record.event, seq) for seq, record in made.items() if isinstance(record.event, Correction)
    }
    gone = strikes_of(events)
    result, places = Corrections(made=tuple(events)), dict[int, int]()
    for seq, event in events.items():
        if seq in gone and not isinstance(event, Inserted):
            continue
        if astray := _why_stray(seq, event, events):
            result.strays[seq] = astray
            continue
        match event:
            case Struck(event=target):
                if not isinstance(events.get(target), Struck | Amended):
                    result.struck[target] = seq
            case Amended(event=target, replacement=fact):
                place = places.get(target) if isinstance(events.get(target), Amended) else target
                if place is None or place in result.strays:
                    result.lapsed[seq] = f"the correction {target} does not count, so this one of it does not, either"
                else:  # an amendment of an amendment replaces what that one amends
                    places[seq] = place
                    result.amended[place] = _fact_of_record(made[seq], fact)
            case Inserted(after=target, fact=fact):
                result.inserted.setdefault(target, []).append(_fact_of_record(made[seq], fact))
                result.places[seq] = (*result.places.get(target, (target,)), seq)
    return result


def _fact_of_record(record: Recorded, event: Event) -> Occurrence[Event]:
    by, secret, key = record.by, record.secret, record.key or ""
    append = append_start(record)
    return Occurrence(record.seq, record.seq, event, at=record.at, by=by, secret=secret, append=append, key=key)


def append_start(record: Recorded) -> int:
    """Return the first record of the append that a record came with."""
    return record.seq - record.batch[0] + 1 if record.batch else record.seq


def strikes_of(events: Mapping[int, Correction]) -> dict[int, int]:
    """Return the records that are taken out by strikes which are not struck themselves, each with the last such strike."""
    gone: dict[int, int] = {}
    for seq in sorted(events, reverse=True):
        event = events[seq]
        if seq not in gone and isinstance(event, Struck) and event.event < seq:
            gone.setdefault(event.event, seq)
    return gone


def _why_stray(seq: int, event: Correction, events: dict[int, Correction]) -> str:
    """Return why the target of a correction cannot be corrected; "" if it can."""
    target = event.after if isinstance(event, Inserted) else event.event
    if not 1 <= target < seq:
        return f"there is no record {target} before it"
    if target == 1 and not isinstance(event, Inserted):
        return "the first record cannot be corrected"
    if isinstance(event, Amended) and isinstance(events.get(target), Struck):
        return f"record {target} is a strike: it can be struck, not amended"
    return ""


def corrected_facts(records: Iterable[Recorded], corrections: Corrections) -> Iterator[tuple[Occurrence[Event], int]]:
    """Yield the facts of the corrected stream in order, each with the seq of the strike that takes it out, or 0.

    Corrections themselves and records without a readable payload are left out.
    """
    amended, struck, inserted = corrections.amended, corrections.struck, corrections.inserted
    for record in records:
        seq, event = record.seq, record.event
        if type(event) in CORRECTIONS:
            if type(event) is Inserted and seq not in corrections.strays:
                continue  # it is inserted elsewhere, with all that follows it
        elif (fact := amended[seq].event if seq in amended else event) is not None:
            made = _fact_of_record(record, absolute(fact, seq))
            yield (_with_amendment(made, amended) if seq in amended else made), struck.get(seq, 0)
        if seq in inserted:
            yield from _inserted_facts(seq, corrections)


def _inserted_facts(seq: int, corrections: Corrections) -> Iterator[tuple[Occurrence[Event], int]]:
    """Yield the facts inserted after a record, and after each of those."""
    waiting = list(reversed(corrections.inserted[seq]))
    while waiting:
        put = waiting.pop()
        yield _with_amendment(put, corrections.amended), corrections.struck.get(put.seq, 0)
        waiting += reversed(corrections.inserted.get(put.seq, ()))


def _with_amendment(fact: Occurrence[Event], amended: Mapping[int, Occurrence[Event]]) -> Occurrence[Event]:
    """Return a fact of the stream with absolute references, and with the content that an amendment gave it."""
    words = amended.get(fact.seq, fact)
    event, secret = absolute(words.event, fact.seq), fact.secret or words.secret
    same = words is fact and event is fact.event
    return fact if same else structs.replace(fact, line=words.seq, event=event, secret=secret)
