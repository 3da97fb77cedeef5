"""Every line of the corpus is read as it says, or asked about."""

import pytest

from projections.language.notation.tokens import NotUnderstood
from tests.language.corpus import Line, at, lines
from tests.language.scenes import meaning


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
