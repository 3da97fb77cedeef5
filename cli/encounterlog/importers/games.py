"""The games for which an import can be written: the ruleset of the log, and how it takes what a recording shows."""

from typing import NamedTuple


class Game(NamedTuple):
    """A ruleset, and those options of its log that are not the defaults.

    `sheets`: stat blocks become sheets. `rolls_once`: of two initiative rolls of a combatant the first counts, so that any
    later place is the game master's word. `spares_end`: the end of a turn counts down no duration that began in it, as
    the bot's does. `kills_outright`: damage far beyond the hit points kills, so that an attack
    which drops a combatant to 0 cannot be recorded as damage. `counts_rounds`: the clause by which a round follows the one
    before it, so that a number to which the source jumps needs a grant. `counts_turns`: the clause by which everybody has one
    turn in a round, so that a turn to which the source goes back needs one, too. `orders_turns`: the clause by which turns come in
    their order, so that a turn to which the game master sends the tracker needs one.
    """

    ruleset: str
    options: dict[str, str] = {}
    sheets: bool = False
    rolls_once: bool = False
    spares_end: bool = False
    kills_outright: bool = False
    counts_rounds: str = ""
    counts_turns: str = ""
    orders_turns: str = ""


PLAIN = Game("plain")
FIFTH = Game(
    "5e",
    {"edition": "2014", "hp-floor": "sheet", "temporary-points": "newer", "same-effect": "renews"},
    sheets=True,
    rolls_once=True,
    spares_end=True,
    kills_outright=True,
    counts_rounds="round.ends-after-all",
    counts_turns="round.one-turn-each",
    orders_turns="round.turns-in-order",
)

GAMES = {game.ruleset: game for game in (PLAIN, FIFTH)}
"""Every game by the key of its ruleset, the default first."""
