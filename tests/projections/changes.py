"""What the tests of steps share with others."""

from typing import Any

from eventstore.record import Recorded
from projections.replay.replay import replay
from projections.views.steps import Step, Watch, step_observer


def changes(records: list[Recorded], *, thoroughly: bool) -> list[tuple[int, Any]]:
    """Return the changes of each fact, in whatever order."""
    found: list[tuple[int, Any]] = []

    def see(step: Step, _state: object) -> None:
        found.append(
            (step.fact.seq, sorted((each.address, repr(each.before), repr(each.after)) for each in step.changes))
        )

    replay(records, after=step_observer(see, Watch(thoroughly=thoroughly)))
    return found
