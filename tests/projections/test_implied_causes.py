"""Implied causes: an outcome that names no cause has the one that is certain, or none."""

from typing import Any

import pytest
from msgspec import structs

from projections.explaining.blame import find_touches
from projections.occurrence import Occurrence
from projections.proving.proof import records_of
from projections.replay.replay import replay
from projections.rulesets import keys
from tests.lawful.__main__ import KEYS
from tests.projections.logs import bears, fact, heal, hit, joins, records, strike, turn
from tests.projections.stage import encounters
from tests.tables import for_each
from tests.tools import causes

THREE = (joins("ana"), joins("bo"), joins("cy"), turn("ana"))
LAST = len(THREE) + 2
"""The record of the first fact after those."""


def attack(who: str, *targets: str, name: str = "sword", **more: object) -> str:
    return fact("action_taken", combatant=who, action={"kind": "attack", "name": name, "targets": targets}, **more)


def cast(who: str, *targets: str, name: str = "bolt", **more: object) -> str:
    return fact("action_taken", combatant=who, action={"kind": "cast", "name": name, "targets": targets}, **more)


def rolls_at(who: str, target: str, *, hits: bool = True, **more: object) -> str:
    return fact("attack_rolled", combatant=who, target=target, hit=hits, **more)


def found(*facts: str, together: bool = False) -> Occurrence[Any]:
    """Return the last fact of a turn of Ana's, as the replay has it; the facts of the turn are appended one by one, or together."""
    lines = records(*THREE, *facts)
    if together:
        lines = [
            structs.replace(line, batch=(line.seq - LAST + 1, len(facts))) if line.seq >= LAST else line
            for line in lines
        ]
    return replay(lines).state.moments[len(lines)]


def cause(*facts: str, together: bool = False) -> int:
    """Return the cause of the last fact, counted from the first fact of the turn as 1; 0 if none is certain."""
    seq = found(*facts, together=together).cause
    return seq - LAST + 1 if seq else 0


def test_damage_without_a_source_has_a_cause_only_right_behind_it() -> None:
    blow = (attack("ana", "bo"), rolls_at("ana", "bo"))
    assert cause(*blow, hit("bo", 3), together=True) == 2
    assert cause(*blow, hit("bo", 3)) == 0
    assert cause(*blow, fact("noted", text="the ceiling creaks"), hit("bo", 3), together=True) == 0


def test_an_effect_without_source_comes_of_the_act_of_its_name_before_it() -> None:
    fuse = fact("effect_started", effect="fuse")
    twice = (cast("ana", name="fuse"), cast("cy", name="fuse"))
    assert cause(*twice, fuse, together=True) == 2
    assert cause(*twice, fuse) == 0
    assert cause(twice[0], cast("cy", name="flash"), fuse, together=True) == 0
    assert cause(*twice, fact("effect_started", effect="fuse", source="ana"), together=True) == 1
    assert cause(*twice, fact("effect_started", effect="fuse", source="bo"), together=True) == 0
    saves = [fact("save_rolled", combatant=who, die=4, cause=LAST) for who in ("bo", "cy")]
    assert cause(cast("ana", "bo", "cy", name="fuse"), *saves, fuse, together=True) == 1


def test_an_attack_roll_without_a_target_is_at_those_of_its_act() -> None:
    bare = fact("attack_rolled", combatant="ana", hit=True, cause=LAST)
    hurt = fact("damage_dealt", target="bo", amount=3, source="ana")
    assert cause(attack("ana", "bo"), bare, hurt) == 2
    answered = attack("bo", "ana", name="riposte", trigger=LAST)
    shaken = fact("effect_started", effect="riposte", targets=["ana"])
    assert cause(attack("ana", "bo"), bare, answered, shaken, together=True) == 3


