"""Reactions: the facts that allow one, and for how long, and what they break; Counterspells and the spells that they spoil."""

import re
from collections.abc import Iterator

from eventstore import events
from eventstore.events import ActionTaken, AttackRolled, ContestRolled, DamageDealt, EffectStarted, Fact, Healed, Moved
from eventstore.shapes import Action
from projections.because import Because, Derived
from projections.fight import Combatant
from projections.folds.budget import resource_rows
from projections.mechanics import triggers
from projections.mechanics.acts import name_or_kind
from projections.mechanics.triggers import Opening
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.nameless_journey import budget
from projections.rulesets.nameless_journey.budget import REACTION, cost_of, cost_word, entry_of, is_exempt, is_spell
from projections.rulesets.nameless_journey.effects import is_counterspell, origin_of_cause
from projections.rulesets.nameless_journey.movement import is_free
from projections.rulesets.nameless_journey.state import RULES, NamelessState, PaidAct

OUTCOMES = (AttackRolled, events.SaveRolled, ContestRolled, events.DiceRolled, DamageDealt, Healed)
Outcome = AttackRolled | events.SaveRolled | ContestRolled | events.DiceRolled | DamageDealt | Healed
SAYINGS = (
    events.EncounterOpened, events.Struck, events.Amended, events.Inserted, events.Checked, events.RulingMade,
    events.Noted, events.RoundStarted, events.DiceCommitted, events.DiceDrawn,
)  # fmt: skip
HAPPENINGS = tuple(kind for kind in events.EVENT_TYPES if kind not in SAYINGS)
"""The types of facts that allow a Reaction: events of the fight, not remarks about it."""
NAMES = {kind: events.name_of(kind) for kind in HAPPENINGS}

WORDS = {
    "attack": "attack",
    "blow": "attack",
    "shot": "attack",
    "cast": "cast",
    "spell": "cast",
    "mov": "moved",
    "handl": "handle",
    "effort": "effort",
    "trait": "trait",
    "talk": "talk",
}
"""The stems of words by which an entry names triggers of a Reaction, with their meanings."""
ONESELF = ("me", "it", "itself", "him", "himself", "her", "herself", "oneself", "self")
"""The words by which an entry names the combatant who has it."""


@derives("reaction.follows-its-cause", on=HAPPENINGS, phase="consequences")
def open_to_reactions(state: NamelessState, fact: Occurrence[Fact]) -> None:
    """Open a fact to Reactions, and close earlier ones if their moment is over."""
    if isinstance(fact.event, events.TurnStarted):
        triggers.end_turn(state.triggers, fact.seq)
    elif _ends_moment(state, fact):
        triggers.end_moment(state.triggers, fact.seq)
    triggers.allow_reaction(state.triggers, fact.seq, *_trigger_words(state, fact))


def _ends_moment(state: NamelessState, fact: Occurrence[Fact]) -> bool:
    """Return whether a fact ends the moment: a resource other than the Reaction is spent, or a combatant moves."""
    event, act = fact.event, state.known.get(fact.seq)
    if act and isinstance(event, ActionTaken):
        reacts = act.cost == REACTION and event.trigger is not None and triggers.is_open(state.triggers, event.trigger)
        return act.cost in resource_rows(RULES) and not reacts
    return isinstance(event, Moved) and not is_free(state, event, fact.cause)


