"""Hit points and hit dice: sums of damage, the attack table, enhancements, saves and morale; immunity to attributes."""

import re
from collections.abc import Iterator
from functools import cache

import msgspec
from msgspec import convert

from eventstore import events
from projections.because import Because, Derived
from projections.fight import Combatant
from projections.folds.effects import end_effects
from projections.mechanics.pools import PoolRules
from projections.mechanics.rolls import face
from projections.ruleset.catalogue import read_catalogue
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.vile_darkness.attack import NO_TABLE, affected_combatants, limit_to_scale, ruled_value
from projections.rulesets.vile_darkness.reading import Reading
from projections.rulesets.vile_darkness.sheet import Sheet
from projections.rulesets.vile_darkness.state import VileState, cited_records
from projections.rulesets.vile_darkness.table import RULES, entry_of
from projections.stream.causes import causes

Affecting = events.ConditionGained | events.DamageDealt | events.EffectStarted | events.Moved | events.ActionTaken
AFFECTING = (events.ConditionGained, events.DamageDealt, events.EffectStarted, events.Moved, events.ActionTaken)
"""Facts that affect a combatant."""
SOURCES = (events.EffectStarted, events.ActionTaken)


def listed_attributes(state: VileState, event: events.EffectStarted | events.ActionTaken) -> set[str]:
    """Return the attributes of an effect or act, or of its entry."""
    if isinstance(event, events.EffectStarted):
        entry, said = entry_of(state, event.source, event.effect), event.attributes
    else:
        entry, said = entry_of(state, event.combatant, event.action.name), ()
    return {each.casefold() for each in (*said, *(entry.attributes if entry else ()))}


@derives("attribute.immunity", "attribute.implied")
def immunity_with_rule(state: VileState, who: str, attributes: set[str]) -> tuple[str, str] | None:
    """Return one of these attributes, or one that they imply, to which a combatant is immune, with the rule."""
    own = {each.casefold() for each in state.combatants[who].sheet.immune}
    rows = read_catalogue(RULES).tables["implied"]
    implied = {each for row in rows if row["attribute"] in attributes for each in row["carries"]}
    for rule, those in (("attribute.immunity", attributes), ("attribute.implied", implied)):
        if found := sorted(own & those):
            return found[0], rule
    return None


@derives("attribute.immunity", on=events.EffectStarted, phase="effects")
def remove_immune_targets(state: VileState, fact: Reading[events.EffectStarted]) -> None:
    """Remove an effect from targets who are immune to it."""
    for who in filter(state.combatants.__contains__, fact.event.targets):
        if found := immunity_with_rule(state, who, listed_attributes(state, fact.event)):
            changed = cited_records(state.combatants[who].changed.get("immune", 0))
            end_effects(state, [(fact.seq, who)], Because((found[1],), (fact.seq,), (changed,)))


@checks_by("attribute.immunity", "attribute.implied", on=AFFECTING)
def the_immune_are_not_affected(state: VileState, fact: Reading[Affecting]) -> Iterator[Fault]:
    """Yield a fault for each combatant affected in spite of an immunity."""
    event = fact.event
    because = getattr(event, "trigger", None) or fact.cause
    kinds = SOURCES[:1] if isinstance(event, events.EffectStarted) else SOURCES
    sources = [(each.event, each.seq) for each in causes(state, because) if isinstance(each.event, kinds)]
    for who in filter(state.combatants.__contains__, affected_combatants(fact)):
        for source, seq in sources:
            if found := immunity_with_rule(state, who, listed_attributes(state, source)):
                why = (*state.combatants[who].records("immune"), seq)
                yield Fault((found[1],), f"{who} is immune to {found[0]}", "no effect", "an effect", why)
                return


STATUSES = {"up": "in the fight", "out": "out of the fight by a ruling"}
HEALTH, AS_SAID = ("hitdice.hit-points",), ("log.joining",)
"""The rules of hit points: those of hit dice, or of a sheet that differs from its hit dice."""


def pool_rules(_state: VileState, one: Combatant) -> PoolRules:
    """Return the rules of hit points: damage is subtracted, healing adds up to the maximum."""
    return PoolRules(cites={"hp": HEALTH if points_fit_dice(one.sheet, one.hp_max) else AS_SAID})


def status(_state: VileState, one: Combatant) -> Derived[str]:
    """Return the status `up`: the text has no state at 0 hit points, so only a ruling sets another one."""
    return Derived("up", Because(HEALTH, (one.joined,)))


