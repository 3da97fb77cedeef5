"""Lines that were read as something else mean what they say, or are refused with lines that do."""

import pytest

from projections.grammar.table import Table, recorded
from projections.grammar.tokens import NotUnderstood
from projections.rulesets import RULESETS
from tests.projections.grammar.test_filling import facts
from tests.projections.grammar.test_line_context import heard
from tests.projections.grammar.test_phrases import SIDES, said
from tests.projections.test_grammar import fight, table

TURNS = sorted({*RULESETS} - {*SIDES})
TWO = ("join ana party hp=30", "join orc foes hp=30")


def in_turn(key: str = "plain") -> Table:
    order = ("b=14", "o=9", "m=5", "g=3", "r", "t b") if key not in SIDES else ("r", "p5 f3")
    return heard(fight(key), *order)


def refused(at: Table, line: str) -> NotUnderstood:
    with pytest.raises(NotUnderstood) as caught:
        at.tell(line)
    return caught.value


# ---------------------------------------------------------------- healing


@pytest.mark.parametrize("key", sorted(RULESETS))
def test_points_given_to_another_are_no_attack(key: str) -> None:
    at = in_turn(key)
    error = refused(at, "m b +5")
    forms = ("mira,brand +5", "brand +5 source=mira")
    assert [said(at, each) for each in error.offers] == [said(at, each) for each in forms]
    assert "no points back" in refused(at, "m attack b +5").why


def test_points_of_a_spell_that_was_declared_are_its() -> None:
    at = heard(fight("osric"), "r", "d m cast cure 3 b", "p5 f3", "seg 5")
    assert [fact["type"] for fact in said(at, "m b +5")] == ["action_taken", "healed"]


# ---------------------------------------------------------------- initiative


@pytest.mark.parametrize("key", TURNS)
@pytest.mark.parametrize("line", ["ana 15, orc 9", "ana 15 orc 9", "ana: 15, orc: 9", "ana 15 and orc 9"])
def test_a_list_of_those_without_initiative_is_initiative_also_in_a_round(key: str, line: str) -> None:
    at = heard(table(key, *TWO), "r")
    assert said(at, line) == said(at, "ana=15 orc=9")


@pytest.mark.parametrize("key", TURNS)
def test_who_comes_late_has_initiative_by_a_number_and_others_roll(key: str) -> None:
    at = heard(table(key, *TWO), "r", "ana=15", "orc=9", "t ana", "join wolf foes hp=9")
    assert said(at, "wolf 12") == said(at, "wolf=12")
    assert all(fact["type"] != "initiative_rolled" for fact in said(at, "ana orc -3"))


@pytest.mark.parametrize("key", ["plain", "5e", "definition-master"])
def test_a_list_in_which_some_have_initiative_is_asked_about_and_one_of_those_who_have_is_none(key: str) -> None:
    at = heard(table(key, *TWO), "r", "ana=12")
    assert said(at, refused(at, "ana 15, orc 9").offers[0]) == said(at, "ana=15 orc=9")
    refused(heard(at, "orc=3", "t ana"), "ana 15, orc 9")


def test_where_sides_roll_a_list_of_people_is_asked_about_and_a_side_that_lacks_its_die_has_it() -> None:
    at = heard(table("osric", *TWO), "r")
    assert said(at, refused(at, "ana 5, orc 3").offers[0]) == said(at, "i party:5 foes:3")
    assert said(at, "p5 f3") == said(at, "party 5, foes 3")
    at = heard(at, "i p5")
    assert said(at, "foes 3") == said(at, "f3")


# ---------------------------------------------------------------- who leaves, moves and casts


