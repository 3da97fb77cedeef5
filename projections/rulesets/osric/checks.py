"""The rulebook: each check looks at a fact before it takes hold and says what it breaks.

Of the checks in one group only the first that finds something reports; they stand in the order in which the catalogue
wants them cited. The place and the right of an act have a module of their own, places.py.
"""

from eventstore.events import (
    ActionAbandoned,
    ActionDeclared,
    ActionTaken,
    AttackRolled,
    DamageDealt,
    EffectStarted,
    Healed,
    InitiativeRolled,
    RoundEnded,
    RoundStarted,
    SegmentReached,
    SurpriseRolled,
)
from projections.bearing import states_of
from projections.rulesets.osric.casting import SPELL, casting_of, casting_time
from projections.rulesets.osric.order import granted, is_shot, side_of
from projections.rulesets.osric.state import SEGMENTS, Casting, Order, OsricState
from projections.rulesets.osric.surprise import face, length_of_play
from projections.rulesets.ruleset import Breach, check
from projections.state import Combatant, Told, action_word
from projections.time import Length, Point

WARY = "wary"

# ---------------------------------------------------------------- surprise


@check("surprise.alerted-side-does-not-roll", on=SurpriseRolled, group="surprise")
def an_alerted_side_rolls_no_die(state: OsricState, told: Told[SurpriseRolled]) -> Breach | None:
    settled = state.settled.get(told.event.side)
    if settled is None:
        return None
    return Breach(f"{told.event.side} need no surprise die", "no die", "a die", (settled.seq,))


@check("surprise.checked-once", on=SurpriseRolled, group="surprise")
def surprise_is_checked_once(state: OsricState, told: Told[SurpriseRolled]) -> Breach | None:
    first = state.surprise.get(told.event.side)
    if first is None:
        return None
    return Breach(f"{told.event.side} have rolled for surprise already", "one die", "a second", (first.seq,))


@check("surprise.die-each-side", on=SurpriseRolled, group="surprise")
def surprise_die_shows_1_to_6(_state: OsricState, told: Told[SurpriseRolled]) -> Breach | None:
    shown = face(told.event.die)
    if 1 <= shown <= 6:
        return None
    return Breach(f"the surprise die of {told.event.side} shows {shown}", "1 to 6", str(shown))


def _owing(state: OsricState, told: Told[RoundStarted]) -> dict[str, list[Combatant]]:
    """Return the sides that owe a surprise die as the first round opens, with their members."""
    if state.clock.round or _surprise_ruled(state, told):
        return {}
    sides: dict[str, list[Combatant]] = {}
    for one in state.here():
        if one.side not in state.surprise and one.side not in state.settled and one.sheet.surprised_on != 0:
            sides.setdefault(one.side, []).append(one)
    return sides


def _surprise_ruled(state: OsricState, told: Told[RoundStarted]) -> bool:
    return any(r.event.ruling in ("fact", "grant") and r.seq < told.seq for r in state.rulings)


@check("surprise.checked-at-start", on=RoundStarted, group="owing")
def surprise_is_checked_at_the_start(state: OsricState, told: Told[RoundStarted]) -> Breach | None:
    if not _owing(state, told) or state.surprise or state.settled:
        return None
    return Breach("round 1 is opened and nobody has checked for surprise", "a die of each side", "none")


@check("surprise.wariness-does-not-exempt", on=RoundStarted, group="wary")
def the_wary_roll_all_the_same(state: OsricState, told: Told[RoundStarted]) -> Breach | None:
    owing = _owing(state, told) if state.surprise or state.settled else {}
    wary = [side for side, members in owing.items() if any(_is_wary(state, one) for one in members)]
    return Breach(f"{wary[0]} are wary, which is not alerted", "a surprise die", "none") if wary else None


@check("surprise.die-each-side", on=RoundStarted, group="owing")
def each_side_rolls_for_surprise(state: OsricState, told: Told[RoundStarted]) -> Breach | None:
    owing = _owing(state, told) if state.surprise or state.settled else {}
    missing = [side for side, members in owing.items() if not any(_is_wary(state, one) for one in members)]
    return Breach(f"{', '.join(missing)} have no surprise die", "a die", "none") if missing else None


def _is_wary(state: OsricState, one: Combatant) -> bool:
    return any(each.name.casefold() == WARY for each in states_of(state, one.id))


