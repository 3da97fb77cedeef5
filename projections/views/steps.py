"""Steps: each fact of the corrected stream with the values that it changed."""

from collections.abc import Callable, Iterable
from functools import cache, partial

from msgspec import Struct

from eventstore.events import Fact, RulingMade
from eventstore.record import Recorded
from projections.address import NOTHING, Address
from projections.fight import EVERYBODY, Combatant
from projections.folds.addresses import address_index, derive_value
from projections.folds.order import OrderKept, names_in_order
from projections.mechanics.conditions import Key
from projections.occurrence import Occurrence
from projections.open_types import Fields, Json
from projections.replay.replay import Observer, Replay, replay
from projections.state import State
from projections.stream.named import named_ids
from projections.time import Where

WATCHED = ("status", "conditions", "effects", "casting", "concentration", "form")
"""The fields of a combatant that are watched, as far as the game has them."""


class Change(Struct, frozen=True):
    """A derived value that a fact changed, by its address."""

    address: str
    before: Json
    after: Json


class Step(Struct, frozen=True):
    """A fact of the corrected stream and what it changed."""

    fact: Occurrence[Fact]
    changes: tuple[Change, ...]


def is_shape_change(step: Step, who: str) -> bool:
    """Say whether a step puts other hit points in the place of a combatant's, so that their difference is no damage or healing."""
    return any(change.address == f"{who}.form" for change in step.changes)


class Watch:
    """The watched values as they last were; only those that the last fact can have `touched` are read again."""

    def __init__(self, *, thoroughly: bool = False) -> None:
        self.thoroughly = thoroughly
        self.values: dict[str, Fields] = {}
        self.kept = OrderKept()
        self.order: list[list[str]] | None = None
        self.left: dict[Key, int | None] = {}

    def changes(self, state: State, fact: Occurrence[Fact]) -> tuple[Change, ...]:
        """Return the values that a fact changed; nothing is compared for a combatant who joins by it."""
        those = state.combatants if self.thoroughly else touched_combatants(state, fact)
        now = names_in_order(state) if self.thoroughly else self.kept.names(state, those)
        before, self.order = self.order, now
        order = [] if before in (None, now) else [Change("order", before, now)]
        return (*order, *self._changed_values(state, those), *self._duration_changes(state))

    def _changed_values(self, state: State, those: Iterable[str]) -> list[Change]:
        found = list[Change]()
        for who in those:
            before, now = self.values.get(who), self._read_values(state, who)
            self.values[who] = now
            if before is not None and before != now:
                changed = (field for field in now if before.get(field, NOTHING) != now[field])
                found += [Change(f"{who}.{field}", before.get(field, NOTHING), now[field]) for field in changed]
        return found

    def _read_values(self, state: State, who: str) -> Fields:
        return watched_values(state, who, thoroughly=self.thoroughly)

    def _duration_changes(self, state: State) -> Iterable[Change]:
        """Return the changes in how much is left of effects that go on."""
        if not self.left and not state.effects:
            return []
        before, self.left = self.left, {key: effect.left for key, effect in state.effects.items() if key[1]}
        changed = [key for key, left in self.left.items() if before.get(key, left) != left]
        addresses = {f"{key[1]}.effects.{state.effects[key].called}": key for key in changed}
        return [Change(address, _left_of(before[key]), _left_of(self.left[key])) for address, key in addresses.items()]


class PoolsWatch(Watch):
    """The same for hit points alone, and for the form whose hit points they are."""

    def changes(self, state: State, fact: Occurrence[Fact]) -> tuple[Change, ...]:
        """Return the hit points and forms that a fact changed."""
        return tuple(self._changed_values(state, touched_combatants(state, fact)))

    def _read_values(self, state: State, who: str) -> Fields:
        form = {"form": _read(state, who, "form")} if "form" in address_index(state.rules.addresses).fields else {}
        return _pools(state.combatants[who]) | form


def _left_of(left: int | None) -> int | bool:
    """Return how much is left of an effect, as at its address: true without a duration."""
    return True if left is None else left


def touched_combatants(state: State, fact: Occurrence[Fact]) -> Iterable[str]:
    """Return the combatants whose values a fact can have changed, directly after it took effect, in the order of joining."""
    if EVERYBODY in state.touched or isinstance(fact.event, RulingMade):
        return state.combatants
    found = state.touched.union(named_ids(fact.event))
    return sorted(found & state.combatants.keys(), key=lambda who: state.combatants[who].joined)


def watched_values(state: State, who: str, *, thoroughly: bool = False) -> Fields:
    """Return the watched values of a combatant; `thoroughly` reads them with their reasons, as they are shown."""
    found = _pools(state.combatants[who])
    own = Fields()
    for field in address_index(state.rules.addresses).listed_of(state, who):
        read = derive_value(state, f"{who}.{field}")
        own[field] = NOTHING if read is None or read.value is None else read.value
    if thoroughly or state.ruled:
        fields = (field for field, _ in watched_fields(state.rules.addresses))
        return found | {field: _read(state, who, field, thoroughly=thoroughly) for field in fields} | own
    return found | {field: bare(state, who) for field, bare in watched_fields(state.rules.addresses)} | own


def _pools(one: Combatant) -> Fields:
    hp = one.hp
    return {"hp": NOTHING if hp is None else hp, "temp": one.temp, "nld": one.nld}


def _read(state: State, who: str, field: str, *, thoroughly: bool = False) -> Json:
    """Return a watched value at the first of its addresses that has one."""
    address = f"{who}.{field}"
    for each in address_index(state.rules.addresses).fields[field]:
        if each.bare and address not in state.ruled and not thoroughly:
            return each.bare(state, who)
        read = each.value(state, address, (who,))
        if read and read.value is not None:
            return read.value
    return NOTHING


@cache
def watched_fields(own: tuple[Address, ...]) -> tuple[tuple[str, Callable[[State, str], object]], ...]:
    """Return the watched fields, each with the function that reads it while no ruling covers its value."""
    fields = address_index(own).fields
    return tuple((field, fields[field][0].bare or partial(_read, field=field)) for field in WATCHED if field in fields)


def step_observer(see: Callable[[Step, State], None], watch: Watch) -> Observer:
    """Return the function for a replay to call after each fact, which passes on each step with the state after it."""
    return lambda state, fact: see(Step(fact, watch.changes(state, fact)), state)


def steps(records: Iterable[Recorded], until: Where | None, see: Callable[[Step, State], None]) -> Replay:
    """Replay a log and show each step with the state after it."""
    return replay(records, until, after=step_observer(see, Watch()))
