"""Statements: values that a person wrote down, each compared with the derived one.

A statement is judged by the present corrected stream. It is no breach if it was right when it was made and differs only
because of a later correction.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator

from msgspec import Struct, structs

from eventstore.events import Checked, Fact
from eventstore.record import Recorded
from projections.address import NOTHING
from projections.because import Explained
from projections.folds import addresses
from projections.occurrence import Occurrence, is_a
from projections.open_types import Json
from projections.replay.replay import Replay, replay
from projections.state import State
from projections.stream.variants import Variant
from projections.time import Where


class Judged(Struct, frozen=True):
    """A verdict on a stated value: the derived one (None: there is no such value), and whether they agree."""

    fact: Occurrence[Checked]
    address: str
    stated: Json
    derived: Explained | None
    agrees: bool
    overtaken: bool = False
    """Whether they agreed until a later correction."""
    blamed: str = ""
    """The rule that the wrong statement breaks."""
    text: str = ""
    """The derived value of a wrong statement, as text of that moment."""

    @property
    def cited_rule(self) -> str:
        """The rule to cite: the one that derives the value, if the stated value is of its kind."""
        if self.derived is None:
            return "log.address"
        if self.expected_kind:
            return "log.statement"
        return self.blamed or (self.derived.because.rules or ("log.statement",))[0]

    @property
    def expected_kind(self) -> str:
        """The kind of the derived value, if the stated one has another; effects may be stated as true or false."""
        if self.derived is None or ".effects." in self.address or NOTHING in (self.stated, self.derived.value):
            return ""
        stated, wanted = _kind_of_value(self.stated), _kind_of_value(self.derived.value)
        return "" if stated == wanted or (stated, wanted) == ("word", "list") else wanted


def judge_statement(state: State, fact: Occurrence[Checked]) -> Iterator[Judged]:
    """Yield a verdict on each value of a statement, from the state before it."""
    for address, stated in fact.event.values.items():
        derived = addresses.value_with_number(state, address)
        right = derived is not None and addresses.agrees_with_statement(state, address, stated, derived.value)
        text = "" if derived is None else addresses.format_value(state, address, derived.value)
        blamed = addresses.rule_broken_by_statement(state, address, stated)
        yield Judged(fact, address, stated, derived, right, blamed=blamed, text=text)


def judge_statements(records: Iterable[Recorded], until: Where | None = None) -> list[Judged]:
    """Return the verdicts on all statements of a log up to a point, in the order of the stream."""
    found: list[Judged] = []

    def observe_fact(state: State, fact: Occurrence[Fact]) -> None:
        if is_a(fact, Checked):
            found.extend(judge_statement(state, fact))

    replay(records, until, before=observe_fact)
    return found


def mark_outdated(records: Iterable[Recorded], done: Replay, found: Iterable[Judged]) -> Iterator[Judged]:
    """Yield the verdicts, marking those on statements that were right until a later correction."""
    made = done.corrections.made
    then: dict[int, set[tuple[int, str, object]]] = {}
    for each in found:
        before = bisect(made, each.fact.line)
        if each.agrees or before == len(made):
            yield each
            continue
        if before not in then:
            then[before] = _right_statements(records, made[before] - 1)
        right = (each.fact.seq, each.address, each.stated) in then[before]
        yield structs.replace(each, agrees=right, overtaken=right)


def _right_statements(records: Iterable[Recorded], last: int) -> set[tuple[int, str, object]]:
    """Return which statements were right, as seq, address and stated value, in the corrected stream up to a record."""
    judged = judge_statements(Variant(records, lambda each: each if each.seq <= last else None))
    return {(each.fact.seq, each.address, each.stated) for each in judged if each.agrees}


def _kind_of_value(value: object) -> str:
    return next(word for kind, word in _KINDS if isinstance(value, kind))


_KINDS = ((bool, "truth value"), (int, "number"), (tuple | list, "list"), (object, "word"))
"""The kinds of values and their names."""


def verdict_words(state: State, each: Judged) -> tuple[str, str, str]:
    """Return a verdict in a sentence, with the value expected and the one found."""
    if each.derived is None:
        return addresses.no_value(state, each.address), "a value", each.address
    stated, derived = addresses.value_as_text(each.stated), each.text
    kind = f", which is not a {each.expected_kind}" if each.expected_kind else ""
    says = f"{each.address} is stated as {stated}{kind}, but the facts give {derived}"
    if each.overtaken:
        says += "; it was right when it was stated, before a correction"
    unit = next((address.unit for address, _ in addresses.matching_addresses(state, each.address)), "#")
    expected, found = (_with_unit(one, unit) for one in (derived, stated))
    return says, expected, found


def _with_unit(value: str, unit: str) -> str:
    """Return a bare number with its unit; other values as they are."""
    if not re.fullmatch(r"-?\d+(\.\d+)?", value):
        return value
    return unit.replace("#", value).removesuffix("s" if value in ("1", "-1") and unit.endswith("s") else "")
