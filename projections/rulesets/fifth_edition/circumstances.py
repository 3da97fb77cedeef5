"""Squares, spaces, distances and terrain; of an attack, the act behind it, its manner, distance, sight and cover."""

from collections.abc import Iterator, Sequence

from msgspec import convert

from eventstore import events
from eventstore.shapes import Square
from projections.fight import Combatant
from projections.mechanics.squares import FARTHEST, TILE, legs, steps
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.conditions import carries, has_flag
from projections.rulesets.fifth_edition.rolls import cover_number, modifiers_named
from projections.rulesets.fifth_edition.sheet import Weapon
from projections.rulesets.fifth_edition.srd import sheets
from projections.rulesets.fifth_edition.state import Deed, FifthState, Rolled
from projections.rulesets.fifth_edition.table import COVERS, SPACES

LONG_REACH = 10
"""The reach of a weapon with the property reach, in feet."""


@derives("move.grid", on=(events.Placed, events.Moved), phase="reading")
def keep_position(state: FifthState, fact: Occurrence[events.Placed] | Occurrence[events.Moved]) -> None:
    """Keep the square in which a combatant stands, and its opponents in melee."""
    event, who = fact.event, fact.event.combatant
    if isinstance(event, events.Placed):
        if event.square:
            state.squares[who] = event.square, fact.seq
        state.engaged[who] = event.engaged
    elif event.path:
        state.squares[who] = event.path[-1], fact.seq


@derives("move.difficult-terrain", "water.fire", on=events.TerrainSet, phase="reading")
def keep_terrain(state: FifthState, fact: Occurrence[events.TerrainSet]) -> None:
    """Keep the terrain of some squares, or of all."""
    found = state.terrain.setdefault(fact.event.terrain.casefold(), {})
    for square in fact.event.squares or (None,):
        found[square] = fact.seq


def walked_squares(path: Sequence[Square]) -> list[Square]:
    """Return every square of a path; between two recorded squares the diagonal steps come first."""
    found = list(path[:1])
    for there, leg in zip(path[1:], legs(path), strict=True):
        found += [there] if steps(leg) > FARTHEST else []
        while found[-1] != tuple(there):
            here = found[-1]
            across, down = there[0] - here[0], there[1] - here[1]
            found.append((here[0] + (across > 0) - (across < 0), here[1] + (down > 0) - (down < 0)))
    return found


def square_of(state: FifthState, who: str) -> tuple[Square, int] | None:
    """Return the square of a combatant, with the record; a rider is where its mount is."""
    return state.squares.get(mount_or_self(state, who))


def mount_or_self(state: FifthState, who: str) -> str:
    """Return the mount of a rider, if its square is recorded, else the combatant itself."""
    mount = state.mounts.get(who)
    return mount.who if mount and mount.who in state.squares else who


def squares_by_combatant(state: FifthState) -> dict[str, Square]:
    """Return the squares of the combatants."""
    return {who: found[0] for who in state.combatants if (found := square_of(state, who))}


def footprint(one: Combatant, square: Square) -> list[Square]:
    """Return the squares that a combatant takes up, from the one with the lowest column and row."""
    side = range(SPACES.get((one.sheet.size or "").casefold(), 1))
    return [(square[0] + across, square[1] + down) for across in side for down in side]


def apart(state: FifthState, one: str, other: str, at: Square | None = None, there: Square | None = None) -> int | None:
    """Return the feet between the nearest squares of two combatants; None if a square is unknown."""
    mine, other_square = square_of(state, one), square_of(state, other)
    here = at or (mine[0] if mine else None)
    to = there or (other_square[0] if other_square else None)
    if here is None or to is None:
        return None
    own = footprint(state.combatants[mount_or_self(state, one)], here)
    others = footprint(state.combatants[mount_or_self(state, other)], to)
    return TILE * min(steps((a[0] - b[0], a[1] - b[1])) for a in own for b in others)


def distances_along(state: FifthState, who: str, mover: str, path: Sequence[Square]) -> list[int]:
    """Return the known feet between a combatant and a mover, for each square of its path."""
    feet = (apart(state, who, mover, None, square) for square in walked_squares(path))
    return [each for each in feet if each is not None]


def placings(state: FifthState, *those: str) -> tuple[int, ...]:
    """Return the records of these combatants' squares, with those of their mounting."""
    ridden = tuple(state.mounts[who].seq for who in those if mount_or_self(state, who) != who)
    return (*ridden, *(found[1] for who in those if (found := square_of(state, who))))


