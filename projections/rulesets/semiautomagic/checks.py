"""The checks on initiative, rounds, turns put off and taken, seconds, times, amounts, and the moments of outcomes."""

from collections.abc import Iterator
from itertools import takewhile

from msgspec import structs

from eventstore import events
from eventstore.events import ActionTaken, ContestRolled, DamageDealt, InitiativeRolled, Moved, RoundEnded, TurnStarted
from eventstore.shapes import LARGEST, Dice
from projections.folds.rulings import is_exempt
from projections.folds.vitals import breach_of_amount, breach_while_down
from projections.mechanics import rolls, turnlist
from projections.mechanics.acts import name_or_kind
from projections.mechanics.work import BEGUN, LOST, WITHDRAWN
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by, group_by_clause
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.semiautomagic import effects, order, seconds
from projections.rulesets.semiautomagic.order import check_result, contest_result, dexterity, is_new, owes, restates
from projections.rulesets.semiautomagic.seconds import Reading, act_delay, can_go_on, cost, free_second, takes_seconds
from projections.rulesets.semiautomagic.state import SECONDS, Delayed, Instant, SecondsState, TimedAct, TimedTurn
from projections.rulesets.semiautomagic.turns import combatants_due, second_of_break
from projections.scheduling.turn_schedule import turn_list
from projections.time import Point

# ---------------------------------------------------------------- initiative


@check("initiative.reflex-plus-dexterity", on=InitiativeRolled)
def a_check_comes_once_and_adds_up(state: SecondsState, fact: Reading[InitiativeRolled]) -> Breach | None:
    event, who, total = fact.event, fact.who, check_result(state, fact.event)
    if who in state.standings and not owes(state, who) and not restates(state, event):
        says = f"{who} has made its check already: the first check counts"
        return Breach(says, "one check", "another", state.standings[who].events)
    known = rolls.dice_and_sides(event.die.notation) if isinstance(event.die, Dice) else None
    if event.die is not None and not rolls.fits_sides(event.die, known[1] if known else LARGEST):
        return Breach(f"{who}'s dice cannot show these faces", "faces that the dice have", "others")
    rolled = rolls.number_rolled(event)
    if rolled is None:
        return None
    own = dexterity(state, who, event.bonus)
    if event.bonus not in (None, own):
        says = f"{who} adds {own:+} for Dexterity, not {event.bonus:+}"
        return Breach(says, f"{own:+}", f"{event.bonus:+}")
    if event.total is None or str(event.total) == str(total):
        return None
    return Breach(f"{rolled} plus {own} is {total}", f"a total of {total}", f"a total of {event.total}")


@check("initiative.outside-combat", on=ContestRolled)
def a_contest_is_decided_by_its_checks(state: SecondsState, fact: Reading[ContestRolled]) -> Breach | None:
    event = fact.event
    totals = {each.combatant: contest_result(state, each) for each in event.contenders}
    for each in event.contenders:
        if each.total not in (None, totals[each.combatant]):
            says = f"{each.combatant} has a total of {totals[each.combatant]}"
            return Breach(says, f"a total of {totals[each.combatant]}", f"a total of {each.total}")
    best = [who for who, total in totals.items() if total == max(totals.values())]
    if event.winner is None or best == [event.winner]:
        return None
    if not best:
        return Breach(f"{event.winner} wins a contest in which nobody made a check", "nobody", event.winner)
    first = f"{best[0]} wins" if len(best) == 1 else f"{' and '.join(best)} draw"
    return Breach(f"{first}, with {totals[best[0]]}", " and ".join(best), event.winner)


# ---------------------------------------------------------------- whose turn it is


EACH_ONE, DRAWN, LATE = "round.one-turn-each", "initiative.tie-rerolled", "initiative.late-arrival"
FIRST = "initiative.before-first-turn"
LATE_ROLL = "initiative.late-arrival-rolls"
HIGHEST = "initiative.highest-first"


