"""Each command reads a log once: every byte of it is verified, and no record is parsed or verified a second time."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Self, cast

import click
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from encounterlog.cli.main import encounter as group
from encounterlog.errors import Refused
from encounterlog.log.logs import LogView, records_before_torn_tail
from eventstore import spool
from eventstore.disk import Disk
from eventstore.errors import CorruptLog
from eventstore.reading import Walk
from eventstore.record import Recorded
from tests.encounterlog.support import append, encounter, quarrel
from tests.few import few

SAID = '{"type":"noted","text":"Rain."}\n'
COMMANDS: dict[str, tuple[str, ...]] = {
    "add": ("add FILE note rain", "add FILE u", "add FILE ?halvaine.hp"),
    "amend": ("amend FILE 16 amount=5", "amend FILE 16 amount=5 --dry-run"),
    "append": ("append FILE -", "append FILE - --key rain", "append FILE - --with-consequences"),
    "audit": ("audit FILE", "audit FILE --complete", "audit FILE --at r1s5", "audit FILE --as-of 21"),
    "blame": ("blame FILE halvaine.hp",),
    "export": tuple(
        f"export {kind} FILE{more}"
        for kind in ("csv", "discord", "foundry", "html", "json", "jsonl", "markdown", "script", "svg")
        for more in ("", " --for players")
        if kind != "script" or not more
    ),
    "dice": ("dice FILE", "dice FILE start"),
    "first": ("first FILE halvaine.hp<9",),
    "head": ("head FILE",),
    "import": ("import jsonl FILE copy.jsonl",),
    "list": ("list .",),
    "log": ("log FILE", "log FILE --struck", "log FILE --where halvaine.hp<5"),
    "may": ("may FILE", "may FILE halvaine --at r1s5"),
    "play": ("play FILE",),
    "redo": ("redo FILE",),
    "replay": ("replay FILE", "replay FILE --at r1s5"),
    "ruling": ("ruling FILE grant so",),
    "show": ("show FILE", "show FILE --json", "show FILE --why", "show FILE --at r1s4", "show FILE --all"),
    "sign": ("sign FILE --key gm --to -",),
    "stats": ("stats FILE", "stats FILE --round 1"),
    "strike": ("strike FILE 16 --alone", "strike FILE 16 --with-consequences", "strike FILE 16 --alone --dry-run"),
    "undo": ("undo FILE --alone", "undo FILE --dry-run --alone"),
    "verify": ("verify FILE", "verify FILE --key gm.pub"),
    "whatif": ("whatif FILE --strike 16", "whatif FILE --strike 16 --save fork.jsonl"),
    "why": ("why FILE halvaine.hp", "why FILE order --at r1s5"),
}
"""What is asked of a log, by command."""
NO_LOG = {
    "backup", "demo", "diff", "fmt", "invite", "migrate", "new", "remove", "repair", "restore", "rules", "run", "schema", "serve",
    "srd", "mcp",
}  # fmt: skip
"""Those that read no log of a file, several, one as often as somebody asks, or one that is damaged."""
PEEKS = {"import": 1}
"""How often a command looks only at how a file begins."""
TYPED = {"append": SAID, "play": "note rain\n"}
"""What is typed."""


class Reads:
    """What this process reads of a file: how often it opens it to read, the lines, and the records that it verifies."""

    def __init__(self) -> None:
        self.path, self.opened = "", 0
        self.lines: list[bytes] = []
        self.verified: list[int] = []

    def begin(self, path: Path) -> None:
        self.path = os.path.realpath(path)

    def see(self, event: str, args: tuple[Any, ...]) -> None:
        """Count the openings of the file, whoever opens it."""
        if self.path and event == "open" and isinstance(args[0], str | os.PathLike):
            flags = args[2] or 0
            self.opened += os.path.realpath(args[0]) == self.path and flags & os.O_ACCMODE == os.O_RDONLY


class Lines:
    """An open file that notes the lines that are read of it."""

    def __init__(self, file: BinaryIO, noted: list[bytes]) -> None:
        self._file, self._noted = file, noted

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def readline(self, limit: int) -> bytes:
        self._noted.append(self._file.readline(limit))
        return self._noted[-1]


seeing: list[Reads] = []
sys.addaudithook(lambda event, args: seeing[-1].see(event, args) if seeing else None)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Iterator[Reads]:
    found, reader, walked = Reads(), Disk.reader, Walk.__iter__

    def noting(self: Disk, fd: int) -> BinaryIO:
        file = reader(self, fd)
        return cast(BinaryIO, Lines(file, found.lines)) if found.path else file

    def counting(self: Walk) -> Iterator[Recorded]:
        for record in walked(self):
            if found.path:
                found.verified.append(record.seq)
            yield record

    monkeypatch.setattr(Disk, "reader", noting)
    monkeypatch.setattr(Walk, "__iter__", counting)
    seeing.append(found)
    yield found
    seeing.remove(found)


@pytest.fixture
def log(folder: Path) -> Path:
    """Return a log with an undo, of which nothing was read yet; a pair of keys is beside it."""
    found = quarrel(folder / "ford.jsonl")
    append(found, SAID)
    assert encounter("undo", found, "--alone").exit_code == 0
    key = Ed25519PrivateKey.generate()
    (folder / "gm").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()))
    (folder / "gm.pub").write_bytes(key.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH))
    return found


@few(16, "words", [words for several in COMMANDS.values() for words in several])
def test_a_command_reads_and_verifies_each_byte_once(log: Path, reads: Reads, words: str) -> None:
    before = log.read_bytes()
    if "gm.pub" in words:
        assert encounter("sign", log, "--key", "gm").exit_code == 0
    reads.begin(log)
    done = encounter(*words.replace("FILE", log.name).split(), stdin=TYPED.get(words.split(maxsplit=1)[0], ""))
    assert done.exit_code in (0, 1), done.output
    assert (b"".join(reads.lines), reads.opened) == (before, 1 + PEEKS.get(words.split(maxsplit=1)[0], 0))
    assert reads.verified == [*range(1, 22)]


def test_every_command_that_reads_a_log_is_here() -> None:
    assert COMMANDS.keys() | NO_LOG == set(group.list_commands(click.Context(group)))


@pytest.mark.parametrize("held", [1 << 19, 0])
class TestAReading:
    """What a log that is open yields."""

    @pytest.fixture(autouse=True)
    def _held(self, held: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(spool, "HELD", held)

    def test_a_log_changed_between_two_passes_is_what_the_first_verified(self, log: Path) -> None:
        once = LogView(str(log))
        first = list(once)
        append(log, SAID)
        log.write_bytes(log.read_bytes().replace(b"orc-1", b"orc-2"))
        assert list(once) == first
        assert once.last == first[-1]

    def test_a_torn_tail_is_raised_in_every_pass(self, log: Path) -> None:
        log.write_bytes(log.read_bytes()[:-9])
        once = LogView(str(log))
        for _ in range(2):
            found: list[int] = []
            with pytest.raises(CorruptLog):
                found.extend(record.seq for record in once)
        assert len(list(records_before_torn_tail(once))) == 20

    def test_a_log_that_has_no_such_record_says_so_in_every_pass(self, log: Path) -> None:
        once = LogView(str(log), as_of=40)
        for _ in range(2):
            with pytest.raises(Refused, match="this log has no record 40"):
                list(once)
