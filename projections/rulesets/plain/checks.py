"""The checks of bookkeeping: acts out of turn, amounts below 0, unknown points, rounds that run backwards, early ends."""

from itertools import takewhile
from typing import TypeAlias

from eventstore import events
from eventstore.events import ActionTaken, AttackRolled, DamageDealt, EffectEnded, Healed, Moved, RoundEnded
from projections.folds.durations import running_effect
from projections.folds.effects import is_expiry
from projections.folds.rulings import is_exempt
from projections.folds.vitals import breach_of_amount
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import Breach, check
from projections.rulesets.plain.order import total_of
from projections.rulesets.plain.state import PlainState

Doing: TypeAlias = Occurrence[ActionTaken] | Occurrence[AttackRolled] | Occurrence[Moved]


@check("turn.own-acts", on=(ActionTaken, AttackRolled, Moved), unless=is_exempt)
def everybody_acts_in_the_own_turn(state: PlainState, fact: Doing) -> Breach | None:
    who, running = fact.event.combatant, state.turns.running
    if not running or who in running or _says_why_out_of_turn(state, fact) or _has_one_initiative(state, who):
        return None
    now = " and ".join(running)
    verb = "moves" if isinstance(fact.event, Moved) else "attacks" if isinstance(fact.event, AttackRolled) else "acts"
    says = f"{who} {verb} in {now}'s turn, and nothing says why: no trigger, no cost such as a reaction"
    events = tuple(dict.fromkeys(turn.resumed or turn.seq for turn in running.values()))
    return Breach(says, f"{who}'s turn, or what it reacts to", f"{now}'s turn", events, "notice")


def _says_why_out_of_turn(state: PlainState, fact: Doing) -> bool:
    """Return whether an act says why it comes in another's turn, or is part of an act that said so or was reported."""
    event, who = fact.event, fact.event.combatant
    if who in state.holding:
        return True
    if isinstance(event, ActionTaken):
        return bool(event.trigger) or _is_of_no_turn(state, event.action.cost)
    now = takewhile(lambda act: act.point.turn == state.clock.point.turn, reversed(state.round.acts))
    if event.cause or any(act.combatant == who for act in now):
        return True
    if not isinstance(event, Moved):
        return False
    return event.forced or event.source not in (None, who) or _is_of_no_turn(state, event.cost)


def _is_of_no_turn(state: PlainState, cost: str | None) -> bool:
    return cost is not None and "-".join(cost.casefold().split()) not in state.rules.catalogue().tables["turn"]["costs"]


def _has_one_initiative(state: PlainState, who: str) -> bool:
    """Return whether a combatant's total is one record with that of a combatant in its turn, as in a side."""
    own = total_of(state, state.combatants[who])
    return own is not None and any(total_of(state, state.combatants[each]) is own for each in state.turns.running)


@check("pool.amount", on=(DamageDealt, Healed))
def amounts_are_not_below_zero(_state: PlainState, fact: Occurrence[DamageDealt | Healed]) -> Breach | None:
    return breach_of_amount(fact.event)


@check("pool.unknown", on=(DamageDealt, Healed))
def hit_points_are_known(state: PlainState, fact: Occurrence[DamageDealt] | Occurrence[Healed]) -> Breach | None:
    event, one = fact.event, state.combatants[fact.event.target]
    elsewhere = event.nonlethal or (event.object if isinstance(event, DamageDealt) else event.temporary)
    if one.hp is not None or elsewhere or event.amount <= 0:
        return None
    says = f"{one.id}'s hit points are unknown: none are taken off or restored"
    return Breach(says, "hit points on the sheet", "none", (one.joined,), "notice")


@check("round.as-recorded", on=events.RoundStarted)
def rounds_are_counted_upwards(state: PlainState, fact: Occurrence[events.RoundStarted]) -> Breach | None:
    said, now = fact.event.round, state.clock.round
    if said < 1:
        return Breach("rounds are counted from 1", "round 1 or later", f"round {said}", severity="notice")
    turns = {turn.seq for turn in (*state.round.turns, *state.turns.in_hand.values())}
    if said > now or (said == now and state.clock.round_event in turns):
        return None
    says = f"round {said} begins after round {now}"
    return Breach(says, f"round {now + 1} or later", f"round {said}", (state.clock.round_event,), "notice")


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
    runs = running_effect(state, event) if is_expiry(event) else None
    if runs is None:
        return None
    left = f"{runs.left} round{'' if runs.left == 1 else 's'} left"
    return Breach(f"{runs.name} is recorded as expired, but has {left}", left, "expired", (runs.seq, *runs.ticked_by))
