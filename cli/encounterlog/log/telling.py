"""What writers in Python append: facts, and lines of the language, decided on a log that is kept folded.

A line that is repeated under its key has its first meaning, with the dice that fell then, so nothing is appended again.
"""

from collections.abc import Callable, Sequence
from itertools import cycle
from typing import TYPE_CHECKING

from encounterlog.errors import Refused
from encounterlog.log import arguments, drawn_dice, outcomes
from encounterlog.log.appending import hide_concealed, log_before_append
from encounterlog.log.folded_log import FoldedLog
from encounterlog.log.logs import LogView
from encounterlog.log.write import Decide
from encounterlog.places.services import Spoken
from encounterlog.places.time_and_chance import make_roller
from eventstore.address import LogAddress
from eventstore.chain import Anchor
from eventstore.errors import Malformed
from eventstore.events import DiceDrawn
from eventstore.record import Draft, Recorded, batches
from eventstore.shapes import Dice
from projections.explaining.fairness import dice_in
from projections.language.notation.parsing import Parsed
from projections.language.notation.table import Table
from projections.mechanics.dice import count_calls, format_faces, parse

if TYPE_CHECKING:
    from encounterlog.log.suggesting import Ask


def read_line(
    place: LogAddress,
    table: Table,
    line: object,
    roll: Callable[[str], str] | None,
    word: str | None,
    *,
    secret: bool,
    suggest: "Ask | None" = None,
) -> tuple[Parsed, Spoken | None]:
    """Return the meaning of a line, its dice drawn from the log's chain, and the line for a service that draws them itself.

    If a function rolls the dice, and in a log without a chain, nothing is drawn. Raises Malformed if no dice are drawn that
    should be.
    """
    if roll is not None or not outcomes.is_chained(table):
        return outcomes.decide_attack_outcomes(
            table, arguments.parsed_line(table, line, roll, secret=secret, suggest=suggest)
        ), None
    parsed = arguments.parsed_line(table, line, count_calls(make_roller()), secret=secret, suggest=suggest)
    try:
        ask = drawn_dice.given_word(word) if word else drawn_dice.make_word_source()
        found, there = outcomes.settle_line(place, table, str(line), parsed, ask)
    except Refused as failure:
        raise Malformed("word", str(failure), failure.hint) from None
    if parsed.thrown and not there and not any(isinstance(fact, DiceDrawn) for fact in found.facts):
        raise Malformed(
            "line", found.advice or "shows none of the dice that it rolls", "give faces, such as d20:14, or `roll`"
        )
    return found, there


def decide_facts(known: FoldedLog, drafts: tuple[Draft, ...], after: int | Anchor | None, key: str | None) -> Decide:
    """Return the decision on facts; it raises Malformed for the first that cannot be recorded next."""

    def decided(log: LogView) -> tuple[Draft, ...]:
        if after is None or arguments.parse_seq(after) == len(known.records):
            arguments.check_facts(known.table.done, drafts)
        return hide_concealed(log_before_append(log, key), drafts)

    return decided


def drafts_again(records: Sequence[Recorded], line: str, key: str, *, secret: bool) -> tuple[Draft, ...] | None:
    """Return the facts of a line as it was read before the append under a key, and the draws of its dice; None if the key is new.

    The log may have grown since, and the same line may now mean something else.
    """
    former = next((append for append in batches(records) if any(each.key == key for each in append)), None)
    if former is None:
        return None
    table = Table(records[: former[0].seq - 1])
    parsed = arguments.parsed_line(table, line, count_calls(_replay_dice(former)), secret=secret)
    drawn = (Draft(each.event, secret=each.secret) for each in former if isinstance(each.event, DiceDrawn))
    return (*outcomes.decide_attack_outcomes(table, parsed).drafts, *drawn)


def _replay_dice(append: Sequence[Recorded]) -> Callable[[str], str]:
    """Return a function that throws dice as they fell in an append, in order; further ones are rolled."""
    faces: dict[str, list[str]] = {}
    for each in append:
        for _, die in dice_in(each.event):
            if isinstance(die, Dice):
                faces.setdefault(die.notation, []).append(format_faces(parse(die.notation), die.faces))
    turns = {notation: cycle(found) for notation, found in faces.items()}
    rolled = make_roller()
    return lambda notation: next(turns[notation]) if notation in turns else rolled(notation)
