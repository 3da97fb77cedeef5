"""The tokens that open the logs of a folder, in a file beside them."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct, structs

from eventstore import files
from eventstore.disk import MACHINE
from eventstore.errors import NotReadable, NotWritten
from eventstore.paths import path_beside, real_path

Role = Literal["operator", "gm", "player", "spectator"]
"""The roles of a token's holder: the operator creates encounters, a gm sees and writes all, others see no secrets."""
TOKENS = ".encounterlog-tokens.json"  # the file of tokens in a folder of logs
_WAIT = 5.0


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


class FileTokens:
    """Tokens in a JSON file that only its owner may read; it is replaced as a whole, under a lock beside it.

    Every call sees what other processes did before it; changes are durable on return.
    """

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
        lock = path_beside(self.path, f"{TOKENS}.lock")
        try:
            fd = os.open(lock, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
            try:
                files.lock_file(MACHINE, fd, lock, _WAIT)
                before = self.all()
                after = change(before)
                if after != before:
                    path = real_path(str(self.path))
                    draft = path_beside(path, f"{TOKENS}-{os.urandom(6).hex()}.new")
                    lines = [msgspec.json.format(msgspec.json.encode(after), indent=1), b"\n"]
                    files.write_new(MACHINE, draft, lines, 0o600)
                    MACHINE.rename(draft, path)
                    files.sync_name(MACHINE, path)
                return after
            finally:
                MACHINE.close(fd)
        except OSError as error:
            raise NotWritten(str(self.path), files.system_message(error), files.write_hint(error)) from None
