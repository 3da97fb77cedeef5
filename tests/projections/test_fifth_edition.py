"""The fifth edition beside its rulebook: what plays cannot say, such as how grave a finding is."""

from collections.abc import Iterator
from typing import Any

import pytest

from projections.because import asking
from projections.folds.addresses import value_of
from projections.judging.audit import audit
from projections.replay.replay import replay
from projections.rulesets.fifth_edition.acts import bars
from projections.rulesets.fifth_edition.state import FifthState
from tests.projections.logs import fact, records, turn
from tests.tables import for_each

FIGHT = (
    fact("combatant_joined", combatant="ana", side="heroes", sheet={"speeds": {"walk": 30}}),
    fact("combatant_joined", combatant="kex", side="raiders", sheet={}),
    fact("initiative_rolled", combatant="ana", total=20),
    fact("initiative_rolled", combatant="kex", total=10),
    turn("ana"),
)
BLADE = {"name": "sword", "dice": {"notation": "1d8", "faces": [1]}}
TOO_FAR = fact("moved", combatant="ana", distance={"amount": 45, "unit": "ft"})


def graveness(*facts: str) -> Iterator[tuple[str, str]]:
    """Yield the rules and severities of what is found."""
    yield from ((one.rule, one.severity) for one in audit(records(*FIGHT, *facts, ruleset="5e")).findings)


@pytest.mark.parametrize(
    ("effect", "severity"),
    [
        ({}, "breach"),
        ({"effect": "stride", "targets": ["ana"]}, "notice"),
        ({"effect": "stride", "targets": ["kex"]}, "breach"),
        ({"effect": "poisoned", "targets": ["ana"]}, "breach"),
        ({"effect": "stride", "targets": ["ana"], "modifiers": [{"name": "speed", "amount": 10}]}, "breach"),
    ],
)
def test_a_move_too_far_is_a_notice_only_under_an_effect_that_does_not_say_what_it_changes(
    effect: dict[str, object], severity: str
) -> None:
    begun = (fact("effect_started", **effect),) if effect else ()
    assert [*graveness(*begun, TOO_FAR)] == [("move.up-to-speed", severity)]


def test_two_slots_of_a_turn_that_nobody_recorded_are_a_notice_since_what_paid_may_come_later() -> None:
    spells = [{"name": name, "level": 1, "cost": cost} for name, cost in (("ward", "bonus"), ("blast", "action"))]
    sheet = fact("sheet_changed", combatant="ana", sheet={"entries": spells, "resources": {"level 1 spell slot": 4}})
    told = (sheet, cast("ana", "bonus", "ward"), cast("ana", "action", "blast"))
    slots = [
        fact("resource_changed", combatant="ana", resource="level 1 spell slot", amount=-1, cause=cause)
        for cause in (-2, -2)
    ]
    found = audit(records(*FIGHT, *told, *slots, ruleset="5e", options={"edition": "2024"})).findings
    assert [(one.rule, one.severity) for one in found] == [
        ("spell.one-slot-a-turn", "notice"),
        ("spell.one-slot-a-turn", "breach"),
    ]


def test_in_a_list_those_who_never_joined_count_for_nothing() -> None:
    def act(kind: str) -> str:
        return fact("action_taken", combatant="ana", action={"kind": kind, "targets": ["bo"], "cost": "none"})

    those = ["bo", "kex"]
    named = (
        *(act(kind) for kind in ("mount", "stabilize", "grapple", "shove")),
        fact("dice_rolled", combatant="ana", purpose="medicine", die=12),
        fact("contest_rolled", about="grapple", contenders=[{"combatant": "kex"}, {"combatant": "bo", "using": "str"}]),
        *(fact("condition_gained", condition=name, targets=those) for name in ("exhaustion", "unconscious", "stable")),
        fact("save_rolled", combatant="kex", save="constitution", purpose="death", die=12),
        fact("condition_gained", condition="stable", targets=["bo"], cause=-1),
        fact("condition_lost", condition="unconscious", targets=those),
        fact("condition_gained", condition="dead", targets=["bo"]),
        fact("effect_started", effect="fog", targets=["kex"], duration={"amount": 9, "unit": "round", "of": "bo"}),
        fact("action_taken", combatant="ana", action={"kind": "attack", "targets": ["kex"], "manner": ["unarmed"]}),
        fact("attack_rolled", combatant="ana", target="kex", die=20, cause=-1),
        fact("damage_dealt", target="kex", amount=1, source="bo", parts=[BLADE], cause=-1),
        fact("turn_started", combatant="kex", together=["bo"]),
        turn("ana"),
    )
    done = audit(records(*FIGHT, *named, ruleset="5e"))
    assert done.problem is None
    assert {one.rule for one in done.findings} == {"log.stranger"}
    state: Any = done.replay.state
    assert state.mounts == state.aid == {}
    assert state.exhausted.keys() == {"kex"}


def cast(who: str, cost: str | None, name: str = "misty step") -> str:
    """Return a spell cast at some cost; None: nobody said at which."""
    action = {"kind": "cast", "name": name, **({"cost": cost} if cost else {})}
    return fact("action_taken", combatant=who, action=action)


