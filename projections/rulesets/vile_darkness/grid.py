"""Late checks of space: distances and ranges, shared squares, room for a weapon, positioning steps."""

from collections.abc import Callable
from typing import Any

from eventstore.events import ActionTaken, AttackRolled, EffectStarted, Moved
from projections.because import Because, Derived
from projections.mechanics.squares import between, legs
from projections.rulesets.ruleset import Breach, Check, check, derives
from projections.rulesets.vile_darkness.blows import of_rolls
from projections.rulesets.vile_darkness.disturbances import disturb
from projections.rulesets.vile_darkness.late import of_acts
from projections.rulesets.vile_darkness.place import is_blow
from projections.rulesets.vile_darkness.reading import Reading
from projections.rulesets.vile_darkness.space import apart, feet, feet_of, in_the_fight, is_restricted, open_squares
from projections.rulesets.vile_darkness.state import Act, Roll, VileState
from projections.rulesets.vile_darkness.table import (
    ATTACKS,
    POSITIONING,
    entry_of,
    other_major,
    row_of,
    weapon_of,
    weapons_in,
)
from projections.rulesets.vile_darkness.weights import is_granted

ROOM = 4
"""Feet of space up to which a weapon is never limited."""

# ---------------------------------------------------------------- what is kept


@derives("grid.distance-between-centers", on=(ActionTaken, AttackRolled, EffectStarted))
def scene_is_kept(state: VileState, fact: Reading) -> None:
    """Keep who stands where as somebody does something, or as something takes effect."""
    there = {one.id for one in state.combatants.values() if in_the_fight(one)}
    state.round.scenes[fact.seq] = {who: square for who, square in state.squares.items() if who in there}


@derives("grid.ally-passing-breaks-concentration", on=Moved)
def allies_jostle(state: VileState, fact: Reading) -> None:
    """Disturb somebody who goes through the squares of allies, and these; by option also one who stays in such a square."""
    event: Moved = fact.event
    rule, path, side = allies_jostle.rules[0], event.path, state.combatants[event.combatant].side
    through = {sq for here, leg in zip(path, legs(path), strict=False) for sq in between(here, leg)} | {*path[1:-1]}
    allies = [one for one in state.combatants.values() if one.side == side and one.id != event.combatant]
    own = [one.id for one in allies if in_the_fight(one)]
    met = [who for who in own if state.squares.get(who) in through]
    staying = [who for who in own if state.squares.get(who) in path[-1:]]
    options = state.chosen("squeezing-in") if staying else {}
    met += staying if state.option("squeezing-in") == "jostles" else []
    for who in (event.combatant, *met) if met else ():
        disturb(state, who, fact, rule, options)


# ---------------------------------------------------------------- distances


def of_ways(rule: str, rank: int, is_why: Callable[[bool], bool]) -> Check[[VileState, Reading]]:
    """Return a check of how long a way is recorded to be; a predicate says for which, straight or askew, this rule is."""

    def wrong_length(state: VileState, fact: Reading) -> Breach | None:
        event: Moved = fact.event
        due, said = feet(state, event), feet_of(event.distance) if event.distance else None
        if said is None or not is_why(any(0 not in leg for leg in legs(event.path))) or not _differ(due, said):
            return None
        return Breach(f"the way is {due:g} ft long", f"{due:g} ft", f"{said:g} ft")

    wrong_length.__name__ = f"length by {rule}"
    return check(rule, on=Moved, group="distance", rank=rank)(wrong_length)


STRAIGHT = of_ways("grid.square-five-feet", 1, lambda askew: not askew)
ASKEW = of_ways("grid.distance-between-centers", 2, lambda askew: askew)


def _differ(one: float, other: float) -> bool:
    """Say whether two distances differ by a foot or more."""
    return abs(one - other) >= 1


@check("grid.distance-between-centers", on=EffectStarted, group="distance", rank=3)
def a_spell_reaches_as_far_as_it_does(state: VileState, fact: Reading) -> Breach | None:
    event, scene, who = fact.event, state.round.scenes.get(fact.seq, {}), fact.who
    entry = entry_of(state, who, event.effect)
    most = entry.range if entry and isinstance(entry.range, int) else 0
    said = {aim.target or next(iter(event.targets), ""): feet_of(aim.distance) for aim in event.aim if aim.distance}
    for target in event.targets:
        known = [each for each in (_apart(state, scene, who, target), said.get(target)) if each is not None]
        if known and _differ(known[0], known[-1]):
            return Breach(f"{target} is {known[0]:g} ft away", f"{known[0]:g} ft", f"{known[-1]:g} ft")
        if known and most and known[0] > most:
            return _too_far(target, known[0], event.effect, most)
    return None


@of_rolls("grid.distance-between-centers", 4, group="distance")
def a_missile_flies_as_far_as_it_does(state: VileState, fact: Reading, roll: Roll) -> Breach | None:
    away = _apart(state, state.round.scenes.get(fact.seq, {}), roll.who, roll.target)
    most = max((each.range or 0 for each in weapons_in(state, roll.who, roll.name)), default=0)
    if away is None or not most or away <= most:
        return None
    return _too_far(roll.target, away, roll.name, most, ("range", roll.act.seq))


