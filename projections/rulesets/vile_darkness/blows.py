"""Late checks of blows: the roll, the hit, the damage, the routine.

Each independent mistake in a roll has a finding: the die, the armour class, the total, the hit. A wrong hit that follows
from another mistake has none; any other is attributed to the first rule whose neglect explains it.
"""

from collections.abc import Callable, Iterator
from functools import partial

from eventstore.events import AttackRolled, ConditionGained, DamageDealt, EffectStarted, Fact
from projections.because import Because, Derived
from projections.mechanics.grants import granted
from projections.mechanics.rolls import amount, extremes, face, is_on, is_shown, worth
from projections.ruleset.faults import Fault, by_first_reason, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.vile_darkness import attack
from projections.rulesets.vile_darkness.attributes import touched
from projections.rulesets.vile_darkness.order_checks import REASONS, LateCheck, misplaced, of_acts
from projections.rulesets.vile_darkness.reading import Reading
from projections.rulesets.vile_darkness.state import AttackRoll, VileAct, VileState
from projections.rulesets.vile_darkness.table import ATTACKS, routine_of, weapons_in
from projections.stream.causes import lineage

Looks = Callable[[VileState, Reading[Fact], AttackRoll], Breach | None]


def of_rolls(
    rule: str, rank: int, on: tuple[type, ...] = (AttackRolled,), group: str = "roll"
) -> Callable[[Looks], LateCheck[AttackRoll]]:
    """Return a decorator for a late check of attack rolls, or of their outcomes."""
    return check(rule, on=on, group=group, rank=rank, subject=roll_of)


of_damage = partial(of_rolls, on=(DamageDealt,), group="damage")
of_outcomes = partial(of_rolls, on=(DamageDealt, ConditionGained, EffectStarted), group="damage")


def roll_of(state: VileState, fact: Reading[Fact]) -> AttackRoll | None:
    """Return the attack roll of a fact: itself, the one among its causes, else the hit, or the only roll, of the act
    among its causes; None with several hits.
    """
    if isinstance(fact.event, DamageDealt) and fact.event.amount <= 0:  # this changes nothing
        return None
    rolls: dict[int, AttackRoll] = state.round.rolls
    for seq in (fact.seq, *lineage(state, fact.fact.cause)):
        if seq in rolls:
            return rolls[seq]
        own = [each for each in rolls.values() if each.act.seq == seq and state.precedes(each.seq, fact.seq)]
        hits = [each for each in own if attack.hit_of(state, each).value]
        if own:
            return (hits or own)[-1] if len(hits) < 2 else None
    return None


# ---------------------------------------------------------------- die, target, armour class, total


@of_rolls("attack.target-and-roll", 1)
def a_d20_is_rolled(_state: VileState, _fact: Reading[Fact], roll: AttackRoll) -> Breach | None:
    if roll.event.die is None or is_on(roll.event.die, 20):
        return None
    return Breach(f"the die of {roll.who} shows {attack.shown(roll)}", "1 to 20", str(attack.shown(roll)))


@of_rolls("attack.target-and-roll", 2)
def an_attack_has_a_target(_state: VileState, _fact: Reading[Fact], roll: AttackRoll) -> Breach | None:
    if roll.target or roll.act.action.object or roll.act.action.targets:
        return None
    return Breach(f"{roll.who} attacks nobody", "a target", "none", once=("target", roll.act.seq))


@of_rolls("concentration.no-combat-penalty", 11, group="armour")
def concentrating_brings_no_penalty(state: VileState, _fact: Reading[Fact], roll: AttackRoll) -> Breach | None:
    wrong, stated = attack.unlawful(roll), roll.event.ac
    if wrong:
        return Breach(f"{wrong[0].name} brings no penalty", "no penalty", str(wrong[0].amount))
    own = attack.ac_of(state, roll)
    if not roll.maintains or stated is None or stated <= own.value:
        return None
    return Breach(f"{roll.target} is as hard to hit as ever", str(own.value), str(stated), own.because.flat().events)


@of_rolls("attack.ac-scale", 12, group="armour")
def an_armour_class_is_on_the_scale(_state: VileState, _fact: Reading[Fact], roll: AttackRoll) -> Breach | None:
    ac = roll.event.ac
    if ac is None or ac == attack.on_the_scale(ac):
        return None
    return Breach(f"there is no armour class {ac}", "-10 to 10", str(ac))


def _wrong_ac(state: VileState, roll: AttackRoll) -> Breach | None:
    own = attack.ac_of(state, roll)
    if not roll.target or roll.event.ac in (None, own.value):
        return None
    says = f"{roll.target} has armour class {own.value}, stated as {roll.event.ac}"
    return Breach(says, str(own.value), str(roll.event.ac), own.because.flat().events)


