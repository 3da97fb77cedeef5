"""Attack rolls: armour class, the number needed, total and hit; late checks of rolls, damage and routines.

Each independent mistake in a roll has a finding: the die, the armour class, the total, the hit. A wrong hit that follows
from another mistake has none; any other is attributed to the first rule whose neglect explains it.
"""

from collections.abc import Iterable, Iterator

from eventstore import events
from eventstore.shapes import Modifier
from projections.address import is_number, require
from projections.because import Because, Derived, terms
from projections.mechanics.conditions import effects_held, effects_of
from projections.mechanics.grants import has_grant, is_named, word_forms, words_of
from projections.mechanics.rolls import extremes, face, fits_sides, has_valid_faces, part_points, sum_parts
from projections.occurrence import Occurrence
from projections.open_types import Fields, Json
from projections.ruleset.catalogue import read_catalogue
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.vile_darkness.order import recorded_act, slot_if_misplaced
from projections.rulesets.vile_darkness.reading import OF_ACTS, Reading, act_behind
from projections.rulesets.vile_darkness.state import Adjustment, AttackRoll, VileAct, VileState
from projections.rulesets.vile_darkness.table import ATTACKS, RULES, fault_clauses, routine_of, weapons_in
from projections.stream.causes import cause_records

AC, ATTACK, DAMAGE = ("ac",), ("attack", "hit", "to-hit"), ("damage",)
"""Words for the value to which a modifier is added."""
DROPS, TAKES = frozenset({"drop", "discard", "lose"}), frozenset({"take", "pick", "raise", "don"})
"""The verbs by which a part of an armour class is lost and regained."""


@derives("attack.ac-scale", on=(events.SheetChanged, events.CombatantJoined))
def restore_ac_parts(state: VileState, fact: Occurrence[events.SheetChanged | events.CombatantJoined]) -> None:
    """Restore all parts of an armour class when a new one is recorded."""
    if isinstance(fact.event, events.CombatantJoined) or not {"ac", "ac_parts"}.isdisjoint(fact.event.sheet):
        state.lost.pop(fact.event.combatant, None)


def ruled_value(state: VileState, address: str) -> Derived[Json] | None:
    """Return the ruled value of an address, if there is one."""
    covered = state.ruled.get(address)
    return Derived(covered.value, Because(of=(covered,))) if covered else None


# ---------------------------------------------------------------- changes of an armour class


@derives("attack.ac-bonus-sign", on=events.ActionTaken)
def drop_or_take_up_part(state: VileState, fact: Occurrence[events.ActionTaken]) -> None:
    """Note that the source of a part of an armour class is dropped, or taken up again."""
    action, who = fact.event.action, fact.event.combatant
    said = words_of(f"{action.name} {action.object}") if action.plain_kind == "simple" else ()
    verbs = {form for word in said for form in word_forms(word)}
    for part in state.combatants[who].sheet.ac_parts:
        named = not {*words_of(part)[-1:]}.isdisjoint(said)
        if named and verbs & DROPS:
            state.lost.setdefault(who, {})[part] = fact.seq
        elif named and verbs & TAKES:
            state.lost.get(who, {}).pop(part, None)


@derives("attack.ac-bonus-sign", on=events.EffectStarted, phase="effects")
def keep_effect(state: VileState, fact: Occurrence[events.EffectStarted]) -> None:
    """Keep the fact that starts an effect, with its modifiers and permissions."""
    state.started_effects[fact.seq] = fact.event


def effects_on(state: VileState, who: str) -> dict[int, events.EffectStarted]:
    """Return the facts that started the effects on a combatant, by record."""
    begun, own = state.started_effects, [each.seq for each in effects_of(state.effects, who)]
    return {seq: begun[seq] for seq in own if seq in begun}


def _effect_modifiers(state: VileState, who: str, to: tuple[str, ...]) -> list[Adjustment]:
    found = effects_on(state, who).items()
    return [Adjustment(mod.name, mod.amount, seq) for seq, event in found for mod in event.modifiers if mod.to in to]


def ac_changes(state: VileState, who: str) -> list[Adjustment]:
    """Return the gains by effects and the lost parts of a combatant's armour class."""
    parts = state.combatants[who].sheet.ac_parts
    lost = [Adjustment(part, -parts[part], seq) for part, seq in state.lost.get(who, {}).items()]
    return [*lost, *_effect_modifiers(state, who, AC)]


