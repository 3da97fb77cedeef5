"""Vile Darkness beside its rulebook: what the places of the order say, and reasons that rest on a joining alone."""

from typing import Any

import pytest

from eventstore.events import ActionTaken, AttackRolled, EffectStarted, name_of
from eventstore.shapes import Action
from projections.folds.addresses import value_of
from projections.folds.order import OrderKept, names_in_order, order_of
from projections.judging.audit import audit
from projections.occurrence import Occurrence
from projections.proving.proof import records_of
from projections.replay.replay import replay
from projections.rulesets.vile_darkness.addresses import entries
from projections.rulesets.vile_darkness.attack import is_idle
from projections.rulesets.vile_darkness.reading import Reading, act_behind
from projections.rulesets.vile_darkness.state import Melee, Rounds
from projections.rulesets.vile_darkness.works import under_way
from projections.state import State
from projections.time import Point
from projections.views.strip import strip
from projections.views.view import show
from tests.causes import accused
from tests.projections.changes import changes
from tests.projections.logs import fact, joins, override, records, round_
from tests.projections.stage import Script

FIGHT = (
    fact(
        "combatant_joined",
        combatant="cleo",
        side="heroes",
        sheet={"hp": 9, "entries": [{"name": "spark", "kind": "incantation", "time": 3}]},
    ),
    fact("combatant_joined", combatant="ulf", side="orcs", sheet={"hp": 9}),
    fact("round_started", round=1),
    fact("action_declared", combatant="cleo", action={"kind": "incantation", "name": "spark"}),
    fact("initiative_rolled", side="heroes", die=5),
    fact("initiative_rolled", side="orcs", die=2),
)
HURT = fact("damage_dealt", target="cleo", amount=2)


def fought(*facts: str) -> Any:
    return replay(records(*FIGHT, *facts, ruleset="vile-darkness")).state


def test_the_place_of_a_spell_says_its_segment_and_no_other_place_does() -> None:
    assert [(slot.phase, slot.segment) for slot in order_of(fought())] == [("L.D3", None), ("E", 3)]


def test_why_somebody_concentrates_on_nothing_rests_on_its_joining_once_the_round_is_over() -> None:
    found = value_of(fought(HURT, fact("round_ended", round=1)), "cleo.concentration")
    assert found is not None
    assert found.value == "none"
    assert 2 in found.because.events


def test_a_spell_given_up_before_the_dice_is_a_reason_after_a_late_declaration_too() -> None:
    given_up = fact("action_abandoned", combatant="cleo", name="spark")
    late = fact("action_declared", combatant="cleo", action={"kind": "attack", "name": "dagger"})
    found = value_of(
        replay(records(*FIGHT[:4], given_up, *FIGHT[4:], late, ruleset="vile-darkness")).state, "cleo.casting"
    )
    assert found is not None
    assert (found.value, 6 in found.because.events) == ("none", True)


LATER = (fact("round_ended", round=1), fact("round_started", round=2))


@pytest.mark.parametrize(("between", "cited"), [((), True), (LATER, False)])
def test_that_a_wound_ends_what_was_begun_in_no_slot_rests_on_the_phase_only_in_the_same_round(
    between: tuple[str, ...], *, cited: bool
) -> None:
    haze = fact("effect_started", effect="haze", source="cleo", concentration=True)
    log = records(
        *FIGHT[:3], haze, *between, *FIGHT[4:], fact("phase_reached", phase="L.D2"), HURT, ruleset="vile-darkness"
    )
    found = value_of(replay(log).state, "cleo.concentration")
    assert found is not None
    assert (found.value, len(log) - 1 in found.because.events) == ("none", cited)


STRIKES = [
    fact("action_taken", combatant="ulf", action={"kind": "attack", "name": name, "targets": [who], "routine": 1})
    for name, who in (("claw", "cleo"), ("bite", "bo"))
]


