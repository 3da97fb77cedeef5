"""Who is meant: by which tokens of a sentence combatants, sides, kinds and pronouns are named, alone and in lists."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from msgspec import Struct

from projections.language.lexer import Token, behind_number
from projections.language.notation import names
from projections.language.notation.names import folded
from projections.language.table import NUMBERS
from projections.state import State
from projections.stream.names import singular_of


class Who(Struct, frozen=True):
    """The combatants that some words name: ids, or a pronoun that its clause resolves; a side, if that was named."""

    ids: tuple[str, ...] = ()
    refers: str = ""
    """subject, object or self, for a pronoun."""
    side: str = ""
    kind: bool = False
    """Whether a kind was named, and not each of them: the bats."""


Named = tuple[int, Who]
"""The place behind a name, and whom it names."""
EVERYBODY = "all"
"""The side of words such as everybody."""
_PRONOUNS = {
    **dict.fromkeys(("he", "she", "they", "it"), "subject"),
    **dict.fromkeys(("him", "her", "them"), "object"),
    **dict.fromkeys(("himself", "herself", "itself", "themselves", "self"), "self"),
}
_BEHIND_OBJECT = re.compile(
    "and|for|with|but|then|to|in|on|at|by|from|down|prone|again|out|back|off|up|is|who|which|twice|once|hard|dead|unconscious"
)
"""Words before which `her` is a pronoun and no possessive."""
_ALL = frozenset(["both", "all", "the", "whole", "every", "each", "entire", "remaining", "other"])
_SIDES = {
    **dict.fromkeys(("party", "pcs", "heroes", "players"), "party"),
    **dict.fromkeys(("foes", "enemies", "monsters", "baddies"), "foes"),
}
_AND = frozenset(("and", "&", "+", "/"))
_WHOLE_WORDS = frozenset(("a", "i"))
"""Letters that are words of their own; any other may be an initial."""
_LONGEST = 4
"""The most words of a name."""
_RANGE = 20
"""The most combatants of a range of numbers."""


class Names:
    """The names of a fight. Words of the vocabulary are names only as whole words of a name."""

    def __init__(self, state: State, vocabulary: frozenset[str]) -> None:
        self.state, self.vocabulary = state, vocabulary
        self.here = [one.id for one in state.here()]
        self._single: dict[str, tuple[str, ...]] = {}

    def names_at_places(self, tokens: Sequence[Token]) -> list[list[Named]]:
        """Return, for each place, whom the words that begin there can name."""
        found = [list(self._single_names(tokens, at)) for at in range(len(tokens))]
        for at in reversed(range(len(tokens))):
            for end, who in list(found[at]):
                if not (who.refers or who.side):
                    found[at] += self._listed(tokens, end, who, found)
        return found

    def side_of(self, who: Who) -> str:
        """Return the side of these combatants; "" if they are on several, or on none."""
        sides = {self.state.combatants[each].side for each in who.ids}
        return who.side if who.side not in ("", EVERYBODY) else (sides.pop() or "") if len(sides) == 1 else ""

    def is_name(self, word: str) -> bool:
        """Say whether a word is a whole word of a name in the fight."""
        return folded(word) in self._words_of_names

    @cached_property
    def _words_of_names(self) -> frozenset[str]:
        spelt = (each for who in self.here for each in (who, folded(self.state.combatants[who].name or who)))
        return frozenset(part for each in spelt for part in (each, *each.split("-")) if not part.isdigit())

    @cached_property
    def _members_by_kind(self) -> dict[str, list[str]]:
        """The combatants with a number, by their names without it."""
        found: dict[str, list[str]] = {}
        for who in self.here:
            if match := re.fullmatch(r"(.+)-\d+", who):
                found.setdefault(match[1], []).append(who)
        return found

    def _listed(self, tokens: Sequence[Token], end: int, who: Who, found: Sequence[Sequence[Named]]) -> Iterator[Named]:
        """Yield the lists that begin with a name: A, B and C; A B C of one side."""

        def joined(more: Who) -> Who | None:
            twice = set(more.ids) & set(who.ids)
            return None if more.refers or more.side or not more.ids or twice else Who(who.ids + more.ids)

        if end >= len(tokens):
            return
        for far, more in found[end]:
            both = joined(more)
            if both and tokens[end].kind == "word" and self.side_of(both):
                yield far, both
        mark = tokens[end].word
        for start in (end + 1, end + 2) if mark in _AND or mark == "," else ():
            if start >= len(tokens) or (start == end + 2 and tokens[end + 1].word not in ("the", "both", "and", "a")):
                return
            for far, more in found[start]:
                both = joined(more)
                if both and (mark != "," or any(each.word in _AND for each in tokens[end:far])):
                    yield far, both

    def _single_names(self, tokens: Sequence[Token], at: int) -> Iterator[Named]:
        """Yield whom the words from a place on name without a list."""
        word = tokens[at].word
        if word == '"':
            yield from self._quoted_names(tokens, at)
        if tokens[at].kind != "word":
            return
        if word in _PRONOUNS:
            yield from self._pronouns_at(tokens, at)
            return
        if word in ("everyone", "everybody"):
            yield at + 1, Who(tuple(self.here), side=EVERYBODY)
        if word in _ALL:
            behind = self._single_names(tokens, at + 1) if at + 1 < len(tokens) else ()
            yield from ((end, who) for end, who in behind if len(who.ids) > 1 or who.side)
            return
        numbers, _ = self._numbers_at(tokens, at + 1)
        if (side := self._members_of_side(word)) and not (
            len(numbers) > 1 and all(self._combatant_numbered(word, each) for each in numbers)
        ):
            yield at + 1, Who(tuple(one.id for one in self.state.here() if one.side == side), side=side)
        for length in range(_LONGEST, 0, -1):
            yield from self._names_of_length(tokens, at, length)

    def _quoted_names(self, tokens: Sequence[Token], at: int) -> Iterator[Named]:
        """Yield whom a whole name in quotation marks names."""
        end = next((end for end in range(at + 1, len(tokens)) if tokens[end].word == '"'), at)
        whom = names.exact_matches(self.state, "-".join(each.word for each in tokens[at + 1 : end]))
        if len(whom) == 1:
            yield end + 1, Who(tuple(whom))

    def _pronouns_at(self, tokens: Sequence[Token], at: int) -> Iterator[Named]:
        word, behind = tokens[at].word, tokens[at + 1] if at + 1 < len(tokens) else None
        if word == "her" and behind and behind.kind == "word" and not _BEHIND_OBJECT.fullmatch(behind.word):
            return
        yield at + 1, Who(refers=_PRONOUNS[word])
        if word == "it":
            yield at + 1, Who(refers="object")

    def _members_of_side(self, word: str) -> str:
        sides, side = {one.side for one in self.state.here()}, folded(word)
        return next((each for each in (side, _SIDES.get(side, "")) if each in sides), "")

    def _names_of_length(self, tokens: Sequence[Token], at: int, length: int) -> Iterator[Named]:
        """Yield whom so many words name, with the numbers behind them."""
        words, end = tokens[at : at + length], at + length
        if len(words) < length or any(each.kind != "word" for each in words):
            return
        if any(self._is_reserved(each) for each in words) or (length > 1 and not self.is_name(words[0].word)):
            return
        text = "-".join(each.word for each in words)
        numbers, last = self._numbers_at(tokens, end)
        ids = tuple(self._combatant_numbered(text, number) for number in numbers)
        if ids and all(ids):
            yield last, Who(ids)
        first = end + 1 + (tokens[min(end, len(tokens) - 1)].kind == "mark")
        if len(ids) > 1 and ids[0] and number_at(tokens, first) is not None:  # orc 1 17 may be a name and a roll
            yield first, Who(ids[:1])
        if any(ids[:1]):
            return
        if behind_number(tokens, end) > end:  # orc-9 is nobody, where there is no ninth, and not a roll of the orc
            return
        single = self._combatants_called(text)
        whole = (single[0], folded(self.state.combatants[single[0]].name or "")) if single else ()
        if len(single) == 1 and (length == 1 or folded(text) in whole):
            yield end, Who(single)
        elif many := self._members_of_plural(text):
            yield end, Who(many, kind=True)

    def _is_reserved(self, token: Token) -> bool:
        is_initials = (len(token.text) == 2 and token.text.isupper()) or (
            len(token.word) == 1 and token.word not in _WHOLE_WORDS
        )
        return token.word in self.vocabulary and not self.is_name(token.word) and not is_initials

    def _combatants_called(self, text: str) -> tuple[str, ...]:
        if text not in self._single:
            self._single[text] = tuple(names.combatants(self.state, text))
        return self._single[text]

    def _kind(self, word: str) -> tuple[str, ...]:
        """Return those of the kind that a word names: exactly, by a part, or by the beginning of its name."""
        word = folded(word)
        tests: tuple[Callable[[str], bool], ...] = (
            lambda kind: word == kind,
            lambda kind: word in kind.split("-"),
            lambda kind: len(word) > 1 and any(part.startswith(word) for part in kind.split("-")),
        )
        for test in tests:
            found = [kind for kind in self._members_by_kind if test(kind)]
            if len(found) == 1:
                return tuple(self._members_by_kind[found[0]])
        return ()

    def _members_of_plural(self, word: str) -> tuple[str, ...]:
        """Return those of a kind in the plural; a tracker's GO are all goblins."""
        if word in self._members_by_kind:
            return ()
        one = singular_of(word)
        if word.isalpha() and len(word) == 2 and not one:
            return self._kind(word)
        for each in filter(None, (one, word.removesuffix("s") if word.endswith("s") else "")):
            if many := self._kind(each):
                return many
        return ()

    def _combatant_numbered(self, text: str, number: int) -> str:
        """Return the combatant of a kind with this number; "" if there is none."""
        singular = singular_of(text) or text.removesuffix("s")
        for each in (text, singular):
            if each and len(found := self._combatants_called(f"{each}-{number}")) == 1:
                return found[0]
        own = [each for each in (self._kind(text) or self._kind(singular)) if each.endswith(f"-{number}")]
        return own[0] if len(own) == 1 else ""

    def _numbers_at(self, tokens: Sequence[Token], at: int) -> tuple[list[int], int]:
        """Return the numbers behind the name of a kind, and the place behind them: 2; 1-3; 1, 2 and 3; 3 to 6."""
        if at < len(tokens) and tokens[at].text in ("-", "#") and tokens[at].start == tokens[at - 1].end:
            at += 1
        first = number_at(tokens, at)
        if first is None:
            return [], at
        found, end = [first], at + 1
        while end < len(tokens) and tokens[end].kind != "square":
            mark, behind = tokens[end].word, number_at(tokens, end + 1)
            listed = any(each.word in ("and", "&") for each in tokens[end + 1 : end + 4])  # a list ends with `and`
            if mark in ("-", "to", "thru", "–") and behind is not None and 0 < behind - found[-1] < _RANGE:
                found += range(found[-1] + 1, behind + 1)
            elif behind is not None and (mark in _AND or (mark == "," and listed)):
                found.append(behind)
            elif number_at(tokens, end) == found[-1] + 1:
                found.append(found[-1] + 1)
                end -= 1
            else:
                break
            end += 2
        return found, end


def number_at(tokens: Sequence[Token], at: int) -> int | None:
    """Return the whole number at a place, in digits or as a word; None if there is none."""
    if at >= len(tokens):
        return None
    token = tokens[at]
    if token.kind == "number":
        return token.number.total if token.text.isdigit() else None
    return NUMBERS.get(token.word)
