"""Text of others in messages: made visible, cut short, and with what is spelt nearly the same; one-line representations of objects."""

import re
import unicodedata
from collections.abc import Iterable


def nearest(word: str, known: Iterable[str], cutoff: float = 0.5) -> str:
    """Return a hint that names the known words nearest to a misspelt one, or nothing."""
    close = _close_words(word, known, cutoff)
    return f"did you mean {' or '.join(close)}?" if close else ""


def closest_word(word: str, known: Iterable[str], cutoff: float = 0.5) -> str:
    """Return the known word that is nearest to a misspelt one, or nothing if none is near enough."""
    return next(iter(_close_words(word, known, cutoff)), "")


def _close_words(word: str, known: Iterable[str], cutoff: float) -> list[str]:
    """Return the three nearest at most, the nearest first; capitals make no difference.

    None is named beside another that is nearer by far.
    """
    import difflib  # only for a misspelt word

    folded = {each.casefold(): each for each in sorted(known, reverse=True)}
    misspelt = word[:_COMPARED].casefold()
    close = difflib.get_close_matches(misspelt, sorted(folded), cutoff=cutoff)
    if close:
        least = difflib.SequenceMatcher(None, close[0], misspelt).ratio() - _BY_FAR
        close = difflib.get_close_matches(misspelt, close, cutoff=max(least, 0))
    return [folded[each] for each in close]


_BY_FAR = 0.25
"""By how much the likeness of one word exceeds that of another that is then left out."""


_COMPARED = 100
"""The length to which a misspelt word is compared, since the time grows with its square."""


def list_in_words(words: Iterable[str], word: str = "and", most: int | None = None) -> str:
    """Return words as a list with "and" or "or" before the last: a, b or c; of more than the most, if any, their number."""
    *others, last = [*words] or [""]
    if most is not None and len(others) >= most:
        return f"{len(others) + 1} of them"
    return f"{', '.join(others)} {word} {last}" if others else last


def visible(text: str) -> str:
    """Return text with control, format and surrogate characters made visible as escapes."""
    if text.isprintable():
        return text
    return "".join(
        c.encode("unicode_escape", "surrogatepass").decode() if unicodedata.category(c) in _UNSEEN else c for c in text
    )


def shown(text: str) -> str:
    """Return a word in visible characters, shortened for a message."""
    return visible(text)[:_ROOM]


_ROOM = 80
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def escape_json(json_text: str, *, all_letters: bool = False) -> str:
    r"""Return equivalent JSON with escapes such as \u202e for invisible characters, or for all letters beyond ASCII."""
    if json_text.isascii() and not json_text.encode().translate(None, _PLAIN):
        return json_text  # most text: a tenth of what the pattern costs
    return re.sub(_BEYOND_ASCII, _utf16_escapes if all_letters else _unseen_units, json_text)


_BEYOND_ASCII = r"[^\n -~]"
_PLAIN = bytes(range(ord(" "), ord("~") + 1)) + b"\n"


def _unseen_units(found: re.Match[str]) -> str:
    return found[0] if visible(found[0]) == found[0] else _utf16_escapes(found)


def _utf16_escapes(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[place]:02x}{units[place + 1]:02x}" for place in range(0, len(units), 2))


LINE = 80
"""The highest number of characters in a `repr`."""


def short_repr(value: object, says: str) -> str:
    """Return a one-line `repr` of a large object: its type and a short text."""
    text = visible(says)
    return f"<{type(value).__name__} {text[:LINE]}{'…' if len(text) > LINE else ''}>"
