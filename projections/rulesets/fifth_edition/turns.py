"""Turns and rounds: their boundaries, the combatants still due, checks of both, and the acts that move the clock."""

from __future__ import annotations

from collections.abc import Iterator

from eventstore.events import (
    ActionHeld,
    ActionTaken,
    Fact,
    Moved,
    RoundEnded,
    RoundStarted,
    SaveRolled,
    TurnDelayed,
    TurnEnded,
    TurnStarted,
)
from projections.because import Because, Derived
from projections.folds.moves import STILL, in_any_turn, in_its_round, opening, to_turn
from projections.folds.vitals import standing
from projections.mechanics import rolls, turnlist
from projections.mechanics.grants import granted
from projections.mechanics.timers import Passed
from projections.occurrence import Occurrence
from projections.ruleset.boundaries import rounds_as_recorded, turn_comes_up
from projections.ruleset.durations import by_turns
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.ruleset.schedule import ClockMove
from projections.rulesets.fifth_edition.deeds import OUT_OF_TURN, REACTIONS, price_of
from projections.rulesets.fifth_edition.initiative import controlled, level_with, placed_by, ruled_by
from projections.rulesets.fifth_edition.state import FifthState
from projections.scheduling.turn_schedule import follow, turn_list, who_waits
from projections.time import Boundary


@derives("round.ends-after-all", "round.one-turn-each")
def boundaries_of(state: FifthState, fact: Occurrence[Fact]) -> tuple[Boundary, ...]:
    """Return the boundaries that a fact crosses: rounds are the recorded ones or, without any, follow from the turns.

    The turns before round 1 are in no round, so no place is passed when they end.
    """
    event, seq = fact.event, fact.seq
    if isinstance(event, RoundStarted | RoundEnded):
        ended = (Boundary("turn ended", seq, who) for who in state.turns.running)
        over = turnlist.unpassed(turn_list(state)) if state.clock.round else ()
        passed = (Boundary("place passed", seq, who) for who in over)
        return (*ended, *passed, *rounds_as_recorded(state, fact))
    if isinstance(event, TurnEnded):
        names = with_mounts(state, event.combatant)
        return tuple(Boundary("turn ended", seq, who) for who in names if who in state.turns.running)
    if not isinstance(event, TurnStarted):
        return ()
    members = with_mounts(state, event.combatant, *event.together)
    ended = (Boundary("turn ended", seq, who) for who in state.turns.running)
    opens, out = not state.rounds_recorded and opens_round(state, members), state.rules.schedule.out(state)
    turns = turn_list(state)
    first = min((turnlist.spot(turns, who) for who in members), default=())
    above = turns.order if opens else turnlist.unpassed(turns)
    gone = tuple(who for who in above if out(who) and turnlist.spot(turns, who) < first)
    found = turnlist.Beginning("due", opens, goes_by=gone)
    return (*ended, *turn_comes_up(turns, found, members, seq, state.clock.round))


@derives("mount.controlled")
def with_mounts(state: FifthState, *those: str) -> list[str]:
    """Return these combatants, each with the mounts that have its initiative."""
    led = led_by(state)
    both = (each for who in those for each in (who, *(mount for mount, rider in led.items() if rider == who)))
    return [each for each in dict.fromkeys(both) if each in state.combatants]


@derives("mount.controlled")
def led_by(state: FifthState) -> dict[str, str]:
    """Return the mounts that have their turn with a rider, which has turns, each with the rider."""
    out = state.rules.schedule.out(state)
    return {mount: rider for mount, rider in controlled(state).items() if not out(rider)}


def still_due(state: FifthState) -> Derived[list[str]]:
    """Return the combatants still due in this round; the dead have no turn, and controlled mounts none of their own.

    Nobody is due once a record has ended the round.
    """
    if is_closed(state):
        return Derived([], Because(opens_round.rules, state.clock.events))
    found = who_waits(state)
    if state.latecomers:
        state.option("newcomer")  # by it they wait for the next round or do not
    rolled = {seq for roll in state.rolls.values() for seq in roll.events}
    mounts = led_by(state)
    mounted = (state.led[mount][1] for mount in controlled(state))
    placed = Derived("places", Because((), (*sorted(rolled), *ruled_by(state), *mounted)))
    waiting = [who for who in found.value if who not in mounts]
    return Derived(waiting, Because((), (), (found, placed, *(standing(one) for one in state.here()))))


