"""Tokens: dice in every shape that tools and people write, numbers in words, names with numbers, what belongs together."""

import pytest

from projections.reader.tokens import Token, tokens


def numbers(line: str) -> list[tuple[int, int | None]]:
    """Return the numbers of a line, each with what its die showed."""
    return [(each.number.value, each.number.die) for each in tokens(line) if each.number]


def texts(line: str) -> list[str]:
    """Return the tokens of a line as they are compared."""
    return [each.text for each in tokens(line)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("d20+5:17", (17, 12)),
        ("1d20 (13) + 5 = 18", (18, 13)),
        ("1d20+5 = 18", (18, 13)),
        ("2d4=7", (7, None)),
        ("14+4", (18, 14)),
        ("13+1 = 14", (14, 13)),
        ("x2 = 10", (10, None)),
        ("10 halved 5", (5, None)),
        ("9 minus 3 armour = 6", (6, None)),
        ("twenty-two", (22, None)),
        ("a hundred and five", (105, None)),
        ("-6", (-6, None)),
    ],
)
def test_a_number_is_what_it_comes_to_however_it_is_written(line: str, expected: tuple[int, int | None]) -> None:
    assert numbers(line) == [expected]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("GO2 hits", ["go", "2", "hits"]),
        ("Mira's turn", ["mira", "'s", "turn"]),
        ("what's up", ["what", "is", "up"]),
        ("*Lyra waves*", ["lyra", "waves"]),
        ("two-handed sword", ["two-handed", "sword"]),
        ("saves vs. spells", ["saves", "vs", "spells"]),
        ("elspeth - 13", ["elspeth", "-", "13"]),
        ("-poisoned bo", ["not", "poisoned", "bo"]),
    ],
)
def test_a_line_is_divided_where_its_words_end(line: str, expected: list[str]) -> None:
    assert texts(line) == expected


def test_a_range_and_a_square_are_one_token_each() -> None:
    assert [(each.kind, each.values) for each in tokens("hobs 1-3 at 4,5")] == [
        ("word", ()), ("range", (1, 2, 3)), ("word", ()), ("square", (4, 5)),
    ]  # fmt: skip


def test_every_character_of_a_line_without_blanks_is_in_a_token() -> None:
    line = "Pip: 18 → GO1, «hits»; 7!"
    assert all(isinstance(each, Token) and each.typed in line[each.start : each.end] for each in tokens(line))
