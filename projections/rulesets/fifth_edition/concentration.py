"""Concentration: its object, the saves for it, and its ends."""

from collections.abc import Iterator

from eventstore import events
from eventstore.events import ActionHeld, ActionTaken, CombatantLeft, DamageDealt, EffectStarted, Fact, SaveRolled
from eventstore.shapes import Span
from projections.because import NOTHING_CITED, Because, Derived
from projections.fight import Combatant
from projections.folds.concentration import release
from projections.mechanics.conditions import effects_held, last_effect_name
from projections.mechanics.dues import Due, lapse, owe, owed
from projections.mechanics.memo import memoize
from projections.mechanics.pools import TEMP
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import derives
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.conditions import BOUNDARIES, ENDING, add_asked_options, flag_of, has_flag
from projections.rulesets.fifth_edition.rolls import outcome_words, roll_total
from projections.rulesets.fifth_edition.state import Casting, Deed, FifthState
from projections.time import Boundary

SAVE, ONE = "save for concentration", "concentration.one-at-a-time"
NEXT_TURN = "its next turn"


@derives("concentration.holds-effect", "ready.spell", "spell.long-casting")
@memoize
def concentration_object(state: FifthState, one: Combatant) -> tuple[str, Because]:
    """Return the effect, held spell or long casting on which a combatant concentrates, or "", with the reason."""
    held, cast = state.held.get(one.id), state.castings.get(one.id)
    if held and held.spell:
        return held.name, Because(("ready.spell",), (held.seq,))
    if cast and cast.broken is None:
        return cast.name, Because(("spell.long-casting",), (cast.seq,))
    found = last_effect_name(state.effects, state.released, one.id)
    lost = (Derived(one.id, state.released_by[one.id]),) if one.id in state.released_by else ()
    of = (found, *lost, Derived(found.value, Because((), state.source_unstated)))
    return found.value, Because(("concentration.holds-effect",), () if found.value else (one.joined,), of)


def concentrating_combatants(state: FifthState) -> set[str]:
    """Return the combatants who concentrate on anything."""
    found = {each.source for each in state.effects.values() if each.concentration}
    found.update(who for who, held in state.held.items() if held.spell)
    found.update(who for who, cast in state.castings.items() if cast.broken is None)
    return found


def end_concentration(state: FifthState, who: str, because: Because, but: int = 0) -> None:
    """End all objects of a combatant's concentration, except one that the record `but` began."""
    held, cast = state.held.get(who), state.castings.get(who)
    if held and held.spell and held.seq != but:
        del state.held[who]
        state.lapsed[who] = because.flat().events[-1]
        state.released_by[who], state.lost_spell[who] = because, because
    if cast and cast.broken is None:
        state.castings[who] = Casting(cast.seq, cast.name, because)
        state.released_by[who] = because
    release(state, who, because + Because(of=(Derived(who, Because((), state.source_unstated)),)), but=but)
    lapse(state.dues, NEXT_TURN, who)


@derives("concentration.holds-effect", on=EffectStarted, phase="effects")
def derive_concentration(state: FifthState, fact: Occurrence[EffectStarted]) -> None:
    """Let an effect need concentration if the entry of its spell says so, and derive its source, who concentrates."""
    deed = act_behind_effect(state, fact)
    alone = fact.event.targets[0] if len(fact.event.targets) == 1 else ""
    who = fact.event.source or (deed.who if deed else alone)
    caster = state.combatants.get(who)
    entry = figures.entry_of(caster, fact.event.effect, deed.action.name if deed else None) if caster else None
    if caster and deed and (entry is None or not entry.concentration) and deed.name == fact.called:
        entry = figures.spell_entry(state, caster, deed.action)
    same = [key for key in effects_held(state.effects, who, fact.seq) if deed and state.caused.get(key[0]) == deed.seq]
    spell = deed.name if deed else ""
    alike = fact.called in (spell, *(state.effects[key].called for key in same))
    for key in same if fact.called == spell else ():  # what else the spell does needs no concentration
        other = state.effects[key]
        other.concentration = other.called == spell or state.begun[key[0]].concentration
    derived = bool(entry and entry.concentration) and (alike or not same)
    for key in [key for key in state.effects if key[0] == fact.seq]:
        effect = state.effects[key]
        effect.concentration = effect.concentration or derived
        if effect.concentration and not effect.source:
            effect.source = who
            state.source_unstated = (*state.source_unstated, *(each.seq for each in state.turn_deeds))


def act_behind_effect(state: FifthState, fact: Occurrence[EffectStarted]) -> Deed | None:
    """Return the act that began an effect: its cause or, without one, the only act of its name in this turn."""
    if fact.cause:
        return state.deeds.get(fact.cause)
    alike = [each for each in state.turn_deeds if each.name == fact.called]
    return alike[0] if len(alike) == 1 else None


