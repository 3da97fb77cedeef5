"""Free and immediate attacks: late checks of what they answer, when they come, how many there may be."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from eventstore.events import AttackRolled, Moved
from eventstore.shapes import Action
from projections.mechanics.grants import words
from projections.occurrence import Occurrence
from projections.rulesets.ruleset import Breach, check, derives
from projections.rulesets.vile_darkness.late import LateCheck, of_acts
from projections.rulesets.vile_darkness.reading import Reading
from projections.rulesets.vile_darkness.state import Act, VileState
from projections.rulesets.vile_darkness.table import REACTIONS, weapon_of
from projections.rulesets.vile_darkness.told import act_behind, slot_name
from projections.stream.causes import causes

FREE, IMMEDIATE = REACTIONS


def trigger_of(state: VileState, act: Act) -> Occurrence[Any] | None:
    """Return the fact that a reaction answers: the one that it names, else the last act of its target at that place."""
    if act.trigger:
        return state.moments.get(act.trigger)
    drew = [
        each
        for who in act.action.targets
        for each in state.round.acts_of.get(who, ())
        if state.precedes(each.seq, act.seq)
    ]
    here = [each.seq for each in drew if each.slot == act.slot and each.action.cost not in REACTIONS]
    return state.moments.get(max(here)) if here else None


def drawn_by(state: VileState, act: Act) -> str:
    """Return who drew a reaction: whose doing its trigger is, else its target."""
    found = trigger_of(state, act)
    who = getattr(found.event, "combatant", None) or getattr(found.event, "source", None) if found else None
    return who or (act.action.targets[0] if act.action.targets else "")


def _moment(state: VileState, act: Act) -> tuple[str, int]:
    """Return the slot and segment that a reaction sits on: those of its trigger, else its own."""
    found = trigger_of(state, act)
    return (slot_name(state, found), found.point.segment) if found else (act.slot, act.segment)


def earlier(state: VileState, act: Act) -> list[Act]:
    """Return the reactions of the same sort that somebody took in this round before."""
    own = [each for each in state.round.acts_of[act.who] if state.precedes(each.seq, act.seq)]
    return [each for each in own if each.action.cost == act.action.cost]


def of_reactions(cost: str, rule: str, rank: int) -> Callable[[Callable[[VileState, Act], Breach | None]], LateCheck]:
    """Mark a check of free or of immediate attacks."""

    def mark(function: Callable[[VileState, Act], Breach | None]) -> LateCheck:
        @wraps(function)
        def looks(state: VileState, _fact: Reading, act: Act) -> Breach | None:
            return function(state, act) if act.action.cost == cost else None

        return of_acts(rule, "reaction", rank)(looks)

    return mark


# ---------------------------------------------------------------- one primary routine, at the one who drew it


@of_reactions(FREE, "free.primary-routine", 1)
def free_attacks_are_one_primary_routine(state: VileState, act: Act) -> Breach | None:
    return _other_routine(state, act) or _other_target(state, act)


@of_reactions(IMMEDIATE, "immediate-attack.primary-routine", 1)
def immediate_attacks_are_one_primary_routine(state: VileState, act: Act) -> Breach | None:
    return _other_routine(state, act)


def _other_routine(state: VileState, act: Act) -> Breach | None:
    same = [each.seq for each in earlier(state, act) if trigger_of(state, each) == trigger_of(state, act)]
    if not same and (act.action.routine or 1) == 1:
        return None
    return Breach(f"{act.who} has one primary routine here", "one routine", "another", tuple(same) or (act.seq,))


def _other_target(state: VileState, act: Act) -> Breach | None:
    drew, found = drawn_by(state, act), trigger_of(state, act)
    others = [who for who in act.action.targets if who != drew]
    if not found or not drew or not others:
        return None
    return Breach(f"{drew} drew this free attack", drew, ", ".join(others), (found.seq,))


@check("free.primary-routine", on=AttackRolled, group="roll", rank=0)
def free_attacks_have_their_rolls(state: VileState, fact: Reading) -> Breach | None:
    return _too_many_rolls(state, fact, FREE)


@check("immediate-attack.primary-routine", on=AttackRolled, group="roll", rank=0)
def immediate_attacks_have_their_rolls(state: VileState, fact: Reading) -> Breach | None:
    return _too_many_rolls(state, fact, IMMEDIATE)


@derives("routine.primary")
def _too_many_rolls(state: VileState, fact: Reading, cost: str) -> Breach | None:
    """Return the breach of a roll beyond one primary routine, or by option with a second weapon."""
    act = state.round.acts.get(fact.seq) or act_behind(state, fact.fact, fact.event.combatant)
    if act is None or act.action.cost != cost or fact.event.confirms:
        return None
    rolls = [each for each in _rolls(state, act) if state.precedes(each.seq, fact.seq)]
    drew = drawn_by(state, act)
    if cost == FREE and fact.event.target and drew and fact.event.target not in (drew, *act.action.targets):
        return Breach(f"{drew} drew this free attack", drew, fact.event.target, (act.seq,))
    weapon = _weapon(state, act, fact.event)
    same = [each for each in rolls if _weapon(state, act, each.event) == weapon]
    sheet = state.combatants[act.who].sheet
    most = next((each.attacks for each in sheet.weapons if each.name == weapon), 0)
    if most and len(same) >= most and sheet.routines > 1:
        says = f"{act.who} has one primary routine here"
        return Breach(says, f"{most} with the {weapon}", str(len(same) + 1), (act.seq,))
    first = _weapon(state, act, rolls[0].event) if rolls else weapon
    two = "two-weapon" in act.action.manner or _has_speeds(state, act.who, first, weapon)
    if state.option("free-attack-weapons") == "primary-hand" and first != weapon and two:
        return Breach(f"{act.who} uses the primary hand only", first, weapon, (act.seq,))
    return None


def _has_speeds(state: VileState, who: str, *named: str) -> bool:
    """Say whether these are weapons of hands, and no claws or teeth."""
    own = {each.name: each for each in state.combatants[who].sheet.weapons}
    return all(name in own and own[name].speed is not None for name in named)


def _rolls(state: VileState, act: Act) -> list[Occurrence[Any]]:
    rolls = [each for each in state.moments.values() if isinstance(each.event, AttackRolled)]
    rolls = [each for each in rolls if each.event.combatant == act.who and not each.event.confirms]
    return [each for each in rolls if each.seq == act.seq or act.seq in _chain(state, each)]


def _chain(state: VileState, fact: Occurrence[Any]) -> set[int]:
    return {fact.cause, *(each.cause for each in causes(state, fact.cause))}


def _weapon(state: VileState, act: Act, event: AttackRolled) -> str:
    found = weapon_of(state, act.who, Action(kind="attack", name=event.name or act.action.name))
    return found.name if found else " ".join(words(event.name or act.action.name or ""))


# ---------------------------------------------------------------- in the trigger's segment, before it completes


@of_reactions(FREE, "free.on-trigger-segment", 4)
def free_attacks_come_with_their_trigger(state: VileState, act: Act) -> Breach | None:
    return _off_the_trigger(state, act)


@of_reactions(IMMEDIATE, "immediate-attack.on-trigger-segment", 4)
def immediate_attacks_come_with_their_trigger(state: VileState, act: Act) -> Breach | None:
    return _off_the_trigger(state, act)


def _off_the_trigger(state: VileState, act: Act) -> Breach | None:
    found = trigger_of(state, act)
    if found is None:
        return None
    slot, segment = slot_name(state, found), found.point.segment
    if slot and act.slot and slot != act.slot:
        return Breach(f"what {act.who} answers lies in {slot}", slot, act.slot, (found.seq,))
    if act.segment and segment != act.segment and (segment or slot in ("A", "B", "C")):
        wanted = segment or 1
        if act.segment != wanted:
            says = f"what {act.who} answers lies in segment {wanted}"
            return Breach(says, f"segment {wanted}", f"segment {act.segment}", (found.seq,))
    done = completed(state, act, found)
    return Breach(f"what {act.who} answers is completed already", "before it", "after it", (done,)) if done else None


def completed(state: VileState, act: Act, trigger: Occurrence[Any]) -> int:
    """Return the record by which a trigger was completed before the reaction to it: its movement, its doer's leaving."""
    who = getattr(trigger.event, "combatant", "")
    between = [
        each for each in state.moments.values() if state.at(trigger.seq) < state.at(each.seq) < state.at(act.seq)
    ]
    moves = [each.seq for each in between if isinstance(each.event, Moved) and trigger.seq in _chain(state, each)]
    one = state.combatants.get(who)
    return moves[0] if moves else one.left if one and one.left and state.precedes(one.left, act.seq) else 0


