"""Late checks of acts: where they stand in the round, in which order they were told, what they use up.

They look at the acts of a round once it is over, or the log ends: a blow that follows makes a minor part of it, a minor
that follows slows the blow. Of the checks of one group only the first by rank that finds something reports.
"""

from collections.abc import Callable
from typing import TypeVar

from projections.because import Derived
from projections.mechanics.grants import words
from projections.mechanics.memo import remembered
from projections.rulesets.faults import by_first_reason
from projections.rulesets.ruleset import Breach, Check, check
from projections.rulesets.vile_darkness.initiative import has_delayed_before, is_tie
from projections.rulesets.vile_darkness.place import leader, slot_of, speed_of
from projections.rulesets.vile_darkness.reading import Reading
from projections.rulesets.vile_darkness.sequence import LETTERS, Late, go_first_faults, half_of, latecomers, slot_faults
from projections.rulesets.vile_darkness.state import Act, VileState, is_told
from projections.rulesets.vile_darkness.table import (
    QUIET,
    REACTIONS,
    has_delaying,
    is_unknown,
    other_major,
    others,
    routines,
    row_of,
    steps,
)
from projections.rulesets.vile_darkness.told import TELLING
from projections.rulesets.vile_darkness.works import minors

About = TypeVar("About")
Looks = Callable[[VileState, Reading, About], Breach | None]
LateCheck = Check[[VileState, Reading, About]]


def act_of(state: VileState, fact: Reading) -> Act | None:
    """Return the act of the round that a fact told of; None where it told of none."""
    acts: dict[int, Act] = state.round.acts
    return acts.get(fact.seq)


def of_acts(rule: str, group: str = "", rank: int = 0) -> Callable[[Looks[Act]], LateCheck[Act]]:
    """Mark a late check of acts."""
    return about(act_of, rule, group, rank)


def about(
    subject: Callable[[VileState, Reading], About | None], rule: str, group: str, rank: int
) -> Callable[[Looks[About]], LateCheck[About]]:
    """Mark a late check of what is looked up of an act."""
    return check(rule, on=TELLING, group=group, rank=rank, subject=subject)


# ---------------------------------------------------------------- the slot that an act was told in


class Misplaced:
    """An act that was told in another slot than the one that it belongs in."""

    def __init__(self, state: VileState, act: Act, slot: Derived[str]) -> None:
        self.state, self.act, self.told, self.belongs, self.because = state, act, act.slot, slot.value, slot.because
        self.slots, self.kind, self.first, self.is_late = (
            (act.slot, slot.value),
            act.kind,
            act.routine == 1,
            act.delayed > 0,
        )
        row = row_of(state, act)
        self.minor, self.delays = row.weight == "minor", row.type == "delaying"
        self.became_complex = self.belongs == "GL" and self.is_late and act.kind != "complex"
        self.has_delayed, self.waits = act.delayed in state.round.acts and not self.minor, act.who in state.round.waits
        self.halves = half_of(self.told), half_of(self.belongs)
        self.in_low, self.in_high = self.halves == ("H", "L"), self.halves == ("L", "H")
        self.elsewhere = self.halves[0] not in ("", self.halves[1])
        self.is_fast = self.belongs in LETTERS

    def breach(self, says: str) -> Breach:
        """Return the breach, with the slot expected and the one found."""
        text = f"{says.format(who=self.act.who)}: {self.belongs}, not {self.told}"
        return Breach(text, self.belongs, self.told, self.because.flat(lambda each: not is_told(each)).events)


def misplaced_act(state: VileState, fact: Reading) -> Misplaced | None:
    """Return how the act that a fact told of was misplaced; None where it was not."""
    act = act_of(state, fact)
    return misplaced(state, act) if act else None


@remembered
def misplaced(state: VileState, act: Act) -> Misplaced | None:
    """Return how an act was misplaced; None where it was not, where it has no place, or nobody said in which it was told."""
    found = slot_of(state, act)
    if not act.slot or found.value in ("", act.slot) or row_of(state, act).slot == "trigger":
        return None
    if is_unknown(state, act):
        return None  # what is wrong is the word
    first = leader(state, act)
    if first.seq != act.seq and first.slot == act.slot:
        return None  # what is wrong is that act
    if act.kind == "move" and any(each.slot == act.slot for each in other_major(state, act)):
        return None  # what is wrong with it is that there are two major actions
    return None if act.routine > routines(state, act.who) else Misplaced(state, act, found)


