"""What the tests of layers share with others."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = {
    "eventstore": ROOT / "eventstore",
    "projections": ROOT / "projections",
    "encounterlog": ROOT / "cli/encounterlog",
}


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the syntax of a file."""
    return ast.parse(path.read_text("utf-8"))


def inside(statement: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements that stand inside another, and what holds such, as the handlers of an error do; no expressions, which hold none."""
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        those = getattr(statement, name, ())
        yield from those if isinstance(those, list) else ()


def is_type_checking(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def files(package: str) -> list[Path]:
    found = sorted(PACKAGES[package].rglob("*.py"))
    assert found
    return found
