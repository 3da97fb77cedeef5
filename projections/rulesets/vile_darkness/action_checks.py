"""Late checks of the action economy: the major action, routines, acts beside complex work, free and immediate attacks."""

from collections.abc import Iterator
from itertools import islice, takewhile

from msgspec import structs

from eventstore.events import AttackRolled, Fact, Moved
from projections.mechanics.acts import name_or_kind
from projections.mechanics.declarations import Declared
from projections.mechanics.grants import has_grant
from projections.mechanics.work import BEGUN, LOST
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.vile_darkness import table
from projections.rulesets.vile_darkness.attack import Excess, excess_beyond_line, roll_behind, rolls_of_routine
from projections.rulesets.vile_darkness.order import is_forfeit, major_uses, recorded_act
from projections.rulesets.vile_darkness.reading import OF_ACTS, Reading, slot_name
from projections.rulesets.vile_darkness.state import AttackRoll, VileAct, VileState
from projections.rulesets.vile_darkness.table import LETTERS, REACTIONS, routine_count, weapons_in
from projections.rulesets.vile_darkness.works import COMPLEX, by_seq, due_at, spans_round, status
from projections.stream.causes import cause_records
from projections.time import Point


def major_used_before(state: VileState, act: VileAct) -> int:
    """Return the record that used the major action before an act takes a second one; 0 if the act takes none."""
    work = by_seq(state, act.combatant, act.work)
    if table.row_of(state, act).weight != "major" or table.is_continued(state, act):
        return 0
    if work and work.declared and not work.second:
        return 0
    used = [seq for seq in major_uses(state, act.combatant, act.seq) if seq not in (act.work, *replaced_by(state, act))]
    return used[0] if used else 0


def replaced_by(state: VileState, act: VileAct) -> list[int]:
    """Return the declared work that an act replaced with work begun after the dice: one fault is enough."""
    if not any(state.precedes(rolled.seq, act.work) for rolled in state.round.dice.values()):
        return []
    missing = [each for each in state.works_of.get(act.combatant, ()) if status(state, each).value in (BEGUN, LOST)]
    return [each.seq for each in missing if due_at(state, each).value.round <= state.clock.round]


# ---------------------------------------------------------------- beside complex work


def _allowed_beside(state: VileState, act: VileAct) -> bool:
    chosen = state.option("beside-complex")
    if act.kind in ("delay", "target"):
        return True
    if act.action.cost == "free-attack":
        return chosen != "nothing"
    return chosen == "immediate" and table.row_of(state, act).type == "immediate"


def _complex_work_during(state: VileState, act: VileAct) -> list[int]:
    """Return the records of complex work during an act: begun before it, or the acts before a complex one."""
    works = [each for each in state.works_of.get(act.combatant, ()) if each.kind == COMPLEX and each.seq != act.work]
    busy = [each.seq for each in works if spans_round(state, each) and state.precedes(each.seq, act.seq)]
    if table.row_of(state, act).type == COMPLEX and act.work in (0, act.seq):
        before = [each for each in state.round.acts_of[act.combatant] if state.precedes(each.seq, act.seq)]
        busy += [each.seq for each in before if not _allowed_beside(state, each)]
    return busy


@check("complex.nothing-else", on=OF_ACTS, group="weight", rank=1, subject=recorded_act)
def nothing_stands_beside_complex_work(state: VileState, _fact: Reading[Fact], act: VileAct) -> Breach | None:
    busy = [] if _allowed_beside(state, act) else _complex_work_during(state, act)
    if not busy:
        return None
    says = f"{act.combatant} is busy with complex work"
    return Breach(says, "no other act", name_or_kind(act.action), tuple(busy[:1]))


# ---------------------------------------------------------------- one major action


def _second_major_fault(act: VileAct, used: int, rule: str, says: str) -> Fault:
    words = f"{act.combatant} ({name_or_kind(act.action)}): {says}"
    return Fault((rule,), words, "one major action", "another", (used,))


@checks_by("immediate-attack.needs-major", "delay.low-forfeits-major", on=OF_ACTS, group="weight", rank=2)
def a_forfeited_or_reactive_major_action_is_none(state: VileState, fact: Reading[Fact]) -> Iterator[Fault]:
    """Yield the fault of a second major action after an immediate attack or a forfeit, or that is an immediate attack."""
    act = recorded_act(state, fact)
    if act and (used := major_used_before(state, act)):
        both = [state.round.acts[seq] for seq in (used, act.seq) if seq in state.round.acts]
        if any(each.action.cost == "immediate-attack" for each in both):
            yield _second_major_fault(act, used, "immediate-attack.needs-major", "no major action is left")
        elif any(is_forfeit(state, each) for each in both):
            says = "a delay in LOW forfeited the major action"
            yield _second_major_fault(act, used, "delay.low-forfeits-major", says)


