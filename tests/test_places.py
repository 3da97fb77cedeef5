"""One place at a time is changed: each kind of change, what notices it, and the lists of what changes nothing."""

import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from encounterlog_rulelab.places import Place, living, places_of
from encounterlog_rulelab.search import ListError
from encounterlog_rulelab.trials import NOTICED, UNNOTICED, Outcome, Trial, Witness
from tests.encounterlog.support import environment
from tests.places.listed import listed
from tests.places.rooms import Room, chosen, rooms
from tests.places.search import listed_and_gone
from tests.places.since import UnknownCommit, changed_since

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]

TINY = '''
from functools import cache

from projections.ruleset.ruleset import derives


@derives("tiny.rule")
def grown(age: int) -> bool:
    """Say whether somebody is grown up."""
    return age >= 18


def capped(points: int) -> int:
    if points > 10:
        return 10
    return points


def first(names: list[str]) -> str:
    if not names:
        return ""
    return names[0]


def counted(most: int) -> int:
    found = 0
    while found < most:
        found += 1
    return found


@cache
def doubled(number: int) -> int:
    return number + number


class Purse:
    def __init__(self, coins: int) -> None:
        self.coins = coins

    @property
    def empty(self) -> bool:
        return self.coins == 0

    def asked_by_nobody(self) -> int:
        return self.coins + 1
'''
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


# ---------------------------------------------------------------- what notices a change


def imported(file: Path) -> ModuleType:
    """Return a module that is imported from a file."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    living.cache_clear()
    return module


Said = dict[tuple[str, str], int]
"""What came of each place of a module, by function and change."""


def said(module: ModuleType, *holds: Callable[[], bool]) -> Said:
    """Try each place of a module before these witnesses."""
    return {
        (each.place.function, each.place.change): each.said
        for each in outcomes(places_of(str(module.__file__), "tiny"), *holds)
    }


def outcomes(places: list[Place], *holds: Callable[[], bool]) -> list[Outcome]:
    """Try these places before these witnesses."""
    witnesses = [Witness(str(number), "tiny", (), each) for number, each in enumerate(holds)]
    trial = Trial(places, witnesses, lambda _: frozenset({"tiny"}), lambda _: frozenset())
    trial.measure(1)
    assert all(each.sound for each in witnesses)
    return list(trial.outcomes(1))


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    file = tmp_path_factory.mktemp("tiny") / "tiny.py"
    file.write_text(TINY)
    return imported(file)


@pytest.fixture(scope="module")
def found(tiny: ModuleType) -> Said:
    """Try all places of a tiny module, once for all tests."""
    return said(
        tiny,
        lambda: tiny.capped(12) == 10,
        lambda: tiny.capped(3) == 3,
        lambda: tiny.grown(18),
        lambda: tiny.Purse(0).empty,
        lambda: tiny.doubled(2) == 4,
        lambda: tiny.first([]) == "",
        lambda: tiny.counted(3) == 3,
    )


def test_a_change_that_matters_is_noticed_and_another_is_not(found: Said) -> None:
    assert found["tiny.capped", "if points > 10 is never taken"] == NOTICED
    assert found["tiny.capped", "if points > 10 is always taken"] == NOTICED
    assert found["tiny.capped", "points > 10 becomes points >= 10"] == UNNOTICED
    assert found["tiny.Purse.asked_by_nobody", "1 becomes 2"] == UNNOTICED


def test_a_change_is_made_in_a_function_that_carries_a_rule_in_a_property_and_behind_a_cache(found: Said) -> None:
    assert found["tiny.grown", "age >= 18 becomes age > 18"] == NOTICED
    assert found["tiny.Purse.empty", "self.coins == 0 becomes self.coins != 0"] == NOTICED
    assert found["tiny.doubled", "number + number becomes number"] == NOTICED


TABLES = """
RATES = {
    "low": lambda age: 5 if age > 3 else 0, "high": lambda age: 9 if age > 30 else 7,
    "none": (
        lambda age: age > 65
        and age < 90
    ),
}
PAIR: tuple = (1, lambda one: [each for each in one if each > 1], lambda one: (lambda two: two > one))
KEPT = [lambda: number > 3 for number in range(1)]
"""


def test_a_change_reaches_the_lambdas_in_the_tables_of_a_module(tmp_path: Path) -> None:
    file = tmp_path / "tables.py"
    file.write_text(TABLES)
    rates, pair = (module := imported(file)).RATES, module.PAIR
    found = said(
        module,
        lambda: (rates["low"](3), rates["low"](4)) == (0, 5),
        lambda: rates["none"](70) and not rates["none"](65),
        lambda: pair[1]([1, 2]) == [2] and pair[2](3)(4) and not pair[2](3)(3),
    )
    assert found["tiny.RATES", "age > 3 becomes age >= 3"] == found["tiny.RATES", "5 becomes 6"] == NOTICED
    assert found["tiny.RATES", "age > 65 and age < 90 becomes age < 90"] == NOTICED
    assert found["tiny.RATES", "9 becomes 10"] == found["tiny.RATES", "age < 90 becomes age <= 90"] == UNNOTICED
    assert found["tiny.PAIR", "1 becomes 2"] == found["tiny.PAIR", "two > one becomes two >= one"] == NOTICED
    assert len(found) == 23
    assert (rates["low"](3), rates["high"](1)) == (0, 7)


# ---------------------------------------------------------------- a trial that is broken


def test_places_since_a_commit_are_those_in_functions_that_did_not_stand_there(tmp_path: Path) -> None:
    (file := tmp_path / "tiny.py").write_text(TINY)
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "begins"]):
        subprocess.run([*git, *words], check=True)
    file.write_text(TINY.replace("points > 10", "points > 11").replace("age >= 18", "age  >=  18  # of age"))
    every = [(Room("tiny", {}, (), ()), each) for each in places_of(str(file), "tiny")]
    assert {each.function for _, each in changed_since("HEAD", every, tmp_path)} == {"tiny.capped"}
    (new := tmp_path / "new.py").write_text(TINY)
    every = [(Room("tiny", {}, (), ()), each) for each in places_of(str(new), "new")]
    assert changed_since("HEAD", every, tmp_path) == every
    with pytest.raises(UnknownCommit, match="there is no commit tip"):
        changed_since("tip", every, tmp_path)


# ---------------------------------------------------------------- the search, with tests that are found by pytest

SCRIPT = """
import json
import sys
from pathlib import Path
folder = Path(sys.argv[1])
sys.path.insert(0, str(folder))
import tiny
from tests.places.rooms import Room
from tests.places.search import search
from tests.places.sources import SourceChanged
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
    (folder / "tiny.py").write_text(TINY[: TINY.index("def first")])
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


