"""What the texts of the games name is a sentence of each game, and help shows it."""

import re

import pytest

from encounterlog.ask.typed import format_help
from projections.rulesets import find
from tests.language.corpus import Line, lines

PHRASES = [each for each in lines() if each.phrase]


TEXTS = ("5e", "definition-master", "nameless-journey", "osric", "semiautomagic", "vile-darkness")


@pytest.mark.parametrize("ruleset", TEXTS)
def test_each_phrase_of_a_text_is_in_its_line_and_shown_by_help(ruleset: str) -> None:
    lines_of_it = [each for each in PHRASES if each.ruleset == ruleset]
    assert lines_of_it
    assert [each.phrase for each in lines_of_it if not (_is_in_its_line(each) and _is_shown_by_help(each))] == []


def _is_in_its_line(line: Line) -> bool:
    said = iter(re.findall(r"\w+", line.line.casefold()))
    return all(word in said for word in re.findall(r"\w+", line.phrase.casefold()))


def _is_shown_by_help(line: Line) -> bool:
    shown = format_help(find(line.ruleset), line.help)
    return not shown[0].startswith("no form") and line.help in "\n".join(shown).casefold()
