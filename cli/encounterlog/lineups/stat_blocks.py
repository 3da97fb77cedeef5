"""Stat blocks of three tools: a table each, of the fields of a block, where the tool has them, and what reads them; and the sheet of
a block, with the fields of the fifth edition.

They are Improved Initiative (JSON: one, several, a saved encounter's, a character's, a whole export), Open5e (JSON: the first or second
version of its interface), and Obsidian's Fantasy Statblocks (YAML, and a bestiary in JSON). Fields without a row are left aside.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import ceil
from typing import Any, TypeVar

from msgspec import structs

from encounterlog.lineups import prose
from encounterlog.lineups.parties import faults_at
from encounterlog.lineups.prose import Block, Feature, ability_modifier
from projections.rulesets.fifth_edition import figures, spellbook
from projections.rulesets.fifth_edition.figures import ABILITIES, SIZES
from projections.rulesets.fifth_edition.srd import sheets as srd, tables

Given = Mapping[str, Any]
LONGEST = 20_000  # the most characters of a text in a stat block
MOST = 300  # the most entries of a list in a stat block
MODES = ("walk", "fly", "swim", "climb", "burrow")
LARGEST = 10**9
Read = TypeVar("Read")
_SPEED = (
    rf"(?i)(?:({'|'.join(MODES)})(?:ing)?\s+)?(?:speed\s+)?(\d{{1,5}}(?:\s*(?:ft|feet)?\.?\s*[-–]\s*\d{{1,5}})?)\s*"
    r"(?:(?:ft\b|feet\b|foot\b|')\.?([^\d()]*))?(\([^)]*\)[^\d()]*)?[\s.]*"
)


def parse_number(value: Any, what: str, such: str) -> int:
    """Return a number, or the one that a text begins with: 7 (2d6)."""
    if isinstance(value, int) and not isinstance(value, bool):
        found: int | None = value
    elif isinstance(value, float) and value.is_integer():
        found = int(value)
    else:
        match = re.match(r"[\s*_]*([+-]?\d{1,9})(?![\dd.])", value) if isinstance(value, str) else None
        found = int(match[1]) if match else None
    if found is None:
        raise ValueError(f"{str(value)[:40]} is no {what}, such as {such}")
    if abs(found) > LARGEST:
        raise ValueError(f"{str(found)[:12]}… is too large a number for {what}")
    return found


def parse_points(value: Any, what: str, such: str) -> int:
    """Return a number that is not below 0."""
    found = parse_number(value, what, such)
    if found < 0:
        raise ValueError(f"{found} is below 0, and no {what}")
    return found


def parse_abilities(pairs: Iterable[tuple[str, Any]]) -> dict[str, int]:
    """Return numbers by the abilities that they are of; these are written in full, or in three letters."""
    found: dict[str, int] = {}
    for word, value in pairs:
        name = figures.ability_name(word.strip())
        if not name:
            raise ValueError(f"{word[:40]} is no ability; they are {', '.join(ABILITIES)}")
        found[name] = parse_number(value, f"number for {word[:40]}", "4 or +4")
    return found


def parse_speeds(said: Any) -> dict[str, int | bool]:
    """Return speeds in feet by their modes, from `30 ft., fly 60 ft. (hover)`, a list of these, or a mapping. A speed with
    several figures, such as `30 ft. (40 ft. in wolf form)`, is left out.
    """
    if isinstance(said, Mapping):
        if said.get("unit") not in (None, "feet", "ft"):
            raise ValueError(f"speeds in {str(said['unit'])[:40]}: only feet are known")
        filled = ((mode, value) for mode, value in said.items() if mode in MODES and value is not None)
        speeds = {
            mode: parse_points(value, f"speed ({mode})", "30 or 30 ft.")
            for mode, value in filled
            if value or mode == "walk"
        }
        return speeds | ({"hover": True} if said.get("hover") is True else {})
    if isinstance(said, int) and not isinstance(said, bool):
        said = str(said)
    if isinstance(said, list | tuple) and all(isinstance(each, str) for each in said):
        said = ", ".join(said)
    if not isinstance(said, str):
        raise ValueError(f"{str(said)[:40]} is no speed, such as 30 ft., fly 60 ft.")  # noqa: TRY004 – of a file
    found, hovers = dict[str, set[int]](), False
    for part in filter(None, map(str.strip, re.split(r"[,;](?![^(]*\))", said))):
        if re.fullmatch(r"\(\s*hover\b[^)]*\)", part, re.IGNORECASE):
            hovers = True
            continue
        match = re.fullmatch(_SPEED, part)
        if match is None:
            raise ValueError(f"{part[:40]} is no speed, such as 30 ft., or fly 60 ft. (hover)")
        feet = map(int, re.findall(r"\d+", f"{match[2]} {match[3]} {match[4]}"))
        found.setdefault((match[1] or "walk").casefold(), set()).update(feet)
        hovers |= "hover" in f"{match[3]} {match[4]}".casefold()
    known: dict[str, int | bool] = {mode: min(feet) for mode, feet in found.items() if len(feet) == 1}
    return known | ({"hover": True} if hovers else {})


def parse_challenge_rating(said: Any) -> float | None:
    """Return a challenge rating: 5, 0.25, 1/4; None for a text that is none."""
    match = re.match(r"\s*(\d{1,2})(?:/(\d{1,2}))?(?:\.(\d+))?", str(said)) if said is not None else None
    if match and match[2]:
        return int(match[1]) / (int(match[2]) or 1)
    return float(f"{match[1]}.{match[3] or 0}") if match else None


def _whole_number_reader(what: str, such: str) -> Callable[[Any], int | None]:
    return lambda said: None if _is_sum(said) else parse_points(said, what, such)


def _is_sum(said: Any) -> bool:
    return isinstance(said, str) and re.match(r"\s*[+-]?\d+\s*(?:\+|plus\b)", said) is not None


def _parse_scores(said: Any) -> dict[str, int]:
    if isinstance(said, list) and len(said) == len(ABILITIES):
        said = dict(zip(ABILITIES, said, strict=True))
    if not isinstance(said, Mapping):
        raise ValueError(f"six numbers, from strength to charisma, and not {str(said)[:40]}")  # noqa: TRY004 – of a file, not of an argument
    return parse_abilities((name, parse_points(score, f"score of {name}", "14")) for name, score in _list_pairs(said))


def _parse_skills(said: Any) -> dict[str, int]:
    named = ((name.strip().casefold().replace("_", " "), value) for name, value in _list_pairs(said))
    return {name: parse_number(value, f"bonus of {name[:40]}", "4 or +4") for name, value in named}


def _list_pairs(said: Any) -> list[tuple[str, Any]]:
    maps = [each for each in said if each is not None] if isinstance(said, list) else [said]
    if not isinstance(said, list | Mapping) or len(maps) > MOST or not all(isinstance(each, Mapping) for each in maps):
        raise ValueError("a list such as `- dexterity: 4`")
    named = [{str(each["Name"]): each.get("Modifier")} if "Name" in each else each for each in maps]
    pairs = [(str(name), value) for each in named for name, value in each.items() if name not in ("desc", "name")]
    return [(name, value) for name, value in pairs if value is not None and not _is_sum(value)]


def _list_texts(said: Any) -> tuple[str, ...]:
    texts = said if isinstance(said, list) else [said]
    if len(texts) > MOST or not all(isinstance(each, str) for each in texts):
        raise ValueError("a text such as cold, fire")
    return tuple(texts)


def _parse_acts(said: Any) -> list[Feature]:
    if not isinstance(said, list) or len(said) > MOST:
        raise ValueError("a list of names, each with a desc")
    found = []
    for place, each in enumerate(said):
        if each is None or (isinstance(each, dict) and not any(each.values())):
            continue
        pair = {"name": each[0], "desc": each[1]} if isinstance(each, list) and len(each) == 2 else each
        fields: dict[str, Any] = pair if isinstance(pair, dict) else {}
        name, text = fields.get("name", fields.get("Name")), fields.get("desc", fields.get("Content"))
        name = "" if name is None and text is not None else name
        if not isinstance(name, str) or not isinstance(text, str | None) or max(len(name), len(text or "")) > LONGEST:
            raise ValueError(f"{place}: a name and a desc, which are texts; a text with a colon is quoted")
        found.append(Feature(name, text or ""))
    return found


def _read_spell_lines(said: Any) -> tuple[str, ...]:
    if isinstance(said, str):
        return (said,)
    if not isinstance(said, list) or len(said) > MOST:
        raise ValueError("a list of lines such as `- 1st level (4 slots): bless, cure wounds`")
    lines: list[str] = []
    for place, each in enumerate(said):
        if isinstance(each, dict) and all(isinstance(names, str | None) for names in each.values()):
            lines += [f"{level}: {names}" if names else str(level) for level, names in each.items()]
        elif isinstance(each, str):
            lines.append(each)
        else:
            raise ValueError(f"{place}: a line of text, such as `1st level (4 slots): bless`")
    return tuple(lines)


DAMAGE = ("resistances", "vulnerabilities", "immunities")
READ: dict[str, Callable[[Any], Any]] = {
    "hp": _whole_number_reader("number of hit points", "7 or 7 (2d6)"),
    "ac": _whole_number_reader("armour class", "15 or 15 (shield)"),
    "initiative": lambda said: parse_number(said, "bonus for initiative", "2"),
    "proficiency": _whole_number_reader("bonus for proficiency", "2"),
    "size": lambda said: str(said.get("name", "") if isinstance(said, Mapping) else said).strip(),
    "abilities": _parse_scores,
    "saves": lambda said: parse_abilities(_list_pairs(said)),
    "skills": _parse_skills,
    "challenge": parse_challenge_rating,
    "speeds": parse_speeds,
    **dict.fromkeys((*DAMAGE, "conditions"), _list_texts),
    "spells": _read_spell_lines,
    "listed": lambda said: tuple(each.rstrip("/").rpartition("/")[2].replace("-", " ") for each in _list_texts(said)),
}
"""What reads each field of a block, in whatever tool it stands."""
IMPROVED = {
    "hp": "HP.Value", "ac": "AC.Value", "initiative": "InitiativeModifier", "size": "Type", "abilities": "Abilities",
    "saves": "Saves", "skills": "Skills", "challenge": "Challenge", "speeds": "Speed",
    "resistances": "DamageResistances", "vulnerabilities": "DamageVulnerabilities", "immunities": "DamageImmunities",
    "conditions": "ConditionImmunities",
}  # fmt: skip
NOTED = {
    "hp": "hp", "ac": "ac", "initiative": "modifier", "size": "size", "abilities": "stats", "saves": "saves",
    "skills": "skillsaves", "challenge": "cr", "speeds": "speed", "resistances": "damage_resistances",
    "vulnerabilities": "damage_vulnerabilities", "immunities": "damage_immunities",
    "conditions": "condition_immunities", "spells": "spells",
}  # fmt: skip
OPEN5E = NOTED | {
    "hp": "hit_points", "ac": "armor_class", "initiative": "initiative_bonus", "proficiency": "proficiency_bonus",
    "abilities": "ability_scores", "saves": "saving_throws", "skills": "skills", "challenge": "challenge_rating",
    "listed": "spell_list",
}  # fmt: skip
"""Where the tools have the fields of a block."""
COSTS = {"Traits": "", "Actions": "action", "BonusActions": "bonus", "Reactions": "reaction"}
NOTED_COSTS = {"traits": "", "actions": "action", "bonus_actions": "bonus", "reactions": "reaction"}
"""The lists of features, with what each of them costs."""


def _read_fields(given: Given, paths: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields that a block has; raise ValueError with the one that is wrong."""
    found = {field: _read_at(given, path, READ[field]) for field, path in paths.items()}
    return {field: value for field, value in found.items() if value is not None}


