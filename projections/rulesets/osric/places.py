"""The place and the right of an act: of these checks only the first that finds something reports.

They stand in the order in which the catalogue wants them cited.
"""

from eventstore.events import ActionHeld, ActionTaken
from projections.rulesets.osric.casting import (
    SPELL,
    bound_from_before,
    declared_spell,
    disturbed_before,
    same,
)
from projections.rulesets.osric.checks import gone_by
from projections.rulesets.osric.order import is_shot, missile_bonus, own_key, shares_dice
from projections.rulesets.osric.routines import (
    FREE,
    allowed,
    count_used,
    first_further_segment,
    is_extra,
    is_interrupt,
    is_new,
    key_of_act,
    number_of,
    opening_of,
    used,
)
from projections.rulesets.osric.state import BY_DICE, SEGMENTS, Act, Order, OsricState
from projections.rulesets.osric.surprise import length, length_of_play
from projections.rulesets.ruleset import Breach, check
from projections.state import Combatant, Told, action_word
from projections.time import Point

OPENS = ("flee", "charge")
"""Kinds of action that give opponents an opening."""


def _words(told: Told[ActionTaken]) -> str:
    return action_word(told.event.action)


def _one(state: OsricState, told: Told[ActionTaken] | Told[ActionHeld]) -> Combatant:
    return state.combatants[told.event.combatant]


@check("effects.take-hold-at-once", on=(ActionTaken, ActionHeld), group="place")
def the_fallen_do_not_act(state: OsricState, told: Told[ActionTaken] | Told[ActionHeld]) -> Breach | None:
    who = told.event.combatant
    fallen = state.fallen.get(who)
    if fallen is None:
        return None
    key = key_of_act(state, told) if isinstance(told.event, ActionTaken) else _at(told.point)
    if key <= fallen.key or _protected(state, told, fallen.key, key):
        return None
    when = Point(fallen.key.round, segment=fallen.key.segment)
    return Breach(f"{who} is out of action since {when}", "no act", "an act", (fallen.seq,))


def _at(point: Point) -> Order:
    return Order(point.round, point.segment)


def _protected(state: OsricState, told: Told[ActionTaken] | Told[ActionHeld], fell: Order, key: Order) -> bool:
    """Say whether an option lets somebody who fell on equal dice still deal damage in that segment, or that round."""
    if not shares_dice(state, _one(state, told).side) or fell.round != key.round:
        return False
    if state.option("tie-damage") == "whole-round":
        return True
    at_once = fell.segment == key.segment and fell.band == key.band == BY_DICE
    return state.option("tie-handling") == "ruling" and at_once


