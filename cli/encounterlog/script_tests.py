"""Encounter scripts as tests of pytest: a file is a collector, and each encounter in it a test."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from encounterlog.errors import Refused
from encounterlog.reading import scripts
from encounterlog.said import answer
from encounterlog.text.facts import sentence
from eventstore.errors import Malformed
from eventstore.events import RoundStarted
from projections.proving.plays import Play, ScriptRow
from projections.proving.proof import Failure, records_of, run


class NotHeld(Exception):
    """An encounter that was not as expected; the message says what, line by line."""


MOST = 20
"""The most facts of a round that a failure shows."""


def _round(rows: Sequence[ScriptRow]) -> Sequence[ScriptRow]:
    """Return the facts of the last round that has begun, if there are many the last of them."""
    begins = max((place for place, row in enumerate(rows) if isinstance(row.event, RoundStarted)), default=0)
    return rows[max(begins, len(rows) - MOST) :]


class Script(pytest.File):
    """A script, whose encounters are its tests."""

    def collect(self) -> Iterable["Encounter"]:
        """Return a test for each encounter."""
        try:
            found = scripts.plays(self.path, None)
        except Refused as failure:
            says = "\n".join((failure.says, *failure.details, *([f"hint: {failure.hint}"] if failure.hint else [])))
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
        lines = self.path.read_text("utf-8").splitlines()
        for each in failures:
            rows = [row for row in self.play.facts if row.line < each.line]
            yield f"{self.path.name}, line {each.line}: {each.says}"
            yield from (f"    {row.line:>4}  {sentence(row.event)}" for row in _round(rows))
            yield f"  > {each.line:>4}  {lines[each.line - 1].strip()}"
            yield from (f"          {line}" for line in self._why(each))

    def _why(self, failure: Failure) -> list[str]:
        """Return the reason of a value that differs from the expected one; nothing for any other failure."""
        asked = (each for each in self.play.expectations if each.line == failure.line and each.verb == "value")
        expected = next(asked, None)
        if expected is None or not failure.found:
            return []
        recorded = records_of(self.play)[: 1 + len(self.play.joined) + expected.after]
        try:
            return str(answer("why", recorded, question=expected.words[0])).splitlines()
        except Malformed:
            return []  # a value that has no reason to tell

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the round and its expectations, instead of a traceback."""
        return str(excinfo.value) if isinstance(excinfo.value, NotHeld) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where the encounter begins."""
        return self.path, self.play.line - 1, self.name
