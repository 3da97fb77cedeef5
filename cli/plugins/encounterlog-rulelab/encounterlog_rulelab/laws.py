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
from functools import partial
from typing import NamedTuple, Protocol

from projections.open_types import Fields, Json

Moment = Hashable
"""When a fact takes hold: its point, and whose turn it is."""
Wanted = Mapping[int, tuple[Moment, Collection[str]]]
"""The addresses to read at a place, and the moment that it has to have."""
Values = dict[int, Fields]
"""The values that were wanted, at each place that has its moment; those that exist."""

UNDECIDED = "undecided: "
FALLS = (
    "the place falls with what is cited: the value is looked at where the fact itself, or what came out of it, stands"
)
TOGETHER = "the fact falls with another that is cited: neither is ever there without the other"
OTHERWISE = "without it the fight is at another moment there: a turn or a round that runs otherwise cannot be compared"
GONE = "without it there is no such value: what it is of has not joined, or is over"
OF_A_FINDING = "it is cited by a finding that cannot be compared without it"
"""Why law B cannot decide about a citation, as it is counted."""
TO_DO = {
    FALLS: "add a fact behind it in the same turn that comes out of none of these, such as a note: the value is judged there",
    TOGETHER: "record the one without `cause` in a play of its own; leave it where it never stands alone",
    OTHERWISE: "leave it where it is a turn, a round or a place in the order; else add a note before the turn ends",
    GONE: "let an earlier fact make the same, such as a first throw or the condition itself; leave it where only one can",
    OF_A_FINDING: "leave it where it is the turn or the cause of the act; else let the act stand without it in another play",
}
"""What to do in a play so that a citation of each group is decided, and where it can stay undecided."""
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

    event: int
    expected: tuple[str, ...]
    says: tuple[Json, ...]
    events: frozenset[int]


class Log(Protocol):
    """A log that can be replayed.

    `facts` leads from the seq of each fact that takes hold to its type, in the order of the stream, `causes` to the
    seq that each came out of, or 0, and `whole` to its place. `options` leads from each option to its other values;
    `counts_time` are the types of the facts that count time.
    """

    facts: dict[int, str]
    causes: dict[int, int]
    whole: dict[int, StreamPlace]
    options: dict[str, tuple[str, ...]]
    counts_time: frozenset[str]

    def is_clock(self, address: str) -> bool:
        """Return whether an address is of a value that the clock sets."""

    def replayed(self, struck: Collection[int], wanted: Wanted) -> Values:
        """Replay the log without these facts."""

    def replayed_with(self, option: str, value: str, wanted: Wanted) -> Values:
        """Replay the log with another value of an option."""

    def findings(self, struck: Collection[int]) -> dict[Hashable, Finding]:
        """Return what the audit finds in the log without these facts, by rule and event."""


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
    case = _Case(log, known)
    _nothing_silent(case)
    _nothing_idle(case)
    _check_options(case)
    _check_findings(case)
    return Verdict(list(case.breaks.values()), case.counts)


def judge_options(log: Log, known: Known = lambda _: False) -> Verdict:
    """Hold a log against the law of options alone: it takes a replay for each value of an option, and none for the facts."""
    case = _Case(log, known, without_facts=False)
    _check_options(case)
    return Verdict(list(case.breaks.values()), case.counts)


class _Case:
    """A log with all its replays without one fact, and the results so far."""

    def __init__(self, log: Log, known: Known, *, without_facts: bool = True) -> None:
        self.log, self._known = log, known
        self.order = {seq: place for place, seq in enumerate(log.facts)}
        self.fall_with = {seq: _falling_with(log, seq) for seq in log.facts}
        self.counts: Counter[str] = Counter()
        self.breaks: dict[tuple[str, str, str], Break] = {}
        self.without = {
            seq: _Compared(
                log, _request_values(log, (p for p in self.order if self.order[p] > self.order[seq]), struck), struck
            )
            for seq, struck in self.fall_with.items()
            if without_facts and log.facts[seq] not in GIVEN
        }
        self._both = dict[frozenset[int], Values]()

    def with_falling(self, seqs: Iterable[int]) -> frozenset[int]:
        """Return these facts with all that are struck with them."""
        return frozenset[int]().union(*(self.fall_with[seq] for seq in seqs))

    def without_both(self, seq: int, other: int) -> Values:
        """Replay the log without two facts; there is nothing where one of them falls with the other."""
        struck = self.with_falling((seq, other))
        if struck in (self.fall_with[seq], self.fall_with[other]):
            return {}
        if struck not in self._both:
            later = (place for place in self.order if self.order[place] > self.order[seq])
            self._both[struck] = self.log.replayed(struck, _request_values(self.log, later, struck))
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
    """Return a fact with every one whose chain of causes reaches it; a cause comes before what comes out of it, or not."""
    found, before = {seq}, 0
    while len(found) != before:
        before = len(found)
        found |= {other for other, cause in log.causes.items() if cause in found}
    return frozenset(found)


class _Compared:
    """A log held against a variant of it: where it differs, and what cannot be compared."""

    def __init__(
        self, log: Log, wanted: Wanted, struck: Collection[int] = (), option: tuple[str, str] = ("", "")
    ) -> None:
        self.replayed = log.replayed_with(*option, wanted) if option[0] else log.replayed(struck, wanted)
        self.pairs = len(wanted)
        self.absent = sum(len(log.whole[place].values) - len(values) for place, values in self.replayed.items())
        self.differs = {
            (place, address): value
            for place, values in self.replayed.items()
            for address, value in values.items()
            if value != log.whole[place].values[address].value
        }

    def add_counts(self, counts: Counter[str]) -> None:
        """Add what cannot be compared."""
        counts["pairs"] += self.pairs
        counts["not comparable"] += self.pairs - len(self.replayed)
        counts["addresses in one only"] += self.absent


