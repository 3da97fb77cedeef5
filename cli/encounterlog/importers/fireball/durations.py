"""The bot's count of durations: by rounds and places in the order, while `plain` counts turns that begin or end.

The bot stores the round in which an effect ends. Turns taken in order count the same either way; going back or
elsewhere, skipping rounds and changing places do not.
"""

from encounterlog.importers.fireball.fight import Fight
from projections.mechanics.conditions import Effect


class PlaceCount:
    """The remaining durations by the bot's count: for each effect, how often its place was passed before it began."""

    def __init__(self) -> None:
        self._begun: dict[tuple[int, str], int] = {}

    def begin(self, fight: Fight, effect: Effect, rounds: int | None) -> None:
        """Keep how often the bot's clock had passed the place of an effect that begins now; one of no rounds is overdue."""
        passed = _passed(fight, _owner(fight, effect), _at_end(effect))
        self._begun[effect.seq, effect.bearer] = passed - 1 if rounds == 0 else passed

    def reset(self, fight: Fight, effect: Effect) -> None:
        """Restart the count of an effect whose remaining duration was set."""
        if effect.duration is not None and effect.left is not None:
            passed = _passed(fight, _owner(fight, effect), _at_end(effect))
            self._begun[effect.seq, effect.bearer] = passed - effect.duration.amount + effect.left

    def left(self, fight: Fight, effect: Effect) -> int | None:
        """Count the rounds left of an effect; None where it has no duration or was not begun here."""
        begun = self._begun.get((effect.seq, effect.bearer))
        if begun is None or effect.duration is None or effect.left is None:
            return None
        return effect.duration.amount - (_passed(fight, _owner(fight, effect), _at_end(effect)) - begun)


def _owner(fight: Fight, effect: Effect) -> str:
    """Return whose place counts an effect: the combatant that it names, if still in the fight, else its bearer."""
    named = effect.duration.of if effect.duration else None
    return named if named and fight.place(named) is not None else effect.bearer


def _at_end(effect: Effect) -> bool:
    return effect.duration is not None and effect.duration.at == "end"


def _passed(fight: Fight, of: str, at_end: bool) -> int:
    """Count how often the clock has passed a place; between rounds it has passed all."""
    now, place = fight.place(fight.turn), fight.place(of)
    if now is None:
        return fight.round + 1
    place = -1 if place is None else place
    return fight.round + int(now > place if at_end else now >= place)
