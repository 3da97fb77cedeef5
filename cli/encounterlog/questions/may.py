"""The acts that a combatant may do, and the clauses that bar the rest."""

from typing import TYPE_CHECKING

from encounterlog.questions.question import AT, Answer, Argument, Kind, Question
from encounterlog.reading.open_to import open_to
from encounterlog.text_pages import may as page

if TYPE_CHECKING:
    from encounterlog.core.logs import LogView
    from projections.time import Where


def ask(log: "LogView", who: str = "", where: "Where | None" = None) -> Answer:
    """Return what is open to a combatant; raise Refused for a name that nobody has, or several."""
    found, past = open_to(log, who, where)
    return Answer(lambda: found, lambda: page.page(found, past))


QUESTION = Question(
    "may",
    """Print the choices of WHO in the log FILE: resources, owed throws, and the clause that bars the rest.

    Without WHO it answers for those whose turn it is, or else for those who are due, and for all who owe something. A
    choice is unknown if neither the log nor the ruleset decides it. An open choice may still come outside the turn;
    the first line says whose turn it is.
    """,
    (Argument("who", "who", Kind.TEXT, "Whose choices; without it those of whose turn it is, or who are due.", positional=True, most=200), AT),
    ask,
    "projections.explaining.may:Choices",
    "encounter may ford.jsonl\nencounter may ford.jsonl ana --at r2",
)  # fmt: skip
