"""Places: where in a function one change can be made, and the change made in a running process; and marks, by which places a witness runs.

| place | becomes |
|---|---|
| a comparison, each of a chain | `<` `<=`, `>` `>=`, `==` `!=`, `in` `not in`, `is` `is not`: one for the other |
| a whole number n | n + 1 |
| `and`, `or` | the same without one of its operands |
| `a + b`, `a - b` | `a`, and of a sum also `b`; `a += b` and `a -= b` do nothing |
| `if`, `elif`, `while`, `case`, `a if b else c`, an `if` in a comprehension | never taken; all but `while` also always taken |

Sentences (f-strings with their contents, sums of strings) are left alone, since no play looks at them, and so are
annotations.

A place belongs to the outermost function or method around it; a change to a function inside another, such as one that a decorator
makes, reaches those that are in memory already. A lambda in a table of the module belongs to that table. Code that runs while a
module is imported is left out: constants, default values, decorators.

A process that measures runs a copy of each function with places in it, with a mark before each statement that holds one. A mark
costs one call, so that a witness takes nearly the same time with and without, also in threads and forked processes of its own.
"""

import ast
import builtins
import gc
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass
from functools import cache
from inspect import CO_NEWLOCALS
from mmap import mmap
from pathlib import Path
from types import CodeType, FunctionType
from typing import cast

_PAIRS = ((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn), (ast.Is, ast.IsNot))
OTHER: dict[type[ast.cmpop], type[ast.cmpop]] = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
"""The changes of a comparison."""
UNTOUCHED = {"annotation", "returns", "decorator_list", "type_params"}
"""The fields of a node that do not run with its function."""


@dataclass(frozen=True)
class Slot:
    """A node's position in the syntax tree: a field of its parent, or an item of the list there."""

    parent: ast.AST
    field: str
    index: int | None = None

    def get(self) -> ast.AST:
        """Return the node there."""
        found = getattr(self.parent, self.field)
        return cast("ast.AST", found if self.index is None else found[self.index])

    def put(self, new: ast.AST) -> None:
        """Put a node there."""
        if self.index is None:
            setattr(self.parent, self.field, new)
        else:
            getattr(self.parent, self.field)[self.index] = new


At = ast.stmt | ast.expr | ast.pattern
"""A node that has a line."""


@dataclass(frozen=True)
class Change:
    """A change to a syntax tree, in words and as the node that replaces the one in a slot.

    `at` is the node whose line identifies it, `statement` the innermost statement around it; in a lambda, its body.
    """

    says: str
    slot: Slot
    new: ast.AST
    at: At
    statement: ast.stmt | ast.expr


