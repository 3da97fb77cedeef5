"""Effects and conditions: who bears which, how long, and what ends them, on plain."""

import pytest
from msgspec import structs

from eventstore.events import SaveRolled
from projections.because import Because
from projections.fight import TimelineRow
from projections.folds import concentration, effects
from projections.folds.addresses import all_addresses, value_of
from projections.folds.rulings import refusal_of_ruling
from projections.mechanics.dues import Due, owe
from projections.occurrence import Occurrence
from projections.state import State
from projections.time import Point
from projections.views.steps import watched_values
from tests.projections.logs import bears, fact, joins, override_of, play, round_, rules, turn, value

ANA, BO = joins("ana"), joins("bo")  # records 2 and 3 in each log here


def lasts(amount: int, unit: str = "round", **more: str) -> dict[str, object]:
    return {"amount": amount, "unit": unit} | more


def on(who: str, *facts: str, options: dict[str, str] | None = None) -> list[str]:
    return list(value(play(ANA, BO, *facts, options=options), f"{who}.effects"))


def left(address: str, *facts: str) -> object:
    return value(play(ANA, BO, *facts), address)


def ends(name: str, *targets: str, **more: str) -> str:
    return fact("effect_ended", effect=name, targets=targets, **more)


def gains(name: str, *targets: str, **more: object) -> str:
    return fact("condition_gained", condition=name, targets=targets, **more)


def loses(name: str, *targets: str) -> str:
    return fact("condition_lost", condition=name, targets=targets)


# beginning and ending


def test_what_ends_an_effect_by_its_record_leaves_no_reason_of_its_own() -> None:
    state = play(ANA, bears("web", "ana"))
    ended = effects.end_effects(state, [(3, "ana")])
    assert [each.name for each in ended.values()] == ["web"]
    because = state.rid_by["ana"]["web"]
    assert (because.events, because.flat().events) == ((), (3,))
    later = play(ANA, bears("web", "ana"), ends("web", "ana")).rid_by["ana"]["web"]
    assert later.events == (3, 4)


def test_log_effect_what_is_ended_or_lost_had_begun() -> None:
    assert rules(ANA, bears("haze", "ana"), ends("haze", "ana"), gains("prone", "ana"), loses("prone", "ana")) == []
    assert rules(ANA, ends("haze", "ana"), loses("prone", "ana")) == [("log.effect", 3), ("log.effect", 4)]


def test_an_effect_ends_with_its_parent_once_its_last_bearer_is_rid_of_it() -> None:
    told = (bears("Hex", "ana", "bo"), bears("Hexed", "bo", parent=4), bears("Pain", "bo", parent=5))
    assert on("bo", *told, ends("Hex", "ana")) == ["Hex", "Hexed", "Pain"]
    assert on("bo", *told, ends("Hex", "ana"), ends("Hex", "bo")) == []


@pytest.mark.slow
def test_parents_in_a_circle_and_in_a_long_line_end_together() -> None:
    circle = (bears("a", "ana", parent=5), bears("b", "bo", parent=4))
    assert on("bo", *circle, ends("a", "ana")) == []
    line = [bears(f"e{n}", "ana", parent=3 + n) for n in range(1, 1500)]
    assert on("ana", bears("e0", "ana"), *line, ends("e0", "ana")) == []


# the same effect again, concentration


def test_a_condition_gained_again_rests_on_both_unless_the_first_ran_out() -> None:
    def behind(*facts: str) -> tuple[int, ...]:
        return effects.condition_names(play(ANA, BO, *facts), "ana").because.flat().events

    assert behind(gains("stunned", "ana"), gains("stunned", "ana")) == (2, 4, 5)
    assert behind(gains("stunned", "ana", duration=lasts(3)), gains("stunned", "ana")) == (2, 5)


# durations