@derives("concentration.one-at-a-time", on=EffectStarted, phase="consequences")
def end_former_effect(state: FifthState, fact: Occurrence[EffectStarted]) -> None:
    """End concentration on an effect when one of another cause begins that needs concentration."""
    begun = (each for key, each in state.effects.items() if key[0] == fact.seq)
    who = next((each.source for each in begun if each.concentration), "")
    state.caused[fact.seq] = cause = fact.cause or fact.seq
    same = [key for key in effects_held(state.effects, who, fact.seq) if state.caused.get(key[0]) == cause]
    for each in [state.effects[key] for key in same]:
        each.of = (*each.of, Derived(who, Because((), (cause,))))
    if who and not same:
        act = None if fact.cause or fact.event.source else act_behind_effect(state, fact)
        because = Because(end_former_effect.rules, (*((act.seq,) if act else ()), fact.seq))
        cast = state.castings.get(who)
        if cast and cast.seq == fact.cause:
            del state.castings[who]
        end_concentration(state, who, because, fact.seq)


@derives(ONE, "ready.spell", "spell.long-casting", on=(ActionTaken, ActionHeld), phase="consequences")
def end_concentration_by_casting(state: FifthState, fact: Occurrence[ActionTaken] | Occurrence[ActionHeld]) -> None:
    """End concentration with a readied spell or a long casting, in 2024 with any spell that needs concentration."""
    event, who = fact.event, fact.event.combatant
    action = event.action
    if action is None or action.plain_kind != "cast":
        return
    entry, name = figures.spell_entry(state, state.combatants[who], action), action.name or "a spell"
    if isinstance(event, ActionHeld):
        end_concentration(state, who, Because((ONE, "ready.spell"), (fact.seq,)), fact.seq)
    elif is_long_casting(state, action.time if action.time is not None else entry.time if entry else None):
        same = state.castings.get(who)
        if not (same and same.broken is None and same.name.casefold() == name.casefold()):
            end_concentration(state, who, Because((ONE, "spell.long-casting"), (fact.seq,)), fact.seq)
            state.castings[who] = Casting(fact.seq, name)
    elif entry and entry.concentration:
        if state.is_new:
            end_concentration(state, who, Because((ONE,), (fact.seq,)), fact.seq)
        else:
            add_asked_options([state.effects[key] for key in effects_held(state.effects, who)])


def is_long_casting(state: FifthState, time: int | Span | None) -> bool:
    """Say whether a casting time is a minute or more."""
    return time is not None and state.rules.calendar.whole_units(time, "second") >= 60


HARM = (DamageDealt, events.ConditionGained, EffectStarted, SaveRolled, CombatantLeft, events.RulingMade, events.SheetChanged)  # fmt: skip
"""The facts with which a combatant may become helpless."""


@derives("concentration.incapacitated", on=HARM, phase="consequences")
def end_concentration_of_helpless(state: FifthState, fact: Occurrence[Fact]) -> None:
    """End the concentration of combatants that are incapacitated, dead, at 0 hit points, or gone."""
    those = concentrating_combatants(state)
    for one in [one for who, one in state.combatants.items() if who in those]:
        if one.left or one.status in ("dead", "down") or has_flag(state, one.id, "no_concentration"):
            unable = flag_of(state, one.id, "no_concentration")
            end_concentration(state, one.id, Because(end_concentration_of_helpless.rules, (fact.seq,), (unable,)))


@derives("concentration.damage-save", "concentration.each-source", on=DamageDealt, phase="aftermath")
def owe_save_for_damage(state: FifthState, fact: Occurrence[DamageDealt]) -> None:
    """Let a concentrating combatant that takes damage owe a save for each source."""
    event, who = fact.event, fact.event.target
    if event.object or event.amount <= 0 or who not in concentrating_combatants(state):
        return
    counts = event.amount > state.loss.temp or state.option("absorbed-damage") == "counts"
    why = Because(owe_save_for_damage.rules, (fact.seq,))
    if not counts:
        settled = state.saves_settled.get(who, NOTHING_CITED)
        state.saves_settled[who] = settled + why + state.combatants[who].pools[TEMP].derived().because
    else:
        owe(state.dues, Due(who, SAVE, NEXT_TURN, why, state.blow_by.get(fact.seq, (who, fact.seq))[1]))


def answered_due(state: FifthState, fact: Occurrence[SaveRolled]) -> Due | None:
    """Return the owed save that a record answers: for the damage that it names, else with its DC, else the oldest."""
    who = fact.event.combatant
    key = state.blow_by.get(fact.cause, (who, fact.cause))[1]
    own = owed(state.dues, SAVE, who)
    named = [due for due in own if due.about == key]
    alike = [due for due in own if (found := concentration_dc(state, who, due.about)) and found.value == fact.event.dc]
    return next(iter((*named, *alike, *own)), None)


