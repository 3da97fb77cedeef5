"""The rulebook on order, rounds, durations and hit points: each check looks at a fact before it takes hold.

Which rule is cited for what is the table at the head of the catalogue. What is spent, and the ground, have modules of
their own: spending.py, ground.py.
"""

from decimal import Decimal

from eventstore.events import (
    ConditionGained,
    DamageDealt,
    EffectEnded,
    EffectStarted,
    Healed,
    InitiativeRolled,
    RoundEnded,
    RoundStarted,
    TurnResumed,
    TurnStarted,
)
from projections.mechanics.conditions import matching
from projections.occurrence import Occurrence
from projections.rulesets.nameless_journey.effects import found_over, is_expiry
from projections.rulesets.nameless_journey.order import face, placed_by, places, rollers, total_of, undecided
from projections.rulesets.nameless_journey.reactions import act_behind
from projections.rulesets.nameless_journey.resources import granted, has_turn
from projections.rulesets.nameless_journey.state import NamelessState
from projections.rulesets.nameless_journey.turns import AGAIN, EARLY, UNPLACED, Arrival, arrival, due, is_over
from projections.rulesets.nameless_journey.vitals import is_out
from projections.rulesets.ruleset import Breach, check

# ---------------------------------------------------------------- rolls


@check("initiative.d20-plus-dexterity", on=InitiativeRolled)
def initiative_is_one_d20_and_dexterity(state: NamelessState, fact: Occurrence[InitiativeRolled]) -> Breach | None:
    event = fact.event
    names = ", ".join(rollers(state, event)) or "nobody"
    if event.die is not None and not 1 <= face(event.die) <= 20:
        return Breach(f"the d20 of {names} shows {face(event.die)}", "1 to 20", str(face(event.die)))
    if event.tie_with:
        return None
    again = [who for who in rollers(state, event) if who in state.rolls and who not in state.returned]
    if again and not granted(state, "initiative.d20-plus-dexterity", again[0]):
        first = tuple(state.rolls[who].seq for who in again)
        return Breach(f"{', '.join(again)} rolled before: the first roll counts", "one roll", "a further one", first)
    return _written_down_wrong(state, event)


def _written_down_wrong(state: NamelessState, event: InitiativeRolled) -> Breach | None:
    """Return the breach of a bonus or total that is not what sheet and die come to."""
    who = event.combatant
    if who is None:
        return None
    bonus, total = int(state.combatants[who].sheet.dexterity), total_of(state, who, event)
    if total is None:
        return Breach(f"the roll of {who} says no number", "a d20", "none")
    if event.bonus not in (None, bonus):
        says = f"{who} has a Dexterity bonus of {bonus}: the roll comes to {total}"
        return Breach(says, str(bonus), str(event.bonus), (state.combatants[who].joined,))
    if event.total is not None and Decimal(event.total) != total:
        return Breach(f"the roll of {who} comes to {total}", str(total), str(event.total))
    return None


@check("initiative.tie-by-dexterity", on=InitiativeRolled)
def a_roll_off_is_bare(state: NamelessState, fact: Occurrence[InitiativeRolled]) -> Breach | None:
    event = fact.event
    if not event.tie_with or event.die is None or state.option("full-tie") != "roll-off":
        return None
    shown = face(event.die)
    if not event.bonus and (event.total is None or Decimal(event.total) == shown):
        return None
    return Breach("those who are level roll a bare d20", str(shown), str(event.total or shown + (event.bonus or 0)))


# ---------------------------------------------------------------- turns


@check("initiative.before-fighting", on=TurnStarted)
def everybody_rolls_before_the_first_turn(state: NamelessState, fact: Occurrence[TurnStarted]) -> Breach | None:
    who = fact.event.combatant
    if state.started:
        if _came(state, fact).word != UNPLACED or who in state.newcomers or is_out(state, who):
            return None
        return Breach(f"{who} has no initiative and no place", "a roll before the fight", "none", (state.started,))
    missing = [one for one in state.here() if one.id not in places(state) and not is_out(state, one.id)]
    if not missing:
        return None
    says = f"the first turn begins, and {', '.join(one.id for one in missing)} did not roll for initiative"
    return Breach(says, "a roll of everybody", "none", tuple(one.joined for one in missing))


def _came(state: NamelessState, fact: Occurrence[TurnStarted]) -> Arrival:
    """Return what the beginning of a turn comes to.

    Whoever has it together with others does not jump them, nor those with whom a roll-off is still open: that is a
    finding of its own.
    """
    who, together = fact.event.combatant, fact.event.together
    came, level = arrival(state, who), undecided(state, who)
    return Arrival(
        came.word,
        came.opens,
        tuple(each for each in came.jumped if each not in together and each not in level),
        tuple(each for each in came.left_out if each not in together),
    )


