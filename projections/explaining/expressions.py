"""A small language over addresses: `ana.hp <= 0 and not (halvaine.casting is none)`.

Comparisons are `= != < <= > >=` and `is none`, `is not none`; they are joined by `and`, `or`, `not` and brackets. An
address or value with blanks is put in double quotes. With a list, `=` tests for membership. Numbers are compared as
numbers; `<` and `>` are false for anything else.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from projections.address import NOTHING
from projections.folds.addresses import derive_value
from projections.open_types import Json
from projections.state import State

LONGEST, DEEPEST = 1000, 50
"""The highest number of characters, and of nested brackets and `not`."""

Holds = Callable[[State], bool]

TOKEN = re.compile(r'\s*(?:(?P<op><=|>=|!=|=|<|>)|(?P<bracket>[()])|"(?P<quoted>[^"]*)"|(?P<word>[^\s()<>=!"]+))')
NUMBER = re.compile(r"-?[0-9]{1,15}")
KEYWORDS = ("and", "or", "not", "is")


class ExpressionError(ValueError):
    """An error in an expression, with its place (from 0)."""

    def __init__(self, place: int, why: str) -> None:
        self.place, self.why = place, why
        super().__init__(f"at character {place + 1}: {why}")


class Expression(NamedTuple):
    """A parsed expression: a predicate of states, and the addresses that it uses."""

    holds: Holds
    addresses: tuple[str, ...]


class _Token(NamedTuple):
    kind: str
    text: str
    place: int

    def is_word(self, word: str) -> bool:
        return self.kind == "word" and self.text.casefold() == word


def read_expression(text: str) -> Expression:
    """Read an expression; raise ExpressionError."""
    if len(text) > LONGEST:
        raise ExpressionError(LONGEST, f"an expression has at most {LONGEST} characters, this one has {len(text)}")
    reader = _Reader(list(_tokenize(text)), len(text))
    holds = reader.read_whole(0)
    if reader.at < len(reader.tokens):
        raise ExpressionError(reader.tokens[reader.at].place, "expected and, or, or the end")
    return Expression(holds, tuple(dict.fromkeys(reader.addresses)))


def _tokenize(text: str) -> Iterator[_Token]:
    place = 0
    while text[place:].strip():
        found = TOKEN.match(text, place)
        if found is None:
            at = place + len(text[place:]) - len(text[place:].lstrip())
            why = "a quotation mark is not closed" if text[at] == '"' else f"{text[at]!r} means nothing here"
            raise ExpressionError(at, why)
        kind = str(found.lastgroup)
        yield _Token(kind, found[kind], found.start(kind))
        place = found.end()


class _Reader:
    """A reader of tokens, by the precedence of the words: or, and, not, comparison."""

    def __init__(self, tokens: list[_Token], length: int) -> None:
        self.tokens, self.at, self.length = tokens, 0, length
        self.addresses: list[str] = []

    def read_whole(self, depth: int) -> Holds:
        """Read an expression."""
        return self._read_joined(depth, "or", lambda each: self._read_joined(each, "and", self._read_term, all), any)

    def _read_joined(
        self, depth: int, word: str, read: Callable[[int], Holds], over: Callable[[Iterator[bool]], bool]
    ) -> Holds:
        parts = [read(depth)]
        while self._skip_word(word):
            parts.append(read(depth))
        return parts[0] if len(parts) == 1 else lambda state: over(part(state) for part in parts)

    def _read_term(self, depth: int) -> Holds:
        if depth >= DEEPEST:
            raise ExpressionError(self._place(), f"nested more than {DEEPEST} deep")
        if self._skip_word("not"):
            inner = self._read_term(depth + 1)
            return lambda state: not inner(state)
        token = self._next_token("an address, not, or a bracket")
        if token.kind != "bracket":
            return self._read_comparison(token)
        if token.text == ")":
            raise ExpressionError(token.place, "nothing stands before this bracket")
        inner = self.read_whole(depth + 1)
        if self._next_token("a closing bracket").text != ")":
            raise ExpressionError(self.tokens[self.at - 1].place, "expected a closing bracket")
        return inner

    def _read_comparison(self, token: _Token) -> Holds:
        if token.kind == "op" or (token.kind == "word" and token.text.casefold() in KEYWORDS):
            raise ExpressionError(token.place, "expected an address such as ana.hp")
        address = token.text
        self.addresses.append(address)
        if self._skip_word("is"):
            wanted = not self._skip_word("not")
            if not self._skip_word("none"):
                raise ExpressionError(self._place(), "expected none, or not none")
            return lambda state: _is_none(_read_address(state, address)) is wanted
        operator = self._next_token("a comparison: = != < <= > >= or is none")
        if operator.kind != "op":
            raise ExpressionError(operator.place, "expected a comparison: = != < <= > >= or is none")
        value = self._next_token("a value")
        if value.kind not in ("word", "quoted"):
            raise ExpressionError(value.place, "expected a value")
        is_number = value.kind == "word" and NUMBER.fullmatch(value.text)
        compare, stated = _COMPARES[operator.text], int(value.text) if is_number else value.text
        if operator.text in _ORDERS and not isinstance(stated, int):
            raise ExpressionError(value.place, f"expected a number after {operator.text}")
        return lambda state: compare(_read_address(state, address), stated)

    def _skip_word(self, word: str) -> bool:
        if self.at < len(self.tokens) and self.tokens[self.at].is_word(word):
            self.at += 1
            return True
        return False

    def _next_token(self, wanted: str) -> _Token:
        if self.at == len(self.tokens):
            raise ExpressionError(self.length, f"expected {wanted}")
        self.at += 1
        return self.tokens[self.at - 1]

    def _place(self) -> int:
        return self.tokens[self.at].place if self.at < len(self.tokens) else self.length


def _read_address(state: State, address: str) -> object:
    found = derive_value(state, address)
    return found.value if found else None


def _is_none(found: object) -> bool:
    return found is None or found == NOTHING or found in ([], ())


def _are_equal(found: object, stated: object) -> bool:
    if stated == NOTHING:
        return _is_none(found)
    if isinstance(found, list | tuple):
        return any(_are_equal(each, stated) for each in found)
    if isinstance(found, bool) or not isinstance(found, int):
        return str(found).casefold() == str(stated).casefold()
    return bool(found == stated)


def _order_comparison(compare: Callable[[int, int], bool]) -> Callable[[Json, Json], bool]:
    return lambda found, stated: type(found) is int and type(stated) is int and compare(found, stated)


_ORDERS = ("<", "<=", ">", ">=")
_COMPARES: dict[str, Callable[[Json, Json], bool]] = {
    "=": _are_equal,
    "!=": lambda found, stated: not _are_equal(found, stated),
    "<": _order_comparison(lambda one, other: one < other),
    "<=": _order_comparison(lambda one, other: one <= other),
    ">": _order_comparison(lambda one, other: one > other),
    ">=": _order_comparison(lambda one, other: one >= other),
}
