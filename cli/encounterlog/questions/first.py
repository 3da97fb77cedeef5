"""The first moment at which something held."""

from typing import TYPE_CHECKING

from encounterlog.questions.question import AT, Answer, Argument, Kind, Question
from encounterlog.reading import first_time
from encounterlog.text.phrases import values
from encounterlog.text_pages.log import line

if TYPE_CHECKING:
    from encounterlog.core.logs import LogView
    from projections.time import Where


def ask(log: "LogView", expression: str, where: "Where | None" = None) -> Answer:
    """Return the first record after which an expression held; raise Refused for one that cannot be read, or asks for what never was."""
    found = first_time.first(log, expression, where)

    def lines() -> list[str]:
        if found.record is None:
            return [f"never: {expression}", f"       at the end {values(found.values)}"]
        return [line(found.record), f"       {values(found.values)}"]

    return Answer(lambda: found, lines, lambda: found.record is None)


QUESTION = Question(
    "first",
    """Print the first record of the log FILE after which EXPR held, with the values in EXPR.

    EXPR compares addresses with values: = != < <= > >=, is none, is not none, joined by and, or, not and brackets; for
    a list, = asks whether it has the value. Put a value with blanks in double quotes. The exit code is 1 if it never
    held.
    """,
    (Argument("expr", "expression", Kind.TEXT, "The expression, such as ana.hp <= 0.", "EXPR", positional=True, needed=True), AT),
    ask,
    "encounterlog.reading.first_time:First",
    "encounter first ford.jsonl 'ana.hp <= 0'\nencounter first ford.jsonl 'halvaine.casting is none'",
)  # fmt: skip