@derives("concentration.dc")
def concentration_dc(state: FifthState, who: str, about: int) -> Derived[int] | None:
    """Return the DC of a save: 10 or half the damage of its source, in 2024 30 at most."""
    blow = state.blows.get((who, about))
    if blow is None:
        return None
    found = max(10, blow.amount // 2)
    number = 30 if found > 30 and state.is_new else found
    return Derived(number, Because(concentration_dc.rules, blow.events, (blow.asked,)))


@derives("concentration.damage-save")
def is_concentration_save(state: FifthState, fact: Occurrence[SaveRolled]) -> bool:
    """Say whether a save is for concentration: by its purpose, or as an owed Constitution save that damage caused."""
    event, by_damage = fact.event, fact.cause in state.blow_by
    unnamed = event.purpose is None and figures.ability_name(event.save) == "constitution"
    return event.purpose == "concentration" or (unnamed and by_damage and bool(owed(state.dues, SAVE, event.combatant)))


def save_outcome(state: FifthState, fact: Occurrence[SaveRolled]) -> tuple[bool | None, Derived[int] | None]:
    """Return whether a save for concentration is made, and its DC if the damage is known."""
    event, total = fact.event, roll_total(state, fact.event)
    due = answered_due(state, fact)
    about = due.about if due else state.blow_by.get(fact.cause, ("", 0))[1]
    found = concentration_dc(state, event.combatant, about)
    needed = found.value if found else event.dc if event.dc is not None else 10
    return (event.succeeded if total is None else total >= needed), found


@derives("concentration.damage-save", "concentration.dc", on=SaveRolled, phase="consequences")
def end_concentration_by_save(state: FifthState, fact: Occurrence[SaveRolled]) -> None:
    """End concentration after a failed save."""
    who = fact.event.combatant
    if not is_concentration_save(state, fact):
        return
    (good, found), due = save_outcome(state, fact), answered_due(state, fact)
    if due:
        state.dues.pop((due.who, due.what, due.about), None)
        state.saves_settled[who] = state.saves_settled.get(who, NOTHING_CITED) + Because((), (fact.seq,))
    if good is False:
        of = (*((Derived(who, due.because),) if due else ()), *((found,) if found else ()))
        end_concentration(state, who, Because(("concentration.damage-save",), (fact.seq,), of))
    elif found:
        for key in effects_held(state.effects, who):
            state.effects[key].of = (*state.effects[key].of, Derived(good, Because((), (fact.seq,), (found,))))


@checks_by("concentration.dc", "save.total", on=SaveRolled)
def the_dc_is_right(state: FifthState, fact: Occurrence[SaveRolled]) -> Iterator[Fault]:
    """Yield a fault for a save for concentration that states another DC, or the wrong outcome."""
    event = fact.event
    if not is_concentration_save(state, fact):
        return
    good, found = save_outcome(state, fact)
    if found and event.dc is not None and event.dc != found.value:
        says, wanted = f"the DC is half the damage, at least 10: {found.value}", f"DC {found.value}"
        yield Fault(("concentration.dc",), says, wanted, f"DC {event.dc}", found.because.events)
    elif event.succeeded not in (None, good):
        rule = "concentration.dc" if found and event.dc is None else "save.total"
        why = found.because.events if found and event.dc is None else (fact.seq,)
        needed = event.dc if event.dc is not None else found.value if found else 10
        yield Fault((rule,), *outcome_words(state, event, needed), why)


@derives("concentration.damage-save", on=(*ENDING, events.RulingMade), at=BOUNDARIES, phase="aftermath")
def lapse_needless_saves(state: FifthState, _fact: Occurrence[Fact] | Boundary) -> None:
    """Let a combatant's saves lapse once it no longer concentrates."""
    those = {due.who for due in owed(state.dues, SAVE)}
    for who in those - concentrating_combatants(state) if those else ():
        lapse(state.dues, NEXT_TURN, who)


@derives("concentration.damage-save", at="turn began", phase="aftermath")
def lapse_late_saves(state: FifthState, turn: Boundary) -> None:
    """Let saves lapse that a combatant has not made before its turn."""
    if lapse(state.dues, NEXT_TURN, turn.who):
        state.saves_settled[turn.who] = Because((), (turn.seq,))


def due_save_dcs(state: FifthState, who: str) -> Derived[list[str]]:
    """Return the DCs of the saves that a combatant owes."""
    found = [(due, concentration_dc(state, who, due.about)) for due in owed(state.dues, SAVE, who)]
    one, dcs = state.combatants[who], [f"DC {each.value}" if each else "DC 10" for _, each in found]
    why = tuple(cites for due, each in found for cites in (due.because, *((each,) if each else ())))
    of = Derived(dcs, state.saves_settled.get(who, NOTHING_CITED) + concentration_object(state, one)[1])
    return Derived(dcs, Because(("concentration.dc",), (one.joined,), (*why, of)))
