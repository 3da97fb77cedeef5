"""Late checks of acts: their slots, and the order in which they were recorded.

They look at the acts of a round when it is over, or the log ends, since a later act can change the place of an earlier
one. In a group of checks, only the first one by rank that finds something reports.
"""

from collections.abc import Callable
from typing import TypeVar

from eventstore.events import Fact
from projections.because import Derived
from projections.mechanics.grants import words
from projections.mechanics.memo import remembered
from projections.ruleset.catalogue import read
from projections.ruleset.faults import by_first_reason
from projections.ruleset.ruleset import Breach, Check, check
from projections.rulesets.vile_darkness import table
from projections.rulesets.vile_darkness.initiative import has_delayed_before, is_tie
from projections.rulesets.vile_darkness.order import Late, go_first_faults, half_of, latecomers, too_early_in_slot
from projections.rulesets.vile_darkness.place import leader, slot_of, speed_of, standing_in
from projections.rulesets.vile_darkness.reading import OF_ACTS, Reading
from projections.rulesets.vile_darkness.state import VileAct, VileState, is_cited_records
from projections.rulesets.vile_darkness.works import minors

About = TypeVar("About")
Looks = Callable[[VileState, Reading[Fact], About], Breach | None]
LateCheck = Check[[VileState, Reading[Fact], About]]
REASONS = read(table.RULES).tables["reasons"]
"""The tables of clauses that explain a mistake; the first that applies is reported."""


def act_of(state: VileState, fact: Reading[Fact]) -> VileAct | None:
    """Return the act of the round that a fact records; None if it records none."""
    acts: dict[int, VileAct] = state.round.acts
    return acts.get(fact.seq)


def of_acts(rule: str, group: str = "", rank: int = 0) -> Callable[[Looks[VileAct]], LateCheck[VileAct]]:
    """Return a decorator for a late check of acts."""
    return check(rule, on=OF_ACTS, group=group, rank=rank, subject=act_of)


# ---------------------------------------------------------------- the recorded slot of an act


class Misplaced:
    """An act that was recorded in another slot than its own, with circumstances that may explain the mistake."""

    def __init__(self, state: VileState, act: VileAct, slot: Derived[str]) -> None:
        self.act, self.recorded, self.belongs, self.because = act, act.slot, slot.value, slot.because
        row, (recorded, own) = table.row_of(state, act), (half_of(act.slot), half_of(slot.value))
        self.is_fast, self.is_early = self.belongs in table.LETTERS, table.steps()[act.slot] <= 3
        self.goes_first, self.goes_last, self.is_spell = (self.belongs == each for each in ("GF", "GL", "E"))
        self.is_primary = act.routine == 1 and "M1" in (act.slot, self.belongs)
        self.is_further = self.belongs == "M2"
        self.is_short = act.kind == "invocation" and act.slot == "E"
        self.is_delayed, self.is_minor = bool(act.delayed), row.weight == "minor"
        self.became_complex = self.goes_last and self.is_delayed and act.kind != "complex"
        self.is_delaying, self.is_attack = row.type == "delaying", act.kind == "attack"
        self.has_delayed = act.delayed in state.round.acts and not self.is_minor
        self.waits = act.combatant in state.round.waits
        self.in_low, self.in_high = (recorded, own) == ("H", "L"), (recorded, own) == ("L", "H")
        self.is_elsewhere, self.in_step_five = recorded not in ("", own), recorded != ""
        self.does_delaying, self.is_innate = act.low != (), act.kind == "innate"
        self.delayed_before, self.is_tie = has_delayed_before(state, act.combatant), is_tie(state)
        self.is_alone = self.is_minor and not act.slot.endswith(".D1")

    def breach(self, says: str) -> Breach:
        """Return the breach, with the slot expected and the one found."""
        text = f"{says.format(who=self.act.combatant)}: {self.belongs}, not {self.recorded}"
        return Breach(
            text, self.belongs, self.recorded, self.because.flat(lambda each: not is_cited_records(each)).events
        )


def misplaced_act(state: VileState, fact: Reading[Fact]) -> Misplaced | None:
    """Return the act of a fact as misplaced; None if it is not."""
    act = act_of(state, fact)
    return misplaced(state, act) if act else None


@remembered
def misplaced(state: VileState, act: VileAct) -> Misplaced | None:
    """Return an act as misplaced; None if it is not, or if its recorded or its own slot is unknown."""
    found = slot_of(state, act)
    if not act.slot or found.value in ("", act.slot) or table.row_of(state, act).slot == "trigger":
        return None
    if table.is_unknown(state, act):
        return None  # its kind is reported
    first = leader(state, act)
    if first.seq != act.seq and first.slot == act.slot:
        return None  # that act is reported
    if act.kind == "move" and any(each.slot == act.slot for each in table.other_major(state, act)):
        return None  # the second major action is reported
    return None if act.routine > table.routines(state, act.combatant) else Misplaced(state, act, found)


