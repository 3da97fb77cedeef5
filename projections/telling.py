"""The corrected telling: what the records say once strikes, amendments and insertions are applied. Nothing is erased."""

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct, structs

from eventstore.events import Amended, Correction, Event, Fact, Inserted, Struck
from eventstore.form import REFERENCE_FIELDS
from eventstore.record import Recorded
from projections.state import Told

CORRECTIONS = (Struck, Amended, Inserted)
_REFERENCES: dict[type[Fact], tuple[str, ...]] = {
    kind: tuple(name for name in kind.__struct_fields__ if name in REFERENCE_FIELDS) for kind in Event.__args__
}


class Corrections(Struct, gc=False):
    """Collects what the corrections of a log come to: what is struck, amended (by which record), and put in later."""

    struck: dict[int, int] = {}
    amended: dict[int, tuple[int, Fact]] = {}
    inserted: dict[int, list[tuple[int, Fact]]] = {}
    strays: dict[int, str] = {}

    def __bool__(self) -> bool:
        return bool(self.struck or self.amended or self.inserted or self.strays)


def absolute(event: Fact, seq: int) -> Fact:
    """Return the event with references that count back from `seq` made absolute."""
    back = {}
    for name in _REFERENCES[type(event)]:
        reference = getattr(event, name)
        if reference is not None and reference < 0:
            back[name] = seq + reference
    return structs.replace(event, **back) if back else event


def corrections_of(records: Iterable[Recorded]) -> Corrections:
    """Read all corrections; a struck correction does not count, nor one that points nowhere (a stray)."""
    made = [(r.seq, absolute(r.event, r.seq)) for r in records if isinstance(r.event, CORRECTIONS)]
    standing = _standing({seq: event for seq, event in made if isinstance(event, Correction)})
    result = Corrections()
    for seq, event in made:
        if seq not in standing:
            continue
        target = event.after if isinstance(event, Inserted) else event.event  # type: ignore[attr-defined]
        if not 1 <= target < seq or (target == 1 and not isinstance(event, Inserted)):
            result.strays[seq] = f"record {target} cannot be meant here"
        else:
            _apply(result, seq, event, target, standing)
    return result


def _standing(corrections: dict[int, Correction]) -> dict[int, Correction]:
    """Return the corrections that no later standing strike takes back."""
    gone: set[int] = set()
    for seq in sorted(corrections, reverse=True):
        event = corrections[seq]
        if seq not in gone and isinstance(event, Struck) and event.event < seq:
            gone.add(event.event)
    return {seq: event for seq, event in corrections.items() if seq not in gone}


def _apply(result: Corrections, seq: int, event: Fact, target: int, standing: dict[int, Correction]) -> None:
    match event:
        case Struck():
            if target not in standing or isinstance(standing[target], Struck):
                result.struck[target] = seq
        case Amended():
            meant = standing.get(target)
            place = meant.event if isinstance(meant, Amended) else target
            result.amended[place] = (seq, event.replacement)
        case Inserted():
            result.inserted.setdefault(target, []).append((seq, event.fact))


def tell(records: Iterable[Recorded], corrections: Corrections) -> Iterator[tuple[Told[Any], bool]]:
    """Yield the facts of the telling in order, each with whether it is struck; corrections themselves are left out."""
    for record in records:
        event = record.event
        if event is None or not isinstance(event, CORRECTIONS):
            yield from _one(record, event, corrections)
        if corrections.inserted:
            yield from _put_in(record, corrections)


def _one(record: Recorded, event: Fact | None, corrections: Corrections) -> Iterator[tuple[Told[Any], bool]]:
    seq = line = record.seq
    if seq in corrections.amended:
        line, event = corrections.amended[seq]
    if event is not None:
        told = Told(seq, line, absolute(event, seq), at=record.at, by=record.by, secret=record.secret)
        yield told, seq in corrections.struck


def _put_in(record: Recorded, corrections: Corrections) -> Iterator[tuple[Told[Any], bool]]:
    for seq, fact in corrections.inserted.get(record.seq, ()):
        line, event = corrections.amended.get(seq, (seq, fact))
        yield Told(seq, line, absolute(event, seq), at=record.at, by=record.by), seq in corrections.struck
