"""The effects of spells: which casting an effect belongs to, and when it comes."""

from itertools import takewhile
from typing import TYPE_CHECKING

from eventstore.events import ConditionGained, DamageDealt, EffectStarted, Healed
from projections.because import Because
from projections.mechanics import work
from projections.mechanics.acts import action_word
from projections.mechanics.work import same
from projections.rulesets.osric.spells import casting_as_declared, due_key, ending, is_begun, keep_casting
from projections.rulesets.osric.state import END, Casting, Order, OsricState, Seen
from projections.rulesets.osric.surprise import counted_through
from projections.rulesets.ruleset import derives
from projections.stream.causes import causes
from projections.time import Point

if TYPE_CHECKING:
    from projections.rulesets.osric.reading import Reading

FULFILS = (EffectStarted, DamageDealt, Healed, ConditionGained)
"""Facts that can be the effect of a casting."""


@derives("spell.completes-after-casting-time", on=FULFILS)
def takes_effect(state: OsricState, fact: "Reading") -> None:
    """Complete the casting of an effect."""
    casting = fact.casting
    if casting is None:
        _may_take_effect(state, fact)
        return
    state.touched.add(casting.who)
    due, point = due_key(state, casting).value, moment_of_effect(state, fact)
    key = due if is_timely(state, casting, fact) else Order(point.round, point.segment, due.band)
    begun = is_begun(state, casting)
    state.round.keys[fact.seq] = key
    if begun or isinstance(fact.event, EffectStarted):
        state.round.seen.append(Seen(fact.seq, key, casting))
    if (begun or casting.seq not in state.begun) and all(one is not casting for one in state.castings):
        keep_casting(state, casting)
    work.complete(casting, fact.seq, counted_through(state, point), Because(takes_effect.rules), key)


def _may_take_effect(state: OsricState, fact: "Reading") -> None:
    """Mark casters as unsure whose spell is due, if an outcome without a cause may be the effect of the spell."""
    if fact.cause or isinstance(fact.event, EffectStarted):
        return
    here, source = Order(state.clock.point.round, state.clock.point.segment, END), fact.event.source
    for one in state.castings:
        if source in (None, one.who) and due_key(state, one).value <= here and ending(state, one).value is None:
            state.unsure[one.who] = state.reached


def moment_of_effect(state: OsricState, fact: "Reading") -> Point:
    """Return when an effect comes: in its recorded segment, else now, as an effect comes after the start of its casting."""
    return fact.point if fact.event.segment is not None else state.clock.point


def is_timely(state: OsricState, casting: Casting, fact: "Reading") -> bool:
    """Return whether an effect is recorded in the segment in which it is due, or without one in that round."""
    due, point = due_key(state, casting).value, moment_of_effect(state, fact)
    unplaced = point.segment == 0 and fact.event.segment is None
    return due.round == point.round and (unplaced or not casting.key.segment or due.segment == point.segment)


def casting_of(state: OsricState, fact: "Reading") -> Casting | None:
    """Return the casting of an effect: the one that its cause names, else one of its source.

    Effects and conditions match a casting by name; damage and healing by the segment in which the spell is due, if the
    source has done nothing else in it.
    """
    event = fact.event
    if fact.cause:
        caused = _caused_by(state, fact)
        if caused or not isinstance(event, EffectStarted):
            return caused
    name = getattr(event, "effect", None) or getattr(event, "condition", None)
    if name is None and fact.fact.doubtful:
        return None
    source = event.source or (_only_caster(state, fact) if isinstance(event, EffectStarted) else "")
    if name is None:
        return _due_now(state, source, fact)
    known = _castings_of(state, source, name)
    return known[-1] if known else None


def _castings_of(state: OsricState, who: str, name: str | None) -> list[Casting]:
    """Return a combatant's castings of this name (None: any), the likeliest last."""
    known = (*state.past.values(), casting_as_declared(state, who, name), *state.castings)
    return [one for one in known if one and one.who == who and same(name, one.name)]


def _only_caster(state: OsricState, fact: "Reading") -> str:
    """Return the only combatant who is casting a spell with the name of an effect; "" if there is none, or several."""
    casters = [one.who for one in state.castings if same(fact.event.effect, one.name) and is_begun(state, one)]
    return casters[0] if len(casters) == 1 else ""


def _caused_by(state: OsricState, fact: "Reading") -> Casting | None:
    """Return the casting, begun or only declared, in the chain of a fact's causes."""
    chain = takewhile(lambda each: getattr(each.event, "cause", None), causes(state, fact.cause))
    for seq in (fact.cause, *(each.cause for each in chain)):
        if seq in state.begun:
            return state.begun[seq]
        if seq not in state.moments:  # a declaration has none
            said = {declared.seq: (who, action_word(declared.action)) for who, declared in state.round.said.items()}
            return casting_as_declared(state, *said[seq]) if seq in said else None
    return None


def _due_now(state: OsricState, source: str, fact: "Reading") -> Casting | None:
    """Return the casting of a source that is due at the moment of damage or healing.

    Of several, it is one whose start has a row, else one that is under way, and of those the first.
    """
    point = moment_of_effect(state, fact)
    due = [one for one in _castings_of(state, source, None) if _is_due_at(state, one, point)]
    rows = {one.seq for one in state.castings}
    return max(due, key=lambda one: (one.seq in rows, is_begun(state, one)), default=None)


def _is_due_at(state: OsricState, casting: Casting, point: Point) -> bool:
    due = due_key(state, casting).value
    return (due.round, due.segment) == (point.round, point.segment)
