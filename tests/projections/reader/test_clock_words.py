"""Turns, rounds, segments and the end of the fight in the words of people, and what only sounds like them."""

import pytest

from projections.grammar.table import Table
from projections.reader.decision import decide
from tests.projections.grammar.test_line_context import heard
from tests.projections.test_grammar import table

PEOPLE = ("join ana party hp=30", "join bo party hp=30", "join gob foes hp=9", "join leader-1 foes hp=20")


def fight(key: str = "plain", *lines: str) -> Table:
    return heard(table(key, *PEOPLE), "r", "i ana=15 bo=12 gob=9 leader-1=7", "t ana", *lines)


def told(at: Table, line: str) -> list[object]:
    """Return the facts of a line that is recorded at once; nothing if it is not."""
    meaning = decide(at.context, line).meaning
    return [*meaning.facts] if meaning else []


def by_forms(at: Table, *lines: str) -> list[object]:
    """Return the facts of lines of the notation that follow each other."""
    later, found = Table(at.records), list[object]()
    for line in lines:
        found += later.hear(line).facts
    return found


@pytest.mark.parametrize(
    "line",
    [
        "That is the end of Ana's turn.",
        "end of ana's turn",
        "turn over",
        "and that's my turn",
        "that does it for ana",
        "That's all for Ana",
        "nothing else from ana",
        "ana is through",
        "ana is done for this round",
        "i end my turn",
        "end combat turn",
        "Ana has had her go.",
    ],
)
def test_a_turn_ends_in_any_words(line: str) -> None:
    at = fight()
    assert told(at, line) == by_forms(at, "done ana")


@pytest.mark.parametrize("end", [", end of turn", " and that's her turn", ". End of turn.", ", and ends her turn"])
def test_a_turn_that_ends_behind_a_deed_is_that_of_the_doer(end: str) -> None:
    at = fight()
    assert told(at, f"bo dashes{end}") == by_forms(at, "bo dash", "done bo")
    assert told(at, "gob takes 4, end of turn") == []


def test_the_end_of_the_turn_of_somebody_numbered_ends_that_and_no_fight() -> None:
    at = fight("plain", "t leader-1")
    assert told(at, "That is the end of the first leader's turn.") == by_forms(at, "done leader-1")


@pytest.mark.parametrize(
    "line",
    [
        "over to bo",
        "on to bo",
        "back to bo",
        "now bo",
        "play passes to bo",
        "the turn passes to bo",
        "It is now Bo's turn to act.",
        "bo acts now",
        "bo's go",
    ],
)
def test_a_turn_begins_in_any_words(line: str) -> None:
    at = fight()
    assert [*at.tell(line).facts] == by_forms(at, "t bo")


@pytest.mark.parametrize(
    "line",
    [
        "that's ana done bo's up",
        "ana done bo up",
        "ana is finished so now it's bo's go",
        "Ana has had her go, now it is Bo's turn.",
        "Ana's turn has ended, and Bo begins his.",
    ],
)
def test_one_turn_ends_and_the_next_begins_in_one_line(line: str) -> None:
    at = fight()
    assert told(at, line) == by_forms(at, "done ana", "t bo")


@pytest.mark.parametrize(
    ("line", "forms"),
    [
        ("that's the end of round one", ["end 1"]),
        ("Everyone has had a go, so that is the end of the first round.", ["end 1"]),
        ("that's it for round 1", ["end 1"]),
        ("that wraps up round one", ["end 1"]),
        ("round complete", ["end round"]),
        ("that's the round", ["end round"]),
        ("that is the end of the round", ["end round"]),
        ("end of combat round 1", ["end 1"]),
        ("That was round one, and now we start round two.", ["end 1", "r 2"]),
        ("rd1 done rd2", ["end 1", "r 2"]),
        ("end rnd 1. round 2", ["end 1", "r 2"]),
        ("everyone's gone so new round", ["r"]),
        ("all done, next round", ["r"]),
        ("ROUND 2!!!", ["r 2"]),
        ("that makes it round 2", ["r 2"]),
        ("moving on to round two", ["r 2"]),
        ("start rd 2, ana first", ["r 2", "t ana"]),
        ("that ends round 1, round 2 begins with ana", ["end 1", "r 2", "t ana"]),
    ],
)
def test_a_round_ends_or_begins_in_any_words(line: str, forms: list[str]) -> None:
    at = fight("plain", "t leader-1", "done leader-1")
    assert told(at, line) == by_forms(at, *forms)


