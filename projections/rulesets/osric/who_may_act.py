"""Who may act, where and how: checks of acts, recorded as such or implied by a roll, damage or healing.

Only the first of these checks by rank with a finding reports; the ranks follow the list at the head of rules.toml. Rows of
one segment stand in any order, so a later row may bar an act or spoil a spell of an earlier one: these findings come last.
"""

from collections.abc import Callable, Iterator

from eventstore.events import ActionHeld, ActionTaken, AttackRolled, DamageDealt, Fact, Healed
from projections.fight import Combatant
from projections.mechanics.acts import action_word, is_shot
from projections.mechanics.grants import granted
from projections.mechanics.pools import NO_LOSS, Loss, loss
from projections.mechanics.work import DONE
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import Breach, Check, check
from projections.rulesets.osric.order import FREE, WAITING, hold_fault, missing_dice, own_key
from projections.rulesets.osric.reading import OF_ACTS, Reading
from projections.rulesets.osric.routines import CHARGE, FLEE, allowed, first_further_segment, is_interrupt, is_new
from projections.rulesets.osric.spells import (
    declared_as,
    declared_spell,
    disturbed_before,
    earlier_casting,
    ending,
    status,
    window_start,
)
from projections.rulesets.osric.state import SEGMENTS, SPELL, Blow, KeyedAct, Order, OsricState, Out
from projections.rulesets.osric.surprise import because_play, counted_through, length, length_of_play, specific_rulings
from projections.rulesets.osric.vitals import key_of_blow, key_of_outcome, limit_of, out_among, trail_of
from projections.stream.causes import causes
from projections.time import Length, Point

Looks = Callable[[OsricState, Reading[Fact]], Breach | None]


def act_check(
    rule: str, rank: int, *besides: type[ActionHeld]
) -> Callable[[Looks], Check[[OsricState, Reading[Fact]]]]:
    """Return a decorator for a check of acts with this rank, and of facts of further types."""
    on: tuple[type[Fact], ...] = (ActionTaken, *OF_ACTS, *besides)

    return check(rule, on=on, group="place", rank=rank, only=_act)


def _act(_state: OsricState, fact: Reading[Fact]) -> Reading[Fact] | None:
    """Return a fact if it is an act or implies one."""
    return fact if fact.is_act else None


def no_such_segment(fact: Reading[Fact]) -> Breach | None:
    """Return the breach of a fact with a segment outside the ten, unless the clock shows that segment."""
    segment = fact.segment
    if segment is None or fact.point.round == 0 or 1 <= segment <= SEGMENTS or fact.is_in_clock_segment:
        return None
    return Breach(f"there is no segment {segment} in a round", "1 to 10", str(segment))


def surprise_segments(last: int) -> str:
    """Return the surprise segments in words."""
    return f"surprise segment 1 to {last}" if last > 1 else "surprise segment 1" if last else "no surprise segment"


def breach_of_order(state: OsricState, point: Point, cause: int = 0) -> Breach | None:
    """Return the breach of a row in a segment before that of an earlier row, unless the clock was set back to it.

    It is a notice if the earlier fact is no row, such as a roll. Of several rows the cause of the later one is cited.
    """
    highest = state.round.highest
    if point.round != state.clock.round or not 1 <= point.segment < highest or point.segment == state.round.back:
        return notice_of_order(state, point)
    says = f"segment {point.segment} had gone by: a row of segment {highest} stands before this one"
    row = (cause,) if cause in state.round.highest_by else tuple(state.round.highest_by[:1])
    return Breach(says, f"segment {highest} or later", f"segment {point.segment}", row)


def notice_of_order(state: OsricState, point: Point) -> Breach | None:
    """Return the notice of a moment before the latest recorded one of the round."""
    last, seq = max(state.round.latest_moment, (state.round.highest, *state.round.highest_by[:1]))
    if point.round != state.clock.round or not 1 <= point.segment < last or point.segment == state.round.back:
        return None
    says = f"segment {point.segment} had gone by: a record of segment {last} stands before this one"
    return Breach(says, f"segment {last} or later", f"segment {point.segment}", (seq,), "notice")


# ---------------------------------------------------------------- out of action, surprised, no such segment


@act_check("effects.take-hold-at-once", 10, ActionHeld)
def the_fallen_do_not_act(state: OsricState, fact: Reading[Fact]) -> Breach | None:
    """Report an act of a combatant out of action; if no known act caused the damage, only from the next segment on."""
    if fact.out is None:
        return None
    when = fact.out.key.point
    if fact.key.value.point == when:
        *_, first = fact.fact, *causes(state, fact.out.seq)
        if not isinstance(first.event, ActionTaken) and not getattr(first.event, "segment", None):
            return None
    return Breach(f"{fact.who} is out of action since {when}", "no act", "an act", (fact.out.seq,))


