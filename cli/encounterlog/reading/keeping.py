"""Views of long logs, kept in the user's cache folder, so that what was shown once is not worked out again.

A kept view is only a cache. It is thrown away unless the program is the same, file by file, and the ruleset's revision, and
the log is the same file, of the same size, unchanged since, and ends with the record that it ended with. The folder is for its
owner alone, since a view holds secrets; one that others may enter, or that belongs to somebody else, is not used, and no file
in it that others may write. Even so nothing of a file is run: it is a pickle from which nothing is made but structs of this
program. ENCOUNTER_CACHE names another folder, or says off.
"""

import os
import pickle
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from encounterlog import __version__
from encounterlog.pages.show import View
from eventstore import hashing
from eventstore.address import Address
from eventstore.form import LONGEST_LINE
from projections.rulesets import find

LEAST = 1 << 22
"""The size of a log, in bytes, from which on its views are kept: that of some 10,000 records."""
SETTLED = 2.0
"""How long ago a file must have changed, in seconds, so that another change would give it another time."""
MOST, MOST_IN_ALL = 1 << 23, 1 << 26
"""The size of one view, and of all that are kept, in bytes."""
OFF = ("off", "0", "no")
OURS = ("eventstore", "projections", "encounterlog")
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


class Of(Struct, frozen=True):
    """What a view is of: the program, the file as it was, the end of the log as SEQ:HASH, the revision of its ruleset."""

    program: str
    file: tuple[int, ...]
    head: str
    ruleset: str
    revision: int


def viewed(log: Address, asked: tuple[Any, ...], make: Callable[[], View]) -> tuple[View, int]:
    """Return a view of a log, made or kept, and the first record that was verified for it.

    `asked` says which view it is: all that it depends on besides the log.
    """
    path = Path(log) if isinstance(log, str) else None
    before = _state(path) if path else None
    folder = _folder() if before else None
    if path is None or before is None or folder is None:
        return make(), 1
    name = folder / f"{_digest(repr((os.path.realpath(path), asked)))[:40]}.view"
    head = _end(path)
    if head and (found := _read(name, before, head)):
        return found, int(head.partition(":")[0])
    view = make()
    unchanged = _state(path) == before and time.time_ns() - before[-1] > SETTLED * 1e9
    if head and view.problem is None and unchanged:
        with suppress(OSError):  # it is only a cache
            _write(name, view, _of(view.shown.ruleset, before, head))
    return view, 1


def _state(path: Path) -> tuple[int, ...] | None:
    """Return what identifies a file as it is, its times last; None if it is no file, or too small."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(status.st_mode) or status.st_size < LEAST:
        return None
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def _end(path: Path) -> str | None:
    """Return seq and hash that the last line of a log gives, as SEQ:HASH; None if it is not whole."""
    with suppress(OSError, ValueError, KeyError, TypeError), path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        for length in (1 << 12, LONGEST_LINE):
            file.seek(max(0, size - length))
            before, _, line = file.read(length).rstrip(b"\n").rpartition(b"\n")
            if before:
                record = msgspec.json.decode(line)
                return f"{record['seq']}:{record['hash']}"
    return None


# ---------------------------------------------------------------- entries


def _of(ruleset: str, file: tuple[int, ...], head: str) -> Of:
    return Of(_program(), file, head, ruleset, find(ruleset).revision)


def _read(name: Path, file: tuple[int, ...], head: str) -> View | None:
    """Return a kept view, if it is one of this log as it is and by this program; remove one that is not."""
    try:
        of, _, data = _private(name).partition(b"\n")
        known = msgspec.json.decode(of, type=Of)
        if known == _of(known.ruleset, file, head):
            return View(*_Structs(BytesIO(data)).load())
    except FileNotFoundError:
        return None
    except Exception:  # noqa: BLE001, S110 – whatever is wrong with it, it is only a cache
        pass
    with suppress(OSError):
        name.unlink()
    return None


class _Structs(pickle.Unpickler):
    """A reader of pickles that makes nothing but structs of this program, and what JSON has, too."""

    def find_class(self, module: str, name: str) -> Any:
        """Return a class of structs; raise UnpicklingError for anything else."""
        found = getattr(import_module(module), name, None) if module.partition(".")[0] in OURS else None
        if isinstance(found, type) and issubclass(found, Struct):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is no struct of ours")


def _private(name: Path) -> bytes:
    """Return the bytes of a file that is its owner's alone; raise OSError for any other."""
    fd = os.open(name, _READ)
    with open(fd, "rb") as file:  # noqa: PTH123 – an open file
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode) or not _is_ours(status) or status.st_size > MOST:
            raise PermissionError(str(name))
        return file.read(MOST)


def _write(name: Path, view: View, of: Of) -> None:
    """Write a view, whole or not at all, if it will be read as it is; make room for it."""
    data = pickle.dumps(tuple(view), pickle.HIGHEST_PROTOCOL)
    if len(data) > MOST or _Structs(BytesIO(data)).load() != tuple(view):
        return
    part = name.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
    try:
        with open(os.open(part, _NEW, 0o600), "wb") as file:  # noqa: PTH123 – an open file
            file.write(msgspec.json.encode(of) + b"\n" + data)
        part.replace(name)
    finally:
        part.unlink(missing_ok=True)
    _make_room(name.parent)


def _make_room(folder: Path) -> None:
    """Remove those kept first, until all others together are small enough."""
    left = MOST_IN_ALL
    for entry in sorted(os.scandir(folder), key=lambda each: -each.stat(follow_symlinks=False).st_mtime_ns):
        left -= entry.stat(follow_symlinks=False).st_size
        if left < 0:
            os.unlink(entry)  # noqa: PTH108 – an entry


# ---------------------------------------------------------------- where, and by whom


def _folder() -> Path | None:
    """Return the folder of kept views, made if need be; None if there is to be none, or it is not ours alone."""
    named = os.environ.get("ENCOUNTER_CACHE")
    if named is not None and (not named or named.lower() in OFF):
        return None
    try:
        folder = Path(named) if named else _of_the_user() / "encounterlog"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.lstat()
    except (OSError, RuntimeError, ValueError):
        return None
    return folder if stat.S_ISDIR(status.st_mode) and _is_ours(status) else None


def _of_the_user() -> Path:
    """Return the folder for caches of this system."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    named = os.environ.get("XDG_CACHE_HOME", "")
    return Path(named) if Path(named).is_absolute() else Path.home() / ".cache"


def _digest(text: str) -> str:
    return hashing.sha256(text.encode(errors="replace")).hexdigest()


def _is_ours(status: os.stat_result) -> bool:
    """Say whether something belongs to the user, and nobody else may read or write it, where there are such rights."""
    return os.name == "nt" or (status.st_uid == os.geteuid() and not status.st_mode & 0o077)


def _program() -> str:
    """Return the version of the program, and a digest of sizes and times of its files."""
    import encounterlog
    import eventstore
    import projections

    found = hashing.sha256()
    for package in (eventstore, projections, encounterlog):
        for each in _files(package.__path__[0]):
            status = each.stat()
            found.update(f"{each.path}:{status.st_size}:{status.st_mtime_ns}\n".encode(errors="replace"))
    return f"{__version__} {found.hexdigest()}"


def _files(folder: str) -> Iterator["os.DirEntry[str]"]:
    for entry in sorted(os.scandir(folder), key=lambda each: each.name):
        if entry.is_dir(follow_symlinks=False):
            if entry.name != "__pycache__":
                yield from _files(entry.path)
        elif entry.name.endswith((".py", ".toml")):
            yield entry
