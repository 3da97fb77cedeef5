"""Lanes: each round as a picture, a lane for each combatant over the ticks that the ruleset counts.

The layout is in columns, without a unit of length: the page, the drawing and the terminal draw the same one.
"""

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain

from eventstore.events import ActionDeclared, DamageDealt, Fact, RulingMade
from eventstore.spool import Spool
from projections.address import NOTHING
from projections.folds.order import order_of, round_rows
from projections.judging.audit import Finding
from projections.occurrence import Occurrence, is_a
from projections.state import State
from projections.stream.placing import point_reached
from projections.views.lane_layout import act_words, draw_lanes, take_timeline
from projections.views.lane_shapes import GatheredRound, Hold, Lanes, Mark, MarkAt, Place
from projections.views.steps import Change, Step, is_shape_change

COUNTED = {"hp": 1, "temp": 1, "nld": -1}
"""The pools whose changes are drawn: 1 where more is better, -1 where it is worse."""


Holds = tuple[Hold, ...]
Flags = tuple[MarkAt, ...]
"""The additions to a round at the end of a log: running concentrations, and flags of findings."""


class Gathering:
    """Pictures of all rounds, gathered during a walk: `before` sees each fact and the state before it, `after` each step.

    `past` takes the rounds that are over, for a log that memory does not hold.
    """

    def __init__(self, past: Spool[GatheredRound] | None = None) -> None:
        self.rounds: dict[int, GatheredRound] = {}
        self._past = past
        self._numbers: list[int] = []
        """The numbers of all rounds so far, in order."""
        self._held: dict[str, tuple[int, Place, str, int]] = {}
        self._holds = defaultdict[int, list[Hold]](list)
        """The concentrations that have ended, for each round in which they were held."""
        self._drawn: dict[int, tuple[Holds, Flags, Lanes]] = {}
        """The last pictures with their additions, except those of rounds that have changed since."""

    def keep_round(self, state: State, fact: Occurrence[Fact]) -> None:
        """Keep the timeline and the order of a round before the next one opens."""
        if isinstance(fact.event, RulingMade) or state.rules.schedule.opens_round(state, fact):
            _close_round(self._open_round(state.clock.point.round), state)

    def mark_changes(self, step: Step, state: State) -> None:
        """Mark the changes of a step."""
        fact = step.fact
        point = point_reached(state, fact)
        found, place = self._open_round(point.round), (point.phase, point.turn, point.segment, point.second)
        found.facts[fact.seq] = place
        named = (getattr(fact.event, field, None) for field in ("combatant", "target", "source", "bearer"))
        found.actors[fact.seq] = next((who for who in named if isinstance(who, str)), "")
        if point.turn and state.clock.point.turn == point.turn and state.clock.turn:
            found.turns[point.turn] = state.clock.turn
        if is_a(fact, ActionDeclared) and fact.event.combatant:
            action = fact.event.action
            words = act_words(action.kind, action.name, action.targets, state) if action else ""
            found.marks.append((fact.event.combatant, place, Mark(0, "declares", words, fact.seq)))
        for change in step.changes:
            who, _, field = change.address.partition(".")
            moved = field in COUNTED and is_shape_change(step, who)
            for kind, words in () if moved else _marks_of_change(field, change, fact.event):
                found.marks.append((who, place, Mark(0, kind, words, fact.seq)))
            if field == "concentration":
                if who in self._held:
                    self._draw_hold(who, point.round, place)
                if change.after != NOTHING:
                    self._held[who] = (point.round, place, str(change.after), fact.seq)

    def pictures(self, state: State, findings: Iterable[Finding] = ()) -> Iterator[Lanes]:
        """Yield the pictures, after the last fact, with a flag for each finding; more can be gathered afterwards.

        Only the rounds that changed since the last time are drawn again.
        """
        present, about = self._copy_present(state), defaultdict[int, list[tuple[int, Finding]]](list)
        for place, finding in enumerate(findings):
            about[finding.event].append((place, finding))
        holds, last = self._lasting_holds(present.number), max(self.rounds)
        for each in chain(self._past or (), (self.rounds[number] for number in sorted(self.rounds))):
            found = present if each.number == present.number else each
            events = [*about] if each.number == last else about.keys() & found.facts.keys()
            own = sorted(one for event in events for one in about.pop(event))
            flags = tuple(_mark_of_finding(finding, found) for _, finding in own)
            yield self._draw_round(found, tuple(holds[found.number]), flags, state)

    def present_picture(self, state: State, findings: Iterable[Finding] = ()) -> Lanes:
        """Return the picture of the round that has been reached; more can be gathered afterwards."""
        found = self._copy_present(state)
        flags = tuple(_mark_of_finding(each, found) for each in findings if each.event in found.facts)
        return self._draw_round(found, tuple(self._lasting_holds(found.number)[found.number]), flags, state)

    def holding(self, held: dict[str, tuple[str, int]]) -> None:
        """Keep the concentrations from before the first round that is gathered, by combatant, with the fact that began each."""
        self._held = {who: (-1, (0, 0, 0, 0), words, seq) for who, (words, seq) in held.items()}

    def _open_round(self, number: int) -> GatheredRound:
        """Return a round to be changed."""
        self._drawn.pop(number, None)
        if number not in self.rounds:
            if self._past is not None:
                self._hand_over(self._past, number)
            if number not in self.rounds:
                insort(self._numbers, number)
                self.rounds[number] = GatheredRound(number)
        return self.rounds[number]

    def _hand_over(self, past: Spool[GatheredRound], number: int) -> None:
        """Hand over the rounds before one that begins; if it comes before another, take all of them back."""
        if self._numbers and number < self._numbers[-1]:
            self.rounds = {each.number: each for each in (*past, *self.rounds.values())}
            self._past = None
            return
        for each in self.rounds.values():
            past.append(each)
        self.rounds.clear()

    def _numbers_between(self, first: int, last: int) -> list[int]:
        return self._numbers[bisect_left(self._numbers, first) : bisect_right(self._numbers, last)]

    def _copy_present(self, state: State) -> GatheredRound:
        """Return a copy of the round that has been reached, as if it were over."""
        found = self._open_round(state.clock.point.round).copy()
        _close_round(found, state)
        return found

    def _lasting_holds(self, last: int) -> defaultdict[int, list[Hold]]:
        """Return the concentrations that run at the end, for each round up to the last one."""
        found = defaultdict[int, list[Hold]](list)
        for who, (began, start, words, seq) in self._held.items():
            for number in self._numbers_between(began, last):
                found[number].append((who, start if number == began else None, None, words, seq))
        return found

    def _draw_round(self, found: GatheredRound, holds: Holds, flags: Flags, state: State) -> Lanes:
        known = self._drawn.get(found.number)
        if known and known[:2] == (holds, flags):
            return known[2]
        whole = found.copy()
        whole.holds = [*self._holds.get(found.number, ()), *holds]
        whole.marks += flags
        picture = draw_lanes(whole, state)
        if found is self.rounds.get(found.number):
            self._drawn[found.number] = holds, flags, picture
        return picture

    def _draw_hold(self, who: str, round_: int, place: Place) -> None:
        """Draw a concentration through all its rounds, to the place of its end."""
        began, start, words, seq = self._held.pop(who)
        for number in self._numbers_between(began, round_):
            first, last = start if number == began else None, place if number == round_ else None
            self._holds[number].append((who, first, last, words, seq))
            self._drawn.pop(number, None)


