"""Deeds: what happened, a sentence for each act with all that came of it, such as "orc-1 hits Brand for 5: 16 of 21"."""

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec import Struct

from encounterlog.exporters.html.foes import EVERYTHING, Foes
from encounterlog.exporters.html.sentences import isolated
from encounterlog.exporters.session import FactLine
from eventstore.events import ActionTaken, AttackRolled, DamageDealt, Healed, Noted
from projections.folds.vitals import standing
from projections.state import State

MOST = 30
"""How many deeds are kept of a log that goes on, the last ones."""


class Deed(Struct, frozen=True, array_like=True):
    """A deed: the seq of the fact that it began with, and its sentence."""

    seq: int
    words: str


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


class Making(Struct):
    """A deed in the making: how it began, and its clauses."""

    seq: int
    opening: str
    clauses: list[Clause] = []

    @property
    def deed(self) -> Deed:
        """The deed as far as it is told; an attack that was rolled needs no other opening."""
        opening = [] if any(each.target for each in self.clauses) else [self.opening]
        return Deed(self.seq, "; ".join(filter(None, (*opening, *map(str, self.clauses)))))


class Deeds:
    """The last deeds of a log, whose lines are seen one after the other, each with the state after it."""

    def __init__(self, foes: Foes = EVERYTHING, most: int | None = MOST) -> None:
        self.foes, self._most = foes, most
        self._made: list[Making] = []
        self._of: dict[int, Making] = {}

    @property
    def last(self) -> list[Deed]:
        """The last deeds, in their order."""
        return [each.deed for each in self._made]

    def see(self, one: FactLine, state: State | None, words: str) -> None:
        """Take in a line of the log, and its words; what has no effect, and a note on another fact, is no deed."""
        if one.step is None or state is None:
            return
        fact = one.step.fact
        if isinstance(fact.event, Noted) and fact.event.event is not None:
            return
        deed = self._of.get(fact.cause)
        if deed is None or deed is not self._made[-1]:
            deed = self._begun(fact.seq, fact.event, words)
        self._of[fact.seq] = deed
        figures = partial(_figures, self.foes, state)
        if clause := _clause(fact.event, state, words if fact.cause else "", deed.clauses, figures):
            deed.clauses.append(clause)

    def _begun(self, seq: int, event: Any, words: str) -> Making:
        told_by_clause = isinstance(event, AttackRolled | DamageDealt | Healed)
        self._made.append(Making(seq, "" if told_by_clause else words))
        if self._most and len(self._made) > self._most:
            gone = self._made.pop(0)
            self._of = {seq: deed for seq, deed in self._of.items() if deed is not gone}
        return self._made[-1]


def _clause(event: Any, state: State, words: str, before: list[Clause], figures: Callable[[str], str]) -> Clause | None:
    """Return what a fact adds to a deed, None if nothing; damage goes to the attack that did it."""
    match event:
        case AttackRolled(combatant=who, target=str() as target):
            return Clause(_name(state, who), _name(state, target), event.hit)
        case DamageDealt(target=target, amount=amount) if not event.object:
            now = figures(target)
            last = before[-1] if before else None
            if last and last.target == _name(state, target) and not last.outcome:
                last.outcome = f" for {amount}{now}"
                return None
            return Clause(f"{_name(state, target)} takes {amount} damage{now}")
        case Healed(target=target, amount=amount) if not event.nonlethal:
            what = f"gets {amount} temporary points" if event.temporary else f"regains {amount}"
            return Clause(f"{_name(state, target)} {what}{figures(target)}")
        case ActionTaken():
            return None
    return Clause(words) if words else None


def _name(state: State, who: str) -> str:
    return isolated(state.combatants[who].name if who in state.combatants else who)


def _figures(foes: Foes, state: State, who: str) -> str:
    """Return the hit points after a colon, as far as they are shown, and what somebody is who is not up."""
    one = state.combatants.get(who)
    if one is None or one.hp is None:
        return ""
    status = standing(one).value
    if foes.hides(state, who):
        said = foes.word(state, who) if status == "up" else status
        return f": {said}" if said else ""
    most = f" of {one.hp_max}" if one.hp_max is not None else ""
    return f": {one.hp}{most}{'' if status == 'up' else f', {status}'}"
