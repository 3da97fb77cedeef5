"""Clauses of any kind behind each other: the line tells what the two tell one after the other, or it is asked."""

from itertools import product

import msgspec
import pytest

from projections.grammar.tokens import NotUnderstood
from tests.projections.reader.test_described_and_missed import fight
from tests.projections.test_grammar import table, told

DEEDS = ["Bo hides", "gob flees", "Ana hits gob for 5", "Bo regains 6 hp", "Ana moves to the orc 1", "orc 2 is dead"]
OTHERS = ["3 minutes pass", "Bo has 5 temporary hit points", "round 2 begins", "it is Bo's turn"]


def one_by_one(rules: str, *lines: str) -> list[str]:
    """Return the facts of lines told one after the other."""
    at, facts = fight(rules=rules), list[str]()
    for each in lines:
        facts += told(at, each)
    return facts


@pytest.mark.parametrize(("deed", "other", "mark"), [*product(DEEDS, OTHERS, [". ", "; ", ", ", " and ", ", then "])])
def test_times_and_points_stand_behind_anything(deed: str, other: str, mark: str) -> None:
    assert told(fight(rules="5e"), f"{deed}{mark}{other}") == one_by_one("5e", deed, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the orcs are surprised", "Bo takes 3"),
        ("init party 5, foes 3", "the party is surprised"),
        ("3 minutes pass", "gob is poisoned"),
        ("segment 4", "Bo regains 6"),
        ("Ana declares sleep", "Bo turns undead"),
    ],
)
def test_what_begins_a_line_is_told_before_what_follows(one: str, other: str) -> None:
    assert told(fight(rules="osric"), f"{one}. {other}") == one_by_one("osric", one, other)


@pytest.mark.parametrize(
    "line",
    [
        "Bo hides, orc 1 is prone",
        "Ana hits gob for 5. orc 1 is stunned",
        "gob disengages, and Bo regains 6",
        "Bo drinks a potion; orc 1 is prone",
        "Ana misses orc 1 and orc 2 is prone",
        "Ana casts bless on Bo, orc 1 is poisoned",
        "Ana hits gob for 5, Ana is prone",
    ],
)
def test_an_act_causes_nothing_for_those_at_whom_it_is_not_aimed(line: str) -> None:
    assert "cause" not in told(fight(rules="5e"), line)[-1]


@pytest.mark.parametrize(
    "line",
    [
        "Ana hits gob for 5, gob is prone",
        "Ana casts web, gob is restrained",
        "orc 1 misses Ana and falls prone",
        "Ana casts healing word, Bo regains 6",
        "Ana shoves gob, gob falls prone",
    ],
)
def test_an_act_causes_what_befalls_its_target_or_those_of_an_area(line: str) -> None:
    assert "cause" in told(fight(rules="5e"), line)[-1]


@pytest.mark.parametrize(
    ("line", "last"),
    [
        ("Ana casts fireball at gob and orc 1, Bo takes 3 fire damage", "Bo takes 3 fire damage"),
        ("Ana casts fireball at gob and orc 1, Bo has 5 temporary hit points", "Bo has 5 temporary hit points"),
        ("Ana casts fireball at gob and orc 1 and Bo takes the dodge action", "Bo takes the dodge action"),
    ],
)
def test_the_subject_of_a_verb_is_no_target_of_the_spell_before_it(line: str, last: str) -> None:
    cast, *facts = told(fight(rules="5e"), line)
    assert '"targets":["gob","orc-1"]' in cast
    assert facts == told(fight(rules="5e"), last)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("gob frobs Bo; Ana hits gob for 5", "Ana hits gob for 5"),
        ("Ana hits gob for 5, orc 1 blorps", "Ana hits gob for 5"),
        ("gob flees. orc 2 zibbers Bo hard. 3 minutes pass", "gob flees. 3 minutes pass"),
        ("a strange smell wafts in, and Ana hits gob for 5", "Ana hits gob for 5"),
    ],
)
def test_the_rest_of_a_line_with_a_clause_that_nobody_knows_is_offered(line: str, plain: str) -> None:
    at = fight()
    with pytest.raises(NotUnderstood) as caught:
        at.tell(line)
    assert [each.facts for each in caught.value.meant][:1] == [fight().tell(plain).facts]


@pytest.mark.parametrize(
    "line",
    [
        "if gob moves, 3 minutes pass",
        "Ana hits gob for 5, 3 minutes",
        "Ana casts bless, everyone gets +1",
        "init party 5, foes 3, Bo attacks gob",
    ],
)
def test_what_belongs_together_is_not_told_apart(line: str) -> None:
    at = fight(rules="osric")
    with pytest.raises(NotUnderstood):
        at.tell(line)


@pytest.mark.parametrize(
    "line",
    [
        "sleep goes off",
        "the sleep takes effect",
        "Ana's sleep goes off",
        "the spell goes off",
        "Ana's spell takes effect",
        "seg 4, sleep goes off",
        "gob hits Bo for 3, and the sleep goes off",
    ],
)
def test_a_declared_spell_goes_off_by_its_name_or_as_the_only_one(line: str) -> None:
    at = fight("Ana casts sleep on gob", "i party:5 foes:3", rules="osric")
    assert '"type":"effect_started","effect":"sleep","source":"ana","targets":["gob"]' in told(at, line)[-1]


