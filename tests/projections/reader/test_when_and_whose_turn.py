"""When something happens and who comes when: headings with a time or a turn, rounds in pictures, initiative in lists of any kind."""

import pytest

from eventstore.events import Checked, RoundEnded
from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from tests.projections.grammar.test_line_context import heard
from tests.projections.reader.test_by_meaning_alone import PEOPLE
from tests.projections.test_grammar import table, told

BLOW = "ana hits gob for 5"


def sides(*lines: str) -> Table:
    return heard(table("osric", *PEOPLE, "join kob*2 foes hp=5"), "r", *lines)


def turns(*lines: str) -> Table:
    return heard(table("5e", *PEOPLE, "join kob*2 foes hp=5"), *lines)


@pytest.mark.parametrize(
    "line",
    [
        f"seg 3: {BLOW}",
        f"R1 seg 3: {BLOW}",
        f"also R1 seg 3: {BLOW}",
        f"Still round 1, seg. 3 - {BLOW}",
        f"[rd 1, seg 3] {BLOW}",
        f"R1S3 {BLOW}",
        f"R1/3 {BLOW}",
        f"1st round, 3rd segment: {BLOW}",
        f"same segment: {BLOW}",
        f"at the same time, {BLOW}",
        f"{BLOW} in segment 3",
        f"{BLOW} (R1 seg 3)",
    ],
)
def test_a_heading_with_the_running_time_is_only_a_label(line: str) -> None:
    assert told(sides("i party5 foes2", "seg 3"), line) == told(
        sides("i party5 foes2", "seg 3"), f"in segment 3 {BLOW}"
    )
    types = [fact.__class__.__name__ for fact in sides("i party5 foes2", "seg 3").tell(line).facts]
    assert types == ["ActionTaken", "AttackRolled", "DamageDealt"]


@pytest.mark.parametrize("ruleset", ["5e", "plain", "osric"])
@pytest.mark.parametrize("line", ["R1: {}", "round 1 - {}", "still round 1, {}", "it's round 1: {}", "{} (round 1)"])
def test_the_running_round_is_not_begun_again(ruleset: str, line: str) -> None:
    def at() -> Table:
        return heard(table(ruleset, *PEOPLE), "r")

    assert told(at(), line.format(BLOW)) == told(at(), BLOW)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        (f"R1 seg 5: {BLOW}", f"seg 5. {BLOW}"),
        (f"round 2, seg 3 - {BLOW}", f"round 2. seg 3. {BLOW}"),
        (f"R2: {BLOW}", f"round 2. {BLOW}"),
        (f"{BLOW} (seg 5)", f"seg 5. {BLOW}"),
        ("R2. Initiative: party 2, foes 6", "round 2. initiative party 2 foes 6"),
        ("Initiative, round 2: party 2, foes 6", "round 2. initiative party 2 foes 6"),
        ("init for round 2: party 2, foes 6", "round 2. initiative party 2 foes 6"),
    ],
)
def test_a_heading_with_a_later_time_begins_it(line: str, plain: str) -> None:
    assert told(sides(), line) == told(sides(), plain)


