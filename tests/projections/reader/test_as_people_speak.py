"""Lines as people speak and type in haste: each means what a plain sentence says."""

from contextlib import suppress

import pytest

from eventstore.events import (
    ActionDeclared,
    ActionTaken,
    AttackRolled,
    ConditionGained,
    DamageDealt,
    Healed,
    RulingMade,
    SaveRolled,
    TurnEnded,
)
from projections.grammar.tokens import NotUnderstood
from projections.reader.decision import decide
from tests.projections.grammar.test_line_context import heard
from tests.projections.reader.test_by_meaning_alone import PEOPLE, fight, meant
from tests.projections.test_grammar import table


def same(key: str, line: str, plain: str, *before: str) -> None:
    assert meant(fight(key, *before), line) == meant(fight(key, *before), plain)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("oh no, ana hits gob for 5 lol", "ana hits gob for 5"),
        ("k ana hits gob for 5!!! woohoo", "ana hits gob for 5"),
        ("ugh gob misses ana phew", "gob misses ana"),
        ("ana um hits gob for uh 5", "ana hits gob for 5"),
        ("gob is down, yesss", "gob is down"),
        ("noooo ana is prone!!!!", "ana is prone"),
        ("ana hits gob for 5, good job", "ana hits gob for 5"),
    ],
)
def test_what_people_call_out_adds_nothing(line: str, plain: str) -> None:
    same("5e", line, plain)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("ana hits gob for 5 and hes prone", "ana hits gob for 5 and he's prone"),
        ("thats ana prone", "that's ana prone"),
        ("ana attacks gob, shes missed", "ana attacks gob, she has missed"),
    ],
)
def test_an_apostrophe_may_be_left_out(line: str, plain: str) -> None:
    found, said = (decide(fight("5e").context, each) for each in (line, plain))
    assert (found.meaning, found.offers) == (said.meaning, said.offers)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("ana swings at gob, 14, no sorry, 16, misses", "ana swings at gob, 16, misses"),
        ("ana hits gob for 5, I mean 7", "ana hits gob for 7"),
        ("ana hits gob for five no wait six", "ana hits gob for 6"),
    ],
)
def test_a_number_that_is_taken_back_at_once_does_not_count(line: str, plain: str) -> None:
    same("5e", line, plain)


KIND = ("join orc*3 foes hp=10",)


@pytest.mark.parametrize("key", ["5e", "plain"])
def test_a_kind_with_the_is_the_one_of_it_whom_the_line_has_named(key: str) -> None:
    same(key, "ana hits orc 2 for 10 and the orc dies", "ana hits orc 2 for 10 and orc 2 dies", *KIND)


def test_a_kind_of_whom_the_line_has_named_two_is_asked_about() -> None:
    found = decide(fight("5e", *KIND).context, "ana hits orc 1 for 3, bo hits orc 2 for 3, and the orc falls prone")
    assert found.meaning is None


def test_whoever_is_run_up_to_is_hit() -> None:
    went, *blow = meant(fight("5e"), "ana runs up to gob and hits him with a 22 for 11 slashing damage")
    assert (went.combatant, went.words) == ("ana", "up to gob")  # type: ignore[attr-defined]
    assert blow[1].target == "gob"  # type: ignore[attr-defined]


def test_what_is_rolled_behind_a_blow_without_a_number_is_its_roll() -> None:
    same(
        "5e",
        "ana stabs gob with her dagger she got a 19 that hits for 4",
        "ana stabs gob with her dagger, 19, hits for 4",
    )


def test_what_the_target_of_a_spell_rolls_is_its_save_and_no_damage() -> None:
    cast, save, state = meant(fight("5e"), "ana casts hold person on gob he only got an eight so he's paralyzed")
    assert (save.combatant, save.die, state.condition) == ("gob", 8, "paralyzed")  # type: ignore[attr-defined]
    assert (cast.action.name, cast.action.targets) == ("hold person", ("gob",))  # type: ignore[attr-defined]


