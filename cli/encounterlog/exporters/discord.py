"""Messages for Discord: pieces of allowed length, cut between turns, with a line `-----` between two of them.

Nothing that was typed is markup, mentions anybody or shows a preview: marks are escaped, and a space without width
stands after the beginning of a mention or a link. The last piece names the head.
"""

import re
from collections.abc import Iterable, Iterator

from encounterlog.exporters.chapters import describe_line, isolate_text, split_into_chapters, summarize_rounds
from encounterlog.exporters.session import Session

MOST = 2000
"""The most characters of a message. Discord does not say what it counts; UTF-16 units are never fewer than letters."""
BETWEEN = "-----"
_MARKUP = re.compile(r"[\\*_~`|>#\[\]-]")
_CALLS = re.compile(r"([@#/<:])(?=\S)")


def write(session: Session) -> Iterator[bytes]:
    """Yield the pieces."""
    between = ""
    for piece in join_into_pieces([*_format_blocks(session), [f"-# head {session.head}"]]):
        yield f"{between}{piece}\n".encode()
        between = f"{BETWEEN}\n"


def escape_for_discord(text: str) -> str:
    """Return a text that Discord shows unchanged, and that mentions nobody."""
    return _MARKUP.sub(lambda found: "\\" + found[0], _CALLS.sub("\\1\u200b", isolate_text(text)))


def utf16_length(text: str) -> int:
    """Return how long a text is, in UTF-16 units."""
    return len(text) + sum(1 for letter in text if letter > "\uffff")


def join_into_pieces(blocks: Iterable[list[str]]) -> Iterator[str]:
    """Yield blocks of lines in as few pieces as possible; a block is cut, between lines, only if it is too long."""
    held = ""
    for block in blocks:
        whole = "\n".join(block)
        for part in [whole] if utf16_length(whole) <= MOST else _split_long_block(block):
            if held and utf16_length(held) + 1 + utf16_length(part) > MOST:
                yield held
                held = ""
            held = f"{held}\n{part}" if held else part
    yield held


def _split_long_block(block: list[str]) -> Iterator[str]:
    for each in block:
        held, room = "", 0
        for letter in re.findall(r"\\?.", each):
            if room + utf16_length(letter) > MOST:
                yield held
                held, room = "", 0
            held, room = held + letter, room + utf16_length(letter)
        yield held


def _format_blocks(session: Session) -> Iterator[list[str]]:
    began = f"-# {session.local(next(session.lines).row.at):%Y-%m-%d %H:%M %Z}"
    yield [f"**{escape_for_discord(session.title)}**", began]
    yield [f"- {escape_for_discord(each)}" for each in summarize_rounds(session)]
    for chapter in split_into_chapters(session):
        lines = [f"__**{chapter.title}**__"]
        for part in chapter.parts:
            lines += [f"**{escape_for_discord(part.title)}**"] if part.title else []
            for deed in part.deeds:
                lines.append(f"- {escape_for_discord(deed.words)}")
                if len(deed.lines) > 1:  # in small print
                    lines.append(f"-# {'; '.join(escape_for_discord(describe_line(one)) for one in deed.lines)}")
            yield lines
            lines = []