def test_the_top_of_the_round_is_asked_about_while_somebody_is_still_to_act() -> None:
    at = fight()
    assert told(at, "top of the round") == []
    heard(at, "done ana", "t bo", "done bo", "t gob", "done gob", "t leader-1", "done leader-1", "end")
    assert told(at, "top of the round") == by_forms(at, "r")


def test_what_happens_at_the_end_of_a_round_does_not_end_it_without_being_asked() -> None:
    assert told(fight(), "at the end of the round gob takes 3") == []


def test_all_who_are_told_to_do_something_have_not_done_it() -> None:
    assert told(fight(), "everybody breathe") == []
    ended, note = told(fight("plain", "t leader-1", "done leader-1"), "end of rd 1, everybody breathe")
    assert (type(ended).__name__, note.text) == ("RoundEnded", "everybody breathe")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("line", "segment"),
    [
        ("that's us done, foes on seg 5", 5),
        ("foes go on seg 5", 5),
        ("seg 4, foes", 4),
        ("skip to segment 7", 7),
        ("new segment", 3),
    ],
)
def test_a_segment_is_reached_in_any_words(line: str, segment: int) -> None:
    at = heard(table("osric", *PEOPLE), "r", "i party 4 foes 2", "segment 2", "ana attacks gob 14 6")
    assert told(at, line) == by_forms(at, f"seg {segment}")


def test_when_a_side_acts_is_asked_about_before_the_first_segment() -> None:
    at = heard(table("osric", *PEOPLE), "r", "i party 4 foes 2")
    assert told(at, "foes go on seg 5") == []
    assert told(at, "that's us done, foes on seg 5") == by_forms(at, "seg 5")


@pytest.mark.parametrize(
    ("line", "forms"),
    [
        ("and that's a wrap", ["over"]),
        ("The end.", ["over"]),
        ("that is the end of the fight", ["over"]),
        ("that concludes the battle", ["over"]),
        ("fight over!! gg everyone", ["over"]),
        ("combat is over, 1 prisoner", ["over 1 prisoner"]),
        ("gob dies and the battle is lost", ["rule override gob.status=dead gob is dead", "over"]),
        ("we call it a day", ["over"]),
        ("combat over, party wins", ["over party wins"]),
        ("fight over, the foes flee", ["over the foes flee"]),
        ("gob dies and the fight is over", ["rule override gob.status=dead gob is dead", "over"]),
        ("the foes flee, combat over", ["gob leaves flee", "leader-1 leaves flee", "over"]),
        ("leader-1 surrenders, which ends the fight", ["leader-1 is surrendered", "over"]),
        ("end rnd 1. Fight over, 1 prisoner", ["end 1", "over 1 prisoner"]),
    ],
)
def test_the_fight_is_over_in_any_words_with_what_ended_it(line: str, forms: list[str]) -> None:
    at = fight("plain")
    assert told(at, line) == by_forms(at, *forms)


@pytest.mark.parametrize("verb", ["throws down his sword", "throws his sword down", "casts his sword aside"])
def test_a_weapon_that_is_thrown_down_strikes_nobody(verb: str) -> None:
    at = fight("plain", "t gob", "gob attacks bo with a sword 15 hits for 3")
    note, surrender, end = told(at, f"gob {verb} and surrenders, so the fight is over. Well done, everybody!")
    assert type(note).__name__ == "Noted"
    assert [surrender, end] == by_forms(at, "gob is surrendered", "over")


