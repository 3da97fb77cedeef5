"""A fact that was forgotten at first, and inserted later, comes to the same as if it had been told in its place."""

from typing import Any

import pytest
from msgspec import structs

from eventstore.events import Checked, CombatantJoined, Correction, EncounterClosed, Fact, Inserted
from eventstore.form import REFERENCE_FIELDS
from eventstore.record import Recorded
from projections.folds.addresses import addresses, value_of
from projections.folds.order import names_in_order, rows_of
from projections.judging.audit import audit
from projections.proving.proof import records_of
from projections.stream.corrections import absolute, corrected, corrections_of
from tests.projections.stage import Script, every_script, one_in

EACH, EACH_IN_SAMPLE = 8, 256
"""Of so many records of a play one is forgotten."""


@pytest.mark.in_turn(4)
@pytest.mark.full
@pytest.mark.sampled
@every_script()
def test_what_was_forgotten_and_inserted_comes_to_the_same_as_if_it_had_been_told_in_its_place(
    plays: Script, whole: bool
) -> None:
    for play in plays:
        records = [structs.replace(each, event=absolute(fact_of(each), each.seq)) for each in records_of(play)]
        if any(isinstance(each.event, Correction | Checked) for each in records):
            continue  # what was stated before a correction is judged more leniently than what was stated after it
        late = one_in(EACH if whole else EACH_IN_SAMPLE, forgettable(records), play.line)
        in_place = come_to(records) if late else ()
        for seq in late:
            assert come_to(forgotten(records, seq)) == in_place, f"{play.source}, line {play.line}, record {seq}"


def fact_of(record: Recorded) -> Any:
    assert isinstance(record.event, Fact)
    return record.event


def forgettable(records: list[Recorded]) -> list[int]:
    """Return the records that no other refers to, without those that open or close a log or let somebody join."""
    referred = {seq for each in records for seq in references(each).values()}
    kinds = (CombatantJoined, EncounterClosed)
    return [each.seq for each in records[1:-1] if each.seq not in referred and not isinstance(each.event, kinds)]


def references(record: Recorded) -> dict[str, int]:
    """Return the records that a fact refers to, by its fields."""
    found = {name: getattr(record.event, name) for name in REFERENCE_FIELDS & set(fact_of(record).__struct_fields__)}
    return {name: seq for name, seq in found.items() if isinstance(seq, int)}


def forgotten(records: list[Recorded], seq: int) -> list[Recorded]:
    """Return a log in which a record was forgotten at first, and inserted at the end."""
    rest = records[: seq - 1]
    for each in records[seq:]:
        moved = {name: to - (to > seq) for name, to in references(each).items()}
        rest.append(structs.replace(each, seq=each.seq - 1, event=structs.replace(fact_of(each), **moved)))
    late = Inserted(after=seq - 1, fact=fact_of(records[seq - 1]))
    return [*rest, structs.replace(records[-1], seq=len(records), event=late)]


def come_to(records: list[Recorded]) -> tuple[Any, ...]:
    """Return what a log comes to, with the numbers of its records left out: findings, order, timeline and values."""
    done = audit(records)
    state = done.replay.state
    told = {fact.seq: place for place, (fact, _) in enumerate(corrected(records, corrections_of(records)))}
    findings = sorted(
        (told[one.event], one.rule, one.severity, one.expected, one.found, one.ruled is not None)
        for one in done.findings
    )
    rows = [(row.point, row.combatant, row.action, row.name, row.status, row.due, row.until) for row in rows_of(state)]
    values = {address: one.value for address in addresses(state) if (one := value_of(state, address)) is not None}
    return findings, names_in_order(state), rows, {placed(address, told): value for address, value in values.items()}


def placed(address: str, told: dict[int, int]) -> str:
    """Return an address with the place of the record that it begins with, if it begins with one."""
    seq, dot, rest = address.partition(".")
    return f"{told[int(seq)]}{dot}{rest}" if seq.isdigit() else address
