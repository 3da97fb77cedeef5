"""Notation: lines mean facts, facts are printed as lines, and what cannot be told is refused where it stands."""

from functools import cache
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, strategies as st

from eventstore.events import Fact, Struck
from eventstore.record import Recorded
from projections.folds.addresses import derive_value
from projections.folds.order import names_in_order
from projections.language.notation import forms
from projections.language.notation.forms import Form
from projections.language.notation.parsing import LONGEST
from projections.language.notation.printing import print_line
from projections.language.notation.table import Table
from projections.mechanics.dice import parse as of_notation, throw
from projections.proving.enc import parse
from projections.proving.plays import Play
from projections.proving.proof import records_of
from projections.rulesets import RULESETS, find
from tests.projections.grammar import LINES, PARTY, WORDS, answer, fight, refusal, table, told
from tests.tables import for_each

FIXTURES = sorted((Path(__file__).parents[2] / "fixtures").rglob("*.enc"))
REFERENCE = ["r", "d m web 3 o", "d b a o", "p5 f3", "m", "b 14 6", "o m 17 7", "u", "o m 17 5", "g b 4", "?m", "e"]


def points(at: Table, who: str) -> object:
    found = derive_value(at.done.state, f"{who}.hp")
    return found.value if found else None


def test_the_reference_round_takes_75_keystrokes_and_keeps_every_fact() -> None:
    at = table("osric", *PARTY, "r", "e")
    facts = [fact for line in REFERENCE for fact in told(at, line)]
    assert sum(len(line) + 1 for line in REFERENCE) <= 75
    assert facts == [
        '{"type":"round_started","round":2}',
        '{"type":"action_declared","combatant":"mira","action":{"kind":"cast","name":"web","targets":["ogre"],"time":3}}',
        '{"type":"action_declared","combatant":"brand","action":{"kind":"attack","name":"sword","targets":["ogre"]}}',
        '{"type":"initiative_rolled","side":"party","die":5}',
        '{"type":"initiative_rolled","side":"foes","die":3}',
        '{"type":"segment_reached","segment":3}',
        '{"type":"action_taken","combatant":"mira","action":{"kind":"cast","name":"web","targets":["ogre"],"time":3}}',
        '{"type":"action_taken","combatant":"brand","action":{"kind":"attack","name":"sword","targets":["ogre"]}}',
        '{"type":"attack_rolled","combatant":"brand","target":"ogre","die":14,"hit":true,"cause":-1}',
        '{"type":"damage_dealt","target":"ogre","amount":6,"cause":-1}',
        '{"type":"segment_reached","segment":5}',
        '{"type":"action_taken","combatant":"ogre","action":{"kind":"attack","name":"club","targets":["mira"]}}',
        '{"type":"attack_rolled","combatant":"ogre","target":"mira","die":17,"hit":true,"cause":-1}',
        '{"type":"damage_dealt","target":"mira","amount":7,"cause":-1}',
        '{"type":"struck","event":21}',
        '{"type":"struck","event":20}',
        '{"type":"struck","event":19}',
        '{"type":"struck","event":18}',
        '{"type":"segment_reached","segment":5}',
        '{"type":"action_taken","combatant":"ogre","action":{"kind":"attack","name":"club","targets":["mira"]}}',
        '{"type":"attack_rolled","combatant":"ogre","target":"mira","die":17,"hit":true,"cause":-1}',
        '{"type":"damage_dealt","target":"mira","amount":5,"cause":-1}',
        '{"type":"action_taken","combatant":"goblin","action":{"kind":"attack","name":"spear","targets":["brand"]}}',
        '{"type":"attack_rolled","combatant":"goblin","target":"brand","die":4,"hit":false,"cause":-1}',
        '{"type":"round_ended","round":2}',
    ]
    row = next(row for row in at.done.state.rules.schedule.rows(at.done.state) if row.name == "web")
    assert (row.status, row.due and row.due.segment) == ("spoiled", 6)


def test_redo_takes_back_undos_one_by_one_until_something_else_is_told() -> None:
    at = table("plain", "join Ana party hp=14", "ana -3", "ana -1", "u", "u")
    seen = [points(at, "ana")]
    for line in ("redo", "redo", "u", "redo"):
        at.hear(line)
        seen.append(points(at, "ana"))
    assert seen == [14, 11, 10, 11, 10]
    assert "nothing to redo" in refusal(at, "redo")[1]
    for line in ("u", "ana -2"):
        at.hear(line)
    assert "nothing to redo" in refusal(at, "redo")[1]