@act_check("sequence.order-of-events", 20)
def surprise_comes_before_the_first_round(state: OsricState, fact: Reading[Fact]) -> Breach | None:
    if fact.point.round or not state.clock.round:
        return None
    return Breach("an act of surprise after round 1 was opened", "surprise, then rounds", "after round 1")


@act_check("surprise.length-of-play", 30, ActionHeld)
def surprise_play_has_its_length(state: OsricState, fact: Reading[Fact]) -> Breach | None:
    last, segment = length_of_play(state), fact.point.segment
    if fact.point.round or 1 <= segment <= last or fact.is_in_clock_segment or state.round.dice:
        return None
    if _unplaced(fact) and (last or fact.doing in FREE):
        return None
    because = because_play(state).flat().events
    return Breach("an act outside the surprise segments", surprise_segments(last), str(fact.point), because)


def _unplaced(fact: Reading[Fact]) -> bool:
    """Return whether a fact has no segment, neither its own nor the clock's."""
    return fact.point.segment == 0 and fact.segment is None


@act_check("surprise.surprised-cannot-act", 40, ActionHeld)
def the_surprised_do_not_act(state: OsricState, fact: Reading[Fact]) -> Breach | None:
    segments, last = length(state, fact.one), length_of_play(state)
    if fact.point.round or not last:
        return None
    if segments < last if _unplaced(fact) else fact.point.segment > segments:
        return None
    free = f"surprise segment {segments + 1}" if segments < last else "round 1"
    says = f"{fact.who} is surprised for {Length(segments, 'segment')} and free from {free} on"
    return Breach(says, free, str(fact.point))


@act_check("time.round-is-ten-segments", 50, ActionHeld)
def an_act_has_one_of_ten_segments(_state: OsricState, fact: Reading[Fact]) -> Breach | None:
    return no_such_segment(fact)


# ---------------------------------------------------------------- dice


def _missing(state: OsricState, fact: Reading[Fact]) -> list[str]:
    """Return the sides without a die at the first act of the round."""
    acted = any(act.kind not in WAITING for act in state.round.acts.values())
    return [] if fact.point.round == 0 or fact.waits or acted else missing_dice(state)


@act_check("initiative.d6-each-side", 60)
def each_side_has_its_die(state: OsricState, fact: Reading[Fact]) -> Breach | None:
    missing = _missing(state, fact)
    if not missing or not state.round.dice:
        return None
    return Breach(f"no initiative die of {', '.join(missing)} in this round", "a die of each side", "none")


@act_check("sequence.order-of-events", 61)
def dice_come_before_the_first_act(state: OsricState, fact: Reading[Fact]) -> Breach | None:
    if not _missing(state, fact) or fact.point.round > 1:
        return None
    return Breach("an act before the initiative dice of round 1", "the dice first", "no dice")


@act_check("initiative.fresh-each-round", 62)
def dice_are_thrown_each_round(state: OsricState, fact: Reading[Fact]) -> Breach | None:
    if not _missing(state, fact):
        return None
    return Breach(f"no initiative dice in round {fact.point.round}", "fresh dice", "none")


@act_check("sequence.order-of-events", 63)
def acts_come_before_the_close(state: OsricState, fact: Reading[Fact]) -> Breach | None:
    if state.clock.open or fact.point.round == 0 or fact.waits:
        return None
    says, once = f"an act after round {fact.point.round} was closed", ("closed", fact.point.round)
    return Breach(says, "before the close", "after it", once=once)


# ---------------------------------------------------------------- blows out of turn


def _without_right(fact: Reading[Fact], kind: str) -> KeyedAct | None:
    """Return the act of this kind that a blow out of turn answers, if it does not justify the blow."""
    return fact.opening if fact.fault == kind else None


@act_check("interrupt.fleeing-attack", 70)
def a_fleeing_attack_belongs_to_its_flight(_state: OsricState, fact: Reading[Fact]) -> Breach | None:
    flight = _without_right(fact, FLEE)
    if flight is None:
        return None
    where = f"segment {flight.key.segment}"
    says = f"those whom {flight.combatant} leaves have one blow at it each, in {where}"
    found = "another" if fact.point.segment == flight.key.segment else f"in segment {fact.point.segment}"
    return Breach(says, f"one in {where}", found, (flight.seq,))


