"""Problems: every refusal as application/problem+json (RFC 9457), of one kind for each error of the store.

A problem names the error, its place and a hint, with the exit code that the command would give.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from encounterlog.core.appending import RefusedFacts
from encounterlog.errors import NUMBERS, Refused, kind_of
from encounterlog.errors import Kind as Why
from encounterlog.storage.shelves import AlreadyThere
from eventstore import errors
from eventstore.address import Url
from projections.replay.failing import RulesetFailed, failure_in

MEDIA = "application/problem+json"
LIST = "/v1/problems"
RETRY = 1
"""The number of seconds after which a busy service may be asked again."""


class Kind(Struct, frozen=True):
    """A kind of problem: HTTP status, the kind of error that it is in the application, and what it means."""

    status: int
    of: Why
    title: str

    @property
    def exit(self) -> int:
        """The exit code of a command in the same case."""
        return NUMBERS[self.of]


KINDS = {
    "bad-request": Kind(400, "usage", "The request is malformed"),
    "bad-tag": Kind(400, "usage", "A header with an entity tag is malformed"),
    "no-token": Kind(401, "usage", "No token was given, or one that opens nothing"),
    "forbidden": Kind(403, "usage", "The token does not allow this"),
    "not-found": Kind(404, "unreadable", "There is no such thing"),
    "no-such-method": Kind(405, "usage", "This cannot be done with that"),
    "too-slow": Kind(408, "not-written", "The request did not arrive in time"),
    "damaged": Kind(409, "unreadable", "The log is damaged"),
    "not-a-log": Kind(409, "unreadable", "This is not an encounter log"),
    "unreadable": Kind(409, "unreadable", "The log cannot be read by this program"),
    "rewritten": Kind(409, "differs", "The log was rewritten, or is another one"),
    "wrong-version": Kind(412, "overtaken", "Another writer came first"),
    "already-there": Kind(412, "usage", "There is such an encounter already"),
    "decided": Kind(409, "overtaken", "The proposal was decided otherwise"),
    "proposal-changed": Kind(409, "overtaken", "The proposal would now record something else"),
    "too-large": Kind(413, "refused", "A limit would be exceeded"),
    "wrong-media-type": Kind(415, "usage", "The body has a media type that is not taken here"),
    "refused": Kind(422, "refused", "The input was refused, and nothing was written"),
    "key-reused": Kind(422, "refused", "The idempotency key stands for something else"),
    "too-many-requests": Kind(429, "not-written", "Too many requests"),
    "too-many-proposals": Kind(429, "not-written", "Too many proposals wait for the game master"),
    "bug": Kind(500, "uncertain", "A bug in encounterlog"),
    "busy": Kind(503, "not-written", "Another writer holds the lock"),
    "not-written": Kind(503, "not-written", "Nothing was written"),
    "outcome-unknown": Kind(503, "uncertain", "It cannot be known whether it was written"),
    "not-readable": Kind(503, "unreadable", "The log cannot be read at the moment"),
    "not-migrated": Kind(503, "usage", "The database lacks the tables of this program"),
    "too-many-streams": Kind(503, "not-written", "Too many streams"),
    "stopping": Kind(503, "not-written", "The service is about to stop"),
}
"""Every kind of problem by the end of its type."""

OF: dict[type[errors.StoreError], str] = {
    AlreadyThere: "already-there",
    errors.Malformed: "refused",
    errors.CorruptLog: "damaged",
    errors.NotALog: "not-a-log",
    errors.NotReadable: "not-readable",
    errors.NotThere: "not-found",
    errors.NotMigrated: "not-migrated",
    errors.Rewritten: "rewritten",
    errors.WrongVersion: "wrong-version",
    errors.KeyReused: "key-reused",
    errors.TooLarge: "too-large",
    errors.Busy: "busy",
    errors.NotWritten: "not-written",
    errors.OutcomeUnknown: "outcome-unknown",
}
"""The kind of problem for each error of the store."""

AWAY = {
    "not-readable": "the database cannot be read at the moment",
    "busy": "the database is busy",
    "not-written": "nothing was written: the database did not take it",
    "not-migrated": "the database is not ready for this program",
    "outcome-unknown": "the database did not say whether it was written",
}
"""The words for a database that fails: its address and the reason are for the journal alone."""

_OF_REFUSED: dict[Why, str] = {
    "usage": "bad-request",
    "unreadable": "unreadable",
    "refused": "refused",
    "overtaken": "busy",
    "differs": "rewritten",
}
"""The kind of problem for each kind of error; with any other, nothing was written."""


class Problem(Exception):
    """A request that is refused: the kind, the fault in this case, further members of the answer, and headers."""

    def __init__(self, kind: str, detail: str, hint: str = "", **more: Any) -> None:
        self.kind, self.detail, self.hint, self.more = kind, detail, hint, more
        self.headers: dict[str, str] = {}
        self.kept = ""
        """The words for the journal, which are in no answer."""
        super().__init__(detail)

    @property
    def status(self) -> int:
        """The HTTP status."""
        return KINDS[self.kind].status

    def body(self) -> bytes:
        """Return the problem as JSON; members that are empty are left out."""
        kind = KINDS[self.kind]
        value = {"type": f"{LIST}#{self.kind}", "title": kind.title, "status": kind.status, "detail": self.detail}
        value |= {"exit": kind.exit} | ({"hint": self.hint} if self.hint else {})
        return msgspec.json.encode(value | {name: one for name, one in self.more.items() if one not in ("", None, 0)})

    def all_headers(self) -> dict[str, str]:
        """Return the headers of the answer."""
        retry = {"retry-after": str(RETRY)} if self.status in (429, 503) else {}
        return retry | self.headers


def problem_of(error: Exception, name: str = "") -> Problem:
    """Return an error as a problem; its words have the encounter's name in place of the log's address."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, RefusedFacts):
        first = error.found[0]
        return Problem("refused", error.says, error.hint, details=error.details, line=first.line, field=first.field)
    if isinstance(error, Refused):
        more = {
            "details": error.details or "",
            "column": error.column,
            "offers": error.offers or "",
            "readings": [each._asdict() for each in error.readings] or "",
        }
        return Problem(_OF_REFUSED.get(error.kind, "not-written"), error.says, error.hint, **more)
    if isinstance(error, errors.StoreError):
        return _of_store(error, name)
    if failed := error if isinstance(error, RulesetFailed) else failure_in(error):
        return Problem("unreadable", str(failed), failed.hint, line=failed.seq)
    return Problem("bug", f"{type(error).__name__}: please report it", "the service has written down more about it")


def _of_store(error: errors.StoreError, name: str) -> Problem:
    kind = next(OF[each] for each in type(error).__mro__ if each in OF)
    if kind == "refused" and kind_of(error) == "usage":
        kind = "bad-request"
    if isinstance(getattr(error, "path", None), Url) and kind in AWAY:
        problem = Problem(kind, AWAY[kind], "try again in a moment, with the same Idempotency-Key")
        problem.kept = str(error)
        return problem
    place = str(getattr(error, "path", "")) or name
    says, hint = str(error), error.hint
    if place:
        says, hint = (each.replace(place, name or "the shelf") for each in (says, hint))
    return Problem(kind, says, hint, **_further(error))


def _further(error: errors.StoreError) -> Mapping[str, Any]:
    """Return the fields of an error other than its words."""
    if isinstance(error, errors.CorruptLog):
        return {"line": error.line}
    if isinstance(error, errors.Malformed):
        return {"field": error.field}
    if isinstance(error, errors.WrongVersion):
        return {"expected": str(error.expected), "found": str(error.found)}
    return {"key": error.key} if isinstance(error, errors.KeyReused) else {}
