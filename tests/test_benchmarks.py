"""The page of benchmarks, made from the figures of a run; the peer that reads what our own store writes."""

from typing import Any

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


def test_pydantic_as_a_peer_reads_each_line_with_its_event() -> None:
    read = reader()
    models: list[Any] = [read(encode(each)) for each in records(joins("ana", 9, "heroes"), round_(1))]
    assert [each.event.type for each in models] == ["encounter_opened", "combatant_joined", "round_started"]
