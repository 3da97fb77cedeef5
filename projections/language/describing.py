"""The language described: its themes, as help and the documentation show them, and what could stand next in a line."""

from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from eventstore.paths import AnyPath
from projections.language.chart import Chart
from projections.language.line import Line
from projections.language.table import Maybe, Node, Pattern, Shape, Slot, Table, Words, flat_nodes, language_table

_VALUES = {
    "person": "combatants", "single": "a combatant", "side": "a side", "n": "a number", "digits": "a number", "plus": "a number with +", "minus": "a number with -",
    "square": "a square", "weapon": "a weapon", "spell": "a spell", "condition": "a condition", "deed": "an act", "effect": "an effect",
    "running": "an effect", "open": "a name", "called": "a name", "fresh": "a new name", "place": "a place", "words": "words", "rest": "words",
    "asked": "a question", "hurt": "a number", "stated": "a number", "duration": "a time", "distance": "a distance", "gained": "a condition", "inflicted": "a condition", "suffered": "a condition",
    "pair": "a combatant and a number", "saved": "a combatant and a number", "strike_each": "a combatant and a number",
}  # fmt: skip
"""The kinds of values in words."""
MOST_SYNONYMS = 3
"""The most words of a class that are offered."""
MOST_NAMED = 40
"""The most things of a sort that are offered."""


class ShownShape(Struct, frozen=True):
    """A shape of sentences as help shows it."""

    name: str
    says: str
    example: str
    patterns: tuple[str, ...]
    """Its heads in words."""
    adjuncts: dict[str, tuple[str, ...]]
    """What may follow, in any order, by name."""
    asks: tuple[str, ...]
    """The adjuncts beside which a line may have several meanings, which are offered."""
    synonyms: dict[str, tuple[str, ...]]
    """The words of the classes in its heads."""


class Theme(Struct, frozen=True):
    """A heading with its shapes."""

    name: str
    shapes: tuple[ShownShape, ...]


def list_themes(rules: AnyPath) -> tuple[Theme, ...]:
    """Return the language of the game with this catalogue: its shapes by themes, in the order of the table."""
    table = language_table(rules)
    found: dict[str, list[ShownShape]] = {}
    for shape in table.shapes:
        found.setdefault(shape.theme, []).append(_describe_shape(table, shape))
    return tuple(Theme(name, tuple(shapes)) for name, shapes in found.items())


def _describe_shape(table: Table, shape: Shape) -> ShownShape:
    classes = dict.fromkeys(sort for head in shape.heads for node in flat_nodes(head.nodes) for sort in node.classes)
    return ShownShape(
        shape.name,
        shape.says,
        shape.example,
        tuple(_pattern_words(each) for each in shape.heads if each.nodes),
        {name: tuple(map(_pattern_words, table.adjuncts[name].patterns)) for name in shape.takes},
        shape.asks,
        {sort: synonyms(table, sort) for sort in classes},
    )


def synonyms(table: Table, sort: str) -> tuple[str, ...]:
    """Return the words of a class; verbs are uninflected, and stand for all their forms."""
    named = (word for words in table.named.get(sort, {}).values() for word in words)
    return tuple(dict.fromkeys((*table.synonyms.get(sort, ()), *named)))


def _pattern_words(pattern: Pattern) -> str:
    return " ".join(map(_node_words, pattern.nodes))


def _node_words(node: Node) -> str:
    match node:
        case Maybe(nodes=nodes):
            return f"[{' '.join(map(_node_words, nodes))}]"
        case Slot(name=name, kind=kind):
            return f"@{kind[1:]}" if kind.startswith("@") else name.upper()
        case Words(words=words, classes=classes):
            return "|".join((*(f"@{each}" for each in classes), *sorted(words)))


# ---------------------------------------------------------------- what could stand next


def expected_values(chart: Chart) -> tuple[str, ...]:
    """Return what could stand where no reading goes on, values in words before words."""
    values = [_VALUES.get(node.kind, "") for node in chart.wanted if isinstance(node, Slot)]
    words = [next(iter(_offered_by_node(chart.table, node)), "") for node in chart.wanted if isinstance(node, Words)]
    return tuple(dict.fromkeys(each for each in (*values, *words) if each))


def offer_words(chart: Chart) -> Iterator[tuple[str, str]]:
    """Yield the words that can stand behind the line, "" for a value that is typed, with what they mean: names, things, and the words of shapes."""
    for node, shape in sorted(
        chart.wanted.items(), key=lambda each: isinstance(each[0], Slot) and each[0].kind == "@plans"
    ):
        says = shape.says if shape else ""
        if isinstance(node, Words):
            yield from ((each, says) for each in _offered_by_node(chart.table, node))
        elif isinstance(node, Slot):
            named = dict.fromkeys(_values_of_slot(chart.line, node, shape)) or [""]
            yield from ((each, _VALUES.get(node.kind, "" if each else node.kind)) for each in named)


def _offered_by_node(table: Table, node: Words) -> Iterator[str]:
    yield from sorted(each for each in node.words if each.isalpha())
    for sort in node.classes:
        yield from (table.third.get((sort, each), each) for each in synonyms(table, sort)[:MOST_SYNONYMS])


def _values_of_slot(line: Line, node: Slot, shape: Shape | None) -> Iterator[str]:
    """Yield the values of a slot that the fight has: a condition that ends is one of somebody whom the line names, if it names anybody."""
    scene, ids = line.scene, {one for named in line.who for _, who in named for one in who.ids}
    if node.kind in ("person", "single", "pair", "strike_each", "saved"):
        yield from (one.name or one.id for one in scene.state.here())
    elif node.kind in ("condition", "gained") and shape is not None and shape.name == "condition over":
        yield from (each.called for each in scene.state.conditions.values() if not ids or each.bearer in ids)
    elif node.kind.startswith("@"):
        yield from synonyms(scene.table, node.kind[1:])[:MOST_SYNONYMS]
    else:
        yield from islice(scene.names_of_sort(node.kind), MOST_NAMED)
