"""Stances, and armor class by its parts: what counts against which attack, and which rule a wrong number leans on."""

from collections.abc import Iterable
from typing import Any

from eventstore.events import ActionTaken, AttackRolled, DamageDealt, EffectStarted
from projections.because import Because, Derived, terms
from projections.mechanics.conditions import of
from projections.mechanics.grants import words
from projections.occurrence import Occurrence
from projections.rulesets.definition_master.attacks.wield import SHIELD, sort_of
from projections.rulesets.definition_master.health.health import attacker
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.definition_master.state_of_combat import HITS, Manner, Named, Stance
from projections.rulesets.definition_master.table import Bonus, armor_parts, bonuses, bonuses_of, kinds
from projections.rulesets.ruleset import derives
from projections.time import Boundary

FLAT = "flat-footed"


@derives("grapple.flat-footed-to-others", "feint.flat-footed")
def flat_footed(state: MasterState, who: str, to: str, event: AttackRolled | None = None) -> Derived[bool]:
    """Return whether somebody is flat-footed to another; what other chapters make so is taken as recorded."""
    others, feint = flat_footed.rules
    hold = state.combat.grapples.of(who)
    if hold and to not in (hold.aggressor, hold.defender):
        return Derived(True, Because((others,), (hold.seq,)))
    if feinted := feinted_since(state, who):
        return Derived(True, Because((feint,), (feinted,)))
    said = event is not None and (event.against or "").casefold() == FLAT
    if said and not hold and who not in state.combat.feinted:
        return Derived(True, Because((feint,), ()))
    return Derived(False, Because())


def feinted_since(state: MasterState, who: str) -> int:
    """Return the contest of this round that somebody lost to a feigned strike, or 0."""
    number, seq = state.combat.feinted.get(who, (0, 0))
    return seq if seq and number == state.clock.round else 0


CHOSEN = ("reckless", "defensive")
"""The ways of attacking that somebody chooses."""
TRADES = ("reckless.trade", "defensive.trade")
"""The clauses behind them."""
DONE, SWINGS = map(kinds, ("brings", "swings"))
"""The kinds of acts that bring a stance, and those with which somebody attacks."""


@derives(*TRADES, "charge.ac-penalty", "full-defense.ac-bonus", "shatter.ac-penalty", on=ActionTaken)
def comes_with(state: MasterState, fact: Occurrence[ActionTaken]) -> None:
    """Begin the stances that an attack is made in, and that which an act brings with it."""
    action, manners = fact.event.action, {word for each in fact.event.action.manner for word in words(each)}
    chosen = [name for name in CHOSEN if action.kind in SWINGS and name in manners]
    for name in (*chosen, *({action.kind} & {*DONE})):
        begins(state, fact.event.combatant, name, fact.seq)


@derives(*TRADES, on=(AttackRolled, DamageDealt))
def shows(state: MasterState, fact: Occurrence[Any]) -> None:
    """Begin the stance that a named part of an attack or of its damage shows."""
    event, rolls = fact.event, isinstance(fact.event, AttackRolled)
    said = {word for part in (event.modifiers if rolls else event.parts) for word in words(part.name)}
    for name in (each for each in CHOSEN if each in said):
        begins(state, event.combatant if rolls else attacker(state, fact), name, fact.seq)


def begins(state: MasterState, who: str, name: str, seq: int) -> None:
    """Begin a stance; one that is in force goes on."""
    own = state.combat.stances.own.setdefault(who, [])
    if who in state.combatants and not any(each.name == name for each in own):
        own.append(Stance(name, seq, state.clock.round))


@derives("full-round.until-next-turn", at=("turn began", "turn resumed"))
def ends(state: MasterState, boundary: Boundary) -> None:
    """End somebody's stances as its next turn is really taken."""
    over = state.combat.stances.own.pop(boundary.who, [])
    state.combat.stances.over[boundary.who] = {each.name: (each, boundary.seq) for each in over}


@derives("full-round.until-next-turn", at="turn put off")
def goes_on(state: MasterState, boundary: Boundary) -> None:
    """Let stances go on that ended with a turn which is then put off, and so was not taken."""
    turn = state.flow.turns.in_hand.get(boundary.who)
    over = state.combat.stances.over.get(boundary.who, {}).values()
    if again := [each for each, seq in over if turn and turn.seq == seq]:
        state.combat.stances.own[boundary.who] = again
        state.combat.stances.over.pop(boundary.who)


def in_force(state: MasterState, who: str, to: str, two_handed: bool = False) -> list[tuple[Bonus, Stance]]:
    """Return what somebody's stances bring to this just now; with a two-handed weapon a charge brings more damage."""
    own = state.combat.stances.own.get(who, ())
    found = [(row, each) for each in own for row in rows(each.name, to, two_handed)]
    return [(row, each) for row, each in found if row.until != "own-turn-end" or state.clock.turn == who]


def ended(state: MasterState, who: str) -> tuple[Derived[str], ...]:
    """Return the stances that ended last, with the records that began and ended them."""
    over = state.combat.stances.over.get(who, {}).items()
    return tuple(Derived(name, Because((), (stance.seq, seq))) for name, (stance, seq) in over)


