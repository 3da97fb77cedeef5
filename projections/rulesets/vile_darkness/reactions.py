"""Late checks of free and immediate attacks: their triggers, their moments, their number."""

from collections.abc import Callable, Iterator
from itertools import islice, takewhile

from eventstore.events import Fact, Moved
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, derives
from projections.rulesets.vile_darkness.blows import beyond_the_line, of_rolls, rolls_in
from projections.rulesets.vile_darkness.order_checks import act_of
from projections.rulesets.vile_darkness.reading import OF_ACTS, Reading, slot_name
from projections.rulesets.vile_darkness.state import AttackRoll, VileAct, VileState
from projections.rulesets.vile_darkness.table import LETTERS, REACTIONS, routines, weapons_in
from projections.stream.causes import lineage
from projections.time import Point

FREE, IMMEDIATE = REACTIONS
FAMILY: dict[str | None, str] = {FREE: "free", IMMEDIATE: "immediate-attack"}
"""The family of rules for each sort of reaction."""


def trigger_of(state: VileState, act: VileAct) -> Occurrence[Fact]:
    """Return the trigger of a reaction: the named fact, else the last act of its target in the same slot, else the
    reaction itself.
    """
    there = [
        each for each in state.round.acts.values() if each.combatant in act.action.targets and each.slot == act.slot
    ]
    drew = [each.seq for each in there if state.precedes(each.seq, act.seq)]
    return state.moments.get(act.trigger) or state.moments[[act.seq, *drew][-1]]


def drawn_by(state: VileState, act: VileAct) -> set[str]:
    """Return the combatants who drew a reaction: the doer of its trigger, else its targets."""
    event, others = trigger_of(state, act).event, state.combatants.keys() - {act.combatant}
    who = getattr(event, "combatant", None) or getattr(event, "source", None)
    return others & {who} or others & {*act.action.targets}


def earlier(state: VileState, act: VileAct) -> list[VileAct]:
    """Return the earlier reactions of the same sort by the same combatant in this round."""
    own = [each for each in state.round.acts_of[act.combatant] if state.precedes(each.seq, act.seq)]
    return [each for each in own if each.action.cost == act.action.cost]


# ---------------------------------------------------------------- one primary routine, against the combatant who drew
# it


def _other_routine(state: VileState, act: VileAct) -> Fault | None:
    same = [each.seq for each in earlier(state, act) if trigger_of(state, each) == trigger_of(state, act)]
    if not same and act.action.routine in (None, 1):
        return None
    rule = f"{FAMILY[act.action.cost]}.primary-routine"
    return Fault((rule,), f"{act.combatant} has one primary routine here", "one routine", "another", tuple(same))


def _other_target(state: VileState, act: VileAct) -> Fault | None:
    drew = drawn_by(state, act)
    others = {*act.action.targets} & state.combatants.keys() - drew
    return Fault(("free.primary-routine",), *_drawn(drew, others), (trigger_of(state, act).seq,)) if others else None


def _drawn(drew: set[str], found: set[str]) -> tuple[str, str, str]:
    names = ", ".join(sorted(drew))
    return f"{names} drew this free attack", names, ", ".join(sorted(found))


@of_rolls("free.primary-routine", 0)
def free_attacks_have_their_rolls(state: VileState, _fact: Reading[Fact], roll: AttackRoll) -> Breach | None:
    if roll.act.action.cost != FREE:
        return None
    drew = drawn_by(state, roll.act)
    if drew and roll.target not in {"", *drew, *roll.act.action.targets}:
        return Breach(*_drawn(drew, {roll.target}), tuple(sorted({trigger_of(state, roll.act).seq, roll.act.seq})))
    return _too_many(state, roll)


@of_rolls("immediate-attack.primary-routine", 0)
def immediate_attacks_have_their_rolls(state: VileState, _fact: Reading[Fact], roll: AttackRoll) -> Breach | None:
    return _too_many(state, roll) if roll.act.action.cost == IMMEDIATE else None


@derives("routine.primary")
def _too_many(state: VileState, roll: AttackRoll) -> Breach | None:
    """Return the breach by a roll beyond one primary routine or, by option, with the weapon of another hand."""
    hands = {_hand(state, each) for each in rolls_in(state, roll)} - {""}
    if state.option("free-attack-weapons") == "primary-hand" and len(hands) > 1:
        used = tuple(each.seq for each in rolls_in(state, roll))
        return Breach(f"{roll.who} uses the primary hand only", "one weapon", " and ".join(sorted(hands)), used)
    return beyond_the_line(state, roll) if routines(state, roll.who) > 1 else None


