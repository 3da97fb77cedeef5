"""Messages for Discord: pieces of allowed length, cut between turns, with a line `-----` between two of them.

Nothing that was typed is markup, mentions anybody or shows a preview: marks are escaped, and a space without width
stands after the beginning of a mention or a link. The last piece names the head.
"""

import re
from collections.abc import Iterable, Iterator

from encounterlog.exporters.chapters import Deed, chapters, deeds, isolated, line, result
from encounterlog.exporters.session import Session

MOST = 2000
"""The most characters of a message. Discord does not say what it counts; UTF-16 units are never fewer than letters."""
BETWEEN = "-----"
_MARKUP = re.compile(r"[\\*_~`|>#\[\]-]")
_CALLS = re.compile(r"([@#/<:])(?=\S)")


def write(session: Session) -> Iterator[bytes]:
    """Yield the pieces."""
    for place, piece in enumerate(pieces([*_blocks(session), [f"-# head {session.head}"]])):
        yield f"{BETWEEN if place else ''}\n{piece}\n".encode() if place else f"{piece}\n".encode()


def escaped(text: str) -> str:
    """Return a text that Discord shows unchanged, and that mentions nobody."""
    return _MARKUP.sub(lambda found: "\\" + found[0], _CALLS.sub("\\1\u200b", isolated(text)))


def size(text: str) -> int:
    """Return how long a text is, in UTF-16 units."""
    return len(text) + sum(1 for letter in text if letter > "\uffff")


def pieces(blocks: Iterable[list[str]]) -> Iterator[str]:
    """Yield blocks of lines in as few pieces as possible; a block is cut, between lines, only if it is too long."""
    held = ""
    for block in blocks:
        whole = "\n".join(block)
        for part in [whole] if size(whole) <= MOST else _cut(block):
            if held and size(held) + 1 + size(part) > MOST:
                yield held
                held = ""
            held = f"{held}\n{part}" if held else part
    yield held


def _cut(block: list[str]) -> Iterator[str]:
    """Yield the lines of a long block; a line that is too long is split, but not between an escape and its letter."""
    for each in block:
        held, room = "", 0
        for letter in re.findall(r"\\?.", each):
            if room + size(letter) > MOST:
                yield held
                held, room = "", 0
            held, room = held + letter, room + size(letter)
        yield held


def _blocks(session: Session) -> Iterator[list[str]]:
    """Yield the title and the result, then the lines of each turn under its heading; the first of a round under that, too."""
    yield [f"**{escaped(session.title)}**", f"-# {session.local(next(session.lines).row.at):%Y-%m-%d %H:%M %Z}"]
    yield [f"- {escaped(each)}" for each in result(session, session.name)]
    for chapter in chapters(session):
        for place, part in enumerate(chapter.parts):
            heading = [f"__**{chapter.title}**__"] if not place else []
            heading += [f"**{escaped(part.title)}**"] if part.title else []
            yield [*heading, *(each for deed in deeds(part) for each in _deed(deed))]


def _deed(deed: Deed) -> Iterator[str]:
    """Yield the sentence of a deed and, in small print, the facts that it consists of, if there are several."""
    yield f"- {escaped(deed.words)}"
    if len(deed.lines) > 1:
        yield f"-# {'; '.join(escaped(line(one)) for one in deed.lines)}"
