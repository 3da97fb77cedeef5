"""Answers to why: for a value, the order of two combatants, a finding, and whether a combatant may act."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from msgspec import Struct, structs

from eventstore.wording import short_repr
from projections.because import NOTHING_CITED, Because, Reason
from projections.explaining.disputes import Parting, find_partings
from projections.explaining.hindrances import Hindrance, find_hindrances
from projections.explaining.past import Cited, Past, state_of
from projections.explaining.striking import Asked, Weighed, find_deciding_facts
from projections.explaining.tree import Node, plain_value_at, reason_tree
from projections.folds.addresses import derive_value, matching_addresses, plain_value
from projections.folds.order import order_of, round_rows, who_is_due
from projections.folds.vitals import status_or_left
from projections.judging.audit import Auditor, Finding, audit
from projections.mechanics.pools import POOLS
from projections.open_types import Fields, Json
from projections.replay.replay import Replay
from projections.state import State
from projections.stream.variants import with_option, without_corrections
from projections.views.view import PoolChange, pool_changes

MOST_READINGS, MOST_CORRECTIONS = 4, 4
"""The numbers of other readings, and of corrections, that are tried unless all are wanted."""


class Otherwise(Struct, frozen=True):
    """A value under another reading of an option that decided it."""

    option: str
    chosen: str
    other: str
    value: Json


class Decided(Struct, frozen=True):
    """A correction that decided a value, and the value without it (null: there would be none)."""

    correction: Cited
    without: Json


class Value(Struct, frozen=True, tag_field="kind", tag="value"):
    """Why a value is as it is.

    `says` describes the value, `pattern` is the form of its address. `changes` are all changes of a pool, even before a
    fact that set it; `facts` are the cited ones and those of the changes, `tree` the values in between. `readings` and
    `corrections` are those that decided it; `weighed` says which of the facts do.
    """

    address: str
    pattern: str
    says: str
    value: Json
    because: Reason
    facts: tuple[Cited, ...]
    changes: tuple[PoolChange, ...]
    readings: tuple[Otherwise, ...]
    corrections: tuple[Decided, ...]
    tree: Node
    weighed: Weighed = Weighed()

    def __repr__(self) -> str:
        return short_repr(self, f"{self.address} is {self.value}")


class Place(Struct, frozen=True):
    """A place in the order, or in the timeline of the round; `number` counts the slots of the order from 1."""

    combatant: str
    number: int | None
    segment: int | None
    phase: str | None
    key: Fields
    because: Reason


class Before(Struct, frozen=True, tag_field="kind", tag="order"):
    """The order of two combatants: `first` is null if they act simultaneously, or if one of them has no place.

    `differs` are the parts of the key in which the two places differ, with the values of both; `weighed` says which of
    the facts decide who is first, and the places.
    """

    one: str
    other: str
    first: str | None
    together: bool
    places: tuple[Place, ...]
    differs: dict[str, tuple[Json, Json]]
    because: Reason
    facts: tuple[Cited, ...]
    readings: tuple[Otherwise, ...]
    weighed: Weighed = Weighed()

    def __repr__(self) -> str:
        return short_repr(self, f"{self.one} and {self.other}: {'together' if self.together else self.first}")


class WhyFinding(Struct, frozen=True, tag_field="kind", tag="finding"):
    """A finding of the audit with the facts behind it; `ruling` is the one that waives it.

    `partings` are the points at which disputed values diverge from the facts; `weighed` says which of the facts decide.
    """

    finding: Finding
    facts: tuple[Cited, ...]
    ruling: Cited | None
    partings: tuple[Parting, ...]
    weighed: Weighed = Weighed()

    def __repr__(self) -> str:
        return short_repr(self, f"{self.finding.id}: {self.finding.says}")


class Able(Struct, frozen=True, tag_field="kind", tag="turn"):
    """Whether a combatant is due to act, the hindrances, and the values that decide it."""

    combatant: str
    due: bool
    hindrances: tuple[Hindrance, ...]
    values: tuple[Value, ...]

    def __repr__(self) -> str:
        return short_repr(self, f"{self.combatant}: {len(self.hindrances)} hindrances")


# ---------------------------------------------------------------- a value


def explain_value(past: Past, address: str, *, thorough: bool = False, variants: bool = True) -> Value | None:
    """Return why a value is as it is; None if there is none at this address.

    Without `variants` neither other readings nor corrections are tried; `thorough` tries all of them.
    """
    state = past.state
    read = derive_value(state, address)
    if read is None:
        return None
    each, parts = next(iter(matching_addresses(state, address)))
    because = state.reason(read.because)
    value = plain_value(read.value)
    who, _, field = address.partition(".")
    pool = field in POOLS and who in state.combatants
    changes = tuple(pool_changes(state, state.combatants[who], field)) if pool else ()
    read_there = partial(plain_value_at, address=address)
    return Value(
        address=address,
        pattern=each.pattern,
        says=each.says,
        value=value,
        because=because,
        facts=past.cited((*because.events, *(change.event for change in changes))),
        changes=changes,
        readings=tuple(_readings_that_differ(past, because, thorough, value, read_there)) if variants else (),
        corrections=tuple(_deciding_corrections(past, address, value, thorough)) if variants else (),
        tree=reason_tree(read, address, past.names(parts[0] if parts else "")),
    )


def _readings_that_differ(
    past: Past, because: Reason, thorough: bool, now: object, read: Callable[[State | None], object]
) -> Iterator[Otherwise]:
    """Yield the other readings of deciding options under which a value would differ from the one now."""
    catalogue = past.state.rules.catalogue()
    pairs = [
        (name, other)
        for name, chosen in because.options.items()
        if (option := catalogue.find_option(name))
        for other in option.values
        if other != chosen
    ]
    for name, other in pairs if thorough else pairs[:MOST_READINGS]:
        then = read(state_of(with_option(past.records, name, other), past.until))
        if then != now:
            yield Otherwise(name, because.options[name], other, then)


def _deciding_corrections(past: Past, address: str, value: object, thorough: bool) -> Iterator[Decided]:
    """Yield the corrections without which, one at a time, the value would differ."""
    made = past.done.corrections.made
    if not made:
        return
    some = made if thorough else made[-MOST_CORRECTIONS:]
    records = {each.seq: each for each in past.records if each.seq in {*some}}
    for seq in some:
        then = plain_value_at(state_of(without_corrections(past.records, (seq,)), past.until), address)
        if then != value and (record := records.get(seq)) and record.event is not None:
            yield Decided(Cited(seq, seq, record.by, record.event, None, None), then)


# ---------------------------------------------------------------- who comes before whom


def explain_precedence(past: Past, one: str, other: str, *, thorough: bool = False) -> Before:
    """Return which of two combatants comes first in the round, with the parts of their places that differ."""
    state = past.state
    found = [pair for who in (one, other) if (pair := _place_of(state, who))]
    places = [place for place, _ in found]
    both = len(places) == 2
    first = _first_of_two(*places) if both else None
    flat = state.reason(sum((because for _, because in found), NOTHING_CITED))
    now = first or ("together" if both else None)

    def who_is_first(then: State | None) -> str | None:
        """Return the answer in another state; the same one if that has not both places."""
        there = [pair[0] for who in (one, other) if then and (pair := _place_of(then, who))]
        return (_first_of_two(*there) or "together") if len(there) == 2 else now

    return Before(
        one=one,
        other=other,
        first=first,
        together=both and first is None,
        places=tuple(places),
        differs=_differing_parts(*places) if both else {},
        because=flat,
        facts=past.cited(flat.events),
        readings=tuple(_readings_that_differ(past, flat, thorough, now, who_is_first)),
    )


def _place_of(state: State, who: str) -> tuple[Place, Because] | None:
    """Return the first place of a combatant in the order, else in the timeline of the round, with its reason."""
    for number, slot in enumerate(order_of(state), 1):
        if who in slot.combatants:
            why = state.reason(slot.because)
            return Place(who, number, slot.segment, slot.phase, plain_value(slot.key), why), slot.because
    for row in round_rows(state):
        if row.combatant == who and row.key:
            why = state.reason(row.because)
            return Place(who, None, row.point.segment or None, row.phase, plain_value(row.key), why), row.because
    return None


def _first_of_two(one: Place, other: Place) -> str | None:
    """Return which of two combatants comes first; None if they act simultaneously."""
    if None in (one.number, other.number):
        mine, yours = (tuple(each.key.get(part) or 0 for part in ("round", "segment")) for each in (one, other))
    else:
        mine, yours = ((each.number or 0,) for each in (one, other))
    return None if mine == yours else (one if mine < yours else other).combatant


def _differing_parts(one: Place, other: Place) -> dict[str, tuple[Json, Json]]:
    keys = dict.fromkeys((*one.key, *other.key))
    return {part: (one.key.get(part), other.key.get(part)) for part in keys if one.key.get(part) != other.key.get(part)}


# ---------------------------------------------------------------- findings, and who may act


def explain_finding(
    past: Past, number: int | None = None, event: int | None = None, rule: str = ""
) -> list[WhyFinding]:
    """Return the finding with this number, or those at an event, of one rule if it is named, with the facts behind them."""
    found = audit(past.records, past.until).findings
    wanted = (one for one in found if number in (None, one.id) and event in (None, one.event))
    return [
        WhyFinding(
            one,
            past.cited((one.event, *one.because)),
            next(iter(past.cited((one.ruled,))), None) if one.ruled else None,
            find_partings(past, one.event, one.rule),
        )
        for one in wanted
        if rule in ("", one.rule)
    ]


def explain_ability(past: Past, who: str) -> Able:
    """Return whether a combatant is due to act, with its hindrances and the values that decide it."""
    state = past.state
    due = who in who_is_due(state).value
    values = (explain_value(past, address, variants=False) for address in _deciding_addresses(state, who))
    return Able(who, due, find_hindrances(state, who, past.cited), tuple(value for value in values if value))


def _deciding_addresses(state: State, who: str) -> Iterator[str]:
    one = state.combatants[who]
    if status_or_left(one).value != "up":
        yield f"{who}.status"
    for field in ("conditions", "casting"):
        read = derive_value(state, f"{who}.{field}")
        if read and read.value not in ("none", [], ()):
            yield f"{who}.{field}"
    yield "due"


# ---------------------------------------------------------------- which facts decide

Answer = Value | Before | WhyFinding | Able
Part = Value | Before | Hindrance


def weigh_answers(past: Past, answers: Iterable[Answer], *, thorough: bool = False) -> list[Answer]:
    """Return answers with the results of replays without each of their facts; `thorough` tries more of the facts."""
    found = [*answers]
    parts: list[tuple[Part, Asked]] = []
    for one in found:
        those: tuple[Part, ...] = (*one.hindrances, *one.values) if isinstance(one, Able) else ()
        those = those if isinstance(one, Able | WhyFinding) else (one,)
        parts += ((part, _values_to_read(part, one)) for part in those)
    judged = [one for one in found if isinstance(one, WhyFinding)]
    weighed = find_deciding_facts(past, [asked for _, asked in parts], thorough=thorough)
    known = {id(part): _with_weights(part, each) for (part, _), each in zip(parts, weighed, strict=True)}
    asked = [_asked_of_finding(past, one.finding) for one in judged]
    weighed = find_deciding_facts(past, asked, thorough=thorough, looking=Auditor)
    findings = {id(one): structs.replace(one, weighed=each) for one, each in zip(judged, weighed, strict=True)}
    return [findings.get(id(one)) or _replace_parts(one, known) for one in found]


def _values_to_read(part: Part, answer: Answer) -> Asked:
    events = part.because.events
    match part:
        case Value():
            events = (*events, *(change.event for change in part.changes))
            return Asked(events, lambda done, _: plain_value_at(done.state, part.address))
        case Before():
            return Asked(events, lambda done, _: _who_is_first(done.state, part.one, part.other))
        case Hindrance():
            assert isinstance(answer, Able)  # noqa: S101 – hindrances are parts of nothing else
            return Asked(events, lambda done, _: _is_hindered(done.state, answer.combatant, part))


def _who_is_first(state: State, *pair: str) -> tuple[object, ...]:
    places = [found[0] for who in pair if (found := _place_of(state, who))]
    first = _first_of_two(*places) if len(places) == len(pair) else None
    return first, *((each.combatant, each.segment, each.phase, each.key) for each in places)


def _is_hindered(state: State, who: str, by: Hindrance) -> bool:
    return who in state.combatants and any(each.as_key == by.as_key for each in find_hindrances(state, who))


def _asked_of_finding(past: Past, one: Finding) -> Asked:
    def read(done: Replay, auditor: Auditor) -> list[tuple[str, ...]]:
        found = (each for each, _ in auditor.findings(past.records, done))
        same = (each for each in found if (each.rule, each.event) == (one.rule, one.event))
        return sorted((each.severity, each.expected, each.found) for each in same)

    return Asked(tuple(seq for seq in one.because if seq != one.event), read)


def _replace_parts(answer: Answer, known: dict[int, Any]) -> Answer:
    if isinstance(answer, Able):
        those = (tuple(known[id(each)] for each in some) for some in (answer.hindrances, answer.values))
        return structs.replace(answer, **dict(zip(("hindrances", "values"), those, strict=True)))
    replaced: Answer = known.get(id(answer), answer)
    return replaced


def _with_weights(part: Part, weighed: Weighed) -> Part:
    cited = {*part.because.events}
    because = structs.replace(part.because, looked_at=tuple(seq for seq in weighed.looked_at if seq in cited))
    return structs.replace(part, weighed=weighed, because=because)