@pytest.mark.parametrize("key", RULESETS)
def test_every_form_has_an_example_that_is_told_by_it(key: str) -> None:
    at = fight(key)
    sides = key in ("osric", "vile-darkness")
    for line in (
        *["note x"] * 8,
        "r",
        "d m web 3 o",
        "i p5 f3" if sides else "i b=14 o=9",
        *(["form b wolf 11"] if key == "5e" else []),
        "b -6",
    ):
        at.hear(line)
    for form in forms.of(find(key).rules).form:
        if form.name == "swap" and sides:
            continue  # sides have dice, and no totals that two could exchange
        if form.name == "redo":
            at.hear("u")
        assert answer(at, form.example)[1] is None, form.name
        assert at.tell(form.example).form in (form.name, "note", "amended", "inserted"), form.name
        if form.name == "redo":
            at.hear("redo")


@pytest.mark.parametrize("key", ["plain", "5e", "nameless-journey", "definition-master", "semiautomagic"])
def test_two_exchange_their_totals_before_the_first_turn(key: str) -> None:
    at = table(key, "join Ana party hp=9", "join Bo party hp=9", "join Orc foes hp=9")
    assert refusal(at, "swap ana bo")[1] == "ana has no total of initiative; such as: i ana=14"
    for line in ("i ana=18 bo=7 orc=12", "swap ana bo"):
        at.hear(line)
    assert names_in_order(at.done.state) == [["bo"], ["orc"], ["ana"]]
    at.hear("bo swaps initiative with ana")
    assert names_in_order(at.done.state) == [["ana"], ["orc"], ["bo"]]


def test_lines_whose_tables_are_malformed_are_noticed() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"name": "x", "patterns": ["x"], "says": "X.", "example": "x", "maks": []}, Form)


@for_each(("line", "column", "says"), [
    ("g b 14", 1, "goblin-1, goblin-2 or goblin-3"),
    ("b gobln-1 14", 3, "gobln"),
    ("b attack gobln-1 14", 10, "gobln"),
    ("roundd", 1, '"roundd" is not understood'),
    ('d b cast "fire', 10, "not complete"),
    ("b g1 -99999999999999999999", 6, "99999999999999999999"),
    ("join bo party hp=3", 19, "has joined already"),
    ("join zed foes", 14, "sheet.hp: is missing"),
    ("join zed foes hp=9 strenght=3", 20, "sheet.strenght: not a field of a sheet of osric"),
    ("join zed foes weapon=axe hp=x", 26, "sheet.hp: expected a whole number, got text"),
    ("g1 b d6", 6, "has no faces"),
    ("roll g1 b 100000d6:1", 11, "beyond 100 dice"),
    ("b dances with g1", 3, "dances"),
    ("amend 5 bogus -3", 9, "no combatant bogus"),
    ("“”", 2, "without words"),
    ("r " + "1" * LONGEST, LONGEST, "at most"),
    ('{"type":"round_startd"}', 1, "round_started"),
    ("u", 1, "nothing to take back"),
    ("strike 99", 1, "event"),
])  # fmt: skip
def test_an_error_points_at_its_character_and_suggests(line: str, column: int, says: str) -> None:
    at = table("osric", "join bo party hp=9", "join goblin*3 foes hp=5")
    if line == "u":
        at = table("osric")
    found = refusal(at, line)
    assert found[0] == column, found
    assert says in found[1]


def rolling(key: str = "osric") -> Table:
    at = fight(key)
    at.roll = lambda notation: throw(of_notation(notation), lambda sides: min(sides, 4))
    return at


