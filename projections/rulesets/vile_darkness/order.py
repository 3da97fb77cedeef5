"""The order of a round: each combatant's major action, the slots with acts done and due, the recorded order; late checks of it."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import structs

from eventstore.events import ActionTaken, Fact
from eventstore.shapes import Action
from projections.because import NOTHING_CITED, Because, Cites, Derived
from projections.fight import Combatant, Slot
from projections.folds import vitals
from projections.folds.side_dice import sides_without_die
from projections.mechanics.grants import words_of
from projections.mechanics.memo import memoize
from projections.mechanics.work import BEGUN, SPOILED
from projections.ruleset.faults import Fault, checks_by, first_reason
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.vile_darkness import initiative, place, table, works
from projections.rulesets.vile_darkness.reading import OF_ACTS, Reading
from projections.rulesets.vile_darkness.state import LOW, Casting, Key, VileAct, VileState, cited_records
from projections.rulesets.vile_darkness.table import LETTERS, fault_clauses, routine_of, row_of, steps, why_row
from projections.scheduling.ladder_schedule import LadderPlace, groups_of, places_of, slots_of


@derives("major.one-per-round")
@memoize
def major_uses(state: VileState, who: str, before: int = 0) -> list[int]:
    """Return the records that use a combatant's major action in this round, or only those `before` a record."""
    works = [each.second or each.seq for each in state.works_of.get(who, ()) if _uses_major_action(state, each).value]
    acts = [each for each in state.round.acts_of.get(who, ()) if not each.work]
    majors = [each.seq for each in acts if row_of(state, each).weight == "major" or is_forfeit(state, each)]
    return sorted({seq for seq in (*works, *majors) if not before or state.precedes(seq, before)}, key=state.place_of)


@derives("time.over-ten-carries-over")
def _uses_major_action(state: VileState, work: Casting) -> Derived[bool]:
    """Return whether work uses the major action of this round: in each round that it spans, by option in the first."""
    if works.due_at(state, work).value.round < state.clock.round:
        return Derived(False, works.lengthening_minors(state, work).because)
    stands, later = works.status(state, work), work.round < state.clock.round
    first = later and state.option("carried-over") == "spends-first"
    return Derived(not first and works.spans_round(state, work), Because((), (), (stands, works.window(state, work))))


@derives("delay.low-forfeits-major")
def is_forfeit(state: VileState, act: VileAct) -> bool:
    """Return whether an act is a delay that costs the major action: one announced by a combatant in LOW."""
    return act.kind == "delay" and act.slot not in ("DECLARE", "ROLL") and initiative.half_then(state, act).value == LOW


def forfeiting_delay(state: VileState, who: str) -> VileAct | None:
    """Return the delay that cost a combatant's major action; None if anything else has used it."""
    used = [state.round.acts.get(seq) for seq in major_uses(state, who)]
    delays = [each for each in used if each and is_forfeit(state, each)]
    return delays[0] if delays and len(delays) == len(used) else None


LEAVING = {
    "simple": "simple.one-segment-minor",
    "free-attack": "free.leaves-other-actions",
    "immediate": "immediate.leaves-other-actions",
    "immediate-attack": "immediate-attack.needs-major",
}
"""The rules on the major action beside acts of these kinds and costs."""


@derives(*LEAVING.values())
@memoize
def majors_left(state: VileState, one: Combatant) -> Derived[int]:
    """Return the major actions that a combatant has left in this round."""
    used = major_uses(state, one.id)
    acts = state.round.acts_of.get(one.id, ())
    kinds = {each.kind for each in acts if each.kind != "simple" or each.seq in used}
    rules = [rule for word, rule in LEAVING.items() if word in kinds | {each.action.cost for each in acts}]
    rules += is_forfeit.rules if any(is_forfeit(state, each) for each in acts) else ()
    delays = tuple(initiative.half_then(state, each) for each in acts if each.kind == "delay")
    begun = tuple(_uses_major_action(state, each) for each in state.works_of.get(one.id, ()))
    rows = [why_row(state, each) for each in acts]
    back = NOTHING_CITED if used else works.taken_back(state, one.id, *table.LASTING)
    of: tuple[Cites, ...] = (cited_records(*used, state.round.opened), back, *rows, *delays, *begun)
    return Derived(0 if used else 1, Because((*rules, *major_uses.rules), (one.joined,), of))


