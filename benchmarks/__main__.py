"""python -m benchmarks [NAME…] [--short] [--times N] [--json] [--page] [--folder FOLDER]"""

import argparse
import json
import os
import platform
import statistics
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from benchmarks import (
    append,
    batch,
    decode,
    dice,
    explain,
    export,
    follow,
    group,
    growth,
    instructions,
    long,
    many,
    memory,
    page,
    peers,
    postgres,
    profile,
    reference,
    replay,
    rules,
    service,
    start,
    verify,
)
from benchmarks.measuring import Measurement, file_system, middle, processor

BENCHMARKS = {
    "append": append,
    "batch": batch,
    "group": group,
    "profile": profile,
    "follow": follow,
    "postgres": postgres,
    "service": service,
    "decode": decode,
    "verify": verify,
    "replay": replay,
    "peers": peers,
    "growth": growth,
    "rules": rules,
    "instructions": instructions,
    "dice": dice,
    "explain": explain,
    "export": export,
    "start": start,
    "page": page,
    "many": many,
    "memory": memory,
    "long": long,
}
"""To add one: a module with run(folder, short) -> list[Measurement], and its name here."""
SYNC_COUNTS = ("append", "batch", "group", "profile", "follow", "postgres", "service")
"""Benchmarks that mean nothing where a sync costs nothing."""


def main() -> None:
    asked = _arguments()
    unknown = [name for name in asked.names if name not in BENCHMARKS]
    if unknown:
        raise SystemExit(f"no benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    tables, load = {}, os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    with tempfile.TemporaryDirectory(prefix="benchmark-", dir=asked.folder) as name:
        Path(name).chmod(0o711)  # the PostgreSQL server that is measured may run as another user
        system = file_system(Path(name))
        for each in asked.names or BENCHMARKS:
            own = [Path(tempfile.mkdtemp(prefix=f"{each}-", dir=name)) for _ in range(asked.times)]
            tables[each] = middle([BENCHMARKS[each].run(folder, asked.short) for folder in own])
    about = {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "python": platform.python_version(),
        "msgspec": msgspec.__version__,
        "system": platform.platform(),
        "file_system": system,
        "short": asked.short,
        "times": asked.times,
        "load": round(load, 1),
        "processor": processor(),
    }
    if asked.json or asked.page:
        plain = {name: [_plain(row, name, system) for row in table] for name, table in tables.items()}
        whole = {**about, "says": {name: (BENCHMARKS[name].__doc__ or "").splitlines()[0] for name in tables}}
        whole |= {"asked": _words(asked), "tables": plain}
        print(json.dumps(whole) if asked.json else reference.page(whole, os.cpu_count() or 1))
        return
    print(" · ".join(f"{key} {value}" for key, value in about.items()))
    for each, rows in tables.items():
        _print(each, rows, system)


def _words(asked: argparse.Namespace) -> str:
    """Return the requested names and options as they are typed."""
    times = [f"--times {asked.times}"] if asked.times > 1 else []
    return " ".join([*asked.names, *["--short"] * asked.short, *times])


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Ratios, never a failure on a time.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHMARKS)}; all by default")
    parser.add_argument("--short", action="store_true", help="fewer runs: about four minutes for all")
    parser.add_argument("--times", type=int, default=1, metavar="N", help="measure N times; each row is the middle one")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--page", action="store_true", help="a page in Markdown")
    parser.add_argument("--folder", help="where to write (default: the system's folder for temporary files)")
    return parser.parse_args()


def _in_memory(name: str, system: str) -> bool:
    return name in SYNC_COUNTS and system in ("tmpfs", "ramfs")


def _plain(row: Measurement, name: str, system: str) -> dict[str, Any]:
    counts = not _in_memory(name, system)
    return {
        "name": row.name,
        "unit": row.unit,
        "runs": row.runs,
        "ratio": row.ratio if counts else None,
        "target": row.target,
        "least": row.least,
        "met": row.met if counts else None,
        "note": row.note,
    }


def _print(name: str, rows: list[Measurement], system: str) -> None:
    print(f"\n{name}, {len(rows[0].runs)} runs in turn")
    wide = max(48, *(len(row.name) for row in rows))
    print(f"{'':<{wide}} {'unit':<12} {'min':>8} {'median':>8} {'max':>8} {'ratio':>6}  target")
    for row in rows:
        figures = (min(row.runs), statistics.median(row.runs), max(row.runs)) if row.runs else ()
        print(
            f"{row.name:<{wide}} {row.unit:<12}", *(f"{figure:8.1f}" for figure in figures), _verdict(row, name, system)
        )
    if _in_memory(name, system):
        print("the folder is in memory, where a sync costs nothing: no shares; --folder names another")


def _verdict(row: Measurement, name: str, system: str) -> str:
    if _in_memory(name, system) or row.ratio is None:
        return row.note
    target = "" if row.target is None else f"{'≥' if row.least else '≤'} {row.target} {'met' if row.met else 'not met'}"
    return f"{row.ratio:6.2f}  {target}{'  ' + row.note if row.note else ''}".rstrip()


if __name__ == "__main__":
    main()
