"""Hit points: damage comes off, healing goes back on, and 0 or less is down."""

from projections.folds.vitals import counted_by_options

STATUSES = {"up": "in the fight", "down": "at 0 hit points or less", "out": "out by ruling"}
pools, status = counted_by_options(__name__, "health.damage")
