"""Lines in the first person: I and me are the combatant whom their writer plays; where that is not known, it is asked."""

from pathlib import Path

import pytest

import encounterlog as el
from eventstore.events import AttackRolled, ConditionGained, DamageDealt, RoundEnded, RulingMade, TurnEnded
from projections.grammar.tokens import NotUnderstood
from projections.reader.decision import decide
from projections.reader.undoing import taken_back
from tests.projections.reader.test_by_meaning_alone import fight, meant

ORCS = ("join orc*3 foes hp=15",)
SAID = [
    ("i hit gob for 5", "ana hits gob for 5"),
    ("I stab gob w my dagger, 12 hit 4", "ana stabs gob w her dagger, 12 hit 4"),
    ("gob hits me for 3", "gob hits ana for 3"),
    ("im prone", "ana is prone"),
    ("I'm down", "ana is down"),
    ("i make my dex save, 14", "ana makes her dex save, 14"),
    ("I heal bo and myself for 4", "ana heals bo and ana for 4"),
    ("end my turn", "end ana's turn"),
    ("then i move 20 feet", "then ana moves 20 feet"),
]


@pytest.mark.parametrize(("line", "plain"), SAID)
def test_the_first_person_is_the_one_whom_the_writer_plays(line: str, plain: str) -> None:
    at = fight("5e")
    at.speakers = ("Ana",)
    assert meant(at, line) == meant(at, plain)


@pytest.mark.parametrize("line", [line for line, _ in SAID if "turn" not in line])
def test_whoever_plays_nobody_or_several_is_asked_who_is_meant(line: str) -> None:
    for speakers in ((), ("ana", "bo"), ("ulf",)):
        at = fight("5e")
        at.speakers = speakers
        assert decide(at.context, line).meaning is None


@pytest.mark.parametrize("line", ["i forgot", "i am sorry", "remind me", "i need a break"])
def test_a_first_person_of_the_table_is_nobody_in_the_fight(line: str) -> None:
    at = fight("5e")
    at.speakers = ("ana",)
    found = decide(at.context, line)
    assert not (found.meaning and found.meaning.facts)


def test_a_line_by_somebody_is_about_the_combatant_of_that_name() -> None:
    log = el.memory("5e")
    for line in ("join ana party hp=10", "join gob foes hp=5"):
        log.tell(line)
    *_, hurt = log.tell("i hit gob for 3", by="ana").records
    assert hurt.event == DamageDealt(target="gob", amount=3, cause=-1)
    with pytest.raises(NotUnderstood):
        log.tell("i hit gob for 3")


def test_the_answer_to_one_writer_is_not_given_to_another() -> None:
    at = fight("5e")
    at.speakers = ("bo",)
    with pytest.raises(NotUnderstood):
        at.tell("i frobs")
    at.speakers = ("ana",)
    assert at.tell("reading 1: im prone").facts == (ConditionGained(condition="prone", targets=("ana",)),)


def test_a_number_of_one_of_several_is_no_roll() -> None:
    at = fight("5e", *ORCS)
    told = meant(at, "orcs 1 and 2 both go for bo: 1 misses, 2 hits for 4")
    rolls = [(each.combatant, each.die, each.hit) for each in told if isinstance(each, AttackRolled)]
    assert rolls == [("orc-1", None, False), ("orc-2", None, True)]


def test_my_turn_that_ends_is_the_one_that_runs_whoever_writes() -> None:
    (ended,) = meant(fight("5e"), "end my turn")
    assert ended == TurnEnded(combatant="ana")


def test_a_turn_ends_only_where_one_runs() -> None:
    at = fight("5e", "e")
    found = decide(at.context, "end turn")
    assert not (found.meaning and any(isinstance(each, RoundEnded) for each in found.meaning.facts))


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("ana hits gob for 3 🩸🗡️", "ana hits gob for 3"),
        ("ana hitssss gob for 3", "ana hits gob for 3"),
        ("anaaa hits gob for 3", "ana hits gob for 3"),
        ("ana chases gob 20 feet", "ana moves 20 feet"),
    ],
)
def test_pictures_and_letters_drawn_out_say_nothing(line: str, plain: str) -> None:
    assert meant(fight("5e"), line) == meant(fight("5e"), plain)


