"""The imports inside a function that save nothing: their file has loaded the same by itself."""

import ast
from collections.abc import Iterator
from functools import cache

from tests.circles import imports
from tests.trees import PACKAGES, files, is_type_checking, tree_of


def saving_nothing() -> list[str]:
    """Return the imports inside functions that load nothing which their file has not loaded."""
    return [
        f"{each.of}, line {each.line}: {each.what}"
        for each in imports()
        if each.late and _loads(_module_of(each.what)) <= _loads(f"encounterlog.{each.of}".rstrip("."))
    ]


@cache
def _sources() -> dict[str, list[str]]:
    """Return the imports of each of our modules when it is loaded itself, its packages included."""
    found: dict[str, list[str]] = {}
    for package in PACKAGES:
        for path in files(package):
            name = ".".join((package, *path.relative_to(PACKAGES[package]).with_suffix("").parts))
            name = name.removesuffix(".__init__")
            found[name] = [*_at_load_time(tree_of(path).body)]
            if "." in name:
                found[name].append(name.rpartition(".")[0])
    return found


def _at_load_time(body: list[ast.stmt]) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{each.name}" for each in node.names)
        elif isinstance(node, ast.Try) or (isinstance(node, ast.If) and not is_type_checking(node)):
            yield from _at_load_time(node.body)


def _module_of(name: str) -> str:
    """Return the module that an import of a name loads; for foreign names only the package."""
    if name.partition(".")[0] not in PACKAGES:
        return name.rpartition(".")[0] or name
    while name not in _sources():
        name = name.rpartition(".")[0]
    return name


@cache
def _loads(module: str) -> frozenset[str]:
    """Return the modules that are loaded with a module."""
    seen, waiting = {module}, [module]
    while waiting:
        for name in _sources().get(waiting.pop(), ()):
            if (other := _module_of(name)) not in seen:
                seen.add(other)
                waiting.append(other)
    return frozenset(seen)