@check("surprise.what-fits-a-segment", on=ActionTaken)
def an_act_fits_its_surprise_segment(state: OsricState, told: Told[ActionTaken]) -> Breach | None:
    length = state.rules.calendar.length(told.event.action.time)
    if told.point.round or told.event.action.kind == SPELL or length is None:
        return None
    taken = state.rules.calendar.count(length, "second")
    if taken is None or taken <= 6:
        return None
    return Breach(f"{action_word(told.event.action)} takes {length}", "6 seconds", str(Length(taken, "second")))


# ---------------------------------------------------------------- the round and its dice


@check("time.round-is-ten-segments", on=SegmentReached)
def a_round_has_ten_segments(_state: OsricState, told: Told[SegmentReached]) -> Breach | None:
    segment = told.event.segment
    if _state.clock.round == 0 or told.event.surprise or 1 <= segment <= SEGMENTS:
        return None
    return Breach(f"there is no segment {segment} in a round", "1 to 10", str(segment))


@check("surprise.length-of-play", on=SegmentReached)
def surprise_has_so_many_segments(state: OsricState, told: Told[SegmentReached]) -> Breach | None:
    segment, last = told.event.segment, length_of_play(state)
    if state.clock.round or 1 <= segment <= last:
        return None
    return Breach(f"there is no surprise segment {segment}", f"1 to {last}" if last else "none", str(segment))


@check("round.next-declarations", on=RoundStarted)
def rounds_follow_each_other(state: OsricState, told: Told[RoundStarted]) -> Breach | None:
    clock, due = state.clock, state.clock.round + 1
    if told.event.round != due:
        return Breach(f"round {told.event.round} is opened where {due} is due", str(due), str(told.event.round))
    if clock.open:
        says = f"round {due} is opened while round {clock.round} was never closed"
        return Breach(says, f"round {clock.round} closed", "still open", (clock.round_event,))
    return None


@check("round.ends-after-both", on=RoundEnded)
def a_round_ends_after_its_spells(state: OsricState, _told: Told[RoundEnded]) -> Breach | None:
    now = state.clock.point.round
    late = [one for one in state.castings if one.status == "begun" and one.due.round <= now]
    if not late:
        return None
    says = f"{late[0].name} of {late[0].combatant} was due in {_where(late[0].due)} and is still being cast"
    return Breach(says, "done, spoiled or given up", "begun", (late[0].begun,))


@check("initiative.d6-each-side", on=InitiativeRolled)
def initiative_is_one_d6_a_side(state: OsricState, told: Told[InitiativeRolled]) -> Breach | None:
    event = told.event
    side = side_of(state, event)
    first = state.dice.get(side)
    if first and not granted(state, "initiative.d6-each-side"):
        return Breach(f"{side} have rolled already, the first die stands", "one die", "a second", (first.seq,))
    shown = face(event.die) if event.die is not None else 0
    if 1 <= shown <= 6:
        return None
    return Breach(f"the initiative die of {side} shows {shown}", "1 to 6", str(shown))


# ---------------------------------------------------------------- declarations


@check("declare.spells-before-initiative", on=ActionDeclared)
def spells_are_declared_before_the_dice(state: OsricState, told: Told[ActionDeclared]) -> Breach | None:
    if told.event.action.kind != SPELL or not state.dice:
        return None
    first = min(rolled.seq for rolled in state.dice.values())
    return Breach("a spell is declared after the initiative dice", "before the dice", "after them", (first,))


@check("spell.casting-time-units", on=(ActionDeclared, ActionTaken))
def a_casting_takes_a_segment_at_least(
    state: OsricState, told: Told[ActionDeclared] | Told[ActionTaken]
) -> Breach | None:
    event = told.event
    length = state.rules.calendar.length(event.action.time)
    if event.action.kind != SPELL or length is None:
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
    declared = state.declared.get(told.event.source or "")
    given_up = declared.given_up if declared and casting and casting.begun == declared.seq else 0
    if casting is None or (casting.status != "withdrawn" and not given_up):
        return None
    by = given_up or casting.because.events[-1]
    says = f"{casting.name} of {casting.combatant} was given up and is given effect"
    return Breach(says, "no effect", f"an effect in {told.point}", (by,))


