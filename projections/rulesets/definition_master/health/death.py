"""Death rolls: which one is due and against what, what it does, and how somebody dies."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from msgspec import Struct

from eventstore.events import (
    DiceRolled,
    EncounterClosed,
    RoundEnded,
    RoundStarted,
    SaveRolled,
    TurnDelayed,
    TurnEnded,
    TurnResumed,
    TurnStarted,
)
from eventstore.shapes import Dice
from projections.because import Because, Cites, Derived
from projections.folds.vitals import stands
from projections.mechanics.dues import Due, owe, pay
from projections.mechanics.grants import words
from projections.mechanics.rolls import face, is_on, total
from projections.rulesets.definition_master.acts.acts import has_turn
from projections.rulesets.definition_master.health.health import ROLL, settles
from projections.rulesets.definition_master.reading import Told
from projections.rulesets.definition_master.state import Failure, MasterState
from projections.rulesets.definition_master.table import faults_of, row
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.ruleset import derives
from projections.state import Ruled
from projections.time import Boundary

EQUAL, STATS, BRUTALITY, NOT_CHOSEN = "all-equal", "stats-matter", "brutality", "not-chosen"
PERCENT, FORTITUDE = "d%", "Fortitude save"
EVERY_TURN, EVERY_ROUND = "death.equal-one-attempt-a-round", "death.fortitude-every-round"
SAVES = (SaveRolled, DiceRolled)
"""The facts that a death roll can be told by."""


def chosen(state: MasterState) -> dict[str, str]:
    """Return the kind of death roll that the table uses, by the option or by a ruling since."""
    ruled = state.ruled.get("options.death-roll")
    return {"death-roll": ruled.value} if ruled else state.chosen("death-roll")


def choice(state: MasterState) -> tuple[Ruled, ...]:
    """Return the ruling that says which kind of death roll the table uses, if one does."""
    ruled = state.ruled.get("options.death-roll")
    return (ruled,) if ruled else ()


def kind(state: MasterState) -> str:
    """Return the kind of death roll that the table uses."""
    return chosen(state)["death-roll"]


# ---------------------------------------------------------------- what it needs


@derives("death.equal-failure-raises-ten", "death.equal-threshold")
def target(state: MasterState, who: str) -> Derived[int]:
    """Return what a d% has to reach: 51, and 10 more for each failure in a row."""
    raises, threshold = target.rules
    body, options = state.health.of(who), state.chosen("automatic-failure")
    counted = [each for each in body.failures if each.rolled or options["automatic-failure"] == "raises"]
    if all(each.rolled for each in body.failures):
        options = {}
    targets: list[int] = row("death_roll", EQUAL)["targets"]
    because: tuple[Cites, ...] = (*(each.because for each in counted), *choice(state))
    rules = (raises, threshold) if counted else (threshold,)
    return Derived(targets[min(len(counted), len(targets) - 1)], Because(rules, (), chosen(state) | options, because))


@derives("death.stats-dc")
def by_stats(state: MasterState, who: str) -> Derived[int]:
    """Return 10 plus Hit Dice minus the Constitution modifier."""
    one = state.combatants[who]
    because = Because(by_stats.rules, one.records("hit_dice", "con"), chosen(state), choice(state))
    return Derived(10 + one.sheet.hit_dice - one.sheet.con, because)


@derives("death.brutality-dc")
def by_brutality(state: MasterState, who: str) -> Derived[int]:
    """Return 10 plus the damage of the hit that brought somebody to 0, or the hit points that it took, by the option."""
    hit, options = state.health.of(who).hit, chosen(state) | state.chosen("brutality-damage")
    if hit is None:
        return Derived(10, Because(by_brutality.rules, (state.health.of(who).fell,), options))
    whole = options["brutality-damage"] == "whole-hit"
    of: tuple[Cites, ...] = choice(state)
    of += (state.combatants[who].pools["hp"].since(),) if not whole else ()
    return Derived(10 + (hit.amount if whole else hit.lost), Because(by_brutality.rules, (hit.seq,), options, of))


def needs(state: MasterState, who: str) -> Derived[int] | None:
    """Return what the next death roll of somebody dying has to reach; None if none is due."""
    if state.combatants[who].status != "dying":
        return None
    if covered := state.ruled.get(f"{who}.death-dc"):
        return Derived(covered.value, covered.cites())
    found = {EQUAL: target, STATS: by_stats, BRUTALITY: by_brutality}.get(kind(state))
    return found(state, who) if found else None


# ---------------------------------------------------------------- a roll


class Rolled(Struct, frozen=True):
    """A death roll as the rules see it: what it comes to, whether it succeeds, and why it does not count, if so."""

    who: str
    made: str
    total: int | None
    needed: Derived[int] | None
    succeeded: bool | None
    rule: str = ""
    says: str = ""
    because: tuple[int, ...] = ()


def is_death_roll(fact: Told) -> bool:
    """Say whether a fact tells of a death roll."""
    return "death" in words(fact.event.purpose or "") and bool(fact.event.combatant)


def made(event: Any) -> str:
    """Return which die a death roll was made with."""
    said = (getattr(event, "save", None) or "").casefold()
    notation = event.die.notation.casefold() if isinstance(event.die, Dice) else ""
    many = isinstance(event.die, int) and event.die > 20 and not said
    is_percent = many or "percent" in said or said in ("d%", "1d100") or "%" in notation or "100" in notation
    return PERCENT if is_percent or notation == "2d10" else FORTITUDE


def comes_to(state: MasterState, event: Any) -> int | None:
    """Return what a roll comes to: a d% of 00 is 100; on a Fortitude save the sheet's bonus is added."""
    if event.die is None:
        stated: int | None = event.total
        return stated
    if made(event) == PERCENT:
        return total(face(event.die) or 100, event.modifiers)
    return fortitude(state, event)


