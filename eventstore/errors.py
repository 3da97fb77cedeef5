"""Errors about facts and files: fields first, the sentence built once."""

from typing import TYPE_CHECKING

from eventstore.malformed import (
    Malformed as Malformed,  # noqa: PLC0414 – from here on all errors are there
    StoreError as StoreError,  # noqa: PLC0414
)

if TYPE_CHECKING:
    from eventstore.address import LogAddress
    from eventstore.chain import Anchor
    from eventstore.record import Recorded


class CorruptLog(StoreError):
    """Damage in a log: line (from 1), byte offset, the reason. `torn` marks a mere torn tail."""

    def __init__(
        self, path: "LogAddress", line: int, offset: int, why: str, hint: str = "", torn: bool = False
    ) -> None:
        self.path, self.line, self.offset, self.why, self.hint, self.torn = path, line, offset, why, hint, torn
        super().__init__(f"{path}, line {line} (byte {offset}): {why}")


class _OfLog(StoreError):
    """An error about a log, with the reason, and a hint, by default its remedy."""

    _what = _remedy = ""

    def __init__(self, path: "LogAddress", why: str, hint: str = "") -> None:
        self.path, self.why, self.hint = path, why, hint or self._remedy
        gap = " " if not self._what and why.startswith(("is ", "holds ")) else ": "
        super().__init__(f"{path}{gap}{self._what}{why}")


class NotALog(_OfLog):
    """A file that is not an encounter log at all."""


class NotReadable(NotALog):
    """A file that does not exist, or that the system does not let us read."""


class NotThere(NotReadable):
    """A name without a file."""


class NotMigrated(_OfLog):
    """A database without the tables of this version of the program, with the reason."""


class Rewritten(StoreError):
    """A record that was shown but is no longer in its log, with the reason."""

    def __init__(self, path: "LogAddress", anchor: "Anchor", why: str) -> None:
        self.path, self.anchor, self.seq, self.why = path, anchor, anchor.seq, why
        self.hint = f"it is another log, or it was rewritten: encounter verify FILE --anchor {anchor}"
        super().__init__(f"{path}: record {anchor.seq} is no longer what it was: {why}")

    @classmethod
    def at(cls, path: "LogAddress", anchor: "Anchor", found: str) -> "Rewritten":
        """Return the error for an anchor where a record with another hash was found, or with none: "" if the log ends before it."""
        return cls(path, anchor, "another stands there" if found else "the log ends before it")


class WrongVersion(StoreError):
    """A log that did not end where the writer expected; `between` are the records that others appended."""

    def __init__(self, expected: int, found: int, between: tuple["Recorded", ...] = ()) -> None:
        self.expected, self.found, self.between = expected, found, between
        self.hint = "read the new records, then append again after the last one"
        super().__init__(f"expected the log to end at {expected}, it ends at {found}")

    @property
    def since(self) -> tuple["Recorded", ...]:
        """The records that came in since the writer looked."""
        return self.between


class KeyReused(StoreError):
    """An idempotency key that was used for another append."""

    def __init__(self, key: str, seq: int, why: str) -> None:
        self.key, self.seq, self.why = key, seq, why
        self.hint = "use a new key for new facts"
        super().__init__(f"the key {key!r} already stands for record {seq}: {why}")


class TooLarge(StoreError):
    """A limit that an append would exceed. Nothing was written."""

    def __init__(self, what: str, size: int, limit: int) -> None:
        self.what, self.size, self.limit = what, size, limit
        super().__init__(f"{what}: {size:,}, the limit is {limit:,}")


class Busy(StoreError):
    """A lock that others held for longer than the wait, in seconds, with its holders if they are known."""

    def __init__(self, path: "LogAddress", waited: float, holders: tuple[str, ...] = ()) -> None:
        self.path, self.waited, self.holders = path, waited, holders
        self.hint = "try again; a stopped writer may hold the lock"
        super().__init__(f"{path}: {' and '.join(holders) or 'another writer'} held the lock for {waited:g} s")


class NotWritten(_OfLog):
    """An append or file that was not written, with the reason."""

    _what = "not written: "


class AlreadyThere(NotWritten):
    """The name of an existing log."""


class OutcomeUnknown(_OfLog):
    """An append whose outcome is unknown: it may be in the log or not. If the disk failed, the handle stops writing."""

    _what = "outcome unknown: "
    _remedy = "open the log again and look whether the facts are there, or repeat the append with its key"
