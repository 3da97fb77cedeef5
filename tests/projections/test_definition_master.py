"""Definition Master beside its rulebook: what holds of the health of combatants whatever befalls them."""

from hypothesis import given, strategies as st

from projections.fight import Combatant
from projections.folds.addresses import all_addresses, derive_value
from projections.judging.audit import audit
from projections.replay.replay import replay
from projections.rulesets.definition_master.immediate import armed_action
from projections.rulesets.definition_master.state import MasterState
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


@given(st.lists(st.one_of(DAMAGE, HEALING, REST, SAVE), max_size=12))
def test_hit_points_stay_between_0_and_maximum_and_the_status_follows(facts: list[str]) -> None:
    hp, nld, status = points(ana(*facts))
    assert 0 <= hp <= MOST
    assert nld >= 0
    assert (status in ("dying", "stabilized", "dead")) == (hp == 0)
    assert status != "nld-unconscious" or nld >= hp > 0
    assert status != "up" or nld < hp


@given(st.integers(0, 19), st.integers(0, 60), st.integers(0, 4), st.integers(0, 4))
def test_days_come_to_the_same_together_or_one_after_the_other(lost: int, bruised: int, some: int, more: int) -> None:
    before = (
        fact("damage_dealt", target="ana", amount=min(lost, 9)),
        fact("damage_dealt", target="ana", amount=max(0, lost - 9)),
        fact("damage_dealt", target="ana", amount=bruised, nonlethal=True),
    )
    days = [fact("time_passed", time={"amount": each, "unit": "day"}) for each in (some, more, some + more)]
    assert points(ana(*before, *days[:2])) == points(ana(*before, days[2]))


def test_whoever_has_not_joined_is_not_swallowed_and_has_no_wound() -> None:
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
        waiting, held = derive_value(state, "due"), [*state.turns.in_hand]
        armed = [who for who in state.flow.triggers.armed if armed_action(state, who) and who != state.clock.turn]
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
        found = [derive_value(told(facts), f"bo.left.{what}") for what in ("move", "standard", "swift", "attacks")]
        left = [each.value for each in found if each]
        assert not before or all(now <= then for now, then in zip(left, before, strict=True))
        before = left


def test_what_nobody_has_changed_cites_the_joining() -> None:
    state = replay(records(JOINED, ruleset="definition-master")).state
    found = {each: derive_value(state, each) for each in all_addresses(state) if each.startswith("ana.")}
    assert len(found) > 40
    assert [address for address, value in found.items() if value and value.because.flat().events != (2,)] == []
