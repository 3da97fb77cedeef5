"""The golden pages of all rulesets, in tests/golden/<ruleset>/, a file for each script (`encounterlog_rulelab/golden.py`).

The whole encounters have a page, and of the plays of a script about one clause the first case, the first breach and the first
alternative: what else a further play is there for, it expects in its own lines.

python -m tests.projections.golden [RULESET ...]    rewrites them; read the difference
"""

import sys
from difflib import unified_diff
from functools import cache
from pathlib import Path

from encounterlog_rulelab import golden as pages
from encounterlog_rulelab.golden import write
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
    return pages.titles(with_pages(key))


@cache
def with_pages(key: str) -> tuple[Play, ...]:
    """Return the plays of a ruleset that have a page."""
    first: dict[tuple[str, str], Play] = {}
    for play in stage(find(key)):
        first.setdefault((play.source, play.title), play)
    return tuple(first.values())


def has_page(play: Play) -> bool:
    """Say whether a play has a page."""
    return (play.source, play.line) in _titles(play.ruleset)


def file_of(play: Play) -> Path:
    """Return where the page of a play is kept."""
    return FOLDER / play.ruleset / pages.file_of(play.source)


@cache
def kept(path: Path) -> dict[str, str]:
    """Return the pages in a file by their first lines."""
    return pages.by_title(path.read_text("utf-8") if path.exists() else "")


def differences(play: Play) -> list[str]:
    """Return the lines in which a play differs from its page, if it has one, and the command that rewrites that."""
    if not has_page(play):
        return []
    found, file = page(play), file_of(play)
    was = kept(file).get(found.partition("\n")[0], "")
    lines = list(unified_diff(was.splitlines(), found.splitlines(), str(file), "now", lineterm="", n=1))
    return [*lines, f"python -m tests.projections.golden {play.ruleset}"] if lines else []


def holds(play: Play) -> bool:
    """Say whether a play comes to what its page says, if it has one."""
    return not differences(play)


def main() -> None:
    """Write all pages."""
    for key in sys.argv[1:] or RULESETS:
        write(FOLDER / key, pages.by_file(with_pages(key)))


if __name__ == "__main__":
    main()
