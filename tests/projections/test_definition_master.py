"""Definition Master beside its rulebook: what holds of the health of combatants whatever befalls them."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from projections.folds.replay import replay
from projections.state import Combatant
from tests.projections.logs import fact, records

MOST = 20
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
