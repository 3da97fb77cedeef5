"""Answers to questions, printed; without click, which a plain question does not need."""

from typing import TYPE_CHECKING, Any

from encounterlog.edge.failures import DIFFERENCE, FINE, UNREADABLE
from encounterlog.questions.question import Answer, Kind, Question

if TYPE_CHECKING:
    from encounterlog.reading.logs import Log


def answered(asked: Question, log: "Log", *, as_json: bool, **fields: Any) -> int:
    """Print the answer to a question and what is wrong with the log; return the exit code."""
    fields |= {each.field: " ".join(fields[each.field]) for each in asked.arguments if each.kind is Kind.WORDS}
    if asked.in_lines:
        from encounterlog.edge import output
        from encounterlog.reading.logs import report_problem

        asked.ask(log, output.json_line if as_json else output.lines, for_people=not as_json, **fields)
        return UNREADABLE if report_problem(log.problem) else FINE
    return printed(asked.ask(log, **fields), log, as_json=as_json)


def printed(answer: Answer, log: "Log", *, as_json: bool) -> int:
    """Print an answer and what is wrong with the log; return the exit code."""
    from encounterlog.edge import output
    from encounterlog.reading.logs import report_problem

    output.json(answer.data()) if as_json else output.lines(answer.lines())
    if report_problem(log.problem):
        return UNREADABLE
    return DIFFERENCE if answer.differs() else FINE