@memoize
def placed_acts(state: VileState) -> list[VileAct]:
    """Return the acts of the round with a place in its order, in the order of the log."""
    return [each for each in state.round.acts.values() if _has_place(state, each)]


def _has_place(state: VileState, act: VileAct) -> bool:
    """Return whether an act has a place of its own: no immediate act, delay, reaction, later part of a routine."""
    first = routine_of(state, act)[0]
    is_part = first is not act and place.act_slot(state, first).value == place.act_slot(state, act).value
    return act.kind not in ("immediate", "delay") and row_of(state, act).slot != "trigger" and not is_part


@memoize
def expected_acts(state: VileState) -> list[VileAct]:
    """Return the expected acts of combatants who have not acted yet."""
    found = [act for one in state.here() for _, act in acts_to_come(state, one) if not act.work]
    return [act for act in found if not has_slot_passed(state, act)]


Ranked = tuple[tuple[int, ...], VileAct]
"""An act with its rank among acts of equal keys: whether it is to come, whether it is only expected, its record."""


def acts_to_come(state: VileState, one: Combatant) -> Iterator[Ranked]:
    """Yield the acts of a combatant that are still to come or were missed."""
    if not state.clock.open or state.closed:
        return
    for work in state.works_of.get(one.id, ()):
        if _is_due(state, work):
            yield (True, False, *state.place_of(work.seq)), place.work_act(state, one, work)
    if one.status != "out":
        yield from [((True, True), each) for each in (*expected_if_idle(state, one), *routines_left(state, one))]


@derives("multi.remaining-routines")
def routines_left(state: VileState, one: Combatant) -> list[VileAct]:
    """Return the remaining routines of a multi-attacker who has begun."""
    done = max([each.routine for each in state.round.acts_of.get(one.id, ())], default=0)
    rest = range(done + 1, table.routine_count(state, one.id) + 1) if done else ()
    action = Action(kind="attack")
    return [structs.replace(place.expected_act(state, one), action=action, routine=each) for each in rest]


def expected_if_idle(state: VileState, one: Combatant) -> list[VileAct]:
    """Return the expected act of a combatant who has the major action left."""
    return [] if major_uses(state, one.id) else [place.expected_act(state, one)]


def has_slot_passed(state: VileState, act: VileAct) -> bool:
    """Return whether play has passed the last slot in which an expected act could come."""
    last, names = last_slot(state, act), table.slot_names(state)
    return bool(last) and state.clock.phase in names and names.index(state.clock.phase) > names.index(last)


def last_slot(state: VileState, act: VileAct) -> str:
    """Return the last slot in which an expected act can come: D4 of its half, else its own slot; "" where it is unknown."""
    slot = place.act_slot(state, act).value
    return f"{slot[0]}.D4" if place.slot_phase(slot) else slot


def _is_due(state: VileState, work: Casting) -> bool:
    """Return whether work has a place of its own: it completes in this round, or would have if it were unbroken."""
    has_row = any(each.work == work.seq for each in state.round.acts_of.get(work.who, ()))
    stands = works.status(state, work).value in (BEGUN, SPOILED) and works.is_of_round(state, work)
    return stands and not has_row and works.due_at(state, work).value.round == state.clock.round


@derives("round.step-order", "group.high-before-low")
def order_of_slots(state: VileState) -> tuple[Slot, ...]:
    """Return the order of the round; combatants with equal keys act simultaneously."""
    groups = groups_of(state, places_of(state))
    return slots_of(("round.step-order",), groups, lambda who: majors_left(state, state.combatants[who]))


