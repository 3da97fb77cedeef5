"""How the application hangs together: circles of its folders and files, imports inside functions, errors and output below the terminal.

python -m tests.circles [--all]
"""

import ast
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.trees import PACKAGES, files, inside, is_type_checking, tree_of

HOME = PACKAGES["encounterlog"]
PRINTS = frozenset({"lines", "notes", "json", "json_line", "data", "text", "progress", "journal"})
"""The functions of `output` that print."""


class Import(NamedTuple):
    """An import of one module of the application by another, or of anything inside a function."""

    of: str
    what: str
    line: int
    late: bool


def name_of(path: Path) -> str:
    """Return the module in a file, without the name of the package."""
    return ".".join(path.relative_to(HOME).with_suffix("").parts).removesuffix("__init__").removesuffix(".")


def room_of(module: str) -> str:
    """Return the folder of a module, "" for the top."""
    return module.partition(".")[0] if "." in module or (HOME / module).is_dir() else ""


@cache
def trees() -> Mapping[str, ast.Module]:
    """Return every module of the application."""
    return {name_of(path): tree_of(path) for path in files("encounterlog")}


@cache
def imports() -> tuple[Import, ...]:
    """Return every import of the application, except those for types alone."""
    return tuple(found for module, tree in trees().items() for found in _imports(module, tree, tree, late=False))


def _imports(module: str, tree: ast.Module, node: ast.AST, *, late: bool) -> Iterator[Import]:
    for child in inside(node):
        if isinstance(child, ast.stmt) and is_type_checking(child):
            continue
        if isinstance(child, ast.Import):
            yield from (Import(module, each.name, child.lineno, late) for each in child.names)
        elif isinstance(child, ast.ImportFrom):
            yield from (Import(module, f"{child.module}.{each.name}", child.lineno, late) for each in child.names)
        of_function = late or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
        yield from _imports(module, tree, child, late=of_function)


def own(name: str) -> str | None:
    """Return the module of the application that an import names, None for an import from elsewhere."""
    if not name.startswith("encounterlog."):
        return None
    inner = name.removeprefix("encounterlog.")
    while inner and inner not in trees():
        inner = inner.rpartition(".")[0]
    return inner


def statements_inside_functions() -> Counter[str]:
    """Return how many import statements stand inside functions, by file."""
    return Counter(of for of, _ in {(each.of, each.line) for each in imports() if each.late})


def arrows(*, late: bool = True, rooms: bool = False) -> dict[str, set[str]]:
    """Return the imports between modules, or folders; without those in functions unless they are wanted."""
    found: dict[str, set[str]] = {}
    for each in imports():
        target = own(each.what)
        if target is None or (each.late and not late):
            continue
        one, other = (room_of(each.of), room_of(target)) if rooms else (each.of, target)
        found.setdefault(one, set())
        if one != other and (not rooms or (one and other)):
            found[one].add(other)
    return found


def circles(graph: Mapping[str, Collection[str]]) -> list[list[str]]:
    """Return the sets of nodes that reach each other, the largest first."""
    order: list[str] = []
    seen: set[str] = set()

    def walk(node: str, edges: Mapping[str, Collection[str]], into: list[str]) -> None:
        stack = [(node, iter(sorted(edges.get(node, ()))))]
        seen.add(node)
        while stack:
            here, rest = stack[-1]
            following = next((each for each in rest if each not in seen), None)
            if following is None:
                into.append(here)
                stack.pop()
            else:
                seen.add(following)
                stack.append((following, iter(sorted(edges.get(following, ())))))

    for node in sorted(graph):
        if node not in seen:
            walk(node, graph, order)
    back: dict[str, set[str]] = {}
    for one, others in graph.items():
        for other in others:
            back.setdefault(other, set()).add(one)
    seen.clear()
    found = []
    for node in reversed(order):
        if node not in seen:
            part: list[str] = []
            walk(node, back, part)
            found.append(sorted(part))
    return sorted((each for each in found if len(each) > 1), key=lambda each: (-len(each), each))


def raised(*names: str) -> Counter[str]:
    """Return the number of errors of these names that are made, by module."""
    found: Counter[str] = Counter()
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
                found[module] += 1
    return found


def printing() -> Counter[str]:
    """Return the number of calls that print, by module."""
    found: Counter[str] = Counter()
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name)):
                continue
            to_output = (
                isinstance(node.func, ast.Attribute) and node.func.attr in PRINTS and _is_output(node.func.value)
            )
            if to_output or (isinstance(node.func, ast.Name) and node.func.id == "print"):
                found[module] += 1
    return found


def _is_output(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "output"


def _print(says: str, found: Mapping[str, int], *, every: bool) -> None:
    print(f"{sum(found.values()):5}  {says}")
    rooms: Counter[str] = Counter()
    for module, count in found.items():
        rooms[room_of(module) or module] += count
    print(f"         {', '.join(f'{room} {count}' for room, count in rooms.most_common())}")
    if every:
        for module, count in sorted(found.items()):
            print(f"         {count:4}  {module}")


def _print_circles(says: str, found: list[list[str]]) -> None:
    print(f"{len(found):5}  {says}{': ' if found else ''}{', '.join(str(len(each)) for each in found)}")
    for each in found:
        print(f"         {' '.join(each)}")


if __name__ == "__main__":
    every = "--all" in sys.argv
    print(
        f"{len(trees()):5}  files, {sum(len(path.read_text('utf-8').splitlines()) for path in files('encounterlog')):,} lines"
    )
    _print("import statements inside functions", statements_inside_functions(), every=every)
    _print_circles("circles of folders", circles(arrows(rooms=True)))
    _print_circles("circles of folders at load time", circles(arrows(rooms=True, late=False)))
    _print_circles("circles of files", circles(arrows()))
    _print(
        "places that make an error by its old name, or with a helper",
        raised("Failure", "misspelt", "missing"),
        every=every,
    )
    _print("places that print", printing(), every=every)
