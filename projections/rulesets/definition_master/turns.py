"""Turns and rounds: who is due, turns that begin, are put off and taken later, durations, the clock's moves."""

from collections.abc import Iterable, Iterator

from eventstore import events
from eventstore.events import Fact, TurnEnded
from projections.because import NOTHING_CITED, Because, Cites, Derived
from projections.folds.moves import STILL, move_to_turn, stay_in_turn
from projections.folds.vitals import status_or_left
from projections.mechanics import turnlist
from projections.mechanics.memo import memoize
from projections.mechanics.timers import Timer, start_timer
from projections.mechanics.turnlist import Beginning, Turn
from projections.occurrence import Occurrence
from projections.ruleset.boundaries import boundaries_of_turn, rounds_as_recorded
from projections.ruleset.durations import DurationRules, timer_of_origin
from projections.ruleset.ruleset import derives
from projections.ruleset.schedule import ClockMove, make_out_test
from projections.rulesets.definition_master.acts import ON_TURN, recorded_act
from projections.rulesets.definition_master.order import placing_record, reason_for_place
from projections.rulesets.definition_master.sheet import CALENDAR, ROUND
from projections.rulesets.definition_master.state import MasterState
from projections.scheduling.turn_schedule import turn_list
from projections.time import Boundary

ENDS_A_ROUND = (events.RoundStarted, events.RoundEnded, events.EncounterClosed)
ENDS_A_TURN = (events.TurnStarted, events.TurnResumed, events.TurnDelayed, events.TurnEnded, *ENDS_A_ROUND)
"""The facts with which a turn may end."""


out = make_out_test("dead")
"""The function that names combatants without further turns: dead combatants, and those who have left."""


def combatants_due(state: MasterState) -> list[str]:
    """Return the combatants due in this round, in order: not the dead, nor those who had or must await a turn."""
    return list(turnlist.combatants_due(turn_list(state), out(state)))


@derives("round.ends-at-top")
@memoize
def beginning_of_turn(state: MasterState, who: str) -> Beginning:
    """Return the consequences if a turn begins now; among recorded rounds only the first one's may open one."""
    turns = turn_list(state)
    found = turnlist.beginning_of(turns, who, out(state))
    if not found.opens or not state.flow.rounds_recorded:
        return found
    waiting = combatants_due(state)
    if who in waiting:
        return Beginning("due")
    return Beginning("again") if waiting or who != turnlist.first_up(turns, out(state)) else found


@derives("round.ends-at-top", "delay.later-in-round", "initiative.d20-plus-bonus")
def crossed_boundaries(state: MasterState, fact: Occurrence[Fact]) -> tuple[Boundary, ...]:
    """Return the boundaries that a fact crosses, with the losses of turns put off: at the next or as a round ends."""
    found: list[Boundary] = []
    for each in _crossed_before_losses(state, fact):
        if each.kind == "turn began" and each.who in state.turns.in_hand:
            found.append(Boundary("turn lost", each.seq, each.who))
        elif each.kind == "round closed" and state.option("delay-unused") == "forfeit":
            found += [Boundary("turn lost", each.seq, who) for who in state.turns.in_hand]
        found.append(each)
    return tuple(found)


def _crossed_before_losses(state: MasterState, fact: Occurrence[Fact]) -> tuple[Boundary, ...]:
    event, seq = fact.event, fact.seq
    ends = [Boundary("turn ended", seq, who) for who in state.turns.running]
    match event:
        case events.RoundStarted():
            return () if is_repeated(state, event) else (*ends, *_gone_by(state, seq), *rounds_as_recorded(state, fact))
        case events.RoundEnded():
            return tuple(ends)
        case events.TurnStarted() | events.TurnResumed():
            return (*ends, *_turn_beginning(state, event, seq))
        case events.TurnDelayed(combatant=who):
            return tuple(_putting_off(state, who, seq, ends))
        case events.TurnEnded(combatant=who) | events.CombatantLeft(combatant=who):
            return (Boundary("turn ended", seq, who),)
    return ()


def _gone_by(state: MasterState, seq: int) -> Iterator[Boundary]:
    """Yield the places of the dead that nobody's turn has passed in the round that a recorded one follows."""
    is_out = out(state)
    unpassed = turnlist.unpassed_combatants(turn_list(state)) if state.clock.round else ()
    return (Boundary("place passed", seq, who) for who in unpassed if is_out(who) and not state.combatants[who].left)


def is_repeated(state: MasterState, event: events.RoundStarted) -> bool:
    """Say whether a recorded round has begun already."""
    return bool(state.clock.round_event) and event.round == state.clock.round