@derives("attack.gm-modifiers")
def ruled_modifiers(
    state: VileState, who: str, to: tuple[str, ...], about: Iterable[int] = (), before: int = 0
) -> list[Adjustment]:
    """Return the modifiers that rulings of this round add to a value: rulings on these records, or on all since a record."""
    found, chain = list[Adjustment](), set(about)
    for fact in state.rulings_since(state.round.opened):
        event = fact.event
        named = not event.combatants or who in event.combatants
        if named and (event.event in chain if event.event else not before or state.precedes(fact.seq, before)):
            said = [mod for mod in event.modifiers if (mod.to or "attack") in to]
            found += [Adjustment(mod.name, mod.amount, fact.seq) for mod in said]
    return found


def _unlisted_modifiers(own: list[Modifier], found: Iterable[Adjustment]) -> list[Adjustment]:
    return [one for one in found if not any(mod.amount == one.amount or is_named(one.name, (mod.name,)) for mod in own)]


# ---------------------------------------------------------------- the armour class


def limit_to_scale(ac: int) -> int:
    """Return an armour class limited to the scale: from 10, the worst, to -10."""
    table = read_catalogue(RULES).tables["attack"]
    return int(max(table["best_ac"], min(table["worst_ac"], ac)))


on_the_scale = require("a number from -10 to 10", lambda ac: is_number(ac) and ac == limit_to_scale(ac))


@derives("attack.ac-scale", "attack.ac-bonus-sign")
def adjusted_ac(base: int, found: list[Adjustment], sheets: tuple[int, ...]) -> Derived[int]:
    """Return an armour class with adjustments: a bonus lowers it, a penalty raises it, within the scale."""
    scale = "attack.ac-scale"
    rules = ("attack.ac-bonus-sign", scale) if found else (scale,)
    total = base - sum(each.amount for each in found)
    own = Derived(total, Because(rules, tuple(sorted({*sheets, *(each.seq for each in found)}))))
    return own if limit_to_scale(total) == total else Derived(limit_to_scale(total), Because((scale,), of=(own,)))


def armour_class(state: VileState, who: str) -> Derived[int]:
    """Return the present armour class of a combatant."""
    one, keys = state.combatants[who], ("ac", "ac_parts") if state.lost.get(who) else ("ac",)
    value = adjusted_ac(one.sheet.ac, [*ac_changes(state, who), *ruled_modifiers(state, who, AC)], one.records(*keys))
    ends = [(each, map(state.started_effects.get, each.flat().events)) for each in state.rid_by.get(who, {}).values()]
    over = [each for each, those in ends if any(mod.to in AC for event in those if event for mod in event.modifiers)]
    return Derived(value.value, Because(of=(value.because, *over)))


MAGIC = "magic"
NO_TABLE = ("", "none", "no table")
"""The entries of a sheet for a class that has no attack table."""

# ---------------------------------------------------------------- keeping a roll


@derives("attack.target-and-roll", on=events.AttackRolled, phase="rolls")
def keep_attack_roll(state: VileState, fact: Reading[events.AttackRolled]) -> None:
    """Keep an attack roll with its circumstances; it belongs to an act before it, or is one itself."""
    if act := act_behind(state, fact.fact, fact.event.combatant):
        state.round.rolls[fact.seq] = make_roll(state, fact.seq, fact.event, act)


def make_roll(state: VileState, seq: int, event: events.AttackRolled, act: VileAct) -> AttackRoll:
    """Return an attack roll with the present circumstances of attacker and target."""
    who, action, one = event.combatant, act.action, state.combatants[event.combatant]
    target = event.target or (action.targets[0] if len(action.targets) == 1 else "")
    target = target if target in state.combatants else ""
    name, effects = event.name or action.name or "", effects_on(state, who).values()
    magic = [each.magic for each in weapons_in(state, who, name)[:1] if each.magic]
    own = [Adjustment(MAGIC, each, *one.records("weapons")) for each in magic]
    seen: Fields = {}
    if target:
        seen = {"ac": state.combatants[target].sheet.ac, "changes": tuple(ac_changes(state, target))}
        seen["sheets"] = state.combatants[target].records("ac")
    return AttackRoll(
        seq, who, target, act, event, name, **seen, aac0=one.sheet.aac0, starred=one.sheet.aac0_starred,
        bonuses=(*own, *_effect_modifiers(state, who, ATTACK)),
        maintains=bool(effects_held(state.effects, target)), need=state.ruled.get(f"{who}.need.{target}"),
        stacks=any("stack" in word.casefold() for each in effects for word in each.attributes),
    )  # fmt: skip


