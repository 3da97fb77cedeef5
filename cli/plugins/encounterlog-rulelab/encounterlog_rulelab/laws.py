"""The law of reasons: a value's reason names what the value depends on, and nothing else.

A log is replayed without each of its facts, and with each other value of each option; where a value then differs, its reason must
say so, and everything that a reason names must matter. Nothing here knows the engine; `engine.py` does.

    A  nothing silent: a fact without which a value differs is in the closure of the reason, or one struck with it
    B  nothing idle: without a cited fact the value differs, or it does once another fact is struck, or all else that is cited;
       at a fact after which it no longer matters it is enough that it mattered before, and at any that the value became with
       the cited one what it has been since
    C  options: an option with whose other value a value differs is cited
    D  findings: every event that one cites passes B, and what it expected obeys A

Two replays are compared at a place if its fact takes hold in both, at the same point and in the same turn, and at an
address that exists in both. Values that cannot be compared, and cases that law B cannot decide, are counted.
"""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from functools import cached_property, partial
from typing import NamedTuple, Protocol

from projections.open_types import Fields, Json

Moment = Hashable
"""When a fact takes hold: its point, and whose turn it is."""
Wanted = Mapping[int, tuple[Moment, Collection[str]]]
"""The addresses to read at a place, and the moment that it has to have."""
Values = dict[int, Fields]
"""The values that were wanted, at each place that has its moment; those that exist."""

UNDECIDED = "undecided: "
TO_DO = {
    "the place falls with what is cited: the value is looked at where the fact itself, or what came out of it, stands": (
        "add a fact behind it in the same turn that comes out of none of these, such as a note: the value is judged there"
    ),
    "the fact falls with another that is cited: neither is ever there without the other": (
        "record the one without `cause` in a play of its own; leave it where it never stands alone"
    ),
    "without it the fight is at another moment there: a turn or a round that runs otherwise cannot be compared": (
        "leave it where it is a turn, a round or a place in the order; else add a note before the turn ends"
    ),
    "without it there is no such value: what it is of has not joined, or is over": (
        "let an earlier fact make the same, such as a first throw or the condition itself; leave it where only one can"
    ),
    "it is cited by a finding that cannot be compared without it": (
        "leave it where it is the turn or the cause of the act; else let the act stand without it in another play"
    ),
}
"""Why law B cannot decide about a citation, as it is counted, and what to do in a play so that it is decided; or where it can
stay undecided.
"""
FALLS, TOGETHER, OTHERWISE, GONE, OF_A_FINDING = TO_DO
GIVEN = frozenset({"encounter_opened", "combatant_joined"})
"""Facts that go without saying in a reason, and that may be idle in one that names them."""


class Value(NamedTuple):
    """A derived value and its reason.

    `cited` are the facts that the reason cites itself, `closure` these and all behind the derived values that it uses;
    `options` those of the closure, too. Law A asks the closure, law B what is cited: a status may depend on the hit points,
    and every blow matters to these, but not to the status.
    """

    value: Json
    closure: frozenset[int] = frozenset()
    cited: frozenset[int] = frozenset()
    options: frozenset[str] = frozenset()


class StreamPlace(NamedTuple):
    """A place in the corrected stream: its moment, and the value at each address."""

    moment: Moment
    values: dict[str, Value]


class Finding(NamedTuple):
    """The audit's finding by one rule on one event: the expected value, all its words, and the facts that it cites."""

    expected: tuple[str, ...]
    says: tuple[Json, ...]
    events: frozenset[int]


Key = tuple[str, int]
"""The rule and the event of a finding."""


class Log(Protocol):
    """A log that can be replayed.

    `facts` leads from the seq of each fact that takes hold to its type, in the order of the stream, `causes` to the
    seq that each came out of, or 0, and `whole` to its place. `options` leads from each option to its other values;
    `counts_time` are the types of the facts that count time, `clock` the addresses of the values that these set.
    """

    facts: dict[int, str]
    causes: dict[int, int]
    whole: dict[int, StreamPlace]
    options: dict[str, tuple[str, ...]]
    counts_time: frozenset[str]
    clock: frozenset[str]

    def replayed(self, struck: Collection[int], wanted: Wanted) -> Values:
        """Replay the log without these facts."""

    def replayed_with(self, option: str, value: str, wanted: Wanted) -> Values:
        """Replay the log with another value of an option."""

    def findings(self, struck: Collection[int]) -> dict[Key, Finding]:
        """Return what the audit finds in the log without these facts."""


