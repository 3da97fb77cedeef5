"""The moment of a round: its declarations, before its initiative dice, in turns or in sides."""

from projections.language.notation import forms
from projections.language.notation.line_context import LineContext


def is_declared(context: LineContext) -> bool:
    """Say whether the round is in its declarations."""
    table, clock = forms.of(context.state.rules.rules), context.state.clock
    if not table.declares or not clock.open or context.memory.rolled:
        return False
    if table.declares == "dice":
        return not clock.point.segment
    return clock.phase in table.declares.split()


def has_turns(context: LineContext) -> bool:
    """Say whether each combatant has a turn of their own; otherwise sides roll for initiative."""
    return forms.of(context.state.rules.rules).clock == "turn"


def is_unordered(context: LineContext) -> bool:
    """Say whether initiative is still to be rolled: before the first round, or between the declarations and the dice."""
    if has_turns(context):
        return not context.state.clock.round and not context.state.clock.turn
    sides = {one.side for one in context.state.here()} - {None}
    return not context.memory.rolled or not sides <= context.memory.placed
