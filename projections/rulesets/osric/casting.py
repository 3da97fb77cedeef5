"""Spells: declared, begun in the own segment, under way, spoiled, given up, taking effect when the time is up."""

from eventstore.events import (
    ActionAbandoned,
    ActionDeclared,
    ActionTaken,
    AttackRolled,
    DamageDealt,
    EffectStarted,
    RoundStarted,
    RulingMade,
)
from eventstore.shapes import Action
from projections.rulesets.osric.order import act_key
from projections.rulesets.osric.state import (
    END,
    SEGMENTS,
    START,
    Casting,
    Declared,
    Order,
    OsricState,
    Seen,
    Wound,
)
from projections.rulesets.osric.surprise import counted_through, point_of
from projections.rulesets.ruleset import derives
from projections.state import Because, Told, action_word
from projections.time import Point

SPELL = "cast"


@derives("declare.spells-before-initiative", "declare.general-actions", "declare.gm-plans-first", on=ActionDeclared)
def declares(state: OsricState, told: Told[ActionDeclared]) -> None:
    """Keep what a combatant declared; the last declaration counts, and only a spell binds."""
    if told.event.combatant:
        state.declared[told.event.combatant] = Declared(told.seq, told.event.action)


@derives("round.next-declarations", on=RoundStarted)
def declarations_are_over(state: OsricState, told: Told[RoundStarted]) -> None:
    """Forget declarations and ended castings; what is still being cast goes on, out of surprise by option."""
    state.declared.clear()
    state.wounds.clear()
    for one in state.castings:
        if one.status == "begun" and one.key.round == 0 and state.option("surprise-carry") == "lost":
            end(one, "lost", 0, Because(surprise_due.rules, (told.seq,), state.chosen("surprise-carry")))
    state.castings = [one for one in state.castings if one.status == "begun"]
    state.keys = {one.begun: one.key for one in state.castings}


def declared_spell(state: OsricState, who: str) -> Declared | None:
    """Return the spell that binds a combatant in this round, if it declared one."""
    declared = state.declared.get(who)
    return declared if declared and declared.action.kind == SPELL else None


def same(name: str | None, other: str) -> bool:
    """Say whether two words name the same; no name names anything."""
    return name is None or name.casefold() == other.casefold()


@derives("spell.casting-time-units")
def casting_time(state: OsricState, who: str, action: Action) -> int:
    """Return a casting time in segments, at least 1: as the act says it, else as it was declared."""
    time = action.time
    declared = declared_spell(state, who)
    if time is None and declared and same(action.name, action_word(declared.action)):
        time = declared.action.time
    length = state.rules.calendar.length(time)
    return max(1, (length and state.rules.calendar.count(length, "segment")) or 1)


@derives("spell.start-is-first-segment")
def casting_from(state: OsricState, who: str, action: Action, seq: int, key: Order, point: Point) -> Casting:
    """Return a casting that begins at a point: the segment of the start is the first of the casting time."""
    start = counted_through(state, point)
    last = start + casting_time(state, who, action) - 1
    rules = (*casting_from.rules, *due_key.rules)
    if start <= 0:
        rules = (*rules, *surprise_due.rules)
    if last // SEGMENTS > start // SEGMENTS:
        rules = (*rules, *point_of.rules)
    because = Because(rules, (seq,), state.chosen("effect-segment"))
    return Casting(who, action_word(action), seq, key, start, last, due_key(state, start, last), because=because)


@derives("spell.completes-after-casting-time")
def due_key(state: OsricState, start: int, last: int) -> Order:
    """Return the key of a spell's effect: the start of the segment after the last one occupied."""
    if start <= 0:
        return surprise_due(state, last)
    if state.option("effect-segment") == "last-casting-segment":
        return _key(state, last, END)
    return _key(state, last + 1, END if state.option("spoil-window") == "through-effect" else START)


@derives("surprise.spell-fits-or-runs-on", "surprise.round-action-in-a-segment")
def surprise_due(state: OsricState, last: int) -> Order:
    """Return the key of the effect of a spell begun in surprise: at the end of its last segment, if it fits."""
    if last <= 0 and state.option("surprise-spell") == "end-of-last-segment":
        return _key(state, last, END)
    return _key(state, last + 1, START)


def _key(state: OsricState, segment: int, band: int) -> Order:
    point = point_of(state, segment)
    return Order(point.round, point.segment, band)


def begin(state: OsricState, told: Told[ActionTaken], key: Order) -> None:
    """Begin a casting; a wound of the same segment spoils it at once, whoever came first."""
    event = told.event
    casting = casting_from(state, event.combatant, event.action, told.seq, key, told.point)
    state.castings.append(casting)
    for wound in state.wounds:
        spoil(state, casting, wound)


@derives("spell.spoiled-by-interruption", on=(DamageDealt, AttackRolled))
def is_disturbed(state: OsricState, told: Told[DamageDealt] | Told[AttackRolled]) -> None:
    """Let what disturbs a caster, by option damage or a hit, spoil what it is casting in that segment."""
    cause = state.option("spoil-cause")
    if isinstance(told.event, DamageDealt):
        disturbs = cause == "damage" and state.loss.hp >= 1
    else:
        disturbs = cause == "hit" and told.event.hit is True
    if disturbs and told.event.target:
        wound(state, Wound(told.event.target, counted_through(state, told.point), told.seq))


