"""How the bot counts durations: by rounds and places in the order, where plain bookkeeping counts turns that begin or end.

The bot holds the round in which an effect ends. Turns taken in order tick the same by either count; going back or
elsewhere, skipping rounds and new places do not.
"""

from encounterlog.importers.fireball.fight import Fight
from projections.state import Effect

Ending = tuple[int, int, bool]
"""The round in which an effect ends, the place whose turn ends it, and whether that is as this turn ends."""


class PlaceCount:
    """What is left of effects by the bot's count: for each, how often its place had been passed when it began."""

    def __init__(self) -> None:
        self._begun: dict[tuple[int, str], int] = {}

    def begin(self, fight: Fight, effect: Effect) -> None:
        """Keep how often the bot's clock had passed the place of an effect that begins now."""
        self._begun[effect.seq, effect.bearer] = _passed(fight, _owner(fight, effect), _at_end(effect))

    def left(self, fight: Fight, effect: Effect) -> int | None:
        """Count the rounds left of an effect; None where it has no duration or was not begun here."""
        begun = self._begun.get((effect.seq, effect.bearer))
        if begun is None or effect.duration is None or effect.left is None:
            return None
        return effect.duration.amount - (_passed(fight, _owner(fight, effect), _at_end(effect)) - begun)


def ending(fight: Fight, left: int, of: str, at_end: bool) -> Ending:
    """Work out when that ends which has so many rounds left at the place of this combatant; comparable."""
    place = fight.place(of)
    return fight.round + left - (0 if _has_ticked(fight, of, at_end) else 1), -1 if place is None else place, at_end


def ending_of(fight: Fight, effect: Effect) -> Ending | None:
    """Work out when an effect ends by itself; None where it has no duration."""
    return None if effect.left is None else ending(fight, effect.left, _owner(fight, effect), _at_end(effect))


def _owner(fight: Fight, effect: Effect) -> str:
    """Return at whose place an effect is counted: whom it names as long as that one is there, else its bearer."""
    named = effect.duration.of if effect.duration else None
    return named if named and fight.place(named) is not None else effect.bearer


def _at_end(effect: Effect) -> bool:
    return effect.duration is not None and effect.duration.at == "end"


def _passed(fight: Fight, of: str, at_end: bool) -> int:
    return fight.round + int(_has_ticked(fight, of, at_end))


def _has_ticked(fight: Fight, of: str, at_end: bool) -> bool:
    """Say whether the clock has passed a place in this round; between rounds it has passed all."""
    now, place = fight.place(fight.turn), fight.place(of)
    if now is None:
        return True
    place = -1 if place is None else place
    return now > place if at_end else now >= place
