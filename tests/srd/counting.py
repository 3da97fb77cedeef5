"""The fields of monsters and spells: how many records of each table have them, and for how many they are unknown."""

from collections.abc import Iterator

from projections.rulesets.fifth_edition.srd import tables
from projections.rulesets.fifth_edition.srd.tables import Monster, Spell

NEEDED = {
    "monsters": (
        *("size", "type", "cr", "ac", "hp", "hit_dice", "initiative", "proficiency", "speeds", "abilities", "senses"),
        "actions",
    ),
    "spells": ("school", "range", "components", "duration"),
}
"""The fields that every record has to have: what is empty there is not known, elsewhere there is nothing of the kind."""
OTHERS = {
    "monsters": (
        *("saves", "skills", "resistances", "vulnerabilities", "immunities", "qualified", "immune_conditions"),
        *("multiattack", "traits", "cast", "legendary", "legendary_resistance"),
    ),
    "spells": (
        *("time", "ritual", "concentration", "attack", "save", "damage", "by_level", "by_slot", "area", "conditions"),
        *("healing", "targets"),
    ),
}


def attacks_missing(those: tuple[Monster, ...]) -> list[str]:
    """Return the attacks without a bonus, without reach and range, or with damage of an unknown type."""
    return [
        f"{one.id}: {each.name}"
        for one in those
        for each in one.actions
        if (each.attack and (each.hit is None or (each.reach is None and not each.range)))
        or any(not (part.type or part.types) for part in each.damage)
    ]


def saves_missing(those: tuple[Monster, ...]) -> list[str]:
    """Return the saves that actions ask for without a DC."""
    return [f"{one.id}: {each.name}" for one in those for each in one.actions if each.save and each.save.dc is None]


def costs_missing(those: tuple[Spell, ...]) -> list[str]:
    """Return the spells of which neither cost nor casting time is known."""
    return [one.id for one in those if not one.cost and one.time is None]


def in_markdown() -> Iterator[str]:
    """Yield the rows of the table of fields in Markdown, the editions side by side."""
    for name in ("monsters", "spells"):
        those = [
            tables.monsters(edition) if name == "monsters" else tables.spells(edition) for edition in tables.EDITIONS
        ]
        yield f"| **{name}** | {' | '.join(f'**{len(each)}**' for each in those)} |"
        for field in NEEDED[name]:
            yield f"| {_code(field)} | {' | '.join(_filled(each, field) for each in those)} |"
        for field in OTHERS[name]:
            yield f"| {_code(field)} | {' | '.join(f'{_having(each, field)} have it' for each in those)} |"
    monsters = [tables.monsters(edition) for edition in tables.EDITIONS]
    spells = [tables.spells(edition) for edition in tables.EDITIONS]
    yield f"| attacks: bonus, reach or range, types | {' | '.join(_all_but(attacks_missing(each)) for each in monsters)} |"
    yield f"| saves of actions: DC | {' | '.join(_all_but(saves_missing(each)) for each in monsters)} |"
    yield f"| spells: cost or casting time | {' | '.join(_all_but(costs_missing(each)) for each in spells)} |"


def _code(field: str) -> str:
    return f"`{field}`"


def _filled(those: tuple[Monster, ...] | tuple[Spell, ...], field: str) -> str:
    return _all_but([one.id for one in those if getattr(one, field) in (None, "", (), {})])


def _having(those: tuple[Monster, ...] | tuple[Spell, ...], field: str) -> int:
    return sum(getattr(one, field) not in (None, "", (), {}, False) for one in those)


def _all_but(missing: list[str]) -> str:
    return f"all but {', '.join(missing)}" if missing else "all"
