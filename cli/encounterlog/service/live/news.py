"""The changes for a page that shows the log up to some end: the rows of tables from the first different one on, and
every other value that differs.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import structs

from encounterlog.exporters.html.data import Page

OF_ASKER = frozenset({"own", "words", "players", "by"})
"""The fields that depend on who asks, and when: they are sent each time."""


def news(before: Page, now: Page) -> dict[str, Any]:
    """Return the changes that a page which shows `before` needs to show `now`.

    `rows` has for each table that differs how many of its rows stay, and those that follow; `values` has the other
    fields.
    """
    rows: dict[str, Any] = {}
    values: dict[str, Any] = {}
    for field in structs.fields(Page):
        old, new = getattr(before, field.name), getattr(now, field.name)
        if old == new and field.name not in OF_ASKER:
            continue
        if isinstance(old, list | tuple) and isinstance(new, list | tuple):
            stays = _common(old, new)
            rows[field.encode_name] = [stays, new[stays:]]
        else:
            values[field.encode_name] = new
    return {"since": before.head, "rows": rows, "values": values}


def _common(old: Sequence[Any], new: Sequence[Any]) -> int:
    """Return how many rows two tables have in common, from the first; rows that are the same object are not looked into."""
    common, most = 0, min(len(old), len(new))
    while common < most:
        upto = (common + most + 1) // 2
        if old[common:upto] == new[common:upto]:
            common = upto
        else:
            most = upto - 1
    return common
