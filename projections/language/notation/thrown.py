"""The facts of a line that show the dice which were rolled for it."""

import re
from collections.abc import Collection, Sequence

from eventstore.events import Fact
from projections.explaining.fairness import dice_in


def facts_showing(
    thrown: Sequence[str], facts: Sequence[Fact], kept: Collection[int], secret: Sequence[bool] = ()
) -> list[int | None]:
    """Return for each of the throws (d6:4) the place of the first fact that shows it and that no other throw has taken, None without one.

    If the throw is `secret`, a fact at the `kept` places comes first, else one that is not there.
    """
    free = [
        (place, (die.notation, die.faces))
        for place, fact in enumerate(facts)
        for _, die in dice_in(fact)
        if not isinstance(die, int)
    ]
    found: list[int | None] = []
    for rank, one in enumerate(thrown):
        notation, _, faces = one.partition(":")
        wanted = (notation, tuple(int(face) for face in re.findall(r"\d+", faces)))
        hidden = bool(secret) and secret[rank]
        places = [place for place, dice in free if dice == wanted]
        place = min(places, key=lambda at: ((at in kept) != hidden, at), default=None)
        if place is not None:
            free.remove((place, wanted))
        found.append(place)
    return found
