"""Deeds: a sentence for each act with all its consequences, such as "orc-1 hits Brand for 5: 16 of 21". They are made
from facts one after the other; pages and exports supply the combatants' names and figures.
"""

from collections import deque
from collections.abc import Callable

from msgspec import Struct

from eventstore.events import ActionTaken, AttackRolled, DamageDealt, Fact, Healed, Noted, RulingMade
from projections.folds.vitals import status_or_left
from projections.occurrence import Occurrence
from projections.state import State

Words = Callable[[str], str]
"""A function from a combatant to its name, or to its figures."""


class Clause(Struct):
    """A part of a sentence; that of an attack takes in the damage to its target."""

    words: str
    target: str = ""
    hit: bool | None = None
    outcome: str = ""

    def __str__(self) -> str:
        if not self.target:
            return self.words
        verb = "misses" if self.hit is False else "hits" if self.hit or self.outcome else "strikes at"
        return f"{self.words} {verb} {self.target}{self.outcome}"


class Deed(Struct):
    """A deed: the seq of the fact that it began with, how it began, and its clauses."""

    seq: int
    opening: str
    clauses: list[Clause] = []

    @property
    def sentence(self) -> str:
        """Its sentence; a rolled attack needs no other opening."""
        opening = [] if any(each.target for each in self.clauses) else [self.opening]
        return "; ".join(filter(None, (*opening, *map(str, self.clauses))))


class Deeds:
    """The deeds of facts that are seen one after the other; with `most`, only so many of the last ones."""

    def __init__(self, most: int | None = None) -> None:
        self.made: deque[Deed] = deque(maxlen=most)
        self._facts: set[int] = set()
        """The facts of the last deed."""
        self._reveal: tuple[int, str] | None = None
        """The append of the last reveal, and what it says: the reveals of one combatant are one deed."""

    def take_fact(self, fact: Occurrence[Fact], words: str, name: Words, figures: Words) -> Deed | None:
        """Take in a fact, its words and the figures after it; return its deed. A note belongs to none."""
        if isinstance(fact.event, Noted) and fact.event.event is not None:
            return None
        before, self._reveal = self._reveal, None
        if isinstance(fact.event, RulingMade) and fact.event.ruling == "reveal":
            words, self._reveal = fact.event.decision, (fact.append, fact.event.decision)
            if fact.append and self._reveal == before:
                self._facts.add(fact.seq)
                return self.made[-1]
        begins = fact.cause not in self._facts
        if begins:
            self.made.append(Deed(fact.seq, "" if isinstance(fact.event, BY_CLAUSES) else words))
            self._facts.clear()
        self._facts.add(fact.seq)
        deed = self.made[-1]
        last = deed.clauses[-1] if deed.clauses else None
        if clause := _clause(fact.event, words, begins, last, name, figures):
            deed.clauses.append(clause)
        return deed


BY_CLAUSES = (AttackRolled, DamageDealt, Healed)
"""The types of facts whose clause has all the words, also where they begin a deed."""


def _clause(event: Fact, words: str, begins: bool, last: Clause | None, name: Words, figures: Words) -> Clause | None:
    """Return the clause that a fact adds to a deed, None if none; damage is added to its attack's clause."""
    match event:
        case AttackRolled(combatant=who, target=str() as target):
            return Clause(name(who), name(target), event.hit)
        case DamageDealt(target=target, amount=amount) if not event.object:
            if last and last.target == name(target) and not last.outcome:
                last.outcome = f" for {amount}{figures(target)}"
                return None
            return Clause(f"{words if begins else f'{name(target)} takes {amount} damage'}{figures(target)}")
        case Healed(target=target, amount=amount) if not event.nonlethal:
            what = f"gets {amount} temporary points" if event.temporary else f"regains {amount}"
            return Clause(f"{name(target)} {what}{figures(target)}")
    is_act = isinstance(event, ActionTaken) or (begins and not isinstance(event, BY_CLAUSES))
    return None if is_act else Clause(words)


def combatant_hit(event: Fact) -> str | None:
    """Return the combatant whose hit points a fact changes; None for any other fact."""
    return event.target if isinstance(event, DamageDealt | Healed) and not getattr(event, "object", None) else None


def hit_points_text(state: State, who: str) -> str:
    """Return a combatant's hit points after a colon, with the status unless it is up; "" if they are unknown."""
    one = state.combatants.get(who)
    if one is None or one.hp is None:
        return ""
    status = status_or_left(one).value
    most = f" of {one.hp_max}" if one.hp_max is not None else ""
    more = f", {one.temp} temporary" if one.temp else ""
    return f": {one.hp}{most}{more}{'' if status == 'up' else f', {status}'}"
