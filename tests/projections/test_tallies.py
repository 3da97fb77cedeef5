"""Tallies by the rows of a catalogue: what is marked, the status that a full one gives, and their addresses."""

from pathlib import Path

import pytest
from msgspec import structs

from projections.because import Because, Derived
from projections.fight import Combatant
from projections.folds import tallies
from projections.folds.addresses import all_addresses, value_of
from projections.folds.rulings import assign_value, refusal_of_ruling
from projections.replay.replay import replay
from projections.state import State
from tests.projections.logs import joins, records

ROWS = """
catalogue = "a page"
ruleset = "plain"

[[tally]]
name = "gasps"
limit = 2
status = "safe"
rule = "gasps.two"

[[tally]]
name = "gulps"
limit = 3
status = "lost"
rule = "gulps.three"

[[rule]]
id = "gasps.two"
section = "Water"
says = "Two gasps."
kind = "derive"
case = "Two gasps: safe."
"""
TWO = (joins("ana"), joins("bo"))  # records 2 and 3


def status(state: State, one: Combatant) -> Derived[str]:
    return tallies.status_of_full_tally(state, one.id) or Derived("up", Because((), (one.joined,)))


@pytest.fixture
def table(tmp_path: Path) -> State:
    """Return the state of two in a game with two tallies."""
    (tmp_path / "rules.toml").write_text(ROWS)
    state = replay(records(*TWO)).state
    state.rules = structs.replace(
        state.rules, rules=tmp_path / "rules.toml", status=status, addresses=tallies.ADDRESSES
    )
    return state


def marks(state: State, who: str, name: str, seq: int, times: int = 1) -> str:
    """Mark a tally because of a record; return what somebody then is."""
    state.touched.clear()
    tallies.add_marks(state, who, name, Because((), (seq,)), times)
    return state.combatants[who].status


def told(state: State, address: str) -> tuple[object, tuple[str, ...], tuple[int, ...]]:
    value = value_of(state, address)
    assert value is not None
    return value.value, value.because.rules, value.because.events


def test_the_tally_that_is_full_first_decides_what_somebody_is(table: State) -> None:
    assert [marks(table, "ana", name, seq) for seq, name in enumerate(("gasps", "gulps", "gulps"), 4)] == ["up"] * 3
    assert marks(table, "ana", "gulps", 7) == "lost"
    assert told(table, "ana.status") == ("lost", ("gulps.three",), (5, 6, 7))
    assert (table.combatants["bo"].status, table.touched) == ("up", {"ana"})


def test_once_one_is_full_nothing_more_is_marked(table: State) -> None:
    assert marks(table, "ana", "gasps", 4, 2) == "safe"
    assert marks(table, "ana", "gulps", 5, 3) == "safe"
    assert told(table, "ana.tallies.gulps") == (0, ("gulps.three", "gasps.two"), (2, 4))
    assert marks(table, "bo", "gulps", 6, 3) == "lost"


def test_whoever_is_cleared_is_as_before_and_begins_again(table: State) -> None:
    marks(table, "ana", "gasps", 4, 2)
    tallies.clear_marks(table, "ana", Because((), (5,)))
    assert (table.combatants["ana"].status, told(table, "ana.tallies.gasps")) == ("up", (0, ("gasps.two",), (2, 5)))
    assert marks(table, "ana", "gasps", 6) == "up"
    assert told(table, "ana.tallies.gasps") == (1, ("gasps.two",), (2, 5, 6))


def test_every_tally_of_everybody_has_an_address_and_no_other(table: State) -> None:
    found = [each for each in all_addresses(table) if ".tallies." in each]
    assert found == [f"{who}.tallies.{name}" for who in ("ana", "bo") for name in ("gasps", "gulps")]
    assert value_of(table, "ana.tallies.blinks") is None


def test_a_ruling_says_how_many_marks_there_are_and_what_follows_from_them(table: State) -> None:
    marks(table, "ana", "gulps", 4)
    for address, value in (("ana.tallies.gulps", 3), ("bo.tallies.gasps", 1)):
        assert refusal_of_ruling(table, address, value) == ""
        assign_value(table, address, value, 9)
    assert told(table, "ana.tallies.gulps") == (3, ("gulps.three", "log.ruling"), (2, 9))
    assert [one.status for one in table.combatants.values()] == ["lost", "up"]


def test_a_ruling_of_no_marks_is_a_reason_until_others_take_its_place(table: State) -> None:
    marks(table, "ana", "gulps", 4)
    assign_value(table, "ana.tallies.gulps", 0, 9)
    assert told(table, "ana.tallies.gulps") == (0, ("gulps.three", "log.ruling"), (2, 9))
    tallies.clear_marks(table, "ana", Because((), (10,)))
    assert told(table, "ana.tallies.gulps")[2] == (2, 9)
    marks(table, "ana", "gulps", 11)
    tallies.clear_marks(table, "ana", Because((), (12,)))
    assert told(table, "ana.tallies.gulps")[2] == (2, 12)
    assign_value(table, "ana.tallies.gulps", 2, 13)
    assert told(table, "ana.tallies.gulps")[2] == (2, 12, 13)


def test_a_ruling_gives_no_other_than_a_number_of_marks(table: State) -> None:
    assert [refusal_of_ruling(table, "ana.tallies.gulps", value) for value in (-1, "two")] == [
        "a number from 0 to 100"
    ] * 2