OUT_OF_PLACE = by_first_reason(
    misplaced_act,
    TELLING,
    "place",
    1,
    ("fast.go-first", "{who} goes first", lambda it: it.belongs == "GF"),
    ("fast.letter-order", "this has another slot", lambda it: it.is_fast and steps()[it.told] <= 3),
    ("delayed.fast-unaffected", "fast actions are as fast for the delayed", lambda it: it.is_fast and it.is_late),
    ("fast.before-group-actions", "fast actions come in step 3", lambda it: it.is_fast),
    ("multi.first-routine", "the primary routine of {who} has its slot", lambda it: it.first and "M1" in it.slots),
    ("multi.remaining-routines", "further routines come after all groups", lambda it: it.belongs == "M2"),
    ("spell.after-attacks", "spells take effect after all attacks", lambda it: it.belongs == "E"),
    (
        "invocation.one-segment-slot",
        "an invocation of one segment does not wait",
        lambda it: it.kind == "invocation" and it.told == "E",
    ),
    ("delayed.delaying-becomes-complex", "for {who}, who is delayed, this is complex", lambda it: it.became_complex),
    ("complex.goes-last", "complex work completes among those who go last", lambda it: it.belongs == "GL"),
    (
        "delaying.within-attack",
        "what delays within an attack goes with it",
        lambda it: it.delays and it.kind == "attack",
    ),
    ("delaying.only-in-low", "delaying activities are done in LOW", lambda it: it.delays),
    ("delay.high-waits-for-low", "{who} has delayed and waits for LOW", lambda it: it.in_low and it.has_delayed),
    (
        "delay.minors-in-own-initiative",
        "minor actions are done in one's own initiative",
        lambda it: it.elsewhere and it.minor,
    ),
    ("delayed.always-low", "{who} is delayed and so in LOW", lambda it: it.in_low and it.is_late),
    ("delay.declared-acts-low", "{who} declared a delay and acts in LOW", lambda it: it.in_low and it.waits),
    ("delaying.only-in-low", "{who} does delaying work and acts in LOW", lambda it: it.in_low and it.act.low != ()),
    (
        "delay.gives-delayed",
        "{who} is delayed no more",
        lambda it: it.in_high and has_delayed_before(it.state, it.act.who),
    ),
    (
        "initiative.tie-both-high",
        "the dice are equal, so {who} acts in HIGH",
        lambda it: it.in_high and is_tie(it.state),
    ),
    ("initiative.high-and-low", "the dice put {who} elsewhere", lambda it: it.elsewhere),
    ("innate.in-d1", "innate abilities come first", lambda it: it.kind == "innate"),
    ("minor.alone-in-d4", "an activity by itself comes in D4", lambda it: it.minor and not it.told.endswith(".D1")),
    ("group.phase-order", "this has another slot", lambda it: it.halves[0] != ""),
    ("round.step-order", "this has another slot", lambda _: True),
)
"""Why an act was told in another slot than its own: by the first of these rules that is a reason."""


