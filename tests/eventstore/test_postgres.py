"""The store in PostgreSQL, on a real server: the contract, with and without what not every engine can do, and its own promises."""

import _thread
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege

from eventstore.address import Url
from eventstore.chain import LogPosition
from eventstore.errors import (
    AlreadyThere,
    Busy,
    CorruptLog,
    KeyReused,
    Malformed,
    NotMigrated,
    NotReadable,
    NotWritten,
    OutcomeUnknown,
    Rewritten,
    StoreError,
    WrongVersion,
)
from eventstore.postgres import connections, following, keeping, looking, migrating, statements
from eventstore.postgres.connections import Connection, Database
from eventstore.postgres.keeping import TokenRow, TokenTable
from eventstore.postgres.statements import VERSION
from eventstore.postgres.store import PostgresStore
from eventstore.record import Draft
from tests import servers
from tests.eventstore import verifier
from tests.eventstore.contract import StoreContract
from tests.eventstore.databases import (
    LOST,
    Statements,
    at_commit,
    break_who_waits_for,
    create,
    roll_back,
    unreadable,
    with_words,
)
from tests.eventstore.followers import Following, together
from tests.eventstore.logs import AT, OPENING, counted, drafts, log_of, rounds
from tests.waiting import LONGEST

pytestmark = pytest.mark.slow


