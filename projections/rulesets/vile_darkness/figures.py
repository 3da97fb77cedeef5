"""Addresses of the numbers of a fight: armour class, AAC0, needs, rolls, hit dice, melee, distances."""

from collections.abc import Callable
from itertools import combinations, permutations

from msgspec import structs

from projections.address import NOTHING, a_count, a_list_of_names, a_number, a_word, is_number
from projections.because import Because, Derived
from projections.folds.effects import listed
from projections.open_types import Json
from projections.rulesets.vile_darkness import attack
from projections.rulesets.vile_darkness.grid import room
from projections.rulesets.vile_darkness.hit_dice import attacks_as, morale, other_names, overall_dice, save_dice
from projections.rulesets.vile_darkness.melee import foes, set_melee
from projections.rulesets.vile_darkness.place import expected
from projections.rulesets.vile_darkness.space import distance
from projections.rulesets.vile_darkness.state import AttackRoll, VileState
from projections.rulesets.vile_darkness.table import ATTACKS, described


def _set_ac(state: VileState, who: str, value: int, seq: int) -> None:
    state.lost.pop(who, None)
    gained = [*attack.changes(state, who), *attack.ruled(state, who, attack.AC)]
    one = state.combatants[who]
    one.sheet = structs.replace(one.sheet, ac=value + sum(each.amount for each in gained))
    one.changed["ac"] = seq


def _aac0(state: VileState, who: str) -> Derived[object]:
    sheet = state.combatants[who].sheet
    value = f"{sheet.aac0}*" if sheet.aac0_starred else sheet.aac0
    rule = "attack.aac0-starred" if sheet.aac0_starred else "attack.aac0"
    return Derived(value, Because((rule,), state.combatants[who].records("aac0", "aac0_starred")))


def _of_last(derive: Callable[[VileState, AttackRoll], Derived[object]]) -> Callable[[VileState, str], Derived[object]]:
    """Return a function that reads a value of a combatant's last attack roll."""

    def read(state: VileState, who: str) -> Derived[Json]:
        rolls = [each for each in state.round.rolls.values() if each.who == who]
        found = derive(state, rolls[-1]) if rolls else None
        opened = state.round.opened or state.combatants[who].joined
        none = Derived(NOTHING, Because(attack.total_of.rules, (opened,)))
        return found if found and found.value is not None else none

    return read


def _room(state: VileState, who: str) -> Derived[int]:
    blows = [each for each in state.round.acts_of.get(who, ()) if each.kind in ATTACKS]
    return room(state, blows[-1] if blows else expected(state, state.combatants[who]))


def _wants_melee(state: VileState, who: str, value: object) -> str:
    wanted = a_list_of_names(state, who, value)
    return wanted or ("those who have joined" if {*listed(value)} - state.combatants.keys() else "")


ON_THE_SCALE = "a number from -10 to 10"
ADDRESSES = (
    described(
        "<who>.ac",
        attack.armour,
        wants=lambda _s, _w, ac: "" if is_number(ac) and ac == attack.on_the_scale(ac) else ON_THE_SCALE,
        rule=_set_ac,
    ),
    described("<who>.aac0", _aac0),
    described(
        "<who>.need.<target>",
        attack.need,
        wants=a_number,
        places=lambda s: ((one.id, other.id) for one, other in permutations(s.here(), 2) if one.side != other.side),
    ),
    described("<who>.total", _of_last(attack.total_of)),
    described("<who>.hit", _of_last(attack.hit_of)),
    described("<who>.primary", attack.primary),
    described("<who>.room", _room),
    described("<who>.attacks-as", attacks_as, wants=a_word, also=other_names),
    described("<who>.save-dice", save_dice, wants=a_count),
    described("<who>.overall-dice", overall_dice, wants=a_count),
    described("<who>.morale", morale, wants=a_number),
    described("<who>.melee", foes, wants=_wants_melee, rule=set_melee),
    described("distance.<one>.<other>", distance, places=lambda state: combinations(sorted(state.squares), 2)),
)
