"""Death rolls: the kind that is due, the number that it needs, its outcome, and death; totals of saves."""

from collections.abc import Iterator

from eventstore.events import DiceRolled, Fact, SaveRolled
from eventstore.shapes import Dice
from projections.address import NOTHING
from projections.because import NOTHING_CITED, Because, Derived, asked_so_far
from projections.fight import Combatant
from projections.folds.dues import lapse_at
from projections.folds.vitals import update_status
from projections.mechanics.dues import Due, pay
from projections.mechanics.grants import words_of
from projections.mechanics.rolls import face, fits_sides, total
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import derives
from projections.rulesets.definition_master.acts import has_turn
from projections.rulesets.definition_master.health import ROLL
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.state import Failure, MasterState
from projections.rulesets.definition_master.table import fault_clauses
from projections.rulesets.definition_master.turns import ENDS_A_TURN
from projections.time import Boundary

Rolls = SaveRolled | DiceRolled
FORTITUDE, PERCENT = "Fortitude save", "d%"


def kind_of_save(event: Rolls) -> str:
    """Return the kind of a save: a d% or another save, if it says so, else a Fortitude save."""
    said = (getattr(event, "save", None) or "").casefold()
    die = f"{said} {event.die.notation.casefold()}" if isinstance(event.die, Dice) else said
    if any(each in die for each in ("percent", "d%", "100", "2d10")):
        return PERCENT
    return f"{said} save" if said[:3] in ("ref", "wil") else FORTITUDE


def save_bonus(one: Combatant, save: str) -> int | None:
    """Return a combatant's bonus to a save, such as fort or Fortitude; None where the sheet has none."""
    saves: dict[str, int] = one.sheet.saves
    return next((bonus for name, bonus in saves.items() if name.casefold()[:3] == save.casefold()[:3]), None)


def save_total(one: Combatant, event: Rolls, save: str) -> int | None:
    """Return the total of a save with its sheet's bonus, which modifiers may contain; without a die as recorded."""
    if event.die is None:
        return event.total
    bonus, parts = save_bonus(one, save) or 0, event.modifiers
    named = any(part.name.casefold()[:3] in (save.casefold()[:3], "sav", "bas") for part in parts)
    whole = named or sum(part.amount for part in parts) == bonus
    return total(event.die, parts, 0 if whole else bonus)


def record_faults(
    one: Combatant,
    event: Rolls,
    comes: int | None,
    dc: int | None,
    rules: tuple[str, str],
    events: tuple[int, ...] = (),
    sides: int = 20,
    wrong_dc: int | None = None,
) -> Iterator[Fault]:
    """Yield the faults in the record of a roll: die or total by the first rule, the outcome by itself by the second."""
    of_roll, of_outcome = rules
    if event.die is not None and not (0 <= face(event.die) <= 100 if sides == 100 else fits_sides(event.die, sides)):
        says, shown = f"{one.id}'s {'d%' if sides == 100 else 'd20'} cannot show", str(face(event.die))
        yield Fault((of_roll,), f"{says} {shown}", f"1 to {sides}", shown)
    if event.total not in (None, comes):
        bonus_records = one.records("saves") if sides == 20 else ()
        says, found = f"{one.id}'s save totals {comes}", f"a total of {event.total}"
        yield Fault((of_roll,), says, f"a total of {comes}", found, bonus_records)
    if comes is None or dc is None:
        return
    stated, against = (due if said is None else said for said, due in ((event.total, comes), (wrong_dc, dc)))
    if event.succeeded in (None, comes >= dc, stated >= against):
        return
    due, said = (("a failure", "a success")[each] for each in (comes >= dc, event.succeeded))
    yield Fault((of_outcome,), f"{one.id}'s {comes} against DC {dc} is {due}", due, said, events)


EQUAL = "all-equal"
EVERY_TURN, EVERY_ROUND = "death.equal-one-attempt-a-round", "death.fortitude-every-round"
TURNS, DICE = {EQUAL: EVERY_TURN}, {EQUAL: PERCENT}
"""The clause by which a death roll is due, and the die for it, if the table does not roll Fortitude saves."""
TARGETS = (51, 61, 71)
"""The numbers that a d% must reach, by the failures in a row."""
SAVES = (SaveRolled, DiceRolled)
"""The facts that can record a death roll."""


def roll_kind(state: MasterState) -> Derived[str]:
    """Return the kind of death roll that the table uses, by the option or by a later ruling."""
    if ruled := state.ruled.get("options.death-roll"):
        return Derived(ruled.value, Because((), (), (ruled,), {"death-roll": ruled.value}))
    return Derived(state.option("death-roll"), NOTHING_CITED)


