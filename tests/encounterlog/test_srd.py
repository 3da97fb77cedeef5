"""Monsters and spells by name: the command, the API, and the monsters of `encounter new`."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import encounterlog as el
from tests.encounterlog.srd import encounter, failing


def test_every_monster_and_spell_can_be_printed() -> None:
    from projections.rulesets.fifth_edition.srd import documents as page

    for edition in ("2014", "2024"):
        pages = [page.lines(one, edition) for one in el.srd.monsters(edition)]
        pages += [page.lines(one, edition) for one in el.srd.spells(edition)]
        for printed in map(list, pages):
            assert all(line.strip() and "None" not in line for line in printed), printed[0]


def test_a_name_that_several_have_is_printed_with_all_of_them() -> None:
    assert [line.split()[0] for line in encounter("srd", "goblin", "--edition", "2024").splitlines()[1:]] == [
        "goblin-boss",
        "goblin-minion",
        "goblin-warrior",
    ]


def test_of_a_name_that_several_have_json_lists_the_monsters_and_the_spells() -> None:
    goblins = ["Goblin Boss", "Goblin Minion", "Goblin Warrior"]
    assert json.loads(encounter("srd", "goblin", "--edition", "2024", "--json")) == {"monsters": goblins, "spells": []}
    found = json.loads(encounter("srd", "detect", "--json"))
    assert (found["monsters"], len(found["spells"])) == ([], 4)


@pytest.mark.parametrize(
    ("name", "edition", "says"),
    [
        ("goblin", "2024", "several"),
        ("golbin", "2014", "no monster"),
        ("orc", "3.5", "no edition"),
        ("goblin", 2014, "2014 is no edition"),
        ("goblin", None, "None is no edition"),
        (3, "2014", "3 is no name of a monster"),
        (b"goblin", "2014", "b'goblin' is no name of a monster"),
    ],
)
def test_the_api_refuses_what_is_no_one_monster(name: Any, edition: Any, says: str) -> None:
    with pytest.raises(el.Failure, match=says):
        el.srd.monster(name, edition)


@pytest.mark.parametrize(
    ("named", "says", "hint"),
    [
        ("2014:gobblin", "2014 has no monster with the id gobblin", "did you mean 2014:goblin, 2014:hobgoblin?"),
        ("2014:Goblin", "2014 has no monster with the id Goblin", "did you mean 2014:goblin?"),
        ("2014:xyzzy", "2014 has no monster with the id xyzzy", "encounter srd NAME finds it"),
        ("2019:goblin", "2019:goblin is no monster with its edition", "such as 2014:goblin"),
        ("goblin", "goblin is no monster with its edition", "such as 2014:goblin"),
        ("red-hills:ash-goblin", "red-hills:ash-goblin is no monster with its edition", "such as 2014:goblin"),
    ],
)
def test_no_sheet_is_recorded_with_a_stat_block_that_there_is_not(named: str, says: str, hint: str) -> None:
    log = el.memory("5e")
    log.append({"type": "combatant_joined", "combatant": "bo", "sheet": {}})
    joins = {"type": "combatant_joined", "combatant": "kex", "sheet": {"srd": named}}
    changes = {"type": "sheet_changed", "combatant": "bo", "sheet": {"srd": named}}
    corrected = {"type": "inserted", "after": 1, "fact": joins}
    for fact in (joins, changes, corrected):
        with pytest.raises(el.Malformed) as caught:
            log.append(fact)
        assert (caught.value.reason, caught.value.hint) == (says, hint)


def test_a_sheet_with_a_stat_block_that_there_is_or_with_none_is_recorded() -> None:
    log = el.memory("5e")
    log.append({"type": "combatant_joined", "combatant": "kex", "sheet": {"srd": "2014:goblin"}})
    log.append({"type": "combatant_joined", "combatant": "bo", "sheet": {"srd": "none"}})
    whole = {"srd": "red-hills:ash-goblin", "creature": "monster", "hp": 11}
    log.append({"type": "combatant_joined", "combatant": "ash", "sheet": whole})
    assert [log.state().combatants[who].hp.value for who in ("kex", "bo", "ash")] == [7, "none", 11]


@pytest.mark.parametrize(
    "line", ["join kex foes srd=gobblin", "join kex foes srd=2014:gobblin", "join kex srd=2019:orc"]
)
def test_no_line_joins_with_a_stat_block_that_there_is_not(tmp_path: Path, line: str) -> None:
    log = tmp_path / "ford.jsonl"
    encounter("new", log, "--ruleset", "5e")
    assert re.search("no monster gobblin|2019 is no edition", failing("add", log, line))
    assert len(log.read_text().splitlines()) == 1


def test_of_many_of_a_name_ten_are_named_and_the_others_counted() -> None:
    dragons = [one for one in el.srd.monsters("2024") if "dragon" in one.name.lower().replace("-", " ").split()]
    for name, ends in (("dragon", f"Adult Silver Dragon and {len(dragons) - 10} more"), ("goblin", "Goblin Warrior")):
        with pytest.raises(el.Failure) as caught:
            el.srd.monster(name, "2024")
        assert caught.value.hint.endswith(ends)


def test_rolled_hit_points_are_in_the_record_with_their_dice(tmp_path: Path) -> None:
    log = tmp_path / "ford.jsonl"
    encounter("new", log, "--ruleset", "5e", "--monsters", "ogre*2", "--roll-hp", "--seed", "a")
    events = [json.loads(line)["event"] for line in log.read_text().splitlines()]
    rolls = [one for one in events if one["type"] == "dice_rolled"]
    points = [one["sheet"]["hp"] for one in events if one["type"] == "sheet_changed"]
    assert [sum(one["die"]["faces"]) + 21 for one in rolls] == points
    assert len(points) == 2


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--ruleset", "5e", "--option", "edition=2024", "--monsters", "goblin"), "Goblin Boss, Goblin Minion"),
        (("--ruleset", "osric", "--monsters", "goblin"), "--monsters goes with 5e"),
        (("--ruleset", "5e", "--roll-hp"), "none are named"),
    ],
)
def test_what_cannot_join_is_refused_and_no_log_is_made(tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    assert says in failing("new", tmp_path / "ford.jsonl", *words)
    assert not (tmp_path / "ford.jsonl").exists()
