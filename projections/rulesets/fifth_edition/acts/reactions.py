"""Reactions, and the triggers that they answer."""

from __future__ import annotations

from eventstore.events import ActionTaken, AttackRolled, Moved
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.acts.deeds import REACTIONS, told
from projections.rulesets.fifth_edition.state import Deed, FifthState
from projections.rulesets.ruleset import Breach, check, derives

WORDS = {Moved: ("move", "moves", "leaving"), AttackRolled: ("attack", "hit", "attacks")}


@derives("reaction.after-trigger", "reaction.needs-trigger", on=(Moved, AttackRolled))
def something_can_be_answered(state: FifthState, fact: Occurrence[Moved] | Occurrence[AttackRolled]) -> None:
    """Keep what can be answered: who did it, in which turn, and the words for it."""
    state.stirred[fact.seq] = fact.event.combatant, state.clock.turn_event, frozenset(WORDS[type(fact.event)])


@check("reaction.needs-trigger", on=ActionTaken, group="answer", subject=told)
def a_reaction_answers_what_its_entry_says(
    state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed
) -> Breach | None:
    entry, trigger = figures.spell_of(state.combatants[deed.who], deed.action), state.stirred.get(deed.trigger)
    if entry is None or not entry.answers or trigger is None or deed.cost not in REACTIONS[:1] or deed.granted:
        return None
    wanted = set(entry.answers.casefold().replace(",", " ").split())
    if wanted & trigger[2]:
        return None
    return Breach(
        f"{entry.name} answers {entry.answers}", entry.answers, ", ".join(sorted(trigger[2])), (deed.trigger,)
    )


@check("reaction.after-trigger", on=ActionTaken, group="act", rank=9, subject=told)
def a_reaction_comes_at_once(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    trigger = state.stirred.get(deed.trigger)
    if trigger is None or deed.granted or deed.cost not in REACTIONS:
        return None
    who, turn, _ = trigger
    if turn != state.clock.turn_event:
        return Breach(
            "the turn of its trigger is over", "at once", "later", (deed.trigger, state.clock.turn_event or 1)
        )
    later = [each.seq for each in state.turn_deeds if each.who == who and state.precedes(deed.trigger, each.seq)]
    later = [seq for seq in later if seq != deed.trigger and not state.deeds[seq].trigger]
    later += [each.seq for each in state.strides.get(who, ()) if state.precedes(deed.trigger, each.seq)]
    later = [seq for seq in later if seq != deed.trigger]
    if not later:
        return None
    return Breach(f"{who} has acted since its trigger", "at once", "later", (deed.trigger, *later), "notice")
