"""Checks of attack rolls, made when the round is over: each fault with the clause that it breaks."""

from collections.abc import Iterable, Iterator
from itertools import chain, combinations

from eventstore.events import AttackRolled
from projections.mechanics.diagnosis import left_out, without
from projections.mechanics.rolls import face, is_on
from projections.ruleset.faults import Fault, checks_by
from projections.rulesets.definition_master import attack
from projections.rulesets.definition_master.acts import attack_bonuses
from projections.rulesets.definition_master.armor import FLAT, SPARE, TOUCHED, TRADES
from projections.rulesets.definition_master.attack import D20
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.definition_master.state_of_combat import HITS, AttackRoll, Named
from projections.rulesets.definition_master.table import Bonus, bonuses, bonuses_of, faults_of, maneuvers, rule_of
from projections.rulesets.definition_master.wielding import is_shield

OWN = ("str", "dex", "base", "size")
"""The names of parts that are no penalty."""
SAME, AGAINST = "critical.confirm-same-modifiers", "critical.confirm-against-ac"
UNTIL, FULL_DEFENSE = "full-round.until-next-turn", "full-defense.ac-bonus"
SLOT, ORDER = "attacks.maneuver-uses-slot-bonus", "attacks.descending-order"


def faults(state: MasterState, roll: AttackRoll) -> Iterable[Fault]:
    """Return the faults in the record of a roll; a consequence of another fault is none."""
    if roll.confirms:
        return _of_confirmation(state, roll)
    parts = [*_of_parts(state, roll)]
    totals, armor = [*_of_total(state, roll, wrong=bool(parts))], [*_of_armor(state, roll)]
    found = [*_of_die(roll), *parts, *totals, *armor]
    hits = [] if (parts or totals or armor) and outcome_follows(state, roll) else [*_of_hit(state, roll)]
    return *found, *hits, *_of_threat(state, roll)


@checks_by(*faults_of("attack"), on=AttackRolled)
def attack_is_recorded_rightly(state: MasterState, fact: Reading[AttackRolled]) -> Iterable[Fault]:
    """Return the faults in the record of an attack roll."""
    roll = state.round.rolls.get(fact.seq)
    return faults(state, roll) if roll else ()


# ---------------------------------------------------------------- the die and the parts added to it


def _of_die(roll: AttackRoll) -> Iterator[Fault]:
    if roll.event.die is not None and not is_on(roll.event.die, D20):
        touches = roll.manner == "melee-touch" and not roll.opens
        rule = SAME if roll.confirms else TOUCHED if touches else roll.formula
        yield Fault((rule,), f"the d20 of {roll.who} has no such face", f"1 to {D20}", str(face(roll.event.die)))


def _of_parts(state: MasterState, roll: AttackRoll) -> Iterator[Fault]:
    """Yield a fault for each part that is recorded wrong, or left out while others are listed."""
    said, barred = roll.said, attack.unlawful_parts(roll)
    lists = not said.keys().isdisjoint(OWN)
    for name, rule in barred.items():
        yield Fault((rule,), f"{name} {said[name]:+} does not count here", "nothing", f"{said[name]:+}")
    for part in roll.parts:
        found = said.get(part.name)
        if found == part.amount or (found is None and (not lists or part.name in OWN)):
            continue
        rule = _slot_rule(state, roll, said["base"]) if part.name == "base" else part.rule
        says, due = f"{part.name} of {roll.who} is {part.amount:+}", f"{part.amount:+}"
        yield Fault((rule,), says, due, "left out" if found is None else f"{found:+}", part.because.events)
    yield from _out_of_order(state, roll)


def _slot_rule(state: MasterState, roll: AttackRoll, said: int) -> str:
    """Return the clause behind the bonus of an attack action; for a maneuver, that of the maneuver or of its bonus."""
    if roll.slot < 0:
        return roll.formula
    if roll.kind in maneuvers():
        return SLOT if roll.kind == "disarm" else rule_of(roll.kind)
    return "attacks.extra-above-five" if said in attack_bonuses(state.combatants[roll.who]).value else roll.formula


def _out_of_order(state: MasterState, roll: AttackRoll) -> Iterator[Fault]:
    """Yield a fault for a better bonus after a worse one, and for a further attack if only better bonuses are left."""
    if not roll.left:
        return
    own = (each for each in state.round.rolls.values() if (each.who, each.own) == (roll.who, roll.own))
    before = [each for each in own if state.precedes(each.seq, roll.seq)]
    worse = [each for each in before if each.slot_bonus < roll.slot_bonus]
    if worse:
        says = f"{roll.who} attacks at {roll.slot_bonus:+} after {worse[0].slot_bonus:+}"
        yield Fault((ORDER,), says, "the best first", f"{roll.slot_bonus:+}", (worse[0].seq,))
    elif roll.slot_bonus < min(roll.left):
        says = f"{roll.who} has only better attacks left than at {roll.slot_bonus:+}"
        yield Fault((ORDER,), says, "no further attack", f"{roll.slot_bonus:+}", tuple(each.seq for each in before))