def test_of_two_who_save_one_saves_and_the_other_does_not() -> None:
    _, *saves = meant(fight("5e"), "bo casts web on ana and gob, ana saves with a 16, gob doesn't")
    assert [(each.combatant, each.succeeded) for each in saves] == [("ana", True), ("gob", False)]  # type: ignore[attr-defined]


def test_sentences_without_a_mark_between_them_are_told_apart() -> None:
    same(
        "5e",
        "ana hits gob for 5 the gob hits bo for 3",
        "ana hits gob for 5. gob hits bo for 3",
    )


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("ana hurls a fireball at gob", "ana casts fireball on gob"),
        ("ana throws a fireball at gob for 12", "ana casts fireball on gob for 12"),
        ("ana uses hold person on gob", "ana casts hold person on gob"),
    ],
)
def test_whoever_does_something_with_a_spell_casts_it(line: str, plain: str) -> None:
    same("5e", line, plain)


def test_whoever_starts_on_a_spell_declares_it_and_nothing_takes_effect_yet() -> None:
    at = heard(table("osric", *PEOPLE), "r")
    (declared,) = meant(at, "ana starts on hold person, 5 segs")
    assert (declared.action.kind, declared.action.name, declared.action.time) == ("cast", "hold person", 5)  # type: ignore[attr-defined]


def test_numbers_before_those_at_whom_a_spell_is_count_its_missiles() -> None:
    for line in (
        "ana casts magic missile two at orc 1 for 7 and one at orc 2 for 4",
        "ana casts Magic Missile, two into the first orc for 7 and one into the second orc for 4",
    ):
        _, *damage = meant(fight("5e", *KIND), line)
        assert [(each.target, each.amount) for each in damage] == [("orc-1", 7), ("orc-2", 4)]  # type: ignore[attr-defined]


@pytest.mark.parametrize("line", ["ana does healing word on bo for 6", "ana hits bo with a healing word for 6"])
def test_a_spell_that_heals_hurts_nobody_whatever_the_verb(line: str) -> None:
    _, healed = meant(fight("5e", "bo takes 10"), line)
    assert (healed.target, healed.amount) == ("bo", 6)  # type: ignore[attr-defined]


def test_whoever_is_healed_and_so_up_again_is_not_told_of_twice() -> None:
    same(
        "5e",
        "ana casts healing word on bo for 6 so bo's awake again",
        "ana casts healing word on bo for 6",
        "bo takes 30",
    )


@pytest.mark.parametrize(
    "line",
    [
        "ana hits gob for 10, leaving him on 20",
        "ana hits gob for 10 which leaves gob at 20",
        "ana hits gob for 10, that puts him at 20",
    ],
)
def test_the_points_that_are_left_are_checked(line: str) -> None:
    *_, damage, left = meant(fight("5e"), line)
    assert (damage.amount, left.values) == (10, {"gob.hp": 20})  # type: ignore[attr-defined]


def test_points_that_are_left_and_do_not_agree_are_asked_about() -> None:
    assert decide(fight("5e").context, "ana hits gob for 10, leaving him on 12").meaning is None


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("gob bites ana for 7 and knocks her to the ground", "gob bites ana for 7 and knocks ana prone"),
        (
            "ana swung at gob and rolled an 18, which was a hit, and she did 8 damage",
            "ana attacks gob, rolls 18, hits, 8 damage",
        ),
        ("ana gets back on her feet and hits the gob for 5", "ana stands up. ana hits gob for 5"),
        (
            "ana uses action surge and swings at gob, 24 hits for 14",
            "ana uses action surge. ana swings at gob, 24 hits for 14",
        ),
    ],
)
def test_one_deed_behind_the_other_is_told_by_whoever_did_the_first(line: str, plain: str) -> None:
    same("5e", line, plain)


def test_of_several_who_strike_the_first_one_hits_and_the_other_one_misses() -> None:
    told = meant(
        fight("plain", *KIND), "orcs 2 and 3 both attack ana, and the first one does 2 damage but the other one misses"
    )
    rolls = [(each.combatant, each.hit) for each in told if isinstance(each, AttackRolled)]
    assert rolls == [("orc-2", True), ("orc-3", False)]


