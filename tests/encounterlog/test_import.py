"""`encounter import`: a recorded combat becomes a log; a source is read within limits, whatever it pretends to hold."""

import gzip
import resource
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from encounterlog.importers import IMPORTERS, importing, jsonl
from encounterlog.importers.sources import Limits, read_lines
from encounterlog.importers.transcript import BadSource
from eventstore.disk import Disk
from tests.encounterlog.support import QUARREL, encounter, log_of, spawn

ENGINE = Path(__file__).parents[2] / "fixtures" / "5e" / "recordings"
EVENTS = ("import", "events", ENGINE / "engine.jsonl", "fight.jsonl", "--map", ENGINE / "engine.toml")


@pytest.mark.usefixtures("folder")
def test_sources_that_are_not_there_or_no_logs_are_refused(folder: Path) -> None:
    assert encounter("import", "foundry", "none", "fight.jsonl").exit_code == 4
    (folder / "fight.jsonl").write_text("mine")
    assert (encounter(*EVENTS).exit_code, (folder / "fight.jsonl").read_text()) == (2, "mine")
    done = encounter("import", "jsonl", "-", "copy.jsonl", stdin=b"Dear diary\n" * 100_000)
    assert (done.exit_code, "is text, not an encounter log" in done.stderr) == (3, True)


def test_large_recordings_go_in_in_several_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "MOST_EVENTS", 20)
    assert encounter(*EVENTS).exit_code == 0
    assert "6 appends" in encounter("verify", "fight.jsonl").stdout


def test_an_import_that_fails_half_way_leaves_no_file_behind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "fight.jsonl")

    monkeypatch.setattr(Disk, "write", fail)
    done = encounter(*EVENTS)
    assert (done.exit_code, "no space left" in done.stderr, list(folder.iterdir())) == (6, True, [])


LONGEST = {"jsonl": jsonl.LIMITS.line}
OF_ONE_FILE = [
    kind for kind, row in IMPORTERS.own.items() if not row.folder and kind != "events"
]  # which needs a mapping
MEMORY = 1 << 30
"""What a child may take up, in bytes of address space; a bomb unpacks to twice that."""


def good(_kind: str, folder: Path) -> bytes:
    return log_of(folder / "good.jsonl", QUARREL).read_bytes()


def bomb(_kind: str, folder: Path) -> Path:
    """Write 2 MB that unpack to 2 GiB without a line feed."""
    (folder / "bomb.gz").write_bytes(gzip.compress(b"0" * (64 << 20)) * 32)
    return folder / "bomb.gz"


def long_line(kind: str, folder: Path) -> Path:
    """Write a line longer than any may be, behind a good one."""
    first = good(kind, folder).split(b"\n")[0]
    (folder / "long").write_bytes(first + b"\n" + b"0" * (LONGEST[kind] + 1))
    return folder / "long"


def zeros(_kind: str, _folder: Path) -> Path:
    return Path("/dev/zero")


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system does not limit a process's memory so")
@pytest.mark.parametrize(("make", "line"), [(bomb, 1), (long_line, 2), (zeros, 1)])
@pytest.mark.parametrize("kind", OF_ONE_FILE)
def test_a_line_without_end_is_refused_with_its_limit(
    folder: Path, kind: str, make: Callable[[str, Path], Path], line: int
) -> None:
    source = make(kind, folder)
    done = spawn("import", kind, source, "fight.jsonl", preexec_fn=limited, timeout=60)
    says = f"line {line} is longer than {LONGEST[kind]:,} bytes, which is the limit"
    assert (done.returncode, says in done.stderr.decode()) == (4, True), done.stderr
    assert not (folder / "fight.jsonl").exists()


@pytest.mark.parametrize("kind", OF_ONE_FILE)
def test_damaged_gzip_data_is_refused_with_the_line(folder: Path, kind: str) -> None:
    packed = gzip.compress(good(kind, folder))
    for damaged in (packed[: len(packed) // 2], packed[:-8] + b"\0" * 8, b"\x1f\x8b broken"):
        (folder / "packed.gz").write_bytes(damaged)
        done = encounter("import", kind, "packed.gz", "fight.jsonl")
        assert (done.exit_code, ": the gzip data is damaged: " in done.stderr) == (4, True), done.stderr
        assert "packed.gz: line " in done.stderr
        assert not (folder / "fight.jsonl").exists()


@pytest.mark.parametrize(("limits", "says"), [
    (Limits(3, 9, 99), "line 2 is longer than 3 bytes"),
    (Limits(9, 1, 99), "line 2: the source has more than 1 lines"),
    (Limits(9, 9, 5), "line 2: the source is larger than 5 bytes"),
])  # fmt: skip
def test_each_limit_is_named_with_the_line_that_breaks_it(folder: Path, limits: Limits, says: str) -> None:
    (folder / "source").write_bytes(b"abc\nabcd\n")
    found = read_lines(folder / "source", limits)
    assert next(found) == b"abc\n"
    with pytest.raises(BadSource, match=says):
        next(found)
