"""Attack rolls: the parts added to the die, the values that hold when it is rolled, hits, critical hits; late checks of them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, combinations

from msgspec import structs

from eventstore.events import AttackRolled, DiceRolled, Fact
from eventstore.shapes import Action, Modifier
from projections.because import NOTHING_CITED, Because, Derived, terms
from projections.mechanics.diagnosis import omission, said_totals, total_without
from projections.mechanics.grants import words_of
from projections.mechanics.rolls import face, fits_sides
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import derives
from projections.rulesets.definition_master import acts, arms, table
from projections.rulesets.definition_master.order import turn_records
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.state import HITS, AttackRoll, Manner, MasterAct, MasterState, Named
from projections.sheet import entry_named

D20 = 20
OPENING = frozenset(kind for kind, row in table.contests().items() if row.touch)
"""The kinds of acts that open with a melee touch attack, which leads to an opposed roll."""
FORMULA: dict[Manner, str] = {"ranged": "ranged.formula", "ranged-touch": "touch.ranged"}
"""The clause behind the total of an attack roll, by its manner; that of melee is attack.formula."""
SHORT = frozenset((*table.table("part_names")["anywhere"].values(), *table.table("part_names")["first"].values()))
"""The short names of parts."""
TOUCHING, BASHING = "maneuver.touch-roll", "bash.roll"


def short_part_name(name: str) -> str:
    """Return the name of a part in its short form."""
    said = words_of(name)
    short = (short for phrase, short in table.table("part_names")["anywhere"].items() if {*phrase.split()} <= {*said})
    return str(next(short, table.table("part_names")["first"].get(" ".join(said[:1]), " ".join(said))))


def recorded_parts(modifiers: Iterable[Modifier]) -> Counter[str]:
    """Return the recorded parts of a roll by their short names; parts with one name are summed."""
    found: Counter[str] = Counter()
    for each in modifiers:
        if (each.to or "attack").casefold() in ("attack", "hit", "roll", "check"):
            found[short_part_name(each.name)] += each.amount
    return found


def attack_manner(state: MasterState, event: AttackRolled, act: MasterAct) -> Manner:
    """Return the manner of an attack, by the act, the entry or the weapon."""
    who, action = event.combatant, act.action
    entry = entry_named(state.combatants[who].sheet.entries, action.name, event.name)
    said = {word.casefold() for word in (*action.manner, *(entry.manner if entry else ()))}
    touch = (event.against or "").casefold() == "touch"
    if act.kind in OPENING or "melee-touch" in said:
        return "melee-touch"
    shot = "melee" not in said and arms.is_shot(state, who, event.name or action.name)
    if shot or not said.isdisjoint(("ranged", "ranged-touch")):
        return "ranged-touch" if touch or "ranged-touch" in said else "ranged"
    return "melee-touch" if touch else "melee"


def ability_modifier(state: MasterState, who: str, name: str) -> int:
    """Return a combatant's modifier of an ability, by its short name."""
    return int(getattr(state.combatants[who].sheet, "str_" if name == "str" else name))


def sheet_part(state: MasterState, who: str, name: str, amount: int, rule: str, *fields: str) -> Named:
    """Return a part of a roll that follows from these fields of a combatant's sheet."""
    return Named(name, amount, rule, Because((rule,), state.combatants[who].records(*fields)))


def _base_for_act(state: MasterState, roll: AttackRoll, shown: int | None) -> tuple[int, Because]:
    """Return the base attack bonus of an act outside attack actions; without an act, a recorded or shown one."""
    act, listed = roll.act, acts.attack_bonuses(state.combatants[roll.who]).value
    known = (each for each in (roll.said.get("base"), shown) if not act.cost and each in listed)
    rolled = tuple(state.flow.rolled.get(act.seq, ())) if act.cost == acts.HELD else ()
    return next(known, act.bonus), Because(of=(Derived(rolled, Because((), rolled)),))


