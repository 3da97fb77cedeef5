"""What lines of people mean, by the forms of the notation that mean the same; and what is asked about."""

from typing import Any

import pytest

from eventstore.events import AttackRolled, DamageDealt
from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from tests.projections.grammar.test_line_context import heard
from tests.projections.grammar.test_phrases import said
from tests.projections.test_grammar import fight, table


def order(key: str, *lines: str) -> Table:
    """Return a fight of turns, in brand's turn."""
    return heard(fight(key), "r", "b=14", "o=9", "m=3", "g=2", "t b", *lines)


def told(at: Table, line: str) -> list[dict[str, Any]]:
    """Return the facts of a line without the causes and the clock, which a form of its own gives otherwise."""
    facts = [each | {"cause": 0, "name": ""} for each in said(at, line)]
    return [each for each in facts if not each["type"].startswith(("turn_", "segment_"))]


@pytest.mark.parametrize(
    ("line", "forms"),
    [
        ("the ogre provokes an attack of opportunity from brand: 14, hits for 3", ["b attack sword o 14 3 cost=opportunity"]),
        ("ogre attacks mira with a 9 and fails", ["o attack m 9 miss"]),
        ("brand's axe whistles past the ogre on an 8", ["b attack axe o 8 miss"]),
        ("the ogre is prone; dur 3 rnds", ["o is prone for 3r"]),
        ("mira back 20 ft", ["m goes 20ft"]),
        ("brand's axe finds the ogre for nine", ["b attack axe o hit -9"]),
        ("mira climbs back to her feet", ["m not prone"]),
        ("brand and mira both stab at the ogre: 14 hit 3, 9 miss", ["b attack o 14 3", "m attack o 9 miss"]),
        ("brand strikes the ogre, 19 hit, 8 slashing; smite: +11 radiant",
         ["b attack o 19 8 parts=slashing//slashing:8", "o -11 parts=radiant//radiant:11"]),
        ("brand > ogre: 20, hit, 9 slashing /2 (rage) = 4", ["b attack o 20 4 parts=slashing//slashing:4"]),
        ("brand > ogre: axe 1/2: 17 vs ac 18 -> miss", ["b attack axe o 17 ac=18 hit=no name=axe"]),
        ("brand zaps ogre and goblin 4 ea", ["b attack o hit -4", "b attack g hit -4"]),
        ("brand strikes at the ogre, rolls a 17, it is a hit for 8 of cold", ["b attack o 17 hit -8 parts=cold//cold:8"]),
        ("mira makes her dex save with 15, so she does not slip", ["save m dex 15 succeeded=yes"]),
        ("mira rolls a 14 on her death saving throw, so she passes", ["save m purpose=death 14 succeeded=yes"]),
        ("the ogre was knocked over and fell prone", ["o is prone"]),
        ("b>o 19h 8s, 13x", ["b attack o 19 8 parts=slashing//slashing:8", "b attack o 13 miss"]),
        ("b con 9f dc10", ["save b con total=9 dc=10 succeeded=no"]),
        ("the goblin fell over and died", ["g is prone", "rule override g.status=dead goblin is dead"]),
        ("b 9f o 16s g 4f", ["save b 9 succeeded=no", "save o 16 succeeded=yes", "save g 4 succeeded=no"]),
        ("dc 13 b fails o fails g saves", ["save b dc=13 succeeded=no", "save o dc=13 succeeded=no", "save g dc=13 succeeded=yes"]),
        ("mira says she hits the ogre for 5", ["m attack o hit -5"]),
        ("mira is paralyzed 1m", ["m is paralyzed for 1min"]),
        ("mira: +Restrained", ["m is Restrained"]),
    ],
)  # fmt: skip
def test_a_line_means_what_its_forms_say(line: str, forms: list[str]) -> None:
    at = order("plain")
    assert told(at, line) == [fact for form in forms for fact in told(at, form)]


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("PARTY -> ULA THE RED HP 9 AC 4", 'join "ULA THE RED" party {"hp":9,"ac":4}'),
        ("n wolves x2 hp 7", "join wolf*2 hp=7"),
        ("Enter the heroes: Ula with 9 and AC 14", "join Ula heroes hp=9 ac=14"),
        ("join ula as an enemy, hp 7", "join ula foes hp=7"),
        ("Ula of the Lake, 9 hp, joins the party", 'join "Ula of the Lake" party hp=9'),
        ("Ula the dwarf had 9 hit points and an armor class of 14.", "join Ula hp=9 ac=14 notes=dwarf"),
        ("ok so there's the sea hag and she's got 9 hp and ac 14", 'join "sea hag" hp=9 ac=14'),
        ("Now comes the wyvern, it has 9 HP and AC 14", "join wyvern hp=9 ac=14"),
        ("Ula has 9 of life and armor 14", "join Ula hp=9 ac=14"),
        ("The Duke has 9 hits and defence 14.", "join Duke hp=9 ac=14"),
        ("Ula 44/18", "join Ula hp=44 ac=18"),
        ("Ula, A.C. 14, 9 h.p.", "join Ula hp=9 ac=14"),
        ("Present: Ula (9 hp, AC 14)", "join Ula hp=9 ac=14"),
        ("+ula 9 ac14", "join ula hp=9 ac=14"),
    ],
)
def test_newcomers_join_as_their_form_says(line: str, form: str) -> None:
    at = table("plain", "join Bo party hp=3")
    assert [each["combatant"] for each in said(at, line)] == [each["combatant"] for each in said(at, form)]
    assert [each["sheet"] for each in said(at, line)] == [each["sheet"] for each in said(at, form)]


