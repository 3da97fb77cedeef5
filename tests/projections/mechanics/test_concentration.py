"""Concentration: held by effects that are maintained; what ended the last is cited."""

from projections.because import Because
from projections.mechanics.conditions import Effect, Key, effects_held, last_effect_name

HEX, WALL, HAZE = (4, "bo"), (7, "ana"), (9, "ana")
EFFECTS: dict[Key, Effect] = {
    HEX: Effect(4, "hex", "bo", source="dov", concentration=True),
    WALL: Effect(7, "wall", "ana", source="dov", concentration=True),
    HAZE: Effect(9, "haze", "ana", source="dov"),
    (11, "ana"): Effect(11, "glow", "ana", concentration=True),
}


def test_only_effects_that_take_it_up_are_held_and_only_by_their_source() -> None:
    assert effects_held(EFFECTS, "dov") == [HEX, WALL]
    assert effects_held(EFFECTS, "ana") == []
    assert effects_held(EFFECTS, None) == []


def test_what_one_record_began_is_left_out() -> None:
    assert effects_held(EFFECTS, "dov", but=7) == [HEX]


def test_of_several_the_last_is_named_because_it_began() -> None:
    held = last_effect_name(EFFECTS, {"dov": Because((), (5,))}, "dov")
    assert (held.value, held.because.events) == ("wall", (7,))


def test_what_ended_it_is_cited_afterwards() -> None:
    gone = last_effect_name({HAZE: EFFECTS[HAZE]}, {"dov": Because(("blow.ends",), (4, 12))}, "dov")
    assert (gone.value, gone.because.rules, gone.because.events) == ("", ("blow.ends",), (4, 12))
    assert last_effect_name({}, {}, "dov").because == Because()