def test_a_charge_brings_nothing_about_once_its_attack_was_made() -> None:
    def charge(who: str) -> str:
        return fact("action_taken", combatant=who, action={"kind": "charge", "targets": ["bo"]})

    hurt = fact("damage_dealt", target="bo", amount=3, source="ana")
    assert cause(charge("ana"), hurt) == 1
    assert cause(charge("ana"), attack("ana", "bo"), hurt) == 2
    assert cause(charge("ana"), attack("cy", "bo"), hurt) == 1
    draws = fact("action_taken", combatant="ana", action={"kind": "draw", "name": "knife"})
    assert cause(charge("ana"), draws, hurt) == 1


def test_an_effect_comes_of_a_spell_that_was_countered_in_vain() -> None:
    shield = fact("effect_started", effect="bolt", targets=["bo"])

    def counters(trigger: int) -> str:
        return fact(
            "action_taken", combatant="bo", action={"kind": "cast", "name": "counterspell"}, trigger=LAST + trigger
        )

    assert cause(cast("ana", "bo"), shield, together=True) == 1
    assert cause(cast("ana", "bo"), counters(0), counters(1), shield, together=True) == 1
    assert cause(cast("ana", "bo"), cast("ana", "bo", trigger=LAST + 1), shield, together=True) == 2
    assert cause(cast("ana", "bo"), cast("ana", "bo", trigger=LAST + 2), shield, together=True) == 2
    assert cause(cast("ana", "bo"), cast("ana", "bo", trigger=1), shield, together=True) == 2


def test_an_effect_without_source_comes_of_the_roll_at_its_target() -> None:
    blow, (at_bo, at_cy) = attack("ana", "bo", "cy"), (rolls_at("ana", who, cause=LAST) for who in ("bo", "cy"))
    venom = fact("effect_started", effect="venom", targets=["bo"])
    assert cause(blow, at_bo, at_cy, venom, together=True) == 2
    assert cause(blow, at_bo, at_bo, venom, together=True) == 3
    twice = found(blow, at_bo, at_bo, at_cy, venom, together=True)
    assert (twice.cause, twice.doubtful) == (0, LAST + 2)


def test_nobody_is_hurt_or_healed_by_movement() -> None:
    flees = fact("action_taken", combatant="cy", action={"kind": "flee", "targets": ["bo"]})
    assert cause(flees, rolls_at("ana", "bo"), hit("bo", 3), together=True) == 2
    assert not found(flees, hit("bo", 3)).doubtful
    assert cause(flees, fact("condition_gained", condition="shaken", targets=["bo"], source="cy")) == 1


def contest(*who: str, **more: object) -> str:
    return fact("contest_rolled", contenders=[{"combatant": each, "die": 9} for each in who], **more)


def test_a_contest_belongs_to_an_act_of_one_roller_at_another() -> None:
    trip = fact("action_taken", combatant="ana", action={"kind": "trip", "name": "sweep", "targets": ["bo"]})
    assert [cause(trip, contest(*those)) for those in (("ana", "bo"), ("ana", "cy"), ("bo", "cy"))] == [1, 0, 0]
    assert [cause(trip, contest("ana", "bo", about=about)) for about in ("trip", "Sweep", "grapple")] == [1, 1, 0]
    assert cause(trip, rolls_at("ana", "bo", cause=-1), contest("ana", "bo", about="trip")) == 2


def test_a_roll_right_behind_one_of_an_act_belongs_to_that_act() -> None:
    parry = fact("action_taken", combatant="ana", action={"kind": "other", "name": "parry"})
    told = (attack("ana", "bo", "cy"), parry, rolls_at("ana", "bo", cause=LAST), rolls_at("ana", "cy"))
    assert (cause(*told, together=True), cause(*told)) == (1, 0)


def test_an_act_at_several_has_a_roll_at_each() -> None:
    blow = (attack("ana", "bo", "cy"), rolls_at("ana", "bo"))
    assert [cause(*blow, rolls_at("ana", who)) for who in ("cy", "bo")] == [1, 0]
    anybody = (attack("ana"), fact("attack_rolled", combatant="ana", hit=True))
    assert cause(*anybody) == 1
    assert cause(*anybody, fact("attack_rolled", combatant="ana", hit=True)) == 0


