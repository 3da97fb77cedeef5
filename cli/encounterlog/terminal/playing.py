"""The table prompt: lines of the grammar, one after the other, each durable before the next is asked for."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from encounterlog.core import entering, table_of_log
from encounterlog.core.entering import Written
from encounterlog.core.logs import kept_view
from encounterlog.core.write import Done
from encounterlog.errors import Refused
from encounterlog.storage.chance import roller
from encounterlog.storage.model import of_table
from encounterlog.terminal import appended, failures, output
from encounterlog.terminal import editing as terminal
from encounterlog.terminal.failures import FINE, REFUSED
from encounterlog.text.layout import clip
from encounterlog.text.refusals import refusal_of
from encounterlog.text_pages import prompt_view as page
from encounterlog.text_pages.audit import summed
from eventstore.address import LogAddress
from eventstore.errors import Malformed, StoreError
from eventstore.events import DiceDrawn
from eventstore.store import Mode
from projections.folds.moves import next_up
from projections.judging.audit import Audit, Finding, audit
from projections.language.notation.offers import offers
from projections.language.notation.table import Table

if TYPE_CHECKING:
    from encounterlog.core.drawn_dice import Wanted, Word

ENDING = frozenset({"quit", "exit", "q"})
WELCOME = "one line of the table grammar each, written at once; ? lists the forms, quit ends"
PREVIEWED = "a preview"
"""The seed of dice that are thrown for a preview, and never shown."""
MOST_WORDS = 8
"""The most words that a preview lists as what could come next."""
WORD = "word"
"""The beginning of a line with a person's entropy word for the next dice of a chain: word ana heron."""


def run(file: LogAddress, *, plain: bool, seed: str | None, by: str, mode: Mode, network_drive: bool) -> int:
    """Ask for lines until the input ends; a line that is refused is reported, and nothing is lost by it.

    Returns the exit code: 4 if nobody sits at a terminal and a line was refused.
    """
    playing = Playing(file, seed, by, mode, network_drive=network_drive)
    playing.plain, playing.taking = plain, terminal.key_to_take(plain=plain)
    ask = _line_source(playing, plain=plain)
    output.notes([*playing.log.notes, *([WELCOME] if terminal.is_asked() else [])])
    while (text := ask()) is not None:
        lines = [each for each in re.split(r"\r\n|\r|\n", text) if each.strip()]
        if terminal.is_asked() and (taken := terminal.chosen(text, playing.choices)):
            lines = [taken]
        for line in lines:
            if line.strip() in ENDING:
                return playing.code
            playing.hear(line, pasted=len(lines) > 1)
    return playing.code


