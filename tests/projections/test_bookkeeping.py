"""Bookkeeping: the checks of every log, whatever its ruleset, where other tests do not reach."""

import pytest

from eventstore.shapes import LARGEST
from projections.rulesets import RULESETS
from tests.projections.logs import (
    bears,
    fact,
    findings,
    heal,
    hit,
    insert,
    joins,
    rolls,
    round_,
    rules,
    turn,
    turn_ends,
)

ULF = joins("ulf")


def ruling(kind: str, **fields: object) -> str:
    return fact("ruling_made", ruling=kind, decision="so", **fields)


def test_log_joining_whoever_comes_back_may_be_a_side_of_its_own() -> None:
    assert rules(joins("ana", side="heroes"), fact("combatant_left", combatant="ana"), joins("ana", side="ana")) == []


def test_log_turn_a_turn_ended_for_another_is_found_by_the_one_begun() -> None:
    (one,) = findings(ULF, joins("bo"), turn("ulf"), turn_ends("bo"))
    assert (one.rule, one.expected, one.because) == ("log.turn", "ulf", (4,))
    (one,) = findings(ULF, turn_ends("ulf"))
    assert (one.rule, one.expected, one.because) == ("log.turn", "nobody", (3,))


@pytest.mark.parametrize("key", RULESETS)
def test_log_turn_a_turn_that_is_taken_up_was_put_off(key: str) -> None:
    facts = (ULF, joins("bo"), round_(1), rolls("ulf", 15), rolls("bo", 12), turn("ulf"), turn("bo"))
    before = {(one.rule, one.event) for one in findings(*facts, ruleset=key)}
    found = findings(*facts, fact("turn_resumed", combatant="ulf"), ruleset=key)
    assert len([one for one in found if (one.rule, one.event) not in before and one.event == 9]) == 1


@pytest.mark.parametrize("key", ["plain", "5e"])
def test_log_turn_a_turn_that_was_put_off_is_taken_up_without_a_finding(key: str) -> None:
    put_off = (fact("turn_delayed", combatant="ulf"), turn("bo"), fact("turn_resumed", combatant="ulf"))
    found = findings(ULF, joins("bo"), rolls("ulf", 15), rolls("bo", 12), turn("ulf"), *put_off, ruleset=key)
    assert [one for one in found if one.rule == "log.turn"] == []


def test_log_limit_a_blow_may_go_too_far_however_few_points_there_are() -> None:
    assert rules(joins("ulf", -5), hit("ulf", LARGEST)) == [("log.limit", 3)]
    assert rules(joins("ulf", 0), hit("ulf", LARGEST)) == []
    assert rules(joins("ulf", None), hit("ulf", LARGEST)) == [("pool.unknown", 3)]


def test_log_limit_holds_for_non_lethal_damage() -> None:
    enormous = hit("ulf", LARGEST, nonlethal=True)
    assert rules(ULF, enormous, enormous) == [("log.limit", 4)]


def test_log_limit_what_is_left_of_a_resource_may_be_all_that_a_log_holds() -> None:
    gains = fact("resource_changed", combatant="ulf", resource="oil", amount=5, left=LARGEST)
    assert rules(joins("ulf", resources={"oil": LARGEST - 5}), gains) == []


def test_log_unit_one_that_is_near_none_is_noticed_without_a_hint() -> None:
    (one,) = findings(ULF, bears("Bless", "ulf", duration={"amount": 2, "unit": "zzz"}))
    assert one.says == "zzz is not a unit of plain"


def test_log_ruling_a_waiver_names_a_rule_and_an_override_possible_values() -> None:
    assert rules(ULF, ruling("grant", rule="zzz.zzz")) == []
    assert rules(ULF, ruling("fact", values={"ulf.hp": "many"})) == []


def test_log_ruling_an_override_that_names_nothing_is_a_notice() -> None:
    (one,) = findings(ULF, ruling("override"))
    assert (one.rule, one.event, one.severity) == ("log.ruling", 3, "notice")
    assert one.says == "the override names no value: it has no effect"
    assert rules(ULF, ruling("override", values={"ulf.hp": 3}), ruling("override", combatants=["ulf"])) == []


def test_log_ruling_one_on_a_tie_that_names_nobody_is_a_notice() -> None:
    for ruleset in RULESETS:
        (one,) = findings(ULF, ruling("tie", subject="ulf before bo"), ruleset=ruleset)
        assert (one.rule, one.event, one.severity) == ("log.ruling", 3, "notice")
        assert one.says == "the ruling on a tie names nobody: it has no effect"
    bonus = {"name": "high ground", "amount": 1}
    named = (ruling("tie", combatants=["ulf"]), ruling("tie", values={"ulf.hp": 3}), ruling("tie", modifiers=[bonus]))
    assert rules(ULF, *named) == []


