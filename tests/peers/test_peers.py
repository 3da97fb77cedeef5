"""The campaign against another engine, without the engine: its mapping, its verdicts, and a fight of two turns as it writes it."""

import json
from pathlib import Path

import pytest

from encounterlog.importers.mapped.mapping import read_mapping
from tests.peers.__main__ import ENGINE, MAPPING, WHOSE, Found, differences, table, verdicts
from tests.peers.outcome import kept

UNITS = [
    {"id": "char:bo-1", "name": "Bo", "team": "heroes", "creature": "character", "hp": 8, "ac": 12, "initiative": 9, "slots": {"level 1 spell slot": 0}, "square": [1, 1]},
    {"id": "mon:ghoul-1", "name": "Ghoul", "team": "foes", "creature": "monster", "hp": 22, "ac": 12, "initiative": 15, "slots": None, "square": [2, 2]},
]  # fmt: skip
NONE: dict[str, list[str]] = {"resistances": [], "immunities": [], "vulnerabilities": []}


def state(hp: int, standing: str | None, *conditions: str) -> dict[str, object]:
    bo = {
        "id": "char:bo-1",
        "hp": hp,
        "temp": 0,
        "standing": standing,
        "conditions": list(conditions),
        "holds": "none",
        "square": [1, 1],
        "slot1": 0,
    }
    ghoul = {
        "id": "mon:ghoul-1",
        "hp": 22,
        "temp": 0,
        "standing": "up",
        "conditions": [],
        "holds": "none",
        "square": [2, 2],
    }
    order = ["mon:ghoul-1", "char:bo-1"]
    return {"type": "state", "round": 1, "turn": "mon:ghoul-1", "order": order, "units": [bo, ghoul]}


def hit(amount: int) -> list[dict[str, object]]:
    roll = {
        "attacker_id": "mon:ghoul-1",
        "target_id": "char:bo-1",
        "natural": 14,
        "roll_total": 14,
        "is_hit": True,
        "is_crit": False,
        "modifier": 0,
        "modifiers": [{"name": "bonus", "amount": 0}],
    }
    damage = {"target_id": "char:bo-1", "amount": amount, "damage_type": "slashing", "is_crit": False}
    return [{"type": "attack_rolled", **roll}, {"type": "damage_applied", **damage}]


BEGINS: list[dict[str, object]] = [
    {"type": "roster", "units": [one | NONE for one in UNITS], "order": ["mon:ghoul-1", "char:bo-1"]},
    {"type": "round_started", "round_number": 1},
    {"type": "turn_started", "actor_id": "mon:ghoul-1"},
    {
        "type": "intent_submitted",
        "intent_type": "attack",
        "actor_id": "mon:ghoul-1",
        "target_id": "char:bo-1",
        "hero": False,
    },
    *hit(5),
    state(3, "up"),
    *hit(6),
    {"type": "unconscious", "target_id": "char:bo-1"},
]


def found(folder: Path, *lines: dict[str, object]) -> list[tuple[str, str]]:
    path = folder / "fight.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in (*BEGINS, *lines)))
    return [(one.group, one.says) for one in differences(path)]


def test_a_fight_that_the_engine_tells_rightly_is_alike(tmp_path: Path) -> None:
    assert found(tmp_path, state(0, None, "incapacitated", "prone", "unconscious")) == []


@pytest.mark.parametrize(
    ("line", "group", "says"),
    [
        (state(1, None, "incapacitated", "prone", "unconscious"), "value hp", "char-bo-1.hp: theirs 1, ours 0"),
        (state(0, None, "unconscious"), "value conditions", "theirs unconscious, ours incapacitated prone unconscious"),
        ({"type": "death", "target_id": "char:bo-1"}, "value status", "char-bo-1.status: theirs dead, ours dying"),
        ({"type": "a_new_event"}, "not understood", "the mapping has no event 'a_new_event'"),
        ({"type": "turn_started", "actor_id": "mon:ghoul-1"}, "breach round.one-turn-each", "mon-ghoul-1 has had its turn of round 1"),
    ],
)  # fmt: skip
def test_what_an_engine_gets_wrong_is_found(tmp_path: Path, line: dict[str, object], group: str, says: str) -> None:
    ((where, what),) = found(tmp_path, line)
    assert where == group
    assert says in what


def test_every_verdict_says_whose_it_is_and_nothing_is_ours() -> None:
    assert {one.whose for one in verdicts()} <= {*WHOSE} - {"ours"}
    assert all(one.because for one in verdicts())


def test_the_outcome_that_is_kept_has_the_verdicts_of_today_and_every_one_of_them() -> None:
    """python -m tests.peers --write keeps it."""
    found = {(each["whose"], each["because"]) for each in kept()["verdicts"]}
    assert found == {(one.whose, one.because) for one in verdicts()}
    assert (kept()["fights"], kept()["engine"]) == (200, ENGINE)


def test_the_mapping_is_one() -> None:
    assert read_mapping(MAPPING).options == {"edition": "2024"}


def test_what_has_no_verdict_fails_the_campaign(capsys: pytest.CaptureFixture[str]) -> None:
    known, strange = (
        Found("f", 1, "notice slot.spent", "x", frozenset({"is-of-a-lower-slot"})),
        Found("f", 2, "value hp", "char-bo-1.hp: theirs 1, ours 0"),
    )
    assert table([known], 1) == 0
    assert table([known._replace(holds=frozenset())], 1) == 1
    assert table([known, strange], 1) == 1
    assert (
        "no verdict: 1 in 1 fights: value hp\n    f, line 2: char-bo-1.hp: theirs 1, ours 0\n"
        in capsys.readouterr().out
    )


def test_a_value_that_differs_otherwise_is_found_again_and_squares_and_slots_are_compared(tmp_path: Path) -> None:
    told = [state(1, None, "incapacitated", "prone", "unconscious") for _ in range(3)]
    told[2] = state(2, None, "incapacitated", "prone", "unconscious")
    told[2]["units"][0] |= {"square": [1, 2], "slot1": 1}  # type: ignore[index]
    assert sorted(says for _, says in found(tmp_path, *told)) == [
        "char-bo-1.hp: theirs 1, ours 0",
        "char-bo-1.hp: theirs 2, ours 0",
        "char-bo-1.left.slot-1: theirs 1, ours 0",
        "char-bo-1.square: theirs 1 2, ours 1 1",
    ]
