"""Words in messages: invisible characters are made visible, and misspelt words get a hint."""

from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a hint that names the known words nearest to a misspelt one, or nothing."""
    import difflib  # only for those who mistyped

    close = difflib.get_close_matches(word[:100], sorted(known), n=3, cutoff=0.5)
    return f"did you mean {' or '.join(close)}?" if close else ""


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
