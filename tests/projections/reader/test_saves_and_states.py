"""Saves, checks and states in many wordings: each line means what lines of the notation say."""

from typing import Any

import pytest
from msgspec import to_builtins

from projections.grammar.table import Table
from projections.reader.decision import decide
from tests.projections.grammar.test_line_context import heard
from tests.projections.test_grammar import table

PEOPLE = ("join ana party hp=30", "join bo party hp=30", "join gob foes hp=30", "join imp*2 foes hp=9")


def fight(key: str, *lines: str) -> Table:
    return heard(table(key, *PEOPLE), "r", "i ana=15 bo=12 gob=9 imp-1=8 imp-2=7", "t ana", *lines)


def meant(at: Table, line: str) -> list[dict[str, Any]]:
    """Return the facts that the reader alone is sure of, without the clock and their causes; nothing if it is not sure."""
    meaning = decide(at.context, line).meaning
    facts = [to_builtins(fact) for fact in meaning.facts[meaning.moved :]] if meaning else []
    return [{key: value for key, value in fact.items() if key != "cause"} for fact in facts]


def told(at: Table, form: str) -> list[dict[str, Any]]:
    facts = [to_builtins(fact) for fact in at.tell(form).facts]
    return [{key: value for key, value in fact.items() if key != "cause"} for fact in facts]


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("bo death save 13, success, 1 of 3", "save bo purpose=death 13 succeeded=yes"),
        ("second death save bo 5, failed, that's 1 success 1 failure", "save bo purpose=death 5 succeeded=no"),
        ("death save for bo: 8, fail", "save bo purpose=death 8 succeeded=no"),
        ("bo death save 12 (1/3 successes)", "save bo purpose=death 12 succeeded=yes"),
        (
            "oh we forgot bo's death save he got a twelve so that's one success",
            "save bo purpose=death 12 succeeded=yes",
        ),
    ],
)
def test_death_saves_that_are_counted_are_told_by_the_last_roll(line: str, form: str) -> None:
    at = fight("5e")
    assert meant(at, line) == told(at, form)


@pytest.mark.parametrize(
    ("line", "purpose", "succeeded"),
    [
        ("bo courage check: 9, fails", "courage", False),
        ("nerve test for bo 14 passes", "nerve", True),
        ("bo system shock check 12, makes it", "system shock", True),
        ("bo strength check 12 vs DC 15, fails", "strength", False),
        ("bo morale 9, breaks", "morale", False),
        ("bo stealth 8, not hidden", "stealth", False),
        ("bo runs 25 ft to gob, medicine check 8, not stable", "medicine", False),
    ],
)
def test_a_check_is_of_whatever_word_names_it(line: str, purpose: str, succeeded: bool) -> None:
    *_, check = meant(fight("5e"), line)
    assert (check["type"], check["combatant"]) == ("dice_rolled", "bo")
    assert (check["purpose"], check["succeeded"]) == (purpose, succeeded)


def test_what_follows_from_a_check_befalls_whoever_made_it() -> None:
    _, gained = meant(fight("plain"), "bo courage check 12 vs 15 fails, shaken")
    assert (gained["condition"], gained["targets"]) == ("shaken", ("bo",))


def test_several_make_a_check_each_with_a_roll() -> None:
    found = meant(fight("plain"), "fear test: ana 4 fail, bo 15 ok")
    assert [(each["combatant"], each["die"], each["succeeded"]) for each in found] == [
        ("ana", 4, False),
        ("bo", 15, True),
    ]


def test_a_state_behind_a_failed_save_is_no_second_save() -> None:
    save, gained = meant(fight("osric"), "bo save vs spells 9 fails, held")
    assert (save["succeeded"], gained["condition"]) == (False, "held")


