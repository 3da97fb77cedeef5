"""The order of a round where a ruling stands above it, and as it is kept from fact to fact."""

from typing import Any

import pytest
from msgspec import structs

from eventstore.record import Recorded
from projections.because import Because
from projections.fight import Combatant
from projections.folds.addresses import value_of
from projections.folds.order import OrderKept, names_in_order, order_of
from projections.folds.rulings import refusal_of_ruling
from projections.proving.proof import records_of
from projections.replay.replay import replay, resume
from projections.rulesets import find
from projections.rulesets.vile_darkness.state import Key
from projections.scheduling.ladder_schedule import LadderPlace, LadderSchedule, slots_of
from projections.scheduling.turn_schedule import turn_list
from projections.state import State
from projections.views.steps import Watch, touched_combatants
from tests.projections.logs import fact, joins, override, play, records, rolls, round_, value
from tests.projections.stage import one_in, stage

TOLD = (
    joins("ana", 9, "heroes"),  # 2
    joins("bo", 8, "orcs"),  # 3
    joins("cy", 7, "orcs"),  # 4
    rolls("ana", 12),  # 5
    rolls("bo", 9),  # 6
)
REVERSED = override(order=["bo", "ana"])  # 7


@pytest.mark.parametrize(("roll", "stands"), [
    (rolls("cy", 20), True),
    (rolls("bo", 20), False),
    (rolls("cy", 20, together=["bo"]), False),
    (fact("initiative_rolled", side="orcs", total=20), False),
])  # fmt: skip
def test_a_ruled_order_stands_until_one_of_those_in_it_rolls_anew(roll: str, stands: bool) -> None:
    assert (play(*TOLD, REVERSED, roll).ruled_order is not None) is stands


def test_whoever_left_is_in_no_ruled_order() -> None:
    assert value(play(*TOLD, REVERSED, fact("combatant_left", combatant="bo")), "order") == [["ana"]]


def test_a_ruled_order_keeps_the_reasons_of_a_place_and_cites_both() -> None:
    state = play(*TOLD, override(order=["cy", ["bo", "ana"]]))
    derived = {who: slot for slot in play(*TOLD).rules.schedule.order(play(*TOLD)) for who in slot.combatants}
    first, second = order_of(state)
    assert (first.combatants, first.key, first.because.flat().events) == (("cy",), {}, (7,))
    assert (second.combatants, second.key) == (("bo", "ana"), derived["bo"].key)
    assert {5, 6, 7} <= {*second.because.flat().events}


def test_a_ruled_order_stands_above_the_names_that_a_ruleset_has_ready() -> None:
    told = (
        *(joins(who, 9, who) for who in ("ana", "bo")),
        *(fact("initiative_rolled", combatant=who, die=die) for who, die in (("ana", 14), ("bo", 11))),
    )
    for ruling, names in (((), [["ana"], ["bo"]]), ((REVERSED,), [["bo"], ["ana"]])):
        assert names_in_order(replay(records(*told, *ruling, ruleset="nameless-journey")).state) == names


def test_an_order_of_nobody_goes_back_to_the_clock() -> None:
    order = value_of(play(joins("ana")), "order")
    assert order
    assert (order.value, order.because.events) == ([], (1,))


def test_nobody_has_two_places_in_a_ruled_order_and_no_place_is_empty() -> None:
    assert play(*TOLD, override(order=["ana", "ana", "bo"])).ruled_order == (7, (("ana",), ("bo",)))


def test_an_order_ruled_none_is_the_rulesets_and_an_empty_list_is_none() -> None:
    assert play(*TOLD, REVERSED, override(order="none")).ruled_order is None
    assert refusal_of_ruling(play(*TOLD), "order", "none") == ""
    assert refusal_of_ruling(play(*TOLD), "order", [])


