"""Recorded acts, with their costs."""

import re

from eventstore.events import ActionHeld, ActionTaken, Fact, ResourceChanged
from eventstore.shapes import Action
from projections.because import NOTHING_CITED, Because, Derived
from projections.fight import Combatant, TimelineRow
from projections.folds.budget import price_rows
from projections.folds.rows import row_of_act
from projections.mechanics import resources
from projections.mechanics.grants import has_grant
from projections.mechanics.resources import record_use, uses
from projections.occurrence import Occurrence, is_a
from projections.ruleset.ruleset import derives
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.movement import half_speed
from projections.rulesets.fifth_edition.sheet import AT_WILL
from projections.rulesets.fifth_edition.state import Deed, FifthState
from projections.time import Boundary

REACTIONS = ("reaction", "opportunity", "held")
"""The costs that are paid with the reaction."""
OUT_OF_TURN = ("legendary", "lair")
"""The costs of acts that a stat block allows outside any turn of the creature's own."""
OWN = ("action", "attack", "bonus", "free", "movement")
"""The costs that are paid in one's own turn."""
IN_WORDS = {"action": "an action", "bonus": "a bonus action", "reaction": "a reaction"}
"""The costs of spells, as people say them."""
SAID = {words.partition(" ")[2]: cost for cost, words in IN_WORDS.items()}
"""The costs by the words that people and programs use for them."""
STRIKES = ("attack", "grapple", "shove")
"""The kinds of which an Attack action has several."""
FURTHER = frozenset({"action surge", "haste", "horde breaker", "tunnel fighter"})
"""The features that give an act beyond the budget of a turn; any other only permits an act."""
HANDLED = ("handle", "use-item", "draw", "stow")
"""The kinds that handle an object."""
UNCLEAR = ("other", "ability", "talk", "drop", "release", "drop-prone")
"""The kinds that may be free if no cost is recorded."""


def recorded_cost(action: Action) -> str:
    """Return the recorded cost of an act; "" if none is."""
    said = action.plain_cost
    return SAID.get(said, said)


@derives("act.cast", "act.checks", "turn.one-action")
def act_cost(state: FifthState, one: Combatant, event: ActionTaken) -> tuple[Derived[str], bool]:
    """Return the cost of an act, recorded, by its entry or its kind, and if it is known; the reason cites acts before it."""
    action, entry = event.action, figures.spell_entry(state, one, event.action)
    if releases_readied_act(state, event):
        return Derived("held", NOTHING_CITED), True
    if said := recorded_cost(action) or (entry and entry.cost):
        certain = figures.severity(one, action, "cost") == "breach" and not replaces_an_attack(state, one, action)
        stated = bool(action.cost) or certain
        return Derived(said.casefold(), NOTHING_CITED), stated or state.option("unstated-cost") == "own-price"
    if event.trigger is not None:
        return Derived("reaction", NOTHING_CITED), False
    return usual_cost(state, one, action), has_certain_cost(state, one, action)


@derives("ready.uses-reaction")
def releases_readied_act(state: FifthState, event: ActionTaken) -> bool:
    """Say whether an act releases the act held ready: it says so, or is the same and uses the reaction.

    A blow with the reaction may also be an opportunity attack, unless it is at the foe for whom a blow was readied, or
    a blow was readied for any foe and this one answers nothing recorded.
    """
    action, held = event.action, state.held.get(event.combatant)
    said = recorded_cost(action)
    if said != "reaction" or held is None or held.action is None:
        return said == "held"
    names, kind = [(each.name or "").casefold() for each in (held.action, action)], action.plain_kind
    same, at = held.action.plain_kind == kind and ("" in names or names[0] == names[1]), {*held.action.targets}
    is_that = bool(at & {*action.targets}) or not (at or event.trigger)
    return same and (kind not in STRIKES or is_that)


def price_in_catalogue(state: FifthState, kind: str) -> resources.Price | None:
    """Return the price for a kind of act; None for a kind that the catalogue does not list."""
    return price_rows(state.rules.rules).get(kind.casefold())


