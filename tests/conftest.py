"""How long the random tests look: a few examples that are the same each time, or many new ones; how much of the plays; in
which order the tests are run.

    pytest --hypothesis-profile=ci -m hypothesis
    pytest --hypothesis-profile=long tests/projections/test_laws.py
    pytest --whole -m sampled

A test that is quick or slow takes so many times what the profile gives, or a part of it. What holds of every play and every
record, and takes long to ask, is asked of a sample, which is the same each time, or of all of them.

The tests of each ruleset are run one after another, and those of no ruleset before them: what they share, a rulebook that is
read and proven, is made once, and not in each process.
"""

import os
from collections.abc import Iterator
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


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--whole", action="store_true", help="ask of all plays and records what is asked of a sample")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "sampled: asks a sample of the plays or their records; with --whole, all of them"
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return one process more than there are cores: who asks a service or a terminal waits for half of the time."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
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
    """Say whether everything is asked, and not a sample."""
    asked: bool = request.config.getoption("--whole")
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
