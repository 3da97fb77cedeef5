"""Recordings with values that nobody wrote by hand: read all the same, or refused in a sentence."""

import json
import random
from contextlib import suppress
from pathlib import Path

import pytest

from encounterlog.importers.games import game_of, list_games_with_imports
from encounterlog.importers.transcript import BadSource
from encounterlog_avrae import recordings
from encounterlog_avrae.command import split_words
from encounterlog_avrae.printed import read_roll
from tests.encounterlog.hostile_imports import spoiled, taken

RECORDINGS = Path(__file__).parent / "recordings"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_recording_with_odd_values_is_read_or_refused(seed: int) -> None:
    chance = random.Random(seed)
    rows = [json.loads(line) for line in (RECORDINGS / "fireball" / "raw.jsonl").read_text().splitlines()]
    for place in chance.sample(range(len(rows)), 20):
        rows[place] = spoiled(rows[place], chance)
    for game in map(game_of, list_games_with_imports()):
        with suppress(BadSource):
            taken(recordings.read([json.dumps(row) for row in rows], game=game, talk=True))


@pytest.mark.parametrize("digits", [19, 5000])
def test_a_roll_with_a_number_that_no_log_holds_is_none(digits: int) -> None:
    assert read_roll(f"1d6 (3) + {'9' * digits} = `{'9' * digits}`") is None


def test_a_long_command_of_quotes_that_nobody_closes_is_split_at_once() -> None:
    assert split_words("“" * 200_000) == ["“" * 200_000]
