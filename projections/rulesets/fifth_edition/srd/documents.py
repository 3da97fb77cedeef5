"""The reference documents for the application (projections/ruleset/documents.py), and the card of a combatant."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import msgspec
from msgspec import Struct, to_builtins

from eventstore.wording import visible
from projections import card as common
from projections.fight import Combatant
from projections.open_types import Fields
from projections.ruleset.documents import Joining, NoEdition, NoName, NoRecord, Placed, Record
from projections.rulesets.fifth_edition import spellbook
from projections.rulesets.fifth_edition.sheet import FifthEntry, Sheet
from projections.rulesets.fifth_edition.srd import campaigns, sheets, tables
from projections.rulesets.fifth_edition.srd.campaigns import Campaign
from projections.rulesets.fifth_edition.srd.tables import Action, Area, Damage, Duration, Monster, Save, Spell
from projections.state import State

One = TypeVar("One", Monster, Spell)
MONSTER, SPELL = "monster", "spell"
HIGHEST = 9
"""The highest level of a spell."""


def find_monster(name: str, edition: str) -> Monster:
    """Return the monster of this name, in the singular or the plural, else the only one with its words; raise NoRecord, or NoEdition."""
    return _only_record(name, edition, MONSTER, monsters(edition))


def find_spell(name: str, edition: str) -> Spell:
    """Return the spell of this name, else the only one with its words; raise NoRecord, or NoEdition."""
    return _only_record(name, edition, SPELL, spells(edition))


def monsters(edition: str) -> tuple[Monster, ...]:
    """Return all monsters of an edition, by their ids; raise NoEdition."""
    return tables.monsters(_check_edition(edition))


def spells(edition: str) -> tuple[Spell, ...]:
    """Return all spells of an edition, by their ids; raise NoEdition."""
    return tables.spells(_check_edition(edition))


def _check_edition(edition: str) -> str:
    if edition not in tables.EDITIONS:
        raise NoEdition(f"{repr(edition)[:40]} is no edition", f"there are {' and '.join(map(repr, tables.EDITIONS))}")
    return edition


def _only_record(name: str, edition: str, kind: str, those: tuple[One, ...]) -> One:
    """Return the one record that a name stands for; raise NoRecord for none or several, with likely ones as hint."""
    if not isinstance(name, str):
        raise NoName(f"{repr(name)[:40]} is no name of a {kind}", "a name is text, such as 'goblin'")
    found = tables.records_meant(those, name)
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(one.name for one in found[:10])
        more = f" and {len(found) - 10} more" if found[10:] else ""
        raise NoRecord(f"{name[:60]!r} may be one of several {kind}s of {edition}", f"{names}{more}")
    near = ", ".join(one.name for one in tables.nearest_records(those, name))
    hint = f"did you mean {near}?" if near else "encounter srd --names lists them"
    raise NoRecord(f"{edition} has no {kind} {name[:60]!r}", hint)


class ReferenceDocuments(Struct, frozen=True):
    """The monsters and spells of the System Reference Documents, and of campaigns."""

    editions: tuple[str, ...] = tables.EDITIONS
    kinds: tuple[str, ...] = (MONSTER, SPELL)
    example: str = 'a file holds such as [[monster]] name = "Ash Goblin" ac = 14 hp = 11, each on a line of its own'

    def records(self, edition: str) -> dict[str, tuple[Record, ...]]:
        """Return the monsters and spells of an edition; raise NoEdition."""
        return {MONSTER: monsters(edition), SPELL: spells(edition)}

    def records_meant(self, those: Mapping[str, tuple[Record, ...]], name: str) -> dict[str, tuple[Record, ...]]:
        """Return the records that a name may stand for, by kind: exactly of this name, else all with its words."""
        exact = {kind: tables.exact_record(each, name) for kind, each in those.items()}
        if any(exact.values()):
            return {kind: (one,) if one else () for kind, one in exact.items()}
        return {kind: tables.records_meant(each, name) for kind, each in those.items()}

    def nearest_records(self, those: Mapping[str, tuple[Record, ...]], name: str) -> tuple[Record, ...]:
        """Return the records with names most like a name."""
        return tuple(one for each in those.values() for one in tables.nearest_records(each, name))

    def find_creatures(self, name: str, edition: str) -> list[Fields]:
        """Return the monsters whose names have words that begin so, names that begin so first; raise NoEdition."""
        words = tables.name_key(name).split("-")
        by_parts = ((one, one.id.split("-")) for one in monsters(edition))
        found = [one for one, parts in by_parts if all(any(part.startswith(word) for part in parts) for word in words)]
        found.sort(key=lambda one: (not one.id.startswith("-".join(words)), len(one.id), one.id))
        fields = ("name", "id", "hp", "ac", "cr")
        return [{field: getattr(one, field) for field in fields} | {"kind": one.type} for one in found]

    def lines(self, one: Record, where: str) -> Iterator[str]:
        """Yield the lines of a monster or a spell."""
        yield f"{one.name} ({where}:{one.id})" if isinstance(one, Monster) else f"{one.name} ({where})"
        lines = _monster_lines(one) if isinstance(one, Monster) else _spell_lines(one)
        yield from (f"  {line}" for line in lines if line)

    def short_words(self, one: Record) -> str:
        """Return the words that distinguish a monster or a spell in a list."""
        if isinstance(one, Monster):
            return _join(_format_known("{} hp", one.hp), _format_known("ac {}", one.ac), _format_row("cr", one.cr))
        return f"spell of level {one.level}"

    def creature_joining(self, state: State, name: str) -> Joining:
        """Return the monster with a name, from the log's campaign or its edition; raise NoRecord, or NotHere."""
        edition = state.option("edition")
        campaign = campaigns.campaign_of(state)
        own = tables.exact_record(campaign.monsters, name) if campaign else None
        one = own or find_monster(name, edition)
        notation, bonus = campaigns.parse_hit_dice(one.hit_dice) if one.hit_dice else ("", 0)
        return Joining(one.id, {"srd": f"{one.edition or edition}:{one.id}"}, notation, bonus, "constitution")

    def name_of_sheet(self, name: str, edition: str, sheet: Fields) -> Fields:
        """Return the field that names the monster with a sheet's name and numbers; nothing if that is not certain."""
        named = "" if "srd" in sheet else sheets.agreeing_monster(name, edition, sheet)
        return {"srd": named} if named else {}

    def parse_campaign(self, name: str, records: Mapping[str, Iterable[Placed]]) -> Campaign:
        """Return a campaign whose records all fit on a sheet; raise ValueError with the place of a wrong one."""
        found = campaigns.make_campaign(name, records.get(MONSTER, ()), records.get(SPELL, ()))
        those: tuple[Monster | Spell, ...] = (*found.monsters, *found.spells)
        for one in those:
            try:
                if isinstance(one, Monster):
                    _check_monster(one)
                else:
                    _check_spell(one)
            except (msgspec.ValidationError, ValueError) as error:
                raise ValueError(f"{one.id}: {visible(str(error)[:160])}") from None
        return found

    def add_campaign(self, campaign: Campaign) -> None:
        """Register it for the logs that were opened on exactly this content."""
        campaigns.known[campaign.said] = campaign

    def is_known(self, said: str) -> bool:
        """Say whether a campaign of this name and hash is at hand."""
        return said in campaigns.known


