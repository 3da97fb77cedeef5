"""The imports of eventstore, projections and encounterlog, for the tests of what may import what."""

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PACKAGES = {
    "eventstore": ROOT / "eventstore",
    "projections": ROOT / "projections",
    "encounterlog": ROOT / "cli/encounterlog",
}


class Import(NamedTuple):
    """An import of a name: in which module and line, whether inside a function (`late`), whether for types alone."""

    of: str
    name: str
    line: int
    late: bool
    typed: bool

    @property
    def target(self) -> str:
        """Return the module of ours that the import loads, else the one of others."""
        name = self.name
        while name and name not in modules():
            name = name.rpartition(".")[0]
        return name or self.name.rpartition(".")[0] or self.name

    @property
    def says(self) -> str:
        return f"{self.of}, line {self.line}, imports {self.name}"


@cache
def modules() -> dict[str, Path]:
    """Return the file of each module."""
    return {
        ".".join((package, *path.relative_to(root).with_suffix("").parts)).removesuffix(".__init__"): path
        for package, root in PACKAGES.items()
        for path in sorted(root.rglob("*.py"))
    }


@cache
def tree_of(module: str) -> ast.Module:
    return ast.parse(modules()[module].read_text("utf-8"))


@cache
def imports(package: str) -> tuple[Import, ...]:
    """Return every import of a package, in functions and for types, too."""
    those = [name for name in modules() if name.partition(".")[0] == package]
    assert those
    return tuple(found for module in those for found in _imports(module, tree_of(module)))


def _imports(module: str, node: ast.AST, *, late: bool = False, typed: bool = False) -> Iterator[Import]:
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):  # expressions hold no imports
        within = getattr(node, name, ())
        for child in within if isinstance(within, list) else ():
            if isinstance(child, ast.Import | ast.ImportFrom):
                of = f"{child.module}." if isinstance(child, ast.ImportFrom) else ""
                yield from (Import(module, of + each.name, child.lineno, late, typed) for each in child.names)
            in_function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
            for_types = isinstance(child, ast.If) and getattr(child.test, "id", "") == "TYPE_CHECKING"
            yield from _imports(module, child, late=late or in_function, typed=typed or for_types)


def graph(those: Iterable[Import]) -> dict[str, set[str]]:
    """Return the modules of ours that each module imports."""
    found: dict[str, set[str]] = {}
    for each in those:
        if each.target in modules() and each.target != each.of:
            found.setdefault(each.of, set()).add(each.target)
    return found
