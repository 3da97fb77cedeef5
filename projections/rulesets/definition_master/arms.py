"""Arms: weapons in hand and their training; stances; armour class by its parts, each of which counts against some attacks."""

from collections.abc import Iterator, Sequence

from msgspec import structs

from eventstore.events import ActionTaken, AttackRolled, DamageDealt, EffectStarted, SheetChanged
from projections.because import NOTHING_CITED, Because, Derived, terms
from projections.mechanics.conditions import effects_of
from projections.mechanics.grants import is_named, words_of
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import derives
from projections.rulesets.definition_master.sheet import Weapon
from projections.rulesets.definition_master.state import HITS, MasterState, Named, Stance
from projections.rulesets.definition_master.table import bonuses_of, kinds, mentions
from projections.rulesets.definition_master.vitals import attacker
from projections.sheet import entry_named
from projections.time import Boundary

PRIMARY, OFFHAND = "primary", "offhand"
SLOTS = (PRIMARY, OFFHAND)


def weapon_words(weapon: Weapon | None) -> set[str]:
    """Return the words of a weapon's name and attributes."""
    return {word for each in (weapon.name, *weapon.attributes) for word in words_of(each)} if weapon else set()


def weapon_named(state: MasterState, who: str, name: str | None) -> Weapon | None:
    """Return the weapon of this name on a combatant's sheet; an exact name goes first."""
    own: tuple[Weapon, ...] = state.combatants[who].sheet.weapons
    alike = (each for each in own if is_named(name or "", (each.name,)))
    return entry_named(own, name) or next(alike, None)


def is_shield(name: str) -> bool:
    """Say whether an item, or a part of an armour class, is a shield."""
    return mentions("shield", name)


@derives("wield.slots", on=SheetChanged, phase="reading")
def fill_slots_by_sheet(state: MasterState, fact: Occurrence[SheetChanged]) -> None:
    """Take the items in the slots from a sheet that lists them."""
    if "wielding" in fact.event.sheet:
        state.combat.hands.slots.pop(fact.event.combatant, None)
        state.combat.hands.changed[fact.event.combatant] = fact.seq


def items_by_slot(state: MasterState, who: str) -> dict[str, str]:
    """Return the items of a combatant by slot: the last change of them, else its sheet's."""
    own: dict[str, str] = state.combatants[who].sheet.wielding
    return state.combat.hands.slots.get(who, own)


def slots_changed_by(state: MasterState, who: str) -> tuple[int, ...]:
    """Return the record that last changed the items of a combatant; nothing if they are those of its sheet."""
    return (state.combat.hands.changed[who],) if who in state.combat.hands.changed else ()


def weapon_in_hand(state: MasterState, who: str) -> Weapon | None:
    """Return the weapon that a combatant wields; if no slots are known, the first of its sheet."""
    if slots := items_by_slot(state, who):
        return next((found for slot in SLOTS if (found := weapon_named(state, who, slots.get(slot)))), None)
    return next(iter(state.combatants[who].sheet.weapons), None)


def weapon_of(state: MasterState, who: str, name: str | None) -> Weapon | None:
    """Return the weapon of an attack: the one that it names, else the one in hand."""
    return weapon_named(state, who, name) if name else weapon_in_hand(state, who)


def is_shot(state: MasterState, who: str, name: str | None) -> bool:
    """Say whether an attack of this name is a shot or a throw: by the range of its weapon, or by its name."""
    weapon = weapon_of(state, who, name)
    return (weapon is not None and weapon.range is not None) or mentions("shot", name)


@derives("damage.two-handed", "wield.allowed-pairs")
def takes_both_hands(state: MasterState, who: str, weapon: Weapon | None) -> Derived[bool]:
    """Return whether a combatant wields a weapon in two hands; beside a shield or focus that is an option."""
    two, pairs = "damage.two-handed", "wield.allowed-pairs"
    if weapon is None or weapon.hands < 2:
        return Derived(False, NOTHING_CITED)
    if mentions("offhand", *items_by_slot(state, who).values()):
        both = state.option("two-handed-pair") == "two-hands"
        return Derived(both, Because((two, pairs), slots_changed_by(state, who)))
    return Derived(True, Because((two,), slots_changed_by(state, who)))


