"""The checks on initiative, rounds, turns put off and taken, seconds, times, outcomes, amounts.

In a group of checks, the first by rank with a finding reports it, as the catalogue says.
"""

from collections.abc import Iterator

from eventstore.events import (
    ActionTaken,
    ContestRolled,
    DamageDealt,
    Healed,
    InitiativeRolled,
    Moved,
    RoundEnded,
    RoundStarted,
    TurnDelayed,
    TurnResumed,
    TurnStarted,
)
from eventstore.shapes import LARGEST, Action, Dice
from projections.folds.vitals import acts_while_down, breach_of_amount
from projections.mechanics import rolls
from projections.mechanics.acts import action_word
from projections.mechanics.grants import granted
from projections.open_types import Fields
from projections.ruleset.faults import Fault, by_clause, checks_by
from projections.ruleset.ruleset import Breach, check
from projections.rulesets.semiautomagic import sheet
from projections.rulesets.semiautomagic.order import contest_result, dexterity, draw, is_new, owes, restates, result
from projections.rulesets.semiautomagic.outcomes import AFTER_OWN_SECONDS
from projections.rulesets.semiautomagic.reading import Doing, Reading, first_free
from projections.rulesets.semiautomagic.state import SECONDS, SemiautomagicState, TimedAct
from projections.rulesets.semiautomagic.turns import due, second_of_break
from projections.time import Point

# ---------------------------------------------------------------- initiative


@check("initiative.before-first-turn", on=TurnStarted)
def everybody_checks_before_the_first_turn(state: SemiautomagicState, _fact: Reading[TurnStarted]) -> Breach | None:
    missing = [] if state.started else [one.id for one in state.here() if one.id not in state.standings]
    return Breach(f"no initiative check by {', '.join(missing)}", "a check each", "none") if missing else None


@check("initiative.late-arrival-rolls", on=TurnStarted)
def newcomers_check(state: SemiautomagicState, fact: Reading[TurnStarted]) -> Breach | None:
    joined = state.combatants[fact.who].joined
    if not state.started or state.precedes(joined, state.started) or fact.beginning.how != "unplaced":
        return None
    says = f"{fact.who} came late and has made no initiative check"
    return Breach(says, "a check", "none", (joined,), once=(fact.who, joined))


@check("initiative.reflex-plus-dexterity", on=InitiativeRolled, group="check", rank=1)
def a_second_check_needs_a_draw(state: SemiautomagicState, fact: Reading[InitiativeRolled]) -> Breach | None:
    if fact.who not in state.standings or owes(state, fact.who) or restates(state, fact.event):
        return None
    says = f"{fact.who} has checked already: the first check counts"
    return Breach(says, "a draw", "none", state.standings[fact.who].events)


@check("initiative.reflex-plus-dexterity", on=InitiativeRolled, group="check", rank=2)
def a_check_adds_up(state: SemiautomagicState, fact: Reading[InitiativeRolled]) -> Breach | None:
    event, who, total = fact.event, fact.who, result(state, fact.event)
    if _beyond_its_faces(event):
        return Breach(f"the dice of {who} show faces that they do not have", "faces of the dice", "others")
    rolled = rolls.rolled(event)
    if rolled is None:
        return None
    own = dexterity(state, who, event.bonus)
    if event.bonus not in (None, own):
        return Breach(f"{who} adds Dexterity {own}, not {event.bonus}", str(own), str(event.bonus))
    if event.total is None or str(event.total) == str(total):
        return None
    return Breach(f"{rolled} + {own} is {total}", str(total), str(event.total))


def _beyond_its_faces(event: InitiativeRolled) -> bool:
    known = rolls.count_of(event.die.notation) if isinstance(event.die, Dice) else None
    return event.die is not None and not rolls.is_on(event.die, known[1] if known else LARGEST)


