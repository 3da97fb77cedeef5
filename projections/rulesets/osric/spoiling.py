"""What spoils a spell: who was disturbed in which segment, by what, and the castings that were open then."""

from eventstore.events import ActionTaken, AttackRolled, DamageDealt, Healed, RulingMade
from projections.because import Because
from projections.occurrence import Occurrence
from projections.rulesets.osric.state import SEGMENTS, Casting, Order, OsricState, Wound
from projections.rulesets.osric.surprise import counted_through
from projections.rulesets.ruleset import derives
from projections.stream.causes import causes, origin
from projections.time import Point

SPOILING = "spell.spoiled-by-interruption"


def end(casting: Casting, status: str, number: int, because: Because) -> None:
    """End a casting in a round, for a reason, which then comes first."""
    casting.status, casting.ended, casting.ended_by = status, number, because.events[-1]
    casting.because = because + casting.because


def key_of_outcome(
    state: OsricState, fact: Occurrence[DamageDealt] | Occurrence[Healed] | Occurrence[AttackRolled]
) -> Order:
    """Return the key at which an outcome takes hold: that of the act, roll or effect that it came out of."""
    return state.keys.get(origin(state, fact.cause, state.keys)) or Order(fact.point.round, fact.point.segment)


@derives("spell.spoiled-by-interruption", on=(DamageDealt, AttackRolled))
def is_disturbed(state: OsricState, fact: Occurrence[DamageDealt] | Occurrence[AttackRolled]) -> None:
    """Let what disturbs a caster, by option damage or a hit, spoil what it is casting in that segment."""
    cause, event = state.option("spoil-cause"), fact.event
    if isinstance(event, DamageDealt):
        disturbs = state.loss.hp >= 1 if cause == "damage" else cause == "hit" and _is_hit(state, fact)
    else:
        disturbs = cause == "hit" and event.hit is True
    if disturbs and event.target:
        wound(state, Wound(event.target, disturbed_at(state, fact), fact.seq))


def _is_hit(state: OsricState, fact: Occurrence[DamageDealt] | Occurrence[AttackRolled]) -> bool:
    """Say whether damage came out of an attack, which therefore hit."""
    for each in causes(state, fact.cause):
        if not isinstance(each.event, AttackRolled):
            return isinstance(each.event, ActionTaken) and each.event.action.kind in ("attack", "charge")
        if each.event.hit is not None:
            return each.event.hit
    return False


def disturbed_at(state: OsricState, fact: Occurrence[DamageDealt] | Occurrence[AttackRolled]) -> int:
    """Return the segment of a disturbance, counted through; where none is recorded, that of the act it came out of."""
    if fact.point.segment or fact.event.segment is not None:
        return counted_through(state, fact.point)
    key = key_of_outcome(state, fact)
    return counted_through(state, Point(key.round, segment=key.segment))


def wound(state: OsricState, wound: Wound) -> None:
    """Keep what can spoil a spell in this round, and let it."""
    state.wounds.append(wound)
    for casting in (*state.castings, *state.unbegun):
        spoil(state, casting, wound)


@derives("spell.spoiled-by-interruption")
def spoil(state: OsricState, casting: Casting, wound: Wound) -> None:
    """Spoil a casting if the wound is its caster's and fell into the window in which it is open."""
    if casting.status != "begun" or casting.combatant != wound.target or not in_window(state, casting, wound.segment):
        return
    options = state.chosen("spoil-cause", "spoil-from", "spoil-window")
    casting.cut = wound.segment
    end(casting, "spoiled", state.clock.point.round, Because(spoil.rules, (wound.seq,), options))


def in_window(state: OsricState, casting: Casting, segment: int) -> bool:
    """Say whether a casting can be spoiled in a segment, counted through."""
    first = casting.start + (1 if state.option("spoil-from") == "next-segment" else 0)
    if state.option("spoil-from") == "round-start" and casting.start > 0:
        first = casting.start - (casting.start - 1) % SEGMENTS
    last = casting.last
    if state.option("spoil-window") == "through-effect":
        last = counted_through(state, Point(casting.due.round, segment=casting.due.segment))
    return first <= segment <= last


def disturbed_before(state: OsricState, who: str, point: Point) -> Wound | None:
    """Return what spoiled a declared spell before it was begun, where an option opens the window with the round."""
    if state.option("spoil-from") != "round-start" or point.round == 0:
        return None
    first = SEGMENTS * (point.round - 1) + 1
    now = counted_through(state, point) if point.segment else first + SEGMENTS - 1
    return next((each for each in state.wounds if each.target == who and first <= each.segment <= now), None)


@derives("spell.spoiled-by-interruption", on=RulingMade)
def ruling_spoils(state: OsricState, fact: Occurrence[RulingMade]) -> None:
    """Let a ruling spoil what somebody casts: by `<id>.casting` or `.concentration`, or by citing the rule of it.

    Such a ruling names the start of the casting, the caster, or both.
    """
    event = fact.event
    whose = {who for who, _, field in (a.partition(".") for a in event.values or {}) if field in _CASTING}
    cites = event.rule == SPOILING and event.ruling != "waiver"
    for casting in state.castings:
        named = cites and (casting.combatant in event.combatants or event.event == casting.begun)
        if casting.status == "begun" and (named or casting.combatant in whose):
            end(casting, "spoiled", state.clock.point.round, Because(ruling_spoils.rules, (fact.seq,)))


_CASTING = ("casting", "concentration")
