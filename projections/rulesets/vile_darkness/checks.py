"""Checks that are made at once: setup, opening of rounds, declarations, dice, segments."""

from collections.abc import Iterator
from functools import partial

from eventstore import events
from projections.folds.side_dice import side_of, wrong_die
from projections.folds.vitals import breach_of_amount
from projections.mechanics.acts import action_word
from projections.mechanics.conditions import of
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check
from projections.rulesets.vile_darkness.initiative import another_die, rolling
from projections.rulesets.vile_darkness.reading import OF_ACTS, Reading
from projections.rulesets.vile_darkness.sheet import SEGMENTS
from projections.rulesets.vile_darkness.state import SURPRISED, VileState, cited_records
from projections.rulesets.vile_darkness.table import kind_of
from projections.stream.placing import MOMENTARY

BEFORE = ("DECLARE", "ROLL")
"""The slots before step three."""


@check("setup.surprise-checked", on=events.RoundStarted)
def surprise_is_checked_first(state: VileState, _fact: Reading[events.RoundStarted]) -> Breach | None:
    if state.clock.round or state.checked:
        return None
    return Breach("round 1 is opened and nobody has checked for surprise", "surprise settled", "nothing")


@check("setup.positions-set", on=events.RoundStarted)
def everybody_has_a_place(state: VileState, _fact: Reading[events.RoundStarted]) -> Breach | None:
    there = [one for one in state.here() if one.id not in state.placed]
    new = [one for one in there if state.precedes(state.clock.round_event, one.joined)]
    if not new:
        return None
    names = ", ".join(one.name for one in new)
    return Breach(
        f"{names} stand{'s' if len(new) == 1 else ''} nowhere yet",
        "a position",
        "none",
        tuple(one.joined for one in new),
    )


@check("round.opened-by-gm", on=events.RoundStarted)
def rounds_follow_each_other(state: VileState, fact: Reading[events.RoundStarted]) -> Breach | None:
    due, said = state.clock.round + 1, fact.event.round
    if said == due:
        return None
    why = cited_records(state.clock.round_event).because.events
    return Breach(f"round {said} is opened where {due} is due", str(due), str(said), why)


@check("round.opened-by-gm", on=(events.ActionDeclared, events.InitiativeRolled, *OF_ACTS))
def nothing_is_done_outside_a_round(state: VileState, fact: Reading[events.Fact]) -> Breach | None:
    acts = not isinstance(fact.event, OF_ACTS) or fact.act is not None
    if state.clock.open or not acts:
        return None
    due = state.clock.round + 1
    return Breach(f"round {due} was not announced", f"round {due} opened", "an act", once=("unopened", due))


@check("declare.in-step-one", on=events.ActionDeclared)
def declarations_come_before_the_dice(state: VileState, fact: Reading[events.ActionDeclared]) -> Breach | None:
    dice = tuple(rolled.seq for rolled in state.round.dice.values())
    if not state.clock.open or (not dice and state.clock.phase in ("", *BEFORE)):
        return None
    says = f"{action_word(fact.event.action)} is declared after step 1"
    return Breach(says, "before the dice", "after them", dice or (state.clock.phase_event,))


@check("initiative.one-d6-per-group", on=events.InitiativeRolled)
def a_group_rolls_one_d6(state: VileState, fact: Reading[events.InitiativeRolled]) -> Breach | None:
    dice = state.round.dice if state.clock.open else {}
    return wrong_die(dice, side_of(state, fact.event), fact.event.die, partial(another_die, state))


@checks_by("round.repeats-all-steps", "initiative.one-d6-per-group", on=OF_ACTS)
def every_group_rolls(state: VileState, fact: Reading[events.Fact]) -> Iterator[Fault]:
    """Yield a fault for missing dice of groups at an act of step three or later."""
    missing = [side for side in rolling(state) if side not in state.round.dice]
    if fact.act is None or not state.clock.open or fact.act.slot in BEFORE or not missing:
        return
    why, once = (state.clock.round_event,), ("dice", state.clock.round)
    if state.clock.round > 1 and not state.round.dice:
        says = f"nobody has rolled for initiative in round {state.clock.round}"
        yield Fault(("round.repeats-all-steps",), says, "a die of each group", "none", why, once)
    else:
        says = f"{', '.join(missing)} have no initiative die"
        yield Fault(("initiative.one-d6-per-group",), says, "a die", "none", why, once)


@check("time.round-segments", on=(events.SegmentReached, *sorted(MOMENTARY, key=lambda kind: kind.__name__)))
def a_round_has_ten_segments(
    state: VileState, fact: Reading[events.SegmentReached | events.Momentary]
) -> Breach | None:
    """Report a segment that no round has, only once."""
    segment = fact.event.segment
    if segment is None or 1 <= segment <= SEGMENTS:
        return None
    once = ("segment", segment, state.clock.round)
    return Breach(f"there is no segment {segment} in a round", "1 to 10", str(segment), once=once)


@check("hitdice.hit-points", on=(events.DamageDealt, events.Healed))
def amounts_are_not_below_0(_state: VileState, fact: Reading[events.DamageDealt | events.Healed]) -> Breach | None:
    return breach_of_amount(fact.event)


BARRED = {"free-attack": "free.not-when-surprised", "immediate-attack": "immediate-attack.not-when-surprised"}
"""The rules by which the surprised take no reactions."""


@checks_by(*BARRED.values(), on=events.ActionTaken)
def the_surprised_take_no_reactions(state: VileState, fact: Reading[events.ActionTaken]) -> Iterator[Fault]:
    """Yield a fault for a reaction of a surprised combatant."""
    cost = (fact.act and fact.act.action.cost) or ""
    why = tuple(each.seq for each in of(state.conditions, fact.who) if each.called == SURPRISED)
    allowed = cost == "immediate-attack" and state.option("surprised-immediate-attack") == "allowed"
    if cost in BARRED and why and not allowed:
        yield Fault((BARRED[cost],), f"{fact.who} is surprised", f"no {cost.replace('-', ' ')}", "one", why)


@check("incantation.broken-is-lost", on=(events.ActionDeclared, events.ActionTaken))
def spells_are_somebodys(state: VileState, fact: Reading[events.ActionDeclared | events.ActionTaken]) -> Breach | None:
    """Notice an incantation that is not on its caster's sheet, if the sheet lists any."""
    action = fact.event.action
    if not fact.who or not action.name or kind_of(action) != "incantation":
        return None
    one = state.combatants[fact.who]
    own = {*one.sheet.resources, *(each.name for each in one.sheet.entries)}
    known = any(each.kind == "incantation" for each in one.sheet.entries)
    if not known or action.name.casefold() in {each.casefold() for each in own}:
        return None
    says, named = f"{action.name} is no spell of {one.name}", action.name.casefold()
    return Breach(says, "a spell of its own", action.name, (one.joined,), "notice", once=(fact.who, named))