@derives("free.on-trigger-segment", "immediate-attack.on-trigger-segment")
def stopped(state: VileState, act: Act) -> int:
    """Return the reaction that stopped an act: its doer is out of the fight by a ruling made upon that; else 0."""
    one = state.combatants[act.who]
    ruled = state.ruled.get(f"{act.who}.status")
    if one.status != "out" or ruled is None:
        return 0
    answers = [
        each
        for each in state.round.acts.values()
        if each.action.cost in REACTIONS and state.precedes(each.seq, ruled.seq)
    ]
    hit = [each.seq for each in answers if (found := trigger_of(state, each)) and _is_of(state, found, act)]
    later = [
        each
        for each in state.round.acts.values()
        if hit and state.at(hit[-1]) < state.at(each.seq) < state.at(ruled.seq)
    ]
    return hit[-1] if hit and all(each.action.cost in REACTIONS for each in later) else 0


def _is_of(state: VileState, found: Occurrence[Any], act: Act) -> bool:
    return found.seq == act.seq or act.seq in _chain(state, found)


# ---------------------------------------------------------------- how many


@of_reactions(FREE, "free.one-per-opponent", 2)
def each_opponent_takes_one_free_attack(state: VileState, act: Act) -> Breach | None:
    drew = drawn_by(state, act)
    before = [each.seq for each in earlier(state, act) if drew and drawn_by(state, each) == drew]
    if not before:
        return None
    return Breach(f"{act.who} has taken a free attack on {drew} already", "one a round", "another", tuple(before))


@of_reactions(FREE, "free.one-per-segment", 3)
def one_free_attack_a_segment(state: VileState, act: Act) -> Breach | None:
    slot, segment = _moment(state, act)
    there = [each for each in earlier(state, act) if _moment(state, each) == (slot, segment)]
    if segment:
        there = [each for each in earlier(state, act) if _moment(state, each)[1] == segment]
    elif state.option("unsegmented-triggers") == "apart":
        there = []
    if not there:
        return None
    return Breach(f"{act.who} has taken a free attack in this segment", "one", "another", (there[0].seq,))
