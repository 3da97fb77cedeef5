"""Vile Darkness: declarations, HIGH and LOW, two dozen slots a round, spells that wounds interrupt."""

from eventstore.events import RoundStarted
from eventstore.paths import path_beside
from projections.ruleset.boundaries import rounds_as_recorded
from projections.ruleset.ruleset import Ruleset, boundaries_of, checks_of, steps_of
from projections.rulesets.vile_darkness import (
    action_checks,
    addresses,
    attack,
    concentration,
    grid,
    hit_dice,
    order,
    place,
    spells,
    table,
)
from projections.rulesets.vile_darkness.addresses import ADDRESSES, BUDGET
from projections.rulesets.vile_darkness.reading import Reading
from projections.rulesets.vile_darkness.sheet import CALENDAR, Sheet, sheet_manners
from projections.rulesets.vile_darkness.state import VileRound, VileState
from projections.scheduling.ladder_schedule import LadderSchedule

LATE = (action_checks, attack, concentration, grid, order, spells)
"""The modules with the checks that later facts of the round can change."""

RULESET = Ruleset(
    key="vile-darkness",
    revision=1,
    title="Vile Darkness, the combat chapter",
    scheduler="slots",
    rules=path_beside(__file__, "rules.toml"),
    state=VileState,
    round=VileRound,
    sheet=Sheet,
    calendar=CALENDAR,
    statuses=hit_dice.STATUSES,
    steps=steps_of(__name__),
    boundaries=boundaries_of(__name__),
    checks=checks_of(__name__, without=LATE),
    late=checks_of(*LATE),
    idle=attack.is_idle,
    pools=hit_dice.pool_rules,
    status=hit_dice.status,
    budget=BUDGET,
    concentration=concentration.concentration_object,
    casting=addresses.current_casting,
    addresses=(*ADDRESSES, *spells.SPELL_ADDRESSES),
    reading=Reading,
    clock_rules=("round.opened-by-gm",),
    effect_rules=("concentration.maintain-notation",),
    schedule=LadderSchedule(
        order=order.order_of_slots,
        places=order.places,
        common=order.common_inputs,
        inputs=order.inputs_of_places,
        moves_others=lambda _state, one: any(each.speed is not None for each in one.sheet.weapons),
        missed=order.why_others_absent,
        rows=addresses.timeline_rows,
        moves=addresses.clock_move,
        crossed=rounds_as_recorded,
        rounds_from=(RoundStarted,),
        phases=table.slot_names,
        missing=order.words_on_missing_dice,
    ),
    strip=("segment", 10),
    squares=lambda state: state.squares,
    manners=sheet_manners,
)

__all__ = ["RULESET", "place"]