@checks_by(FIRST, LATE_ROLL, DRAWN, LATE, HIGHEST, EACH_ONE, on=TurnStarted)
def a_turn_begins_in_its_place(state: SecondsState, fact: Reading[TurnStarted]) -> Iterator[Fault]:
    """Yield the faults of a turn that begins: of those without a check, of its place in the order, and of the round."""
    who, came, joined = fact.who, fact.beginning, state.combatants[fact.who].joined
    missing = [] if state.started else [one.id for one in state.here() if one.id not in state.standings]
    if missing:
        verb = "has" if len(missing) == 1 else "have"
        says = f"{' and '.join(missing)} {verb} made no initiative check"
        yield Fault((FIRST,), says, "a check each", "none")
    if state.started and not state.precedes(joined, state.started) and came.how == "unplaced":
        says = f"{who} came late, and has made no initiative check"
        yield Fault((LATE_ROLL,), says, "a check", "none", (joined,), (who, joined))
    yield from _order_faults(state, fact)
    number = state.clock.round
    if came.left_out:
        says = f"round {number} ends, but {' and '.join(came.left_out)} had no turn in it"
        yield Fault((EACH_ONE,), says, "a turn each", "none", (state.round.opened,))
    elif came.how == "again":
        had = (state.turns.progress.had[who],)
        yield Fault((EACH_ONE,), f"{who} has a second turn in round {number}", "one turn", "a second", had)


def _order_faults(state: SecondsState, fact: Reading[TurnStarted]) -> Iterator[Fault]:
    who, drawn, now = fact.who, order.combatants_in_draw(state, fact.who), state.clock.round
    open_among = [other for other in drawn if other in state.standings and (other == who or not state.is_out(other))]
    if len(open_among) > 1:
        members = [state.standings[other] for other in open_among]
        again = (state.standings[who].total, min(len(one.rerolls) for one in members))
        because = tuple(seq for one in members for seq in one.events)
        says = f"the draw between {' and '.join(open_among)} is undecided"
        yield Fault((DRAWN,), says, "another check each", "none", because, again)
    settled = [other for other in fact.beginning.passes_over if other not in drawn]
    for rule, jumped in group_by_clause(settled, lambda other: _clause_of_jump(state, fact, other)).items():
        because = tuple(seq for other in (*jumped, who) for seq in state.standings[other].events)
        says = f"{' and '.join(jumped)} {'is' if len(jumped) == 1 else 'are'} due before {who}"
        yield Fault((rule,), says, jumped[0], who, because)
    if fact.beginning.how == "early":
        says = f"{who} came after its place had passed: its first turn is in the next round"
        yield Fault((LATE,), says, f"round {now + 1}", f"round {now}", state.standings[who].events)


def _clause_of_jump(state: SecondsState, fact: Reading[TurnStarted], jumped: str) -> str:
    """Return the rule by which a combatant passed over is due first: of a draw, of newcomers, or of the order."""
    if state.standings[jumped].total == state.standings[fact.who].total:
        return DRAWN
    return LATE if is_new(state, jumped) and not fact.beginning.opens else HIGHEST


@check(EACH_ONE, on=(events.RoundStarted, RoundEnded))
def rounds_are_those_of_turns(state: SecondsState, fact: Reading[events.RoundStarted | RoundEnded]) -> Breach | None:
    claimed, ends, now = fact.event.round, isinstance(fact.event, RoundEnded), state.clock.round
    right = (now,) if ends else (now, now + 1)
    if claimed is not None and claimed not in right:
        return Breach(f"it is {Point(now)}, not {claimed}", f"round {right[-1]}", f"round {claimed}")
    missing = [who for who in combatants_due(state) if who not in state.turns.progress.passed_over]
    if (claimed == now and not ends) or not missing:
        return None
    return Breach(f"round {now} is not over: {' and '.join(missing)} had no turn in it", "a turn each", "none")


# ---------------------------------------------------------------- turns put off and taken


@checks_by("delay.turn-put-off", "delay.whole-turn", on=events.TurnDelayed)
def a_turn_is_put_off_in_it_and_whole(state: SecondsState, fact: Reading[events.TurnDelayed]) -> Iterator[Fault]:
    """Yield the fault of a turn that is put off in that of another, or after something was done in it."""
    who, turn, now = fact.who, state.playing(fact.who), state.clock.turn
    if turn is None:
        whose = f"{now or 'nobody'}'s turn"
        says = f"it is {whose}: {who} has no turn to delay"
        yield Fault(("delay.turn-put-off",), says, f"{who}'s turn", whose)
    elif turn.played:
        says, seqs = f"{who} has spent {turn.spent} s of this turn already", tuple(act.seq for act in turn.timed)
        yield Fault(("delay.whole-turn",), says, "0 s spent", f"{turn.spent} s spent", seqs)