def records_of_roll(roll: AttackRoll) -> tuple[int, ...]:
    """Return the records by which a ruling may name a roll: the roll, its attack, the trigger of that."""
    return (roll.seq, roll.act.seq, roll.act.trigger)


# ---------------------------------------------------------------- the armour class of a roll's target


@derives("concentration.no-combat-penalty")
def unlawful_penalties(roll: AttackRoll) -> list[Modifier]:
    """Return the recorded penalties for concentrating, which are unlawful."""
    heads = ("concentrat", "maintain")
    return [mod for mod in roll.event.modifiers if any(word.startswith(heads) for word in words_of(mod.name))]


def _lawful_modifiers(roll: AttackRoll, to: tuple[str, ...]) -> list[Modifier]:
    wrong = unlawful_penalties(roll)
    return [mod for mod in roll.event.modifiers if (mod.to or "attack") in to and mod not in wrong]


def ac_gains(state: VileState, roll: AttackRoll) -> list[Adjustment]:
    """Return the changes of the armour class of a roll's target."""
    own = _lawful_modifiers(roll, AC)
    said = ruled_modifiers(state, roll.target, AC, records_of_roll(roll), roll.seq)
    listed = [Adjustment(mod.name, mod.amount, roll.seq) for mod in own]
    return [*_unlisted_modifiers(own, (*roll.changes, *said)), *listed]


def _target_ac(state: VileState, roll: AttackRoll) -> Derived[int]:
    return adjusted_ac(roll.ac, ac_gains(state, roll), roll.sheets)


# ---------------------------------------------------------------- the number needed


def raw_need(aac0: int, starred: bool, ac: int) -> int:
    """Return the number that would be needed if 20 did not repeat on the tables."""
    return aac0 + (int(read_catalogue(RULES).tables["attack"]["starred_counts_as"]) - 20 if starred else 0) - ac


def need_on_table(raw: int) -> int:
    """Return a needed number on the tables, where 20 stands for six armour classes in a row."""
    table = read_catalogue(RULES).tables["attack"]
    most, again = int(table["natural_hit"]), int(table["twenties"]) - 1
    return min(raw, max(most, raw - again))


@derives(
    "attack.aac0", "attack.aac0-starred", "attack.six-twenties", "attack.class-without-table", "attack.table-by-class"
)
def derived_need(state: VileState, who: str, aac0: int, starred: bool, ac: Derived[int]) -> Derived[int]:
    """Return the number that a combatant needs to hit an armour class."""
    sheet, raw = state.combatants[who].sheet, raw_need(aac0, starred, ac.value)
    rules = ["attack.aac0-starred"] if starred else []
    rules += ["attack.six-twenties"] if raw > 20 else []
    table = "attack.class-without-table" if sheet.attack_table.casefold() in NO_TABLE else "attack.table-by-class"
    rules += [table] if sheet.class_ else []
    events = state.combatants[who].records("aac0", "aac0_starred")
    said = terms(need_on_table(raw), ("AAC0", aac0), ("armour class", -ac.value))
    return Derived(need_on_table(raw), Because((*rules, "attack.aac0"), events, (ac, *said)))


def number_needed(state: VileState, roll: AttackRoll) -> Derived[int]:
    """Return the number that a roll needs to hit."""
    if roll.need:
        return Derived(roll.need.value, Because(of=(roll.need,)))
    return derived_need(state, roll.who, roll.aac0, roll.starred, _target_ac(state, roll))


def need_against(state: VileState, who: str, target: str) -> Derived[int] | None:
    """Return the number that a combatant needs now to hit another."""
    sheet = state.combatants[who].sheet
    known = target in state.combatants
    return derived_need(state, who, sheet.aac0, sheet.aac0_starred, armour_class(state, target)) if known else None


# ---------------------------------------------------------------- the total and the hit


