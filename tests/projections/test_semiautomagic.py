"""Semiautomagic beside its rulebook: where facts stand in time, what rows say, and what a ruling does."""

from typing import Any

import pytest

from projections.because import Terms
from projections.folds.addresses import addresses, derived, value_of
from projections.folds.rulings import refusal
from projections.judging.audit import audit
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


def test_what_comes_with_the_last_second_of_an_action_is_not_there_in_its_first() -> None:
    lines = (*FIGHT, does("ana", "attack", second=1), fact("damage_dealt", target="bo", amount=5, cause=-1))
    assert told(*lines, until="r1.ana.1").combatants["bo"].hp == 20
    assert told(*lines, until="r1.ana.4").combatants["bo"].hp == 15


def test_a_second_that_an_action_of_the_turn_before_takes_is_in_the_log() -> None:
    lines = (*FIGHT, does("ana", "run"), does("ana", "other", name="ritual", time=6), BO, ANA, does("ana", "move"))
    state = told(*lines, until="r2.ana.1")
    assert (state.clock.turn, state.clock.round) == ("ana", 2)


def test_an_effect_due_in_a_turn_that_was_lost_comes_before_the_first_second_of_the_next() -> None:
    fuse = (does("ana", "wait", time=2), does("ana", "cast", name="fuse", delay=4))
    late = fact("effect_started", effect="fuse", source="ana")
    lines = (*FIGHT, *fuse, BO, ANA, fact("turn_delayed", combatant="ana"), BO, ANA, late, does("ana", "move"))
    state = told(*lines, until="r3.ana.1")
    effects = [row for row in show(state).timeline if row.action == "effect"]
    assert [(row.round, row.second, row.status) for row in effects] == [(3, None, "done")]
    rows = [row for row in show(told(*lines)).timeline if row.combatant == "ana" and row.status != "lost"]
    assert [row.action for row in rows] == ["turn", "effect", "move"]


def test_an_action_given_up_was_due_when_it_would_have_been_done() -> None:
    lines = (*FIGHT, does("ana", "run"), does("ana", "cast", name="bolt"), BO, ANA)
    given_up = fact("action_abandoned", combatant="ana", name="bolt", second=0)
    rows = [row for row in show(told(*lines, given_up)).timeline if row.name == "bolt"]
    assert [(row.status, row.due and row.due.second) for row in rows] == [("withdrawn", 1)]
    early = fact("action_abandoned", combatant="ana", name="bolt", second=2)
    row = next(
        row for row in show(told(*FIGHT, does("ana", "cast", name="bolt"), early)).timeline if row.name == "bolt"
    )
    assert (row.status, row.due and row.due.second, row.until and row.until.second) == ("withdrawn", 4, 2)


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


def test_a_ruling_gives_seconds_of_a_turn_back_and_later_actions_take_from_them() -> None:
    ruling = fact("ruling_made", ruling="override", decision="so be it", values={"ana.seconds": 5})
    lines = (*FIGHT, does("ana", "attack"), ruling, does("ana", "move"))
    assert value_of(told(*lines), "ana.seconds") is not None
    assert [row.second for row in show(told(*lines)).timeline if row.action == "move"] == [2]


def test_a_ruling_ends_what_somebody_casts() -> None:
    ruling = fact("ruling_made", ruling="override", decision="so be it", values={"ana.casting": "none"})
    state = told(*FIGHT, does("ana", "run"), does("ana", "cast", name="bolt"), ruling)
    assert [(row.name, row.status) for row in show(state).timeline if row.name == "bolt"] == [("bolt", "withdrawn")]


def test_what_only_follows_from_a_reported_effect_is_not_reported_again() -> None:
    fuse = (
        does("ana", "cast", name="fuse", delay=2),
        fact("effect_started", effect="fuse", source="ana", cause=-1, second=5),
    )
    more = fact("damage_dealt", target="bo", amount=2, cause=-2)
    found = audit(records(*FIGHT, *fuse, more, BO, more.replace("-2", "-4"), ruleset="semiautomagic")).findings
    assert [(one.rule, one.event) for one in found] == [("delayed-effect.occurs-after-own-seconds", 8)]


