"""Who may act, where and how: checks of acts, recorded as such or implied by a roll, damage or healing.

Only the first of these checks by rank with a finding reports; the ranks follow the list at the head of rules.toml. Rows of
one segment stand in any order, so a later row may bar an act or spoil a spell of an earlier one: these findings come last.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import wraps

from eventstore.events import ActionHeld, ActionTaken, AttackRolled, DamageDealt, Fact, Healed
from projections.mechanics.acts import is_shot, name_or_kind
from projections.mechanics.declarations import Declared
from projections.mechanics.grants import has_grant
from projections.mechanics.pools import NO_LOSS, Loss, losses
from projections.mechanics.work import DONE
from projections.ruleset.faults import Fault, FaultsCheck, checks_by, first_reason
from projections.ruleset.ruleset import Breach, check
from projections.rulesets.osric import routines, spells, surprise
from projections.rulesets.osric.order import FREE, WAITING, hold_fault, missing_dice, own_key
from projections.rulesets.osric.reading import OF_ACTS, Reading
from projections.rulesets.osric.routines import CHARGE, FLEE, is_interrupt, opens_routine, routines_allowed
from projections.rulesets.osric.state import SEGMENTS, SPELL, Blow, KeyedAct, OsricState, Out
from projections.rulesets.osric.surprise import play_reason, segment_number, segments_surprised, specific_rulings
from projections.rulesets.osric.vitals import key_of_blow, key_of_outcome, limit_of_points, time_out_at, trail_with_blow
from projections.stream.causes import causes
from projections.time import Length, Point

ORDER, ROWS, TEN = ("sequence.order-of-events",), ("sequence.winner-then-loser",), ("time.round-is-ten-segments",)
BINDS = ("declare.spell-not-substituted",)

Acts = Callable[[OsricState, Reading[Fact]], Iterable[Fault]]


def act_faults(
    *rules: str, rank: int, holds: bool = False
) -> Callable[[Acts], tuple[FaultsCheck[OsricState, Reading[Fact]], ...]]:
    """Return a decorator for a function that yields faults of acts, and of holds: checks with this rank, in this order."""
    on: tuple[type[Fact], ...] = (ActionTaken, *OF_ACTS, *((ActionHeld,) if holds else ()))

    def mark(faults: Acts) -> tuple[FaultsCheck[OsricState, Reading[Fact]], ...]:
        @wraps(faults)
        def of_acts(state: OsricState, fact: Reading[Fact]) -> Iterable[Fault]:
            return faults(state, fact) if fact.is_act else ()

        return checks_by(*rules, on=on, group="place", rank=rank)(of_acts)

    return mark


def segment_faults(fact: Reading[Fact]) -> Iterator[Fault]:
    """Yield the fault of a fact with a segment outside the ten, unless the clock shows that segment."""
    segment = fact.segment
    if segment is not None and fact.point.round and not 1 <= segment <= SEGMENTS and not fact.is_in_clock_segment:
        yield Fault(TEN, f"a round has no segment {segment}", "segment 1 to 10", f"segment {segment}")


def format_surprise_segments(last: int) -> str:
    """Return the surprise segments in words."""
    return f"surprise segment 1 to {last}" if last > 1 else "surprise segment 1" if last else "no surprise segment"


def order_faults(state: OsricState, point: Point, cause: int = 0) -> Iterator[Fault]:
    """Yield the fault of a row in a segment before that of an earlier row, else of an earlier fact that is no row."""
    highest, by = state.round.highest, state.round.highest_by
    if not has_gone_by(state, point, highest):
        yield from clock_faults(state, point)
        return
    says = f"segment {point.segment} is over: an act of segment {highest} comes before this one"
    row = (cause,) if cause in by else tuple(by[:1])
    yield Fault(ROWS, says, f"segment {highest} or later", f"segment {point.segment}", row)


def clock_faults(state: OsricState, point: Point) -> Iterator[Fault]:
    """Yield the notice of a moment before the latest recorded one of the round."""
    last, seq = max(state.round.latest_moment, (state.round.highest, *state.round.highest_by[:1]))
    if has_gone_by(state, point, last):
        says = f"segment {point.segment} is over: a record of segment {last} comes before this one"
        yield Fault(ROWS, says, f"segment {last} or later", f"segment {point.segment}", (seq,), severity="notice")


def has_gone_by(state: OsricState, point: Point, last: int) -> bool:
    """Return whether a moment of this round comes before a segment, and the clock was not set back to it."""
    return point.round == state.clock.round and 1 <= point.segment < last and point.segment != state.round.back


BY_LENGTH, BY_SURPRISE = ("surprise.length-of-play",), ("surprise.surprised-cannot-act",)


@act_faults("effects.take-hold-at-once", *ORDER, *BY_LENGTH, *BY_SURPRISE, *TEN, rank=10, holds=True)
def acts_have_their_moment(state: OsricState, fact: Reading[Fact]) -> Iterator[Fault]:
    """Yield the faults of an act of the fallen, of one outside the surprise in which it is, and of one in no segment."""
    yield from _fallen_faults(state, fact)
    if fact.point.round:
        yield from segment_faults(fact)
        return
    if state.clock.round and not isinstance(fact.event, ActionHeld):
        says = "an act of the surprise comes after round 1 began"
        yield Fault(ORDER, says, "surprise before round 1", "surprise after it began")
    last, segment, own = surprise.number_of_segments(state), fact.point.segment, segments_surprised(state, fact.one)
    unplaced, at = segment == 0 and fact.segment is None, str(fact.point)
    inside = 1 <= segment <= last or fact.is_in_clock_segment or state.round.dice
    if not inside and not (unplaced and (last or fact.doing in FREE)):
        because = play_reason(state).flat().events
        yield Fault(BY_LENGTH, "this act is outside the surprise segments", format_surprise_segments(last), at, because)
    if last and (own >= last if unplaced else segment <= own):
        free = f"surprise segment {own + 1}" if own < last else "round 1"
        says = f"{fact.who} is surprised for {Length(own, 'segment')}, and free from {free} on"
        yield Fault(BY_SURPRISE, says, free, at)


def _fallen_faults(state: OsricState, fact: Reading[Fact]) -> Iterator[Fault]:
    """Yield the fault of an act out of action; if no known act caused the damage, only from the next segment on."""
    if fact.out is None:
        return
    when = fact.out.key.point
    *_, first = fact.fact, *causes(state, fact.out.seq)
    known = isinstance(first.event, ActionTaken) or getattr(first.event, "segment", None)
    if known or fact.key.value.point != when:
        says = f"{fact.who} has been out of action since {when}"
        yield Fault(("effects.take-hold-at-once",), says, "no act", "an act", (fact.out.seq,))


@act_faults("initiative.d6-each-side", *ORDER, "initiative.fresh-each-round", rank=60)
def acts_come_after_the_dice(state: OsricState, fact: Reading[Fact]) -> Iterator[Fault]:
    """Yield the fault of an act before the dice of its round, or after the round was closed."""
    number = fact.point.round
    if number == 0 or fact.waits:
        return
    acted = any(act.kind not in WAITING for act in state.round.acts.values())
    missing = [] if acted else missing_dice(state)
    if missing and state.round.dice:
        says = f"{' and '.join(missing)} have no initiative die this round"
        yield Fault(("initiative.d6-each-side",), says, "a die for each side", "none")
    elif missing and number == 1:
        yield Fault(ORDER, "an act comes before the initiative dice of round 1", "the dice first", "no dice")
    elif missing:
        says = f"nobody has rolled initiative in round {number}"
        yield Fault(("initiative.fresh-each-round",), says, "fresh dice", "none")
    elif not state.clock.open:
        says, once = f"an act comes after the end of round {number}", ("closed", number)
        yield Fault(ORDER, says, "an act before the end", "one after it", once=once)


@act_faults("interrupt.fleeing-attack", "interrupt.set-spears", "interrupt.out-of-turn", rank=70)
def blows_out_of_turn_have_their_opening(_state: OsricState, fact: Reading[Fact]) -> Iterator[Fault]:
    """Yield the fault of a blow out of turn that its opening does not justify, by the kind of that."""
    if not fact.fault:
        return
    opening = fact.opening
    if opening and fact.fault == FLEE:
        where, segment = f"segment {opening.key.segment}", fact.point.segment
        says = f"each foe that {opening.combatant} flees has one blow at it, in {where}"
        found = "another blow" if segment == opening.key.segment else f"a blow in segment {segment}"
        yield Fault(("interrupt.fleeing-attack",), says, f"one blow in {where}", found, (opening.seq,))
    elif opening and fact.fault == CHARGE:
        says = f"{fact.who} has set no spear against {opening.combatant}'s charge"
        yield Fault(("interrupt.set-spears",), says, "a spear set before the charge", "no such spear", (opening.seq,))
    else:
        says = f"{fact.who} strikes out of turn, but no opponent gave an opening"
        yield Fault(("interrupt.out-of-turn",), says, "an opening", "none")


CARRIES = ("spell.carries-into-next-round",)


@act_faults(*BINDS, *CARRIES, "spell.spoiled-by-interruption", "declare.spell-may-be-given-up", rank=80)
def casters_do_what_they_declared(state: OsricState, fact: Reading[Fact]) -> Iterator[Fault]:
    """Yield the faults of an act of a combatant who is casting a spell, or declared one."""
    declared = spells.declared_spell(state, fact.who)
    if not fact.waits:
        yield from _replaced_spell_faults(state, fact, declared)
        yield from _casting_faults(state, fact)
    if fact.doing != SPELL:
        return
    if wound := spells.incident_before_start(state, fact.who, fact.point):
        says, rule = f"{name_or_kind(fact.action)} was spoiled before it began", ("spell.spoiled-by-interruption",)
        yield Fault(rule, says, "no casting", "a casting", (wound.seq,))
    if declared and declared.withdrawn:
        says, rule = f"{fact.who}'s {name_or_kind(declared.action)} was given up", ("declare.spell-may-be-given-up",)
        yield Fault(rule, says, "no casting", "a casting", (declared.withdrawn,))


def _replaced_spell_faults(state: OsricState, fact: Reading[Fact], declared: Declared | None) -> Iterator[Fault]:
    """Yield the fault of an act in place of a spell that was to go on in this round, or was declared for it."""
    who, number, found = fact.who, fact.point.round, name_or_kind(fact.action)
    before = spells.earlier_casting(state, who, fact.key.value) if number else None
    begun = any(one.who == who and one.key.round == number for one in state.castings)
    its_own = fact.doing == SPELL and spells.spell_declared_as(state, who, fact.action.name) and not begun
    if before and who not in state.unsure and spells.casting_status(state, before).value in ("spoiled", "withdrawn"):
        says = f"{who} was casting {before.name} into this round, but does something else"
        yield Fault(BINDS, says, before.name, found, (before.seq,))
    elif declared and number and not its_own:
        spell = name_or_kind(declared.action)
        says, again = f"{who} declared {spell}, but does something else", " again" * (found == spell)
        yield Fault(BINDS, says, spell, f"{found}{again}", (declared.seq,))


def _casting_faults(state: OsricState, fact: Reading[Fact]) -> Iterator[Fault]:
    before = spells.earlier_casting(state, fact.who, fact.key.value)
    if before is None or fact.who in state.unsure:
        return
    idle = fact.point.round > before.key.round and state.option("after-long-spell") == "no-action"
    if idle or spells.casting_status(state, before).value == "begun":
        since = f"round {before.key.round}" if before.key.round else f"surprise segment {before.key.segment}"
        says = f"{fact.who} has been casting {before.name} since {since}"
        yield Fault(CARRIES, says, before.name, name_or_kind(fact.action), (before.seq,))


@act_faults("attack.one-routine", "attack.not-more-routines-than-due", "attack.further-routine-waits", rank=90)
def routines_are_due(state: OsricState, fact: Reading[Fact]) -> Iterator[Fault]:
    """Yield the faults of a blow apart from its routine, and of a routine that is not due, or not yet."""
    segment, parts = fact.point.segment, [act for act in fact.used if act.routine == fact.number]
    if parts and not fact.extra and segment not in (0, parts[0].key.segment):
        where = f"segment {parts[0].key.segment}"
        says = f"the routine of {where} has all its blows there"
        yield Fault(("attack.one-routine",), says, where, f"segment {segment}", (parts[0].seq,))
    if not fact.begins_routine:
        return
    before, due = len({act.routine for act in fact.used}), routines_allowed(state, fact.one, fact.point)
    if before >= due and not _is_granted(state, fact):
        says, events = f"{fact.who} has used {before} of {Length(due, 'routine')}", tuple(act.seq for act in fact.used)
        rule = ("attack.not-more-routines-than-due",)
        yield Fault(rule, says, str(Length(due, "routine")), f"routine {before + 1}", events)
    first = routines.first_further_segment(state, fact.one, fact.action)
    if fact.used and not is_interrupt(fact.action) and 0 < segment < first:
        says = f"{fact.who}'s next routine waits until the other side has acted"
        yield Fault(("attack.further-routine-waits",), says, f"segment {first} or later", f"segment {segment}")


def _is_granted(state: OsricState, fact: Reading[Fact]) -> bool:
    rule, who = "attack.not-more-routines-than-due", (fact.who, fact.one.side)
    said = (name_or_kind(fact.action), fact.action.kind, "routine", "further routine")
    rulings = specific_rulings(state.rulings_since(state.clock.round_event))
    return has_grant(rulings, rule, who=who, event=(fact.seq, fact.trigger or fact.seq), said=said).value


HELD, FOR_MELEE = "segments.held-action", "initiative.dexterity-not-for-melee"
BEGINS, SHOT, BY_DIE = "spell.begins-in-own-segment", "initiative.missile-dexterity", "initiative.other-sides-die"


@act_faults(BEGINS, HELD, SHOT, FOR_MELEE, BY_DIE, rank=100)
def acts_wait_for_their_segment(state: OsricState, fact: Reading[Fact]) -> Iterator[Fault]:
    """Yield the fault of an act before its combatant's own segment, or held as no option allows."""
    action, at, one = fact.action, fact.point.segment, fact.one
    if fact.waits or is_interrupt(action) or not (at and fact.point.round):
        return
    own = own_key(state, one, action)
    if own.value is None:
        return
    due = own.value.segment
    if at >= due:
        further = (fact.begins_routine and fact.used) or not opens_routine(fact)
        if at > due and not further and (fault := hold_fault(state, one, fact.point)):
            yield Fault((HELD,), fault, "a hold that the option allows", f"an act in segment {at}")
        return
    ruled = state.ruled.keys() & {f"{one.id}.segment", f"{one.side}.segment"}
    if state.unread and not ruled and state.option("many-sides") == "ruling":
        return  # it may await a ruling
    is_held, shot = action.plain_cost == "held" or "held" in fact.reason, is_shot(action)
    held_before: int | None = getattr(state.last, "held", {}).get(fact.who)
    bonuses = one.sheet.surprise_bonus, one.sheet.missile_bonus
    melee = action.plain_kind == "attack" and not shot and due - at in bonuses
    says, more = f"{fact.who} is due in segment {due}", ": a hold ends with its round"
    rule, more = first_reason(
        (fact.doing == SPELL, BEGINS, ""),
        (is_held or held_before, HELD, more),
        (one.sheet.missile_bonus and shot, SHOT, ""),
        (melee or "dexterity" in fact.reason, FOR_MELEE, ""),
        (True, BY_DIE, ""),
    )
    because = (held_before,) if rule == HELD and held_before and not is_held else own.because.flat().events
    yield Fault((rule,), f"{says}{more}", f"segment {due}", f"segment {at}", because)


