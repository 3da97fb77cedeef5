"""The words of the games, from the rulesets' catalogues, tables and documents and the lists of the notation and the language,
such as kinds of action and of damage, conditions, saves, weapons and spells, and the fields of addresses.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache

import msgspec

from eventstore.paths import path_beside
from projections.open_types import Fields
from projections.ruleset.catalogue import read_catalogue
from projections.toml import parse_toml, read_text

RULESETS = (
    "plain", "osric", "nameless_journey", "semiautomagic", "vile_darkness", "definition_master", "fifth_edition",
)  # fmt: skip
"""The folders of the rulesets of this package."""

OF_SHAPES = frozenset({
    "weapon", "extra", "flat", "start", "end", "clear", "blocked", "somatic", "verbal", "air", "water", "ground",
    "ft", "feet", "m", "square", "squares", "segment", "second", "round", "minute", "turn", "hour", "day",
    "difficult", "restricted", "narrow", "cramped", "confined", "open", "floor", "wall", "walls", "rock", "closed", "pillar", "solid",
    "massive damage", "massive-damage", "percentile", "shot into grapple",
})  # fmt: skip
"""Words of parts, durations, lines of sight, components, media, units and terrain, and the purposes of rolls."""
FIELDS = frozenset({
    "concentration-saves", "death-save", "death-saves", "disengaged", "form", "grapple-dc", "helped", "hp_max", "nld", "own-hp", "spell-attack", "spell-dc",
    "tallies", "temp",
})  # fmt: skip
"""The fields of addresses that no table has."""


@cache
def game_words() -> frozenset[str]:
    """Return all words of the games, case-folded."""
    found = {*OF_SHAPES, *FIELDS}
    for path in (*(f"../rulesets/{name}/rules.toml" for name in RULESETS), "../judging/log.toml"):
        catalogue = read_catalogue(path_beside(__file__, path))
        ids = [rule.id for rule in catalogue.rule]
        options = [(option.name, option.values) for option in catalogue.option]
        found.update(_texts((catalogue.action, catalogue.tables, ids, catalogue.ruleset, options)))
        found.update(word for each in catalogue.tables.get("addresses", ()) for word in re.findall(r"[^.<>]+", each))
    for path in ("../language/notation/forms.toml", *(f"../rulesets/{name}/forms.toml" for name in RULESETS)):
        found.update(_texts(_table(path).get("words", {})))
    for meanings in _table("../language/sentences.toml")["names"].values():
        found.update((*meanings, *(word for said in meanings.values() for word in said.split(", "))))
    found.update(_texts([*_table("../rulesets/fifth_edition/weapons.toml").values()]))
    for path in (f"../rulesets/fifth_edition/srd/{edition}" for edition in ("2014", "2024")):
        texts = [read_text(path_beside(__file__, f"{path}/{kind}.jsonl")) for kind in ("spells", "monsters")]
        spells, monsters = map(msgspec.json.Decoder(Fields).decode_lines, texts)
        found.update(_texts(spells))
        found.update(_texts([(one.get("actions", ()), one.get("traits", ())) for one in monsters]))
    return frozenset(found)


def _table(path: str) -> Fields:
    return parse_toml(read_text(path_beside(__file__, path)))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value.casefold()
    elif isinstance(value, dict):
        yield from _texts((*value, *value.values()))
    elif isinstance(value, Iterable):
        for each in value:
            yield from _texts(each)
