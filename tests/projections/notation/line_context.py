"""What the tests of line context share with others."""

from projections.language.notation.table import Table
from tests.projections.notation.filling import facts


def types(at: Table, line: str) -> list[str]:
    return [fact["type"] for fact in facts(at, line)]


def heard(at: Table, *lines: str) -> Table:
    for line in lines:
        at.hear(line)
    return at
