"""The reasons for the shown values of a state, each with the facts that were only looked at."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from msgspec import UNSET, structs

from projections.because import Reason
from projections.explaining.past import Past
from projections.explaining.striking import Asked, Read, Weighed, find_deciding_facts
from projections.replay.replay import Replay
from projections.state import State
from projections.views.leaves import Leaf, combatant_leaves, fight_leaves, order_leaves
from projections.views.view import ClockView, CombatantView, EffectView, EntryView, Reasons, Show, SlotView, show

Part = TypeVar("Part", bound=ClockView | SlotView | EntryView | EffectView)

NOT_WEIGHED = Weighed()
Key = tuple[str | int | None, ...]
Visit = Callable[[Key, object, Reason], Reason]
"""A function from a key, a value and its reason to the reason that replaces it."""


def weigh_view(past: Past, view: Show) -> Show:
    """Return the view at the past's end, in which each reason says which of its facts were only looked at, or not tried."""
    reasons = {key: reason for key, (_, reason) in _values_with_reasons(past.state, view).items()}

    def values(now: State) -> dict[Key, object]:
        return {key: value for key, (value, _) in _values_with_reasons(now, show(now, history=False)).items()}

    weighed = _weigh_reasons(past, reasons, values)

    def told(key: Key, _: object, why: Reason) -> Reason:
        found = weighed.get(key, NOT_WEIGHED)
        return structs.replace(why, looked_at=found.looked_at, untried=found.untried or UNSET)

    return _replace_reasons(past.state, view, told)


def weigh_leaves(past: Past) -> dict[str, Weighed]:
    """Return, by address, the result of striking the facts behind each leaf with a reason, at the end."""

    def values(now: State) -> dict[Key, object]:
        return {(address,): leaf.value for address, leaf in _leaves_by_address(now).items()}

    reasons: dict[Key, Reason] = {(address,): reason for address, reason in _reasons_by_address(past.state)}
    return {str(address): each for (address,), each in _weigh_reasons(past, reasons, values).items()}


def mark_leaves_untried(state: State, most: int) -> dict[str, Weighed]:
    """Return the same for a log of which no fact is struck: the last facts that each reason cites are untried, `most` at most."""
    return {address: Weighed(untried=reason.events[-most:]) for address, reason in _reasons_by_address(state)}


def _reasons_by_address(state: State) -> Iterator[tuple[str, Reason]]:
    return (
        (address, state.reason(leaf.because)) for address, leaf in _leaves_by_address(state).items() if leaf.because
    )


def _leaves_by_address(state: State) -> dict[str, Leaf]:
    found = dict((*fight_leaves(state), *order_leaves(state)))
    return found | {address: leaf for who in state.combatants for address, leaf in combatant_leaves(state, who).items()}


def _weigh_reasons(
    past: Past, reasons: Mapping[Key, Reason], values: Callable[[State], dict[Key, object]]
) -> dict[Key, Weighed]:
    """Return for each of these reasons the result of striking its facts; `values` reads the values that they explain."""
    read = _Reading(values)
    there = [(key, reason) for key, reason in reasons.items() if key in read.read_values(past.done)]
    weighed = find_deciding_facts(past, [Asked(reason.events, read.reader_of(key)) for key, reason in there])
    return {key: each for (key, _), each in zip(there, weighed, strict=True)}


class _Reading:
    """Values by their keys, read once for each replay."""

    def __init__(self, values: Callable[[State], dict[Key, object]]) -> None:
        self._values = values
        self._done: Replay | None = None
        self._found: dict[Key, object] = {}

    def reader_of(self, key: Key) -> Read:
        """Return a function that reads the value of a key."""
        return lambda done, _: self.read_values(done).get(key)

    def read_values(self, done: Replay) -> dict[Key, object]:
        """Return the values at the end of a replay."""
        if done is not self._done:
            self._done, self._found = done, self._values(done.state)
        return self._found


def _values_with_reasons(state: State, view: Show) -> dict[Key, tuple[object, Reason]]:
    """Return the values that have reasons, by keys that are the same in other views of the fight."""
    found: dict[Key, tuple[object, Reason]] = {}

    def note(key: Key, value: object, why: Reason) -> Reason:
        found.setdefault(key, (value, why))
        return why

    _replace_reasons(state, view, note)
    return found


def _replace_reasons(state: State, view: Show, visit: Visit) -> Show:

    def of(key: Key, one: Part) -> Part:
        content = tuple(getattr(one, field) for field in one.__struct_fields__ if field != "because")
        return structs.replace(one, because=visit(key, content, one.because))

    def effects(who: str, those: tuple[EffectView, ...]) -> tuple[EffectView, ...]:
        begun = (seq for (seq, bearer), _ in state.effects.items() if bearer == who)
        return tuple(of(("effect", who, seq), each) for seq, each in zip(begun, those, strict=True))

    def combatant(who: str, one: CombatantView) -> CombatantView:
        fields = Reasons.__struct_fields__
        whys = {field: visit((who, field), getattr(one, field), getattr(one.because, field)) for field in fields}
        return structs.replace(one, because=Reasons(**whys), effects=effects(who, one.effects))

    return structs.replace(
        view,
        clock=of(("clock",), view.clock),
        order=tuple(of(("order", *slot.combatants), slot) for slot in view.order),
        timeline=tuple(
            of(("row", row.round, row.combatant, row.action, *row.events[:1]), row) for row in view.timeline
        ),
        combatants={who: combatant(who, one) for who, one in view.combatants.items()},
        effects=effects("", view.effects),
    )
