"""The combatants of a fight from its start, with the chain from which their dice are drawn, if one is wanted."""

from collections.abc import Sequence

from encounterlog.core import chains
from encounterlog.core.drawn_dice import own_word
from encounterlog.lineups import lineups
from encounterlog.lineups.dice import LineupDice
from encounterlog.lineups.lineups import LineUp
from encounterlog.storage.chance import roller
from eventstore.address import LogAddress
from eventstore.events import EncounterOpened
from eventstore.record import Draft
from projections.language.notation.records import recorded


def lineup_with_dice(
    address: LogAddress,
    opening: EncounterOpened,
    by: str,
    parties: Sequence[str],
    foes: Sequence[str],
    monsters: Sequence[str],
    roll_hp: bool,
    seed: str | None,
    *,
    chained: bool,
) -> tuple[tuple[Draft, ...], LineUp]:
    """Return the facts that begin a chain of dice, if one is wanted, and the line-up, whose dice are drawn from it; raise Refused."""
    begun = chains.commitments(address, 1, by=by, seed=seed) if chained else ()
    records = recorded([opening, *(draft.event for draft in begun)], 1)
    dice = LineupDice(address, records, roller(seed), own_word(seed))
    return begun, lineups.of(opening, parties, foes, dice, monsters, roll_hp)