@pytest.mark.parametrize(
    "line",
    [
        "mira pours her potion in his mouth and he got six hit points",
        "three pikemen guard the bridge, 4 hp each",
        "Ula has 31 and 14",
    ],
)
def test_who_joins_is_never_guessed(line: str) -> None:
    with pytest.raises(NotUnderstood):
        order("plain").tell(line)


def test_a_number_sign_names_one_of_the_only_kind_with_numbers_and_begins_no_comment() -> None:
    at = heard(order("plain"), "join orc*3 foes hp=5")
    assert told(at, "#2 -3") == told(at, "orc-2 -3")
    with pytest.raises(NotUnderstood):
        heard(order("plain"), "join orc*2 foes hp=5", "join wolf*2 foes hp=5").tell("#2 -3")


def test_who_is_slain_before_a_comma_is_not_whoever_slew() -> None:
    with pytest.raises(NotUnderstood) as caught:
        order("plain").tell("Ogre slain, Brand.")
    assert "brand.status" not in str(caught.value.meant)


def test_who_concentrates_behind_a_spell_is_its_caster() -> None:
    facts = told(order("plain"), "mira casts gloomveil on the ogre, concentrating")
    assert [each["type"] for each in facts] == ["action_taken", "effect_started"]
    assert facts[1]["source"] == "mira"
    assert facts[1]["concentration"]


def test_a_no_behind_a_roll_is_offered_as_a_miss() -> None:
    with pytest.raises(NotUnderstood) as caught:
        order("plain").tell("goblin v. brand, 9, no.")
    assert [fact.hit for fact in caught.value.meant[0].facts if isinstance(fact, AttackRolled)] == [False]


def test_a_line_that_strikes_something_out_joins_nobody() -> None:
    with pytest.raises(NotUnderstood) as caught:
        order("plain").tell("Strike that, 6 pts.")
    assert "CombatantJoined" not in str(caught.value.meant)


def test_a_roll_behind_an_act_is_never_an_initiative() -> None:
    with pytest.raises(NotUnderstood) as caught:
        heard(fight("plain")).tell("brand attacks the ogre. He rolls a 7. The ogre parries.")
    assert "InitiativeRolled" not in str(caught.value.meant)


def test_one_of_a_group_who_takes_half_takes_nothing_else() -> None:
    with pytest.raises(NotUnderstood) as asked:
        order("plain").tell("everyone takes 6 fire, mira half so 3")
    all_of_them, *_ = asked.value.meant
    found = {fact.target: fact.amount for fact in all_of_them.facts if isinstance(fact, DamageDealt)}
    assert found == {"brand": 6, "ogre": 6, "goblin": 6, "mira": 3}


def test_two_of_a_kind_are_named_by_numbers_with_a_comma() -> None:
    at = table("plain", "join orc*3 foes hp=5", "join Bo party hp=9")
    assert [each["combatant"] for each in said(at, "orc 1,3 attack bo")] == ["orc-1", "orc-3"]


def test_a_state_with_a_slip_within_it_is_that_state() -> None:
    at = order("plain")
    assert told(at, "mira is poisonned 2 rds") == told(at, "mira is poisoned 2 rds")


def test_a_verb_that_nobody_knows_with_a_distance_is_offered_as_a_move() -> None:
    at = order("plain")
    with pytest.raises(NotUnderstood) as caught:
        at.tell("mira blorps 20 ft")
    assert [type(fact).__name__ for fact in caught.value.meant[0].facts][-1] == "Moved"


def test_a_save_behind_a_comma_is_its_own_sentence_by_ability_number_and_difficulty() -> None:
    at = order("5e")
    found = told(at, "mira takes 3 cold, wisdom 14 against dc 12")
    assert [(each["type"], each.get("dc")) for each in found] == [("damage_dealt", None), ("save_rolled", 12)]


@pytest.mark.parametrize("said_so", ["at 3rd level", "at level 3", "with a 3rd level slot"])
def test_the_level_at_which_a_spell_is_cast_spends_its_slot(said_so: str) -> None:
    cast = [
        each
        for each in told(order("5e"), f"mira conjures web {said_so} on the ogre")
        if each["type"] == "resource_changed"
    ]
    assert [(each["resource"], each["amount"]) for each in cast] == [("level 3 spell slot", -1)]


