"""The journal: one line of JSON for each request that failed, or for each at all, on standard error.

No token, no cookie and no query stands in it.
"""

import sys
import time
from typing import Any

from encounterlog.places.time_and_chance import current_time
from encounterlog.words.documents import document_line


def record_requests(app: Any, *, every: bool) -> Any:
    """Return an ASGI application that records a request once it is answered: token, endpoint, status, time.

    It records failures of the service (500 and above) always, other requests if `every` one is wanted.
    """

    async def recording(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        begun, status, size = time.perf_counter(), 0, 0

        async def sent(message: Any) -> None:
            nonlocal status, size
            status = message.get("status", status)
            size += len(message.get("body", b""))
            await send(message)

        try:
            await app(scope, receive, sent)
        finally:
            if every or status >= 500:
                more = scope.get("state", {})
                write_line(
                    method=scope["method"],
                    path=scope["path"][:300],
                    client=(scope.get("client") or ("", 0))[0],
                    token=more.get("token", ""),
                    status=status,
                    bytes=size + more.get("passed", 0),
                    ms=round(1000 * (time.perf_counter() - begun), 1),
                )

    return recording


def write_line(**fields: Any) -> None:
    """Write one line."""
    sys.stderr.write(document_line({"at": current_time(), **fields}))
    sys.stderr.flush()
