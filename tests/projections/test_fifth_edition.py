"""The fifth edition beside its rulebook: what plays cannot say, such as how grave a finding is."""

from collections.abc import Iterator
from typing import Any

import pytest

from projections.folds.addresses import value_of
from projections.folds.replay import replay
from projections.judging.audit import audit
from projections.rulesets.fifth_edition.acts.bars import bars
from projections.rulesets.fifth_edition.state import FifthState
from tests.projections.logs import fact, records, turn

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


def test_a_contest_of_which_nobody_says_who_won_decides_nothing() -> None:
    contest = fact("contest_rolled", about="grapple", contenders=[{"combatant": "ana"}, {"combatant": "kex"}])
    held = fact("condition_gained", condition="grappled", targets=["kex"], source="ana", cause=-1)
    assert [*graveness(contest, held)] == []


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


def test_what_no_sheet_says_has_no_value() -> None:
    state = audit(records(*FIGHT, ruleset="5e")).replay.state
    for name in ("speed", "bloodied", "spell-dc", "spell-attack", "grapple-dc"):
        assert value_of(state, f"kex.{name}") is None, name


def test_breath_that_was_regained_runs_out_anew_and_not_at_all_in_2024() -> None:
    def choked(*facts: str, **options: str) -> Any:
        sheet = fact("sheet_changed", combatant="kex", sheet={"hp": 9, "abilities": {"con": 10}})
        lines = (*FIGHT, sheet, choking, turn("kex"), *facts, turn("ana"), turn("kex"))
        return audit(records(*lines, ruleset="5e", options=options)).replay.state.combatants["kex"].hp

    choking, over = (fact(f"condition_{name}", condition="suffocating", targets=["kex"]) for name in ("gained", "lost"))
    assert choked() == 0
    assert choked(turn("ana"), over, choking) == 9
    assert choked(edition="2024") == 9


def test_the_dead_do_not_die_of_a_maximum_of_0() -> None:
    sheet = fact("sheet_changed", combatant="kex", sheet={"hp": 9})
    dead = fact("condition_gained", condition="dead", targets=["kex"])
    drain = fact("effect_started", effect="drain", targets=["kex"], modifiers=[{"name": "hp_max", "amount": -9}])
    state = audit(records(*FIGHT, sheet, dead, drain, ruleset="5e", options={"edition": "2024"})).replay.state
    status = value_of(state, "kex.status")
    assert status
    assert status.because.rules == ("dead.out",)


def test_in_2014_no_save_starts_a_hold() -> None:
    strong = fact("sheet_changed", combatant="ana", sheet={"abilities": {"str": 16}, "proficiency": 2})
    assert value_of(audit(records(*FIGHT, strong, ruleset="5e")).replay.state, "ana.grapple-dc") is None
    act = fact("action_taken", combatant="ana", action={"kind": "grapple", "targets": ["kex"]})
    save = fact("save_rolled", combatant="kex", save="strength", purpose="grapple", succeeded=False, cause=-1)
    assert audit(records(*FIGHT, act, save, ruleset="5e")).replay.state.conditions == {}
    assert audit(records(*FIGHT, act, save, ruleset="5e", options={"edition": "2024"})).replay.state.conditions != {}


@pytest.mark.parametrize(
    ("ended", "expected"), [({"targets": ["kex"]}, []), ({"source": "lum"}, ["incapacitated", "paralyzed"])]
)
def test_a_condition_that_follows_a_cast_is_part_of_the_effect_of_that_name_by_concentration(
    ended: dict[str, object], expected: list[str]
) -> None:
    other = fact("combatant_joined", combatant="lum", side="raiders", sheet={})
    act = {"kind": "cast", "name": "hold person", "targets": ["kex"], "cost": "action"}
    held = (
        fact("effect_started", effect="hold person", source="lum", targets=["lum"], concentration=True),
        fact("effect_started", effect="hold person", source="lum", targets=["kex"]),
        fact("effect_started", effect="bless", source="kex", targets=["kex"], concentration=True),
        fact("action_taken", combatant="ana", action=act),
        fact("effect_started", effect="hold person", targets=["kex"], concentration=True),
        fact("condition_gained", condition="paralyzed", source="ana", targets=["kex"]),
        fact("effect_ended", effect="hold person", **ended),
    )
    log = records(*FIGHT[:2], other, *FIGHT[2:], *held, ruleset="5e")
    found = value_of(replay(log).state, "kex.conditions")
    assert found is not None
    assert found.value == expected


def cast(who: str, cost: str | None, name: str = "misty step") -> str:
    """Return a spell cast at some cost; None: nobody said at which."""
    action = {"kind": "cast", "name": name, **({"cost": cost} if cost else {})}
    return fact("action_taken", combatant=who, action=action)


SLOT = fact("resource_changed", combatant="ana", resource="slot-2", amount=-1, cause=-1)


@pytest.mark.parametrize(
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
    found = bars(state, ana, "slot-2")
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


@pytest.mark.parametrize(
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
    found = bars(state, state.combatants[who], what)
    assert (found and (found.rules, found.options)) == expected
