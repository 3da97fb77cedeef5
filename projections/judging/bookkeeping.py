"""The bookkeeping of every log, independent of its ruleset: the checks that all rulesets share."""

from __future__ import annotations

from typing import get_args

from eventstore import events
from eventstore.events import ActionTaken, DamageDealt, EffectStarted, Fact, Healed, Moved, RulingMade, TurnResumed
from eventstore.shapes import LARGEST
from eventstore.wording import nearest
from projections.address import NOTHING
from projections.folds.addresses import no_value, value_as_text, value_of
from projections.folds.objections import NAMING
from projections.folds.roster import presumed_use, resource_left
from projections.folds.rulings import refusal_of_ruling
from projections.folds.vitals import DEAD, is_moved
from projections.judging.book import catalogue
from projections.judging.known_words import known
from projections.mechanics.conditions import Effect, effects_of, find_effects
from projections.mechanics.grants import is_about
from projections.mechanics.pools import losses
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import Breach, check
from projections.state import State
from projections.stream.causes import causes
from projections.stream.named import named_ids

Deed = ActionTaken | events.ActionHeld | events.AttackRolled
Doing = Deed | Moved | events.TurnStarted | events.TurnDelayed | TurnResumed | events.CombatantLeft
Befalls = DamageDealt | Healed | EffectStarted | events.ConditionGained


@check("log.stranger", on=NAMING)
def everybody_named_has_joined(state: State, fact: Occurrence[Fact]) -> Breach | None:
    here, sides = state.combatants, state.sides
    for who in named_ids(fact.event):
        if who not in here and who not in sides:
            break
    else:
        return None
    return Breach(f"{who} has not joined: the fact counts only for the others", "someone who has joined", who)


@check("log.joining", on=events.CombatantJoined)
def nobody_joins_twice(state: State, fact: Occurrence[events.CombatantJoined]) -> Breach | None:
    one = state.combatants.get(fact.event.combatant)
    if one is None or one.left:
        return None
    return Breach(f"{one.id} is in the fight already", "a newcomer", f"joined by event {one.joined}", (one.joined,))


@check("log.joining", on=events.CombatantJoined)
def combatants_and_sides_have_names_of_their_own(
    state: State, fact: Occurrence[events.CombatantJoined]
) -> Breach | None:
    who, side = fact.event.combatant, fact.event.side
    if who in state.sides and who not in state.combatants:
        return Breach(f"{who} is a side already", "an id that no side has", who, (state.sides[who],))
    if side and side != who and side in state.combatants and side not in state.sides:
        joined = (state.combatants[side].joined,)
        return Breach(f"{side} is a combatant already", "a side that no combatant is called", side, joined)
    return None


@check("log.here", on=get_args(Doing))
def those_who_left_do_nothing(state: State, fact: Occurrence[Doing]) -> Breach | None:
    one = state.combatants[fact.event.combatant]
    if not one.left:
        return None
    return Breach(f"{one.id} has left the fight, and acts", "no act", "an act", (one.left,))


@check("log.here", on=get_args(Befalls))
def nothing_befalls_or_comes_from_those_long_gone(state: State, fact: Occurrence[Befalls]) -> Breach | None:
    event = fact.event
    involved = (*((event.target,) if isinstance(event, DamageDealt | Healed) else event.targets), event.source)
    gone = [state.combatants[who] for who in involved if who and _left_before(state, who)]
    if not gone or (gone[0].id == event.source and _still_works(state, event)):
        return None
    says = f"{gone[0].id} had left the fight before this {'turn' if state.clock.turn else 'round'} began"
    return Breach(says, "someone who is still there", gone[0].id, (gone[0].left,), "notice")


AWAKE = ("talk", "other", "phrase")
"""Kinds of action that may be no acts: a murmur, waking up."""


@check("log.unable", on=get_args(Deed))
def the_unable_do_nothing(state: State, fact: Occurrence[Deed]) -> Breach | None:
    if _belongs_to_an_act(state, fact):
        return None
    who, words = fact.event.combatant, known(state.rules.rules).unable
    if state.is_out(who) or ((action := getattr(fact.event, "action", None)) and action.plain_kind in AWAKE):
        return None
    for condition in effects_of(state.conditions, who):
        if condition.called in words and _began_before(state, condition, fact):
            return Breach(f"{who} is {condition.name} and acts", "no act", "an act", (condition.seq,), "notice")
    return None


