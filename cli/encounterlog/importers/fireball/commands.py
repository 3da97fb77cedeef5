"""Which commands tell facts; most only look things up and tell none.

Whom `init remove` takes out is told with the state that lacks them, so that a group goes as a whole; joining likewise.
"""

from collections.abc import Callable

from encounterlog.importers.fireball import conditions, points, turns
from encounterlog.importers.fireball.command import Command

COMMANDS: dict[str, Callable[[Command], None]] = {
    "init next": turns.take_next,
    "init prev": turns.take_previous,
    "init move": turns.go_to,
    "init skipround": turns.skip_rounds,
    "init reroll": turns.reroll,
    "init opt": turns.set_options,
    "init hp": points.change_hp,
    "init hp mod": points.change_hp,
    "init hp set": points.change_hp,
    "init hp max": points.change_hp,
    "init thp": points.change_temp,
    "init effect": conditions.start_effect,
    "init re": conditions.end_effect,
    "game hp": points.change_own_hp,
    "game hp mod": points.change_own_hp,
    "game hp set": points.change_own_hp,
    "game hp max": points.change_own_hp,
    "game thp": points.change_own_temp,
    "game longrest": points.take_sheet,
    "game shortrest": points.take_sheet,
}


def tell_command(command: Command) -> None:
    """Tell the facts of one command."""
    tell = COMMANDS.get(command.row.body["command_name"])
    if tell is not None:
        tell(command)
        turns.recount(command)
