"""Striking: what decides, what decides together, what was only looked at; and rewound replays are as whole ones."""

from collections.abc import Iterable

import pytest

from encounterlog_rulelab.reasons import strike_records
from eventstore.record import Recorded
from projections.explaining import shown
from projections.explaining.past import Past
from projections.explaining.striking import WORK, Weighed
from projections.explaining.why import (
    Able,
    explain_ability,
    explain_finding,
    explain_precedence,
    explain_value,
    weigh_answers,
)
from projections.folds.addresses import all_addresses, derive_value, plain_value
from projections.proving.proof import records_of
from projections.replay.replay import replay
from projections.replay.rewinding import Rewinding
from projections.state import State
from projections.time import Where
from projections.views.view import show
from tests.projections.logs import (
    amend,
    fact,
    heal,
    hit,
    joins,
    override,
    records,
    rolls,
    round_,
    strike as struck,
    turn,
)
from tests.projections.stage import encounters, one_in


def weighed(log: Iterable[Recorded], address: str, *, thorough: bool = False, at: int | None = None) -> Weighed:
    past = Past(log, Where(seq=at) if at else None)
    (answer,) = weigh_answers(
        past, [one] if (one := explain_value(past, address, variants=False)) else [], thorough=thorough
    )
    assert not isinstance(answer, Able)
    return answer.weighed


def test_a_fact_without_which_the_value_differs_decides() -> None:
    log = records(joins("ulf", 10), joins("ana"), hit("ulf", 3), hit("ana", 2), heal("ulf", 1))
    assert weighed(log, "ulf.hp") == Weighed(decides=(2, 4, 6))


def test_of_two_blows_that_fell_each_is_enough() -> None:
    log = records(joins("ulf", 10), hit("ulf", 10), hit("ulf", 12))
    assert weighed(log, "ulf.status") == Weighed(decides=(2,), together=((3,), (4,)), enough=1)


def test_of_three_blows_two_are_enough() -> None:
    log = records(joins("ulf", 10), hit("ulf", 6), hit("ulf", 6), hit("ulf", 6), ruleset="5e")
    found = weighed(log, "ulf.hp")
    assert (found.decides, found.enough, found.looked_at) == ((2,), 2, ())
    assert found.together == ((3,), (4,), (5,))


def test_what_changes_nothing_alone_or_together_was_only_looked_at() -> None:
    log = records(joins("ulf", 10), hit("ulf", 3), override(ulf__hp=9), hit("ulf", 2))
    assert weighed(log, "ulf.hp") == Weighed(decides=(2, 4, 5), looked_at=(3,))


def attacks() -> str:
    return fact("action_taken", combatant="ana", action={"kind": "attack", "targets": ["ulf"]})


def test_with_an_act_falls_what_it_caused() -> None:
    log = records(
        joins("ulf", 10), joins("ana"), rolls("ulf", 3), rolls("ana", 9), round_(1), turn("ana"),
        attacks(), hit("ulf", 10, cause=-1), attacks(), hit("ulf", 10, cause=-1),
    )  # fmt: skip
    past = Past(log)
    assert weighed(log, "ulf.status").together == ((9,), (11,))
    assert Rewinding(past.records, None, {8}).with_consequences((8,)) == {8, 9}


def test_a_struck_fact_and_a_correction_are_not_struck_again() -> None:
    log = records(joins("ulf", 10), hit("ulf", 3), hit("ulf", 2), struck(3), amend(4, hit("ulf", 1)))
    assert weighed(log, "ulf.hp") == Weighed(decides=(2, 4))


def test_up_to_a_point_only_what_stands_before_it_counts() -> None:
    log = records(joins("ulf", 10), hit("ulf", 10), hit("ulf", 12))
    assert weighed(log, "ulf.status", at=3) == Weighed(decides=(2, 3))


def test_what_is_too_far_back_is_not_tried_unless_all_is_wanted() -> None:
    log = records(joins("ulf", 10), hit("ulf", 3), *(fact("noted", text="so") for _ in range(WORK)), hit("ulf", 2))
    last = len(log)
    assert weighed(log, "ulf.hp") == Weighed(decides=(last,), untried=(2, 3))
    assert weighed(log, "ulf.hp", thorough=True) == Weighed(decides=(2, 3, last))


