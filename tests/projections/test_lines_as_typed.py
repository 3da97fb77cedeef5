"""Lines as people type and paste them: what is meant is told, and what is not understood gets a sentence that helps."""

import pytest

from eventstore.events import (
    ActionTaken,
    AttackRolled,
    ConditionGained,
    ContestRolled,
    DamageDealt,
    Healed,
    InitiativeRolled,
)
from projections.grammar.printing import line_of
from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from projections.rulesets import RULESETS
from tests.projections.test_grammar import refusal, table, told

PARTY = (
    "join Mira party hp=9 weapon=dagger",
    "join Brand party hp=24 weapon=sword",
    "join Tess party hp=12 weapon=bow",
    "join Urk foes hp=30 weapon=club",
    "join goblin*3 foes hp=5 weapon=spear",
    "surprised",
    "r",
)
ALIKE = [
    ("b −6", "b -6"),
    ("b –6", "b -6"),
    ("b - 6", "b -6"),
    ("b + 4", "b +4"),
    ("d m cast 'wall of fire'", 'd m cast "wall of fire"'),
    ("join ‘Sir Bo’ foes hp=3", 'join "Sir Bo" foes hp=3'),
    ("„Es brennt“", '" Es brennt'),
    ("«Il brûle»", '" Il brûle'),
    ("d m cast “wall of fire”", 'd m cast "wall of fire"'),
    ("b -3 object=“old shield”", 'b -3 object="old shield"'),
    ("? m", "?m"),
    ("b attacks urk 14 5", "b attack urk 14 5"),
    ("b charges urk 3", "b charge urk 3"),
    ("g1 brand misses", "g1 misses brand"),
    ("b urk 14 hit -4", "b urk 14 4"),
    ("b moves 30ft", "b goes 30ft"),
    ("g1 is not prone", "g1 not prone"),
    ("join bob hp=3 foes", "join bob foes hp=3"),
    ("dice d20:4", "r d20:4"),
    ("contest b:15+4 urk:9", "contest b:15,bonus+4 urk:9"),
    ("b g1,g2 -3", "b g1 g2 -3"),
    ("b -3 cause=^2", "b -3 ^2"),
    ("act b attack urk trigger=^", "act b attack urk trigger=-1"),
    ("i m=14 b=12", "m=14 b=12"),
    ("b is prone for 3 rounds", "b is prone for 3r"),
    ("effect bless by m on b for 10 minutes", "effect bless by m on b for 10min"),
    ("pass 1 day tended b", "pass 1d tended b"),
    ("pass 10m", "pass 10min"),
    ("pass 10 minutes", "pass 10min"),
    ("b is prone for 10m", "b is prone for 10min"),
    ("b goes 30 feet", "b goes 30ft"),
    ("m cast web 3 segments urk", "m cast web 3seg urk"),
    ("b attacks ukr 14 6", "b attacks urk 14 6"),
    ("b attacks urx", "b attacks urk"),
    ("b attack urx d20:14 6", "b attack urk d20:14 6"),
    ("b charges urx", "b charges urk"),
    ("b holds attack urx until it moves", "b holds attack urk until it moves"),
]


@pytest.fixture
def ford() -> Table:
    return table("osric", *PARTY)


@pytest.mark.parametrize(("typed", "meant"), ALIKE)
def test_what_is_pasted_or_typed_otherwise_means_the_same(ford: Table, typed: str, meant: str) -> None:
    found, expected = ford.tell(typed), ford.tell(meant)
    assert (found.facts, found.rest, found.words) == (expected.facts, expected.rest, expected.words)
    assert found.facts or found.rest


