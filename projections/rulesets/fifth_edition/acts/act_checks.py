"""Checks of acts: who acts, when, and how often."""

from __future__ import annotations

from typing import Any

from eventstore.events import ActionHeld, ActionTaken, Moved
from projections.mechanics.resources import spent, uses
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.acts.budget import handled
from projections.rulesets.fifth_edition.acts.deeds import (
    HANDLED,
    OWN,
    REACTIONS,
    deed_of,
    is_attack_action,
    is_the_bonus_action,
    may_be_free,
)
from projections.rulesets.fifth_edition.conditions import acts_not, events_of
from projections.rulesets.fifth_edition.health.kept_alive import doubt
from projections.rulesets.fifth_edition.shapes import Deed
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import Breach, check

ACT: dict[str, Any] = {"on": ActionTaken, "group": "act", "subject": deed_of}
"""What the checks of acts share; of those that find something the first by rank reports."""


@check("dead.out", **ACT)
def the_dead_do_nothing(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    one = state.combatants[deed.who]
    if one.status != "dead" or (not deed.known and may_be_free(state, deed.kind)):
        return None
    events = one.standing.because.flat().events
    if keeps := doubt(state, one):
        says = f"{one.id} is at 0 hit points, and acts: {keeps}, or a ruling, would explain it"
        return Breach(says, "nothing", "an act", events, "notice", once=(one.id,))
    return Breach(f"{one.id} is dead", "nothing", "an act", events)


@check("incapacitated.no-acts", **ACT, rank=1)
def the_incapacitated_do_nothing(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    found = acts_not(state, deed.who)
    free = deed.cost == "none" if deed.known else may_be_free(state, deed.kind)
    if not found.value or free or deed.cost == "movement":
        return None
    return Breach(f"{deed.who} is incapacitated, and acts", "no act", deed.kind, events_of(found))


@check("surprise.no-reaction", **ACT, rank=2)
def the_surprised_do_not_react(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    if state.is_new or deed.who not in state.surprised or deed.cost not in REACTIONS or deed.granted:
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
        acts = not deed.granted and (deed.cost not in ("none", "") if deed.known else not may_be_free(state, deed.kind))
    if not acts:
        return None
    return Breach(f"{who} is surprised, and this is its first turn", "nothing", "an act", (state.surprised[who],))


@check("turn.own-turn-only", **ACT, rank=5)
def the_own_turn_is_for_actions(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    stated = bool(deed.action.cost) or state.option("unstated-cost") == "own-price"
    if not stated or not deed.counts or deed.own or not state.clock.turn or deed.cost not in OWN:
        return None  # an act whose cost is only that of its entry may have been held
    says = f"{deed.who} acts in the turn of {state.clock.turn}"
    return Breach(says, "a reaction", f"cost {deed.cost}", state.clock.events)


@check("turn.one-action", **ACT, rank=6)
def a_turn_has_one_action(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    return used_up(state, deed.who, "action") if deed.counts and deed.cost == "action" and deed.own else None


@check("turn.one-action", on=ActionHeld, subject=deed_of)
def a_readied_act_is_the_action(state: FifthState, _fact: Occurrence[ActionHeld], deed: Deed) -> Breach | None:
    return used_up(state, deed.who, "action") if deed.counts and deed.own else None


def used_up(state: FifthState, who: str, what: str, word: str = "") -> Breach | None:
    """Return the breach of another action, bonus action or reaction than the one that a turn has."""
    spent_by = [use.seq for use in uses(state.spending, who, what)]
    deeds = ((seq, state.deeds.get(seq)) for seq in spent_by)  # a readied move is none
    used = tuple(seq for seq, deed in deeds if deed is None or deed.counts or is_the_bonus_action(deed))
    return Breach(f"{who} has used its {word or what}", "none left", "another", used) if used else None


@check("bonus-action.needs-grant", **ACT, rank=6)
def something_grants_a_bonus_action(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    one = state.combatants[deed.who]
    entries = one.sheet.entries
    if entries is None or not deed.counts or deed.cost != "bonus" or "offhand" in deed.manner:
        return None
    if any(entry.cost == "bonus" for entry in entries):
        return None
    return Breach(f"nothing on the sheet of {one.id} grants one", "a grant", "a bonus action", one.records("entries"))


@check("bonus-action.one", **ACT, rank=7)
def a_turn_has_one_bonus_action(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    return used_up(state, deed.who, "bonus", "bonus action") if deed.counts and deed.cost == "bonus" else None


@check("act.attack", **ACT, rank=7)
def an_attack_action_has_its_attacks(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    most, used = state.combatants[deed.who].sheet.attacks, spent(state.spending, deed.who, "attacks")
    if most is None or not deed.counts or deed.cost != "attack" or used.value < most:
        return None
    says = f"{deed.who} has {most} attack{'s' * (most != 1)} in an Attack action"
    return Breach(says, str(most), str(used.value + 1), events_of(used))


@check("act.attack", **ACT, rank=8)
def further_attacks_follow_the_attack_action(
    state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed
) -> Breach | None:
    done = [each for each in state.done.get(deed.who, ()) if each.cost == "action"]
    if deed.cost != "attack" or deed.granted or not done or not all(is_no_attack(state, each) for each in done):
        return None
    seqs = tuple(each.seq for each in done)
    found = "ready" if done[-1].readied else done[-1].kind
    return Breach(f"{deed.who} has taken another action than Attack", "the Attack action", found, seqs)


def is_no_attack(state: FifthState, deed: Deed) -> bool:
    """Say whether an act is certainly another action than Attack, and gives no attacks."""
    return deed.counts and not is_attack_action(deed) and not may_be_free(state, deed.kind)


@check("object.one-free", **ACT, rank=7)
def one_object_is_free(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    if not deed.counts or deed.cost != "free" or deed.kind not in HANDLED:
        return None
    one = state.combatants[deed.who]
    entry = figures.spell_of(state, one, deed.action)
    if entry and entry.cost == "action":
        return Breach(f"{entry.name} takes an action", "an action", "free", one.records("entries"))
    if handled(state, deed.who, deed).value < 2:
        return None
    before = events_of(handled(state, deed.who))
    return Breach(f"{deed.who} has handled an object for free", "the action", "free", before)


@check("reaction.one-until-own-turn", **ACT, rank=8)
def there_is_one_reaction(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    return used_up(state, deed.who, "reaction") if deed.counts and deed.cost in REACTIONS else None


@check("act.ready", on=ActionHeld, subject=deed_of)
def an_act_is_readied_in_the_own_turn(state: FifthState, _fact: Occurrence[ActionHeld], deed: Deed) -> Breach | None:
    turn = state.clock.turn
    if not turn or deed.own or deed.granted:
        return None
    return Breach(f"{deed.who} readies in the turn of {turn}", "its own turn", turn, state.clock.events)
