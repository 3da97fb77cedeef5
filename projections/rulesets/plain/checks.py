"""The checks of bookkeeping: amounts below 0, unknown points, rounds that run backwards, effects expired too early."""

from __future__ import annotations

from eventstore.events import DamageDealt, EffectEnded, Healed, RoundEnded, RoundStarted
from projections.occurrence import Occurrence
from projections.rulesets.plain.effects import still_runs
from projections.rulesets.plain.state import PlainState
from projections.rulesets.ruleset import Breach, check


@check("pool.amount", on=(DamageDealt, Healed))
def amounts_are_not_below_zero(_state: PlainState, fact: Occurrence[DamageDealt] | Occurrence[Healed]) -> Breach | None:
    amount = fact.event.amount
    return Breach("an amount below 0 changes nothing", "0 or more", str(amount)) if amount < 0 else None


@check("pool.unknown", on=(DamageDealt, Healed))
def hit_points_are_known(state: PlainState, fact: Occurrence[DamageDealt] | Occurrence[Healed]) -> Breach | None:
    event, one = fact.event, state.combatants[fact.event.target]
    elsewhere = event.nonlethal or (event.object if isinstance(event, DamageDealt) else event.temporary)
    if one.hp is not None or elsewhere or event.amount <= 0:
        return None
    says = f"the hit points of {one.id} are unknown: none are taken or given"
    return Breach(says, "hit points on the sheet", "none", (one.joined,), "notice")


@check("round.as-recorded", on=RoundStarted)
def rounds_are_counted_upwards(state: PlainState, fact: Occurrence[RoundStarted]) -> Breach | None:
    said, now = fact.event.round, state.clock.round
    if said < 1:
        return Breach("rounds are counted from 1", "1 or more", str(said), severity="notice")
    if said > now or (said == now and _came_with_a_turn(state)):
        return None
    says = f"round {said} begins after round {now}"
    return Breach(says, f"{now + 1} or more", str(said), (state.clock.round_event,), "notice")


def _came_with_a_turn(state: PlainState) -> bool:
    """Say whether the round began with its first turn, and was not yet recorded as begun."""
    turns = (*state.round.turns, *state.turns.in_hand.values())
    return state.clock.round_event in {turn.seq for turn in turns}


@check("round.as-recorded", on=RoundEnded)
def the_round_that_ends_had_begun(state: PlainState, fact: Occurrence[RoundEnded]) -> Breach | None:
    said, clock = fact.event.round, state.clock
    if clock.open and said in (None, clock.round):
        return None
    which = "a round" if said is None else f"round {said}"
    runs = f"round {clock.round}" if clock.open else "none"
    return Breach(f"{which} ends, but {runs} is running", runs, which, clock.events, "notice")


@check("effect.runs-out", on=EffectEnded)
def what_expires_has_no_time_left(state: PlainState, fact: Occurrence[EffectEnded]) -> Breach | None:
    event = fact.event
    said = (event.reason or "").strip().casefold()
    runs = still_runs(state, event) if said.startswith("expired") else None
    if runs is None:
        return None
    left = f"{runs.left} round{'' if runs.left == 1 else 's'} left"
    says = f"{runs.name} is recorded as expired, but has {left}"
    return Breach(says, left, "expired", (runs.seq, *runs.ticked_by))
