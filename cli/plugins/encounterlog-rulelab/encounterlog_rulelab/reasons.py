"""Reasons of the engine held against the laws: a log that can be replayed without some of its facts, or with other options; the known breaks; and the outcome."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple, cast

from encounterlog_rulelab.laws import TO_DO, UNDECIDED, Break, Finding, Key, Moment, StreamPlace, Value, Values, Wanted
from eventstore.events import EncounterOpened, Fact, InitiativeRolled, RoundStarted, Struck, TurnStarted, name_of
from eventstore.record import Recorded
from projections.because import Because
from projections.explaining.forks import Fork, fork_records
from projections.fight import Slot
from projections.folds.addresses import all_addresses, derive_value
from projections.folds.order import order_of, round_rows
from projections.judging.audit import audit
from projections.occurrence import Occurrence
from projections.open_types import Json
from projections.proving.plays import Play
from projections.proving.proof import records_of
from projections.proving.rulebook import plays
from projections.replay.replay import empty_state, replay
from projections.ruleset.ruleset import Ruleset
from projections.state import State
from projections.stream.placing import point_reached


class EngineLog:
    """A log replayed by the engine; see `laws.Log`."""

    clock = frozenset({"round", "segment", "phase", "turn", "second", "minute", "seconds"})

    def __init__(self, records: list[Recorded]) -> None:
        self.records = records
        opening = cast("EncounterOpened", records[0].event)
        rules = empty_state(opening).rules
        counting: tuple[type[Fact], ...] = (RoundStarted, *(rules.schedule.rounds_from or ()))
        if TurnStarted in counting:
            counting += (InitiativeRolled,)  # it decides with whose turn a round opens
        self.counts_time = frozenset(name_of(kind) for kind in counting)
        self.facts, self.causes, self.whole = dict[int, str](), dict[int, int](), dict[int, StreamPlace]()
        known: dict[str, None] = {}

        def observe_fact(state: State, fact: Occurrence[Fact]) -> None:
            known.update(dict.fromkeys(every_address(state)))
            read = Reader(state).read
            values = {address: value_and_reason(*value) for address in known if (value := read(address)) is not None}
            self.facts[fact.seq], self.causes[fact.seq] = name_of(type(fact.event)), fact.cause
            self.whole[fact.seq] = StreamPlace(moment_of_fact(state, fact), values)

        with options_asked_for() as asked:
            replay(records, after=observe_fact)
        now = {one.name: opening.options.get(one.name) or one.values[0] for one in rules.catalogue().option}
        self.options = {
            one.name: tuple(value for value in one.values if value != now[one.name])
            for one in rules.catalogue().option
            if one.name in asked
        }

    def replayed(self, struck: Collection[int], wanted: Wanted) -> Values:
        """Replay the log without these facts."""
        return replay_values(strike_records(self.records, struck), wanted)

    def replayed_with(self, option: str, value: str, wanted: Wanted) -> Values:
        """Replay the log with another value of an option."""
        return replay_values(fork_records(self.records, Fork(options={option: value})), wanted)

    def findings(self, struck: Collection[int]) -> dict[Key, Finding]:
        """Return what the audit finds in the log without these facts."""
        found: dict[Key, Finding] = {}
        for one in audit(strike_records(self.records, struck)).findings:
            before = found.get((one.rule, one.event), Finding((), (), frozenset()))
            says = (*before.says, (one.severity, one.expected, one.found))
            found[one.rule, one.event] = Finding(
                (*before.expected, one.expected), says, before.events | set(one.because)
            )
        return found


@contextmanager
def options_asked_for() -> Iterator[set[str]]:
    """Collect the options that are asked for in this block; no other option changes the values of the log."""
    asked, option = set[str](), State.option

    def noted(self: State, name: str) -> str:
        asked.add(name)
        return option(self, name)

    State.option = noted  # type: ignore[method-assign]
    try:
        yield asked
    finally:
        State.option = option  # type: ignore[method-assign]


def moment_of_fact(state: State, fact: Occurrence[Fact]) -> Moment:
    """Return the point that a fact belongs to, and the combatant whose turn it is."""
    return point_reached(state, fact), state.clock.turn


def replay_values(records: list[Recorded], wanted: Wanted) -> Values:
    """Return the values at the wanted addresses, at each wanted place whose moment is the same."""
    found: Values = {}

    def observe_fact(state: State, fact: Occurrence[Fact]) -> None:
        want = wanted.get(fact.seq)
        if want is not None and want[0] == moment_of_fact(state, fact):
            read = Reader(state).read
            values = ((address, read(address)) for address in want[1])
            found[fact.seq] = {address: value[0] for address, value in values if value is not None}

    replay(records, after=observe_fact)
    return found


def strike_records(records: list[Recorded], struck: Collection[int]) -> list[Recorded]:
    """Return the records, followed by strikes of these."""
    return fork_records(records, Fork(tuple(Struck(event=seq) for seq in sorted(struck))))


# ---------------------------------------------------------------- addresses


def value_and_reason(value: object, because: Because) -> Value:
    """Return a value with its reason in the form that the laws take."""
    closure = because.flat()
    return Value(
        value,
        closure=frozenset(closure.events),
        cited=frozenset(because.own().events),
        options=frozenset(closure.options),
    )


class Reader:
    """A reader of one state: addresses, and the rows and places of `show` that have a reason of their own."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._shown: dict[str, tuple[object, Because]] | None = None

    def read(self, address: str) -> tuple[Json, Because] | None:
        """Return the value at an address with its reason, None where there is none."""
        if "~" in address:
            if self._shown is None:
                self._shown = shown_values(self.state)
            return self._shown.get(address)
        found = derive_value(self.state, address)
        return None if found is None else (found.value, found.because)