def _turn_beginning(state: MasterState, event: events.TurnStarted | events.TurnResumed, seq: int) -> Iterator[Boundary]:
    """Yield the beginning of a turn, or its resumption if it was put off in the same round."""
    who, held = event.combatant, state.turns.in_hand.get(event.combatant)
    if held and (isinstance(event, events.TurnResumed) or held.point.round == state.clock.round):
        yield Boundary("turn resumed", seq, who)
    elif isinstance(event, events.TurnStarted):
        yield from boundaries_of_turn(turn_list(state), beginning_of_turn(state, who), (who,), seq, state.clock.round)


@derives("delay.own-turn-undeclared")
def may_take_turn(state: MasterState, who: str) -> bool:
    """Say whether it is a combatant's turn, or its turn comes next; combatants who may be dying can be passed over."""
    opens = [] if state.flow.rounds_recorded else [turnlist.first_up(turn_list(state), out(state))]
    waiting = [each for each in combatants_due(state) if each == who or not state.health.of(each).undecided]
    return who in state.turns.running or who == next(iter(waiting or opens), "")


def _putting_off(state: MasterState, who: str, seq: int, ends: Iterable[Boundary]) -> Iterator[Boundary]:
    """Yield the boundaries of putting off a turn that runs, or one that comes up, which ends the others and may open a round."""
    if who in state.turns.in_hand or not may_take_turn(state, who):
        return
    if who not in state.turns.running:
        yield from ends
        yield from boundaries_of_turn(turn_list(state), beginning_of_turn(state, who), (), seq, state.clock.round)
    yield Boundary("turn put off", seq, who)


@derives("delay.later-in-round", at="turn lost")
def forget_lost_turn(state: MasterState, turn: Boundary) -> None:
    """Forget the acts of a turn that a combatant has lost."""
    who, number = turn.who, state.flow.number(turn.who)
    state.flow.own_acts[who] = [act for act in state.flow.own_acts.get(who, ()) if act.own <= number]


@derives("round.ends-at-top", at="round opened")
def open_round(state: MasterState, opened: Boundary) -> None:
    """Open a round, whose number may have counted rounds that passed without facts."""
    state.flow.skipped -= min(state.flow.skipped, max(0, opened.number - state.last.number - 1))


@derives("round.six-seconds", on=events.TimePassed)
def count_silent_rounds(state: MasterState, fact: Occurrence[events.TimePassed]) -> None:
    """Count rounds that pass without facts; the number of the next round may count them."""
    state.flow.skipped += CALENDAR.whole_units(fact.event.time, "round")


@derives("round.ends-at-top", on=events.RoundStarted, phase="reading")
def note_recorded_rounds(state: MasterState, _fact: Occurrence[events.RoundStarted]) -> None:
    """Remember that rounds are recorded."""
    state.flow.rounds_recorded = True


@derives("initiative.starts-combat", on=(events.InitiativeRolled, events.RulingMade))
def place_newcomer(state: MasterState, fact: Occurrence[Fact]) -> None:
    """Place a combatant who rolls after the first turn; if its place is passed, its first turn is in the next round."""
    if not state.flow.started:
        return
    turns, rolled = state.turns, isinstance(fact.event, events.InitiativeRolled)
    for who, roll in state.flow.rolls.items():
        late = who in turns.newcomers and state.precedes(state.clock.turn_event, roll.seq)
        if late or (rolled and roll.seq == fact.seq):
            turnlist.forget_turn(turns, who)
            turnlist.insert_newcomer(turn_list(state), who, roll.seq)


@derives("initiative.d20-plus-bonus", at="turn began")
def begin_turn(state: MasterState, turn: Boundary) -> None:
    """Count the turn that begins as taken by its combatant."""
    _count_turn(state, state.turns.running[turn.who])


def _count_turn(state: MasterState, turn: Turn) -> None:
    """Count a turn as taken by its combatant, and forget the acts before its last turn."""
    flow, who = state.flow, turn.combatant
    since = flow.began(who)
    flow.own_acts[who] = [act for act in flow.own_acts.get(who, ()) if not state.precedes(act.seq, since)]
    flow.taken.setdefault(who, []).append(turn)
    flow.started = True


@derives("delay.later-in-round", "delay.no-actions-now", at="turn put off")
def put_off_turn(state: MasterState, turn: Boundary) -> None:
    """Put off a turn: it counts as not taken, so that the lock and a held action go on."""
    flow, held = state.flow, state.turns.in_hand[turn.who]
    flow.came_up[turn.who] = Because(of=tuple(why for who, why in flow.moved.items() if who != turn.who))
    if held.seq:
        flow.taken[turn.who].remove(held)


