"""Imports of a Foundry VTT world, also with values that nobody wrote by hand: read all the same, or refused in a sentence."""

import json
import random
import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from encounterlog.importers import foundry
from encounterlog.importers.games import game_of, list_games_with_imports
from encounterlog.importers.transcript import BadSource, Transcript
from encounterlog.log.opening import parse_event as event_of
from encounterlog.words.facts import fact_sentence
from tests.encounterlog.hostile_imports import spoiled, taken
from tests.encounterlog.support import encounter

WORLDS = [Path(__file__).parents[2] / "fixtures" / "plain" / "foundry" / name for name in ("version-10", "version-13")]


def told(transcript: Transcript) -> list[str]:
    """List the sentences of an import, without statements."""
    return [fact_sentence(event_of(one.event)) for one in transcript.facts if one.event["type"] != "checked"]


@pytest.mark.parametrize("world", WORLDS, ids=lambda path: path.name)
def test_a_world_becomes_the_rolls_and_acts_of_its_combat(world: Path) -> None:
    says = told(foundry.read(world))
    assert says == [
        "Brand joins",
        "Mira joins",
        "Ogre joins",
        "brand rolls initiative: 12 +2, total 14",
        "mira rolls initiative: 11 +3, total 14",
        "brand attacks ogre with Greataxe",
        "brand's attack on ogre with Greataxe: rolls 2d20kh [(4), 15], total 20 (+5 bonus)",
        "brand rolls 1d12 [7] for damage with Greataxe, total 10 (+3 slashing)",
        "ogre's dexterity save: rolls 9, total 8 (-1 bonus)",
        "mira casts Fire Bolt",
        "A Passer-by: free roll: 1d6 [2], total 2",
        "mira checks for Arcana Check, total 22",
        "ogre rolls initiative: 8",
    ]


@pytest.mark.parametrize(("system", "most"), [
    ({"attributes": {"hp": {"value": 18, "max": 20}, "ac": {"value": 16}}}, 20),
    ({"wounds": {"value": 0, "max": 3}, "stats": {"toughness": {"value": 5}}}, None),
    ({"attribs": {"hp": {"value": 11, "max": 12}}}, None),
    ({"status": {"wounds": {"value": 12, "max": 12}}}, None),
    ("of no system", None),
], ids=["pathfinder", "savage worlds", "call of cthulhu", "warhammer", "text"])  # fmt: skip
def test_a_world_of_another_system_has_its_rolls_acts_and_points(
    folder: Path, system: object, most: int | None
) -> None:
    world = folder / "world"
    shutil.copytree(WORLDS[1], world)
    for file in (world / "actors").iterdir():
        file.write_text(json.dumps(json.loads(file.read_text()) | {"system": system}))
    done = foundry.read(world)
    assert told(done) == told(foundry.read(WORLDS[1]))
    assert done.problems == []
    sheets = [fact.event["sheet"] for fact in done.facts if fact.event["type"] == "combatant_joined"]
    assert sheets == [{} if most is None else {"hp_max": most}] * 3
    assert encounter("import", "foundry", world, folder / "fight.jsonl").exit_code == 0


def test_an_initiative_with_a_fraction_is_the_whole_number_below(folder: Path) -> None:
    """Two rolls of Mira, 14.03 and 9.03, of which the combat has the first."""
    for name in ("combats", "actors", "messages"):
        lines = (WORLDS[0] / "data" / f"{name}.db").read_text().splitlines()
        if name == "messages":
            lines = [one.replace('14, \\"evaluated', '14.03, \\"evaluated') for one in lines]
            (mira,) = (one for one in lines if "Mira rolls for Initiative" in one)
            again = (
                mira.replace("message00000003a", "message00000003b").replace("14.03", "9.03").replace(": 11,", ": 6,")
            )
            lines.insert(lines.index(mira) + 1, again)
        (folder / f"{name}.db").write_text(
            "".join(f"{one}\n" for one in lines).replace('"initiative":14', '"initiative":14.03')
        )
    done = encounter("import", "foundry", folder, folder / "fight.jsonl", "--ruleset", "5e")
    assert (done.exit_code, done.stderr) == (0, "")
    assert encounter("audit", folder / "fight.jsonl").stdout.startswith("no findings")
    derived = json.loads(encounter("show", folder / "fight.jsonl", "--json").stdout)
    assert [(one["combatants"], one["key"]["total"]) for one in derived["order"]] == [
        (["brand"], 14),
        (["mira"], 14),
        (["ogre"], 8),
    ]


