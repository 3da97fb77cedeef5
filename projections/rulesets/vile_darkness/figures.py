"""The figures of a fight that can be stated: armour class, AAC0, needs, rolls, hit dice, melee, distances."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import structs

from projections.address import NOTHING, Address, a_count, a_number, a_word, is_number, names
from projections.because import Because, Derived
from projections.folds.effects import listed
from projections.rulesets.vile_darkness import attack
from projections.rulesets.vile_darkness.grid import room
from projections.rulesets.vile_darkness.hit_dice import attacks_as, morale, other_names, overall_dice, save_dice
from projections.rulesets.vile_darkness.melee import foes, set_melee
from projections.rulesets.vile_darkness.place import expected
from projections.rulesets.vile_darkness.space import distance
from projections.rulesets.vile_darkness.state import Roll, VileState
from projections.rulesets.vile_darkness.table import ATTACKS

# ---------------------------------------------------------------- armour class, AAC0


def _set_ac(state: VileState, who: str, value: int, seq: int) -> None:
    state.lost.pop(who, None)
    gained = [*attack.changes(state, who), *attack.ruled(state, who, attack.AC)]
    one = state.combatants[who]
    one.sheet = structs.replace(one.sheet, ac=value + sum(each.amount for each in gained))
    one.changed["ac"] = seq


def _wants_ac(_state: VileState, _who: str, value: Any) -> str:
    return "" if is_number(value) and value == attack.on_the_scale(value) else "a number from -10 to 10"


def _aac0(state: VileState, who: str) -> Derived[Any]:
    sheet = state.combatants[who].sheet
    value = f"{sheet.aac0}*" if sheet.aac0_starred else sheet.aac0
    rule = "attack.aac0-starred" if sheet.aac0_starred else "attack.aac0"
    return Derived(value, Because((rule,), state.combatants[who].records("aac0", "aac0_starred")))


# ---------------------------------------------------------------- rolls


def _of_last(derive: Callable[[VileState, Roll], Derived[Any]]) -> Callable[[VileState, str], Derived[Any]]:
    """Return what reads a value of the last attack roll of somebody."""

    def read(state: VileState, who: str) -> Derived[Any]:
        roll = attack.last_roll(state, who)
        found = derive(state, roll) if roll else None
        opened = state.round.opened or state.combatants[who].joined
        none = Derived(NOTHING, Because(attack.total_of.rules, (opened,)))
        return found if found and found.value is not None else none

    return read


def _room(state: VileState, who: str) -> Derived[int]:
    blows = [each for each in state.round.acts_of.get(who, ()) if each.kind in ATTACKS]
    return room(state, blows[-1] if blows else expected(state, state.combatants[who]))


# ---------------------------------------------------------------- melee, distances


def _wants_melee(state: VileState, who: str, value: Any) -> str:
    wanted = names(state, who, value)
    return wanted or ("those who have joined" if {*listed(value)} - state.combatants.keys() else "")


def _pairs(state: Any) -> Iterator[tuple[str, str]]:
    yield from ((one, other) for one in state.squares for other in state.squares if one < other)


def _opponents(state: Any) -> Iterator[tuple[str, str]]:
    here = state.here()
    yield from ((one.id, other.id) for one in here for other in here if one.side != other.side)


ADDRESSES = (
    Address("<who>.ac", attack.armour, says="the armour class", wants=_wants_ac, rule=_set_ac),
    Address("<who>.aac0", _aac0, says="the roll needed against armour class 0", fixed="it stands on the sheet"),
    Address(
        "<who>.need.<target>",
        attack.need,
        says="what somebody needs to hit another",
        wants=a_number,
        until="round",
        places=_opponents,
    ),
    Address(
        "<who>.total",
        _of_last(attack.total_of),
        says="what the last attack roll comes to",
        fixed="it follows from the roll",
    ),
    Address(
        "<who>.hit", _of_last(attack.hit_of), says="whether the last attack roll hits", fixed="it follows from the roll"
    ),
    Address(
        "<who>.primary", attack.primary, says="the weapon of the primary attack", fixed="it follows from the attack"
    ),
    Address("<who>.room", _room, says="the feet of space that a weapon needs", fixed="it follows from the attack"),
    Address("<who>.attacks-as", attacks_as, says="the line that somebody attacks on", wants=a_word, also=other_names),
    Address("<who>.save-dice", save_dice, says="the hit dice for saves", wants=a_count),
    Address("<who>.overall-dice", overall_dice, says="the overall hit dice", wants=a_count),
    Address("<who>.morale", morale, says="the bonus to morale checks", wants=a_number),
    Address("<who>.melee", foes, says="with whom somebody is in melee", wants=_wants_melee, rule=set_melee),
    Address(
        "distance.<one>.<other>",
        distance,
        says="the feet between two squares",
        fixed="it follows from the squares",
        places=_pairs,
    ),
)
