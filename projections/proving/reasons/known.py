"""The known breaks of the law of reasons, and the limits for what is not comparable."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from msgspec import Struct

from projections.proving.reasons.laws import Break


class Allowed(Struct, frozen=True, forbid_unknown_fields=True):
    """A break that is allowed: of a law, at addresses of this pattern, by facts of a type (or `option NAME`), and why.

    `only` names the corpus that needs it: fixtures, plays, or random.
    """

    ruleset: str
    law: str
    address: str
    event: str
    reason: str
    only: str = "fixtures"

    def allows(self, ruleset: str, one: Break) -> bool:
        """Say whether this is the break that is meant."""
        same = (self.ruleset, self.law, self.event) == (ruleset, one.law, one.kind)
        return same and fnmatchcase(one.address, self.address)


class Ceiling(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """The limits for a ruleset's fixtures: how much may be not comparable or undecided, and how many breaks wait for
    repair.

    While `random_logs_wait`, random logs may break the law.
    """

    not_comparable: int = 0
    in_one_only: int = 0
    undecided: int = 0
    breaks: int = 0
    random_logs_wait: bool = False


def allowing(known: Sequence[Allowed], ruleset: str, one: Break) -> Allowed | None:
    """Return the first exception that allows a break, if one does."""
    return next((each for each in known if each.allows(ruleset, one)), None)
