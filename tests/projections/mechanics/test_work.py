"""Work: begun now, ended later; lengths and incidents are kept, due and status derived."""

from projections.because import Because
from projections.mechanics import work
from projections.mechanics.work import Incident, Work

BEGAN = Because(("spell.time",), (7,))


def _casting(name: str = "web", seq: int = 7, start: int = 4, length: int = 3) -> Work:
    return Work("cleo", name, seq, start, length, Because(("spell.time",), (seq,)))


def _inside(each: Work, incident: Incident) -> Because | None:
    return Because(("spell.spoiled",)) if each.start <= incident.tick <= each.last else None


def test_it_is_due_in_the_tick_after_its_last() -> None:
    casting = _casting()
    assert (casting.last, work.first_tick_after(casting).value) == (6, 7)
    assert work.first_tick_after(casting).because == BEGAN


def test_a_disturbance_spoils_work_while_it_runs_and_only_then() -> None:
    for tick, status in ((3, "begun"), (4, "spoiled"), (6, "spoiled"), (7, "begun")):
        casting = _casting()
        work.disturb(casting, Incident(9, tick))
        assert work.work_status(casting, _inside).value == status


def test_the_first_incident_that_counts_ends_it_whatever_its_number() -> None:
    casting = _casting()
    work.disturb(casting, Incident(20, 2))
    work.disturb(casting, Incident(30, 5))
    work.complete_work(casting, 9, 7, Because(("spell.completes",)))
    ended = work.ending_incident(casting, _inside)
    assert ended.value == Incident(30, 5)
    assert ended.because.flat().events == (7, 30)
    assert ended.because.flat().rules == ("spell.spoiled", "spell.time")


def test_what_is_given_up_stays_given_up() -> None:
    casting = _casting()
    work.give_up_work(casting, 8, 4, Because(("spell.given-up",)))
    work.disturb(casting, Incident(9, 5))
    assert work.work_status(casting, _inside).value == "withdrawn"
