"""Late checks of the action economy: the one major action, the routines of a round, acts beside complex work."""

from collections.abc import Iterator

from msgspec import structs

from eventstore.events import Fact
from projections.mechanics.acts import action_word
from projections.mechanics.declarations import Declared
from projections.mechanics.grants import granted
from projections.mechanics.work import BEGUN, LOST
from projections.ruleset.faults import Fault, by_first_reason, checks_by
from projections.ruleset.ruleset import Breach
from projections.rulesets.vile_darkness import table
from projections.rulesets.vile_darkness.order import forfeits, spends
from projections.rulesets.vile_darkness.order_checks import REASONS, act_of, of_acts
from projections.rulesets.vile_darkness.reading import OF_ACTS, Reading
from projections.rulesets.vile_darkness.state import VileAct, VileState
from projections.rulesets.vile_darkness.works import COMPLEX, by_seq, due, status, takes_up


class Second:
    """A second major action, with the record that used the first and circumstances that may explain it."""

    def __init__(self, state: VileState, act: VileAct, used: int) -> None:
        self.act, self.used = act, used
        own = [state.round.acts[seq] for seq in (used, act.seq) if seq in state.round.acts]
        self.is_forfeited = any(forfeits(state, each) for each in own)
        self.is_immediate = any(each.action.cost == "immediate-attack" for each in own)
        self.is_move = any(each.kind == "move" for each in own)
        self.is_ungranted = not is_granted(state, act, "major.one-per-round")

    def breach(self, says: str) -> Breach:
        """Return the breach, with the record that used the major action first."""
        words = f"{action_word(self.act.action)} of {self.act.combatant}: {says}"
        return Breach(words, "one major action", "another", (self.used,))


def second_major(state: VileState, fact: Reading[Fact]) -> Second | None:
    """Return the act of a fact as a second major action; None if it is none, or completes the work that used the
    first.
    """
    act = act_of(state, fact)
    if act is None or table.row_of(state, act).weight != "major":
        return None
    work = by_seq(state, act.combatant, act.work)
    if table.is_continued(state, act) or (work and work.declared and not work.second):
        return None
    used = [seq for seq in spends(state, act.combatant, act.seq) if seq not in (act.work, *instead_of(state, act))]
    return Second(state, act, used[0]) if used else None


def _work_is_declared(state: VileState, act: VileAct) -> bool:
    found = by_seq(state, act.combatant, act.work)
    return found is not None and found.declared


def instead_of(state: VileState, act: VileAct) -> list[int]:
    """Return the declared work that an act replaced with work begun after the dice; only the replacement is
    reported.
    """
    if not any(state.precedes(rolled.seq, act.work) for rolled in state.round.dice.values()):
        return []
    missing = [each for each in state.works_of.get(act.combatant, ()) if status(state, each).value in (BEGUN, LOST)]
    return [each.seq for each in missing if due(state, each).value.round <= state.clock.round]


# ---------------------------------------------------------------- beside complex work


def _allowed_beside(state: VileState, act: VileAct) -> bool:
    """Return whether an option allows an act beside complex work."""
    chosen = state.option("beside-complex")
    if act.kind in ("delay", "target"):
        return True
    if act.action.cost == "free-attack":
        return chosen != "nothing"
    return chosen == "immediate" and table.row_of(state, act).type == "immediate"


def _complex(state: VileState, act: VileAct) -> list[int]:
    """Return the records of complex work during an act: begun before it, or the acts before a complex one."""
    works = [each for each in state.works_of.get(act.combatant, ()) if each.kind == COMPLEX and takes_up(state, each)]
    busy = [each.seq for each in works if state.precedes(each.seq, act.seq) and each.seq != act.work]
    if table.row_of(state, act).type == COMPLEX and act.work in (0, act.seq):
        before = [each for each in state.round.acts_of[act.combatant] if state.precedes(each.seq, act.seq)]
        busy += [each.seq for each in before if not _allowed_beside(state, each)]
    return busy


@of_acts("complex.nothing-else", "weight", 1)
def nothing_stands_beside_complex_work(state: VileState, _fact: Reading[Fact], act: VileAct) -> Breach | None:
    busy = [] if _allowed_beside(state, act) else _complex(state, act)
    if not busy:
        return None
    says = f"{act.combatant} is busy with complex work"
    return Breach(says, "nothing else", action_word(act.action), tuple(busy[:1]))


