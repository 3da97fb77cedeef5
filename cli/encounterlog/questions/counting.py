"""The sums of an encounter: who dealt, took and healed how much, and how the dice are spread."""

from collections.abc import Iterable
from functools import cache

from msgspec import UNSET, Struct, UnsetType

from encounterlog.core.logs import LogView
from encounterlog.errors import Refused
from encounterlog.exporters import exporting
from encounterlog.exporters.session import Session, Wanted
from encounterlog.questions.question import Answer
from encounterlog.text_pages import fairness, stats
from eventstore.copying import Copy
from eventstore.record import Recorded
from projections.explaining.dice_statistics import Spread, spreads
from projections.explaining.fairness import fairness as dice_of
from projections.replay.replay import replay
from projections.views.statistics import Tally


class Counted(Struct, frozen=True):
    """The output of `encounter stats --json`: a row for each round and combatant; with --dice also one for each die and level of a combatant."""

    statistics: tuple[Tally, ...]
    dice: tuple[Spread, ...] | UnsetType = UNSET


def counted(log: LogView, rounds: str | None, *, dice: bool) -> Answer:
    """Return the sums of the rounds that are wanted, N or N-M, or of all; raise Refused, and what is wrong with the log."""
    if dice and rounds is not None:
        raise Refused("usage", "--dice and --round do not go together", "--dice is of the whole log")
    wanted = Wanted(exporting.rounds(rounds))
    whole = Copy(log, log.path)

    @cache
    def sums() -> tuple[Tally, ...]:
        return Session(whole, wanted).statistics()

    def data() -> Counted:
        return Counted(sums(), _spreads(whole) if dice else UNSET)

    def lines() -> list[str]:
        if not dice:
            return stats.page(sums())
        names = {who: one.name for who, one in replay(whole).state.combatants.items()}
        return list(fairness.spread(_spreads(whole), names))

    return Answer(data, lines)


def _spreads(records: Iterable[Recorded]) -> tuple[Spread, ...]:
    return spreads(dice_of(records).throws)