def test_what_lasts_for_nobodys_turns_is_counted_as_rounds_begin() -> None:
    fog = bears("fog", duration=lasts(2))
    gone = bears("haze", "ana", duration=lasts(2, of="bo"))
    state = play(ANA, BO, fog, gone, round_(1), turn("ana"), fact("combatant_left", combatant="bo"), round_(2))
    assert [effect.left for effect in state.effects.values()] == [1, 1]


# rulings on effects


def test_an_override_sets_what_is_left_begins_and_ends_effects() -> None:
    haze = bears("haze", "ana", duration=lasts(9))
    assert left("ana.effects.haze", haze, override_of({"ana.effects.haze": 2})) == 2
    assert on("ana", haze, override_of({"ana.effects.haze": "none"})) == []
    assert on("ana", haze, override_of({"ana.effects.haze": 0})) == []
    begun = override_of({"ana.effects.a": True, "ana.effects.b": 1, "ana.effects.c": 2})
    assert on("ana", begun) == ["a", "b", "c"]
    assert on("ana", begun, turn("ana")) == ["a", "c"]


def test_an_override_may_name_all_effects_or_conditions() -> None:
    told = (bears("haze", "ana"), bears("ward", "ana"), gains("prone", "ana"), gains("prone", "bo"))
    ruled = override_of({"ana.effects": ["Ward", "glow", "gleam"], "ana.conditions": ["wary", "hidden"]})
    assert on("ana", *told, ruled) == ["ward", "glow", "gleam"]
    assert value(play(ANA, BO, *told, ruled), "ana.conditions") == ["wary", "hidden"]
    none = override_of({"ana.effects": "none", "ana.conditions": "none"})
    assert on("ana", *told, none) == []
    assert value(play(ANA, BO, *told, none), "bo.conditions") == ["prone"]


def test_whatever_was_there_and_is_ruled_again_goes_on_as_it_was() -> None:
    haze = bears("haze", "ana", "bo", duration=lasts(9, of="bo"))
    ruled = override_of({"ana.effects": ["Haze", "glow"]})
    assert on("ana", haze, ruled) == ["haze", "glow"]
    assert on("bo", haze, bears("ward", "bo"), ruled) == ["haze", "ward"]
    assert left("ana.effects.haze", haze, ruled) == 9
    prone = gains("prone", "ana", "bo")
    state = play(ANA, BO, prone, override_of({"ana.conditions": ["Prone", "wary"]}))
    assert [(one.name, one.bearer, one.seq) for one in state.conditions.values()] == [
        ("prone", "ana", 4),
        ("prone", "bo", 4),
        ("wary", "ana", 5),
    ]


def test_a_ruled_length_keeps_whose_turns_count_and_true_has_none() -> None:
    told = (bears("haze", "ana", duration=lasts(9, of="bo")), override_of({"ana.effects.haze": 2}))
    (haze,) = play(ANA, BO, *told).effects.values()
    assert (haze.left, haze.duration and haze.duration.of) == (2, "bo")
    (glow,) = play(ANA, BO, override_of({"ana.effects.glow": True})).effects.values()
    assert (glow.left, glow.duration) == (None, None)
    assert on("ana", *told, override_of({"ana.effects.haze": -3})) == []
    assert on("ana", *told, override_of({"ana.effects.haze": False})) == []


# the folds by themselves


def test_whose_concentration_an_effect_was_is_released_as_it_ends() -> None:
    state = play(ANA, BO, bears("Hex", "bo", source="ana", concentration=True), bears("Ward", "ana", source="bo"))
    assert concentration.release(state, "ana", but=4) == concentration.release(state, "bo") == {}
    state.released.clear()
    effects.end_effects(state, [(5, "ana")])
    assert state.released == {}
    assert list(concentration.release(state, "ana")) == [(4, "bo")]
    assert list(state.released) == ["ana"]


