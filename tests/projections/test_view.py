"""Views: frozen values in the shape of `show --json`."""

import msgspec
import pytest

from projections.folds.addresses import value_of
from projections.judging import audit
from projections.replay.replay import replay
from projections.views import steps, view
from projections.views.view import Show, show
from tests.projections.logs import act, bears, fact, hit, joins, play, records, rolls, round_, strike, turn

FIGHT = (
    joins("ana", 9, "heroes"),  # 2
    joins("bo", 8),  # 3
    rolls("ana", 12),
    round_(1),
    turn("ana"),  # 6
    act("ana", "hex"),  # 7
    bears("Hex", "bo", source="ana", concentration=True, duration={"amount": 1, "unit": "minute"}),
    fact("condition_gained", condition="prone", targets=["bo"]),
    hit("bo", 3),  # 10
    act("ana", "gloat"),  # 11
    strike(11),
)


def test_an_empty_log_can_be_shown() -> None:
    view = show(play())
    assert (view.title, view.seq, view.order, view.timeline, view.combatants) == ("Ford", 1, (), (), {})
    assert view.clock.because.events == (1,)


def test_a_view_is_frozen_and_stays_as_it_was_when_the_fight_goes_on() -> None:
    state = play(*FIGHT)
    view = show(state)
    before = msgspec.json.encode(view)
    with pytest.raises(AttributeError):
        view.seq = 3  # type: ignore[misc]
    state.combatants["bo"].pools["hp"].set_value(1, 9)
    state.combatants["bo"].resources["oil"] = 3
    state.clock.turn = "bo"
    state.options["concentration"] = "any"
    assert msgspec.json.encode(view) == before


def test_every_value_that_leaves_a_fold_is_frozen() -> None:
    leaving = [
        v for m in (view, audit, steps) for v in vars(m).values() if isinstance(v, type) and v.__module__ == m.__name__
    ]
    assert {Show, audit.Finding, steps.Step} <= set(leaving)
    assert all(kind.__struct_config__.frozen for kind in leaving if issubclass(kind, msgspec.Struct))


def test_who_is_due_and_when_effects_end_are_seen_at_a_place_of_their_own() -> None:
    view = show(play(*FIGHT, rolls("bo", 9)))
    assert (view.due.value, view.due.because.events) == (["bo"], (3, 5, 6, 13))
    (hex_,) = view.combatants["bo"].effects
    assert hex_.ends == "bo in round 10"
    assert "due" not in view.values
    assert not any("effects" in field for one in view.combatants.values() for field in one.values)


@pytest.mark.parametrize("ruleset", ["plain", "osric", "nameless-journey", "semiautomagic", "vile-darkness"])
def test_in_a_fight_that_is_over_nobody_is_due_and_no_round_is_open(ruleset: str) -> None:
    told = (joins("ana"), joins("bo"), rolls("ana", 12), rolls("bo", 9), round_(1), turn("ana"))
    over = fact("encounter_closed")
    before, after = (show(replay(records(*facts, ruleset=ruleset)).state) for facts in (told, (*told, over)))
    assert "bo" in before.due.value
    assert any(row.status == "due" for row in before.timeline)
    assert (before.clock.open, after.clock.open, after.closed) == (True, False, 8)
    assert (after.due.value, [row for row in after.timeline if row.status == "due"]) == ([], [])
    assert 8 in after.due.because.events


@pytest.mark.parametrize(("ruleset", "ends"), [
    ("plain", "bo in round 2"), ("osric", "round 3 segment 4"), ("nameless-journey", "ana in round 3"), ("semiautomagic", "ana in round 3"),
    ("vile-darkness", None),
])  # fmt: skip
def test_when_an_effect_ends_is_seen_as_far_as_the_ruleset_counts_it(ruleset: str, ends: str | None) -> None:
    haze = bears("haze", "bo", source="ana", duration={"amount": 2, "unit": "round"}, segment=4)
    told = (joins("ana"), joins("bo"), rolls("ana", 12), round_(1), turn("ana"), haze)
    state = replay(records(*told, ruleset=ruleset)).state
    (one,) = show(state).combatants["bo"].effects
    assert one.ends == ends
    address = value_of(state, "bo.effects.haze.ends")
    assert address is not None
    assert address.value == (ends or "none")
