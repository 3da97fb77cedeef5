"""What is told twice in one line, outcomes that several share, corrections in passing, and the ends of fights."""

import pytest

from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from tests.projections.grammar.test_line_context import heard
from tests.projections.test_grammar import table, told

PEOPLE = [
    "join Ana party hp=20",
    "join Bo party hp=18",
    "join gob foes hp=12",
    "join orc*3 foes hp=15",
    "join ogre foes hp=59",
]


def fight(*before: str, rules: str = "5e") -> Table:
    return heard(table(rules, *PEOPLE, "r"), *before)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("orc 1 dies, dead", "orc 1 dies"),
        ("orc 1 drops dead, it's dead", "orc 1 is dead"),
        ("orc 1 drops, dead", "orc 1 is dead"),
        ("orc 1 collapses, down", "orc 1 collapses"),
        ("orc 1 flees, gone", "orc 1 flees"),
        ("orc 1 is stunned and can't act", "orc 1 is stunned"),
        ("orc 3 drops like a sack of wet sand, dead", "orc 3 is dead"),
        ("orc 3 drops like a stone, dead", "orc 3 is dead"),
        ("orc 1 flees like a scared rabbit, and orc 2 misses bo", "orc 1 flees. orc 2 misses bo"),
        ("orcs 1 and 2 topple over, snoring, fast asleep", "orcs 1 and 2 are prone. orcs 1 and 2 are asleep"),
        ("orc 1 is dead and the orcs flee", "orc 1 is dead. orc 2 flee. orc 3 flee"),
        ("orc 1 takes 5 and is at 10", "orc 1 takes 5. orc 1 has 10 left"),
        ("orc 1 falls prone, it's prone", "orc 1 falls prone"),
        ("orc 1 is knocked prone and lies on the ground", "orc 1 is knocked prone"),
        ("orc 1 flees, so does orc 2", "orc 1 flees. orc 2 flees"),
        ("orc 1 is dead, so is the gob", "orc 1 is dead. gob is dead"),
        ("orc 1 falls prone, as does orc 2", "orc 1 falls prone. orc 2 falls prone"),
    ],
)
def test_a_state_in_other_words_is_told_once_and_of_somebody_else_again(line: str, plain: str) -> None:
    assert told(fight(), line) == told(fight(), plain)


@pytest.mark.parametrize(
    "after", ["so it's restrained", "and it's restrained", "it is restrained", "so he's restrained"]
)
def test_it_after_a_failed_save_is_whoever_failed(after: str) -> None:
    at = fight("t ana", "ana casts web on gob and orc 1")
    save, state = at.tell(f"gob fails its dex save with a 6, {after}").facts
    assert (save.combatant, save.succeeded, state.targets) == ("gob", False, ("gob",))  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "line",
    [
        "ana loses concentration so faerie fire is gone",
        "ana loses concentration, faerie fire ends",
        "ana loses concentration and faerie fire drops",
    ],
)
def test_what_ends_because_concentration_ends_is_told_once(line: str) -> None:
    begun = 'effect "faerie fire" by ana on orc-1'
    assert told(fight(begun), line) == told(fight(begun), "ana loses concentration")


def test_a_roll_and_its_outcome_are_one_save() -> None:
    at = fight("t ana", "ana casts hold person on gob")
    save, _ = at.tell("gob rolls 4 and fails the wis save").facts
    assert vars_of(save)[:3] == ("gob", 4, False)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        (
            "Saves vs. spell: orc 1 rolls 4, orc 2 rolls 9, both fail.",
            "orc 1 saves spell 4 fail, orc 2 saves spell 9 fail",
        ),
        ("saves vs spell: orc 1 4, orc 2 9, neither makes it", "orc 1 saves spell 4 fail, orc 2 saves spell 9 fail"),
        (
            "saves vs spell: orc 1 rolls 14, orc 2 rolls 19, both make it",
            "orc 1 saves spell 14 ok, orc 2 saves spell 19 ok",
        ),
        ("saves vs spell: orc 1 4, orc 2 19, only orc 2 saves", "orc 1 saves spell 4 fail, orc 2 saves spell 19 ok"),
        ("orc 1 attacks bo 14, orc 2 attacks ana 9, both miss", "orc 1 attacks bo 14 miss, orc 2 attacks ana 9 miss"),
    ],
)
def test_an_outcome_behind_rolls_of_several_is_that_of_each(line: str, plain: str) -> None:
    assert told(fight(rules="osric"), line) == told(fight(rules="osric"), plain)


