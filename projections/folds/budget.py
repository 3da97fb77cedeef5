"""The budget of combatants, WHO.left.WHAT, and spending by the rows of a catalogue.

A ruleset with `[[resource]]` and `[[action]]` rows sets `budget=Budget()`, and names in one of its modules the
functions that `budget_functions` makes of the clauses; or it calls `pay_for`, `renew_resources` and `faults_of_overspending` from functions of its
own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from eventstore.events import ActionTaken, Moved
from eventstore.paths import AnyPath
from projections.address import Address, a_count
from projections.because import Because, Derived, ask_rule
from projections.fight import Combatant
from projections.mechanics import resources
from projections.mechanics.resources import Price, Resource
from projections.mechanics.squares import TILE, in_feet, legs, steps
from projections.occurrence import Occurrence
from projections.ruleset.catalogue import read_catalogue, rows_by_name
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Marked, derives, in_module
from projections.state import State
from projections.time import Boundary

# ---------------------------------------------------------------- what is left, in every ruleset


def amount_left(state: State, one: Combatant, what: str) -> Derived[int] | None:
    """Return how much a combatant has left of a thing, by the ruleset or its sheet; None if there is no such thing."""
    budget = state.rules.budget
    found = (budget.left or _left_by_row)(state, one, what) if budget else None
    if found is None and what in one.resources:
        return Derived(one.resources[what], one.counted[what])
    return found


def amounts_left(state: State, one: Combatant) -> dict[str, int]:
    """Return how much a combatant has left of each thing, as the views show it."""
    budget = state.rules.budget
    if budget is None:
        return dict(one.resources)
    if budget.bare:
        return budget.bare(state, one)
    return {what: rest.value for what in spendable_things(state, one) if (rest := amount_left(state, one, what))}


def why_unspendable(state: State, one: Combatant, what: str) -> Because | None:
    """Return why a combatant cannot spend a thing now, by the ruleset or else by the row of the thing; None if it can."""
    budget, resource = state.rules.budget, resource_of(state, what)
    if budget and budget.bars:
        return ask_rule(budget.bars, state, one, what)
    if resource is None or may_be_spent(state, one, resource):
        return None
    return Because((resource.rule,), state.clock.events)


def spendable_things(state: State, one: Combatant) -> Iterable[str]:
    """Return the things that a combatant can spend, if the ruleset has a budget."""
    budget = state.rules.budget
    if budget is None:
        return ()
    return budget.names(state, one) if budget.names else resource_rows(state.rules.rules)


BESIDES = ("<who>.seconds", "<who>.memorized.<spell>")
"""The addresses of rulesets for things that a combatant has left, in addition to those below."""


def addresses_of(state: State, one: Combatant) -> dict[str, str]:
    """Return the addresses of the things that a combatant has left, by their names."""
    found = {what: f"{one.id}.left.{what}" for what in spendable_things(state, one)}
    besides = (each for each in state.rules.addresses if each.pattern in BESIDES)
    for place in (place for each in besides for place in each.existing(state)):
        head, _, rest = place.partition(".")
        if head == one.id:
            found.setdefault(rest.rpartition(".")[2], place)
    return found


def _check_amount(state: State, who: str, what: str, value: object) -> str:
    if state.rules.budget and what in state.rules.budget.own:
        return f"nothing: rule {who}.{what}"
    return a_count(state, value)


def _open_parts(state: State) -> Iterator[tuple[str, str]]:
    own = state.rules.budget.own if state.rules.budget else ()
    for one in state.combatants.values():
        yield from ((one.id, what) for what in spendable_things(state, one) if what not in own)


ADDRESSES = (
    Address(
        "<who>.left.<what>",
        lambda state, who, what: amount_left(state, state.combatants[who], what),
        wants=_check_amount,
        says="what a combatant has left to spend",
        unit="# left",
        until="turn",
        also=lambda state, who, what: state.rules.budget.also(state, who, what),
        places=_open_parts,
    ),
)

# ---------------------------------------------------------------- by the rows of a catalogue


def _left_by_row(state: State, one: Combatant, what: str) -> Derived[int] | None:
    """Return how much a combatant has left of a resource: 0 in a turn in which it cannot be spent."""
    resource, budget = resource_rows(state.rules.rules).get(what), state.rules.budget
    if resource is None or budget is None:
        return None
    if not may_be_spent(state, one, resource):
        return Derived(0, Because((resource.rule,), state.clock.events or (1,)))
    rest = resources.amount_left(state.spending, one.id, what, budget.whole(state, one, resource))
    turn = (state.clock.turn_event,) if resource.where and state.clock.turn_event else ()
    return Derived(rest.value, Because((resource.rule,), turn, (rest,)))


def may_be_spent(state: State, one: Combatant, resource: Resource) -> bool:
    """Say whether a resource can be spent in the present turn, as its row says where that is."""
    has_turn = state.clock.is_turn_of(one.id)
    return {"own-turn": has_turn, "outside-own-turn": not has_turn}.get(resource.where, True)


def when_spendable(state: State, event: ActionTaken | Moved) -> str:
    """Return where an act or a move can spend its resource, by the row: in the combatant's own turn, or outside it; "" for any other."""
    resource = resource_of(state, cost_of(state, event)) if state.rules.budget else None
    return resource.where if resource else ""


