"""The documentation page of the benchmarks, made from the figures that `--json` prints."""

import re
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from projections.rulesets import keys

INTRODUCTION = """# Benchmarks

Results of `python -m benchmarks`; with `--page` it prints this page, with `--json` every run, with floors and parts. Nothing here passes
or fails. The ratios count, each against a floor or a peer that was measured in turn with it, and not the times, which depend on the
machine. A share is the time of the floor, divided by our own. A target with ≥ is the least share, or the least factor of speed; a
target with ≤ is the largest factor of time. A row of several rulesets has the least and the largest of their figures. Numbers in
brackets are those of the targets.
"""
THEMES = {
    "Writing": ("append", "batch", "group", "profile", "follow", "postgres"),
    "Reading and replay": ("decode", "verify", "replay", "peers", "growth", "many", "long", "memory"),
    "Rules": ("rules", "instructions"),
    "Answers": ("dice", "explain", "export", "start", "page"),
    "The service": ("service",),
}
"""The tables of the page, each with the benchmarks in it."""
Row = Mapping[str, Any]


def page(about: Mapping[str, Any], processors: int) -> str:
    """Return the page in Markdown; `about` is the output of `--json`."""
    kind = "short" if about["short"] else "whole"
    runs = (
        f"a {kind} run" if about["times"] == 1 else f"{about['times']} {kind} runs, of which each row is the middle one"
    )
    model = f" ({about['processor']})" if about["processor"] else ""
    system = str(about["system"]).partition("-")[0]
    machine = f"{processors} processors{model} with a load of {about['load']} at the start, {system}, file system {about['file_system']}"
    command = " ".join(filter(None, ("python -m benchmarks", about["asked"], "--page")))
    measured = f"Measured on {about['date']} by {runs}, `{command}`: {machine}, Python {about['python']}, msgspec {about['msgspec']}."
    lines = [INTRODUCTION, measured, *_remark(about["load"], processors), ""]
    measured_ones = {theme: [name for name in names if name in about["tables"]] for theme, names in THEMES.items()}
    for theme, names in measured_ones.items():
        lines += _table(theme, [about["says"][name] for name in names], [about["tables"][name] for name in names])
    return "\n".join(lines).rstrip()


def _remark(load: float, processors: int) -> Iterator[str]:
    if load > processors / 4:
        yield "The machine had other work as well, so times are longer, and ratios less sure, than on a quiet one."


def _table(theme: str, says: Sequence[str], tables: Sequence[Sequence[Row]]) -> Iterator[str]:
    if tables:
        yield from (
            f"## {theme}",
            "",
            " ".join(says),
            "",
            "| what | median | ratio | target | |",
            "|---|--:|--:|--:|---|",
        )
        yield from (f"| {' | '.join(_cells(*rows))} |" for table in tables for rows in _by_name(table))
        yield ""


def _by_name(table: Sequence[Row]) -> Iterator[tuple[str, list[Row]]]:
    """Yield the rows of a table by what they measure, of all rulesets together, without floors, parts, and times beside ratios."""
    has_ratios = any(row["ratio"] for row in table)
    found: dict[tuple[str, str], list[Row]] = {}
    for row in table:
        is_floor = has_ratios and row["ratio"] in (1, None) and row["target"] is None and not row["note"]
        if not is_floor and not row["name"].startswith("- "):
            name = re.sub(r"\S+\.hp", "WHO.hp", re.sub(rf"^({'|'.join(keys())}): ", "", row["name"]))
            found.setdefault((name, row["note"].partition(", of ")[0]), []).append(row)
    for (name, _), rows in found.items():
        yield rows[0]["name"] if len(rows) == 1 else f"{name}, {len(rows)} rulesets", rows


def _cells(name: str, rows: Sequence[Row]) -> Iterator[str]:
    yield name.replace("|", "\\|")
    yield f"{_range([statistics.median(row['runs']) for row in rows if row['runs']], 1)} {rows[0]['unit']}".strip()
    yield _range([row["ratio"] for row in rows if row["ratio"] is not None], 2)
    targets = [row["target"] for row in rows if row["target"] is not None]
    yield f"{'≥' if rows[0]['least'] else '≤'} {_range(targets, None)}" if targets else ""
    verdicts = [row["met"] for row in rows if row["met"] is not None]
    met = f"{sum(verdicts)} of {len(verdicts)} met" if len(verdicts) > 1 else "met" if all(verdicts) else "not met"
    yield ", ".join(filter(None, (met if verdicts else "", rows[0]["note"])))


def _range(figures: Sequence[float], digits: int | None) -> str:
    """Return the least and the largest of several figures, or the only one."""
    ends = dict.fromkeys(f"{each:g}" if digits is None else f"{each:.{digits}f}" for each in sorted(figures))
    return " to ".join(dict.fromkeys((next(iter(ends)), next(reversed(ends))))) if ends else ""
