"""The kinds of changes that can be made to one place in a function.

| place | becomes |
|---|---|
| a comparison, each of a chain | `<` `<=`, `>` `>=`, `==` `!=`, `in` `not in`, `is` `is not`: one for the other |
| a whole number n | n + 1 |
| `and`, `or` | the same without one of its operands |
| `a + b`, `a - b` | `a`, and of a sum also `b`; `a += b` and `a -= b` do nothing |
| `if`, `elif`, `while`, `case`, `a if b else c`, an `if` in a comprehension | never taken; all but `while` also always taken |

Sentences (f-strings with their contents, sums of strings) are left alone, since no play looks at them, and so are
annotations.
"""

import ast
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass
from typing import Any

OTHER: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
"""The changes of a comparison."""
UNTOUCHED = {"annotation", "returns", "decorator_list", "type_params"}
"""The fields of a node that do not run with its function."""


@dataclass(frozen=True)
class Slot:
    """A node's position in the syntax tree: a field of its parent, or an item of the list there."""

    parent: ast.AST
    field: str
    index: int | None = None

    def get(self) -> object:
        """Return the node there."""
        found = getattr(self.parent, self.field)
        return found if self.index is None else found[self.index]

    def put(self, new: object) -> object:
        """Put a node there, and return the one that it replaces."""
        if self.index is None:
            old = getattr(self.parent, self.field)
            setattr(self.parent, self.field, new)
            return old
        items = getattr(self.parent, self.field)
        old, items[self.index] = items[self.index], new
        return old


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
    if isinstance(function, ast.Lambda):
        yield from _inside(Slot(function, "body"), function.body, function.body)
        return
    for index, statement in enumerate(function.body):
        yield from _inside(Slot(function, "body", index), statement, statement)


def _inside(slot: Slot, node: ast.AST, statement: ast.stmt | ast.expr) -> Iterator[Change]:
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        return
    statement = node if isinstance(node, ast.stmt) else statement
    for says, where, at, new in KINDS[type(node)](slot, node) if type(node) in KINDS else ():
        ast.fix_missing_locations(ast.copy_location(new, at))
        yield Change(says, where, new, at, statement)
    for field, value in ast.iter_fields(node):
        if field in UNTOUCHED:
            continue
        if isinstance(value, list):
            for index, child in enumerate(value):
                if isinstance(child, ast.AST):
                    yield from _inside(Slot(node, field, index), child, statement)
        elif isinstance(value, ast.AST):
            yield from _inside(Slot(node, field), value, statement)


# ---------------------------------------------------------------- each kind

Changed = tuple[str, Slot, At, ast.AST]
"""A change in words, its slot, the node that identifies it, and the new node."""


def _becomes(slot: Slot, old: At, new: ast.AST) -> Changed:
    return f"{ast.unparse(old)} becomes {ast.unparse(new)}", slot, old, new


def _comparison(slot: Slot, node: ast.Compare) -> Iterator[Changed]:
    for index, operator in enumerate(node.ops):
        ops = [*node.ops[:index], OTHER[type(operator)](), *node.ops[index + 1 :]]
        yield _becomes(slot, node, ast.Compare(node.left, ops, node.comparators))


def _number(slot: Slot, node: ast.Constant) -> Iterator[Changed]:
    if type(node.value) is int:
        yield _becomes(slot, node, ast.Constant(node.value + 1))


def _operand(slot: Slot, node: ast.BoolOp) -> Iterator[Changed]:
    for index in range(len(node.values)):
        left = [*node.values[:index], *node.values[index + 1 :]]
        yield _becomes(slot, node, ast.BoolOp(node.op, left) if len(left) > 1 else copy(left[0]))


def _term(slot: Slot, node: ast.BinOp) -> Iterator[Changed]:
    if isinstance(node.op, ast.Add | ast.Sub) and not _is_text(node):
        yield _becomes(slot, node, copy(node.left))
        if isinstance(node.op, ast.Add):
            yield _becomes(slot, node, copy(node.right))


def _step(slot: Slot, node: ast.AugAssign) -> Iterator[Changed]:
    if isinstance(node.op, ast.Add | ast.Sub) and not _is_text(node.value):
        yield f"{ast.unparse(node)} does nothing", slot, node, ast.Pass()


def _is_text(node: ast.expr) -> bool:
    """Say whether an expression is a text, or a sum of texts."""
    if isinstance(node, ast.BinOp):
        return _is_text(node.left) or _is_text(node.right)
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _branch(_slot: Slot, node: ast.If | ast.IfExp) -> Iterator[Changed]:
    yield _taken(Slot(node, "test"), node.test, False)
    yield _taken(Slot(node, "test"), node.test, True)


def _loop(_slot: Slot, node: ast.While) -> Iterator[Changed]:
    yield _taken(Slot(node, "test"), node.test, False)


def _filter(_slot: Slot, node: ast.comprehension) -> Iterator[Changed]:
    for index, test in enumerate(node.ifs):
        yield _taken(Slot(node, "ifs", index), test, False)
        yield _taken(Slot(node, "ifs", index), test, True)


def _case(_slot: Slot, node: ast.match_case) -> Iterator[Changed]:
    slot = Slot(node, "guard")
    yield f"case {ast.unparse(node.pattern)} is never taken", slot, node.pattern, ast.Constant(False)
    if node.guard:
        yield _taken(slot, node.guard, True)


def _taken(slot: Slot, test: ast.expr, always: bool) -> Changed:
    return f"if {ast.unparse(test)} is {'always' if always else 'never'} taken", slot, test, ast.Constant(always)


KINDS: dict[type[ast.AST], Callable[[Slot, Any], Iterator[Changed]]] = {
    ast.Compare: _comparison,
    ast.Constant: _number,
    ast.BoolOp: _operand,
    ast.BinOp: _term,
    ast.AugAssign: _step,
    ast.If: _branch,
    ast.IfExp: _branch,
    ast.While: _loop,
    ast.comprehension: _filter,
    ast.match_case: _case,
}
"""The changes that a node allows, by its type."""