def _base_for_slot(state: MasterState, roll: AttackRoll, shown: int | None) -> tuple[int, Because]:
    """Return the bonus of an attack action, as recorded or the best left not above those used; keep what is left."""
    act, rolled = roll.act, {each.act.seq: each.slot_bonus for each in state.round.rolls.values()}
    before = [each for each in acts.acts_of_turn(state, roll.who) if -1 < each.slot < act.slot]
    used = {each.slot: rolled.get(each.seq, each.bonus) for each in before}.values()
    roll.left = tuple(Counter(acts.attack_bonuses(state.combatants[roll.who]).value) - Counter(used))
    after = (act.after,) if act.after else ()
    because = Because((), after, (Because((), turn_records(state, roll.who)), _deciding_rolls(state, roll, before)))
    recorded, worst = roll.said.get("base"), min(used, default=act.bonus)
    if recorded in roll.left:
        return recorded, because
    following = max((each for each in roll.left if each <= worst), default=None)
    known = (each for each in (following, recorded, shown) if each is not None)
    return next(known, max(roll.left, default=worst)), because + Because((), acts.records_of(before))


def _deciding_rolls(state: MasterState, roll: AttackRoll, before: list[MasterAct]) -> Derived[tuple[int, ...]]:
    """Return the earlier rolls that decide the bonus: without a recorded cause, or with another slot's bonus."""
    own = {act.seq: act.bonus for act in before}
    rolls = [(seq, each) for seq, each in state.round.rolls.items() if each.act.seq in own]
    found = tuple(seq for seq, each in rolls if not roll.event.cause or each.slot_bonus != own[each.act.seq])
    return Derived(found, Because((), found))


@derives("attack.formula", "ranged.formula", "touch.ranged", "maneuver.touch-roll", "bash.roll")
def ability_part(state: MasterState, roll: AttackRoll) -> Named:
    """Return the ability part: the best for maneuvers and bashes, Dexterity for shots, else as roll or weapon say."""
    who = roll.who
    if roll.formula in (TOUCHING, BASHING):
        name = max(("str", "dex"), key=lambda each: (ability_modifier(state, who, each), each in roll.said))
    elif roll.is_shot:
        name = "dex"
    else:
        own = short_part_name(roll.arm.ability) if roll.arm and roll.arm.ability else "str"
        name = next((each for each in ("str", "dex") if each in roll.said), own)
    return sheet_part(state, who, name, ability_modifier(state, who, name), roll.formula, "str", "dex")


@derives("attacks.extra-above-five", "attacks.maneuver-uses-slot-bonus")
def base_part(state: MasterState, roll: AttackRoll, shown: int | None) -> Named:
    """Return the base attack bonus of a roll; `shown` is the bonus that its recorded die and total show."""
    rule = "attacks.extra-above-five"
    because = Because((rule,), state.combatants[roll.who].records("attacks", "base_attack"))
    amount, more = (_base_for_act if roll.act.slot < 0 else _base_for_slot)(state, roll, shown)
    return Named("base", amount, rule, because + more)


def roll_parts(state: MasterState, roll: AttackRoll) -> tuple[Named, ...]:
    """Return the parts added to the die of an attack roll, the base attack bonus first."""
    roll.parts = tuple(other_parts(state, roll))
    shown, total = _face_shown(roll.event), roll.event.total
    rest = sum(each.amount for each in roll.parts) + _further_amount(roll)
    known = None if shown is None or total is None else total - shown - rest
    return base_part(state, roll, known), *roll.parts


def other_parts(state: MasterState, roll: AttackRoll) -> Iterator[Named]:
    """Yield the parts added to the die of an attack roll beside the base attack bonus."""
    who, said = roll.who, roll.said
    yield ability_part(state, roll)
    sheet = state.combatants[who].sheet
    size = sheet.ac.get("size", 0) if isinstance(sheet.ac, dict) else 0
    if not roll.is_shot:
        size = min(size, 0) if said.keys().isdisjoint(("str", "dex", "size")) else 0
    if size:
        yield Named("size", said.get("size", size), roll.formula, Because((), state.combatants[who].records("ac")))
    yield from training_penalties(state, roll)
    yield from arms.stance_parts(state, who, "attack")
    others = [amount for name, amount in said.items() if name not in SHORT]
    for name, amount, because in roll_bonuses(state, roll):
        if short_part_name(name) not in said and amount not in others:
            yield Named(short_part_name(name), amount, roll.formula, because)