def shown_values(state: State) -> dict[str, tuple[Json, Because]]:
    """Return the values that `show` has of the order and the timeline: places as `ana~place`, rows as `ana~row.7` by
    their first event.

    A row without events is `ana~row.r2` by its round.
    """
    found = {f"{who}~place": (_placed(slot, who), slot.because) for slot in order_of(state) for who in slot.combatants}
    for entry in round_rows(state):
        row = entry.events[0] if entry.events else f"r{entry.point.round}"
        value = (
            entry.status,
            str(entry.point),
            entry.due and str(entry.due),
            entry.until and str(entry.until),
            entry.cost,
        )
        found.setdefault(f"{entry.combatant}~row.{row}", (value, entry.because))
    return found


def _placed(slot: Slot, who: str) -> object:
    """Return the place of a combatant without the number of the round, which is the clock's, and without what a part of it
    says of others who share it by name.
    """
    own = {part: value.get(who) if isinstance(value, dict) else value for part, value in slot.key.items()}
    return (
        slot.segment,
        slot.phase,
        {part: value for part, value in own.items() if part != "round" and value is not None},
    )


def every_address(state: State) -> Iterator[str]:
    """Yield the addresses of a state, including those that `show` prints; an option itself depends on the opening alone."""
    yield from (address for address in all_addresses(state) if not address.startswith("options."))
    yield from shown_values(state)


class Subject(NamedTuple):
    """A log with the name that a break of it is printed with."""

    name: str
    records: list[Recorded]


def encounters(scripts: Iterable[Play]) -> Iterator[Subject]:
    """Yield the logs of plays that are whole encounters."""
    for play in scripts:
        yield Subject(f"{play.source}:{play.line}", records_of(play))


def rulebook(ruleset: Ruleset) -> Iterator[Subject]:
    """Yield the logs of a rulebook's plays."""
    for play in plays(ruleset):
        yield Subject(f"{ruleset.key}/rulebook/{play.source}:{play.line}", records_of(play))


def line_of(name: str, one: Break) -> str:
    """Return a break as a line: law, log, place, address, value, fact, and what was expected."""
    fact = f"option {one.fact}" if one.kind.startswith("option ") else f"event {one.fact} ({one.kind})"
    return f"{one.law} {name}, at {one.place}: {one.address} is {one.value!r}: {fact} {one.expected}"


def counted(ruleset: str, counts: Counter[str]) -> str:
    """Return how much there was to judge, and how much could not be."""
    return (
        f"{ruleset}: of {counts['pairs']} places {counts['not comparable']} not comparable, "
        f"{counts['addresses in one only']} addresses in one variant only; "
        f"of {counts['citations']} citations {counts['undecided']} undecided"
    )


class Open(NamedTuple):
    """A group of citations that are undecided: how many, why, and what to do so that they are decided."""

    citations: int
    why: str
    do: str


def left_open(counts: Counter[str]) -> Iterator[Open]:
    """Yield the groups of citations that are undecided, the largest first: these are no breaks."""
    for name, number in counts.most_common():
        if name.startswith(UNDECIDED):
            why = name.removeprefix(UNDECIDED)
            yield Open(number, why, TO_DO[why])