class Break(NamedTuple):
    """A break of a law, at the first place where it shows: the value, the fact or option (and its kind), and why."""

    law: str
    place: int
    address: str
    value: Json
    fact: str
    kind: str
    expected: str


class Verdict(NamedTuple):
    """The outcome for a log: its breaks, and how much there was to compare and to decide, and how much was not."""

    breaks: list[Break]
    counts: Counter[str]


Known = Callable[[Break], bool]
"""A function that says whether a break is allowed anyway."""


def judge_log(log: Log, known: Known = lambda _: False) -> Verdict:
    """Hold a log against the four laws; for breaks that are known no excuse is sought."""
    return _judge(log, known, _nothing_silent, _nothing_idle, _check_options, _check_findings)


def judge_options(log: Log, known: Known = lambda _: False) -> Verdict:
    """Hold a log against the law of options alone: it takes a replay for each value of an option, and none for the facts."""
    return _judge(log, known, _check_options)


def _judge(log: Log, known: Known, *laws: "Callable[[_Case], None]") -> Verdict:
    case = _Case(log, known)
    for law in laws:
        law(case)
    return Verdict(list(case.breaks.values()), case.counts)


class _Case:
    """A log with all its replays without one fact, and the results so far."""

    def __init__(self, log: Log, known: Known) -> None:
        self.log, self._known = log, known
        self.order = {seq: place for place, seq in enumerate(log.facts)}
        self.fall_with = {seq: _falling_with(log, seq) for seq in log.facts}
        self.counts: Counter[str] = Counter()
        self.breaks: dict[tuple[str, str, str], Break] = {}
        self._both = dict[frozenset[int], Values]()

    @cached_property
    def without(self) -> dict[int, Values]:
        """The values after each fact, without it and all that falls with it."""
        return {
            seq: self.values_of(self._later(seq, struck), partial(self.log.replayed, struck))
            for seq, struck in self.fall_with.items()
            if self.log.facts[seq] not in GIVEN
        }

    def values_of(self, wanted: Wanted, variant: Callable[[Wanted], Values]) -> Values:
        """Return the values of a variant of the log, and count what cannot be compared."""
        values = variant(wanted)
        absent = sum(len(self.log.whole[place].values) - len(those) for place, those in values.items())
        self.counts.update({"pairs": len(wanted), "not comparable": len(wanted) - len(values)})
        self.counts["addresses in one only"] += absent
        return values

    def differences(self, values: Values) -> Iterator[tuple[int, str, Value, Json]]:
        """Yield what differs in a variant: place, address, the value of the log and the other one."""
        for place, those in values.items():
            for address, other in those.items():
                if other != (own := self.log.whole[place].values[address]).value:
                    yield place, address, own, other

    def _later(self, seq: int, struck: Collection[int]) -> Wanted:
        later = (place for place in self.order if self.order[place] > self.order[seq])
        return _request_values(self.log, later, struck)

    def with_falling(self, seqs: Iterable[int]) -> frozenset[int]:
        """Return these facts with all that are struck with them."""
        return frozenset[int]().union(*(self.fall_with[seq] for seq in seqs))

    def without_both(self, seq: int, other: int) -> Values:
        """Replay the log without two facts; there is nothing where one of them falls with the other."""
        struck = self.with_falling((seq, other))
        if struck in (self.fall_with[seq], self.fall_with[other]):
            return {}
        if struck not in self._both:
            self._both[struck] = self.log.replayed(struck, self._later(seq, struck))
        return self._both[struck]

    def count_undecided(self, why: str) -> None:
        """Count a citation about which law B cannot decide, and why."""
        self.counts["undecided"] += 1
        self.counts[UNDECIDED + why] += 1

    def fault(
        self,
        law: str,
        place: int,
        address: str,
        value: object,
        fact: int | str,
        expected: str,
        excuse: Callable[[], bool] = lambda: False,
    ) -> None:
        """Note a break, once for each law, address and fact, unless there is an excuse, which takes replays to find."""
        kind = self.log.facts.get(fact, "record") if isinstance(fact, int) else f"option {fact.partition('=')[0]}"
        one = Break(law, place, address, value, str(fact), kind, expected)
        key = (law, address, one.fact)
        if key not in self.breaks and (self._known(one) or not excuse()):
            self.breaks[key] = one