def rows(name: str, to: str, two_handed: bool = False) -> list[Bonus]:
    """Return what a stance brings to this, by the table."""
    special = [row for row in bonuses() if row.name == f"{name}-two-handed"] if two_handed else []
    return special or [*bonuses_of(name, to)]


# ---------------------------------------------------------------- effects


@derives("attack.meets-ac-hits", on=EffectStarted)
def effect_brings(state: MasterState, fact: Occurrence[EffectStarted]) -> None:
    """Keep what an effect adds to which rolls."""
    state.combat.bearing[fact.seq] = fact.event.modifiers


def added(state: MasterState, who: str, *to: str) -> list[tuple[str, int, Because]]:
    """Return what effects and rulings add to this for somebody, by name."""
    found = [(mod, each.seq) for each in of(state.effects, who) for mod in state.combat.bearing.get(each.seq, ())]
    found += [(mod, fact.seq) for fact in state.rulings if who in fact.event.combatants for mod in fact.event.modifiers]
    return [(mod.name, mod.amount, Because((), (seq,))) for mod, seq in found if (mod.to or "").casefold() in to]


BASE = 10
SPARE = "wield.duplicates-no-benefit"


def components(state: MasterState, who: str) -> dict[str, int]:
    """Return the parts of somebody's armour class over 10; one that is given as a whole has a single part."""
    sheet = state.combatants[who].sheet
    own = {"whole": sheet.ac - BASE} if isinstance(sheet.ac, int) else dict(sheet.ac)
    return own | {f"{name} {SHIELD}": amount for name, amount in sheet.shields.items()}


@derives("wield.duplicates-no-benefit", "wield.duplicate-which-applies")
def spare_shields(state: MasterState, who: str) -> dict[str, Because]:
    """Return the shields that do not count because another does: the one that a ruling names, else the better one."""
    none, which = spare_shields.rules
    parts = components(state, who)
    own = sorted((name for name in parts if sort_of((), name) == SHIELD), key=lambda name: -parts[name])
    for fact in reversed(state.rulings):
        said = words(f"{fact.event.subject or ''} {fact.event.decision}")
        chosen = [one for one in own if {*words(one)} - {SHIELD} <= {*said}]
        if chosen and who in (fact.event.combatants or (who,)):
            return {name: Because((which,), (fact.seq,)) for name in own if name != chosen[0]}
    return {name: Because((none,), state.combatants[who].records("ac")) for name in own[1:]}


def part_kind(name: str) -> str:
    """Return the part of the table that a component of a sheet is, by the words of its name."""
    said = words(name)
    if sort_of((), name) == SHIELD:
        return SHIELD
    return next((kind for kind in ("natural", *armor_parts()) if kind in said), "dexterity" if "dex" in said else name)


def pieces(state: MasterState, who: str, touch: bool = False, flat: Derived[bool] | None = None) -> list[Named]:
    """Return the parts of somebody's armour class with whether each counts against a touch, or while flat-footed."""
    spare, found = spare_shields(state, who), list[Named]()
    own = Because((), state.combatants[who].records("ac"))
    for name, amount in components(state, who).items():
        row = armor_parts().get(part_kind(name))
        if name in spare:
            found.append(Named(name, amount, SPARE, spare[name], counts=False))
        elif touch and row is not None and not row.touch:
            found.append(Named(name, amount, row.rule, own, counts=False))
        elif flat is not None and flat.value and part_kind(name) == "dexterity" and amount > 0:
            found.append(Named(name, amount, next(iter(flat.because.rules), HITS), flat.because, counts=False))
        else:
            found.append(Named(name, amount, HITS, own))
    for bonus, each in in_force(state, who, "ac"):
        found.append(Named(bonus.name, bonus.amount, bonus.rule, Because((), (each.seq,))))
    return found + [Named(name, amount, HITS, because) for name, amount, because in added(state, who, "ac")]


def summed(found: Iterable[Named], rules: tuple[str, ...] = ()) -> Derived[int]:
    """Return an armour class of these parts; its reason names those that count and the rules of those that do not."""
    own = list(found)
    total = BASE + sum(each.amount for each in own if each.counts)
    named = (rule for each in own if each.rule != HITS for rule in each.because.rules or (each.rule,))
    cited = dict.fromkeys((*named, *rules, HITS))
    because = sum((each.because for each in own), Because())
    of = terms(total, ("base", BASE), *((each.name, each.amount) for each in own if each.counts))
    return Derived(total, Because(tuple(cited), because.events, because.options, (*because.of, *of)))


def armor(state: MasterState, who: str, touch: bool = False, flat: Derived[bool] | None = None) -> Derived[int]:
    """Return somebody's armour class as it is now, against a touch or not; a ruling goes first."""
    address = f"{who}.{'touch' if touch else 'flat-footed' if flat and flat.value else 'ac'}"
    if covered := state.ruled.get(address):
        return Derived(covered.value, Because(of=(covered,)))
    found = summed(pieces(state, who, touch, flat), ("touch.armor-ignored",) if touch else ())
    over = ended(state, who)
    return Derived(found.value, found.because + Because(of=over)) if over else found


def is_touch(manner: Manner) -> bool:
    """Say whether an attack of this manner only has to touch."""
    return manner in ("melee-touch", "ranged-touch")
