"""Derived values by their address: what each is, why, and how the GM's word overrides it."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct, structs

from projections.bearing import borne, end, matching, states_of
from projections.state import Because, Combatant, Effect, Slot, State

NOTHING = "none"
"""What a statement says where there is nothing."""


class Derived(Struct, frozen=True):
    """Is a derived value and the reason for it."""

    value: Any
    because: Because


def value_of(state: State, address: str) -> Derived | None:
    """Return the value at an address such as `turn` or `halvaine.hp`; None where the address names none."""
    if address in _WHOLE:
        return _WHOLE[address](state)
    head, _, field = address.partition(".")
    if head == "options":
        value = state.option(field)
        return Derived(value, Because(("log.option",), (1,), {field: value})) if value else None
    one = state.combatants.get(head)
    if one is None:
        return None
    if field.startswith("effects."):
        return _effect(state, one, field.removeprefix("effects."))
    return _OF_COMBATANT[field](state, one) if field in _OF_COMBATANT else None


def addresses(state: State) -> Iterator[str]:
    """Yield the addresses of a state, for hints."""
    yield from _WHOLE
    for who in state.combatants:
        yield from (f"{who}.{field}" for field in _OF_COMBATANT)


def because_hp(state: State, one: Combatant) -> Because:
    """Say why a combatant's hit points are what they are."""
    return state.rules.hit_points + Because((), tuple(one.hp_events))


def because_nld(state: State, one: Combatant) -> Because:
    """Say why a combatant's non-lethal damage is what it is."""
    return state.rules.hit_points + Because((), tuple(one.nld_events))


def because_clock(state: State) -> Because:
    """Say which facts set the clock."""
    return Because(state.rules.clock_rules, state.clock.events or (1,))


def order_of(state: State) -> tuple[Slot, ...]:
    """Return the order of the round; a ruling on the order stands above the ruleset's."""
    derived = state.rules.order(state)
    if state.ruled_order is None:
        return derived
    seq, ids = state.ruled_order
    slots = {slot.combatants: slot for slot in derived}
    ruled = [slots.get((who,)) or Slot((who,), {}, Because((), (seq,))) for who in ids]
    return tuple(structs.replace(slot, because=slot.because + Because((), (seq,))) for slot in ruled)


def _order(state: State) -> Derived:
    found = order_of(state)
    because = sum((slot.because for slot in found), Because()) or because_clock(state)
    return Derived([list(slot.combatants) for slot in found], because)


def _effects(state: State, one: Combatant) -> Derived:
    found = borne(state, one.id)
    return Derived([e.name for e in found], Because(state.rules.effect_rules, (one.joined, *(e.seq for e in found))))


def _conditions(state: State, one: Combatant) -> Derived:
    found = states_of(state, one.id)
    return Derived([e.name for e in found], Because(state.rules.effect_rules, (one.joined, *(e.seq for e in found))))


def _effect(state: State, one: Combatant, name: str) -> Derived:
    """Return what is left of an effect: a number in its duration's unit, true without one, nothing if it is not there."""
    keys = matching(state.effects, name, (one.id,), None)
    if not keys:
        return Derived(NOTHING, Because(state.rules.effect_rules, (one.joined,)))
    effect = state.effects[keys[-1]]
    return Derived(effect.left if effect.left is not None else True, effect_because(state, effect))


def effect_because(state: State, effect: Effect) -> Because:
    """Say which facts an effect, and what is left of it, come from."""
    return Because(state.rules.effect_rules, (effect.seq, *effect.ticked_by))


def _casting(state: State, one: Combatant) -> Derived:
    entry = state.rules.casting(state, one)
    because = entry.because if entry else state.rules.concentration(state, one)[1]
    return Derived(entry.name if entry else NOTHING, because)


def _concentration(state: State, one: Combatant) -> Derived:
    word, because = state.rules.concentration(state, one)
    return Derived(word or NOTHING, because)


