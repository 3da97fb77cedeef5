"""Action, Quick Action, Interaction and Reaction: the costs of acts, what a combatant has left of each, and what acts break."""

from collections.abc import Iterator
from functools import lru_cache

from msgspec import structs

from eventstore.events import ActionTaken, Moved, RulingMade
from eventstore.shapes import Action
from projections.because import NOTHING_CITED, Because, Derived
from projections.fight import Combatant
from projections.folds.budget import price_rows, resource_rows
from projections.mechanics import grants, resources
from projections.mechanics.acts import name_or_kind
from projections.mechanics.memo import memoize
from projections.mechanics.resources import Price, Resource, record_use, uses
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import derives
from projections.rulesets.nameless_journey.state import RULES, NamelessState, PaidAct, SheetEntry
from projections.sheet import entry_named
from projections.time import Boundary

ACTION, QUICK, INTERACTION, REACTION, NONE = "action", "quick-action", "interaction", "reaction", "none"
WALK = "walk"
ON_TURN = {ACTION: "turn.one-action", QUICK: "turn.one-quick-action", INTERACTION: "turn.one-interaction"}
"""The resources spent on one's own turn and renewed when it begins, with the rules that say how much there is."""


def act_price(action: Action) -> Price:
    """Return the price of an act; a kind that is not in the table counts as other."""
    prices = price_rows(RULES)
    return prices.get(action.plain_kind) or prices["other"]


@lru_cache(1024)
def cost_word(word: str | None) -> str:
    """Return the name of a resource in its counted form; "" if none is named."""
    named = "-".join((word or "").casefold().replace("_", " ").split())
    return QUICK if named == "quick" else named


def entry_of(one: Combatant, action: Action) -> SheetEntry | None:
    """Return the entry of the sheet that grants an act, or has its name."""
    entries: tuple[SheetEntry, ...] = one.sheet.entries
    return entry_named(entries, action.granted_by, action.name)


@derives("quick.listed-spells", "action.attack-or-spell")
def entry_cost(one: Combatant, action: Action) -> str:
    """Return the cost that the entry of a spell, attack or trait names; "" if it names none."""
    entry = entry_of(one, action) if act_price(action).entry else None
    return cost_word(entry.cost) if entry else ""


@derives("action.attack-or-spell", "interaction.handling-objects")
def cost_of(one: Combatant, event: ActionTaken) -> str:
    """Return the resource that an act spends: as recorded, else by its entry, its trigger, or its kind."""
    action = event.action
    if action.cost:
        return cost_word(action.cost)
    if said := entry_cost(one, action):
        return said
    answers = event.trigger is not None and action.plain_kind != "talk"
    return REACTION if answers else act_price(action).costs[0]


def mode_of(event: Moved) -> str:
    """Return the mode of a stretch, by default walking."""
    return (event.mode or WALK).casefold()


def next_row(state: NamelessState) -> int:
    """Return the number of the next row of the round."""
    return len(state.round.stretches)


# ---------------------------------------------------------------- spent, left, renewed


@derives("turn.three-resources", "turn.any-order", on=ActionTaken)
def pay_act(state: NamelessState, fact: Occurrence[ActionTaken]) -> None:
    """Keep an act and what it spent; the resources of a turn may be spent in any order."""
    event = fact.event
    cost = cost_of(state.combatants[event.combatant], event)
    answers = state.known.get(event.trigger)
    act = PaidAct(fact.seq, event.combatant, event.action, fact.point, cost, next_row(state), answers)
    state.round.acts.append(act)
    if is_spell(act):
        state.round.spells[act.combatant, (act.action.name or "").casefold()] = act
    state.known[fact.seq] = act
    record_use(state.spending, event.combatant, cost, fact.seq)


def is_spell(act: PaidAct) -> bool:
    """Return whether an act is the casting of a spell."""
    return act.action.plain_kind == "cast"


def full_amount(state: NamelessState, one: Combatant, resource: str) -> Derived[int]:
    """Return the full amount that a combatant has of a resource, with what sheet and rulings add in this turn."""
    extra: dict[str, int] = one.sheet.extra
    added = sum(number for word, number in extra.items() if cost_word(word) == resource)
    allowed = state.allowed.get((one.id, resource))
    because = Because((), (one.joined,), (allowed,) if allowed else ())
    amount = (reaction_resource(state) if resource == REACTION else resource_rows(RULES)[resource]).amount
    return Derived(amount + added + (allowed.value if allowed else 0), because)