@check("initiative.outside-combat", on=ContestRolled)
def a_contest_is_decided_by_its_checks(state: SemiautomagicState, fact: Reading[ContestRolled]) -> Breach | None:
    event = fact.event
    totals = {each.combatant: contest_result(state, each) for each in event.contenders}
    for each in event.contenders:
        if each.total not in (None, totals[each.combatant]):
            says = f"{each.combatant} has a total of {totals[each.combatant]}"
            return Breach(says, str(totals[each.combatant]), str(each.total))
    best = [who for who, total in totals.items() if total == max(totals.values())]
    if event.winner is None or best == [event.winner]:
        return None
    first = f"{best[0]} is first" if len(best) == 1 else f"{', '.join(best)} draw"
    return Breach(f"{first}, with {totals[best[0]] if best else 0}", ", ".join(best) or "nobody", event.winner)


# ---------------------------------------------------------------- whose turn it is


DRAWN, LATE = "initiative.tie-rerolled", "initiative.late-arrival"


@checks_by(DRAWN, LATE, "initiative.highest-first", on=TurnStarted)
def turns_follow_the_order(state: SemiautomagicState, fact: Reading[TurnStarted]) -> Iterator[Fault]:
    """Yield the faults of a turn that begins: an open draw, combatants passed over, a place that had passed."""
    who, drawn, now = fact.who, draw(state, fact.who), state.clock.round
    open_among = [other for other in drawn if other == who or not state.is_out(other)]
    if len(open_among) > 1:
        members = [state.standings[other] for other in open_among]
        again = (state.standings[who].total, min(len(one.rerolls) for one in members))
        because = tuple(seq for one in members for seq in one.events)
        says = f"the draw of {', '.join(open_among)} is open"
        yield Fault((DRAWN,), says, "a further check each", "none", because, again)
    settled = [other for other in fact.beginning.passes_over if other not in drawn]
    for rule, jumped in by_clause(settled, lambda other: _why(state, fact, other)).items():
        yield _jumps(state, who, rule, jumped)
    if fact.beginning.how == "early":
        says = f"the place of {who} had gone by as it came: its first turn is in the next round"
        yield Fault((LATE,), says, f"round {now + 1}", f"round {now}", state.standings[who].events)


def _jumps(state: SemiautomagicState, who: str, rule: str, jumped: list[str]) -> Fault:
    """Return the fault if a turn begins before those of combatants who are due."""
    because = tuple(seq for other in (*jumped, who) for seq in state.standings[other].events)
    says = f"{', '.join(jumped)} {'is' if len(jumped) == 1 else 'are'} due before {who}"
    return Fault((rule,), says, jumped[0], who, because)


def _why(state: SemiautomagicState, fact: Reading[TurnStarted], jumped: str) -> str:
    """Return the rule by which a combatant passed over is due first: of a draw, of newcomers, or of the order."""
    if state.standings[jumped].total == state.standings[fact.who].total:
        return DRAWN
    return LATE if is_new(state, jumped) and not fact.beginning.opens else "initiative.highest-first"


@check("round.one-turn-each", on=TurnStarted)
def a_round_holds_one_turn_each(state: SemiautomagicState, fact: Reading[TurnStarted]) -> Breach | None:
    who, found, number = fact.who, fact.beginning, state.clock.round
    if found.left_out:
        says = f"round {number} closes, but {', '.join(found.left_out)} had no turn in it"
        return Breach(says, "a turn each", "none", (state.round.opened,))
    if found.how != "again":
        return None
    had = state.turns.progress.had[who]
    return Breach(f"{who} has a second turn in round {number}", "one turn", "a second", (had,))


@check("round.one-turn-each", on=(RoundStarted, RoundEnded))
def rounds_are_those_of_the_turns(state: SemiautomagicState, fact: Reading[RoundStarted | RoundEnded]) -> Breach | None:
    claimed, ends, now = fact.event.round, isinstance(fact.event, RoundEnded), state.clock.round
    right = (now,) if ends else (now, now + 1)
    if claimed is not None and claimed not in right:
        return Breach(f"it is {Point(now)}, not {claimed}", str(right[-1]), str(claimed))
    missing = [who for who in due(state) if who not in state.turns.progress.passed_over]
    if (claimed == now and not ends) or not missing:
        return None
    return Breach(f"round {now} is not over: {', '.join(missing)} had no turn in it", "a turn each", "none")


# ---------------------------------------------------------------- turns put off and taken


