"""Monsters and spells by name: the command, the API, and the monsters of `encounter new`."""

import json
from pathlib import Path

import pytest

import encounterlog as el
from tests.encounterlog.support import encounter as run


def encounter(*words: object) -> str:
    """Run a command that succeeds, and return what it prints."""
    done = run(*words)
    assert done.exit_code == 0, done.stderr
    return done.stdout


def failing(*words: object) -> str:
    """Run a command that is refused, and return what it says."""
    done = run(*words)
    assert done.exit_code
    return done.stderr


def test_a_monster_is_printed_in_numbers() -> None:
    found = encounter("srd", "goblin")
    assert found.splitlines()[:3] == [
        "Goblin (2014:goblin)",
        "  small humanoid, cr 1/4",
        "  ac 15, 7 hp (2d6), initiative +2",
    ]
    assert "  Scimitar: melee attack +4, reach 5, 1d6+2 slashing" in found.splitlines()


def test_a_spell_is_printed_in_numbers() -> None:
    found = encounter("srd", "fireball", "--edition", "2024").splitlines()
    assert {"  save dexterity save, half on a success", "  damage 8d6 fire", "  each level above +1d6 fire"} <= {*found}


def test_every_monster_and_spell_can_be_printed() -> None:
    from encounterlog.text_pages import srd as page

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


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    assert "did you mean Goblin" in failing("srd", "golbin")


def test_json_is_the_record_of_the_table() -> None:
    assert json.loads(encounter("srd", "bless", "--json"))["concentration"] is True


def test_the_names_of_all_are_listed() -> None:
    listed = json.loads(encounter("srd", "--names", "--json", "--edition", "2024"))
    assert "Goblin Warrior" in listed["monsters"]
    assert "Fireball" in listed["spells"]


def test_the_api_finds_a_monster_and_a_spell() -> None:
    goblin, bless = el.srd.monster("goblins"), el.srd.spell("bless", "2024")
    assert (goblin.ac, goblin.hp, goblin.hit_dice, goblin.actions[0].hit) == (15, 7, "2d6", 4)
    assert (bless.level, bless.concentration) == (1, True)


@pytest.mark.parametrize(
    ("name", "edition", "says"),
    [("goblin", "2024", "several"), ("golbin", "2014", "no monster"), ("orc", "3.5", "no edition")],
)
def test_the_api_refuses_what_is_no_one_monster(name: str, edition: str, says: str) -> None:
    with pytest.raises(el.Failure, match=says):
        el.srd.monster(name, edition)


def test_of_many_of_a_name_ten_are_named_and_the_others_counted() -> None:
    dragons = [one for one in el.srd.monsters("2024") if "dragon" in one.name.lower().replace("-", " ").split()]
    for name, ends in (("dragon", f"Adult Silver Dragon and {len(dragons) - 10} more"), ("goblin", "Goblin Warrior")):
        with pytest.raises(el.Failure) as caught:
            el.srd.monster(name, "2024")
        assert caught.value.hint.endswith(ends)


def test_monsters_join_a_new_encounter_by_their_names(tmp_path: Path) -> None:
    log = tmp_path / "ford.jsonl"
    assert "3 combatants joined" in encounter("new", log, "--ruleset", "5e", "--monsters", "goblin*2, Ogre")
    shown = json.loads(encounter("show", log, "--json"))["combatants"]
    assert {who: (one["hp"], one["side"]) for who, one in shown.items()} == {
        "goblin-1": (7, "foes"),
        "goblin-2": (7, "foes"),
        "ogre": (59, "foes"),
    }


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