class Contract(StoreContract):
    without = ""

    @pytest.fixture(autouse=True)
    def attentive(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(following, "ATTENTION", 0.02)

    @pytest.fixture
    def database(self, url: Url) -> Iterator[Database]:
        with Database(with_words(url, without=self.without) if self.without else url) as opened:
            yield opened

    @pytest.fixture
    def store(self, database: Database) -> PostgresStore:
        return create(database)

    @pytest.fixture
    def another(self, database: Database) -> Callable[[], PostgresStore]:
        return lambda: PostgresStore(database, "ford")


class TestTheContract(Contract): ...


class TestTheContractWithoutTheAdvisoryLock(Contract):
    """The tables, too, are made without it."""

    without = "advisory-lock"

    @pytest.fixture
    def url(self, postgres: str) -> Iterator[Url]:
        with servers.schema(postgres, without=self.without) as made:
            yield made


class TestTheContractWithoutAny(Contract):
    without = "listen,advisory-lock,settings"


# ---------------------------------------------------------------- the same lines


def test_it_holds_the_same_lines_as_a_file(database: Database) -> None:
    create(database)
    entropy = counted()
    entropy(16)  # the opening's
    store = PostgresStore(database, "ford", entropy=entropy)
    store.append(rounds(1, 3), by="gm", at=AT)
    store.append(rounds(4, 1), by="gm", at=AT, key="k")
    keyed = [Draft(rounds(4, 1)[0].event, key="k")]
    data = b"".join(store.lines())
    assert data == log_of(drafts(OPENING), rounds(1, 3), keyed)
    assert verifier.first_fault(data)[0] == 0


# ---------------------------------------------------------------- round trips


def test_an_append_is_one_round_trip_once_the_log_is_known(store: PostgresStore, statements: Statements) -> None:
    store.append(rounds(1, 1), by="gm", at=AT)
    statements.sent.clear()
    store.append(rounds(2, 3), by="gm", at=AT)
    store.append(rounds(5, 1), by="gm", at=AT, after=5, key="k")
    assert len(statements.sent) == 2
    list(store.read(6))
    statements.sent.clear()
    store.append(rounds(2, 1), by="gm", at=AT)
    assert len(statements.sent) == 1


def test_who_lost_a_race_takes_the_lock_until_nobody_comes_in_between(
    store: PostgresStore, database: Database, statements: Statements
) -> None:
    other = PostgresStore(database, "ford")
    sent = []
    for handle in (store, store, other, store, store, store):
        statements.sent.clear()
        handle.append(rounds(1, 1), by="gm", at=AT)
        locks = any("for update" in each for each in statements.sent)
        sent.append((locks, sum("insert into record" in each for each in statements.sent)))
    alone, locked, both = (False, 1), (True, 1), (True, 2)
    assert sent == [locked, alone, locked, both, locked, alone]
    assert store.verify().sound


def test_a_long_log_is_read_in_pages(
    store: PostgresStore, statements: Statements, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "_MOST", 10)
    store.append(rounds(0, 100), by="gm", at=AT)
    statements.sent.clear()
    assert [record.seq for record in PostgresStore(store._database, "ford").read()] == list(range(1, 102))
    pages = [each for each in statements.sent if "limit" in each]
    assert len(pages) == 1 + 4


def test_a_row_that_is_missing_or_too_long_is_named_with_its_byte() -> None:
    for third, why in (((4, b"d"), "record 3 is missing: the next one is record 4"), ((3, b"d" * (1 << 20)), "longer")):
        found = [(1, b"ab"), (2, b"c"), third]
        lines = looking.FetchedLines(
            Url("postgresql://h/d/ford"), lambda *_, found=found: found, LogPosition(100, 0, "")
        )
        assert [lines.readline() for _ in range(2)] == [b"ab\n", b"c\n"]
        with pytest.raises(CorruptLog, match=why) as caught:
            lines.readline()
        assert (caught.value.line, caught.value.offset) == (3, 105)


def test_rows_that_go_while_they_are_read_are_named_as_missing(store: PostgresStore, owner: Connection) -> None:
    store.append(rounds(0, 100), by="gm", at=AT)
    for number in range(100):
        store.append(rounds(number, 1), by="gm", at=AT)
    reading = PostgresStore(store._database, "ford").read()
    next(reading)
    owner.execute("delete from record where seq > 150")
    with pytest.raises(CorruptLog, match="line 151"):
        list(reading)


def test_a_handle_that_found_a_fault_behind_the_end_does_not_append(store: PostgresStore, owner: Connection) -> None:
    store.append(rounds(1, 1), by="gm", at=AT)
    owner.execute("insert into record select log, 9, line from record where seq = 2")
    other = PostgresStore(store._database, "ford")
    problem = other.verify().problem
    assert problem is not None
    assert problem.line == 3
    with pytest.raises(CorruptLog, match="line 3"):
        other.append(rounds(2, 1), by="gm", at=AT)


# ---------------------------------------------------------------- appends of others


def test_a_lock_that_somebody_holds_is_waited_for_so_long(url: Url, store: PostgresStore, owner: Connection) -> None:
    store.append(rounds(1, 1), by="gm", at=AT)
    with Database(url, wait=0.1) as hasty, owner.transaction():
        owner.execute("select 1 from log for update")
        for known in (False, True):
            other = PostgresStore(hasty, "ford")
            if known:
                list(other.read())
            with pytest.raises(Busy, match=r"held the lock for 0\.1 s"):
                other.append(rounds(2, 1), by="gm", at=AT)
    assert other.append(rounds(2, 1), by="gm", at=AT).last == 3


def test_a_program_waits_for_its_own_connections_only_so_long(url: Url, store: PostgresStore) -> None:
    with (
        Database(url, wait=0.05, most=1) as small,
        small.connection(),
        pytest.raises(Busy, match="1 other threads of this program"),
    ):
        PostgresStore(small, "ford").head()
    assert store.head().seq == 1


# ---------------------------------------------------------------- connections that break, commits that are refused


@pytest.mark.parametrize("times", [1, 2])
def test_a_look_whose_connection_breaks_is_repeated_once(store: PostgresStore, owner: Connection, times: int) -> None:
    found: list[object] = []

    def look() -> None:
        try:
            found.append(store.head().seq)
        except StoreError as error:
            found.append(type(error))

    thread = threading.Thread(target=look)
    with owner.transaction():
        owner.execute("lock table log in access exclusive mode")
        thread.start()
        for _ in range(times):
            break_who_waits_for(owner)
    thread.join()
    assert found == ([1] if times == 1 else [NotReadable])


@pytest.mark.parametrize("known", [False, True])
def test_an_append_whose_commit_the_server_refuses_is_not_written(
    store: PostgresStore, owner: Connection, known: bool
) -> None:
    if known:
        list(store.read())
    with at_commit(owner, "record", "raise exception 'not today'"), pytest.raises(NotWritten, match="not today"):
        store.append(rounds(1, 1), by="gm", at=AT)
    assert store.append(rounds(1, 1), by="gm", at=AT).last == 2


def test_a_secret_of_dice_is_found_again_or_whether_it_is_kept_is_unknown(
    database: Database, owner: Connection
) -> None:
    with at_commit(owner, "dice_secret", LOST), pytest.raises(OutcomeUnknown):
        keeping.keep_dice_secret(database, "link", b"secret")
    assert keeping.dice_secret(database, "link") is None
    for _ in range(2):
        keeping.keep_dice_secret(database, "link", b"secret")
    assert keeping.dice_secret(database, "link") == b"secret"


def test_behind_a_pool_each_append_says_what_its_transaction_is(
    database: Database, statements: Statements, monkeypatch: pytest.MonkeyPatch
) -> None:
    create(database)
    database.close()
    monkeypatch.setattr(connections, "_is_direct", lambda _: False)
    store = PostgresStore(database, "ford")
    assert store.append(rounds(1, 1), by="gm", at=AT).last == 2
    statements.sent.clear()
    assert store.append(rounds(2, 1), by="gm", at=AT).last == 3
    first, append = statements.sent
    assert first.startswith("begin isolation level read committed; set local lock_timeout = 5000")
    assert "insert into record" in append
    PostgresStore(database, "ford").append(rounds(3, 1), by="ana", at=AT)
    statements.sent.clear()
    assert store.append(rounds(4, 1), by="gm", at=AT).last == 5
    assert "set local lock_timeout" in statements.sent[2]


# ---------------------------------------------------------------- servers that may lose what they confirmed


@pytest.mark.usefixtures("postgres")
@pytest.mark.parametrize("setting", ["fsync", "synchronous_commit"])
def test_a_whole_server_without_syncs_is_refused_durable_appends(setting: str) -> None:
    try:
        server = servers.Server(f"{setting}=off")
    except servers.NoServer as reason:
        pytest.skip(f"only a private PostgreSQL can be set so: {reason}")
    try:
        with (
            servers.schema(server.url()) as made,
            Database(made) as asking,
            Database(with_words(made, without="settings")) as trusting,
        ):
            with pytest.raises(NotWritten, match=f"{setting}=off: a power cut may undo"):
                create(asking)
            create(trusting).append(rounds(1, 1), by="gm", at=AT)
            store = PostgresStore(asking, "ford")
            for _ in range(2):
                with pytest.raises(NotWritten, match=f"{setting}=off"):
                    store.append(rounds(2, 1), by="gm", at=AT)
                assert len(list(store.read())) == 2
            assert store.append(rounds(2, 1), by="gm", at=AT, mode="flushed").last == 3
    finally:
        server.remove()


# ---------------------------------------------------------------- following


def test_who_follows_is_woken_by_an_append_of_another_program(
    url: Url, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "ATTENTION", 5)
    with Following(store) as follower, Database(url) as other:
        follower.until(1)
        writer = PostgresStore(other, "ford")
        for number in range(1, 4):
            writer.append(rounds(number, 1), by="gm", at=AT)
            assert follower.until(number + 1)[-1] == number + 1
        follower.stop.set()
        writer.append(rounds(9, 1), by="gm", at=AT)


def test_followers_beyond_those_that_may_listen_look_for_themselves(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "ATTENTION", 0.02)
    with together(Following(store) for _ in range(following.MOST + 2)) as followers:
        for follower in followers:
            follower.until(1)
        store.append(rounds(1, 1), by="gm", at=AT)
        assert [follower.until(2) for follower in followers] == [[1, 2]] * (following.MOST + 2)
    assert following._PLACES._value == following.MOST


def test_who_follows_bears_that_a_log_cannot_be_read_for_a_while(
    store: PostgresStore, owner: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "ATTENTION", 0.02)
    monkeypatch.setattr(following, "_PAUSE", 0.02)
    with Following(store) as follower:
        follower.until(1)
        for seq in (2, 3):
            with unreadable(owner):
                assert follower.stays_silent(0.3)
            store.append(rounds(1, 1), by="gm", at=AT)
            assert follower.until(seq) == list(range(1, seq + 1))


def test_who_follows_is_told_in_the_end_that_a_log_cannot_be_read(
    store: PostgresStore, owner: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "ATTENTION", 0.02)
    monkeypatch.setattr(following, "_PAUSE", 0.02)
    monkeypatch.setattr(following, "PATIENCE", 0.1)
    with Following(store) as follower:
        follower.until(1)
        with unreadable(owner):
            assert isinstance(follower.ends(), NotReadable)
    with unreadable(owner), Following(store) as late:
        assert isinstance(late.ends(), NotReadable)


def test_a_read_that_ends_late_makes_a_handle_forget_nothing(store: PostgresStore, owner: Connection) -> None:
    store.append(rounds(1, 1), by="gm", at=AT)
    late = store.read()
    next(late)
    for number in (2, 3):
        store.append(rounds(number, 1), by="gm", at=AT)
    list(late)
    roll_back(owner, 3)
    with pytest.raises(Rewritten):
        store.append(rounds(3, 1), by="gm", at=AT)


def test_a_handle_that_saw_what_is_gone_does_not_append_regardless(store: PostgresStore, owner: Connection) -> None:
    store.append(rounds(1, 2), by="gm", at=AT)
    roll_back(owner, 1)
    with pytest.raises(Rewritten, match="record 3 is no longer what it was: the log ends before it"):
        store.append(rounds(1, 1), by="gm", at=AT)
    assert store.append(rounds(1, 1), by="gm", at=AT).last == 2
    roll_back(owner, 1)
    with pytest.raises(WrongVersion):
        store.append(rounds(1, 1), by="gm", at=AT, after=2)
    assert store.append(rounds(1, 1), by="gm", at=AT, after=1).last == 2
    roll_back(owner, 1)
    assert store.append(rounds(1, 1), by="gm", at=AT, key="new").last == 2
    roll_back(owner, 1)
    PostgresStore(store._database, "ford").append(rounds(1, 3), by="ana", at=AT)  # longer than what this handle knows
    assert len(list(store.read())) == 4
    with pytest.raises(Rewritten, match="record 2 is no longer what it was: another stands there"):
        store.append(rounds(1, 1), by="gm", at=AT)
    roll_back(owner, 1)
    assert store.head().seq == 1


# ---------------------------------------------------------------- damage


DAMAGE: dict[str, tuple[str, str]] = {
    "a record deleted": ("delete from record where seq = 3", "record 3 is missing: the next one is record 4"),
    "the last record deleted": ("delete from record where seq = 5", "the last record is 4, but the log was left with 5:"),
    "a record changed": ("update record set line = overlay(line placing '9' from 9 for 1) where seq = 3", "line 3"),
    "half an append deleted": ("delete from record where seq = 4; delete from record where seq = 5", "cut short"),
    "a record behind the end": ("insert into record select log, 6, line from record where seq = 5", "line 6"),
    "another end": ("update log set hash = repeat('0', 64)", "the last record is 5, but the log was left with 5:000"),
    "an empty line": ("update record set line = '' where seq = 2", "line 2"),
    "a line too long": ("update record set line = convert_to(repeat('x', 1 << 20), 'UTF8') where seq = 2", "is longer than"),
    "two lines in one": ("update record set line = line || '\\x0a'::bytea || line where seq = 2", "line 2"),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_found_named_and_never_appended_to(database: Database, owner: Connection, damage: str) -> None:
    store = create(database, "ford", rounds(1, 1), rounds(2, 2), rounds(4, 1))
    statement, says = DAMAGE[damage]
    owner.execute(statement.encode())
    with pytest.raises(CorruptLog, match=says) as caught:
        list(PostgresStore(database, "ford").read())
    assert (caught.value.torn, "encounter backup" in caught.value.hint) == (False, True)
    with pytest.raises(CorruptLog, match=says):
        PostgresStore(database, "ford").append(rounds(9, 1), by="gm", at=AT)
    problem = PostgresStore(database, "ford").verify().problem
    assert problem is not None
    assert (problem.line, problem.offset, problem.torn) == (caught.value.line, caught.value.offset, False)
    assert len(b"".join(store.lines()).splitlines()) >= 3


def test_a_row_in_the_way_of_an_append_is_damage(store: PostgresStore, owner: Connection) -> None:
    store.append(rounds(1, 1), by="gm", at=AT)
    owner.execute("insert into record select log, 3, line from record where seq = 2")
    with pytest.raises(CorruptLog, match="line 3"):
        store.append(rounds(2, 1), by="gm", at=AT)


def test_damage_is_told_even_where_an_error_has_to_say_what_came_between(database: Database, owner: Connection) -> None:
    store = create(database, "ford", rounds(1, 1), rounds(2, 1), rounds(3, 1))
    list(store.read())
    owner.execute("update record set line = 'x' where seq = 3")
    with pytest.raises(CorruptLog, match="line 3"):
        store.append(rounds(9, 1), by="gm", at=AT, after=2)


# ---------------------------------------------------------------- roles, tables


ROLE = "encounterlog_test_serving"


@pytest.fixture
def serving(postgres: str, url: Url) -> Url:
    with (
        psycopg.connect(postgres, autocommit=True) as own,
        suppress(psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation),
    ):
        own.execute(f"create role {ROLE} login".encode())
    with Database(url) as database:
        migrating.migrate_tables(database, [ROLE])
    return Url(with_words(url, user=ROLE).given)


FORBIDDEN = (
    "truncate record", "truncate log", "delete from record", "delete from log", "delete from key", "update record set line = 'x'",
    "update record set seq = 7", "update log set name = 'x'", "update key set last = 7", "drop table record", "delete from token",
    "alter table record drop column line", "insert into migration values (99)", "update token set role = 'gm'",
    "update log set seq = 0", "update log set seq = 1", "update log set hash = 'x'",
)  # fmt: skip


def test_the_serving_role_reads_and_appends(serving: Url, store: PostgresStore) -> None:
    with Database(serving) as database:
        other = PostgresStore(database, "ford")
        assert other.append(rounds(1, 2), by="gm", at=AT, key="k").last == 3
        assert store.append(rounds(3, 1), by="gm", at=AT).last == 4
        assert other.append(rounds(4, 1), by="gm", at=AT).last == 5
        create(database, "of its own", rounds(1, 1))
        assert keeping.list_names(database) == ("ford", "of its own")
        with pytest.raises(NotWritten, match="permission denied") as caught:
            keeping.remove_log(database, other.path, "ford", other.head())
        assert "--serve ROLE" in caught.value.hint
    assert store.verify().sound


def test_what_a_role_may_not_read_is_not_readable(serving: Url, store: PostgresStore, owner: Connection) -> None:
    owner.execute(f"revoke select on log from {ROLE}".encode())
    try:
        with Database(serving) as database:
            for look in (PostgresStore(database, "ford").head, lambda: keeping.list_names(database)):
                with pytest.raises(NotReadable, match="permission denied") as caught:
                    look()
                assert "--serve ROLE" in caught.value.hint
    finally:
        owner.execute(f"grant select on log to {ROLE}".encode())
    assert store.head().seq == 1


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_the_serving_role_can_take_nothing_back(serving: Url, store: PostgresStore, statement: str) -> None:
    store.append(rounds(1, 1), by="gm", at=AT)
    with Database(serving) as database, database.connection() as connection, pytest.raises(InsufficientPrivilege):
        connection.execute(statement.encode())
    assert store.head().seq == 2


@pytest.mark.parametrize(
    ("first", "error"), [(1, KeyReused), (2, KeyReused), (3, NotWritten), (99, NotWritten), (0, NotWritten)]
)
def test_a_key_claimed_by_hand_lets_nothing_count_as_written(
    serving: Url, store: PostgresStore, first: int, error: type[Exception]
) -> None:
    store.append(rounds(1, 1), by="gm", at=AT)
    with Database(serving) as database, database.connection() as connection:
        connection.execute("insert into key select id, 'claimed', %(at)s, %(at)s from log", {"at": first})
    with pytest.raises(error):
        PostgresStore(store._database, "ford").append(rounds(1, 1), by="gm", at=AT, key="claimed")
    assert store.append(rounds(2, 1), by="gm", at=AT, key="mine").last == 3


def as_it_is(row: TokenRow) -> TokenRow:
    return row


def test_the_serving_role_revokes_a_token_once_and_for_all(serving: Url) -> None:
    with Database(serving) as database, database.connection() as connection:
        table = TokenTable(database, as_it_is, as_it_is)
        table.add(TokenRow("one", "digest", "gm", b"{}"))
        for _ in range(2):
            done = table.revoke("one", AT)
            assert done is not None
            assert done.revoked == AT
        for moment in ("", "2030-01-01T00:00:00.000000Z"):
            with pytest.raises(InsufficientPrivilege, match="a revoked token stays revoked"):
                connection.execute("update token set revoked = %s", (moment,))
        assert [row.revoked for row in table.all()] == [AT]


def test_a_first_token_of_a_role_is_kept_once(database: Database, owner: Connection) -> None:
    table = TokenTable(database, as_it_is, as_it_is)
    assert table.revoke("one", AT) is None
    assert table.add_first(TokenRow("one", "digest", "operator", b"{}"))
    assert not table.add_first(TokenRow("two", "other", "operator", b"{}"))
    with pytest.raises(NotWritten, match="duplicate key"):
        table.add(TokenRow("one", "another", "gm", b"{}"))
    assert table.revoke("one", AT) == table.find("digest") == TokenRow("one", "digest", "operator", b"{}", AT)
    assert not table.add_first(TokenRow("one", "another", "operator", b"{}"))  # whose id is taken
    owner.execute("alter table token rename to away")
    with pytest.raises(NotMigrated):
        table.add_first(TokenRow("three", "another", "operator", b"{}"))
    owner.execute("alter table away rename to token")
    assert [row.id for row in table.all()] == ["one"]


def test_tables_of_the_first_version_are_brought_to_this_one(postgres: str) -> None:
    with (
        servers.schema(postgres, migrated=False) as url,
        psycopg.connect(postgres, autocommit=True, options=f"-c search_path={servers.schema_of(url)}") as own,
        Database(url) as database,
    ):
        own.execute("create table migration (number int primary key, at timestamptz not null default now())")
        own.execute(migrating.migration_files()[1].read_bytes())
        own.execute("insert into migration values (1)")
        with pytest.raises(NotMigrated, match=f"the tables are of version 1, not {VERSION}"):
            keeping.list_names(database)
        assert migrating.migrate_tables(database) == tuple(migrating.migration_files())[1:]
        assert create(database).append(rounds(1, 1), by="gm", at=AT).last == 2


def test_tables_are_made_once_whoever_else_makes_them(postgres: str) -> None:
    for without in ("", "advisory-lock"):
        done: list[Any] = []
        with servers.schema(postgres, migrated=False, without=without) as url:

            def make(url: Url = url, done: list[Any] = done) -> None:
                with Database(url) as database:
                    try:
                        done.append(migrating.migrate_tables(database))
                    except Busy as error:
                        done.append(error)

            threads = [threading.Thread(target=make) for _ in range(3)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            make()
            assert done.count(tuple(migrating.migration_files())) == 1
            assert done[-1] == ()
            assert without or not any(isinstance(each, Busy) for each in done)


def test_tables_of_another_version_are_not_used(postgres: str) -> None:
    with servers.schema(postgres) as url, Database(url) as database, psycopg.connect(postgres, autocommit=True) as own:
        table = f"{servers.schema_of(url)}.migration"
        own.execute(f"insert into {table} values (99)".encode())
        for look in (lambda: keeping.list_names(database), lambda: migrating.migrate_tables(database)):
            with pytest.raises(NotMigrated, match=f"of version 99; this program knows those up to {VERSION}"):
                look()
        own.execute(f"delete from {table}".encode())
        with pytest.raises(NotMigrated, match="no tables for logs yet") as caught:
            PostgresStore(database, "ford").append(rounds(1, 1), by="gm", at=AT)
        assert "encounter migrate" in caught.value.hint


def test_a_role_that_is_not_there_is_named(postgres: str) -> None:
    with servers.schema(postgres, migrated=False) as url, Database(url) as database:
        with pytest.raises(NotWritten, match="nobody-at-all") as caught:
            migrating.migrate_tables(database, ["nobody-at-all"])
        assert "create role" in caught.value.hint
        with pytest.raises(NotMigrated):
            keeping.list_names(database)


# ---------------------------------------------------------------- connections


def test_a_connection_that_the_server_closed_is_not_used(store: PostgresStore, owner: Connection) -> None:
    for _ in range(2):
        store.append(rounds(1, 1), by="gm", at=AT)
        owner.execute(
            "select pg_terminate_backend(pid, 5000) from pg_stat_activity "
            "where application_name = 'encounterlog' and pid <> pg_backend_pid()"
        )
    assert store.append(rounds(1, 1), by="gm", at=AT).last == 4
    assert store.verify().sound


def test_statements_that_the_server_forgot_are_prepared_again(store: PostgresStore, database: Database) -> None:
    for writer in [store, PostgresStore(database, "ford")] * 3:  # who finds records of the other waits for the lock
        writer.append(rounds(1, 1), by="gm", at=AT)
        with database.connection() as connection:
            connection.execute("begin")
            connection.rollback()  # after which psycopg lets the server forget them
    assert store.verify().records == 7


def test_descriptors_beyond_those_that_select_takes_are_as_good(url: Url) -> None:
    script = """
import resource, sys, os, threading
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard) if hard > 0 else 4096, hard))
taken = [os.open(os.devnull, os.O_RDONLY) for _ in range(1100)]
from eventstore.address import Url
from eventstore.postgres.following import Listener, notify_followers
from eventstore.postgres.connections import Database
with Database(Url(sys.argv[1])) as database:
    for _ in range(2):
        with database.connection() as connection:
            print(connection.info.backend_pid, connection.fileno() > 1023)
    listener = Listener(database, threading.Event())
    with database.connection() as connection:
        notify_followers(connection, 1)
    listener.wait(20)
    print(listener._connection is not None)
    listener.close()
"""
    done = subprocess.run([sys.executable, "-c", script, url.given], capture_output=True, text=True, check=False)
    one, other, listens = done.stdout.splitlines() or [done.stderr] * 3
    assert (one.endswith(" True"), one == other, listens) == (True, True, "True"), done.stderr


def test_a_listener_wakes_at_once_and_leaves_no_notification_behind(named: Database) -> None:
    store = create(named)
    listener = following.Listener(named, threading.Event())
    connection = listener._connection
    assert connection is not None
    log = store._looking.log_end().log
    assert (listener.is_listening(log), listener.is_listening(log)) == (False, True)
    for number in range(3):
        store.append(rounds(number, 1), by="gm", at=AT)
        waiting = threading.Thread(target=listener.wait, args=(2 * LONGEST,), daemon=True)
        waiting.start()
        waiting.join(LONGEST)
        assert not waiting.is_alive()
        assert listener._connection is connection
        assert connection.pgconn.notifies() is None
        assert list(connection.notifies(timeout=0)) == []
    listener.close()
    assert connection.closed


def test_who_begins_to_listen_during_an_append_waits_and_looks_again(named: Database) -> None:
    log = create(named)._looking.log_end().log
    listener, looked = following.Listener(named, threading.Event()), threading.Event()

    def listen() -> None:
        listener.is_listening(log)
        looked.set()

    thread = threading.Thread(target=listen)
    with named.connection() as connection, connection.transaction():
        connection.execute(f"select pg_advisory_xact_lock({statements.LISTENERS}, {log})")
        thread.start()
        assert not looked.wait(0.1), "the append under way did not know of it"
    assert looked.wait(10)
    thread.join()
    listener.close()


@pytest.mark.parametrize("known", [False, True])
def test_an_interrupted_append_is_not_written_and_the_next_finds_its_connection(
    store: PostgresStore, owner: Connection, known: bool
) -> None:
    if known:
        store.append(rounds(1, 1), by="gm", at=AT)
    with owner.transaction():
        owner.execute("select 1 from log for update")
        threading.Timer(0.3, _thread.interrupt_main).start()
        with pytest.raises(KeyboardInterrupt):
            store.append(rounds(2, 1), by="gm", at=AT, key="k")
    done = store.append(rounds(2, 1), by="gm", at=AT, key="k")
    assert (done.last, done.again) == (2 + known, False)


def test_connections_are_kept_for_the_next_statement_and_closed_in_the_end(url: Url) -> None:
    opened: list[Connection] = []
    with Database(url) as database:
        for _ in range(3):
            with database.connection() as connection:
                opened.append(connection)
        assert len(set(map(id, opened))) == 1
        with suppress(WrongVersion), database.connection() as connection:
            connection.execute("begin")
            raise WrongVersion(1, 2)
        with database.connection() as connection:
            assert connection is opened[0]
            assert connection.info.transaction_status is psycopg.pq.TransactionStatus.IDLE
    assert opened[0].closed


@pytest.mark.parametrize(
    ("address", "why"),
    [("postgresql://h", "names no database"), ("postgresql://h/d?without=x,listen", "without=x names nothing")],
)
def test_an_address_without_sense_is_refused_before_anybody_is_asked(address: str, why: str) -> None:
    with pytest.raises(Malformed, match=why):
        Database(Url(address))


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        ('failed: FATAL:  password authentication failed for user "role"', "PGPASSWORD, ~/.pgpass, or the address"),
        ("failed: FATAL:  the database system is starting up", "try again in a moment"),
        ('failed: FATAL:  too many connections for role "role"', "no connection left"),
        ("failed: FATAL:  sorry, too many clients already", "no connection left"),
        ("failed: fe_sendauth: no password supplied", "PGPASSWORD, ~/.pgpass, or the address"),
        ('failed: FATAL:  role "ann" does not exist', "postgresql://ROLE@HOST/DATABASE"),
        ('failed: FATAL:  database "d" does not exist', "postgresql://USER@HOST/DATABASE/NAME"),
        ('failed: FATAL:  permission denied for database "d"', "GRANT CONNECT ON DATABASE"),
        ('failed: FATAL:  no pg_hba.conf entry for host "h", user "u", database "d"', "its pg_hba.conf lets nobody in"),
        ("failed: No such file or directory", "is the server running"),
        ("failed to resolve host 'database'", "is the server running"),
    ],
)
def test_the_hint_of_a_server_that_lets_nobody_in_is_about_what_it_refused(answer: str, hint: str) -> None:
    said = psycopg.OperationalError(f'connection failed: connection to server on socket "/role/password" {answer}')
    assert hint in connections.unreachable_error(Url("postgresql://h/d"), said).hint


def test_a_server_says_of_a_role_and_a_database_that_they_are_not_there(postgres: str) -> None:
    base, _, query = postgres.partition("?")
    for address, hint in (
        (f"{base.rpartition('/')[0]}/no_such_base?{query}", "postgresql://USER@HOST/DATABASE/NAME"),
        (f"{base}?{query}&user=no_such_role", "postgresql://ROLE@HOST"),
    ):
        with Database(Url(address)) as database, pytest.raises(NotReadable) as found:
            keeping.check_health(database)
        assert hint in found.value.hint


def test_a_server_that_is_away_is_a_sentence(tmp_path: Any) -> None:
    url = Url(f"postgresql://u:s3cret@/d?host={tmp_path}&password=s3cret")
    with Database(url) as database:
        store = PostgresStore(database, "ford")
        with pytest.raises(NotReadable, match="cannot be reached") as caught:
            store.head()
        with pytest.raises(NotWritten, match="cannot be reached") as unwritten:
            store.append(rounds(1, 1), by="gm", at=AT)
        with pytest.raises(NotReadable):
            keeping.check_health(database)
    for error in (caught.value, unwritten.value):
        assert "s3cret" not in f"{error}{error.hint}{error!r}{error.path!r}"


# ---------------------------------------------------------------- whole logs


def test_a_log_is_created_whole_or_not_at_all(database: Database) -> None:
    lines = log_of(drafts(OPENING), rounds(1, 1)).splitlines(keepends=True)

    def broken() -> Iterator[bytes]:
        yield lines[0]
        raise CorruptLog(database.url, 2, 0, "torn from the source")

    with pytest.raises(CorruptLog, match="torn from the source"):
        keeping.create_log(database, database.url, "ford", broken())
    assert keeping.list_names(database) == ()
    keeping.create_log(database, database.url, "ford", lines)
    with pytest.raises(AlreadyThere, match="already a log of that name"):
        keeping.create_log(database, database.url, "ford", lines)
    assert b"".join(PostgresStore(database, "ford").lines()) == b"".join(lines)