@derives("attack.modified-score", "attack.gm-modifiers")
def sum_of_bonuses(state: VileState, roll: AttackRoll) -> Derived[int]:
    """Return the sum added to the die: the recorded modifiers, else those of the sheet, with effects and rulings."""
    score, rulings = "attack.modified-score", "attack.gm-modifiers"
    own = _lawful_modifiers(roll, ATTACK)
    said = _unlisted_modifiers(own, ruled_modifiers(state, roll.who, ATTACK, records_of_roll(roll), roll.seq))
    more = [*said, *(each for each in _unlisted_modifiers(own, roll.bonuses) if not own or each.name != MAGIC)]
    amount = sum(mod.amount for mod in own) + sum(each.amount for each in more)
    events = (roll.seq, *(each.seq for each in more))
    return Derived(amount, Because((score, *((rulings,) if said else ())), tuple(sorted({*events}))))


def _shown_face(roll: AttackRoll) -> int | None:
    return face(roll.event.die)  # type: ignore[arg-type]


@derives("attack.modified-score")
def roll_total(state: VileState, roll: AttackRoll) -> Derived[int | None]:
    """Return the total of a roll; without a die it is the stated one."""
    found, die = sum_of_bonuses(state, roll), _shown_face(roll)
    if die is None:
        return Derived(roll.event.total, Because(roll_total.rules, of=(found,)))
    total = die + found.value
    said = terms(total, ("on the die", die), ("added to it", found.value))
    return Derived(total, Because(roll_total.rules, of=(found, *said)))


@derives("attack.natural-one", "attack.natural-twenty", "attack.modified-score", "foiled.attempted-and-wasted")
def is_hit(state: VileState, roll: AttackRoll) -> Derived[bool | None]:
    """Return whether a roll hits: a 20 always, a 1 never, else if its total is the needed number or more; None if unknown."""
    table, die = read_catalogue(RULES).tables["attack"], _shown_face(roll)
    if roll.event.foiled:
        return Derived(False, Because(("foiled.attempted-and-wasted",), (roll.seq,)))
    if die == table["natural_miss"]:
        return Derived(False, Because(("attack.natural-one",), (roll.seq,)))
    if die == table["natural_hit"]:
        return Derived(True, Because(("attack.natural-twenty",), (roll.seq,)))
    total = roll_total(state, roll)
    if total.value is None or not roll.target or "called" in roll.act.action.manner:
        return Derived(roll.event.hit, Because(("attack.modified-score",), (roll.seq,)))
    needed = number_needed(state, roll)
    return Derived(total.value >= needed.value, Because(("attack.modified-score",), (), (total, needed)))


def is_idle(state: VileState, fact: Occurrence[events.Fact]) -> bool:
    """Return whether a fact is the choice of a target, or an attack roll without a hit, stated or derived."""
    if isinstance(fact.event, events.ActionTaken):
        return fact.kind == "target"
    roll = state.round.rolls.get(fact.seq)
    return roll is not None and not roll.event.hit and is_hit(state, roll).value is False


@derives("routine.primary")
def primary_weapon(state: VileState, who: str) -> Derived[str]:
    """Return the weapon of a combatant's primary attack: that of its last attack, else of the expected one."""
    one = state.combatants[who]
    first, events = next((each.name for each in one.sheet.weapons), "none"), one.records("weapons")
    blows = [each for each in state.round.acts_of.get(who, ()) if each.kind in ATTACKS]
    said = (blows[-1].action.name or "") if blows else ""
    named = weapons_in(state, who, said) if blows else []
    found = min(named, key=lambda each: said.casefold().find(each.name.casefold())).name if named else said or first
    return Derived(found, Because(primary_weapon.rules, (*events, blows[-1].seq) if found != first else events))


def roll_behind(state: VileState, fact: Reading[events.Fact]) -> AttackRoll | None:
    """Return the attack roll of a fact: itself, one among its causes, else the only hit or the last roll of its act."""
    if isinstance(fact.event, events.DamageDealt) and fact.event.amount <= 0:  # this changes nothing
        return None
    rolls: dict[int, AttackRoll] = state.round.rolls
    for seq in (fact.seq, *cause_records(state, fact.fact.cause)):
        if seq in rolls:
            return rolls[seq]
        own = [each for each in rolls.values() if each.act.seq == seq and state.precedes(each.seq, fact.seq)]
        hits = [each for each in own if is_hit(state, each).value]
        if own:
            return (hits or own)[-1] if len(hits) < 2 else None
    return None