def test_of_whoever_is_excepted_the_contrary_is_told() -> None:
    found = meant(fight("plain"), "ana, bo and gob save except bo")
    assert [(each["combatant"], each["succeeded"]) for each in found] == [("ana", True), ("gob", True), ("bo", False)]


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("the poison on bo wears off", "bo not poisoned"),
        ("bo's poison is gone", "bo not poisoned"),
        ("bo recovers from the poison", "bo not poisoned"),
        ("bo snaps out of it", "bo not poisoned"),
        ("bo shakes it off, not poisoned anymore", "bo not poisoned"),
        ("imp 1's fear passes", "imp-1 not frightened"),
        ("imp 1 overcomes its fear", "imp-1 not frightened"),
        ("fear leaves imp 1", "imp-1 not frightened"),
        ("gob comes out of hiding", "gob not hidden"),
        ("gob leaves hiding", "gob not hidden"),
    ],
)
def test_a_state_ends_in_any_words(line: str, form: str) -> None:
    at = fight("plain", "bo is poisoned", "imp-1 is frightened", "gob is hidden", "t imp-1")
    assert meant(at, line) == told(at, form)


@pytest.mark.parametrize(
    "line",
    [
        "bo snaps out of it",
        "the poison on bo wears off",
        "bo recovers",
        "bo shakes off the blow",
        "bo is over it",
        "bo is overcome by fear",
    ],
)
def test_nobody_recovers_for_certain_from_what_they_have_not(line: str) -> None:
    assert meant(fight("plain"), line) == []


def test_who_comes_out_of_hiding_and_strikes_does_both() -> None:
    lost, act, roll, damage = meant(
        fight("plain", "bo is hidden"), "bo comes out of hiding & stabs gob. 19, 8 piercing"
    )
    assert (lost["condition"], act["combatant"], roll["die"], damage["amount"]) == ("hidden", "bo", 19, 8)


def test_a_state_that_somebody_still_has_is_not_told_again() -> None:
    at = fight("5e", "bo -30", "bo is prone")
    assert [each["type"] for each in meant(at, "ana heals bo for 7, awake, still prone")] == ["healed"]
    assert [each["type"] for each in meant(at, "bo remains prone")] == ["noted"]


def test_a_state_behind_an_arrow_comes_of_what_stands_before_it() -> None:
    placed, gained = meant(fight("plain"), "ana ducks behind the crates → hidden")
    assert (placed["words"], gained["condition"], gained["targets"]) == ("behind the crates", "hidden", ("ana",))


def test_those_at_whom_a_spell_is_roll_one_save_each() -> None:
    _, one, other, *_ = meant(fight("5e"), "ana fireball on the imps, dex saves 9 and 17 vs dc 15")
    assert (one["combatant"], one["total"], one["succeeded"]) == ("imp-1", 9, False)
    assert (other["combatant"], other["total"], other["succeeded"]) == ("imp-2", 17, True)


def test_saves_go_on_behind_what_came_of_the_one_before() -> None:
    found = meant(fight("5e"), "ana casts web. Dex DC 13, imp 1 got 7, restrained. imp 2 got 14, ok")
    told = [(each["combatant"], each["total"], each["succeeded"]) for each in found if each["type"] == "save_rolled"]
    assert told == [("imp-1", 7, False), ("imp-2", 14, True)]


def test_a_spell_is_of_whoever_stands_behind_by_alone() -> None:
    act, save, damage = meant(fight("5e"), "Burning Hands by ana, gob save 8, fail, 14 fire")
    assert (act["combatant"], save["combatant"], damage["target"]) == ("ana", "gob", "gob")


def test_points_right_behind_a_name_are_not_for_certain_what_a_spell_costs() -> None:
    assert meant(fight("5e"), "ana casts sleep, imp 1 9 hp, out") == []


@pytest.mark.parametrize(
    ("line", "number", "succeeded"),
    [
        ("Cy turning, d20 is 11, works", 11, True),
        ("Cy turns undead, rolls 8, no effect", 8, False),
    ],
)
def test_who_turns_undead_rolls_for_it(line: str, number: int, succeeded: bool) -> None:
    act, roll = meant(fight("osric", "join cy party hp=9"), line)
    assert (act["combatant"], act["action"]["name"]) == ("cy", "turn undead")
    assert (roll["combatant"], roll["die"], roll["succeeded"]) == ("cy", number, succeeded)


