"""Lines of the table grammar, told against a log and written to it."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from encounterlog.edge import failures
from encounterlog.edge.clock import now
from encounterlog.edge.failures import REFUSED, Failure
from encounterlog.reading.logs import Log, explained
from encounterlog.writing.appending import TRIES, Done, check_readable
from eventstore.errors import CorruptLog, WrongVersion
from eventstore.form import visible
from eventstore.record import Draft, Recorded
from eventstore.store import Mode
from projections.grammar.table import Table
from projections.grammar.telling import Told
from projections.grammar.tokens import Untold, quote

Roll = Callable[[str], str]


class Written(Struct, frozen=True):
    """A line as it was told and written: its meaning, the table before it, and the append (None: there were no facts)."""

    told: Told
    table: Table
    done: Done | None = None


def joined(words: Sequence[str]) -> str:
    """Return the words of a command line as a line: one word is the line; of several, those with blanks are quoted."""
    if len(words) == 1:
        return words[0]
    return " ".join(quote(word) if word.split() != [word] else word for word in words)


def table_of(log: Log, roll: Roll | None) -> Table:
    """Return the table of a log; raise what is wrong with the log, unless it is only a torn tail."""
    check_readable(log)
    with explained(log):
        return Table(_records(log), roll=roll)


def _records(log: Log) -> list[Recorded]:
    found: list[Recorded] = []
    try:
        found.extend(log)
    except CorruptLog as error:
        if not error.torn:
            raise
    return found


def tell(
    log: Log, line: str, *, by: str, mode: Mode = "durable", after: int | None = None, roll: Roll | None
) -> Written:
    """Tell a line against the log and append its facts as one batch; raise Failure if it cannot be told.

    If another writer comes first, the line is told again, against the log as it is then, unless `after` forbids it.
    """
    for _ in range(TRIES):
        table = table_of(log, roll)
        told = told_at(table, line)
        if not told.facts:
            return Written(told, table)
        drafts = tuple(Draft(fact, secret=told.secret) for fact in told.facts)  # type: ignore[arg-type]  # members of the union
        expected = table.done.records if after is None else after
        try:
            written = log.store.append(drafts, by=by, at=now(), after=expected, mode=mode)
            return Written(told, table, Done([], written, drafts, log))
        except WrongVersion:
            if after is not None:
                raise
            log = log.anew()
    raise Failure(failures.CONFLICT, f"{log.path}: another writer came first, {TRIES} times in a row", "try again")


def told_at(table: Table, line: str) -> Told:
    """Return what a line means; raise Failure with the line and a mark below the character where it fails."""
    try:
        return table.tell(line)
    except Untold as error:
        raise refused(line, error) from None


ROOM = 72
"""The columns of a line that an error shows."""


def refused(line: str, error: Untold) -> Failure:
    """Return the failure of a line: where, why, the line with a mark below the character, and a hint."""
    return Failure(REFUSED, error.why, error.hint, marked(line, error.column))


def marked(line: str, column: int) -> list[str]:
    """Return a line, as much of it as an error shows, with a mark below the character at a column (from 1)."""
    column = min(column, len(line) + 1)
    first = max(0, column - ROOM)
    mark = len(visible(line[first : column - 1]))
    return [visible(line[first : first + ROOM]), f"{' ' * mark}^"] if line.strip() and "\n" not in line else []
