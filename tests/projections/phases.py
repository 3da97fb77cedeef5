"""What the tests of phases share with others."""

import pytest

from projections.proving.plays import Play
from projections.proving.proof import records_of
from projections.rulesets import find
from tests.projections.shuffling import outcome, shuffle

SEEDS = (1, 2, 3)


def stays_the_same(plays: list[Play], key: str, seeds: tuple[int, ...], patch: pytest.MonkeyPatch) -> None:
    logs = [records_of(play) for play in plays]
    before = [outcome(log) for log in logs]
    for seed in seeds:
        with patch.context() as shuffled:
            shuffle(shuffled, find(key), seed)
            for play, log, same in zip(plays, logs, before, strict=True):
                assert outcome(log) == same, f"{play.source}, line {play.line}, seed {seed}"
