"""Casting spells: times, slots, components, armour, range and DC; powers that recharge, each counted as a resource."""

import re
from collections.abc import Iterator

from eventstore import events
from eventstore.shapes import Action
from projections.address import NOTHING
from projections.because import NOTHING_CITED, Because, Derived
from projections.fight import Combatant, TimelineRow
from projections.folds.roster import presumed_use, resource_left
from projections.mechanics.grants import has_grant
from projections.mechanics.rolls import face, fits_sides
from projections.occurrence import Occurrence, is_a
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.circumstances import apart, placings, range_breach, reach
from projections.rulesets.fifth_edition.concentration import end_concentration, is_long_casting
from projections.rulesets.fifth_edition.conditions import has, records_of
from projections.rulesets.fifth_edition.deeds import IN_WORDS, deed_of, recorded_cost, recorded_deed
from projections.rulesets.fifth_edition.shapes import AS_BEASTS
from projections.rulesets.fifth_edition.sheet import FifthEntry, Weapon
from projections.rulesets.fifth_edition.state import Deed, FifthState
from projections.time import Boundary


@checks_by(
    "spell.casting-time", "shape.no-spells", "slot.not-needed", "component.verbal", "spell.armor", "spell.range", on=events.ActionTaken,
)  # fmt: skip
def spells_are_cast_rightly(state: FifthState, fact: Occurrence[events.ActionTaken]) -> Iterator[Fault]:
    """Yield the faults of a casting: its time, the shape, voice and armour of its caster, and how far it goes."""
    if fact.kind != "cast":
        return
    action, deed, one = fact.event.action, deed_of(state, fact), state.combatants[fact.event.combatant]
    entry, said, ritual = figures.spell_entry(state, one, action), recorded_cost(action), "ritual" in deed.manner
    if entry and entry.cost and not (deed.granted or ritual or deed.cost == "held"):
        wanted, found = (IN_WORDS.get(cost, cost) for cost in (entry.cost.casefold(), said))
        if said not in ("", "none", "opportunity", entry.cost.casefold()):
            says, severity = f"{entry.name} takes {wanted}", figures.severity(one, action, "cost")
            yield Fault(("spell.casting-time",), says, wanted, found, one.records("entries"), severity=severity)
    yield from _hindrance_faults(state, one, deed)
    if ritual and not deed.granted:
        time = action.time
        if action.cost is not None if time is None else state.rules.calendar.whole_units(time, "minute") < 10:
            yield Fault(("slot.not-needed",), "a ritual takes ten minutes longer", "10 minutes", "less")
    if entry and not is_long_casting(state, action.time):
        yield from _range_faults(state, one, action, entry)


def _hindrance_faults(state: FifthState, one: Combatant, deed: Deed) -> Iterator[Fault]:
    """Yield the faults of a caster in a beast's shape, without a voice, or in strange armour."""
    shape = next((each for each in state.shapes.get(one.id, ()) if each.effect in AS_BEASTS), None)
    exempt = has_grant(state.rulings, "shape.no-spells", who=(one.id, one.side), said=(deed.name,)).value
    if shape and not exempt and not figures.entry_of(one, "beast spells"):
        says = f"{one.id} is {shape.name} by {shape.effect}"
        yield Fault(("shape.no-spells",), says, "no spell", deed.name or "a spell", (shape.seq,))
    mute = has(state, one.id, "silenced", "gagged")
    if mute.value and "verbal" in figures.spell_components(state, one, deed.action):
        severity = figures.severity(one, deed.action, "components") if deed.action.components is None else "breach"
        says, why = f"{one.id} cannot speak", records_of(mute)
        yield Fault(("component.verbal",), says, "no verbal component", "verbal", why, severity=severity)
    if "armor" in (each.casefold() for each in one.sheet.untrained):
        says, why = f"{one.id} wears armor without being trained in it", one.records("untrained")
        yield Fault(("spell.armor",), says, "no spell", "a spell", why)


