"""The rulebook on what is spent: the price of an act, whose turn it is, what is left, and what a Reaction needs."""

from eventstore.events import ActionTaken
from projections.occurrence import Occurrence
from projections.rulesets.nameless_journey.reactions import answers, open_causes
from projections.rulesets.nameless_journey.resources import (
    ACTION,
    INTERACTION,
    NONE,
    ON_TURN,
    QUICK,
    REACTION,
    cost_of,
    cost_word,
    entry_cost,
    entry_named,
    entry_of,
    granted,
    has_turn,
    kind_of,
    left,
    reactions_left,
    spent_on,
    words_of,
)
from projections.rulesets.nameless_journey.state import NamelessState
from projections.rulesets.ruleset import Breach, check
from projections.state import Combatant, action_word

WORDS = {ACTION: "an Action", QUICK: "a Quick Action", INTERACTION: "an Interaction", REACTION: "a Reaction"}


def _actor(state: NamelessState, fact: Occurrence[ActionTaken]) -> tuple[Combatant, str]:
    """Return who acts, and what the act spends."""
    one = state.combatants[fact.event.combatant]
    return one, cost_of(one, fact.event)


# ---------------------------------------------------------------- the price


def _allowed(state: NamelessState, one: Combatant, fact: Occurrence[ActionTaken]) -> tuple[str, ...]:
    """Return what an act may cost: what its entry says, else the resources of its kind."""
    said = entry_cost(one, fact.event.action)
    if not said:
        return kind_of(fact.event.action).costs
    return (said, ACTION) if said == QUICK and state.option("trade-down") == "yes" else (said,)


def _price(state: NamelessState, fact: Occurrence[ActionTaken], rule: str) -> Breach | None:
    """Return the breach of an act that cost what it may not, if this is the rule to cite."""
    one, cost = _actor(state, fact)
    action = fact.event.action
    allowed = _allowed(state, one, fact)
    if (
        cost in (*allowed, REACTION)
        or rule != _rule_of_price(one, fact, cost)
        or granted(state, rule, one.id, *words_of(action, cost))
    ):
        return None
    named = " or ".join(WORDS.get(each, each) for each in allowed)
    says = f"{action_word(action)} of {one.id} costs {named}, not {_words(cost)}"
    return Breach(says, allowed[0], cost, (one.joined,))


def _rule_of_price(one: Combatant, fact: Occurrence[ActionTaken], cost: str) -> str:
    kind = fact.event.action.kind.casefold()
    if kind == "cast" and QUICK in (cost, entry_cost(one, fact.event.action)):
        return "quick.listed-spells"
    return {
        "attack": "action.attack-or-spell",
        "cast": "action.attack-or-spell",
        "handle": "interaction.handling-objects",
        "effort": "interaction.handling-objects",
    }.get(kind, "")


def _words(cost: str) -> str:
    return "nothing" if cost == NONE else WORDS.get(cost, cost)


@check("action.attack-or-spell", on=ActionTaken)
def an_attack_or_spell_costs_the_action(state: NamelessState, fact: Occurrence[ActionTaken]) -> Breach | None:
    return _price(state, fact, "action.attack-or-spell")


@check("quick.listed-spells", on=ActionTaken)
def quick_is_what_the_sheet_says(state: NamelessState, fact: Occurrence[ActionTaken]) -> Breach | None:
    return _price(state, fact, "quick.listed-spells")


@check("interaction.handling-objects", on=ActionTaken)
def handling_costs_the_interaction(state: NamelessState, fact: Occurrence[ActionTaken]) -> Breach | None:
    return _price(state, fact, "interaction.handling-objects")


# ---------------------------------------------------------------- on whose turn


def _outside(state: NamelessState, fact: Occurrence[ActionTaken], rule: str) -> bool:
    """Say whether somebody spends what belongs to its turn outside of it, and nothing grants that."""
    one, cost = _actor(state, fact)
    if cost not in ON_TURN or has_turn(state, one.id):
        return False
    action = fact.event.action
    return entry_named(one, action.granted_by) is None and not granted(state, rule, one.id, *words_of(action, cost))


@check("initiative.late-arrival-waits", on=ActionTaken)
def a_newcomer_does_not_act_yet(state: NamelessState, fact: Occurrence[ActionTaken]) -> Breach | None:
    who = fact.event.combatant
    if who not in state.newcomers or not _outside(state, fact, "initiative.late-arrival-waits"):
        return None
    says = f"{who} acts before its first turn"
    return Breach(says, "waiting", action_word(fact.event.action), (state.newcomers[who],))


@check("turn.only-on-own-turn", on=ActionTaken)
def resources_are_spent_on_the_own_turn(state: NamelessState, fact: Occurrence[ActionTaken]) -> Breach | None:
    who = fact.event.combatant
    if who in state.newcomers or not _outside(state, fact, "turn.only-on-own-turn"):
        return None
    turn = state.clock.turn
    says = f"{who} spends {_words(_actor(state, fact)[1])} in {f'the turn of {turn}' if turn else 'nobody’s turn'}"
    return Breach(says, f"the turn of {who}", turn or "none", state.clock.events)


