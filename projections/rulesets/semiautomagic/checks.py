"""The rulebook: initiative, rounds, turns put off and taken, times of actions, amounts.

Of the checks in one group only the first that finds something reports. What a second holds, and what comes of an action
or a delay, have a module of their own: claims.py.
"""

from eventstore.events import (
    ActionTaken,
    ContestRolled,
    DamageDealt,
    Healed,
    InitiativeRolled,
    RoundEnded,
    RoundStarted,
    TurnDelayed,
    TurnResumed,
    TurnStarted,
)
from eventstore.shapes import Dice
from projections.occurrence import Occurrence
from projections.rulesets.ruleset import Breach, check
from projections.rulesets.semiautomagic.contests import comes_to
from projections.rulesets.semiautomagic.order import dexterity, draw, owes, reflex, result
from projections.rulesets.semiautomagic.rounds import EARLY, SECOND, UNPLACED, acts_next, coming, due, is_new, out
from projections.rulesets.semiautomagic.seconds import playing
from projections.rulesets.semiautomagic.sheet import seconds_of, table
from projections.rulesets.semiautomagic.state import SECONDS, SemiautomagicState, Turn
from projections.rulesets.semiautomagic.times import entry_of, listed_time
from projections.rulesets.semiautomagic.turns import broken_into, second_of_break
from projections.state import action_word

# ---------------------------------------------------------------- initiative


@check("initiative.before-first-turn", on=TurnStarted)
def everybody_checks_before_the_first_turn(state: SemiautomagicState, _fact: Occurrence[TurnStarted]) -> Breach | None:
    missing = [one.id for one in state.here() if one.id not in state.standings]
    if state.started or not missing:
        return None
    return Breach(f"{', '.join(missing)} have made no initiative check", "a check each", "none")


@check("initiative.late-arrival-rolls", on=TurnStarted)
def whoever_comes_late_checks(state: SemiautomagicState, fact: Occurrence[TurnStarted]) -> Breach | None:
    who = fact.event.combatant
    if not state.started or coming(state, who).how != UNPLACED or who in state.unplaced_reported:
        return None
    return Breach(
        f"{who} came late and has made no initiative check", "a check", "none", (state.combatants[who].joined,)
    )


@check("initiative.reflex-plus-dexterity", on=InitiativeRolled, group="check")
def a_second_check_needs_a_draw(state: SemiautomagicState, fact: Occurrence[InitiativeRolled]) -> Breach | None:
    who = fact.event.combatant or ""
    if who not in state.standings or owes(state, who):
        return None
    return Breach(f"{who} has checked already: the first check counts", "a draw", "none", state.standings[who].events)


@check("initiative.reflex-plus-dexterity", on=InitiativeRolled, group="check")
def a_check_adds_up(state: SemiautomagicState, fact: Occurrence[InitiativeRolled]) -> Breach | None:
    event, who, total = fact.event, fact.event.combatant or "", result(state, fact.event)
    if _beyond_its_faces(event):
        return Breach(f"the dice of {who} show what they do not have", "faces of the dice", "others")
    if reflex(event) is None or total is None:
        return None
    own = dexterity(state, who, event.bonus)
    if event.bonus not in (None, own):
        return Breach(f"{who} adds Dexterity {own}, not {event.bonus}", str(own), str(event.bonus))
    if event.total is None or str(event.total) == str(total):
        return None
    return Breach(f"{reflex(event)} + {own} comes to {total}", str(total), str(event.total))


def _beyond_its_faces(event: InitiativeRolled) -> bool:
    if not isinstance(event.die, Dice):
        return event.die is not None and event.die < 1
    sides = event.die.notation.casefold().partition("d")[2]
    digits = "".join(each for each in sides.partition("k")[0] if each.isdigit())
    highest = int(digits[:9]) if digits else 0
    return any(face < 1 or (highest and face > highest) for face in event.die.faces)


@check("initiative.outside-combat", on=ContestRolled)
def a_contest_is_decided_by_its_checks(state: SemiautomagicState, fact: Occurrence[ContestRolled]) -> Breach | None:
    event = fact.event
    totals = {each.combatant: comes_to(state, each) for each in event.contenders}
    for each in event.contenders:
        if each.total not in (None, totals[each.combatant]):
            says = f"{each.combatant} comes to {totals[each.combatant]}"
            return Breach(says, str(totals[each.combatant]), str(each.total))
    best = [who for who, total in totals.items() if total == max(totals.values())]
    if event.winner is None or best == [event.winner]:
        return None
    first = f"{best[0]} is first" if len(best) == 1 else f"{', '.join(best)} draw"
    return Breach(f"{first}, with {totals[best[0]] if best else 0}", ", ".join(best) or "nobody", event.winner)


