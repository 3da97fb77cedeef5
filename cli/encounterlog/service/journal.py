"""The journal: one line of JSON for each request that failed, or for each at all, on standard error.

No token, no cookie and no query stands in it.
"""

import sys
import time
from typing import Any

from encounterlog.places.time_and_chance import current_time
from encounterlog.words.documents import document_line


class Journal:
    """ASGI middleware that records a request once it is answered: token, endpoint, status, time.

    It records failures of the service (500 and above) always, other requests if `every` one is wanted.
    """

    def __init__(self, app: Any, *, every: bool) -> None:
        self._app, self._every = app, every

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass a request on, and record it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun, said = time.perf_counter(), {"status": 0, "bytes": 0}

        async def sent(message: Any) -> None:
            if message["type"] == "http.response.start":
                said["status"] = message["status"]
            elif message["type"] == "http.response.body":
                said["bytes"] += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, sent)
        finally:
            if self._every or said["status"] >= 500:
                more = scope.get("state", {})
                write_line(
                    method=scope["method"],
                    path=scope["path"][:300],
                    client=(scope.get("client") or ("", 0))[0],
                    token=more.get("token", ""),
                    status=said["status"],
                    bytes=said["bytes"] + more.get("passed", 0),
                    ms=round(1000 * (time.perf_counter() - begun), 1),
                )


def write_line(**fields: Any) -> None:
    """Write one line."""
    sys.stderr.write(document_line({"at": current_time(), **fields}))
    sys.stderr.flush()
