"""Acts as they are recorded, with what they cost."""

from __future__ import annotations

from typing import Any

from eventstore.events import ActionHeld, ActionTaken, ResourceChanged
from eventstore.shapes import Action
from projections.because import Because
from projections.folds.rows import row_of_act
from projections.mechanics import resources
from projections.mechanics.grants import granted
from projections.mechanics.resources import spend
from projections.occurrence import Occurrence
from projections.rulesets.catalogue import read
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.movement.feet_left import half_speed
from projections.rulesets.fifth_edition.state import Deed, FifthState
from projections.rulesets.ruleset import derives
from projections.state import Combatant, TimelineRow
from projections.time import Boundary

REACTIONS = ("reaction", "opportunity", "held")
"""The costs that the reaction pays."""


OWN = ("action", "attack", "bonus", "free", "movement")
"""The costs that are paid in the own turn."""


STRIKES = ("attack", "grapple", "shove")
"""The kinds of which an Attack action has several."""


HANDLED = ("handle", "use-item", "draw", "stow")


UNTOLD = ("other", "ability", "talk", "drop", "release", "drop-prone")
"""The kinds of which a record without a cost says little."""


TURN = ("turn.one-action", "bonus-action.one", "reaction.one-until-own-turn", "object.one-free", "act.attack")


@derives("act.cast", "act.checks", "turn.one-action")
def price_of(state: FifthState, one: Combatant, event: ActionTaken) -> tuple[str, bool]:
    """Return what an act costs, and whether that is known: as recorded, else by its entry, else by its kind."""
    action = event.action
    if action.cost:
        return action.cost.casefold(), True
    entry = figures.spell_of(one, action)
    if entry and entry.cost:
        return entry.cost.casefold(), True
    if event.trigger is not None:
        return "reaction", False
    return usual(state, action.kind), state.option("unstated-cost") == "own-price"


def usual(state: FifthState, kind: str) -> str:
    """Return the price of a kind of act."""
    found = resources.prices(read(state.rules.rules).action).get(kind.casefold())
    return next(iter(found.costs), "") if found else "none"


def says_little(state: FifthState, kind: str) -> bool:
    """Say whether a record of this kind says little without a cost: it may be free, or the catalogue does not know the kind."""
    return kind in UNTOLD or is_unknown(state, kind)


def is_unknown(state: FifthState, kind: str) -> bool:
    """Say whether the catalogue does not know a kind of act, as one that is announced in words of its own."""
    return kind.casefold() not in resources.prices(read(state.rules.rules).action)


def deed_of(state: FifthState, fact: Occurrence[Any]) -> Deed:
    """Return the act that a fact tells of, from the state before it."""
    event, who = fact.event, fact.event.combatant
    one, action = state.combatants[who], event.action or Action(kind="other")
    if isinstance(event, ActionHeld):
        cost, known, trigger = "action", True, 0
    else:
        (cost, known), trigger = price_of(state, one, event), event.trigger or 0
    entry = figures.spell_of(one, action)
    return Deed(
        seq=fact.seq,
        who=who,
        action=action,
        cost=cost,
        known=known,
        granted=is_granted(state, one, fact, action, cost),
        turn=state.clock.turn_event,
        own=state.has_turn(who),
        trigger=trigger,
        level=entry.level if entry else None,
        concentrates=bool(entry and entry.concentration),
        half=half_speed(state, one),
    )


def is_granted(state: FifthState, one: Combatant, fact: Occurrence[Any], action: Action, cost: str) -> bool:
    """Say whether something allows an act besides: what it names, what was spent for it, a ruling."""
    if action.granted_by or getattr(fact.event, "trigger", None) in state.spent_on:
        return True
    said = tuple(word for word in (action.name, action.kind, cost) if word)
    people, events = (one.id, one.side), (fact.seq, fact.cause, getattr(fact.event, "trigger", None) or fact.seq)
    rulings = [each for each in state.rulings if not state.precedes(each.seq, state.clock.turn_event or 1)]
    return granted(rulings, "turn.one-action", who=people, event=events, said=said).value


@derives("turn.one-action", on=ResourceChanged)
def something_is_spent(state: FifthState, fact: Occurrence[ResourceChanged]) -> None:
    """Keep what is spent, which an act can name as its cause."""
    if fact.event.amount < 0 and "slot" not in fact.event.resource.casefold():
        state.spent_on[fact.seq] = fact.event.combatant


@derives(*TURN, "act.cast", "act.checks", "opportunity.one-melee-attack", on=(ActionTaken, ActionHeld))
def act_is_paid(state: FifthState, fact: Occurrence[ActionTaken] | Occurrence[ActionHeld]) -> None:
    """Keep an act, and spend what it costs; one that something allows besides costs nothing of the turn."""
    deed = deed_of(state, fact)
    state.deeds[deed.seq] = deed
    state.turn_deeds.append(deed)
    state.done.setdefault(deed.who, []).append(deed)
    state.round.acts.append(row_of(state, fact, deed))
    words = {deed.kind, *(deed.action.name or "").casefold().split(), *(("spell",) if deed.kind == "cast" else ())}
    state.stirred[deed.seq] = deed.who, deed.turn, frozenset(words)
    what = "reaction" if deed.cost in REACTIONS else deed.cost
    if deed.kind in STRIKES and deed.cost == "action":
        resources.renew(state.spending, "attacks", fact.seq, deed.who)
        spend(state.spending, deed.who, "attacks", fact.seq)
    if deed.cost == "attack":
        spend(state.spending, deed.who, "attacks", fact.seq)
    elif what in ("action", "bonus", "reaction") and (not deed.granted or is_the_bonus_action(deed)):
        spend(state.spending, deed.who, what, fact.seq)


@derives("turn.one-action")
def row_of(state: FifthState, fact: Occurrence[Any], deed: Deed) -> TimelineRow:
    """Return the row of an act in its round; one that was readied is held."""
    how, place = "held" if isinstance(fact.event, ActionHeld) else "done", (fact.point.turn, *state.at(fact.seq))
    why = Because(row_of.rules, (fact.seq,))
    return row_of_act(fact.point, deed.who, deed.action, how, why, cost=deed.cost, events=(fact.seq,), order=place)


@derives("bonus-action.one")
def is_the_bonus_action(deed: Deed) -> bool:
    """Say whether an act is the one bonus action of the turn, which what it names only gives a use."""
    return deed.cost == "bonus" and deed.known and (not deed.granted or bool(deed.action.granted_by))


@derives("turn.one-action", at=("turn began", "place passed"))
def turn_is_new(state: FifthState, turn: Boundary) -> None:
    """Give back what is spent until the own turn, and forget what was done since the last."""
    for what in ("action", "bonus", "reaction", "attacks"):
        resources.renew(state.spending, what, turn.seq, turn.who)
    if turn.kind == "turn began":
        state.began[turn.who] = turn.seq
        state.done.pop(turn.who, None)
        state.strides.pop(turn.who, None)
        state.turn_deeds = []


def told(state: FifthState, fact: Occurrence[Any]) -> Deed:
    """Return the act that a fact tells of, for its checks."""
    return deed_of(state, fact)


DONE: dict[str, Any] = {"on": ActionTaken, "group": "act", "subject": told}