def _check_spell(one: Spell) -> None:
    """Raise ValueError for a level that no spell has, for invalid dice, and for what fits on no sheet."""
    if not 0 <= one.level <= HIGHEST:
        raise ValueError(f"level {one.level} is not one of 0 to {HIGHEST}")
    parts = [said for each in one.damage for said in (each.dice, each.step)]
    _check_dice(*parts, *one.by_level.values(), *one.by_slot.values(), one.healing, one.healing_step)
    msgspec.convert(to_builtins(spellbook.make_entry(one)), FifthEntry)


def _check_dice(*those: str) -> None:
    for said in filter(None, those):
        if not re.fullmatch(rf"{_TERM}([+-]{_TERM})*", said) or len(said) > LONGEST_DICE:
            raise ValueError(f"{visible(said[:40])} are no dice, such as 2d6+4 or 1d8+mod")


_TERM = r"(\d{1,3}d\d{1,4}|\d{1,6}|mod)"
LONGEST_DICE = 60
"""The most characters of dice."""


def _check_monster(one: Monster) -> None:
    """Raise ValueError for impossible numbers, for the name that stands for none, and for what fits on no sheet."""
    if one.id == sheets.NONE:
        raise ValueError(f"srd={sheets.NONE} stands for no monster")
    if one.hp is not None and one.hp < 1:
        raise ValueError(f"hp {one.hp} is below 1")
    if one.ac is not None and one.ac < 0:
        raise ValueError(f"ac {one.ac} is below 0")
    if one.hit_dice:
        campaigns.parse_hit_dice(one.hit_dice)
    _check_dice(*(said for action in one.actions for each in action.damage for said in (each.dice, each.step)))
    msgspec.convert(sheets.make_sheet(one, tables.EDITIONS[0]), Sheet)


