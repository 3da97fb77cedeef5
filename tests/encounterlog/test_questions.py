"""Questions at the table and of `why`: the same answers, names as everywhere, sentences, points of time, sums."""

import re
from pathlib import Path

import pytest

from encounterlog.words.layout import WIDTH
from tests.encounterlog.support import encounter, log_of_lines
from tests.tables import for_each

FIGHT = (
    'join "Friar Tuck" party hp=12', "join Mira party hp=9", "join Brand party hp=14", 'join "Night Hag" foes hp=20',
    "join orc*2 foes hp=5", "surprised", "r", "d b attack h", "i p5 f3", "b 14 6", "n b 17 4", "n b 18 7", "e", "r", "i p2 f6",
)  # fmt: skip


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return log_of_lines(tmp_path_factory.mktemp("questions") / "ford.jsonl", "osric", FIGHT)


def asked(log: Path, line: str) -> str:
    done = encounter("add", log, line)
    assert (done.exit_code, done.stderr) == (0, ""), line
    return done.stdout


@pytest.mark.parametrize("question", [
    "order", "brand.hp", "brand before night-hag", "brand before night-hag @r1", "mira can act", "party.segment", "mira", "friar-tuck",
    "brand.hp --short", "order --all",
])  # fmt: skip
def test_a_question_at_the_table_is_answered_as_the_command_answers_it(log: Path, question: str) -> None:
    given = encounter("why", log, *question.split())
    assert given.exit_code == 0
    for line in (f"?{question}", f"?why {question}", f"why {question}", f"? {question}"):
        assert asked(log, line) == given.stdout
    assert max(map(len, given.stdout.splitlines())) <= WIDTH


def test_points_blame_possessives_who_killed_and_who_won_are_answered(log: Path) -> None:
    early, late = (asked(log, f"?b before n{at}") for at in (" @r1", ""))
    assert early.startswith("Brand comes before Night Hag.")
    assert late.startswith("No: Night Hag comes before Brand.")
    assert asked(log, "?b before n --at r1") == encounter("why", log, "b", "before", "n", "--at", "r1").stdout == early
    assert encounter("add", log, "?b.hp @nowhere").stderr.startswith("encounter: WHERE: 'nowhere' names no point")
    assert encounter("why", log, "b.hp", "@9999").exit_code == 2
    assert asked(log, "?blame b.hp") == encounter("blame", log, "brand.hp").stdout
    assert asked(log, "whats miras hp") == asked(log, "what's mira's hp")
    killed = asked(log, "who killed night-hag?")
    assert killed.startswith("Night Hag has")
    assert "Night Hag is" in killed
    assert asked(log, "who won?").count(" is ") >= 6
    assert "Mira is " in asked(log, "who's left")


@pytest.mark.parametrize(("typed", "address"), [
    ("mi.hp", "mira.hp"), ("friar.hp", "friar-tuck.hp"), ("Friar Tuck.hp", "friar-tuck.hp"), ("NIGHT HAG.HP", "night-hag.hp"),
    ("night hag hp", "night-hag.hp"), ("b hp max", "brand.hp_max"), ("ORDER", "order"), ("o2.status", "orc-2.status"),
    ("par.segment", "party.segment"),
])  # fmt: skip
def test_names_and_values_are_typed_as_everywhere(log: Path, typed: str, address: str) -> None:
    for words in ((typed,), typed.split()):
        assert encounter("why", log, *words).stdout == encounter("why", log, address).stdout != ""
    assert encounter("blame", log, typed).stdout == encounter("blame", log, address).stdout


@pytest.mark.parametrize(("sentence", "question"), [
    ("why am I at 3?", "brand.hp"), ("why is hag low", "night-hag.hp"), ("why is night hag hurt", "night-hag.hp"),
    ("why is the friar down?", "friar-tuck.status"), ("why is Mira before Brand", "mira before brand"),
    ("why is brand’s spell spoiled", "brand.casting"),
])  # fmt: skip
def test_a_sentence_is_about_those_whom_it_names(log: Path, sentence: str, question: str) -> None:
    first = re.split(r"\.|, because", encounter("why", log, *question.split()).stdout)[0]
    assert asked(log, sentence).startswith(first)


@pytest.mark.parametrize("line", ["who is next", "who's next?", "?who is up", "whose turn is it?", "?why who is next"])
def test_who_is_next_and_the_order_are_told(log: Path, line: str) -> None:
    told = asked(log, line)
    assert told.startswith("Night Hag is due in this round, but not yet, because Night Hag comes in round 2 segment 2.")
    assert "The order is Night Hag & orc-1 & orc-2, then Friar Tuck & Mira & Brand" in " ".join(told.split())


@pytest.mark.parametrize("line", ["who is still standing?", "who's left standing?", "who is left", "who is alive?"])
def test_who_is_still_up_is_told(folder: Path, line: str) -> None:
    made = log_of_lines(folder / "a.jsonl", "plain", ("join Ana heroes hp=9", "join Bo foes hp=9", "bo -9"))
    told = asked(made, line)
    assert "Ana is up" in told
    assert "Bo is" not in told


@pytest.mark.parametrize("line", ["who is next", "who's next?", "whos next", "what's next", "?who goes next"])
def test_in_the_last_turn_of_a_round_the_first_of_the_next_one_is_next(folder: Path, line: str) -> None:
    made = log_of_lines(
        folder / "a.jsonl", "plain", ("join Ana heroes hp=9", "join Bo foes hp=9", "r", "i a=9 b=3", "t", "t")
    )
    told = "Nobody else is due in this round: Ana is first in round 2.\nThe order is Ana, then Bo"
    assert asked(made, line).startswith(told)
    assert encounter("why", made, "who", "is", "next").stdout.startswith(told)