@derives("wield.slots", on=ActionTaken)
def take_weapon(state: MasterState, fact: Occurrence[ActionTaken]) -> None:
    """Keep that a combatant has drawn a weapon, or picked up one that it had dropped."""
    action, who = fact.event.action, fact.event.combatant
    if action.plain_kind not in ("draw", "pick-up"):
        return
    lost = state.combat.hands.dropped.get(who, {})
    weapon = weapon_named(state, who, action.name or action.object or next(iter(lost), None))
    fell = lost.pop(weapon.name, 0) if weapon else 0
    if weapon and (fell or items_by_slot(state, who).get(PRIMARY) != weapon.name):
        put_in_slot(state, who, PRIMARY, weapon.name, fact.seq)
        state.combat.hands.picked[who] = fell


def put_in_slot(state: MasterState, who: str, slot: str, name: str, seq: int) -> None:
    """Put an item in a slot, in place of another; "" leaves it empty."""
    state.combat.hands.slots[who] = {**items_by_slot(state, who), slot: name}
    state.combat.hands.changed[who] = seq
    state.combat.hands.picked.pop(who, None)


def drop_weapon(state: MasterState, who: str, seq: int) -> None:
    """Let a combatant's weapon fall to the ground."""
    if weapon := weapon_in_hand(state, who):
        state.combat.hands.dropped.setdefault(who, {})[weapon.name] = seq
        slots = items_by_slot(state, who)
        slot = next((each for each in SLOTS if is_named(weapon.name, (slots.get(each, ""),))), PRIMARY)
        put_in_slot(state, who, slot, "", seq)


def untrained_weapon(state: MasterState, who: str, weapon: Weapon | None = None) -> Derived[str] | None:
    """Return the weapon in a combatant's hand, or this one, if it is not trained with it."""
    one, weapon = state.combatants[who], weapon or weapon_in_hand(state, who)
    if weapon is None or not is_named(weapon.name, one.sheet.untrained):
        return None
    return Derived(weapon.name, Because((), (*one.records("untrained"), *slots_changed_by(state, who))))


@derives("untrained.armor-check-penalty")
def untrained_armor(state: MasterState, who: str) -> Derived[str] | None:
    """Return the armour that a combatant wears without training: the first of its untrained things that is no weapon."""
    one = state.combatants[who]
    worn = next((each for each in one.sheet.untrained if weapon_named(state, who, each) is None), None)
    return Derived(worn, Because(untrained_armor.rules, one.records("untrained"))) if worn else None


FLAT = "flat-footed"
NOT_FLAT = Derived(False, Because((HITS,)))


@derives("grapple.flat-footed-to-others", "feint.flat-footed")
def is_flat_footed(state: MasterState, who: str, to: str, event: AttackRolled) -> Derived[bool]:
    """Return whether a combatant is flat-footed to another: by a grapple, a feint, else the record of the attack."""
    hold = state.combat.grapples.of(who)
    if hold and not hold.is_of((who, to)):
        return Derived(True, Because(("grapple.flat-footed-to-others",), (hold.seq,)))
    if feinted := lost_feint(state, who):
        return Derived(True, Because(("feint.flat-footed",), (feinted,)))
    if (event.against or "").casefold() != FLAT:
        return NOT_FLAT
    known = (*((hold.seq,) if hold else ()), *state.combat.feinted.get(who, ())[1:])
    return Derived(False, Because((HITS,), known)) if known else Derived(True, Because(("feint.flat-footed",)))


def lost_feint(state: MasterState, who: str) -> int:
    """Return the contest of this round that a combatant lost to a feigned strike, or 0."""
    feint = state.combat.feinted.get(who)
    return feint[1] if feint and feint[0] == state.clock.round else 0


