"""The endpoints about the service itself: schemas, kinds of problems, whether it is well."""

from functools import cache
from typing import Any

import msgspec
from msgspec import structs

from encounterlog.service.calls import JSON, Call, Reply, document
from encounterlog.service.problems import KINDS, Problem

PUBLIC = {"cache-control": "public, max-age=300"}


def schema(_call: Call) -> Reply:
    """Return what `encounter schema --json` prints."""
    return Reply(200, _schema(), JSON, dict(PUBLIC))


def problems(_call: Call) -> Reply:
    """Return every kind of problem by its name."""
    return document({name: structs.asdict(kind) for name, kind in KINDS.items()})


def healthy(_call: Call) -> Reply:
    """Say that the process answers."""
    return document({"status": "ok"})


def ready(call: Call) -> Reply:
    """Say whether the logs can be reached and written; raise their faults."""
    if call.service.streams.stopping:
        raise Problem("stopping", "the service is about to stop")
    call.service.shelf.check()
    if unwritable := dict(call.service.shelf.unwritable()):
        says = f"not written at the moment: {', '.join(sorted(unwritable))}"
        raise Problem("not-written", says, "look at the disk; the service tries again by itself", logs=unwritable)
    return document({"status": "ready"})


@cache
def _schema() -> bytes:
    from encounterlog.schemas import schemas

    return encoded(schemas.everything())


def encoded(value: Any) -> bytes:
    """Return a schema as it is printed."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
