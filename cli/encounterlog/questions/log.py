"""The corrected stream, a fact on each line."""

from typing import TYPE_CHECKING, Any

from encounterlog.errors import Refused
from encounterlog.questions.question import ACTOR, ROUND, Argument, Kind, Question
from encounterlog.reading import listing
from encounterlog.reading.first_time import Watched

if TYPE_CHECKING:
    from collections.abc import Callable

    from encounterlog.core.logs import LogView


def ask(
    log: "LogView",
    show: "Callable[[Any], None]",
    *,
    for_people: bool = False,
    number: int | None = None,
    actor: str | None = None,
    kind: str | None = None,
    expression: str | None = None,
    turns: bool = False,
    struck: bool = False,
) -> None:
    """Show the lines that are wanted; raise Refused for a combatant, a round or a type that there is not."""
    wanted, holds = listing.Filter(number, actor, kind), _watched(expression, turns=turns, struck=struck)
    found = listing.listed(log, show, wanted, for_people=for_people, struck=struck, watched=holds)
    listing.check(log, found, wanted, holds)


def _watched(expression: str | None, *, turns: bool, struck: bool) -> "Watched | None":
    """Return the expression that facts are chosen by; raise Refused where it does not go with the other arguments."""
    if turns and expression is None:
        raise Refused("usage", "--turns needs --where EXPR")
    if expression is not None and struck:
        raise Refused("usage", "--where does not go with --struck: it asks for values of the corrected stream")
    if expression is None:
        return None
    return Watched(expression, turns=turns)


QUESTION = Question(
    "log",
    """List what happened in the log FILE, with corrections applied, one fact per line.

    The second column is the time, in the notation of --at. With --json each line is a JSON object. With --follow a
    later correction is printed as a separate line, if the filters select it; lines already printed are not repeated.
    """,
    (
        ROUND,
        ACTOR,
        Argument("type", "kind", Kind.TEXT, "Only facts of this type; encounter schema lists the types.", "TYPE", most=120),
        Argument("where", "expression", Kind.TEXT, "Only facts after which this holds, such as ana.hp <= 0.", "EXPR"),
        Argument("turns", "turns", Kind.FLAG, "With --where: only facts that change the answer."),
        Argument("struck", "struck", Kind.FLAG, "Show the file as it is: corrections, and the facts that they struck or amended."),
    ),
    ask,
    "encounterlog.text_pages.log:LogRow",
    in_lines=True,
)  # fmt: skip
