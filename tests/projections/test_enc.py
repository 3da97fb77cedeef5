"""The script format: what cannot be read is named with its line, its column and a hint; so is what proves nothing."""

import pytest

from projections.proving.enc import parse
from projections.proving.plays import EncError, Play
from projections.proving.proof import run_play
from tests.tables import for_each

START = 'ruleset osric\nencounter A fight\ncombatant ada heroes {"hp":9} Ada\n'
ROUND = '{"type":"round_started","round":1}\n'
NOTHING = "expect no findings\n"


def refused(text: str | bytes) -> EncError:
    with pytest.raises(EncError) as caught:
        parse(text, "fight.enc")
    return caught.value


def where(error: EncError) -> tuple[int, int]:
    return error.line, error.column


def test_a_script_is_read() -> None:
    (play,) = parse(START + "option spoil-cause hit\n" + ROUND + "expect round = 1\n", "fight.enc")
    assert (play.title, play.ruleset, play.options) == ("encounter A fight", "osric", {"spoil-cause": "hit"})
    assert [row.row for row in play.facts] == [1]
    assert play.expectations[0].words == ("round", "1", "")


@for_each(("line", "column", "why", "hint"), [
    ("expct ada.hp = 9", 1, "unknown word expct", "expect"),
    ("adda -3", 1, "there is no combatant adda", "ada"),
    ("openning", 1, "unknown word openning", "opening"),
    ("opening at the ford", 9, "nothing stands behind opening", "a comment above it says what it is"),
    ("opening\nexpect round = 1", 1, "an expectation in an opening", "begin one with: encounter A title"),
    ("² {}", 1, "unknown word ²", "a fact is a JSON object"),
    ("0 {}", 1, "unknown word 0", "rows are numbered from 1"),
    ("ruleset", 1, "ruleset is followed by its key", ""),
    ("option spoil-cause", 1, "option is followed by its name and value", ""),
    ("combatant ulf orcs", 1, "combatant is followed by id, side and sheet", ""),
    ('combatant ulf orcs {"hp":}', 26, "not JSON", ""),
    ('combatant Ulf orcs {"hp":3}', 11, "Ulf", ""),
    ("case", 1, "case is followed by its name", ""),
    ("encounter", 1, "encounter is followed by its title", ""),
    ('4 {"type":"round_started","round":1', 36, "not JSON", ""),
    ('4 {"type":"round_started","round":1.5}', 3, "1.5", ""),
    ('{"type":"round_started","round":1,"round":2}', 1, "round", ""),
    ('{"type":"rund_started","round":1}', 2, "rund_started", "round_started"),
    ('{"type":"round_started","rund":1}', 25, "rund", "round"),
    ('{"type":"round_started","round":"one"}', 25, "round", ""),
    ('  {"type":"round_started"}', 3, "round", ""),
    ("expect", 1, "not an expectation: ", "such as"),
    ("expect peace", 8, "not an expectation: peace", "such as"),
    ("expect order ada & > ulf", 8, "not an expectation: order ada & > ulf", "such as"),
    ("expect finding declare.spell at", 8, "not an expectation", "such as: expect finding declare.binding at 7"),
    ("expect timeline ada vanished", 8, "not an expectation: timeline ada vanished", "such as: expect timeline"),
    ("expect no finding", 8, "not an expectation: no finding", "such as: expect no findings"),
])  # fmt: skip
def test_a_line_that_is_none_is_named(line: str, column: int, why: str, hint: str) -> None:
    error = refused(START + ROUND + line + "\n" + NOTHING * ("finding" not in line))
    assert where(error) == (5 + line.count("\n"), column), str(error)
    assert why in error.why
    assert hint in error.hint
    assert str(error).startswith(f"fight.enc, line {error.line}, column {column}: ")


@pytest.mark.parametrize(("line", "hint"), [
    ("bless ends", "add and play read it as ends bless"),
    ("ana hits bo for 3, bo hits ana for 2", "add and play read it as ana attack bo hit -3; bo attack ana hit -2"),
    ("i ana 12 bo 14", "add and play read it as i ana=12; i bo=14"),
])  # fmt: skip
def test_a_line_of_the_table_that_is_no_form_says_how_a_script_has_it(line: str, hint: str) -> None:
    fight = "ruleset plain\nencounter A fight\njoin Ana a\njoin Bo b\neffect bless by ana on bo\n"
    error = refused(f"{fight}{line}\n{NOTHING}")
    assert (error.line, "a script has the notation" in error.why) == (6, True)
    assert hint in error.hint
    parse(f"{fight}{hint.partition('read it as ')[2].replace('; ', chr(10))}\n{NOTHING}", "fight.enc")


