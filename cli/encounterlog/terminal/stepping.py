"""`encounter replay` at a terminal: keys go through a log, forwards and backwards, by events, turns and rounds."""

from encounterlog.core.logs import LogView, explained
from encounterlog.errors import Refused
from encounterlog.terminal import output, screen
from encounterlog.terminal.failures import FINE, UNREADABLE, report_problem
from encounterlog.text_pages import stepping as page
from eventstore.errors import Malformed, StoreError
from projections.explaining.past import readable
from projections.judging.audit import audit
from projections.time import Where
from projections.views.cursor import Cursor, Unit

MOVES: dict[str, tuple[int, Unit]] = {
    "n": (1, "event"), "right": (1, "event"), " ": (1, "event"), "enter": (1, "event"),
    "p": (-1, "event"), "left": (-1, "event"), "backspace": (-1, "event"),
    "t": (1, "turn"), "T": (-1, "turn"), "r": (1, "round"), "R": (-1, "round"),
}  # fmt: skip
"""The keys, by the step that they go to."""
ENDS = {"<": -1, "home": -1, ">": 1, "end": 1}
"""The keys for the first and for the last place."""
SCROLLS = {"j": 1, "down": 1, "k": -1, "up": -1, "pagedown": 10, "pageup": -10}
"""The number of lines by which keys move the state."""
LONGEST = 80
"""The most letters of a point that is typed."""


def run(log: LogView, where: Where | None) -> int:
    """Step through a log from a point, by default from its beginning; return the exit code."""
    output.progress(f"reading {log.path}")
    try:
        with explained(log, where):
            stepper = Stepper(log)
            if where:
                stepper.cursor.go(where)
    finally:
        output.progress("")
    screen.run(stepper)
    log.note_revision()
    output.notes(log.notes)
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
        self.cursor = Cursor(readable(log), self.findings)

    def lines(self, rows: int) -> list[str]:
        """Return the step and as much of the state as there is room for, with the keys on the last line."""
        above = page.step(self.cursor, self.findings, damaged=self.log.problem is not None)[: max(1, rows - 2)]
        state = page.state(self.cursor, self.log.problem)
        shown = max(0, rows - len(above) - 1)
        self.scrolled = max(0, min(self.scrolled, len(state) - shown))
        below = page.clipped(state[self.scrolled :], shown)
        return [*above, *below, *[""] * (shown - len(below)), page.foot(self.typed, self.note)][-rows:]

    def press(self, key: str) -> bool:
        """Do the action of a key; return whether the program goes on."""
        if key == "quit":
            return False
        self.note = ""
        if self.typed is not None:
            self._type(key)
        elif key in ("q", "escape"):
            return False
        elif key == "g":
            self.typed = ""
        elif key in SCROLLS:
            self.scrolled += SCROLLS[key]
        elif key in MOVES:
            self._move(*MOVES[key])
        elif key in ENDS:
            self.cursor.at = 0 if ENDS[key] < 0 else len(self.cursor.places) - 1
        else:
            self.note = f"no such key: {page.KEYS[-1]}"
        return True

    def _move(self, by: int, unit: Unit) -> None:
        self.scrolled = 0
        if self.cursor.move(by, unit):
            return
        if by < 0:
            self.note = "this is the beginning"
        elif not (self._grown() and self.cursor.move(by, unit)):
            self.note = self.note or "this is the last event"

    def _grown(self) -> bool:
        """Read the log again if it has grown; the cursor stays at its fact."""
        if self.log.as_of is not None:
            return False
        log = self.log.reread()
        if len(readable(log)) <= len(self.cursor.records):
            return False
        fact = self.cursor.place.fact
        self._load(log)
        self.cursor.at = self.cursor.find(fact.seq) if fact else 0
        self.note = f"the log has grown to record {len(self.cursor.records)}"
        return True

    def _type(self, key: str) -> None:
        """Take a letter of the point to go to; Enter goes there, Escape leaves it."""
        typed = self.typed or ""
        if key == "escape":
            self.typed = None
        elif key == "backspace":
            self.typed = typed[:-1]
        elif key == "enter":
            self.typed = None
            self._go(typed)
        elif len(key) == 1 and key.isprintable():
            self.typed = (typed + key)[:LONGEST]

    def _go(self, typed: str) -> None:
        self.scrolled = 0
        try:
            if typed.strip():
                where = Where.parse(typed)
                with explained(self.log, where):
                    self.cursor.go(where)
        except (Refused, StoreError) as error:
            self.note = error.reason if isinstance(error, Malformed) else str(error)