@check("initiative.late-arrival-rolls", on=TurnStarted)
def a_newcomer_rolls_too(state: NamelessState, fact: Occurrence[TurnStarted]) -> Breach | None:
    who = fact.event.combatant
    if who not in state.newcomers or arrival(state, who).word != UNPLACED or is_out(state, who):
        return None
    says = f"{who} begins a turn and has no initiative, so no place"
    return Breach(says, "a roll", "none", (state.combatants[who].joined,))


@check("initiative.late-arrival-waits", on=TurnStarted)
def a_newcomer_waits_for_its_turn(state: NamelessState, fact: Occurrence[TurnStarted]) -> Breach | None:
    who = fact.event.combatant
    if arrival(state, who).word != EARLY:
        return None
    says = f"the place of {who} had gone by when it rolled: its first turn is in round {state.first_rounds[who]}"
    return Breach(says, f"round {state.first_rounds[who]}", f"round {state.clock.round}", (state.newcomers[who],))


def _class_of(state: NamelessState, who: str, came: Arrival, jumped: str) -> str:
    """Return the rule to cite for somebody who was jumped."""
    own, above = state.rolls.get(who), state.rolls.get(jumped)
    if own and above and above.total == own.total and above.dexterity > own.dexterity:
        return "initiative.tie-by-dexterity"
    now = state.clock.round + (1 if came.opens else 0)
    if jumped in state.newcomers and state.first_rounds.get(jumped) == now:
        return "initiative.late-arrival-inserted"
    return "initiative.highest-first"


def _jumped(state: NamelessState, fact: Occurrence[TurnStarted], rule: str) -> Breach | None:
    """Return the breach of a turn that begins before those whose jump is cited by this rule."""
    who, came = fact.event.combatant, _came(state, fact)
    others = [each for each in came.jumped if _class_of(state, who, came, each) == rule]
    if not others:
        return None
    names = ", ".join(f"{each} ({_place(state, each)})" for each in others)
    because = {placed_by(state, each) for each in (who, *others)}
    says = f"the turn of {who} ({_place(state, who)}) begins before that of {names}, still due"
    return Breach(says, others[0], who, tuple(sorted(because)))


def _place(state: NamelessState, who: str) -> str:
    roll = state.rolls.get(who)
    return f"{roll.total}, Dexterity {roll.dexterity:+}" if roll else "placed by ruling"


@check("initiative.tie-by-dexterity", on=TurnStarted, group="tie")
def more_dexterity_comes_first(state: NamelessState, fact: Occurrence[TurnStarted]) -> Breach | None:
    return _jumped(state, fact, "initiative.tie-by-dexterity")


@check("initiative.tie-by-dexterity", on=TurnStarted, group="tie")
def a_full_tie_is_rolled_off(state: NamelessState, fact: Occurrence[TurnStarted]) -> Breach | None:
    level = undecided(state, fact.event.combatant)
    if all(who in state.open_ties for who in level):
        return None
    says = f"{', '.join(level)} are level and have not rolled it off"
    return Breach(says, "a bare d20 of each", "none", tuple(sorted(state.rolls[who].seq for who in level)))


@check("initiative.late-arrival-inserted", on=TurnStarted)
def a_newcomer_is_in_its_place(state: NamelessState, fact: Occurrence[TurnStarted]) -> Breach | None:
    return _jumped(state, fact, "initiative.late-arrival-inserted")


@check("initiative.highest-first", on=TurnStarted, group="order")
def the_higher_comes_first(state: NamelessState, fact: Occurrence[TurnStarted]) -> Breach | None:
    return _jumped(state, fact, "initiative.highest-first")


@check("initiative.highest-first", on=TurnStarted, group="order")
def everybody_has_a_turn_in_the_round(state: NamelessState, fact: Occurrence[TurnStarted]) -> Breach | None:
    others = _came(state, fact).left_out
    if not others:
        return None
    names, now = ", ".join(others), state.clock.round
    says = f"round {now} closes, and {names} had no turn in it"
    return Breach(
        says, f"the turn of {names}", fact.event.combatant, tuple(sorted({placed_by(state, who) for who in others}))
    )


@check("initiative.highest-first", on=TurnStarted, group="order")
def nobody_has_two_turns_in_a_round(state: NamelessState, fact: Occurrence[TurnStarted]) -> Breach | None:
    who = fact.event.combatant
    if arrival(state, who).word != AGAIN:
        return None
    due_now = ", ".join(due(state))
    says = f"{who} had its turn in round {state.clock.round}; due: {due_now}"
    return Breach(says, due_now, who, (state.had[who],) if who in state.had else ())


@check("initiative.highest-first", on=TurnResumed)
def no_turn_is_put_off(state: NamelessState, fact: Occurrence[TurnResumed]) -> Breach | None:
    who = fact.event.combatant
    if has_turn(state, who) or is_out(state, who):
        return None
    return Breach(f"{who} takes up a turn outside its place: none is put off here", state.clock.turn or "none", who)


