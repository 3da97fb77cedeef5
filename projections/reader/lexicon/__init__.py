"""The lexicon: the meanings of words, by the tables of this folder and those of a ruleset (lexicon.toml beside its catalogue)."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from typing import NamedTuple

from eventstore.paths import AnyPath, beside
from projections.grammar.tokens import is_slip
from projections.open_types import Fields
from projections.reader.inflection import forms, uninflected
from projections.toml import copied, text_of

VERBS, CUES, STATES, NAMES, GERMAN = (
    beside(__file__, f"{each}.toml") for each in ("verbs", "cues", "states", "names", "german")
)
INFLECTED = beside(__file__, "inflected.toml")
ARTICLES = ("the", "a", "an")
_SAME = {
    "her": "his",
    "its": "his",
    "their": "his",
    "herself": "himself",
    "itself": "himself",
    "themselves": "himself",
    "’": "'",
}
"""Words that are interchangeable within a phrase."""
LONG_ENOUGH = 6
"""The fewest letters of a word that is recognized with one slip of the finger."""


SHORTEST = 4
"""The fewest letters that may stand for the whole name of a condition."""


class Sense(NamedTuple):
    """A meaning of a word: its table, and the entry there, or its plain form."""

    kind: str
    value: str
    is_verb: bool = False


Senses = dict[str, tuple[Sense, ...]]


class Lexicon:
    """The words of a game: the meanings of each, by itself and at the beginning of a phrase."""

    def __init__(self, entries: Iterable[tuple[str, Sense]]) -> None:
        self.single: dict[str, list[Sense]] = {}
        self.phrases: dict[str, dict[tuple[str, ...], list[Sense]]] = {}
        self.longest: dict[str, int] = {}
        for text, sense in entries:
            words = phrase(text)
            if len(words) == 1:
                found = self.single.setdefault(words[0], [])
            else:
                found = self.phrases.setdefault(words[0], {}).setdefault(words, [])
                self.longest[words[0]] = max(self.longest.get(words[0], 0), len(words))
            if sense not in found:
                found.append(sense)

    def senses(self, text: str) -> tuple[Sense, ...]:
        """Return the meanings of a word or phrase; none if it is unknown, or contains no word."""
        words = phrase(text)
        if not words:
            return ()
        if len(words) == 1:
            return tuple(self.single.get(words[0], ()))
        return tuple(self.phrases.get(words[0], {}).get(words, ()))

    def misspelt(self, text: str, *, verbs: bool) -> tuple[Sense, ...]:
        """Return the meanings of a state or a verb with one slip of the finger, marked as misspelt; none if the word is no such slip."""
        if len(text) < LONG_ENOUGH or not text.isalpha():
            return ()
        for word, senses, is_state in self._long.get(text[0], ()):
            if (is_state or verbs) and abs(len(word) - len(text)) < 2 and is_slip(text, word):
                return (*senses, Sense("misspelt", word))
        return ()

    @cached_property
    def _long(self) -> dict[str, list[tuple[str, list[Sense], bool]]]:
        """The states and verbs that are recognized with a slip, by their first letters."""
        found: dict[str, list[tuple[str, list[Sense], bool]]] = {}
        for word, senses in self.single.items():
            is_state = any(sense.kind == "condition" for sense in senses)
            if len(word) >= LONG_ENOUGH and (is_state or any(sense.is_verb for sense in senses)):
                found.setdefault(word[0], []).append((word, senses, is_state))
        return found

    def shortened(self, text: str) -> tuple[Sense, ...]:
        """Return the only condition that begins with a word: pois, para; nothing if there is none, or several.

        A word with a past participle of its own is no short form: trap does not mean trapped.
        """
        if len(text) < SHORTEST or not text.isalpha():
            return ()
        if any(each in self.single for each in (f"{text}ed", f"{text}{text[-1]}ed", f"{text}d")):
            return ()
        begun = (sense for word, senses in self.single.items() if word.startswith(text) for sense in senses)
        found = {sense.value for sense in begun if sense.kind == "condition"}
        return (Sense("condition", found.pop()),) if len(found) == 1 else ()

    def as_verb(self, words: list[str]) -> tuple[Sense, ...]:
        """Return the meanings of a spell or feature of several words with its first or last word inflected, and its
        listed name: guiding bolts, tolls the dead; nothing if it is none.
        """
        for place in (-1, 0):
            for plain in uninflected(words[place]):
                name = " ".join([*words[:place], plain] if place else [plain, *words[1:]])
                found = self.senses(name)
                if any(each.kind in ("spell", "feature", "cure") for each in found):
                    is_feature = any(each.kind == "feature" for each in found)
                    own = (each for each in found if not (is_feature and each.kind == "spell"))
                    return (*own, Sense("inflected", name))
        return ()

    def beginning(self, words: list[str]) -> Iterator[tuple[int, tuple[Sense, ...]]]:
        """Yield the phrases at the beginning of these words, the longest first, each with its number of words."""
        first = words[0]
        for length in range(min(self.longest.get(first, 0), len(words)), 1, -1):
            if found := self.phrases[first].get(tuple(words[:length])):
                yield length, tuple(found)


@cache
def phrase(text: str) -> tuple[str, ...]:
    """Return the words of a phrase in the form in which they are compared."""
    words = text.casefold().replace("’", "'").split()
    return tuple(_SAME.get(each, each) for each in words) if len(words) > 1 else tuple(words)


def _data(path: AnyPath) -> Fields:
    text = text_of(path)
    return copied(path, text, Fields) or tomllib.loads(text.decode())


def listed(text: str) -> list[str]:
    """Return the words of a list with commas."""
    return [word for each in re.split(r"[,\n]", text) if (word := each.strip())]


def _verbs(tables: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, Sense]]:
    irregular = _data(INFLECTED)
    past, doubled, single = irregular["past"], *(frozenset(irregular["doubled"][each]) for each in ("yes", "no"))
    for kind, table in tables.items():
        said = {verb: verb for verb in listed(table["verbs"])} if "verbs" in table else table
        for verb, value in said.items():
            for form in forms(verb, past, doubled, single):
                yield form, Sense(kind, value, is_verb=True)


def _cues(tables: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, Sense]]:
    for kind, table in tables.items():
        for value, words in table.items():
            for word in listed(words):
                yield word, Sense(kind, word if value == "words" else value)


def _dialect(tables: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, Sense]]:
    for word, kind in tables.get("verbs", {}).items():
        yield word, Sense(kind, word, is_verb=True)
    for word, kind in tables.get("cues", {}).items():
        yield word, Sense(kind, word)
    for word, state in tables.get("condition", {}).items():
        yield word, Sense("condition", state)


def _own(rules: AnyPath) -> Iterator[tuple[str, Sense]]:
    """Yield the words of a ruleset's own table, and of those that it names as `also`, by their folders."""
    path = beside(rules, "lexicon.toml")
    try:
        tables = _data(path)
    except FileNotFoundError:
        return
    yield from _verbs(tables.get("verbs", {}))
    yield from _cues(tables.get("cues", {}))
    for folder in tables.get("also", ()):
        yield from _own(beside(rules, f"../{folder}/rules.toml"))


@cache
def lexicon(rules: AnyPath | None = None) -> Lexicon:
    """Return the words common to all games and those of a ruleset, given the path of its table of rules; it is read once."""
    own = _own(rules) if rules is not None else ()
    return Lexicon(
        (
            *_verbs(_data(VERBS)),
            *_cues(_data(CUES)),
            *_cues(_data(STATES)),
            *_cues(_data(NAMES)),
            *_dialect(_data(GERMAN)),
            *own,
        )
    )