@pytest.mark.parametrize(
    "line",
    [
        "saves vs spell: orc 1 4, orc 2 9, orc 3 2, both fail",
        "saves vs spell: orc 1 4, orc 2 9, one saves, one fails",
        "orc 1 gets a 14 and orc 2 gets a 17, both save",
    ],
)
def test_an_outcome_that_does_not_say_of_whom_it_is_is_asked_about(line: str) -> None:
    with pytest.raises(NotUnderstood):
        fight(rules="osric").tell(line)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("gob rolls a nine on wisdom and fails", "gob wis save 9 fails"),
        ("gob makes it with seventeen", "gob wis save 17 succeeds"),
        ("gob fails with a 3", "gob wis save 3 fails"),
        ("gob blows it with a 3", "gob wis save 3 fails"),
    ],
)
def test_a_roll_behind_a_spell_that_allows_a_save_is_that_save(line: str, plain: str) -> None:
    at = fight("t ana", "ana casts hold person on gob")
    assert [(type(one), vars_of(one)) for one in at.tell(line).facts] == [
        (type(one), vars_of(one)) for one in at.tell(plain).facts
    ]


def vars_of(fact: object) -> tuple[object, ...]:
    return tuple(
        getattr(fact, name, None) for name in ("combatant", "die", "succeeded", "condition", "targets", "cause")
    )


def test_both_behind_rolls_alone_are_saves_against_the_spell() -> None:
    at = fight("t ana", "ana casts fireball on all orcs")
    facts = at.tell("orcs 1 and 2 roll 4 and 9, both fail").facts
    assert [vars_of(each)[:3] for each in facts] == [("orc-1", 4, False), ("orc-2", 9, False)]


def test_whoever_gets_points_is_the_subject_and_not_the_owner_of_the_potion() -> None:
    at = fight("bo is paralyzed")
    lost, healed = at.tell("bo shakes off the paralysis and gets 8 hp back from Ana's potion").facts
    assert (lost.targets, healed.target, healed.source) == (("bo",), "bo", "ana")  # type: ignore[attr-defined]


def amended(at: Table, line: str) -> list[tuple[int, object]]:
    """Return what a correction makes of the records that it amends; None for those that it takes out."""
    return [(each.event, getattr(each, "replacement", None)) for each in at.tell(line).facts if hasattr(each, "event")]


@pytest.mark.parametrize(
    "line",
    [
        "sorry i meant eight damage",
        "wait typo, dmg was 8",
        "no, make that 8, the spear only grazed her",
        "make that 8 damage",
        "edit: 8 damage",
        "8 dmg sorry",
        "*8",
        "8 damage*",
        "misread the die, 8",
        "that should be 8, forgot my strength",
        "change that to 8",
    ],
)
def test_a_cue_and_a_number_correct_the_only_number_of_the_last_line(line: str) -> None:
    ((_, damage),) = amended(fight("ana hits orc 1 for 6"), line)
    assert (damage.target, damage.amount) == ("orc-1", 8)  # type: ignore[attr-defined]


@pytest.mark.parametrize("line", ["make that 19", "*19", "oops the first one was 7"])
def test_a_number_that_two_of_the_last_line_may_be_is_asked_about(line: str) -> None:
    with pytest.raises(NotUnderstood):
        fight("ana attacks orc 1 17 for 6", "ana attacks orc 1 18 for 5").tell(line)


def test_a_number_of_a_roll_corrects_the_roll() -> None:
    ((_, roll),) = amended(fight("ana attacks orc 1 17 for 6"), "make that 19 to hit")
    assert roll.die == 19  # type: ignore[attr-defined]


def test_the_points_that_are_left_by_a_correction_are_checked() -> None:
    line = "Correction: ana did 5, so orc 1 has 10 left."
    damage, check = fight("ana hits orc 1 for 4").tell(line).facts
    assert (damage.replacement.amount, check.values) == (5, {"orc-1.hp": 10})  # type: ignore[attr-defined]
    with pytest.raises(NotUnderstood):
        fight("ana hits orc 1 for 4").tell(line.replace("10", "9"))


@pytest.mark.parametrize(
    "line", ["actually that missed", "no wait, that was a miss", "oops that should be a miss", "no, ana missed"]
)
def test_a_hit_that_was_a_miss_loses_its_damage(line: str) -> None:
    (_, roll), (_, gone) = amended(fight("ana hits orc 1 for 6"), line)
    assert (roll.hit, gone) == (False, None)  # type: ignore[attr-defined]


@pytest.mark.parametrize("line", ["no, that was a hit for 5", "actually it hit for 5", "wait, 12 hits, 5 damage"])
def test_a_miss_that_was_a_hit_gets_its_damage(line: str) -> None:
    roll, damage = fight("ana attacks orc 1 12 miss").tell(line).facts
    assert (roll.replacement.hit, damage.target, damage.amount) == (True, "orc-1", 5)  # type: ignore[attr-defined]


@pytest.mark.parametrize("line", ["oops, missed", "argh, miss", "no, bo missed"])
def test_a_miss_that_may_be_the_next_one_is_asked_about(line: str) -> None:
    with pytest.raises(NotUnderstood):
        fight("ana hits orc 1 for 6").tell(line)


@pytest.mark.parametrize("line", ["not prone, grappled", "no, grappled, not prone", "i meant grappled"])
def test_a_state_is_corrected_by_its_name(line: str) -> None:
    ((_, state),) = amended(fight("orc 1 is prone"), line)
    assert (state.condition, state.targets) == ("grappled", ("orc-1",))  # type: ignore[attr-defined]


