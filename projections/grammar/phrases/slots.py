"""Slots of phrases, by their kinds: what a line names there, as the text that stands for it in a line of the forms."""

from typing import TYPE_CHECKING

from projections.grammar.phrases import blows, combatant_slots, deeds, listed, measures, newcomers, texts
from projections.grammar.phrases.values import Fill, Slot

if TYPE_CHECKING:
    from projections.grammar.phrases.reader import Reader

SLOTS: dict[str, Fill] = {
    **combatant_slots.SLOTS,
    **listed.SLOTS,
    **deeds.SLOTS,
    **blows.SLOTS,
    **measures.SLOTS,
    **texts.SLOTS,
    **newcomers.SLOTS,
}
"""The function for each kind of slot."""


def read(reader: "Reader", kind: str, at: int) -> Slot:
    """Yield the ways to fill a slot of a kind from a place on; kinds without a function are lists of words."""
    yield from (SLOTS.get(kind) or listed.of_list(kind))(reader, at)
