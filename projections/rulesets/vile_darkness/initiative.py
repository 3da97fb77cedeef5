"""Group initiative: a d6 a group makes it HIGH or LOW; delays, which mean LOW whatever the dice; surprise."""

from functools import partial

from eventstore.events import InitiativeRolled, SurpriseSettled
from projections.because import NOTHING_CITED, Because, Derived
from projections.fight import Combatant
from projections.folds.side_dice import keep_die, side_of
from projections.mechanics.conditions import Effect, effects_of
from projections.mechanics.grants import has_grant
from projections.mechanics.memo import memoize
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import derives
from projections.rulesets.vile_darkness.sheet import Sheet
from projections.rulesets.vile_darkness.state import DELAYED, HIGH, LOW, SURPRISED, VileAct, VileState, cited_records
from projections.rulesets.vile_darkness.table import is_missile, row_of


@derives("setup.surprise-checked", on=SurpriseSettled, phase="reading")
def settle_surprise(state: VileState, fact: Occurrence[SurpriseSettled]) -> None:
    """Store the check of surprise, and give the condition to surprised combatants."""
    state.checked = fact.seq
    for who in fact.event.surprised:
        members = [one.id for one in state.here() if who in (one.id, one.side)]
        state.touched.update(members)
        for each in members:
            state.conditions[fact.seq, each] = Effect(fact.seq, SURPRISED, each, since=fact.point)


# ---------------------------------------------------------------- dice


@derives("initiative.one-d6-per-group", on=InitiativeRolled, phase="reading")
def keep_group_die(state: VileState, fact: Occurrence[InitiativeRolled]) -> None:
    """Keep a group's die; a second one does not count, unless a ruling grants it."""
    keep_die(state.round.dice, side_of(state, fact.event), fact.event.die, fact.seq, partial(may_roll_again, state))


def may_roll_again(state: VileState, side: str) -> Derived[bool]:
    """Return whether a ruling since its first die lets a group roll again."""
    rulings = state.rulings_since(state.round.dice[side].seq)
    return has_grant(rulings, "initiative.one-d6-per-group", who=(side,), said=("die", "initiative"))


@memoize
def groups(state: VileState) -> tuple[str, ...]:
    """Return the groups in the fight."""
    return tuple(dict.fromkeys(one.side for one in state.here() if one.status != "out"))


# ---------------------------------------------------------------- HIGH and LOW


@derives("initiative.dexterity-adjustment")
def combatant_die(state: VileState, one: Combatant, act: VileAct | None = None) -> Derived[int]:
    """Return the initiative of a combatant: the group's die with additions by ruling or option."""
    rolled = state.round.dice[one.side]
    number, events, by_dexterity = rolled.face, [*rolled.events], False
    for fact in state.rulings:
        concerned = fact.event.combatants or (one.id,)
        if one.id in concerned and state.precedes(state.round.opened, fact.seq):
            added = sum(each.amount for each in fact.event.modifiers if each.to == "initiative")
            number += added
            events += [fact.seq] if added else []
    sheet: Sheet = one.sheet
    shot = act.declared if act and act.kind == "attack" and is_missile(state, act) else 0
    if shot and sheet.dexterity_reaction > 0:
        encumbered = [each.seq for each in effects_of(state.conditions, one.id) if each.called == "encumbered"]
        by_dexterity = True
        if state.option("dexterity-initiative") == "declared-missile":
            number += 0 if encumbered else sheet.dexterity_reaction
            events += encumbered or [shot]
    return Derived(number, Because(combatant_die.rules if number != rolled.face or by_dexterity else (), tuple(events)))


@derives("initiative.high-and-low", "initiative.tie-both-high", "round.repeats-all-steps")
@memoize
def dice_half(state: VileState, one: Combatant, act: VileAct | None = None) -> Derived[str]:
    """Return the half of a combatant by the dice, HIGH or LOW; "" while a die is missing."""
    if ruled := state.ruled.get(f"{one.id}.group"):
        return Derived(str(ruled.value), Because(("initiative.high-and-low",), of=(ruled,)))
    dice, no_delay = state.round.dice, state.round.no_delay.get(one.id, ())
    if one.side not in dice or not dice.keys() >= {*groups(state)}:
        since = tuple(each.seq for each in dice.values()) or (state.round.opened or one.joined,)
        return Derived("", Because(("initiative.high-and-low",), (*since, *no_delay)))
    own, excused = combatant_die(state, one, act), [each.standing for each in state.here() if each.side not in dice]
    others = [rolled for side, rolled in dice.items() if side != one.side]
    faces = {rolled.face for rolled in others}
    first = own.value >= max(faces, default=own.value)
    between = not first and own.value > min(faces)
    tied = first and own.value in faces
    repeats = ("round.repeats-all-steps",) if state.clock.round > 1 else ()
    rules = ("initiative.tie-both-high" if tied else "initiative.high-and-low", *repeats)
    dice_of_others = tuple([seq for rolled in others for seq in rolled.events])
    high = first or (between and state.option("middle-group") == "high")
    events = (*dice_of_others, *(no_delay if high else ()))
    return Derived(HIGH if high else LOW, Because(rules, events, (own, *excused)))


def why_closed(state: VileState) -> Derived[tuple[int, ...]]:
    """Return the records that closed the last round if no round is open; without them, new facts would belong to it."""
    return cited_records(*(() if state.clock.open else state.clock.events))


def rank_in_low(state: VileState, one: Combatant, act: VileAct | None = None) -> Derived[int]:
    """Return the rank of a group in LOW by its die; each group finishes before the next begins."""
    if one.side not in state.round.dice or len(state.round.dice) < 3 or state.option("middle-group") != "low-by-die":
        return Derived(0, NOTHING_CITED)
    own, dice = combatant_die(state, one, act), cited_records(*(rolled.seq for rolled in state.round.dice.values()))
    return Derived(-own.value, Because(of=(own, dice)))


# ---------------------------------------------------------------- combatants in LOW whatever the dice


def _delay_of(state: VileState, who: str) -> Effect | None:
    return next((each for each in state.conditions.values() if each.bearer == who and each.called == DELAYED), None)


def delayed_by(state: VileState, who: str) -> int:
    """Return the record of a combatant's delayed condition, or 0."""
    found = _delay_of(state, who)
    return found.seq if found else 0


def has_delayed_before(state: VileState, who: str) -> bool:
    """Return whether a combatant announced a delay in the round before and is not delayed in this one."""
    return state.last is not None and any(each.kind == "delay" for each in state.last.acts_of.get(who, ()))


@derives("delay.declared-acts-low", "delayed.always-low", "delaying.only-in-low")
@memoize
def why_low(state: VileState, who: str) -> tuple[Because, ...]:
    """Return the reasons for LOW whatever the dice: the delayed condition, a declared delay, delaying work."""
    found = [Because(("delayed.always-low",), (delay.seq,), of=delay.of)] if (delay := _delay_of(state, who)) else []
    said = state.round.waits.get(who)
    if said:
        found.append(Because(("delay.declared-acts-low",), (said.seq,)))
    works = [each.seq for each in state.round.acts_of.get(who, ()) if row_of(state, each).type == "delaying"]
    found += [Because(("delaying.only-in-low",), (works[0],))] if works else []
    return tuple(found)


def half_then(state: VileState, act: VileAct) -> Derived[str]:
    """Return the half in which the doer of an act was with it, HIGH or LOW."""
    if f"{act.combatant}.group" not in state.ruled and act.low:
        return Derived(LOW, act.low[0])
    return dice_half(state, state.combatants[act.combatant], *([act] if act.declared else []))