@check("log.here", on=get_args(Deed | Moved))
def those_whom_a_ruling_calls_dead_do_nothing(state: State, fact: Occurrence[Deed | Moved]) -> Breach | None:
    """Find an act of the dead, unless the ruleset has a clause of its own on that. What comes in the same segment or
    second as the death may be simultaneous with it.
    """
    event, one = fact.event, state.combatants[fact.event.combatant]
    ruled = state.ruled.get(f"{one.id}.status")
    if ruled is None or one.status.casefold() != DEAD or one.left or state.rules.judges_the_dead:
        return None
    if is_moved(event) if isinstance(event, Moved) else _belongs_to_an_act(state, fact):
        return None
    is_timed = fact.point.segment or fact.point.second
    if is_timed and any(each.seq == ruled.seq and each.point == fact.point for each in state.rulings):
        return None
    return Breach(f"{one.id} is dead, and acts", "no act", "an act", one.standing.because.flat().events)


def _belongs_to_an_act(state: State, fact: Occurrence[Deed | Moved]) -> bool:
    act = state.moments.get(fact.cause)
    return act is not None and isinstance(act.event, ActionTaken) and act.event.combatant == fact.event.combatant


def _began_before(state: State, condition: Effect, fact: Occurrence[Fact]) -> bool:
    """Return whether a condition certainly began before a fact and does not run out with it; an outcome of an act may be
    simultaneous with the other acts of its segment or second, unless it is a spell's effect or has no recorded cause.
    """
    if state.rules.schedule.runs_out(state, condition, fact):
        return False
    if condition.since != fact.point or not (fact.point.segment or fact.point.second):
        return condition.since <= fact.point
    origins = [each.event for each in causes(state, condition.seq)][1:2]
    return all(isinstance(origin, EffectStarted) for origin in origins)


def _left_before(state: State, who: str) -> bool:
    """Return whether a combatant left before the present round or turn began; until then it can still be hit."""
    one = state.combatants.get(who)
    if one is None or not one.left:
        return False
    return any(state.precedes(one.left, each) for each in (state.clock.round_event, state.clock.turn_event))


def _still_works(state: State, event: Befalls) -> bool:
    """Return whether a fact results from an earlier act of its source: it names a cause, or an effect of the source runs."""
    if event.cause or any(effect.source == event.source for effect in state.effects.values()):
        return True
    if not isinstance(event, EffectStarted):
        return False
    return state.rules.schedule.pending(state, events.EffectEnded(effect=event.effect, source=event.source))


OF_THE_FIGHT = (
    events.RoundStarted, events.SegmentReached, events.PhaseReached, events.TurnStarted, events.TurnDelayed, TurnResumed,
    events.ActionDeclared, *get_args(Deed), events.SaveRolled, Moved, events.EncounterClosed, *get_args(Befalls),
)  # fmt: skip


@check("log.closed", on=OF_THE_FIGHT)
def nothing_happens_after_the_end(state: State, _fact: Occurrence[Fact]) -> Breach | None:
    if not state.closed:
        return None
    says = f"the fight ended with event {state.closed}"
    return Breach(says, "only notes, statements and rulings", "a fact of the fight", (state.closed,), "notice")


@check("log.effect", on=(events.EffectEnded, events.ConditionLost))
def what_ends_had_begun(
    state: State, fact: Occurrence[events.EffectEnded] | Occurrence[events.ConditionLost]
) -> Breach | None:
    event = fact.event
    if is_effect := isinstance(event, events.EffectEnded):
        what, name, among, source = "an effect", event.effect, state.effects, event.source
    else:
        what, name, among, source = "a condition", event.condition, state.conditions, None
    if any(find_effects(each, name, event.targets, source, anyone=is_effect) for each in (among, state.over)):
        return None
    if state.rules.schedule.pending(state, event):
        return None
    return Breach(f"{name} ends, but was not in effect", f"{what} to end", "none", severity="notice")


@check("log.turn", on=events.TurnEnded)
def whose_turn_ends_had_it(state: State, fact: Occurrence[events.TurnEnded]) -> Breach | None:
    who, clock = fact.event.combatant, state.clock
    if clock.is_turn_of(who):
        return None
    because = (clock.turn_event,) if clock.turn_event else ()
    return Breach(f"the turn of {who} ends, but it is not its turn", clock.turn or "nobody", who, because, "notice")


_TURNS = frozenset({events.TurnStarted, events.TurnEnded, events.TurnDelayed, TurnResumed})


@check("log.turn", on=TurnResumed)
def a_turn_that_is_taken_up_was_put_off(state: State, fact: Occurrence[TurnResumed]) -> Breach | None:
    """Find a turn that is taken up though nothing was put off, unless the ruleset has a clause of its own on that."""
    who = fact.event.combatant
    own = (each for series in state.rules.checks.get(TurnResumed, ()) for each in series.checks)
    delays = (past.event.combatant for past in state.moments.values() if isinstance(past.event, events.TurnDelayed))
    if who in state.turns.in_hand or who in delays or any({*each.on} <= _TURNS for each in own):
        return None
    return Breach(f"{who} takes up a turn, but has put off none", "a turn put off", NOTHING, (), "notice")


