"""Lines that paint what happens: what is told in them is read, what only paints is left out and asked about, and nothing is told that they do not say."""

import pytest

from eventstore.events import (
    ActionTaken,
    Amended,
    AttackRolled,
    CombatantJoined,
    ConditionGained,
    ConditionLost,
    DamageDealt,
    Fact,
    Healed,
    SaveRolled,
    TurnStarted,
)
from projections.reader.decision import decide
from tests.projections.grammar.test_line_context import heard
from tests.projections.reader.test_by_meaning_alone import PEOPLE, fight, meant
from tests.projections.test_grammar import table

GNOLLS = ("join gnoll*3 foes hp=22",)


def same(key: str, line: str, plain: str, *before: str) -> None:
    assert meant(fight(key, *before), line) == meant(fight(key, *before), plain)


def first_offer(key: str, line: str, *before: str) -> list[Fact]:
    """Return the facts of the first meaning that is offered for a line that is not certain, without the clock."""
    found = decide(fight(key, *before).context, line)
    assert found.meaning is None
    return [*found.offers[0].facts[found.offers[0].moved :]]


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("gob spits a jet of black ink, and ana is blinded", "ana is blinded"),
        ("ana grits her teeth, shakes off the terror, and is no longer frightened", "ana is no longer frightened"),
        ("gob turns its horrible face on ana, who rolls an 8 on her wis save, and that is a failure", "ana wis save 8 fails"),
        ("gob's shield arm shakes, and now it is frightened", "gob is frightened"),
        ("bo pirouettes, sneering, and hits gob for 5", "bo hits gob for 5"),
        ("she uncorks a phial for bo and he gets 5 hit points back", "bo gets 5 hit points back"),
    ],
)  # fmt: skip
def test_beside_narration_what_is_told_is_offered_with_whom_the_narration_names(line: str, plain: str) -> None:
    before = ("ana is frightened", "t bo") if "bo hits" in plain else ("ana is frightened",)
    assert first_offer("5e", line, *before) == meant(fight("5e", *before), plain)


@pytest.mark.parametrize(
    "line", ["gob spits a jet of ink, and whistles", "bo rolls to be brave, 14, she did it", "orc frobs bo, 5"]
)
def test_of_narration_alone_nothing_is_offered(line: str) -> None:
    found = decide(fight("5e").context, line)
    assert found.meaning is None
    assert not found.offers


@pytest.mark.parametrize(
    ("line", "thing"),
    [
        ("falling bricks hit bo for 6 ouch", "falling bricks"),
        ("rubble on bo, 6 damage", "rubble"),
        ("the oil lamp falls on bo, 6 damage", "oil lamp"),
        ("bo steps on the caltrops, 6 damage", "caltrops"),
        ("bo has fallen into the pit, and takes 6 points of damage", "pit"),
        ("bo falls in the river and loses 6", "river"),
        ("bo took 6 fire from the burning curtain", "burning curtain"),
    ],
)
def test_a_thing_that_hurts_somebody_is_what_the_damage_comes_from(line: str, thing: str) -> None:
    (hurt,) = meant(fight("5e"), line)
    assert isinstance(hurt, DamageDealt)
    assert (hurt.target, hurt.amount, [part.name for part in hurt.parts]) == ("bo", 6, [thing])


