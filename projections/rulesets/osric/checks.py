"""The rulebook: each check looks at a fact before it takes hold and says what it breaks.

Of the checks in one group only the first that finds something reports; they stand in the order in which the catalogue
wants them cited.
"""

from eventstore.events import (
    ActionDeclared,
    ActionTaken,
    DamageDealt,
    EffectStarted,
    Healed,
    InitiativeRolled,
    RoundStarted,
    SegmentReached,
    SurpriseRolled,
)
from projections.rulesets.osric.casting import casting_of
from projections.rulesets.osric.order import act_key, face, own_key
from projections.rulesets.osric.state import SEGMENTS, OsricState, absolute, from_absolute
from projections.rulesets.ruleset import Breach, check
from projections.state import Told, action_word
from projections.time import Point

FREE = ("talk",)
"""Kinds of action that cost nothing and are never out of place."""

# ---------------------------------------------------------------- dice and clock


@check("surprise.die-each-side", on=SurpriseRolled)
def surprise_die_shows_1_to_6(_state: OsricState, told: Told[SurpriseRolled]) -> Breach | None:
    shown = face(told.event.die)
    if 1 <= shown <= 6:
        return None
    return Breach(f"the surprise die of {told.event.side} shows {shown}", "1 to 6", str(shown), (told.seq,))


@check("initiative.d6-each-side", on=InitiativeRolled)
def initiative_is_one_d6(state: OsricState, told: Told[InitiativeRolled]) -> Breach | None:
    event = told.event
    first = state.dice.get(event.side or "")
    if first:
        return Breach(f"{event.side} has rolled already: the first die stands", "one die", "a second", (first.seq,))
    shown = face(event.die) if event.die is not None else 0
    if 1 <= shown <= 6:
        return None
    return Breach(f"the initiative die of {event.side} shows {shown}", "1 to 6", str(shown), (told.seq,))


@check("time.round-is-ten-segments", on=SegmentReached)
def segment_is_one_of_ten(state: OsricState, told: Told[SegmentReached]) -> Breach | None:
    return _outside(Point(state.clock.point.round, segment=told.event.segment), told)


@check("round.next-declarations", on=RoundStarted)
def rounds_follow_each_other(state: OsricState, told: Told[RoundStarted]) -> Breach | None:
    clock = state.clock
    due = clock.point.round + 1
    if told.event.round != due:
        return Breach(f"round {told.event.round} is opened where round {due} is due", str(due), str(told.event.round))
    if clock.open:
        says = f"round {due} is opened while round {clock.point.round} was never closed"
        return Breach(says, f"round {clock.point.round} closed", "still open", (clock.round_event,))
    return None


# ---------------------------------------------------------------- declarations


@check("declare.spells-before-initiative", on=ActionDeclared)
def spell_is_declared_before_the_dice(state: OsricState, told: Told[ActionDeclared]) -> Breach | None:
    if told.event.action.kind != "cast" or not state.dice:
        return None
    first = min(rolled.seq for rolled in state.dice.values())
    return Breach("a spell is declared after the initiative dice", "before the dice", "after them", (first,))


# ---------------------------------------------------------------- the place and the right of an act


