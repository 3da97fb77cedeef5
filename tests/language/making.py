"""Sentences made from the table: each head of a shape with pairs of its adjuncts, and each of their words."""

from collections.abc import Iterator, Sequence
from itertools import permutations

from projections.language.describing import synonyms
from projections.language.table import Maybe, Node, Pattern, Shape, Slot, Table, Words

VALUES = {
    "person": {"whom": "orc-1", "who": "Ana"}, "single": {"who": "Ana", "source": "Mira", "whom": "orc-1", "new": "orc-2", "old": "orc-1", "doer": "Ana"},
    "side": {"": "foes"}, "plus": {"": "+6"}, "minus": {"": "-6"}, "square": {"": "3,4"}, "weapon": {"": "longsword"}, "spell": {"": "web"},
    "condition": {"": "prone"}, "deed": {"": "hides"}, "effect": {"": "bless"}, "running": {"": "bless"}, "called": {"": "Inner Fire"},
    "fresh": {"": "Zed"}, "new_side": {"": "wolves"}, "place": {"": "behind the door"}, "heading": {"": "back"}, "resource": {"": "ki"}, "words": {"": "dawn"}, "teaching": {"": "gronks means attacks"}, "taught": {"": "gronks"}, "asked": {"": "is it so ?"}, "rest": {"": "dawn comes"},
}  # fmt: skip
"""A value of each kind of slot, by the slot's name; "" for any other."""


class Maker:
    """What makes sentences of a table; numbers are counted up, so that no two slots have the same."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._number = 3

    def pattern(self, pattern: Pattern, word: int = 0) -> str:
        """Return a sentence of a pattern without what may be left out; of each class its word of this number."""
        made = " ".join(self._node(node, word) for node in pattern.nodes if not isinstance(node, Maybe))
        return made.replace(" 's", "'s")

    def _node(self, node: Node, word: int) -> str:
        if isinstance(node, Words):
            own = [*sorted(node.words), *(each for sort in node.classes for each in synonyms(self.table, sort))]
            return own[word % len(own)]
        assert isinstance(node, Slot)
        if node.kind in ("n", "digits"):
            self._number += 1
            return str(self._number)
        if node.kind[0] == "@":
            own = [*synonyms(self.table, node.kind[1:])]
            return own[word % len(own)]
        if node.kind in self.table.parts:
            made = [self.pattern(self.table.parts[node.kind][0], word) for _ in range(max(1, node.least))]
            return " and ".join(made)
        values = VALUES[node.kind]
        return values.get(node.name) or values.get("") or next(iter(values.values()))

    def pairs(self, shape: Shape, head: Pattern) -> Iterator[tuple[str, str, list[str]]]:
        """Yield two adjuncts of a shape by their names, and the sentences of a head with both, in either order."""
        for one, other in permutations(shape.takes, 2):
            if one < other:
                self._number = 3
                first = self.pattern(head)
                parts = [self.pattern(self.table.adjuncts[name].patterns[0]) for name in (one, other)]
                yield one, other, [f"{first} {', '.join(each)}" for each in (parts, parts[::-1])]


def heads(shape: Shape) -> Sequence[Pattern]:
    """Return the heads of a shape that have words."""
    return [head for head in shape.heads if head.nodes]