def _hand(state: VileState, roll: AttackRoll) -> str:
    """Return the weapon of a roll; "" for claws and teeth, which need no hand."""
    return next((each.name for each in weapons_in(state, roll.who, roll.name) if each.speed is not None), "")


# ---------------------------------------------------------------- in the trigger's segment, before it completes


def _wrong_moment(state: VileState, act: VileAct) -> Fault | None:
    found, rules = trigger_of(state, act), (f"{FAMILY[act.action.cost]}.on-trigger-segment",)
    slot, says = slot_name(state, found), f"what {act.combatant} answers"
    if len({slot, act.slot} - {""}) > 1:
        return Fault(rules, f"{says} lies in {slot}", slot, act.slot, (found.seq,))
    wanted = found.point.segment or (1 if slot in LETTERS else 0)
    if wanted and act.point.segment not in (0, wanted):
        why = f"{says} lies in segment {wanted}"
        return Fault(rules, why, f"segment {wanted}", f"segment {act.point.segment}", (found.seq,))
    done = completed(state, act)
    return Fault(rules, f"{says} is completed already", "before it", "after it", done) if done else None


def completed(state: VileState, act: VileAct) -> tuple[int, ...]:
    """Return the records that completed a trigger before its reaction: the movement, or the leaving of its doer."""
    found = trigger_of(state, act)
    moves = [each for each in state.moments.values() if isinstance(each.event, Moved)]
    ends: list[int] = [each.seq for each in moves if found.seq in lineage(state, each.cause)]
    ends += [left for who in drawn_by(state, act) if (left := state.combatants[who].left)]
    return tuple(seq for seq in ends if state.precedes(seq, act.seq))


@derives("free.on-trigger-segment", "immediate-attack.on-trigger-segment")
def stopped(state: VileState, act: VileAct) -> int:
    """Return the reaction after which a ruling put the doer of an act out of the fight, and so stopped the act; else
    0.
    """
    if state.combatants[act.combatant].status != "out":
        return 0
    ruled, acts = state.ruled[f"{act.combatant}.status"].seq, dict[int, VileAct](state.round.acts)
    since = [each for each in acts.values() if state.precedes(act.seq, each.seq) and state.precedes(each.seq, ruled)]
    for each in takewhile(lambda one: one.action.cost in REACTIONS, reversed(since)):
        found = trigger_of(state, each)
        if act.seq in {found.seq, *lineage(state, found.cause)}:
            return int(each.seq)
    return 0


# ---------------------------------------------------------------- how many


def _again_on_one(state: VileState, act: VileAct) -> Fault | None:
    drew = drawn_by(state, act)
    before = tuple(each.seq for each in earlier(state, act) if drew & drawn_by(state, each))
    says = f"{act.combatant} has taken a free attack on {', '.join(sorted(drew))} already"
    return Fault(("free.one-per-opponent",), says, "one a round", "another", before) if before else None


def _again_in_one_segment(state: VileState, act: VileAct) -> Fault | None:
    here = trigger_of(state, act).point
    there = [each.seq for each in earlier(state, act) if _is_one(state, trigger_of(state, each).point, here)]
    says = f"{act.combatant} has taken a free attack in this segment"
    return Fault(("free.one-per-segment",), says, "one", "another", (there[0],)) if there else None


def _is_one(state: VileState, one: Point, other: Point) -> bool:
    """Return whether two points are in one segment; without segments, in one slot, unless an option excludes that."""
    together = one.phase == other.phase and state.option("unsegmented-triggers") == "one-segment"
    return one.segment == other.segment and (one.segment > 0 or together)


LOOKS: dict[str | None, tuple[Callable[[VileState, VileAct], Fault | None], ...]] = {
    FREE: (_other_routine, _other_target, _again_on_one, _again_in_one_segment, _wrong_moment),
    IMMEDIATE: (_other_routine, _wrong_moment),
}
RULES = [f"{family}.{each}" for family in FAMILY.values() for each in ("primary-routine", "on-trigger-segment")]


@checks_by(*RULES, "free.one-per-opponent", "free.one-per-segment", on=OF_ACTS)
def reactions_answer_something(state: VileState, fact: Reading[Fact]) -> Iterator[Fault]:
    """Yield the first fault of a free or immediate attack."""
    act = act_of(state, fact)
    looks = LOOKS.get(act.action.cost, ()) if act else ()
    yield from islice(filter(None, (look(state, act) for look in looks)), 1)  # type: ignore[arg-type]
