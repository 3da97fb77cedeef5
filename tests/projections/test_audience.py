"""The players' records: what is secret is withheld until a ruling that players can see reveals it."""

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from eventstore.events import Amended, EncounterOpened, Event, Inserted, Noted, RulingMade, Struck
from eventstore.record import Draft, Recorded
from eventstore.withholding import Withhold
from projections.stream.audience import for_players, shown_to_players, withholding
from tests.eventstore.logs import OPENING, log_of, read
from tests.eventstore.logs import drafts as facts_of

Fact = Event | tuple[Event]
"""A fact, or a secret one."""


def log(*facts: Fact) -> list[Recorded]:
    """Return a log of these facts from record 2 on; those in brackets are secret."""
    made = [Draft(each[0], secret=True) if isinstance(each, tuple) else Draft(each) for each in facts]
    return read(log_of(facts_of(OPENING), made))


def hidden(*facts: Fact) -> list[int]:
    return [record.seq for record in for_players(log(*facts)) if record.withheld]


def note(text: str) -> Noted:
    return Noted(text=text)


def reveal(seq: int | None) -> RulingMade:
    return RulingMade(ruling="reveal", decision="the ogre was there all along", event=seq)


PLAIN, SECRET = note("open"), (note("psst"),)


def test_a_secret_is_withheld_until_it_is_revealed() -> None:
    assert hidden(PLAIN, SECRET, SECRET) == [3, 4]
    assert hidden(PLAIN, SECRET, SECRET, reveal(3)) == [4]
    assert hidden(PLAIN, SECRET, SECRET, reveal(-2)) == [4]


def test_what_is_revealed_is_the_line_of_the_whole_log() -> None:
    whole = log(PLAIN, SECRET, SECRET, reveal(3))
    seen = list(for_players(whole))
    assert [record.seq for record in seen if record != whole[record.seq - 1]] == [4]
    assert seen[2].secret


@pytest.mark.parametrize("ruling", ["fact", "waiver", "tie", "grant", "override"])
def test_other_rulings_about_a_secret_reveal_nothing(ruling: str) -> None:
    assert hidden(SECRET, replace(reveal(2), ruling=ruling)) == [2]


def test_a_ruling_that_names_no_record_or_a_later_one_reveals_nothing() -> None:
    assert hidden(reveal(3), SECRET, reveal(None), reveal(9)) == [3]


def test_a_secret_ruling_reveals_nothing_until_it_is_revealed_itself() -> None:
    assert hidden(SECRET, (reveal(2),)) == [2, 3]
    assert hidden(SECRET, (reveal(2),), reveal(3)) == []


def test_a_ruling_that_was_struck_reveals_nothing_and_again_if_the_strike_is_struck() -> None:
    assert hidden(SECRET, reveal(2), Struck(event=3)) == [2]
    assert hidden(SECRET, reveal(2), Struck(event=3), Struck(event=4)) == []


def test_a_strike_that_players_cannot_see_takes_no_ruling_back() -> None:
    assert hidden(SECRET, reveal(2), (Struck(event=3),)) == [4]
    assert hidden(SECRET, reveal(2), (Struck(event=3),), reveal(4)) == [2]


def test_an_amended_ruling_reveals_what_it_names_now() -> None:
    assert hidden(SECRET, SECRET, reveal(2), Amended(event=4, replacement=reveal(3))) == [2]
    assert hidden(SECRET, SECRET, reveal(2), (Amended(event=4, replacement=reveal(3)),)) == [3, 5]


def test_a_ruling_put_into_an_earlier_place_reveals_what_stands_before_it() -> None:
    assert hidden(SECRET, PLAIN, Inserted(after=3, fact=reveal(2))) == []
    assert hidden(PLAIN, SECRET, PLAIN, Amended(event=2, replacement=reveal(3))) == [3]


def test_amendments_of_a_revealed_fact_are_seen_unless_they_are_marked_secret_themselves() -> None:
    amended = Amended(event=2, replacement=note("psst, louder"))
    assert hidden(SECRET, amended) == [2, 3]
    assert hidden(SECRET, amended, reveal(2)) == []
    assert hidden(SECRET, (amended,), reveal(2)) == [3]


def test_an_amendment_can_be_revealed_without_the_fact_that_it_replaces() -> None:
    assert hidden(SECRET, Amended(event=2, replacement=note("psst, louder")), reveal(3)) == [2]