_WHOLE: dict[str, Callable[[State], Derived]] = {
    "order": _order,
    "turn": lambda s: Derived(s.clock.turn or NOTHING, because_clock(s)),
    "round": lambda s: Derived(s.clock.point.round, because_clock(s)),
    "segment": lambda s: Derived(s.clock.point.segment or NOTHING, because_clock(s)),
    "phase": lambda s: Derived(s.clock.phase or NOTHING, because_clock(s)),
}
_OF_COMBATANT: dict[str, Callable[[State, Combatant], Derived]] = {
    "name": lambda _, one: Derived(one.name, Because(("log.joining",), (one.joined,))),
    "side": lambda _, one: Derived(one.side, Because(("log.joining",), (one.joined,))),
    "hp": lambda s, one: Derived(NOTHING if one.hp is None else one.hp, because_hp(s, one)),
    "hp_max": lambda s, one: Derived(NOTHING if one.hp_max is None else one.hp_max, because_hp(s, one)),
    "temp": lambda s, one: Derived(one.temp, because_hp(s, one)),
    "nld": lambda s, one: Derived(one.nld, because_nld(s, one)),
    "status": lambda _, one: Derived(one.status, one.status_because),
    "effects": _effects,
    "conditions": _conditions,
    "casting": _casting,
    "concentration": _concentration,
}


def same(state: State, address: str, stated: Any, derived: Any) -> bool:
    """Say whether a statement agrees with the derived value; in an order a side stands for all of its members."""
    if address == "order":
        return _expanded(state, stated) == [set(slot) for slot in derived]
    if isinstance(stated, str) and isinstance(derived, str):
        return stated.casefold() == derived.casefold()
    if isinstance(stated, tuple | list) and isinstance(derived, list):
        return sorted(str(x).casefold() for x in stated) == sorted(str(x).casefold() for x in derived)
    return type(stated) is type(derived) and stated == derived


def _expanded(state: State, stated: Any) -> list[set[str]]:
    if not isinstance(stated, tuple | list):
        return []
    items = [item if isinstance(item, tuple | list) else (item,) for item in stated]
    placed = {who for slot in state.rules.order(state) for who in slot.combatants}
    return [set().union(*(_members(state, str(name), placed) for name in item)) for item in items]


def _members(state: State, name: str, placed: set[str]) -> set[str]:
    if name in state.sides and name not in state.combatants:
        return {one.id for one in state.here() if one.side == name and one.id in placed}
    return {name}


def assign(state: State, address: str, value: Any, seq: int) -> bool:
    """Put the GM's value in the place of a derived one; False where that address cannot be overridden so."""
    head, _, field = address.partition(".")
    one = state.combatants.get(head)
    if address == "order" and isinstance(value, tuple | list):
        state.ruled_order = (seq, tuple(str(who) for who in value))
    elif address == "turn":
        state.clock.turn, state.clock.turn_event = ("" if value == NOTHING else str(value)), seq
        state.clock.events = (*state.clock.events, seq)
    elif address == "round" and isinstance(value, int):
        state.clock.point = structs.replace(state.clock.point, round=value)
        state.clock.events = (*state.clock.events, seq)
    elif one is None:
        return False
    elif field.startswith("effects."):
        return _assign_effect(state, one, field.removeprefix("effects."), value, seq)
    else:
        return _assign_vital(state, one, field, value, seq)
    return True


def _assign_vital(state: State, one: Combatant, field: str, value: Any, seq: int) -> bool:
    if field == "status":
        one.status = one.ruled_status = str(value)
        one.status_because = Because((), (seq,))
    elif field in ("hp", "hp_max", "temp", "nld") and isinstance(value, int):
        setattr(one, field, value)
        (one.nld_events if field == "nld" else one.hp_events).append(seq)
        if not one.ruled_status:
            one.status, one.status_because = state.rules.status(state, one)
    else:
        return False
    return True


def _assign_effect(state: State, one: Combatant, name: str, value: Any, seq: int) -> bool:
    keys = matching(state.effects, name, (one.id,), None)
    if value == NOTHING:
        end(state, keys)
    elif not keys:
        left = value if isinstance(value, int) and not isinstance(value, bool) else None
        state.effects[seq, one.id] = Effect(seq, name, one.id, left=left, since=state.clock.point)
    else:
        effect = state.effects[keys[-1]]
        effect.left = value if isinstance(value, int) and not isinstance(value, bool) else None
        effect.ticked_by = (*effect.ticked_by, seq)
    return True
