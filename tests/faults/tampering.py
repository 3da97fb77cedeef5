"""Faults 44 and 45: files beside a log, and each line of it changed from outside, which is refused, and the line named."""

from collections.abc import Callable
from itertools import product
from pathlib import Path

from eventstore.errors import CorruptLog, NotALog
from eventstore.events import Noted
from eventstore.jsonl import JsonlStore
from eventstore.record import encode_record
from eventstore.store import STORE
from tests.encounterlog.support import encounter
from tests.eventstore import verifier
from tests.eventstore.logs import AT, OPENING, drafts, log_of, rounds, small_log
from tests.faults.campaign import Run, fault
from tests.faults.judging import readable

PATIENCE = 5
"""How many seconds anything may take before it counts as a hang; nothing here needs one."""


def append(path: Path) -> int:
    with JsonlStore(path) as store:
        return store.append(drafts(Noted(text="more")), by="gm", at=AT).first


def refused(run: Run, case: str, path: Path, data: bytes, line: int) -> None:
    """Hold that all who look at a changed log name the line, and nobody shows or writes more."""
    run.counts.cases += 1
    path.write_bytes(data)
    says = {"the verifier": verifier.first_fault(data)[0], "verify": _problem(path)}
    looks: dict[str, Callable[[], object]] = {
        "reading": lambda: list(JsonlStore(path).read()),
        "head": lambda: JsonlStore(path).head(),
        "append": lambda: append(path),
    }
    for who, look in looks.items():
        try:
            look()
            says[who] = 0
        except CorruptLog as error:
            says[who] = error.line if error.why else -1
        except NotALog:
            says[who] = 1
    run.counts.refused += 1
    if {*says.values()} != {line}:
        run.breach("I4", case, f"line {line} was changed, and there are named {says}")
    if len(readable(JsonlStore(path))[0]) >= line or path.read_bytes() != data or len([*path.parent.iterdir()]) > 1:
        run.breach("I2", case, f"line {line} was shown, or the log was changed")


def _problem(path: Path) -> int:
    problem = JsonlStore(path).verify().problem
    return problem.line if problem else 0


# ---------------------------------------------------------------- 44: files beside the log

BESIDE = (
    "{log}.torn-10-1",
    "{log}.damaged-10-1",
    "{log}.sig",
    "{log}.lock",
    ".encounterlog-0123456789ab.new",
    "b.jsonl",
)
"""Files that the store makes, or that others make, beside a log."""
KINDS: dict[str, Callable[[Path], object]] = {
    "garbage": lambda path: path.write_bytes(bytes(range(256)) * 8),
    "of another log": lambda path: path.write_bytes(log_of(drafts(OPENING), rounds(1, 9))),
    "a folder": Path.mkdir,
    "a link to the log": lambda path: path.symlink_to("a.jsonl"),
}


@fault(44, "corrupt and foreign files beside the log")
def files_beside(run: Run) -> None:
    """Nothing is read from them, nothing in them changes, and the log goes on."""
    lines = small_log().splitlines(keepends=True)
    for name, kind, tail in product(BESIDE, KINDS, (b"", lines[1][:100])):
        case = f"{name}, {kind}, {'torn' if tail else 'whole'}"
        with run.folder(real=False) as folder, run.within(PATIENCE, case):
            run.counts.cases += 1
            path = folder / "a.jsonl"
            path.write_bytes(b"".join(lines) + tail)
            beside = folder / name.format(log=path.name)
            KINDS[kind](beside)
            before = beside.read_bytes() if beside.is_file() and not beside.is_symlink() else b""
            records = readable(JsonlStore(path))[0]
            append(path)
            after, problem = readable(JsonlStore(path))
            told = [record.event for record in after[4:] if record.by != STORE]
            if [encode_record(each) + b"\n" for each in records] != lines or after[:4] != records or problem:
                run.breach("I1", case, f"it reads otherwise: {problem}")
            if told != [Noted(text="more")] or not JsonlStore(path).verify().sound:
                run.breach("I6", case, f"after an append it has {told}")
            if beside.is_file() and not beside.is_symlink() and beside.read_bytes() != before:
                run.breach("I1", case, "the file beside it was changed")
            listed = encounter("list", folder)
            if path.name not in listed.output or "of encounterlog itself" in listed.output:
                run.breach("I6", case, f"encounter list says {listed.output!r}")


# ---------------------------------------------------------------- 45: every line


@fault(45, "every line verified, the last but one, too")
def every_line(run: Run) -> None:
    """There are no segments, so what has to be covered is the lines."""
    batches = [rounds(number, number % 4 + 1) for number in range(1, run.some(25, 120))]
    good = log_of(drafts(OPENING), *batches).splitlines(keepends=True)
    with run.folder(real=False) as folder:
        for seq, line in enumerate(good, 1):
            for old, new in ((b'"salt":"0', b'"salt":"1'), (b'"by":"gm"', b'"by":"me"')):
                data = b"".join([*good[: seq - 1], line.replace(old, new), *good[seq:]])
                refused(run, f"{new.decode()} in line {seq} of {len(good)}", folder / "a.jsonl", data, seq)