class Playing:
    """A fight that is being played: its log, the table as it stands, and the findings of the last line."""

    def __init__(self, file: LogAddress, seed: str | None, by: str, mode: Mode, *, network_drive: bool) -> None:
        self.roll, self.by, self.mode = roller(seed), by, mode
        self._seed, self._word = seed, ""
        self.log = kept_view(file, network_drive=network_drive)
        self.table: Table = table_of_log.table_of(self.log, self.roll)
        self.found: Sequence[Finding] = ()
        self.findings = self._counted(None)
        self.refusals = 0
        self.offered = self.taking = self.refused = ""
        self.choices: Sequence[str] = ()
        self.plain = False

    @property
    def code(self) -> int:
        """The exit code: 4 if a line of standard input was refused."""
        return REFUSED if self.refusals and not terminal.is_asked() else FINE

    def hear(self, line: str, *, pasted: bool = False) -> None:
        """Read a line and write it, print the outcome, and answer questions; a line that is refused is reported.

        The lines that its refusal offers, or the note on it, can be taken with a key each, until the next line.
        """
        self.offered = self.refused = ""
        self.choices = ()
        if line.split()[:1] == [WORD]:
            self._take_word(line)
            return
        try:
            with terminal.uninterrupted():
                self.log = self.log.reread()
                written = entering.tell(
                    self.log, line, by=self.by, mode=self.mode, roll=self.roll, ask=self.ask, suggest=of_table()
                )
            if written.done is None:
                from encounterlog.reading.typed_questions import answered  # only where something is asked

                output.lines(answered(self.log, written.parsed, written.table))
                return
            with terminal.uninterrupted():
                self._came(written, written.done)
            self._offer(() if pasted else written.parsed.offers)
        except (Refused, StoreError, Malformed) as error:
            self.refusals += 1
            output.notes([f"not written: {line}"] if pasted else [])
            failure = refusal_of(error)
            failures.say(failure)
            if not pasted:
                self._let_choose(line, failure.offers)
        except KeyboardInterrupt:
            output.notes(["interrupted; written facts stay"])

    def _offer(self, lines: Sequence[str]) -> None:
        """Let the first of these lines be taken with a key on the empty line, and say so."""
        if lines and self.taking:
            self.offered = lines[0]
            output.notes([f"{self.taking} on the empty line: `{self.offered}`"])

    def _let_choose(self, line: str, lines: Sequence[str]) -> None:
        """Let one of the lines that the refusal of a line offers be taken with a key on the empty line, and say so."""
        self.choices, self.refused = lines, line
        if lines and (keys := terminal.keys_to_choose(len(lines), plain=self.plain)):
            output.notes([f"{keys}: `{lines[0]}`" if len(lines) == 1 else keys])

    def ask(self, wanted: "Wanted") -> "Word":
        """Return the word that a person has given for the next dice; otherwise one of our own."""
        from encounterlog.core import drawn_dice  # only where there is a chain

        return (drawn_dice.given_word(self._word) if self._word else drawn_dice.own_word(self._seed))(wanted)

    def _take_word(self, line: str) -> None:
        _, name, *words = [*line.split(), ""]
        self._word = f"{name}:{' '.join(words)}" if name and any(words) else ""
        says = (
            f"the next dice of the chain are drawn with the word of {name}" if self._word else "such as: word ana heron"
        )
        output.notes([says])

    def _came(self, written: Written, done: Done) -> None:
        output.lines([*written.lines(), *done.says])
        if any(isinstance(record.event, DiceDrawn) for record in done.written.records):
            self._word = ""
        what = entering.taken(written, done)
        appended.came(what)
        self.found = what.new.findings
        self.log = done.before.grown(done.written.records)
        self.table = written.table
        self.findings = self._counted(what.audited)

    def _counted(self, audited: Audit | None) -> str:
        """Return the number of findings in the log, by the audit; nothing for a log that is too large to be audited at each line."""
        if len(self.table.records) > table_of_log.LARGEST:
            return ""
        try:
            return summed(audited or audit(self.log))
        except Exception:  # noqa: BLE001 – the report says what failed
            return ""

    # ------------------------------------------------------------ below the prompt, and completion

    def bar(self, columns: int, typed: str = "") -> list[str]:
        """Return the lines to be kept in view: the order; what the typed line would record, else who is on or next, with what they have left."""
        state = self.table.done.state
        below = clip(self.preview(typed), columns) if typed.strip() else page.own(state, columns, self.findings)
        return [page.order(state, columns), below]

    def preview(self, line: str) -> str:
        """Return what a line would record, else the words that could come next; its dice are not thrown before it is written."""
        table, roll = self.table, self.table.roll
        table.roll, table.suggest = roller(PREVIEWED), None
        try:
            parsed = table.accepted(line)
        finally:
            table.roll = roll
        if parsed is None:
            from projections.language import sentences  # only where nothing would be recorded

            begun, found = self.words(line)
            values = [each.says for each in sentences.expected(table.context, line) if not begun and not each.text]
            return f"… {', '.join(dict.fromkeys([*values, *(word for word, _ in found)][:MOST_WORDS]))}"
        return "; ".join(entering.in_words(parsed, table.done.state)) or "a question"

    def words(self, line: str) -> tuple[str, list[tuple[str, str]]]:
        """Return the unfinished word at the end of a line, and the words that it can become, each with a remark."""
        begun, found = offers(self.table.context, line)
        return begun, [(each.word, each.says) for each in found]

    def why(self, line: str) -> None:
        """Print the reason of a line's last word; without one, of the latest finding, or of the combatant who is on or next."""
        self.hear(f"why {self.about(line)}")

    def about(self, line: str) -> str:
        """Return the subject of the key for why."""
        named = re.split(r"[\s,]+", line.strip())[-1].lstrip("?")
        if named:
            return named
        if self.found:
            return f"finding @{self.found[0].event} {self.found[0].rule}"
        state = self.table.done.state
        return state.clock.turn or next_up(state) or "order"


def _line_source(table: terminal.Table, *, plain: bool) -> terminal.Ask:
    """Return where lines come from: the terminal, a plain one on request or if it can do no more, or standard input."""
    if not terminal.is_asked():
        return terminal.piped
    if plain or not terminal.is_full():
        return terminal.Plain(table)
    from encounterlog.terminal.full_editing import Full  # prompt_toolkit, only at a terminal

    return Full(table)
