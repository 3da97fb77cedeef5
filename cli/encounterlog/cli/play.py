"""`encounter play`, the table prompt: lines of the grammar, one after the other, each durable before the next is asked for."""

import re
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from encounterlog.ask.audit import count_by_severity
from encounterlog.ask.typed import answer_typed
from encounterlog.cli import appended, editing as terminal, output
from encounterlog.cli.failures import FINE, REFUSED, print_error
from encounterlog.cli.options import By, File, Mode, NetworkDrive, command, option
from encounterlog.errors import Refused
from encounterlog.log import drawn_dice, entering
from encounterlog.log.folded_log import LARGEST, kept_view
from encounterlog.places.model import find_model
from encounterlog.places.time_and_chance import make_roller
from encounterlog.words.layout import clip, width
from encounterlog.words.naming import label_combatants
from encounterlog.words.refusals import refusal_of
from eventstore import store
from eventstore.address import LogAddress
from eventstore.errors import StoreError
from eventstore.events import DiceDrawn
from projections.folds.moves import next_up
from projections.folds.order import order_of, who_is_due
from projections.judging.audit import Audit, Finding, audit
from projections.language import sentences
from projections.language.notation.offers import describe_left, offer_completions
from projections.state import State


@command(
    option("--plain", "Print only new facts: nothing stays in view and no cursor moves, for screen readers."),
    option("--seed TEXT", "Roll dice from a seed, always the same."),
    examples="encounter play ford.jsonl\nencounter play --plain ford.jsonl",
)
def play(file: File, plain: bool, seed: str | None, mode: Mode, network_drive: NetworkDrive, by: By) -> int:
    """Type lines of the language into the log FILE, each written before the next prompt.

    Below the prompt stand the clock, the order, and the next combatant with their remaining resources. Each fact is
    echoed as a sentence, and a broken rule is reported at once. Tab completes names and words, first those of
    combatants who may act. On the empty line below a refusal
    Enter writes the first of the lines that it offers, 2 and 3 the others (with --plain, followed by Enter), and Esc goes back to the line. F2,
    or Esc and ?, explains the typed value or the broken rule; ? lists the forms, u takes the last line back; quit or
    Ctrl-D ends.
    Ctrl-C sets the line aside, and the Up key brings it back.

    `word NAME WORD` gives another person's entropy word for the next dice of a chain (encounter dice). Several lines
    can be pasted, or come from standard input; then the exit code is 4 if one was refused.
    """
    playing = Playing(file, seed, by, mode, network_drive=network_drive)
    playing.plain, asked = plain, terminal.is_asked()
    ask: terminal.Ask = terminal.read_piped_line
    if terminal.is_full() and not plain:
        from encounterlog.cli.screen import Full  # prompt_toolkit, only at a terminal

        ask = Full(playing)
    elif asked:
        ask = terminal.Plain(playing)
    output.print_notes([*playing.log.notes, *([WELCOME] if asked else [])])
    while (text := ask()) is not None:
        taken = terminal.choose_line(text, playing.choices) if asked else ""
        lines = [taken] if taken else [each for each in re.split(r"\r\n|\r|\n", text) if each.strip()]
        for line in lines:
            if line.strip() in ENDING:
                return playing.code
            playing.take_line(line, pasted=len(lines) > 1)
    return playing.code


ENDING = frozenset({"quit", "exit", "q"})
WELCOME = "one line of the language each, written at once; ? lists the forms, quit ends"
MOST_WORDS = 8  # the most words that a preview lists as what could come next
WORD = "word"  # the beginning of a line with a person's entropy word for the next dice of a chain: word ana heron
KEYS = ("Tab: words", "F2: why", "?: forms", "u: undo", "quit")
UNKNOWN = "?"  # the place of combatants who have none yet


