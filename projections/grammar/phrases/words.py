"""The words of a line as people type it: numbers apart from their units, marks apart from words, nothing else changed."""

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from projections.grammar.forms import Forms, literals
from projections.grammar.several_tokens import OPTION

MARKS = frozenset({",", ":", "=", "-", "+", "//", "'s"})
"""Marks that are words of their own."""
DASHES = frozenset({"–", "—", "--"})
SKIPPED_MARKS = frozenset({",", ":", "'s"}) | DASHES
_QUOTED = r'"([^"]*)"|“([^“”]*)”|„([^„“”]*)[“”]'
_PIECE = rf"{_QUOTED}|\S+"
_ARROWS = frozenset({"->", "=>", "→", ">", "-t", "|"})
_LISTING = r"[a-z][a-z0-9_]*=[^=]*"
"""An option whose value may be a list, spells=bless,shield."""
_NUMBERS = r"-?\d+(,-?\d+)+"
_SHOWN_DICE = r"-?\d*d(\d+|%)(k[hl]\d+)?:[\dx]+(,[\dx]+)*([+-]\d+)?"
_NUMBER_UNIT = r"([+-]?\d+)(?P<unit>[a-z]+)"
_UNIT_NUMBER = r"(?P<unit>[a-z]+)([+-]?\d+)"
_LOOSE = {"&": "and", "but": "and", "w/": "with", "@": "at"}


class Word(Struct, frozen=True, gc=False):
    """A word of a line: as it is compared, as it was typed, where it begins and ends, and whether it was quoted."""

    text: str
    typed: str
    start: int
    end: int
    quoted: bool = False


class Lexicon(Struct, frozen=True):
    """The words that the phrases of a ruleset know."""

    literal: frozenset[str]
    filler: frozenset[str]
    sorts: dict[str, frozenset[str]]
    means: dict[str, dict[str, str]]

    def knows(self, text: str) -> bool:
        """Say whether a word stands in a pattern, or in one of the lists."""
        sorts = (*self.sorts.values(), *self.means.values())
        return text in self.literal or text in self.filler or any(text in each for each in sorts)

    def has(self, sort: str, text: str) -> bool:
        """Say whether a text is a word of this sort, or means one."""
        return text in self.sorts.get(sort, ()) or text in self.means.get(sort, ())

    def meant(self, sort: str, text: str) -> str:
        """Return the word of this sort that a text stands for."""
        return self.means.get(sort, {}).get(text, text)


def lexicon(table: Forms) -> Lexicon:
    """Return the words of a table."""
    literal = frozenset(word for phrase in table.phrase for nodes in phrase.nodes for word in literals(nodes))
    sorts = {sort: frozenset(words) for sort, words in table.words.items()}
    return Lexicon(
        literal | frozenset(table.means.get("unit", ())), sorts.get("filler", frozenset()), sorts, table.means
    )


def words_of(line: str, lexis: Lexicon, is_name: Callable[[str], bool]) -> list[Word]:
    """Return the words of a line; `is_name` says whether a word as it stands is a combatant's name."""
    found: list[Word] = []
    for said, short in lexis.means.get("phrase", {}).items():
        line = re.sub(rf"(?i)\b{said}\b", short.ljust(len(said)), line)
    line = re.sub(r"(?i)\b(\d+)-(foot|feet|ft)\b", r"\1 \2", line)
    for match in re.finditer(_PIECE, line):
        quoted = next((each for each in match.groups() if each is not None), None)
        if quoted is not None:
            found.append(Word(quoted.casefold(), quoted, match.start(), match.end(), quoted=True))
        else:
            found += _unmarked(match[0], match.start(), lexis, is_name)
    return found


def _unmarked(piece: str, start: int, lexis: Lexicon, is_name: Callable[[str], bool]) -> Iterator[Word]:
    """Yield the words of a piece between blanks, without the marks around them."""
    if piece.casefold() in _ARROWS:
        return
    if piece in MARKS or piece in DASHES or piece.casefold() in _LOOSE:
        yield Word(_LOOSE.get(piece.casefold(), piece), piece, start, start + len(piece))
        return
    if piece.startswith("//"):
        yield Word("//", "//", start, start + 2)
    piece = re.sub(r"^\[(\d+)\](?=[,:;.]*$)", r" \1 ", piece)
    before = re.match(r"[!/( ]*", piece)
    assert before is not None  # noqa: S101 – it may be empty
    piece, start = piece[before.end() :], start + before.end()
    core = re.sub(r"(?i)(?<=[a-z]s)['’]$", "", piece.rstrip(",:;.!?) "))
    yield from _core(core, start, lexis, is_name)
    for place, mark in enumerate(piece[len(core) :], start + len(core)):
        if mark in SKIPPED_MARKS:
            yield Word(mark, mark, place, place + 1)


def _core(core: str, start: int, lexis: Lexicon, is_name: Callable[[str], bool]) -> Iterator[Word]:
    """Yield the words of a piece without blanks: of a list with commas each, of a number and its unit both."""
    text = core.casefold().replace("’", "'")
    is_whole = re.fullmatch(rf"{_NUMBERS}|{_SHOWN_DICE}|{_LISTING}", text) or is_name(text)
    if "," in text and not is_whole:
        for match in re.finditer(r"[^,]+|,", core):
            place = start + match.start()
            yield from (
                _core(match[0], place, lexis, is_name) if match[0] != "," else (Word(",", ",", place, place + 1),)
            )
        return
    text = text if is_name(text) else lexis.meant("number", text)
    place = 0 if is_name(text) or re.fullmatch(OPTION, text) else _division(text, lexis)
    if text:
        yield Word(text[:place] or text, core[:place] or core, start, start + (place or len(core)))
    if place:
        yield from _core(core[place:], start + place, lexis, is_name)


def _division(text: str, lexis: Lexicon) -> int:
    """Return where a word ends within a piece, 0 if it is all one word."""
    if text.endswith("'s") and len(text) > len("'s"):
        return len(text) - len("'s")
    if re.fullmatch(r"[-+][a-z]+", text):
        return 1
    if re.fullmatch(r"d\d+", text):
        return 0  # a die, or a slot
    for pattern in (_NUMBER_UNIT, _UNIT_NUMBER):
        match = re.fullmatch(pattern, text)
        if match and (lexis.knows(match["unit"]) or match["unit"] == "x"):
            return match.end(1)
    return 0
