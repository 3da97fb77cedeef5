"""Lines of people who type in haste, and of those who write as in a novel: each means what a plain sentence says, or is asked about."""

import pytest

from eventstore.events import Amended, DamageDealt, Healed, InitiativeRolled, Noted, Placed, RulingMade
from projections.grammar.tokens import NotUnderstood
from projections.reader.decision import Decision, decide
from tests.projections.grammar.test_line_context import heard
from tests.projections.reader.test_as_people_speak import same
from tests.projections.reader.test_by_meaning_alone import fight, meant, osric
from tests.projections.test_grammar import table

KINDS = ("join orc*3 foes hp=15", "ana orc-1 17 5")


def asked(key: str, line: str, *before: str) -> Decision:
    found = decide(fight(key, *before).context, line)
    assert found.meaning is None
    return found


def test_a_kill_that_is_somebodys_does_not_kill_them() -> None:
    found = asked("5e", "orc 3 down, ana's kill", *KINDS)
    killed = [
        each for offer in found.offers for each in offer.facts if "ana.status" in (getattr(each, "values", None) or {})
    ]
    assert found.offers
    assert not killed


@pytest.mark.parametrize("game", ["plain", "osric"])
def test_whoever_is_said_to_die_is_dead_where_the_points_alone_would_say_less(game: str) -> None:
    at = table(game, "join cy party hp=4", "join gob foes hp=5", "r")
    *_, hurt, ruled = meant(at, "gob hits cy for 6, which kills him")
    assert isinstance(hurt, DamageDealt)
    assert isinstance(ruled, RulingMade)
    assert ruled.values == {"cy.status": "dead"}


def test_what_the_points_say_by_themselves_is_not_ruled() -> None:
    at = table("5e", "join cy party hp=4", "join gob foes hp=5", "r")
    assert isinstance(meant(at, "cy hits gob for 6, it dies")[-1], DamageDealt)


def test_dice_before_a_hit_and_its_damage_are_the_roll() -> None:
    _, roll, hurt = meant(fight("plain"), "ana vs gob 2d6 (5+6) = 11 crit! 10 dmg")
    assert (roll.critical, hurt.amount) == (True, 10)  # type: ignore[attr-defined]
    *_, alone = meant(fight("plain"), "ana hits gob, 2d6 (5+6) = 11")
    assert alone.amount == 11  # type: ignore[attr-defined]


def test_a_critical_called_out_before_the_roll_belongs_to_it() -> None:
    same("5e", "ANA CRIT!!! 1d20 (20) → gob, 14 dmg", "ana crits gob, 1d20 (20), 14 dmg")


def test_of_two_numbers_joined_by_and_each_of_two_rolled_one() -> None:
    (offer,) = asked("5e", "orcs 1 and 2 gang up on bo, 12 and 18, second hits for 4", *KINDS).offers
    rolls = [each.die for each in offer.facts if hasattr(each, "die")]
    hurt = [each.amount for each in offer.facts if isinstance(each, DamageDealt)]
    assert (rolls, hurt) == ([12, 18], [4])


@pytest.mark.parametrize(
    "line", ["hits orc 1, 17, 6", "attacks gob, 14 hits, 9 damage", "2nd swing misses", "moves up on orc 2"]
)
def test_a_line_without_a_subject_is_of_whoever_acted_last(line: str) -> None:
    found = decide(fight("5e", *KINDS).context, line)
    readings = [found.meaning] if found.meaning else [*found.offers]
    assert {getattr(each.facts[0], "combatant", "") for each in readings} == {"ana"}


def test_what_befalls_somebody_without_a_name_is_offered_of_whoever_was_struck_first() -> None:
    first = asked("5e", "takes 5", *KINDS).offers[0].facts[0]
    assert isinstance(first, DamageDealt)
    assert (first.target, first.amount) == ("orc-1", 5)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("bo stands paralysed for 3 rounds", "bo is paralysed for 3 rounds"),
        ("that one is slain", "orc 1 is slain"),
        ("that one's dead", "orc 1 is dead"),
        ("bo hits that one for 4", "bo hits orc 1 for 4"),
        ("the second one hits bo for 3", "orc 2 hits bo for 3"),
        ("ana stabs orc 2 for 9 n its dead", "ana stabs orc 2 for 9 and it's dead"),
        ("ana hits gob, 18 to hit, 15 damage all told", "ana hits gob, 18 to hit, 15 damage"),
        ("gob stabs bo, 24 against his armour, for 9", "gob stabs bo, 24 to hit, for 9"),
        (
            "ana casts web on orc 1 and 2 and both of them fail their dex saves",
            "ana casts web on orc 1 and 2, both fail their dex saves",
        ),
        ("orcs 1 and 2 are put to the sword", "orcs 1 and 2 are killed"),
    ],
)
def test_words_of_novels_and_of_haste_mean_what_plain_ones_do(line: str, plain: str) -> None:
    same("5e", line, plain, *KINDS)


