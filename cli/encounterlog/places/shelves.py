"""Shelves: all logs of a folder or a database by name, with the tokens that open them. A service serves one shelf."""

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, Protocol

import msgspec
from msgspec import Struct, structs

from encounterlog.errors import Refused
from eventstore import errors, files, jsonl
from eventstore.disk import MACHINE, Disk
from eventstore.errors import Malformed, NotReadable, NotThere, NotWritten, StoreError
from eventstore.form import is_normal
from eventstore.paths import path_beside, real_path
from eventstore.record import Draft
from eventstore.store import Store
from eventstore.wording import nearest, visible

Role = Literal["operator", "gm", "player", "spectator"]
"""The roles of a token's holder: the operator creates encounters, a gm sees and writes all, others see no secrets."""
SUFFIX = ".jsonl"
TOKENS = ".encounterlog-tokens.json"
"""The file of tokens in a folder of logs."""
LONGEST = files.LONGEST_NAME - len(SUFFIX)
"""The longest name of an encounter, in bytes of UTF-8."""
_WAIT = 5.0
_OPEN = 256
"""The number of logs of a folder that are held open."""


class Token(Struct, frozen=True, omit_defaults=True):
    """A token as it is kept: its public id, the SHA-256 of its text in hex, and what it opens.

    An operator's opens no encounter. `by` is the name that it writes under; `writes` lets a player write for its
    combatants. `at` says when it was made, `revoked` when it ceased to open anything. `log` is the id of the log that it was made
    for; one without opens any log with the name of its encounter.
    """

    id: str
    digest: str
    role: Role
    encounter: str = ""
    combatants: tuple[str, ...] = ()
    by: str = ""
    writes: bool = False
    at: str = ""
    revoked: str = ""
    log: str = ""

    @property
    def writer(self) -> str:
        """The name under which its holder writes."""
        return self.by or self.role


class Tokens(Protocol):
    """The tokens of a shelf. Every call sees what other processes did before it; changes are durable on return."""

    def all(self) -> tuple[Token, ...]:
        """Return every token, revoked ones included, in the order in which they were made."""

    def find(self, digest: str) -> Token | None:
        """Return the token with this digest, revoked or not; None if there is none."""

    def add(self, token: Token) -> None:
        """Keep a token; raise NotWritten or Busy."""

    def add_first(self, token: Token) -> bool:
        """Keep a token unless there is one of its role already, also against other processes; return whether it was kept."""

    def revoke(self, token_id: str, at: str) -> Token | None:
        """Mark a token as revoked and return it; None if there is none with this id. Twice is as good as once."""


class Shelf(Protocol):
    """The logs that are served, by name. Names are checked by every method: Malformed is raised for a wrong one."""

    tokens: Tokens

    def names(self) -> tuple[str, ...]:
        """Return the names of all logs, sorted; raise NotReadable if that cannot be known."""

    def store(self, name: str) -> Store:
        """Return the store of a log, the same one for the same name as far as possible; raise NotThere."""

    def create(self, name: str, drafts: Sequence[Draft], *, by: str, at: str) -> Store:
        """Create a log whose first draft opens the encounter; raise as the store does, AlreadyThere for a taken name."""

    def check(self) -> None:
        """Raise the StoreError that says why logs cannot be served at the moment, if they cannot."""

    def unwritable(self) -> Mapping[str, str]:
        """Return why logs cannot be written at the moment, by their names; each of them is tried again."""

    def close(self) -> None:
        """Release everything that is held open."""


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


class FolderShelf:
    """The .jsonl files of a folder, and a file of tokens beside them; other files and subfolders are left alone."""

    def __init__(self, folder: Path, *, disk: Disk = MACHINE) -> None:
        """Raise NotReadable if it is not a folder."""
        self.folder, self._disk = folder, disk
        self.tokens: Tokens = FileTokens(folder / TOKENS)
        self._stores: dict[str, jsonl.JsonlStore] = {}
        self._lock = threading.Lock()
        self.check()

    def names(self) -> tuple[str, ...]:
        """Return the names of all logs, sorted; a file whose name no encounter can have is left out."""
        return tuple(sorted(path.stem for path in self._files() if path.suffix == SUFFIX and _is_name(path.stem)))

    def store(self, name: str) -> Store:
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
        return {name: why for name, why in doubtful.items() if not self._is_settled(name)}

    def _is_settled(self, name: str) -> bool:
        try:
            store = self.store(name)
            if isinstance(store, jsonl.JsonlStore):
                store.settle()
        except StoreError:
            return False
        return True

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


class FileTokens:
    """Tokens in a JSON file that only its owner may read; it is replaced as a whole, under a lock beside it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def all(self) -> tuple[Token, ...]:
        """Return every token; raise NotReadable for a file that holds something else."""
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=tuple[Token, ...])
        except (OSError, msgspec.DecodeError) as error:
            if isinstance(error, FileNotFoundError) and not self.path.is_symlink():
                return ()
            if isinstance(error, OSError):
                raise NotReadable(str(self.path), files.system_message(error), files.write_hint(error)) from None
            hint = "move it away, and encounter serve and encounter invite begin a new one; no old token opens anything then"
            raise NotReadable(str(self.path), f"holds no tokens: {error}", hint) from None

    def find(self, digest: str) -> Token | None:
        """Return the token with this digest, revoked or not; None if there is none."""
        return next((one for one in self.all() if one.digest == digest), None)

    def add(self, token: Token) -> None:
        """Keep a token; raise NotWritten or Busy."""
        self._change(lambda all_: (*all_, token))

    def add_first(self, token: Token) -> bool:
        """Keep a token unless there is one of its role that is not revoked; return whether it was kept."""
        kept = self._change(
            lambda all_: all_ if any(one.role == token.role and not one.revoked for one in all_) else (*all_, token)
        )
        return token in kept

    def revoke(self, token_id: str, at: str) -> Token | None:
        """Mark a token as revoked and return it; None if there is none with this id."""
        kept = self._change(
            lambda all_: tuple(
                structs.replace(one, revoked=one.revoked or at) if one.id == token_id else one for one in all_
            )
        )
        return next((one for one in kept if one.id == token_id), None)

    def _change(self, change: Callable[[tuple[Token, ...]], tuple[Token, ...]]) -> tuple[Token, ...]:
        """Replace the tokens by what a function makes of them; nobody else changes them meanwhile."""
        try:
            with self._hold_lock():
                before = self.all()
                after = change(before)
                if after != before:
                    self._write(after)
                return after
        except OSError as error:
            raise NotWritten(str(self.path), files.system_message(error), files.write_hint(error)) from None

    def _write(self, tokens: tuple[Token, ...]) -> None:
        path = real_path(str(self.path))
        draft = path_beside(path, f"{TOKENS}-{os.urandom(6).hex()}.new")
        files.write_new(MACHINE, draft, [msgspec.json.format(msgspec.json.encode(tokens), indent=1), b"\n"], 0o600)
        MACHINE.rename(draft, path)
        files.sync_name(MACHINE, path)

    @contextmanager
    def _hold_lock(self) -> Iterator[None]:
        path = path_beside(self.path, f"{TOKENS}.lock")
        fd = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        try:
            files.lock_file(MACHINE, fd, path, _WAIT)
            yield
        finally:
            MACHINE.close(fd)


def _is_name(name: str) -> bool:
    try:
        return bool(check_name(name))
    except Malformed:
        return False


# ---------------------------------------------------------------- the files of a folder


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
