"""The audit: findings as data, waivers, and what no check of a single fact sees."""

from typing import Any

import pytest
from msgspec import structs

from eventstore import chain
from eventstore.events import ActionTaken
from eventstore.record import decode
from eventstore.shapes import LARGEST, Action
from projections.folds.addresses import all_addresses, value_of
from projections.judging.audit import audit, check_fact
from projections.judging.book import rename_options
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, Check, checks_table
from projections.rulesets import RULESETS
from projections.state import State
from tests.projections.logs import (
    act,
    amend,
    bears,
    fact,
    findings,
    hit,
    insert,
    joins,
    lines,
    override_of,
    play,
    records,
    rolls,
    round_,
    rules,
    strike,
    turn,
)
from tests.tables import for_each

ULF = joins("ulf")


def waiver(**fields: Any) -> str:
    return fact("ruling_made", ruling="waiver", decision="let it be", **fields)


def test_a_finding_says_rule_event_line_and_what_was_expected() -> None:
    (one,) = findings(ULF, hit("ulf", -3))
    assert (one.rule, one.severity, one.event, one.line) == ("pool.amount", "breach", 3, 3)
    assert (one.expected, one.found, one.because, one.ruled) == ("0 damage or more", "-3 damage", (3,), None)
    assert one.says == "-3 damage changes nothing"


def test_what_is_struck_or_amended_away_is_no_finding() -> None:
    assert rules(ULF, hit("ulf", -3), strike(3)) == []
    assert rules(ULF, hit("ulf", -3), amend(3, hit("ulf", 3))) == []


@pytest.mark.parametrize(
    "waived", [{"event": 3}, {"event": 3, "rule": "pool.amount"}, {"rule": "pool.amount"}, {"event": -1}]
)
def test_a_waiver_leaves_the_finding_there_as_ruled(waived: dict[str, object]) -> None:
    told = (ULF, hit("ulf", -3), waiver(**waived))
    (one,) = findings(*told)
    assert one.ruled == 4
    assert audit(records(*told)).breaches == 0
    assert audit(records(*told, strike(4))).breaches == 1


def test_a_check_reports_nothing_where_its_exemption_holds() -> None:
    asked: list[str] = []

    def finds(_state: State, _fact: Any) -> Breach:
        return Breach("wrong", "right", "wrong")

    def silent(_state: State, _fact: Any) -> None:
        return None

    def exempts(_state: State, _fact: Any, rule: str) -> bool:
        asked.append(rule)
        return rule != "c"

    on = (ActionTaken,)
    checks = [Check(finds, rule, on, "turn", 0, unless=exempts) for rule in "abcd"]
    faulty = checks_by("e", "f", on=ActionTaken, unless=exempts)(lambda *_: (Fault(("f",), "wrong", "", ""),))
    state = play(ULF)
    state.rules = structs.replace(
        state.rules, checks=checks_table((*checks, Check(silent, "s", on, "", 0, unless=exempts), *faulty))
    )
    taken = Occurrence(3, 3, ActionTaken(combatant="ulf", action=Action(kind="other")))
    assert [one.rule for one in check_fact(state, taken, set())] == ["c"]
    assert asked == ["a", "b", "c", "f"]


def test_log_option_one_that_the_ruleset_does_not_have_is_found() -> None:
    assert rules(options={"weather": "fine"}) == [("log.option", 1)]
    assert rules(options={"concentration": "some"}) == [("log.option", 1)]


@pytest.mark.parametrize("key", RULESETS)
def test_log_option_every_log_can_have_one_that_is_no_rulesets(key: str) -> None:
    assert findings(ruleset=key, options={"foe-hit-points": "true-words"}) == []
    (one,) = findings(ruleset=key, options={"foe-hit-points": "some"})
    assert (one.rule, one.expected, one.found) == ("log.option", "words, true-words, numbers, nothing", "some")


def test_log_option_one_that_was_replaced_is_known_with_its_values() -> None:
    assert findings(options={"hit-point-words": "yes"}) == []
    assert rules(options={"hit-point-words": "some"}) == [("log.option", 1)]


def test_an_option_that_was_replaced_is_read_by_its_new_name() -> None:
    assert rename_options({"hit-point-words": "yes"}) == {"foe-hit-points": "true-words"}
    assert rename_options({"hit-point-words": "no", "edition": "2024"}) == {
        "foe-hit-points": "words",
        "edition": "2024",
    }
    assert rename_options({"hit-point-words": "yes", "foe-hit-points": "nothing"}) == {"foe-hit-points": "nothing"}
    assert rename_options({"hit-point-words": "some"}) == {"hit-point-words": "some"}


