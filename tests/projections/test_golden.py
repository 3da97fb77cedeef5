"""The golden pages of plays: what each play comes to, in full, is what its page says (`golden.py` says how they are made)."""

import pytest

from projections.proving.enc import Play
from projections.rulesets import RULESETS, find
from tests.projections.golden import FOLDER, file_of, kept, page, title
from tests.projections.stage import stage

PLAYS = [play for key in RULESETS for play in stage(find(key))]


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: f"{play.ruleset}: {title(play)} ({play.source})")
def test_a_play_comes_to_what_its_page_says(play: Play) -> None:
    found = page(play)
    assert kept(file_of(play)).get(found.partition("\n")[0]) == found


def test_every_page_is_that_of_a_play() -> None:
    pages = {line for path in FOLDER.rglob("*.txt") for line in kept(path)}
    assert {f"== {title(play)}" for play in PLAYS} == pages