def affected_combatants(fact: Reading[events.Fact]) -> Iterator[str]:
    """Yield the combatants whom a fact affects."""
    event = fact.event
    if isinstance(event, events.ConditionGained | events.EffectStarted):
        yield from event.targets
    elif isinstance(event, events.DamageDealt):
        yield from (event.target,) if event.amount > 0 and not event.object else ()
    elif isinstance(event, events.Moved) or (isinstance(event, events.ActionTaken) and fact.kind == "flee"):
        yield event.combatant


# ---------------------------------------------------------------- die, target, armour class, total


@checks_by("attack.target-and-roll", "attack.stat-block", on=events.AttackRolled, group="roll", rank=1)
def a_roll_has_its_die_its_target_and_its_line(state: VileState, fact: Reading[events.AttackRolled]) -> Iterator[Fault]:
    """Yield the first fault of a roll: a face that a d20 does not have, no target, a roll beyond the attack line."""
    if (roll := roll_behind(state, fact)) is None:
        return
    if roll.event.die is not None and not fits_sides(roll.event.die, 20):
        says, found = f"{roll.who}'s d20 cannot show {_shown_face(roll)}", str(_shown_face(roll))
        yield Fault(("attack.target-and-roll",), says, "1 to 20", found)
    elif not (roll.target or roll.act.action.object or roll.act.action.targets):
        once = ("target", roll.act.seq)
        yield Fault(("attack.target-and-roll",), f"{roll.who} attacks nobody", "a target", "none", once=once)
    elif beyond := excess_beyond_line(state, roll):
        yield Fault(("attack.stat-block",), *beyond)


NO_PENALTY, SCALE, SIGN = "concentration.no-combat-penalty", "attack.ac-scale", "attack.ac-bonus-sign"


@checks_by(NO_PENALTY, SCALE, SIGN, "attack.target-and-roll", on=events.AttackRolled, group="armour", rank=11)
def the_roll_is_against_the_armour_class(state: VileState, fact: Reading[events.AttackRolled]) -> Iterator[Fault]:
    """Yield the first fault of an armour class: a penalty for concentrating, one off the scale, one without its bonuses."""
    if (roll := roll_behind(state, fact)) is None:
        return
    wrong, stated, own = unlawful_penalties(roll), roll.event.ac, _target_ac(state, roll)
    due, why = f"AC {own.value}", own.because.flat().events
    if wrong:
        yield Fault((NO_PENALTY,), f"{wrong[0].name} brings no penalty", "no penalty", f"{wrong[0].amount:+}")
    elif stated is None or stated == own.value:
        return
    elif roll.maintains and stated > own.value:
        yield Fault((NO_PENALTY,), f"{roll.target} is as hard to hit as ever", due, f"AC {stated}", why)
    elif stated != limit_to_scale(stated):
        yield Fault((SCALE,), f"there is no AC {stated}", "AC -10 to 10", f"AC {stated}")
    elif roll.target:
        rule = SIGN if ac_gains(state, roll) or _sum_of_ac_parts(state, roll) else "attack.target-and-roll"
        yield Fault((rule,), f"{roll.target} has {due}, but AC {stated} is recorded", due, f"AC {stated}", why)


def _sum_of_ac_parts(state: VileState, roll: AttackRoll) -> int:
    return sum(state.combatants[roll.target].sheet.ac_parts.values())


@check("attack.modified-score", on=events.AttackRolled, rank=15)
def a_total_is_the_die_and_its_modifiers(state: VileState, fact: Reading[events.AttackRolled]) -> Breach | None:
    roll = roll_behind(state, fact)
    total = roll_total(state, roll) if roll else None
    if roll is None or total is None or roll.event.total in (None, total.value):
        return None
    due, stated = f"a total of {total.value}", f"a total of {roll.event.total}"
    return Breach(f"{roll.who}'s attack roll totals {total.value}", due, stated, total.because.flat().events)


# ---------------------------------------------------------------- the hit


