"""The forms of notation as data: forms.toml in this folder, and in the folder of a ruleset.

A form has a pattern, the facts that it makes, a sentence on what it means, and an example. In a pattern a lower-case word is
typed as it is (`a|b`: either), `{name}` is a slot, `[…]` may be left out, and a last `(…)` is repeated. In a fact `"$name"` stands for
what a slot holds; a field without a value is left out.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

import msgspec
from msgspec import Struct

from eventstore.paths import AnyPath, path_beside
from projections.open_types import Fields
from projections.toml import read_toml

COMMON = path_beside(__file__, "forms.toml")


class Literal(Struct, frozen=True):
    """A word that is typed as it is, or one of several."""

    words: tuple[str, ...]


class FormSlot(Struct, frozen=True):
    """A place for a value: its name, its kind, and what is typed around it without a blank."""

    name: str
    kind: str
    prefix: str = ""
    suffix: str = ""


class Pair(Struct, frozen=True):
    """Two slots without a blank between them, such as a side and its die."""

    first: FormSlot
    between: str
    second: FormSlot


class Optional(Struct, frozen=True):
    """A part of a pattern that may be left out."""

    nodes: tuple["Node", ...]


class Repeated(Struct, frozen=True):
    """The end of a pattern, which may be repeated."""

    nodes: tuple["Node", ...]


Node = Literal | FormSlot | Pair | Optional | Repeated
FREE = frozenset({"values", "sheet"})
"""Kinds of slots that take every token of the form key=value; in such a form an option has a dot before it."""
THROWN = frozenset({"die", "dice", "amount"})
"""Kinds of slots for dice."""
BEGINS_THROWN = frozenset('0123456789dD{["')
"""The first characters of a token for one of them."""
ALONE = THROWN | {"who", "combatant", "target"}
"""Kinds of slots that take one token each."""


class Pattern(Struct, frozen=True):
    """A parsed pattern: its nodes and its slots; whether it is `free`, having slots that take every token of the form key=value.

    The other fields are necessary conditions, by which most patterns are ruled out without matching. A line has at
    least so many tokens, at most `most` besides options (0: any number), one of each of these sets of words, and one
    with each of these prefixes and suffixes. If the pattern is `thrown`, the line has a token for dice, which is no
    bare face in a pattern of `dice`. If the pattern begins with a `pair`, the line begins with one, or with an option.
    """

    nodes: tuple[Node, ...]
    slots: tuple[FormSlot, ...]
    free: bool
    least: int
    words: tuple[frozenset[str], ...]
    marks: tuple[tuple[str, str], ...]
    thrown: bool
    most: int = 0
    dice: bool = False
    pair: bool = False

    def fits(self, texts: Sequence[str]) -> bool:
        """Say whether a line of these tokens may fit this pattern; a quoted token still has its mark."""
        return (
            len(texts) >= self.least
            and (not self.pair or _may_be_option(texts[0]) or _NUMBER.search(texts[0]) is not None)
            and not any(words.isdisjoint(texts) for words in self.words)
            and all(any(each.startswith(a) and each.endswith(z) for each in texts) for a, z in self.marks)
            and not (self.thrown and BEGINS_THROWN.isdisjoint([each[:1] for each in texts]))
            and (not self.most or sum(not _may_be_option(each) for each in texts) <= self.most)
            and (not self.dice or any(map(_DICE.match, texts)))
        )


_NUMBER, _DICE = re.compile(r"[\d%~]"), re.compile(r"[{\[\"]|[0-9dD].*[dD]|[dD]", re.DOTALL)
"""The characters that every name with a number or dice has; a token that may be dice."""


def _may_be_option(text: str) -> bool:
    return "=" in text or text[:1] in "@^"


class Form(Struct, frozen=True, forbid_unknown_fields=True):
    """A form of lines: its name, its patterns, the facts that it makes, its meaning, and an example."""

    name: str
    patterns: tuple[str, ...]
    """The patterns of its lines; the first one is printed."""
    says: str
    example: str
    makes: tuple[Fields, ...] = ()
    """The templates of its facts."""
    fills: tuple[str, ...] = ()
    """The functions that complete what a line omits (filling.py)."""
    each: tuple[str, ...] = ()
    """The functions that complete each repetition."""
    assumes: tuple[str, ...] = ()
    """The fields whose values are understood, so that an option may set them."""
    acts: bool = False
    """Whether the clock moves by itself to the place of the first fact."""
    rolls: bool = False
    """Whether it is a blow, for kinds of action that are rolled."""
    carries: bool = False
    """Whether it ends with a line of its own."""
    copies: bool = False
    """Whether it makes several combatants."""
    together: bool = False
    """Whether it makes one fact for all combatants that a word names."""
    closes: bool = False
    """Whether it ends the open round first."""
    rest: str = ""
    """A word for lines without a fact, such as a question."""
    yields: str = ""
    """When its lines are rather sentences: `always`; `unordered`, in a game of turns until initiative is rolled; `declared`, while acts are."""
    part: str = ""
    """The heading in help."""
    reads: str = ""
    """The example as it is read aloud."""

    @property
    def nodes(self) -> tuple[tuple[Node, ...], ...]:
        """The patterns, read."""
        return tuple(each.nodes for each in self.compiled_patterns)

    @property
    def heads(self) -> tuple[Node, ...]:
        """The first node of each pattern; the rest is not parsed."""
        return tuple(map(_first_node, self.patterns))

    @property
    def compiled_patterns(self) -> tuple[Pattern, ...]:
        """The patterns, with the conditions that their lines meet."""
        return _parse_patterns(self.patterns)


class Forms(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of forms, with the words of a game."""

    form: tuple[Form, ...] = ()
    clock: str = ""
    """The unit by which the clock moves itself: segment, phase or turn; "" where it does not."""
    initiative: str = "d20"
    """The die for initiative."""
    sums: bool = False
    """Whether the number after a die, d20+5, is the sum of all bonuses on the sheet; otherwise it is a bonus besides those."""
    rolls: str = "attack"
    """The kinds of action that are rolled."""
    declares: str = ""
    """The slots of the round in which combatants declare, or dice: until its initiative; "" without declarations."""
    concentrates: bool = False
    """Whether a combatant concentrates from the casting on, where the spell is known to need it."""
    nonlethal: bool = True
    """Whether the game has non-lethal damage; otherwise it counts as any other."""
    releases: str = ""
    """The cost of a held act that is carried out in another's turn; "" where there is none."""
    kinds: dict[str, str] = {}
    """Short words for kinds of action."""
    verbs: dict[str, str] = {}
    """The log's verbs for actions of a game's own kinds, and for conditions that are nouns."""
    evening: dict[str, tuple[str, str]] = {}
    """The lines with which help begins, each with its meaning, by their purpose."""
    instead: dict[str, str] = {}
    """Words without a meaning by themselves, with the words to type instead."""
    words: dict[str, tuple[str, ...]] = {}
    """Words of the game by their sorts."""
    means: dict[str, dict[str, str]] = {}
    """Other words for the same, by their sorts."""


