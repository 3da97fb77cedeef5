"""A recording is read within limits of its own, packed or not."""

import gzip
from pathlib import Path

import pytest

from encounterlog_avrae import rows
from tests.encounterlog.support import encounter

SOURCE = Path(__file__).parent / "recordings" / "fireball" / "raw.jsonl"
LONGEST = rows.LIMITS.line


@pytest.mark.slow
def test_a_line_that_is_too_long_is_refused_with_its_limit(folder: Path) -> None:
    first = SOURCE.read_bytes().split(b"\n")[0]
    (folder / "long").write_bytes(first + b"\n" + b"0" * (LONGEST + 1))
    done = encounter("import", "fireball", "long", "fight.jsonl")
    assert (done.exit_code, f"line 2 is longer than {LONGEST:,} bytes" in done.stderr) == (4, True), done.stderr
    assert not (folder / "fight.jsonl").exists()


@pytest.mark.slow
def test_a_packed_source_is_read_as_the_same_one_unpacked(folder: Path) -> None:
    (folder / "plain").write_bytes(SOURCE.read_bytes())
    (folder / "packed").write_bytes(gzip.compress((folder / "plain").read_bytes()))
    for name in ("plain", "packed"):
        assert encounter("import", "fireball", name, f"{name}.jsonl", "--by", "gm").exit_code == 0
    shown = [encounter("log", f"{name}.jsonl").stdout for name in ("plain", "packed")]
    assert shown[0] == shown[1] != ""