@pytest.mark.parametrize("line", ["sleep goes off", "the spell goes off", "the trap goes off"])
def test_of_no_spell_or_several_none_goes_off(line: str) -> None:
    at = fight("Ana casts sleep on gob", "gob casts sleep on Ana", "i party:5 foes:3", rules="osric")
    with pytest.raises(NotUnderstood):
        at.tell(line)


@pytest.mark.parametrize(
    "line",
    [
        "surprise is over",
        "surprise over",
        "end of surprise",
        "the surprise ends",
        "no longer surprised",
        "surprise over, rd 2",
    ],
)
def test_surprise_that_is_over_is_over_for_whoever_is_surprised(line: str) -> None:
    first, *_ = told(fight("gob and orc 1 are surprised for 2 segments", rules="osric"), line)
    assert first == '{"type":"condition_lost","condition":"surprised","targets":["gob","orc-1"]}'


@pytest.mark.parametrize(
    "line", ["morale check for gob and orc 1, both fail", "gob and orc 1 both fail their morale checks"]
)
def test_morale_fails_for_each_by_name(line: str) -> None:
    found = told(fight(rules="osric"), line)
    assert found == one_by_one("osric", "gob fails its morale check", "orc 1 fails its morale check")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bo saves vs con with a 14", "gob rolls a 9 on its dex save and fails"),
        ("Bo makes a death save with 12", "gob rolls a 9 on its dex save and fails"),
        ("Bo fails a wis save with 4", "orc 1 rolls 15 on its dex save and succeeds"),
    ],
)
@pytest.mark.parametrize("mark", [". ", ", ", " and ", " - "])
def test_a_save_behind_another_ones_save_is_its_own(one: str, other: str, mark: str) -> None:
    assert told(fight(rules="5e"), f"{one}{mark}{other}") == one_by_one("5e", one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana turns undead", "Bo declares sleep"),
        ("Bo charges gob", "Ana turns undead"),
        ("Ana casts sleep on gob and orc 1", "Bo turns undead"),
    ],
)
@pytest.mark.parametrize("mark", [". ", ", ", " and ", "; "])
def test_whoever_turns_undead_is_no_target_of_the_act_before(one: str, other: str, mark: str) -> None:
    assert told(fight(rules="osric"), f"{one}{mark}{other}") == one_by_one("osric", one, other)


@pytest.mark.parametrize(
    ("before", "line"),
    [
        (("Ana hits gob for 3", "gob flees"), "Bo shoots him for 5"),
        (("Ana hits gob for 3", "gob flees"), "it takes 5"),
        (("Ana hits gob for 3", "gob flees"), "he is prone"),
        (("gob hits Ana for 3", "gob runs away"), "she hits him for 2"),
    ],
)
def test_a_pronoun_that_may_be_whoever_left_is_asked_about(before: tuple[str, ...], line: str) -> None:
    at = fight(*before)
    with pytest.raises(NotUnderstood):
        at.tell(line)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("Ana swings her sword at gob, but she misses", "Ana misses gob with her sword"),
        ("Bo shoots at gob but he misses", "Bo shoots at gob, misses"),
        ("Ana hits gob twice, for 4 and for 3", "Ana hits gob for 4. Ana hits gob for 3"),
        ("Ana hits gob twice, for 4 and 3 slashing", "Ana hits gob for 4 slashing. Ana hits gob for 3 slashing"),
        ("Ana hits gob twice for 4 fire and 3 cold", "Ana hits gob for 4 fire. Ana hits gob for 3 cold"),
        ("Ana casts bless on Bo and hits gob for 4", "Ana casts bless on Bo. Ana hits gob for 4"),
        ("Ana casts Inflict Serious Wounds on gob", 'Ana casts "inflict serious wounds" on gob'),
        ("Ana casts Mass Hold Person on gob", 'Ana casts "mass hold person" on gob'),
        ("Ana makes a melee touch attack on gob: 17, hits for 4", "Ana attacks gob: 17, hits for 4"),
        ("Ana's ranged attack on gob hits, 6 fire", "Ana hits gob for 6 fire"),
        ("Ana hits gob with a confirmed crit for 9", "Ana crits gob for 9"),
        ("Ana hits gob for 9, critical confirmed", "Ana crits gob for 9"),
        ("gob dies without a sound", "gob dies"),
        ("gob falls with a last groan, and Bo moves 20 feet", "gob falls, and Bo moves 20 feet"),
        ("gob saves vs fort w/ 15", "gob saves vs fort with 15"),
    ],
)
def test_blows_and_spells_in_other_words(line: str, plain: str) -> None:
    assert told(fight(rules="vile-darkness"), line) == told(fight(rules="vile-darkness"), plain)