def test_an_ordinal_before_a_kind_of_two_words_counts_that_kind() -> None:
    at = fight("plain", "join bandit*2 foes hp=9", "join bandit-leader*2 foes hp=20")
    (act, *_) = meant(at, "the second bandit leader hits ana for 3")
    assert act.combatant == "bandit-leader-2"  # type: ignore[attr-defined]


def test_what_everybody_is_told_to_do_is_no_deed_of_theirs() -> None:
    assert decide(fight("5e").context, "everybody breathe").meaning is None


def test_a_defence_behind_a_blow_is_its_miss_and_nobody_elses_deed() -> None:
    same("plain", "gob stabs at ana but she parries", "gob stabs at ana, misses")
    assert decide(fight("plain").context, "gob hits ana for 5 and she moves away").meaning is None


def test_one_behind_an_ordinal_is_no_number() -> None:
    told = meant(fight("plain"), "ana attacks twice: first one hits gob for 6, second one misses")
    assert [(each.die, each.hit) for each in told if isinstance(each, AttackRolled)] == [(None, True), (None, False)]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("ana throws a chair at gob, 15, hits for 3", "chair"),
        ("ana lobs a flask at gob, 15, hits for 3", "flask"),
        ("ana throws her shield at gob, 15, hits for 3", "shield"),
    ],
)
def test_what_stands_behind_a_verb_of_throwing_is_what_is_thrown(line: str, name: str) -> None:
    assert meant(fight("5e"), line)[0].action.name == name  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("line", "origin"),
    [
        ("ana hits gob, 19 hits, 11 force + 3 necrotic from hex", "hex"),
        ("ana stabs gob 18, 4 piercing plus 7 sneak attack", "sneak attack"),
        ("ana stabs gob 18 for 4 piercing and 7 from sneak attack", "sneak attack"),
    ],
)
def test_further_damage_keeps_what_it_comes_from_and_casts_nothing(line: str, origin: str) -> None:
    act, _, damage = meant(fight("5e"), line)
    assert (act.action.kind, damage.parts[-1].name) == ("attack", origin)  # type: ignore[attr-defined]


def test_yes_and_no_right_behind_a_roll_say_whether_it_hits() -> None:
    told = meant(fight("plain", *KIND), "orc 1 at bo 8 no, orc 2 at bo 17 yes for 6")
    assert [each.hit for each in told if isinstance(each, AttackRolled)] == [False, True]


def test_whoever_is_given_a_potion_is_healed_by_it() -> None:
    act, healed = meant(fight("5e", "ana takes 10"), "bo gives ana a healing potion, she regains 7")
    assert (act.action.kind, healed.target) == ("other", "ana")  # type: ignore[attr-defined]


@pytest.mark.parametrize("key", ["osric", "5e", "plain"])
def test_whoever_drops_asleep_is_asleep_and_not_awake(key: str) -> None:
    at = fight(key) if key != "osric" else heard(table(key, *PEOPLE), "r")
    assert isinstance(meant(at, "gob drops asleep")[0], ConditionGained)


@pytest.mark.parametrize("line", ["bo's casting magic missile at gob", "bo is casting magic missile at gob"])
def test_whoever_is_casting_casts(line: str) -> None:
    act = meant(fight("5e"), line)[0]
    assert (act.combatant, act.action.name) == ("bo", "magic missile")  # type: ignore[attr-defined]


def test_what_somebody_will_do_is_declared_where_that_is_done_and_asked_about_elsewhere() -> None:
    at = heard(table("osric", *PEOPLE), "r", "i party=3 foes=4")
    assert isinstance(meant(at, "ana declares she will attack gob")[0], ActionDeclared)
    assert decide(fight("5e").context, "ana will attack gob").meaning is None


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("bless from cleo on ana and bo", "cleo casts bless on ana and bo"),
        ("burning hands by cleo on gob, 14 fire", "cleo casts burning hands on gob, 14 fire"),
        ("gob two claws on bo, 16 miss, 18 hit, 7 slashing", "gob claws on bo, 16 miss, 18 hit, 7 slashing"),
        ("ana shoots gob, 18 on the die and 25 in total, 7 piercing", "ana shoots gob, 18+7=25, 7 piercing"),
        ("gob loses 5 points of life", "gob loses 5 hp"),
    ],
)
def test_short_and_foreign_ways_of_saying_it(line: str, plain: str) -> None:
    same("5e", line, plain, "join cleo party hp=20")


