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

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, cast

from encounterlog.forks import Fork, Readable, findings_since
from encounterlog.lineups.parties_of_logs import party_of
from encounterlog.log import arguments, drawn_dice
from encounterlog.log.arguments import After, Event, Facts
from encounterlog.log.folded_log import Decide, FoldedLog, append_decided
from encounterlog.log.logs import LogView
from encounterlog.log.opening import make_opening
from encounterlog.places.model import find_model
from encounterlog.places.services import UNTOLD, Spoken, is_recordable_by_service
from encounterlog.places.stores import create_store, is_served, open_store, parse_address
from encounterlog.places.time_and_chance import current_time
from eventstore.address import Url, stem_of
from eventstore.chain import Anchor
from eventstore.errors import Malformed
from eventstore.events import Struck
from eventstore.memory import MemoryStore
from eventstore.paths import AnyPath
from eventstore.record import Draft, Recorded
from eventstore.store import Appended, Store
from eventstore.wording import short_repr
from projections.explaining.forks import Account, Differences, find_differences
from projections.judging.audit import Finding
from projections.rulesets import find

if TYPE_CHECKING:
    from encounterlog.places.remote import RemoteStore

MOST_KEPT = 4  # the number of folded states that a log keeps, for as many threads that append at once


class Written(Appended, frozen=True):
    """An append, as the store returns it, with the findings that it raised, which are determined on demand."""

    find: "Callable[[Written], tuple[Finding, ...]]" = lambda _: ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings that these facts raised, also about earlier facts, as the log was when they were appended."""
        return self.find(self)

    def __repr__(self) -> str:
        return short_repr(self, f"{self.first} to {self.last}{', again' if self.again else ''}")


class Log(Readable):
    """A log in a file, or at another address. Iterating it yields its verified records, read again each time.

    It holds nothing open; `with el.open(…) as log:` only says how long it is used. The folded log stays in memory from
    one append to the next, and only new records are read.
    """

    def __init__(self, path: AnyPath | Url, *, by: str = "gm", store: Store | None = None) -> None:
        """Open the log at an address, or the one in a store, whose name the address is then."""
        self._address, self.by = parse_address(path), by
        self._store = store or open_store(self._address)
        self._kept: list[FoldedLog] = []

    def __iter__(self) -> Iterator[Recorded]:
        return iter(self._store.read())

    def __repr__(self) -> str:
        return f"<Log {self._address}>"

    @property
    def address(self) -> Path | Url:
        """Where the log is: the path of its file, or its URL."""
        return self._address if isinstance(self._address, Url) else Path(self._address)

    @property
    def path(self) -> Path:
        """The file; raise Malformed for a log without one."""
        found = self.address
        if isinstance(found, Url):
            raise Malformed("path", f"{found} is in no file", "its address is log.address")
        return found

    @property
    def head(self) -> Anchor:
        """The end of the log: its last seq and the hash of that record."""
        return self._store.head()

    def append(
        self, facts: Facts, *, after: After = None, key: str | None = None, secret: bool = False, by: str | None = None
    ) -> Written:
        """Append a fact, or several as one, all or nothing, durable when this returns.

        `after` is the expected version: a seq or a head that the log must still end with; without it, the facts are
        appended at its end, wherever that is then: the append waits its turn, and raises Busy after the patience of the
        store. With a `key` that was used for these facts before, nothing is appended again. Raises Malformed for facts
        that cannot be recorded, WrongVersion if the log does not end with `after`, and the other errors of the store. A
        fact that breaks a rule of the game is recorded.
        """
        drafts = arguments.make_drafts(facts, secret=secret)
        with self._hold_view() as (log, _):
            return self._append(log, arguments.decide_facts(drafts, after, key), after, key, by)

    def tell(
        self,
        line: str,
        *,
        after: After = None,
        key: str | None = None,
        secret: bool = False,
        by: str | None = None,
        roll: Callable[[str], str] | None = None,
        word: str | None = None,
    ) -> Written:
        """Append the facts of a line of the language; raise NotUnderstood with a column, a reason and a hint.

        A `secret` line is withheld from players, like a line that begins with the word secret. `roll` turns dice into
        faces (`d20` into `d20:14`), where a line has dice without them. Without it they are drawn from the chain of
        dice, if the log has one, with a person's entropy `word`, `ana:heron`, or one of its own. A line that corrects,
        such as `u`, is never read again after another writer came first: it raises WrongVersion. A refused line is sent
        to the model that ENCOUNTER_READER names, if it names one; its suggestion is among the notes of the error.
        Repeated with its `key`, a line means what it meant the first time, with the dice that fell. Otherwise as `append`.
        """
        arguments.check_type("after", after, After, "a seq or a head")
        if is_served(self._address) and is_recordable_by_service(line, roll, word, key):
            with suppress(*UNTOLD):
                return self._record_line(Spoken(line, "", secret=secret), after, None)
        with self._hold_view() as (log, records):
            former = None if key is None else arguments.drafts_again(records, line, key, secret=secret)
            if former:
                return self._append(log, lambda _: former, after, key, by)
            parsed, there = arguments.read_line(log, line, roll, word, secret=secret, suggest=find_model())
            if after is None and parsed.corrects:
                after = len(records)
            if there:
                return self._record_line(there, after, key)

            def decided(now: LogView) -> tuple[Draft, ...]:
                again = parsed if now is log else arguments.read_line(now, line, roll, word, secret=secret)[0]
                return again.drafts

            return self._append(log, decided, after, key, by)

    @contextmanager
    def _hold_view(self) -> Iterator[tuple[LogView, tuple[Recorded, ...]]]:
        """Hold the log as it is now, folded, and its records. Raise as the store does.

        One caller at a time has a folded log; where all that are kept are in use, another begins with an empty one, which reads the
        whole log.
        """
        try:
            known = self._kept.pop()
        except IndexError:  # nothing is known, or other callers have it
            known = FoldedLog(lambda after: self._store.read(after or 0), audited_to=0)
        try:
            log = LogView(self._address, store=self._store, kept=known)
            yield log, log.records
        finally:
            self._kept.append(known)
            del self._kept[:-MOST_KEPT]

    def _record_line(self, spoken: Spoken, after: After, key: str | None) -> Written:
        done, _ = cast("RemoteStore", self._store).tell(spoken, after=after, key=key)
        return self._make_written(done)

    def _append(self, log: LogView, decide: Decide, after: After, key: str | None, by: str | None) -> Written:
        expected = arguments.expected_version(after, log.records)
        return self._make_written(append_decided(log, decide, by=by or self.by, after=expected, key=key).written)

    def _make_written(self, done: Appended) -> Written:
        return Written(done.first, done.last, done.records, done.again, self._findings)

    def _findings(self, done: Written) -> tuple[Finding, ...]:
        return findings_since((record for record in self if record.seq <= done.last), done.first - 1)

    def strike(self, seq: int, reason: str | None = None) -> Written:
        """Take a record out of the corrected stream."""
        return self.append(Struck(event=seq, reason=reason))

    def amend(self, seq: int, fields: Mapping[str, Any], reason: str | None = None) -> Written:
        """Put other fields into a record's fact; all others stay. Raise Malformed as `append` does."""
        return self.append(arguments.make_amendment(list(self), seq, fields, reason))

    def insert(self, after: int, fact: Event, reason: str | None = None) -> Written:
        """Insert a forgotten fact where it belongs, after a record; raise Malformed as `append` does."""
        return self.append(arguments.make_insertion(after, fact, reason))

    def ruling(self, ruling: arguments.Ruling, decision: str, **more: Unpack[arguments.About]) -> Written:
        """Record the game master's decision: it overrides values, waives a breach or settles a tie."""
        return self.append(arguments.make_ruling(ruling, decision, **more))

    def begin_dice(self, *, seed: str | None = None, because: str | None = None) -> Written:
        """Begin a chain of dice, whose secret is kept beside the log; raise Malformed if one can still be used.

        A second one, `because` the secret is lost, is reported by `dice`. A `seed` gives the same dice each time, for
        scripts.
        """
        if isinstance(self._store, MemoryStore):
            raise Malformed("dice", "a log in memory has no place for a secret", "begin the chain in a log in a file")
        with arguments.raise_as_malformed("dice"):
            log = LogView(self._address, store=self._store)
            records = drawn_dice.begin_chains(log, by=self.by, seed=seed, because=because)[-2:]
        return Written(records[0].seq, records[1].seq, tuple(records), False, self._findings)

    def follow(self, after: int | Anchor = 0) -> Iterator[Recorded]:
        """Yield the records after that one, then those that are appended meanwhile, without end."""
        return self._store.follow(after)

    def export(self, form: str, *, for_players: bool = False) -> bytes:
        """Return the log in a format of `encounter export`: markdown, html, json …; raise Malformed for any other."""
        from encounterlog.exporters import exporting

        with arguments.raise_as_malformed("form"):
            return exporting.export_to_bytes(form, self._store, self._address, for_players=for_players)

    def fork(self) -> "Fork":
        """Return a fork of the log in memory, for questions of the kind "what if"."""
        return Fork(self)


