"""A line that is repeated under its key: it has its first meaning, with the dice that fell then, so nothing is appended again."""

from collections.abc import Callable, Sequence
from itertools import cycle

from encounterlog.core import arguments, outcomes
from encounterlog.core.folded_log import FoldedLog
from encounterlog.storage.chance import roller
from eventstore.events import DiceDrawn
from eventstore.record import Draft, Recorded, batches
from eventstore.shapes import Dice
from projections.explaining.fairness import dice_in
from projections.language.notation.table import Table
from projections.mechanics.dice import counting, of, shown


def drafts_again(records: Sequence[Recorded], line: str, key: str, *, secret: bool) -> tuple[Draft, ...] | None:
    """Return the facts of a line as it was read before the append under a key, and the draws of its dice; None if the key is new.

    The log may have grown since, and the same line may now mean something else.
    """
    former = next((append for append in batches(records) if any(each.key == key for each in append)), None)
    if former is None:
        return None
    table = Table(records[: former[0].seq - 1])
    table.speakers = (former[0].by,)
    parsed = arguments.parsed_line(table, line, counting(_as_fallen(former)), secret=secret)
    drawn = (Draft(each.event, secret=each.secret) for each in former if isinstance(each.event, DiceDrawn))
    return (*arguments.drafts_of_line(outcomes.decided(table, parsed)), *drawn)


def in_secret(known: FoldedLog, drafts: tuple[Draft, ...], key: str | None) -> tuple[Draft, ...]:
    """Return drafts of facts with those in secret that concern a hidden combatant, as it was before an append under their key."""
    if not any(each.secret for each in known.records) and not any(each.secret for each in drafts):
        return drafts
    former = next((each.seq for each in known.records if key is not None and each.key == key), None)
    table = Table(known.records[: former - 1]) if former else known.table
    return table.in_secret(drafts)


def _as_fallen(append: Sequence[Recorded]) -> Callable[[str], str]:
    """Return a function that throws dice as they fell in an append, in order; further ones are rolled."""
    faces: dict[str, list[str]] = {}
    for each in append:
        for _, die in dice_in(each.event):
            if isinstance(die, Dice):
                faces.setdefault(die.notation, []).append(shown(of(die.notation), die.faces))
    turns = {notation: cycle(found) for notation, found in faces.items()}
    rolled = roller()
    return lambda notation: next(turns[notation]) if notation in turns else rolled(notation)