def is_within_five_feet(state: FifthState, one: str, other: str, at: Square | None = None) -> bool | None:
    """Say whether two combatants are within 5 feet of one another; None if that is unknown."""
    feet = apart(state, one, other, None, at)
    if feet is not None:
        return feet <= TILE
    return True if other in state.engaged.get(one, ()) or one in state.engaged.get(other, ()) else None


def reach(one: Combatant, weapon: Weapon | None = None) -> int:
    """Return the feet that a combatant reaches in melee."""
    with_reach = LONG_REACH if figures.has_property(weapon, "reach") else None
    feet: list[int] = [TILE, *filter(None, (weapon.reach if weapon else None, with_reach, one.sheet.reach))]
    return max(feet)


def terrain_records(state: FifthState, word: str, square: Square | None) -> tuple[int, ...]:
    """Return the record that gave a square, or without one the whole field, such terrain; none if it has none."""
    found = state.terrain.get(word, {})
    seq = found.get(square, found.get(None))
    return (seq,) if seq else ()


def is_under_water(state: FifthState, who: str) -> tuple[int, ...]:
    """Return the records that put a combatant under water; none if it is not."""
    found = square_of(state, who)
    terrain = terrain_records(state, "underwater", found[0] if found else None)
    marks = tuple(e.seq for e in state.conditions.values() if e.bearer == who and e.called == "underwater")
    medium = (state.in_water[who],) if who in state.in_water else ()
    return terrain or marks or medium


@derives("water.melee", on=events.Moved, phase="reading")
def enter_or_leave_water(state: FifthState, fact: Occurrence[events.Moved]) -> None:
    """Keep whether a combatant is in water, if its move names a medium."""
    medium = (fact.event.medium or "").casefold()
    if medium in ("water", "underwater"):
        state.in_water[fact.event.combatant] = fact.seq
    elif medium:
        state.in_water.pop(fact.event.combatant, None)


def others_in(state: FifthState, who: str, squares_: Sequence[Square]) -> Iterator[str]:
    """Yield the living combatants in one of these squares, without the combatant itself, its mount, and riders."""
    mount = state.mounts.get(who)
    own = (who, mount.who) if mount else (who,)
    for other in state.combatants.values():
        found = square_of(state, other.id)
        if other.id in own or other.left or other.status == "dead" or found is None or other.id in state.mounts:
            continue
        if set(footprint(other, found[0])) & set(squares_):
            yield other.id


def deed_behind(state: FifthState, cause: int) -> Deed | None:
    """Return the act behind a roll or damage: its cause, or the cause of that roll."""
    rolled = state.rolled.get(cause)
    return rolled.deed if rolled else state.deeds.get(state.cause_of.get(cause, cause))


def roll_behind(state: FifthState, fact: Occurrence[events.DamageDealt]) -> Rolled | None:
    """Return the attack roll behind damage: its cause, else the last roll of the act behind it at the same target."""
    if rolled := state.rolled.get(fact.cause):
        return rolled
    deed = deed_behind(state, fact.cause)
    own = (state.rolled[seq] for seq in reversed(state.rolls_of.get(deed.seq, []) if deed else []))
    return next((each for each in own if each.target == fact.event.target), None)


def target_of(event: events.AttackRolled) -> str:
    """Return the target of an attack roll; "" if it names none."""
    return event.target or ""


@derives("death-save.damage", "condition.automatic-critical", "prone.attacks")
def is_near(state: FifthState, fact: Occurrence[events.AttackRolled]) -> bool | None:
    """Say whether an attack comes from within 5 feet, by squares or, by option, as a melee attack; None if unknown."""
    event, deed = fact.event, deed_behind(state, fact.cause)
    who, whom = event.combatant, target_of(event)
    near = is_within_five_feet(state, who, whom, square_of_provocation(state, deed, who, whom))
    if near is not None or state.option("within-five") == "recorded":
        return near
    manner, weapon = manner_of(state, event, deed), weapon_used(state, event, deed)
    melee = deed is None or bool(manner & {"melee", "unarmed", "offhand"})
    if not melee and not manner:
        listed = sheets.weapon_fields(event.name or (deed.action.name if deed else None) or "", state.edition)
        weapon = weapon or (convert(listed, Weapon) if "dice" in listed else None)
        melee = weapon is not None and not weapon.range and (weapon.reach or weapon.properties) is not None
    return True if melee and reach(state.combatants[who], weapon) <= TILE else None