def test_what_is_not_there_goes_back_to_the_joining_and_to_what_ended_it() -> None:
    never = play(ANA, BO)
    gone = play(ANA, BO, bears("haze", "ana"), ends("haze", "ana"))
    for state, events in ((never, (2,)), (gone, (2, 4, 5))):
        for address in ("ana.effects", "ana.effects.haze"):
            found = value_of(state, address)
            assert found
            assert found.because.events == events
            assert {*state.rules.effect_rules, "log.joining"} <= {*found.because.rules}


def free(*facts: str) -> tuple[int, ...]:
    """Return the records because of which ana bears no haze."""
    found = value_of(play(ANA, BO, *facts), "ana.effects.haze")
    assert found
    assert found.value == "none"
    return found.because.events


def test_whoever_was_rid_of_effects_is_so_because_of_each_that_would_stay() -> None:
    hers, his = (bears("haze", "ana", source=who) for who in ("ana", "bo"))
    first = (hers, ends("haze", "ana", source="ana"), his)
    assert free(*first, ends("haze", "ana", source="bo")) == (2, 4, 5, 6, 7)
    assert free(*first, ends("haze", "ana")) == (2, 6, 7)
    assert free(*first, ends("haze", "ana", source="bo"), hers, ends("haze", "ana", source="ana")) == (2, 6, 7, 8, 9)


def throws(*told: tuple[str, bool | None]) -> State:
    """Return what comes of throws of ana, who concentrates on a hex and owes one for the record before it."""
    state = play(ANA, BO, bears("Hex", "bo", source="ana", concentration=True))
    owe(state.dues, Due("ana", "throw", "turn began", Because(("blow.rule",), (5,)), 5))
    for seq, (who, made) in enumerate(told, 6):
        thrown = Occurrence(seq=seq, line=seq, event=SaveRolled(combatant=who), point=Point())
        concentration.end_if_save_failed(state, thrown, "throw", made, ("throw.rule",))
    return state


def test_a_throw_that_is_owed_ends_a_concentration_if_it_fails() -> None:
    state = throws(("ana", False))
    assert not state.effects
    assert state.released["ana"].flat() == Because(("throw.rule", "blow.rule"), (4, 5, 6)).flat()
    assert throws(("bo", False)).effects


@pytest.mark.parametrize(("name", "shown"), [("web", "web"), (None, "none")])
def test_a_casting_goes_by_its_name_and_can_be_ruled_to_end(name: str | None, shown: str) -> None:
    state = play(ANA, BO)
    assert refusal_of_ruling(state, "ana.casting", "none")
    entry = TimelineRow(Point(), "ana", "begun", Because((), (3,)), name=name)
    state.rules = structs.replace(state.rules, casting=lambda _state, _one: entry)
    found = value_of(state, "ana.casting")
    assert found
    assert (found.value, found.because.events) == (shown, (3,))
    assert watched_values(state, "ana")["casting"] == watched_values(state, "ana", thoroughly=True)["casting"] == shown
    assert refusal_of_ruling(state, "ana.casting", "none") == ""
    assert refusal_of_ruling(state, "ana.casting", "web")


def test_whoever_leaves_takes_its_effects_and_conditions_along() -> None:
    told = (bears("haze", "ana"), bears("shade", "bo", parent=4), gains("prone", "ana"))
    state = play(ANA, BO, *told, fact("combatant_left", combatant="ana"))
    assert (state.effects, state.conditions) == ({}, {})


def test_a_condition_is_one_though_gained_twice_and_lost_by_whom_it_says() -> None:
    state = play(ANA, BO, gains("Prone", "ana", "bo"), gains("prone", "ana"), loses("prone", "bo"))
    assert [(one.name, one.bearer) for one in state.conditions.values()] == [("prone", "ana")]
    assert value(play(ANA, BO, gains("prone", "ana"), loses("prone")), "ana.conditions") == ["prone"]


def test_the_effects_that_somebody_bears_have_addresses() -> None:
    found = set(all_addresses(play(ANA, bears("Haze", "ana"), bears("fog"))))
    assert "ana.effects.haze" in found
    assert ".effects.fog" not in found
