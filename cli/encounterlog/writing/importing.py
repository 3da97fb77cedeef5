"""An import: facts of a recorded combat into a new log, and how far they agree with the states that it recorded."""

from bisect import bisect
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from encounterlog.edge.failures import REFUSED, USAGE, Failure
from encounterlog.edge.options import now
from encounterlog.edge.stores import copy_store, open_store
from encounterlog.importers import importer
from encounterlog.importers.transcript import BadSource, Fact, Repair, Transcript
from encounterlog.reading.logs import Log, replayed
from encounterlog.wording.facts import sentence
from encounterlog.wording.layout import numbers
from encounterlog.wording.phrases import value
from encounterlog.writing import opening
from eventstore.copying import Copy
from eventstore.errors import Malformed
from eventstore.events import Checked, EncounterOpened
from eventstore.form import REFERENCE_FIELDS, visible
from eventstore.record import Draft
from eventstore.store import MOST_EVENTS
from projections.folds.replay import Replay, opened
from projections.judging.decide import Append, Refused, decide
from projections.judging.statements import Judged, fairly, judged
from projections.occurrence import Occurrence
from projections.state import State

RESPECTS = {
    "order": "order",
    "turn": "turn",
    "round": "round",
    "name": "names",
    "hp": "hp",
    "hp_max": "maximum",
    "temp": "temporary points",
    "effects": "effects",
    "left": "durations",
    "counters": "counters",
}
"""In which respects states are compared, and what each is called."""


class Respect(Struct, frozen=True):
    """How well facts and states agree in the values of one kind, counted in states.

    A state agrees by itself, or because something was set right, by a row that explains it or by none, or it differs.
    `agree` counts those that do not differ, `stated` those that state any such value.
    """

    name: str
    agree: int
    states: int
    stated: int
    by_itself: int
    with_cause: int
    without_cause: int


class Difference(Struct, frozen=True):
    """A value on which a state and the facts differ: the state's line, both values, and what last touched it."""

    line: int
    event: int
    address: str
    stated: str
    derived: str
    cause: str


class Trouble(Struct, frozen=True):
    """A row of the source that was not understood, or not wholly."""

    line: int
    what: str


class SetRight(Struct, frozen=True):
    """A value that was set right after what the source shows: where, by which record, and the line that explains it."""

    line: int
    event: int
    address: str
    cause: int | None
    says: str


class Imported(Struct, frozen=True):
    """What an import did; `repairs` are all values that were set right, `left_out` counts messages of mere talk.

    `begins` says what is to be known of the beginning, if anything; `unexplained` counts the repairs without a cause. `head` is where the new log ends, as SEQ:HASH; `same` says that the source was a log, and this one is it, byte for byte.
    """

    file: str
    title: str
    records: int
    states: int
    respects: tuple[Respect, ...]
    differences: tuple[Difference, ...]
    unexplained: int
    repairs: tuple[SetRight, ...]
    problems: tuple[Trouble, ...]
    left_out: int
    head: str
    same: bool = False
    begins: str = ""


def run(kind: str, source: Path, file: Path, title: str | None, by: str, *, network_drive: bool = False) -> Imported:
    """Import a recording into a new log and compare, or a log as it is; leave no file behind where that fails."""
    if file.is_symlink() or file.exists():
        raise Failure(USAGE, f"{visible(str(file))} is already there", "choose another name")
    read = _read(kind, source)
    if isinstance(read, Copy):
        return _same(file, read, title, network_drive=network_drive)
    head = opening.opening(opening.ruleset_named(read.ruleset), title or read.title, read.options)
    drafts = _drafts(read.facts)
    _check(head, drafts, read.facts)
    _write(file, Draft(head), drafts, by, network_drive=network_drive)
    return _compared(file, read, drafts)


def _same(file: Path, copy: Copy, title: str | None, *, network_drive: bool) -> Imported:
    """Make a log of the lines of another one."""
    if title is not None:
        raise Failure(USAGE, "a log that is copied keeps its title", "leave out --title")
    first, torn = next(iter(copy)).event, copy.found.problem
    copy_store(file, copy, network_drive=network_drive)
    return Imported(
        file=visible(str(file)),
        title=first.title if isinstance(first, EncounterOpened) else "",
        records=copy.records,
        states=0,
        respects=(),
        differences=(),
        unexplained=0,
        repairs=(),
        problems=(Trouble(torn.line, f"{torn.why}; what is left of it was not copied"),) if torn else (),
        left_out=0,
        head=str(copy.head),
        same=True,
    )


def _read(kind: str, source: Path) -> Transcript | Copy:
    try:
        return importer(kind)(source)
    except BadSource as error:
        raise Failure(REFUSED, visible(f"{source}: {error}"), visible(error.hint)) from None


def _drafts(facts: Sequence[Fact]) -> list[Draft]:
    """Turn facts into drafts with their own moments; record 1 opens the log, so fact 0 becomes record 2."""
    drafts = []
    for place, fact in enumerate(facts):
        try:
            drafts.append(Draft(_absolute(opening.event(fact.event), place), at=fact.at))
        except Malformed as error:
            raise Failure(REFUSED, f"line {numbers(fact.lines)} of the source: {error}", error.hint) from None
    return drafts


def _absolute(event: Any, place: int) -> Any:
    """Make references that count back absolute, so that batches may be cut anywhere."""
    back = {name: getattr(event, name, None) for name in REFERENCE_FIELDS}
    return structs.replace(event, **{n: place + 2 + ref for n, ref in back.items() if ref is not None and ref < 0})