@checks_by("movement.is-major", "major.one-per-round", on=OF_ACTS, group="weight", rank=6)
def there_is_one_major_action(state: VileState, fact: Reading[Fact]) -> Iterator[Fault]:
    """Yield the fault of any other second major action."""
    act = recorded_act(state, fact)
    if act and (used := major_used_before(state, act)):
        if "move" in (act.kind, *(each.kind for each in [state.round.acts.get(used)] if each)):
            yield _second_major_fault(act, used, "movement.is-major", "movement is a major action by itself")
        elif not is_granted(state, act, "major.one-per-round"):
            yield _second_major_fault(act, used, "major.one-per-round", "the major action is used up")


@check("routine.one-per-round", on=OF_ACTS, group="weight", rank=4, subject=recorded_act)
def there_are_only_so_many_routines(state: VileState, _fact: Reading[Fact], act: VileAct) -> Breach | None:
    if act.routine <= table.routine_count(state, act.combatant) or is_granted(state, act, "routine.one-per-round"):
        return None
    own = [each.seq for each in state.round.acts_of[act.combatant] if each.routine]
    used, most = [seq for seq in own if state.precedes(seq, act.seq)], table.routine_count(state, act.combatant)
    due = f"{most} routine{'s' * (most != 1)}"
    return Breach(f"{act.combatant} has {due} a round", due, f"routine {act.routine}", tuple(used))


def is_granted(state: VileState, act: VileAct, rule: str) -> bool:
    """Return whether a ruling of this round permits an act against a rule."""
    one = state.combatants[act.combatant]
    said = (act.action.name or act.kind, act.kind)
    rulings = state.rulings_since(state.round.opened)
    return has_grant(rulings, rule, who=(one.id, one.side), event=(act.seq,), said=said).value


@check("ability.default-innate", on=OF_ACTS, group="weight", rank=10, subject=recorded_act)
def an_ability_without_notation_is_minor(state: VileState, _fact: Reading[Fact], act: VileAct) -> Breach | None:
    entry, said = table.entry_of(state, act.combatant, act.action.name), act.action.cost
    if act.kind != "innate" or said in (None, "minor") or not entry or entry.kind or entry.cost:
        return None
    why = (*state.combatants[act.combatant].records("entries"), act.seq)
    return Breach(f"{entry.name} has no notation, so it is a minor action", "a minor action", f"a {said} action", why)


# ---------------------------------------------------------------- declarations


PART = ("complex.declared", "complex.undeclared-partial")
"""The rules that a ruling can set aside for begun work; work permitted in part is not completed."""
DECLARED = {"invocation": "invocation.declared-major", "incantation": "incantation.like-invocation"}
"""The rules by which spells are declared."""


@checks_by("fast.declared", "complex.declared", *DECLARED.values(), "declare.in-step-one", on=OF_ACTS)
def what_has_to_be_declared_is(state: VileState, fact: Reading[Fact]) -> Iterator[Fault]:
    """Yield a fault for an act that was not declared, or by option differs from an optional declaration."""
    act = recorded_act(state, fact)
    if act is None:
        return
    if rule := _undeclared(state, act):
        what = act.kind if rule == "fast.declared" else name_or_kind(act.action)
        yield Fault((rule,), f"{act.combatant} did not declare {what}", "a declaration in step 1", "none", (act.seq,))
    elif (said := state.round.said.get(act.combatant)) and _is_binding_breach(state, act, said):
        words = name_or_kind(said.action), name_or_kind(act.action)
        yield Fault(("declare.in-step-one",), f"{act.combatant} declared something else", *words, (said.seq,))


def _undeclared(state: VileState, act: VileAct) -> str:
    """Return the rule that required a declaration which an act lacks; "" if there is none."""
    row, work = table.row_of(state, act), by_seq(state, act.combatant, act.work)
    is_declared = work is not None and work.declared
    if row.type == "fast":
        return "" if act.declared else "fast.declared"
    if act.kind in DECLARED:
        return "" if is_declared else DECLARED[act.kind]
    free = act.kind != COMPLEX and state.option("delayed-complex") == "no-declaration"
    exempt = row.type != COMPLEX or act.declared or is_declared or free
    rules = PART[:1] if act.work != act.seq else PART
    return "" if exempt or any(is_granted(state, act, rule) for rule in rules) else "complex.declared"


