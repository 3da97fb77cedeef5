"""Every rulebook is proven, nothing in it is uncovered, and every option makes a difference. `test_plays.py` has the plays."""

from pathlib import Path

import pytest

from encounterlog.ask.rules import LOG, show_clause
from projections.proving.rulebook import ClauseProof, functions, gaps as gaps_in, prove_clause, prove_value, uncovered
from projections.ruleset.ruleset import Check, Ruleset
from projections.rulesets import find, keys, package_of
from tests.projections.stage import proof_of
from tests.tools import simpler


@pytest.mark.parametrize("key", keys())
def test_a_rulebook_is_proven_whole_and_every_option_makes_a_difference(key: str) -> None:
    ruleset, proof = find(key), proof_of(key)
    catalogue = ruleset.catalogue()
    known = {clause.id for clause in catalogue.rule}
    assert gaps_in(ruleset, proof) == ()
    assert [each.clause.id for each in proof.clauses] == [clause.id for clause in catalogue.rule]
    assert [each.clause.id for each in proof.clauses if not each.proven] == []
    assert [(each.option.name, each.value) for each in proof.values] == [
        (option.name, value) for option in catalogue.option for value in option.values[1:]
    ]
    values = {f"{each.option.name} {each.value}": each for each in proof.values}
    assert [name for name, each in values.items() if not each.proven or not each.plays] == []
    assert [name for name, each in values.items() if any(one.is_proven for one in each.by_default)] == []
    assert {rule for option in catalogue.option for rule in option.rules} <= known
    assert [option.name for option in catalogue.option if not option.rules or len(option.values) < 2] == []
    assert ruleset.schedule.rounds_from, "its Schedule needs rounds_from: the types of facts that open a round"


def test_the_functions_of_a_ruleset_are_those_of_its_folder() -> None:
    ruleset = find("osric")
    found = functions(ruleset)
    checks = [each for row in ruleset.checks.values() for series in row for each in series.checks]
    steps = [each for row in ruleset.steps.values() for each in row if each.rules]
    assert {id(each) for each in (*steps, *checks)} <= {id(each) for each in found}
    assert {each.__module__.rpartition(".")[0] for each in found} == {"projections.rulesets.osric"}


@pytest.mark.parametrize(("rule", "carrier"), [
    ("log.ruling", "rulings.keep_ruling (derives)"),
    ("log.ruling", "bookkeeping.a_ruling_can_take_hold (check)"),
    ("log.option", "audit.wrong_options (derives)"),
    ("log.correction", "audit.wrong_corrections (derives)"),
    ("log.sheet", "audit.facts_without_effect (derives)"),
])  # fmt: skip
def test_a_clause_of_the_bookkeeping_names_what_carries_it(rule: str, carrier: str) -> None:
    assert carrier in show_clause(LOG, rule).data["functions"]


def test_each_table_of_simpler_functions_is_found_by_its_ruleset() -> None:
    folder = Path(str(simpler.__file__)).parent
    found = {key for key in keys() if simpler.of(key)}
    assert {package_of(key) for key in found} == {path.stem for path in folder.glob("[a-z]*.py")}
    assert "osric" in found


# ---------------------------------------------------------------- a rulebook that is not whole

CATALOGUE = """
catalogue = "a sheet of house rules"
ruleset = "plain"

[[rule]]
id = "pool.damage-subtracts"
section = "House rules"
says = "Damage hurts."
kind = "both"
case = ""

[[rule]]
id = "house.no-phones"
section = "House rules"
says = "Phones stay in the bag."
kind = "gm"
case = ""

[[option]]
name = "temporary-points"
values = ["replace", "larger"]
says = "What becomes of them."
case = { larger = "The larger of the two stays." }
"""


@pytest.fixture
def house(tmp_path: Path) -> Ruleset:
    """Return plain with a catalogue of its own in a folder without code, so that nothing carries its rules."""
    import msgspec

    (tmp_path / "rules.toml").write_text(CATALOGUE, "utf-8")
    (tmp_path / "rulebook").mkdir()
    return msgspec.structs.replace(find("plain"), rules=tmp_path / "rules.toml")


def write(house: Ruleset, *lines: str) -> None:
    (Path(house.rules).with_name("rulebook") / "house.enc").write_text("\n".join(["ruleset plain", *lines]), "utf-8")


def gaps(house: Ruleset) -> list[str]:
    return [f"{gap.about}: {gap.says}" for gap in uncovered(house)]


def test_what_is_missing_is_named(house: Ruleset) -> None:
    assert gaps(house) == [
        "pool.damage-subtracts: no function and no check carries it",
        "pool.damage-subtracts: it has no case",
        "pool.damage-subtracts: it has no breach",
        "house.no-phones: it has no case",
        "temporary-points larger: it has no alternative",
    ]


def test_an_alternative_that_comes_out_the_same_by_default_proves_nothing(house: Ruleset) -> None:
    write(
        house,
        "alternative temporary-points larger",
        'combatant ana pcs {"hp":5}',
        '{"type":"healed","target":"ana","amount":4,"temporary":true}',
        "expect ana.temp = 4",
    )
    assert "alternative temporary-points larger: it does not fail with the default, replace" in gaps(house)
    option = house.catalogue().option[0]
    assert not prove_value(house, option, "larger").proven


def test_plays_about_nothing_are_named_with_their_line(house: Ruleset) -> None:
    write(
        house,
        "case pool.damage-substracts",
        "expect no findings",
        "alternative temporary-points smaller",
        "expect no findings",
        "alternative weather fine",
        "expect no findings",
        "encounter A whole evening",
        "expect no findings",
    )
    strays = [gap for gap in uncovered(house) if gap.source]
    assert [(gap.line, gap.says) for gap in strays] == [
        (2, "there is no rule pool.damage-substracts"),
        (4, "the other values of temporary-points are larger"),
        (6, "there is no option weather"),
        (8, "a rulebook holds cases, breaches and alternatives"),
    ]


def test_a_breach_expects_its_own_finding_and_a_case_of_the_gm_none(house: Ruleset) -> None:
    write(
        house,
        "breach pool.damage-subtracts",
        "expect no findings",
        "breach house.no-phones",
        "expect no findings",
        "case house.no-phones",
        "expect finding log.here at 1",
    )
    found = gaps(house)
    assert "breach pool.damage-subtracts: it expects no finding by this rule" in found
    assert "breach house.no-phones: nobody can break a clause of the kind gm" in found
    assert "case house.no-phones: the clause must find nothing where the GM decides" in found
    assert "case house.no-phones: no finding log.here at 1" in found


def test_a_play_of_another_ruleset_proves_nothing_of_this_one(house: Ruleset) -> None:
    write(house, "case house.no-phones", "ruleset osric", "expect no findings")
    assert "case house.no-phones: it is played by the ruleset osric" in gaps(house)


def test_a_clause_whose_play_fails_is_not_proven() -> None:
    ruleset = find("plain")
    clause = next(each for each in ruleset.catalogue().rule if each.id == "pool.healing-adds")
    proof = prove_clause(ruleset, clause)
    assert proof.proven
    assert proof.functions == ("vitals.pool_rules",)
    assert not ClauseProof(clause, proof.functions, (), ()).proven


def test_a_function_that_carries_an_unknown_rule_is_named(house: Ruleset) -> None:
    found = {rule for each in functions(find("plain")) for rule in each.rules}
    assert found <= {clause.id for clause in find("plain").catalogue().rule}
    assert any(isinstance(each, Check) for each in functions(find("osric")))
    assert functions(house) == ()
