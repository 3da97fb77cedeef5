"""Functions are short: none has over 30 lines, its docstring included, but those that are listed here with the reason."""

import ast
from collections.abc import Iterator

from tests.test_layers import PACKAGES, ROOT, files

LONGEST = 30
HELP = "the docstring is the page of help of the command, and the signature its options"
LONGER = {
    "cli/encounterlog/commands/append.py:command": HELP,
    "cli/encounterlog/commands/export.py:command": HELP,
    "cli/encounterlog/commands/import_combat.py:command": HELP,
    "cli/encounterlog/commands/new.py:command": HELP,
    "cli/encounterlog/commands/verify.py:command": HELP,
    "cli/encounterlog/exporters/html/data.py:page": "one record, field by field",
}
"""Functions that are better whole, each with the reason."""


def longer() -> Iterator[tuple[str, int]]:
    """Yield the functions that are too long, each with its number of lines."""
    for path in (path for package in PACKAGES for path in files(package)):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
                lines = node.end_lineno - node.lineno + 1
                if lines > LONGEST:
                    yield f"{path.relative_to(ROOT).as_posix()}:{node.name}", lines


def test_no_function_is_longer_but_those_listed_and_each_listed_one_is() -> None:
    found = dict(longer())
    assert sorted(found) == sorted(LONGER), found


def test_no_file_has_more_than_400_lines() -> None:
    lines = {path: len(path.read_text("utf-8").splitlines()) for package in PACKAGES for path in files(package)}
    assert [path for path, number in lines.items() if number > 400] == []
