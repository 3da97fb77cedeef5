"""A line as the chart reads it: its tokens, whom and what they can name, and which of them may be passed over."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import structs

from eventstore.wording import closest_word
from projections.language.lexer import Token, behind_number
from projections.language.names import Named, Names, Who, number_at
from projections.language.notation import names
from projections.language.scene import Scene

CUES = {
    "weapon": ("with", "strike", "shoot"),
    "spell": ("cast",),
    "condition": ("become", "fall", "knock"),
    "deed": ("use",),
}
"""The classes of words that announce a thing of a sort, which has a name in quotation marks, or for offers an unknown word."""
_JOINT = re.compile(r"(?<=\S)[-&+*=|]\S")
"""A mark that is written to what stands on both sides of it, and ends no clause: bandit*-1."""
_LONGEST_NAME = 4
_LEADING = frozenset(("the", "a", "an", "his", "her", "its", "their", "please", "just"))
"""Fillers that stand before another word, and so before no connective."""


class Line:
    """The tokens of one line in a scene; a word that was taught is read as the one that it means. For offers alone, tokens may be passed over at `loose` places,
    a word may be a thing at `guessed` ones, and `means` has words for places.
    """

    def __init__(
        self,
        scene: Scene,
        tokens: Sequence[Token],
        text: str,
        loose: frozenset[int] = frozenset(),
        guessed: frozenset[int] = frozenset(),
        means: Mapping[int, str] = {},
    ) -> None:
        self.scene, self.table, self.text, self.loose = scene, scene.table, text, loose
        self.tokens = tokens = [
            structs.replace(
                each,
                word=means.get(at) or scene.words_taught.get(each.word, (each.word,))[0],
                kind="id" if each.text in scene.state.combatants and each.kind == "number" else each.kind,
            )
            for at, each in enumerate(tokens)
        ]
        self.who: list[list[Named]] = Names(scene.state, self.table.vocabulary).names_at_places(tokens)
        self.classes = [self._classes_at(at) for at in range(len(tokens))]
        self.guesses = bool(guessed)
        for at in guessed:
            self._guess_word(at)
        self.start = self._opening_end()

    def is_passed(self, at: int) -> bool:
        """Say whether the token at a place is a filler, or may be passed over; `her` is none where it can be a pronoun."""
        if at >= len(self.tokens):
            return False
        word = self.tokens[at].word
        numbers = {number_at(self.tokens, max(at - 1, 0)), number_at(self.tokens, at + 2)}
        divides = self.is_between(at + 1) and (word in _LEADING or None not in numbers)  # orc 1 too and 2
        is_filler = word in self.table.fillers and not divides
        return at in self.loose or (is_filler and not self.who[at])

    def is_between(self, at: int) -> bool:
        """Say whether the token at a place is a connective."""
        is_one = at < len(self.tokens) and self.tokens[at].word in self.table.connectives
        return is_one and not _JOINT.match(self.text, self.tokens[at].start)

    def places(self, at: int) -> Iterator[int]:
        """Yield a place, and those behind fillers."""
        yield at
        while self.is_passed(at):
            at += 1
            yield at

    def next_place(self, at: int) -> int:
        """Return the place behind connectives and fillers."""
        while self.is_between(at) or self.is_passed(at):
            at += 1
        return at

    def words(self, at: int, end: int) -> str:
        """Return the words from a place to another, with single blanks."""
        return " ".join(each.text for each in self.tokens[at:end])

    def text_between(self, at: int, end: int) -> str:
        """Return the line from a place to another, as it was typed."""
        return self.text[self.tokens[at].start : self.tokens[end - 1].end]

    def unknown_words(self) -> list[int]:
        """Return the places of words, marks and unrolled dice that no row and no name has."""
        return [at for at in range(len(self.tokens)) if self.is_unknown(at)]

    def is_unknown(self, at: int) -> bool:
        """Say whether no row and no name has the word at a place."""
        token = self.tokens[at]
        if token.kind not in ("word", "mark", "dice") or token.word in self.table.vocabulary:
            return False
        return not (self.who[at] or self.classes[at] or self._is_named(at))

    def is_counted(self, at: int) -> bool:
        """Say whether no row has the word at a place, and a number before it counts what it names: one knee."""
        return at > 0 and self.is_unknown(at) and number_at(self.tokens, at - 1) is not None

    def _is_named(self, at: int) -> bool:
        """Say whether a thing of the fight has a name with the word at this place."""
        starts = range(max(0, at - _LONGEST_NAME + 1), at + 1)
        return any(
            end > at
            for sort in ("weapon", "spell", "effect", "condition", "deed")
            for start in starts
            for end, _ in self.scene.things_at(sort, self.tokens, start)
        )

    def _classes_at(self, at: int) -> dict[str, list[tuple[int, str]]]:
        found: dict[str, list[tuple[int, str]]] = {}
        for words, sort, value in self.table.phrases.get(self.tokens[at].word, ()):
            if tuple(each.word for each in self.tokens[at : at + len(words)]) == words:
                found.setdefault(sort, []).append((at + len(words), value))
        return found

    def _guess_word(self, at: int) -> None:
        """Take an unknown word for a thing of each sort that is cued, one that it resembles if there is one, for an act behind a name, or for a name that it resembles."""
        if self.tokens[at].kind != "word":
            return
        for sort in CUES:
            if self.is_cued(sort, at) or (sort == "deed" and self.is_behind_name(at)):
                word = self.tokens[at].word
                self.classes[at].setdefault(sort, []).append(
                    (at + 1, closest_word(word, self.scene.names_of_sort(sort), 0.8) or word)
                )
        self.who[at] += [(end, Who((near,))) for end in (at + 1, at + 2) if (near := self.similar_combatant(at, end))]

    def similar_combatant(self, at: int, end: int) -> str:
        """Return the combatant whose name the words from a place to another resemble; "" if there is none."""
        return "" if behind_number(self.tokens, end) > end else names.near(self.scene.state, self.words(at, end))

    def is_cued(self, sort: str, at: int) -> bool:
        """Say whether the word before a place announces a thing of a sort."""
        return any(self._ends_before(at, each.get(cue, ())) for each in self.classes[:at] for cue in CUES.get(sort, ()))

    def is_behind_name(self, at: int) -> bool:
        """Say whether a name ends before a place."""
        return any(self._ends_before(at, each) for each in self.who[:at])

    def _ends_before(self, at: int, found: Iterable[tuple[int, object]]) -> bool:
        while at and self.tokens[at - 1].word in self.table.fillers and not self.who[at - 1]:
            at -= 1
        return any(end == at for end, _ in found)

    def _opening_end(self) -> int:
        """Return the place behind words that may begin a line and say nothing."""
        for words in self.table.openings:
            if tuple(each.word for each in self.tokens[: len(words)]) == words:
                return len(words)
        return 0
