"""Many logs at once: a line for each, on any engine, from files and objects; what is bad stops nothing and loses nothing."""

import doctest
import gzip
import json
import multiprocessing
import os
import resource
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import dask
import duckdb
import obstore
import pytest
from distributed import Client
from moto.server import ThreadedMotoServer
from obstore.store import S3Store

import encounterlog as el
from encounterlog.bulk import checking, running
from encounterlog.bulk.checking import ENGINES, KILLED, How, Task
from encounterlog.bulk.dask import local_cluster
from encounterlog.bulk.findings import Findings
from encounterlog.bulk.running import run_tasks
from eventstore.events import EncounterOpened
from eventstore.jsonl import create
from eventstore.record import Draft
from tests.encounterlog.deadly import fatal
from tests.encounterlog.support import BREACH, append, encounter, environment, quarrel, spawn
from tests.faults.processes import limit
from tests.waiting import LONGEST

pytestmark = pytest.mark.slow

ENGINE = Path(__file__).parents[2] / "fixtures" / "5e" / "recordings"


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of good logs, some with findings, and one log of each way to be bad."""
    folder = tmp_path_factory.mktemp("campaign")
    quarrel(folder / "a.jsonl")
    damaged = bytearray((folder / "a.jsonl").read_bytes())
    damaged[3_000] ^= 1
    (folder / "b-damaged.jsonl").write_bytes(damaged)
    (folder / "c-text.jsonl").write_text("hello\n")
    (folder / "d-folder.jsonl").mkdir()
    (folder / "e-dangling.jsonl").symlink_to("nowhere")
    opening = EncounterOpened(format=1, encounter="q7k2", title="Ford", ruleset="chess", revision=1, options={})
    create(folder / "f-ruleset.jsonl", [Draft(opening)], by="gm", at="2026-11-20T19:04:05.123456Z")
    (folder / "g-empty.jsonl").touch()
    for number in range(4):
        append(quarrel(folder / f"h-{number}.jsonl"), BREACH)
    (folder / "notes.txt").write_text("no log")
    return folder


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """Return the address of a Dask cluster of two worker processes."""
    with local_cluster(2) as made:
        yield made.scheduler_address


@pytest.fixture(scope="module")
def how(cluster: str) -> dict[str, How]:
    return {"processes": How(jobs=2), "dask": How("dask", scheduler=cluster)}


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    """Return the URL of a bucket in a server that speaks S3, on loopback."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    endpoint = f"http://{host}:{port}"
    more = {"ENDPOINT_URL": endpoint, "ACCESS_KEY_ID": "k", "SECRET_ACCESS_KEY": "s", "REGION": "us-east-1"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**more, "ALLOW_HTTP": "true"}.items():
            patch.setenv(f"AWS_{name}", value)
        urllib.request.urlopen(urllib.request.Request(f"{endpoint}/logs", method="PUT")).close()
        yield "s3://logs"
    server.stop()


def lines(text: str) -> list[dict[str, Any]]:
    """Return the lines of JSON, without the time that each took, and without the folder of each log."""
    found = [json.loads(line) for line in text.splitlines()]
    return [{**one, "log": one["log"].rpartition("/")[2]} for one in found if one.pop("ms") >= 0]


# ---------------------------------------------------------------- lines


def test_what_does_not_fit_many_logs_is_refused(campaign: Path, folder: Path) -> None:
    for one in (["--complete"], ["--at", "3"], ["--as-of", "3"]):
        done = encounter("audit", campaign, *one)
        assert (done.exit_code, "are for one log" in done.stderr) == (2, True)
    for words, says in (
        ([folder], "no logs in"),
        ([campaign, "--resume"], "--out OUT"),
        ([campaign, "--engine", "processes", "--scheduler", "tcp://x:1"], "has no scheduler"),
        ([campaign, "--jobs", "0"], "--jobs"),
    ):
        done = encounter("audit", *words)
        assert (done.exit_code, says in done.stderr) == (2, True), done.stderr
    with pytest.raises(el.Malformed, match="there is no engine 'threads'"):
        el.audit_many(campaign, engine="threads")
    done = encounter("audit", campaign, "--jobs", 1, "--out", folder / "f.duckdb")
    assert (done.exit_code, done.stdout, any(folder.iterdir())) == (2, "", False)
    assert done.stderr == (
        "encounter: findings are written as a table in Parquet, and no database\n"
        "hint: --out f.parquet, which DuckDB reads by the name of the file\n"
    )