def places(state: VileState, one: Combatant) -> list[LadderPlace]:
    """Return the places of a combatant in the order of the round."""
    acts = [each for each in state.round.acts_of.get(one.id, ()) if _has_place(state, each)]
    done: list[Ranked] = [((False, False, *state.place_of(each.seq)), each) for each in acts]
    return [] if one.left else [_own_place(state, act, rank) for rank, act in (*done, *acts_to_come(state, one))]


def _own_place(state: VileState, act: VileAct, rank: tuple[int, ...]) -> LadderPlace:
    key = place.act_key(state, act)
    slot = place.act_slot(state, act).value
    shared = place.blow_speed(state, act).value is None
    with_high = Key(state.clock.round, place.slot_stage(state, "H"))  # where an act comes that waits for dice
    due = None if act.seq or act.work else key.value or with_high
    last = "" if due is None else last_slot(state, act)
    because = Because(of=(key, works.taken_back(state, act.combatant, *table.LASTING)))
    return LadderPlace(act.combatant, key.value, rank, last, shared, because, slot, due)


def common_inputs(state: VileState) -> tuple[object, ...]:
    """Return the inputs of all places: dice, rolling groups, multi-attackers in melee at step four, rulings."""
    round_ = state.round
    dice = tuple(round_.dice.items())
    return round_.opened, state.closed, initiative.groups(state), dice, table.in_step_four(state), len(state.rulings)


def inputs_of_places(state: VileState, one: Combatant) -> tuple[object, ...]:
    """Return the further inputs of a combatant's places; its side stands for it if rulings and routines allow."""
    who, round_, works = one.id, state.round, state.works_of.get(one.id, ())
    did = *round_.acts_of.get(who, ()), *works, *[one for each in works for one in each.incidents]
    whose = who if state.rulings or one.sheet.routines > 1 else one.side
    said = round_.said.get(who), round_.waits.get(who)
    return whose, did, said, [seq for seq, bearer in state.conditions if bearer == who], one.left, one.status, one.sheet


def why_others_absent(state: VileState) -> Because:
    """Return why others are not in the order: they have acted, their slots have passed, or they are out of the fight."""
    here, statuses = state.here(), map(vitals.status_or_left, state.combatants.values())
    slots = [place.act_slot(state, each) for one in here for each in expected_if_idle(state, one)]
    return Because(of=(*(majors_left(state, one) for one in here), *slots, *statuses, initiative.why_closed(state)))


def words_on_missing_dice(state: VileState) -> tuple[str, ...]:
    """Return sentences that name the dice which the order still lacks."""
    sides = [side for side in initiative.groups(state) if side not in state.round.dice] if state.clock.open else []
    return sides_without_die(sides)


def half_of(slot: str) -> str:
    """Return the half of the round, H or L, of a slot in step five; "" of any other."""
    return slot[:1] * (".D" in slot)


class Late(NamedTuple):
    """An act that was recorded after one of a later slot, with both slots and the records of such acts."""

    slot: str
    before: str
    are_opponents: bool
    above: tuple[int, ...]


def _recorded_slot(state: VileState, act: VileAct) -> str:
    return act.slot or place.act_slot(state, act).value


def _recorded_place(state: VileState, act: VileAct) -> tuple[int, ...] | None:
    """Return the recorded place of an act: stage, rank of its group in LOW, phase."""
    slot = _recorded_slot(state, act)
    stage = place.slot_stage(state, slot)
    lead = (initiative.rank_in_low(state, state.combatants[act.combatant], act).value,) if slot.startswith("L.") else ()
    return (stage, *lead, place.slot_phase(slot)) if stage >= 0 else None