@derives("act.attack")
def usual_cost(state: FifthState, one: Combatant, action: Action) -> Derived[str]:
    """Return the unrecorded cost of an act: of its kind, of one attack of several, or of a monster's bonus action."""
    found = price_in_catalogue(state, action.kind)
    done, most = deeds_in_turn(state, one.id), one.sheet.attacks
    began = next((each for each in done if is_attack_action(each) or may_be_multiattack(one, each)), None)
    if action.plain_kind in STRIKES and began:
        first, made = Because((), (began.seq,)), resources.amount_spent(state.spending, one.id, "attacks")
        all_made = most is not None and made.value >= most
        if all_made and one.sheet.srd is not None and has_bonus_left(state, one, action):
            return Derived("bonus", first + Because(of=(made,)))
        return Derived("attack", first)
    costs = found.costs if found else ("none",)
    spent = uses(state.spending, one.id, "action") if one.sheet.srd is not None and state.has_turn(one.id) else []
    if spent and costs[:2] == ("action", "bonus") and has_bonus_left(state, one, action):
        return Derived("bonus", Because((), tuple(each.seq for each in spent)))
    return Derived(next(iter(costs), ""), NOTHING_CITED)


def may_be_multiattack(one: Combatant, deed: Deed) -> bool:
    """Say whether an act may be the Multiattack of a stat block or a part of it: none that takes an action alone."""
    entry = figures.entry_of(one, deed.name)
    return deed.cost == "action" and deed.kind in UNCLEAR and (entry is None or entry.cost != "action")


def deeds_in_turn(state: FifthState, who: str) -> list[Deed]:
    """Return the acts of a combatant in its present turn; none in that of another."""
    return [each for each in state.done.get(who, ()) if each.own] if state.has_turn(who) else []


def replaces_an_attack(state: FifthState, one: Combatant, action: Action) -> bool:
    """Say whether a spell beside blows, or a blow beside a spell, may be part of the Multiattack of a monster."""
    if one.sheet.srd is None or (one.sheet.attacks or 0) < 2:
        return False
    done = {each.kind for each in deeds_in_turn(state, one.id)}
    return bool(done & {*STRIKES}) if action.plain_kind == "cast" else action.plain_kind in STRIKES and "cast" in done


BLOWS_AS_BONUS = ("pounce", "rampage", "trampling charge")
"""The traits of monsters that give a blow as a bonus action."""


@derives("turn.one-action", "act.attack")
def has_certain_cost(state: FifthState, one: Combatant, action: Action) -> bool:
    """Say whether an act without a cost can only have that of its kind, which has no other, or whose monster has none."""
    price, reading = price_in_catalogue(state, action.kind), state.option("unstated-cost")
    if reading != "determined" or price is None or not state.has_turn(one.id):
        return reading == "own-price"
    more = next(reversed(state.spendings.values()), 0) == state.clock.turn_event or effects_giving_action(state, one.id)
    return not more and (price.costs == ("action",) or has_one_price(state, one, action, price))


@derives("bonus-action.needs-grant")
def has_one_price(state: FifthState, one: Combatant, action: Action, price: resources.Price) -> bool:
    """Say whether the stat block of a monster leaves an act only the price of its kind."""
    known = price.costs[0] in ("action", "attack") and action.plain_kind not in UNCLEAR + HANDLED
    if one.sheet.srd is None or not known or figures.entry_of(one, action.name):
        return False
    if "offhand" in action.plain_manner or replaces_an_attack(state, one, action):
        return False
    return not has_bonus_left(state, one, action)


def has_bonus_left(state: FifthState, one: Combatant, action: Action) -> bool:
    """Say whether a monster has a bonus action left that its stat block gives; for a blow, one with a blow."""
    bonus = [each.name.casefold() for each in one.sheet.entries or () if each.cost == "bonus"]
    gives = any(each in BLOWS_AS_BONUS for each in bonus) if action.plain_kind in STRIKES else bool(bonus)
    return gives and not uses(state.spending, one.id, "bonus")


def thing_spent(cost: str) -> str:
    """Return the thing that a cost spends: the reaction, or the cost itself."""
    return "reaction" if cost in REACTIONS else cost


def may_be_free(state: FifthState, kind: str) -> bool:
    """Say whether an act of this kind may be free if no cost is recorded."""
    return kind in UNCLEAR or price_in_catalogue(state, kind) is None


