"""Checks of initiative, turn order, rounds, and delaying."""

from collections.abc import Iterator

from eventstore.events import ActionTaken, InitiativeRolled, RoundStarted, TurnDelayed, TurnResumed, TurnStarted
from projections.folds.order import combatants_of_roll
from projections.mechanics.rolls import face, fits_sides
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check
from projections.rulesets.definition_master import order
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.definition_master.turns import combatants_due, is_repeated, may_take_turn

TOTAL, HUNDREDTHS, TIED = "initiative.d20-plus-bonus", "initiative.decimal-suggestion", "initiative.tie-roll-off"
ENDS = ("round.ends-at-top",)
Turns = Reading[TurnStarted]


@check("initiative.starts-combat", on=(TurnStarted, ActionTaken))
def combat_opens_with_initiative(state: MasterState, fact: Reading[TurnStarted | ActionTaken]) -> Breach | None:
    """Report the first turn or action if rolls are missing, and the turn of a combatant without a roll."""
    waiting, starts = state.combatants.keys() - state.flow.rolls.keys(), isinstance(fact.event, TurnStarted)
    if state.ruled_order or not waiting:
        return None
    owing = [one.id for one in state.here() if one.id in waiting]
    if starts and fact.one.id in owing:
        says, late = f"{fact.one.id} has no initiative yet", state.flow.started
        return Breach(says, "a roll", "none", (fact.one.joined,), silent=late)
    if not owing or state.flow.started or not (state.clock.round or starts):
        return None
    says = f"{' and '.join(owing)} {'have' if len(owing) > 1 else 'has'} not rolled initiative"
    rolled = state.flow.rolls.get(fact.one.id) if starts else None  # a combatant who has left has none
    gone = (fact.one.left,) if starts and fact.one.left else ()
    events = *(state.combatants[who].joined for who in owing), *((rolled.seq,) if rolled else gone)
    return Breach(says, "initiative rolls first", "a turn or an action", events, once=("initiative",))


@checks_by(TOTAL, HUNDREDTHS, TIED, on=InitiativeRolled)
def rolls_are_recorded_rightly(state: MasterState, roll: Reading[InitiativeRolled]) -> Iterator[Fault]:
    """Yield a fault for a wrong die or total, a second roll, and a roll-off of a combatant who is not tied."""
    event = roll.event
    if event.die is not None and not fits_sides(event.die, 20):
        shown = str(face(event.die))
        yield Fault((TIED if event.tie_with else TOTAL,), f"a d20 cannot show {shown}", "1 to 20", shown)
        return
    for who in combatants_of_roll(state, event):
        found = None if event.tie_with or event.total is None else order.make_roll(state, who, event, roll.seq)
        due = str(order.total_as_written(state, found)) if found else ""
        if found and event.total is not None and str(event.total) not in (due, str(found.face + found.bonus)):
            words = f"{who}'s initiative totals {due}", f"{who}'s initiative has the hundredths of {due}"
            broken = zip(order.broken_clauses(state, found, event.total), words, strict=False)
            said = f"a total of {due}", f"a total of {event.total}"
            yield from (Fault((rule,), says, *said) for rule, says in broken)
        first = state.flow.rolls.get(who)
        if first and not event.tie_with and not order.is_restatement(state, event):
            says = f"{who} has rolled already: the first roll counts"
            yield Fault((TOTAL,), says, "one roll", "another", (first.seq,))
        elif first and event.tie_with and len(order.tied_combatants(state, who)) < 2:
            yield Fault((TIED,), f"{who} is not tied with anyone", "no roll-off", "a roll-off", (first.seq,))


@check("initiative.tie-roll-off", on=TurnStarted)
def the_tied_have_rolled_off(state: MasterState, turn: Turns) -> Breach | None:
    level = [who for who in order.undecided_tie(state, turn.one.id) if who not in state.flow.moved]
    if len(level) < 2 or state.ruled_order or turn.one.id not in level:
        return None
    found = tuple(state.flow.rolls[who].seq for who in level)
    says = f"{' and '.join(level)} are tied, and have not rolled off"
    return Breach(says, "a roll-off", "a turn", found, once=("tie", *sorted(level)))