def _read_at(given: Given, path: str, read: Callable[[Any], Read]) -> Read | None:
    said: Any = given
    for name in path.split("."):
        if said is not None and not isinstance(said, Mapping):
            raise ValueError(f"{path}: {str(said)[:40]} has no {name}")
        said = said.get(name) if said is not None else None
    with faults_at(path):
        return None if said is None or said in ("", []) else read(said)


def _parse_features(given: Given, costs: Mapping[str, str]) -> tuple[Feature, ...]:
    lists = {field: _read_at(given, field, _parse_acts) or () for field in costs}
    return tuple(structs.replace(each, cost=costs[field]) for field, those in lists.items() for each in those)


def _legendary_names(given: Given, field: str) -> tuple[str, ...]:
    return tuple(each.name for each in _read_at(given, field, _parse_acts) or ())


def _parse_name(said: Any, field: str = "name") -> str:
    if not isinstance(said, str) or not 0 < len(said.strip()) <= 120:
        raise ValueError(f"{field}: a stat block has a name, of at most 120 characters")
    return said.strip()


def read_improved_initiative(given: Given) -> Block:
    """Return a stat block of Improved Initiative. One without traits and actions was made for its hit points: its empty lists, scores
    of 10 and a bonus of 0 say nothing.
    """
    values, features = _read_fields(given, IMPROVED), _parse_features(given, COSTS)
    played, scores, bonus = given.get("Player") not in (None, ""), values.get("abilities", {}), values.get("initiative")
    if not features and {*scores.values()} == {10}:
        scores = {}
    size = values.get("size", "").partition(" ")[0].casefold()  # Small humanoid (goblinoid), neutral evil
    values |= {"abilities": scores, "size": size if size in SIZES else ""}
    values["initiative"] = bonus or None
    if bonus is not None and "dexterity" in scores:
        values["initiative"] = bonus + ability_modifier(scores["dexterity"])
    if not features or played:
        values["challenge"] = None
    values = (dict.fromkeys(DAMAGE, ()) if features else {}) | values
    name, legendary = _parse_name(given.get("Name"), "Name"), _legendary_names(given, "LegendaryActions")
    return Block(name=name, played=played, features=features or None, legendary=legendary, **values)