@derives("untrained.weapon-penalty", "untrained.armor-check-penalty")
def training_penalties(state: MasterState, roll: AttackRoll) -> Iterator[Named]:
    """Yield the penalties for a weapon or an armour in which a combatant is not trained."""
    weapon, check = "untrained.weapon-penalty", "untrained.armor-check-penalty"
    if roll.arm and not roll.opens and (unused := arms.untrained_weapon(state, roll.who, roll.arm)):
        for row in table.bonuses_of("untrained-weapon", "attack"):
            yield Named("untrained", row.amount, weapon, Because((weapon,), of=(unused,)))
    worn = arms.untrained_armor(state, roll.who)
    penalty = -abs(state.combatants[roll.who].sheet.check_penalty)
    if worn and penalty:
        yield Named("check penalty", penalty, check, Because((check,), of=(worn,)))


@derives("touch.weapon-fixation")
def roll_bonuses(state: MasterState, roll: AttackRoll) -> Iterator[tuple[str, int, Because]]:
    """Yield the amounts that weapon, entries of the sheet, effects and rulings add to a roll, as name, amount and reason."""
    one, touches = state.combatants[roll.who], roll.manner == "melee-touch"
    because = Because((), one.records("entries", "weapons"))
    if roll.arm and roll.arm.bonus:
        yield roll.arm.name, roll.arm.bonus, because
    for entry in one.sheet.entries:
        if touches or short_part_name(entry.name) != "weapon fixation":
            said = (mod for mod in entry.modifiers if (mod.to or "attack").casefold() in ("attack", roll.manner))
            yield from ((mod.name, mod.amount, because) for mod in said)
    for name, uses in one.sheet.feats.items():
        if touches and short_part_name(name) == "weapon fixation":
            yield name, uses, Because(roll_bonuses.rules, one.records("feats"))
    yield from arms.added_parts(state, roll.who, "attack")


def unlawful_parts(roll: AttackRoll) -> dict[str, str]:
    """Return the recorded parts of a roll that are not allowed, with the clause that forbids each."""
    found, due = dict[str, str](), {each.name for each in roll.parts}
    for name, amount in roll.said.items():
        if name in ("str", "dex") and name not in due:
            found[name] = roll.formula
        elif "ally" in words_of(name) and roll.is_shot:
            found[name] = "ranged.through-ally"
        elif "charge" in words_of(name) and amount:
            found[name] = "charge.damage-bonus"
        elif name == "weapon fixation" and roll.manner != "melee-touch":
            found[name] = "touch.weapon-fixation"
        elif name == "reckless" and amount:
            found[name] = "reckless.trade"
    return found


def _further_amount(roll: AttackRoll) -> int:
    known = unlawful_parts(roll).keys() | {each.name for each in roll.parts} if roll.said else ()
    return sum(amount for name, amount in roll.said.items() if name not in known)


@derives("attack.formula", on=AttackRolled, phase="rolls")
def keep_attack_roll(state: MasterState, fact: Occurrence[AttackRolled]) -> None:
    """Keep an attack roll with its values of that moment; a confirmation has those of the roll it confirms."""
    event: AttackRolled = fact.event
    if event.confirms:
        if first := state.round.rolls.get(event.confirms):
            state.round.rolls[fact.seq] = again = _make_confirmation(fact, first)
            first.confirmed = first.confirmed or again
        return
    one = state.combatants[event.combatant]
    known, best = acts.act_of_roll(state, fact), acts.attack_bonus(one, 0)
    act = known or MasterAct(fact.seq, one.id, Action(kind="attack"), fact.point, kind="attack", cost="", bonus=best)
    roll = _make_roll(state, fact, act)
    if not (known or event.name) and acts.possible_acts_behind(state, fact):
        roll.arm = None  # one of several acts may need no weapon
    roll.parts = roll_parts(state, roll)
    roll.slot_bonus = roll.parts[0].amount
    roll.total = _roll_total(roll)
    hold = state.combat.grapples.of(roll.target)
    if hold and roll.is_shot and roll.who not in (hold.aggressor, hold.defender):
        roll.other, roll.percent = hold.other(roll.target), state.combat.chances.pop(act.seq, None)
    for who in (each for each in (roll.other, roll.target) if each and state.combatants[each].sheet.ac is not None):
        keep_armor_class(state, roll, who)
    state.round.rolls[fact.seq] = roll