@derives("round.step-order", "group.high-before-low", "group.phase-order", "fast.letter-order")
@memoize
def latecomers(state: VileState) -> dict[int, Late]:
    """Return the acts recorded after one of a later slot, by record, without those that continue from them."""
    found: dict[int, Late] = {}
    placed: list[tuple[tuple[int, ...], VileAct]] = []
    for act in placed_acts(state):
        where = _recorded_place(state, act)
        if where is None:
            continue
        above = [pair for pair in placed if pair[0] > where and not _is_go_first_pair(state, pair[1], act)]
        if above and where < placed[-1][0]:
            before = max(above, key=lambda pair: (pair[0], _are_opponents(state, pair[1], act)))[1]
            ranks = {each.seq: (_recorded_slot(state, each), _are_opponents(state, each, act)) for _, each in above}
            level = tuple(seq for seq, rank in ranks.items() if rank == ranks[before.seq])
            found[act.seq] = Late(_recorded_slot(state, act), *ranks[before.seq], level)
        placed.append((where, act))
    return found


def _are_opponents(state: VileState, act: VileAct, other: VileAct) -> bool:
    return bool(state.combatants[act.combatant].side != state.combatants[other.combatant].side)


def _is_go_first_pair(state: VileState, act: VileAct, other: VileAct) -> bool:
    pair = {_recorded_slot(state, act), _recorded_slot(state, other)}
    return "GF" in pair and not pair.isdisjoint(LETTERS)


@derives("fast.go-first")
@memoize
def misplaced_go_firsts(state: VileState) -> dict[int, VileAct]:
    """Return the acts that go first and are on the wrong side of an act with a letter, each with that act."""
    option, acts = state.option("go-first-place"), placed_acts(state)
    found = dict[int, VileAct]()
    for number, act in enumerate(acts):
        wrong = {"before-parley": acts[:number], "after-charge": acts[number:]}.get(option, [])
        letters = [each for each in wrong if _recorded_slot(state, each) in LETTERS]
        if letters and _recorded_slot(state, act) == "GF":
            found[act.seq] = letters[0]
    return found


@derives("initiative.tie-by-weapon-speed", "delayed.loses-ties", "spell.initiative-order", "fast.letter-order")
@memoize
def early_acts_in_slot(state: VileState) -> dict[int, tuple[VileAct, VileAct, str]]:
    """Return the acts recorded before one that precedes them in their slot, with it and what decides."""
    found, slots = dict[int, tuple[VileAct, VileAct, str]](), dict[tuple[str, str], list[VileAct]]()
    for act in (each for each in placed_acts(state) if place.deciding_act(state, each).seq == each.seq):
        slots.setdefault((place.act_slot(state, act).value, _recorded_slot(state, act)), []).append(act)
    for (slot, _), acts in slots.items():
        for number, act in enumerate(acts if slot else ()):
            for other in acts[number:]:
                if why := _deciding_key_part(state, slot, act, other):
                    found[act.seq] = act, other, why
                    break
    return found


def _deciding_key_part(state: VileState, slot: str, act: VileAct, other: VileAct) -> str:
    """Return the part of the key that puts an act after a later record of the same slot; "" if none does."""
    if not _are_opponents(state, act, other) or "target" in (act.kind, other.kind):
        return ""
    own, key = place.act_key(state, act).value, place.act_key(state, other).value
    fit = act.point.segment in (0, own.segment) and other.point.segment in (0, key.segment)  # type: ignore[union-attr]
    for part in ("delayed",) if place.slot_phase(slot) else ("lead", "segment", "low"):
        if getattr(own, part) > getattr(key, part):
            return part if fit or part not in ("segment", "low") else ""  # a wrong segment is another finding
        if getattr(own, part) < getattr(key, part):
            return ""
    return "speed" if place.may_have_blows(slot) and _is_slower(state, act, other) else ""


