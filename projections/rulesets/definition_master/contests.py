"""Contests: the parts that both add to their dice, the winner, and the faults in the record."""

from collections.abc import Iterator

from eventstore.events import ConditionGained, ContestRolled, DamageDealt, Moved
from eventstore.shapes import Contender
from projections.because import Because, Derived
from projections.mechanics.diagnosis import omission, said_totals, total_without
from projections.mechanics.grants import words_of
from projections.mechanics.rolls import face, fits_sides
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import derives
from projections.rulesets.definition_master.acts import OPTIONS, act_at, acts_of_turn, attack_bonus, records_of
from projections.rulesets.definition_master.attack import D20, ability_modifier, recorded_parts, sheet_part
from projections.rulesets.definition_master.ground import size_of
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.state import Bout, Maneuver, MasterState, Named, Side
from projections.rulesets.definition_master.table import ContestRow, contests, fault_clauses, mentions

ESCAPE, GRAPPLE = "escape-artist", "grapple"
ABILITIES = {"strength": "str", "dexterity": "dex"}
SIZE, PENALTY = "maneuver.size-modifiers", "maneuver.damage-penalty"
Follows = ConditionGained | DamageDealt | Moved
"""The facts that follow from a contest."""
INVALID = {
    "maneuver.touch-roll": "{}'s touch attack has to hit before the contest",
    "grapple.expose-pinned-only": "{} has not pinned whom it exposes",
    "grapple.options-need-contest": "{} holds nobody",
    "grapple.escape-each-turn": "{} may try to escape once, as its turn begins",
    "grapple.option-escape-artist": "Escape Artist cannot answer {}'s attempt",
}
"""The clauses by which a contest does not count, in words."""
HIGHER, AGAIN, TOUCH = "opposed.higher-wins", "opposed.tie-rerolls", "maneuver.touch-roll"


def bout_behind(state: MasterState, fact: Occurrence[Follows], who: str, *kinds: str) -> Bout | None:
    """Return the contest of these kinds behind a fact about a combatant: its cause, else the last of its act."""
    bouts, act = state.combat.bouts, act_at(state, fact.cause)
    own = [each for each in bouts.values() if act and each.attempt.act == act.begun and who in each.sides]
    found = bouts.get(fact.event.cause or 0) or next(reversed(own), None)
    return found if found and found.attempt.kind in kinds else None


def only_bout(state: MasterState, fact: Occurrence[Follows], who: str, *kinds: str) -> Bout | None:
    """Return the contest that led to a fact about a combatant; if no cause is named, the only one of the turn."""
    now = [each for each in state.combat.bouts.values() if not state.precedes(each.seq, state.clock.turn_event)]
    own = [each for each in now if each.attempt.kind in kinds and who in each.sides]
    return bout_behind(state, fact, who, *kinds) or (own[0] if len(own) == 1 and not fact.event.cause else None)


def skill_name(said: str) -> str:
    """Return the name of a skill in the form of the table."""
    name = "-".join(words_of(said))
    short = {"str": "strength", "dex": "dexterity", "level": "level-check", "escape": ESCAPE}
    return short.get(name, name)


def _usual_skill(row: ContestRow, who: str, attempt: Maneuver) -> str:
    return row.aggressor if who == attempt.aggressor else row.defender


def skill_used(state: MasterState, row: ContestRow, one: Contender, attempt: Maneuver) -> str:
    """Return the skill rolled: as recorded, else as modifiers or a defender's total show, else by the table."""
    own, said = _usual_skill(row, one.combatant, attempt), {skill_name(each.name) for each in one.modifiers}
    if one.using:
        return skill_name(one.using)
    others: tuple[str, ...] = (row.instead, ESCAPE, *(ABILITIES if own in ABILITIES else ()))
    if shown := [name for name in others if name in said]:
        return shown[0]
    if one.combatant == attempt.aggressor or one.total is None:
        return own
    for name in (own, row.instead, ESCAPE):
        parts = tuple(side_parts(state, row, name, one, attempt))
        if one.die is not None and parts and face(one.die) + _sum_of_parts(parts) == one.total:
            return name
    return own


