"""Attack rolls: the armour class of the target, the number needed, the total, and whether the roll hits."""

from collections.abc import Iterable

from eventstore.events import ActionTaken, AttackRolled, EffectStarted, Fact, SheetChanged
from eventstore.shapes import Modifier
from projections.because import Because, Derived, terms
from projections.mechanics.concentration import concentrated
from projections.mechanics.conditions import of
from projections.mechanics.grants import forms, names, words
from projections.mechanics.rolls import face
from projections.occurrence import Occurrence
from projections.open_types import Fields, Json
from projections.ruleset.catalogue import read
from projections.ruleset.ruleset import derives
from projections.rulesets.vile_darkness.reading import Reading, act_behind
from projections.rulesets.vile_darkness.state import Adjustment, AttackRoll, VileAct, VileState
from projections.rulesets.vile_darkness.table import ATTACKS, RULES, weapons_in

AC, ATTACK, DAMAGE = ("ac",), ("attack", "hit", "to-hit"), ("damage",)
"""Words for the value to which a modifier is added."""
DROPS, TAKES = frozenset({"drop", "discard", "lose"}), frozenset({"take", "pick", "raise", "don"})
"""The verbs by which a part of an armour class is lost and regained."""


@derives("attack.ac-scale", on=SheetChanged)
def armour_is_whole_again(state: VileState, fact: Occurrence[SheetChanged]) -> None:
    """Restore all parts of an armour class when a new one is recorded."""
    if not {"ac", "ac_parts"}.isdisjoint(fact.event.sheet):
        state.lost.pop(fact.event.combatant, None)


def covering(state: VileState, address: str) -> Derived[Json] | None:
    """Return the ruled value of an address, if there is one."""
    covered = state.ruled.get(address)
    return Derived(covered.value, Because(of=(covered,))) if covered else None


# ---------------------------------------------------------------- changes of an armour class


@derives("attack.ac-bonus-sign", on=ActionTaken)
def part_is_lost(state: VileState, fact: Occurrence[ActionTaken]) -> None:
    """Note that the source of a part of an armour class is dropped, or taken up again."""
    action, who = fact.event.action, fact.event.combatant
    said = words(f"{action.name} {action.object}") if action.plain_kind == "simple" else ()
    verbs = {form for word in said for form in forms(word)}
    for part in state.combatants[who].sheet.ac_parts:
        named = not {*words(part)[-1:]}.isdisjoint(said)
        if named and verbs & DROPS:
            state.lost.setdefault(who, {})[part] = fact.seq
        elif named and verbs & TAKES:
            state.lost.get(who, {}).pop(part, None)


@derives("attack.ac-bonus-sign", on=EffectStarted, phase="effects")
def effect_brings(state: VileState, fact: Occurrence[EffectStarted]) -> None:
    """Keep the fact that starts an effect, with its modifiers and permissions."""
    state.started_effects[fact.seq] = fact.event


def effects_on(state: VileState, who: str) -> dict[int, EffectStarted]:
    """Return the facts that started the effects on a combatant, by record."""
    return {
        each.seq: state.started_effects[each.seq]
        for each in of(state.effects, who)
        if each.seq in state.started_effects
    }


def added(state: VileState, who: str, to: tuple[str, ...]) -> list[Adjustment]:
    """Return the modifiers that the effects on a combatant add to a value."""
    found = effects_on(state, who).items()
    return [Adjustment(mod.name, mod.amount, seq) for seq, event in found for mod in event.modifiers if mod.to in to]


def changes(state: VileState, who: str) -> list[Adjustment]:
    """Return the gains by effects and the lost parts of a combatant's armour class."""
    parts = state.combatants[who].sheet.ac_parts
    lost = [Adjustment(part, -parts[part], seq) for part, seq in state.lost.get(who, {}).items()]
    return [*lost, *added(state, who, AC)]


