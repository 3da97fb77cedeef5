"""Slow tests, how long random ones look, and in which order tests are run.

pytest -n auto -m "not slow"        what notices nearly every change, in a fraction of the time
pytest -n auto -m slow              the others; many need the extra test-full
pytest --hypothesis-profile=ci      more random examples, new each time; with `long` many, and of everything that is otherwise
                                    asked of a sample, all
pytest --hypothesis-seed=N          another draw, also of slow tests marked `in_turn(n)`: of their parameters one in n is run
"""

import gc
import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.databases import postgres, tables, url
from tests.extras import pytest_make_collect_report, pytest_runtest_call
from tests.selection import pytest_collection_modifyitems, turn, whole

__all__ = [
    "postgres",
    "pytest_collection_modifyitems",
    "pytest_make_collect_report",
    "pytest_runtest_call",
    "tables",
    "turn",
    "url",
    "whole",
]

settings.register_profile(
    "short", max_examples=10, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)
settings.register_profile("ci", settings.get_profile("short"), max_examples=50, derandomize=False, print_blob=True)
settings.register_profile("long", settings.get_profile("short"), max_examples=1000, derandomize=False)
settings.load_profile("short")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave a file of slow tests unread if they are not asked for: importing it would take long."""
    if config.option.markexpr != "not slow" or not collection_path.match("test_*.py"):
        return None
    return "pytestmark = pytest.mark.slow" in collection_path.read_text("utf-8").splitlines() or None


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Keep neighbours together in several processes, as they share what is slow to set up."""
    if getattr(config.option, "numprocesses", None) and config.option.dist == "no":
        config.option.dist = "worksteal"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return one process more than there are cores: tests of services and terminals wait for half of their time."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect with the garbage collector off, which saves a third of the time as there is no garbage."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
