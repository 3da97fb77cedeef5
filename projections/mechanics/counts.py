"""Counts: acts of a turn that are counted, and the modifier of the next one, such as an attack penalty that grows.

`[[count]]` rows of a catalogue give the kinds of acts, the modifier of the first, the second and so on, and when
counting begins again. Acts whose name is in a list on the sheet, such as light weapons, may have modifiers of their own
(`or`, `or_by`).
"""

from __future__ import annotations

from msgspec import Struct


class Count(
    Struct,
    frozen=True,
    forbid_unknown_fields=True,
    rename={"others": "or", "others_by": "or_by", "others_rule": "or_rule"},
):
    """A row in the table of counts."""

    name: str
    """The name of the count; the address of the next modifier is `<who>.next.<name>`."""
    kinds: tuple[str, ...]
    """The kinds of acts that count."""
    modifier: str
    """The modifier of a roll by its name, such as `map`."""
    next: tuple[int, ...]
    """The modifiers of the first act, the second and so on; the last one is that of all further ones."""
    rule: str
    """The clause on it."""
    returns: str = "own-turn-start"
    """The word for when counting begins again."""
    others: tuple[int, ...] = ()
    """The modifiers of acts whose name a field of the sheet lists (`or`)."""
    others_by: str = ""
    """That field (`or_by`)."""
    others_rule: str = ""
    """The clause on these (`or_rule`); by default `rule`."""


def modifier_after(row: Count, before: int, *, other: bool = False) -> int:
    """Return the modifier of an act after so many others."""
    steps = row.others if other else row.next
    return steps[min(before, len(steps) - 1)]