SLOT = fact("resource_changed", combatant="ana", resource="slot-2", amount=-1, cause=-1)


@for_each(
    ("options", "facts", "expected"),
    [
        ({"edition": "2014"}, (cast("ana", "bonus"),), ("spell.bonus-action-bar", (7,), "bonus-spell-bar")),
        ({"edition": "2014"}, (cast("ana", "bonus"), cast("ana", "bonus")), ("spell.bonus-action-bar", (7, 8), "")),
        ({"edition": "2014", "bonus-spell-bar": "reactions-exempt"}, (cast("ana", "bonus"),), None),
        ({"edition": "2014"}, (cast("ana", "action"),), None),
        ({"edition": "2014"}, (cast("ana", None, "nobody knows"),), None),
        ({"edition": "2014"}, (cast("kex", "bonus"),), None),
        ({"edition": "2014"}, (fact("action_taken", combatant="ana", action={"kind": "dash", "cost": "bonus"}),), None),
        ({"edition": "2014"}, (cast("ana", "bonus"), turn("kex")), None),
        ({"edition": "2024"}, (cast("ana", "action"), SLOT), ("spell.one-slot-a-turn", (8,), "edition")),
        ({"edition": "2024"}, (cast("ana", "bonus"),), None),
        ({"edition": "2024"}, (cast("ana", "action"), SLOT, turn("kex")), None),
    ],
)
def test_what_bars_a_slot_is_a_spell_as_a_bonus_action_or_a_slot_spent_in_this_turn(
    options: dict[str, str], facts: tuple[str, ...], expected: tuple[str, tuple[int, ...], str] | None
) -> None:
    state = replay(records(*FIGHT, *facts, ruleset="5e", options=options)).state
    assert isinstance(state, FifthState)
    ana = state.combatants["ana"]
    assert bars(state, ana, "action") is None
    found = asking(bars, state, ana, "slot-2")
    if expected is None:
        assert found is None
    else:
        rule, events, option = expected
        assert found is not None
        assert (found.rules, found.events) == ((rule,), events)
        assert not option or option in found.options


PRONE = fact("condition_gained", condition="prone", targets=["ana"])
MOUNTED = fact("action_taken", combatant="ana", action={"kind": "mount", "targets": ["kex"], "manner": ["controlled"]})
CRAWL = fact("moved", combatant="ana", mode="crawl", distance={"amount": 10, "unit": "ft"})


@for_each(
    ("facts", "who", "what", "expected"),
    [
        ((PRONE,), "ana", "stand-up", None),
        ((CRAWL,), "ana", "stand-up", None),
        ((PRONE, CRAWL), "ana", "stand-up", (("move.stand-up",), {})),
        ((PRONE, CRAWL), "ana", "mount", (("mount.half-speed",), {})),
        ((PRONE, CRAWL), "ana", "dash", None),
        ((MOUNTED,), "ana", "dismount", (("mount.half-speed",), {"edition": "2014"})),
        ((MOUNTED,), "ana", "attack", None),
        ((MOUNTED,), "kex", "attack", (("mount.controlled",), {})),
        ((MOUNTED,), "kex", "dash", None),
        ((MOUNTED,), "kex", "action", None),
    ],
)
def test_what_bars_an_act_though_enough_is_left(
    facts: tuple[Any, ...], who: str, what: str, expected: tuple[Any, ...] | None
) -> None:
    state = replay(records(*FIGHT, *facts, ruleset="5e")).state
    assert isinstance(state, FifthState)
    found = asking(bars, state, state.combatants[who], what)
    assert (found and (found.rules, found.options)) == expected


def holds(caster: str, target: str) -> tuple[str, str]:
    """Return the facts by which a caster holds a target by a spell: the effect, and the condition that it imposes."""
    begun = fact("effect_started", effect="hold person", source=caster, targets=[target], concentration=True)
    return begun, fact("condition_gained", condition="paralyzed", targets=[target], cause=-1)


def lets_go(caster: str) -> str:
    return fact("effect_ended", effect="hold person", source=caster, reason="dispelled")


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        ((lets_go("ana"), lets_go("bo")), {"kex": {9, 13}, "lum": {11, 14}}),
        ((lets_go("bo"), lets_go("ana")), {"kex": {9, 14}, "lum": {11, 13}}),
        (
            (fact("condition_gained", condition="stunned", targets=["ana"]), lets_go("bo")),
            {"kex": {9, 13}, "lum": {11, 14}},
        ),
    ],
)
def test_what_a_condition_ended_with_is_its_own_effect_and_no_other_of_its_name(
    ends: tuple[str, ...], expected: dict[str, set[int]]
) -> None:
    joined = (fact("combatant_joined", combatant=who, side="all", sheet={}) for who in ("bo", "lum"))
    state = replay(records(*FIGHT, *joined, *holds("ana", "kex"), *holds("bo", "lum"), *ends, ruleset="5e")).state
    ours = {9, 11, 13, 14}
    for who, events in expected.items():
        found = value_of(state, f"{who}.conditions")
        assert found is not None
        assert found.value == []
        assert {*found.because.events} & ours == events


