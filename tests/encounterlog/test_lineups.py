"""Line-ups: a party in TOML or of another log, and foes in words, join as the log is opened."""

import json
import re
import textwrap
from pathlib import Path

import pytest

import encounterlog as el
from eventstore.errors import Malformed
from eventstore.events import CombatantJoined, DiceRolled
from eventstore.jsonl import JsonlStore
from eventstore.shapes import Dice
from projections.explaining.fairness import check_fairness
from projections.rulesets import RULESETS
from tests.encounterlog.support import encounter
from tests.eventstore import dice_verifier

PARTY = """
side = "heroes"

[[member]]
name = "Mira"
sheet = { hp = 9, weapon = "dagger" }

[[member]]
name = "Mira"
sheet = { hp = 7 }

[[member]]
name = "Ödön"
id = "odon"
sheet = { hp = 14 }

[[member]]
name = "Hound"
count = 2
side = "beasts"
sheet = { hp = 4 }
"""


def test_a_party_has_a_schema_and_names_are_shown_with_escapes(folder: Path) -> None:
    schema = json.loads(encounter("schema", "party", "--json").stdout)
    assert schema["$defs"]["Member"]["properties"]["count"]["maximum"] == 100
    sample = encounter("schema", "party").stdout.partition("--party:")[2]
    (folder / "p.toml").write_text(textwrap.dedent(sample), "utf-8")
    assert encounter("new", folder / "a.jsonl", "--ruleset", "osric", "--party", folder / "p.toml").exit_code == 0
    (folder / "a.json").write_text(combatants(Alias="\u001b[31mRed"), "utf-8")
    log = folder / "ford.jsonl"
    assert encounter("new", log, "--ruleset", "plain", "--foes", folder / "a.json").exit_code == 0
    assert [one[0] for one in joined(log)] == ["snik", "31mred"]
    assert "\x1b" not in encounter("log", log).stdout


AMBUSH = """# At the ford

```encounter
name: Ambush
players: true
xp: 450
creatures:
  - 3: Goblin, 7, 15
  - 1d4: Wolf, 11
  - Goblin, 7, 15, 2, 50
  - [Hobgoblin, Jim], 11, hidden
  - [Hobgoblin, Bob], 12, ally
  - 2: [Orc, Ug], 9
  - {creature: Ogre, name: Grub, hp: 40, ac: 11, mod: -1, xp: 450, hidden: true}
---
name: Rats
creatures:
  - Rat, 1
```
"""


def joined(log: Path) -> list[tuple[str, str | None, str | None, int, bool]]:
    return [
        (one.event.combatant, one.event.name, one.event.side, one.event.sheet["hp"], one.secret)
        for one in JsonlStore(log).read()
        if isinstance(one.event, CombatantJoined)
    ]


def test_an_obsidian_encounter_is_a_line_up_picked_by_its_name(folder: Path) -> None:
    (folder / "ambush.md").write_text(AMBUSH, "utf-8")
    log = folder / "ford.jsonl"
    done = encounter("new", log, "--ruleset", "osric", "--foes", f"{folder / 'ambush.md'}#Ambush", "--seed", "1")
    assert done.exit_code == 0
    thrown = re.search(r"rolled here: 1d4:(\d)", done.stdout)
    assert thrown
    assert "left out: initiative: no such field on the sheets of osric" in done.stderr
    assert "left out: the players" in done.stderr
    wolves = [(f"wolf-{n}", f"Wolf {n}", "foes", 11, False) for n in range(1, int(thrown[1]) + 1)]
    assert joined(log) == [
        *((f"goblin-{n}", f"Goblin {n}", "foes", 7, False) for n in (1, 2, 3)),
        *wolves,
        ("goblin", "Goblin", "foes", 7, False),
        ("jim", "Jim", "foes", 11, True),
        ("bob", "Bob", "party", 12, False),
        ("ug-1", "Ug 1", "foes", 9, False),
        ("ug-2", "Ug 2", "foes", 9, False),
        ("grub", "Grub", "foes", 40, True),
    ]
    again = folder / "again.jsonl"
    encounter("new", again, "--ruleset", "osric", "--foes", f"{folder / 'ambush.md'}#Ambush", "--seed", "1")
    assert joined(again) == joined(log)
    (folder / "ambush.md").write_text(AMBUSH, "utf-8")
    done = encounter("new", folder / "a.jsonl", "--ruleset", "osric", "--foes", folder / "ambush.md")
    assert (done.exit_code, done.stdout) == (4, "")
    assert "there are: Ambush, Rats; FILE#NAME picks one" in done.stderr