def is_lawful(state: MasterState, row: ContestRow, skill: str, who: str, attempt: Maneuver) -> bool:
    """Say whether a combatant may use a skill in a contest."""
    if who == attempt.aggressor:
        return skill == row.aggressor
    if skill in (row.defender, row.instead):
        return True
    return skill == ESCAPE and row.action in OPTIONS and state.option("escape-artist-against") == "every-option"


def _size_modifier(state: MasterState, who: str) -> int:
    found = size_of(state, who)
    return found.opposed if found else 0


@derives("maneuver.size-modifiers", "size.modifiers-vary", "grapple.contest", "feint.standard-contest")
def side_parts(state: MasterState, row: ContestRow, skill: str, one: Contender, attempt: Maneuver) -> Iterator[Named]:
    """Yield the parts added to a combatant's die in a contest."""
    who, sheet, said = one.combatant, state.combatants[one.combatant].sheet, recorded_parts_of(one)
    if skill in ABILITIES:
        short = ABILITIES[skill]
        yield sheet_part(state, who, short, ability_modifier(state, who, short), row.rule, short)
        yield sheet_part(state, who, "size", said.get("size", _size_modifier(state, who)), SIZE, "size")
    elif skill == GRAPPLE:
        yield grapple_part(state, who, said)
    elif skill == "level-check":
        yield sheet_part(state, who, "hit dice", sheet.hit_dice, row.rule, "hit_dice")
        yield sheet_part(state, who, "wis", sheet.wis, row.rule, "wis")
    elif skill == "attack":
        yield from attack_parts(state, row, who, attempt, said)
    else:
        own = (amount for name, amount in sheet.skills.items() if skill_name(name) == skill)
        name = skill.replace("-", " ")
        yield from (sheet_part(state, who, name, amount, row.rule, "skills") for amount in own)
    if who == attempt.aggressor and attempt.struck_by and row.struck:
        yield Named("struck", row.struck, PENALTY, Because((PENALTY,), (attempt.struck_by,)))


@derives("grapple.contest")
def grapple_part(state: MasterState, who: str, said: dict[str, int]) -> Named:
    """Return a combatant's grapple modifier: that of its sheet, else best base attack bonus, Strength and size."""
    one, keys = state.combatants[who], ["grapple"]
    amount = one.sheet.grapple
    if amount is None:
        amount = attack_bonus(one, 0) + one.sheet.str_ + said.get("size", _size_modifier(state, who))
        keys = ["attacks", "base_attack", "str", "size"]
    return Named(GRAPPLE, amount, "grapple.contest", Because(grapple_part.rules, one.records(*keys)))


def attack_parts(
    state: MasterState, row: ContestRow, who: str, attempt: Maneuver, said: dict[str, int]
) -> Iterator[Named]:
    """Yield the parts of an attack roll in a contest, with the bonus of the attack replaced or the defender's highest."""
    one, tries = state.combatants[who], who == attempt.aggressor
    base = attempt.bonus if tries and attempt.act else attack_bonus(one, 0)
    rule = "attacks.maneuver-uses-slot-bonus" if tries else row.rule
    act = state.flow.acts.get(attempt.act) if tries else None
    before = records_of(each for each in acts_of_turn(state, who) if act and -1 < each.slot < act.slot)
    yield Named("base", base, rule, Because((rule,), (*one.records("attacks", "base_attack"), *before)))
    short = "dex" if "dex" in said and "str" not in said else "str"
    yield sheet_part(state, who, short, ability_modifier(state, who, short), row.rule, short)


