"""Whether an attack roll hits whose dice a line shows or rolls: it is recorded where the game decides it by what the log has."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

import encounterlog as el
from encounterlog.log import entering
from encounterlog.places.time_and_chance import make_roller
from eventstore.record import Recorded
from projections.replay.replay import Replay, replay
from tests.encounterlog.support import encounter, log_of_lines


@pytest.fixture
def fight(tmp_path: Path) -> Path:
    """Make the log of a fight in the fifth edition, in which Bo's armour class is not known."""
    return log_of_lines(
        tmp_path / "mill.jsonl",
        "5e",
        ("join Ana party hp=31 ac=14", "join Bo party hp=24", "join goblin foes", "r", "i goblin=19 ana=11"),
    )


def hits(path: Path) -> list[bool | None]:
    events = [json.loads(line)["event"] for line in path.read_text("utf-8").splitlines()]
    return [event.get("hit") for event in events if event["type"] == "attack_rolled"]


def test_dice_of_a_line_hit_or_miss_by_the_armour_class_if_it_is_known(fight: Path) -> None:
    for line in ("goblin ana d20:14+4", "goblin ana d20:9+4", "goblin bo d20:9+4", "goblin bo d20:1+4", "goblin bo 9"):
        assert encounter("add", fight, line).exit_code == 0
    assert hits(fight) == [True, False, None, False, False]


def test_a_line_repeated_under_its_key_means_what_it_first_meant(fight: Path) -> None:
    """Nothing is appended again, though the armour class is another one now, somebody else has the turn, and the dice would fall otherwise."""
    log = el.open(fight)
    lines = {"typed": "goblin ana d20:14+4", "rolled": "goblin ana d20+4", "secret": "secret goblin bo d20+2"}
    first = {key: log.tell(line, key=key, roll=make_roller()) for key, line in lines.items()}
    log.begin_dice(seed="mill")
    first["drawn"] = log.tell("goblin ana d20+4", key="drawn")
    first["undone"] = log.tell("u", key="undone")
    for line in ("sheet ana ac=20", "n", "ana goblin 12, 3"):
        log.tell(line)
    end = log.head
    for key, line in {**lines, "drawn": "goblin ana d20+4", "undone": "u"}.items():
        again = log.tell(line, key=key, after=first[key].first - 1)
        assert (again.again, again.records) == (True, first[key].records)
    with pytest.raises(el.KeyReused):
        log.tell("goblin ana d20:15+4", key="typed")
    assert log.head == end


def test_each_record_is_folded_once_more_and_no_log_anew_for_each_attack(
    fight: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[int] = []

    def counted(records: Sequence[Recorded]) -> Replay:
        begun.append(len(records))
        return replay(records)

    monkeypatch.setattr(entering, "replay", counted)
    log = el.open(fight)
    for _ in range(3):
        log.tell("goblin ana d20:14+4")
        log.tell("note a shot")
    assert (len(begun), hits(fight)) == (1, [True] * 3)
    log.tell("u")
    log.tell("goblin ana d20:9+4")
    assert (len(begun), hits(fight)) == (2, [True, True, True, False])
