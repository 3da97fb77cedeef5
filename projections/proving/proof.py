"""Proof: a play is run, and its values and findings are compared with the expected ones."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from eventstore.events import Correction, EncounterOpened
from eventstore.record import Draft, Recorded
from eventstore.wording import nearest, visible
from projections.folds.addresses import format_value, value_as_text, value_of
from projections.folds.order import order_of, round_rows
from projections.judging import book
from projections.judging.audit import Auditor, Finding, audit
from projections.judging.refusals import find_refusals
from projections.language.notation.records import make_records
from projections.proving.plays import Expectation, Mark, Play
from projections.replay.replay import Observer, Replay, empty_state, replay, resume
from projections.ruleset.catalogue import Catalogue
from projections.rulesets import UnknownRuleset, find
from projections.state import State
from projections.time import Point


class Failure(Struct, frozen=True):
    """An expectation that was not met: the line of the script, and the expected and the found value, if there are such.

    An unknown word is a failure too, with its column.
    """

    line: int
    says: str
    column: int = 0
    expected: str = ""
    found: str = ""


class Played(Struct, frozen=True):
    """A play that was run: its failures, and everything that the audit found."""

    play: Play
    failures: tuple[Failure, ...]
    findings: tuple[Finding, ...]

    @property
    def is_proven(self) -> bool:
        """Whether everything was as expected."""
        return not self.failures


def records_of(play: Play, options: dict[str, str] | None = None) -> list[Recorded]:
    """Return the facts of a play as the records of a log in memory, appended as one; their hashes are left blank."""
    ruleset = find(play.ruleset)
    chosen = play.options if options is None else options
    first = EncounterOpened(
        format=1,
        encounter="play",
        title=play.title[:200],
        ruleset=ruleset.key,
        revision=ruleset.revision,
        options=chosen,
    )
    events = [row.event for row in (*play.joined, *play.facts)]
    return [*make_records((first,), 1), *make_records(events, 2, together=True)]


def run_play(play: Play, options: dict[str, str] | None = None, *, proves: bool = True) -> Played:
    """Run a play, with the given options instead of its own, if any are given.

    If it `proves` something, its findings must be exactly those that it expects, even if it expects none.
    """
    failures = list(_unknown_words(play)) or list(_refusals(play))
    if failures:
        return Played(play, tuple(failures), ())
    records = records_of(play, options)
    places = list(dict.fromkeys(each.after for each in play.expectations))
    before = 1 + len(play.joined)
    auditor = None if any(isinstance(each.event, Correction) for each in records) else Auditor()
    look = auditor.observe_fact if auditor else None
    replays = replays_after(records, [*(before + place for place in places), len(records)], look)
    for place, done in zip(places, replays, strict=False):  # the last one is that of all records
        for each in play.expectations:
            if each.after == place and each.verb in _MEETS:
                failures += _MEETS[each.verb](done.state, each)
    findings = (auditor.make_audit(records, next(replays)) if auditor else audit(records)).findings
    if proves or any(each.verb in ("none", "finding") for each in play.expectations):
        failures += _check_findings(play, findings)
    return Played(play, tuple(failures), findings)


def replays_after(records: list[Recorded], counts: Iterable[int], before: Observer | None = None) -> Iterator[Replay]:
    """Yield the replay of each of these numbers of records, which grow; `before` is called as in one replay of all, if
    nothing is corrected.
    """
    done: Replay | None = None
    taken = 0
    for count in counts:
        further = records[taken:count]
        if done is None or any(isinstance(each.event, Correction) for each in further):
            done = replay(records[:count], before=before)
        else:
            done = resume(done, further, before=before)
        taken = count
        yield done


def _unknown_words(play: Play) -> Iterator[Failure]:
    """Yield the words of a play that its ruleset does not know: itself, options, their values, rules."""
    for mark in play.marks:
        if mark.what == "ruleset" and mark.word == play.ruleset:
            try:
                find(mark.word)
            except UnknownRuleset as error:
                yield Failure(mark.line, f"{error}; {error.hint}", mark.column)
                return
    catalogue = find(play.ruleset).catalogue()
    for mark in play.marks:
        known = _known_words(catalogue, mark)
        if mark.what != "ruleset" and mark.word not in known:
            hint = nearest(mark.word, known) or f"there are {', '.join(known[:8]) or 'none'}"
            says = f"{mark.of or play.ruleset} has no {mark.what} {visible(mark.word[:80])}; {hint}"
            yield Failure(mark.line, says, mark.column)


def _known_words(catalogue: Catalogue, mark: Mark) -> list[str]:
    books = (catalogue, book.catalogue())
    if mark.what == "option":
        return [name for each in books for option in each.option for name in (option.name, *option.earlier)]
    if mark.what == "value":
        option = next((found for each in books if (found := each.find_option(mark.of))), None)
        earlier = (each.earlier.get(mark.of) for some in books for each in some.option)
        return list(option.values) if option else list(next(filter(None, earlier), [mark.word]))
    return [clause.id for each in books for clause in each.rule]


def _refusals(play: Play) -> Iterator[Failure]:
    rows = (*play.joined, *play.facts)
    state = empty_state(records_of(play)[0].event)
    drafts = [Draft(row.event) for row in rows]  # type: ignore[arg-type]
    for refusal in find_refusals(state, drafts, 1):
        yield Failure(rows[refusal.place].line, f"refused: {refusal.field}: {refusal.reason}")


def row_of(play: Play, seq: int) -> int:
    """Return the row of a play's record; 0 for its header."""
    place = seq - 2 - len(play.joined)
    return play.facts[place].row if place >= 0 else 0