# ---------------------------------------------------------------- one major action


UNLAWFUL = by_first_reason(second_major, OF_ACTS, "weight", 2, REASONS["second"][:2])
"""Tables of clauses for a second major action, before and after the checks of routines and spells."""
FURTHER = by_first_reason(second_major, OF_ACTS, "weight", 6, REASONS["second"][2:])


@of_acts("routine.one-per-round", "weight", 4)
def there_are_only_so_many_routines(state: VileState, _fact: Reading[Fact], act: VileAct) -> Breach | None:
    if act.routine <= table.routines(state, act.combatant) or is_granted(state, act, "routine.one-per-round"):
        return None
    own = [each for each in state.round.acts_of[act.combatant] if each.routine]
    used = [each.seq for each in own if state.precedes(each.seq, act.seq)]
    says = f"routine {act.routine} of {act.combatant}"
    return Breach(says, f"{table.routines(state, act.combatant)} a round", str(act.routine), tuple(used))


def is_granted(state: VileState, act: VileAct, rule: str) -> bool:
    """Return whether a ruling of this round permits an act against a rule."""
    one = state.combatants[act.combatant]
    said = (act.action.name or act.kind, act.kind)
    rulings = state.rulings_since(state.round.opened)
    return granted(rulings, rule, who=(one.id, one.side), event=(act.seq,), said=said).value


@of_acts("ability.default-innate", "weight", 10)
def an_ability_without_notation_is_minor(state: VileState, _fact: Reading[Fact], act: VileAct) -> Breach | None:
    entry, said = table.entry_of(state, act.combatant, act.action.name), act.action.cost
    if act.kind != "innate" or said in (None, "minor") or not entry or entry.kind or entry.cost:
        return None
    why = (*state.combatants[act.combatant].records("entries"), act.seq)
    return Breach(f"{entry.name} has no notation and so is a minor action", "minor", said, why)


# ---------------------------------------------------------------- declarations


PART = ("complex.declared", "complex.undeclared-partial")
"""The rules that a ruling can set aside for begun work; work permitted in part is not completed."""
DECLARED = {"invocation": "invocation.declared-major", "incantation": "incantation.like-invocation"}
"""The rules by which spells are declared."""


@checks_by("fast.declared", "complex.declared", *DECLARED.values(), "declare.in-step-one", on=OF_ACTS)
def what_has_to_be_declared_is(state: VileState, fact: Reading[Fact]) -> Iterator[Fault]:
    """Yield a fault for an act that was not declared, or by option differs from an optional declaration."""
    act = act_of(state, fact)
    if act is None:
        return
    if rule := _undeclared(state, act):
        what = act.kind if rule == "fast.declared" else action_word(act.action)
        says = f"{what} of {act.combatant} was not declared"
        yield Fault((rule,), says, "a declaration in step 1", "none", (act.seq,))
    elif (said := state.round.said.get(act.combatant)) and _is_bound(state, act, said):
        words = action_word(said.action), action_word(act.action)
        yield Fault(("declare.in-step-one",), f"{act.combatant} declared something else", *words, (said.seq,))


def _undeclared(state: VileState, act: VileAct) -> str:
    """Return the rule that required a declaration which an act lacks; "" if there is none."""
    row, work = table.row_of(state, act), _work_is_declared(state, act)
    if row.type == "fast":
        return "" if act.declared else "fast.declared"
    if act.kind in DECLARED:
        return "" if work else DECLARED[act.kind]
    free = act.kind != COMPLEX and state.option("delayed-complex") == "no-declaration"
    if row.type != COMPLEX or act.declared or work or free:
        return ""
    rules = PART[:1] if act.work != act.seq else PART
    return "" if any(is_granted(state, act, rule) for rule in rules) else "complex.declared"


def _is_bound(state: VileState, act: VileAct, said: Declared) -> bool:
    """Return whether an act is major and differs from an optional declaration, where options make these binding."""
    free = table.required(said.action) or state.precedes(act.seq, said.seq) or act.action.cost in table.REACTIONS
    if state.option("voluntary-declaration") != "binding" or free or table.row_of(state, act).weight != "major":
        return False
    other = structs.replace(act, action=said.action)
    return said.action.kind != act.action.kind or table.is_missile(state, other) != table.is_missile(state, act)
