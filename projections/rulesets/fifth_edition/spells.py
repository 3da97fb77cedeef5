"""Casting spells: times, slots, components, ranges, DCs; long castings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from eventstore.events import ActionHeld, ActionTaken, EffectStarted, ResourceChanged, SaveRolled
from projections.because import Because, Derived
from projections.folds.roster import remaining
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.acts.deeds import told
from projections.rulesets.fifth_edition.conditions import events_of, has
from projections.rulesets.fifth_edition.focus import is_long, stop
from projections.rulesets.fifth_edition.ground import apart, reach, records
from projections.rulesets.fifth_edition.state import Deed, FifthState
from projections.rulesets.ruleset import Breach, check, derives
from projections.state import Combatant, TimelineRow


def level_of(resource: str) -> int | None:
    """Return the level of a spell slot by the words for it; None of what is none."""
    folded = resource.casefold()
    found = re.search(r"level (\d+)", folded) or re.search(r"(\d)(?:st|nd|rd|th)", folded)
    return int(found[1]) if found and "slot" in folded else None


def is_slot(resource: str) -> bool:
    """Say whether a resource is a spell slot."""
    return "slot" in resource.casefold()


@check("spell.casting-time", on=ActionTaken, subject=told)
def a_spell_takes_its_time(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    one = state.combatants[deed.who]
    entry = figures.spell_of(one, deed.action)
    said = (deed.action.cost or "").casefold()
    if deed.kind != "cast" or entry is None or not entry.cost or said in ("", "held", "none") or deed.granted:
        return None
    if said == entry.cost.casefold() or said in ("opportunity",) or "ritual" in deed.manner:
        return None
    return Breach(f"{entry.name} takes {entry.cost}", entry.cost, said, one.records("entries"))


# ---------------------------------------------------------------- slots


@derives("slot.spent", "spell.bonus-action-bar", on=ResourceChanged)
def slot_is_spent(state: FifthState, fact: Occurrence[ResourceChanged]) -> None:
    """Keep for which casting a slot was spent, which proves that it is no cantrip."""
    deed = state.deeds.get(fact.cause)
    if deed and is_slot(fact.event.resource) and fact.event.amount < 0:
        deed.slot = fact.seq
        state.slots_spent.setdefault(deed.who, []).append((fact.seq, state.clock.turn_event, deed.seq))


def cast_behind(state: FifthState, fact: Occurrence[ResourceChanged]) -> Deed | None:
    """Return the casting for which a slot is spent, as far as the record says it."""
    deed = state.deeds.get(fact.cause)
    return deed if deed and deed.kind == "cast" and is_slot(fact.event.resource) and fact.event.amount < 0 else None


@checks_by(
    "slot.not-needed", "slot.spent", "slot.none-left", "spell.one-slot-a-turn", "spell.long-casting", on=ResourceChanged
)
def slots_are_spent_rightly(state: FifthState, fact: Occurrence[ResourceChanged]) -> Iterator[Fault]:
    """Yield what is wrong with a slot that is spent."""
    event, deed = fact.event, cast_behind(state, fact)
    yield from too_few(state, fact)
    if deed is None:
        return
    one = state.combatants[deed.who]
    level, entries = level_of(event.resource), one.records("entries")
    if deed.level == 0:
        yield Fault(
            ("slot.not-needed",), f"{deed.action.name} is a cantrip", "no slot", event.resource, (deed.seq, *entries)
        )
    elif "ritual" in deed.manner:
        yield Fault(("slot.not-needed",), "a ritual spends no slot", "no slot", event.resource, (deed.seq,))
    elif event.amount < -1:
        yield Fault(("slot.spent",), "one casting spends one slot", "-1", str(event.amount), (deed.seq,))
    elif level is not None and deed.level is not None and level < deed.level:
        says = f"{deed.action.name} is of level {deed.level}"
        yield Fault(("slot.spent",), says, f"level {deed.level} or higher", f"level {level}", (deed.seq, *entries))
    yield from second_slot(state, deed)
    broken = state.castings.get(deed.who)
    if broken and broken.broken and broken.seq == deed.seq:
        why = broken.broken.own().events
        yield Fault(("spell.long-casting",), f"the casting of {broken.name} was broken", "no slot", event.resource, why)


def too_few(state: FifthState, fact: Occurrence[ResourceChanged]) -> Iterator[Fault]:
    """Yield that a slot is spent that is not there, or that another number is told to be left."""
    event, one = fact.event, state.combatants[fact.event.combatant]
    name = next((each for each in one.resources if each.casefold() == event.resource.casefold()), None)
    if not is_slot(event.resource) or name is None:
        return
    if one.resources[name] < 0 and event.resource.casefold() not in map(str.casefold, one.sheet.resources):
        return  # nobody said how many there were
    left, why = remaining(state, event), one.counted[name].flat().events
    if left < 0 and event.amount < 0:
        yield Fault(
            ("slot.none-left",),
            f"{one.id} has {max(0, one.resources[name])} of {name} left",
            "none spent",
            str(event.amount),
            why,
        )


def second_slot(state: FifthState, deed: Deed) -> Iterator[Fault]:
    """Yield that a second slot is spent in a turn, in 2024."""
    if not state.is_new or deed.granted:
        return
    for seq, turn, cast in state.slots_spent.get(deed.who, ()):
        if turn == state.clock.turn_event and cast != deed.seq:
            yield Fault(("spell.one-slot-a-turn",), f"{deed.who} has spent a slot in this turn", "one", "two", (seq,))
            return


@check("slot.not-needed", on=ActionTaken, subject=told)
def a_ritual_takes_longer(state: FifthState, fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    if deed.kind != "cast" or "ritual" not in deed.manner or deed.granted:
        return None
    time = fact.event.action.time
    short = deed.action.cost is not None if time is None else state.rules.calendar.whole(time, "minute") < 10
    return Breach("a ritual takes ten minutes longer", "10 minutes", "less") if short else None


@check("spell.bonus-action-bar", on=(ActionTaken, ActionHeld, ResourceChanged))
def a_bonus_action_spell_bars_others(state: FifthState, fact: Occurrence[Any]) -> Breach | None:
    deed = cast_behind(state, fact) if isinstance(fact.event, ResourceChanged) else told(state, fact)
    if state.is_new or deed is None or deed.kind != "cast" or not deed.known:
        return None
    proven = isinstance(fact.event, ResourceChanged)
    if proven and (deed.level is not None or deed.slot):
        return None  # it was told before
    others = [
        each for each in state.turn_deeds if each.kind == "cast" and each.who == deed.who and each.seq != deed.seq
    ]
    for other in others:
        if not other.known or (deed.granted and other.granted):
            continue
        first, second = (other, deed) if other.cost == "bonus" else (deed, other)
        if first.cost == "bonus" and barred(state, second, proven and second is deed):
            return Breach(
                f"{deed.who} casts a spell with its bonus action", "a cantrip at most", "another spell", (other.seq,)
            )
    return None


def barred(state: FifthState, deed: Deed, proven: bool) -> bool:
    """Say whether a spell besides one of a bonus action is certainly no cantrip of one action."""
    if deed.cost in ("reaction", "held") and state.option("bonus-spell-bar") == "reactions-exempt":
        return False
    level_known = deed.level is not None or deed.slot or proven
    return bool(level_known) and (bool(deed.level or deed.slot or proven) or deed.cost != "action")


def bars(state: FifthState, one: Combatant, what: str) -> Because | None:
    """Return why somebody can spend no slot now: a spell of its bonus action, in 2024 a slot spent in this turn; None if it can."""
    if not what.startswith("slot-"):
        return None
    if state.is_new:
        rule, option = "spell.one-slot-a-turn", "edition"
        spent = [seq for seq, turn, _ in state.slots_spent.get(one.id, ()) if turn == state.clock.turn_event]
    else:
        rule, option = "spell.bonus-action-bar", "bonus-spell-bar"
        spent = [deed.seq for deed in state.turn_deeds if deed.who == one.id and is_cast_with_bonus_action(deed)]
        spent = spent if state.option(option) == "every-spell" else []
    return Because((rule,), tuple(spent), state.chosen(option)) if spent else None


def is_cast_with_bonus_action(deed: Deed) -> bool:
    """Say whether an act is a spell that certainly took the bonus action."""
    return deed.kind == "cast" and deed.known and deed.cost == "bonus"


# ---------------------------------------------------------------- components, armor, range


@check("component.verbal", on=ActionTaken)
def the_silenced_say_no_words(state: FifthState, fact: Occurrence[ActionTaken]) -> Breach | None:
    event, one = fact.event, state.combatants[fact.event.combatant]
    if event.action.kind.casefold() != "cast":
        return None
    found = has(state, one.id, "silenced", "gagged")
    if not found.value or "verbal" not in figures.components(one, event.action):
        return None
    return Breach(f"{one.id} cannot speak", "no verbal component", "verbal", events_of(found))


@check("spell.armor", on=ActionTaken)
def nobody_casts_in_strange_armor(state: FifthState, fact: Occurrence[ActionTaken]) -> Breach | None:
    one = state.combatants[fact.event.combatant]
    if fact.event.action.kind.casefold() != "cast" or "armor" not in (each.casefold() for each in one.sheet.untrained):
        return None
    return Breach(f"{one.id} wears armor that it is not trained in", "no spell", "a spell", one.records("untrained"))


@check("spell.range", on=ActionTaken)
def spells_go_no_farther(state: FifthState, fact: Occurrence[ActionTaken]) -> Breach | None:
    event, one = fact.event, state.combatants[fact.event.combatant]
    entry = figures.spell_of(one, event.action) if event.action.kind.casefold() == "cast" else None
    if entry is None or entry.range is None or is_long(state, event.action.time):
        return None
    word = entry.range.casefold() if isinstance(entry.range, str) else ""
    others = [each for each in event.action.targets if each in state.combatants and each != one.id]
    if word == "self":
        strange = others[:1] if event.action.targets[:1] != (one.id,) else []
        return Breach(f"{entry.name} is on its caster", one.id, strange[0], one.records("entries")) if strange else None
    most = reach(one) if word == "touch" else figures.feet_in(entry.range)
    for other in others:
        feet = apart(state, one.id, other)
        if feet is not None and most is not None and feet > most:
            why = (*one.records("entries"), *records(state, one.id, other))
            return Breach(f"{other} is {feet} feet away", f"{most} ft", f"{feet} ft", why)
    return None


@check("spell.save-dc", on=SaveRolled)
def spells_have_their_dc(state: FifthState, fact: Occurrence[SaveRolled]) -> Breach | None:
    deed = state.deeds.get(fact.cause)
    if deed is None or deed.kind != "cast" or fact.event.dc is None or fact.event.purpose in ("concentration", "death"):
        return None
    one = state.combatants[deed.who]
    wanted, stated = figures.spell_dc(one)
    if wanted is None or wanted == fact.event.dc or (fact.implied and not is_at_a_foe(state, deed, fact.event)):
        return None
    changed = any(effect.bearer == one.id for effect in state.effects.values())
    severity = "breach" if stated and not changed else "notice"
    return Breach(
        f"the sheet of {one.id} gives DC {wanted}",
        str(wanted),
        str(fact.event.dc),
        one.records("spellcasting"),
        severity,
    )


def is_at_a_foe(state: FifthState, deed: Deed, save: SaveRolled) -> bool:
    """Say whether a save that names no cause can be one against the spell before it: by a target that is of another side."""
    return (
        save.combatant in deed.action.targets
        and state.combatants[save.combatant].side != state.combatants[deed.who].side
    )


@derives("spell.save-dc")
def save_dc(state: FifthState, who: str) -> Derived[int] | None:
    """Return the DC of somebody's spells."""
    one = state.combatants[who]
    found = figures.spell_dc(one)[0]
    why = one.records("spellcasting", "abilities", "proficiency")
    return None if found is None else Derived(found, Because(save_dc.rules, why))