@check("delay.turn-put-off", on=TurnDelayed)
def a_turn_is_put_off_in_it(state: SemiautomagicState, fact: Reading[TurnDelayed]) -> Breach | None:
    if state.playing(fact.who):
        return None
    whose = f"the turn of {state.clock.turn}" if state.clock.turn else "nobody's turn"
    says = f"it is {whose}: {fact.who} has nothing to put off"
    return Breach(says, f"the turn of {fact.who}", state.clock.turn or "none")


@check("delay.whole-turn", on=TurnDelayed)
def a_turn_is_put_off_whole(state: SemiautomagicState, fact: Reading[TurnDelayed]) -> Breach | None:
    turn = state.playing(fact.who)
    if turn is None or not turn.played:
        return None
    seqs = tuple(act.seq for act in turn.timed)
    return Breach(f"{fact.who} has spent {turn.spent} s of this turn", "nothing done", f"{turn.spent} s spent", seqs)


@check("delay.taken-before-next-turn", on=TurnResumed)
def a_turn_taken_is_in_hand(state: SemiautomagicState, fact: Reading[TurnResumed]) -> Breach | None:
    return None if state.in_hand(fact.who) else Breach(f"{fact.who} has no turn in hand", "a turn put off", "none")


@check("delay.interrupts-between-actions", on=TurnResumed)
def a_running_action_is_not_interrupted(_state: SemiautomagicState, fact: Reading[TurnResumed]) -> Breach | None:
    turn = fact.broken
    if turn is None:
        return None
    after = second_of_break(fact.event.second, turn)
    running = turn.running(turn.zero + after)
    if after >= SECONDS or not running:
        return None
    says = f"{running[0].name} of {turn.combatant} is running"
    return Breach(says, "between two actions", f"after second {after}", (running[0].seq,))


# ---------------------------------------------------------------- seconds


@checks_by("action.own-turn", "zero-second.own-turn", on=ActionTaken)
def everybody_acts_in_its_own_turn(state: SemiautomagicState, fact: Reading[ActionTaken]) -> Iterator[Fault]:
    """Yield the fault if an action comes outside its combatant's turn; by option, one that takes no time may come there."""
    rule = "action.own-turn" if sheet.takes_seconds(fact.seconds) else "zero-second.own-turn"
    allowed = not sheet.takes_seconds(fact.seconds) and state.option("zero-second-off-turn") == "allowed"
    if fact.turn or allowed or _is_granted(state, fact, fact.event.action, rule):
        return
    now, word = state.clock.turn, action_word(fact.event.action)
    because = (state.clock.turn_event,) if now else ()
    whose = f"the turn of {now}" if now else "nobody's turn"
    yield Fault((rule,), f"it is {whose}: {word} of {fact.who}", f"a turn of {fact.who}", now or "none", because)


def _is_granted(state: SemiautomagicState, fact: Reading[Doing], action: Action, rule: str) -> bool:
    """Return whether a ruling grants an exception from a rule to a combatant, for this action."""
    who = (fact.who, state.combatants[fact.who].side)
    words = (action.kind, action_word(action))
    return granted(state.rulings, rule, who=who, event=(fact.seq, fact.cause), said=words).value


@check("action.run-on-comes-first", on=ActionTaken, group="second", rank=1)
def what_runs_on_comes_first(state: SemiautomagicState, fact: Reading[ActionTaken]) -> Breach | None:
    found = [act for act in fact.held if act.turn != state.clock_of(fact.who).number]
    return _claims(found[0], "still needs this second") if found else None


@check("delay.other-finishes", on=ActionTaken, group="second", rank=2)
def the_interrupted_goes_on_where_it_was(_state: SemiautomagicState, fact: Reading[ActionTaken]) -> Breach | None:
    turn, first = fact.turn, fact.start
    if turn is None or first is None or first > turn.cut:
        return None
    says = f"{turn.combatant} had spent {turn.cut} s of this turn before it was interrupted"
    return Breach(says, f"second {turn.cut + 1} or later", f"second {first}", turn.cut_by)


@check("action.consecutive-seconds", on=ActionTaken, group="second", rank=3)
def an_action_keeps_its_seconds(_state: SemiautomagicState, fact: Reading[ActionTaken]) -> Breach | None:
    found = [act for act in fact.held if act.end > act.start]
    return _claims(found[0], "runs in this second") if found else None


