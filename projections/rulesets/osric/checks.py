"""The rulebook: each check looks at a fact before it takes hold and says what it breaks.

Of the checks in one group only the first that finds something reports; they stand in the order in which the catalogue
wants them cited. The place and the right of an act have modules of their own: places.py, rights.py, waits.py.
"""

import re
from typing import Any

from eventstore.events import (
    ActionDeclared,
    ActionTaken,
    AttackRolled,
    DamageDealt,
    EffectStarted,
    Healed,
    InitiativeRolled,
    RoundEnded,
    RoundStarted,
    RulingMade,
    SegmentReached,
    SurpriseRolled,
)
from projections.mechanics.conditions import has
from projections.occurrence import Occurrence
from projections.rulesets.osric.acts import out_at
from projections.rulesets.osric.casting import SPELL, casting_of, casting_time, is_timely
from projections.rulesets.osric.order import is_shot, side_of
from projections.rulesets.osric.places import gone_by, no_such_segment
from projections.rulesets.osric.rights import is_unheralded
from projections.rulesets.osric.routines import key_of_act
from projections.rulesets.osric.state import SEGMENTS, Casting, Order, OsricState
from projections.rulesets.osric.surprise import EACH_ROUND, ONCE, face, granted, length_of_play, threshold
from projections.rulesets.ruleset import Breach, check, derives
from projections.state import Combatant, action_word
from projections.stream.causes import origin
from projections.time import Length, Point

WARY = "wary"

# ---------------------------------------------------------------- surprise


@check("surprise.alerted-side-does-not-roll", on=SurpriseRolled, group="surprise")
def an_alerted_side_rolls_no_die(state: OsricState, fact: Occurrence[SurpriseRolled]) -> Breach | None:
    settled = state.settled.get(fact.event.side)
    if settled is None:
        return None
    return Breach(f"{fact.event.side} need no surprise die", "no die", "a die", (settled.seq,))


@check("surprise.checked-once", on=SurpriseRolled, group="surprise")
def surprise_is_checked_once(state: OsricState, fact: Occurrence[SurpriseRolled]) -> Breach | None:
    first = state.surprise.get(fact.event.side)
    if granted(state, ONCE, fact.event.side):
        return None
    if first is not None:
        return Breach(f"{fact.event.side} have rolled for surprise already", "one die", "a second", (first.seq,))
    owed = any(one.side == fact.event.side and one.joined < state.first_round for one in state.here())
    if not state.first_round or (owed and not _surprise_ruled(state)):
        return None
    return Breach("surprise is checked before round 1", "no die", "a die", (state.first_round,))


@check("surprise.die-each-side", on=SurpriseRolled)
def surprise_die_shows_1_to_6(_state: OsricState, fact: Occurrence[SurpriseRolled]) -> Breach | None:
    shown = face(fact.event.die)
    if 1 <= shown <= 6:
        return None
    return Breach(f"the surprise die of {fact.event.side} shows {shown}", "1 to 6", str(shown))


def _owing(state: OsricState) -> dict[str, list[Combatant]]:
    """Return the sides that owe a surprise die as the first round opens, with their members.

    One of which nobody can be surprised, whatever the die shows, owes none.
    """
    if state.clock.round or _surprise_ruled(state):
        return {}
    sides: dict[str, list[Combatant]] = {}
    for one in state.here():
        sides.setdefault(one.side, []).append(one)
    rolled = {*state.surprise, *state.settled, *state.ruled_surprise}
    return {
        side: members
        for side, members in sides.items()
        if side not in rolled and any(threshold(state, one) > max(0, one.sheet.surprise_bonus) for one in members)
    }


def _surprise_ruled(state: OsricState) -> bool:
    """Say whether a ruling, before the first round, stands in for the check: one on surprise, or on nothing else named."""
    for fact in state.rulings:
        event = fact.event
        before = not state.first_round or fact.seq < state.first_round
        about = (event.rule or event.subject or "surprise").casefold()
        if event.ruling in ("fact", "grant") and before and event.event is None and about.startswith("surprise"):
            return True
    return False


@derives("surprise.checked-at-start", on=RoundStarted)
def first_round_is_open(state: OsricState, fact: Occurrence[RoundStarted]) -> None:
    """Keep what opened the first round, and the number that each was opened with."""
    state.first_round = state.first_round or fact.seq
    state.claimed = fact.event.round


