"""A catalogue is taken strictly: whatever is wrong in it is named with file, line and column."""

import re
from pathlib import Path

import pytest

from projections.judging import book
from projections.ruleset.catalogue import CatalogueError, parse_catalogue, read_catalogue
from projections.rulesets import RULESETS, find, package_of
from projections.toml import read_text
from tests.encounterlog.support import encounter
from tests.tables import for_each
from tests.tools.ratchet import written_down

GOOD = """\
catalogue = "the back of a beer mat"
ruleset = "coin-duel"

[[option]]
name = "equal-coins"
values = ["joined-first", "at-once"]
rules = ["order.equal-coins"]
says = "Of equal coins, who strikes first."
[option.case]
at-once = "Both throw heads: both at once."

[[rule]]
id = "order.heads-first"
section = "Coins"
says = "Heads strike before tails."
kind = "derive"
case = "Ana throws tails, Bo heads: Bo, then Ana."

[[rule]]
id = "order.equal-coins"
section = "Coins"
says = "Of equal coins, whoever joined first strikes first."
kind = "both"
case = "Ana and Bo both throw heads: Ana, then Bo."
unclear = "The mat is wet there (option: equal-coins)."

[[needs]]
facts = ["initiative_rolled"]
rules = ["order.heads-first"]
says = "rolls"
"""

WRONG = {
    "a field of a clause": ('says = "Heads', 'sasy = "Heads', "the clause order.heads-first has an unknown field sasy", 15, 1),
    "a field of an option": ('says = "Of equal coins, who', 'means = "', "the option equal-coins has an unknown field means", 8, 1),
    "a field at the head": ("ruleset =", 'rulesset = "x"\nruleset =', "the catalogue has no field rulesset", 2, 1),
    "a kind": ('"derive"', '"derives"', "the clause order.heads-first is of the kind 'derives'", 16, 1),
    "a rule of an option": (
        '["order.equal-coins"]',
        '["order.heads-first", "order.equal"]',
        "the option equal-coins is a reading of order.equal, which is not a clause",
        7,
        32,
    ),
    "an option of a clause": (
        "(option: equal-coins)",
        "(option: equal-dice)",
        "the clause order.equal-coins names an unknown option equal-dice",
        25,
        42,
    ),
    "a case of no value": ("at-once = ", "never = ", "the option equal-coins has a case of never", 10, 1),
    "a case of the default": ("at-once = ", "joined-first = ", "the option equal-coins has a case of joined-first", 10, 1),
    "a value without case": ('"at-once"]', '"at-once", "never"]', "the option equal-coins has no case of never", 4, 1),
    "a single value": ('["joined-first", "at-once"]', '["joined-first"]', "has no choice of values", 6, 1),
    "a value twice": ('"at-once"]', '"at-once", "at-once"]', "has no choice of values", 6, 1),
    "no says": ('says = "Heads strike before tails."\n', "", "the clause order.heads-first has no says", 12, 1),
    "an empty says": ("Heads strike before tails.", " ", "the clause order.heads-first says nothing", 15, 1),
    "no id": ('id = "order.heads-first"\n', "", "the clause has no id", 12, 1),
    "an id twice": ('id = "order.equal-coins"', 'id = "order.heads-first"', "order.heads-first occurs twice", 20, 1),
    "one name for two": ('"order.heads-first"', '"equal-coins"', "equal-coins occurs twice", 5, 1),
    "a number": ('says = "Heads strike before tails."', "says = 3", "order.heads-first, says: expected `str`, got `int`", 15, 1),
    "a number among values": ('"at-once"]', "3]", "equal-coins, values: expected `str`, got `int`", 6, 1),
    "a table of two kinds": ("[[rule]]", "[rule]", "Cannot overwrite a value", 19, 7),
    "a case that is no text": ('"Both throw heads: both at once."', "3", "equal-coins, case: expected `str`, got `int`", 9, 9),
    "an action that is none": ("[[option]]", "action = [3]\n[[option]]", "the catalogue, action: expected `object`", 4, 1),
    "clauses by another name": ("[[rule]]", "[[rules]]", "the catalogue has no rule", 1, 1),
    "syntax": ('section = "Coins"\nsays = "Heads', "section\nsays", "Expected '=' after a key", 14, 8),
    "a string without end": ('unclear = "', 'unclear = """', "Unterminated string", 30, 15),
    "a field twice": ('kind = "derive"', 'case = "x"', "Cannot overwrite a value", 17, 51),
    "an action without kind": ("[[option]]", "[[action]]\nkind = 3\n\n[[option]]", "an action has no kind that is text", 5, 1),
    "a clause of a need": ('"order.heads-first"]', '"order.heads"]', "row 1 of needs: there is no clause order.heads", 29, 11),
    "a fact of a need": ('["initiative_rolled"]', '["initiative"]', "row 1 of needs: there is no type of fact initiative", 28, 11),
    "a fact that a need asks for": ('says = "rolls"', 'says = "rolls"\nwithout = ["round"]', "there is no type of fact round", 31, 13),
    "an option of a need": ('says = "rolls"', 'says = "rolls"\noptions = { mat = "wet" }', "there is no option mat", 31, 13),
    "a value of a need": ('says = "rolls"', 'says = "rolls"\noptions = { equal-coins = "wet" }', "equal-coins has no value wet", 31, 28),
    "a need of nothing": ('says = "rolls"', 'says = ""', "row 1 of needs has no says", 30, 1),
    "a field of a need": ('says = "rolls"', 'says = "rolls"\nlack = ["die"]', "the row of needs rolls has an unknown field lack", 31, 1),
}  # fmt: skip


