"""The page of `encounter show --why`: clock, order, timeline, combatants, each value with its reason."""

from collections.abc import Iterator
from typing import Any

from encounterlog.ask import picture as ground
from encounterlog.ask import picture as lanes
from encounterlog.text.layout import (
    HANG,
    alarm,
    because,
    blocks,
    clip,
    count,
    fill,
    heading,
    joined,
    name,
    numbers,
    room,
    width,
    wrap,
)
from encounterlog.text.naming import labels
from encounterlog.text.phrases import NOT_THERE, value
from projections.folds.addresses import book
from projections.mechanics.acts import kind_and_name
from projections.ruleset.ruleset import Ruleset
from projections.rulesets import find
from projections.views.lanes import Lanes
from projections.views.view import CombatantView, EffectView, EntryView, Show, SlotView, When

USUAL = "up"
"""The status that needs no reason; --json has the reason of every status."""
STRIKING = ("spoiled", "lost", "struck")
DUE, LOST = "due", "lost"
ROOM_LEFT = 60
"""The longest list of remaining resources, in columns, that is put on the line of its combatant and not below."""


def page(shown: Show, picture: Lanes | None, seq: int, corrected: tuple[int, ...]) -> list[str]:
    """Return the page of a log's view up to record `seq`, with the picture of its round and these later corrections applied."""
    called = labels((who, one.name) for who, one in shown.combatants.items())
    rules = find(shown.ruleset)
    return [
        *head(shown, seq, corrected, why=True),
        *section("Combatants", (line for who, one in shown.combatants.items() for line in _combatant(who, one, rules))),
        *section(
            "Effects on nobody", (line for one in shown.effects for line in because(one.because, lasting(one, called)))
        ),
        *section("Order", (line for slot in shown.order for line in _slot(slot, called))),
        *_after_a_line(lanes.lines(picture, called) if picture else iter(())),
        *timelines(shown, called, why=True),
        *section("Map", ground.ground(shown, called)),
        *readings(shown),
    ]


def point(round_: int, **parts: int | None) -> str:
    """Return a point in words: round 1, segment 4."""
    where = f"round {round_}" if round_ else ("surprise" if parts.get("segment") else "before round 1")
    return ", ".join([where, *(f"{what} {number}" for what, number in parts.items() if number)])


def head(shown: Show, seq: int, corrected: tuple[int, ...], *, why: bool) -> list[str]:
    """Return the title, the clock, and the gaps; with the reason of the clock on demand."""
    clock = shown.clock
    now = point(clock.round, segment=clock.segment)
    now += f", phase {clock.phase}" if clock.phase else ""
    now += f", turn of {name(clock.turn)}" if clock.turn else ""
    title = heading(name(shown.title, min(70, room() - 1))) + ":"
    lacking = [clip(f"  {words}") for words in shown.missing]
    unread = [clip(f"  withheld or of an unknown type, left out: {numbers(shown.unread)}")] if shown.unread else []
    later = (
        f", as corrected by {'record' if len(corrected) == 1 else 'records'} {numbers(corrected)}" if corrected else ""
    )
    top = fill([f"{shown.ruleset}, as of record {seq}{later}"], title, "  ", " ")
    over = [f"  the fight is over: event {shown.closed}"] if shown.closed else []
    return [*top, *over, *wrap(now, "    ", "  "), *(because(clock.because) if why else ()), *lacking, *unread]


def readings(shown: Show, *, brief: bool = False) -> list[str]:
    """Return the rules that decide the order and the timeline and depend on a chart that the text does not contain; or their number."""
    if brief and shown.leans_on:
        rules = count(len(shown.leans_on), "rule")
        return [clip(f"{rules} read without the chart that the text refers to (--why)")]
    return section("Read without a chart that they lean on", _readings(shown))


def _readings(shown: Show) -> Iterator[str]:
    leaning = dict[str, list[str]]()
    for rule, chart in shown.leans_on.items():
        leaning.setdefault(chart, []).append(rule)
    for chart, those in leaning.items():
        yield from wrap(f"{chart}, {NOT_THERE}: {', '.join(those)}", HANG, "  ")


def section(title: str, lines: Iterator[str]) -> list[str]:
    """Return lines under a heading, after an empty line; nothing without lines."""
    found = list(lines)
    return ["", heading(title), *found] if found else []


def _after_a_line(lines: Iterator[str]) -> list[str]:
    found = list(lines)
    return ["", *found] if found else []


def _slot(slot: SlotView, called: dict[str, str]) -> Iterator[str]:
    who = " & ".join(called.get(one, one) for one in slot.combatants)
    also = ", ".join(
        f"{called.get(one, one)} else in segment {place}" for one, place in slot.key.get("else", {}).items()
    )
    yield from wrap(f"{who} ({also})" if also else who, HANG, f"  {place(slot)}  ")
    yield from because(slot.because)