@pytest.mark.parametrize("line", [f"R1 seg 3: {BLOW}", f"R1: {BLOW}", f"seg 2: {BLOW}", "Round 2!"])
def test_a_time_that_is_past_or_runs_already_is_asked_about(line: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        sides("r", "i party5 foes2", "seg 4").tell(line)
    assert not any(
        fact.__class__.__name__ == "RoundStarted" for each in refused.value.meant if each for fact in each.facts
    )


@pytest.mark.parametrize(
    "line",
    [
        "round two explodes!",
        "round two roars in",
        "and round two dawns",
        "Round 2, go.",
        "Round 2, fight!",
        "round two gets under way",
        "round two rolls around",
    ],
)
def test_a_round_in_pictures_begins(line: str) -> None:
    assert told(turns("r"), line) == told(turns("r"), "r2")


@pytest.mark.parametrize(
    "line", ["round two looms", "round two is a mess", "round two kills gob", "round three roars in"]
)
def test_what_else_is_said_of_a_round_is_asked_about(line: str) -> None:
    with pytest.raises(NotUnderstood):
        turns("r").tell(line)


@pytest.mark.parametrize(
    "line",
    [
        "Initiative, round 1: party 5, foes 3",
        "Round 1 initiative - party 5, foes 3",
        "the bones rattle: heroes 5, villains 3",
        "the dice fall: us 5, them 3",
        "and the dice say good guys 5, bad guys 3",
        "our side 5, their side 3",
        "heroes go first, 5 to 3",
    ],
)
def test_initiative_of_sides_stands_behind_any_lead(line: str) -> None:
    assert told(sides(), line) == told(sides(), "i party5 foes3")


def test_another_lead_before_the_rolls_that_are_due_is_asked_about() -> None:
    with pytest.raises(NotUnderstood) as refused:
        sides().tell("fate decides: heroes 4, villains 2")
    assert [each.facts for each in refused.value.meant if each][:1] == [sides().tell("i party4 foes2").facts]


@pytest.mark.parametrize(
    "line",
    [
        "initiative ana eighteen kobs twelve and ten bo seven",
        "init: ana 18, kobs 12/10, bo 7",
        "ana 18, the kobs on 12 and 10, bo 7",
        "18 ana, 12 and 10 for the kobs, 7 bo",
        "the dice hit the table: ana 18, kob 1 12, kob 2 10, bo 7",
    ],
)
def test_a_group_with_as_many_numbers_as_members_has_one_each(line: str) -> None:
    assert told(turns(), line) == told(turns(), "i ana=18 kob-1=12 kob-2=10 bo=7")


@pytest.mark.parametrize("line", ["initiative kobs 12 and 10 and 9", "the kobs 12 and 10 damage"])
def test_other_numbers_are_no_initiative(line: str) -> None:
    with pytest.raises(NotUnderstood):
        turns().tell(line)


@pytest.mark.parametrize(
    "line",
    [
        "Ana goes: hits gob for 5",
        "Ana finally goes, hits gob for 5",
        "now Ana goes and hits gob for 5",
        "Ana is up: hits gob for 5",
        "Ana's go - hits gob for 5",
        "Ana steps up, hits gob for 5",
        "I'm up: hit gob for 5",
        "I finally go, hit gob for 5",
    ],
)
def test_a_heading_with_a_turn_begins_it(line: str) -> None:
    at = turns("r")
    at.speakers = ("ana",)
    assert told(at, line) == told(turns("r"), "ana's turn. ana hits gob for 5")


@pytest.mark.parametrize("line", ["the party goes first", "ana moves first to the orc"])
def test_who_is_first_is_no_move(line: str) -> None:
    with pytest.raises(NotUnderstood):
        sides().tell(line)


@pytest.mark.parametrize(
    "behind",
    [
        "; gob 25 of 30",
        ", gob at 25",
        ", 25 left",
        " (25 left)",
        ", gob 25.",
        ", gob 25 hp left",
        ", it has 25 left",
        ", 25 to go",
        ", leaving it on 25",
        " leaving him at 25",
        ", gob now 25",
        ". Gob: 25/30",
        ", 25/30",
        "; that leaves gob with 25",
    ],
)
@pytest.mark.parametrize("ruleset", ["5e", "osric", "plain"])
def test_points_that_are_left_behind_a_blow_are_checked(ruleset: str, behind: str) -> None:
    at = sides("i party5 foes2") if ruleset == "osric" else heard(table(ruleset, *PEOPLE), "r")
    *blow, left = at.tell(f"ana hits gob for 5{behind}").facts
    assert at.tell(BLOW).facts == tuple(blow)
    assert left == Checked(values={"gob.hp": 25})


@pytest.mark.parametrize(
    "line", [f"{BLOW}; gob 20 of 30", f"{BLOW}, gob 25 of 40", f"{BLOW}, gob at 22", f"{BLOW}, bo 3"]
)
def test_other_points_than_those_of_the_log_are_asked_about(line: str) -> None:
    with pytest.raises(NotUnderstood):
        turns("r").tell(line)


@pytest.mark.parametrize(
    "line",
    [
        "End of round 1: ana 25, bo 30, gob 30",
        "Round 1 ends: ana 25 bo 30 and gob 30",
        "end of the round, ana at 25, bo on 30, gob 30/30",
        "That's the end of round 1. Ana 25 hp, bo 30 hp, gob 30 hp",
    ],
)
def test_points_behind_the_end_of_a_round_are_checked(line: str) -> None:
    found = sides("ana -5").tell(line).facts
    assert found == (RoundEnded(round=1), Checked(values={"ana.hp": 25, "bo.hp": 30, "gob.hp": 30}))


@pytest.mark.parametrize(
    "line", ["hp: ana 25, bo 30", "health: ana 25 of 30, bo 30", "hp after round 1: ana 25, bo 30"]
)
def test_points_behind_a_word_for_them_are_checked(line: str) -> None:
    assert sides("ana -5").tell(line).facts == (Checked(values={"ana.hp": 25, "bo.hp": 30}),)


@pytest.mark.parametrize("line", ["End of round 1: ana 24, bo 30", "end of round 3: ana 25, bo 30", "ana 25, bo 30"])
def test_a_list_of_points_that_is_not_certain_is_asked_about(line: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        sides("ana -5", "i party5 foes3").tell(line)
    first = next(each for each in refused.value.meant if each is not None)
    assert [fact.__class__.__name__ for fact in first.facts][-1:] == ["Checked"]


@pytest.mark.parametrize(
    "line",
    [
        "declarations: ana to attack gob, bo kob 1",
        "declares: ana gob, bo kob 1",
        "Round 1, declarations: ana to attack gob, bo kob 1.",
        "intents - ana on gob; bo on kob 1",
        "ana to attack gob, bo kob 1",
        "ana attacks gob, bo attacks kob 1",
    ],
)
def test_declarations_stand_in_a_list_with_a_heading(line: str) -> None:
    assert sides().tell(line).facts == tuple(
        fact for each in ("d ana attack gob", "d bo attack kob-1") for fact in sides().tell(each).facts
    )


@pytest.mark.parametrize("verb", ["muttering", "chanting", "weaving", "casting", "to cast"])
def test_a_spell_is_begun_in_any_words(verb: str) -> None:
    at = sides()
    assert (
        at.tell(f"bo starts {verb} sleep at kobs 1 and 2, casting time 1").facts
        == at.tell("d bo cast sleep 1 kob-1,kob-2").facts
    )


@pytest.mark.parametrize("line", ["ana to cast web", "bo to attack gob"])
def test_what_somebody_is_to_do_is_no_deed(line: str) -> None:
    with pytest.raises(NotUnderstood):
        sides("i party5 foes2", "seg 2").tell(line)


def test_a_spell_that_is_begun_before_the_round_is_announced() -> None:
    at = heard(table("osric", *PEOPLE))
    assert at.tell("bo starts chanting sleep at gob, casting time 1").facts == at.tell("d bo cast sleep 1 gob").facts


@pytest.mark.parametrize(
    ("line", "rest", "words"),
    [
        ("what are ana and bo on?", "why", "ana bo hp"),
        ("how many hit points do ana and bo have?", "why", "ana bo hp"),
        ("party hp?", "why", "ana bo hp"),
        ("hp?", "why", "ana bo gob-1 gob-2 hp"),
        ("everyone's hp", "why", "ana bo gob-1 gob-2 hp"),
        ("the gobs' hp?", "why", "gob-1 gob-2 hp"),
        ("how many gobs are left?", "who", "is standing"),
    ],
)
def test_a_question_may_be_about_several(line: str, rest: str, words: str) -> None:
    at = table("5e", "join Ana party hp=9", "join Bo party hp=9", "join gob*2 foes hp=5", "r")
    parsed = at.tell(line)
    assert (parsed.facts, parsed.rest, parsed.words) == ((), rest, words)