def _range_faults(state: FifthState, one: Combatant, action: Action, entry: FifthEntry) -> Iterator[Fault]:
    """Yield the fault of a spell on its caster alone that has another target, and of one beyond its range."""
    word, targets, rule = str(entry.range).casefold(), [*state.joined(action.targets)], ("spell.range",)
    if word == "self":
        if targets and targets[0] != one.id:
            yield Fault(rule, f"{entry.name} targets only its caster", one.id, targets[0], one.records("entries"))
        return
    stated, severity = re.match(r"\d+", word), figures.severity(one, action, "range")
    most = reach(one) if word == "touch" else int(stated[0]) if stated else None
    for other in targets:
        feet = apart(state, one.id, other)
        if feet is not None and most is not None and feet > most:
            found = range_breach(other, feet, most, (*one.records("entries"), *placings(state, one.id, other)))
            yield Fault(rule, found.says, found.expected, found.found, found.because, severity=severity)
            return


@derives("spell.long-casting")
def long_casting_row(state: FifthState, one: Combatant) -> TimelineRow | None:
    """Return the timeline's row for the long casting of a combatant."""
    found = state.castings.get(one.id)
    if found is None or found.broken:
        return None
    because = Because(long_casting_row.rules, (found.seq,))
    return TimelineRow(state.clock.point, one.id, "begun", because, "cast", found.name, "action", events=(found.seq,))


@derives("spell.long-casting", on=(events.ActionTaken, events.ActionHeld), phase="consequences")
def break_casting(state: FifthState, fact: Occurrence[events.ActionTaken | events.ActionHeld]) -> None:
    """Break a long casting by another action of the caster's turn."""
    found = state.castings.get(fact.event.combatant)
    if not found or found.broken:
        return
    deed = state.deeds[fact.seq]
    same = deed.kind == "cast" and (deed.name or "a spell") == found.name.casefold()
    if deed.own and deed.counts and deed.cost == "action" and not same:
        end_concentration(state, deed.who, Because(break_casting.rules, (fact.seq,)))


@check("spell.long-casting", on=events.EffectStarted)
def a_broken_casting_has_no_effect(state: FifthState, fact: Occurrence[events.EffectStarted]) -> Breach | None:
    deed = state.deeds.get(fact.cause)
    found = state.castings.get(deed.who if deed else fact.event.source or "")
    if found is None or found.broken is None:
        return None
    if deed.seq != found.seq if deed else fact.called != found.name.casefold():
        return None
    return Breach(f"the casting of {found.name} was broken", "no effect", fact.event.effect, found.broken.own().events)


def slot_level(resource: str) -> int | None:
    """Return the level of a spell slot by its name; None if the name has none."""
    folded = resource.casefold()
    found = re.search(r"level (\d+)", folded) or re.search(r"(\d)(?:st|nd|rd|th)", folded)
    return int(found[1]) if found else None


def _is_slot(resource: str) -> bool:
    return "slot" in resource.casefold()


def slot_names(one: Combatant) -> dict[str, str]:
    """Return the names under which a combatant's spell slots are counted, by the words slot-1 to slot-9."""
    names = {name.casefold(): name for name in reversed(one.resources)}
    levels = {f"slot-{level}": f"level {level} spell slot" for level in "123456789"}
    return {word: names[level] for word, level in levels.items() if level in names}


def usable_slots(one: Combatant, level: int) -> list[str]:
    """Return the slots that a spell of this level can take, the lowest first."""
    known = slot_names(one)
    return [known[word] for each in range(level, 10) if (word := f"slot-{each}") in known]


def lowest_slot(one: Combatant, level: int) -> str:
    """Return the slot that a spell of this level takes: the lowest that is left, else the lowest; "" if there is none."""
    names = usable_slots(one, level)
    return next((each for each in names if one.resources[each] > 0), next(iter(names), ""))


