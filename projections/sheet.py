"""What a sheet may hold in every game, whatever its ruleset counts."""

from msgspec import Struct

from eventstore.shapes import Text, Whole, Word


class CommonSheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A sheet: armour class, the weapon in hand and free notes, which change nothing unless the ruleset says so."""

    ac: Whole | None = None
    weapon: Word | None = None
    notes: Text | None = None
