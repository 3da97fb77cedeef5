import errno
import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from eventstore import disk as module, files
from eventstore.disk import READ, Disk
from eventstore.errors import Busy, NotWritten
from eventstore.events import Noted
from eventstore.files import KINDS, NOTED
from eventstore.jsonl import JsonlStore, create
from tests.eventstore.logs import AT, OPENING, drafts, rounds


@pytest.fixture
def path(tmp_path: Path) -> Path:
    create(tmp_path / "ford.jsonl", drafts(OPENING), by="gm", at=AT).close()
    return tmp_path / "ford.jsonl"


# ---------------------------------------------------------------- macOS, by substitution


class Mac(Disk):
    """Is a disk as macOS has it: no fdatasync, and a call that reaches beyond the drive's cache."""

    _full = 51
    _data = staticmethod(os.fsync)


class Control:
    def __init__(self, error: int = 0) -> None:
        self.calls: list[tuple[int, int]] = []
        self.error = error

    def __getattr__(self, name: str) -> object:

        return getattr(fcntl, name)

    def fcntl(self, fd: int, what: int) -> None:
        self.calls.append((fd, what))
        if self.error:
            raise OSError(self.error, os.strerror(self.error))


def test_on_macos_an_append_reaches_beyond_the_drives_cache(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "fcntl", control := Control())
    store = JsonlStore(path, disk=Mac())
    store.append(rounds(1, 1), by="gm", at=AT)
    assert [what for _, what in control.calls] == [51]
    assert len(list(store.read())) == 2


@pytest.mark.parametrize("error", [errno.ENOTSUP, errno.ENOTTY, errno.EINVAL])
def test_a_medium_without_that_call_gets_the_next_best(path: Path, monkeypatch: pytest.MonkeyPatch, error: int) -> None:
    synced: list[int] = []
    fsync = os.fsync
    monkeypatch.setattr(module, "fcntl", Control(error))

    def counted(fd: int) -> None:
        synced.append(fd)
        fsync(fd)

    monkeypatch.setattr(os, "fsync", counted)
    JsonlStore(path, disk=Mac()).append(rounds(1, 1), by="gm", at=AT)
    assert len(synced) == 1


def test_a_failure_of_that_call_is_a_failure(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "fcntl", Control(errno.EIO))
    with pytest.raises(Exception, match="did not confirm"):
        JsonlStore(path, disk=Mac()).append(rounds(1, 1), by="gm", at=AT)


# ---------------------------------------------------------------- Windows, by substitution


class Windows(Disk):
    """Is a disk as Windows has it: no flock, no pread, folders that cannot be opened."""

    can_lock = False
    _folders = False


def test_on_windows_logs_are_made_and_read_and_writing_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system_open = os.open

    def opened(path: Path | str, flags: int, mode: int = 0o777) -> int:
        if Path(path).is_dir():
            raise PermissionError(errno.EACCES, "Permission denied")
        return system_open(path, flags, mode)

    monkeypatch.setattr(os, "open", opened)
    monkeypatch.setattr(module, "fcntl", None)
    monkeypatch.delattr(os, "pread")
    store = create(tmp_path / "a.jsonl", [*drafts(OPENING), *rounds(1, 30)], by="gm", at=AT, disk=Windows())
    assert len(list(store.read())) == 31
    assert store.verify().sound
    with pytest.raises(NotWritten, match="no flock"):
        store.append(rounds(2, 1), by="gm", at=AT)


# ---------------------------------------------------------------- who holds it, and where it is


def test_a_log_that_is_held_too_long_says_by_whom(path: Path) -> None:
    held = "import fcntl, sys; f = open(sys.argv[1]); fcntl.flock(f, fcntl.LOCK_EX); print('held', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", held, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        store = JsonlStore(path, wait=0.01)
        for work in (lambda: store.append(rounds(1, 1), by="gm", at=AT), store.head):
            with pytest.raises(Busy) as caught:
                work()
            if sys.platform == "linux":
                assert f"process {holder.pid} (python" in str(caught.value)
                assert "import fcntl" in str(caught.value)
            else:
                assert "another writer held the lock" in str(caught.value)
        holder.communicate("\n")


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="only Linux tells who holds a lock")
def test_who_waits_for_a_lock_or_has_no_number_does_not_hold_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status = path.stat()
    file = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    rows = [
        f"1: FLOCK  ADVISORY  WRITE 71 {file} 0 EOF",
        f"1: -> FLOCK  ADVISORY  WRITE 72 {file} 0 EOF",
        f"2: OFDLCK ADVISORY  WRITE -1 {file} 0 EOF",
        f"3: FLOCK  ADVISORY  READ 0 {file} 0 EOF",
        f"4: FLOCK  ADVISORY  READ 70 {file} 0 EOF",
        f"5: FLOCK  ADVISORY  WRITE 73 {file}7 0 EOF",
        "",
    ]
    disk = Disk()
    fd = disk.open(str(path), READ)
    monkeypatch.setattr(module, "read_system_file", lambda _: "\n".join(rows))
    assert disk.holders(fd) == [70, 71]
    disk.close(fd)


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="only Linux tells how a process was called")
def test_a_process_without_a_name_is_a_number() -> None:
    """So is one that is over, and whose parent has not asked for it."""
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    assert files._name_processes([child, os.getpid()]) == (f"process {child}", f"process {os.getpid()} (this one)")
    os.waitpid(child, 0)
    assert files._name_processes([child]) == (f"process {child}",)


