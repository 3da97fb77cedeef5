"""Hit points of foes as players see them: words, unless the log says otherwise. A foe is on no player's side."""

from typing import Literal

from msgspec import Struct, structs

from projections.folds.addresses import derive_value
from projections.mechanics.pools import HP, HP_MAX
from projections.state import State
from projections.views.view import Show

Seen = Literal["words", "numbers", "nothing"]
POOLS = frozenset({"hp", "hp_max", "temp", "nld", "own-hp"})  # the fields of a combatant that reveal hit points
SIDES_OF_PLAYERS = frozenset({"party", "pcs", "heroes", "players"})
"""The name of the players' side, if no token names the players' characters."""


class Foes(Struct, frozen=True):
    """A page's foes, as its audience sees them, and the form of their hit points.

    `players` are the combatants of all players; foes are on the side of none of them.
    """

    seen: Seen = "numbers"
    players: frozenset[str] = frozenset()

    def has_hidden_points(self, view: State | Show, who: str) -> bool:
        """Return whether the numbers of a combatant are not shown."""
        if self.seen == "numbers" or who not in view.combatants:
            return False
        sides = {view.combatants[each].side for each in self.players if each in view.combatants}
        return view.combatants[who].side not in (sides or SIDES_OF_PLAYERS)

    def hit_points_word(self, state: State, who: str) -> str | None:
        """Return the word for the hit points of a foe; None if they are not known, or nothing is shown of them."""
        if self.seen == "nothing":
            return None
        left, most = (found.value if (found := derive_value(state, f"{who}.{pool}")) else None for pool in (HP, HP_MAX))
        return _hit_points_in_a_word(left, most) or None

    def view_for_players(self, view: Show) -> tuple[Show, dict[str, str]]:
        """Return a view without the hit points of foes, and a word for each known one."""
        those = {who: one for who, one in view.combatants.items() if self.has_hidden_points(view, who)}
        veiled = {who: structs.replace(one, hp=None, nld=0) for who, one in those.items()}
        words = {who: _hit_points_in_a_word(one.hp, one.hp_max) for who, one in those.items() if self.seen == "words"}
        return structs.replace(view, combatants={**view.combatants, **veiled}), words


def make_foes(chosen: str | None, players: frozenset[str]) -> Foes:
    """Return what players see of hit points with this value of the option foe-hit-points; None is its default.

    With true-words they see words, too; the words of the log's end come with the page.
    """
    seen: Seen = chosen if chosen in ("numbers", "nothing") else "words"  # type: ignore[assignment]
    return Foes(seen, players)


EVERYTHING = Foes()  # for a game master, and for a replay that is no live page


def _hit_points_in_a_word(left: object, most: object) -> str:
    """Return hit points in a word: unhurt, hurt, bloodied (at half or less) or down; "" if hit points are not known."""
    if not isinstance(left, int):
        return ""
    if left <= 0:
        return "down"
    if not isinstance(most, int) or left >= most:
        return "unhurt"
    return "bloodied" if 2 * left <= most else "hurt"
