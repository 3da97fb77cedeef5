"""Forks: a log with further corrections or other options, in memory; and the differences between two streams."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter

from msgspec import Struct, structs

from eventstore.events import Amended, Event, Fact, Inserted, Struck
from eventstore.record import Recorded
from eventstore.wording import short_repr
from projections.address import NOTHING
from projections.explaining.past import Cited, readable_records
from projections.explaining.tree import plain_value_at
from projections.fight import TimelineRow
from projections.folds.addresses import all_addresses, derive_value, plain_value
from projections.folds.order import names_in_order, round_rows
from projections.judging.audit import Finding, audit
from projections.occurrence import Occurrence
from projections.open_types import Json
from projections.replay.replay import replay
from projections.state import State
from projections.stream.variants import with_option
from projections.time import Where
from projections.views.view import When, when

BLANK = "0" * 64


class Fork(Struct, frozen=True):
    """The changes of a fork: facts added at the end of the log, mostly corrections, and options of its opening."""

    corrections: tuple[Event, ...] = ()
    options: dict[str, str] = {}

    def first_change(self, records: Iterable[Recorded]) -> int:
        """Return the first record whose content or place a fork changes."""
        if self.options:
            return 1
        made = {each.seq: target for each in records if (target := _corrected_record(each.event, each.seq))}
        first = [_corrected_record(each, 0) for each in self.corrections]
        return max(1, min((_original_fact(seq, made) for seq in first), default=1))


def _corrected_record(event: object, seq: int) -> int:
    """Return the record that a correction corrects or follows; 0 for any other fact."""
    if not isinstance(event, Struck | Amended | Inserted):
        return 0
    target = event.after if isinstance(event, Inserted) else event.event
    return seq + target if target < 0 else target


def _original_fact(seq: int, made: dict[int, int]) -> int:
    """Return the fact that a record corrects, directly or through other corrections; itself if it is no correction."""
    while made.get(seq, seq) < seq:
        seq = made[seq]
    return seq


class Differs(Struct, frozen=True):
    """A value that differs between two streams, and the first record from which it does (null: unknown)."""

    address: str
    before: Json
    after: Json
    since: int | None


class RowContent(Struct, frozen=True):
    """The content of a timeline's row: round, combatant, slot, act, status, moments."""

    round: int
    combatant: str
    phase: str | None
    segment: int | None
    second: int | None
    action: str | None
    name: str | None
    cost: str | None
    status: str
    due: When | None
    until: When | None
    event: int | None


class RowDiffers(Struct, frozen=True):
    """A row that differs between two streams; null where one of them has no such row."""

    round: int
    combatant: str
    before: RowContent | None
    after: RowContent | None


class Differences(Struct, frozen=True):
    """The differences of a second stream from a first.

    `since` is the first record after which a watched value differs. `rows` are those in the timelines of the rounds that both
    have. `gone` and `new` are findings of only the first or only the second; `senseless` are facts, still recorded,
    that have no effect in the second, or whose cause is struck there, with the reason.
    """

    since: int | None
    values: tuple[Differs, ...]
    rows: tuple[RowDiffers, ...]
    gone: tuple[Finding, ...]
    new: tuple[Finding, ...]
    senseless: tuple["Senseless", ...]

    def __repr__(self) -> str:
        values = ", ".join(f"{one.address} {one.before} -> {one.after}" for one in self.values)
        findings = f"{len(self.gone)} findings gone, {len(self.new)} new"
        return short_repr(self, f"{findings}; {values or 'no value is different'}")

    @property
    def none(self) -> bool:
        """Whether there are no differences."""
        return not (self.values or self.rows or self.gone or self.new or self.senseless)


class Senseless(Struct, frozen=True):
    """A fact that no longer makes sense, with the reason."""

    fact: Cited
    why: str


def fork_records(records: Iterable[Recorded], fork: Fork) -> list[Recorded]:
    """Return the records of a fork: the same log, opened with its options, with its corrections at the end."""
    for name, value in fork.options.items():
        records = with_option(records, name, value)
    made = list(records)
    last = made[-1]
    for seq, event in enumerate(fork.corrections, last.seq + 1):
        made.append(Recorded(seq=seq, at=last.at, by="whatif", digest=BLANK, event=event, salt="0" * 32, hash=BLANK))
    return made