def test_what_stands_before_the_first_play_is_named() -> None:
    assert where(refused("ruleset osric\n" + ROUND)) == (2, 1)
    assert refused("ruleset osric\n" + ROUND).why == "a fact before the first encounter"
    assert refused("expect no findings").why == "an expectation before the first encounter"


def test_a_play_expects_something_and_names_its_ruleset() -> None:
    assert refused(START + ROUND).why == "encounter A fight expects nothing"
    assert refused("encounter A fight\nexpect no findings\n").why == "encounter A fight names no ruleset"
    assert where(refused(START + ROUND + NOTHING + "encounter Another\n")) == (6, 1)


def test_a_ruleset_or_an_option_is_named_once_in_a_play_or_before_all() -> None:
    (play,) = parse(
        "option spoil-cause hit\n" + START + "option spoil-cause ruling\nruleset osric\n" + NOTHING, "fight.enc"
    )
    assert play.options == {"spoil-cause": "ruling"}
    error = refused("ruleset plain\n" + START)
    assert (where(error), error.why, error.hint) == ((2, 1), "ruleset stands here twice", "leave out one of the two")
    twice = "option spoil-cause hit\noption spoil-from round-start\noption spoil-cause damage\n"
    assert (where(refused(START + twice)), refused(START + twice).why) == (
        (6, 1),
        "option spoil-cause stands here twice",
    )


COMMON = 'ruleset osric\ncombatant ada heroes {"hp":9} Ada\n'
SCENE = 'combatant ulf orcs {"hp":7} Ulf\n' + ROUND + "ulf -1\n"
ONE, OTHER, LAST = "ulf +1\nexpect ulf.hp = 7\n", "option spoil-cause ruling\nulf -2\n" + NOTHING, ROUND + NOTHING


def test_an_opening_stands_before_the_lines_of_each_encounter_after_it() -> None:
    begun = f"{COMMON}opening\n{SCENE}\nencounter One\n{ONE}encounter Other\n{OTHER}\nopening\nencounter Last\n{LAST}"
    written_out = f"{COMMON}encounter One\n{SCENE}{ONE}encounter Other\n{SCENE}{OTHER}encounter Last\n{LAST}"
    assert list(map(content, parse(begun, "fight.enc"))) == list(map(content, parse(written_out, "fight.enc")))


def content(play: Play) -> list[object]:
    """Return what a play says, without the lines that say it."""
    facts = [(row.row, row.event) for row in (*play.joined, *play.facts)]
    return [play.title, play.options, facts, [(each.words, each.after) for each in play.expectations]]


def test_a_fact_of_an_opening_that_a_log_refuses_is_named_with_its_line() -> None:
    turn = '{"type":"turn_started","combatant":"ulf"}\n'
    plays = parse(f"{COMMON}opening\n{turn}encounter One\n{NOTHING}encounter Other\n{NOTHING}", "fight.enc")
    assert [each.line for play in plays for each in run_play(play).failures] == [4, 4]


def test_findings_and_none_are_not_expected_together() -> None:
    error = refused(START + ROUND + NOTHING + "expect finding log.here at 1\n")
    assert (where(error), error.why) == ((6, 8), "one encounter expects both findings and no findings")


@pytest.mark.parametrize(("line", "column", "why"), [
    ("ruleset osrik", 9, "no ruleset 'osrik' is installed; did you mean osric?"),
    ("option spoil-couse hit", 8, "osric has no option spoil-couse; did you mean spoil-cause"),
    ("option  spoil-cause  hitt", 22, "spoil-cause has no value hitt; did you mean hit?"),
    ("option moonlit yes", 8, "osric has no option moonlit; there are surprise-shared, "),
    ("expect finding declare.spell-not-substitutd at 1", 16, "osric has no rule declare.spell-not-substitutd; "),
    ("expect ada.hp = 9 by health.hit-point", 22, "osric has no rule health.hit-point; did you mean "),
])  # fmt: skip
def test_a_word_that_the_ruleset_does_not_know_is_named(line: str, column: int, why: str) -> None:
    (play,) = parse(START + line + "\nexpect round = 0\n", "fight.enc")
    first = run_play(play).failures[0]
    assert (first.line, first.column) == (4, column)
    assert first.says.startswith(why), first.says


