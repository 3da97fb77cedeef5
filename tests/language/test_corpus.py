"""Every line of the corpus is read as it says, or asked about."""

from collections.abc import Sequence

import pytest

from projections.language.notation.tokens import NotUnderstood
from tests.language.corpus import Line, at, evenings, in_parts, lines
from tests.language.scenes import facts_of, meaning, table


@in_parts(lines())
def test_every_line_of_the_corpus_means_its_facts_or_is_asked_about(part: Sequence[Line]) -> None:
    wrong: list[str] = []
    for line in part:
        found = meaning(at(line.ruleset, line.before), line.line) or []
        if found != line.meaning:
            wrong.append(f"{line.line}: means {found}, not {line.meaning}")
        if line.asked is bool(line.meaning):
            wrong.append(f"{line.line}: is listed with a meaning and as asked about, or with neither")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", evenings())
def test_an_evening_is_recorded_as_meant_and_the_rest_is_asked_about(name: str) -> None:
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