def keep_armor_class(state: MasterState, roll: AttackRoll, who: str) -> None:
    """Keep a combatant's armour class to compare a roll with, and facts about that combatant's stances."""
    flat, touch = arms.is_flat_footed(state, who, roll.who, roll.event), roll.is_touch
    roll.pieces[who] = parts = arms.armor_parts(state, who, touch, flat)
    roll.armor[who] = arms.armor_class(state, who, touch, flat, parts)
    if roll.event.ac is not None and flat.value and (roll.event.against or "").casefold() == arms.FLAT:
        roll.armor[who] = Derived(roll.event.ac, Because(flat.because.rules, (*flat.because.events, roll.seq)))
    own = state.combat.stances.own.get(who, {}).values()
    roll.flat, roll.stale = flat.value, any(each.round != state.clock.round for each in own)
    roll.attacked = any(each.who == who for each in state.round.rolls.values())
    roll.over = frozenset(state.combat.stances.over.get(who, ()))


def _make_roll(state: MasterState, fact: Occurrence[AttackRolled], act: MasterAct) -> AttackRoll:
    event, who, said = fact.event, fact.event.combatant, act.action
    named, spell = event.name or said.name, act.kind in table.kinds("spells")
    arm = None if spell else (arms.weapon_named if act.kind == "bash" else arms.weapon_of)(state, who, named)
    entry = entry_named(state.combatants[who].sheet.entries, said.name, event.name)
    target = event.target or (said.targets[0] if len(said.targets) == 1 else "")
    manner, opens = attack_manner(state, event, act), act.kind in OPENING
    return AttackRoll(
        fact.seq,
        who,
        target if target in state.combatants else "",
        event,
        act,
        recorded_parts(event.modifiers),
        TOUCHING if opens else BASHING if act.kind == "bash" else FORMULA.get(manner, "attack.formula"),
        weapon=named or "",
        arm=arm,
        manner=manner,
        opens=opens,
        spell=spell,
        threat=arm.threat if arm else (entry.threat if entry else None) or D20,
    )


def _make_confirmation(fact: Occurrence[AttackRolled], first: AttackRoll) -> AttackRoll:
    """Return a roll that confirms another, with exactly the modifiers of that one."""
    shown, more = _face_shown(fact.event), sum(each.amount for each in first.parts) + _further_amount(first)
    because = Because(("critical.confirm-same-modifiers",), (fact.seq,), of=(first.total,))
    total = Derived(fact.event.total if shown is None else shown + more, because)
    again = structs.replace(first, seq=fact.seq, event=fact.event, confirms=first.seq, confirmed=None)
    return structs.replace(again, said=recorded_parts(fact.event.modifiers), total=total)


def _face_shown(event: AttackRolled) -> int | None:
    return None if event.die is None else face(event.die)


def _roll_total(roll: AttackRoll) -> Derived[int | None]:
    """Return the total of a roll; the recorded one if no die is."""
    shown, rules = _face_shown(roll.event), (roll.formula,)
    if shown is None:
        return Derived(roll.event.total, Because(rules, (roll.seq,)))
    more = _further_amount(roll)
    total = shown + sum(each.amount for each in roll.parts) + more
    said = terms(total, ("on the die", shown), *((each.name, each.amount) for each in roll.parts), ("recorded", more))
    return Derived(total, Because(rules, (roll.seq,), of=(*(each.because for each in roll.parts), *said)))


@derives("ranged.into-grapple", on=DiceRolled, phase="rolls")
def keep_target_chance(state: MasterState, fact: Occurrence[DiceRolled]) -> None:
    """Keep the d% that decides at which of two grapplers a shot goes."""
    if fact.event.die is None:
        return
    shown, shots = (face(fact.event.die), fact.seq), shots_awaiting_chance(state, fact)
    if not shots:
        state.combat.chances[fact.cause] = shown
    elif len(shots) == 1:
        shots[0].percent = shown
    for roll in shots:
        roll.doubtful = roll.percent is None


