"""The pages for people, as they look; their golden copies are in __snapshots__."""

import json
import re
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.encounterlog.support import BREACH, append, encounter, log_of, quarrel, shown

WORLD = Path(__file__).parents[2] / "fixtures" / "plain" / "foundry" / "version-13"

TURNS = """\
{"type":"combatant_joined","combatant":"ana","name":"Ana","side":"heroes","sheet":{"hp":12,"temp":4}}
{"type":"combatant_joined","combatant":"kex","name":"Kex the Unready","side":"kobolds","sheet":{"hp":7}}
{"type":"initiative_rolled","combatant":"ana","die":12,"bonus":3}
{"type":"initiative_rolled","combatant":"kex","die":{"notation":"2d20kh1","faces":[4,9],"dropped":[0]}}
{"type":"round_started","round":1}
{"type":"turn_started","combatant":"ana"}
{"type":"action_taken","combatant":"ana","action":{"kind":"attack","name":"sword","targets":["kex"]}}
{"type":"attack_rolled","combatant":"ana","target":"kex","die":17,"total":22,"ac":13,"hit":true,"cause":-1}
{"type":"damage_dealt","target":"kex","amount":9,"cause":-2}
{"type":"condition_gained","condition":"prone","targets":["kex"]}
{"type":"effect_started","effect":"haste","source":"ana","targets":["ana"],"duration":{"amount":3,"unit":"round"},"concentration":true}
{"type":"turn_ended","combatant":"ana"}
{"type":"round_started","round":2}
{"type":"turn_started","combatant":"ana"}
{"type":"checked","values":{"ana.hp":11}}
"""


@pytest.fixture
def osric(folder: Path) -> Path:
    log = quarrel(folder / "halvaine.jsonl")
    append(log, BREACH)
    return log


@pytest.fixture
def plain(folder: Path) -> Path:
    return log_of(folder / "turns.jsonl", TURNS, "plain", "Ana and the kobold")


def page(*words: object) -> str:
    done = encounter(*words)
    assert done.stderr == ""
    assert max(map(len, done.stdout.splitlines())) < 100, "under 100 columns"
    return done.stdout


@pytest.mark.parametrize("words", [("show",), ("show", "--why"), ("log",), ("replay",), ("audit",)], ids=" ".join)
def test_a_log_of_segments(osric: Path, snapshot: SnapshotAssertion, words: tuple[str, ...]) -> None:
    assert page(words[0], osric.name, *words[1:]) == snapshot


@pytest.mark.parametrize(
    "words", [("show",), ("show", "--all"), ("show", "--why", "--all"), ("log",), ("replay",), ("audit",)], ids=" ".join
)
def test_a_log_of_turns(plain: Path, snapshot: SnapshotAssertion, words: tuple[str, ...]) -> None:
    assert page(words[0], plain.name, *words[1:]) == snapshot


def test_the_table_of_an_import(snapshot: SnapshotAssertion) -> None:
    assert page("import", "foundry", WORLD, "fight.jsonl") == snapshot


def test_the_rulebook_of_plain(snapshot: SnapshotAssertion) -> None:
    assert re.sub(r"line \d+", "line N", page("rules", "log", "log.statement")) == snapshot


def test_the_fields_of_an_event(snapshot: SnapshotAssertion) -> None:
    assert page("schema", "initiative_rolled") == snapshot


def test_views_name_closings_corrections_castings_and_empty_rounds(tmp_path: Path) -> None:
    log = log_of(tmp_path / "log.jsonl", FOUGHT + '{"type":"encounter_closed.2","reason":"all fled"}')
    assert "  the fight is over: event 12" in encounter("show", log).output.splitlines()
    assert shown(log)["closed"] == 12
    struck = '{"type":"noted","text":"x"}\n{"type":"struck","event":11}\n{"type":"struck","event":12}'
    log = log_of(tmp_path / "log-2.jsonl", FOUGHT + struck)
    heads = {
        where: encounter("show", log, *where).output.partition("\n")[0]
        for where in ((), ("--at", "11"), ("--at", "10"))
    }
    assert heads[()].endswith("as of record 14")
    assert heads["--at", "11"].endswith("as of record 11, as corrected by record 13")
    assert heads["--at", "10"].endswith("as of record 10")
    log = log_of(tmp_path / "log-3.jsonl", FOUGHT)
    rows = shown(log, "--all")["timeline"]
    assert [row["status"] for row in rows if row["name"] == "web"] == ["begun"]
    assert [row["round"] for row in rows] == sorted(row["round"] for row in rows)
    lines = encounter("show", log_of(tmp_path / "log-4.jsonl", "".join(FOUGHT.splitlines(True)[:2]) + OPEN)).stdout
    assert "of round 1" not in lines
    assert not [line for line in lines.splitlines() if line != line.rstrip()]


