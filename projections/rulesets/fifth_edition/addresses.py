"""The derived values that only the fifth edition has."""

from collections.abc import Callable, Iterator
from typing import Literal

from projections.address import NOTHING, Address, a_count, a_list_of_names, a_number_or_none
from projections.because import Because, Derived
from projections.folds import tallies
from projections.folds.effects import set_conditions, set_effects, stated_list
from projections.mechanics import tallies as marks
from projections.open_types import RulesState
from projections.rulesets.fifth_edition import (
    actions,
    advantage,
    casting,
    concentration,
    conditions,
    damage,
    death,
    figures,
    grappling,
    hit_points,
    mounts,
    movement,
    shapes,
    turns,
)
from projections.rulesets.fifth_edition.state import FifthState

FOLLOWS = "it follows from what was recorded"


def _flag_reader(field: str, rule: str) -> Callable[[FifthState, str], Derived[bool]]:
    def read(state: FifthState, who: str) -> Derived[bool]:
        if found := getattr(state, field).get(who):
            return Derived(True, found if isinstance(found, Because) else Because((rule,), (found,)))
        return Derived(False, Because((rule,), (state.combatants[who].joined,), state.why_over(field, who)))

    return read


def _casting_reader(field: Literal["dc", "attack"], rule: str) -> Callable[[FifthState, str], Derived[int] | None]:
    def read(state: FifthState, who: str) -> Derived[int] | None:
        one = state.combatants[who]
        found, _ = figures.casting_number(one, field)
        why = one.records("spellcasting", "abilities", "proficiency")
        return None if found is None else Derived(found, Because((rule,), why))

    return read


_spell_dc, _spell_attack = _casting_reader("dc", "spell.save-dc"), _casting_reader("attack", "spell.attack-bonus")


def _is_hidden(state: FifthState, who: str) -> Derived[bool]:
    found = conditions.has(state, who, "hidden")
    return Derived(found.value, Because(("act.hide-ends", "act.hide"), (state.combatants[who].joined,), (found,)))


def _helped_by(state: FifthState, who: str) -> Derived[str]:
    if found := next((each for each in state.helps.values() if each.against == who), None):
        return Derived(found.ally or "anybody", Because(("act.help",), (found.seq,), (found.asked,)))
    return Derived(NOTHING, Because(("act.help",), (state.combatants[who].joined,), state.why_over("helped", who)))


def _known_speed(state: FifthState, who: str) -> Derived[object] | None:
    found = conditions.speed(state, state.combatants[who])
    return None if found.value is None else found


def _death_saves(state: FifthState, who: str) -> Derived[str]:
    made, failed = (marks.count(state.tallies, who, name) for name in ("successes", "failures"))
    body, one = state.body(who), state.combatants[who]
    rules = tuple(dict.fromkeys((*body.why, "death-save.outcome")))
    return Derived(f"{made.value},{failed.value}", Because(rules, (one.joined,), (made, failed)))


def _fall_status(state: FifthState, who: str) -> Derived[str]:
    why = movement.why_falling(state, state.combatants[who])
    if why:
        return Derived("due", why)
    flies = conditions.has(state, who, "flying")
    down = movement.is_brought_down(state, who) if flies.value or who in state.airborne else ()
    of = (flies, *state.why_over("fall", who), *down)
    return Derived(NOTHING, Because(("move.flyer-falls",), (state.combatants[who].joined,), of))


def _who_has(read: Callable[[FifthState, str], object]) -> Callable[[RulesState], Iterator[tuple[str, ...]]]:
    """Return a function that yields the combatants of whom a value is known."""

    def places(state: RulesState) -> Iterator[tuple[str, ...]]:
        return ((who,) for who in state.combatants if read(state, who) is not None)

    return places


def _set_exhaustion(state: FifthState, who: str, value: int, seq: int) -> None:
    state.exhausted[who] = [(value, Because((), (seq,)))]


def _rule_conditions(state: FifthState, who: str, value: object, seq: int) -> None:
    """Set the conditions of a combatant by a ruling; those that are implied follow."""
    named = tuple(str(name) for name in stated_list(value))
    implied = {other for name in named for other in conditions.implied_conditions(state).get(name.casefold(), ())}
    kept = tuple(name for name in named if name.casefold() not in implied or name.casefold() == "prone")
    set_conditions(state, who, kept, seq)


