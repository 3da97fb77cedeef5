"""The Python API: a log as an object. `import encounterlog as el` gives everything here, loaded when it is first used.

>>> import encounterlog as el
>>> log = el.new("ford.jsonl", ruleset="osric")
>>> done = log.append({"type": "combatant_joined", "combatant": "ada", "side": "party", "sheet": {"hp": 9}})
>>> done = log.append({"type": "combatant_joined", "combatant": "orc-1", "side": "orcs", "sheet": {"hp": 6}})
>>> done = log.append(el.RoundStarted(round=1), after=log.head, key="r1")
>>> [type(record.event).__name__ for record in log.tell("ada hits orc-1 14 4").records]
['ActionTaken', 'AttackRolled', 'DamageDealt']
>>> orc = log.state().combatants["orc-1"]
>>> orc.hp.value, orc.hp.because.events
(2, (3, 7))
>>> [str(finding.rule) for finding in log.audit().findings]
['surprise.checked-at-start', 'sequence.order-of-events']
>>> with log.fork() as other:
...     other.strike(7)
>>> [(each.address, each.before, each.after) for each in el.diff(log, other).values]
[('orc-1.hp', 2, 6)]
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from msgspec import Struct, to_builtins

from encounterlog.at import At
from encounterlog.edge.clock import now
from encounterlog.edge.stores import address, create_store, open_store
from eventstore.address import Url, stem_of
from eventstore.chain import Anchor
from eventstore.errors import Malformed, StoreError, WrongVersion
from eventstore.events import Fact, Struck
from eventstore.form import event_of, nearest, read_json
from eventstore.paths import AnyPath
from eventstore.record import Draft, Recorded, upcast
from eventstore.store import Appended

if TYPE_CHECKING:
    from pathlib import Path

    from projections.explaining.forks import Differences
    from projections.explaining.may import Choices
    from projections.folds.replay import Replay
    from projections.judging.audit import Audit
    from projections.state import State
    from projections.time import Where
    from projections.views.steps import Change

Event = Fact | Mapping[str, Any]
"""A fact: an object of an event type, or its JSON value, in which times and actions may have their short forms."""
Point = int | str | None
"""A point of a log: a seq, the notation of --at (r1s4, r3.ana), or None for the end."""


class Step(Struct, frozen=True):
    """A record of the corrected stream, and the values that it changed."""

    record: Recorded
    changes: tuple["Change", ...]


class Reading:
    """What can be read of records, wherever they come from."""

    def __iter__(self) -> Iterator[Recorded]:
        raise NotImplementedError

    def replay(self, at: Point = None) -> Iterator[Step]:
        """Yield each fact of the corrected stream with the values that it changed."""
        from projections.views.steps import steps

        records = {record.seq: record for record in self}
        found: list[Step] = []
        steps(
            list(records.values()),
            _where(at),
            lambda step, _state: found.append(Step(records[step.fact.seq], step.changes)),
        )
        yield from found

    def state(self, at: Point = None) -> At:
        """Return what the log means at a point, with all later corrections; raise Malformed if there is no such point."""
        return At(self._replayed(at).state)

    def audit(self, at: Point = None) -> "Audit":
        """Return the findings; breaches are data, and a log that cannot be read whole has its `problem`."""
        from projections.judging.audit import audit

        return audit(_Readable(self), _where(at))

    def may(self, who: str | None = None, at: Point = None) -> "Choices":
        """Return what somebody may do, and which clauses bar the rest: of those whose turn it is, or who are due, without a name.

        Raises Malformed for a name that is nobody's, or that of several.
        """
        from projections.explaining.may import choices
        from projections.explaining.past import Past

        past = Past(list(self), _where(at))
        return choices(past, _named(past.state, who) if who is not None else "")

    def _replayed(self, at: Point = None) -> "Replay":
        from projections.folds.replay import replay

        return replay(list(self), _where(at))


class _Readable:
    """Records that are read once; what is wrong with them is raised where they end, each time."""

    def __init__(self, source: Iterable[Recorded]) -> None:
        self._records: list[Recorded] = []
        self._problem: StoreError | None = None
        try:
            self._records.extend(source)
        except StoreError as problem:
            self._problem = problem

    def __iter__(self) -> Iterator[Recorded]:
        yield from self._records
        if self._problem:
            raise self._problem


class Log(Reading):
    """A log in a file, or wherever its address says. Iterating it yields its verified records, read anew each time."""

    def __init__(self, path: AnyPath | Url, *, by: str = "gm") -> None:
        self._address, self.by = address(path), by
        self._store = open_store(self._address)

    def __iter__(self) -> Iterator[Recorded]:
        return iter(self._store.read())

    def __repr__(self) -> str:
        return f"<Log {self._address}>"

    @property
    def address(self) -> "Path | Url":
        """Where the log is: the path of its file, or its URL."""
        if isinstance(self._address, Url):
            return self._address
        from pathlib import Path  # whose module takes longer to load than a short log to read

        return Path(self._address)

    @property
    def path(self) -> "Path":
        """The file; raise Malformed for a log that is in none."""
        found = self.address
        if isinstance(found, Url):
            raise Malformed("path", f"{found} is in no file", "its address is log.address")
        return found

    @property
    def head(self) -> Anchor:
        """The end of the log: its last seq and the hash of that record."""
        return self._store.head()

    def append(
        self,
        facts: Event | Sequence[Event],
        *,
        after: int | Anchor | None = None,
        key: str | None = None,
        secret: bool = False,
        by: str | None = None,
    ) -> Appended:
        """Append a fact, or several as one, all or nothing, durable when this returns.

        `after` is a seq or a head that the log must still end with; without it, they are appended wherever it ends. With a `key`
        that was used for these facts before, nothing is appended again. Raises Malformed for facts that cannot be
        recorded, WrongVersion if the log does not end with `after`, and what else the store raises. What breaks a rule of
        the game is recorded.
        """
        drafts = _drafts(facts, secret=secret)
        while True:
            done = self._replayed()
            if after is None or _seq(after) == done.records:
                _check(done, drafts)
            try:
                return self._write(drafts, done.records if after is None else after, key, by)
            except WrongVersion:
                if after is not None:
                    raise

    def tell(
        self,
        line: str,
        *,
        after: int | Anchor | None = None,
        key: str | None = None,
        by: str | None = None,
        roll: Callable[[str], str] | None = None,
    ) -> Appended:
        """Append the facts of a line of the table grammar; raise NotUnderstood with a column, a reason and a hint.

        `roll` turns dice into faces (`d20` into `d20:14`), where a line has dice without them. A line that corrects, such as `u`,
        is never told again after another writer came first: it raises WrongVersion. Otherwise as `append`.
        """
        from projections.grammar.table import Table

        _check_line(line)
        while True:
            table = Table(self, roll=roll)
            told = table.tell(line)
            if not told.facts:
                raise Malformed("line", "states no fact", "questions and help are for a table")
            expected = table.done.records if after is None else after
            try:
                return self._write(_drafts(told.facts, secret=told.secret), expected, key, by)
            except WrongVersion:
                if after is not None or told.corrects:
                    raise

    def _write(self, drafts: tuple[Draft, ...], after: int | Anchor, key: str | None, by: str | None) -> Appended:
        if isinstance(after, Anchor) and self._store.verify(after).anchor != "matches":
            raise WrongVersion(after.seq, self.head.seq)
        return self._store.append(drafts, by=by or self.by, at=now(), after=_seq(after), key=key)

    def strike(self, seq: int, reason: str | None = None) -> Appended:
        """Take a record out of the corrected stream."""
        return self.append(Struck(event=seq, reason=reason))

    def fork(self) -> "Fork":
        """Return a fork of the log in memory, to ask what would be."""
        return Fork(self)


class Fork(Reading):
    """A log in memory, with what is appended to it; the log that it came from does not change."""

    def __init__(self, source: Iterable[Recorded]) -> None:
        self._records = list(source)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def __iter__(self) -> Iterator[Recorded]:
        return iter(self._records)

    def append(self, facts: Event | Sequence[Event]) -> None:
        """Append facts to the fork; raise Malformed as a log does."""
        drafts = _drafts(facts)
        _check(self._replayed(), drafts)
        self._take(draft.event for draft in drafts)

    def tell(self, line: str) -> None:
        """Append the facts of a line of the table grammar; raise NotUnderstood."""
        from projections.grammar.table import Table

        _check_line(line)
        self._take(Table(self._records).tell(line).facts)

    def _take(self, facts: Iterable[Any]) -> None:
        from projections.grammar.table import recorded

        self._records += recorded(map(upcast, facts), len(self._records) + 1)

    def strike(self, seq: int, reason: str | None = None) -> None:
        """Take a record out of the corrected stream."""
        self.append(Struck(event=seq, reason=reason))


def _check_type(name: str, value: object, kind: Any, says: str, hint: str = "") -> None:
    """Raise Malformed for an argument of another type."""
    if not isinstance(value, kind):
        raise Malformed(name, f"is {says}, got {type(value).__name__}", hint)


def _drafts(facts: Event | Sequence[Event], *, secret: bool = False) -> tuple[Draft, ...]:
    told = [facts] if isinstance(facts, Fact | Mapping) else facts
    _check_type("facts", told, Iterable, "facts, or a list of them")
    return tuple(Draft(_event(each), secret=secret) for each in told)  # type: ignore[arg-type]  # members of the union


def _check(done: "Replay", drafts: tuple[Draft, ...]) -> None:
    """Raise Malformed for the first fact that cannot be recorded after these."""
    from projections.judging.decide import Append, Refused, decide

    verdict = decide(done.state, Append(drafts, done.records))
    if isinstance(verdict, Refused):
        first = verdict.refusals[0]
        raise Malformed(first.field, first.reason, first.hint)


def _check_line(line: object) -> None:
    """Raise Malformed for what is no line of the table grammar."""
    hint = "append takes facts" if isinstance(line, Fact | Mapping) else 'such as log.tell("ada hits orc-1 14 4")'
    _check_type("line", line, str, "text of the table grammar", hint)


def _seq(after: int | Anchor) -> int:
    """Return the seq of a place; raise Malformed for what is none."""
    _check_type("after", after, int | Anchor, "a seq or a head")
    return after.seq if isinstance(after, Anchor) else after


def new(
    path: AnyPath | Url, *, ruleset: str, title: str = "", options: Mapping[str, str] | None = None, by: str = "gm"
) -> Log:
    """Create a log and return it; raise UnknownRuleset, Malformed for an unknown option, NotWritten if the name is taken."""
    from encounterlog.writing.opening import known_options, opening
    from projections.rulesets import find

    _check_type("ruleset", ruleset, str, "text")
    _check_type("title", title, str, "text")
    _check_type("options", options, Mapping | None, "a dict of names and readings")
    where, rules, chosen = address(path), find(ruleset), dict(options or {})
    known = known_options(rules)
    for name, value in chosen.items():
        if name not in known:
            hint = nearest(str(name), known) or f"its options are {', '.join(known)}"
            raise Malformed(f"options.{name}", f"{ruleset} has no such option", hint)
        if value not in known[name]:
            says = f"{value!r} is no reading of {ruleset}"
            raise Malformed(f"options.{name}", says, f"its readings are {', '.join(known[name])}")
    first = opening(rules, title or stem_of(where) or "An encounter", chosen)
    create_store(where, [Draft(first)], by=by, at=now())
    return Log(where, by=by)


def open(path: AnyPath | Url, *, by: str = "gm") -> Log:  # noqa: A001 – el.open
    """Return the log at a path or URL; raise what the store raises if there is none. Opening changes nothing."""
    log = Log(path, by=by)
    next(iter(log))
    return log


def diff(one: Reading, other: Reading) -> "Differences":
    """Return in what the second of two logs differs from the first: values, findings, facts that make no sense.

    Raises Malformed for what is neither a log nor a fork of one.
    """
    from projections.explaining.forks import Account, differences

    for name, each in (("one", one), ("other", other)):
        if not isinstance(each, Reading):
            says = f"logs and forks are compared, got {type(each).__name__}"
            raise Malformed(name, says, "el.open(PATH) gives the log of a file")
    return differences(Account(list(one)), Account(list(other)))


def _named(state: "State", who: str) -> str:
    """Return the id of the one combatant with a name, as it is understood at the table; raise Malformed."""
    from projections.grammar.names import combatant
    from projections.grammar.tokens import NotUnderstood, Token

    _check_type("who", who, str, "a name")
    try:
        return combatant(state, Token(who, 0, len(who)))
    except NotUnderstood as error:
        raise Malformed("who", error.why, error.hint) from None


def _event(value: Event) -> Fact:
    """Return a fact, checked as strictly as one that comes in as text; raise Malformed."""
    import json

    from encounterlog.writing.shorthand import expanded

    given = expanded(dict(value)) if isinstance(value, Mapping) else to_builtins(value)
    try:
        text = json.dumps(given)
    except (TypeError, ValueError, RecursionError) as error:
        raise Malformed("", f"not JSON: {error}", "a fact is a dict of text, whole numbers, lists and dicts") from None
    return event_of(read_json(text))


def _where(at: Point) -> "Where | None":
    from projections.time import Where

    return None if at is None else Where.parse(str(at))
