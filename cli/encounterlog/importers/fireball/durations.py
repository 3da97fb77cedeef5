"""The bot's count of durations: by rounds and places in the order, while `plain` counts turns that begin or end.

The bot stores the round in which an effect ends. Turns taken in order count the same either way; going back or
elsewhere, skipping rounds and changing places do not.
"""

from encounterlog.importers.fireball.fight import Fight
from projections.mechanics.conditions import Effect


class PlaceCount:
    """The remaining durations by the bot's count: for each effect, how often its place will have been passed at its end."""

    def __init__(self) -> None:
        self._ends: dict[tuple[int, str], int] = {}

    def begin(self, fight: Fight, effect: Effect, rounds: int | None) -> None:
        """Keep at which passing of its place an effect that begins now will end; one of no rounds is overdue."""
        if rounds is not None:
            self._ends[effect.seq, effect.bearer] = _passed(fight, _owner(fight, effect), _at_end(effect)) + rounds

    def reset(self, fight: Fight, effect: Effect) -> None:
        """Restart the count of an effect whose remaining duration was set."""
        if (left := fight.left(effect)) is not None:
            self.begin(fight, effect, left)

    def left(self, fight: Fight, effect: Effect) -> int | None:
        """Count the rounds left of an effect; None where it has no duration or was not begun here."""
        ends = self._ends.get((effect.seq, effect.bearer))
        if ends is None or effect.duration is None or effect.left is None:
            return None
        return ends - _passed(fight, _owner(fight, effect), _at_end(effect))


def _owner(fight: Fight, effect: Effect) -> str:
    """Return the combatant whose place counts an effect: the one that it names, if still in the fight, else its bearer."""
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