@derives("spell.attack-bonus")
def attack_bonus(state: FifthState, who: str) -> Derived[int] | None:
    """Return the bonus of somebody's spell attacks."""
    one = state.combatants[who]
    found = figures.spell_attack(one)[0]
    why = one.records("spellcasting", "abilities", "proficiency")
    return None if found is None else Derived(found, Because(attack_bonus.rules, why))


# ---------------------------------------------------------------- long castings


@derives("spell.long-casting")
def casting(state: FifthState, one: Combatant) -> TimelineRow | None:
    """Return the long casting that somebody is at."""
    found = state.castings.get(one.id)
    if found is None or found.broken:
        return None
    because = Because(casting.rules, (found.seq,))
    return TimelineRow(state.clock.point, one.id, "begun", because, "cast", found.name, "action", events=(found.seq,))


@derives("spell.long-casting", on=(ActionTaken, ActionHeld))
def another_action_breaks_it(state: FifthState, fact: Occurrence[Any]) -> None:
    """Break a long casting by another action of the own turn."""
    deed, found = state.deeds.get(fact.seq), state.castings.get(fact.event.combatant)
    if not deed or not found or found.broken or not deed.own or not deed.counts:
        return
    same = deed.kind == "cast" and (deed.action.name or "").casefold() == found.name.casefold()
    if deed.cost == "action" and not same:
        stop(state, deed.who, Because(another_action_breaks_it.rules, (fact.seq,)))


@check("spell.long-casting", on=EffectStarted)
def a_broken_casting_has_no_effect(state: FifthState, fact: Occurrence[EffectStarted]) -> Breach | None:
    deed = state.deeds.get(fact.cause)
    who = deed.who if deed else fact.event.source or ""
    found = state.castings.get(who)
    named = (
        found
        and found.broken
        and (deed.seq == found.seq if deed else fact.event.effect.casefold() == found.name.casefold())
    )
    if not found or not found.broken or not named:
        return None
    return Breach(f"the casting of {found.name} was broken", "no effect", fact.event.effect, found.broken.own().events)
