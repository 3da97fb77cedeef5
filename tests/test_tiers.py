"""The two tiers of tests: which tests each way to call pytest runs, and that none is lost between them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.few import few

pytestmark = pytest.mark.full
ROOT = Path(__file__).parents[1]
FILES = {
    "test_mixed.py": """
import pytest
from tests.few import few

def test_quick(): pass

@pytest.mark.full
def test_slow(): pass

@few(2, "number", range(4))
def test_some(number): pass

@pytest.mark.in_turn(2)
@few(1, "number", range(4))
def test_turn(number): pass
""",
    "test_slow.py": """
import pytest
pytestmark = pytest.mark.full
def test_all(): pass
""",
    "test_lacking.py": """
import pytest
import duckdb.that_is_not_there
pytestmark = pytest.mark.full
""",
}
FIRST = {"test_quick", "test_some[0]", "test_some[2]", "test_turn[0]"}
SECOND = {"test_slow", "test_some[1]", "test_some[3]", "test_turn[1]", "test_turn[3]", "test_all"}
OTHERS = {"test_turn[2]"}
"""Those of the second tier that are run at another turn."""


def ran(folder: Path, *words: str) -> tuple[set[str], str]:
    """Return the tests that pytest runs with these words, and all that it prints."""
    (folder / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text("utf-8"))
    for name, text in FILES.items():
        (folder / name).write_text(text)
    there = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'cli'}"}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:schemathesis", "-vrs", *words]
    told = subprocess.run(command, cwd=folder, env=there, capture_output=True, text=True, check=False).stdout
    return {line.split("::")[1].split(" ")[0] for line in told.splitlines() if " PASSED" in line}, told


@pytest.mark.parametrize(
    ("words", "runs"),
    [
        ((), FIRST),
        (("-m", "full"), SECOND),
        (("-m", "full", "--turn", "5"), SECOND - {"test_turn[1]", "test_turn[3]"} | OTHERS),
        (("-m", "full", "--whole"), SECOND | OTHERS),
        (("test_mixed.py",), (FIRST | SECOND | OTHERS) - {"test_all"}),
        (("-k", "test_turn"), {"test_turn[0]", "test_turn[1]", "test_turn[3]"} | OTHERS),
        (("-n", "2"), FIRST),
    ],
)
def test_each_way_to_call_pytest_runs_its_tier(tmp_path: Path, words: tuple[str, ...], runs: set[str]) -> None:
    found, told = ran(tmp_path, *words)
    if "-n" in words:
        assert f"{len(runs)} passed" in told
    else:
        assert found == runs
    read = words[:1] in (("-m",), ("-k",), ("--whole",))
    assert ("duckdb is not installed: pip install '.[test-full]'" in told) == read


def test_a_few_rows_are_of_the_first_tier_and_keep_what_they_are_marked_with() -> None:
    rows = [pytest.param(1, marks=pytest.mark.sampled, id="one"), 2, 3]
    marks = [[mark.name for mark in row.marks] for row in few(1, "number", rows).mark.args[1]]
    assert marks == [["sampled"], ["full"], ["full"]]