@pytest.mark.parametrize(
    "line", ["gob bites ana 15, hits, 6 piercing, 24 hp left", "gob bites ana 15, hits, 6 piercing, 24 left"]
)
def test_the_points_that_are_left_are_no_damage(line: str) -> None:
    *_, damage, left = meant(fight("5e"), line)
    assert (damage.amount, left.values) == (6, {"ana.hp": 24})  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "line",
    [
        "3 orcs left",
        "ana on gob with bless, 17, hit, 9",
        "gob at ana 17, shield as reaction, ac 20, miss",
        "gob hits ana for 5, 12 left",
    ],
)
def test_what_may_be_meant_otherwise_is_asked_about(line: str) -> None:
    assert decide(fight("5e", *KIND).context, line).meaning is None


def test_that_a_side_is_surprised_follows_from_the_dice_of_the_same_line() -> None:
    at = table("osric", *PEOPLE)
    same_facts = [
        meant(at, line)
        for line in ("surprise: party 4, foes 2, so foes surprised 2 segments", "surprise: party 4, foes 2")
    ]
    assert same_facts[0] == same_facts[1]


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("ana hits two times gob, for 15 and for 12 points", "ana hits gob for 15. ana hits gob for 12"),
        ("with her second attack gob misses ana", "gob misses ana"),
        ("gob bites ana with 12, and ana loses 15 points", "gob bites ana with 12, hits for 15"),
        ("gob shoots at ana with his bow but he misses her with 11", "gob shoots at ana with his bow, 11, misses"),
    ],
)
def test_unidiomatic_english_means_what_it_says(line: str, plain: str) -> None:
    same("5e", line, plain)


def test_a_word_behind_a_number_of_damage_is_its_type_where_any_type_may_be() -> None:
    *_, damage = meant(fight("plain"), "gob blasts ana for 5 kinetic")
    assert damage.parts[0].damage_type == "kinetic"  # type: ignore[attr-defined]
    *_, damage = meant(fight("5e"), "gob hits ana for 5 kinetic damage")
    assert damage.parts[0].damage_type == "kinetic"  # type: ignore[attr-defined]
    assert decide(fight("5e").context, "gob hits ana for 5 kinetic").meaning is None


def test_whoever_has_finished_ends_a_turn_and_whoever_is_finished_may_be_out() -> None:
    assert isinstance(fight("5e").tell("ana has finished").facts[-1], TurnEnded)
    assert decide(fight("5e").context, "gob is finished").meaning is None


@pytest.mark.parametrize("line", ["bo on 12 hp", "bo is on 12 hp"])
def test_whoever_is_on_so_many_points_has_them_and_strikes_nobody(line: str) -> None:
    same("5e", line, "bo is at 12 hp")


def test_numbers_of_two_against_each_other_are_no_blow() -> None:
    assert decide(fight("5e").context, "ana beats gob, 17 to 12").meaning is None


def test_two_numbers_with_a_plus_behind_a_kind_are_two_of_it() -> None:
    told = meant(fight("plain", *KIND), "orcs 1+2 swarm ana, 14 hit 7 miss, 3 cold")
    assert [each.combatant for each in told if isinstance(each, AttackRolled)] == ["orc-1", "orc-2"]


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("ana backstabs gob, 13 +4 makes 17, hits, 5 x 2 = 10", "ana backstabs gob, 13+4 = 17, hits, 10 damage"),
        ("gob at bo w. rusty scimitar, 17 hits, dmg 4", "gob at bo with rusty scimitar, 17 hits, 4 damage"),
    ],
)
def test_sums_in_words_and_short_words_with_a_full_stop(line: str, plain: str) -> None:
    same("plain", line, plain)


