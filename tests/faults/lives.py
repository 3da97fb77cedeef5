"""What writers do while something fails, and what must have come of it: the common part of the faults by real means."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from typing import Any

from msgspec import Struct

from eventstore.chain import START
from eventstore.disk import MACHINE, Disk
from eventstore.errors import NotWritten, StoreError
from eventstore.events import EncounterOpened
from eventstore.jsonl import JsonlStore, create
from eventstore.record import Draft, Recorded, decode, written
from eventstore.store import Mode, keyed
from eventstore.writing import lines_of
from tests.eventstore.logs import AT, OPENING, counted, drafts, log_of, read, rounds
from tests.faults.campaign import NotTried, Run
from tests.faults.judging import Story, judge, readable
from tests.faults.processes import Heard, Said, Say

LOG = "ford.jsonl"
KNOWN = (f"{LOG}.torn-", ".encounterlog-", "lost+found")
"""How the names begin of what may lie beside the log."""
Cues = Mapping[int, Callable[[], object]]
"""What happens before the step of that number."""


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
        """Do it, and return the handle that there is then and the records that it stands for."""
        if self.creates:
            made = create(path, self.drafts, by="gm", at=AT, key=self.key, entropy=counted(), disk=disk)
            return made, lines_of(keyed(self.drafts, self.key), START, by="gm", at=AT, entropy=counted()).records
        done = store.append(self.drafts, by="gm", at=AT, key=self.key, after=self.after, mode=self.mode)
        return store, done.records


# ---------------------------------------------------------------- doing it


def act(
    path: Path, steps: Iterable[Step], say: Say, disk: Disk = MACHINE, cues: Cues | None = None, **options: Any
) -> None:
    """Do the steps one after the other, and say of each that it is about to be done, then what came of it.

    Handles that were put away stay open, as if somebody still had them.
    """
    with ExitStack() as handles:
        store = None
        for number, step in enumerate(steps):
            if cues and number in cues:
                cues[number]()
            if store is None or step.anew:
                store = handles.enter_context(JsonlStore(path, disk=disk, **options))
            done = do(number, step, path, store, say, disk)
            store = done if done is store else handles.enter_context(done)


def do(number: int, step: Step, path: Path, store: JsonlStore, say: Say, disk: Disk = MACHINE) -> JsonlStore:
    """Do a step, say what came of it, and return the handle that there is then."""
    say("about", number)
    try:
        store, records = step.done(path, store, disk)
    except StoreError as error:
        say("failed", number, type(error).__name__, str(error), error.hint)
    except Exception as error:  # noqa: BLE001 – no other may come out of a store, which is to be found out
        say("broke", number, repr(error))
    else:
        say("acked", number, [written(record).decode() for record in records])
    return store


# ---------------------------------------------------------------- what came of it


def came(said: Iterable[Said]) -> list[str]:
    """Return what came of each step: `acked`, or the name of an error."""
    return [rest[0] if word == "failed" else word for word, _, *rest in said if word in ("acked", "failed")]


def must(run: Run, case: str, said: Iterable[Said], *expected: str) -> None:
    """Hold what came of each step against what must."""
    if (found := came(said)) != list(expected):
        run.breach("I6", case, f"it ended with {', '.join(found)}, not with {', '.join(expected)}")


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


def story_of(steps: Sequence[Step], said: Iterable[Said], before: Sequence[Recorded] = ()) -> Story:
    """Return what one writer's words tell: what was acked, and what was in flight, as nobody heard how it ended.

    `before` are the records that were in the log. A handle that said once that it could not tell writes nothing more.
    """
    acked = {record.seq: record for record in before}
    flying: list[Sequence[Draft]] = []
    pending, poisoned = None, False
    for word, number, *rest in said:
        if word == "about":
            flying += [] if pending is None else [steps[pending].drafts]
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


# ---------------------------------------------------------------- lives


class Life(Struct, frozen=True):
    """Is what a writer finds, None where there is no log, and what it does; `good` are the acked bytes of what it finds."""

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

    def work(self, path: Path, **options: Any) -> Callable[[Say], None]:
        """Return what a child has to do."""
        return lambda say: act(path, self.steps, say, **options)

    def ends(self, run: Run, case: str, path: Path, said: Sequence[Said]) -> None:
        """Judge the log that it left, and what lies beside it."""
        data = path.read_bytes() if path.exists() else b""
        with JsonlStore(path) as store:
            judge(run, case, story_of(self.steps, said, read(self.good) if self.good else ()), store, data)
        if (tail := (self.found or b"")[len(self.good) :]) and not _kept(tail, path, len(self.good)):
            run.breach("I6", case, "the torn tail is neither in the log nor beside it")
        names = [each.name for each in path.parent.iterdir()]
        if strange := [name for name in names if name != LOG and not name.startswith(KNOWN)]:
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
                records, refusal = readable(store)
            if (times := [record.key for record in records].count(key)) != 1:
                run.breach("I1", case, f"what was repeated under the key {key} is there {times} times: {refusal}")


def _kept(tail: bytes, path: Path, at: int) -> bool:
    """Whether a torn tail still stands where it stood, or beside the log."""
    beside = (side.read_bytes() for side in path.parent.glob(f"{LOG}.torn-*"))
    return path.read_bytes()[at:] == tail or tail in beside


def lived(
    run: Run,
    case: str,
    life: Life,
    path: Path,
    *errors: str,
    disk: Disk = MACHINE,
    cues: Cues | None = None,
    during: AbstractContextManager[None] | None = None,
) -> list[Said]:
    """Let a life take its course in this process, `during` a fault, judge the log, and return what was said.

    Where every step was refused, the log is as it was found, or without its torn tail.
    """
    said = Heard()
    with during or nullcontext():
        act(path, life.steps, said, disk, cues)
    answered(run, case, said, *errors)
    found = path.read_bytes() if path.exists() else None
    if not {"acked", "OutcomeUnknown"} & {*came(said)} and found not in (life.found, life.good or None):
        run.breach("I2", case, "nothing was written, and yet the log is another")
    life.ends(run, case, path, said)
    return said


def parts(run: Run, *tries: Callable[[Run], None]) -> None:
    """Try the parts of a fault, each for itself, and note which cannot be tried here."""
    for each in tries:
        try:
            each(run)
        except NotTried as reason:
            if str(reason) not in run.counts.untried:
                run.counts.untried += f"{'; ' * bool(run.counts.untried)}{reason}"


ONE, VOLLEY, MANY = Step(rounds(1, 1)), Step(rounds(7, 3), "volley"), Step(rounds(20, 100), "many")
LATER = Step(rounds(2, 1), mode="flushed")
GOOD = log_of(drafts(OPENING), rounds(1, 2))
WHOLE = log_of(drafts(OPENING), rounds(1, 2), keyed(VOLLEY.drafts, VOLLEY.key))
LONG = log_of(drafts(OPENING), rounds(1, 2), rounds(7, 400))


def again(step: Step) -> Step:
    """Return the same step, done by a new handle."""
    return Step(step.drafts, step.key, anew=True)


GROWING = Life("a log", GOOD, GOOD, [ONE, VOLLEY, LATER, again(VOLLEY), again(Step(rounds(3, 40), "charge"))])
MAKING = Life("making a log", None, b"", [Step([*drafts(OPENING), *rounds(1, 2)], "opening")])
NEW = Life("a new log", None, b"", [*MAKING.steps, ONE, VOLLEY, Step(rounds(3, 1), after=7, anew=True)])
TORN = [
    Life("a line cut short", WHOLE[:-100], GOOD, [VOLLEY, LATER]),
    Life("a batch cut short", WHOLE[: WHOLE.index(b"\n", len(GOOD)) + 1], GOOD, [VOLLEY, LATER]),
    Life("a tail of zeros", GOOD + bytes(5000), GOOD, [VOLLEY, LATER]),
    Life("a long tail", LONG[:-5], GOOD, [VOLLEY, LATER]),
]
UNENDED = Life("a line feed missing", WHOLE[:-1], WHOLE, [Step(rounds(1, 2)), VOLLEY])
EVERY = [MAKING, GROWING, UNENDED, *TORN]
