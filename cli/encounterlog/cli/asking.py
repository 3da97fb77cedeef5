"""Commands that ask: made from the questions as data; the answer is printed, and becomes an exit code."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from encounterlog.ask import AS_OF_SAYS, Answer, Kind, Question, question_named
from encounterlog.cli import output
from encounterlog.cli.failures import DIFFERENCE, FINE, UNREADABLE, report_problem
from encounterlog.cli.options import Audience, File, Given, Json, argument, command, option, whole
from encounterlog.log.logs import LogView
from projections.time import Where


def answer_and_print(asked: Question, log: LogView, *, as_json: bool, **fields: Any) -> int:
    """Print the answer to a question and the fault of the log; return the exit code."""
    fields |= {each.field: " ".join(fields[each.field]) for each in asked.arguments if each.kind is Kind.WORDS}
    with _print_notes_after(log):
        if not asked.in_lines:
            return print_answer(asked.ask(log, **fields), log, as_json=as_json)
        asked.ask(log, output.json_line if as_json else output.print_lines, for_people=not as_json, **fields)
    return UNREADABLE if report_problem(log.problem) else FINE


def print_answer(answer: Answer, log: LogView, *, as_json: bool) -> int:
    """Print an answer and the fault of the log; return the exit code."""
    with _print_notes_after(log):
        output.print_json(answer.data()) if as_json else output.print_lines(answer.lines())
    if report_problem(log.problem):
        return UNREADABLE
    return DIFFERENCE if answer.differs else FINE


@contextmanager
def _print_notes_after(log: LogView) -> Iterator[None]:
    try:
        yield
    finally:
        if log.notes:
            output.print_notes(log.notes)
            log.notes.clear()


TYPES: dict[Kind, dict[str, Any]] = {
    Kind.TEXT: {},
    Kind.WORDS: {"nargs": -1},
    Kind.FLAG: {"is_flag": True},
    Kind.NUMBER: {"type": whole()},
    Kind.POINT: {"type": Where.parse},
    Kind.TEXTS: {"multiple": True},
    Kind.NUMBERS: {"multiple": True, "type": whole(1)},
    Kind.FACTS: {"multiple": True, "nargs": 2, "type": (whole(1), str)},
}
"""The types with which click takes an argument of each kind."""


def make_command(name: str) -> click.Command:
    """Return the command that asks a question of one log, and prints the answer."""
    asked = question_named(name)

    def ask(file: File, audience: Audience, as_json: Json, **fields: Any) -> int:
        log = LogView(file, secrets=audience != "players", as_of=fields.pop("as_of", None), shows=asked.shows)
        return answer_and_print(asked, log, as_json=as_json, **fields)

    return question_command(asked)(ask)


def question_command(asked: Question, *given: Given) -> Callable[[Callable[..., int]], click.Command]:
    """Return a decorator that makes the command of a question from a function, whose parameters are the arguments by their fields."""
    as_of = [option("--as-of SEQ", AS_OF_SAYS, type=whole())] if asked.has_as_of else []
    arguments = (
        argument(one.field, one.metavar or None, required=one.needed and not one.command_asks, **TYPES[one.kind])
        if one.positional
        else option(f"--{one.name.replace('_', '-')} {one.metavar}", one.says, one.field, **TYPES[one.kind])
        for one in asked.arguments
    )
    return command(*given, *arguments, *as_of, name=asked.name, help=asked.explains, examples=asked.examples)
