"""Spells by name: the meaning of a typed line; checks by the document, all notices, since a feature may allow more."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import structs, to_builtins

from eventstore import events
from eventstore.events import ActionTaken, ConditionGained, DamageDealt, Fact, Healed, ResourceChanged, SaveRolled
from eventstore.form import REFERENCE_FIELDS
from eventstore.shapes import Duration, Part
from projections.fight import Combatant
from projections.mechanics.rolls import dice_and_sides
from projections.occurrence import Occurrence, is_a
from projections.ruleset.ruleset import Breach, check
from projections.rulesets.fifth_edition import figures, spellbook
from projections.rulesets.fifth_edition.casting import casting_behind_slot, lowest_slot, slot_level
from projections.rulesets.fifth_edition.circumstances import deed_behind
from projections.rulesets.fifth_edition.damage import make_dealing
from projections.rulesets.fifth_edition.death import saving_trait
from projections.rulesets.fifth_edition.deeds import recorded_deed
from projections.rulesets.fifth_edition.sheet import FifthEntry
from projections.rulesets.fifth_edition.srd import campaigns, tables
from projections.rulesets.fifth_edition.srd.tables import Damage, Spell
from projections.rulesets.fifth_edition.state import Deed, FifthState

FAILED: dict[str, dict[tuple[str, ...], tuple[str, ...]]] = {
    "both": {
        ("charmed",): (
            "animal-friendship", "charm-monster", "charm-person", "dominate-beast", "dominate-monster", "dominate-person",
        ),
        ("restrained",): ("black-tentacles", "ensnaring-strike", "entangle", "flesh-to-stone", "web"),
        ("frightened",): ("fear", "weird"),
        ("prone",): ("grease", "sleet-storm"),
        ("prone", "incapacitated"): ("hideous-laughter",),
        ("paralyzed",): ("hold-monster", "hold-person"),
        ("charmed", "incapacitated"): ("hypnotic-pattern",),
    },
    "2014": {("frightened",): ("phantasmal-killer",)},
    "2024": {
        ("incapacitated",): ("banishment",),
        ("charmed",): ("compulsion", "irresistible-dance", "mass-suggestion", "suggestion"),
        ("poisoned",): ("contagion",),
    },
}  # fmt: skip
"""The immediate and certain conditions of a target that fails the save, each with the ids of spells, by edition."""

SAVED_AGAIN = (
    "compulsion", "dominate-beast", "dominate-monster", "dominate-person", "fear", "hideous-laughter", "hold-monster",
    "hold-person", "phantasmal-killer", "weird",
)  # fmt: skip
"""The spells whose conditions a later save, made in its bearer's turn, ends."""

UNITS = ("round", "minute", "hour", "day")