@pytest.mark.parametrize("words", ["the others fail", "the rest fail", "the others don't"])
def test_the_others_are_those_at_whom_the_last_spell_was_too(words: str) -> None:
    at = fight("5e", "join goblin*4 foes hp=30", "ana casts fireball on goblin-1, goblin-2, goblin-3")
    saves = meant(at, f"goblin 1 saves, {words}")
    told = [(each.combatant, each.succeeded) for each in saves]  # type: ignore[attr-defined]
    assert told == [("goblin-1", True), ("goblin-2", False), ("goblin-3", False)]


def test_a_spell_that_heals_is_the_one_that_is_named_whatever_was_cast_before() -> None:
    at = fight("5e", "bo takes 20", "ana casts cure wounds on bo for 8")
    act, healed = meant(at, "ana: healing word on bo, 6 hp back")
    assert (act.action.kind, act.action.name, healed.amount) == ("cast", "healing word", 6)  # type: ignore[attr-defined]


def test_the_other_two_are_two_and_the_other_is_one() -> None:
    at = fight("plain", *KIND, "ana casts fireball on orc-1, orc-2, orc-3")
    saves = meant(at, "orc 3 saves with a 15, the other two fail")
    assert [each.combatant for each in saves] == ["orc-3", "orc-1", "orc-2"]  # type: ignore[attr-defined]
    assert decide(at.context, "orc 3 saves with a 15, the other fails").meaning is None


@pytest.mark.parametrize(
    "line",
    [
        "ana completes sleep",
        "gob's cure goes off",
        "and she backs off 30 feet",
        "ana d dagger on gob",
        "ana finishes off gob",
    ],
)
def test_of_old_school_nothing_is_made_up(line: str) -> None:
    at = heard(table("osric", *PEOPLE), *KIND, "r")
    assert decide(at.context, line).meaning is None


@pytest.mark.parametrize(
    "line",
    [
        "initiative 6 for us and 2 for the orcs",
        "the party rolled a 6 and the orcs a 2",
        "Initiative: we have 6, they have 2, so we go first",
        "init 6-2, the party wins",
        "init 2-6, the party has it",
        "init 6-2 us",
    ],
)
def test_whoever_rolls_against_a_side_is_the_other_side(line: str) -> None:
    at = heard(table("osric", *PEOPLE), *KIND, "r")
    assert {each.side: each.die for each in meant(at, line)} == {"party": 6, "foes": 2}  # type: ignore[attr-defined]


def test_who_goes_first_is_not_recorded_against_the_dice() -> None:
    at = heard(table("osric", *PEOPLE), *KIND, "r")
    assert decide(at.context, "initiative: we have 6, they have 2, they go first").meaning is None


def test_sides_that_tie_have_one_number() -> None:
    at = heard(table("osric", *PEOPLE), *KIND, "r")
    assert {each.side: each.die for each in meant(at, "we have tied at 3 apiece")} == {"party": 3, "foes": 3}  # type: ignore[attr-defined]


def test_it_behind_a_mark_is_whoever_the_line_names() -> None:
    at = heard(table("osric", *PEOPLE), *KIND, "r", "i party=3 foes=4", "orc-1 takes 1")
    found = decide(at.context, "morale for orc 2: rolled 11, it surrenders")
    assert found.meaning is not None
    assert found.meaning.facts[-1].targets == ("orc-2",)  # type: ignore[attr-defined]


def test_foes_are_no_combatant_who_is_a_side_of_its_own() -> None:
    at = table("osric", "join mirelle party hp=5", "join thorgar hp=20")
    assert {each.side for each in meant(at, "four gnolls join the foes, 9 hp each")} == {"foes"}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "line", ["is gob still prone?", "is gob prone", "is gob poisoned or prone?", "is gob stunned?"]
)
def test_whether_somebody_is_in_a_state_is_answered_by_their_conditions(line: str) -> None:
    found = decide(fight("5e", "gob is prone").context, line).meaning
    assert found is not None
    assert (found.rest, found.words) == ("why", "gob.conditions")


def test_several_who_shoot_take_the_weapon_that_shoots() -> None:
    facts = meant(fight("5e", "join goblin*2 foes"), "goblins 1 and 2 shoot at ana, both miss")
    assert {fact.action.name for fact in facts if isinstance(fact, ActionTaken)} == {"shortbow"}


