"""What the tests of filling share with others."""

from typing import Any

import msgspec

from projections.language.notation.table import Table


def facts(at: Table, line: str) -> list[dict[str, Any]]:
    return [msgspec.json.decode(msgspec.json.encode(fact)) for fact in at.tell(line).facts]


def action(at: Table, line: str) -> dict[str, Any]:
    """Return the action that a line tells."""
    found: dict[str, Any] = next(fact["action"] for fact in facts(at, line) if "action" in fact)
    return found
