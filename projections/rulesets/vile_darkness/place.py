"""The place of an act: its slot by the table, its doer's initiative and its companion act; its weapon speed; its key."""

from functools import lru_cache

from msgspec import structs

from eventstore.shapes import Action
from projections.because import NOTHING_CITED, Because, Derived
from projections.fight import Combatant
from projections.mechanics.memo import memoize
from projections.ruleset.catalogue import read_catalogue
from projections.ruleset.ruleset import derives
from projections.rulesets.vile_darkness import table
from projections.rulesets.vile_darkness.initiative import delayed_by, dice_half, half_then, rank_in_low, why_low
from projections.rulesets.vile_darkness.state import LOW, MELEE, Casting, Key, VileAct, VileState, cited_records
from projections.rulesets.vile_darkness.works import COMPLEX, due_at, minors, slot_of_work, window, work_of
from projections.time import Point

FAST = (*table.LETTERS, "GF")

# ---------------------------------------------------------------- the slot


def act_records(state: VileState, act: VileAct) -> tuple[int, ...]:
    """Return the record of an act; of an expected act the declaration, its withdrawal, or the joining of its doer."""
    said, one = state.round.said.get(act.combatant), state.combatants[act.combatant]
    given_up = state.round.given_up.get(act.combatant)
    if act.seq:
        return (act.seq,)
    if said and not said.withdrawn:
        return (said.seq,)
    return (given_up.withdrawn if given_up and given_up.action != _first_attack(one) else one.joined,)


@derives("delay.minors-in-own-initiative")
def half_of_act(state: VileState, act: VileAct) -> Derived[str]:
    """Return the half of the round to which an act belongs, H or L; "" while dice are missing."""
    found, recorded = half_then(state, act), act.slot[:2]
    own = found.value[:1]
    if recorded not in ("H.", "L.") or recorded[0] == own or act.low or table.row_of(state, act).weight != "minor":
        return Derived(own, Because(of=(found,)))
    barred = state.option("minors-outside") == "barred-if-delayed"
    return Derived(recorded[0] if barred else own, Because(half_of_act.rules, (act.seq,), (found,)))


@memoize
def act_slot(state: VileState, act: VileAct) -> Derived[str]:
    """Return the slot to which an act belongs; "" if it is unknown."""
    found = _derive_slot(state, act)
    return Derived(found.value, Because((), (), (found.because, table.why_row(state, act))))


def _derive_slot(state: VileState, act: VileAct) -> Derived[str]:
    row = table.row_of(state, act)
    work = work_of(state, act.combatant, act.action.name, act.kind, act.work) if act.work else None
    if marked := slot_of_mark(state, act, row):
        said = act_records(state, act) if "go-first" in act.action.manner else ()
        return Derived(marked, Because(slot_of_mark.rules, (state.combatants[act.combatant].joined, *said)))
    if work:
        return slot_of_completion(state, act, work)
    if row.slot in ("trigger", "any"):
        fact, answered = state.moments.get(act.trigger), state.round.acts.get(act.trigger)
        own = cited_records(act.since, act.trigger, answered.since if answered else 0)
        because = Because(CITES.get(act.kind, ()), act_records(state, act), (own,))
        return Derived((table.slot_at(state, fact.point.phase) if fact else "") or act.slot, because)
    beside = accompanied_major(state, act)
    if beside.value or not row.slot:
        found = act_slot(state, beside.value) if beside.value else Derived("", NOTHING_CITED)
        standing, records = state.combatants[act.combatant].standing, act_records(state, beside.value or act)
        own = Derived((), Because((), (act.since or act_records(state, act)[0],), (standing, beside)))
        return Derived(found.value, Because(accompanied_major.rules, records, (found, own)))
    alone = _slot_by_row(state, act, row.slot)
    return Derived(alone.value, Because(of=(alone.because, beside)))


@derives("fast.go-first")
def slot_of_mark(state: VileState, act: VileAct, row: table.ActionRow) -> str:
    """Return the slot that a mark on an act or its doer gives, GF or GL; "" without a mark."""
    mark = state.combatants[act.combatant].sheet.goes
    if row.slot in ("trigger", "any", "DECLARE", "E", "GL"):
        return ""
    if mark == "first" or "go-first" in act.action.manner:
        return "GF"
    return "GL" if mark == "last" and row.slot not in FAST else ""