@pytest.mark.parametrize(("said", "found"), [
    ({"hit": True, "total": 9, "ac": 15}, 2), ({"total": 15, "ac": 15}, 2), ({"total": 9}, 2), ({"ac": 15}, 2), ({"total": 14, "ac": 15}, 0),
    ({"hit": False}, 0), ({"foiled": True}, 0),
])  # fmt: skip
def test_a_roll_brings_about_damage_unless_it_says_that_it_misses(said: dict[str, Any], found: int) -> None:
    roll = fact("attack_rolled", combatant="ana", target="bo", **said)
    assert cause(attack("ana", "bo"), roll, hit("bo", 3, source="ana")) == found


@for_each(("act", "roll", "found"), [
    ({"kind": "attack"}, {"target": "bo"}, 1),
    ({"kind": "attack", "targets": ["bo"]}, {}, 1),
    ({"kind": "attack", "targets": ["bo"]}, {"target": "cy"}, 0),
    ({"kind": "cast", "name": "ray", "targets": ["bo"]}, {"target": "bo"}, 1),
    ({"kind": "cast", "name": "ray", "targets": ["bo"]}, {}, 0),
    ({"kind": "cast", "name": "ray"}, {"target": "bo", "name": "Ray"}, 1),
    ({"kind": "cast", "name": "ray"}, {"target": "bo", "name": "axe"}, 0),
    ({"kind": "cast", "name": "ray"}, {"target": "bo"}, 0),
    ({"kind": "cast"}, {"target": "bo", "name": "axe"}, 0),
    ({"kind": "attack", "targets": ["bo"]}, {"target": "bo", "name": "bow"}, 1),
])  # fmt: skip
def test_a_roll_belongs_to_an_act_at_its_target_or_of_its_name(
    act: dict[str, Any], roll: dict[str, Any], found: int
) -> None:
    assert (
        cause(fact("action_taken", combatant="ana", action=act), fact("attack_rolled", combatant="ana", **roll))
        == found
    )


def test_an_effect_may_be_of_an_act_with_another_name_at_its_target() -> None:
    gulps = {"kind": "other", "name": "gulps"}
    giddy = bears("giddy", "bo", source="ana")
    assert found(cast("ana", "bo", name="haze"), giddy).doubtful == LAST
    assert found(cast("ana", name="haze"), giddy).doubtful == 0
    assert found(fact("action_taken", combatant="ana", action=gulps), giddy).doubtful == LAST
    assert found(fact("action_taken", combatant="ana", action=gulps, segment=4), giddy).doubtful == 0


def test_a_roll_that_may_be_of_an_act_leaves_open_what_the_act_did() -> None:
    parry = fact("action_taken", combatant="ana", action={"kind": "other", "name": "parry"})
    missed = rolls_at("ana", "bo", hits=False)
    assert cause(attack("ana", "bo"), parry, missed, hit("bo", 3, source="ana")) == 0
    assert cause(missed, attack("ana", "bo"), hit("bo", 3, source="ana")) == 0
    assert cause(rolls_at("ana", "cy", hits=False), attack("ana", "bo"), hit("bo", 3, source="ana")) == 2
    assert cause(rolls_at("cy", "bo", hits=False), attack("ana", "bo"), hit("bo", 3, source="ana")) == 2