class On(Disk):
    def __init__(self, kind: str) -> None:
        self.name = kind

    def kind(self, _path: str) -> str:
        return self.name


@pytest.mark.parametrize("kind", [*sorted(KINDS), "fuse.sshfs", "fuse"])
def test_a_network_file_system_is_refused_with_the_reason(path: Path, kind: str) -> None:
    before = path.read_bytes()
    with pytest.raises(NotWritten, match=f"network file system \\({kind}\\), whose locks may not keep") as caught:
        JsonlStore(path, disk=On(kind)).append(rounds(1, 1), by="gm", at=AT)
    assert "--network-drive" in caught.value.hint
    with pytest.raises(NotWritten, match="network file system"):
        create(path.with_name("other.jsonl"), drafts(OPENING), by="gm", at=AT, disk=On(kind))
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    assert len(list(JsonlStore(path, disk=On(kind)).read())) == 1


@pytest.mark.parametrize("kind", ["", "ext4", "fuseblk"])
def test_a_disk_of_this_machine_is_none(path: Path, kind: str) -> None:
    assert JsonlStore(path, disk=On(kind)).append(rounds(1, 1), by="gm", at=AT).first == 2


def test_only_the_stores_own_words_of_it_count(path: Path) -> None:
    JsonlStore(path).append(drafts(Noted(text=f"{NOTED} (nfs4), they say")), by="gm", at=AT)
    path.write_bytes(path.read_bytes() + b"torn")
    JsonlStore(path).append(rounds(1, 1), by="gm", at=AT)
    store = JsonlStore(path, disk=On("nfs4"), network_drive=True)
    store.append(rounds(2, 1), by="gm", at=AT)
    noted = [record.event.text for record in store.read() if isinstance(record.event, Noted)]
    assert [text.startswith(NOTED) for text in noted] == [True, False, True]


def test_a_log_made_there_says_so_from_the_start(tmp_path: Path) -> None:
    store = create(tmp_path / "a.jsonl", drafts(OPENING), by="gm", at=AT, disk=On("cifs"), network_drive=True)
    opening, note = store.read()
    assert (opening.by, note.by) == ("gm", "encounterlog")
    store.append(rounds(1, 1), by="gm", at=AT)
    JsonlStore(store.path, disk=On("cifs"), network_drive=True).append(rounds(1, 1), by="gm", at=AT)
    assert [record.by for record in store.read()] == ["gm", "encounterlog", "gm", "gm"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a folder is mounted from")
def test_the_kind_of_a_real_file_system_is_known() -> None:
    assert Disk().kind("/proc/self") == "proc"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a folder is mounted from")
def test_a_block_device_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    device, looks = os.makedev(250, 77), []

    def text(path: str) -> str:
        looks.append(path)
        return "27 1 250:77 / /mnt rw - xfs /dev/x rw\n"

    monkeypatch.setattr(module, "read_system_file", text)
    monkeypatch.setattr(os, "stat", lambda _: os.stat_result((0, 0, device, 0, 0, 0, 0, 0, 0, 0)))
    module._kind_of_block_device.cache_clear()
    kinds = [Disk().kind("/mnt"), Disk().kind("/mnt/here")]
    monkeypatch.undo()
    module._kind_of_block_device.cache_clear()
    assert (kinds, len(looks)) == (["xfs", "xfs"], 1)


def test_a_folder_that_the_system_cannot_sync_hinders_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So are some file systems: there is no such call for folders, and none is missed."""

    def refuse(_fd: int) -> None:
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(os, "fsync", refuse)
    store = create(tmp_path / "a.jsonl", drafts(OPENING), by="gm", at=AT)
    store.path.write_bytes(store.path.read_bytes() + b'{"seq":2')
    assert store.append(rounds(1, 1), by="gm", at=AT).first == 3


def test_names_in_a_folder_are_brought_to_disk_once_and_failures_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []

    def sync(fd: int) -> None:
        synced.append(fd)
        if len(synced) > 1:
            raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(os, "fsync", sync)
    Disk().sync_folder(str(tmp_path))
    assert len(synced) == 1
    with pytest.raises(OSError, match="broken"):
        Disk().sync_folder(str(tmp_path))
