"""Encounter scripts as tests: each encounter is one of pytest, and an engine of another program may be driven by a script; after each
step its values are compared with those of the log.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import Any, Protocol, TypeGuard, TypeVar

import pytest
from msgspec import Struct, to_builtins

from encounterlog.ask.rules import read_plays
from encounterlog.errors import Refused
from encounterlog.forks import At, Order, answer
from encounterlog.words.facts import fact_sentence
from eventstore.errors import Malformed
from eventstore.events import CombatantJoined, Fact, RoundStarted
from eventstore.record import Recorded
from eventstore.wording import short_repr
from projections.folds.addresses import agrees_with_statement, derive_value, no_value, plain_value
from projections.judging.audit import Finding
from projections.occurrence import Occurrence
from projections.open_types import Json
from projections.proving.plays import Play
from projections.proving.proof import line_of, records_of, run_play
from projections.replay.replay import replay
from projections.state import State

MOST = 20  # the most facts of a round that a failure shows


class Engine(Protocol):
    """An engine that a script can drive: four methods."""

    def begin(self, ruleset: str, options: dict[str, str]) -> None:
        """Begin a fight with nobody in it."""

    def join(self, who: str, side: str, sheet: dict[str, Any]) -> None:
        """Let a combatant join the fight."""

    def take(self, fact: dict[str, Any]) -> None:
        """Take a fact of the script: its `type` and its fields, as in a log."""

    def values(self) -> Mapping[str, Any]:
        """Return the engine's values now, by the addresses of a log: `ana.hp`, `turn`, `order`, `ana.concentration`."""


class Disagreement(Struct, frozen=True):
    """A value that differs between the engine and the log, at the first step at which it does."""

    encounter: str
    line: int
    """The line of the script."""
    step: str
    """The fact of that line, in words."""
    address: str
    engine: Json
    """The value that the engine has."""
    log: Json
    """The value that follows from the facts; None if the log has no value at that address."""
    events: tuple[int, ...]
    """The records that the value of the log follows from."""
    says: str
    """The two values, in a sentence."""
    page: tuple[str, ...]
    """The round in the script up to that line, and the reason of the log's value with its rules, in lines."""

    def __repr__(self) -> str:
        return short_repr(self, f"line {self.line}: {self.says} ({self.step})")


def run_script(path: str | PathLike[str], engine: Engine) -> tuple[Disagreement, ...]:
    """Drive an engine by the encounters of a script, and return each value that differs from the log, at the step where it
    first does.

    Raises the errors of a malformed script, the engine's own, with a note of the line at which they occur, and Malformed if the
    engine has no values in an encounter, or the log is not as the script expects it.
    """
    return tuple(each for play in read_plays(Path(path), None) for each in _run_play(Path(path), play, engine))


def _run_play(path: Path, play: Play, engine: Engine) -> Iterator[Disagreement]:
    found, records = list[Disagreement](), records_of(play)
    compared: dict[str, bool] = {}  # the addresses of the engine's values, and whether it agreed with the log on them

    def observe_fact(state: State, fact: Occurrence[Fact]) -> None:
        line = line_of(play, fact.seq)
        try:
            if isinstance(fact.event, CombatantJoined):
                joined = state.combatants[fact.event.combatant]
                engine.join(fact.event.combatant, joined.side, to_builtins(joined.sheet))
            else:
                engine.take(to_builtins(fact.event))
            values = {str(address): value for address, value in engine.values().items()}
        except Exception as error:
            error.add_note(f"at line {line} of the script: {fact_sentence(fact.event)}")
            raise
        for address, value in values.items():
            ours = derive_value(state, address)
            log = plain_value(ours.value) if ours else None
            agreed = ours is not None and agrees_with_statement(state, address, value, log)
            if not agreed and compared.get(address, True):
                events = state.reason(ours.because).events if ours else ()
                says = f"{address} is {value!r} in the engine, {log!r} by the log" if ours else no_value(state, address)
                page = tuple(describe_failure(path, play, line, says, address if ours else "", records[: fact.seq]))
                step = play.title, line, fact_sentence(fact.event)
                found.append(Disagreement(*step, address, value, log, events, says, page))
            compared[address] = agreed

    for wrong in run_play(play, proves=False).failures[:1]:
        raise Malformed("expect", f"line {wrong.line}: {wrong.says}", "the log itself is not as the script expects it")
    engine.begin(play.ruleset, dict(play.options))
    replay(records, after=observe_fact)
    if not compared:
        hint = "return values by the addresses of a log, such as ana.hp"
        raise Malformed("values", f"the engine has none in {play.title}, so nothing was compared", hint)
    yield from found


