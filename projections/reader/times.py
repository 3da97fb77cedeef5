"""Times that end with a turn or a round: the words for them, and their length for a combatant whose effect lasts until then."""

import re
from collections.abc import Sequence

from msgspec import Struct

from eventstore.shapes import Duration
from projections.folds.order import who_is_due
from projections.mechanics.durations import until_next_turn, until_turn_is_over
from projections.open_types import Fields
from projections.reader.scene import Scene
from projections.reader.tags import Item

BEARERS, PERSONS, NEXT, NOW, ROUND = "bearer's", "person's", "next", "now", "round"
"""The combatant of the turn, if none is named: the bearer (its), the bearer or the actor (her), the next one, the current one; or a round."""
MOST_ITEMS = 14


class Until(Struct, frozen=True):
    """A turn or round with which something ends: whose it is, and whether the end comes with its start (start), its end
    (end), or the end of the current or coming one (over).
    """

    whose: str
    side: str = "start"
    later: bool = False
    """Whether it is the round after the current one."""


_SIDES = {"end": "end", "start": "start", "beginning": "start", "ends": "end", "over": "end"}
_SIDE = r"(?:(?:the )?(?P<side>end|start|beginning) (?:of )?)"
_UNTIL = r"(?:until|till|til|'til) "
_TURN = (
    rf"{_UNTIL}{_SIDE}?(?:the )?(?:@(?P<who>\d+) 's|(?P<own>its|his|her|their)(?: own)?) (?P<next>next )?turn"
    r"(?:(?: is)? (?P<behind>ends|over|starts|begins))?"
)
_THIS = rf"(?:{_UNTIL}(?:the )?end (?:of )?(?:the |this |that |(?:the )?current )?|(?:for )?(?:the )?(?:rest of (?:the |this )?|this ))turn"
_COMING = rf"{_UNTIL}{_SIDE}?(?:the )?next turn"
_ROUND = (
    rf"{_UNTIL}(?:(?:the )?end (?:of )?(?:the |this |that |(?:the )?current )?round|(?:(?:the )?(?:start|beginning) of )?(?:the )?next round(?: begins| starts)?"
    r"|(?P<later>(?:the )?end of (?:the )?next round)|(?:the )?round (?:ends|is over))"
    r"|(?:for )?(?:the )?(?:rest of (?:the |this )?|this )round"
    r"|for the round"
)
_BEGINS = ("until", "till", "til", "'til", "for", "this", "the", "rest")


def until(items: Sequence[Item], place: int) -> tuple[Until, int] | None:
    """Return the time that words at a place give, and where it ends; None if they give none."""
    if items[place].text.split(" ")[0] not in _BEGINS or items[place].who:
        return None
    text, ends = "", {}
    for at in range(place, min(place + MOST_ITEMS, len(items))):
        text += f"{' ' if text else ''}{f'@{at}' if items[at].who else items[at].text}"
        ends[len(text)] = at + 1
    if "turn" not in text and "round" not in text:
        return None
    for pattern in (_TURN, _THIS, _COMING, _ROUND):
        if (found := re.match(pattern, text)) and found.end() in ends:
            said = _said(items, found)
            return (said, ends[found.end()]) if said else None
    return None


def _said(items: Sequence[Item], found: re.Match[str]) -> Until | None:
    """Return the time of a match; None if the owner of the turn is uncertain."""
    said = found.groupdict()
    if found.re.pattern == _ROUND:
        return Until(ROUND, later=said["later"] is not None)
    if found.re.pattern == _THIS:
        return Until(NOW)
    side = _SIDES.get(said["side"] or said.get("behind") or "", "start")
    if found.re.pattern == _COMING:
        return Until(NEXT, side)
    side = "over" if side == "end" and not said["next"] else side
    if said["who"] is None:
        return Until(PERSONS if said["own"] in ("his", "her") else BEARERS, side)
    people = items[int(said["who"])].who
    return Until(people.ids[0], side) if people and len(people.ids) == 1 and not people.options else None


def lengths(scene: Scene, said: Until, bearer: str, actor: str = "") -> list[Fields]:
    """Return the possible times until a turn or round is over, as durations for the bearer of an effect; `actor` is the
    other combatant who acts in the clause.
    """
    state = scene.state
    due = who_is_due(state).value
    if said.whose == NOW:
        runs = state.clock.turn and not state.clock.together
        return [_fields(until_turn_is_over(state, state.clock.turn))] if runs else []
    if said.whose == ROUND:
        last = due[-1] if due else state.clock.turn
        if not last:
            return []
        if said.later and not state.clock.is_turn_of(last):
            return [_fields(Duration(amount=2, unit="round", of=last, at="end"))]
        return [_fields(until_next_turn(state, last, "end") if said.later else until_turn_is_over(state, last))]
    whose = {NEXT: [bearer, *due[:1]], BEARERS: [bearer], PERSONS: [actor, bearer] if actor else [bearer]}
    return [_of_turn(scene, who, said.side) for who in dict.fromkeys(whose.get(said.whose, [said.whose]))]


def _of_turn(scene: Scene, who: str, side: str) -> Fields:
    if side == "over":
        return _fields(until_turn_is_over(scene.state, who))
    return _fields(until_next_turn(scene.state, who, "end" if side == "end" else "start"))


def _fields(said: Duration) -> Fields:
    return {"duration": {"amount": said.amount, "unit": "round", "of": said.of, "at": said.at}}