def can_see(state: FifthState, who: str, whom: str) -> bool:
    """Say whether a combatant can see another, by all that is recorded."""
    unseen = has_flag(state, who, "blind") or has_flag(state, whom, "unseen")
    return not (unseen or carries(state, whom, "hidden"))


def manner_of(state: FifthState, event: events.AttackRolled, deed: Deed | None) -> frozenset[str]:
    """Return the manner of an attack by its act; a spell's is `spell`, unless its range is touch."""
    if deed is None:
        return frozenset()
    if deed.kind == "cast":
        entry = figures.spell_entry(state, state.combatants[event.combatant], deed.action)
        touch = entry is not None and entry.range == "touch"
        return frozenset() if touch else frozenset({"spell"})
    return deed.manner


def foes_near(state: FifthState, one: Combatant) -> Iterator[str]:
    """Yield the foes of a combatant within 5 feet that see it and are not incapacitated."""
    for other in state.combatants.values():
        if other.side != one.side and not other.left and other.status not in ("dead", "down"):
            unable = has_flag(state, other.id, "no_acts") or not can_see(state, other.id, one.id)
            if not unable and is_within_five_feet(state, one.id, other.id):
                yield other.id


def square_of_provocation(state: FifthState, deed: Deed | None, who: str, whom: str) -> Square | None:
    """Return the square in which a mover, or its rider, met the attack that it provoked; None for its present one."""
    if deed is None or deed.cost == "held" or deed.trigger not in state.moves:
        return None
    mover, stride = state.moves[deed.trigger]
    mount = state.mounts.get(whom)
    if mover not in (whom, mount and mount.who):
        return None
    one = state.combatants[who]
    most = reach(one, figures.weapon_of(one, deed.action.name))
    way = [(square, apart(state, who, whom, None, square)) for square in walked_squares(stride.path)]
    near = [square for square, feet in way if feet is not None and feet <= most]
    return near[-1] if near else None


def distance(state: FifthState, deed: Deed | None, who: str, whom: str) -> int | None:
    """Return the feet from an attacker to its target."""
    return apart(state, who, whom, None, square_of_provocation(state, deed, who, whom))


def weapon_used(state: FifthState, event: events.AttackRolled, deed: Deed | None) -> Weapon | None:
    """Return the weapon of an attack, by its own name or that of its act; None if the sheet lists no such weapon."""
    return figures.weapon_of(state.combatants[event.combatant], event.name or (deed.action.name if deed else None))


def range_breach(whom: str, feet: int, most: int, events: tuple[int, ...]) -> Breach:
    """Return the breach if a target is farther away than the most feet allowed."""
    return Breach(f"{whom} is {feet} feet away", f"{most} ft", f"{feet} ft", events)


@derives("cover.bonus")
def cover_bonus(state: FifthState, event: events.AttackRolled, deed: Deed | None) -> int:
    """Return the number that cover adds to a target's AC: the highest that a modifier or an aim names."""
    stated = [cover_number(each.name) for each in event.modifiers]
    begun = [state.begun[seq] for seq in state.aimed.get(deed.seq, ())] if deed else []
    aims = [aim.cover for each in begun for aim in each.aim if aim.target in (None, event.target)]
    stated += [row.ac for each in aims for row in COVERS.values() if each is not None and each >= row.percent]
    return max(stated, default=0)


@derives("cover.total", "cover.bonus", on=events.EffectStarted, phase="effects")
def keep_effect(state: FifthState, fact: Occurrence[events.EffectStarted]) -> None:
    """Keep the record of an effect, and its act."""
    state.begun[fact.seq] = fact.event
    state.aimed.setdefault(fact.cause, []).append(fact.seq)


@check("cover.total", on=(events.AttackRolled, events.EffectStarted))
def nothing_reaches_behind_total_cover(
    _state: FifthState, fact: Occurrence[events.AttackRolled | events.EffectStarted]
) -> Breach | None:
    event = fact.event
    if isinstance(event, events.AttackRolled):
        wrong = bool(modifiers_named(event.modifiers, "total cover"))
        return Breach(f"{event.target} is behind total cover", "no attack", "one") if wrong else None
    if len(event.targets) != 1:
        return None
    wrong = any((aim.line or "").casefold() == "blocked" and aim.target in (None, *event.targets) for aim in event.aim)
    return Breach(f"the line to {event.targets[0]} is blocked", "a clear path", "none") if wrong else None
