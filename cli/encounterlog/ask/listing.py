"""Lists: what happened, a fact a line, with what each changed, or the first after which something held; and the logs of a folder."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

from msgspec import Struct, structs, to_builtins

from encounterlog.ask import AT, Answer, Argument, Kind, Question
from encounterlog.errors import Refused, misspelt_word, nameless_fault
from encounterlog.log.logs import LogView, replay_log
from encounterlog.places.shelves import folder_files
from encounterlog.places.stores import open_place
from encounterlog.words.facts import fact_sentence, record_in_words, short_sentence
from encounterlog.words.layout import clip, count_noun, name, room, table, width, wrap
from encounterlog.words.naming import Labels, Voice
from encounterlog.words.phrases import Name, listed_briefly, value_in_words, values_in_words
from eventstore.address import LogAddress, name_of as log_name
from eventstore.errors import NotALog, StoreError
from eventstore.events import TAGS, Amended, CombatantJoined, Event, Fact, Inserted, name_of
from eventstore.form import ID_FIELDS, ID_LIST_FIELDS, walk_members
from eventstore.record import KNOWN, Recorded, RecordedUnknown
from projections.explaining.expressions import ExpressionError, read_expression
from projections.folds.addresses import derive_value, no_value
from projections.occurrence import Occurrence
from projections.replay.replay import Replay, resume
from projections.state import State
from projections.stream.audience import audience, shown_to_players
from projections.stream.concealment import joining
from projections.stream.placing import point_reached
from projections.time import Where
from projections.views.steps import Change, Watch

ROUND = Argument("round", "number", Kind.NUMBER, "Only this round; 0 is the time before the first.", "N")
ACTOR = Argument("actor", "actor", Kind.TEXT, "Only the deeds of this combatant or side, and those done to it.", "ID", most=120)  # fmt: skip


class Moment(Struct, frozen=True, omit_defaults=True):
    """The moment of a fact; round 0 is the time before the first round, and units that are not counted are left out."""

    round: int
    segment: int = 0
    turn: str = ""
    second: int = 0
    phase: str = ""


class LogRow(Struct, frozen=True, omit_defaults=True):
    """A line of a listing.

    `line` is the line of the file with the present content; `note` says what is unusual: struck, amended, secret,
    revealed, withheld, without effect. `secret` says that no ruling has revealed it. `source` are the lines of the imported
    file that it comes from. `event` is None if there is no payload that this version understands.
    """

    seq: int
    line: int
    at: str
    by: str
    when: Moment
    words: str
    event: Event | None = None
    note: str = ""
    secret: bool = False
    source: str = ""


class Stepped(LogRow, frozen=True, omit_defaults=True, kw_only=True):
    """A line of `encounter replay --json`: a line of the listing, and what the fact changed."""

    changes: tuple[Change, ...]


class LogRows:
    """The rows of a log while it is read, with display names, or labels that fit into short lines; `say` puts a fact into words.

    The records are looked through for what players get once something secret is named: before, nothing can be kept from them.
    """

    def __init__(self, records: Iterable[Recorded], *, short: bool) -> None:
        self.short, self._labels, self._records = short, Labels(), records
        self.say: Callable[[Fact, Name], str] = short_sentence if short else fact_sentence
        self._names_secrets, self._last = False, Moment(0)
        self._unreadable, self._unread, self._refused = dict[int, Recorded](), 0, 0

    def take_news(self, news: Iterable[Recorded], records: Iterable[Recorded] | None = None) -> None:
        """Take records that were appended; if all `records` are given, a ruling in them may have revealed what is secret."""
        self._unreadable |= {record.seq: record for record in news if record.event is None}
        if records is not None:
            self._records = records
            self.__dict__.pop("_seen_by_players", None)

    def names_at(self, state: State, event: Fact | None = None) -> Name:
        """Return the names in a state, directly after this event."""
        if not self.short:
            found = state.combatants
            return Voice(state.rules, lambda who: found[who].name if who in found else who)
        for who in islice(state.combatants, len(self._labels), None):
            self._labels.add(who, state.combatants[who].name)
        if isinstance(event, CombatantJoined) and event.combatant in state.combatants:  # again, under another name
            self._labels.add(event.combatant, state.combatants[event.combatant].name)
        return Voice(state.rules, self._labels)

    @cached_property
    def _seen_by_players(self) -> tuple[frozenset[int], frozenset[int]]:
        hides = any(record.secret and joining(record.event) for record in self._records)
        return shown_to_players(self._records), audience(self._records).withhold.seqs if hides else frozenset[int]()

    def _secrecy_word(self, secret: bool, *seqs: int) -> str:
        """Return secret, revealed, or nothing if players get a fact of these records and always did."""
        self._names_secrets |= secret
        revealed, withheld = self._seen_by_players if self._names_secrets else (frozenset[int](), frozenset[int]())
        if secret:
            return "revealed" if revealed.issuperset(seqs) else "secret"
        return "" if withheld.isdisjoint(seqs) else "secret"

    def of_fact(self, state: State, fact: Occurrence[Any], note: str = "") -> LogRow:
        """Return the row of a fact in the corrected stream, directly after it took effect."""
        event, when, secrecy = fact.event, _moment_of(state, fact), self._secrecy_word(fact.secret, fact.seq, fact.line)
        self._last = self._last if note else when
        words = self.say(event, self.names_at(state, event))
        note = listed_briefly([note or (f"as amended by {fact.line}" if fact.line != fact.seq else ""), secrecy])
        return LogRow(fact.seq, fact.line, fact.at, fact.by, when, words, event, note, secrecy == "secret", fact.source)

    def of_record(self, record: Recorded, name: Name = str, note: str = "", when: Moment | None = None) -> LogRow:
        """Return the row of a record as it is in the file; the opening and what cannot be read need no names."""
        seq, secrecy = record.seq, self._secrecy_word(record.secret, record.seq)
        words = record_in_words(record, name, self.say)
        event, note = None if isinstance(record, RecordedUnknown) else record.event, listed_briefly([note, secrecy])
        return LogRow(seq, seq, record.at, record.by, when or Moment(0), words, event, note, secrecy == "secret")

    def left_out(self, state: State) -> Iterator[LogRow]:
        """Yield the rows that the corrected stream has left out since the last call: unreadable records, and facts without effect."""
        for seq in state.unread[self._unread :]:
            if not self._unreadable:
                self._unreadable = {record.seq: record for record in self._records if record.event is None}
            yield self.of_record(self._unreadable[seq], when=self._last)
        for fact, _, why in state.refused[self._refused :]:
            yield self.of_fact(state, fact, f"no effect: {why}")
        self._unread, self._refused = len(state.unread), len(state.refused)


def _moment_of(state: State, fact: Occurrence[Any]) -> Moment:
    point, slots = point_reached(state, fact), state.rules.schedule.phases(state)
    phase = slots[point.phase - 1] if 0 < point.phase <= len(slots) else ""
    return Moment(point.round, point.segment, state.clock.turn if point.turn else "", point.second, phase)


def format_moment(when: Moment) -> str:
    """Return a moment in the notation of --at: r1s4, r2.ana, r2.bo.4, s1; or - before the first round."""
    if when.round and when.turn:
        return f"r{when.round}.{when.turn}{f'.{when.second}' if when.second else ''}"
    return f"{f'r{when.round}' if when.round else ''}{f's{when.segment}' if when.segment else ''}" or "-"


def format_log_row(one: LogRow) -> Iterator[str]:
    """Yield a line for people: seq, moment, the writer unless it is the game master, the fact in words; below it its changes."""
    by = f"[{clip(one.by, 20)}] " if one.by != "gm" else ""
    note = "".join(f" ({words})" for words in (one.note, one.source and f"source {one.source}") if words)
    start = f"{one.seq:>5}  {name(format_moment(one.when)):<12}  {by}"
    yield clip(start + clip(one.words, max(48, room() - width(start) - width(note))) + note)
    for each in one.changes if isinstance(one, Stepped) else ():
        yield clip(f"{'':21}{each.address}: {value_in_words(each.before)} -> {value_in_words(each.after)}")


def _concerned_combatants(event: Event | None) -> frozenset[str]:
    if event is None:
        return frozenset()
    inner = event.replacement if isinstance(event, Amended) else event.fact if isinstance(event, Inserted) else event
    fact: dict[str, Any] = to_builtins(inner)
    if fact["type"] == "combatant_joined":
        return frozenset((fact["combatant"], fact.get("side", fact["combatant"])))
    fields = [(path.rpartition(".")[2], item) for path, item in walk_members(fact)]
    found = {item for field, item in fields if field in ID_FIELDS}
    return frozenset(found.union(*(items for field, items in fields if field in ID_LIST_FIELDS)))


def event_type_of(one: LogRow) -> str:
    """Return the type of the fact in a line, in any version, or nothing."""
    return name_of(type(one.event)) if one.event is not None else ""


class Filter(Struct, frozen=True):
    """The lines of a listing that are wanted; a type includes all its versions."""

    round: int | None = None
    actor: str | None = None
    type: str | None = None

    def wants(self, one: LogRow) -> bool:
        """Return whether a line is wanted."""
        return (
            self.round in (None, one.when.round)
            and (self.type is None or self.type.partition(".")[0] == event_type_of(one))
            and (self.actor is None or self.actor in _concerned_combatants(one.event))
        )

    def check(self, state: State, rounds: Iterable[int]) -> None:
        """Raise Refused if the log has no such combatant or side, or no such round."""
        known, reached = {*state.combatants, *state.sides}, max(rounds, default=0)
        if self.actor is not None and self.actor not in known:
            raise misspelt_word("combatant or side", self.actor, known, "encounter show lists them")
        if self.round is not None and self.round not in rounds:
            raise refuse_round(f"no round {self.round}", reached)


def refuse_round(says: str, reached: int) -> Refused:
    """Return the refusal of a round that a log with so many does not have."""
    has = f"this log has {count_noun(reached, 'round')}" if reached else "no round has begun in this log"
    return Refused("usage", f"{says}: {has}", "encounter log FILE lists every fact")


class Watched:
    """An expression followed through a log: whether it holds after each fact, and which of its addresses ever were."""

    def __init__(self, text: str, *, turns: bool = False) -> None:
        """Read the expression; raise Refused that points at what is wrong."""
        try:
            self.expression = read_expression(text)
        except ExpressionError as error:
            start, hint = max(0, error.place - 40), "such as: ana.hp <= 0 and not (halvaine.casting is none)"
            mark = [clip(text[start : start + 70]), f"{' ' * (error.place - start)}^"]
            shown = mark if error.place <= len(text) else []
            raise Refused("usage", f"the expression cannot be read {error}", hint, shown) from None
        self.turns, self._held, self._known = turns, False, set[str]()

    def wants(self, state: State) -> bool:
        """Say whether the expression holds after a fact or, if turns are wanted, whether that has changed."""
        unknown = (each for each in self.expression.addresses if each not in self._known)
        self._known.update(each for each in unknown if derive_value(state, each) is not None)
        before, self._held = self._held, self.expression.holds(state)
        return self._held != before if self.turns else self._held

    def values(self, state: State) -> dict[str, Any]:
        """Return the values at the addresses of the expression."""
        read = ((address, derive_value(state, address)) for address in self.expression.addresses)
        return {address: each.value if each else None for address, each in read}

    def check(self, state: State) -> None:
        """Raise Refused if an address never had a value."""
        if unknown := [each for each in self.expression.addresses if each not in self._known]:
            raise Refused("usage", no_value(state, unknown[0][:80]), "encounter why FILE ADDRESS explains a value")


class Listing:
    """A listing of the corrected stream, perhaps up to a point, and of what it leaves out; or, with what was `struck`, of every record."""

    def __init__(
        self,
        log: LogView,
        show: Callable[[LogRow], None],
        short: bool,
        *,
        struck: bool = False,
        watched: Watched | None = None,  # only the facts after which this holds, or changes
        where: Where | None = None,
        watch: Watch | None = None,  # with the values that each fact changed
    ) -> None:
        self.show, self.rows, self.struck = show, LogRows(log, short=short), struck
        self._watched, self._watch, self.rounds = watched, watch, set[int]()
        self._moments, self._refused = dict[int, Moment](), 0
        if not (struck or watched):
            self._show_row(self.rows.of_record(next(iter(log))))
        self.done = replay_log(log, where, before=self._show_left_out, after=self._show_fact)
        self._moments |= {fact.seq: Moment(fact.point.round, fact.point.segment) for fact in self.done.state.struck}
        self._show_end(islice(log, self.done.records))

    def show_further(self, records: Sequence[Recorded]) -> None:
        """Show further records, none of which is a correction."""
        self.rows.take_news(records)
        self.done = resume(self.done, records, before=self._show_left_out, after=self._show_fact)
        self._show_end(records)

    def _show_fact(self, state: State, fact: Occurrence[Any]) -> None:
        if self.struck:
            self._moments[fact.seq] = _moment_of(state, fact)
            return
        changes, listed = self._watch.changes(state, fact) if self._watch else (), self.rows.of_fact(state, fact)
        self._show_row(listed, changes, wanted=not self._watched or self._watched.wants(state))

    def _show_left_out(self, state: State, _next: Occurrence[Any] | None = None) -> None:
        """Show what was left out since the last line, before the next fact takes effect; or note when that was."""
        for fact, *_ in state.refused[self._refused :] if self.struck else ():
            self._show_fact(state, fact)
        self._refused = len(state.refused)
        for one in () if self.struck or self._watched else self.rows.left_out(state):
            self._show_row(one)

    def _show_end(self, records: Iterable[Recorded]) -> None:
        self._show_left_out(self.done.state)
        if self.struck:
            became, name = correction_notes(self.done), self.rows.names_at(self.done.state)
            for record in records:
                note, when = became.get(record.seq, ""), self._moments.get(record.seq)
                self._show_row(self.rows.of_record(record, name, note, when))
        self._moments.clear()

    def _show_row(self, one: LogRow, changes: tuple[Change, ...] = (), *, wanted: bool = True) -> None:
        self.rounds.add(one.when.round)
        if wanted:
            self.show(Stepped(**structs.asdict(one), changes=changes) if self._watch else one)


def list_facts(log: LogView, show: Callable[[Any], None], wanted: Filter, *, for_people: bool, **how: Any) -> Listing:
    """Show lines for people, or data, while the log is read; return the listing, which can be continued, and takes what says `how`."""
    if wanted.type is not None and wanted.type not in KNOWN:
        raise misspelt_word("event type", wanted.type, TAGS, "encounter schema lists them")

    def filtered(one: LogRow) -> None:
        if wanted.wants(one):
            show([*format_log_row(one)] if for_people else one)

    return Listing(log, filtered, for_people, **how)


def correction_notes(done: Replay) -> dict[int, str]:
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


def _ask_log(log: LogView, show: Callable[[Any], None], *, for_people: bool = False, **fields: Any) -> None:
    number, actor, kind, expression = (fields.get(each) for each in ("number", "actor", "kind", "expression"))
    turns, struck = fields.get("turns", False), fields.get("struck", False)
    if turns and expression is None:
        raise Refused("usage", "--turns needs --where EXPR")
    if expression is not None and struck:
        raise Refused("usage", "--where does not go with --struck: it asks for values of the corrected stream")
    wanted, holds = Filter(number, actor, kind), Watched(expression, turns=turns) if expression is not None else None
    more = {"where": fields.get("where"), "watch": Watch() if "steps" in fields else None}
    found = list_facts(log, show, wanted, for_people=for_people, struck=struck, watched=holds, **more)
    if not log.problem:
        if holds:
            holds.check(found.done.state)
        wanted.check(found.done.state, found.rounds)


LOG = Question(
    "log", """List what happened in the log FILE, with corrections applied, one fact per line.

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
    _ask_log, "encounterlog.ask.listing:LogRow", in_lines=True,
)  # fmt: skip


