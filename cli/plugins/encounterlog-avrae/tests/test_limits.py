"""Whatever a source pretends to hold, it is read within limits: exit 4 with the limit and the line, in bounded memory."""

import gzip
import resource
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from encounterlog_avrae import channels, rows
from tests.encounterlog.support import encounter, spawn

FIREBALL = Path(__file__).parent / "recordings" / "fireball" / "raw.jsonl"
CHANNEL = Path(__file__).parent / "recordings" / "ford.json"
LONGEST = {"fireball": rows.LIMITS.line, "discord": channels.LIMITS.line}
OF_ONE_FILE = ("fireball", "discord")
MEMORY = 1 << 30
"""What a child may take up, in bytes of address space; a bomb unpacks to twice that."""


def good(kind: str, _folder: Path) -> bytes:
    """Return a source that this importer reads."""
    return {"fireball": FIREBALL, "discord": CHANNEL}[kind].read_bytes()


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


@pytest.mark.full
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


@pytest.mark.full
@pytest.mark.parametrize("kind", OF_ONE_FILE)
def test_a_packed_source_is_read_as_the_same_one_unpacked(folder: Path, kind: str) -> None:
    (folder / "plain").write_bytes(good(kind, folder))
    (folder / "packed").write_bytes(gzip.compress((folder / "plain").read_bytes()))
    for name in ("plain", "packed"):
        assert encounter("import", kind, name, f"{name}.jsonl", "--by", "gm").exit_code == 0
    shown = [encounter("log", f"{name}.jsonl").stdout for name in ("plain", "packed")]
    assert shown[0] == shown[1] != ""