@check("surprise.checked-at-start", on=RoundStarted, group="owing")
def surprise_is_checked_at_the_start(state: OsricState, _fact: Occurrence[RoundStarted]) -> Breach | None:
    if not _owing(state) or state.surprise or state.settled:
        return None
    return Breach("round 1 is opened and nobody has checked for surprise", "a die of each side", "none")


@check("surprise.wariness-does-not-exempt", on=RoundStarted, group="wary")
def the_wary_roll_all_the_same(state: OsricState, _fact: Occurrence[RoundStarted]) -> Breach | None:
    owing = _owing(state) if state.surprise or state.settled else {}
    wary = [side for side, members in owing.items() if any(_is_wary(state, one) for one in members)]
    return Breach(f"{wary[0]} are wary, which is not alerted", "a surprise die", "none") if wary else None


@check("surprise.die-each-side", on=RoundStarted, group="owing")
def each_side_rolls_for_surprise(state: OsricState, _fact: Occurrence[RoundStarted]) -> Breach | None:
    owing = _owing(state) if state.surprise or state.settled else {}
    missing = [side for side, members in owing.items() if not any(_is_wary(state, one) for one in members)]
    return Breach(f"{', '.join(missing)} have no surprise die", "a die", "none") if missing else None


def _is_wary(state: OsricState, one: Combatant) -> bool:
    return has(state.conditions, one.id, WARY).value


@check("surprise.what-fits-a-segment", on=ActionTaken)
def an_act_fits_its_surprise_segment(state: OsricState, fact: Occurrence[ActionTaken]) -> Breach | None:
    length = state.rules.calendar.length(fact.event.action.time)
    if is_barred(state, fact) or fact.point.round or fact.event.action.kind == SPELL or length is None:
        return None
    taken = state.rules.calendar.count(length, "second")
    if taken is None or taken <= 6:
        return None
    return Breach(f"{action_word(fact.event.action)} takes {length}", "6 seconds", str(Length(taken, "second")))


# ---------------------------------------------------------------- the round and its dice


@check("time.round-is-ten-segments", on=SegmentReached)
def a_round_has_ten_segments(_state: OsricState, fact: Occurrence[SegmentReached]) -> Breach | None:
    segment = fact.event.segment
    if _state.clock.round == 0 or fact.event.surprise or 1 <= segment <= SEGMENTS:
        return None
    return Breach(f"there is no segment {segment} in a round", "1 to 10", str(segment))


@check("surprise.length-of-play", on=SegmentReached)
def surprise_has_so_many_segments(state: OsricState, fact: Occurrence[SegmentReached]) -> Breach | None:
    segment, last = fact.event.segment, length_of_play(state)
    if state.clock.round or 1 <= segment <= last:
        return None
    return Breach(f"there is no surprise segment {segment}", f"1 to {last}" if last else "none", str(segment))


@check("round.next-declarations", on=RoundStarted)
def rounds_follow_each_other(state: OsricState, fact: Occurrence[RoundStarted]) -> Breach | None:
    clock, due = state.clock, state.clock.round + 1
    if fact.event.round not in (due, state.claimed + 1 if state.claimed else due):
        return Breach(f"round {fact.event.round} is opened where {due} is due", str(due), str(fact.event.round))
    if clock.open:
        says = f"round {due} is opened while round {clock.round} was never closed"
        return Breach(says, f"round {clock.round} closed", "still open", (clock.round_event,))
    return None


@check("round.next-declarations", on=RoundEnded)
def the_round_that_ends_is_the_one_that_runs(state: OsricState, fact: Occurrence[RoundEnded]) -> Breach | None:
    claimed, now = fact.event.round, state.clock.round
    if claimed in (None, now, state.claimed):
        return None
    return Breach(f"round {claimed} is closed where {now} is running", str(now), str(claimed))


def _late(state: OsricState) -> list[Casting]:
    """Return the castings that should have come by now and were not reported yet."""
    now = state.clock.round
    begun = [one for one in state.castings if one.status == "begun" and one.due.round <= now]
    return [one for one in begun if one.begun not in state.overdue]


@derives("round.ends-after-both", on=RoundEnded)
def what_is_late_is_known(state: OsricState, _fact: Occurrence[RoundEnded]) -> None:
    """Remember which castings a closed round was reported for."""
    state.overdue |= {one.begun for one in _late(state)}


@check("round.ends-after-both", on=RoundEnded)
def a_round_ends_after_its_spells(state: OsricState, _fact: Occurrence[RoundEnded]) -> Breach | None:
    late = _late(state)
    if not late:
        return None
    says = f"{late[0].name} of {late[0].combatant} was due in {_where(late[0].due)} and is still being cast"
    return Breach(says, "done, spoiled or given up", "begun", (late[0].begun,))