class Timelines:
    """The timelines of all rounds that are over after a record, each as it was then: `keep_before_round` is called before each fact."""

    def __init__(self, start: int = 1) -> None:
        self.start = start
        self.rounds: dict[int, tuple[TimelineRow, ...]] = {}

    def keep_before_round(self, state: State, fact: Occurrence[Fact]) -> None:
        """Keep the timeline of the round that is over when a fact opens another."""
        if state.place_of(fact.seq) >= (self.start,) and state.rules.schedule.opens_round(state, fact):
            self.keep_present(state)

    def keep_present(self, state: State) -> None:
        """Keep the timeline of the present round."""
        self.rounds[state.clock.point.round] = round_rows(state)


class Account:
    """An account of a fight: a corrected stream with its findings, its final values, and the timelines of its rounds."""

    def __init__(self, records: Iterable[Recorded], until: Where | None = None, start: int = 1) -> None:
        """Replay and audit; timelines are kept from a record on. Raise Malformed if there is no such point."""
        self.records, self.until = readable_records(records), until
        self.timelines = Timelines(start)
        self.audit = audit(self.records, until, before=self.timelines.keep_before_round)
        self.state = self.audit.replay.state
        self.timelines.keep_present(self.state)
        read = {address: derive_value(self.state, address) for address in all_addresses(self.state)}
        self.values = {address: plain_value(each.value) for address, each in read.items() if each}

    def value_histories(self, wanted: Iterable[str], start: int) -> dict[str, list[tuple[int, object]]]:
        """Return the changes of these values from a record on: each with its record and the new value.

        Pools keep their changes; for other values the log is replayed.
        """
        pools = ((address, _pool_history(self.state, address, start)) for address in wanted)
        kept = {address: history for address, history in pools if history is not None}
        found: dict[str, list[tuple[int, object]]] = {address: [] for address in wanted if address not in kept}
        if found:
            self._follow_values(found, start)
        return kept | found

    def _follow_values(self, found: dict[str, list[tuple[int, object]]], start: int) -> None:
        def begin(state: State, fact: Occurrence[Fact]) -> None:
            if state.place_of(fact.seq) >= state.place_of(start):
                for address, history in found.items():
                    if not history:
                        history.append((start, _plain_value(state, address)))

        def observe_fact(state: State, fact: Occurrence[Fact]) -> None:
            for address, history in found.items():
                if history and history[-1][1] != (value := _plain_value(state, address)):
                    history.append((fact.seq, value))

        replay(self.records, self.until, before=begin, after=observe_fact)


def _pool_history(state: State, address: str, start: int) -> list[tuple[int, object]] | None:
    """Return the changes of a pool from a record on, beginning with its value before; None for any other value."""
    who, _, name = address.partition(".")
    if who not in state.combatants or name not in state.combatants[who].pools or address in state.ruled:
        return None
    history: list[tuple[int, Json]] = [(start, None)]
    for each in state.combatants[who].pools[name].changes:
        left = NOTHING if each.left is None else each.left
        if state.place_of(each.seq) < state.place_of(start):
            history = [(start, left)]
        elif left != history[-1][1]:
            history.append((each.seq, left))
    return history


def _plain_value(state: State, address: str) -> object:
    return names_in_order(state) if address == "order" else plain_value_at(state, address)


def find_differences(one: Account, other: Account, start: int = 1) -> Differences:
    """Return the differences of the second account from the first; before record `start` they are the same."""
    every = dict.fromkeys((*one.values, *other.values))
    apart = [address for address in every if one.values.get(address) != other.values.get(address)]
    mine, yours = ((each.value_histories(apart, start) if apart else {}) for each in (one, other))
    since = {address: _first_divergence(mine[address], yours[address]) for address in apart}
    known = [seq for seq in since.values() if seq is not None]
    return Differences(
        since=min(known, key=other.state.place_of, default=None),
        values=tuple(Differs(each, one.values.get(each), other.values.get(each), since[each]) for each in apart),
        rows=differing_rows(one.timelines, other.timelines),
        gone=_findings_of_one(one, other),
        new=_findings_of_one(other, one),
        senseless=tuple(_facts_without_effect(one, other)),
    )


