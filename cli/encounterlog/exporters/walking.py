"""A walk through the lines of a log, each with the state after it; it can continue as the log grows."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct

from encounterlog.ask.listing import LeftOut, LogRow, Names, record_row, row
from eventstore.events import CombatantJoined, Correction, Fact, RulingMade
from eventstore.record import Recorded
from projections.judging.audit import Auditor, Finding
from projections.occurrence import Occurrence
from projections.replay.replay import Observer, replay, resumed
from projections.state import State
from projections.views.deeds import figures, reached
from projections.views.steps import Change, Step, Watch, stepping


def changes_the_past(record: Recorded) -> bool:
    """Return whether a record changes lines before it: a correction does, a ruling that reveals, and a joining, by which a
    combatant may be hidden, or no longer.
    """
    event = record.event
    return isinstance(event, Correction | CombatantJoined) or (
        isinstance(event, RulingMade) and event.ruling == "reveal"
    )


class FactLine(Struct, frozen=True):
    """A line of an export: a fact in words with the values that it changed, or a record that states no fact.

    `step` is None for a record that cannot be read, or has no effect. `renamed` are the names that combatants have from
    this fact on. `stands` are the hit points, after a colon, of the combatants whom the fact hurts or heals.
    """

    row: LogRow
    step: Step | None = None
    renamed: dict[str, str] = {}
    stands: str = ""

    @property
    def changes(self) -> tuple[Change, ...]:
        """The values that the fact changed."""
        return self.step.changes if self.step else ()

    @property
    def cause(self) -> int:
        """The seq of the fact that caused this one, or 0."""
        return self.step.fact.cause if self.step else 0

    @property
    def counts(self) -> bool:
        """Whether it is a fact that had an effect."""
        return self.step is not None


Visitor = Callable[[FactLine, State | None], None]
"""A function that is called with each line and the state after it, None for a record that states no fact."""


class Walk:
    """The lines of all records so far, each shown to `see` once.

    The state changes as the walk goes on. `before` sees each fact and the state before it; a walk that is `judged` audits
    the log as well. `names` puts facts into words.
    """

    def __init__(
        self,
        records: Iterable[Recorded],
        see: Visitor,
        names: Names,
        *,
        judged: bool = False,
        before: Observer | None = None,
    ) -> None:
        """Walk through the whole log; `records` can be read repeatedly. Raises as `replay` does."""
        self._see, self._names = see, names
        self._left_out, self._known = LeftOut(records, names), dict[str, str]()
        self._auditor = Auditor(before) if judged else None
        self._before = self._auditor.look if self._auditor else before
        self._after = stepping(self._look, Watch())
        see(FactLine(record_row(next(iter(records)), names.none())), None)
        self.done = replay(records, before=self._ahead, after=self._after)
        self._see_left_out(self.state)

    @property
    def state(self) -> State:
        """The state after the last line."""
        return self.done.state

    def go_on(self, records: Iterable[Recorded], news: Sequence[Recorded]) -> None:
        """Walk through the news at the end of the log, none of which `changes_the_past`; raise as `resumed` does."""
        self._names.read(records)
        self._left_out.add(news)
        self.done = resumed(self.done, news, before=self._ahead, after=self._after)
        self._see_left_out(self.state)

    def findings(self, records: Iterable[Recorded]) -> tuple[Finding, ...]:
        """Return the audit's findings in all records so far, none if the walk is not `judged`."""
        return self._auditor.outcome(records, self.done).findings if self._auditor else ()

    def _ahead(self, state: State, fact: Occurrence[Any]) -> None:
        self._see_left_out(state)
        if self._before:
            self._before(state, fact)

    def _look(self, step: Step, state: State) -> None:
        event = step.fact.event
        found = self._left_out.after(row(state, step.fact, self._names))
        who = reached(event)
        stands = figures(state, who) if who else ""
        self._see(FactLine(found, step, self._renamed(event, state), stands), state)

    def _see_left_out(self, state: State) -> None:
        for one in self._left_out.since(state):
            self._see(FactLine(one), None)

    def _renamed(self, event: Fact, state: State) -> dict[str, str]:
        """Return the names that combatants have from a fact on, and keep them among the known."""
        if not isinstance(event, CombatantJoined | RulingMade):
            return {}
        found = {who: one.name for who, one in state.combatants.items() if self._known.get(who) != one.name}
        self._known.update(found)
        return found