@of_rolls("attack.ac-bonus-sign", 13, group="armour")
def a_bonus_lowers_the_armour_class(state: VileState, _fact: Reading[Fact], roll: AttackRoll) -> Breach | None:
    found = _wrong_ac(state, roll)
    return found if found and (attack.gains(state, roll) or _parts(state, roll)) else None


def _parts(state: VileState, roll: AttackRoll) -> int:
    """Return the sum of the parts in the target's armour class."""
    return sum(state.combatants[roll.target].sheet.ac_parts.values())


@of_rolls("attack.target-and-roll", 14, group="armour")
def the_roll_is_against_the_armour_class(state: VileState, _fact: Reading[Fact], roll: AttackRoll) -> Breach | None:
    return _wrong_ac(state, roll)


@of_rolls("attack.modified-score", 15, group="total")
def a_total_is_the_die_and_its_modifiers(state: VileState, _fact: Reading[Fact], roll: AttackRoll) -> Breach | None:
    total, stated = attack.total_of(state, roll), roll.event.total
    if stated in (None, total.value):
        return None
    return Breach(f"the roll totals {total.value}", str(total.value), str(stated), total.because.flat().events)


# ---------------------------------------------------------------- the hit


class WrongHit:
    """An attack roll whose stated hit or miss is wrong, with the mistakes that would explain it."""

    def __init__(self, state: VileState, roll: AttackRoll) -> None:
        self.roll, self.hit, self.total = roll, attack.hit_of(state, roll), attack.total_of(state, roll).value
        self.needed, self.ac = attack.need_of(state, roll).value, attack.ac_of(state, roll).value
        raw = self.needed if roll.need else attack.raw_need(roll.aac0, roll.starred, self.ac)
        shown, sheet = attack.shown(roll), state.combatants[roll.who].sheet
        mirrored = roll.ac + 2 * _parts(state, roll) + sum(each.amount for each in attack.gains(state, roll))
        self.is_foiled, self.is_one, self.is_twenty = roll.event.foiled, shown == 1, shown == 20
        self.is_penalized = roll.maintains and self._would(self.needed - 2)
        self.is_unstarred = roll.starred and self._would(attack.repeated(raw - 1))
        self.is_unrepeated, self.is_mirrored = self._would(raw), self._would(self._need(mirrored))
        self.is_unmodified = self._would(self.needed + attack.bonuses(state, roll).value)
        self.has_no_table = bool(sheet.class_) and sheet.attack_table.casefold() in attack.NO_TABLE

    def _would(self, needed: int) -> bool:
        """Return whether the statement would be right if another number were needed."""
        return self.total is not None and (self.total >= needed) == self.roll.event.hit

    def _need(self, ac: int) -> int:
        raw = attack.raw_need(self.roll.aac0, self.roll.starred, ac)
        return self.needed if self.roll.need else attack.repeated(raw)

    def follows(self) -> bool:
        """Return whether the mistake follows from a wrong armour class or total, which have findings of their own."""
        event, own = self.roll.event, self.total
        if self.is_foiled or self.is_one or self.is_twenty:
            return False
        total = own + self._unlawful(attack.ATTACK) if event.total is None else event.total  # type: ignore[operator]
        ac = self.ac - self._unlawful(attack.AC) if event.ac is None else event.ac
        return (total >= self._need(ac)) == event.hit

    def _unlawful(self, to: tuple[str, ...]) -> int:
        return sum(mod.amount for mod in attack.unlawful(self.roll) if (mod.to or "attack") in to)

    def breach(self, says: str) -> Breach:
        """Return the breach, with the number needed."""
        found, due = ("a hit", "a miss") if self.roll.event.hit else ("a miss", "a hit")
        needs = f", {self.needed} being needed" if self.hit.because.of else ""
        text = f"{says.format(total=self.total or 'the roll', who=self.roll.who)} as {found}{needs}"
        return Breach(text, f"{due}{needs}", found, self.hit.because.flat().events)


def wrong_hit(state: VileState, fact: Reading[Fact]) -> WrongHit | None:
    """Return the roll of a fact if its stated hit or miss is wrong and no other finding explains that."""
    own = [each for each in state.round.rolls.values() if each.seq == fact.seq]
    wrong = [WrongHit(state, each) for each in own if each.event.hit not in (None, attack.hit_of(state, each).value)]
    return next((each for each in wrong if not each.follows()), None)


HITS = by_first_reason(wrong_hit, AttackRolled, "hit", 21, REASONS["hit"])
"""Checks of wrong hits: the first rule whose neglect explains the mistake."""

# ---------------------------------------------------------------- attacks without outcome


