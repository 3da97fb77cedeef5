"""The lexicon: the meanings of words, by the tables of this folder and those of a ruleset (lexicon.toml beside its catalogue)."""

from collections.abc import Iterator, Mapping
from functools import cache

import msgspec

from eventstore.paths import AnyPath, beside
from projections.grammar.tokens import is_slip
from projections.open_types import Fields
from projections.reader.dictionary import TABLES, Entry, Page, Sense, cues, dictionary, of_tables, phrase, verbs
from projections.reader.inflection import uninflected
from projections.toml import copied, loaded, text_of, without_copy

VERBS, CUES, STATES, NAMES, GERMAN, INFLECTED = (beside(__file__, f"{each}.toml") for each in TABLES)
ARTICLES = ("the", "a", "an")
POSSESSIVES = ("his", "her", "its", "their", "my")
LONG_ENOUGH = 6
"""The fewest letters of a word that is recognized with one slip of the finger."""


SHORTEST = 4
"""The fewest letters that may stand for the whole name of a condition."""


class Lexicon:
    """The words of a game: the pages of the dictionary that all games have, opened when a word on them is looked up, and the game's own."""

    def __init__(self, common: Mapping[str, msgspec.Raw], own: Mapping[str, Page]) -> None:
        self._common, self._own = common, own
        self._pages: dict[str, Page] = {}
        self._long: dict[str, list[tuple[str, list[Sense], bool]]] = {}

    def _page(self, word: str) -> Page:
        """Return the words that begin as a word does."""
        letter = word[0]
        if letter not in self._pages:
            page = msgspec.json.decode(self._common[letter], type=Page) if letter in self._common else {}
            for words, senses in self._own.get(letter, {}).items():
                found = page.setdefault(words, [])
                found += [each for each in senses if each not in found]
            self._pages[letter] = page
        return self._pages[letter]

    def known(self) -> Iterator[str]:
        """Yield every word and phrase."""
        for letter in {**self._common, **self._own}:
            yield from self._page(letter)

    def senses(self, text: str) -> tuple[Sense, ...]:
        """Return the meanings of a word or phrase; none if it is unknown, or contains no word."""
        words = phrase(text)
        return tuple(self._page(words).get(words, ())) if words else ()

    def misspelt(self, text: str, *, verbs: bool) -> tuple[Sense, ...]:
        """Return the meanings of a state, a damage type or a verb with one slip of the finger, marked as misspelt; none if the word is no such slip."""
        if len(text) < LONG_ENOUGH or not text.isalpha():
            return ()
        for word, senses, is_state in self._recognized(text[0]):
            if (is_state or verbs) and abs(len(word) - len(text)) < 2 and is_slip(text, word):
                return (*senses, Sense("misspelt", word))
        return ()

    def _recognized(self, letter: str) -> list[tuple[str, list[Sense], bool]]:
        """Return the states, damage types and verbs with this letter that are recognized with a slip; whether each is no verb."""
        if letter not in self._long:
            self._long[letter] = found = []
            for word, senses in self._page(letter).items():
                is_state = any(sense.kind in ("condition", "type") for sense in senses)
                if len(word) >= LONG_ENOUGH and " " not in word and (is_state or any(each.is_verb for each in senses)):
                    found.append((word, senses, is_state))
        return self._long[letter]

    def shortened(self, text: str) -> tuple[Sense, ...]:
        """Return the only condition that begins with a word: pois, para; nothing if there is none, or several.

        A word with a past participle of its own is no short form: trap does not mean trapped, nor blood bloodied.
        """
        if len(text) < SHORTEST or not text.isalpha():
            return ()
        page = self._page(text)
        if any(each in page for each in (f"{text}ed", f"{text}{text[-1]}ed", f"{text}d", f"{text}ied")):
            return ()
        begun = (each for word, senses in page.items() if word.startswith(text) and " " not in word for each in senses)
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


def _own(rules: AnyPath) -> Iterator[Entry]:
    """Yield the words of a ruleset's own table, and of those that it names as `also`, by their folders."""
    try:
        tables = loaded(beside(rules, "lexicon.toml"), Fields)
    except FileNotFoundError:
        return
    if "verbs" in tables:
        yield from verbs(tables["verbs"], loaded(INFLECTED, Fields))
    yield from cues(tables.get("cues", {}))
    for folder in tables.get("also", ()):
        yield from _own(beside(rules, f"../{folder}/rules.toml"))


@cache
def _common() -> dict[str, msgspec.Raw]:
    """Return the pages of the dictionary that all games have, by the copy that the build makes, if it made one."""
    texts = [text_of(beside(__file__, f"{each}.toml")) for each in TABLES]
    kept = copied(beside(__file__, "dictionary.toml"), b"".join(texts), dict[str, msgspec.Raw])
    if kept is not None:
        return kept
    made = msgspec.json.encode(of_tables(*map(without_copy, texts)))
    return msgspec.json.decode(made, type=dict[str, msgspec.Raw])


@cache
def lexicon(rules: AnyPath | None = None) -> Lexicon:
    """Return the words common to all games and those of a ruleset, given the path of its table of rules."""
    return Lexicon(_common(), dictionary(_own(rules) if rules is not None else ()))
