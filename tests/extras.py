"""Slow tests that need the extra test-full: they are skipped, with the reason, where it is not installed."""

import re
from collections.abc import Generator

import pytest

from tests.selection import is_slow

ONLY_SLOW = ("distributed", "dask", "duckdb", "mcp", "moto", "obstore", "psycopg", "pyarrow", "schemathesis")
"""The distributions of the extra test-full."""


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Skip a file that imports a missing distribution of the extra test-full, with the reason."""
    report = yield
    lacks = re.search(r"^E +ModuleNotFoundError: No module named '(\w+)", str(report.longrepr), re.MULTILINE)
    if report.failed and lacks and lacks[1] in ONLY_SLOW:
        reason = f"Skipped: {lacks[1]} is not installed: pip install '.[test-full]'"
        report.outcome, report.longrepr = "skipped", (str(collector.path), 1, reason)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Skip a slow test that imports such a distribution by itself."""
    try:
        return (yield)
    except ModuleNotFoundError as error:
        lacks = (error.name or "").partition(".")[0]
        if lacks not in ONLY_SLOW or not is_slow(item):
            raise
        pytest.skip(f"{lacks} is not installed: pip install '.[test-full]'")
