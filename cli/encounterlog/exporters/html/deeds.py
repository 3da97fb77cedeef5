"""The deeds of a page: their sentences with isolated names, and with the hit points of foes as its audience sees them."""

from functools import partial

from msgspec import Struct

from encounterlog.exporters.html.foes import Foes
from encounterlog.exporters.html.rows import Rows
from encounterlog.exporters.html.sentences import isolated
from encounterlog.exporters.walking import FactLine
from eventstore.spool import Spool
from projections.folds.vitals import standing
from projections.state import State
from projections.views import deeds
from projections.views.deeds import figures


class Deed(Struct, frozen=True, array_like=True):
    """A deed: the seq of the fact that it began with, and its sentence."""

    seq: int
    words: str


class Deeds:
    """The deeds of a log, whose lines are seen one after the other, each with the state after it; `done` are all but the last one."""

    def __init__(self, foes: Foes, done: Rows[Deed]) -> None:
        self.foes, self.done = foes, done
        self._deeds, self._last = deeds.Deeds(most=1), deeds.Deed(0, "")

    def see(self, one: FactLine, state: State | None, words: str) -> None:
        """Take in a line of the log, and its words; a line without effect is no deed."""
        if one.step is None or state is None:
            return
        deed = self._deeds.see(one.step.fact, words, partial(_name, state), partial(_figures, self.foes, state))
        if deed is not None and deed is not self._last:
            self._end()
            self._last = deed

    def all(self) -> Rows[Deed]:
        """Return the deeds that are kept, in their order; where they are kept outside memory, the last one is done then."""
        if not isinstance(self.done, Spool):
            return [*self.done, *self._ended()]
        self._end()
        return self.done

    def _end(self) -> None:
        for each in self._ended():
            self.done.append(each)
        self._last = deeds.Deed(0, "")

    def _ended(self) -> list[Deed]:
        return [Deed(self._last.seq, self._last.words)] if self._last.seq else []


def _name(state: State, who: str) -> str:
    return isolated(state.combatants[who].name if who in state.combatants else who)


def _figures(foes: Foes, state: State, who: str) -> str:
    """Return the hit points after a colon, as far as they are shown, and the status of a combatant who is not up."""
    one = state.combatants.get(who)
    if one is None or one.hp is None or not foes.hides(state, who):
        return figures(state, who)
    status = standing(one).value
    said = foes.word(state, who) if status == "up" else status
    return f": {said}" if said else ""
