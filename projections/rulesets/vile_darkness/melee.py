"""Who is in melee with whom: as recorded, or by blows of the round before and charges; until a flight, a walk, an end."""

from collections.abc import Iterable
from typing import Any

from eventstore.events import ActionTaken, AttackRolled, Moved, Placed
from projections.because import Because, Derived
from projections.folds.effects import listed
from projections.occurrence import Occurrence
from projections.rulesets.ruleset import derives
from projections.rulesets.vile_darkness import bouts
from projections.rulesets.vile_darkness.bouts import Bout
from projections.rulesets.vile_darkness.reading import Reading, act_behind
from projections.rulesets.vile_darkness.space import in_the_fight, stands
from projections.rulesets.vile_darkness.state import VileState, behind
from projections.rulesets.vile_darkness.table import ATTACKS, POSITIONING, is_missile


def engage(state: VileState, who: str, others: Iterable[str | None], bout: Bout) -> None:
    """Put somebody in melee with those of these who have joined."""
    for other in others:
        if other in state.combatants:
            bouts.engage(state.melee, who, other, bout, state.clock.round)


@derives("setup.positions-set", on=Placed)
def is_placed(state: VileState, fact: Occurrence[Placed]) -> None:
    """Keep where somebody stands, and with whom in melee: placed anew, with nobody else."""
    event, who = fact.event, fact.event.combatant
    if who in state.placed:
        bouts.part(state.melee, who, fact.seq, event.engaged)
    state.placed[who] = fact.seq
    engage(state, who, event.engaged, Bout(fact.seq))
    if event.square is not None:
        stands(state, who, event.square, fact.seq)


@derives("grid.melee-zone-by-ruling", on=(ActionTaken, AttackRolled))
def blows_are_exchanged(state: VileState, fact: Reading) -> None:
    """Put those in melee who strike at each other: in the next round, after a charge at once; a free attack holds nobody."""
    event, now = fact.event, state.clock.round
    act = fact.act or act_behind(state, fact.fact, event.combatant)
    if act and act.kind in ATTACKS and act.action.cost != "free-attack" and not is_missile(state, act):
        targets = act.action.targets if isinstance(event, ActionTaken) else (event.target,)
        engage(state, act.combatant, targets, Bout(act.seq, now + (act.kind != "charge"), now + 1, state.round.opened))


@derives("movement.positioning-not-in-melee", on=(ActionTaken, Moved))
def somebody_goes_away(state: VileState, fact: Reading) -> None:
    """Keep with whom somebody was in melee as it moved; a flight parts them, and so does a walk."""
    act = fact.act
    if act is None:
        return
    state.round.engaged[act.seq] = foes(state, act.combatant)
    within = state.round.acts.get(act.trigger)
    if act.kind == "flee" or (act.feet > POSITIONING and not (within and within.kind == "charge")):
        bouts.part(state.melee, act.combatant, act.seq)


@derives("multi.first-routine", "movement.positioning-not-in-melee")
def foes(state: VileState, who: str) -> Derived[list[str]]:
    """Return with whom somebody is in melee: those who are still in the fight."""
    found, over = bouts.foes(state.melee, who, state.clock.round, state.clock.round_event)
    own, *others = [state.combatants[each] for each in (who, *found)]
    out = tuple(one.standing for one in (own, *others) if one.status == "out" and found)
    there = [one.id for one in others if in_the_fight(one) and in_the_fight(own)]
    events = {seq for each in there for seq in found[each]} or {own.joined}
    return Derived(there, Because(foes.rules, tuple(sorted(events)), {}, (*out, behind(*over))))


def set_melee(state: VileState, who: str, value: Any, seq: int) -> None:
    """Put somebody in melee with exactly these."""
    wanted = listed(value)
    bouts.part(state.melee, who, seq, wanted)
    if not wanted:
        state.melee.parted[who] = seq
    engage(state, who, wanted, Bout(seq))