def test_dice_are_rolled_where_they_have_no_faces_and_the_log_says_so() -> None:
    at = rolling()
    assert told(at, "b o d20+2 d8+1")[1:] == [
        '{"type":"attack_rolled","combatant":"brand","target":"ogre","die":{"notation":"d20","faces":[4]},"modifiers":[{"name":"bonus","amount":2}],"hit":true,"cause":-1}',
        '{"type":"damage_dealt","target":"ogre","amount":5,"parts":[{"name":"sword","dice":{"notation":"d8","faces":[4]}},{"name":"bonus","amount":1}],"cause":-1}',
        '{"type":"noted","text":"rolled here: d20:4; d8:4","event":-1}',
    ]
    assert told(at, "r 2d20kh1 morale")[0] == (
        '{"type":"dice_rolled","purpose":"morale","die":{"notation":"2d20kh1","faces":[4,4],"dropped":[1]}}'
    )
    assert told(at, "note I rolled a d20") == ['{"type":"noted","text":"I rolled a d20"}']
    assert told(at, "g b d20")[1].count("hit") == 0
    assert "rolled here" not in "".join(told(at, "g b d20:4"))
    assert told(at, "r") == ['{"type":"round_started","round":1}']


@pytest.mark.parametrize("line", ["b cast web 3 o allows_save=will/²", "r ²", "b -²", "i p² f3", "strike ²", "o b ²"])
def test_what_is_a_digit_and_no_number_is_refused(line: str) -> None:
    assert answer(fight(), line)[1] is not None


def plays(path: Path) -> tuple[Play, ...]:
    return parse(path.read_text("utf-8"), str(path))


def round_trip(records: list[Recorded]) -> int:
    """Print records as lines, which are told again; return how many of the facts no form says."""
    at, place, in_json = Table(records[:1], script=True), 1, 0
    while place < len(records):
        line, count = print_line(at.context, [record.event for record in records[place : place + 6] if record.event])
        assert list(at.tell(line).facts) == [record.event for record in records[place : place + count]]
        in_json += line.startswith("{")
        at.take(records[place : place + count])
        place += count
    return in_json


@pytest.mark.parametrize("key", [key for key in RULESETS if key != "plain"])
def test_parsing_and_printing_are_inverse_on_the_fixtures(key: str, whole: bool) -> None:
    paths = [path for path in FIXTURES if path.parent.name == key]
    for path in paths if whole else paths[:2]:
        assert sum(round_trip(records_of(play)[: None if whole else 40]) for play in plays(path)) == 0, path


@pytest.mark.hypothesis
@given(st.sampled_from(RULESETS), LINES)
def test_a_line_is_told_or_refused_and_what_is_told_is_told_again(key: str, line: str) -> None:
    at = fuzzed(key)
    facts, refused = answer(at, line)
    if refused:
        assert 1 <= refused.column <= len(line) + 2
        assert refused.why
    elif facts and not any(isinstance(fact, Struck) for fact in facts):
        assert_printed_and_told_again(key, facts)


@pytest.mark.hypothesis
@given(st.sampled_from(RULESETS), st.data())
def test_an_example_with_a_word_put_in_or_taken_out_is_told_or_refused(key: str, data: st.DataObject) -> None:
    at = fuzzed(key)
    words = data.draw(st.sampled_from(forms.of(find(key).rules).form)).example.split()
    place = data.draw(st.integers(0, len(words) - 1))
    words[place : place + data.draw(st.integers(0, 1))] = data.draw(st.lists(WORDS, max_size=2))
    facts, refused = answer(at, " ".join(words))
    assert refused is None or refused.why
    if facts and not any(isinstance(fact, Struck) for fact in facts):
        assert_printed_and_told_again(key, facts)


def assert_printed_and_told_again(key: str, facts: tuple[Fact, ...]) -> None:
    """Assert it of a script, in which nothing goes without saying: a spell that is cast brings no concentration with it."""
    script = fuzzed(key, script=True)
    printed, count = print_line(script.context, facts)
    assert script.tell(printed).facts == facts[:count]


@cache
def fuzzed(key: str, *, script: bool = False) -> Table:
    """Return a table in the middle of a round, at which dice are rolled that always show the same; nothing is taken in."""
    at = fight(key)
    for line in ("r", *(["d m web 3 o", "i p5 f3"] if key == "osric" else [])):
        at.hear(line)
    if script:
        at = Table(at.records, script=True)
    at.roll = lambda notation: throw(of_notation(notation), lambda sides: min(sides, 4))
    return at


def test_an_unknown_word_of_a_sheet_is_refused_with_those_that_there_are() -> None:
    column, says = refusal(table("5e"), "join wolf foes creature=legendary")
    assert (column, says) == (
        16,
        "sheet.creature: does not know the word 'legendary'; the words are character, monster",
    )
