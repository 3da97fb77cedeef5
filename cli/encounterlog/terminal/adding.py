"""Adding one line of the table grammar to a log, and printing its facts as sentences."""

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from msgspec import convert

from encounterlog.core import entering, new_findings
from encounterlog.core.entering import Written
from encounterlog.core.logs import LogView
from encounterlog.errors import Refused
from encounterlog.storage.chance import roller
from encounterlog.storage.model import of_table
from encounterlog.storage.stores import is_served, open_store
from encounterlog.terminal import appended, failures, output
from encounterlog.terminal.failures import FINE, REFUSED
from encounterlog.written import note_written
from eventstore.address import LogAddress
from eventstore.form import visible
from eventstore.store import Mode
from projections.judging.audit import Finding

if TYPE_CHECKING:
    from encounterlog.core.drawn_dice import Asking
    from encounterlog.storage.remote import Answer, RemoteStore

OPTIONS = ("--after", "--seed", "--word", "--mode", "--network-drive", "--by")
"""The options of `encounter add`, which stand before FILE."""


def add(
    file: LogAddress,
    words: Sequence[str],
    *,
    after: int | None = None,
    seed: str | None = None,
    word: str | None = None,
    mode: Mode = "durable",
    network_drive: bool = False,
    by: str = "gm",
) -> int:
    """Add the line that these words make, or answer it if it is a question; raise Refused, and as the store does."""
    words = words[1:] if words[:1] in (["--"], ("--",)) else words  # some end their options so
    line = entering.joined(words)
    if not line.strip():
        raise Refused("usage", "no words after FILE", "such as: encounter add FILE b o 14 6; encounter add FILE help")
    if (
        is_served(file)
        and not entering.may_be_several(words)
        and seed is None
        and word is None
        and (there := _told_there(file, line, after))
    ):
        return _print_answer(there)
    log = LogView(file, network_drive=network_drive)
    ask = _asking(seed, word)

    def write(log: LogView, line: str) -> Written:
        return entering.tell(
            log, line, arguments=words, by=by, mode=mode, after=after, roll=roller(seed), ask=ask, suggest=of_table()
        )

    try:
        written = write(log, line)
    except Refused as refused:
        output.notes(log.notes)
        if not (taken := _taken(refused, words)):
            return REFUSED
        written = write(log.reread(), taken)
    return _print(log, written)


def _told_there(file: LogAddress, line: str, after: int | None) -> "Answer | None":
    """Return the answer of a service that recorded a line by itself; None if it must be read here, which gives the reason or the answer."""
    from secrets import token_hex

    from encounterlog.storage import remote
    from encounterlog.storage.services import Spoken

    if of_table() is not None or "\n" in line or len(line) > remote.LONGEST_LINE:
        return None
    with suppress(*remote.UNTOLD):
        answer = cast("RemoteStore", open_store(file)).say(Spoken(line, token_hex(16)), after=after)
        note_written()
        return answer
    return None


def _print_answer(answer: "Answer") -> int:
    """Print what a service says of a line that it wrote."""
    output.lines([*answer.echo, *answer.rolled])
    appended.say(new_findings.New(convert(answer.findings, tuple[Finding, ...])))
    return FINE


def _taken(refused: Refused, words: Sequence[str]) -> str:
    """Print why a line is refused, and return the offered line that the user at the terminal takes; "" for none.

    Raises the failure again, unless it offers another line to a user at a terminal.
    """
    from encounterlog.terminal import editing  # only where a line is refused

    if option := next((word for word in words if word.startswith("--") and word != "--"), None):
        refused.hint = "there is no such option; encounter add --help lists them"
        if option.partition("=")[0] in OPTIONS:
            refused.hint = f"options stand before FILE: encounter add {visible(option[:40])} … FILE b o 14 6"
        raise refused
    if not refused.offers or not editing.can_take():
        raise refused
    failures.say(refused)
    return editing.takes(refused.offers)


def _print(log: LogView, written: Written) -> int:
    """Print what was written, or the answer to a question."""
    if written.done is None:
        from encounterlog.reading.typed_questions import answered

        output.lines(answered(log, written.parsed, written.table))
        return FINE

    output.lines([*written.lines(), *written.done.says])
    appended.came(entering.taken(written, written.done))
    output.notes(log.notes)
    return FINE


def _asking(seed: str | None, word: str | None) -> "Asking | None":
    """Return the function that gives a word for dice of a chain, if one or a seed was given; raise Refused for half a word."""
    if seed is None and word is None:
        return None
    from encounterlog.core import drawn_dice

    return drawn_dice.own_word(seed) if word is None else drawn_dice.given_word(word)
