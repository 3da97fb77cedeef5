"""The GM's word in the place of derived values: which can be overridden, with what, and what then holds."""

from collections.abc import Callable
from typing import Any

from msgspec import structs

from eventstore.events import InitiativeRolled, RulingMade
from eventstore.shapes import Duration
from projections.folds.addresses import NOTHING
from projections.folds.vitals import stands
from projections.mechanics.conditions import end, free_key, matching
from projections.rulesets.ruleset import derives
from projections.state import Because, Combatant, Effect, Occurrence, State


@derives("log.ruling", on=RulingMade)
def ruling_counts(state: State, fact: Occurrence[RulingMade]) -> None:
    """Keep a ruling; one that overrides puts those of its values in place that can be."""
    state.rulings.append(fact)
    if fact.event.ruling == "override":
        for address, value in (fact.event.values or {}).items():
            if not refusal(state, address, value):
                assign(state, address, value, fact.seq)


@derives("log.ruling", on=InitiativeRolled)
def order_is_rolled_anew(state: State, fact: Occurrence[InitiativeRolled]) -> None:
    """Let a ruled order lapse as soon as one who stands in it has a new roll."""
    if state.ruled_order:
        event = fact.event
        rolled = {event.combatant, *event.together} | {o.id for o in state.here() if o.side == event.side}
        if any(who in rolled for group in state.ruled_order[1] for who in group):
            state.ruled_order = None


def refusal(state: State, address: str, value: Any) -> str:
    """Return what a value at this address has to be where this one cannot be; "" where it can, or is not ours to judge."""
    head, _, field = address.partition(".")
    if address in _WHOLE:
        return _WHOLE[address][0](state, value)
    if head == "options":
        return "nothing: options are fixed as the log is opened"
    one = state.combatants.get(head)
    if one is None:
        return ""
    if field.startswith("effects."):
        return "" if value == NOTHING or isinstance(value, int) else "a number, true, or none"
    return _OF_COMBATANT[field][0](state, one, value) if field in _OF_COMBATANT else ""


def assign(state: State, address: str, value: Any, seq: int) -> None:
    """Put a value in the place of a derived one; by what `refusal` says it can be."""
    head, _, field = address.partition(".")
    one = state.combatants.get(head)
    if address in _WHOLE:
        _WHOLE[address][1](state, value, seq)
    elif one and field.startswith("effects."):
        one.ruled["effects"] = seq
        _set_effect(state, one, field.removeprefix("effects."), value, seq)
    elif one and field in _OF_COMBATANT:
        one.ruled[field] = seq
        _OF_COMBATANT[field][1](state, one, value, seq)


# ---------------------------------------------------------------- what a value has to be


def _number(value: Any) -> bool:
    return type(value) is int


def _wants_count(_state: State, value: Any) -> str:
    return "" if _number(value) and value >= 0 else "a number from 0"


def _wants_segment(_state: State, value: Any) -> str:
    return "" if value == NOTHING or (_number(value) and value >= 0) else "a number from 0, or none"


def _wants_phase(state: State, value: Any) -> str:
    known = (*state.rules.phases, NOTHING)
    return "" if value in known else f"one of {', '.join(known)}"


def _wants_turn(state: State, value: Any) -> str:
    return "" if value == NOTHING or value in state.combatants else "a combatant who has joined, or none"


def _wants_order(state: State, value: Any) -> str:
    names = [name for item in _listed(value) for name in _listed(item)]
    if (not names and value != NOTHING) or any(n not in state.combatants and n not in state.sides for n in names):
        return "a list of those who have joined, or none"
    return ""


def _wants_points(_state: State, _one: Combatant, value: Any) -> str:
    return "" if _number(value) else "a number"


def _wants_known_points(_state: State, _one: Combatant, value: Any) -> str:
    return "" if _number(value) or value == NOTHING else "a number, or none"


def _wants_word(_state: State, _one: Combatant, value: Any) -> str:
    return "" if isinstance(value, str) and value else "a word"


def _wants_side(state: State, _one: Combatant, value: Any) -> str:
    return "" if value in state.sides else f"one of {', '.join(state.sides)}"


def _wants_names(_state: State, _one: Combatant, value: Any) -> str:
    named = isinstance(value, tuple) and all(isinstance(name, str) for name in value)
    return "" if named or value == NOTHING else "a list of names, or none"


def _wants_end(state: State, one: Combatant, value: Any) -> str:
    """Only the end of what there is: of an effect, or of what the ruleset derives, which its own steps then end."""
    held = _concentrated(state, one) or state.rules.concentration(state, one)[0]
    return "" if value == NOTHING and held else "none, while there is something; effect_started begins an effect"


def _wants_no_casting(state: State, one: Combatant, value: Any) -> str:
    """Only the end of a casting, which the ruleset's own steps then spoil or break off."""
    return "" if value == NOTHING and state.rules.casting(state, one) else "none, while something is being cast"