def recorded_parts_of(one: Contender) -> dict[str, int]:
    """Return the recorded parts of a combatant's roll by short names; the penalty for a strike is `struck`."""
    found: dict[str, int] = {}
    for name, amount in recorded_parts(one.modifiers).items():
        counted = "hit dice" if {*words_of(name)} & {"hd", "level", "hit"} else name
        short = "struck" if amount < 0 and mentions("struck", name) else counted
        found[short] = found.get(short, 0) + amount
    return found


def make_side(
    state: MasterState, row: ContestRow, one: Contender, attempt: Maneuver, seq: int, before: Side | None = None
) -> Side:
    """Return one side of a contest with its total; the recorded one if its parts or a strike before it are unknown."""
    skill, who = skill_used(state, row, one, attempt), one.combatant
    used = skill if is_lawful(state, row, skill, who, attempt) else _usual_skill(row, who, attempt)
    parts = tuple(side_parts(state, row, used, one, attempt))
    stated = one.total if one.check is None else one.check
    is_open = attempt.may_be_struck and who == attempt.aggressor
    stands_alone = stated is not None and (is_open or not (parts or one.modifiers))
    if one.check is not None or one.die is None or stands_alone:
        return Side(who, skill, parts, 0, Derived(stated, Because((row.rule,), (seq,))))
    more = before.further if before else sum_of_other_parts(recorded_parts_of(one), parts, used)  # repeated: the same
    repeated = (before.total,) if before and before.further else ()
    because = Because((row.rule,), (seq,), of=(*(each.because for each in parts), *repeated))
    return Side(who, skill, parts, more, Derived(face(one.die) + _sum_of_parts(parts) + more, because))


def _sum_of_parts(parts: tuple[Named, ...]) -> int:
    return sum(each.amount for each in parts)


DISTINCT = ("str", "dex", GRAPPLE)
"""The parts that show, if one is recorded, that the parts of a roll are listed."""
BARRED = {"struck", "str", "dex", "size", "base", GRAPPLE}
"""The parts that a contest itself decides; recorded ones beyond these are added."""


def sum_of_other_parts(said: dict[str, int], parts: tuple[Named, ...], skill: str) -> int:
    """Return the sum of the other recorded parts; 0 if the recorded parts make up a skill of the sheet."""
    if sum(said.values()) == _sum_of_parts(parts):
        return 0
    known = (BARRED | {each.name for each in parts} | {skill.replace("-", " "), "skill"}) if parts else set()
    return sum(amount for name, amount in said.items() if name not in known)


@checks_by(*fault_clauses("contest"), on=ContestRolled)
def contest_is_recorded_rightly(state: MasterState, fact: Reading[ContestRolled]) -> Iterator[Fault]:
    """Yield the faults in the record of a contest."""
    bout = state.combat.bouts.get(fact.seq)
    if bout is None:
        return
    row, attempt = contests()[bout.attempt.kind], bout.attempt
    if bout.invalid:
        says = INVALID[bout.invalid].format(attempt.by)
        yield Fault((bout.invalid,), says, "no contest", "a contest", (attempt.seq,))
    for one in fact.event.contenders:
        if one.combatant in bout.sides:
            yield from _side_faults(state, row, bout, one)
    yield from _winner_faults(row, bout, fact.event)


def _side_faults(state: MasterState, row: ContestRow, bout: Bout, one: Contender) -> Iterator[Fault]:
    side, who = bout.sides[one.combatant], one.combatant
    if one.die is not None and not fits_sides(one.die, D20):
        yield Fault((HIGHER,), f"{who}'s d20 cannot show {face(one.die)}", f"1 to {D20}", str(face(one.die)))
    if not is_lawful(state, row, side.using, who, bout.attempt):
        rule = "grapple.escape-artist" if side.using == ESCAPE and who == bout.attempt.aggressor else row.rule
        if bout.invalid != "grapple.option-escape-artist":
            skills = (row.aggressor,) if who == bout.attempt.aggressor else (row.defender, row.instead)
            says, due_ = f"{who} cannot use {side.using} in this contest", " or ".join(filter(None, skills))
            yield Fault((rule,), says, due_, side.using)
        return
    if bout.attempt.may_be_struck and who == bout.attempt.aggressor:
        return
    wrong = list(_part_faults(row, bout, side, recorded_parts_of(one)))
    yield from wrong
    if one.total is None:
        return
    due = bout.totals.get(who, one.total)
    shown = None if one.die is None else face(one.die)
    if one.total == due or (wrong and one.total in said_totals(due, shown, side.parts, recorded_parts_of(one), BARRED)):
        return
    rule, says = _clause_of_wrong_total(row, bout, side, one.total, due), f"{who}'s roll totals {due}"
    yield Fault((rule,), says, f"a total of {due}", f"a total of {one.total}", side.total.because.flat().events)


