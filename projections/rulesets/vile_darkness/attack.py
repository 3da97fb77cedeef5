"""An attack roll: what it needs by AAC0 and armour class, what it comes to, and whether it hits."""

from eventstore.events import AttackRolled
from eventstore.shapes import Action, Modifier
from projections.because import Because, Derived
from projections.mechanics.grants import words
from projections.mechanics.rolls import face
from projections.rulesets.catalogue import read
from projections.rulesets.ruleset import derives
from projections.rulesets.vile_darkness.armour import (
    AC,
    ATTACK,
    added,
    armour,
    changes,
    covering,
    reckoned,
    recorded_ac,
    ruled,
    sheet_records,
    unlisted,
)
from projections.rulesets.vile_darkness.place import expected
from projections.rulesets.vile_darkness.reading import Reading
from projections.rulesets.vile_darkness.state import Act, Roll, VileState
from projections.rulesets.vile_darkness.table import ATTACKS, RULES, weapons_in
from projections.rulesets.vile_darkness.told import act_behind

MAGIC = "magic"
NO_TABLE = ("", "none", "no table")
"""What a sheet says of a class that has no attack table."""

# ---------------------------------------------------------------- keeping a roll


@derives("attack.target-and-roll", on=AttackRolled)
def roll_falls(state: VileState, fact: Reading) -> None:
    """Keep an attack roll with what holds just then."""
    event: AttackRolled = fact.event
    act = fact.act or act_behind(state, fact.fact, event.combatant)
    if event.confirms is None and event.combatant in state.combatants:
        state.round.rolls[fact.seq] = rolled(state, fact.seq, event, act)


def rolled(state: VileState, seq: int, event: AttackRolled, act: Act | None) -> Roll:
    """Return an attack roll with what holds just then of attacker and target."""
    who, sheet = event.combatant, state.combatants[event.combatant].sheet
    action = act.action if act else Action(kind="attack", name=event.name)
    target = event.target or (action.targets[0] if len(action.targets) == 1 else "")
    target = target if target in state.combatants else ""
    name = event.name if event.name and weapons_in(state, who, event.name) else action.name or event.name or ""
    records = sheet_records(state, who, "weapons")[:1]
    magic = [
        (MAGIC, (one.magic, record)) for one in weapons_in(state, who, name)[:1] for record in records if one.magic
    ]
    held = any(each.concentration and each.source == target for each in state.effects.values())
    return Roll(
        seq,
        who,
        target,
        act.seq if act else 0,
        event,
        name,
        ac=recorded_ac(state, target) if target else 10,
        changes=tuple(changes(state, target)) if target else (),
        bonuses=(*magic, *added(state, who, ATTACK)),
        sheets=sheet_records(state, target, "ac") if target else (),
        aac0=sheet.aac0,
        starred=sheet.aac0_starred,
        maintains=bool(target) and held,
        called="called" in action.manner,
    )


def about(state: VileState, roll: Roll) -> tuple[int, ...]:
    """Return the records that a ruling about a roll may name: the roll, its attack, what that answers."""
    act = state.round.acts.get(roll.act)
    return (roll.seq, roll.act, act.trigger if act else 0)


# ---------------------------------------------------------------- the armour class that it meets


@derives("concentration.no-combat-penalty")
def unlawful(roll: Roll) -> list[Modifier]:
    """Return the penalties for concentrating that a roll records: there are none."""
    heads = ("concentrat", "maintain")
    return [mod for mod in roll.event.modifiers if any(word.startswith(heads) for word in words(mod.name))]


def recorded(roll: Roll, to: tuple[str, ...]) -> list[Modifier]:
    """Return the lawful modifiers that a roll records to this."""
    wrong = unlawful(roll)
    return [mod for mod in roll.event.modifiers if (mod.to or "attack") in to and mod not in wrong]


def gains(state: VileState, roll: Roll) -> list[tuple[int, int]]:
    """Return what changes the armour class that a roll meets."""
    own = recorded(roll, AC)
    said = unlisted(own, ruled(state, roll.target, AC, about(state, roll), roll.seq))
    kept = [change for change in roll.changes if not any(mod.amount == change[0] for mod in own)]
    return [*kept, *(change for _, change in said), *((mod.amount, roll.seq) for mod in own)]


def ac_of(state: VileState, roll: Roll) -> Derived[int]:
    """Return the armour class that a roll meets."""
    return reckoned(roll.ac, gains(state, roll), roll.sheets)


# ---------------------------------------------------------------- what it needs


def raw_need(aac0: int, starred: bool, ac: int) -> int:
    """Return what a roll would need if 20 did not repeat."""
    return aac0 + (int(read(RULES).tables["attack"]["starred_counts_as"]) - 20 if starred else 0) - ac


def repeated(raw: int) -> int:
    """Return a need on the tables, where 20 stands for six armour classes in a row."""
    table = read(RULES).tables["attack"]
    most, again = int(table["natural_hit"]), int(table["twenties"]) - 1
    return raw if raw <= most else max(most, raw - again)


