"""Checks of surprise, dice, declarations, spells, hit points, and of the clock: rounds and segments, and facts in segments
that do not exist or have passed. Each looks at a fact before the state has it.

In a group of checks only the first by rank with a finding reports. Checks of who may act, and when, are in who_may_act.py.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial

from eventstore import events
from projections.folds.side_dice import side_of, wrong_die
from projections.folds.vitals import breach_of_amount
from projections.mechanics.acts import is_shot, name_or_kind
from projections.mechanics.conditions import has_effect
from projections.mechanics.grants import has_grant
from projections.mechanics.pools import HP
from projections.mechanics.rolls import face
from projections.occurrence import is_a
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check
from projections.rulesets.osric import spells, surprise, who_may_act
from projections.rulesets.osric.acts import OTHER_MOMENTS, OUTCOMES
from projections.rulesets.osric.order import free_combatants, may_roll_again, time_out
from projections.rulesets.osric.reading import Reading
from projections.rulesets.osric.spells import current_casting
from projections.rulesets.osric.state import SEGMENTS, SPELL, START, Casting, Order, OsricState
from projections.rulesets.osric.surprise import LISTED, ONCE, number_of_segments, play_reason, surprise_threshold
from projections.time import Length, Point

# ---------------------------------------------------------------- surprise


@checks_by("surprise.alerted-side-does-not-roll", ONCE, on=events.SurpriseRolled, group="surprise")
def surprise_is_checked_once(state: OsricState, fact: Reading[events.SurpriseRolled]) -> Iterator[Fault]:
    """Yield the fault of a die of an alerted side, of a second one, and of one after round 1 was opened."""
    side, rule = fact.event.side, (ONCE,)
    first, settled = state.surprise.get(side), state.settled.get(side)
    if settled:
        says = f"{side} need no surprise die"
        yield Fault(("surprise.alerted-side-does-not-roll",), says, "no surprise die", "one", (settled.seq,))
    if surprise.may_roll_again(state, side).value:
        return
    owed = any(one.side == side and one.joined < state.first_round for one in state.here())
    if first:
        yield Fault(rule, f"{side} have rolled for surprise already", "one die", "a second", (first.seq,))
    elif state.first_round and not (owed and not _is_surprise_ruled(state)):
        yield Fault(rule, "surprise is checked before round 1", "no surprise die", "one", (state.first_round,))


@check("surprise.die-each-side", on=events.SurpriseRolled)
def surprise_die_shows_1_to_6(_state: OsricState, fact: Reading[events.SurpriseRolled]) -> Breach | None:
    shown = face(fact.event.die)
    if 1 <= shown <= 6:
        return None
    return Breach(f"the surprise die of {fact.event.side} cannot show {shown}", "1 to 6", str(shown))


def sides_owing_a_die(state: OsricState) -> list[str]:
    """Return the sides that owe a surprise die when the first round opens: those with a member whom a die can surprise."""
    if state.clock.round or _is_surprise_ruled(state):
        return []
    settled = {*state.surprise, *state.settled, *state.ruled_surprise}
    at_risk = {one.side for one in state.here() if surprise_threshold(state, one) > max(0, one.sheet.surprise_bonus)}
    return [side for side in dict.fromkeys(one.side for one in state.here()) if side in at_risk - settled]


def _is_surprise_ruled(state: OsricState) -> bool:
    """Return whether a ruling before the first round on surprise, or on a rule of it, replaces the dice."""
    before = [fact for fact in state.rulings if not state.first_round or state.precedes(fact.seq, state.first_round)]
    kinds = ("grant", "fact")
    rules = {rule for fact in before if (rule := fact.event.rule or ONCE).startswith("surprise.")}
    return any(has_grant(before, rule, said=("surprise", "surprise check"), kinds=kinds).value for rule in rules)


AT_START, EACH_SIDE = "surprise.checked-at-start", "surprise.die-each-side"


@checks_by(AT_START, EACH_SIDE, "surprise.wariness-does-not-exempt", on=events.RoundStarted)
def each_side_rolls_for_surprise(state: OsricState, _fact: Reading[events.RoundStarted]) -> Iterator[Fault]:
    """Yield the faults if round 1 is opened before each side has its surprise die; to be wary is not to be alerted."""
    missing = sides_owing_a_die(state)
    if missing and not state.surprise and not state.settled:
        yield Fault((AT_START,), "round 1 begins, but nobody has checked for surprise", "a die for each side", "none")
        return
    members = {one.side for one in state.here() if has_effect(state.conditions, one.id, "wary").value}
    wary = [side for side in missing if side in members]
    if others := [side for side in missing if side not in wary]:
        yield Fault((EACH_SIDE,), f"{' and '.join(others)} have no surprise die", "a die", "none")
    if wary:
        says = f"{wary[0]} are only wary, not alerted"
        yield Fault(("surprise.wariness-does-not-exempt",), says, "a surprise die", "none")


@check("surprise.what-fits-a-segment", on=events.ActionTaken)
def an_act_fits_its_surprise_segment(state: OsricState, fact: Reading[events.ActionTaken]) -> Breach | None:
    length = state.rules.calendar.length(fact.event.action.time)
    if fact.point.round or fact.kind == SPELL or length is None or fact.barred:
        return None
    taken = state.rules.calendar.count_units(length, "second") or 0
    says, found = f"{name_or_kind(fact.event.action)} takes {length}", str(Length(taken, "second"))
    return Breach(says, "6 seconds", found) if taken > 6 else None


# ---------------------------------------------------------------- the round and its dice


@check("round.ends-after-both", on=events.RoundEnded)
def a_round_ends_after_its_spells(state: OsricState, _fact: Reading[events.RoundEnded]) -> Breach | None:
    sure = (one for one in state.castings if one.who not in state.unsure and one.name.casefold() not in state.doubtful)
    begun = [(spells.due_key(state, one).value, one) for one in sure if spells.is_begun(state, one)]
    late = sorted((pair for pair in begun if pair[0].round <= state.clock.round), key=lambda pair: -pair[0].round)
    if not late:
        return None
    due, casting = late[0]
    says = f"{casting.who}'s {casting.name} was due in {due.point}, but is still being cast"
    return Breach(says, "done, spoiled or given up", "still begun", (casting.seq,), once=("overdue", casting.seq))


@checks_by("initiative.d6-each-side", "sequence.order-of-events", on=events.InitiativeRolled)
def each_side_rolls_one_d6_in_a_round(state: OsricState, fact: Reading[events.InitiativeRolled]) -> Iterator[Fault]:
    """Yield the faults of a wrong die, and of dice where no round is open."""
    clock, dice = state.clock, state.round.dice if state.clock.open else {}
    if wrong := wrong_die(dice, side_of(state, fact.event), fact.event.die, partial(may_roll_again, state)):
        yield Fault(("initiative.d6-each-side",), wrong.says, wrong.expected, wrong.found, wrong.because)
    if not clock.open:
        says, once = "initiative is rolled, but no round has begun", ("dice", clock.round)
        wanted = f"the start of round {clock.round + 1}"
        yield Fault(("sequence.order-of-events",), says, wanted, "none", clock.events, once)


# ---------------------------------------------------------------- declarations


@check("declare.spells-before-initiative", on=events.ActionDeclared)
def spells_are_declared_before_the_dice(state: OsricState, fact: Reading[events.ActionDeclared]) -> Breach | None:
    if fact.kind != SPELL or not state.round.dice:
        return None
    dice = tuple(rolled.seq for rolled in state.round.dice.values())
    return Breach("a spell is declared after the initiative dice", "before the dice", "after them", dice)


@check("spell.casting-time-units", on=(events.ActionDeclared, events.ActionTaken))
def a_casting_takes_a_segment_at_least(
    state: OsricState, fact: Reading[events.ActionDeclared | events.ActionTaken]
) -> Breach | None:
    event = fact.event
    length = state.rules.calendar.length(event.action.time)
    if fact.kind != SPELL or length is None or fact.barred:
        return None
    taken = state.rules.calendar.count_units(length, "segment")
    declared = state.round.said.get(fact.who)
    stated_before = isinstance(event, events.ActionTaken) and declared and declared.action.time == event.action.time
    if stated_before or (taken is not None and taken >= 1):
        return None
    counts = spells.casting_time(state, fact.who, event.action)
    return Breach(f"a casting time of {length} counts as {counts}", "1 segment or more", str(length))


# ---------------------------------------------------------------- effects of spells


SPOILED, GIVEN_UP = ("spell.spoiled-by-interruption",), ("declare.spell-may-be-given-up",)
RUNS_ON, COMPLETES = ("surprise.spell-fits-or-runs-on",), ("spell.completes-after-casting-time",)


@checks_by(
    *who_may_act.BINDS, "effects.take-hold-at-once", *SPOILED, *GIVEN_UP, *who_may_act.TEN, *RUNS_ON, *COMPLETES, "declare.spells-before-initiative",
    *who_may_act.ROWS, on=spells.FULFILS, group="effect",
)  # fmt: skip
def effects_come_of_their_spells(state: OsricState, fact: Reading[events.Fact]) -> Iterator[Fault]:
    """Yield the faults of an effect, or of what a casting brings about: of the fallen, of a spoiled spell, at another time."""
    if is_a(fact.fact, events.EffectStarted):
        yield from _undeclared_effect_faults(state, fact, fact.fact.event.effect)
        yield from who_may_act.segment_faults(fact)
    elif fact.casting is None:
        return
    casting = fact.casting
    who = casting.who if casting else fact.who if _is_without_spell_or_act(state, fact) else ""
    out, begun = time_out(state, who), casting.key if casting else Order.at(fact.point, START)
    if out and out.key < begun and not (casting and casting.seq in state.begun):
        says = f"{who} has been out of action since {out.key.point}"
        yield Fault(("effects.take-hold-at-once",), says, "no effect", "an effect", (out.seq,))
    if casting:
        yield from _late_effect_faults(state, fact, casting)
        yield from _mistimed_effect_faults(state, fact, casting)
    if casting is None or isinstance(fact.event, events.EffectStarted) or spells.is_begun(state, casting):
        yield from who_may_act.order_faults(state, spells.moment_of_effect(state, fact))


def _undeclared_effect_faults(state: OsricState, fact: Reading[events.Fact], effect: str) -> Iterator[Fault]:
    """Yield the fault of an effect of another spell than the declared one, or of one that was neither declared nor begun."""
    declared, once = spells.declared_spell(state, fact.who), (fact.who, effect.casefold(), state.clock.round)
    if not _is_without_spell_or_act(state, fact):
        return
    if declared:
        spell, found = name_or_kind(declared.action), f"an effect of {effect}"
        says = f"{fact.who} declared {spell}, but did not begin it"
        yield Fault(who_may_act.BINDS, says, f"{spell} begun", found, (declared.seq,), once)
    says = f"{fact.who}'s {effect} was neither declared nor begun"
    yield Fault(("declare.spells-before-initiative",), says, "a declaration", "none", once=once)


def _is_without_spell_or_act(state: OsricState, fact: Reading[events.Fact]) -> bool:
    acts = state.round.acts
    of_an_act = fact.cause in acts and acts[fact.cause].combatant == fact.who
    certain = fact.point.round > 0 and not of_an_act and not fact.fact.doubtful
    return bool(fact.who) and certain and fact.casting is None


def _late_effect_faults(state: OsricState, fact: Reading[events.Fact], casting: Casting) -> Iterator[Fault]:
    end = spells.ending_incident(state, casting).value
    rows = {
        "spoiled": (SPOILED, "was spoiled by event {}", not casting.barred and casting.who not in state.unsure),
        "withdrawn": (GIVEN_UP, "was given up", True),
        "lost": (RUNS_ON, "was lost as surprise ended", not casting.key.round),
    }
    rule, words, counts = rows.get(end.ends if end else "", (SPOILED, "", False))
    if end and counts:
        says = f"{casting.who}'s {casting.name} {words.format(end.seq)}, but takes effect"
        found = f"an effect in {spells.moment_of_effect(state, fact)}"
        yield Fault(rule, says, "no effect", found, (end.seq,), (end.ends, casting.seq))


def _mistimed_effect_faults(state: OsricState, fact: Reading[events.Fact], casting: Casting) -> Iterator[Fault]:
    if not spells.is_begun(state, casting) or spells.is_timely(state, casting, fact):
        return
    due, begun = spells.due_key(state, casting), "" if casting.key == Order(0, 0) else "in "
    when, found = str(due.value.point), str(spells.moment_of_effect(state, fact))
    says = f"{casting.who}'s {casting.name}, begun {begun}{casting.key.point}, is due in {when}"
    yield Fault(COMPLETES if casting.key.round else RUNS_ON, says, when, found, due.because.flat().events)


# ---------------------------------------------------------------- blows and hit points


@check("attack.missile-bonus-to-hit", on=events.AttackRolled)
def an_attack_adds_up(state: OsricState, fact: Reading[events.AttackRolled]) -> Breach | None:
    event = fact.event
    if event.die is None or fact.barred:
        return None
    shown = face(event.die)
    if not 1 <= shown <= 20:
        return Breach(f"{event.combatant}'s d20 cannot show {shown}", "1 to 20", str(shown))
    due = shown + _sum_of_modifiers(state, fact)
    if event.total is None or event.total == due or not (_is_missile(state, fact) or event.modifiers):
        return None
    if not fact.cause and event.total == due + int(state.combatants[event.combatant].sheet.missile_bonus):
        return None  # it may be a shot
    return Breach(f"{event.combatant}'s attack roll totals {due}", f"a total of {due}", f"a total of {event.total}")


def _sum_of_modifiers(state: OsricState, fact: Reading[events.AttackRolled]) -> int:
    """Return the sum of modifiers of an attack: those stated, and the missile bonus if they do not include it."""
    stated = fact.event.modifiers
    bonus = int(state.combatants[fact.event.combatant].sheet.missile_bonus)
    named = any(each.amount == bonus or re.search("missile|dex", each.name.casefold()) for each in stated)
    return int(sum(each.amount for each in stated)) + (bonus if _is_missile(state, fact) and not named else 0)


def _is_missile(state: OsricState, fact: Reading[events.Fact]) -> bool:
    act = state.round.acts.get(fact.cause)
    return act is not None and act.combatant == fact.who and is_shot(act.action)


@check("health.hit-points", on=(events.DamageDealt, events.Healed))
def amounts_are_hit_points(_state: OsricState, fact: Reading[events.DamageDealt | events.Healed]) -> Breach | None:
    says = "this text has no non-lethal damage: it counts as damage"
    found = Breach(says, "damage", "non-lethal damage", silent=True) if fact.event.nonlethal else None
    return None if fact.barred else breach_of_amount(fact.event) or found


@check("initiative.tie-damage-stands", on=events.RulingMade)
def no_ruling_cancels_damage(state: OsricState, fact: Reading[events.RulingMade]) -> Breach | None:
    values = fact.event.values or {} if fact.event.ruling == "override" else {}
    for who, blow in state.survived.items():
        pool, value = state.combatants[who].pools[HP], values.get(f"{who}.hp")
        without = [pool.value - each.by for each in pool.changes if each.seq == blow and pool.value is not None]
        if value in without:
            says = f"the damage to {who} was dealt at the same time, and stands"
            return Breach(says, f"{pool.value} hp", f"{value} hp", (blow,))
    return None


@checks_by(*who_may_act.TEN, "surprise.length-of-play", *who_may_act.ROWS, on=events.SegmentReached)
def the_clock_shows_segments_in_order(state: OsricState, fact: Reading[events.SegmentReached]) -> Iterator[Fault]:
    """Yield the faults of a segment that does not exist, and of one that had gone by."""
    segment, number = fact.event.segment, state.clock.round
    if number and not fact.event.surprise and not 1 <= segment <= SEGMENTS:
        yield Fault(who_may_act.TEN, f"a round has no segment {segment}", "segment 1 to 10", f"segment {segment}")
    if not number:
        yield from surprise_segment_faults(state, segment)
    yield from who_may_act.order_faults(state, Point(0 if fact.event.surprise else number, segment=segment))


def surprise_segment_faults(state: OsricState, segment: int) -> Iterator[Fault]:
    """Yield the fault of a surprise segment after the last one."""
    last = number_of_segments(state)
    if not 1 <= segment <= last:
        says, known = f"there is no surprise segment {segment}", who_may_act.format_surprise_segments(last)
        yield Fault(who_may_act.BY_LENGTH, says, known, f"segment {segment}", play_reason(state).flat().events)


@check("round.next-declarations", on=(events.RoundStarted, events.RoundEnded))
def rounds_come_in_order(state: OsricState, fact: Reading[events.RoundStarted | events.RoundEnded]) -> Breach | None:
    claimed, clock, number = fact.event.round, state.clock, state.clock.round
    if isinstance(fact.event, events.RoundStarted):
        if claimed not in (number + 1, state.round.claimed + 1):
            says = f"round {claimed} begins, but round {number + 1} is next"
            return Breach(says, f"round {number + 1}", f"round {claimed}")
        says = f"round {number + 1} begins, but round {number} has not ended"
        return Breach(says, f"the end of round {number}", "none", (clock.round_event,)) if clock.open else None
    if claimed not in (None, number, state.round.claimed):
        says = f"round {claimed} ends, but it is round {number}"
        return Breach(says, f"round {number}", f"round {claimed}")
    says = f"round {number} has ended already" if number else "a round ends, but none has begun"
    return None if clock.open else Breach(says, "a round to end", "none", clock.events[-1:], "notice")


# ---------------------------------------------------------------- surprise segments that are skipped


@check(
    "surprise.length-of-play", on=(events.SegmentReached, events.ActionTaken, events.ActionHeld, events.RoundStarted)
)
def no_surprise_segment_is_skipped(
    state: OsricState,
    fact: Reading[events.SegmentReached | events.ActionTaken | events.ActionHeld | events.RoundStarted],
) -> Breach | None:
    acts = state.round.acts_of
    for segment in () if state.clock.round else _segments_skipped(state, fact):
        free = free_combatants(state, segment)
        idle = (one for one in free if all(act.key.segment for act in acts.get(one.id, ())))
        if one := next((one for one in idle if not current_casting(state, one.id)), None):
            says = f"surprise segment {segment} is skipped, but {one.id} may act in it"
            because = {*play_reason(state).flat().events, *state.round.highest_by[:1]}
            found = "round 1" if isinstance(fact.event, events.RoundStarted) else f"segment {_segment_reached(fact)}"
            return Breach(says, f"segment {segment}", found, tuple(sorted(because)), "notice")
    return None


def _segments_skipped(state: OsricState, fact: Reading[events.Fact]) -> Sequence[int]:
    """Return the surprise segments without a row that a fact skips; those before the first row are not counted."""
    opens, played, last = isinstance(fact.event, events.RoundStarted), state.round.highest, number_of_segments(state)
    now = last + 1 if opens else _segment_reached(fact)
    known = not sides_owing_a_die(state) if opens else played and now <= last
    return range(played + 1, now)[:LISTED] if known else ()


def _segment_reached(fact: Reading[events.Fact]) -> int:
    return int(fact.event.segment if isinstance(fact.event, events.SegmentReached) else fact.point.segment)


# ---------------------------------------------------------------- the segments of outcomes


@checks_by(*who_may_act.TEN, "surprise.length-of-play", *who_may_act.ROWS, on=(*OUTCOMES, *OTHER_MOMENTS), group="row")
def outcomes_have_their_segment(state: OsricState, fact: Reading[events.Fact]) -> Iterator[Fault]:
    """Yield the fault of an outcome in another segment than its cause: no such segment, or one that had gone by."""
    origin = state.moments.get(fact.cause)
    has_own = fact.segment is not None and (origin is None or origin.point != fact.point)
    if not has_own or fact.is_act or fact.casting or fact.barred:
        return  # other checks look at it
    yield from who_may_act.segment_faults(fact)
    if not (fact.point.round or fact.is_in_clock_segment):
        yield from surprise_segment_faults(state, fact.point.segment)
    if isinstance(fact.event, OUTCOMES):
        yield from who_may_act.order_faults(state, fact.point, fact.cause)
    else:
        yield from who_may_act.clock_faults(state, fact.point)