ADDRESSES = (
    *tallies.ADDRESSES,
    Address("<who>.conditions", conditions.condition_names, says="the conditions of a combatant", bare=lambda state, who: sorted(conditions.borne_conditions(state, who)), wants=a_list_of_names, rule=_rule_conditions, blames=conditions.broken_clause),
    Address("<who>.effects", conditions.distinct_effect_names, says="the effects on a combatant", bare=conditions.bare_effect_names, wants=a_list_of_names, rule=set_effects),
    Address("<who>.initiative", turns.initiative, says="the total that gives a combatant its place", unit="a total of #", wants=a_number_or_none, rule=turns.set_initiative),
    Address("<who>.surprised", turns.is_surprised, says="whether a combatant is surprised", fixed=FOLLOWS),
    Address("<who>.speed", _known_speed, says="the walking speed after all changes", unit="# ft", fixed=FOLLOWS, places=_who_has(_known_speed)),
    Address("<who>.exhaustion", conditions.exhaustion_level, says="the level of exhaustion", unit="level #", wants=a_count, rule=_set_exhaustion, lasts=True, notable=True),
    Address("<who>.death-saves", _death_saves, says="successes and failures of death saves", fixed=FOLLOWS, tally="dying"),
    Address("<who>.death-save", death.owed_death_save, says="the death save that a combatant owes", fixed=FOLLOWS, owed=True),
    Address("<who>.concentration-saves", concentration.due_save_dcs, says="the saves for concentration that a combatant owes", fixed=FOLLOWS),
    Address("<who>.bloodied", hit_points.is_bloodied, says="whether half the hit points are gone", fixed=FOLLOWS, places=_who_has(hit_points.is_bloodied)),
    Address("<who>.ac", shapes.armor_class, says="the armor class on the sheet", unit="AC #", fixed="sheet_changed changes what a sheet says", places=_who_has(shapes.armor_class)),
    Address("<who>.form", shapes.shape_of, says="the other shape of a combatant", bare=lambda state, who: each[-1].name if (each := state.shapes.get(who)) else NOTHING, fixed=FOLLOWS, places=_who_has(shapes.shape_of), notable=True),
    Address("<who>.own-hp", shapes.own_points, says="the hit points to which a combatant returns from another shape", unit="# hp", fixed=FOLLOWS, places=_who_has(shapes.own_points), notable=True, label="own"),
    Address("<who>.dodging", _flag_reader("dodging", "act.dodge"), says="whether a combatant dodges", fixed=FOLLOWS),
    Address("<who>.disengaged", _flag_reader("disengaged", "act.disengage"), says="whether a combatant has disengaged in this turn", fixed=FOLLOWS),
    Address("<who>.hidden", _is_hidden, says="whether a combatant is hidden", fixed=FOLLOWS),
    Address("<who>.helped", _helped_by, says="the combatant that is helped against another", fixed=FOLLOWS),
    Address("<who>.held", actions.held_act, says="the act that a combatant holds ready", fixed=FOLLOWS, notable=True, label="holds"),
    Address("<who>.mount", mounts.mount_of, says="the mount of a combatant", fixed=FOLLOWS, notable=True, label="rides"),
    Address("<who>.fall", _fall_status, says="whether a flyer is due to fall", fixed=FOLLOWS),
    Address("<who>.fire", damage.due_fire_damage, says="the damage of fire that is due", fixed=FOLLOWS, owed=True),
    Address("<who>.recharge", casting.owed_recharge_dice, says="the dice that are due for spent powers", fixed=FOLLOWS, owed=True, places=lambda state: ((one.id,) for one in state.combatants.values() if casting.recharging_powers(one))),
    Address("<who>.openings", actions.foes_leaving_reach, says="the foes that have left a combatant's reach in this turn", fixed=FOLLOWS),
    Address("<who>.spell-dc", _spell_dc, says="the DC of a combatant's spells", unit="DC #", fixed=FOLLOWS, places=_who_has(_spell_dc)),
    Address("<who>.spell-attack", _spell_attack, says="the bonus of a combatant's spell attacks", fixed=FOLLOWS, places=_who_has(_spell_attack)),
    Address("<who>.grapple-dc", grappling.grapple_dc, says="the DC of a combatant's grapples", unit="DC #", fixed=FOLLOWS, places=_who_has(grappling.grapple_dc)),
    Address("<number>.advantage", lambda state, number: advantage.advantage_of_roll(state, int(number)), says="the state of a roll by what is recorded", fixed=FOLLOWS, places=lambda state: ((str(seq),) for seq in state.influences)),
)  # fmt: skip
"""The addresses of the fifth edition."""
