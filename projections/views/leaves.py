"""Leaves: the single values that a page shows of a state, each by its address and with its reason."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from eventstore.events import (
    ActionTaken,
    AttackRolled,
    DamageDealt,
    DiceRolled,
    Healed,
    Moved,
    Noted,
    SaveRolled,
)
from projections.because import Because, Derived
from projections.folds.addresses import book, derived
from projections.folds.budget import numbers
from projections.folds.clock import because_clock
from projections.folds.effects import condition_names, effect_because
from projections.folds.order import OrderKept, order_of, who_is_due
from projections.folds.vitals import pool_by, standing
from projections.mechanics.conditions import of
from projections.mechanics.pools import HP, HP_MAX, NLD, TEMP
from projections.occurrence import Occurrence
from projections.state import EVERYBODY, Combatant, Slot, State
from projections.time import Point
from projections.views.steps import Step, Watch


class Leaf(Struct, frozen=True):
    """A value as `show --json` has it, and its reason; None where nothing is given as one."""

    value: Any
    because: Because | None = None


def leaves(state: State) -> dict[str, Leaf]:
    """Return all leaves of a state by their addresses."""
    found = dict(of_fight(state)) | dict(of_order(state))
    for who in state.combatants:
        found |= of_combatant(state, who)
    return found


def of_fight(state: State, due: Derived[list[str]] | None = None) -> Iterator[tuple[str, Leaf]]:
    """Yield the clock, and who is due, if that is known already."""
    clock = state.clock
    now = {"round": clock.point.round, "segment": clock.point.segment, "phase": clock.phase, "turn": clock.turn}
    yield "clock", Leaf({part: value for part, value in now.items() if value}, because_clock(state))
    due = due or who_is_due(state)
    yield "due", Leaf(plain(due.value), due.because)


def of_order(state: State, slots: tuple[Slot, ...] | None = None) -> Iterator[tuple[str, Leaf]]:
    """Yield the places of the order: `order.1` and on, if they are known already, of these slots."""
    for number, slot in enumerate(order_of(state) if slots is None else slots, 1):
        key = {part: value for part, value in slot.key.items() if part != "round"}
        place = {"combatants": slot.combatants, "segment": slot.segment, "phase": slot.phase, "key": key}
        yield f"order.{number}", Leaf(plain(place), slot.because)


def of_combatant(state: State, who: str, budget: dict[str, Any] | None = None) -> dict[str, Leaf]:
    """Return the leaves of a combatant, those that say something; its hit points are there even if unknown.

    `budget` is what it has left to spend, if that is known already.
    """
    one, rules = state.combatants[who], state.rules.pools(state, state.combatants[who])
    found = {
        "name": Leaf(one.name),
        "side": Leaf(one.side),
        "hp": Leaf(one.hp, pool_by(rules, one, HP).because),
        "status": _status(state, one),
    }
    found |= {name: Leaf(value, pool_by(rules, one, name).because) for name, value in _other_pools(one) if value}
    found |= dict(_burdens(state, one))
    found |= dict(_left(state, one, numbers(state, one) if budget is None else budget))
    return {f"{who}.{field}": leaf for field, leaf in found.items()}


def _status(state: State, one: Combatant) -> Leaf:
    """Return the status, with the number that follows it in brackets."""
    stands = standing(one)
    tally = book(state.rules.addresses).tallies.get(stands.value)
    number = derived(state, f"{one.id}.{tally}") if tally else None
    return Leaf(f"{stands.value}({number.value})" if number else stands.value, stands.because)


def _other_pools(one: Combatant) -> tuple[tuple[str, int | None], ...]:
    return ((HP_MAX, one.hp_max), (TEMP, one.temp), (NLD, one.nld))


def _burdens(state: State, one: Combatant) -> Iterator[tuple[str, Leaf]]:
    """Yield conditions, effects, what is cast and concentrated on, and what else is notable."""
    if conditions := [each.name for each in of(state.conditions, one.id)]:
        yield "conditions", Leaf(conditions, condition_names(state, one.id).because)
    borne = [each for each in state.effects.values() if each.bearer == one.id]
    if borne:
        unit = [(each.name, each.left, each.duration.unit if each.duration else None) for each in borne]
        why = sum((effect_because(state, each) for each in borne), Because())
        yield "effects", Leaf(plain(unit), why)
    concentration, why = state.rules.concentration(state, one)
    if casting := state.rules.casting(state, one):
        yield "casting", Leaf(casting.name or "something", casting.because)
    if concentration:
        yield "concentration", Leaf(concentration, why)
    for field in book(state.rules.addresses).notable:
        found = derived(state, f"{one.id}.{field}")
        if found and found.value not in ("none", None, [], ()):
            yield field, Leaf(plain(found.value), found.because)
    if one.id in (squares := state.rules.squares(state)):
        yield "square", Leaf(plain(squares[one.id]))
    if one.left:
        yield "gone", Leaf(True)


def _left(state: State, one: Combatant, budget: dict[str, Any]) -> Iterator[tuple[str, Leaf]]:
    """Yield what is left to spend, at `left.move` and the like."""
    for what, left in budget.items():
        if left not in (None, (), {}, []):
            found = derived(state, f"{one.id}.left.{what}")
            yield f"left.{what}", Leaf(plain(left), found.because if found else None)


def plain(value: Any) -> Any:
    """Return a value as plain data."""
    return value if type(value) in PLAIN else msgspec.to_builtins(value, enc_hook=str)


PLAIN = (int, str, bool)
"""Types of values that are plain data already."""


OUTCOMES = (DamageDealt, Healed, AttackRolled, SaveRolled, DiceRolled, Noted)
"""Facts that change who is due only by changing somebody's status."""
DEEDS = (ActionTaken, Moved)
"""Facts that use up nothing of what those have left whom they do not touch, unless time passes with them."""
LASTING = (DamageDealt, Healed, SaveRolled, DiceRolled, Noted)
"""Facts that change no key of a place in the order, unless they change the order itself."""


