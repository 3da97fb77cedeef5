"""The documentation page of the benchmarks, made from the figures that `--json` prints."""

import statistics
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

INTRODUCTION = """# Benchmarks

Results of `python -m benchmarks`; with `--page` it prints this page. Nothing here passes or fails. The ratios count, each
against a floor or a peer that was measured in turn with it, and not the times, which depend on the machine. A share is the
time of the floor, divided by our own. A target with ≥ is the least share, or the least factor of speed; a target with ≤ is
the largest factor of time. Numbers in brackets are those of the targets.
"""


def page(about: Mapping[str, Any], processors: int) -> str:
    """Return the page in Markdown; `about` is the output of `--json`."""
    kind = "short" if about["short"] else "whole"
    runs = (
        f"a {kind} run" if about["times"] == 1 else f"{about['times']} {kind} runs, of which each row is the middle one"
    )
    model = f" ({about['processor']})" if about["processor"] else ""
    system = str(about["system"]).partition("-")[0]
    machine = f"{processors} processors{model} with a load of {about['load']} at the start, {system}, file system {about['file_system']}"
    when = f"{datetime.now(UTC):%Y-%m-%d}"
    command = " ".join(filter(None, ("python -m benchmarks", about["asked"], "--page")))
    measured = (
        f"Measured on {when} by {runs}, `{command}`: {machine}, Python {about['python']}, msgspec {about['msgspec']}."
    )
    lines = [INTRODUCTION, measured, *_remark(about["load"], processors), ""]
    tables = (_table(name, about["says"][name], rows) for name, rows in about["tables"].items())
    return "\n".join([*lines, *(line for table in tables for line in table)]).rstrip()


def _remark(load: float, processors: int) -> Iterator[str]:
    if load > processors / 4:
        yield "The machine had other work as well, so times are longer, and ratios less sure, than on a quiet one."


def _table(name: str, says: str, rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield from (
        f"## {name}",
        "",
        says,
        "",
        "| what | unit | runs | min | median | max | ratio | target | |",
        "|---|---|--:|--:|--:|--:|--:|--:|---|",
    )
    for row in rows:
        yield f"| {' | '.join(_cells(row))} |"
    yield ""


def _cells(row: Mapping[str, Any]) -> Iterator[str]:
    runs = row["runs"]
    figures = (min(runs), statistics.median(runs), max(runs)) if runs else ()
    yield from (row["name"].replace("|", "\\|"), row["unit"], str(len(runs)))
    yield from (f"{figure:.1f}" for figure in figures) if figures else ("", "", "")
    yield "" if row["ratio"] is None else f"{row['ratio']:.2f}"
    yield "" if row["target"] is None else f"{'≥' if row['least'] else '≤'} {row['target']:g}"
    met = {None: "", True: "met", False: "not met"}[row["met"]]
    yield ", ".join(filter(None, (met, row["note"])))