@derives(
    "attack.aac0", "attack.aac0-starred", "attack.six-twenties", "attack.class-without-table", "attack.table-by-class"
)
def reckoned_need(state: VileState, who: str, aac0: int, starred: bool, ac: Derived[int]) -> Derived[int]:
    """Return what somebody needs to hit an armour class."""
    plain, star, twenties, none, by_class = reckoned_need.rules
    sheet = state.combatants[who].sheet
    raw = raw_need(aac0, starred, ac.value)
    rules = [star] if starred else []
    rules += [twenties] if raw > 20 else []
    rules += [none if sheet.attack_table.casefold() in NO_TABLE else by_class] if sheet.class_ else []
    events = sheet_records(state, who, "aac0", "aac0_starred")
    first = tuple(rule for rule in ac.because.rules if rule == "attack.ac-bonus-sign")
    return Derived(repeated(raw), Because((*first, *rules, plain), events, {}, (ac,)))


def need_of(state: VileState, roll: Roll) -> Derived[int]:
    """Return what a roll needs to hit."""
    covered = covering(state, f"{roll.who}.need.{roll.target}")
    if covered and covered.because.flat().events[0] < roll.seq:
        return covered
    return reckoned_need(state, roll.who, roll.aac0, roll.starred, ac_of(state, roll))


def need(state: VileState, who: str, target: str) -> Derived[int] | None:
    """Return what somebody needs to hit another as things stand now."""
    if target not in state.combatants:
        return None
    sheet = state.combatants[who].sheet
    return reckoned_need(state, who, sheet.aac0, sheet.aac0_starred, armour(state, target))


# ---------------------------------------------------------------- what it comes to


@derives("attack.modified-score", "attack.gm-modifiers")
def bonuses(state: VileState, roll: Roll) -> Derived[int]:
    """Return what is added to the die: what is recorded, else what the sheet adds, with effects and rulings."""
    score, rulings = bonuses.rules
    own = recorded(roll, ATTACK)
    said = unlisted(own, ruled(state, roll.who, ATTACK, about(state, roll), roll.seq))
    more = [*said, *(each for each in unlisted(own, roll.bonuses) if not own or each[0] != MAGIC)]
    amount = sum(mod.amount for mod in own) + sum(change[0] for _, change in more)
    events = (roll.seq, *(change[1] for _, change in more))
    return Derived(amount, Because((score, *((rulings,) if said else ())), tuple(sorted({*events}))))


def shown(roll: Roll) -> int | None:
    """Return what the die of a roll shows; None where only a total is recorded, or nothing."""
    return None if roll.event.die is None else face(roll.event.die)


@derives("attack.modified-score")
def total_of(state: VileState, roll: Roll) -> Derived[int | None]:
    """Return what a roll comes to; without a die it is what was stated."""
    found, die = bonuses(state, roll), shown(roll)
    return Derived(roll.event.total if die is None else die + found.value, Because(total_of.rules, of=(found,)))


@derives("attack.natural-one", "attack.natural-twenty", "attack.modified-score", "foiled.attempted-and-wasted")
def hit_of(state: VileState, roll: Roll) -> Derived[bool | None]:
    """Return whether a roll hits: a 20 always, a 1 never, else as its total reaches what it needs; None if nobody can say."""
    one, twenty, score, foiled = hit_of.rules
    table, die = read(RULES).tables["attack"], shown(roll)
    if roll.event.foiled:
        return Derived(False, Because((foiled,), (roll.seq,)))
    if die == table["natural_miss"]:
        return Derived(False, Because((one,), (roll.seq,)))
    if die == table["natural_hit"]:
        return Derived(True, Because((twenty,), (roll.seq,)))
    total = total_of(state, roll)
    if total.value is None or not roll.target:
        return Derived(roll.event.hit, Because((score,), (roll.seq,)))
    needed = need_of(state, roll)
    return Derived(total.value >= needed.value, Because((score,), (), {}, (total, needed)))


# ---------------------------------------------------------------- as it stands now


def last_roll(state: VileState, who: str) -> Roll | None:
    """Return the last attack roll of somebody in this round."""
    return next((each for each in reversed(state.round.rolls.values()) if each.who == who), None)


@derives("routine.primary")
def primary(state: VileState, who: str) -> Derived[str]:
    """Return the weapon of somebody's primary attack: the first of those that it last struck with, or would strike with."""
    blows = [each for each in state.round.acts_of.get(who, ()) if each.kind in ATTACKS]
    found = [_main(state, each) for each in (expected(state, state.combatants[who]), *blows[-1:])]
    events = {*sheet_records(state, who, "weapons"), *(each.seq for each in blows[-1:] if found[0] != found[-1])}
    return Derived(found[-1] or "none", Because(primary.rules, tuple(sorted(events))))


def _main(state: VileState, act: Act) -> str:
    said = act.action.name or ""
    named = weapons_in(state, act.who, said)
    return min(named, key=lambda each: said.casefold().find(each.name.casefold())).name if named else said
