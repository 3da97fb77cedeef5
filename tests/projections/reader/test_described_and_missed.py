"""People described by their state, misses with numbers and what follows them, places of flight, and rounds behind deeds."""

import pytest

from eventstore.events import ConditionLost, RoundEnded, RoundStarted
from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from tests.projections.grammar.test_line_context import heard
from tests.projections.test_grammar import table, told

PEOPLE = ["join Ana party hp=20", "join Bo party hp=18", "join gob foes hp=12", "join orc*3 foes hp=8", "r"]


def fight(*before: str, rules: str = "plain") -> Table:
    return heard(table(rules, *PEOPLE), *before)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("ana stabs the one on the floor for 4", "ana stabs orc 2 for 4"),
        ("ana stabs the prone one for 4", "ana stabs orc 2 for 4"),
        ("bo shoots the prone orc for 4", "bo shoots orc 2 for 4"),
        ("the orc on the floor takes 3", "orc 2 takes 3"),
        ("the orc that is prone takes 3", "orc 2 takes 3"),
        ("the one that's prone stands up", "orc 2 stands up"),
        ("ana hits the wounded one for 4", "ana hits orc 3 for 4"),
        ("bo hits the injured orc for 4", "bo hits orc 3 for 4"),
    ],
)
def test_somebody_is_described_by_their_state(line: str, plain: str) -> None:
    before = ("orc 2 is prone", "orc 3 -2")
    assert told(fight(*before), line) == told(fight(*before), plain)


@pytest.mark.parametrize(
    "line",
    ["ana stabs the prone one for 4", "ana stabs the stunned one for 4", "the orc is prone", "the orc on the floor"],
)
def test_a_state_that_several_or_none_have_describes_nobody_for_certain(line: str) -> None:
    at = fight("orc 2 is prone", "orc 3 is prone")
    with pytest.raises(NotUnderstood):
        at.tell(line)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("orc 1 and orc 2 miss ana, 9 and 6", "orc 1 misses ana 9. orc 2 misses ana 6"),
        ("orcs 1 and 2 both miss ana (9, 6)", "orc 1 misses ana 9. orc 2 misses ana 6"),
        (
            "orcs miss ana with 9, 6 and hit with 14 for 4",
            "orc 1 misses ana 9. orc 2 misses ana 6. orc 3 hits ana 14 for 4",
        ),
        (
            "orcs attack ana: miss 9, hit 14 for 4, miss 3",
            "orc 1 misses ana 9. orc 2 hits ana 14 for 4. orc 3 misses ana 3",
        ),
        ("ana misses gob twice, 9 and 4", "ana misses gob 9. ana misses gob 4"),
    ],
)
def test_numbers_behind_a_miss_miss_until_something_hits(line: str, plain: str) -> None:
    assert told(fight(), line) == told(fight(), plain)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("orc 1 misses ana and falls prone", "orc 1 misses ana. orc 1 is prone"),
        ("orc 1 fumbles against ana and is prone", "orc 1 misses ana. orc 1 is prone"),
        ("orc 1 misses ana and drops unconscious", "orc 1 misses ana. orc 1 is unconscious"),
        ("ana hits orc 1 for 3 and he drops unconscious", "ana hits orc 1 for 3. orc 1 is unconscious"),
        ("ana hits orc 1 for 9 and falls", "ana hits orc 1 for 9"),
    ],
)
def test_what_follows_a_miss_befalls_whoever_misses(line: str, plain: str) -> None:
    assert told(fight(), line) == told(fight(), plain)


@pytest.mark.parametrize(
    "line",
    [
        "orc 1 misses ana, she falls prone",
        "orc 1 misses ana, prone",
        "orc 1 misses ana with a 1 and falls",
        "ana hits orc 1 for 4 and falls",
        "orc 1 attacks ana 12 and is prone",
    ],
)
def test_who_falls_is_asked_where_it_may_be_either(line: str) -> None:
    at = fight()
    with pytest.raises(NotUnderstood):
        at.tell(line)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("ana drops her rage", "ana is no longer raging"),
        ("ana drops down unconscious", "ana is unconscious"),
        ("ana drops dead", "ana is dead"),
    ],
)
def test_somebody_drops_what_they_keep_up_or_falls_into_a_state(line: str, plain: str) -> None:
    assert told(fight("ana is raging", rules="5e"), line) == told(fight("ana is raging", rules="5e"), plain)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("gob flees in the tunnel", "flees in the tunnel"),
        ("gob escapes out of the window", "escapes out of the window"),
        ("gob bolts for the treeline", "bolts for the treeline"),
        ("gob slips away through the kitchen", "slips away through the kitchen"),
    ],
)
def test_the_place_to_which_somebody_flees_stays_as_words(line: str, reason: str) -> None:
    (left,) = fight().tell(line).facts
    assert (left.combatant, left.reason) == ("gob", reason)  # type: ignore[attr-defined]


