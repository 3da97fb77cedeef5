"""Reading on from an anchor in a file: what is read of it, and what is found out although it is not."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from eventstore.chain import Anchor
from eventstore.errors import CorruptLog, NotThere, Rewritten
from eventstore.jsonl import JsonlStore, create
from tests.eventstore.logs import AT, OPENING, drafts, rounds


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "ford.jsonl"
    with create(path, drafts(OPENING), by="gm", at=AT) as store:
        for number in range(400):
            store.append(rounds(number, 2), by="gm", at=AT, mode="flushed")
    return path


def test_an_anchor_that_was_cut_off_or_replaced_is_gone(path: Path, tmp_path: Path) -> None:
    store = JsonlStore(path)
    end, data = store.head(), path.read_bytes()
    path.write_bytes(data[: data.rindex(b'{"seq":')])
    with pytest.raises(Rewritten, match="the log ends before it"):
        list(store.read(end))
    create(tmp_path / "other.jsonl", drafts(OPENING), by="gm", at=AT).append(rounds(1, 900), by="gm", at=AT)
    (tmp_path / "other.jsonl").replace(path)
    with pytest.raises(Rewritten, match="another stands there"):
        list(store.read(end))
    path.unlink()
    with pytest.raises(NotThere):
        list(store.read(end))


def test_a_torn_tail_is_a_fault_after_the_records_before_it(path: Path) -> None:
    store = JsonlStore(path)
    end = store.head()
    store.append(rounds(1, 1), by="gm", at=AT)
    with path.open("ab") as file:
        file.write(b'{"seq":803,"at":"20')
    records = store.read(end)
    assert next(records).seq == 802
    with pytest.raises(CorruptLog) as caught:
        next(records)
    assert caught.value.torn


def longer(data: bytes) -> bytes:
    return data.replace(b'"round":7}', b'"round":77}', 1)


def as_long(data: bytes) -> bytes:
    return data.replace(b'"round":7}', b'"round":8}', 1)


@pytest.mark.slow
@pytest.mark.parametrize("change", [as_long, longer])
@pytest.mark.parametrize("how", ["in place", "by another file", "in place, with the old time"])
@pytest.mark.parametrize("looked", [1, 2])
def test_a_change_before_the_anchor_is_found_however_the_file_was_written(
    path: Path, change: Callable[[bytes], bytes], how: str, looked: int
) -> None:
    store, before = JsonlStore(path), path.stat()
    end = [Anchor(record.seq, record.hash) for record in store.read()][-1]
    for _ in range(looked - 1):
        assert list(store.read(end)) == []
    place = path if how != "by another file" else path.with_suffix(".new")
    place.write_bytes(change(path.read_bytes()))
    place.replace(path)
    if how == "in place, with the old time":
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(CorruptLog):
        list(store.read(end))
    with pytest.raises(CorruptLog):  # and again: what is damaged stays damaged
        list(store.read(end))