def test_one_routine_against_two_cites_each_of_its_acts() -> None:
    roll = fact("attack_rolled", combatant="ulf", name="bite", die=2, hit=False, cause=-1)
    lines = (joins("bo", side="heroes"), fact("phase_reached", phase="L.D3"), *STRIKES, roll)
    found = audit(records(*FIGHT, *lines, ruleset="vile-darkness")).findings
    assert [one.because for one in found if one.rule == "routine.single-target"] == [(10, 11, 12)]


def test_that_somebody_is_in_no_melee_cites_the_ruling_that_says_so_though_it_was_in_none_before() -> None:
    found = value_of(fought(override(cleo__melee="none")), "cleo.melee")
    assert found is not None
    assert (found.value, 8 in found.because.events) == ([], True)


@pytest.mark.in_turn(4)
@pytest.mark.slow
@pytest.mark.parametrize("source", ["order.enc", "delays.enc", "routines.enc", "complex.enc"])
def test_the_order_kept_from_fact_to_fact_is_that_of_all_at_once(source: str) -> None:
    for play in Script("vile-darkness", source):
        told = records_of(play)
        assert changes(told, thoroughly=False) == changes(told, thoroughly=True), play.title


ALIKE = (joins("ana", 9, "heroes"), joins("bo", 8, "orcs", routines=2), joins("cy", 8, "orcs", routines=2))
NEAR = (fact("placed", combatant="ana", engaged=["cy"]), fact("placed", combatant="bo"))
DICE = (fact("initiative_rolled", side="heroes", die=5), fact("initiative_rolled", side="orcs", die=2))
SINGLE = (joins("ana", 9, "heroes"), joins("bo", 8, "orcs"), joins("cy", 8, "orcs"))


@pytest.mark.parametrize(
    "told",
    [(*ALIKE, round_(1), *NEAR, *DICE), (*SINGLE, round_(1), *DICE, override(cy__group="HIGH"))],
    ids=["one of two alike is in melee", "the half is ruled for one of two alike"],
)
def test_who_is_like_another_has_a_place_of_its_own_where_melee_or_a_ruling_tells_them_apart(
    told: tuple[str, ...],
) -> None:
    kept, found = OrderKept(), list[tuple[list[list[str]], list[list[str]]]]()

    def look(state: State, _fact: Any) -> None:
        found.append((kept.names(state, state.combatants), names_in_order(state)))

    replay(records(*told, ruleset="vile-darkness"), after=look)
    assert [one for one, _ in found] == [other for _, other in found]
    assert not any({"bo", "cy"} <= {*group} for group in found[-1][1])


def test_the_strip_shows_when_a_casting_was_broken_off_and_in_which_slot() -> None:
    in_segment = fought(fact("phase_reached", phase="L.D2"), fact("damage_dealt", target="cleo", amount=2, segment=2))
    in_slot = fought(fact("phase_reached", phase="L.D2"), HURT)
    assert _casting(in_segment) == (("C", "X", "e", "."), ("incantation spark spoiled in L.D2 at 2",))
    assert _casting(in_slot) == (("C", "C", "X", "."), ("incantation spark spoiled in L.D2",))


def test_the_strip_shows_when_a_casting_was_broken_by_a_spell_that_came_before() -> None:
    bolt = {"hp": 9, "entries": [{"name": "bolt", "kind": "incantation", "time": 2}]}
    joined = (fact("combatant_joined", combatant="urk", side="orcs", sheet=bolt), *FIGHT)
    said = fact("action_declared", combatant="urk", action={"kind": "incantation", "name": "bolt"})
    struck = fact("effect_started", effect="bolt", source="urk", targets=["cleo"])
    hurt = fact("damage_dealt", target="cleo", amount=2, cause=-1)
    facts = (*joined, said, fact("phase_reached", phase="E"), struck, hurt)
    state = replay(records(*facts, ruleset="vile-darkness")).state
    assert _casting(state) == (("C", "X", "e", "."), ("incantation spark spoiled in E at 2",))


def _casting(state: State) -> tuple[tuple[str, ...], tuple[str, ...]]:
    drawn = strip(state)
    assert drawn is not None
    row = next(each for each in drawn.rows if each.combatant == "cleo")
    return row.cells[:4], row.notes


