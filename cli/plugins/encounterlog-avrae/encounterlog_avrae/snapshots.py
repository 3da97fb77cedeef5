"""The content of a combat_state_update: places, names, points, effects with remaining durations, turn and round; and stat blocks as sheets."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from encounterlog.importers.words import as_object, list_objects, make_word, normalize_text, parse_whole_number
from encounterlog.importers.writing import Event
from encounterlog.lineups.prose import DAMAGE_TYPES
from encounterlog_avrae.printed import Printed, PrintedList, damage_type
from projections.rulesets.fifth_edition.figures import ABILITIES

Block = dict[str, Any]

CREATURES = {"player": "character", "monster": "monster"}
"""The kinds of combatants that the bot has stat blocks of; those that were typed in have one of tens and noughts."""

_DEFENCES = {"resistances": "resist", "vulnerabilities": "vuln", "immunities": "immune"}
_ATTACK = re.compile(r"^\s*(?P<dice>\d+d\d+)?[^\[\]]*(?:\[(?P<note>[^\[\]]*)\])?\s*$")


def sheet_of(kind: str, block: Block) -> Event:
    """Return the sheet of a stat block, for a kind of combatant; nothing for a kind that has none."""
    if kind not in CREATURES:
        return {}
    numbers, saves, book = (as_object(block.get(name)) for name in ("stats", "saves", "spellbook"))
    left, most = as_object(book.get("slots")), _whole(as_object(book.get("max_slots")))
    found: Event = {
        "creature": CREATURES[kind],
        "abilities": _whole({name: numbers.get(name) for name in ABILITIES}),
        "proficiency": parse_whole_number(numbers.get("prof_bonus")),
        "saves": _whole({name: as_object(saves.get(f"{name}Save")).get("value") for name in ABILITIES}),
        "spellcasting": _spellcasting(book),
        "resources": _whole({f"level {level} spell slot": left.get(level) for level in most if most[level] > 0}),
        "weapons": list(_weapons(block)),
    }
    given = {name: one for name, one in found.items() if one not in (None, {}, [])}
    return given | _defences(as_object(block.get("resistances")))


def _spellcasting(book: Block) -> dict[str, int]:
    """Return the DC and the attack bonus of a combatant's spells, each unless a spell has another."""
    spells = list_objects(book.get("spells"))
    of_all = {
        field: book.get(name)
        for field, name in (("dc", "dc"), ("attack", "sab"))
        if {one[name] for one in spells if one.get(name) is not None} <= {book.get(name)}
    }
    return _whole(of_all)


def _defences(block: Block) -> Event:
    """Return the lists of damage types that a combatant resists, doubles or ignores, without any in which a type has a condition."""
    if not block or block.get("neutral"):
        return {}
    found: Event = {}
    for name, key in _DEFENCES.items():
        listed = list_objects(block.get(key))
        plain = [each for each in listed if not each.get("unless") and not each.get("only")]
        others = [str(each.get("dtype")).casefold() for each in listed if each not in plain]
        if isinstance(block.get(key), list) and not DAMAGE_TYPES & set(others):
            found[name] = [make_word(each.get("dtype")) for each in plain if each.get("dtype")]
    return found


def _weapons(block: Block) -> Iterator[Event]:
    """Yield the attacks of a stat block, with the dice and type of their damage where that is one sum."""
    for one in list_objects(block.get("attacks")):
        if isinstance(name := one.get("name"), str) and name.strip():
            yield {"name": make_word(normalize_text(name).strip())} | _damage_of_attack(one)


def _damage_of_attack(attack: Block) -> Event:
    """Return an attack's damage, as dice and type, if it has one kind of damage."""
    said = [
        str(hit.get("damage"))
        for target in list_objects(attack.get("automation"))
        for roll in list_objects(target.get("effects"))
        for hit in list_objects(roll.get("hit"))
        if hit.get("type") == "damage"
    ]
    found = _ATTACK.match(said[0]) if len(said) == 1 else None
    if found is None or found["dice"] is None:
        return {}
    kind = damage_type(found["note"] or "")
    return {"dice": found["dice"]} | ({"damage_type": kind} if kind in DAMAGE_TYPES else {})


def _whole(values: dict[str, Any]) -> dict[str, int]:
    """Return the values that are whole numbers."""
    return {name: number for name, value in values.items() if (number := parse_whole_number(value)) is not None}


class ShownEffect(NamedTuple):
    """One effect as the state shows it, with the bot's own ids."""

    key: str
    name: str
    bearer: str
    duration: int | None = None
    end_round: int | None = None
    at_end: bool = False
    of: str = ""
    concentration: bool = False
    parent: str = ""
    rest: int | None = None
    raises_hp_max: bool = False
    resists: tuple[str, ...] = ()


