"""Derived values by their address: what each is, and why. How the GM's word overrides them: overrides.py."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct, structs

from projections.mechanics.conditions import borne, matching, states_of
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
    if own := state.rules.value(state, address):
        return Derived(*own)
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
    return _because_pool(state, one, "hp", one.hp_events)


def because_temp(state: State, one: Combatant) -> Because:
    """Say why a combatant's temporary points are what they are."""
    return _because_pool(state, one, "temp", one.hp_events)


def because_nld(state: State, one: Combatant) -> Because:
    """Say why a combatant's non-lethal damage is what it is."""
    return _because_pool(state, one, "nld", one.nld_events)


def _because_pool(state: State, one: Combatant, field: str, events: list[int]) -> Because:
    own = state.rules.reasons(state, one, field)
    return (own if own.rules else state.rules.hit_points) + Because((), tuple(events))


def because_conditions(state: State, one: Combatant) -> Because:
    """Say why a combatant has the conditions that it has."""
    return _conditions(state, one).because


def because_clock(state: State) -> Because:
    """Say which facts set the clock."""
    return Because(state.rules.clock_rules, state.clock.events or (1,))


def order_of(state: State) -> tuple[Slot, ...]:
    """Return the order of the round; a ruling on the order stands above the ruleset's, who is not in it comes after."""
    derived = state.rules.order(state)
    if state.ruled_order is None:
        return derived
    seq, groups = state.ruled_order
    own = {who: slot for slot in derived for who in slot.combatants}
    here = {one.id for one in state.here()}
    ruled = [_ruled_slot(members, own, seq) for group in groups if (members := [who for who in group if who in here])]
    named = {who for group in groups for who in group}
    rest = [(tuple(who for who in slot.combatants if who not in named), slot) for slot in derived]
    return (*ruled, *(structs.replace(slot, combatants=others) for others, slot in rest if others))


def _ruled_slot(members: list[str], own: dict[str, Slot], seq: int) -> Slot:
    """Return the slot of those whom a ruling puts in one place, with what the ruleset says of the first of them."""
    derived = own.get(members[0])
    because = sum((own[who].because for who in members if who in own), Because()) + Because(("log.ruling",), (seq,))
    if derived is None:
        return Slot(tuple(members), {}, because)
    return structs.replace(derived, combatants=tuple(members), because=because)


def standing(one: Combatant) -> Derived:
    """Return how a combatant stands: its status, or that it has left."""
    return Derived("left", Because(("log.here",), (one.left,))) if one.left else Derived(one.status, one.status_because)


def _order(state: State) -> Derived:
    found = order_of(state)
    because = sum((slot.because for slot in found), Because()) or because_clock(state)
    return Derived([list(slot.combatants) for slot in found], because)


def _because_joined(one: Combatant, field: str) -> Because:
    because = Because(("log.joining",), (one.joined,))
    return because + Because(("log.ruling",), (one.ruled[field],)) if field in one.ruled else because


def _effects(state: State, one: Combatant) -> Derived:
    derived = _names(state, one, borne(state, one.id), "effects")
    because = _ended(state, one) + derived.because + state.rules.reasons(state, one, "effects")
    return Derived(derived.value, because)


def _conditions(state: State, one: Combatant) -> Derived:
    return _names(state, one, states_of(state, one.id), "conditions")


def _names(state: State, one: Combatant, found: list[Effect], field: str) -> Derived:
    because = Because(state.rules.effect_rules, tuple(sorted({effect.seq for effect in found})))
    return Derived([effect.name for effect in found], _because_joined(one, field) + because)


def _effect(state: State, one: Combatant, name: str) -> Derived:
    """Return what is left of an effect: a number in its duration's unit, true without one, nothing if it is not there."""
    keys = matching(state.effects, name, (one.id,), None)
    if not keys:
        because = Because(state.rules.effect_rules) + _because_joined(one, "effects")
        return Derived(NOTHING, _ended(state, one) + because)
    effect = state.effects[keys[-1]]
    return Derived(effect.left if effect.left is not None else True, effect_because(state, effect))


def _ended(state: State, one: Combatant) -> Because:
    """Say by what a combatant was last rid of an effect."""
    return state.rid_by.get(one.id, Because())


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
    "name": lambda _, one: Derived(one.name, _because_joined(one, "name")),
    "side": lambda _, one: Derived(one.side, _because_joined(one, "side")),
    "hp": lambda s, one: Derived(NOTHING if one.hp is None else one.hp, because_hp(s, one)),
    "hp_max": lambda s, one: Derived(NOTHING if one.hp_max is None else one.hp_max, because_hp(s, one)),
    "temp": lambda s, one: Derived(one.temp, because_temp(s, one)),
    "nld": lambda s, one: Derived(one.nld, because_nld(s, one)),
    "status": lambda _, one: standing(one),
    "effects": _effects,
    "conditions": _conditions,
    "casting": _casting,
    "concentration": _concentration,
}


def same(state: State, address: str, stated: Any, derived: Any) -> bool:
    """Say whether a statement agrees with the derived value; in an order a side stands for all of its members."""
    if address == "order" and stated != NOTHING:
        return _expanded(state, stated) == [set(slot) for slot in derived]
    if stated == NOTHING and derived == []:
        return True
    if isinstance(stated, bool) and ".effects." in address:
        return stated is (derived != NOTHING)
    if isinstance(stated, str) and isinstance(derived, str):
        return stated.casefold() == derived.casefold()
    if isinstance(stated, tuple | list) and isinstance(derived, list):
        return sorted(str(x).casefold() for x in stated) == sorted(str(x).casefold() for x in derived)
    return type(stated) is type(derived) and stated == derived


def _expanded(state: State, stated: Any) -> list[set[str]]:
    if not isinstance(stated, tuple | list):
        return []
    items = [item if isinstance(item, tuple | list) else (item,) for item in stated]
    placed = {who for slot in order_of(state) for who in slot.combatants}
    return [set().union(*(_members(state, str(name), placed) for name in item)) for item in items]


def _members(state: State, name: str, placed: set[str]) -> set[str]:
    if name in state.sides and name not in state.combatants:
        return {one.id for one in state.here() if one.side == name and one.id in placed}
    return {name}


def shown(value: Any) -> str:
    """Return a value as a sentence has it: lists with commas, those at once joined by &."""
    if isinstance(value, list | tuple):
        return ", ".join(" & ".join(map(str, v)) if isinstance(v, list | tuple) else str(v) for v in value) or NOTHING
    return str(value).lower() if isinstance(value, bool) else str(value)
