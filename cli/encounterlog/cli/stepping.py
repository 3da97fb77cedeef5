"""`encounter replay` at a terminal: keys go through a log, forwards and backwards, by events, turns and rounds."""

from collections.abc import Iterable

from encounterlog.ask import show as states
from encounterlog.ask.listing import Moment, format_moment
from encounterlog.cli import output, screen
from encounterlog.cli.failures import FINE, UNREADABLE, report_problem
from encounterlog.errors import Refused
from encounterlog.log.logs import LogView, name_log_in_errors
from encounterlog.words.facts import fact_sentence
from encounterlog.words.layout import alarm, clip, count_noun, heading, joined, room, width, wrap
from encounterlog.words.naming import Voice, label_combatants
from encounterlog.words.phrases import as_sentence, value_in_words
from eventstore.errors import Malformed, StoreError
from projections.explaining.past import readable_records
from projections.judging.audit import Finding, audit
from projections.rulesets import find
from projections.time import Where
from projections.views.cursor import Cursor, Unit

# the keys: for a step, for the first and the last place, and for so many lines by which the state moves
MOVES: dict[str, tuple[int, Unit]] = {
    "n": (1, "event"), "right": (1, "event"), " ": (1, "event"), "enter": (1, "event"),
    "p": (-1, "event"), "left": (-1, "event"), "backspace": (-1, "event"),
    "t": (1, "turn"), "T": (-1, "turn"), "r": (1, "round"), "R": (-1, "round"),
}  # fmt: skip
ENDS = {"<": -1, "home": -1, ">": 1, "end": 1}
SCROLLS = {"j": 1, "down": 1, "k": -1, "up": -1, "pagedown": 10, "pageup": -10}
LONGEST = 80  # the most letters of a point that is typed
MOST = 5  # the most lines of changes and findings, each
KEYS = (  # in as many words as there is room for
    "n p event  t T turn  r R round  g go to  < > ends  j k scroll  q quit",
    "n p event  t T turn  r R round  g go  q quit",
    "n p t T r R g < > j k q",
)


def step_through(log: LogView, where: Where | None) -> int:
    """Step through a log from a point, by default from its beginning; return the exit code."""
    output.show_progress(f"reading {log.path}")
    try:
        with name_log_in_errors(log, where):
            stepper = Stepper(log)
            if where:
                stepper.cursor.go(where)
    finally:
        output.show_progress("")
    screen.run_screen(stepper.lines, stepper.press)
    output.print_notes(log.notes)
    return UNREADABLE if report_problem(stepper.log.problem) else FINE