@checks_by(*fault_clauses("hit"), on=events.AttackRolled, group="hit", rank=21)
def a_hit_is_recorded_rightly(state: VileState, fact: Reading[events.AttackRolled]) -> Iterator[Fault]:
    """Yield the fault of a wrong hit or miss by the first rule that explains it, unless it follows from others."""
    roll, hit = state.round.rolls.get(fact.seq), fact.event.hit
    found = is_hit(state, roll) if roll else None
    if roll is None or found is None or hit in (None, found.value) or hit_follows(state, roll):
        return
    total, needed = roll_total(state, roll).value, number_needed(state, roll).value
    needs = f" against the {needed} needed" if found.because.of else ""
    stated, due = ("a hit", "a miss") if hit else ("a miss", "a hit")
    says = f"{roll.who}'s {total or 'roll'}{needs} is recorded as {stated}"
    yield Fault((clause_of_wrong_hit(state, roll),), says, due, stated, found.because.flat().events)


def clause_of_wrong_hit(state: VileState, roll: AttackRoll) -> str:
    """Return the first rule whose neglect makes a stated hit or miss right."""
    total, needed, ac = roll_total(state, roll).value, number_needed(state, roll).value, _target_ac(state, roll).value
    raw, die = needed if roll.need else raw_need(roll.aac0, roll.starred, ac), _shown_face(roll)
    mirrored = roll.ac + 2 * _sum_of_ac_parts(state, roll) + sum(each.amount for each in ac_gains(state, roll))
    sheet = state.combatants[roll.who].sheet

    def is_right(needed: int) -> bool:
        return total is not None and (total >= needed) == roll.event.hit

    reasons = (
        (roll.event.foiled, "foiled.attempted-and-wasted"),
        (die == 1, "attack.natural-one"),
        (die == 20, "attack.natural-twenty"),
        (roll.maintains and is_right(needed - 2), "concentration.no-combat-penalty"),
        (roll.starred and is_right(need_on_table(raw - 1)), "attack.aac0-starred"),
        (is_right(raw), "attack.six-twenties"),
        (is_right(_need_by_ac(state, roll, mirrored)), "attack.ac-bonus-sign"),
        (is_right(needed + sum_of_bonuses(state, roll).value), "attack.modified-score"),
        (sheet.class_ and sheet.attack_table.casefold() in NO_TABLE, "attack.class-without-table"),
        (True, "attack.aac0"),
    )
    return next(rule for holds, rule in reasons if holds)


def _need_by_ac(state: VileState, roll: AttackRoll, ac: int) -> int:
    return number_needed(state, roll).value if roll.need else need_on_table(raw_need(roll.aac0, roll.starred, ac))


def hit_follows(state: VileState, roll: AttackRoll) -> bool:
    """Return whether a stated hit or miss follows from the stated armour class and total, right or wrong."""
    event = roll.event
    if event.foiled or _shown_face(roll) in (1, 20):
        return False
    penalties = unlawful_penalties(roll)
    on_roll, on_ac = (sum(mod.amount for mod in penalties if (mod.to or "attack") in to) for to in (ATTACK, AC))
    total = roll_total(state, roll).value + on_roll if event.total is None else event.total  # type: ignore[operator]
    ac = _target_ac(state, roll).value - on_ac if event.ac is None else event.ac
    return (total >= _need_by_ac(state, roll, ac)) == event.hit


# ---------------------------------------------------------------- attacks without outcome


@derives("called-shot.else-wasted", "called-shot.by-ruling")
def called_shot_succeeds(state: VileState, roll: AttackRoll) -> Derived[bool]:
    """Return whether a called shot succeeds: on a natural 20, or by a ruling after it."""
    if _shown_face(roll) == 20:
        return Derived(True, Because(("called-shot.else-wasted",), (roll.seq,)))
    for fact in state.rulings_since(state.round.opened):
        event = fact.event
        later = state.precedes(roll.seq, fact.seq) and event.event in records_of_roll(roll)
        if later or (event.ruling == "grant" and event.rule in called_shot_succeeds.rules):
            return Derived(True, Because(("called-shot.by-ruling",), (roll.seq, fact.seq)))
    return Derived(False, Because(("called-shot.else-wasted",), (roll.seq,)))


IN_VAIN = ("called-shot.else-wasted", "foiled.attempted-and-wasted", "attack.natural-one", "attack.aac0")
"""The rules by which attacks have no outcome."""


