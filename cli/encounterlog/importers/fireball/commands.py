"""The commands that make facts; most commands only look things up and make none.

Those removed by `init remove` leave with the state that lacks them, so that a group leaves as a whole; joining
likewise.
"""

from collections.abc import Callable
from functools import partial

from encounterlog.importers.fireball import conditions, options, points, turns
from encounterlog.importers.fireball.command import Command
from encounterlog.importers.fireball.words import clean
from projections.mechanics.conditions import Effect

COMMANDS: dict[str, Callable[[Command], None]] = {
    "init next": turns.take_next,
    "init prev": turns.take_previous,
    "init move": turns.go_to,
    "init skipround": turns.skip_rounds,
    "init reroll": turns.reroll,
    "init opt": options.set_options,
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

ONWARD = {"init next": 0, "init skipround": 1}
"""The commands that advance turns, with how many rounds left an effect may be over after them.

Some versions of the bot end overdue effects at once, others when their turn comes; the state shows which.
"""

SHEET_COMMANDS = frozenset({"update", "customcounter", "game"})
"""The first words of commands that change a character's own sheet, counters and points, outside the fight."""


def transcribe_command(command: Command) -> None:
    """Add the facts of one command; for one that the bot refused or never answered, only a note."""
    said = clean(command.row.body["content"])[:200]
    match command.outcome.verdict:
        case "refused":
            reply = [command.outcome.reply] if command.outcome.reply else []
            command.writer.note(command.row, f"refused: {said} ({command.outcome.says})", *reply)
        case "tried":
            command.writer.note(command.row, f"tried, with no answer on record: {said}")
        case _:
            COMMANDS[command.name](command)
            command.writer.recount(command.row, command.said, partial(_is_over, command))


def _is_over(command: Command, effect: Effect, left: int) -> bool:
    """Say whether an effect with so many rounds left ended with a command: turns went on, and the state lacks it."""
    shown = command.shown(effect.bearer)
    return shown is not None and left <= ONWARD.get(command.name, -1) and not shown.has_effect(effect.name)