def is_closed(state: FifthState) -> bool:
    """Say whether a record has ended the round, and none has opened since."""
    return bool(state.clock.round) and not state.clock.open


@derives("round.ends-after-all")
def opens_round(state: FifthState, members: list[str]) -> bool:
    """Say whether a turn opens a round if no rounds are recorded.

    It does if a record has ended the last round, or if its combatant has had its turn and all others that are due were
    passed over. A combatant that is out, such as a dead one, does so also by a place above all turns of this round.
    """
    if is_closed(state):
        return True
    turns, out, mounts = turn_list(state), state.rules.schedule.out(state), led_by(state).keys()
    who = next((each for each in members if each not in mounts), "")
    if not turns.rounds or turnlist.is_due(turns, who, out):
        return not turns.rounds
    had = turns.progress.had
    passed = turns.progress.passed_over.keys() | turns.progress.passed.keys()
    waiting = {*turnlist.due(turns, out)} - passed - mounts
    if waiting or who not in turns.places:
        return False
    above = turnlist.spot(turns, who) < min((turnlist.spot(turns, each) for each in had), default=())
    return not out(who) or who in had or above


@derives("initiative.ties-decided", "initiative.order-fixed")
def follows(state: FifthState, boundary: Boundary) -> None:
    """Apply a boundary to the turn list; combatants with an undecided tie keep the order in which they take their turns.

    Turns before round 1 are in no order: combatants who surprise others have them.
    """
    if boundary.kind == "turn began" and (state.clock.round or not state.clock.round_event):
        take_rank(state, boundary)
        turns, who = turn_list(state), boundary.who
        if who in turns.places and who not in turns.progress.late:
            for above in turnlist.due(turns, state.rules.schedule.out(state)):
                if turnlist.spot(turns, above) < turnlist.spot(turns, who):
                    state.round.jumped.setdefault(above, boundary.seq)
    follow(state, boundary)


def take_rank(state: FifthState, turn: Boundary) -> None:
    """Keep the rank that a combatant with an undecided tie takes by its turn, after those of the tie who have had
    theirs in this round.
    """
    who, had = turn.who, turn_list(state).progress.had
    if who not in (*state.ties.ruled, *state.took) and is_a_decision(state, who):
        before = [
            each for each in level_with(state, who) if each in had and each not in (who, *state.ties.ruled, *state.took)
        ]
        for each in (*sorted(before, key=had.__getitem__), who):
            state.took[each] = (len(state.took), turn.seq)
        state.turns.arranged = False


@derives("initiative.ties-decided")
def is_a_decision(state: FifthState, who: str) -> bool:
    """Say whether another combatant with the same total has had its turn, or can still have one."""
    others, out = [each for each in level_with(state, who) if each != who], state.rules.schedule.out(state)
    return any(each in state.took or not out(each) for each in others)


@derives("round.ends-after-all", on=RoundStarted, phase="reading")
def rounds_are_recorded(state: FifthState, fact: Occurrence[RoundStarted]) -> None:
    """Keep that rounds are recorded, so that they do not follow from the turns."""
    state.rounds_recorded |= fact.event.round > 0


@derives("initiative.latecomer", on=TurnStarted, phase="reading")
def turn_is_kept(state: FifthState, fact: Occurrence[TurnStarted]) -> None:
    """Keep the record of a turn, and end the wait of its latecomers."""
    state.started = True
    state.round.starts[fact.seq] = fact
    for who in (fact.event.combatant, *fact.event.together):
        state.arrives.pop(who, None)


@derives("duration.runs-out")
def counted_turns(state: FifthState, boundary: Boundary) -> Iterator[Passed]:
    """Yield the turns that a boundary counts: turns that begin or end, and the passed places of combatants without a
    turn.

    For a combatant that has left, a round counts instead.
    """
    passed = boundary.kind == "place passed" and not state.combatants[boundary.who].left
    for each in [Passed(boundary.who, absent=True)] if passed else by_turns(state, boundary):
        if passed:
            has_no_turn(state, each.owner, (*placed_by(state, boundary.who), state.clock.round_event))
        elif boundary.kind == "round opened":
            has_no_turn(state, each.owner, tuple(turn.seq for turn in state.last.turns))
        yield each


