"""What the tests of forgotten share with others."""

from typing import Any

from eventstore.events import CombatantJoined, EncounterClosed, Fact
from eventstore.form import REFERENCE_FIELDS
from eventstore.record import Recorded
from projections.folds.addresses import all_addresses, value_of
from projections.folds.order import names_in_order, round_rows
from projections.judging.audit import audit
from projections.stream.corrections import corrected_facts, corrections_of


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


def come_to(records: list[Recorded]) -> tuple[Any, ...]:
    """Return what a log comes to, with the numbers of its records left out: findings, order, timeline and values."""
    done = audit(records)
    state = done.replay.state
    told = {fact.seq: place for place, (fact, _) in enumerate(corrected_facts(records, corrections_of(records)))}
    findings = sorted(
        (told[one.event], one.rule, one.severity, one.expected, one.found, one.ruled is not None)
        for one in done.findings
    )
    rows = [
        (row.point, row.combatant, row.action, row.name, row.status, row.due, row.until) for row in round_rows(state)
    ]
    values = {address: one.value for address in all_addresses(state) if (one := value_of(state, address)) is not None}
    return findings, names_in_order(state), rows, {placed(address, told): value for address, value in values.items()}


def placed(address: str, told: dict[int, int]) -> str:
    """Return an address with the place of the record that it begins with, if it begins with one."""
    seq, dot, rest = address.partition(".")
    return f"{told[int(seq)]}{dot}{rest}" if seq.isdigit() else address
