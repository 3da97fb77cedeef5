"""Monsters and spells by name, and those of a campaign: a folder that a log names with the hash of what it holds."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

import encounterlog as el
from encounterlog.log.campaigns import register_campaign
from projections.rulesets.fifth_edition.srd import campaigns
from projections.rulesets.fifth_edition.srd.documents import DOCUMENTS
from tests.encounterlog.srd import encounter, failing

FOES = """
[[monster]]
name = "Ash Goblin"
ac = 14
hp = 11
hit_dice = "2d6+4"
immunities = ["fire"]
actions = [{ name = "Cinder Knife", attack = "melee", hit = 4, damage = [{ dice = "1d4+2", type = "fire" }] }]

[[monster]]
name = "Ogre"
ac = 17
hp = 90

[[spell]]
name = "Ember Snare"
level = 2
cost = "action"
components = ["V", "S"]
duration = { unit = "minute", amount = 1 }
concentration = true
save = { ability = "dexterity" }
conditions = ["restrained"]
"""


@pytest.fixture
def red_hills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("ENCOUNTER_CAMPAIGN", raising=False)
    made = tmp_path / "red-hills"
    made.mkdir()
    (made / "foes.toml").write_text(FOES, "utf-8")
    return made


def events(log: Path) -> list[dict[str, object]]:
    return [json.loads(line)["event"] for line in log.read_text("utf-8").splitlines()]


def opened(red_hills: Path, *more: str) -> Path:
    log = red_hills.parent / "ford.jsonl"
    encounter("new", log, "--ruleset", "5e", "--campaign", str(red_hills), *more)
    return log


def test_what_joins_by_a_name_of_the_campaign_is_recorded_whole(red_hills: Path) -> None:
    log = opened(red_hills, "--monsters", "ash goblin*2, Ogre")
    sheets = {one["combatant"]: one["sheet"] for one in events(log)[1:]}
    assert sheets["ash-goblin-1"]["srd"] == "red-hills:ash-goblin"  # type: ignore[index]
    assert (sheets["ogre"]["hp"], sheets["ogre"]["ac"]) == (90, 17)  # type: ignore[index]
    encounter("add", log, "2 owlbears")
    assert events(log)[-1]["sheet"] == {"srd": "2014:owlbear"}
    (red_hills / "foes.toml").unlink()
    red_hills.rmdir()
    shown = json.loads(encounter("show", log, "--json"))["combatants"]
    assert shown["ash-goblin-2"]["hp"] == 11


def test_a_spell_of_the_campaign_is_recorded_on_the_sheet_of_its_caster(red_hills: Path) -> None:
    log = opened(red_hills, "--monsters", "ash goblin")
    encounter("add", log, "join ana party")
    encounter("add", log, "t ana")
    encounter("add", log, "ana cast ember_snare ash-goblin")
    encounter("add", log, "ash-goblin saves succeeded=no ^")
    told = {one["type"] for one in events(log)[-5:]}
    assert told >= {"sheet_changed", "action_taken", "save_rolled"}
    shown = json.loads(encounter("show", log, "--json"))["combatants"]
    assert shown["ana"]["concentration"] == "ember snare"


def gone(red_hills: Path) -> None:
    red_hills.rename(red_hills.with_name("elsewhere"))


def changed(red_hills: Path) -> None:
    (red_hills / "foes.toml").write_text(FOES.replace("ac = 17", "ac = 18"), "utf-8")


def broken(red_hills: Path) -> None:
    (red_hills / "foes.toml").write_text("[[monster]\n", "utf-8")


@pytest.mark.parametrize(
    ("happens", "says"),
    [(gone, "is not beside the log"), (changed, "has changed since the log was opened"), (broken, "foes.toml: ")],
)
def test_nothing_is_read_from_a_campaign_that_is_not_as_it_was(
    red_hills: Path, monkeypatch: pytest.MonkeyPatch, happens: object, says: str
) -> None:
    log = opened(red_hills, "--monsters", "ogre")
    monkeypatch.setattr(campaigns, "known", {})
    happens(red_hills)  # type: ignore[operator]
    before = log.read_text("utf-8")
    refused = failing("add", log, "join ogre*2 foes")
    assert says in refused
    assert "the campaign red-hills of this log is not here as it was" in refused
    assert log.read_text("utf-8") == before
    encounter("add", log, "join owlbear*1 foes srd=2014:owlbear")
    encounter("add", log, "join bo party hp=9")
    assert json.loads(encounter("show", log, "--json"))["combatants"]["ogre"]["hp"] == 90


@pytest.mark.parametrize(("typed", "says"), [
    ("", "no folder is named"),
    ("x" * 300, "cannot be read: file name too long"),
    ("circle", "circle is no folder"),
    ("/dev/null", "/dev/null is no folder"),
    ("\udcff", "is no folder"),
])  # fmt: skip
def test_what_is_typed_for_a_folder_and_is_none_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("circle").symlink_to("circle")
    for words in (("new", "ford.jsonl", "--ruleset", "5e", "--campaign", typed), ("srd", "--campaign", typed, "ogre")):
        assert says in failing(*words)
    assert not (tmp_path / "ford.jsonl").exists()


def test_what_a_campaign_knows_is_printed(red_hills: Path) -> None:
    shown = encounter("srd", "--campaign", red_hills, "ash", "goblins")
    assert shown.splitlines()[:3] == [
        "Ash Goblin (red-hills:ash-goblin)",
        "  ac 14, 11 hp (2d6+4)",
        "  immunities fire",
    ]
    assert encounter("srd", "--campaign", red_hills, "ember snare").startswith(
        "Ember Snare (red-hills)\n  level 2, action"
    )
    names = encounter("srd", "--campaign", red_hills, "--names").split()
    assert " ".join(names) == "2 monsters Ash Goblin Ogre 1 spell Ember Snare"
    assert json.loads(encounter("srd", "--campaign", red_hills, "ogre", "--json"))["ac"] == 17
    assert "red-hills has no monster or spell 'ogr'" in failing("srd", "--campaign", red_hills, "ogr", "--json")
    assert "is no folder" in failing("srd", "--campaign", red_hills / "none", "ogre")


def test_a_log_in_no_folder_finds_its_campaign_by_the_environment(
    red_hills: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: str = events(opened(red_hills))[0]["options"]["campaign"]  # type: ignore[index]
    monkeypatch.setattr(campaigns, "known", {})
    assert "is not here: ENCOUNTER_CAMPAIGN can name its folder" in register_campaign(DOCUMENTS, said, None)
    monkeypatch.setenv("ENCOUNTER_CAMPAIGN", str(red_hills))
    assert register_campaign(DOCUMENTS, said, None) == ""


def test_a_log_names_no_path_and_another_game_no_campaign(red_hills: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ENCOUNTER_CAMPAIGN", raising=False)
    for said in ("../red-hills sha256:0", "red-hills/../.. sha256:0", "\x1b[2J sha256:0", "", "/etc sha256:0"):
        assert "no name of one" in register_campaign(DOCUMENTS, said, red_hills.parent)
    refused = failing("new", red_hills.parent / "ford.jsonl", "--ruleset", "osric", "--campaign", str(red_hills))
    assert "--campaign goes with 5e" in refused


@pytest.mark.parametrize(("name", "text", "says"), [
    ("a.toml", '[[monster]]\nname="x', "a.toml: "),
    ("a.json", '{"monster": [{"name": "x", "hp": "many"}]}', "a.json: monster 1: Expected `int | null`"),
    ("a.json", '{"monster": [{"name": "x\\u001b[31m"}]}', "is no name"),
    ("a.json", '{"monster": [{"name": "12345678901234567"}]}', "or a text with as many digits: at most 16 in a row"),
    ("a.json", " " * (1 << 20) + " ", "larger than"),
    ("a.json", '{"monster": [{"name": "x"}, {"name": "X"}]}', "monster 2: x is there twice"),
    ("a.json", '{"monster": [{"name": "x", "armour": 3}]}', "unknown field `armour`"),
    ("a.json", '{"monster": {"name": "x"}}', "is no list"),
    ("monsters.jsonl", '{"name": "x"}\n{', "line 2, column 2"),
    ("a.json", '{"spell": [{"name": "x", "damage": [{"dice": "8d6 ana -99"}]}]}', "x: 8d6 ana -99 are no dice"),
    ("a.json", '{"spell": [{"name": "x", "level": -1}]}', "x: level -1 is not one of 0 to 9"),
    ("notes.txt", "nothing", "holds no monster and no spell"),
    ("a.json", '{"monster": [{"name": "x", "hit_dice": "lots"}]}', "x: hit_dice lots are no hit dice, such as 2d6+4"),
    ("a.json", '{"monster": [{"name": "x", "hit_dice": "101d6"}]}', "x: 101d6 is beyond 100 dice"),
    ("a.json", '{"monster": [{"name": "None"}]}', "none: srd=none stands for no monster"),
])  # fmt: skip
def test_a_folder_with_a_mistake_is_refused_with_the_place(tmp_path: Path, name: str, text: str, says: str) -> None:
    made = tmp_path / "red-hills"
    made.mkdir()
    (made / name).write_text(text, "utf-8")
    refused = failing("new", tmp_path / "ford.jsonl", "--ruleset", "5e", "--campaign", str(made))
    assert says in refused
    assert len(refused) < 700
    assert "\x1b" not in refused
    assert not (tmp_path / "ford.jsonl").exists()


@pytest.mark.skipif(os.name == "nt", reason="links and pipes")
def test_links_and_pipes_in_a_campaign_are_refused(tmp_path: Path) -> None:
    made = tmp_path / "red-hills"
    made.mkdir()
    for make in (lambda path: path.symlink_to("/etc/passwd"), os.mkfifo):
        make(made / "a.json")
        refused = failing("new", tmp_path / "ford.jsonl", "--ruleset", "5e", "--campaign", str(made))
        assert "a.json is no file of its own" in refused
        (made / "a.json").unlink()


@pytest.mark.parametrize("name", ["Red Hills", "2014", "x" * 41])
def test_the_name_of_a_campaign_is_that_of_its_folder(tmp_path: Path, name: str) -> None:
    made = tmp_path / name
    made.mkdir()
    (made / "foes.toml").write_text(FOES, "utf-8")
    refused = failing("new", tmp_path / "ford.jsonl", "--ruleset", "5e", "--campaign", str(made))
    assert "is no name of a campaign" in refused


def test_every_monster_and_spell_can_be_printed() -> None:
    from projections.rulesets.fifth_edition.srd import documents as page

    for edition in ("2014", "2024"):
        pages = [page.DOCUMENTS.lines(one, edition) for one in el.srd.monsters(edition)]
        pages += [page.DOCUMENTS.lines(one, edition) for one in el.srd.spells(edition)]
        for printed in map(list, pages):
            assert all(line.strip() and "None" not in line for line in printed), printed[0]


def test_a_name_that_several_have_lists_them_or_counts() -> None:
    lines = encounter("srd", "goblin", "--edition", "2024").splitlines()[1:]
    assert [line.split()[0] for line in lines] == ["goblin-boss", "goblin-minion", "goblin-warrior"]
    goblins = ["Goblin Boss", "Goblin Minion", "Goblin Warrior"]
    assert json.loads(encounter("srd", "goblin", "--edition", "2024", "--json")) == {"monsters": goblins, "spells": []}
    found = json.loads(encounter("srd", "detect", "--json"))
    assert (found["monsters"], len(found["spells"])) == ([], 4)
    dragons = [one for one in el.srd.monsters("2024") if "dragon" in one.name.lower().replace("-", " ").split()]
    for name, ends in (("dragon", f"Adult Silver Dragon and {len(dragons) - 10} more"), ("goblin", "Goblin Warrior")):
        with pytest.raises(el.Failure) as caught:
            el.srd.monster(name, "2024")
        assert caught.value.hint.endswith(ends)


@pytest.mark.parametrize(("name", "edition", "says"), [
    ("goblin", "2024", "several"),
    ("golbin", "2014", "no monster"),
    ("goblin", 2014, "2014 is no edition"),
    (3, "2014", "3 is no name of a monster"),
])  # fmt: skip
def test_the_api_refuses_what_is_no_one_monster(name: Any, edition: Any, says: str) -> None:
    with pytest.raises(el.Failure, match=says):
        el.srd.monster(name, edition)


@pytest.mark.parametrize(("named", "says", "hint"), [
    ("2014:gobblin", "2014 has no monster with the id gobblin", "did you mean 2014:goblin, 2014:hobgoblin?"),
    ("2014:Goblin", "2014 has no monster with the id Goblin", "did you mean 2014:goblin?"),
    ("goblin", "goblin is no monster with its edition", "such as 2014:goblin"),
    ("red-hills:ash-goblin", "red-hills:ash-goblin is no monster with its edition", "such as 2014:goblin"),
])  # fmt: skip
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


def test_rolled_hit_points_are_in_the_record_with_their_dice(tmp_path: Path) -> None:
    log = tmp_path / "ford.jsonl"
    encounter("new", log, "--ruleset", "5e", "--monsters", "ogre*2", "--roll-hp", "--seed", "a")
    events = [json.loads(line)["event"] for line in log.read_text().splitlines()]
    rolls = [one for one in events if one["type"] == "dice_rolled"]
    points = [one["sheet"]["hp"] for one in events if one["type"] == "sheet_changed"]
    assert [sum(one["die"]["faces"]) + 21 for one in rolls] == points
    assert len(points) == 2


@pytest.mark.parametrize(("words", "says"), [
    (("--ruleset", "5e", "--option", "edition=2024", "--monsters", "goblin"), "Goblin Boss, Goblin Minion"),
    (("--ruleset", "osric", "--monsters", "goblin"), "--monsters goes with 5e"),
    (("--ruleset", "5e", "--roll-hp"), "none are named"),
])  # fmt: skip
def test_what_cannot_join_is_refused_and_no_log_is_made(tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    assert says in failing("new", tmp_path / "ford.jsonl", *words)
    assert not (tmp_path / "ford.jsonl").exists()