def _check(head: Any, drafts: Sequence[Draft], facts: Sequence[Fact]) -> None:
    """Refuse the whole import where a fact would be refused."""
    state = opened(head)
    verdict = decide(state, Append(tuple(drafts), 1))
    if isinstance(verdict, Refused):
        details = [
            f"line {numbers(facts[one.place].lines)}, {one.field}: {one.reason}" for one in verdict.refusals[:20]
        ]
        raise Failure(REFUSED, f"{len(verdict.refusals)} facts of the source are refused", details=details)


def _write(file: Path, head: Draft, drafts: Sequence[Draft], by: str, *, network_drive: bool) -> None:
    """Write the log; up to so many facts come in whole or not at all, of more the file is taken away where it fails."""
    store = opening.create(file, [head, *drafts[: MOST_EVENTS - 1]], by, network_drive=network_drive)
    try:
        for start in range(MOST_EVENTS - 1, len(drafts), MOST_EVENTS):
            store.append(drafts[start : start + MOST_EVENTS], by=by, at=now(), after=start + 1)
    except BaseException:
        file.unlink(missing_ok=True)
        raise


def _compared(file: Path, read: Transcript, drafts: Sequence[Draft]) -> Imported:
    done, states = _judged(Log(file))
    contradicted = [one for verdicts in states.values() for one in verdicts if not one.agrees]
    return Imported(
        file=visible(str(file)),
        title=done.state.title,
        records=done.records,
        states=read.states,
        respects=tuple(_respects(states, read.repairs)),
        differences=tuple(_difference(one, read.facts, drafts) for one in contradicted),
        unexplained=len(read.unexplained),
        repairs=tuple(map(_set_right, read.repairs)),
        problems=tuple(Trouble(one.line, one.what) for one in read.problems),
        left_out=read.left_out,
        head=str(open_store(file).head()),
        begins=read.begins,
    )


def _set_right(one: Repair) -> SetRight:
    return SetRight(one.line, one.fact + 2, one.address, one.cause or None, one.says)


def _judged(log: Log) -> tuple[Replay, dict[int, list[Judged]]]:
    """Replay a log, and return for each state in it, by its seq, the verdicts on its values as the facts were by then."""
    found: dict[int, list[Judged]] = {}

    def look(state: State, fact: Occurrence[Any]) -> None:
        if isinstance(fact.event, Checked):
            found[fact.seq] = list(judged(state, fact))

    done = replayed(log, before=look)
    fair: dict[int, list[Judged]] = {seq: [] for seq in found}
    for one in fairly(log, done, (each for verdicts in found.values() for each in verdicts)):
        fair[one.fact.seq].append(one)
    return done, fair


def _respects(states: dict[int, list[Judged]], repairs: Sequence[Repair]) -> Iterator[Respect]:
    """Yield how well states and facts agree in each kind of value that is stated, or was set right."""
    found = [_kinds(verdicts) for verdicts in states.values()]
    mended = _mended(list(states), repairs)
    there = {key for kinds in found for key in kinds} | {key for kinds in mended for key in kinds}
    for key in [*(key for key in RESPECTS if key in there), *sorted(there - RESPECTS.keys())]:
        causes = [set(right.get(key, ())) for kinds, right in zip(found, mended, strict=True) if kinds.get(key, True)]
        yield Respect(
            name=RESPECTS.get(key, key),
            agree=len(causes),
            states=len(found),
            stated=sum(key in kinds for kinds in found),
            by_itself=sum(not one for one in causes),
            with_cause=sum(one == {True} for one in causes),
            without_cause=sum(False in one for one in causes),
        )


def _kinds(verdicts: Sequence[Judged]) -> dict[str, bool]:
    """Say for each kind of value in a state whether all of that kind agree."""
    agree: dict[str, bool] = {}
    for one in verdicts:
        key = respect_of(one.address)
        agree[key] = agree.get(key, True) and one.agrees
    return agree


def _mended(states: Sequence[int], repairs: Sequence[Repair]) -> list[dict[str, list[bool]]]:
    """Say for each state, and each kind of value, of the repairs since the state before whether they have a cause."""
    found: list[dict[str, list[bool]]] = [{} for _ in states]
    for one in repairs if states else ():
        place = min(bisect(states, one.fact + 2), len(states) - 1)
        found[place].setdefault(respect_of(one.address), []).append(bool(one.cause))
    return found


def respect_of(address: str) -> str:
    """Return in which respect an address belongs: `nitar.hp` in hp, `nitar.effects.Frightened` in durations."""
    if "." not in address:
        return address
    field = address.partition(".")[2]
    return {"effects": "left", "resources": "counters"}.get(field.partition(".")[0], field) if "." in field else field


def _difference(one: Judged, facts: Sequence[Fact], drafts: Sequence[Draft]) -> Difference:
    """Return in what a stated value differs from the derived one, with the fact that touched it last."""
    seq, derived = one.fact.seq, one.derived
    found = value(derived.value) if derived else "no such value"
    last = max((each for each in (derived.because.events if derived else ()) if 1 < each < seq), default=0)
    cause = f"last set in line {_line(facts, last)}: {sentence(drafts[last - 2].event)}" if last else ""
    return Difference(_line(facts, seq), seq, one.address, value(one.stated), found, cause)


def _line(facts: Sequence[Fact], seq: int) -> int:
    """Return the line of the source that a record comes from."""
    return facts[seq - 2].lines[0]