OUT_OF_PLACE = by_first_reason(misplaced_act, OF_ACTS, "place", 1, REASONS["place"])
"""Checks of misplaced acts, by the first of these rules that explains the mistake."""


@of_acts("delaying.within-attack", "place", 11)
def loading_is_part_of_the_shot(state: VileState, _fact: Reading[Fact], act: VileAct) -> Breach | None:
    said = set(words(act.action.name or ""))
    shots = [each for each in table.others(state, act) if table.has_delaying(state, each) and each.slot != act.slot]
    shots = [each for each in shots if set(words(each.action.name or "")) <= said]
    if act.kind != "delaying" or not shots:
        return None
    slot = slot_of(state, shots[0]).value
    return Breach(f"this is part of the attack in {slot}, not of {act.slot}", slot, act.slot, (shots[0].seq,))


@of_acts("delaying.only-in-low", "place", 11)
def delaying_work_does_not_follow_on_high(state: VileState, _fact: Reading[Fact], act: VileAct) -> Breach | None:
    before = [each for each in table.others(state, act) if state.precedes(each.seq, act.seq)]
    acted = [each for each in before if each.kind not in table.QUIET and each.action.cost not in table.REACTIONS]
    high = [each for each in acted if each.slot.startswith("H.")]
    if table.row_of(state, act).type != "delaying" or not high:
        return None
    return Breach(f"{act.combatant} has acted in HIGH already", "all of the round in LOW", high[0].slot, (high[0].seq,))


# ---------------------------------------------------------------- the order in which acts were recorded


@of_acts("fast.go-first", "place", 30)
def going_first_has_its_place_among_the_letters(state: VileState, _fact: Reading[Fact], act: VileAct) -> Breach | None:
    other = go_first_faults(state).get(act.seq)
    if other is None:
        return None
    return Breach(f"GF and {other.slot} are in the wrong order", "the other order", "this", (other.seq,))


def latecomer(state: VileState, fact: Reading[Fact]) -> Late | None:
    """Return the act of a fact as recorded too late; None if it is not."""
    return latecomers(state).get(fact.seq)


OUT_OF_SEQUENCE = by_first_reason(latecomer, OF_ACTS, "place", 31, REASONS["sequence"])
"""Checks of acts recorded too late, by the first of these rules that explains the mistake."""


@of_acts("delay.only-in-group-actions", "place", 40)
def a_delay_is_announced_in_step_five(_state: VileState, _fact: Reading[Fact], act: VileAct) -> Breach | None:
    if act.kind != "delay" or table.steps().get(act.slot, 5) in (1, 2, 5):
        return None
    return Breach(f"{act.combatant} delays in {act.slot}, which is not in step 5", "D1 to D4", act.slot, (act.seq,))


# ---------------------------------------------------------------- within a slot


class Early:
    """An act that was recorded before an act that precedes it in their slot, with the part of the key that decides."""

    def __init__(self, state: VileState, act: VileAct, other: VileAct, part: str) -> None:
        self.state, self.act, self.other, self.part = state, act, other, part
        self.slot = slot_of(state, act).value
        self.by_speed, self.by_delay, self.is_letter = part == "speed", part == "delayed", self.slot in table.LETTERS
        self.in_m1, self.in_m2, self.in_e, self.in_gl = (self.slot == each for each in ("M1", "M2", "E", "GL"))
        self.other_waits, self.other_is_delayed = other.combatant in state.round.waits, bool(other.delayed)
        self.is_delayed, self.has_minors = bool(act.delayed), minors(state, act.combatant, act.seq).value != ()

    def slows(self, rule: str) -> bool:
        """Return whether a rule is a reason for the speed of the act."""
        return rule in speed_of(self.state, self.act).because.rules

    def breach(self, says: str) -> Breach:
        """Return the breach, with the speeds of both acts."""
        own, speed = speed_of(self.state, self.act).value, speed_of(self.state, self.other).value
        text = f"{self.act.combatant} before {self.other.combatant}: {says.format(own=own, speed=speed)}"
        events = {self.act.delayed, self.other.seq} if self.by_delay else {self.other.seq}
        for each in (self.act, self.other) if self.part in ("lead", "low") else ():
            events |= {*standing_in(self.state, each, self.slot).because.flat().events}
        return Breach(text, f"after {self.other.combatant}", "before", tuple(sorted(events)))


def early_act(state: VileState, fact: Reading[Fact]) -> Early | None:
    """Return the act of a fact as recorded too early within its slot; None if it is not."""
    found = too_early_in_slot(state).get(fact.seq)
    return Early(state, *found) if found else None


OUT_OF_TURN = by_first_reason(early_act, OF_ACTS, "tie", 1, REASONS["turn"])
"""Checks of acts recorded too early within their slot, by the first of these rules that explains the mistake."""