def _part_faults(row: ContestRow, bout: Bout, side: Side, said: dict[str, int]) -> Iterator[Fault]:
    """Yield a fault for each part that is recorded wrong, or left out while others are listed."""
    own = {each.name: each for each in side.parts}
    if "struck" in said and "struck" not in own:
        says = f"nothing is taken off {side.who}'s roll for being struck"
        yield Fault((_penalty(row, bout),), says, "no modifier", f"{said['struck']:+}")
    if row.action == "feint" and "base" in said:
        says = "a level check adds Hit Dice, not the base attack bonus"
        yield Fault((row.rule,), says, "Hit Dice", "base attack bonus")
    for part in own.values():
        found, events = said.get(part.name), part.because.events
        if found is None and part.name in ("struck", "size") and part.amount and not said.keys().isdisjoint(DISTINCT):
            says = f"{side.who}'s roll leaves out {part.amount:+} for {part.name}"
            yield Fault((part.rule,), says, f"{part.amount:+}", "no modifier", events)
        elif found not in (None, part.amount):
            says = f"{side.who} rolls with {part.amount:+} for {part.name}"
            yield Fault((part.rule,), says, f"{part.amount:+}", f"{found:+}", events)


def _penalty(row: ContestRow, bout: Bout) -> str:
    """Return the clause that denies a penalty: that on the strike, else that of a contest without one."""
    return PENALTY if row.struck or bout.struck else row.rule


def _clause_of_wrong_total(row: ContestRow, bout: Bout, side: Side, stated: int, due: int) -> str:
    """Return the clause of a part left out of a total, or of an undue penalty; that of the base if neither fits."""
    own = {each.name: each for each in side.parts}
    penalty = Named("struck", min(each.struck for each in contests().values()), _penalty(row, bout), counts=False)
    undue = [penalty] if side.who == bout.attempt.aggressor else []
    size, struck = ([own[name]] if name in own else [] for name in ("size", "struck"))
    tried = (*(undue + size if bout.struck else size + undue), *struck)
    out = omission(stated, lambda part: total_without(due, (part,)), tried)
    return out.rule if out else own["base"].rule if "base" in own else row.rule


def _winner_faults(row: ContestRow, bout: Bout, event: ContestRolled) -> Iterator[Fault]:
    """Yield a fault for a winner who did not roll more, unless the recorded totals say so."""
    totals = bout.totals
    stated = totals | {one.combatant: one.total for one in event.contenders if one.total is not None}
    if event.winner is None or len(totals) < 2 or event.winner == _higher_roller(stated):
        return
    ranked = sorted(totals, key=lambda who: -totals[who])
    shown = " against ".join(f"{who}'s {totals[who]}" for who in ranked)
    if _higher_roller(totals) is None:
        yield Fault((AGAIN,), f"{shown}: both roll again", "another roll", event.winner)
    elif event.winner != ranked[0] and not bout.invalid:
        yield Fault((row.wins or row.rule,), f"{shown}: {ranked[0]} wins", ranked[0], event.winner)


def _higher_roller(totals: dict[str, int]) -> str | None:
    most = [who for who, total in totals.items() if total == max(totals.values())]
    return most[0] if len(most) == 1 else None
