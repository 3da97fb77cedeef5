"""Lines that people dictate or type in a hurry: the end of a round without marks, two for to, they of the last saves."""

import pytest

from eventstore.events import CombatantJoined
from projections.reader.decision import decide
from tests.projections.reader.test_by_meaning_alone import fight, meant
from tests.projections.reader.test_narration import first_offer, same
from tests.projections.test_grammar import table

HELD = ("ana casts hold person on gob and bo", "gob wis save 5 fails", "bo wis save 7 fails")


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("end of round gob is prone", "end of round. gob is prone"),
        ("end of the round gob takes 5", "end of the round. gob takes 5"),
        ("gob is prone and that's the end of round one", "gob is prone. end of round 1"),
        ("ana gives bo 8 temp hp end of round 1", "ana gives bo 8 temp hp. end of round 1"),
        ("gob attacks ana nineteen two hit six piercing", "gob attacks ana 19 to hit 6 piercing"),
        ("ana darts 20 feet", "ana moves 20 feet"),
        ("ana darts at gob 17 hits for 3", "ana attacks gob with darts, 17 hits for 3"),
    ],
)
def test_a_round_ends_beside_what_is_told_without_marks_and_two_may_be_to(line: str, plain: str) -> None:
    same("5e", line, plain)


@pytest.mark.parametrize(
    "line",
    [
        "gob is stunned until the end of the round",
        "ana hits gob for 5 at the end of the round",
        "gob is prone till end of round",
    ],
)
def test_the_end_of_a_round_may_be_a_time_only(line: str) -> None:
    found = decide(fight("5e").context, line)
    assert found.meaning is None or "RoundEnded" not in str(found.meaning.facts)


def test_next_turn_before_a_deed_of_whoever_comes_next_adds_nothing() -> None:
    same("5e", "next turn, bo hits gob for 5", "bo hits gob for 5")
    assert decide(fight("5e").context, "next turn gob hits bo for 5").meaning is None


@pytest.mark.parametrize("line", ["they are both prone", "so they are both prone", "they both fall prone"])
def test_both_are_those_who_failed_the_last_saves(line: str) -> None:
    assert "targets=('gob', 'bo')" in str(meant(fight("5e", *HELD), line))


@pytest.mark.parametrize("line", ["they are prone", "they are all prone"])
def test_they_are_only_likely_those_who_failed(line: str) -> None:
    assert "targets=('gob', 'bo')" in str(first_offer("5e", line, *HELD))


def test_he_may_be_whom_the_state_of_the_last_line_is_about() -> None:
    assert decide(fight("5e", "bo is prone", "bo not prone").context, "he moves 20 feet").meaning is None
    same("5e", "he hits bo for 4", "gob hits bo for 4", "bo is prone", "bo not prone")


@pytest.mark.parametrize("line", ["the hold person on gob shatters", "hold person crumbles", "hold person unravels"])
def test_an_effect_ends_in_any_picture(line: str) -> None:
    assert "EffectEnded" in str(meant(fight("5e", HELD[0]), line))


def test_what_befalls_a_running_effect_in_unknown_words_does_not_begin_it() -> None:
    assert decide(fight("5e", HELD[0]).context, "the hold person on gob shimmers").meaning is None
    save, ended = meant(fight("5e", HELD[0]), "ana's con save is a 6, and her hold person shatters")
    assert (type(save).__name__, type(ended).__name__) == ("SaveRolled", "EffectEnded")


@pytest.mark.parametrize("line", ["gob smashes ana 7, she's dazed", "gob smashes ana 7 and she's dazed"])
def test_a_number_before_a_state_is_damage_or_a_roll_that_hit(line: str) -> None:
    hurt, rolled = decide(fight("plain").context, line).offers
    assert "DamageDealt" in str(hurt.facts)
    assert "DamageDealt" not in str(rolled.facts)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("elara our druid has twenty eight hit points", "elara has 28 hp on our side"),
        ("Odo, our cleric: 38 hp, AC 18.", "Odo, cleric: 38 hp, AC 18 on our side"),
        ("mo 18hp also w us", "mo 18hp also with us"),
        ("Two ghouls claw out of the graves, 22 hp each", "Two ghouls come out of the graves, 22 hp each"),
    ],
)
def test_our_class_is_of_our_side_and_those_who_claw_their_way_out_join(line: str, plain: str) -> None:
    found, other = (decide(table("plain").context, each).meaning for each in (line, plain))
    assert found is not None
    assert other is not None
    assert [(each.combatant, each.side) for each in found.facts if isinstance(each, CombatantJoined)] == [
        (each.combatant, each.side) for each in other.facts if isinstance(each, CombatantJoined)
    ]


