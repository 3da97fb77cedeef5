"""A log object that is kept from one line to the next records what a new one does, and reads only what came since."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

import encounterlog as el
from encounterlog.log import folded_log
from eventstore.errors import CorruptLog, Malformed
from projections.language.notation import table
from projections.language.notation.tokens import NotUnderstood
from projections.replay.replay import replay

START = ("join Ada party hp=9", "join Orc orcs hp=6", "r")
LINES = st.sampled_from(
    ("orc -2", "ada hits orc -1", "note rain", "secret note mist", "orc is prone", "u", "redo", "r", "orc +1", "strike 5",
     "amend 6 orc -3", "insert after 4 note mud", "nonsense 1", "!orc", "correct orc -1")
)  # fmt: skip
FACTS = st.sampled_from(
    (
        {"type": "damage_dealt", "target": "orc", "amount": 1},
        {"type": "struck", "event": 4},
        {"type": "noted", "text": "sun"},
        {"type": "damage_dealt", "target": "nobody", "amount": 1},
    )
)
WRITES: st.SearchStrategy[Any] = st.lists(
    st.tuples(st.sampled_from(("kept", "another")), LINES | FACTS | st.lists(FACTS, min_size=2, max_size=3)), max_size=12
)  # fmt: skip


def wrote(log: el.Log, what: Any) -> str:
    """Record a line or facts; return what is wrong with them, if anything is."""
    try:
        log.tell(what) if isinstance(what, str) else log.append(what)
    except (Malformed, NotUnderstood) as error:
        return f"{error!r} {getattr(error, '__notes__', ())}"
    return ""


@pytest.fixture
def log(tmp_path: Path) -> el.Log:
    made = el.new(tmp_path / "ford.jsonl", ruleset="plain")
    for line in START:
        made.tell(line)
    return made


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the list of the sizes of logs that are replayed whole."""
    found: list[int] = []
    begin = table.Table.__init__

    def replayed(records: Any) -> Any:
        found.append(len(records))
        return replay(records)

    def begun(self: Any, records: Any, **how: Any) -> None:
        found.append(len(list(records)))
        begin(self, records, **how)

    monkeypatch.setattr(folded_log, "replay", replayed)
    monkeypatch.setattr(table.Table, "__init__", begun)
    return found


def rolled_back(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: data.rindex(b'{"seq"')])


def replaced(path: Path) -> None:
    path.unlink()
    made = el.new(path, ruleset="plain")
    for line in (*START, "note another story"):
        made.tell(line)


@pytest.mark.parametrize("change", [rolled_back, replaced])
def test_a_log_that_was_rewritten_is_read_again(log: el.Log, change: Callable[[Path], None]) -> None:
    log.tell("orc -5")
    change(log.path)
    log.tell("orc -1")
    assert el.open(log.path).state().combatants["orc"].hp.value == 5


def test_damage_to_what_is_known_is_found_before_anything_is_appended(log: el.Log) -> None:
    log.path.write_bytes(log.path.read_bytes().replace(b'"hp":9', b'"hp":8'))
    for _ in range(2):
        with pytest.raises(CorruptLog):
            log.tell("orc -1")


def test_threads_that_share_a_log_record_every_line(log: el.Log) -> None:
    def often() -> None:
        for _ in range(12):
            log.tell("orc -1")

    crew = [threading.Thread(target=often) for _ in range(3)]
    for each in crew:
        each.start()
    for each in crew:
        each.join()
    assert len(list(log)) == 4 + 36