@check("log.limit", on=(DamageDealt, Healed))
def points_stay_within_the_limit(state: State, fact: Occurrence[DamageDealt] | Occurrence[Healed]) -> Breach | None:
    event, one = fact.event, state.combatants[fact.event.target]
    hp = one.hp or 0
    if event.amount + max(abs(hp), abs(one.temp), abs(one.nld)) <= LARGEST:
        return None
    rules = state.rules.pools(state, one)
    lost = losses(one.hp, one.hp_max, one.temp, one.nld, event, rules)
    bounded = rules.floor is not None if isinstance(event, DamageDealt) else rules.capped and one.hp_max is not None
    cut = lost.beyond != 0 and not bounded and abs(hp - lost.hp) == LARGEST
    found = max(abs(one.temp - lost.temp), abs(one.nld - lost.nld))
    return _breach_of_limit() if cut or found > LARGEST else None


@check("log.limit", on=events.ResourceChanged)
def resources_stay_within_the_limit(state: State, fact: Occurrence[events.ResourceChanged]) -> Breach | None:
    left = resource_left(state, fact.event)
    return _breach_of_limit() if abs(left) == LARGEST and fact.event.left != left else None


def _breach_of_limit() -> Breach:
    return Breach(f"the points would go beyond what a log can hold, ±{LARGEST:,}")


@check("log.statement", on=events.ResourceChanged)
def what_is_left_was_counted_right(state: State, fact: Occurrence[events.ResourceChanged]) -> Breach | None:
    event, left = fact.event, resource_left(state, fact.event) + presumed_use(state, fact)
    if event.left in (None, left):
        return None
    says = f"{event.combatant} has {left} {event.resource} left, but {event.left} is recorded"
    return Breach(says, f"{left} left", f"{event.left} left")


@check("log.unit", on=(EffectStarted, events.ConditionGained))
def a_duration_has_a_unit_that_is_counted(
    state: State, fact: Occurrence[EffectStarted] | Occurrence[events.ConditionGained]
) -> Breach | None:
    length = state.rules.calendar.length(fact.event.duration)
    if length is None or state.rules.calendar.count_units(length, "second") is not None:
        return None
    known = state.rules.calendar.seconds
    says = f"{length.unit} is not a unit of {state.rules.key}{_hint_in_parentheses(nearest(length.unit, known))}"
    return Breach(says, ", ".join(known), length.unit, severity="notice")


def _hint_in_parentheses(hint: str) -> str:
    return f" ({hint})" if hint else ""


@check("log.ruling", on=RulingMade)
def a_ruling_can_take_hold(state: State, fact: Occurrence[RulingMade]) -> Breach | None:
    event = fact.event
    if event.ruling == "waiver" and event.event is None and event.rule is None:
        return Breach("the waiver names neither an event nor a rule", "an event or a rule", NOTHING)
    clauses = [clause.id for book in (catalogue(), state.rules.catalogue()) for clause in book.rule]
    if event.ruling == "waiver" and event.rule is not None and event.rule not in clauses:
        hint = _hint_in_parentheses(nearest(event.rule, clauses))
        return Breach(f"the waiver names {event.rule}, which is not a rule here{hint}", "a rule", event.rule)
    for address, value in (event.values or {}).items() if event.ruling == "override" else ():
        if wanted := refusal_of_ruling(state, address, value):
            said = value_as_text(value)
            return Breach(f"{address} cannot be {said}: the override has no effect", wanted, said)
    return None


@check("log.grant", on=RulingMade)
def a_grant_names_what_it_permits(_state: State, fact: Occurrence[RulingMade]) -> Breach | None:
    if fact.event.ruling != "grant" or is_about(fact.event):
        return None
    says = "the grant does not say what it allows: it has no effect"
    return Breach(says, "a rule, an act, an event or a combatant", NOTHING, severity="notice")


@check("log.address", on=RulingMade)
def an_override_names_a_value(state: State, fact: Occurrence[RulingMade]) -> Breach | None:
    wrong = [a for a in (fact.event.values or {}) if fact.event.ruling == "override" and value_of(state, a) is None]
    return Breach(no_value(state, wrong[0]), "a value", wrong[0]) if wrong else None


@check("log.ruling", on=RulingMade)
def a_ruling_names_its_subject(_state: State, fact: Occurrence[RulingMade]) -> Breach | None:
    match event := fact.event:
        case RulingMade(ruling="override") if not is_about(event):
            says, expected = "the override names no value", "a value"
        case RulingMade(ruling="tie") if not (event.combatants or event.values or event.modifiers):
            says, expected = "the ruling on a tie names nobody", "the combatants, in their order"
        case RulingMade(ruling="reveal", event=None):
            says, expected = "the reveal names no event", "an event"
        case _:
            return None
    return Breach(f"{says}: it has no effect", expected, NOTHING, severity="notice")