def read_kept_character(given: Given) -> Block:
    """Return the stat block of a character, who also has a name, or of a combatant, with the points of now."""
    inside = given["StatBlock"]
    with faults_at("StatBlock"):
        block = read_improved_initiative(inside if isinstance(inside, Mapping) else {})
    now = _read_at(given, "CurrentHP", lambda said: parse_number(said, "number of points", "7"))
    played = block.played or given.get("Name") not in (None, "") or given.get("PersistentCharacterId") is not None
    return structs.replace(block, hp=block.hp if now is None else now, most=block.hp, played=played)


MARKED = {"BONUS_ACTION": "bonus_actions", "REACTION": "reactions", "LEGENDARY_ACTION": "legendary_actions"}
"""The marks of the second version for actions that the first has in lists of their own."""


def read_open5e(given: Given) -> Block:
    """Return a creature of Open5e. An empty text says that there is no such damage, unless nobody filled in what the creature can do."""
    given = _as_first_version(given)
    for field in ("armor_class", "hit_points"):
        if field not in given:
            raise ValueError(f"{field}: it is left out")
    features, values = _parse_features(given, NOTED_COSTS), _read_fields(given, OPEN5E)
    empty: dict[str, Any] = dict.fromkeys((*DAMAGE, "conditions"), ()) if features else {}
    legendary = _legendary_names(given, "legendary_actions")
    return Block(name=_parse_name(given.get("name")), features=features or None, legendary=legendary, **empty | values)


