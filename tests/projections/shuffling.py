"""The tables of a ruleset with the order left to chance where it has no meaning, and what a log comes to with them."""

import random
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import pytest
from msgspec import structs

from encounterlog_rulelab.reasons import Reader, every_address
from eventstore.record import Recorded
from projections.judging import audit
from projections.judging.audit import Auditor
from projections.replay.replay import COMMON, replay
from projections.ruleset.phases import PLACES
from projections.ruleset.ruleset import Checks, Ruleset, checks_table
from projections.state import State

SHORT, EACH = 25, 7
"""The values of a log of at most so many records are read after each fact; of a longer one after each so many, and at the end."""


class Outcome(NamedTuple):
    """What a log comes to: the values with their reasons, and the findings, in no order."""

    values: list[tuple[Any, ...]]
    findings: list[str]


def outcome(records: list[Recorded]) -> Outcome:
    """Return what a log comes to."""
    auditor, values = Auditor(), list[tuple[Any, ...]]()

    def observe_fact(state: State, fact: Any) -> None:
        if len(records) <= SHORT or fact.seq % EACH == 0 or fact.seq == len(records):
            values.extend((fact.seq, *row) for row in _read(state))

    done = replay(records, before=auditor.observe_fact, after=observe_fact)
    found = auditor.make_audit(records, done).findings
    return Outcome(values, sorted(repr(structs.astuple(structs.replace(one, id=0))) for one in found))


def _read(state: State) -> Iterator[tuple[Any, ...]]:
    reader = Reader(state)
    for address in every_address(state):
        if (found := reader.read(address)) is not None:
            reason = found[1].flat()
            yield address, repr(found[0]), reason.rules, reason.events, tuple(reason.options.items())


def shuffle(patch: pytest.MonkeyPatch, rules: Ruleset, seed: int) -> None:
    """Leave to chance in which order steps of one phase, and checks of one rank, of a ruleset are called; and those of every log."""
    by = random.Random(seed)
    for table in (COMMON, rules.steps, rules.boundaries):
        steps: dict[Any, Any] = table
        for kind, those in steps.items():
            patch.setitem(steps, kind, tuple(sorted(_shuffled(by, those), key=lambda step: PLACES[step.phase])))
    for checks in (audit.COMMON, rules.checks, rules.late):
        for kind, table_of_kind in _shuffled_checks(by, checks).items():
            patch.setitem(checks, kind, table_of_kind)


def _shuffled_checks(by: random.Random, checks: Checks) -> Checks:
    every = {id(each): each for series in checks.values() for one in series for each in one.checks}
    return {kind: series for kind, series in checks_table(_shuffled(by, every.values())).items() if kind in checks}


def _shuffled(by: random.Random, those: Iterable[Any]) -> list[Any]:
    return by.sample(found := list(those), len(found))