def test_the_only_group_of_a_round_is_in_high_whatever_its_die_shows() -> None:
    alone = (fact("combatant_joined", combatant="ulf", side="orcs", sheet={"hp": 9}), fact("round_started", round=1))
    for added in (0, -9):
        rolled = fact("initiative_rolled", side="orcs", die=6)
        slowed = fact(
            "ruling_made",
            ruling="grant",
            decision="mud",
            modifiers=[{"name": "mud", "to": "initiative", "amount": added}],
        )
        found = value_of(replay(records(*alone, slowed, rolled, ruleset="vile-darkness")).state, "ulf.group")
        assert found is not None
        assert found.value == "HIGH"


LOCK = {"kind": "complex", "name": "pick the lock"}
OPEN = (joins("eli", 9, "heroes"), joins("ulf", 9, "orcs"), round_(1))  # to record 4
DECLARED = fact("action_declared", combatant="eli", action=LOCK)
NEXT = (fact("round_ended", round=1), round_(2))


def test_complex_work_that_was_declared_and_not_done_is_no_reason_in_the_next_round() -> None:
    found = value_of(fought_by(*OPEN, DECLARED, *DICE, *NEXT), "eli.slot")
    assert found is not None
    assert (found.value, found.because.events) == ("none", (2, 9))


def test_complex_work_that_nobody_declared_stays_a_reason_until_it_is_done() -> None:
    works_ = (fact("phase_reached", phase="GL"), fact("action_taken", combatant="eli", action=LOCK))
    state = fought_by(*OPEN, *DICE, *works_, *NEXT)
    assert 8 in under_way(state, state.works_of["eli"]).because.flat().events


def test_the_row_of_a_broken_casting_cites_what_set_the_clock_to_the_segment_of_the_wound() -> None:
    segment = (fact("phase_reached", phase="E"), fact("segment_reached", segment=2))  # records 8 and 9
    (row,) = (each for each in entries(fought(*segment, HURT)) if each.combatant == "cleo")
    assert row.because.flat().events == (5, 9, 10)


def test_whoever_works_at_a_lock_is_shown_to_cast_nothing() -> None:
    for kind, cast in (("complex", None), ("incantation", "lock")):
        state = fought_by(*OPEN, fact("action_declared", combatant="eli", action={"kind": kind, "name": "lock"}), *DICE)
        assert under_way(state, state.works_of["eli"]).value
        casting = show(state).combatants["eli"].casting
        assert (casting and casting.name) == cast


def test_nobody_who_is_not_in_the_fight_acts() -> None:
    told = ActionTaken(combatant="ghost", action=Action(kind="attack"))
    assert Reading(fought(), Occurrence(9, 9, told)).act is None


def fought_by(*facts: str) -> Any:
    return replay(records(*facts, ruleset="vile-darkness")).state


def test_before_the_first_round_nobody_has_a_slot_though_a_multi_attacker_stands_in_melee() -> None:
    found = value_of(fought_by(*ALIKE, NEAR[0]), "bo.slot"), value_of(fought_by(*ALIKE, NEAR[0]), "cy.slot")
    assert [one and one.value for one in found] == ["none", "none"]


def test_a_blow_without_a_speed_counts_0_where_no_other_has_one() -> None:
    assert [slot.key["speed"] for slot in order_of(fought())] == [0, 0]


@pytest.mark.parametrize("later", [(), (round_(2),)])
def test_what_is_begun_between_rounds_rests_on_the_end_of_the_last_one(later: tuple[str, ...]) -> None:
    spell = {"kind": "incantation", "name": "spark"}
    told = (*FIGHT[:3], fact("round_ended", round=1), fact("action_declared", combatant="cleo", action=spell))
    found = value_of(fought_by(*told, *later), "cleo.concentration")
    assert found is not None
    assert (found.value, 5 in found.because.events) == ("spark", True)


def test_a_place_of_the_order_rests_on_values_and_cites_no_record_by_itself() -> None:
    state = fought(fact("action_taken", combatant="ulf", action={"kind": "attack", "targets": ["cleo"]}))
    assert len(order_of(state)) > 1
    assert [slot.because.own().events for slot in order_of(state)] == [()] * len(order_of(state))
    assert state.rules.schedule.absent(state).own().events == ()