# ---------------------------------------------------------------- whose turn it is


@check("initiative.tie-rerolled", on=TurnStarted, group="drawn")
def a_draw_is_rolled_again_first(state: SemiautomagicState, fact: Occurrence[TurnStarted]) -> Breach | None:
    who = fact.event.combatant
    drawn_with = [other for other in draw(state, who) if other == who or not out(state, other)]
    if len(drawn_with) < 2 or any(other in state.open_reported for other in drawn_with):
        return None
    because = tuple(seq for other in drawn_with for seq in state.standings[other].events)
    return Breach(f"the draw of {', '.join(drawn_with)} is open", "a further check each", "none", because)


@check("initiative.tie-rerolled", on=TurnStarted, group="drawn")
def a_draw_goes_by_the_further_checks(state: SemiautomagicState, fact: Occurrence[TurnStarted]) -> Breach | None:
    return _jumps(state, fact, "drew")


@check("initiative.late-arrival", on=TurnStarted, group="late")
def a_newcomer_has_its_place(state: SemiautomagicState, fact: Occurrence[TurnStarted]) -> Breach | None:
    return _jumps(state, fact, "new")


@check("initiative.late-arrival", on=TurnStarted, group="late")
def a_place_gone_by_waits(state: SemiautomagicState, fact: Occurrence[TurnStarted]) -> Breach | None:
    who = fact.event.combatant
    if coming(state, who).how != EARLY:
        return None
    says = f"the place of {who} had gone by as it came: its first turn is in the next round"
    return Breach(says, f"round {state.round_number + 1}", f"round {state.round_number}", state.standings[who].events)


@check("initiative.highest-first", on=TurnStarted)
def turns_go_from_the_highest_down(state: SemiautomagicState, fact: Occurrence[TurnStarted]) -> Breach | None:
    return _jumps(state, fact, "")


def _jumps(state: SemiautomagicState, fact: Occurrence[TurnStarted], why: str) -> Breach | None:
    who = fact.event.combatant
    found = coming(state, who)
    settled = [other for other in found.jumped if other not in draw(state, who)]
    jumped = [other for other in settled if _how(state, who, other, new_round=found.opens) == why]
    if not jumped:
        return None
    because = tuple(seq for other in (*jumped, who) for seq in state.standings[other].events)
    says = f"{', '.join(jumped)} {'is' if len(jumped) == 1 else 'are'} due before {who}"
    return Breach(says, jumped[0], who, because)


def _how(state: SemiautomagicState, who: str, jumped: str, *, new_round: bool) -> str:
    """Return how the one jumped stands to the one whose turn comes up: it drew with it, is new in this round, or neither."""
    if state.standings[jumped].total == state.standings[who].total:
        return "drew"
    new = acts_next(state, jumped) if new_round else is_new(state, jumped)
    return "new" if new else ""


@check("round.one-turn-each", on=TurnStarted)
def a_round_holds_one_turn_each(state: SemiautomagicState, fact: Occurrence[TurnStarted]) -> Breach | None:
    who = fact.event.combatant
    found = coming(state, who)
    if found.left_out:
        says = f"round {state.round_number} closes and {', '.join(found.left_out)} had no turn in it"
        return Breach(says, "a turn each", "none", (state.opened,))
    if found.how != SECOND:
        return None
    before = tuple(seq for seq in (state.had.get(who, 0),) if seq)
    return Breach(f"{who} has a second turn in round {state.round_number}", "one turn", "a second", before)


@check("round.one-turn-each", on=(RoundStarted, RoundEnded))
def rounds_are_those_of_the_turns(
    state: SemiautomagicState, fact: Occurrence[RoundStarted] | Occurrence[RoundEnded]
) -> Breach | None:
    claimed, ends = fact.event.round, isinstance(fact.event, RoundEnded)
    right = (state.round_number,) if ends else (state.round_number, state.round_number + 1)
    if claimed is not None and claimed not in right:
        return Breach(f"it is round {state.round_number}, not {claimed}", str(right[-1]), str(claimed))
    missing = [who for who in due(state) if who not in state.jumped]
    if (claimed == state.round_number and not ends) or not missing:
        return None
    return Breach(
        f"round {state.round_number} is not over: {', '.join(missing)} had no turn in it", "a turn each", "none"
    )


# ---------------------------------------------------------------- turns put off and taken


