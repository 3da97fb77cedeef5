"""The golden pages of plays: what each play comes to, in full, is what its page says (`golden.py` says how they are made)."""

import pytest

from projections.rulesets import RULESETS, find
from tests.projections.golden import FOLDER, file_of, kept, page, title
from tests.projections.stage import Script, every_script, one_in, stage

PLAYS = 6
"""Of so many plays of a script one is in the sample."""


@pytest.mark.sampled
@every_script()
def test_plays_come_to_what_their_pages_say(plays: Script, whole: bool) -> None:
    for play in one_in(1 if whole else PLAYS, plays):
        found = page(play)
        assert kept(file_of(play)).get(found.partition("\n")[0]) == found


def test_every_page_is_that_of_a_play() -> None:
    pages = {line for path in FOLDER.rglob("*.txt") for line in kept(path)}
    assert {f"== {title(play)}" for key in RULESETS for play in stage(find(key))} == pages
