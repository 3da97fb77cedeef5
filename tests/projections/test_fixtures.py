"""Every encounter among the fixtures comes out as it says: each value at its place, and exactly its findings."""

import pytest

from projections.proving.enc import EncError, Play
from tests.projections.stage import FIXTURES, played, script, scripts


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
