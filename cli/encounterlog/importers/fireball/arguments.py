"""The words of a command, split and read as the bot does: its quotes, its escapes, its options."""

from collections.abc import Iterator
from typing import NamedTuple

QUOTES = {
    '"': '"',
    "'": "'",
    "‘": "’",
    "‚": "‛",
    "“": "”",
    "„": "‟",
    "⹂": "⹂",
    "「": "」",
    "『": "』",
    "〝": "〞",
    "﹁": "﹂",
    "﹃": "﹄",
    "＂": "＂",
    "｢": "｣",
    "«": "»",
    "‹": "›",
    "《": "》",
    "〈": "〉",
}
"""The opening quotation marks, with their closing ones."""

_ALL = frozenset(QUOTES) | frozenset(QUOTES.values())
_APOSTROPHES = frozenset("'’")
_WITHOUT_VALUE = frozenset({"-i", "-h", "-v"})


def split(text: str) -> list[str]:
    """Split a command into words; quotes keep words together, unless one is never closed."""
    found: list[str] = []
    place = 0
    while place < len(text):
        if text[place].isspace():
            place += 1
            continue
        word = _word(text, place)
        if word is None:
            return text.split()
        found.append(word.text)
        place = word.end
    return found


class _Word(NamedTuple):
    text: str
    end: int


def _word(text: str, place: int) -> _Word | None:
    """Read one word, up to the next space; None if a quotation does not end.

    A quotation may begin and end within a word; an apostrophe within a word begins none.
    """
    close = QUOTES.get(text[place], "")
    held = "" if close else text[place]
    allowed = {text[place], close} if close else _ALL
    place += 1
    while place < len(text):
        now, after = text[place], text[place + 1 : place + 2]
        if now == "\\" and after in allowed and after:
            held, place = held + after, place + 2
        elif not close and now in _ALL and now not in _APOSTROPHES:
            close = QUOTES.get(now, now)
            allowed, place = {now, close}, place + 1
        elif close and now == close:
            if not after or after.isspace():
                return _Word(held, place + 1)
            close, allowed, place = "", _ALL, place + 1
        elif now.isspace() and not close:
            return _Word(held, place + 1)
        else:
            held, place = held + now, place + 1
    return None if close else _Word(held, place)


class Options:
    """The options among the words of a command: `-name VALUE` and single words such as `conc`."""

    def __init__(self, words: list[str]) -> None:
        self._found: dict[str, list[str]] = {}
        for name, value in _pairs(words):
            self._found.setdefault(name, []).append(value)

    def __contains__(self, name: str) -> bool:
        """Say whether an option was given, with a value or without."""
        return name in self._found

    def all(self, name: str) -> list[str]:
        """List the values given for an option."""
        return [value for value in self._found.get(name, []) if value]

    def last(self, name: str) -> str | None:
        """Return the last value given for an option, which is the one that counts."""
        found = self.all(name)
        return found[-1] if found else None


def _pairs(words: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each option with its value, or ""; the word after an option is its value unless it is an option itself."""
    open_flag = ""
    for word in words:
        flag = word in _WITHOUT_VALUE or (word.startswith("-") and word.lstrip("-")[:1].isalpha())
        if flag or not open_flag:
            if open_flag:
                yield open_flag, ""
            open_flag = ""
            name = word.lstrip("-") if flag else word
            if flag and word not in _WITHOUT_VALUE:
                open_flag = name
            elif name[:1].isalpha():
                yield name, ""
        else:
            yield open_flag, word
            open_flag = ""
    if open_flag:
        yield open_flag, ""
