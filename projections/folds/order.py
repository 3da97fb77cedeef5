"""The order of a round as it is shown: the ruleset's, or that of a ruling, which takes precedence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain, groupby
from operator import attrgetter
from typing import Any

from msgspec import structs

from eventstore.events import InitiativeRolled
from projections.address import NOTHING, Address
from projections.because import Because, Cites, Derived
from projections.folds.clock import because_clock, because_of
from projections.folds.effects import listed
from projections.folds.vitals import standing
from projections.mechanics.memo import remembered
from projections.occurrence import Occurrence
from projections.rulesets.ruleset import OwnPlace, OwnPlaces, derives
from projections.state import Entry, Slot, State

DUE = "due"
"""The status of a timeline row of somebody who may act and has not."""


@derives("log.ruling", on=InitiativeRolled)
def order_is_rolled_anew(state: State, fact: Occurrence[InitiativeRolled]) -> None:
    """End a ruled order as soon as anybody in it has a new roll."""
    if state.ruled_order:
        rolled = rollers(state, fact.event)
        if any(who in rolled for group in state.ruled_order[1] for who in group):
            state.ruled_order = None


def rollers(state: State, event: InitiativeRolled) -> tuple[str, ...]:
    """Return whom a roll is for: who is named, and the members of a side, even if one die was thrown for several."""
    side = [one.id for one in state.here() if one.side == event.side]
    named = dict.fromkeys((event.combatant or "", *event.together, *side))
    return tuple(who for who in named if who in state.combatants)


@remembered
def order_of(state: State) -> tuple[Slot, ...]:
    """Return the order of the round; a ruled order takes precedence, and those not in it come after."""
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


def names_in_order(state: State) -> list[list[str]]:
    """Return the order of the round as names only, grouped by those who act simultaneously."""
    if state.rules.names and state.ruled_order is None:
        return state.rules.names(state)
    return [list(slot.combatants) for slot in order_of(state)]


class OrderKept:
    """The order as names, from fact to fact: where a ruleset has `own_places`, only who is touched is placed anew.

    Where it has `turns`, the names are read again only when the list was arranged anew, or somebody came or left.
    """

    def __init__(self) -> None:
        self.arranged: list[str] | None = None
        self.roster = 0
        self.common: Any = None
        self.slot: str | None = None
        self.rests: dict[str, Any] = {}
        self.places: dict[str, list[OwnPlace]] = {}
        self.groups: list[list[str]] = []

    def names(self, state: State, touched: Iterable[str]) -> list[list[str]]:
        """Return the order after a fact that touched these."""
        moved = self.placed(state, touched)
        if self.common is None:
            return self._by_turns(state)
        before, self.slot = self.slot, state.clock.phase if state.clock.open else None
        if moved or self.slot != before:
            self.groups = [_names(group) for group in in_groups(state, self.places)]
        return self.groups

    def placed(self, state: State, touched: Iterable[str]) -> bool:
        """Place those anew whose places may have changed with these; say whether any did. Without common ground, place nobody."""
        own = state.rules.own_places
        before, self.common = self.common, None if state.ruled_order else self._common(state, own)
        if self.common is None:
            return False
        if before is None:
            self.rests, touched = {}, state.combatants
        moved = self._moved(state, own, touched)
        if self.common != before:
            self._place(state, own, state.combatants)
            return True
        return self._place_moved(state, own, moved)

    def _common(self, state: State, own: OwnPlaces) -> Any:
        """Return what is kept of all rests on; None while the order is not one of single combatants."""
        return own.common(state)

    def _by_turns(self, state: State) -> list[list[str]]:
        turns = state.rules.turns
        if turns is None or state.ruled_order is not None:
            return names_in_order(state)
        before, self.arranged = self.arranged, turns(state).order
        if self.arranged is not before or self.roster != state.roster_event:
            self.groups, self.roster = names_in_order(state), state.roster_event
        return self.groups

    def _moved(self, state: State, own: OwnPlaces, touched: Iterable[str]) -> list[str]:
        """Return those of these whose places may have changed; keep what they rest on now."""
        moved = []
        for who in touched:
            now = own.rests(state, state.combatants[who])
            if now is None or now != self.rests.get(who):
                self.rests[who] = now
                moved.append(who)
        return moved

    def _place_moved(self, state: State, own: OwnPlaces, moved: list[str]) -> bool:
        """Place these anew, and those that rest on them; say whether any has other places now."""
        changed = self._place(state, own, moved)
        if any(own.bears(state, state.combatants[who]) for who in moved):
            shared = [who for who, places in self.places.items() if any(each.shared for each in places)]
            changed |= self._place(state, own, [who for who in shared if who not in moved])
        return changed

    def _place(self, state: State, own: OwnPlaces, those: Iterable[str]) -> bool:
        """Derive the places of these anew, of those in a row that rest on the same once; say whether any has others now."""
        rests, changed = None, False
        for who in those:
            before = [*map(_spot, self.places.get(who, ()))]
            if rests is None or self.rests[who] != rests:
                rests, places = self.rests[who], own.of(state, state.combatants[who])
            else:
                places = [structs.replace(each, who=who) for each in places]
            self.places[who] = places
            changed |= [*map(_spot, places)] != before
        return changed


_key, _who = attrgetter("key"), attrgetter("who")
_spot = attrgetter("key", "rank", "last")
"""What counts of a place where its reason does not."""


class SlotsKept(OrderKept):
    """The order with its reasons, and who is due, from fact to fact; only a ruleset that gives reasons combatant by combatant has them kept.

    Those cite by themselves all that they rest on. `why` has those of `OwnPlaces.why`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.why: dict[str, list[Derived[Any]]] = {}
        self._slots: tuple[int, tuple[Slot, ...]] = 0, ()

    def _common(self, state: State, own: OwnPlaces) -> Any:
        common = own.common(state)
        return None if common is None else (common, own.grounds(state))

    def slots(self, state: State) -> tuple[Slot, ...]:
        """Return the order of the round, as those were placed who were touched."""
        if not self._has_reasons(state):
            return order_of(state)
        if self._slots[0] != state.seq:
            groups = in_groups(state, self.places)
            self._slots = state.seq, slots_of(state.rules.own_places.rules, groups, lambda who: self.why[who][0])
        return self._slots[1]

    def due(self, state: State) -> Derived[list[str]]:
        """Return who is still to act in this round, in order."""
        if not self._has_reasons(state) or state.closed or not state.clock.open:
            return who_is_due(state)
        whys = [self.why[one.id] for one in state.here()]
        statuses = map(standing, state.combatants.values())
        absent = Because(of=(*(why[0] for why in whys), *(each for why in whys for each in why[1:]), *statuses))
        return _by_order(state, _still_to_act(state, self.places), self.slots(state), absent)

    def _place(self, state: State, own: OwnPlaces, those: Iterable[str]) -> bool:
        """Derive the places of these anew, with their reasons, which may all be others now; say whether there are any."""
        if not own.why:
            return super()._place(state, own, those)
        found = list(those)
        for who in found:
            one = state.combatants[who]
            self.places[who] = [structs.replace(each, because=each.because.whole()) for each in own.of(state, one)]
            self.why[who] = [Derived(each.value, each.because.whole()) for each in own.why(state, one)]
        return bool(found)

    def _has_reasons(self, state: State) -> bool:
        return self.common is not None and state.rules.own_places.why is not None


