"""An import: facts of a recorded combat into a new log, and how far they agree with the states that it recorded."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from encounterlog.edge.failures import REFUSED, USAGE, Failure
from encounterlog.edge.options import now
from encounterlog.edge.stores import copy_store, open_store
from encounterlog.importers import importer
from encounterlog.importers.telling import BadSource, Fact, Telling
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
}
"""In which respects states are compared, and what each is called."""


class Respect(Struct, frozen=True):
    """Tells how many of the states contradict the facts in no value of one kind, and how many state any."""

    name: str
    agree: int
    states: int
    stated: int


class Difference(Struct, frozen=True):
    """Is a value on which a state and the facts differ: the state's line, both values, and what last touched it."""

    line: int
    event: int
    address: str
    stated: str
    derived: str
    cause: str


class Trouble(Struct, frozen=True):
    """Is a row of the source that was not understood, or not wholly."""

    line: int
    what: str


class Unexplained(Struct, frozen=True):
    """Is a change that no row explains: the line that shows it, and the ruling that puts it into force."""

    line: int
    event: int
    decision: str


class Imported(Struct, frozen=True):
    """Tells what an import did; `left_out` counts the messages in which people only talk.

    `head` is where the new log ends, as SEQ:HASH; `same` says that the source was a log, and this one is it, byte for byte.
    """

    file: str
    title: str
    records: int
    states: int
    respects: tuple[Respect, ...]
    differences: tuple[Difference, ...]
    unexplained: int
    rulings: tuple[Unexplained, ...]
    problems: tuple[Trouble, ...]
    left_out: int
    head: str
    same: bool = False


def run(kind: str, source: Path, file: Path, title: str | None, by: str, *, network_drive: bool = False) -> Imported:
    """Import a recording into a new log and compare, or a log as it is; leave no file behind where that fails."""
    if file.is_symlink() or file.exists():
        raise Failure(USAGE, f"{visible(str(file))} is already there", "choose another name")
    telling = _told(kind, source)
    if isinstance(telling, Copy):
        return _same(file, telling, title, network_drive=network_drive)
    head = opening.opening(opening.ruleset_named(telling.ruleset), title or telling.title, telling.options)
    drafts = _drafts(telling.facts)
    _check(head, drafts, telling.facts)
    _write(file, Draft(head), drafts, by, network_drive=network_drive)
    return _compared(file, telling, drafts)


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
        rulings=(),
        problems=(Trouble(torn.line, f"{torn.why}; what is left of it was not copied"),) if torn else (),
        left_out=0,
        head=str(copy.head),
        same=True,
    )


def _told(kind: str, source: Path) -> Telling | Copy:
    try:
        return importer(kind)(source)
    except BadSource as error:
        says = str(error).removeprefix(f"{source}: ")
        raise Failure(REFUSED, visible(f"{source}: {says}"), "nothing was written") from None


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


def _compared(file: Path, telling: Telling, drafts: Sequence[Draft]) -> Imported:
    done, states = _judged(Log(file))
    contradicted = [one for verdicts in states for one in verdicts if not one.agrees]
    return Imported(
        file=visible(str(file)),
        title=done.state.title,
        records=done.records,
        states=telling.states,
        respects=tuple(_respects(states)),
        differences=tuple(_difference(one, telling.facts, drafts) for one in contradicted),
        unexplained=telling.unexplained,
        rulings=tuple(_unexplained(place, telling.facts[place]) for place in telling.rulings),
        problems=tuple(Trouble(one.line, one.what) for one in telling.problems),
        left_out=telling.left_out,
        head=str(open_store(file).head()),
    )


def _judged(log: Log) -> tuple[Replay, list[list[Judged]]]:
    """Replay a log, and return for each state in it the verdicts on its values, as the telling was when it was recorded."""
    found: dict[int, list[Judged]] = {}

    def look(state: State, told: Occurrence[Any]) -> None:
        if isinstance(told.event, Checked):
            found[told.seq] = list(judged(state, told))

    done = replayed(log, before=look)
    fair: dict[int, list[Judged]] = {seq: [] for seq in found}
    for one in fairly(log, done, (each for verdicts in found.values() for each in verdicts)):
        fair[one.fact.seq].append(one)
    return done, list(fair.values())


def _respects(states: Sequence[Sequence[Judged]]) -> Iterator[Respect]:
    """Yield in how many states each kind of value agrees."""
    for key, name in RESPECTS.items():
        found = [[one.agrees for one in verdicts if respect_of(one.address) == key] for verdicts in states]
        stated = sum(1 for values in found if values)
        if stated:
            yield Respect(name, sum(1 for values in found if all(values)), len(found), stated)


def respect_of(address: str) -> str:
    """Return in which respect an address belongs: `nitar.hp` in hp, `nitar.effects.Frightened` in durations."""
    if "." not in address:
        return address
    field = address.partition(".")[2]
    return "left" if field.startswith("effects.") else field


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


def _unexplained(place: int, fact: Fact) -> Unexplained:
    return Unexplained(fact.lines[0], place + 2, fact.event["decision"])
