"""Checks of turns and rounds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from eventstore.events import Fact, RoundEnded, RoundStarted, TurnDelayed, TurnStarted
from projections.mechanics import rolls
from projections.mechanics.grants import granted
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.fifth_edition.turns.order import controlled, level_with, placed_by
from projections.rulesets.fifth_edition.turns.rounds import boundaries_of
from projections.rulesets.ruleset import Breach, check
from projections.scheduling import turnlist
from projections.scheduling.turn_schedule import turn_list


@check("initiative.order-fixed", on=TurnDelayed)
def turns_are_not_delayed(_state: FifthState, fact: Occurrence[TurnDelayed]) -> Breach:
    return Breach(f"{fact.event.combatant} puts its turn off", "its place, or the Ready action", "a later turn")


ROLL, LATECOMER, ONE_TURN = ("initiative.everyone-rolls",), ("initiative.latecomer",), ("round.one-turn-each",)
IN_ORDER = "round.turns-in-order"


@checks_by(*ROLL, *LATECOMER, *ONE_TURN, on=TurnStarted)
def everybody_has_one_turn_at_its_place(state: FifthState, fact: Occurrence[TurnStarted]) -> Iterator[Fault]:
    """Yield a turn of a combatant without a place, before its first round, or a second one in a round."""
    turns, out, event, opens = turn_list(state), state.rules.schedule.out(state), fact.event, opens_a_round(state, fact)
    members, mounts = dict.fromkeys((event.combatant, *event.together)), controlled(state)
    if not state.started and state.option("missing-facts") == "notice":
        for one in state.here():
            if not any(one.id in those for those in (turns.places, members)):
                yield Fault(ROLL, f"nobody recorded an initiative for {one.id}", "a roll", "none", severity="notice")
    for who in members:
        if who not in state.combatants or out(who):
            continue
        if who not in turns.places:
            yield Fault(ROLL, f"nobody recorded an initiative for {who}", "a roll", "none", once=(who,))
        elif who in turns.progress.late and not opens and state.option("newcomer") != "open":
            why = (turns.progress.late[who],)
            yield Fault(LATECOMER, f"{who} came too late for this round", "the next round", "a turn", why)
        elif who in turns.progress.had and not opens and state.clock.round and who not in mounts:
            had = (turns.progress.had[who],)
            if not granted(state.rulings, ONE_TURN[0], who=(who, state.combatants[who].side)).value:
                says = f"{who} has had its turn of round {state.clock.round}"
                yield Fault(ONE_TURN, says, "one turn", "a second", had)


def opens_a_round(state: FifthState, fact: Occurrence[Fact]) -> bool:
    """Say whether a round opens with a fact."""
    return any(boundary.kind == "round opened" for boundary in boundaries_of(state, fact))


def earlier_turn(state: FifthState, fact: Occurrence[TurnStarted]) -> Occurrence[TurnStarted] | None:
    """Return the first turn of this round that came before the place of a combatant that begins its turn only now.

    None for a turn that opens the next round, for the first turn of a latecomer where the option leaves that open, and if a
    grant of this round let the other come before its place.
    """
    who, turns, out = fact.event.combatant, turn_list(state), state.rules.schedule.out(state)
    if opens_a_round(state, fact) or (who in state.arrives and state.option("newcomer") == "open"):
        return None
    jumped = state.round.jumped.get(who)
    earlier = state.round.starts[jumped] if jumped and turnlist.is_due(turns, who, out) else None
    if earlier is not None:
        other, since = state.combatants[earlier.event.combatant], state.rulings_since(state.clock.round_event)
        if granted(since, IN_ORDER, who=(other.id, other.side)).value:
            return None
    return earlier


LATE: dict[str, Any] = {"on": TurnStarted, "group": "late", "subject": earlier_turn}
"""What the checks of a turn share that comes after its place; the first by rank that finds something reports."""


@check("initiative.latecomer", **LATE)
def a_latecomer_has_its_place(
    state: FifthState, fact: Occurrence[TurnStarted], earlier: Occurrence[TurnStarted]
) -> Breach | None:
    who, other = fact.event.combatant, earlier.event.combatant
    if who not in state.arrives:
        return None
    says = f"{who}, who has just come, was due before {other}"
    return Breach(says, who, other, (state.arrives[who], earlier.seq))


@check("initiative.ties-decided", **LATE, rank=1)
def ties_are_kept(state: FifthState, fact: Occurrence[TurnStarted], earlier: Occurrence[TurnStarted]) -> Breach | None:
    who, other = fact.event.combatant, earlier.event.combatant
    if other not in level_with(state, who):
        return None
    events = (*rolls.settled_by(state.ties, level_with(state, who)), fact.seq)
    return Breach(f"{who} was to come before {other}, who has the same total", who, other, events, about=earlier)


@check(IN_ORDER, **LATE, rank=2)
def turns_come_in_order(state: FifthState, fact: Occurrence[TurnStarted], earlier: Occurrence[TurnStarted]) -> Breach:
    who, other = fact.event.combatant, earlier.event.combatant
    events = (*placed_by(state, who), *placed_by(state, other), fact.seq)
    return Breach(f"{who} comes before {other} in this round", who, other, events, about=earlier)


@check("round.ends-after-all", on=(RoundStarted, RoundEnded))
def rounds_follow_one_another(state: FifthState, fact: Occurrence[RoundStarted | RoundEnded]) -> Breach | None:
    now, stated = state.clock.round, fact.event.round
    if isinstance(fact.event, RoundStarted):
        since = state.rulings_since(state.clock.round_event)
        if not state.rounds_recorded or stated == now + 1 or granted(since, "round.ends-after-all").value:
            return None
        says = f"round {stated} is recorded after round {now}"
        return Breach(says, str(now + 1), str(stated), (state.clock.round_event,))
    if stated in (None, now) or not now:
        return None
    return Breach(f"round {stated} ends in round {now}", str(now), str(stated), state.clock.events)


@check("round.one-turn-each", on=(RoundStarted, TurnStarted))
def nobody_is_passed_over(state: FifthState, fact: Occurrence[RoundStarted | TurnStarted]) -> tuple[Breach, ...]:
    now, out = state.clock.round, state.rules.schedule.out(state)
    if state.option("missing-facts") == "silent" or not now or not opens_a_round(state, fact):
        return ()
    over = [who for who in turnlist.due(turn_list(state), out) if who not in controlled(state)]
    says = "{} had no turn in round {}"
    return tuple(Breach(says.format(who, now), "a turn", "none", placed_by(state, who), "notice") for who in over)
