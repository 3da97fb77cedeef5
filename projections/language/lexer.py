"""Tokens of a sentence: words, numbers (a die with its bonus and their sum is one number), signed numbers, squares, marks."""

import re
from collections.abc import Sequence

from msgspec import Struct

from projections.mechanics import dice


class Number(Struct, frozen=True):
    """A number, with the face of the die in it where a line gives both: 13+1 = 14."""

    total: int
    die: int | None = None


class Token(Struct, frozen=True):
    """A piece of a line: its text, the word that it is compared as, its kind, its value, and where it stands."""

    text: str
    word: str
    kind: str
    """word, number, plus, minus, square, dice (not rolled yet), mark, or id for a number that is somebody's."""
    start: int
    end: int
    number: Number = Number(0)
    square: tuple[int, ...] = ()


_SHAPES = {
    "mark": r"(?<=\d)'s\b",
    "dice": r"\d*d\d+(?:\s*\(\s*\d+(?:\s*[,+]\s*\d+)*\s*\))?(?:\s*[+-]\s*\d+\b)*(?:\s*[=:]?\s*\d+\b(?!\s*(?:d\d|hp|ac\b)))?",
    "sum": r"\d+(?:\s*[+-]\s*\d+)+\s*=\s*\d+",
    "product": r"x\d\s*=\s*\d+",
    "bonus": r"\d+\+\d+\b",
    "square": r"\d+,\d+(?![\d\w])",
    "plus": r"(?<![\w)])\+\d+\b",
    "minus": r"(?<![\w)])-\d+\b",
    "ordinal": r"\d+(?:st|nd|rd|th)\b",
    "number": r"\d+",
    "with": r"w/(?=\s)",
    "option": r"[^\W\d]\w*=(?=\S)",
    "word": r"[^\W\d_]+(?:['.-](?=[^\W\d_])[^\W\d_]+)*'?",
    "other": r"->|=>|\S",
}
_TOKEN = re.compile("|".join(f"(?P<{kind}>{shape})" for kind, shape in _SHAPES.items()), re.IGNORECASE)
_SHORT_FORMS = frozenset(["what's", "who's", "whose", "it's", "that's", "let's", "here's", "he's", "she's"])
"""Words with an apostrophe that are no possessives."""
_TYPOGRAPHIC = str.maketrans({"’": "'", "“": '"', "”": '"'})


def tokens(line: str) -> list[Token]:
    """Return the tokens of a line; a possessive is two, the word and 's."""
    found: list[Token] = []
    for match in _TOKEN.finditer(line.translate(_TYPOGRAPHIC)):
        kind, text = match.lastgroup or "", match.group()
        if kind == "word" and text.lower() not in _SHORT_FORMS and re.search(r"'s?$", text, re.IGNORECASE):
            cut = match.start() + text.rindex("'")
            word = text[: text.rindex("'")]
            found.append(Token(word, word.lower(), "word", match.start(), cut))
            found.append(Token("'s", "'s", "mark", cut, match.end()))
        else:
            found.append(_make_token(kind, text, match.start(), match.end()))
    return found


def behind_number(tokens: Sequence[Token], at: int) -> int:
    """Return the end of a number that is written to the word before it, as in orc-1 or orc1; the same place if there is none."""
    far = at
    while far < len(tokens) and tokens[far].start == tokens[far - 1].end:
        far += 1
        if tokens[far - 1].kind == "number":
            return far
        if tokens[far - 1].text != "-":
            break
    return at


def _make_token(kind: str, text: str, start: int, end: int) -> Token:
    numbers = [int(each) for each in re.findall(r"\d+", text)]
    match kind:
        case "dice" if rolled := _rolled_number(text):
            return Token(text, text, "number", start, end, rolled)
        case "sum" | "product" | "bonus":
            total = sum(numbers) if kind == "bonus" else numbers[-1]
            return Token(text, text, "number", start, end, Number(total, None if kind == "product" else numbers[0]))
        case "square":
            return Token(text, text, kind, start, end, square=(numbers[0], numbers[1]))
        case "number" | "plus" | "minus":
            return Token(text, text, kind, start, end, Number(numbers[0]))
        case "with" | "ordinal":
            return Token(text, "with" if kind == "with" else text.lower(), "word", start, end)
    return Token(text, text.lower(), "mark" if kind == "other" else kind, start, end)


def _rolled_number(text: str) -> Number | None:
    """Return the result that stands behind dice, with the face of a single die: 1d20 (13) + 5 = 18; None if there is none, or if such dice have no such result."""
    result = re.search(r"(?:[=:]\s*|\s)(\d+)$", text)
    if result is None or re.search(r"[+-]\s*\d+$", text):
        return None
    face, total = re.search(r"\(\s*(\d+)\s*\)", text), int(result[1])
    try:
        thrown = dice.parse(text[: re.match(r"\d*d\d+", text, re.IGNORECASE).end()].casefold())  # type: ignore[union-attr]  # it begins so
    except ValueError:
        return None
    bonus = sum(int(each.replace(" ", "")) for each in re.findall(r"[+-]\s*\d+", re.sub(r"\([^)]*\)", "", text)))
    if not thrown.count <= total - bonus <= thrown.count * thrown.sides:
        return None
    return Number(total, int(face[1]) if face else None)