@pytest.mark.parametrize(
    ("line", "column", "says", "hint"),
    [
        ("b -6; urk frobs", 11, "frobs is no word for what a combatant does", "an action is quoted"),
        ("‘no", 1, "no combatant ‘no", "double quotation marks"),
        ("d m cast “wall", 10, "not complete", "staff of storms"),
        ("b urk 14 6 ¶", 12, "nothing more was expected", "a remark stands on a line of its own"),
        ("🎲 rolled a 14 😂", 1, "no combatant 🎲", "a remark stands on a line of its own"),
        ('"Brand" -3', 1, "a line that begins with a quotation mark is a remark", "for Brand write brand"),
        ("“Brand” urk 14 6", 1, "a line that begins with a quotation mark is a remark", "for Brand write brand"),
        ("b urk d20:25 3", 11, "25 is no face of d20", "d20:4"),
        ("dice 2d6:3", 10, "2d6 shows 2, and here are 1", "2d6:4,4"),
        ("b -99999999999999999999", 4, "too large a number", "16 digits"),
        ("b -x n", 4, "x is not a whole number", ""),
        ("b hp=10", 8, "declared nothing", "write `sheet b hp=10`"),
        ("u -5", 3, "nothing more", "for Urk write more of the name, or :u"),
        ("t g1 15 3", 6, "expected with", "for Tess write more of the name, or :t"),
        ("undo 2", 1, "undo takes back the last line", "strike 2 takes out a record"),
        ("b all goblins 14 6", 19, "one roll is against one target", "a line for each target"),
        ("d b", 4, "expected an action", "such as: d m web 3 o"),
        ("act b", 6, "expected an action", "such as: act b attack sword o"),
        ("rule waive", 11, "expected a number", "rule waive 12"),
        ("secret", 7, "secret stands before a line", "secret b -6"),
        ("R", 1, "this is not certain", "write `reading 1: R`"),
        ("[1]", 1, "no side [", ""),
        ("surprised gx", 11, "no combatant or side gx", ""),
        ("--help", 1, "no combatant --help", ""),
        ("-rf -1", 1, "no combatant -rf", ""),
        ("join -rf foes", 14, "sheet.hp: is missing", "it follows the side: hp=9"),
        ("b 5ft", 3, "expected an amount, such as -6", "b goes 5ft"),
        ("b attack gobln 14 6", 10, "no combatant gobln", ""),
        ("b urks", 3, "no combatant", "write `b urk`"),
        ("b atack urk", 3, "atack is no word", "write `b attack urk`"),
        ("all goblns -2", 5, "no side, and no kind", ""),
        ("b is prone for 3 bananas", 16, "3 is not an amount with its unit", "10r"),
        ("b is prone for 3bananas", 16, "3bananas is not an amount with its unit", "10r"),
        ("b is prone for 3 m", 16, "3 is not an amount with its unit", "10r"),
        ("d m cast web 3 o allows_save=14", 16, "no combatant o", ""),
        ("d m cast web 3 urk allows_save=14", 32, "14 is not a saving throw", "will/14/half"),
        ("d m cast web 3 urk allows_save=yes", 32, "yes is not a saving throw", "will/14/half"),
        ("m cast web urk allows_save=will/x", 28, "will/x is not a saving throw", "will/14/half"),
        ("r 0", 3, "no round 0", "count from 1"),
        ("e 0", 3, "no round 0", "count from 1"),
    ],
)
def test_what_is_not_understood_gets_a_sentence_that_helps(
    ford: Table, line: str, column: int, says: str, hint: str
) -> None:
    found = refusal(ford, line)
    assert found[0] == column, found
    assert says in found[1]
    assert hint in found[1]


def test_a_name_in_quotation_marks_is_that_of_somebody_where_it_is_exactly_that() -> None:
    at = table("osric", *PARTY[:-1], 'join "Sir Bo" foes hp=9', "r")
    for line, meant in (
        ('br attacks "Sir Bo" 14 6', "br attacks sir-bo 14 6"),
        ("br “Sir Bo” 14 6", "br sir-bo 14 6"),
        ("m cast “wall of fire” 3 “Urk”", 'm cast "wall of fire" 3 urk'),
        ("t “Sir Bo”", "t sir-bo"),
    ):
        assert at.tell(line).facts == at.tell(meant).facts, line
    assert '"name":"goblin"' in told(at, 'br attacks "goblin"')[0]


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("“The bridge creaks,” said Mira…", "“The bridge creaks,” said Mira…"),
        ("“He said “no””", "“He said “no””"),
        ("“It creaks”", "It creaks"),
        ('"He said “no”', "He said “no”"),
        ('" Brand" is tired', 'Brand" is tired'),
        ("“Brand” …", "“Brand” …"),
        ("“Brand” said ‘no’", "“Brand” said ‘no’"),
    ],
)
def test_a_remark_keeps_the_quotation_marks_inside_it(ford: Table, typed: str, text: str) -> None:
    assert [fact.text for fact in ford.tell(typed).facts] == [text]  # type: ignore[attr-defined]


