"""The saving of each import inside a function: the modules that its file does without until then, and the processor time of loading them.

python -m tests.late_imports [MODULE…] prints them as a table
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from tests.circles import Import, imports
from tests.trees import PACKAGES, files, is_type_checking, tree_of

MEASURE = """
import importlib, os, sys, time
importlib.import_module(sys.argv[1])
for name in sys.argv[2:]:
    reading, writing = os.pipe()
    if not os.fork():
        before, began = len(sys.modules), time.process_time()
        try:
            importlib.import_module(name)
        except ImportError:
            importlib.import_module(name.rpartition(".")[0])
        taken = (time.process_time() - began) * 1e3
        os.write(writing, f"{len(sys.modules) - before} {taken}".encode())
        os._exit(0)
    os.close(writing)
    print(os.read(reading, 100).decode())
    os.wait()
"""
"""Loads a module in a process of its own, and after it each of these, all from the same state; it loads nothing itself that is late somewhere."""


class Saved(NamedTuple):
    """The saving of an import inside a function if it is not reached: modules, and milliseconds of the processor."""

    found: Import
    modules: int
    milliseconds: float


def of_module(module: str) -> Iterator[Saved]:
    """Yield the measured saving of each import inside a function of a module of the application."""
    late = [each for each in imports() if each.of == module and each.late]
    name = f"encounterlog.{module}" if module else "encounterlog"
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, name, *(each.what for each in late)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    for each, line in zip(late, done.stdout.splitlines(), strict=True):
        modules, milliseconds = line.split()
        yield Saved(each, int(modules), float(milliseconds))


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


if __name__ == "__main__":
    wanted = sys.argv[1:] or sorted({each.of for each in imports() if each.late})
    print("| in | imports | modules | ms |\n|---|---|---:|---:|")
    for module in wanted:
        for each in of_module(module):
            print(f"| `{module or '__init__'}` | `{each.found.what}` | {each.modules} | {each.milliseconds:.0f} |")