@derives("called-shot.else-wasted", "called-shot.by-ruling")
def succeeds(state: VileState, roll: AttackRoll) -> Derived[bool]:
    """Return whether a called shot succeeds: on a natural 20, or by a ruling after it."""
    if attack.shown(roll) == 20:
        return Derived(True, Because(("called-shot.else-wasted",), (roll.seq,)))
    for fact in state.rulings_since(state.round.opened):
        event = fact.event
        later = state.precedes(roll.seq, fact.seq) and event.event in attack.about(roll)
        if later or (event.ruling == "grant" and event.rule in succeeds.rules):
            return Derived(True, Because(("called-shot.by-ruling",), (roll.seq, fact.seq)))
    return Derived(False, Because(("called-shot.else-wasted",), (roll.seq,)))


@of_outcomes("called-shot.else-wasted", 1)
def a_failed_called_shot_does_nothing(state: VileState, _fact: Reading[Fact], roll: AttackRoll) -> Breach | None:
    if not roll.called or succeeds(state, roll).value:
        return None
    return Breach(f"the called shot of {roll.who} has failed", "nothing", "an outcome", (roll.seq,))


@of_outcomes("foiled.attempted-and-wasted", 2)
def a_foiled_attack_does_nothing(_state: VileState, fact: Reading[Fact], roll: AttackRoll) -> Breach | None:
    if not roll.event.foiled or roll.event.hit or roll.target not in touched(fact):
        return None
    return Breach(f"the attack of {roll.who} is foiled", "no damage", "an outcome", (roll.seq,))


@checks_by("attack.natural-one", "attack.aac0", on=DamageDealt)
def a_miss_does_no_damage(state: VileState, fact: Reading[DamageDealt]) -> Iterator[Fault]:
    """Yield a fault for damage by a roll that misses, unless the roll was stated as a hit."""
    roll = roll_of(state, fact)
    if roll is None or roll.event.hit or roll.event.foiled or roll.called or roll.target not in touched(fact):
        return
    hit, rule = attack.hit_of(state, roll), "attack.natural-one" if attack.shown(roll) == 1 else "attack.aac0"
    if hit.value is False:
        why = hit.because.flat().events
        yield Fault((rule,), f"the roll of {roll.who} misses", "no damage", str(fact.event.amount), why)


# ---------------------------------------------------------------- the sum of damage


PARTS = ("attack.stat-block", "damage.multiplier-after-modifiers", "damage.multipliers-do-not-stack")
"""The rules that wrong damage breaks: without a multiplier, with one, with several."""


@checks_by(*PARTS, on=DamageDealt)
def damage_is_the_sum_of_its_parts(state: VileState, fact: Reading[DamageDealt]) -> Iterator[Fault]:
    """Yield a fault for damage that is not the sum of its parts times the highest multiplier."""
    event: DamageDealt = fact.event
    due, several = amount(event.parts, event.multipliers, event.reductions), len(event.multipliers)
    if not event.parts or due == event.amount or event.amount < 0 or (several > 1 and _may_stack(state, fact)):
        return
    yield Fault((PARTS[min(several, 2)],), f"the parts total {due}", str(due), str(event.amount))


def _may_stack(state: VileState, fact: Reading[Fact]) -> bool:
    """Return whether a ruling, or an effect on the attacker, lets several multipliers stack."""
    roll = roll_of(state, fact)
    if roll is None:
        return False
    rulings, rule = state.rulings_since(state.round.opened), "damage.multipliers-do-not-stack"
    return roll.stacks or granted(rulings, rule, who=(roll.who,), event=(fact.seq, *attack.about(roll))).value


# ---------------------------------------------------------------- the damage of a weapon


@check("attack.stat-block", on=DamageDealt, group="dice", rank=8)
def dice_show_what_they_have(_state: VileState, fact: Reading[DamageDealt]) -> Breach | None:
    wrong = next((part.dice for part in fact.event.parts if part.dice and not is_shown(part.dice)), None)
    return Breach(f"{wrong.notation} cannot show this", wrong.notation, str(face(wrong))) if wrong else None


@of_damage("attack.stat-block", 9, group="dice")
def a_weapon_does_what_its_line_says(state: VileState, fact: Reading[Fact], roll: AttackRoll) -> Breach | None:
    weapons, event = weapons_in(state, roll.who, roll.name), fact.event
    spans = [span for each in weapons for part in (each.dice or "").split("/") if (span := extremes(part))]
    if not spans or not isinstance(event, DamageDealt) or event.reductions:
        return None
    least, most = min(span[0] for span in spans), max(span[1] for span in spans)
    done = sum(worth(part) for part in event.parts if (part.kind or "").casefold() == "weapon")
    if not event.parts:
        ruling = attack.ruled(state, roll.who, attack.DAMAGE, attack.about(roll), fact.seq)
        more = sum(each.amount for each in (*attack.added(state, roll.who, attack.DAMAGE), *ruling))
        magic = sorted(each.magic + more for each in weapons)
        times = max((mod.amount for mod in event.multipliers), default=1)
        least, most, done = (least + min(0, magic[0])) * times, (most + max(0, magic[-1])) * times, event.amount
    if done == 0 or least <= done <= most:
        return None
    says = f"{' or '.join(f'{each.name} ({each.dice})' for each in weapons)} cannot do {done}"
    return Breach(says, f"{least} to {most}", str(done), (*state.combatants[roll.who].records("weapons"), roll.seq))