SIDES = (joins("ana", 9, "heroes"), joins("bo", 8, "orcs"), joins("cy", 8, "orcs"))
SWORD = {"name": "sword", "speed": 4}
BLOW = fact("action_taken", combatant="ana", action={"kind": "attack", "targets": ["bo"]})
ROUND = (
    round_(1),  # 5
    fact("initiative_rolled", side="heroes", die=3),  # 6
    fact("initiative_rolled", side="orcs", die=2),  # 7
    fact("damage_dealt", target="bo", amount=1),  # 8
    fact("phase_reached", phase="H.D3"),  # 9
    BLOW,  # 10
    fact("noted", text="rain"),  # 11
)


def placed(key: str, *told: str) -> list[list[str]]:
    """Return whose places were derived after each of these facts, but the first."""
    first, *rest = records(*told, ruleset=key)
    done, asked, found = replay([first]), list[str](), list[list[str]]()
    own = done.state.rules.schedule
    assert isinstance(own, LadderSchedule)

    def places(state: State, one: Combatant) -> list[LadderPlace]:
        asked.append(one.id)
        return own.places(state, one)

    done.state.rules = structs.replace(done.state.rules, schedule=structs.replace(own, places=places))
    watch = Watch()

    def observe_fact(state: State, fact: Any) -> None:
        watch.changes(state, fact)

    for record in rest:
        done = resume(done, [record], after=observe_fact)
        found.append([*asked])
        asked.clear()
    return found


@pytest.mark.parametrize(
    ("key", "everybody", "die", "hurt", "blow"),
    [
        ("vile-darkness", ["ana", "bo"], ["ana", "bo"], [], ["ana"]),
        ("osric", ["ana", "bo", "cy"], [], ["bo"], ["ana", "bo"]),
    ],
    ids=["rests", "touched"],  # what holds for bo holds for cy, too: where that is known, they are placed at once
)
def test_only_whose_places_can_have_changed_are_placed_anew(
    key: str, everybody: list[str], die: list[str], hurt: list[str], blow: list[str]
) -> None:
    assert placed(key, *SIDES, *ROUND)[3:] == [everybody, die, everybody, hurt, [], blow, []]


def test_places_that_rest_on_a_changed_one_are_placed_anew_once_each() -> None:
    ana, dov = (joins(who, 9, side, weapons=[SWORD]) for who, side in (("ana", "heroes"), ("dov", "orcs")))
    declared = fact("action_declared", combatant="ana", action={"kind": "attack", "name": "sword"})
    delayed = fact("condition_gained", condition="delayed", targets=["ana", "eli"])
    told = (ana, joins("eli", 9, "heroes"), joins("bo", 8, "orcs"), dov, *ROUND[:3], declared, delayed, BLOW)
    assert placed("vile-darkness", *told)[-3:] == [["ana", "eli", "bo"]] * 3


DICE = (
    *(joins(who, 9, who) for who in ("ana", "bo")),
    *(fact("initiative_rolled", combatant=who, die=die) for who, die in (("ana", 14), ("bo", 11))),
)
RULED = (REVERSED, fact("noted", text="rain"), override(order="none"), fact("combatant_left", combatant="ana"))
LATER = tuple(fact("phase_reached", phase=phase) for phase in ("H.D4", "L.D3", "L.D4", "END"))


@pytest.mark.slow
def test_the_order_kept_through_plays_is_the_one_derived_whole(whole: bool) -> None:
    plays = stage(find("vile-darkness")) if whole else one_in(15, stage(find("vile-darkness")))
    wrong = [each.title for each in plays if not all(_kept_as_derived(records_of(each)))]
    assert wrong == []


TWICE = joins("ada", 9, "heroes", routines=2, weapons=[SWORD])
OUT = override(**{"ada.status": "out"})


A_ROUND_ENDS = (*SIDES, round_(1), fact("round_ended", round=1))
A_FIGHT_ENDS = (TWICE, *SIDES[1:], *ROUND[:3], fact("phase_reached", phase="M1"), OUT, fact("encounter_closed"))
A_RULED_ORDER_ENDS = (
    *SIDES,
    *ROUND[:3],
    REVERSED,
    joins("dov", 9, "heroes"),
    BLOW,
    fact("initiative_rolled", side="orcs", die=4),
)


