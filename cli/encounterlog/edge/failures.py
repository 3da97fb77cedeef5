"""Errors as a sentence, a hint and an exit code: the only place where errors become exit codes."""

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from encounterlog.edge import output
from encounterlog.edge.ending import has_written
from eventstore.errors import (
    Busy,
    CorruptLog,
    KeyReused,
    Malformed,
    NotALog,
    NotMigrated,
    NotWritten,
    OutcomeUnknown,
    Rewritten,
    StoreError,
    TooLarge,
    WrongVersion,
)
from eventstore.form import nearest

if TYPE_CHECKING:
    from click import ClickException

    from eventstore.address import LogAddress
    from eventstore.store import Problem
    from projections.rulesets.failing import RulesetFailed

FINE, DIFFERENCE, USAGE, UNREADABLE, REFUSED, CONFLICT, NOT_WRITTEN, INTERRUPTED = 0, 1, 2, 3, 4, 5, 6, 130
UNKNOWN, UNPRINTED = 7, 8

EXITS = {
    FINE: "success; for `import`: the log was written, even if values differ (the differences are printed)",
    DIFFERENCE: "breaches that no ruling waives, or a difference (from an anchor or a signature); for `repair --dry-run`: there is something to do",
    USAGE: "wrong usage",
    UNREADABLE: "the log cannot be read completely: damaged, missing, or not a log; for `export`: a torn tail was left out",
    REFUSED: "the input was refused; nothing was written (typed at a terminal: nothing of the refused lines)",
    CONFLICT: "another writer came first",
    NOT_WRITTEN: "not written: a log, a file or the output",
    UNKNOWN: "it is unknown whether it was written: look at the log, or repeat the append with its key",
    UNPRINTED: "written, but the output failed: do not repeat it, but look at the log",
    INTERRUPTED: "interrupted",
}
"""What each exit code means."""

CODES: dict[type[StoreError], int] = {
    Malformed: REFUSED,
    CorruptLog: UNREADABLE,
    NotALog: UNREADABLE,
    NotMigrated: USAGE,
    Rewritten: DIFFERENCE,
    WrongVersion: CONFLICT,
    KeyReused: REFUSED,
    TooLarge: REFUSED,
    Busy: NOT_WRITTEN,
    NotWritten: NOT_WRITTEN,
    OutcomeUnknown: UNKNOWN,
}
"""The exit code of each error of the store."""


BY_MODEL = "(suggested by the model)"
"""What stands behind what a model suggests."""


class Reading(NamedTuple):
    """A line that is offered, and what it would record: its facts as sentences, and as they are appended."""

    line: str
    says: tuple[str, ...]
    facts: tuple[dict[str, Any], ...]

    def marked(self) -> "Reading":
        """Return it as one that a model suggests, which its last sentence says."""
        *others, last = self.says or ("",)
        return self._replace(says=(*others, f"{last} {BY_MODEL}"))


class Failure(Exception):
    """An error found by a command itself: exit code, sentence, further lines, hint; `column` of a line that was typed, and lines that would do.

    `readings` has these lines with what they would record, where the line itself can mean several things.
    """

    def __init__(
        self,
        code: int,
        says: str,
        hint: str = "",
        details: Iterable[str] = (),
        column: int = 0,
        offers: tuple[str, ...] = (),
        readings: tuple[Reading, ...] = (),
    ) -> None:
        self.code, self.says, self.hint, self.details, self.column = code, says, hint, tuple(details), column
        self.offers, self.readings = offers, readings
        super().__init__(says)
        if hint:
            self.add_note(f"hint: {hint}")


class Stopped(Exception):
    """A command was stopped from outside: by the keyboard, or because its output is no longer read."""

    def __init__(self, by: BaseException) -> None:
        self.by = by
        super().__init__()


def misspelt(what: str, word: str, known: Iterable[str], otherwise: str) -> Failure:
    """Return the failure for an unknown word, with the nearest known ones as a hint."""
    return Failure(USAGE, f"no {what} '{word[:80]}'", nearest(word, known) or otherwise)


def report(error: Exception, writing: bool) -> int:
    """Print an error of a command on standard error, and return its exit code."""
    if isinstance(error, Stopped | BrokenPipeError):
        return _stopped(error)
    from click import Abort  # only where something went wrong

    if isinstance(error, Abort):
        return say(Failure(INTERRUPTED, "interrupted"))
    if os.environ.get("ENCOUNTER_TRACEBACK"):
        raise error
    failure = failure_of(error)
    if isinstance(error, Busy) and not writing:
        failure.code = UNREADABLE
    if isinstance(error, OSError) and not error.filename and has_written():
        failure.code = UNPRINTED
    return say(failure)


def say(failure: Failure) -> int:
    """Print a failure on standard error, and return its exit code."""
    lines = [f"encounter: {failure.says}", *(f"  {line}" for line in failure.details)]
    lines += numbered(failure)
    if failure.hint:
        lines.append(f"hint: {failure.hint}")
    with suppress(OSError):  # nobody reads it; the exit code remains
        output.notes(lines)
    return failure.code


