"""Single steps of the store in PostgreSQL, on a real server: what is asked, how often, and what each answer leads to."""

from collections.abc import Iterator

import pytest

from eventstore.address import Url
from eventstore.chain import Anchor
from eventstore.errors import CorruptLog, NotThere, NotWritten, WrongVersion
from eventstore.postgres import following, keeping, migrating
from eventstore.postgres.connections import Connection, Database
from eventstore.postgres.store import PostgresStore
from tests import servers
from tests.eventstore.databases import Statements, connected, create
from tests.eventstore.followers import Following
from tests.eventstore.logs import AT, OPENING, drafts, log_of, rounds

pytestmark = pytest.mark.slow


# ---------------------------------------------------------------- appends


def test_an_append_that_is_there_already_sends_no_lines(store: PostgresStore, statements: Statements) -> None:
    store.append(rounds(1, 2), by="gm", at=AT, key="k")
    statements.sent.clear()
    assert store.append(rounds(1, 2), by="gm", at=AT, key="k").again
    other = PostgresStore(store._database, "ford")
    assert other.append(rounds(1, 2), by="gm", at=AT, key="k").again
    with pytest.raises(WrongVersion):
        other.append(rounds(1, 2), by="gm", at=AT, after=1)
    inserted = [each for each in statements.sent if "insert into record" in each]
    assert len(inserted) == 1  # the straight one, which its key refused
    assert "commit" not in statements.sent


def test_an_append_needs_no_second_connection(url: Url, store: PostgresStore) -> None:
    with Database(url, wait=0.5, most=1) as small:
        lone = PostgresStore(small, "ford")
        for number in range(2):
            store.append(rounds(number, 2), by="ana", at=AT, key=f"{number}")
            assert lone.append(rounds(number, 1), by="gm", at=AT).last == 3 * number + 4
        store.append(rounds(3, 1), by="ana", at=AT)
        assert lone.append(rounds(0, 2), by="gm", at=AT, key="0").again
        store.append(rounds(4, 1), by="ana", at=AT)
        with pytest.raises(WrongVersion) as caught:
            lone.append(rounds(9, 1), by="gm", at=AT, after=7)
    assert [record.seq for record in caught.value.between] == [8, 9]


def test_an_append_of_which_the_server_drops_lines_is_not_written(store: PostgresStore, owner: Connection) -> None:
    owner.execute("create or replace function drops() returns trigger language plpgsql as $$ begin return null; end $$")
    owner.execute("create trigger drops before insert on record for each row execute function drops()")
    try:
        with pytest.raises(NotWritten, match="the end of the log moved"):
            PostgresStore(store._database, "ford").append(rounds(1, 1), by="gm", at=AT)
        assert list(store.read(1)) == []
    finally:
        owner.execute("drop trigger drops on record")
    assert store.append(rounds(1, 1), by="gm", at=AT).last == 2


# ---------------------------------------------------------------- reading


def test_what_others_appended_is_told_without_a_look_at_what_is_before_it(
    database: Database, owner: Connection
) -> None:
    store = create(database, "ford", rounds(1, 1), rounds(2, 1))
    list(store.read())
    PostgresStore(database, "ford").append(rounds(3, 2), by="ana", at=AT)
    owner.execute("update record set line = 'x' where seq = 2")
    for after, between in ((3, [4, 5]), (4, [5])):
        with pytest.raises(WrongVersion) as caught:
            store.append(rounds(9, 1), by="gm", at=AT, after=after)
        assert [record.seq for record in caught.value.between] == between
    with pytest.raises(WrongVersion) as late:
        store.append(rounds(9, 1), by="gm", at=AT, after=9)
    assert late.value.between == ()


def test_of_a_log_whose_last_record_is_missing_the_rest_is_not_read(database: Database, owner: Connection) -> None:
    store = create(database, "ford", rounds(1, 1), rounds(2, 1))
    records = list(store.read())
    owner.execute("delete from record where seq = 3")
    for look in (
        lambda: list(PostgresStore(database, "ford").read(Anchor(2, records[1].hash))),
        lambda: store.append(rounds(9, 1), by="gm", at=AT, after=2),
    ):
        with pytest.raises(CorruptLog, match=r"line 3 .*the last record is 2, but the log was left with 3"):
            look()


def test_damage_behind_what_is_known_is_named_with_its_byte(store: PostgresStore, owner: Connection) -> None:
    known = store.append(rounds(1, 2), by="gm", at=AT).records[-1]
    size = len(b"".join(store.lines()))
    PostgresStore(store._database, "ford").append(rounds(3, 1), by="ana", at=AT)
    owner.execute("update record set line = 'x' where seq = 4")
    for look in (lambda: list(store.read(Anchor(known.seq, known.hash))), lambda: list(store.read(3)), store.head):
        with pytest.raises(CorruptLog) as caught:
            look()
        assert (caught.value.line, caught.value.offset) == (4, size)


def test_what_the_server_refuses_is_asked_once(store: PostgresStore, owner: Connection, statements: Statements) -> None:
    owner.execute("alter table record rename column line to away")
    statements.sent.clear()
    try:
        with pytest.raises(Exception, match="no tables for logs"):
            store.head()
    finally:
        owner.execute("alter table record rename column away to line")
    assert sum("from log where name" in each for each in statements.sent) == 1


# ---------------------------------------------------------------- whole logs


def test_a_log_is_removed_at_its_own_end_alone(database: Database) -> None:
    store = create(database, "ford", rounds(1, 1))
    end = store.head()
    with pytest.raises(WrongVersion):
        keeping.remove_log(database, store.path, "ford", Anchor(1, end.hash))
    with pytest.raises(NotWritten, match="has another hash than the anchor"):
        keeping.remove_log(database, store.path, "ford", Anchor(2, "0" * 64))
    with pytest.raises(NotThere):
        keeping.remove_log(database, store.path, "bridge", end)
    keeping.remove_log(database, store.path, "ford", end)
    assert keeping.list_names(database) == ()


def test_a_new_log_that_loses_its_connection_before_commit_is_unwritten(
    url: Url, named: Database, owner: Connection
) -> None:
    lines = log_of(drafts(OPENING), rounds(1, 1)).splitlines(keepends=True)

    def cut() -> Iterator[bytes]:
        yield lines[0]
        for pid in connected(owner, url):
            owner.execute("select pg_terminate_backend(%s, 5000)", (pid,))
        yield lines[1]

    with pytest.raises(NotWritten):
        keeping.create_log(named, named.url, "ford", cut())
    assert keeping.list_names(named) == ()


# ---------------------------------------------------------------- tables


@pytest.mark.parametrize("without", ["", "advisory-lock"])
def test_migrations_lock_a_number_where_the_server_can(postgres: str, statements: Statements, without: str) -> None:
    with servers.schema(postgres, migrated=False, without=without) as url, Database(url) as database:
        statements.sent.clear()
        migrating.migrate_tables(database)
    assert any("pg_advisory_xact_lock" in each for each in statements.sent) == (not without)


# ---------------------------------------------------------------- following


def test_who_follows_a_log_that_is_removed_is_told_at_once(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "ATTENTION", 0.02)
    monkeypatch.setattr(following, "PATIENCE", 600)
    with Following(store) as follower:
        follower.until(1)
        keeping.remove_log(store._database, store.path, "ford", store.head())
        assert isinstance(follower.ends(), NotThere)