@check("effects.take-hold-at-once", on=ActionTaken, group="place")
def the_fallen_do_not_act(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    who = told.event.combatant
    fallen = state.fallen.get(who)
    if fallen is None or act_key(state, state.combatants[who], told.point) <= fallen.key:
        return None
    when = Point(fallen.key.round, segment=fallen.key.segment)
    return Breach(f"{who} is out of action since {when}", "no act", _words(told), (fallen.seq,))


@check("time.round-is-ten-segments", on=ActionTaken, group="place")
def an_act_has_one_of_ten_segments(_state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    return _outside(told.point, told) if told.event.segment is not None else None


@check("declare.spell-not-substituted", on=ActionTaken, group="place")
def a_declared_spell_binds(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    event = told.event
    declared = state.declared.get(event.combatant)
    if declared is None or declared.action.kind != "cast" or event.action.kind in FREE:
        return None
    spell = action_word(declared.action)
    if event.action.kind == "cast" and action_word(event.action).casefold() == spell.casefold():
        return None
    return Breach(f"{event.combatant} declared {spell}", spell, _words(told), (declared.seq,))


@check("spell.begins-in-own-segment", on=ActionTaken, group="place")
def a_casting_waits_for_its_segment(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    return _too_early(state, told) if told.event.action.kind == "cast" else None


@check("initiative.other-sides-die", on=ActionTaken, group="place")
def an_act_waits_for_its_segment(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    if told.event.action.kind in FREE or told.event.action.cost == "interrupt":
        return None
    return _too_early(state, told)


@check("declare.spells-before-initiative", on=ActionTaken, group="place")
def a_casting_was_declared(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    event = told.event
    if event.action.kind != "cast" or event.combatant in state.declared or told.point.round == 0:
        return None
    return Breach(f"{event.combatant} begins {_words(told)} undeclared", "a declaration", "none")


# ---------------------------------------------------------------- effects of spells


@check("spell.spoiled-by-interruption", on=EffectStarted, group="effect")
def a_spoiled_spell_has_no_effect(state: OsricState, told: Told[EffectStarted]) -> Breach | None:
    casting = casting_of(state, told)
    if casting is None or casting.status != "spoiled":
        return None
    by = casting.because.events[-1]
    says = f"{casting.name} of {casting.combatant} was spoiled by event {by} and is given effect"
    return Breach(says, "no effect", f"an effect in {told.point}", (by,))


@check("declare.spell-may-be-given-up", on=EffectStarted, group="effect")
def a_spell_given_up_has_no_effect(state: OsricState, told: Told[EffectStarted]) -> Breach | None:
    casting = casting_of(state, told)
    if casting is None or casting.status != "withdrawn":
        return None
    says = f"{casting.name} of {casting.combatant} was given up and is given effect"
    return Breach(says, "no effect", f"an effect in {told.point}", casting.because.events[-1:])


@check("spell.completes-after-casting-time", on=EffectStarted, group="effect")
def a_spell_takes_effect_when_due(state: OsricState, told: Told[EffectStarted]) -> Breach | None:
    casting = casting_of(state, told)
    if casting is None or casting.status != "begun" or absolute(told.point) == casting.due:
        return None
    due = from_absolute(casting.due)
    says = f"{casting.name} of {casting.combatant}, begun in {from_absolute(casting.start)}, is due in {due}"
    return Breach(says, str(due), str(told.point), (casting.begun,))


# ---------------------------------------------------------------- hit points


@check("health.hit-points", on=(DamageDealt, Healed))
def amounts_are_plain_hit_points(_state: OsricState, told: Told[DamageDealt] | Told[Healed]) -> Breach | None:
    event = told.event
    if event.amount < 0:
        return Breach("an amount below 0 changes nothing", "0 or more", str(event.amount))
    if event.nonlethal:
        return Breach("this text has no non-lethal damage: it counts as damage", "damage", "non-lethal damage")
    return None


def _outside(point: Point, told: Told[SegmentReached] | Told[ActionTaken]) -> Breach | None:
    if point.round == 0 or 1 <= point.segment <= SEGMENTS:
        return None
    return Breach(f"segment {point.segment} is no segment of a round", "1 to 10", str(point.segment), (told.seq,))


def _too_early(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    own = own_key(state, state.combatants[told.event.combatant])
    if own is None or told.point.round != own.round or told.point.segment >= own.segment:
        return None
    says = f"{told.event.combatant} is due in segment {own.segment}"
    dice = tuple(sorted(rolled.seq for rolled in state.dice.values()))
    return Breach(says, f"segment {own.segment}", f"segment {told.point.segment}", dice)


def _words(told: Told[ActionTaken]) -> str:
    return action_word(told.event.action)