CHOSEN = ("reckless", "defensive")
"""The ways of attacking that a combatant chooses."""
TRADES = tuple(f"{name}.trade" for name in CHOSEN)
"""The clauses behind these ways."""
DONE, SWINGS = map(kinds, ("brings", "swings"))
"""The kinds of acts that bring a stance, and the kinds that are attacks."""


@derives(*TRADES, "charge.ac-penalty", "full-defense.ac-bonus", "shatter.ac-penalty", on=ActionTaken)
def begin_stances_by_act(state: MasterState, fact: Occurrence[ActionTaken]) -> None:
    """Begin the stances that an attack names, and the stance that an act brings."""
    action, manners = fact.event.action, {word for each in fact.event.action.manner for word in words_of(each)}
    chosen = [name for name in CHOSEN if action.plain_kind in SWINGS and name in manners]
    for name in (*chosen, *({action.plain_kind} & {*DONE})):
        _begin_stance(state, fact.event.combatant, name, fact.seq)


@derives(*TRADES, on=(AttackRolled, DamageDealt))
def begin_stances_by_part(state: MasterState, fact: Occurrence[AttackRolled | DamageDealt]) -> None:
    """Begin the stances that named parts of an attack or of its damage show."""
    parts = fact.event.modifiers if isinstance(fact.event, AttackRolled) else fact.event.parts
    said = {word for part in parts for word in words_of(part.name)}
    for name in (each for each in CHOSEN if each in said):
        _begin_stance(state, attacker(state, fact), name, fact.seq)


def _begin_stance(state: MasterState, who: str, name: str, seq: int) -> None:
    state.combat.stances.own.setdefault(who, {}).setdefault(name, Stance(name, seq, state.clock.round))


@derives("full-round.until-next-turn", at=("turn began", "turn resumed"))
def end_stances(state: MasterState, boundary: Boundary) -> None:
    """End a combatant's stances when its next turn is taken."""
    over = state.combat.stances.own.pop(boundary.who, {})
    state.combat.stances.over[boundary.who] = {name: (each, boundary.seq) for name, each in over.items()}


@derives("full-round.until-next-turn", at="turn put off", phase="consequences")
def restore_stances(state: MasterState, boundary: Boundary) -> None:
    """Restore the stances that ended with a turn which is then put off."""
    taken, over = state.flow.began(boundary.who), state.combat.stances.over.get(boundary.who, {}).items()
    if again := {name: each for name, (each, seq) in over if seq != taken}:
        kept = {name: structs.replace(each, kept=(*each.kept, boundary.seq)) for name, each in again.items()}
        state.combat.stances.own[boundary.who] = kept
        del state.combat.stances.over[boundary.who]


def stance_parts(state: MasterState, who: str, to: str, two_handed: bool = False) -> Iterator[Named]:
    """Yield the parts that a combatant's stances add now; charges add more damage with a two-handed weapon."""
    for each in state.combat.stances.own.get(who, {}).values():
        special = bonuses_of(f"{each.name}-two-handed", to) if two_handed else ()
        for row in special or bonuses_of(each.name, to):
            lasts = row.until != "own-turn-end"
            of = () if lasts else (Because((), (state.clock.turn_event,)),)
            if lasts or state.clock.turn == who:
                yield Named(each.name, row.amount, row.rule, Because((row.rule,), (each.seq, *each.kept), of=of))


@derives("attack.meets-ac-hits", on=EffectStarted, phase="effects")
def keep_effect_modifiers(state: MasterState, fact: Occurrence[EffectStarted]) -> None:
    """Keep the modifiers of an effect."""
    state.combat.effect_modifiers[fact.seq] = fact.event.modifiers


