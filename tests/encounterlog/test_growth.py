"""The work of a question grows with the log, not with its square: counted calls, so that no clock decides."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.append import AT, NAMES, OPENING
from benchmarks.logs import written
from encounterlog.ask import question_named
from encounterlog.log.logs import LogView
from eventstore.events import CombatantJoined
from eventstore.jsonl import create
from eventstore.record import Draft
from tests.encounterlog.support import calls
from tests.few import few

QUESTIONS = ["show", "stats", "audit", "why"]
FEW, TIMES = 250, 4


def joined(path: Path, combatants: int) -> Path:
    facts = [CombatantJoined(combatant=f"orc-{number}", side="foes", sheet={"hp": 9}) for number in range(combatants)]
    opening = type(OPENING)(format=1, encounter="q7k2", title="Ford", ruleset="plain", revision=1, options={})
    with create(path, [Draft(opening)], by="gm", at=AT) as store:
        store.append([Draft(fact) for fact in facts], by="gm", at=AT)
    return path


def answering(name: str, path: Path, who: str) -> Callable[[], Any]:
    more = {"why": {"question": f"{who}.hp"}}.get(name, {})
    return lambda: list(question_named(name).ask(LogView(str(path)), **more).lines())


@pytest.mark.slow
@few(2, "name", QUESTIONS)
def test_four_times_as_much_takes_little_more_than_four_times_the_calls(tmp_path: Path, name: str) -> None:
    small, large = (joined(tmp_path / f"{size}.jsonl", size) for size in (FEW, TIMES * FEW))
    answering(name, small, "orc-1")()  # what is made once
    least = calls(answering(name, small, "orc-1"))
    most = calls(answering(name, large, "orc-1"))
    assert most <= 1.2 * TIMES * least
    small, large = (written(tmp_path / f"of-{size}.jsonl", "plain", size) for size in (FEW, TIMES * FEW))
    answering(name, small, NAMES[0])()
    least = calls(answering(name, small, NAMES[0]))
    most = calls(answering(name, large, NAMES[0]))
    assert most <= 1.2 * TIMES * least
