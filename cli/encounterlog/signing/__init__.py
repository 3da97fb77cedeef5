"""Signatures on a log's end, one per line, beside it in <name>.jsonl.sig or passed on; and what each proves."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Literal

from msgspec import Struct

from encounterlog.errors import Refused
from encounterlog.places.stores import open_store
from encounterlog.words.refusals import refusal_of_problem
from eventstore import files
from eventstore.address import LogAddress
from eventstore.chain import Anchor
from eventstore.damage import verify_walk
from eventstore.disk import MACHINE
from eventstore.errors import StoreError
from eventstore.events import EncounterOpened
from eventstore.paths import plain_path, real_path
from eventstore.record import Recorded
from eventstore.spool import Once
from eventstore.store import Verified
from eventstore.wording import visible

START = "encounterlog 1 "
_LINE = re.compile(
    START + r"([a-z0-9-]{1,64}) ([1-9][0-9]{0,15}:[0-9a-f]{64}) (SHA256:[A-Za-z0-9+/]{43}) ([A-Za-z0-9+/]{243}=)",
    re.ASCII,
)
_LARGEST = 1 << 24

Shows = Literal[
    "proven", "cut off", "rewritten", "not reached", "another log", "another key", "not genuine", "no signature"
]
"""The result of a line, checked with a key and a log. `proven`: the log up to there is what the owner of the key signed;
`another key`: not checked; `not genuine`: it claims to be by this key, but is not."""


class Signature(Struct, frozen=True):
    """A signed anchor: the id of the encounter, the anchor, the fingerprint of the key, the proof in Base64."""

    encounter: str
    anchor: Anchor
    key: str
    proof: str

    def __str__(self) -> str:
        return f"{self.statement} {self.proof}"

    @property
    def statement(self) -> str:
        """The text that is signed as a line: all of this one before the last space."""
        return f"{START}{self.encounter} {self.anchor} {self.key}"

    @classmethod
    def parse(cls, line: str) -> "Signature | None":
        """Read a line, however it was wrapped on its way; return None if it is not a signature."""
        found = _LINE.fullmatch(" ".join(line.split()))
        return cls(found[1], Anchor.parse(found[2]), found[3], found[4]) if found else None


class Judged(Struct, frozen=True):
    """The verdict on a line; `seq` is the record that it signs, 0 if it is not a signature."""

    line: int
    seq: int
    shows: Shows


class Proof(Struct, frozen=True):
    """The verdicts on the signatures of a log, checked with the key of this fingerprint."""

    key: str
    signatures: tuple[Judged, ...]

    @property
    def holds(self) -> bool:
        """Whether at least one signature is proven, and none contradicts the log."""
        shown = {one.shows for one in self.signatures}
        return "proven" in shown and shown <= {"proven", "not reached", "another key"}


class Signed(Struct, frozen=True):
    """A new signature: its line, the file that it was added to (null if none), and whether it was not there before."""

    signature: str
    anchor: str
    key: str
    file: str | None
    new: bool


def signature_file(log: LogAddress) -> Path:
    """Return where the signatures of a log are kept; raise Refused for a log that is no file."""
    if not isinstance(log, str):
        hint = "encounter sign --to FILE; encounter verify --signature FILE"
        raise Refused("usage", f"{log} has no file beside it", hint)
    return Path(f"{real_path(log)}.sig")


def count_signatures(log: LogAddress) -> int:
    """Return the number of signatures beside a log, without checking them."""
    try:
        return sum(1 for line in read_signatures(log, None) if Signature.parse(line))
    except Refused:  # the file cannot be read, or is not an ordinary one
        return 0


def read_signatures(log: LogAddress, given: str | None) -> list[str]:
    """Return the given signatures (a line itself, or a file), else those beside the log, if any."""
    if given is not None and " ".join(given.split()).startswith(START):
        return [given]
    path = signature_file(log) if given is None else Path(plain_path(given))
    try:
        if path.exists() and not path.is_file():  # to open a pipe could wait for ever
            why = " is not an ordinary file"
        else:
            with path.open("rb") as file:
                data = file.read(_LARGEST + 1)
            if len(data) <= _LARGEST:
                return data.decode("utf-8", "replace").split("\n")
            why = f" is larger than {_LARGEST:,} bytes"
    except FileNotFoundError:
        if given is None:
            return []
        why = " is not there"
    except (OSError, ValueError) as error:
        why = f": {files.system_message(error)}"
    hint = "--signature takes a file of signatures, or one itself in quotes"
    raise Refused("usage", visible(f"{path}{why}"), hint)


def verified_end(file: LogAddress) -> tuple[str, Anchor]:
    """Return the id of an encounter and the end of its log, verified; raise Refused if the log is damaged."""
    records = Once(open_store(file).read())
    found = verify_walk(records)
    if found.problem:
        raise refusal_of_problem(file, found.problem)
    assert found.head is not None  # noqa: S101 – a log without a record is none
    return _find_hashes(records, ())[0], found.head


def judge_signatures(
    lines: Sequence[str], key: str, proves: Callable[[Signature], bool], records: Iterable[Recorded], found: Verified
) -> Proof:
    """Check lines with a key, of which this is the fingerprint, and a verified log."""
    signatures = {number: Signature.parse(line) for number, line in enumerate(lines, 1) if line.strip()}
    encounter, hashes = _find_hashes(records, {one.anchor.seq for one in signatures.values() if one})

    unread = found.records if found.problem and not found.problem.torn else inf  # what lies behind is not reached

    def shows(one: Signature | None) -> Shows:
        shown: Shows = "rewritten"
        if one is None:
            shown = "no signature"
        elif one.key != key:
            shown = "another key"
        elif not proves(one):
            shown = "not genuine"
        elif encounter and one.encounter != encounter:
            shown = "another log"
        elif one.anchor.seq > unread:
            shown = "not reached"
        elif one.anchor.seq not in hashes:
            shown = "cut off"
        elif hashes[one.anchor.seq] == one.anchor.hash:
            shown = "proven"
        return shown

    made = (Judged(number, one.anchor.seq if one else 0, shows(one)) for number, one in signatures.items())
    return Proof(key, tuple(made))


def _find_hashes(records: Iterable[Recorded], wanted: Collection[int]) -> tuple[str, dict[int, str]]:
    encounter, hashes = "", dict[int, str]()
    with suppress(StoreError):
        for record in records:
            encounter = record.event.encounter if isinstance(record.event, EncounterOpened) else encounter
            hashes |= {record.seq: record.hash} if record.seq in wanted else {}
    return encounter, hashes


def add_signature(path: Path, line: str) -> bool:
    """Append a line durably to a file of signatures; return whether it was new. Raise NotWritten with the file unchanged; Busy; OutcomeUnknown."""
    kind = files.LinesOf("signatures", START.encode(), _LARGEST, "name another file: --to")
    return files.add_line(MACHINE, str(path), line.encode(), kind, 5.0)
