"""Fights that a bot of our own keeps and records: what people did comes to every state that it shows."""

import json
from pathlib import Path
from random import Random

import pytest

from bot import Bot
from encounterlog.importers import importing
from encounterlog.log.logs import LogView
from eventstore.events import Checked
from projections.judging.audit import audit

BY_RULE = {"durations"}
"""What the bot counts otherwise than by turns; the command that goes elsewhere is the cause."""
EARLIER = BY_RULE | {"effects"}
"""What hangs on an effect of somebody who leaves goes on in the earlier versions; that one's leaving is the cause."""


@pytest.mark.in_turn(4)
@pytest.mark.slow
@pytest.mark.parametrize("start", range(4))
def test_facts_come_to_every_state_of_an_invented_fight(folder: Path, start: int, whole: bool) -> None:
    for seed in range(start, 16 if whole else 8, 4):
        (folder / str(seed)).mkdir()
        comes_to_every_state(folder / str(seed), Bot(Random(seed)))


def comes_to_every_state(folder: Path, bot: Bot) -> None:
    rows = bot.play(60)
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = importing.run_import("fireball", str(folder / "rows.jsonl"), str(folder / "fight.jsonl"), None, "gm")
    assert done.states == sum(row["event_type"] == "combat_state_update" for row in rows)
    assert [one for one in done.repairs if one.cause is None] == []
    assert (done.differences, done.problems) == ((), ())
    assert {one.name for one in done.respects if one.by_itself < one.states} <= (EARLIER if bot.earlier else BY_RULE)
    assert [one.says for one in audit(LogView(str(folder / "fight.jsonl"))).findings if one.severity == "breach"] == []


def test_groups_and_points_above_the_maximum_come_to_every_state(folder: Path) -> None:
    rows = Bot(Random(100)).play(60)
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = importing.run_import(
        "fireball", str(folder / "rows.jsonl"), str(folder / "fight.jsonl"), None, "gm", ruleset="5e"
    )
    assert done.differences == ()
    stated = [one.event.values for one in LogView(str(folder / "fight.jsonl")) if isinstance(one.event, Checked)]
    assert "('ko147x1', 'ko147x2')" in str(stated[-1]["order"])


OUT = {"dead.out", "incapacitated.no-acts", "healing.not-the-dead"}
"""What is true of fights in which anybody may do anything: those who are out of the fight act, and an act of the bot heals the dead."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", [31382, 81855, 39566])
def test_nobody_is_blamed_for_what_the_tracker_is_set_to_or_gives(folder: Path, seed: int) -> None:
    rows = Bot(Random(seed)).play(60)
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    importing.run_import("fireball", str(folder / "rows.jsonl"), str(folder / "fight.jsonl"), None, "gm", ruleset="5e")
    findings = audit(LogView(str(folder / "fight.jsonl"))).findings
    assert {one.rule for one in findings if one.severity == "breach"} <= OUT