class Playing:
    """A fight that is being played: its log, the table as it stands, and the findings of the last line."""

    def __init__(self, file: LogAddress, seed: str | None, by: str, mode: store.Mode, *, network_drive: bool) -> None:
        self.roll, self.by, self.mode = make_roller(seed), by, mode
        self._seed, self._word = seed, ""
        self.log = kept_view(file, network_drive=network_drive)
        self.table = entering.table_of(self.log, self.roll)
        self.found: Sequence[Finding] = ()
        self.findings = self._findings_count(None)
        self.plain, self.code = False, FINE
        self.offered = self.refused = ""  # the line that is offered next; the last one, if it was refused
        self.choices: Sequence[str] = ()  # the lines, at most three, that its refusal offers

    def take_line(self, line: str, *, pasted: bool = False) -> None:
        """Read a line and write it, print the outcome, and answer questions; a refused line is reported, and what it offers can be taken."""
        self.offered, self.refused, self.choices = "", "", ()
        if line.split()[:1] == [WORD]:
            _, name, *words = [*line.split(), ""]
            self._word = f"{name}:{' '.join(words)}" if name and any(words) else ""
            drawn = f"the next dice of the chain are drawn with the word of {name}"
            output.print_notes([drawn if self._word else "such as: word ana heron"])
            return
        try:
            with terminal.defer_interrupts():
                self.log = self.log.reread()
                written = entering.tell_line(
                    self.log, line, by=self.by, mode=self.mode, roll=self.roll, ask=self.ask, suggest=find_model()
                )
            if written.done is None:
                output.print_lines(answer_typed(self.log, written.parsed, written.table))
                return
            with terminal.defer_interrupts():
                if any(isinstance(record.event, DiceDrawn) for record in written.done.written.records):
                    self._word = ""
                new = appended.print_outcome(written, written.done)
                self.log, self.found = written.done.before.reread(), new.findings
                self.table = entering.table_of(self.log, self.roll)
                self.findings = self._findings_count(new.audit)
            if written.parsed.offers and not pasted and (key := terminal.key_to_take(plain=self.plain)):
                self.offered = written.parsed.offers[0]
                output.print_notes([f"{key} on the empty line: `{self.offered}`"])
        except (Refused, StoreError) as error:
            self.code = FINE if terminal.is_asked() else REFUSED
            output.print_notes([f"not written: {line}"] if pasted else [])
            print_error(failure := refusal_of(error))
            if pasted:
                return
            self.choices, self.refused = failure.offers, line
            if self.choices and (keys := terminal.keys_to_choose(len(self.choices), plain=self.plain)):
                output.print_notes([f"{keys}: `{self.choices[0]}`" if len(self.choices) == 1 else keys])
        except KeyboardInterrupt:
            output.print_notes(["interrupted; written facts stay"])

    def ask(self, wanted: drawn_dice.Wanted) -> drawn_dice.Word:
        """Return the word that a person has given for the next dice; otherwise one of our own."""
        return (drawn_dice.given_word(self._word) if self._word else drawn_dice.make_word_source(self._seed))(wanted)

    def _findings_count(self, audited: Audit | None) -> str:
        if len(self.table.records) > LARGEST:
            return ""
        try:
            return count_by_severity(audited or audit(self.log))
        except Exception:  # noqa: BLE001 – the report says what failed
            return ""

    def status_lines(self, columns: int, typed: str = "") -> list[str]:
        """Return the lines to be kept in view: the order; what the typed line would record, else who is on or next, with what they have left."""
        state = self.table.done.state
        if typed.strip():
            return [format_order(state, columns), clip(self.preview(typed), columns)]
        who = state.clock.turn or next_up(state)
        left = describe_left(state, who) if who in state.combatants else ""
        called = label_combatants((who, one.name) for who, one in state.combatants.items())
        said = [f"{called[who]}: {left}"] if who and left else []
        said += [f"{self.findings} (F2: why)"] if self.findings else []
        shown = [" · ".join([*said, *KEYS[:number]]) for number in range(len(KEYS), -1, -1)]
        line = next((line for line in shown if width(line) <= columns), shown[-1])
        return [format_order(state, columns), clip(line, columns)]

    def preview(self, line: str) -> str:
        """Return what a line would record, else the words that could come next; its dice are not thrown before it is written."""
        table, roll = self.table, self.table.roll
        table.roll, table.suggest = make_roller("a preview"), None  # these dice are never shown
        try:
            parsed = table.parse_if_accepted(line)
        finally:
            table.roll = roll
        if parsed is None:
            begun, found = self.complete_word(line)
            values = [says for text, says in sentences.expected_words(table.context, line) if not begun and not text]
            return f"… {', '.join(dict.fromkeys([*values, *(word for word, _ in found)][:MOST_WORDS]))}"
        return "; ".join(entering.preview_line(parsed, table.done.state)) or "a question"

    def complete_word(self, line: str) -> tuple[str, list[tuple[str, str]]]:
        """Return the unfinished word at the end of a line, and the words that it can become, each with a remark."""
        begun, found = offer_completions(self.table.context, line)
        return begun, [(each.word, each.says) for each in found]

    def print_reason(self, line: str) -> None:
        """Print the reason of a line's last word; without one, of the latest finding, or of the combatant who is on or next."""
        state = self.table.done.state
        subject = re.split(r"[\s,]+", line.strip())[-1].lstrip("?")
        if not subject and self.found:
            subject = f"finding @{self.found[0].event} {self.found[0].rule}"
        self.take_line(f"why {subject or state.clock.turn or next_up(state) or 'order'}")


