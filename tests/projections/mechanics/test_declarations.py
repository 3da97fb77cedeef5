"""Declarations: the last word counts in time, what binds stands afterwards."""

from eventstore.shapes import Action
from projections.mechanics import declarations
from projections.mechanics.declarations import Declarations, Declared

WEB, SLEEP, SWORD = Action(kind="cast", name="web"), Action(kind="cast", name="sleep"), Action(kind="attack")


def _spell(action: Action) -> bool:
    return action.kind == "cast"


def _said(*actions: Action, late: int = 9) -> Declarations:
    said: Declarations = {}
    for seq, action in enumerate(actions, 5):
        declarations.declare(said, "cleo", action, seq, _spell, late=seq >= late)
    return said


def test_in_time_the_last_word_counts() -> None:
    assert _said(WEB, SLEEP)["cleo"] == Declared(6, SLEEP)
    assert declarations.binding_declaration(_said(WEB, SWORD), "cleo", _spell) is None


def test_after_the_time_what_binds_stands_and_another_stands_beside_it() -> None:
    assert _said(WEB, SLEEP, late=6)["cleo"] == Declared(5, WEB, beside=(SLEEP,))
    assert _said(WEB, SWORD, late=6)["cleo"] == Declared(5, WEB)
    assert _said(SWORD, SLEEP, late=6)["cleo"] == Declared(6, SLEEP)


def test_an_action_is_found_by_its_name_in_any_case_among_those_beside_too() -> None:
    declared = _said(WEB, SLEEP, late=6)["cleo"]
    assert declarations.declared_action(declared, "Sleep") == SLEEP
    assert declarations.declared_action(declared, None) == WEB
    assert declarations.declared_action(declared, "doom") is None
    assert declarations.declared_action(None, None) is None


def test_an_action_without_a_name_is_called_by_its_kind() -> None:
    assert declarations.declared_action(Declared(5, SWORD), "attack") == SWORD


def test_whoever_declared_nothing_withdraws_nothing() -> None:
    assert declarations.withdraw({}, "cleo", None, 7, late=True) is None


def test_in_time_a_withdrawal_unmakes_it_and_later_it_marks_it() -> None:
    said = _said(WEB)
    assert declarations.withdraw(said, "cleo", "sleep", 7, late=True) is None
    assert declarations.withdraw(said, "cleo", None, 7, late=True) == Declared(5, WEB, 7)
    assert declarations.binding_declaration(said, "cleo", _spell) == Declared(5, WEB, 7)
    assert declarations.withdraw(said, "cleo", "WEB", 8, late=False) == Declared(5, WEB, 7)
    assert said == {}