@pytest.mark.parametrize(
    "line",
    [
        "round 2, we get a 5 they get a 3",
        "Round the second: we have a 5, they have a 3",
        "new round, us 5 them 3",
        "round 2: initiative 5 to 3 in our favour",
    ],
)
def test_a_round_may_begin_with_the_initiative_of_both_sides(line: str) -> None:
    rolls = [each for each in meant(heard(osric(), "i party 1 foes 2"), line) if isinstance(each, InitiativeRolled)]
    assert [(each.side, each.die) for each in rolls] == [("party", 5), ("foes", 3)]


@pytest.mark.parametrize(
    ("line", "where"),
    [
        ("ana up on the roof", "up on the roof"),
        ("ana is behind the bar", "behind the bar"),
        ("ana and bo are behind the bar", "behind the bar"),
        ("ana jumps down to the bridge", "down to the bridge"),
    ],
)
def test_who_is_somewhere_is_placed_there(line: str, where: str) -> None:
    placed = [each for each in meant(fight("5e"), line) if isinstance(each, Placed)]
    assert placed
    assert {each.words for each in placed} == {where}


@pytest.mark.parametrize("line", ["ana is on the roof", "ana is on the verge of death", "ana is on the warpath"])
def test_who_is_on_something_may_be_there_or_not(line: str) -> None:
    assert isinstance(asked("5e", line).offers[0].facts[0], Placed)


def test_somebody_on_the_ground_is_prone_and_not_placed() -> None:
    same("5e", "ana is on the ground", "ana is prone")


def test_whoever_turns_to_run_is_not_turned() -> None:
    found = decide(fight("5e").context, "as gob turned to run, bo hits him for 4")
    facts = [each for offer in (found.meaning, *found.offers) if offer for each in offer.facts]
    assert not any(getattr(each, "condition", "") == "turned" for each in facts)


def test_who_goes_before_whom_is_no_move() -> None:
    assert decide(fight("5e").context, "bo goes before ana from now on").meaning is None


@pytest.mark.parametrize("line", ["it was bo, not ana", "actually it was bo who had the opportunity attack, not ana"])
def test_what_one_did_may_have_been_done_by_another(line: str) -> None:
    at = fight("5e", *KINDS)
    amended = [each.replacement for each in at.tell(line).facts if isinstance(each, Amended)]
    assert {each.combatant for each in amended} == {"bo"}  # type: ignore[union-attr]


@pytest.mark.parametrize("line", ["oops last 1 was 4", "last one was 4", "the last hit was 4"])
def test_the_last_one_is_offered_with_another_number(line: str) -> None:
    (amended,) = asked("5e", line, *KINDS).offers[0].facts
    assert isinstance(amended, Amended)
    assert getattr(amended.replacement, "amount", 0) == 4


def test_names_with_a_number_each_are_offered_as_damage() -> None:
    offer = asked("5e", "the barrel bursts: ana 4, bo 5").offers[0]
    assert [(each.target, each.amount) for each in offer.facts] == [("ana", 4), ("bo", 5)]  # type: ignore[attr-defined]


def test_praise_of_a_number_adds_nothing_to_initiative() -> None:
    at = table("5e", "join ana party hp=9", "join bo party hp=9", "join gob foes hp=9")
    rolls = meant(at, "everybody rolled initiative: ana got 21, gob 11 and bo a miserable 4")
    assert [each.total for each in rolls if isinstance(each, InitiativeRolled)] == [21, 11, 4]


def test_whoever_joins_them_is_of_the_side_of_those_before() -> None:
    at = table("osric", "join ana party hp=9", "join bo party hp=9")
    (joined,) = meant(at, "Ysolde joins them with 17 hit points")
    assert joined.side == "party"  # type: ignore[attr-defined]


