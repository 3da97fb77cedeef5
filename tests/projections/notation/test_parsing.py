"""Parsing: what a line makes of its form, what its options set, and where it is refused."""

from typing import Any

import pytest

from projections.language.notation.table import Table
from tests.projections.grammar import fight, refusal, table, told
from tests.projections.notation.filling import facts
from tests.projections.notation.line_context import heard
from tests.tables import for_each


@pytest.fixture
def ford() -> Table:
    return heard(fight(), "r", "p5 f3")


@pytest.mark.parametrize("line", ["", "   ", "# a remark for whoever reads the script"])
def test_a_line_without_words_and_a_comment_say_nothing(ford: Table, line: str) -> None:
    parsed = ford.tell(line)
    assert (parsed.facts, parsed.rest, parsed.form) == ((), "", "")


def test_a_line_that_is_secret_keeps_the_places_of_its_words(ford: Table) -> None:
    assert refusal(ford, "secret  b -x") == refusal(ford, "        b -x")
    ford.hear("join secret foes hp=3")
    parsed = ford.tell("‘secret’ -1")
    assert (parsed.secret, len(parsed.facts)) == (False, 1)


@for_each("line", [
    "b -6",
    "b hits o for 4",
    "o,b -2",
    '" The bridge creaks.',
    "“The bridge creaks.”",
    '{"type":"noted","text":"The bridge creaks."}',
    "amend {last} b -5",
    "strike {last}",
    "u",
    "correct 5",
])  # fmt: skip
def test_a_line_is_secret_by_its_first_word_or_because_it_is_to_be(line: str) -> None:
    ford = heard(fight(), "r", "b -1")
    line = line.replace("{last}", str(len(ford.records)))
    plain, marked, wanted = ford.tell(line), ford.tell(f"secret {line}"), ford.tell(line, secret=True)
    assert plain.facts == marked.facts == wanted.facts != ()
    assert (plain.secret, marked.secret, wanted.secret) == (False, True, True)
    assert ford.tell(f"secret {line}", secret=True).secret


def test_a_correction_is_secret_if_its_fact_is(ford: Table) -> None:
    ford.hear("b -3")
    for line in ("amend {last} secret b -5", "insert {last} secret b -5"):
        assert ford.tell(line.format(last=len(ford.records))).secret, line


def test_a_remark_may_begin_with_a_number_or_somebodys_name(ford: Table) -> None:
    assert facts(ford, '"Zed" 14')[0]["text"] == 'Zed" 14'
    assert facts(ford, '"Brand" is tired')[0]["text"] == 'Brand" is tired'
    assert "is a remark" in refusal(ford, '"Brand" 14')[1]


@pytest.mark.parametrize(("line", "text"), [("“a”b", "“a”b"), ('"a””', "a””"), ("“a”", "a"), ('"a”', "a")])
def test_a_remark_loses_the_quotation_marks_around_it_and_no_others(ford: Table, line: str, text: str) -> None:
    assert facts(ford, line)[0]["text"] == text


def test_what_the_ruleset_does_not_roll_is_no_blow(ford: Table) -> None:
    assert "no blow is rolled for talk" in refusal(ford, "b talk o 14 6")[1]


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("b o 14 6 @4", [{"segment": 4}, {}, {}]),
        ("damage b 3 obj=shield", [{"object": "shield"}]),
        ('damage b 3 source=m object="a b"', [{"source": "mira", "object": "a b"}]),
        ("b o 14 6 hit=no", [{}, {"hit": False}, {}]),
        ('roll b o 14 modifiers=[{"name":"a_b","amount":1}]', [{"modifiers": [{"name": "a_b", "amount": 1}]}]),
        ("b,g -4 source=m", [{"source": "mira"}, {"source": "mira"}]),
        ("b -6 amount=6", [{"amount": 6}]),
        ("b,g -4 target=b", [{"target": "brand"}, {"target": "goblin"}]),
    ],
)  # fmt: skip
def test_an_option_sets_a_field_of_the_first_fact_that_has_room_for_it(
    ford: Table, line: str, fields: list[dict[str, Any]]
) -> None:
    made = [fact for fact in facts(ford, line) if not fact["type"].endswith("reached")]
    assert len(made) == len(fields)
    for fact, wanted in zip(made, fields, strict=True):
        whole = fact | fact.get("action", {})
        assert {key: whole[key] for key in wanted} == wanted
    assert sum("segment" in fact for fact in made) == sum("segment" in wanted for wanted in fields)