def test_nobody_is_called_by_what_they_do() -> None:
    assert decide(table("plain").context, "a goblin attacks our druid, 7 hp").meaning is None


@pytest.mark.parametrize("line", ["gob gets out of the net", "gob slips out of the web", "gob cuts itself free"])
def test_whoever_gets_out_of_what_holds_them_is_free(line: str) -> None:
    assert "ConditionLost(condition='stuck'" in str(meant(fight("plain", "gob is stuck"), line))


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("ana casts web dc 13 dex bo fails gob saves", "ana casts web dc 13 dex, bo fails, gob saves"),
        (
            "ana casts vicious mockery on gob fails wisdom save 3 psychic",
            "ana casts vicious mockery on gob, gob fails wisdom save, 3 psychic",
        ),
    ],
)
def test_saves_behind_a_spell_need_no_marks(line: str, plain: str) -> None:
    same("5e", line, plain)


@pytest.mark.parametrize(
    "line", ["gob leaps aside with a 16", "gob makes it with a 16 for half", "gob dives clear with a 16 for half"]
)
def test_whoever_leaps_aside_saves_where_a_save_is_owed(line: str) -> None:
    same("5e", line, "gob saves with a 16", "ana casts fireball on gob and bo, dex dc 14")


def test_whoever_leaps_aside_without_a_number_may_only_move() -> None:
    demanded = fight("5e", "ana casts fireball on gob and bo, dex dc 14")
    assert decide(demanded.context, "gob leaps aside").meaning is None
    assert not any("SaveRolled" in str(each.facts) for each in decide(fight("5e").context, "gob leaps aside").offers)


def test_a_round_before_a_question_is_not_lost() -> None:
    begun, asked = decide(fight("5e").context, "Round 2, and whose turn is it?").offers
    assert "RoundStarted" in str(begun.facts)
    assert asked.rest
    same_round = decide(fight("5e").context, "round 1, whose turn is it?").meaning
    assert same_round is not None
    assert same_round.rest == "who"


def test_a_number_for_each_is_no_roll_where_no_blow_had_one() -> None:
    at = fight("plain", "ana hits gob for 3")
    first, *others = decide(at.context, "ana and bo both hit gob 3 each").offers
    assert "DamageDealt" in str(first.facts)
    assert others == []


@pytest.mark.parametrize(
    "line",
    ["four bandits against them 11 hp each", "four bandits face them, 11 hp each", "Behind them lurks Malrek, 45 hp"],
)
def test_whoever_is_against_them_or_behind_them_is_not_on_their_side(line: str) -> None:
    found = decide(table("plain", "join elara party hp=3").context, line).meaning
    assert found is not None
    assert "side='party'" not in str(found.facts)


def test_a_high_number_in_words_before_hits_is_rolled() -> None:
    same(
        "5e",
        "gob attacks ana with his scimitar eighteen hits eight slashing",
        "gob attacks ana with his scimitar 18 hits 8 slashing",
    )


def test_a_spell_that_engulfs_others_is_cast_on_them() -> None:
    same("5e", "ana's fireball engulfs gob and bo, dex dc 14", "ana casts fireball on gob and bo, dex dc 14")
    cast = fight("5e", "ana casts fireball")
    assert decide(cast.context, "ana's fireball engulfs gob and bo, 12 fire").meaning is None


@pytest.mark.parametrize(
    "line",
    [
        "ana casts burning hands on gob and bo, dex dc 14, 12 fire",
        "ana's burning hands engulfs gob and bo, dex dc 14, 12 fire",
    ],
)
def test_damage_before_saves_that_may_halve_it_is_asked_about(line: str) -> None:
    whole, cast = decide(fight("5e").context, line).offers
    assert str(whole.facts).count("DamageDealt") == 2
    assert "DamageDealt" not in str(cast.facts)


def test_a_possessive_before_a_save_is_likely_whoever_was_struck() -> None:
    assert "combatant='gob'" in str(first_offer("5e", "his con save is a 6", "ana hits gob for 4"))


def test_a_state_that_both_are_in_already_is_asked_about() -> None:
    held = fight("5e", "ana casts web dc 13 dex bo fails gob fails")
    assert decide(held.context, "so they are both restrained").meaning is None


def test_a_save_for_half_of_what_was_dealt_in_full_is_asked_about() -> None:
    cast = "ana casts fireball on gob and bo, dex dc 14"
    assert decide(fight("5e", cast, "gob takes 12 fire").context, "gob saves with a 16 for half").meaning is None
    same("5e", "gob saves with a 16 for half", "gob saves with a 16", cast, "bo takes 12 fire")
