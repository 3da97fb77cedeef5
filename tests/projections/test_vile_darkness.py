"""Vile Darkness beside its rulebook: what the places of the order say, and reasons that rest on a joining alone."""

from typing import Any

import pytest

from eventstore.events import ActionTaken, EffectStarted, name_of
from eventstore.shapes import Action
from projections.folds.addresses import value_of
from projections.folds.order import OrderKept, names_in_order
from projections.judging.audit import audit
from projections.occurrence import Occurrence
from projections.proving.proof import records_of
from projections.replay.replay import replay
from projections.rulesets.vile_darkness.attack import is_idle
from projections.rulesets.vile_darkness.reading import Reading
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


def fought(*facts: str) -> Any:
    return replay(records(*FIGHT, *facts, ruleset="vile-darkness")).state


LATER = (fact("round_ended", round=1), fact("round_started", round=2))


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


OPEN = (joins("eli", 9, "heroes"), joins("ulf", 9, "orcs"), round_(1))  # to record 4


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


@pytest.mark.parametrize(
    ("roll", "idle"),
    [({"die": 5}, True), ({"die": 5, "hit": True}, False), ({"die": 20, "hit": False}, False), ({}, False)],
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
