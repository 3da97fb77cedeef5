"""The derived values that only this ruleset has, of all its modules."""

from projections.rulesets.definition_master import combat_figures, figures, order, timeline, turns

ADDRESSES = (
    *order.ADDRESSES,
    *turns.ADDRESSES,
    *timeline.ADDRESSES,
    *figures.ADDRESSES,
    *combat_figures.ADDRESSES,
)