def test_a_weapon_that_is_known_or_quoted_or_stands_before_its_target_is_no_mistyped_name(ford: Table) -> None:
    for line in ("p5 f3", "seg 6"):
        ford.hear(line)
    for line, name in (
        ("b attack bow", "bow"),
        ("b attack dagger urk 14 6", "dagger"),
        ('b attack "urx"', "urx"),
        ("m attack poker urk", "poker"),
        ("b attack poker", "poker"),
        ("m cast urn", "urn"),
    ):
        action = next(fact for fact in ford.hear(line).facts if isinstance(fact, ActionTaken)).action
        assert (action.name, action.kind) == (name, "cast" if "cast" in line else "attack"), line


def test_what_is_declared_or_held_may_have_no_target_and_a_name_that_is_new(ford: Table) -> None:
    assert '"action":{"kind":"attack","name":"pike"}' in told(ford, "d b attack pike")[0]
    assert '"action":{"kind":"attack","name":"lance"}' in told(ford, "m holds attack lance until it moves")[-1]


def test_a_unit_is_written_out_and_nobodys_name(ford: Table) -> None:
    assert '"targets":["mira"],"time":3' in told(ford, "b cast web 3 m")[0]
    ford.hear("join Minna foes hp=3")
    assert ford.tell("b is prone for 3 minutes").facts == ford.tell("b is prone for 3min").facts


def test_a_quoted_name_that_two_have_is_asked_about() -> None:
    at = table("osric", *PARTY[:-1], "join Urk foes hp=9", "r")
    assert refusal(at, 'b attack "Urk" 14 6') == (10, "Urk can be urk or urk-2; write more of the name")
    assert told(at, 'b attack "urk"') == told(at, "b attack urk")


@pytest.mark.parametrize("key", RULESETS)
def test_a_mistyped_target_is_no_weapon_in_any_ruleset(key: str) -> None:
    at = table(key, "join Ana party hp=9", "join orc*2 foes hp=5", "round")
    assert refusal(at, "a attacks orx")[0] == 11
    assert "no combatant orx" in refusal(at, "a attacks orx")[1]


def test_a_round_ends_once(ford: Table) -> None:
    ford.hear("e")
    assert refusal(ford, "e") == (2, "round 1 has ended; r begins round 2")
    assert told(ford, "e 1") == ['{"type":"round_ended","round":1}']


def test_no_round_ends_that_has_not_begun() -> None:
    assert refusal(table("osric", *PARTY[:-1]), "e") == (2, "no round has begun; r begins round 1")


def test_a_death_roll_by_a_save_names_the_save() -> None:
    at = table("definition-master", "join Kex party hp=9")
    for line in ("k saves death fortitude 13", "k saves death 13 save=fortitude", "save k fortitude 13 purpose=death"):
        assert line_of(at.context, at.tell(line).facts) == ("kex saves death fortitude 13", 1)
    assert line_of(at.context, at.tell("k saves death d%:61").facts) == ("kex saves death d%:61", 1)


def test_what_befalls_a_group_is_a_fact_for_each(ford: Table) -> None:
    facts = ford.tell("all goblins -4 source=m").facts
    assert [(fact.target, fact.amount, fact.source) for fact in facts if isinstance(fact, DamageDealt)] == [
        ("goblin-1", 4, "mira"),
        ("goblin-2", 4, "mira"),
        ("goblin-3", 4, "mira"),
    ]
    assert [type(fact) for fact in ford.tell("g1,g2 +2").facts] == [Healed, Healed]
    ford.hear("d m cast fireball 3 all goblins")
    ford.hear("m")
    burned = ford.hear("x m -4").facts
    assert [fact.cause for fact in burned if isinstance(fact, DamageDealt)] == [-1, -2, -3]
    ford.hear("u")
    assert all(each.hp == 5 for each in ford.done.state.here() if each.id.startswith("goblin"))


def test_facts_for_each_of_a_group_are_printed_as_lines_that_mean_them(ford: Table) -> None:
    facts = list(ford.tell("b all goblins -2").facts)
    again = Table(table("osric", *PARTY).records, script=True)
    told_again: list[object] = []
    while facts:
        line, count = line_of(again.context, facts)
        told_again += again.hear(line).facts
        facts = facts[count:]
    assert tuple(told_again) == ford.tell("b all goblins -2").facts


