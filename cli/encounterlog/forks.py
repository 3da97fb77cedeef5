"""Questions about records of any source, with their answers: values with their reasons, and words; and forks, which are logs in memory,
with the facts that are appended to them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from msgspec import Struct

from encounterlog.ask import Answer, Kind, question_named
from encounterlog.log import arguments
from encounterlog.log.arguments import Event, Facts, Point
from encounterlog.log.logs import LogView
from eventstore.events import Struck
from eventstore.record import Draft, Recorded, upcast
from eventstore.wording import short_repr
from projections.because import Explained
from projections.explaining.fairness import Fairness, check_fairness
from projections.explaining.forks import Fork as Changes
from projections.folds.addresses import all_addresses, derive_value, no_value, value_of
from projections.judging.audit import Audit, Finding, audit
from projections.language.notation.records import make_records
from projections.language.notation.table import Table
from projections.replay.replay import replay
from projections.state import State
from projections.views.steps import Change, steps
from projections.views.view import Show, show

if TYPE_CHECKING:
    from encounterlog.ask.listing import First
    from encounterlog.exporters.stats import Counted
    from projections.explaining.blame import Blame
    from projections.explaining.forks import Differences
    from projections.explaining.may import Choices
    from projections.explaining.why import Answer as Reasoned

Data = TypeVar("Data")


class Order(list[list[str]]):
    """The order of the round: a list of slots, each with the combatants who act at once."""

    def __str__(self) -> str:
        return " > ".join(" & ".join(slot) for slot in self)


class Person:
    """A combatant at one point: every field of `show --json` and of the ruleset, each with its value and the reason."""

    def __init__(self, state: State, who: str) -> None:
        self._state, self.id = state, who

    def __repr__(self) -> str:
        return f"<{self.id}: {self.hp.value} hp, {self.status.value}>"

    @property
    def name(self) -> str:
        """The display name."""
        return self._state.combatants[self.id].name

    @property
    def side(self) -> str:
        """The side."""
        return self._state.combatants[self.id].side

    def __getattr__(self, field: str) -> Explained:
        if field.startswith("_"):
            raise AttributeError(field)
        try:
            return self[field.replace("_", "-")] if "_" in field and field not in ("hp_max",) else self[field]
        except KeyError as error:
            raise AttributeError(error.args[0], name=field) from None  # with a name, Python adds no guess of its own

    def __getitem__(self, field: str) -> Explained:
        return _derived_value(self._state, f"{self.id}.{field}")

    def __dir__(self) -> list[str]:
        own = [each.partition(".")[2] for each in all_addresses(self._state) if each.startswith(f"{self.id}.")]
        typed = (each.replace("-", "_") for each in own)
        return ["id", "name", "side", *(each for each in typed if each.isidentifier())]


class At:
    """The derived values of a log at one point. Two are equal if all their values are."""

    def __init__(self, state: State) -> None:
        self._state = state
        self.combatants: dict[str, Person] = {who: Person(state, who) for who in state.combatants}

    def __repr__(self) -> str:
        return short_repr(self, f"{self._state.title}, round {self._state.clock.round}: {self.order}")

    def __eq__(self, other: object) -> bool:
        return self.values() == other.values() if isinstance(other, At) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # it is compared by its values, as a dict is

    def __getitem__(self, address: str) -> Explained:
        """Return a value with its reason, such as `order` or `ada.hp`; raise KeyError with a hint."""
        return _derived_value(self._state, address)

    def addresses(self) -> list[str]:
        """Return the addresses of all values."""
        return list(all_addresses(self._state))

    def values(self) -> dict[str, Any]:
        """Return all values by their addresses, without reasons."""
        found = ((address, derive_value(self._state, address)) for address in self.addresses())
        return {address: value.value for address, value in found if value is not None}

    @property
    def order(self) -> Order:
        """The order of the round."""
        return Order(self["order"].value)

    @property
    def view(self) -> Show:
        """The whole view, as `show --json` prints it."""
        return show(self._state)


def _derived_value(state: State, address: str) -> Explained:
    found = value_of(state, address)
    if found is None:
        raise KeyError(no_value(state, address))
    return found


class Said(Generic[Data]):
    """An answer: `data`, and its words by `str()`, as the command of the same name prints them; they are made on demand."""

    def __init__(self, data: Data, lines: Callable[[], Iterable[str]]) -> None:
        self.data, self._lines = data, cache(lambda: "\n".join(lines()))

    def __str__(self) -> str:
        return self._lines()

    def __repr__(self) -> str:
        return short_repr(self, " ".join(str(self).split()))


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

    def __exit__(self, *_: object) -> None:
        return None

    def __iter__(self) -> Iterator[Recorded]:
        raise NotImplementedError

    def state(self, at: Point = None) -> At:
        """Return the derived values at a point, with all later corrections; raise Malformed if there is no such point."""
        return At(replay(list(self), arguments.parse_point(at)).state)

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
        found: Choices = answer("may", self, who=who or "", where=arguments.parse_point(at)).data
        return found

    def why(self, question: str, at: Point = None) -> "Said[tuple[Reasoned, ...]]":
        """Return the reason of a value (`ada.hp`), of `ada before bo`, `ada cannot act` or `finding 3`.

        The answers are `data`, and `str()` has them in words. Raises Malformed for a question without an answer.
        """
        found = answer("why", self, question=question, where=arguments.parse_point(at))
        return Said(found.data.answers, lambda: (str(found),))

    def blame(self, address: str, at: Point = None) -> "Said[Blame]":
        """Return every fact that touched a value, with the value before and after; raise Malformed if there never was one."""
        return answer("blame", self, address=address, where=arguments.parse_point(at))

    def first(self, expression: str, at: Point = None) -> "Said[First]":
        """Return the first record after which an expression held (`ada.hp <= 0`); raise Malformed for anything else."""
        return answer("first", self, expression=expression, where=arguments.parse_point(at))

    def stats(self, rounds: str | None = None) -> "Said[Counted]":
        """Return who dealt, took and healed how much in each round, or in those wanted (`2`, `2-3`); raise Malformed."""
        arguments.check_type("rounds", rounds, str | None, "text, such as 2 or 2-3")
        return answer("stats", self, number=rounds)

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
        from encounterlog.ask.compare import fork_differences  # only for this

        records = list(self)
        corrections: list[Event] = [Struck(event=seq) for seq in ((strike,) if isinstance(strike, int) else strike)]
        corrections += [arguments.make_amendment(records, seq, fields, None) for seq, fields in (amend or {}).items()]
        corrections += [arguments.make_insertion(seq, fact, None) for seq, fact in (insert or {}).items()]
        drafts, done = arguments.make_drafts(corrections), replay(records)
        arguments.check_facts(done, drafts)
        read = arguments.check_options(done.state.rules, options)
        changes = Changes(tuple(upcast(each.event) for each in drafts), read)
        return _make_said(fork_differences(_view_of(records), changes, arguments.parse_point(at)))

    def dice(self) -> Fairness:
        """Return the origin of the dice, the numbers of proven, bound and typed ones, and the faults of a chain."""
        return check_fairness(self)

    def would(self, facts: Facts | str) -> tuple[Finding, ...]:
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

    def append(self, facts: Facts) -> None:
        """Append facts to the fork; raise Malformed as a log does."""
        drafts = arguments.make_drafts(facts)
        self.check(drafts)
        self._add_records(draft.event for draft in drafts)

    def check(self, drafts: tuple[Draft, ...]) -> None:
        """Raise Malformed for the first fact that cannot be recorded next."""
        arguments.check_facts(replay(self._records), drafts)

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
    return audit(_view_of(records), arguments.parse_point(at))


def answer(name: str, records: Iterable[Recorded], /, **fields: Any) -> Said[Any]:
    """Return the answer to a question about records; raise Malformed if its command would fail, and the errors of reading."""
    asked = question_named(name)
    for each in asked.arguments:
        if each.needed and each.kind in (Kind.TEXT, Kind.WORDS):
            arguments.check_type(each.field, fields[each.field], str, "text", each.says)
    with arguments.raise_as_malformed(asked.arguments[0].field):
        return _make_said(asked.ask(_view_of(list(records)), **fields))


def _make_said(found: Answer) -> Said[Any]:
    return Said(found.data(), found.lines)


def _view_of(records: Iterable[Recorded]) -> LogView:
    return LogView("the log", source=records)