def _is_slower(state: VileState, act: VileAct, other: VileAct) -> bool:
    """Return whether an act is slower than another; one without a speed is not, but by option has speed 0."""
    if not all(place.is_ordered_by_speed(state, each.combatant).value for each in (act, other)):
        return False
    own, speed = place.blow_speed(state, act).value, place.blow_speed(state, other).value
    if state.option("no-weapon-speed") == "first":
        speed = speed or 0
    return own is not None and speed is not None and own > speed


def recorded_act(state: VileState, fact: Reading[Fact]) -> VileAct | None:
    """Return the act of the round that a fact records; None if it records none."""
    acts: dict[int, VileAct] = state.round.acts
    return acts.get(fact.seq)


# ---------------------------------------------------------------- the recorded slot of an act


def slot_if_misplaced(state: VileState, act: VileAct) -> Derived[str] | None:
    """Return the slot of an act that was recorded in another one; None if it was not, or if one of them is unknown."""
    found = place.act_slot(state, act)
    if not act.slot or found.value in ("", act.slot) or table.row_of(state, act).slot == "trigger":
        return None
    event = state.moments[act.seq].event
    if act.kind == table.TASK and isinstance(event, ActionTaken) and event.action.plain_kind != table.TASK:
        return None  # no row has its kind, which is reported
    first = place.deciding_act(state, act)
    if first.seq != act.seq and first.slot == act.slot:
        return None  # that act is reported
    if act.kind == "move" and any(each.slot == act.slot for each in table.other_major_acts(state, act)):
        return None  # the second major action is reported
    return None if act.routine > table.routine_count(state, act.combatant) else found


@checks_by(*fault_clauses("place"), on=OF_ACTS, group="place", rank=10)
def acts_are_recorded_in_their_slots(state: VileState, fact: Reading[Fact]) -> Iterator[Fault]:
    """Yield the fault of an act that was recorded in another slot than its own, by the first clause that explains it."""
    act = recorded_act(state, fact)
    if act and (slot := slot_if_misplaced(state, act)):
        rule, says = why_misplaced(state, act, slot.value)
        why = slot.because.flat(lambda one: not (isinstance(one, Derived) and isinstance(one.value, tuple))).events
        yield Fault((rule,), f"{says}: {slot.value}, not {act.slot}", slot.value, act.slot, why)


def why_misplaced(state: VileState, act: VileAct, own: str) -> tuple[str, str]:
    """Return the clause that explains why an act was recorded in another slot than its own, and its words."""
    who, row, there, here = act.combatant, row_of(state, act), half_of(act.slot), half_of(own)
    is_fast, is_minor, is_delaying = own in LETTERS, row.weight == "minor", row.type == "delaying"
    in_low, in_high, is_elsewhere = there + here == "HL", there + here == "LH", there not in ("", here)
    waits_for_low = in_low and act.delayed in state.round.acts and not is_minor
    is_primary, waits = act.routine == 1 and "M1" in (act.slot, own), act.kind == "invocation" and act.slot == "E"
    became_complex = own == "GL" and act.delayed and act.kind != "complex"
    faces = [rolled.face for rolled in state.round.dice.values()]
    loads, level = is_delaying and act.kind == "attack", in_high and len(faces) > 1 and len(set(faces)) == 1
    was_delayed, is_alone = initiative.has_delayed_before(state, who), is_minor and not act.slot.endswith(".D1")
    return first_reason(
        (own == "GF", "fast.go-first", f"{who} goes first"),
        (is_fast and steps()[act.slot] <= 3, "fast.letter-order", "this belongs in another slot"),
        (is_fast and act.delayed, "delayed.fast-unaffected", "a delay does not slow fast actions"),
        (is_fast, "fast.before-group-actions", "fast actions come in step 3"),
        (is_primary, "multi.first-routine", f"{who}'s primary routine has its own slot"),
        (own == "M2", "multi.remaining-routines", "further routines come after all groups"),
        (own == "E", "spell.after-attacks", "spells take effect after all attacks"),
        (waits, "invocation.one-segment-slot", "an invocation of one segment does not wait"),
        (became_complex, "delayed.delaying-becomes-complex", f"for {who}, who is delayed, this is complex"),
        (own == "GL", "complex.goes-last", "complex work completes among those who go last"),
        (loads, "delaying.within-attack", "a delaying activity within an attack goes with it"),
        (is_delaying, "delaying.only-in-low", "delaying activities are done in LOW"),
        (waits_for_low, "delay.high-waits-for-low", f"{who} has delayed, and waits for LOW"),
        (is_elsewhere and is_minor, "delay.minors-in-own-initiative", "a minor action is done in its own initiative"),
        (in_low and act.delayed, "delayed.always-low", f"{who} is delayed, and so in LOW"),
        (in_low and who in state.round.waits, "delay.declared-acts-low", f"{who} declared a delay, and acts in LOW"),
        (in_low and act.low, "delaying.only-in-low", f"{who} does delaying work, and acts in LOW"),
        (in_high and was_delayed, "delay.gives-delayed", f"{who} is no longer delayed"),
        (level, "initiative.tie-both-high", f"the dice are equal, so {who} acts in HIGH"),
        (is_elsewhere, "initiative.high-and-low", f"the dice put {who} in the other group"),
        (act.kind == "innate", "innate.in-d1", "innate abilities come first"),
        (is_alone, "minor.alone-in-d4", "an activity by itself comes in D4"),
        (there, "group.phase-order", "this belongs in another slot"),
        (True, "round.step-order", "this belongs in another slot"),
    )


