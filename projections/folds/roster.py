"""The roster: who is in the fight, on which side, with which sheet."""

from __future__ import annotations

from functools import partial

import msgspec

from eventstore.events import CombatantJoined, CombatantLeft, ResourceChanged, SheetChanged
from eventstore.form import is_id
from projections.address import Address, a_word
from projections.because import Because, Derived
from projections.fight import Combatant
from projections.folds.vitals import update_status
from projections.mechanics.pool_history import clamp_points
from projections.mechanics.pools import HP, HP_MAX, POOLS
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import derives
from projections.state import State


@derives(on=CombatantJoined)
def add_combatant(state: State, fact: Occurrence[CombatantJoined]) -> None:
    """Add a combatant with the values of its sheet: hit points, maximum, temporary points, resources."""
    event = fact.event
    sheet = msgspec.convert(state.rules.filled(state, event.sheet), state.rules.sheet)
    brought = msgspec.structs.asdict(sheet)
    who = event.combatant
    one = Combatant(id=who, name=event.name or who, side=event.side or who, sheet=sheet, joined=fact.seq)
    _set_amounts(one, brought.get("resources") or {}, fact.seq)
    hp = brought.get(HP)
    has = {HP_MAX: hp if brought.get(HP_MAX) is None else brought[HP_MAX], HP: hp}
    for pool in POOLS:
        one.pools[pool].set_value(has[pool] if pool in has else brought.get(pool, 0), fact.seq)
    state.combatants[one.id], state.roster_event = one, fact.seq
    update_status(state, one)
    state.sides.setdefault(one.side, fact.seq)


@derives(on=SheetChanged)
def change_sheet(state: State, fact: Occurrence[SheetChanged]) -> None:
    """Replace whole keys of a sheet; a key of a pool sets that pool as well."""
    one = state.combatants[fact.event.combatant]
    old, new = msgspec.to_builtins(one.sheet), state.rules.filled(state, fact.event.sheet)
    one.sheet = msgspec.convert(old | new, state.rules.sheet)
    one.changed.update(dict.fromkeys(new, fact.seq))
    for pool in POOLS:
        if pool in new:
            value = new[pool]
            if pool == HP_MAX and one.pools[pool].value == value:  # either record is enough
                one.pools[pool].changes.add_reason(Derived(value, Because((), (fact.seq,))))
            else:
                one.pools[pool].set_value(value, fact.seq)
    if "resources" in new:
        _set_amounts(one, new["resources"], fact.seq)
    update_status(state, one)


@derives(on=CombatantLeft)
def remove_combatant(state: State, fact: Occurrence[CombatantLeft]) -> None:
    """Remove a combatant from the fight, unless it joins again."""
    one = state.combatants[fact.event.combatant]
    one.left = state.roster_event = fact.seq


@derives(on=ResourceChanged)
def change_resource(state: State, fact: Occurrence[ResourceChanged]) -> None:
    """Spend or regain a counted resource; if its amount is unknown, the stated remainder counts."""
    one, name = state.combatants[fact.event.combatant], resource_name(state, fact.event)
    one.resources[name] = resource_left(state, fact.event)
    before = one.counted.get(name)
    one.counted[name] = Because((), (fact.seq,), (before,) if before else ())


def _set_amounts(one: Combatant, counts: dict[str, int], seq: int) -> None:
    one.resources, one.counted = dict(counts), dict.fromkeys(counts, Because((), (seq,)))


def resource_name(state: State, event: ResourceChanged) -> str:
    """Return the name under which a resource is counted: an existing one that differs only in case, else its own."""
    folded = event.resource.casefold()
    return next((n for n in state.combatants[event.combatant].resources if n.casefold() == folded), event.resource)


def resource_left(state: State, event: ResourceChanged) -> int:
    """Return how much is left of a resource after this."""
    had = state.combatants[event.combatant].resources.get(resource_name(state, event))
    if had is None and event.left is not None:
        return event.left
    return clamp_points((had or 0) + event.amount)


def presumed_use(state: State, fact: Occurrence[ResourceChanged]) -> int:
    """Return how much of a resource was counted as used already for the act of which a fact states it."""
    one = state.combatants[fact.event.combatant]
    return int(fact.event.amount < 0 and one.presumed.get(fact.cause) == resource_name(state, fact.event))


# ---------------------------------------------------------------- addresses


def because_joined(one: Combatant, field: str) -> Because:
    """Return the facts behind a field of a combatant: its joining, and the ruling that set the field since."""
    ruled = one.ruled.get(field)
    joined = Because(("log.joining",), (one.joined,))
    return joined + Because(("log.ruling",), (ruled,)) if ruled else joined


def _read_field(state: State, who: str, name: str) -> Derived[str]:
    one = state.combatants[who]
    return Derived(getattr(one, name), because_joined(one, name))


def _set_name(state: State, who: str, value: str, seq: int) -> None:
    one = state.combatants[who]
    one.name, one.ruled["name"] = value, seq


def _set_side(state: State, who: str, value: str, seq: int) -> None:
    one = state.combatants[who]
    one.side, one.ruled["side"] = value, seq
    state.sides.setdefault(value, seq)


def _check_side(state: State, who: str, value: object) -> str:
    is_new = isinstance(value, str) and is_id(value) and value not in state.combatants
    if is_new or value in state.sides or value == who:
        return ""
    return f"one of {', '.join(state.sides)}, or the name of a new side"


def _armor_class(state: State, who: str) -> Derived[int] | None:
    one = state.combatants[who]
    ac = getattr(one.sheet, "ac", None)
    return Derived(ac, Because(("log.joining",), one.records("ac"))) if ac is not None else None


_read_name, _read_side = (partial(_read_field, name=name) for name in ("name", "side"))
ADDRESSES = (
    Address("<who>.name", _read_name, says="the name on the pages", wants=a_word, rule=_set_name),
    Address("<who>.side", _read_side, says="the side of a combatant", wants=_check_side, rule=_set_side),
    Address(
        "<who>.ac",
        _armor_class,
        says="the armor class on the sheet",
        unit="AC #",
        fixed="sheet_changed changes what a sheet says",
        places=lambda state: ((one.id,) for one in state.here() if _armor_class(state, one.id)),
    ),
)
