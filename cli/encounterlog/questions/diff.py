"""The differences between two moments of a log, or two states of its knowledge."""

from typing import TYPE_CHECKING

from encounterlog.questions.question import Answer, Argument, Kind, Question
from encounterlog.reading import comparing
from encounterlog.text_pages import difference as page
from projections.explaining.forks import differences

if TYPE_CHECKING:
    from encounterlog.core.logs import LogView


def ask(log: "LogView", one: str, other: str | None = None) -> Answer:
    """Return in what a log differs at two points, each a point of time or @SEQ; raise Refused if there is only one."""
    if other is None:
        raise comparing.only_one(one)
    _, mine, yours = comparing.points(log, one, other)
    found = differences(mine, yours)
    return Answer(lambda: found, lambda: page.page(found, mine, yours, (one, other)), lambda: not found.none)


QUESTION = Question(
    "diff",
    """Show in which values and findings two points of the log FILE differ, or two logs.

    A and B are points of time as for --at, or @SEQ: the log as it was when it ended with that record. The exit code
    is 1 if there is a difference.
    """,
    (
        Argument("a", "one", Kind.TEXT, "A point, or @SEQ.", "A|OTHER", positional=True, needed=True, most=200),
        Argument(
            "b",
            "other",
            Kind.TEXT,
            "A point, or @SEQ.",
            "[B]",
            positional=True,
            needed=True,
            command_asks=True,
            most=200,
        ),
    ),
    ask,
    "projections.explaining.forks:Differences",
    "encounter diff ford.jsonl r1 r2        two moments\n"
    "encounter diff ford.jsonl @12 @20      what the log knew after records 12 and 20\n"
    "encounter diff ford.jsonl other.jsonl  two logs with a common past",
    has_as_of=False,
)