class Stepper:
    """The content of the screen: the step, the state after it, and the typed text; keys move through the log."""

    def __init__(self, log: LogView) -> None:
        self.note, self.scrolled = "", 0
        self.typed: str | None = None
        self._load(log)

    def _load(self, log: LogView) -> None:
        self.log = log
        self.findings = audit(log).findings
        self.cursor = Cursor(readable_records(log), self.findings)

    def lines(self, rows: int) -> list[str]:
        """Return the step and as much of the state as there is room for, with the keys on the last line."""
        above = format_step(self.cursor, self.findings, damaged=self.log.problem is not None)[: max(1, rows - 2)]
        view = self.cursor.view()
        corrected = tuple(states.corrections_after(self.cursor.done.corrections, view.seq))
        below = states.format_view(states.View(view, view.seq, corrected, lanes=self.cursor.picture()))
        shown = max(0, rows - len(above) - 1)
        self.scrolled = max(0, min(self.scrolled, len(below) - shown))
        below = below[self.scrolled :]
        if len(below) > shown:
            below = [*below[: shown - 1], f"... {count_noun(len(below) - shown + 1, 'line')} more: j"][:shown]
        footer = clip(self.note or next((words for words in KEYS if width(words) <= room()), KEYS[-1]))
        if self.typed is not None:
            ask = "go to (12, r2, r2s5, s1, r3.ana): "
            footer = f"{ask if width(ask) + width(self.typed) < room() else ''}{self.typed}_"
        return [*above, *below, *[""] * (shown - len(below)), footer][-rows:]

    def press(self, key: str) -> bool:
        """Do the action of a key; return whether the program goes on."""
        if key == "quit":
            return False
        self.note = ""
        if self.typed is not None:
            self._type_letter(key)
        elif key in ("q", "escape"):
            return False
        elif key == "g":
            self.typed = ""
        elif key in SCROLLS:
            self.scrolled += SCROLLS[key]
        elif key in MOVES:
            self._move_cursor(*MOVES[key])
        elif key in ENDS:
            self.cursor.at = 0 if ENDS[key] < 0 else len(self.cursor.places) - 1
        else:
            self.note = f"no such key: {KEYS[-1]}"
        return True

    def _move_cursor(self, by: int, unit: Unit) -> None:
        self.scrolled = 0
        if self.cursor.move(by, unit):
            return
        self.note = "this is the beginning" if by < 0 else "this is the last event"
        log = self.log.reread() if by > 0 and self.log.as_of is None else self.log
        if len(readable_records(log)) > len(self.cursor.records):
            fact = self.cursor.place.fact
            self._load(log)
            self.cursor.at = self.cursor.place_after(fact.seq) if fact else 0
            self.cursor.move(by, unit)
            self.note = f"the log has grown to record {len(self.cursor.records)}"

    def _type_letter(self, key: str) -> None:
        typed = self.typed or ""
        if key == "escape":
            self.typed = None
        elif key == "backspace":
            self.typed = typed[:-1]
        elif key == "enter":
            self.typed, self.scrolled = None, 0
            try:
                if typed.strip():
                    where = Where.parse(typed)
                    with name_log_in_errors(self.log, where):
                        self.cursor.go(where)
            except (Refused, StoreError) as error:
                self.note = error.reason if isinstance(error, Malformed) else str(error)
        elif len(key) == 1 and key.isprintable():
            self.typed = (typed + key)[:LONGEST]


def format_step(cursor: Cursor, findings: Iterable[Finding], *, damaged: bool) -> list[str]:
    """Return the cursor's place, the fact there in words, its changes, and the audit's findings in it."""
    place, fact = cursor.place, cursor.place.fact
    at = f"step {cursor.at} of {len(cursor.places) - 1}"
    if fact is None:
        return [heading(clip(f"{at}: the log is opened")), *_left_out(cursor, damaged=damaged), ""]
    shown = cursor.view()
    called = label_combatants((who, one.name) for who, one in shown.combatants.items())
    when = Moment(place.when.round, place.when.segment, place.turn, place.when.second)
    words = fact_sentence(fact.event, Voice(find(shown.ruleset), lambda who: called.get(who, who)))
    amended = f", as amended by {fact.line}" if fact.line != fact.seq else ""
    top = f"{at}, record {fact.seq}{amended}, {format_moment(when)}:"
    changes = (f"  {one.address}: {value_in_words(one.before)} -> {value_in_words(one.after)}" for one in place.changes)
    return [
        *map(heading, wrap(f"{top} {as_sentence(words)}", "  ", "")),
        *_clip_step_lines(map(clip, changes)),
        *_clip_step_lines(_format_finding(one) for one in findings if one.event == fact.seq),
        *_left_out(cursor, damaged=damaged),
        "",
    ]


def _format_finding(one: Finding) -> str:
    word = one.severity if one.ruled is None else f"{one.severity}, ruled"
    return clip(joined(["  ", alarm(word) if word == "breach" else word, f" {one.rule}: {one.says}"]))


def _left_out(cursor: Cursor, *, damaged: bool) -> list[str]:
    last = cursor.at == len(cursor.places) - 1
    found = (*cursor.place.left_out, *(cursor.rest if last else ()))
    lines = [clip(f"  record {seq} is left out: {why}") for seq, why in found]
    end = ["  the rest of the log is damaged: encounter verify FILE"] if last and damaged else []
    return [*_clip_step_lines(lines), *map(alarm, end)]


def _clip_step_lines(lines: Iterable[str]) -> list[str]:
    found = list(lines)
    return found if len(found) <= MOST else [*found[: MOST - 1], f"  and {count_noun(len(found) - MOST + 1, 'other')}"]