def _is_binding_breach(state: VileState, act: VileAct, said: Declared) -> bool:
    """Return whether an act is major and differs from an optional declaration, where options make these binding."""
    free = table.is_required(said.action) or state.precedes(act.seq, said.seq) or act.action.cost in table.REACTIONS
    if state.option("voluntary-declaration") != "binding" or free or table.row_of(state, act).weight != "major":
        return False
    other = structs.replace(act, action=said.action)
    return said.action.kind != act.action.kind or table.is_missile(state, other) != table.is_missile(state, act)


FREE, IMMEDIATE = REACTIONS
FAMILY: dict[str | None, str] = {FREE: "free", IMMEDIATE: "immediate-attack"}
"""The family of rules for each sort of reaction."""


def trigger_of(state: VileState, act: VileAct) -> Occurrence[Fact]:
    """Return the trigger of a reaction: the named fact, else its target's last act in the slot, else itself."""
    there = [each for each in state.round.acts.values() if each.slot == act.slot and state.precedes(each.seq, act.seq)]
    drew = [each.seq for each in there if each.combatant in act.action.targets]
    return state.moments.get(act.trigger) or state.moments[[act.seq, *drew][-1]]


def who_drew(state: VileState, act: VileAct) -> set[str]:
    """Return the combatants who drew a reaction: the doer of its trigger, else its targets."""
    event, others = trigger_of(state, act).event, state.combatants.keys() - {act.combatant}
    who = getattr(event, "combatant", None) or getattr(event, "source", None)
    return others & {who} or others & {*act.action.targets}


def _earlier_reactions(state: VileState, act: VileAct) -> list[VileAct]:
    own = [each for each in state.round.acts_of[act.combatant] if state.precedes(each.seq, act.seq)]
    return [each for each in own if each.action.cost == act.action.cost]


# ---------------------------------------------------------------- one primary routine, against who drew it


def _words_on_drawn(drew: set[str], found: set[str]) -> tuple[str, str, str]:
    names = ", ".join(sorted(drew))
    return f"{names} provoked this free attack", names, ", ".join(sorted(found))


@checks_by("free.primary-routine", "immediate-attack.primary-routine", on=AttackRolled, group="roll")
def reactions_have_their_rolls(state: VileState, fact: Reading[AttackRolled]) -> Iterator[Fault]:
    """Yield the fault of a reaction's roll: at another target than drew it, or beyond one primary routine."""
    roll = roll_behind(state, fact)
    cost = roll.act.action.cost if roll else None
    if roll is None or cost not in FAMILY:
        return
    rules, drew = (f"{FAMILY[cost]}.primary-routine",), who_drew(state, roll.act) if cost == FREE else set[str]()
    if drew and roll.target not in {"", *drew, *roll.act.action.targets}:
        events = {trigger_of(state, roll.act).seq, roll.act.seq}
        yield Fault(rules, *_words_on_drawn(drew, {roll.target}), tuple(sorted(events)))
    elif excess := _excess_roll(state, roll):
        yield Fault(rules, *excess)


@derives("routine.primary")
def _excess_roll(state: VileState, roll: AttackRoll) -> Excess | None:
    """Return the excess of a roll beyond one primary routine or, by option, with the weapon of another hand."""
    armed = [weapons_in(state, each.who, each.name) for each in rolls_of_routine(state, roll)]
    hands = {next((each.name for each in those if each.speed is not None), "") for those in armed} - {""}
    if state.option("free-attack-weapons") == "primary-hand" and len(hands) > 1:  # claws and teeth need no hand
        used = tuple(each.seq for each in rolls_of_routine(state, roll))
        return f"{roll.who} uses only the primary hand", "one weapon", " and ".join(sorted(hands)), used
    return excess_beyond_line(state, roll) if routine_count(state, roll.who) > 1 else None


# ---------------------------------------------------------------- in the trigger's segment, before it completes


def completing_records(state: VileState, act: VileAct) -> tuple[int, ...]:
    """Return the records that completed a trigger before its reaction: the movement, or the leaving of its doer."""
    found = trigger_of(state, act)
    moves = [each for each in state.moments.values() if isinstance(each.event, Moved)]
    ends: list[int] = [each.seq for each in moves if found.seq in cause_records(state, each.cause)]
    ends += [left for who in who_drew(state, act) if (left := state.combatants[who].left)]
    return tuple(seq for seq in ends if state.precedes(seq, act.seq))