@check("delay.turn-put-off", on=TurnDelayed, group="put off")
def a_turn_is_put_off_in_it(state: SemiautomagicState, fact: Occurrence[TurnDelayed]) -> Breach | None:
    who = fact.event.combatant
    if _can_put_off(state, who):
        return None
    whose = f"the turn of {state.clock.turn}" if state.clock.turn else "nobody's turn"
    return Breach(f"it is {whose}: {who} has nothing to put off", f"the turn of {who}", state.clock.turn or "none")


def _can_put_off(state: SemiautomagicState, who: str) -> Turn | None:
    return playing(state, who)


@check("delay.whole-turn", on=TurnDelayed, group="put off")
def a_turn_is_put_off_whole(state: SemiautomagicState, fact: Occurrence[TurnDelayed]) -> Breach | None:
    turn = _can_put_off(state, fact.event.combatant)
    if turn is None or not turn.played:
        return None
    seqs = tuple(act.seq for act in turn.acts if act.seconds > 0)
    says = f"{fact.event.combatant} has spent {turn.spent} s of this turn"
    return Breach(says, "nothing done", f"{turn.spent} s spent", seqs)


@check("delay.taken-before-next-turn", on=TurnResumed)
def a_turn_taken_is_in_hand(state: SemiautomagicState, fact: Occurrence[TurnResumed]) -> Breach | None:
    who = fact.event.combatant
    if who in state.hand:
        return None
    return Breach(f"{who} has no turn in hand", "a turn put off", "none")


@check("delay.interrupts-between-actions", on=TurnResumed)
def a_running_action_is_not_interrupted(state: SemiautomagicState, fact: Occurrence[TurnResumed]) -> Breach | None:
    turn = broken_into(state)
    after = second_of_break(fact, turn) if turn else SECONDS
    if turn is None or after >= SECONDS:
        return None
    own = SECONDS * (turn.number - 1) + after
    running = [act for act in turn.acts if act.status in ("begun", "done") and act.first <= own < act.last]
    running += [act for act in turn.acts if act.status == "begun" and act.turn != turn.number and after == 0]
    if not running:
        return None
    says = f"{action_word(running[0].action)} of {turn.combatant} is running"
    return Breach(says, "between two actions", f"after second {after}", (running[0].seq,))


# ---------------------------------------------------------------- times and amounts


def granted(state: SemiautomagicState, rule: str, who: str) -> bool:
    """Say whether a ruling grants a combatant an exception from a rule."""
    grants = (fact.event for fact in state.rulings if fact.event.ruling == "grant" and fact.event.rule == rule)
    return any(not event.combatants or who in event.combatants for event in grants)


@check("action.run-three-or-longer", on=ActionTaken, group="time")
def a_run_takes_three_seconds_or_more(state: SemiautomagicState, fact: Occurrence[ActionTaken]) -> Breach | None:
    event, row = fact.event, table().get(fact.event.action.kind)
    taken = seconds_of(event.action.time)
    if row is None or not row.longer or taken is None or not 0 <= taken < row.seconds or _own_time(state, fact):
        return None
    return Breach(f"to {row.name} takes {row.seconds} s or more, not {taken}", f"{row.seconds} or more", str(taken))


@check("action.times", on=ActionTaken, group="time")
def actions_take_the_seconds_of_the_table(state: SemiautomagicState, fact: Occurrence[ActionTaken]) -> Breach | None:
    event, row = fact.event, table().get(fact.event.action.kind)
    taken, listed = seconds_of(event.action.time), listed_time(state, event.combatant, event.action)
    if taken is None and listed is None:
        return Breach(f"nobody says how long {action_word(event.action)} takes", "seconds", "none")
    if taken is not None and taken < 0:
        return Breach(f"{action_word(event.action)} is recorded with {taken} s", "0 or more", str(taken))
    if taken in (None, listed) or listed is None or (row and row.longer and not _own_time(state, fact)):
        return None
    if granted(state, "action.times", event.combatant):
        return None
    return Breach(f"{action_word(event.action)} takes {listed} s, not {taken}", str(listed), str(taken))


def _own_time(state: SemiautomagicState, fact: Occurrence[ActionTaken]) -> bool:
    """Say whether an entry of the sheet, or a ruling, gives an action a time of its own."""
    who, action = fact.event.combatant, fact.event.action
    entry = entry_of(state, who, action)
    ruled = (who, action_word(action).casefold()) in state.ruled_times
    return ruled or bool(entry and seconds_of(entry.time) is not None)


@check("health.damage", on=(DamageDealt, Healed))
def amounts_are_not_below_zero(
    _state: SemiautomagicState, fact: Occurrence[DamageDealt] | Occurrence[Healed]
) -> Breach | None:
    amount = fact.event.amount
    return Breach("an amount below 0 changes nothing", "0 or more", str(amount)) if amount < 0 else None
