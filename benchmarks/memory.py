"""The most memory that a command takes on a long log against one of 1,000 events (target 15): VmHWM of fresh processes."""

import subprocess
import sys
from pathlib import Path

from benchmarks.logs import written
from benchmarks.measuring import Row
from benchmarks.start import environment

FEW, MANY, FEWER = 1_000, 1_000_000, 50_000
AT_MOST = 5
"""How many MiB more a command may take."""
VERBS = {
    "verify": ("verify",),
    "show": ("show",),
    "audit": ("audit",),
    "export jsonl": ("export", "jsonl"),
    "export csv": ("export", "csv"),
    "export markdown": ("export", "markdown"),
}
MEASURED = """
import sys
from pathlib import Path
from encounterlog.__main__ import main
try:
    main()
finally:
    rows = Path("/proc/self/status").read_text().splitlines()
    print(next(row for row in rows if row.startswith("VmHWM")), file=sys.stderr)
"""


def run(folder: Path, short: bool) -> list[Row]:
    """Measure the ruleset `plain` with a million events; short: with 50,000."""
    if not Path("/proc/self/status").exists():
        return [Row("memory", "MiB", (), note="this system does not tell it")]
    most = FEWER if short else MANY
    return _rows(folder, "plain", most)


def _rows(folder: Path, key: str, most: int) -> list[Row]:
    few, many = (written(folder / f"{key}-{events}.jsonl", key, events) for events in (FEW, most))
    rows = [_row(f"{key}: {name}, {most:,} events", words, few, many) for name, words in VERBS.items()]
    many.unlink()
    return rows


def _row(name: str, words: tuple[str, ...], few: Path, many: Path) -> Row:
    most, least = peak(*words, str(many)), peak(*words, str(few))
    if most is None or least is None:
        return Row(name, "MiB", (), note="the command was killed")
    note = f"MiB more than with {FEW:,}, of {least:.1f}"
    return Row(name, "MiB", (most,), ratio=most - least, target=AT_MOST, least=False, note=note)


def peak(*words: str) -> float | None:
    """Run a command as a process of its own, and return the most memory that it had, in MiB; None if it did not end."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        env=environment(),
    )
    found = done.stderr.split()
    return int(found[-2]) / 1024 if len(found) > 1 else None