@checks_by("delay.taken-before-next-turn", "delay.interrupts-between-actions", on=events.TurnResumed)
def a_turn_taken_is_in_hand_and_comes_between_actions(
    state: SecondsState, fact: Reading[events.TurnResumed]
) -> Iterator[Fault]:
    """Yield the fault of a turn that is taken without one in hand, and of one that interrupts a running action."""
    who, turn = fact.who, fact.broken
    if not state.in_hand(who):
        yield Fault(("delay.taken-before-next-turn",), f"{who} has delayed no turn", "a delayed turn", "none")
    after = second_of_break(fact.event.second, turn) if turn else SECONDS
    if turn and after < SECONDS and (running := turn.running(turn.zero + after)):
        says, rules = f"{turn.combatant}'s {running[0].name} is under way", ("delay.interrupts-between-actions",)
        yield Fault(rules, says, "between two actions", f"after second {after}", (running[0].seq,))


# ---------------------------------------------------------------- seconds


@checks_by("action.own-turn", "zero-second.own-turn", on=ActionTaken, unless=is_exempt)
def everybody_acts_in_its_own_turn(state: SecondsState, fact: Reading[ActionTaken]) -> Iterator[Fault]:
    """Yield the fault if an action comes outside its combatant's turn; by option, one that takes no time may come there."""
    timed, now, word = takes_seconds(fact.seconds), state.clock.turn, name_or_kind(fact.event.action)
    if fact.turn or (not timed and state.option("zero-second-off-turn") == "allowed"):
        return
    rule, because = "action.own-turn" if timed else "zero-second.own-turn", (state.clock.turn_event,) if now else ()
    whose = f"{now or 'nobody'}'s turn"
    yield Fault((rule,), f"{fact.who} acts in {whose} ({word})", f"{fact.who}'s turn", whose, because)


RUN_ON, FINISHES = "action.run-on-comes-first", "delay.other-finishes"
CONSECUTIVE, BUDGET = "action.consecutive-seconds", "turn.six-second-budget"


@checks_by(RUN_ON, FINISHES, CONSECUTIVE, BUDGET, on=ActionTaken)
def an_action_takes_seconds_that_are_free(state: SecondsState, fact: Reading[ActionTaken]) -> Iterator[Fault]:
    """Yield the fault of an action that claims seconds which are spent, or which a turn does not have, by the first reason."""
    turn, first, stated, number = fact.turn, fact.start, fact.event.second, state.clock_of(fact.who).number
    earlier = [act for act in fact.held if act.turn != number]
    longer = [act for act in fact.held if act.end > act.start]
    if earlier:
        yield _claim_fault(RUN_ON, earlier[0], "still needs this second")
    elif turn and first is not None and first <= turn.cut:
        says = f"{turn.combatant} had spent {turn.cut} s of this turn when it was interrupted"
        yield Fault((FINISHES,), says, f"second {turn.cut + 1} or later", f"second {first}", turn.cut_by)
    elif longer:
        yield _claim_fault(CONSECUTIVE, longer[0], "takes up this second")
    elif turn is None or not takes_seconds(fact.seconds):
        return
    elif fact.held:
        yield _claim_fault(BUDGET, fact.held[0], "took up this second")
    elif stated is not None and not 1 <= stated <= SECONDS:
        yield Fault((BUDGET,), f"a turn has no second {stated}", f"second 1 to {SECONDS}", f"second {stated}")
    elif stated is None and free_second(turn) > SECONDS:
        seqs = tuple(act.seq for act in turn.timed)
        yield Fault((BUDGET,), f"{turn.combatant}'s six seconds are spent", "a second left", "none", seqs)


def _claim_fault(rule: str, act: TimedAct, why: str) -> Fault:
    return Fault((rule,), f"{act.who}'s {act.name} {why}", "a free second", "one taken up", (act.seq,))


# ---------------------------------------------------------------- times and amounts


LEAST = "action.run-three-or-longer"
TIMES = "action.times"
AFTER_OWN_SECONDS = "delayed-effect.occurs-after-own-seconds"


