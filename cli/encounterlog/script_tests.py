"""Encounter scripts as tests of pytest: a file is a collector, and each encounter in it a test."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from encounterlog.ask import scripts
from encounterlog.errors import Refused
from encounterlog.scripted import failure
from projections.proving.plays import Play
from projections.proving.proof import Failure, records_of, run


class NotHeld(Exception):
    """An encounter that was not as expected; the message says what, line by line."""


class Script(pytest.File):
    """A script, whose encounters are its tests."""

    def collect(self) -> Iterable["Encounter"]:
        """Return a test for each encounter."""
        try:
            found = scripts.plays(self.path, None)
        except Refused as refused:
            says = "\n".join((refused.says, *refused.details, *([f"hint: {refused.hint}"] if refused.hint else [])))
            raise self.CollectError(says) from None
        return [Encounter.from_parent(self, name=play.title, play=play) for play in found]


class Encounter(pytest.Item):
    """An encounter of a script: a test that holds if everything is as it expects."""

    def __init__(self, *, play: Play, **more: Any) -> None:
        super().__init__(**more)
        self.play = play

    def runtest(self) -> None:
        """Run the encounter; raise NotHeld with every line that does not hold, and the last facts before it."""
        done = run(self.play, proves=False)
        if not done.proven:
            raise NotHeld("\n".join(self._says(done.failures)))

    def _says(self, failures: Iterable[Failure]) -> Iterator[str]:
        records = records_of(self.play)
        for each in failures:
            asked = (one for one in self.play.expectations if one.line == each.line and one.verb == "value")
            value = next(asked, None) if each.found else None
            before = 1 + len(self.play.joined) + (value.after if value else 0)
            yield from failure(
                self.path, self.play, each.line, each.says, value.words[0] if value else "", records[:before]
            )

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the round and its expectations, instead of a traceback."""
        return str(excinfo.value) if isinstance(excinfo.value, NotHeld) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where the encounter begins."""
        return self.path, self.play.line - 1, self.name