@pytest.mark.parametrize("line", ["gob withdraws and flees", "gob retreats, fleeing", "gob flees and runs away"])
def test_whoever_flees_in_two_words_flees_once(line: str) -> None:
    assert len(told(fight(rules="vile-darkness"), line)) == len(told(fight(rules="vile-darkness"), "gob flees"))


@pytest.mark.parametrize(
    "line",
    [
        "and their chief Gruk, 14 hp",
        "Captain Gruk leads them and has 14 hp",
        "with them is an ogre, 14 hp",
        "their shaman Gruk, 14 hp",
        "led by Captain Gruk, 14 hp",
    ],
)
def test_whoever_is_theirs_joins_the_side_of_those_who_joined_last(line: str) -> None:
    before = ("join Ana party hp=20", "3 hobgoblins join the foes with 5 hp each")
    assert '"side":"foes"' in told(table("plain", *before), line)[0]
    assert '"side"' not in told(table("plain", *before, "note the cave is dark"), line)[0]


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("it dies, and she moves 20 feet back", "gob dies, and Ana moves 20 feet back"),
        ("it falls prone, and he regains 4 hp", "gob falls prone, and Ana regains 4 hp"),
    ],
)
def test_who_is_not_it_did_the_last_deed(line: str, plain: str) -> None:
    assert told(fight("Ana hits gob for 5"), line) == told(fight("Ana hits gob for 5"), plain)


@pytest.mark.parametrize(
    "line", ["gob dies without a save", "gob falls without a shield", "gob falls with a crash for 5"]
)
def test_other_words_behind_a_fall_are_asked_about(line: str) -> None:
    at = fight()
    with pytest.raises(NotUnderstood):
        at.tell(line)


@pytest.mark.parametrize("mark", [". ", ", ", " and "])
def test_a_parry_beside_a_declared_attack_is_declared(mark: str) -> None:
    found = told(fight(rules="osric"), f"Ana will attack gob{mark}Bo parries")
    assert found == one_by_one("osric", "Ana will attack gob", "Bo parries")


@pytest.mark.parametrize(
    ("before", "line", "plain"),
    [
        ("Bo gets 9 temp hp", "Correction: Bo gets 11 temporary hp", "no, 11"),
        ("Bo gets 9 temp hp", "correction: 11 temporary hp", "no, 11"),
        ("Ana casts aid on Bo: 9 temp hp", "Correction: aid gives him 11 temporary hp", "no, 11"),
        ("Bo gets 5 back", "no, 6 back", "no, 6"),
        ("Bo regains 5 hp", "actually he regains 6", "no, 6"),
        ("Bo heals Ana for 4", "oops, Bo healed Ana for 6", "no, 6"),
    ],
)
def test_points_that_somebody_got_are_corrected_as_those_lost(before: str, line: str, plain: str) -> None:
    assert told(fight(before), line) == told(fight(before), plain)


def test_without_points_regained_none_are_corrected() -> None:
    at = fight("gob hits Bo for 3")
    with pytest.raises(NotUnderstood):
        at.tell("no, 6 back")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("next is the orc 1", "Bo heals himself for 4"),
        ("next is gob", "Ana is prone"),
        ("next up is gob", "Bo takes 3"),
        ("Ana hits gob for 5", "next is Bo"),
        ("Ana stands up", "gob regenerates 5"),
        ("Ana dashes", "Bo is invisible for 1 minute"),
        ("Ana dashes", "Bo rolls a 12 on his stealth check"),
        ("Ana hits orc 1 for 5", "orc 1 is frightened of Bo"),
    ],
)
@pytest.mark.parametrize("mark", [". ", ", ", " and ", ", then "])
def test_turns_healing_and_states_behind_each_other(one: str, other: str, mark: str) -> None:
    assert told(fight(rules="5e"), f"{one}{mark}{other}") == one_by_one("5e", one, other)


@pytest.mark.parametrize(
    ("behind", "expected"),
    [
        ("and drinks a potion for 5", ("healed", "bo", 5)),
        ("and heals 5", ("healed", "bo", 5)),
        ("and gets 3 temp hp", ("healed", "bo", 3)),
        ("and is poisoned", ("condition_gained", "bo", None)),
        ("and hits orc 1 for 4", ("damage_dealt", "orc-1", 4)),
        ("but makes her con save with 14", ("save_rolled", "bo", 14)),
        ("and was missed by orc 1", ("attack_rolled", "bo", None)),
    ],
)
def test_a_verb_behind_the_passive_voice_has_its_subject_and_not_whoever_did_it(
    behind: str, expected: tuple[str, str, int | None]
) -> None:
    facts = [msgspec.to_builtins(fact) for fact in fight(rules="5e").tell(f"bo is bitten by gob for 5 {behind}").facts]
    last = facts[-1]
    whom = last.get("target") or last.get("combatant") or last["targets"][0]
    assert (last["type"], whom, last.get("amount", last.get("die"))) == expected
    assert next((fact["target"], fact["amount"]) for fact in facts if fact["type"] == "damage_dealt") == ("bo", 5)
