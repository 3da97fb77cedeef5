"""The recorded order of acts compared with the order of slots, and with the order within a slot."""

from projections.mechanics.memo import remembered
from projections.rulesets.ruleset import Breach, derives
from projections.rulesets.vile_darkness import place
from projections.rulesets.vile_darkness.initiative import die_lead
from projections.rulesets.vile_darkness.order import ordered
from projections.rulesets.vile_darkness.state import VileAct, VileState
from projections.rulesets.vile_darkness.table import LETTERS, steps


def half_of(slot: str) -> str:
    """Return the half of the round, H or L, of a slot in step five; "" of any other."""
    return slot[:1] * (".D" in slot)


class Late:
    """An act that was recorded after one of a later slot, with both slots and the records of such acts."""

    def __init__(self, slot: str, before: str, are_opponents: bool, above: tuple[int, ...]) -> None:
        self.slot, self.before, self.above, self.are_opponents = slot, before, above, are_opponents
        pair, halves = (steps()[slot], steps()[before]), (half_of(slot), half_of(before))
        self.goes_first, self.is_fast = slot == "GF", steps()[slot] == 3
        self.in_step_three, self.in_step_five, self.in_step_seven = (pair == (each, each) for each in (3, 5, 7))
        self.in_high, self.in_one_half = halves == ("H", "H"), halves[0] == halves[1]

    def breach(self, says: str) -> Breach:
        """Return the breach, with the slots of both."""
        return Breach(says.format(own=self.slot, other=self.before), f"before {self.before}", "after it", self.above)


def recorded_slot(state: VileState, act: VileAct) -> str:
    """Return the recorded slot of an act, else its own."""
    return act.slot or place.slot_of(state, act).value


def _place(state: VileState, act: VileAct) -> tuple[int, ...] | None:
    """Return the recorded place of an act: stage, rank of its group in LOW, phase."""
    slot = recorded_slot(state, act)
    stage = place.stage_of(state, slot)
    lead = (die_lead(state, state.combatants[act.combatant], act).value,) if slot.startswith("L.") else ()
    return (stage, *lead, place.phase_of(slot)) if stage >= 0 else None


@derives("round.step-order", "group.high-before-low", "group.phase-order", "fast.letter-order")
@remembered
def latecomers(state: VileState) -> dict[int, Late]:
    """Return the acts that were recorded after one of a later slot, by their records.

    After such an act, the acts that continue from its slot are not among them.
    """
    found: dict[int, Late] = {}
    placed: list[tuple[tuple[int, ...], VileAct]] = []
    for act in ordered(state):
        where = _place(state, act)
        if where is None:
            continue
        above = [pair for pair in placed if pair[0] > where and not _is_go_first(state, pair[1], act)]
        if above and where < placed[-1][0]:
            before = max(above, key=lambda pair: (pair[0], _are_opponents(state, pair[1], act)))[1]
            last = recorded_slot(state, before), _are_opponents(state, before, act)
            level = [
                each for _, each in above if (recorded_slot(state, each), _are_opponents(state, each, act)) == last
            ]
            found[act.seq] = Late(recorded_slot(state, act), *last, tuple(each.seq for each in level))
        placed.append((where, act))
    return found


def _are_opponents(state: VileState, act: VileAct, other: VileAct) -> bool:
    return bool(state.combatants[act.combatant].side != state.combatants[other.combatant].side)


def _is_go_first(state: VileState, act: VileAct, other: VileAct) -> bool:
    """Return whether one of two acts goes first and the other has a letter, so that an option orders them."""
    pair = {recorded_slot(state, act), recorded_slot(state, other)}
    return "GF" in pair and not pair.isdisjoint(LETTERS)


@derives("fast.go-first")
@remembered
def go_first_faults(state: VileState) -> dict[int, VileAct]:
    """Return the acts that go first and were recorded on the wrong side of one with a letter, each with that act."""
    option, acts = state.option("go-first-place"), ordered(state)
    found = dict[int, VileAct]()
    for number, act in enumerate(acts):
        wrong = {"before-parley": acts[:number], "after-charge": acts[number:]}.get(option, [])
        letters = [each for each in wrong if recorded_slot(state, each) in LETTERS]
        if letters and recorded_slot(state, act) == "GF":
            found[act.seq] = letters[0]
    return found


@derives("initiative.tie-by-weapon-speed", "delayed.loses-ties", "spell.initiative-order", "fast.letter-order")
@remembered
def too_early_in_slot(state: VileState) -> dict[int, tuple[VileAct, VileAct, str]]:
    """Return the acts that were recorded before one of their slot that comes first.

    Each has the other act and the part of the key that decides. Acts that accompany another one are not among them.
    """
    found, slots = dict[int, tuple[VileAct, VileAct, str]](), dict[tuple[str, str], list[VileAct]]()
    for act in (each for each in ordered(state) if place.leader(state, each).seq == each.seq):
        slots.setdefault((place.slot_of(state, act).value, recorded_slot(state, act)), []).append(act)
    for (slot, _), acts in slots.items():
        for number, act in enumerate(acts if slot else ()):
            for other in acts[number:]:
                if why := _why_after(state, slot, act, other):
                    found[act.seq] = act, other, why
                    break
    return found


def _why_after(state: VileState, slot: str, act: VileAct, other: VileAct) -> str:
    """Return the part of the key that puts an act after a later record of the same slot; "" if none does.

    A spell recorded in a wrong segment has another finding.
    """
    if not _are_opponents(state, act, other) or "target" in (act.kind, other.kind):
        return ""
    own, key = place.key_of(state, act).value, place.key_of(state, other).value
    fit = act.point.segment in (0, own.segment) and other.point.segment in (0, key.segment)  # type: ignore[union-attr]
    for part in ("delayed",) if place.phase_of(slot) else ("lead", "segment", "low"):
        if getattr(own, part) > getattr(key, part):
            return part if fit or part not in ("segment", "low") else ""
        if getattr(own, part) < getattr(key, part):
            return ""
    return "speed" if place.is_of_blows(slot) and _is_slower(state, act, other) else ""


def _is_slower(state: VileState, act: VileAct, other: VileAct) -> bool:
    """Return whether an act is slower than another; without a speed neither is, or by option one without has speed 0."""
    if not all(place.is_ordered_by_speed(state, each.combatant).value for each in (act, other)):
        return False
    own, speed = place.speed_of(state, act).value, place.speed_of(state, other).value
    if state.option("no-weapon-speed") == "first":
        speed = speed or 0
    return own is not None and speed is not None and own > speed