def _rest_of(state: NamelessState, one: Combatant, resource: str) -> Derived[int]:
    whole = full_amount(state, one, resource)
    return resources.amount_left(state.spending, one.id, resource, whole, acts_given_back(state))


@derives("turn.three-resources", "turn.any-order")
@memoize
def amount_left(state: NamelessState, one: Combatant, resource: str) -> Derived[int]:
    """Return the Action, Quick Action or Interaction left: none outside one's own turn, and none is saved."""
    rules, since = (ON_TURN[resource], "turn.three-resources"), (state.turn_seq or one.joined,)
    if not state.clock.is_turn_of(one.id):
        return left_outside(state, one.id, resource, Because(rules, since))
    rest = _rest_of(state, one, resource)
    return Derived(rest.value, Because(rules, since, (rest,)))


def left_outside(state: NamelessState, who: str, what: str, because: Because) -> Derived[int]:
    """Return the resource left outside one's own turn: none, unless a ruling grants it until a turn begins."""
    ruled = state.ruled.get(f"{who}.left.{what}")
    return Derived(ruled.value, because + Because((), (), (ruled,))) if ruled else Derived(0, because)


@derives("reaction.one-until-own-turn", "initiative.late-arrival-no-reaction")
def has_no_reaction_yet(state: NamelessState, who: str) -> bool:
    """Return whether a combatant has no Reaction yet: a newcomer before its first turn, by option anybody before theirs."""
    idle = who not in state.acted
    return who in state.turns.newcomers or (idle and state.option("reaction-before-first-turn") == "barred")


@memoize
def reactions_left(state: NamelessState, one: Combatant) -> Derived[int]:
    """Return how many Reactions a combatant has."""
    because = Because(has_no_reaction_yet.rules, (one.joined,))
    if has_no_reaction_yet(state, one.id):
        return left_outside(state, one.id, REACTION, because + _why_waiting(state, one.id))
    rest = _rest_of(state, one, REACTION)
    because += _why_waiting(state, one.id) if rest.value else NOTHING_CITED
    return Derived(rest.value, because + Because((), (), (rest,)))


def _why_waiting(state: NamelessState, who: str) -> Because:
    by = Because((), state.waits_by.get(who, ()))
    if who in state.turns.newcomers:
        early = state.early.get(who)
        return state.late[who] + Because((), (early,)) + by if early else by
    if who in state.first_rounds:
        only = state.acted.get(who)
        late = state.late[who] if state.first_rounds[who] == state.clock.round else NOTHING_CITED
        return late + Because((), (*state.rolls[who].events, *((only,) if only else ())))
    return NOTHING_CITED if who in state.acted else by


def acts_spending(state: NamelessState, who: str, resource: str) -> tuple[int, ...]:
    """Return the acts on which a resource was spent since it was renewed."""
    back = acts_given_back(state)
    return tuple(each.seq for each in uses(state.spending, who, resource) if each.seq not in back)


def acts_given_back(state: NamelessState) -> dict[int, int]:
    """Return the acts whose cost was given back: by option, those that were countered."""
    return state.spoiled if state.spoiled and state.option("countered-spell") == "cost-back" else {}


def reaction_resource(state: NamelessState) -> Resource:
    """Return the Reaction as a resource that returns when the option says."""
    return structs.replace(resource_rows(RULES)[REACTION], returns=state.option("reaction-returns"))


@derives("turn.three-resources", "reaction.one-until-own-turn")
def renew_resources(state: NamelessState, boundary: Boundary) -> None:
    """Renew the resources that return as a turn begins or a round opens; an option decides when the Reaction does."""
    rest = (row for name, row in resource_rows(RULES).items() if name != REACTION)
    resources.renew_at_boundary(state.spending, (*rest, reaction_resource(state)), boundary)


# ---------------------------------------------------------------- rulings


OF_SPEED = ("move.within-speed", "move.speeds-in-tandem", "move.backtracking-costs")
LIMITS = (*ON_TURN.values(), "reaction.one-until-own-turn", *OF_SPEED)
"""The rules on amounts: a grant of more lasts for a turn, any other exception for the whole fight."""


