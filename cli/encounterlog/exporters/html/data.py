"""The page's contents as data: sentences, leaves of the state as differences, reasons, lanes, findings."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, structs

from encounterlog.ask.audit import clause_text
from encounterlog.ask.listing import LogRows, Moment
from encounterlog.exporters.chapters import FIRST_STRONG, POP, describe_standing
from encounterlog.exporters.html.foes import EVERYTHING, POOLS, Foes
from encounterlog.exporters.html.rows import RECENT, Numbered, Rows, outside_memory
from encounterlog.exporters.session import FactLine, Session, Walk
from encounterlog.words.facts import WITHHELD, fact_sentence
from encounterlog.words.naming import Voice
from eventstore.events import CombatantJoined, DiceCommitted, DiceDrawn, Fact
from eventstore.record import Recorded
from eventstore.spool import Spool
from eventstore.wording import visible
from projections.explaining.fairness import check_fairness
from projections.explaining.past import Past
from projections.explaining.shown import mark_leaves_untried, weigh_leaves
from projections.explaining.striking import Weighed
from projections.folds.moves import next_up
from projections.folds.vitals import status_or_left
from projections.mechanics.conditions import effects_of
from projections.replay.replay import replay
from projections.state import State
from projections.stream.audience import shown_to_players
from projections.stream.concealment import joining
from projections.stream.corrections import append_start, corrections_of
from projections.views import deeds
from projections.views.deeds import hit_points_text
from projections.views.lane_shapes import KINDS, SIGNS, Lanes
from projections.views.lanes import Gathering
from projections.views.leaves import Leaf, LeavesSeen
from projections.views.statistics import Causes, Counting, standings
from projections.views.steps import Step, Watch, step_observer


class DrawnRoll(Struct, frozen=True):
    """A roll that was drawn from a chain, with the record that shows it and the faces there; none if there is no such record.

    `append` is the first record that was appended with it: a word serves the rolls of one append.
    """

    seq: int
    append: int
    number: int
    link: str
    word: str
    giver: str
    notation: str
    hidden: bool
    event: int
    faces: tuple[int, ...]
    withheld: bool


class Begun(Struct, frozen=True):
    """A chain of dice that was begun: the record, and the link before its first roll."""

    seq: int
    holder: str
    link: str
    length: int
    hidden: bool


class Dice(Struct, frozen=True):
    """The data with which the page checks the dice by itself, and the number of typed ones."""

    chains: tuple[Begun, ...]
    rolls: tuple[DrawnRoll, ...]
    typed: int


def dice_of(records: Iterable[Recorded]) -> Dice | None:
    """Return the dice of a log; None for one without a chain of dice."""
    about = [one for one in records if isinstance(one.event, DiceDrawn | DiceCommitted)]
    if not about:
        return None
    found = check_fairness(records)
    shown = {throw.drawn: throw.faces for throw in found.throws if throw.drawn}
    withheld = {one.seq for one in records if one.event is None}
    chains, rolls = list[Begun](), list[DrawnRoll]()
    for one in about:
        match one.event:
            case DiceCommitted(holder=holder, link=link, length=length, hidden=hidden):
                chains.append(Begun(one.seq, visible(holder), link, length, hidden))
            case DiceDrawn() as roll:
                place = one.seq + roll.event if roll.event < 0 else roll.event
                rolls.append(DrawnRoll(
                    one.seq, append_start(one), roll.number, roll.link, roll.word, visible(roll.giver or ""), roll.notation,
                    roll.hidden, place, shown.get(one.seq, ()), place in withheld,
                ))  # fmt: skip
    return Dice(tuple(chains), tuple(rolls), sum(1 for throw in found.throws if throw.drawn is None))


def isolate_name(name: str) -> str:
    """Return a name with the marks of isolation around it; it holds neither itself, as invisible characters are made visible."""
    return f"{FIRST_STRONG}{visible(name)}{POP}"


class Isolated(LogRows):
    """Rows with the names of the combatants isolated, each made once."""

    def __init__(self, records: Iterable[Recorded]) -> None:
        super().__init__(records, short=False)
        self.say = plain_words
        self._made: dict[str, str] = {}

    def names_at(self, state: State, _event: Fact | None = None) -> Voice:
        """Return the names in a state."""
        found = state.combatants

        def name(who: str) -> str:
            said = found[who].name if who in found else who
            return self._made.get(said) or self._made.setdefault(said, isolate_name(said))

        return Voice(state.rules, name)


def plain_words(event: Fact, name: Callable[[str], str]) -> str:
    """Return a fact in words."""
    seen = _make_visible(event)
    if isinstance(seen, CombatantJoined) and seen.name:
        seen = structs.replace(seen, name=isolate_name(seen.name))
    return fact_sentence(seen, name)


def _make_visible(value: Any) -> Any:
    if isinstance(value, str):
        return visible(value)
    text = "" if isinstance(value, int | None) else msgspec.json.encode(value).decode()
    if "\\" not in text and text.isprintable():  # a backslash may begin an escape of JSON
        return value
    if isinstance(value, Struct):
        fields = {field: _make_visible(getattr(value, field)) for field in value.__struct_fields__}
        return structs.replace(value, **fields)
    if isinstance(value, dict):
        return {_make_visible(key): _make_visible(one) for key, one in value.items()}
    return tuple(map(_make_visible, value)) if isinstance(value, list | tuple) else value


class Deed(Struct, frozen=True, array_like=True):
    """A deed: the seq of the fact that it began with, and its sentence."""

    seq: int
    words: str


BASE = 64
"""The number of events after which the whole state is given again, so that a jump applies no more differences than that."""
BASE_LIVE = 512  # the same on a page that follows a log: it is fetched again and again, and mostly shows the end
CITED = 8  # the number of events that a reason cites, the last ones; of the others it gives the number
STRUCK = 2_000
"""The most lines of a page for which the facts behind its last values are struck one by one, to find which of them decide."""


class Event(Struct, frozen=True, array_like=True):
    """A line of the log: its seq, the number of its moment, the sentence, a note on what is unusual."""

    seq: int
    moment: int
    words: str
    note: str


class Why(Struct, frozen=True, array_like=True):
    """A reason: numbers of rules, the last events, the number of further ones, options."""

    rules: tuple[int, ...]
    events: tuple[int, ...]
    more: int
    options: dict[str, str]


class Total(Struct, frozen=True, array_like=True):
    """The points that a combatant dealt, took and healed in all, and their state at the end."""

    name: str
    dealt: int
    took: int
    healed: int
    stood: str


class Turning(Struct, frozen=True, array_like=True):
    """A turning point: the seq of its fact, the combatant and their new status, and by whom and with what that was done ("" if unsaid)."""

    seq: int
    name: str
    became: str
    by: str
    means: str


T = TypeVar("T")
Change = tuple[int, Any, int]
"""A leaf that changed: the number of its address, its value (null: it is no more), the number of its reason, or -1."""


class NotDeciding(Struct, frozen=True, omit_defaults=True):
    """The events behind a value that do not decide it, and those that were not tried, as in the answer to a question why."""

    looked_at: tuple[int, ...] = ()
    untried: tuple[int, ...] = ()


class Page(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything that the page shows; tables are referred to by number, `bases` by the place of the event.

    `weighed` has, by the address of a value at the end, the events that were only looked at for it, and those of which that
    is not known, as it would take too much work; where it was asked.
    `own` are the combatants of the player who looks at it, `words` stand at its end for hit points that the player does
    not see. `next` is whose turn comes next at its end. A game master's page also has those who are `hidden` from
    players, and the combatants of all `players`. `deeds` are what happened, a sentence each. On a page that follows a
    log, players find no trace of a secret, and events are `counted` as they know them. `dice` are there where the log
    has a chain of dice, and `by` is the name that a player writes under, whose words for dice the page keeps. `closed`
    says that the fight is over.
    """

    title: str
    encounter: str
    ruleset: str
    rulesetTitle: str  # noqa: N815 – the name that JavaScript reads
    options: dict[str, str]
    head: str
    audience: str = msgspec.field(name="for")
    events: Rows[Event]
    moments: Rows[Moment]
    addresses: Rows[str]
    rules: list[tuple[str, str]]
    whys: Rows[Why]
    bases: Rows[tuple[int, list[Change]]]
    steps: Rows[list[Change]]
    lanes: Rows[Any]
    kinds: dict[str, str]
    signs: dict[str, str]
    statuses: dict[str, str]
    findings: Any
    weighed: dict[str, NotDeciding] = {}
    own: tuple[str, ...] = ()
    words: dict[str, str] = {}
    next: str = ""
    hidden: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    deeds: Rows[Deed] = []
    summary: list[Total] = []
    turning: list[Turning] = []
    counted: bool = False
    dice: Dice | None = None
    by: str = ""
    closed: bool = False