# ---------------------------------------------------------------- the attack line


def rolls_in(state: VileState, roll: AttackRoll) -> list[AttackRoll]:
    """Return the attack rolls of a roll's routine, up to itself."""
    acts = {each.seq for each in routine_of(state, roll.act)}
    rolls: dict[int, AttackRoll] = state.round.rolls
    return [each for each in rolls.values() if each.act.seq in acts and not state.precedes(roll.seq, each.seq)]


def beyond_the_line(state: VileState, roll: AttackRoll) -> Breach | None:
    """Return the breach of a roll beyond the attacks of the attack line."""
    weapons = weapons_in(state, roll.who, roll.name)
    most = sum(each.attacks for each in weapons)
    rolled = [each.seq for each in rolls_in(state, roll) if weapons_in(state, roll.who, each.name) == weapons]
    if not weapons or len(rolled) <= most:
        return None
    listed = " and ".join(f"{each.attacks} x {each.name}" for each in weapons)
    return Breach(f"the attack line has {listed}", str(most), str(len(rolled)), tuple(rolled[:-1]))


@of_rolls("attack.stat-block", 3)
def a_line_has_so_many_attacks(state: VileState, _fact: Reading[Fact], roll: AttackRoll) -> Breach | None:
    return beyond_the_line(state, roll)


# ---------------------------------------------------------------- one target, one moment


def _several(act: VileAct, what: str, *records: int) -> Breach:
    """Return the breach of a routine with several targets or moments, by these records."""
    says = f"one routine of {act.combatant} has several {what}s"
    return Breach(says, f"one {what}", "several", tuple(sorted({act.seq, *records})), once=(what, act.seq))


@of_acts("routine.single-target", "routine", 1)
def a_routine_has_one_target(_state: VileState, _fact: Reading[Fact], act: VileAct) -> Breach | None:
    several = act.kind in ATTACKS and len({*act.action.targets}) > 1
    return _several(act, "target") if several else None


@of_rolls("routine.single-target", 2, group="routine")
def all_attacks_of_a_routine_go_against_one(state: VileState, _fact: Reading[Fact], roll: AttackRoll) -> Breach | None:
    acts, rolls = routine_of(state, roll.act), [each for each in rolls_in(state, roll) if each.target]
    targets = {each.target for each in rolls} | {who for each in acts for who in each.action.targets}
    records = [each.seq for each in acts] + [each.seq for each in rolls]
    return _several(acts[0], "target", *records) if len(targets) > 1 else None


def _are_at_several_times(state: VileState, *records: int) -> bool:
    """Return whether these records are in several segments or slots."""
    points = [state.moments[seq].point for seq in records]
    return len({each.segment for each in points} - {0}) > 1 or len({each.phase for each in points} - {0}) > 1


@of_rolls("routine.simultaneous", 3, group="moment")
def a_routine_happens_at_once(state: VileState, _fact: Reading[Fact], roll: AttackRoll) -> Breach | None:
    acts = routine_of(state, roll.act)
    records = [each.seq for each in acts] + [each.seq for each in rolls_in(state, roll)]
    return _several(acts[0], "moment", *records) if _are_at_several_times(state, *records) else None


@of_acts("routine.simultaneous", "place", 4)
def the_parts_of_a_routine_come_together(state: VileState, _fact: Reading[Fact], act: VileAct) -> Breach | None:
    acts = routine_of(state, act)
    records = [each.seq for each in acts]
    return _several(acts[0], "moment", *records) if _are_at_several_times(state, *records) else None


@of_acts("routine.primary", "place", 4)
def the_primary_routine_comes_first(state: VileState, _fact: Reading[Fact], act: VileAct) -> Breach | None:
    numbers = [each.routine for each in state.round.acts_of[act.combatant] if each.routine]
    if not act.routine or numbers == sorted(numbers) or not misplaced(state, act):
        return None
    says = f"the primary routine of {act.combatant} comes first"
    return Breach(says, "routine 1", f"routine {act.routine}", once=("primary", act.combatant, state.clock.round))


@of_acts("attack.target-and-roll", "target")
def an_attack_names_its_target(state: VileState, _fact: Reading[Fact], act: VileAct) -> Breach | None:
    if act.kind not in ATTACKS or act.action.targets or act.action.object:
        return None
    if any(each.cause == act.seq for each in state.moments.values()):
        return None
    return Breach(f"{act.combatant} attacks nobody", "a target", "none", once=("target", act.seq))
