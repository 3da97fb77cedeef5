"""The content of a combat_state_update: places, names, hit points, effects with remaining durations, turn and round."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from encounterlog.importers.fireball.printed import Printed, PrintedList
from encounterlog.importers.fireball.words import clean, objects, whole, word
from encounterlog.lineups.stat_blocks.prose import DAMAGE_TYPES


class ShownEffect(NamedTuple):
    """One effect as the state shows it, with the bot's own ids."""

    key: str
    name: str
    bearer: str
    duration: int | None
    end_round: int | None
    at_end: bool
    of: str
    concentration: bool
    parent: str
    rest: int | None
    raises_hp_max: bool = False
    resists: tuple[str, ...] = ()


class ShownCombatant(NamedTuple):
    """One combatant as the state shows it, with the bot's own id.

    `initiative` is that of the place; `own` that of the combatant, which may differ in a `group` ("" for none). `block` is
    the stat block.
    """

    key: str
    name: str
    kind: str
    hp: int | None
    hp_max: int | None
    temp: int
    ac: int | None
    initiative: int
    own: int
    group: str
    bonus: int | None
    controller: str
    effects: list[ShownEffect]
    block: dict[str, Any]

    def has_effect(self, effect: str) -> bool:
        """Say whether an effect with this name, in the log's form, is on the combatant."""
        return effect in [word(one.name) for one in self.effects]


class Snapshot(NamedTuple):
    """One state: slots of combatants who act together, in initiative order, their titles, and whose turn it is.

    `unplaced` says what the state shows that belongs to nobody in it.
    """

    slots: list[list[ShownCombatant]]
    titles: list[str]
    current: int | None
    round: int
    unplaced: list[str]

    @property
    def combatants(self) -> list[ShownCombatant]:
        """List everybody in initiative order."""
        return [one for slot in self.slots for one in slot]


class Unclear(ValueError):
    """The error that a state lacks what every state has."""


def read_snapshot(body: dict[str, Any]) -> Snapshot:
    """Read a combat_state_update; raises Unclear with a sentence."""
    data = body["data"]
    listed = objects(data.get("combatants"))
    if listed != data.get("combatants"):
        raise Unclear("the state has no list 'combatants'")
    number, current = whole(data.get("round")), whole(data.get("current"))
    if number is None or number < 0:
        raise Unclear("the state has no whole number 'round'")
    if current is not None and not 0 <= current < len(listed):
        raise Unclear("the state's 'current' points outside of its combatants")
    places = {str(each.get("id")): place for place, one in enumerate(listed) for each in _all(one)}
    printed = PrintedList(clean(body["human_readable"]))
    slots = [_slot(top, printed) for top in listed]
    shown = [slot for slot in slots if slot]
    turn = None if current is None or not slots[current] else shown.index(slots[current])
    titles = [clean(str(top.get("name"))) for top, slot in zip(listed, slots, strict=True) if slot]
    unplaced = printed.left_over()
    return Snapshot(_counted(shown, _Clock(number, current, places)), titles, turn, number, unplaced)


def _slot(top: dict[str, Any], printed: PrintedList) -> list[ShownCombatant]:
    if top.get("type") == "group":
        printed.skip(clean(str(top.get("name"))))
    return [_combatant(one, top, printed) for one in _members(top)]


class _Clock(NamedTuple):
    round: int
    current: int | None
    places: dict[str, int]

    def left(self, effect: ShownEffect) -> int | None:
        """Count the turns of its combatant until an effect is over, like the bot; an overdue one ends with the next."""
        if effect.end_round is None:
            return effect.rest
        place = self.places.get(effect.of, self.places.get(effect.bearer, -1))
        ticked = self.current is None or (self.current > place if effect.at_end else self.current >= place)
        return max(effect.end_round - self.round + (0 if ticked else 1), 1)


def _members(one: dict[str, Any]) -> list[dict[str, Any]]:
    if one.get("type") != "group":
        return [one]
    return objects(one.get("combatants"))


