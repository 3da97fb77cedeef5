"""Grapples and shoves as people type them: who is held, and who is let go."""

import pytest

from projections.folds.addresses import derived
from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from projections.judging.audit import audit
from tests.projections.grammar.test_line_context import heard
from tests.projections.test_grammar import table

GAMES = ["plain", "5e", "osric", "vile-darkness", "semiautomagic", "nameless-journey"]
LETTING_GO = ["ana releases gob", "ana lets go of gob", "ana lets gob go", "ana frees gob from the grapple"]


def conditions(at: Table, who: str) -> object:
    found = derived(at.done.state, f"{who}.conditions")
    return found.value if found else None


def held(key: str, *lines: str) -> Table:
    people = ("join ana party hp=30", "join gob foes hp=30", "join bo party hp=30")
    return heard(table(key), *people, *lines)


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("line", LETTING_GO)
def test_whoever_is_let_go_is_no_longer_grappled(key: str, line: str) -> None:
    assert conditions(heard(held(key, "gob is grappled source=ana"), line), "gob") == []


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("line", LETTING_GO)
def test_whoever_is_said_to_be_grappled_by_a_grapple_is_let_go(key: str, line: str) -> None:
    at = heard(held(key, "ana grapples gob and gob is grappled"), line)
    assert conditions(at, "gob") == []


@pytest.mark.parametrize(
    "lines",
    [
        ("ana grapples gob, gob fails str save 5, gob is grappled", "ana releases gob"),
        ("ana hits gob for 5, gob is grappled", "ana releases gob"),
        ("gob is grappled", "ana releases gob"),
        ("ana grapples gob and gob is grappled", "ana is stunned"),
    ],
)
def test_a_hold_is_of_whoever_it_came_of_and_one_of_nobody_is_let_go_by_anybody(lines: tuple[str, ...]) -> None:
    assert conditions(heard(new_edition(), *lines), "gob") == []
    assert conditions(heard(held("5e"), *lines), "gob") == []


def test_a_save_that_is_made_after_what_it_resists_is_a_finding() -> None:
    at = heard(new_edition(), "ana shoves gob prone", "gob succeeds on str save 18")
    assert [each.rule for each in audit(at.records).findings if each.severity == "breach"] == ["grapple.save"]


@pytest.mark.parametrize("key", ["plain", "5e", "osric"])
def test_only_the_holder_lets_go(key: str) -> None:
    with pytest.raises(NotUnderstood):
        held(key, "gob is grappled source=ana").tell("bo lets go of gob")


@pytest.mark.parametrize("key", ["plain", "5e", "definition-master"])
def test_a_bond_that_is_no_grapple_is_loosened_too(key: str) -> None:
    at = heard(held(key, "gob is restrained source=ana"), "ana releases gob")
    assert conditions(at, "gob") == []


def test_a_grapple_that_a_contest_decided_is_let_go() -> None:
    at = held("definition-master", "r", "i ana=15 gob=9 bo=2", "ana grapples gob: 14 vs 9")
    assert conditions(at, "gob") == ["grappled"]
    assert conditions(heard(at, "ana lets gob go"), "gob") == []


def new_edition(*lines: str) -> Table:
    people = ("join ana party hp=30", "join gob foes hp=30", "join bo party hp=30")
    at = table("5e", *people, options={"edition": "2024"})
    return heard(at, "r", "i ana=15 gob=9 bo=2", "t ana", *lines)


@pytest.mark.parametrize(
    "lines",
    [
        ("ana grapples gob: str save 8 vs DC 13 fails",),
        ("ana grapples gob, gob str save 8 vs DC 13 fails",),
        ("ana grapples gob and gob fails his dex save",),
        ("ana grapples gob", "gob str save 8 vs DC 13 fails"),
        ("ana grapples gob", "gob fails his str save"),
    ],
)
def test_grapple_save_whoever_fails_it_is_grappled_however_that_is_typed(lines: tuple[str, ...]) -> None:
    assert conditions(new_edition(*lines), "gob") == ["grappled"]


@pytest.mark.parametrize(
    "lines",
    [
        ("ana grapples gob", "gob wis save 8 vs DC 13 fails"),
        ("ana grapples gob", "gob str save 15 vs DC 13 ok", "gob str save 3 fails"),
        ("ana grapples gob", "ana moves 5 ft", "ana attacks gob 14 6", "gob str save 8 fails"),
        ("ana grapples gob", "bo str save 8 fails"),
    ],
)
def test_grapple_save_another_save_holds_nobody(lines: tuple[str, ...]) -> None:
    at = new_edition(*lines)
    assert (conditions(at, "gob"), conditions(at, "bo")) == ([], [])


@pytest.mark.parametrize("line", ["ana shoves gob, str save 8 fails", "ana shoves gob and gob fails his str save"])
def test_a_shove_that_succeeds_offers_what_comes_of_it(line: str) -> None:
    assert new_edition().tell(line).offers == ("gob is prone source=ana ^", "gob goes 5ft forced=yes ^")


def test_a_shove_that_says_what_comes_of_it_leaves_its_target_so() -> None:
    at = heard(new_edition(), "ana shoves gob, str save 8 vs 13 fails, gob is prone")
    assert conditions(at, "gob") == ["prone"]


@pytest.mark.parametrize("line", ["ana grapples gob, str save 8 fails", "ana grapples gob: str save 8 vs DC 13 fails"])
def test_where_a_save_decides_no_grapple_what_comes_of_it_is_offered(line: str) -> None:
    at = heard(held("5e"), "r", "i ana=15 gob=9 bo=2", "t ana")
    told = at.tell(line)
    assert told.offers == ("gob is grappled source=ana ^",)
    assert "`gob is grappled source=ana ^`" in told.advice
    assert conditions(heard(at, line, *told.offers), "gob") == ["grappled"]


def test_a_grapple_that_the_game_decides_or_that_is_not_won_offers_nothing() -> None:
    old = heard(held("5e"), "r", "i ana=15 gob=9 bo=2", "t ana")
    assert old.tell("ana grapples gob 15 vs 12").offers == ()
    assert old.tell("ana grapples gob, str save 18 succeeds").offers == ()
    assert new_edition().tell("ana grapples gob, str save 8 fails").offers == ()