def new(
    path: AnyPath | Url,
    *,
    ruleset: str,
    title: str = "",
    options: Mapping[str, str] | None = None,
    by: str = "gm",
    party: AnyPath | Url | None = None,
) -> Log:
    """Create a log and return it; raise UnknownRuleset, Malformed for an unknown option, NotWritten if the name is taken.

    With `party` the party of another log, PATH or PATH#SIDE, goes on with its remaining points; raise Malformed, or as
    the store does.
    """
    where = parse_address(path)
    opened = _opening_draft(ruleset, title or stem_of(where), options)
    going_on: tuple[Draft, ...] = ()
    if party is not None:
        with arguments.raise_as_malformed("party"):
            going_on = party_of(party.given if isinstance(party, Url) else str(party), find(ruleset)).drafts
    create_store(where, [opened, *going_on], by=by, at=current_time())
    return Log(where, by=by)


def memory(ruleset: str, *, title: str = "", options: Mapping[str, str] | None = None, by: str = "gm") -> Log:
    """Return a new log in this process alone; raise UnknownRuleset, Malformed for an unknown option."""
    store = MemoryStore([_opening_draft(ruleset, title, options)], by=by, at=current_time())
    return Log(store.path, by=by, store=store)


def _opening_draft(ruleset: str, title: str, options: Mapping[str, str] | None) -> Draft:
    arguments.check_type("ruleset", ruleset, str, "text")
    rules = find(ruleset)
    arguments.check_type("title", title, str, "text")
    return Draft(make_opening(rules, title or "An encounter", arguments.check_options(rules, options)))


def open(path: AnyPath | Url, *, by: str = "gm") -> Log:  # noqa: A001 – el.open
    """Return the log at a path or URL; raise as the store does if there is none. Opening changes nothing."""
    log = Log(path, by=by)
    next(iter(log))
    return log


def diff(one: Readable, other: Readable) -> Differences:
    """Return the differences between two logs, from the first to the second: values, findings, facts that make no sense.

    Raises Malformed for anything but a log or a fork of one.
    """
    for name, each in (("one", one), ("other", other)):
        if not isinstance(each, Readable):
            says = f"logs and forks are compared, got {type(each).__name__}"
            raise Malformed(name, says, "el.open(PATH) gives the log of a file")
    return find_differences(Account(list(one)), Account(list(other)))