def test_many_facts_of_one_value_take_no_work_from_another() -> None:
    blows = (hit("ulf", 10) for _ in range(40))
    past = Past(records(joins("ulf", 10), joins("ana", 5), *blows, hit("ana", 5), hit("ana", 5)))
    ulf, ana = weigh_answers(
        past, [one for who in ("ulf", "ana") if (one := explain_value(past, f"{who}.status", variants=False))]
    )
    assert not isinstance(ulf, Able)
    assert not isinstance(ana, Able)
    assert len(ulf.weighed.untried) == 40
    assert ana.weighed == Weighed(decides=(3,), together=((44,), (45,)), enough=1)


def ward(seq_left: int) -> str:
    lasts = {"amount": seq_left, "unit": "rounds"}
    return fact("effect_started", effect="ward", source="ana", targets=["ulf"], duration=lasts)


def test_of_two_effects_of_one_name_and_source_each_has_its_own_reason() -> None:
    log = records(joins("ulf", 10), joins("ana"), ward(3), ward(3), options={"same-effect": "stacks"})
    past = Past(log)
    first, second = shown.weigh_view(past, show(past.state)).combatants["ulf"].effects
    assert (first.because.events, first.because.looked_at) == ((4,), ())
    assert (second.because.events, second.because.looked_at) == ((5,), ())


def test_a_view_tells_what_was_not_tried() -> None:
    log = records(joins("ulf", 10), hit("ulf", 3), *(fact("noted", text="so") for _ in range(WORK)), hit("ulf", 2))
    past = Past(log)
    reason = shown.weigh_view(past, show(past.state)).combatants["ulf"].because.hp
    assert reason.untried == (2, 3)
    assert not reason.looked_at


def test_an_effect_that_others_do_not_replace_says_so_once() -> None:
    log = records(joins("ulf", 10), *(ward(3) for _ in range(20)), options={"same-effect": "stacks"})
    assert max(len(each.of) for each in Past(log).state.effects.values()) <= 3


def test_of_an_order_decides_what_changes_a_place_in_it() -> None:
    past = Past(records(joins("ulf"), joins("ana"), rolls("ulf", 3), rolls("ana", 9), round_(1)))
    (answer,) = weigh_answers(past, [explain_precedence(past, "ana", "ulf")])
    assert not isinstance(answer, Able)
    assert {4, 5} <= {*answer.weighed.decides}


def test_a_finding_is_decided_by_what_it_would_not_stand_without() -> None:
    log = records(joins("ulf", 10), hit("ulf", 10), hit("ulf", 12), fact("checked", values={"ulf.status": "up"}))
    past = Past(log)
    (answer,) = weigh_answers(past, explain_finding(past, event=5))
    assert not isinstance(answer, Able)
    assert answer.weighed == Weighed(decides=(2,), together=((3,), (4,)), enough=1)


def test_a_hindrance_is_decided_by_what_it_would_not_be_without() -> None:
    past = Past(records(joins("ulf"), joins("ana"), rolls("ulf", 3), rolls("ana", 9), round_(1), hit("ulf", 10)))
    (answer,) = weigh_answers(past, [explain_ability(past, "ulf")])
    assert isinstance(answer, Able)
    (down,) = answer.hindrances
    assert (down.kind, down.weighed.decides) == ("down", (2, 7))
    assert down.because.looked_at == ()


def values(state: State) -> dict[str, object]:
    return {
        address: plain_value(read.value) for address in all_addresses(state) if (read := derive_value(state, address))
    }


@pytest.mark.slow
def test_a_rewound_replay_is_as_a_whole_one_without_the_facts(whole: bool) -> None:
    compared = 0
    for play in encounters() if whole else one_in(12, encounters(), 5):
        log = records_of(play)
        facts = one_in(1 if whole else 9, Past(log).facts, 4)
        rewinding = Rewinding(log, None, {*facts})
        assert values(rewinding.whole[0].state) == values(replay(log).state)
        for seq in facts:
            out = rewinding.with_consequences((seq,))
            done, _ = rewinding.replay_without(out)
            assert values(done.state) == values(replay(strike_records(log, out)).state), (play.title, seq)
            compared += 1
    assert compared > 20