class Line:
    """The facts of a line while they are added to and put in order; references within the line follow their facts."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self.facts: list[Fact] = [*facts]
        self.order = [*range(len(facts))]
        self.links: list[dict[str, int]] = [
            {name: place + back for name, back in _backward_links(fact).items()} for place, fact in enumerate(facts)
        ]

    def add(self, fact: Fact, behind: int, **links: int) -> int:
        """Add a fact behind another, and return its number."""
        self.facts.append(fact)
        self.links.append(links)
        self.order.insert(self.order.index(behind) + 1, len(self.facts) - 1)
        return len(self.facts) - 1

    def move(self, number: int, before: int) -> None:
        """Move a fact to the place before another."""
        self.order.remove(number)
        self.order.insert(self.order.index(before), number)

    def drop(self, number: int) -> None:
        """Take a fact out; its consequences get its cause."""
        self.order.remove(number)
        instead = self.links[number].get("cause")
        for links in self.links:
            for name in [name for name, to in links.items() if to == number]:
                if instead is None:
                    del links[name]
                else:
                    links[name] = instead

    def made(self) -> tuple[Fact, ...]:
        """Return the facts in their order."""
        place = {number: at for at, number in enumerate(self.order)}
        return tuple(self._linked(number, at, place) for at, number in enumerate(self.order))

    def _linked(self, number: int, at: int, place: dict[int, int]) -> Fact:
        own = {name: place.get(to, to) - at for name, to in self.links[number].items()}
        fact = self.facts[number]
        cleared = {name: None for name in _backward_links(fact) if name not in own}
        return structs.replace(fact, **own, **cleared) if own or cleared else fact


def _backward_links(fact: Fact) -> dict[str, int]:
    named = {name: getattr(fact, name) for name in REFERENCE_FIELDS & set(fact.__struct_fields__)}
    return {name: back for name, back in named.items() if back is not None and back < 0}


def completed_meanings(state: FifthState, facts: tuple[Fact, ...]) -> tuple[tuple[Fact, ...], ...]:
    """Return the meanings of a typed line: one or, if it is open whether damage is halved already, two."""
    line, found = Line(facts), False
    for number, fact in enumerate(facts):
        if isinstance(fact, ActionTaken) and fact.action.plain_kind == "cast":
            found = _complete_casting(state, line, number, fact) or found
    if not any(isinstance(each, ActionTaken) for each in facts):
        found = _complete_answers(state, line)
    if not found:
        return (facts,)
    plain, shared = line.made(), _shared_damage(line)
    halved = _halve_damage(state, line, shared) if shared else None
    if halved is None or shared is None:
        return (plain,)
    return (halved,) if shared.others else (halved, plain)


def _complete_casting(state: FifthState, line: Line, act: int, fact: ActionTaken) -> bool:
    """Complete the consequences of a casting, and return whether its spell is known."""
    edition, one = state.option("edition"), state.combatants.get(fact.combatant)
    spell = _spell_named(state, fact.action.name or "")
    if spell is None or one is None:
        return False
    entry = figures.spell_entry(state, one, fact.action)
    if spell.edition:
        entry = _record_entry(line, act, one, spell)
    _set_duration(line, act, spell)
    _spend_monster_slot(line, act, fact, one, spell)
    if entry is None or (entry.allows_save is None and fact.action.allows_save is None):
        return True
    saves = [number for number in _consequences(line, act) if isinstance(line.facts[number], SaveRolled)]
    allowed = fact.action.allows_save or entry.allows_save
    hurt = [number for number in _consequences(line, act) if isinstance(line.facts[number], DamageDealt)]
    for number in saves:
        save = line.facts[number]
        line.links[number].setdefault("cause", act)
        if isinstance(save, SaveRolled) and save.save is None and save.purpose is None and allowed:
            line.facts[number] = structs.replace(save, save=allowed.save)
        if hurt and line.order.index(number) > line.order.index(hurt[0]):
            line.move(number, hurt[0])
    _add_conditions(line, act, fact, spell, saves, edition)
    return True


def _spend_monster_slot(line: Line, act: int, fact: ActionTaken, one: Combatant, spell: Spell) -> None:
    """Spend a monster's slot for its spell, the lowest that it has left, unless the line spends something itself."""
    free = not spell.level or fact.action.granted_by or "ritual" in fact.action.plain_manner
    if one.sheet.srd is None or free or any(isinstance(each, ResourceChanged) for each in line.facts):
        return
    if name := lowest_slot(one, spell.level):
        line.add(ResourceChanged(combatant=one.id, resource=name, amount=-1), act, cause=act)


def _spell_named(state: FifthState, name: str) -> Spell | None:
    """Return a spell by its name: the one in the log's campaign, else the one in the document; None while the campaign is missing."""
    if campaigns.is_missing(state):
        return None
    return campaigns.campaign_spell(state, name) or spellbook.spell_named(name, state.option("edition"))


def _record_entry(line: Line, act: int, one: Combatant, spell: Spell) -> FifthEntry:
    """Record a spell of the campaign on the sheet of its caster, if it is not there, and return its entry."""
    entry, own = spellbook.make_entry(spell), figures.entry_of(one, spell.name)
    if own is None:
        entries = [*(one.sheet.entries or ()), entry]
        sheet = {"entries": [to_builtins(each) for each in entries]}
        number = line.add(events.SheetChanged(combatant=one.id, sheet=sheet), act)
        line.move(number, act)
    return own or entry


