"""Every fact that touched a value."""

from typing import TYPE_CHECKING

from encounterlog.questions.question import AT, Answer, Argument, Kind, Question
from encounterlog.reading.explanations import blamed
from encounterlog.text_pages import blame as page

if TYPE_CHECKING:
    from encounterlog.core.logs import LogView
    from projections.time import Where


def ask(log: "LogView", address: str, where: "Where | None" = None) -> Answer:
    """Return the history of a value; raise Refused if it never had one."""
    found, done = blamed(log, address, where)
    return Answer(lambda: found, lambda: page.page(found, done.state))


QUESTION = Question(
    "blame",
    """List every fact of the log FILE that touched the value at ADDRESS, with its running values and writers.

    Below a fact are the acts and the dice that caused it. A struck or amended fact is listed with its first effect;
    one that was amended before it was struck also with its effect as amended.
    """,
    (Argument("address", "address", Kind.WORDS, "The address of the value, such as ana.hp.", positional=True, needed=True), AT),
    ask,
    "projections.explaining.blame:Blame",
    "encounter blame ford.jsonl ana.hp",
)  # fmt: skip