def test_dask_starts_a_cluster_or_says_that_none_answers(campaign: Path) -> None:
    with dask.config.set({"distributed.comm.timeouts.connect": "0.2s"}):
        done = encounter("audit", campaign, "--scheduler", "tcp://127.0.0.1:9")
    assert (done.exit_code, "no Dask scheduler answers at tcp://127.0.0.1:9" in done.stderr) == (6, True)
    own = spawn("audit", campaign, "--json", "--engine", "dask", "--jobs", 1)
    assert (own.returncode, own.stderr) == (3, b"")
    assert len(lines(own.stdout.decode())) == 11


# ---------------------------------------------------------------- engines


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_gives_the_same_lines(campaign: Path, how: dict[str, How], engine: str) -> None:
    alone = [one.line | {"ms": 0} for one in el.audit_many(campaign, jobs=1)]
    asked = how[engine]
    found = el.audit_many(campaign, jobs=asked.jobs, engine=engine, scheduler=asked.scheduler)
    assert [one.line | {"ms": 0} for one in found] == alone


@pytest.mark.parametrize("engine", ENGINES)
def test_a_log_that_kills_its_worker_is_reported_and_no_other_lost(
    campaign: Path, folder: Path, how: dict[str, How], engine: str
) -> None:
    names = [str(path) for path in sorted(campaign.glob("*.jsonl"))]
    tasks = [Task(name, by=str(folder / "mark")) for name in names]
    found = [one for one in run_tasks(tasks, how[engine], fatal) if one]
    alone = {one.log: one.line | {"ms": 0} for one in el.audit_many(campaign, jobs=1)}
    assert [one.log for one in found] == names
    differ = {Path(one.log).name: one.problem for one in found if one.line | {"ms": 0} != alone[one.log]}
    assert differ == {"h-1.jsonl": KILLED}


def kill_a_process(_: How) -> None:
    children = [child.pid for child in multiprocessing.active_children() if "SpawnProcess" in child.name and child.pid]
    os.kill(children[0], signal.SIGKILL)


def kill_a_dask_worker(asked: How) -> None:
    with Client(asked.scheduler) as client:
        os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)


@pytest.mark.parametrize(("engine", "kill"), [("processes", kill_a_process), ("dask", kill_a_dask_worker)])
def test_a_worker_that_is_killed_in_mid_run_loses_nothing(
    campaign: Path, how: dict[str, How], engine: str, kill: Callable[[How], None]
) -> None:
    names = [str(campaign / f"h-{number % 4}.jsonl") for number in range(60)]
    found = run_tasks([Task(name) for name in names], how[engine])
    first = next(found)
    kill(how[engine])
    everything = [one for one in (first, *found) if one]
    assert [one.log for one in everything] == names
    assert {one.problem for one in everything} == {None}


def test_a_local_cluster_replaces_a_worker_that_dies_however_slowly() -> None:
    """Dask itself gives a worker up for good if no other is there by then, and the work would wait for ever."""
    at_once = {"distributed.deploy.lost-worker-timeout": "1 ms"}
    with dask.config.set(at_once), local_cluster(1) as made, Client(made) as client:
        (first,) = client.run(os.getpid).values()
        os.kill(first, signal.SIGKILL)
        assert client.submit(os.getpid, pure=False).result(timeout=60) != first
        assert list(made.workers) == [0]


def test_a_script_without_a_guard_is_told_what_it_lacks(campaign: Path, folder: Path) -> None:
    (folder / "script.py").write_text(
        f"import encounterlog as el\ntry:\n    list(el.audit_many({str(campaign)!r}, jobs=2))\n"
        "except el.Failure as error:\n    print(error.hint)\n"
    )
    words = [sys.executable, str(folder / "script.py")]
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=environment())
    assert done.stdout == "a script calls it under: if __name__ == '__main__':\n"


# ---------------------------------------------------------------- objects


