"""What was written down wrong of an attack roll: each fault with the clause that it breaks, found once the round is over."""

from collections.abc import Iterable, Iterator

from eventstore.events import AttackRolled
from projections.mechanics.rolls import is_on
from projections.rulesets.definition_master.acts.acts import curve
from projections.rulesets.definition_master.attacks import attack
from projections.rulesets.definition_master.attacks.armor import FLAT, SPARE, TOUCHED
from projections.rulesets.definition_master.attacks.attack import D20
from projections.rulesets.definition_master.attacks.wield import is_shield
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.definition_master.state_of_combat import HITS, Roll
from projections.rulesets.definition_master.table import bonuses, bonuses_of, faults_of, maneuvers, rule_of
from projections.rulesets.faults import Fault, checks_by

OWN = ("str", "dex", "base", "size")
"""Parts of a roll that are no penalty."""
SAME, AGAINST = "critical.confirm-same-modifiers", "critical.confirm-against-ac"


def faults(state: MasterState, roll: Roll) -> Iterable[Fault]:
    """Return what was written down wrong of a roll."""
    if roll.confirms:
        return _of_confirmation(state, roll)
    wrong = [*_of_parts(state, roll)] or [*_of_total(state, roll)]
    wrong += _of_armor(state, roll)
    return *_of_die(roll), *(wrong or _of_hit(state, roll)), *_of_threat(state, roll)


@checks_by(*faults_of("attack"), on=AttackRolled)
def attack_is_recorded_rightly(state: MasterState, fact: Reading) -> Iterable[Fault]:
    """Yield what was written down wrong of an attack roll."""
    roll = state.round.rolls.get(fact.seq)
    return faults(state, roll) if roll else ()


# ---------------------------------------------------------------- the die and what is added to it


def _of_die(roll: Roll) -> Iterator[Fault]:
    if roll.event.die is not None and not is_on(roll.event.die, D20):
        touches = roll.manner == "melee-touch" and not roll.opens
        rule = SAME if roll.confirms else TOUCHED if touches else roll.formula
        yield Fault((rule,), f"the d20 of {roll.who} shows what it has not", f"1 to {D20}", str(roll.event.die))


def _of_parts(state: MasterState, roll: Roll) -> Iterator[Fault]:
    """Yield the parts that are recorded wrong, or left out where others are listed."""
    said, barred = roll.said, attack.unlawful(roll)
    lists = not said.keys().isdisjoint(OWN)
    for name, rule in barred.items():
        yield Fault((rule,), f"{name} {said[name]:+} does not count here", "nothing", f"{said[name]:+}")
    for part in roll.parts:
        found = said.get(part.name)
        if found == part.amount or (found is None and (not lists or part.name in OWN)):
            continue
        rules = _slot_rules(state, roll, said["base"]) if part.name == "base" else (part.rule,)
        says, due = f"{part.name} of {roll.who} is {part.amount:+}", f"{part.amount:+}"
        yield Fault(rules, says, due, "left out" if found is None else f"{found:+}", part.because.events)
    yield from _out_of_order(state, roll)


def _slot_rules(state: MasterState, roll: Roll, said: int) -> tuple[str, ...]:
    """Return the clauses by which an attack action has its bonus."""
    if roll.slot < 0:
        return (roll.formula,)
    if roll.kind in maneuvers():
        return rule_of(roll.kind), *(("attacks.maneuver-uses-slot-bonus",) if roll.opens else ())
    known = said in curve(state.combatants[roll.who]).value
    return ("attacks.extra-above-five",) if known else (roll.formula,)


def _out_of_order(state: MasterState, roll: Roll) -> Iterator[Fault]:
    """Yield that a better bonus comes after a worse one."""
    if roll.slot < 0:
        return
    own = (each for each in state.round.rolls.values() if (each.who, each.own) == (roll.who, roll.own))
    worse = [each for each in own if each.slot_bonus < roll.slot_bonus and state.precedes(each.seq, roll.seq)]
    if worse:
        says = f"{roll.who} attacks at {roll.slot_bonus:+} after {worse[0].slot_bonus:+}"
        yield Fault(("attacks.descending-order",), says, "the best first", f"{roll.slot_bonus:+}", (worse[0].seq,))


def _of_total(state: MasterState, roll: Roll) -> Iterator[Fault]:
    """Yield that a total is not what the parts come to, by the attack action or the part that explains it."""
    match roll.event.total, roll.total.value:
        case int(stated), int(due) if stated != due:
            off = stated - due
            missing = (part.rule for part in roll.parts if part.amount == -off and part.name not in OWN)
            rules: tuple[str, ...] = (next(missing, roll.formula),)
            if (bonus := roll.slot_bonus + off) in curve(state.combatants[roll.who]).value:
                rules = _slot_rules(state, roll, bonus)
            says = f"the roll of {roll.who} comes to {due}"
            yield Fault(rules, says, str(due), str(stated), roll.total.because.flat().events)


# ---------------------------------------------------------------- what it is compared with