def _falling_with(log: Log, seq: int) -> frozenset[int]:
    """Return a fact with every one whose chain of causes reaches it, in whatever order they come."""
    found, before = {seq}, 0
    while len(found) != before:
        before = len(found)
        found |= {other for other, cause in log.causes.items() if cause in found}
    return frozenset(found)


def _request_values(log: Log, places: Iterable[int], struck: Collection[int] = ()) -> Wanted:
    """Request every value at these places."""
    return {p: (log.whole[p].moment, log.whole[p].values.keys()) for p in places if p not in struck}


# ---------------------------------------------------------------- A, nothing silent


def _nothing_silent(case: _Case) -> None:
    log = case.log
    for seq, without in case.without.items():
        timing = log.facts[seq] in log.counts_time
        for place, address, value, other in case.differences(without):
            if not value.closure & case.fall_with[seq] and not (timing and address in log.clock):
                says = f"should be cited: without it {other!r}; cited are {_listed(value.closure)}"
                case.fault("A", place, address, value.value, seq, says)


def _listed(seqs: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(seqs))) or "none"


# ---------------------------------------------------------------- B, nothing idle


class _Doubt(NamedTuple):
    """A cited fact that alone makes no difference (`alone`), or none that can be seen: struck are all, or all others."""

    place: int
    address: str
    seq: int
    alone: bool
    every: frozenset[int]
    others: frozenset[int]


def _nothing_idle(case: _Case) -> None:
    doubts = list(_doubts_of_case(case))
    replayed = _replay_for_doubts(case.log, doubts)
    for doubt in doubts:
        bare, rest = (replayed.get(struck, {}).get(doubt.place, {}) for struck in (doubt.every, doubt.others))
        if doubt.address not in bare or doubt.address not in rest or doubt.seq in doubt.others:
            both = all(doubt.place in replayed.get(struck, {}) for struck in (doubt.every, doubt.others))
            falls = FALLS if doubt.place in doubt.every else TOGETHER if doubt.seq in doubt.others else ""
            case.count_undecided(falls or (GONE if both else OTHERWISE))
        elif bare[doubt.address] == rest[doubt.address] and doubt.alone:
            value = case.log.whole[doubt.place].values[doubt.address].value
            says = "should not be cited: it changes nothing"
            case.fault("B", doubt.place, doubt.address, value, doubt.seq, says, partial(_is_stand_in, case, doubt))
        elif bare[doubt.address] == rest[doubt.address]:  # where one way could not be seen it is undecided
            case.count_undecided(OTHERWISE)


def _is_stand_in(case: _Case, doubt: _Doubt) -> bool:
    """Say whether the value depends on a fact once some other one is struck, or did so before the fact of its place.

    Where nothing is there without both facts, it depends on this one, too.
    """
    for other, without in case.without.items():
        once, both = (values.get(doubt.place) for values in (without, case.without_both(doubt.seq, other)))
        if once is None or both is None or doubt.address not in once:
            continue
        if doubt.address not in both or once[doubt.address] != both[doubt.address]:
            return True
    return _did_matter(case, doubt) or _made_it_so(case, doubt)


def _made_it_so(case: _Case, doubt: _Doubt) -> bool:
    """Say whether the value became at a fact what it has been ever since."""
    first, last = case.order[doubt.seq], case.order[doubt.place]
    values = [case.log.whole[place].values.get(doubt.address) for place in [*case.order][max(first - 1, 0) : last + 1]]
    then, *since = [each and each.value for each in values]
    return first > 0 and values[0] is not None and then != since[0] and all(each == since[0] for each in since)


def _did_matter(case: _Case, doubt: _Doubt) -> bool:
    """Say whether the value differed without a fact at the place before its own; at that fact itself, whether it changed it."""
    places = list(case.order)
    before = places[case.order[doubt.place] - 1]
    now = case.log.whole[before].values.get(doubt.address)
    if now is None:
        return False
    if before != doubt.seq:
        return bool(case.without[doubt.seq].get(before, {}).get(doubt.address, now.value) != now.value)
    earlier = case.log.whole[places[case.order[before] - 1]].values if case.order[before] else {}
    return bool(earlier.get(doubt.address, now).value != now.value)