def _set_duration(line: Line, act: int, spell: Spell) -> None:
    """Give the effect of a spell its duration, unless a higher slot may change that."""
    duration = _duration_of(spell)
    if duration is None:
        return
    more = any(each.step for each in spell.damage) or spell.targets_step or spell.healing_step
    spent = [getattr(each, "resource", "") for each in line.facts]
    if not more and any("slot" in word and f"level {spell.level} " not in f"{word} " for word in spent):
        return
    for number, effect in enumerate(line.facts):
        own = line.links[number].get("cause") == act
        if own and isinstance(effect, events.EffectStarted) and effect.duration is None:
            line.facts[number] = structs.replace(effect, duration=duration)


def _consequences(line: Line, act: int) -> Iterator[int]:
    """Yield the consequences of a casting: facts caused by it or its effect, and saves without a cause before the next act."""
    behind = line.order[line.order.index(act) + 1 :]
    effects = [number for number in behind if _cause_of(line, number) == act and _is_effect(line, number)]
    open_ = True
    for number in behind:
        open_ = open_ and not isinstance(line.facts[number], ActionTaken)
        cause, fact = _cause_of(line, number), line.facts[number]
        saves = isinstance(fact, SaveRolled) and fact.purpose != "death"
        if cause in (act, *effects) or (cause is None and open_ and saves):
            yield number


def _cause_of(line: Line, number: int) -> int | None:
    own = line.links[number].get("cause")
    return getattr(line.facts[number], "cause", None) if own is None else own


def _is_effect(line: Line, number: int) -> bool:
    return isinstance(line.facts[number], events.EffectStarted)


def _add_conditions(line: Line, act: int, fact: ActionTaken, spell: Spell, saves: list[int], edition: str) -> None:
    """Give a spell's conditions to the targets that fail the save; one that all targets withstand has no effect."""
    effect = next((n for n in line.order if _is_effect(line, n) and line.links[n].get("cause") == act), None)
    rolled = [each for number in saves if isinstance(each := line.facts[number], SaveRolled)]
    if effect is not None and spell.area is None and fact.action.targets:
        made = {each.combatant for each in rolled if each.succeeded}
        if made.issuperset(fact.action.targets):
            line.drop(effect)
            return
    names = spell_conditions(spell, edition)
    failed = [each.combatant for each in rolled if each.succeeded is False and each.purpose is None]
    if not names or not failed:
        return
    told = _told_conditions(line)
    behind = max(saves, key=line.order.index)
    if effect is not None and isinstance(begun := line.facts[effect], events.EffectStarted):
        line.facts[effect] = structs.replace(begun, targets=begun.targets or tuple(failed))
    for name in names:
        those = tuple(who for who in failed if (name, who) not in told)
        if those:
            cause = act if effect is None or name == "prone" else effect
            duration = _duration_of(spell) if effect is None and name != "prone" else None
            gained = ConditionGained(condition=name, targets=those, source=fact.combatant, duration=duration)
            behind = line.add(gained, behind, cause=cause)


def _told_conditions(line: Line) -> set[tuple[str, str]]:
    gained = [each for each in line.facts if isinstance(each, ConditionGained)]
    return {(each.condition.casefold(), who) for each in gained for who in each.targets}


def _running_effect(state: FifthState, deed: Deed) -> int:
    running = {seq for seq, _ in state.effects}
    return next((seq for seq, cause in state.caused.items() if cause == deed.seq and seq in running), 0)


def _duration_of(spell: Spell) -> Duration | None:
    time = spell.duration
    lasts = time is not None and time.unit in UNITS
    return Duration(amount=time.amount, unit=time.unit) if time and lasts and time.amount else None


