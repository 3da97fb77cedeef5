"""Semiautomagic beside its rulebook: where facts stand in time, what rows say, and what a ruling does."""

from typing import Any

import pytest

from projections.because import Terms
from projections.folds.addresses import addresses, derived, value_of
from projections.folds.rulings import refusal
from projections.proving.plays import Play
from projections.proving.proof import records_of
from projections.replay.replay import replay
from projections.rulesets.semiautomagic.state import SemiautomagicState
from projections.state import State
from projections.stream.placing import reached
from projections.time import Where
from projections.views.view import show
from tests.projections.logs import fact, records
from tests.projections.stage import Script, every_script
from tests.tables import for_each

FIGHT = (
    *(fact("combatant_joined", combatant=who, side=who, sheet={"hp": 20}) for who in ("ana", "bo")),
    fact("initiative_rolled", combatant="ana", check=14),
    fact("initiative_rolled", combatant="bo", check=11),
    fact("turn_started", combatant="ana"),
)
BO = fact("turn_started", combatant="bo")
ANA = fact("turn_started", combatant="ana")


def does(who: str, kind: str, **more: Any) -> str:
    own = {key: more.pop(key) for key in ("name", "time", "delay") if key in more}
    return fact("action_taken", combatant=who, action={"kind": kind, **own}, **more)


def caused(by: int) -> str:
    return fact("damage_dealt", target="bo", amount=1, cause=by)


def gives_up(who: str = "ana", **more: Any) -> str:
    return fact("action_abandoned", combatant=who, **more)


def burns() -> str:
    return fact("effect_started", effect="fuse", source="ana")


def ends(who: str) -> str:
    return fact("turn_ended", combatant=who)


def puts_off(who: str) -> str:
    return fact("turn_delayed", combatant=who)


def takes_up(who: str) -> str:
    return fact("turn_resumed", combatant=who)


def told(*lines: str, until: str = "") -> State:
    return replay(records(*lines, ruleset="semiautomagic"), Where.parse(until) if until else None).state


def test_a_second_that_an_action_of_the_turn_before_takes_is_in_the_log() -> None:
    lines = (*FIGHT, does("ana", "run"), does("ana", "other", name="ritual", time=6), BO, ANA, does("ana", "move"))
    state = told(*lines, until="r2.ana.1")
    assert (state.clock.turn, state.clock.round) == ("ana", 2)


@every_script("semiautomagic")
def test_the_log_of_a_turn_runs_forward_where_nobody_says_another_second(plays: Script) -> None:
    for play in plays:
        runs_forward(play)


def runs_forward(play: Play) -> None:
    last: dict[tuple[int, int], int] = {}

    def look(state: State, one: Any) -> None:
        point, event = reached(state, one), one.event
        said = getattr(event, "second", None) is not None or event.__class__.__name__ in FREES
        place = (point.round, point.turn)
        assert said or not point.second or point.second >= last.get(place, 0), f"{play.source}, line {play.line}: {one}"
        last[place] = point.second if said else max(point.second, last.get(place, 0))

    replay(records_of(play), after=look)


FREES = ("ActionAbandoned", "RulingMade", "AttackRolled")
"""What gives seconds back, and a roll for what was given up."""


def test_each_value_has_one_address_and_one_field() -> None:
    state = told(*FIGHT, does("ana", "cast", name="bolt"), fact("contest_rolled", about="the vial", contenders=[]))
    view = show(state)
    assert {"seconds", "turn-in-hand", "time.bolt", "due.bolt"} < view.combatants["ana"].values.keys()
    assert not {"budget.seconds", "budget.turn-in-hand", "time.cast", "second.1"} & view.combatants["ana"].values.keys()
    assert {"contest.the vial", "seconds"} < view.values.keys()
    assert "contest" not in view.values


LATE = (does("ana", "cast", name="fuse", delay=4), BO, ANA, puts_off("ana"), BO, ANA)
FLASH = does("ana", "cast", name="fuse", delay=0)
HURTS = fact("damage_dealt", target="bo", amount=1)


def seconds(*lines: str) -> str:
    """Return the turn and second of each fact after those of FIGHT."""
    told_at: list[str] = []

    def look(state: State, one: Any) -> None:
        point = reached(state, one)
        told_at.append(f"{point.turn}.{point.second}")

    replay(records(*FIGHT, *lines, ruleset="semiautomagic"), after=look)
    return " ".join(told_at[len(FIGHT) :])


