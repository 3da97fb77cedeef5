"""The campaign of faults: what a fault is, what is counted of it, and the table of results."""

import random
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Counts:
    """Counts what came of one fault: cases tried, acked events lost, events invented, batches split, cases refused.

    A case is refused where the store says exactly why it does not go on. `wrong` holds every breach of an invariant with
    what repeats it, `untried` why a part or all of it was not tried here, `inapplicable` why it cannot happen by design.
    """

    cases: int = 0
    lost: int = 0
    invented: int = 0
    split: int = 0
    refused: int = 0
    wrong: list[str] = field(default_factory=list)
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


@dataclass
class Run:
    """Is one run of one fault: how long it may be, whence its chance, and what it has counted."""

    number: int
    short: bool
    seed: int
    counts: Counts = field(default_factory=Counts)

    @property
    def chance(self) -> random.Random:
        """A source of chance, the same for the same seed and fault."""
        return random.Random(f"{self.seed}/{self.number}")

    def some(self, short: int, full: int) -> int:
        """Return how many to try."""
        return short if self.short else full

    def breach(self, invariant: str, case: str, why: str) -> None:
        """Note that an invariant did not hold: I1 to I7, the case with what repeats it, and what was seen."""
        self.counts.wrong.append(f"{invariant} {case}: {why}")

    @contextmanager
    def folder(self) -> Iterator[Path]:
        """Give a folder of its own on a real disk."""
        with tempfile.TemporaryDirectory(prefix=f"fault-{self.number}-", ignore_cleanup_errors=True) as name:
            yield Path(name)


Fault = Callable[[Run], None]
FAULTS: dict[int, tuple[str, Fault]] = {}
"""Every fault by its number: its name, and what tries it."""


def fault(number: int, name: str) -> Callable[[Fault], Fault]:
    """Enter a function that tries a fault; it counts in its run, and raises NotTried or DoesNotApply."""

    def enter(tries: Fault) -> Fault:
        if number in FAULTS:
            raise ValueError(f"fault {number} stands twice")
        FAULTS[number] = (name, tries)
        return tries

    return enter


def tried(number: int, *, short: bool, seed: int) -> Counts:
    """Try one fault and return what came of it."""
    run = Run(number, short, seed)
    try:
        FAULTS[number][1](run)
    except NotTried as reason:
        run.counts.untried = str(reason)
    except DoesNotApply as reason:
        run.counts.inapplicable = str(reason)
    return run.counts