def _close_round(found: GatheredRound, state: State) -> None:
    """Keep the timeline and the order of a round that has been reached."""
    take_timeline(found, round_rows(state), state)
    found.groups = [slot.combatants for slot in order_of(state) if len(slot.combatants) > 1]
    here = dict.fromkeys(one.id for one in state.here())
    placed = dict.fromkeys(who for slot in order_of(state) for who in slot.combatants if who in here)
    found.here = tuple(placed | here) or found.here


def _mark_of_finding(finding: Finding, found: GatheredRound) -> MarkAt:
    place = found.facts.get(finding.event, (0, 0, 0, 0))
    status = "ruled" if finding.ruled else finding.severity
    mark = Mark(0, "finding", f"{finding.rule}: {finding.says}", finding.event, status)
    return found.actors.get(finding.event, ""), place, mark


def _marks_of_change(field: str, change: Change, event: Fact) -> Iterator[tuple[str, str]]:
    """Yield the marks of a value that a fact changed, as kind and words; damage that ends a shape is as stated."""
    before, after = change.before, change.after
    if field in COUNTED and isinstance(before, int) and isinstance(after, int):
        better = (after - before) * COUNTED[field] > 0
        what = {"temp": " temporary", "nld": " non-lethal"}.get(field, "")
        yield "healing" if better else "damage", f"{'+' if after > before else '−'}{abs(after - before)}{what}"
    elif field == "status":
        yield "status", str(after)
    elif field == "form":
        if isinstance(event, DamageDealt):
            yield "damage", f"−{event.amount}"
        yield "status", f"no longer {before}" if after == NOTHING else str(after)
    elif field == "conditions":
        old, new = (each if isinstance(each, list | tuple) else [] for each in (before, after))
        yield from (("condition", f"{each}") for each in new if each not in old)
        yield from (("condition", f"no longer {each}") for each in old if each not in new)
