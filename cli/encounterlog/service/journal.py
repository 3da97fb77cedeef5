"""The journal: one line of JSON for each request, on standard error. No token, no cookie and no query stands in it."""

import time
from typing import Any

from encounterlog.edge import output
from encounterlog.edge.clock import now


class Journal:
    """ASGI middleware that writes down each request once it is answered: who, what, which status, how long."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass a request on, and write it down."""
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
            said["bytes"] += scope.get("state", {}).get("passed", 0)
            write(
                method=scope["method"],
                path=scope["path"][:300],
                client=(scope.get("client") or ("", 0))[0],
                token=scope.get("state", {}).get("token", ""),
                **said,
                ms=round(1000 * (time.perf_counter() - begun), 1),
            )


def write(**fields: Any) -> None:
    """Write one line."""
    output.journal({"at": now(), **fields})
