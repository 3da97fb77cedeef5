"""Lanes: each round as a picture, a lane for each combatant over the ticks that the ruleset counts.

The layout is in columns, without a unit of length: the page, the drawing and the terminal draw the same one.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from eventstore.events import ActionDeclared, RulingMade
from projections.address import NOTHING
from projections.folds.order import order_of, rows_of
from projections.judging.audit import Finding
from projections.occurrence import Occurrence
from projections.state import State
from projections.stream.placing import reached
from projections.time import Point
from projections.views.lane_layout import drawn
from projections.views.lane_shapes import IN_WORDS, KINDS, SIGNS, Column, GatheredRound, Lane, Lanes, Mark, Place, Span
from projections.views.steps import Change, Step

COUNTED = {"hp": 1, "temp": 1, "nld": -1}
"""The pools whose changes are drawn: 1 where more is better, -1 where it is worse."""


class Gathering:
    """Pictures of all rounds, gathered during a walk: `before` sees each fact and the state before it, `after` each step."""

    def __init__(self) -> None:
        self.rounds: dict[int, GatheredRound] = {}
        self._held: dict[str, tuple[int, Place, str, int]] = {}

    def before(self, state: State, fact: Occurrence[Any]) -> None:
        """Keep the timeline and the order of a round before the next one opens."""
        if isinstance(fact.event, RulingMade) or state.rules.schedule.opens_round(state, fact):
            self._close(state)

    def after(self, step: Step, state: State) -> None:
        """Mark the changes of a step."""
        fact = step.fact
        point = reached(state, fact)
        found, place = self._round(point.round), _place(point)
        found.facts[fact.seq] = place
        found.actors[fact.seq] = _actor(fact.event)
        if point.turn and state.clock.point.turn == point.turn and state.clock.turn:
            found.turns[point.turn] = state.clock.turn
        if isinstance(fact.event, ActionDeclared) and fact.event.combatant:
            found.marks.append((fact.event.combatant, place, _declared(fact)))
        for change in step.changes:
            who, _, field = change.address.partition(".")
            for kind, words in _marks(field, change):
                found.marks.append((who, place, Mark(0, kind, words, fact.seq)))
            if field == "concentration":
                self._hold(who, change, point.round, place, fact.seq)

    def pictures(self, state: State, findings: Iterable[Finding] = ()) -> tuple[Lanes, ...]:
        """Return the pictures, after the last fact, with a flag for each finding."""
        self._close(state)
        for who in [*self._held]:
            self._let_go(who, state.clock.point.round, None)
        if found := list(findings):
            rounds = {seq: each for each in reversed(self.rounds.values()) for seq in each.facts}
            last = self.rounds[max(self.rounds)]
            for finding in found:
                self._flag(finding, rounds.get(finding.event, last))
        return tuple(drawn(self.rounds[number], state) for number in sorted(self.rounds))

    def present(self, state: State, findings: Iterable[Finding] = ()) -> Lanes:
        """Return the picture of the round that has been reached; the gathering can go on after it."""
        number, copy = state.clock.point.round, Gathering()
        found = self._round(number)
        copy.rounds, copy._held = {number: found.copied()}, dict(self._held)
        return copy.pictures(state, [each for each in findings if each.event in found.facts])[-1]

    def holding(self, held: dict[str, tuple[str, int]]) -> None:
        """Keep the concentrations from before the first round that is gathered, by combatant, with the fact that began each."""
        self._held = {who: (-1, (0, 0, 0, 0), words, seq) for who, (words, seq) in held.items()}

    def _round(self, number: int) -> GatheredRound:
        return self.rounds.setdefault(number, GatheredRound(number))

    def _close(self, state: State) -> None:
        found = self._round(state.clock.point.round)
        found.rows = rows_of(state)
        found.groups = [slot.combatants for slot in order_of(state) if len(slot.combatants) > 1]
        found.here = tuple(one.id for one in state.here()) or found.here

    def _hold(self, who: str, change: Change, round_: int, place: Place, seq: int) -> None:
        if who in self._held:
            self._let_go(who, round_, place)
        if change.after != NOTHING:
            self._held[who] = (round_, place, str(change.after), seq)

    def _let_go(self, who: str, round_: int, place: Place | None) -> None:
        """Draw a concentration through all its rounds, to the place of its loss or, without one, to the end."""
        began, start, words, seq = self._held.pop(who)
        for number in range(began, round_ + 1):
            if number in self.rounds:
                first, last = start if number == began else None, place if number == round_ else None
                self.rounds[number].holds.append((who, first, last, words, seq))

    def _flag(self, finding: Finding, found: GatheredRound) -> None:
        place = found.facts.get(finding.event, (0, 0, 0, 0))
        who = found.actors.get(finding.event, "")
        status = "ruled" if finding.ruled else finding.severity
        found.marks.append((who, place, Mark(0, "finding", f"{finding.rule}: {finding.says}", finding.event, status)))


def _place(point: Point) -> Place:
    return (point.phase, point.turn, point.segment, point.second)


def _actor(event: Any) -> str:
    """Return the combatant whose lane a fact belongs to, "" where it names none."""
    named = (getattr(event, field, None) for field in ("combatant", "target", "source", "bearer"))
    return next((who for who in named if isinstance(who, str)), "")


def _declared(fact: Occurrence[Any]) -> Mark:
    action = fact.event.action
    words = " ".join(dict.fromkeys(word for word in (action.kind, action.name) if word)) if action else ""
    return Mark(0, "declares", words, fact.seq)


def _marks(field: str, change: Change) -> Iterator[tuple[str, str]]:
    """Yield the marks of a changed value, as kind and words."""
    before, after = change.before, change.after
    if field in COUNTED and isinstance(before, int) and isinstance(after, int):
        better = (after - before) * COUNTED[field] > 0
        what = {"temp": " temporary", "nld": " non-lethal"}.get(field, "")
        yield "healing" if better else "damage", f"{'+' if after > before else '−'}{abs(after - before)}{what}"
    elif field == "status":
        yield "status", str(after)
    elif field == "conditions":
        old, new = (each if isinstance(each, list | tuple) else [] for each in (before, after))
        yield from (("condition", f"{each}") for each in new if each not in old)
        yield from (("condition", f"no longer {each}") for each in old if each not in new)


__all__ = ["IN_WORDS", "KINDS", "SIGNS", "Column", "Gathering", "Lane", "Lanes", "Mark", "Span"]