def format_order(state: State, columns: int) -> str:
    """Return the clock and the places of the round in one line; if room is short, names, points and those not due go, in this order."""
    places, clock = _round_places(state), state.clock
    full = label_combatants((who, one.name) for who, one in state.combatants.items())
    due = [each for each in places if each.due]
    rest = places[places.index(due[0]) :] if due else places
    short = dict[str, str]()
    for who in dict.fromkeys(each.who for each in places):
        base, number = re.fullmatch(r"(.*?)[- ]?(\d*)", full[who]).groups()  # type: ignore[union-attr]  # it always matches
        shorter = (base[:letters].rstrip() + number for letters in range(3, len(base) + 1))
        short[who] = next((each for each in shorter if each not in short.values()), full[who])
    at = (f"r{clock.round}" if clock.round else "before r1", str(clock.point.segment or ""), clock.phase)
    brief = f"{' '.join(filter(None, at))}: "
    when = [f"round {clock.round}" if clock.round else "before round 1"]
    when += [f"segment {clock.point.segment}"] if clock.point.segment else []
    when += [clock.phase] if clock.phase else []
    start = ", ".join(when) + (": " if places else "") if columns >= 40 else brief
    ways = (
        (start, places, full, " > ", True),
        (start, places, short, " > ", True),
        (brief, places, short, ">", True),
        (brief, places, short, ">", False),
        (f"{brief}… ", rest, short, ">", False),
        (f"{brief}… ", due, short, ">", False),
    )
    for begin, those, called, between, points in ways:
        line = begin + _format_places(state, those, called, between, points)
        if width(line) <= columns:
            break
    return clip(line, columns)


class RoundPlace(NamedTuple):
    """A place of the round, by its name or a sign that is not shown, its combatants, and whether they may act now."""

    name: str
    who: str
    due: bool = False


def _round_places(state: State) -> list[RoundPlace]:
    slots, coming = order_of(state), next_up(state)
    if not slots:
        return [RoundPlace(UNKNOWN, one.id, one.id == coming) for one in state.here()]
    found = list[RoundPlace]()
    for number, slot in enumerate(slots):
        name = slot.phase or (f" {number}" if slot.segment is None else f"s{slot.segment}")  # a number is not shown
        found += (RoundPlace(name, who) for who in slot.combatants)
    first = next((each.name for each in found if each.who == coming), "")
    last = max((at for at, each in enumerate(found) if each.name == first), default=-1)
    waiting = {*who_is_due(state).value, coming}
    return [each._replace(due=at <= last and each.who in waiting) for at, each in enumerate(found)]


def _format_places(state: State, places: list[RoundPlace], called: dict[str, str], between: str, points: bool) -> str:
    said: list[str] = []
    for name, those in groupby(places, lambda each: each.name):
        shown: list[str] = []
        for each in those:
            one, with_points = state.combatants[each.who], points or each.due
            turn = "*" if each.who == state.clock.turn else "→" if each.due else ""
            down = "" if one.status == "up" else f" ({one.status})" if with_points else "†"
            shown.append(f"{turn}{called[each.who]}{f' {one.hp}' if with_points and one.hp is not None else ''}{down}")
        together = between.lstrip().replace(">", ",") if name == UNKNOWN else between.replace(">", "&")
        said.append(("" if name[0] in (UNKNOWN, " ") else f"{name} ") + together.join(shown))
    return between.join(said)