def changes_in(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Iterator[Change]:
    """Yield every change to the body of a function, in the order of the source."""
    for slot in _slots_of(function, ["body"]):
        yield from _changes_inside(slot, cast("ast.stmt | ast.expr", slot.get()))


def _slots_of(node: ast.AST, fields: Iterable[str]) -> Iterator[Slot]:
    for field in fields:
        value = getattr(node, field)
        if isinstance(value, list):
            yield from (Slot(node, field, index) for index, child in enumerate(value) if isinstance(child, ast.AST))
        elif isinstance(value, ast.AST):
            yield Slot(node, field)


def _changes_inside(slot: Slot, statement: ast.stmt | ast.expr) -> Iterator[Change]:
    node = slot.get()
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        return
    statement = node if isinstance(node, ast.stmt) else statement
    for says, where, at, new in (*_changes_of_values(slot, node), *_changes_of_branches(node)):
        ast.fix_missing_locations(ast.copy_location(new, at))
        yield Change(says, where, new, at, statement)
    for inner in _slots_of(node, (field for field in node._fields if field not in UNTOUCHED)):
        yield from _changes_inside(inner, statement)


# ---------------------------------------------------------------- the changes that a node allows

Changed = tuple[str, Slot, At, ast.AST]
"""A change in words, its slot, the node that identifies it, and the new node."""


def _replacement(slot: Slot, old: At, new: ast.AST) -> Changed:
    return f"{ast.unparse(old)} becomes {ast.unparse(new)}", slot, old, new


def _changes_of_values(slot: Slot, node: ast.AST) -> Iterator[Changed]:
    """Yield the changes of an expression, or of an assignment that adds to something."""
    match node:
        case ast.Compare(left, ops, others):
            for index, operator in enumerate(ops):
                changed = [*ops[:index], OTHER[type(operator)](), *ops[index + 1 :]]
                yield _replacement(slot, node, ast.Compare(left, changed, others))
        case ast.Constant(value) if type(value) is int:
            yield _replacement(slot, node, ast.Constant(value + 1))
        case ast.BoolOp(op, values):
            for index in range(len(values)):
                rest = [*values[:index], *values[index + 1 :]]
                yield _replacement(slot, node, ast.BoolOp(op, rest) if len(rest) > 1 else copy(rest[0]))
        case ast.BinOp(left, ast.Add() | ast.Sub() as op, right) if not _is_text(node):
            sides = [left, right] if isinstance(op, ast.Add) else [left]
            yield from (_replacement(slot, node, copy(side)) for side in sides)
        case ast.AugAssign(_, ast.Add() | ast.Sub(), value) if not _is_text(value):
            yield f"{ast.unparse(node)} does nothing", slot, node, ast.Pass()


def _changes_of_branches(node: ast.AST) -> Iterator[Changed]:
    """Yield the changes of what is run under a condition."""
    match node:
        case ast.If(test) | ast.IfExp(test):
            yield from (_branch_taken(Slot(node, "test"), test, always) for always in (False, True))
        case ast.While(test):
            yield _branch_taken(Slot(node, "test"), test, False)
        case ast.comprehension(ifs=tests):
            for index, test in enumerate(tests):
                yield from (_branch_taken(Slot(node, "ifs", index), test, always) for always in (False, True))
        case ast.match_case(pattern, guard):
            slot = Slot(node, "guard")
            yield f"case {ast.unparse(pattern)} is never taken", slot, pattern, ast.Constant(False)
            if guard:
                yield _branch_taken(slot, guard, True)


def _is_text(node: ast.expr) -> bool:
    """Say whether an expression is a text, or a sum of texts."""
    if isinstance(node, ast.BinOp):
        return _is_text(node.left) or _is_text(node.right)
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _branch_taken(slot: Slot, test: ast.expr, always: bool) -> Changed:
    return f"if {ast.unparse(test)} is {'always' if always else 'never'} taken", slot, test, ast.Constant(always)


Function = ast.FunctionDef | ast.AsyncFunctionDef
LAMBDA = "<lambda>"
Codes = dict[tuple[str, int], list[CodeType]]
"""The code of functions by their qualified name and first line: several only if lambdas begin in one line."""


class NotInMemory(Exception):
    """A function that does not run as it stands in its file, so that no change to it can be made."""

    def __init__(self, place: "Place") -> None:
        super().__init__(f"{place.function} does not run as it stands in its file, which was changed or not imported")


@dataclass(frozen=True)
class Place:
    """A place in a function, with the change to it.

    `text` is the source line and `change` the change in words, numbered if it can be made in several equal lines of the
    function. `top` is the statement of the module around it, and `stands` the code of all functions of the file.
    """

    file: str
    function: str
    line: int
    text: str
    change: str
    made: Change
    top: ast.stmt
    stands: Codes

    @property
    def name(self) -> tuple[str, str, str]:
        """The name of a place in a list: function, source line and change, since numbers of lines move."""
        return self.function, self.text, self.change

    def make_change(self) -> bool:
        """Make the change in this process for good, however the function is wrapped, and in what it has made already; say
        whether anything differs. Raise NotInMemory.
        """
        changed = self._compile_with(self.made.new)
        if changed in (None, codes_in(self.file, self.top)):
            return False
        swaps = [*functions_to_swap(self.stands, self._compile_with(self._node_to_put()) or {})]
        if not swaps:
            raise NotInMemory(self)
        for function, code in swaps:
            function.__code__ = code
        empty_caches(self.file)
        return True

    def _compile_with(self, new: ast.AST) -> Codes | None:
        """Return the code of the functions around the place with another node there; None if that is no program."""
        old = self.made.slot.get()
        self.made.slot.put(new)
        try:
            return codes_in(self.file, self.top)
        except SyntaxError:  # `case _` has to be the last one
            return None
        finally:
            self.made.slot.put(old)

    def _node_to_put(self) -> ast.AST:
        """Return the new node so that it still names what the old one does: a function in memory keeps its free variables."""
        new, old = self.made.new, self.made.slot.get()
        if not isinstance(new, ast.expr) or not isinstance(old, ast.expr):
            return new
        nobody = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
        both = ast.Tuple([new, ast.Lambda(nobody, old)], ast.Load())
        return ast.fix_missing_locations(ast.copy_location(ast.Subscript(both, ast.Constant(0), ast.Load()), new))


def codes_in(file: str, source: str | ast.stmt) -> Codes:
    """Return the code of the functions in the text of a file, or in one statement of it."""
    tree = source if isinstance(source, str) else ast.Module([source], [])
    found: Codes = {}
    left = [compile(tree, file, "exec", dont_inherit=True)]
    for code in left:  # which grows
        left += [each for each in code.co_consts if isinstance(each, CodeType)]
        if code.co_flags & CO_NEWLOCALS:  # that of a function, and not of a class
            found.setdefault((code.co_qualname, code.co_firstlineno), []).append(code)
    return found


def functions_to_swap(stands: Codes, new: Codes) -> Iterator[tuple[FunctionType, CodeType]]:
    """Yield the functions in memory that run as they stand in a file, with the new code of each that can have another."""
    for key, codes in new.items():
        for old, code in zip(stands.get(key, ()), codes, strict=False):
            if old != code and old.co_freevars == code.co_freevars:
                running = functions_in_memory()[0].get((old.co_filename, old.co_firstlineno), ())
                yield from ((each, code) for each in running if each.__code__ == old)


def places_of(file: str, module: str) -> list[Place]:
    """Return every place in a file, function by function; `module` is what their names begin with."""
    source = Path(file).read_text("utf-8")
    lines, stands = source.splitlines(), codes_in(file, source)
    found: list[Place] = []
    seen: Counter[tuple[str, str, str]] = Counter()
    for top in ast.parse(source).body:
        for name, function in _functions(top):
            for made in changes_in(function):
                text = lines[made.at.lineno - 1].strip()
                seen[name, text, made.says] += 1
                times = seen[name, text, made.says]
                change = made.says if times == 1 else f"{made.says} ({times})"
                found.append(Place(file, f"{module}.{name}", made.at.lineno, text, change, made, top, stands))
    return found


def _functions(node: ast.stmt, prefix: str = "") -> Iterator[tuple[str, Function | ast.Lambda]]:
    """Yield the outermost functions and methods in a statement by their names, or the lambdas of a table by that of the table."""
    if isinstance(node, Function):
        yield prefix + node.name, node
    elif isinstance(node, ast.ClassDef):
        for each in node.body:
            yield from _functions(each, f"{prefix}{node.name}.") if isinstance(each, Function | ast.ClassDef) else ()
    else:
        targets = getattr(node, "targets", [getattr(node, "target", None)])
        name = next((each.id for each in ast.walk(ast.Tuple(targets)) if isinstance(each, ast.Name)), LAMBDA)
        yield from ((name, each) for each in _outermost_lambdas(node))


def _outermost_lambdas(node: ast.AST) -> Iterator[ast.Lambda]:
    """Yield the lambdas in a node, without those inside another one or in a comprehension, in the order of the source."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Lambda):
            yield child
        elif not isinstance(child, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            yield from _outermost_lambdas(child)


# ---------------------------------------------------------------- what lives in this process


Clear = Callable[[], None]


@cache
def functions_in_memory() -> tuple[dict[tuple[str, int], list[FunctionType]], dict[str, list[Clear]]]:
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


_CACHED = type(functions_in_memory)


def empty_caches(file: str) -> None:
    """Empty the caches of the functions in a file's folder, which may hold results of unchanged code."""
    for clear in functions_in_memory()[1].get(str(Path(file).parent), []):
        clear()


MARK = "__mark__"
"""The name by which a mark is called; a builtin, so that it is known in every module."""


class Marks:
    """The marked copies of the functions with these places, and the marks that were run since the last question."""

    def __init__(self, places: Sequence[Place]) -> None:
        self._places: list[int] = []
        together: dict[int, list[tuple[int, Place]]] = {}
        for number, place in enumerate(places):
            together.setdefault(id(place.top), []).append((number, place))
        self._codes = [(each[0][1].stands, self._marked(each)) for each in together.values()]
        self._run: mmap | None = None

    def _marked(self, places: list[tuple[int, Place]]) -> Codes:
        """Return the code of the functions in a statement of a module that has these places, with a mark at each."""
        held: dict[ast.AST, int] = defaultdict(int)
        for number, place in places:
            held[place.made.statement] |= 1 << number
        copies: dict[int, ast.AST] = {}
        copied = deepcopy(places[0][1].top, copies)
        marks: dict[ast.AST, int] = {}
        for statement, numbers in held.items():
            marks[copies[id(statement)]] = len(self._places)
            self._places.append(numbers)
        _Marked(marks).generic_visit(copied)
        return codes_in(places[0][1].file, ast.fix_missing_locations(copied))

    def put(self) -> None:
        """Let the marked copies run in this process, and in those that it forks, for good."""
        if self._run is None:
            run = self._run = mmap(-1, len(self._places) or 1)  # which a process shares with those that it forks

            def ran(mark: int) -> None:
                run[mark] = 1

            setattr(builtins, MARK, ran)
            for function, code in [swap for codes in self._codes for swap in functions_to_swap(*codes)]:
                function.__code__ = code

    def asked(self) -> int:
        """Return a bit for each place, by number, whose mark was run since this was last asked."""
        found, ran = 0, self._run[:] if self._run else b""
        for is_run, numbers in zip(ran, self._places, strict=False):
            found |= numbers if is_run else 0
        if self._run:
            self._run[:] = bytes(len(self._run))
        return found


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
