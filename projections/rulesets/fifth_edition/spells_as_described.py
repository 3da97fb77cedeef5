"""Checks of spells against their documents, by the name alone: the number of dice, the number and kind of targets.

A feature, an item or another text may allow more than the document, so each finding is a notice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from eventstore.events import ActionTaken, DamageDealt, Healed, ResourceChanged
from projections.fight import Combatant
from projections.mechanics.rolls import count_of
from projections.occurrence import Occurrence, is_a
from projections.ruleset.ruleset import Breach, check
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.casting import cast_behind, level_of
from projections.rulesets.fifth_edition.circumstances import deed_behind
from projections.rulesets.fifth_edition.damage import dealing
from projections.rulesets.fifth_edition.death import trait_of
from projections.rulesets.fifth_edition.deeds import recorded_deed
from projections.rulesets.fifth_edition.spells_as_typed import conditions_of
from projections.rulesets.fifth_edition.state import Deed, FifthState

if TYPE_CHECKING:
    from eventstore.shapes import Part
    from projections.rulesets.fifth_edition.srd.records import Damage, Spell


DICE = "dice"
"""The name of a part if a line gives only its dice."""
HIGHEST = 9
"""The highest level of a slot."""
SEVERAL = frozenset({"acid-arrow", "contagion", "meteor-swarm", "prismatic-spray", "vitriolic-sphere"})
"""The spells that roll at different times, or for different purposes, though the tables have only one roll."""

ONLY_ON: dict[str, dict[str, str]] = {
    "both": {
        "animal-friendship": "beast",
        "charm-person": "humanoid",
        "dominate-beast": "beast",
        "dominate-person": "humanoid",
        "hold-person": "humanoid",
    },
    "2014": {},
    "2024": {},
}
"""The one type of creature that a spell affects, by edition and the id of the spell."""

_NO_LIFE = frozenset({"undead", "construct"})
NOT_ON: dict[str, dict[str, frozenset[str]]] = {
    "both": {},
    "2014": {
        "blight": _NO_LIFE,
        "cure-wounds": _NO_LIFE,
        "heal": _NO_LIFE,
        "healing-word": _NO_LIFE,
        "hold-monster": frozenset({"undead"}),
        "mass-cure-wounds": _NO_LIFE,
        "mass-heal": _NO_LIFE,
        "mass-healing-word": _NO_LIFE,
        "prayer-of-healing": _NO_LIFE,
    },
    "2024": {},
}
"""The types of creatures on which a spell has no effect, by edition and the id of the spell."""

ON_SELF = frozenset(
    {
        "alter-self", "blink", "blur", "comprehend-languages", "disguise-self", "divine-favor", "expeditious-retreat", "false-life",
        "fire-shield", "glibness", "mirror-image", "misty-step", "see-invisibility", "shapechange", "shield", "speak-with-animals",
        "time-stop", "tree-stride",
    }
)  # fmt: skip
"""The spells of range self that affect nobody but their caster."""


def described(state: FifthState, deed: Deed) -> Spell | None:
    """Return the document's record of the spell that an act casts; None for another act, or if a campaign may have its
    own.
    """
    if deed.kind != "cast" or not deed.name or state.option("campaign"):
        return None
    from projections.rulesets.fifth_edition import spellbook  # only where somebody casts

    return spellbook.spell_named(deed.name, state.option("edition"))


# ---------------------------------------------------------------- dice


@check("spell.dice", on=DamageDealt)
def spells_roll_their_dice(state: FifthState, fact: Occurrence[DamageDealt]) -> Breach | None:
    if fact.event.object:
        return None
    deal = dealing(state, fact)
    spell = described(state, deal.deed) if deal.deed else None
    if deal.deed is None or spell is None or not _has_one_roll(spell):
        return None
    own = figures.entry_of(state.combatants[deal.deed.who], deal.deed.name)
    if own and own.dice:
        return None  # dice of the sheet are judged as such
    critical = deal.rolled.stated if deal.rolled else None
    doubled = (1,) if critical is False or not spell.attack else (2,) if critical else (1, 2)
    for damage in spell.damage:
        has = count_of(damage.dice)
        thrown = [found for part in fact.event.parts if (found := _thrown(part, damage, spell))]
        if has is None or not thrown:
            continue
        right = {many * by for many in _numbers(spell, damage, deal.deed.slot_level) for by in doubled}
        if right and sum(thrown) not in right:
            return _other_dice(spell, deal.deed, right, sum(thrown), has[1])
    return None


@check("spell.dice", on=Healed)
def spells_heal_their_dice(state: FifthState, fact: Occurrence[Healed]) -> Breach | None:
    deed = None if fact.event.temporary else deed_behind(state, fact.cause)
    spell = described(state, deed) if deed else None
    has = count_of(spell.healing.partition("+")[0]) if spell else None
    if deed is None or spell is None or has is None or spell.duration is None or spell.duration.unit != "instant":
        return None
    rolled = [found for part in fact.event.parts if part.dice and (found := count_of(part.dice.notation))]
    thrown = sum(many for many, faces in rolled if faces == has[1])
    right = _grown(spell, has[0], spell.healing_step, deed.slot_level)
    if thrown and right and thrown not in right:
        return _other_dice(spell, deed, right, thrown, has[1])
    return None


def _other_dice(spell: Spell, deed: Deed, right: set[int], thrown: int, faces: int) -> Breach:
    """Return the breach of a spell that rolls another number of dice than its document states."""
    with_slot = f" with a slot of level {deed.slot_level}" if deed.slot_level else ""
    wanted = f"{min(right)}d{faces}" + (f" to {max(right)}d{faces}" if len(right) > 1 else "")
    why = (deed.seq, *((deed.slot,) if deed.slot else ()))
    says = f"{spell.name.casefold()} rolls {wanted}{with_slot}; a feature would explain other dice"
    return Breach(says, wanted, f"{thrown}d{faces}", why, "notice")


def _has_one_roll(spell: Spell) -> bool:
    """Say whether a spell deals its damage at once and in one roll, for each target or for all, so that its dice can be counted."""
    if spell.duration is None or spell.duration.unit != "instant" or spell.id in SEVERAL:
        return False
    types = [each.type for each in spell.damage]
    grows = bool(spell.by_level) or any(each.step for each in spell.damage)
    return len({*types}) == len(types) and (spell.save is not None or bool(spell.attack and grows))


def _thrown(part: Part, damage: Damage, spell: Spell) -> int:
    """Return the number of dice in a recorded part that belong to a part of a spell's damage; 0 if they do not."""
    threw, has = count_of(part.dice.notation) if part.dice else None, count_of(damage.dice)
    if threw is None or has is None or threw[1] != has[1]:
        return 0
    types = {damage.type, *damage.types}
    alike = [each for each in spell.damage if (found := count_of(each.dice)) and found[1] == has[1]]
    if part.damage_type:
        return threw[0] if part.damage_type.casefold() in types else 0
    named = part.name.casefold() in (spell.name.casefold(), DICE, *types)
    return threw[0] if named and len(alike) == 1 else 0