@pytest.mark.parametrize(
    "line", ["Thorin hits bo for 5", "thorin hits bo for 5", "the ogre hits bo for 5", "the trap hits bo for 5"]
)
def test_a_name_that_nobody_has_may_be_somebody_and_is_asked_about(line: str) -> None:
    assert decide(fight("5e").context, line).meaning is None


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("gob saves, takes half, 5", "gob makes a save and succeeds, takes 5 damage"),
        ("gob saves for half, 5", "gob makes a save and succeeds, takes 5 damage"),
        ("gob makes the save with 15, takes half, 5", "gob saves with 15, takes 5 damage"),
        ("ana strikes gob with her longsword, rolls a 17 in all, and does 6 damage", "ana strikes gob with her longsword, total 17, hits for 6"),
        ("gob claws at ana with a measly 10 and misses", "gob claws at ana with a 10 and misses"),
        ("ana with a mighty 19 hits gob for 4", "ana with a 19 hits gob for 4"),
        ("ana hits gob for a total of 8", "ana hits gob for 8"),
        ("gob claws at ana, a dirty 20, for 6", "gob claws at ana, total 20, for 6"),
        ("ana got gob, 20 to hit for 5", "ana hits gob, 20 to hit for 5"),
        ("gob is hit by ana for 3", "ana hits gob for 3"),
        ("ana dex save DC 11: 13 → pass, no prone", "ana dex save DC 11: 13 → pass"),
        ("gob hits ana for 6, but she is not grappled", "gob hits ana for 6"),
    ],
)  # fmt: skip
def test_what_is_said_of_numbers_and_outcomes(line: str, plain: str) -> None:
    same("5e", line, plain)


def test_a_list_of_numbers_behind_a_kind_ends_where_an_amount_begins() -> None:
    act, *hurt = meant(fight("5e", *GNOLLS), "ana casts burning hands on gnoll 2 and 3, 10 fire each")
    assert isinstance(act, ActionTaken)
    assert act.action.targets == ("gnoll-2", "gnoll-3")
    assert [(one.target, one.amount) for one in hurt if isinstance(one, DamageDealt)] == [("gnoll-2", 10), ("gnoll-3", 10)]  # fmt: skip


@pytest.mark.parametrize("line", ["gob is stuck in the mud", "gob gets stuck in the mud"])
def test_what_befalls_somebody_is_no_blow_of_theirs(line: str) -> None:
    (state,) = first_offer("5e", line)
    assert isinstance(state, ConditionGained)


def test_whoever_stands_behind_a_preposition_of_place_neither_moves_nor_rises() -> None:
    at = fight("5e", "gob is prone")
    assert meant(at, "ana moves 20 ft up to gob") == meant(at, "ana moves 20 ft")
    found = decide(at.context, "ana advances 20 ft, so that she stands beside gob")
    assert found.meaning is None
    assert not any(isinstance(fact, ConditionLost | ActionTaken) for each in found.offers for fact in each.facts)


def test_a_minus_before_a_state_ends_it_behind_a_name_with_a_number_too() -> None:
    at = fight("plain", *GNOLLS, "gnoll-2 is prone")
    assert meant(at, "gnoll2 -prone") == [ConditionLost(condition="prone", targets=("gnoll-2",))]


@pytest.mark.parametrize("line", ["bo is therefore held, and cannot move", "bo is held and cannot act"])
def test_what_somebody_cannot_do_by_a_state_does_not_end_it(line: str) -> None:
    assert meant(fight("osric"), line) == [ConditionGained(condition="held", targets=("bo",))]


def test_a_spell_before_temporary_points_is_cast() -> None:
    act, points = meant(fight("5e"), "ana false life 8 thp")
    assert isinstance(act, ActionTaken)
    assert (act.action.name, act.action.targets) == ("false life", ("ana",))
    assert isinstance(points, Healed)
    assert (points.amount, points.temporary) == (8, True)


def test_of_whoever_has_fled_nothing_more_is_told() -> None:
    assert meant(fight("5e"), "gob flees → out") == meant(fight("5e"), "gob flees")


def test_what_is_held_ready_is_the_weapon_and_not_the_spell_behind_it() -> None:
    (held,) = first_offer("5e", "ana: ready → shortbow @ gob out of web")
    assert held.action.name == "shortbow"  # type: ignore[attr-defined]


def test_a_save_behind_a_comma_has_succeeded() -> None:
    (save,) = meant(fight("osric"), "ana saves v para, 15")
    assert isinstance(save, SaveRolled)
    assert (save.die, save.succeeded) == (15, True)


# ------------------------------------------------------------ corrections


