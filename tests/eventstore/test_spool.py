"""What is read once: records that are held, in memory or in a file without a name, and yielded again."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from eventstore import spool
from eventstore.events import Noted
from eventstore.memory import MemoryStore
from eventstore.record import Recorded
from eventstore.spool import Once
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

    monkeypatch.setattr(spool, "_open_unnamed", full)
    monkeypatch.setattr("tempfile.gettempdir", lambda: "/there")
    with pytest.raises(OSError, match="No space left on device: '/there'"):
        list(Once(iter(records)))


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="this system has no files without a name")
def test_a_file_without_a_name_needs_no_module_and_nobody_else_finds_it(tmp_path: Path) -> None:
    script = """
import os, sys
from eventstore.spool import Spool
held = Spool(kept=0)
for number in range(250):
    held.append(number)
assert list(held) == list(range(250))
print("tempfile" in sys.modules, os.listdir(os.environ["TMPDIR"]))
"""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, env=env)
    assert (done.stdout, done.stderr) == ("False []\n", "")


@pytest.mark.parametrize("missing", ["the system has none", "the folder takes none"])
def test_where_there_are_no_files_without_a_name_a_temporary_file_is_taken(
    records: list[Recorded], monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    if missing == "the system has none":
        monkeypatch.setattr(os, "O_TMPFILE", 0, raising=False)
    else:
        monkeypatch.setenv("TMPDIR", "/dev/null")
    assert list(Once(iter(records))) == records
