"""Semiautomagic beside its rulebook: the log of a turn runs forward, and a value can be ruled what it could be."""

from typing import Any

import pytest

from projections.folds.addresses import all_addresses, value_of
from projections.folds.rulings import refusal_of_ruling
from projections.proving.plays import Play
from projections.proving.proof import records_of
from projections.replay.replay import replay
from projections.state import State
from projections.stream.placing import point_reached
from projections.time import Where
from tests.projections.logs import fact, records
from tests.projections.stage import Script, every_script

FIGHT = (
    *(fact("combatant_joined", combatant=who, side=who, sheet={"hp": 20}) for who in ("ana", "bo")),
    fact("initiative_rolled", combatant="ana", check=14),
    fact("initiative_rolled", combatant="bo", check=11),
    fact("turn_started", combatant="ana"),
)


def does(who: str, kind: str, **more: Any) -> str:
    own = {key: more.pop(key) for key in ("name", "time", "delay") if key in more}
    return fact("action_taken", combatant=who, action={"kind": kind, **own}, **more)


def told(*lines: str, until: str = "") -> State:
    return replay(records(*lines, ruleset="semiautomagic"), Where.parse(until) if until else None).state


def test_an_action_that_runs_on_is_lost_with_a_delayed_turn_that_is_never_taken() -> None:
    later = (
        fact("turn_started", combatant="bo"),
        fact("turn_started", combatant="ana"),
        fact("turn_delayed", combatant="ana"),
    )
    lines = (*FIGHT, does("ana", "cast", name="bolt", time={"amount": 14, "unit": "second"}), *later)
    found = []
    for more in ((), (fact("turn_started", combatant="bo"), fact("turn_started", combatant="ana"))):
        log = records(*lines, *more, ruleset="semiautomagic", options={"delay-while-running": "continues"})
        action = value_of(replay(log).state, "ana.action.bolt")
        found.append(action and action.value)
    assert found == ["begun", "lost"]


@every_script("semiautomagic")
def test_the_log_of_a_turn_runs_forward_where_nobody_says_another_second(plays: Script) -> None:
    for play in plays:
        runs_forward(play)


def runs_forward(play: Play) -> None:
    last: dict[tuple[int, int], int] = {}

    def observe_fact(state: State, one: Any) -> None:
        point, event = point_reached(state, one), one.event
        said = getattr(event, "second", None) is not None or event.__class__.__name__ in FREES
        place = (point.round, point.turn)
        assert said or not point.second or point.second >= last.get(place, 0), f"{play.source}, line {play.line}: {one}"
        last[place] = point.second if said else max(point.second, last.get(place, 0))

    replay(records_of(play), after=observe_fact)


FREES = ("ActionAbandoned", "RulingMade", "AttackRolled")
"""What gives seconds back, and a roll for what was given up."""
FLASH = does("ana", "cast", name="fuse", delay=0)


def seconds(*lines: str) -> str:
    """Return the turn and second of each fact after those of FIGHT."""
    told_at: list[str] = []

    def observe_fact(state: State, one: Any) -> None:
        point = point_reached(state, one)
        told_at.append(f"{point.turn}.{point.second}")

    replay(records(*FIGHT, *lines, ruleset="semiautomagic"), after=observe_fact)
    return " ".join(told_at[len(FIGHT) :])


VIAL = fact(
    "contest_rolled", about="the vial", contenders=[{"combatant": "ana", "check": 9}, {"combatant": "bo", "check": 4}]
)
FULL = (*FIGHT, does("ana", "cast", name="bolt"), fact("combatant_joined", combatant="cy", side="cy", sheet={}), VIAL)


@pytest.mark.parametrize(("address", "can", "cannot"), [
    ("turn", ("bo", "none"), ("zoe", 3)),
    ("contest.the vial", ("bo", "none"), ("zoe", 3)),
    ("contest.the vial.bo", (3,), ("bo",)),
    ("ana.seconds", (0, 3, 6), (7, -1, "bo")),
    ("ana.total", (3,), ("bo",)),
    ("cy.total", (), (3,)),
    ("ana.casting", (), ("none", "bolt")),
    ("ana.time.bolt", (0, 9), (-1, "none")),
])  # fmt: skip
def test_a_value_can_be_ruled_what_it_could_be(address: str, can: tuple[Any, ...], cannot: tuple[Any, ...]) -> None:
    state = told(*FULL)
    assert [value for value in can if refusal_of_ruling(state, address, value)] == []
    assert [value for value in cannot if not refusal_of_ruling(state, address, value)] == []


def test_each_address_that_is_listed_has_a_value() -> None:
    plain = fact("contest_rolled", contenders=[{"combatant": "ana", "check": 1}, {"combatant": "bo", "check": 4}])
    state = told(*FIGHT, plain, FLASH, does("ana", "move"))
    assert [address for address in all_addresses(state) if value_of(state, address) is None] == []