def _as_first_version(given: Given) -> dict[str, Any]:
    found = {name: value for name, value in given.items() if value is not None and value != ""}
    damage = _given_fields(found, "resistances_and_immunities")
    found |= {name.removesuffix("_display"): value for name, value in damage.items() if name.endswith("_display")}
    scores = {name: found[name] for name in ABILITIES if name in found}
    found["ability_scores"] = scores | _given_fields(found, "ability_scores")
    saves = {name: found[f"{name}_save"] for name in ABILITIES if f"{name}_save" in found}
    found["saving_throws"] = _drop_unfilled_bonuses(saves | _given_fields(found, "saving_throws"))
    found["skills"] = _drop_unfilled_bonuses(_given_fields(found, "skills") or _given_fields(found, "skill_bonuses"))
    found.setdefault("challenge_rating", found.get("challenge_rating_decimal"))
    found["traits"] = [*_given_list(found, "special_abilities"), *_given_list(found, "traits")]
    for act in _given_list(found, "actions"):
        field = MARKED.get(str(act.get("action_type", "")), "") if isinstance(act, dict) else ""
        found[field or "acts"] = [*_given_list(found, field or "acts"), act]
    lists = {"actions": "acts", **{name: name for name in ("traits", *MARKED.values())}}
    return found | {name: [*map(_add_uses_to_name, _given_list(found, held))] for name, held in lists.items()}


