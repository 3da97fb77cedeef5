"""The order in which a round was told against the order of its slots, and who was too early within a slot."""

from msgspec import Struct

from projections.rulesets.ruleset import derives
from projections.rulesets.vile_darkness.initiative import die_lead
from projections.rulesets.vile_darkness.order import ordered
from projections.rulesets.vile_darkness.place import is_blow, phase_of, slot_of, speed_of, stage_of
from projections.rulesets.vile_darkness.state import Act, VileState
from projections.rulesets.vile_darkness.table import steps


class Late(Struct, frozen=True):
    """An act that was told after one of a later slot."""

    act: Act
    before: Act
    slot: str
    before_slot: str

    @property
    def steps(self) -> tuple[int, int]:
        """The steps of both."""
        return steps()[self.slot], steps()[self.before_slot]

    @property
    def halves(self) -> tuple[str, str]:
        """The halves of both; "" outside step five."""
        return self.slot[:1] * (".D" in self.slot), self.before_slot[:1] * (".D" in self.before_slot)

    def are_opponents(self, state: VileState) -> bool:
        """Say whether they are on different sides."""
        return _are_opponents(state, self.act, self.before)


def told_slot(state: VileState, act: Act) -> str:
    """Return the slot in which an act was told, else the one that it belongs in."""
    return act.slot or slot_of(state, act).value


def _place(state: VileState, act: Act) -> tuple[int, int, int] | None:
    """Return the place of an act in the telling: stage, the lead of its group among those of LOW, phase."""
    slot = told_slot(state, act)
    if not slot or slot not in steps() or steps()[slot] < 3:
        return None
    lead = die_lead(state, state.combatants[act.who], act) if slot.startswith("L.") else 0
    return stage_of(state, slot), lead, phase_of(slot)


@derives("round.step-order", "group.high-before-low", "group.phase-order", "fast.letter-order")
def latecomers(state: VileState) -> dict[int, Late]:
    """Return the acts that were told after one of a later slot, by their records.

    Once the telling has gone back, what goes on from there follows from that.
    """
    found: dict[int, Late] = {}
    told: list[tuple[tuple[int, int, int], Act]] = []
    back: tuple[int, int, int] | None = None
    for act in ordered(state):
        if act.kind == "target":
            continue
        place = _place(state, act)
        if place is None or _is_unaudited(state, act):
            continue
        above = [pair for pair in told if pair[0] > place]
        told.append((place, act))
        if above and (back is None or place < back):
            before = max(above, key=lambda pair: (pair[0], _are_opponents(state, pair[1], act)))[1]
            found[act.seq] = Late(act, before, told_slot(state, act), told_slot(state, before))
        back = place if above else None
    return found


def _are_opponents(state: VileState, act: Act, other: Act) -> bool:
    return bool(state.combatants[act.who].side != state.combatants[other.who].side)


def _is_unaudited(state: VileState, act: Act) -> bool:
    """Say whether nothing is reported of an act's order: one that goes first, by default."""
    return told_slot(state, act) == "GF" and state.option("go-first-place") == "unaudited"


@derives("initiative.tie-by-weapon-speed", "delayed.loses-ties")
def speed_faults(state: VileState) -> dict[int, Act]:
    """Return the blows that were told before one that should have come first, each with that one."""
    acts, found = ordered(state), dict[int, Act]()
    for place, act in enumerate(acts):
        for other in acts[place + 1 :]:
            if act.seq not in found and _comes_after(state, act, other):
                found[act.seq] = other
    return found


def _comes_after(state: VileState, act: Act, other: Act) -> bool:
    """Say whether an act should have waited for another that was told after it, in the same slot."""
    slot, there = slot_of(state, act).value, slot_of(state, other).value
    if slot != there or not slot or (act.slot or slot) != (other.slot or there):
        return False
    if not _are_opponents(state, act, other) or phase_of(slot) == 0 or "target" in (act.kind, other.kind):
        return False
    if bool(act.delayed) != bool(other.delayed):
        return bool(act.delayed)
    if not (is_blow(state, act) and is_blow(state, other)):
        return False
    if state.option("weapon-speed") == "dice-tie" and not _equal_dice(state, act, other):
        return False
    own, speed = speed_of(state, act).value, speed_of(state, other).value
    if state.option("no-weapon-speed") == "first":
        own, speed = own or 0, speed or 0
    return own is not None and speed is not None and own > speed


def _equal_dice(state: VileState, act: Act, other: Act) -> bool:
    one, two = (state.round.dice.get(state.combatants[each.who].side) for each in (act, other))
    return one is not None and two is not None and one.face == two.face
