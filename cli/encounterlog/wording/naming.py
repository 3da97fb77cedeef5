"""What combatants are called on pages for people: short, and no two of them alike."""

from collections.abc import Iterable

from encounterlog.wording.layout import NAME, name, width


class Labels:
    """The labels of combatants, which may join one by one: the name, clipped, with the id where it would be ambiguous.

    A name is ambiguous that another combatant has, or that is another's id. Where name and id together are what somebody
    else is called, the id alone stands for both.
    """

    def __init__(self, names: Iterable[tuple[str, str]] = ()) -> None:
        self._short: dict[str, str] = {}
        self._long: dict[str, str] = {}
        self._called_short: dict[str, set[str]] = {}
        self._called_long: dict[str, set[str]] = {}
        for who, called in names:
            self.add(who, called)

    def ids(self) -> Iterable[str]:
        """Return who has a label."""
        return self._short.keys()

    def __len__(self) -> int:
        return len(self._short)

    def add(self, who: str, called: str) -> None:
        """Take in a combatant with its display name, which replaces an earlier one."""
        if who in self._short:
            self._called_short[self._short[who]].discard(who)
            self._called_long[self._long[who]].discard(who)
        short = name(called)
        long = _with_id(who, short)
        self._short[who], self._long[who] = short, long
        self._called_short.setdefault(short, set()).add(who)
        self._called_long.setdefault(long, set()).add(who)

    def __call__(self, who: str) -> str:
        """Return the label of an id; one that is unknown stands for itself."""
        if who not in self._short:
            return name(who)
        if not self._is_ambiguous(who):
            short = self._short[who]
            alike = any(map(self._is_ambiguous, self._called_long.get(short, set()) - {who}))
            return who if alike else short
        long = self._long[who]
        others = self._called_short.get(long, set())  # several who have this name are ambiguous, and not called so
        alike = len(others) == 1 and not any(map(self._is_ambiguous, others - {who}))
        return who if alike and who not in others else long

    def _is_ambiguous(self, who: str) -> bool:
        short = self._short[who]
        return len(self._called_short[short]) > 1 or (short != who and short in self._short)


def labels(names: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the label of each id with its display name."""
    found = Labels(names)
    return {who: found(who) for who in found.ids()}


def _with_id(who: str, called: str) -> str:
    both = f"{called} ({who})"
    return both if called != who and width(both) <= NAME + 12 else who