@cache
def read_forms(path: AnyPath) -> Forms:
    """Read a table of forms; raise ValueError where it is malformed."""
    return read_toml(path, Forms)


@cache
def of(rules: AnyPath) -> Forms:
    """Return the forms of the ruleset with this catalogue: its own, then those of every game.

    A ruleset's form replaces the common one of the same name; where nothing is rolled, the forms that roll are left
    out.
    """
    common = read_forms(COMMON)
    try:
        own = read_forms(path_beside(rules, "forms.toml"))
    except FileNotFoundError:
        own = Forms()
    replaced = {form.name: form for form in own.form}
    names = {form.name for form in common.form}
    rest = (replaced.get(form.name, form) for form in common.form if own.rolls or not form.rolls)
    found = (*(form for form in own.form if form.name not in names), *rest)
    return msgspec.structs.replace(
        own,
        form=found,
        kinds=common.kinds | own.kinds,
        evening=common.evening | own.evening,
        instead=common.instead | own.instead,
        words={sort: (*common.words.get(sort, ()), *own.words.get(sort, ())) for sort in common.words | own.words},
        means={sort: common.means.get(sort, {}) | own.means.get(sort, {}) for sort in common.means | own.means},
    )


@cache
def verbs_by_kind(rules: AnyPath) -> dict[str, str]:
    """Return the verbs of the ruleset with this catalogue for kinds of action and conditions of its own: parry: parries, exhaustion: gets."""
    try:
        return read_forms(path_beside(rules, "forms.toml")).verbs
    except FileNotFoundError:
        return {}


@cache
def first_words(rules: AnyPath) -> frozenset[str]:
    """Return the words that begin lines in the ruleset with this catalogue."""
    own = (head for form in of(rules).form for head in form.heads)
    return frozenset(word for node in own if isinstance(node, Literal) for word in node.words) | {"secret"}


@lru_cache(1 << 12)
def forms_beginning(rules: AnyPath, word: str) -> tuple[Form, ...]:
    """Return the forms of lines that begin with this word; those with a slot there if none does. "" stands for no word."""
    table = of(rules)
    words = tuple(form for form in table.form if any(_can_begin(head, word) for head in form.heads))
    return words or tuple(
        form for form in table.form if any(not (isinstance(each, Literal) or _prefix(each)) for each in form.heads)
    )