@derives("slot.spent", on=(events.ActionTaken, events.ActionHeld), phase="consequences")
def spend_monster_slot(state: FifthState, fact: Occurrence[events.ActionTaken | events.ActionHeld]) -> None:
    """Spend the slot that a spell of a stat block takes, until a record says what was spent."""
    deed, one = state.deeds.get(fact.seq), state.combatants[fact.event.combatant]
    if deed is None or one.sheet.srd is None or not is_paid_with_a_slot(deed):
        return
    name = lowest_slot(one, deed.level or 0)
    deed.short = bool(name) and one.resources[name] <= 0
    if name and not deed.short:
        deed.presumed, one.presumed[fact.seq] = (name, one.counted[name]), name
        one.resources[name] -= 1
        tried = usable_slots(one, deed.level or 0)
        counted = tuple(one.counted[each] for each in (name, *tried[: tried.index(name)]))  # the lower ones are used up
        one.counted[name] = Because(spend_monster_slot.rules, (fact.seq,), counted)


@derives("slot.spent", on=events.ResourceChanged)
def give_back_monster_slot(state: FifthState, fact: Occurrence[events.ResourceChanged]) -> None:
    """Give the slot that a casting of a monster took back, as a record says what was spent for it."""
    deed, one = state.deeds.get(fact.cause), state.combatants[fact.event.combatant]
    if deed is None or deed.presumed is None or fact.event.amount >= 0 or deed.who != one.id:
        return
    (name, before), deed.presumed = deed.presumed, None
    del one.presumed[fact.cause]
    one.resources[name] += 1
    one.counted[name] = Because((), (fact.seq,), (before,))


@derives("slot.spent", "spell.bonus-action-bar", on=events.ResourceChanged)
def keep_slot_casting(state: FifthState, fact: Occurrence[events.ResourceChanged]) -> None:
    """Keep the casting for which a slot was spent, which proves that it is no cantrip, or something else instead."""
    if deed := deed_spending_slot(state, fact):
        deed.slot, deed.slot_level = fact.seq, slot_level(fact.event.resource)
        state.slots_spent.setdefault(deed.who, []).append((fact.seq, state.clock.turn_event, deed.seq))
    elif fact.event.amount < 0 and (deed := state.deeds.get(fact.cause)):
        deed.charged = True


def deed_spending_slot(state: FifthState, fact: Occurrence[events.ResourceChanged]) -> Deed | None:
    """Return the act that spends a slot; None if the record names none, or spends nothing."""
    return state.deeds.get(fact.cause) if _is_slot(fact.event.resource) and fact.event.amount < 0 else None


def casting_behind_slot(state: FifthState, fact: Occurrence[events.ResourceChanged]) -> Deed | None:
    """Return the casting for which a slot is spent, if the record names it."""
    deed = deed_spending_slot(state, fact)
    return deed if deed and deed.kind == "cast" else None


@checks_by("slot.not-needed", "slot.spent", "slot.none-left", "spell.long-casting", on=events.ResourceChanged)
def slots_are_spent_rightly(state: FifthState, fact: Occurrence[events.ResourceChanged]) -> Iterator[Fault]:
    """Yield the faults in the spending of a slot."""
    event, deed = fact.event, casting_behind_slot(state, fact)
    yield from slot_faults(state, fact)
    if deed is None:
        return
    level, why = slot_level(event.resource), (deed.seq, *state.combatants[deed.who].records("entries"))
    certainty = "breach" if deed.listed else "notice"
    if deed.level == 0:
        says = f"{deed.action.name} is a cantrip"
        yield Fault(("slot.not-needed",), says, "no slot", event.resource, why, severity=certainty)
    elif "ritual" in deed.manner:
        yield Fault(("slot.not-needed",), "a ritual spends no slot", "no slot", event.resource, (deed.seq,))
    elif event.amount < -1:
        yield Fault(("slot.spent",), "one casting spends one slot", "1 slot", f"{-event.amount} slots", (deed.seq,))
    elif level is not None and deed.level is not None and level < deed.level:
        says = f"{deed.action.name} is of level {deed.level}"
        yield Fault(("slot.spent",), says, f"level {deed.level} or higher", f"level {level}", why, severity=certainty)
    broken = state.castings.get(deed.who)
    if broken and broken.broken and broken.seq == deed.seq:
        says, why = f"the casting of {broken.name} was broken", broken.broken.own().events
        yield Fault(("spell.long-casting",), says, "no slot", event.resource, why)