def test_a_roll_for_a_save_is_no_save_that_is_made() -> None:
    save, damage = meant(fight("5e"), "bo rolled an 8 for the dex save and takes 20 cold")
    assert ("succeeded" in save, damage["amount"]) == (False, 20)


@pytest.mark.parametrize(
    ("line", "condition"), [("bo hasted", "hasted"), ("bo cursed by gob", "cursed"), ("bo is hexed", "hexed")]
)
def test_who_is_in_a_state_by_a_spell_casts_none(line: str, condition: str) -> None:
    (gained,) = meant(fight("5e"), line)
    assert (gained["type"], gained["condition"], gained["targets"]) == ("condition_gained", condition, ("bo",))


def test_a_spell_that_lasts_no_time_is_cast_by_whoever_is_on_turn() -> None:
    act, one, other, *_ = meant(fight("5e"), "fireball on the imps: imp 1 fails, imp 2 saves")
    assert (act["combatant"], act["action"]["name"]) == ("ana", "fireball")
    assert (one["succeeded"], other["succeeded"]) == (False, True)


def test_both_of_those_at_whom_a_spell_is_fail() -> None:
    found = meant(fight("5e"), "ana throws a fireball at the imps. Both fail. 28 fire each.")
    assert [each.get("succeeded") for each in found if each["type"] == "save_rolled"] == [False, False]
    assert [each["amount"] for each in found if each["type"] == "damage_dealt"] == [28, 28]


def test_who_is_at_0_against_what_the_log_says_is_checked() -> None:
    *_, checked, gained = meant(fight("5e"), "gob claws bo, 18 hit, 7 slashing. at 0, unconscious, prone")
    assert (checked["values"], gained["condition"]) == ({"bo.hp": 0}, "prone")


def test_who_strikes_and_loses_a_state_is_the_one_who_has_it() -> None:
    *_, lost = meant(fight("5e", "ana is invisible"), "ana attacks gob, loses invisibility")
    assert (lost["condition"], lost["targets"]) == ("invisible", ("ana",))


@pytest.mark.parametrize(
    "line", ["bo is conquered", "bo recovers his arrow", "bo gets over the wall", "bo climb check 12, falls"]
)
def test_what_may_be_no_state_is_not_told_as_one(line: str) -> None:
    assert meant(fight("plain", "bo is poisoned"), line) == []


def test_each_state_that_somebody_still_has_is_not_told_again() -> None:
    at = fight("plain", "bo is poisoned", "bo is blinded")
    assert [each["type"] for each in meant(at, "bo still blind and poisoned")] == ["noted"]


def test_whoever_was_frightened_makes_the_check() -> None:
    *_, check = meant(fight("plain"), "gob scares bo, nerve check 12 fails")
    assert (check["combatant"], check["succeeded"]) == ("bo", False)


@pytest.mark.parametrize(
    "line",
    [
        "DC 15 Dex saves: ana makes it with a 20, bo failed with an 11",
        "Dex saves DC 15, ana 20 makes it, bo fails on an 11",
    ],
)
def test_what_several_are_to_reach_is_told_once(line: str) -> None:
    found = meant(fight("5e"), line)
    assert [(each["combatant"], each["total"], each["dc"], each["succeeded"]) for each in found] == [
        ("ana", 20, 15, True),
        ("bo", 11, 15, False),
    ]


def test_a_save_that_is_asked_for_and_not_told_is_not_lost() -> None:
    assert meant(fight("5e"), "DC 15 dex save, ana hits gob for 5") == []


@pytest.mark.parametrize("behind", [", both save", ". They all save."])
def test_those_at_whom_a_spell_was_cast_save_by_a_verb_alone(behind: str) -> None:
    _, *saves = meant(fight("5e"), f"ana casts fireball on imps 1 and 2{behind}")
    assert [(each["combatant"], each["succeeded"]) for each in saves] == [("imp-1", True), ("imp-2", True)]


