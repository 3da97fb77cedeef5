"""Labels of combatants on pages for people: short, and no two alike."""

from collections.abc import Callable, Iterable, Mapping

from encounterlog.words.layout import NAME, name, width
from projections.language.notation import forms
from projections.ruleset.ruleset import Ruleset
from projections.state import State


class Labels:
    """The labels of combatants, who may join one by one: the display name, clipped, with the id if it is ambiguous.

    A name is ambiguous if another combatant has it too, or has it as an id. If name and id together are the name of yet
    another combatant, the label is the id alone.
    """

    def __init__(self, names: Iterable[tuple[str, str]] = ()) -> None:
        self._short: dict[str, str] = {}
        self._long: dict[str, str] = {}
        self._called_short: dict[str, set[str]] = {}
        self._called_long: dict[str, set[str]] = {}
        for who, called in names:
            self.add(who, called)

    def __len__(self) -> int:
        return len(self._short)

    def add(self, who: str, called: str) -> None:
        """Add a combatant with its display name, which replaces an earlier one."""
        if who in self._short:
            self._called_short[self._short[who]].discard(who)
            self._called_long[self._long[who]].discard(who)
        short = name(called)
        long = f"{short} ({who})"
        long = who if short == who or width(long) > NAME + 12 else long
        self._short[who], self._long[who] = short, long
        self._called_short.setdefault(short, set()).add(who)
        self._called_long.setdefault(long, set()).add(who)

    def __call__(self, who: str) -> str:
        """Return the label of an id; an unknown id is its own label."""
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


class Voice:
    """The names of combatants, and the verbs that a game has for kinds of action and conditions of its own."""

    def __init__(self, rules: Ruleset, name: Callable[[str], str]) -> None:
        self._rules, self._name = rules, name

    def __call__(self, who: str) -> str:
        """Return the name of an id."""
        return self._name(who)

    def verb(self, word: str) -> str | None:
        """Return the verb for an action of a kind, such as parries, or for gaining a condition that is a noun; None if
        the game has no word for it.
        """
        return forms.verbs_by_kind(self._rules.rules).get(word)


def make_voice(state: State, called: Mapping[str, str] | None = None) -> Voice:
    """Return the names and verbs of a state; `called` are names of its combatants, by default their labels."""
    found = label_combatants((who, one.name) for who, one in state.combatants.items()) if called is None else called
    return Voice(state.rules, lambda who: found.get(who, who))


def label_combatants(names: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the label of each id with its display name."""
    there = dict(names)
    found = Labels(there.items())
    return {who: found(who) for who in there}