@act_check("interrupt.set-spears", 71)
def a_set_spear_meets_a_charge(_state: OsricState, fact: Reading[Fact]) -> Breach | None:
    charge = _without_right(fact, CHARGE)
    if charge is None:
        return None
    says = f"{fact.who} has no spear set against the charge of {charge.combatant}"
    return Breach(says, "a spear set before the charge", "no such spear", (charge.seq,))


@act_check("interrupt.out-of-turn", 72)
def a_blow_out_of_turn_names_its_opening(_state: OsricState, fact: Reading[Fact]) -> Breach | None:
    if not fact.fault:
        return None
    return Breach(f"{fact.who} strikes out of turn without an opening by an opponent", "an opening", "none")


# ---------------------------------------------------------------- casters


@act_check("declare.spell-not-substituted", 80)
def a_declared_spell_binds(state: OsricState, fact: Reading[Fact]) -> Breach | None:
    if fact.point.round == 0 or fact.waits:
        return None
    who, found = fact.who, action_word(fact.action)
    before = earlier_casting(state, who, fact.key.value)
    if before and fact.who not in state.unsure and status(state, before).value in _BROKEN:
        return Breach(f"{who} was casting {before.name} into this round", before.name, found, (before.seq,))
    declared = declared_spell(state, who)
    begun = any(one.who == who and one.key.round == fact.point.round for one in state.castings)
    its_own = fact.doing == SPELL and declared_as(state, who, fact.action.name) and not begun
    if declared is None or its_own:
        return None
    spell = action_word(declared.action)
    return Breach(f"{who} declared {spell}", spell, found, (declared.seq,))


_BROKEN = ("spoiled", "withdrawn")


@act_check("spell.carries-into-next-round", 81)
def a_caster_does_nothing_else(state: OsricState, fact: Reading[Fact]) -> Breach | None:
    before = earlier_casting(state, fact.who, fact.key.value)
    if before is None or fact.waits or fact.who in state.unsure:
        return None
    idle = fact.point.round > before.key.round and state.option("after-long-spell") == "no-action"
    if status(state, before).value != "begun" and not idle:
        return None
    since = f"round {before.key.round}" if before.key.round else f"surprise segment {before.key.segment}"
    says = f"{fact.who} is casting {before.name} since {since}"
    return Breach(says, before.name, action_word(fact.action), (before.seq,))


@act_check("spell.spoiled-by-interruption", 82)
def a_spell_spoiled_before_its_start_is_not_begun(state: OsricState, fact: Reading[Fact]) -> Breach | None:
    wound = disturbed_before(state, fact.who, fact.point)
    if wound is None or fact.doing != SPELL:
        return None
    return Breach(f"{action_word(fact.action)} was spoiled before it was begun", "no casting", "a start", (wound.seq,))


@act_check("declare.spell-may-be-given-up", 83)
def a_spell_given_up_is_not_begun(state: OsricState, fact: Reading[Fact]) -> Breach | None:
    declared = declared_spell(state, fact.who)
    if declared is None or not declared.withdrawn or fact.doing != SPELL:
        return None
    says = f"{action_word(declared.action)} of {fact.who} was given up"
    return Breach(says, "no casting", "a start", (declared.withdrawn,))


# ---------------------------------------------------------------- routines


@act_check("attack.one-routine", 90)
def a_routine_is_used_together(_state: OsricState, fact: Reading[Fact]) -> Breach | None:
    parts = [act for act in fact.used if act.routine == fact.number]
    if fact.extra or not parts or fact.point.segment in (0, parts[0].key.segment):
        return None
    where = f"segment {parts[0].key.segment}"
    says = f"the routine of {where} is one, with all its blows"
    return Breach(says, where, f"segment {fact.point.segment}", (parts[0].seq,))


@act_check("attack.not-more-routines-than-due", 91)
def nobody_has_more_routines_than_are_due(state: OsricState, fact: Reading[Fact]) -> Breach | None:
    before, due = len({act.routine for act in fact.used}), allowed(state, fact.one, fact.point)
    if not fact.begins_routine or before < due or _granted(state, fact):
        return None
    events = tuple(act.seq for act in fact.used)
    says = f"{fact.who} has used {before} of {Length(due, 'routine')}"
    return Breach(says, str(Length(due, "routine")), f"routine {before + 1}", events)


def _granted(state: OsricState, fact: Reading[Fact]) -> bool:
    """Return whether a ruling of this round grants a combatant a further routine."""
    rule, who = "attack.not-more-routines-than-due", (fact.who, fact.one.side)
    said = (action_word(fact.action), fact.action.kind, "routine", "further routine")
    rulings = specific_rulings(state.rulings_since(state.clock.round_event))
    return granted(rulings, rule, who=who, event=(fact.seq, fact.trigger or fact.seq), said=said).value


