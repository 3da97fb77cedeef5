"""Marks: which places a witness runs.

A process that measures runs a copy of each function with places in it, with a mark before each statement that holds one. A mark
costs one call, so that a witness takes nearly the same time with and without, also in threads and forked processes of its own.
"""

import ast
import builtins
from collections import defaultdict
from collections.abc import Sequence
from copy import deepcopy
from mmap import mmap
from types import CodeType
from typing import cast

from encounterlog.ruleset_tools.place import Place, put

MARK = "__mark__"
"""The name by which a mark is called; a builtin, so that it is known in every module."""


class Marks:
    """The marked copies of the functions with these places, and the marks that were run since the last question."""

    def __init__(self, places: Sequence[Place]) -> None:
        self._places: list[int] = []
        self._codes = [each for together in _by_statement_of_module(places) for each in self._marked(*together)]
        self._run: mmap | None = None

    def _marked(self, top: ast.stmt, places: list[tuple[int, Place]]) -> list[tuple[Place, CodeType]]:
        """Return the marked copies of the functions that stand in a statement of a module, each with one of its places."""
        held: dict[ast.AST, int] = defaultdict(int)
        for number, place in places:
            held[place.made.statement] |= 1 << number
        copies: dict[int, ast.AST] = {}
        copied = deepcopy(top, copies)
        marks: dict[ast.AST, int] = {}
        for statement, numbers in held.items():
            marks[copies[id(statement)]] = len(self._places)
            self._places.append(numbers)
        _Marked(marks).generic_visit(copied)
        ast.fix_missing_locations(copied)
        functions = {(place.first, place.nth): place for _, place in places}
        return [(place, code) for place in functions.values() if (code := place.found(copied))]

    def put(self) -> None:
        """Let the marked copies run in this process, and in those that it forks, for good."""
        if self._run is None:
            run = self._run = mmap(-1, len(self._places) or 1)  # which a process shares with those that it forks

            def ran(mark: int) -> None:
                run[mark] = 1

            setattr(builtins, MARK, ran)
            for place, code in self._codes:
                put(place, code, code)

    def asked(self) -> int:
        """Return a bit for each place, by number, whose mark was run since this was last asked."""
        found, ran = 0, self._run[:] if self._run else b""
        for is_run, numbers in zip(ran, self._places, strict=False):
            found |= numbers if is_run else 0
        if self._run:
            self._run[:] = bytes(len(self._run))
        return found


def _by_statement_of_module(places: Sequence[Place]) -> list[tuple[ast.stmt, list[tuple[int, Place]]]]:
    found: dict[int, tuple[ast.stmt, list[tuple[int, Place]]]] = {}
    for number, place in enumerate(places):
        found.setdefault(id(place.top), (place.top, []))[1].append((number, place))
    return list(found.values())


class _Marked(ast.NodeTransformer):
    """A tree with a mark before each of these statements, or before the body of a lambda."""

    def __init__(self, marks: dict[ast.AST, int]) -> None:
        self.marks = marks

    def visit(self, node: ast.AST) -> ast.AST | list[ast.AST]:
        mark = self.marks.get(node)
        new = self.generic_visit(node)
        if mark is None:
            return new
        call = ast.Call(ast.Name(MARK, ast.Load()), [ast.Constant(mark)], [])
        if isinstance(new, ast.stmt):
            return [ast.copy_location(ast.Expr(call), new), new]
        both = ast.Tuple([call, cast("ast.expr", new)], ast.Load())
        return ast.copy_location(ast.Subscript(both, ast.Constant(1), ast.Load()), new)