class Replayed:
    """The page of a session in the making: it sees each line of the log, with the state after it.

    A `live` one goes on as the log grows, and players find no trace in it of withheld records; any other is made once, with its
    rows outside memory.
    """

    def __init__(self, session: Session, *, live: bool = False, foes: Foes = EVERYTHING) -> None:
        self._session, self._live, self._foes = session, live, foes
        self._traceless = live and session.for_players
        self._base = BASE_LIVE if live else BASE
        self._keep = keep = list[Any] if live else outside_memory
        self._events: Rows[Event] = keep()
        self._steps: Rows[list[Change]] = keep()
        self._bases: Rows[tuple[int, list[Change]]] = keep()
        self._moments = Numbered[Moment, Moment](keep(), RECENT)
        self._addresses, self._rules = Numbered[str, str]([]), Numbered[str, str]([])
        self._whys = Numbered[Hashable, Why](keep(), RECENT)
        self._lanes = Gathering(None if live else outside_memory())
        self._leaves = LeavesSeen()
        self._now: dict[int, Change] = {}
        self._lasted: tuple[str, ...] = ()
        self._pictures: dict[int, tuple[Lanes, Any]] = {}
        self._deeds: Rows[Deed] = keep()  # all but the last one, which may go on
        self._seen, self._last = deeds.Deeds(most=1), deeds.Deed(0, "")
        self._rows, before = Isolated(session.records), self._lanes.keep_round
        self._walk = Walk(session, self._add_line, judged=True, before=before, rows=self._rows)

    def take_news(self, session: Session, news: Sequence[Recorded]) -> None:
        """Take in the news of a session whose log has grown by them; none of them `changes_the_past`."""
        self._session = session
        self._walk.walk_news(session.records, news)

    def _add_line(self, one: FactLine, state: State | None) -> None:
        row, changes = one.row, list[Change]()
        if self._traceless and row.words == WITHHELD:
            return
        words = self._line_in_words(one, state)
        if one.step and state:
            self._add_deed(one.step, state, words)
            changes += self._step_changes(one.step, state)
        self._events.append(Event(row.seq, self._moments.number_of(row.when, row.when), words, visible(row.note)))
        self._steps.append(changes)
        if len(self._steps) % self._base == 0:
            self._bases.append((len(self._steps) - 1, list(self._now.values())))

    def _line_in_words(self, one: FactLine, state: State | None) -> str:
        event = one.row.event
        if event is None:
            return visible(one.row.words)
        if one.step is None or state is None:
            return plain_words(event, isolate_name)
        if isinstance(event, CombatantJoined) and self._foes.has_hidden_points(state, event.combatant):
            return plain_words(structs.replace(event, sheet={}), isolate_name)
        return one.row.words

    def _add_deed(self, step: Step, state: State, words: str) -> None:
        def stands(who: str) -> str:
            one = state.combatants.get(who)
            if one is None or one.hp is None or not self._foes.has_hidden_points(state, who):
                return hit_points_text(state, who)
            status = status_or_left(one).value
            said = self._foes.hit_points_word(state, who) if status == "up" else status
            return f": {said}" if said else ""

        deed = self._seen.take_fact(step.fact, words, self._rows.names_at(state), stands)
        if deed is not None and deed is not self._last:
            self._end_deed(self._deeds)
            self._last = deed

    def _end_deed(self, rows: Rows[Deed]) -> None:
        if self._last.seq:
            rows.append(Deed(self._last.seq, self._last.sentence))

    def _step_changes(self, step: Step, state: State) -> Iterator[Change]:
        self._lanes.mark_changes(step, state)
        for address, found in (self._leaves.changed_leaves(step, state) | self._durations_left(state)).items():
            leaf = self._value_for_audience(address, found, state)
            number = self._addresses.number_of(address, address)
            before = self._now.pop(number, None) if leaf is None else self._now.get(number)
            change = (number, None, -1) if leaf is None else (number, _make_visible(leaf.value), self._why(state, leaf))
            if leaf is not None:
                self._now[number] = change
            if change != before:
                yield change

    def _value_for_audience(self, address: str, leaf: Leaf | None, state: State) -> Leaf | None:
        who, _, name = address.rpartition(".")
        if leaf is None or name not in POOLS or not self._foes.has_hidden_points(state, who):
            return leaf
        return structs.replace(leaf, value=self._foes.hit_points_word(state, who)) if name == "hp" else None

    def _durations_left(self, state: State) -> dict[str, Leaf | None]:
        found: dict[str, Leaf | None] = {}
        for who in dict.fromkeys(one.bearer for one in state.conditions.values() if one.left is not None):
            lasting = ((each, each.duration) for each in effects_of(state.conditions, who))
            left = [[each.name, each.left, long.unit if long else None] for each, long in lasting]
            found[f"{who}.lasting"] = Leaf(left)
        gone: dict[str, Leaf | None] = {address: None for address in self._lasted if address not in found}
        self._lasted = tuple(found)
        return gone | found

    def _why(self, state: State, leaf: Leaf) -> int:
        if leaf.because is None:
            return -1
        reason = state.reason(leaf.because)
        rules = tuple(self._rules.number_of(rule, rule) for rule in reason.rules)
        events, more = reason.events[-CITED:], max(0, len(reason.events) - CITED)
        key = (rules, events, more, tuple(reason.options.items()))
        return self._whys.number_of(key, Why(rules, events, more, reason.options))

    def make_page(self) -> Page:
        """Return the page as it is now; it stays as it is when this goes on."""
        session, live, made_deeds = self._session, self._live, keep_rows(self._deeds)
        self._end_deed(made_deeds)
        state, findings = self._walk.state, self._walk.findings()
        rules, lanes = state.rules, self._keep()
        for picture in self._lanes.pictures(state, findings):
            known = self._pictures.get(picture.round)
            if known is None or known[0] is not picture:
                known = picture, _make_visible(msgspec.to_builtins(picture, str_keys=True))
                self._pictures |= {picture.round: known} if live else {}
            lanes.append(known[1])
        told = not live or (state.closed and not session.for_players)
        totals, turning = _summarize_combatants(session, state) if told else ([], [])
        weighed: dict[str, Weighed] = {}
        if not live:
            is_long = len(self._events) > STRUCK
            weighed = mark_leaves_untried(state, CITED) if is_long else weigh_leaves(Past(session.records))
        return Page(
            title=visible(session.title),
            encounter=session.opening.encounter,
            ruleset=rules.key,
            rulesetTitle=rules.title,
            options=dict(session.opening.options),
            head=str(session.head),
            audience="players" if session.for_players else "everybody",
            events=keep_rows(self._events),
            moments=keep_rows(self._moments.rows),
            addresses=keep_rows(self._addresses.rows),
            rules=[(rule, clause_text(rules, rule)) for rule in self._rules.rows],
            whys=keep_rows(self._whys.rows),
            bases=keep_rows(self._bases),
            steps=keep_rows(self._steps),
            lanes=lanes,
            kinds=KINDS,
            signs=SIGNS,
            statuses=rules.statuses,
            findings=_make_visible(msgspec.to_builtins(findings)),
            weighed={
                who: NotDeciding(one.looked_at, one.untried)
                for who, one in weighed.items()
                if one.looked_at or one.untried
            },
            next=next_up(state) or "" if live else "",
            hidden=_hidden_combatants(session) if live else (),
            deeds=made_deeds,
            summary=totals,
            turning=turning,
            counted=self._traceless,
            dice=dice_of(session.records),
            closed=bool(state.closed),
        )


