"""What was written down wrong: each fault with the clauses that it breaks, and a check for each of these clauses."""

from collections.abc import Callable, Iterable
from functools import wraps

from msgspec import Struct

from eventstore.events import Fact
from projections.rulesets.definition_master.reading import Told
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.ruleset import Breach, Check, check


class Fault(Struct, frozen=True, gc=False):
    """Something that was written down wrong: by which clauses, what was expected and found, the records that show it."""

    rules: tuple[str, ...]
    says: str
    expected: str
    found: str
    because: tuple[int, ...] = ()


Faults = Callable[[MasterState, Told], Iterable[Fault]]
"""A function that looks at a fact and yields what is wrong with it."""


def checks_by(
    *rules: str, on: Iterable[type[Fact]] | type[Fact]
) -> Callable[[Faults], tuple[Check[[MasterState, Told]], ...]]:
    """Mark a function that yields faults: for each of these clauses it becomes a check that reports the first by it."""
    return lambda faults: tuple(_check(rule, on, faults) for rule in rules)


def _check(rule: str, on: Iterable[type[Fact]] | type[Fact], faults: Faults) -> Check[[MasterState, Told]]:
    @wraps(faults)
    def first_fault(state: MasterState, fact: Told) -> Breach | None:
        found = next((each for each in faults(state, fact) if rule in each.rules), None)
        return Breach(found.says, found.expected, found.found, found.because) if found else None

    first_fault.__name__ = f"{faults.__name__} by {rule}"
    return check(rule, on=on)(first_fault)