@check("sequence.order-of-events", on=ActionTaken, group="place")
def surprise_comes_before_the_first_round(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    if told.point.round or not state.clock.round:
        return None
    return Breach("an act of surprise after round 1 was opened", "surprise, then rounds", "after round 1")


@check("surprise.length-of-play", on=(ActionTaken, ActionHeld), group="place")
def surprise_play_has_its_length(state: OsricState, told: Told[ActionTaken] | Told[ActionHeld]) -> Breach | None:
    last = length_of_play(state)
    if told.point.round or 1 <= told.point.segment <= last:
        return None
    return Breach("an act outside the surprise segments", f"1 to {last}" if last else "none", str(told.point.segment))


@check("surprise.surprised-cannot-act", on=(ActionTaken, ActionHeld), group="place")
def the_surprised_do_not_act(state: OsricState, told: Told[ActionTaken] | Told[ActionHeld]) -> Breach | None:
    segments = length(state, _one(state, told))
    if told.point.round or told.point.segment > segments:
        return None
    free = f"surprise segment {segments + 1}" if segments < length_of_play(state) else "round 1"
    says = f"{told.event.combatant} is surprised for {segments} segments and free from {free} on"
    return Breach(says, free, str(told.point))


@check("time.round-is-ten-segments", on=(ActionTaken, ActionHeld), group="place")
def an_act_has_one_of_ten_segments(_state: OsricState, told: Told[ActionTaken] | Told[ActionHeld]) -> Breach | None:
    segment = told.event.segment
    if segment is None or told.point.round == 0 or 1 <= segment <= SEGMENTS:
        return None
    return Breach(f"there is no segment {segment} in a round", "1 to 10", str(segment))


def _missing_dice(state: OsricState, told: Told[ActionTaken]) -> list[str]:
    """Return the sides without a die as the first act of the round is told."""
    if told.point.round == 0 or state.dice_missed or told.event.action.kind in FREE:
        return []
    up = {one.side: None for one in state.here() if one.id not in state.fallen}
    return [side for side in up if side not in state.dice]


@check("initiative.d6-each-side", on=ActionTaken, group="place")
def each_side_has_its_die(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    missing = _missing_dice(state, told)
    if not missing or not state.dice:
        return None
    return Breach(f"{', '.join(missing)} have no initiative die in this round", "a die of each side", "none")


@check("sequence.order-of-events", on=ActionTaken, group="place")
def dice_come_before_the_first_act(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    if not _missing_dice(state, told) or state.dice or told.point.round > 1:
        return None
    return Breach("an act before the initiative dice of round 1", "the dice first", "no dice")


@check("initiative.fresh-each-round", on=ActionTaken, group="place")
def dice_are_thrown_each_round(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    if not _missing_dice(state, told) or state.dice or told.point.round == 1:
        return None
    return Breach(f"no initiative dice in round {told.point.round}", "fresh dice", "none")


# ---------------------------------------------------------------- blows out of turn


@check("interrupt.fleeing-attack", on=ActionTaken, group="place")
def a_fleeing_attack_belongs_to_its_flight(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    opening = _named_opening(state, told, "flee")
    if opening is None:
        return None
    who = told.event.combatant
    left = opening.action.targets
    again = [
        a for a in state.acts if a.combatant == who and is_interrupt(a.action) and opening.seq in _answers(a, state)
    ]
    if told.point.segment == opening.key.segment and not again and (not left or who in left):
        return None
    says = f"{who} has one blow at {opening.combatant} as it flees, in segment {opening.key.segment}"
    return Breach(says, f"one in segment {opening.key.segment}", f"in segment {told.point.segment}", (opening.seq,))


def _answers(act: Act, state: OsricState) -> tuple[int, ...]:
    told = state.moments.get(act.seq)
    return (told.event.trigger,) if told and told.event.trigger else ()


@check("interrupt.set-spears", on=ActionTaken, group="place")
def a_set_spear_meets_a_charge(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    opening = _named_opening(state, told, "charge")
    if opening is None:
        return None
    who = told.event.combatant
    set_by = state.spears.get(who, 0)
    aimed = not opening.action.targets or who in opening.action.targets
    if 0 < set_by < opening.seq and aimed and told.point.segment == opening.key.segment:
        return None
    says = f"{who} has no spear set against the charge of {opening.combatant}"
    return Breach(says, "a spear set before the charge", "none that bears this out", (opening.seq,))


@check("interrupt.out-of-turn", on=ActionTaken, group="place")
def a_blow_out_of_turn_names_its_opening(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    if not is_interrupt(told.event.action):
        return None
    opening = opening_of(state, told)
    opposed = opening and state.combatants[opening.combatant].side != _one(state, told).side
    if opening and opposed and (opening.action.kind in OPENS or _allowed_by_ruling(state, told, opening)):
        return None
    says = f"{told.event.combatant} strikes out of turn without an opening by an opponent"
    return Breach(says, "an opening", "none")


def _named_opening(state: OsricState, told: Told[ActionTaken], kind: str) -> Act | None:
    opening = opening_of(state, told) if is_interrupt(told.event.action) else None
    if opening is None or opening.action.kind != kind or _allowed_by_ruling(state, told, opening):
        return None
    return opening


def _allowed_by_ruling(state: OsricState, told: Told[ActionTaken], opening: Act) -> bool:
    """Say whether a ruling before the blow allows openings of this kind (interrupt.others-by-ruling)."""
    words = {opening.action.kind.casefold(), (opening.action.name or "").casefold()}
    for ruling in state.rulings:
        event = ruling.event
        fits = event.event == opening.seq or (event.subject or "").casefold() in words
        if event.ruling == "grant" and ruling.seq < told.seq and (fits or (event.event is None and not event.subject)):
            return True
    return False


# ---------------------------------------------------------------- casters


@check("declare.spell-not-substituted", on=ActionTaken, group="place")
def a_declared_spell_binds(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    event, who = told.event, told.event.combatant
    if event.action.kind in FREE or told.point.round == 0:
        return None
    before = bound_from_before(state, who, told.point)
    if before and before.status in ("spoiled", "withdrawn") and before.ended == told.point.round:
        return Breach(f"{who} was casting {before.name} into this round", before.name, _words(told), (before.begun,))
    declared = declared_spell(state, who)
    if declared is None:
        return None
    spell = action_word(declared.action)
    begun = any(one.combatant == who and one.key.round == told.point.round for one in state.castings)
    if event.action.kind == SPELL and same(event.action.name, spell) and not begun:
        return None
    return Breach(f"{who} declared {spell}", spell, _words(told), (declared.seq,))


@check("spell.carries-into-next-round", on=ActionTaken, group="place")
def a_caster_does_nothing_else(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    before = bound_from_before(state, told.event.combatant, told.point)
    if before is None or told.event.action.kind in FREE:
        return None
    idle = before.status == "done" and before.ended == told.point.round
    if before.status != "begun" and not (idle and state.option("after-long-spell") == "no-action"):
        return None
    says = f"{told.event.combatant} is casting {before.name} since round {before.key.round}"
    return Breach(says, before.name, _words(told), (before.begun,))


@check("spell.spoiled-by-interruption", on=ActionTaken, group="place")
def a_spell_spoiled_before_its_start_is_not_begun(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    wound = disturbed_before(state, told.event.combatant, told.point)
    if wound is None or told.event.action.kind != SPELL:
        return None
    return Breach(f"{_words(told)} was spoiled before it was begun", "no casting", "a start", (wound.seq,))


# ---------------------------------------------------------------- routines


@check("attack.one-routine", on=ActionTaken, group="place")
def a_routine_is_used_together(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    number = number_of(state, told)
    parts = [a for a in used(state, told.event.combatant, told.point) if a.routine == number]
    if not number or not parts or parts[0].key.segment == told.point.segment:
        return None
    where = f"segment {parts[0].key.segment}"
    says = f"the routine of {where} is one, with all its blows"
    return Breach(says, where, f"segment {told.point.segment}", (parts[0].seq,))


def _is_further(state: OsricState, told: Told[ActionTaken]) -> int:
    """Return how many routines were used before a new one; 0 where the act begins none, or costs none."""
    number = number_of(state, told)
    if not number or is_extra(state, told) or not is_new(state, told, number):
        return 0
    return count_used(state, told.event.combatant, told.point)


@check("attack.not-more-routines-than-due", on=ActionTaken, group="place")
def nobody_has_more_routines_than_are_due(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    before = _is_further(state, told)
    due = allowed(state, _one(state, told), told.point)
    if not before or before < due:
        return None
    acts = used(state, told.event.combatant, told.point)
    says = f"{told.event.combatant} has used {before} of {due} routines"
    return Breach(says, f"{due} routines", f"routine {before + 1}", tuple(act.seq for act in acts))


@check("attack.further-routine-waits", on=ActionTaken, group="place")
def a_further_routine_waits(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    first = first_further_segment(state, _one(state, told))
    if told.point.round == 0 or not _is_further(state, told) or not 0 < told.point.segment < first:
        return None
    if is_interrupt(told.event.action):
        return None
    says = f"a further routine of {told.event.combatant} waits until the other side has acted"
    return Breach(says, f"segment {first} or later", f"segment {told.point.segment}")


# ---------------------------------------------------------------- the own segment


def _early(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    """Return the breach of acting before the own segment."""
    action = told.event.action
    own = own_key(state, _one(state, told), action)
    if action.kind in FREE or is_interrupt(action) or own is None or not told.point.segment:
        return None
    if told.point.round != own.round or told.point.segment >= own.segment:
        return None
    says = f"{told.event.combatant} is due in segment {own.segment}"
    dice = tuple(sorted(rolled.seq for rolled in state.dice.values()))
    return Breach(says, f"segment {own.segment}", f"segment {told.point.segment}", dice)


@check("spell.begins-in-own-segment", on=ActionTaken, group="place")
def a_casting_waits_for_its_segment(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    return _early(state, told) if told.event.action.kind == SPELL else None


@check("segments.held-action", on=ActionTaken, group="place")
def a_hold_ends_with_its_round(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    held = state.unused_holds.get(told.event.combatant)
    early = _early(state, told)
    if early is None or not (held or told.event.action.cost == "held"):
        return None
    return Breach(f"{early.says}: a hold ends with its round", early.expected, early.found, (held,) if held else ())


@check("initiative.dexterity-not-for-melee", on=ActionTaken, group="place")
def dexterity_moves_no_blow(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    early = _early(state, told)
    own = own_key(state, _one(state, told), told.event.action)
    if early is None or own is None or is_shot(told.event.action):
        return None
    sheet = _one(state, told).sheet
    by = own.segment - told.point.segment
    melee = told.event.action.kind in ("attack", "charge") and by in (sheet.surprise_bonus, sheet.missile_bonus)
    return early if melee or "dex" in (told.event.reason or "").casefold() else None


@check("initiative.missile-dexterity", on=ActionTaken, group="place")
def a_shot_waits_for_its_segment(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    shot = is_shot(told.event.action) and missile_bonus(state, _one(state, told), told.event.action)
    return _early(state, told) if shot else None


@check("initiative.other-sides-die", on=ActionTaken, group="place")
def an_act_waits_for_its_segment(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    return _early(state, told)


@check("segments.held-action", on=ActionTaken, group="place")
def an_act_is_held_as_the_option_allows(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    action = told.event.action
    own = own_key(state, _one(state, told), action)
    if action.kind in FREE or is_interrupt(action) or own is None or told.point.segment <= own.segment:
        return None
    if _is_further(state, told) or not is_first_part(state, told):
        return None
    if state.option("hold-until") == "segment-seven-on" and told.point.segment < 7:
        return Breach("a held action comes in segments 7 to 10", "segment 7", f"segment {told.point.segment}")
    if state.option("hold-announced") == "required" and told.event.combatant not in state.held:
        return Breach(f"{told.event.combatant} did not say that it holds", "an announced hold", "none")
    return None


def is_first_part(state: OsricState, told: Told[ActionTaken]) -> bool:
    """Say whether an act is not a mere further part of a routine."""
    number = number_of(state, told)
    return not number or is_new(state, told, number)


# ---------------------------------------------------------------- the rest


@check("declare.spells-before-initiative", on=ActionTaken, group="place")
def a_casting_was_declared(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    who = told.event.combatant
    if told.event.action.kind != SPELL or told.point.round == 0 or declared_spell(state, who):
        return None
    return Breach(f"{who} begins {_words(told)}, which was not declared", "a declaration", "none")


@check("sequence.winner-then-loser", on=(ActionTaken, ActionHeld), group="place")
def segments_of_acts_never_fall(state: OsricState, told: Told[ActionTaken] | Told[ActionHeld]) -> Breach | None:
    return gone_by(state, told.point)
