"""Fault 61: strange names, and things that are no files."""

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from eventstore.errors import NotALog, NotReadable, NotWritten, StoreError
from eventstore.events import Noted
from eventstore.jsonl import JsonlStore, create
from eventstore.store import STORE
from tests.encounterlog.support import encounter
from tests.eventstore import verifier
from tests.eventstore.logs import AT, OPENING, drafts, rounds
from tests.faults.campaign import Run, fault
from tests.faults.tampering import PATIENCE

# ---------------------------------------------------------------- 61: names


class Name(NamedTuple):
    name: str
    works: bool


NAMES = (
    Name("ford.jsonl", True),
    Name("..", False),
    Name("/", False),
    Name("no/ford.jsonl", False),
    Name("in/ford.jsonl", True),
    Name("in/../../place/ford.jsonl", True),
    Name("file/ford.jsonl", False),
    Name("in/ford.jsonl/", False),
    Name("a\0b.jsonl", False),
    Name("🐉.jsonl", True),
    Name("👩\u200d👩\u200d👧.jsonl", True),
    Name("e\u0301.jsonl", True),
    Name("\u202egpj.jsonl", True),
    Name("a\nb.jsonl", True),
    Name("a\rb\tc\x1b[31md\x07\x7f.jsonl", True),
    Name("\udcff\udcfe.jsonl", True),
    Name("\ud800.jsonl", False),
    Name("-rf.jsonl", True),
    Name("$(reboot);`reboot`|&*?<>\"'.jsonl", True),
    Name("CON.jsonl", True),
    Name(".jsonl", True),
    Name(".encounterlog-0123456789ab.new", True),
    Name("ford.jsonl.torn-2-1", True),
    Name("x" * 194 + ".jsonl", True),
    Name("x" * 195 + ".jsonl", False),
    Name("x" * 300 + ".jsonl", False),
    Name("in/" * 2000 + "ford.jsonl", False),
)


@fault(61, "names with .., /, NUL, emoji, control characters, of 300 bytes; twins; pipes, folders, devices, links")
def strange_names(run: Run) -> None:
    """Make, read, write and list logs under strange names: a log, or a clear error, and nothing outside the place."""
    for one in NAMES:
        with _playground(run) as place:
            _named(run, f"{one.name[:40]!r}", place, one)
    for name, make in THINGS.items():
        with _playground(run) as place:
            _no_file(run, name, place, make)
    with _playground(run) as place:
        _twins(run, "of other case", place, ("Ford.jsonl", "ford.jsonl"), 2)
        _twins(run, "of another normal form", place, ("\u00e9.jsonl", "e\u0301.jsonl"), 2)


@contextmanager
def _playground(run: Run) -> Iterator[Path]:
    with run.folder() as folder:
        place = folder / "place"
        (place / "in").mkdir(parents=True)
        (place / "file").write_bytes(b"mine")
        (folder / "outside").write_bytes(b"theirs")
        yield place


def _by_the_store(path: str) -> str:
    try:
        create(path, drafts(OPENING), by="gm", at=AT).close()
        with JsonlStore(path) as store:
            store.append(rounds(1, 2), by="gm", at=AT)
            return "" if len(list(store.read())) == 3 and store.verify().sound else "the log is not whole"
    except StoreError as error:
        return str(error)


def _named(run: Run, case: str, place: Path, one: Name) -> None:
    run.counts.cases += 1
    before = _tree(place.parent)
    with run.within(PATIENCE, case), chdir(place):
        says = _by_the_store(one.name)
        run.counts.refused += bool(says)
        if bool(says) == one.works or "of encounterlog itself" in says or "Traceback" in says:
            run.breach("I6", case, f"says {says[:300]!r}")
        made = _tree(place.parent) - before
        if len(made) != one.works or any(each.parent not in (place, place / "in") for each in made):
            run.breach("I2", case, f"made {sorted(map(ascii, made))}")
        for each in made:
            if verifier.first_fault(each.read_bytes())[0]:
                run.breach("I4", case, "the log does not verify")
        _is_listed(run, case, place, {each.name for each in made if each.parent == place and each.suffix == ".jsonl"})
    if (place / "file").read_bytes() != b"mine" or (place.parent / "outside").read_bytes() != b"theirs":
        run.breach("I2", case, "a file of others was changed")


