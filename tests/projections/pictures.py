"""What the tests of lanes share with others."""

from projections.judging.audit import audit
from projections.views.lane_shapes import Lanes
from projections.views.lanes import Gathering
from projections.views.steps import steps


def pictures(records_: list[object], *, judged: bool = False) -> tuple[Lanes, ...]:
    gathering = Gathering()
    findings = audit(records_, before=gathering.keep_round).findings  # type: ignore[arg-type]
    done = steps(records_, None, gathering.mark_changes)  # type: ignore[arg-type]
    return tuple(gathering.pictures(done.state, findings if judged else ()))
