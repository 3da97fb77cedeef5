"""What happened, a fact on each line: all of it, with the values that each changed, or the first after which something held."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from encounterlog.ask.question import ACTOR, AT, ROUND, Answer, Argument, Kind, Question
from encounterlog.ask.rows import LogRow, Moment, Names, concerned, json_of, kind, line, moment, record_row, row
from encounterlog.core.logs import LogView, explained, replayed
from encounterlog.errors import Refused, misspelt
from encounterlog.text.layout import clip, count
from encounterlog.text.phrases import value, values
from eventstore.events import TAGS
from eventstore.record import KNOWN, Recorded
from projections.explaining.expressions import Expression, ExpressionError, parse
from projections.folds.addresses import derived, no_value
from projections.occurrence import Occurrence
from projections.replay.replay import Replay, resumed
from projections.state import State
from projections.stream.placing import reached
from projections.time import Where
from projections.views.steps import Change, Step
from projections.views.steps import steps as stepped

Show = Callable[[LogRow], None]


class Filter(Struct, frozen=True):
    """The lines of a listing that are wanted; a type includes all its versions."""

    round: int | None = None
    actor: str | None = None
    type: str | None = None

    def wants(self, one: LogRow) -> bool:
        """Return whether a line is wanted."""
        return (
            self.round in (None, one.when.round)
            and (self.type is None or self.type.partition(".")[0] == kind(one))
            and (self.actor is None or self.actor in concerned(one.event))
        )

    def check(self, state: State, rounds: Iterable[int]) -> None:
        """Raise Refused if the log has no such combatant or side, or no such round."""
        known, reached = {*state.combatants, *state.sides}, max(rounds, default=0)
        if self.actor is not None and self.actor not in known:
            raise misspelt("combatant or side", self.actor, known, "encounter show lists them")
        if self.round is not None and self.round not in rounds:
            has = f"this log has {count(reached, 'round')}" if reached else "no round has begun in this log"
            raise Refused("usage", f"no round {self.round}: {has}", "encounter log FILE lists every fact")


class Stepped(LogRow, frozen=True, omit_defaults=True, kw_only=True):
    """A line of `encounter replay --json`: a line of the listing, and what the fact changed."""

    changes: tuple[Change, ...]


def listed(
    log: LogView,
    show: Callable[[Any], None],
    wanted: Filter,
    *,
    for_people: bool,
    struck: bool = False,
    watched: "Watched | None" = None,
) -> "Listing":
    """Show the corrected stream, or with `struck` the file as it is, while it is read; return the listing, which can be continued.

    It shows lines for people, or data. With `watched`, only the facts after which an expression holds, or changes.
    """
    if wanted.type is not None and wanted.type not in KNOWN:
        raise misspelt("event type", wanted.type, TAGS, "encounter schema lists them")

    def filtered(one: LogRow) -> None:
        if wanted.wants(one):
            show([line(one)] if for_people else json_of(one))

    return (FileListing if struck else Listing)(log, filtered, for_people, watched)


def check(log: LogView, listing: "Listing", wanted: Filter, watched: "Watched | None" = None) -> None:
    """Raise Refused for wanted things that the log does not have, if it could be read whole."""
    log.note_revision()
    if log.problem:
        return
    if watched:
        watched.check(listing.done.state)
    wanted.check(listing.done.state, listing.rounds)


def replay(log: LogView, show: Callable[[Any], None], where: Where | None, wanted: Filter, *, for_people: bool) -> None:
    """Show the wanted facts up to a point with the values that each changed; raise Refused for wanted things that the log does not have."""

    def stepped(one: LogRow, changes: tuple[Change, ...]) -> None:
        show([line(one), *map(_change, changes)] if for_people else json_of(one) | {"changes": changes})

    state, rounds = _walked(log, where, wanted, stepped, short=for_people)
    log.note_revision()
    if not log.problem:
        wanted.check(state, rounds)


def _walked(
    log: LogView, where: Where | None, wanted: Filter, see: Callable[[LogRow, tuple[Change, ...]], None], *, short: bool
) -> tuple[State, set[int]]:
    """Show the wanted facts up to a point with the changes of each; return the state there, and the rounds."""
    rounds: set[int] = set()

    def show(one: LogRow, changes: tuple[Change, ...] = ()) -> None:
        rounds.add(one.when.round)
        if wanted.wants(one):
            see(one, changes)

    names = Names(log, short=short)
    left_out = LeftOut(log, names)

    def look(step: Step, state: State) -> None:
        for one in left_out.since(state):
            show(one)
        show(left_out.after(row(state, step.fact, names)), step.changes)

    show(record_row(next(iter(log)), names.none()))
    with explained(log, where):
        done = stepped(log, where, look)
    for one in left_out.since(done.state):
        show(one)
    return done.state, rounds


def _change(change: Change) -> str:
    return clip(f"{'':21}{change.address}: {value(change.before)} -> {value(change.after)}")


class Listing:
    """A listing of the corrected stream, and of the facts in between that are unreadable or have no effect."""

    def __init__(self, log: LogView, show: Show, short: bool, watched: "Watched | None" = None) -> None:
        self.show, self.names, self._watched = show, Names(log, short=short), watched
        self.rounds: set[int] = set()
        self._left_out = LeftOut(log, self.names)
        self.done = self._begin(log)

    def go_on(self, records: Sequence[Recorded]) -> None:
        """Show further records, none of which is a correction."""
        self._left_out.add(records)
        self.done = resumed(self.done, records, after=self._look)
        self._show_left_out(self.done.state)

    def _begin(self, log: LogView) -> Replay:
        first = record_row(next(iter(log)), self.names.none())
        if not self._watched:
            self._show(first)
        done = replayed(log, after=self._look)
        self._show_left_out(done.state)
        return done

    def _look(self, state: State, fact: Occurrence[Any]) -> None:
        self._show_left_out(state)
        listed = self._left_out.after(row(state, fact, self.names))
        if not self._watched or self._watched.wants(state):
            self._show(listed)
        else:
            self.rounds.add(listed.when.round)

    def _show_left_out(self, state: State) -> None:
        for one in () if self._watched else self._left_out.since(state):
            self._show(one)

    def _show(self, one: LogRow) -> None:
        self.rounds.add(one.when.round)
        self.show(one)


class FileListing(Listing):
    """A listing of every record in the order of the file, with notes on strikes and amendments."""

    def go_on(self, records: Sequence[Recorded]) -> None:
        """Show further records, none of which is a correction."""
        self.done = resumed(self.done, records, after=self._look)
        self._show_all(records, self.done)

    def _begin(self, log: LogView) -> Replay:
        self._moments: dict[int, Moment] = {}
        done = replayed(log, after=self._look)
        self._moments |= {fact.seq: Moment(fact.point.round, fact.point.segment) for fact in done.state.struck}
        self._show_all(_up_to(log, done.records), done)
        return done

    def _look(self, state: State, fact: Occurrence[Any]) -> None:
        self._moments[fact.seq] = moment(state, reached(state, fact))

    def _show_all(self, records: Iterable[Recorded], done: Replay) -> None:
        became, names = outcomes(done), self.names.at(done.state)
        for record in records:
            note, when = became.get(record.seq, ""), self._moments.get(record.seq)
            self._show(record_row(record, names, note, when))
        self._moments.clear()


class LeftOut:
    """The records that the corrected stream leaves out: unreadable ones, and facts that have no effect."""

    def __init__(self, log: Iterable[Recorded], names: Names) -> None:
        self.log, self.names = log, names
        self.unread = self.refused = 0
        self._records: dict[int, Recorded] = {}
        self._last = Moment(0)

    def after(self, one: LogRow) -> LogRow:
        """Note the line that is printed next."""
        self._last = one.when
        return one

    def add(self, records: Iterable[Recorded]) -> None:
        """Note records that were appended later."""
        self._records |= {record.seq: record for record in records if record.event is None}

    def since(self, state: State) -> Iterator[LogRow]:
        """Yield the lines of those left out since the last call."""
        for seq in state.unread[self.unread :]:
            yield record_row(self._record(seq), self.names.none(), when=self._last)
        for fact, _, why in state.refused[self.refused :]:
            yield row(state, fact, self.names, f"no effect: {why}")
        self.unread, self.refused = len(state.unread), len(state.refused)

    def _record(self, seq: int) -> Recorded:
        if not self._records:
            self._records = {record.seq: record for record in self.log if record.event is None}
        return self._records[seq]


def _up_to(log: LogView, last: int) -> Iterator[Recorded]:
    for record in log:
        yield record
        if record.seq >= last:
            return


def outcomes(done: Replay) -> dict[int, str]:
    """Return a note for each record that was struck or amended, or has no effect."""
    found = {seq: f"amended by {words.seq}" for seq, words in done.corrections.amended.items()}
    found |= {seq: f"struck by {by}" for seq, by in done.corrections.struck.items()}
    found |= {fact.seq: f"no effect: {why}" for fact, _, why in done.state.refused}
    return found | done.corrections.strays


class First(Struct, frozen=True):
    """The output of `encounter first --json`: the first record after which an expression held, and the values then."""

    expression: str
    record: LogRow | None
    values: dict[str, Any]


class Watched:
    """An expression followed through a log: whether it holds after each fact, and which of its addresses ever were."""

    def __init__(self, text: str, *, turns: bool = False) -> None:
        """Read the expression; raise Refused with its place if it is none."""
        self.expression, self.turns = expression(text), turns
        self._known: set[str] = set()
        self._held = False

    def wants(self, state: State) -> bool:
        """Say whether the expression holds after a fact or, if turns are wanted, whether that has changed."""
        for address in self.expression.addresses:
            if address not in self._known and derived(state, address) is not None:
                self._known.add(address)
        before, self._held = self._held, self.expression.holds(state)
        return self._held != before if self.turns else self._held

    def check(self, state: State) -> None:
        """Raise Refused if an address never had a value."""
        for address in self.expression.addresses:
            if address not in self._known:
                raise Refused("usage", no_value(state, address[:80]), "encounter why FILE ADDRESS explains a value")


def expression(text: str) -> Expression:
    """Read an expression; raise Refused that points at what is wrong."""
    try:
        return parse(text)
    except ExpressionError as error:
        start = max(0, error.place - 40)
        lines = [clip(text[start : start + 70]), f"{' ' * (error.place - start)}^"] if error.place <= len(text) else []
        hint = "such as: ana.hp <= 0 and not (halvaine.casting is none)"
        raise Refused("usage", f"the expression cannot be read {error}", hint, lines) from None


def first(log: LogView, text: str, where: Where | None) -> First:
    """Return the first record after which an expression held; raise Refused if it asks for what never was."""
    watched, names = Watched(text), Names(log, short=True)
    found: list[First] = []

    def look(state: State, fact: Occurrence[Any]) -> None:
        shown = row(state, fact, names)
        if not found and watched.wants(state):
            found.append(First(text, shown, _values(state, watched.expression)))

    done = replayed(log, where, after=look)
    log.note_revision()
    if not found and not log.problem:
        watched.check(done.state)
    return found[0] if found else First(text, None, _values(done.state, watched.expression))


def _values(state: State, asked: Expression) -> dict[str, Any]:
    read = {address: derived(state, address) for address in asked.addresses}
    return {address: each.value if each else None for address, each in read.items()}


def _ask_log(
    log: "LogView",
    show: "Callable[[Any], None]",
    *,
    for_people: bool = False,
    number: int | None = None,
    actor: str | None = None,
    kind: str | None = None,
    expression: str | None = None,
    turns: bool = False,
    struck: bool = False,
) -> None:
    """Show the lines that are wanted; raise Refused for a combatant, a round or a type that there is not."""
    wanted, holds = Filter(number, actor, kind), _watched(expression, turns=turns, struck=struck)
    found = listed(log, show, wanted, for_people=for_people, struck=struck, watched=holds)
    check(log, found, wanted, holds)


def _watched(expression: str | None, *, turns: bool, struck: bool) -> "Watched | None":
    """Return the expression that facts are chosen by; raise Refused where it does not go with the other arguments."""
    if turns and expression is None:
        raise Refused("usage", "--turns needs --where EXPR")
    if expression is not None and struck:
        raise Refused("usage", "--where does not go with --struck: it asks for values of the corrected stream")
    if expression is None:
        return None
    return Watched(expression, turns=turns)


LOG = Question(
    "log",
    """List what happened in the log FILE, with corrections applied, one fact per line.

    The second column is the time, in the notation of --at. With --json each line is a JSON object. With --follow a
    later correction is printed as a separate line, if the filters select it; lines already printed are not repeated.
    """,
    (
        ROUND,
        ACTOR,
        Argument("type", "kind", Kind.TEXT, "Only facts of this type; encounter schema lists the types.", "TYPE", most=120),
        Argument("where", "expression", Kind.TEXT, "Only facts after which this holds, such as ana.hp <= 0.", "EXPR"),
        Argument("turns", "turns", Kind.FLAG, "With --where: only facts that change the answer."),
        Argument("struck", "struck", Kind.FLAG, "Show the file as it is: corrections, and the facts that they struck or amended."),
    ),
    _ask_log,
    "encounterlog.ask.rows:LogRow",
    in_lines=True,
)  # fmt: skip


def _ask_replay(
    log: "LogView",
    show: "Callable[[Any], None]",
    *,
    for_people: bool = False,
    where: "Where | None" = None,
    number: int | None = None,
    actor: str | None = None,
) -> None:
    """Show the facts up to a point that are wanted; raise Refused for a combatant or a round that there is not."""
    replay(log, show, where, Filter(number, actor), for_people=for_people)


REPLAY = Question(
    "replay",
    """Step through the log FILE: each fact, its changes, and the state after it.

    At a terminal keys go forwards and backwards: n and p (or the arrows) by events, t and T by turns or segments, r and R by
    rounds; g goes to a point, < and > to the ends, j and k scroll, q quits. --at says where to begin.

    Elsewhere, and with --list, --round, --actor or --json, every fact up to --at is printed, and below each the values that
    it changed. With --json each line is a JSON object.
    """,
    (AT, ROUND, ACTOR),
    _ask_replay,
    "encounterlog.ask.listing:Stepped",
    "encounter replay ford.jsonl\nencounter replay ford.jsonl --at r2 --list",
    in_lines=True,
)


def _ask_first(log: "LogView", expression: str, where: "Where | None" = None) -> Answer:
    """Return the first record after which an expression held; raise Refused for one that cannot be read, or asks for what never was."""
    found = first(log, expression, where)

    def lines() -> list[str]:
        if found.record is None:
            return [f"never: {expression}", f"       at the end {values(found.values)}"]
        return [line(found.record), f"       {values(found.values)}"]

    return Answer(lambda: found, lines, lambda: found.record is None)


FIRST = Question(
    "first",
    """Print the first record of the log FILE after which EXPR held, with the values in EXPR.

    EXPR compares addresses with values: = != < <= > >=, is none, is not none, joined by and, or, not and brackets; for
    a list, = asks whether it has the value. Put a value with blanks in double quotes. The exit code is 1 if it never
    held.
    """,
    (Argument("expr", "expression", Kind.TEXT, "The expression, such as ana.hp <= 0.", "EXPR", positional=True, needed=True), AT),
    _ask_first,
    "encounterlog.ask.listing:First",
    "encounter first ford.jsonl 'ana.hp <= 0'\nencounter first ford.jsonl 'halvaine.casting is none'",
)  # fmt: skip