def test_a_skull_beside_a_word_for_death_says_no_more() -> None:
    dead, dead_with_skull = (meant(fight("5e"), line) for line in ("gob is dead", "gob is dead 💀"))
    assert isinstance(dead[0], RulingMade)
    assert isinstance(dead_with_skull[0], RulingMade)
    assert dead[0].values == dead_with_skull[0].values


def test_a_picture_that_is_a_name_is_no_comma() -> None:
    at = fight("5e", "join 🐺 foes hp=4")
    assert decide(at.context, "ana hits 🐺 for 3").meaning is None


@pytest.mark.parametrize(
    ("line", "plain"),
    [("bo, i take 5", "ana takes 5"), ("gob, i'm dead", "ana is dead"), ("bo, i'm stunned", "ana is stunned")],
)
def test_whoever_is_addressed_has_no_part_in_it(line: str, plain: str) -> None:
    at = fight("5e")
    at.speakers = ("ana",)
    told, meant_ = meant(at, line), meant(at, plain)
    assert [type(each) for each in told] == [type(each) for each in meant_]
    assert [getattr(each, "target", getattr(each, "targets", None)) for each in told] == [
        getattr(each, "target", getattr(each, "targets", None)) for each in meant_
    ]


@pytest.mark.parametrize(
    "line", ["i wish i hit gob for 3", "i wish gob dies", "kill me now", "i used to be prone", "bo used to be stunned"]
)
def test_what_is_wished_or_over_is_no_fact(line: str) -> None:
    at = fight("5e")
    at.speakers = ("ana",)
    assert decide(at.context, line).meaning is None


@pytest.mark.parametrize(
    "line", ["gob is nooot dead", "gob isn'tttt dead", "gob diddddn't die", "ana doesnttt hit gob for 3"]
)
def test_a_negation_that_is_drawn_out_denies(line: str) -> None:
    assert decide(fight("5e").context, line).meaning is None


@pytest.mark.parametrize(
    "line",
    [
        "orcs 1 and 2 attack bo: 2 hit for 4 each",
        "the orcs attack bo: 1 hits for 4, 2 miss",
        "orcs 1 and 2 attack bo, 1 misses, 18 hits for 4",
    ],
)
def test_numbers_that_count_or_are_rolled_name_nobody(line: str) -> None:
    found = decide(fight("5e", *ORCS).context, line)
    rolls = [each for each in (found.meaning.facts if found.meaning else ()) if isinstance(each, AttackRolled)]
    assert all(each.die is not None for each in rolls)


@pytest.mark.parametrize("line", ["no undo", "undo?", "should i undo that?", "do we undo that?"])
def test_a_question_about_undoing_takes_nothing_back(line: str) -> None:
    assert taken_back(line) is None


@pytest.mark.parametrize("line", ["could you undo that?", "ugh, wrong target, undo", "undo!"])
def test_a_request_to_undo_takes_the_last_line_back(line: str) -> None:
    assert taken_back(line) is not None


@pytest.mark.parametrize("line", ["bo has bless", "ana moves gob 10 ft"])
def test_what_somebody_has_or_whom_they_move_is_asked_about(line: str) -> None:
    assert decide(fight("5e").context, line).meaning is None


@pytest.mark.parametrize("line", ["ana hits gob for 5, that's 5 damage", "ana hits gob for 5! 5 damage!"])
def test_damage_that_seems_another_blow_is_asked_about(line: str) -> None:
    found = decide(fight("5e").context, line)
    assert found.meaning is None
    assert [sum(isinstance(each, DamageDealt) for each in offer.facts) for offer in found.offers] == [1, 2]


def test_a_line_in_the_first_person_that_is_sent_again_means_what_it_meant(tmp_path: Path) -> None:
    log = el.new(tmp_path / "ford.jsonl", ruleset="5e")
    for line in ("join ana party hp=10", "join gob foes hp=5"):
        log.tell(line)
    first, again = (log.tell("i hit gob for 3", by="ana", key="k").records for _ in range(2))
    assert [each.seq for each in again] == [each.seq for each in first]