@cache
def enhancement_bonus(bonus: int) -> tuple[str, int]:
    """Return the effect of a bonus on attack rolls, and the dice that it adds to saves: one per started four points."""
    rows = [row for row in read_catalogue(RULES).tables["enhancement"] if row["bonus"][0] <= bonus]
    return (rows[-1]["attack"], -(-bonus // 4)) if rows else ("", 0)


# ---------------------------------------------------------------- the attack table


def attack_dice(sheet: Sheet) -> int:
    """Return the hit dice for attacks: an enhancement adds one at most."""
    return sheet.hit_dice + (enhancement_bonus(sheet.hit_dice_bonus)[0] == "one-more-die")


@derives("attack.table-by-class", "attack.racial-hit-dice", "hitdice.attack-plus-row", "hitdice.attack-extra-die")
def attack_line(sheet: Sheet) -> tuple[str, str]:
    """Return the line of the attack table, class with level or hit dice, and the rule that decides it."""
    by_class, racial = "attack.table-by-class", "attack.racial-hit-dice"
    row, is_racial = enhancement_bonus(sheet.hit_dice_bonus)[0], sheet.hit_dice > 1 or sheet.hit_dice_bonus > 0
    if sheet.class_ and not (is_racial and sheet.level <= attack_dice(sheet)):
        return f"{sheet.class_} {sheet.level or ''}".strip(), racial if is_racial else by_class
    by_row = {"plus-row": "hitdice.attack-plus-row", "one-more-die": "hitdice.attack-extra-die"}
    rule = racial if sheet.class_ else by_row.get(row, by_class)
    return f"{attack_dice(sheet)}{'+' if row == 'plus-row' else ''} HD", rule


def attacks_as(state: VileState, who: str) -> Derived[str]:
    """Return the line of the attack table on which a combatant attacks."""
    value, rule = attack_line(state.combatants[who].sheet)
    records = state.combatants[who].records("class", "level", "hit_dice", "hit_dice_bonus")
    return Derived(value, Because((rule,), records))


def other_names(state: VileState, who: str) -> list[object]:
    """Return other names of a line: the bare dice, or the row of the monster table."""
    value = attacks_as(state, who).value
    if not value.endswith(" HD"):
        return [state.combatants[who].sheet.class_]
    bare = value.removesuffix(" HD")
    return [bare, f"monster {bare}", f"monster {bare} HD", "monster", *([int(bare)] if bare.isdecimal() else [])]


MONSTERS, ROW = re.compile(r"monster|\bhd\b|^\d", re.I), re.compile(r"(\d+)(?:-(\d+))?(\+?)")


def _is_own_table(sheet: Sheet, cited: str) -> bool:
    line, monsters, row = attack_line(sheet)[0], MONSTERS.search(cited), ROW.search(cited)
    if not line.endswith(" HD"):
        levels = {sheet.level, *map(int, re.findall(r"\d+", cited))} - {0}
        return not monsters and (len(levels) < 2 or sheet.class_.casefold() not in cited.casefold())
    if not monsters or not row:
        return bool(monsters)
    fits = int(row[1]) <= attack_dice(sheet) <= int(row[2] or row[1])
    return fits and bool(row[2] or bool(row[3]) == ("+" in line))


SHEETS = (events.CombatantJoined, events.SheetChanged)
LINES = {
    "attack.table-by-class": "each class has its own table, all others use that of monsters",
    "attack.racial-hit-dice": "hit dice count unless the level is higher",
    "hitdice.attack-plus-row": "a bonus of up to +3 gives the plus row",
    "hitdice.attack-extra-die": "a bonus of +4 or more gives another die",
}
"""The rules that decide the attack table, in words."""


@checks_by(*LINES, "attack.ac-scale", "hitdice.hit-points", on=SHEETS)
def a_sheet_agrees_with_itself(
    state: VileState, fact: Reading[events.CombatantJoined | events.SheetChanged]
) -> Iterator[Fault]:
    """Yield a fault for another attack table than its own, an armour class off the scale, hit points that are not diced."""
    who, said, joins = fact.event.combatant, fact.event.sheet, isinstance(fact.event, events.CombatantJoined)
    sheet = convert(said if joins else msgspec.to_builtins(state.combatants[who].sheet) | said, Sheet)
    (line, rule), cited, ac = attack_line(sheet), sheet.attack_table, said.get("ac")
    if "attack_table" in said and cited.casefold() not in NO_TABLE and not _is_own_table(sheet, cited):
        yield Fault((rule,), f"{who} attacks as {line}, not as {cited}: {LINES[rule]}", line, cited)
    if ac is not None and ac != limit_to_scale(ac):
        yield Fault(("attack.ac-scale",), f"{who} has AC {ac}, which is off the scale", "AC -10 to 10", f"AC {ac}")
    one = state.combatants.get(who)
    most: int | None = sheet.hp if sheet.hp_max is None else sheet.hp_max
    most = one.hp_max if one and "hp_max" not in said else most
    if not ({"hp_max", "hp_dice", "hit_dice_bonus"}.isdisjoint(said) or points_fit_dice(sheet, most)):
        due, records = _dice_total(sheet), one.records(*OF_HIT_POINTS) if one else ()
        says = f"{sheet.hit_dice} dice showing {sum(sheet.hp_dice)}, with {sheet.hit_dice_bonus:+} each, total {due}"
        expected = f"{sheet.hit_dice} dice and {due} hit points"
        found = f"{len(sheet.hp_dice)} dice and {most} hit points"
        yield Fault(("hitdice.hit-points",), says, expected, found, tuple(sorted({fact.seq, *records})))


# ---------------------------------------------------------------- saves, hit points, morale


@derives("hitdice.saving-throws")
def save_dice(state: VileState, who: str) -> Derived[int]:
    """Return the hit dice for saves: one more for every started four points of enhancement."""
    sheet, because = state.combatants[who].sheet, state.combatants[who].records("hit_dice", "hit_dice_bonus")
    value = sheet.hit_dice + enhancement_bonus(sheet.hit_dice_bonus)[1]
    return ruled_value(state, f"{who}.save-dice") or Derived(value, Because(save_dice.rules, because))


@derives("hitdice.overall")
def overall_dice(state: VileState, who: str) -> Derived[int]:
    """Return a combatant's overall hit dice: those of its saving throw."""
    covered, found = ruled_value(state, f"{who}.overall-dice"), save_dice(state, who)
    return covered or Derived(found.value, Because(overall_dice.rules, of=(found,)))


@derives("hitdice.morale")
def morale(state: VileState, who: str) -> Derived[int]:
    """Return the bonus to a combatant's morale checks: its enhancement."""
    bonus, because = state.combatants[who].sheet.hit_dice_bonus, state.combatants[who].records("hit_dice_bonus")
    return ruled_value(state, f"{who}.morale") or Derived(max(0, bonus), Because(morale.rules, because))


OF_HIT_POINTS = ("hp", "hp_max", "hp_dice", "hit_dice", "hit_dice_bonus", "class")
"""The keys of a sheet that decide its hit points."""


def _dice_total(sheet: Sheet) -> int:
    return sum(sheet.hp_dice) + sheet.hit_dice * sheet.hit_dice_bonus


def points_fit_dice(sheet: Sheet, most: int | None) -> bool:
    """Return whether hit points agree with the hit dice of a sheet; any number does with a class, or without dice."""
    diced = len(sheet.hp_dice) == sheet.hit_dice and _dice_total(sheet) == most
    return diced or not sheet.hp_dice or sheet.class_ != ""


@check("hitdice.morale", on=events.DiceRolled)
def morale_has_the_enhancement(state: VileState, fact: Reading[events.DiceRolled]) -> Breach | None:
    event = fact.event
    if (event.purpose or "").casefold() != "morale" or event.combatant not in state.combatants:
        return None
    due, said = morale(state, event.combatant), [mod.amount for mod in event.modifiers]
    if event.total is not None and event.die is not None:
        said.append(event.total - face(event.die))
    if not said or due.value in (0, *said):
        return None
    says = f"{event.combatant} checks morale at +{due.value}"
    return Breach(says, f"+{due.value}", f"+{said[-1]}", due.because.flat().events)


LIMIT = re.compile(r"(\d+)\s*(?:hd|hit dice)")


@check("hitdice.overall", on=events.EffectStarted)
def an_effect_asks_for_overall_hit_dice(state: VileState, fact: Reading[events.EffectStarted]) -> Breach | None:
    there = [who for who in fact.event.targets if who in state.combatants]
    for word in sorted(listed_attributes(state, fact.event)):
        limit = LIMIT.search(word)
        over = [who for who in there if limit and overall_dice(state, who).value > int(limit[1])]
        if over:
            due = overall_dice(state, over[0])
            says = f"{over[0]} has {due.value} hit dice in all"
            return Breach(says, word, f"{due.value} hit dice", due.because.flat().events)
    return None