def test_an_option_that_every_log_can_have_is_known_with_its_values() -> None:
    for known in ("foe-hit-points true-words", "hit-point-words yes"):
        (play,) = parse(START + f"option {known}\n" + NOTHING, "fight.enc")
        assert run_play(play).failures == ()
    (play,) = parse(START + "option hit-point-words some\n" + NOTHING, "fight.enc")
    assert [one.says for one in run_play(play).failures] == ["hit-point-words has no value some; there are no, yes"]


def test_an_option_of_all_plays_is_looked_up_where_it_stands() -> None:
    (play,) = parse("option moonlit yes\n" + START + NOTHING, "fight.enc")
    assert [(each.line, each.column) for each in run_play(play).failures] == [(1, 8)]
    (play,) = parse("option spoil-cause hitt\n" + START + NOTHING, "fight.enc")
    assert [(each.line, each.column) for each in run_play(play).failures] == [(1, 20)]


def test_bytes_that_are_no_text_are_named() -> None:
    error = refused(START.encode() + b"expect \xff\xfe\x00\n")
    assert (where(error), error.why) == ((4, 8), "not UTF-8")
    assert "\x00" not in str(refused("\x00\x01\x02"))
    assert "\x1b" not in str(refused(START + "expect \x1b[31m\n"))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_as_on_any_machine(end: str) -> None:
    text = ("\ufeff" + START + "expect\tada.hp  =\t9\n# done\n\n" + NOTHING).replace("\n", end)
    (play,) = parse(text.encode(), "fight.enc")
    assert play.expectations[0].line == 4
    assert run_play(play).is_proven


def test_tabs_part_words() -> None:
    (play,) = parse(START + "option\tspoil-cause\thit\n7\t" + ROUND + NOTHING, "fight.enc")
    assert play.options == {"spoil-cause": "hit"}
    assert [row.row for row in play.facts] == [7]


# ---------------------------------------------------------------- what an expectation has to be able to do: fail


def says(text: str) -> list[tuple[int, str]]:
    (play,) = parse(START + text, "fight.enc")
    return [(each.line, each.says) for each in run_play(play).failures]


def test_a_finding_at_a_row_that_is_not_there_is_named() -> None:
    assert (5, "no fact has the number 9") in says(ROUND + "expect finding surprise.checked-at-start at 9\n")


def test_a_value_that_is_none_is_named() -> None:
    assert says("expect ada.mood = 9\n") == [(4, "there is no value ada.mood here")]
    assert says("expect ada.hp = 8\n") == [(4, "ada.hp is 9, expected 8")]
    assert says("expect ada.hp = 9 by surprise.die\n") == [(4, "ada.hp is by health.hit-points, expected surprise.die")]


def test_segments_of_surprise_are_not_asked_for_in_a_round() -> None:
    ready = '{"type":"surprise_settled"}\n' + ROUND
    assert says(ready + "expect due s2 nobody\n") == [(6, "there is no segment s2 here: this is a round")]
    assert says(ready + "expect rows s2 nobody\n") == [(6, "there is no segment s2 here: this is a round")]
    assert says("expect due 2 nobody\n") == [(4, "there is no segment 2 here: this is surprise")]


def test_groups_are_compared() -> None:
    surprise = '{"type":"surprise_rolled","side":"heroes","die":4}\n{"type":"surprise_settled"}\n'
    assert says(surprise + "expect order ada\n") == [(6, "the order: nobody, expected ada")]
    assert says("expect timeline ada sword done in 3\n") == [(4, "timeline of ada sword: nothing, expected done 3")]


def test_findings_are_compared_both_ways() -> None:
    assert says('{"type":"surprise_rolled","side":"heroes","die":7}\n' + NOTHING) == [
        (4, "an unexpected finding surprise.die-each-side at 1: the surprise die of heroes cannot show 7")
    ]
    settled = '{"type":"surprise_settled"}\n'
    expected = "expect finding surprise.die-each-side at 1\n"
    assert says(settled + expected) == [(5, "no finding surprise.die-each-side at 1")]


def test_what_a_log_would_refuse_is_named() -> None:
    failures = says('{"type":"damage_dealt","target":"ulf","amount":3}\n' + NOTHING)
    assert [line for line, _ in failures] == [4]
    assert "no combatant ulf has joined" in failures[0][1]
