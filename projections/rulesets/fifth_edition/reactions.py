"""Reactions, the triggers that they answer, and opportunity attacks."""

from __future__ import annotations

from itertools import pairwise

from eventstore.events import ActionTaken, AttackRolled, Moved
from projections.because import Because, Cites, Derived
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.deeds import REACTIONS, deed_of
from projections.rulesets.fifth_edition.feet import mode_of
from projections.rulesets.fifth_edition.positions import apart, reach, records, walked
from projections.rulesets.fifth_edition.state import Deed, FifthState, Stretch

WORDS = {Moved: frozenset(("move", "moves", "leaving")), AttackRolled: frozenset(("attack", "hit", "attacks"))}
"""The words by which an entry of a sheet names its trigger."""


@derives("reaction.after-trigger", "reaction.needs-trigger", on=(Moved, AttackRolled))
def trigger_is_kept(state: FifthState, fact: Occurrence[Moved] | Occurrence[AttackRolled]) -> None:
    """Keep a possible trigger of a reaction: its combatant, its turn, and the words for it."""
    state.answerable[fact.seq] = fact.event.combatant, state.clock.turn_event, WORDS[type(fact.event)]


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


def strike(state: FifthState, fact: Occurrence[ActionTaken]) -> Deed | None:
    """Return an opportunity attack; None for any other act."""
    deed = deed_of(state, fact)
    return deed if deed.cost == "opportunity" and not deed.granted else None


@check("opportunity.not-provoked", on=ActionTaken, group="strike", subject=strike)
def some_moves_provoke_nothing(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    moved = state.unprovoking.get(deed.trigger)
    if moved:
        return Breach(moved, "no opening", "a strike", (deed.trigger,))
    if not deed.trigger:  # nobody recorded which move it answers, and none of this turn provokes
        safe = next((whom for whom in deed.action.targets if whom in state.disengaged), "")
        return Breach(f"{safe} disengaged", "no opening", "a strike", (state.disengaged[safe],)) if safe else None
    at = state.disengaged_at.get(deed.trigger)
    if at is None:
        return None
    return Breach(f"{state.moves[deed.trigger][0]} disengaged", "no opening", "a strike", (at, deed.trigger))


@derives("opportunity.not-provoked", on=Moved)
def some_moves_are_safe(state: FifthState, fact: Occurrence[Moved]) -> None:
    """Keep the moves that provoke nothing: forced, by magic, or after disengaging."""
    event = fact.event
    if event.forced or mode_of(event) in ("teleport", "fall"):
        state.unprovoking[fact.seq] = f"{event.combatant} does not move by itself"
    elif event.combatant in state.disengaged:
        state.disengaged_at[fact.seq] = state.disengaged[event.combatant]


@check("opportunity.one-melee-attack", on=ActionTaken, group="strike", rank=1, subject=strike)
def it_is_one_melee_attack(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    kinds = ("attack", "grapple", "shove") if state.is_new else ("attack",)
    strikes = (each for each in state.turn_deeds if each.who == deed.who and each.cost == "opportunity")
    again = next((each.seq for each in strikes if deed.trigger and each.trigger == deed.trigger), 0)
    if again:
        return Breach(f"{deed.who} strikes once", "one", "another", (again,))
    if deed.kind in kinds and not deed.manner & {"ranged", "thrown", "spell"}:
        return None
    return Breach("an opportunity attack is one blow in melee", "melee", " ".join((deed.kind, *sorted(deed.manner))))


@check("opportunity.leaving-reach", on=ActionTaken, group="strike", rank=2, subject=strike)
def the_target_leaves_reach(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    if deed.trigger not in state.moves:
        return None
    mover, stride, _ = state.moves[deed.trigger]
    one, other = state.combatants[deed.who], state.combatants[mover]
    if not state.is_new and one.side == other.side:
        return Breach(f"{mover} is not hostile to {deed.who}", "a foe", mover, (deed.trigger,))
    way = way_of(state, one.id, mover, stride)
    if not way or leaves(way, reach(one, figures.weapon_of(one, deed.action.name))):
        return None
    says, why = f"{mover} does not leave the reach of {one.id}", (deed.trigger, *records(state, one.id))
    return Breach(says, "leaving", "a strike", why)


def way_of(state: FifthState, who: str, mover: str, stride: Stretch) -> list[int]:
    """Return the known feet between a combatant and a mover, for each square of the move."""
    feet = (apart(state, who, mover, None, square) for square in walked(stride.path))
    return [each for each in feet if each is not None]


def leaves(way: list[int], most: int) -> bool:
    """Say whether a move leads out of a reach of so many feet."""
    return any(a <= most < b for a, b in pairwise(way))


@derives("opportunity.leaving-reach")
def openings(state: FifthState, who: str) -> Derived[list[str]]:
    """Return the foes that have left the reach of a combatant in this turn."""
    found: dict[str, int] = {}
    one = state.combatants[who]
    of: list[Cites] = [one.standing]
    for seq, (mover, stride, _) in state.moves.items():
        if stride.turn != state.clock.turn_event or not stride.path:
            continue
        other = state.combatants[mover]
        if other.side == one.side:
            continue
        known = (state.disengaged_at.get(seq, seq), *records(state, who), *records(state, mover))
        of.append(Derived(mover, Because((), known)))
        if seq in state.disengaged_at or one.status != "up":
            continue
        if leaves(way_of(state, who, mover, stride), reach(one)):
            found[mover] = seq
    return Derived([*found], Because(openings.rules, (one.joined, *found.values()), tuple(of)))
