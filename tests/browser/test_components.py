"""The components of the page as functions from state to view, in Node, without a page."""

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from encounterlog.exporters import html as exporters_html
from encounterlog.service import live

pytestmark = pytest.mark.browser
LIVE = Path(live.__file__).parent


@cache
def shown() -> dict[str, Any]:
    """Return what the components show of small states, as text, buttons in brackets."""
    script = Path(__file__).with_name("components.mjs")
    files = (LIVE / "components.js", _module())
    done = subprocess.run(["node", script, *files], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _module() -> Path:
    """Return Preact under a name that Node takes for a module."""
    import tempfile

    path = Path(tempfile.mkdtemp()) / "preact.mjs"
    path.write_text((LIVE / "vendor" / "preact.js").read_text("utf-8"), "utf-8")
    return path


def test_points_are_large_and_say_why_and_unknown_ones_say_so() -> None:
    assert shown()["points"] == "[15] / [24] +[3] temporary"
    assert shown()["unknown"] == "hit points unknown"


def test_markup_in_a_name_is_text() -> None:
    assert shown()["markup"].startswith("[<img src=x> ")


REPLAY = Path(exporters_html.__file__).parent


@cache
def rows(page: str) -> dict[str, Any]:
    """Return what the rows of two combatants say, of the replay or of the page, in a fight that goes on and in one that is over."""
    own = {"replay": REPLAY / "entries.js", "page": LIVE / "rows.js"}[page]
    script = Path(__file__).with_name("rows.mjs")
    command = ["node", *map(str, (script, REPLAY / "state.js", own))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("page", ["replay", "page"])
def test_a_row_has_who_it_is_and_who_acts_stands_out_on_both_pages(page: str) -> None:
    there = rows(page)["open"]
    assert "Ana yours" in there["ana"]["says"]
    assert "Ogre hidden" in there["ogre"]["says"]
    assert {"mine", "now"} <= {*there["ana"]["is"]}
    assert (there["ana"]["now"], there["ogre"]["now"], there["ogre"]["is"]) == ("true", "", [])


def test_a_row_of_the_replay_says_all_and_one_of_the_page_is_compact() -> None:
    replay, page = rows("replay")["open"], rows("page")["open"]
    assert replay["ana"]["says"] == "▶ 1 total 15Ana yours party9 of 20 hp, 2 temporaryupprone"
    assert page["ana"]["says"] == "▶15Ana yoursprone9/20 +2"
    assert (replay["clock"], page["clock"]) == ("round 2, turn of Ana", "round 2 · Ana’s turn")


def test_when_the_fight_is_over_nobody_acts_and_the_replay_stays() -> None:
    assert rows("replay")["closed"] == rows("replay")["open"]
    page = rows("page")["closed"]
    assert (page["clock"], page["ana"]["now"]) == ("The fight is over · round 2", "")