@for_each(
    ("lines", "expected"),
    [
        (
            (does("ana", "attack"), does("ana", "grab"), BO, ANA, does("ana", "move"), caused(-4), caused(-6)),
            "1.1 1.5 2.0 1.0 1.1 1.1 1.1",
        ),
        ((does("ana", "attack"), gives_up(second=2), does("ana", "move"), caused(-3)), "1.1 1.2 1.3 1.3"),
        ((FLASH, burns(), does("ana", "move"), burns(), BO, burns()), "1.1 1.4 1.5 1.4 2.0 2.0"),
        (
            (does("ana", "talk"), does("ana", "move"), does("ana", "talk"), does("ana", "talk", second=4)),
            "1.0 1.1 1.1 1.4",
        ),
        ((does("ana", "talk", second=7), does("ana", "grab"), does("ana", "talk", second=0)), "1.0 1.1 1.1"),
        ((does("ana", "move"), does("ana", "attack"), HURTS, BO, caused(-2)), "1.1 1.2 1.5 2.0 2.0"),
        (
            (does("ana", "run"), does("ana", "cast"), BO, ANA, caused(-3), does("ana", "move")),
            "1.1 1.4 2.0 1.0 1.1 1.2",
        ),
        ((does("ana", "other", time=9), BO, ANA, gives_up(second=2), does("ana", "move")), "1.1 2.0 1.0 1.2 1.3"),
        ((does("ana", "other", time=9), BO, gives_up(), does("bo", "move")), "1.1 2.0 2.0 2.1"),
        ((*LATE, burns(), caused(-1), does("ana", "move"), caused(-3)), "1.1 2.0 1.0 1.0 2.0 1.0 1.0 1.0 1.1 1.1"),
        (
            (does("ana", "cast", name="fuse", delay=2), ends("ana"), burns(), caused(-1), BO, caused(-3)),
            "1.1 1.4 1.6 1.6 2.0 2.0",
        ),
        (
            (puts_off("ana"), BO, does("bo", "move"), takes_up("ana"), does("ana", "grab"), ends("ana")),
            "1.0 2.0 2.1 3.0 3.1 2.1",
        ),
    ],
)
def test_facts_take_hold_in_the_seconds_of_turns(lines: tuple[str, ...], expected: str) -> None:
    assert seconds(*lines) == expected


def test_rows_name_the_facts_that_they_tell_of_and_their_turn() -> None:
    lines = (does("ana", "cast", name="fuse", delay=1), burns(), caused(-1), does("ana", "move"), gives_up(), BO)
    bolt = (does("bo", "attack"), gives_up(who="bo", second=1))
    rows = [(row.turn, row.action, row.events) for row in show(told(*FIGHT, *lines, *bolt)).timeline]
    assert rows == [
        (1, "turn", (6, 12)),
        (1, "cast", (7, 8, 9)),
        (1, "effect", (7, 8)),
        (1, "move", (10,)),
        (2, "turn", (12,)),
        (2, "attack", (13, 14)),
    ]


VIAL = fact(
    "contest_rolled", about="the vial", contenders=[{"combatant": "ana", "check": 9}, {"combatant": "bo", "check": 4}]
)
FULL = (*FIGHT, does("ana", "cast", name="bolt"), fact("combatant_joined", combatant="cy", side="cy", sheet={}), VIAL)


@pytest.mark.parametrize(
    ("address", "can", "cannot"),
    [
        ("turn", ("bo", "none"), ("zoe", 3)),
        ("contest.the vial", ("bo", "none"), ("zoe", 3)),
        ("contest.the vial.bo", (3,), ("bo",)),
        ("ana.seconds", (0, 3, 6), (7, -1, "bo")),
        ("ana.total", (3,), ("bo",)),
        ("cy.total", (), (3,)),
        ("ana.casting", (), ("none", "bolt")),
        ("ana.time.bolt", (0, 9), (-1, "none")),
    ],
)
def test_a_value_can_be_ruled_what_it_could_be(address: str, can: tuple[Any, ...], cannot: tuple[Any, ...]) -> None:
    state = told(*FULL)
    assert [value for value in can if refusal(state, address, value)] == []
    assert [value for value in cannot if not refusal(state, address, value)] == []


def test_what_is_read_by_a_name_is_of_the_effect_that_is_to_come_and_of_the_last_act() -> None:
    first = does("ana", "cast", name="dart", time=1, delay=8)
    again = (does("ana", "cast", name="Dart", time=1), does("ana", "cast", name="fuse", time=1, delay=0), burns())
    state = told(*FIGHT, first, *again, does("ana", "move"))
    expected = {
        "ana.effect.dart": "begun",
        "ana.effect.fuse": "done",
        "ana.due.dart": "r2.ana.3",
        "ana.delay.dart": 5,
        "ana.left.dart": 0,
        "ana.action.dart": "done",
        "ana.time.cast": 1,
    }
    assert {address: found.value for address in expected if (found := value_of(state, address))} == expected


