"""Every line of the corpus is read as it says, or asked about."""

import pytest

from projections.language.notation.tokens import NotUnderstood
from tests.language.corpus import Line, at, evenings, lines
from tests.language.scenes import facts_of, meaning, table


@pytest.mark.parametrize("line", lines(), ids=lambda line: f"{line.ruleset}: {line.line}")
def test_a_line_of_the_corpus_means_its_facts_or_is_asked_about(line: Line) -> None:
    assert (meaning(at(line.ruleset, line.before), line.line) or []) == line.meaning
    assert line.asked is not bool(line.meaning)


@pytest.mark.parametrize(
    "line", [each for each in lines() if each.asked], ids=lambda line: f"{line.ruleset}: {line.line}"
)
def test_a_line_that_is_asked_about_is_no_notation_either(line: Line) -> None:
    try:
        told = at(line.ruleset, line.before).tell(line.line)
    except NotUnderstood:
        return
    assert told.facts == ()


@pytest.mark.parametrize("name", evenings())
def test_an_evening_is_recorded_as_it_was_meant_and_the_rest_is_asked_about(name: str) -> None:
    told = table(evenings()[name][0].ruleset, ())
    for line in evenings()[name]:
        try:
            facts = facts_of(told.hear(line.line))
        except NotUnderstood:
            facts = []
            for each in line.then:
                told.hear(each)
        assert facts == line.meaning, line.line
        assert line.asked is not bool(line.meaning)
