"""What a line leaves out: completed from what was declared, what a sheet says and what was done before, or asked for."""

from typing import Any

import pytest

from projections.language.notation.filling import MOST_COPIES
from projections.language.notation.table import Table
from tests.projections.grammar import fight, refusal, table
from tests.projections.notation.filling import action, facts


@pytest.fixture
def ford() -> Table:
    at = fight()
    at.hear("r")
    return at


# ---------------------------------------------------------------- blows


def test_a_blow_is_what_was_declared_at_whomever_it_is(ford: Table) -> None:
    ford.hear("d b attack pike o")
    assert action(ford, "b g 14 6") == {"kind": "attack", "name": "pike", "targets": ["goblin"]}


def test_a_blow_with_another_kind_or_weapon_is_not_the_declared_one(ford: Table) -> None:
    ford.hear("d b attack pike o")
    assert action(ford, "b attack g 14 6")["name"] == "sword"
    ford.hear("d b cast web 3 o")
    assert action(ford, "b sword o 14 6") == {"kind": "attack", "name": "sword", "targets": ["ogre"]}


def test_a_blow_of_another_kind_than_an_attack_names_no_weapon(ford: Table) -> None:
    assert action(ford, "b charge o 14 6") == {"kind": "charge", "targets": ["ogre"]}


@pytest.mark.parametrize("option", ["", " cost=interrupt"])
def test_a_blow_is_none_of_what_was_declared_and_is_not_rolled(option: str) -> None:
    at = table("osric", "join pike party hp=9 weapon=spear", "join o foes hp=9", "d pike set-spear", "d o charge pike")
    done = action(at, f"pike o 16 7{option}")
    assert (done["kind"], done["name"], done.get("cost")) == ("attack", "spear", option[6:] or None)


def test_one_roll_is_against_one_target(ford: Table) -> None:
    assert refusal(ford, "b o,g 14 6")[1] == "one roll is against one target; write a line for each target"


def test_dice_of_an_amount_are_called_by_the_weapon_or_else_by_the_kind() -> None:
    at = table("osric", "join bo party hp=9", "join ogre foes hp=20")
    assert facts(at, "b o 14 d8:5")[-1]["parts"][0]["name"] == "attack"
    assert facts(at, "b attack sword o 14 d8:5+1")[-1]["parts"] == [
        {"name": "sword", "dice": {"notation": "d8", "faces": [5]}},
        {"name": "bonus", "amount": 1},
    ]


# ---------------------------------------------------------------- acts


def test_an_act_is_what_was_declared_where_it_does_not_say_otherwise(ford: Table) -> None:
    ford.hear("d m cast web 3 o")
    whole = {"kind": "cast", "name": "web", "time": 3, "targets": ["ogre"]}
    assert action(ford, "m") == whole
    assert action(ford, "m web") == whole
    assert action(ford, "m web g") == whole | {"targets": ["goblin"]}
    assert action(ford, "m dagger") == {"kind": "attack", "name": "dagger"}
    assert action(ford, "m cast web") == {"kind": "cast", "name": "web"}


def test_without_a_declaration_somebody_has_to_say_what_they_do(ford: Table) -> None:
    assert refusal(ford, "b")[1] == "brand has declared nothing; such as: brand attack, or brand cast sleep"
    assert refusal(ford, 'm "dark spell"')[1].startswith("nothing says what kind of action dark spell is; ")


def test_a_name_with_a_time_is_a_spell_and_no_name_at_all_an_attack(ford: Table) -> None:
    assert action(ford, "d m web 3 o")["kind"] == "cast"
    assert action(ford, "d b o") == {"kind": "attack", "name": "sword", "targets": ["ogre"]}


def test_a_side_declares_without_a_weapon_and_its_members_act_so(ford: Table) -> None:
    assert facts(ford, "d party attack o") == [
        {"type": "action_declared", "side": "party", "action": {"kind": "attack", "targets": ["ogre"]}}
    ]
    ford.hear("d party attack o")
    assert action(ford, "b") == {"kind": "attack", "name": "sword", "targets": ["ogre"]}


def test_an_outcome_befalls_those_whom_the_act_names(ford: Table) -> None:
    assert refusal(ford, "b cast web -5")[1] == "nobody is named whom this befalls; such as: brand orc-1 -5"
    ford.hear("d m cast web 3 o")
    assert [fact.get("target") for fact in facts(ford, "m web -5")[-2:]] == [None, "ogre"]


# ---------------------------------------------------------------- options


@pytest.mark.parametrize(("line", "field", "value", "other"), [
    ("b attack o", "name", "club", "pike"), ("m", "time", 4, 5), ("m", "name", "light", "sleep"), ("r", "round", 3, 4), ("e", "round", 3, 4),
    ("x m", "effect", "light", "sleep"), ("x m", "segment", 7, 8),
])  # fmt: skip
def test_what_goes_without_saying_an_option_may_say_otherwise_once(
    ford: Table, line: str, field: str, value: Any, other: Any
) -> None:
    for before in ("d m cast web 3 o", "p5 f3"):
        ford.hear(before)
    said = f"{line} {field}={value}"
    made = facts(ford, said)[-1]
    assert (made | made.get("action", {}))[field] == value
    why = f"{field} has a value already; leave out one of the two"
    assert refusal(ford, f"{said} {field}={other}") == (len(said) + 2, why)


@pytest.mark.parametrize(("line", "field"), [
    ("m web name=light", "name"), ("b attack sword o name=club", "name"), ("x m g targets=o", "targets"), ("e 1 round=2", "round"),
    ("m targets=g", "targets"), ("m kind=talk", "kind"), ("x m targets=g", "targets"),
])  # fmt: skip
def test_what_the_line_says_or_follows_from_no_option_says_otherwise(ford: Table, line: str, field: str) -> None:
    for before in ("d m cast web 3 o", "p5 f3"):
        ford.hear(before)
    assert refusal(ford, line)[1] == f"{field} has a value already; leave out one of the two"


