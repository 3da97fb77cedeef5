"""The screen of `encounter replay` at a terminal: a step, its changes, the state after it, the keys."""

from collections.abc import Iterable, Iterator, Sequence

from encounterlog.text.facts import sentence
from encounterlog.text.layout import alarm, clip, count, heading, joined, room, width, wrap
from encounterlog.text.naming import Voice, labels
from encounterlog.text.phrases import value
from encounterlog.text.values import sentence_of
from encounterlog.text_pages import show as states
from encounterlog.text_pages.log import Moment, where
from eventstore.errors import StoreError
from projections.judging.audit import Finding
from projections.rulesets import find
from projections.views.cursor import Cursor, CursorPlace

KEYS = (
    "n p event  t T turn  r R round  g go to  < > ends  j k scroll  q quit",
    "n p event  t T turn  r R round  g go  q quit",
    "n p t T r R g < > j k q",
)
"""The keys, in as many words as there is room for."""
MOST = 5
"""The most lines of changes and findings, each."""


def step(cursor: Cursor, findings: Iterable[Finding], *, damaged: bool) -> list[str]:
    """Return the cursor's place, the fact there in words, its changes, and the audit's findings in it."""
    place, fact = cursor.place, cursor.place.fact
    at = f"step {cursor.at} of {len(cursor.places) - 1}"
    if fact is None:
        return [heading(clip(f"{at}: the log is opened")), *_left_out(cursor, damaged=damaged), ""]
    shown = cursor.view()
    called = labels((who, one.name) for who, one in shown.combatants.items())
    words = sentence(fact.event, Voice(find(shown.ruleset), lambda who: called.get(who, who)))
    amended = f", as amended by {fact.line}" if fact.line != fact.seq else ""
    top = f"{at}, record {fact.seq}{amended}, {where(_moment(place))}:"
    return [
        *map(heading, wrap(f"{top} {sentence_of(words)}", "  ", "")),
        *_first(clip(f"  {each.address}: {value(each.before)} -> {value(each.after)}") for each in place.changes),
        *_first(_found([one for one in findings if one.event == fact.seq])),
        *_left_out(cursor, damaged=damaged),
        "",
    ]


def _moment(place: CursorPlace) -> Moment:
    when = place.when
    return Moment(when.round, when.segment, place.turn, when.second)


def _found(findings: Sequence[Finding]) -> Iterator[str]:
    for one in findings:
        word = one.severity if one.ruled is None else f"{one.severity}, ruled"
        yield clip(joined(["  ", alarm(word) if word == "breach" else word, f" {one.rule}: {one.says}"]))


def _left_out(cursor: Cursor, *, damaged: bool) -> list[str]:
    """Return the records left out before this step and, at the last one, after it."""
    last = cursor.at == len(cursor.places) - 1
    found = (*cursor.place.left_out, *(cursor.rest if last else ()))
    lines = [clip(f"  record {seq} is left out: {why}") for seq, why in found]
    end = ["  the rest of the log is damaged: encounter verify FILE"] if last and damaged else []
    return [*_first(lines), *map(alarm, end)]


def _first(lines: Iterable[str]) -> list[str]:
    found = list(lines)
    return found if len(found) <= MOST else [*found[: MOST - 1], f"  and {count(len(found) - MOST + 1, 'other')}"]


def state(cursor: Cursor, problem: StoreError | None) -> list[str]:
    """Return the page of the state at the place of the cursor, as `encounter show` prints it."""
    shown = cursor.view()
    corrected = tuple(states.later(cursor.done.corrections, shown.seq))
    return states.page(states.View(problem, shown, shown.seq, corrected, lanes=cursor.picture()))


def clipped(lines: Sequence[str], most: int) -> list[str]:
    """Return as many lines as there is room for, with the number of further ones."""
    if len(lines) <= most:
        return list(lines)
    return [*lines[: most - 1], f"... {count(len(lines) - most + 1, 'line')} more: j"] if most else []


def foot(typed: str | None, note: str) -> str:
    """Return the last line: the typed text, or a message, or the keys."""
    if typed is None:
        return clip(note or next((words for words in KEYS if width(words) <= room()), KEYS[-1]))
    ask = "go to (12, r2, r2s5, s1, r3.ana): "
    return f"{ask if width(ask) + width(typed) < room() else ''}{typed}_"
