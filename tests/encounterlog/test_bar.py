"""The lines in view at the table prompt: places with everybody who is due, names that fit, and as many findings as the audit has."""

from pathlib import Path

import pytest

from encounterlog.cli import play as page
from encounterlog.cli.play import Playing
from encounterlog.log.logs import LogView
from encounterlog.words.layout import width
from projections.folds.moves import next_up
from projections.folds.order import who_is_due
from projections.language.notation.table import Table
from projections.state import State
from tests.encounterlog.fights import fixture
from tests.encounterlog.support import encounter, log_of_lines, opened
from tests.projections.grammar import table

NINE = (
    "definition-master/damage-arithmetic",
    "vile-darkness/r26-parley-and-delays",
    "nameless-journey/s04-six-newcomers",
)
TEN = "osric/s12-ten-in-three-rounds"


def states(folder: Path, name: str, step: int = 5) -> list[State]:
    records = list(LogView(str(fixture(folder, name))))
    return [Table(records[:at]).done.state for at in range(12, len(records) + 1, step)]


@pytest.mark.slow
def test_names_of_slots_of_one_phase_stand_together_with_arrows(folder: Path) -> None:
    lines = [page.format_order(state, 200) for state in states(folder, "vile-darkness/r26-parley-and-delays", 1)]
    assert any("L.D3 →Bram 17 & →Ada 22 & →Ulf 20" in line for line in lines)


@pytest.mark.parametrize("name", [*NINE, TEN])
def test_nine_names_fit_80_columns_and_whoever_is_next_is_among_them(folder: Path, name: str) -> None:
    for state in states(folder, name):
        line = page.format_order(state, 80)
        assert width(line) <= 80
        assert "…" not in line[12:], line
        coming = next_up(state)
        if coming and who_is_due(state).value:
            assert f"→{state.combatants[coming].name[:3]}" in line or f"*{state.combatants[coming].name[:3]}" in line


def test_short_names_are_no_two_alike_and_keep_numbers() -> None:
    at = table(
        "plain", "join goblin*6 foes hp=5", *(f"join {who} party hp=9" for who in ("Marian", "Marius", "Mario")), "r"
    )
    named = page.format_order(at.done.state, 80).removeprefix("round 1: ").split(", ")
    assert named == [*(f"gob{number} 5" for number in range(1, 7)), "Mar 9", "Mari 9", "Mario 9"]


def test_the_number_of_findings_in_view_is_that_of_the_audit(folder: Path) -> None:
    log = opened(folder / "ford.jsonl", "osric")
    playing = Playing(str(log), None, "gm", "durable", network_drive=False)
    waive = "rule waive 4 surprise.checked-at-start we did"
    for line in ("join Ana party hp=9", "join Orc foes hp=9", "r", "a o 14 3", "e", "r", "u", waive):
        playing.take_line(line)
        said = encounter("audit", log).stdout.splitlines()[-1].partition(" in ")[0]
        assert playing.findings == ("" if said == "no findings" else said), line
        assert not playing.findings or playing.findings in playing.status_lines(80)[1]
    again = Playing(str(log), None, "gm", "durable", network_drive=False)
    assert again.findings == playing.findings != ""


def test_a_typed_line_is_previewed_and_not_written_or_rolled(tmp_path: Path) -> None:
    log = log_of_lines(tmp_path / "ford.jsonl", "plain", ("join Ana party hp=9", "join Ogre foes hp=20"))
    before = log.read_bytes()
    playing = Playing(str(log), None, "gm", "durable", network_drive=False)
    assert playing.status_lines(80, "ogre -3")[1] == "Ogre takes 3 damage"
    assert "the other dice are rolled here" in playing.status_lines(200, "ana ogre d20 d6")[1]
    assert "a number" in playing.status_lines(80, "ana hits ogre for ")[1]
    assert playing.status_lines(80)[1] == playing.status_lines(80, " ")[1]
    assert log.read_bytes() == before