def test_whispers_are_secret_and_cut_worlds_are_damaged(folder: Path) -> None:
    assert [fact.event["type"] for fact in foundry.read(WORLDS[1]).facts if fact.secret] == ["save_rolled"]
    assert encounter("import", "foundry", WORLDS[1], folder / "a.jsonl").exit_code == 0
    assert "Ogre rolls 9" not in encounter("export", "markdown", folder / "a.jsonl", "--for", "players").stdout
    assert "note: Kim: Well & good!" in told(foundry.read(WORLDS[1], talk=True))
    for world in WORLDS:
        version = world.name
        shutil.copytree(world, folder / version)
        for file in (folder / version).glob("**/combat*.*"):
            file.write_bytes(file.read_bytes()[:50])
        done = encounter("import", "foundry", folder / version, folder / "out.jsonl")
        assert done.exit_code == 4
        assert f"{version}: is damaged: line 1 of the combats is not JSON" in done.stderr
    done = encounter(
        "import", "foundry", WORLDS[1] / "messages" / "message_message00000001a.json", folder / "a-2.jsonl"
    )
    assert (done.exit_code, "is not the folder of a world" in done.stderr) == (4, True)


def test_a_folder_that_is_no_world_is_refused_and_bad_documents_named(folder: Path) -> None:
    done = encounter("import", "foundry", folder, folder / "a.jsonl")
    assert (done.exit_code, "has no combats" in done.stderr) == (4, True)
    for name in ("combats", "actors", "messages"):
        lines = (WORLDS[0] / "data" / f"{name}.db").read_text()
        (folder / f"{name}.db").write_text(lines + ("{half\n[]\n" if name == "messages" else ""))
    whats = [one.what for one in foundry.read(folder).problems]
    assert whats[1:] == ["of the messages is not JSON", "of the messages has no '_id'"]


@pytest.mark.parametrize(
    ("token", "says"),
    [("tokenOgre00000aa", ["brand attacks with Greataxe", "Ogre: Dexterity Saving Throw: 9, total 8 (-1 bonus)"]),
     ("tokenMira00000aa", ["mira casts Fire Bolt"])],
)  # fmt: skip
def test_another_token_is_another_monster_but_the_same_character(folder: Path, token: str, says: list[str]) -> None:
    """Tokens of monsters share an actor; the one that was targeted, or speaks, is that of its token."""
    for name in ("combats", "actors", "messages"):
        text = (WORLDS[0] / "data" / f"{name}.db").read_text()
        (folder / f"{name}.db").write_text(text.replace(token, "tokenAnother000a") if name == "messages" else text)
    assert {*says} <= {*told(foundry.read(folder))}


def test_a_creature_has_the_stat_block_of_its_name_in_the_edition() -> None:
    sheets = {}
    for edition in ("2014", "2024"):
        to = f"{edition}.jsonl"
        found = encounter("import", "foundry", str(WORLDS[0]), to, "--ruleset", "5e", "--edition", edition)
        assert (found.exit_code, found.stderr) == (0, "")
        first, *others = [json.loads(line)["event"] for line in Path(to).read_text("utf-8").splitlines()]
        assert first["options"]["edition"] == edition
        sheets[edition] = [one["sheet"].get("srd") for one in others if one["type"] == "combatant_joined"]
    assert "2014:ogre" in sheets["2014"]
    assert {*sheets["2024"]} == {None}  # an ogre of that document has other hit points


@pytest.mark.parametrize(
    ("words", "says"),
    [(("--ruleset", "5e", "--edition", "3.5"), "3.5 is no edition"), (("--edition", "2024"), "goes with --ruleset 5e")],
)
def test_an_edition_that_there_is_not_is_refused(words: tuple[str, ...], says: str) -> None:
    found = encounter("import", "foundry", str(WORLDS[0]), "x.jsonl", *words)
    assert says in found.stderr
    assert not Path("x.jsonl").exists()


FIXTURES = Path(__file__).parents[2] / "fixtures" / "plain"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_a_world_with_odd_values_is_read_or_refused(seed: int, tmp_path: Path) -> None:
    world = FIXTURES / "foundry" / "version-13"
    documents = {str(file.relative_to(world)): json.loads(file.read_text()) for file in world.rglob("*.json")}
    for name, document in spoiled(documents, random.Random(seed)).items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(document))
    for game in map(game_of, list_games_with_imports()):
        with suppress(BadSource):
            taken(foundry.read(tmp_path, game=game, talk=True))


@pytest.mark.parametrize(
    ("field", "value"), [("timestamp", 1e300), ("timestamp", float("nan")), ("speaker", {"token": []})]
)
def test_a_message_with_an_impossible_value_spoils_no_other(field: str, value: object, tmp_path: Path) -> None:
    world = FIXTURES / "foundry" / "version-13"
    for file in world.rglob("*.json"):
        copy = tmp_path / file.relative_to(world)
        copy.parent.mkdir(exist_ok=True)
        copy.write_text(file.read_text())
    odd = json.loads(sorted((world / "messages").glob("*.json"))[0].read_text()) | {"_id": "odd", field: value}
    before = len(foundry.read(tmp_path).facts)
    (tmp_path / "messages" / "zzz.json").write_text(json.dumps(odd))
    assert len(foundry.read(tmp_path).facts) >= before