def _given_fields(given: Given, name: str) -> dict[str, Any]:
    said = given.get(name, {})
    if not isinstance(said, Mapping):
        raise ValueError(f"{name}: {str(said)[:40]} has no fields")  # noqa: TRY004 – as above
    return {field: value for field, value in said.items() if value is not None}


def _given_list(given: Given, name: str) -> list[Any]:
    said = given.get(name, [])
    if not isinstance(said, list):
        raise ValueError(f"{name}: a list of names, each with a desc")  # noqa: TRY004 – as above
    return said


def _drop_unfilled_bonuses(bonuses: dict[str, Any]) -> dict[str, Any]:
    """Return bonuses; none where all abilities or skills have 0, as some creatures that nobody filled in."""
    return bonuses if len(bonuses) < len(ABILITIES) or any(bonuses.values()) else {}


def _add_uses_to_name(act: Any) -> Any:
    limit: Any = act.get("usage_limits") if isinstance(act, dict) else None
    is_daily = isinstance(limit, dict) and limit.get("type") == "PER_DAY" and limit.get("param")
    if not is_daily or "/day" in str(act.get("name")).casefold():
        return act
    return act | {"name": f"{act.get('name')} ({limit['param']}/day)"}


FIELDS = ("hp", "ac", "stats", "speed", "actions", "traits")
"""The fields of which a stat block has at least one, in addition to its name."""


def is_noted(given: Any) -> bool:
    """Say whether a mapping is a stat block of Obsidian; one of another tool has a mapping of hit points, or a list of monsters."""
    if not isinstance(given, dict) or "creatures" in given:
        return False
    of_another = isinstance(given.get("hp"), dict) or isinstance(given.get("monster"), list)
    return not of_another and (bool(_given_name(given)) or any(field in given for field in FIELDS))


def referred_creature(given: Given) -> str:
    """Return the name of the creature to which a block refers that has no values of its own, but perhaps another name; "" for any other."""
    return "" if any(field in given for field in ("hp", "ac", "stats")) else _given_name(given)


def _given_name(given: Given) -> str:
    said = given.get("monster") or given.get("creature")
    return str(said).strip() if isinstance(said, str | int) else ""


