"""The campaign of faults: what a fault is, what is counted of it, and the table of results."""

import random
import signal
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

_MEMORY = Path("/dev/shm")  # where Linux has it


@dataclass
class Counts:
    """Counts what came of one fault: cases tried, acked events lost, events invented, batches split, cases refused.

    A case is refused where the store says exactly why it does not go on. `wrong` holds every breach of an invariant with
    what repeats it, `remark` what was measured, `untried` why a part or all of it was not tried here, `inapplicable` why it cannot happen by design.
    """

    cases: int = 0
    lost: int = 0
    invented: int = 0
    split: int = 0
    refused: int = 0
    wrong: list[str] = field(default_factory=list)
    remark: str = ""
    untried: str = ""
    inapplicable: str = ""

    @property
    def verdict(self) -> str:
        """One of held, FAILED, not tried here, does not apply: a row without cases is never green."""
        if self.wrong or self.lost or self.invented or self.split:
            return "FAILED"
        if self.inapplicable:
            return "does not apply"
        return "held" if self.cases else "not tried here"


class NotTried(Exception):
    """Says why a fault cannot be injected on this machine."""


class DoesNotApply(Exception):
    """Says why this design cannot have a fault."""


class _Hung(BaseException):
    """Says that something takes too long; nobody catches it on its way."""


@dataclass
class Run:
    """Is one run of one fault: how long it may be, whence its chance, and what it has counted."""

    number: int
    short: bool
    seed: int
    counts: Counts = field(default_factory=Counts)

    @property
    def chance(self) -> random.Random:
        return random.Random(f"{self.seed}/{self.number}")

    def some(self, short: int, full: int) -> int:
        return short if self.short else full

    def breach(self, invariant: str, case: str, why: str) -> None:
        """Note that an invariant did not hold: I1 to I7, the case with what repeats it, and what was seen."""
        self.counts.wrong.append(f"{invariant} {case}: {why}")

    @contextmanager
    def within(self, seconds: float, case: str) -> Iterator[None]:
        """Interrupt what takes longer, and note that it hangs: it must not hang the campaign. Works in the main thread.

        It may take so much of the processor; by the clock, which goes on while others have the processor, it may take longer.
        """

        def ring(*_: object) -> None:
            raise _Hung

        limits = {
            signal.SIGPROF: (signal.ITIMER_PROF, seconds),
            signal.SIGALRM: (signal.ITIMER_REAL, min(12 * seconds, seconds + 120)),
        }
        before = {each: signal.signal(each, ring) for each in limits}
        for timer, limit in limits.values():
            signal.setitimer(timer, limit)
        try:
            yield
        except _Hung:
            self.breach("I6", case, f"hangs: it took more than {seconds:g} s")
        finally:
            for timer, _ in limits.values():
                signal.setitimer(timer, 0)
            for each, handler in before.items():
                signal.signal(each, handler)

    @contextmanager
    def folder(self, *, real: bool = True) -> Iterator[Path]:
        place = None if real or not _MEMORY.is_dir() else _MEMORY
        with tempfile.TemporaryDirectory(prefix=f"fault-{self.number}-", dir=place, ignore_cleanup_errors=True) as name:
            yield Path(name)


Fault = Callable[[Run], None]
FAULTS: dict[int, tuple[str, Fault]] = {}
"""Every fault by its number: its name, and what tries it."""


F = TypeVar("F", bound=Fault)


def fault(number: int, name: str) -> Callable[[F], F]:
    """Enter a function that tries a fault; it counts in its run, and raises NotTried or DoesNotApply."""

    def enter(tries: F) -> F:
        if number in FAULTS:
            raise ValueError(f"fault {number} stands twice")
        FAULTS[number] = (name, tries)
        return tries

    return enter


def tried(number: int, *, short: bool, seed: int) -> Counts:
    run = Run(number, short, seed)
    try:
        FAULTS[number][1](run)
    except NotTried as reason:
        run.counts.untried = str(reason)
    except DoesNotApply as reason:
        run.counts.inapplicable = str(reason)
    except Exception as error:  # noqa: BLE001 – what nobody expected must not hide the other rows
        where = traceback.extract_tb(error.__traceback__)[-1]
        run.breach("I6", "an error that nobody expected", f"{error!r} in {where.name}, line {where.lineno}")
    return run.counts
