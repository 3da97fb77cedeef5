"""The table in FAULTS.md is the one that the command prints: every fault, none of which failed."""

import re
from pathlib import Path

import pytest

from tests.faults.__main__ import BEGIN, END, enter_all
from tests.faults.campaign import FAULTS, Counts

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "eventstore" / "FAULTS.md").read_text("utf-8")
ROW = re.compile(r"^\| (\d+) \| (.*?) \| .* \| ([^|]*) \|$", re.MULTILINE)


def test_every_fault_stands_in_the_table() -> None:
    enter_all()
    rows = ROW.findall(PAGE[PAGE.index(BEGIN) : PAGE.index(END)])
    assert [(int(number), name) for number, name, _ in rows] == [
        (number, FAULTS[number][0]) for number in sorted(FAULTS)
    ]
    assert sorted(FAULTS) == list(range(1, 95))


def test_the_readme_says_how_many_faults_there_are() -> None:
    enter_all()
    assert f"[{len(FAULTS)} faults](eventstore/FAULTS.md)" in (ROOT / "README.md").read_text("utf-8")


def test_a_row_without_cases_is_never_green() -> None:
    assert Counts().verdict == "not tried here"
    assert Counts(untried="no root").verdict == "not tried here"
    assert Counts(cases=3).verdict == "held"
    assert Counts(cases=3, lost=1).verdict == "FAILED"
    assert Counts(cases=3, wrong=["I5"], inapplicable="no such file").verdict == "FAILED"
