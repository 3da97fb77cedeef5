"""Processes that write, fail and die, and the small disks that they do it on: by the system's own means."""

import ctypes
import json
import os
import re
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

from msgspec import Struct

from eventstore.disk import MACHINE, Disk
from eventstore.errors import NotWritten, StoreError
from eventstore.events import EncounterOpened
from eventstore.jsonl import JsonlStore, create
from eventstore.reading import START
from eventstore.record import Draft, Recorded, decode, written
from eventstore.store import Mode
from eventstore.writing import keyed, lines_of
from tests.eventstore.logs import AT, OPENING, counted, drafts, log_of, read, rounds
from tests.faults.campaign import NotTried, Run
from tests.faults.judging import Story, judge, readable

Said = list[Any]
"""What a child said of a step: a word, the number of the step, and more."""
Say = Callable[..., None]
LOG = "ford.jsonl"
PATIENCE = 60
"""How many seconds a child may live."""
NOBODY = 65534
_SET_PTRACER, _ANYBODY = 0x59616D61, -1


# ---------------------------------------------------------------- children


class Child:
    """Is a process forked from this one, so that nothing is loaded twice. What it says outlives it, in a file.

    One that `waits` does not begin its work until it is told to.
    """

    def __init__(self, work: Callable[[Say], None], *, waits: bool = False) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 – it lives as long as this
        gate, self._gate = os.pipe()
        self.code: int | None = None
        self.pid = os.fork()
        if not self.pid:
            self._live(work, gate)
        os.close(gate)
        if not waits:
            self.begin()

    def begin(self) -> None:
        os.write(self._gate, b"!")
        os.close(self._gate)

    def end(self) -> int:
        """Wait until it has ended, and return its exit code, that of a signal below zero."""
        if self.code is None:
            self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.code

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        if self.code is None and (ended := os.waitpid(self.pid, os.WNOHANG))[0]:
            self.code = os.waitstatus_to_exitcode(ended[1])
        return self.code is not None

    def kill(self) -> None:
        if not self.over:
            os.kill(self.pid, signal.SIGKILL)
            self.end()

    def stop(self) -> None:
        """Let it stop, outside of any system call; it must not have ended."""
        os.kill(self.pid, signal.SIGSTOP)
        stopped = os.waitpid(self.pid, os.WUNTRACED)[1]
        assert os.WIFSTOPPED(stopped), "it ended too early"

    def go_on(self) -> None:
        """Let it go on after it was stopped."""
        os.kill(self.pid, signal.SIGCONT)

    @property
    def said(self) -> list[Said]:
        """What it has said until now; of a word cut short by its death, nothing."""
        data = os.pread(self._file.fileno(), os.fstat(self._file.fileno()).st_size, 0)
        return [json.loads(line) for line in data.split(b"\n")[:-1]]

    def _say(self, *words: Any) -> None:
        os.writev(self._file.fileno(), [json.dumps(words).encode(), b"\n"])  # a call that no store makes

    def _live(self, work: Callable[[Say], None], gate: int) -> NoReturn:
        code = 1
        try:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(PATIENCE)
            _may_be_traced()
            select.select([gate], [], [])
            work(self._say)
            code = 0
        except BaseException as error:  # noqa: BLE001 – a child must not return into its parent's work
            with suppress(OSError):
                self._say("broke", None, repr(error))
        finally:
            os._exit(code)


