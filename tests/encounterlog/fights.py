"""Logs of the encounters among the fixtures, made without the command, for tests of what it prints about them."""

from pathlib import Path

from encounterlog.log.opening import create_log
from projections.proving.plays import Play
from projections.proving.proof import records_of
from tests.projections.stage import FIXTURES, script


def fixture(folder: Path, name: str, number: int = 0) -> Path:
    """Make the log of a play of a script among the fixtures, named as in osric/s12-ten-in-three-rounds."""
    return log_of_play(folder / f"{name.replace('/', '-')}.jsonl", script(FIXTURES / f"{name}.enc")[number])


def log_of_play(path: Path, play: Play) -> Path:
    """Make the log of a play; nothing of it is refused, whatever rules it breaks."""
    create_log(str(path), [record.event for record in records_of(play) if record.event is not None], "gm")
    return path
