"""The table prompt: lines of the grammar, one after the other, each durable before the next is asked for."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from encounterlog.edge import failures, output
from encounterlog.edge.failures import FINE, Failure
from encounterlog.pages import told as page
from encounterlog.reading.logs import Log
from encounterlog.reading.questions import answered
from encounterlog.wording.layout import clip, width
from encounterlog.wording.naming import labels
from encounterlog.writing import raised, telling
from eventstore.errors import Malformed, StoreError
from eventstore.store import LARGEST_APPEND, Mode
from projections.folds.order import names_in_order
from projections.grammar import forms
from projections.grammar.scene import kinds, next_up
from projections.state import State

ENDING = frozenset({"quit", "exit", "q"})
PROMPT = "> "
WELCOME = "one line of the table grammar each, written at once; ? lists the forms, quit ends"
Roll = Callable[[str], str]


def run(file: Path, *, plain: bool, roll: Roll, by: str, mode: Mode, network_drive: bool) -> int:
    """Ask for lines until the input ends; a line that is refused is reported, and nothing is lost by it."""
    state = telling.table_of(Log(file, network_drive=network_drive), roll).done.state
    words = _Words(state)
    asks = sys.stdin.isatty()
    output.notes([WELCOME] if asks else [])
    while True:
        if asks and not plain:
            output.lines(status(state))
        try:
            line = _line(words, asks=asks)
        except KeyboardInterrupt:
            output.lines(["", "the line was dropped; quit ends"])
            continue
        if line is None or line.strip() in ENDING:
            return FINE
        if line.strip():
            state = words.state = _one(file, line, roll=roll, by=by, mode=mode, network_drive=network_drive) or state


def _one(file: Path, line: str, *, roll: Roll, by: str, mode: Mode, network_drive: bool) -> State | None:
    """Tell a line and write it, and print what came of it; return the state after it, or None if that is as it was."""
    log = Log(file, network_drive=network_drive)
    try:
        written = telling.tell(log, line, by=by, mode=mode, roll=roll)
        if written.done is None:
            output.lines(answered(file, written.told, written.table))
            return None
        output.lines(page.lines(written))
        raised.report(written.done)
        written.table.take(written.done.written.records)
    except (Failure, StoreError, Malformed) as error:
        failures.say(failures.failure_of(error))
        return None
    return written.table.done.state


def _line(words: "_Words", *, asks: bool) -> str | None:
    """Return the next line, or None at the end of the input."""
    if not asks:
        data = sys.stdin.buffer.readline(LARGEST_APPEND)
        return data.decode(errors="replace").rstrip("\r\n") if data else None
    _with_readline(words)
    sys.stdout.flush()
    try:
        return input(PROMPT)
    except EOFError:
        output.lines([""])
        return None


def _with_readline(words: "_Words") -> None:
    """Let lines be edited, recalled and completed, where the system can do that."""
    try:
        import readline
    except ImportError:
        return
    readline.set_completer(words.completed)
    readline.set_completer_delims(" ,")
    readline.parse_and_bind("tab: complete")


class _Words:
    """The words that Tab completes: those who may act first, then everybody, the words of the grammar, kinds of action."""

    def __init__(self, state: State) -> None:
        self.state = state

    def completed(self, begun: str, place: int) -> str | None:
        found = [word for word in self.all() if word.startswith(begun.casefold())]
        return f"{found[place]} " if place < len(found) else None

    def all(self) -> list[str]:
        """Return every word, each once."""
        due = [who for who in [next_up(self.state)] if who]
        here = [one.id for one in self.state.here()]
        table = forms.of(self.state.rules.rules)
        typed = [word for form in table.form for nodes in form.nodes for word in getattr(nodes[0], "words", ())]
        entries = [entry.name for one in self.state.here() for entry in getattr(one.sheet, "entries", ())]
        more = [word.replace(" ", "_") for word in (*entries, *sorted(kinds(self.state)))]
        return list(dict.fromkeys((*due, *here, *self.state.sides, *typed, *more)))


def status(state: State) -> Iterator[str]:
    """Yield the line above the prompt: the clock, and the order with points; who is next is marked."""
    clock = state.clock
    when = f"round {clock.round}" if clock.round else "before round 1"
    when += f", segment {clock.point.segment}" if clock.point.segment else ""
    when += f", {clock.phase}" if clock.phase else ""
    called = labels((who, one.name) for who, one in state.combatants.items())
    coming = next_up(state)
    slots = names_in_order(state) or [[one.id] for one in state.here()]
    named = [" & ".join(_person(state, who, called[who], who == coming) for who in slot) for slot in slots]
    line = f"{when}: {' > '.join(named)}" if named else when
    yield clip(line) if width(line) > 79 else line


def _person(state: State, who: str, called: str, coming: bool) -> str:
    one = state.combatants[who]
    turn = "*" if who == state.clock.turn else "" if not coming else "→"
    return f"{turn}{called}{'' if one.hp is None else f' {one.hp}'}{'' if one.status == 'up' else f' ({one.status})'}"
