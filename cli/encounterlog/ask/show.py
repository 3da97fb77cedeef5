"""The state of a fight at any point: clock, combatants, order, the round as a picture, the findings up to there."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, Struct, UnsetType, structs

from encounterlog.ask import dice, reasons
from encounterlog.ask import picture as ground
from encounterlog.ask import picture as lanes
from encounterlog.ask.question import AT, Answer, Argument, Kind, Question
from encounterlog.core.logs import LogView, explained, replayed
from encounterlog.text.layout import HANG, alarm, bar, blocks, count, heading, joined, name, table, wrap
from encounterlog.text.naming import labels
from encounterlog.text.phrases import value
from eventstore.errors import StoreError
from eventstore.events import RoundStarted, RulingMade, TurnStarted
from projections.explaining.fairness import fairness
from projections.explaining.shown import proved
from projections.folds.addresses import book
from projections.judging.audit import Finding, audit
from projections.occurrence import Occurrence
from projections.replay.replay import Observer, Replay
from projections.ruleset.ruleset import Ruleset
from projections.rulesets import find
from projections.state import State
from projections.stream.corrections import Corrections
from projections.time import Where
from projections.views.current_round import CurrentRound, lanes_of, last_round
from projections.views.lanes import Lanes
from projections.views.view import CombatantView, EntryView, SlotView, show, timeline
from projections.views.view import Show as Shown

if TYPE_CHECKING:
    from eventstore.record import Recorded
    from projections.explaining.fairness import Fairness


class Show(Shown, frozen=True, kw_only=True):
    """The output of `encounter show --json`; `verified_from` is the first record that was verified now, 1 if all were.

    `dice` says how many rolls are proven, bound and typed, in a log that has a chain of dice.
    """

    dice: dict[str, int] | UnsetType = UNSET
    verified_from: int


TURNING = (RoundStarted, TurnStarted, RulingMade)
"""The facts that may end a round; the timeline is kept before they take effect."""

DUE, LOST = "due", "lost"
MOST = 3
"""The most findings that the page lists; the audit lists all."""
LINES = 28
"""The most lines of a short page, if possible: with ten combatants it fits a small terminal."""
SHORTER = ("standing", "readings", "headings", "order", "notes", "map", "findings")
"""The parts that a page shortens if it is too long, one after the other until it fits; all stay whole if it never does."""
MARK = 16
"""The room for a column of names."""


class View(Struct, frozen=True):
    """A view of a log up to record `seq`, what is wrong with the log, if anything, and the later corrections applied.

    `findings` are those of the audit up to there, and `lanes` the picture of the round, if they were asked for; `dice` is
    where the dice up to there came from, None for a log without a chain of dice.
    """

    problem: StoreError | None
    shown: Shown
    seq: int
    corrected: tuple[int, ...]
    findings: tuple[Finding, ...] = ()
    lanes: Lanes | None = None
    dice: "Fairness | None" = None


def view(log: LogView, where: Where | None, every: bool, *, judge: bool = False, drawn: bool = True) -> View:
    """Return a log at a point; if wanted with the timelines of all rounds, the findings up to there, the picture.

    With findings it is a view for the short page, which has no history of the pools.
    """
    rounds: dict[int, tuple[EntryView, ...]] = {}
    present = CurrentRound(last_round(log, where)) if drawn else None

    def keep(state: State, fact: Occurrence[Any]) -> None:
        if present:
            present.before(state, fact)
        if every and isinstance(fact.event, TURNING):
            rounds[state.clock.point.round] = timeline(state)

    done, findings = _replayed(log, where, keep if drawn or every else None, judge=judge)
    shown = show(done.state, history=not judge)
    picture = lanes_of(log, where, present, done, findings) if present else None
    if every:
        rounds[shown.clock.round] = shown.timeline
        shown = structs.replace(shown, timeline=_once(row for number in sorted(rounds) for row in rounds[number]))
    seq = done.records if where is None else where.seq or shown.seq
    log.note_revision()
    return View(log.problem, shown, seq, tuple(later(done.corrections, seq)), findings, picture, _dice(log, seq))


def _dice(log: LogView, seq: int) -> "Fairness | None":
    """Return the origin of the dice up to a record; None for a log without a chain of dice."""
    if not log.is_chained:
        return None
    records: list[Recorded] = []
    with suppress(StoreError):  # of which the view tells
        records.extend(record for record in log if record.seq <= seq)

    found = fairness(records)
    return found if found.chains else None


def document(view: View) -> dict[str, Any]:
    """Return the data of a view that `show --json` prints."""
    shown = view.shown
    dice = {"dice": dict(view.dice.levels)} if view.dice else {}
    return {name: getattr(shown, name) for name in shown.__struct_fields__} | dice | {"verified_from": 1}


def _replayed(
    log: LogView, where: Where | None, before: Observer | None, *, judge: bool
) -> tuple[Replay, tuple[Finding, ...]]:
    if not judge:
        return replayed(log, where, before=before), ()
    with explained(log, where):
        done = audit(log, where, before=before)
    return done.replay, done.findings


def later(corrections: Corrections, seq: int) -> Iterator[int]:
    """Yield the corrections after a record that change earlier facts."""
    made = list(corrections.struck.items())
    made += [(target, words.seq) for target, words in corrections.amended.items()]
    made += [(after, words.seq) for after, put in corrections.inserted.items() for words in put]
    yield from sorted({one for target, one in made if target <= seq < one})


def _once(rows: Iterable[EntryView]) -> tuple[EntryView, ...]:
    """Return the rows of several rounds by round, each once, as it stood last: a row that runs on is in several timelines. A row
    that was due and was lost later is only lost.
    """
    found: dict[tuple[object, ...], EntryView] = {}
    for row in rows:
        key = (row.round, row.segment, row.second, row.combatant, row.action, row.name, row.events[:1])
        before = found.get(key)
        found[key] = structs.replace(row, turn=before.turn) if before and row.turn is None else row
    lost = {(row.round, row.combatant, row.action) for row in found.values() if row.status == LOST}
    kept = (row for row in found.values() if row.status != DUE or (row.round, row.combatant, row.action) not in lost)
    return tuple(sorted(kept, key=lambda row: row.round))


def page(view: View, *, why: bool = False, every: bool = False) -> list[str]:
    """Return the page of a view: with the reasons, or short, and then with the timelines only if all are wanted."""
    shown = view.shown
    if why:
        return reasons.page(shown, view.lanes, view.seq, view.corrected)
    steps = (frozenset(SHORTER[:most]) for most in range(len(SHORTER) + 1))
    whole = _lines(view, frozenset(), every=every)
    if every or len(whole) <= LINES:
        return whole
    return next((lines for step in steps if len(lines := _lines(view, step)) <= LINES), whole)


def _lines(view: View, shorter: frozenset[str], *, every: bool = False) -> list[str]:
    """Return the short page with these parts of it shortened."""
    shown, brief = view.shown, shorter.__contains__
    called = labels((who, one.name) for who, one in shown.combatants.items())
    rules = find(shown.ruleset)
    return [
        *reasons.head(shown, view.seq, view.corrected, why=False),
        *_section("" if brief("headings") else "Combatants", _combatants(shown, rules, brief=brief("standing"))),
        *_unborne(shown, called),
        *_order_and_picture(view, called, shorter),
        *(reasons.timelines(shown, called, why=False) if every else []),
        *_section("Map", ground.ground(shown, called, drawn=not brief("map"))),
        *reasons.readings(shown, brief=brief("readings")),
        *_chain(view),
        *(_findings(view.findings, 1) if brief("findings") else _section("Findings", _findings(view.findings, MOST))),
    ]


def _chain(view: View) -> list[str]:
    if view.dice is None:
        return []

    return [dice.brief(view.dice)]


def _section(title: str, lines: Iterator[str]) -> list[str]:
    found = list(lines)
    return [heading(title), *found] if found and title else found


# ---------------------------------------------------------------- the order


def _order_and_picture(view: View, called: dict[str, str], shorter: frozenset[str]) -> list[str]:
    """Return the order and the lanes of the round; where turns are counted, the lines of the lanes are the order."""
    shown, picture = view.shown, view.lanes
    by_turn = picture is not None and not shown.strip
    places = {who: _key(slot) for slot in shown.order for who in slot.combatants} if by_turn else {}
    drawn = list(lanes.lines(picture, called, places, brief="notes" in shorter)) if picture else []
    if drawn and places:
        return drawn
    rows = [(_key(slot), _there(slot, called)) for slot in shown.order]
    if "order" in shorter:
        return [*_in_a_row(rows), *drawn]
    return [*_section("" if "headings" in shorter else "Order", iter(table(rows))), *drawn]


def _in_a_row(rows: list[tuple[str, str]]) -> list[str]:
    """Return the order as one row of places, which takes fewer lines; a common beginning of the places is given once."""
    what = {place.partition(" ")[0] for place, _ in rows}
    start = f"Order, by {min(what)}:" if len(what) == 1 else "Order:"
    named = (f"{place.partition(' ')[2] if len(what) == 1 else place} {who}" for place, who in rows)
    return wrap(" > ".join(named), HANG, f"{start} ") if rows else []


def _there(slot: SlotView, called: dict[str, str]) -> str:
    """Return the combatants who act in a place of the order, and their other places."""
    who = " & ".join(called.get(one, one) for one in slot.combatants)
    elsewhere = ", ".join(
        f"{called.get(one, one)} else in segment {place}" for one, place in slot.key.get("else", {}).items()
    )
    return f"{who} ({elsewhere})" if elsewhere else who


def _key(slot: SlotView) -> str:
    """Return the place of a slot: its phase or segment, or the parts of its key that are numbers and not 0."""
    if slot.phase or slot.segment is not None:
        return reasons.place(slot)
    parts = ((part, number) for part, number in slot.key.items() if part != "round" and isinstance(number, int | str))
    return name(" ".join(f"{part} {number}" for part, number in parts if number not in (0, "")), 2 * MARK)


# ---------------------------------------------------------------- combatants


def _combatants(shown: Shown, rules: Ruleset, *, brief: bool) -> Iterator[str]:
    """Yield a line for each combatant, or more if one is too short: name, side, points as a bar and in figures, status, remaining resources."""
    rows = [_combatant(who, one, rules) for who, one in shown.combatants.items()]
    yield from table(rows) if brief else (line for block in blocks(rows) for line in block)


def _combatant(who: str, one: CombatantView, rules: Ruleset) -> tuple[str, str, str, str]:
    same = "-".join(one.name.casefold().split()) == who
    called = name(one.name) if same else f"{name(one.name, MARK)} ({name(who, MARK)})"
    side = name(one.side, MARK) if one.side != who else ""
    return called, side, points(one), joined([part for part in _standing(one, rules) if part], ", ")


def _unborne(shown: Shown, called: dict[str, str]) -> Iterator[str]:
    """Yield the effects on nobody, each with its remaining duration and its source; on one line if it is wide enough."""
    if shown.effects:
        yield from wrap(", ".join(reasons.lasting(one, called) for one in shown.effects), HANG, "Effects on nobody: ")


def points(one: CombatantView) -> str:
    """Return points as a bar and in figures: # hit points, = those that non-lethal damage has reached."""
    if one.hp is None:
        return "hp unknown"
    figures = f"{one.hp} of {value(one.hp_max)} hp" if one.hp_max is not None else f"{one.hp} hp"
    more = (f"{one.temp} temporary" if one.temp else "", f"{one.nld} non-lethal" if one.nld else "")
    return ", ".join([f"{bar(one.hp, one.hp_max or one.hp, one.nld)} {figures}", *(words for words in more if words)])


