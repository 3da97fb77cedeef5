"""What has to hold for a phrase to be meant, by its name in the table of forms."""

from collections.abc import Callable

from projections.grammar import forms
from projections.grammar.scene import Scene


def is_declared(scene: Scene) -> bool:
    """Say whether the round is at its declarations."""
    table, clock = forms.of(scene.state.rules.rules), scene.state.clock
    if not table.declares or not clock.open or scene.memory.rolled:
        return False
    if table.declares == "dice":
        return not clock.point.segment
    return clock.phase in table.declares.split()


def is_done(scene: Scene) -> bool:
    """Say whether acts are done as soon as they are recorded."""
    return not is_declared(scene)


def has_sides(scene: Scene) -> bool:
    """Say whether sides roll for initiative."""
    return forms.of(scene.state.rules.rules).clock != "turn"


def has_turns(scene: Scene) -> bool:
    """Say whether each combatant has a turn of their own."""
    return not has_sides(scene)


def is_unordered(scene: Scene) -> bool:
    """Say whether initiative is still to be rolled: before the first round, or between the declarations and the dice."""
    if has_turns(scene):
        return not scene.state.clock.round and not scene.state.clock.turn
    return not scene.memory.rolled


def is_running(scene: Scene) -> bool:
    """Say whether a round has begun."""
    return bool(scene.state.clock.round or scene.state.clock.turn)


def is_empty(scene: Scene) -> bool:
    """Say whether nobody has joined."""
    return not scene.state.combatants


WHEN: dict[str, Callable[[Scene], bool]] = {
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


def holds(scene: Scene, when: str) -> bool:
    """Say whether all conditions of a phrase hold, which may be several with blanks between them."""
    return all(WHEN[each](scene) for each in when.split())
