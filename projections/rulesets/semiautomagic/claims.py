"""The rulebook, continued: which second an action claims, whose turn it is done in, and when what comes of it may come.

Of these checks only the first of a group reports, in the order in which the catalogue wants them cited.
"""

from eventstore.events import ActionTaken, ConditionGained, DamageDealt, EffectStarted, Healed
from projections.occurrence import Occurrence
from projections.rulesets.ruleset import Breach, check
from projections.rulesets.semiautomagic.checks import granted
from projections.rulesets.semiautomagic.delays import delay_of
from projections.rulesets.semiautomagic.outcomes import (
    AFTER_OWN_SECONDS,
    GIVEN_UP,
    IN_LATER_TURN,
    ON_OWN_TURN,
    RUNS_ON,
    Outcome,
    fault,
)
from projections.rulesets.semiautomagic.seconds import first_free, first_second, holders, own_turn
from projections.rulesets.semiautomagic.state import SECONDS, Act, SemiautomagicState, Turn
from projections.rulesets.semiautomagic.times import cost, takes_seconds
from projections.state import action_word

OUTCOMES = (DamageDealt, Healed, EffectStarted, ConditionGained)

# ---------------------------------------------------------------- whose turn


@check("action.own-turn", on=ActionTaken, group="turn")
def everybody_acts_in_its_own_turn(state: SemiautomagicState, fact: Occurrence[ActionTaken]) -> Breach | None:
    return _out_of_turn(state, fact) if takes_seconds(_cost(state, fact)) else None


@check("zero-second.own-turn", on=ActionTaken, group="turn")
def trifles_too_belong_to_the_own_turn(state: SemiautomagicState, fact: Occurrence[ActionTaken]) -> Breach | None:
    if takes_seconds(_cost(state, fact)) or state.option("zero-second-off-turn") == "allowed":
        return None
    return _out_of_turn(state, fact)


def _cost(state: SemiautomagicState, fact: Occurrence[ActionTaken]) -> int:
    return cost(state, fact.event.combatant, fact.event.action)


def _out_of_turn(state: SemiautomagicState, fact: Occurrence[ActionTaken]) -> Breach | None:
    who, taken = fact.event.combatant, _cost(state, fact)
    rule = "action.own-turn" if takes_seconds(taken) else "zero-second.own-turn"
    if own_turn(state, who, taken) or granted(state, rule, who):
        return None
    now = state.clock.turn
    because = (state.clock.turn_event,) if now else ()
    whose = f"the turn of {now}" if now else "nobody's turn"
    return Breach(
        f"it is {whose}: {action_word(fact.event.action)} of {who}", f"a turn of {who}", now or "none", because
    )


# ---------------------------------------------------------------- which second


def _held(state: SemiautomagicState, fact: Occurrence[ActionTaken]) -> tuple[Turn, list[tuple[Act, int]]] | None:
    """Return the turn that an action is done in, and what holds seconds that it claims; None where it claims none."""
    taken = _cost(state, fact)
    turn = own_turn(state, fact.event.combatant, taken)
    if turn is None or not takes_seconds(taken):
        return None
    start = first_second(turn, fact.event.second)
    return turn, (list(holders(turn, start, min(SECONDS, start + taken - 1))) if start else [])


@check("action.run-on-comes-first", on=ActionTaken, group="second")
def what_runs_on_comes_first(state: SemiautomagicState, fact: Occurrence[ActionTaken]) -> Breach | None:
    held = _held(state, fact)
    found = [act for act, _ in held[1] if act.turn != held[0].number] if held else []
    return _claims(found[0], "still needs this second") if found else None


@check("delay.other-finishes", on=ActionTaken, group="second")
def the_interrupted_goes_on_where_it_was(state: SemiautomagicState, fact: Occurrence[ActionTaken]) -> Breach | None:
    held = _held(state, fact)
    if held is None:
        return None
    turn, holding = held
    seqs = tuple(act.seq for act, second in holding if second <= turn.cut)
    start = first_second(turn, fact.event.second)
    if not seqs and (start is None or start > turn.cut):
        return None
    says = f"{turn.combatant} had spent {turn.cut} s of this turn before it was broken into"
    return Breach(says, f"second {turn.cut + 1} or later", f"second {start}", seqs)


@check("action.consecutive-seconds", on=ActionTaken, group="second")
def an_action_keeps_its_seconds(state: SemiautomagicState, fact: Occurrence[ActionTaken]) -> Breach | None:
    held = _held(state, fact)
    found = [act for act, _ in held[1] if act.seconds > 1] if held else []
    return _claims(found[0], "runs in this second") if found else None


@check("turn.six-second-budget", on=ActionTaken, group="second")
def a_turn_has_six_seconds(state: SemiautomagicState, fact: Occurrence[ActionTaken]) -> Breach | None:
    held = _held(state, fact)
    if held is None:
        return None
    turn, holding = held
    stated = fact.event.second
    if holding:
        return _claims(holding[0][0], "has spent this second")
    if stated is not None and not 1 <= stated <= SECONDS:
        return Breach(f"a turn has no second {stated}", f"1 to {SECONDS}", str(stated))
    if stated is None and first_free(turn) > SECONDS:
        seqs = tuple(act.seq for act in turn.acts if act.seconds > 0)
        return Breach(f"the six seconds of {turn.combatant} are spent", "a second that is left", "none", seqs)
    return None


def _claims(act: Act, why: str) -> Breach:
    return Breach(f"{action_word(act.action)} of {act.combatant} {why}", "a free second", "a second held", (act.seq,))


# ---------------------------------------------------------------- what comes of it


def _fault(state: SemiautomagicState, fact: Occurrence[Outcome], rule: str) -> Breach | None:
    found = fault(state, fact)
    return found[1] if found and found[0] == rule else None


@check(RUNS_ON, on=OUTCOMES, group="outcome")
def nothing_comes_of_an_action_before_its_end(state: SemiautomagicState, fact: Occurrence[Outcome]) -> Breach | None:
    return _fault(state, fact, RUNS_ON)


@check(GIVEN_UP, on=OUTCOMES, group="outcome")
def nothing_comes_of_what_was_given_up(state: SemiautomagicState, fact: Occurrence[Outcome]) -> Breach | None:
    return _fault(state, fact, GIVEN_UP)


@check(ON_OWN_TURN, on=OUTCOMES, group="outcome")
def a_delay_ends_in_a_turn_of_its_originator(state: SemiautomagicState, fact: Occurrence[Outcome]) -> Breach | None:
    return _fault(state, fact, ON_OWN_TURN)


@check(AFTER_OWN_SECONDS, on=OUTCOMES, group="outcome")
def a_delay_ends_when_its_seconds_are_over(state: SemiautomagicState, fact: Occurrence[Outcome]) -> Breach | None:
    return _fault(state, fact, AFTER_OWN_SECONDS)


@check(IN_LATER_TURN, on=OUTCOMES, group="outcome")
def what_is_left_of_a_delay_goes_on_in_later_turns(
    state: SemiautomagicState, fact: Occurrence[Outcome]
) -> Breach | None:
    return _fault(state, fact, IN_LATER_TURN)


@check(AFTER_OWN_SECONDS, on=ActionTaken)
def a_delay_is_not_below_zero(state: SemiautomagicState, fact: Occurrence[ActionTaken]) -> Breach | None:
    delay = delay_of(state, fact.event.combatant, fact.event)
    if delay is None or delay >= 0:
        return None
    return Breach(f"a delay of {delay} s: it counts as 0", "0 or more", str(delay))