def _of_armor(state: MasterState, roll: Roll) -> Iterator[Fault]:
    """Yield that a roll was compared with a wrong armour class, or with that of somebody flat-footed who is not."""
    target = attack.target_of(state, roll).value
    armed = roll.armor.get(target)
    if armed is None:
        return
    flat = (roll.event.against or "").casefold() == FLAT
    if flat and not roll.flat:
        hold = state.combat.grapples.of(target)
        rule = "grapple.flat-footed-to-others" if hold else "feint.flat-footed"
        yield Fault((rule,), f"{target} is not flat-footed to {roll.who}", "the armour class", FLAT)
    elif roll.event.ac is not None and roll.event.ac != armed.value:
        off = roll.event.ac - armed.value
        defends = ((row.amount, (row.rule,)) for row in bonuses_of("defensive", "ac") if roll.attacked)
        rules = next((which for amount, which in (*_ways(roll, target), *defends) if amount == off), (HITS,))
        says = f"the armour class of {target} is {armed.value}"
        yield Fault(rules, says, str(armed.value), str(roll.event.ac), armed.because.flat().events)


def _ways(roll: Roll, target: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the ways in which an armour class can be mistaken: by how much, and by which clauses."""
    own = roll.pieces.get(target, [])
    barred = [each for each in own if not each.counts]
    touching = "touch.ranged" if roll.manner == "ranged-touch" else TOUCHED
    rules = dict.fromkeys(touching if each.rule == TOUCHED else each.rule for each in barred)
    yield sum(each.amount for each in barred), tuple(rules)
    shield = sum(each.amount for each in own if each.counts and is_shield(each.name))
    yield from ((each.amount - shield, (each.rule,)) for each in barred if each.rule == SPARE)
    for each in own:
        if each.rule != HITS:
            lasts = roll.stale and each.rule == "full-defense.ac-bonus"
            rules_ = (each.rule, "full-round.until-next-turn") if lasts else (each.rule,)
            yield -each.amount if each.counts else each.amount, rules_
    for row in bonuses():
        if row.to == "ac" and row.name in roll.over:
            yield row.amount, (row.rule,)


def _of_hit(state: MasterState, roll: Roll) -> Iterator[Fault]:
    """Yield that a hit was recorded as a miss, or a miss as a hit, with what would have made it so."""
    hit, stated = attack.hit_of(state, roll), roll.event.hit
    target = attack.target_of(state, roll).value
    if stated in (None, hit.value):
        return
    ways = [*_ways(roll, target)]
    if roll.event.total is None:
        ways += [(part.amount, (part.rule,)) for part in roll.parts if part.name not in (*OWN, *roll.said)]
    rules: tuple[str, ...] = (HITS,)
    if roll.total.value is not None and target in roll.armor and roll.event.ac is None:
        lead = roll.total.value - roll.armor[target].value
        rules = next((which for off, which in ways if (lead >= 0) != stated == (lead - off >= 0)), rules)
    due, said = (("a miss", "a hit")[bool(each)] for each in (hit.value, stated))
    says = f"{roll.total.value} of {roll.who} is {due} against {target or 'nobody'}"
    yield Fault(rules, says, due, said, hit.because.flat().events)


# ---------------------------------------------------------------- critical hits


def _of_threat(state: MasterState, roll: Roll) -> Iterator[Fault]:
    """Yield that a threat was never confirmed, or that something else was called a critical hit."""
    critical, threat = attack.critical_of(state, roll), attack.threat_of(state, roll)
    if roll.event.die is not None and not is_on(roll.event.die, D20):
        return
    if threat.value and roll.confirmed is None and not roll.opens:
        found = "a critical hit" if roll.event.critical else "none"
        yield Fault(("critical.confirm-required",), f"{roll.who} has to confirm a threat", "a further roll", found)
    elif roll.event.critical and roll.confirmed is None:
        says = f"the roll of {roll.who} is no threat"
        yield Fault(critical.because.rules[:1], says, "an ordinary roll", "a critical hit")
    elif roll.event.critical and not critical.value and threat.value:
        says = f"the threat of {roll.who} was not confirmed"
        yield Fault((AGAINST,), says, "an ordinary hit", "a critical hit")


def _of_confirmation(state: MasterState, again: Roll) -> Iterator[Fault]:
    first = state.round.rolls[again.confirms]
    yield from _of_die(again)
    threat = attack.threat_of(state, first)
    if not threat.value:
        yield Fault(threat.because.rules[:1], f"the roll of {first.who} is no threat", "no confirmation", "one")
        return
    due, said, own = again.total.value, again.event.total, again.said
    more = sum(part.amount for part in first.parts) + attack.further(first)
    other = own and (own.total() != more or any(own.get(part.name, part.amount) != part.amount for part in first.parts))
    if said not in (None, due) or (other and own != first.said):
        says = f"the confirmation has the modifiers of the first roll and comes to {due}"
        yield Fault((SAME,), says, str(due), str(said or sum(own.values())), (first.seq,))
        return
    stated = next((each for each in (again.event.critical, again.event.hit) if each is not None), None)
    hit = attack.hit_of(state, again)
    if stated is not None and hit.value is not None and stated != hit.value:
        made, told = (("an ordinary hit", "a critical hit")[each] for each in (hit.value, stated))
        yield Fault((AGAINST,), f"{due} is {made}", made, told, (first.seq,))
