"""The fifth edition: combat, conditions and spellcasting of SRD 5.1 and 5.2.1."""

from eventstore.events import ConditionGained, RoundStarted, TurnStarted
from eventstore.paths import path_beside
from projections.fight import Combatant
from projections.folds import durations
from projections.open_types import Fields
from projections.ruleset.budget import Budget
from projections.ruleset.documents import Documents, Recordings
from projections.ruleset.durations import DurationRules
from projections.ruleset.ruleset import Ruleset, Shapes, boundaries_of, checks_of, steps_of
from projections.rulesets.fifth_edition import (
    acts,
    addresses,
    advantage,
    attacks,
    casting,
    circumstances,
    concentration,
    conditions,
    death,
    figures,
    hit_points,
    shapes,
    spells,
    turns,
)
from projections.rulesets.fifth_edition.sheet import CALENDAR, Sheet
from projections.rulesets.fifth_edition.srd import sheets
from projections.rulesets.fifth_edition.state import FifthRound, FifthState
from projections.scheduling.turn_schedule import TurnSchedule
from projections.state import State


def _documents() -> Documents:
    from projections.rulesets.fifth_edition.srd import documents  # only where the application asks for them

    return documents.DOCUMENTS


def _card(state: State, one: Combatant) -> Fields:
    from projections.rulesets.fifth_edition.srd import documents  # only for the page of a service

    found = documents.make_card(state, one)
    return found | (
        {"leans": advantage.leanings(state, one.id, found["attacks"])} if isinstance(state, FifthState) else {}
    )


RULESET = Ruleset(
    key="5e",
    revision=1,
    title="The fifth edition (SRD 5.1 and 5.2.1)",
    scheduler="turn list",
    rules=path_beside(__file__, "rules.toml"),
    state=FifthState,
    round=FifthRound,
    sheet=Sheet,
    listed=sheets.typed_fields,
    filled=sheets.completed_fields,
    unknown=sheets.unknown_monster,
    recognized=sheets.recognize_monster,
    usual_side=sheets.usual_side,
    kinds=sheets.monsters_meant,
    patterns={"campaign": r"[a-z0-9]+(-[a-z0-9]+)* sha256:[0-9a-f]{64}"},
    spell=figures.spell_entry_by_name,
    shapes=Shapes(
        points=shapes.shape_points, effect=lambda state, who: worn[-1].effect if (worn := state.shapes.get(who)) else ""
    ),
    completed=spells.completed_meanings,
    strikes=lambda state, fact: attacks.is_hit(state, fact).value,
    calendar=CALENDAR,
    statuses=death.STATUSES,
    goes_on=lambda _state, one: (
        ConditionGained(condition="stable", targets=(one.id,)) if one.status == "stable" else None
    ),
    documents=_documents,
    card=_card,
    recordings=Recordings(
        options={
            "edition": "2014",
            "unstated-cost": "open",
            "hp-floor": "sheet",
            "temporary-points": "newer",
            "same-effect": "renews",
        },
        sheets=True,
        rolls_once=True,
        spares_end=True,
        kills_outright=True,
        counts_rounds="round.ends-after-all",
        counts_turns="round.one-turn-each",
        orders_turns="round.turns-in-order",
    ),
    squares=circumstances.squares_by_combatant,
    alike_beside=True,
    repeats=death.repeats_regained_point,
    steps=steps_of(__name__, durations),
    boundaries=boundaries_of(__name__, durations),
    checks=checks_of(__name__),
    pools=hit_points.pool_rules,
    status=death.status,
    judges_the_dead=True,
    kindless=lambda state, one: not death.combatant_kind(state, one)[0],
    budget=Budget(
        left=acts.amount_left,
        names=acts.spendables,
        bare=acts.bare_amounts,
        bars=acts.why_barred,
        also=acts.other_amounts,
    ),
    durations=DurationRules(
        rules=("duration.runs-out",), timer=conditions.effect_timer, passes=turns.counted_turns, claims=True
    ),
    concentration=concentration.concentration_object,
    casting=casting.long_casting_row,
    addresses=addresses.ADDRESSES,
    clock_rules=("round.ends-after-all", "round.one-turn-each"),
    effect_rules=("effect.same-spell",),
    schedule=TurnSchedule(
        ranked=turns.ranked_groups,
        key=turns.order_values,
        rules=("initiative.highest-first",),
        crossed=turns.crossed_boundaries,
        due=turns.combatants_due,
        cross_boundary=turns.follow_boundary,
        rounds_from=(RoundStarted, TurnStarted),
        within=(),
        pending=conditions.has_ended_before,
        out=death.make_out,
        grouped=True,
        moves=turns.clock_move,
        acts=lambda state: state.round.acts,
    ),
)