def _tree(folder: Path) -> set[Path]:
    return set(folder.rglob("*"))


def _is_listed(run: Run, case: str, place: Path, names: set[str]) -> None:
    """Let the command list a folder: each log on a line of its own, and no character that a terminal would obey."""
    done = encounter("list", place)
    wild = [letter for letter in done.output if letter != "\n" and not letter.isprintable()]
    if done.exit_code or wild or done.output.count("3 records") != len(names) or "itself" in done.output:
        run.breach("I6", f"encounter list, {case}", f"{wild}, {done.output!r}")


def _device(number: int) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        try:
            os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, number))
        except PermissionError:
            path.symlink_to({3: "/dev/null", 5: "/dev/zero", 7: "/dev/full"}[number])

    return make


def _link(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


THINGS: dict[str, Callable[[Path], None]] = {
    "a pipe": os.mkfifo,
    "a folder": Path.mkdir,
    "/dev/null": _device(3),
    "/dev/zero": _device(5),
    "/dev/full": _device(7),
    "a link to nothing": _link("nowhere"),
    "a link to itself": _link("thing.jsonl"),
    "a link to a folder": _link("in"),
    "a link to a file outside": _link("../outside"),
    "a link to a device": _link("/dev/zero"),
}


def _no_file(run: Run, name: str, place: Path, make: Callable[[Path], None]) -> None:
    """Use what is not an ordinary file for a log: each call says what is wrong, none of them waits or changes anything."""
    path = place / "thing.jsonl"
    make(path)
    before, mode = _tree(place.parent), path.lstat().st_mode
    calls: dict[str, Callable[[], object]] = {
        "create": lambda: create(path, drafts(OPENING), by="gm", at=AT),
        "read": lambda: list(JsonlStore(path).read()),
        "head": lambda: JsonlStore(path).head(),
        "verify": lambda: JsonlStore(path).verify(),
        "append": lambda: JsonlStore(path).append(rounds(1, 1), by="gm", at=AT, key="k"),
    }
    for call, work in calls.items():
        run.counts.cases += 1
        with run.within(PATIENCE, f"{call}, {name}"):
            try:
                work()
            except (NotALog, NotReadable, NotWritten) as error:
                run.counts.refused += 1
                if not error.why:
                    run.breach("I6", f"{call}, {name}", "without a reason")
            else:
                run.breach("I6", f"{call}, {name}", "was done")
    for words in (("new", "--ruleset", "plain"), ("show",), ("append",), ("verify",), ("list",)):
        run.counts.cases += 1
        with run.within(PATIENCE, f"encounter {words[0]}, {name}"):
            done = encounter(*words, place if words[0] == "list" else path, stdin='{"type":"noted","text":"a"}')
            if done.exit_code not in ((0, 3) if words[0] == "list" else (2, 3, 6)) or "itself" in done.output:
                run.breach("I6", f"encounter {words[0]}, {name}", f"{done.exit_code}: {done.output[:300]!r}")
    if _tree(place.parent) != before or path.lstat().st_mode != mode:
        run.breach("I2", name, f"changed: {_tree(place.parent) ^ before}")
    if (place.parent / "outside").read_bytes() != b"theirs":
        run.breach("I2", name, "a file outside the place was changed")


def _twins(run: Run, case: str, place: Path, names: tuple[str, ...], expected: int) -> None:
    """Make logs whose names differ in little: where they are one name, the second is refused, and nothing is lost."""
    run.counts.cases += 1
    made = []
    for name in names:
        with suppress(NotWritten), create(place / name, drafts(OPENING), by="gm", at=AT, network_drive=True) as store:
            store.append(drafts(Noted(text=ascii(name))), by="gm", at=AT)
            made.append(name)
    run.counts.refused += len(names) - len(made)
    for name in made:
        told = [record.event for record in JsonlStore(place / name).read() if record.by != STORE]
        if told != [OPENING, Noted(text=ascii(name))]:
            run.breach("I1", f"twins {case}", f"{name} holds {told}")
    logs = [each for each in place.iterdir() if each.suffix == ".jsonl"]
    if len(made) != expected or len(logs) != expected:
        run.breach("I2", f"twins {case}", f"{made} made, {logs} are there")
    for each in logs:
        each.unlink()
