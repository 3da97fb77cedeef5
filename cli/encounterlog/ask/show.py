"""The state of a fight at any point: clock, combatants, order, the round as a picture, the findings up to there."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from typing import Any

from msgspec import UNSET, Struct, UnsetType, structs

from encounterlog.ask import AT, Answer, Argument, Kind, Question, dice, picture
from encounterlog.log.logs import LogView, name_log_in_errors, replay_log
from encounterlog.words import layout
from encounterlog.words.layout import HANG, alarm, clip, count_noun, fill, heading, name, table, wrap
from encounterlog.words.naming import label_combatants
from encounterlog.words.phrases import NOT_THERE, listed_briefly, value_in_words
from eventstore.errors import StoreError
from eventstore.events import RoundStarted, RulingMade, TurnStarted
from eventstore.record import Recorded
from projections.explaining.fairness import Fairness, check_fairness
from projections.folds.addresses import address_index
from projections.judging.audit import Finding, audit
from projections.mechanics.acts import kind_and_name, with_targets
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import Ruleset
from projections.rulesets import find
from projections.state import State
from projections.stream.corrections import Corrections
from projections.time import Where
from projections.views.current_round import CurrentRound, lanes_of, last_round
from projections.views.lane_shapes import Lanes
from projections.views.view import CombatantView, EffectView, EntryView, Show as Shown, SlotView, When, show, timeline


class Show(Shown, frozen=True, kw_only=True):
    """The output of `encounter show --json`; `verified_from` is the first record that was verified now, 1 if all were.

    `dice` says how many rolls are proven, bound and typed, in a log that has a chain of dice.
    """

    dice: dict[str, int] | UnsetType = UNSET
    verified_from: int


TURNING = (RoundStarted, TurnStarted, RulingMade)
"""The facts that may end a round; the timeline is kept before they take effect."""

USUAL = "up"  # the status that needs no reason; --json has the reason of every status
STRIKING = ("spoiled", "lost", "struck")
ROOM_LEFT = 60
"""The longest list of remaining resources, in columns, that a page with reasons puts on the line of its combatant and not below."""
MOST = 3  # the most findings that the page lists; the audit lists all
LINES = 28  # the most lines of a short page, if possible: with ten combatants it fits a small terminal
SHORTER = ("standing", "readings", "headings", "order", "notes", "map", "findings")
"""The parts that a page shortens if it is too long, one after the other until it fits; all stay whole if it never does."""
MARK = 16  # the room for a column of names


class View(Struct, frozen=True):
    """A view of a log up to record `seq`, and the later corrections applied.

    `findings` are those of the audit up to there, and `lanes` the picture of the round, if they were asked for; `dice` is
    where the dice up to there came from, None for a log without a chain of dice.
    """

    shown: Shown
    seq: int
    corrected: tuple[int, ...]
    findings: tuple[Finding, ...] = ()
    lanes: Lanes | None = None
    dice: Fairness | None = None


def make_view(log: LogView, where: Where | None, every: bool, *, judge: bool = False, drawn: bool = True) -> View:
    """Return a log at a point, if wanted with all timelines, the findings up to there, but then no history of pools, the picture."""
    rounds: dict[int, tuple[EntryView, ...]] = {}
    present = CurrentRound(last_round(log, where)) if drawn else None

    def keep(state: State, fact: Occurrence[Any]) -> None:
        if present:
            present.keep_last_step(state, fact)
        if every and isinstance(fact.event, TURNING):
            rounds[state.clock.point.round] = timeline(state)

    before, findings = keep if drawn or every else None, tuple[Finding, ...]()
    if judge:
        with name_log_in_errors(log, where):
            judged = audit(log, where, before=before)
        done, findings = judged.replay, judged.findings
    else:
        done = replay_log(log, where, before=before)
    shown = show(done.state, history=not judge)
    drawn_as = lanes_of(log, where, present, done, findings) if present else None
    if every:
        rounds[shown.clock.round] = shown.timeline
        timelines = (row for _, rows in sorted(rounds.items()) for row in rows)
        shown = structs.replace(shown, timeline=_unique_rows(timelines))
    seq = done.records if where is None else where.seq or shown.seq
    records: list[Recorded] = []
    with suppress(StoreError):  # of which the view tells
        records.extend(record for record in (log if log.is_chained else ()) if record.seq <= seq)
    fair = check_fairness(records) if records else None
    corrected = tuple(corrections_after(done.corrections, seq))
    return View(shown, seq, corrected, findings, drawn_as, fair if fair and fair.chains else None)


def corrections_after(corrections: Corrections, seq: int) -> Iterator[int]:
    """Yield the corrections after a record that change earlier facts."""
    made = [*corrections.struck.items(), *((target, words.seq) for target, words in corrections.amended.items())]
    made += [(after, words.seq) for after, put in corrections.inserted.items() for words in put]
    yield from sorted({one for target, one in made if target <= seq < one})


def _unique_rows(rows: Iterable[EntryView]) -> tuple[EntryView, ...]:
    """Return the rows by round, each as it stood last, as one that runs on is in several timelines; one that was due and lost is only lost."""
    found: dict[tuple[object, ...], EntryView] = {}
    for row in rows:
        key = (row.round, row.segment, row.second, row.combatant, row.action, row.name, row.events[:1])
        before = found.get(key)
        found[key] = structs.replace(row, turn=before.turn) if before and row.turn is None else row
    lost = {(row.round, row.combatant, row.action) for row in found.values() if row.status == "lost"}
    kept = (row for row in found.values() if row.status != "due" or (row.round, row.combatant, row.action) not in lost)
    return tuple(sorted(kept, key=lambda row: row.round))


def format_view(view: View, *, why: bool = False, every: bool = False) -> list[str]:
    """Return the page of a view: with the reasons, or short, and then with the timelines only if all are wanted."""
    called = label_combatants((who, one.name) for who, one in view.shown.combatants.items())
    rules = find(view.shown.ruleset)
    if why:
        return _format_reasons(view, called, rules)
    whole = _format_short_view(view, called, rules, every=every)
    if every or len(whole) <= LINES or len(view.shown.combatants) > LINES:  # each has a line on the shortest, too
        return whole
    tried = (_format_short_view(view, called, rules, SHORTER[: place + 1]) for place in range(len(SHORTER)))
    return next((lines for lines in tried if len(lines) <= LINES), whole)


def round_picture(view: View) -> list[str]:
    """Return the picture of the present round alone, with its order."""
    called = label_combatants((who, one.name) for who, one in view.shown.combatants.items())
    return _order_and_picture(view, called, ("order", "headings"))


def _format_short_view(
    view: View, called: dict[str, str], rules: Ruleset, shorter: Collection[str] = (), *, every: bool = False
) -> list[str]:
    shown, most, people = view.shown, 1 if "findings" in shorter else MOST, []
    for who, one in shown.combatants.items():
        called_so = "-".join(one.name.casefold().split()) == who
        label = name(one.name) if called_so else f"{name(one.name, MARK)} ({name(who, MARK)})"
        side = name(one.side, MARK) if one.side != who else ""
        people.append(
            (label, side, _format_points(one), layout.joined(filter(None, _describe_standing(one, rules)), ", "))
        )
    lines = table(people) if "standing" in shorter else chain.from_iterable(layout.format_blocks(people))
    effects = [_describe_effect(one, called) for one in shown.effects]
    return [
        *_format_head(view, why=False),
        *layout.format_section("" if "headings" in shorter else "Combatants", lines),
        *(wrap(", ".join(effects), HANG, "Effects on nobody: ") if effects else ()),
        *_order_and_picture(view, called, shorter),
        *(_format_timelines(shown, called, why=False) if every else []),
        *layout.format_section("Map", picture.draw_ground(shown, called, drawn="map" not in shorter)),
        *_format_chart_readings(shown, brief="readings" in shorter),
        *([dice.summarize_dice(view.dice)] if view.dice else []),
        *layout.format_section("Findings" if most > 1 else "", _format_findings(view.findings, most)),
    ]


def _format_paragraph(title: str, lines: Iterable[str]) -> list[str]:
    return ["", *found] if (found := layout.format_section(title, lines)) else []


def _order_and_picture(view: View, called: dict[str, str], shorter: Collection[str]) -> list[str]:
    shown, lanes = view.shown, view.lanes
    by_turn = lanes is not None and not shown.strip
    places = {who: _describe_slot(slot) for slot in shown.order for who in slot.combatants} if by_turn else {}
    drawn = list(picture.draw_lanes(lanes, called, places, brief="notes" in shorter)) if lanes else []
    if drawn and places:
        return drawn
    rows = [(_describe_slot(slot), _combatants_in_slot(slot, called)) for slot in shown.order]
    if "order" not in shorter:
        return [*layout.format_section("" if "headings" in shorter else "Order", table(rows)), *drawn]
    units = {place.partition(" ")[0] for place, _ in rows}  # one for all is given once
    start = f"Order, by {min(units)}:" if len(units) == 1 else "Order:"
    named = (f"{place.partition(' ')[2] if len(units) == 1 else place} {who}" for place, who in rows)
    return [*(wrap(" > ".join(named), HANG, f"{start} ") if rows else ()), *drawn]


def _combatants_in_slot(slot: SlotView, called: dict[str, str]) -> str:
    who = " & ".join(called.get(one, one) for one in slot.combatants)
    others = slot.key.get("else", {}).items()
    elsewhere = ", ".join(f"{called.get(one, one)} else in segment {place}" for one, place in others)
    return f"{who} ({elsewhere})" if elsewhere else who


def _describe_slot(slot: SlotView) -> str:
    numbers = ((what, part) for what, part in slot.key.items() if isinstance(part, int | str) and part != 0)
    parts = {what: part for what, part in numbers if what != "round"}
    return name(_describe_place(slot.phase, slot.segment, parts), 2 * MARK)


def _describe_place(phase: str | None, segment: int | None, parts: Mapping[str, Any]) -> str:
    if phase:
        return f"phase {phase}"
    if segment is not None:
        return f"segment {segment}"
    return " ".join(f"{what} {value_in_words(part)}" for what, part in parts.items() if part not in ("", (), [], None))


def _format_points(one: CombatantView) -> str:
    if one.hp is None:
        return "hp unknown"
    points = f"{layout.bar(one.hp, one.hp_max or one.hp, one.nld)} {one.hp}{f' of {one.hp_max}' if one.hp_max is not None else ''} hp"
    more = f"{one.temp} temporary" if one.temp else "", f"{one.nld} non-lethal" if one.nld else ""
    return listed_briefly((points, *more))


def _describe_standing(one: CombatantView, rules: Ruleset) -> Iterator[str]:
    fields = address_index(rules.addresses)
    levels = [each for each in one.conditions if each.startswith(f"{one.status} ")]
    status = _describe_status(one, rules)
    word = levels[0] if levels and status == one.status else status
    yield word if one.status == USUAL else layout.joined([alarm(word), f" (event {one.since})"])
    yield from (each for each in one.conditions if each not in levels)
    if one.casting:
        yield f"casting {one.casting.name or 'something'}"
    elif one.concentration:
        yield f"concentrates on {one.concentration}"
    yield from (effect.name if effect.left is None else f"{effect.name} {effect.left}" for effect in one.effects)
    for field, found in one.values.items():
        if fields.is_notable(field) and found.value not in ("none", None, 0, False, [], ()):
            yield f"{fields.label(field)} {'' if found.value is True else value_in_words(found.value)}".strip()
    if one.status == USUAL:
        yield _describe_resources(one)


def _describe_status(one: CombatantView, rules: Ruleset) -> str:
    tally = one.values.get(address_index(rules.addresses).tallies.get(one.status, ""))
    return f"{one.status}({tally.value})" if tally else one.status


def _describe_resources(one: CombatantView, *, whole: bool = False) -> str:
    counted = {what: left for what, left in one.budget.items() if left not in (None, (), {}, [])}
    some = [f"{what} {value_in_words(left)}" for what, left in counted.items() if whole or left not in (0, "none")]
    return f"left: {', '.join(some)}" if some else "nothing left" if counted else ""


def _format_findings(found: tuple[Finding, ...], most: int) -> Iterator[str]:
    rows = []
    for one in sorted(found, key=lambda one: (one.ruled is not None, one.severity != "breach", one.event))[:most]:
        word = f"{one.severity}, ruled" if one.ruled else one.severity
        word = alarm(word) if word == "breach" else word
        rows.append((f"{one.id}.", f"line {one.line}", word, f"{one.says} ({one.rule})"))
    yield from table(rows)
    if len(found) > most:
        yield f"  and {count_noun(len(found) - most, 'finding')} more: encounter audit FILE"


def _format_reasons(view: View, called: dict[str, str], rules: Ruleset) -> list[str]:
    shown = view.shown
    drawn, order = list(picture.draw_lanes(view.lanes, called)) if view.lanes else [], list[str]()
    for slot in shown.order:
        place = _describe_place(slot.phase, slot.segment, slot.key)
        order += [*wrap(_combatants_in_slot(slot, called), HANG, f"  {place}  "), *layout.reason_lines(slot.because)]
    people = (line for who, one in shown.combatants.items() for line in _format_combatant_with_reasons(who, one, rules))
    lasts = (line for one in shown.effects for line in layout.reason_lines(one.because, _describe_effect(one, called)))
    return [
        *_format_head(view, why=True),
        *_format_paragraph("Combatants", people),
        *_format_paragraph("Effects on nobody", lasts),
        *_format_paragraph("Order", order),
        *(["", *drawn] if drawn else []),
        *_format_timelines(shown, called, why=True),
        *_format_paragraph("Map", picture.draw_ground(shown, called)),
        *_format_chart_readings(shown),
    ]


def _format_head(view: View, *, why: bool) -> list[str]:
    shown, clock, corrected = view.shown, view.shown.clock, view.corrected
    phase, turn = f"phase {clock.phase}" if clock.phase else "", f"turn of {name(clock.turn)}" if clock.turn else ""
    now = listed_briefly((describe_point(When(clock.round, clock.segment)), phase, turn))
    title = heading(name(shown.title, min(70, layout.room() - 1))) + ": "
    unread = f"withheld or of an unknown type, left out: {layout.format_numbers(shown.unread)}" if shown.unread else ""
    lacking = [clip(f"  {words}") for words in (*shown.missing, unread) if words]
    later = f", as corrected by record{'s' if len(corrected) > 1 else ''} {layout.format_numbers(corrected)}"
    top = fill([f"{shown.ruleset}, as of record {view.seq}{later if corrected else ''}"], title, "  ")
    over = [f"  the fight is over: event {shown.closed}"] if shown.closed else []
    return [*top, *over, *wrap(now, "    ", "  "), *(layout.reason_lines(clock.because) if why else ()), *lacking]


def _format_chart_readings(shown: Shown, *, brief: bool = False) -> list[str]:
    if brief and (number := len(shown.leans_on)):
        return [clip(f"{count_noun(number, 'rule')} read without the chart that the text refers to (--why)")]
    leaning = dict[str, list[str]]()
    for rule, chart in shown.leans_on.items():
        leaning.setdefault(chart, []).append(rule)
    says = (wrap(f"{chart}, {NOT_THERE}: {', '.join(those)}", HANG, "  ") for chart, those in leaning.items())
    return _format_paragraph("Read without a chart that they lean on", chain.from_iterable(says))


def _format_timelines(shown: Shown, called: dict[str, str], *, why: bool) -> Iterator[str]:
    for number in dict.fromkeys(row.round for row in shown.timeline):
        yield ""
        yield heading(f"Timeline of round {number}" if number else "Timeline before round 1")
        rows = [row for row in shown.timeline if row.round == number]
        for lines, row in zip(layout.format_blocks(_timeline_columns(row, called) for row in rows), rows, strict=True):
            yield from lines
            yield from layout.reason_lines(row.because) if why else ()


def _timeline_columns(row: EntryView, called: dict[str, str]) -> tuple[str, str, str, str]:
    when = _describe_place(row.phase, row.segment, {"turn": row.turn or None, "second": row.second or None})
    what = row.action.replace("_", " ") if row.action and row.status == "struck" else row.action
    words = with_targets(kind_and_name(what, row.name), (called.get(who, who) for who in row.targets))
    status = alarm(row.status) if row.status in STRIKING else row.status
    if other := row.key.get("else", {}).get(row.combatant):
        status = layout.joined([status, f", else in segment {other}"])
    elif "typed" in row.key:
        status = f"{status}, typed in {row.key['typed']}"
    elif row.due is not None and row.status != "done":
        status = layout.joined(
            [status, f", {'due' if row.status == 'begun' else 'was due'} in {describe_point(row.due)}"]
        )
    act = name(f"{words} ({row.cost})" if row.cost else words, 48)
    return when, called.get(row.combatant, row.combatant), act, status


def describe_point(due: When) -> str:
    """Return a point in words: round 1, segment 4."""
    where = f"round {due.round}" if due.round else ("surprise" if due.segment else "before round 1")
    parts = (("segment", due.segment), ("turn", due.turn), ("second", due.second))
    return ", ".join([where, *(f"{what} {number}" for what, number in parts if number)])


def _format_combatant_with_reasons(who: str, one: CombatantView, rules: Ruleset) -> Iterator[str]:
    status, left, because = _describe_status(one, rules), _describe_resources(one, whole=True), one.because
    fits = layout.width(left) <= ROOM_LEFT
    parts = (
        name(one.name) if one.name == who else f"{name(one.name)} ({name(who)})",
        name(one.side) if one.side != who else "",
        f"{one.hp} of {value_in_words(one.hp_max)} hp" if one.hp is not None else "hp unknown",
        f"{one.temp} temporary" if one.temp else "",
        f"{one.nld} non-lethal" if one.nld else "",
        status if one.status == USUAL else alarm(status),
        ", ".join(one.conditions),
        left if fits else "",
    )
    yield from fill(filter(None, parts), "  ", HANG)
    yield from () if fits else wrap(left, HANG + "  ", HANG)
    keeps = one.casting or one.concentration or len(because.concentration.events) > 1
    for there, reason, what in (
        (True, because.hp, "hp"),
        (one.temp, because.temp, "temporary points"),
        (one.nld, because.nld, "non-lethal damage"),
        (one.status != USUAL, because.status, rules.statuses.get(one.status, one.status)),
        (one.conditions, because.conditions, ", ".join(one.conditions)),
        (keeps, because.concentration, f"concentration {one.concentration or 'none'}"),
    ):
        yield from layout.reason_lines(reason, what) if there else ()
    for effect in one.effects:
        yield from layout.reason_lines(effect.because, _describe_effect(effect, {who: ""}))


def _describe_effect(effect: EffectView, called: dict[str, str]) -> str:
    left = f" for {count_noun(effect.left, effect.unit or 'round')}" if effect.left is not None else ""
    source = called.get(effect.source, effect.source) if effect.source else ""
    return f"{effect.name}{left}{f' from {source}' if source else ''}"


def ask(log: LogView, where: Where | None = None, every: bool = False, why: bool = False) -> Answer:
    """Return the state at a point: the page for people is drawn, and without the reasons also judged; the data are neither."""

    def data() -> Show:
        found = make_view(log, where, every, drawn=False)
        levels: dict[str, int] | UnsetType = dict(found.dice.levels.items()) if found.dice else UNSET
        return Show(**structs.asdict(found.shown), dice=levels, verified_from=1)

    def lines() -> list[str]:
        found = make_view(log, where, every, judge=not why)
        if why:  # then each reason names the facts that do not decide, too
            from encounterlog.ask.why import replay_past  # with all that answers why, which only --why needs
            from projections.explaining.shown import weigh_view

            found = structs.replace(found, shown=weigh_view(replay_past(log, where), found.shown))
        return format_view(found, why=why, every=every)

    return Answer(data, lines)


SHOW = Question(
    "show", """Show clock, combatants and order of the log FILE, one line each, the round as a picture, and the findings up to there.

    A page of more than 28 lines leaves out the least important ones, if it then fits; --all shows everything. A bar
    shows hit points: # those that are left, = those that non-lethal damage has reached. Findings have the numbers of
    encounter audit; encounter why FILE finding N explains it.
    """,
    (
        AT,
        Argument("why", "why", Kind.FLAG, "Show the timeline too, and under each value the events and rules behind it.", for_people=True),
        Argument("all", "every", Kind.FLAG, "Show the timeline of every round so far."),
    ),
    ask, "encounterlog.ask.show:Show",
    "encounter show ford.jsonl --at r1s4     the state after segment 4 of round 1",
)  # fmt: skip