def test_what_failed_brings_about_nothing() -> None:
    falls = fact("condition_gained", condition="prone", targets=["bo"], source="ana")
    assert cause(cast("ana", "bo", succeeded=False), hit("bo", 3, source="ana")) == 0
    assert cause(cast("ana", "bo", succeeded=True), hit("bo", 3, source="ana")) == 1
    trip = fact("action_taken", combatant="ana", action={"kind": "trip", "targets": ["bo"]})
    for lost, found in (({"winner": "bo"}, 0), ({"winner": "ana"}, 2), ({}, 2)):
        assert cause(trip, contest("ana", "bo", cause=-1, **lost), falls) == found
    for totals, found in (((9, 15), 0), ((15, 9), 2), ((9, 9), 2), ((9, None), 2), ((9, 15, None), 2), ((9,), 1)):
        rolls = [
            {"combatant": who, **({} if total is None else {"total": total})}
            for who, total in zip(("ana", "bo", "cy"), totals, strict=False)
        ]
        assert cause(trip, fact("contest_rolled", contenders=rolls, cause=-1), falls) == found
    level = [{"combatant": who, "total": 9} for who in ("bo", "ana")]
    assert cause(trip, fact("contest_rolled", contenders=level, cause=-1), falls) == 2


@pytest.mark.parametrize("kind", ["talk", "speak"])
def test_words_bring_about_nothing(kind: str) -> None:
    says = fact("action_taken", combatant="ana", action={"kind": kind, "targets": ["bo"]})
    outcomes = (hit("bo", 3, source="ana"), heal("bo", 3, source="ana"), rolls_at("ana", "bo"), contest("ana", "bo"))
    assert [cause(says, each) for each in outcomes] == [0, 0, 0, 0]
    assert cause(says, fact("dice_rolled", combatant="ana"), together=True) == 0


def test_a_roll_with_another_weapon_is_not_that_of_an_act() -> None:
    rolls = [rolls_at("ana", "bo", name=name) for name in ("Sword", "bow")]
    assert [cause(attack("ana", "bo"), each) for each in rolls] == [1, 0]


def test_an_effect_that_still_runs_may_have_done_what_an_act_could() -> None:
    before = (joins("ana"), joins("bo"), joins("cy"), turn("bo"))
    acid = (bears("acid", "bo", source="ana"), bears("acid", "cy", source="ana"), bears("mist", "bo", source="cy"))
    for borne in (acid[0], bears("acid", "bo")):
        for done in (hit("bo", 3, source="ana"), heal("bo", 3, source="ana")):
            log = records(*before, borne, turn("ana"), cast("ana", "bo"), done)
            assert replay(log).state.moments[len(log)].cause == 0
    elsewhere = (bears("mist", "cy"), bears("mist", "bo", source="cy"))
    log = records(*before, *elsewhere, turn("ana"), cast("ana", "bo"), hit("bo", 3, source="ana"))
    assert replay(log).state.moments[len(log)].cause == len(log) - 1
    for borne in (*acid[1:], bears("acid", "bo", cause=2)):
        log = records(*before, borne, turn("ana"), cast("ana", "bo"), hit("bo", 3, source="ana"))
        assert replay(log).state.moments[len(log)].cause == len(log) - 1


def test_nothing_from_before_a_stretch_of_time_is_an_implied_cause() -> None:
    day = fact("time_passed", time={"amount": 1, "unit": "day"})
    assert cause(attack("ana", "bo"), rolls_at("ana", "bo"), day, hit("bo", 3, source="ana")) == 0


def test_dice_and_saves_for_a_purpose_of_their_own_belong_to_nothing() -> None:
    looks = fact("dice_rolled", purpose="perception", combatant="ana")
    assert cause(attack("ana", "bo"), looks, together=True) == 0
    assert cause(attack("ana", "bo", name="Perception"), looks, together=True) == 1
    falls = fact("condition_gained", condition="prone", targets=["ana"])
    assert cause(looks, falls, together=True) == 0
    assert cause(fact("dice_rolled", combatant="ana"), falls, together=True) == 1
    dies = fact("save_rolled", combatant="ana", purpose="death")
    assert cause(dies, fact("effect_ended", effect="bless", targets=["ana"]), together=True) == 0
    assert (
        cause(
            fact("save_rolled", combatant="ana"), fact("effect_ended", effect="bless", targets=["ana"]), together=True
        )
        == 1
    )
    venom = (attack("bo", "ana"), fact("save_rolled", combatant="ana", purpose="venom", cause=-1))
    assert cause(*venom, hit("ana", 2, source="bo")) == 2
    aid = fact("action_taken", combatant="ana", action={"kind": "aid", "targets": ["ana"]})
    for succeeded, healed, fell in ((False, 0, 2), (True, 2, 2)):
        check = fact("dice_rolled", combatant="ana", purpose="first aid", succeeded=succeeded, cause=-1)
        assert cause(aid, check, heal("ana", 3, source="ana")) == healed
        assert cause(aid, check, fact("condition_gained", condition="prone", targets=["ana"], source="ana")) == fell


