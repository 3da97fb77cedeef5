"""The list of stores and services that are wrong on purpose, and who notices each: `python -m tests.faults --wrong`."""

from collections.abc import Callable
from pathlib import Path

import pytest

FILES = tuple(str(Path(__file__).with_name(name)) for name in ("test_biting.py", "test_services.py"))
HEAD = "| wrong | kind | noticed by | as |  |\n|---|---|---|---|---|"
BREACHES = {
    "I1": "an acked event lost",
    "I2": "an event invented or doubled",
    "I3": "a batch split",
    "I4": "a log that does not verify",
    "I5": "what a reader saw gone",
    "I6": "a refusal or an error without the reason",
}
"""What the invariants that judging.py checks are about."""


class Rows:
    """Tells a row for each of them, as soon as it was put to its part of the campaign."""

    def __init__(self, tell: Callable[[str], object]) -> None:
        self._tell = tell

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Tell what came of a test, which says so once it was called, or cannot be."""
        if report.when == "call" or not report.passed:
            self._tell(row(report))


def row(report: pytest.TestReport) -> str:
    """Return a row of the table: its cells are the name of the test and its parameters."""
    name, _, parameters = report.nodeid.rpartition("::")[2].removesuffix("]").partition("_fails[")
    wrong, part, invariant = parameters.rsplit("-", 2)
    came = {"passed": "noticed", "failed": "NOT NOTICED"}.get(report.outcome, f"not tried here: {reason(report)}")
    kind = name.removeprefix("test_a_").replace("_", " ")
    return f"| {wrong} | {kind} | {part} | {BREACHES[invariant]} | {came} |"


def reason(report: pytest.TestReport) -> str:
    """Return why a test was skipped."""
    return str(report.longrepr[2]).removeprefix("Skipped: ") if isinstance(report.longrepr, tuple) else ""


def all_are_noticed(tell: Callable[[str], object]) -> bool:
    """Put every one of them to its part of the campaign, and tell the table; return whether all are noticed."""
    tell(HEAD)
    how = ("-p", "no:terminal", "-p", "no:cacheprovider", "-o", "addopts=", "-k", "_fails")
    return pytest.main([*how, *FILES], plugins=[Rows(tell)]) == pytest.ExitCode.OK
