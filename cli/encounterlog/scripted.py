"""An engine of another program, driven by an encounter script: after each step its values are compared with those of the
log.
"""

from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct, to_builtins

from encounterlog.reading.scripts import plays
from encounterlog.text.facts import sentence
from eventstore.brief import brief
from eventstore.events import CombatantJoined, Fact
from projections.folds.addresses import agrees, derived
from projections.folds.replay import replay
from projections.occurrence import Occurrence
from projections.open_types import Json
from projections.proving.plays import Play
from projections.proving.proof import records_of
from projections.state import State
from projections.views.leaves import plain


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
    """The value that follows from the facts."""
    events: tuple[int, ...]
    """The records that the value of the log follows from."""

    def __repr__(self) -> str:
        apart = f"{self.address} is {self.engine!r} in the engine, {self.log!r} by the log"
        return brief(self, f"line {self.line}: {apart} ({self.step})")


def run_script(path: str | PathLike[str], engine: Engine) -> tuple[Disagreement, ...]:
    """Drive an engine by the encounters of a script, and return each value that differs from the log, at the step where it
    first does.

    Raises the errors of a malformed script, and the engine's own, with a note of the line at which they occur.
    """
    return tuple(each for play in plays(Path(path), None) for each in _run(play, engine))


def _run(play: Play, engine: Engine) -> Iterator[Disagreement]:
    found: list[Disagreement] = []
    apart: set[str] = set()
    lines = [0, *(row.line for row in (*play.joined, *play.facts))]

    def look(state: State, fact: Occurrence[Fact]) -> None:
        line = lines[fact.seq - 1]
        try:
            _tell(engine, fact.event, state)
            values = engine.values()
        except Exception as error:
            error.add_note(f"at line {line} of the script: {sentence(fact.event)}")
            raise
        for address, value in values.items():
            ours = derived(state, address)
            log = plain(ours.value) if ours else "none"
            if agrees(state, address, value, log):
                apart.discard(address)
            elif address not in apart:
                apart.add(address)
                events = state.reason(ours.because).events if ours else ()
                found.append(Disagreement(play.title, line, sentence(fact.event), address, value, log, events))

    engine.begin(play.ruleset, dict(play.options))
    replay(records_of(play), after=look)
    yield from found


def _tell(engine: Engine, event: Fact, state: State) -> None:
    match event:
        case CombatantJoined(combatant=who):
            engine.join(who, state.combatants[who].side, to_builtins(state.combatants[who].sheet))
        case _:
            engine.take(to_builtins(event))