def slot_faults(state: FifthState, fact: Occurrence[events.ResourceChanged]) -> Iterator[Fault]:
    """Yield a fault for a spent slot that the combatant does not have."""
    event, one = fact.event, state.combatants[fact.event.combatant]
    name = next((each for each in one.resources if each.casefold() == event.resource.casefold()), None)
    deed = state.deeds.get(fact.cause)
    if not _is_slot(event.resource) or name is None or (deed and deed.short):
        return
    if one.resources[name] < 0 and event.resource.casefold() not in map(str.casefold, one.sheet.resources):
        return  # nobody said how many there were
    if resource_left(state, event) + presumed_use(state, fact) < 0 and event.amount < 0:
        says, why = f"{one.id} has {max(0, one.resources[name]) or 'no'} {name} left", one.counted[name].flat().events
        yield Fault(("slot.none-left",), says, "none spent", f"{-event.amount} spent", why)


@check("slot.none-left", on=(events.ActionTaken, events.ActionHeld))
def a_monster_has_a_slot_left(state: FifthState, fact: Occurrence[events.Fact]) -> Breach | None:
    """Find the casting of a stat block whose slots for it are spent; what a record spends for it is no second finding."""
    if (deed := recorded_deed(state, fact)) is None:
        return None
    one = state.combatants[deed.who]
    names = usable_slots(one, deed.level or 0) if one.sheet.srd is not None and is_paid_with_a_slot(deed) else []
    if not names or any(one.resources[name] > 0 for name in names):
        return None
    events = tuple(seq for name in names for seq in one.counted[name].flat().events)
    return Breach(f"{one.id} has no slot left for {deed.name}", "no casting", "a casting", events)


@check("spell.one-slot-a-turn", on=(events.ActionTaken, events.ActionHeld, events.ResourceChanged))
def one_slot_a_turn_is_spent(state: FifthState, fact: Occurrence[events.Fact]) -> Breach | None:
    recorded = casting_behind_slot(state, fact) if is_a(fact, events.ResourceChanged) else None
    deed = recorded or recorded_deed(state, fact)
    if not state.is_new or deed is None or deed.granted or not (recorded or takes_slot(state, deed)):
        return None
    before = [seq for seq in slots_in_turn(state, deed.who, besides=deed.seq) if not recorded or seq not in state.deeds]
    if not before:
        return None
    if recorded:
        return Breach(f"{deed.who} has spent a slot in this turn", "one slot", "two", (before[0],))
    says = f"{deed.who} has cast another spell with a slot in this turn: granted_by, or a charge, would explain it"
    return Breach(says, "one slot", "two", (before[0],), "notice")


def slots_in_turn(state: FifthState, who: str, besides: int = 0) -> tuple[int, ...]:
    """Return the records of the slots spent in this turn for other castings; one with an unrecorded slot stands for it."""
    spent = ((seq, cast) for seq, turn, cast in state.slots_spent.get(who, ()) if turn == state.clock.turn_event)
    taken = ((each.seq, each.seq) for each in state.turn_deeds if each.who == who and takes_slot(state, each))
    return tuple(seq for seq, cast in (*spent, *taken) if cast != besides)