@derives("group.phase-order", "initiative.tie-by-action-type")
def _slot_by_row(state: VileState, act: VileAct, slot: str) -> Derived[str]:
    """Return the slot that a row of the table gives; D1 to D4 are those of the doer's half, "" without dice."""
    if slot.startswith("D") and slot[1:].isdecimal():
        found, cites = half_of_act(state, act), (*CITES.get(f"alone.{act.kind}", ()), "group.phase-order")
        because = Because(cites, act_records(state, act), (found,))
        return Derived(f"{found.value}.{slot}" if found.value else "", because)
    if act.kind == "attack" and slot == "GL":
        return Derived(slot, Because(("delayed.delaying-becomes-complex",), (act.delayed,), (cited_records(act.seq),)))
    return Derived(slot, Because(CITES.get(slot, CITES.get(act.kind, ("group.phase-order",))), act_records(state, act)))


CITES = {key: tuple(rules) for key, rules in read_catalogue(table.RULES).tables["cites"].items()}
"""The rules that give a slot or a kind of act its place; keys with `alone.` are for minors in a phase of their own."""


@memoize
def companion_major(state: VileState, act: VileAct) -> VileAct | None:
    """Return the major action that a minor accompanies: the one in its slot; any for a minor without a slot."""
    one = state.combatants[act.combatant]
    majors = [each for each in table.other_acts(state, act) if table.row_of(state, each).weight == "major"]
    if not majors and one.status == "out":
        majors = [structs.replace(expected_act(state, one), low=act.low, delayed=act.delayed)]
    return next((each for each in majors if act.slot in ("", each.slot, act_slot(state, each).value)), None)


@derives("minor.before-or-after-major")
def accompanied_major(state: VileState, act: VileAct) -> Derived[VileAct | None]:
    """Return the major action that an act, such as a walk while maintaining, accompanies; None if it is alone."""
    row = table.row_of(state, act)
    if not row.joined and row.when != table.MAINTAINING:
        return Derived(None, NOTHING_CITED)
    used = cited_records(act.since, *(seq for each in table.other_acts(state, act) for seq in (each.seq, each.since)))
    return Derived(companion_major(state, act), used.because)


def deciding_act(state: VileState, act: VileAct) -> VileAct:
    """Return the act that decides an act's place: the major action beside it, else the first of its routine."""
    return accompanied_major(state, act).value or table.routine_of(state, act)[0]


@derives(
    "spell.after-attacks",
    "invocation.one-segment-slot",
    "complex.goes-last",
    "time.full-round-work",
    "complex.delayed-may-complete",
)
def slot_of_completion(state: VileState, act: VileAct, work: Casting) -> Derived[str]:
    """Return the slot in which work completes."""
    last = "complex.goes-last"
    slot, used = slot_of_work(state, work), cited_records(work.seq, work.sheet, *act_records(state, act))
    if slot in ("D1", "D4"):
        found = half_of_act(state, act)
        because = Because(("invocation.one-segment-slot",), (), (found, used))
        return Derived(f"{found.value}.{slot}" if found.value else "", because)
    slowed = work.kind == COMPLEX and (act.delayed or delayed_by(state, act.combatant))
    rules = ("spell.after-attacks",) if slot == "E" else ("complex.delayed-may-complete", last) if slowed else (last,)
    return Derived(slot, Because(rules, (), (used,)))


# ---------------------------------------------------------------- weapon speed