REPLAY = Question(
    "replay", """Step through the log FILE: each fact, its changes, and the state after it.

    At a terminal keys go forwards and backwards: n and p (or the arrows) by events, t and T by turns or segments, r and R by
    rounds; g goes to a point, < and > to the ends, j and k scroll, q quits. --at says where to begin.

    Elsewhere, and with --list, --round, --actor or --json, every fact up to --at is printed, and below each the values that
    it changed. With --json each line is a JSON object.
    """,
    (AT, ROUND, ACTOR),
    partial(_ask_log, steps=True), "encounterlog.ask.listing:Stepped",
    "encounter replay ford.jsonl\nencounter replay ford.jsonl --at r2 --list",
    in_lines=True,
)  # fmt: skip


def _ask_first(log: LogView, expression: str, where: Where | None = None) -> Answer:
    watched, rows, found = Watched(expression), LogRows(log, short=True), list[First]()

    def observe_fact(state: State, fact: Occurrence[Any]) -> None:
        shown = rows.of_fact(state, fact)  # in any case: it knows who is called what
        if not found and watched.wants(state):
            found.append(First(expression, shown, watched.values(state)))

    done = replay_log(log, where, after=observe_fact)
    if not found and not log.problem:
        watched.check(done.state)
    first = found[0] if found else First(expression, None, watched.values(done.state))

    def lines() -> list[str]:
        found = [*format_log_row(first.record)] if first.record else [f"never: {expression}"]
        return [*found, f"       {'' if first.record else 'at the end '}{values_in_words(first.values)}"]

    return Answer(lambda: first, lines, first.record is None)


