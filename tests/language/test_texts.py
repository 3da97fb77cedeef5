"""What the texts of the games name is a sentence of each game, and help shows it."""

import re

import pytest

from encounterlog.ask.typed import page
from projections.rulesets import find
from tests.language.corpus import Line, lines

PHRASES = [each for each in lines() if each.phrase]


@pytest.mark.parametrize("line", PHRASES, ids=lambda line: f"{line.ruleset}: {line.phrase}")
def test_a_phrase_of_a_text_is_in_its_line_and_shown_by_help(line: Line) -> None:
    words = re.findall(r"\w+", line.phrase.casefold())
    said = iter(re.findall(r"\w+", line.line.casefold()))
    assert all(word in said for word in words)
    shown = page(find(line.ruleset), line.help)
    assert not shown[0].startswith("no form")
    assert line.help in "\n".join(shown).casefold()


def test_every_text_is_listed() -> None:
    assert {each.ruleset for each in PHRASES} == {
        "5e", "definition-master", "nameless-journey", "osric", "semiautomagic", "vile-darkness",
    }  # fmt: skip
