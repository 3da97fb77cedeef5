"""Vile Darkness beside its rulebook: what the places of the order say, and reasons that rest on a joining alone."""

import pytest

from projections.folds.addresses import value_of
from projections.folds.order import order_of
from projections.folds.replay import replay
from projections.proving.proof import records_of
from projections.state import State
from projections.views.strip import strip
from tests.projections.logs import fact, override, records
from tests.projections.stage import Script
from tests.projections.test_steps import changes

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


def fought(*facts: str) -> State:
    return replay(records(*FIGHT, *facts, ruleset="vile-darkness")).state


def test_the_place_of_a_spell_says_its_segment_and_no_other_place_does() -> None:
    assert [(slot.phase, slot.segment) for slot in order_of(fought())] == [("L.D3", None), ("E", 3)]


def test_why_somebody_concentrates_on_nothing_rests_on_its_joining_once_the_round_is_over() -> None:
    found = value_of(fought(HURT, fact("round_ended", round=1)), "cleo.concentration")
    assert found is not None
    assert found.value == "none"
    assert 2 in found.because.events


def test_that_somebody_is_in_no_melee_cites_the_ruling_that_says_so_though_it_was_in_none_before() -> None:
    found = value_of(fought(override(cleo__melee="none")), "cleo.melee")
    assert found is not None
    assert (found.value, 8 in found.because.events) == ([], True)


@pytest.mark.parametrize("source", ["order.enc", "delays.enc", "routines.enc", "complex.enc"])
def test_the_order_kept_from_fact_to_fact_is_that_of_all_at_once(source: str) -> None:
    for play in Script("vile-darkness", source):
        told = records_of(play)
        assert changes(told, thoroughly=False) == changes(told, thoroughly=True), play.title


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
