"""The golden pages of plays: what a play comes to, in full, is what its page says (`golden.py` says which have one)."""

import pytest

from projections.rulesets import RULESETS
from tests.projections.golden import FOLDER, file_of, has_page, kept, page, title, with_pages
from tests.projections.stage import Script, every_script, one_in

PLAYS = 4
"""Of so many pages of a script one is in the sample."""


@pytest.mark.sampled
@every_script()
def test_plays_come_to_what_their_pages_say(plays: Script, whole: bool) -> None:
    for play in one_in(1 if whole else PLAYS, filter(has_page, plays)):
        found = page(play)
        assert kept(file_of(play)).get(found.partition("\n")[0]) == found


@pytest.mark.full
def test_every_page_is_that_of_a_play() -> None:
    pages = {line for path in FOLDER.rglob("*.txt") for line in kept(path)}
    assert {f"== {title(play)}" for key in RULESETS for play in with_pages(key)} == pages