def _can_begin(node: Node, word: str) -> bool:
    return word in node.words if isinstance(node, Literal) else bool(_prefix(node)) and word.startswith(_prefix(node))


def _prefix(node: Node) -> str:
    return node.prefix if isinstance(node, FormSlot) else ""


@cache
def forms_making(rules: AnyPath, kind: str) -> tuple[Form, ...]:
    """Return the forms that can print a fact of this type, those that make the most facts first."""
    usable = (form for form in of(rules).form if form.makes and not form.carries)
    return tuple(sorted((form for form in usable if form.makes[0]["type"] == kind), key=lambda form: -len(form.makes)))


@cache
def fixed_words(nodes: tuple[Node, ...]) -> frozenset[str]:
    """Return the fixed words of a pattern."""
    return frozenset(word for leaf in _leaves(nodes) if isinstance(leaf, Literal) for word in leaf.words)


_BRACKETS = ("[", "]", "(", ")+")


@cache
def _parse_patterns(patterns: tuple[str, ...]) -> tuple[Pattern, ...]:
    return tuple(map(_parse_pattern, patterns))


def _parse_pattern(text: str) -> Pattern:
    nodes = _parse_nodes(text)
    needed = [each for node in nodes for each in (node.nodes if isinstance(node, Repeated) else (node,))]
    needed = [each for each in needed if not isinstance(each, Optional)]
    leaves = [*_leaves(nodes)]
    slots = [each for each in needed if isinstance(each, FormSlot)]
    return Pattern(
        nodes,
        tuple(flat(nodes)),
        free=any(
            each.between == "=" if isinstance(each, Pair) else each.kind in FREE
            for each in leaves
            if not isinstance(each, Literal)
        ),
        least=sum(not (isinstance(each, FormSlot) and each.kind == "sheet") for each in needed),
        words=tuple(frozenset(each.words) for each in needed if isinstance(each, Literal)),
        marks=tuple((each.prefix, each.suffix) for each in slots if each.prefix or each.suffix),
        thrown=any(each.kind in THROWN and not (each.prefix or each.suffix) for each in slots),
        most=len(leaves)
        if all(not isinstance(each, FormSlot) or each.kind in ALONE for each in leaves)
        and not isinstance(nodes[-1], Repeated)
        else 0,
        dice=any(each.kind == "dice" and not (each.prefix or each.suffix) for each in slots),
        pair=isinstance(leaves[0], Pair) and not isinstance(nodes[0], Optional),
    )


def _leaves(nodes: Iterable[Node]) -> Iterator[Literal | FormSlot | Pair]:
    """Yield the words, slots and pairs of a pattern."""
    for node in nodes:
        if isinstance(node, Optional | Repeated):
            yield from _leaves(node.nodes)
        else:
            yield node


def flat(nodes: Iterable[Node]) -> Iterator[FormSlot]:
    """Yield the slots of a pattern."""
    for leaf in _leaves(nodes):
        if isinstance(leaf, Pair):
            yield from (leaf.first, leaf.second)
        elif isinstance(leaf, FormSlot):
            yield leaf


@cache
def _parse_nodes(pattern: str) -> tuple[Node, ...]:
    for bracket in _BRACKETS:
        pattern = pattern.replace(bracket, f" {bracket} ")
    stack: list[list[Node]] = [[]]
    for piece in pattern.split():
        if piece in ("[", "("):
            stack.append([])
        elif piece in ("]", ")+"):
            nodes = tuple(stack.pop())
            stack[-1].append(Optional(nodes) if piece == "]" else Repeated(nodes))
        else:
            stack[-1].append(_parse_node(piece))
    (only,) = stack
    return tuple(only)


@cache
def _first_node(pattern: str) -> Node:
    """Return the first node of a pattern; one without brackets ends at the first blank."""
    piece = pattern.partition(" ")[0]
    return _parse_nodes(pattern)[0] if "[" in piece or "(" in piece else _parse_node(piece)


def _parse_node(piece: str) -> Node:
    match piece.replace("}", "{").split("{"):
        case [prefix, slot, suffix]:
            return FormSlot(*_slot_parts(slot), prefix, suffix)
        case ["", one, between, other, ""]:
            return Pair(FormSlot(*_slot_parts(one)), between, FormSlot(*_slot_parts(other)))
    return Literal(tuple(piece.split("|")))


def _slot_parts(slot: str) -> tuple[str, str]:
    """Return name and kind of a slot; without a kind, its name is its kind."""
    name, _, kind = slot.partition(":")
    return name, kind or name