PLACED_IN_WALLS = "combatant_joined placed placed terrain_set terrain_set action_taken"
SHUT_IN = "combatant_joined placed placed terrain_set terrain_set moved action_taken"


@pytest.mark.parametrize(
    ("source", "rule", "because"),
    [
        ("r09-space", "weapon.open-square", PLACED_IN_WALLS),
        ("r25-narrow-and-shared-squares", "weapon.open-square", SHUT_IN),
        ("r13-half-work-and-whole-moves", "movement.positioning-not-in-melee", "placed placed round_started moved"),
        ("r09-space", "grid.distance-between-centers", "combatant_joined placed placed effect_started"),
        (
            "r29-ways-of-all-kinds",
            "grid.distance-between-centers",
            "combatant_joined moved moved action_taken attack_rolled",
        ),
    ],
)
def test_a_finding_about_space_cites_what_made_it_so(source: str, rule: str, because: str) -> None:
    (play,) = Script("vile-darkness", f"vile-darkness/{source}.enc")
    told = records_of(play)
    (found,) = (each for each in audit(told).findings if each.rule == rule)
    cited: list[Any] = [type(told[seq - 1].event) for seq in found.because]
    assert " ".join(map(name_of, cited)) == because


def test_a_roll_that_certainly_belongs_to_no_act_puts_nobody_in_melee() -> None:
    told = (joins("ana", 9, "heroes"), joins("bo", 9, "orcs"), round_(1))
    strike = fact("action_taken", combatant="ana", action={"kind": "attack", "name": "axe", "targets": ["bo"]})
    other = fact("action_taken", combatant="ana", action={"kind": "other", "name": "shouts"})
    roll = fact("attack_rolled", combatant="ana", target="bo", die=12)
    state = replay(records(*told, strike, other, roll, ruleset="vile-darkness")).state
    assert state.moments[7].doubtful == 5


def test_when_damage_without_a_cause_broke_a_spell_of_its_segment_is_not_certain() -> None:
    assert [each for every in (False, True) for each in accused("vile-darkness", 87, every=every, apart=True)] == []


# ---------------------------------------------------------------- who is in melee with whom


def test_a_record_puts_both_in_melee_until_something_parts_them() -> None:
    melee = Melee()
    melee.engage("bo", "ana", 3, Rounds(), 1)
    assert melee.foes("ana", 9, 90) == ({"bo": {3}}, set())
    assert melee.foes("bo", 9, 90) == ({"ana": {3}}, set())
    melee.separate("ana", 5)
    assert melee.foes("bo", 9, 90) == ({}, {5})
    assert melee.foes("ana", 9, 90) == ({}, {5})
    assert melee.foes("cy", 9, 90) == ({}, set())


def test_a_blow_says_so_for_its_rounds_alone() -> None:
    melee = Melee()
    melee.engage("ana", "bo", 7, Rounds(2, 2, 4), 1)
    assert melee.foes("ana", 1, 4) == ({}, {4})
    assert melee.foes("ana", 2, 9) == ({"bo": {4, 7, 9}}, set())
    assert melee.foes("ana", 3, 12) == ({}, {12})


def test_what_is_said_twice_is_kept_once_and_what_is_over_is_let_go_of() -> None:
    melee = Melee()
    for _ in range(2):
        melee.engage("ana", "bo", 7, Rounds(2, 2, 4), 1)
    assert melee.bouts == {("ana", "bo"): {(2, 2, 4): {7}}}
    melee.engage("bo", "ana", 9, Rounds(), 2)
    assert melee.bouts == {("ana", "bo"): {(2, 2, 4): {7}, (0, 0, 0): {9}}}
    melee.engage("bo", "ana", 20, Rounds(4, 4, 15), 3)
    assert melee.bouts == {("ana", "bo"): {(0, 0, 0): {9}, (4, 4, 15): {20}}}