def test_only_what_survives_is_printed_with_its_place(told: dict[str, list[str]]) -> None:
    assert told["unlisted"] == [
        "tiny: tiny.capped, line 14: if points > 10:",
        "    points > 10 becomes points >= 10: 1 run it and hold",
    ]


def test_a_listed_place_that_is_noticed_or_gone_is_complained_of(told: dict[str, list[str]]) -> None:
    noticing = "test_listed_too_much.py::test_capped"
    assert told["listed_too_much"] == [
        "tiny: tiny.capped, line 14: if points > 10:",
        f"    if points > 10 is never taken: it does not go unnoticed ({noticing} notices it), so take it out of the list",
        "tiny: tiny.capped: if points > 11:",
        "    points > 10 becomes points >= 10: there is no such place, so take it out of the list",
    ]


def test_a_search_during_which_a_file_is_changed_ends_and_says_so(told: dict[str, list[str]]) -> None:
    assert told["edited"] == [
        "fixtures/edited.enc was changed since the search began: what it found holds of neither; search again"
    ]


# ---------------------------------------------------------------- the lists


@pytest.mark.parametrize("room", rooms().values(), ids=rooms())
def test_each_listed_place_is_there(room: Room) -> None:
    """A search complains of the others, but tries one room a commit."""
    assert listed_and_gone(room) == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            SURVIVOR.replace("10 is capped to 10", " "),
            "x.toml, place 1: it needs change, function, line, reason, in words",
        ),
        (SURVIVOR.replace("reason", "because"), "x.toml, place 1: it needs change, function, line, reason, in words"),
        (SURVIVOR + SURVIVOR, "x.toml, place 2: it is listed twice"),
        ("[[place]", "x.toml cannot be read"),
    ],
)
def test_a_list_that_is_not_as_it_should_be_is_refused_with_the_place(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "x.toml").write_text(text)
    with pytest.raises(ListError, match=why):
        listed("x", tmp_path)


# ---------------------------------------------------------------- the command


def test_the_rooms_are_the_rulesets_and_what_they_share_and_every_test_of_theirs_is_there() -> None:
    found = {room.name: room for room in chosen([])}
    assert found.keys() >= {"plain", "osric", "nameless-journey", "semiautomagic", "mechanics", "folds", "judging"}
    assert all(Path(test).is_file() for room in found.values() for test in room.tests)
    assert all(room.modules for room in found.values())
