"""What has to hold for a phrase to be meant, by its name in the table of forms."""

from collections.abc import Callable

from projections.grammar import forms
from projections.grammar.line_context import LineContext


def is_declared(context: LineContext) -> bool:
    """Say whether the round is at its declarations."""
    table, clock = forms.of(context.state.rules.rules), context.state.clock
    if not table.declares or not clock.open or context.memory.rolled:
        return False
    if table.declares == "dice":
        return not clock.point.segment
    return clock.phase in table.declares.split()


def is_done(context: LineContext) -> bool:
    """Say whether acts are done as soon as they are recorded."""
    return not is_declared(context)


def has_sides(context: LineContext) -> bool:
    """Say whether sides roll for initiative."""
    return forms.of(context.state.rules.rules).clock != "turn"


def has_turns(context: LineContext) -> bool:
    """Say whether each combatant has a turn of their own."""
    return not has_sides(context)


def is_unordered(context: LineContext) -> bool:
    """Say whether initiative is still to be rolled: before the first round, or between the declarations and the dice."""
    if has_turns(context):
        return not context.state.clock.round and not context.state.clock.turn
    sides = {one.side for one in context.state.here()} - {None}
    return not context.memory.rolled or not sides <= context.memory.placed


def is_running(context: LineContext) -> bool:
    """Say whether a round has begun."""
    return bool(context.state.clock.round or context.state.clock.turn)


def is_empty(context: LineContext) -> bool:
    """Say whether nobody has joined."""
    return not context.state.combatants


WHEN: dict[str, Callable[[LineContext], bool]] = {
    "asked": lambda _scene: True,
    "nobody": is_empty,
    "declaring": is_declared,
    "acting": is_done,
    "sides": has_sides,
    "turns": has_turns,
    "unordered": is_unordered,
    "running": is_running,
}
"""The conditions of phrases."""


def all_conditions_hold(context: LineContext, when: str) -> bool:
    """Say whether all conditions of a phrase hold, which may be several with blanks between them."""
    return all(WHEN[each](context) for each in when.split())