def describe_failure(
    path: Path, play: Play, line: int, says: str, address: str, records: Sequence[Recorded]
) -> Iterator[str]:
    """Yield what failed at a line of a script, the facts of the round before it, and why the value at an address is what it is after records."""
    rows = [row for row in play.facts if row.line < line]
    begins = max((place for place, row in enumerate(rows) if isinstance(row.event, RoundStarted)), default=0)
    yield f"{path.name}, line {line}: {says}"
    yield from (f"    {row.line:>4}  {fact_sentence(row.event)}" for row in rows[max(begins, len(rows) - MOST) :])
    yield f"  > {line:>4}  {path.read_text('utf-8').splitlines()[line - 1].strip()}"
    if address:
        with suppress(Malformed):  # a value that has no reason to tell
            yield from (f"          {why}" for why in str(answer("why", records, question=address)).splitlines())


Kind = TypeVar("Kind")


def explain_difference(op: str, left: object, right: object) -> list[str] | None:
    """Return the differences of two values of ours, line by line; None for others."""
    if isinstance(left, At) and isinstance(right, At):
        return [f"state {op} state", *_compare_states(left, right)]
    if isinstance(left, Order) or isinstance(right, Order):
        return [f"order {op} order", *_compare_orders(left, right)]
    if is_sequence_of(left, Finding):
        lines = (f"record {one.event}: {one.rule} ({one.severity}): {one.says}" for one in left)
        return [f"findings {op} {right!r}", *lines]
    if is_sequence_of(left, Disagreement):
        return [f"disagreements {op} {right!r}", *(f"line {one.line}: {one.says}" for one in left)]
    return None


def is_sequence_of(value: object, kind: type[Kind]) -> TypeGuard[Sequence[Kind]]:
    """Return whether a value is a sequence of one kind, and not empty."""
    return isinstance(value, tuple | list) and bool(value) and all(isinstance(one, kind) for one in value)


def _compare_states(left: At, right: At) -> Iterator[str]:
    one, other = left.values(), right.values()
    for address in dict.fromkeys((*one, *other)):
        here, there = one.get(address, "not there"), other.get(address, "not there")
        if here != there:
            cites = left[address].because.events if address in one else ()
            records = f"record{'s' if len(cites) > 1 else ''} {', '.join(map(str, cites))}"
            yield f"{address}: {here!r} != {there!r}{f', because of {records}' if cites else ''}"


def _compare_orders(left: object, right: object) -> Iterator[str]:
    if not (isinstance(left, list | tuple) and isinstance(right, list | tuple)):
        yield f"{left!r} != {right!r}"
        return
    for order in (left, right):
        yield " > ".join(_slot_text(order, place) for place in range(len(order))) or "nobody"
    common = zip(left, right, strict=False)
    place = next((place for place, (one, other) in enumerate(common) if one != other), min(len(left), len(right)))
    if place < max(len(left), len(right)):
        yield f"they part at place {place + 1}: {_slot_text(left, place)} != {_slot_text(right, place)}"


def _slot_text(order: Sequence[object], place: int) -> str:
    if place >= len(order):
        return "nobody"
    slot = order[place]
    return " & ".join(map(str, slot)) if isinstance(slot, list | tuple) else repr(slot)


class NotHeld(Exception):
    """An encounter that was not as expected; the message says what, line by line."""


class Script(pytest.File):
    """A script, whose encounters are its tests."""

    def collect(self) -> Iterable["Encounter"]:
        """Return a test for each encounter."""
        try:
            found = read_plays(self.path, None)
        except Refused as refused:
            says = "\n".join((refused.says, *refused.details, *([f"hint: {refused.hint}"] if refused.hint else [])))
            raise self.CollectError(says) from None
        return [Encounter.from_parent(self, name=play.title, play=play) for play in found]


class Encounter(pytest.Item):
    """An encounter of a script: a test that holds if everything is as it expects."""

    def __init__(self, *, play: Play, **more: Any) -> None:
        super().__init__(**more)
        self.play = play

    def runtest(self) -> None:
        """Run the encounter; raise NotHeld with every line that does not hold, and the last facts before it."""
        done = run_play(self.play, proves=False)
        if done.is_proven:
            return
        records, lines = records_of(self.play), list[str]()
        for each in done.failures:
            asked = (one for one in self.play.expectations if one.line == each.line and one.verb == "value")
            value = next(asked, None) if each.found else None
            address, before = (value.words[0], value.after) if value else ("", 0)
            known = records[: 1 + len(self.play.joined) + before]
            lines += describe_failure(self.path, self.play, each.line, each.says, address, known)
        raise NotHeld("\n".join(lines))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the round and its expectations, instead of a traceback."""
        return str(excinfo.value) if isinstance(excinfo.value, NotHeld) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where the encounter begins."""
        return self.path, self.play.line - 1, self.name
