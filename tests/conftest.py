"""Which tests are run, in two tiers; how long the random tests look: a few examples that are the same each time, or many new
ones; how much of the plays; in which order the tests are run.

    pytest -n auto                the first tier: what notices nearly every change, in a fraction of the time
    pytest -m full                the second: what costs much, or needs what the extra test-full installs; of what says the same
                                  many times a part, another one with another --turn N
    pytest -m full --whole        all of the second
    pytest tests/test_places.py   both, of the files that are named; likewise with any other -m, with -k, --whole, --snapshot-update
    pytest --hypothesis-profile=ci -m hypothesis
    pytest --hypothesis-profile=long tests/projections/test_laws.py
    pytest --whole -m sampled

A test of the second tier is marked `full`. A file of which all are has the line `pytestmark = pytest.mark.full`, by which the
first tier passes it by unread. `python -m tests.tiers` shows which changes to the program each tier notices. Where a test has
many parameters that are dear and seldom tell anything apart, such as each ruleset, it is marked `in_turn(N)`: one in N of those
of the second tier is run, others at another turn. `python -m tests.campaigns` takes the turn from its seed, so that all have theirs.

A test that is quick or slow takes so many times what the profile gives, or a part of it. What holds of every play and every
record, and takes long to ask, is asked of a sample, which is the same each time, or of all of them.

The tests of each ruleset are run one after another, and those of no ruleset before them: what they share, a rulebook that is
read and proven, is made once, and not in each process.
"""

import gc
import os
import re
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from importlib import import_module
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


FULL = "pytestmark = pytest.mark.full"
"""The line of a test file in which all tests are of the second tier."""
ONLY_FULL = ("distributed", "dask", "duckdb", "mcp", "moto", "obstore", "psycopg", "pyarrow", "schemathesis")
"""The distributions of the extra test-full; tests that need one are skipped with a reason if it is missing."""


def is_full(item: pytest.Item) -> bool:
    """Say whether a test is of the second tier."""
    return item.get_closest_marker("full") is not None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--whole", action="store_true", help="ask of all what is asked of a sample or in turn")
    parser.addoption("--turn", type=int, default=0, metavar="N", help="which part of the tests that are run in turn")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "sampled: asks a sample of the plays or their records; with --whole, all of them"
    )
    config.addinivalue_line(
        "markers", "full: of the second tier, which pytest -m full runs; pytest alone runs the first"
    )
    config.addinivalue_line("markers", "in_turn(n): of what is full of it, one in n is run; which ones, says --turn")
    if config.getoption("--hypothesis-profile", None) in (None, "short"):
        _try_no_constants_of_the_program()


def _try_no_constants_of_the_program() -> None:
    """Keep hypothesis from reading each module for constants to try: that takes as long as to collect the tests, and the examples
    would depend on which modules were imported before.
    """
    from hypothesis.internal.conjecture import providers

    if hasattr(providers, "_get_local_constants"):
        none = providers._local_constants
        providers._get_local_constants = lambda: none


def waits_for_its_turn(items: Iterable[pytest.Item], turn: int) -> set[pytest.Item]:
    """Return the tests that are not run at this turn, of each test that is run in turn."""
    waiting, places = set[pytest.Item](), Counter[str]()
    for item in items:
        if is_full(item) and (mark := item.get_closest_marker("in_turn")):
            test = item.nodeid.partition("[")[0]
            if places[test] % mark.args[0] != turn % mark.args[0]:
                waiting.add(item)
            places[test] += 1
    return waiting


def _asks_for_first(config: pytest.Config) -> bool:
    option = config.option
    return not (option.markexpr or option.keyword or option.whole or getattr(option, "update_snapshots", False))


def _is_named(path: Path, config: pytest.Config) -> bool:
    """Say whether a file is named on the command line, and not only a folder of it."""
    here = config.invocation_params.dir
    return any(here / each.partition("::")[0] == path for each in config.args if ".py" in each)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip a file without tests of the first tier, if that alone is asked for: importing it would take long."""
    if not collection_path.match("test_*.py") or not _asks_for_first(config) or _is_named(collection_path, config):
        return None
    return FULL in collection_path.read_text("utf-8").splitlines() or None


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Skip a file that imports a missing distribution of the extra test-full, with the reason."""
    report = yield
    lacks = re.search(r"^E +ModuleNotFoundError: No module named '(\w+)", str(report.longrepr), re.MULTILINE)
    if report.failed and lacks and lacks[1] in ONLY_FULL:
        reason = f"Skipped: {lacks[1]} is not installed: pip install '.[test-full]'"
        report.outcome, report.longrepr = "skipped", (str(collector.path), 1, reason)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Skip a test of the second tier that imports such a distribution by itself."""
    try:
        return (yield)
    except ModuleNotFoundError as error:
        lacks = (error.name or "").partition(".")[0]
        if lacks not in ONLY_FULL or not is_full(item):
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


def _read_a_share(config: pytest.Config) -> None:
    """Import some of the collected files, in each process others: pytest rewrites the assertions of a file that is read
    for the first time, which takes three times as long as everything else, and keeps them for the other processes.
    """
    number, count = (os.environ.get(f"PYTEST_XDIST_WORKER{each}", "") for each in ("", "_COUNT"))
    asked = [path for path in config.args if Path(path).is_dir()]
    files = sorted(path for folder in asked for path in Path(folder).resolve().rglob("test_*.py"))
    wanted = [path for path in files if not pytest_ignore_collect(path, config)]
    for path in wanted[int(number[2:]) :: int(count)] if number and count else ():
        with suppress(Exception, pytest.skip.Exception, pytest.fail.Exception):  # told when it is collected
            import_module(".".join(path.relative_to(config.rootpath).with_suffix("").parts))


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Collect with the garbage collector off, which saves a third of the time as there is no garbage; and leave out
    files that were collected later on.
    """
    gc.disable()
    try:
        _read_a_share(session.config)
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    named = {path for path in {item.path for item in items} if _is_named(path, config)}
    others = [item for item in items if item.path not in named]
    later = set[pytest.Item]()
    if _asks_for_first(config):
        later = {item for item in others if is_full(item)}
    elif not (config.option.whole or config.option.keyword):
        later = waits_for_its_turn(others, config.option.turn)
    config.hook.pytest_deselected(items=[item for item in items if item in later])
    items[:] = [item for item in items if item not in later]
    from projections.rulesets import keys

    known = keys()
    items.sort(key=lambda item: known.index(about) + 1 if (about := _ruleset(item)) in known else 0)


def _ruleset(item: pytest.Item) -> str:
    """Return the ruleset that a test is about, if it is run for several."""
    asked = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    of = next((asked[name] for name in ("key", "ruleset", "plays", "play") if name in asked), "")
    return str(getattr(of, "key", "") or getattr(of, "ruleset", "") or of)


@pytest.fixture(scope="session")
def whole(request: pytest.FixtureRequest) -> bool:
    """Say whether everything is tested, and not a sample."""
    asked: bool = request.config.getoption("--whole")
    return asked


@pytest.fixture(scope="session")
def turn(request: pytest.FixtureRequest) -> int:
    """Return the current turn of tests that are run in turn."""
    asked: int = request.config.getoption("--turn")
    return asked


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