def test_log_ruling_a_reveal_that_names_no_event_is_a_notice() -> None:
    (one,) = findings(ULF, ruling("reveal"))
    assert (one.rule, one.event, one.severity) == ("log.ruling", 3, "notice")
    assert one.says == "the reveal names no event: it has no effect"
    assert rules(ULF, ruling("reveal", event=2)) == []


def test_log_here_what_befalls_or_comes_from_somebody_long_gone_is_noticed() -> None:
    told = (joins("ana"), joins("bo"), round_(1), fact("combatant_left", combatant="bo"))  # records 2 to 5
    late = (hit("bo", 2), heal("bo", 2), bears("haze", "bo"), bears("haze", "ana", source="bo"))
    assert rules(*told, *late) == []
    for later in (round_(2), turn("ana")):
        assert rules(*told, later, *late) == [("log.here", seq) for seq in (7, 8, 9, 10)]
    (one,) = findings(*told, round_(2), hit("ana", 1, source="bo"))
    assert (one.severity, one.because, one.says) == ("notice", (5,), "bo had left the fight before this round began")


def test_log_here_what_was_begun_before_works_on_after_its_source_has_left() -> None:
    told = (joins("ana"), joins("bo"), bears("fog", "ana", source="bo"), fact("combatant_left", combatant="bo"))
    burns = (hit("ana", 1, source="bo"), hit("ana", 1, source="bo", cause=4))
    assert rules(*told, round_(2), *burns) == []
    ends = fact("effect_ended", effect="fog")
    assert rules(*told, round_(2), ends, *burns) == [("log.here", 8)]


def test_log_here_what_befalls_somebody_long_gone_is_noticed() -> None:
    told = (joins("ana"), joins("bo"), hit("ana", 1), fact("combatant_left", combatant="bo"), round_(2))
    assert rules(*told, hit("bo", 1, source="ana", cause=4)) == [("log.here", 7)]


def test_log_here_who_left_by_an_insertion_left_where_it_stands() -> None:
    told = (joins("ana"), joins("bo"), turn("ana"), hit("bo", 1))
    leaves = fact("combatant_left", combatant="bo")
    assert rules(*told, insert(3, leaves)) == [("log.here", 5)]
    assert rules(*told, insert(4, leaves)) == []


def test_log_here_an_effect_begun_by_its_source_occurs_after_it_left() -> None:
    casts = fact("action_taken", second=1, combatant="ana", action={"kind": "cast", "name": "fuse", "delay": 3})
    told = (
        *(joins(who, 9, who) for who in ("ana", "bo")),
        *(fact("initiative_rolled", combatant=who, check=check) for who, check in (("ana", 14), ("bo", 11))),
        turn("ana"),
        casts,
        fact("combatant_left", combatant="ana"),
        turn("bo"),
    )
    for name, noticed in (("fuse", []), ("flash", [10])):
        occurs = fact("effect_started", second=1, effect=name, source="ana", targets=["bo"])
        found = findings(*told, occurs, ruleset="semiautomagic")
        assert [one.event for one in found if one.rule == "log.here"] == noticed


@pytest.mark.parametrize("ruleset", RULESETS)
def test_log_here_whom_a_ruling_calls_dead_does_nothing_in_any_game(ruleset: str) -> None:
    def killed(*later: str) -> list[tuple[str, int]]:
        dead = ruling("override", values={"bo.status": "dead"})  # record 4
        found = findings(joins("ana", 9), joins("bo", 9), dead, *later, ruleset=ruleset)
        return [(one.severity, one.event) for one in found if one.rule in ("log.here", "dead.out")]

    strikes = fact("action_taken", combatant="bo", action={"kind": "attack", "targets": ["ana"]})
    roll = fact("attack_rolled", combatant="bo", target="ana", hit=False).replace("{", '{"cause":-1,', 1)
    lives, dragged = ruling("override", values={"bo.status": "up"}), fact("moved", combatant="bo", forced=True)
    assert killed(strikes, roll) == [("breach", 5)]
    assert killed(dragged) == killed(lives, strikes) == []


def test_log_here_an_act_in_the_segment_of_a_ruled_death_may_be_with_it() -> None:
    began, dead = (joins("ana", 9), joins("bo", 9), round_(1)), ruling("override", values={"bo.status": "dead"})
    strikes = fact("action_taken", segment=3, combatant="bo", action={"kind": "attack", "targets": ["ana"]})
    for segment, found in ((3, []), (4, [7])):
        told = (*began, fact("segment_reached", segment=3), dead, strikes.replace("3", str(segment), 1))
        assert [one.event for one in findings(*told, ruleset="osric") if one.rule == "log.here"] == found