@of_acts("delaying.within-attack", "place", 11)
def loading_is_part_of_the_shot(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    said = set(words(act.action.name or ""))
    shots = [each for each in others(state, act) if has_delaying(state, each) and each.slot != act.slot]
    shots = [each for each in shots if set(words(each.action.name or "")) <= said]
    if act.kind != "delaying" or not shots:
        return None
    slot = slot_of(state, shots[0]).value
    return Breach(f"this is part of the attack in {slot}, not of {act.slot}", slot, act.slot, (shots[0].seq,))


@of_acts("delaying.only-in-low", "place", 11)
def delaying_work_does_not_follow_on_high(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    acted = [each for each in others(state, act) if each.kind not in QUIET and each.action.cost not in REACTIONS]
    high = [each for each in acted if each.slot.startswith("H.") and state.precedes(each.seq, act.seq)]
    if row_of(state, act).type != "delaying" or not high:
        return None
    return Breach(f"{act.who} has acted in HIGH already", "all of the round in LOW", high[0].slot, (high[0].seq,))


# ---------------------------------------------------------------- the order of telling


@of_acts("fast.go-first", "place", 30)
def going_first_has_its_place_among_the_letters(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    other = go_first_faults(state).get(act.seq)
    if other is None:
        return None
    return Breach(f"GF and {other.slot} are told the wrong way round", "the other way round", "this", (other.seq,))


def latecomer(state: VileState, fact: Reading) -> Late | None:
    """Return how the act that a fact told of came after one of a later slot; None where it did not."""
    return latecomers(state).get(fact.seq)


AFTER = "{own} is told after {other}"
OUT_OF_SEQUENCE = by_first_reason(
    latecomer,
    TELLING,
    "place",
    31,
    ("fast.go-first", AFTER, lambda late: late.slot == "GF"),
    ("fast.letter-order", AFTER, lambda late: late.steps == (3, 3)),
    ("fast.before-group-actions", AFTER, lambda late: late.steps[0] == 3),
    ("complex.goes-last", AFTER, lambda late: late.steps == (7, 7)),
    ("initiative.tie-by-action-type", AFTER, lambda late: late.halves == ("H", "H") and late.are_opponents),
    ("group.phase-order", AFTER, lambda late: late.steps == (5, 5) and late.halves[0] == late.halves[1]),
    ("group.high-before-low", AFTER, lambda late: late.steps == (5, 5)),
    ("round.step-order", AFTER, lambda _: True),
)
"""Why an act was told too late: by the first of these rules that is a reason."""


@of_acts("delay.only-in-group-actions", "place", 40)
def a_delay_is_announced_in_step_five(_state: VileState, _fact: Reading, act: Act) -> Breach | None:
    if act.kind != "delay" or steps().get(act.slot, 5) in (1, 2, 5):
        return None
    return Breach(f"{act.who} delays in {act.slot}, which is not in step 5", "D1 to D4", act.slot, (act.seq,))


# ---------------------------------------------------------------- within a slot


class Early:
    """An act that was told before one of its slot that should have come first: by which part of the key."""

    def __init__(self, state: VileState, act: Act, other: Act, part: str) -> None:
        self.state, self.act, self.other, self.part = state, act, other, part
        self.slot = slot_of(state, act).value
        self.by_speed = part == "speed"

    def is_slowed(self, rule: str) -> bool:
        """Say whether this rule is a reason of the speed by which the act should have waited."""
        return self.by_speed and rule in speed_of(self.state, self.act).because.rules

    def breach(self, says: str) -> Breach:
        """Return the breach, with the speeds of both."""
        own, speed = speed_of(self.state, self.act).value, speed_of(self.state, self.other).value
        text = f"{self.act.who} before {self.other.who}: {says.format(own=own, speed=speed)}"
        events = (self.act.delayed, self.other.seq) if self.part == "delayed" else (self.other.seq,)
        return Breach(text, f"after {self.other.who}", "before", events)


def early_act(state: VileState, fact: Reading) -> Early | None:
    """Return how the act that a fact told of came before one of its slot that should have come first, if it did."""
    found = slot_faults(state).get(fact.seq)
    return Early(state, *found) if found else None


SPEED = "the lower speed comes first, {speed} before {own}"
HIGH_FIRST = "among these HIGH comes before LOW"
OUT_OF_TURN = by_first_reason(
    early_act,
    TELLING,
    "tie",
    1,
    ("delayed.loses-ties", "the delayed lose ties", lambda it: it.part == "delayed"),
    ("delay.declared-no-condition", SPEED, lambda it: it.by_speed and it.other.who in it.state.round.waits),
    ("delaying.one-segment-then-major", SPEED, lambda it: it.is_slowed("delaying.one-segment-then-major")),
    ("simple.sheathe-draw-attack", SPEED, lambda it: it.is_slowed("simple.sheathe-draw-attack")),
    (
        "minor.raises-weapon-speed",
        SPEED,
        lambda it: it.by_speed and minors(it.state, it.act.who, it.act.seq).value != (),
    ),
    ("initiative.tie-by-weapon-speed", SPEED, lambda it: it.by_speed),
    (
        "delayed.fast-unaffected",
        "fast actions go by the dice of the group",
        lambda it: it.slot in LETTERS and bool(it.other.delayed),
    ),
    (
        "delayed.spells-low-no-auto-loss",
        "for spells the delayed are LOW",
        lambda it: it.slot == "E" and bool(it.act.delayed),
    ),
    ("fast.letter-order", HIGH_FIRST, lambda it: it.slot in LETTERS),
    ("multi.first-routine", HIGH_FIRST, lambda it: it.slot == "M1"),
    ("multi.remaining-routines", HIGH_FIRST, lambda it: it.slot == "M2"),
    ("spell.initiative-order", "spells go by segments, then HIGH before LOW", lambda it: it.slot == "E"),
    ("complex.goes-last", HIGH_FIRST, lambda it: it.slot == "GL"),
)
"""Why an act was told too early within its slot: by the first of these rules that is a reason."""
