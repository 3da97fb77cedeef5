"""Vile Darkness: declarations, HIGH and LOW, two dozen slots a round, spells that wounds interrupt."""

from eventstore.events import RoundStarted
from eventstore.paths import beside
from projections.rulesets.ruleset import Ruleset, boundaries_of, checks_of, steps_of
from projections.rulesets.vile_darkness import (
    acts,
    attack,
    attributes,
    blows,
    checks,
    concentration,
    disturbances,
    grid,
    hit_dice,
    initiative,
    major_action_checks,
    melee,
    order,
    order_checks,
    place,
    reactions,
    space,
    spells,
    table,
    timeline,
    works,
)
from projections.rulesets.vile_darkness.addresses import ADDRESSES, BUDGET
from projections.rulesets.vile_darkness.reading import Reading
from projections.rulesets.vile_darkness.sheet import CALENDAR, Sheet, manners
from projections.rulesets.vile_darkness.state import VileRound, VileState
from projections.scheduling.boundaries import rounds_as_recorded
from projections.scheduling.ladder_schedule import LadderSchedule

STEPS = (initiative, works, acts, disturbances, concentration, spells, attributes, attack, space, melee, grid)

RULESET = Ruleset(
    key="vile-darkness",
    revision=1,
    title="Vile Darkness, the combat chapter",
    scheduler="slots",
    rules=beside(__file__, "rules.toml"),
    state=VileState,
    round=VileRound,
    sheet=Sheet,
    calendar=CALENDAR,
    statuses=hit_dice.STATUSES,
    steps=steps_of(*STEPS),
    boundaries=boundaries_of(*STEPS),
    checks=checks_of(checks, hit_dice, attributes),
    late=checks_of(order_checks, major_action_checks, spells, reactions, concentration, blows, grid),
    idle=attack.is_idle,
    pools=hit_dice.pools,
    status=hit_dice.status,
    budget=BUDGET,
    concentration=concentration.concentration,
    casting=timeline.casting,
    addresses=(*ADDRESSES, *spells.SPELL_ADDRESSES),
    reading=Reading,
    clock_rules=("round.opened-by-gm",),
    effect_rules=("concentration.maintain-notation",),
    schedule=LadderSchedule(
        slots=order.slots,
        places=order.places,
        common=order.common,
        inputs=order.place_inputs,
        moves_others=order.has_speed,
        missed=order.absent,
        rows=timeline.entries,
        moves=timeline.moves,
        crossed=rounds_as_recorded,
        rounds_from=(RoundStarted,),
        phases=table.slots,
        missing=order.missing,
    ),
    strip=("segment", 10),
    squares=lambda state: state.squares,
    manners=manners,
)

__all__ = ["RULESET", "place"]