def takes_slot(state: FifthState, deed: Deed) -> bool:
    """Say whether a casting takes an unrecorded slot: a spell of the sheet, by a caster of whom none is ever recorded."""
    with_slots = any(map(_is_slot, state.combatants[deed.who].sheet.resources))
    return with_slots and is_paid_with_a_slot(deed) and deed.who not in state.slots_spent


def is_paid_with_a_slot(deed: Deed) -> bool:
    """Say whether an act is the casting of a spell of the sheet that has a level, and neither free nor given by something."""
    own = deed.kind == "cast" and deed.listed and bool(deed.level) and deed.cost in ("action", "bonus", "reaction")
    return own and not (deed.granted or deed.action.granted_by or deed.charged or "ritual" in deed.manner)


@check("spell.bonus-action-bar", on=(events.ActionTaken, events.ActionHeld, events.ResourceChanged))
def a_bonus_action_spell_bars_others(state: FifthState, fact: Occurrence[events.Fact]) -> Breach | None:
    deed = casting_behind_slot(state, fact) if is_a(fact, events.ResourceChanged) else recorded_deed(state, fact)
    if state.is_new or deed is None or deed.kind != "cast" or not has_price(deed):
        return None
    proven = isinstance(fact.event, events.ResourceChanged)
    if proven and (deed.level is not None or deed.slot):
        return None  # it was reported with the act
    casts = (each for each in state.turn_deeds if each.kind == "cast" and each.who == deed.who and each.seq != deed.seq)
    for other in casts:
        if not has_price(other) or (deed.granted and other.granted):
            continue
        first, second = (other, deed) if other.cost == "bonus" else (deed, other)
        if first.cost == "bonus" and is_barred_spell(state, second, proven and second is deed):
            says = f"{deed.who} casts a spell with its bonus action"
            certain = proven or all(each.listed or each.action.cost for each in (deed, other))
            severity = "breach" if certain else "notice"
            return Breach(says, "only a cantrip besides", "another spell", (other.seq,), severity)
    return None


def has_price(deed: Deed) -> bool:
    """Say whether the cost of a spell is known: it is stated, or that of its name, by which a finding is a notice."""
    return deed.known or not deed.listed


def is_barred_spell(state: FifthState, deed: Deed, proven: bool) -> bool:
    """Say whether a spell, in a turn with one cast as a bonus action, is certainly no cantrip of one action."""
    if deed.cost in ("reaction", "held") and state.option("bonus-spell-bar") == "reactions-exempt":
        return False
    return bool(deed.level or deed.slot or proven) or (deed.level == 0 and deed.cost != "action")


def why_barred(state: FifthState, one: Combatant) -> Because | None:
    """Return why a combatant can spend no slot now: a spell as its bonus action, or in 2024 a slot in this turn."""
    slots = slots_in_turn(state, one.id)
    casts = (each for each in state.turn_deeds if each.who == one.id and each.kind == "cast")
    bonus = tuple(each.seq for each in casts if each.cost == "bonus")
    if not (slots or bonus):
        return None
    if state.is_new:
        return Because(("spell.one-slot-a-turn",), slots) if slots else None
    barred = bonus and state.option("bonus-spell-bar") == "every-spell"
    return Because(("spell.bonus-action-bar",), bonus) if barred else None


@check("spell.save-dc", on=events.SaveRolled)
def spells_have_their_dc(state: FifthState, fact: Occurrence[events.SaveRolled]) -> Breach | None:
    deed = state.deeds.get(fact.cause)
    if deed is None or deed.kind != "cast" or fact.event.dc is None or fact.event.purpose in ("concentration", "death"):
        return None
    one = state.combatants[deed.who]
    wanted, stated = figures.casting_number(one, "dc")
    at_a_friend = state.combatants[fact.event.combatant].side == one.side
    if wanted is None or wanted == fact.event.dc or (fact.implied and at_a_friend):
        return None
    changed = any(effect.bearer == one.id for effect in state.effects.values())
    severity = "breach" if stated and not changed else "notice"
    says, why = f"{one.id}'s sheet gives DC {wanted}", one.records("spellcasting")
    return Breach(says, f"DC {wanted}", f"DC {fact.event.dc}", why, severity)


