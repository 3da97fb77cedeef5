"""Golden pages in files: a folder holds a file for each script, which is rewritten and compared with what it was."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from projections.proving.pages import by_title

Change = Literal["new", "changed", "gone"]


class Rewritten(NamedTuple):
    """A page that is not as it was: its file, its title, and whether it is new, changed or gone."""

    file: str
    title: str
    change: Change


def write(folder: Path, texts: Mapping[str, str]) -> list[Rewritten]:
    """Write the pages of a ruleset into a folder, remove files whose pages are gone, and return what differs from before."""
    folder.mkdir(parents=True, exist_ok=True)
    before = {path.name: text for path in folder.glob("*.txt") if (text := path.read_text("utf-8")).startswith("== ")}
    for name in before.keys() - texts.keys():
        (folder / name).unlink()
    for name, text in texts.items():
        if before.get(name) != text:
            (folder / name).write_text(text, "utf-8")
    return [
        one for name in sorted({*before, *texts}) for one in _compared(name, before.get(name, ""), texts.get(name, ""))
    ]


def _compared(file: str, before: str, after: str) -> Iterator[Rewritten]:
    was, now = by_title(before), by_title(after)
    for title in dict.fromkeys((*was, *now)):
        if was.get(title) != now.get(title):
            change: Change = "new" if title not in was else "gone" if title not in now else "changed"
            yield Rewritten(file, title.removeprefix("== "), change)
