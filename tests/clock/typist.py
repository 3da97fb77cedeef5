"""A lawful fight typed at a table without its clock facts, as somebody would who types the clock where a line refuses to move it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from eventstore.form import REFERENCE_FIELDS
from eventstore.record import Recorded
from projections.judging.audit import Finding, audit
from projections.language.notation import forms
from projections.language.notation.parsing import parse
from projections.language.notation.printing import MOST, line_of
from projections.language.notation.records import alone_standing
from projections.language.notation.table import Table
from projections.stream.corrections import absolute
from tests.clock.retyping import CLOCK, is_about

NUMBERED = re.compile(
    rf'(?P<before>(?:^|\s)\.?(?:{"|".join(sorted(REFERENCE_FIELDS))})=|"(?:{"|".join(sorted(REFERENCE_FIELDS))})":'
    r"|^(?:strike|amend|insert|reveal|rule waive) )(?P<seq>\d+)"
)
"""Where a line names a record."""


@dataclass
class Typist:
    """Somebody who types the facts of a record, line by line, at a table of their own, and leaves the clock to it.

    `seqs` are the numbers that the facts of the record have at that table; `refused` the lines that did not move the clock
    where the record does, and said why, and `late` those whose act the record has after its own place, as the line that
    shows where the clock went would tell: for both the clock is typed.
    """

    records: Sequence[Recorded]
    lines: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    seqs: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.told, self.table = Table(self.records[:1]), Table(self.records[:1])
        self.kind = CLOCK[forms.of(self.table.done.state.rules.rules).clock]
        self.passed: list[Recorded] = []
        self.named = {seq for each in self.records for seq in _named(each)}

    def type_all(self) -> None:
        """Type the whole record."""
        rest, waiting = list(self.records[1:]), list[Recorded]()
        while rest:
            if isinstance(rest[0].event, self.kind):
                waiting.append(rest[0])
                self.told.take([rest.pop(0)])
                continue
            line, count = self._line(rest)
            told, rest = rest[:count], rest[count:]
            waiting = self._type_unknown(waiting, told[0])
            self._type(line, waiting, told)
            self.told.take(told)
            waiting = []
        self._type_clock(waiting)

    def _line(self, rest: Sequence[Recorded]) -> tuple[str, int]:
        """Return the line for the first of these facts, where the record has the clock, and how many facts it means."""
        events: list[Any] = [each.event for each in rest[:MOST]]
        run = alone_standing(events, rest[0].seq - 1)
        until = next((place for place, each in enumerate(run) if isinstance(each, self.kind)), len(run))
        return line_of(self.told.context, run[:until], secret=rest[0].secret)

    def _type_unknown(self, waiting: list[Recorded], next_told: Recorded) -> list[Recorded]:
        """Type the clock facts that nobody could leave out, and return the rest."""
        last = next(
            (
                n
                for n in range(len(waiting), 0, -1)
                if waiting[n - 1].seq in self.named or not is_about(self.table, waiting[n - 1].event, next_told.event)
            ),
            0,
        )
        self._type_clock(waiting[:last])
        return waiting[last:]

    def _type(self, line: str, waiting: list[Recorded], told: Sequence[Recorded]) -> None:
        late = bool(parse(self.told.context, line.removeprefix("secret ")).stays)
        line = NUMBERED.sub(lambda found: f"{found['before']}{self.seqs[int(found['seq'])]}", line)
        parsed = parse(self.table.context, line.removeprefix("secret "))
        self.passed = [*self.passed, *waiting][-1:]
        owed = waiting or (self.passed if self._is_behind() else [])
        if owed and parsed.stays:
            self.refused.append(f"{line}: {parsed.stays}")
            self._type_clock(owed)
        elif late and waiting and parsed.facts[: parsed.moved][-1:] != (waiting[-1].event,):
            self.late.append(line)
            self._type_clock(waiting)
        self._hear(line, told)

    def _is_behind(self) -> bool:
        """Say whether the record has a later segment than the table, as somebody acted late there and in time here."""
        here, there = self.table.done.state.clock, self.told.done.state.clock
        return here.round == there.round and here.point.segment < there.point.segment

    def _type_clock(self, waiting: Sequence[Recorded]) -> None:
        for each in waiting:
            event: Any = each.event
            line, _ = line_of(self.table.context, [event])
            self._hear(line, [each])

    def _hear(self, line: str, told: Sequence[Recorded]) -> None:
        first = len(self.table.records) + 1
        parsed = self.table.hear(line)
        self.lines.append(line)
        self.seqs |= {each.seq: first + parsed.moved + place for place, each in enumerate(told)}


def _named(record: Recorded) -> set[int]:
    event: Any = record.event
    fact = absolute(event, record.seq)
    return {seq for name in REFERENCE_FIELDS if (seq := getattr(fact, name, None)) is not None}


def findings(typist: Typist) -> list[Finding]:
    """Return what is found in the log of a typist and was not in the record."""
    before = {(each.rule, typist.seqs.get(each.event)) for each in audit(typist.records).findings}
    return [each for each in audit(typist.table.records).findings if (each.rule, each.event) not in before]