def test_log_closed_the_end_of_a_fight_is_told_once() -> None:
    over = fact("encounter_closed")
    assert rules(joins("ana"), over, over) == [("log.closed", 4)]


def test_log_unable_whoever_sleeps_and_acts_is_noticed_once() -> None:
    asleep = fact("condition_gained", condition="Asleep", targets=["ulf"])
    act = fact("action_taken", combatant="ulf", action={"kind": "attack"})
    roll = fact("attack_rolled", combatant="ulf", target="ana", hit=False)
    (one,) = findings(joins("ana"), ULF, round_(1), asleep, act, roll.replace("{", '{"cause":-1,', 1))
    assert (one.rule, one.event, one.severity, one.because) == ("log.unable", 6, "notice", (5,))
    assert one.says == "ulf is Asleep and acts"
    held = fact("action_held", combatant="ulf")
    assert rules(joins("ana"), ULF, asleep, held, roll) == [("log.unable", 5), ("log.unable", 6)]


def test_log_unable_a_roll_for_another_s_act_is_noticed_by_itself() -> None:
    asleep = fact("condition_gained", condition="asleep", targets=["ulf"])
    before = (fact("action_taken", combatant="ana", action={"kind": "move"}), fact("action_held", combatant="ulf"))
    roll = fact("attack_rolled", combatant="ulf", target="ana", hit=False)
    for first in before:
        assert rules(joins("ana"), ULF, round_(1), first, asleep, roll.replace("{", '{"cause":5,', 1)) == [
            ("log.unable", 7)
        ]


def test_log_unable_what_comes_of_an_act_binds_in_the_same_turn() -> None:
    asleep = fact("condition_gained", condition="asleep", targets=["ulf"], cause=-1)
    acts = [fact("action_taken", combatant=who, action={"kind": "attack"}) for who in ("ana", "ulf")]
    found = rules(joins("ana"), ULF, round_(1), turn("ana"), acts[0], asleep, acts[1])
    assert found == [("log.unable", 8), ("turn.own-acts", 8)]


def test_log_unable_what_comes_of_an_act_binds_in_the_seconds_after_it() -> None:
    asleep = fact("condition_gained", condition="asleep", targets=["ulf"], cause=-1)
    order = (fact("initiative_rolled", combatant=who, check=check) for who, check in (("ana", 14), ("ulf", 11)))
    told = (*(joins(who, 9, who) for who in ("ana", "ulf")), *order, turn("ana"), _attacks("ana", 2), asleep)
    for second, noticed in ((1, []), (2, []), (3, [9])):
        found = findings(*told, _attacks("ulf", second), ruleset="semiautomagic")
        assert [one.event for one in found if one.rule == "log.unable"] == noticed


def _attacks(who: str, second: int) -> str:
    return fact("action_taken", second=second, combatant=who, action={"kind": "attack"})


def test_log_unable_whoever_has_woken_or_is_not_bound_acts() -> None:
    asleep, awake = (
        fact("condition_gained", condition="asleep", targets=["ulf"]),
        fact("condition_lost", condition="asleep", targets=["ulf"]),
    )
    acts = [fact("action_taken", combatant=who, action={"kind": "attack"}) for who in ("ana", "ulf")]
    murmurs = [fact("action_taken", combatant="ulf", action={"kind": kind}) for kind in ("talk", "other")]
    prone = fact("condition_gained", condition="prone", targets=["ulf"])
    assert rules(joins("ana"), ULF, acts[1], prone, acts[1], asleep, acts[0], *murmurs, awake, acts[1]) == []


def test_log_unable_what_has_a_duration_binds_until_a_turn_comes() -> None:
    stunned = fact("condition_gained", condition="stunned", targets=["ulf"], duration={"amount": 2, "unit": "round"})
    act = fact("action_taken", combatant="ulf", action={"kind": "attack"})
    told = (joins("ana"), ULF, round_(1), turn("ana"), stunned, turn("ulf"), act)
    assert rules(*told) == [("log.unable", 8)]
    assert rules(*told, round_(2), turn("ulf"), round_(3), turn("ulf"), act) == [("log.unable", 8)]


def test_log_unable_whoever_is_down_is_left_to_the_rules_of_the_game() -> None:
    dead = fact("condition_gained", condition="dead", targets=["ulf"])
    act = fact("action_taken", combatant="ulf", action={"kind": "attack"})
    assert rules(joins("ulf", 3), dead, hit("ulf", 9), act) == []