@pytest.mark.parametrize(("line", "column", "says"), [
    ("b o 14 6 ^0", 10, "^0 is not so many facts back"),
    ("b o 14 6 ^x", 10, "^x is not so many facts back"),
    ("b o 14 6 luck=3", 10, "nothing here has a field luck"),
    ("b o 14 6 m=3", 10, "m= can be manner or modifiers or multipliers"),
    ("damage b 3 ta=x", 12, "nothing here has a field ta;"),
    ("damage b 3 object=^2", 19, "^2 is not a word"),
    ("sheet b", 1, "sheet: is missing"),
    ("effect web by m aim=x", 1, "aim: "),
    ("r ^", 3, "nothing here has a field cause"),
    ("d b attack o @3", 14, "nothing here has a field segment"),
    ("b o 14 6 @Z", 11, "Z is no slot of the round"),
    ("damage b 3 source=m source=o", 21, "source has a value already; leave out one of the two"),
    ("damage b 3 ^2 cause=^3", 15, "cause has a value already"),
    ("b o 14 6 hit=no hit=yes", 17, "hit has a value already"),
    ("b -6 amount=7", 6, "amount has a value already; leave out one of the two"),
    ("b,m -6 target=m", 8, "target has a value already"),
    ("b -6n nonlethal=no", 7, "nonlethal has a value already"),
    ("b a o 14 6 targets=g", 12, "targets has a value already"),
    ("seg 4 @5", 7, "segment has a value already"),
    ("join z foes .side=party", 13, "side has a value already"),
    ("sheet b hp=9 hp=8", 14, "hp has a value already; leave out one of the two"),
    ('sheet b hp=9 {"ac":5,"hp":8}', 14, "hp has a value already"),
    ("check b.hp=9 m.hp=8 brand.hp=7", 21, "brand.hp has a value already"),
])  # fmt: skip
def test_an_option_that_cannot_be_set_is_refused_where_it_stands(
    ford: Table, line: str, column: int, says: str
) -> None:
    found = refusal(ford, line)
    assert found[0] == column, found
    assert says in found[1]


def test_a_moment_is_counted_in_the_ticks_of_the_game() -> None:
    at = heard(fight("nameless-journey"), "b14 o9 m3 g2", "b")
    assert facts(at, "b attack o @4")[0]["second"] == 4
    slots = heard(fight("vile-darkness"), "r", "p5 f3")
    assert facts(slots, "b o 14 6 @h.d3")[0]["phase"] == "H.D3"


def test_an_option_for_a_field_that_one_fact_has_already_is_for_the_others(ford: Table) -> None:
    heard(ford, "d m cast web 3 o", "m")
    for line, who in (("x m -4 source=b", ["mira", "brand"]), ("x m o,g -4 source=b", ["mira", "brand", "brand"])):
        assert [fact["source"] for fact in facts(ford, line)[1:]] == who


def test_a_correction_holds_the_one_fact_of_its_line(ford: Table) -> None:
    assert facts(ford, "amend 5 b -3")[0]["replacement"] == {"type": "damage_dealt", "target": "brand", "amount": 3}
    assert refusal(ford, "amend 5 b o 14 6") == (
        9,
        "a correction holds one fact, and this makes 3; such as: damage orc-1 5",
    )


def test_a_quoted_word_begins_no_line_but_names_whoever_is_called_so() -> None:
    at = heard(fight(), "join round foes hp=3")
    assert facts(at, "'round' -1") == [{"type": "damage_dealt", "target": "round", "amount": 1}]


def test_references_beyond_a_line_are_records_except_in_a_script(ford: Table) -> None:
    last = len(ford.records)
    assert [facts(ford, f"damage b 3 {back}")[0]["cause"] for back in ("^", "^2")] == [last, last - 1]
    for trigger, record in (("^", last), ("^2", last - 1), ("4", 4)):
        assert facts(ford, f"act b attack sword o trigger={trigger}")[0]["trigger"] == record
    assert [fact["cause"] for fact in facts(ford, "b,g,o -4 ^2")] == [last - 1] * 3
    assert [fact["cause"] for fact in facts(Table(ford.records, script=True), "b,g,o -4 ^2")] == [-2, -3, -4]


def test_what_is_typed_behind_a_die_is_the_sum_where_the_sheet_adds() -> None:
    at = table("definition-master", "join Ana heroes hp=9 base_attack=3 str=2", "join Kex foes hp=9 ac=18", "r", "t a")
    rolled = next(fact for fact in told(at, "a k d20:14+5 6") if "attack_rolled" in fact)
    assert '"total":19' in rolled
    assert "modifiers" not in rolled
    assert any('"total":17' in fact for fact in told(at, "a saves will d20:14+3"))