GOBLIN = {
    "Id": "1",
    "StatBlock": {"Name": "Goblin", "HP": {"Value": 7, "Notes": "(2d6)"}, "AC": {"Value": 15}, "InitiativeModifier": 2},
    "CurrentHP": 5,
    "Alias": "Snik",
    "Hidden": True,
}


def combatants(**change: object) -> str:
    return json.dumps({"Combatants": [GOBLIN, GOBLIN | change]})


@pytest.mark.parametrize(("name", "text", "says"), [
    ("a.json", combatants(CurrentHP="five"), "Combatants.1: CurrentHP: five is no number of points"),
    ("a.json", combatants(StatBlock={"Name": ""}), "Combatants.1: StatBlock: Name: a stat block has a name"),
    ("a.json", '{"Combatants": []}', "Combatants: "),
    ("a.json", "[" * 100_000, "nested too deeply"),
    ("a.json", "{}" + " " * (1 << 20), "larger than 1,048,576 bytes"),
    ("a.md", "no encounter", "this is no encounter"),
    ("a.md", "```encounter\nname: X\n```", "creatures: a list of creatures is missing"),
    ("a.md", "```encounter\ncreatures:\n  - Goblin, seven\n```", "creatures.0: seven is neither a number"),
    ("a.md", "```encounter\ncreatures:\n  - 2d0: Goblin\n```", "creatures.0: 2d0 is beyond"),
    ("a.md", "```encounter\ncreatures:\n  - 9999: Goblin\n```", "creatures.0: 9999 of a kind cannot join"),
    ("a.md", "```encounter\ncreatures:\n  - x y: Goblin\n```", "creatures.0: xy is neither a number nor dice"),
    ("a.md", "```encounter\ncreatures:\n  - {creature: Ogre, hpp: 3}\n```", "creatures.0.hpp: extra inputs"),
    ("a.md", "```encounter\ncreatures:\n  - [[Goblin]]\n```", "creatures.0: neither a name"),
    ("a.md", "```encounter\ncreatures: [&a [Goblin], *a]\n```", "aliases"),
    ("a.md", "```encounter\ncreatures:\n  - !!python/object/apply:os.system ['true']\n```", "a.md: "),
    ("a.md", "```encounter\ncreatures:\n" + "  - 100: Goblin, 5\n" * 11 + "```", "more than 1,000 combatants"),
    ("a.toml", '[[member]]\nname = "A"\nid = "a"\nsheet = { hp = 3 }\n' * 2, "member 2, A: the id a is taken"),
    ("a.toml", PARTY.replace("count = 2", "cuont = 2"), "member.3.cuont: extra inputs are not permitted\nhint: encounter schema party"),
    ("a.toml", PARTY.replace('side = "heroes"', 'side = "heroes'), "a.toml: "),
    ("a.toml", PARTY.replace("hp = 14", "hq = 14"), "sheet.hq"),
    ("a.toml", 'side = "party"', "member: field required"),
])  # fmt: skip
def test_what_is_wrong_in_a_source_is_named_with_its_path(folder: Path, name: str, text: str, says: str) -> None:
    (folder / name).write_text(text, "utf-8")
    done = encounter("new", folder / "ford.jsonl", "--ruleset", "osric", "--foes", folder / name)
    assert (done.exit_code, done.stdout) == (4, ""), done.stderr
    assert says in done.stderr
    assert "bug" not in done.stderr
    assert "\x1b" not in done.stderr
    assert not (folder / "ford.jsonl").exists()