@act_faults("declare.spells-before-initiative", rank=110)
def castings_were_declared(state: OsricState, fact: Reading[Fact]) -> Iterator[Fault]:
    """Yield the fault of a casting that was not declared."""
    if fact.doing == SPELL and fact.point.round and not spells.declared_spell(state, fact.who):
        says = f"{fact.who} begins {name_or_kind(fact.action)}, which was not declared"
        yield Fault(("declare.spells-before-initiative",), says, "a declaration", "none")


@act_faults(*ROWS, rank=120, holds=True)
def segments_of_acts_never_fall(state: OsricState, fact: Reading[Fact]) -> Iterator[Fault]:
    """Yield the fault of an act in a segment before that of an earlier row."""
    yield from order_faults(state, fact.point)


LATER_ROW = "as a later record shows"


def _loss_by_damage(state: OsricState, fact: Reading[DamageDealt]) -> Loss:
    one = state.combatants[fact.event.target]
    if fact.event.object:
        return NO_LOSS
    return losses(one.hp, one.hp_max, one.temp, one.nld, fact.event, state.rules.pools(state, one))


@check("effects.take-hold-at-once", on=DamageDealt, group="late", rank=1)
def a_blow_bars_what_has_a_higher_key(state: OsricState, fact: Reading[DamageDealt]) -> Breach | None:
    who = fact.event.target
    for act, out in _acts_barred_by(state, fact):
        caused = (each for each in state.moments.values() if each.cause == act.seq and isinstance(each.event, OF_ACTS))
        about = next(caused, None) if fact.answers(act) else state.moments.get(act.seq)
        if about is not None:
            says = f"{who} falls before this in the same segment, {LATER_ROW}"
            return Breach(says, "no act", "an act", tuple(sorted({fact.seq, out.seq})), about=about)
    return None


