"""The table of sentences of a game: its words, parts, adjuncts and shapes, those of every game and those of its own ruleset."""

from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from typing import Any

import msgspec
from msgspec import Struct

from eventstore.paths import AnyPath, path_beside
from projections.language.compiling import compiled
from projections.toml import parse_toml, read_copy, read_text

COMMON = path_beside(__file__, "sentences.toml")
IRREGULAR = path_beside(__file__, "inflected.toml")


class Words(Struct, frozen=True, tag="words"):
    """A word of a pattern: one of these, or one of these classes."""

    words: tuple[str, ...]
    classes: tuple[str, ...]


class Slot(Struct, frozen=True, tag="slot"):
    """A place for a value of a kind, or for several."""

    name: str
    kind: str
    least: int = 0
    """The fewest values of a slot for several; 0 for one."""

    @property
    def classes(self) -> tuple[str, ...]:
        """The class of words that it takes, if its kind is one."""
        return (self.kind[1:],) if self.kind.startswith("@") else ()


class Maybe(Struct, frozen=True, tag="maybe"):
    """A part of a pattern that may be left out."""

    nodes: tuple["Node", ...]


Node = Words | Slot | Maybe


class Pattern(Struct, frozen=True):
    """A parsed pattern: its nodes, what it says by itself, its text, and whether it takes words as they stand."""

    nodes: tuple[Node, ...]
    says: tuple[tuple[str, bool | int | str], ...]
    text: str
    free: bool


class Adjunct(Struct, frozen=True, forbid_unknown_fields=True):
    """What may stand behind a head, in any order."""

    name: str
    patterns: tuple[Pattern, ...]
    after: frozenset[str] = frozenset()
    """Slots of which one is filled before it."""
    unless: frozenset[str] = frozenset()
    """Slots of which none is filled."""


class Shape(Struct, frozen=True, eq=False, forbid_unknown_fields=True):
    """A shape of sentences: its heads, its adjuncts, and the templates of its facts."""

    name: str
    heads: tuple[Pattern, ...]
    theme: str = ""
    """The heading in help and on the page."""
    says: str = ""
    example: str = ""
    takes: tuple[str, ...] = ()
    leads: tuple[str, ...] = ()
    """The adjuncts that may stand before its head, with a comma or a colon behind them."""
    asks: tuple[str, ...] = ()
    """The adjuncts beside which a line may have several meanings, which are offered."""
    needs: tuple[frozenset[str], ...] = ()
    """Sets of slots, one of each of which is filled."""
    carries: frozenset[str] = frozenset()
    """Slots that a clause takes over from the one before it."""
    fills: tuple[str, ...] = ()
    """The functions that complete what a clause omits (completing.py)."""
    makes: tuple[dict[str, Any], ...] = ()
    when: str = ""
    """The moment of the game in which the shape can be read (scene.py)."""
    acts: bool = False
    """Whether the clock moves to the place of its first fact."""
    declares: bool = False
    """Whether its acts are declarations while acts are declared."""
    plan: str = ""
    """The kind of act that it is while acts are declared."""
    rest: str = ""
    """The word for a line without facts, such as a question."""
    alone: bool = False
    """Whether it stands at the beginning of a line only."""
    game: str = ""
    """The game whose table has it; "" for every game."""


