"""Every encounter among the fixtures comes out as it says: each value at its place, and exactly its findings."""

import re

import pytest

from projections.proving.formatting import formatted
from projections.proving.plays import EncError, Play
from tests.projections.facts_of_fixtures import KEPT, lines
from tests.projections.stage import FIXTURES, one_in, played, script, scripts

IN_JSON = re.compile(r"(secret )?(\d+ )?\{(?!.*\"dropped\")")
"""A fact in JSON, but for dice: a table marks by itself which of them are dropped, and so never the wrong one."""


def every_play() -> list[object]:
    """Return each play of each script, named for both; a script that cannot be read is a play that fails."""
    found: list[object] = []
    for path in scripts():
        name = path.relative_to(FIXTURES).as_posix()
        try:
            plays: tuple[Play | EncError, ...] = script(path)
        except EncError as error:
            plays = (error,)
        found += [pytest.param(play, id=f"{name}: {getattr(play, 'title', 'cannot be read')}") for play in plays]
    return found


@pytest.mark.parametrize("play", every_play())
def test_an_encounter_comes_out_as_it_says(play: Play | EncError) -> None:
    assert not isinstance(play, EncError), f"{play} ({play.hint})"
    failures = played(play).failures
    assert not failures, "\n".join(["", *(f"{play.source}, line {each.line}: {each.says}" for each in failures)])


def test_the_fixtures_state_the_facts_that_they_stated_when_they_were_written_in_json() -> None:
    assert [*lines()] == KEPT.read_text("utf-8").splitlines()


def test_no_fact_of_a_fixture_is_written_in_json_except_dice_of_which_the_wrong_one_counts() -> None:
    left = [path.name for path in scripts() if any(map(IN_JSON.match, path.read_text("utf-8").splitlines()))]
    assert left == []


@pytest.mark.sampled
def test_fixtures_are_in_the_order_that_fmt_gives_them(whole: bool) -> None:
    for path in one_in(1 if whole else 8, scripts()):
        text = path.read_text("utf-8")
        assert formatted(text, path.name) == text