def fortitude(state: MasterState, event: Any) -> int:
    """Return the total of a Fortitude save: with the sheet's bonus, unless the parts of the roll are that bonus.

    They are if one is named for the save, or if they come to it.
    """
    saves: dict[str, int] = state.combatants[event.combatant].sheet.saves
    bonus = next((bonus for name, bonus in saves.items() if name.casefold().startswith("fort")), 0)
    named = any("fort" in mod.name.casefold() or mod.name.casefold() == "save" for mod in event.modifiers)
    whole = named or (bool(event.modifiers) and sum(mod.amount for mod in event.modifiers) == bonus)
    return total(event.die, event.modifiers, 0 if whole else bonus)


def rolled(state: MasterState, event: Any) -> Rolled:
    """Return a death roll as the rules see it, from the state before it."""
    who = event.combatant
    needed, comes = needs(state, who), comes_to(state, event)
    reached = comes >= needed.value if needed and comes is not None else event.succeeded
    rule, says, because = why_not(state, who, made(event))
    return Rolled(who, made(event), comes, needed, reached, rule, says, because)


Objection = tuple[str, str, tuple[int, ...]]
"""Why a death roll does not count: the rule, a sentence, the facts behind it."""


def why_not(state: MasterState, who: str, die: str) -> Objection:
    """Return the first reason why a death roll does not count; an empty one if it does."""
    return next(chain(_by_status(state, who), _by_type(state, die), _by_turn(state, who)), ("", "", ()))


@derives("stabilized.no-more-saves")
def _by_status(state: MasterState, who: str) -> Iterator[Objection]:
    """Yield that somebody is beyond death rolls."""
    standing = state.combatants[who].standing
    because = standing.because.flat()
    rules = {"dead": because.rules, "stabilized": _by_status.rules}
    if standing.value in rules:
        yield rules[standing.value][0], f"{who} is {standing.value}: no roll is due", because.events


@derives("death.table-chooses-one-type")
def _by_type(state: MasterState, die: str) -> Iterator[Objection]:
    """Yield that a roll is of another kind than the one that the table has chosen."""
    (rule,) = _by_type.rules
    if kind(state) == NOT_CHOSEN:
        yield rule, "the table has not chosen a kind of death roll", (1,)
    elif (die == PERCENT) != (kind(state) == EQUAL):
        yield rule, f"the table rolls {kind(state)}: {die} is of another kind", (1,)


def _by_turn(state: MasterState, who: str) -> Iterator[Objection]:
    """Yield that no roll is due of somebody just now."""
    body, standing, rule = state.health.of(who), state.combatants[who].standing, rule_of_turns(state)
    turn = state.clock.turn_event
    if standing.value != "dying":
        yield rule, f"{who} is not dying: no roll is due", standing.because.flat().events
    elif not has_turn(state, who):
        yield rule, f"it is not the turn of {who}", (turn,) if turn else ()
    elif body.rolled == turn:
        yield rule, f"{who} has rolled in this turn", (turn,)
    elif state.precedes(turn, body.fell):
        yield rule, f"{who} fell in this turn: its first roll is in the next", (body.fell,)


@derives(EVERY_TURN, EVERY_ROUND)
def rule_of_turns(state: MasterState) -> str:
    """Return the rule that says when a death roll is made."""
    return rule_of_turns.rules[0] if kind(state) == EQUAL else rule_of_turns.rules[1]


# ---------------------------------------------------------------- what it does


@derives("death.fortitude-outcome", "death.equal-threshold", "death.equal-failure-raises-ten", on=SAVES)
def death_is_rolled(state: MasterState, fact: Told) -> None:
    """Count a death roll: a success stabilizes, or breaks the run of failures; the third failure in a row kills."""
    if not is_death_roll(fact):
        return
    found = rolled(state, fact.event)
    body = state.health.of(found.who)
    if has_turn(state, found.who):
        pay(state.health.dues, found.who, ROLL)
    if found.rule:
        body.options |= chosen(state) if found.rule == "death.table-chooses-one-type" else {}
        stands(state, state.combatants[found.who])
        return
    body.rolled = state.clock.turn_event
    needed = (found.needed,) if found.needed else ()
    of: tuple[Cites, ...] = (*needed, *choice(state), state.combatants[found.who].standing)
    turn = (state.clock.turn_event, state.health.of(found.who).fell)
    because = Because((outcome_rule(state, found.who),), (*turn, fact.seq), chosen(state), of)
    if found.succeeded is False:
        fails(state, found.who, Failure(fact.seq, because, needed=Because(of=needed)))
    elif found.succeeded:
        succeeds(state, found.who, because)


