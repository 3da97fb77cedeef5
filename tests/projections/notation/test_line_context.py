"""What a line is told against: weapons, targets and declarations of before, and where the clock has to be."""

from projections.language.notation.line_context import is_named
from tests.projections.grammar import fight, refusal, table
from tests.projections.notation.filling import action, facts
from tests.projections.notation.line_context import heard, types

# ---------------------------------------------------------------- what was said before


def test_an_attack_is_with_the_weapon_of_the_sheet_else_the_last_used() -> None:
    at = table("osric", "join bo party hp=9 weapon=sword", "join ana party hp=9", "join ogre foes hp=20")
    heard(at, "b attack pike o 14 6", 'a attack "bow" o 14 6', "a attack o", "roll a o 3")
    assert action(at, "b o 4")["name"] == "sword"
    assert action(at, "a o 4")["name"] == "bow"
    heard(at, '{"type":"action_taken","combatant":"ana","action":{"kind":"attack"}}')
    assert action(at, "a o 4")["name"] == "bow"


def test_an_attack_is_with_what_is_wielded_else_the_first_of_the_sheet() -> None:
    axes = '"weapons":[{"name":"axe"},{"name":"bow"}]'
    at = table(
        "definition-master",
        f'join ana party {{"hp":9,{axes}}}',
        f'join bo party {{"hp":9,{axes},"wielding":{{"primary":"bow"}}}}',
        "join ogre foes hp=20",
    )
    assert [action(at, f"{who} attack o")["name"] for who in ("ana", "bo")] == ["axe", "bow"]


def test_a_target_is_that_of_before_while_it_is_there_else_the_only_foe() -> None:
    at = fight()
    heard(at, "b o 14 6")
    assert action(at, "b 14 6")["targets"] == ["ogre"]
    heard(at, "roll b g 9")
    assert action(at, "b 14 6")["targets"] == ["goblin"]
    heard(at, "roll b o 9", "act b attack sword g", "g -1", "b holds until it rains")
    assert action(at, "b 14 6")["targets"] == ["goblin"]
    heard(at, "act b attack sword", "g leaves")
    assert action(at, "b 14 6")["targets"] == ["ogre"]
    assert "nobody says whom ogre attacks" in refusal(at, "o 14 6")[1]


def test_a_target_of_before_whose_joining_is_struck_is_none() -> None:
    at = heard(fight("plain"), "g leaves", "join zark foes hp=3")
    joined = len(at.records)
    heard(at, "b attack z", f"strike {joined}")
    assert action(at, "b 14 6")["targets"] == ["ogre"]
    assert action(at, "b hits for 3")["targets"] == ["ogre"]


def test_a_blow_at_whom_its_doer_just_attacked_is_the_roll_of_that() -> None:
    at = heard(fight("plain"), "b=14", "o=9", "g=3", "t b", "b attacks o")
    act = len(at.records)
    rolled, hurt = at.tell("b hits o 14 6").facts
    assert (getattr(rolled, "cause", 0), getattr(hurt, "cause", 0)) == (act, -1)
    for other in ("b g 14 6", "b o 14 6 time=3", "b attack club o 14 6"):
        assert type(at.tell(other).facts[0]).__name__ == "ActionTaken", other
    for line in ("b hits o 14 6", "u", "o -3"):
        heard(at, line)
    assert type(at.tell("b hits o 14 6").facts[0]).__name__ == "ActionTaken"
    heard(at, "b attacks o", "t o", "t b")
    assert type(at.tell("b hits o 14 6").facts[0]).__name__ == "ActionTaken"


def test_a_declaration_stands_until_done_given_up_or_the_round_is_over() -> None:
    at = heard(fight(), "r")
    for over in ("m cast web", "m drops web", "e", "r"):
        heard(at, "d m cast web 3 o")
        assert action(at, "m")["name"] == "web"
        heard(at, over)
        assert "mira has declared nothing" in refusal(at, "m")[1]


def test_what_somebody_began_goes_off_once() -> None:
    at = heard(fight("plain"), "m cast web o", "b cast sleep g", "effect light", "x m")
    assert "mira has begun nothing" in refusal(at, "x m")[1]
    assert facts(at, "x b")[0]["effect"] == "sleep"
    heard(at, "b attack o")
    assert facts(at, "x b")[0]["effect"] == "sleep"