def exhaustion(kind: str, levels: str | None = None) -> str:
    word = {"detail" if kind == "gained" else "reason": levels} if levels else {}
    return fact(f"condition_{kind}", condition="exhaustion", targets=["ana"], **word)


@pytest.mark.parametrize(
    ("facts", "level", "findings"),
    [
        ((exhaustion("gained", "2"), exhaustion("lost", "1"), exhaustion("lost")), 0, []),
        ((exhaustion("gained"), exhaustion("gained"), exhaustion("lost"), exhaustion("lost")), 0, []),
        ((exhaustion("gained", "3"), exhaustion("lost"), exhaustion("lost")), 1, []),
        ((exhaustion("gained"), exhaustion("lost"), exhaustion("lost")), 0, [("log.effect", "notice")]),
        ((exhaustion("gained", "2"), exhaustion("lost", "2"), exhaustion("lost")), 0, [("log.effect", "notice")]),
        ((exhaustion("lost"), exhaustion("gained", "2")), 2, [("log.effect", "notice")]),
        ((exhaustion("gained", "2"), exhaustion("lost", "3"), exhaustion("gained")), 1, []),
        ((exhaustion("gained"), exhaustion("lost"), exhaustion("lost"), exhaustion("gained", "3"), exhaustion("lost")), 2, [("log.effect", "notice")]),
    ],
)  # fmt: skip
def test_a_level_of_exhaustion_is_lost_as_long_as_one_is_left(
    facts: tuple[str, ...], level: int, findings: list[tuple[str, str]]
) -> None:
    assert [*graveness(*facts)] == findings
    state = replay(records(*FIGHT, *facts, ruleset="5e")).state
    found = value_of(state, "ana.exhaustion")
    assert found
    assert found.value == level


# lawful play that other programs record


FELL = (
    fact("combatant_joined", combatant="ana", side="heroes", sheet={"hp": 6, "hp_max": 30, "creature": "character"}),
    fact("combatant_joined", combatant="kex", side="raiders", sheet={"hp": 22, "srd": "2014:zombie"}),
)


def struck(who: str, whom: str, die: int, amount: int, cause: int) -> tuple[str, str]:
    """Return an attack roll of an act and its damage, which has the act as its cause."""
    hits = fact("attack_rolled", combatant=who, target=whom, die=die, total=die, hit=True, critical=die == 20, cause=cause)  # fmt: skip
    return hits, fact("damage_dealt", target=whom, amount=amount, cause=cause - 1)


def test_a_hit_at_0_hit_points_is_critical_by_its_own_roll_and_not_by_one_before_it_in_the_same_act() -> None:
    act = fact("action_taken", combatant="kex", action={"kind": "attack", "targets": ["ana"]})
    for dice, failures in (((20, 16), 1), ((16, 20), 2)):
        first, second = struck("kex", "ana", dice[0], 6, -1), struck("kex", "ana", dice[1], 1, -3)
        log = records(*FELL, act, *first, *second, ruleset="5e")
        found = value_of(replay(log).state, "ana.death-saves")
        assert found is not None
        assert found.value == f"0,{failures}", dice


def test_what_a_zombie_keeps_by_its_trait_may_have_the_blow_as_its_cause_but_no_spell_heals_it() -> None:
    act = fact("action_taken", combatant="ana", action={"kind": "attack", "targets": ["kex"]})
    spell = fact("action_taken", combatant="ana", action={"kind": "cast", "name": "cure wounds", "targets": ["kex"]})
    fells, kept = struck("ana", "kex", 16, 22, -1), fact("healed", target="kex", amount=1, cause=-3)
    for between, found in (((), []), ((spell, fact("healed", target="kex", amount=1, cause=-1)), ["breach"])):
        log = records(*FELL, act, *fells, *(between or (kept,)), ruleset="5e")
        assert [one.severity for one in audit(log).findings if one.rule == "healing.not-the-dead"] == found


@pytest.mark.parametrize(
    ("action", "rules"),
    [
        ({"kind": "attack", "name": "sword"}, []),
        ({"kind": "cast", "name": "eldritch blast"}, []),
        ({"kind": "cast", "name": "burning hands"}, ["damage.one-roll-for-all"]),
        ({"kind": "other", "name": "breath"}, ["damage.one-roll-for-all"]),
    ],
)
def test_each_attack_rolls_its_own_damage_though_no_attack_roll_is_recorded(
    action: dict[str, str], rules: list[str]
) -> None:
    joins = [fact("combatant_joined", combatant=who, sheet={"hp": 40}) for who in ("bo", "kex", "gru")]
    act = fact("action_taken", combatant="bo", action=action | {"targets": ["kex", "gru"]})
    hurt = [
        fact(
            "damage_dealt",
            target=who,
            amount=face,
            parts=[{"name": "dice", "dice": {"notation": "1d10", "faces": [face]}}],
            cause=cause,
        )
        for who, face, cause in (("kex", 4, -1), ("gru", 5, -2))
    ]
    assert [
        one.rule for one in audit(records(*joins, act, *hurt, ruleset="5e")).findings if "one-roll" in one.rule
    ] == rules