@for_each("case", WRONG)
def test_what_is_wrong_is_named_with_line_and_column(case: str) -> None:
    old, new, says, line, column = WRONG[case]
    text = re.sub(re.escape(old), lambda _: new, GOOD) if "another name" in case else GOOD.replace(old, new, 1)
    assert text != GOOD
    with pytest.raises(CatalogueError, match=re.escape(says)) as caught:
        parse_catalogue(text.encode(), "coin_duel/rules.toml")
    found = caught.value
    assert (found.line, found.column) == (line, column)
    assert str(found) == f"coin_duel/rules.toml, line {line}, column {column}: {found.why}"


@pytest.mark.parametrize(("old", "new", "hint"), [
    ('says = "Heads', 'sasy = "Heads', "did you mean says or case?"),
    ('"derive"', '"derives"', "a kind is one of derive, audit, both, gm"),
    ('["order.equal-coins"]', '["order.equal-coin"]', "did you mean order.equal-coins?"),
    ("(option: equal-coins)", "(option: xyz)", "there are equal-coins"),
    ("ruleset =", 'rulesset = "x"\nruleset =', "did you mean ruleset?"),
])  # fmt: skip
def test_a_hint_names_the_nearest_or_all_there_are(old: str, new: str, hint: str) -> None:
    with pytest.raises(CatalogueError) as caught:
        parse_catalogue(GOOD.replace(old, new, 1).encode(), "x")
    assert caught.value.hint.startswith(hint)


def test_of_nothing_the_first_field_is_missing() -> None:
    with pytest.raises(CatalogueError, match="x, line 1, column 1: the catalogue has no catalogue"):
        parse_catalogue(b"", "x")


def test_one_table_in_the_place_of_entries_is_named() -> None:
    with pytest.raises(CatalogueError, match="x, line 12, column 2: the catalogue, rule: expected `array`") as caught:
        parse_catalogue(f'{GOOD[: GOOD.index("[[rule]]")]}[rule]\nid = "x"\n'.encode(), "x")
    assert caught.value.hint == "an entry begins with [[rule]]"


def test_bytes_that_are_no_text_are_named_with_their_place() -> None:
    with pytest.raises(CatalogueError, match="x, line 2, column 12: this is not UTF-8"):
        parse_catalogue(GOOD.encode().replace(b"coin-duel", b"\xff", 1), "x")


def test_lines_that_end_as_on_windows_are_counted_alike() -> None:
    with pytest.raises(CatalogueError, match="line 16, column 1"):
        parse_catalogue(GOOD.replace('"derive"', '"d"').replace("\n", "\r\n").encode(), "x")


def test_further_tables_are_data_for_the_ruleset_itself() -> None:
    more = '[[action]]\nkind = "flick"\ncoins = 2\n[[slot]]\nstep = 1\n[attack.need]\nac = 3\n'
    book = parse_catalogue(f"{GOOD}{more}".encode(), "x")
    assert book.action == ({"kind": "flick", "coins": 2},)
    assert book.tables == {"slot": [{"step": 1}], "attack": {"need": {"ac": 3}}}


def test_our_own_catalogues_are_in_order() -> None:
    for path in (book.RULES, *(find(key).rules for key in RULESETS)):
        assert parse_catalogue(read_text(path), str(path)).rule  # by its text: a copy of it is not checked again


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have plain's catalogue changed for one with an unknown field."""
    from msgspec import structs

    from projections.rulesets import plain

    path = tmp_path / "rules.toml"
    path.write_text(GOOD.replace('says = "Heads', 'sasy = "Heads'), "utf-8")
    monkeypatch.setattr(plain, "RULESET", structs.replace(find("plain"), rules=path))
    return path


def test_the_command_says_it_in_a_sentence_and_makes_no_log(broken: Path, tmp_path: Path) -> None:
    log = tmp_path / "x.jsonl"
    for words in (
        ("rules",),
        ("rules", "plain"),
        ("rules", "plain", "--uncovered"),
        ("new", log, "--ruleset", "plain"),
    ):
        done = encounter(*words)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr == (
            f"encounter: the rulebook cannot be read: {tmp_path.name}/rules.toml, line 15, column 1: "
            "the clause order.heads-first has an unknown field sasy\nhint: did you mean says or case?\n"
        )
    assert not log.exists()
    with pytest.raises(CatalogueError):
        read_catalogue(broken)


FROZEN = {
    "5e": (177, 21, 4), "definition-master": (198, 30, 14), "nameless-journey": (40, 16, 16), "osric": (62, 22, 2), "plain": (17, 3, 0),
    "semiautomagic": (37, 13, 3), "vile-darkness": (148, 31, 4),
}  # fmt: skip
"""Of each of our rulesets its clauses, its options, and the clauses about which it is tolerant while a log names no option."""


@pytest.mark.parametrize("key", RULESETS)
def test_a_ruleset_gets_no_further_clause_option_or_tolerance(key: str) -> None:
    book = find(key).catalogue()
    found = len(book.rule), len(book.option), sum(len(option.silent) for option in book.option)
    assert found == FROZEN[key], "the rulesets are frozen (CONTRIBUTING): which log of a real table needs it?"


def test_each_ruleset_has_its_row_in_the_ratchet() -> None:
    rooms = {f"projections/rulesets/{package_of(key)}" for key in RULESETS}
    assert rooms <= written_down()["Python"].keys()