@pytest.mark.parametrize(
    "line",
    [
        "the fight is over for bo",
        "fight over for gob",
        "the end of bo",
        "that's the end of gob",
        "the end is near",
        "that's the end of the spell",
        "the end of it",
        "the fight is not over",
        "the fight is almost over",
        "is the fight over",
        "it's over",
        "we're done",
        "combat over, gob takes 3",
        "ana ends the fight with gob",
    ],
)
def test_what_only_sounds_like_the_end_of_the_fight_or_of_a_turn_is_not_recorded(line: str) -> None:
    assert told(fight(), line) == []


def test_a_side_that_may_have_won_initiative_has_not_won_the_fight() -> None:
    assert told(heard(table("osric", *PEOPLE), "r"), "party wins") == []
    assert told(fight(), "party wins") == by_forms(fight(), "over party wins")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("does anybody know whose turn it is", "order"),
        ("remind me what bo's ac is", "bo.ac"),
        ("I need to know how many hit points bo has", "bo.hp"),
        ("tell me bo's hp", "bo.hp"),
        ("hp of bo", "bo.hp"),
        ("the hp of bo", "bo.hp"),
        ("bo hp", "bo.hp"),
        ("bo's ac", "bo.ac"),
        ("ac of bo", "bo.ac"),
        ("is it ana's turn", "order"),
        ("is anyone still up", "order"),
        ("bo bloodied?", "bo.hp"),
    ],
)
def test_a_question_is_one_within_a_sentence_and_without_its_mark(line: str, words: str) -> None:
    found = decide(fight().context, line).meaning
    assert found is not None
    assert (found.rest, found.words) == ("why", words)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("who's still fighting?", "is fighting"),
        ("who's left standing?", "is standing"),
        ("Which of the enemy are still standing?", "is standing"),
        ("And whose turn is it now?", "turn is it"),
        ("Who is next?", "is next"),
        ("whos still asleep?", "is asleep"),
    ],
)
def test_a_question_about_everybody_asks_who(line: str, words: str) -> None:
    found = decide(fight().context, line).meaning
    assert found is not None
    assert (found.rest, found.words) == ("who", words)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("scrub that last one", ""),
        ("Please take back the last thing I wrote, because Ana had not shot yet.", "because Ana had not shot yet."),
        ("erase that", ""),
        ("get rid of that last line", ""),
        ("can you undo that", ""),
        ("roll that back", ""),
        ("take that last hit back", ""),
        ("Forget what I just said.", ""),
        ("that never happened", ""),
        ("oops, wrong, remove that", ""),
        ("please ignore my last message", ""),
        ("scratch that, gob had cover", "gob had cover"),
    ],
)
def test_the_last_line_is_taken_back_in_any_words(line: str, reason: str) -> None:
    found = decide(fight("plain", "ana hits gob for 3").context, line).meaning
    assert found is not None
    assert (found.rest, found.words) == ("undo", reason)


@pytest.mark.parametrize(
    "line",
    ["cancel the spell", "drop that", "lose the shield", "strike gob", "ana takes it back", "kill it", "remove gob"],
)
def test_what_is_no_line_is_not_taken_back(line: str) -> None:
    found = decide(fight("plain", "ana hits gob for 3").context, line).meaning
    assert found is None or found.rest != "undo"


def test_a_line_that_takes_one_back_and_tells_another_is_two() -> None:
    found = decide(fight("plain", "ana hits gob for 3").context, "scratch that, ana hits leader-1")
    assert found.meaning is None
    assert found.why_not is not None
    assert found.why_not.hint.startswith("u takes it back")


