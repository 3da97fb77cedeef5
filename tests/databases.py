"""Databases for tests, as fixtures; a test is skipped, with the reason, where there is no PostgreSQL and none is asked for."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from eventstore.address import Url


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
