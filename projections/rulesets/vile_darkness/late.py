"""Late checks of acts: where they stand in the round, in which order they were told, what they use up.

They look at the acts of a round once it is over, or the log ends: a blow that follows makes a minor part of it, a minor
that follows slows the blow. Of the checks of one group only the first by rank that finds something reports.
"""

from collections.abc import Callable, Container
from functools import wraps

from projections.because import Because
from projections.mechanics.grants import words
from projections.rulesets.ruleset import Breach, Check, check
from projections.rulesets.vile_darkness.initiative import is_tie
from projections.rulesets.vile_darkness.memo import remembered
from projections.rulesets.vile_darkness.place import slot_of, speed_of
from projections.rulesets.vile_darkness.reading import Reading
from projections.rulesets.vile_darkness.sequence import Late, go_first_faults, half_of, latecomers, slot_faults
from projections.rulesets.vile_darkness.state import Act, VileState, is_told
from projections.rulesets.vile_darkness.table import (
    QUIET,
    REACTIONS,
    has_delaying,
    others,
    routines,
    row_of,
    steps,
)
from projections.rulesets.vile_darkness.told import TELLING
from projections.rulesets.vile_darkness.works import minors

Looks = Callable[[VileState, Reading, Act], Breach | None]
LateCheck = Check[[VileState, Reading]]


def of_acts(rule: str, group: str = "", rank: int = 0) -> Callable[[Looks], LateCheck]:
    """Mark a late check of acts."""

    def mark(function: Looks) -> LateCheck:
        @wraps(function)
        def looks(state: VileState, fact: Reading) -> Breach | None:
            act = state.round.acts.get(fact.seq)
            return function(state, fact, act) if act else None

        return check(rule, on=TELLING, group=group, rank=rank)(looks)

    return mark


# ---------------------------------------------------------------- the slot that an act was told in


class Misplaced:
    """An act that was told in another slot than the one that it belongs in."""

    def __init__(self, act: Act, belongs: str, because: Because) -> None:
        self.act, self.told, self.belongs, self.because = act, act.slot, belongs, because

    @property
    def halves(self) -> tuple[str, str]:
        """The halves of the round in which it was told and belongs; "" outside step five."""
        return half_of(self.told), half_of(self.belongs)

    def breach(self, says: str) -> Breach:
        """Return the breach, with the slot expected and the one found."""
        text = says.format(who=self.act.who, told=self.told, belongs=self.belongs)
        return Breach(text, self.belongs, self.told, self.because.flat(lambda each: not is_told(each)).events)


@remembered
def misplaced(state: VileState, act: Act) -> Misplaced | None:
    """Return how an act was misplaced; None where it was not, where it has no place, or nobody said in which it was told."""
    found = slot_of(state, act)
    if (
        not act.slot
        or not found.value
        or act.slot == found.value
        or row_of(state, act).slot == "trigger"
        or act.routine > routines(state, act.who)
    ):
        return None
    return Misplaced(act, found.value, found.because)


def of_places(rule: str, rank: int, says: str) -> Callable[[Callable[[VileState, Misplaced], bool]], LateCheck]:
    """Mark a check of acts that were told in another slot than their own: a predicate that says whether this rule is why."""

    def mark(function: Callable[[VileState, Misplaced], bool]) -> LateCheck:
        @wraps(function)
        def looks(state: VileState, _fact: Reading, act: Act) -> Breach | None:
            found = misplaced(state, act)
            return found.breach(says) if found and function(state, found) else None

        return of_acts(rule, "place", rank)(looks)

    return mark


def of_slots(rule: str, rank: int, says: str, *slots: str) -> LateCheck:
    """Return the check of acts that belong in one of these slots and were told in another."""

    @of_places(rule, rank, says)
    def belongs_there(_state: VileState, found: Misplaced) -> bool:
        return found.belongs in slots

    return belongs_there


goes_first = of_slots("fast.go-first", 1, "{who} goes first: {belongs}, not {told}", "GF")
fast = of_slots("fast.before-group-actions", 4, "fast actions come in step 3: {belongs}, not {told}", "A", "B", "C")
later_routines = of_slots("multi.remaining-routines", 6, "further routines belong in {belongs}, not in {told}", "M2")
spells = of_slots("spell.after-attacks", 7, "spells take effect in {belongs}, not in {told}", "E")
goes_last = of_slots("complex.goes-last", 10, "complex work completes in {belongs}, not in {told}", "GL")


