"""A database of logs, a log in it, and its server; psycopg, which not every installation has, comes with those who ask for them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from eventstore.address import Url
    from eventstore.postgres.connections import Connection, Database
    from eventstore.postgres.store import PostgresStore
    from tests.eventstore.databases import Statements


@pytest.fixture
def database(url: "Url") -> Iterator["Database"]:
    from eventstore.postgres.connections import Database

    with Database(url) as opened:
        yield opened


@pytest.fixture
def named(url: "Url") -> Iterator["Database"]:
    from eventstore.postgres.connections import Database
    from tests import servers
    from tests.eventstore.databases import with_words

    with Database(with_words(url, application_name=servers.schema_of(url))) as opened:
        yield opened


@pytest.fixture
def store(database: "Database") -> "PostgresStore":
    from tests.eventstore.databases import create

    return create(database)


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> "Statements":
    from tests.eventstore.databases import Statements

    return Statements(monkeypatch)


@pytest.fixture
def owner(postgres: str, url: "Url") -> Iterator["Connection"]:
    import psycopg

    from tests import servers

    with psycopg.connect(postgres, autocommit=True, options=f"-c search_path={servers.schema_of(url)}") as opened:
        opened.execute("alter table log disable trigger user")
        yield opened
        opened.execute("alter table log enable trigger user")
