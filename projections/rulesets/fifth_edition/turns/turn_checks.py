"""Checks of turns and rounds."""

from __future__ import annotations

from collections.abc import Iterator

from eventstore.events import RoundEnded, RoundStarted, TurnDelayed, TurnResumed, TurnStarted
from projections.mechanics import rolls
from projections.mechanics.grants import granted as is_granted
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.fifth_edition.turns.order import level_with, placed_by, same_total
from projections.rulesets.fifth_edition.turns.rounds import boundaries_of
from projections.rulesets.ruleset import Breach, check
from projections.scheduling import turnlist
from projections.scheduling.turn_schedule import turn_list


@check("initiative.order-fixed", on=(TurnDelayed, TurnResumed))
def nobody_puts_a_turn_off(
    _state: FifthState, fact: Occurrence[TurnDelayed] | Occurrence[TurnResumed]
) -> Breach | None:
    if isinstance(fact.event, TurnResumed):
        return None
    return Breach(f"{fact.event.combatant} puts its turn off", "its place, or the Ready action", "a later turn")


TURN = ("initiative.everyone-rolls", "initiative.latecomer", "round.one-turn-each")


@checks_by(*TURN, on=TurnStarted)
def everybody_has_one_turn_at_its_place(state: FifthState, fact: Occurrence[TurnStarted]) -> Iterator[Fault]:
    """Yield that somebody without a place has a turn, a second one in a round, or one before its first round."""
    turns, out, event = turn_list(state), state.rules.schedule.out(state), fact.event
    opens = any(boundary.kind == "round opened" for boundary in boundaries_of(state, fact))
    for who in dict.fromkeys((event.combatant, *event.together)):
        if who not in state.combatants or out(who) or state.combatants[who].left:
            continue
        if who not in turns.places:
            yield Fault(TURN[:1], f"nobody recorded an initiative for {who}", "a roll", "none", once=(who,))
        elif who in turns.progress.late and not opens:
            why = (turns.progress.late[who],)
            yield Fault(TURN[1:2], f"{who} came too late for this round", "the next round", "a turn", why)
        elif who in turns.progress.had and not opens and state.clock.round and not granted(state, who, TURN[2]):
            had = (turns.progress.had[who],)
            yield Fault(TURN[2:], f"{who} has had its turn of round {state.clock.round}", "one turn", "a second", had)


def granted(state: FifthState, who: str, rule: str) -> bool:
    """Say whether a ruling grants somebody an exception from a clause."""
    return is_granted(state.rulings, rule, who=(who, state.combatants[who].side)).value


JUMPED = ("initiative.latecomer", "initiative.ties-decided", "round.turns-in-order")


@check("initiative.latecomer", on=TurnStarted, group="jumped")
def a_newcomer_comes_at_its_place(state: FifthState, fact: Occurrence[TurnStarted]) -> Breach | None:
    who = fact.event.combatant
    if (jumper := jumped(state, who)) is None or who not in state.arrives:
        return None
    says = f"{who}, who has just come, was due before {jumper.event.combatant}"
    return Breach(says, who, jumper.event.combatant, (state.arrives[who], jumper.seq))


@check("initiative.ties-decided", on=TurnStarted, group="jumped", rank=1)
def ties_are_kept(state: FifthState, fact: Occurrence[TurnStarted]) -> Breach | None:
    who = fact.event.combatant
    jumper = jumped(state, who)
    if jumper is None or not same_total(state, who, jumper.event.combatant):
        return None
    events = (*rolls.settled_by(state.ties, level_with(state, who)), fact.seq)
    says = f"{who} was to come before {jumper.event.combatant}, who has the same total"
    return Breach(says, who, jumper.event.combatant, events, about=jumper)


@check("round.turns-in-order", on=TurnStarted, group="jumped", rank=2)
def turns_come_in_order(state: FifthState, fact: Occurrence[TurnStarted]) -> Breach | None:
    who = fact.event.combatant
    if (jumper := jumped(state, who)) is None:
        return None
    other = jumper.event.combatant
    events = (*placed_by(state, who), *placed_by(state, other), fact.seq)
    return Breach(f"{who} comes before {other} in this round", who, other, events, about=jumper)


def jumped(state: FifthState, who: str) -> Occurrence[TurnStarted] | None:
    """Return the first turn of this round that came before somebody's who was due, and begins a turn of it only now."""
    turns, out = turn_list(state), state.rules.schedule.out(state)
    seq = state.round.jumped.get(who, 0)
    if who not in state.combatants or not turnlist.is_due(turns, who, out) or not seq:
        return None
    found: Occurrence[TurnStarted] | None = state.round.starts.get(seq)
    return found


@check("round.ends-after-all", on=(RoundStarted, RoundEnded))
def rounds_follow_one_another(
    state: FifthState, fact: Occurrence[RoundStarted] | Occurrence[RoundEnded]
) -> Breach | None:
    now, told = state.clock.round, fact.event.round
    if isinstance(fact.event, RoundStarted):
        if not state.rounds_recorded or told == now + 1:
            return None
        return Breach(f"round {told} is told after round {now}", str(now + 1), str(told), (state.clock.round_event,))
    if told in (None, now) or not now:
        return None
    return Breach(f"round {told} ends in round {now}", str(now), str(told), state.clock.events)


@check("round.one-turn-each", on=(RoundStarted, TurnStarted))
def nobody_is_passed_over(
    state: FifthState, fact: Occurrence[RoundStarted] | Occurrence[TurnStarted]
) -> tuple[Breach, ...]:
    if state.option("missing-facts") == "silent" or not state.clock.round:
        return ()
    if not any(boundary.kind == "round opened" for boundary in boundaries_of(state, fact)):
        return ()
    turns, out = turn_list(state), state.rules.schedule.out(state)
    over = [who for who in turnlist.due(turns, out) if not state.combatants[who].left]
    says = "{} had no turn in round {}"
    return tuple(
        Breach(says.format(who, state.clock.round), "a turn", "none", state.rolls[who].events, "notice")
        for who in over
        if who in state.rolls
    )