def test_of_two_rolls_of_an_act_the_one_without_damage_has_it() -> None:
    rolls = (rolls_at("ana", "bo", cause=LAST), rolls_at("ana", "bo", cause=LAST))
    told = (attack("ana", "bo"), *rolls, hit("bo", 3, cause=LAST + 1))
    assert cause(*told, hit("bo", 2, source="ana")) == 3


def test_an_act_is_over_only_if_it_or_what_has_its_name_was_given_up() -> None:
    gives_up = [fact("action_abandoned", combatant="ana", **name) for name in ({}, {"name": "bolt"}, {"name": "web"})]
    assert [cause(cast("ana", "bo"), each, hit("bo", 1, source="ana")) for each in gives_up] == [0, 0, 1]
    assert cause(attack("bo", "ana"), gives_up[0], hit("ana", 1, source="bo")) == 1
    haze = bears("haze", "bo", source="ana")
    ends = [
        fact("effect_ended", effect=name, targets=["bo"], **source)
        for name, source in (("haze", {}), ("mist", {}), ("haze", {"source": "cy"}), ("haze", {"source": "ana"}))
    ]
    assert [cause(haze, each, hit("bo", 1, source="ana")) for each in ends] == [0, 1, 1, 0]
    assert cause(cast("ana", "bo"), gives_up[0], ends[1], hit("bo", 1, source="ana")) == 0


def test_an_effect_is_over_on_those_on_whom_it_ended() -> None:
    both = (bears("haze", "bo", source="ana"), bears("haze", "cy", source="ana"))
    on_bo, everywhere = (fact("effect_ended", effect="haze", targets=those) for those in (["bo"], []))
    assert cause(*both, on_bo, hit("cy", 1, source="ana")) == 2
    assert cause(*both, everywhere, hit("cy", 1, source="ana")) == 0


def test_what_was_struck_before_a_fact_was_recorded_is_not_its_cause() -> None:
    blow, hurt = attack("ana", "bo"), hit("bo", 3, source="ana")
    assert cause(blow, strike(LAST), hurt) == 0
    assert replay(records(*THREE, blow, hurt, strike(LAST))).state.moments[LAST + 1].cause == LAST


def test_a_hit_brings_about_further_damage_only_in_the_same_append() -> None:
    blow = (attack("ana", "bo"), rolls_at("ana", "bo"), hit("bo", 3, source="ana"))
    assert cause(*blow, hit("bo", 2, source="ana"), together=True) == 2
    assert cause(*blow, hit("bo", 2, source="ana")) == 0


def test_two_that_fit_are_doubtful_and_none_is_the_cause() -> None:
    twice = found(attack("ana", "bo"), attack("ana", "bo"), hit("bo", 3, source="ana"))
    assert (twice.cause, twice.implied, twice.doubtful) == (0, False, LAST + 1)


def test_what_happens_elsewhen_is_an_implied_cause_only_if_it_gives_that() -> None:
    assert cause(attack("ana", "bo", segment=4), hit("bo", 1, source="ana")) == 1
    assert cause(attack("ana", "bo", segment=4), hit("bo", 1, source="ana", segment=5)) == 0


def test_what_happens_after_the_clock_moved_on_comes_of_no_act_from_before() -> None:
    later = fact("segment_reached", segment=6)
    assert cause(later, attack("ana", "bo", segment=7), hit("bo", 1, source="ana")) == 2
    for act in (attack("ana", "bo"), attack("ana", "bo", segment=4)):
        assert cause(act, later, hit("bo", 1, source="ana")) == 0
        assert not found(act, later, hit("bo", 1, source="ana")).doubtful


