"""Saves for concentration: who owes them, their DC, and what a failed one ends."""

from __future__ import annotations

from collections.abc import Iterator

from eventstore.events import (
    ActionTaken,
    CombatantLeft,
    DamageDealt,
    EffectEnded,
    EffectStarted,
    Fact,
    RulingMade,
    SaveRolled,
    TimePassed,
    TurnStarted,
)
from projections.because import Because, Derived
from projections.mechanics.concentration import concentrated
from projections.mechanics.dues import Due, lapse, owe, owed
from projections.mechanics.pools import TEMP
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.rolls.totals import roll_total
from projections.rulesets.fifth_edition.spells.concentration import NEXT_TURN, SAVE, concentrates, concentration, stop
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import Breach, check, derives
from projections.time import Boundary


@derives("concentration.damage-save", "concentration.each-source", on=DamageDealt)
def damage_asks_for_a_save(state: FifthState, fact: Occurrence[DamageDealt]) -> None:
    """Let a concentrating combatant that takes damage owe a save for each source."""
    event, who = fact.event, fact.event.target
    if event.object or event.amount <= 0 or not concentrates(state, who):
        return
    absorbed = event.amount <= state.loss.temp
    why = Because(damage_asks_for_a_save.rules, (fact.seq,), state.chosen("absorbed-damage") if absorbed else {})
    if absorbed and state.option("absorbed-damage") == "does-not-count":
        settle(state, who, why + state.combatants[who].pools[TEMP].derived().because)
    else:
        owe(state.dues, Due(who, SAVE, NEXT_TURN, why, state.blow_by.get(fact.seq, (who, fact.seq))[1]))


def settle(state: FifthState, who: str, why: Because) -> None:
    """Keep why a combatant does not owe a save."""
    state.saves_settled[who] = state.saves_settled.get(who, Because()) + why


def due_for(state: FifthState, fact: Occurrence[SaveRolled]) -> Due | None:
    """Return the owed save that a record answers: that for the damage that it names, else the oldest with its DC, else the oldest."""
    who = fact.event.combatant
    key = state.blow_by.get(fact.cause, (who, fact.cause))[1]
    own = owed(state.dues, SAVE, who)
    named = [due for due in own if due.about == key]
    alike = [due for due in own if (found := dc(state, who, due.about)) and found.value == fact.event.dc]
    return next(iter((*named, *alike, *own)), None)


@derives("concentration.dc")
def dc(state: FifthState, who: str, about: int) -> Derived[int] | None:
    """Return the DC of a save: 10 or half the damage of its source, in 2024 30 at most."""
    blow = state.blows.get((who, about))
    if blow is None:
        return None
    found, options = max(10, blow.amount // 2), state.chosen("edition", "one-source")
    return Derived(min(30, found) if state.is_new else found, Because(dc.rules, blow.events, options))


@derives("concentration.damage-save")
def is_the_save(state: FifthState, fact: Occurrence[SaveRolled]) -> bool:
    """Say whether a save is one for concentration: by its purpose, or as its cause is damage."""
    event, by_damage = fact.event, fact.cause in state.blow_by
    unnamed = event.purpose is None and figures.ability(event.save) == "constitution"
    return event.purpose == "concentration" or (unnamed and by_damage)


def save_outcome(state: FifthState, fact: Occurrence[SaveRolled]) -> tuple[bool | None, Derived[int] | None]:
    """Return whether a save for concentration is made, and its DC, where the damage is known."""
    event, total = fact.event, roll_total(state, fact.event)
    due = due_for(state, fact)
    about = due.about if due else state.blow_by.get(fact.cause, ("", 0))[1]
    found = dc(state, event.combatant, about)
    needed = found.value if found else event.dc if event.dc is not None else 10
    return (event.succeeded if total is None else total >= needed), found


@derives("concentration.damage-save", "concentration.dc", on=SaveRolled)
def a_failed_save_ends_it(state: FifthState, fact: Occurrence[SaveRolled]) -> None:
    """End concentration by a failed save."""
    who = fact.event.combatant
    if not is_the_save(state, fact):
        return
    (good, found), due = save_outcome(state, fact), due_for(state, fact)
    if due:
        state.dues.pop((due.who, due.what, due.about), None)
        settle(state, who, Because((), (fact.seq,)))
    if good is False:
        of = (*((Derived(who, due.because),) if due else ()), *((found,) if found else ()))
        stop(state, who, Because(a_failed_save_ends_it.rules[:1], (fact.seq,), {}, of))
    elif found:
        for key in concentrated(state.effects, who):
            state.effects[key].of = (*state.effects[key].of, Derived(good, Because((), (fact.seq,), {}, (found,))))


@checks_by("concentration.dc", "save.total", on=SaveRolled)
def the_dc_is_right(state: FifthState, fact: Occurrence[SaveRolled]) -> Iterator[Fault]:
    """Yield that a save for concentration states another DC, or the wrong outcome."""
    event = fact.event
    if not is_the_save(state, fact):
        return
    good, found = save_outcome(state, fact)
    words = {True: "made", False: "failed"}
    if found and event.dc is not None and event.dc != found.value:
        says, wanted = f"half the damage, at least 10, is DC {found.value}", str(found.value)
        yield Fault(("concentration.dc",), says, wanted, str(event.dc), found.because.events)
    elif event.succeeded not in (None, good):
        rule = "concentration.dc" if found and event.dc is None else "save.total"
        why = found.because.events if found and event.dc is None else (fact.seq,)
        yield Fault((rule,), f"the save is {words[bool(good)]}", words[bool(good)], words[bool(event.succeeded)], why)


@check("concentration.damage-save", on=TurnStarted)
def saves_are_recorded(state: FifthState, fact: Occurrence[TurnStarted]) -> tuple[Breach, ...]:
    if state.option("missing-facts") == "silent":
        return ()
    found = owed(state.dues, SAVE, fact.event.combatant)
    return tuple(Breach(f"{due.who} owes a save", "a save", "none", (due.about,), "notice") for due in found)


@derives(
    "concentration.damage-save",
    on=(ActionTaken, CombatantLeft, EffectEnded, EffectStarted, RulingMade, TimePassed),
    at=("turn began", "turn resumed", "turn ended", "place passed", "round closed", "round opened"),
)
def nothing_is_left_to_save(state: FifthState, _fact: Occurrence[Fact] | Boundary) -> None:
    """Let the saves lapse of whoever concentrates on nothing any more: it has let go, or all has run out."""
    for who in {due.who for due in owed(state.dues, SAVE) if not concentrates(state, due.who)}:
        lapse(state.dues, NEXT_TURN, who)


@derives("concentration.damage-save", at="turn began")
def saves_lapse(state: FifthState, turn: Boundary) -> None:
    """Let the saves lapse that a combatant has not made before its turn."""
    if lapse(state.dues, NEXT_TURN, turn.who):
        state.saves_settled[turn.who] = Because((), (turn.seq,))


def due_saves(state: FifthState, who: str) -> Derived[list[str]]:
    """Return the DCs of the saves that a combatant owes."""
    found = [(due, dc(state, who, due.about)) for due in owed(state.dues, SAVE, who)]
    one, dcs = state.combatants[who], [f"DC {each.value}" if each else "DC 10" for _, each in found]
    why = tuple(cites for due, each in found for cites in (due.because, *((each,) if each else ())))
    of = Derived(dcs, state.saves_settled.get(who, Because()) + concentration(state, one)[1])
    return Derived(dcs, Because(("concentration.dc",), (one.joined,), {}, (*why, of)))