def _standing(one: CombatantView, rules: Ruleset) -> Iterator[str]:
    """Yield status with the event since which it is so, conditions, effects, work in progress, remaining acts."""
    fields = book(rules.addresses)
    tally = one.values.get(fields.tallies.get(one.status, ""))
    levels = [each for each in one.conditions if each.startswith(f"{one.status} ")]
    word = f"{one.status}({tally.value})" if tally else next(iter(levels), one.status)
    yield word if one.status == reasons.USUAL else joined([alarm(word), f" (event {one.since})"])
    yield from (each for each in one.conditions if each not in levels)
    if one.casting:
        yield f"casting {one.casting.name or 'something'}"
    elif one.concentration:
        yield f"concentrates on {one.concentration}"
    yield from (effect.name if effect.left is None else f"{effect.name} {effect.left}" for effect in one.effects)
    for field in (field for field in one.values if fields.is_notable(field)):
        found = one.values[field]
        if found.value not in ("none", None, 0, False, [], ()):
            yield " ".join(
                word for word in (fields.label(field), "" if found.value is True else value(found.value)) if word
            )
    if one.status == reasons.USUAL:
        yield _left(one)


def _left(one: CombatantView) -> str:
    counted = {what: left for what, left in one.budget.items() if left not in (None, (), {}, [])}
    some = [f"{what} {value(left)}" for what, left in counted.items() if left not in (0, "none")]
    return f"left: {', '.join(some)}" if some else "nothing left" if counted else ""


