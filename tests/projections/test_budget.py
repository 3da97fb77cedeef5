"""What somebody has left to spend: by the rows of a catalogue, by the rulesets, and as it is counted on a sheet."""

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from msgspec import structs

from eventstore.events import ActionTaken, Moved
from projections.because import Because, Derived, Explained
from projections.fight import Combatant
from projections.folds import budget
from projections.folds.addresses import all_addresses, matching_addresses, value_of
from projections.mechanics.resources import Resource
from projections.occurrence import Occurrence
from projections.replay.replay import advance, replay
from projections.ruleset.budget import Budget
from projections.ruleset.faults import Fault
from projections.ruleset.ruleset import boundaries_of, checks_of, steps_of
from projections.state import State
from projections.time import Point
from tests.projections.logs import fact, joins, play, records, rolls, turn

ROWS = """
catalogue = "a page"
ruleset = "plain"

[[resource]]
name = "action"
amount = 1
returns = "own-turn-start"
where = "own-turn"
rule = "turn.action"

[[resource]]
name = "reaction"
amount = 1
returns = "own-turn-start"
where = "outside-own-turn"
rule = "turn.reaction"

[[resource]]
name = "movement"
amount = 30
returns = "own-turn-start"
where = "own-turn"
rule = "turn.movement"

[[resource]]
name = "surge"
amount = 1
returns = "round-start"
rule = "turn.action"

[[action]]
kind = "shove"
cost = "action"

[[action]]
kind = "attack"
cost = ["action", "reaction"]

[[action]]
kind = "move"
cost = "movement"

[[action]]
kind = "talk"
cost = "none"

[[rule]]
id = "turn.action"
section = "Turns"
says = "One action."
kind = "audit"
case = "An attack: no finding."
breach = "Two attacks."
"""
TWO = (joins("ana"), joins("bo"), rolls("ana", 9), rolls("bo", 5))  # records 2 to 5


def strong(_state: Any, one: Combatant, resource: Resource) -> Derived[int]:
    """Ana walks ten feet more."""
    more = 10 if one.id == "ana" and resource.name == "movement" else 0
    return Derived(resource.amount + more, Because((), (one.joined,)))


ROOM = ModuleType("room")
ROOM.SPENDING = budget.budget_functions("room", "turn.action", "turn.movement")  # type: ignore[attr-defined]


@pytest.fixture
def table(tmp_path: Path) -> State:
    """Return the state of two in a game whose rows say what there is to spend, before the first turn."""
    (tmp_path / "rules.toml").write_text(ROWS)
    state = replay(records(*TWO)).state
    state.rules = structs.replace(
        state.rules,
        rules=tmp_path / "rules.toml",
        budget=Budget(whole=strong),
        steps=steps_of(ROOM),
        boundaries=boundaries_of(ROOM),
    )
    return state


def after(state: State, *facts: str) -> list[str]:
    """Take these facts into the state, the first as record 6; return what each of them costs too much, in words."""
    wrong: list[Fault] = []
    for record in records(*TWO, *facts)[len(TWO) + 1 :]:
        event = record.event
        assert event is not None
        told: Occurrence[Any] = Occurrence(seq=record.seq, line=record.seq, event=event, point=Point())
        if isinstance(event, ActionTaken | Moved):
            wrong += budget.faults_of_overspending(state, told)
        advance(state, told)
    return [f"{each.clause}: {each.says} ({', '.join(map(str, each.because))})" for each in wrong]


def attacks(who: str, **more: Any) -> str:
    return fact("action_taken", combatant=who, action={"kind": "attack"} | more.pop("action", {}), **more)


def has(state: State, address: str) -> tuple[Any, tuple[int, ...]]:
    value = value_of(state, address)
    assert value is not None
    return value.value, value.because.events


# ---------------------------------------------------------------- by rows


def test_what_is_left_is_barred_where_its_row_does_not_let_it_be_spent(table: State) -> None:
    assert after(table, turn("ana")) == []
    ana = table.combatants["ana"]
    assert budget.why_unspendable(table, ana, "reaction") == Because(("turn.reaction",), (6,))
    assert [budget.why_unspendable(table, ana, what) for what in ("action", "surge", "oil")] == [None, None, None]
    table.rules = structs.replace(table.rules, budget=None)
    assert budget.why_unspendable(table, ana, "action") is None


def test_a_ruleset_says_itself_what_is_barred(table: State) -> None:
    why = Because(("turn.action",), (9,))
    table.rules = structs.replace(table.rules, budget=Budget(whole=strong, bars=lambda _state, _one, _what: why))
    assert budget.why_unspendable(table, table.combatants["ana"], "surge") == why


def test_a_turn_gives_what_its_rows_say_and_an_act_takes_it(table: State) -> None:
    assert after(table, turn("ana"), attacks("ana")) == []
    assert has(table, "ana.left.action") == (0, (2, 6, 7))
    assert has(table, "ana.left.movement") == (40, (2, 6))
    assert value_of(table, "ana.left.action").because.rules == ("turn.action",)  # type: ignore[union-attr]


def test_a_module_of_rules_gets_what_spends_returns_and_checks_by_clause() -> None:
    assert {each.__module__ for each in ROOM.SPENDING} == {"room"}
    checks = checks_of(ROOM)
    assert {kind: [one.rule for each in own for one in each.checks] for kind, own in checks.items()} == {
        ActionTaken: ["turn.action", "turn.movement"],
        Moved: ["turn.action", "turn.movement"],
    }
    assert steps_of(ROOM).keys() == checks.keys()
    assert boundaries_of(ROOM).keys() == {"turn began", "turn ended", "round opened"}


