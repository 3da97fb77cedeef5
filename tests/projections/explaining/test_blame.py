"""Blame: the running values of a history join up and end in the value; what was struck or amended is part of it."""

from itertools import pairwise
from typing import Any

import pytest

from eventstore.events import (
    ActionTaken,
    Amended,
    CombatantJoined,
    DamageDealt,
    EffectStarted,
    Inserted,
    RoundStarted,
    Struck,
)
from eventstore.record import Recorded
from eventstore.shapes import Action
from projections.explaining.blame import Touch, find_touches
from projections.explaining.past import Past
from projections.folds.addresses import derive_value, plain_value
from projections.proving.proof import records_of
from projections.time import Where
from tests.projections.explaining.blame import hit, joined, log
from tests.projections.stage import one_in, script, scripts

FIELDS = ("hp", "nld", "status", "casting", "conditions", "effects")


def rows(records: list[Recorded], address: str = "ana.hp", until: Where | None = None) -> list[Touch]:
    found, _ = find_touches(records, address, until)
    assert found is not None
    return list(found.touches)


def values(touches: list[Touch]) -> list[tuple[int, Any, Any, str]]:
    return [(each.seq, each.before, each.after, each.became) for each in touches]


def test_a_value_goes_from_fact_to_fact() -> None:
    told = log(joined(), hit(4), DamageDealt(target="ana", amount=0), hit(7))
    assert values(rows(told)) == [(2, None, 14, ""), (3, 14, 10, ""), (5, 10, 3, "")]
    assert values(rows(told, until=Where(seq=3))) == [(2, None, 14, ""), (3, 14, 10, "")]


def test_a_struck_fact_is_listed_with_what_it_did_and_an_amended_one_twice() -> None:
    told = log(joined(), hit(4), hit(7), Struck(event=4), Amended(event=3, replacement=hit(1)))
    touches = rows(told)
    assert values(touches) == [
        (2, None, 14, ""), (3, 14, 10, "amended"), (3, 14, 13, ""), (4, 10, 3, "struck"),
    ]  # fmt: skip
    assert [each.by_record for each in touches] == [None, 6, None, 5]
    assert [each.line for each in touches] == [2, 3, 6, 4]


def test_a_fact_amended_and_then_struck_is_listed_as_told_and_as_amended() -> None:
    touches = rows(log(joined(), hit(7), Amended(event=3, replacement=hit(4)), Struck(event=3)))
    assert values(touches) == [(2, None, 14, ""), (3, 14, 7, "amended"), (3, 14, 10, "struck")]
    assert [(each.line, each.by_record) for each in touches] == [(2, None), (3, 4), (4, 5)]
    touches = rows(log(joined(), hit(7), Amended(event=3, replacement=hit(0)), Struck(event=3)))
    assert values(touches)[1:] == [(3, 14, 7, "amended"), (3, 14, 14, "struck")]


def test_a_strike_that_is_taken_back_leaves_an_amended_fact_amended_only() -> None:
    touches = rows(log(joined(), hit(7), Amended(event=3, replacement=hit(4)), Struck(event=3), Struck(event=5)))
    assert values(touches) == [(2, None, 14, ""), (3, 14, 7, "amended"), (3, 14, 10, "")]


def test_a_fact_that_was_put_in_and_then_struck_is_listed_with_what_it_did() -> None:
    told = log(joined(), hit(7), Inserted(after=2, fact=hit(4)), Struck(event=4))
    assert values(rows(told)) == [(2, None, 14, ""), (4, 14, 10, "struck"), (3, 14, 7, "")]
    assert values(rows(told, until=Where(seq=2))) == [(2, None, 14, "")]


def test_a_value_that_is_gone_has_a_history_and_what_never_was_has_none() -> None:
    assert find_touches(log(joined()), "ana.hq")[0] is None
    assert find_touches(log(joined()), "bo.hp")[0] is None


@pytest.mark.slow
def test_histories_join_up_and_end_in_the_value(whole: bool) -> None:
    plays = [play for path in scripts() for play in script(path)]
    for play in plays if whole else one_in(36, plays, 3):
        records = records_of(play)
        for who in {each.event.combatant for each in records if isinstance(each.event, CombatantJoined)}:
            for field in FIELDS:
                found, done = find_touches(records, f"{who}.{field}")
                read = derive_value(done.state, f"{who}.{field}")
                assert (found is None) is (read is None)
                if found is None or read is None:
                    continue
                told = [each for each in found.touches if not each.became]
                changed = [each for each in told if each.before != each.after]
                assert all(one.after == other.before for one, other in pairwise(changed))
                assert changed[-1].after == plain_value(read.value) == found.value
                assert {*done.state.reason(read.because).events} - {1} <= {each.seq for each in told} | {
                    each.line for each in told
                }


def test_the_act_behind_damage_is_named_although_it_is_of_an_earlier_round() -> None:
    told = log(
        joined(),
        RoundStarted(round=1),
        ActionTaken(combatant="ana", action=Action(kind="cast", name="ember")),
        EffectStarted(effect="ember", targets=("ana",), cause=4),
        RoundStarted(round=2),
        DamageDealt(target="ana", amount=2, cause=5),
    )
    *_, last = rows(told)
    assert (last.seq, [each.seq for each in last.causes]) == (7, [4, 5])
    (fact,) = (each for each in Past(told).cited((7,)))
    assert fact.act is not None
    assert fact.act.seq == 4