@derives(
    "minor.raises-weapon-speed",
    "time.asterisk-no-time",
    "simple.included-in-major",
    "simple.sheathe-draw-attack",
    "delaying.one-segment-then-major",
)
@memoize
def blow_speed(state: VileState, act: VileAct) -> Derived[int | None]:
    """Return the effective speed of a blow: that of its weapon plus one for each one-segment minor; None without a speed."""
    raises, starred, included, sheathed, delaying = blow_speed.rules
    weapon = table.weapon_of_attack(state, act)
    joined, own = (state.combatants[act.combatant].joined,), cited_records(*act_records(state, act))
    if weapon is None or weapon.speed is None:
        return Derived(None, Because((raises,), joined, (own,)))
    more = minors(state, act.combatant, act.seq)
    added = more.value
    rules = [raises] if added else []
    for each in table.other_acts(state, act):
        word = {"sheathe": sheathed}.get((each.action.name or "").partition(" ")[0].casefold())
        word = delaying if each.kind == "delaying" and each.seq in added else word if each.seq in added else None
        word = included if table.row_of(state, each).when == table.DRAWN else starred if each.action.time == 0 else word
        rules = [word, *rules] if word and sheathed not in rules else rules
    because = Because(tuple(dict.fromkeys(rules)) or (raises,), joined, (more.because, own))
    return Derived(weapon.speed + len(added), because)


def is_blow(state: VileState, act: VileAct) -> bool:
    """Return whether an act is a melee attack."""
    return act.kind in table.ATTACKS and not table.is_missile(state, act)


# ---------------------------------------------------------------- the key


STAGES = ("GF", "A", "B", "C", "M1", "H", "L", "M2", "E", "GL")


def slot_stage(state: VileState, slot: str) -> int:
    """Return the place of a slot's family in the round; options move GF and GL."""
    family = slot.partition(".")[0]
    if family == "GF" and state.option("go-first-place") == "after-charge":
        return 2 * STAGES.index("C") + 1
    if family == "GL" and state.option("go-last-place") == "before-spells":
        return 2 * STAGES.index("M2") + 1
    return 2 * STAGES.index(family) if family in STAGES else -1


@lru_cache(maxsize=1024)
def slot_phase(slot: str) -> int:
    """Return the phase of a slot: 1 to 4 for D1 to D4, else 0."""
    _, _, phase = slot.partition(".D")
    return int(phase) if phase.isdecimal() else 0


@derives(
    "initiative.tie-by-weapon-speed",
    "delayed.loses-ties",
    "spell.initiative-order",
    "group.high-before-low",
    "delayed.fast-unaffected",
    "delayed.spells-low-no-auto-loss",
)
@memoize
def act_key(state: VileState, act: VileAct) -> Derived[Key | None]:
    """Return the present key of an act; None while its slot is unknown."""
    if beside := accompanied_major(state, act).value:
        found = act_key(state, beside)
        return Derived(found.value, Because(of=(found, act_slot(state, act))))
    slot = act_slot(state, act)
    if not slot.value:
        return Derived(None, slot.because)
    if slot.value == "E":
        return _spell_key(state, act, slot)
    name = slot.value
    lead, speed = _rank_of_group(state, act, name), _sorting_speed(state, act, name)
    is_late = bool(slot_phase(name) and act.delayed)  # in a phase of a half; no delay moves a fast act
    late = Because(("delayed.loses-ties",), (act.delayed,)) if is_late else NOTHING_CITED
    parts = {"lead": lead.value, "phase": slot_phase(name), "delayed": int(is_late), "speed": speed.value}
    rules = ("delayed.fast-unaffected",) if name in FAST and act.delayed else ()
    because = Because(rules, act_records(state, act), (slot,)) + lead.because + late + speed.because
    return Derived(Key(state.clock.round, slot_stage(state, name), **parts), because)


def _rank_of_group(state: VileState, act: VileAct, slot: str) -> Derived[int]:
    """Return the rank of an act's group in a slot: by its die among the groups in LOW, else HIGH before LOW."""
    if slot.startswith("L."):
        halves, lead = "group.high-before-low", rank_in_low(state, state.combatants[act.combatant], act)
        return Derived(lead.value, Because((halves,), (), (lead,)))
    if slot not in (*FAST, "M1", "M2", "GL"):
        return Derived(0, NOTHING_CITED)
    stood, is_letter = half_in_slot(state, act, slot), slot in table.LETTERS
    is_low = stood.value == LOW
    is_together = is_low and is_letter and state.option("same-letter") != "high-first"
    return Derived(int(is_low and not is_together), Because((), (), (stood,)))


