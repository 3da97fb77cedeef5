"""The type of the output of `encounter show --json`."""

from msgspec import UNSET, UnsetType

from projections.views import view


class Show(view.Show, frozen=True, kw_only=True):
    """The output of `encounter show --json`; `verified_from` is the first record that was verified now, 1 if all were.

    `dice` says how many rolls are proven, bound and typed, in a log that has a chain of dice.
    """

    dice: dict[str, int] | UnsetType = UNSET
    verified_from: int
