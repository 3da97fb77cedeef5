"""A soak of one log: many processes of many threads append, are killed at random, and readers look on.

python -m tests.faults.soak [--minutes 10] [--processes 8] [--threads 4] [--seed N]

Each batch has an id of its own, which stands in the text of each of its facts. Whoever is about to append says so into a
pipe, and says what came of it; the parent remembers, and in the end holds the log against it. What the killed had begun
and did not tell of may be there or not, as a whole.
"""

import argparse
import json
import os
import random
import selectors
import signal
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, NoReturn

import eventstore.following  # noqa: F401 – loaded once, as it stands when the soak begins
from eventstore.chain import Anchor
from eventstore.disk import Disk
from eventstore.errors import Busy, CorruptLog, WrongVersion
from eventstore.events import Noted
from eventstore.jsonl import JsonlStore, create
from eventstore.record import Draft
from eventstore.store import STORE, Appended
from tests.eventstore import verifier
from tests.eventstore.logs import AT, OPENING, drafts
from tests.faults.processes import Say
from tests.faults.together import die_with_the_parent, side_by_side

PAUSE = 0.2
"""How long a thread pauses between two appends, in seconds, on average: it keeps the log at a size that can be judged."""
BETWEEN_KILLS = 1.5
"""How much time is between two kills, in seconds, on average."""
DEATHS = 1 / 1000
"""How probable it is that a writer dies in the middle of a write, or before its sync."""
READERS = 3
SIZES = (1,) * 12 + (2, 3, 5, 40)
"""How many facts there are in a batch."""
PATIENT = 60.0

Hear = Callable[["Hand", list[Any]], None]


# ---------------------------------------------------------------- what was told, and what came of it


@dataclass
class Batch:
    """Is what its writer told of a batch: how many facts, whether it has a key, and what came of it in the end."""

    size: int
    keyed: bool
    state: str = "flying"
    first: int = 0
    hash: str = ""
    """Of its last record; the chain makes it stand for all before."""


@dataclass
class Occurrence:
    """Is all that was told: batches by their ids, the hashes of records that anybody was shown, and surprises."""

    batches: dict[str, Batch] = field(default_factory=dict)
    shown: dict[int, str] = field(default_factory=dict)
    surprises: list[str] = field(default_factory=list)
    acked: int = 0
    refused: int = 0
    busy: int = 0

    def hear(self, who: str, word: str, *rest: Any) -> None:
        match word, *rest:
            case "about", name, size, keyed:
                batch = self.batches.setdefault(name, Batch(size, keyed))
                batch.state = "acked" if batch.state == "acked" else "flying"
            case "acked", name, first, digits:
                self._acked(name, first, digits)
            case "refused", name, why:
                self.batches[name].state = "refused"
                self.refused += 1
                self.busy += why == "Busy"
            case "saw", seq, digits:
                self.show(who, seq, digits)
            case _:
                self.surprises.append(f"{who}: {word} {rest}")

    def _acked(self, name: str, first: int, digits: str) -> None:
        batch = self.batches[name]
        if batch.state == "acked" and (batch.first, batch.hash) != (first, digits):
            self.surprises.append(f"{name} was acked twice, at {batch.first} and at {first}")
        self.acked += batch.size if batch.state != "acked" else 0
        batch.state, batch.first, batch.hash = "acked", first, digits
        self.show(name, first + batch.size - 1, digits)

    def show(self, who: str, seq: int, digits: str) -> None:
        """Remember what somebody was shown; once shown, it stays (I5)."""
        if self.shown.setdefault(seq, digits) != digits:
            self.surprises.append(f"{who} was shown another record {seq} than somebody before")

    def left_in_flight(self, writer: str) -> list[str]:
        """Return the ids of what a dead writer had begun under a key."""
        began = (name for name in self.batches if name.startswith(f"{writer}."))
        return [name for name in began if self.batches[name].keyed and self.batches[name].state == "flying"]


@dataclass
class Result:
    """Says what a soak found."""

    seconds: float
    processes: int
    threads: int
    kills: int
    acked: int
    found: int = 0
    lost: int = 0
    invented: int = 0
    split: int = 0
    surprises: list[str] = field(default_factory=list)
    records: int = 0
    size: int = 0

    @property
    def sound(self) -> bool:
        return not (self.lost or self.invented or self.split or self.surprises) and self.acked > 0

    def __str__(self) -> str:
        return (
            f"{self.seconds:.0f} s, {self.processes} processes x {self.threads} threads, {self.kills} kills: "
            f"events acked {self.acked}, found {self.found}, lost {self.lost}, invented {self.invented}, "
            f"batches split {self.split}, readers' surprises {len(self.surprises)} "
            f"({self.records} records, {self.size / 1e6:.0f} MB)"
        )


