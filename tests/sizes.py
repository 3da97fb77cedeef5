"""The lengths of functions and files of the product: figures to look at, no limits.

python -m tests.sizes
"""

import ast
from collections.abc import Iterator, Sequence

from tests.test_layers import PACKAGES, ROOT, files


def functions() -> Iterator[tuple[int, str]]:
    """Yield the number of lines of each function, its docstring included, with its place."""
    for path in (path for package in PACKAGES for path in files(package)):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
                yield node.end_lineno - node.lineno + 1, f"{path.relative_to(ROOT).as_posix()}:{node.name}"


def sizes_of_files() -> Iterator[tuple[int, str]]:
    """Yield the number of lines of each file."""
    for path in (path for package in PACKAGES for path in files(package)):
        yield len(path.read_text("utf-8").splitlines()), path.relative_to(ROOT).as_posix()


def _print(kind: str, found: Sequence[tuple[int, str]]) -> None:
    lines = sorted(found)
    median, most = lines[len(lines) // 2][0], lines[len(lines) * 9 // 10][0]
    print(f"{kind}: {len(lines):,}; median {median} lines, 90th percentile {most}; the longest:")
    for number, place in reversed(lines[-5:]):
        print(f"  {number:4}  {place}")


if __name__ == "__main__":
    _print("functions", [*functions()])
    _print("files", [*sizes_of_files()])