def _of_total(state: MasterState, roll: AttackRoll, *, wrong: bool) -> Iterator[Fault]:
    """Yield a fault for a wrong total, by the clause that explains it, unless the total follows from `wrong` parts."""
    stated, due = roll.event.total, roll.total.value
    if stated is None or due is None or stated == due or (wrong and stated in totals_as_recorded(roll)):
        return
    others = (part for part in roll.parts if part.name not in OWN)
    missing = left_out(stated, lambda part: without(due, (part,)), others)
    rule = missing.rule if missing else roll.formula
    if (bonus := roll.slot_bonus + stated - due) in attack_bonuses(state.combatants[roll.who]).value:
        rule = _slot_rule(state, roll, bonus)
    says = f"the roll of {roll.who} totals {due}"
    yield Fault((rule,), says, str(due), str(stated), roll.total.because.flat().events)


def totals_as_recorded(roll: AttackRoll) -> tuple[int, ...]:
    """Return the totals that a roll may have by its recorded parts, right or wrong."""
    own, barred, shown = {part.name: part.amount for part in roll.parts}, attack.unlawful_parts(roll), roll.event.die
    off = sum(amount - own.get(name, 0) for name, amount in roll.said.items() if name in own or name in barred)
    due = () if roll.total.value is None else (roll.total.value + off,)
    return *due, *(() if shown is None else (face(shown) + roll.said.total(),))


# ---------------------------------------------------------------- the armour class of the target


def _of_armor(state: MasterState, roll: AttackRoll) -> Iterator[Fault]:
    """Yield a fault for a roll compared with a wrong armour class, or with the flat-footed one of a target that is not
    flat-footed.
    """
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
        tried = (*_tried(roll, target), *_not_now(bonuses_of("defensive", "ac") if roll.attacked else ()))
        rules = _clauses(roll, left_out(roll.event.ac, lambda out: without(armed.value, out), tried))
        says, found = f"the armour class of {target} is {armed.value}", str(roll.event.ac)
        for rule in rules:
            out = " and ".join(each.name for each in _barred(roll, target).get(rule, ()))
            more = f", without {out}" if len(rules) > 1 else ""
            seqs, unsaid = armed.because.flat().events, _lasts_unsaid(state, target, rule)
            yield Fault((rule,), says + more, str(armed.value), found, seqs, silent=unsaid)


def _clause(roll: AttackRoll, part: Named) -> str:
    """Return the clause that lets a part of a roll or of an armour class count, or bars it."""
    if part.rule == TOUCHED and roll.manner == "ranged-touch":
        return "touch.ranged"
    return UNTIL if roll.stale and part.rule == FULL_DEFENSE else part.rule


def _clauses(roll: AttackRoll, out: Iterable[Named] | None) -> tuple[str, ...]:
    """Return the clauses of the parts that were left out; the one on hits if there are none."""
    return tuple(dict.fromkeys(_clause(roll, each) for each in out or () if each.rule != HITS)) or (HITS,)


def _barred(roll: AttackRoll, target: str) -> dict[str, list[Named]]:
    """Return the parts of an armour class that do not count, by the clauses that bar them."""
    found = dict[str, list[Named]]()
    for each in (piece for piece in roll.pieces.get(target, ()) if not piece.counts):
        found.setdefault(_clause(roll, each), []).append(each)
    return found


def _tried(roll: AttackRoll, target: str) -> Iterator[tuple[Named, ...]]:
    """Yield sets of parts of an armour class to leave out together as an explanation: first those that do not count, as
    many as possible.

    Then come a spare shield that counts in place of the other, each part alone, and the bonuses of stances that are over.
    """
    own, barred = roll.pieces.get(target, []), _barred(roll, target).values()
    for count in range(len(barred), 0, -1):
        yield from (tuple(chain.from_iterable(those)) for those in combinations(barred, count))
    shields = [each for each in own if each.counts and is_shield(each.name)]
    yield from ((each, *shields) for each in own if each.rule == SPARE)
    yield from ((each,) for each in own if each.rule != HITS)
    yield from _not_now(row for row in bonuses() if row.to == "ac" and row.name in roll.over)