DOCUMENTS = ReferenceDocuments()


def _monster_lines(one: Monster) -> Iterator[str]:
    yield _join(f"{one.size} {one.type}".strip(), _format_row("cr", one.cr))
    dice = f" ({one.hit_dice})" if one.hit_dice else ""
    initiative = "" if one.initiative is None else f"initiative {one.initiative:+}"
    yield _join(_format_known("ac {}", one.ac), _format_known(f"{{}} hp{dice}", one.hp), initiative)
    speeds = (mode if feet is True else f"{mode} {feet}" for mode, feet in one.speeds.items())
    yield _format_row("speed", ", ".join(speeds))
    yield ", ".join(f"{name[:3]} {score}" for name, score in one.abilities.items())
    yield _format_row("saves", _format_bonuses(one.saves))
    yield _format_row("skills", _format_bonuses(one.skills))
    yield _format_row("senses", ", ".join(f"{name} {number}" for name, number in one.senses.items()))
    for sort in ("vulnerabilities", "resistances", "immunities"):
        own = (each for each in one.qualified if each.to == sort)
        more = (f"{', '.join(each.types)} (unless {' or '.join(each.unless)})" for each in own)
        yield _format_row(sort, "; ".join(filter(None, (", ".join(getattr(one, sort)), *more))))
    yield _format_row("immune to being", ", ".join(one.immune_conditions))
    yield _format_row("traits", ", ".join(one.traits))
    attacks = (", ".join(f"{number} {name}" for name, number in each.items()) for each in one.multiattack)
    yield _format_row("multiattack", "; or ".join(attacks))
    yield from (_format_action(each) for each in one.actions)
    if one.cast:
        spells = [*one.cast.spells, *(f"{name} {number}/day" for name, number in one.cast.daily.items())]
        slots = f"; slots {', '.join(map(str, one.cast.slots))}" if one.cast.slots else ""
        dc = "" if one.cast.dc is None else f", dc {one.cast.dc}"
        yield _format_row("casts", f"{one.cast.ability}{dc}{slots}: {', '.join(spells)}".removeprefix(", "))
    yield _format_row("legendary actions", str(one.legendary or ""))
    yield _format_row("legendary resistance", f"{one.legendary_resistance}/day" if one.legendary_resistance else "")


def _format_action(one: Action) -> str:
    often = f"{one.uses}/day" if one.uses else f"recharge {one.recharge}" if one.recharge else ""
    often = "after a rest" if one.rest and not often else often
    head = _join("" if one.cost == "action" else one.cost, often)
    attack = f"{one.attack} attack {one.hit:+}" if one.hit is not None else ""
    reach = f"reach {one.reach}" if one.reach is not None else ""
    far = f"range {'/'.join(map(str, one.range))}" if one.range else ""
    effects = (_format_damage(one.damage), _format_save(one.save), _format_area(one.area), ", ".join(one.conditions))
    said = _join(attack, reach, far, *effects)
    return f"{one.name}{f' ({head})' if head else ''}{f': {said}' if said else ''}"


