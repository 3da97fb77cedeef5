"""Commands and the API on logs in PostgreSQL, and those for who runs the database; on a real server."""

import json
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from freezegun import freeze_time

import encounterlog as el
from eventstore.address import Url
from eventstore.postgres.connections import Database
from eventstore.postgres.store import PostgresStore
from tests import servers
from tests.encounterlog.support import encounter
from tests.eventstore.logs import AT, rounds

pytestmark = pytest.mark.slow

JOIN = '{"type":"combatant_joined","combatant":"ada","side":"party","sheet":{"hp":9}}\n'


@pytest.fixture
def ford(url: Url) -> str:
    address = url.at(*url.segments, "ford").given
    assert encounter("new", address, "--ruleset", "osric", "--title", "The ford").exit_code == 0
    done = encounter("append", address, stdin=JOIN)
    assert done.exit_code == 0, done.output
    return address


def exported(address: str, to: Path) -> bytes:
    assert encounter("export", "jsonl", address, "--to", to).exit_code == 0
    return to.read_bytes()


@pytest.mark.parametrize(
    "words",
    [("show",), ("log",), ("audit",), ("verify",), ("head",), ("stats",), ("replay", "--list"), ("why", "ada.hp"),
     ("blame", "ada.hp"), ("first", "ada.hp > 0"), ("diff", "1", "2"), ("whatif", "--strike", "2"), ("export", "csv")],
)  # fmt: skip
def test_a_command_says_the_same_of_a_database_and_of_a_file(ford: str, folder: Path, words: tuple[str, ...]) -> None:
    exported(ford, folder / "ford.jsonl")
    verb, *rest = words
    of_database, of_file = (
        encounter(verb, *(["csv", log] if verb == "export" else [log, *rest])) for log in (ford, folder / "ford.jsonl")
    )
    shown = of_database.stdout.replace(str(Url(ford)), "ford.jsonl")
    assert (of_database.exit_code, shown) == (of_file.exit_code, of_file.stdout.replace(f"{folder}/", ""))


def test_all_logs_of_a_database_are_audited_with_a_line_each(ford: str, url: Url, folder: Path) -> None:
    mill = url.at(*url.segments, "mill").given
    encounter("new", mill, "--ruleset", "plain")
    encounter("append", mill, stdin='{"type":"noted","text":"rain"}\n')
    with_password = f"{url.given}&password=s3cret"
    for jobs in (("--jobs", "1"), ("--jobs", "2")):
        done = encounter("audit", with_password, "--json", *jobs)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        assert [(row["log"], row["records"], row["problem"]) for row in rows] == [
            (str(Url(log)), 2, None) for log in (ford, mill)
        ], done.stderr
        assert "s3cret" not in done.output
    several = encounter("audit", ford, mill, "--out", folder / "findings.parquet")
    assert "2 logs" in several.stdout
    again = encounter("audit", url.given, "--out", folder / "findings.parquet", "--resume")
    assert "2 of 2 logs are as they were" in again.stderr


@pytest.mark.parametrize(
    ("words", "records"),
    [(("add", "LOG", "ada", "-3"), 3), (("undo", "LOG"), 3), (("strike", "LOG", "2"), 3), (("amend", "LOG", "2", "sheet.hp=7"), 3),
     (("ruling", "LOG", "fact", "they are friends", "--because", "so"), 3)],
)  # fmt: skip
def test_a_command_that_writes_writes_to_a_database(ford: str, words: tuple[str, ...], records: int) -> None:
    done = encounter(*(ford if word == "LOG" else word for word in words))
    assert done.exit_code == 0, done.stderr
    assert el.open(ford).head.seq == records


def test_a_log_moves_into_a_database_and_back_byte_for_byte(ford: str, folder: Path) -> None:
    data = exported(ford, folder / "ford.jsonl")
    other = ford + "-2" if "?" not in ford else ford.replace("/ford?", "/ford-2?")
    assert encounter("import", "jsonl", folder / "ford.jsonl", other).exit_code == 0
    assert exported(other, folder / "again.jsonl") == data
    assert encounter("import", "jsonl", ford, folder / "direct.jsonl").exit_code == 0
    assert (folder / "direct.jsonl").read_bytes() == data
    assert encounter("verify", other, "--anchor", el.open(ford).head).exit_code == 0