@check("surprise.spell-fits-or-runs-on", on=EffectStarted, group="effect")
def a_spell_of_surprise_takes_effect_when_due(state: OsricState, told: Told[EffectStarted]) -> Breach | None:
    casting = casting_of(state, told)
    if casting is None or casting.key.round:
        return None
    if casting.status == "lost":
        says = f"{casting.name} of {casting.combatant} was lost as surprise ended"
        return Breach(says, "no effect", f"an effect in {told.point}", casting.because.events[-1:])
    return _untimely(casting, told)


@check("spell.completes-after-casting-time", on=EffectStarted, group="effect")
def a_spell_takes_effect_when_due(state: OsricState, told: Told[EffectStarted]) -> Breach | None:
    casting = casting_of(state, told)
    return _untimely(casting, told) if casting and casting.key.round else None


@check("declare.spells-before-initiative", on=EffectStarted, group="effect")
def a_spell_that_takes_effect_was_declared(state: OsricState, told: Told[EffectStarted]) -> Breach | None:
    source = told.event.source
    if not source or told.point.round == 0 or casting_of(state, told) or _comes_of_an_act(state, told):
        return None
    return Breach(f"{told.event.effect} of {source} was neither declared nor begun", "a declaration", "none")


def _comes_of_an_act(state: OsricState, told: Told[EffectStarted]) -> bool:
    """Say whether an effect came out of an act that is no casting: poison from a bite."""
    return any(act.seq == told.cause and act.combatant == told.event.source for act in state.acts)


def _untimely(casting: Casting, told: Told[EffectStarted]) -> Breach | None:
    due = casting.due
    if casting.status != "begun" or (told.point.round, told.point.segment) == (due.round, due.segment):
        return None
    says = f"{casting.name} of {casting.combatant}, begun in {_where(casting.key)}, is due in {_where(due)}"
    return Breach(says, _where(due), str(told.point), (casting.begun,))


# ---------------------------------------------------------------- blows and hit points


@check("attack.missile-bonus-to-hit", on=AttackRolled)
def an_attack_adds_up(state: OsricState, told: Told[AttackRolled]) -> Breach | None:
    event = told.event
    if event.die is None:
        return None
    shown = face(event.die)
    if not 1 <= shown <= 20:
        return Breach(f"the attack die of {event.combatant} shows {shown}", "1 to 20", str(shown))
    due = shown + _added(state, told)
    if event.total is None or event.total == due or not (_is_missile(state, told) or event.modifiers):
        return None
    return Breach(f"the attack of {event.combatant} comes to {due}", str(due), str(event.total))


def _added(state: OsricState, told: Told[AttackRolled]) -> int:
    """Return what is added to an attack die: the modifiers stated, and the missile bonus if they leave it out."""
    stated = {each.name.casefold(): each.amount for each in told.event.modifiers}
    named = any(word in name for name in stated for word in ("missile", "dex"))
    bonus = int(state.combatants[told.event.combatant].sheet.missile_bonus)
    return sum(stated.values()) + (bonus if _is_missile(state, told) and not named else 0)


def _is_missile(state: OsricState, told: Told[AttackRolled]) -> bool:
    return any(act.seq == told.cause and is_shot(act.action) for act in state.acts)


@check("health.hit-points", on=(DamageDealt, Healed))
def amounts_are_plain_hit_points(_state: OsricState, told: Told[DamageDealt] | Told[Healed]) -> Breach | None:
    event = told.event
    if event.amount < 0:
        return Breach("an amount below 0 changes nothing", "0 or more", str(event.amount))
    if event.nonlethal:
        return Breach("this text has no non-lethal damage: it counts as damage", "damage", "non-lethal damage")
    return None


@check("sequence.winner-then-loser", on=(EffectStarted, ActionAbandoned))
def segments_never_fall(state: OsricState, told: Told[EffectStarted] | Told[ActionAbandoned]) -> Breach | None:
    if isinstance(told.event, EffectStarted) and any(
        each(state, told) for each in (a_spell_takes_effect_when_due, a_spell_of_surprise_takes_effect_when_due)
    ):
        return None
    return gone_by(state, told.point)


def gone_by(state: OsricState, point: Point) -> Breach | None:
    """Return the breach of a row whose segment lies before that of an earlier row of the round."""
    if not 1 <= point.segment < state.highest or point.round != state.clock.point.round:
        return None
    says = f"segment {point.segment} had gone by: a row of segment {state.highest} stands before this one"
    return Breach(says, f"segment {state.highest} or later", f"segment {point.segment}")


def _where(key: Order) -> str:
    return str(Point(key.round, segment=key.segment))
