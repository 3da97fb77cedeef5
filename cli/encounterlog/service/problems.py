"""Problems: every refusal as application/problem+json (RFC 9457), one kind for each error of the store; the journal.

A problem names the error, its place and a hint, with the exit code that the command would give.
"""

import sys
from typing import Any

import msgspec

from encounterlog.errors import ERRORS, Refused, problem_named
from encounterlog.log.appending import RefusedFacts
from encounterlog.places import answers
from encounterlog.places.time_and_chance import current_time
from encounterlog.words.documents import document_line
from eventstore import errors
from eventstore.address import Url
from projections.replay.failing import RulesetFailed, failure_in

MEDIA = "application/problem+json"
LIST = "/v1/problems"


class Problem(Exception):
    """A request that is refused: the kind, the fault in this case, further members of the answer, and headers."""

    def __init__(self, kind: str, detail: str, hint: str = "", **more: Any) -> None:
        self.kind, self.detail, self.hint, self.more = kind, detail, hint, more
        self.headers: dict[str, str] = {}
        self.kept = ""  # the words for the journal, which are in no answer
        super().__init__(detail)

    @property
    def status(self) -> int:
        """The HTTP status."""
        return ERRORS[self.kind].status

    def body(self) -> bytes:
        """Return the problem as JSON; members that are empty are left out."""
        row = ERRORS[self.kind]
        more = {name: one for name, one in {"hint": self.hint, **self.more}.items() if one not in ("", None, 0)}
        about = f"{LIST}#{self.kind}", row.title, row.status, self.detail, row.exit
        return msgspec.json.encode(answers.Problem(*about, **more))

    def all_headers(self) -> dict[str, str]:
        """Return the headers of the answer; a busy service may be asked again after a second."""
        return ({"retry-after": "1"} if self.status in (429, 503) else {}) | self.headers


def problem_of(error: Exception, name: str = "") -> Problem:
    """Return an error as a problem; its words have the encounter's name in place of the log's address."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, RefusedFacts):
        first = error.found[0]
        return Problem("refused", error.says, error.hint, details=error.details, line=first.line, field=first.field)
    if isinstance(error, Refused):
        kind = next(name for name, row in ERRORS.items() if row.kind == error.kind and row.general)
        more = {"details": error.details or "", "column": error.column, "offers": error.offers or ""}
        readings = [each._asdict() for each in error.readings] or ""
        return Problem(kind, error.says, error.hint, **more, readings=readings)
    if isinstance(error, errors.StoreError):
        return _problem_of_store(error, name)
    if failed := error if isinstance(error, RulesetFailed) else failure_in(error):
        return Problem("unreadable", str(failed), failed.hint, line=failed.seq)
    return Problem("bug", f"{type(error).__name__}: please report it", "the service has written down more about it")


def _problem_of_store(error: errors.StoreError, name: str) -> Problem:
    kind = "already-there" if isinstance(error, errors.AlreadyThere) else problem_named(error)
    if isinstance(getattr(error, "path", None), Url) and ERRORS[kind].away:
        problem = Problem(kind, ERRORS[kind].away, "try again in a moment, with the same Idempotency-Key")
        problem.kept = str(error)
        return problem
    place, says, hint = str(getattr(error, "path", "")) or name, str(error), error.hint
    if place:
        says, hint = (each.replace(place, name or "the shelf") for each in (says, hint))
    fields = {name: getattr(error, name, None) for name in ("line", "field", "key", "expected", "found")}
    more = {name: one if name == "line" else str(one) for name, one in fields.items() if one is not None}
    return Problem(kind, says, hint, **more)


def write_line(**fields: Any) -> None:
    """Write a line of JSON to the journal, on standard error. No token, no cookie and no query stands in it."""
    sys.stderr.write(document_line({"at": current_time(), **fields}))
    sys.stderr.flush()
