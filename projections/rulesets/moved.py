"""Names that a ruleset of another distribution may still use, and what they are called now."""

import ast
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

MOVED = {
    "eventstore.address.Address": "eventstore.address.LogAddress",
    "projections.address.names": "projections.address.a_list_of_names",
    "projections.folds.budget.pays": "projections.folds.budget.pay_for",
    "projections.folds.budget.returns": "projections.folds.budget.give_back",
    "projections.folds.concentration.begins": "projections.folds.concentration.end_previous",
    "projections.folds.dues.lapses": "projections.folds.dues.lapse_at",
    "projections.folds.durations.last": "projections.folds.durations.set_duration",
    "projections.folds.effects.borne": "projections.folds.effects.effect_names",
    "projections.folds.effects.suffered": "projections.folds.effects.condition_names",
    "projections.folds.rows.of_act": "projections.folds.rows.row_of_act",
    "projections.folds.rows.of_due": "projections.folds.rows.row_of_due",
    "projections.folds.rows.of_turn": "projections.folds.rows.row_of_turn",
    "projections.folds.tallies.clears": "projections.folds.tallies.clear_marks",
    "projections.folds.tallies.marks": "projections.folds.tallies.add_marks",
    "projections.folds.vitals.stands": "projections.folds.vitals.update_status",
    "projections.mechanics.declarations.called": "projections.mechanics.acts.action_word",
    "projections.mechanics.durations.of_bearer": "projections.mechanics.durations.timer_of_bearer",
    "projections.mechanics.durations.of_next_turn": "projections.mechanics.durations.timer_of_next_turn",
    "projections.mechanics.durations.on_turns": "projections.mechanics.durations.timer_on_turns",
    "projections.mechanics.implied.Turn": "projections.mechanics.candidates.TurnFacts",
    "projections.mechanics.ladder": "projections.scheduling.ladder",
    "projections.mechanics.pools.level": "projections.mechanics.pools.at_or_below",
    "projections.mechanics.pools.stands": "projections.mechanics.pools.status_by",
    "projections.mechanics.resources.returns": "projections.mechanics.resources.give_back",
    "projections.mechanics.rolls.Keeps": "projections.mechanics.rolls.DieKept",
    "projections.mechanics.rolls.comes_to": "projections.mechanics.rolls.result_of",
    "projections.mechanics.rolls.parted": "projections.mechanics.rolls.tied_groups",
    "projections.mechanics.rolls.is_forgotten": "projections.mechanics.rolls.forget",
    "projections.mechanics.rolls.is_rolled": "projections.mechanics.rolls.has_right_die",
    "projections.mechanics.rolls.keeps": "projections.mechanics.rolls.die_kept",
    "projections.mechanics.timers": "projections.mechanics.durations",
    "projections.mechanics.triggers.moment_is_over": "projections.mechanics.triggers.end_moment",
    "projections.mechanics.triggers.opens": "projections.mechanics.triggers.allow_reaction",
    "projections.mechanics.triggers.turn_is_over": "projections.mechanics.triggers.end_turn",
    "projections.mechanics.turnlist": "projections.scheduling.turnlist",
    "projections.rulesets.ruleset.Turns": "projections.rulesets.ruleset.BoundarySteps",
    "projections.rulesets.schedule": "projections.scheduling.schedule",
    "projections.scheduling.schedule.Move": "projections.scheduling.schedule.ClockMove",
    "projections.scheduling.turn_schedule.passed_over": "projections.scheduling.turn_schedule.breach_of_order",
    "projections.scheduling.turnlist.begins": "projections.scheduling.turnlist.beginning_of",
    "projections.state.Entry": "projections.state.TimelineRow",
    "projections.state.action_word": "projections.mechanics.acts.action_word",
    "projections.time.Kind": "projections.time.BoundaryKind",
}
"""Modules, and names in modules, by what they were called before."""


def old_names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line of each old name that a module imports, or takes from one that it imports, with the new one."""
    bound: dict[str, str] = {}
    for node in ast.walk(tree):
        for name, full in _imported(node):
            bound[name] = full
            module = full.rpartition(".")[0]
            if old := next((each for each in (full, module) if each in MOVED), None):
                yield node.lineno, f"{old} is now {MOVED[old]}"  # type: ignore[attr-defined]  # imports have a line
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            full = f"{bound.get(node.value.id, '')}.{node.attr}"
            if full in MOVED:
                yield node.lineno, f"{full} is now {MOVED[full]}"


def _imported(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the names that an import gives to what it takes from this program, each with its full one."""
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield from ((each.asname or each.name, f"{node.module}.{each.name}") for each in node.names)
    elif isinstance(node, ast.Import):
        yield from ((each.asname or each.name, each.name) for each in node.names)


def old_names_of(package: str) -> tuple[str, ...]:
    """Return the old names in the source of a package or module that need not be loaded, each with file and line."""
    found: list[str] = []
    with suppress(Exception):  # it is the code of others
        spec = find_spec(package.partition(".")[0])
        folders = [Path(each) for each in (spec and spec.submodule_search_locations) or ()]
        files = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
        if spec and not folders and spec.origin:
            files = [Path(spec.origin)]
        for path in files:
            found += [f"{path.name}, line {line}: {says}" for line, says in old_names(ast.parse(path.read_bytes()))]
    return tuple(dict.fromkeys(found))
