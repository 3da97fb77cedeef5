"""Damaged logs and files that are none: a sentence with place and hint, the right exit code, the log unchanged."""

import fcntl
import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from eventstore import jsonl
from eventstore.jsonl import JsonlStore
from tests.encounterlog.support import QUARREL, append, encounter, environment, fingerprint, opened, spawn
from tests.eventstore.logs import rehashed

READING = ("show", "log", "replay", "audit", "verify", "head")
NOTE = '{"type":"noted","text":"The bridge creaks."}\n'


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A log whose facts came one by one, so that what stands before a fault can be shown."""
    path = opened(tmp_path_factory.mktemp("made") / "halvaine.jsonl")
    for fact in QUARREL.splitlines():
        append(path, fact)
    return path.read_bytes()


@pytest.fixture
def log(folder: Path, made: bytes) -> Path:
    path = folder / "halvaine.jsonl"
    path.write_bytes(made)
    return path


def lines(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True)


FAULTS: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "a changed byte": (lambda d: d.replace(b'"amount":3}', b'"amount":2}'), "line 19 (byte 6611): its event was changed: the digest does not match"),
    "a missing line": (lambda d: b"".join([*lines(d)[:8], *lines(d)[9:]]), "holds seq 10: a line is missing"),
    "a doubled line": (lambda d: b"".join([*lines(d)[:9], *lines(d)[8:]]), "line 10"),
    "a byte order mark": (lambda d: b"\xef\xbb\xbf" + d, "line 1 (byte 0): begins with a byte order mark"),
    "CR LF": (lambda d: d.replace(b"\n", b"\r\n"), "line 1 (byte 0): ends with CR LF"),
    "NUL bytes": (lambda d: b"".join([*lines(d)[:5], b"\0\0\0\n", *lines(d)[5:]]), "line 6"), "an empty file": (lambda _: b"", "is empty"),
    "text": (lambda _: b"Dear diary\n", "is text, not an encounter log"), "an image": (lambda _: b"\x89PNG\r\n\x1a\n" + bytes(90), "is a PNG image"),
    "bare facts": (lambda _: QUARREL.encode(), "holds bare facts"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_appending_to_it_is_refused(log: Path, fault: str) -> None:
    change, says = FAULTS[fault]
    log.write_bytes(change(log.read_bytes()))
    before = fingerprint(log)
    done = encounter("append", log, stdin=NOTE)
    assert (done.exit_code, done.stdout, fingerprint(log)) == (3, "", before)
    assert says in done.stderr


def test_a_torn_tail_is_said_and_mended_by_the_next_append(log: Path) -> None:
    log.write_bytes(log.read_bytes()[:-20])
    done = encounter("show", log)
    assert (done.exit_code, "as of record 18" in done.stdout) == (3, True)
    assert "line 19" in done.stderr
    assert "hint: the next append cuts it off and keeps it beside the log" in done.stderr
    before = fingerprint(log)
    assert encounter("verify", log).exit_code == 3
    assert fingerprint(log) == before, "reading mends nothing"
    done = encounter("append", log, stdin=NOTE)
    assert done.exit_code == 0
    assert "torn tail" in done.stdout
    assert len(list(log.parent.glob("halvaine.jsonl.torn*"))) == 1, "what was cut off is kept"
    assert encounter("verify", log).exit_code == 0


@pytest.mark.parametrize(
    "words",
    [
        ("why", "orc-2.hp"), ("why", "orc-2", "before", "brand"), ("why", "orc-2", "cannot", "act"), ("why", "finding", "1"),
        ("blame", "orc-2.hp"), ("may", "orc-2"), ("first", "orc-2.hp < 3"), ("log", "--where", "orc-2.hp < 3"), ("log", "--actor", "orc-2"),
        ("whatif", "--strike", "16"), ("whatif", "--insert-after", "16", NOTE), ("append",), ("append", "--after", "19"),
        ("ruling", "waiver", "x", "--event", "16"), ("ruling", "fact", "x", "--dry-run"), ("amend", "16", "amount=1"),
        ("strike", "16"), ("undo",), ("add", "orc-2", "-1"), ("add", "?orc-2"), ("replay", "--actor", "orc-2"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_what_lies_behind_a_fault_is_answered_with_the_fault(log: Path, words: tuple[str, ...]) -> None:
    log.write_bytes(log.read_bytes().replace(b'"orc-2","side"', b'"orc-3","side"'))
    before, (verb, *rest) = fingerprint(log), words
    done = encounter(
        verb, log, *rest, stdin='{"type":"damage_dealt","target":"orc-2","amount":1}' if verb == "append" else ""
    )
    assert (done.exit_code, "line 5 (byte" in done.stderr, fingerprint(log)) == (3, True, before), done.stderr


WRITING = (
    ("new", "other/", "--ruleset", "plain"), ("new", "", "--ruleset", "plain"), ("add", "halvaine.jsonl/", "note cold"), ("add", "", "note cold"),
    ("export", "html", "halvaine.jsonl", "--to", "other/"), ("export", "html", "halvaine.jsonl", "--to", ""),
    ("whatif", "halvaine.jsonl", "--strike", "19", "--save", "other/"), ("import", "jsonl", "halvaine.jsonl", "other/"),
    ("import", "jsonl", "halvaine.jsonl/", "other.jsonl"), ("audit", "halvaine.jsonl", "halvaine.jsonl/"), ("diff", "halvaine.jsonl", ""),
    ("append", "halvaine.jsonl", "facts/"), ("audit", "halvaine.jsonl", "--out", "findings/"),
    ("serve", ".", "--tls-cert", "facts/", "--tls-key", "facts"), ("serve", ".", "--tls-cert", "facts", "--tls-key", "facts/"),
    ("backup", "postgresql://nobody@nowhere/tables", ""), ("restore", "", "postgresql://nobody@nowhere/tables"),
    ("new", "other.jsonl", "--ruleset", "plain", "--foes", "orcs.json/"),
)  # fmt: skip


@pytest.mark.parametrize("words", WRITING, ids=" ".join)
def test_nothing_is_made_by_a_path_that_is_not_that_of_a_file(log: Path, words: tuple[str, ...]) -> None:
    (log.parent / "facts").write_text(NOTE)
    before = {path: path.read_bytes() for path in log.parent.iterdir()}
    done = encounter(*words)
    assert done.exit_code in (2, 3), done.output
    assert re.search("address: (.*/ names a folder|no file name given)", done.output)
    assert {path: path.read_bytes() for path in log.parent.iterdir()} == before


@pytest.mark.parametrize(
    "words",
    [
        *((verb, "-") for verb in READING),
        ("new", "-", "--ruleset", "plain"),
        ("add", "-", "note cold"),
        ("append", "-"),
        ("audit", "halvaine.jsonl", "-"),
        ("diff", "halvaine.jsonl", "-"),
        ("whatif", "halvaine.jsonl", "--strike", "19", "--save", "-"),
        ("import", "jsonl", "halvaine.jsonl", "-"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("there", [True, False], ids=["with such a file", "without"])
def test_standard_input_is_no_log_even_if_a_file_has_its_name(
    log: Path, words: tuple[str, ...], *, there: bool
) -> None:
    if there:
        (log.parent / "-").write_bytes(log.read_bytes())
    before = {path: path.read_bytes() for path in log.parent.iterdir()}
    done = encounter(*words, stdin=log.read_bytes())
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("encounter: address: a log cannot be read from standard input, nor be written")
    assert {path: path.read_bytes() for path in log.parent.iterdir()} == before


def test_a_log_of_an_unknown_ruleset_cannot_be_read(log: Path) -> None:
    log.write_bytes(rehashed([log.read_bytes().splitlines(keepends=True)[0].replace(b"osric", b"osrik")]))
    done = encounter("show", log)
    assert done.exit_code == 3
    assert done.stderr == f"encounter: {log}, line 1: no ruleset 'osrik' is installed\nhint: did you mean osric?\n"


def limited() -> None:
    """Let no file grow beyond 8 KiB, as if the disk were full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))


