"""The golden pages of whole encounters, in tests/golden/<ruleset>/, a file for each script (`encounterlog_rulelab/golden.py`).

A play of a single clause says in its own lines what it is for, and has no page that is kept. That a change leaves all plays as they
were is shown by the pages of all of them before and after it.

    python -m tests.projections.golden [RULESET ...]                   rewrites the pages that are kept; read the difference
    python -m tests.projections.golden --since COMMIT [RULESET ...]    shows what has changed since a commit in the pages of all plays
"""

import os
import shutil
import subprocess
import sys
import tempfile
from difflib import unified_diff
from functools import cache
from pathlib import Path

from encounterlog_rulelab import golden as pages
from encounterlog_rulelab.golden import write_pages
from projections.proving.plays import Play
from projections.rulesets import RULESETS
from tests.projections.stage import encounters

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "golden"
EVERY = ROOT / "build" / "golden"
"""Where the pages of all plays are made, before and now."""
MAKE = """
import sys
from pathlib import Path
from encounterlog_rulelab.golden import pages_by_file, write_pages
from projections.rulesets import find
from tests.projections.stage import stage
for key in sys.argv[2:]:
    write_pages(Path(sys.argv[1]) / key, pages_by_file(stage(find(key))))
"""
"""What makes the pages of all plays, run in the checkout of each commit."""


def page(play: Play) -> str:
    """Return the page of a play."""
    return pages.page_of_play(play, title(play))


def title(play: Play) -> str:
    """Return what a play is called on its page."""
    return _titles(play.ruleset)[play.source, play.line]


@cache
def _titles(key: str) -> dict[pages.Place, str]:
    return pages.title_plays(encounters(key))


def has_page(play: Play) -> bool:
    """Say whether a play has a page."""
    return (play.source, play.line) in _titles(play.ruleset)


def file_of(play: Play) -> Path:
    """Return where the page of a play is kept."""
    return FOLDER / play.ruleset / pages.file_name(play.source)


@cache
def kept(path: Path) -> dict[str, str]:
    """Return the pages in a file by their first lines."""
    return pages.pages_by_title(path.read_text("utf-8") if path.exists() else "")


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


def since(commit: str, keys: list[str]) -> int:
    """Make the pages of all plays as of a commit and as they are now, and show the difference; return 1 if there is one."""
    EVERY.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder) / "before"
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", str(there), commit], cwd=ROOT, check=True)
        try:
            _make(there, EVERY / "before", keys)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(there)], cwd=ROOT, check=True)
    _make(ROOT, EVERY / "now", keys)
    return subprocess.run(["git", "diff", "--no-index", "before", "now"], cwd=EVERY, check=False).returncode


def _make(checkout: Path, into: Path, keys: list[str]) -> None:
    """Make the pages of all plays of these rulesets with the code in a checkout."""
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir()
    path = (checkout, checkout / "cli", checkout / "cli" / "plugins" / "encounterlog-rulelab")
    there = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
    subprocess.run([sys.executable, "-c", MAKE, str(into), *keys], cwd=checkout, env=there, check=True)


def main(words: list[str]) -> int:
    """Write the pages that are kept, or show what has changed in all of them."""
    if "--since" in words:
        place = words.index("--since")
        return since(words[place + 1], [*words[:place], *words[place + 2 :]] or list(RULESETS))
    for key in words or RULESETS:
        write_pages(FOLDER / key, pages.pages_by_file(encounters(key)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