def shots_awaiting_chance(state: MasterState, fact: Occurrence[DiceRolled]) -> list[AttackRoll]:
    """Return the shots into a grapple to which a d% may belong: its cause, else the combatant's without one."""
    event, rolls = fact.event, (each for each in state.round.rolls.values() if each.other and not each.confirms)
    shots = [each for each in rolls if each.percent is None]
    about = table.mentions("at-a-grapple", event.purpose) or not (event.purpose or event.cause)
    named = [each for each in shots if event.cause and fact.cause in (each.seq, each.act.seq)]
    return named or [each for each in shots if about and event.combatant in (None, each.who)]


@derives("ranged.into-grapple")
def attack_target(state: MasterState, roll: AttackRoll) -> Derived[str]:
    """Return the target of an attack, "" if it is uncertain; a shot at a grappler may go at the other one."""
    first = state.round.rolls.get(roll.confirms, roll)
    if first.percent is None:
        return Derived("" if first.doubtful else roll.target, NOTHING_CITED)
    astray = is_in_half(state, first.percent[0])
    return Derived(roll.other if astray else roll.target, Because(attack_target.rules, first.percent[1:]))


def is_in_half(state: MasterState, shown: int) -> bool:
    """Say whether a d% falls into the bad half, by the option."""
    return (shown <= 50) == (state.option("percent-half") == "low")


@derives("attack.meets-ac-hits")
def does_hit(state: MasterState, roll: AttackRoll) -> Derived[bool | None]:
    """Return whether a roll reaches the armour class; None if that is unknown."""
    shown, target = _face_shown(roll.event), attack_target(state, roll)
    is_natural = shown in (1, D20) and not roll.confirms
    if is_natural and state.option("natural-rolls") == "automatic":
        return Derived(shown == D20, Because((HITS,), (roll.seq,)))
    armed, total = roll.armor.get(target.value), roll.total.value
    if roll.event.foiled or total is None or armed is None:
        return Derived(False if roll.event.foiled else roll.event.hit, Because((HITS,), (roll.seq,)))
    return Derived(total >= armed.value, Because((HITS,), (roll.seq,), (roll.total, armed, target)))


def is_miss(state: MasterState, fact: Occurrence[Fact]) -> bool:
    """Say whether a fact is an attack roll that neither hits nor is recorded as a hit."""
    roll = state.round.rolls.get(fact.seq)
    return roll is not None and not roll.event.hit and does_hit(state, roll).value is False


@derives("critical.threat-range", "critical.threat-must-hit", "critical.spells-can")
def is_threat(state: MasterState, roll: AttackRoll) -> Derived[bool]:
    """Return whether a roll is a critical threat; if it is none, the first rule of the reason says why."""
    ranged = "critical.threat-range"
    shown, hit = _face_shown(roll.event), does_hit(state, roll)
    if shown is None or shown < roll.threat:
        return Derived(False, Because(("critical.spells-can" if roll.spell else ranged,), (roll.seq,)))
    armed, total = roll.armor.get(attack_target(state, roll).value), roll.total.value
    meets_it = armed is None or total is None or total >= armed.value
    hit_or_confirmed = roll.confirmed is not None if hit.value is None else hit.value
    return Derived(hit_or_confirmed and meets_it, Because(("critical.threat-must-hit", ranged), (roll.seq,), of=(hit,)))


@derives("critical.confirm-required", "critical.confirm-against-ac")
def is_critical(state: MasterState, roll: AttackRoll) -> Derived[bool]:
    """Return whether a roll is a confirmed threat; if it is none, the first rule of the reason says why."""
    threat = is_threat(state, roll)
    if not threat.value:
        return threat
    if roll.confirmed is None:
        return Derived(False, Because(("critical.confirm-required",), (roll.seq,), of=(threat,)))
    second, stated = does_hit(state, roll.confirmed), roll.confirmed.event.critical
    confirmed = stated is not False if second.value is None else second.value
    return Derived(confirmed, Because(("critical.confirm-against-ac",), (roll.confirmed.seq,), of=(threat, second)))


OWN = ("str", "dex", "base", "size")
"""The names of parts that are no penalty."""
SAME, AGAINST = "critical.confirm-same-modifiers", "critical.confirm-against-ac"
UNTIL, FULL_DEFENSE = "full-round.until-next-turn", "full-defense.ac-bonus"
SLOT, ORDER = "attacks.maneuver-uses-slot-bonus", "attacks.descending-order"


