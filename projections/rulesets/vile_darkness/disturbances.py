"""What disturbs work that needs concentration, and whether a disturbance counts."""

from projections.because import Because
from projections.mechanics.work import Incident
from projections.rulesets.vile_darkness.state import Casting, VileState


def breaks(_state: VileState, _casting: Casting, _incident: Incident) -> Because | None:
    """Return why a disturbance ends work; None where it does not."""
    return None