@pytest.mark.parametrize(
    "line",
    [
        "scratch that, the rubble was on bo not ana",
        "I am so sorry, it was bo who took the damage, and not ana",
        "wait, it's bo that takes the 4, not ana",
        "fix: the rubble hit bo, not ana",
    ],
)
def test_whom_it_befell_is_corrected_in_the_line_that_fits(line: str) -> None:
    at = fight("5e", "rubble on ana, 4 damage")
    (amended,) = meant(at, line)
    assert isinstance(amended, Amended)
    assert amended.replacement.target == "bo"  # type: ignore[union-attr]


def test_a_number_finds_the_line_that_is_corrected_among_earlier_ones() -> None:
    at = fight("5e", "gob hits ana for 11", "bo takes 3")
    found = meant(at, "hang on, it's bo that took the 11, not ana")
    assert [getattr(fact.replacement, "target", "") for fact in found if isinstance(fact, Amended)][-1] == "bo"


# ------------------------------------------------------------ turns, habits


def test_a_name_with_an_s_is_an_owner_where_nobody_is_called_so() -> None:
    assert meant(fight("5e", "join Zed party hp=9"), "zeds turn") == [TurnStarted(combatant="zed")]


def test_the_turn_of_a_kind_begins_with_whoever_of_them_is_due() -> None:
    at = heard(table("5e", *PEOPLE, *GNOLLS), "r", "i ana=15 gnoll=12 bo=9 gob=3", "t ana")
    assert meant(at, "now the gnolls go") == [TurnStarted(combatant="gnoll-1")]


def test_the_end_of_a_round_and_the_next_one_in_one_line() -> None:
    found = [type(fact).__name__ for fact in meant(fight("5e"), "End of the round. Round 2.")]
    assert found == ["RoundEnded", "RoundStarted"]


def test_where_all_blows_told_their_damage_alone_a_number_alone_is_damage() -> None:
    at = fight("plain")
    assert decide(at.context, "ana hits gob with her stick, 3").meaning is None
    at = fight("plain", "ana hits gob for 3")
    *_, roll, hurt = meant(at, "ana whacks gob, 5")
    assert isinstance(roll, AttackRolled)
    assert isinstance(hurt, DamageDealt)
    assert (roll.die, roll.hit, hurt.amount) == (None, True, 5)
    at = fight("plain", "ana hits gob for 3", "gob bites ana 14 for 2")
    assert decide(at.context, "ana whacks gob, 5").meaning is None


def test_a_thing_behind_an_article_is_no_misspelt_name_of_three_letters() -> None:
    found = decide(fight("5e", "join Pim party hp=9").context, "the pit takes 4")
    assert found.meaning is None
    assert not any(getattr(fact, "target", "") == "pim" for each in found.offers for fact in each.facts)


def test_whoever_goes_to_a_place_has_the_turn_that_is_due() -> None:
    found = decide(fight("5e", "t bo").context, "gob runs behind the crates").meaning
    assert found is not None
    assert [type(fact).__name__ for fact in found.facts] == ["TurnStarted", "Placed"]


@pytest.mark.parametrize("line", ["start the fight", "let's begin", "start", "the fight begins!"])
def test_where_nothing_has_begun_the_first_round_does_when_the_fight_is_said_to(line: str) -> None:
    assert [type(fact).__name__ for fact in meant(table("5e", *PEOPLE), line)] == ["RoundStarted"]
    assert decide(fight("5e").context, line).meaning is None


def test_one_of_a_kind_is_asked_about() -> None:
    found = decide(fight("5e", *GNOLLS).context, "one of the gnolls bites ana for 3")
    assert found.meaning is None
    assert [fact.combatant for each in found.offers for fact in each.facts if isinstance(fact, ActionTaken)] == [
        "gnoll-1",
        "gnoll-2",
        "gnoll-3",
    ]


def test_a_state_that_the_game_does_not_know_before_one_that_it_knows_is_asked_about() -> None:
    assert decide(fight("5e").context, "gob nets bo, he's restrained").meaning is None


