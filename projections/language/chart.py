"""The chart: every reading of a line as clauses of the table's shapes, in which each token is consumed; and what could come next."""

from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Any

from msgspec import Struct

from projections.language.compiling import FREE
from projections.language.line import Line
from projections.language.table import Maybe, Node, Pattern, Shape, Slot, Words
from projections.language.values import KINDS, Found, Kept

MOST = 24
"""The most readings of a line that are kept."""
MOST_WAYS = 600
"""The most ways to take the adjuncts of one head."""
Slots = tuple[tuple[str, Any], ...]
"""Slots with their values, by name."""


class Clause(Struct, frozen=True):
    """A clause: its shape, its slots, and the tokens that it takes."""

    shape: Shape
    slots: Slots
    start: int
    end: int


class Chart:
    """The readings of one line."""

    def __init__(self, line: Line) -> None:
        self.line, self.table = line, line.table
        self._end = len(line.tokens)
        self.furthest = line.start
        self.wanted: dict[Node, Shape | None] = {}
        """The nodes that could stand at the furthest place."""
        self._shape: Shape | None = None
        self._patterns: dict[tuple[str, int], tuple[tuple[int, Slots], ...]] = {}
        self._tails: dict[int, tuple[int, list[tuple[Clause, ...]]]] = {}

    def readings(self) -> list[tuple[Clause, ...]]:
        """Return the readings of the whole line in the fewest clauses, so that an adjunct belongs to the nearest head before it that takes it."""
        return self._fewest_clauses(self.line.start)[1]

    # ---------------------------------------------------------------- patterns

    def _match_one(self, pattern: Pattern, at: int) -> tuple[tuple[int, Slots], ...]:
        """Return the places at which a pattern that begins here can end, each with its slots."""
        key = (pattern.text, at)
        if key not in self._patterns:
            self._patterns[key] = ()
            found = dict.fromkeys((end, (*slots, *pattern.says)) for end, slots in self._match_all(pattern.nodes, at))
            if pattern.free:  # of the ways to the same end the one that keeps the fewest words
                found = dict.fromkeys(min((each for each in found if each[0] == end), key=_length) for end, _ in found)
            self._patterns[key] = tuple(found)
        return self._patterns[key]

    def _match_all(self, nodes: tuple[Node, ...], at: int) -> Iterator[tuple[int, Slots]]:
        if not nodes:
            yield at, ()
            return
        first, rest = nodes[0], nodes[1:]
        if isinstance(first, Maybe):
            yield from self._match_all((*first.nodes, *rest), at)
            yield from self._match_all(rest, at)
            return
        keeps = isinstance(first, Slot) and first.kind in FREE
        for place in (at,) if keeps else self.line.places(at):
            for end, slots in self._match_node(first, place):
                yield from ((far, (*slots, *more)) for far, more in self._match_all(rest, end))

    def _match_node(self, node: Node, at: int) -> Iterator[tuple[int, Slots]]:
        self._keep_wanted(node, at)
        if at >= self._end:
            return
        if isinstance(node, Words):
            if self.line.tokens[at].word in node.words:
                yield at + 1, ()
            for sort in node.classes:
                said = ("verb",) if sort in ("strike", "shoot") else ()
                yield from (
                    (end, tuple((each, value) for each in said)) for end, value in self.line.classes[at].get(sort, ())
                )
        elif isinstance(node, Slot):
            values = self._several_values(node.kind, node.least, at) if node.least else self._value(node.kind, at)
            yield from ((end, ((node.name, value),)) for end, value in values)

    def _keep_wanted(self, node: Node, at: int) -> None:
        """Record what could stand at the furthest place that a reading reaches."""
        if at > self.furthest:
            self.furthest, self.wanted = at, {}
        if at == self.furthest:
            self.wanted.setdefault(node, self._shape)

    def _several_values(self, kind: str, least: int, at: int) -> Iterator[Found]:
        """Yield values one after the other, with marks between them: as many as there are."""
        values: tuple[Any, ...] = ()
        while at < self._end:
            found = [each for place in self.line.places(at) if place < self._end for each in self._value(kind, place)]
            if not found:
                return
            at, value = max(found, key=lambda each: each[0])
            values = (*values, value)
            if len(values) >= least:
                yield at, values
            at = self.line.next_place(at)

    def _value(self, kind: str, at: int) -> Iterable[Found]:
        if kind[0] == "@":
            return self.line.classes[at].get(kind[1:], ())
        if kind in self.table.parts:
            return self._parts_at(kind, at)
        return KINDS[kind](self.line, at)

    def _parts_at(self, kind: str, at: int) -> Iterable[Found]:
        """Return the part of a sentence that stands here, as its slots."""
        parts = self.table.parts[kind]
        found = (
            (end, tuple(sorted(slots, key=itemgetter(0)))) for each in parts for end, slots in self._match_one(each, at)
        )
        return dict.fromkeys(found)

    # ---------------------------------------------------------------- clauses

    def _fewest_clauses(self, at: int) -> tuple[int, list[tuple[Clause, ...]]]:
        """Return the fewest clauses for the rest of the line from a place on, and the readings with so many."""
        if at >= self._end:
            return 0, [()]
        if at in self._tails:
            return self._tails[at]
        self._tails[at] = (self._end, [])
        best, found = self._end, list[tuple[Clause, ...]]()
        for end, clauses in self._clauses_at(at).items():
            far = self.line.next_place(end)
            if far < self._end and not any(map(self.line.is_between, range(end - 1, far))):
                continue
            count, rests = self._fewest_clauses(far)
            if rests and count < best:
                fewer = [(clause, *rest) for clause in clauses for rest in rests]
                best, found = count + 1, (fewer if count + 1 < best else found + fewer)
        self._tails[at] = (best, list(dict.fromkeys(found))[:MOST])
        return self._tails[at]

    def _clauses_at(self, at: int) -> dict[int, list[Clause]]:
        """Return the clauses that begin at a place, by their ends."""
        found: dict[int, dict[Clause, None]] = {}
        for shape in self.table.shapes:
            if (shape.alone and at != self.line.start) or not self.line.scene.is_moment(shape.when):
                continue
            self._shape = shape
            for head, start, before in self._heads_at(shape, at):
                for end, slots in self._match_one(head, start):
                    filled = self._merge_slots(before, slots)
                    for far, whole in self._with_adjuncts(shape, end, filled) if filled is not None else ():
                        named = {name for name, _ in whole}
                        if far > at and all(need & named for need in shape.needs):
                            found.setdefault(far, {})[Clause(shape, whole, at, far)] = None
        return {end: list(clauses) for end, clauses in found.items()}

    def _heads_at(self, shape: Shape, at: int) -> Iterator[tuple[Pattern, int, Slots]]:
        """Yield the heads of a shape with the places where they can begin: here, or behind an adjunct that leads in: as a reaction, Bo attacks."""
        starts: list[tuple[int, Slots]] = [(at, ())]
        for name in shape.leads:
            for each in self.table.adjuncts[name].patterns:
                for end, slots in self._match_one(each, at):
                    if end > at and self.line.is_between(end):
                        starts.append((self.line.next_place(end), slots))
        for head in shape.heads:
            if head.nodes:
                yield from ((head, start, before) for start, before in starts)
            elif at != self.line.start:
                yield head, at, ()

    def _with_adjuncts(self, shape: Shape, at: int, slots: Slots) -> Iterator[tuple[int, Slots]]:
        """Yield every way to take adjuncts from a place on, in any order, each slot once."""
        seen, todo = {(at, slots)}, [(at, slots)]
        while todo:
            end, filled = todo.pop()
            yield end, filled
            for far, more in self._adjuncts_at(shape, end, filled) if len(seen) < MOST_WAYS else ():
                merged = self._merge_slots(filled, more)
                if merged is not None and (far, merged) not in seen:
                    seen.add((far, merged))
                    todo.append((far, merged))

    def _adjuncts_at(self, shape: Shape, end: int, filled: Slots) -> Iterator[tuple[int, Slots]]:
        """Yield the adjuncts that a shape takes behind a place."""
        named = {name for name, _ in filled}
        for name in shape.takes:
            adjunct = self.table.adjuncts[name]
            if (adjunct.after and not adjunct.after & named) or adjunct.unless & named:
                continue
            for start in range(end, self.line.next_place(end) + 1):
                for each in adjunct.patterns:
                    yield from (found for found in self._match_one(each, start) if found[0] > start)

    def _merge_slots(self, filled: Slots, more: Slots) -> Slots | None:
        """Return slots together; None if one is filled twice."""
        found = dict(filled)
        for slot, value in more:
            if slot in self.table.several:
                found[slot] = (*found.get(slot, ()), value)
            elif slot == "verb":
                found.setdefault(slot, value)
            elif slot in found and not (value is True and found[slot] is True):
                return None
            else:
                found[slot] = value
        return tuple(sorted(found.items(), key=itemgetter(0)))


def _length(found: tuple[int, Slots]) -> int:
    return sum(len(value.text) for _, value in found[1] if isinstance(value, Kept))