@check("turn.six-second-budget", on=ActionTaken, group="second", rank=4)
def a_turn_has_six_seconds(_state: SemiautomagicState, fact: Reading[ActionTaken]) -> Breach | None:
    turn, stated = fact.turn, fact.event.second
    if turn is None or not sheet.takes_seconds(fact.seconds):
        return None
    if fact.held:
        return _claims(fact.held[0], "has spent this second")
    if stated is not None and not 1 <= stated <= SECONDS:
        return Breach(f"a turn has no second {stated}", f"1 to {SECONDS}", str(stated))
    if stated is None and first_free(turn) > SECONDS:
        seqs = tuple(act.seq for act in turn.timed)
        return Breach(f"the six seconds of {turn.combatant} are spent", "a second that is left", "none", seqs)
    return None


def _claims(act: TimedAct, why: str) -> Breach:
    return Breach(f"{act.name} of {act.who} {why}", "a free second", "a second held", (act.seq,))


# ---------------------------------------------------------------- times and amounts


@check("action.run-three-or-longer", on=ActionTaken, group="time", rank=1)
def a_run_takes_three_seconds_or_more(state: SemiautomagicState, fact: Reading[ActionTaken]) -> Breach | None:
    row, taken = _at_least(state, fact), sheet.seconds_of(fact.event.action.time)
    if row is None or taken is None or not 0 <= taken < row["seconds"]:
        return None
    least = f"{row['seconds']} s or more"
    return Breach(f"to {row['name']} takes {least}, not {taken}", f"{row['seconds']} or more", str(taken))


@check("action.times", on=ActionTaken, group="time", rank=2)
def actions_take_the_seconds_of_the_table(state: SemiautomagicState, fact: Reading[ActionTaken]) -> Breach | None:
    action, word = fact.event.action, action_word(fact.event.action)
    taken, listed = sheet.seconds_of(action.time), sheet.listed_time(state, fact.who, action)
    if taken is None and listed is None:
        return Breach(f"it is not known how long {word} takes", "seconds", "none")
    if taken is not None and taken < 0:
        return Breach(f"{word} is recorded with {taken} s", "0 or more", str(taken))
    stands = taken in (None, listed) or listed is None or _at_least(state, fact)
    if stands or _is_granted(state, fact, action, "action.times"):
        return None
    ruled = sheet.ruled_time(state, fact.who, action)
    return Breach(f"{word} takes {listed} s, not {taken}", str(listed), str(taken), ruled[1:] if ruled else ())


def _at_least(state: SemiautomagicState, fact: Reading[ActionTaken]) -> Fields | None:
    """Return the row of an action of which the table says only how long it takes at least."""
    row = sheet.table().get(fact.kind, {})
    return row if row.get("longer") and sheet.own_time(state, fact.who, fact.event.action) is None else None


@check("health.damage", on=(ActionTaken, Moved))
def the_fallen_do_nothing(state: SemiautomagicState, fact: Reading[ActionTaken | Moved]) -> Breach | None:
    """Report a move, or an action that takes seconds, of a combatant who is down; dropping an object or talking takes
    none.
    """
    event = fact.event
    if isinstance(event, ActionTaken):
        takes_none = not sheet.takes_seconds(sheet.cost(state, fact.who, event.action))
        if takes_none or _is_granted(state, fact, event.action, "health.damage"):
            return None
    return acts_while_down(fact.one, event, silent=True)


@check("health.damage", on=(DamageDealt, Healed))
def amounts_are_not_below_zero(_state: SemiautomagicState, fact: Reading[DamageDealt | Healed]) -> Breach | None:
    return breach_of_amount(fact.event)


# ---------------------------------------------------------------- outcomes


@check(AFTER_OWN_SECONDS, on=ActionTaken)
def a_delay_is_not_below_zero(state: SemiautomagicState, fact: Reading[ActionTaken]) -> Breach | None:
    delay = sheet.delay_of(state, fact.who, fact.event.action)
    if delay is None or delay >= 0:
        return None
    return Breach(f"a delay of {delay} s: it counts as 0", "0 or more", str(delay))