@pytest.mark.parametrize("line", ["gob flees with Zork", "gob flees in 2 rounds", "gob flees off the bridge on fire"])
def test_what_else_is_told_of_a_flight_is_asked_about(line: str) -> None:
    at = fight()
    with pytest.raises(NotUnderstood):
        at.tell(line)


@pytest.mark.parametrize("rules", ["plain", "5e", "osric"])
@pytest.mark.parametrize("end", ["Round 1 is over", "round 1 ends", "Round 1 is finished", "round 1 is done"])
def test_a_round_ends_behind_a_deed(rules: str, end: str) -> None:
    *_, last = fight(rules=rules).tell(f"gob is prone. {end}.").facts
    assert last == RoundEnded(round=1)


@pytest.mark.parametrize("line", ["gob is no longer surprised", "gob is not surprised any more. Round 2 begins"])
def test_whoever_is_no_longer_surprised_is_not_surprised_again(line: str) -> None:
    first, *_ = fight("gob is surprised for 2 segments", rules="osric").tell(line).facts
    assert first == ConditionLost(condition="surprised", targets=("gob",))


@pytest.mark.parametrize(
    "line", ["it was orc 2 she hit, not three", "oh hang on, it was orc 2 she hit, not 3", "no, orc 2 not 3"]
)
def test_a_number_behind_not_is_another_of_the_kind(line: str) -> None:
    hit = fight("ana hits orc 3 for 5").tell(line).facts[-1]
    assert (hit.replacement.target, hit.replacement.amount) == ("orc-2", 5)  # type: ignore[attr-defined]


@pytest.mark.parametrize("line", ["that should've been 8", "wait no, that shoulda been 8, sorry"])
def test_a_correction_may_be_contracted(line: str) -> None:
    hit = fight("ana hits orc 3 for 5").tell(line).facts[-1]
    assert hit.replacement.amount == 8  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("line", "awaited"),
    [
        ("ana readies an attack for when gob moves", "gob moves"),
        ("ana readies an attack as soon as gob moves", "gob moves"),
        ("ana readies an attack whenever gob moves", "gob moves"),
        ("ana holds an attack for the orc 1 to come closer", "the orc 1 to come closer"),
    ],
)
def test_what_a_held_act_waits_for_does_not_happen(line: str, awaited: str) -> None:
    (held,) = fight(rules="5e").tell(line).facts
    assert (held.action.kind, held.awaiting) == ("attack", awaited)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("bo con save 14 keeps bless", "bo concentration save 14 succeeds"),
        ("bo makes a con save with 14 and keeps bless up", "bo concentration save 14 succeeds"),
        ("bo con save 7 fails, loses bless", "bo concentration save 7 fails. bless ends"),
        ("bo fails con save 7, bless is gone", "bo concentration save 7 fails. bless ends"),
        (
            "gob hits bo 17 for 3, con save 7 fail bless gone",
            "gob hits bo 17 for 3. bo concentration save 7 fails. bless ends",
        ),
    ],
)
def test_a_save_by_which_a_spell_is_kept_or_ends_is_for_concentration(line: str, plain: str) -> None:
    before = ("bo casts bless on ana", "bo takes 5")
    assert told(fight(*before, rules="5e"), line) == told(fight(*before, rules="5e"), plain)


def test_a_save_by_which_the_spell_of_somebody_else_ends_has_no_purpose() -> None:
    save, ended = fight("bo casts web on gob", rules="5e").tell("gob fails con save 7, web ends").facts
    assert (save.purpose, ended.effect) == (None, "web")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("line", "plain"),
    [("no one is surprised", "nobody is surprised"), ("gob falls over dead", "gob is dead")],
)
def test_two_words_say_what_one_does(line: str, plain: str) -> None:
    assert told(fight(), line) == told(fight(), plain)


