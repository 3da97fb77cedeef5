"""Findings that depend on a point that a ruleset's text leaves open: by default none is reported.

There are two kinds. An option of the catalogue with clauses in `silent` settles a point that the text leaves open: if a
log does not state the option, a finding by those clauses is reported only if it stands under each value. A check whose
finding has no text behind it marks its `Breach` as silent. The option silent-texts, which every log can have, reports
both.
"""

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

from eventstore.errors import Malformed
from eventstore.record import Recorded
from projections.ruleset.catalogue import Option
from projections.ruleset.ruleset import Breach
from projections.state import State

SILENT_TEXTS = "silent-texts"
"""The option that reports findings on points about which the text is silent."""


class About(Protocol):
    """A finding: the clause that it cites, and the event that it is about."""

    @property
    def rule(self) -> str:
        """The clause."""

    @property
    def event(self) -> int:
        """The seq of the event."""


T = TypeVar("T", bound=About)
Shown = list[tuple[T, int]]


def is_without_text(state: State, breach: Breach) -> bool:
    """Return whether a breach has no text behind it and the log does not ask for such breaches."""
    return breach.silent and state.options.get(SILENT_TEXTS) != "reported"


def open_points(state: State) -> tuple[Option, ...]:
    """Return the options that settle points on which the ruleset's text is silent, and that the log does not state."""
    if state.options.get(SILENT_TEXTS) == "reported":
        return ()
    return tuple(one for one in state.rules.catalogue().option if one.silent and one.name not in state.options)


def firm_findings(
    found: Shown[T], records: Iterable[Recorded], state: State, read: Callable[[Iterable[Recorded]], Shown[T]]
) -> Shown[T]:
    """Return the findings without those that stand only by the default reading of an open point. `read` returns the findings of a
    variant of the log; it is called only if a finding may depend on an open point.
    """
    if not found:
        return found
    for option in open_points(state):
        for value in option.values:
            if value != state.option(option.name) and any(one.rule in option.silent for one, _ in found):
                from projections.stream.variants import with_option  # only where a finding depends on a reading

                found = _findings_also_under(found, option, with_option(records, option.name, value), read)
    return found


def _findings_also_under(
    found: Shown[T], option: Option, other: Iterable[Recorded], read: Callable[[Iterable[Recorded]], Shown[T]]
) -> Shown[T]:
    try:
        there = {(one.rule, one.event) for one, _ in read(other)}
    except Malformed:  # under this value, the log does not have the point up to which it is audited
        return found
    return [each for each in found if each[0].rule not in option.silent or (each[0].rule, each[0].event) in there]