@checks_by(*IN_VAIN, on=(events.DamageDealt, events.ConditionGained, events.EffectStarted))
def an_attack_in_vain_does_nothing(state: VileState, fact: Reading[events.Fact]) -> Iterator[Fault]:
    """Yield a fault for an outcome of a failed called shot or a foiled attack, and for damage by a roll that misses."""
    if (roll := roll_behind(state, fact)) is None:
        return
    if "called" in roll.act.action.manner:
        if not called_shot_succeeds(state, roll).value:
            says = f"{roll.who}'s called shot has failed"
            yield Fault(("called-shot.else-wasted",), says, "no outcome", "an outcome", (roll.seq,))
    elif roll.event.hit or roll.target not in affected_combatants(fact):
        return
    elif roll.event.foiled:
        says = f"{roll.who}'s attack is foiled"
        yield Fault(("foiled.attempted-and-wasted",), says, "no outcome", "an outcome", (roll.seq,))
    elif isinstance(fact.event, events.DamageDealt) and (hit := is_hit(state, roll)).value is False:
        rule, why = "attack.natural-one" if _shown_face(roll) == 1 else "attack.aac0", hit.because.flat().events
        yield Fault((rule,), f"{roll.who}'s attack misses", "no damage", f"{fact.event.amount} damage", why)


# ---------------------------------------------------------------- damage


PARTS = ("attack.stat-block", "damage.multiplier-after-modifiers", "damage.multipliers-do-not-stack")
"""The rules that wrong damage breaks: without a multiplier, with one, with several."""


@checks_by(*PARTS, on=events.DamageDealt)
def damage_is_the_sum_of_its_parts(state: VileState, fact: Reading[events.DamageDealt]) -> Iterator[Fault]:
    """Yield a fault for damage that is not the sum of its parts times the highest multiplier."""
    event: events.DamageDealt = fact.event
    due, several = sum_parts(event.parts, event.multipliers, event.reductions), len(event.multipliers)
    if not event.parts or due == event.amount or event.amount < 0 or (several > 1 and _may_stack(state, fact)):
        return
    says = f"the parts of the damage total {due}"
    yield Fault((PARTS[min(several, 2)],), says, f"{due} damage", f"{event.amount} damage")


def _may_stack(state: VileState, fact: Reading[events.Fact]) -> bool:
    roll = roll_behind(state, fact)
    if roll is None:
        return False
    rulings, rule = state.rulings_since(state.round.opened), "damage.multipliers-do-not-stack"
    return roll.stacks or has_grant(rulings, rule, who=(roll.who,), event=(fact.seq, *records_of_roll(roll))).value


@check("attack.stat-block", on=events.DamageDealt, rank=8)
def a_weapon_does_what_its_line_says(state: VileState, fact: Reading[events.DamageDealt]) -> Breach | None:
    wrong = next((part.dice for part in fact.event.parts if part.dice and not has_valid_faces(part.dice)), None)
    if wrong:
        return Breach(f"{wrong.notation} cannot show {face(wrong)}", wrong.notation, str(face(wrong)))
    if (roll := roll_behind(state, fact)) is None:
        return None
    weapons, event = weapons_in(state, roll.who, roll.name), fact.event
    spans = [span for each in weapons for part in (each.dice or "").split("/") if (span := extremes(part))]
    if not spans or event.reductions:
        return None
    least, most = min(span[0] for span in spans), max(span[1] for span in spans)
    done = sum(part_points(part) for part in event.parts if (part.kind or "").casefold() == "weapon")
    if not event.parts:
        ruling = ruled_modifiers(state, roll.who, DAMAGE, records_of_roll(roll), fact.seq)
        more = sum(each.amount for each in (*_effect_modifiers(state, roll.who, DAMAGE), *ruling))
        magic = sorted(each.magic + more for each in weapons)
        times = max((mod.amount for mod in event.multipliers), default=1)
        least, most, done = (least + min(0, magic[0])) * times, (most + max(0, magic[-1])) * times, event.amount
    if done == 0 or least <= done <= most:
        return None
    says = f"{' or '.join(f'{each.name} ({each.dice})' for each in weapons)} cannot deal {done} damage"
    events = (*state.combatants[roll.who].records("weapons"), roll.seq)
    return Breach(says, f"{least} to {most} damage", f"{done} damage", events)


# ---------------------------------------------------------------- routines: their attack line, target and moment