def test_objects_in_s3_give_the_lines_of_the_files(campaign: Path, bucket: str) -> None:
    remote = S3Store("logs")
    names = [path.name for path in sorted(campaign.glob("*.jsonl")) if path.is_file()]
    for name in (*names, "deeper/x.jsonl"):
        obstore.put(remote, f"camp/{name}", (campaign / name).read_bytes() if name in names else b"")
    there = encounter("audit", f"{bucket}/camp", "--json", "--jobs", 2)
    here = encounter("audit", *(campaign / name for name in names), "--json", "--jobs", 1)
    assert (there.exit_code, there.stderr) == (here.exit_code, "")
    assert lines(there.stdout) == lines(here.stdout)
    one = encounter("audit", f"{bucket}/camp/a.jsonl", "--json")
    assert lines(one.stdout) == lines(here.stdout)[:1]


def test_a_missing_object_is_a_problem_and_a_missing_bucket_a_sentence(bucket: str) -> None:
    gone = encounter("audit", f"{bucket}/none.jsonl", "--json")
    assert (gone.exit_code, gone.stderr) == (3, "")
    assert "none.jsonl" in json.loads(gone.stdout)["problem"]
    none = encounter("audit", "s3://nobucket/camp")
    assert (none.exit_code, none.stderr.startswith("encounter: s3://nobucket/camp: ")) == (3, True)


def test_objects_in_memory_are_read_in_the_process_that_has_them(campaign: Path) -> None:
    for name in ("a.jsonl", "h-0.jsonl"):
        obstore.put(checking.open_object_store("memory://"), f"camp/{name}", (campaign / name).read_bytes())
    found = list(el.audit_many("memory:///camp", jobs=2))
    assert [(one.log, one.breaches > 0) for one in found] == [
        ("memory:///camp/a.jsonl", False),
        ("memory:///camp/h-0.jsonl", True),
    ]


# ---------------------------------------------------------------- findings in a file


def counted(out: Path) -> dict[str, int]:
    """Return how many findings that no ruling waives a table has, by weight."""
    asked = "select severity, count(*) from read_parquet(?) where rule is not null and ruled is null group by severity"
    return dict(duckdb.execute(asked, [str(out)]).fetchall())


def test_no_file_that_is_no_log_stops_the_others(campaign: Path, folder: Path) -> None:
    (folder / "loop.jsonl").symlink_to("loop.jsonl")
    (folder / "nowhere.jsonl").symlink_to("gone")
    (folder / "below").symlink_to(".")
    (folder / "folder.jsonl").mkdir()
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "z.jsonl").write_bytes((campaign / "a.jsonl").read_bytes())
    done = encounter("audit", folder, "--json", "--jobs", 1)
    assert [(one["log"], one["problem"]) for one in lines(done.stdout)] == [
        ("folder.jsonl", "is a folder"),
        ("loop.jsonl", "too many levels of symbolic links"),
        ("nowhere.jsonl", "is not there"),
        ("pipe.jsonl", "is not an ordinary file"),
        ("z.jsonl", None),
    ]
    assert (done.exit_code, done.stderr) == (3, "")


def test_findings_go_into_no_missing_folder_and_one_table_at_a_time(campaign: Path, folder: Path) -> None:
    done = encounter("audit", campaign, "--out", folder / "none" / "f.parquet")
    assert (done.exit_code, done.stdout) == (6, "")
    assert "f.parquet.lines: not written: no such file or directory" in done.stderr
    first = Findings(folder / "f.parquet", resume=True)
    words = ["audit", campaign / "a.jsonl", "--jobs", 1, "--out", folder / "f.parquet", "--resume"]
    done = encounter(*words)
    assert (done.exit_code, "another audit is adding to it" in done.stderr) == (6, True)
    first.close()
    assert encounter(*words).exit_code == 0


