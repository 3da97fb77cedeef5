"""The state as plain HTML, for readers without JavaScript."""

from collections.abc import Collection, Iterable, Mapping
from html import escape

from eventstore.form import visible
from projections.views.view import CombatantView, Show


def still(shown: Show, words: Mapping[str, str], own: Collection[str]) -> str:
    """Return the combatants in their order, the asker's own first; `words` stand for hit points that are not seen."""
    clock = shown.clock
    when = f"Round {clock.round}" if clock.round else "Before round 1"
    parts = [
        when,
        *(f"{name} {value}" for name, value in (("phase", clock.phase), ("segment", clock.segment)) if value),
    ]
    places: dict[str, list[int]] = {}
    for number, slot in enumerate(shown.order, 1):
        for who in slot.combatants:
            places.setdefault(who, []).append(number)
    ordered = [who for who in places if who in shown.combatants]
    those = sorted(dict.fromkeys((*ordered, *shown.combatants)), key=lambda who: who not in own)
    rows = "".join(_row(shown, who, places.get(who, ()), words.get(who, ""), yours=who in own) for who in those)
    head = "<tr><th>Place<th>Name<th>Side<th>Hit points<th>Status<th>Conditions<th>Concentration</tr>"
    return (
        f"<h2>{escape(', '.join(parts))}</h2>"
        f"{_unborne(shown)}<table><caption>Order and state</caption>{head}{rows}</table>"
        "<p>Load the page again to see more. With JavaScript it follows the log by itself.</p>"
    )


def _unborne(shown: Show) -> str:
    """Return the effects on nobody as a paragraph, if there are any."""
    names = ", ".join(f"<bdi>{escape(visible(each.name))}</bdi>" for each in shown.effects)
    return f"<p>Effects on nobody: {names}</p>" if names else ""


def _row(shown: Show, who: str, places: Iterable[int], word: str, *, yours: bool) -> str:
    one = shown.combatants[who]
    acts = " (acts now)" if shown.clock.turn == who else ""
    name = f"{one.name}{' (yours)' if yours else ''}{acts}"
    place = ", ".join(map(str, places))
    cells = (place, name, one.side, _points(one, word), one.status, _burdens(one), one.concentration or "")
    return f"<tr>{''.join(f'<td><bdi>{escape(visible(cell))}</bdi></td>' for cell in cells)}</tr>"


def _points(one: CombatantView, word: str) -> str:
    if one.hp is None:
        return word or "unknown"
    most = f" of {one.hp_max}" if one.hp_max is not None else ""
    return f"{one.hp}{most}{f', {one.nld} non-lethal' if one.nld else ''}"


def _burdens(one: CombatantView) -> str:
    return ", ".join((*one.conditions, *(each.name for each in one.effects)))
