"""The page of an audit of many logs: a line for each, the problems of those that have one, and the sum."""

from typing import TYPE_CHECKING

from encounterlog.text.layout import count, name, table, wrap

if TYPE_CHECKING:
    from encounterlog.bulk.checking import AuditedLog


class Listed:
    """The lines of many logs, added as they come."""

    def __init__(self) -> None:
        self._rows: list[tuple[str, str, str]] = []
        self._problems: list[str] = []
        self._records = self._breaches = self._notices = self._troubled = 0

    def add(self, one: "AuditedLog") -> None:
        """Add the line of a log."""
        self._rows.append((name(one.log, 48), count(one.records, "record"), _found(one)))
        self._records += one.records
        self._breaches += one.breaches
        self._notices += one.notices
        if one.problem:
            self._troubled += 1
            self._problems += wrap(f"{one.log}: {one.problem}", "    ", "")

    def page(self) -> list[str]:
        """Return the page."""
        says = f"{count(len(self._rows), 'log')}, {count(self._records, 'record')}: "
        says += _figures(self._breaches, self._notices) or "no findings"
        says += f"; {count(self._troubled, 'log')} cannot be read whole" if self._troubled else ""
        return [*table(self._rows, ""), *self._problems, says]


def _found(one: "AuditedLog") -> str:
    figures = _figures(one.breaches, one.notices)
    if one.problem:
        return f"{figures}, not whole" if figures else "not whole"
    return figures or "no findings"


def _figures(breaches: int, notices: int) -> str:
    parts = ([count(breaches, "breach")] if breaches else []) + ([count(notices, "notice")] if notices else [])
    return ", ".join(parts)
