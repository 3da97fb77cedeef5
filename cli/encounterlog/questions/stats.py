"""Who dealt, took and healed how much, with what."""

from typing import TYPE_CHECKING

from encounterlog.questions import counting
from encounterlog.questions.question import Answer, Argument, Kind, Question

if TYPE_CHECKING:
    from encounterlog.core.logs import LogView


def ask(log: "LogView", number: str | None = None, dice: bool = False) -> Answer:
    """Return the sums of each round and combatant, and how the faces of their dice are spread; raise Refused for rounds that are none."""
    return counting.counted(log, number, dice=dice)


QUESTION = Question(
    "stats",
    """Print who dealt, took and healed how much in the encounter of the log FILE, and with what.

    It counts the points by which hit points, temporary points and non-lethal damage really changed. With --json
    there is one row for each round and combatant, as in encounter export csv --table rounds.

    With --dice there is a line for each die of a combatant, by level: proven or bound, if it was drawn from a chain (encounter dice), else
    typed. A chi-squared test says how often fair dice are spread at least as unevenly; it needs five throws for each face.
    """,
    (
        Argument("round", "number", Kind.TEXT, "Only this round, or these; 0 is the time before the first.", "N|N-M", most=20),
        Argument("dice", "dice", Kind.FLAG, "Show instead how the faces of all dice are spread, and their origin."),
    ),
    ask,
    "encounterlog.questions.counting:Counted",
    "encounter stats ford.jsonl\n\nencounter stats ford.jsonl --round 2-3 --json",
    has_as_of=False,
    shows="counting",
)  # fmt: skip