def _numbers(spell: Spell, damage: Damage, slot: int | None) -> set[int]:
    """Return the numbers of dice that a part of a spell's damage may have; none if the document does not state them."""
    if spell.by_level:
        return {found[0] for dice in spell.by_level.values() if (found := count_of(dice))}
    has = count_of(damage.dice)
    return set() if has is None or spell.level == 0 else _grown(spell, has[0], damage.step, slot)


def _grown(spell: Spell, number: int, each: str, slot: int | None) -> set[int]:
    """Return the possible numbers of dice with a slot, or any slot, from the number at the spell's level; `each` is
    what a level above adds.
    """
    step = count_of(each) if each else None
    if slot is not None and slot < spell.level:
        return set()
    if step is None:
        return {number} if slot == spell.level else set()
    levels = range(spell.level, HIGHEST + 1) if slot is None else (slot,)
    return {number + step[0] * (level - spell.level) for level in levels}


# ---------------------------------------------------------------- targets


@check("spell.targets", on=(ActionTaken, ResourceChanged))
def spells_have_their_targets(state: FifthState, fact: Occurrence[ActionTaken | ResourceChanged]) -> Breach | None:
    event = fact.event
    deed = cast_behind(state, fact) if is_a(fact, ResourceChanged) else recorded_deed(state, fact)
    spell = described(state, deed) if deed else None
    if deed is None or spell is None:
        return None
    targets = [*state.joined(deed.action.targets)]
    if isinstance(event, ResourceChanged):
        level = level_of(event.resource)
        told = level is None or _too_many(spell, deed, targets, HIGHEST)  # with the act
        return None if told or level is None else _too_many(spell, deed, targets, level)
    found = _strange(state, spell, targets) or _too_many(spell, deed, targets, HIGHEST)
    return found or _not_self(state, spell, deed, targets)