@pytest.mark.parametrize(
    ("line", "went", "amounts"),
    [
        ("ana casts fireball on imps 1 and 2, both fail for 20", [False, False], [20, 20]),
        ("ana casts fireball on imps 1 and 2, imp 1 fails for 20, imp 2 saves for 10", [False, True], [20, 10]),
        (
            "ana casts fireball on imps 1 and 2, they must make a DC 15 dex save, both fail for 20",
            [False, False],
            [20, 20],
        ),
    ],
)
def test_what_stands_behind_for_is_what_a_save_costs_and_no_roll(
    line: str, went: list[bool], amounts: list[int]
) -> None:
    facts = meant(fight("5e"), line)
    saves = [each for each in facts if each["type"] == "save_rolled"]
    assert [each["succeeded"] for each in saves] == went
    assert all("die" not in each and "total" not in each for each in saves)
    assert [each["amount"] for each in facts if each["type"] == "damage_dealt"] == amounts


@pytest.mark.parametrize(
    "line",
    [
        "gob must make a DC 13 dex save",
        "gob makes a DC 13 dex save",
        "gob needs to make a dex save",
        "imps must make a dex save",
    ],
)
def test_a_save_that_is_asked_for_is_none_that_was_made(line: str) -> None:
    assert meant(fight("5e"), line) == []


@pytest.mark.parametrize("asks", ["she must make a DC 13 strength save", "and she needs to make a DC 13 strength save"])
def test_what_a_blow_asks_for_is_a_save_that_it_allows(asks: str) -> None:
    act, *rest = meant(fight("5e"), f"gob bites ana 16 hits 8, {asks}")
    assert act["action"]["allows_save"] == {"save": "str", "dc": 13}
    assert [each["type"] for each in rest] == ["attack_rolled", "damage_dealt"]


def test_a_save_that_is_made_with_a_roll_succeeds_by_its_difficulty() -> None:
    (save,) = meant(fight("5e"), "ana makes a DC 13 strength save with a 15")
    assert (save["total"], save["dc"], save["succeeded"]) == (15, 13, True)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("ana hits gob for 4, he rolls 12 on the con save", "ana hits gob for 4, gob con save 12"),
        (
            "ana hits gob for 4 and gob rolls a 12 on his con save, passing",
            "ana hits gob for 4, gob makes his con save, 12",
        ),
        (
            "ana casts bane on gob, he gets an 8 on the cha save and fails",
            "ana casts bane on gob, gob fails the cha save, 8",
        ),
    ],
)
def test_whoever_rolls_on_a_save_behind_a_deed_begins_a_clause(line: str, plain: str) -> None:
    assert meant(fight("5e"), line) == meant(fight("5e"), plain)


@pytest.mark.parametrize("behind", ["that's 11 damage", "that is 11 damage, ouch", "11 damage"])
def test_whoever_rolls_on_somebody_strikes_at_them(behind: str) -> None:
    assert meant(fight("5e"), f"gob rolls a nat 20 on ana, {behind}") == meant(
        fight("5e"), "gob hits ana, 20, 11 damage"
    )


def test_two_rolls_on_the_save_say_nothing_of_its_outcome() -> None:
    at = fight("5e", "join orc foes hp=15")
    told = [
        each
        for each in meant(at, "ana casts fireball on gob and orc, they roll 8 and 15 on the dex save")
        if "save" in each
    ]
    assert [(each["combatant"], each["die"], "succeeded" in each) for each in told] == [
        ("gob", 8, False),
        ("orc", 15, False),
    ]


@pytest.mark.parametrize("word", ["morale", "ML"])
@pytest.mark.parametrize(
    ("behind", "succeeded"),
    [
        ("55%, rolled 41", True),
        ("55%, rolled 41, they stand", True),
        ("55%, rolled 71, they break", False),
        ("55%, rolled 71", False),
        ("roll 41, they hold", True),
        ("55%, rolled 71, they stand", None),
    ],
)
def test_morale_is_rolled_under_its_percentage(word: str, behind: str, succeeded: bool | None) -> None:
    at = table("osric", "join Ana party hp=20", "join orc*3 foes hp=5", "r")
    (fact,) = [to_builtins(each) for each in at.tell(f"orcs {word} {behind}").facts]
    assert (fact["type"], fact["purpose"], fact.get("succeeded")) == ("dice_rolled", "morale", succeeded)
