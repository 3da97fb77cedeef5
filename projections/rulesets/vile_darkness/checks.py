"""Checks that need nothing of what comes later: setting up, opening rounds, declarations, dice, segments."""

from eventstore.events import (
    ActionDeclared,
    ActionTaken,
    DamageDealt,
    Healed,
    InitiativeRolled,
    RoundStarted,
    SegmentReached,
)
from projections.mechanics.conditions import of
from projections.mechanics.rolls import face
from projections.rulesets.ruleset import Breach, check
from projections.rulesets.vile_darkness.initiative import another_die, rolling, side_of
from projections.rulesets.vile_darkness.reading import Reading
from projections.rulesets.vile_darkness.sheet import SEGMENTS
from projections.rulesets.vile_darkness.state import SURPRISED, VileState
from projections.rulesets.vile_darkness.table import kind_of
from projections.rulesets.vile_darkness.told import TELLING
from projections.state import action_word
from projections.stream.placing import MOMENTARY

BEFORE = ("DECLARE", "ROLL")
"""The slots before step three."""

# ---------------------------------------------------------------- before the round


@check("setup.surprise-checked", on=RoundStarted)
def surprise_is_checked_first(state: VileState, _fact: Reading) -> Breach | None:
    if state.clock.round or state.checked:
        return None
    return Breach("round 1 is opened and nobody has checked for surprise", "surprise settled", "nothing")


@check("setup.positions-set", on=RoundStarted)
def everybody_has_a_place(state: VileState, _fact: Reading) -> Breach | None:
    there = [one for one in state.here() if one.id not in state.placed]
    new = [one for one in there if state.precedes(state.clock.round_event, one.joined)]
    if not new:
        return None
    names = ", ".join(one.name for one in new)
    return Breach(f"{names} stand{'s' if len(new) == 1 else ''} nowhere yet", "a position", "none", (new[0].joined,))


@check("round.opened-by-gm", on=RoundStarted)
def rounds_follow_each_other(state: VileState, fact: Reading) -> Breach | None:
    due, said = state.clock.round + 1, fact.event.round
    if said == due:
        return None
    return Breach(f"round {said} is opened where {due} is due", str(due), str(said))


@check("round.opened-by-gm", on=(ActionDeclared, InitiativeRolled, *TELLING))
def nothing_is_done_outside_a_round(state: VileState, fact: Reading) -> Breach | None:
    acts = not isinstance(fact.event, TELLING) or fact.act is not None
    if state.clock.open or not acts:
        return None
    due = state.clock.round + 1
    return Breach(f"round {due} was not announced", f"round {due} opened", "an act", once=("unopened", due))


# ---------------------------------------------------------------- declarations and dice


@check("declare.in-step-one", on=ActionDeclared)
def declarations_come_before_the_dice(state: VileState, fact: Reading) -> Breach | None:
    dice = tuple(rolled.seq for rolled in state.round.dice.values())
    if not state.clock.open or (not dice and state.clock.phase in ("", *BEFORE)):
        return None
    word = action_word(fact.event.action)
    return Breach(
        f"{word} is declared after step 1", "before the dice", "after them", dice or (state.clock.phase_event,)
    )


@check("initiative.one-d6-per-group", on=InitiativeRolled)
def a_group_rolls_one_d6(state: VileState, fact: Reading) -> Breach | None:
    side = side_of(state, fact.event)
    first = state.round.dice.get(side)
    if first and state.clock.open and not another_die(state, side).value:
        return Breach(f"{side} have rolled already, the first die stands", "one die", "a second", (first.seq,))
    if fact.event.die is None or 1 <= (shown := face(fact.event.die)) <= 6:
        return None
    return Breach(f"the initiative die of {side} shows {shown}", "1 to 6", str(shown))


def _missing(state: VileState, fact: Reading) -> list[str]:
    """Return the groups whose die is missing as an act of step three or later is told."""
    if fact.act is None or not state.clock.open or fact.act.slot in BEFORE:
        return []
    return [side for side in rolling(state) if side not in state.round.dice]


@check("round.repeats-all-steps", on=TELLING, group="dice", rank=1)
def each_round_has_its_own_dice(state: VileState, fact: Reading) -> Breach | None:
    if state.clock.round < 2 or state.round.dice or not _missing(state, fact):
        return None
    says = f"nobody has rolled for initiative in round {state.clock.round}"
    return Breach(says, "a die of each group", "none", (state.clock.round_event,), once=("dice", state.clock.round))


@check("initiative.one-d6-per-group", on=TELLING, group="dice", rank=2)
def every_group_rolls(state: VileState, fact: Reading) -> Breach | None:
    missing = _missing(state, fact)
    if not missing:
        return None
    says = f"{', '.join(missing)} have no initiative die"
    return Breach(says, "a die", "none", (state.clock.round_event,), once=("dice", state.clock.round))


# ---------------------------------------------------------------- segments


@check("time.round-segments", on=(SegmentReached, *sorted(MOMENTARY, key=lambda kind: kind.__name__)))
def a_round_has_ten_segments(state: VileState, fact: Reading) -> Breach | None:
    """Report a segment that no round has, once."""
    segment = fact.event.segment
    if segment is None or 1 <= segment <= SEGMENTS:
        return None
    once = ("segment", segment, state.clock.round)
    return Breach(f"there is no segment {segment} in a round", "1 to 10", str(segment), once=once)


# ---------------------------------------------------------------- amounts


@check("hitdice.hit-points", on=(DamageDealt, Healed))
def amounts_are_not_below_0(_state: VileState, fact: Reading) -> Breach | None:
    amount = fact.event.amount
    return Breach("an amount below 0 changes nothing", "0 or more", str(amount)) if amount < 0 else None


# ---------------------------------------------------------------- the surprised


def _surprised(state: VileState, fact: Reading, cost: str) -> tuple[int, ...]:
    """Return the records by which somebody is surprised who takes a reaction of this sort."""
    if fact.event.action.cost != cost:
        return ()
    return tuple(each.seq for each in of(state.conditions, fact.who) if each.name.casefold() == SURPRISED)


@check("free.not-when-surprised", on=ActionTaken)
def the_surprised_take_no_free_attack(state: VileState, fact: Reading) -> Breach | None:
    why = _surprised(state, fact, "free-attack")
    return Breach(f"{fact.who} is surprised", "no free attack", "one", why) if why else None


@check("immediate-attack.not-when-surprised", on=ActionTaken)
def the_surprised_take_no_immediate_attack(state: VileState, fact: Reading) -> Breach | None:
    why = _surprised(state, fact, "immediate-attack")
    if not why or state.option("surprised-immediate-attack") == "allowed":
        return None
    return Breach(f"{fact.who} is surprised", "no immediate attack", "one", why)


@check("incantation.broken-is-lost", on=(ActionDeclared, ActionTaken))
def spells_are_somebodys(_state: VileState, fact: Reading) -> Breach | None:
    """Notice an incantation that its caster does not have, where the sheet says which it has."""
    action = fact.event.action
    if not fact.who or not action.name or kind_of(action) != "incantation":
        return None
    sheet = fact.one.sheet
    own = {*sheet.resources, *(each.name for each in sheet.entries)}
    known = any(each.kind == "incantation" for each in sheet.entries)
    if not known or action.name.casefold() in {each.casefold() for each in own}:
        return None
    says, named = f"{action.name} is no spell of {fact.one.name}", action.name.casefold()
    return Breach(says, "a spell of its own", action.name, (fact.one.joined,), "notice", once=(fact.who, named))