def deed_of(state: FifthState, fact: Occurrence[ActionTaken | ActionHeld]) -> Deed:
    """Return the act that a fact records, in the state before it."""
    event, who = fact.event, fact.event.combatant
    one, action = state.combatants[who], event.action or Action(kind="other")
    price, known = Derived("action", NOTHING_CITED), True
    if isinstance(event, ActionTaken):
        price, known = act_cost(state, one, event)
    cost = price.value
    entry = figures.spell_entry(state, one, action)
    own = Because((), (fact.seq,)) if action.granted_by else None
    granted = own or why_beyond_budget(state, one, fact, action, cost)
    one_more_head = cost == "opportunity" and figures.entry_of(one, "reactive heads") is not None  # as of a hydra
    return Deed(
        seq=fact.seq,
        who=who,
        action=action,
        cost=cost,
        known=known,
        priced=price.because,
        granted=granted,
        pays=(not granted or only_permits(state, one, fact, action, cost)) and not one_more_head,
        turn=state.clock.turn_event,
        own=state.has_turn(who),
        trigger=getattr(event, "trigger", None) or 0,
        level=entry.level if entry else None,
        save=action.allows_save or (entry.allows_save if entry and action.plain_kind == "cast" else None),
        listed=figures.severity(one, action, "level") == "breach",
        half=half_speed(state, one),
        charged=entry is not None and AT_WILL in map(str.casefold, entry.attributes),
        readied=isinstance(event, ActionHeld),
    )


def recorded_deed(state: FifthState, fact: Occurrence[Fact]) -> Deed | None:
    """Return the act that a fact records, in the state before it; None if it records none."""
    return deed_of(state, fact) if is_a(fact, ActionTaken) or is_a(fact, ActionHeld) else None


def why_beyond_budget(state: FifthState, one: Combatant, fact: Occurrence[Fact], action: Action, cost: str) -> Because:
    """Return what gives an act beyond a turn's budget: a resource spent for it, an effect, a ruling."""
    trigger: int = getattr(fact.event, "trigger", None) or 0
    if not action.granted_by and state.spendings.get(trigger) == state.clock.turn_event:
        return Because((), (trigger,))
    if cost == "action" and uses(state.spending, one.id, cost) and (given := extra_action(state, one.id, action.kind)):
        return Because((), (given,))
    said = tuple(word for word in (action.name, action.kind, cost) if word)
    people, events = (one.id, one.side), (fact.seq, fact.cause, trigger)
    rulings = state.rulings_since(state.clock.turn_event)
    return has_grant(rulings, "turn.one-action", who=people, event=events, said=said).because


def only_permits(state: FifthState, one: Combatant, fact: Occurrence[Fact], action: Action, cost: str) -> bool:
    """Say whether the feature that an act names only permits it, so that it spends its recorded cost."""
    name = re.sub(r"[\W_]+", " ", (action.granted_by or "").casefold()).strip()
    entry = figures.entry_of(one, name)
    free = name in FURTHER or (entry is not None and entry.cost in ("none", "free"))
    paid = cost == "bonus" or (bool(action.cost) and thing_spent(cost) in ("action", "reaction"))
    return bool(name) and paid and not free and not why_beyond_budget(state, one, fact, action, cost)


def effects_giving_action(state: FifthState, who: str) -> dict[str, int]:
    """Return the effects on a combatant that give one more action, by name: haste, and those that say so."""
    those = [(each, state.begun.get(each.seq)) for each in state.effects.values() if each.bearer == who]
    return {
        each.called: each.seq
        for each, begun in those
        if each.called == HASTE or (begun and any("action" in word.casefold().split() for word in begun.attributes))
    }


HASTE = "haste"
HASTED = ("dash", "disengage", "hide", "use-item")
"""The kinds of acts besides one attack that the action of haste may be."""


def extra_action(state: FifthState, who: str, kind: str) -> int:
    """Return the effect that gives a combatant an action of a kind beyond those of its turn; 0 if none does.

    Each gives one, and haste only some kinds: this act, or one before it.
    """
    done = [each for each in deeds_in_turn(state, who) if each.cost == "action"]
    used = {seq for each in done for seq in each.granted.events}
    single = resources.amount_spent(state.spending, who, "attacks").value < 2
    kinds = {kind.casefold(), *(each.kind for each in done if single or each.kind not in STRIKES)}
    fits = bool(kinds & {*HASTED, *STRIKES})
    found = effects_giving_action(state, who).items()
    return next((seq for name, seq in found if seq not in used and (name != HASTE or fits)), 0)


