"""Leaves: the values that a page shows, from fact to fact the same as those of the whole view."""

from typing import Any

import msgspec
import pytest

from projections.proving.plays import Play
from projections.proving.proof import records_of
from projections.rulesets import find, keys
from projections.state import State
from projections.views.leaves import Leaf, LeavesSeen, combatant_leaves, fight_leaves, order_leaves
from projections.views.steps import Step, steps
from projections.views.view import show
from tests.projections.logs import fact, hit, joins, override, play, records, rolls, round_, turn
from tests.projections.stage import encounters, one_in, stage

KEPT = ("hp", "name", "side", "status", "concentration", "hp_max", "temp", "nld")


def leaves(state: State) -> dict[str, Leaf]:
    """Return all leaves of a state by their addresses."""
    found = dict(fight_leaves(state)) | dict(order_leaves(state))
    for who in state.combatants:
        found |= combatant_leaves(state, who)
    return found


def as_kept(records_: Any) -> tuple[list[str], int]:
    """Walk through a log; return where the kept leaves differ from all of the state, or from the view, and how many steps."""
    kept, wrong, count = LeavesSeen(), list[str](), 0

    def look(step: Step, state: State) -> None:
        nonlocal count
        count += 1
        kept.changed_leaves(step, state)
        now = {address: leaf.value for own in kept.known.values() for address, leaf in own.items()}
        whole = {address: leaf.value for address, leaf in leaves(state).items()}
        odd = sorted(each for each in {*now, *whole} if now.get(each) != whole.get(each))
        wrong.extend(f"{step.fact.seq}: {each}" for each in [*odd, *other_than_the_view(state, now)])

    steps(records_, None, look)
    return wrong, count


def other_than_the_view(state: State, now: dict[str, Any]) -> list[str]:
    """Return the addresses at which leaves and `show --json` differ."""
    view = msgspec.json.decode(msgspec.json.encode(show(state)))
    found = [("due", now["due"], view["due"]["value"])]
    found += [(f"order.{n}", now.get(f"order.{n}"), slot) for n, slot in enumerate(view["order"], 1)]
    wrong = [address for address, mine, yours in found[:1] if list(mine) != yours]
    wrong += [address for address, mine, yours in found[1:] if list(mine["combatants"]) != yours["combatants"]]
    for who, one in view["combatants"].items():
        for field in KEPT:
            mine = now.get(f"{who}.{field}") or None
            same = str(mine).partition("(")[0] == str(one[field]) if field == "status" else mine == (one[field] or None)
            wrong += [] if same else [f"{who}.{field}"]
        wrong += [] if list(now.get(f"{who}.conditions", ())) == one["conditions"] else [f"{who}.conditions"]
        left = {what: value for what, value in one["budget"].items() if value not in (None, (), {}, [])}
        mine = {
            address.partition(".left.")[2]: value
            for address, value in now.items()
            if address.startswith(f"{who}.left.")
        }
        wrong += [] if mine == left else [f"{who}.left"]
    return wrong


@pytest.mark.slow
def test_leaves_kept_from_fact_to_fact_are_those_of_state_and_view(whole: bool, turn: int) -> None:
    fixtures, rulebooks = encounters(), [each for key in keys() for each in stage(find(key))]
    plays: list[Play] = (
        [*fixtures, *rulebooks] if whole else [*one_in(58, fixtures, turn), *one_in(400, rulebooks, turn)]
    )
    done = {each.title: as_kept(records_of(each)) for each in plays}
    assert {title: wrong[:3] for title, (wrong, _) in done.items() if wrong} == {}
    assert all(count > 0 for _, count in done.values())


@pytest.mark.slow
@pytest.mark.parametrize("title", [
    "case attack.one-routine", "case effects.take-hold-at-once", "case initiative.missile-dexterity", "alternative spoil-from round-start",
])  # fmt: skip
def test_who_is_due_is_read_again_after_what_is_an_act_or_spoils_one(title: str) -> None:
    plays = [each for each in stage(find("osric")) if each.title == title]
    assert plays
    assert [wrong for each in plays for wrong in as_kept(records_of(each))[0]] == []


def test_a_leaf_has_the_reason_of_its_value() -> None:
    state = play(joins("ana", 9), hit("ana", 3), hit("ana", 2))
    found = leaves(state)
    assert found["ana.hp"].value == 4
    assert found["ana.hp"].because is not None
    assert state.reason(found["ana.hp"].because).events == (2, 3, 4)
    assert found["ana.name"].because is None


def test_a_leaf_that_is_no_more_is_said_to_be_gone() -> None:
    kept, seen = LeavesSeen(), list[dict[str, Any]]()
    told = (
        joins("ana", 9),
        fact("condition_gained", condition="prone", targets=["ana"]),
        fact("condition_lost", condition="prone", targets=["ana"]),
    )
    steps(records(*told), None, lambda step, state: seen.append(dict(kept.changed_leaves(step, state))))
    assert seen[1]["ana.conditions"].value == ["prone"]
    assert seen[2]["ana.conditions"] is None


@pytest.mark.parametrize("key", ["osric", "vile-darkness"])
@pytest.mark.parametrize("act", [
    (fact("action_taken", combatant="ulf", action={"kind": "flee"}), fact("attack_rolled", combatant="ana", target="ulf", die=12, cause=8)),
    (fact("moved", combatant="ana"), fact("attack_rolled", combatant="ana", target="ulf", die=12, cause=8)),
    (fact("action_taken", combatant="ulf", action={"kind": "attack"}), hit("ulf", 2, source="ana", cause=8)),
], ids=["at the act of another", "after a move", "by damage alone"])  # fmt: skip
def test_whoever_acts_by_an_outcome_of_no_own_act_is_no_longer_due(key: str, act: tuple[str, ...]) -> None:
    sides = (joins("ana", 9, "heroes"), joins("ulf", 9, "orcs"), joins("bo", 9, "orcs"))
    dice = (fact("initiative_rolled", side="heroes", die=4), fact("initiative_rolled", side="orcs", die=3))
    assert as_kept(records(*sides, round_(1), *dice, *act, ruleset=key))[0] == []


def test_a_ruling_is_seen_in_the_leaves_of_those_whom_it_is_about() -> None:
    wrong, count = as_kept(
        records(joins("ana", 9), joins("bo", 8), rolls("ana", 12), round_(1), turn("ana"), override(**{"bo.hp": 2}))
    )
    assert (wrong, count) == ([], 6)


def test_effects_on_nobody_are_a_leaf_of_the_fight_as_long_as_they_last() -> None:
    seen: dict[int, Any] = {}

    def look(step: Step, state: State) -> None:
        found = kept.changed_leaves(step, state)
        if "effects" in found:
            seen[step.fact.seq] = found["effects"] and found["effects"].value

    kept = LeavesSeen()
    begins = {"effect": "fog", "source": "ana", "duration": {"amount": 2, "unit": "round"}}
    those = [joins("ana"), fact("effect_started", **begins), round_(1), fact("effect_started", effect="light")]
    steps(records(*those, fact("effect_ended", effect="fog"), fact("effect_ended", effect="light")), None, look)
    fog, light = ["fog", 2, "round", "ana"], ["light", None, None, None]
    assert seen == {3: [fog], 5: [fog, light], 6: [light], 7: None}
