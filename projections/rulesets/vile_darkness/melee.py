"""Melee: begun by records, by blows of the round before and by charges; ended by flights, walks and records."""

from collections.abc import Iterable

from eventstore.events import ActionTaken, AttackRolled, Moved, Placed
from projections.because import Because, Derived
from projections.folds.effects import listed
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import derives
from projections.rulesets.vile_darkness import bouts
from projections.rulesets.vile_darkness.bouts import Bout
from projections.rulesets.vile_darkness.reading import Reading, act_behind
from projections.rulesets.vile_darkness.space import in_the_fight, stands
from projections.rulesets.vile_darkness.state import VileState, cited_records
from projections.rulesets.vile_darkness.table import ATTACKS, POSITIONING, is_missile


def engage(state: VileState, who: str, others: Iterable[str | None], bout: Bout) -> None:
    """Put a combatant in melee with others who have joined."""
    for other in others:
        if other in state.combatants:
            bouts.engage(state.melee, who, other, bout, state.clock.round)


@derives("setup.positions-set", on=Placed, phase="reading")
def is_placed(state: VileState, fact: Occurrence[Placed]) -> None:
    """Keep the square and the opponents of a combatant; a new placement ends melee with others."""
    event, who = fact.event, fact.event.combatant
    if who in state.placed:
        bouts.separate(state.melee, who, fact.seq, event.engaged)
    state.placed[who] = fact.seq
    engage(state, who, event.engaged, Bout(fact.seq))
    if event.square is not None:
        stands(state, who, event.square, fact.seq)


@derives("grid.melee-zone-by-ruling", on=(ActionTaken, AttackRolled))
def blows_are_exchanged(state: VileState, fact: Reading[ActionTaken | AttackRolled]) -> None:
    """Put an attacker in melee with its targets: from the next round on, after a charge immediately, by a free attack
    not.
    """
    event, now = fact.event, state.clock.round
    act = fact.act or act_behind(state, fact.fact, event.combatant)
    if act and act.kind in ATTACKS and act.action.cost != "free-attack" and not is_missile(state, act):
        targets = act.action.targets if isinstance(event, ActionTaken) else (event.target,)
        engage(state, act.combatant, targets, Bout(act.seq, now + (act.kind != "charge"), now + 1, state.round.opened))


@derives("movement.positioning-not-in-melee", on=(ActionTaken, Moved))
def combatant_goes_away(state: VileState, fact: Reading[ActionTaken | Moved]) -> None:
    """Keep the opponents of a mover, and end its melee if it flees or walks."""
    act = fact.act
    if act is None:
        return
    state.round.engaged[act.seq] = foes(state, act.combatant)
    within = state.round.acts.get(act.trigger)
    if act.kind == "flee" or (act.feet > POSITIONING and not (within and within.kind == "charge")):
        bouts.separate(state.melee, act.combatant, act.seq)


@derives("multi.first-routine", "movement.positioning-not-in-melee")
def foes(state: VileState, who: str) -> Derived[list[str]]:
    """Return a combatant's opponents in melee who are still in the fight."""
    found, over = bouts.foes(state.melee, who, state.clock.round, state.clock.round_event)
    own, *others = [state.combatants[each] for each in (who, *found)]
    out = tuple(one.standing for one in (own, *others) if one.status == "out" and found)
    there = [one.id for one in others if in_the_fight(one) and in_the_fight(own)]
    events = {seq for each in there for seq in found[each]} or {own.joined}
    return Derived(there, Because(foes.rules, tuple(sorted(events)), (*out, cited_records(*over))))


def set_melee(state: VileState, who: str, value: object, seq: int) -> None:
    """Put a combatant in melee with exactly these others."""
    wanted = listed(value)
    bouts.separate(state.melee, who, seq, wanted)
    if not wanted:
        state.melee.separated[who] = seq
    engage(state, who, wanted, Bout(seq))