@derives("turn.one-action", on=ResourceChanged)
def keep_spending(state: FifthState, fact: Occurrence[ResourceChanged]) -> None:
    """Keep the spending of a resource, which an act can name as its trigger."""
    if fact.event.amount < 0 and "slot" not in fact.event.resource.casefold():
        state.spendings[fact.seq] = state.clock.turn_event


@derives(
    "turn.one-action", "bonus-action.one", "reaction.one-until-own-turn", "object.one-free", "act.attack",
    "act.cast", "act.checks", "opportunity.one-melee-attack", on=(ActionTaken, ActionHeld),
)  # fmt: skip
def pay_for_act(state: FifthState, fact: Occurrence[ActionTaken] | Occurrence[ActionHeld]) -> None:
    """Keep an act, and spend its cost; an act beyond the budget spends nothing of a turn."""
    deed = deed_of(state, fact)
    hasted = deed.cost == "action" and effects_giving_action(state, deed.who).get(HASTE) in deed.granted.events
    before = (each for each in deeds_in_turn(state, deed.who) if each.cost == "action")
    deed.single = hasted and deed.kind in STRIKES and not any(each.kind in HASTED for each in before)
    state.deeds[deed.seq] = deed
    state.turn_deeds.append(deed)
    state.done.setdefault(deed.who, []).append(deed)
    state.round.acts.append(act_row(state, fact, deed))
    words = {deed.kind, *deed.name.split(), *(("spell",) if deed.kind == "cast" else ())}
    state.answerable[deed.seq] = deed.who, deed.turn, frozenset(words)
    if is_attack_action(deed) and deed.cost == "action":
        resources.renew_resource(state.spending, "attacks", fact.seq, deed.who)
        record_use(state.spending, deed.who, "attacks", fact.seq)
    if deed.cost == "attack" or deed.pays:
        what = "attacks" if deed.cost == "attack" else thing_spent(deed.cost)
        record_use(state.spending, deed.who, what, fact.seq)


def is_attack_action(deed: Deed) -> bool:
    """Say whether an act is an attack of the Attack action, which a readied one and that of haste are not."""
    return deed.kind in STRIKES and deed.cost in ("action", "attack") and not (deed.readied or deed.single)


@derives("turn.one-action")
def act_row(state: FifthState, fact: Occurrence[Fact], deed: Deed) -> TimelineRow:
    """Return the row of an act in the timeline; a readied act is held."""
    how, place = "held" if isinstance(fact.event, ActionHeld) else "done", (fact.point.turn, *state.place_of(fact.seq))
    held = state.held.get(deed.who) if deed.cost == "held" else None
    why = Because(act_row.rules, (fact.seq,), (Derived(deed.who, Because((), (held.seq,))),) if held else ())
    why += deed.priced
    return row_of_act(fact.point, deed.who, deed.action, how, why, cost=deed.cost, events=(fact.seq,), order=place)


@derives("turn.one-action", at=("turn began", "place passed"))
def renew_turn(state: FifthState, turn: Boundary) -> None:
    """Renew the things that return with a combatant's turn, and forget the acts and movement since its last turn."""
    for what in ("action", "bonus", "reaction", "attacks"):
        resources.renew_resource(state.spending, what, turn.seq, turn.who)
    state.done.pop(turn.who, None)
    state.strides.pop(turn.who, None)
    if turn.kind == "turn began":
        state.began[turn.who] = turn.seq
        state.turn_deeds = []
        for who in tuple(state.spending.uses.get("reaction", ())):
            if figures.entry_of(state.combatants[who], "reactive"):
                resources.renew_resource(state.spending, "reaction", turn.seq, who)


@derives("turn.one-action", at="round opened")
def renew_round(state: FifthState, _turn: Boundary) -> None:
    """Forget the acts and movement of those who never have a turn, such as a mount without initiative."""
    for who in [who for who in {**state.done, **state.strides} if who not in state.began]:
        state.done.pop(who, None)
        state.strides.pop(who, None)
