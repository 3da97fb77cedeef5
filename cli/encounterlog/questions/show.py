"""The state of a fight at any point."""

from typing import TYPE_CHECKING

from msgspec import structs

from encounterlog.questions.question import AT, Answer, Argument, Kind, Question
from encounterlog.text_pages import show as page

if TYPE_CHECKING:
    from encounterlog.core.logs import LogView
    from projections.time import Where


def ask(log: "LogView", where: "Where | None" = None, every: bool = False, why: bool = False) -> Answer:
    """Return the state at a point. The page for people is drawn, and without the reasons also judged; the data are neither."""
    return Answer(
        lambda: page.document(page.view(log, where, every, drawn=False)),
        lambda: page.page(
            _proved(log, where, every) if why else page.view(log, where, every, judge=True), why=why, every=every
        ),
    )


def _proved(log: "LogView", where: "Where | None", every: bool) -> page.View:
    """Return a view that names the facts which do not decide in each reason."""
    from encounterlog.reading.explanations import past_of  # only where reasons are asked for
    from projections.explaining.shown import proved

    view = page.view(log, where, every)
    return structs.replace(view, shown=proved(past_of(log, where), view.shown))


QUESTION = Question(
    "show",
    """Show clock, combatants and order of the log FILE, one line each, the round as a picture, and the findings up to there.

    A page of more than 28 lines leaves out the least important ones, if it then fits; --all shows everything. A bar
    shows hit points: # those that are left, = those that non-lethal damage has reached. Findings have the numbers of
    encounter audit; encounter why FILE finding N explains it.
    """,
    (
        AT,
        Argument("why", "why", Kind.FLAG, "Show the timeline too, and under each value the events and rules behind it.", for_people=True),
        Argument("all", "every", Kind.FLAG, "Show the timeline of every round so far."),
    ),
    ask,
    "encounterlog.text_pages.show_output:Show",
    "encounter show ford.jsonl --at r1s4     the state after segment 4 of round 1",
)  # fmt: skip
