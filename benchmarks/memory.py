"""The most memory that a command takes on a long log: VmHWM of fresh processes.

It is compared with that on a log of 1,000 events (target 15), for questions also with an idle interpreter, and for a page of
HTML with the size of the page.
"""

import subprocess
import sys
from pathlib import Path

from benchmarks.logs import written
from benchmarks.measuring import Measurement
from benchmarks.start import environment

FEW, MANY, FEWER = 1_000, 1_000_000, 50_000
AT_MOST, ABOVE = 5, 100
"""The MiB that a command may take more than on a short log, and a question more than an interpreter."""
ASKED = ("show", "audit", "why")
"""The commands that are also compared with an idle interpreter."""
VERBS = {
    "verify": ("verify",),
    "show": ("show",),
    "audit": ("audit",),
    "stats": ("stats",),
    "why": ("why", "orc-chief.hp"),
    "export jsonl": ("export", "jsonl"),
    "export csv": ("export", "csv"),
    "export markdown": ("export", "markdown"),
}
GROWS = {"stats": ": it keeps a row for each round and combatant, as it prints them"}
"""The commands whose memory grows with the log, and why."""
KILLED = "the command was killed"
MEASURED = """
import sys
from pathlib import Path
try:
    if sys.argv[1:]:
        from encounterlog.__main__ import main
        main()
finally:
    rows = Path("/proc/self/status").read_text().splitlines()
    print(next(row for row in rows if row.startswith("VmHWM")), file=sys.stderr)
"""


def run(folder: Path, short: bool) -> list[Measurement]:
    """Measure the ruleset `plain` with a million events; short: with 50,000."""
    if not Path("/proc/self/status").exists():
        return [Measurement("memory", "MiB", (), note="this system does not report it")]
    return _rows(folder, "plain", FEWER if short else MANY)


def _rows(folder: Path, key: str, most: int) -> list[Measurement]:
    few, many = (written(folder / f"{key}-{events}.jsonl", key, events) for events in (FEW, most))
    rows = [row for name in VERBS for row in _of_verb(f"{key}: {name}, {most:,} events", name, few, many)]
    rows.append(_of_page(f"{key}: export html, {most:,} events", many, folder / "long.html"))
    many.unlink()
    return rows


def _of_verb(name: str, verb: str, few: Path, many: Path) -> list[Measurement]:
    command, *words = VERBS[verb]
    most, least = (peak(*_at(log, command, *words)) for log in (many, few))
    if most is None or least is None:
        return [Measurement(name, "MiB", (), note=KILLED)]
    note = f"MiB more than with {FEW:,}, of {least:.1f}{GROWS.get(verb, '')}"
    rows = [Measurement(name, "MiB", (most,), ratio=most - least, target=AT_MOST, least=False, note=note)]
    if verb in ASKED and (nothing := peak()) is not None:
        note = f"MiB more than an interpreter, of {nothing:.1f}"
        rows.append(Measurement(name, "MiB", (most,), ratio=most - nothing, target=ABOVE, least=False, note=note))
    return rows


def _at(log: Path, command: str, *words: str) -> tuple[str, ...]:
    """Return the words of a command about a log: that of an export stands last, that of a question before it."""
    return (command, *words, str(log)) if command == "export" else (command, str(log), *words)


def _of_page(name: str, log: Path, page: Path) -> Measurement:
    """Return the memory of a page of HTML, as a multiple of the page's size."""
    most = peak("export", "html", str(log), "--to", str(page))
    if most is None or not page.exists():
        return Measurement(name, "MiB", (), note=KILLED)
    size = page.stat().st_size / 1024**2
    page.unlink()
    return Measurement(name, "MiB", (most,), ratio=most / size, note=f"times the page, of {size:.1f} MiB")


def peak(*words: str) -> float | None:
    """Run a command, or nothing without words, as a process of its own, and return its peak memory, in MiB; None if it did not end."""
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
