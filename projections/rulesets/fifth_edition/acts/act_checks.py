"""Checks of acts: who acts, when, and how often."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from eventstore.events import ActionHeld, ActionTaken, Moved
from eventstore.shapes import Action
from projections.mechanics.resources import spent, uses
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.acts.budget import handled
from projections.rulesets.fifth_edition.acts.deeds import (
    DONE,
    HANDLED,
    OWN,
    REACTIONS,
    deed_of,
    is_granted,
    is_the_bonus_action,
    is_unknown,
    says_little,
    told,
)
from projections.rulesets.fifth_edition.conditions import acts_not, events_of
from projections.rulesets.fifth_edition.state import Deed, FifthState
from projections.rulesets.ruleset import Breach, check


@check("dead.out", **DONE)
def the_dead_do_nothing(state: FifthState, fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    one = state.combatants[fact.event.combatant]
    if one.status != "dead" or (not deed.known and is_unknown(state, deed.kind)):
        return None
    return Breach(f"{one.id} is dead", "nothing", "an act", one.standing.because.flat().events)


@check("incapacitated.no-acts", **DONE, rank=1)
def the_incapacitated_do_nothing(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    found = acts_not(state, deed.who)
    stated = bool(deed.action.cost) or deed.known
    silent = deed.cost == "none" if stated else says_little(state, deed.kind)
    if not found.value or silent or deed.cost == "movement":
        return None
    return Breach(f"{deed.who} is incapacitated, and acts", "no act", deed.kind, events_of(found))


@check("surprise.no-reaction", **DONE, rank=2)
def the_surprised_do_not_react(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    reacts = (deed.known and deed.cost in REACTIONS) or deed.trigger
    if state.is_new or deed.who not in state.surprised or not reacts or deed.granted:
        return None
    return Breach(f"the first turn of {deed.who} has not ended", "no reaction", "one", (state.surprised[deed.who],))


@check("surprise.first-turn-lost", on=(ActionTaken, Moved), group="act", rank=3)
def the_surprised_lose_their_first_turn(state: FifthState, fact: Occurrence[Any]) -> Breach | None:
    event, who = fact.event, fact.event.combatant
    if state.is_new or who not in state.surprised or not state.has_turn(who):
        return None
    if isinstance(event, Moved):
        acts = not event.forced and not event.cause and bool(event.path or event.distance)
    else:
        deed = deed_of(state, fact)
        acts = not deed.granted and (deed.cost not in ("none", "") if deed.known else not says_little(state, deed.kind))
    if not acts:
        return None
    return Breach(f"{who} is surprised, and this is its first turn", "nothing", "an act", (state.surprised[who],))


@check("turn.own-turn-only", **DONE, rank=5)
def the_own_turn_is_for_actions(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    stated = bool(deed.action.cost) or state.option("unstated-cost") == "own-price"
    if not stated or not deed.counts or deed.own or not state.clock.turn or deed.cost not in OWN:
        return None  # what only its entry prices may have been held
    return Breach(
        f"{deed.who} acts in the turn of {state.clock.turn}", "a reaction", f"cost {deed.cost}", state.clock.events
    )


def before(state: FifthState, deed: Deed, *costs: str) -> tuple[int, ...]:
    """Return what somebody did since its turn began that certainly cost one of these."""
    return tuple(each.seq for each in state.done.get(deed.who, ()) if each.counts and each.cost in costs)


@check("turn.one-action", **DONE, rank=6)
def a_turn_has_one_action(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    return one_too_many(state, deed)


@check("turn.one-action", on=ActionHeld, subject=told)
def a_readied_act_is_the_action(state: FifthState, _fact: Occurrence[ActionHeld], deed: Deed) -> Breach | None:
    return one_too_many(state, deed) if deed.own else None


def one_too_many(state: FifthState, deed: Deed) -> Breach | None:
    """Return the breach of a second action in a turn."""
    used = before(state, deed, "action") if deed.counts and deed.cost == "action" and deed.own else ()
    return Breach(f"{deed.who} has used its action", "none left", "another", used) if used else None


@check("bonus-action.needs-grant", **DONE, rank=6)
def something_grants_a_bonus_action(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    entries = state.combatants[deed.who].sheet.entries
    if entries is None or not deed.counts or deed.cost != "bonus" or "offhand" in deed.manner:
        return None
    if any(entry.cost == "bonus" for entry in entries):
        return None
    why = state.combatants[deed.who].records("entries")
    return Breach(f"nothing on the sheet of {deed.who} grants one", "a grant", "a bonus action", why)


@check("bonus-action.one", **DONE, rank=7)
def a_turn_has_one_bonus_action(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    used = tuple(each.seq for each in state.done.get(deed.who, ()) if is_the_bonus_action(each))
    used = used if deed.counts and deed.cost == "bonus" else ()
    return Breach(f"{deed.who} has used its bonus action", "none left", "another", used) if used else None


@check("act.attack", **DONE, rank=7)
def attacks_are_as_many_as_the_sheet_says(
    state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed
) -> Breach | None:
    most = state.combatants[deed.who].sheet.attacks
    if most is None or not deed.counts or deed.cost != "attack":
        return None
    used = spent(state.spending, deed.who, "attacks")
    if used.value < most:
        return None
    return Breach(f"{deed.who} has {most} in an Attack action", str(most), str(used.value + 1), events_of(used))


@check("object.one-free", **DONE, rank=7)
def one_object_is_free(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    if not deed.counts or deed.cost != "free" or deed.kind not in HANDLED:
        return None
    entry = figures.spell_of(state.combatants[deed.who], deed.action)
    if entry and entry.cost == "action":
        why = state.combatants[deed.who].records("entries")
        return Breach(f"{entry.name} takes an action", "an action", "free", why)
    found = handled(state, deed.who, deed)
    if found.value < 2:
        return None
    return Breach(f"{deed.who} has handled an object for free", "the action", "free", before(state, deed, "free"))


@check("reaction.one-until-own-turn", **DONE, rank=8)
def there_is_one_reaction(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    if not deed.counts or deed.cost not in REACTIONS:
        return None
    used = tuple(use.seq for use in uses(state.spending, deed.who, "reaction") if state.deeds[use.seq].counts)
    return Breach(f"{deed.who} has used its reaction", "none left", "another", used) if used else None


@checks_by("act.ready", on=ActionHeld)
def one_readies_in_the_own_turn(state: FifthState, fact: Occurrence[ActionHeld]) -> Iterator[Fault]:
    """Yield that somebody readies an act in the turn of another."""
    who = fact.event.combatant
    if (
        state.clock.turn
        and not state.has_turn(who)
        and not is_granted(state, state.combatants[who], fact, fact.event.action or Action(kind="other"), "action")
    ):
        yield Fault(
            ("act.ready",),
            f"{who} readies in the turn of {state.clock.turn}",
            "its own turn",
            state.clock.turn,
            state.clock.events,
        )
