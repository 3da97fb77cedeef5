"""Answers to questions, printed; without click, which a plain question does not need."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from encounterlog.questions.question import Answer, Kind, Question
from encounterlog.terminal import output
from encounterlog.terminal.failures import DIFFERENCE, FINE, UNREADABLE, report_problem

if TYPE_CHECKING:
    from encounterlog.core.logs import LogView


def answered(asked: Question, log: "LogView", *, as_json: bool, **fields: Any) -> int:
    """Print the answer to a question and the fault of the log; return the exit code."""
    fields |= {each.field: " ".join(fields[each.field]) for each in asked.arguments if each.kind is Kind.WORDS}
    with _noted(log):
        if not asked.in_lines:
            return printed(asked.ask(log, **fields), log, as_json=as_json)
        asked.ask(log, output.json_line if as_json else output.lines, for_people=not as_json, **fields)
    return UNREADABLE if report_problem(log.problem) else FINE


def printed(answer: Answer, log: "LogView", *, as_json: bool) -> int:
    """Print an answer and the fault of the log; return the exit code."""
    with _noted(log):
        output.json(answer.data()) if as_json else output.lines(answer.lines())
    if report_problem(log.problem):
        return UNREADABLE
    return DIFFERENCE if answer.differs() else FINE


@contextmanager
def _noted(log: "LogView") -> Iterator[None]:
    """Print on standard error the notes on an answer, once they are known."""
    try:
        yield
    finally:
        if log.notes:
            output.notes(log.notes)
            log.notes.clear()
