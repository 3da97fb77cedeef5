"""The checks on spending: the price of an act, the turn, the budget left, and the needs of a Reaction."""

from collections.abc import Iterator

from eventstore.events import ActionTaken
from projections.mechanics.acts import action_word
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check
from projections.rulesets.nameless_journey import budget
from projections.rulesets.nameless_journey.reactions import answerable, answers
from projections.rulesets.nameless_journey.reading import Reading
from projections.rulesets.nameless_journey.state import NamelessState
from projections.sheet import entry_named

WORDS = {
    budget.ACTION: "an Action",
    budget.QUICK: "a Quick Action",
    budget.INTERACTION: "an Interaction",
    budget.REACTION: "a Reaction",
}
Acts = Reading[ActionTaken]

# ---------------------------------------------------------------- the price


def _allowed(state: NamelessState, act: Acts) -> tuple[str, ...]:
    """Return the permitted costs of an act: by its entry, else by its kind."""
    said = budget.entry_cost(act.one, act.event.action)
    if not said:
        return budget.price_of(act.event.action).costs
    return (said, budget.ACTION) if said == budget.QUICK and state.option("trade-down") == "yes" else (said,)


@checks_by("action.attack-or-spell", "quick.listed-spells", "interaction.handling-objects", on=ActionTaken)
def acts_cost_what_they_may(state: NamelessState, act: Acts) -> Iterator[Fault]:
    """Yield the fault if an act has a wrong cost."""
    rule, allowed = _rule_of_price(act), _allowed(state, act)
    if act.cost not in (*allowed, budget.REACTION) and not act.is_granted(rule):
        named = " or ".join(WORDS.get(each, each) for each in allowed)
        says = f"{action_word(act.event.action)} of {act.one.id} costs {named}, not {_words(act.cost)}"
        yield Fault((rule,), says, allowed[0], act.cost, (act.one.joined,))


def _rule_of_price(act: Acts) -> str:
    kind = act.event.action.plain_kind
    if kind == "cast" and budget.QUICK in (act.cost, budget.entry_cost(act.one, act.event.action)):
        return "quick.listed-spells"
    return next(iter(budget.price_of(act.event.action).rules), "")


def _words(cost: str) -> str:
    return "nothing" if cost == budget.NONE else WORDS.get(cost, cost)


# ---------------------------------------------------------------- whose turn, and how much is left


@checks_by("initiative.late-arrival-waits", "turn.only-on-own-turn", on=ActionTaken)
def resources_are_spent_on_the_own_turn(state: NamelessState, act: Acts) -> Iterator[Fault]:
    """Yield the fault if a resource of its owner's turn is spent outside it."""
    rule = "initiative.late-arrival-waits" if act.is_newcomer else "turn.only-on-own-turn"
    if act.cost not in budget.ON_TURN or act.on_own_turn or _may_still(act, rule):
        return
    who, turn, word = act.one.id, state.clock.turn, action_word(act.event.action)
    if act.is_newcomer:
        yield Fault((rule,), f"{who} acts before its first turn", "waiting", word, (act.one.joined,))
    else:
        says = f"{who} spends {_words(act.cost)} in {f'the turn of {turn}' if turn else 'nobody’s turn'}"
        yield Fault((rule,), says, f"the turn of {who}", turn or "none", state.clock.events)


@checks_by(*budget.ON_TURN.values(), on=ActionTaken)
def a_turn_has_each_resource_once(state: NamelessState, act: Acts) -> Iterator[Fault]:
    """Yield the fault if more of a resource is spent than a turn has."""
    if act.cost in budget.ON_TURN and act.on_own_turn and not _may_still(act, budget.ON_TURN[act.cost]):
        says = f"{act.one.id} has spent {WORDS[act.cost]} in this turn"
        spent = budget.spent_on(state, act.one.id, act.cost)
        yield Fault((budget.ON_TURN[act.cost],), says, "none left", "a further one", spent)


def _may_still(act: Acts, rule: str) -> bool:
    """Return whether something is left of the resource that an act spends, or an entry or a ruling grants the act."""
    entry = entry_named(act.one.sheet.entries, act.event.action.granted_by)
    return bool(budget.left(act.state, act.one, act.cost).value or entry or act.is_granted(rule))


# ---------------------------------------------------------------- Reactions


def _reaction(_state: NamelessState, act: Acts) -> Acts | None:
    """Return an act that spends the Reaction, except that of a newcomer, who has none."""
    return act if act.cost == budget.REACTION and not act.is_newcomer else None


@check("initiative.late-arrival-no-reaction", on=ActionTaken)
def a_newcomer_does_not_react_yet(state: NamelessState, act: Acts) -> Breach | None:
    who = act.one.id
    if act.cost != budget.REACTION or not act.is_newcomer or act.is_granted("initiative.late-arrival-no-reaction"):
        return None
    return Breach(f"{who} reacts before its first turn", "no Reaction", "a Reaction", (state.combatants[who].joined,))


@check("reaction.outside-own-turn", on=ActionTaken, only=_reaction)
def a_reaction_comes_outside_the_own_turn(state: NamelessState, act: Acts) -> Breach | None:
    allowed = not act.on_own_turn or state.option("reaction-on-own-turn") == "allowed"
    if allowed or act.is_granted("reaction.outside-own-turn"):
        return None
    return Breach(f"{act.one.id} reacts in its own turn", "the turn of another", act.one.id, state.clock.events)


@check("reaction.one-until-own-turn", on=ActionTaken, only=_reaction)
def there_is_one_reaction(state: NamelessState, act: Acts) -> Breach | None:
    if budget.reactions_left(state, act.one).value or act.is_granted("reaction.one-until-own-turn"):
        return None
    spent = budget.spent_on(state, act.one.id, budget.REACTION)
    says = f"{act.one.id} has no Reaction left" if spent else f"{act.one.id} has no Reaction yet"
    return Breach(says, "none left", "a Reaction", spent)


@check("reaction.needs-trait-or-spell", on=ActionTaken, only=_reaction)
def a_trait_or_spell_grants_the_reaction(_state: NamelessState, act: Acts) -> Breach | None:
    entry = budget.entry_of(act.one, act.event.action)
    if (entry and budget.cost_word(entry.cost) == budget.REACTION) or act.is_granted("reaction.needs-trait-or-spell"):
        return None
    word, who = action_word(act.event.action), act.one.id
    says = f"{word} is not a Reaction on the sheet of {who}" if entry else f"nothing on the sheet of {who} grants it"
    return Breach(says, "an entry that costs a Reaction", word, (act.one.joined,))


@check("reaction.follows-its-cause", on=ActionTaken, only=_reaction)
def a_reaction_answers_its_cause(state: NamelessState, act: Acts) -> Breach | None:
    trigger = act.event.trigger
    if act.is_granted("reaction.follows-its-cause"):
        return None
    if trigger is None:
        return Breach(f"the Reaction of {act.one.id} names no cause", "what it answers", "none")
    opened = answerable(state, trigger)
    if not opened.value:
        return Breach(f"the moment of event {trigger} has gone by", "at once", "later", opened.because.events)
    cause = state.triggers.openings[trigger]
    if not answers(act.one, act.event, cause):
        says = f"event {trigger} does not trigger {action_word(act.event.action)}"
        return Breach(says, "its cause", " ".join(cause.words), (trigger,))
    return None