FAR = fact("moved", combatant="ulf", path=[[0, 0], [900_000_000, 0]])
SHIELD = {"kind": "simple", "name": "drop the shield"}
TWICE = [{"combatant": "ulf", "total": 3}, {"combatant": "ulf", "total": 4}]
ROUTINE = fact("action_taken", combatant="ana", action={"kind": "attack", "targets": ["ulf"], "routine": 1})
AGAIN = (fact("combatant_left", combatant="ulf"), ULF)
CHECKS = (rolls("bo", 14), rolls("ulf", 14), rolls("ana", 14), rolls("bo", 5))


@for_each(("key", "facts", "options"), [
    ("5e", (ULF, FAR), {}),
    ("definition-master", (ULF, FAR), {}),
    ("5e", (ULF, override_of({"ulf.tallies.failures": LARGEST})), {}),
    ("definition-master", (ULF, override_of({"ulf.failures": LARGEST})), {}),
    ("definition-master", (ULF, fact("action_taken", combatant="ulf", action={"kind": "grapple"}),
     fact("contest_rolled", about="grapple", contenders=TWICE)), {}),
    ("definition-master", (joins("ulf", reach=LARGEST), fact("placed", combatant="ulf", square=[0, 0])), {}),
    ("vile-darkness", (ULF, joins("ana", routines=10**8), round_(1), ROUTINE), {}),
    ("vile-darkness", (joins("ulf", ac=4, ac_parts={"small shield": 1}),
     fact("action_taken", combatant="ulf", action=SHIELD), *AGAIN), {}),
    ("osric", (ULF, hit("ulf", 12)), {"out-of-action-at": "heartbeat"}),
    ("plain", (ULF, joins("bo"), joins("cy"), rolls("cy", 12), rolls("ulf", 13), turn("ulf", together=["bo"]), act("cy"), strike(3)), {}),
    ("semiautomagic", (ULF, joins("ana"), joins("bo"), *CHECKS, *AGAIN, turn("ana")), {"reroll-place": "new-total"}),
])  # fmt: skip
def test_odd_facts_are_audited_and_every_value_is_known_in_a_moment(
    key: str, facts: tuple[str, ...], options: dict[str, str]
) -> None:
    state = audit(records(*facts, ruleset=key, options=options)).replay.state
    assert "ulf.hp" in {address for address in all_addresses(state) if value_of(state, address)}


@for_each("naming", [
    bears("haze", "ulf", "grim"),
    bears("haze", "ulf", source="grim"),
    bears("haze", "ulf", duration={"amount": 1, "unit": "round", "of": "grim"}),
    fact("action_taken", combatant="ulf", action={"kind": "attack", "targets": ["grim"]}),
    fact("contest_rolled", contenders=[{"combatant": "grim", "die": 3}]),
    turn("ulf", together=["grim"]),
    rolls("ulf", 4, tie_with=["grim"]),
    fact("initiative_rolled", side="grim", die=4),
    fact("time_passed", time=3, treated=["grim"]),
    fact("ruling_made", ruling="tie", decision="so", combatants=["grim", "ulf"]),
])  # fmt: skip
def test_log_stranger_everybody_whom_a_fact_names_has_joined(naming: str) -> None:
    told = (ULF, joins("grim"), naming)
    assert rules(*told) == []
    assert rules(*told, strike(3)) == [("log.stranger", 4)]


def test_only_values_that_are_derived_and_of_their_kind_are_in_dispute() -> None:
    def disputed(**values: Any) -> frozenset[int]:
        return audit(records(ULF, fact("checked", values=values))).disputed

    assert disputed(**{"ulf.hp": 3}) == {3}
    assert disputed(**{"ulf.hp": "many"}) == frozenset()
    assert disputed(**{"ulf.luck": 3}) == frozenset()
    assert disputed(**{"ulf.status": "up"}) == frozenset()


def test_log_closed_acts_after_the_fight_are_noticed_and_remarks_are_not() -> None:
    (one,) = findings(ULF, fact("encounter_closed"), fact("noted", text="well fought"), act("ulf"))
    assert (one.rule, one.event, one.severity, one.because) == ("log.closed", 5, "notice", (3,))


def test_log_unit_a_duration_in_an_unknown_unit_has_the_nearest_named() -> None:
    (one,) = findings(
        ULF,
        bears("Bless", "ulf", duration={"amount": 2, "unit": "rounds"}),
        bears("Haste", "ulf", duration={"amount": 2, "unit": "round"}),
    )
    assert (one.rule, one.event, one.severity) == ("log.unit", 3, "notice")
    assert "did you mean round" in one.says


def test_log_ruling_a_waiver_of_a_rule_that_there_is_not_is_found() -> None:
    (one,) = findings(ULF, waiver(rule="turn.as-recordet"))
    assert (one.rule, one.event) == ("log.ruling", 3)
    assert one.says.startswith(
        "the waiver names turn.as-recordet, which is not a rule here (did you mean turn.as-recorded"
    )