class ShownCombatant(NamedTuple):
    """One combatant as the state shows it, with the bot's own id.

    `initiative` is that of the place; `own` that of the combatant, which may differ in a `group` ("" for none). `block` has
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
    effects: list[ShownEffect]
    block: dict[str, Any]


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
    listed = list_objects(data.get("combatants"))
    if listed != data.get("combatants"):
        raise Unclear("the state has no list 'combatants'")
    number, current = parse_whole_number(data.get("round")), parse_whole_number(data.get("current"))
    if number is None or number < 0:
        raise Unclear("the state has no whole number 'round'")
    if current is not None and not 0 <= current < len(listed):
        raise Unclear("the state's 'current' points outside of its combatants")
    places = {str(each.get("id")): place for place, top in enumerate(listed) for each in (top, *_members_of_slot(top))}
    printed, clock = PrintedList(normalize_text(body["human_readable"])), _Clock(number, current, places)
    slots = [_combatants_of_slot(top, printed, clock) for top in listed]
    shown = [slot for slot in slots if slot]
    turn = None if current is None or not slots[current] else shown.index(slots[current])
    titles = [normalize_text(str(top.get("name"))) for top, slot in zip(listed, slots, strict=True) if slot]
    return Snapshot(shown, titles, turn, number, printed.left_over())


class _Clock(NamedTuple):
    round: int
    current: int | None
    places: dict[str, int]

    def turns_left(self, effect: ShownEffect) -> int | None:
        """Count the turns of its combatant until an effect is over, like the bot; an overdue one ends with the next.

        A child has its own count, but still ends with its parent.
        """
        if effect.end_round is None:
            return effect.rest
        place = self.places.get(effect.of, self.places.get(effect.bearer, -1))
        ticked = self.current is None or (self.current > place if effect.at_end else self.current >= place)
        return max(effect.end_round - self.round + (0 if ticked else 1), 1)


def _combatants_of_slot(top: dict[str, Any], printed: PrintedList, clock: _Clock) -> list[ShownCombatant]:
    if top.get("type") == "group":
        printed.find(normalize_text(str(top.get("name"))))
    return [_make_combatant(one, top, printed, clock) for one in _members_of_slot(top)]


def _members_of_slot(top: dict[str, Any]) -> list[dict[str, Any]]:
    """List the combatants of a place: those of a group, or the one who has it alone."""
    return list_objects(top.get("combatants")) if top.get("type") == "group" else [top]


def _make_combatant(one: dict[str, Any], place: dict[str, Any], printed: PrintedList, clock: _Clock) -> ShownCombatant:
    name, key, initiative = one.get("name"), one.get("id"), parse_whole_number(place.get("init"))
    if not isinstance(name, str) or not isinstance(key, str) or initiative is None:
        raise Unclear("a combatant of the state lacks 'name', 'id' or a whole number 'init'")
    seen = printed.take(normalize_text(name))
    if seen is None and "hp" not in one:
        printed.unclear.append(f"has no line for {normalize_text(name)} in its list, and no hit points besides")
    said = seen or Printed()
    return ShownCombatant(
        key=key,
        name=normalize_text(name),
        kind=str(one.get("type")),
        hp=_printed_or_stored(said.hp, one.get("hp")),
        hp_max=_printed_or_stored(said.hp_max, one.get("max_hp")),
        temp=max(_printed_or_stored(said.temp, one.get("temp_hp")) or 0, 0),
        ac=_printed_or_stored(said.ac, one.get("ac")),
        initiative=initiative,
        own=_printed_or_stored(parse_whole_number(one.get("init")), initiative) or 0,
        group="" if place is one else normalize_text(str(place.get("name"))),
        bonus=initiative_bonus(one) if place is one else _group_bonus(place),
        effects=[each._replace(rest=clock.turns_left(each)) for each in effects_of(one, key)],
        block=one,
    )


def _printed_or_stored(said: int | None, stored: object) -> int | None:
    """Return the printed value, else the stored one: a character's own points are only in the list."""
    return said if said is not None else parse_whole_number(stored)


def initiative_bonus(one: dict[str, Any]) -> int | None:
    """Return the initiative modifier of a stat block, if it has one."""
    return parse_whole_number(as_object(as_object(one.get("skills")).get("initiative")).get("value"))


def _group_bonus(group: dict[str, Any]) -> int | None:
    """Return a group's modifier, as the bot does: that of its kind of monster, none for mixed groups."""
    members = _members_of_slot(group)
    kinds = {str(one.get("monster_name")) for one in members}
    same = len(kinds) == 1 and all(one.get("type") == "monster" for one in members)
    return initiative_bonus(members[0]) if same else 0


def effects_of(one: dict[str, Any], bearer: str) -> Iterator[ShownEffect]:
    """Yield the effects of a combatant, in either form that the bot has had (end_round, or remaining)."""
    for each in list_objects(one.get("effects")):
        if not isinstance(name := each.get("name"), str):
            continue
        gives = as_object(each.get("effects", each.get("effect")))
        types = [
            str(resisted.get("dtype")).casefold()
            for resisted in list_objects(as_object(each.get("effects")).get("resistances"))
            if not resisted.get("unless") and not resisted.get("only")
        ]
        yield ShownEffect(
            key=str(each.get("id", f"{bearer} {name}")),
            name=normalize_text(name),
            bearer=bearer,
            duration=_count_rounds(each.get("duration"), least=0),
            end_round=parse_whole_number(each.get("end_round")),
            at_end=bool(each.get("end_on_turn_end", each.get("ticks_on_end", each.get("tonend", False)))),
            of=str(each.get("tick_on_combatant_id") or bearer),
            concentration=bool(each.get("concentration")),
            parent=str(as_object(each.get("parent")).get("effect_id", "")),
            rest=_count_rounds(each.get("remaining")),
            raises_hp_max=any(field in gives for field in ("max_hp_value", "max_hp_bonus", "maxhp")),
            resists=tuple(dict.fromkeys(kind for kind in types if kind in DAMAGE_TYPES)),
        )


def _count_rounds(value: object, least: int = 1) -> int | None:
    """Return a number of rounds; below 0 means without end, and 0 until the next turn, mostly like 1."""
    found = parse_whole_number(value)
    return None if found is None or found < 0 else max(found, least)