FIRST = Question(
    "first", """Print the first record of the log FILE after which EXPR held, with the values in EXPR.

    EXPR compares addresses with values: = != < <= > >=, is none, is not none, joined by and, or, not and brackets; for
    a list, = asks whether it has the value. Put a value with blanks in double quotes. The exit code is 1 if it never
    held.
    """,
    (Argument("expr", "expression", Kind.TEXT, "The expression, such as ana.hp <= 0.", "EXPR", positional=True, needed=True), AT),
    _ask_first, "encounterlog.ask.listing:First",
    "encounter first ford.jsonl 'ana.hp <= 0'\nencounter first ford.jsonl 'halvaine.casting is none'",
)  # fmt: skip


class Found(Struct, frozen=True):
    """A log in a folder; if it has a problem, the numbers are those of the part that can be read."""

    file: str
    title: str
    ruleset: str
    records: int
    rounds: int
    problem: str | None = None


class Other(Struct, frozen=True):
    """A file, or what a database holds under a name, that is not a log, and why."""

    file: str
    why: str


class Campaign(Struct, frozen=True):
    """The contents of a folder: logs, .jsonl files that are not logs, and the number of other files, which are ignored."""

    logs: tuple[Found, ...]
    others: tuple[Other, ...]
    ignored: int


def list_logs(folder: LogAddress, each: Callable[[Sequence[Any]], Iterable[Any]] = iter) -> Campaign:
    """Return the logs of a folder or a database; `each` goes through them, and may show how far it is."""
    if isinstance(folder, str):
        files = folder_files(Path(folder))
        names: Sequence[LogAddress] = [str(file) for file in files if file.suffix == ".jsonl"]
        ignored = len(files) - len(names)
    else:
        names, ignored = open_place(folder), 0
    logs, others = list[Found](), list[Other]()
    for file in each(names):
        problem: Exception | None
        try:
            done = replay_log(LogView(file))
            state, problem = done.state, done.problem
            read = state.title, state.rules.key, done.records, state.clock.point.round
        except NotALog as error:
            others.append(Other(log_name(file), error.why))
            continue
        except (StoreError, Refused) as error:
            problem, read = error, ("?", "?", 0, 0)
        says = nameless_fault(problem) if isinstance(problem, StoreError) else str(problem)
        logs.append(Found(log_name(file), *read, says if problem else None))
    return Campaign(tuple(logs), tuple(others), ignored)


def format_campaign(found: Campaign) -> list[str]:
    """Return the list for people."""
    rows = []
    for one in found.logs:
        rounds = count_noun(one.rounds, "round") + (" (not whole)" if one.problem else "")
        rows.append((name(one.file, 36), name(one.title, 30), one.ruleset, count_noun(one.records, "record"), rounds))
    says = [f"{one.file}: {one.problem}" for one in found.logs if one.problem]
    says += [f"{other.file}: not a log: {other.why}" for other in found.others]
    ignored = [f"{count_noun(found.ignored, 'other file')} ignored"] if found.ignored else []
    below = chain.from_iterable(wrap(each, "    ") for each in says)
    return [*(table(rows, "") or ["no logs here"]), *below, *ignored]