def test_a_log_is_made_once_not_repaired_and_draws_dice(ford: str) -> None:
    done = encounter("new", ford, "--ruleset", "osric")
    assert (done.exit_code, "is already there" in done.stderr) == (2, True)
    with pytest.raises(el.StoreError, match="already a log of that name"):
        el.new(ford, ruleset="osric")
    done = encounter("repair", ford)
    assert (done.exit_code, "encounter backup" in done.stderr) == (2, True)
    assert encounter("dice", ford, "start").exit_code == 0
    assert encounter("add", "--word", "ana:heron", ford, "ada -d4").exit_code == 0
    done = encounter("verify", ford, "--dice")
    assert (done.exit_code, "right, proven by a word of ana" in done.stdout) == (0, True)


# ---------------------------------------------------------------- what is wrong with an address or a database


def test_a_database_without_tables_is_refused_with_the_command(postgres: str) -> None:
    with servers.schema(postgres, migrated=False) as bare:
        log = bare.at(*bare.segments, "ford").given
        done = [encounter(verb, log) for verb in ("show", "log", "audit", "verify", "head", "stats", "undo")]
        listed = encounter("list", bare.given)
    for each in (*done, listed):
        assert each.exit_code == 2
        assert "no tables for logs yet" in each.stderr
        assert "encounter migrate postgresql://" in each.stderr


@pytest.mark.parametrize(("address", "says"), [
    ("postgresql://u:s3cret@127.0.0.1:1/db/ford", "cannot be reached"),
    ("postgresql://u:s3cret@127.0.0.1:port/db/ford", '"port"'),
    ("postgresql://u:s3cret@h/db/ford?nonsense=1", "is no address of a database"),
    ("postgresql://u:s3cret#x@h/db/ford", "is not a URL"),
    ("postgresql://u:s3cret@h/db", "names a database"),
    ("postgresql://u:s3cret@h/db/ford/1", "names no log"),
    ("postgresql://u:s3cret@h/db/a%2Fb", "slashes or invisible"),
    ("postgresql://u:s3cret@h/db/ford?sslmode=bogus", "there are disable, allow, prefer, require, verify-ca"),
])  # fmt: skip
def test_a_wrong_address_is_a_sentence_without_the_password(address: str, says: str) -> None:
    done = encounter("show", address)
    assert done.exit_code in (2, 3)
    assert says in done.stderr
    assert "hint: " in done.stderr
    for part in ("s3cret", "s3/", "cret"):
        assert part not in done.output


@pytest.mark.usefixtures("ford")
def test_logs_are_listed_and_what_is_not_there_is_not_found(url: Url) -> None:
    done = encounter("show", url.at(*url.segments, "nowhere").given)
    assert (done.exit_code, "nowhere is not there" in done.stderr, "encounter list" in done.stderr) == (3, True, True)
    found = json.loads(encounter("list", url.given, "--json").stdout)
    assert found["logs"] == [
        {"file": "ford", "title": "The ford", "ruleset": "osric", "records": 2, "rounds": 0, "problem": None}
    ]
    assert "The ford" in encounter("list", url.given).stdout


@pytest.mark.usefixtures("ford")
def test_what_is_no_log_is_listed_as_such_also_from_a_database(url: Url, postgres: str) -> None:
    changed(postgres, url, "update record set line = 'Dear diary' where seq = 1")
    assert "ford: not a log: " in encounter("list", url.given).stdout


# ---------------------------------------------------------------- for who runs it


def test_migrating_twice_does_nothing_the_second_time(postgres: str) -> None:
    with servers.schema(postgres, migrated=False) as bare:
        first, second = (encounter("migrate", bare.given, "--json") for _ in range(2))
    assert (first.exit_code, json.loads(first.stdout)["done"], json.loads(second.stdout)["done"]) == (0, [1, 2, 3], [])