@derives("death.equal-failure-raises-ten", "death.equal-threshold")
def percent_target(state: MasterState, who: str) -> Derived[int]:
    """Return the number that a d% has to reach: 51, and 10 more for each failure in a row."""
    failures = state.health.of(who).failures
    counted = [each for each in failures if each.rolled or state.option("automatic-failure") == "raises"]
    rules = ("death.equal-failure-raises-ten", "death.equal-threshold") if counted else ("death.equal-threshold",)
    of = (*(each.because for each in counted), state.health.of(who).broke)
    number = TARGETS[min(len(counted), len(TARGETS) - 1)]
    return Derived(number, Because(rules, (), of) + roll_kind(state).because)


@derives("death.stats-dc")
def target_by_stats(state: MasterState, who: str) -> Derived[int]:
    """Return 10 plus Hit Dice minus the Constitution modifier."""
    one = state.combatants[who]
    because = Because(target_by_stats.rules, one.records("hit_dice", "con")) + roll_kind(state).because
    return Derived(10 + one.sheet.hit_dice - one.sheet.con, because)


@derives("death.brutality-dc")
def target_by_brutality(state: MasterState, who: str) -> Derived[int]:
    """Return 10 plus the damage of the hit that brought a combatant to 0, or the points that it took by option."""
    body, whole = state.health.of(who), state.option("brutality-damage") == "whole-hit"
    damage = (body.hit.amount if whole else body.hit.lost) if body.hit else 0
    of = () if whole else (state.combatants[who].pools["hp"].since(),)
    events = (body.hit.seq if body.hit else body.fell,)
    return Derived(10 + damage, roll_kind(state).because + Because(target_by_brutality.rules, events, of))


NEEDED = {EQUAL: percent_target, "stats-matter": target_by_stats, "brutality": target_by_brutality}
"""The functions that return the number that a death roll must reach, by the kind of death roll."""


def next_target(state: MasterState, who: str) -> Derived[int] | None:
    """Return the number that the next death roll of a combatant must reach; None if none is due."""
    if state.combatants[who].status != "dying":
        return None
    if covered := state.ruled.get(f"{who}.death-dc"):
        return None if covered.value == NOTHING else Derived(covered.value, covered.cites())
    found = NEEDED.get(roll_kind(state).value)
    return found(state, who) if found else None


def _death_roller(event: Rolls) -> str:
    return (event.combatant or "") if "death" in words_of(event.purpose or "") else ""


def die_rolled(event: Rolls) -> str:
    """Return the die of a death roll; a face beyond 20 without further words is that of a d%."""
    many = isinstance(event.die, int) and event.die > 20 and not getattr(event, "save", None)
    return PERCENT if many else kind_of_save(event)


def death_roll_total(one: Combatant, event: Rolls) -> int | None:
    """Return the total of a roll: 00 on a d% is 100; a Fortitude save adds the bonus of the sheet."""
    if event.die is not None and die_rolled(event) == PERCENT:
        return total(face(event.die) or 100, event.modifiers)
    return save_total(one, event, FORTITUDE)


@derives("stabilized.no-more-saves", "death.table-chooses-one-type")
def why_not_counted(state: MasterState, who: str, event: Rolls) -> Fault | None:
    """Return the fault that keeps a death roll from counting: the status, its kind, or the turn; None if it counts."""
    one_kind = "death.table-chooses-one-type"
    die, table, turn = die_rolled(event), roll_kind(state).value, state.clock.turn_event
    fell, (before, roll), turns = state.health.of(who).fell, state.health.of(who).rolled, TURNS.get(table, EVERY_ROUND)
    status, because = state.combatants[who].status, state.combatants[who].standing.because.flat()
    over = next(iter(because.rules), "") if status == "dead" else "stabilized.no-more-saves"
    reasons = (
        (status in ("dead", "stabilized"), over, f"{who} is {status}: no roll is due", because.events),
        (table not in NEEDED, one_kind, "the table has not chosen a kind of death roll", (1,)),
        (die != DICE.get(table, FORTITUDE), one_kind, f"this table's death rolls are {table}, not a {die}", (1,)),
        (status != "dying", turns, f"{who} is not dying: no roll is due", because.events),
        (not has_turn(state, who), turns, f"it is not {who}'s turn", (turn,) if turn else ()),
        (before == turn, turns, f"{who} has made its death roll this turn", (turn, roll)),
        (state.precedes(turn, fell), turns, f"{who} fell in this turn: its first roll is in the next", (fell,)),
    )
    found = (Fault((rule,), says, "no such roll", die, events) for holds, rule, says, events in reasons if holds)
    return next(found, None)


def _outcome_clause(state: MasterState, who: str) -> str:
    return percent_target(state, who).because.clause if roll_kind(state).value == EQUAL else "death.fortitude-outcome"