@pytest.mark.parametrize(("key", "told"), [
    ("plain", (*TOLD, *RULED)), ("nameless-journey", (*DICE, *RULED)), ("osric", (*SIDES, *ROUND[1:3], *ROUND, *RULED)),
    ("vile-darkness", (*SIDES, *ROUND, *LATER, *RULED, fact("round_ended", round=1))),
    *((key, told) for key in ("osric", "vile-darkness") for told in (A_ROUND_ENDS, A_FIGHT_ENDS, A_RULED_ORDER_ENDS)),
])  # fmt: skip
def test_the_order_kept_from_fact_to_fact_is_the_one_derived_whole(key: str, told: tuple[str, ...]) -> None:
    assert all(_kept_as_derived(records(*told, ruleset=key)))


DECLARED = {"dexterity-initiative": "declared-missile"}
SHOT = {"kind": "attack", "name": "bow", "manner": ["missile"]}


def test_the_order_kept_follows_a_condition_on_a_declared_shot() -> None:
    bram = joins("bram", 9, "heroes", dexterity_reaction=2, weapons=[{"name": "bow", "range": 200}])
    dice = (fact("initiative_rolled", side=side, die=die) for side, die in (("heroes", 3), ("orcs", 4)))
    declared = fact("action_declared", combatant="bram", action=SHOT)
    shoots = (fact("phase_reached", phase="H.D2"), fact("action_taken", combatant="bram", action=SHOT))
    slowed = fact("condition_gained", condition="encumbered", targets=["bram"])
    told = (bram, joins("ulf", 9, "orcs", weapons=[SWORD]), round_(1), declared, *dice, *shoots, slowed)
    assert all(_kept_as_derived(records(*told, ruleset="vile-darkness", options=DECLARED)))


def test_the_order_kept_is_the_whole_one_where_one_who_left_strikes() -> None:
    ada, ulf = joins("ada", 9, "heroes", weapons=[SWORD]), joins("ulf", 9, "heroes", weapons=[SWORD | {"speed": 1}])
    dice = (fact("initiative_rolled", side=side, die=4) for side in ("heroes", "orcs"))
    strikes = [fact("action_taken", combatant=who, action={"kind": "attack"}) for who in ("ada", "bear", "ulf")]
    gone = fact("combatant_left", combatant="ulf")
    bear = joins("bear", 9, "orcs", weapons=[{"name": "claw"}])
    told = (ada, ulf, bear, round_(1), *dice, *strikes[:2], gone, strikes[2])
    assert all(_kept_as_derived(records(*told, ruleset="vile-darkness")))


def _kept_as_derived(told: list[Recorded]) -> list[bool]:
    """Return after each fact whether the order that was kept is the one derived whole."""
    kept, found = OrderKept(), list[bool]()

    def observe_fact(state: State, fact: Any) -> None:
        found.append(kept.names(state, touched_combatants(state, fact)) == names_in_order(state))

    replay(told, after=observe_fact)
    return found


def test_a_slot_says_its_segment_where_its_key_has_one() -> None:
    groups = [[LadderPlace("ana", key)] for key in (Key(1, 2, segment=3), Key(1, 3))]
    assert [each.segment for each in slots_of(("order.rule",), groups, lambda _who: Because())] == [3, None]


def test_a_ruled_order_is_kept_until_it_ends_and_then_all_are_placed_anew() -> None:
    told = (*SIDES, *ROUND[:3], override(order=["bo", "ana"]), BLOW, override(order="none"))
    assert placed("osric", *told)[-3:] == [[], [], ["ana", "bo", "cy"]]


def test_a_ruled_order_is_shown_though_a_turn_list_does_not_follow_it() -> None:
    ruled = ((), (REVERSED,), (REVERSED, override(order=["ana", "bo"])))
    states = [play(*DICE, *more, ruleset="nameless-journey") for more in ruled]
    turns = turn_list(states[0])
    kept, found = OrderKept(), list[list[list[str]]]()
    for state in states:
        state.turns = turns
        found.append(kept.names(state, ()))
    assert found == [[["ana"], ["bo"]], [["bo"], ["ana"]], [["ana"], ["bo"]]]
