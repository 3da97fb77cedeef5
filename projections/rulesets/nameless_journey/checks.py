"""The checks on initiative, turns, rounds, outcomes and hit points; each looks at a fact before it is applied.

The table at the top of the catalogue says which rule is cited for what. The checks of acts are in budget.py and
reactions.py, those of stretches in movement.py.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from eventstore import events
from eventstore.events import ActionTaken, ConditionGained, DamageDealt, EffectStarted, Healed, InitiativeRolled, Moved
from projections.folds.effects import is_expiry
from projections.folds.order import combatants_of_roll
from projections.folds.vitals import breach_of_amount, breach_while_down
from projections.mechanics.candidates import subjects
from projections.mechanics.conditions import find_effects
from projections.mechanics.rolls import face, fits_sides
from projections.mechanics.turnlist import Beginning
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by, group_by_clause
from projections.ruleset.ruleset import Breach, check
from projections.rulesets.nameless_journey import effects
from projections.rulesets.nameless_journey.budget import NONE, WAITS, cost_of, is_exempt, is_granted
from projections.rulesets.nameless_journey.effects import last_end, may_run_on, origin_of_cause, running_timers
from projections.rulesets.nameless_journey.order import initiative_total, placing_record, restates, undecided
from projections.rulesets.nameless_journey.state import NamelessState
from projections.rulesets.nameless_journey.turns import beginning, combatants_due, is_round_over
from projections.scheduling.turn_schedule import turn_list
from projections.time import Length, Point

# ---------------------------------------------------------------- rolls


@check("initiative.d20-plus-dexterity", on=InitiativeRolled)
def initiative_is_one_d20_and_dexterity(state: NamelessState, fact: Occurrence[InitiativeRolled]) -> Breach | None:
    event = fact.event
    if event.die is not None and not fits_sides(event.die, 20):
        return Breach(f"a d20 cannot show {face(event.die)}", "1 to 20", str(face(event.die)))
    if event.tie_with:
        return None
    again = [who for who in combatants_of_roll(state, event) if who not in state.owing]
    if again and not restates(state, event) and not is_granted(state, "initiative.d20-plus-dexterity", again[0]):
        first = tuple(state.rolls[who].seq for who in again)
        return Breach(f"{' and '.join(again)} rolled already: the first roll counts", "one roll", "another", first)
    return _wrong_sum(state, event)


def _wrong_sum(state: NamelessState, event: InitiativeRolled) -> Breach | None:
    who = event.combatant
    if who is None:
        return None
    bonus, total = int(state.combatants[who].sheet.dexterity), initiative_total(state, who, event)
    if total is None:
        return Breach(f"{who}'s roll has no number", "a d20", "none")
    if event.bonus not in (None, bonus):
        says = f"{who} has a Dexterity bonus of {bonus:+}: the roll totals {total}"
        return Breach(says, f"{bonus:+}", f"{event.bonus:+}", (state.combatants[who].joined,))
    if event.total is not None and Decimal(event.total) != total:
        return Breach(f"{who}'s roll totals {total}", f"a total of {total}", f"a total of {event.total}")
    return None


@check("initiative.tie-by-dexterity", on=InitiativeRolled)
def a_roll_off_is_bare(state: NamelessState, fact: Occurrence[InitiativeRolled]) -> Breach | None:
    event = fact.event
    if not event.tie_with or event.die is None or state.option("full-tie") != "roll-off":
        return None
    shown = face(event.die)
    if not event.bonus and (event.total is None or Decimal(event.total) == shown):
        return None
    found = f"a total of {event.total or shown + (event.bonus or 0)}"
    return Breach("a roll-off is a bare d20", f"a total of {shown}", found)


# ---------------------------------------------------------------- turns

UNROLLED = ("initiative.before-fighting", "initiative.late-arrival-rolls")
TIED, INSERTED = "initiative.tie-by-dexterity", "initiative.late-arrival-inserted"
HIGHEST = "initiative.highest-first"


@checks_by(*UNROLLED, WAITS, TIED, INSERTED, HIGHEST, on=events.TurnStarted)
def a_turn_begins_in_its_place(state: NamelessState, fact: Occurrence[events.TurnStarted]) -> Iterator[Fault]:
    """Yield the faults of a turn that begins: of those who did not roll, and of its place in the order."""
    who, came = fact.event.combatant, beginning(state, fact.event)
    here = () if state.started else state.here()
    if missing := [one for one in here if one.id not in turn_list(state).places and not state.is_out(one.id)]:
        says = f"the first turn begins, but {' and '.join(one.id for one in missing)} did not roll initiative"
        yield Fault(UNROLLED[:1], says, "a roll for everybody", "none", tuple(one.joined for one in missing))
    if who in state.turns.newcomers and came.how == "unplaced" and not state.is_out(who):
        says = f"{who} begins a turn, but has rolled no initiative"
        yield Fault(UNROLLED[1:], says, "a roll", "none", (state.combatants[who].joined,))
    if came.how == "early":
        first, newcomer = state.first_rounds[who], (state.turns.newcomers[who],)
        says = f"{who}'s place had passed when it rolled: its first turn is in round {first}"
        yield Fault((WAITS,), says, f"round {first}", f"round {state.clock.round}", newcomer)
    yield from _order_faults(state, who, came)


def _order_faults(state: NamelessState, who: str, came: Beginning) -> Iterator[Fault]:
    level = undecided(state, who)
    passed = [each for each in came.passes_over if each not in level]
    for rule, others in group_by_clause(passed, lambda each: _clause_of_passing(state, who, came, each)).items():
        names = ", ".join(f"{each} ({_format_place(state, each)})" for each in others)
        because = {placing_record(state, each) for each in (who, *others)}
        are, place = "are" if len(others) > 1 else "is", _format_place(state, who)
        says = f"{who} ({place}) begins its turn, but {names} {are} still due"
        yield Fault((rule,), says, others[0], who, tuple(sorted(because)))
    if level:
        rolled = {state.rolls[who].seq for who in level}
        says = f"{' and '.join(level)} are tied, and have not rolled off"
        yield Fault((TIED,), says, "a bare d20 each", "none", tuple(sorted(rolled)), tuple(level))
    if came.left_out:
        says = f"round {state.clock.round} ends, but {' and '.join(came.left_out)} had no turn in it"
        yield _left_out_fault(state, came.left_out, says, who)
    if came.how == "again":
        due_now, had = ", ".join(combatants_due(state)), state.turns.progress.had[who]
        says = f"{who} has had its turn in round {state.clock.round}; {due_now} is due"
        yield Fault((HIGHEST,), says, due_now, who, (had,))


def _clause_of_passing(state: NamelessState, who: str, came: Beginning, passed: str) -> str:
    own, above = state.rolls.get(who), state.rolls.get(passed)
    if own and above and above.total == own.total and above.dexterity > own.dexterity:
        return TIED
    now = state.clock.round + (1 if came.opens else 0)
    return INSERTED if state.first_rounds.get(passed) == now else HIGHEST


def _format_place(state: NamelessState, who: str) -> str:
    roll = state.rolls.get(who)
    return f"{roll.total}, Dexterity {roll.dexterity:+}" if roll else "placed by ruling"


def _left_out_fault(state: NamelessState, others: Sequence[str], says: str, found: str) -> Fault:
    progress = state.turns.progress
    gone = {who for who in progress.had if who != found and (who in progress.passed_over or state.is_out(who))}
    had = {seq for who, seq in progress.had.items() if who not in gone}
    because = tuple(sorted({*(placing_record(state, who) for who in others), *had}))
    expected = " and ".join(f"{each}'s turn" for each in others)
    return Fault((HIGHEST,), says, expected, found, because, ("left out", state.clock.round))


@check(HIGHEST, on=events.TurnResumed)
def no_turn_is_put_off(state: NamelessState, fact: Occurrence[events.TurnResumed]) -> Breach | None:
    who = fact.event.combatant
    if state.clock.is_turn_of(who) or state.is_out(who):
        return None
    return Breach(f"{who} takes up a turn outside its place: none is put off here", state.clock.turn or "none", who)


# ---------------------------------------------------------------- rounds

BEGINS = ("round.begins-with-first-in-order",)


@checks_by(HIGHEST, *BEGINS, on=(events.RoundStarted, events.RoundEnded))
def rounds_are_those_of_the_turns(
    state: NamelessState, fact: Occurrence[events.RoundStarted | events.RoundEnded]
) -> Iterator[Fault]:
    """Yield the fault of a round that is announced before it comes, or recorded as over before it is."""
    clock, said = state.clock, fact.event.round
    now, waiting = clock.round, combatants_due(state)
    if isinstance(fact.event, events.RoundStarted):
        if said != now and not (said == now + 1 and is_round_over(state)):
            still = f"it is still round {now}; {waiting[0]} is due" if waiting else f"the next round is {now + 1}"
            yield Fault(BEGINS, still, f"round {now if waiting else now + 1}", f"round {said}", clock.events)
    elif said is not None and said > now:
        says = f"round {said} is recorded as over, but it is {Point(now)}"
        yield Fault(BEGINS, says, f"round {now}", f"round {said}", clock.events)
    elif said in (None, now) and not is_round_over(state):
        lacking = [who for who in waiting if who not in state.turns.progress.passed_over]
        if lacking:
            says = f"round {now} is not over: {' and '.join(lacking)} had no turn in it"
            yield _left_out_fault(state, lacking, says, "none")


# ---------------------------------------------------------------- durations

ENDS = "effect.ends-at-turn-start"


@check(ENDS, on=events.EffectEnded)
def an_effect_expires_at_its_place(state: NamelessState, fact: Occurrence[events.EffectEnded]) -> Breach | None:
    event = fact.event
    if not is_expiry(event):
        return None
    over = effects.effects_run_out(state, event)
    if any(state.turn_seq in (ended.turn, ended.seq) for ended in over):
        return None
    found = find_effects(state.effects, event.effect, event.targets, event.source)
    running = [key for key in found if key in state.durations]
    if any(running_timers(state)[key].brief or running_timers(state)[key].unsure for key in running):
        return None
    if running:
        one = state.effects[running[0]]
        left = Length(one.left or 0, one.duration.unit if one.duration else "round")
        return Breach(f"{event.effect} is not over yet", f"{left} left", "expired", (running[0][0],))
    if not over or may_run_on(state, over[-1]):
        return None
    last = over[-1]
    says = f"{event.effect} had already ended in round {last.round}"
    return Breach(says, f"its end in round {last.round}", "an end here", (last.seq,))


Outcome = DamageDealt | Healed | EffectStarted | ConditionGained


@checks_by(ENDS, on=(DamageDealt, Healed, EffectStarted, ConditionGained))
def what_is_over_does_nothing(state: NamelessState, fact: Occurrence[Outcome]) -> Iterator[Fault]:
    """Yield the fault of a duration below 0, and of an outcome of an effect that has ended, or of a roll for it; at the
    moment of the effect's end it is allowed.
    """
    event = fact.event
    if isinstance(event, EffectStarted | ConditionGained) and (said := event.duration) and said.amount < 0:
        says, found = "a duration below 0 is over at once", f"{said.amount} {said.unit}s"
        yield Fault((ENDS,), says, f"0 {said.unit}s or more", found)
    cause = origin_of_cause(state, event.cause or 0)
    ends = filter(None, (last_end(state, cause, who) for who in subjects(event) or ("",)))
    now = (cause, state.turn_seq)
    over = [last for last in ends if not may_run_on(state, last) and (last.seq, last.turn) != now]
    if over:
        says = f"{over[0].effect.name} ended in round {over[0].round}, and does nothing more"
        yield Fault((ENDS,), says, "no outcome", "an outcome", (cause, over[0].seq))


# ---------------------------------------------------------------- hit points


@check("health.damage", on=(ActionTaken, Moved), unless=is_exempt)
def the_fallen_do_nothing(state: NamelessState, fact: Occurrence[ActionTaken | Moved]) -> Breach | None:
    """Report a move, or an act with a cost, of a combatant who is down; words and the like cost nothing."""
    event, one = fact.event, state.combatants[fact.event.combatant]
    if isinstance(event, ActionTaken) and cost_of(one, event) == NONE:
        return None
    return breach_while_down(one, event, silent=True)


@check("health.damage", on=(DamageDealt, Healed))
def amounts_are_plain_hit_points(_state: NamelessState, fact: Occurrence[DamageDealt | Healed]) -> Breach | None:
    event, says, found = fact.event, "", ""
    if event.nonlethal:
        says, found = "this text has no non-lethal damage: it counts as any other", "non-lethal damage"
    elif isinstance(event, Healed) and event.temporary:
        says, found = "this text has no temporary points: they count as healing", "temporary points"
    return breach_of_amount(event) or (Breach(says, "hit points", found, silent=True) if found else None)