@check("dead.out", on=ActionTaken)
def the_dead_withstand_no_spell(state: FifthState, fact: Occurrence[ActionTaken]) -> Breach | None:
    """Find a spell without an area that gives a condition to who fails a save, and is aimed at the dead alone."""
    deed = recorded_deed(state, fact)
    spell = described(state, deed) if deed else None
    targets = [state.combatants[who] for who in state.joined(fact.event.action.targets)]
    if spell is None or spell.area or not targets or not conditions_of(spell, state.edition):
        return None
    if any(each.status != "dead" or trait_of(state, each) for each in targets):
        return None
    says, why = f"{targets[0].id} is dead already", targets[0].standing.because.flat().events
    return Breach(says, "somebody alive", spell.name.casefold(), why, "notice")


def _too_many(spell: Spell, deed: Deed, targets: list[str], slot: int) -> Breach | None:
    """Return the breach of a spell aimed at more targets than a slot allows; None if there are not too many."""
    if spell.targets is None or not (spell.targets_step or spell.healing):
        return None
    most = spell.targets + spell.targets_step * max(slot - spell.level, 0)
    if len(targets) <= most:
        return None
    with_slot = f" with a slot of level {slot}" if spell.targets_step else ""
    says = (
        f"{spell.name.casefold()} has {most} target{'s' if most > 1 else ''}{with_slot}; a feature would explain more"
    )
    return Breach(says, f"{most} at most", str(len(targets)), (deed.seq,), "notice")


def _strange(state: FifthState, spell: Spell, targets: list[str]) -> Breach | None:
    """Return the breach of a spell aimed at a type of creature that it does not affect; None if it is not."""
    edition = state.option("edition")
    only = ONLY_ON["both"].get(spell.id) or ONLY_ON[edition].get(spell.id)
    never = NOT_ON["both"].get(spell.id) or NOT_ON[edition].get(spell.id, frozenset())
    for one in map(state.combatants.__getitem__, targets):
        found = type_of(one)
        if found and ((only and only not in found) or found in never):
            says = (
                f"{spell.name.casefold()} is for a {only}"
                if only
                else f"{spell.name.casefold()} does nothing to {found}"
            )
            wanted = only or f"no {found}"
            return Breach(
                f"{says}, and {one.id} is {found}" if only else says, wanted, found, one.records("srd"), "notice"
            )
    return None


def _not_self(state: FifthState, spell: Spell, deed: Deed, targets: list[str]) -> Breach | None:
    """Return the breach of a spell that affects only its caster but is aimed at another combatant; None if it is
    not.
    """
    other = next((who for who in targets if who != deed.who), None)
    own = figures.entry_of(state.combatants[deed.who], deed.name)
    if spell.id not in ON_SELF or other is None or deed.who in targets or (own and own.range):
        return None  # a range of the sheet is judged as such
    return Breach(f"{spell.name.casefold()} is on its caster", deed.who, other, (), "notice")


def type_of(one: Combatant) -> str:
    """Return the type of creature of a monster in the documents; "" for other combatants."""
    edition, _, name = (one.sheet.srd or "").partition(":")
    from projections.rulesets.fifth_edition.srd import tables  # only where somebody casts

    known = tables.monsters(edition) if edition in tables.EDITIONS else ()
    return next((each.type for each in known if each.id == name), "")
