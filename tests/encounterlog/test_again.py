"""A long log is verified in the first pass of a command, and only decoded in the next ones, as long as nobody touches it."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from encounterlog.reading import again
from encounterlog.reading.logs import Log
from eventstore import reading
from eventstore.errors import CorruptLog, NotReadable
from tests.encounterlog.support import append, encounter, quarrel


@pytest.fixture
def log(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a log that is treated as a long one, and as one that did not change for a while."""
    monkeypatch.setattr("encounterlog.reading.logs.SMALL", 0)
    monkeypatch.setattr(again, "SETTLED", 0)
    return quarrel(folder / "ford.jsonl")


@pytest.fixture
def verified(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the lines that were verified, by their numbers."""
    found: list[int] = []

    class Counting(reading.Walk):
        def __iter__(self) -> Iterator[Any]:
            for record in super().__iter__():
                found.append(record.seq)
                yield record

    monkeypatch.setattr("eventstore.jsonl.Walk", Counting)
    return found


def test_the_second_pass_gives_the_same_records_and_verifies_nothing(log: Path, verified: list[int]) -> None:
    append(log, '{"type":"amended","event":16,"replacement":{"type":"damage_dealt","target":"orc-1","amount":5}}')
    verified.clear()
    once = Log(str(log))
    first = list(once)
    assert verified == [record.seq for record in first]
    assert list(once) == first
    assert once.last == first[-1]
    assert len(verified) == len(first)


def test_what_changed_a_moment_ago_is_verified_again(
    log: Path, verified: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(again, "SETTLED", 3_600)
    once = Log(str(log))
    assert list(once) == list(once)
    assert verified == [*range(1, 20), *range(1, 20)]


def test_what_is_appended_between_two_passes_is_not_seen_and_all_is_verified(log: Path, verified: list[int]) -> None:
    once = Log(str(log))
    first = list(once)
    append(log, '{"type":"noted","text":"Rain."}')
    verified.clear()
    assert list(once) == first
    assert verified[: len(first)] == [record.seq for record in first]


def test_a_log_that_is_changed_between_two_passes_is_found_out(log: Path) -> None:
    once = Log(str(log))
    assert len(list(once)) == 19
    kept, data = log.stat(), log.read_bytes()
    log.write_bytes(data.replace(b"orc-1", b"orc-2"))
    os.utime(log, ns=(kept.st_atime_ns, kept.st_mtime_ns))
    with pytest.raises(CorruptLog):
        list(once)


def test_a_log_that_is_changed_during_the_second_pass_is_found_out(log: Path) -> None:
    once = Log(str(log))
    list(once)
    records = iter(once)
    next(records)
    log.write_bytes(log.read_bytes())
    with pytest.raises(NotReadable, match="changed while it was read"):
        list(records)


def test_another_file_in_its_place_is_not_taken_for_it(log: Path) -> None:
    unchanged = again.state(str(log))
    assert unchanged
    other = log.with_name("other.jsonl")
    other.write_bytes(log.read_bytes())
    other.replace(log)
    with pytest.raises(NotReadable, match="changed while it was read"):
        list(again.records(str(log), 19, unchanged))


def test_a_damaged_log_is_verified_in_every_pass(log: Path, verified: list[int]) -> None:
    log.write_bytes(log.read_bytes()[:-9])
    once = Log(str(log))
    for _ in range(2):
        with pytest.raises(CorruptLog):
            list(once)
    assert verified == [1, 1]


def test_a_long_log_is_shown_as_a_short_one(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    streamed = [encounter(*words, log) for words in (("show",), ("audit",), ("log",), ("show", "--at", "12"))]
    monkeypatch.setattr("encounterlog.reading.logs.SMALL", 1 << 22)
    kept = [encounter(*words, log) for words in (("show",), ("audit",), ("log",), ("show", "--at", "12"))]
    assert [(one.exit_code, one.stdout, one.stderr) for one in streamed] == [
        (one.exit_code, one.stdout, one.stderr) for one in kept
    ]


def test_to_be_shown_a_long_log_is_verified_once_and_decoded_for_its_corrections_and_its_facts(
    log: Path, verified: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[int] = []
    records = again.records

    def counted(*how: Any) -> Iterator[Any]:
        for record in records(*how):
            decoded.append(record.seq)
            yield record

    monkeypatch.setattr(again, "records", counted)
    assert encounter("show", log).exit_code == 0
    assert verified == [*range(1, 20)]
    assert decoded == verified * 2


@pytest.mark.parametrize("note", [
    '{"type":"round_started","round":7}', '{"type":"noted","text":"\\"event\\":{\\"type\\":\\"round_started\\",\\"round\\":7}"}',
])  # fmt: skip
def test_a_long_log_whose_last_round_was_struck_is_shown_as_a_short_one(
    log: Path, monkeypatch: pytest.MonkeyPatch, note: str
) -> None:
    append(log, note)
    if "noted" not in note:
        append(log, '{"type":"struck","event":20}')
    long = encounter("show", log)
    monkeypatch.setattr("encounterlog.reading.logs.SMALL", 1 << 22)
    assert (long.exit_code, long.stdout) == (0, encounter("show", log).stdout)