PURPOSE = "recharge"
"""The purpose of the die; the name of the power may follow."""
BREATHS = "breath weapons"
"""The entry of a dragon with several breaths, of which each spends all."""

Power = FifthEntry | Weapon


def recharging_powers(one: Combatant) -> dict[str, Power]:
    """Return the powers of a combatant that recharge, by their folded names."""
    listed: tuple[Power, ...] = (*(one.sheet.entries or ()), *one.sheet.weapons)
    return {each.name.casefold(): each for each in listed if each.recharge is not None}


def power_used(one: Combatant, name: str) -> str:
    """Return the folded name of the power that an act of this name uses; "" if it uses none that recharges."""
    found = recharging_powers(one)
    if name not in found and name.endswith("breath") and not figures.entry_of(one, name):
        name = BREATHS
    return name if name in found else ""


def is_ready(one: Combatant, name: str) -> bool:
    """Say whether a power is ready: it was not used since it last recharged."""
    return one.resources.get(name, 1) > 0


def _why_ready(one: Combatant, name: str) -> Because:
    return one.counted.get(name) or Because((), one.records("entries", "weapons"))


@derives("recharge.power", on=(events.CombatantJoined, events.SheetChanged), phase="reading")
def count_powers(state: FifthState, fact: Occurrence[events.Fact]) -> None:
    """Count the powers on a sheet, each ready until it is used."""
    who = fact.event.combatant  # type: ignore[attr-defined]
    one = state.combatants[who]
    for name in recharging_powers(one):
        if name not in one.resources:
            one.resources[name], one.counted[name] = 1, Because(count_powers.rules, (fact.seq,))


@derives("recharge.power", on=events.ActionTaken)
def spend_power(state: FifthState, fact: Occurrence[events.ActionTaken]) -> None:
    """Spend the power that an act uses."""
    one = state.combatants[fact.event.combatant]
    if name := power_used(one, (fact.event.action.name or "").casefold()):
        one.resources[name], one.counted[name] = 0, Because(spend_power.rules, (fact.seq,))
        _settle_recharge_die(state, one.id, name, fact.seq)


def _settle_recharge_die(state: FifthState, who: str, name: str, seq: int) -> None:
    if state.recharges.get(who, {}).pop(name, None):
        state.ended["recharge", who] = state.ended.get(("recharge", who), NOTHING_CITED) + Because((), (seq,))


@derives("recharge.power", on=events.ResourceChanged)
def limit_power_count(state: FifthState, fact: Occurrence[events.ResourceChanged]) -> None:
    """Keep the number of a power at 0 or 1, where its use, or its return, is recorded as well."""
    one, name = state.combatants[fact.event.combatant], fact.event.resource.casefold()
    if name in recharging_powers(one):
        one.resources[name] = min(1, max(0, one.resources[name]))


@derives("recharge.die", at="turn began", phase="aftermath")
def owe_recharge_dice(state: FifthState, turn: Boundary) -> None:
    """Let a combatant owe a die for each spent power as its turn begins."""
    one = state.combatants[turn.who]
    state.recharges[one.id] = {name: turn.seq for name in recharging_powers(one) if not is_ready(one, name)}
    ready = (
        seq for name in recharging_powers(one) if is_ready(one, name) for seq in _why_ready(one, name).own().events
    )
    state.ended["recharge", one.id] = Because((), tuple(ready))


def power_rolled_for(state: FifthState, event: events.DiceRolled) -> str:
    """Return the power for which a die is rolled: the named one, else the first that owes one, or is spent; "" for none."""
    one, (word, _, named) = state.combatants.get(event.combatant or ""), (event.purpose or "").casefold().partition(" ")
    if one is None or word != PURPOSE:
        return ""
    spent = (name for name in recharging_powers(one) if not is_ready(one, name))
    return power_used(one, named) if named else next(iter((*state.recharges.get(one.id, ()), *spent)), "")


