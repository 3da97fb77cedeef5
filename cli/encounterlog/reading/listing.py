"""Listings of a log, printed while it is read: `encounter log` and `encounter replay`."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from encounterlog.edge import output
from encounterlog.edge.failures import FINE, UNREADABLE, misspelt
from encounterlog.pages.log import Moment, Row, called, json_of, kind, line, named, record_row, row
from encounterlog.reading.logs import Log, explained, replayed, told_problem
from encounterlog.wording.layout import clip
from encounterlog.wording.phrases import value
from eventstore.events import TAGS
from eventstore.record import Recorded
from eventstore.versions import KNOWN
from projections.folds.replay import Replay, resumed
from projections.state import Occurrence, State
from projections.time import Where
from projections.views.steps import Change, Step
from projections.views.steps import steps as stepped

Show = Callable[[Row], None]


class Filter(Struct, frozen=True):
    """Says which lines of a listing are wanted; a type is meant in all its versions."""

    round: int | None = None
    actor: str | None = None
    type: str | None = None

    def wants(self, one: Row) -> bool:
        """Say whether a line is wanted."""
        return (
            self.round in (None, one.when.round)
            and (self.type is None or self.type.partition(".")[0] == kind(one))
            and (self.actor is None or self.actor in named(one.event))
        )


def log(log: Log, wanted: Filter, *, struck: bool, as_json: bool) -> int:
    """Print the telling, or with `struck` the file as it stands; return the exit code."""
    told(log, wanted, struck=struck, as_json=as_json)
    return UNREADABLE if told_problem(log.problem) else FINE


def told(log: Log, wanted: Filter, *, struck: bool, as_json: bool) -> "Telling":
    """Print the telling, or with `struck` the file as it stands, and return it, which can go on."""
    if wanted.type is not None and wanted.type not in KNOWN:
        raise misspelt("event type", wanted.type, TAGS, "encounter schema lists them")

    def show(one: Row) -> None:
        if wanted.wants(one):
            output.json_line(json_of(one)) if as_json else output.lines([line(one)])

    telling = (AsItStands if struck else Telling)(log, show, not as_json)
    _check_actor(wanted.actor, telling.done.state)
    return telling


def _check_actor(actor: str | None, state: State) -> None:
    known = {*state.combatants, *state.sides}
    if actor is not None and actor not in known:
        raise misspelt("combatant or side", actor, known, "encounter show lists who is there")


def steps(log: Log, where: Where | None, number: int | None, *, as_json: bool) -> int:
    """Print every step up to a point, or those of one round, with what each changed; return the exit code."""
    wanted = Filter(number)

    def show(one: Row, changes: tuple[Change, ...] = ()) -> None:
        if not wanted.wants(one):
            return
        if as_json:
            output.json_line(json_of(one) | {"changes": changes})
        else:
            output.lines([line(one), *map(_change, changes)])

    short = not as_json
    strays = _Strays(log, short)

    def see(step: Step, state: State) -> None:
        for one in strays.new(state):
            show(one)
        show(strays.after(row(state, step.fact, short=short)), step.changes)

    show(record_row(next(iter(log)), str, short=short))
    with explained(log, where):
        done = stepped(log, where, see)
    for one in strays.new(done.state):
        show(one)
    return UNREADABLE if told_problem(log.problem) else FINE


def _change(change: Change) -> str:
    return clip(f"{'':21}{change.address}: {value(change.before)} -> {value(change.after)}")


class Telling:
    """Shows facts as they take hold, and between them those that nobody can read or that take no hold."""

    def __init__(self, log: Log, show: Show, short: bool) -> None:
        self.show, self.short = show, short
        self._strays = _Strays(log, short)
        self.done = self._begin(log)

    def go_on(self, records: Sequence[Recorded]) -> None:
        """Show what came after, none of it a correction."""
        self._strays.know(records)
        self.done = resumed(self.done, records, after=self._look)
        self._show_strays(self.done.state)

    def _begin(self, log: Log) -> Replay:
        self.show(record_row(next(iter(log)), str, short=self.short))
        done = replayed(log, after=self._look)
        self._show_strays(done.state)
        return done

    def _look(self, state: State, told: Occurrence[Any]) -> None:
        self._show_strays(state)
        self.show(self._strays.after(row(state, told, short=self.short)))

    def _show_strays(self, state: State) -> None:
        for one in self._strays.new(state):
            self.show(one)


class AsItStands(Telling):
    """Shows every record in the order of the file, with what became of it."""

    def go_on(self, records: Sequence[Recorded]) -> None:
        """Show what came after, none of it a correction."""
        self.done = resumed(self.done, records, after=self._look)
        self._show_all(records, self.done)

    def _begin(self, log: Log) -> Replay:
        self._moments: dict[int, Moment] = {}
        done = replayed(log, after=self._look)
        self._moments |= {told.seq: Moment(told.point.round, told.point.segment) for told in done.state.struck}
        self._show_all(_up_to(log, done.records), done)
        return done

    def _look(self, state: State, told: Occurrence[Any]) -> None:
        self._moments[told.seq] = row(state, told).when

    def _show_all(self, records: Iterable[Recorded], done: Replay) -> None:
        became, with_names = fates(done), called(done.state, self.short)
        for record in records:
            note, when = became.get(record.seq, ""), self._moments.get(record.seq)
            self.show(record_row(record, with_names, note, when, short=self.short))
        self._moments.clear()


class _Strays:
    """Finds what stands beside the telling: records that cannot be read, and facts that take no hold."""

    def __init__(self, log: Log, short: bool) -> None:
        self.log, self.short = log, short
        self.unread = self.refused = 0
        self._records: dict[int, Recorded] = {}
        self._last = Moment(0)

    def after(self, one: Row) -> Row:
        """Take note of the line that is printed next."""
        self._last = one.when
        return one

    def know(self, records: Iterable[Recorded]) -> None:
        """Take note of records that came after."""
        self._records |= {record.seq: record for record in records if record.event is None}

    def new(self, state: State) -> Iterator[Row]:
        """Yield those that came up since the last time."""
        for seq in state.unread[self.unread :]:
            yield record_row(self._record(seq), str, when=self._last, short=self.short)
        for told, _, why in state.refused[self.refused :]:
            yield row(state, told, f"takes no hold: {why}", short=self.short)
        self.unread, self.refused = len(state.unread), len(state.refused)

    def _record(self, seq: int) -> Recorded:
        if not self._records:
            self._records = {record.seq: record for record in self.log if record.event is None}
        return self._records[seq]


def _up_to(log: Log, last: int) -> Iterator[Recorded]:
    for record in log:
        yield record
        if record.seq >= last:
            return


def fates(done: Replay) -> dict[int, str]:
    """Say what became of records: struck, amended, of no hold."""
    found = {seq: f"amended by {words.seq}" for seq, words in done.corrections.amended.items()}
    found |= {seq: f"struck by {by}" for seq, by in done.corrections.struck.items()}
    found |= {told.seq: f"takes no hold: {why}" for told, _, why in done.state.refused}
    return found | done.corrections.strays
