"""Action, Quick Action, Interaction and Reaction: what an act costs, and what a combatant has left of each."""

from msgspec import Struct

from eventstore.events import ActionTaken
from eventstore.shapes import Action
from projections.rulesets.nameless_journey.sheet import SheetEntry
from projections.rulesets.nameless_journey.state import Act, NamelessState
from projections.rulesets.ruleset import derives
from projections.state import Combatant, Told

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


@derives("turn.three-resources", "turn.any-order", on=ActionTaken)
def act_is_paid(state: NamelessState, told: Told[ActionTaken]) -> None:
    """Keep an act and what it spent; the resources of the turn can be spent on it alone, in any order."""
    event = told.event
    cost = cost_of(state.combatants[event.combatant], event)
    act = Act(told.seq, event.combatant, event.action, cost, told.point, event.trigger or 0)
    state.acts.append(act)
    state.known[told.seq] = act
    if cost == REACTION or (cost in ON_TURN and has_turn(state, event.combatant)):
        state.paid.setdefault((event.combatant, cost), []).append(told.seq)


def amount_of(one: Combatant, resource: str) -> int:
    """Return how much somebody has of a resource when it is whole, with what its sheet adds."""
    extra: dict[str, int] = one.sheet.extra
    return RESOURCES[resource] + sum(number for word, number in extra.items() if cost_word(word) == resource)


@derives("turn.three-resources", "turn.any-order")
def left(state: NamelessState, one: Combatant, resource: str) -> int:
    """Return what is left of Action, Quick Action or Interaction: nothing outside the own turn, and nothing is saved up."""
    if not has_turn(state, one.id):
        return 0
    return max(0, amount_of(one, resource) - len(spent_on(state, one.id, resource)))


@derives("reaction.one-until-own-turn", "initiative.late-arrival-no-reaction")
def reactions_left(state: NamelessState, one: Combatant) -> int:
    """Return how many Reactions somebody has: a newcomer none before its first turn, others then by option."""
    barred = state.option("reaction-before-first-turn") == "barred" and one.id not in state.had_ever
    if one.id in state.newcomers or barred:
        return 0
    return max(0, amount_of(one, REACTION) - len(spent_on(state, one.id, REACTION)))


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


def granted(state: NamelessState, rule: str, who: str) -> bool:
    """Say whether a ruling grants somebody an exception from a rule; one that allows more, in this turn or just before."""
    since = state.turn_before if rule in LIMITS else 0
    return any(
        told.event.ruling == "grant"
        and told.event.rule == rule
        and told.seq >= since
        and (not told.event.combatants or who in told.event.combatants)
        for told in state.rulings
    )
