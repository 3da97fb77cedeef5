"""The result of a fight in two sentences: the rounds and the fallen, and the hit points at the end."""

from collections.abc import Callable, Iterator

from encounterlog.exporters.session import Session
from encounterlog.text.layout import count
from projections.views.view import CombatantView


def result(session: Session, name: Callable[[str], str]) -> Iterator[str]:
    """Yield the sentences of the wanted rounds; nothing if nobody takes part."""
    end = session.edges[2]
    if not end.combatants:
        return
    rounds = {one.row.when.round for one in session.lines} - {0}
    fallen = [name(who) for who, one in end.combatants.items() if one.status != "up" and not one.left]
    yield f"After {count(len(rounds), 'round')}: {', '.join(fallen) + ' fell' if fallen else 'nobody fell'}."
    yield f"At the end: {'; '.join(f'{name(who)} {_stands(one)}' for who, one in end.combatants.items())}."


def _stands(one: CombatantView) -> str:
    most = f" of {one.hp_max}" if one.hp_max is not None else ""
    points = [] if one.hp is None else [f"{one.hp}{most}"]
    return ", ".join((*points, *([one.status] if one.status != "up" or not points else [])))