def _not_now(those: Iterable[Bonus]) -> Iterator[tuple[Named]]:
    """Return bonuses that do not count, as parts."""
    return ((Named(row.name, row.amount, row.rule, counts=False),) for row in those)


def outcome_follows(state: MasterState, roll: AttackRoll) -> bool:
    """Say whether a hit or a miss follows from the recorded numbers, right or wrong."""
    event, armed = roll.event, roll.armor.get(attack.target_of(state, roll).value)
    total = event.total if event.total is not None else next(iter(totals_as_recorded(roll)), None)
    against = event.ac if event.ac is not None else armed.value if armed else None
    flat = (event.against or "").casefold() == FLAT and not roll.flat
    return flat or total is None or against is None or event.hit == (total >= against)


def _of_hit(state: MasterState, roll: AttackRoll) -> Iterator[Fault]:
    """Yield a fault for a hit recorded as a miss, or a miss as a hit, by the clauses that explain it."""
    hit, stated = attack.hit_of(state, roll), roll.event.hit
    target = attack.target_of(state, roll).value
    if stated in (None, hit.value):
        return
    tried: list[tuple[tuple[Named, ...], tuple[Named, ...]]] = [((), out) for out in _tried(roll, target)]
    if roll.event.total is None:
        tried += [((part,), ()) for part in roll.parts if part.name not in (*OWN, *roll.said)]
    rules: tuple[str, ...] = (HITS,)
    total, armed = roll.total.value, roll.armor.get(target)
    if total is not None and armed and roll.event.ac is None and (total >= armed.value) != stated:
        out = left_out(stated, lambda both: without(total, both[0]) >= without(armed.value, both[1]), tried)
        rules = _clauses(roll, (*out[0], *out[1]) if out else ())
    due, said = (("a miss", "a hit")[bool(each)] for each in (hit.value, stated))
    says = f"{roll.total.value} of {roll.who} is {due} against {target or 'nobody'}"
    yield Fault(rules, says, due, said, hit.because.flat().events, silent=_lasts_unsaid(state, target, *rules))


def _lasts_unsaid(state: MasterState, who: str, *rules: str) -> bool:
    """Say whether a fault is about a trade of armour class after its owner's turn; the text does not say how long the
    trade lasts.
    """
    return state.clock.turn != who and bool({*rules} & {*TRADES})


# ---------------------------------------------------------------- critical hits


def _of_threat(state: MasterState, roll: AttackRoll) -> Iterator[Fault]:
    """Yield a fault for a threat without a confirmation, and for a critical hit that is none."""
    critical, threat = attack.critical_of(state, roll), attack.threat_of(state, roll)
    if roll.event.die is None or not is_on(roll.event.die, D20):
        return
    if threat.value and roll.confirmed is None and not roll.opens:
        found = "a critical hit" if roll.event.critical else "none"
        yield Fault(("critical.confirm-required",), f"{roll.who} has to confirm a threat", "a further roll", found)
    elif roll.event.critical and roll.confirmed is None:
        says = f"the roll of {roll.who} is no threat"
        yield Fault(critical.because.rules, says, "an ordinary roll", "a critical hit")
    elif roll.event.critical and not critical.value and threat.value:
        says = f"the threat of {roll.who} was not confirmed"
        yield Fault((AGAINST,), says, "an ordinary hit", "a critical hit")


def _of_confirmation(state: MasterState, again: AttackRoll) -> Iterator[Fault]:
    first = state.round.rolls[again.confirms]
    yield from _of_die(again)
    threat = attack.threat_of(state, first)
    if not threat.value:
        yield Fault(threat.because.rules, f"the roll of {first.who} is no threat", "no confirmation", "one")
        return
    due, said, own = again.total.value, again.event.total, again.said
    more = sum(part.amount for part in first.parts) + attack.further_amount(first)
    other = own and (own.total() != more or any(own.get(part.name, part.amount) != part.amount for part in first.parts))
    if said not in (None, due) or (other and own != first.said):
        says = f"the confirmation has the modifiers of the first roll and totals {due}"
        yield Fault((SAME,), says, str(due), str(said or sum(own.values())), (first.seq,))
        return
    stated = next((each for each in (again.event.critical, again.event.hit) if each is not None), None)
    hit = attack.hit_of(state, again)
    if stated is not None and hit.value is not None and stated != hit.value:
        made, stated_as = (("an ordinary hit", "a critical hit")[each] for each in (hit.value, stated))
        yield Fault((AGAINST,), f"{due} is {made}", made, stated_as, (first.seq,))