# ---------------------------------------------------------------- findings


def _findings(found: tuple[Finding, ...], most: int) -> Iterator[str]:
    """Yield the breaches first, so many at most, under the numbers that the audit gives them."""
    rank = sorted(found, key=lambda one: (one.ruled is not None, one.severity != "breach", one.event))
    weights = (f"{one.severity}, ruled" if one.ruled else one.severity for one in rank)
    yield from table(
        (f"{one.id}.", f"line {one.line}", alarm(word) if word == "breach" else word, f"{one.says} ({one.rule})")
        for one, word in zip(rank[:most], weights, strict=False)
    )
    if len(found) > most:
        yield f"  and {count(len(found) - most, 'finding')} more: encounter audit FILE"


def ask(log: "LogView", where: "Where | None" = None, every: bool = False, why: bool = False) -> Answer:
    """Return the state at a point. The page for people is drawn, and without the reasons also judged; the data are neither."""
    return Answer(
        lambda: document(view(log, where, every, drawn=False)),
        lambda: page(_proved(log, where, every) if why else view(log, where, every, judge=True), why=why, every=every),
    )


def _proved(log: "LogView", where: "Where | None", every: bool) -> View:
    """Return a view that names the facts which do not decide in each reason."""
    from encounterlog.ask.why import past_of  # only where reasons are asked for

    found = view(log, where, every)
    return structs.replace(found, shown=proved(past_of(log, where), found.shown))


SHOW = Question(
    "show",
    """Show clock, combatants and order of the log FILE, one line each, the round as a picture, and the findings up to there.

    A page of more than 28 lines leaves out the least important ones, if it then fits; --all shows everything. A bar
    shows hit points: # those that are left, = those that non-lethal damage has reached. Findings have the numbers of
    encounter audit; encounter why FILE finding N explains it.
    """,
    (
        AT,
        Argument("why", "why", Kind.FLAG, "Show the timeline too, and under each value the events and rules behind it.", for_people=True),
        Argument("all", "every", Kind.FLAG, "Show the timeline of every round so far."),
    ),
    ask,
    "encounterlog.ask.show:Show",
    "encounter show ford.jsonl --at r1s4     the state after segment 4 of round 1",
)  # fmt: skip