def judged(data: bytes, told: Occurrence, result: Result) -> None:
    """Hold a log against what was told, by a verifier and a parser that share nothing with the store."""
    line, says = verifier.first_fault(data)
    if line:
        result.surprises.append(f"the verifier finds line {line}: {says}")
    hashes: dict[int, str] = {}
    there: dict[str, list[tuple[int, str]]] = {}
    for value in map(json.loads, data.splitlines()):
        hashes[value["seq"]] = value["hash"]
        if value["by"] != STORE and value["seq"] > 1:
            text = value.get("event", {}).get("text") or "something else"
            there.setdefault(text.split()[0], []).append((value["seq"], text))
    result.records, result.size = len(hashes), len(data)
    for name, facts in there.items():
        _judge_batch(name, facts, told.batches.get(name), result)
    for name, batch in told.batches.items():
        if batch.state == "acked":
            last = batch.first + batch.size - 1
            stands = hashes.get(last) == batch.hash and [seq for seq, _ in there.get(name, ())][-1:] == [last]
            result.found += batch.size * stands
            result.lost += batch.size * (not stands)
    gone = [seq for seq, digits in told.shown.items() if hashes.get(seq) != digits]
    result.surprises += [f"record {seq}, which somebody was shown, is gone" for seq in gone]


def _judge_batch(name: str, facts: Sequence[tuple[int, str]], batch: Batch | None, result: Result) -> None:
    """Hold that a batch that is there was to be there, once and as a whole."""
    if batch is None or batch.state == "refused":
        result.invented += len(facts)
        return
    first, size = facts[0][0], batch.size
    result.invented += max(len(facts) - size, 0)
    if facts[:size] != [(first + place, text) for place, text in enumerate(texts(name, size))]:
        result.split += 1


# ---------------------------------------------------------------- those who write


def texts(name: str, size: int) -> list[str]:
    """Return what the facts of a batch say."""
    return [f"{name} {place}/{size} {'x' * (zlib.crc32(name.encode()) % 100)}" for place in range(1, size + 1)]


