"""Leaves: the single values that a page shows of a state, each by its address and with its reason."""

from collections.abc import Iterator

from msgspec import Struct

from projections.because import NOTHING_CITED, Because
from projections.fight import Combatant
from projections.folds.addresses import address_index, conditions_of, derive_value, plain_value, tally_of
from projections.folds.budget import amounts_left
from projections.folds.clock import because_clock
from projections.folds.effects import effect_because
from projections.folds.order import order_of, who_is_due
from projections.folds.vitals import pool_by, status_or_left
from projections.mechanics.conditions import Effect, effects_of
from projections.mechanics.pools import HP, HP_MAX, NLD, TEMP
from projections.open_types import Fields, Json
from projections.state import State
from projections.views.steps import Step, touched_combatants


class Leaf(Struct, frozen=True):
    """A value as `show --json` has it, and its reason; None if it has none."""

    value: Json
    because: Because | None = None


def fight_leaves(state: State) -> Iterator[tuple[str, Leaf]]:
    """Yield the clock, the combatants who are due, and the effects on nobody, each with its source."""
    clock = state.clock
    now = {"round": clock.point.round, "segment": clock.point.segment, "phase": clock.phase, "turn": clock.turn}
    yield "clock", Leaf({part: value for part, value in now.items() if value}, because_clock(state))
    due = who_is_due(state)
    yield "due", Leaf(plain_value(due.value), due.because)
    if unborne := effects_of(state.effects, ""):
        values = [[*_effect_values(each), each.source or None] for each in unborne]
        yield "effects", Leaf(values, _because_all(state, unborne))


def order_leaves(state: State) -> Iterator[tuple[str, Leaf]]:
    """Yield the places of the order: `order.1` and on."""
    for number, slot in enumerate(order_of(state), 1):
        key = {part: value for part, value in slot.key.items() if part != "round"}
        place = {"combatants": slot.combatants, "segment": slot.segment, "phase": slot.phase, "key": key}
        yield f"order.{number}", Leaf(plain_value(place), slot.because)


def combatant_leaves(state: State, who: str, budget: Fields | None = None) -> dict[str, Leaf]:
    """Return the leaves of a combatant that have a value, and its hit points even if unknown. `budget` is what it has
    left to spend, if that was read already.
    """
    one, rules = state.combatants[who], state.rules.pools(state, state.combatants[who])
    stands = status_or_left(one)
    found = {
        "name": Leaf(one.name),
        "side": Leaf(one.side),
        "hp": Leaf(one.hp, pool_by(state, rules, one, HP).because),
        "status": Leaf(stands.value, stands.because),
    }
    if number := tally_of(state, f"{who}.status", stands.value):
        found["status"] = Leaf(f"{stands.value}({number.value})", Because(of=(stands, number)))
    pools = {HP_MAX: one.hp_max, TEMP: one.temp, NLD: one.nld}
    found |= {name: Leaf(value, pool_by(state, rules, one, name).because) for name, value in pools.items() if value}
    found |= dict(_burden_leaves(state, one))
    for what, left in (amounts_left(state, one) if budget is None else budget).items():
        if left not in (None, (), {}, []):
            read = derive_value(state, f"{who}.left.{what}")
            found[f"left.{what}"] = Leaf(plain_value(left), read.because if read else None)
    return {f"{who}.{field}": leaf for field, leaf in found.items()}


def _burden_leaves(state: State, one: Combatant) -> Iterator[tuple[str, Leaf]]:
    """Yield conditions, effects, casting, concentration, and other notable values."""
    if (conditions := conditions_of(state, one.id)).value:
        yield "conditions", Leaf(conditions.value, conditions.because)
    if borne := effects_of(state.effects, one.id):
        yield "effects", Leaf([_effect_values(each) for each in borne], _because_all(state, borne))
    concentration, why = state.rules.concentration(state, one)
    if casting := state.rules.casting(state, one):
        yield "casting", Leaf(casting.name or "something", casting.because)
    if concentration:
        yield "concentration", Leaf(concentration, why)
    for field in address_index(state.rules.addresses).notable_of(state, one.id):
        found = derive_value(state, f"{one.id}.{field}")
        if found and found.value not in ("none", None, 0, [], ()):
            yield field, Leaf(plain_value(found.value), found.because)
    if one.id in (squares := state.rules.squares(state)):
        yield "square", Leaf(plain_value(squares[one.id]))
    if one.left:
        yield "gone", Leaf(True)


def _effect_values(effect: Effect) -> list[Json]:
    return [effect.name, effect.left, effect.duration.unit if effect.duration else None]


def _because_all(state: State, effects: list[Effect]) -> Because:
    return sum((effect_because(state, each) for each in effects), NOTHING_CITED)


class LeavesSeen:
    """The leaves after the last fact, to which those after the next one are compared."""

    def __init__(self) -> None:
        self.known: dict[str, dict[str, Leaf]] = {}
        self._running: Fields = {}

    def changed_leaves(self, step: Step, state: State) -> dict[str, Leaf | None]:
        """Return the leaves that a step changed; None for one that is gone.

        Those of the clock and of the order are read after each fact; those of a combatant after a fact that touched it,
        or after a change in its budget or in the time left for its effects. A reason is as it was when its value was
        last read.
        """
        found: dict[str, Leaf | None] = {}
        for owner, now in self._read_leaves(step, state):
            before = self.known.get(owner, {})
            self.known[owner] = now
            found |= {address: None for address in before if address not in now}
            found |= {address: leaf for address, leaf in now.items() if before.get(address) != leaf}
        return found

    def _read_leaves(self, step: Step, state: State) -> Iterator[tuple[str, dict[str, Leaf]]]:
        yield "the clock", dict(fight_leaves(state))
        yield "the order", dict(order_leaves(state))
        before, self._running = self._running, _running_values(state)
        those = set(touched_combatants(state, step.fact))
        for who, running in self._running.items():
            if who in those or running != before.get(who):
                yield who, combatant_leaves(state, who, running[0])


def _running_values(state: State) -> dict[str, list[Json]]:
    """Return each combatant's budget, and the time left for each of its effects."""
    found: dict[str, list[object]] = {who: [amounts_left(state, one)] for who, one in state.combatants.items()}
    for each in state.effects.values():
        if each.bearer in found:
            found[each.bearer].append(each.left)
    return found