def test_the_number_of_a_round_corrects_no_damage() -> None:
    at = fight("5e", "gob hits bo for 6")
    found = decide(at.context, "That was the last turn of the round, so we start round two.")
    assert not any(isinstance(fact, Amended) for each in found.offers for fact in each.facts)


def test_saves_behind_the_number_of_a_save_says_that_it_succeeded() -> None:
    (save,) = meant(fight("5e"), "bo dex 17 saves")
    assert isinstance(save, SaveRolled)
    assert (save.die, save.succeeded) == (17, True)


# ------------------------------------------------------------ who comes


def test_whoever_joins_a_kind_is_on_its_side() -> None:
    (wolf,) = meant(fight("plain", *GNOLLS), "a wolf joins the gnolls, 11 hp")
    assert isinstance(wolf, CombatantJoined)
    assert wolf.side == "foes"


def test_of_several_who_come_the_last_one_is_called_by_a_name_however_it_is_spelt() -> None:
    line = 'Out of the mist come two wolves and a bandit captain called "<b>=1+1../../Ékl</b>"'
    found = first_offer("5e", line)
    assert [each.name or each.combatant for each in found if isinstance(each, CombatantJoined)] == [
        "wolf-1",
        "wolf-2",
        "<b>=1+1../../Ékl</b>",
    ]


def test_what_somebody_rolled_is_not_what_they_are_down_to() -> None:
    at = heard(table("5e", *PEOPLE))
    offers = decide(at.context, "ana rolled 9").offers
    assert not any(isinstance(fact, DamageDealt) for each in offers for fact in each.facts)


@pytest.mark.parametrize("line", ["They are facing three ogres with 22 hp", "vs 3 ogres 22hp"])
def test_the_word_between_two_sides_is_no_note(line: str) -> None:
    assert {each.sheet.get("notes") for each in meant(fight("5e"), line) if isinstance(each, CombatantJoined)} == {None}


@pytest.mark.parametrize(
    ("line", "who"),
    [
        ("Against them stand four hobgoblins, of 6 hit points apiece", ["hobgoblin-1", "hobgoblin-2", "hobgoblin-3", "hobgoblin-4"]),
        ("Opposing the party are 3 bugbears (27 hp, ac 16)", ["bugbear-1", "bugbear-2", "bugbear-3"]),
        ("Across the bridge waits a troll with 84 hp.", ["troll"]),
        ("Behind the altar lurks a cultist, 9 hp, AC 12", ["cultist"]),
        ("An orc shaman has now come in through the north door, with 15 hit points.", ["orc-shaman"]),
        ("One bugbear, 27 HP, AC 16.", ["bugbear"]),
    ],
)  # fmt: skip
def test_creatures_that_are_met_or_come_are_foes_where_sides_roll(line: str, who: list[str]) -> None:
    found = meant(fight("osric"), line)
    assert [(each.combatant, each.side) for each in found if isinstance(each, CombatantJoined)] == [
        (each, "foes") for each in who
    ]


# ------------------------------------------------------------ what is nearly the same, and means something else


@pytest.mark.parametrize(
    "line",
    [
        "ana hits gob with a roll of 14",
        "ana hits gob, nat 20",
        "ana attacks gob and rolls 15",
        "ana hits gob on a 15",
    ],
)
def test_a_number_that_is_said_to_be_rolled_is_no_damage_whatever_the_table_does(line: str) -> None:
    found = decide(fight("plain", "ana hits gob for 3").context, line)
    assert not any(isinstance(fact, DamageDealt) for each in (found.meaning,) if each for fact in each.facts)