def place(slot: SlotView) -> str:
    """Return a place in the order in words: its phase, its segment, or the parts of its key."""
    if slot.phase:
        return f"phase {slot.phase}"
    if slot.segment is not None:
        return f"segment {slot.segment}"
    return " ".join(f"{part} {value(number)}" for part, number in slot.key.items() if number not in ((), [], None))


def timelines(shown: Show, called: dict[str, str], *, why: bool) -> list[str]:
    """Return the timelines of a view's rounds, if wanted with the reason of each row."""
    rounds = dict.fromkeys(row.round for row in shown.timeline)
    return [
        line
        for number in rounds
        for line in section(
            f"Timeline of round {number}" if number else "Timeline before round 1",
            _rows([row for row in shown.timeline if row.round == number], called, why),
        )
    ]


def _rows(rows: list[EntryView], called: dict[str, str], why: bool) -> Iterator[str]:
    cells = [(_when(row), called.get(row.combatant, row.combatant), act(row), status(row)) for row in rows]
    for lines, row in zip(blocks(cells), rows, strict=True):
        yield from lines
        yield from because(row.because) if why else ()


def _when(row: EntryView) -> str:
    if row.phase:
        return f"phase {row.phase}"
    if row.segment is not None:
        return f"segment {row.segment}"
    parts = [f"{what} {number}" for what, number in (("turn", row.turn), ("second", row.second)) if number]
    return " ".join(parts) or "-"


def act(row: EntryView) -> str:
    """Return the act in a row of the timeline; for a struck fact that is no action, the name of its type."""
    what = row.action.replace("_", " ") if row.action and row.status == "struck" else row.action
    words = kind_and_name(what, row.name) or "-"
    return name(f"{words} ({row.cost})" if row.cost else words, 36)


def status(row: EntryView) -> str:
    """Return a row's status in the timeline, and its due time."""
    word = alarm(row.status) if row.status in STRIKING else row.status
    other = row.key.get("else", {}).get(row.combatant)
    if other:
        return joined([word, f", else in segment {other}"])
    if row.due is None or row.status == "done":
        return word
    return joined([word, f", {'due' if row.status == 'begun' else 'was due'} in {moment(row.due)}"])


def moment(due: When) -> str:
    """Return a point of a round in words."""
    return point(due.round, segment=due.segment, turn=due.turn, second=due.second)


def _combatant(who: str, one: CombatantView, rules: Ruleset) -> Iterator[str]:
    left = _left(one.budget)
    fits = width(left) <= ROOM_LEFT
    yield from fill(
        (part for part in (*_vitals(who, one, book(rules.addresses).tallies), left if fits else "") if part), "  ", HANG
    )
    yield from () if fits else wrap(left, HANG + "  ", HANG)
    yield from because(one.because.hp, "hp")
    if one.temp:
        yield from because(one.because.temp, "temporary points")
    if one.nld:
        yield from because(one.because.nld, "non-lethal damage")
    if one.status != USUAL:
        yield from because(one.because.status, rules.statuses.get(one.status, one.status))
    if one.conditions:
        yield from because(one.because.conditions, ", ".join(one.conditions))
    if one.casting or one.concentration or len(one.because.concentration.events) > 1:
        yield from because(one.because.concentration, f"concentration {one.concentration or 'none'}")
    for effect in one.effects:
        yield from because(effect.because, lasting(effect, {who: ""}))


def lasting(effect: EffectView, called: dict[str, str]) -> str:
    """Return an effect in words, with its remaining duration and its source, unless they are called nothing."""
    left = f" for {count(effect.left, effect.unit or 'round')}" if effect.left is not None else ""
    source = called.get(effect.source, effect.source) if effect.source else ""
    return f"{effect.name}{left}{f' from {source}' if source else ''}"


def _vitals(who: str, one: CombatantView, tallies: dict[str, str]) -> Iterator[str]:
    yield name(one.name) if one.name == who else f"{name(one.name)} ({name(who)})"
    yield name(one.side) if one.side != who else ""
    yield f"{value(one.hp)} of {value(one.hp_max)} hp" if one.hp is not None else "hp unknown"
    yield f"{one.temp} temporary" if one.temp else ""
    yield f"{one.nld} non-lethal" if one.nld else ""
    tally = one.values.get(tallies.get(one.status, ""))
    word = f"{one.status}({tally.value})" if tally else one.status
    yield alarm(word) if one.status != USUAL else word
    yield ", ".join(one.conditions)


def _left(budget: dict[str, Any]) -> str:
    """Return a combatant's remaining resources, or nothing if nothing is counted."""
    counted = [f"{what} {value(left)}" for what, left in budget.items() if left not in (None, (), {}, [])]
    return f"left: {', '.join(counted)}" if counted else ""