def test_with_resume_only_logs_that_changed_are_audited_again(campaign: Path, folder: Path) -> None:
    for name in ("a", "h-0", "h-1", "b-damaged"):
        (folder / f"{name}.jsonl").write_bytes((campaign / f"{name}.jsonl").read_bytes())
    words = ["audit", folder, "--json", "--jobs", 1, "--out", folder / "f.parquet", "--resume"]
    first = encounter(*words)
    encounter("append", folder / "h-1.jsonl", stdin='{"type":"round_ended"}\n')
    second = encounter(*words)
    assert first.stderr == ""
    assert second.stderr == "note: 2 of 4 logs are as they were, and were not audited again\n"
    assert second.exit_code == 3
    changed = [one["log"] for one, other in zip(lines(first.stdout), lines(second.stdout), strict=True) if one != other]
    assert changed == ["h-1.jsonl"]
    anew = encounter("audit", folder, "--json", "--jobs", 1, "--out", folder / "g.parquet")
    assert lines(anew.stdout) == lines(second.stdout)
    assert counted(folder / "g.parquet") == counted(folder / "f.parquet")


@pytest.mark.parametrize("name", ["f.parquet", "f.parquet.lines"])
def test_findings_take_the_place_of_no_pipe(campaign: Path, folder: Path, name: str) -> None:
    os.mkfifo(folder / name)
    done = encounter("audit", campaign, "--jobs", 1, "--out", folder / "f.parquet", "--resume")
    assert (done.exit_code, done.stdout) == (4, "")
    assert f"{name} is not an ordinary file" in done.stderr
    assert (folder / name).is_fifo()


def rows_of(out: Path, columns: str = "log, records, breaches, problem") -> list[tuple[Any, ...]]:
    """Return the rows that logs have of their own, without the folders of the logs."""
    asked = f"select {columns} from read_parquet(?) where rule is null"
    return [(row[0].rpartition("/")[2], *row[1:]) for row in duckdb.execute(asked, [str(out)]).fetchall()]


def test_on_a_full_disk_no_table_is_left_and_findings_are_kept(campaign: Path, folder: Path) -> None:
    name = "f.parquet"
    words = ["audit", campaign / "a.jsonl", "--jobs", 1, "--out", folder / name]
    with limit(resource.RLIMIT_FSIZE, 4_000):  # bytes, of which the table takes more
        done = encounter(*words)
    assert done.exit_code == 6
    assert f"{folder / name}: " in done.stderr
    assert f"the findings are in {folder / name}.lines: make room, and go on with --resume" in done.stderr
    assert "bug" not in done.stderr
    assert [path.name for path in folder.iterdir()] == [f"{name}.lines"]
    assert encounter(*words, "--resume").exit_code == 0
    assert {path.name for path in folder.iterdir()} == {name, f"{name}.lines"}


@pytest.mark.parametrize("bad", [b"not JSON", b"{}", b'{"place":"x","audited":{"log":3}}', b"\xff\xfe", b""])
def test_a_line_that_cannot_be_read_is_named_and_stays(campaign: Path, folder: Path, bad: bytes) -> None:
    words = ["audit", campaign / "a.jsonl", campaign / "h-0.jsonl", campaign / "h-1.jsonl", "--json", "--jobs", 1]
    words += ["--out", folder / "f.parquet"]
    whole = encounter(*words)
    kept = (folder / "f.parquet.lines").read_bytes().splitlines(keepends=True)
    hurt = b"".join([*kept[:2], bad + b"\n", *kept[3:]])
    (folder / "f.parquet.lines").write_bytes(hurt)
    for known, count in ((2, 1), (3, 2)):
        again = encounter(*words, "--resume")
        assert again.stderr == (
            f"note: {folder / 'f.parquet.lines'}, line 3: cannot be read; it stays, and its log counts as new\n"
            f"note: {known} of 3 logs are as they were, and were not audited again\n"
        ), count
        assert lines(again.stdout) == lines(whole.stdout)
        assert (folder / "f.parquet.lines").read_bytes().startswith(hurt)
        assert sorted(name for name, *_ in rows_of(folder / "f.parquet")) == ["a.jsonl", "h-0.jsonl", "h-1.jsonl"]


def test_going_on_is_hinted_at_only_where_there_is_what_to_go_on_with(campaign: Path, folder: Path) -> None:
    words = ["audit", campaign / "a.jsonl", "--jobs", 1, "--out", folder / "f.parquet"]
    encounter(*words)
    again = encounter(*words)
    assert (again.exit_code, again.stderr.splitlines()[1]) == (
        2,
        "hint: choose another name, or go on with it: --resume",
    )
    (folder / "f.parquet.lines").unlink()
    for more in ((), ("--resume",)):
        done = encounter(*words, *more)
        assert (done.exit_code, "from which f.parquet was made, is not there" in done.stderr) == (2, True)
        assert "--resume" not in done.stderr


