"""Disputed states: for a stated value that differs from the derived one, the facts at which the two diverge.

Stated and derived values agree up to some statement and differ from the next one on: between these two, a fact was
recorded wrongly, or not at all. If the derived value was as stated for a while, the two diverge at the fact that ended
this.
"""

from collections.abc import Iterator
from contextlib import suppress

from msgspec import Struct

from eventstore.errors import Malformed
from eventstore.events import Checked, Struck
from projections.explaining.blame import Touch, find_touches
from projections.explaining.forks import Fork, fork_records
from projections.explaining.past import Past
from projections.folds.addresses import agrees_with_statement, plain_value
from projections.judging.statements import Judged, judge_statements
from projections.open_types import Json
from projections.state import State

MOST = 8
"""The number of facts that are left out, one at a time, to see whether the value would be as stated."""


class Parting(Struct, frozen=True):
    """The first event after which a stated value and the derived one differ, and its candidates.

    `agreed` is the last earlier statement that agrees with the facts, `value` the value then (null: there is no such
    statement); `differed` is the first statement after it that does not. `touches` are the facts in between that
    touched the value. `parted` is the fact that ended the agreement, or the only one; null if any of them may be wrong,
    or one may be missing. `without` are the facts without each of which the value would be as stated.
    """

    address: str
    stated: Json
    derived: Json
    agreed: int | None
    value: Json
    differed: int
    touches: tuple[Touch, ...]
    parted: int | None
    without: tuple[int, ...]


def find_partings(past: Past, statement: int, rule: str) -> tuple[Parting, ...]:
    """Return the divergence of each disputed value of a statement that a finding by this rule reports."""
    if not isinstance(getattr(past.facts.get(statement), "event", None), Checked):
        return ()
    verdicts = judge_statements(past.records, past.until)
    disputed = (each for each in verdicts if each.fact.seq == statement and not each.agrees and each.derived)
    return tuple(
        _find_parting(past, [one for one in verdicts if one.address == each.address], each)
        for each in disputed
        if not each.expected_kind and each.cited_rule == rule
    )


def _find_parting(past: Past, verdicts: list[Judged], one: Judged) -> Parting:
    """Return the divergence of a value: between the last statement that agrees and the one after it."""
    place = verdicts.index(one)
    before = next((at for at in range(place, -1, -1) if verdicts[at].agrees), -1)
    first, agreed = verdicts[before + 1], verdicts[before] if before >= 0 else None
    found, done = find_touches(past.records, one.address, past.until)
    at, after = done.state.place_of, agreed.fact.seq if agreed else 0
    between = (each for each in (found.touches if found else ()) if at(after) < at(each.seq) < at(first.fact.seq))
    touches = tuple(each for each in between if each.before != each.after)
    return Parting(
        address=one.address,
        stated=plain_value(one.stated),
        derived=plain_value(one.derived.value) if one.derived else None,
        agreed=agreed.fact.seq if agreed else None,
        value=plain_value(agreed.stated) if agreed else None,
        differed=first.fact.seq,
        touches=touches,
        parted=_parting_fact(past.state, one, touches),
        without=tuple(_suspect_facts(past, one, touches)),
    )


def _parting_fact(state: State, one: Judged, touches: tuple[Touch, ...]) -> int | None:
    """Return the fact that ended the last agreement of derived and stated value, or the only fact; else None."""
    now = (each for each in reversed(touches) if not each.became and each.before is not None)
    ended = next((each.seq for each in now if agrees_with_statement(state, one.address, one.stated, each.before)), None)
    return touches[0].seq if ended is None and len(touches) == 1 else ended


def _suspect_facts(past: Past, one: Judged, touches: tuple[Touch, ...]) -> Iterator[int]:
    """Yield the facts without which, one at a time, the value would be as stated; of many, the last ones are tried."""
    for seq in [each.seq for each in touches if not each.became][-MOST:]:
        with suppress(Malformed):
            verdicts = judge_statements(fork_records(past.records, Fork((Struck(event=seq),))), past.until)
            if any(each.agrees for each in verdicts if (each.fact.seq, each.address) == (one.fact.seq, one.address)):
                yield seq
