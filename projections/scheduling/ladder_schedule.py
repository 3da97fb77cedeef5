"""Acts at points of a round: their places, sorted by keys, and the order of names, kept from fact to fact."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain, groupby
from operator import attrgetter
from typing import Any

from msgspec import Struct, structs

from projections.because import NOTHING_CITED, Because, Cites, Derived
from projections.fight import Combatant, Slot
from projections.folds.clock import because_clock, because_of
from projections.folds.order import order_of
from projections.mechanics.memo import memoize
from projections.open_types import RulesState
from projections.ruleset.schedule import KeptOrder, Names, Schedule
from projections.state import State


class LadderPlace(Struct, frozen=True, gc=False):
    """A place of a combatant in the order of a round."""

    who: str
    key: Any
    """The value that sorts it, None if its time is unknown; combatants with equal keys act simultaneously."""
    rank: tuple[int, ...] = ()
    """The order among those with equal keys."""
    last: str = ""
    """The last slot in which it can be taken; "" if there is none."""
    shared: bool = False
    """Whether it depends on acts of other combatants."""
    because: Because = NOTHING_CITED
    """The reason of its key."""
    slot: str = ""
    """The name of its slot."""
    due: Any = None
    """The value that sorts it among combatants who have not acted; None if it was taken or is no act."""


class LadderSchedule(Schedule, frozen=True, kw_only=True):
    """A schedule of acts, each with a key in the order of the round; those with equal keys act simultaneously."""

    order: Callable[[RulesState], tuple[Slot, ...]]
    """Return the order of the round, with its keys and reasons."""
    places: Callable[[RulesState, Combatant], list[LadderPlace]] = lambda _state, _one: []
    """Return the places of one combatant in it."""
    common: Callable[[RulesState], object] = lambda _state: None
    """Return the inputs that the places of all combatants share; None while the order is not one of single combatants."""
    inputs: Callable[[RulesState, Combatant], object] = lambda _state, _one: None
    """Return the other inputs of one combatant, None if they cannot be named; combatants with the same inputs have the same places."""
    moves_others: Callable[[RulesState, Combatant], bool] = lambda _state, _one: False
    """Say whether shared places can depend on acts of a combatant."""
    missed: Callable[[RulesState], Because] | None = None
    """Return why nobody else is in the order; without it the rows of the timeline say who is due."""
    other_reasons: Callable[[RulesState], Because] = lambda _state: NOTHING_CITED
    """Return what decides on the rows of those who are due, and stands in none: why others have none, and in which order they stand."""

    def why_empty(self, state: RulesState) -> Because:
        """Return why the order is empty: since the round opened, nobody has a place."""
        return because_of(state, "round")

    def why_absent(self, state: RulesState) -> Because:
        """Return why nobody else is in the order."""
        return self.missed(state) if self.missed else NOTHING_CITED

    def due(self, state: RulesState) -> Derived[list[str]] | None:
        """Return the combatants who are still to act in this round, in order, if places have reasons.

        The reason is the clock and, in an open round, the order and the combatants who are not in it.
        """
        if not self.missed:
            return None
        reasons = [because_clock(state)]
        if state.clock.open:
            reasons += [*(slot.because for slot in order_of(state)), self.why_absent(state)]
        of = tuple(Derived(None, each) for each in reasons)
        gone, every = _gone_by(state), chain.from_iterable(places_of(state).values())
        ahead = [each for each in every if each.due is not None and each.last not in gone]
        waiting = [*map(_who, sorted(ahead, key=attrgetter("due")))]
        return Derived(waiting, Because(state.rules.clock_rules, (), of))

    def make_kept_order(self) -> KeptOrder:
        """Return an object that keeps the places of combatants whom no fact touches."""
        return KeptPlaces(self)


class KeptPlaces(KeptOrder):
    """The order from fact to fact: only combatants whom a fact touches are placed again."""

    def __init__(self, schedule: LadderSchedule) -> None:
        super().__init__(schedule)
        self.ladder = schedule
        self.common: object = None
        self.slot: str | None = None
        self.inputs: dict[str, object] = {}
        self.places: dict[str, list[LadderPlace]] = {}
        self.groups: Names = []

    def update_names(self, state: State, touched: Iterable[str]) -> Names:
        """Return the order after a fact that touched these; while it is not one of single combatants, it is derived."""
        common, self.common = self.common, self.ladder.common(state)
        if self.common is None:
            return self.schedule.names_in_order(state)
        if common is None:
            self.inputs, touched = {}, state.combatants
        moved = self._find_moved(state, touched)
        if self.common != common:
            moved = [*state.combatants]
        elif any(self.ladder.moves_others(state, state.combatants[who]) for who in moved):
            shared = [who for who, places in self.places.items() if any(each.shared for each in places)]
            moved = [*dict.fromkeys((*moved, *shared))]
        slot, self.slot = self.slot, state.clock.phase if state.clock.open else None
        if self._derive_places(state, moved) or self.slot != slot:
            self.groups = [_group_names(group) for group in groups_of(state, self.places)]
        return self.groups

    def forget(self) -> None:
        """Forget the inputs of the places, so that all are derived again."""
        self.common = None

    def _find_moved(self, state: State, touched: Iterable[str]) -> list[str]:
        """Return those of these combatants whose inputs have changed, and keep the new inputs."""
        moved = []
        for who in touched:
            now = self.ladder.inputs(state, state.combatants[who])
            if now is None or now != self.inputs.get(who):
                self.inputs[who] = now
                moved.append(who)
        return moved

    def _derive_places(self, state: State, those: Iterable[str]) -> bool:
        """Derive the places of these combatants again, once for equal inputs; say whether any place has changed."""
        inputs, changed = None, False
        for who in those:
            before = [*map(_spot, self.places.get(who, ()))]
            if inputs is None or self.inputs[who] != inputs:
                inputs, places = self.inputs[who], self.ladder.places(state, state.combatants[who])
            else:
                places = [structs.replace(each, who=who) for each in places]
            self.places[who] = places
            changed |= [*map(_spot, places)] != before
        return changed


_key, _who = attrgetter("key"), attrgetter("who")
_spot = attrgetter("key", "rank", "last")
"""The values of a place that count as a change, without its reason."""

Groups = list[list[LadderPlace]]
"""Places in the order, those with equal keys together."""


def groups_of(state: State, places: Mapping[str, list[LadderPlace]]) -> Groups:
    """Return the places of all in their order, except those whose last slot has gone by."""
    gone = _gone_by(state)
    every = chain.from_iterable(places.values())
    ahead = [each for each in every if each.key is not None and each.last not in gone]
    ahead.sort(key=attrgetter("key", "rank"))
    return [[*group] for _, group in groupby(ahead, key=_key)]


@memoize
def places_of(state: State) -> dict[str, list[LadderPlace]]:
    """Return the places of all combatants, each derived again."""
    ladder: LadderSchedule = state.rules.schedule  # type: ignore[assignment]  # a ruleset that asks has it
    return {one.id: ladder.places(state, one) for one in state.combatants.values()}


def _group_names(group: list[LadderPlace]) -> list[str]:
    return list(dict.fromkeys(map(_who, group)))


def slots_of(rules: tuple[str, ...], groups: Groups, besides: Callable[[str], Cites]) -> tuple[Slot, ...]:
    """Return the slots of groups with equal keys; `besides` returns the other reasons for the places of a combatant."""
    found = list[Slot]()
    for members in groups:
        who, key = _group_names(members), members[0].key
        because = Because(rules, (), (*(Derived(key, place.because) for place in members), *map(besides, who)))
        found.append(Slot((*who,), structs.asdict(key), because, segment=key.segment or None, phase=members[0].slot))
    return tuple(found)


def _gone_by(state: State) -> frozenset[str]:
    """Return the slots of the round that are over: all of them while no round is open."""
    names = state.rules.schedule.phases(state)
    if not state.clock.open:
        return frozenset(names)
    return frozenset(names[: names.index(state.clock.phase)]) if state.clock.phase in names else frozenset()
