"""`encounter add`: one line of the language, and its facts as sentences."""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any, cast

import click
from click.shell_completion import CompletionItem
from msgspec import convert

from encounterlog.cli import appended, editing, failures, output
from encounterlog.cli.failures import FINE, REFUSED
from encounterlog.cli.options import After, By, File, Mode, NetworkDrive, argument, command, option
from encounterlog.errors import Refused, note_written
from encounterlog.log import entering
from encounterlog.log.folded_log import New, kept_view
from encounterlog.log.logs import LogView
from encounterlog.places.model import find_model
from encounterlog.places.services import LONGEST_LINE, UNTOLD, Spoken
from encounterlog.places.stores import is_served, open_store
from encounterlog.places.time_and_chance import make_roller
from eventstore.address import LogAddress
from eventstore.wording import visible
from projections.judging.audit import Finding
from projections.language.notation.offers import offer_completions

if TYPE_CHECKING:
    from encounterlog.places.remote import Answer, RemoteStore


def _next_words(context: click.Context, _words: click.Parameter, begun: str) -> list[CompletionItem]:
    with suppress(Exception):  # the shell has no place for what is wrong
        table = entering.table_of(LogView(context.params["file"]), None)
        _, found = offer_completions(table.context, " ".join([*(context.params["words"] or ()), begun]))
        return [CompletionItem(each.word, help=each.says) for each in found]
    return []


@command(
    examples="encounter add ford.jsonl join Brand party hp=14\nencounter add ford.jsonl b o 14 6\n"
    "encounter add ford.jsonl b -6n\nencounter add ford.jsonl help",
    context_settings={"allow_interspersed_args": False},
)
def add(
    file: File,
    words: Annotated[tuple[str, ...], argument("words", type=click.UNPROCESSED, shell_complete=_next_words)],
    after: After,
    seed: Annotated[str | None, option("--seed TEXT", "Roll dice from a seed, always the same, for scripts.")],
    word: Annotated[str | None, option("--word NAME:WORD", "An entropy word of another person for dice of a chain.")],
    mode: Mode,
    network_drive: NetworkDrive,
    by: By,
) -> int:
    """Add one line of the language to the log FILE, and print its facts as sentences.

    Options stand before FILE; everything after it is the line. `b o 14 6` means: Brand attacks the ogre, rolls 14, hits
    for 6. Names may be as short as they are unique. In a shell, quote a word that begins with a quotation mark, # or
    ?, or that contains blanks. `encounter add FILE help` lists the forms. If a refusal offers lines at a terminal,
    Enter writes the first, 2 and 3 the others, and any other key nothing. After
    `eval "$(_ENCOUNTER_COMPLETE=bash_source encounter)"` Tab completes the words of the line, too.
    """
    words = words[1:] if words[:1] == ("--",) else words  # some end their options so
    line = entering.join_words(words)
    if not line.strip():
        if not is_served(file) and not os.path.lexists(str(file)):
            says = f"{visible(str(file)[:80])} is no log, and there is no line after it"
            hint = 'name the log first, such as: encounter add ford.jsonl "Mira joins the party with 22 hp"'
            raise Refused("usage", says, hint)
        raise Refused("usage", "no words after FILE", "such as: encounter add FILE b o 14 6; encounter add FILE help")
    given: dict[str, Any] = {"arguments": words, "by": by, "mode": mode, "after": after}
    if seed is not None or word is not None:
        from encounterlog.log import drawn_dice  # with chains of dice

        given["ask"] = drawn_dice.make_word_source(seed) if word is None else drawn_dice.given_word(word)
    elif is_served(file) and not entering.may_be_several(words) and (there := _told_there(file, line, after)):
        output.print_lines([*there.echo, *there.rolled])
        appended.print_findings(New(convert(there.findings, tuple[Finding, ...])))
        return FINE
    log = kept_view(file, network_drive=network_drive)
    try:
        written = entering.tell_line(log, line, roll=make_roller(seed), suggest=find_model(), **given)
    except Refused as refused:
        output.print_notes(log.notes)
        if not (taken := _offer_taken(refused, words)):
            return REFUSED
        written = entering.tell_line(log.reread(), taken, roll=make_roller(seed), suggest=find_model(), **given)
    if written.done is None:
        from encounterlog.ask.typed import answer_typed

        output.print_lines(answer_typed(log, written.parsed, written.table))
        return FINE
    appended.print_outcome(written, written.done)
    output.print_notes(log.notes)
    return FINE


OPTIONS = ("--after", "--seed", "--word", "--mode", "--network-drive", "--by")
"""The options of `encounter add`, which stand before FILE."""


def _told_there(file: LogAddress, line: str, after: int | None) -> "Answer | None":
    if find_model() is not None or "\n" in line or len(line) > LONGEST_LINE:
        return None
    with suppress(*UNTOLD):
        answer = cast("RemoteStore", open_store(file)).say(Spoken(line, os.urandom(16).hex()), after=after)
        note_written()
        return answer
    return None


def _offer_taken(refused: Refused, words: Sequence[str]) -> str:
    if option := next((word for word in words if word.startswith("--") and word != "--"), None):
        refused.hint = "there is no such option; encounter add --help lists them"
        if option.partition("=")[0] in OPTIONS:
            refused.hint = f"options stand before FILE: encounter add {visible(option[:40])} … FILE b o 14 6"
        raise refused
    if not (refused.offers and editing.is_full() and sys.stderr.isatty()):
        raise refused
    failures.print_error(refused)
    return editing.wait_for_choice(refused.offers)
