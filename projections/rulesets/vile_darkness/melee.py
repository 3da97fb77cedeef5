"""Who is in melee with whom."""

from projections.rulesets.vile_darkness.state import VileState


def in_melee(state: VileState, who: str) -> bool:
    """Say whether somebody is in melee: recorded with somebody, on either side."""
    return bool(state.engaged.get(who)) or any(who in others for others in state.engaged.values())