@checks_by("delay.position-moves", "held.position-moves", TIED, TOTAL, *ENDS, on=TurnStarted)
def turns_come_at_their_places(state: MasterState, turn: Turns) -> Iterator[Fault]:
    """Yield the most specific fault in the place of a turn; combatants who may be dying do not count as passed over."""
    who, came = turn.one.id, turn.came
    over = [each for each in came.passes_over if not state.health.of(each).undecided]
    first, in_hand = over[0] if over else "another combatant", who in state.turns.in_hand
    moved, throws = state.flow.moved.get(who), state.flow.ties.throws.get(who)
    if moved and not in_hand and (over or came.how == "again"):
        yield Fault(moved.rules, f"{who}'s place has moved", first, who, moved.events[-1:])
    elif over and throws:
        says, seqs = f"the roll-off does not put {who} before {first}", tuple(seq for _, seq in throws)
        yield Fault((TIED,), says, first, who, seqs)
    elif above := [each for each in over if each not in order.undecided_tie(state, who)]:
        placed = tuple(order.placing_record(state, each) for each in (who, *above))
        says = f"{who}'s turn begins before that of {above[0]}{_words_on_dying(state, above[0])}"
        yield Fault((TOTAL,), says, above[0], who, placed)
    elif came.how in ("again", "early") and not in_hand:
        waiting, late, had = combatants_due(state), came.how == "early", state.turns.progress.had
        further = f"; {waiting[0]} is still due{_words_on_dying(state, waiting[0])}" if waiting else ""
        says = f"{who} has to wait for the next round" if late else f"{who} has had its turn this round{further}"
        yield Fault(ENDS, says, "one turn a round", "another", (had[who],) if who in had else (), silent=late)
    elif came.left_out and not in_hand:
        yield Fault(ENDS, f"{came.left_out[0]}'s turn is still due this round", came.left_out[0], who)


def _words_on_dying(state: MasterState, who: str) -> str:
    """Return the words that a dying combatant still has its turn, for the death roll; "" for another combatant."""
    return ", who is dying: it has the death roll" if state.combatants[who].status == "dying" else ""


@check("round.ends-at-top", on=RoundStarted)
def a_round_ends_when_every_turn_was_taken(state: MasterState, opening: Reading[RoundStarted]) -> Breach | None:
    """Report a round that begins too early, again, or with a wrong number; the number may count rounds without facts."""
    number, clock = opening.event.round, state.clock
    if is_repeated(state, opening.event):
        had, says = tuple(state.turns.progress.had.values()), f"round {number} has begun already"
        return Breach(says, f"round {number + 1}", f"round {number}", had) if had else None
    if clock.round + 1 < number <= clock.round + 1 + state.flow.skipped:
        return None
    if number != clock.round + 1:
        says = f"round {number} does not follow round {clock.round}"
        return Breach(says, f"round {clock.round + 1}", f"round {number}", clock.events[:1])
    waiting = [each for each in combatants_due(state) if not state.health.of(each).undecided]
    says = f"round {number} begins, but {' and '.join(waiting)} had no turn"
    return Breach(says, f"{waiting[0]}'s turn", f"round {number}", clock.events[:1]) if waiting else None


@checks_by("delay.own-turn-undeclared", "delay.no-actions-now", on=TurnDelayed)
def who_delays_is_due_and_has_done_nothing(state: MasterState, delay: Reading[TurnDelayed]) -> Iterator[Fault]:
    """Yield a fault for a delay in another's turn, and for one after an act in its own."""
    who, turn = delay.one.id, state.clock.turn or "nobody"
    done = tuple(act.seq for act in delay.so_far if act.kind != "escape") if who in state.turns.running else ()
    if who not in state.turns.in_hand and not may_take_turn(state, who):
        says, rules = f"{who} delays in {turn}'s turn", ("delay.own-turn-undeclared",)
        yield Fault(rules, says, f"{who}'s turn", f"{turn}'s turn", state.clock.events)
    if done and not delay.is_granted("delay.no-actions-now"):
        says = f"{who} delays, but has acted this turn"
        yield Fault(("delay.no-actions-now",), says, "no action before", "an action", done)


@check("delay.later-in-round", on=TurnResumed)
def delayed_turn_comes_in_the_same_round(state: MasterState, turn: Reading[TurnResumed]) -> Breach | None:
    who = turn.one.id
    if who in state.turns.in_hand:
        return None
    return Breach(f"{who} has not delayed its turn this round", "a delayed turn", "none")
