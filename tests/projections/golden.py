"""The golden pages of all rulesets, in tests/golden/<ruleset>/, a file for each script (`projections/proving/pages.py`).

python -m tests.projections.golden          rewrites them; read the difference
"""

from functools import cache
from pathlib import Path

from encounterlog.proving.golden import write
from projections.proving import pages
from projections.proving.plays import Play
from projections.rulesets import RULESETS, find
from tests.projections.stage import stage

FOLDER = Path(__file__).parents[1] / "golden"


def page(play: Play) -> str:
    """Return the page of a play."""
    return pages.page(play, title(play))


def title(play: Play) -> str:
    """Return what a play is called on its page."""
    return _titles(play.ruleset)[play.source, play.line]


@cache
def _titles(key: str) -> dict[pages.Place, str]:
    return pages.titles(stage(find(key)))


def file_of(play: Play) -> Path:
    """Return where the page of a play is kept."""
    return FOLDER / play.ruleset / pages.file_of(play.source)


@cache
def kept(path: Path) -> dict[str, str]:
    """Return the pages in a file by their first lines."""
    return pages.by_title(path.read_text("utf-8") if path.exists() else "")


def holds(play: Play) -> bool:
    """Say whether a play comes to what its page says."""
    found = page(play)
    return kept(file_of(play)).get(found.partition("\n")[0]) == found


def main() -> None:
    """Write all pages."""
    for key in RULESETS:
        write(FOLDER / key, pages.by_file(stage(find(key))))


if __name__ == "__main__":
    main()
