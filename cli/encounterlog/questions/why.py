"""Why a value is as it is, who comes before whom, what a finding means."""

from typing import TYPE_CHECKING

from encounterlog.errors import Refused
from encounterlog.questions.question import AT, Answer, Argument, Kind, Question
from encounterlog.reading import addressing, explanations
from encounterlog.text_pages import why as page

if TYPE_CHECKING:
    from encounterlog.core.logs import LogView
    from projections.time import Where


def ask(
    log: "LogView", question: str = "", where: "Where | None" = None, every: bool = False, short: bool = False
) -> Answer:
    """Return the answers to a question; raise Refused where it is none, or is about something that is not there."""
    words, point = explanations.split_point(question.split())
    if not words:
        raise Refused("usage", "no question", explanations.ASK)
    past = explanations.past_of(log, where or point)
    try:
        found = explanations.answers(past, words, thorough=every, variants=not short)
    except Refused as unknown:
        raise (log.problem or unknown) from None  # what is asked about may lie behind the fault
    first = addressing.coming_round(past.state, words)
    brief = short or ((explanations.is_short(found) or first != "") and not every)
    return Answer(
        lambda: explanations.Answered(tuple(found)),
        lambda: page.lines(found, past.state, every=every, short=brief, first=first),
    )


QUESTION = Question(
    "why",
    """Explain a value or finding of the log FILE: the facts, the dice, the rule, and its other readings.

    The QUESTION is the name of a combatant, the address of a value (ana.hp, ana.status, order), one of the forms below, or a sentence such
    as: why is ana low, who is next. Names are as at the table: as short as they are unique, in any case. @r2 at the
    end is --at r2. Findings have the numbers of encounter audit at the same point. With --json the command prints a list of answers with their trees.
    """,
    (
        Argument("q", "question", Kind.WORDS, "The question: ana.hp, ana before bo, finding 3, ana cannot act.", positional=True, needed=True, command_asks=True),
        AT,
        Argument("short", "short", Kind.FLAG, "One sentence, to be read aloud.", for_people=True),
        Argument("all", "every", Kind.FLAG, "Every fact, every rule, and every other reading that changes the answer."),
    ),
    ask,
    "encounterlog.reading.explanations:Answered",
    "encounter why ford.jsonl ana.hp\nencounter why ford.jsonl ana before bo --at r2\nencounter why ford.jsonl finding 3\n"
    "encounter why ford.jsonl finding @14 RULE\nencounter why ford.jsonl ana cannot act",
)  # fmt: skip