@pytest.mark.parametrize(
    "line",
    [
        "the ogre misses bo, 13",
        "the ogre swings at bo, 13",
        "the wolf runs to bo, 30",
        "the captain shouts at bo, 5",
        "balm on bo, 3 pts",
        "ana falls into the pit, gob takes 4",
        "foes wail 12",
        "party: Cal 24 hp, luck 2",
        "party: supplies 12, arrows 40",
        "with us is a mule",
        "beside ana stands a wolf",
        "on initiative 10 an ogre",
        "side note: Cal 20 hp",
        "ana makes the save with a 3",
        "bo is at half, 10",
        "bo drives gob away",
        "Tob 9 hp, who joins later",
        "wolves 1-4 are hungry",
        "Drum must save",
        "bo must save",
        "bo has to save against poison",
    ],
)
def test_what_may_be_meant_otherwise_or_is_not_told_is_not_recorded_at_once(line: str) -> None:
    found = decide(fight("5e").context, line)
    assert found.meaning is None or not [
        fact
        for fact in found.meaning.facts
        if isinstance(fact, DamageDealt | CombatantJoined | ConditionGained | AttackRolled)
        or (isinstance(fact, SaveRolled) and fact.succeeded)
    ]


@pytest.mark.parametrize("line", ["ana cannot fall prone", "ana can't fall asleep"])
def test_what_somebody_cannot_become_is_not_gained(line: str) -> None:
    found = decide(fight("5e").context, line)
    assert not any(isinstance(fact, ConditionGained) for each in (found.meaning,) if each for fact in each.facts)


def test_a_spell_that_runs_gives_points_and_is_not_cast_again() -> None:
    (points,) = meant(fight("5e", "ana casts heroism on bo", "t bo"), "bo heroism 3 temp")
    assert isinstance(points, Healed)


def test_that_a_state_is_over_is_told_of_those_whom_the_line_did_not_strike() -> None:
    found = meant(fight("5e"), "gob dies, ana is not grappled")
    assert any(isinstance(fact, ConditionLost) for fact in found)


def test_a_state_behind_damage_and_a_plus_begins() -> None:
    found = decide(fight("5e", "t gob").context, "gob hits ana for 5 +poisoned").meaning
    assert found is not None
    assert any(isinstance(fact, ConditionGained) for fact in found.facts)


def test_whoever_goes_to_somebody_has_no_turn_by_it() -> None:
    assert [type(fact).__name__ for fact in meant(fight("5e"), "ana goes to bo")] == ["Placed"]


def test_two_teams_in_one_line_are_two_sides() -> None:
    found = meant(fight("plain"), "left side: ogre 20 hp, right side: troll 30 hp")
    assert [each.side for each in found if isinstance(each, CombatantJoined)] == ["left", "right"]


def test_rolled_corrects_no_damage() -> None:
    found = decide(fight("osric", "ana hits gob for 7").context, "actually the gob rolled 2")
    assert found.meaning is None


@pytest.mark.parametrize(
    ("line", "healed"),
    [
        ("bo is back to 30", 6),
        ("bo is back at 30 hp", 6),
        ("bo is healed back to 30", 6),
        ("bo goes back up to 30", 6),
        ("bo gets 6 back", 6),
    ],
)
def test_points_that_somebody_is_back_at_are_those_they_have_then(line: str, healed: int) -> None:
    at = heard(table("5e", "join bo party hp=34", "join gob foes hp=9", "r"), "bo -10")
    (fact,) = at.tell(line).facts
    assert isinstance(fact, Healed)
    assert fact.amount == healed


@pytest.mark.parametrize("line", ["skip bo", "bo is skipped", "bo skips his turn", "skip bo's turn", "bo does nothing"])
def test_who_is_skipped_has_no_turn(line: str) -> None:
    at = heard(table("5e", "join ana party hp=9", "join bo party hp=9", "r", "ana=9", "bo=5", "t ana"), "ana hides")
    assert [type(fact).__name__ for fact in at.tell(line).facts] == ["TurnStarted", "TurnEnded"]


def test_a_check_behind_a_deed_is_told_beside_it() -> None:
    at = table("5e", "join bo party hp=9", "join gob foes hp=9", "r")
    assert [type(fact).__name__ for fact in at.tell("bo hides, stealth 19").facts] == ["ActionTaken", "DiceRolled"]