@pytest.mark.parametrize("line", ["gob flees in terror", "gob runs away in panic", "gob flees out of fear"])
def test_what_somebody_flees_in_is_no_state_that_ends(line: str) -> None:
    (left,) = fight().tell(line).facts
    assert left.combatant == "gob"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("ana hits gob for 5 and gets 3 temp", "ana hits gob for 5. ana gets 3 temp"),
        ("gob bites ana for 5 and heals for 5", "gob bites ana for 5. gob regains 5"),
        ("ana kills gob and gains 6 temp hp", "ana kills gob. ana gets 6 temp"),
        ("ana hits gob for 5, he regains 3", "ana hits gob for 5. gob regains 3"),
        ("gob takes 5 and regains 3", "gob takes 5. gob regains 3"),
        ("ana moves to bo and gets 5 temp", "ana moves to bo. ana gets 5 temp"),
        ("ana runs past gob and takes 4", "ana runs past gob. ana takes 4"),
        ("ana gives bo 5 temp", "bo gets 5 temp from ana"),
        ("bo casts aid on ana, 5 temp hp", "bo casts aid on ana. ana gets 5 temp"),
        (
            "bo has cast aid on ana and gob, 5 temp each",
            "bo casts aid on ana and gob. ana gets 5 temp. gob gets 5 temp",
        ),
        ("ana drinks a potion for 5 temp hp", "ana drinks a potion. ana gets 5 temp"),
    ],
)
def test_what_is_gained_or_lost_without_a_name_is_that_of_whoever_acts(line: str, plain: str) -> None:
    assert told(fight(rules="5e"), line) == told(fight(rules="5e"), plain)


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("ana misses gob and takes 3", "ana"),
        ("ana shoves gob and takes 3", "gob"),
        ("bo casts bless on ana and takes 5", "ana"),
    ],
)
def test_of_doer_and_target_each_is_offered_where_it_may_be_either(line: str, first: str) -> None:
    at = fight(rules="5e")
    with pytest.raises(NotUnderstood) as caught:
        at.tell(line)
    doer = line.partition(" ")[0]
    assert [meant.facts[-1].target for meant in caught.value.meant] in ([first, "gob"], [first, doer])


@pytest.mark.parametrize(
    "line", ["one orc hits ana for 4", "ana hits one orc for 3", "one orc flees", "bo falls, -2 hp"]
)
def test_one_of_a_kind_is_nobody_for_certain_and_a_fall_no_damage(line: str) -> None:
    at = fight()
    with pytest.raises(NotUnderstood):
        at.tell(line)


def test_one_of_a_kind_of_whom_one_is_left_is_that_one() -> None:
    before = ("orc 1 is dead", "orc 2 is dead")
    assert told(fight(*before), "one orc hits ana for 4") == told(fight(*before), "orc 3 hits ana for 4")


@pytest.mark.parametrize(
    "behind",
    [
        "spell lost",
        "his spell is ruined",
        "spell spoiled",
        "and ruins his spell",
        "and interrupts the sleep",
        "disrupting the sleep spell",
        "the sleep spell is disrupted",
    ],
)
def test_a_blow_spoils_the_spell_of_whom_it_hits(behind: str) -> None:
    before = ("bo casts sleep", "party init 3", "foes init 5")
    at = fight(*before, rules="osric")
    last = at.tell(f"orc 1 hits bo for 3, {behind}").facts[-1]
    assert (last.combatant, last.name) == ("bo", "sleep")  # type: ignore[attr-defined]


@pytest.mark.parametrize("line", ["orc 1 hits ana for 3, spell ruined", "orc 1 misses bo, his spell is safe"])
def test_no_spell_is_spoiled_that_nobody_casts_or_that_is_safe(line: str) -> None:
    at = fight("bo casts sleep", "party init 3", "foes init 5", rules="osric")
    with pytest.raises(NotUnderstood):
        at.tell(line)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        (
            "bo casts sacred flame on gob, gob rolls 5, takes 8",
            "bo casts sacred flame on gob. gob dex save 5. gob takes 8",
        ),
        ("bo casts hold person on orc 1, he fails", "bo casts hold person on orc 1. orc 1 fails the save"),
        ("bo casts hold person on orc 1 but he saves", "bo casts hold person on orc 1. orc 1 saves"),
    ],
)
def test_whom_a_spell_meets_rolls_the_save(line: str, plain: str) -> None:
    def plainly(facts: list[str]) -> list[str]:
        return [each.replace('"save":"dex"', '"save":"dexterity"') for each in facts]

    assert plainly(told(fight(rules="5e"), line)) == plainly(told(fight(rules="5e"), plain))


def test_a_number_behind_a_pronoun_and_a_spell_with_a_save_is_no_attack_for_certain() -> None:
    at = fight(rules="5e")
    with pytest.raises(NotUnderstood):
        at.tell("bo casts sacred flame on gob, he rolls 5, 8 radiant")


def test_an_attempt_that_fails_keeps_that_as_a_remark() -> None:
    act, remark = fight(rules="5e").tell("ana tries to grapple orc 1 but fails").facts
    assert (act.action.kind, remark.text) == ("grapple", "fails")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "line",
    ["scratch that, it grabbed bo", "undo that, it was a 9 and missed", "scratch that, he parried", "scratch that, bo"],
)
def test_what_a_line_that_is_taken_back_was_instead_is_no_reason(line: str) -> None:
    at = fight("orc 1 hits ana for 4")
    with pytest.raises(NotUnderstood):
        at.tell(line)