@pytest.mark.full
@pytest.mark.parametrize("key", sorted(RULESETS))
def test_who_leaves_a_place_beside_others_is_still_in_the_fight(key: str) -> None:
    at = in_turn(key)
    told = [fact for fact in at.tell("g leaves b's reach, b hits g for 5").facts if hasattr(fact, "combatant")]
    assert type(told[0]).__name__ == "Placed"
    assert (told[0].combatant, getattr(told[0], "words", "")) == ("goblin", "leaves b's reach")
    assert {fact["type"] for fact in said(at, "g leaves b's reach, b hits g for 5")} >= {"action_taken", "damage_dealt"}
    assert said(at, "g leaves cover")[0]["type"] == "placed"


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("g leaves", "leave g"),
        ("g leaves the fight", "leave g"),
        ("g leaves through the window", "leave g through the window"),
    ],
)
def test_who_leaves_the_fight_leaves_it(line: str, form: str) -> None:
    assert said(in_turn(), line) == said(in_turn(), form)


@pytest.mark.parametrize("line", ["g leaves the fight, b cheers", "place b at the door, g frobs"])
def test_a_reason_swallows_no_sentence_about_somebody_else(line: str) -> None:
    refused(in_turn(), line)


@pytest.mark.full
@pytest.mark.parametrize("key", sorted(RULESETS))
@pytest.mark.parametrize("line", ["o loses 2 turns", "o hesitates 2 rounds", "o wavers 3 b", "o ponders 10 ft"])
def test_an_unknown_verb_is_no_spell(key: str, line: str) -> None:
    refused(in_turn(key), line)


@pytest.mark.parametrize("key", sorted(RULESETS))
@pytest.mark.parametrize("line", ["b moves to melee with o", "b moves into melee with the ogre", "b engages o"])
def test_who_moves_into_melee_is_in_melee(key: str, line: str) -> None:
    assert said(in_turn(key), line) == said(in_turn(key), "place b by o")


@pytest.mark.parametrize("line", ["place b 2,3; g 3,3", "place b 2,3, g 3,3", "place b at 2,3 and g at 3,3"])
def test_several_places_are_as_many(line: str) -> None:
    at, apart = in_turn(), in_turn()
    assert said(at, line) == [*said(apart, "place b 2,3"), *said(apart, "place g 3,3")]


# ---------------------------------------------------------------- the most points, exhaustion, casting times


@pytest.mark.full
@pytest.mark.parametrize("key", sorted(RULESETS))
@pytest.mark.parametrize(
    ("line", "most"),
    [
        ("b's max hp increases by 5", 19),
        ("b max hp +5", 19),
        ("b +5 max hp", 19),
        ("b gains 5 max hp", 19),
        ("b has 5 max hp", 5),
        ("b has 5 hp max", 5),
        ("b is at 5 max hp", 5),
        ("b now has 30 maximum hp", 30),
        ("b has max hp 30", 30),
        ("b now has a maximum of 30 hp", 30),
        ("b max hp 30", 30),
        ("b's maximum hit points are 30", 30),
        ("b max hp -5", 9),
        ("b loses 5 max hp", 9),
    ],
)
def test_the_most_points_are_changed_and_said_in_words(key: str, line: str, most: int) -> None:
    at = fight(key)
    assert said(at, line) == said(at, f"sheet b hp_max={most}")
    assert heard(at, line).done.state.combatants["brand"].hp_max == most


def test_levels_of_exhaustion_are_lost_in_words_and_a_level_without_a_verb_is_asked_about() -> None:
    at = heard(fight("5e"), "b gains 2 levels of exhaustion")
    for line in ("b loses 1 level of exhaustion", "b loses exhaustion 1"):
        assert said(at, line) == said(at, "b not exhaustion 1")
    assert said(at, "b gains exhaustion 1") == said(at, "b gains 1 level of exhaustion")
    assert said(at, "b loses exhaustion") == said(at, "b not exhaustion")
    for line in ("b exhaustion 1", "b loses a level"):
        refused(at, line)