Groups = list[list[OwnPlace]]
"""Places in the order, those with equal keys together."""


def in_groups(state: State, places: Mapping[str, list[OwnPlace]]) -> Groups:
    """Return the places of all in their order, except those whose last slot has gone by."""
    gone = _gone_by(state)
    every = chain.from_iterable(places.values())
    ahead = [each for each in every if each.key is not None and each.last not in gone]
    ahead.sort(key=attrgetter("key", "rank"))
    return [[*group] for _, group in groupby(ahead, key=_key)]


@remembered
def places_of(state: State) -> dict[str, list[OwnPlace]]:
    """Return the places of all, derived whole."""
    return {one.id: state.rules.own_places.of(state, one) for one in state.combatants.values()}


def _still_to_act(state: State, places: Mapping[str, list[OwnPlace]]) -> list[str]:
    """Return who is still to act in this round, in order."""
    gone = _gone_by(state)
    every = chain.from_iterable(places.values())
    ahead = [each for each in every if each.due is not None and each.last not in gone]
    return [*map(_who, sorted(ahead, key=attrgetter("due")))]


def _names(group: list[OwnPlace]) -> list[str]:
    return list(dict.fromkeys(map(_who, group)))


def slots_of(rules: tuple[str, ...], groups: Groups, besides: Callable[[str], Cites]) -> tuple[Slot, ...]:
    """Return slots of groups with equal keys; `besides` is what the places of somebody rest on besides their keys."""
    return tuple(_slot_of(rules, members, besides) for members in groups)