def test_an_option_may_name_the_foe_who_goes_without_saying(ford: Table) -> None:
    ford.hear("leave g")
    assert action(ford, "b 14 6 targets=o")["targets"] == ["ogre"]


# ---------------------------------------------------------------- spells


def test_what_goes_off_is_what_its_caster_began_last_or_declared(ford: Table) -> None:
    assert refusal(ford, "x m")[1] == "mira has begun nothing; such as: effect sleep by mira"
    for line in ("d b cast sleep 1 g", "d m cast web 3 o", "d g cast light", "p5 f3", "b", "m"):
        ford.hear(line)
    begun = len(ford.records)
    effect = {"type": "effect_started", "effect": "web", "source": "mira", "targets": ["ogre"], "cause": begun}
    assert facts(ford, "x m") == [{"type": "segment_reached", "segment": 6}, effect]
    assert facts(ford, "x m g")[1] == effect | {"targets": ["goblin"]}
    assert facts(ford, "x b")[0] == {"type": "segment_reached", "segment": 4}
    assert facts(ford, "x m -4")[2] == {"type": "damage_dealt", "target": "ogre", "amount": 4, "cause": -1}
    assert facts(ford, "x g")[1]["effect"] == "light"
    ford.hear("act m attack dagger o")
    assert facts(ford, "x m")[0]["segment"] == 6


def test_a_move_takes_no_effect_and_what_is_due_first_goes_off_first() -> None:
    at = fight("semiautomagic")
    for line in ("b14 o9 m3 g2", "b", "b move"):
        at.hear(line)
    assert refusal(at, "x b -5")[1] == "brand has begun nothing; such as: effect sleep by brand"
    at.hear("b cast bolt o delay=2")
    begun = {"source": "brand", "targets": ["ogre"], "cause": len(at.records)}
    for line in ("b move", "b other potion time=2"):
        at.hear(line)
    assert facts(at, "x b") == [{"type": "effect_started", "effect": "bolt", **begun}]


def test_what_has_no_name_goes_off_by_its_kind_and_without_a_time() -> None:
    at = fight("plain")
    at.hear("m cast")
    begun = {"source": "mira", "cause": len(at.records)}
    assert facts(at, "x m") == [{"type": "effect_started", "effect": "cast", **begun}]
    assert refusal(at, "x m -3") == (1, "target: is missing; such as: x m -4")


# ---------------------------------------------------------------- who joins


def joined(at: Table, line: str) -> list[tuple[str, str | None, str | None]]:
    return [(fact["combatant"], fact.get("name"), fact.get("side")) for fact in facts(at, line)]


def test_somebody_joins_by_an_id_or_by_a_name_that_gives_one(ford: Table) -> None:
    assert joined(ford, "join bo foes hp=3") == [("bo", None, "foes")]
    assert joined(ford, "join Sir_Bo foes hp=3") == [("sir-bo", "Sir Bo", "foes")]
    assert "another one needs another name, such as Brand-2" in refusal(ford, "join Brand foes hp=3")[1]
    assert joined(ford, "join bo Die_Schläger hp=3") == [("bo", None, "die-schlager")]


def test_a_side_that_is_known_keeps_its_id_however_long_it_is() -> None:
    long = "a" * 60
    at = table("osric", f'{{"type":"combatant_joined","combatant":"bo","side":"{long}","sheet":{{"hp":3}}}}')
    assert joined(at, f"join kex {long} hp=3") == [("kex", None, long)]
    assert joined(at, f"join kex {long}a hp=3") == [("kex", None, "a" * 56)]


def test_several_of_a_kind_get_numbers_that_nobody_has(ford: Table) -> None:
    assert joined(ford, "join orc*2 foes hp=3") == [("orc-1", None, "foes"), ("orc-2", None, "foes")]
    assert joined(ford, "join Orc*1 foes hp=3") == [("orc-1", "Orc 1", "foes")]
    assert joined(ford, 'join "Orc *1" foes hp=3') == [("orc-1", "Orc 1", "foes")]
    ford.hear("join orc-1 foes hp=3")
    assert joined(ford, "join orc*2 foes hp=3") == [("orc-2", None, "foes"), ("orc-3", None, "foes")]


def test_at_most_so_many_join_by_one_line(ford: Table) -> None:
    assert len(joined(ford, f"join orc*{MOST_COPIES} foes hp=3")) == MOST_COPIES
    for many in (0, MOST_COPIES + 1, 1000, "9" * 30, -3, "2.5", "+0"):
        assert refusal(ford, f"join orc*{many} foes hp=3")[1] == f"{many} of a kind cannot join at once; 1 to 100"


# ---------------------------------------------------------------- rolls


def test_initiative_has_the_bonus_of_the_sheet_unless_the_line_gives_one() -> None:
    at = table("plain", "join bo party hp=9 initiative=+2", "join kex foes hp=9 initiative=+0")
    assert [fact.get("bonus") for fact in facts(at, "b9 k8")] == [2, 0]
    assert [fact.get("bonus") for fact in facts(at, "b9+5 k8-1")] == [5, -1]


@pytest.mark.parametrize("key", ["plain", "osric", "definition-master", "vile-darkness"])
def test_non_lethal_damage_is_said_to_count_where_the_game_has_none(key: str) -> None:
    has = key in ("plain", "definition-master")
    assert ("no non-lethal damage" in fight(key).tell("o -6n").advice) is not has
    assert not fight(key).tell("o -6").advice