@pytest.mark.parametrize("line", ["that was bo's hit, not ana's", "sorry, that was bo who hit", "no, it was bo's blow"])
def test_whose_blow_it_was_is_corrected(line: str) -> None:
    act, roll = (each for _, each in amended(fight("ana hits orc 1 for 6"), line))
    assert (act.combatant, roll.combatant, roll.target) == ("bo", "bo", "orc-1")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "line", ["sorry, wrong orc, it was orc 2", "actually that was on orc 2", "no, orc 2 took that"]
)
def test_whom_it_befell_is_corrected(line: str) -> None:
    assert amended(fight("ana hits orc 1 for 6"), line)[-1][1].target == "orc-2"  # type: ignore[attr-defined]


def test_a_save_that_was_made_has_no_state_behind_it() -> None:
    at = fight("t ana", "ana casts hold person on gob", "gob fails his wis save with a 4")
    (_, save), (_, gone) = amended(at, "actually he made it")
    assert (save.succeeded, gone) == (True, None)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "line",
    [
        "ana heals bo for 3, bo regains 3",
        "orc 1 takes 5, 5 damage",
        "orcs 2 and 3 flee with 15 hp",
        "ogre flees with 50 hp",
        "ogre turns tail and the combat ends, 59 hp left",
    ],
)
def test_what_may_be_told_twice_or_of_another_is_asked_about(line: str) -> None:
    with pytest.raises(NotUnderstood):
        fight().tell(line)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("1 orc left and it ran off, game over", "orc 3 ran off, game over"),
        ("one orc left, it flees and the fight is over", "orc 3 flees and the fight is over"),
        ("ogre flees with 59 hp", "ogre has 59 hp left. ogre flees"),
        ("ogre runs away on 59 hp", "ogre has 59 hp left. ogre runs away"),
    ],
)
def test_those_left_and_their_points_are_no_loss_of_the_flight(line: str, plain: str) -> None:
    fallen = ("orc 1 is dead", "orc 2 is dead")
    assert told(fight(*fallen), line) == told(fight(*fallen), plain)


def test_whoever_wakes_flees_and_the_fight_ends() -> None:
    at = fight("orc 2 is asleep")
    facts = at.tell("orc 2 wakes, bolts into the night, and there the battle ends").facts
    assert [type(each).__name__ for each in facts] == ["ConditionLost", "CombatantLeft", "EncounterClosed"]


def test_the_time_at_which_a_fight_ended_is_no_part_of_its_outcome() -> None:
    line = "Combat closed, round 1 segment 4; party holds the field."
    (end,) = fight("seg 4", rules="osric").tell(line).facts
    assert end.reason == "party holds the field"  # type: ignore[attr-defined]
    with pytest.raises(NotUnderstood):
        fight("seg 4", rules="osric").tell(line.replace("4", "7"))


def test_the_place_of_a_death_is_kept() -> None:
    (one, other) = fight(rules="osric").tell("orcs 2 and 3 dead in the web").facts
    assert (one.decision, other.decision) == ("orc-2 is dead in the web", "orc-3 is dead in the web")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "line", ["0 stun left, Bo is over it", "Bo is over it", "Bo is no longer stunned, he is over it"]
)
def test_a_state_that_somebody_is_over_has_ended(line: str) -> None:
    assert told(fight("bo is stunned"), line) == told(fight("bo is stunned"), "bo is no longer stunned")


def test_i_am_whoever_concentrates() -> None:
    at = fight('effect "faerie fire" by bo on orc-1', "t gob")
    (save,) = at.tell("I keep my concentration, 13 on the con save").facts
    assert vars_of(save)[:3] == ("bo", 13, True)


@pytest.mark.parametrize("line", ["they all fail", "none of them save", "everyone fails their save"])
def test_all_who_owe_a_save_have_the_outcome_of_all(line: str) -> None:
    facts = fight("t ana", "ana casts fireball on orcs 1 and 2").tell(line).facts
    went = [(each.combatant, each.succeeded) for each in facts]  # type: ignore[attr-defined]
    assert went == [("orc-1", False), ("orc-2", False)]


def test_no_points_from_somebody_is_the_blow_behind_it() -> None:
    act, roll = fight("gob hits bo for 2").tell("0 from the gob, swung at ana and missed").facts
    assert (act.action.targets, roll.target, roll.hit) == (("ana",), "ana", False)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("before", "line"),
    [
        ("orc 1 is stunned", "no, orc 2 is stunned"),
        ("ana hits orc 1 for 6", "it was the ogre that got hit"),
        ("gob hits bo for 5", "bo takes half, 2"),
        ("gob hits bo for 5", "that was a crit, 10 damage"),
    ],
)
def test_a_correction_that_may_be_something_else_is_asked_about(before: str, line: str) -> None:
    with pytest.raises(NotUnderstood):
        fight(before).tell(line)
