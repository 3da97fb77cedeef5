"""The errors of commands: a sentence, a hint and an exit code. The only place where a kind becomes one."""

import os
import sys
from contextlib import suppress

from click import Abort, ClickException

from encounterlog.cli import output
from encounterlog.errors import EXITS, Refused, has_written
from encounterlog.places import databases
from encounterlog.words.refusals import refusal_of
from eventstore.errors import Busy, NotThere, StoreError
from eventstore.wording import nearest

FINE, DIFFERENCE, UNREADABLE, REFUSED, UNPRINTED, INTERRUPTED = (
    EXITS[name].code for name in ("fine", "differs", "unreadable", "refused", "unprinted", "interrupted")
)


def print_error_and_exit_code(error: Exception, writing: bool) -> int:
    """Print an error of a command on standard error, and return its exit code."""
    if isinstance(error, BrokenPipeError | Abort):
        return exit_code_when_stopped(error)
    if os.environ.get("ENCOUNTER_TRACEBACK"):
        raise error
    refused = usage_fault(error) if isinstance(error, ClickException) else _refusal_of_any(error)
    code = UNREADABLE if isinstance(error, Busy) and not writing else refused.code
    if isinstance(error, OSError) and not error.filename:  # it is the output that failed
        _discard_output()
        if has_written():
            refused.hint, code = "only the output failed; the appended facts remain in the log", UNPRINTED
    print_error(refused)
    return code


def print_error(error: Exception) -> int:
    """Print an error on standard error, and return its exit code."""
    refused = _refusal_of_any(error)
    lines = [f"encounter: {refused.says}", *(f"  {line}" for line in refused.details)]
    lines += ["hint: it can mean"] if refused.readings else []
    lines += (f"  {number}  {'; '.join(each.says)}  `{each.line}`" for number, each in enumerate(refused.readings, 1))
    lines += [f"hint: {refused.hint}"] if refused.hint else []
    with suppress(OSError):  # nobody reads it; the exit code remains
        output.print_notes(lines)
    return refused.code


def _refusal_of_any(error: Exception) -> Refused:
    refused = refusal_of(error)
    if isinstance(error, NotThere) and databases.is_one(error.path):
        with suppress(StoreError, Refused):  # of reading the names
            names = databases.open_database(error.path).names()
            refused.hint = nearest(databases.name_of(error.path), names) or refused.hint
    return refused


def report_problem(problem: StoreError | None) -> bool:
    """Print on standard error where and why a log could not be read completely; return whether that is so."""
    if problem is not None:
        print_error(problem)
    return problem is not None


def usage_fault(error: ClickException, hint: str = "") -> Refused:
    """Return the fault in the words of a command, with the hint, else with the nearest word, else with the place of its help."""
    words = " ".join(error.format_message().split()).rstrip(".")
    context = getattr(error, "ctx", None)
    helps = f"{context.command_path} --help" if context else "encounter --help"
    choices = getattr(getattr(getattr(error, "param", None), "type", None), "choices", ())
    word = error.message.partition("'")[2].partition("' is not ")[0]
    near = "" if "." in word else nearest(word, choices)  # with a dot it is a file, before which a word was left out
    return Refused("usage", words[:1].lower() + words[1:], hint or near or helps)


def exit_code_when_stopped(error: BrokenPipeError | KeyboardInterrupt | Abort) -> int:
    """Return the exit code of a command that was interrupted, or whose output is no longer read; for that, nothing is printed."""
    if isinstance(error, BrokenPipeError):
        _discard_output()
        return FINE
    hint = "look at the log before you repeat an append" if isinstance(error, KeyboardInterrupt) else ""
    print_error(Refused("uncertain", "interrupted", hint))
    return INTERRUPTED


def _discard_output() -> None:
    """Discard the contents of the output's buffer; otherwise Python would try to write it at its end, with an exit code of its own."""
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 – stays open to the end
