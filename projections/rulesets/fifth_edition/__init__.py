"""The fifth edition: combat, conditions and spellcasting of SRD 5.1 and 5.2.1."""

from eventstore.events import RoundStarted, TurnStarted
from eventstore.paths import beside
from projections.folds import durations
from projections.mechanics.durations import DurationRules
from projections.mechanics.resources import Budget
from projections.rulesets.fifth_edition import addresses, conditions, effects, figures, listing, moves
from projections.rulesets.fifth_edition.acts import (
    act_checks,
    bars,
    budget,
    deeds,
    dodge_and_help,
    hiding,
    reactions,
    ready,
)
from projections.rulesets.fifth_edition.attacks import (
    attack_checks,
    charmed,
    cover,
    grappling,
    hits,
    opportunity_attacks,
    ranges,
    shoving,
    spell_attacks,
    two_weapons,
)
from projections.rulesets.fifth_edition.damage import damage_checks, falls, immune_to_conditions, shared_roll
from projections.rulesets.fifth_edition.health import (
    at_zero,
    death_saves,
    hazards,
    healing,
    hit_points,
    knocking_out,
    stable,
    status,
    waking,
)
from projections.rulesets.fifth_edition.movement import (
    feet_left,
    mounts,
    move_checks,
    positions,
    prone,
    spaces,
    too_far,
)
from projections.rulesets.fifth_edition.rolls import advantage, contests, saves
from projections.rulesets.fifth_edition.sheet import CALENDAR, Sheet
from projections.rulesets.fifth_edition.spells import (
    as_described,
    as_typed,
    casting,
    casting_time,
    concentration,
    concentration_saves,
    ended_effects,
    slots,
)
from projections.rulesets.fifth_edition.srd import sheets
from projections.rulesets.fifth_edition.state import FifthRound, FifthState
from projections.rulesets.fifth_edition.turns import initiative, initiative_checks, order, rounds, surprise, turn_checks
from projections.rulesets.ruleset import Ruleset, boundaries_of, checks_of, steps_of
from projections.scheduling.schedule import out_when
from projections.scheduling.turn_schedule import TurnSchedule

STEPS = (
    surprise, initiative, rounds, initiative_checks, turn_checks, hits, attack_checks, ranges, cover, spell_attacks,
    saves, contests, effects, durations, positions, advantage, deeds, act_checks, reactions, feet_left, too_far,
    move_checks, spaces, prone, damage_checks, falls, shared_roll, immune_to_conditions, conditions, at_zero,
    knocking_out, healing, hit_points, death_saves, stable, dodge_and_help, hiding, ready, opportunity_attacks,
    two_weapons, charmed, shoving, grappling, mounts, hazards, concentration, concentration_saves, waking,
    ended_effects, casting_time, slots, casting, as_described,
)  # fmt: skip
"""The modules with steps, in the order in which they apply a fact."""

RULESET = Ruleset(
    key="5e",
    revision=1,
    title="The fifth edition (SRD 5.1 and 5.2.1)",
    scheduler="turn list",
    rules=beside(__file__, "rules.toml"),
    state=FifthState,
    round=FifthRound,
    sheet=Sheet,
    listed=listing.listed,
    filled=sheets.filled,
    recognized=sheets.recognized,
    usual_side=sheets.usual_side,
    kinds=sheets.kinds,
    patterns={"campaign": r"[a-z0-9]+(-[a-z0-9]+)* sha256:[0-9a-f]{64}"},
    spell=figures.spell_by,
    completed=as_typed.completed,
    calendar=CALENDAR,
    statuses=status.STATUSES,
    goes_on=stable.goes_on,
    squares=positions.squares,
    alike_beside=True,
    repeats=death_saves.is_repeated,
    steps=steps_of(*STEPS),
    boundaries=boundaries_of(*STEPS),
    checks=checks_of(*STEPS),
    pools=hit_points.pools,
    status=status.status,
    kindless=status.is_kindless,
    budget=Budget(left=budget.left, names=budget.names, bare=budget.bare, bars=bars.bars, also=budget.also),
    durations=DurationRules(
        rules=effects.timer.rules[:1], timer=effects.timer, passes=rounds.counted_turns, claims=True
    ),
    concentration=concentration.concentration,
    casting=casting_time.casting,
    addresses=addresses.ADDRESSES,
    clock_rules=("round.ends-after-all", "round.one-turn-each"),
    effect_rules=("effect.same-spell",),
    schedule=TurnSchedule(
        ranked=order.ranked,
        key=order.key,
        rules=order.ranked.rules[:1],
        crossed=rounds.boundaries_of,
        waiting=rounds.still_due,
        follows=rounds.follows,
        rounds_from=(RoundStarted, TurnStarted),
        within=(),
        pending=ended_effects.ended_before,
        out=out_when("dead"),
        grouped=True,
        moves=moves.moves,
        acts=lambda state: state.round.acts,
    ),
)