@derives("delay.position-moves", at="turn resumed")
def resume_turn(state: MasterState, turn: Boundary) -> None:
    """Take a turn that was put off: the place moves right behind the combatant who took a turn last."""
    flow, who, held = state.flow, turn.who, state.turns.running[turn.who]
    before = [each.combatant for each in state.round.turns if each is not held]
    behind, opened_by = before[-1] if before else "", state.clock.round_event
    if state.precedes(held.held, opened_by):
        state.option("delay-unused")  # by another value it was lost as the round closed
    if behind and behind != who:
        turnlist.move_place(state.turns, who, behind, turn.seq)
        opened = (opened_by,) if state.clock.round > 1 else ()
        cited = (*opened, held.held, flow.began(behind), placing_record(state, behind), turn.seq)
        flow.moved[who] = Because(resume_turn.rules, cited, (flow.came_up.get(who, NOTHING_CITED),))
    _count_turn(state, held)


@derives("round.ends-at-top", on=events.RulingMade)
def open_round_by_ruling(state: MasterState, _fact: Occurrence[events.RulingMade]) -> None:
    """Let a ruling open the first round."""
    if state.clock.round and not state.turns.rounds:
        turnlist.open_round(state.turns)


@derives("round.six-seconds")
def opening_second(state: MasterState, round_: int) -> Derived[int]:
    """Return the second at which a round opens."""
    return Derived(ROUND * (round_ - 1), Because(opening_second.rules, state.clock.events or (1,)))


def due_with_reason(state: MasterState) -> Derived[list[str]]:
    """Return the combatants who are due in this round; the reason cites their places and the turns that are over."""
    waiting = combatants_due(state)
    flow, because = state.flow, Because(beginning_of_turn.rules, state.clock.events or (1,))
    places = tuple(reason_for_place(state, who) for who in waiting)
    held = tuple(Because((), (turn.held,), of=(flow.came_up[who],)) for who, turn in state.turns.in_hand.items())
    down = [one for one in state.combatants.values() if one.status != "up" or one.id in state.health.freed]
    lives = tuple(one.standing for one in down if one.id in waiting or one.status == "dead")
    gone = tuple(status_or_left(one) for one in state.combatants.values() if one.left)
    had = {*waiting, *(turn.combatant for turn in state.round.turns)}
    passed = tuple(Derived(who, reason_for_place(state, who)) for who in turn_list(state).order if who not in had)
    opened = state.clock.round_event
    spent = tuple(Derived(who, why) for who, why in flow.spent.items() if state.precedes(opened, why.events[0]))
    of: tuple[Cites, ...] = (state.turns.progress, *places, *held, *lives, *gone, *passed, *spent)
    return Derived(waiting, because + Because(of=of))


@derives("full-round.until-next-turn", at="turn put off", phase="effects")
def count_durations_back(state: MasterState, turn: Boundary) -> None:
    """Take back the counting of durations by a turn that is then put off."""
    held = state.turns.in_hand.get(turn.who)
    for key, effect in {**state.effects, **state.conditions, **state.over}.items():
        if held and effect.ticked_by[-1:] == (held.resumed or held.seq,):
            effect.left, effect.ticked_by = (effect.left or 0) + 1, (*effect.ticked_by[:-1], turn.seq)
            freed = state.freed_by.get(effect.bearer, {}).get(effect.called, NOTHING_CITED)
            among = state.conditions if effect.seq in freed.events else state.effects
            if key in state.over:
                among[key] = state.over.pop(key)
                effect.of = (*effect.of, Because((), (turn.seq,)))
            state.touched.add(effect.bearer)
            start_timer(state.durations, key, Timer(effect, turn.who, "start"))


DURATIONS = DurationRules(
    rules=count_durations_back.rules,
    timer=timer_of_origin,
    starts=("turn began", "turn resumed", "place passed"),
    ends_at=None,
    empty_rounds=True,
    next_round=False,
    shows_unknown=True,
)
"""A place that is passed counts like a turn that begins; the end of an effect is not announced."""


def clock_move(state: MasterState, fact: Occurrence[Fact]) -> ClockMove:
    """Return the clock's move to the turn of a combatant who spends part of it; speech can be in any turn."""
    event = fact.event
    if isinstance(event, TurnEnded):
        return move_to_turn(state, event.combatant)
    act = recorded_act(state, fact)
    if act is None or act.cost not in ON_TURN:
        return STILL
    return (stay_in_turn if act.kind in ("speak", "talk") else move_to_turn)(state, act.combatant)
