"""An append at the end of a log waits its turn, however many writers come first: of the API, of commands, and of a service."""

from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

import encounterlog as el
from encounterlog.log import appending, entering
from encounterlog.log.folded_log import kept_view
from encounterlog.places.remote import MOST, Client, Request
from encounterlog.places.stores import open_store
from eventstore.address import Url
from eventstore.events import CombatantJoined, Noted
from eventstore.record import Draft
from tests.eventstore.logs import AT, OPENING, log_of


class Preceded:
    """A store with a quicker writer: a fact of theirs comes before each append."""

    def __init__(self, path: Path, theirs: Any) -> None:
        self._store, self._theirs = open_store(str(path)), theirs

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def append(self, drafts: Any, **how: Any) -> Any:
        self._store.append([Draft(self._theirs)], by="other", at=AT)
        return self._store.append(drafts, **how)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.jsonl"
    el.new(path, ruleset="5e").tell("join ana party hp=20")
    return path


def preceded(path: Path, theirs: Any = None) -> Any:
    return Preceded(path, theirs or Noted(text="theirs"))


def test_it_is_decided_after_those_who_came_first(path: Path) -> None:
    log = el.Log(path, store=preceded(path))
    assert log.append({"type": "noted", "text": "ours"}).first == 4
    assert log.tell("ana -3").first == 6
    assert log.state().combatants["ana"].hp.value == 17
    with pytest.raises(el.WrongVersion):
        log.append({"type": "noted", "text": "ours"}, after=6)


def test_so_are_the_facts_and_lines_of_commands(path: Path) -> None:
    facts = appending.read_fact_lines(b'{"type":"noted","text":"ours"}')
    done = appending.append_lines(kept_view(str(path), store=preceded(path)), facts, by="gm", after=None, key=None)
    assert (done.written.first, [record.seq for record in done.before][-1]) == (4, 3)
    told = entering.tell_line(kept_view(str(path), store=preceded(path)), "ana -3", by="gm", roll=None)
    assert told.done is not None
    assert (told.done.written.first, len(told.done.before.records)) == (6, 5)


def test_what_cannot_be_recorded_after_those_who_came_first_is_refused(path: Path) -> None:
    log = el.Log(path, store=preceded(path, CombatantJoined(combatant="bo", side="party", sheet={})))
    with pytest.raises(el.Malformed, match="bo is a combatant"):
        log.append({"type": "combatant_joined", "combatant": "cy", "side": "bo", "sheet": {}})
    assert el.open(path).head.seq == 3


def test_at_a_service_it_is_busy_after_so_many_tries() -> None:
    ours, (theirs, *_) = [Draft(Noted(text="ours"))], log_of([Draft(OPENING)]).splitlines()
    steps = Client(Url("https://example.org/e/ford")).append(ours, None, None, lambda _: ours)
    refusal = {
        "type": "#wrong-version",
        "exit": 5,
        "expected": "0",
        "found": "1",
        "between": [msgspec.json.decode(theirs)],
    }
    replies = {"GET": httpx.Response(200, content=theirs + b"\n"), "POST": httpx.Response(412, json=refusal)}
    sent = list[str]()

    def asked() -> None:
        step = next(steps)
        while True:
            sent.append(step.method if isinstance(step, Request) else "pause")
            step = steps.send(replies.get(sent[-1], httpx.Response(200)))

    with pytest.raises(el.Busy, match=f"other writers, who came first {MOST} times, held the lock"):
        asked()
    assert (sent.count("POST"), sent.count("pause")) == (MOST, MOST - 1)
