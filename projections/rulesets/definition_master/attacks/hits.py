"""Outcomes of attack rolls: the target of a shot into a grapple, hits, threats, critical hits."""

from eventstore.events import DiceRolled, Fact
from projections.because import Because, Derived
from projections.mechanics.rolls import face
from projections.occurrence import Occurrence
from projections.rulesets.definition_master.attacks.attack import D20, face_shown
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.definition_master.state_of_combat import AttackRoll
from projections.rulesets.definition_master.table import mentions
from projections.rulesets.ruleset import derives


@derives("ranged.into-grapple", on=DiceRolled)
def chance_decides(state: MasterState, fact: Occurrence[DiceRolled]) -> None:
    """Keep the d% that decides which of two grapplers a shot is made at."""
    if fact.event.die is None:
        return
    shown, shots = (face(fact.event.die), fact.seq), shots_of(state, fact)
    if not shots:
        state.combat.chances[fact.cause] = shown
    elif len(shots) == 1:
        shots[0].percent = shown
    for roll in shots:
        roll.doubtful = roll.percent is None


def shots_of(state: MasterState, fact: Occurrence[DiceRolled]) -> list[AttackRoll]:
    """Return the shots into a grapple that a d% may belong to: those it names as its cause, else those of the combatant that lack one."""
    event, rolls = fact.event, (each for each in state.round.rolls.values() if each.other and not each.confirms)
    shots = [each for each in rolls if each.percent is None]
    about = mentions("at-a-grapple", event.purpose) or not (event.purpose or event.cause)
    named = [each for each in shots if event.cause and fact.cause in (each.seq, each.act)]
    return named or [each for each in shots if about and event.combatant in (None, each.who)]


@derives("ranged.into-grapple")
def target_of(state: MasterState, roll: AttackRoll) -> Derived[str]:
    """Return the target of an attack: a shot at a grappler may go at the other one; "" if that is uncertain."""
    first = state.round.rolls.get(roll.confirms, roll)
    if first.percent is None:
        return Derived("" if first.doubtful else roll.target, Because())
    astray = is_in_half(state, first.percent[0])
    because = Because(target_of.rules, first.percent[1:], state.chosen("percent-half"))
    return Derived(roll.other if astray else roll.target, because)


def is_in_half(state: MasterState, shown: int) -> bool:
    """Say whether a d% falls into the bad half, by the option."""
    return (shown <= 50) == (state.option("percent-half") == "low")


# ---------------------------------------------------------------- hit, threat, critical


@derives("attack.meets-ac-hits")
def hit_of(state: MasterState, roll: AttackRoll) -> Derived[bool | None]:
    """Return whether a roll reaches the armour class; None if that is unknown."""
    rule = "attack.meets-ac-hits"
    shown, target = face_shown(roll.event), target_of(state, roll)
    natural = state.chosen("natural-rolls") if shown in (1, D20) and not roll.confirms else {}
    if "automatic" in natural.values():
        return Derived(shown == D20, Because((rule,), (roll.seq,), natural))
    armed, total = roll.armor.get(target.value), roll.total.value
    if roll.event.foiled or total is None or armed is None:
        return Derived(False if roll.event.foiled else roll.event.hit, Because((rule,), (roll.seq,), natural))
    return Derived(total >= armed.value, Because((rule,), (roll.seq,), natural, (roll.total, armed, target)))


def is_miss(state: MasterState, fact: Occurrence[Fact]) -> bool:
    """Say whether a fact is an attack roll that neither hits nor is recorded as a hit."""
    roll = state.round.rolls.get(fact.seq)
    return roll is not None and not roll.event.hit and hit_of(state, roll).value is False


@derives("critical.threat-range", "critical.threat-must-hit", "critical.spells-can")
def threat_of(state: MasterState, roll: AttackRoll) -> Derived[bool]:
    """Return whether a roll is a critical threat; if it is none, its first rule says why."""
    ranged = "critical.threat-range"
    shown, hit = face_shown(roll.event), hit_of(state, roll)
    if shown is None or shown < roll.threat:
        return Derived(False, Because(("critical.spells-can" if roll.spell else ranged,), (roll.seq,)))
    armed, total = roll.armor.get(target_of(state, roll).value), roll.total.value
    meets_it = armed is None or total is None or total >= armed.value
    hit_or_confirmed = roll.confirmed is not None if hit.value is None else hit.value
    return Derived(hit_or_confirmed and meets_it, Because(("critical.threat-must-hit", ranged), (roll.seq,), of=(hit,)))


@derives("critical.confirm-required", "critical.confirm-against-ac")
def critical_of(state: MasterState, roll: AttackRoll) -> Derived[bool]:
    """Return whether a roll is a critical hit, a threat that was confirmed; if it is none, its first rule says why."""
    threat = threat_of(state, roll)
    if not threat.value:
        return threat
    if roll.confirmed is None:
        return Derived(False, Because(("critical.confirm-required",), (roll.seq,), of=(threat,)))
    second, stated = hit_of(state, roll.confirmed), roll.confirmed.event.critical
    confirmed = stated is not False if second.value is None else second.value
    return Derived(confirmed, Because(("critical.confirm-against-ac",), (roll.confirmed.seq,), of=(threat, second)))


def last_roll(state: MasterState, who: str) -> AttackRoll | None:
    """Return the last attack roll of a combatant in this round, without those that confirm one."""
    own = (each for each in reversed(state.round.rolls.values()) if each.who == who and not each.confirms)
    return next(own, None)