def _listed(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else () if value == NOTHING else (value,)


def _concentrated(state: State, one: Combatant) -> list[tuple[int, str]]:
    return [key for key, effect in state.effects.items() if effect.concentration and effect.source == one.id]


# ---------------------------------------------------------------- what then holds


def _set_order(state: State, value: Any, seq: int) -> None:
    placed: set[str] = set()
    groups = []
    for item in _listed(value):
        members = dict.fromkeys(who for name in _listed(item) for who in _meant(state, name) if who not in placed)
        placed.update(members)
        if members:
            groups.append(tuple(members))
    state.ruled_order = (seq, tuple(groups)) if groups else None


def _meant(state: State, name: str) -> list[str]:
    return [name] if name in state.combatants else [one.id for one in state.here() if one.side == name]


def _set_turn(state: State, value: Any, seq: int) -> None:
    state.clock.turn, state.clock.together, state.clock.turn_event = ("" if value == NOTHING else value), (), seq
    state.clock.events = (*state.clock.events, seq)


def _set_round(state: State, value: Any, seq: int) -> None:
    state.clock.round = value
    _set_point(state, seq, round=value)


def _set_segment(state: State, value: Any, seq: int) -> None:
    _set_point(state, seq, segment=0 if value == NOTHING else value)


def _set_phase(state: State, value: Any, seq: int) -> None:
    state.clock.phase = "" if value == NOTHING else value
    _set_point(state, seq, phase=0 if value == NOTHING else state.rules.phases.index(value) + 1)


def _set_point(state: State, seq: int, **parts: int) -> None:
    state.clock.point = structs.replace(state.clock.point, **parts)
    state.clock.events = (*state.clock.events, seq)


def _pool(field: str) -> Callable[[State, Combatant, Any, int], None]:
    def put(state: State, one: Combatant, value: Any, seq: int) -> None:
        setattr(one, field, None if value == NOTHING else value)
        (one.nld_events if field == "nld" else one.hp_events).append(seq)
        stands(state, one)

    return put


def _set_status(state: State, one: Combatant, value: str, seq: int) -> None:
    one.ruled_status = "" if value == NOTHING else value
    one.status, one.status_because = value, Because(ruling_counts.rules, (seq,))
    stands(state, one)


def _set_name(_state: State, one: Combatant, value: str, _seq: int) -> None:
    one.name = value


def _set_side(_state: State, one: Combatant, value: str, _seq: int) -> None:
    one.side = value


def _set_effects(state: State, one: Combatant, value: Any, seq: int) -> None:
    wanted = {name.casefold(): name for name in _listed(value)}
    there = {key: e.name.casefold() for key, e in state.effects.items() if e.bearer == one.id}
    end(state, [key for key, folded in there.items() if folded not in wanted])
    for folded, name in wanted.items():
        if folded not in there.values():
            _set_effect(state, one, name, True, seq)


def _set_conditions(state: State, one: Combatant, value: Any, seq: int) -> None:
    wanted = {name.casefold(): name for name in _listed(value)}
    there = {key: each.name.casefold() for key, each in state.conditions.items() if each.bearer == one.id}
    for key, folded in there.items():
        if folded not in wanted:
            del state.conditions[key]
    for folded, name in wanted.items():
        if folded not in there.values():
            state.conditions[free_key(state.conditions, seq, one.id)] = _begun(state, name, one, seq)


def _begun(state: State, name: str, one: Combatant, seq: int) -> Effect:
    return Effect(seq, name, one.id, since=state.clock.point)


def _end_concentration(state: State, one: Combatant, _value: Any, _seq: int) -> None:
    end(state, _concentrated(state, one))


def _set_effect(state: State, one: Combatant, name: str, value: Any, seq: int) -> None:
    keys = matching(state.effects, name, (one.id,), None)
    if value in (NOTHING, False) or (_number(value) and value < 1):
        end(state, keys)
        return
    effect = state.effects[keys[-1]] if keys else _begun(state, name, one, seq)
    if not keys:
        state.effects[free_key(state.effects, seq, one.id)] = effect
    effect.left = value if _number(value) else None
    if effect.left is not None and effect.duration is None:
        effect.duration = Duration(amount=effect.left, unit=state.rules.calendar.tick)
    effect.ticked_by = (seq,)


_WHOLE: dict[str, tuple[Callable[[State, Any], str], Callable[[State, Any, int], None]]] = {
    "order": (_wants_order, _set_order),
    "turn": (_wants_turn, _set_turn),
    "round": (_wants_count, _set_round),
    "segment": (_wants_segment, _set_segment),
    "phase": (_wants_phase, _set_phase),
}
_OF_COMBATANT: dict[
    str, tuple[Callable[[State, Combatant, Any], str], Callable[[State, Combatant, Any, int], None]]
] = {
    "name": (_wants_word, _set_name),
    "side": (_wants_side, _set_side),
    "hp": (_wants_known_points, _pool("hp")),
    "hp_max": (_wants_known_points, _pool("hp_max")),
    "temp": (_wants_points, _pool("temp")),
    "nld": (_wants_points, _pool("nld")),
    "status": (_wants_word, _set_status),
    "effects": (_wants_names, _set_effects),
    "conditions": (_wants_names, _set_conditions),
    "concentration": (_wants_end, _end_concentration),
    "casting": (_wants_no_casting, lambda *_: None),
}