class Table(Struct, dict=True):
    """A table of sentences, compiled."""

    phrases: dict[str, tuple[tuple[tuple[str, ...], str, str], ...]]
    """Phrases by their first words: the words, their class, and the value that they mean."""
    synonyms: dict[str, tuple[str, ...]] = {}
    """The words of each class, verbs uninflected."""
    named: dict[str, dict[str, tuple[str, ...]]] = {}
    """Values of each class with the words for them."""
    fillers: frozenset[str] = frozenset()
    connectives: frozenset[str] = frozenset()
    openings: tuple[tuple[str, ...], ...] = ()
    """Words that may begin a line and say nothing, such as a bot's prefix."""
    denials: frozenset[str] = frozenset()
    """Words by which a line may say that something did not happen: no offer passes over them."""
    several: frozenset[str] = frozenset()
    """Slots that may be filled more than once in a clause."""
    halves: str = ""
    """How the game rounds halves: down, up; "" where its text does not say."""
    shots: str = ""
    """The manner of shots and throws, where the game's rules ask for one."""
    parts: dict[str, tuple[Pattern, ...]] = {}
    adjuncts: dict[str, Adjunct] = {}
    shapes: tuple[Shape, ...] = ()

    @cached_property
    def literals(self) -> frozenset[str]:
        """The words that patterns name themselves."""
        of_shapes = (each for shape in self.shapes for each in shape.heads)
        of_adjuncts = (each for adjunct in self.adjuncts.values() for each in adjunct.patterns)
        of_parts = (each for part in self.parts.values() for each in part)
        nodes = (node for each in (*of_shapes, *of_adjuncts, *of_parts) for node in flat_nodes(each.nodes))
        return frozenset(word for node in nodes if isinstance(node, Words) for word in node.words)

    @cached_property
    def third(self) -> dict[tuple[str, str], str]:
        """The verbs of each class as they stand behind a name: attacks, of attack."""
        forms: dict[tuple[str, str], list[str]] = {}
        for entries in self.phrases.values():
            for words, sort, value in entries:
                forms.setdefault((sort, value), []).append(" ".join(words))
        return {(sort, verb): own[1] for (sort, verb), own in forms.items() if own[0] == verb and len(own) > 2}

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The words that have a row: they are names only as whole words of a name."""
        single = {first for first, entries in self.phrases.items() if any(len(words) == 1 for words, _, _ in entries)}
        return self.literals | self.fillers | self.connectives | single | NUMBERS.keys()


NUMBERS = {word: number for number, word in enumerate(
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"])}  # fmt: skip


def flat_nodes(nodes: Iterable[Node]) -> Iterator[Words | Slot]:
    """Yield the words and slots of a pattern, those that may be left out among them."""
    for node in nodes:
        if isinstance(node, Maybe):
            yield from flat_nodes(node.nodes)
        else:
            yield node


@cache
def language_table(rules: AnyPath) -> Table:
    """Return the table of the game with this catalogue: the rows of every game, and those beside it. A shape of the same name adds its heads, adjuncts and templates."""
    common = _read_table(COMMON)
    try:
        own = _read_table(path_beside(rules, "sentences.toml"))
    except FileNotFoundError:
        return common
    added = {shape.name: shape for shape in own.shapes}
    known = {shape.name for shape in common.shapes}
    return Table(
        phrases=_joined(common.phrases, own.phrases),
        synonyms=_joined(common.synonyms, own.synonyms),
        named={sort: _joined(common.named.get(sort, {}), own.named.get(sort, {})) for sort in common.named | own.named},
        fillers=common.fillers,
        connectives=common.connectives,
        openings=common.openings + own.openings,
        denials=common.denials,
        several=common.several,
        halves=own.halves,
        shots=own.shots,
        parts=_joined(common.parts, own.parts),
        adjuncts=common.adjuncts | own.adjuncts,
        shapes=(
            *(_extend_shape(shape, added[shape.name]) if shape.name in added else shape for shape in common.shapes),
            *(shape for shape in own.shapes if shape.name not in known),
        ),
    )


def _joined(one: dict[str, tuple[Any, ...]], other: dict[str, tuple[Any, ...]]) -> dict[str, tuple[Any, ...]]:
    return one | {key: (*one.get(key, ()), *values) for key, values in other.items()}


def _extend_shape(shape: Shape, own: Shape) -> Shape:
    return msgspec.structs.replace(
        shape, heads=shape.heads + own.heads, takes=shape.takes + own.takes, makes=shape.makes + own.makes
    )


def _read_table(path: AnyPath) -> Table:
    """Read a table by the copy of the build, else by its text; raise OSError."""
    text, irregular = read_text(path), read_text(IRREGULAR)
    found = read_copy(path, text + irregular, Table)
    if found is not None:
        return found
    return msgspec.convert(compiled(parse_toml(text), parse_toml(irregular)), Table, strict=False)
