"""Work: begun now, ended later; lengths and incidents are kept, due and status derived."""

from projections.because import Because
from projections.mechanics import work
from projections.mechanics.work import Incident, Work


def _casting(name: str = "web", seq: int = 7, start: int = 4, length: int = 3) -> Work:
    return Work("cleo", name, seq, start, length, Because(("spell.time",), (seq,)))


def _inside(each: Work, incident: Incident) -> Because | None:
    return Because(("spell.spoiled",)) if each.start <= incident.tick <= each.last else None


def test_its_last_tick_follows_from_the_first_and_the_length() -> None:
    assert _casting().last == 6


def test_a_disturbance_spoils_work_while_it_runs_and_only_then() -> None:
    for tick, status in ((3, "begun"), (4, "spoiled"), (6, "spoiled"), (7, "begun")):
        casting = _casting()
        casting.incidents.append(Incident(9, tick))
        assert work.work_status(casting, _inside).value == status


def test_the_first_incident_that_counts_ends_it_whatever_its_number() -> None:
    casting = _casting()
    casting.incidents.append(Incident(20, 2))
    casting.incidents.append(Incident(30, 5))
    work.complete_work(casting, 9, 7, Because(("spell.completes",)))
    ended = work.ending_incident(casting, _inside)
    assert ended.value == Incident(30, 5)
    assert ended.because.flat().events == (7, 30)
    assert ended.because.flat().rules == ("spell.spoiled", "spell.time")


def test_what_is_given_up_stays_given_up() -> None:
    casting = _casting()
    work.give_up_work(casting, 8, 4, Because(("spell.given-up",)))
    casting.incidents.append(Incident(9, 5))
    assert work.work_status(casting, _inside).value == "withdrawn"