def _too_far(target: str, away: float, what: str, most: int, once: tuple[Any, ...] = ()) -> Breach:
    return Breach(f"{target} is {away:g} ft away, {what} reaches {most} ft", f"{most} ft", f"{away:g} ft", once=once)


def _apart(state: VileState, scene: dict[str, tuple[int, int]], one: str, other: str) -> float | None:
    return apart(state, scene[one], scene[other]) if one in scene and other in scene else None


# ---------------------------------------------------------------- shared squares, room for weapons


SMALL = ("tiny", "very small", "shares its square", "fights in a crowd")
"""The entries of a sheet that let somebody fight from a shared square."""


def is_excepted(state: VileState, who: str) -> bool:
    """Say whether somebody may fight from a square that it shares: tiny, or with an ability for it."""
    entries = state.combatants[who].sheet.entries
    return any(word.casefold() in SMALL for each in entries for word in (each.name, *each.attributes))


@of_acts("grid.no-combat-in-one-square", "space", 1)
def nobody_fights_from_a_shared_square(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    scene = state.round.scenes.get(act.seq, {})
    sharing = [who for who, square in scene.items() if square == scene.get(act.who) and who != act.who]
    if act.kind not in ATTACKS or is_excepted(state, act.who):
        return None
    if state.option("shared-square") == "no-fight-within-it":
        sharing = [who for who in sharing if who in _targets(state, act) and not is_excepted(state, who)]
    if not sharing or is_granted(state, act, "grid.no-combat-in-one-square"):
        return None
    events = tuple(state.stood[who] for who in (act.who, *sharing))
    return Breach(f"{act.who} shares its square with {' and '.join(sharing)}", "a square of its own", "shared", events)


def _targets(state: VileState, act: Act) -> set[str]:
    return {*act.action.targets, *(roll.target for roll in state.round.rolls.values() if roll.act.seq == act.seq)}


@derives("weapon.mode-space", "weapon.open-square")
def room(state: VileState, act: Act) -> Derived[int]:
    """Return the feet of space that a weapon needs in the way in which it is used."""
    mode, open_square = room.rules
    weapon = weapon_of(state, act)
    space = weapon.space if weapon else 0
    events = state.combatants[act.who].records("weapons")
    if isinstance(space, int):
        return Derived(space, Because((open_square,), events))
    manners, least = {each.casefold() for each in act.action.manner}, min(space.values(), default=0)
    needed = max((feet for manner, feet in space.items() if manner.casefold() in manners), default=least)
    return Derived(needed, Because((mode,), (*events, act.seq) if needed != least else events))


def _is_cramped(state: VileState, act: Act) -> Derived[int] | None:
    """Return the space that an attack needs where there is none; None where there is enough."""
    needed = room(state, act)
    if not is_blow(state, act) or needed.value <= ROOM:
        return None
    if act.square is None or not is_restricted(state, act.square) or open_squares(state, act.seq, act.square):
        return None
    return None if is_granted(state, act, "weapon.open-square") else needed


@of_acts("weapon.mode-space", "room", 1)
def each_mode_needs_its_space(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    needed = _is_cramped(state, act)
    return _cramped(act, needed) if needed and "weapon.mode-space" in needed.because.rules else None


@of_acts("weapon.open-square", "room", 2)
def a_long_weapon_needs_an_open_square(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    needed = _is_cramped(state, act)
    return _cramped(act, needed) if needed else None


def _cramped(act: Act, needed: Derived[int]) -> Breach:
    says = f"{needed.value} ft for this weapon, and no open square next to {act.who}"
    return Breach(says, "an open square", "none", (act.seq,))


# ---------------------------------------------------------------- positioning steps


def is_step(state: VileState, act: Act) -> bool:
    """Say whether an act is a positioning step."""
    return row_of(state, act).type == "positioning"


@of_acts("movement.positioning-not-in-melee", "step", 1)
def nobody_positions_in_melee(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    foes = state.round.engaged.get(act.seq, ())
    if not is_step(state, act) or not foes:
        return None
    return Breach(f"{act.who} is in melee with {' and '.join(foes)}", "no positioning", "a step", (act.seq,))


@of_acts("movement.positioning-after-major", "step", 2)
def a_step_follows_the_major_action(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    majors = [each.seq for each in other_major(state, act)]
    if not is_step(state, act) or any(state.precedes(seq, act.seq) for seq in majors):
        return None
    return Breach(f"{act.who} steps before its major action", "after it", "before it", (act.seq, *majors))


@of_acts("movement.positioning-ten-feet", "step", 3)
def steps_come_to_ten_feet(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    own = [
        each for each in state.round.acts_of[act.who] if not state.precedes(act.seq, each.seq) and is_step(state, each)
    ]
    total = sum(each.feet for each in own)
    if not is_step(state, act) or total <= POSITIONING:
        return None
    return Breach(f"{act.who} steps {total:g} ft", f"{POSITIONING} ft a round", f"{total:g} ft", (own[0].seq,))