def test_each_value_has_one_address_and_one_field() -> None:
    state = told(*FIGHT, does("ana", "cast", name="bolt"), fact("contest_rolled", about="the vial", contenders=[]))
    view = show(state)
    assert {"seconds", "turn-in-hand", "time.bolt", "due.bolt"} < view.combatants["ana"].values.keys()
    assert not {"budget.seconds", "budget.turn-in-hand", "time.cast", "second.1"} & view.combatants["ana"].values.keys()
    assert {"contest.the vial", "seconds"} < view.values.keys()
    assert "contest" not in view.values


def test_every_row_of_whoever_has_a_check_carries_its_order_key() -> None:
    view = show(told(*FIGHT, does("ana", "cast", name="bolt"), does("bo", "move")))
    assert {row.combatant: row.key for row in view.timeline} == {
        slot.combatants[0]: {**slot.key, "round": 1} for slot in view.order
    }
    assert [row.status for row in view.timeline if row.key] == ["begun", "done", "done", "due"]


def test_nobody_is_due_in_a_fight_that_is_closed() -> None:
    view = show(told(*FIGHT, fact("encounter_closed")))
    assert [(row.combatant, row.status) for row in view.timeline] == [("ana", "begun")]
    assert (view.clock.open, view.closed, view.due.value) == (False, 7, [])


def test_a_ruling_on_a_bare_time_is_told_whose_and_of_what_to_name() -> None:
    ruling = fact("ruling_made", ruling="override", decision="so be it", values={"time": 2})
    found = audit(records(*FIGHT, does("ana", "cast", name="bolt"), ruling, ruleset="semiautomagic")).findings
    assert [one.says for one in found] == ["there is no value time here (say <who>.time.<name>)"]


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


def test_a_stranger_has_no_turn_together_with_another() -> None:
    state = told(*FIGHT[:-1], fact("turn_started", combatant="ana", together=["zoe"]))
    assert (state.clock.turn, state.clock.together) == ("ana", ())


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


@for_each(
    "address",
    [
        "round.1.second.x",
        "round.1.second.1234567890",
        "contest.the idol",
        "contest.the vial.cy",
        "ana.second.7",
        "ana.time.dance",
        "ana.left.dance",
        "ana.action.dance",
        "ana.due.dance",
        "ana.effect.bolt",
        "ana.delay.bolt",
    ],
)
def test_an_address_of_nothing_has_no_value(address: str) -> None:
    assert value_of(told(*FULL), address) is None


def test_the_largest_second_of_a_round_is_read() -> None:
    found = value_of(told(*FULL), "round.1.second.123456789")
    assert found is not None
    assert found.value == 123456789


@pytest.mark.parametrize("address", ["seconds", "round", "turn", "due"])
def test_before_the_first_turn_time_rests_on_the_opening(address: str) -> None:
    found = value_of(told(*FIGHT[:-1]), address)
    assert found is not None
    assert found.because.events == (1,)


def test_a_contest_about_nothing_is_found_without_a_subject() -> None:
    plain = fact("contest_rolled", contenders=[{"combatant": "ana", "check": 1}, {"combatant": "bo", "check": 4}])
    assert {"contest", "contest.the vial"} < show(told(*FULL, plain, VIAL)).values.keys()
    winners = [value_of(told(*FULL, *more), "contest") for more in ((), (plain,), (plain, VIAL))]
    assert [each and each.value for each in winners] == ["ana", "bo", "bo"]


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


def test_only_the_end_of_a_spell_that_runs_on_can_be_ruled() -> None:
    state = told(*FIGHT, does("ana", "run"), does("ana", "cast", name="bolt"))
    assert [bool(refusal(state, "ana.casting", value)) for value in ("none", "bolt", 3)] == [False, True, True]


def test_rows_name_each_telling_of_an_effect_and_not_what_confirms_an_action() -> None:
    rows = show(told(*FIGHT, FLASH, burns(), burns())).timeline
    assert [row.events for row in rows if row.action == "effect"] == [(7, 8, 9)]
    rows = show(told(*FIGHT, does("ana", "run"), does("ana", "cast"), BO, ANA, does("ana", "move"))).timeline
    assert [row.events for row in rows if row.action == "cast"] == [(8,)]