def line_of(play: Play, seq: int) -> int:
    """Return the line of the script that holds a record of a play; that of the play for its header."""
    rows, place = (*play.joined, *play.facts), seq - 2
    return rows[place].line if place >= 0 else play.line


def _check_findings(play: Play, findings: tuple[Finding, ...]) -> Iterator[Failure]:
    """Yield the difference between the findings and those expected: exactly these, and no others."""
    expected = [each for each in play.expectations if each.verb == "finding"]
    rows = {row.row for row in play.facts} | {0}
    for each in expected:
        if int(each.words[1]) not in rows:
            yield Failure(each.line, f"no fact has the number {each.words[1]}")
    left = [(finding, (finding.rule, row_of(play, finding.event))) for finding in findings]
    for each in expected:
        wanted = (each.words[0], int(each.words[1]))
        found = next((one for one in left if one[1] == wanted), None)
        if found:
            left.remove(found)
        else:
            yield Failure(each.line, f"no finding {wanted[0]} at {wanted[1]}", expected=f"{wanted[0]} at {wanted[1]}")
    for finding, (rule, row) in left:
        says = f"an unexpected finding {rule} at {row}: {finding.says}"
        yield Failure(line_of(play, finding.event), says, found=f"{rule} at {row}")


# ---------------------------------------------------------------- comparing a state with an expectation


def _try_value(state: State, each: Expectation) -> Iterator[Failure]:
    address, wanted, rule = each.words
    derived = value_of(state, address)
    if derived is None:
        yield Failure(each.line, f"there is no value {address} here", expected=wanted)
        return
    if " ".join(wanted.split()) not in (value_as_text(derived.value), format_value(state, address, derived.value)):
        yield _difference(each, f"{address} is ", value_as_text(derived.value), wanted)
    if rule and rule not in derived.because.rules:
        yield _difference(each, f"{address} is by ", ", ".join(derived.because.rules), rule)


def _difference(each: Expectation, what: str, found: str, expected: str) -> Failure:
    return Failure(each.line, f"{what}{found}, expected {expected}", expected=expected, found=found)


def _try_order(state: State, each: Expectation) -> Iterator[Failure]:
    found = [slot.combatants for slot in order_of(state)]
    yield from _compare(each, "the order", found, each.words[0])


def _try_due(state: State, each: Expectation) -> Iterator[Failure]:
    segment, wanted = each.words
    number = int(segment.removeprefix("s"))
    found = [slot.combatants for slot in order_of(state) if slot.segment == number]
    yield from _wrong_segment(state, each, segment) or _compare(each, f"due in {segment}", found, wanted)


def _wrong_segment(state: State, each: Expectation, segment: str) -> list[Failure]:
    """Return a failure if surprise segments are expected in a round, or segments of a round in surprise."""
    surprise = state.clock.point.round == 0
    if segment.startswith("s") == surprise:
        return []
    return [Failure(each.line, f"there is no segment {segment} here: this is {'surprise' if surprise else 'a round'}")]


def _try_rows(state: State, each: Expectation) -> Iterator[Failure]:
    segment, wanted = each.words
    number = int(segment.removeprefix("s"))
    round_ = 0 if segment.startswith("s") else state.clock.point.round
    groups: dict[object, list[str]] = {}
    for entry in round_rows(state):
        acted = entry.status in ("begun", "done") or (entry.status in ("spoiled", "withdrawn") and entry.due)
        if acted and entry.point.round == round_ and entry.point.segment == number:
            groups.setdefault(entry.order, []).append(entry.combatant)
    found = [tuple(who) for who in groups.values()]
    yield from _wrong_segment(state, each, segment) or _compare(each, f"the rows of {segment}", found, wanted)


def _compare(each: Expectation, what: str, found: list[tuple[str, ...]], wanted: str) -> Iterator[Failure]:
    """Yield the difference between groups, in which the order of names does not matter."""
    expected = [sorted(who.strip() for who in group.split("&")) for group in wanted.split(">")]
    if [sorted(group) for group in found] != ([] if wanted.strip() == "nobody" else expected):
        words = " > ".join(" & ".join(group) for group in found) or "nobody"
        yield _difference(each, f"{what}: ", words, wanted)


def _try_timeline(state: State, each: Expectation) -> Iterator[Failure]:
    who, name, status, at, due = each.words
    rows = [entry for entry in round_rows(state) if entry.combatant == who]
    rows = [row for row in rows if not name or (row.name or row.action or "").casefold() == name.casefold()]
    for row in rows:
        here = not at or str(row.point.segment) == at.removeprefix("s")
        then = not due or _is_due_as_said(row.due, due)
        if row.status == status and here and then:
            return
    found = "; ".join(f"{row.name or row.action or ''} {row.status} in {row.point.segment}".strip() for row in rows)
    yield _difference(each, f"timeline of {who} {name}: ", found or "nothing", " ".join(filter(None, each.words[2:])))


def _is_due_as_said(point: Point | None, wanted: str) -> bool:
    if point is None:
        return False
    return wanted in (str(point.segment), f"s{point.segment}", f"r{point.round}s{point.segment}")


_MEETS = {"value": _try_value, "order": _try_order, "due": _try_due, "rows": _try_rows, "timeline": _try_timeline}
