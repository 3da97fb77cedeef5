"""The figures of combat that can be stated: armour class, the last attack roll, reach, grapples, provocations."""

from collections.abc import Callable
from typing import Any

from projections.address import NOTHING, Address, a_number, a_word
from projections.because import Because, Derived
from projections.rulesets.definition_master.attacks.armor import armor
from projections.rulesets.definition_master.attacks.attack import critical_of, hit_of, last_roll
from projections.rulesets.definition_master.attacks.flatfooted import feinted_since
from projections.rulesets.definition_master.attacks.wield import in_slots, since
from projections.rulesets.definition_master.maneuvers.grapple import grapple_of, partner
from projections.rulesets.definition_master.squares import provoking
from projections.rulesets.definition_master.squares.ground import reached_squares, space, square_of
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.definition_master.state_of_combat import Roll


def _armor(touch: bool, flat: bool = False) -> Callable[[MasterState, str], Derived[Any]]:
    def read(state: MasterState, who: str) -> Derived[Any]:
        if state.combatants[who].sheet.ac is None:
            return Derived(NOTHING, Because(("attack.meets-ac-hits",), (state.combatants[who].joined,)))
        loses = Derived(True, Because(("feint.flat-footed",), ())) if flat else None
        return armor(state, who, touch, loses)

    return read


def _of_last(derive: Callable[[MasterState, Roll], Derived[Any]]) -> Callable[[MasterState, str], Derived[Any]]:
    """Return what reads a value of the last attack roll of somebody."""

    def read(state: MasterState, who: str) -> Derived[Any]:
        roll = last_roll(state, who)
        found = derive(state, roll) if roll else None
        if found and found.value is not None:
            return found
        return Derived(NOTHING, Because(("attack.formula",), (state.combatants[who].joined,)))

    return read


def _feinted(state: MasterState, who: str) -> Derived[bool]:
    hold, seq = state.combat.grapples.of(who), feinted_since(state, who)
    rule = "grapple.flat-footed-to-others" if hold else "feint.flat-footed"
    events = (hold.seq,) if hold else (seq,) if seq else (state.combatants[who].joined,)
    freed = state.combat.grapples.freed.get(who)
    of = hold.tries if hold else (freed,) if freed else ()
    return Derived(bool(hold or seq), Because((rule,), events, of=of))


def _wields(state: MasterState, who: str) -> Derived[Any]:
    held = [item for item in in_slots(state, who).values() if item]
    return Derived(held or NOTHING, Because(("wield.slots",), since(state, who) or (state.combatants[who].joined,)))


def _square(state: MasterState, who: str) -> Derived[Any]:
    found = square_of(state, who)
    if found is not None:
        return Derived(f"{found[0]},{found[1]}", Because(("space.one-square",), (state.combat.stood[who],)))
    inside = state.health.inside.get(who)
    gone = inside.seq if inside else state.combat.stood.get(who, state.combatants[who].joined)
    return Derived(NOTHING, Because(("space.one-square",), (gone,)))


FOLLOWS = "it follows from the roll"
ADDRESSES = (
    Address("<who>.ac", _armor(False), says="the armour class", wants=a_number),
    Address("<who>.touch", _armor(True), says="the armour class against a touch", wants=a_number),
    Address("<who>.flat-footed-ac", _armor(False, True), says="the armour class while flat-footed", wants=a_number),
    Address("<who>.flat-footed", _feinted, says="whether somebody is flat-footed", fixed="it follows from contests"),
    Address("<who>.total", _of_last(lambda _, roll: roll.total), says="what the last attack comes to", fixed=FOLLOWS),
    Address("<who>.hit", _of_last(hit_of), says="whether the last attack roll hits", fixed=FOLLOWS),
    Address("<who>.critical", _of_last(critical_of), says="whether that is a critical hit", fixed=FOLLOWS),
    Address(
        "<who>.reach",
        reached_squares,
        says="how many squares around it somebody reaches",
        fixed="it follows from size and weapon",
    ),
    Address(
        "<who>.space", space, says="the squares that somebody takes up on a side", fixed="it follows from its size"
    ),
    Address("<who>.square", _square, says="the square that somebody stands on", fixed="it follows from moves"),
    Address("<who>.wields", _wields, says="what somebody has in its slots", fixed="it follows from the sheet and acts"),
    Address("<who>.grapple", grapple_of, says="how somebody is in a grapple", wants=a_word),
    Address("<who>.grapple.with", partner, says="with whom somebody is in a grapple", fixed="it follows from contests"),
    *provoking.ADDRESSES,
)
