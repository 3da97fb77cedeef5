"""Newcomers: lines that list those who join, or tell of them in sentences, and what each of them has."""

import pytest

from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from tests.projections.grammar.test_line_context import heard
from tests.projections.grammar.test_phrases import said
from tests.projections.test_grammar import table

PEOPLE = ("join ana party hp=30", "join bo party hp=30", "join gob foes hp=30")


def joined(at: Table, line: str) -> list[tuple[object, ...]]:
    """Return who joins by a line: the name, side, hit points and armour class of each."""
    return [
        (each.get("name", each["combatant"]), each.get("side"), each["sheet"].get("hp"), each["sheet"].get("ac"))
        for each in said(at, line)
        if each["type"] == "combatant_joined"
    ]


def offered(at: Table, line: str) -> list[list[tuple[object, ...]]]:
    """Return who would join by each of the meanings that are offered for a line that is not certain."""
    with pytest.raises(NotUnderstood) as caught:
        at.tell(line)
    joins = [
        [(each.name or each.combatant, each.side, *(each.sheet.get(key) for key in ("hp", "ac"))) for each in facts]
        for facts in (
            [fact for fact in meant.facts if type(fact).__name__ == "CombatantJoined"] for meant in caught.value.meant
        )
    ]
    return [each for each in joins if each]


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("pcs are Ula (fighter, 32 hp, AC 18), Oda wizard 18hp ac12, and Tam the rogue with 24 and 15", "Ula pcs 32 18|Oda pcs 18 12|Tam pcs 24 15"),
        ("okay so for the party we have ula with thirty hit points and oda with twenty two", "ula party 30|oda party 22"),
        ("The heroes: Captain Rhea (hit points 52; armor class 19), her squire Pim (hit points 14; armor class 13).", "Captain Rhea heroes 52 19|Pim heroes 14 13"),
        ("rest of the crew: ula 41hp ac16, oda 45hp ac18", "ula - 41 16|oda - 45 18"),
        ("you see 2 trolls. each has 59 hp, ac 11", "troll-1 - 59 11|troll-2 - 59 11"),
        ("we are up against Grima the witch, she has 33 hp and an ac of 12", "Grima - 33 12"),
        ("my character is Dask, a goliath barbarian, 45 hp, 14 ac", "Dask - 45 14"),
        ("im playing Dask the barbarian, 24 hp, ac 15", "Dask - 24 15"),
        ("the villain is Baroness Ilka (hp 90, ac 17) and she has two hounds with 15 hp each", "Baroness Ilka - 90 17|hound-1 - 15|hound-2 - 15"),
        ("a horde of 2 rats, 1 hp each", "rat-1 - 1|rat-2 - 1"),
        ("a pair of trolls with 30 hp each", "troll-1 - 30|troll-2 - 30"),
        ("there's a mimic here with 58 hp", "mimic - 58"),
        ("a wild owlbear appears! 59 hp, ac 13", "wild owlbear - 59 13"),
        ("okay we start with ula thirty hp uh armor fourteen then oda who's at twenty eight and fifteen", "ula - 30 14|oda - 28 15"),
        ("two wolves thirteen hit points each armor class thirteen and the lich a hundred and thirty five hit points armor class seventeen", "wolf-1 - 13 13|wolf-2 - 13 13|lich - 135 17"),
        ("ULA dwarf F4 AC2 HP31, ODA halfling T4 AC5 HP14", "ULA - 31 2|ODA - 14 5"),
        ("Ula/12hp/ac14", "Ula - 12 14"),
        ("Ula has got twelve hit points, Ned's got fourteen and Oda nine", "Ula - 12|Ned - 14|Oda - 9"),
        ("name: Ula hp: 45 ac: 14", "Ula - 45 14"),
        ("elite guard 22 hp, ac 16, and 2 regular guards 11 hp ac 16", "elite guard - 22 16|regular guard 1 - 11 16|regular guard 2 - 11 16"),
        ("orc 1 7hp, orc 2 5hp", "orc 1 - 7|orc 2 - 5"),
        ("bandits A and B have 5 hp each", "bandit A - 5|bandit B - 5"),
        ("zombies (3): hp 22, 20, 25; ac 8", "zombie-1 - 22 8|zombie-2 - 20 8|zombie-3 - 25 8"),
        ("3 zombies: 22hp, 20hp, 25hp", "zombie-1 - 22|zombie-2 - 20|zombie-3 - 25"),
        ("Our foes are called Mirel and Osk. They have 20 hit points each.", "Mirel foes 20|Osk foes 20"),
        ("Party of 2: Ula ftr 2 ac4 hp14, Oda cl 2 ac7 hp8", "Ula party 14 4|Oda party 8 7"),
        ("Ula - Ftr2 - AC4 - 14 HP", "Ula - 14 4"),
        ("players Ula 14hp, Oda 8hp vs. 2 skeletons 4hp each", "Ula players 14|Oda players 8|skeleton-1 - 4|skeleton-2 - 4"),
        ("opposition 2 trolls hp 19, 24 ac 5", "troll-1 opposition 19 5|troll-2 opposition 24 5"),
        ("their leader, Gort, has 22 hp and AC 3", "Gort - 22 3"),
        ("Gort 22hp ac3 + 2 thugs 8hp ac6", "Gort - 22 3|thug-1 - 8 6|thug-2 - 8 6"),
        ("the ghoul king arrives with 30 hit points and two ghoul guards at 12 each", "ghoul king - 30|ghoul guard 1 - 12|ghoul guard 2 - 12"),
        ("HP: ula 27, oda 44", "ula - 27|oda - 44"),
        ("goblins 2, 7hp each", "goblin-1 - 7|goblin-2 - 7"),
        ("vampire spawn 82hp ac 15", "vampire spawn - 82 15"),
        ("two vampire spawn, 82hp each", "vampire spawn 1 - 82|vampire spawn 2 - 82"),
        ("spawn 2 imps hp 10", "imp-1 - 10|imp-2 - 10"),
        ("half a dozen rats, 1 hp each", "|".join(f"rat-{n} - 1" for n in range(1, 7))),
        ("an orc chieftain (30 hp) plus two of his warriors (11 hp)", "orc chieftain - 30|warrior-1 - 11|warrior-2 - 11"),
        ("Ula's wolf joins, 11 hp", "wolf - 11"),
        ("the gm adds two wights, 45 hp, ac 14", "wight-1 - 45 14|wight-2 - 45 14"),
        ("Captain Ironbeard of the Salty Dog — 52 HP — AC 15", "Captain Ironbeard of the Salty Dog - 52 15"),
        ("henchman: Dob, F1, 6 hp, AC 5", "Dob - 6 5"),
        ("boss: troll king 120 hp ac 16", "troll king - 120 16"),
        ("2 wolves, ac 7, hp 11 & 14", "wolf-1 - 11 7|wolf-2 - 14 7"),
    ],
)  # fmt: skip
def test_who_joins_and_what_each_has_is_read_in_any_wording(line: str, form: str) -> None:
    told = [" ".join(str(each or "-") for each in one).strip(" -") for one in joined(table("plain"), line)]
    assert told == form.split("|")