def read_obsidian(given: dict[str, Any]) -> Block:
    """Return a stat block of Obsidian. A field about damage that is written and empty, as the tool writes it, says that there is none."""
    name = _parse_name(given.get("name") or _given_name(given))
    if refers := referred_creature(given):
        return Block(name=name, refers=refers)
    if what := next(_foreign_kinds(given), ""):
        raise ValueError(
            f"{name[:60]} is {what}; blocks of the fifth edition in English are read, and --foes takes any other by "
            'its name and numbers, such as "wyrm hp=195 ac=31"'
        )
    hp = given.get("hp")
    rolled = isinstance(hp, str) and re.fullmatch(r"\s*\d{0,3}d\d{1,3}(?:\s*[+-]\s*\d{1,4})?\s*", hp)
    if isinstance(hp, str) and rolled:  # and no number
        given = given | {"hp": None}
        unread = (f"hit points {hp.strip()}, which are to be rolled",)
    written = [field for field in DAMAGE if given.get(NOTED[field]) in ("", [])]
    return Block(
        name=name,
        played=given.get("player") is True,
        unread=unread if rolled else (),
        features=_parse_features(given, NOTED_COSTS) if any(given.get(each) for each in NOTED_COSTS) else None,
        legendary=_legendary_names(given, "legendary_actions"),
        **dict.fromkeys(written, ()) | _read_fields(given, NOTED),
    )


_OTHERS = (
    ("of another game, Pathfinder", r"'layout': '[^']*(?:path(?:finder| ?[12]e)|\bpf[12]e?\b)|'(?:pf1e_stats|monster_cr|abilitymods)':"),
    ("of another game, Daggerheart", r"'layout': '[^']*daggerheart|'thresholds':"),
    ("of another game, by its THAC0", r"'thac[o0]':"),
    ("in another language, Spanish", r"'speed': '[^']*\bpies\b|'(?:fue|sab|fuerza|sabiduría)': |\ba impactar\b|\bdaño\b"),
)  # fmt: skip
"""Blocks that are not read, with what shows them, as Python writes a mapping."""
_LOWEST = 8  # no creature of the fifth edition has six scores below this; a game whose stats are modifiers has


def _foreign_kinds(given: Given) -> Iterator[str]:
    stats = given.get("stats")
    six = stats if isinstance(stats, list) and len(stats) == 6 and all(type(each) is int for each in stats) else [10]
    if min(six) < 0 or (max(six) < _LOWEST and len({*six}) > 1):
        yield "of another game, whose stats are modifiers"
    yield from (what for what, shown in _OTHERS if re.search(shown, str(given), re.IGNORECASE))


FIRST = "2014"  # the edition of the creatures that Fantasy Statblocks has itself
SPELLCASTING = re.compile(r"\bspellcasting\b|\bpact magic\b", re.IGNORECASE)


def sheet_of(block: Block, edition: str) -> tuple[dict[str, Any], list[str]]:
    """Return the sheet of a stat block, and what of it is left out; raise ValueError if it refers to a creature that is unknown."""
    if block.refers:
        return _sheet_of_document(block, edition)
    left_out = [f"{', '.join(block.unread)[:120]} ({block.name})"] if block.unread else []
    initiative, proficiency = block.initiative, block.proficiency
    if initiative is None and "dexterity" in block.abilities:
        initiative = ability_modifier(block.abilities["dexterity"])
    if proficiency is None and block.challenge is not None:
        proficiency = 2 + max(0, ceil(block.challenge) - 1) // 4
    sheet = {
        "creature": "character" if block.played else "monster",
        "hp": block.hp,
        "hp_max": block.most if block.most != block.hp else None,
        "ac": block.ac,
        "initiative": initiative,
        "size": block.size.casefold(),
        "abilities": block.abilities,
        "proficiency": proficiency,
        "saves": block.saves,
        "skills": block.skills,
        "speeds": block.speeds,
        **_damage_types(block, left_out),
        **_sheet_features(block, edition, left_out),
    }
    return {name: value for name, value in sheet.items() if value not in (None, "", {})}, left_out