@check("initiative.d6-each-side", on=InitiativeRolled)
def initiative_is_one_d6_a_side(state: OsricState, fact: Occurrence[InitiativeRolled]) -> Breach | None:
    event = fact.event
    side = side_of(state, event)
    first = state.dice.get(side)
    if first and not granted(state, EACH_ROUND, side):
        return Breach(f"{side} have rolled already, the first die stands", "one die", "a second", (first.seq,))
    shown = face(event.die) if event.die is not None else 1
    if 1 <= shown <= 6:
        return None
    return Breach(f"the initiative die of {side} shows {shown}", "1 to 6", str(shown))


# ---------------------------------------------------------------- declarations


@check("declare.spells-before-initiative", on=ActionDeclared)
def spells_are_declared_before_the_dice(state: OsricState, fact: Occurrence[ActionDeclared]) -> Breach | None:
    if fact.event.action.kind != SPELL or not state.dice:
        return None
    first = min(rolled.seq for rolled in state.dice.values())
    return Breach("a spell is declared after the initiative dice", "before the dice", "after them", (first,))


@check("spell.casting-time-units", on=(ActionDeclared, ActionTaken))
def a_casting_takes_a_segment_at_least(
    state: OsricState, fact: Occurrence[ActionDeclared] | Occurrence[ActionTaken]
) -> Breach | None:
    event = fact.event
    length = state.rules.calendar.length(event.action.time)
    if is_barred(state, fact) or event.action.kind != SPELL or length is None:
        return None
    taken = state.rules.calendar.count(length, "segment")
    stated_before = isinstance(event, ActionTaken) and _declared_time(state, event) == event.action.time
    if stated_before or (taken is not None and taken >= 1):
        return None
    counts = casting_time(state, event.combatant or "", event.action)
    return Breach(f"a casting time of {length}", "1 segment or more", f"{length}; it counts as {counts}")


def _declared_time(state: OsricState, event: ActionTaken) -> object:
    declared = state.declared.get(event.combatant)
    return declared.action.time if declared else None


# ---------------------------------------------------------------- effects of spells


@check("effects.take-hold-at-once", on=EffectStarted, group="effect")
def the_fallen_begin_no_spell(state: OsricState, fact: Occurrence[EffectStarted]) -> Breach | None:
    casting = casting_of(state, fact)
    fallen = state.fallen.get(fact.event.source or "")
    if casting is None or fallen is None or fallen.key >= casting.key or _has_a_row(state, casting):
        return None
    when = _where(fallen.key)
    return Breach(f"{casting.combatant} is out of action since {when}", "no effect", "an effect", (fallen.seq,))


def _has_a_row(state: OsricState, casting: Casting) -> bool:
    return any(one.begun == casting.begun for one in (*state.past, *state.castings))


@check("spell.spoiled-by-interruption", on=EffectStarted, group="effect")
def a_spoiled_spell_has_no_effect(state: OsricState, fact: Occurrence[EffectStarted]) -> Breach | None:
    casting = casting_of(state, fact)
    if casting is None or casting.status != "spoiled" or casting.barred:
        return None
    by = casting.ended_by
    says = f"{casting.name} of {casting.combatant} was spoiled by event {by} and is given effect"
    return Breach(says, "no effect", f"an effect in {fact.point}", (by,))


@check("declare.spell-may-be-given-up", on=EffectStarted, group="effect")
def a_spell_given_up_has_no_effect(state: OsricState, fact: Occurrence[EffectStarted]) -> Breach | None:
    casting = casting_of(state, fact)
    if casting is None or casting.status != "withdrawn":
        return None
    says = f"{casting.name} of {casting.combatant} was given up and is given effect"
    return Breach(says, "no effect", f"an effect in {fact.point}", (casting.ended_by,))


@check("time.round-is-ten-segments", on=EffectStarted, group="effect")
def an_effect_has_one_of_ten_segments(state: OsricState, fact: Occurrence[EffectStarted]) -> Breach | None:
    return no_such_segment(state, fact)


@check("surprise.spell-fits-or-runs-on", on=EffectStarted, group="effect")
def a_spell_of_surprise_takes_effect_when_due(state: OsricState, fact: Occurrence[EffectStarted]) -> Breach | None:
    casting = casting_of(state, fact)
    if casting is None or casting.key.round:
        return None
    if casting.status == "lost":
        says = f"{casting.name} of {casting.combatant} was lost as surprise ended"
        return Breach(says, "no effect", f"an effect in {fact.point}", (casting.ended_by,))
    return _untimely(casting, fact)