STATES = (
    "join Mira party hp=15", "join Tobin party hp=12", "join Bandit*2 foes hp=7", "i mira=18 tobin=12 bandit-1=9 bandit-2=5", "r", "t mira",
    "effect hold_person by mira on bandit-2 concentration=yes", "bandit-2 is paralyzed for 3r", "effect bless by mira on tobin for 5r",
    "tobin is dazed", "tobin not dazed", "bandit-1 is prone", "t tobin", "tobin delays",
)  # fmt: skip


@pytest.fixture(scope="module", params=["plain", "definition-master"])
def states(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    return log_of_lines(tmp_path_factory.mktemp("states") / "states.jsonl", request.param, STATES)


@for_each(("line", "says"), [
    ("who is paralyzed?", ["Bandit 2 is paralyzed"]), ("?who is prone", ["Bandit 1 is prone"]),
    ("who is concentrating?", ["hold person", "Mira"]), ("who is delaying?", ["Tobin is not due", "Tobin has put off the turn"]),
    ("is bandit-2 paralyzed?", ["Bandit 2 is paralyzed"]), ("how long is bandit-2 paralyzed?", ["paralyzed for 3 rounds"]),
    ("how long does bless last?", ["Bless is on Tobin"]), ("when does bless end?", ["Tobin", "bless"]),
    ("?bandit-2", ["Bandit 2 has 7 hit points", "Bandit 2 is paralyzed", "Hold person on Bandit 2"]),
    ("?tobin", ["Bless on Tobin", "Tobin has put off the turn"]), ("who is bless on?", ["Bless on Tobin"]),
    ("why can't bandit-2 act?", ["Bandit 2 is paralyzed"]),
])  # fmt: skip
def test_states_and_who_waits_are_told_of_whoever_is_asked_about(states: Path, line: str, says: list[str]) -> None:
    told = " ".join(asked(states, line).split())
    assert [each for each in says if each not in told] == []


def test_a_state_that_nobody_is_in_is_said_to_be_nobodys(states: Path) -> None:
    assert encounter("add", states, "who is blinded?").stderr.startswith(
        "encounter: nobody here is blinded\nhint: ?NAME"
    )


@for_each(("line", "says"), [
    ("why am I at 77", "nobody here has 77 hit points\nhint: name the combatant"), ("why am I last", "nobody is named here\nhint: name the combatant"),
    ("?or.hp", "or can be orc-1 or orc-2\nhint: write more of the name"), ("?why", "no question\nhint: ask for an address"),
    ("why is it raining", "there is no value is it raining here\nhint: ask for an address"),
    ("?b before zed", "there is no combatant zed"), ("?party", "which value of party? Say party.surprise"),
])  # fmt: skip
def test_a_question_that_names_nothing_gets_a_hint(log: Path, line: str, says: str) -> None:
    done = encounter("add", log, line)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"encounter: {says}")


def test_the_short_answer_adds_up_over_each_change_to_the_sum(log: Path, folder: Path) -> None:
    (line, *_) = asked(log, "?brand").splitlines()
    assert line.startswith("Brand has 3 hit points: 14 to begin with, - 4 (Night Hag attacks Brand), - 7")
    long = log_of_lines(
        folder / "long.jsonl", "plain", ("join Ana heroes hp=30", *("a -2", "a +1") * 6, "sheet a hp=20", "a -3")
    )
    for at, most in ((None, 10), (14, 10)):
        told = " ".join(encounter("why", long, "ana.hp", "--short", *(("--at", str(at)) if at else ())).stdout.split())
        total, _, terms = told.removeprefix("Ana has ").partition(" hit points: ")
        numbers = [int(each.replace(" ", "")) for each in re.findall(r"(?:^|(?<=, ))[-+]? ?\d+", terms)]
        assert sum(numbers) == int(total)
        assert len(numbers) <= most


def test_a_condition_and_how_long_it_lasts_are_asked_by_name(tmp_path: Path) -> None:
    made = log_of_lines(
        tmp_path / "ghoul.jsonl",
        "plain",
        ("join ana party hp=9", "join ghoul foes hp=8", "ana=9", "ghoul=3", "r", "ghoul is stunned for 3r"),
    )
    assert "Ghoul is stunned (3 left)" in asked(made, "how long is ghoul stunned?")
    for line in ("t ana", "t ghoul", "done ghoul"):
        assert encounter("add", made, line).exit_code == 0, line
    assert "Ghoul is stunned (2 left)" in asked(made, "how long is ghoul stunned?")
    made = log_of_lines(
        tmp_path / "held.jsonl", "5e", ("join thora party hp=30", "join gru foes hp=40", "thora is grappled by gru")
    )
    for question in ("?thora.grappled", "?thora grappled", "?Thora.Grappled"):
        assert asked(made, question).startswith("Thora is grappled, because "), question
    assert asked(made, "?gru.prone").startswith("Gru is not prone, because ")
    assert encounter("add", made, "gru is stunned").exit_code == 0
    assert asked(made, "?thora.grappled").startswith("Thora is not grappled, because gru becomes stunned ")
    assert "incapacitated" in asked(made, "?gru.incapacitated").partition("because")[0]
    assert asked(made, "?gru.dead").startswith("Gru is up, because ")
    assert encounter("add", made, "?gru.grapled").exit_code == 2


def test_who_is_next_cites_rolls_of_an_order_only_where_they_are_few(log: Path, tmp_path: Path) -> None:
    assert "because initiative for party: 2 and" in " ".join(asked(log, "who is next?").split())
    made = log_of_lines(
        tmp_path / "four.jsonl", "plain", ("join orc*4 foes hp=9", "o1=9", "o2=7", "o3=5", "o4=3", "r", "t")
    )
    assert "because" not in asked(made, "who is next?").partition("The order is")[2]