def _first_divergence(mine: list[tuple[int, object]], yours: list[tuple[int, object]]) -> int | None:
    """Return the record at which two histories of a value diverge; None if they do not.

    Both begin with the value before the start.
    """
    for place in range(max(len(mine), len(yours))):
        one, other = mine[place : place + 1], yours[place : place + 1]
        if [each[1] for each in one] != [each[1] for each in other] or (place and one != other):
            return min(each[place][0] for each in (mine, yours) if len(each) > place)
    return None


def _findings_of_one(one: Account, other: Account) -> tuple[Finding, ...]:
    there = {_finding_key(each) for each in other.audit.findings}
    return tuple(each for each in one.audit.findings if _finding_key(each) not in there)


def _finding_key(one: Finding) -> tuple[object, ...]:
    return one.rule, one.event, one.says, one.ruled is None


def _facts_without_effect(one: Account, other: Account) -> Iterable[Senseless]:
    """Yield the facts that have no effect, or whose cause is struck, in the second stream alone."""
    before = {fact.seq for fact, _, _ in one.state.refused} | {fact.seq for fact in one.state.orphans}
    refused = ((fact, why) for fact, _, why in other.state.refused)
    orphans = ((fact, f"its cause, record {fact.cause}, is struck") for fact in other.state.orphans)
    return (Senseless(Cited.of(fact), why) for fact, why in (*refused, *orphans) if fact.seq not in before)


# ---------------------------------------------------------------- rows of timelines


def _row_content(entry: TimelineRow) -> RowContent:
    point, act = entry.point, (entry.action, entry.name, entry.cost, entry.status)
    place = point.round, entry.combatant, entry.phase, point.segment or None, point.second or None
    return RowContent(*place, *act, when(entry.due), when(entry.until), next(iter(entry.events), None))


SHOWN = attrgetter("point", "combatant", "phase", "action", "name", "cost", "status", "due", "until", "events")
"""The fields from which a row is made; entries that agree in them have equal rows."""


def differing_rows(mine: Timelines, yours: Timelines) -> tuple[RowDiffers, ...]:
    """Return the rows in which two timelines differ, in the rounds that both have."""
    found: list[RowDiffers] = []
    for number in sorted(mine.rounds.keys() & yours.rounds.keys()):
        entries = mine.rounds[number], yours.rounds[number]
        if [*map(SHOWN, entries[0])] != [*map(SHOWN, entries[1])]:
            pairs = _pair_rows(*([_row_content(each) for each in some] for some in entries))
            found += (each for each in pairs if _without_event(each.before) != _without_event(each.after))
    # work that runs through other rounds differs in their timelines, too
    said = {row for each in found if each.before and each.after for row in (each.before, each.after)}
    alone = {each for each in found if not (each.before and each.after)}
    others = dict.fromkeys(each for each in found if each not in alone or (each.before or each.after) not in said)
    return tuple(others)


def _without_event(row: RowContent | None) -> RowContent | None:
    return row and structs.replace(row, event=None)


KEYS: tuple[Callable[[RowContent], tuple[object, ...]], ...] = (
    lambda row: (row.round, row.combatant, row.event, row.action, row.name),
    lambda row: (row.round, row.combatant, row.event or object()),
    lambda row: (row.round, row.combatant, row.action, row.name),
    lambda row: (row.round, row.combatant),
)
"""The keys by which rows of two timelines are paired; the first that finds a partner counts."""


def _pair_rows(mine: list[RowContent], yours: list[RowContent]) -> Iterator[RowDiffers]:
    """Yield the rows of two timelines in pairs, those without a partner alone."""
    for key in KEYS:
        waiting: dict[tuple[object, ...], list[RowContent]] = defaultdict(list)
        for row in yours:
            waiting[key(row)].append(row)
        alone = []
        for row in mine:
            if there := waiting.get(key(row)):
                yield RowDiffers(row.round, row.combatant, row, there.pop(0))
            else:
                alone.append(row)
        mine, yours = alone, [row for rows in waiting.values() for row in rows]
    yield from (RowDiffers(row.round, row.combatant, row, None) for row in mine)
    yield from (RowDiffers(row.round, row.combatant, None, row) for row in yours)
