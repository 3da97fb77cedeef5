"""The differences that other facts would make, or another reading of the rules."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from encounterlog.core import forking
from encounterlog.questions.question import AT, Answer, Argument, Kind, Question
from encounterlog.text_pages import difference as page

if TYPE_CHECKING:
    from encounterlog.core.logs import LogView
    from projections.explaining.forks import Fork
    from projections.time import Where


def ask(
    log: "LogView",
    strikes: Sequence[int] = (),
    amends: Sequence[tuple[int, str]] = (),
    inserts: Sequence[tuple[int, str]] = (),
    chosen: Sequence[str] = (),
    where: "Where | None" = None,
) -> Answer:
    """Return the differences of a fork in memory; nothing is written. Raise Refused for facts that a log would refuse."""
    fork, _ = forking.fork_of(log, strikes, amends, inserts, tuple(chosen))
    return ask_of(log, fork, where)


def ask_of(log: "LogView", fork: "Fork", where: "Where | None") -> Answer:
    """Return what is different in a fork."""
    as_it_is, other, found = forking.differing(log, fork, where)
    return Answer(lambda: found, lambda: page.page(found, as_it_is, other, ("as it is", "what if")))


QUESTION = Question(
    "whatif",
    """Show the values and findings of the log FILE that would differ, and from which record on.

    Nothing is written to FILE. Facts that no longer make sense are listed, never dropped. --save writes the fork as a log
    of its own, which names the log that it was forked from.
    """,
    (
        Argument("strike", "strikes", Kind.NUMBERS, "Without record N.", "N"),
        Argument("amend", "amends", Kind.FACTS, "With this fact, these fields of it or FIELD=VALUE, in place of record N.", "N EVENT"),
        Argument("insert_after", "inserts", Kind.FACTS, "With this fact after record N.", "N EVENT"),
        Argument("option", "chosen", Kind.TEXTS, "In another reading of the rules.", "NAME=VALUE"),
        AT,
    ),
    ask,
    "projections.explaining.forks:Differences",
    "encounter whatif ford.jsonl --strike 19\nencounter whatif ford.jsonl --amend 19 amount=1\n"
    'encounter whatif ford.jsonl --amend 19 \'{"amount": 1, "target": "bo"}\'\n'
    "encounter whatif ford.jsonl --option missile-initiative=win-only --save other.jsonl",
)  # fmt: skip