@pytest.mark.parametrize(
    "line",
    [
        "so 2 instead of 3",
        "2 dmg not 3",
        "change the 3 to a 2",
        "the 3 should have been a 2",
        "that 3 was a 2",
        "I typed 3 but it was 2",
        "i wrote 3, should be 2",
        "it wasn't 3, it was 2",
        "3 should be 2",
        "oh wait ana only did 2 to gob not 3",
        "Ana should only have done 2 to gob, not 3.",
    ],
)
def test_one_number_stands_in_the_place_of_another_in_any_words(line: str) -> None:
    at = fight("plain", "ana hits gob for 3")
    (amended,) = told(at, line)
    assert (amended.event, amended.replacement.amount) == (len(at.records), 2)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("line", "sheet"),
    [
        ("oh wait bo has 25 not 30 my bad", {"hp": 25, "hp_max": 25}),
        ("Sorry, Bo should have 25 hit points, not 30.", {"hp": 25, "hp_max": 25}),
        ("bo's hp is 25 not 30", {"hp": 25, "hp_max": 25}),
        ("gob should be at 7 not 6", {"hp": 7}),
        ("gob has 7 not 6", {"hp": 7}),
        ("bo's max is 32 not 30", {"hp_max": 32, "hp": 32}),
    ],
)
def test_what_somebody_has_instead_of_what_the_log_gives_is_corrected(line: str, sheet: dict[str, int]) -> None:
    (changed,) = told(fight("plain", "ana hits gob for 3"), line)
    assert changed.sheet == sheet  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "line",
    [
        "gob has 7 not 5",
        "gob has 7 arrows not 6",
        "it was 10 ft not 3",
        "gob only took 2",
        "I meant leader-1",
        "that 3 was a hit for 2",
        "ana hits leader-1 for 2 not 3",
    ],
)
def test_what_may_correct_something_else_is_not_recorded_at_once(line: str) -> None:
    assert told(fight("plain", "ana hits gob for 3"), line) == []


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("forgot bo's regen lol +5 hp", "bo's regen +5 hp"),
        ("i forgot gob takes 1 from the brambles", "gob takes 1 from the brambles"),
        ("I forgot: bo is prone", "bo is prone"),
        ("Sorry, I forgot to mention that gob is blinded.", "gob is blinded"),
        ("also forgot, bo took 3", "bo took 3"),
        ("should have said that bo is prone", "bo is prone"),
        ("we forgot gob's con save he got a twelve so that's a success", "gob's con save 12 success"),
    ],
)
def test_what_was_forgotten_is_told_as_ever(line: str, plain: str) -> None:
    at = fight("plain")
    assert told(at, line) == [*at.tell(plain).facts]


def test_what_was_forgotten_moves_no_clock_and_keeps_its_round() -> None:
    at = fight("plain", "end round", "r 2", "t bo")
    assert told(at, "forgot gob moved 10 ft") == [at.tell("gob moves 10 ft").facts[-1]]
    assert told(at, "forgot that gob hit ana for 3 back in round 1") == []
    hurt, note = told(at, "I forgot to say that gob also took 1 damage from the brambles in round 1.")
    assert (hurt.amount, note.text, note.event) == (1, "in round 1", -1)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "line",
    ["forgot to attack gob with bo", "we forgot bo's turn", "forgot to subtract 3 from bo", "bo forgot 3 arrows"],
)
def test_what_was_not_done_or_may_come_now_is_not_recorded(line: str) -> None:
    assert told(fight(), line) == []


@pytest.mark.parametrize(
    "line",
    [
        "We are playing in the library today because the hall is being painted.",
        "remember bo saw a silver key on the gob's belt",
        "Don't forget that the door is locked.",
        "We will continue next week.",
        "just so you know the bridge is out",
    ],
)
def test_a_sentence_in_which_nothing_can_be_a_deed_is_a_remark(line: str) -> None:
    (note,) = told(fight(), line)
    assert note.text == line  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "line",
    [
        "remember bo took 5 from the fire",
        "remember bo is prone",
        "remember bo hit gob",
        "remember that gob fled from bo",
        "Today Anna hits the gobln",
        "we attack tonight",
        "The walls begin to shake.",
    ],
)
def test_a_sentence_that_may_be_a_deed_is_asked_about(line: str) -> None:
    assert told(fight(), line) == []


@pytest.mark.parametrize("line", ["and and", "ok", "and", "so but and", "ok so", "and, and."])
def test_words_that_only_join_mean_nothing(line: str) -> None:
    found = decide(fight("plain").context, line)
    assert (found.meaning, found.offers, found.why_not) == (None, (), None)
