"""Disputed states: of a stated value that differs from the derived one, where the two accounts part.

The accounts of a value are what was stated of it, one statement after another, and what the facts give. They agree up to
the last statement that the facts bear out, and differ from the next one on: something between these two was told
otherwise than it was remembered, or not at all. If the derived value was as stated for a while in between, the fact that
ended this is where they part.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from msgspec import Struct

from eventstore.errors import Malformed
from eventstore.events import Checked, Struck
from projections.explaining.blame import Touch, blame
from projections.explaining.forks import Fork, forked
from projections.explaining.past import Past
from projections.explaining.tree import plain
from projections.folds.addresses import agrees
from projections.folds.replay import replay
from projections.judging.statements import Judged, judged
from projections.occurrence import Occurrence
from projections.state import State

MOST = 8
"""How many facts are left out, one at a time, to see whether the value would be as stated."""


class Parting(Struct, frozen=True):
    """Where what was stated of a value parts from what the facts give.

    `stated` stands against `derived`. `agreed` is the last statement before that the facts bear out, with the value then
    (null: there is none, the value began with `touches`); `differed` is the first after it that they do not. `touches`
    are the facts in between that touched the value. `parted` is the one up to which the derived value was as stated, or
    the only one; null if there is none such, so that any of them may be wrong, or one be missing. `without` are those of
    them without which, one at a time, the value would be as stated.
    """

    address: str
    stated: Any
    derived: Any
    agreed: int | None
    value: Any
    differed: int
    touches: tuple[Touch, ...]
    parted: int | None
    without: tuple[int, ...]


def partings(past: Past, statement: int, rule: str) -> tuple[Parting, ...]:
    """Return where the accounts of the values part that a statement gives and a finding with this rule is about."""
    if not isinstance(getattr(past.facts.get(statement), "event", None), Checked):
        return ()
    seen = _Statements()
    replay(past.records, past.until, before=seen.look)
    return tuple(
        _parting(past, seen.of[each.address], each)
        for each in seen.at(statement)
        if not each.agrees and each.derived is not None and not each.misfit and each.rule == rule
    )


class _Statements:
    """The verdicts on all statements, by their addresses, in the order of the stream."""

    def __init__(self) -> None:
        self.of: dict[str, list[Judged]] = {}

    def look(self, state: State, fact: Occurrence[Any]) -> None:
        if isinstance(fact.event, Checked):
            for each in judged(state, fact):
                self.of.setdefault(each.address, []).append(each)

    def at(self, statement: int) -> Iterator[Judged]:
        return (each for found in self.of.values() for each in found if each.fact.seq == statement)


def _parting(past: Past, verdicts: list[Judged], one: Judged) -> Parting:
    """Return where the accounts of a value part: the last statement before this one that agrees, and the one after it."""
    place = verdicts.index(one)
    before = next((at for at in range(place, -1, -1) if verdicts[at].agrees), -1)
    first, agreed = verdicts[before + 1], verdicts[before] if before >= 0 else None
    touches = _between(past, one.address, agreed.fact.seq if agreed else 0, first.fact.seq)
    return Parting(
        address=one.address,
        stated=plain(one.stated),
        derived=plain(one.derived.value) if one.derived else None,
        agreed=agreed.fact.seq if agreed else None,
        value=plain(agreed.stated) if agreed else None,
        differed=first.fact.seq,
        touches=touches,
        parted=_parted(past.state, one, touches),
        without=tuple(_suspects(past, one, touches)),
    )


def _between(past: Past, address: str, after: int, until: int) -> tuple[Touch, ...]:
    """Return what changed a value after one record of the corrected stream and before another."""
    found, done = blame(past.records, address, past.until)
    touches = found.touches if found else ()
    at = done.state.at
    return tuple(each for each in touches if at(after) < at(each.seq) < at(until) and each.before != each.after)


def _parted(state: State, one: Judged, touches: tuple[Touch, ...]) -> int | None:
    """Return the fact that ended the last time for which the derived value was as stated, or the only one there is."""
    now = (each for each in reversed(touches) if not each.became and each.before is not None)
    ended = next((each.seq for each in now if agrees(state, one.address, one.stated, each.before)), None)
    return touches[0].seq if ended is None and len(touches) == 1 else ended


def _suspects(past: Past, one: Judged, touches: tuple[Touch, ...]) -> Iterator[int]:
    """Yield the facts without which, one at a time, the value would be as stated; of many, the last ones are tried."""
    for seq in [each.seq for each in touches if not each.became][-MOST:]:
        seen = _Statements()
        with suppress(Malformed):
            replay(forked(past.records, Fork((Struck(event=seq),))), past.until, before=seen.look)
            if any(each.agrees and each.address == one.address for each in seen.at(one.fact.seq)):
                yield seq