def _doubts_of_case(case: _Case) -> Iterator[_Doubt]:
    log = case.log
    for place, (_, values) in log.whole.items():
        for address, value in values.items():
            last = log.counts_time if address in log.clock else ()  # the reason of a clock names its last boundary
            cited = frozenset(seq for seq in value.cited if seq in case.without and log.facts[seq] not in last)
            case.counts["citations"] += len(cited)
            for seq in cited:
                found = case.without[seq].get(place, {})
                if found.get(address, value.value) == value.value:
                    rest = case.with_falling(cited - {seq})
                    yield _Doubt(place, address, seq, address in found, case.with_falling(cited), rest)


def _replay_for_doubts(log: Log, doubts: Iterable[_Doubt]) -> dict[frozenset[int], Values]:
    """Replay the log as often as is needed to settle doubts; not where the place itself, or the fact in doubt, is struck."""
    asked: dict[frozenset[int], dict[int, tuple[Moment, set[str]]]] = {}
    for doubt in doubts:
        if doubt.place not in doubt.every and doubt.seq not in doubt.others:
            for struck in (doubt.every, doubt.others):
                places = asked.setdefault(struck, {})
                places.setdefault(doubt.place, (log.whole[doubt.place].moment, set()))[1].add(doubt.address)
    return {struck: log.replayed(struck, wanted) for struck, wanted in asked.items()}


# ---------------------------------------------------------------- C, options


def _check_options(case: _Case) -> None:
    log = case.log
    for option, value in ((option, value) for option, values in log.options.items() for value in values):
        found = case.values_of(_request_values(log, log.whole), partial(log.replayed_with, option, value))
        for place, address, own, other in case.differences(found):
            if option not in own.options:
                says = f"should be cited: with {value} it is {other!r}"
                case.fault("C", place, address, own.value, f"{option}={value}", says)


# ---------------------------------------------------------------- D, findings

Found = Mapping[Key, Finding]


def _check_findings(case: _Case) -> None:
    found = case.log.findings(())
    if not found:
        return
    without = {seq: case.log.findings(case.fall_with[seq]) for seq in case.without}
    for key, one in found.items():
        (rule, event), cited = key, frozenset(seq for seq in one.events if seq in case.without and seq != key[1])
        for seq, others in without.items():
            if key in others and _has_subject(case, seq, event) and not one.events & case.fall_with[seq]:
                expected, other = Counter(one.expected), Counter(others[key].expected)
                if not (expected <= other or expected >= other):  # further findings on an event are others, or gone
                    says = f"should be cited: without it {others[key].expected!r}; cited are {_listed(one.events)}"
                    case.fault("D", event, f"finding {rule}", one.expected, seq, says)
        case.counts["citations"] += len(cited)
        for seq in cited:
            seen = _has_subject(case, seq, event)
            if seen and _says(without[seq], key) != one.says:
                continue
            every, rest = case.with_falling(cited), case.with_falling(cited - {seq})
            decided = event not in every and seq not in rest and _is_still_there(case, event, every, rest)
            if decided and _says(case.log.findings(every), key) != _says(case.log.findings(rest), key):
                continue
            if decided and seen:
                says = "should not be cited: the finding does not depend on it"
                stands_in = partial(_is_finding_stand_in, case, key, seq, without)
                case.fault("D", event, f"finding {rule}", one.expected, seq, says, stands_in)
            else:
                case.count_undecided(OF_A_FINDING)


def _is_finding_stand_in(case: _Case, key: Key, seq: int, without: Mapping[int, Found]) -> bool:
    """Say whether a finding depends on a fact once some other one is struck, so that either of the two is enough."""
    for other, found in without.items():
        struck = case.with_falling((seq, other))
        if struck in (case.fall_with[seq], case.fall_with[other]) or not _has_subject(case, other, key[1]):
            continue
        if _is_still_there(case, key[1], struck) and _says(found, key) != _says(case.log.findings(struck), key):
            return True
    return False


def _has_subject(case: _Case, seq: int, event: int) -> bool:
    """Say whether the subject of a finding takes effect both with and without a fact; it may come before that fact."""
    if event in case.fall_with[seq] or event not in case.order:
        return event not in case.fall_with[seq]
    return case.order[event] < case.order[seq] or event in case.without[seq]


def _is_still_there(case: _Case, event: int, *struck: frozenset[int]) -> bool:
    if event not in case.order:
        return True
    wanted: Wanted = {event: (case.log.whole[event].moment, ())}
    return all(event in case.log.replayed(each, wanted) for each in struck)


def _says(found: Found, key: Key) -> tuple[object, ...] | None:
    return found[key].says if key in found else None