@act_check("attack.further-routine-waits", 92)
def a_further_routine_waits(state: OsricState, fact: Reading[Fact]) -> Breach | None:
    if not fact.begins_routine or not fact.used or is_interrupt(fact.action):
        return None
    first = first_further_segment(state, fact.one, fact.action)
    if not 0 < fact.point.segment < first:
        return None
    says = f"a further routine of {fact.who} waits until the other side has acted"
    return Breach(says, f"segment {first} or later", f"segment {fact.point.segment}")


# ---------------------------------------------------------------- one's own segment


def _own(state: OsricState, fact: Reading[Fact]) -> Order | None:
    """Return the place to which an act is bound; None if it is not, as in surprise, where the dice of a round bind nobody."""
    if fact.waits or is_interrupt(fact.action) or not (fact.point.segment and fact.point.round):
        return None
    return own_key(state, fact.one, fact.action).value


def _early(state: OsricState, fact: Reading[Fact]) -> Breach | None:
    """Return the breach of acting before one's own segment."""
    own = _own(state, fact)
    if own is None or fact.point.segment >= own.segment or _may_await_a_ruling(state, fact.one):
        return None
    says = f"{fact.who} is due in segment {own.segment}"
    because = own_key(state, fact.one, fact.action).because.flat().events
    return Breach(says, f"segment {own.segment}", f"segment {fact.point.segment}", because)


def _may_await_a_ruling(state: OsricState, one: Combatant) -> bool:
    """Return whether a side that is not seen may leave a segment that no ruling has named to one."""
    ruled = state.ruled.keys() & {f"{one.id}.segment", f"{one.side}.segment"}
    return bool(state.unread) and not ruled and state.option("many-sides") == "ruling"


@act_check("spell.begins-in-own-segment", 100)
def a_casting_waits_for_its_segment(state: OsricState, fact: Reading[Fact]) -> Breach | None:
    return _early(state, fact) if fact.doing == SPELL else None


@act_check("segments.held-action", 101)
def a_hold_ends_with_its_round(state: OsricState, fact: Reading[Fact]) -> Breach | None:
    held: dict[str, int] = getattr(state.last, "held", {})
    said = fact.action.plain_cost == "held" or "held" in fact.reason
    early = _early(state, fact) if said or fact.who in held else None
    if early is None:
        return None
    because = early.because if said else (held[fact.who],)
    return Breach(f"{early.says}: a hold ends with its round", early.expected, early.found, because)


@act_check("initiative.missile-dexterity", 102)
def a_shot_waits_for_its_segment(state: OsricState, fact: Reading[Fact]) -> Breach | None:
    return _early(state, fact) if fact.one.sheet.missile_bonus and is_shot(fact.action) else None


@act_check("initiative.dexterity-not-for-melee", 103)
def dexterity_moves_no_blow(state: OsricState, fact: Reading[Fact]) -> Breach | None:
    early, own = _early(state, fact), _own(state, fact)
    action, sheet = fact.action, fact.one.sheet
    if own is None:
        return None
    by = own.segment - fact.point.segment
    melee = action.plain_kind == "attack" and not is_shot(action) and by in (sheet.surprise_bonus, sheet.missile_bonus)
    return early if melee or "dexterity" in fact.reason else None


@act_check("initiative.other-sides-die", 104)
def an_act_waits_for_its_segment(state: OsricState, fact: Reading[Fact]) -> Breach | None:
    return _early(state, fact)


@act_check("segments.held-action", 105)
def an_act_is_held_as_the_option_allows(state: OsricState, fact: Reading[Fact]) -> Breach | None:
    own = _own(state, fact)
    further = fact.begins_routine and fact.used
    if own is None or fact.point.segment <= own.segment or further or not is_new(fact):
        return None
    fault = hold_fault(state, fact.one, fact.point)
    return Breach(fault, "a hold as the option has it", f"segment {fact.point.segment}") if fault else None


# ---------------------------------------------------------------- the rest


@act_check("declare.spells-before-initiative", 110)
def a_casting_was_declared(state: OsricState, fact: Reading[Fact]) -> Breach | None:
    if fact.doing != SPELL or fact.point.round == 0 or declared_spell(state, fact.who):
        return None
    says = f"{fact.who} begins {action_word(fact.action)}, which was not declared"
    return Breach(says, "a declaration", "none")