def test_a_short_word_that_is_also_a_name_before_a_name_asks_what_is_meant() -> None:
    at = table("nameless-journey", "join ana heroes hp=9", "join bo heroes hp=9", "join kex raiders hp=9")
    assert "a can be the kind attack, or ana" in refusal(at, "b a k -5")[1]


def test_where_no_attack_is_rolled_a_die_gets_a_hint() -> None:
    at = table("nameless-journey", "join bo heroes hp=9", "join kex raiders hp=9")
    assert "no attack is rolled in this game" in refusal(at, "b k 14 5")[1]


@pytest.mark.parametrize("key", RULESETS)
def test_names_that_look_like_commands_or_options_join_and_are_named_behind_a_colon(key: str) -> None:
    sheet = '{"hp":9}'
    at = table(
        key, *(f"join {name} foes {sheet}" for name in ("help", "quit", "-rf", "--plain", "round", "😀", "=1+1"))
    )
    assert [one.name for one in at.done.state.here()] == ["help", "quit", "-rf", "--plain", "round", "😀", "=1+1"]
    assert all(one.id.isascii() for one in at.done.state.here())
    for name in (":help", "quit", ":-rf", ":round", "😀"):
        assert told(at, f"{name} -1"), name


def test_behind_a_name_that_ends_with_a_number_a_die_follows_a_colon() -> None:
    at = table("plain", "join orc*2 foes hp=5 initiative=+1", "join bo party hp=9")
    rolled = [fact for fact in at.tell("b9 o1:14 orc-2:d20:7+3").facts if isinstance(fact, InitiativeRolled)]
    faces = [one.die if isinstance(one.die, int) else one.die.faces if one.die else None for one in rolled]
    assert [(one.combatant, face, one.bonus) for one, face in zip(rolled, faces, strict=True)] == [
        ("bo", 9, 0),
        ("orc-1", 14, 1),
        ("orc-2", (7,), 3),
    ]


def test_a_blow_that_hits_without_damage_is_a_hit(ford: Table) -> None:
    acted, rolled = ford.tell("b urk 14 hit").facts[-2:]
    assert isinstance(acted, ActionTaken)
    assert isinstance(rolled, AttackRolled)
    assert (rolled.die, rolled.hit) == (14, True)


@pytest.mark.parametrize(
    ("line", "change"),
    [("b at 12", -12), ("b drops to 3hp", -21), ("b drops by 3", -3), ("b up to 30", 6)],
)
def test_hit_points_are_told_as_what_is_left(ford: Table, line: str, change: int) -> None:
    (fact,) = ford.tell(line).facts
    assert isinstance(fact, DamageDealt if change < 0 else Healed)
    assert fact.amount == abs(change)


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("b is at 30 hp", "rule override b.hp=30 brand is at 30"),
        ("hp b = 30", "rule override b.hp=30 brand is at 30"),
        ("b is at 24", "check b.hp=24"),
        ("b at 24 hp", "check b.hp=24"),
        ("b drops to 24", "check b.hp=24"),
    ],
)
def test_hit_points_that_are_stated_are_no_healing(ford: Table, line: str, form: str) -> None:
    assert ford.tell(line).facts == ford.tell(form).facts


@pytest.mark.parametrize("line", ["b back up with 1 hp", "b up to 3", "b drops to 40", "b falls to 30 hp"])
def test_nobody_comes_up_to_fewer_points_or_drops_to_more(ford: Table, line: str) -> None:
    refusal(ford, line)


def test_points_that_are_lost_or_left_are_both_offered(ford: Table) -> None:
    with pytest.raises(NotUnderstood) as caught:
        ford.tell("b down 3")
    assert [each.facts for each in caught.value.meant] == [ford.tell(line).facts for line in ("b -3", "b -21")]


CONTESTS = ("b trips urk: 15 vs 9", "b grapples urk, 17 to 12", "b shoves urk, 15 vs 12")