@pytest.mark.parametrize(
    ("line", "who"),
    [
        ("n the bosses, ula n oda, vampire spawn, 82hp each ac 15", [("ula", None, 82, 15), ("oda", None, 82, 15)]),
        ("lord varos, vampire, 144 hp ac 16", [("lord varos", None, 144, 16)]),
        ("There is also a bear, which has 25 hit points and is not in a good mood.", [("bear", None, 25, None)]),
        ("+ gnoll shaman, 16 hp, casts as C3", [("gnoll shaman", None, 16, None)]),
        ("zombies: 22, 20 hp", [("zombie-1", None, 22, None), ("zombie-2", None, 20, None)]),
        ("dagger 4 hp", [("dagger", None, 4, None)]),
    ],
)
def test_what_may_be_meant_otherwise_is_offered(line: str, who: list[tuple[object, ...]]) -> None:
    assert offered(table("plain"), line) == [who]


@pytest.mark.parametrize(
    "line",
    [
        "trap 5 hp",
        "the ogre has 18 hp left",
        "ogre takes 5 hp",
        "bandit gets 5 hp",
        "smoke appears",
        "goblin 3 hp",
        "second wind 7 hp",
        "the guards arrive",
        "ana has 5 hp",
        "bo joins ana",
        "reinforcements arrive",
        "2 goblins left with 3 hp and 5 hp",
        "more goblins come, ac 15",
        "heal 5 hp, ac 15",
        "Kira falls to 0 hp, ac 12",
        "blade barrier 12 hp each ac 15",
        "wall of ice 30 hp ac 12",
    ],
)
def test_in_a_fight_that_goes_on_nobody_joins_by_a_line_that_may_tell_something_else(line: str) -> None:
    with pytest.raises(NotUnderstood):
        heard(table("5e"), *PEOPLE, "r", "i ana=15 bo=12 gob=9", "t ana").tell(line)


def test_who_is_named_beside_those_who_join_is_never_left_out() -> None:
    at = heard(table("osric"), *PEOPLE)
    assert offered(at, "G1 at Bo 8 no, G2 at Bo 17 yes 6 hp") == []


@pytest.mark.parametrize("side", ["pc", "npc"])
def test_a_side_of_the_notation_may_stand_behind_the_points(side: str) -> None:
    assert joined(table("osric"), f"join Tam the rogue 24 hp {side}") == [("Tam", side, 24, None)]


@pytest.mark.parametrize("key", ["5e", "osric", "plain"])
def test_a_number_behind_a_name_is_no_side_but_may_be_hit_points(key: str) -> None:
    side = "party" if key == "osric" else None  # where sides roll, the first who have names are the party
    assert offered(table(key), "join Tam 24") == [[("Tam", side, 24, None)]]


def test_where_sides_roll_people_with_names_are_the_party_until_somebody_is_against_it() -> None:
    at = heard(
        table("osric"), "Garrun the fighter is in, 18 hit points and AC 3", "also Ilse with 13 hp, and Nib with 9 hp"
    )
    assert {one.side for one in at.done.state.here()} == {"party"}
    at = heard(at, "4 gnolls, 9 hp", "Hesper the thief joins, 7 hp", "Grishnak joins, 20 hp")
    sides = {one.name: one.side for one in at.done.state.here()}
    assert sides["Hesper"] == "party" != sides["Grishnak"]


@pytest.mark.parametrize("line", ["goblin 3 hits Ana 6", "goblin 3 hits the Baron for 6", "orc 7 hits bo 5"])
def test_a_blow_in_a_fight_without_anybody_joins_nobody(line: str) -> None:
    assert offered(table(), line) == []


def test_hits_behind_a_number_are_hit_points_where_nobody_is_hit() -> None:
    assert joined(table("5e"), "Ana 3 hits, Bo 5 hits") == [("Ana", None, 3, None), ("Bo", None, 5, None)]
    assert joined(table("5e"), "Ana 12 hits and Bo 9") == [("Ana", None, 12, None), ("Bo", None, 9, None)]
