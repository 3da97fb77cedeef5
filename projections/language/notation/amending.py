"""A note that becomes facts, at its place: amend 17 into Ana hits orc 1 for 5."""

from collections.abc import Callable, Iterator, Sequence

from eventstore.events import Amended, Fact, Inserted, Noted, Struck
from projections.language.notation.line_context import ClockFact, Gap
from projections.language.notation.parsing import Parsed
from projections.language.notation.tokens import NotUnderstood
from projections.stream.corrections import referring

LAST = "note"
"""The word for the last note, in place of a number."""


def put_into(words: str, present: Sequence[Fact | None], read_before: Callable[[int, str], Parsed]) -> Iterator[Fact]:
    """Yield the corrections by which a note becomes the facts of a line. `present` are the present facts of the records, and
    `read_before` reads a line as before a record. Raises Gap where there is no such note, and NotUnderstood as the line does.
    """
    which, _, line = words.partition(" ")
    notes = [seq for seq, fact in enumerate(present, 1) if isinstance(fact, Noted) and fact.event is None]
    seq = int(which) if which.isdecimal() else notes[-1] if which == LAST and notes else 0
    if seq not in notes:
        raise Gap(
            f"record {which} is no note" if which != LAST else "there is no note", "such as: amend last note into b -5"
        )
    try:
        parsed = read_before(seq, line)
    except NotUnderstood as error:
        offers = tuple(f"amend {seq} into {each}" for each in error.offers if not each.startswith("note "))
        raise NotUnderstood(1, error.why, "" if offers else error.hint, offers) from None
    if not parsed.facts or parsed.corrects:
        raise Gap("a note becomes something that happened", "such as: amend last note into b -5")
    first, *further = parsed.facts
    yield Amended(event=seq, replacement=first)  # type: ignore[arg-type]  # no correction, as was checked
    for place, fact in enumerate(further, 1):
        yield Inserted(after=seq, fact=referring(fact, lambda at, place=place: seq if at == -place else at))  # type: ignore[arg-type,misc]
    yield from (Struck(event=each) for each in _begun_twice(parsed, present, seq))


def _begun_twice(parsed: Parsed, present: Sequence[Fact | None], seq: int) -> Iterator[int]:
    """Yield the records of moves of the clock that the line makes already, if they are the next ones."""
    later = [(at, fact) for at, fact in enumerate(present, 1) if at > seq and isinstance(fact, ClockFact)]
    for made, (at, fact) in zip(parsed.facts[: parsed.moved], later, strict=False):
        if made != fact:
            return
        yield at
