"""The quarrels of docs/disputes.md are played as they are printed: each command in this process, and its output compared."""

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

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


Part = dict[str, Any]


def asked(log: str, *question: str) -> list[Part]:
    """Ask why; return the parts of the answers that have reasons of their own, none if nothing is there to ask about."""
    done = encounter("why", log, *question, "--json")
    found = json.loads(done.stdout)["answers"] if done.stdout else []
    return [part for one in found for part in (one["hindrances"] + one["values"] if one["kind"] == "turn" else [one])]


def content(part: Part) -> Part:
    """Return what a part of an answer is about, without its reasons; of a finding only what was expected and found."""
    said = part.get("finding", part)
    fields = (
        "kind",
        "address",
        "value",
        "first",
        "together",
        "who",
        "what",
        "rule",
        "event",
        "severity",
        "expected",
        "found",
    )
    places = [(one["segment"], one["phase"], one["key"]) for one in part.get("places", ())]
    return {field: said[field] for field in fields if field in said} | {"places": places}


def facts_of(part: Part, *of: str) -> set[int]:
    """Return the facts that decide, alone or together, or were only looked at."""
    weighed = part["weighed"] | {"together": [seq for unit in part["weighed"]["together"] for seq in unit]}
    return {seq for name in of for seq in weighed[name]}


@pytest.mark.parametrize("quarrel", QUARRELS)
def test_what_is_shown_as_deciding_decides_when_it_is_struck(quarrel: str) -> None:
    struck = looked_at = 0
    for command, _ in (step for block in BLOCK.findall(QUARRELS[quarrel]) for step in steps(block)):
        given(command)
        if not command.startswith("encounter why") or "--as-of" in command:
            continue
        log, *question = command.removesuffix(" --short").split()[2:]
        for part in asked(log, *question):
            assert not part["weighed"]["untried"]
            assert part["weighed"]["decides"], (command, part)
            for seq in facts_of(part, "decides", "looked_at"):
                shutil.copy(log, "struck.jsonl")
                assert encounter("strike", "struck.jsonl", seq, "--with-consequences").exit_code == 0
                others = asked("struck.jsonl", *question)
                stays = content(part) in map(content, others)
                if seq in facts_of(part, "decides"):
                    assert not stays, (command, seq)
                else:
                    assert stays or not others, (command, seq)  # one who has not joined cannot be asked about
                struck, looked_at = struck + 1, looked_at + stays
    assert struck > looked_at


def test_each_system_has_its_quarrel_and_the_readme_leads_there() -> None:
    told = re.findall(r"^> ruleset (\S+)$", TEXT, re.MULTILINE)
    assert sorted(told) == sorted(set(RULESETS) - {"plain"})
    assert len(told) == len(QUARRELS)
    assert f"]({DISPUTES})" in README
