"""Problems: every refusal as application/problem+json (RFC 9457), of one kind for each error of the store.

A problem says what is wrong, where and what to do, with the exit code that the command would give.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from encounterlog.edge import failures
from encounterlog.edge.failures import Failure
from encounterlog.edge.shelves import AlreadyThere
from encounterlog.writing.appending import RefusedFacts
from eventstore import errors
from eventstore.address import Url
from projections.rulesets.failing import RulesetFailed, failure_in

MEDIA = "application/problem+json"
LIST = "/v1/problems"
RETRY = 1
"""After how many seconds a busy service may be asked again."""


class Kind(Struct, frozen=True):
    """A kind of problem: HTTP status, exit code of the command in the same case, and what it means."""

    status: int
    exit: int
    title: str


KINDS = {
    "bad-request": Kind(400, failures.USAGE, "The request is malformed"),
    "bad-tag": Kind(400, failures.USAGE, "A header with an entity tag is malformed"),
    "no-token": Kind(401, failures.USAGE, "No token was given, or one that opens nothing"),
    "forbidden": Kind(403, failures.USAGE, "The token does not allow this"),
    "not-found": Kind(404, failures.UNREADABLE, "There is no such thing"),
    "no-such-method": Kind(405, failures.USAGE, "This cannot be done with that"),
    "too-slow": Kind(408, failures.NOT_WRITTEN, "The request did not arrive in time"),
    "damaged": Kind(409, failures.UNREADABLE, "The log is damaged"),
    "not-a-log": Kind(409, failures.UNREADABLE, "This is not an encounter log"),
    "unreadable": Kind(409, failures.UNREADABLE, "The log cannot be read by this program"),
    "rewritten": Kind(409, failures.DIFFERENCE, "The log was rewritten, or is another one"),
    "wrong-version": Kind(412, failures.CONFLICT, "Another writer came first"),
    "already-there": Kind(412, failures.USAGE, "There is such an encounter already"),
    "decided": Kind(409, failures.CONFLICT, "The proposal was decided otherwise"),
    "proposal-changed": Kind(409, failures.CONFLICT, "The proposal would now record something else"),
    "too-large": Kind(413, failures.REFUSED, "A limit would be exceeded"),
    "wrong-media-type": Kind(415, failures.USAGE, "The body has a media type that is not taken here"),
    "refused": Kind(422, failures.REFUSED, "The input was refused, and nothing was written"),
    "key-reused": Kind(422, failures.REFUSED, "The idempotency key stands for something else"),
    "too-many-requests": Kind(429, failures.NOT_WRITTEN, "Too many requests"),
    "too-many-proposals": Kind(429, failures.NOT_WRITTEN, "Too many proposals wait for the game master"),
    "bug": Kind(500, failures.UNKNOWN, "A bug in encounterlog"),
    "busy": Kind(503, failures.NOT_WRITTEN, "Another writer holds the lock"),
    "not-written": Kind(503, failures.NOT_WRITTEN, "Nothing was written"),
    "outcome-unknown": Kind(503, failures.UNKNOWN, "It cannot be known whether it was written"),
    "not-readable": Kind(503, failures.UNREADABLE, "The log cannot be read at the moment"),
    "not-migrated": Kind(503, failures.USAGE, "The database lacks the tables of this program"),
    "too-many-streams": Kind(503, failures.NOT_WRITTEN, "Too many streams"),
    "stopping": Kind(503, failures.NOT_WRITTEN, "The service is about to stop"),
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
"""The kind of problem of each error of the store."""

AWAY = {
    "not-readable": "the database cannot be read at the moment",
    "busy": "the database is busy",
    "not-written": "nothing was written: the database did not take it",
    "not-migrated": "the database is not ready for this program",
    "outcome-unknown": "the database did not say whether it was written",
}
"""What is shown of a database that fails: where it is, and why it fails, is for the journal alone."""

_OF_CODES = {
    failures.USAGE: "bad-request",
    failures.UNREADABLE: "unreadable",
    failures.REFUSED: "refused",
    failures.CONFLICT: "busy",
    failures.DIFFERENCE: "rewritten",
}


class Problem(Exception):
    """A request that is refused: the kind, what is wrong in this case, further members of the answer, and headers."""

    def __init__(self, kind: str, detail: str, hint: str = "", **more: Any) -> None:
        self.kind, self.detail, self.hint, self.more = kind, detail, hint, more
        self.headers: dict[str, str] = {}
        self.kept = ""
        """What the journal has of it, and no answer."""
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
    """Return an error as a problem; in its words the encounter's name stands for the place where its log is kept."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, RefusedFacts):
        first = error.found[0]
        return Problem("refused", error.says, error.hint, details=error.details, line=first.line, field=first.field)
    if isinstance(error, Failure):
        more = {
            "details": error.details or "",
            "column": error.column,
            "offers": error.offers or "",
            "readings": [each._asdict() for each in error.readings] or "",
        }
        return Problem(_OF_CODES.get(error.code, "not-written"), error.says, error.hint, **more)
    if isinstance(error, errors.StoreError):
        return _of_store(error, name)
    if failed := error if isinstance(error, RulesetFailed) else failure_in(error):
        return Problem("unreadable", str(failed), failed.hint, line=failed.seq)
    return Problem("bug", f"{type(error).__name__}: please report it", "the service has written down more about it")


def _of_store(error: errors.StoreError, name: str) -> Problem:
    kind = next(OF[each] for each in type(error).__mro__ if each in OF)
    code = failures.failure_of(error).code
    if kind == "refused" and code == failures.USAGE:
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
    """Return what an error says beside its words."""
    if isinstance(error, errors.CorruptLog):
        return {"line": error.line}
    if isinstance(error, errors.Malformed):
        return {"field": error.field}
    if isinstance(error, errors.WrongVersion):
        return {"expected": str(error.expected), "found": str(error.found)}
    return {"key": error.key} if isinstance(error, errors.KeyReused) else {}
