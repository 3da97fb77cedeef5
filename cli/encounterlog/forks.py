"""Questions about records of any source, and forks: logs in memory, with the facts that are appended to them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from msgspec import Struct

from encounterlog.at import At
from encounterlog.log import arguments
from encounterlog.log.arguments import Event, Point
from encounterlog.log.logs import LogView
from eventstore.events import Struck
from eventstore.record import Draft, Recorded, upcast
from eventstore.wording import short_repr
from projections.explaining.fairness import Fairness, check_fairness
from projections.judging.audit import Audit, Finding, audit
from projections.language.notation.records import make_records
from projections.language.notation.table import Table
from projections.replay.replay import Replay, replay
from projections.views.steps import Change, steps

if TYPE_CHECKING:
    from encounterlog.ask.listing import First
    from encounterlog.exporters.stats import Counted
    from encounterlog.said import Said
    from projections.explaining.blame import Blame
    from projections.explaining.forks import Differences
    from projections.explaining.may import Choices
    from projections.explaining.why import Answer


class Step(Struct, frozen=True):
    """A record of the corrected stream, and the values that it changed."""

    record: Recorded
    changes: tuple[Change, ...]

    def __repr__(self) -> str:
        return short_repr(self, f"{self.record.seq}: {', '.join(f'{one.address} {one.after}' for one in self.changes)}")


class Readable:
    """Records of any source, and every question about them.

    It holds nothing open; a `with` only says how long it is used.
    """

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def __iter__(self) -> Iterator[Recorded]:
        raise NotImplementedError

    def state(self, at: Point = None) -> At:
        """Return the derived values at a point, with all later corrections; raise Malformed if there is no such point."""
        return At(self._replayed(at).state)

    def audit(self, at: Point = None) -> Audit:
        """Return the findings; breaches are data, and a log that cannot be read whole has its `problem`."""
        return _audit_records(self, at)

    def may(self, who: str | None = None, at: Point = None) -> "Choices":
        """Return a combatant's choices, with the clauses that bar the rest; without a name those of each combatant who has
        the turn or is due.

        Raises Malformed for a name that no combatant has, or several.
        """
        if who is not None:
            arguments.check_type("who", who, str, "a name")
        found: Choices = self._answer("may", who=who or "", where=arguments.parse_point(at)).data
        return found

    def why(self, question: str, at: Point = None) -> "Said[tuple[Answer, ...]]":
        """Return the reason of a value (`ada.hp`), of `ada before bo`, `ada cannot act` or `finding 3`.

        The answers are `data`, and `str()` has them in words. Raises Malformed for a question without an answer.
        """
        found = self._answer("why", question=question, where=arguments.parse_point(at))
        return found.with_data(found.data.answers)

    def blame(self, address: str, at: Point = None) -> "Said[Blame]":
        """Return every fact that touched a value, with the value before and after; raise Malformed if there never was one."""
        return self._answer("blame", address=address, where=arguments.parse_point(at))

    def first(self, expression: str, at: Point = None) -> "Said[First]":
        """Return the first record after which an expression held (`ada.hp <= 0`); raise Malformed for anything else."""
        return self._answer("first", expression=expression, where=arguments.parse_point(at))

    def stats(self, rounds: str | None = None) -> "Said[Counted]":
        """Return who dealt, took and healed how much in each round, or in those wanted (`2`, `2-3`); raise Malformed."""
        return self._answer("stats", number=rounds)

    def whatif(
        self,
        *,
        strike: int | Sequence[int] = (),
        amend: Mapping[int, Mapping[str, Any]] | None = None,
        insert: Mapping[int, Event] | None = None,
        options: Mapping[str, str] | None = None,
        at: Point = None,
    ) -> "Said[Differences]":
        """Return the differences without some records, with other fields in some, with a fact after one, or with other
        readings.

        Nothing is written. `amend` and `insert` have the numbers of records as keys. Raises Malformed for facts that a
        log would refuse.
        """
        from encounterlog import said

        records = list(self)
        corrections: list[Event] = [Struck(event=seq) for seq in ((strike,) if isinstance(strike, int) else strike)]
        corrections += [arguments.make_amendment(records, seq, fields, None) for seq, fields in (amend or {}).items()]
        corrections += [arguments.make_insertion(seq, fact, None) for seq, fact in (insert or {}).items()]
        return said.whatif(records, corrections, options, at)

    def dice(self) -> Fairness:
        """Return the origin of the dice, the numbers of proven, bound and typed ones, and the faults of a chain."""
        return check_fairness(self)

    def would(self, facts: Event | Sequence[Event] | str) -> tuple[Finding, ...]:
        """Return the findings that facts, or a line of the language, would raise if they came next; nothing is written.

        Raises Malformed and NotUnderstood as `append` and `tell` do.
        """
        fork = Fork(self)
        before = len(fork)
        fork.tell(facts) if isinstance(facts, str) else fork.append(facts)
        return findings_since(fork, before)

    def replay(self, at: Point = None) -> Iterator[Step]:
        """Yield each fact of the corrected stream with the values that it changed."""
        records = {record.seq: record for record in self}
        found: list[Step] = []
        steps(
            list(records.values()),
            arguments.parse_point(at),
            lambda step, _state: found.append(Step(records[step.fact.seq], step.changes)),
        )
        yield from found

    def _answer(self, name: str, /, **fields: Any) -> "Said[Any]":
        from encounterlog.said import answer

        return answer(name, self, **fields)

    def _replayed(self, at: Point = None) -> Replay:
        return replay(list(self), arguments.parse_point(at))


class Fork(Readable):
    """A log in memory, with the facts that are appended to it; the log that it was forked from does not change."""

    def __init__(self, source: Iterable[Recorded]) -> None:
        self._records = list(source)

    def __iter__(self) -> Iterator[Recorded]:
        return iter(self._records)

    def __len__(self) -> int:
        return len(self._records)

    def __repr__(self) -> str:
        return f"<Fork of {len(self)} records>"

    def append(self, facts: Event | Sequence[Event]) -> None:
        """Append facts to the fork; raise Malformed as a log does."""
        drafts = arguments.make_drafts(facts)
        self.check(drafts)
        self._add_records(draft.event for draft in drafts)

    def check(self, drafts: tuple[Draft, ...]) -> None:
        """Raise Malformed for the first fact that cannot be recorded next."""
        arguments.check_facts(self._replayed(), drafts)

    def tell(self, line: str) -> None:
        """Append the facts of a line of the language; raise NotUnderstood."""
        self._add_records(arguments.parsed_line(Table(self), line).facts)

    def _add_records(self, facts: Iterable[Any]) -> None:
        self._records += make_records(map(upcast, facts), len(self._records) + 1)

    def strike(self, seq: int, reason: str | None = None) -> None:
        """Take a record out of the corrected stream."""
        self.append(Struck(event=seq, reason=reason))


def findings_since(records: Iterable[Recorded], seq: int) -> tuple[Finding, ...]:
    """Return the findings at the records after that one."""
    found = _audit_records(records)
    return tuple(each for each in found.findings if found.shown_by.get(each.id, each.event) > seq)


def _audit_records(records: Iterable[Recorded], at: Point = None) -> Audit:
    return audit(LogView("the log", source=records), arguments.parse_point(at))