def spell_conditions(spell: Spell, edition: str) -> tuple[str, ...]:
    """Return the conditions of a target that fails the save against a spell, for certain and at once."""
    if spell.edition:
        return spell.conditions  # of a campaign's own
    rows = (row for each in (edition, "both") for row in FAILED.get(each, {}).items())
    return next((names for names, ids in rows if spell.id in ids), ())


class Shared(NamedTuple):
    """The damage of a casting with one number for all targets: its act, that after made saves, that of the others."""

    act: int
    saved: list[int]
    others: list[int]


def _shared_damage(line: Line) -> Shared | None:
    """Return the damage of a casting with one number for all its targets, if some made the save; else None."""
    for act in [n for n in line.order if isinstance(line.facts[n], ActionTaken)]:
        found = [*_consequences(line, act)]
        dealt = {n: each for n in found if isinstance(each := line.facts[n], DamageDealt)}
        made = {save.combatant for n in found if isinstance(save := line.facts[n], SaveRolled) and save.succeeded}
        people = [each.target for each in dealt.values()]
        alike = len({(each.amount, each.parts) for each in dealt.values()}) == 1 and len({*people}) == len(people)
        changed = any(each.multipliers or each.reductions or each.object for each in dealt.values())
        saved = [n for n, each in dealt.items() if each.target in made]
        if saved and alike and not changed:
            return Shared(act, saved, [n for n in dealt if n not in saved])
    return None


