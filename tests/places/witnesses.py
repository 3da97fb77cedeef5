"""Witnesses: what may notice a change, a play or a test, and which places each of them runs."""

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import settings

from projections.proving.enc import Play
from projections.proving.proof import run
from projections.rulesets import find
from tests.places.marks import Marks
from tests.places.place import forget
from tests.projections import golden
from tests.projections.stage import stage
from tests.unnoticed import rules_about

EXAMPLES = 20
"""How many examples a random test looks at, always the same: more than when it is a test."""


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
        """Say whether it no longer holds; whoever raises an error does not."""
        try:
            return not self.holds()
        except (Exception, SystemExit):  # noqa: BLE001 - whatever a changed function may come to
            return True


def of_ruleset(key: str) -> list[Witness]:
    """Return the plays of a ruleset, each with its golden page."""
    ruleset = find(key)

    def witness(play: Play) -> Witness:
        title = f"{play.title} ({play.source}, line {play.line})"
        return Witness(title, key, rules_about(ruleset, play), lambda: run(play).proven and golden.holds(play))

    return [witness(play) for play in stage(ruleset)]


def of_test(item: pytest.Item) -> Witness:
    """Return a collected test as a witness."""

    def passes() -> bool:
        return all(not report.failed for report in runtestprotocol(item, log=False, nextitem=None))

    return Witness(f"{item.path.name}::{item.name}", str(item.path), (), passes)


def with_tests(files: Sequence[str], then: Callable[[list[Witness]], None], *, whole: bool = True) -> None:
    """Collect the tests in these files and do something with them while they can be run, in forked processes too; those that look
    at a sample or at random examples look at all or at more of them if it is to be the whole. Raise what that raises."""
    errors: list[Exception] = []

    class Collected:
        def pytest_configure(self, config: pytest.Config) -> None:
            if whole:
                config.option.whole = True
                settings.register_profile("search", settings(), max_examples=EXAMPLES)
                settings.load_profile("search")

        def pytest_runtestloop(self, session: pytest.Session) -> bool:
            if session.testsfailed:
                raise session.Failed(f"{session.testsfailed} of {len(files)} files of tests cannot be read")
            try:
                then([of_test(item) for item in session.items])
            except Exception as error:  # noqa: BLE001 - pytest would make a report of it
                errors.append(error)
            return True

    if not files:
        then([])
        return
    root = str(Path(__file__).parents[2])
    quiet = (
        "-s",
        "-p",
        "no:terminal",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:randomly",
        "--rootdir",
        root,
        "-o",
        "addopts=",
        "--assert=plain",  # where the project is installed it brings a plugin, and pytest would rewrite what is imported already
    )
    code = pytest.main([*quiet, *files], plugins=[Collected()])
    if errors:
        raise errors[0]
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        sys.exit(f"the tests in {', '.join(files)} cannot be collected: pytest says why")


# ---------------------------------------------------------------- which places a witness runs


def measured(witness: Witness, marks: Marks, files: Iterable[str]) -> tuple[bool, int, float, float]:
    """Ask a witness about the code as it is, with nothing in the caches beside these files: whether it holds, the places that it ran,
    the seconds that it took of the processor and by the clock."""
    marks.put()
    for file in files:
        forget(file)
    marks.asked()
    start, began = time.process_time(), time.monotonic()
    sound = not witness.notices()
    return sound, marks.asked(), time.process_time() - start, time.monotonic() - began