def _spell_lines(one: Spell) -> Iterator[str]:
    level = f"level {one.level} {one.school}" if one.level else f"{one.school} cantrip"
    marks = [*(["ritual"] if one.ritual else []), *(["concentration"] if one.concentration else [])]
    yield _join(level.strip(), one.cost or _format_time(one.time), *marks)
    yield _format_row("range", _format_known("{} ft" if isinstance(one.range, int) else "{}", one.range))
    yield _format_row("components", ", ".join(one.components))
    yield _format_row("duration", _format_time(one.duration))
    yield _format_row("attack", one.attack)
    yield _format_row("save", _format_save(one.save))
    yield _format_row("damage", _format_damage(one.damage))
    steps = [f"{each.step} {each.type}".strip() for each in one.damage if each.step]
    yield _format_row("each level above", " and ".join(f"+{each}" for each in filter(None, (*steps, one.healing_step))))
    yield _format_row("at levels", ", ".join(f"{level}: {dice}" for level, dice in one.by_level.items()))
    yield _format_row("area", _format_area(one.area))
    yield _format_row("conditions", ", ".join(one.conditions))
    yield _format_row("heals", one.healing)
    more = f", {one.targets_step} more each level above" if one.targets_step else ""
    yield _format_row("targets", f"{one.targets or ''}{more}")


def _join(*parts: str) -> str:
    return ", ".join(filter(None, parts))


def _format_known(form: str, value: int | str | None) -> str:
    return "" if value is None else form.format(value)


def _format_row(name: str, said: str) -> str:
    return f"{name} {said}" if said else ""


def _format_bonuses(those: dict[str, int]) -> str:
    return ", ".join(f"{name} {number:+}" for name, number in those.items())


def _format_damage(parts: Sequence[Damage]) -> str:
    return " + ".join(f"{each.dice} {each.type or ' or '.join(each.types)}".strip() for each in parts)


def _format_save(save: Save | None) -> str:
    if save is None:
        return ""
    half = {"half": ", half on a success", "none": "", "other": ""}[save.success]
    return f"{save.ability} save{f' dc {save.dc}' if save.dc is not None else ''}{half}"


def _format_area(area: Area | None) -> str:
    return f"{area.feet} ft {area.shape}" if area else ""


def _format_time(time: Duration | None) -> str:
    return "" if time is None else f"{time.amount} {time.unit}{'s' * (time.amount != 1)}" if time.amount else time.unit


def make_card(state: State, one: Combatant) -> Fields:
    """Return the known numbers of a combatant: those that others must meet, its attacks and its spells."""
    monster = tables.monster_by_reference(one.sheet.srd or "")
    attacks = [*common.weapon_rows(one.sheet)]
    if monster:
        acts = (each for each in monster.actions if each.attack or each.save or each.damage)
        attacks = [
            _action_numbers(each) | {"name": each.name, "cost": each.cost, "often": _often(each)} for each in acts
        ]
    return common.defences(one.sheet) | {"attacks": attacks, "spells": [*_spell_fields(state, one.sheet)]}


def _often(one: Action) -> str:
    return f"{one.uses} a day" if one.uses else f"recharge {one.recharge}" if one.recharge else ""


def _action_numbers(one: Action | Spell) -> Fields:
    damage = [{"dice": each.dice, "type": each.type or (each.types[0] if each.types else "")} for each in one.damage]
    found: Fields = {"attack": bool(one.attack), "damage": damage}
    found |= {"hit": one.hit, "reach": one.reach, "range": [*one.range]} if isinstance(one, Action) else {}
    return found | ({"save": to_builtins(one.save)} if one.save else {}) | {"conditions": [*one.conditions]}


def _spell_fields(state: State, sheet: Sheet) -> Iterator[Fields]:
    """Yield the spells of a sheet, with the numbers of the reference document if its edition lists them."""
    casting = sheet.spellcasting
    known = tables.spells(state.options.get("edition", ""))
    for each in common.spell_entries(sheet.entries):
        one = tables.exact_record(known, each.name) if known else None
        numbers: Fields = _action_numbers(one) if one else {"attack": False, "damage": []}
        if one and one.save and casting and one.save.dc is None:
            numbers["save"] = to_builtins(one.save) | {"dc": casting.dc}
        hit = casting.attack if casting else None
        yield {"name": each.name, "level": each.level, "hit": hit, "spell": True} | numbers
