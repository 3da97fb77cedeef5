"""Late checks of what acts use up: the one major action, the routines of a round, what stands beside complex work."""

from collections.abc import Callable
from typing import NamedTuple

from msgspec import structs

from projections.mechanics.grants import granted
from projections.mechanics.work import BEGUN, LOST, WITHDRAWN
from projections.rulesets.ruleset import Breach
from projections.rulesets.vile_darkness.declarations import required
from projections.rulesets.vile_darkness.late import LateCheck, Looks, about, act_of, of_acts
from projections.rulesets.vile_darkness.majors import forfeits, spends
from projections.rulesets.vile_darkness.reading import Reading
from projections.rulesets.vile_darkness.state import Act, VileState
from projections.rulesets.vile_darkness.table import (
    REACTIONS,
    entry_of,
    is_continued,
    is_missile,
    routines,
    row_of,
)
from projections.rulesets.vile_darkness.works import COMPLEX, by_seq, due, is_of_round, status
from projections.state import action_word

FREE = ("delay", "target")
"""Kinds of acts that are nothing beside complex work."""


class Second(NamedTuple):
    """An act that needs the major action, and the records that had used that before."""

    act: Act
    used: list[int]


def second_major(state: VileState, fact: Reading) -> Second | None:
    """Return the second major action that a fact told of; None where it told of none, or its work used the first."""
    act = act_of(state, fact)
    if act is None or row_of(state, act).weight != "major" or is_continued(state, act) or _work_is_declared(state, act):
        return None
    used = [seq for seq in spends(state, act.who, act.seq) if seq not in (act.work, *instead_of(state, act))]
    return Second(act, used) if used else None


def of_seconds(rule: str, rank: int) -> Callable[[Looks[Second]], LateCheck[Second]]:
    """Mark a late check of second major actions."""
    return about(second_major, rule, "weight", rank)


def _work_is_declared(state: VileState, act: Act) -> bool:
    found = by_seq(state, act.who, act.work)
    return found is not None and found.declared


def instead_of(state: VileState, act: Act) -> list[int]:
    """Return the declared work that did not come where undeclared work did: that alone is then reported."""
    if act.work != act.seq:
        return []
    missing = [each for each in state.works if each.who == act.who and status(state, each).value in (BEGUN, LOST)]
    return [each.seq for each in missing if due(state, each).value.round <= state.clock.round]


def _second(act: Act, used: list[int], says: str) -> Breach:
    words = f"{action_word(act.action)} of {act.who}: {says}"
    return Breach(words, "one major action", "another", tuple(used))


# ---------------------------------------------------------------- beside complex work


def _allowed_beside(state: VileState, act: Act) -> bool:
    """Say whether the option lets somebody who is busy with complex work do this."""
    chosen = state.option("beside-complex")
    if act.kind in FREE:
        return True
    if act.action.cost == "free-attack":
        return chosen != "nothing"
    return chosen == "immediate" and row_of(state, act).type == "immediate"


def _complex(state: VileState, act: Act) -> list[int]:
    """Return the records of complex work that an act stands beside: begun before it, or the act's own."""
    begun = [each for each in state.works if each.who == act.who and each.kind == COMPLEX and is_of_round(state, each)]
    works = [work for work in begun if status(state, work).value != WITHDRAWN]
    busy = [each.seq for each in works if state.precedes(each.seq, act.seq) and each.seq != act.work]
    if row_of(state, act).type == COMPLEX and not act.declared:
        rest = [each for each in state.round.acts_of[act.who] if state.precedes(each.seq, act.seq)]
        busy += [each.seq for each in rest if not _allowed_beside(state, each) and each.work != act.work]
    return busy