@pytest.mark.parametrize("line", CONTESTS)
@pytest.mark.parametrize("key", ["plain", "definition-master"])
def test_what_two_roll_against_each_other_is_a_contest_and_no_blow(key: str, line: str) -> None:
    at = table(key, "join Brand party hp=24", "join Urk foes hp=30", "r")
    act, contest = (fact for fact in at.tell(line).facts if isinstance(fact, ActionTaken | ContestRolled))
    assert isinstance(act, ActionTaken)
    assert act.action.targets == ("urk",)
    assert isinstance(contest, ContestRolled)
    assert contest.cause == -1
    assert not any(isinstance(fact, AttackRolled | DamageDealt) for fact in at.tell(line).facts)


@pytest.mark.parametrize("line", CONTESTS)
def test_nobody_rolls_against_another_while_they_declare(line: str) -> None:
    refusal(table("osric", "join Brand party hp=24", "join Urk foes hp=30", "r"), line)


COUNTING = ("plain", "5e", "definition-master", "nameless-journey")
"""The rulesets with turns that count durations."""
THREE = ("join Ana party hp=20", "join Bo party hp=20", "join Ogre foes hp=30", "r", "i ana=15 bo=12 ogre=9", "t ana")


@pytest.mark.parametrize("key", COUNTING)
@pytest.mark.parametrize(
    ("line", "who", "turns"),
    [
        ("ogre is stunned until the end of its next turn", "ogre", [True, True, False]),
        ("ogre is stunned until the start of its next turn", "ogre", [True, False]),
        ("ogre is stunned until its next turn begins", "ogre", [True, False]),
        ("ogre stunned till ogre's next turn ends", "ogre", [True, True, False]),
        ("bo is stunned until the end of the ogre's next turn", "bo", [True, True, False]),
        ("ana and bo are stunned until the end of their next turn", "bo", [True, False]),
        ("ana and bo are stunned until the end of their next turn", "ana", [True, True, True, False]),
    ],
)
def test_what_lasts_until_somebodys_next_turn_ends_with_that_turn(
    key: str, line: str, who: str, turns: list[bool]
) -> None:
    fight, seen = table(key, *THREE, line), []
    for one in ("bo", "ogre", "ana", "bo")[: len(turns)]:
        fight.hear(f"t {one}")
        seen.append(who in {each.bearer for each in fight.done.state.conditions.values() if each.name == "stunned"})
    assert seen == turns


@pytest.mark.parametrize("key", [*COUNTING, "semiautomagic"])
@pytest.mark.parametrize(
    ("said", "turns"),
    [
        ("until the end of the turn", [False]),
        ("until end of turn", [False]),
        ("till the end of this turn", [False]),
        ("until the end of ana's turn", [False]),
        ("until ana's turn ends", [False]),
        ("until the end of bo's turn", [True, False]),
        ("until bo's turn", [False]),
        ("until his turn is over", [True, False]),
        ("until the start of ogre's turn", [True, False]),
        ("until the end of ana's next turn", [True, True, True, False]),
    ],
)
def test_what_lasts_until_a_turn_is_over_ends_with_the_one_that_runs(key: str, said: str, turns: list[bool]) -> None:
    for line in (f"bo is stunned {said}", f"bo is hexed {said}"):
        fight, seen = table(key, *THREE), []
        fight.hear(line)
        for one in ("bo", "ogre", "ana", "bo")[: len(turns)]:
            fight.hear(f"t {one}")
            seen.append(bool(fight.done.state.conditions))
        assert seen == turns


def test_each_of_several_has_a_next_turn_of_their_own() -> None:
    found = table("5e", *THREE).tell("bo and ogre are stunned until the end of their next turn")
    assert [line_of_fact(fact) for fact in found.facts] == [(("bo",), "bo", "end"), (("ogre",), "ogre", "end")]


def line_of_fact(fact: object) -> tuple[tuple[str, ...], str | None, str | None]:
    assert isinstance(fact, ConditionGained)
    assert fact.duration
    return fact.targets, fact.duration.of, fact.duration.at


@pytest.mark.parametrize("key", ["osric", "vile-darkness"])
def test_where_sides_act_a_next_turn_is_words(key: str) -> None:
    (fact,) = table(key, *THREE[:3], "r").tell("ogre is stunned until the end of its next turn").facts
    assert isinstance(fact, ConditionGained)
    assert (fact.duration, fact.detail) == (None, "until the end of its next turn")