@checks_by(LEAST, TIMES, AFTER_OWN_SECONDS, on=ActionTaken, unless=is_exempt)
def actions_take_the_seconds_of_the_table(state: SecondsState, fact: Reading[ActionTaken]) -> Iterator[Fault]:
    """Yield the faults of the recorded time of an action, and of its delay."""
    action, row = fact.event.action, seconds.rows_by_kind().get(fact.kind, {})
    word, delay = name_or_kind(action), act_delay(state, fact.who, action)
    taken, listed = seconds.parse_seconds(action.time), seconds.listed_time(state, fact.who, action)
    has_least = row.get("longer") and seconds.own_time(state, fact.who, action) is None
    if has_least and taken is not None and 0 <= taken < row["seconds"]:
        least = f"{row['seconds']} s or more"
        yield Fault((LEAST,), f"a {row['name']} takes {least}, not {taken} s", least, f"{taken} s")
    elif taken is None and listed is None:
        yield Fault((TIMES,), f"nothing says how long {word} takes", "its seconds", "none")
    elif taken is not None and taken < 0:
        yield Fault((TIMES,), f"{word} is recorded with {taken} s", "0 s or more", f"{taken} s")
    elif taken not in (None, listed) and listed is not None and not has_least:
        ruled = seconds.ruled_time(state, fact.who, action) or ()
        yield Fault((TIMES,), f"{word} takes {listed} s, not {taken} s", f"{listed} s", f"{taken} s", ruled[1:])
    if delay is not None and delay < 0:
        yield Fault((AFTER_OWN_SECONDS,), f"a delay of {delay} s counts as 0 s", "0 s or more", f"{delay} s")


@check("health.damage", on=(ActionTaken, Moved), unless=is_exempt)
def the_fallen_do_nothing(state: SecondsState, fact: Reading[ActionTaken | Moved]) -> Breach | None:
    """Report a move or an action with seconds of a combatant who is down; dropping and talking take none."""
    event = fact.event
    if isinstance(event, ActionTaken) and not takes_seconds(cost(state, fact.who, event.action)):
        return None
    return breach_while_down(fact.one, event, silent=True)


@check("health.damage", on=(DamageDealt, events.Healed))
def amounts_are_not_below_zero(_state: SecondsState, fact: Reading[DamageDealt | events.Healed]) -> Breach | None:
    return breach_of_amount(fact.event)


# ---------------------------------------------------------------- the moment of an outcome

RUNS_ON = "action.runs-on-into-next-round"
ON_OWN_TURN = "delayed-effect.on-own-turn"
IN_LATER_TURN = "delayed-effect.runs-on-into-later-turns"


@checks_by(RUNS_ON, CONSECUTIVE, ON_OWN_TURN, AFTER_OWN_SECONDS, IN_LATER_TURN, on=effects.OUTCOMES)
def outcomes_come_when_they_are_due(state: SecondsState, fact: Occurrence[effects.Outcome]) -> Iterator[Fault]:
    """Yield the faults in an outcome's moment, once for all outcomes of the same action."""
    effect, act, stated = effects.effect_recorded(state, fact), effects.act_behind(state, fact), fact.event.second
    if effect:
        found, once = _effect_outcome_fault(state, effect, stated), effect.act.seq
    elif act:
        found, once = _act_outcome_fault(state, act, stated), act.seq
    else:
        found, once = _fault_without_act(state, fact), fact.seq
    if found:
        yield structs.replace(found, once=(once,))


def _fault_without_act(state: SecondsState, fact: Occurrence[effects.Outcome]) -> Fault | None:
    event = fact.event
    if not isinstance(event, events.EffectStarted) or event.cause or event.source not in state.combatants:
        return None
    if (event.source, event.effect.casefold()) in state.done_as:
        return None
    says = f"no action of {event.source}'s set off {event.effect}"
    return Fault((AFTER_OWN_SECONDS,), says, "an action that does", "none")


def _act_outcome_fault(state: SecondsState, act: TimedAct, stated: int | None) -> Fault | None:
    effect = state.delayed_by.get(act.seq)
    if act.turn == 0 or (effect and effect.elsewhere):
        return None
    if act.status.value in (WITHDRAWN, LOST):
        return _ended_act_fault(act)
    end, turn = Instant.of(act.last), state.playing(act.who)
    in_time = turn is not None and turn.number == end.turn
    if act.status.value == BEGUN and not in_time:
        missing = max(1, act.last - SECONDS * state.clock_of(act.who).number)
        says = f"{act.who}'s {act.name} still needs {missing} s"
        return Fault((RUNS_ON,), says, f"second {end.second} of turn {end.turn}", "an earlier second", (act.seq,))
    repeats = stated == Instant.of(max(1, act.start)).second
    if not in_time or stated is None or stated >= end.second or repeats:
        return None
    says = f"{act.who}'s {act.name} is done in second {end.second}"
    return Fault((RUNS_ON,), says, f"second {end.second}", f"second {stated}", (act.seq,))