def _sheet_of_document(block: Block, edition: str) -> tuple[dict[str, Any], list[str]]:
    for each in dict.fromkeys((edition or FIRST, FIRST)):
        if found := tables.exact_record(tables.monsters(each), block.refers):
            reference = f"{each}:{found.id}"
            says = f"the stat block of {block.refers}, which is not in the note: it joins as {reference}"
            return {"srd": reference} if edition else srd.make_sheet(found, each), [says]
    raise ValueError(
        f"monster: {block.refers[:60]} is of the bestiary of the plugin; neither this note nor the reference document has it; "
        "its fields stand beside its name: name, hp, ac, stats"
    )


def _damage_types(block: Block, left_out: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for sort, said in ((sort, said) for sort in DAMAGE if (said := getattr(block, sort)) is not None):
        types, others = prose.damage_types(said)
        if others:
            left_out.append(f"{sort} of {block.name}, which depend on more than the type: {'; '.join(others)[:80]}")
        else:
            found[sort] = list(types)
    if "immunities" in found:
        names = (each for text in block.conditions or () for each in re.split(r"[,;]", text))
        found["immunities"] += filter(None, (prose.strip_markup(each).casefold() for each in names))
    return found


def _sheet_features(block: Block, edition: str, left_out: list[str]) -> dict[str, Any]:
    if block.features is None and not (block.spells or block.listed):
        return {}
    lines, merged, entries = [*block.spells], dict[str, dict[str, Any]](), list[dict[str, Any]]()
    attacks, daily, extra = set[int | None](), dict[str, int](), block.played
    for feature in block.features or ():
        name = prose.plain_feature_name(feature.name)
        if SPELLCASTING.search(feature.name):
            lines.append(feature.text)
        elif name:
            if uses := prose.DAILY.search(feature.name):
                daily[name] = int(uses[1])
            extra |= name == "extra attack"
            attacks |= {prose.parse_number_of_attacks(feature.text)} if name == "multiattack" else set()
            if weapon := prose.parse_weapon(structs.replace(feature, name=name)):
                known = merged.get(weapon["name"], weapon)  # of two with a name, what both say
                merged[weapon["name"]] = {key: value for key, value in known.items() if weapon.get(key) == value}
            elif name != "multiattack":  # a trait costs nothing, unless it grants a bonus action
                bonus = not feature.cost and "bonus action" in feature.text.casefold()
                entries.append({"name": name, "cost": "bonus" if bonus else feature.cost or "none"})
    cast = prose.parse_spellcasting(lines)
    said = {spellbook.key(name) for name in cast.names}
    cast.names |= {name: None for name in block.listed if spellbook.key(name) not in said}
    if block.legendary:
        left_out.append(f"legendary actions of {block.name}: {', '.join(block.legendary)[:80]}")
    attacks = attacks or (set() if extra else {1})  # without Multiattack it is one, unless Extra Attack may give more
    bonuses = {"ability": cast.ability, "dc": cast.dc, "attack": cast.attack}
    return {
        "attacks": next(iter(attacks)) if merged and len(attacks) == 1 else None,
        "weapons": [*merged.values()] or None,
        "entries": [*entries, *_sheet_spells(block.name, cast, edition, left_out)],
        "spellcasting": {name: value for name, value in bonuses.items() if value not in (None, "")},
        "resources": {f"level {level} spell slot": number for level, number in cast.slots.items()} | daily,
    }


def _sheet_spells(who: str, cast: prose.Spells, edition: str, left_out: list[str]) -> Iterator[dict[str, Any]]:
    unknown = []
    for name, level in cast.names.items():
        found = spellbook.entry_fields(name, edition)
        unknown += [] if found else [name]
        yield {"name": name} | (found or {}) | ({"level": level} if level is not None else {})
    if unknown:
        names = ", ".join(unknown)[:80]
        left_out.append(f"cost and concentration of {names}, which no reference document lists ({who})")