def test_a_casting_time_is_that_of_the_spell_in_its_line() -> None:
    at = in_turn()
    for line in ("m casts web on o, casting time 3", "m casts web on o with a casting time of 3"):
        assert said(at, line) == said(at, "m cast web o time=3")
    declaring = heard(fight("osric"), "r")
    assert said(declaring, "m declares web, casting time 3, at o") == said(declaring, "d m web 3 o")
    for line in ("casting time 3", "m casting time 3"):
        assert "casts web, casting time 3" in refused(declaring, line).hint


# ---------------------------------------------------------------- whom a pronoun means

THREE = ("join ana party hp=24", "join bo party hp=30", "join orc foes hp=60")


def three(key: str) -> Table:
    at = heard(table(key, *THREE), "r", *(("p5 f3",) if key in SIDES else ("ana 15, bo 12, orc 9",)))
    return heard(at, "phase H.D1") if key == "vile-darkness" else at


@pytest.mark.in_turn(4)
@pytest.mark.full
@pytest.mark.parametrize("key", sorted(RULESETS))
@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("ana hits orc for 4 and bo heals her for 2", "ana hits orc for 4 and bo heals ana for 2"),
        ("ana misses orc, bo heals her for 2", "ana misses orc, bo heals ana for 2"),
        ("bo hits orc for 2, orc hits him for 1", "bo hits orc for 2, orc hits bo for 1"),
        ("bo misses orc, orc hits him for 1", "bo misses orc, orc hits bo for 1"),
        ("orc hits ana for 8, bo heals her for 4", "orc hits ana for 8, bo heals ana for 4"),
        ("ana hits orc for 3, bo hits it for 2", "ana hits orc for 3, bo hits orc for 2"),
    ],
)
def test_a_pronoun_behind_a_verb_is_never_who_acts_there(key: str, line: str, meant: str) -> None:
    at = three(key)
    assert said(at, line) == said(at, meant)


@pytest.mark.full
@pytest.mark.parametrize("key", sorted(RULESETS))
@pytest.mark.parametrize("line", ["bo heals her for 1", "bo heals him for 1", "bo heals it for 1"])
def test_a_pronoun_for_nobody_in_the_line_is_asked_about(key: str, line: str) -> None:
    at = three(key)
    offers = refused(at, line).offers
    assert said(at, "bo heals ana for 1") in [said(at, each) for each in offers]
    assert all("bo" not in fact.get("target", "") for each in offers for fact in said(at, each))


def test_a_pronoun_that_can_be_either_is_asked_about() -> None:
    at = three("plain")
    helps = [said(at, each)[-1]["action"] for each in refused(at, "ana hits orc for 3, bo helps her").offers]
    assert helps != []
    assert not any("targets" in each for each in helps)


@pytest.mark.parametrize("key", sorted(RULESETS))
@pytest.mark.parametrize("word", ["herself", "himself"])
def test_who_heals_themselves_says_so(key: str, word: str) -> None:
    assert [fact["target"] for fact in said(three(key), f"bo heals {word} for 1") if "target" in fact] == ["bo"]


@pytest.mark.full
@pytest.mark.parametrize("key", TURNS)
@pytest.mark.parametrize("until", ["the end of her next turn", "the end of his next turn", "her next turn"])
def test_whose_turn_it_is_until_which_another_is_stunned_is_asked_about(key: str, until: str) -> None:
    at = three(key)
    offers = refused(at, f"ana stuns orc until {until}").offers
    assert [said(at, each)[-1]["duration"]["of"] for each in offers] == ["ana", "orc"]


@pytest.mark.parametrize("key", TURNS)
@pytest.mark.parametrize(
    ("line", "whose"),
    [
        ("ana stuns orc until the end of its next turn", "orc"),
        ("ana stuns orc until the end of ana's next turn", "ana"),
        ("ana is stunned by orc until the end of her next turn", "ana"),
        ("ana is stunned until the end of her next turn", "ana"),
    ],
)
def test_a_turn_that_can_only_be_one_combatants_is_theirs(key: str, line: str, whose: str) -> None:
    assert said(three(key), line)[-1]["duration"]["of"] == whose


# ---------------------------------------------------------------- saves


