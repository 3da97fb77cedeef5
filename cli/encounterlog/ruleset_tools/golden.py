"""Golden pages in files: a folder holds a file for each script, which is rewritten and compared with what it was."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from encounterlog.errors import Refused
from encounterlog.storage.replacing import check_ours, write_text
from eventstore.form import visible
from projections.proving.pages import by_title, is_pages

Change = Literal["new", "changed", "gone"]


class Rewritten(NamedTuple):
    """A page that differs from before: its file, its title, and whether it is new, changed or gone."""

    file: str
    title: str
    change: Change


def write(folder: Path, texts: Mapping[str, str]) -> list[Rewritten]:
    """Write the pages of a ruleset into a folder, remove files whose pages are gone, and return the differences from before.

    Raises Refused for a file with the name of one of them that holds something else; then nothing is written. Files of other
    names that hold something else stay.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in texts:
        check_ours(folder / name, _check)
    before = {path.name: text for path in folder.glob("*.txt") if path.is_file() and (text := _pages(path)) is not None}
    for name in before.keys() - texts.keys():
        (folder / name).unlink()
    for name, text in texts.items():
        if before.get(name) != text:
            write_text(folder / name, text, _check)
    return [
        one for name in sorted({*before, *texts}) for one in _compared(name, before.get(name, ""), texts.get(name, ""))
    ]


def _pages(path: Path) -> str | None:
    """Return the text of a golden page's file; None for any other file."""
    try:
        text = path.read_text("utf-8")
    except (OSError, ValueError):
        return None
    return text if is_pages(text) else None


def _check(path: Path) -> None:
    if _pages(path) is None:
        says = f"{visible(str(path))} is already there, and holds no golden pages"
        raise Refused("usage", says, "name another folder, or move it away")


def _compared(file: str, before: str, after: str) -> Iterator[Rewritten]:
    was, now = by_title(before), by_title(after)
    for title in dict.fromkeys((*was, *now)):
        if was.get(title) != now.get(title):
            change: Change = "new" if title not in was else "gone" if title not in now else "changed"
            yield Rewritten(file, title.removeprefix("== "), change)