def roll_faults(state: MasterState, roll: AttackRoll) -> Iterable[Fault]:
    """Return the faults in the record of a roll; a consequence of another fault is none."""
    if roll.confirms:
        return _confirmation_faults(state, roll)
    parts = [*_part_faults(state, roll)]
    totals, armor = [*_total_faults(state, roll, wrong=bool(parts))], [*_armor_faults(state, roll)]
    found = [*_die_faults(roll), *parts, *totals, *armor]
    hits = [] if (parts or totals or armor) and outcome_follows(state, roll) else [*_hit_faults(state, roll)]
    return *found, *hits, *_threat_faults(state, roll)


@checks_by(*table.fault_clauses("attack"), on=AttackRolled)
def attack_is_recorded_rightly(state: MasterState, fact: Reading[AttackRolled]) -> Iterable[Fault]:
    """Return the faults in the record of an attack roll."""
    roll = state.round.rolls.get(fact.seq)
    return roll_faults(state, roll) if roll else ()


def _die_faults(roll: AttackRoll) -> Iterator[Fault]:
    if roll.event.die is not None and not fits_sides(roll.event.die, D20):
        touches = roll.manner == "melee-touch" and not roll.opens
        rule = SAME if roll.confirms else arms.TOUCHED if touches else roll.formula
        shown = str(face(roll.event.die))
        yield Fault((rule,), f"{roll.who}'s d20 cannot show {shown}", f"1 to {D20}", shown)


def _part_faults(state: MasterState, roll: AttackRoll) -> Iterator[Fault]:
    """Yield a fault for each part that is recorded wrong, or left out while others are listed."""
    said, barred = roll.said, unlawful_parts(roll)
    lists = not said.keys().isdisjoint(OWN)
    for name, rule in barred.items():
        yield Fault((rule,), f"{said[name]:+} for {name} does not count here", "no modifier", f"{said[name]:+}")
    for part in roll.parts:
        found = said.get(part.name)
        if found == part.amount or (found is None and (not lists or part.name in OWN)):
            continue
        rule = _slot_clause(state, roll, said["base"]) if part.name == "base" else part.rule
        says, due = f"{roll.who} attacks with {part.amount:+} for {part.name}", f"{part.amount:+}"
        yield Fault((rule,), says, due, "no modifier" if found is None else f"{found:+}", part.because.events)
    yield from _order_faults(state, roll)


def _slot_clause(state: MasterState, roll: AttackRoll, said: int) -> str:
    """Return the clause behind the bonus of an attack action; for a maneuver, that of the maneuver or of its bonus."""
    kind = roll.act.kind
    if roll.act.slot < 0:
        return roll.formula
    if kind in table.maneuver_kinds():
        return SLOT if kind == "disarm" else table.clause_of_kind(kind)
    return "attacks.extra-above-five" if said in acts.attack_bonuses(state.combatants[roll.who]).value else roll.formula


def _order_faults(state: MasterState, roll: AttackRoll) -> Iterator[Fault]:
    """Yield a fault for a better bonus after a worse one, and for a further attack if only better bonuses are left."""
    if not roll.left:
        return
    own = (each for each in state.round.rolls.values() if (each.who, each.act.own) == (roll.who, roll.act.own))
    before = [each for each in own if state.precedes(each.seq, roll.seq)]
    worse = [each for each in before if each.slot_bonus < roll.slot_bonus]
    if worse:
        says = f"{roll.who} attacks at {roll.slot_bonus:+} after {worse[0].slot_bonus:+}"
        yield Fault((ORDER,), says, "the best bonus first", f"{roll.slot_bonus:+}", (worse[0].seq,))
    elif roll.slot_bonus < min(roll.left):
        says = f"{roll.who} has only better attacks left than at {roll.slot_bonus:+}"
        yield Fault((ORDER,), says, "no further attack", f"{roll.slot_bonus:+}", tuple(each.seq for each in before))


