"""Action, Quick Action, Interaction and Reaction: what an act costs, and what a combatant has left of each."""

from msgspec import Struct

from eventstore.events import ActionTaken, RulingMade
from eventstore.shapes import Action
from projections.occurrence import Occurrence
from projections.rulesets.nameless_journey.sheet import SheetEntry
from projections.rulesets.nameless_journey.state import Act, NamelessState
from projections.rulesets.ruleset import derives
from projections.state import Combatant

ACTION, QUICK, INTERACTION, REACTION, NONE = "action", "quick-action", "interaction", "reaction", "none"
ON_TURN = (ACTION, QUICK, INTERACTION)
"""What is spent on the own turn and whole again as it begins."""
RESOURCES = {ACTION: 1, QUICK: 1, INTERACTION: 1, REACTION: 1}
"""How much there is of each when it is whole."""


class Kind(Struct, frozen=True):
    """Is a kind of act: the resources that it may cost, the first if nothing is said, and whether an entry may differ."""

    costs: tuple[str, ...]
    entry: bool = False


KINDS = {
    "attack": Kind((ACTION,), entry=True),
    "cast": Kind((ACTION,), entry=True),
    "handle": Kind((INTERACTION, ACTION)),
    "effort": Kind((INTERACTION, ACTION)),
    "trait": Kind((NONE, ACTION, QUICK, INTERACTION), entry=True),
    "talk": Kind((NONE, ACTION, QUICK, INTERACTION)),
    "other": Kind((NONE, ACTION, QUICK, INTERACTION)),
}
"""The kinds of act; one that is not among them counts as other."""


def kind_of(action: Action) -> Kind:
    """Return the kind of an act."""
    return KINDS.get(action.kind.casefold(), KINDS["other"])


def cost_word(word: str | None) -> str:
    """Return the name of a resource as it is counted; "" for none named."""
    named = "-".join((word or "").casefold().replace("_", " ").split())
    return QUICK if named == "quick" else named


def entry_named(one: Combatant, *names: str | None) -> SheetEntry | None:
    """Return the entry of a sheet that has one of these names, case folded."""
    wanted = [name.casefold() for name in names if name]
    entries: tuple[SheetEntry, ...] = one.sheet.entries
    return next((entry for name in wanted for entry in entries if entry.name.casefold() == name), None)


def entry_of(one: Combatant, action: Action) -> SheetEntry | None:
    """Return the entry of the sheet that grants an act, or has its name."""
    return entry_named(one, action.granted_by, action.name)


@derives("quick.listed-spells", "action.attack-or-spell")
def entry_cost(one: Combatant, action: Action) -> str:
    """Return what the entry of a spell, attack or trait says that it costs; "" where it says nothing."""
    entry = entry_of(one, action) if kind_of(action).entry else None
    return cost_word(entry.cost) if entry else ""


@derives("action.attack-or-spell", "interaction.handling-objects")
def cost_of(one: Combatant, event: ActionTaken) -> str:
    """Return the resource that an act spends: as recorded, else by its entry, its trigger, or its kind."""
    action = event.action
    if action.cost:
        return cost_word(action.cost)
    if said := entry_cost(one, action):
        return said
    answers = event.trigger is not None and action.kind.casefold() != "talk"
    return REACTION if answers else kind_of(action).costs[0]


def has_turn(state: NamelessState, who: str) -> bool:
    """Say whether it is somebody's turn."""
    return bool(who) and (who == state.clock.turn or who in state.clock.together)


def row_of(state: NamelessState) -> int:
    """Return the number of the next row of the round: an inserted one stands where it is told, whatever its seq."""
    return len(state.acts) + len(state.stretches)


@derives("turn.three-resources", "turn.any-order", on=ActionTaken)
def act_is_paid(state: NamelessState, fact: Occurrence[ActionTaken]) -> None:
    """Keep an act and what it spent; the resources of the turn can be spent on it alone, in any order."""
    event = fact.event
    cost = cost_of(state.combatants[event.combatant], event)
    act = Act(fact.seq, event.combatant, event.action, cost, fact.point, row_of(state), event.trigger or 0)
    state.acts.append(act)
    state.known[fact.seq] = act
    if cost == REACTION or (cost in ON_TURN and has_turn(state, event.combatant)):
        state.paid.setdefault((event.combatant, cost), []).append(fact.seq)


