"""Spells: declared, begun in the own segment, under way, spoiled by damage, taking effect when the time is up."""

from eventstore.events import ActionAbandoned, ActionDeclared, ActionTaken, DamageDealt, EffectStarted
from eventstore.shapes import Action
from projections.rulesets.osric.order import act_key
from projections.rulesets.osric.state import (
    Act,
    Casting,
    Declared,
    Fallen,
    Order,
    OsricState,
    Wound,
    absolute,
)
from projections.rulesets.ruleset import derives
from projections.state import Because, Told, action_word


@derives("declare.spells-before-initiative", "declare.general-actions", on=ActionDeclared)
def declares(state: OsricState, told: Told[ActionDeclared]) -> None:
    """Keep what a combatant declared; the last declaration counts."""
    if told.event.combatant:
        state.declared[told.event.combatant] = Declared(told.seq, told.event.action)


@derives("initiative.other-sides-die", on=ActionTaken)
def acts(state: OsricState, told: Told[ActionTaken]) -> None:
    """Place an act in the round, and let a casting begin with it."""
    event = told.event
    key = act_key(state, state.combatants[event.combatant], told.point)
    state.keys[told.seq] = key
    if event.action.kind == "cast":
        begin(state, told, key)
    else:
        state.acts.append(Act(told.seq, event.combatant, event.action, key))


@derives("spell.start-is-first-segment", "spell.completes-after-casting-time", "spell.carries-into-next-round")
def begin(state: OsricState, told: Told[ActionTaken], key: Order) -> None:
    """Begin a casting: the segment of the start is the first of the casting time, the effect comes right after it."""
    event = told.event
    start = absolute(told.point)
    casting = Casting(
        combatant=event.combatant,
        name=action_word(event.action),
        begun=told.seq,
        key=key,
        start=start,
        due=start + casting_time(state, event.combatant, event.action),
        because=Because(begin.rules, (told.seq,), state.chosen("effect-segment")),
    )
    state.castings.append(casting)
    for wound in state.wounds:
        if wound.target == casting.combatant:
            spoil(state, casting, wound)


@derives("spell.casting-time-units")
def casting_time(state: OsricState, who: str, action: Action) -> int:
    """Return a casting time in segments, at least 1: as the act says it, else as it was declared."""
    time = action.time
    declared = state.declared.get(who)
    if time is None and declared and action_word(declared.action).casefold() == action_word(action).casefold():
        time = declared.action.time
    length = state.rules.calendar.length(time)
    return max(1, state.rules.calendar.count(length, "segment") or 1) if length else 1


@derives("spell.spoiled-by-interruption", on=DamageDealt)
def wounds(state: OsricState, told: Told[DamageDealt]) -> None:
    """Let damage that costs at least one hit point spoil what its target is casting in that segment."""
    if state.loss.hp < 1:
        return
    wound = Wound(told.event.target, absolute(told.point), told.seq)
    state.wounds.append(wound)
    for casting in state.castings:
        if casting.combatant == wound.target:
            spoil(state, casting, wound)


@derives("spell.spoiled-by-interruption")
def spoil(state: OsricState, casting: Casting, wound: Wound) -> None:
    """Spoil a casting if the wound fell into one of the segments that it occupies."""
    if casting.status == "begun" and casting.start <= wound.segment < casting.due:
        casting.status = "spoiled"
        options = state.chosen("spoil-cause", "spoil-from", "spoil-window")
        casting.because += Because(spoil.rules, (wound.seq,), options)


@derives("effects.take-hold-at-once", on=DamageDealt)
def falls(state: OsricState, told: Told[DamageDealt]) -> None:
    """Take whoever is out of action out of the round, from the key of the blow on."""
    target = told.event.target
    if state.combatants[target].status == "out" and target not in state.fallen:
        state.fallen[target] = Fallen(key_of(state, told), told.seq)
    for casting in state.castings:
        if casting.combatant == target and target in state.fallen and casting.status == "begun":
            spoil(state, casting, Wound(target, absolute(told.point), told.seq))


def key_of(state: OsricState, told: Told[DamageDealt]) -> Order:
    """Return the key at which an outcome takes hold: that of the act, roll or effect that it came out of."""
    cause = told.cause
    while cause and cause not in state.keys and cause in state.moments:
        cause = state.moments[cause].cause
    return state.keys.get(cause) or Order(told.point.round, told.point.segment)


@derives("declare.spell-may-be-given-up", on=ActionAbandoned)
def gives_up(state: OsricState, told: Told[ActionAbandoned]) -> None:
    """Withdraw a declared spell, or one under way."""
    who, name = told.event.combatant, told.event.name
    for casting in state.castings:
        if casting.combatant == who and casting.status == "begun" and _same(name, casting.name):
            casting.status = "withdrawn"
            casting.because += Because(gives_up.rules, (told.seq,))
    declared = state.declared.get(who)
    if declared and not state.dice and _same(name, action_word(declared.action)):
        del state.declared[who]


@derives("spell.completes-after-casting-time", on=EffectStarted)
def takes_effect(state: OsricState, told: Told[EffectStarted]) -> None:
    """Complete the casting that this is the effect of, at the start of its segment."""
    state.keys[told.seq] = Order(told.point.round, told.point.segment, band=0)
    casting = casting_of(state, told)
    if casting and casting.status == "begun":
        casting.status = "done"
        casting.because += Because(takes_effect.rules, (told.seq,))


def casting_of(state: OsricState, told: Told[EffectStarted]) -> Casting | None:
    """Return the casting that an effect comes from: the one its cause names, else the caster's last of that name."""
    event = told.event
    named = [one for one in state.castings if one.begun == event.cause]
    same = [one for one in state.castings if one.combatant == event.source and _same(event.effect, one.name)]
    return next(iter(named), None) or next(reversed(same), None)


def _same(name: str | None, other: str) -> bool:
    return name is None or name.casefold() == other.casefold()