def test_a_blow_that_is_taken_back_and_missed_is_amended() -> None:
    meant, plain = (
        fight("ana hits gob for 4").tell(line).facts for line in ("scratch that, she missed", "no, she missed")
    )
    assert meant == plain


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("actually that did 6, so he's dead", "gob is dead"),
        ("oops that was 6 so gob is prone", "gob is prone"),
        ("no that was 6, so it falls unconscious", "gob falls unconscious"),
    ],
)
def test_what_follows_from_a_correction_is_told_with_it(line: str, plain: str) -> None:
    amended, *rest = fight("ana hits gob for 4", rules="5e").tell(line).facts
    assert amended.replacement.amount == 6  # type: ignore[attr-defined]
    assert rest == [*fight("ana hits gob for 4", rules="5e").tell(plain).facts]


def test_whoever_is_slapped_awake_is_woken_and_not_struck() -> None:
    assert told(fight("bo is asleep", rules="5e"), "ana slaps bo awake") == told(
        fight("bo is asleep", rules="5e"), "ana wakes bo"
    )


def test_what_befalls_everyone_is_offered_for_all_and_for_each_side() -> None:
    at = fight()
    with pytest.raises(NotUnderstood) as caught:
        at.tell("everyone takes 5")
    whom = [[fact.target for fact in meant.facts] for meant in caught.value.meant]
    assert whom[1:] == [["gob", "orc-1", "orc-2", "orc-3"], ["ana", "bo"]]
    assert sorted(whom[0]) == sorted(whom[1] + whom[2])


@pytest.mark.parametrize("line", ["--- Round 2 ---", "*** round 2 ***", "== ROUND 2 =="])
def test_rules_around_a_heading_say_nothing(line: str) -> None:
    *_, begun = fight().tell(line).facts
    assert begun == RoundStarted(round=2)


def test_a_letter_behind_a_name_tells_one_of_a_kind_from_another_and_is_no_class() -> None:
    joined = table("5e").tell("Enemies: Ghoul A, Ghoul B, Ghoul C (22 HP each, AC 12).").facts
    assert [each.combatant for each in joined] == ["ghoul-a", "ghoul-b", "ghoul-c"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("gob attacks ana 12 miss, orc 1 16 miss", "gob misses ana 12. orc 1 misses ana 16"),
        (
            "gob attacks ana with spear 12 miss, orc 1 16 hits for 5",
            "gob misses ana with spear 12. orc 1 hits ana 16 for 5",
        ),
        ("gob cant hit ana with a 9", "gob misses ana 9"),
    ],
)
def test_the_next_attacker_goes_on_at_the_same_target(line: str, plain: str) -> None:
    assert told(fight(), line) == told(fight(), plain)


@pytest.mark.parametrize("line", ["gob pulls himself loose", "gob wriggles loose", "gob tears itself free"])
def test_somebody_gets_loose_in_any_words(line: str) -> None:
    assert told(fight("gob is grappled", rules="5e"), line) == told(
        fight("gob is grappled", rules="5e"), "gob breaks free"
    )


def test_whoever_stands_in_front_of_somebody_does_not_make_them_rise() -> None:
    at = fight("ana is prone")
    with pytest.raises(NotUnderstood):
        at.tell("bo runs over to ana and stands in front of her")


@pytest.mark.parametrize("name", ["pack lord", "gang boss", "company captain"])
def test_the_name_of_a_leader_may_begin_with_what_they_lead(name: str) -> None:
    (joined,) = table("5e").tell(f"{name} 49hp ac15").facts
    assert joined.name == name  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("the cleric heals pip for 3", "brother osmund heals pip for 3"),
        ("The thief stabs the orc for 3", "pip stabs orc for 3"),
        ("orc hits our cleric for 4", "orc hits brother osmund for 4"),
    ],
)
def test_somebody_is_named_by_the_class_as_which_they_joined(line: str, plain: str) -> None:
    people = ("Brother Osmund, cleric, 22 hp, and Pip, thief, 14 hp.", "join orc foes hp=9", "r")
    assert told(heard(table("plain"), *people), line) == told(heard(table("plain"), *people), plain)


def test_of_two_of_a_class_each_may_be_meant() -> None:
    at = heard(table("plain"), "Osmund cleric 22 hp, Maud cleric 14 hp", "join orc foes hp=9", "r")
    with pytest.raises(NotUnderstood) as caught:
        at.tell("the cleric hits orc for 3")
    assert [meant.facts[0].combatant for meant in caught.value.meant] == ["osmund", "maud"]


@pytest.mark.parametrize("line", ["no fire", "was that cold damage", "is that 5 fire"])
def test_a_denial_or_a_question_of_a_type_corrects_nothing(line: str) -> None:
    at = heard(fight(), "ana hits gob for 5")
    with pytest.raises(NotUnderstood):
        at.tell(line)
