"""Every encounter among the fixtures comes out as it says: each value at its place, and exactly its findings."""

import re
from pathlib import Path

import pytest

from projections.proving.formatting import formatted
from tests.projections.facts_of_fixtures import KEPT, lines
from tests.projections.stage import FIXTURES, one_in, played, script, scripts, titles

IN_JSON = re.compile(r"(secret )?(\d+ )?\{(?!.*\"dropped\")")
"""A fact in JSON, but for dice: a table marks by itself which of them are dropped, and so never the wrong one."""


def every_play() -> list[object]:
    """Return the place of each play of each script, named for both."""
    return [
        pytest.param(path, place, id=f"{path.relative_to(FIXTURES).as_posix()}: {title}")
        for path in scripts()
        for place, title in enumerate(titles(path))
    ]


@pytest.mark.parametrize(("path", "place"), every_play())
def test_an_encounter_comes_out_as_it_says(path: Path, place: int) -> None:
    play = script(path)[place]
    assert [f"{play.source}, line {each.line}: {each.says}" for each in played(play).failures] == []


@pytest.mark.parametrize("path", scripts(), ids=lambda path: path.name)
def test_each_play_of_a_script_is_a_test(path: Path) -> None:
    assert [play.title for play in script(path)] == titles(path)


def test_the_fixtures_state_the_facts_that_they_stated_when_they_were_written_in_json() -> None:
    assert [*lines()] == KEPT.read_text("utf-8").splitlines()


def test_no_fact_of_a_fixture_is_written_in_json_except_dice_of_which_the_wrong_one_counts() -> None:
    left = [path.name for path in scripts() if any(map(IN_JSON.match, path.read_text("utf-8").splitlines()))]
    assert left == []


@pytest.mark.full
@pytest.mark.sampled
def test_fixtures_are_in_the_order_that_fmt_gives_them(whole: bool) -> None:
    for path in one_in(1 if whole else 8, scripts()):
        text = path.read_text("utf-8")
        assert formatted(text, path.name) == text