def test_a_blow_of_the_first_round_is_let_go_of_like_one_of_a_later_round() -> None:
    melee = Melee()
    melee.engage("ana", "bo", 7, Rounds(1, 1, 4), 1)
    melee.engage("ana", "bo", 9, Rounds(), 2)
    assert melee.bouts == {("ana", "bo"): {(0, 0, 0): {9}}}


def test_somebody_parts_from_all_but_those_named() -> None:
    melee = Melee()
    melee.engage("ana", "bo", 3, Rounds(), 1)
    melee.engage("ana", "cy", 4, Rounds(), 1)
    melee.engage("bo", "cy", 5, Rounds(), 1)
    melee.separate("ana", 6, ("cy",))
    assert melee.foes("ana", 1, 2) == ({"cy": {4}}, {6})
    assert melee.foes("cy", 1, 2) == ({"ana": {4}, "bo": {5}}, set())


def declares(who: str, kind: str, name: str | None = None) -> str:
    return fact("action_declared", combatant=who, action={"kind": kind, "name": name} if name else {"kind": kind})


def gives_up(who: str, name: str) -> str:
    return fact("action_abandoned", combatant=who, name=name)


def reasons_of(address: str, *facts: str) -> tuple[Any, tuple[int, ...]]:
    found = value_of(replay(records(*facts, ruleset="vile-darkness")).state, address)
    assert found is not None
    return found.value, found.because.events


def test_a_delay_that_was_given_up_is_a_reason_of_whom_the_dice_put_in_high_and_of_nobody_in_low() -> None:
    delays = (declares("cleo", "delay"), declares("ulf", "delay"), gives_up("cleo", "delay"), gives_up("ulf", "delay"))
    log = (*FIGHT[:3], *delays, *FIGHT[4:])
    assert reasons_of("cleo.group", *log) == ("HIGH", (2, 7, 9, 10))
    assert reasons_of("ulf.group", *log) == ("LOW", (3, 9, 10))


@pytest.mark.parametrize(("name", "cited"), [("axe", False), ("club", True)])
def test_an_attack_that_was_given_up_is_a_reason_unless_it_is_the_one_expected_without_it(
    name: str, *, cited: bool
) -> None:
    armed = joins("ulf", 9, "orcs", weapons=[{"name": "axe", "speed": 7}, {"name": "club", "speed": 2}])
    log = (FIGHT[0], armed, FIGHT[2], declares("ulf", "attack", name), gives_up("ulf", name), *FIGHT[4:])
    value, events = reasons_of("ulf.slot", *log)
    assert (value, 6 in events) == ("L.D3", cited)


def test_what_somebody_has_left_is_its_major_action_or_what_it_has_memorized() -> None:
    cleo = fact("combatant_joined", combatant="cleo", side="heroes", sheet={"hp": 9, "resources": {"sleep": 2}})
    state = fought_by(cleo, *FIGHT[1:])
    found = [value_of(state, f"cleo.left.{what}") for what in ("major", "sleep")]
    assert [each and each.value for each in found] == [0, 2]


@pytest.mark.parametrize(
    ("roll", "idle"),
    [
        ({"die": 5}, True),
        ({"die": 5, "hit": True}, False),
        ({"die": 20, "hit": False}, False),
        ({}, False),
    ],
)
def test_a_roll_brings_nothing_about_only_if_it_misses_and_nobody_recorded_a_hit(
    roll: dict[str, Any], idle: bool
) -> None:
    rolled = fact("attack_rolled", combatant="cleo", target="ulf", **roll)
    state = fought(fact("phase_reached", phase="L.D3"), rolled)
    assert is_idle(state, Occurrence(9, 9, state.moments[9].event)) is idle


