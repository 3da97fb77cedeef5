"""Corrections that refer to the log: undo, which takes back the last line, or the last correction if that came after it; redo, which takes back
the last undo; the last line with another number or target; a note that becomes facts.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, structs

from eventstore import events
from eventstore.events import Fact
from eventstore.record import Recorded
from projections.language.notation import names
from projections.language.notation.line_context import ClockFact, Gap
from projections.language.notation.parsing import Parsed
from projections.language.notation.tokens import NotUnderstood
from projections.open_types import Fields, Json
from projections.state import State
from projections.stream.corrections import absolute, map_references, strikes_of

# ---------------------------------------------------------------- undo and redo


Line = tuple[int, int]
"""The first and the last record of a line."""


def undo_last(
    records: Sequence[Recorded],
    lines: Sequence[Line],
    struck_by: Mapping[int, int],
    in_place_of: Callable[[int], int],
    reason: str | None = None,
) -> list[events.Struck]:
    """Return strikes of all records of the last line that still stands, or of the last correction that came after it; raise Gap if there is neither.

    `struck_by` has the strike of each struck record; `in_place_of` returns the record that replaces one, 0 without one.
    """
    standing, last = _last_line(lines, in_place_of)
    standing = _last_correction(records, lines, struck_by, last) or standing
    if not standing:
        raise Gap("there is nothing to take back", "only lines since the combatants joined")
    return [events.Struck(event=seq, reason=reason) for seq in reversed(standing)]


def _last_line(lines: Sequence[Line], in_place_of: Callable[[int], int]) -> tuple[list[int], int]:
    """Return the records of the last line that still stands, or their replacements, and the last record of the line; an
    empty list and 0 without one.
    """
    for first, last in reversed(lines):
        if standing := [seq for each in range(first, last + 1) if (seq := in_place_of(each))]:
            return standing, last
    return [], 0


def _last_correction(
    records: Sequence[Recorded], lines: Sequence[Line], struck_by: Mapping[int, int], after: int
) -> list[int]:
    """Return the records of the last correction after a record that still stand; an undo or a redo is none."""
    made = {each.seq: absolute(each.event, each.seq) for each in records if isinstance(each.event, events.Correction)}
    gone = strikes_of(made)
    for batch in appends_backwards(records):
        if batch[0].seq <= after:
            return []
        standing = [each.seq for each in batch if each.seq in made and each.seq not in gone]
        if len(standing) == len(batch) and not _is_undo(
            [made[seq] for seq in standing], standing[0], records, lines, struck_by
        ):
            return standing
    return []


def _is_undo(
    facts: Sequence[Fact], at: int, records: Sequence[Recorded], lines: Sequence[Line], struck_by: Mapping[int, int]
) -> bool:
    """Say whether an append, from this record on, is an undo or a redo: only strikes, of corrections or of all the
    standing records of the last line.
    """
    struck = {fact.event for fact in facts if isinstance(fact, events.Struck)}
    if not all(isinstance(fact, events.Struck) for fact in facts):
        return False
    if any(isinstance(records[seq - 1].event, events.Correction) for seq in struck):
        return True
    stood = [line for line in lines if line[1] < at and not _was_struck(line, struck_by, at)]
    return bool(stood) and _was_struck(stood[-1], dict(struck_by) | dict.fromkeys(struck, 1), at)


def _was_struck(line: Line, struck_by: Mapping[int, int], before: int) -> bool:
    return all(0 < struck_by.get(seq, 0) < before for seq in range(line[0], line[1] + 1))


def redo_last(records: Sequence[Recorded]) -> list[Fact]:
    """Return strikes of the last undo that still holds; raise Gap if there is none, or something else was recorded since.

    An undo is an append of nothing but strikes. Strikes that strike such strikes are a redo, which takes its undo with
    it.
    """
    taken: set[int] = set()
    for batch in appends_backwards(records):
        strikes = [absolute(each.event, each.seq) for each in batch if isinstance(each.event, events.Struck)]
        if len(strikes) < len(batch):
            break
        struck = {each.event for each in strikes if isinstance(each, events.Struck)}
        if all(isinstance(records[seq - 1].event, events.Struck) for seq in struck):
            taken |= struck
        elif taken.isdisjoint(each.seq for each in batch):
            return [events.Struck(event=each.seq) for each in reversed(batch)]
    raise Gap("there is nothing to redo", "redo takes back the last undo, as long as nothing else was recorded since")


def appends_backwards(records: Sequence[Recorded]) -> list[list[Recorded]]:
    """Return the appends of a log, the last one first."""
    found: list[list[Recorded]] = []
    for record in records:
        if record.batch and record.batch[0] > 1 and found:
            found[-1].append(record)
        else:
            found.append([record])
    return found[::-1]


# ---------------------------------------------------------------- the last line


FIELDS = ("amount", "total", "die", "check")
"""The fields with the number that a line is about: points, a roll."""
AGAIN = "u takes the last line back, whole; then type it as it was"


class Number(Struct, frozen=True):
    """A number of the last line: the record, its present fact, the field, and the number in it."""

    seq: int
    fact: Any
    field: str
    value: int


def correct_last(state: State, last: Sequence[tuple[int, Fact]], words: str) -> list[events.Amended]:
    """Return the amendments that correct the last line by a number or a target: 5, 5 not 6 or orc-2 not orc-1. Raises
    as `renumbered` and `retargeted` do.
    """
    parts = [each.strip() for each in words.split(" not ")]
    said = (names.combatants(state, each) for each in parts if not each.isdecimal())  # 3 is no orc-3 here
    match [each[0] for each in said if len(each) == 1]:
        case [new, old]:
            return retarget_last(last, new, old)
    return [renumber_last(last, words)]


def retarget_last(last: Sequence[tuple[int, Fact]], new: str, old: str) -> list[events.Amended]:
    """Return the amendments that give all effects of the last line on one combatant to another, else its deeds by one to the other; raise Gap where it had neither."""
    found = [(seq, fact, other) for seq, fact in last if (other := _with_target(fact, new, old)) != fact]
    found = found or [(seq, fact, other) for seq, fact in last if (other := with_actor(fact, new, old)) != fact]
    if not found:
        raise Gap(f"the last line did nothing to {old}", AGAIN)
    if any(strikes_itself(other) for _, _, other in found):
        raise Gap(f"{new} did this, and would strike {new}", AGAIN)
    return [events.Amended(event=seq, replacement=other) for seq, _, other in found]


def strikes_itself(fact: object) -> bool:
    """Say whether a fact, as corrected, is a blow of a combatant at the same one."""
    return isinstance(fact, events.AttackRolled) and fact.combatant == fact.target


def _with_target(fact: Fact, new: str, old: str) -> Any:
    """Return a fact with one target instead of another."""
    changes = Fields({"target": new} if getattr(fact, "target", None) == old else {})
    if old in (targets := getattr(fact, "targets", ())):
        changes["targets"] = _replace_target(targets, new, old)
    action = getattr(fact, "action", None)
    if action is not None and old in action.targets:
        changes["action"] = structs.replace(action, targets=_replace_target(action.targets, new, old))
    return structs.replace(fact, **changes)


def with_actor(fact: Fact, new: str, old: str) -> Any:
    """Return a fact as done by one combatant instead of another, unless it befell that one: a blow and its roll, a move,
    a source; nobody joins in the place of another.
    """
    if isinstance(fact, events.CombatantJoined) or new in (
        getattr(fact, "target", None),
        *getattr(getattr(fact, "action", None), "targets", ()),
    ):
        return fact
    fields = ("combatant", "source") if not isinstance(fact, events.SaveRolled) else ("source",)
    return structs.replace(fact, **Fields({name: new for name in fields if getattr(fact, name, None) == old}))


def _replace_target(targets: tuple[str, ...], new: str, old: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(new if each == old else each for each in targets))


def renumber_last(last: Sequence[tuple[int, Fact]], words: str) -> events.Amended:
    """Return the amendment of the last line by a number, or one number instead of another: 5, 5 not 6; `last` are its present facts.

    Raises Gap where that number is not there, or may change more, and NotUnderstood where several may be meant, with
    lines for each.
    """
    new, _, old = words.partition(" not ")
    if not new.isdecimal() or (old and not old.isdecimal()):
        raise Gap("this does not say which number it was", "such as: that was 5 not 6")
    numbers = [each for each in _numbers_of_line(last) if not old or each.value == int(old)]
    if not numbers:
        raise Gap(f"the last line has no {old or 'number'}", AGAIN)
    if len(numbers) > 1:
        values = dict.fromkeys(each.value for each in numbers)
        offers = tuple(f"that was {new} not {value}" for value in values) if len(values) == len(numbers) else ()
        raise NotUnderstood(1, "the last line has several such numbers", "" if offers else AGAIN, offers)
    return events.Amended(event=numbers[0].seq, replacement=_with_number(numbers[0], int(new)))


def _numbers_of_line(last: Sequence[tuple[int, Fact]]) -> Iterator[Number]:
    for seq, fact in last:
        for field in FIELDS:
            value = getattr(fact, field, None)
            if isinstance(value, int):
                yield Number(seq, fact, field, value)


def _with_number(number: Number, new: int) -> Json:
    """Return the fact with another number; raise Gap where that may change the outcome of a roll, or the parts of an amount."""
    fact, changes = number.fact, Fields({number.field: new})
    if number.field != "amount" and not _comes_to_the_same(number, new):
        raise Gap(f"the total of {new} is missing", AGAIN)
    if parts := getattr(fact, "parts", ()) if number.field == "amount" else ():
        if len(parts) > 1 or parts[0].amount != number.value:
            raise Gap("the amount is a sum of parts", AGAIN)
        changes["parts"] = (structs.replace(parts[0], amount=new),)
    return structs.replace(fact, **changes)


def _comes_to_the_same(number: Number, new: int) -> bool:
    """Say whether the recorded outcome of a roll still holds with another number: a higher one succeeds where a lower one did."""
    hit: bool | None = getattr(number.fact, "hit", None)
    outcome: bool | None = getattr(number.fact, "succeeded", None) if hit is None else hit
    if outcome is None:
        return True
    if not isinstance(number.fact, events.AttackRolled | events.SaveRolled):
        return False
    met = number.fact.ac if isinstance(number.fact, events.AttackRolled) else number.fact.dc
    if number.field == "total" and met is not None:
        return (new >= met) is outcome
    return new > number.value if outcome else new < number.value


# ---------------------------------------------------------------- notes


LAST = "note"
"""The word for the last note, in place of a number."""


def put_into(words: str, present: Sequence[Fact | None], read_before: Callable[[int, str], Parsed]) -> Iterator[Fact]:
    """Yield the corrections by which a note becomes the facts of a line. `present` are the present facts of the records, and
    `read_before` reads a line as before a record. Raises Gap where there is no such note, and NotUnderstood as the line does.
    """
    which, _, line = words.partition(" ")
    notes = [seq for seq, fact in enumerate(present, 1) if isinstance(fact, events.Noted) and fact.event is None]
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
    yield events.Amended(event=seq, replacement=first)  # type: ignore[arg-type]  # no correction, as was checked
    for place, fact in enumerate(further, 1):
        yield events.Inserted(after=seq, fact=map_references(fact, lambda at, place=place: seq if at == -place else at))  # type: ignore[arg-type,misc]
    yield from (events.Struck(event=each) for each in _begun_twice(parsed, present, seq))


def _begun_twice(parsed: Parsed, present: Sequence[Fact | None], seq: int) -> Iterator[int]:
    """Yield the records of moves of the clock that the line makes already, if they are the next ones."""
    later = [(at, fact) for at, fact in enumerate(present, 1) if at > seq and isinstance(fact, ClockFact)]
    for made, (at, fact) in zip(parsed.facts[: parsed.moved], later, strict=False):
        if made != fact:
            return
        yield at
