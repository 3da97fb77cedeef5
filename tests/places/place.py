"""Places: where in a function one change can be made, and the change made in a running process.

A place belongs to the outermost function or method around it; a change to a function inside another, such as what a decorator
makes, reaches those that are in memory already. Not looked at is what runs while a module is imported:
constants, default values, decorators, functions without a name outside of others.
"""

import ast
import gc
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from tests.places.changes import Change, changes_in

Function = ast.FunctionDef | ast.AsyncFunctionDef
RUNS_AS_FUNCTION = 2
"""The flag of code that has variables of its own: a function's, not a class's."""


class NotInMemory(Exception):
    """A function that does not run as it stands in its file, so that no change to it can be made."""

    def __init__(self, place: "Place") -> None:
        super().__init__(f"{place.function} does not run as it stands in its file, which was changed or not imported")


@dataclass(frozen=True)
class Place:
    """A place in a function, with the change to it.

    `text` is the source line and `change` the change in words, numbered if it can be made in several equal lines of the
    function. `lines` has a bit for each line that a play has to run to notice anything; `top` is the statement of the
    module around it, `first` the first line of the function and `stands` its code as it stands in the file.
    """

    file: str
    function: str
    line: int
    text: str
    change: str
    lines: int
    made: Change
    top: ast.stmt
    first: int
    stands: CodeType | None

    @property
    def name(self) -> tuple[str, str, str]:
        """What a place is called in a list: numbers of lines move, so function, source line and change."""
        return self.function, self.text, self.change

    def code(self) -> CodeType | None:
        """Return the function's code with the change made; None if it is no different, or no program."""
        before = self._compiled()
        try:
            after = self._compiled(self.made.new)
        except SyntaxError:  # `case _` has to be the last one
            return None
        return None if after == before else after

    def _compiled(self, new: ast.AST | None = None) -> CodeType | None:
        old = self.made.slot.put(new) if new else None
        try:
            return self._found()
        finally:
            if new:
                self.made.slot.put(old)

    def _found(self) -> CodeType | None:
        for code in _inside(compile(ast.Module([self.top], []), self.file, "exec", dont_inherit=True)):
            if code.co_firstlineno == self.first:
                return code
        return None

    def _keeping(self) -> ast.AST:
        """Return the new node so that it still names what the old one does: a function in memory keeps its free variables."""
        new, old = self.made.new, self.made.slot.get()
        if not isinstance(new, ast.expr) or not isinstance(old, ast.expr):
            return new
        nobody = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
        both = ast.Tuple([new, ast.Lambda(nobody, old)], ast.Load())
        return ast.fix_missing_locations(ast.copy_location(ast.Subscript(both, ast.Constant(0), ast.Load()), new))

    def make(self) -> bool:
        """Make the change in this process for good, however the function is wrapped; say whether anything differs. Raise
        NotInMemory."""
        functions = known().get((self.file, self.first), [])
        if not functions or functions[0].__code__ != self.stands:
            raise NotInMemory(self)
        code = self.code()
        if code is None:
            return False
        for function in functions:
            function.__code__ = code
        for inner in _inside(self._compiled(self._keeping()) or code):
            for function in known().get((self.file, inner.co_firstlineno), []):
                if function.__code__.co_freevars == inner.co_freevars:
                    function.__code__ = inner
        forget(self.file)
        return True


def _inside(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of the functions with a name that are made while this code runs, the outer before the inner."""
    for each in code.co_consts:
        if isinstance(each, CodeType):
            if each.co_flags & RUNS_AS_FUNCTION and each.co_name[0] != "<":
                yield each
            yield from _inside(each)


def places_of(file: str, module: str) -> list[Place]:
    """Return every place in a file, function by function; `module` is what their names begin with."""
    source = Path(file).read_text("utf-8")
    lines = source.splitlines()
    codes = {code.co_firstlineno: code for code in _inside(compile(source, file, "exec", dont_inherit=True))}
    found: list[Place] = []
    for top, name, function in _functions(ast.parse(source)):
        first = min([function.lineno, *(each.lineno for each in function.decorator_list)])
        seen: Counter[tuple[str, str]] = Counter()
        for made in changes_in(function):
            text = lines[made.at.lineno - 1].strip()
            seen[text, made.says] += 1
            times = seen[text, made.says]
            change = made.says if times == 1 else f"{made.says} ({times})"
            reached, stands = _reached(made), codes.get(first)
            found.append(
                Place(file, f"{module}.{name}", made.at.lineno, text, change, reached, made, top, first, stands)
            )
    return found


def _functions(tree: ast.Module) -> Iterator[tuple[ast.stmt, str, Function]]:
    """Yield each outermost function and method: the module's statement that it stands in, its name and itself."""

    def inside(body: list[ast.stmt], top: ast.stmt | None, prefix: str) -> Iterator[tuple[ast.stmt, str, Function]]:
        for node in body:
            if isinstance(node, Function):
                yield top or node, prefix + node.name, node
            elif isinstance(node, ast.ClassDef):
                yield from inside(node.body, top or node, f"{prefix}{node.name}.")

    yield from inside(tree.body, None, "")


def _reached(made: Change) -> int:
    """Return a bit for each line of a change, and of its statement up to the body if it has one."""
    statement: Any = made.statement
    inner = getattr(statement, "cases", None) or getattr(statement, "body", None)
    body = getattr(inner[0], "pattern", inner[0]) if inner else None
    last = max(statement.lineno, body.lineno - 1) if body else statement.end_lineno
    own = () if made.at is statement else range(made.at.lineno, made.at.end_lineno + 1)
    return sum(1 << line for line in {*range(statement.lineno, last + 1), *own})


# ---------------------------------------------------------------- what lives in this process


@cache
def known() -> dict[tuple[str, int], list[FunctionType]]:
    """Return the functions and methods in memory by the file and line in which they begin."""
    found: dict[tuple[str, int], list[FunctionType]] = {}
    for each in gc.get_objects():
        if type(each) is FunctionType and each.__name__[0] != "<":
            found.setdefault((each.__code__.co_filename, each.__code__.co_firstlineno), []).append(each)
    return found


def forget(file: str) -> None:
    """Empty the caches of the functions in the folder of a file, which may hold what came of unchanged code."""
    for clear in caches().get(str(Path(file).parent), []):
        clear()


@cache
def caches() -> dict[str, list[Callable[[], None]]]:
    """Return what clears the caches in memory, by the folder of the function that is cached."""
    found: dict[str, list[Callable[[], None]]] = {}
    for each in gc.get_objects():
        if type(each) is type(known):
            inner: Any = each.__wrapped__
            if isinstance(inner, FunctionType):
                found.setdefault(str(Path(inner.__code__.co_filename).parent), []).append(each.cache_clear)
    return found
