"""What a process knows of the logs that it serves: as much as a whole reading gives, however it came to know it."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from encounterlog.log import entering, logs
from encounterlog.mcp.desk import Desk, token_of
from encounterlog.places.shelves import FolderShelf
from encounterlog.service import streams as module
from encounterlog.service.routes import ROWS
from encounterlog.service.streams import ServedLog, ServedLogs, hold_log
from eventstore.chain import Anchor
from eventstore.errors import CorruptLog, NotThere
from eventstore.events import Noted
from eventstore.jsonl import JsonlStore, create
from eventstore.memory import MemoryStore
from eventstore.record import Draft
from projections.judging.audit import audit
from projections.language.notation.records import lines_of_appends
from projections.replay.replay import replay
from projections.stream.audience import for_players
from projections.views.view import show
from tests.encounterlog.service.served_logs import EVENTS, OPENING, START, seen
from tests.eventstore.logs import AT, log_of, rounds
from tests.faults.together import side_by_side

APPENDS = st.lists(
    st.tuples(st.lists(st.builds(Draft, event=EVENTS, secret=st.booleans()), min_size=1, max_size=3), st.booleans()),
    max_size=8,
)  # fmt: skip
"""Appends, each with whether it is looked at before the next one."""


def whole(store: MemoryStore | JsonlStore, *, secrets: bool) -> tuple[Any, ...]:
    """Return the same, as it is worked out from the whole log."""
    records = tuple(store.read())
    records = records if secrets else tuple(for_players(records))
    return records, show(replay(records).state), audit(records).findings, lines_of_appends(records)


@settings(deadline=None)
@given(APPENDS, st.booleans())
def test_what_is_kept_and_what_came_since_is_what_the_whole_log_gives(
    appends: Sequence[tuple[Sequence[Draft], bool]], secrets: bool
) -> None:
    store = MemoryStore([OPENING], by="gm", at=AT)
    store.append(START, by="gm", at=AT)
    known = ServedLog("ford", store)
    for drafts, looks in appends:
        store.append(drafts, by="gm", at=AT)
        if looks:
            assert seen(known, secrets=secrets) == whole(store, secrets=secrets)
    for each in (secrets, not secrets):
        assert seen(known, secrets=each) == whole(store, secrets=each)


@pytest.fixture
def shelf(tmp_path: Path) -> FolderShelf:
    for name in ("ford", "pass", "cave"):
        create(tmp_path / f"{name}.jsonl", [OPENING], by="gm", at=AT).append(START, by="gm", at=AT)
    return FolderShelf(tmp_path)


def note(store: Any, text: str = "rain") -> None:
    store.append([Draft(Noted(text=text))], by="gm", at=AT)


def test_only_what_came_since_is_read_and_folded(shelf: FolderShelf, monkeypatch: pytest.MonkeyPatch) -> None:
    known, read = ServedLogs(shelf).log_of("ford"), []
    before = seen(known, secrets=True)
    real = module.whole_records

    def counting(store: Any, after: Anchor | None = None) -> Any:
        for record in real(store, after):
            read.append(record.seq)
            yield record

    monkeypatch.setattr(module, "whole_records", counting)
    table = known.folded.view_for(secrets=True).table
    note(JsonlStore(shelf.folder / "ford.jsonl"))  # as another process would
    assert [record.seq for record in seen(known, secrets=True)[0]] == [1, 2, 3, 4, 5]
    assert (read, len(before[0])) == ([5], 4)
    assert known.folded.view_for(secrets=True).table is table


@pytest.mark.parametrize(
    ("name", "asked"), [("show", {}), ("audit", {}), ("offers", {"line": "a"}), ("line", {"event": 2})]
)
def test_what_is_known_of_the_end_is_not_replayed_again(
    shelf: FolderShelf, monkeypatch: pytest.MonkeyPatch, name: str, asked: dict[str, Any]
) -> None:
    desk = Desk(shelf, token_of("gm"))
    does = next(row.does for row in ROWS if row.path.endswith(f"}}/{name}"))
    assert does is not None
    before = does(desk.call("ford", asked))

    def replayed(*_: Any, **__: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(logs, "replay", replayed)
    monkeypatch.setattr(entering, "Table", replayed)
    assert does(desk.call("ford", asked)).body == before.body


def test_a_log_that_was_rewritten_removed_or_made_anew_is_read_anew(shelf: FolderShelf) -> None:
    knowledge, path = ServedLogs(shelf), shelf.folder / "ford.jsonl"
    assert len(seen(knowledge.log_of("ford"), secrets=True)[0]) == 4
    data = path.read_bytes()
    path.write_bytes(data[: data.rindex(b'{"seq":2')])
    assert len(seen(knowledge.log_of("ford"), secrets=True)[0]) == 1
    note(JsonlStore(path), "another story")
    assert seen(knowledge.log_of("ford"), secrets=True) == whole(JsonlStore(path), secrets=True)
    path.unlink()
    with pytest.raises(NotThere):
        knowledge.log_of("ford")
    path.write_bytes(data)
    assert seen(knowledge.log_of("ford"), secrets=False) == whole(JsonlStore(path), secrets=False)


def test_torn_tails_are_left_out_and_damage_in_what_was_read_is_found(shelf: FolderShelf) -> None:
    known, path = ServedLogs(shelf).log_of("ford"), shelf.folder / "ford.jsonl"
    known.folded.read_new()
    with path.open("ab") as file:
        file.write(b'{"seq":5,"at":')
    known.folded.read_new()
    note(known.store)
    known.folded.read_new()
    assert known.folded.end == JsonlStore(path).head()
    known, path = ServedLogs(shelf).log_of("ford"), shelf.folder / "ford.jsonl"
    for _ in range(2):
        known.folded.read_new()
    path.write_bytes(path.read_bytes().replace(b'"hp":20', b'"hp":21', 1))
    with pytest.raises(CorruptLog):
        known.folded.read_new()


def test_a_fold_that_fails_is_the_problem_of_who_asks_for_it(
    shelf: FolderShelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = ServedLogs(shelf).log_of("ford")
    seen(known, secrets=True)

    def fails(*_: object) -> bool:
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr("projections.language.notation.table.Table.take", fails)
        note(known.store)
        known.folded.read_new()
    assert seen(known, secrets=True) == whole(JsonlStore(shelf.folder / "ford.jsonl"), secrets=True)


def test_as_many_records_are_kept_as_are_allowed(shelf: FolderShelf) -> None:
    knowledge = ServedLogs(shelf, most=9)
    first = {name: knowledge.log_of(name) for name in ("ford", "pass")}
    for each in first.values():
        each.folded.read_new()
    assert knowledge.log_of("ford") is first["ford"]
    third = knowledge.log_of("cave")
    third.folded.read_new()
    assert (knowledge.log_of("cave") is third, knowledge.log_of("ford") is first["ford"]) == (True, True)
    assert knowledge.log_of("pass") is not first["pass"]
    assert sum(map(knowledge.size_of, shelf.names())) <= 9


def test_writers_and_readers_of_one_log_do_not_disturb_each_other(shelf: FolderShelf) -> None:
    knowledge, found = ServedLogs(shelf), list[bool]()

    def often(work: Callable[[ServedLog], None]) -> None:
        for _ in range(30):
            work(knowledge.log_of("ford"))

    def reads(known: ServedLog) -> None:
        with hold_log(known):
            now = known.view(secrets=True, alone=True)
            folded = now.folded
            found.append(folded is not None and folded.table.done.records == now.head.seq)

    def writes(known: ServedLog) -> None:
        with hold_log(known):
            note(known.view(secrets=True, alone=True))

    side_by_side(*(partial(often, work) for work in (reads, reads, writes, writes)))
    assert found == [True] * 60
    assert len(seen(knowledge.log_of("ford"), secrets=True)[0]) == 64


def test_a_log_that_was_rolled_back_is_told_in_the_journal_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, older = tmp_path / "ford.jsonl", log_of([OPENING], rounds(1, 1))
    path.write_bytes(log_of([OPENING], rounds(1, 1), rounds(2, 1)))
    known = ServedLogs(FolderShelf(tmp_path)).log_of("ford")
    for data, size in ((path.read_bytes(), 3), (older, 2), (older, 2)):
        path.write_bytes(data)
        with hold_log(known):
            assert len(known.folded.records) == size
    (line,) = capsys.readouterr().err.splitlines()
    assert '"rewritten":"ford","why":"record 3:' in line