def has_no_turn(state: FifthState, who: str | None, events: tuple[int, ...]) -> None:
    """Add these records, which pass a combatant's place or a round, and its status to the reasons of durations that its
    turns count.
    """
    why = Because((), events, tuple(standing(one) for one in state.combatants.values() if one.id == who))
    for timer in state.durations.running.values():
        if timer.owner == who:
            timer.effect.of = (*timer.effect.of, Derived(who, why))


@check("initiative.order-fixed", on=TurnDelayed)
def turns_are_not_delayed(_state: FifthState, fact: Occurrence[TurnDelayed]) -> Breach:
    return Breach(f"{fact.event.combatant} puts its turn off", "its place, or the Ready action", "a later turn")


ROLL, LATECOMER, ONE_TURN = ("initiative.everyone-rolls",), ("initiative.latecomer",), ("round.one-turn-each",)
IN_ORDER = "round.turns-in-order"


@checks_by(*ROLL, *LATECOMER, *ONE_TURN, on=TurnStarted)
def everybody_has_one_turn_at_its_place(state: FifthState, fact: Occurrence[TurnStarted]) -> Iterator[Fault]:
    """Yield a fault for a turn of a combatant without a place or before its first round, and for a second one in a
    round.
    """
    turns, out, event, opens = turn_list(state), state.rules.schedule.out(state), fact.event, opens_a_round(state, fact)
    members, mounts = dict.fromkeys((event.combatant, *event.together)), led_by(state)
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
    """Return the first turn of this round that jumped ahead of a combatant that begins its turn only now.

    None for a turn that opens the next round, for the first turn of a latecomer if the option leaves that open, and if a grant of this round let the other come early.
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


@check("initiative.latecomer", on=TurnStarted, group="late", subject=earlier_turn)
def a_latecomer_has_its_place(
    state: FifthState, fact: Occurrence[TurnStarted], earlier: Occurrence[TurnStarted]
) -> Breach | None:
    who, other = fact.event.combatant, earlier.event.combatant
    if who not in state.arrives:
        return None
    says = f"{who}, who has just come, was due before {other}"
    return Breach(says, who, other, (state.arrives[who], earlier.seq))


@check("initiative.ties-decided", on=TurnStarted, group="late", subject=earlier_turn, rank=1)
def ties_are_kept(state: FifthState, fact: Occurrence[TurnStarted], earlier: Occurrence[TurnStarted]) -> Breach | None:
    who, other = fact.event.combatant, earlier.event.combatant
    if other not in level_with(state, who):
        return None
    events = (*rolls.settled_by(state.ties, level_with(state, who)), fact.seq)
    return Breach(f"{who} was to come before {other}, who has the same total", who, other, events, about=earlier)


@check(IN_ORDER, on=TurnStarted, group="late", subject=earlier_turn, rank=2)
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
    over = [who for who in turnlist.due(turn_list(state), out) if who not in led_by(state)]
    says = "{} had no turn in round {}"
    return tuple(Breach(says.format(who, now), "a turn", "none", placed_by(state, who), "notice") for who in over)


FREE = ("talk", "drop", "release")
"""The kinds of acts that cost nothing, and may be in any turn."""
PAID_IN_TURN = ("", "movement", "action", "bonus")
"""The costs of moves in one's own turn; a move without one is paid with movement."""


def moves(state: FifthState, fact: Occurrence[Fact]) -> ClockMove:
    """Return the clock's move to the turn of a combatant that acts or makes a death save, and to a recorded round with
    its first turn; a reaction is in any turn.
    """
    event = fact.event
    if isinstance(event, TurnStarted):
        return ClockMove(opening(state, event.combatant)) if state.rounds_recorded else STILL
    who = getattr(event, "combatant", "")
    if state.has_turn(who) or not is_of_a_turn(state, event):
        return STILL
    if isinstance(event, ActionTaken) and fact.kind in FREE:
        return in_any_turn(state, who)
    move = to_turn(state, who)
    return in_its_round(state, move) if state.rounds_recorded else move


def is_of_a_turn(state: FifthState, event: Fact) -> bool:
    """Say whether a fact belongs to the turn of its combatant."""
    if not state.rules.schedule.names(state) and not state.clock.turn_event:
        return False  # a fight without turns
    match event:
        case ActionTaken(trigger=None):
            return price_of(state, state.combatants[event.combatant], event)[0] not in (*REACTIONS, *OUT_OF_TURN)
        case SaveRolled(purpose="death") | ActionHeld() | TurnEnded():
            return True
        case Moved(forced=None | False, cause=None):
            return event.plain_cost in PAID_IN_TURN
    return False