def test_a_fight_may_be_over_where_it_was() -> None:
    same("5e", "and with that the battle on the moor was over", "and with that the battle was over")


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        (
            "ana atk gob 1d20 (15) + 7 = 22 → hit, dmg 1d6 (3) + 4 = 7",
            "ana attacks gob 1d20 (15) + 7 = 22 → hit, dmg 1d6 (3) + 4 = 7",
        ),
        ("ana sneak atk gob 22 hit 17", "ana sneak attacks gob 22 hit 17"),
        ("gob @ ana 1d20+4 [11] = 15 hit 4dmg", "gob @ ana 1d20 [11] + 4 = 15 hit 4dmg"),
        ("ana dex save 19 ✅, bo dex save 2 ❌", "ana dex save 19 yes, bo dex save 2 no"),
        ("ana hits gob for 5 🎉🎉", "ana hits gob for 5"),
        ("ana: 25 to hit / 9 dmg on gob", "ana: 25 to hit, 9 dmg on gob"),
        ("ana attacks x2 on gob: 23 hits for 12, 14 no", "ana attacks gob: 23 hits for 12, 14 no"),
        ("ana hits gob, dice 15, damage 6", "ana hits gob, rolled 15, damage 6"),
    ],
)
def test_what_bots_print_and_what_is_typed_beside_it_is_read(line: str, plain: str) -> None:
    same("5e", line, plain)


def test_numbers_before_names_are_offered_as_damage_too() -> None:
    (offer,) = asked("5e", "full dmg 49 on bo, 0 on ana (evasion)").offers
    assert [(each.target, each.amount) for each in offer.facts] == [("bo", 49)]  # type: ignore[attr-defined]


def test_two_numbers_of_two_arrows_are_not_the_roll_and_the_damage_of_one() -> None:
    offer = asked("5e", "ana shoots two arrows into gob, 8 and 5").offers[0]
    assert [each.amount for each in offer.facts if isinstance(each, DamageDealt)] == [8, 5]


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("orc 2 OA by bo 12 miss", "bo OA on orc 2 12 miss"),
        ("gob, with a roll of 11, fails to penetrate bo's armour", "gob attacks bo with a roll of 11, misses"),
        ("gob misses bo's shield, 9", "gob misses bo, 9"),
        ("bo's hammer misses orc 2, the die showing a 5", "bo's hammer misses orc 2, rolled 5"),
        ("ana: shield of faith on bo (conc)", "ana casts shield of faith on bo (conc)"),
        ("gob bites ana, 4 hearts", "gob bites ana, 4 hp"),
    ],
)
def test_who_does_what_to_whom_is_told_apart(line: str, plain: str) -> None:
    same("5e", line, plain, *KINDS)


def test_it_behind_a_turn_is_whoever_has_that_turn() -> None:
    turn, left = meant(fight("5e", *KINDS), "it is orc 2's turn and it runs away")
    assert (turn.combatant, left.combatant) == ("orc-2", "orc-2")  # type: ignore[attr-defined]


def test_a_quotation_with_a_deed_behind_it_is_no_mere_remark() -> None:
    with pytest.raises(NotUnderstood, match="a remark, and this tells more"):
        fight("5e").tell('"gotcha" - ana slits gob\'s throat, dead')
    (noted,) = fight("5e").tell('"gotcha", somebody shouts').facts
    assert isinstance(noted, Noted)


@pytest.mark.parametrize("line", ["ana misty step 30ft, bonus", "ana misty steps 30 ft as a bonus action"])
def test_a_spell_with_a_distance_is_no_walk(line: str) -> None:
    act, moved = meant(fight("5e"), line)
    assert (act.action.name, act.action.cost) == ("misty step", "bonus")  # type: ignore[attr-defined]
    assert (moved.mode, moved.cause) == ("teleport", -1)  # type: ignore[attr-defined]


@pytest.mark.parametrize("line", ["ana DS 8 nope", "ds ana: 8, failed"])
def test_a_death_save_may_be_shortened(line: str) -> None:
    (save,) = meant(fight("5e"), line)
    assert (save.purpose, save.die, save.succeeded) == ("death", 8, False)  # type: ignore[attr-defined]


def test_a_number_before_dead_is_damage() -> None:
    same("5e", "ana mauls gob 24 dead", "ana mauls gob for 24, dead")


def test_all_of_a_kind_may_mean_one_more_who_bears_its_name() -> None:
    at = table("osric", "join ana party hp=9", "join gnoll*2 foes hp=9", 'join "gnoll chief" foes hp=12', "r")
    assert decide(at.context, "all of the gnolls attack ana").meaning is None
    assert len(meant(at, "the gnolls attack ana")) == 2