@derives("recharge.die")
def makes_ready(power: Power, event: events.DiceRolled) -> bool | None:
    """Return whether a die makes a power ready: by its face, else as stated."""
    return event.succeeded if event.die is None else face(event.die) >= (power.recharge or 0)


@derives("recharge.die", "recharge.power", on=events.DiceRolled, phase="rolls")
def recharge_by_die(state: FifthState, fact: Occurrence[events.DiceRolled]) -> None:
    """Make a power ready by a die that reaches its number."""
    if name := power_rolled_for(state, fact.event):
        one = state.combatants[fact.event.combatant or ""]
        _settle_recharge_die(state, one.id, name, fact.seq)
        if makes_ready(recharging_powers(one)[name], fact.event):
            why = Because(recharge_by_die.rules, (fact.seq,), (_why_ready(one, name),))
            one.resources[name], one.counted[name] = 1, why


@derives("recharge.die")
def owed_recharge_dice(state: FifthState, who: str) -> Derived[str]:
    """Return the dice that a combatant owes for its spent powers, or none."""
    one, due = state.combatants[who], state.recharges.get(who, {})
    if not due:
        return Derived(NOTHING, Because(owed_recharge_dice.rules, (one.joined,), state.why_over("recharge", who)))
    shapes = (each.read for each in state.shapes.get(who, ()))
    why = (*(_why_ready(one, name) for name in recharging_powers(one)), *state.why_over("recharge", who), *shapes)
    events = (*one.records("entries", "weapons"), *dict.fromkeys(due.values()))
    return Derived(f"d6 to recharge {', '.join(due)}", Because(owed_recharge_dice.rules, events, why))


@check("recharge.power", on=events.ActionTaken, subject=deed_of)
def a_spent_power_is_not_used(state: FifthState, _fact: Occurrence[events.ActionTaken], deed: Deed) -> Breach | None:
    one = state.combatants[deed.who]
    name = power_used(one, deed.name)
    if not name or is_ready(one, name):
        return None
    if has_grant(state.rulings, "recharge.power", who=(one.id, one.side), said=(name,)).value:
        return None
    return Breach(f"{one.id} has not recharged {name}", "ready", "spent", _why_ready(one, name).flat().events)


@checks_by("recharge.die", on=events.DiceRolled)
def the_recharge_die_is_due(state: FifthState, fact: Occurrence[events.DiceRolled]) -> Iterator[Fault]:
    """Yield a fault for a die that is none, that is not due, or whose outcome is wrong."""
    event, name = fact.event, power_rolled_for(state, fact.event)
    if not name:
        return
    one, rules = state.combatants[event.combatant or ""], ("recharge.die",)
    power = recharging_powers(one)[name]
    if event.die is not None and not fits_sides(event.die, 6):
        yield Fault(rules, f"{name} recharges on a d6", "1 to 6", str(face(event.die)))
    elif is_ready(one, name):
        yield Fault(rules, f"{name} is ready", "no die", "a die", _why_ready(one, name).flat().events)
    elif state.started and name not in state.recharges.get(one.id, {}):
        before = state.ended.get(("recharge", one.id), NOTHING_CITED).flat().events
        yield Fault(rules, f"{one.id} rolls for {name} once, as its turn begins", "no die", "a die", before)
    elif event.succeeded not in (None, made := makes_ready(power, event)):
        words = {True: "ready", False: "spent"}
        says = f"{name} recharges on {power.recharge} or more"
        why = (*one.records("entries", "weapons"), *_why_ready(one, name).flat().events)
        yield Fault(rules, says, words[bool(made)], words[bool(event.succeeded)], why)