@derives("free.on-trigger-segment", "immediate-attack.on-trigger-segment")
def stopping_reaction(state: VileState, act: VileAct) -> int:
    """Return the reaction after which a ruling put an act's doer out of the fight, and stopped the act; else 0."""
    if state.combatants[act.combatant].status != "out":
        return 0
    ruled, acts = state.ruled[f"{act.combatant}.status"].seq, dict[int, VileAct](state.round.acts)
    since = [each for each in acts.values() if state.precedes(act.seq, each.seq) and state.precedes(each.seq, ruled)]
    for each in takewhile(lambda one: one.action.cost in REACTIONS, reversed(since)):
        found = trigger_of(state, each)
        if act.seq in {found.seq, *cause_records(state, found.cause)}:
            return int(each.seq)
    return 0


# ---------------------------------------------------------------- the faults of a reaction


RULES = [f"{family}.{each}" for family in FAMILY.values() for each in ("primary-routine", "on-trigger-segment")]


@checks_by(*RULES, "free.one-per-opponent", "free.one-per-segment", on=OF_ACTS)
def reactions_answer_something(state: VileState, fact: Reading[Fact]) -> Iterator[Fault]:
    """Yield the first fault of a free or immediate attack."""
    act = recorded_act(state, fact)
    if act and act.action.cost in FAMILY:
        yield from islice(reaction_faults(state, act, trigger_of(state, act)), 1)


def reaction_faults(state: VileState, act: VileAct, trigger: Occurrence[Fact]) -> Iterator[Fault]:
    """Yield the faults of a free or immediate attack: of its number and target, then of its moment."""
    same = tuple(each.seq for each in _earlier_reactions(state, act) if trigger_of(state, each) == trigger)
    if same or act.action.routine not in (None, 1):
        rules, says = (f"{FAMILY[act.action.cost]}.primary-routine",), f"{act.combatant} has one primary routine here"
        yield Fault(rules, says, "one routine", "another", same)
    if act.action.cost == FREE:
        yield from _free_attack_faults(state, act, trigger)
    yield from _moment_faults(state, act, trigger)


def _free_attack_faults(state: VileState, act: VileAct, trigger: Occurrence[Fact]) -> Iterator[Fault]:
    """Yield a fault for a free attack on another combatant than drew it, and for a second one on it or in a segment."""
    who, drew, before = act.combatant, who_drew(state, act), _earlier_reactions(state, act)
    if others := {*act.action.targets} & state.combatants.keys() - drew:
        yield Fault(("free.primary-routine",), *_words_on_drawn(drew, others), (trigger.seq,))
    if again := tuple(each.seq for each in before if drew & who_drew(state, each)):
        says = f"{who} has taken a free attack on {', '.join(sorted(drew))} already"
        yield Fault(("free.one-per-opponent",), says, "one a round", "another", again)
    there = (each.seq for each in before if _is_same_time(state, trigger_of(state, each).point, trigger.point))
    if first := next(there, 0):
        says = f"{who} has taken a free attack in this segment"
        yield Fault(("free.one-per-segment",), says, "one a segment", "another", (first,))


def _is_same_time(state: VileState, one: Point, other: Point) -> bool:
    """Return whether two points are in one segment; without segments, in one slot, unless an option excludes that."""
    together = one.phase == other.phase and state.option("unsegmented-triggers") == "one-segment"
    return one.segment == other.segment and (one.segment > 0 or together)


def _moment_faults(state: VileState, act: VileAct, trigger: Occurrence[Fact]) -> Iterator[Fault]:
    """Yield a fault for a reaction in another slot or segment than its trigger, or after that was completed."""
    rules, says = (f"{FAMILY[act.action.cost]}.on-trigger-segment",), f"{act.combatant} reacts to something"
    slot = slot_name(state, trigger)
    if len({slot, act.slot} - {""}) > 1:
        yield Fault(rules, f"{says} in {slot}", slot, act.slot, (trigger.seq,))
    wanted, found = trigger.point.segment or (1 if slot in LETTERS else 0), act.point.segment
    if wanted and found not in (0, wanted):
        due = f"segment {wanted}"
        yield Fault(rules, f"{says} in {due}", due, f"segment {found}", (trigger.seq,))
    if done := completing_records(state, act):
        yield Fault(rules, f"{says} that is over already", "before it is over", "after it", done)
