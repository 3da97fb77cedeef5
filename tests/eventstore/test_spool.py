"""What is read once: records that are held, in memory or in a file without a name, and yielded again."""

from pathlib import Path

import pytest

from eventstore import spool
from eventstore.events import Noted
from eventstore.memory import MemoryStore
from eventstore.record import Recorded
from eventstore.spool import Once, Spool
from eventstore.withholding import Withhold
from tests.eventstore.logs import AT, OPENING, drafts


@pytest.fixture(params=[1 << 19, 900, 0], ids=["in memory", "in part in a file", "in a file"], autouse=True)
def kept(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "HELD", request.param)
    monkeypatch.setattr(spool, "KEPT", request.param // 300)
    monkeypatch.setattr(spool, "GROUP", 2)


@pytest.fixture
def records() -> list[Recorded]:
    """Return records of all kinds: alone and in a batch, secret, withheld, of an unknown type, beyond ASCII."""
    store = MemoryStore(drafts(OPENING), by="gm", at=AT)
    for text in ("a", "Übelkrähe 🐑\n", "c"):
        store.append(drafts(Noted(text=text), Noted(text=text * 2)), by="gm", at=AT, key=text[:1])
    return list(Withhold(frozenset({3})).apply_to(store.read()))


def test_a_full_disk_is_named_by_the_folder_of_temporary_files(
    records: list[Recorded], monkeypatch: pytest.MonkeyPatch
) -> None:
    if spool.HELD > 1_000:
        pytest.skip("no file is written")

    def full() -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryFile", full)
    monkeypatch.setattr("tempfile.gettempdir", lambda: "/there")
    with pytest.raises(OSError, match="No space left on device: '/there'"):
        list(Once(iter(records)))


def test_nobody_else_finds_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    held = Spool[int](kept=0)
    for number in range(250):
        held.append(number)
    assert list(held) == list(range(250))
    assert list(tmp_path.iterdir()) == []