def _all(one: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield one
    if one.get("type") == "group":
        yield from _members(one)


def _combatant(one: dict[str, Any], place: dict[str, Any], printed: PrintedList) -> ShownCombatant:
    name, key, initiative = one.get("name"), one.get("id"), whole(place.get("init"))
    if not isinstance(name, str) or not isinstance(key, str) or initiative is None:
        raise Unclear("a combatant of the state lacks 'name', 'id' or a whole number 'init'")
    seen = printed.take(clean(name))
    if seen is None and "hp" not in one:
        printed.unclear.append(f"has no line for {clean(name)} in its list, and no hit points besides")
    said = seen or Printed()
    return ShownCombatant(
        key=key,
        name=clean(name),
        kind=str(one.get("type")),
        hp=_either(said.hp, one.get("hp")),
        hp_max=_either(said.hp_max, one.get("max_hp")),
        temp=max(_either(said.temp, one.get("temp_hp")) or 0, 0),
        ac=_either(said.ac, one.get("ac")),
        initiative=initiative,
        own=_either(whole(one.get("init")), initiative) or 0,
        group="" if place is one else clean(str(place.get("name"))),
        bonus=initiative_bonus(one) if place is one else _group_bonus(place),
        controller=str(one.get("controller_id")),
        effects=[found for each in effects_of(one) if (found := read_effect(each, key))],
        block=block_of(one),
    )


def _either(said: int | None, stored: object) -> int | None:
    """Return the printed value, else the stored one: a character's own points are only in the list."""
    return said if said is not None else whole(stored)


def initiative_bonus(one: dict[str, Any]) -> int | None:
    """Return the initiative modifier of a stat block, if it has one."""
    skills = one.get("skills")
    skill = skills.get("initiative") if isinstance(skills, dict) else None
    return whole(skill.get("value")) if isinstance(skill, dict) else None


def block_of(one: dict[str, Any]) -> dict[str, Any]:
    """Return the stat block of a combatant; empty where it has none."""
    found = one.get("block")
    return found if isinstance(found, dict) else {}


def _group_bonus(group: dict[str, Any]) -> int | None:
    """Return a group's modifier, as the bot does: that of its kind of monster, none for mixed groups."""
    members = _members(group)
    kinds = {str(one.get("monster_name")) for one in members}
    same = len(kinds) == 1 and all(one.get("type") == "monster" for one in members)
    return initiative_bonus(members[0]) if same else 0


def effects_of(one: dict[str, Any]) -> list[dict[str, Any]]:
    """List the effects of a stat block; empty where it has none."""
    return objects(one.get("effects"))


def read_effect(one: dict[str, Any], bearer: str) -> ShownEffect | None:
    """Read an effect in either form that the bot has had (end_round, or remaining)."""
    name = one.get("name")
    if not isinstance(name, str):
        return None
    parent = one.get("parent")
    at_end = one.get("end_on_turn_end", one.get("ticks_on_end", one.get("tonend", False)))
    return ShownEffect(
        key=str(one.get("id", f"{bearer} {name}")),
        name=clean(name),
        bearer=bearer,
        duration=_count(one.get("duration"), least=0),
        end_round=whole(one.get("end_round")),
        at_end=bool(at_end),
        of=str(one.get("tick_on_combatant_id") or bearer),
        concentration=bool(one.get("concentration")),
        parent=str(parent.get("effect_id", "")) if isinstance(parent, dict) else "",
        rest=_count(one.get("remaining")),
        raises_hp_max=_raises_hp_max(one),
        resists=_resists(one),
    )


def _raises_hp_max(one: dict[str, Any]) -> bool:
    found = one.get("effects", one.get("effect"))
    return isinstance(found, dict) and any(name in found for name in ("max_hp_value", "max_hp_bonus", "maxhp"))


def _resists(one: dict[str, Any]) -> tuple[str, ...]:
    """Return the types of damage that an effect lets its bearer resist, without those that have a condition."""
    found = one.get("effects")
    listed = objects(found.get("resistances")) if isinstance(found, dict) else []
    plain = [str(each.get("dtype")).casefold() for each in listed if not each.get("unless") and not each.get("only")]
    return tuple(dict.fromkeys(name for name in plain if name in DAMAGE_TYPES))


def _count(value: object, least: int = 1) -> int | None:
    """Return a number of rounds; below 0 means without end, and 0 until the next turn, mostly like 1."""
    found = whole(value)
    return None if found is None or found < 0 else max(found, least)


def _counted(slots: list[list[ShownCombatant]], clock: _Clock) -> list[list[ShownCombatant]]:
    """Count what is left of each effect; a child has its own count, but still ends with its parent."""

    def counted(one: ShownCombatant) -> ShownCombatant:
        return one._replace(effects=[each._replace(rest=clock.left(each)) for each in one.effects])

    return [[counted(one) for one in slot] for slot in slots]
