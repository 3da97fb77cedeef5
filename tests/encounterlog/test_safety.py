"""How safe an append is, where locks may not hold, and who holds one: the options and what is said."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from eventstore.disk import Disk
from tests.encounterlog.support import encounter, environment, fingerprint

NOTE = '{"type":"noted","text":"The bridge creaks."}\n'
WORLD = Path(__file__).parents[2] / "fixtures" / "plain" / "foundry" / "version-13"


# ---------------------------------------------------------------- somebody else holds the log

HOLD = """
import fcntl, sys
with open(sys.argv[1], "rb") as log:
    fcntl.flock(log, fcntl.LOCK_EX)
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def holder(log: Path) -> Iterator[int]:
    command = [sys.executable, "-c", HOLD, str(log)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"held\n"
        yield child.pid
        child.kill()


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="this system does not tell who holds a lock")
@pytest.mark.parametrize(("verb", "code"), [("append", 6), ("repair", 6), ("show", 3), ("verify", 3)])
def test_who_holds_a_log_is_named(
    log: Path, holder: int, verb: str, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Disk, "pause", lambda *_: None)
    before = fingerprint(log)
    done = encounter(verb, log, stdin=NOTE)
    assert (done.exit_code, done.stdout) == (code, "")
    assert re.search(rf"process {holder} \(.*python.* -c", done.stderr)
    assert done.stderr.endswith("held the lock for 5 s\nhint: try again; a stopped writer may hold the lock\n")
    assert fingerprint(log) == before


# ---------------------------------------------------------------- durable or flushed


class Syncs:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        sync = Disk.sync

        def counted(disk: Disk, fd: int) -> None:
            self.count += 1
            sync(disk, fd)

        monkeypatch.setattr(Disk, "sync", counted)


def test_an_append_is_durable_unless_it_is_to_be_quick(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    syncs, found = Syncs(monkeypatch), {}
    for mode in ("durable", "flushed"):
        before = syncs.count
        assert encounter("append", log, "--mode", mode, stdin=NOTE).exit_code == 0
        found[mode] = syncs.count - before
    before = syncs.count
    encounter("append", log, stdin=NOTE)
    assert syncs.count - before == found["durable"] == found["flushed"] + 1
    assert encounter("verify", log).exit_code == 0


# ---------------------------------------------------------------- network drives


@pytest.fixture
def on_nfs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let everything lie on a network drive; there is none at hand here, so the question is answered otherwise."""
    monkeypatch.setattr(Disk, "kind", lambda *_: "nfs4")


def said(log: Path) -> list[dict[str, Any]]:
    records = map(json.loads, log.read_text("utf-8").splitlines())
    return [record for record in records if record["by"] == "encounterlog"]


WARNING = "Written on a network file system (nfs4), on the writer's word that nobody writes from elsewhere"


@pytest.mark.usefixtures("on_nfs")
def test_nothing_is_written_on_a_network_drive_unless_it_is_let(folder: Path) -> None:
    for words in (("new", "a.jsonl", "--ruleset", "plain"), ("import", "foundry", WORLD, "a.jsonl")):
        done = encounter(*words)
        assert (done.exit_code, list(folder.iterdir())) == (6, [])
        assert "not written: it is on a network file system (nfs4), whose locks may not keep" in done.stderr
        assert done.stderr.endswith("or say that you alone write: --network-drive\n")


def test_a_log_on_a_network_drive_is_read_and_copied_if_it_is_let(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Disk, "kind", lambda *_: "cifs")
    before = fingerprint(log)
    assert [encounter(verb, log).exit_code for verb in ("show", "log", "audit", "verify", "head")] == [0] * 5
    done = encounter("append", log, stdin=NOTE)
    assert (done.exit_code, "network file system (cifs)" in done.stderr) == (6, True)
    assert fingerprint(log) == before
    monkeypatch.setattr(Disk, "kind", lambda *_: "nfs4")
    done = encounter("import", "jsonl", log, "copy.jsonl")
    assert (done.exit_code, Path("copy.jsonl").exists()) == (6, False)
    assert "network file system (nfs4)" in done.stderr
    assert encounter("import", "jsonl", log, "copy.jsonl", "--network-drive").exit_code == 0
    assert Path("copy.jsonl").read_bytes() == log.read_bytes()


def test_a_log_says_once_that_it_was_written_on_a_network_drive(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Disk, "kind", lambda *_: "nfs4")
    done = encounter("append", log, "--network-drive", stdin=NOTE)
    assert (done.exit_code, done.stdout) == (0, "1 fact appended: record 21\n")
    for _ in range(3):
        assert encounter("append", log, "--network-drive", stdin=NOTE).exit_code == 0
    assert [(one["seq"], one["event"]["text"]) for one in said(log)] == [(20, WARNING)]
    assert encounter("verify", log).exit_code == 0


def test_a_repair_on_a_network_drive_must_be_let_too(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log.write_bytes(log.read_bytes().replace(b"\n", b"\r\n"))
    monkeypatch.setattr(Disk, "kind", lambda *_: "nfs4")
    before = fingerprint(log)
    assert encounter("repair", log, "--dry-run").exit_code == 1
    done = encounter("repair", log)
    assert (done.exit_code, "--network-drive" in done.stderr, fingerprint(log)) == (6, True, before)
    assert encounter("repair", log, "--network-drive").exit_code == 0
    assert [one["event"]["text"].split()[0] for one in said(log)] == ["Written", "Repaired"]