@pytest.mark.parametrize(("sheet", "says", "hint"), [
    ('srd = "2014:gobblin"', "2014 has no monster gobblin", "did you mean goblin, hobgoblin?"),
    ('srd = "2019:goblin"', "2019 is no edition", "2014 or 2024"),
    ("dex = 14\ndexterity = 13", "dexterity is said twice", "leave out one of the two"),
])  # fmt: skip
def test_a_sheet_that_a_ruleset_does_not_take_is_refused(folder: Path, sheet: str, says: str, hint: str) -> None:
    (folder / "a.toml").write_text(f'[[member]]\nname = "A"\n[member.sheet]\n{sheet}\n')
    done = encounter("new", folder / "ford.jsonl", "--ruleset", "5e", "--foes", folder / "a.toml")
    assert done.exit_code == 4
    assert done.stderr == f"encounter: {folder / 'a.toml'}: member 1, A: the sheet of A: {says}\nhint: {hint}\n"
    assert not (folder / "ford.jsonl").exists()


def test_a_source_that_is_not_there_or_no_text_is_said(folder: Path) -> None:
    log = folder / "ford.jsonl"
    done = encounter("new", log, "--ruleset", "osric", "--party", folder / "none.toml")
    assert (done.exit_code, "no such file" in done.stderr.lower()) == (4, True)
    (folder / "a.json").write_bytes(b"{\xff}")
    done = encounter("new", log, "--ruleset", "osric", "--foes", folder / "a.json")
    assert "byte 2 is not UTF-8" in done.stderr
    assert not log.exists()


@pytest.mark.parametrize("name", ["a.json", "a.toml", "a.md"])
def test_a_number_that_no_parser_takes_is_refused_in_our_words_where_it_is(folder: Path, name: str) -> None:
    (folder / name).write_text(f"\n{'9' * 6000}", "utf-8")
    done = encounter("new", folder / "ford.jsonl", "--ruleset", "osric", "--foes", folder / name)
    assert done.exit_code == 4
    assert "line 2 has too large a number" in done.stderr
    assert "sys." not in done.stderr


@pytest.mark.parametrize("foes", ["", "  "])
def test_foes_without_a_name_are_refused(folder: Path, foes: str) -> None:
    done = encounter("new", folder / "ford.jsonl", "--ruleset", "plain", "--foes", foes)
    assert (done.exit_code, "--foes names nobody" in done.stderr) == (2, True)
    assert not (folder / "ford.jsonl").exists()


# ---------------------------------------------------------------- dice for how many there are

PACK = """```encounter
name: Pack
creatures:
  - 1d4+1: Wolf, 11
  - 1d6: Bat, 1, hidden
```
"""


def new_pack(folder: Path, name: str, *words: object, ruleset: str = "osric") -> tuple[Path, str]:
    (folder / "pack.md").write_text(PACK, "utf-8")
    log = folder / name
    done = encounter("new", log, "--ruleset", ruleset, "--foes", folder / "pack.md", *words)
    assert done.exit_code == 0, done.output
    return log, done.stdout


def test_dice_for_how_many_are_recorded_and_secret_for_the_hidden(folder: Path) -> None:
    log, said = new_pack(folder, "ford.jsonl")
    rolls = [(one.event, one.secret) for one in JsonlStore(log).read() if isinstance(one.event, DiceRolled)]
    assert [(one.purpose, secret) for one, secret in rolls] == [("how many Wolf", False), ("how many Bat", True)]
    ids = [who for who, *_ in joined(log)]
    for (one, _), added, kind in zip(rolls, (1, 0), ("wolf", "bat"), strict=True):
        assert isinstance(one.die, Dice)
        assert sum(each.startswith(kind) for each in ids) == one.die.faces[0] + added
    assert re.search(r"rolled here: 1d4:\d\+1\nrolled here: 1d6:\d\n", said)
    players = encounter("export", "jsonl", log, "--for", "players").stdout
    assert "Wolf" in players
    assert "Bat" not in players


@pytest.mark.parametrize("ruleset", RULESETS)
def test_dice_for_how_many_there_are_bring_no_finding(folder: Path, ruleset: str) -> None:
    log, _ = new_pack(folder, "ford.jsonl", "--dice", ruleset=ruleset)
    assert json.loads(encounter("audit", log, "--json").stdout)["findings"] == []


