"""Pages that go on with their logs: after each append a page is what one made of the whole log is."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st
from msgspec import structs

from encounterlog.exporters.html.data import Page, Replayed, replay_of
from encounterlog.exporters.html.foes import EVERYTHING, Foes
from encounterlog.exporters.session import Session, changes_the_past
from encounterlog.log.logs import LogView
from encounterlog.service import live as module
from encounterlog.service.live import PageCache, make_session
from encounterlog.service.streams import ServedLog, hold_log
from eventstore.events import (
    CombatantJoined,
    CombatantLeft,
    DamageDealt,
    DiceDrawn,
    EffectStarted,
    Noted,
    RulingMade,
    Struck,
)
from eventstore.memory import MemoryStore
from eventstore.record import Draft, Recorded
from projections.proving.proof import records_of
from projections.rulesets import keys
from tests.encounterlog.service.served_logs import EVENTS, OPENING, START, WHO
from tests.eventstore.logs import AT
from tests.faults.together import side_by_side
from tests.projections.stage import encounters, one_in

WHOLE_TABLE, OF_PLAYERS = EVERYTHING, Foes("words", frozenset({"ana"}))
MORE = st.one_of(
    st.builds(EffectStarted, effect=st.sampled_from(("web", "fog")), source=st.sampled_from(WHO), concentration=st.booleans(),
              targets=st.just(("ogre",))),
    st.builds(CombatantLeft, combatant=st.sampled_from(WHO), reason=st.just("fled")),
    st.builds(RulingMade, ruling=st.just("override"), decision=st.just("so"), reason=st.just("so"),
              values=st.sampled_from(({"ana.name": "Ana"}, {"ogre.hp": 3}))),
)  # fmt: skip
APPENDS = st.lists(
    st.tuples(st.lists(st.builds(Draft, event=EVENTS | MORE, secret=st.booleans()), min_size=1, max_size=3), st.booleans()),
    max_size=9,
)  # fmt: skip
"""Appends, each with whether its page is asked for before the next one."""


def seen(known: ServedLog, *, secrets: bool) -> LogView:
    with hold_log(known):
        return known.view(secrets=secrets)


def whole(found: LogView, foes: Foes) -> Page:
    return replay_of(make_session(found), live=True, foes=foes)


def known_log() -> ServedLog:
    store = MemoryStore([OPENING], by="gm", at=AT)
    store.append(START, by="gm", at=AT)
    return ServedLog("ford", store)


def appended(known: ServedLog, *drafts: Draft) -> None:
    known.store.append(drafts, by="gm", at=AT)


BLOW = Draft(DamageDealt(target="wraith", amount=1))
RETURN = Draft(CombatantJoined(combatant="wraith", side="wraith", sheet={"hp": 20}))


@pytest.mark.slow
@settings(deadline=None)
@given(APPENDS)
@example([([Draft(Noted(text="rain"))], True), ([BLOW], False)])
@example([([Draft(CombatantLeft(combatant="wraith", reason="fled"))], True), ([BLOW], True), ([RETURN], True)])
@example([([BLOW], True), ([Draft(structs.replace(RETURN.event, combatant="ogre"), secret=True)], True)])
def test_a_page_that_goes_on_is_the_page_of_the_whole_log(appends: Sequence[tuple[Sequence[Draft], bool]]) -> None:
    known, drawn = known_log(), PageCache()
    for drafts, asks in (*appends, ([Draft(Noted(text="the end"))], True)):
        appended(known, *drafts)
        for secrets, foes in ((True, WHOLE_TABLE), (False, OF_PLAYERS)) if asks else ():
            found = seen(known, secrets=secrets)
            assert drawn.current_page(found, foes) == whole(found, foes)


def part(records: Sequence[Recorded], size: int) -> Session:
    found = LogView("x", source=tuple(records[:size]))
    assert len(found.records) == size
    return Session(found)


@pytest.mark.in_turn(7)
@pytest.mark.slow
@pytest.mark.parametrize("key", sorted(keys()))
def test_pages_of_whole_encounters_go_on_record_by_record(key: str) -> None:
    for play in one_in(4, encounters(key)):
        records = [*records_of(play)]
        growing = Replayed(part(records, 1), live=True)
        for size in range(2, len(records) + 1):
            if changes_the_past(records[size - 1]):
                growing = Replayed(part(records, size), live=True)
            else:
                growing.take_news(part(records, size), records[size - 1 : size])
            page = growing.make_page()
            if size == len(records) or size % 40 == 0:
                assert page == replay_of(part(records, size), live=True), (play.name, size)


class Counting(Replayed):
    """Pages that write down how often they are begun, and with how many records."""

    begun: list[int]

    def __init__(self, session: Session, **how: Any) -> None:
        self.begun.append(session.head.seq)
        super().__init__(session, **how)


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    Counting.begun = []
    monkeypatch.setattr(module, "Replayed", Counting)
    return Counting.begun


@pytest.mark.parametrize(("draft", "again"), [
    (Draft(Noted(text="rain")), False),
    (Draft(Noted(text="mist"), secret=True), False),
    (Draft(RulingMade(ruling="waiver", decision="so", event=3, reason="so")), False),
    (Draft(Struck(event=3)), True),
    (Draft(RulingMade(ruling="reveal", decision="so", event=4, reason="seen")), True),
])  # fmt: skip
def test_only_corrections_and_what_reveals_begin_a_page_again(begun: list[int], draft: Draft, again: bool) -> None:
    known, drawn = known_log(), PageCache()
    drawn.current_page(seen(known, secrets=True), WHOLE_TABLE)
    appended(known, draft)
    drawn.current_page(seen(known, secrets=True), WHOLE_TABLE)
    assert begun == [4, 5] if again else [4]


def test_a_roll_that_is_proved_after_it_was_revealed_reveals_its_proof() -> None:
    known, drawn = known_log(), PageCache()
    appended(known, Draft(Noted(text="d20: 7"), secret=True))
    appended(known, Draft(RulingMade(ruling="reveal", decision="so", event=5, reason="seen")))
    drawn.current_page(seen(known, secrets=True), WHOLE_TABLE)
    appended(known, Draft(DiceDrawn(number=1, link="0" * 64, word="ford", notation="d20", event=5), secret=True))
    found = seen(known, secrets=True)
    assert drawn.current_page(found, WHOLE_TABLE) == whole(found, WHOLE_TABLE)
    assert [*drawn.current_page(found, WHOLE_TABLE).events][-1].note == "revealed"


def test_an_early_look_at_a_log_gets_the_page_of_that_moment(begun: list[int]) -> None:
    known, drawn = known_log(), PageCache(most=1)
    early = seen(known, secrets=True)
    appended(known, Draft(Noted(text="rain")))
    drawn.current_page(seen(known, secrets=True), WHOLE_TABLE)
    assert drawn.current_page(early, WHOLE_TABLE) == whole(early, WHOLE_TABLE)
    appended(known, Draft(Noted(text="sun")))
    late = seen(known, secrets=True)
    assert drawn.current_page(late, WHOLE_TABLE) == whole(late, WHOLE_TABLE)
    assert begun == [5]


def test_rewritten_logs_and_pages_that_failed_are_begun_again(
    begun: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    known, drawn = known_log(), PageCache()
    appended(known, Draft(Noted(text="rain")))
    drawn.current_page(seen(known, secrets=True), WHOLE_TABLE)
    other = known_log()
    appended(other, Draft(Noted(text="snow")))
    found = seen(other, secrets=True)
    assert drawn.current_page(found, WHOLE_TABLE) == whole(found, WHOLE_TABLE)
    assert begun == [5, 5]
    known, drawn = known_log(), PageCache()
    drawn.current_page(seen(known, secrets=True), WHOLE_TABLE)
    appended(known, Draft(Noted(text="rain")))

    def fails(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(Replayed, "take_news", fails)
        with pytest.raises(ZeroDivisionError):
            drawn.current_page(seen(known, secrets=True), WHOLE_TABLE)
    found = seen(known, secrets=True)
    assert drawn.current_page(found, WHOLE_TABLE) == whole(found, WHOLE_TABLE)
    assert begun == [5, 5, 4, 5]


def test_pages_go_on_of_as_many_records_as_are_allowed(begun: list[int]) -> None:
    logs, drawn = [known_log() for _ in range(3)], PageCache(most=1, records=9)
    for number, known in enumerate(logs):
        known.name = f"log {number}"
        drawn.current_page(seen(known, secrets=True), WHOLE_TABLE)
    for known in reversed(logs):
        appended(known, Draft(Noted(text="rain")))
        drawn.current_page(seen(known, secrets=True), WHOLE_TABLE)
    assert begun == [4, 4, 4, 5]


def test_a_page_is_worked_out_once_whoever_asks(begun: list[int]) -> None:
    found, drawn = seen(known_log(), secrets=True), PageCache()
    side_by_side(*[partial(drawn.current_page, found, WHOLE_TABLE)] * 6)
    assert begun == [4]