def _total_faults(state: MasterState, roll: AttackRoll, *, wrong: bool) -> Iterator[Fault]:
    """Yield a fault for a wrong total, by the clause that explains it, unless the total follows from `wrong` parts."""
    stated, due = roll.event.total, roll.total.value
    if stated is None or due is None or stated == due or (wrong and stated in _totals_as_recorded(roll)):
        return
    others = (part for part in roll.parts if part.name not in OWN)
    missing = omission(stated, lambda part: total_without(due, (part,)), others)
    rule = missing.rule if missing else roll.formula
    if (bonus := roll.slot_bonus + stated - due) in acts.attack_bonuses(state.combatants[roll.who]).value:
        rule = _slot_clause(state, roll, bonus)
    says, total = f"{roll.who}'s attack roll totals {due}", roll.total.because.flat()
    yield Fault((rule,), says, f"a total of {due}", f"a total of {stated}", total.events)


def _totals_as_recorded(roll: AttackRoll) -> tuple[int, ...]:
    return said_totals(roll.total.value, _face_shown(roll.event), roll.parts, roll.said, unlawful_parts(roll))


def _armor_faults(state: MasterState, roll: AttackRoll) -> Iterator[Fault]:
    """Yield a fault for a roll against a wrong armour class, or as if the target were flat-footed."""
    target = attack_target(state, roll).value
    armed = roll.armor.get(target)
    if armed is None:
        return
    flat = (roll.event.against or "").casefold() == arms.FLAT
    if flat and not roll.flat:
        rule = "grapple.flat-footed-to-others" if state.combat.grapples.of(target) else "feint.flat-footed"
        yield Fault((rule,), f"{target} is not flat-footed against {roll.who}", "its full AC", arms.FLAT)
    elif roll.event.ac is not None and roll.event.ac != armed.value:
        defensive = table.bonuses_of("defensive", "ac") if roll.attacked else ()
        tried = (*_explaining_parts(roll, target), *_each_as_barred(defensive))
        rules = _clauses_left_out(roll, omission(roll.event.ac, lambda out: total_without(armed.value, out), tried))
        says, found = f"{target} has AC {armed.value}", f"AC {roll.event.ac}"
        for rule in rules:
            out = " and ".join(each.name for each in _barred_parts(roll, target).get(rule, ()))
            more = f", without {out}" if len(rules) > 1 else ""
            seqs, unsaid = armed.because.flat().events, _is_trade_after_turn(state, target, rule)
            yield Fault((rule,), says + more, f"AC {armed.value}", found, seqs, silent=unsaid)


def _part_clause(roll: AttackRoll, part: Named) -> str:
    """Return the clause that lets a part of a roll or of an armour class count, or bars it."""
    if part.rule == arms.TOUCHED and roll.manner == "ranged-touch":
        return "touch.ranged"
    return UNTIL if roll.stale and part.rule == FULL_DEFENSE else part.rule


def _clauses_left_out(roll: AttackRoll, out: Iterable[Named] | None) -> tuple[str, ...]:
    """Return the clauses of the parts that were left out; the one on hits if there are none."""
    return tuple(dict.fromkeys(_part_clause(roll, each) for each in out or () if each.rule != HITS)) or (HITS,)


def _barred_parts(roll: AttackRoll, target: str) -> dict[str, list[Named]]:
    """Return the parts of an armour class that do not count, by the clauses that bar them."""
    found = dict[str, list[Named]]()
    for each in (piece for piece in roll.pieces.get(target, ()) if not piece.counts):
        found.setdefault(_part_clause(roll, each), []).append(each)
    return found


def _explaining_parts(roll: AttackRoll, target: str) -> Iterator[tuple[Named, ...]]:
    """Yield sets of parts of an armour class to leave out: those that do not count first, as many as possible."""
    own, barred = roll.pieces.get(target, []), _barred_parts(roll, target).values()
    for count in range(len(barred), 0, -1):
        yield from (tuple(chain.from_iterable(those)) for those in combinations(barred, count))
    shields = [each for each in own if each.counts and arms.is_shield(each.name)]  # a spare one may count instead
    yield from ((each, *shields) for each in own if each.rule == arms.SPARE)
    yield from ((each,) for each in own if each.rule != HITS)
    yield from _each_as_barred(row for row in table.bonuses() if row.to == "ac" and row.name in roll.over)


def _each_as_barred(those: Iterable[table.Bonus]) -> Iterator[tuple[Named]]:
    return ((Named(row.name, row.amount, row.rule, counts=False),) for row in those)


