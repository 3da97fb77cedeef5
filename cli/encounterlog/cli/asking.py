"""Commands that ask: made from the questions as data; the answer is printed, and becomes an exit code."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from encounterlog.ask import question_named
from encounterlog.ask.question import Answer, Argument, Kind, Question
from encounterlog.cli import options, output
from encounterlog.cli.failures import DIFFERENCE, FINE, UNREADABLE, report_problem
from encounterlog.log.logs import LogView
from eventstore.address import LogAddress
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
    """Print on standard error the notes on an answer, once they are known."""
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
    Kind.NUMBER: {"type": options.Whole()},
    Kind.POINT: {"type": Where.parse},
    Kind.TEXTS: {"multiple": True},
    Kind.NUMBERS: {"multiple": True, "type": options.Whole(1)},
    Kind.FACTS: {"multiple": True, "nargs": 2, "type": (options.Whole(1), str)},
}
"""The types with which click takes an argument of each kind."""

Body = Callable[..., int]
Decorator = Callable[[Body], Body]


def make_command(name: str) -> click.Command:
    """Return the command that asks a question of one log, and prints the answer."""
    asked = question_named(name)

    def command(file: LogAddress, audience: str | None, as_json: bool, as_of: int | None = None, **fields: Any) -> int:
        log = LogView(file, secrets=audience != "players", as_of=as_of, shows=asked.shows)
        return answer_and_print(asked, log, as_json=as_json, **fields)

    return question_command(asked, options.file, options.audience)(command)


def question_command(asked: Question, *logs: Decorator) -> Callable[[Body], click.Command]:
    """Return a decorator that makes a command of a function: it gets `logs`, the fields of the question, and whether JSON is wanted."""

    def decorate(body: Body) -> click.Command:
        made: Any = options.as_json(body)
        parameters: list[Decorator] = [*logs, *map(_click_parameter, asked.arguments)]
        if asked.has_as_of:
            parameters.append(options.as_of)
        for parameter in reversed(parameters):
            made = parameter(made)
        epilog = f"\b\n{asked.examples}" if asked.examples else None
        command: click.Command = click.command(asked.name, help=asked.explains, epilog=epilog)(made)
        return command

    return decorate


def _click_parameter(one: Argument) -> Decorator:
    if one.positional:
        required = one.needed and not one.command_asks
        return click.argument(one.field, metavar=one.metavar or None, required=required, **TYPES[one.kind])
    flags = f"--{one.name.replace('_', '-')}", one.field
    return click.option(*flags, help=one.says, metavar=one.metavar or None, **TYPES[one.kind])