def _slot_of(rules: tuple[str, ...], members: list[OwnPlace], besides: Callable[[str], Cites]) -> Slot:
    who, key = _names(members), members[0].key
    because = Because(rules, (), {}, (*(Derived(key, place.because) for place in members), *map(besides, who)))
    return Slot(tuple(who), structs.asdict(key), because, segment=key.segment or None, phase=members[0].slot)


def _gone_by(state: State) -> frozenset[str]:
    """Return the slots of the round that play has gone by: all of them while no round is open."""
    names = state.rules.schedule.slots(state)
    if not state.clock.open:
        return frozenset(names)
    return frozenset(names[: names.index(state.clock.phase)]) if state.clock.phase in names else frozenset()


def _ruled_slot(members: list[str], own: dict[str, Slot], seq: int) -> Slot:
    """Return the slot of those whom a ruling puts in one place, with the ruleset's key of the first of them."""
    derived = own.get(members[0])
    because = sum((own[who].because for who in members if who in own), Because()) + Because(("log.ruling",), (seq,))
    if derived is None:
        return Slot(tuple(members), {}, because)
    return structs.replace(derived, combatants=tuple(members), because=because)


def read(state: State) -> Derived[Any]:
    """Return the order as names, those who act at once together, with the reasons of all places."""
    found = order_of(state)
    because = sum((slot.because for slot in found), Because()) or because_of(state, "round")
    return Derived([list(slot.combatants) for slot in found], because + state.rules.absent(state))


@remembered
def rows_of(state: State) -> tuple[Entry, ...]:
    """Return the rows of the timeline; once the fight is over nobody is due."""
    rows = state.rules.timeline(state)
    return tuple(row for row in rows if row.status != DUE) if state.closed else rows


def _due(state: State) -> Derived[list[str]]:
    """Return who is still to act in this round, in order; it rests on the places, on all statuses, and on the rows."""
    rows = rows_of(state)
    waiting = dict.fromkeys(row.combatant for row in rows if row.status == DUE)
    reasons = [because_of(state, "round"), *(slot.because for slot in order_of(state))]
    reasons += [each for row in rows for each in (row.because, Because((), row.events))]
    reasons += [standing(one).because for one in state.combatants.values()]
    return Derived(list(waiting), _resting_on(state, reasons))


def _resting_on(state: State, reasons: list[Because]) -> Because:
    """Return a reason that cites nothing itself but the rules of the clock."""
    return Because(state.rules.clock_rules, (), {}, tuple(Derived(None, each) for each in reasons))


def _by_order(
    state: State, waiting: list[str], slots: tuple[Slot, ...] | None = None, absent: Because | None = None
) -> Derived[list[str]]:
    """Return that these are still to act; it rests on the clock and, in an open round, on who stands in the order and who does not."""
    reasons = [because_clock(state)]
    if state.clock.open:
        reasons += [slot.because for slot in (order_of(state) if slots is None else slots)]
        reasons.append(state.rules.absent(state) if absent is None else absent)
    return Derived(list(dict.fromkeys(waiting)), _resting_on(state, reasons))


def _wants(state: State, value: Any) -> str:
    named = [name for item in listed(value) for name in listed(item)]
    if (not named and value != NOTHING) or any(n not in state.combatants and n not in state.sides for n in named):
        return "a list of those who have joined, or none"
    return ""


def _set(state: State, value: Any, seq: int) -> None:
    placed: set[str] = set()
    groups = []
    for item in listed(value):
        members = dict.fromkeys(who for name in listed(item) for who in _meant(state, name) if who not in placed)
        placed.update(members)
        if members:
            groups.append(tuple(members))
    state.ruled_order = (seq, tuple(groups)) if groups else None


def _meant(state: State, name: str) -> list[str]:
    return [name] if name in state.combatants else [one.id for one in state.here() if one.side == name]


@remembered
def who_is_due(state: State) -> Derived[list[str]]:
    """Return who is still to act in this round, in order, as the ruleset or else the rows say; nobody in a closed fight."""
    if state.closed:
        return Derived([], Because(("log.closed",), (state.closed,)))
    if state.rules.own_places.why:
        return _by_order(state, _still_to_act(state, places_of(state)))
    return (state.rules.due or _due)(state)


ADDRESSES = (
    Address("order", read, says="the order, with who acts simultaneously", wants=_wants, rule=_set),
    Address(
        "due",
        who_is_due,
        says="whose turn may begin now",
        fixed="it follows from the order and from what was done",
        ordered=True,
    ),
)
