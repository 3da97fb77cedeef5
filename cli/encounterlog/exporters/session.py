"""A session: the view of a log that exporters get, all of it from the projections; and a walk through its lines."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime, tzinfo
from functools import cached_property, partial
from typing import Any, Literal, NamedTuple, TypeVar

from msgspec import Struct, structs

from encounterlog.ask.listing import LogRow, LogRows, refuse_round
from encounterlog.log.logs import LogView, refuse_unknown_ruleset
from encounterlog.progress import Counted
from eventstore.chain import Anchor
from eventstore.copying import Copy
from eventstore.events import Checked, CombatantJoined, Correction, EncounterOpened, Fact, RulingMade
from eventstore.record import Recorded
from eventstore.spool import Spool
from projections.judging.audit import Auditor, Finding
from projections.judging.statements import Judged, judge_statement, mark_outdated
from projections.occurrence import Occurrence
from projections.replay.replay import Observer, replay, resume
from projections.state import State
from projections.views.deeds import combatant_hit, hit_points_text
from projections.views.statistics import Sums, Tally
from projections.views.steps import Change, PoolsWatch, Step, Watch, step_observer
from projections.views.view import CombatantView, Show, show

T = TypeVar("T")
Table = Literal["events", "rounds"]
Source = Copy | LogView  # a verified log, secrets perhaps withheld
WHOLE = 10_000  # the most records of a log that is kept in memory, with its lines, while it is exported


class Wanted(Struct, frozen=True):
    """The wishes for an export: rounds (None: all), the table, the time zone (None: the system's).

    `statements` includes those that agree with the facts.
    """

    rounds: range | None = None
    table: Table = "events"
    zone: tzinfo | None = None
    statements: bool = False


def changes_the_past(record: Recorded) -> bool:
    """Return whether a record changes lines before it: a correction does, a ruling that reveals, and a joining, by which a
    combatant may be hidden, or no longer.
    """
    event = record.event
    reveals = isinstance(event, RulingMade) and event.ruling == "reveal"
    return reveals or isinstance(event, Correction | CombatantJoined)


class FactLine(Struct, frozen=True):
    """A line of an export: a fact in words with the values that it changed, or a record that states no fact.

    `step` is None for a record that cannot be read, or has no effect. `names` are those of the combatants at that time; a
    walk gives only the new ones. `stands` are the hit points, after a colon, of the combatants whom the fact hurts or heals.
    """

    row: LogRow
    step: Step | None = None
    names: dict[str, str] = {}
    stands: str = ""

    @property
    def changes(self) -> tuple[Change, ...]:
        """The values that the fact changed."""
        return self.step.changes if self.step else ()

    def name(self, who: str) -> str:
        """Return the name of a combatant at that time; an id that nobody has is its own name."""
        return self.names.get(who, who)


Visitor = Callable[[FactLine, State | None], None]
"""A function that is called with each line and the state after it, None for a record that states no fact."""


class Walk:
    """The lines of all rounds of a session so far, each shown to `see` once.

    The state changes as the walk goes on. `before` sees each fact and the state before it; a walk that is `judged` audits
    the log as well. `rows` puts them into words.
    """

    def __init__(
        self,
        session: "Session",
        see: Visitor,
        *,
        judged: bool = False,
        before: Observer | None = None,
        rows: LogRows | None = None,
    ) -> None:
        """Walk through the whole log; raise Refused if its ruleset is not installed."""
        self._records, self._see = session.records, see
        self._rows = rows or LogRows(self._records, short=False)
        self._known: dict[str, str] = {}
        self._auditor = Auditor(before) if judged else None
        self._before = self._auditor.observe_fact if self._auditor else before
        self._after = step_observer(self._add_step, Watch())
        see(FactLine(self._rows.of_record(next(iter(self._records)))), None)
        with refuse_unknown_ruleset(session.copy.path):
            self.done = replay(self._records, before=self._before_fact, after=self._after)
        self._see_left_out(self.state)

    @property
    def state(self) -> State:
        """The state after the last line."""
        return self.done.state

    def walk_news(self, records: Iterable[Recorded], news: Sequence[Recorded]) -> None:
        """Walk through the news at the end of the log, none of which `changes_the_past`; raise as `resumed` does."""
        self._records = records
        self._rows.take_news(news, records)
        self.done = resume(self.done, news, before=self._before_fact, after=self._after)
        self._see_left_out(self.state)

    def findings(self) -> tuple[Finding, ...]:
        """Return the audit's findings in all records so far, none if the walk is not `judged`."""
        return self._auditor.make_audit(self._records, self.done).findings if self._auditor else ()

    def _before_fact(self, state: State, fact: Occurrence[Any]) -> None:
        self._see_left_out(state)
        if self._before:
            self._before(state, fact)

    def _add_step(self, step: Step, state: State) -> None:
        event, found = step.fact.event, self._rows.of_fact(state, step.fact)
        stands = hit_points_text(state, who) if (who := combatant_hit(event)) else ""
        self._see(FactLine(found, step, self._new_names(event, state), stands), state)

    def _see_left_out(self, state: State) -> None:
        for one in self._rows.left_out(state):
            self._see(FactLine(one), None)

    def _new_names(self, event: Fact, state: State) -> dict[str, str]:
        if not isinstance(event, CombatantJoined | RulingMade):
            return {}
        who = (event.combatant,) if isinstance(event, CombatantJoined) else state.combatants
        names = {each: state.combatants[each].name for each in who if each in state.combatants}
        found = {each: name for each, name in names.items() if self._known.get(each) != name}
        self._known |= found
        return found


class Walked(NamedTuple):
    """The outcome of a walk through a session: its lines, the last seq that had an effect in each round (0 if none had), the last
    names, the findings, and the statements whose values all agreed with the facts when they were stated.
    """

    lines: Spool[FactLine]
    rounds: dict[int, int]
    names: dict[str, str]
    findings: tuple[Finding, ...]
    agreeing: frozenset[int]


class Views(NamedTuple):
    """The views directly before the wanted rounds (for the whole log: before any combatant acts), after the first, after the last;
    and the combatants who came in them, in their state on arrival. They have no history of pools.
    """

    before: Show
    first: Show
    last: Show
    latecomers: dict[str, CombatantView]


class Session:
    """A verified log, as its audience may see it: records, lines, states, views, findings.

    The projections always see the whole log; `wants` says which rounds are exported. `for_players` says that secret
    records that were not revealed have no payload here, so that nothing that is derived from the records can contain any.
    One that is `judged` before anything is read gathers the findings of the audit with its lines.
    """

    judged = False

    def __init__(self, copy: Source, wanted: Wanted | None = None, *, for_players: bool = False) -> None:
        self.copy, self.wanted, self.for_players = copy, wanted or Wanted(), for_players
        self.head: Anchor = copy.head

    @cached_property
    def records(self) -> Iterable[Recorded]:
        """The records, which can be read repeatedly; a withheld one has no event.

        Those of a long log are held outside memory.
        """
        if self.head.seq > WHOLE:
            return self.copy
        whole = tuple(self.copy)
        return Counted(whole, whole.__len__, "exporting")

    @cached_property
    def opening(self) -> EncounterOpened:
        """The first fact: title, encounter, ruleset, options."""
        first = next(iter(self.records)).event
        assert isinstance(first, EncounterOpened)  # noqa: S101 – else the store would not have read it
        return first

    @property
    def title(self) -> str:
        """The title, as it was typed."""
        return self.opening.title

    def wants(self, round_: int) -> bool:
        """Return whether a round is exported; 0 is the time before the first."""
        return self.wanted.rounds is None or round_ in self.wanted.rounds

    def local(self, at: str) -> datetime:
        """Return a moment of the log in the reader's zone; one at the ends of the calendar in UTC."""
        moment = datetime.fromisoformat(at)
        try:
            return moment.astimezone(self.wanted.zone)
        except (OverflowError, ValueError, OSError):
            return moment

    @cached_property
    def whole(self) -> Walked:
        """Everything that one walk through the log gives."""
        lines, stated = Spool[FactLine](WHOLE if self.head.seq <= WHOLE else None), list[Judged]()
        rounds = dict[int, int]()

        def see(one: FactLine, _: State | None) -> None:
            lines.append(one)
            number = one.row.when.round
            rounds[number] = one.row.seq if one.step else rounds.get(number, 0)

        def observe_fact(state: State, fact: Occurrence[Any]) -> None:
            if isinstance(fact.event, Checked):
                stated.extend(judge_statement(state, fact))

        walk = Walk(self, see, judged=self.judged, before=observe_fact)
        compared = mark_outdated(self.records, walk.done, stated)
        agreeing = {one.fact.seq for one in stated} - {one.fact.seq for one in compared if not one.agrees}
        names = {who: one.name for who, one in walk.state.combatants.items()}
        return Walked(lines, rounds, names, walk.findings(), frozenset(agreeing))

    @property
    def all_lines(self) -> Iterator[FactLine]:
        """The lines of all rounds."""
        names: dict[str, str] = {}
        for one in self.whole.lines:
            names = names | one.names if one.names else names
            yield structs.replace(one, names=names)

    @property
    def lines(self) -> Iterator[FactLine]:
        """The lines of the wanted rounds; raises Refused if none of them was played."""
        played = self.played
        return (one for one in self.all_lines if one.row.when.round in played)

    @property
    def played(self) -> dict[int, int]:
        """The wanted rounds, each with the last seq that had an effect in it, or 0; raises Refused if none of them was played."""
        found = {number: seq for number, seq in self.whole.rounds.items() if self.wants(number)}
        if not found:
            raise refuse_round("no such round", max(self.whole.rounds))
        return found

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of the audit, of all rounds, if the session is `judged`."""
        return self.whole.findings

    def ends(self, look: Callable[[int, State], T]) -> dict[int, T]:
        """Return the results of `look` at the end of each wanted round, by its number; 0 is the time before the first."""
        rounds = {seq: number for number, seq in self.played.items() if seq}
        found = self._states_at(rounds, lambda state: look(rounds[state.seq], state))
        return {number: found[seq] for seq, number in rounds.items()}

    def statistics(self) -> tuple[Tally, ...]:
        """Return one row for each wanted round and each combatant in it."""
        sums = Sums(self.wants)
        with refuse_unknown_ruleset(self.copy.path):
            replay(self.records, after=step_observer(sums.take_step, PoolsWatch()))
        return sums.tallies() if sums.ends or self.played else ()

    @cached_property
    def views(self) -> Views:
        """The views at the edges of the wanted rounds, and of the combatants who came in them."""
        came, start, round_ = dict[str, int](), 1, min(self.wanted.rounds) if self.wanted.rounds else 0
        # up to the last fact before the wanted rounds, or before anybody acts; 1 is the opening
        for one in self.all_lines:
            when = one.row.when
            if when.round >= max(round_, 1) or (not round_ and (when.segment or when.turn)):
                break
            start = one.row.seq if one.step else start
        last = start
        for one in self.lines:
            if one.step:
                last = one.row.seq
                if isinstance(event := one.step.fact.event, CombatantJoined):
                    came[event.combatant] = last
        first = next(filter(None, self.played.values()), last)
        first = last if first == start else first
        views = self._states_at({start, first, last, *came.values()}, partial(show, history=False))
        before, end = views[start], views[last]
        late = [who for who in end.combatants if who in came and who not in before.combatants]
        return Views(before, views[first], end, {who: views[came[who]].combatants[who] for who in late})

    def _states_at(self, seqs: Collection[int], look: Callable[[State], T]) -> dict[int, T]:
        found: dict[int, T] = {}

        def see(state: State, fact: Occurrence[Any]) -> None:
            if fact.seq in seqs:
                found[fact.seq] = look(state)

        def first(state: State, _: Occurrence[Any]) -> None:
            if state.seq == 1:
                found[1] = look(state)

        with refuse_unknown_ruleset(self.copy.path):
            last = replay(self.records, before=first if 1 in seqs else None, after=see).state
        return {seq: found[seq] if seq in found else look(last) for seq in seqs}

    def name(self, who: str) -> str:
        """Return the display name of a combatant, as it was typed; an id that nobody has is its own name."""
        return self.whole.names.get(who, who)
