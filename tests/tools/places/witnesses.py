"""Witnesses of this repository: the plays of a ruleset with their golden pages, and tests that pytest collects."""

import gc
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import settings

from encounterlog_rulelab.trials import Witness, of_plays
from projections.rulesets import find
from tests.projections import golden
from tests.projections.stage import stage

EXAMPLES = 20
"""How many examples a random test looks at, always the same: more than when it is a test."""


def of_ruleset(key: str) -> list[Witness]:
    """Return the plays of a ruleset, each with its golden page."""
    ruleset = find(key)
    return of_plays(ruleset, stage(ruleset), golden.holds)


def of_test(item: pytest.Item) -> Witness:
    """Return a collected test as a witness."""

    def passes() -> bool:
        return all(not report.failed for report in runtestprotocol(item, log=False, nextitem=None))

    return Witness(f"{item.path.name}::{item.name}", str(item.path), (), passes)


def with_tests(files: Sequence[str], then: Callable[[list[Witness]], None], *, whole: bool = True) -> None:
    """Collect the tests in these files and do something with them while they can be run, in forked processes too; those that look
    at a sample or at random examples look at all or at more of them if it is to be the whole. Raise what that raises."""
    if files:
        with_items(files, lambda items: then([of_test(item) for item in items]), whole=whole)
    else:
        then([])


def with_items(files: Sequence[str], then: Callable[[list[pytest.Item]], None], *, whole: bool = False) -> None:
    """Collect the tests of both tiers in these files and do something with them, as with_tests does; raise what that raises."""
    errors: list[Exception] = []
    collected = False

    class Collected:
        @pytest.hookimpl(trylast=True)
        def pytest_configure(self, config: pytest.Config) -> None:
            if whole:
                config.option.hypothesis_profile = "long"
                settings.register_profile("search", settings(), max_examples=EXAMPLES)
                settings.load_profile("search")

        def pytest_runtestloop(self, session: pytest.Session) -> bool:
            if session.testsfailed:
                raise session.Failed(f"{session.testsfailed} of {len(files)} files of tests cannot be read")
            nonlocal collected
            collected = True
            gc.unfreeze()  # what was collected was left out (tests/conftest.py), and the functions that are changed with it
            try:
                then(session.items)
            except Exception as error:  # noqa: BLE001 - pytest would make a report of it
                errors.append(error)
            return True

    root = str(Path(__file__).parents[3])
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
    if not collected and code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        sys.exit(f"the tests in {', '.join(files)} cannot be collected: pytest says why")
