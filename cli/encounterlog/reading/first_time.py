"""Expressions over addresses, as people type them: the records after which they hold, and the first of these."""

from typing import Any

from msgspec import Struct

from encounterlog.core.logs import LogView, replayed
from encounterlog.errors import Refused
from encounterlog.text.layout import clip
from encounterlog.text_pages.log import LogRow, Names, row
from projections.explaining.expressions import Expression, ExpressionError, parse
from projections.folds.addresses import derived, no_value
from projections.occurrence import Occurrence
from projections.state import State
from projections.time import Where


class First(Struct, frozen=True):
    """The output of `encounter first --json`: the first record after which an expression held, and the values then."""

    expression: str
    record: LogRow | None
    values: dict[str, Any]


class Watched:
    """An expression followed through a log: whether it holds after each fact, and which of its addresses ever were."""

    def __init__(self, text: str, *, turns: bool = False) -> None:
        """Read the expression; raise Refused with its place if it is none."""
        self.expression, self.turns = expression(text), turns
        self._known: set[str] = set()
        self._held = False

    def wants(self, state: State) -> bool:
        """Say whether the expression holds after a fact or, if turns are wanted, whether that has changed."""
        for address in self.expression.addresses:
            if address not in self._known and derived(state, address) is not None:
                self._known.add(address)
        before, self._held = self._held, self.expression.holds(state)
        return self._held != before if self.turns else self._held

    def check(self, state: State) -> None:
        """Raise Refused if an address never had a value."""
        for address in self.expression.addresses:
            if address not in self._known:
                raise Refused("usage", no_value(state, address[:80]), "encounter why FILE ADDRESS explains a value")


def expression(text: str) -> Expression:
    """Read an expression; raise Refused that points at what is wrong."""
    try:
        return parse(text)
    except ExpressionError as error:
        start = max(0, error.place - 40)
        lines = [clip(text[start : start + 70]), f"{' ' * (error.place - start)}^"] if error.place <= len(text) else []
        hint = "such as: ana.hp <= 0 and not (halvaine.casting is none)"
        raise Refused("usage", f"the expression cannot be read {error}", hint, lines) from None


def first(log: LogView, text: str, where: Where | None) -> First:
    """Return the first record after which an expression held; raise Refused if it asks for what never was."""
    watched, names = Watched(text), Names(log, short=True)
    found: list[First] = []

    def look(state: State, fact: Occurrence[Any]) -> None:
        shown = row(state, fact, names)
        if not found and watched.wants(state):
            found.append(First(text, shown, _values(state, watched.expression)))

    done = replayed(log, where, after=look)
    log.note_revision()
    if not found and not log.problem:
        watched.check(done.state)
    return found[0] if found else First(text, None, _values(done.state, watched.expression))


def _values(state: State, asked: Expression) -> dict[str, Any]:
    read = {address: derived(state, address) for address in asked.addresses}
    return {address: each.value if each else None for address, each in read.items()}