def _trigger_words(state: NamelessState, fact: Occurrence[Fact]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words for a fact as a trigger (its own and those of the act behind it), and its targets."""
    event = fact.event
    if isinstance(event, ActionTaken):
        return (event.action.plain_kind,), event.action.targets
    words: tuple[str, ...] = (NAMES[type(event)],)
    if isinstance(event, AttackRolled):
        words = (*words, "attack")
    opened = state.triggers.openings.get(fact.cause)
    who = getattr(event, "target", None)
    targets = getattr(event, "targets", ()) or ((who,) if who else opened.targets if opened else ())
    return words + (opened.words if opened else ()), targets


def may_be_answered(state: NamelessState, trigger: int) -> Derived[bool]:
    """Return whether a fact can be answered now, by the option on the time for Reactions."""
    window: triggers.Window = "same turn" if state.option("reaction-window") == "same-turn" else "at once"
    return triggers.may_react(state.triggers, trigger, window)


def can_answer(one: Combatant, event: ActionTaken, cause: Opening) -> bool:
    """Return whether a Reaction can answer this trigger: one in the words of its entry, for a Counterspell the casting of
    a spell, else any.
    """
    entry = entry_of(one, event.action)
    said = entry.answers if entry and entry.answers else ("cast",) if is_counterspell(event.action) else ()
    texts = (said,) if isinstance(said, str) else said
    return not texts or any(_fits_trigger(one, words.casefold(), cause) for words in texts)


def _fits_trigger(one: Combatant, words: str, cause: Opening) -> bool:
    triggers = {meaning for stem, meaning in WORDS.items() if re.search(rf"\b{stem}", words)}
    if triggers and triggers.isdisjoint(cause.words):
        return False
    own = "|".join(map(re.escape, (one.id, one.name.casefold(), *ONESELF)))
    at_self = re.search(rf"\b(?:on|at|against) (?:{own})\b", words) is not None
    return not (at_self and cause.targets and one.id not in cause.targets)


def can_react(state: NamelessState, one: Combatant, seq: int) -> Derived[bool]:
    """Return whether a combatant's Reaction can answer a fact now: there is time, and an entry of its sheet fits."""
    entries = [each for each in one.sheet.entries if cost_word(each.cost) == REACTION]
    own = Because((), one.records("entries"))
    if not entries:
        return Derived(False, Because(("reaction.needs-trait-or-spell",)) + own)
    opened = may_be_answered(state, seq)
    acts = [ActionTaken(combatant=one.id, action=Action(kind="cast", name=each.name)) for each in entries]
    fits = opened.value and any(can_answer(one, act, state.triggers.openings[seq]) for act in acts)
    return Derived(fits, Because(open_to_reactions.rules) + own + opened.because)


@derives("reaction.spell-countered", on=ActionTaken, phase="consequences")
def spoil_countered_spell(state: NamelessState, fact: Occurrence[ActionTaken]) -> None:
    """Spoil the spell that a successful Counterspell answers; one that is itself countered spoils nothing."""
    event = fact.event
    target = state.known.get(event.trigger)
    if not (event.succeeded and is_counterspell(event.action) and target and is_spell(target)):
        return
    state.counters.setdefault(target.seq, []).append(fact.seq)
    while target:
        state.touched.add(target.combatant)
        standing = [seq for seq in state.counters.get(target.seq, ()) if seq not in state.spoiled]
        if standing:
            state.spoiled[target.seq] = standing[0]
        else:
            state.spoiled.pop(target.seq, None)
        target = target.answers


@derives("reaction.spell-countered", on=OUTCOMES)
def keep_act_behind(state: NamelessState, fact: Occurrence[Outcome]) -> None:
    """Keep the act behind a roll or damage, so that their outcomes belong to it, too."""
    state.rolled_for[fact.seq] = fact.cause


def act_behind(state: NamelessState, fact: Occurrence[Fact]) -> PaidAct | None:
    """Return the act that caused an outcome; for an effect without a cause the last spell of its source by that name."""
    event, act = fact.event, state.known.get(origin_of_cause(state, fact.cause))
    if isinstance(event, EffectStarted) and not event.cause:
        act = state.round.spells.get((event.source, event.effect.casefold()), act)
    return act


# ---------------------------------------------------------------- what a Reaction breaks


@checks_by(
    *("initiative.late-arrival-no-reaction", "reaction.outside-own-turn", "reaction.one-until-own-turn"),
    *("reaction.needs-trait-or-spell", "reaction.follows-its-cause"),
    on=ActionTaken,
    unless=is_exempt,
)
def a_reaction_is_left_and_follows_its_cause(state: NamelessState, fact: Occurrence[ActionTaken]) -> Iterator[Fault]:
    """Yield the faults of a Reaction: too early, in its own turn, beyond the one, not granted, or without its cause."""
    event, one = fact.event, state.combatants[fact.event.combatant]
    who, word = one.id, name_or_kind(event.action)
    if cost_of(one, event) != REACTION:
        return
    if who in state.turns.newcomers:
        rules, says = ("initiative.late-arrival-no-reaction",), f"{who} reacts before its first turn"
        yield Fault(rules, says, "no Reaction", "a Reaction", (one.joined,))
        return
    if state.clock.is_turn_of(who) and state.option("reaction-on-own-turn") != "allowed":
        rules, says = ("reaction.outside-own-turn",), f"{who} reacts in its own turn"
        yield Fault(rules, says, "another's turn", f"{who}'s turn", state.clock.events)
    if not budget.reactions_left(state, one).value:
        spent = budget.acts_spending(state, who, REACTION)
        says = f"{who} has no Reaction {'left' if spent else 'yet'}"
        yield Fault(("reaction.one-until-own-turn",), says, "no more", "a Reaction", spent)
    entry = entry_of(one, event.action)
    if not entry or cost_word(entry.cost) != REACTION:
        what = (
            f"{word} is not a Reaction on {who}'s sheet" if entry else f"nothing on {who}'s sheet grants it a Reaction"
        )
        yield Fault(("reaction.needs-trait-or-spell",), what, "an entry that costs a Reaction", word, (one.joined,))
    yield from _cause_faults(state, one, event)


def _cause_faults(state: NamelessState, one: Combatant, event: ActionTaken) -> Iterator[Fault]:
    rules, trigger = ("reaction.follows-its-cause",), event.trigger
    if trigger is None:
        yield Fault(rules, f"{one.id}'s Reaction names no cause", "a cause", "none")
        return
    opened = may_be_answered(state, trigger)
    if not opened.value:
        yield Fault(rules, f"the moment of event {trigger} has passed", "at once", "later", opened.because.events)
        return
    cause = state.triggers.openings[trigger]
    if not can_answer(one, event, cause):
        says = f"event {trigger} does not trigger {name_or_kind(event.action)}"
        yield Fault(rules, says, "its cause", " ".join(cause.words), (trigger,))


@check("reaction.spell-countered", on=(DamageDealt, Healed, EffectStarted))
def a_countered_spell_does_nothing(state: NamelessState, fact: Occurrence[Fact]) -> Breach | None:
    act = act_behind(state, fact)
    if act is None or act.seq not in state.spoiled:
        return None
    says = f"{act.combatant}'s {act.action.name or 'spell'} was countered"
    return Breach(says, "no outcome", "an outcome", (act.seq, state.spoiled[act.seq]))
