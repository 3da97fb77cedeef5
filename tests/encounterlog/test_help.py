"""`help` at the table: ten lines that a first evening needs, and an answer for every word of the grammar."""

import re
from collections.abc import Iterator

import pytest

from encounterlog.ask import typed as page
from projections.judging.known_words import known
from projections.language.notation import forms
from projections.rulesets import RULESETS, find
from tests.projections.grammar import answer, table

SYSTEMS = tuple(RULESETS)


def words_of(key: str) -> Iterator[str]:
    """Yield every word that stands anywhere in the tables of forms, and those that the game knows."""
    for form in forms.of(find(key).rules).form:
        yield from re.findall(r"\S+", " ".join((form.name, form.says, form.example, *form.patterns)))
        yield from re.findall(r"[^\W\d_]+", " ".join((form.name, form.says, form.example, *form.patterns)))
    yield from known(find(key).rules).kinds | known(find(key).rules).conditions
    yield from (name for topic in page.TOPICS for name in topic.split())


@pytest.mark.in_turn(7)
@pytest.mark.slow
@pytest.mark.parametrize("key", SYSTEMS)
def test_help_of_every_word_in_the_tables_answers_with_lines_that_have_it(key: str) -> None:
    for word in dict.fromkeys(words_of(key)):
        lines = page.format_help(find(key), word)
        assert lines, word
        assert not lines[0].startswith("no form"), word


@pytest.mark.parametrize("word", ["casts", "falls", "loses"])
def test_a_verb_leads_to_the_sentences_that_have_it(word: str) -> None:
    assert "Sentences" in page.format_help(find("plain"), word)


@pytest.mark.parametrize("key", SYSTEMS)
def test_help_begins_with_ten_lines_that_can_be_typed(key: str) -> None:
    at, lines = table(key), page.format_help(find(key))
    assert lines[10] == ""
    for line, (typed, says) in zip(lines[:10], filter(any, forms.of(find(key).rules).evening.values()), strict=True):
        assert line.split() == [*typed.split(), *says.split()]
        assert len(line) < 80
        assert answer(at, typed)[1] is None, typed
        at.hear(typed)


@pytest.mark.parametrize("key", SYSTEMS)
def test_help_has_the_example_of_every_form_and_explains_all(key: str) -> None:
    short, full = ("\n".join(page.format_help(find(key), words)) for words in ("", "all"))
    for form in forms.of(find(key).rules).form:
        assert form.example in short, form.name
        assert form.example in full, form.name
        assert form.says.split()[-1] in full
    assert short.count("\n") < 50


def test_what_is_typed_comes_first_and_unknown_words_get_the_nearest() -> None:
    rules = find("osric")
    assert page.format_help(rules, "d")[1].split()[:4] == ["d", "m", "web", "3"]
    assert "prone is a condition." in " ".join(" ".join(page.format_help(rules, "prone")).split())
    assert "charge is a kind of action of this game." in " ".join(page.format_help(rules, "charge"))
    assert "has the word surprize; did you mean surprise or surprised" in page.format_help(rules, "surprize")[0]
    assert page.format_help(rules, "\x1b[2J")[0].startswith("no form of notation has the word \\x1b[2J")
