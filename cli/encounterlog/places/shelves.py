"""Shelves: all logs of a folder or a database by name, with the tokens that open them. A service serves one shelf."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from encounterlog.errors import Refused
from encounterlog.places import databases
from encounterlog.places.stores import create_store, parse_address
from encounterlog.places.tokens import TOKENS, FileTokens
from eventstore import errors, files, jsonl
from eventstore.address import Url, is_url
from eventstore.disk import MACHINE, Disk
from eventstore.errors import Malformed, NotReadable, NotThere, NotWritten, StoreError
from eventstore.form import is_normal
from eventstore.record import Draft
from eventstore.store import Store
from eventstore.wording import nearest, visible

SUFFIX = ".jsonl"
LONGEST = files.LONGEST_NAME - len(SUFFIX)  # the longest name of an encounter, in bytes of UTF-8
_OPEN = 256  # the number of logs of a folder that are held open
_REMEMBERED = 1024  # the number of logs of a database that are remembered with their verified parts


def check_name(name: str) -> str:
    """Return the name of an encounter, which is also that of its file without .jsonl; raise Malformed."""
    if not name or not is_normal(name) or "\ufffd" in name:  # which stands for bytes that are no text
        raise Malformed("name", "is empty, or not text in Unicode normal form C")
    if visible(name) != name or name != name.strip():
        raise Malformed("name", "has invisible characters, or blanks at its ends")
    if any(letter in name for letter in '/\\:*?"<>|') or name[0] in ".-~":
        raise Malformed("name", 'has one of / \\ : * ? " < > | or begins with . - or ~', "give a plain name: the-ford")
    if len(name.encode()) > LONGEST:
        raise Malformed("name", f"is longer than {LONGEST} bytes", "choose a shorter one")
    return name


def _is_name(name: str) -> bool:
    with suppress(Malformed):
        return bool(check_name(name))
    return False


class FolderShelf:
    """The .jsonl files of a folder, and a file of tokens beside them; other files and subfolders are left alone."""

    def __init__(self, folder: Path, *, disk: Disk = MACHINE) -> None:
        """Raise NotReadable if it is not a folder."""
        self.folder, self._disk = folder, disk
        self.tokens = FileTokens(folder / TOKENS)
        self._stores: dict[str, jsonl.JsonlStore] = {}
        self._lock = threading.Lock()
        self.check()

    def names(self) -> tuple[str, ...]:
        """Return the names of all logs, sorted; a file whose name no encounter can have is left out."""
        return tuple(sorted(path.stem for path in self._files() if path.suffix == SUFFIX and _is_name(path.stem)))

    def store(self, name: str) -> jsonl.JsonlStore:
        """Return the store of a log; raise Malformed, NotThere."""
        path = self._path(name)
        if not path.is_file():
            raise NotThere(name, "there is no such encounter")
        with self._lock:
            found = self._stores.pop(name, None)
            if found is None or found.unwritable:
                # one that ceased to write is verified, and brought to the disk, before it is written again
                found = jsonl.JsonlStore(path, doubt=found.unwritable if found else "", disk=self._disk)
            self._stores[name] = found  # the last in use stands last
            old = self._stores.pop(next(iter(self._stores))) if len(self._stores) > _OPEN else None
        if old is not None:
            old.close()
        return found

    def create(self, name: str, drafts: Sequence[Draft], *, by: str, at: str) -> Store:
        """Create a log whose first draft opens the encounter; raise as the store does, AlreadyThere for a taken name."""
        path = self._path(name)
        try:
            jsonl.create(path, drafts, by=by, at=at)
        except NotWritten:
            if path.is_symlink() or path.exists():
                raise errors.AlreadyThere(name, "there is such an encounter already", "choose another name") from None
            raise
        return self.store(name)

    def unwritable(self) -> Mapping[str, str]:
        """Return why logs cannot be written at the moment, by their names; each of them is tried again."""
        with self._lock:
            doubtful = {name: store.unwritable for name, store in self._stores.items() if store.unwritable}
        for name in [*doubtful]:
            with suppress(StoreError):
                self.store(name).settle()
                del doubtful[name]
        return doubtful

    def check(self) -> None:
        """Raise NotReadable if the folder cannot be listed."""
        next(self._files(), None)

    def close(self) -> None:
        """Close all files."""
        with self._lock:
            held, self._stores = self._stores, {}
        for store in held.values():
            store.close()

    def _path(self, name: str) -> Path:
        return self.folder / f"{check_name(name)}{SUFFIX}"

    def _files(self) -> Iterator[Path]:
        try:
            yield from (path for path in self.folder.iterdir() if path.is_file())
        except OSError as error:
            hint = "give a folder of logs, NAME.jsonl; mkdir makes one" if not self.folder.is_dir() else ""
            raise NotReadable(str(self.folder), files.system_message(error), hint) from None


class DatabaseShelf:
    """The logs of a database, and its table of tokens. Any number of processes may serve one."""

    def __init__(self, url: Url) -> None:
        """Raise Malformed for an address that is not of a database, and what a look at it raises."""
        self.url = databases.only_database(url)
        self._database = databases.open_database(self.url)
        self.tokens = self._database.tokens
        self._stores: dict[str, Store] = {}
        self._lock = threading.Lock()
        self.check()

    def names(self) -> tuple[str, ...]:
        """Return the names of all logs, sorted; raise NotReadable."""
        return self._database.names()

    def store(self, name: str) -> Store:
        """Return the store of a log, the same one for the same name as far as possible; raise Malformed, NotThere."""
        with self._lock:
            found = self._stores.pop(check_name(name), None)
        if found is None:
            found = self._database.store(self._address(name))
            if not found.exists():
                raise NotThere(found.path, "there is no such encounter")
        with self._lock:
            found = self._stores.setdefault(name, found)
            if len(self._stores) > _REMEMBERED:
                del self._stores[next(iter(self._stores))]
        return found

    def create(self, name: str, drafts: Sequence[Draft], *, by: str, at: str) -> Store:
        """Create a log whose first draft opens the encounter; raise as the store does, AlreadyThere for a taken name."""
        create_store(self._address(name), drafts, by=by, at=at)
        return self.store(name)

    def unwritable(self) -> Mapping[str, str]:
        """Return an empty mapping: a fault that keeps one log of a database from being written keeps all of them."""
        return {}

    def check(self) -> None:
        """Raise the StoreError that says why logs cannot be served at the moment, if they cannot."""
        self._database.check()

    def close(self) -> None:
        """Close the connections."""
        self._database.close()

    def _address(self, name: str) -> Url:
        return self.url.at(*self.url.segments, check_name(name))


Shelf = FolderShelf | DatabaseShelf
"""The logs that are served, by name. Names are checked by every method: Malformed is raised for a wrong one."""


def open_shelf(address: str) -> Shelf:
    """Return the shelf at an address: a folder, or a database. Raise NotReadable where there is none."""
    if not address:
        hint = "give a folder of logs, or postgresql://USER@HOST/DATABASE; . is this folder"
        raise Malformed("address", "is empty", hint)
    found = parse_address(address) if is_url(address) else address
    return FolderShelf(Path(found)) if isinstance(found, str) else DatabaseShelf(found)


def shelf_of(address: str) -> tuple[Shelf, str]:
    """Return the shelf that a log stands on, and its name there; raise NotReadable or Malformed."""
    found = parse_address(address)
    if not isinstance(found, str):
        return DatabaseShelf(found.at(*found.segments[:-1])), check_name(found.name)
    path = Path(found)
    if path.suffix != SUFFIX:
        raise NotReadable(found, f"is not called {SUFFIX}", "only such files are served")
    return FolderShelf(path.parent), check_name(path.stem)


def folder_files(folder: Path) -> list[Path]:
    """Return the files of a folder, and everything else with the name of a log: a folder, a pipe, a dangling link."""
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == ".jsonl" or path.is_file())
    except NotADirectoryError:
        raise Refused("usage", f"{folder} is not a folder", f"encounter show {folder}") from None
    except OSError as error:
        says = f"{folder}: {(error.strerror or str(error)).lower()}"
        raise Refused("usage", says, hint_for_reading(error, folder)) from None


def hint_for_reading(error: OSError | ValueError, path: Path) -> str:
    """Return a hint for a file or folder that cannot be read: for one that is not there, the nearest name beside it."""
    if not isinstance(error, FileNotFoundError):
        return files.write_hint(error)
    beside = (each.name for each in path.parent.iterdir()) if path.parent.is_dir() else ()
    return nearest(path.name, beside) or "look at its name, and at the folder that you are in"
