"""Places: where in a function one change can be made, and the change made in a running process.

A place belongs to the outermost function or method around it; a change to a function inside another, such as one that a decorator
makes, reaches those that are in memory already. A lambda in a table of the module belongs to that table. Code that runs while a
module is imported is left out: constants, default values, decorators.
"""

import ast
import gc
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType

from projections.proving.changes import Change, changes_in

Function = ast.FunctionDef | ast.AsyncFunctionDef
LAMBDA = "<lambda>"
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
    function. `top` is the statement of the module around it, `first` the first line of the function and `stands` its code as it
    stands in the file; of lambdas that begin in one line it is number `nth`, else -1.
    """

    file: str
    function: str
    line: int
    text: str
    change: str
    made: Change
    top: ast.stmt
    first: int
    stands: CodeType | None
    nth: int = -1

    @property
    def name(self) -> tuple[str, str, str]:
        """The name of a place in a list: function, source line and change, since numbers of lines move."""
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
            return self.found(self.top)
        finally:
            if new:
                self.made.slot.put(old)

    def found(self, top: ast.stmt) -> CodeType | None:
        """Return the function's code from a copy of the module's statement around it; None if it is not there."""
        module = compile(ast.Module([top], []), self.file, "exec", dont_inherit=True)
        if self.nth >= 0:
            return _lambdas(module)[self.first][self.nth]
        for code in _inside(module):
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
        NotInMemory.
        """
        if not self.functions():
            raise NotInMemory(self)
        code = self.code()
        if code is None:
            return False
        put(self, code, self._compiled(self._keeping()) or code)
        forget(self.file)
        return True

    def functions(self) -> list[FunctionType]:
        """Return the functions in memory that run as this one stands in its file."""
        return [each for each in known().get((self.file, self.first), []) if each.__code__ == self.stands]


def put(place: Place, code: CodeType, keeping: CodeType) -> None:
    """Let other code run in the function of a place, however it is wrapped, and in what it has made already, which needs code that
    keeps its free variables.
    """
    for function in place.functions():
        function.__code__ = code
    for inner in _inside(keeping):
        for function in known().get((place.file, inner.co_firstlineno), []):
            own = function.__code__
            if (own.co_name, own.co_freevars) == (inner.co_name, inner.co_freevars):
                function.__code__ = inner


def _inside(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of the functions with a name that are made while this code runs, the outer before the inner."""
    for each in code.co_consts:
        if isinstance(each, CodeType):
            if each.co_flags & RUNS_AS_FUNCTION and each.co_name[0] != "<":
                yield each
            yield from _inside(each)


def _lambdas(module: CodeType) -> dict[int, list[CodeType]]:
    """Return the lambdas that are made as a module is imported, by the line in which they begin."""
    found: dict[int, list[CodeType]] = {}
    for each in module.co_consts:
        if isinstance(each, CodeType) and each.co_name == LAMBDA:
            found.setdefault(each.co_firstlineno, []).append(each)
    return found


def places_of(file: str, module: str) -> list[Place]:
    """Return every place in a file, function by function; `module` is what their names begin with."""
    source = Path(file).read_text("utf-8")
    lines, compiled = source.splitlines(), compile(source, file, "exec", dont_inherit=True)
    codes = {code.co_firstlineno: code for code in _inside(compiled)}
    found: list[Place] = []
    seen: Counter[tuple[str, str, str]] = Counter()
    for top, name, function, nth in (*_functions(ast.parse(source)), *_in_tables(ast.parse(source))):
        first = min([function.lineno, *(each.lineno for each in getattr(function, "decorator_list", ()))])
        for made in changes_in(function):
            text = lines[made.at.lineno - 1].strip()
            seen[name, text, made.says] += 1
            times = seen[name, text, made.says]
            change = made.says if times == 1 else f"{made.says} ({times})"
            stands = codes.get(first) if nth < 0 else _lambdas(compiled)[first][nth]
            found.append(Place(file, f"{module}.{name}", made.at.lineno, text, change, made, top, first, stands, nth))
    return found


def _in_tables(tree: ast.Module) -> Iterator[tuple[ast.stmt, str, ast.Lambda, int]]:
    """Yield each lambda of the module itself: its statement, the name that this assigns, itself, its number in its line."""
    for top in tree.body:
        if isinstance(top, Function | ast.ClassDef):
            continue
        targets = getattr(top, "targets", [getattr(top, "target", None)])
        name = next((each.id for each in ast.walk(ast.Tuple(targets)) if isinstance(each, ast.Name)), LAMBDA)
        numbers: Counter[int] = Counter()
        for each in _outer(top):
            yield top, name, each, numbers[each.lineno]
            numbers[each.lineno] += 1


def _outer(node: ast.AST) -> Iterator[ast.Lambda]:
    """Yield the lambdas in a node, without those inside another one or in a comprehension, in the order of the source."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Lambda):
            yield child
        elif not isinstance(child, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            yield from _outer(child)


def _functions(tree: ast.Module) -> Iterator[tuple[ast.stmt, str, Function, int]]:
    """Yield each outermost function and method: the module's statement that it stands in, its name, itself, and -1."""

    def inside(
        body: list[ast.stmt], top: ast.stmt | None, prefix: str
    ) -> Iterator[tuple[ast.stmt, str, Function, int]]:
        for node in body:
            if isinstance(node, Function):
                yield top or node, prefix + node.name, node, -1
            elif isinstance(node, ast.ClassDef):
                yield from inside(node.body, top or node, f"{prefix}{node.name}.")

    yield from inside(tree.body, None, "")


# ---------------------------------------------------------------- what lives in this process


Clear = Callable[[], None]


@cache
def living() -> tuple[dict[tuple[str, int], list[FunctionType]], dict[str, list[Clear]]]:
    """Return the functions and methods in memory by the file and line in which they begin, and what clears the caches of
    functions by the folders of these.
    """
    functions: dict[tuple[str, int], list[FunctionType]] = {}
    caches: dict[str, list[Clear]] = {}
    for each in gc.get_objects():
        kind = type(each)
        if kind is FunctionType and (each.__name__[0] != "<" or each.__name__ == LAMBDA):
            functions.setdefault((each.__code__.co_filename, each.__code__.co_firstlineno), []).append(each)
        elif kind is _CACHED and isinstance(inner := each.__wrapped__, FunctionType):
            caches.setdefault(str(Path(inner.__code__.co_filename).parent), []).append(each.cache_clear)
    return functions, caches


_CACHED = type(living)


def known() -> dict[tuple[str, int], list[FunctionType]]:
    """Return the functions and methods in memory by the file and line in which they begin."""
    return living()[0]


def forget(file: str) -> None:
    """Empty the caches of the functions in a file's folder, which may hold results of unchanged code."""
    for clear in living()[1].get(str(Path(file).parent), []):
        clear()
