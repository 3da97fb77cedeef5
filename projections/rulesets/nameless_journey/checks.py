"""The checks on order, rounds, durations and hit points; each looks at a fact before it is applied.

The table at the top of the catalogue says which rule is cited for what. The checks on spending and on ground are in
spending.py and ground.py.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from eventstore.events import (
    ActionTaken,
    ConditionGained,
    DamageDealt,
    EffectEnded,
    EffectStarted,
    Healed,
    InitiativeRolled,
    Moved,
    RoundEnded,
    RoundStarted,
    TurnResumed,
    TurnStarted,
)
from projections.folds.effects import is_expiry
from projections.folds.order import rollers
from projections.folds.vitals import acts_while_down, breach_of_amount
from projections.mechanics.candidates import whom_about
from projections.mechanics.conditions import matching
from projections.mechanics.rolls import face, is_on
from projections.ruleset.faults import Fault, by_clause, checks_by
from projections.ruleset.ruleset import Breach, check
from projections.rulesets.nameless_journey.budget import NONE, cost_of, is_granted
from projections.rulesets.nameless_journey.effects import found_over, last_ended, may_run_on, origin, timers
from projections.rulesets.nameless_journey.order import placed_by, restates, total_of, undecided
from projections.rulesets.nameless_journey.reading import Reading
from projections.rulesets.nameless_journey.state import NamelessState
from projections.rulesets.nameless_journey.turns import due, is_over
from projections.scheduling.turn_schedule import turn_list
from projections.time import Point

# ---------------------------------------------------------------- rolls


@check("initiative.d20-plus-dexterity", on=InitiativeRolled)
def initiative_is_one_d20_and_dexterity(state: NamelessState, fact: Reading[InitiativeRolled]) -> Breach | None:
    event = fact.event
    names = ", ".join(rollers(state, event)) or "nobody"
    if event.die is not None and not is_on(event.die, 20):
        return Breach(f"the d20 of {names} shows {face(event.die)}", "1 to 20", str(face(event.die)))
    if event.tie_with:
        return None
    again = [who for who in rollers(state, event) if who not in state.owing]
    if again and not restates(state, event) and not is_granted(state, "initiative.d20-plus-dexterity", again[0]):
        first = tuple(state.rolls[who].seq for who in again)
        return Breach(f"{', '.join(again)} rolled before: the first roll counts", "one roll", "a further one", first)
    return _written_down_wrong(state, event)


def _written_down_wrong(state: NamelessState, event: InitiativeRolled) -> Breach | None:
    """Return the breach if a recorded bonus or total differs from that of sheet and die."""
    who = event.combatant
    if who is None:
        return None
    bonus, total = int(state.combatants[who].sheet.dexterity), total_of(state, who, event)
    if total is None:
        return Breach(f"the roll of {who} has no number", "a d20", "none")
    if event.bonus not in (None, bonus):
        says = f"{who} has a Dexterity bonus of {bonus}: the roll totals {total}"
        return Breach(says, str(bonus), str(event.bonus), (state.combatants[who].joined,))
    if event.total is not None and Decimal(event.total) != total:
        return Breach(f"the roll of {who} totals {total}", str(total), str(event.total))
    return None


@check("initiative.tie-by-dexterity", on=InitiativeRolled)
def a_roll_off_is_bare(state: NamelessState, fact: Reading[InitiativeRolled]) -> Breach | None:
    event = fact.event
    if not event.tie_with or event.die is None or state.option("full-tie") != "roll-off":
        return None
    shown = face(event.die)
    if not event.bonus and (event.total is None or Decimal(event.total) == shown):
        return None
    return Breach("those who are tied roll a bare d20", str(shown), str(event.total or shown + (event.bonus or 0)))


# ---------------------------------------------------------------- turns


@check("initiative.before-fighting", on=TurnStarted)
def everybody_rolls_before_the_first_turn(state: NamelessState, _fact: Reading[TurnStarted]) -> Breach | None:
    if state.started:
        return None
    missing = [one for one in state.here() if one.id not in turn_list(state).places and not state.is_out(one.id)]
    if not missing:
        return None
    says = f"the first turn begins, but {', '.join(one.id for one in missing)} did not roll for initiative"
    return Breach(says, "a roll of everybody", "none", tuple(one.joined for one in missing))


@check("initiative.late-arrival-rolls", on=TurnStarted)
def a_newcomer_rolls_too(state: NamelessState, fact: Reading[TurnStarted]) -> Breach | None:
    who = fact.event.combatant
    if not fact.is_newcomer or fact.came.how != "unplaced" or state.is_out(who):
        return None
    says = f"{who} begins a turn, but has no initiative, and so no place"
    return Breach(says, "a roll", "none", (state.combatants[who].joined,))


@check("initiative.late-arrival-waits", on=TurnStarted)
def a_newcomer_waits_for_its_turn(state: NamelessState, fact: Reading[TurnStarted]) -> Breach | None:
    who = fact.event.combatant
    if fact.came.how != "early":
        return None
    says = f"the place of {who} had gone by when it rolled: its first turn is in round {state.first_rounds[who]}"
    came = (state.turns.newcomers[who],)
    return Breach(says, f"round {state.first_rounds[who]}", f"round {state.clock.round}", came)


@checks_by(
    "initiative.tie-by-dexterity", "initiative.late-arrival-inserted", "initiative.highest-first", on=TurnStarted
)
def turns_follow_the_order(state: NamelessState, fact: Reading[TurnStarted]) -> Iterator[Fault]:
    """Yield the faults of a turn that begins: combatants passed over or left out, an open roll-off, a second turn."""
    who, came = fact.event.combatant, fact.came
    for rule, others in by_clause(fact.passes_over, lambda each: _class_of(state, fact, each)).items():
        yield _passed_over(state, who, rule, others)
    if level := undecided(state, who):
        says, rolled = f"{', '.join(level)} are tied and have not rolled off", {state.rolls[who].seq for who in level}
        because = tuple(sorted(rolled))
        yield Fault(("initiative.tie-by-dexterity",), says, "a bare d20 of each", "none", because, tuple(level))
    if came.left_out:
        says = f"round {state.clock.round} closes, but {', '.join(came.left_out)} had no turn in it"
        yield _left_out(state, came.left_out, says, who)
    if came.how == "again":
        due_now, had = ", ".join(due(state)), state.turns.progress.had[who]
        says = f"{who} had its turn in round {state.clock.round}; due: {due_now}"
        yield Fault(HIGHEST_FIRST, says, due_now, who, (had,))


HIGHEST_FIRST = ("initiative.highest-first",)


def _class_of(state: NamelessState, fact: Reading[TurnStarted], passed: str) -> str:
    """Return the rule to cite for a combatant who was passed over."""
    own, above = state.rolls.get(fact.event.combatant), state.rolls.get(passed)
    if own and above and above.total == own.total and above.dexterity > own.dexterity:
        return "initiative.tie-by-dexterity"
    now = state.clock.round + (1 if fact.came.opens else 0)
    if state.first_rounds.get(passed) == now:
        return "initiative.late-arrival-inserted"
    return "initiative.highest-first"


def _passed_over(state: NamelessState, who: str, rule: str, others: list[str]) -> Fault:
    """Return the fault of a turn that begins before those of others."""
    names = ", ".join(f"{each} ({_place(state, each)})" for each in others)
    because = {placed_by(state, each) for each in (who, *others)}
    says = f"the turn of {who} ({_place(state, who)}) begins before that of {names}, still due"
    return Fault((rule,), says, others[0], who, tuple(sorted(because)))


def _place(state: NamelessState, who: str) -> str:
    roll = state.rolls.get(who)
    return f"{roll.total}, Dexterity {roll.dexterity:+}" if roll else "placed by ruling"


def _left_out(state: NamelessState, others: Sequence[str], says: str, found: str) -> Fault:
    """Return the fault of a round without a turn of a combatant, reported once per round."""
    over = state.turns.progress.passed_over
    had = {
        seq for who, seq in state.turns.progress.had.items() if who == found or not (who in over or state.is_out(who))
    }
    because = tuple(sorted({*(placed_by(state, who) for who in others), *had}))
    expected = f"the turn of {', '.join(others)}" if found != "none" else "a turn of everybody"
    return Fault(HIGHEST_FIRST, says, expected, found, because, ("left out", state.clock.round))


@check("initiative.highest-first", on=TurnResumed)
def no_turn_is_put_off(state: NamelessState, fact: Reading[TurnResumed]) -> Breach | None:
    who = fact.event.combatant
    if fact.on_own_turn or state.is_out(who):
        return None
    return Breach(f"{who} takes up a turn outside its place: none is put off here", state.clock.turn or "none", who)


# ---------------------------------------------------------------- rounds


@check("round.begins-with-first-in-order", on=RoundStarted)
def a_round_is_announced_when_it_comes(state: NamelessState, fact: Reading[RoundStarted]) -> Breach | None:
    said, now = fact.event.round, state.clock.round
    if said == now or (said == now + 1 and is_over(state)):
        return None
    waiting = ", ".join(due(state))
    still = f"it is still round {now}; due: {waiting}" if waiting else f"the next round is {now + 1}"
    return Breach(still, str(now if waiting else now + 1), str(said), state.clock.events)


@checks_by(*HIGHEST_FIRST, on=RoundEnded)
def a_round_ends_when_all_had_their_turn(state: NamelessState, fact: Reading[RoundEnded]) -> Iterator[Fault]:
    """Yield the fault if a round is recorded as over while a combatant is due."""
    now = state.clock.round
    said = now if fact.event.round is None else fact.event.round
    waiting = [who for who in due(state) if who not in state.turns.progress.passed_over]
    if said == now and waiting and not is_over(state):
        yield _left_out(state, waiting, f"round {now} is not over: {', '.join(waiting)} had no turn in it", "none")


@check("round.begins-with-first-in-order", on=RoundEnded)
def only_a_round_that_came_can_end(state: NamelessState, fact: Reading[RoundEnded]) -> Breach | None:
    said, now = fact.event.round, state.clock.round
    if said is None or said <= now:
        return None
    return Breach(f"round {said} is recorded as over, but it is {Point(now)}", str(now), str(said), state.clock.events)


# ---------------------------------------------------------------- durations


@check("effect.ends-at-turn-start", on=(EffectStarted, ConditionGained))
def a_duration_is_not_below_0(
    _state: NamelessState, fact: Reading[EffectStarted] | Reading[ConditionGained]
) -> Breach | None:
    said = fact.event.duration
    if said is None or said.amount >= 0:
        return None
    return Breach("a duration below 0 is over as it begins", "0 or more", f"{said.amount} {said.unit}")


@check("effect.ends-at-turn-start", on=EffectEnded)
def an_effect_expires_at_its_place(state: NamelessState, fact: Reading[EffectEnded]) -> Breach | None:
    event = fact.event
    if not is_expiry(event):
        return None
    over = found_over(state, event)
    if any(state.turn_seq in (ended.turn, ended.seq) for ended in over):
        return None
    found = matching(state.effects, event.effect, event.targets, event.source)
    running = [key for key in found if key in state.durations]
    if any(timers(state)[key].brief or timers(state)[key].unsure for key in running):
        return None
    if running:
        left = state.effects[running[0]].left
        return Breach(f"{event.effect} still runs", f"{left} left", "expired", (running[0][0],))
    if not over or may_run_on(state, over[-1]):
        return None
    last = over[-1]
    return Breach(f"{event.effect} ended in round {last.round}, earlier than this", "ended", "expired", (last.seq,))


@check("effect.ends-at-turn-start", on=(DamageDealt, Healed, EffectStarted, ConditionGained))
def what_is_over_does_nothing(
    state: NamelessState, fact: Reading[DamageDealt | Healed | EffectStarted | ConditionGained]
) -> Breach | None:
    """Report an outcome of an effect that has ended, or of a roll for it; at the moment of the effect's end it is
    allowed.
    """
    event = fact.event
    cause = origin(state, event.cause or 0)
    ends = filter(None, (last_ended(state, cause, who) for who in whom_about(event) or ("",)))
    now = (cause, state.turn_seq)
    over = [last for last in ends if not may_run_on(state, last) and (last.seq, last.turn) != now]
    if not over:
        return None
    says = f"{over[0].effect.name} ended in round {over[0].round} and can do nothing more"
    found = str(event.amount) if isinstance(event, DamageDealt | Healed) else "an outcome"
    return Breach(says, "nothing", found, (cause, over[0].seq))


# ---------------------------------------------------------------- countered spells, hit points


@check("reaction.spell-countered", on=(DamageDealt, Healed, EffectStarted))
def a_countered_spell_does_nothing(
    state: NamelessState, fact: Reading[DamageDealt] | Reading[Healed] | Reading[EffectStarted]
) -> Breach | None:
    act = fact.behind
    if act is None or act.seq not in state.spoiled:
        return None
    says = f"{act.action.name or 'the spell'} of {act.combatant} was countered"
    return Breach(says, "nothing", "an outcome", (act.seq, state.spoiled[act.seq]))


@check("health.damage", on=(ActionTaken, Moved))
def the_fallen_do_nothing(_state: NamelessState, fact: Reading[ActionTaken] | Reading[Moved]) -> Breach | None:
    """Report a move, or an act with a cost, of a combatant who is down; words and the like cost nothing."""
    event = fact.event
    free = isinstance(event, ActionTaken) and (cost_of(fact.one, event) == NONE or fact.is_granted("health.damage"))
    return None if free else acts_while_down(fact.one, event, silent=True)


@check("health.damage", on=(DamageDealt, Healed))
def amounts_are_plain_hit_points(_state: NamelessState, fact: Reading[DamageDealt] | Reading[Healed]) -> Breach | None:
    event, says, found = fact.event, "", ""
    if event.nonlethal:
        says, found = "this text has no non-lethal damage: it counts as any other", "non-lethal damage"
    elif isinstance(event, Healed) and event.temporary:
        says, found = "this text has no temporary points: they count as healing", "temporary points"
    return breach_of_amount(event) or (Breach(says, "hit points", found, silent=True) if found else None)