def cost_of(state: State, event: ActionTaken | Moved) -> str:
    """Return the resource that an act or a move spends, as recorded, else by its kind; "" if it spends none.

    If the kind may cost several, it is the first; for an act that answers another, the first that is spent outside its combatant's turn.
    """
    rows, said = resource_rows(state.rules.rules), event.cost if isinstance(event, Moved) else event.action.cost
    kind = "move" if isinstance(event, Moved) else event.action.plain_kind
    price = price_rows(state.rules.rules).get(kind)
    costs = [said.casefold()] if said else [*(price.costs if price else ())]
    if isinstance(event, ActionTaken) and event.trigger is not None:
        costs = [each for each in costs if each in rows and rows[each].where == "outside-own-turn"] or costs
    return next((each for each in costs if each in rows), "")


def amount_spent(state: State, event: ActionTaken | Moved) -> int:
    """Return how much is spent: the uses in the act's row, by default one, or the feet of a move, five of them a square."""
    if isinstance(event, ActionTaken):
        price = price_rows(state.rules.rules).get(event.action.plain_kind)
        return price.amount if price else 1
    return in_feet(event.distance) if event.distance else TILE * sum(map(steps, legs(event.path)))


def pay_for(state: State, fact: Occurrence[ActionTaken] | Occurrence[Moved]) -> None:
    """Spend the cost of an act, or of a move that is not forced."""
    event = fact.event
    if (cost := cost_of(state, event)) and not getattr(event, "forced", None):
        resources.record_use(state.spending, event.combatant, cost, fact.seq, amount_spent(state, event))


def renew_resources(state: State, boundary: Boundary) -> None:
    """Renew the resources that return at a boundary."""
    resources.renew_at_boundary(state.spending, resource_rows(state.rules.rules).values(), boundary)


def faults_of_overspending(state: State, fact: Occurrence[ActionTaken] | Occurrence[Moved]) -> Iterator[Fault]:
    """Yield the clause's fault if an act or a move costs more than is left, or cannot be paid in this turn."""
    event = fact.event
    cost, one = cost_of(state, event), state.combatants[event.combatant]
    if not cost or getattr(event, "forced", None):
        return
    resource, amount = resource_rows(state.rules.rules)[cost], amount_spent(state, event)
    rest = ADDRESSES[0].value(state, f"{one.id}.left.{cost}", (one.id, cost))
    if rest is None or amount <= rest.value:
        return
    rules = (resource.rule,)
    if not may_be_spent(state, one, resource):
        turn = state.clock.turn or "nobody"
        says = f"{one.id} spends its {cost} in {turn}'s turn"
        yield Fault(rules, says, resource.where.replace("-", " "), f"{turn}'s turn", state.clock.events)
    else:
        used = tuple(each.seq for each in resources.uses(state.spending, one.id, cost))
        says, spent = f"{one.id} has {rest.value or 'no'} {cost} left", f"{amount} {cost}"
        yield Fault(rules, says, f"{rest.value} {cost}", spent, used)


def resource_of(state: State, what: str) -> Resource | None:
    """Return the row of the catalogue for a thing, if there is one."""
    return resource_rows(state.rules.rules).get(what)


def kinds_costing(state: State, what: str) -> tuple[str, ...]:
    """Return the kinds of acts that may cost a thing, by the rows of the catalogue for the edition that is played."""
    prices = ((kind, price) for kind, price in price_rows(state.rules.rules).items() if what in price.costs)
    return tuple(kind for kind, price in prices if not price.edition or price.edition == state.option("edition"))


def budget_functions(module: str, *rules: str) -> tuple[Marked, ...]:
    """Return the functions that spend, give back and check by these clauses, as functions of a module of rules."""
    on, at = (ActionTaken, Moved), tuple(resources.RETURNS.values())
    checks = checks_by(*rules, on=on)(faults_of_overspending)
    return in_module(module, derives(*rules, on=on)(pay_for), derives(*rules, at=at)(renew_resources), *checks)


def resource_rows(rules: AnyPath) -> dict[str, Resource]:
    """Return the rows of a catalogue for the things that can be spent, by name."""
    return rows_by_name(rules, "resource", Resource)


@cache
def price_rows(rules: AnyPath) -> dict[str, Price]:
    """Return the rows of a catalogue for the prices of acts, by kind."""
    return resources.read_prices(read_catalogue(rules).action)