def outcome_follows(state: MasterState, roll: AttackRoll) -> bool:
    """Say whether a hit or a miss follows from the recorded numbers, right or wrong."""
    event, armed = roll.event, roll.armor.get(attack_target(state, roll).value)
    total = event.total if event.total is not None else next(iter(_totals_as_recorded(roll)), None)
    against = event.ac if event.ac is not None else armed.value if armed else None
    flat = (event.against or "").casefold() == arms.FLAT and not roll.flat
    return flat or total is None or against is None or event.hit == (total >= against)


def _hit_faults(state: MasterState, roll: AttackRoll) -> Iterator[Fault]:
    """Yield a fault for a hit recorded as a miss, or a miss as a hit, by the clauses that explain it."""
    hit, stated = does_hit(state, roll), roll.event.hit
    target = attack_target(state, roll).value
    if stated in (None, hit.value):
        return
    tried: list[tuple[tuple[Named, ...], tuple[Named, ...]]] = [((), out) for out in _explaining_parts(roll, target)]
    if roll.event.total is None:
        tried += [((part,), ()) for part in roll.parts if part.name not in (*OWN, *roll.said)]
    rules: tuple[str, ...] = (HITS,)
    total, armed = roll.total.value, roll.armor.get(target)
    if total is not None and armed and roll.event.ac is None and (total >= armed.value) != stated:
        out = omission(stated, lambda both: total_without(total, both[0]) >= total_without(armed.value, both[1]), tried)
        rules = _clauses_left_out(roll, (*out[0], *out[1]) if out else ())
    due, said = (("a miss", "a hit")[bool(each)] for each in (hit.value, stated))
    comes = "roll" if roll.total.value is None else roll.total.value
    says = f"{roll.who}'s {comes} is {due} against {target or 'nobody'}"
    yield Fault(rules, says, due, said, hit.because.flat().events, silent=_is_trade_after_turn(state, target, *rules))


def _is_trade_after_turn(state: MasterState, who: str, *rules: str) -> bool:
    """Say whether a fault is about a trade after its owner's turn; the text does not say how long it lasts."""
    return state.clock.turn != who and bool({*rules} & {*arms.TRADES})


def _threat_faults(state: MasterState, roll: AttackRoll) -> Iterator[Fault]:
    """Yield a fault for a threat without a confirmation, and for a critical hit that is none."""
    critical, threat = is_critical(state, roll), is_threat(state, roll)
    if roll.event.die is None or not fits_sides(roll.event.die, D20):
        return
    if threat.value and roll.confirmed is None and not roll.opens:
        found = "a critical hit" if roll.event.critical else "none"
        says = f"{roll.who} has to confirm the threat"
        yield Fault(("critical.confirm-required",), says, "a confirmation roll", found)
    elif roll.event.critical and roll.confirmed is None:
        yield Fault(critical.because.rules, f"{roll.who}'s roll is no threat", "an ordinary hit", "a critical hit")
    elif roll.event.critical and not critical.value and threat.value:
        yield Fault((AGAINST,), f"{roll.who}'s threat was not confirmed", "an ordinary hit", "a critical hit")


def _confirmation_faults(state: MasterState, again: AttackRoll) -> Iterator[Fault]:
    first = state.round.rolls[again.confirms]
    yield from _die_faults(again)
    threat = is_threat(state, first)
    if not threat.value:
        yield Fault(threat.because.rules, f"{first.who}'s roll is no threat", "no confirmation roll", "one")
        return
    due, said, own = again.total.value, again.event.total, again.said
    more = sum(part.amount for part in first.parts) + _further_amount(first)
    other = own and (own.total() != more or any(own.get(part.name, part.amount) != part.amount for part in first.parts))
    if said not in (None, due) or (other and own != first.said):
        says = f"with the modifiers of the first roll the confirmation totals {due}"
        yield Fault((SAME,), says, f"a total of {due}", f"a total of {said or sum(own.values())}", (first.seq,))
        return
    stated = next((each for each in (again.event.critical, again.event.hit) if each is not None), None)
    hit = does_hit(state, again)
    if stated is not None and hit.value is not None and stated != hit.value:
        made, stated_as = (("an ordinary hit", "a critical hit")[each] for each in (hit.value, stated))
        yield Fault((AGAINST,), f"a confirmation of {due} is {made}", made, stated_as, (first.seq,))