def test_what_was_chosen_to_be_withheld_stays_so_and_so_do_its_reveals() -> None:
    records = log(SECRET, SECRET, reveal(2), reveal(3))
    assert [r.seq for r in for_players(records, frozenset({2, 5})) if r.withheld] == [2, 3, 5]


def test_a_log_that_is_withheld_already_stays_as_it_is() -> None:
    once = list(for_players(log(SECRET, SECRET, reveal(2))))
    assert list(for_players(once)) == once


def test_what_players_see_is_said_only_of_a_log_in_which_something_was_revealed() -> None:
    assert shown_to_players(log(PLAIN, SECRET, SECRET, reveal(3))) == {1, 2, 3, 5}
    assert shown_to_players(log(PLAIN, SECRET)) == set()
    assert shown_to_players(log(PLAIN, SECRET, replace(reveal(3), ruling="fact"))) == set()


def test_a_log_without_secrets_is_read_once_to_find_that_nothing_is_withheld() -> None:
    class Log(list[Recorded]):
        times = 0

        def __iter__(self) -> Iterator[Recorded]:
            self.times += 1
            return super().__iter__()

    open_ = Log(log(PLAIN, reveal(2)))
    assert withholding(open_) == Withhold(secrets=True)
    assert open_.times == 1


# ---------------------------------------------------------------- laws

_seqs = st.integers(-4, 12)
_plain = st.builds(Noted, text=st.sampled_from(["one", "two", "three"]))
_reveals = st.builds(reveal, _seqs.filter(bool))
_inner = _plain | _reveals
_facts = st.one_of(
    _inner,
    _reveals,
    st.builds(Struck, event=_seqs.filter(bool)),
    st.builds(Amended, event=_seqs.filter(bool), replacement=_inner),
    st.builds(Inserted, after=_seqs.filter(bool), fact=_inner),
)
_logs = st.lists(st.tuples(_facts, st.booleans()), min_size=1, max_size=12)


def _log(told: Sequence[tuple[Event, bool]]) -> list[Recorded]:
    return log(*((fact,) if secret else fact for fact, secret in told))


@given(_logs)
def test_only_secrets_and_amendments_are_withheld_and_nothing_else_is_changed(told: list[tuple[Event, bool]]) -> None:
    whole = _log(told)
    for record, seen in zip(whole, for_players(whole), strict=True):
        if seen.withheld:
            assert record.secret or isinstance(record.event, Amended)
            assert (seen.seq, seen.digest, seen.hash, seen.event) == (record.seq, record.digest, record.hash, None)
        else:
            assert seen == record


@given(_logs)
def test_a_secret_is_seen_only_if_a_ruling_that_players_see_may_reveal_it(told: list[tuple[Event, bool]]) -> None:
    whole = _log(told)
    seen = list(for_players(whole))
    named = {place for record in seen for place in _named(record)}
    assert all(record.seq in named for record in seen if record.secret and not record.withheld)


def _named(record: Recorded) -> set[int]:
    """Return every record that a ruling in this one may name; counts back may count from any record."""
    event = record.event
    inner = event.replacement if isinstance(event, Amended) else event.fact if isinstance(event, Inserted) else event
    if not isinstance(inner, RulingMade) or inner.event is None:
        return set()
    if inner.event > 0:
        return {inner.event}
    places = range(1, record.seq + 1) if isinstance(event, Amended) else (record.seq,)
    return {place + inner.event for place in places}


@given(_logs, st.data())
def test_what_stays_secret_does_not_decide_what_is_seen(told: list[tuple[Event, bool]], data: st.DataObject) -> None:
    whole = _log(told)
    seen = list(for_players(whole))
    other = [
        (data.draw(_facts) if secret and seen[place].withheld else fact, secret)
        for place, (fact, secret) in enumerate(told, 1)
    ]
    again = list(for_players(_log(other)))
    assert [record.event for record in again] == [record.event for record in seen]


@given(_logs)
def test_what_players_have_is_withheld_from_nobody_again(told: list[tuple[Event, bool]]) -> None:
    once = list(for_players(_log(told)))
    assert list(for_players(once)) == once
    assert withholding(once).revealed == withholding(_log(told)).revealed


def test_the_opening_is_never_withheld() -> None:
    assert isinstance(next(for_players(log(SECRET))).event, EncounterOpened)