def test_each_address_that_is_listed_has_a_value() -> None:
    plain = fact("contest_rolled", contenders=[{"combatant": "ana", "check": 1}, {"combatant": "bo", "check": 4}])
    state = told(*FIGHT, plain, FLASH, does("ana", "move"))
    assert [address for address in addresses(state) if value_of(state, address) is None] == []


@pytest.mark.parametrize(("delay", "elsewhere"), [(1, False), (4, False), (10, True)])
def test_between_turns_an_effect_is_told_in_its_place_if_it_is_due_in_the_last_turn_or_the_next(
    delay: int, elsewhere: bool
) -> None:
    state = told(*FIGHT, does("ana", "cast", name="fuse", delay=delay), BO, burns())
    assert isinstance(state, SemiautomagicState)
    assert [effect.elsewhere for effect in state.round.effects] == [elsewhere]


SHORT = fact("ruling_made", ruling="override", decision="in passing", values={"ana.time.ritual": 0})
RITUAL = does("ana", "other", name="ritual", time=10)
RUNS_ON = (does("ana", "run"), does("ana", "cast", name="bolt"), BO, ANA)


@pytest.mark.parametrize(
    ("lines", "played", "rests"),
    [
        ((), False, False),
        ((RITUAL, SHORT), False, False),
        (RUNS_ON, False, True),
        ((*RUNS_ON, does("ana", "move")), True, False),
        ((*RUNS_ON, gives_up(second=0)), False, False),
        ((RITUAL, BO, ANA, gives_up(second=2)), True, False),
        ((RITUAL, does("ana", "cast", name="bolt"), BO, ANA, gives_up(name="ritual", second=2)), True, False),
    ],
)
def test_a_turn_is_played_once_a_second_of_it_is_spent_and_rests_while_only_an_earlier_action_needs_it(
    lines: tuple[str, ...], played: bool, rests: bool
) -> None:
    state = told(*FIGHT, *lines)
    assert isinstance(state, SemiautomagicState)
    turn = state.playing("ana")
    assert turn is not None
    assert (turn.played, turn.only_continues) == (played, rests)


def test_what_is_left_of_a_turn_is_told_as_a_sum_while_it_is_played() -> None:
    playing, over = told(*FIGHT, does("ana", "attack")), told(*FIGHT, does("ana", "attack"), ends("ana"))
    assert sums(playing, "ana.seconds") == [(("of a turn", 6), ("spent", -4))]
    assert sums(over, "ana.seconds") == sums(playing, "bo.seconds") == []


def sums(state: State, address: str) -> list[tuple[tuple[str, int], ...]]:
    found = derived(state, address)
    assert found
    return [each.terms for each in found.because.of if isinstance(each, Terms)]


def test_an_action_that_runs_on_is_no_implied_cause() -> None:
    strike = {"kind": "strike", "targets": ["bo"], "time": 9}
    for time, cause in ((2, 7), (9, 0)):
        told = fact("action_taken", second=1, combatant="ana", action=strike | {"time": time})
        state = told_as(fact("damage_dealt", target="bo", amount=1, source="ana"), told)
        assert state.moments[8].cause == cause


def told_as(last: str, *before: str) -> State:
    return replay(records(*FIGHT, *before, last, ruleset="semiautomagic")).state


@pytest.mark.parametrize("second", [1, 2])
def test_an_effect_that_has_occurred_rests_on_no_option_about_an_originator_who_falls_after_it(second: int) -> None:
    told = (
        *FIGHT,
        BO,
        does("bo", "cast", name="web", delay=6, second=1),
        ANA,
        fact("effect_started", effect="web", source="bo", second=second),
        fact("damage_dealt", target="bo", amount=20),
    )
    strip = value_of(replay(records(*told, ruleset="semiautomagic")).state, "ana.strip")
    assert strip is not None
    assert strip.value[second - 1] == "- ! web"
    assert "absent-originator" not in strip.because.options


def test_rows_name_each_telling_of_an_effect_and_not_what_confirms_an_action() -> None:
    rows = show(told(*FIGHT, FLASH, burns(), burns())).timeline
    assert [row.events for row in rows if row.action == "effect"] == [(7, 8, 9)]
    rows = show(told(*FIGHT, does("ana", "run"), does("ana", "cast"), BO, ANA, does("ana", "move"))).timeline
    assert [row.events for row in rows if row.action == "cast"] == [(8,)]