# ---------------------------------------------------------------- rounds


@check("round.begins-with-first-in-order", on=RoundStarted)
def a_round_is_announced_when_it_comes(state: NamelessState, fact: Occurrence[RoundStarted]) -> Breach | None:
    said, now = fact.event.round, state.clock.round
    if said == now or (said == now + 1 and is_over(state)):
        return None
    waiting = ", ".join(due(state))
    still = f"it is still round {now}; due: {waiting}" if waiting else f"the next round is {now + 1}"
    return Breach(still, str(now if waiting else now + 1), str(said), state.clock.events)


@check("initiative.highest-first", on=RoundEnded)
def a_round_ends_when_all_had_their_turn(state: NamelessState, fact: Occurrence[RoundEnded]) -> Breach | None:
    now = state.clock.round
    said = now if fact.event.round is None else fact.event.round
    waiting = [who for who in due(state) if who not in state.jumped]
    if said != now or is_over(state) or not waiting:
        return None
    says = f"round {now} is not over: {', '.join(waiting)} had no turn in it"
    return Breach(says, "a turn of everybody", "none", tuple(sorted({placed_by(state, who) for who in waiting})))


@check("round.begins-with-first-in-order", on=RoundEnded)
def only_a_round_that_came_can_end(state: NamelessState, fact: Occurrence[RoundEnded]) -> Breach | None:
    said, now = fact.event.round, state.clock.round
    if said is None or said <= now:
        return None
    return Breach(f"round {said} is said to be over, it is round {now}", str(now), str(said), state.clock.events)


# ---------------------------------------------------------------- durations


@check("effect.ends-at-turn-start", on=(EffectStarted, ConditionGained))
def a_duration_is_not_below_0(
    _state: NamelessState, fact: Occurrence[EffectStarted] | Occurrence[ConditionGained]
) -> Breach | None:
    said = fact.event.duration
    if said is None or said.amount >= 0:
        return None
    return Breach("a duration below 0 is over as it begins", "0 or more", f"{said.amount} {said.unit}")


@check("effect.ends-at-turn-start", on=EffectEnded)
def an_effect_expires_at_its_place(state: NamelessState, fact: Occurrence[EffectEnded]) -> Breach | None:
    event = fact.event
    if not is_expiry(event):
        return None
    over = found_over(state, event)
    if any(ended.turn == state.turn_seq for ended in over):
        return None
    running = [key for key in matching(state.effects, event.effect, event.targets, event.source) if key in state.clocks]
    if any(state.clocks[key].brief for key in running):
        return None
    if running:
        left = state.effects[running[0]].left
        return Breach(f"{event.effect} still runs", f"{left} left", "expired", (running[0][0],))
    if not over:
        return None
    last = over[-1]
    return Breach(f"{event.effect} ended in round {last.round}, earlier than this", "ended", "expired", (last.seq,))


@check("effect.ends-at-turn-start", on=(DamageDealt, Healed))
def what_is_over_does_nothing(
    state: NamelessState, fact: Occurrence[DamageDealt] | Occurrence[Healed]
) -> Breach | None:
    cause, target = fact.cause, fact.event.target
    last = state.last_ended.get(cause)
    if last is None or (last.seq == cause and last.turn == state.turn_seq):
        return None
    if any((cause, bearer) in among for among in (state.effects, state.conditions) for bearer in (target, "")):
        return None
    says = f"{last.effect.name} ended in round {last.round} and does nothing any more"
    return Breach(says, "nothing", str(fact.event.amount), (cause, last.seq))


# ---------------------------------------------------------------- what a countered spell does, hit points


@check("reaction.spell-countered", on=(DamageDealt, Healed, EffectStarted))
def a_countered_spell_does_nothing(
    state: NamelessState, fact: Occurrence[DamageDealt] | Occurrence[Healed] | Occurrence[EffectStarted]
) -> Breach | None:
    act = act_behind(state, fact)
    if act is None or act.seq not in state.spoiled:
        return None
    name = act.action.name or "the spell"
    return Breach(
        f"{name} of {act.combatant} was countered", "nothing", "an outcome", (act.seq, state.spoiled[act.seq])
    )


@check("health.damage", on=(DamageDealt, Healed))
def amounts_are_plain_hit_points(
    _state: NamelessState, fact: Occurrence[DamageDealt] | Occurrence[Healed]
) -> Breach | None:
    event = fact.event
    if event.amount < 0:
        return Breach("an amount below 0 changes nothing", "0 or more", str(event.amount))
    if event.nonlethal:
        return Breach("this text has no non-lethal damage: it counts as any other", "hit points", "non-lethal damage")
    if isinstance(event, Healed) and event.temporary:
        return Breach("this text has no temporary points: they count as healing", "hit points", "temporary points")
    return None
