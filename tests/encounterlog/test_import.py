"""`encounter import`: a recorded combat becomes a log, compared state by state with what was recorded."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from encounterlog.importers import IMPORTERS, ImporterEntry, importing
from encounterlog.importers.transcript import Fact, Problem, Transcript
from tests.encounterlog.support import encounter, shown

ENGINE = Path(__file__).parents[2] / "fixtures" / "5e" / "recordings"
EVENTS = ("import", "events", ENGINE / "engine.jsonl", "fight.jsonl", "--map", ENGINE / "engine.toml")


def test_a_source_that_is_not_there_and_a_log_that_is(folder: Path) -> None:
    assert encounter("import", "foundry", "none", "fight.jsonl").exit_code == 4
    (folder / "fight.jsonl").write_text("mine")
    assert (encounter(*EVENTS).exit_code, (folder / "fight.jsonl").read_text()) == (2, "mine")


def test_large_recordings_go_in_in_several_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "MOST_EVENTS", 20)
    assert encounter(*EVENTS).exit_code == 0
    assert "6 appends" in encounter("verify", "fight.jsonl").stdout


def test_an_import_that_fails_half_way_leaves_no_file_behind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "fight.jsonl")

    monkeypatch.setattr(importing, "MOST_EVENTS", 20)
    monkeypatch.setattr("eventstore.jsonl.JsonlStore.append", fail)
    done = encounter(*EVENTS)
    assert (done.exit_code, "no space left" in done.stderr, list(folder.iterdir())) == (6, True, [])


def test_a_new_importer_needs_a_row_and_a_function(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(source: Path) -> Transcript:
        facts: list[dict[str, Any]] = [
            {"type": "combatant_joined", "combatant": "ada", "side": "heroes", "sheet": {"hp": 9}},
            {"type": "damage_dealt", "target": "ada", "amount": int(source.read_text())},
            {"type": "checked", "values": {"ada.hp": 5, "ada.status": "up"}},
        ]
        dated = [Fact(event, f"2026-11-20T19:04:0{n}.000000Z", (n + 1,)) for n, event in enumerate(facts)]
        return Transcript("Toy", "osric", dated, [Problem(9, "is blank")], 1, options={"tie-handling": "ruling"})

    toy = ModuleType("toy_importer")
    toy.read = read  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "toy_importer", toy)
    monkeypatch.setitem(IMPORTERS.own, "toy", ImporterEntry("toy_importer", "Toys"))
    (folder / "source").write_text("3")
    done = importing.run("toy", "source", "toy.jsonl", None, "gm")
    assert [(one.name, one.agree, one.states) for one in done.respects] == [("hp", 0, 1), ("status", 1, 1)]
    (one,) = done.differences
    assert (one.line, one.address, one.stated, one.derived) == (3, "ada.hp", "5", "6")
    assert one.cause == "last set in line 2: ada takes 3 damage"
    view = shown(Path("toy.jsonl"))
    assert (view["ruleset"], view["options"]["tie-handling"], view["title"]) == ("osric", "ruling", "Toy")


@pytest.mark.parametrize(
    ("address", "respect"),
    [
        ("order", "order"),
        ("ana.hp", "hp"),
        ("ana.effects", "effects"),
        ("ana.effects.Haste", "left"),
        ("ana.resources.Rage", "counters"),
    ],
)
def test_an_address_belongs_to_a_respect(address: str, respect: str) -> None:
    assert importing.respect_of(address) == respect