@act_check("sequence.winner-then-loser", 120, ActionHeld)
def segments_of_acts_never_fall(state: OsricState, fact: Reading[Fact]) -> Breach | None:
    return breach_of_order(state, fact.point)


LATER_ROW = "by a later row"


def _loss(state: OsricState, fact: Reading[DamageDealt]) -> Loss:
    """Return the loss that damage will cause to its target; none if it hits an object."""
    one = state.combatants[fact.event.target]
    if fact.event.object:
        return NO_LOSS
    return loss(one.hp, one.hp_max, one.temp, one.nld, fact.event, state.rules.pools(state, one))


@check("effects.take-hold-at-once", on=DamageDealt, group="late", rank=1)
def a_blow_bars_what_has_a_higher_key(state: OsricState, fact: Reading[DamageDealt]) -> Breach | None:
    who = fact.event.target
    for act, out in _barred_by(state, fact):
        about = _blow_of(state, act) if fact.answers(act) else state.moments.get(act.seq)
        if about is not None:
            says = f"{who} falls before this in the same segment, {LATER_ROW}"
            return Breach(says, "no act", "an act", tuple(sorted({fact.seq, out.seq})), about=about)
    return None


def _barred_by(state: OsricState, fact: Reading[DamageDealt]) -> Iterator[tuple[KeyedAct, Out]]:
    """Yield the acts that a blow bars though their rows stand before it, each with the fall that bars it.

    They are acts of the blow's target in the segment of the blow, with a key after the fall. A blow that does not change
    when its target is out of action bars nothing.
    """
    who, key = fact.event.target, key_of_blow(state, fact)
    times = _times_out_with(state, fact, key)
    if times == state.outs.get(who, ()):
        return
    for act in _lawful_acts(state, who, key):
        if out := out_among(state, who, act.action, times, act.key):
            yield act, out


def _lawful_acts(state: OsricState, who: str, key: Order) -> list[KeyedAct]:
    """Return the acts of a combatant in the segment of a key that nothing bars so far, without talk."""
    acts = [act for act in state.round.acts_of.get(who, ()) if act.kind not in FREE]
    return [act for act in acts if act.key.point == key.point and act.seq not in state.round.barred]


def _times_out_with(state: OsricState, fact: Reading[DamageDealt], key: Order) -> tuple[Out, ...]:
    """Return the times out of action of a blow's target, with the blow included at its key."""
    who = fact.event.target
    one, limit = state.combatants[who], limit_of(state, who)
    if limit is None or one.hp is None:
        return state.outs.get(who, ())
    return trail_of(state, who, one.hp, Blow(key, -_loss(state, fact).hp, fact.seq), limit).last.outs


def _blow_of(state: OsricState, act: KeyedAct) -> Occurrence[Fact] | None:
    """Return the blow in the row of an act, if there is one."""
    outcomes = (each for each in state.moments.values() if each.cause == act.seq)
    return next((each for each in outcomes if isinstance(each.event, AttackRolled | DamageDealt | Healed)), None)


@check("effects.take-hold-at-once", on=(AttackRolled, DamageDealt, Healed), group="late", rank=2)
def the_fallen_deal_no_blow(state: OsricState, fact: Reading[AttackRolled | DamageDealt | Healed]) -> Breach | None:
    act = fact.act_behind
    if act is None or fact.barred or fact.who not in ("", act.combatant):
        return None
    out = out_among(state, act.combatant, act.action, state.outs.get(act.combatant, ()), act.key)
    if out is None or act.kind == "cast":
        return None
    says = f"{act.combatant} falls before the blow in its own row"
    return Breach(says, "no blow", "a blow", (out.seq,), once=("blow", act.seq))


@check("spell.spoiled-by-interruption", on=DamageDealt)
def a_blow_spoils_what_had_effect_after_it(state: OsricState, fact: Reading[DamageDealt]) -> Breach | None:
    who = fact.event.target
    if state.option("spoil-cause") != "damage" or _loss(state, fact).hp < 1 or not fact.cause:
        return None
    key = key_of_outcome(state, fact)
    segment = counted_through(state, key.point)
    for casting in (*state.castings, *state.past.values()):
        ended = ending(state, casting).value if casting.who == who else None
        if ended is None or ended.ends != DONE or window_start(state, casting) > segment:
            continue
        if ended.place.point == key.point and ended.place > key:
            says = f"{casting.name} of {who} is spoiled before its effect, {LATER_ROW}"
            return Breach(says, "no effect", "an effect", (fact.seq,), about=state.moments[ended.seq])
    return None