def test_a_line_up_draws_its_dice_from_the_chain_begun_with_the_log(folder: Path) -> None:
    log, said = new_pack(folder, "ford.jsonl", "--dice", "--seed", "ford")
    assert "a chain of dice is begun; gm holds its secret" in said
    assert "2 rolls drawn from the chain of dice" in said
    found = check_fairness(JsonlStore(log).read())
    assert (found.holds, found.faults) == (True, ())
    assert [(one.level, one.hidden, one.number) for one in found.throws] == [("bound", False, 1), ("bound", True, 1)]
    assert list(dice_verifier.complaints(log.read_text().splitlines())) == []
    again, _ = new_pack(folder, "again.jsonl", "--dice", "--seed", "ford")
    assert joined(again) == joined(log)
    assert encounter("add", log, "dice morale 2d6").exit_code == 0
    assert encounter("verify", log, "--dice").stdout.endswith("every roll of the chain is right\n")


def fight(path: Path, *lines: str, ruleset: str = "5e") -> el.Log:
    log = el.new(path, ruleset=ruleset)
    for line in lines:
        log.tell(line)
    return log


@pytest.fixture
def one(tmp_path: Path) -> Path:
    path = tmp_path / "one.jsonl"
    joining = ("join Ana party hp=20 creature=character slots=4", "join Orc foes hp=9")
    fight(
        path, *joining, "ana -7", "ana is poisoned for 1 hour", "secret join Spy party hp=5 creature=character", "over"
    )
    return path


def test_taught_words_and_who_was_hidden_go_on(one: Path, tmp_path: Path) -> None:
    for line in ("gronks means attacks", "yeets means throws", "forget yeets"):
        assert encounter("add", one, line).exit_code == 0
    encounter("new", two := tmp_path / "two.jsonl", "--ruleset", "5e", "--party", one)
    taught = encounter("add", two, "help words").stdout
    assert "gronks means attacks" in taught.splitlines()[-1]
    assert "yeets" not in taught
    two = tmp_path / "two-2.jsonl"
    encounter("new", two, "--ruleset", "5e", "--party", one)
    assert "spy" not in encounter("export", "markdown", two, "--for", "players").stdout.lower()


def test_other_rulesets_taken_ids_and_bad_logs_give_no_party(one: Path, tmp_path: Path) -> None:
    two = tmp_path / "two.jsonl"
    refused = encounter("new", two, "--ruleset", "osric", "--party", one)
    assert "is on 5e, and this encounter on osric" in refused.stderr
    assert "open it on 5e" in refused.stderr
    assert not two.exists()
    two = tmp_path / "two-2.jsonl"
    refused = encounter("new", two, "--ruleset", "5e", "--party", one, "--party", one)
    assert "the id ana is taken" in refused.stderr
    assert not two.exists()
    fight(tmp_path / "empty.jsonl")
    for name, says in (("empty.jsonl", "nobody has joined"), ("none.jsonl", "none.jsonl")):
        refused = encounter("new", tmp_path / "two-3.jsonl", "--ruleset", "5e", "--party", tmp_path / name)
        assert says in refused.stderr
        assert not (tmp_path / "two-3.jsonl").exists()
    lines = one.read_text().splitlines(keepends=True)
    one.write_text("".join([*lines[:2], lines[2].replace("Orc", "Ork"), *lines[3:]]))
    two = tmp_path / "two-4.jsonl"
    refused = encounter("new", two, "--ruleset", "5e", "--party", one)
    assert "line 3" in refused.stderr
    assert "hint" in refused.stderr
    assert not two.exists()


def test_a_new_log_takes_the_party_in_python_too(one: Path, tmp_path: Path) -> None:
    two = el.new(tmp_path / "two.jsonl", ruleset="5e", party=one)
    assert "Ana has 13 hit points" in str(two.why("ana.hp"))
    with pytest.raises(Malformed, match="no side"):
        el.new(tmp_path / "three.jsonl", ruleset="5e", party=f"{one}#reds")