def test_the_row_of_an_action_names_its_effect_by_name_where_another_of_that_name_makes_its_cause_uncertain() -> None:
    rows = show(told(*FIGHT, FLASH, FLASH, burns(), caused(-1))).timeline
    assert [row.events for row in rows if row.action == "cast"] == [(7, 9, 10), (8,)]


def test_each_address_that_is_listed_has_a_value() -> None:
    plain = fact("contest_rolled", contenders=[{"combatant": "ana", "check": 1}, {"combatant": "bo", "check": 4}])
    state = told(*FIGHT, plain, FLASH, does("ana", "move"))
    assert [address for address in addresses(state) if value_of(state, address) is None] == []


def test_before_the_first_turn_the_first_round_is_listed() -> None:
    listed = list(addresses(told(*FIGHT[:-1])))
    assert {"round.1.second", "round.1.second.1"} < set(listed)


def test_a_contest_that_nobody_rolled_for_has_no_value() -> None:
    assert value_of(told(*FIGHT), "contest.the vial.ana") is None


@pytest.mark.parametrize(("again", "cited"), [(14, (4, 6)), (9, (4,))])
def test_a_total_rests_on_its_check_and_on_a_further_one_like_it(again: int, cited: tuple[int, ...]) -> None:
    checks = [fact("initiative_rolled", combatant=who, check=check) for who, check in (("ana", 14), ("bo", 14))]
    total = derived(told(*FIGHT[:2], *checks, fact("initiative_rolled", combatant="ana", check=again)), "ana.total")
    assert total is not None
    assert total.because.own().events == cited


@pytest.mark.parametrize(("delay", "elsewhere"), [(1, False), (4, False), (10, True)])
def test_between_turns_an_effect_is_told_in_its_place_if_it_is_due_in_the_last_turn_or_the_next(
    delay: int, elsewhere: bool
) -> None:
    state = told(*FIGHT, does("ana", "cast", name="fuse", delay=delay), BO, burns())
    assert isinstance(state, SemiautomagicState)
    assert [effect.elsewhere for effect in state.round.effects] == [elsewhere]


def test_a_combatant_shows_the_spell_that_runs_on_and_what_stands_behind_it() -> None:
    spell = (*FIGHT, does("ana", "run"), does("ana", "cast", name="bolt"))
    ana, bo = show(told(*spell)).combatants["ana"], show(told(*spell)).combatants["bo"]
    assert (ana.casting and ana.casting.name, ana.concentration) == ("bolt", "bolt")
    assert (bo.casting, bo.concentration) == (None, None)
    over = show(told(*spell, BO, ANA, gives_up())).combatants["ana"]
    assert (over.casting, over.concentration) == (None, None)
    assert {7, 10} < set(over.because.concentration.events)


def test_a_delay_that_is_the_first_thing_done_begins_with_the_first_second() -> None:
    state = told(*FIGHT, does("ana", "shout", name="fuse", time=0, delay=3))
    rows = [row for row in show(state).timeline if row.action == "delay"]
    assert [(row.round, row.second) for row in rows] == [(1, 1)]


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


def test_what_somebody_is_casting_rests_on_the_spell_that_runs_on_and_on_none_after_it() -> None:
    ritual = does("ana", "cast", name="ritual", time=15)
    found = value_of(told(*FIGHT, ritual, BO, ANA, does("ana", "cast", name="spark", time=0)), "ana.casting")
    assert found is not None
    assert (found.value, found.because.events) == ("ritual", (6, 7))


def test_a_time_that_is_ruled_before_anything_took_it_rests_on_the_ruling() -> None:
    slow = fact("ruling_made", ruling="override", decision="slow", values={"ana.time.cast": 5})
    found = value_of(told(*FIGHT, slow), "ana.time.cast")
    assert found is not None
    assert (found.value, found.because.events) == (5, (7,))


def test_what_is_a_digit_and_no_number_is_no_second_of_a_round() -> None:
    stated = fact("checked", values={"round.1.second.²": 1})
    found = audit(records(*FIGHT, stated, ruleset="semiautomagic")).findings
    assert "log.address" in [each.rule for each in found]


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
