"""The games for which an import can be written: the ruleset of the log, and the way it takes a recording's contents."""

from typing import NamedTuple

from encounterlog.importers.transcript import USUAL
from encounterlog.log.opening import usable_rulesets
from projections.ruleset.documents import Recordings
from projections.rulesets import find


class Game(NamedTuple):
    """A ruleset, and the way its logs take a recording's contents."""

    ruleset: str
    takes: Recordings = Recordings()


PLAIN = Game(USUAL)


def game_of(ruleset: str) -> Game:
    """Return the game of a ruleset that is installed."""
    return Game(ruleset, find(ruleset).recordings or Recordings())


def list_games_with_imports() -> tuple[str, ...]:
    """Return the rulesets that take recordings, the usual one first; all that are installed are loaded."""
    found = [each.key for each in usable_rulesets() if each.recordings is not None]
    return tuple(sorted(found, key=lambda key: key != USUAL))
