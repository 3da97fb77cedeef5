"""The lengths of functions and files of the product, and the lines of code for each word of clause: figures to look at, no limits.

python -m tests.sizes
"""

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

from projections.ruleset.ruleset import Ruleset
from projections.rulesets import find, keys
from tests.trees import PACKAGES, ROOT, files


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


def lines_of_code(path: Path) -> int:
    """Return the lines of a file that are neither blank, nor comments, nor docstrings, nor imports."""
    text = path.read_text("utf-8")
    left_out: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        is_import = isinstance(node, ast.Import | ast.ImportFrom)
        if isinstance(node, ast.stmt) and (is_import or _is_docstring(node)):
            left_out.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1))
    return sum(bool(line) and not line.startswith("#") and number not in left_out for number, line in lines)


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def lines_and_words(ruleset: Ruleset) -> tuple[int, int]:
    """Return the lines of code of a ruleset, and the words of its clauses."""
    code = sum(map(lines_of_code, Path(ruleset.rules).parent.rglob("*.py")))
    return code, sum(len(clause.says.split()) for clause in ruleset.catalogue().rule)


def _print(kind: str, found: Sequence[tuple[int, str]]) -> None:
    lines = sorted(found)
    median, most = lines[len(lines) // 2][0], lines[len(lines) * 9 // 10][0]
    print(f"{kind}: {len(lines):,}; median {median} lines, 90th percentile {most}; the longest:")
    for number, place in reversed(lines[-5:]):
        print(f"  {number:4}  {place}")


if __name__ == "__main__":
    _print("functions", [*functions()])
    _print("files", [*sizes_of_files()])
    print("lines of code, words of clauses, and lines a word:")
    for key in keys():
        code, words = lines_and_words(find(key))
        print(f"  {code:5,}  {words:5,}  {code / words:4.2f}  {key}")
