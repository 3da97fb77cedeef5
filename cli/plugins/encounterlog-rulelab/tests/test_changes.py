"""What can be changed at a place in a function, and what is no place."""

import ast

import pytest

from encounterlog_rulelab.places import changes_in


def changes(*body: str) -> list[str]:
    """Return in words what can be changed in a function."""
    function = ast.parse("def f():\n" + "".join(f"    {line}\n" for line in body)).body[0]
    assert isinstance(function, ast.FunctionDef)
    return [change.says for change in changes_in(function)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("return a < b", ["a < b becomes a <= b"]),
        ("return a <= b", ["a <= b becomes a < b"]),
        ("return a > b", ["a > b becomes a >= b"]),
        ("return a >= b", ["a >= b becomes a > b"]),
        ("return a == b", ["a == b becomes a != b"]),
        ("return a != b", ["a != b becomes a == b"]),
        ("return a in b", ["a in b becomes a not in b"]),
        ("return a not in b", ["a not in b becomes a in b"]),
        ("return a is b", ["a is b becomes a is not b"]),
        ("return a is not b", ["a is not b becomes a is b"]),
        ("return a < b <= c", ["a < b <= c becomes a <= b <= c", "a < b <= c becomes a < b < c"]),
        ("return 7", ["7 becomes 8"]),
        ("return a and b", ["a and b becomes b", "a and b becomes a"]),
        ("return a or b or c", [f"a or b or c becomes {left}" for left in ("b or c", "a or c", "a or b")]),
        ("return a + b", ["a + b becomes a", "a + b becomes b"]),
        ("return a - b", ["a - b becomes a"]),
        ("a += b", ["a += b does nothing"]),
        ("a -= b", ["a -= b does nothing"]),
        ("if a: b()", ["if a is never taken", "if a is always taken"]),
        ("while a: b()", ["if a is never taken"]),
        ("return b if a else c", ["if a is never taken", "if a is always taken"]),
        ("return [b for b in c if a]", ["if a is never taken", "if a is always taken"]),
        ("return lambda: a < b", ["a < b becomes a <= b"]),
    ],
)
def test_a_place_of_each_kind_and_what_it_becomes(line: str, expected: list[str]) -> None:
    assert changes(line) == expected


def test_each_case_is_a_branch() -> None:
    found = changes("match a:", "    case str() if b:", "        c()", "    case _:", "        d()")
    assert found == ["case str() is never taken", "if b is always taken", "case _ is never taken"]


@pytest.mark.parametrize(
    "line",
    [
        '"""A sentence of 7."""',
        "return f\"{a} segment{'' if a == 1 else 's'}\"",
        'return "a" + b',
        "a: Literal[1]",
        "return True",
    ],
)
def test_what_only_words_a_sentence_is_no_place_nor_is_an_annotation(line: str) -> None:
    assert changes(line) == []
