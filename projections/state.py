"""The state that folds build: the fight and its ruleset.

A ruleset adds its own fields by subclassing State, or Round for what belongs to one round.
"""

from __future__ import annotations

from projections.because import note_option
from projections.fight import Fight
from projections.ruleset.ruleset import Ruleset


class State(Fight, kw_only=True, gc=False):
    """Everything that a replay knows at one point of a log."""

    rules: Ruleset

    def option(self, name: str) -> str:
        """Return the value of an option: that of the first record, else the ruleset's default.

        The reasons that the present rule makes from here on cite it.
        """
        value = self.resolved.get(name)
        if value is None:
            value = self.resolved[name] = self.options.get(name) or self.rules.default(name)
        note_option(name, value)
        return value