def _acts_barred_by(state: OsricState, fact: Reading[DamageDealt]) -> Iterator[tuple[KeyedAct, Out]]:
    """Yield the acts of its target that a blow bars though their rows come first, each with the fall that bars it."""
    who, key = fact.event.target, key_of_blow(state, fact)
    one, limit = state.combatants[who], limit_of_points(state, who)
    if limit is None or one.hp is None:
        return
    blow = Blow(key, -_loss_by_damage(state, fact).hp, fact.seq)
    times = trail_with_blow(state, who, one.hp, blow, limit).last.outs
    if times == state.outs.get(who, ()):
        return
    acts = [act for act in state.round.acts_of.get(who, ()) if act.key.point == key.point and act.kind not in FREE]
    for act in (each for each in acts if each.seq not in state.round.barred):
        if out := time_out_at(state, who, act.action, times, act.key):
            yield act, out


@check("effects.take-hold-at-once", on=(AttackRolled, DamageDealt, Healed), group="late", rank=2)
def the_fallen_deal_no_blow(state: OsricState, fact: Reading[AttackRolled | DamageDealt | Healed]) -> Breach | None:
    act = fact.act_behind
    if act is None or act.kind == SPELL or fact.barred or fact.who not in ("", act.combatant):
        return None
    out = time_out_at(state, act.combatant, act.action, state.outs.get(act.combatant, ()), act.key)
    if out is None:
        return None
    says = f"{act.combatant} falls before its own blow lands"
    return Breach(says, "no blow", "a blow", (out.seq,), once=("blow", act.seq))


@check("spell.spoiled-by-interruption", on=DamageDealt)
def a_blow_spoils_what_had_effect_after_it(state: OsricState, fact: Reading[DamageDealt]) -> Breach | None:
    who = fact.event.target
    if state.option("spoil-cause") != "damage" or _loss_by_damage(state, fact).hp < 1 or not fact.cause:
        return None
    key = key_of_outcome(state, fact)
    segment = segment_number(state, key.point)
    for casting in (*state.castings, *state.past.values()):
        ended = spells.ending_incident(state, casting).value if casting.who == who else None
        if ended is None or ended.ends != DONE or spells.window_start(state, casting) > segment:
            continue
        if ended.place.point == key.point and ended.place > key:
            says = f"{who}'s {casting.name} is spoiled before its effect, {LATER_ROW}"
            return Breach(says, "no effect", "an effect", (fact.seq,), about=state.moments[ended.seq])
    return None
