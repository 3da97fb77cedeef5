"""The picture of the round that a log has reached, gathered while the log is replayed."""

from collections.abc import Iterable
from contextlib import suppress

from eventstore.errors import StoreError
from eventstore.events import Fact, RoundStarted
from eventstore.record import Recorded
from eventstore.shapes import LARGEST
from projections.judging.audit import Finding
from projections.occurrence import Occurrence
from projections.replay.replay import Replay, replay
from projections.state import State
from projections.time import Where
from projections.views.lane_shapes import Lanes
from projections.views.lanes import Gathering
from projections.views.steps import Step, Watch, watched_values


class CurrentRound:
    """The round that a replay has reached: `before` sees each fact and the state before it, as an audit shows them.

    Nothing is compared before round `first`, and a round is forgotten once the next one has begun.
    """

    def __init__(self, first: int) -> None:
        self.first, self.begun = first, -1
        self._gathering, self._watch = Gathering(), Watch()
        self._fact: Occurrence[Fact] | None = None

    def keep_last_step(self, state: State, fact: Occurrence[Fact]) -> None:
        """Keep the changes of the fact before this one."""
        self._take_step(state)
        if self.begun < 0 and state.clock.point.round >= self.first:
            self._begin_round(state, state.clock.point.round)
        if state.rules.schedule.opens_round(state, fact):
            opened = fact.event.round if isinstance(fact.event, RoundStarted) else state.clock.point.round + 1
            self._begin_round(state, opened)
        self._fact = fact if self.begun >= 0 else None

    def picture(self, state: State, findings: Iterable[Finding] = ()) -> Lanes:
        """Return the picture, after the last fact that was seen, with flags for the findings about this round."""
        self._take_step(state)
        return self._gathering.present_picture(state, findings)

    def _begin_round(self, state: State, round_: int) -> None:
        if round_ < self.first:
            return
        self.begun, self._gathering, self._watch = round_, Gathering(), Watch()
        self._watch.values = {who: watched_values(state, who) for who in state.combatants}
        found = {one.id: state.rules.concentration(state, one) for one in state.here()}
        self._gathering.holding({who: (str(on), max(why.events, default=0)) for who, (on, why) in found.items() if on})

    def _take_step(self, state: State) -> None:
        if self._fact is not None:
            self._gathering.mark_changes(Step(self._fact, self._watch.changes(state, self._fact)), state)
            self._fact = None


def last_round(records: Iterable[Recorded], until: Where | None) -> int:
    """Return the round that a log has reached, by its recorded beginnings of rounds, else the largest number."""
    if until is not None and until.round is not None:
        return until.round
    last = until.seq if until and until.seq else LARGEST
    begun = 0
    with suppress(StoreError):  # the replay reports it
        for one in records:
            if type(one.event) is RoundStarted and one.seq <= last:
                begun = max(begun, one.event.round)
    return begun or LARGEST


def lanes_of(
    records: Iterable[Recorded], until: Where | None, present: CurrentRound, done: Replay, findings: Iterable[Finding]
) -> Lanes:
    """Return the picture of the round that a replay reached; replay again if another round was gathered."""
    state = done.state
    if present.begun != state.clock.point.round:
        present = CurrentRound(state.clock.point.round)
        state = replay(records, until, before=present.keep_last_step).state
    return present.picture(state, findings)