MISSED = """\
{"type":"combatant_joined","combatant":"ana","side":"heroes","sheet":{"hp":20,"dexterity":5}}
{"type":"combatant_joined","combatant":"bo","side":"raiders","sheet":{"hp":20,"dexterity":2}}
{"type":"initiative_rolled","combatant":"ana","check":15,"bonus":5}
{"type":"initiative_rolled","combatant":"bo","check":14,"bonus":2}
{"type":"turn_started","combatant":"ana"}
{"type":"action_taken","combatant":"ana","second":4,"action":{"kind":"cast","name":"bolt","time":4}}
{"type":"turn_started","combatant":"bo"}
{"type":"turn_started","combatant":"bo"}
"""
"""Ana's bolt runs on into round 2, whose turn of hers is missed as round 3 opens with hers."""


def test_rows_of_all_rounds_stand_once_in_their_turn(tmp_path: Path) -> None:
    log = log_of(tmp_path / "log.jsonl", MISSED, ruleset="semiautomagic")
    rows = shown(log, "--all")["timeline"]
    assert [row["turn"] for row in rows if row["name"] == "bolt" and row["round"] == 1] == [1]
    append(log, '{"type":"turn_started","combatant":"ana"}')
    for words in ((), ("--all",)):
        rows = shown(log, *words)["timeline"]
        assert [row["round"] for row in rows] == sorted(row["round"] for row in rows)
        assert [row["status"] for row in rows if row["combatant"] == "ana" and row["round"] == 2] == ["lost"]
    rows = shown(log_of(tmp_path / "log-2.jsonl", DELAYED, ruleset="semiautomagic"))["strip"]["rows"]
    assert [row["combatant"] for row in rows] == ["ana", "bo", "cy"]


DELAYED = """\
{"type":"combatant_joined","combatant":"ana","side":"heroes","sheet":{"hp":20,"dexterity":5}}
{"type":"combatant_joined","combatant":"bo","side":"raiders","sheet":{"hp":20,"dexterity":2}}
{"type":"combatant_joined","combatant":"cy","side":"heroes","sheet":{"hp":20,"dexterity":3}}
{"type":"initiative_rolled","combatant":"ana","check":15,"bonus":5}
{"type":"initiative_rolled","combatant":"bo","check":14,"bonus":2}
{"type":"initiative_rolled","combatant":"cy","check":9,"bonus":3}
{"type":"turn_started","combatant":"ana"}
{"type":"turn_started","combatant":"bo"}
{"type":"action_taken","combatant":"bo","second":3,"action":{"kind":"cast","name":"hail","time":4,"delay":4}}
{"type":"turn_started","combatant":"cy"}
{"type":"turn_started","combatant":"ana"}
{"type":"turn_started","combatant":"bo"}
"""


OPEN = """\
{"type":"surprise_settled"}
{"type":"round_started","round":1}
"""


FOUGHT = """\
{"type":"combatant_joined","combatant":"ana","side":"heroes","sheet":{"hp":9}}
{"type":"combatant_joined","combatant":"ulf","side":"orcs","sheet":{"hp":9}}
{"type":"surprise_settled"}
{"type":"round_started","round":1}
{"type":"action_declared","combatant":"ana","action":{"kind":"cast","name":"web","time":9}}
{"type":"initiative_rolled","side":"heroes","die":3}
{"type":"initiative_rolled","side":"orcs","die":4}
{"type":"action_taken","segment":4,"combatant":"ana","action":{"kind":"cast","name":"web","time":9}}
{"type":"round_ended","round":1}
{"type":"round_started","round":2}
"""


TIED = """\
{"type":"combatant_joined","combatant":"ada","side":"heroes","sheet":{"hp":9,"weapons":[{"name":"axe","speed":7}]}}
{"type":"combatant_joined","combatant":"orc","side":"orcs","sheet":{"hp":9,"weapons":[{"name":"bow","range":60}]}}
{"type":"round_started","round":1}
{"type":"initiative_rolled","side":"heroes","die":3}
{"type":"initiative_rolled","side":"orcs","die":3}
{"type":"phase_reached","phase":"H.D3"}
{"type":"action_taken","combatant":"ada","action":{"kind":"attack","name":"axe","targets":["orc"]}}
{"type":"phase_reached","phase":"H.D2"}
{"type":"action_taken","combatant":"orc","action":{"kind":"attack","name":"bow","targets":["ada"]}}
"""


@pytest.mark.slow
def test_pages_say_what_leans_on_a_chart_outside_the_text(tmp_path: Path) -> None:
    log = log_of(tmp_path / "log.jsonl", TIED, ruleset="vile-darkness")
    chart = "the Combat Round Flowchart, to which the text refers, but which it does not contain"

    def printed(*words: object) -> str:
        return " ".join(encounter(*words).output.split())

    assert f"{chart}: group.phase-order" in printed("show", log)
    assert f"{chart}: group.phase-order" in printed("show", log, "--why")
    assert json.loads(printed("show", log, "--json"))["leans_on"]["group.phase-order"] == chart.partition(",")[0]
    assert json.loads(printed("audit", log, "--json"))["leans_on"] == {
        "initiative.tie-by-action-type": chart.partition(",")[0]
    }
    assert f"In a tie the kind of action decides who goes first. It leans on {chart}" in printed("audit", log)
    assert f"leans on {chart}" in printed("rules", "vile-darkness", "initiative.tie-by-action-type")
    assert chart not in printed("rules", "vile-darkness", "initiative.tie-both-high")
