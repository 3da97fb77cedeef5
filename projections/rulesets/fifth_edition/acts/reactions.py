"""Reactions, and the triggers that they answer."""

from __future__ import annotations

from eventstore.events import ActionTaken, AttackRolled, Moved
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.acts.deeds import REACTIONS, deed_of
from projections.rulesets.fifth_edition.shapes import Deed
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import Breach, check, derives

WORDS = {Moved: ("move", "moves", "leaving"), AttackRolled: ("attack", "hit", "attacks")}
"""The words by which an entry of a sheet names what it answers."""


@derives("reaction.after-trigger", "reaction.needs-trigger", on=(Moved, AttackRolled))
def trigger_is_kept(state: FifthState, fact: Occurrence[Moved] | Occurrence[AttackRolled]) -> None:
    """Keep what a reaction can answer: its combatant, its turn, and the words for it."""
    state.answerable[fact.seq] = fact.event.combatant, state.clock.turn_event, frozenset(WORDS[type(fact.event)])


@check("reaction.needs-trigger", on=ActionTaken, group="answer", subject=deed_of)
def a_reaction_answers_its_trigger(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    entry, trigger = (
        figures.spell_of(state, state.combatants[deed.who], deed.action),
        state.answerable.get(deed.trigger),
    )
    if entry is None or not entry.answers or trigger is None or deed.cost != "reaction" or deed.granted:
        return None
    if trigger[2].intersection(entry.answers.casefold().replace(",", " ").split()):
        return None
    found = ", ".join(sorted(trigger[2]))
    return Breach(f"{entry.name} answers {entry.answers}", entry.answers, found, (deed.trigger,))


@check("reaction.after-trigger", on=ActionTaken, group="act", rank=9, subject=deed_of)
def a_reaction_comes_at_once(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    trigger = state.answerable.get(deed.trigger)
    if trigger is None or deed.granted or deed.cost not in REACTIONS:
        return None
    who, turn, _ = trigger
    if turn != state.clock.turn_event:
        return Breach("the turn of its trigger is over", "at once", "later", (deed.trigger, *state.clock.events))
    acts = [each.seq for each in state.turn_deeds if each.who == who and not each.trigger]
    done = (*acts, *(each.seq for each in state.strides.get(who, ())))
    later = tuple(seq for seq in done if state.precedes(deed.trigger, seq))
    if not later:
        return None
    return Breach(f"{who} has acted since its trigger", "at once", "later", (deed.trigger, *later), "notice")