@check("spell.completes-after-casting-time", on=EffectStarted, group="effect")
def a_spell_takes_effect_when_due(state: OsricState, fact: Occurrence[EffectStarted]) -> Breach | None:
    casting = casting_of(state, fact)
    return _untimely(casting, fact) if casting and casting.key.round else None


@check("declare.spells-before-initiative", on=EffectStarted, group="effect")
def a_spell_that_takes_effect_was_declared(state: OsricState, fact: Occurrence[EffectStarted]) -> Breach | None:
    if not is_unheralded(state, fact):
        return None
    says = f"{fact.event.effect} of {fact.event.source} was neither declared nor begun"
    return Breach(says, "a declaration", "none")


@check("sequence.winner-then-loser", on=EffectStarted, group="effect")
def segments_of_effects_never_fall(state: OsricState, fact: Occurrence[EffectStarted]) -> Breach | None:
    return gone_by(state, fact.point)


def _untimely(casting: Casting, fact: Occurrence[EffectStarted]) -> Breach | None:
    due = casting.due
    if casting.status != "begun" or is_timely(casting, fact):
        return None
    says = f"{casting.name} of {casting.combatant}, begun in {_where(casting.key)}, is due in {_where(due)}"
    return Breach(says, _where(due), str(fact.point), (casting.begun,))


# ---------------------------------------------------------------- blows and hit points


@check("attack.missile-bonus-to-hit", on=AttackRolled)
def an_attack_adds_up(state: OsricState, fact: Occurrence[AttackRolled]) -> Breach | None:
    event = fact.event
    if event.die is None or is_barred(state, fact):
        return None
    shown = face(event.die)
    if not 1 <= shown <= 20:
        return Breach(f"the attack die of {event.combatant} shows {shown}", "1 to 20", str(shown))
    due = shown + _added(state, fact)
    if event.total is None or event.total == due or not (_is_missile(state, fact) or event.modifiers):
        return None
    return Breach(f"the attack of {event.combatant} comes to {due}", str(due), str(event.total))


def _added(state: OsricState, fact: Occurrence[AttackRolled]) -> int:
    """Return what is added to an attack die: the modifiers stated, and the missile bonus if they leave it out."""
    stated = fact.event.modifiers
    bonus = int(state.combatants[fact.event.combatant].sheet.missile_bonus)
    named = any(each.amount == bonus or _MISSILE.search(each.name.casefold()) for each in stated)
    return sum(each.amount for each in stated) + (bonus if _is_missile(state, fact) and not named else 0)


_MISSILE = re.compile("missile|dex")


def _is_missile(state: OsricState, fact: Occurrence[AttackRolled]) -> bool:
    act = state.openings.get(fact.cause)
    return act is not None and act.combatant == fact.event.combatant and is_shot(act.action)


@check("health.hit-points", on=(DamageDealt, Healed))
def amounts_are_plain_hit_points(
    state: OsricState, fact: Occurrence[DamageDealt] | Occurrence[Healed]
) -> Breach | None:
    event = fact.event
    if is_barred(state, fact):
        return None
    if event.amount < 0:
        return Breach("an amount below 0 changes nothing", "0 or more", str(event.amount))
    if event.nonlethal:
        return Breach("this text has no non-lethal damage: it counts as damage", "damage", "non-lethal damage")
    return None


@check("initiative.tie-damage-stands", on=RulingMade)
def no_ruling_cancels_damage(state: OsricState, fact: Occurrence[RulingMade]) -> Breach | None:
    event = fact.event
    for address, value in (event.values or {}).items() if event.ruling == "override" else ():
        who, _, field = address.partition(".")
        one, blow = state.combatants.get(who), state.survived.get(who)
        dealt = state.moments[blow].event.amount if blow in state.moments else 0
        if field == "hp" and one and one.hp is not None and dealt and value == one.hp + dealt and blow:
            return Breach(f"the damage to {who} was dealt at the same time", str(one.hp), str(value), (blow,))
    return None


def is_barred(state: OsricState, fact: Occurrence[Any]) -> bool:
    """Say whether a fact is an act of the fallen, or came out of one: nothing else of it is reported."""
    if isinstance(fact.event, ActionTaken):
        return out_at(state, fact, key_of_act(state, fact)) is not None
    return origin(state, fact.cause, state.barred) in state.barred


def _where(key: Order) -> str:
    return str(Point(key.round, segment=key.segment))