def is_granted(state: NamelessState, rule: str, who: str, *words: str, event: tuple[int, ...] = ()) -> bool:
    """Return whether a ruling grants a combatant an exception from a rule, or an act, resource or mode that these words
    name.

    A grant on an amount (`LIMITS`), or one that names only a combatant, holds in this turn, if it was made in it or
    directly before. One that states only how much more is allowed adds that amount, and is no exception.
    """
    rulings = []
    for each in state.rulings:
        specific = bool(each.event.rule or each.event.subject)
        lasts = (specific and rule not in LIMITS) or not state.precedes(each.seq, state.turn_before)
        if lasts and (specific or not each.event.modifiers):
            rulings.append(each)
    people = (who, state.combatants[who].side)
    return grants.has_grant(rulings, rule, who=people, event=event, said=words).value


@derives(*ON_TURN.values(), "move.within-speed", on=RulingMade)
def add_ruled_amounts(state: NamelessState, fact: Occurrence[RulingMade]) -> None:
    """Add the amounts that a ruling gives a combatant in this turn: modifiers `to` a resource or mode."""
    if fact.event.ruling == "grant":
        for who in fact.event.combatants:
            for each in fact.event.modifiers:
                add_amount(state, who, cost_word(each.to), each.amount, fact.seq)


def add_amount(state: NamelessState, who: str, what: str, amount: int, seq: int) -> None:
    """Add to what a combatant has of a resource or mode in this turn."""
    before = state.allowed.get((who, what))
    because = Because((), (seq,), (before,) if before else ())
    state.allowed[who, what] = Derived(amount + (before.value if before else 0), because)


# ---------------------------------------------------------------- what an act breaks

WORDS = {ACTION: "an Action", QUICK: "a Quick Action", INTERACTION: "an Interaction", REACTION: "a Reaction"}
WAITS = "initiative.late-arrival-waits"


def is_exempt(state: NamelessState, fact: Occurrence[ActionTaken | Moved], rule: str) -> bool:
    """Return whether a ruling exempts the acting combatant from a rule, or this act, or the mode of this move."""
    event, one = fact.event, state.combatants[fact.event.combatant]
    if isinstance(event, Moved):
        return is_granted(state, rule, one.id, mode_of(event), event=(fact.seq, fact.cause))
    words = filter(None, (event.action.name, event.action.kind, cost_of(one, event)))
    return is_granted(state, rule, one.id, *words, event=(fact.seq, fact.cause, event.trigger or 0))


@checks_by(
    *("action.attack-or-spell", "quick.listed-spells", "interaction.handling-objects"),
    *(WAITS, "turn.only-on-own-turn", *ON_TURN.values()),
    on=ActionTaken,
    unless=is_exempt,
)
def an_act_is_paid_in_its_turn(state: NamelessState, fact: Occurrence[ActionTaken]) -> Iterator[Fault]:
    """Yield the faults of the cost of an act, and of a resource spent outside its owner's turn or twice in it."""
    event, one = fact.event, state.combatants[fact.event.combatant]
    who, cost, word = one.id, cost_of(one, event), name_or_kind(event.action)
    allowed, spends = _allowed_costs(state, one, event.action), WORDS.get(cost, "nothing" if cost == NONE else cost)
    if cost not in (*allowed, REACTION):
        named = " or ".join(WORDS.get(each, each) for each in allowed)
        says = f"{who}'s {word} costs {named}, not {spends}"
        wanted, found = WORDS.get(allowed[0], allowed[0]), spends
        yield Fault((_clause_of_price(one, event.action, cost),), says, wanted, found, (one.joined,))
    granted = entry_named(one.sheet.entries, event.action.granted_by)
    if cost not in ON_TURN or granted or amount_left(state, one, cost).value:
        return
    turn = state.clock.turn
    if state.clock.is_turn_of(who):
        says = f"{who} has spent {spends} in this turn"
        yield Fault((ON_TURN[cost],), says, "no more", "another", acts_spending(state, who, cost))
    elif who in state.turns.newcomers:
        yield Fault((WAITS,), f"{who} acts before its first turn", "no act", word, (one.joined,))
    else:
        whose = f"{turn or 'nobody'}'s turn"
        says = f"{who} spends {spends} in {whose}"
        yield Fault(("turn.only-on-own-turn",), says, f"{who}'s turn", whose, state.clock.events)


def _allowed_costs(state: NamelessState, one: Combatant, action: Action) -> tuple[str, ...]:
    said = entry_cost(one, action)
    if not said:
        return act_price(action).costs
    return (said, ACTION) if said == QUICK and state.option("trade-down") == "yes" else (said,)


def _clause_of_price(one: Combatant, action: Action, cost: str) -> str:
    if action.plain_kind == "cast" and QUICK in (cost, entry_cost(one, action)):
        return "quick.listed-spells"
    return next(iter(act_price(action).rules), "")