@derives("death.fortitude-outcome", "death.equal-threshold", "death.equal-failure-raises-ten", on=SAVES, phase="points")
def count_death_roll(state: MasterState, fact: Reading[Rolls]) -> None:
    """Count a death roll: a success stabilizes, or breaks the run of failures; the third failure in a row kills."""
    event, who = fact.event, _death_roller(fact.event)
    if not who:
        return
    one = state.combatants[who]
    body = state.health.of(who)
    objection = why_not_counted(state, who, event)
    used = roll_kind(state).because
    if objection:
        if one.status == "dying":
            chosen = (used,) if objection.rules == ("death.table-chooses-one-type",) else ()
            because = Because(objection.rules, objection.because, of=chosen)
            body.not_counted = (*body.not_counted, Derived(fact.seq, because))
        update_status(state, one)
        return
    pay(state.dues, who, ROLL)
    needed = next_target(state, who)
    comes = death_roll_total(one, event)
    body.rolled = (state.clock.turn_event, fact.seq)
    of = (needed or state.ruled[f"{who}.death-dc"], one.standing)
    because = Because((_outcome_clause(state, who),), body.rolled, of) + used
    succeeded = event.succeeded if needed is None or comes is None else comes >= needed.value
    if succeeded is False:
        count_failure(state, who, Failure(because, needed=Because(of=of[:1]) + used))
    elif succeeded:
        count_success(state, who, because)
    else:
        body.not_counted = (*body.not_counted, Derived(fact.seq, because))
        update_status(state, one)


@derives("death.three-in-a-row")
def count_failure(state: MasterState, who: str, failure: Failure) -> None:
    """Count a failed death save; the third one in a row kills."""
    body = state.health.of(who)
    body.failures = (*body.failures, failure)
    if len(body.failures) >= 3:
        body.dead = Because(count_failure.rules, (), tuple(each.because for each in body.failures))
    update_status(state, state.combatants[who])


@derives("death.equal-threshold", "death.fortitude-outcome")
def count_success(state: MasterState, who: str, because: Because) -> None:
    """Stabilize a combatant or, by option, only break its run of failures."""
    body = state.health.of(who)
    breaks = roll_kind(state).value == EQUAL and state.option("equal-success") == "breaks-run"
    body.options |= asked_so_far()
    if body.failures:
        body.broke = Because((), (), (Derived(who, because),))
    body.failures = ()
    if not breaks:
        body.stable = because
    update_status(state, state.combatants[who])


@derives(EVERY_TURN, EVERY_ROUND, at=("turn began", "turn resumed", "turn ended"), phase="aftermath")
def owe_death_roll(state: MasterState, boundary: Boundary) -> None:
    """Let a combatant who is dying as its turn begins owe a death roll until that turn is over."""
    lapse_at(state, boundary)
    one, table = state.combatants[boundary.who], roll_kind(state).value
    if boundary.kind != "turn ended" and one.status == "dying" and table in NEEDED:
        because = Because((TURNS.get(table, EVERY_ROUND),), (state.health.of(one.id).fell, boundary.seq))
        state.dues[one.id, ROLL, 0] = Due(one.id, ROLL, "turn ended", because)


@checks_by(EVERY_TURN, EVERY_ROUND, on=ENDS_A_TURN)
def each_turn_of_the_dying_has_a_roll(state: MasterState, _fact: Reading[Fact]) -> Iterator[Fault]:
    """Yield a fault for a death roll that was due in the turn that ends, and was not made."""
    due = state.dues.get((state.clock.turn, ROLL, 0))
    if due and state.combatants[due.who].status == "dying":
        says, events = f"{due.who}'s turn ends without its death roll", due.because.events
        yield Fault(due.because.rules, says, "a death roll", "none", events, once=(due.who, events))


@checks_by(*fault_clauses("death"), on=SAVES)
def roll_is_recorded_rightly(state: MasterState, fact: Reading[Rolls]) -> Iterator[Fault]:
    """Yield the faults of a death roll: one that keeps it from counting, else those of its numbers and its outcome."""
    event, who = fact.event, _death_roller(fact.event)
    if not who:
        return
    objection, needed = why_not_counted(state, who, event), next_target(state, who)
    if state.health.of(who).undecided:
        return
    if objection or needed is None:
        yield from (objection,) if objection else ()
        return
    because, due, sides = needed.because.flat(), f"DC {needed.value}", 100 if die_rolled(event) == PERCENT else 20
    wrong = None if f"{who}.death-dc" in state.ruled else event.dc
    if wrong not in (None, needed.value):
        yield Fault(because.rules, f"{who}'s death roll is against {due}", due, f"DC {event.dc}", because.events)
    rule, events = _outcome_clause(state, who), (fact.seq, *because.events)
    one = state.combatants[who]
    yield from record_faults(one, event, death_roll_total(one, event), needed.value, (rule, rule), events, sides, wrong)