def _sorting_speed(state: VileState, act: VileAct, slot: str) -> Derived[int]:
    """Return the weapon speed by which a blow is sorted in its slot: its own, or by option 0 or the least there."""
    if not may_have_blows(slot):
        return Derived(0, NOTHING_CITED)
    counts, rules = is_ordered_by_speed(state, act.combatant), ("initiative.tie-by-weapon-speed",)
    if not counts.value:
        return Derived(0, Because((), (), (counts,)))
    own = blow_speed(state, act)
    if own.value is not None or state.option("no-weapon-speed") == "first":
        return Derived(own.value or 0, Because(rules, (), (counts, own)))
    least = _least_speed(state, slot)
    return Derived(least.value, Because(rules, (), (counts, own, least)))


def half_in_slot(state: VileState, act: VileAct, slot: str) -> Derived[str]:
    """Return the half that the doer of an act counts as in a slot, HIGH or LOW; for fast actions its group decides."""
    return dice_half(state, state.combatants[act.combatant]) if slot in FAST else half_then(state, act)


def may_have_blows(slot: str) -> bool:
    """Return whether weapon speed can order blows in a slot."""
    return slot_phase(slot) == MELEE or slot == "M1"


def is_ordered_by_speed(state: VileState, who: str) -> Derived[bool]:
    """Return whether weapon speed orders a combatant among opponents: by option only if the dice were equal."""
    if state.option("weapon-speed") == "same-slot":
        return Derived(True, NOTHING_CITED)
    dice = {side: rolled.face for side, rolled in state.round.dice.items()}
    own = dice.pop(state.combatants[who].side, None)
    return Derived(own in dice.values(), Because((), tuple(rolled.seq for rolled in state.round.dice.values())))


@memoize
def _least_speed(state: VileState, slot: str) -> Derived[int]:
    armed = [acts for who, acts in state.round.acts_of.items() if state.combatants[who].sheet.weapons]
    blows = [each for acts in armed for each in acts if _is_sorted_by_speed(state, each) and is_blow(state, each)]
    slots = [act_slot(state, each) for each in blows]
    speeds = [blow_speed(state, each) for each, own in zip(blows, slots, strict=True) if own.value == slot]
    known = [each.value for each in speeds if each.value is not None]
    return Derived(min(known, default=0), Because(of=(*slots, *speeds)))


def _is_sorted_by_speed(state: VileState, act: VileAct) -> bool:
    weapon = table.weapon_of_attack(state, act)
    has_place = table.row_of(state, act).slot != "trigger" and not table.is_continued(state, act)
    return has_place and weapon is not None and weapon.speed is not None


def _spell_key(state: VileState, act: VileAct, slot: Derived[str]) -> Derived[Key | None]:
    spells, level = "spell.initiative-order", "delayed.spells-low-no-auto-loss"
    work = work_of(state, act.combatant, act.action.name, act.kind, act.work)
    low = int(half_then(state, act).value == LOW)
    lead = low if low and state.option("spell-order") == "initiative-first" else 0
    segment = act.point.segment
    of: tuple[Derived[object], ...] = (slot, half_then(state, act))
    if work is not None:
        end = due_at(state, work)
        segment = end.value.segment if end.value.round == state.clock.round else segment
        of = (*of, window(state, work))
    key = Key(state.clock.round, slot_stage(state, "E"), lead, 0, segment, low)
    return Derived(key, Because((level, spells) if act.delayed else (spells,), act_records(state, act), of))


@memoize
def expected_act(state: VileState, one: Combatant, kind: str = "attack") -> VileAct:
    """Return the act expected of a combatant: the declared one, else an attack with its first weapon."""
    said = state.round.said.get(one.id)
    action = said.action if said and not said.withdrawn else _first_attack(one, kind)
    return VileAct(0, one.id, action, Point(state.clock.round), low=why_low(state, one.id), routine=1)


def _first_attack(one: Combatant, kind: str = "attack") -> Action:
    return Action(kind=kind, name=one.sheet.weapons[0].name if one.sheet.weapons else None)


def work_act(state: VileState, one: Combatant, work: Casting) -> VileAct:
    """Return the act that completes a combatant's work."""
    act = expected_act(state, one)
    return structs.replace(act, action=structs.replace(act.action, kind=work.kind, name=work.name), work=work.seq)
