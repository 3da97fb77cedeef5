"""Definition Master beside its rulebook: what holds of the health of combatants whatever befalls them."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.folds.addresses import addresses, derived
from projections.folds.replay import replay
from projections.judging.audit import audit
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.definition_master.turns.held import held_by
from projections.state import Combatant
from tests.causes import accused
from tests.projections.logs import fact, records

MOST = 20
BIG_AND_SMALL = (("maw", "huge"), ("bo", "small"))
JOINED = fact("combatant_joined", combatant="ana", sheet={"hp": MOST, "hit_dice": 2, "con": 1})
DAMAGE = st.builds(
    lambda amount, nonlethal: fact(
        "damage_dealt", target="ana", amount=amount, **({"nonlethal": True} if nonlethal else {})
    ),
    st.integers(-3, 12),
    st.booleans(),
)
HEALING = st.builds(
    lambda amount, nonlethal: fact(
        "healed", target="ana", amount=amount, source="ana", **({"nonlethal": True} if nonlethal else {})
    ),
    st.integers(-3, 12),
    st.booleans(),
)
REST = st.builds(lambda days: fact("time_passed", time={"amount": days, "unit": "day"}), st.integers(0, 3))
SAVE = st.builds(
    lambda die: fact("save_rolled", combatant="ana", purpose="massive-damage", die=die), st.integers(1, 20)
)


def ana(*facts: str) -> Combatant:
    """Return a combatant after these facts."""
    return replay(records(JOINED, *facts, ruleset="definition-master")).state.combatants["ana"]


def points(one: Combatant) -> tuple[int, int, str]:
    """Return hit points, non-lethal damage and status."""
    return one.hp or 0, one.nld, one.status


def test_attack_bonuses_cite_the_records_of_the_sheet_that_they_are_from() -> None:
    told = records(
        JOINED, fact("sheet_changed", combatant="ana", sheet={"base_attack": 6}), ruleset="definition-master"
    )
    found = derived(replay(told).state, "ana.attack-bonuses")
    assert found is not None
    assert (found.value, found.because.flat().events) == ([6, 1], (2, 3))


@pytest.mark.parametrize("nonlethal", [False, True])
def test_whoever_is_up_because_of_several_heals_is_so_because_of_each_of_them(nonlethal: bool) -> None:
    more = {"nonlethal": True} if nonlethal else {}
    one = ana(
        fact("damage_dealt", target="ana", amount=MOST, **more),
        fact("healed", target="ana", amount=3, source="ana", **more),
        fact("healed", target="ana", amount=4, source="ana", **more),
    )
    assert (one.status, one.standing.because.flat().events) == ("up", (2, 4, 5))


@given(st.lists(st.one_of(DAMAGE, HEALING, REST, SAVE), max_size=12))
def test_hit_points_stay_between_0_and_their_maximum_and_the_status_follows(facts: list[str]) -> None:
    hp, nld, status = points(ana(*facts))
    assert 0 <= hp <= MOST
    assert nld >= 0
    assert (status in ("dying", "stabilized", "dead")) == (hp == 0)
    assert status != "nld-unconscious" or nld >= hp > 0
    assert status != "up" or nld < hp


@given(st.lists(DAMAGE, max_size=6), st.randoms())
def test_lethal_and_non_lethal_damage_come_to_the_same_in_any_order(facts: list[str], chance: Random) -> None:
    mixed = list(facts)
    chance.shuffle(mixed)
    assert points(ana(*facts)) == points(ana(*mixed))


@given(st.lists(st.integers(0, 12), max_size=6))
def test_non_lethal_damage_leaves_hit_points_alone(amounts: list[int]) -> None:
    one = ana(*(fact("damage_dealt", target="ana", amount=each, nonlethal=True) for each in amounts))
    assert (one.hp, one.nld) == (MOST, sum(amounts))


@given(st.integers(0, 19), st.integers(0, 60), st.integers(0, 4), st.integers(0, 4))
def test_days_come_to_the_same_together_or_one_after_the_other(lost: int, bruised: int, some: int, more: int) -> None:
    before = (
        fact("damage_dealt", target="ana", amount=min(lost, 9)),
        fact("damage_dealt", target="ana", amount=max(0, lost - 9)),
        fact("damage_dealt", target="ana", amount=bruised, nonlethal=True),
    )
    days = [fact("time_passed", time={"amount": each, "unit": "day"}) for each in (some, more, some + more)]
    assert points(ana(*before, *days[:2])) == points(ana(*before, days[2]))


@given(st.lists(st.integers(1, 100), min_size=1, max_size=4))
def test_three_failures_in_a_row_kill_and_nothing_else_does(dice: list[int]) -> None:
    facts = [
        fact("combatant_joined", combatant="gru", sheet={"hp": 9}),
        fact("initiative_rolled", combatant="ana", die=9),
        fact("initiative_rolled", combatant="gru", die=19),
        fact("turn_started", combatant="gru"),
        *(fact("damage_dealt", target="ana", amount=9) for _ in range(3)),
    ]
    for die in dice:
        facts += [
            fact("turn_started", combatant="ana"),
            fact("save_rolled", combatant="ana", save="percentile", purpose="death", die=die),
            fact("turn_started", combatant="gru"),
        ]
    failed = [die < target for die, target in zip(dice, (51, 61, 71), strict=False)]
    options = {"death-roll": "all-equal"}
    one = replay(records(JOINED, *facts, ruleset="definition-master", options=options)).state.combatants["ana"]
    expected = "stabilized" if not all(failed) else "dead" if len(dice) >= len((51, 61, 71)) else "dying"
    assert one.status == expected


def test_whoever_has_not_joined_is_not_swallowed_and_has_no_wound_beside_those_who_have() -> None:
    others = [fact("combatant_joined", combatant=who, sheet={"hp": 20, "size": size}) for who, size in BIG_AND_SMALL]
    facts = [
        fact("condition_gained", condition="swallowed", targets=["zed", "ana"], source="maw"),
        fact("condition_gained", condition="wound", targets=["zed", "ana"]),
        fact(
            "contest_rolled",
            about="swallow",
            contenders=[{"combatant": who, "check": 9} for who in ("bo", "zed", "ana")],
        ),
        fact("action_taken", combatant="maw", action={"kind": "swallow", "targets": ["zed", "bo"]}),
        fact(
            "contest_rolled",
            about="swallow",
            contenders=[{"combatant": who, "check": check} for who, check in (("maw", 9), ("zed", 3), ("bo", 5))],
        ),
    ]
    done = audit(records(JOINED, *others, *facts, ruleset="definition-master"))
    assert done.problem is None
    state = done.replay.state
    assert isinstance(state, MasterState)
    assert {who: each.by for who, each in state.health.inside.items()} == {"ana": "maw", "bo": "maw"}
    assert [who for who, body in state.health.bodies.items() if body.wounds] == ["ana"]
    assert [one.event for one in done.findings if one.rule == "swallow.size"] == [7]


def test_whoever_wields_nothing_wields_none() -> None:
    found = derived(replay(records(JOINED, ruleset="definition-master")).state, "ana.wields")
    assert found is not None
    assert found.value == "none"


# ---------------------------------------------------------------- turns

THREE = [fact("combatant_joined", combatant=who, sheet={"hp": 9}) for who in ("bo", "cy", "kex")]
THREE += [fact("initiative_rolled", combatant=who, die=die) for who, die in (("bo", 19), ("cy", 12), ("kex", 5))]


def told(facts: list[str]) -> MasterState:
    """Return the state of a fight of three after these facts."""
    state = replay(records(*THREE, *facts, ruleset="definition-master")).state
    assert isinstance(state, MasterState)
    return state


@given(
    st.lists(st.tuples(st.sampled_from(("take", "delay", "resume", "hold", "resolve")), st.integers(0, 2)), max_size=14)
)
def test_a_place_that_moves_never_yields_a_second_turn_in_a_round(steps: list[tuple[str, int]]) -> None:
    facts, number = [fact("round_started", round=1)], 1
    taken = dict.fromkeys(("bo", "cy", "kex"), 0)
    for step, which in steps:
        state = told(facts)
        waiting, held = derived(state, "due"), [*state.turns.in_hand]
        armed = [who for who in state.flow.triggers.armed if held_by(state, who) and who != state.clock.turn]
        first = waiting.value[0] if waiting and waiting.value else ""
        if step == "resume" and held:
            who = held[which % len(held)]
            facts += [fact("turn_ended", combatant=state.clock.turn)] if state.clock.turn else []
            facts.append(fact("turn_resumed", combatant=who))
        elif step == "resolve" and armed and state.clock.turn:
            speak = fact(
                "action_taken", combatant=state.clock.turn, action={"kind": "speak", "name": f"word {len(facts)}"}
            )
            action = {"kind": "attack", "name": "sword", "cost": "held"}
            resolved = fact("action_taken", combatant=armed[0], action=action, trigger=len(THREE) + len(facts) + 2)
            facts += [speak, resolved]
            continue
        elif first and step == "delay":
            facts.append(fact("turn_delayed", combatant=first))
            continue
        elif first:
            who = first
            facts.append(fact("turn_started", combatant=who))
            if step == "hold":
                facts.append(fact("action_held", combatant=who, action={"kind": "attack"}, awaiting="somebody speaks"))
        else:
            number, taken = number + 1, dict.fromkeys(taken, 0)
            facts.append(fact("round_started", round=number))
            continue
        taken[who] += 1
        assert taken[who] == 1
    rules = {each.rule for each in audit(records(*THREE, *facts, ruleset="definition-master")).findings}
    assert not rules & {"round.ends-at-top", "delay.later-in-round", "initiative.d20-plus-bonus", "held.position-moves"}


ACTS = st.sampled_from(("attack", "cast", "draw", "drink", "speak", "charge", "full-defense", "step", "ability"))
COSTS = st.sampled_from(("", "move", "standard", "swift", "free", "full-round", "attack"))


@given(st.lists(st.tuples(ACTS, COSTS), max_size=8))
def test_nothing_that_is_left_of_a_turn_ever_grows_before_the_next_one(acts: list[tuple[str, str]]) -> None:
    facts = [fact("turn_started", combatant="bo")]
    before: list[int] = []
    for kind, cost in acts:
        action = {"kind": kind, **({"cost": cost} if cost else {})}
        facts.append(fact("action_taken", combatant="bo", action=action))
        found = [derived(told(facts), f"bo.left.{what}") for what in ("move", "standard", "swift", "attacks")]
        left = [each.value for each in found if each]
        assert not before or all(now <= then for now, then in zip(left, before, strict=True))
        before = left


def test_the_kind_of_death_roll_is_as_the_log_was_opened() -> None:
    chosen = derived(replay(records(JOINED, ruleset="definition-master")).state, "options.death-roll")
    assert chosen is not None
    assert (chosen.value, chosen.because.flat().events) == ("not-chosen", (1,))


def test_the_first_second_is_that_of_the_opening_of_the_log() -> None:
    second = derived(replay(records(JOINED, ruleset="definition-master")).state, "second")
    assert second is not None
    assert (second.value, second.because.flat().events) == (0, (1,))


def test_what_nobody_has_changed_cites_the_joining() -> None:
    state = replay(records(JOINED, ruleset="definition-master")).state
    found = {each: derived(state, each) for each in addresses(state) if each.startswith("ana.")}
    assert len(found) > 40
    assert [address for address, value in found.items() if value and value.because.flat().events != (2,)] == []


def test_whoever_leaves_squares_that_nobody_threatens_provokes_none() -> None:
    steps = [fact("round_started", round=1), fact("moved", combatant="ana", path=[(0, 0), (1, 0)])]
    provokes = derived(replay(records(JOINED, *steps, ruleset="definition-master")).state, "ana.provokes")
    assert provokes is not None
    assert (provokes.value, provokes.because.flat().events) == ("none", (4,))


def test_the_order_cites_who_has_left() -> None:
    other = fact("combatant_joined", combatant="bo", sheet={"hp": MOST})
    rolls = [fact("initiative_rolled", combatant=who, die=die) for who, die in (("ana", 10), ("bo", 12))]
    left = fact("combatant_left", combatant="ana")
    order = derived(replay(records(JOINED, other, *rolls, left, ruleset="definition-master")).state, "order")
    assert order is not None
    assert order.value == [["bo"]]
    assert (order.because.flat().rules, order.because.flat().events) == (("initiative.d20-plus-bonus",), (5, 6))


FIGHT = (
    *(fact("combatant_joined", combatant=who, sheet={"hp": 20, "hit_dice": 2}) for who in ("ana", "bo")),
    *(fact("initiative_rolled", combatant=who, die=die) for who, die in (("ana", 15), ("bo", 9))),
    fact("round_started", round=1),
    fact("turn_started", combatant="ana"),
)
MASSIVE = fact("damage_dealt", target="bo", amount=15)
SAVED = fact("save_rolled", combatant="bo", save="fortitude", purpose="massive-damage", die=10)


@pytest.mark.parametrize(
    "later",
    [(fact("round_started", round=2),), (fact("turn_started", combatant="bo"), fact("round_started", round=2))],
    ids=["passed over", "not"],
)
def test_whoever_may_be_dead_by_a_save_that_nobody_can_judge_is_not_waited_for(later: tuple[str, ...]) -> None:
    def early(*told: str) -> bool:
        found = audit(records(*FIGHT, *told, *later, ruleset="definition-master")).findings
        return any("before the turn of bo" in finding.says for finding in found)

    assert early() is (len(later) == 1)
    assert not early(MASSIVE, SAVED)


@pytest.mark.parametrize("kind", ["speak", "draw", "drop-prone", "knowledge"])
def test_an_attack_roll_belongs_to_the_attack_before_it_whatever_was_done_beside(kind: str) -> None:
    attack, beside = ({"kind": each, "targets": ["bo"]} for each in ("attack", kind))
    rolls = fact("attack_rolled", combatant="ana", target="bo", die=2, hit=False)
    log = (fact("action_taken", combatant="ana", action=attack), fact("action_taken", combatant="ana", action=beside))
    found = audit(records(*FIGHT, *log, rolls, ruleset="definition-master")).findings
    assert "attacks.extra-above-five" not in [one.rule for one in found]


@pytest.mark.parametrize("number", [157, 273, 517, 792, 5330])
def test_whoever_may_be_dead_by_a_save_that_nobody_can_judge_is_passed_over_by_nobody(number: int) -> None:
    assert [each for every in (False, True) for each in accused("definition-master", number, every=every)] == []


@pytest.mark.parametrize("number", [221, 407])
def test_where_somebody_lies_who_may_have_fallen_on_its_way_is_not_known(number: int) -> None:
    assert [*accused("definition-master", number, every=True, apart=True)] == []