def test_a_roll_that_confirms_is_no_cause_of_its_own() -> None:
    confirmed = (attack("ana", "bo"), rolls_at("ana", "bo"), rolls_at("ana", "bo", confirms=-1))
    assert cause(*confirmed, hit("bo", 5, source="ana")) == 2


def test_under_a_change_stand_only_the_rolls_that_led_to_it() -> None:
    storm = (
        cast("ana", "bo", "cy"),
        fact("save_rolled", combatant="bo", cause=-1),
        fact("save_rolled", combatant="cy", cause=-2),
    )
    missed = rolls_at("ana", "bo", hits=False, cause=LAST)
    told, _ = find_touches(records(*THREE, *storm, missed, hit("bo", 4, cause=LAST)), "bo.hp")
    assert told is not None
    assert [each.seq for each in told.touches[-1].causes] == [LAST, LAST + 1]


def test_blame_says_that_a_cause_is_implied_or_that_none_was_recorded() -> None:
    told, _ = find_touches(
        records(*THREE, attack("ana", "bo"), rolls_at("ana", "bo"), hit("bo", 3, source="ana"), hit("bo", 1)), "bo.hp"
    )
    assert told is not None
    assert [(each.implied, each.uncaused) for each in told.touches[-2:]] == [(True, False), (False, True)]


@pytest.mark.slow
@pytest.mark.parametrize("key", keys())
def test_no_cause_that_was_taken_away_is_replaced_by_a_false_one(key: str, whole: bool) -> None:
    logs = causes.logs(key) if whole else (("", play.title, records_of(play)) for play in encounters(key))
    found = [
        (name, fact.seq)
        for _, name, log in logs
        for verdict, fact, _ in causes.verdicts(log)
        if verdict == causes.FALSE
    ]
    assert found == []


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_lawful_fights_that_lost_their_causes_are_accused_of_nothing(key: str) -> None:
    assert [
        each for seed in range(3) for every in (False, True) for each in causes.accused(key, seed, every=every)
    ] == []


@pytest.mark.in_turn(4)
@pytest.mark.slow
@pytest.mark.parametrize("number", [273, 517, 792, 956, 1116])
def test_in_these_fights_nothing_is_certain_that_accuses_somebody(number: int) -> None:
    assert [each for every in (False, True) for each in causes.accused("definition-master", number, every=every)] == []


def test_of_two_hits_of_an_act_none_stands_under_damage_that_names_neither() -> None:
    hits = (rolls_at("ana", "bo", cause=LAST), rolls_at("ana", "bo", cause=LAST))
    for said, found in ((hits, [LAST]), (hits[:1], [LAST, LAST + 1])):
        told, _ = find_touches(records(*THREE, attack("ana", "bo"), *said, hit("bo", 4, cause=LAST)), "bo.hp")
        assert told is not None
        assert [each.seq for each in told.touches[-1].causes] == found


def test_an_effect_on_somebody_else_than_its_act_was_at_comes_of_another() -> None:
    assert cause(cast("ana", "cy", name="haze"), bears("haze", "bo", source="ana")) == 0


def test_a_miss_of_another_act_leaves_nothing_open() -> None:
    missed = (attack("ana", "bo"), rolls_at("ana", "bo", hits=False, cause=-1))
    assert cause(*missed, cast("ana", "bo"), hit("bo", 3, source="ana")) == 3


def test_healing_comes_of_no_attack_but_of_an_act_on_oneself() -> None:
    assert cause(attack("ana", "bo"), heal("bo", 3, source="ana")) == 0
    drink = fact("action_taken", combatant="ana", action={"kind": "other", "name": "drinks"})
    assert cause(drink, heal("ana", 3, source="ana")) == 1
    assert cause(drink, hit("ana", 3, source="ana")) == 0
