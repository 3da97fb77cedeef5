"""Attack routines: the weapons of a line, how many attacks each has, one target, one moment, the primary one first."""

from eventstore.events import AttackRolled
from projections.rulesets.ruleset import Breach, check
from projections.rulesets.vile_darkness.hits import of_rolls
from projections.rulesets.vile_darkness.late import misplaced, of_acts
from projections.rulesets.vile_darkness.reading import Reading
from projections.rulesets.vile_darkness.state import Act, Roll, VileState
from projections.rulesets.vile_darkness.table import ATTACKS, is_continued, others, weapons_in

# ---------------------------------------------------------------- the attack line


def routine_of(state: VileState, act: Act) -> list[Act]:
    """Return the acts that belong to the routine of an act: those that give its number, else it alone."""
    if act.action.routine is None:
        return [act]
    same = [each for each in others(state, act) if each.routine == act.routine and each.kind in ATTACKS]
    return sorted([act, *same], key=lambda each: each.seq)


def rolls_in(state: VileState, roll: Roll) -> list[Roll]:
    """Return the attack rolls of the routine that a roll belongs to, up to itself."""
    act = state.round.acts.get(roll.act)
    acts = {each.seq for each in routine_of(state, act)} if act else {roll.act}
    return [each for each in state.round.rolls.values() if each.act in acts and each.seq <= roll.seq]


@of_rolls("attack.stat-block", 3)
def a_line_has_so_many_attacks(state: VileState, roll: Roll) -> Breach | None:
    weapons = weapons_in(state, roll.who, roll.name)
    most = sum(each.attacks for each in weapons)
    rolled = [each.seq for each in rolls_in(state, roll) if weapons_in(state, roll.who, each.name) == weapons]
    if not weapons or len(rolled) <= most:
        return None
    listed = " and ".join(f"{each.attacks} {each.name}" for each in weapons)
    return Breach(f"the attack line has {listed}", str(most), str(len(rolled)), tuple(rolled[:-1]))


# ---------------------------------------------------------------- one target, one moment


@of_acts("routine.single-target", "routine", 1)
def a_routine_has_one_target(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    several = act.kind in ATTACKS and len({*act.action.targets}) > 1
    return _several(state, act, "target") if several else None


@check("routine.single-target", on=AttackRolled, group="routine", rank=2)
def all_attacks_of_a_routine_go_against_one(state: VileState, fact: Reading) -> Breach | None:
    roll = state.round.rolls.get(fact.seq)
    act = state.round.acts.get(roll.act) if roll else None
    if roll is None or act is None:
        return None
    acts = routine_of(state, act)
    targets = [each.target for each in rolls_in(state, roll) if each.target]
    targets += [who for each in acts for who in each.action.targets if each.seq < roll.seq]
    return _several(state, acts[0], "target") if len({*targets}) > 1 else None


def _several(state: VileState, act: Act, what: str) -> Breach:
    says = f"one routine of {act.who} has several {what}s"
    return Breach(says, f"one {what}", "several", (act.seq,), once=(what, act.seq, state.clock.round))


@check("routine.simultaneous", on=AttackRolled, group="routine", rank=3)
def a_routine_happens_at_once(state: VileState, fact: Reading) -> Breach | None:
    roll = state.round.rolls.get(fact.seq)
    act = state.round.acts.get(roll.act) if roll else None
    if roll is None or act is None:
        return None
    points = [state.moments[each.seq].point for each in rolls_in(state, roll)]
    segments = {each.segment for each in points} | {each.segment for each in routine_of(state, act)}
    phases = {each.phase for each in (*points, state.moments[act.seq].point)}
    if len(segments - {0}) < 2 and len(phases - {0}) < 2:
        return None
    return _several(state, act, "moment")


@of_acts("routine.simultaneous", "place", 4)
def the_parts_of_a_routine_come_together(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    if not is_continued(state, act):
        return None
    first = routine_of(state, act)[0]
    return None if (act.slot, act.segment) == (first.slot, first.segment) else _several(state, act, "moment")


@of_acts("routine.primary", "place", 4)
def the_primary_routine_comes_first(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    mine = [each for each in others(state, act) if each.routine not in (0, act.routine) and act.routine]
    if not any((each.routine < act.routine) == (each.seq > act.seq) for each in mine) or not misplaced(state, act):
        return None
    says = f"the primary routine of {act.who} comes first"
    return Breach(says, "routine 1", f"routine {act.routine}", once=("primary", act.who, state.clock.round))


# ---------------------------------------------------------------- an attack without a target


@of_acts("attack.target-and-roll", "target")
def an_attack_is_against_somebody(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    if act.kind not in ATTACKS or act.action.targets or act.action.object:
        return None
    if any(each.cause == act.seq for each in state.moments.values()) or act.seq in state.round.rolls:
        return None
    return Breach(f"{act.who} attacks nobody", "a target", "none", once=("target", act.seq))