def _may_be_traced() -> None:
    """Let strace look at this process even where that is left to its parents (Yama)."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_SET_PTRACER, _ANYBODY, 0, 0, 0)


class Traced(Struct, frozen=True):
    """Tells how a child ended under strace, and how many calls of the first injection were harmed, if not by a signal."""

    code: int
    harmed: int


def straced(child: Child, *injections: str, only: Path | None = None) -> Traced:
    """Let a waiting child do its work with these injections of strace.

    With `only`, calls that have nothing to do with that file pass unharmed, and are not counted.
    """
    if not shutil.which("strace"):
        child.kill()
        raise NotTried("there is no strace")
    calls = [each.partition(":")[0] for each in injections]
    options = [f"--trace={','.join(calls)}", *(f"--inject={each}" for each in injections), *(["-P", str(only)] if only else [])]
    with tempfile.NamedTemporaryFile("r") as trace:
        tracer = subprocess.Popen(
            ["strace", "-f", "-p", str(child.pid), "-o", trace.name, *options], stderr=subprocess.PIPE
        )
        assert tracer.stderr is not None
        with tracer.stderr:
            attached = tracer.stderr.readline().decode().strip()
            if "attached" not in attached:
                child.kill()
                tracer.wait()
                raise NotTried(f"strace is of no use here: {attached}")
            child.begin()
            code = child.end()
            tracer.wait()
        first = re.compile(rf"\d+ +({calls[0].replace('?', '').replace(',', '|')})\(")
        return Traced(code, sum("(INJECTED)" in line and bool(first.match(line)) for line in trace))


@contextmanager
def limit(what: int, most: int) -> Iterator[None]:
    """Let this process have no more than that of something (RLIMIT_…)."""
    before = resource.getrlimit(what)
    resource.setrlimit(what, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(what, before)


def as_nobody() -> None:
    """Become a user whom permissions stop."""
    if not os.geteuid():
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


# ---------------------------------------------------------------- what they write


class Step(Struct, frozen=True):
    """Is one thing that a writer does: it appends, or makes the log where the first draft opens an encounter.

    With `anew` it takes a new handle for it.
    """

    drafts: Sequence[Draft]
    key: str | None = None
    after: int | None = None
    mode: Mode = "durable"
    anew: bool = False

    @property
    def creates(self) -> bool:
        return isinstance(self.drafts[0].event, EncounterOpened)

    def done(self, path: Path, store: JsonlStore, disk: Disk = MACHINE) -> tuple[JsonlStore, tuple[Recorded, ...]]:
        """Do it, and return the handle and the records that it stands for."""
        if self.creates:
            made = create(path, self.drafts, by="gm", at=AT, key=self.key, entropy=counted(), disk=disk)
            return made, lines_of(keyed(self.drafts, self.key), START, by="gm", at=AT, entropy=counted()).records
        done = store.append(self.drafts, by="gm", at=AT, key=self.key, after=self.after, mode=self.mode)
        return store, done.records


def act(path: Path, steps: Iterable[Step], say: Say, disk: Disk = MACHINE, **options: Any) -> None:
    """Do the steps one after the other, and say of each that it is about to be done, then what came of it.

    Handles that were put away stay open, as if somebody still had them.
    """
    with ExitStack() as handles:
        store = None
        for number, step in enumerate(steps):
            if store is None or step.anew:
                store = handles.enter_context(JsonlStore(path, disk=disk, **options))
            say("about", number)
            try:
                done, records = step.done(path, store, disk)
            except StoreError as error:
                say("failed", number, type(error).__name__, str(error), error.hint)
            except Exception as error:  # noqa: BLE001 – no other may come out of a store, which is to be found out
                say("broke", number, repr(error))
            else:
                store = handles.enter_context(done)
                say("acked", number, [written(record).decode() for record in records])


def story_of(steps: Sequence[Step], said: Iterable[Said], before: Sequence[Recorded] = ()) -> Story:
    """Return what one writer's words tell: what was acked, and what was in flight when it died or could not tell.

    `before` are the records that were in the log. A handle that said once that it could not tell writes nothing more.
    """
    acked = {record.seq: record for record in before}
    flying: list[Sequence[Draft]] = []
    pending, poisoned = None, False
    for word, number, *rest in said:
        if word == "about":
            pending, poisoned = number, poisoned and not steps[number].anew
        elif word == "acked":
            pending = None
            acked.update((record.seq, record) for record in map(decode, map(str.encode, rest[0])))
        elif word == "failed":
            pending = None
            if rest[0] == "OutcomeUnknown" and not poisoned:
                flying.append(steps[number].drafts)
                poisoned = True
    if pending is not None:
        flying.append(steps[pending].drafts)
    return Story([acked[seq] for seq in sorted(acked)], flying)


def answered(run: Run, case: str, said: Iterable[Said], *errors: str) -> None:
    """Hold what came out of a store against what may: these errors of its own, with a reason and a hint."""
    for word, number, *rest in said:
        if word == "broke":
            run.breach("I6", case, f"step {number}: {rest[0]} came out of the store")
        elif word == "failed":
            name, why, hint = rest
            if name not in errors:
                run.breach("I6", case, f"step {number}: {name}, not {' or '.join(errors) or 'done'}: {why}")
            elif not (why and hint):
                run.breach("I6", case, f"step {number}: {name} without a {'hint' if why else 'reason'}: {why}")


def came(said: Iterable[Said]) -> list[str]:
    """Return what came of each step: `acked`, or the name of an error."""
    return [rest[0] if word == "failed" else word for word, _, *rest in said if word in ("acked", "failed")]


class Life(Struct, frozen=True):
    """Is what a writer finds, None where there is no log, and what it does. `good` are the acked bytes of what it finds."""

    name: str
    found: bytes | None
    good: bytes
    steps: Sequence[Step]

    def begins(self, folder: Path) -> Path:
        """Put what it finds into a folder, and return the name of the log."""
        path = folder / LOG
        if self.found is not None:
            path.write_bytes(self.found)
        return path

    def ends(self, run: Run, case: str, path: Path, said: Sequence[Said]) -> None:
        """Judge the log that it left, and what lies beside it."""
        data = path.read_bytes() if path.exists() else b""
        with JsonlStore(path) as store:
            judge(run, case, story_of(self.steps, said, read(self.good) if self.good else ()), store, data)
        known = (f"{LOG}.torn-", ".encounterlog-", "lost+found")
        names = [each.name for each in path.parent.iterdir()]
        if strange := [name for name in names if name != LOG and not name.startswith(known)]:
            run.breach("I6", case, f"{strange} lie beside the log")

    def again(self, run: Run, case: str, path: Path, said: Sequence[Said]) -> None:
        """Hold that what is done again under its key, because nobody heard how it ended, is there once."""
        begun = [self.steps[number] for word, number, *_ in said if word == "about"]
        for key, step in {step.key: step for step in begun if step.key is not None}.items():
            with JsonlStore(path) as store:
                try:
                    step.done(path, store)[0].close()
                except NotWritten as error:
                    if not (step.creates and path.exists()):
                        run.breach("I6", case, f"it cannot be repeated: {error}")
                records, error = readable(store)
            if (times := [record.key for record in records].count(key)) != 1:
                run.breach("I1", case, f"what was repeated under the key {key} is there {times} times: {error}")


VOLLEY = Step(rounds(7, 3), key="volley")
GOOD = log_of(drafts(OPENING), rounds(1, 2))
WHOLE = log_of(drafts(OPENING), rounds(1, 2), keyed(VOLLEY.drafts, VOLLEY.key))
LONG = log_of(drafts(OPENING), rounds(1, 2), rounds(7, 400))
RETURNING = [VOLLEY, Step(rounds(1, 1), mode="flushed")]
GROWING = Life(
    "a log",
    GOOD,
    GOOD,
    [
        Step(rounds(1, 1)),
        VOLLEY,
        Step(rounds(2, 1), mode="flushed"),
        Step(VOLLEY.drafts, key=VOLLEY.key, anew=True),
        Step(rounds(3, 40), key="charge", anew=True),
    ],
)
NEW = Life(
    "a new log",
    None,
    b"",
    [
        Step([*drafts(OPENING), *rounds(1, 2)], key="opening"),
        Step(rounds(1, 1)),
        VOLLEY,
        Step(rounds(3, 1), after=7, anew=True),
    ],
)
TORN = [
    Life("a line cut short", WHOLE[:-100], GOOD, RETURNING),
    Life("a batch cut short", WHOLE[: WHOLE.index(b"\n", len(GOOD)) + 1], GOOD, RETURNING),
    Life("a tail of zeros", GOOD + bytes(5000), GOOD, RETURNING),
    Life("a long tail", LONG[:-5], GOOD, RETURNING),
]
UNENDED = Life("a line feed missing", WHOLE[:-1], WHOLE, [Step(rounds(1, 2)), VOLLEY])


# ---------------------------------------------------------------- small disks


@contextmanager
def tmpfs(size: int, options: str = "") -> Iterator[Path]:
    """Give a disk in memory of that many bytes."""
    with tempfile.TemporaryDirectory(prefix="fault-") as name:
        folder = Path(name)
        with mounted("-t", "tmpfs", "-o", f"size={size}{options}", "none", folder):
            yield folder


@contextmanager
def ext4(size: int, image: Path, *features: str) -> Iterator[Path]:
    """Give a real file system of that many bytes, in a file."""
    with image.open("wb") as file:
        file.truncate(size)
    ran("mkfs.ext4", "-q", "-F", "-m", "0", "-b", "4096", *features, image)
    with attached(image) as folder:
        yield folder


@contextmanager
def attached(image: Path) -> Iterator[Path]:
    """Give what is in the image of a file system."""
    with tempfile.TemporaryDirectory(prefix="fault-") as name:
        folder = Path(name)
        with mounted("-o", "loop", image, folder):
            yield folder


@contextmanager
def mounted(*words: object) -> Iterator[None]:
    """Mount what `mount` is told to; the last word is where."""
    ran("mount", *words)
    try:
        yield
    finally:
        ran("umount", "-l", words[-1])


def ran(command: str, *words: object) -> None:
    """Run a command that only root on Linux may; raise NotTried with what it says where it fails."""
    if sys.platform != "linux" or os.geteuid() or not shutil.which(command):
        raise NotTried(f"{command} needs root on Linux")
    done = subprocess.run([command, *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotTried(f"{command}: {done.stderr.strip()}")