def numbered(failure: Failure) -> list[str]:
    """Return the readings of a line, each with its number, the sentences of what would be recorded, and the line that takes it."""
    rows = [f"  {number}  {'; '.join(each.says)}  `{each.line}`" for number, each in enumerate(failure.readings, 1)]
    return ["hint: it can mean", *rows] if rows else []


def failure_of(error: Exception) -> Failure:
    """Return any exception as the failure of a command: its exit code, what is printed, a hint and details."""
    if isinstance(error, Failure):
        return error
    if isinstance(error, StoreError):
        return Failure(_code(error), str(error), error.hint, _conflicting_records(error))
    from click import ClickException

    if isinstance(error, ClickException):
        return _usage_failure(error)
    if isinstance(error, OSError):
        return _os_failure(error)
    from projections.proving.plays import EncError
    from projections.rulesets.catalogue import CatalogueError

    if isinstance(error, EncError | CatalogueError):
        code = UNREADABLE if isinstance(error, EncError) else USAGE
        return Failure(code, f"the rulebook cannot be read: {error}", error.hint)
    return _ruleset_failure_or_bug(error)


def _ruleset_failure_or_bug(error: Exception) -> Failure:
    """Return the failure of a function of a ruleset, if that is where the error comes from, else a bug."""
    from projections.rulesets.failing import RulesetFailed, failure_in

    if failed := error if isinstance(error, RulesetFailed) else failure_in(error):
        return _of_ruleset(failed)
    hint = "please report it; with ENCOUNTER_TRACEBACK=1 in the environment the traceback is shown"
    return Failure(NOT_WRITTEN, f"a bug in encounterlog: {type(error).__name__}: {error}", hint)


def _of_ruleset(error: "RulesetFailed") -> Failure:
    """Return the failure of a function of a ruleset, with the fact that it failed at."""
    from encounterlog.wording.facts import sentence

    details = [f"{error.seq}: {sentence(error.event)}"] if error.event else []
    return Failure(UNREADABLE, str(error), error.hint, details)


def of_problem(file: "LogAddress", problem: "Problem") -> Failure:
    """Return the failure for a log that is intact only up to a line."""
    one = problem
    return failure_of(CorruptLog(file, one.line, one.offset, one.why, one.hint))


def without_name(error: StoreError) -> str:
    """Return what is wrong with a log, for a list that names it anyway."""
    if isinstance(error, CorruptLog):
        return f"line {error.line}: {error.why}"
    return error.why if isinstance(error, NotALog) else str(error)


def _code(error: StoreError) -> int:
    if isinstance(error, Malformed) and error.field in ("WHERE", "address", "anchor", "by", "withhold"):
        return USAGE
    return next(CODES[kind] for kind in type(error).__mro__ if kind in CODES)


def _conflicting_records(error: StoreError) -> list[str]:
    """Return the records written by others in between, if an append was refused because of them."""
    if not isinstance(error, WrongVersion) or not error.between:
        return []
    from encounterlog.wording.facts import record_in_words
    from encounterlog.wording.layout import clip

    lines = [clip(f"{record.seq:>5}  {record.by}: {record_in_words(record)}") for record in error.between[:10]]
    return [*lines, f"… and {len(error.between) - 10} more"] if len(error.between) > 10 else lines


def _usage_failure(error: "ClickException") -> Failure:
    words = " ".join(error.format_message().split()).rstrip(".")
    context = getattr(error, "ctx", None)
    helps = f"{context.command_path} --help" if context else "encounter --help"
    return Failure(USAGE, words[:1].lower() + words[1:], _nearest_choice(error) or helps)


def _nearest_choice(error: "ClickException") -> str:
    """Return a hint for a word that is near one of those that an argument or an option can be; "" for anything else.

    What has a dot is a file, before which a word was left out.
    """
    choices = getattr(getattr(getattr(error, "param", None), "type", None), "choices", ())
    word = error.message.partition("'")[2].partition("' is not ")[0]
    return nearest(word, choices) if "." not in word else ""


def _os_failure(error: OSError) -> Failure:
    where = f"{os.fsdecode(error.filename)}: " if error.filename else "the output could not be written: "
    hint = (
        "only the output failed; what was appended remains in the log" if has_written() and not error.filename else ""
    )
    return Failure(NOT_WRITTEN, f"{where}{(error.strerror or str(error)).lower()}", hint)


def _stopped(error: Stopped | BrokenPipeError) -> int:
    """Exit without a message, discarding what is still in the buffer."""
    if isinstance(error, Stopped) and isinstance(error.by, KeyboardInterrupt):
        return say(Failure(INTERRUPTED, "interrupted", "look at the log before you repeat an append"))
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 – stays open to the end
    return FINE