class Dying(Disk):
    """Is a disk on which a writer may die in the middle of a write, or before it is synced."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def write(self, fd: int, data: bytes | memoryview) -> int:
        if self._chance.random() < DEATHS:
            super().write(fd, data[: self._chance.randrange(len(data) + 1)])
            os.kill(os.getpid(), signal.SIGKILL)
        return super().write(fd, data)


def write(path: Path, name: str, threads: int, careful: bool, again: Iterable[str], say: Say) -> None:
    """Append without end in several threads.

    A careful writer verifies the whole log first, and then has keys at hand; `again` is what one like it left unfinished.
    """
    chance = random.Random(name)
    store = JsonlStore(path, wait=PATIENT, disk=Dying(chance))
    if careful:
        _hashes(store)
    for each in again:
        batch_name, size = each.rsplit("/", 1)
        Writer(store, say).append(batch_name, int(size), keyed=True)
    side_by_side(*(partial(_write, Writer(store, say), f"{name}.{number}", careful) for number in range(threads)))


def _write(writer: "Writer", name: str, careful: bool) -> None:
    chance = random.Random(name)
    parent = os.getppid()
    for number in count():
        time.sleep(chance.expovariate(1 / PAUSE))
        if os.getppid() != parent:
            os._exit(1)
        how = chance.choice(["durable", "durable", "flushed", "conditional", "keyed" if careful else "durable"])
        writer.does(how, f"{name}.{number}", chance.choice(SIZES))


class Writer:
    """Is a thread that appends and says what comes of it."""

    def __init__(self, store: JsonlStore, say: Say) -> None:
        self._store, self._say = store, say
        self._head = 1

    def does(self, how: str, name: str, size: int) -> None:
        """Append in one of several ways."""
        match how:
            case "conditional":
                for _ in range(3):
                    if self.append(name, size, after=self._head):
                        break
            case "keyed":
                first = self.append(name, size, keyed=True)
                again = self.append(name, size, keyed=True)
                if first and again and (not again.again or again.records != first.records):
                    self._say("surprise", f"{name}, repeated, is another append")
            case "flushed":
                self.append(name, size, mode="flushed")
            case _:
                self.append(name, size)

    def append(self, name: str, size: int, *, keyed: bool = False, **how: Any) -> Appended | None:
        """Append a batch; return nothing where it was refused."""
        batch = [Draft(Noted(text=text)) for text in texts(name, size)]
        self._say("about", name, size, keyed)
        try:
            done = self._store.append(batch, by="soak", at=AT, key=name if keyed else None, **how)
        except WrongVersion as error:
            self._came_in_between(name, error)
        except Busy:
            self._say("refused", name, "Busy")
        except Exception as error:  # noqa: BLE001 – whatever else comes is a surprise
            self._say("surprise", f"{name}: {error!r}"[:1000])
        else:
            self._head = done.last
            self._say("acked", name, done.first, done.records[-1].hash)
            return done
        return None

    def _came_in_between(self, name: str, error: WrongVersion) -> None:
        self._say("refused", name, "WrongVersion")
        if [record.seq for record in error.between] != list(range(error.expected + 1, error.found + 1)):
            self._say("surprise", f"{name} was told of {len(error.between)} records between {error}"[:1000])
        for record in error.between[-1:]:
            self._say("saw", record.seq, record.hash)
        self._head = error.found


# ---------------------------------------------------------------- those who read


def follow(path: Path, after: int | Anchor, say: Say) -> None:
    """Follow the log, each record once and in order."""
    last = after if isinstance(after, int) else after.seq
    for record in JsonlStore(path, wait=PATIENT).follow(after):
        if record.seq != last + 1:
            say("surprise", f"followed from {last} to {record.seq}")
        last = record.seq
        say("saw", record.seq, record.hash)


def read_again(path: Path, say: Say) -> None:
    """Read the whole log again and again: it goes on where it ended, and never is another."""
    before: list[bytes] = []
    store = JsonlStore(path, wait=PATIENT)
    while True:
        start = time.monotonic()
        found = _hashes(store)
        if found[: len(before)] != before:
            say("surprise", f"{len(before)} records were read before, and now others")
        before = found
        say("saw", len(before), before[-1].hex())
        time.sleep(5 * (time.monotonic() - start) + 0.1)


def _hashes(store: JsonlStore) -> list[bytes]:
    """Return the hashes of all records; that the tail is torn is said after all that is good."""
    found: list[bytes] = []
    try:
        for record in store.read():
            found.append(bytes.fromhex(record.hash))  # noqa: PERF401 – a comprehension would lose the part
    except CorruptLog as error:
        if not error.torn:
            raise
    return found


# ---------------------------------------------------------------- processes and pipes


class Hand:
    """Is a process, and the pipe through which it tells what it does."""

    def __init__(self, name: str, work: Callable[[Say], None], others: Iterable["Hand"]) -> None:
        self.name = name
        self.fd, into = os.pipe()
        self._rest = b""
        self.pid = os.fork()
        if not self.pid:
            _live(work, into, [self.fd, *(other.fd for other in others)])
        os.close(into)

    def heard(self) -> list[list[Any]] | None:
        """Return what it has said meanwhile, None once it is dead and all was heard; half a word was never said."""
        data = os.read(self.fd, 1 << 16)
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [json.loads(line) for line in lines] if data else None

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def end(self) -> int:
        """Wait for its death, and return how it ended."""
        os.close(self.fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def _live(work: Callable[[Say], None], into: int, others: Iterable[int]) -> NoReturn:
    """Work in the child process; a word is written at once or not at all, for it is short."""

    def say(*words: Any) -> None:
        os.write(into, json.dumps(words).encode() + b"\n")

    try:
        die_with_the_parent()
        for fd in others:
            os.close(fd)
        work(say)
    except BaseException as error:  # noqa: BLE001 – a child must not return into its parent's work
        with suppress(OSError):
            say("surprise", repr(error)[:1000])
    finally:
        os._exit(1)


class Crew:
    """Is all who work on the log; whoever dies is followed by another one."""

    def __init__(self, path: Path, processes: int, threads: int, seed: int) -> None:
        self.told, self.kills = Occurrence(), 0
        self._path, self._threads, self._seed = path, threads, seed
        self._born = count(1)
        self.ends = False
        """Whether it is time to stop: the dead are not replaced then."""
        self._listening = selectors.DefaultSelector()
        self.writers: list[Hand] = []
        self.readers: list[Hand] = []
        self._last: dict[str, int] = {}
        for number in range(processes):
            self._begin_writing(number % 4 == 0)
        for number in range(READERS):
            self._begin_reading(f"reader {number}")

    def _begin_writing(self, careful: bool, again: Iterable[str] = ()) -> None:
        name = f"{'careful' if careful else 'quick'}-{self._seed}-{next(self._born)}"
        self.writers.append(self._start(name, partial(write, self._path, name, self._threads, careful, list(again))))

    def _begin_reading(self, name: str) -> None:
        """Read again and again, or follow after what was seen last."""
        seq = self._last.get(name, 0)
        after = Anchor(seq, self.told.shown[seq]) if seq else 0
        reads = partial(read_again, self._path) if name == "reader 0" else partial(follow, self._path, after)
        self.readers.append(self._start(name, reads))

    def _start(self, name: str, work: Callable[[Say], None]) -> Hand:
        hand = Hand(name, work, [*self.writers, *self.readers])
        self._listening.register(hand.fd, selectors.EVENT_READ, hand)
        return hand

    def listen(self, seconds: float) -> None:
        """Hear what is said for a while."""
        for key, _ in self._listening.select(max(seconds, 0)):
            hand: Hand = key.data
            words = hand.heard()
            if words is None:
                self._bury(hand)
            for word in words or ():
                self.told.hear(hand.name, *word)
                if word[0] == "saw" and hand in self.readers:
                    self._last[hand.name] = word[1]

    def _bury(self, hand: Hand) -> None:
        self._listening.unregister(hand.fd)
        if (code := hand.end()) != -signal.SIGKILL:
            self.told.surprises.append(f"{hand.name} ended with {code}")
        if hand in self.readers:
            self.readers.remove(hand)
            if not self.ends:
                self._begin_reading(hand.name)
            return
        self.kills += not self.ends
        self.writers.remove(hand)
        if not self.ends:
            unfinished = self.told.left_in_flight(hand.name)
            again = [f"{name}/{self.told.batches[name].size}" for name in unfinished]
            self._begin_writing(hand.name.startswith("careful"), again)

    def caught_up(self, seq: int) -> bool:
        """Whether every reader has seen that record."""
        return all(self._last.get(hand.name, 0) >= seq for hand in self.readers)

    def stop(self, hands: Sequence[Hand]) -> None:
        """Kill them and hear what they said until then."""
        self.ends = True
        for hand in hands:
            hand.kill()
        while any(hand in hands for hand in [*self.writers, *self.readers]):
            self.listen(1)


@contextmanager
def crew(path: Path, processes: int, threads: int, seed: int) -> Iterator[Crew]:
    """Let a crew work; nobody of it is left in the end."""
    made = Crew(path, processes, threads, seed)
    try:
        yield made
    finally:
        made.stop([*made.writers, *made.readers])


# ---------------------------------------------------------------- a soak


def soak(folder: Path, seconds: float, processes: int, threads: int, seed: int) -> Result:
    """Let a crew work for so long, kill one of it now and then, and judge the log that is left."""
    path, chance = folder / "soak.jsonl", random.Random(seed)
    create(path, drafts(OPENING), by="gm", at=AT).close()
    start = time.monotonic()
    with crew(path, processes, threads, seed) as hands:
        _work(hands, chance, start, seconds)
        hands.stop(list(hands.writers))
        with JsonlStore(path) as store:
            said: list[list[Any]] = []
            end = Writer(store, lambda *words: said.append([*words])).append("the-end", 1)
        for words in said:
            hands.told.hear("the parent", *words)
        last = end.last if end else 0
        patience = time.monotonic() + PATIENT + seconds / 4
        while not hands.caught_up(last):
            hands.listen(0.1)
            if time.monotonic() > patience:
                hands.told.surprises.append("a reader does not come to the end")
                break
        hands.stop(list(hands.readers))
        told = hands.told
        result = Result(seconds, processes, threads, hands.kills, told.acked, surprises=told.surprises)
    sys.stderr.write(f"all dead after {time.monotonic() - start:.0f} s; judging\n")
    judged(path.read_bytes(), told, result)
    return result


def _work(hands: Crew, chance: random.Random, start: float, seconds: float) -> None:
    """Listen, kill, and say from time to time how it goes."""
    kill, report = start + BETWEEN_KILLS, start + 10
    while (now := time.monotonic()) < start + seconds:
        if now > kill:
            chance.choice(hands.writers if chance.random() < 0.95 else hands.readers).kill()
            kill = now + chance.expovariate(1 / BETWEEN_KILLS)
        if now > report:
            told = hands.told
            says = f"{now - start:5.0f} s  {hands.kills:>4} kills  {told.acked:>9,} acked  {told.refused:>7,} refused ({told.busy} busy)"
            sys.stderr.write(f"{says}  {len(told.surprises)} surprises\n")
            report += 10
        hands.listen(min(kill, report, start + seconds) - now)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.faults.soak", description="Many hands, many deaths, one log."
    )
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        result = soak(Path(folder), asked.minutes * 60, asked.processes, asked.threads, asked.seed)
    sys.stdout.write("\n".join([str(result), *result.surprises[:20], ""]))
    return not result.sound


if __name__ == "__main__":
    sys.exit(main())
