"""Trials: each change is made in a process of its own, and the witnesses that run it are asked one by one.

Such a process leaves nothing behind and cannot run for ever: memory is limited, and each witness may take a second of processor
time and five times what it took before, and ten seconds by the clock and ten times as long: waiting for a thread that will not
come takes no processor time. A witness that does not finish has noticed, though on a busy machine it may only have been slow: the
outcome says so, and a caller in doubt asks again, alone and with more patience. The process ends with all that it started. An error
in the trial itself, outside of its witnesses, is no answer: the place is BROKEN, and the outcome says what went wrong.
"""

import gc
import os
import resource
import select
import signal
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from math import inf
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

from encounterlog_rulelab.places import Marks, Place, empty_caches, functions_in_memory
from encounterlog_rulelab.unnoticed import rules_about
from projections.proving.plays import Play
from projections.proving.proof import run_play
from projections.ruleset.ruleset import Ruleset


@dataclass
class Witness:
    """A play or a test: the ruleset or file that it comes from, the rules that it is about, and how to ask it.

    `runs` has a bit for each place that it runs, by number; `seconds` of the processor is what it took, and `waits` by the clock.
    """

    title: str
    source: str
    about: tuple[str, ...]
    holds: Callable[[], bool]
    runs: int = 0
    seconds: float = 0.0
    waits: float = 0.0
    sound: bool = True

    def notices(self) -> bool:
        """Say whether it no longer holds; one that raises an error does not."""
        try:
            return not self.holds()
        except (Exception, SystemExit):  # noqa: BLE001 - whatever a changed function may come to
            return True


def of_plays(ruleset: Ruleset, plays: Iterable[Play], holds: Callable[[Play], bool]) -> list[Witness]:
    """Return plays of a ruleset as witnesses; `holds` compares the page of a play with its golden one."""

    def proves(play: Play) -> bool:
        return run_play(play).is_proven and holds(play)

    titled = [(play, f"{play.title} ({play.source}, line {play.line})") for play in plays]
    return [Witness(title, ruleset.key, rules_about(ruleset, play), partial(proves, play)) for play, title in titled]


MEMORY = 2 << 30
"""The most memory of a process with a change, in bytes."""
PATIENCE = 10.0
"""The time that a witness may take by the clock, in seconds, in addition to ten times its usual time."""
MORE = 6
"""The factor by which a witness may take longer in a second trial."""
NOTICED, UNNOTICED, SAME, BROKEN = range(3, 7)
"""The outcomes of a trial, as the exit codes of its process; not 0 to 2, with which processes end for other reasons."""
ASKED = b"."
"""The mark that a process with a change sends before it asks a witness; anything else is a sentence about an error."""


@dataclass(frozen=True)
class Outcome:
    """The outcome for a place: the trial's result, how many witnesses run it, and how many of them could be asked; which one was
    asked last, whether that one ran out of time, and the error if the trial is broken.
    """

    place: Place
    said: int
    reached_by: int
    asked: int
    last: str = ""
    late: bool = False
    error: str = ""


@dataclass
class Trial:
    """The places to change, by number, and for each what may notice it; `rules` are those that a function is about. For a place,
    as many witnesses are asked as took so many `seconds` of the processor together.
    """

    places: Sequence[Place]
    witnesses: Sequence[Witness]
    sources: Callable[[Place], frozenset[str]]
    rules: Callable[[Place], frozenset[str]]
    seconds: float = inf

    def __post_init__(self) -> None:
        self._number = {id(place): number for number, place in enumerate(self.places)}

    def measure(self, jobs: int) -> None:
        """Find out which places each witness runs, how long it takes, and whether it holds at all."""
        marks, files = Marks(self.places), {place.file for place in self.places}

        def measured(number: int) -> tuple[bool, int, float, float]:
            marks.put()
            for file in files:
                empty_caches(file)
            marks.asked()
            start, began = time.process_time(), time.monotonic()
            sound = not self.witnesses[number].notices()
            return sound, marks.asked(), time.process_time() - start, time.monotonic() - began

        found = _in_workers(measured, len(self.witnesses), jobs, 8)
        for witness, came in zip(self.witnesses, found, strict=True):
            witness.sound, witness.runs, witness.seconds, witness.waits = came

    def outcomes(self, jobs: int, places: Sequence[Place] | None = None, patience: int = 1) -> Iterator[Outcome]:
        """Try these places, or every one, with a limit so many times as long, and yield the outcomes in their order."""
        places = self.places if places is None else places
        noticing: dict[str, list[int]] = {}

        def tried(number: int) -> tuple[int, int, int, str, bool, str]:
            place = places[number]
            latest = noticing.setdefault(place.function, [])
            reached = self._reached(place, latest)
            took = accumulate(self.witnesses[each].seconds for each in reached)  # one is asked in any case
            asked = [
                each for each, sum_ in zip(reached, took, strict=True) if each == reached[0] or sum_ <= self.seconds
            ]
            said, at, late, error = _forked(place, [self.witnesses[each] for each in asked], patience)
            if said == NOTICED and asked:
                latest.insert(0, asked[at])
            last = self.witnesses[asked[at]].title if asked else ""
            return said, len(reached), len(asked), last, late, error

        for place, came in zip(places, _in_workers(tried, len(places), jobs, 4), strict=True):
            yield Outcome(place, *came)

    def _reached(self, place: Place, latest: list[int]) -> list[int]:
        """Return the witnesses that run a place: first those that noticed the latest changes to the function, then those that
        are about a rule of its module or stand in the test called after it, the quick ones first.
        """
        sources, rules, called = self.sources(place), self.rules(place), f"test_{Path(place.file).stem}.py"
        here = self._number[id(place)]

        def late(number: int) -> tuple[int, bool, float]:
            witness = self.witnesses[number]
            turn = latest.index(number) if number in latest[:20] else 20
            near = rules.intersection(witness.about) or Path(witness.source).name == called
            return turn, not near, witness.seconds

        reached = (
            number
            for number, witness in enumerate(self.witnesses)
            if witness.sound and witness.source in sources and witness.runs >> here & 1
        )
        return sorted(reached, key=late)