class LeavesKept:
    """The leaves from fact to fact: only those that a step of its `watch` can have changed are read again."""

    def __init__(self) -> None:
        self.known: dict[str, dict[str, Leaf]] = {}
        self._running: dict[str, Any] = {}
        self._time: tuple[Point, str, str, bool] | None = None
        self._slots = OrderKept(reasons=True)
        self.watch = Watch(self._slots)

    def after(self, step: Step, state: State) -> dict[str, Leaf | None]:
        """Return the leaves that a step changed; None for one that is no more.

        A reason is that of the step at which its value was read last. Raises ValueError for a step that another watch found.
        """
        if self.watch.last is not step.fact:
            raise ValueError("leaves are kept by the steps of their own watch: give it to what walks through the log")
        found: dict[str, Leaf | None] = {}
        for owner, now in self._read(step, state):
            before = self.known.get(owner, {})
            self.known[owner] = now
            if before.keys() - now.keys():
                found |= {address: None for address in before if address not in now}
            found |= {address: leaf for address, leaf in now.items() if before.get(address) != leaf}
        return found

    def _read(self, step: Step, state: State) -> Iterator[tuple[str, dict[str, Leaf]]]:
        """Yield what can have changed, by its owner."""
        fact, moved = step.fact, self._time_passes(state)
        changed = {change.address.rpartition(".")[2] for change in step.changes}
        those = self.watch.touched
        outcome = self._only_hurts(state, fact, those)
        if moved or not outcome or changed & {"status", "order", "casting"}:
            yield "the clock", dict(of_fight(state, self._slots.due(state)))
        if moved or not isinstance(fact.event, (*OUTCOMES, *DEEDS)) or "status" in changed:
            those = dict.fromkeys((*those, *self._run_on(state, state.combatants)))
        else:
            self._run_on(state, those)
        if moved or not (outcome and isinstance(fact.event, LASTING)) or "order" in changed:
            yield "the order", dict(of_order(state, self._slots.slots(state)))
        for who in those:
            yield who, of_combatant(state, who, self._running[who][0])

    def _only_hurts(self, state: State, fact: Occurrence[Any], those: Iterable[str]) -> bool:
        """Say whether a fact is only the outcome of another, for somebody in the fight; some who are out may still act."""
        if not isinstance(fact.event, OUTCOMES) or _may_be_an_act(state, fact):
            return False
        return EVERYBODY not in state.touched and all(state.combatants[who].status == "up" for who in those)

    def _time_passes(self, state: State) -> bool:
        clock = state.clock
        now = (clock.point, clock.phase, clock.turn, clock.open)
        passes, self._time = now != self._time, now
        return passes

    def _run_on(self, state: State, those: Iterable[str]) -> list[str]:
        """Return those of these for whom time has passed: what is left of their effects, or for them to spend, is another."""
        now: dict[str, list[Any]] = {who: [numbers(state, state.combatants[who])] for who in those}
        for each in state.effects.values():
            if each.bearer in now:
                now[each.bearer].append(each.left)
        passed = [who for who, left in now.items() if left != self._running.get(who)]
        self._running |= now
        return passed


def _may_be_an_act(state: State, fact: Occurrence[Any]) -> bool:
    """Say whether a roll, damage or healing may be an act itself: it comes of no act or roll of its doer in this round."""
    if not isinstance(fact.event, AttackRolled | DamageDealt | Healed):
        return False
    behind = state.moments.get(fact.cause)
    if behind is None or not isinstance(behind.event, ActionTaken | AttackRolled):
        return True
    return _doer(fact.event) not in (None, behind.event.combatant)


def _doer(event: Any) -> str | None:
    return getattr(event, "combatant", None) or getattr(event, "source", None)


__all__ = ["Leaf", "LeavesKept", "leaves", "of_combatant", "of_fight", "of_order"]
