"""The question to a model about a line that nobody here understands, and the part of its answer that can be offered.

The answer is a guess: one line of the notation, read as scripts are, and honest; everything else is dropped. This
module makes the question and judges the answer; it asks nobody.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from projections.folds.moves import next_up
from projections.grammar import forms
from projections.grammar.parsing import Parsed, parse
from projections.grammar.tokens import NotUnderstood
from projections.reader import honesty
from projections.reader.tokens import LONGEST

if TYPE_CHECKING:
    from projections.grammar.table import Table

LAST_DEEDS = 4
"""How many of the last deeds are in the question."""
TASK = """You translate what somebody at a table says about a tabletop fight into one line of a fixed notation.
Answer with this line alone, or with - if no form fits. Take names and numbers from the sentence, as they are there: never invent one,
and leave out what the sentence does not say. No explanation, no option, no quotation marks. The forms, each with an example:"""


class Question(Struct, frozen=True):
    """A question to a model: the task with the forms of the game, and the line with its context."""

    task: str
    about: str


Suggest = Callable[[Question], str]
"""A function that answers a question; "" if it has no answer."""


def suggestion(table: "Table", line: str, suggest: Suggest) -> str:
    """Return the line of the notation that a model suggests for a refused one; "" if there is none, or none that is honest."""
    if not line.strip() or len(line) > LONGEST or not line.isprintable():
        return ""
    notation = suggest(question(table, line)).strip().strip("`").strip()
    try:
        told = _notation(table, notation)
        parsed = table.accepted(notation) if told else None
        if told is None or parsed is None:
            return ""
        return notation if honesty.is_honest(table, line, notation, structs.replace(parsed, form=told.form)) else ""
    except Exception:  # noqa: BLE001 – after any failure the line is refused as it is without an answer
        return ""


def question(table: "Table", line: str) -> Question:
    """Return the question about a line: the forms, the combatants in the fight, whose turn it is, the last deeds."""
    state = table.done.state
    shown = (form for form in forms.of(state.rules.rules).form if _is_shown(form))
    here = (f"{one.id} ({one.side or 'no side'}, {one.status})" for one in state.here())
    turn, following = state.clock.turn, next_up(state)
    when = f"It is the turn of {turn}." if turn else f"{following} is next." if following else "It is nobody's turn."
    deeds = (table.line_of(seq) for seq in table.memory.deeds[-LAST_DEEDS:])
    last = [each for each in deeds if each and honesty.may_suggest(each)]
    return Question(
        "\n".join([TASK, *(f"{form.patterns[0]}   such as: {form.example}" for form in shown)]),
        "\n".join(
            [
                f"In the fight: {', '.join(here) or 'nobody'}.",
                f"Round {state.clock.round}. {when}",
                *(["The last lines:", *last] if last else []),
                f"The sentence: {line.strip()}",
            ]
        ),
    )


def _is_shown(form: forms.Form) -> bool:
    """Say whether a line of a form can be suggested."""
    tells = honesty.NO_DEEDS.isdisjoint(fact["type"] for fact in form.makes)
    return tells and not form.rest and not form.carries and honesty.may_suggest(form.example)


def _notation(table: "Table", notation: str) -> Parsed | None:
    """Return the meaning of a line as one of a script; None if it has none, or records nothing."""
    if not notation or len(notation) > LONGEST or not notation.isprintable() or not honesty.may_suggest(notation):
        return None
    try:
        told = parse(structs.replace(table.context, script=True, roll=None), notation)
    except NotUnderstood:
        return None
    return told if told.facts else None
