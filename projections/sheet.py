"""The fields of sheets that all games share, and the entries of sheets."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from msgspec import Struct

from eventstore.shapes import Save, Shape, Span, Text, Whole, Word


class CommonSheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A sheet with armour class, the weapon in hand and free notes, which only some rulesets use."""

    ac: Whole | None = None
    weapon: Word | None = None
    notes: Text | None = None


class Entry(Shape, frozen=True, kw_only=True):
    """A spell, ability or item: kind, cost, time, delay, range (feet), save, concentration, attributes, components, trigger."""

    name: Word
    kind: Word | None = None
    cost: Word | None = None
    time: Whole | Span | None = None
    delay: Whole | Span | None = None
    range: Whole | Word | None = None
    allows_save: Save | None = None
    concentration: bool = False
    attributes: tuple[Word, ...] = ()
    components: tuple[Word, ...] | None = None
    answers: Word | None = None


if TYPE_CHECKING:

    class Named(Protocol):
        """An entry of a sheet with a name."""

        @property
        def name(self) -> str:
            """Its name."""


Each = TypeVar("Each", bound="Named")


def entry_named(entries: Sequence[Each] | None, *names: str | None) -> Each | None:
    """Return the entry of a sheet that has one of these names, case folded, the first of them first."""
    if not entries:
        return None
    wanted = [name.casefold() for name in names if name]
    return next((each for name in wanted for each in entries if each.name.casefold() == name), None)