def test_a_walk_in_no_recorded_slot_while_maintaining_is_not_out_of_order() -> None:
    speeds, entry = {"walk": 90}, {"name": "haze", "kind": "incantation", "time": 2, "concentration": True}
    cleo = fact(
        "combatant_joined", combatant="cleo", side="heroes", sheet={"hp": 9, "speeds": speeds, "entries": [entry]}
    )
    begins = (
        fact("phase_reached", phase="E"),
        fact("effect_started", segment=2, effect="haze", source="cleo"),
        *LATER,
        *FIGHT[4:],
    )
    walks = fact("moved", combatant="cleo", distance={"amount": 20, "unit": "ft"}, mode="walk")
    log = (cleo, *FIGHT[1:3], declares("cleo", "incantation", "haze"), *FIGHT[4:], *begins, walks, STRIKES_ULF)
    assert "group.phase-order" not in {each.rule for each in audit(records(*log, ruleset="vile-darkness")).findings}


STRIKES_ULF = fact("action_taken", combatant="cleo", action={"kind": "attack", "name": "sword", "targets": ["ulf"]})
STRIKES_UNNAMED = fact("action_taken", combatant="cleo", action={"kind": "attack", "targets": ["ulf"]})


def test_an_uncertain_roll_belongs_to_no_attack_at_its_place() -> None:
    state = fought(fact("phase_reached", phase="L.D3"), STRIKES_ULF)
    rolled = AttackRolled(combatant="cleo", target="ulf", die=12)
    certain, uncertain = (Occurrence(10, 10, rolled, point=state.moments[9].point, doubtful=each) for each in (0, 9))
    assert [bool(act_behind(state, each, "cleo")) for each in (certain, uncertain)] == [True, False]


@pytest.mark.parametrize(
    ("phase", "attack", "effect", "undeclared"),
    [
        ("L.D3", STRIKES_ULF, {"effect": "spark", "source": "cleo"}, True),
        ("L.D3", STRIKES_UNNAMED, {"effect": "spark", "source": "cleo"}, True),
        ("L.D3", STRIKES_ULF, {"effect": "spark", "source": "cleo", "cause": 9}, False),
        ("L.D3", STRIKES_ULF, {"effect": "sword", "source": "cleo"}, False),
        ("E", STRIKES_ULF, {"effect": "gleam", "source": "cleo"}, False),
        ("E", None, {"effect": "gleam", "source": "cleo"}, True),
        ("E", None, {"effect": "gleam"}, False),
    ],
)
def test_an_effect_is_an_undeclared_spell_unless_it_comes_of_an_attack_or_of_nobody(
    phase: str, attack: str | None, effect: dict[str, Any], undeclared: bool
) -> None:
    entries_ = [{"name": name, "kind": "incantation", "time": 3} for name in ("spark", "sword")]
    cleo = fact("combatant_joined", combatant="cleo", side="heroes", sheet={"hp": 9, "entries": entries_})
    facts = (*FIGHT[1:3], *FIGHT[4:], fact("phase_reached", phase=phase), *([attack] if attack else []))
    state = fought_by(cleo, *facts)
    seq = len(facts) + 3
    started = EffectStarted(targets=("ulf",), **effect)
    point = Point(1, state.clock.point.phase)
    reading = Reading(state, Occurrence(seq, seq, started, point=point, cause=effect.get("cause", 0)))
    assert (reading.act is not None) is undeclared


@pytest.mark.parametrize(("status", "kept"), [("up", "none"), ("out", "haze")])
def test_only_an_ally_who_is_in_the_fight_jostles_a_caster_who_stops_in_its_square(status: str, kept: str) -> None:
    entry = {"name": "haze", "kind": "incantation", "time": 2, "concentration": True}
    log = (
        fact("combatant_joined", combatant="cleo", side="heroes", sheet={"hp": 9, "entries": [entry]}),
        fact("combatant_joined", combatant="bo", side="heroes", sheet={"hp": 9}),
        override(**{"bo.status": status}),
        *(fact("placed", combatant=who, square=(at, 0)) for who, at in (("cleo", 0), ("bo", 2))),
        round_(1),
        fact("effect_started", effect="haze", source="cleo"),
        fact("moved", combatant="cleo", path=[(0, 0), (1, 0), (2, 0)]),
    )
    options = {"squeezing-in": "jostles"}
    found = value_of(replay(records(*log, ruleset="vile-darkness", options=options)).state, "cleo.concentration")
    assert found is not None
    assert found.value == kept