def test_whoever_skips_has_had_their_turn() -> None:
    same("5e", "ana skips", "ana skips her turn")


def test_a_reason_at_the_end_is_left_out_and_the_rest_is_offered() -> None:
    (offer,) = asked("plain", "bo wakes up because gob roars", "bo is asleep").offers
    assert [each.condition for each in offer.facts] == ["asleep"]  # type: ignore[attr-defined]


def test_minus_before_a_number_takes_it_away() -> None:
    same("plain", "ana hits gob really hard, minus 6", "ana hits gob for 6")


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("bo's hit by gob for 6", "gob hits bo for 6"),
        ("bo hits gob for 9, that one falls prone", "bo hits gob for 9, he falls prone"),
        ("bo hits gob for 6 and the second one for 5", "bo hits gob for 6 and for 5"),
        ("gob hits bo for 28, dead tired", "gob hits bo for 28, tired"),
        ("gob takes an opportunity attack from bo, 17 hits, 9", "bo opportunity attack on gob, 17 hits, 9"),
        ("OA on gob by bo, 17 hits, 6", "bo opportunity attack on gob, 17 hits, 6"),
        ("bo attacks gob 2d20kh1 (12, 18) + 5 = 23 for 9", "bo attacks gob, 23 for 9"),
        ("gob eats two hearts", "gob takes 2 hearts"),
    ],
)
def test_words_like_these_mean_somebody_else_or_nothing(line: str, plain: str) -> None:
    found, said = (meant(fight("5e", *KINDS), each) for each in (line, plain))
    whom = [
        [
            (type(each), getattr(each, "combatant", ""), getattr(each, "target", ""), getattr(each, "amount", 0))
            for each in facts
        ]
        for facts in (found, said)
    ]
    assert whom[0] == whom[1]


@pytest.mark.parametrize(
    "line",
    [
        "it was gob not ana that got hit",
        "this one is for bo: 17 hits, 6",
        "gob hits bo, minus 6 for rage",
        "bo minus one arrow",
        "gob gets minus 4",
        "bo attacks x2 on gob, 17 hits, 8 dmg",
        "bo attacks gob 💀",
        '"Duck!" bo dodges',
    ],
)
def test_what_is_only_likely_is_asked_about(line: str) -> None:
    at = fight("5e", *KINDS)
    with pytest.raises(NotUnderstood):
        at.tell(line)


@pytest.mark.parametrize("line", ["new round, 5 of us 3 of them", "round 2: initiative 5 to 3 against us"])
def test_numbers_of_two_sides_that_are_otherwise_meant_are_no_initiative(line: str) -> None:
    assert decide(heard(osric(), "i party 1 foes 2").context, line).meaning is None


def test_healing_by_a_spell_that_no_table_knows_is_no_damage() -> None:
    *_, healed = meant(heard(osric(), "i party 5 foes 3", "bo -9"), "ana casts healing rain on bo for 5")
    assert isinstance(healed, Healed)


@pytest.mark.parametrize(
    "line", ["it was ana not orc 1", "no, that was ana, not orc 1", "sorry, ana was hit, not orc 1"]
)
def test_no_correction_makes_somebody_strike_themselves(line: str) -> None:
    at = fight("5e", *KINDS)
    with pytest.raises(NotUnderstood):
        at.tell(line)


def test_only_so_much_is_about_the_latest_damage_though_a_turn_came_between() -> None:
    at = fight("5e", "gob hits bo for 5", "t bo")
    found = decide(at.context, "gob only did 2 to bo")
    assert found.meaning is None
    assert [type(offer.facts[0]) for offer in found.offers] == [Amended, DamageDealt]


def test_what_an_attacker_only_did_corrects_the_blow_that_was_told_just_before() -> None:
    at = fight("5e", "gob hits bo for 5")
    (amended,) = meant(at, "gob only did 2 to bo")
    assert isinstance(amended, Amended)
    assert isinstance(amended.replacement, DamageDealt)
    assert amended.replacement.amount == 2


def test_a_list_with_a_number_for_nobody_raises_nothing() -> None:
    at = table("osric", "join ana party hp=9", "join orc*2 orcs hp=5")
    for line in ("surprise: party 3 orcs 1", "heroes: party 3 orcs 1", "party 3 orcs 1"):
        decide(at.context, line)