def test_a_name_stands_for_what_it_is_on_the_sheet_or_was_in_a_declaration() -> None:
    entries = '"entries":[{"name":"Fire Bolt","kind":"attack"},{"name":"shield","kind":"ward"},{"name":"light"}]'
    at = table("semiautomagic", f'join ana party {{"hp":9,{entries}}}', "join bo party hp=9", "join ogre foes hp=20")
    assert action(at, "d a fire_bolt o")["kind"] == "attack"
    assert action(at, "d a shield")["kind"] == "cast"
    assert action(at, "d a light")["kind"] == "cast"
    assert "no kind of action" in refusal(at, "d b light")[1]
    heard(at, "d b talk")
    assert "no kind of action" in refusal(at, "act b light")[1]
    heard(at, "d b cast light 3")
    assert action(at, "b cast LIGHT")["kind"] == "cast"


def test_a_name_is_known_from_any_sheet_or_any_action_so_far() -> None:
    at = table("semiautomagic", 'join ana party {"hp":9,"entries":[{"name":"Light"}]}', "join bo foes hp=9")
    assert is_named(at.context, "light")
    assert not is_named(at.context, "pike")
    heard(at, 'act b attack "Pike" a')
    assert is_named(at.context, "pike")


def test_a_side_has_no_sheet_that_says_what_a_name_is() -> None:
    assert "nothing says what kind of action web is" in refusal(fight(), 'd party "web"')[1]


# ---------------------------------------------------------------- the clock


def test_whoever_has_the_turn_alone_or_with_others_begins_no_other() -> None:
    at = table("plain", "join ana heroes hp=9", "join bo heroes hp=9", "ana14 bo14", "t b with a")
    for who in ("a", "b"):
        assert types(at, f"{who} talk") == ["action_taken"]
    alone = table("plain", "join ana heroes hp=9", "ana14", "t a")
    assert types(alone, "a talk") == ["action_taken"]


def test_who_is_down_is_not_next_and_the_line_of_the_next_begins_a_turn() -> None:
    at = heard(fight("plain"), "b14 o9 m3", "r", "b attack o", "o -20")
    assert facts(at, "t") == [{"type": "turn_started", "combatant": "mira"}]
    assert types(at, "m attack o") == ["turn_started", "action_taken"]
    heard(at, "m attack o", "b -14")
    assert types(at, "t") == ["round_started", "turn_started"]
    heard(at, "m -9")
    assert "nothing says whose turn is next" in refusal(at, "t")[1]
    assert facts(at, "t b") == [{"type": "turn_started", "combatant": "brand"}]


def test_the_first_of_the_order_who_is_up_begins_the_next_round() -> None:
    for ruleset in ("nameless-journey", "semiautomagic"):
        at = heard(fight(ruleset), "i b14 o9 m3 g2", "t", "t", "t", "t", "b -20")
        assert facts(at, "t") == [{"type": "turn_started", "combatant": "ogre"}]
    at = heard(table("definition-master", "join ana x hp=9", "join bo y hp=9"), "i a14", "i b9", "t", "t", "a -9")
    assert facts(at, "t") == [{"type": "turn_started", "combatant": "ana"}], "the dying have turns"
    heard(at, "rule override a.status=dead so")
    assert facts(at, "t") == [{"type": "turn_started", "combatant": "bo"}]


def test_the_round_that_is_open_is_closed_before_the_next() -> None:
    at = fight()
    assert types(at, "r") == ["round_started"]
    heard(at, "r")
    assert types(at, "r") == ["round_ended", "round_started"]


def test_undo_takes_back_the_last_line_that_still_stands() -> None:
    at = fight("plain")
    first = len(at.records)
    heard(at, "b -1", "b attack o", f"strike {first + 2} wrong")
    assert facts(at, "u") == [{"type": "struck", "event": first + 1}]
    heard(at, "u")
    assert facts(at, 'undo "wrong one"') == [{"type": "struck", "event": first, "reason": "wrong one"}]
