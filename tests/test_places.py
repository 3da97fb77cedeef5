"""One place at a time is changed: each kind of change, what notices it, and the lists of what changes nothing."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from encounterlog_rulelab.search import ListError
from tests.encounterlog.support import environment
from tests.tools.places.listed import listed
from tests.tools.places.rooms import Room, chosen, rooms
from tests.tools.places.search import listed_and_gone

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]

TINY = """
from projections.ruleset.ruleset import derives


@derives("tiny.rule")
def grown(age: int) -> bool:
    return age >= 18


def capped(points: int) -> int:
    if points > 10:
        return 10
    return points
"""
TESTS = """
from pathlib import Path

import pytest
import tiny


def test_nothing_is_left_out_of_a_sample(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.getoption("--hypothesis-profile") == "long"


def test_grown() -> None:
    assert tiny.grown(18) and not tiny.grown(17)


def test_capped() -> None:
    assert tiny.capped(11) == 10
    assert tiny.capped(3) == 3
"""


# ---------------------------------------------------------------- the search, with tests that are found by pytest

SCRIPT = """
import json
import sys
from pathlib import Path
folder = Path(sys.argv[1])
sys.path.insert(0, str(folder))
import tiny
from tests.tools.places.rooms import Room
from tests.tools.places.search import search
from tests.tools.places.sources import SourceChanged
told = {}
for name in sys.argv[2:]:
    room = Room("tiny", {"tiny": tiny.__file__}, (), (str(folder / name / f"test_{name}.py"),))
    told[name] = []
    try:
        search([room], told[name].append, lists=folder / name, root=folder / name)
    except SourceChanged as error:
        told[name].append(str(error))
print(json.dumps(told))
"""
SURVIVOR = """\
[[place]]
function = "tiny.capped"
line = "if points > 10:"
change = "points > 10 becomes points >= 10"
reason = "10 is capped to 10"
"""
NOT_SURVIVING = SURVIVOR.replace("points > 10 becomes points >= 10", "if points > 10 is never taken")
GONE = SURVIVOR.replace("points > 10:", "points > 11:")
EDITING = (
    TESTS
    + """

def test_editing() -> None:
    with (Path(__file__).parent / "fixtures" / "edited.enc").open("a") as file:
        file.write("A line more.\\n")
"""
)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Tell of a tiny room with several tests, which pytest finds, and several lists; in one process of its own."""
    folder = tmp_path_factory.mktemp("searched")
    (folder / "tiny.py").write_text(TINY)
    cases = {
        "unlisted": (TESTS, ""),
        "listed_too_much": (TESTS, SURVIVOR + NOT_SURVIVING + GONE),
        "edited": (EDITING, ""),
    }
    for name, (tests, excused) in cases.items():
        (folder / name / "fixtures").mkdir(parents=True)
        (folder / name / f"test_{name}.py").write_text(tests)
        (folder / name / "tiny.toml").write_text(excused)
    command = [sys.executable, "-c", SCRIPT, str(folder), *cases]
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, list[str]] = json.loads(done.stdout)
    return {name: [line for each in lines for line in each.splitlines()] for name, lines in found.items()}


def test_a_search_prints_what_survives_and_complains_of_wrong_lists(told: dict[str, list[str]]) -> None:
    assert told["unlisted"] == [
        "tiny: tiny.capped, line 11: if points > 10:",
        "    points > 10 becomes points >= 10: 1 run it and hold",
    ]
    noticing = "test_listed_too_much.py::test_capped"
    assert told["listed_too_much"] == [
        "tiny: tiny.capped, line 11: if points > 10:",
        f"    if points > 10 is never taken: it does not go unnoticed ({noticing} notices it), so take it out of the list",
        "tiny: tiny.capped: if points > 11:",
        "    points > 10 becomes points >= 10: there is no such place, so take it out of the list",
    ]
    assert told["edited"] == [
        "fixtures/edited.enc was changed since the search began: what it found holds of neither; search again"
    ]


# ---------------------------------------------------------------- the lists


@pytest.mark.parametrize("room", rooms().values(), ids=rooms())
def test_each_listed_place_is_there(room: Room) -> None:
    """A search complains of the others, but tries one room a commit."""
    assert listed_and_gone(room) == []


@pytest.mark.parametrize(("text", "why"), [
    (SURVIVOR.replace("10 is capped to 10", " "), "x.toml, place 1: it needs change, function, line, reason, in words"),
    (SURVIVOR.replace("reason", "because"), "x.toml, place 1: it needs change, function, line, reason, in words"),
    (SURVIVOR + SURVIVOR, "x.toml, place 2: it is listed twice"),
    ("[[place]", "x.toml cannot be read"),
])  # fmt: skip
def test_a_list_that_is_not_as_it_should_be_is_refused(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "x.toml").write_text(text)
    with pytest.raises(ListError, match=why):
        listed("x", tmp_path)


# ---------------------------------------------------------------- the command


def test_the_rooms_are_the_rulesets_and_what_they_share_with_tests() -> None:
    found = {room.name: room for room in chosen([])}
    assert found.keys() >= {"plain", "osric", "nameless-journey", "semiautomagic", "mechanics", "folds", "judging"}
    assert all(Path(test).is_file() for room in found.values() for test in room.tests)
    assert all(room.modules for room in found.values())