def wound(state: OsricState, wound: Wound) -> None:
    """Keep what can spoil a spell in this round, and let it."""
    state.wounds.append(wound)
    for casting in state.castings:
        spoil(state, casting, wound)


@derives("spell.spoiled-by-interruption")
def spoil(state: OsricState, casting: Casting, wound: Wound) -> None:
    """Spoil a casting if the wound is its caster's and fell into the window in which it is open."""
    if casting.status != "begun" or casting.combatant != wound.target or not in_window(state, casting, wound.segment):
        return
    options = state.chosen("spoil-cause", "spoil-from", "spoil-window")
    end(casting, "spoiled", state.clock.point.round, Because(spoil.rules, (wound.seq,), options))


def in_window(state: OsricState, casting: Casting, segment: int) -> bool:
    """Say whether a casting can be spoiled in a segment, counted through."""
    first = casting.start + (1 if state.option("spoil-from") == "next-segment" else 0)
    if state.option("spoil-from") == "round-start" and casting.start > 0:
        first = casting.start - (casting.start - 1) % SEGMENTS
    last = casting.last
    if state.option("spoil-window") == "through-effect" and casting.start > 0:
        last = counted_through(state, Point(casting.due.round, segment=casting.due.segment))
    return first <= segment <= last


def disturbed_before(state: OsricState, who: str, point: Point) -> Wound | None:
    """Return what spoiled a declared spell before it was begun, where an option opens the window with the round."""
    if state.option("spoil-from") != "round-start" or point.round == 0:
        return None
    first, now = SEGMENTS * (point.round - 1) + 1, counted_through(state, point)
    return next((each for each in state.wounds if each.target == who and first <= each.segment <= now), None)


def end(casting: Casting, status: str, number: int, because: Because) -> None:
    """End a casting in a round, for a reason."""
    casting.status, casting.ended = status, number
    casting.because += because


@derives("spell.spoiled-by-interruption", on=RulingMade)
def ruling_spoils(state: OsricState, told: Told[RulingMade]) -> None:
    """Let a ruling spoil a casting: `<id>.casting` or `<id>.concentration` overridden."""
    for address in told.event.values or {}:
        who, _, field = address.partition(".")
        for casting in state.castings:
            if field in ("casting", "concentration") and casting.combatant == who and casting.status == "begun":
                end(casting, "spoiled", state.clock.point.round, Because(ruling_spoils.rules, (told.seq,)))


@derives("declare.spell-may-be-given-up", on=ActionAbandoned)
def gives_up(state: OsricState, told: Told[ActionAbandoned]) -> None:
    """Withdraw a spell under way, or a declaration; before the dice the latter is as if it had not been made."""
    who, name = told.event.combatant, told.event.name
    begun = [one for one in state.castings if one.combatant == who and one.status == "begun" and same(name, one.name)]
    for casting in begun:
        end(casting, "withdrawn", state.clock.point.round, Because(gives_up.rules, (told.seq,)))
    declared = state.declared.get(who)
    if begun or not declared or not same(name, action_word(declared.action)):
        return
    if state.dice:
        state.declared[who] = Declared(declared.seq, declared.action, told.seq)
    else:
        del state.declared[who]


@derives("spell.completes-after-casting-time", on=EffectStarted)
def takes_effect(state: OsricState, told: Told[EffectStarted]) -> None:
    """Complete the casting that this is the effect of, wherever it was recorded."""
    casting = casting_of(state, told)
    if casting is None:
        return
    key = casting.due if _at(casting.due) == (told.point.round, told.point.segment) else None
    key = key or Order(told.point.round, told.point.segment, casting.due.band)
    state.keys[told.seq] = key
    state.seen.append(Seen(told.seq, casting.combatant, casting.name, key))
    if all(one is not casting for one in state.castings):
        state.castings.append(casting)
    if casting.status == "begun":
        end(casting, "done", told.point.round, Because(takes_effect.rules, (told.seq,)))


def _at(key: Order) -> tuple[int, int]:
    return key.round, key.segment


def casting_of(state: OsricState, told: Told[EffectStarted]) -> Casting | None:
    """Return the casting that an effect comes from: the one its cause names, else the caster's last of that name.

    A declared spell without a row for its start was begun in the own segment.
    """
    event = told.event
    named = next((one for one in state.castings if one.begun == event.cause), None)
    if named:
        return named
    mine = [one for one in state.castings if one.combatant == event.source and same(event.effect, one.name)]
    return mine[-1] if mine else _silently_begun(state, told)


@derives("spell.begins-in-own-segment")
def _silently_begun(state: OsricState, told: Told[EffectStarted]) -> Casting | None:
    who = told.event.source or ""
    declared = declared_spell(state, who)
    if declared is None or not same(told.event.effect, action_word(declared.action)):
        return None
    key = act_key(state, state.combatants[who], declared.action, Point(told.point.round))
    return casting_from(state, who, declared.action, declared.seq, key, Point(key.round, segment=key.segment))


def bound_from_before(state: OsricState, who: str, point: Point) -> Casting | None:
    """Return a casting of an earlier round that a combatant is, or was in this round, in the middle of."""
    now = counted_through(state, point)
    for one in state.castings:
        earlier = one.combatant == who and one.key.round < point.round
        under_way = one.status == "begun" and now < counted_through(
            state, Point(one.due.round, segment=one.due.segment)
        )
        if earlier and (under_way or one.status in ("spoiled", "withdrawn", "done")):
            return one
    return None