@pytest.mark.full
@pytest.mark.parametrize("key", sorted(RULESETS))
@pytest.mark.parametrize("line", ["orc bites ana for 3, poison 4", "orc hits ana for 3, poison 14", "ana poison 4"])
def test_a_type_of_damage_is_no_save_without_that_word(key: str, line: str) -> None:
    refused(three(key), line)


@pytest.mark.full
@pytest.mark.parametrize("save", ["con save 4 fails", "con save 4", "constitution save 14"])
def test_a_save_behind_a_blow_may_be_another_one_than_that_for_concentration(save: str) -> None:
    at = heard(three("5e"), "t ana", "ana casts web on orc, conc", "t orc")
    assert "owes a save for concentration" in refused(at, f"orc hits ana for 8, {save}").why
    for clear in ("concentration save 4 fails", "conc check 4 fails"):
        assert said(at, f"orc hits ana for 8, {clear}")[-1]["purpose"] == "concentration"
    assert said(at, "orc hits ana for 8, dex save 4 fails")[-1]["save"] == "dex"
    assert said(at, "orc hits bo for 8, con save 4 fails")[-1]["combatant"] == "bo"


@pytest.mark.parametrize("line", ["orc hits ana for 8, con save 3 fails", "ana takes 8 fire, con save 3"])
def test_a_save_behind_a_blow_may_be_that_for_a_spell_held_ready(line: str) -> None:
    at = heard(three("5e"), "t ana", "ana readies hold person on orc if it moves", "t orc")
    assert "owes a save for concentration" in refused(at, line).why
    assert said(at, line.replace("con save", "conc save"))[-1]["purpose"] == "concentration"
    at = heard(three("5e"), "t ana", "ana readies an attack if orc moves", "t orc")
    assert said(at, line)[-1]["save"] == "con"


@pytest.mark.parametrize("key", sorted(RULESETS))
@pytest.mark.parametrize(
    ("line", "condition"),
    [
        ("orc hits ana for 3, knocked prone, save vs poison 18 succeeds", "prone"),
        ("orc hits ana for 3, ana is prone, ana saves", "prone"),
        ("ana is poisoned, save 18 made", "poisoned"),
    ],
)
def test_a_condition_that_a_save_behind_it_may_have_kept_off_is_asked_about(
    key: str, line: str, condition: str
) -> None:
    at = table(key, *THREE)
    error = refused(at, line)
    assert f"may have kept {condition} off" in error.why
    assert not any(each.startswith("reading") for each in error.offers)
    fails = said(at, "orc hits ana for 3, knocked prone, save 8 fails")
    assert {each["type"] for each in fails} >= {"condition_gained", "save_rolled"}


@pytest.mark.parametrize("behind", ["gob succeeds on str save 18", "save 18 succeeds", "gob makes the save with 18"])
def test_a_shove_whose_save_succeeds_leaves_nobody_prone(behind: str) -> None:
    at = table("5e", "join ana party hp=24", "join gob foes hp=20")
    assert "may have kept prone off" in refused(at, f"ana shoves gob prone, {behind}").why
    assert said(at, "ana shoves gob prone, str save 5 fails")[1]["condition"] == "prone"
    assert said(at, f"ana shoves gob, {behind}")[-1]["type"] == "save_rolled"


# ---------------------------------------------------------------- who is seen, and who joins


@pytest.mark.full
@pytest.mark.parametrize("key", sorted(RULESETS))
@pytest.mark.parametrize(
    "line", ["lurker is revealed", "lurker is seen", "lurker is spotted", "lurker is no longer hidden"]
)
def test_who_joined_in_secret_and_is_seen_is_revealed(key: str, line: str) -> None:
    at = table(key, *THREE)
    told = at.tell("secret join Lurker foes hp=10")
    at.take(recorded(told.facts, len(at.records) + 1, secret=True))
    assert said(at, line) == said(at, "reveal lurker")
    assert said(at, line)[0]["ruling"] == "reveal"
    for behind in ("and is revealed", "and is seen"):
        refused(at, f"lurker stabs ana for 3 {behind}")