def _forked(place: Place, asked: list[Witness], patience: int) -> tuple[int, int, bool, str]:
    """Make a change in a process of its own; return the result, the number of the witness that was asked last, whether that one
    ran out of time, and the error if the trial is broken.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        said = BROKEN
        try:
            os.setsid()  # so that it ends with all that it started
            os.close(reading)
            said = _ask(place, asked, patience, writing)
        except BaseException as wrong:  # noqa: BLE001 - whatever it is, nobody has noticed the change by it
            frames = traceback.extract_tb(wrong.__traceback__)
            where = f"{Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else "nowhere"
            os.write(writing, f"{type(wrong).__name__}: {' '.join(str(wrong).split())} ({where})".encode())
        finally:
            os._exit(said)
    os.close(writing)
    try:
        last, late, error = _seen_through(reading, asked, patience)
    finally:
        os.close(reading)
        with suppress(OSError):  # it has not begun, or is over
            os.killpg(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return NOTICED, last, late or os.WTERMSIG(status) == signal.SIGPROF, ""
    said = os.WEXITSTATUS(status)
    if said not in (NOTICED, UNNOTICED, SAME):
        return BROKEN, last, False, error or f"its process ended with {said}"
    return said, last, False, ""


def _seen_through(reading: int, asked: list[Witness], patience: int) -> tuple[int, bool, str]:
    """Wait until the process at the other end is over or a witness takes too long; return which one was asked last, whether
    it took too long by the clock, and what the process says of an error.
    """
    begun, wait, late = b"", PATIENCE, True
    while select.select([reading], [], [], patience * wait)[0]:
        if not (more := os.read(reading, 1 << 16)):
            late = False
            break
        begun += more
        wait = PATIENCE + 10 * max((each.waits for each in asked[len(begun) - 1 : len(begun)]), default=0)
    error = begun.lstrip(ASKED)
    return max(len(begun) - len(error) - 1, 0), late, error.decode(errors="replace")


def _ask(place: Place, asked: list[Witness], patience: int, writing: int) -> int:
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    if not place.make_change():
        return SAME
    for witness in asked:
        os.write(writing, ASKED)
        signal.setitimer(signal.ITIMER_PROF, patience * (1 + 5 * witness.seconds))
        if witness.notices():
            return NOTICED
    return UNNOTICED


# ---------------------------------------------------------------- several at a time

Came = TypeVar("Came")
_work: Callable[[int], Any]


def _in_workers(work: Callable[[int], Came], count: int, jobs: int, chunk: int) -> Iterator[Came]:
    """Do pieces of work in forked processes that print nothing, and yield what each returns, in their order."""
    global _work  # noqa: PLW0603 - how it comes into the forked processes: it need not be pickled
    _work = work
    functions_in_memory()  # looked up once for all of them
    gc.freeze()  # so that none of them goes through what there is, and takes a copy of it by that
    try:
        with warnings.catch_warnings():
            # a process that is killed is replaced by a fork from a thread of the pool, which holds no lock that it takes
            warnings.filterwarnings("ignore", ".*multi-threaded, use of fork", DeprecationWarning)
            with get_context("fork").Pool(jobs, _silence) as pool:
                yield from pool.imap(_do, range(count), chunk)
    finally:
        gc.unfreeze()


def _do(number: int) -> Any:
    return _work(number)


def _silence() -> None:
    with Path(os.devnull).open("w") as nowhere:
        for stream in (1, 2):
            os.dup2(nowhere.fileno(), stream)