@of_acts("complex.nothing-else", "weight", 1)
def nothing_stands_beside_complex_work(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    busy = [] if _allowed_beside(state, act) else _complex(state, act)
    if not busy:
        return None
    return Breach(f"{act.who} is busy with complex work", "nothing else", action_word(act.action), tuple(busy[:1]))


# ---------------------------------------------------------------- one major action


@of_seconds("immediate-attack.needs-major", 2)
def an_immediate_attack_needs_the_major(state: VileState, _fact: Reading, second: Second) -> Breach | None:
    acts = state.round.acts
    spent = [seq for seq in second.used if seq in acts and acts[seq].action.cost == "immediate-attack"]
    if not spent and second.act.action.cost != "immediate-attack":
        return None
    return _second(*second, "no major action is left")


@of_seconds("delay.low-forfeits-major", 3)
def a_delay_in_low_forfeits_the_major(state: VileState, _fact: Reading, second: Second) -> Breach | None:
    acts = state.round.acts
    lost = [seq for seq in second.used if seq in acts and forfeits(state, acts[seq])]
    return _second(second.act, lost, "the major action was forfeited by a delay in LOW") if lost else None


@of_acts("routine.one-per-round", "weight", 4)
def there_are_only_so_many_routines(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    if act.routine <= routines(state, act.who) or is_granted(state, act, "routine.one-per-round"):
        return None
    used = [each.seq for each in state.round.acts_of[act.who] if each.routine and state.precedes(each.seq, act.seq)]
    says = f"routine {act.routine} of {act.who}"
    return Breach(says, f"{routines(state, act.who)} a round", str(act.routine), tuple(used))


@of_seconds("movement.is-major", 6)
def movement_is_a_major_action(state: VileState, _fact: Reading, second: Second) -> Breach | None:
    acts = state.round.acts
    moves = [seq for seq in second.used if seq in acts and acts[seq].kind == "move"]
    if not moves and second.act.kind != "move":
        return None
    return _second(*second, "movement is a major action by itself")


@of_seconds("major.one-per-round", 9)
def one_major_action_a_round(state: VileState, _fact: Reading, second: Second) -> Breach | None:
    if is_granted(state, second.act, "major.one-per-round"):
        return None
    return _second(*second, "the major action is used up")


def is_granted(state: VileState, act: Act, rule: str) -> bool:
    """Say whether a ruling of this round permits an act against a rule."""
    one = state.combatants[act.who]
    said = (act.action.name or act.kind, act.kind)
    rulings = state.rulings_since(state.round.opened)
    return granted(rulings, rule, who=(one.id, one.side), event=(act.seq,), said=said).value


@of_acts("ability.default-innate", "weight", 10)
def an_ability_without_notation_is_minor(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    entry, said = entry_of(state, act.who, act.action.name), act.action.cost
    if act.kind != "innate" or said in (None, "minor") or not entry or entry.kind or entry.cost:
        return None
    return Breach(f"{entry.name} has no notation and so is a minor action", "minor", said, (act.seq,))


# ---------------------------------------------------------------- what has to be declared


@of_acts("fast.declared", "declared", 1)
def fast_actions_are_declared(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    return None if row_of(state, act).type != "fast" or act.declared else _undeclared(act, act.kind)


def _undeclared(act: Act, what: str) -> Breach:
    return Breach(f"{what} of {act.who} was not declared", "a declaration in step 1", "none", (act.seq,))


@of_acts("complex.declared", "declared", 2)
def complex_work_is_declared(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    if row_of(state, act).type != COMPLEX or act.declared or _work_is_declared(state, act):
        return None
    if act.kind != COMPLEX and state.option("delayed-complex") == "no-declaration":
        return None
    rules = ("complex.declared",) if act.work != act.seq else PART
    return None if any(is_granted(state, act, rule) for rule in rules) else _undeclared(act, action_word(act.action))


PART = ("complex.declared", "complex.undeclared-partial")
"""The rules that a ruling can set aside for work that is begun; what it lets be done in part is not completed."""


def of_declarations(rule: str, rank: int, kind: str) -> LateCheck[Act]:
    """Return the check of spells of a kind that nobody declared."""

    @of_acts(rule, "declared", rank)
    def is_declared(state: VileState, _fact: Reading, act: Act) -> Breach | None:
        return None if act.kind != kind or _work_is_declared(state, act) else _undeclared(act, action_word(act.action))

    return is_declared


invocations_are_declared = of_declarations("invocation.declared-major", 3, "invocation")
incantations_are_declared = of_declarations("incantation.like-invocation", 4, "incantation")


@of_acts("declare.in-step-one", "declared", 5)
def a_declaration_binds(state: VileState, _fact: Reading, act: Act) -> Breach | None:
    """Report a major action of another kind or manner than was declared without need, where the option lets that bind."""
    said = state.round.said.get(act.who)
    if state.option("voluntary-declaration") != "binding" or said is None or state.precedes(act.seq, said.seq):
        return None
    if required(said.action) or row_of(state, act).weight != "major" or act.action.cost in REACTIONS:
        return None
    if _manner(state, structs.replace(act, action=said.action)) == _manner(state, act):
        return None
    return Breach(f"{act.who} declared something else", action_word(said.action), action_word(act.action), (said.seq,))


def _manner(state: VileState, act: Act) -> tuple[str, bool]:
    return act.action.kind, is_missile(state, act)
