"""`encounter import events`: lines of any engine become the facts that a mapping says; what does not fit is named with its line."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from encounterlog.importers.mapped import read
from encounterlog.importers.transcript import BadSource, Transcript
from encounterlog.log.opening import parse_event as event_of
from tests.encounterlog.hostile_imports import ODD, places
from tests.encounterlog.support import encounter

PAGE = (Path(__file__).parents[2] / "docs" / "tutorial" / "your-engine.md").read_text("utf-8")


def of_the_page(name: str) -> str:
    (found,) = re.findall(rf"^\$ cat > {re.escape(name)} <<'END'\n(.*?)^> END$", PAGE, re.DOTALL | re.MULTILINE)
    return "".join(line.removeprefix("> ").removeprefix(">") for line in found.splitlines(keepends=True))


LINES = of_the_page("arena.jsonl")
MAPPING = 'ignore = ["frame"]\n' + "".join(map(of_the_page, ("arena.toml", "more.toml", "states.toml")))


def given(folder: Path, mapping: str, *lines: Any) -> Transcript:
    source, said = folder / "lines.jsonl", folder / "map.toml"
    source.write_text("".join(one if isinstance(one, str) else json.dumps(one) + "\n" for one in lines))
    said.write_text(mapping)
    return read(source, mapping=said)


def facts(folder: Path, mapping: str, *lines: Any) -> list[dict[str, Any]]:
    done = given(folder, mapping, *lines)
    assert done.problems == []
    return [one.event for one in done.facts]


TOP = 'kind = "k"\nruleset = "plain"\n'
NOTE = f'{TOP}[[event]]\nkind = "say"\n[[event.fact]]\ntype = "noted"\n'


def said(folder: Path, text: str, **line: Any) -> object:
    (made,) = facts(folder, f"{NOTE}text = '{text}'\n", {"k": "say", **line})
    return made["text"]


def test_the_mapping_of_the_tutorial_finds_three_bugs_and_escapes_letters(folder: Path) -> None:
    (folder / "arena.jsonl").write_text(LINES)
    (folder / "arena.toml").write_text(MAPPING)
    done = encounter("import", "events", "arena.jsonl", "fight.jsonl", "--map", "arena.toml", "--json")
    value = json.loads(done.stdout)
    assert (done.exit_code, value["problems"], value["ignored"]) == (0, [], 1)
    assert [(one["address"], one["stated"], one["derived"]) for one in value["differences"]] == [
        ("pc-ana.concentration", "web", "none")
    ]
    found = json.loads(encounter("audit", "fight.jsonl", "--json").stdout)["findings"]
    assert [one["rule"] for one in found] == ["concentration.holds-effect", "round.one-turn-each", "attack.meets-ac"]
    (folder / "lines.jsonl").write_text(LINES + json.dumps({"event": "\x1b[2Jx"}) + "\n")
    (folder / "map.toml").write_text(MAPPING)
    done = encounter("import", "events", "lines.jsonl", "log.jsonl", "--map", "map.toml")
    assert done.exit_code == 0
    assert "\x1b[2J" not in done.stdout + done.stderr


@pytest.mark.parametrize(("text", "line", "becomes"), [
    ("{a} and {b}", {"a": 1, "b": True}, "1 and True"),
    ("{a.b.1}", {"a": {"b": ["x", "y"]}}, "y"),
    ('{"two words"}', {"two words": "x"}, "x"),
    ("all {a - b + 1}", {"a": 9, "b": 4}, "all 6"),
    ("all {-a}", {"a": 9}, "all -9"),
    ("{a:name}", {"a": "Kex the Red"}, "kex-the-red"),
])  # fmt: skip
def test_a_blank_is_filled_with_what_the_line_has(folder: Path, text: str, line: dict[str, Any], becomes: str) -> None:
    assert said(folder, text, **line) == becomes


def test_blanks_ids_items_and_conditions_make_the_facts(folder: Path) -> None:
    mapping = f'{TOP}[[event]]\nkind = "r"\n[[event.fact]]\ntype = "round_started"\nround = "{{n}}"\n'
    assert facts(folder, mapping, {"k": "r", "n": 3}) == [{"type": "round_started", "round": 3}]
    mapping = f"{TOP}[[event]]\nkind = 's'\n[[event.fact]]\ntype = 'combatant_joined'\ncombatant = '{{id:name}}'\nsheet = {{}}\n"
    made = facts(folder, mapping, {"k": "s", "id": "Orc #1"}, {"k": "s", "id": "orc 1"})
    assert [one["combatant"] for one in made] == ["orc-1", "orc-1-2"]
    mapping = f"{NOTE}text = '{{item}} of {{k}}'\neach = 'those'\nwhere = {{ item = ['x', 'z'] }}\nif = 'those'\n"
    made = facts(folder, mapping, {"k": "say", "those": ["x", "y", "z"]}, {"k": "say", "those": ["x"]})
    assert [one["text"] for one in made] == ["x of say", "z of say", "x of say"]
    mapping = (
        f"{TOP}[[event]]\nkind = 'say'\nwhere = {{ loud = true }}\n[[event.fact]]\ntype = 'noted'\ntext = 'loud'\n"
    )
    mapping += "[[event]]\nkind = 'say'\n[[event.fact]]\ntype = 'noted'\ntext = 'soft'\n"
    made = facts(folder, mapping, {"k": "say", "loud": True}, {"k": "say"})
    assert [one["text"] for one in made] == ["loud", "soft"]


MISTAKES = {
    '[[event]]\nkind = "turn"': ("[[event]]", "missing required field `kind`", "a mapping has at least"),
    'type = "checked"': ('type = "cheked"', "line 110: fact 1 of 'state': 'cheked' is no type of fact", "did you mean checked? encounter schema lists the types"),
    'amount = "{loses.points}"\n': ('amuont = "{loses.points}"\n', "damage_dealt has no field 'amuont'", "did you mean amount?"),
    'round = "{number}"\n': ("\n", "it has no round, which every round_started has", 'round = "{field}"'),
    "{stat:abilities}": ("{stat:ability}", "words.ability, which is not there", "did you mean abilities?"),
    "{d20 + mod}": ("{d20 * mod}", "'d20 * mod' is no blank", "a blank is {field}"),
    "hp = ": ("points = ", "fact 1 of 'spawn': a sheet of 5e has no field 'points'", "did you mean weapons"),
    'cause = "@attack"': ('cause = "@atack"', "no fact has as = 'atack'", "did you mean attack?"),
    'ignore = ["frame"]': ('ignore = ["turn"]', "the event 'turn': its kind is also in ignore", "leave out one"),
    "[words.abilities]": ("[words.name]", "words.name is taken", "call it otherwise"),
    'ruleset = "5e"': ("", "names no ruleset", "--ruleset plain"),
}  # fmt: skip


@pytest.mark.parametrize("right", MISTAKES)
def test_a_mistake_in_a_mapping_is_said_with_its_place_before_reading(folder: Path, right: str) -> None:
    wrong, says, hint = MISTAKES[right]
    assert right in MAPPING
    with pytest.raises(BadSource) as error:
        given(folder, MAPPING.replace(right, wrong, 1), LINES)
    assert says in str(error.value)
    assert hint in error.value.hint


def test_a_mapping_without_facts_or_lines_that_fit_is_refused(folder: Path) -> None:
    with pytest.raises(BadSource, match=r"map\.toml, line 3: the event 'say': it becomes no facts"):
        given(folder, f"{TOP}[[event]]\nkind = 'say'\n", {"k": "say"})
    with pytest.raises(BadSource, match="event is 'x', no other fact"):
        given(folder, f"{NOTE}text = 'a'\nevent = 'x'\n", {"k": "say"})
    with pytest.raises(BadSource, match="no line of which the mapping makes a fact: line 1: the mapping has no event"):
        given(folder, MAPPING, {"event": "dance"})


ONE = "[[event]]\nkind = 'say'\n[[event.fact]]\ntype = 'noted'\ntext = 'x'\n"


@pytest.mark.parametrize(("mapping", "says"), [
    (f"{TOP}event = ['x']\n", "event 1: expected `object`, got `str`"),
    (f"{TOP}title = {'9' * 5000}\n", "a number of more digits than can be read"),
    (f"{NOTE}text = '{{a + {'9' * 5000}}}'\n", "is no blank"),
    (f"{NOTE}text = 2024-01-01\n", "fact 1 of 'say': text: expected a text, got a date or a time"),
    (f"{TOP}words = {{ a = {{ x = [2024-01-01] }} }}\n{ONE}", "words.a.x[0]: expected a text, got a date"),
    (f"{NOTE}text = {'[' * 40}{']' * 40}\n", "nested deeper than 32 levels"),
    (f"{TOP}title = '{'x' * 2001}'\n{ONE}", "title: expected `str` of length <= 2000"),
    (f"kind = ''\nruleset = 'plain'\n{ONE}", "kind names no field"),
    (f"{TOP}'event[0].fact[1]' = nan\n", "map.toml: event[0].fact[1]: nan is not a number"),
    (" " * (1 << 20) + "\n", "larger than 1,048,576 bytes"),
])  # fmt: skip
def test_what_no_mapping_can_hold_is_said_in_one_line(folder: Path, mapping: str, says: str) -> None:
    with pytest.raises(BadSource) as error:
        given(folder, mapping, {"k": "say"})
    assert says in str(error.value)
    assert len(str(error.value)) < 700


@pytest.mark.parametrize(("text", "line", "says"), [
    ("{a + b}", '"a": ' + "9" * 400 + ', "b": 1.5', "a is 999"),
    ("{a + 1}", '"a": NaN', "a is nan, too large a number for {a + 1}"),
    ("{a.²}", '"a": ["x"]', "it has no a.², which the mapping asks for as {a.²}"),
    ("{a:name}", '"a": [["x"]]', "[['x']] is not in words.name"),
])  # fmt: skip
def test_what_cannot_be_filled_in_is_said_of_the_line(folder: Path, text: str, line: str, says: str) -> None:
    mapping = f"{NOTE}text = '{text}'\n[[event]]\nkind = 'ok'\n[[event.fact]]\ntype = 'noted'\ntext = 'ok'\n"
    done = given(folder, mapping, {"k": "ok"}, f'{{"k": "say", {line}}}\n')
    ((where, what),) = done.problems
    assert (where, len(done.facts)) == (2, 1)
    assert says in what
    assert len(what) <= 300


def test_keys_are_not_doubled_and_moments_without_a_zone_are_utc(folder: Path) -> None:
    mapping = f"{TOP}[[event]]\nkind = 'c'\n[[event.fact]]\ntype = 'checked'\nvalues = {{ '{{a}}' = 1, '{{b}}' = 2 }}\n"
    done = given(folder, mapping, {"k": "c", "a": "round", "b": "turn"}, {"k": "c", "a": "round", "b": "round"})
    assert len(done.facts) == 1
    assert done.problems == [(2, "fact 1 of 'c', checked: 'round' is there twice, the second time as '{b}'")]
    mapping = NOTE.replace('kind = "k"', 'kind = "k"\ntime = "t"') + "text = 'x'\n"
    rows = [{"k": "say", "t": "2025-11-30T11:00:00"}, {"k": "say"}, {"k": "say", "t": "2025-11-30T12:00:01+01:00"}]
    assert [one.at[11:19] for one in given(folder, mapping, *rows).facts] == ["11:00:00", "11:00:00", "11:00:01"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("nonsense\n", "it is not JSON: expecting value at column 1"),
        ("[1]\n", "it is no JSON object"),
        ('{"event": "turn", "id": "pc:bo"}\n', "turn_started: combatant: no combatant pc-bo has joined"),
        ('{"event": "round", "number": 99999999999999999999}\n', "round_started: round: "),
        ('{"event": "trun", "id": "pc:ana"}\n', "the mapping has no event 'trun'; did you mean turn or round?"),
        ('{"event": "turn"}\n', "fact 1 of 'turn', turn_started: it has no id, which the mapping asks for as {id:name}"),
        ('{"event": "turn", "id": "a", "at": "noon"}\n', "at is 'noon', neither seconds since 1970 nor an ISO 8601 moment"),
        ('{"event": "round", "number": "2"}\n', "fact 1 of 'round', round_started: round: expected a whole number, got text"),
        ('{"event": "save", "id": "a", "stat": "luck", "d20": 1, "mod": 0, "dc": 9, "made": false}\n', "'luck' is not in words.abilities"),
        ('{"event": "state", "units": 7}\n', "units is no list"),
    ],
)  # fmt: skip
def test_a_line_that_does_not_fit_is_listed_with_the_reason(folder: Path, line: str, says: str) -> None:
    done = given(folder, MAPPING, *LINES.splitlines(keepends=True), line)
    ((where, what),) = done.problems
    assert where == 17
    assert says in what
    assert len(done.facts) == len(given(folder, MAPPING, LINES).facts)


@pytest.mark.parametrize(("words", "says"), [
    (("events", "lines.jsonl"), "what the lines of events mean is not known"),
    (("jsonl", "lines.jsonl", "--map", "map.toml"), "recordings of jsonl need no mapping"),
    (("events", "lines.jsonl", "--map", "none.toml"), "the mapping none.toml cannot be read: no such file or directory"),
    (("events", "lines.jsonl", "--map", "coloured.toml"), "no option of 5e is called 'colour'"),
    (("events", "lines.jsonl", "--map", "/dev/zero"), "is larger than 1,048,576 bytes"),
])  # fmt: skip
def test_what_is_typed_wrong_is_refused_and_nothing_is_written(folder: Path, words: tuple[str, ...], says: str) -> None:
    (folder / "lines.jsonl").write_text(LINES)
    (folder / "map.toml").write_text(MAPPING)
    (folder / "coloured.toml").write_text(f'options = {{ colour = "red" }}\n{MAPPING}')
    kind, source, *more = words
    done = encounter("import", kind, source, "log.jsonl", *more)
    assert done.exit_code in (2, 4)
    assert says in done.stderr
    assert not (folder / "log.jsonl").exists()


@pytest.mark.parametrize("seed", range(10))
def test_lines_with_odd_values_are_read_or_listed_and_every_fact_is_one(folder: Path, seed: int) -> None:
    chance = random.Random(seed)
    rows = [json.loads(line) for line in LINES.splitlines()]
    for _ in range(4):
        row = chance.choice(rows)
        *way, last = chance.choice([*places(row)])
        holder = row
        for name in way:
            holder = holder[name]
        holder[last] = chance.choice(ODD)
    try:
        done = given(folder, MAPPING, *rows)
    except BadSource:
        return
    for fact in done.facts:
        event_of(fact.event)
    assert {line for fact in done.facts for line in fact.lines} | {one.line for one in done.problems} <= set(
        range(1, 17)
    )


ROLLING = """kind = "k"
ruleset = "5e"
options = { edition = "EDITION" }

[[event]]
kind = "spawn"
[[event.fact]]
type = "combatant_joined"
combatant = "{id:name}"
name = "{name}"
sheet = { hp = "{hp}" }
[[event.fact]]
type = "initiative_rolled"
combatant = "{id:name}"
die = "{d20}"
bonus = "{mod}"
"""


@pytest.mark.parametrize(("edition", "bonus"), [("2014", 0), ("2024", 12)])
def test_a_creature_with_another_bonus_than_its_monster_has_no_block(folder: Path, edition: str, bonus: int) -> None:
    (folder / "map.toml").write_text(ROLLING.replace("EDITION", edition))
    for mod in (0, 12):
        spawn = {"k": "spawn", "id": 7, "name": "Adult Red Dragon", "hp": 256, "d20": 9, "mod": mod}
        (folder / "lines.jsonl").write_text(json.dumps(spawn) + "\n")
        to = f"{mod}.jsonl"
        assert encounter("import", "events", "lines.jsonl", to, "--map", "map.toml").exit_code == 0
        joined = json.loads((folder / to).read_text().splitlines()[1])["event"]
        assert joined["sheet"].get("srd") == (f"{edition}:adult-red-dragon" if mod == bonus else None)