@checks_by("delaying.within-attack", "delaying.only-in-low", on=OF_ACTS, group="place", rank=8)
def delaying_work_has_its_place(state: VileState, fact: Reading[Fact]) -> Iterator[Fault]:
    """Yield the fault of loading apart from its shot, else of delaying work by a combatant who has acted in HIGH."""
    if (act := recorded_act(state, fact)) is None:
        return
    others, said = table.other_acts(state, act), set(words_of(act.action.name or ""))
    shots = [each for each in others if table.has_delaying(state, each) and each.slot != act.slot]
    shots = [each for each in shots if act.kind == "delaying" and set(words_of(each.action.name or "")) <= said]
    before = [each for each in others if state.precedes(each.seq, act.seq) and each.slot.startswith("H.")]
    high = [each for each in before if each.kind not in table.QUIET and each.action.cost not in table.REACTIONS]
    if shots:
        slot = place.act_slot(state, shots[0]).value
        says = f"this is part of the attack in {slot}, not one in {act.slot}"
        yield Fault(("delaying.within-attack",), says, slot, act.slot, (shots[0].seq,))
    elif high and row_of(state, act).type == "delaying":
        says, due = f"{act.combatant} has acted in HIGH already", "the whole round in LOW"
        yield Fault(("delaying.only-in-low",), says, due, high[0].slot, (high[0].seq,))


# ---------------------------------------------------------------- the order in which acts were recorded


@check("fast.go-first", on=OF_ACTS, group="place", rank=30, subject=recorded_act)
def going_first_has_its_place_among_the_letters(state: VileState, _fact: Reading[Fact], act: VileAct) -> Breach | None:
    other = misplaced_go_firsts(state).get(act.seq)
    if other is None:
        return None
    return Breach(f"GF and {other.slot} are in the wrong order", "the other order", "this one", (other.seq,))