@pytest.mark.parametrize(
    ("line", "healer"),
    [
        ("ana stands up and casts healing word on bo for 7", "ana"),
        ("bo moves to ana and uses lay on hands on her for 7", "bo"),
        ("bo hits gob for 4 and heals ana for 7", "bo"),
    ],
)
def test_whoever_goes_on_with_a_verb_heals_whom_it_names(line: str, healer: str) -> None:
    facts = meant(fight("5e"), line)
    (healed,) = (fact for fact in facts if isinstance(fact, Healed))
    assert healed.source == healer
    assert {fact.combatant for fact in facts if isinstance(fact, ActionTaken)} == {healer}


def test_how_a_blow_is_struck_is_no_weapon() -> None:
    act, *_ = meant(fight("5e"), "ana recklessly attacks gob, 21, 15 damage")
    assert isinstance(act, ActionTaken)
    assert (act.action.name, act.action.manner) == (None, ("reckless",))


def test_points_to_which_somebody_goes_down_are_those_of_now() -> None:
    same("5e", "gob is down to 3", "gob takes 27")


@pytest.mark.parametrize("line", ["gob has 3 left", "gob has 3 hp left"])
def test_points_left_that_the_log_does_not_have_are_asked_about(line: str) -> None:
    found = decide(fight("5e").context, line)
    assert found.meaning is None
    assert [*found.offers[0].facts] == meant(fight("5e"), "gob takes 27")


def test_the_fight_is_over_in_short() -> None:
    same("5e", "fight's over, party wins", "the fight is over, party wins")


def test_a_spell_of_the_tables_is_cast_by_any_verb() -> None:
    same("5e", "bo uses spare the dying on ana", "bo casts spare the dying on ana")


@pytest.mark.parametrize("cause", ["the spike trap", "a pit trap", "the trap"])
def test_nobody_is_trapped_by_the_damage_of_a_trap(cause: str) -> None:
    assert not any(
        isinstance(fact, ConditionGained) for fact in meant(fight("plain"), f"ana takes 2 damage from {cause}")
    )


def test_a_bonus_of_a_spell_heals_nobody() -> None:
    found = decide(fight("osric").context, "ana casts bless, everyone gets +1")
    assert not any(isinstance(fact, Healed) for each in (found.meaning, *found.offers) if each for fact in each.facts)


def test_everyone_whom_somebody_heals_is_on_their_side() -> None:
    facts = meant(fight("5e"), "ana casts prayer of healing, everyone gets 5 hp")
    assert [fact.target for fact in facts if isinstance(fact, Healed)] == ["ana", "bo"]


def test_a_cure_that_is_cast_is_an_act_by_whatever_name() -> None:
    act, healed = meant(fight("plain"), "ana casts cure light on bo, 6 points")
    assert isinstance(act, ActionTaken)
    assert (act.action.kind, act.action.name) == ("cast", "cure light")
    assert isinstance(healed, Healed)
    assert healed.cause == -1


def test_so_many_of_a_kind_are_offered_together_and_more_than_there_are_never() -> None:
    at = fight("plain", "join orc*5 foes hp=6")
    (offer,) = decide(at.context, "4 orcs are prone").offers
    assert [fact.targets for fact in offer.facts if isinstance(fact, ConditionGained)] == [
        tuple(f"orc-{n}" for n in (1, 2, 3, 4))
    ]
    assert decide(at.context, "7 orcs are prone").offers == ()


def test_as_many_of_a_kind_as_are_up_are_those() -> None:
    at = fight("plain", "join orc*3 foes hp=6", "orc-2 -9")
    same_facts = meant(at, "two orcs are prone")
    assert [fact.targets for fact in same_facts if isinstance(fact, ConditionGained)] == [("orc-1", "orc-3")]


def test_a_thing_of_something_is_thrown_by_its_whole_name() -> None:
    act, *_ = meant(fight("plain"), "ana throws a flask of oil at gob, hits for 5 fire")
    assert isinstance(act, ActionTaken)
    assert act.action.name == "flask of oil"


def test_missiles_are_counted_behind_whom_they_strike() -> None:
    same("5e", "ana casts magic missile at gob, 2 missiles, 7 damage", "ana casts magic missile at gob, 7 damage")


