"""An import: facts of a recorded combat into a new log, and how far they agree with the states that it recorded."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from encounterlog import opening
from encounterlog.failures import REFUSED, USAGE, Failure
from encounterlog.importers import fireball
from encounterlog.options import now
from encounterlog.phrases import value
from encounterlog.reading import Log, replayed
from encounterlog.text import numbers
from encounterlog.words import sentence
from eventstore.errors import Malformed
from eventstore.events import Checked, Fact
from eventstore.form import REFERENCE_FIELDS, visible
from eventstore.record import Draft
from eventstore.store import MOST_EVENTS
from projections.decide import Append, Refused, decide
from projections.replay import opened, replay
from projections.state import State, Told
from projections.values import same, value_of

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
    """Tells what an import did."""

    file: str
    title: str
    records: int
    states: int
    respects: tuple[Respect, ...]
    differences: tuple[Difference, ...]
    unexplained: int
    rulings: tuple[Unexplained, ...]
    problems: tuple[Trouble, ...]


def run(kind: str, source: Path, file: Path, title: str | None, by: str) -> Imported:
    """Import a recording into a new log and compare; leave no file behind where that fails."""
    if file.is_symlink() or file.exists():
        raise Failure(USAGE, f"{visible(str(file))} is already there", "choose another name")
    telling = _told(kind, source)
    rules = opening.ruleset_named("plain")
    head = opening.opening(rules, title or telling.title, {})
    drafts = _drafts(telling.facts)
    _check(head, drafts, telling.facts)
    _write(file, Draft(head), drafts, by)
    return _compared(file, telling)


def _told(kind: str, source: Path) -> fireball.Telling:
    try:
        return {"fireball": fireball.tell}[kind](source)
    except fireball.BadSource as error:
        says = str(error).removeprefix(f"{source}: ")
        raise Failure(REFUSED, visible(f"{source}: {says}"), "nothing was written") from None


def _drafts(facts: Sequence[fireball.Fact]) -> list[Draft]:
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


def _check(head: Any, drafts: Sequence[Draft], facts: Sequence[fireball.Fact]) -> None:
    """Refuse the whole import where a fact would be refused."""
    state = opened(head)
    verdict = decide(state, Append(tuple(drafts), 1))
    if isinstance(verdict, Refused):
        details = [
            f"line {numbers(facts[one.place].lines)}, {one.field}: {one.reason}" for one in verdict.refusals[:20]
        ]
        raise Failure(REFUSED, f"{len(verdict.refusals)} facts of the source are refused", details=details)


def _write(file: Path, head: Draft, drafts: Sequence[Draft], by: str) -> None:
    """Write the log; up to so many facts come in whole or not at all, of more the file is taken away where it fails."""
    store = opening.create(file, [head, *drafts[: MOST_EVENTS - 1]], by)
    try:
        for start in range(MOST_EVENTS - 1, len(drafts), MOST_EVENTS):
            store.append(drafts[start : start + MOST_EVENTS], by=by, at=now())
    except BaseException:
        file.unlink(missing_ok=True)
        raise


class _Comparison:
    """Compares each state with what the facts before it come to, as they were told when the state was recorded."""

    def __init__(self, facts: Sequence[fireball.Fact]) -> None:
        self.facts = facts
        self.events: dict[int, Fact] = {}
        self.states: dict[int, list[tuple[str, Difference | None]]] = {}

    def look(self, state: State, told: Told[Any]) -> None:
        """Compare a fact that states values, just before it takes hold."""
        self.events[told.seq] = told.event
        if isinstance(told.event, Checked):
            stated = told.event.values.items()
            self.states[told.seq] = [(respect_of(a), self.difference(state, told.seq, a, item)) for a, item in stated]

    def look_again(self, log: Log, seq: int) -> None:
        """Compare a state with the telling as it then was, without the corrections that came later."""

        def look(state: State, told: Told[Any]) -> None:
            if told.seq == seq:
                self.look(state, told)

        replay(tuple(record for record in log if record.seq <= seq), before=look)

    def difference(self, state: State, seq: int, address: str, stated: Any) -> Difference | None:
        """Return in what a stated value differs from the derived one, if it does."""
        derived = value_of(state, address)
        if derived is not None and same(state, address, stated, derived.value):
            return None
        found = value(derived.value) if derived else "no such value"
        cause = self.cause(derived.because.events if derived else (), seq)
        return Difference(self.line(seq), seq, address, value(stated), found, cause)

    def line(self, seq: int) -> int:
        """Return the line of the source that a record comes from."""
        return self.facts[seq - 2].lines[0]

    def cause(self, events: Iterable[int], before: int) -> str:
        """Say what last touched a value."""
        last = max((seq for seq in events if 1 < seq < before), default=0)
        return f"last set in line {self.line(last)}: {sentence(self.events[last])}" if last in self.events else ""

    @property
    def differences(self) -> list[Difference]:
        """Every difference, in the order of the states."""
        return [found for rows in self.states.values() for _, found in rows if found]

    def respects(self) -> Iterator[Respect]:
        """Yield in how many states each kind of value agrees."""
        for key, name in RESPECTS.items():
            found = [[one for respect, one in rows if respect == key] for rows in self.states.values()]
            stated = sum(1 for values in found if values)
            if stated:
                yield Respect(name, sum(1 for values in found if not any(values)), len(found), stated)


def respect_of(address: str) -> str:
    """Return in which respect an address belongs: `nitar.hp` in hp, `nitar.effects.Frightened` in durations."""
    if "." not in address:
        return address
    field = address.partition(".")[2]
    return "left" if field.startswith("effects.") else field


def _compared(file: Path, telling: fireball.Telling) -> Imported:
    log, comparison = Log(file), _Comparison(telling.facts)
    done = replayed(log, before=comparison.look)
    last = max(done.corrections.struck.values(), default=0)
    for seq in {found.event for found in comparison.differences if found.event < last}:
        comparison.look_again(log, seq)
    return Imported(
        file=visible(str(file)),
        title=done.state.title,
        records=done.records,
        states=telling.states,
        respects=tuple(comparison.respects()),
        differences=tuple(comparison.differences),
        unexplained=telling.unexplained,
        rulings=tuple(_unexplained(telling.facts)),
        problems=tuple(Trouble(one.line, one.what) for one in telling.problems),
    )


def _unexplained(facts: Sequence[fireball.Fact]) -> Iterator[Unexplained]:
    for place, fact in enumerate(facts):
        if fact.event["type"] == "ruling_made" and "no recorded row explains" in fact.event.get("reason", ""):
            yield Unexplained(fact.lines[0], place + 2, fact.event["decision"])
