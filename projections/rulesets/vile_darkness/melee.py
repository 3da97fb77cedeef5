"""Who is in melee with whom: as recorded, or by blows of the round before and charges; until a flight, a walk, an end."""

from collections.abc import Container, Iterable
from typing import Any

from eventstore.events import ActionTaken, AttackRolled, Moved, Placed
from projections.address import NOTHING
from projections.because import Because, Derived
from projections.folds.effects import listed
from projections.mechanics.squares import steps
from projections.occurrence import Occurrence
from projections.rulesets.ruleset import derives
from projections.rulesets.vile_darkness.reading import Reading
from projections.rulesets.vile_darkness.space import stands
from projections.rulesets.vile_darkness.state import Bout, VileState
from projections.rulesets.vile_darkness.table import ATTACKS, POSITIONING, is_missile
from projections.rulesets.vile_darkness.told import act_behind

NOBODY: frozenset[str] = frozenset()


def engage(state: VileState, who: str, others: Iterable[str], bout: Bout) -> None:
    """Put somebody in melee with these."""
    for other in others:
        if other in state.combatants and other != who:
            pair = (who, other) if who < other else (other, who)
            kept = [each for each in state.bouts.get(pair, ()) if not 0 < each.last < state.clock.round]
            state.bouts[pair] = [*kept, bout] if bout not in kept else kept


def part(state: VileState, who: str, seq: int, but: Container[str] = NOBODY) -> None:
    """Take somebody out of melee with everybody but these."""
    for pair in [each for each in state.bouts if who in each]:
        other = pair[pair[0] == who]
        if other not in but:
            del state.bouts[pair]
            state.parted |= {who: seq, other: seq}


@derives("setup.positions-set", on=Placed)
def is_placed(state: VileState, fact: Occurrence[Placed]) -> None:
    """Keep where somebody stands, and with whom in melee: placed anew, with nobody else."""
    event, who = fact.event, fact.event.combatant
    if who in state.placed:
        part(state, who, fact.seq, event.engaged)
    state.placed[who] = fact.seq
    engage(state, who, event.engaged, Bout(fact.seq))
    if event.square is not None:
        stands(state, who, event.square, fact.seq)


@derives("grid.melee-zone-by-ruling", on=(ActionTaken, AttackRolled))
def blows_are_exchanged(state: VileState, fact: Reading) -> None:
    """Put those in melee who strike at each other: in the next round, after a charge at once; a free attack holds nobody."""
    event = fact.event
    act = fact.act or act_behind(state, fact.fact, event.combatant)
    if act is None or not state.clock.round or act.kind not in ATTACKS or act.action.cost == "free-attack":
        return
    if not is_missile(state, act.who, act.action):
        targets = act.action.targets if isinstance(event, ActionTaken) else (event.target or "",)
        now = state.clock.round
        engage(state, act.who, targets, Bout(act.seq, now + (act.kind != "charge"), now + 1, state.round.opened))


@derives("movement.positioning-not-in-melee", on=(ActionTaken, Moved))
def somebody_goes_away(state: VileState, fact: Reading) -> None:
    """Keep with whom somebody was in melee as it moved; a flight parts them, and a walk away from where they stand."""
    act = fact.act
    if act is None or act.kind not in ("move", "flee"):
        return
    state.round.engaged[act.seq] = tuple(foes(state, act.who).value)
    within = state.round.acts.get(act.trigger)
    if act.kind == "flee":
        part(state, act.who, act.seq)
    elif act.feet > POSITIONING and not (within and within.kind == "charge"):
        part(state, act.who, act.seq, beside(state, act.who))


def beside(state: VileState, who: str) -> list[str]:
    """Return those who are known to stand right beside somebody."""
    here = state.squares.get(who)
    return [
        other
        for other, there in state.squares.items()
        if here and other != who and steps((there[0] - here[0], there[1] - here[1])) <= 1
    ]


@derives("multi.first-routine", "movement.positioning-not-in-melee")
def foes(state: VileState, who: str) -> Derived[list[str]]:
    """Return with whom somebody is in melee: those who are still in the fight."""
    now, found, events = state.clock.round, [], set[int]()
    for pair, bouts in state.bouts.items():
        if who in pair:
            holding = [each for each in bouts if each.last == 0 or each.first <= now <= each.last]
            events |= {seq for each in holding for seq in (each.seq, each.opened) if seq}
            if any(each.last for each in bouts):
                events.add(state.clock.round_event)
            if holding and all(_is_there(state, each) for each in pair):
                found.append(pair[pair[0] == who])
    if who in state.parted or not events:
        events.add(state.parted.get(who, state.combatants[who].joined))
    gone = [state.combatants[each].standing for pair in state.bouts if who in pair for each in pair]
    gone = [each for each in gone if each.value == "out"]
    return Derived(found, Because(foes.rules, tuple(sorted(events)), {}, tuple(gone)))


def _is_there(state: VileState, who: str) -> bool:
    one = state.combatants[who]
    return not one.left and one.status != "out"


def in_melee(state: VileState, who: str) -> bool:
    """Say whether somebody is in melee."""
    return bool(foes(state, who).value)


def set_melee(state: VileState, who: str, value: Any, seq: int) -> None:
    """Put somebody in melee with exactly these."""
    wanted = () if value == NOTHING else listed(value)
    part(state, who, seq, wanted)
    engage(state, who, wanted, Bout(seq))
