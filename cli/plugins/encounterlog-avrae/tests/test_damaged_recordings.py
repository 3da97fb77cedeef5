"""Recordings with rows missing, moved or spoiled: read all the same, and no breach but what is in them comes of it."""

import copy
import gzip
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from encounterlog.importers import importing
from encounterlog.log.logs import LogView
from projections.judging.audit import audit

FIXTURES = Path(__file__).parent / "recordings" / "fireball"
NAMES = ("1669400683", "1669406672", "1669408684")

Rows = list[dict[str, Any]]

ODD: list[Any] = [
    None,
    "",
    0,
    -1,
    2**60,
    1.5,
    True,
    [],
    {},
    [None],
    {"a": 1},
    "x" * 300,
    "\ud800",
    "“",
    "\x1b[31m",
    "none",
]


def missing(rows: Rows, chance: random.Random) -> Rows:
    return [row for row in rows if chance.random() > 0.1]


def without_commands(rows: Rows, chance: random.Random) -> Rows:
    return [row for row in rows if row["event_type"] != "command" or chance.random() < 0.5]


def without_runs(rows: Rows, chance: random.Random) -> Rows:
    return [row for row in rows if row["event_type"] != "automation_run" or chance.random() < 0.5]


def without_answers(rows: Rows, _chance: random.Random) -> Rows:
    return [row for row in rows if not row.get("author_bot")]


def moved(rows: Rows, chance: random.Random) -> Rows:
    for place in range(len(rows) - 1):
        if chance.random() < 0.1:
            rows[place : place + 2] = rows[place + 1], rows[place]
    return rows


def spoiled(rows: Rows, chance: random.Random) -> Rows:
    for _ in range(30):
        row = chance.choice(rows)
        path = chance.choice([path for path in paths(row) if path[0] not in ("combat_id", "timestamp")])
        inner: Any = row
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = copy.deepcopy(chance.choice(ODD))
    return rows


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to everything that a row has in it."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, item in inner:
        yield (*path, step)
        yield from paths(item, (*path, step))


@pytest.mark.slow
@pytest.mark.parametrize("damage", [missing, without_commands, without_runs, without_answers, moved, spoiled])
def test_a_damaged_recording_is_read_and_breaks_no_rule(
    folder: Path, damage: Callable[[Rows, random.Random], Rows], whole: bool
) -> None:
    for seed in range(4 if whole else 2):
        (folder / str(seed)).mkdir()
        reads_and_breaks_no_rule(folder / str(seed), damage, random.Random(seed))


def reads_and_breaks_no_rule(
    folder: Path, damage: Callable[[Rows, random.Random], Rows], chance: random.Random
) -> None:
    text = gzip.decompress((FIXTURES / f"{chance.choice(NAMES)}.jsonl.gz").read_bytes()).decode().splitlines()
    start = chance.randrange(len(text) - 250)
    rows = damage([json.loads(line) for line in text[start : start + 250]], chance)
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = importing.run_import("fireball", str(folder / "rows.jsonl"), str(folder / "fight.jsonl"), None, "gm")
    assert done.differences == ()
    assert [one.says for one in audit(LogView(str(folder / "fight.jsonl"))).findings if one.severity == "breach"] == []
    for one in done.respects:
        assert one.by_itself + one.with_cause + one.without_cause == one.agree == one.states