def _request_values(log: Log, places: Iterable[int], struck: Collection[int] = ()) -> Wanted:
    """Request every value at these places."""
    return {p: (log.whole[p].moment, log.whole[p].values.keys()) for p in places if p not in struck}


# ---------------------------------------------------------------- A, nothing silent


def _nothing_silent(case: _Case) -> None:
    log = case.log
    for seq, without in case.without.items():
        without.add_counts(case.counts)
        timing = log.facts[seq] in log.counts_time
        for (place, address), other in without.differs.items():
            value = log.whole[place].values[address]
            if not value.closure & case.fall_with[seq] and not (timing and log.is_clock(address)):
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
        once, both = (values.get(doubt.place) for values in (without.replayed, case.without_both(doubt.seq, other)))
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
    if before != doubt.seq:
        return (before, doubt.address) in case.without[doubt.seq].differs
    earlier = case.log.whole[places[case.order[before] - 1]].values if case.order[before] else {}
    known = case.log.whole[before].values
    return (
        doubt.address in earlier
        and doubt.address in known
        and earlier[doubt.address].value != known[doubt.address].value
    )


def _doubts_of_case(case: _Case) -> Iterator[_Doubt]:
    log = case.log
    for place, (_, values) in log.whole.items():
        for address, value in values.items():
            last = log.counts_time if log.is_clock(address) else ()  # the reason of a clock names its last boundary
            cited = frozenset(seq for seq in value.cited if seq in case.without and log.facts[seq] not in last)
            case.counts["citations"] += len(cited)
            for seq in cited:
                if (place, address) not in case.without[seq].differs:
                    alone = address in case.without[seq].replayed.get(place, {})
                    yield _Doubt(place, address, seq, alone, case.with_falling(cited), case.with_falling(cited - {seq}))


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
        compared = _Compared(log, _request_values(log, log.whole), option=(option, value))
        compared.add_counts(case.counts)
        for (place, address), other in compared.differs.items():
            own = log.whole[place].values[address]
            if option not in own.options:
                says = f"should be cited: with {value} it is {other!r}"
                case.fault("C", place, address, own.value, f"{option}={value}", says)


# ---------------------------------------------------------------- D, findings

Found = Mapping[int, Mapping[Hashable, Finding]]
"""The findings without each fact."""


def _check_findings(case: _Case) -> None:
    found = case.log.findings(())
    if not found:
        return
    without = {seq: case.log.findings(case.fall_with[seq]) for seq in case.without}
    for key, one in found.items():
        for seq, others in without.items():
            if key in others and _has_subject(case, seq, one.event) and not one.events & case.fall_with[seq]:
                expected, other = Counter(one.expected), Counter(others[key].expected)
                if not (expected <= other or expected >= other):  # further findings on an event are others, or gone
                    says = f"should be cited: without it {others[key].expected!r}; cited are {_listed(one.events)}"
                    case.fault("D", one.event, _name(key), one.expected, seq, says)
        cited = frozenset(seq for seq in one.events if seq in case.without and seq != one.event)
        case.counts["citations"] += len(cited)
        for seq in cited:
            if not (_has_subject(case, seq, one.event) and _says(without[seq], key) != one.says):
                _settle_finding(case, key, one, seq, cited, without)


def _is_finding_stand_in(case: _Case, key: Hashable, one: Finding, seq: int, without: Found) -> bool:
    """Say whether a finding depends on a fact once some other one is struck, so that either of the two is enough."""
    for other, found in without.items():
        struck = case.with_falling((seq, other))
        if struck in (case.fall_with[seq], case.fall_with[other]) or not _has_subject(case, other, one.event):
            continue
        if _is_still_there(case, one.event, struck) and _says(found, key) != _says(case.log.findings(struck), key):
            return True
    return False


def _settle_finding(case: _Case, key: Hashable, one: Finding, seq: int, cited: frozenset[int], without: Found) -> None:
    every, others = case.with_falling(cited), case.with_falling(cited - {seq})
    decided = one.event not in every and seq not in others
    decided = decided and all(_is_still_there(case, one.event, struck) for struck in (every, others))
    if decided and _says(case.log.findings(every), key) != _says(case.log.findings(others), key):
        return
    if decided and _has_subject(case, seq, one.event):
        says = "should not be cited: the finding does not depend on it"
        stands_in = partial(_is_finding_stand_in, case, key, one, seq, without)
        case.fault("D", one.event, _name(key), one.expected, seq, says, stands_in)
    else:
        case.count_undecided(OF_A_FINDING)


def _has_subject(case: _Case, seq: int, event: int) -> bool:
    """Say whether the subject of a finding takes effect both with and without a fact; it may come before that fact."""
    if event in case.fall_with[seq] or event not in case.order:
        return event not in case.fall_with[seq]
    return case.order[event] < case.order[seq] or event in case.without[seq].replayed


def _is_still_there(case: _Case, event: int, struck: frozenset[int]) -> bool:
    return event not in case.order or event in case.log.replayed(struck, {event: (case.log.whole[event].moment, ())})


def _says(found: Mapping[Hashable, Finding], key: Hashable) -> tuple[object, ...] | None:
    return found[key].says if key in found else None


def _name(key: Hashable) -> str:
    return f"finding {key[0] if isinstance(key, tuple) else key}"