@pytest.mark.parametrize("behind", ["hit 6, hit 4", "hit for 6, hit for 4"])
def test_hits_that_tell_no_roll_tell_their_damage(behind: str) -> None:
    facts = meant(fight("plain"), f"ana looses two arrows at gob: {behind}")
    assert [fact.amount for fact in facts if isinstance(fact, DamageDealt)] == [6, 4]
    assert [fact.die for fact in facts if isinstance(fact, AttackRolled)] == [None, None]


def test_whoever_is_the_only_one_left_has_not_left_and_who_just_left_has() -> None:
    assert decide(fight("plain").context, "only gob left").meaning is None
    same("plain", "gob just left", "gob left")


def test_may_and_will_are_names_beside_a_save() -> None:
    (save,) = meant(fight("5e", "join may party hp=9"), "may makes her dex save")
    assert isinstance(save, SaveRolled)
    assert (save.combatant, save.succeeded) == ("may", True)


def test_a_shield_that_somebody_blocks_with_is_no_spell() -> None:
    assert decide(fight("plain").context, "ana blocks with her shield").meaning is None


def test_half_of_what_nobody_told_is_not_left_out() -> None:
    assert decide(fight("plain").context, "actually ana saved so half").meaning is None


def test_whoever_pops_out_is_not_out_of_the_fight() -> None:
    found = decide(fight("plain").context, "ana pops out and stabs gob, 18, 9 damage")
    ways = [each for each in (found.meaning, *found.offers) if each]
    assert not any(isinstance(fact, RulingMade) for each in ways for fact in each.facts)


@pytest.mark.parametrize("line", ["gob 11/30", "gob: 11/30", "gob 30 -> 11", "gob 11/30 hp"])
def test_points_beside_their_maximum_or_behind_those_of_before_are_those_of_now(line: str) -> None:
    same("plain", line, "gob takes 19")


@pytest.mark.parametrize("line", ["gob 11/40", "gob 25 -> 11"])
def test_numbers_that_are_not_the_points_of_somebody_are_not_taken_for_them(line: str) -> None:
    found = decide(fight("plain").context, line)
    assert not any(isinstance(fact, DamageDealt) and fact.amount == 19 for each in found.offers for fact in each.facts)
    assert found.meaning is None


@pytest.mark.parametrize("line", ["gob is at 11", "gob is at", "gob is with 2"])
def test_no_preposition_is_a_condition(line: str) -> None:
    found = decide(fight("plain").context, line)
    assert not any(
        isinstance(fact, ConditionGained) for each in (found.meaning, *found.offers) if each for fact in each.facts
    )
    with suppress(NotUnderstood):
        assert not any(isinstance(fact, ConditionGained) for fact in fight("plain").tell(line).facts)


@pytest.mark.parametrize("line", ["ana is grappled by gob", "ana is grappled by the gob"])
def test_whoever_is_grappled_by_somebody_grapples_nobody(line: str) -> None:
    (gained,) = meant(fight("5e"), line)
    assert isinstance(gained, ConditionGained)
    assert (gained.condition, gained.targets, gained.source) == ("grappled", ("ana",), "gob")


def test_what_halves_damage_is_not_spent() -> None:
    same("5e", "ana takes 12, halved to 6 by rage", "ana takes 6 from rage")


def test_whoever_has_resistance_casts_nothing() -> None:
    found = decide(fight("5e").context, "ana has resistance so takes 6")
    assert not any(
        isinstance(fact, ActionTaken) for each in (found.meaning, *found.offers) if each for fact in each.facts
    )


def test_a_pet_name_is_asked_about() -> None:
    at = fight("plain", "join Thessaly party hp=20")
    found = decide(at.context, "tess is prone")
    assert found.meaning is None
    assert [fact.targets for each in found.offers for fact in each.facts if isinstance(fact, ConditionGained)] == [
        ("thessaly",)
    ]


def test_a_weapon_between_two_numbers_may_be_the_next_blow_and_is_asked_about() -> None:
    assert decide(fight("plain").context, "gob claws ana 14 then beak 9").meaning is None
