"""Every fact with the values that it changed."""

from typing import TYPE_CHECKING, Any

from encounterlog.questions.question import ACTOR, AT, ROUND, Question
from encounterlog.reading import listing

if TYPE_CHECKING:
    from collections.abc import Callable

    from encounterlog.core.logs import LogView
    from projections.time import Where


def ask(
    log: "LogView",
    show: "Callable[[Any], None]",
    *,
    for_people: bool = False,
    where: "Where | None" = None,
    number: int | None = None,
    actor: str | None = None,
) -> None:
    """Show the facts up to a point that are wanted; raise Refused for a combatant or a round that there is not."""
    listing.replay(log, show, where, listing.Filter(number, actor), for_people=for_people)


QUESTION = Question(
    "replay",
    """Step through the log FILE: each fact, its changes, and the state after it.

    At a terminal keys go forwards and backwards: n and p (or the arrows) by events, t and T by turns or segments, r and R by
    rounds; g goes to a point, < and > to the ends, j and k scroll, q quits. --at says where to begin.

    Elsewhere, and with --list, --round, --actor or --json, every fact up to --at is printed, and below each the values that
    it changed. With --json each line is a JSON object.
    """,
    (AT, ROUND, ACTOR),
    ask,
    "encounterlog.reading.listing:Stepped",
    "encounter replay ford.jsonl\nencounter replay ford.jsonl --at r2 --list",
    in_lines=True,
)