def _halve_damage(state: FifthState, line: Line, shared: Shared) -> tuple[Fact, ...] | None:
    """Return the facts of a line with reduced damage for the targets that made the save; None if nothing is reduced."""
    fact = line.facts[shared.act]
    assert isinstance(fact, ActionTaken)  # noqa: S101 – what several share is the damage of an act
    one = state.combatants[fact.combatant]
    entry, spell = figures.spell_entry(state, one, fact.action), _spell_named(state, fact.action.name or "")
    allowed = fact.action.allows_save or (entry.allows_save if entry else None)
    spares = spell and spell.damage and spell.save and spell.save.success == "none"
    if allowed is None or not (allowed.half or spares):
        return None
    copy = Line(line.made())
    place = {number: at for at, number in enumerate(line.order)}
    for number in (place[each] for each in shared.saved):
        blow = copy.facts[number]
        if not allowed.half:
            copy.drop(number)
        if not allowed.half or not isinstance(blow, DamageDealt):
            continue
        parts = blow.parts
        if len(parts) == 1 and parts[0].dice is None and parts[0].amount == blow.amount:
            parts = (structs.replace(parts[0], amount=blow.amount // 2),)
        copy.facts[number] = structs.replace(blow, amount=blow.amount // 2, parts=parts)
    return copy.made()


def _complete_answers(state: FifthState, line: Line) -> bool:
    """Complete saves and conditions of a line without a casting, by the last spell at them or one that holds them."""
    found = False
    for number, each in [(n, each) for n in line.order if isinstance(each := line.facts[n], ConditionGained)]:
        if each.cause is None and each.duration is None and (effect := _effect_behind(state, each)):
            line.facts[number] = structs.replace(each, cause=effect)
            found = True
    for number, save in [(n, each) for n in line.order if isinstance(each := line.facts[n], SaveRolled)]:
        if save.purpose is not None or save.cause is not None or save.combatant not in state.combatants:
            continue
        deed = next((each for each in reversed(state.turn_deeds) if _is_asked(state, each, save)), None)
        own = _complete_save(state, line, number, save, deed) if deed else _end_withstood(state, line, number, save)
        found = own or found
    return found


def _effect_behind(state: FifthState, gained: ConditionGained) -> int:
    """Return the effect of which a condition is part: cast in this turn, or one that imposes it already; 0 for none."""
    name, those, edition = gained.condition.casefold(), {*gained.targets}, state.option("edition")
    for deed in reversed(state.turn_deeds):
        spell = _spell_named(state, deed.name) if deed.kind == "cast" and deed.name else None
        if spell and name in spell_conditions(spell, edition) and name != "prone" and those <= {*deed.action.targets}:
            return _running_effect(state, deed)
    alike = (seq for (seq, who), each in state.conditions.items() if who in those and each.called == name)
    imposed = {state.imposed.get(seq, 0) for seq in alike}
    return imposed.pop() if len(imposed) == 1 and gained.source is None else 0


def _is_asked(state: FifthState, deed: Deed, save: SaveRolled) -> bool:
    """Say whether an act of this turn asks a combatant for this save, and has not had it yet."""
    if deed.kind != "cast" or deed.save is None or (deed.seq, save.combatant) in state.saves:
        return False
    said, asked = figures.ability_name(save.save), figures.ability_name(deed.save.save)
    return save.combatant in deed.action.targets and said in ("", asked)


def _complete_save(state: FifthState, line: Line, number: int, save: SaveRolled, deed: Deed) -> bool:
    dc = save.dc if save.dc is not None else deed.save.dc if deed.save else None
    dc = figures.casting_number(state.combatants[deed.who], "dc")[0] if dc is None else dc
    made = save.succeeded
    if made is None and save.total is not None and dc is not None:
        made = save.total >= dc
    asked = save.save or (deed.save.save if deed.save else None)
    line.facts[number] = structs.replace(save, save=asked, cause=deed.seq, succeeded=made)
    spell = _spell_named(state, deed.name)
    if made is not False or spell is None:
        return True
    told, effect, behind = _told_conditions(line), _running_effect(state, deed), number
    for name in spell_conditions(spell, state.option("edition")):
        if (name, save.combatant) not in told:
            duration = _duration_of(spell) if not effect and name != "prone" else None
            cause = deed.seq if not effect or name == "prone" else effect
            those = (save.combatant,)
            gained = ConditionGained(condition=name, targets=those, source=deed.who, duration=duration, cause=cause)
            behind = line.add(gained, behind)
    return True


def _end_withstood(state: FifthState, line: Line, number: int, save: SaveRolled) -> bool:
    """End the conditions that a combatant withstands by a later save in its own turn, and return whether any ended."""
    if not save.succeeded or state.clock.turn != save.combatant:
        return False
    behind = number
    for (seq, who), each in state.conditions.items():
        cause = state.begun.get(state.imposed.get(seq, 0))
        spell = _spell_named(state, cause.effect) if cause and who == save.combatant else None
        if spell is None or spell.id not in SAVED_AGAIN or spell.save is None or each.called == "prone":
            continue
        if figures.ability_name(save.save) in ("", spell.save.ability):
            line.facts[number] = structs.replace(save, save=save.save or spell.save.ability)
            why = f"saved against {spell.name.casefold()}"
            behind = line.add(events.ConditionLost(condition=each.name, targets=(who,), reason=why), behind)
    return behind != number


DICE = "dice"
"""The name of a part if a line gives only its dice."""
HIGHEST = 9
"""The highest level of a slot."""
SEVERAL = frozenset({"acid-arrow", "contagion", "meteor-swarm", "prismatic-spray", "vitriolic-sphere"})
"""The spells that roll at different times, or for different purposes, though the tables have only one roll."""

ONLY_ON = {
    "beast": ("animal-friendship", "dominate-beast"),
    "humanoid": ("charm-person", "dominate-person", "hold-person"),
}
"""The spells that affect only one type of creature, by that type."""

HEALING = (
    "cure-wounds", "heal", "healing-word", "mass-cure-wounds", "mass-heal", "mass-healing-word", "prayer-of-healing",
)  # fmt: skip
NOT_ON = {"undead": ("blight", "hold-monster", *HEALING), "construct": ("blight", *HEALING)}
"""The spells that have no effect on a type of creature in 2014, by that type."""

ON_SELF = (
    "alter-self", "blink", "blur", "comprehend-languages", "disguise-self", "divine-favor", "expeditious-retreat", "false-life",
    "fire-shield", "glibness", "mirror-image", "misty-step", "see-invisibility", "shapechange", "shield", "speak-with-animals",
    "time-stop", "tree-stride",
)  # fmt: skip
"""The spells of range self that affect nobody but their caster."""


def described_spell(state: FifthState, deed: Deed) -> Spell | None:
    """Return the document's record of the spell that an act casts; None if a campaign may have its own."""
    if deed.kind != "cast" or not deed.name or state.option("campaign"):
        return None
    return spellbook.spell_named(deed.name, state.option("edition"))


@check("spell.dice", on=DamageDealt)
def spells_roll_their_dice(state: FifthState, fact: Occurrence[DamageDealt]) -> Breach | None:
    if fact.event.object:
        return None
    deal = make_dealing(state, fact)
    spell = described_spell(state, deal.deed) if deal.deed else None
    if deal.deed is None or spell is None or not _has_one_roll(spell):
        return None
    own = figures.entry_of(state.combatants[deal.deed.who], deal.deed.name)
    if own and own.dice:
        return None  # dice of the sheet are judged as such
    critical = deal.rolled.stated if deal.rolled else None
    doubled = (1,) if critical is False or not spell.attack else (2,) if critical else (1, 2)
    for damage in spell.damage:
        has = dice_and_sides(damage.dice)
        thrown = [found for part in fact.event.parts if (found := _dice_of_part(part, damage, spell))]
        if has is None or not thrown:
            continue
        right = {many * by for many in _possible_dice(spell, damage, deal.deed.slot_level) for by in doubled}
        if right and sum(thrown) not in right:
            return _dice_breach(spell, deal.deed, right, sum(thrown), has[1])
    return None


@check("spell.dice", on=Healed)
def spells_heal_their_dice(state: FifthState, fact: Occurrence[Healed]) -> Breach | None:
    deed = None if fact.event.temporary else deed_behind(state, fact.cause)
    spell = described_spell(state, deed) if deed else None
    has = dice_and_sides(spell.healing.partition("+")[0]) if spell else None
    if deed is None or spell is None or has is None or spell.duration is None or spell.duration.unit != "instant":
        return None
    rolled = [found for part in fact.event.parts if part.dice and (found := dice_and_sides(part.dice.notation))]
    thrown = sum(many for many, faces in rolled if faces == has[1])
    right = _dice_with_slot(spell, has[0], spell.healing_step, deed.slot_level)
    return _dice_breach(spell, deed, right, thrown, has[1]) if thrown and right and thrown not in right else None


def _dice_breach(spell: Spell, deed: Deed, right: set[int], thrown: int, faces: int) -> Breach:
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


def _dice_of_part(part: Part, damage: Damage, spell: Spell) -> int:
    """Return the number of dice in a recorded part that belong to a part of a spell's damage; 0 if they do not."""
    threw, has = dice_and_sides(part.dice.notation) if part.dice else None, dice_and_sides(damage.dice)
    if threw is None or has is None or threw[1] != has[1]:
        return 0
    types = {damage.type, *damage.types}
    alike = [each for each in spell.damage if (found := dice_and_sides(each.dice)) and found[1] == has[1]]
    if part.damage_type:
        return threw[0] if part.damage_type.casefold() in types else 0
    named = part.name.casefold() in (spell.name.casefold(), DICE, *types)
    return threw[0] if named and len(alike) == 1 else 0


def _possible_dice(spell: Spell, damage: Damage, slot: int | None) -> set[int]:
    """Return the numbers of dice that a part of a spell's damage may have; none if the document does not state them."""
    if spell.by_level:
        return {found[0] for dice in spell.by_level.values() if (found := dice_and_sides(dice))}
    has = dice_and_sides(damage.dice)
    return set() if has is None or spell.level == 0 else _dice_with_slot(spell, has[0], damage.step, slot)


def _dice_with_slot(spell: Spell, number: int, each: str, slot: int | None) -> set[int]:
    """Return the possible numbers of dice with a slot, or any, from the number at the spell's level on."""
    step = dice_and_sides(each) if each else None
    if slot is not None and slot < spell.level:
        return set()
    if step is None:
        return {number} if slot == spell.level else set()
    levels = range(spell.level, HIGHEST + 1) if slot is None else (slot,)
    return {number + step[0] * (level - spell.level) for level in levels}


@check("spell.targets", on=(ActionTaken, ResourceChanged))
def spells_have_their_targets(state: FifthState, fact: Occurrence[ActionTaken | ResourceChanged]) -> Breach | None:
    event = fact.event
    deed = casting_behind_slot(state, fact) if is_a(fact, ResourceChanged) else recorded_deed(state, fact)
    spell = described_spell(state, deed) if deed else None
    if deed is None or spell is None:
        return None
    targets = [*state.joined(deed.action.targets)]
    if isinstance(event, ResourceChanged):
        level = slot_level(event.resource)
        told = level is None or _targets_breach(spell, deed, targets, HIGHEST)  # with the act
        return None if told or level is None else _targets_breach(spell, deed, targets, level)
    found = _creature_breach(state, spell, targets) or _targets_breach(spell, deed, targets, HIGHEST)
    other = next((who for who in targets if who != deed.who), None)
    own = figures.entry_of(state.combatants[deed.who], deed.name)
    is_judged = bool(own and own.range)  # by the range of the sheet
    if found or is_judged or spell.id not in ON_SELF or other is None or deed.who in targets:
        return found
    return Breach(f"{spell.name.casefold()} targets only its caster", deed.who, other, (), "notice")


@check("dead.out", on=ActionTaken)
def the_dead_withstand_no_spell(state: FifthState, fact: Occurrence[ActionTaken]) -> Breach | None:
    """Find a spell without an area that gives a condition to who fails a save, and is aimed at the dead alone."""
    deed = recorded_deed(state, fact)
    spell = described_spell(state, deed) if deed else None
    targets = [state.combatants[who] for who in state.joined(fact.event.action.targets)]
    if spell is None or spell.area or not targets or not spell_conditions(spell, state.edition):
        return None
    if any(each.status != "dead" or saving_trait(state, each) for each in targets):
        return None
    says, why = f"{targets[0].id} is dead already", targets[0].standing.because.flat().events
    return Breach(says, "a living target", spell.name.casefold(), why, "notice")


def _targets_breach(spell: Spell, deed: Deed, targets: list[str], slot: int) -> Breach | None:
    """Return the breach of a spell aimed at more targets than a slot allows; None if there are not too many."""
    if spell.targets is None or not (spell.targets_step or spell.healing):
        return None
    most = spell.targets + spell.targets_step * max(slot - spell.level, 0)
    if len(targets) <= most:
        return None
    with_slot = f" with a slot of level {slot}" if spell.targets_step else ""
    allowed = f"{most} target{'s' if most > 1 else ''}"
    says = f"{spell.name.casefold()} has {allowed}{with_slot}; a feature would explain more"
    return Breach(says, f"{allowed} at most", f"{len(targets)} targets", (deed.seq,), "notice")


def _creature_breach(state: FifthState, spell: Spell, targets: list[str]) -> Breach | None:
    """Return the breach of a spell aimed at a type of creature that it does not affect; None if it is not."""
    name, only = spell.name.casefold(), next((kind for kind, ids in ONLY_ON.items() if spell.id in ids), "")
    never = [kind for kind, ids in NOT_ON.items() if spell.id in ids and state.option("edition") == "2014"]
    for one in map(state.combatants.__getitem__, targets):
        monster = tables.monster_by_reference(one.sheet.srd or "")
        found = monster.type if monster else ""
        if found and only and only not in found:
            says, why = f"{name} is for a {only}, and {one.id} is {found}", one.records("srd")
            return Breach(says, only, found, why, "notice")
        if found in never:
            return Breach(f"{name} does nothing to {found}", f"no {found}", found, one.records("srd"), "notice")
    return None
