"""The derived values that only this ruleset has, of all its modules."""

from projections.rulesets.definition_master import timeline
from projections.rulesets.definition_master.attacks import combat_figures
from projections.rulesets.definition_master.health import figures
from projections.rulesets.definition_master.turns import order, turns

ADDRESSES = (*order.ADDRESSES, *turns.ADDRESSES, *timeline.ADDRESSES, *figures.ADDRESSES, *combat_figures.ADDRESSES)
