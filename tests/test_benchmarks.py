"""The page of benchmarks, made from the figures of a run; the peer that reads what our own store writes."""

from typing import Any

from benchmarks.measuring import Measurement, middle
from benchmarks.modelled import reader
from benchmarks.reference import page
from eventstore.record import encode
from tests.projections.logs import joins, records, round_

ABOUT = {
    "date": "2026-11-28", "python": "3.11.7", "msgspec": "0.20.0", "system": "Linux-6", "file_system": "ext4", "short": True, "times": 1, "load": 0.3,
    "processor": "", "asked": "start --short",
}  # fmt: skip


def test_each_figure_has_its_row_with_share_target_and_verdict() -> None:
    row: dict[str, Any] = {"name": "own", "unit": "ms", "runs": [3.0, 1.0, 2.0], "ratio": 0.5, "target": 0.75}
    row["least"] = True
    rows = [row | {"met": False, "note": ""}, row | {"name": "peer", "runs": [], "ratio": None, "target": None}]
    rows[1] |= {"met": None, "note": "is not installed"}
    text = page(ABOUT | {"says": {"start": "Cold start."}, "tables": {"start": rows}}, 2)
    assert "## Answers\n\nCold start.\n\n| what" in text
    assert "Measured on 2026-11-28 by a short run" in text
    assert "`python -m benchmarks start --short --page`" in text
    assert "other work" not in text
    assert "| own | 2.0 ms | 0.50 | ≥ 0.75 | not met |" in text
    assert "| peer | ms |  |  | is not installed |" in text


def test_rulesets_share_a_row_and_floors_and_parts_have_none() -> None:
    row: dict[str, Any] = {"unit": "ms", "runs": [1.0], "least": False, "met": None, "note": "", "target": None}
    rows = [
        row | {"name": "show (floor)", "ratio": 1.0},
        row | {"name": "- a part", "ratio": 0.5},
        row | {"name": "5e: why ana.hp", "ratio": 3.5, "runs": [4.0], "target": 3, "met": False},
        row | {"name": "osric: why bo.hp", "ratio": 2.5, "runs": [2.0], "target": 3, "met": True},
    ]
    text = page(ABOUT | {"says": {"explain": "Answers."}, "tables": {"explain": rows}}, 2)
    assert text.endswith("--:|---|\n| why WHO.hp, 2 rulesets | 2.0 to 4.0 ms | 2.50 to 3.50 | ≤ 3 | 1 of 2 met |")


def test_of_several_runs_each_row_is_the_middle_and_other_work_is_named() -> None:
    ratios, times = ((0.7, 0.5, 0.6), (9.0, 7.0, 8.0))
    runs = [
        [Measurement("own", "ms", (1.0,), ratio), Measurement("floor", "ms", (ms,))]
        for ratio, ms in zip(ratios, times, strict=True)
    ]
    own, floor = middle(runs)
    assert (own.ratio, floor.runs) == (0.6, (8.0,))
    text = page(ABOUT | {"times": 3, "processor": "Quick 9", "says": {}, "tables": {}}, 2)
    assert "by 3 short runs, of which each row is the middle one" in text
    assert "2 processors (Quick 9)" in text
    text = page(ABOUT | {"load": 9.1, "says": {}, "tables": {}}, 2)
    assert "with a load of 9.1 at the start" in text
    assert "other work as well" in text


def test_pydantic_as_a_peer_reads_each_line_with_its_event() -> None:
    read = reader()
    models: list[Any] = [read(encode(each)) for each in records(joins("ana", 9, "heroes"), round_(1))]
    assert [each.event.type for each in models] == ["encounter_opened", "combatant_joined", "round_started"]