def test_on_a_full_disk_nothing_is_added(log: Path) -> None:
    before = fingerprint(log)
    done = spawn("append", log, stdin=NOTE * 200, preexec_fn=limited)
    assert done.returncode == 6
    assert b"not written: file too large" in done.stderr
    assert b"hint: nothing was added; make room and try again" in done.stderr
    assert fingerprint(log) == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    ("words", "code", "more"), [(["append"], 8, 1), (["add", "note x"], 8, 1), (["log"], 6, 0)], ids=str
)
def test_output_that_fails_is_said_and_a_code_says_what_was_written(
    log: Path, words: list[str], code: int, more: int
) -> None:
    before = log.read_bytes()
    command = [sys.executable, "-m", "encounterlog", words[0], str(log), *words[1:]]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command, input=NOTE.encode(), stdout=full, stderr=subprocess.PIPE, env=environment(), check=False
        )
    assert (done.returncode, b"the output could not be written: no space left" in done.stderr) == (code, True)
    assert (b"\nhint: only the output failed" in done.stderr) == (code == 8)
    assert log.read_bytes().startswith(before)
    assert len(log.read_bytes().splitlines()) == len(before.splitlines()) + more


@pytest.mark.slow
@pytest.mark.parametrize(("error", "code"), [("fdatasync:error=EIO:when=2", 7), ("write:error=EIO:when=1", 6)])
def test_what_is_unknown_has_another_exit_code_than_what_was_not_written(log: Path, error: str, code: int) -> None:
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("there is no strace")
    traced = [strace, "-f", "-o", os.devnull, "-P", str(log), "-e", f"inject={error}"]
    command = [*traced, sys.executable, "-m", "encounterlog", "append", str(log)]
    done = subprocess.run(command, input=NOTE.encode(), capture_output=True, env=environment(), check=False)
    if b"PTRACE" in done.stderr:
        pytest.skip("strace is of no use here")
    assert (done.returncode, b"outcome unknown" in done.stderr) == (code, code == 7), done.stderr


def test_a_log_that_somebody_else_holds_cannot_be_used_now(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "JsonlStore", partial(JsonlStore, wait=0.01))
    with log.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        done = encounter("show", log)
        assert (done.exit_code, f"process {os.getpid()} (this one) held the lock" in done.stderr) == (3, True)
        done = encounter("append", log, stdin=NOTE)
        assert (done.exit_code, "hint: try again" in done.stderr) == (6, True)
