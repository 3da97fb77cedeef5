"""Concentration: held by work while it runs, and by whatever is maintained; something new ends what was before."""

from projections.because import Because
from projections.mechanics import concentration
from projections.mechanics.concentration import Concentration, Held
from projections.mechanics.work import Incident, Work, disturb


def test_something_new_ends_what_was_held_before() -> None:
    on = Concentration()
    assert concentration.hold(on, "dov", "wall", 4, ("second.ends",)) is None
    assert concentration.hold(on, "dov", "hex", 9, ("second.ends",)) == Held("wall", 4)
    holds = concentration.holds(on, "dov")
    assert (holds.value, holds.because.events) == (Held("hex", 9), (9,))
    assert on.lost["dov"].flat().events == (4, 9)


def test_what_ended_it_is_cited_afterwards() -> None:
    on = Concentration()
    concentration.hold(on, "dov", "wall", 4, ("second.ends",))
    concentration.let_go(on, "dov", Because(("damage.breaks",), (12,)))
    gone = concentration.holds(on, "dov")
    assert gone.value is None
    assert (gone.because.rules, gone.because.events) == (("damage.breaks",), (4, 12))
    assert concentration.let_go(on, "dov", Because()) is None


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
