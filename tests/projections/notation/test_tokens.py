"""Tokens: how a line is divided into words, quoted texts and JSON, where each stands, and how a word is written as one."""

import pytest

from projections.language.notation.several_tokens import format_plain
from projections.language.notation.tokens import NotUnderstood, Token, split, suggestion, word
from tests.tables import for_each


@for_each(("line", "tokens"), [
    ("", []),
    ("  b   o ", [Token("b", 2, 3), Token("o", 6, 7)]),
    ("b - 6", [Token("b", 0, 1), Token("-6", 2, 5)]),
    ("- d6:4", [Token("-d6:4", 0, 6)]),
    ("b - x", [Token("b", 0, 1), Token("-", 2, 3), Token("x", 4, 5)]),
    ('"-" 6', [Token("-", 0, 3, quoted=True), Token("6", 4, 5)]),
    ('- "6"', [Token("-", 0, 1), Token("6", 2, 5, quoted=True)]),
    ("b — 6", [Token("b", 0, 1), Token("—", 2, 3), Token("6", 4, 5)]),
    ("b —6", [Token("b", 0, 1), Token("-6", 2, 4)]),
    ("a—6", [Token("a—6", 0, 3)]),
    ("“”", [Token("", 0, 2, quoted=True)]),
    ("b “a b” c", [Token("b", 0, 1), Token("a b", 2, 7, quoted=True), Token("c", 8, 9)]),
    ("'a b' c", [Token("a b", 0, 5, quoted=True), Token("c", 6, 7)]),
    ('b {"a": 1} c', [Token("b", 0, 1), Token('{"a": 1}', 2, 10), Token("c", 11, 12)]),
    ('x=["a b"] c', [Token('x=["a b"]', 0, 9), Token("c", 10, 11)]),
    ('x="a b"', [Token('x="a b"', 0, 7)]),
    ("x=“a b” c", [Token('x="a b"', 0, 7), Token("c", 8, 9)]),
    ('a"b c', [Token('a"b', 0, 3), Token("c", 4, 5)]),
    ("a“b c", [Token("a“b", 0, 3), Token("c", 4, 5)]),
])  # fmt: skip
def test_a_line_is_divided_into_tokens_that_know_their_places(line: str, tokens: list[Token]) -> None:
    assert split(line) == tokens


@pytest.mark.parametrize(("line", "column", "what"), [
    ("b “no end", 3, "quotation"), ('b "no end', 3, "quotation"), ('b {"a": ', 3, "JSON"), ("b x=“no end", 5, "quotation"),
])  # fmt: skip
def test_what_is_not_closed_is_told_where_it_begins(line: str, column: int, what: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        split(line)
    assert (caught.value.column, caught.value.why) == (column, f"the {what} that begins here is not complete")


@pytest.mark.parametrize("unseen", ["\x1b[2J", "\x7f", "\x9b", "\u202e", "\u200b", "\U000e0041"])
def test_characters_that_are_not_seen_are_written_as_escapes_and_read_back(unseen: str) -> None:
    for shown in (word(f"Örk{unseen}"), format_plain(f"Örk{unseen}"), format_plain([f"Örk{unseen}"])):
        assert shown.isprintable()
        assert "Örk" in shown
    (token,) = split(word(f"Örk{unseen}"))
    assert token.text == f"Örk{unseen}"


@pytest.mark.parametrize(
    ("text", "token"),
    [("web", "web"), ("wall of fire", "wall_of_fire"), ("a_b", '"a_b"'), ("3", '"3"'), ("a,b", '"a,b"'), ("", '""')],
)
def test_a_word_is_written_bare_where_it_is_read_back_so(text: str, token: str) -> None:
    assert word(text) == token
    assert word(text, quoted=True) == f'"{text}"'


@pytest.mark.parametrize("text", ["‘no", "no’"])
def test_a_word_with_a_mark_of_typography_gets_a_hint_on_quotation_marks(text: str) -> None:
    assert "double quotation marks" in suggestion(text, ["no"])


@pytest.mark.parametrize("text", ["g“oblin", "gobli“n", "goblin"])
def test_a_word_with_such_a_mark_inside_is_a_mistyped_one(text: str) -> None:
    assert suggestion(text, ["goblin"]) == "did you mean goblin?"


def test_of_several_sorts_of_words_the_nearest_is_suggested_with_its_sort() -> None:
    assert suggestion("atack", ["tack", "orc"], ["attack", "attach"]) == "did you mean attack or attach?"
    assert suggestion("tac", ["tack", "orc"], ["attack", "attach"]) == "did you mean tack?"
    assert suggestion("zzz", ["tack"], ["attack"]) == ""
    assert suggestion("zzz") == ""
