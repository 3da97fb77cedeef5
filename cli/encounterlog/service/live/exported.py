"""Exports from the menu of a page, as a file: the part of a log that the asker may see."""

from encounterlog.core.logs import LogView
from encounterlog.exporters import exporter
from encounterlog.service.bodies import quoted
from encounterlog.service.calls import Call, Reply
from encounterlog.service.live.page_cache import session_of
from encounterlog.service.problems import Problem

KINDS = {
    "html": ("html", "text/html"),
    "markdown": ("md", "text/markdown"),
    "csv": ("csv", "text/csv"),
    "json": ("json", "application/json"),
}
"""The kinds of exports that a page offers, each with the end of its file's name and its media type."""


def export(call: Call, seen: LogView) -> Reply:
    """Return an export as a file to be saved; it is made of the records that its asker may see."""
    kind = call.asked["kind"]
    if kind not in KINDS:
        raise Problem("bad-request", f"kind: there is no export of this kind, only {', '.join(KINDS)}", field="kind")
    ending, media = KINDS[kind]
    body = b"".join(exporter(kind)(session_of(seen)))
    name = f"attachment; filename*=UTF-8''{quoted(call.name)}.{ending}"
    return Reply(200, body, f"{media}; charset=utf-8", {"content-disposition": name, "cache-control": "no-store"})
