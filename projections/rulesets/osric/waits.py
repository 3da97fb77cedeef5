"""The place of an act, last part: it waits for its own segment, spells were declared, and segments never fall."""

from eventstore.events import ActionHeld, ActionTaken
from projections.occurrence import Occurrence
from projections.rulesets.osric.casting import SPELL, declared_spell
from projections.rulesets.osric.openings import is_interrupt
from projections.rulesets.osric.order import hold_fault, is_shot, own_key
from projections.rulesets.osric.places import gone_by
from projections.rulesets.osric.rights import used_before
from projections.rulesets.osric.routines import WAITING, is_new, number_of
from projections.rulesets.osric.state import Order, OsricState
from projections.rulesets.ruleset import Breach, check
from projections.state import action_word


def _own(state: OsricState, fact: Occurrence[ActionTaken]) -> Order | None:
    """Return the own place that an act has to keep to, if it has to."""
    action = fact.event.action
    if action.kind in WAITING or is_interrupt(action) or not fact.point.segment:
        return None
    own = own_key(state, state.combatants[fact.event.combatant], action)
    return own if own and own.round == fact.point.round else None


def _early(state: OsricState, fact: Occurrence[ActionTaken]) -> Breach | None:
    """Return the breach of acting before the own segment."""
    own = _own(state, fact)
    if own is None or fact.point.segment >= own.segment:
        return None
    says = f"{fact.event.combatant} is due in segment {own.segment}"
    dice = tuple(sorted(rolled.seq for rolled in state.dice.values()))
    return Breach(says, f"segment {own.segment}", f"segment {fact.point.segment}", dice)


def _says(fact: Occurrence[ActionTaken], word: str) -> bool:
    return word in (fact.event.reason or "").casefold()


@check("spell.begins-in-own-segment", on=ActionTaken, group="place")
def a_casting_waits_for_its_segment(state: OsricState, fact: Occurrence[ActionTaken]) -> Breach | None:
    return _early(state, fact) if fact.event.action.kind == SPELL else None


@check("segments.held-action", on=ActionTaken, group="place")
def a_hold_ends_with_its_round(state: OsricState, fact: Occurrence[ActionTaken]) -> Breach | None:
    held = state.unused_holds.get(fact.event.combatant)
    early = _early(state, fact)
    if early is None or not (held or fact.event.action.cost == "held" or _says(fact, "held")):
        return None
    return Breach(f"{early.says}: a hold ends with its round", early.expected, early.found, (held,) if held else ())


@check("initiative.dexterity-not-for-melee", on=ActionTaken, group="place")
def dexterity_moves_no_blow(state: OsricState, fact: Occurrence[ActionTaken]) -> Breach | None:
    early, own = _early(state, fact), _own(state, fact)
    action, sheet = fact.event.action, state.combatants[fact.event.combatant].sheet
    if early is None or own is None or (is_shot(action) and sheet.missile_bonus):
        return None
    by = own.segment - fact.point.segment
    melee = action.kind == "attack" and not is_shot(action) and by in (sheet.surprise_bonus, sheet.missile_bonus)
    return early if melee or _says(fact, "dexterity") else None


@check("initiative.missile-dexterity", on=ActionTaken, group="place")
def a_shot_waits_for_its_segment(state: OsricState, fact: Occurrence[ActionTaken]) -> Breach | None:
    bonus = state.combatants[fact.event.combatant].sheet.missile_bonus
    return _early(state, fact) if bonus and is_shot(fact.event.action) else None


@check("initiative.other-sides-die", on=ActionTaken, group="place")
def an_act_waits_for_its_segment(state: OsricState, fact: Occurrence[ActionTaken]) -> Breach | None:
    return _early(state, fact)


@check("segments.held-action", on=ActionTaken, group="place")
def an_act_is_held_as_the_option_allows(state: OsricState, fact: Occurrence[ActionTaken]) -> Breach | None:
    own = _own(state, fact)
    if own is None or fact.point.segment <= own.segment or used_before(state, fact) or not _is_first_part(state, fact):
        return None
    fault = hold_fault(state, state.combatants[fact.event.combatant], fact.point)
    return Breach(fault, "a hold as the option has it", f"segment {fact.point.segment}") if fault else None


def _is_first_part(state: OsricState, fact: Occurrence[ActionTaken]) -> bool:
    """Say whether an act is not a mere further part of a routine."""
    number = number_of(state, fact)
    return not number or is_new(state, fact, number)


# ---------------------------------------------------------------- the rest


@check("declare.spells-before-initiative", on=ActionTaken, group="place")
def a_casting_was_declared(state: OsricState, fact: Occurrence[ActionTaken]) -> Breach | None:
    who = fact.event.combatant
    if fact.event.action.kind != SPELL or fact.point.round == 0 or declared_spell(state, who):
        return None
    return Breach(f"{who} begins {action_word(fact.event.action)}, which was not declared", "a declaration", "none")


@check("sequence.winner-then-loser", on=(ActionTaken, ActionHeld), group="place")
def segments_of_acts_never_fall(
    state: OsricState, fact: Occurrence[ActionTaken] | Occurrence[ActionHeld]
) -> Breach | None:
    return gone_by(state, fact.point)