# ---------------------------------------------------------------- how much is left


def _one(state: NamelessState, fact: Occurrence[ActionTaken], resource: str, rule: str) -> Breach | None:
    """Return the breach of a further one of what a turn has one of."""
    one, cost = _actor(state, fact)
    if cost != resource or not has_turn(state, one.id) or left(state, one, resource):
        return None
    action = fact.event.action
    if entry_named(one, action.granted_by) or granted(state, rule, one.id, *words_of(action, cost)):
        return None
    spent = tuple(spent_on(state, one.id, resource))
    return Breach(f"{one.id} has spent {WORDS[resource]} in this turn", "none left", "a further one", spent)


@check("turn.one-action", on=ActionTaken)
def a_turn_has_one_action(state: NamelessState, fact: Occurrence[ActionTaken]) -> Breach | None:
    return _one(state, fact, ACTION, "turn.one-action")


@check("turn.one-quick-action", on=ActionTaken)
def a_turn_has_one_quick_action(state: NamelessState, fact: Occurrence[ActionTaken]) -> Breach | None:
    return _one(state, fact, QUICK, "turn.one-quick-action")


@check("turn.one-interaction", on=ActionTaken)
def a_turn_has_one_interaction(state: NamelessState, fact: Occurrence[ActionTaken]) -> Breach | None:
    return _one(state, fact, INTERACTION, "turn.one-interaction")


# ---------------------------------------------------------------- Reactions


def _reacts(state: NamelessState, fact: Occurrence[ActionTaken], rule: str) -> Combatant | None:
    """Return who reacts and is to be judged by a rule: not a newcomer, who has a rule of its own."""
    one, cost = _actor(state, fact)
    if cost != REACTION or one.id in state.newcomers:
        return None
    return None if granted(state, rule, one.id, *words_of(fact.event.action, cost)) else one


@check("initiative.late-arrival-no-reaction", on=ActionTaken)
def a_newcomer_does_not_react_yet(state: NamelessState, fact: Occurrence[ActionTaken]) -> Breach | None:
    one, cost = _actor(state, fact)
    if cost != REACTION or one.id not in state.newcomers:
        return None
    if granted(state, "initiative.late-arrival-no-reaction", one.id):
        return None
    return Breach(f"{one.id} reacts before its first turn", "no Reaction", "a Reaction", (state.newcomers[one.id],))


@check("reaction.outside-own-turn", on=ActionTaken)
def a_reaction_comes_outside_the_own_turn(state: NamelessState, fact: Occurrence[ActionTaken]) -> Breach | None:
    one = _reacts(state, fact, "reaction.outside-own-turn")
    if one is None or not has_turn(state, one.id) or state.option("reaction-on-own-turn") == "allowed":
        return None
    return Breach(f"{one.id} reacts in its own turn", "the turn of another", one.id, state.clock.events)


@check("reaction.one-until-own-turn", on=ActionTaken)
def there_is_one_reaction(state: NamelessState, fact: Occurrence[ActionTaken]) -> Breach | None:
    one = _reacts(state, fact, "reaction.one-until-own-turn")
    if one is None or reactions_left(state, one):
        return None
    spent = tuple(spent_on(state, one.id, REACTION))
    says = f"{one.id} has no Reaction left" if spent else f"{one.id} has no Reaction yet"
    return Breach(says, "none left", "a Reaction", spent)


@check("reaction.needs-trait-or-spell", on=ActionTaken)
def a_trait_or_spell_grants_the_reaction(state: NamelessState, fact: Occurrence[ActionTaken]) -> Breach | None:
    one = _reacts(state, fact, "reaction.needs-trait-or-spell")
    if one is None:
        return None
    entry = entry_of(one, fact.event.action)
    if entry and cost_word(entry.cost) == REACTION:
        return None
    word = action_word(fact.event.action)
    says = f"{word} is no Reaction on the sheet of {one.id}" if entry else f"nothing on the sheet of {one.id} grants it"
    return Breach(says, "an entry that costs a Reaction", word, (one.joined,))


@check("reaction.follows-its-cause", on=ActionTaken)
def a_reaction_answers_its_cause(state: NamelessState, fact: Occurrence[ActionTaken]) -> Breach | None:
    one = _reacts(state, fact, "reaction.follows-its-cause")
    trigger = fact.event.trigger
    if one is None:
        return None
    if trigger is None:
        return Breach(f"the Reaction of {one.id} names no cause", "what it answers", "none")
    if trigger > fact.seq:
        return Breach(f"event {trigger} comes after this", "what came before", f"event {trigger}")
    if trigger not in open_causes(state):
        return Breach(f"the moment of event {trigger} has gone by", "at once", "later", (trigger,))
    if not answers(one, fact.event, state.same_turn[trigger]):
        says = f"event {trigger} is nothing that {action_word(fact.event.action)} answers"
        return Breach(says, "its cause", " ".join(state.same_turn[trigger].words), (trigger,))
    return None