@derives("attack.gm-modifiers")
def ruled(
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


def unlisted(listed: list[Modifier], found: Iterable[Adjustment]) -> list[Adjustment]:
    """Return the modifiers that a roll does not list, neither by name nor by amount."""
    return [one for one in found if not any(mod.amount == one.amount or names(one.name, (mod.name,)) for mod in listed)]


# ---------------------------------------------------------------- the armour class


def on_the_scale(ac: int) -> int:
    """Return an armour class limited to the scale: from 10, the worst, to -10."""
    table = read(RULES).tables["attack"]
    return int(max(table["best_ac"], min(table["worst_ac"], ac)))


@derives("attack.ac-scale", "attack.ac-bonus-sign")
def adjusted(base: int, found: list[Adjustment], sheets: tuple[int, ...]) -> Derived[int]:
    """Return an armour class with adjustments: a bonus lowers it, a penalty raises it, within the scale."""
    scale = "attack.ac-scale"
    rules = ("attack.ac-bonus-sign", scale) if found else (scale,)
    total = base - sum(each.amount for each in found)
    own = Derived(total, Because(rules, tuple(sorted({*sheets, *(each.seq for each in found)}))))
    return own if on_the_scale(total) == total else Derived(on_the_scale(total), Because((scale,), of=(own,)))


def armour(state: VileState, who: str) -> Derived[int]:
    """Return the present armour class of a combatant."""
    keys = ("ac", "ac_parts") if state.lost.get(who) else ("ac",)
    found = [*changes(state, who), *ruled(state, who, AC)]
    value = adjusted(state.combatants[who].sheet.ac, found, state.combatants[who].records(*keys))
    ends = [(each, map(state.started_effects.get, each.flat().events)) for each in state.rid_by.get(who, {}).values()]
    over = [each for each, those in ends if any(mod.to in AC for event in those if event for mod in event.modifiers)]
    return Derived(value.value, Because(of=(value.because, *over)))


MAGIC = "magic"
NO_TABLE = ("", "none", "no table")
"""The entries of a sheet for a class that has no attack table."""

# ---------------------------------------------------------------- keeping a roll


@derives("attack.target-and-roll", on=AttackRolled, phase="rolls")
def roll_falls(state: VileState, fact: Reading[AttackRolled]) -> None:
    """Keep an attack roll with its circumstances; it belongs to an act before it, or is one itself."""
    if act := act_behind(state, fact.fact, fact.event.combatant):
        state.round.rolls[fact.seq] = rolled(state, fact.seq, fact.event, act)


def rolled(state: VileState, seq: int, event: AttackRolled, act: VileAct) -> AttackRoll:
    """Return an attack roll with the present circumstances of attacker and target."""
    who, action, sheet = event.combatant, act.action, state.combatants[event.combatant].sheet
    target = event.target or (action.targets[0] if len(action.targets) == 1 else "")
    target = target if target in state.combatants else ""
    name = event.name or action.name or ""
    record = state.combatants[who].records("weapons")
    magic = [Adjustment(MAGIC, one.magic, *record) for one in weapons_in(state, who, name)[:1] if one.magic]
    seen: Fields = {}
    if target:
        seen = {"ac": state.combatants[target].sheet.ac, "changes": tuple(changes(state, target))}
        seen["sheets"] = state.combatants[target].records("ac")
    return AttackRoll(
        seq,
        who,
        target,
        act,
        event,
        name,
        **seen,
        bonuses=(*magic, *added(state, who, ATTACK)),
        aac0=sheet.aac0,
        starred=sheet.aac0_starred,
        maintains=bool(concentrated(state.effects, target)),
        stacks=any("stack" in word.casefold() for each in effects_on(state, who).values() for word in each.attributes),
        called="called" in action.manner,
        need=state.ruled.get(f"{who}.need.{target}"),
    )


def about(roll: AttackRoll) -> tuple[int, ...]:
    """Return the records by which a ruling may name a roll: the roll, its attack, the trigger of that."""
    return (roll.seq, roll.act.seq, roll.act.trigger)


# ---------------------------------------------------------------- the armour class of a roll's target


@derives("concentration.no-combat-penalty")
def unlawful(roll: AttackRoll) -> list[Modifier]:
    """Return the recorded penalties for concentrating, which are unlawful."""
    heads = ("concentrat", "maintain")
    return [mod for mod in roll.event.modifiers if any(word.startswith(heads) for word in words(mod.name))]


def recorded(roll: AttackRoll, to: tuple[str, ...]) -> list[Modifier]:
    """Return the lawful modifiers to a value that a roll records."""
    wrong = unlawful(roll)
    return [mod for mod in roll.event.modifiers if (mod.to or "attack") in to and mod not in wrong]


def gains(state: VileState, roll: AttackRoll) -> list[Adjustment]:
    """Return the changes of the armour class of a roll's target."""
    own = recorded(roll, AC)
    said = ruled(state, roll.target, AC, about(roll), roll.seq)
    return [*unlisted(own, (*roll.changes, *said)), *(Adjustment(mod.name, mod.amount, roll.seq) for mod in own)]


def ac_of(state: VileState, roll: AttackRoll) -> Derived[int]:
    """Return the armour class of a roll's target."""
    return adjusted(roll.ac, gains(state, roll), roll.sheets)


# ---------------------------------------------------------------- the number needed


def raw_need(aac0: int, starred: bool, ac: int) -> int:
    """Return the number that would be needed if 20 did not repeat on the tables."""
    return aac0 + (int(read(RULES).tables["attack"]["starred_counts_as"]) - 20 if starred else 0) - ac


def repeated(raw: int) -> int:
    """Return a needed number on the tables, where 20 stands for six armour classes in a row."""
    table = read(RULES).tables["attack"]
    most, again = int(table["natural_hit"]), int(table["twenties"]) - 1
    return min(raw, max(most, raw - again))


@derives(
    "attack.aac0", "attack.aac0-starred", "attack.six-twenties", "attack.class-without-table", "attack.table-by-class"
)
def derived_need(state: VileState, who: str, aac0: int, starred: bool, ac: Derived[int]) -> Derived[int]:
    """Return the number that a combatant needs to hit an armour class."""
    sheet = state.combatants[who].sheet
    raw = raw_need(aac0, starred, ac.value)
    rules = ["attack.aac0-starred"] if starred else []
    rules += ["attack.six-twenties"] if raw > 20 else []
    table = "attack.class-without-table" if sheet.attack_table.casefold() in NO_TABLE else "attack.table-by-class"
    rules += [table] if sheet.class_ else []
    events = state.combatants[who].records("aac0", "aac0_starred")
    said = terms(repeated(raw), ("AAC0", aac0), ("armour class", -ac.value))
    return Derived(repeated(raw), Because((*rules, "attack.aac0"), events, (ac, *said)))


def need_of(state: VileState, roll: AttackRoll) -> Derived[int]:
    """Return the number that a roll needs to hit."""
    if roll.need:
        return Derived(roll.need.value, Because(of=(roll.need,)))
    return derived_need(state, roll.who, roll.aac0, roll.starred, ac_of(state, roll))


def need(state: VileState, who: str, target: str) -> Derived[int] | None:
    """Return the number that a combatant needs now to hit another."""
    if target not in state.combatants:
        return None
    sheet = state.combatants[who].sheet
    return derived_need(state, who, sheet.aac0, sheet.aac0_starred, armour(state, target))


# ---------------------------------------------------------------- the total and the hit


@derives("attack.modified-score", "attack.gm-modifiers")
def bonuses(state: VileState, roll: AttackRoll) -> Derived[int]:
    """Return the sum added to the die: the recorded modifiers, else those of the sheet, with effects and rulings."""
    score, rulings = "attack.modified-score", "attack.gm-modifiers"
    own = recorded(roll, ATTACK)
    said = unlisted(own, ruled(state, roll.who, ATTACK, about(roll), roll.seq))
    more = [*said, *(each for each in unlisted(own, roll.bonuses) if not own or each.name != MAGIC)]
    amount = sum(mod.amount for mod in own) + sum(each.amount for each in more)
    events = (roll.seq, *(each.seq for each in more))
    return Derived(amount, Because((score, *((rulings,) if said else ())), tuple(sorted({*events}))))


def shown(roll: AttackRoll) -> int | None:
    """Return the number on the die of a roll; None without a die."""
    return face(roll.event.die)  # type: ignore[arg-type]


@derives("attack.modified-score")
def total_of(state: VileState, roll: AttackRoll) -> Derived[int | None]:
    """Return the total of a roll; without a die it is the stated one."""
    found, die = bonuses(state, roll), shown(roll)
    if die is None:
        return Derived(roll.event.total, Because(total_of.rules, of=(found,)))
    total = die + found.value
    said = terms(total, ("on the die", die), ("added to it", found.value))
    return Derived(total, Because(total_of.rules, of=(found, *said)))


@derives("attack.natural-one", "attack.natural-twenty", "attack.modified-score", "foiled.attempted-and-wasted")
def hit_of(state: VileState, roll: AttackRoll) -> Derived[bool | None]:
    """Return whether a roll hits: a 20 always, a 1 never, else if its total is the needed number or more; None if unknown."""
    table, die = read(RULES).tables["attack"], shown(roll)
    if roll.event.foiled:
        return Derived(False, Because(("foiled.attempted-and-wasted",), (roll.seq,)))
    if die == table["natural_miss"]:
        return Derived(False, Because(("attack.natural-one",), (roll.seq,)))
    if die == table["natural_hit"]:
        return Derived(True, Because(("attack.natural-twenty",), (roll.seq,)))
    total = total_of(state, roll)
    if total.value is None or not roll.target or roll.called:
        return Derived(roll.event.hit, Because(("attack.modified-score",), (roll.seq,)))
    needed = need_of(state, roll)
    return Derived(total.value >= needed.value, Because(("attack.modified-score",), (), (total, needed)))


def is_idle(state: VileState, fact: Occurrence[Fact]) -> bool:
    """Return whether a fact is the choice of a target, or an attack roll without a hit, stated or derived."""
    if isinstance(fact.event, ActionTaken):
        return fact.kind == "target"
    roll = state.round.rolls.get(fact.seq)
    return roll is not None and not roll.event.hit and hit_of(state, roll).value is False


@derives("routine.primary")
def primary(state: VileState, who: str) -> Derived[str]:
    """Return the weapon of a combatant's primary attack: that of its last attack, else of the expected one."""
    blows = [each for each in state.round.acts_of.get(who, ()) if each.kind in ATTACKS][-1:]
    own = [each.name for each in state.combatants[who].sheet.weapons] or ["none"]
    found = [own[0], *(_main(state, each) or own[0] for each in blows)]
    events = {*state.combatants[who].records("weapons"), *(each.seq for each in blows if found[0] != found[-1])}
    return Derived(found[-1], Because(primary.rules, tuple(sorted(events))))


def _main(state: VileState, act: VileAct) -> str:
    said = act.action.name or ""
    named = weapons_in(state, act.combatant, said)
    return min(named, key=lambda each: said.casefold().find(each.name.casefold())).name if named else said
