"""Spelling: the words of a line that have one slip of the finger, and the line as it is meant."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise

from msgspec import Struct

from eventstore.form import closest
from eventstore.paths import AnyPath
from projections.grammar import forms, line_context, names
from projections.grammar.forms import literals
from projections.grammar.line_context import LineContext
from projections.grammar.tokens import is_slip
from projections.reader.dictionary import Sense
from projections.reader.lexicon import lexicon
from projections.reader.tags import Item

SHORTEST_CLEAR = 7
"""The fewest letters of a word that is meant beyond doubt by one with a slip: few words of English differ from so long a one by one letter within it."""
SHORTEST_TYPED, SHORTEST_MEANT = 5, 4
"""The fewest letters of a word with a slip that is respelt at once, and of words that are compared at all."""
SHORTEST_BEGINNING = 3
"""The fewest letters with which each word of a spell's name can begin that is not written out."""
_WITHOUT_DEED = frozenset(
    (
        "ammunition",
        "adverb",
        "concentration",
        "condition",
        "cure",
        "damage",
        "feature",
        "filler",
        "initiative",
        "item",
        "oneself",
        "points",
        "save_kind",
        "spell",
        "surprised",
        "temporary",
        "thing",
        "towards",
        "type",
        "unit",
        "until",
        "weapon",
    )
)
"""The kinds of words that tell no deed and no outcome, but with what, of which sort, or how."""


class Respelt(Struct, frozen=True):
    """A line with the right spelling of its words, and whether each of them is meant beyond doubt."""

    line: str
    is_clear: bool


def ways(context: LineContext, items: Sequence[Item], line: str) -> Iterator[Respelt]:
    """Yield the line with the right spelling of its words that have a slip, the likeliest first: gob is suprised, ana atacks gob; nothing without such words."""
    rules = context.state.rules.rules
    kept = words_of_forms(rules) | line_context.kinds(context.state)
    short = [*_shortened(rules, items)]
    whole = [(one.start, other.end, name) for one, other, name in short]
    rest = [at for at, item in enumerate(items) if not any(start <= item.start < end for start, end, _ in whole)]
    near = [(items[at], found) for at in rest if (found := _meant(context, items, at, kept))]
    clear = [(item, found) for item, found in near if _is_clear(rules, items, item, found[0])]
    if (clear or whole) and len(clear) < len(near):
        said = ((item.start, item.end, found[0]) for item, found in clear)
        yield Respelt(with_words(line, (*whole, *said)), is_clear=True)
    for way in range(min(max((len(found) for _, found in near), default=int(bool(whole))), 2)):
        words = ((item.start, item.end, found[min(way, len(found) - 1)]) for item, found in near)
        yield Respelt(with_words(line, (*whole, *words)), is_clear=way == 0 and len(clear) == len(near))


def _shortened(rules: AnyPath, items: Sequence[Item]) -> Iterator[tuple[Item, Item, str]]:
    """Yield the first and last of several words that are the beginnings of those of a single spell, and its name: heal word, sac flame."""
    for one, other in pairwise(items):
        both = (one, other)
        if any(item.kind != "word" or item.who for item in both):
            continue
        if one.senses and other.senses:
            continue
        if name := _begun(rules, (one.text, other.text)):
            yield one, other, name


def _begun(rules: AnyPath, words: Sequence[str]) -> str:
    """Return the name of the only spell with so many words that begin like these; "" for none, or several."""
    if not all(len(each) >= SHORTEST_BEGINNING for each in words):
        return ""
    found = [each for each in _spells(rules) if len(each) == len(words) and all(map(str.startswith, each, words))]
    return " ".join(found[0]) if len(found) == 1 else ""


def _meant(context: LineContext, items: Sequence[Item], at: int, kept: frozenset[str]) -> list[str]:
    """Return the words that an item may be meant to be, if it has a slip."""
    item = items[at]
    if item.kind != "word" or item.who is not None or not item.text.isalpha() or item.text in kept:
        return []
    if meant := item.value("misspelt"):
        return [meant]
    guessed = item.is_("type") and not lexicon(context.state.rules.rules).senses(item.text)  # 5 fier damage
    if (len(item.text) < SHORTEST_TYPED or item.senses) and not guessed:
        return []
    if item.typed[:1].isupper() and at > 0:
        return []
    verbs = may_be_a_verb(items, item)
    return nearest_words(context, item.typed, verbs=verbs)


def may_be_a_verb(items: Sequence[Item], item: Item) -> bool:
    """Say whether a verb may stand at the place of a word: at the beginning, after a name, after "and"."""
    before = items[items.index(item) - 1] if items[0] is not item else None
    return before is None or before.who is not None or before.is_("and", "next", "will") or before.kind == "mark"


def _is_clear(rules: AnyPath, items: Sequence[Item], item: Item, meant: str) -> bool:
    """Say whether only one long word can be meant, which tells no deed, unless it is a state or a spell in its place: a letter within it is missing, double, or exchanged with the next."""
    typed, before = item.text, items[max(items.index(item) - 1, 0)]
    if not _is_within(typed, meant) or any(
        other != meant and _is_within(typed, other) for other in _slips(rules, typed)
    ):
        return False
    senses = lexicon(rules).senses(meant)
    kinds = {sense.kind for sense in senses}
    if ("condition" in kinds and before.is_("become", "not")) or ("spell" in kinds and before.is_verb("cast")):
        return True
    if not senses:
        return any(meant in spell and _stands(spell, items, item) for spell in _spells(rules))
    return all(sense.kind in _WITHOUT_DEED and not sense.is_verb for sense in senses)