def outcome_rule(state: MasterState, who: str) -> str:
    """Return the rule by which a death roll that counts is judged."""
    fortitude_, threshold, raised = death_is_rolled.rules
    if kind(state) != EQUAL:
        return fortitude_
    return raised if len(target(state, who).because.rules) > 1 else threshold


@derives("death.three-in-a-row")
def fails(state: MasterState, who: str, failure: Failure) -> None:
    """Count a failed death save; the third one in a row kills."""
    body = state.health.of(who)
    body.failures = (*body.failures, failure)
    if len(body.failures) >= 3:
        body.dead = Because(fails.rules, (), {}, tuple(each.because for each in body.failures))
    settles(state, state.combatants[who], failure.seq)


@derives("death.equal-threshold", "death.fortitude-outcome")
def succeeds(state: MasterState, who: str, because: Because) -> None:
    """Stabilize somebody, or only break its run of failures, by the option; nothing else breaks a d%'s run."""
    body = state.health.of(who)
    option = state.chosen("equal-success") if kind(state) == EQUAL else {}
    body.options |= option
    body.failures = ()
    if option.get("equal-success") != "breaks-run":
        body.stable = Because(because.rules, because.events, because.options | option, because.of)
    stands(state, state.combatants[who])


# ---------------------------------------------------------------- when it is due


@derives(EVERY_TURN, EVERY_ROUND, at=("turn began", "turn resumed"))
def death_roll_falls_due(state: MasterState, boundary: Boundary) -> None:
    """Let somebody who is dying as its turn begins owe a death roll until that turn is over."""
    one = state.combatants.get(boundary.who)
    if one and one.status == "dying" and kind(state) != NOT_CHOSEN:
        because = Because((rule_of_turns(state),), (state.health.of(one.id).fell, boundary.seq))
        pay(state.health.dues, one.id, ROLL)
        owe(state.health.dues, Due(one.id, ROLL, "turn ended", because))


ENDS_A_TURN = (TurnStarted, TurnResumed, TurnDelayed, TurnEnded, RoundStarted, RoundEnded, EncounterClosed)


@checks_by(EVERY_TURN, EVERY_ROUND, on=ENDS_A_TURN)
def each_turn_of_the_dying_has_a_roll(state: MasterState, _fact: Told) -> Iterator[Fault]:
    """Yield a death roll that was due in the turn that ends, and was not made."""
    for who in (state.clock.turn, *state.clock.together):
        if due := state.health.dues.get((who, ROLL)):
            says, events = f"the turn of {who} ends without its death roll", due.because.events
            yield Fault(due.because.rules, says, "a death roll", "none", events, once=(who, events))


# ---------------------------------------------------------------- what was written down


@checks_by(*faults_of("death"), on=SAVES)
def roll_is_recorded_rightly(state: MasterState, fact: Told) -> Iterator[Fault]:
    """Yield what is wrong with a death roll: that it does not count, else its number, else its outcome."""
    found = rolled(state, fact.event) if is_death_roll(fact) else None
    if found and found.rule:
        yield Fault((found.rule,), found.says, "no such roll", found.made, found.because)
    if found is None or found.rule or found.needed is None:
        return
    because, dc = found.needed.because.flat(), fact.event.dc
    if dc not in (None, found.needed.value) and f"{found.who}.death-dc" not in state.ruled:
        needed = str(found.needed.value)
        yield Fault(because.rules[:1], f"{found.who} needs {needed}", needed, str(dc), because.events)
    elif wrong := misjudged(fact, found, found.needed):
        yield Fault((outcome_rule(state, found.who),), *wrong)


def misjudged(fact: Told, found: Rolled, needed: Derived[int]) -> tuple[str, str, str, tuple[int, ...]] | None:
    """Return what was written down wrong of a death roll, its die, total or outcome: in words, what was expected and found."""
    event, sides = fact.event, 100 if found.made == PERCENT else 20
    on_faces = event.die is None or (0 <= face(event.die) <= sides if sides > 20 else is_on(event.die, sides))
    if not on_faces:
        die, shown = "d%" if found.made == PERCENT else "d20", str(face(event.die))
        return f"the {die} of {found.who} shows {shown}", f"1 to {sides}", shown, ()
    if event.total is not None and found.total != event.total:
        return f"the roll of {found.who} comes to {found.total}", str(found.total), str(event.total), ()
    if event.succeeded in (None, found.succeeded):
        return None
    due, told = (("failed", "made")[bool(each)] for each in (found.succeeded, event.succeeded))
    return f"{found.total} against {needed.value}: {due}", due, told, (fact.seq, *needed.because.flat().events)