def test_nothing_of_a_turn_is_left_in_that_of_another(table: State) -> None:
    assert after(table, turn("bo"), attacks("ana")) == ["turn.action: ana spends its action in bo's turn (6)"]
    assert has(table, "ana.left.action") == (0, (6,))
    assert has(table, "ana.left.reaction") == (1, (2, 6))
    assert has(table, "bo.left.reaction") == (0, (6,))


def test_what_answers_another_act_costs_what_is_spent_outside_the_own_turn(table: State) -> None:
    answers = attacks("ana", trigger=7)
    said = after(table, turn("bo"), attacks("bo"), answers, answers)
    assert said == ["turn.reaction: ana has no reaction left (8)"]


def test_what_costs_nothing_known_spends_nothing(table: State) -> None:
    free = [attacks("ana", action={"kind": kind}) for kind in ("talk", "sing")]
    assert after(table, turn("ana"), *free, attacks("ana", action={"kind": "talk"}, trigger=6)) == []
    assert has(table, "ana.left.action")[0] == 1


def test_before_the_first_turn_what_is_left_rests_on_the_opening(table: State) -> None:
    assert (has(table, "ana.left.action"), has(table, "ana.left.reaction")) == ((0, (1,)), (1, (2,)))
    assert value_of(table, "ana.left.action").because.rules == ("turn.action",)  # type: ignore[union-attr]


def test_what_a_turn_gives_goes_before_what_a_sheet_counts(table: State) -> None:
    table.combatants["ana"].resources["action"] = 5
    after(table, turn("ana"))
    assert has(table, "ana.left.action")[0] == 1


def test_what_the_rows_name_has_addresses_and_numbers(table: State) -> None:
    after(table, turn("ana"))
    assert {f"{who}.left.{what}" for who in ("ana", "bo") for what in ("action", "reaction", "movement", "surge")} == {
        each for each in all_addresses(table) if ".left." in each
    }
    assert budget.amounts_left(table, table.combatants["ana"]) == {
        "action": 1,
        "reaction": 0,
        "movement": 40,
        "surge": 1,
    }
    assert value_of(table, "ana.left.gold") is None


def test_a_ruling_on_what_is_left_has_to_be_a_number_from_0(table: State) -> None:
    assert refused(table, "ana.left.action", 2) == ""
    assert refused(table, "ana.left.action", -1) == "a number from 0"


def refused(state: State, address: str, value: Any) -> str:
    (each, parts), *_ = matching_addresses(state, address)
    return each.why_refused(state, parts, value)


# ---------------------------------------------------------------- by rulesets, and as counted


def test_what_is_counted_on_a_sheet_is_left_by_the_records_that_counted_it() -> None:
    uses = fact("resource_changed", combatant="ana", resource="oil", amount=-1)
    state = play(joins("ana", resources={"oil": 3, "rope": 1}), uses, uses)
    assert (has(state, "ana.left.oil"), has(state, "ana.left.rope")) == ((1, (2, 3, 4)), (1, (2,)))
    assert has(play(joins("ana"), uses), "ana.left.oil") == (-1, (3,))
    assert refused(state, "ana.left.oil", 2) == ""
    told = play(
        joins("ana", resources={"oil": 3}),
        uses,
        fact("sheet_changed", combatant="ana", sheet={"resources": {"oil": 9}}),
    )
    assert has(told, "ana.left.oil") == (9, (4,))


@pytest.mark.parametrize(("ruleset", "what", "number", "rule"), [
    ("osric", "routines", 1, "attack.one-routine"),
    ("vile-darkness", "major", 1, "major.one-per-round"),
    ("semiautomagic", "seconds", 0, "turn.six-second-budget"),
    ("definition-master", "move", 0, "turn.action-kinds"),
    ("nameless-journey", "action", 0, "turn.one-action"),
])  # fmt: skip
def test_every_game_says_what_is_left_at_one_address(ruleset: str, what: str, number: int, rule: str) -> None:
    state = replay(records(joins("ana"), ruleset=ruleset)).state
    read = value_of(state, f"ana.left.{what}")
    assert isinstance(read, Explained)
    assert (read.value, rule in read.because.rules) == (number, True)
    assert budget.amounts_left(state, state.combatants["ana"])[what] == number


def goes(who: str, feet: int = 0, **more: Any) -> str:
    distance = {"distance": {"amount": feet, "unit": "ft"}} if feet else {}
    return fact("moved", combatant=who, **distance, **more)


def test_a_move_costs_its_feet_and_five_a_square(table: State) -> None:
    path = [[0, 0], [1, 0], [2, 1]]
    assert after(table, turn("ana"), goes("ana", 25), goes("ana", path=path)) == []
    assert has(table, "ana.left.movement") == (5, (2, 6, 7, 8))
    assert after(table, turn("ana"), goes("ana", 10)) == []  # renewed


def test_before_the_first_turn_a_turn_has_nothing(table: State) -> None:
    assert after(table, attacks("ana")) == ["turn.action: ana spends its action in nobody's turn ()"]


@pytest.mark.parametrize(
    ("ruleset", "what"), [("osric", "routines"), ("vile-darkness", "major"), ("semiautomagic", "seconds")]
)
def test_what_has_an_address_of_its_own_is_ruled_by_that(ruleset: str, what: str) -> None:
    state = replay(records(joins("ana"), ruleset=ruleset)).state
    assert refused_last(state, f"ana.left.{what}") == f"nothing: rule ana.{what}"
    assert f"ana.left.{what}" not in all_addresses(state)


def refused_last(state: State, address: str) -> str:
    each, parts = [*matching_addresses(state, address)][-1]
    return each.why_refused(state, parts, 1)
