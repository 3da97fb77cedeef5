"""Making and changing the tables, by numbered SQL files, each once and all in one transaction."""

from collections.abc import Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.errors import DuplicateTable, UndefinedObject, UniqueViolation

from eventstore.errors import Busy, NotWritten
from eventstore.postgres import connections, statements
from eventstore.postgres.connections import Connection, Database

FOLDER = Path(__file__).with_name("migrations")
_LOCK = 0x656E63
"""The lock number for changes of the tables."""
_TABLE = """
create table if not exists migration (number int primary key, at timestamptz not null default now())
"""
_GRANTS = (
    "grant usage on schema {schema} to {role}",
    "grant select on migration, log, record, key, token, dice_secret to {role}",
    "grant insert on log, record, key, token, dice_secret to {role}",
    "grant update (seq, hash) on log to {role}",
    "grant update (revoked, only_one) on token to {role}",
)
"""The rights of a role that reads and appends, and owns nothing."""


def migrate_tables(database: Database, serve: Sequence[str] = ()) -> tuple[int, ...]:
    """Bring the tables to this version, and let roles read and append; return the numbers of the files that were run.

    Raises NotReadable, NotWritten, Busy, and NotMigrated if the tables are those of a later version.
    """
    connection = database.open_connection(migrated=False)
    connection.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
    try:
        with connection.transaction():
            done = _apply_missing(database, connection)
            ((schema,),) = connection.execute("select current_schema()").fetchall()
            for role, grant in product(serve, _GRANTS):
                names = {"schema": sql.Identifier(schema), "role": sql.Identifier(role)}
                connection.execute(sql.SQL(grant).format(**names))
    except UndefinedObject as error:
        raise NotWritten(
            database.url, connections.server_message(error), "create role NAME login; then run this again"
        ) from None
    except (DuplicateTable, UniqueViolation):
        raise Busy(database.url, 0.0, ("another migration",)) from None
    except psycopg.Error as error:
        raise connections.write_error(database.url, error, database.wait, lost=connection.broken) from None
    finally:
        with suppress(psycopg.Error):
            connection.close()
    return done


def migration_files() -> dict[int, Path]:
    """Return the SQL files by their numbers."""
    return {int(path.stem): path for path in sorted(FOLDER.glob("*.sql"))}


def _apply_missing(database: Database, connection: Connection) -> tuple[int, ...]:
    connection.execute(statements.timeout_settings("local", database.wait))
    if "advisory-lock" in database.able:
        connection.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))
    connection.execute(_TABLE)
    there = {number for (number,) in connection.execute("select number from migration")}
    if later := there.difference(migration_files()):
        raise connections.version_error(database.url, max(later))
    missing = {number: path for number, path in migration_files().items() if number not in there}
    for number, path in missing.items():
        connection.execute(path.read_bytes())
        connection.execute("insert into migration (number) values (%s)", (number,))
    return tuple(missing)