def amount_of(state: NamelessState, one: Combatant, resource: str) -> int:
    """Return how much somebody has of a resource when it is whole, with what its sheet adds, or a ruling in this turn."""
    extra: dict[str, int] = one.sheet.extra
    added = sum(number for word, number in extra.items() if cost_word(word) == resource)
    return RESOURCES[resource] + added + state.allowed.get((one.id, resource), 0)


@derives("turn.three-resources", "turn.any-order")
def left(state: NamelessState, one: Combatant, resource: str) -> int:
    """Return what is left of Action, Quick Action or Interaction: nothing outside the own turn, and nothing is saved up."""
    if not has_turn(state, one.id):
        return 0
    return max(0, amount_of(state, one, resource) - len(spent_on(state, one.id, resource)))


@derives("reaction.one-until-own-turn", "initiative.late-arrival-no-reaction")
def reactions_left(state: NamelessState, one: Combatant) -> int:
    """Return how many Reactions somebody has: a newcomer none before its first turn, others then by option."""
    barred = state.option("reaction-before-first-turn") == "barred" and one.id not in state.had_ever
    if one.id in state.newcomers or barred:
        return 0
    return max(0, amount_of(state, one, REACTION) - len(spent_on(state, one.id, REACTION)))


def spent_on(state: NamelessState, who: str, resource: str) -> list[int]:
    """Return the acts that a resource has gone into since it was whole; by option a countered one gave it back."""
    acts = state.paid.get((who, resource), [])
    if state.option("countered-spell") != "cost-back":
        return acts
    return [seq for seq in acts if seq not in state.spoiled]


@derives("turn.three-resources", "reaction.one-until-own-turn")
def are_whole_again(state: NamelessState, who: str) -> None:
    """Make whole what somebody has as its turn begins; the Reaction only where the option says so."""
    for resource in ON_TURN:
        state.paid.pop((who, resource), None)
    if state.option("reaction-returns") == "own-turn-start":
        state.paid.pop((who, REACTION), None)
    state.feet.pop(who, None)
    state.covered.pop(who, None)


def allowance_is_over(state: NamelessState, who: str) -> None:
    """Forget what a ruling allowed somebody for a turn that is over."""
    for key in [key for key in state.allowed if key[0] == who]:
        del state.allowed[key]


@derives("reaction.one-until-own-turn")
def reactions_are_back(state: NamelessState) -> None:
    """Give everybody the Reaction back as a round opens, where the option says so."""
    if state.option("reaction-returns") == "round-start":
        for key in [key for key in state.paid if key[1] == REACTION]:
            del state.paid[key]


LIMITS = (
    "turn.one-action",
    "turn.one-quick-action",
    "turn.one-interaction",
    "reaction.one-until-own-turn",
    "move.within-speed",
    "move.speeds-in-tandem",
    "move.backtracking-costs",
)
"""The rules that say how much there is: more of it is granted for a turn, any other exception for good."""


def granted(state: NamelessState, rule: str, who: str, *words: str) -> bool:
    """Say whether a ruling grants somebody an exception from a rule, or what these words name: acts, resources, modes.

    One that allows more, or says no more than who, holds in this turn, if it was made in it or just before.
    """
    return any(_grants(state, fact, rule, who, words) for fact in state.rulings)


def _grants(state: NamelessState, fact: Occurrence[RulingMade], rule: str, who: str, words: tuple[str, ...]) -> bool:
    event = fact.event
    if event.ruling != "grant" or (event.combatants and who not in event.combatants):
        return False
    passing = rule in LIMITS or not (event.rule or event.subject)
    if passing and fact.seq < state.turn_before:
        return False
    if event.rule:
        return event.rule == rule
    return event.subject.casefold() in words if event.subject else bool(event.combatants)


def words_of(action: Action, cost: str) -> tuple[str, ...]:
    """Return the words by which a ruling may name an act: its name, its kind, what it costs."""
    return tuple(word.casefold() for word in (action.name, action.kind, cost) if word)


@derives("turn.one-action", "turn.one-quick-action", "turn.one-interaction", "move.within-speed", on=RulingMade)
def ruling_allows_more(state: NamelessState, fact: Occurrence[RulingMade]) -> None:
    """Let a ruling say how much somebody has in this turn: by modifiers `to` a resource or mode, on top of the rest."""
    event = fact.event
    if event.ruling == "grant":
        for who in event.combatants:
            for each in event.modifiers:
                key = who, cost_word(each.to)
                state.allowed[key] = state.allowed.get(key, 0) + each.amount