def test_a_backup_is_every_log_byte_for_byte_and_comes_back(ford: str, url: Url, postgres: str, folder: Path) -> None:
    encounter("new", ford.replace("/ford?", "/Die%20Brücke?"), "--ruleset", "plain")
    done = encounter("backup", url.given, "copy", "--json")
    logs = {log["name"]: log for log in json.loads(done.stdout)["logs"]}
    assert (done.exit_code, sorted(logs)) == (0, ["Die Brücke", "ford"])
    assert logs["ford"]["head"] == str(el.open(ford).head)
    assert exported(ford, folder / "ford.jsonl") == (folder / "copy/ford.jsonl").read_bytes()
    draft = folder / "copy" / ".encounterlog-0123456789ab.new"
    draft.write_text("left by a backup that was killed")
    assert encounter("backup", url.given, "copy").exit_code == 2
    assert not draft.exists()
    with servers.schema(postgres) as other:
        assert encounter("restore", "copy", other.given).exit_code == 0
        restored = other.at(*other.segments, "ford").given
        assert exported(restored, folder / "again.jsonl") == (folder / "copy/ford.jsonl").read_bytes()
        encounter("append", restored, stdin='{"type":"round_started","round":1}\n')
        again = json.loads(encounter("restore", "copy", other.given, "--json").stdout)["logs"]
        assert [log["there"] for log in again] == [True, True]
        assert el.open(restored).head.seq == 3


@pytest.mark.usefixtures("ford")
def test_nothing_is_restored_where_another_log_has_a_name(url: Url, folder: Path) -> None:
    (folder / "copy").mkdir()
    for name in ("ford", "new"):
        encounter("new", f"copy/{name}.jsonl", "--ruleset", "osric")
    done = encounter("restore", "copy", url.given)
    assert (done.exit_code, "is another log" in done.stderr) == (2, True)
    assert len(json.loads(encounter("list", url.given, "--json").stdout)["logs"]) == 1


