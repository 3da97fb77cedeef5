"""Ties in the order of turns, which the bot breaks by initiative modifiers."""

from encounterlog.importers.fireball.rows import SourceRow
from encounterlog.importers.fireball.writer import Writer


def break_all_ties(writer: Writer, row: SourceRow) -> None:
    """Order all who are tied by their modifiers, as the bot does when a combatant joins, leaves or moves."""
    for total in dict.fromkeys(map(writer.fight.initiative, writer.fight.order())):
        break_tie(writer, row, total, list(writer.fight.order()))


def break_tie(writer: Writer, row: SourceRow, total: int, before: list[str], *, by_modifier: bool = True) -> None:
    """Order those with this initiative as the bot does: by their modifier, and those still tied as before.

    Newcomers come last, also within a group. Unless sorted `by_modifier`, all keep their places.
    """
    level = [slot for slot in writer.fight.slots() if writer.fight.initiative(slot[0]) == total]
    bonuses = {slot[0]: writer.bonuses.get(writer.fight.roller(slot[0])) for slot in level}
    known = by_modifier and None not in bonuses.values()
    stood = {who: place for place, who in enumerate(before)}

    def seat(who: str) -> int:
        return stood.get(who, len(stood))

    def rank(slot: list[str]) -> tuple[int, int]:
        return -(bonuses[slot[0]] or 0) if known else 0, min(map(seat, slot))

    wanted = [who for slot in sorted(level, key=rank) for who in sorted(slot, key=seat)]
    if wanted != [who for slot in level for who in slot]:
        why = "ties are ordered by initiative modifier, and those still tied as before"
        writer.rule_tie(row, wanted, why)
