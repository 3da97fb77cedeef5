"""Witnesses: the plays and tests that may notice a change, and the places that each of them runs."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from encounterlog.ruleset_tools.marks import Marks
from encounterlog.ruleset_tools.place import forget
from projections.proving.pages import page
from projections.proving.plays import Play
from projections.proving.proof import run
from projections.proving.unnoticed import rules_about
from projections.ruleset.ruleset import Ruleset


@dataclass
class Witness:
    """A play or a test: the ruleset or file that it comes from, the rules that it is about, and how to ask it.

    `runs` has a bit for each place that it runs, by number; `seconds` of the processor is what it took, and `waits` by the clock.
    """

    title: str
    source: str
    about: tuple[str, ...]
    holds: Callable[[], bool]
    runs: int = 0
    seconds: float = 0.0
    waits: float = 0.0
    sound: bool = True

    def notices(self) -> bool:
        """Say whether it no longer holds; one that raises an error does not."""
        try:
            return not self.holds()
        except (Exception, SystemExit):  # noqa: BLE001 - whatever a changed function may come to
            return True


def of_plays(ruleset: Ruleset, plays: Iterable[Play], holds: Callable[[Play], bool] | None = None) -> list[Witness]:
    """Return plays of a ruleset as witnesses; `holds` compares the page of a play with its golden one, by default the one of the
    ruleset as it is now.
    """
    return [_of_play(ruleset, play, holds or _as_now(play)) for play in plays]


def _of_play(ruleset: Ruleset, play: Play, holds: Callable[[Play], bool]) -> Witness:
    title = f"{play.title} ({play.source}, line {play.line})"
    return Witness(title, ruleset.key, rules_about(ruleset, play), lambda: run(play).proven and holds(play))


def _as_now(play: Play) -> Callable[[Play], bool]:
    now = page(play, play.title)
    return lambda play: page(play, play.title) == now


def measured(witness: Witness, marks: Marks, files: Iterable[str]) -> tuple[bool, int, float, float]:
    """Ask a witness about the code as it is, with the caches in these files' folder empty: whether it holds, the places that it
    ran, its seconds of the processor and by the clock.
    """
    marks.put()
    for file in files:
        forget(file)
    marks.asked()
    start, began = time.process_time(), time.monotonic()
    sound = not witness.notices()
    return sound, marks.asked(), time.process_time() - start, time.monotonic() - began
