"""Words in messages: invisible characters are made visible, and misspelt words get a hint."""

from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a hint that names the known words nearest to a misspelt one, or nothing."""
    close = _close(word, known, 0.5)
    return f"did you mean {' or '.join(close)}?" if close else ""


def closest(word: str, known: Iterable[str], cutoff: float = 0.5) -> str:
    """Return the known word that is nearest to a misspelt one, or nothing where none is as near as that."""
    return next(iter(_close(word, known, cutoff)), "")


def _close(word: str, known: Iterable[str], cutoff: float) -> list[str]:
    """Return the three nearest at most, the nearest first."""
    import difflib  # only for those who mistyped

    return difflib.get_close_matches(word[:_COMPARED], sorted(known), cutoff=cutoff)


_COMPARED = 100
"""How much of a misspelt word is compared: the time that it takes grows with the square of it."""


def visible(text: str) -> str:
    """Return text with control, format and surrogate characters made visible as escapes."""
    if text.isprintable():
        return text
    import unicodedata  # only where a character cannot be seen

    return "".join(c if unicodedata.category(c) not in _UNSEEN else _escape(c) for c in text)


def shown(text: str) -> str:
    """Return as much of a word as a message has room for, made visible."""
    return visible(text)[:_ROOM]


_ROOM = 80
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def _escape(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")
