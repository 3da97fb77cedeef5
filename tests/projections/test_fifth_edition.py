"""The fifth edition beside its rulebook: how grave a finding is, and facts about those who never joined."""

from typing import Any

from projections.judging.audit import audit
from tests.projections.logs import fact, records, turn

FIGHT = (
    fact("combatant_joined", combatant="ana", side="heroes", sheet={"speeds": {"walk": 30}}),
    fact("combatant_joined", combatant="kex", side="raiders", sheet={}),
    fact("initiative_rolled", combatant="ana", total=20),
    fact("initiative_rolled", combatant="kex", total=10),
    turn("ana"),
)
BLADE = {"name": "sword", "dice": {"notation": "1d8", "faces": [1]}}


def test_two_unrecorded_slots_of_a_turn_are_a_notice() -> None:
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


def exhaustion(kind: str, levels: str | None = None) -> str:
    word = {"detail" if kind == "gained" else "reason": levels} if levels else {}
    return fact(f"condition_{kind}", condition="exhaustion", targets=["ana"], **word)


# lawful play that other programs record
