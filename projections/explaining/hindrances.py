"""Hindrances: why a combatant cannot act now: the fight is over, a turn is spent, work, others are due first."""

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from msgspec import Struct

from projections.because import NOTHING_CITED, Because, Reason
from projections.explaining.past import Cited
from projections.explaining.striking import Weighed
from projections.fight import TimelineRow
from projections.folds.order import DUE, order_of, round_rows, who_is_due
from projections.folds.vitals import status_or_left
from projections.state import State
from projections.time import Point

Kind = Literal[
    "over", "left", "down", "turn", "busy", "acted", "lost", "held", "spoiled", "withdrawn", "later", "before",
    "no place", "no round",
]  # fmt: skip
"""The kinds of hindrance; `turn` is a running turn, `before` means that others are due first."""

STATUSES: dict[str, Kind] = {
    "begun": "busy", "done": "acted", "lost": "lost", "held": "held", "spoiled": "spoiled", "withdrawn": "withdrawn",
}  # fmt: skip
"""The kind of hindrance for each status of a timeline's row."""
TURN = "turn"
"""The action of a row for a whole turn, in rulesets with turns."""


class Hindrance(Struct, frozen=True):
    """A hindrance: its kind, the action or status, its moment, and the facts that show it.

    `who` are the combatants concerned: the hindered one, or those who come first. `until` is the end of its work.
    """

    kind: Kind
    who: tuple[str, ...]
    what: str
    when: Point | None
    phase: str | None
    until: Point | None
    facts: tuple[Cited, ...]
    because: Reason
    weighed: Weighed = Weighed()

    @property
    def as_key(self) -> tuple[object, ...]:
        """All of it except the facts and the reason."""
        return self.kind, self.who, self.what, self.when, self.phase, self.until


Citing = Callable[[Iterable[int]], tuple[Cited, ...]]
"""The function that returns facts by their records."""


def find_hindrances(state: State, who: str, cited: Citing = lambda _: ()) -> tuple[Hindrance, ...]:
    """Return the hindrances of a combatant at a point of a log, the weightiest first, with the facts as `cited` returns them."""
    return tuple(_find_hindrances(state, who, cited))


def _find_hindrances(state: State, who: str, cited: Citing) -> Iterator[Hindrance]:
    def hindrance(kind: Kind, because: Because, what: str = "", those: tuple[str, ...] = (who,)) -> Hindrance:
        reason = state.reason(because)
        return Hindrance(kind, those, what, None, None, None, cited(reason.events), reason)

    one = state.combatants[who]
    if state.closed:
        yield hindrance("over", Because(("log.closed",), (state.closed,)))
    if one.left:
        yield hindrance("left", Because((), (one.left,)))
    elif (status := status_or_left(one)).value != "up":
        yield hindrance("down", status.because, status.value)
    elif who in who_is_due(state).value:
        yield from (_hindrance_of_row(state, row, cited) for row in _rows_ahead(state, who))
        why, before = _due_before(state, who)
        if before:
            yield hindrance("before", why, those=before)
    elif not state.clock.round and not state.closed:
        yield hindrance("no round", NOTHING_CITED)
    elif not state.closed:
        rows = [row for row in round_rows(state) if row.combatant == who]
        yield from (_hindrance_of_row(state, row, cited) for row in _hindering_rows(rows))
        if not rows:
            yield hindrance("no place", NOTHING_CITED)


def _hindering_rows(rows: list[TimelineRow]) -> list[TimelineRow]:
    """Return the rows by which a combatant is not due: work under way, then turns, or else lost and done acts.

    In a game with turns, acts in them hinder nobody.
    """
    turns = [row for row in rows if row.action == TURN]
    busy = [row for row in rows if row.status == "begun" and row.action != TURN]
    lost = [row for row in rows if row.status == "lost"]
    others = [row for row in rows if row.status not in ("begun", "lost")]
    return [*busy, *(turns[-1:] or [*lost[-1:], *others[-1:]])]


def _hindrance_of_row(state: State, row: TimelineRow, cited: Citing) -> Hindrance:
    runs = row.action == TURN and row.status == "begun"
    kind: Kind = "turn" if runs else "later" if row.status == DUE else STATUSES.get(row.status, "acted")
    what = "" if row.action == TURN else row.name or row.action or ""
    because = state.reason(row.because)
    ended = row.status in ("spoiled", "withdrawn")
    facts = cited(because.events if ended or not row.events else row.events)
    return Hindrance(kind, (row.combatant,), what, row.point, row.phase, row.due or row.until, facts, because)


def _rows_ahead(state: State, who: str) -> Iterator[TimelineRow]:
    """Yield the rows for which a combatant who is due in this round waits: its own that is to come, and a running turn."""
    rows, now = round_rows(state), state.clock.turn
    own = [row for row in rows if row.combatant == who and row.status == DUE]
    if own and all(_is_to_come(state, row) for row in own):
        yield own[0]
    if now and now != who:
        yield from (each for each in rows if (each.combatant, each.action, each.status) == (now, TURN, "begun"))


def _due_before(state: State, who: str) -> tuple[Because, tuple[str, ...]]:
    """Return who is due before a combatant in the turn of another, and why."""
    if state.clock.turn in ("", who):
        return NOTHING_CITED, ()
    places = {each: (number, slot) for number, slot in enumerate(order_of(state)) for each in slot.combatants}
    due, own = who_is_due(state).value, places.get(who, (0,))[0]
    before = tuple(each for each in due[: due.index(who)] if places.get(each, (0,))[0] != own)
    return sum((places[each][1].because for each in (*before, who) if each in places), NOTHING_CITED), before


def _is_to_come(state: State, row: TimelineRow) -> bool:
    clock, slots = state.clock, state.rules.schedule.phases(state)
    if row.phase in slots:
        return clock.phase not in slots or slots.index(row.phase) > slots.index(clock.phase)
    return row.point.round == clock.round and row.point.segment > clock.point.segment