def added_parts(state: MasterState, who: str, *to: str) -> list[tuple[str, int, Because]]:
    """Return the parts that effects and rulings add for a combatant to any of these, as name, amount and reason."""
    kept = state.combat.effect_modifiers
    found = [(mod, each.seq) for each in effects_of(state.effects, who) for mod in kept.get(each.seq, ())]
    found += [(mod, fact.seq) for fact in state.rulings if who in fact.event.combatants for mod in fact.event.modifiers]
    return [(mod.name, mod.amount, Because((), (seq,))) for mod, seq in found if (mod.to or "").casefold() in to]


BASE = 10
SPARE, TOUCHED = "wield.duplicates-no-benefit", "touch.armor-ignored"


def armor_components(state: MasterState, who: str) -> dict[str, int]:
    """Return the parts of a combatant's armour class over 10; a class given as one number has a single part."""
    sheet = state.combatants[who].sheet
    own = {"whole": sheet.ac - BASE} if isinstance(sheet.ac, int) else dict(sheet.ac)
    return own | {f"{name} shield": amount for name, amount in sheet.shields.items()}


@derives("wield.duplicates-no-benefit", "wield.duplicate-which-applies")
def spare_shields(state: MasterState, who: str) -> dict[str, Because]:
    """Return the shields that do not count beside another one; a ruling says which one counts, else the best does."""
    parts = armor_components(state, who)
    own = sorted(filter(is_shield, parts), key=lambda name: -parts[name])
    for fact in reversed(state.rulings):
        said = f"{fact.event.subject or ''} {fact.event.decision}"
        chosen = [one for one in own if is_named(one.removesuffix(" shield"), (said,))]
        if chosen and who in (fact.event.combatants or (who,)):
            return {name: Because(("wield.duplicate-which-applies",), (fact.seq,)) for name in own if name != chosen[0]}
    return {name: Because(("wield.duplicates-no-benefit",), state.combatants[who].records("ac")) for name in own[1:]}


def armor_parts(state: MasterState, who: str, touch: bool, flat: Derived[bool]) -> list[Named]:
    """Return the parts of a combatant's armour class, and whether each counts against a touch or flat-footed."""
    found: list[Named] = []
    spare, own = spare_shields(state, who), Because((), state.combatants[who].records("ac"))
    for name, amount in armor_components(state, who).items():
        out = (
            (name in spare, SPARE, spare.get(name, own)),
            (touch and (is_shield(name) or mentions("against-no-touch", name)), TOUCHED, own),
            (flat.value and amount > 0 and mentions("dexterity", name), flat.because.clause, flat.because),
        )
        rule, why, counts = next(((rule, why, False) for holds, rule, why in out if holds), (HITS, own, True))
        found.append(Named(name, amount, rule, why, counts))
    found += stance_parts(state, who, "ac")
    return found + [Named(name, amount, HITS, because) for name, amount, because in added_parts(state, who, "ac")]


def armor_class(state: MasterState, who: str, touch: bool, flat: Derived[bool], parts: Sequence[Named]) -> Derived[int]:
    """Return a combatant's armour class from these parts, and the rules of those that do not count."""
    address = f"{who}.{'touch' if touch else 'flat-footed-ac' if flat.value else 'ac'}"
    if covered := state.ruled.get(address):
        return Derived(covered.value, Because(of=(covered,)))
    own = [(each.name, each.amount) for each in parts if each.counts]
    total = BASE + sum(amount for _, amount in own)
    named = (rule for each in parts if each.rule != HITS for rule in each.because.rules or (each.rule,))
    because = sum((each.because for each in parts), NOTHING_CITED)
    over = (Because((), (stance.seq, seq)) for stance, seq in state.combat.stances.over.get(who, {}).values())
    known = (flat,) if flat.because.events and not flat.value else ()
    of = (*because.of, *terms(total, ("base", BASE), *own), *over, *known)
    rules = dict.fromkeys((*named, *((TOUCHED,) if touch else ()), HITS))
    return Derived(total, Because(tuple(rules), because.events, of, options=because.options))