@of_places("fast.letter-order", 2, "this belongs in {belongs}, not in {told}")
def fast_actions_have_their_letter(_state: VileState, found: Misplaced) -> bool:
    return found.belongs in ("A", "B", "C") and steps()[found.told] <= 3


@of_places("delayed.fast-unaffected", 3, "fast actions are as fast for the delayed: {belongs}, not {told}")
def fast_actions_ignore_the_condition(_state: VileState, found: Misplaced) -> bool:
    return found.belongs in ("A", "B", "C") and bool(found.act.delayed)


@of_places("multi.first-routine", 5, "the primary routine of {who} belongs in {belongs}, not in {told}")
def the_first_routine_has_its_slot(_state: VileState, found: Misplaced) -> bool:
    return found.act.routine == 1 and "M1" in (found.belongs, found.told)


@of_places("invocation.one-segment-slot", 8, "an invocation of one segment belongs in {belongs}, not in {told}")
def short_invocations_do_not_wait(_state: VileState, found: Misplaced) -> bool:
    return found.act.kind == "invocation" and found.told == "E"


@of_places("delayed.delaying-becomes-complex", 9, "for {who}, who is delayed, this is complex: {belongs}, not {told}")
def delaying_work_of_the_delayed_goes_last(_state: VileState, found: Misplaced) -> bool:
    return found.belongs == "GL" and found.act.kind != "complex" and bool(found.act.delayed)


@of_places("delaying.within-attack", 11, "a delaying activity within an attack belongs in {belongs}, not in {told}")
def delaying_work_goes_with_its_attack(_state: VileState, found: Misplaced) -> bool:
    return found.act.kind == "attack" and row_of(_state, found.act).type == "delaying"