@pytest.mark.parametrize("key", sorted(RULESETS))
def test_who_has_no_secret_cannot_be_revealed_and_who_is_hidden_is_so_no_longer(key: str) -> None:
    at = three(key)
    for line in ("ana is revealed", "ana is seen"):
        assert "nothing about ana is secret" in refused(at, line).why
    at = heard(at, "ana is hidden")
    for line in ("ana is revealed", "ana is no longer hidden"):
        assert said(at, line)[-1]["type"] == "condition_lost"


@pytest.mark.parametrize("key", sorted(RULESETS))
@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("2 more cultists join", 2),
        ("2 more cultists arrive", 2),
        ("another cultist joins", 1),
        ("one more cultist joins", 1),
    ],
)
def test_more_of_a_kind_have_its_side_and_sheet(key: str, line: str, count: int) -> None:
    at = table(key, *THREE, "join Cultist*2 foes hp=18")
    assert said(at, line) == said(at, f"join Cultist*{count} foes hp=18")


def test_more_of_a_kind_whose_sheets_differ_are_not_copied() -> None:
    at = table("plain", *THREE, "join wolf*2 foes hp=18", "sheet wolf-1 ac=9")
    assert all("hp" not in each.get("sheet", {}) for each in said(at, "2 more wolves join"))


# ---------------------------------------------------------------- the dead


@pytest.mark.full
@pytest.mark.parametrize("line", ["b is revived", "b is resurrected with 5 hp", "b comes back to life", "b is alive"])
@pytest.mark.parametrize("key", sorted(RULESETS))
def test_who_is_up_is_not_brought_back_from_the_dead(key: str, line: str) -> None:
    assert {fact["type"] for fact in said(heard(fight(key), "b is dead"), line)} & {"ruling_made", "healed"}
    at = in_turn(key)
    try:
        facts = said(at, line)
    except NotUnderstood:
        return
    assert {fact["type"] for fact in facts} <= {"noted"}, facts


@pytest.mark.parametrize("key", ["5e", "definition-master", "nameless-journey", "plain"])
def test_what_was_held_is_done_in_the_turn_in_which_it_is_told_and_opens_no_other(key: str) -> None:
    at = heard(in_turn(key), "b readies an attack on g if g moves", "t g", "g goes 10 ft")
    number, points = at.done.state.clock.round, at.done.state.combatants["goblin"].hp
    then = heard(at, "b attacks g for 3").done.state
    assert (then.clock.turn, then.clock.round) == ("goblin", number)
    assert then.combatants["goblin"].hp == (points or 0) - 3


def test_a_way_towards_somebody_is_a_distance_and_no_place() -> None:
    at = heard(fight("5e"), "r", "i mira=15 brand=12 ogre=9", "t mira")
    told = facts(at, "mira moves 20 feet towards the ogre.")
    assert [(each["type"], each.get("distance")) for each in told] == [("moved", {"amount": 20, "unit": "ft"})]


def test_who_drops_by_the_damage_of_a_line_needs_no_ruling() -> None:
    at = heard(fight("plain"), "r", "i brand=12 ogre=9")
    (hurt,) = facts(at, "ogre takes 60, drops")
    assert (hurt["type"], hurt["amount"]) == ("damage_dealt", 60)


def test_a_deed_or_a_flight_at_the_declarations_is_declared() -> None:
    for line, kind in (("brand parries", "parry"), ("brand flees upstairs", "flee")):
        (told,) = facts(heard(fight("osric"), "r"), line)
        assert told["type"] == "action_declared"
        assert kind in (told["action"]["kind"], told["action"].get("name"))


def test_who_flees_and_leaves_leaves_once() -> None:
    (told,) = facts(heard(fight("plain"), "r", "i brand=12 ogre=9"), "ogre flees into the night and leaves the fight")
    assert told["type"] == "combatant_left"
