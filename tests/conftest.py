"""Slow tests, how long random ones look, and in which order tests are run.

pytest -n auto -m "not slow"        what notices nearly every change, in a fraction of the time
pytest -n auto -m slow              the others; many need the extra test-full
pytest --hypothesis-profile=ci      more random examples, new each time; with `long` many, and of everything that is otherwise
                                    asked of a sample, all
pytest --hypothesis-seed=N          another draw, also of slow tests marked `in_turn(n)`: of their parameters one in n is run
"""

import gc
import os
import re
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from eventstore.address import Url

settings.register_profile(
    "short", max_examples=10, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)
settings.register_profile("ci", settings.get_profile("short"), max_examples=50, derandomize=False, print_blob=True)
settings.register_profile("long", settings.get_profile("short"), max_examples=1000, derandomize=False)
settings.load_profile("short")

ONLY_SLOW = ("distributed", "dask", "duckdb", "mcp", "moto", "obstore", "psycopg", "pyarrow", "schemathesis")
"""The distributions of the extra test-full; slow tests that need one are skipped with a reason if it is missing."""


def is_slow(item: pytest.Item) -> bool:
    """Say whether a test is slow."""
    return item.get_closest_marker("slow") is not None


def waits_for_its_turn(items: Iterable[pytest.Item], turn: int) -> set[pytest.Item]:
    """Return the tests that are not run at this turn, of each slow test that is run in turn."""
    waiting, places = set[pytest.Item](), Counter[str]()
    for item in items:
        if is_slow(item) and (mark := item.get_closest_marker("in_turn")):
            test = item.nodeid.partition("[")[0]
            if places[test] % mark.args[0] != turn % mark.args[0]:
                waiting.add(item)
            places[test] += 1
    return waiting


def _turn(config: pytest.Config) -> int:
    seed = str(config.getoption("--hypothesis-seed", None))
    return int(seed) if seed.isdecimal() else 0


def _whole(config: pytest.Config) -> bool:
    return bool(config.getoption("--hypothesis-profile", None) == "long")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave a file of slow tests unread if they are not asked for: importing it would take long."""
    if config.option.markexpr != "not slow" or not collection_path.match("test_*.py"):
        return None
    return "pytestmark = pytest.mark.slow" in collection_path.read_text("utf-8").splitlines() or None


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


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests of a ruleset together, behind those of none: its rulebook is read once, and not in each process."""
    is_part = config.option.markexpr == "slow" and not _whole(config)
    later = waits_for_its_turn(items, _turn(config)) if is_part else set[pytest.Item]()
    config.hook.pytest_deselected(items=[item for item in items if item in later])
    from projections.rulesets import keys

    known = keys()
    items[:] = sorted(
        (item for item in items if item not in later),
        key=lambda item: known.index(about) + 1 if (about := _ruleset(item)) in known else 0,
    )


def _ruleset(item: pytest.Item) -> str:
    """Return the ruleset that a test is about, if it is run for several."""
    asked = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    of = next((asked[name] for name in ("key", "ruleset", "plays", "play") if name in asked), "")
    return str(getattr(of, "key", "") or getattr(of, "ruleset", "") or of)


@pytest.fixture(scope="session")
def whole(request: pytest.FixtureRequest) -> bool:
    """Say whether everything is tested, and not a sample."""
    return _whole(request.config)


@pytest.fixture(scope="session")
def turn(request: pytest.FixtureRequest) -> int:
    """Return the current turn of tests that are run in turn."""
    return _turn(request.config)


@pytest.fixture(scope="session")
def postgres() -> str:
    """Return the address of a PostgreSQL database in which tests make schemas of their own."""
    try:
        from tests import servers

        return servers.address()
    except ImportError as error:
        pytest.skip(f"PostgreSQL: psycopg cannot be imported: {error}")
    except servers.NoServer as reason:
        if os.environ.get("ENCOUNTER_TEST_POSTGRES_REQUIRED"):
            raise
        pytest.skip(f"PostgreSQL: {reason}")


@pytest.fixture(scope="session")
def tables(postgres: str) -> Iterator["Url"]:
    """Return the address of a database with the tables for logs."""
    from tests.servers import schema

    with schema(postgres) as made:
        yield made


@pytest.fixture
def url(postgres: str, tables: "Url") -> Iterator["Url"]:
    """Return the address of a database in which there is no log yet."""
    import psycopg

    yield tables
    with psycopg.connect(
        postgres, autocommit=True, options=f"-c search_path={tables.given.rpartition('%3D')[2]}"
    ) as own:
        own.execute("delete from log; delete from record; delete from key; delete from token")