@of_acts("delaying.within-attack", "place", 11)
def loading_is_part_of_the_shot(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    said = set(words(act.action.name or ""))
    shots = [each for each in others(state, act) if has_delaying(state, each) and each.slot != act.slot]
    shots = [each for each in shots if set(words(each.action.name or "")) <= said]
    if act.kind != "delaying" or not shots:
        return None
    slot = slot_of(state, shots[0]).value
    return Breach(f"this is part of the attack in {slot}, not of {act.slot}", slot, act.slot, (shots[0].seq,))


@of_acts("delaying.only-in-low", "place", 12)
def delaying_work_does_not_follow_on_high(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    acted = [each for each in others(state, act) if each.kind not in QUIET and each.action.cost not in REACTIONS]
    high = [each for each in acted if each.slot.startswith("H.") and state.precedes(each.seq, act.seq)]
    if row_of(state, act).type != "delaying" or not high:
        return None
    return Breach(f"{act.who} has acted in HIGH already", "all of the round in LOW", high[0].slot, (high[0].seq,))


@of_places("delaying.only-in-low", 12, "delaying activities are done in LOW: {belongs}, not {told}")
def delaying_work_is_done_in_low(state: VileState, found: Misplaced) -> bool:
    return row_of(state, found.act).type == "delaying"


@of_places("delay.high-waits-for-low", 13, "{who} has delayed and waits for LOW: {belongs}, not {told}")
def who_delays_waits_for_low(state: VileState, found: Misplaced) -> bool:
    announced = found.act.delayed in state.round.acts
    return found.halves == ("H", "L") and announced and row_of(state, found.act).weight != "minor"


@of_places(
    "delay.minors-in-own-initiative", 14, "minor actions are done in one's own initiative: {belongs}, not {told}"
)
def minors_stay_in_their_initiative(state: VileState, found: Misplaced) -> bool:
    told, own = found.halves
    return bool(told and told != own) and row_of(state, found.act).weight == "minor"


@of_places("delayed.always-low", 15, "{who} is delayed and so in LOW: {belongs}, not {told}")
def the_delayed_act_in_low(_state: VileState, found: Misplaced) -> bool:
    return found.halves == ("H", "L") and bool(found.act.delayed)


@of_places("delay.declared-acts-low", 16, "{who} declared a delay and acts in LOW: {belongs}, not {told}")
def a_declared_delay_puts_in_low(state: VileState, found: Misplaced) -> bool:
    return found.halves == ("H", "L") and found.act.who in state.round.waits


@of_places("delaying.only-in-low", 17, "{who} does delaying work and acts in LOW: {belongs}, not {told}")
def delaying_work_puts_in_low(_state: VileState, found: Misplaced) -> bool:
    return found.halves == ("H", "L") and bool(found.act.low)


@of_places("delay.gives-delayed", 17, "{who} is delayed no more: {belongs}, not {told}")
def the_condition_is_over(state: VileState, found: Misplaced) -> bool:
    before = state.last.acts_of.get(found.act.who, ())
    return found.halves == ("L", "H") and any(each.kind == "delay" for each in before)


@of_places("initiative.tie-both-high", 18, "the dice are equal, so {who} acts in HIGH: {belongs}, not {told}")
def a_tie_puts_both_in_high(state: VileState, found: Misplaced) -> bool:
    return found.halves == ("L", "H") and is_tie(state)


@of_places("initiative.high-and-low", 18, "the dice put {who} in {belongs}, not in {told}")
def the_dice_sort_the_groups(_state: VileState, found: Misplaced) -> bool:
    told, own = found.halves
    return bool(told and told != own)


@of_places("innate.in-d1", 19, "innate abilities come first: {belongs}, not {told}")
def innate_abilities_come_first(_state: VileState, found: Misplaced) -> bool:
    return found.act.kind == "innate"


@of_places("minor.alone-in-d4", 20, "an activity by itself belongs in {belongs}, not in {told}")
def lone_activities_come_in_d4(state: VileState, found: Misplaced) -> bool:
    alone = row_of(state, found.act).weight == "minor"
    return alone and not found.told.endswith(".D1")


@of_places("group.phase-order", 21, "this belongs in {belongs}, not in {told}")
def actions_have_their_phase(_state: VileState, found: Misplaced) -> bool:
    return bool(found.halves[0])


@of_places("round.step-order", 22, "this belongs in {belongs}, not in {told}")
def everything_has_its_step(_state: VileState, _found: Misplaced) -> bool:
    return True


# ---------------------------------------------------------------- the order of telling


def of_sequence(rule: str, rank: int, says: str) -> Callable[[Callable[[VileState, Late], bool]], LateCheck]:
    """Mark a check of acts that were told after one of a later slot: a predicate that says whether this rule is why."""

    def mark(function: Callable[[VileState, Late], bool]) -> LateCheck:
        @wraps(function)
        def looks(state: VileState, _fact: Reading, act: Act) -> Breach | None:
            late = latecomers(state).get(act.seq)
            if late is None or not function(state, late):
                return None
            text = says.format(own=late.slot, other=late.before)
            return Breach(text, f"before {late.before}", "after it", late.above)

        return of_acts(rule, "place", rank)(looks)

    return mark


@of_acts("fast.go-first", "place", 30)
def going_first_has_its_place_among_the_letters(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    other = go_first_faults(state).get(act.seq)
    if other is None:
        return None
    return Breach(f"GF and {other.slot} are told the wrong way round", "the other way round", "this", (other.seq,))


@of_sequence("fast.go-first", 31, "{own} is told after {other}")
def going_first_is_not_told_late(_state: VileState, late: Late) -> bool:
    return late.slot == "GF"


def of_steps(rule: str, rank: int, own: Container[int], other: Container[int]) -> LateCheck:
    """Return the check of acts of these steps of the round that were told after one of those."""

    @of_sequence(rule, rank, "{own} is told after {other}")
    def comes_late(_state: VileState, late: Late) -> bool:
        return late.steps[0] in own and late.steps[1] in other

    return comes_late


EVERY = range(1, 9)
letters_follow_each_other = of_steps("fast.letter-order", 31, (3,), (3,))
fast_actions_are_not_told_late = of_steps("fast.before-group-actions", 32, (3,), EVERY)
going_last_comes_after_spells = of_steps("complex.goes-last", 33, (7,), (7,))
high_comes_before_low = of_steps("group.high-before-low", 36, (5,), (5,))
steps_follow_each_other = of_steps("round.step-order", 37, EVERY, EVERY)


@of_sequence("initiative.tie-by-action-type", 34, "both are HIGH: {own} comes before {other}")
def in_a_tie_the_action_type_decides(_state: VileState, late: Late) -> bool:
    return half_of(late.slot) == half_of(late.before) == "H" and late.are_opponents


@of_sequence("group.phase-order", 35, "{own} is told after {other}")
def phases_follow_each_other(_state: VileState, late: Late) -> bool:
    return late.steps == (5, 5) and half_of(late.slot) == half_of(late.before)


@of_acts("delay.only-in-group-actions", "place", 38)
def a_delay_is_announced_in_step_five(_state: VileState, _fact: Reading, act: Act) -> Breach | None:
    if act.kind != "delay" or steps().get(act.slot, 5) in (1, 2, 5):
        return None
    return Breach(f"{act.who} delays in {act.slot}, which is not in step 5", "D1 to D4", act.slot, (act.seq,))


# ---------------------------------------------------------------- within a slot


@of_acts("delayed.loses-ties", "tie", 1)
def the_delayed_lose_ties(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    other, why = slot_faults(state).get(act.seq, (act, ""))
    if why != "delayed":
        return None
    says = f"{act.who} is delayed and acts before {other.who}, who is not"
    return Breach(says, f"after {other.who}", "before", (act.delayed, other.seq))


@of_acts("delay.declared-no-condition", "tie", 2)
def a_declared_delay_loses_no_tie(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    other, _ = slot_faults(state).get(act.seq, (act, ""))
    return _too_fast(state, act) if other.who in state.round.waits else None


@of_acts("minor.raises-weapon-speed", "tie", 5)
def minors_slow_a_blow(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    return _too_fast(state, act) if minors(state, act.who, act.seq).value else None


@of_acts("initiative.tie-by-weapon-speed", "tie", 6)
def the_lower_speed_strikes_first(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    return _too_fast(state, act)


def _too_fast(state: VileState, act: Act) -> Breach | None:
    """Return the breach of a blow that was told too early for its speed."""
    other, why = slot_faults(state).get(act.seq, (act, ""))
    if why != "speed":
        return None
    own, speed = speed_of(state, act).value, speed_of(state, other).value
    says = f"{act.who} strikes with speed {own} before {other.who} with {speed}"
    return Breach(says, f"after {other.who}", "before", (other.seq,))


def of_speeds(rule: str, rank: int) -> LateCheck:
    """Return the check of blows told too early for a speed that this rule is a reason of."""

    @of_acts(rule, "tie", rank)
    def is_slowed(state: VileState, _fact: Reading, act: Act) -> Breach | None:
        return _too_fast(state, act) if rule in speed_of(state, act).because.rules else None

    return is_slowed


delaying_work_slows_a_blow = of_speeds("delaying.one-segment-then-major", 3)
sheathing_slows_a_blow = of_speeds("simple.sheathe-draw-attack", 4)


def of_order(
    rule: str, says: str, *slots: str, rank: int = 9, among: Callable[[Act, Act], int] = lambda _act, _other: 1
) -> LateCheck:
    """Return the check of acts told too early in one of these slots, by dice or segments: of all, or among some."""

    @of_acts(rule, "tie", rank)
    def comes_early(state: VileState, _fact: Reading, act: Act) -> Breach | None:
        other, why = slot_faults(state).get(act.seq, (act, ""))
        if why not in ("lead", "segment", "low") or slot_of(state, act).value not in slots or not among(act, other):
            return None
        return Breach(f"{act.who} before {other.who}: {says}", f"after {other.who}", "before", (other.seq,))

    return comes_early


the_delayed_are_as_fast = of_order(
    "delayed.fast-unaffected",
    "fast actions go by the dice of the group, delayed or not",
    *("A", "B", "C"),
    rank=7,
    among=lambda _act, other: other.delayed,
)
spells_of_the_delayed = of_order(
    "delayed.spells-low-no-auto-loss",
    "for spells the delayed are LOW",
    "E",
    rank=7,
    among=lambda act, _other: act.delayed,
)
letters = of_order("fast.letter-order", "within a letter HIGH comes before LOW", "A", "B", "C")
first_routines = of_order("multi.first-routine", "among first routines HIGH comes before LOW", "M1")
routines_after = of_order("multi.remaining-routines", "among remaining routines HIGH comes before LOW", "M2")
spells_in_order = of_order("spell.initiative-order", "spells go by their segments, then HIGH before LOW", "E")
last_in_order = of_order("complex.goes-last", "among those who go last HIGH comes before LOW", "GL")