def replay_of(session: Session, *, live: bool = False, foes: Foes = EVERYTHING) -> Page:
    """Return the data of a session's page."""
    return Replayed(session, live=live, foes=foes).make_page()


def keep_rows(rows: Rows[T]) -> Rows[T]:
    """Return rows that stay as they are when others are added; those outside memory are read once, at the end."""
    return rows if isinstance(rows, Spool) else [*rows]


def _summarize_combatants(session: Session, state: State) -> tuple[list[Total], list[Turning]]:
    stood, causes, turning, was = standings(state), Causes(), list[Turning](), dict[str, str]()
    counting = Counting({0: stood})

    def see(step: Step, now: State) -> None:
        counting.count_step(0, step)
        event = step.fact.event
        source, means = causes.source_and_means(step.fact)
        several = getattr(event, "targets", None) or ()
        named = {getattr(event, "target", None), getattr(event, "combatant", None), *several}
        for who in filter(None, named & now.combatants.keys()):
            one = now.combatants[who]
            became, before = status_or_left(one).value, was.get(who, "up")
            was[who] = became
            if became != before and not one.left:
                by = now.combatants[source].name if source in now.combatants and source != who else ""
                parts = (part.name for part in getattr(event, "parts", None) or ())
                means = means or next((part for part in parts if part not in ("dice", "bonus")), "")
                turning.append(Turning(step.fact.seq, visible(one.name), became, visible(by), visible(means)))

    replay(session.records, after=step_observer(see, Watch()))
    totals = [
        Total(visible(each.name), each.dealt, each.took, each.healed, describe_standing(stood[each.combatant], " hp"))
        for each in counting.tallies()
    ]
    return totals, turning


def _hidden_combatants(session: Session) -> tuple[str, ...]:
    """Return the combatants who joined in secret and were not revealed since; players do not know them."""
    if session.for_players:
        return ()
    joined = [(each, one.combatant) for each in session.records if (one := joining(each.event))]
    secret = [(each.seq, who) for each, who in joined if each.secret]
    shown = shown_to_players(session.records) if secret else frozenset()
    struck = corrections_of(session.records).struck if secret else ()
    openly = {who for each, who in joined if (not each.secret or each.seq in shown) and each.seq not in struck}
    return tuple(dict.fromkeys(who for _, who in secret if who not in openly))