def _ended_act_fault(act: TimedAct) -> Fault:
    how = "given up" if act.status.value == WITHDRAWN else "lost"
    says = f"{act.who}'s {act.name} was {how}"
    return Fault((CONSECUTIVE,), says, "no outcome", "an outcome", (act.seq, act.incidents[0].seq))


def _effect_outcome_fault(state: SecondsState, effect: Delayed, stated: int | None) -> Fault | None:
    if effect.act.status.value in (WITHDRAWN, LOST):
        return _ended_act_fault(effect.act)
    if effect.status.value in (WITHDRAWN, LOST):
        called_off = effect.status.value == WITHDRAWN
        how = "called off" if called_off else f"lost as {effect.who} was out"
        says = f"{effect.who}'s {effect.name} was {how}"
        rules = (AFTER_OWN_SECONDS if called_off else ON_OWN_TURN,)
        return Fault(rules, says, "no effect", "an effect", (effect.seq, *effect.events))
    if (effect.act.turn == 0 and effect.length == 0) or effect.elsewhere:
        return None  # immediate, with an action outside its turn, or recorded before: that was reported, or is allowed
    due_at, turn = effects.due_instant(state, effect), state.playing(effect.who)
    if turn is None:
        return _between_turns(state, effect, due_at, stated)
    goes_on = can_go_on(state, turn) or (turn.number == due_at.turn and due_at.second > turn.cut)
    return _fault_in_turn(state, effect, turn, stated) if goes_on else _wrong_turn_fault(state, effect)


def _fault_in_turn(state: SecondsState, effect: Delayed, turn: TimedTurn, stated: int | None) -> Fault | None:
    if effects.is_recorded_when_due(state, effect, turn, stated):
        return None
    due_at = effects.due_instant(state, effect)
    second = turn.spent if stated is None else stated
    found = f"second {second} of turn {turn.number}{', as it is taken' if turn.taken else ''}"
    latest = max(effects.begun_seconds(turn), default=0)
    if (turn.number, second) == (due_at.turn, due_at.second) and latest > second:
        found = f"a record after the action of second {latest}"
    return _wrong_second_fault(effect, due_at, turn.number, found)


def _between_turns(state: SecondsState, effect: Delayed, due_at: Instant, stated: int | None) -> Fault | None:
    """Judge an effect recorded outside its originator's turns: as such a turn ends, or as its place is passed."""
    who, last = effect.who, state.latest
    right = stated in (None, due_at.second)
    at_its_place = state.option("put-off-turn-seconds") == "at-its-place"
    if last and last.combatant == who and last.number == due_at.turn and (at_its_place or not last.is_held):
        return None if right else _wrong_second_fault(effect, due_at, last.number, f"second {stated}")
    if not state.is_out(who) or not is_passed_next(state, who):
        return _wrong_turn_fault(state, effect)
    number, lost = state.clock_of(who).number + 1, state.in_hand(who)
    if right and (due_at.turn == number or (lost and lost.number == due_at.turn)):
        return None
    return _wrong_second_fault(effect, due_at, number, f"turn {number}, as its place is passed")


@derives("delayed-effect.on-own-turn")
def is_passed_next(state: SecondsState, who: str) -> bool:
    """Return whether the place of a combatant who is out is the next to be passed: nobody due comes before it."""
    turns, out = turn_list(state), state.is_out
    first, settled = next(turnlist.combatants_due(turns, out), ""), turns.progress.is_settled(who)
    if settled and first:
        return False
    ahead = turnlist.first_up(turns, out) if settled else first
    return who in takewhile(lambda each: each != ahead, turns.order)


def _wrong_turn_fault(state: SecondsState, effect: Delayed) -> Fault:
    who, now = effect.who, state.clock.turn
    whose = f"{now}'s turn" if now else "between two turns"
    says = f"{who}'s seconds do not run {'in ' * bool(now)}{whose}"
    return Fault((ON_OWN_TURN,), says, f"{who}'s turn", whose, (effect.seq,))


def _wrong_second_fault(effect: Delayed, due_at: Instant, number: int, found: str) -> Fault:
    end = Instant.of(effect.act.end)
    rule = RUNS_ON if number < end.turn else AFTER_OWN_SECONDS if number == end.turn else IN_LATER_TURN
    expected = f"second {due_at.second} of turn {due_at.turn}"
    says = f"{effect.who}'s {effect.name}, {effect.length} s after its action, is due in {expected}"
    return Fault((rule,), says, expected, found, effect.act.held.because.flat().events)