def test_the_level_of_a_spell_adds_nothing_in_a_game_that_records_no_slots() -> None:
    found = told(order("plain"), "mira weaves magic missile at level 2 at the ogre: 9 force")
    assert [each["type"] for each in found] == ["action_taken", "damage_dealt"]


def test_who_waits_for_somebody_to_step_into_the_light_holds_back_and_casts_nothing() -> None:
    (held,) = told(order("5e"), "mira waits for the ogre to step into the light")
    assert (held["type"], held["awaiting"]) == ("action_held", "the ogre to step into the light")


def test_the_word_beside_save_names_one_that_no_table_knows() -> None:
    (save,) = told(order("plain"), "ogre's nerve save 9 fails")
    assert (save["save"], save["succeeded"]) == ("nerve", False)


def test_a_casting_time_in_a_sentence_of_its_own_is_that_of_the_spell() -> None:
    at = heard(fight("osric"), "r")
    (declared,) = said(at, "mira mm -> ogre; ct 1 seg")
    assert declared["action"] == {"kind": "cast", "name": "mm", "targets": ["ogre"], "time": 1}


@pytest.mark.parametrize(
    ("line", "who"),
    [
        ("4 goblins", {"goblin-1", "goblin-2", "goblin-3", "goblin-4"}),
        ("two ghasts and an owlbear", {"ghast-1", "ghast-2", "owlbear"}),
    ],
)
def test_monsters_of_the_reference_document_join_by_their_names_alone(line: str, who: set[str]) -> None:
    facts = said(table("5e", "join Ana party hp=20"), line)
    assert {each["combatant"] for each in facts} == who
    assert all(each["sheet"]["srd"] and each["side"] == "foes" for each in facts)


@pytest.mark.parametrize("line", ["4 swords", "three fireballs", "5 skeletons and their 2 ogre friends"])
def test_what_no_table_has_joins_not_by_its_name_alone(line: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        table("5e", "join Ana party hp=20").tell(line)
    assert all("CombatantJoined" not in str(each.facts) for each in caught.value.meant)


def test_what_drops_behind_a_failed_save_is_the_spell_that_is_named() -> None:
    at = order("plain", "effect web by m on o concentration=yes")
    assert [each["type"] for each in told(at, "mira's conc save 8 fails, web drops")] == ["save_rolled", "effect_ended"]


def test_a_potion_hurts_nobody() -> None:
    at = order("5e")
    with pytest.raises(NotUnderstood) as caught:
        at.tell("mira -> brand: potion (2d4+2 = 7), brand up")
    assert all("DamageDealt" not in str(each.facts) for each in caught.value.meant)


# ---------------------------------------------------------------- what is doubtful


@pytest.mark.parametrize(
    "line",
    [
        "Ana almost kills the ogre", "Ana tries to kill the ogre", "Bo nearly flees", "Ana wants to hit the ogre for 3",
        "Ana takes 5 and so does Bo", "Ana heals 5, as does Bo", "Ana leaves the fight, Bo too",
        "Ana takes 7 fire, Bo half", "Ana takes 8, Bo saves for half", "Ana hits the ogre for 5 (2 fire)",
        "Ana hits the ogre for 5 of which 2 fire", "Ana takes 5, reduced by 2", "ogre takes 7/2",
        "Ana heals Bo for 4 and loses 2", "Ana hits the ogre for 4 but takes 3",
        "Ana, Bo -5 and ogre -3", "ogre loses 5 temp hp", "the other goblin takes 3", "4 goblins, Bo takes 1", "Ana saves Bo",
        "Ana's down to 3, Bo up to 8", "Ana is prone or stunned",
        "3 orcs with 5 hp and an ogre", "3 orcs hp 5 and Ana",
    ],
)  # fmt: skip
@pytest.mark.parametrize("key", ["plain", "5e"])
def test_what_is_not_said_for_certain_is_not_recorded(key: str, line: str) -> None:
    at = table(
        key,
        "join Ana party hp=14",
        "join Bo party hp=9",
        "join Ogre foes hp=20",
        "join goblin*2 foes hp=7",
        "r",
        "t ana",
    )
    with pytest.raises(NotUnderstood):
        at.tell(line)


@pytest.mark.parametrize(
    ("line", "who"), [("Ana frightens goblin-2 who flees", "goblin-2"), ("Ana blinds the ogre, who runs away", "ogre")]
)
def test_who_flees_is_whoever_was_named_last(line: str, who: str) -> None:
    at = table("plain", "join Ana party hp=14", "join Ogre foes hp=20", "join goblin*2 foes hp=7", "r", "t ana")
    assert [each["combatant"] for each in told(at, line) if each["type"] == "combatant_left"] == [who]