@checks_by(*fault_clauses("sequence"), on=OF_ACTS, group="place", rank=31)
def acts_are_recorded_in_the_order_of_their_slots(state: VileState, fact: Reading[Fact]) -> Iterator[Fault]:
    """Yield the fault of an act that was recorded too late, by the first clause that explains it."""
    if late := latecomers(state).get(fact.seq):
        own, other = steps()[late.slot], steps()[late.before]
        in_step, halves = own if own == other else 0, (half_of(late.slot), half_of(late.before))
        says = f"{late.slot} is recorded after {late.before}"
        reasons = (
            (late.slot == "GF", "fast.go-first"),
            (in_step == 3, "fast.letter-order"),
            (own == 3, "fast.before-group-actions"),
            (in_step == 7, "complex.goes-last"),
            (halves == ("H", "H") and late.are_opponents, "initiative.tie-by-action-type"),
            (in_step == 5 and halves[0] == halves[1], "group.phase-order"),
            (in_step == 5, "group.high-before-low"),
            (True, "round.step-order"),
        )
        rule = next(rule for holds, rule in reasons if holds)
        yield Fault((rule,), says, f"before {late.before}", "after it", late.above)


@check("delay.only-in-group-actions", on=OF_ACTS, group="place", rank=40, subject=recorded_act)
def a_delay_is_announced_in_step_five(_state: VileState, _fact: Reading[Fact], act: VileAct) -> Breach | None:
    if act.kind != "delay" or table.steps().get(act.slot, 5) in (1, 2, 5):
        return None
    return Breach(f"{act.combatant} delays in {act.slot}, which is not in step 5", "D1 to D4", act.slot, (act.seq,))


# ---------------------------------------------------------------- within a slot


@checks_by(*fault_clauses("turn"), on=OF_ACTS, group="tie", rank=1)
def acts_are_recorded_in_their_order_within_a_slot(state: VileState, fact: Reading[Fact]) -> Iterator[Fault]:
    """Yield the fault of an act that was recorded before one that precedes it in its slot, by the first clause that explains it."""
    if (found := early_acts_in_slot(state).get(fact.seq)) is None:
        return
    act, other, part = found
    slot, why = place.act_slot(state, act).value, {other.seq, act.delayed} if part == "delayed" else {other.seq}
    for each in (act, other) if part in ("lead", "low") else ():
        why |= {*place.half_in_slot(state, each, slot).because.flat().events}
    rule, says = why_early(state, act, other, part, slot)
    if rule:
        says = f"{act.combatant} acts before {other.combatant}: {says}"
        yield Fault((rule,), says, f"after {other.combatant}", f"before {other.combatant}", tuple(sorted(why)))


def why_early(state: VileState, act: VileAct, other: VileAct, part: str, slot: str) -> tuple[str, str]:
    """Return the clause by which an act comes after another one in their slot, and its words."""
    own, speed, by_speed = place.blow_speed(state, act), place.blow_speed(state, other).value, part == "speed"
    lower = "no speed" if speed is None else speed
    faster, high_first = f"the lower speed comes first: {lower} before {own.value}", "here HIGH comes before LOW"
    slowed = own.because.rules if by_speed else ()
    delaying, sheathing = "delaying.one-segment-then-major", "simple.sheathe-draw-attack"
    more = works.minors(state, act.combatant, act.seq).value
    return first_reason(
        (part == "delayed", "delayed.loses-ties", "the delayed lose ties"),
        (by_speed and other.combatant in state.round.waits, "delay.declared-no-condition", faster),
        (delaying in slowed, delaying, faster),
        (sheathing in slowed, sheathing, faster),
        (by_speed and more, "minor.raises-weapon-speed", faster),
        (by_speed, "initiative.tie-by-weapon-speed", faster),
        (slot in LETTERS and other.delayed, "delayed.fast-unaffected", "fast actions go by the dice of the group"),
        (slot == "E" and act.delayed, "delayed.spells-low-no-auto-loss", "for spells the delayed are LOW"),
        (slot in LETTERS, "fast.letter-order", high_first),
        (slot == "M1", "multi.first-routine", high_first),
        (slot == "M2", "multi.remaining-routines", high_first),
        (slot == "GL", "complex.goes-last", high_first),
        (slot == "E", "spell.initiative-order", "spells go by segments, then HIGH before LOW"),
    )
