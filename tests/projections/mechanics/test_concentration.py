"""Concentration: held by work while it runs, and by effects that are maintained; what ended the last is cited."""

from projections.because import Because
from projections.mechanics import concentration
from projections.mechanics.conditions import Effect, Key
from projections.mechanics.work import Incident, Work, disturb

HEX, WALL, HAZE = (4, "bo"), (7, "ana"), (9, "ana")
EFFECTS: dict[Key, Effect] = {
    HEX: Effect(4, "hex", "bo", source="dov", concentration=True),
    WALL: Effect(7, "wall", "ana", source="dov", concentration=True),
    HAZE: Effect(9, "haze", "ana", source="dov"),
    (11, "ana"): Effect(11, "glow", "ana", concentration=True),
}


def test_only_effects_that_take_it_up_are_held_and_only_by_their_source() -> None:
    assert concentration.concentrated(EFFECTS, "dov") == [HEX, WALL]
    assert concentration.concentrated(EFFECTS, "ana") == []
    assert concentration.concentrated(EFFECTS, None) == []


def test_what_one_record_began_is_left_out() -> None:
    assert concentration.concentrated(EFFECTS, "dov", but=7) == [HEX]


def test_of_several_the_last_is_named_because_it_began() -> None:
    held = concentration.on_effects(EFFECTS, {"dov": Because((), (5,))}, "dov")
    assert (held.value, held.because.events) == ("wall", (7,))


def test_what_ended_it_is_cited_afterwards() -> None:
    gone = concentration.on_effects({HAZE: EFFECTS[HAZE]}, {"dov": Because(("blow.ends",), (4, 12))}, "dov")
    assert (gone.value, gone.because.rules, gone.because.events) == ("", ("blow.ends",), (4, 12))
    assert concentration.on_effects({}, {}, "dov").because == Because()


def test_work_holds_it_until_something_ends_the_work() -> None:
    web = Work("cleo", "web", 7, 4, 3, Because((), (7,)))
    held = concentration.on_work([web], "cleo", lambda *_: Because())
    assert (held.value, held.because.flat().events) == ("web", (7,))
    disturb(web, Incident(9, 5))
    gone = concentration.on_work([web], "cleo", lambda *_: Because())
    assert (gone.value, gone.because.flat().events) == ("", (7, 9))
    assert concentration.on_work([web], "urk", lambda *_: Because()).value == ""


def test_work_holds_the_concentration_of_its_doer_alone() -> None:
    works = [Work("cleo", "web", 7, 4, 3), Work("urk", "doom", 8, 4, 3)]
    assert concentration.on_work(works, "cleo", lambda *_: Because()).value == "web"
