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


def test_attacks_are_buttons_with_their_numbers() -> None:
    assert shown()["deeds"] == "[Scimitar +4, 1d6+2 slashing][Fire Breath dex save 21, 18d6 fire, recharge 5]"
    assert shown()["signed"] == ["+4", "−1"]


def test_an_attack_is_rolled_or_typed_once_somebody_is_aimed_at() -> None:
    assert shown()["unaimed"] == "Scimitar: at whom? [×][Ana AC 17]"
    assert "[Roll here] or type d20 damage [Record]" in shown()["aimed"]
    assert "d20" not in shown()["saves"]
    assert "Ana saves" in shown()["saves"]


def test_an_attack_of_which_the_game_cannot_tell_whether_it_hits_asks() -> None:
    damage = "or type damage [Record]"
    assert shown()["asked"] == f"Does it hit Ana?[It hits: roll damage] {damage} [It misses]"
    assert shown()["hits"] == f"It hits Ana[Roll damage] {damage}"


def test_what_is_barred_has_its_rule() -> None:
    assert shown()["may"] == "May do nowaction 1Barred acts, and the reasonsbonus: 0 left x.y One a turn."
    assert shown()["nothing"].startswith("Nothing was found")


def test_markup_in_a_name_is_text() -> None:
    assert shown()["markup"].startswith("[<img src=x> ")


def test_commands_have_their_keys_and_the_line_stands_as_it_was_typed() -> None:
    assert shown()["palette"] == "CommandsNext nSend n"
    assert shown()["empty"] == "CommandsNothing here begins so."


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


def test_a_row_of_the_replay_says_everything_and_one_of_the_page_is_compact() -> None:
    replay, page = rows("replay")["open"], rows("page")["open"]
    assert replay["ana"]["says"] == "▶ 1 total 15Ana yours party9 of 20 hp, 2 temporaryupprone"
    assert page["ana"]["says"] == "▶15Ana yoursprone9/20 +2"
    assert (replay["clock"], page["clock"]) == ("round 2, turn of Ana", "round 2 · Ana’s turn")


def test_when_the_fight_is_over_nobody_acts_on_the_page_and_the_replay_stays_where_it_is() -> None:
    assert rows("replay")["closed"] == rows("replay")["open"]
    page = rows("page")["closed"]
    assert (page["clock"], page["ana"]["now"]) == ("The fight is over · round 2", "")