# ---------------------------------------------------------------- signals


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("whom", ["the parent", "all", "the parent, to end"])
def test_a_signal_ends_the_workers_at_once(engine: str, whom: str) -> None:
    """As by Ctrl-C, by `timeout -s INT`, and by `kill`; each worker is in the midst of what takes longer than the test waits."""
    heeds = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # ignored in the background
    code = f"{heeds}; from tests.encounterlog.lasting import main; main({engine!r}, 2, {{}})"
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(LONGEST)
        words = [sys.executable, "-c", code.format(server.getsockname()[1])]
        with subprocess.Popen(words, stderr=subprocess.PIPE, env=environment(), start_new_session=True) as parent:
            try:
                workers = [server.accept()[0] for _ in range(2)]
                sent = signal.SIGTERM if whom.endswith("to end") else signal.SIGINT
                if whom == "all":
                    os.killpg(parent.pid, sent)
                else:
                    parent.send_signal(sent)
                for worker in workers:
                    worker.settimeout(LONGEST)
                    with worker, suppress(ConnectionResetError):
                        while worker.recv(100):
                            pass
                said = parent.communicate(timeout=LONGEST)[1].decode()
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(parent.pid, signal.SIGKILL)
    if whom.endswith("to end"):
        assert parent.returncode == -signal.SIGTERM
    else:
        assert (parent.returncode, said.splitlines()[0]) == (130, "encounter: interrupted")


# ---------------------------------------------------------------- recordings


def test_a_folder_of_recordings_becomes_a_folder_of_logs(folder: Path) -> None:
    for name in ("a.jsonl", "a.jsonl.gz"):
        (folder / name).touch()
    done = encounter("import", "jsonl", folder, folder / "logs")
    assert (done.exit_code, "would become the same log" in done.stderr) == (2, True)
    source, logs = folder / "source", folder / "logs"
    source.mkdir()
    events = ("import", "events", source, logs, "--map", ENGINE / "engine.toml")
    (source / "run.jsonl.gz").write_bytes(gzip.compress((ENGINE / "engine.jsonl").read_bytes()))
    (source / "bad.jsonl").write_text("[]\n")
    done = encounter(*events, "--json", "--jobs", 1)
    bad = lines(done.stdout)[0]
    assert (done.exit_code, bad["log"], "line 1" in bad["problem"]) == (3, "bad.jsonl", True)
    assert [path.name for path in logs.iterdir()] == ["run.jsonl"]
    assert lines(encounter("audit", logs, "--json", "--jobs", 1).stdout) == lines(done.stdout)[1:]
    assert "is already there" in encounter(*events).stderr
    again = encounter(*events, "--json", "--out", folder / "f.parquet", "--resume")
    assert lines(again.stdout)[1] == lines(done.stdout)[1]


# ---------------------------------------------------------------- the API


def test_the_function_of_the_api_is_lazy_and_its_example_runs(campaign: Path, folder: Path) -> None:
    assert doctest.testmod(running).failed == 0
    found = el.audit_many([campaign / "h-0.jsonl", campaign / "h-1.jsonl"], jobs=1)
    one = next(found)
    assert (one.breaches, one.findings[0].severity) == (sum(f.severity == "breach" for f in one.findings), "breach")
    (folder / "nothing").mkdir()
    with pytest.raises(el.Failure, match="no logs in"):
        el.audit_many(folder / "nothing", jobs=1)


@pytest.mark.parametrize("places", ["nowhere", ["nowhere"], ["nowhere", "gone/ford.jsonl"], Path("nowhere.jsonl")])
def test_what_is_not_there_is_refused_at_once_as_the_command_refuses_it(places: Any) -> None:
    with pytest.raises(el.Failure, match=r"nowhere(\.jsonl)? is not there") as caught:
        el.audit_many(places)
    assert caught.value.code == encounter("audit", "nowhere").exit_code == 3
    done = encounter("audit", "nowhere", "--jobs", 1)
    assert (done.exit_code, done.stdout, "nowhere is not there" in done.stderr) == (3, "", True)