def _is_within(typed: str, meant: str) -> bool:
    """Say whether a long word is typed with a slip within it that replaces no letter."""
    same = typed[:1] == meant[:1] and typed[-1:] == meant[-1:]
    return same and len(meant) >= SHORTEST_CLEAR and not _is_replaced(typed, meant)


def _stands(spell: tuple[str, ...], items: Sequence[Item], item: Item) -> bool:
    """Say whether the other words of a spell's name stand around a word."""
    place, text = items.index(item), [each.text for each in items]
    begins = range(max(place - len(spell) + 1, 0), place + 1)
    return any(
        sum(one != other for one, other in zip(spell, text[at : at + len(spell)], strict=False)) == 1
        and len(text[at : at + len(spell)]) == len(spell)
        for at in begins
    )


# ---------------------------------------------------------------- words


def nearest_words(context: LineContext, typed: str, *, verbs: bool = True) -> list[str]:
    """Return the words of which a typed one may be a misspelling: names of those in the fight, words of the forms, of
    the lexicon, in this order; without `verbs`, no word that is only a verb.
    """
    word, state = typed.casefold(), context.state
    rules = state.rules.rules
    own = words_of_forms(rules) | line_context.kinds(state)
    if word in own or lexicon(rules).senses(word) or names.combatants(state, typed):
        return []
    here = {
        name: one.id for one in state.here() for name in (one.id, names.folded(one.name), one.id.rstrip("-0123456789"))
    }
    if close := dict.fromkeys(who for name, who in here.items() if is_slip(names.folded(typed), name)):
        return [*close]
    known = lexicon(rules)
    near = [each for each in _slips(rules, word) if verbs or not _is_verb_alone(known.senses(each))]
    ranked = sorted(near, key=lambda each: (each not in own, _is_replaced(word, each), each[-1:] != word[-1:], each))
    return ranked or [found for found in [closest(word, here, 0.8)] if found]


def _is_verb_alone(senses: Sequence[Sense]) -> bool:
    """Say whether a word is a verb and nothing else; a word of a spell's name alone has no meaning."""
    return bool(senses) and all(sense.is_verb for sense in senses)


def _slips(rules: AnyPath, word: str) -> list[str]:
    """Return the words of a game that a typed word is with one slip; the first letter is right, or exchanged with the second."""
    if len(word) < SHORTEST_MEANT:
        return []
    words = _by_letter(rules)
    known = {*words.get(word[:1], ()), *words.get(word[1:2], ())}
    return [each for each in known if abs(len(each) - len(word)) < 2 and is_slip(word, each)]


def _is_replaced(one: str, other: str) -> bool:
    """Say whether one letter of a word is replaced, which is rarer than one that is left out, or two in the wrong order."""
    return len(one) == len(other) and sorted(one) != sorted(other)


@cache
def _by_letter(rules: AnyPath) -> dict[str, list[str]]:
    """Return the words of a game's forms and lexicon by their first letters."""
    found: dict[str, list[str]] = {}
    spells = (word for each in _spells(rules) for word in each)
    for word in {*words_of_forms(rules), *spells, *(each for each in lexicon(rules).known() if " " not in each)}:
        if len(word) >= SHORTEST_MEANT:
            found.setdefault(word[0], []).append(word)
    return found


@cache
def _spells(rules: AnyPath) -> tuple[tuple[str, ...], ...]:
    """Return the words of each of a game's spells whose names have several."""
    known = lexicon(rules)
    names_ = (each for each in known.known() if " " in each)
    return tuple(
        tuple(each.split()) for each in names_ if any(sense.kind in ("spell", "cure") for sense in known.senses(each))
    )


def mistyped(rules: AnyPath, word: str, kind: str) -> bool:
    """Say whether a word that the lexicon does not know is one of this kind with a letter too many, too few, or exchanged: fier, of damage."""
    known, text = lexicon(rules), word.casefold()
    if known.senses(text) or not text.isalpha() or (len(text) <= SHORTEST_MEANT and kind != "type"):
        return False
    near = (each for each in _slips(rules, text) if not _is_replaced(text, each))
    return any(sense.kind == kind for each in near for sense in known.senses(each))


def mistyped_spell(rules: AnyPath, name: str) -> bool:
    """Say whether the name of a spell in several words is a known one with a slip, and no plural of it, or the beginnings of one: eldrich blast, guid bolt, and not: magic missiles."""
    typed = " ".join(name.casefold().split())
    if " " not in typed or lexicon(rules).senses(typed):
        return False
    known = [" ".join(each) for each in _spells(rules)]
    plain = typed not in known and typed.removesuffix("s") not in known
    return plain and (any(is_slip(typed, each) for each in known) or _begun(rules, typed.split()) != "")


@cache
def words_of_forms(rules: AnyPath) -> frozenset[str]:
    """Return the fixed words in a game's lines."""
    return frozenset(word for form in forms.of(rules).form for nodes in form.nodes for word in literals(nodes))


def with_words(line: str, words: Iterable[tuple[int, int, str]]) -> str:
    """Return a line with other words at some places."""
    for start, end, word in sorted(words, reverse=True):
        line = f"{line[:start]}{word}{line[end:]}"
    return line.strip()