def test_log_consequence_a_strike_leaves_what_the_record_caused() -> None:
    swing, blow = act("ana"), hit("ulf", 3, cause=4)
    one = next(
        each for each in findings(joins("ana"), joins("ulf"), swing, blow, strike(4)) if "consequence" in each.rule
    )
    assert (one.event, one.severity, one.because) == (6, "notice", (4, 5))
    assert one.says == "record 4 was struck, but record 5, which it caused, was not"
    assert rules(joins("ana"), joins("ulf"), swing, blow, strike(4), strike(5)) == []


def test_log_grant_one_that_names_nothing_permits_nothing_and_is_noticed() -> None:
    grant = fact("ruling_made", ruling="grant", decision="a silver dagger")
    assert [(one.rule, one.severity) for one in findings(joins("ana"), grant)] == [("log.grant", "notice")]
    named = fact("ruling_made", ruling="grant", decision="a second blow", combatants=["ana"])
    assert rules(joins("ana"), named) == []


# ---------------------------------------------------------------- late checks


def does(who: str, kind: str, name: str, *targets: str) -> str:
    return fact("action_taken", combatant=who, action={"kind": kind, "name": name, "targets": targets})


def late(*facts: str) -> list[tuple[str, int]]:
    """Return rule and event of each finding of a log whose ruleset has late checks."""
    return [(one.rule, one.event) for one in audit(records(*facts, ruleset="vile-darkness")).findings]


BLOWS = (
    joins("ada", side="heroes", weapons=[{"name": "axe", "speed": 7}]), joins("ulf", side="orcs", weapons=[{"name": "axe", "speed": 7}]),
    fact("surprise_settled"), fact("placed", combatant="ada"), fact("placed", combatant="ulf"), round_(1),
    fact("initiative_rolled", side="heroes", die=4), fact("initiative_rolled", side="orcs", die=4), fact("phase_reached", phase="H.D3"),
    does("ada", "attack", "axe", "ulf"), does("ulf", "attack", "axe", "ada"),
)  # fmt: skip


def test_what_a_later_fact_of_the_round_changes_is_found_at_the_earlier() -> None:
    assert late(*BLOWS) == []
    drops = does("ada", "simple", "drop a shield")
    assert late(*BLOWS, drops) == [("minor.raises-weapon-speed", 11)]
    next_ = fact("round_started", round=2)
    assert late(*BLOWS, drops, next_) == [("minor.raises-weapon-speed", 11)]


def test_an_audit_says_which_record_showed_a_finding_about_an_earlier_one() -> None:
    told = (*BLOWS, does("ada", "simple", "drop a shield"))  # 13
    next_, stray = fact("round_started", round=2), hit("grim", 1)  # 14, 15
    shown = [audit(records(*told, *more, ruleset="vile-darkness")).shown_by for more in ((), (next_,), (next_, stray))]
    assert shown == [{1: 11}, {1: 14}, {1: 14, 2: 15}]


def test_late_checks_look_as_a_round_opens_where_rounds_follow_from_turns() -> None:
    names = ("ana", "bo", "kex")
    joined = [joins(who, side=who, base_attack=3, ac={"armor": 2}) for who in names]
    dice = [fact("initiative_rolled", combatant=who, die=die) for who, die in zip(names, (15, 10, 5), strict=True)]
    threat = fact("attack_rolled", combatant="ana", target="bo", die=20)
    facts = (*joined, *dice, turn("ana"), threat, turn("bo"), turn("kex"))
    found = [(one.rule, one.event) for one in findings(*facts, ruleset="definition-master")]
    assert found == [("critical.confirm-required", 9)]
    again = [(one.rule, one.event) for one in findings(*facts, turn("ana"), ruleset="definition-master")]
    assert again == found


def test_findings_stand_in_the_order_of_their_events() -> None:
    found = findings(ULF, hit("ulf", -3), hit("grim", 1), strike(99), insert(2, hit("ulf", -1)))
    assert [(one.id, one.rule, one.event) for one in found] == [
        (1, "pool.amount", 3),
        (2, "log.stranger", 4),
        (3, "log.correction", 5),
        (4, "pool.amount", 6),
    ]


def test_log_ruling_a_waiver_names_what_it_waives() -> None:
    assert rules(ULF, hit("ulf", -3), waiver()) == [("pool.amount", 3), ("log.ruling", 4)]


@pytest.mark.parametrize("ruling", ["grant", "fact", "tie"])
def test_no_other_ruling_waives_a_finding(ruling: str) -> None:
    told = (ULF, hit("ulf", -3), fact("ruling_made", ruling=ruling, decision="so", event=3, rule="pool.amount"))
    assert audit(records(*told)).breaches == 1


def test_log_unread_what_has_no_payload_is_a_notice() -> None:
    told = lines(ULF, hit("ulf", 3))
    told[2] = chain.withhold_payload(told[2])
    (one,) = audit([decode(line[:-1]) for line in told]).findings
    assert (one.rule, one.severity, one.event) == ("log.unread", "notice", 3)