def rolls_of_routine(state: VileState, roll: AttackRoll) -> list[AttackRoll]:
    """Return the attack rolls of a roll's routine, up to itself."""
    acts = {each.seq for each in routine_of(state, roll.act)}
    rolls: dict[int, AttackRoll] = state.round.rolls
    return [each for each in rolls.values() if each.act.seq in acts and not state.precedes(roll.seq, each.seq)]


Excess = tuple[str, str, str, tuple[int, ...]]
"""What a fault of too many rolls says, the expected and the found value, and the rolls before."""


def excess_beyond_line(state: VileState, roll: AttackRoll) -> Excess | None:
    """Return the excess of a roll beyond the attacks of the attack line."""
    weapons = weapons_in(state, roll.who, roll.name)
    most = sum(each.attacks for each in weapons)
    rolled = [each.seq for each in rolls_of_routine(state, roll) if weapons_in(state, roll.who, each.name) == weapons]
    if not weapons or len(rolled) <= most:
        return None
    listed = " and ".join(f"{each.attacks} x {each.name}" for each in weapons)
    wanted, found = (f"{number} attack{'s' * (number != 1)}" for number in (most, len(rolled)))
    return f"the attack line has {listed}", wanted, found, tuple(rolled[:-1])


def _several_breach(act: VileAct, what: str, *records: int) -> Breach:
    says = f"one of {act.combatant}'s routines has several {what}s"
    return Breach(says, f"one {what}", "several", tuple(sorted({act.seq, *records})), once=(what, act.seq))


@check("routine.single-target", on=OF_ACTS)
def all_attacks_of_a_routine_go_against_one(state: VileState, fact: Reading[events.Fact]) -> Breach | None:
    if (act := recorded_act(state, fact)) and act.kind in ATTACKS and len({*act.action.targets}) > 1:
        return _several_breach(act, "target")
    if (roll := state.round.rolls.get(fact.seq)) is None:
        return None
    acts, rolls = routine_of(state, roll.act), [each for each in rolls_of_routine(state, roll) if each.target]
    targets = {each.target for each in rolls} | {who for each in acts for who in each.action.targets}
    records = [each.seq for each in acts] + [each.seq for each in rolls]
    return _several_breach(acts[0], "target", *records) if len(targets) > 1 else None


def _are_at_several_times(state: VileState, *records: int) -> bool:
    points = [state.moments[seq].point for seq in records]
    return len({each.segment for each in points} - {0}) > 1 or len({each.phase for each in points} - {0}) > 1


@check("routine.simultaneous", on=events.AttackRolled, group="moment", rank=3, subject=roll_behind)
def a_routine_happens_at_once(state: VileState, _fact: Reading[events.Fact], roll: AttackRoll) -> Breach | None:
    acts = routine_of(state, roll.act)
    records = [each.seq for each in acts] + [each.seq for each in rolls_of_routine(state, roll)]
    return _several_breach(acts[0], "moment", *records) if _are_at_several_times(state, *records) else None


@check("routine.simultaneous", on=OF_ACTS, group="place", rank=4, subject=recorded_act)
def the_parts_of_a_routine_come_together(state: VileState, _fact: Reading[events.Fact], act: VileAct) -> Breach | None:
    acts = routine_of(state, act)
    records = [each.seq for each in acts]
    return _several_breach(acts[0], "moment", *records) if _are_at_several_times(state, *records) else None


@check("routine.primary", on=OF_ACTS, group="place", rank=4, subject=recorded_act)
def the_primary_routine_comes_first(state: VileState, _fact: Reading[events.Fact], act: VileAct) -> Breach | None:
    numbers = [each.routine for each in state.round.acts_of[act.combatant] if each.routine]
    if not act.routine or numbers == sorted(numbers) or not slot_if_misplaced(state, act):
        return None
    says = f"{act.combatant}'s primary routine comes first"
    return Breach(says, "routine 1", f"routine {act.routine}", once=("primary", act.combatant, state.clock.round))


@check("attack.target-and-roll", on=OF_ACTS, group="target", subject=recorded_act)
def an_attack_names_its_target(state: VileState, _fact: Reading[events.Fact], act: VileAct) -> Breach | None:
    aimed = act.kind not in ATTACKS or act.action.targets or act.action.object
    if aimed or any(each.cause == act.seq for each in state.moments.values()):
        return None
    return Breach(f"{act.combatant} attacks nobody", "a target", "none", once=("target", act.seq))
