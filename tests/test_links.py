"""The documents as a forge shows a checkout: files that git tracks, includes left as they are written."""

import re
import subprocess
from functools import cache
from pathlib import Path, PurePosixPath

import pytest

from tests.tables import for_each

ROOT = Path(__file__).parents[1]
FENCED = re.compile(r"^ *(```+|~~~+|:::+).*?^ *\1$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def _tracked() -> frozenset[str]:
    command = ["git", "ls-files", "-co", "--exclude-standard"]
    if not (ROOT / ".git").exists():
        return frozenset()
    return frozenset(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines())


TRACKED = _tracked()
FOLDERS = frozenset(str(parent) for path in TRACKED for parent in PurePosixPath(path).parents)
PAGES = sorted(path for path in TRACKED if path.endswith(".md") and (ROOT / path).exists())

pytestmark = pytest.mark.skipif(not TRACKED, reason="what git tracks is known in a checkout alone")


@cache
def anchors(page: str) -> frozenset[str]:
    """Return the anchors that a forge makes of the headings of a page."""
    text = FENCED.sub("", (ROOT / page).read_text("utf-8"))
    headings = re.findall(r"^#+ (.+?)\s*$", text, re.MULTILINE)
    return frozenset(re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings)


def broken(page: str) -> list[str]:
    """Return the links of a page that lead to no tracked file, or to no heading of it."""
    text = re.sub(r"`[^`\n]*`", "", FENCED.sub("", (ROOT / page).read_text("utf-8")))
    found = []
    for link in LINK.findall(text):
        target, _, anchor = link.partition("#")
        if ":" in target:
            continue
        path = (ROOT / page).parent.joinpath(target).resolve().relative_to(ROOT).as_posix() if target else page
        if path not in TRACKED | FOLDERS or (anchor and path.endswith(".md") and anchor not in anchors(path)):
            found.append(link)
    return found


@for_each("page", PAGES)
def test_every_link_leads_to_a_tracked_file_and_a_heading_of_it(page: str) -> None:
    assert broken(page) == []


@for_each("page", PAGES)
def test_no_page_is_empty_where_includes_are_not_read(page: str) -> None:
    text = FENCED.sub("", (ROOT / page).read_text("utf-8"))
    assert len(text.split()) > 10