def test_a_backup_while_writers_write_holds_whole_appends(ford: str, url: Url, folder: Path) -> None:
    stop = threading.Event()

    def write() -> None:
        with Database(url) as database:
            store = PostgresStore(database, "ford")
            while not stop.is_set():
                store.append(rounds(1, 3), by="gm", at=AT)

    threads = [threading.Thread(target=write) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        copies = [folder / str(number) for number in range(3)]
        for copy in copies:
            assert encounter("backup", url.given, copy).exit_code == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    last = exported(ford, folder / "last.jsonl")
    for copy in copies:
        assert last.startswith((copy / "ford.jsonl").read_bytes())
        assert encounter("verify", copy / "ford.jsonl").exit_code == 0


def test_a_backup_keeps_damaged_lines_and_says_what_is_wrong(ford: str, url: Url, postgres: str) -> None:
    encounter("append", ford, stdin='{"type":"round_started","round":1}\n')
    changed(postgres, url, "update record set line = overlay(line placing 'x' from 60 for 1) where seq = 2")
    done = encounter("backup", url.given, "copy")
    assert (done.exit_code, "line 2" in done.stdout, "digest" in done.stdout or "chain" in done.stdout) == (
        3,
        True,
        True,
    )
    assert len(Path("copy/ford.jsonl").read_bytes().splitlines()) == 3
    shown = encounter("verify", ford)
    assert (shown.exit_code, "encounter backup URL FOLDER" in shown.stderr) == (3, True)


def test_a_yes_beside_the_anchor_of_a_log_removes_it_alone(ford: str, url: Url) -> None:
    mill = url.at(*url.segments, "mill").given
    assert encounter("new", mill, "--ruleset", "plain").exit_code == 0
    head = el.open(ford).head
    for wrong, code, says in (
        (f"{head.seq}:{'0' * 64}", 6, "has another hash than the anchor"),
        (f"1:{head.hash}", 5, "it ends at 2\nhint: look at the log as it is now"),
        (f"{head.seq}:zz", 2, "anchor"),
    ):
        refused = encounter("remove", ford, "--anchor", wrong, "--yes")
        assert (refused.exit_code, says in refused.stderr) == (code, True), refused.stderr
    assert encounter("remove", ford, mill, "--anchor", head, "--yes").exit_code == 2
    assert encounter("remove", url.given, "--anchor", head, "--yes").exit_code == 2
    assert encounter("remove", url.at(*url.segments, "none").given, "--anchor", head, "--yes").exit_code == 3
    done = encounter("remove", ford, "--anchor", head, "--yes", "--json")
    assert (done.exit_code, json.loads(done.stdout)["removed"]) == (0, str(head)), done.stderr
    assert [log["file"] for log in json.loads(encounter("list", url.given, "--json").stdout)["logs"]] == ["mill"]
    assert encounter("remove", ford, "--anchor", head).exit_code == 3
    assert encounter("remove", mill, "--anchor", el.open(mill).head).exit_code == 0
    assert json.loads(encounter("list", url.given, "--json").stdout)["logs"] == []


def test_what_is_no_log_in_a_database_is_not_removed(folder: Path) -> None:
    assert encounter("new", "ford.jsonl", "--ruleset", "plain").exit_code == 0
    head, data = el.open("ford.jsonl").head, (folder / "ford.jsonl").read_bytes()
    for place in ("ford.jsonl", ".", "none.jsonl", "https://table.example/e/ford"):
        done = encounter("remove", place, "--anchor", head, "--yes")
        assert (done.exit_code, "only a log in a database is removed by this" in done.stderr) == (2, True), done.stderr
    assert (folder / "ford.jsonl").read_bytes() == data


def test_logs_are_removed_by_age_and_only_listed_without_a_yes(ford: str, url: Url) -> None:
    written = datetime.now(UTC)
    mill = url.at(*url.segments, "mill").given
    with freeze_time(written + timedelta(days=20)):
        assert encounter("new", mill, "--ruleset", "plain").exit_code == 0
    for later, names in ((29, []), (31, ["ford"]), (49, ["ford"]), (51, ["ford", "mill"])):
        with freeze_time(written + timedelta(days=later)):
            told = json.loads(encounter("remove", url.given, "--older-than", "30", "--json").stdout)
        assert ([log["name"] for log in told["logs"]], told["remove"]) == (names, False)
    with freeze_time(written + timedelta(days=40)):
        head = el.open(ford).head
        listed = encounter("remove", url.given, "--older-than", "30")
        assert (f"{head}" in listed.stdout, "--yes removes them" in listed.stdout) == (True, True)
        done = encounter("remove", url.given, "--older-than", "30", "--yes")
        assert (done.exit_code, "ford: removed, last written" in done.stdout) == (0, True), done.output
    assert [log["file"] for log in json.loads(encounter("list", url.given, "--json").stdout)["logs"]] == ["mill"]


def test_a_damaged_log_is_never_removed_by_age(ford: str, postgres: str, url: Url) -> None:
    changed(postgres, url, "update record set line = 'x' where seq = 2")
    with freeze_time(datetime.now(UTC) + timedelta(days=40)):
        done = encounter("remove", url.given, "--older-than", "30", "--yes")
    assert (done.exit_code, "ford: left alone: line 2" in done.stdout) == (3, True), done.output
    assert encounter("head", ford).exit_code == 3


def test_what_is_to_be_removed_has_to_be_said(ford: str) -> None:
    anchor = ("--anchor", f"1:{'0' * 64}", "--older-than", "3")
    for words in ((), ("--yes",), anchor, (*anchor, "--yes"), ("--older-than", "0")):
        assert encounter("remove", ford, *words).exit_code == 2
    assert encounter("remove", ford, "--older-than", "3", "--yes").exit_code == 2
    assert encounter("head", ford).exit_code == 0


def changed(postgres: str, url: Url, statement: str) -> None:
    with psycopg.connect(postgres, autocommit=True, options=f"-c search_path={url.given.rpartition('%3D')[2]}") as own:
        own.execute(statement.encode())
