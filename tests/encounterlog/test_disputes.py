"""The quarrels of docs/disputes.md are played as they are printed: each command in this process, and its output compared."""

import re
import shlex
from pathlib import Path

import pytest

from projections.rulesets import RULESETS
from tests.encounterlog.support import encounter
from tests.sessions import BLOCK, DISPUTES, NARROW, README, ROOT, steps

TEXT = (ROOT / DISPUTES).read_text("utf-8")
QUARRELS = {part.partition("\n")[0]: part for part in re.split(r"^## ", TEXT, flags=re.MULTILINE)[1:]}
HERE = re.compile(r"(?P<line>.+?) <<'END'\n(?P<text>.*)END", re.DOTALL)
"""A command with its standard input below it."""


def given(command: str) -> str:
    """Run a command of the page, which writes a file or is `encounter`; return all that it prints."""
    here = HERE.fullmatch(command)
    line, text = (here["line"], here["text"]) if here else (command, "")
    verb, *words = shlex.split(line)
    if verb == "cat":
        Path(words[-1]).write_text(text, "utf-8")
        return ""
    assert verb == "encounter"
    return encounter(*words, stdin=text, **NARROW).output


@pytest.mark.parametrize("quarrel", QUARRELS)
def test_a_quarrel_is_settled_as_it_is_printed(quarrel: str) -> None:
    for command, printed in (step for block in BLOCK.findall(QUARRELS[quarrel]) for step in steps(block)):
        assert given(command) == printed, command


def test_each_system_has_its_quarrel_and_the_readme_leads_there() -> None:
    told = re.findall(r"^> ruleset (\S+)$", TEXT, re.MULTILINE)
    assert sorted(told) == sorted(set(RULESETS) - {"plain"})
    assert len(told) == len(QUARRELS)
    assert f"]({DISPUTES})" in README
