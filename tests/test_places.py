"""One place at a time is changed: each kind of change, what notices it, and the lists of what changes nothing."""

import importlib.util
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from encounterlog.log import opening
from encounterlog_rulelab import places as place
from encounterlog_rulelab import trials
from encounterlog_rulelab.places import Place, living, places_of
from encounterlog_rulelab.search import ListError
from encounterlog_rulelab.trials import BROKEN, NOTICED, SAME, UNNOTICED, Outcome, Trial, Witness
from projections import rulesets
from tests.encounterlog.support import environment, spawn
from tests.places import listed as lists
from tests.places.children import forked
from tests.places.listed import listed
from tests.places.rooms import Room, UnknownRoom, chosen, rooms
from tests.places.search import listed_and_gone
from tests.places.since import UnknownCommit, changed_since
from tests.places.sources import SourceChanged, Sources

pytestmark = pytest.mark.full

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
    assert pytestconfig.option.whole


def test_grown() -> None:
    assert tiny.grown(18) and not tiny.grown(17)


def test_capped() -> None:
    assert tiny.capped(11) == 10
    assert tiny.capped(3) == 3
"""


def test_equal_changes_of_equal_lines_are_numbered(tmp_path: Path) -> None:
    file = tmp_path / "twice.py"
    file.write_text("def f(a):\n    a = a + 1\n    a = a + 1\n    return a\n")
    names = [place.name for place in places_of(str(file), "twice")]
    assert names[2] == ("twice.f", "a = a + 1", "1 becomes 2")
    assert names[5] == ("twice.f", "a = a + 1", "1 becomes 2 (2)")
    assert len(set(names)) == len(names)


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


DECORATING = """
def at_least(least):
    def mark(function):
        def looks(number):
            return function(number) if number >= least else 0
        return looks
    return mark


@at_least(3)
def kept(number):
    return number
"""


def test_a_change_reaches_what_a_decorator_has_made(tmp_path: Path) -> None:
    file = tmp_path / "decorating.py"
    file.write_text(DECORATING)
    module = imported(file)
    found = said(module, lambda: (module.kept(2), module.kept(3)) == (0, 3))
    assert found["tiny.at_least", "number >= least becomes number > least"] == NOTICED
    assert found["tiny.at_least", "if number >= least is always taken"] == NOTICED


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
    assert found == {
        ("tiny.RATES", "if age > 3 is never taken"): NOTICED,
        ("tiny.RATES", "if age > 3 is always taken"): NOTICED,
        ("tiny.RATES", "age > 3 becomes age >= 3"): NOTICED,
        ("tiny.RATES", "3 becomes 4"): NOTICED,
        ("tiny.RATES", "5 becomes 6"): NOTICED,
        ("tiny.RATES", "0 becomes 1"): NOTICED,
        ("tiny.RATES", "if age > 30 is never taken"): UNNOTICED,
        ("tiny.RATES", "if age > 30 is always taken"): UNNOTICED,
        ("tiny.RATES", "age > 30 becomes age >= 30"): UNNOTICED,
        ("tiny.RATES", "30 becomes 31"): UNNOTICED,
        ("tiny.RATES", "9 becomes 10"): UNNOTICED,
        ("tiny.RATES", "7 becomes 8"): UNNOTICED,
        ("tiny.RATES", "age > 65 and age < 90 becomes age < 90"): NOTICED,
        ("tiny.RATES", "age > 65 and age < 90 becomes age > 65"): UNNOTICED,
        ("tiny.RATES", "age > 65 becomes age >= 65"): NOTICED,
        ("tiny.RATES", "65 becomes 66"): UNNOTICED,
        ("tiny.RATES", "age < 90 becomes age <= 90"): UNNOTICED,
        ("tiny.RATES", "90 becomes 91"): UNNOTICED,
        ("tiny.PAIR", "if each > 1 is never taken"): NOTICED,
        ("tiny.PAIR", "if each > 1 is always taken"): NOTICED,
        ("tiny.PAIR", "each > 1 becomes each >= 1"): NOTICED,
        ("tiny.PAIR", "1 becomes 2"): NOTICED,
        ("tiny.PAIR", "two > one becomes two >= one"): NOTICED,
    }
    assert (rates["low"](3), rates["high"](1)) == (0, 7)


def test_who_crashes_and_who_does_not_come_to_an_end_has_noticed(found: Said) -> None:
    assert found["tiny.first", "if not names is never taken"] == NOTICED
    assert found["tiny.counted", "found += 1 does nothing"] == NOTICED


def test_who_waits_for_what_does_not_come_has_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "PATIENCE", 0.5)
    (tmp_path / "tiny.py").write_text("def late(hour):\n    return hour > 20\n")
    tiny, waits = imported(tmp_path / "tiny.py"), threading.Event()
    found = said(tiny, lambda: tiny.late(21) or waits.wait())
    assert found["tiny.late", "20 becomes 21"] == NOTICED


def test_who_was_only_slow_is_asked_again_with_more_patience(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "PATIENCE", 0.5)
    (tmp_path / "tiny.py").write_text("def late(hour):\n    return hour > 20\n")
    tiny, busy = imported(tmp_path / "tiny.py"), tmp_path / "busy"

    def holds() -> bool:
        if busy.exists():  # once
            busy.unlink()
            threading.Event().wait()
        return bool(tiny.late(23))

    places = [each for each in places_of(str(tiny.__file__), "tiny") if each.change == "20 becomes 21"]
    trial = Trial(places, [Witness("slow", "tiny", (), holds)], lambda _: frozenset({"tiny"}), lambda _: frozenset())
    trial.measure(1)
    busy.touch()
    for outcomes, said, late in ((trial.outcomes(1), NOTICED, True), (trial.again(places), UNNOTICED, False)):
        assert [(each.said, each.late, each.last) for each in outcomes] == [(said, late, "slow")]


def test_so_many_witnesses_are_asked_as_there_are_seconds_for_the_quick_ones_first(tmp_path: Path) -> None:
    (tmp_path / "tiny.py").write_text("def late(hour):\n    return hour > 20\n")
    tiny = imported(tmp_path / "tiny.py")
    places = [each for each in places_of(str(tiny.__file__), "tiny") if each.change == "20 becomes 21"]
    slow = Witness("slow", "tiny", (), lambda: bool(tiny.late(21)))
    quick = Witness("quick", "tiny", (), lambda: bool(tiny.late(23)))
    for seconds, said, asked, last in ((9, UNNOTICED, 1, "quick"), (10, NOTICED, 2, "slow")):
        trial = Trial(places, [slow, quick], lambda _: frozenset({"tiny"}), lambda _: frozenset(), seconds)
        trial.measure(1)
        slow.seconds, quick.seconds = 9, 1
        assert [(each.said, each.reached_by, each.asked, each.last) for each in trial.outcomes(1)] == [
            (said, 2, asked, last)
        ]


def test_what_runs_in_a_process_of_the_application_is_marked_and_changed_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tiny.py").write_text("def late(hour):\n    return hour > 20\n")
    tiny = imported(tmp_path / "tiny.py")
    known = rulesets.find
    monkeypatch.setattr(opening, "find", lambda key: known("plain" if tiny.late(21) else key))
    places = [each for each in places_of(str(tiny.__file__), "tiny") if each.change == "20 becomes 21"]

    def holds() -> bool:
        told = spawn("rules", "no such ruleset")
        return told.returncode == 0 and told.stderr == b"" and told.stdout == spawn("rules", "plain").stdout

    witness = Witness("rules", "tiny", (), holds)
    trial = Trial(places, [witness], lambda _: frozenset({"tiny"}), lambda _: frozenset())
    with forked():
        trial.measure(1)
        assert (witness.sound, witness.runs) == (True, 1)
        assert [each.said for each in trial.outcomes(1)] == [NOTICED]


def test_nothing_of_a_trial_is_left_behind(tiny: ModuleType, found: Said) -> None:
    assert NOTICED in found.values()
    assert (tiny.grown(18), tiny.grown(17), tiny.doubled(2), tiny.capped(11)) == (True, False, 4, 10)


def test_a_change_that_is_no_change_is_neither_noticed_nor_a_survivor(tmp_path: Path) -> None:
    (tmp_path / "tiny.py").write_text("def same(a):\n    if True:\n        return a\n")
    assert said(imported(tmp_path / "tiny.py"))["tiny.same", "if True is always taken"] == SAME


# ---------------------------------------------------------------- a trial that is broken


def test_a_function_whose_file_was_edited_since_it_was_imported_is_not_taken_for_noticed(tmp_path: Path) -> None:
    file = tmp_path / "tiny.py"
    file.write_text("def late(hour):\n    return hour > 20\n")
    tiny = imported(file)
    places = places_of(str(file), "tiny")
    file.write_text("\n" + file.read_text())
    assert {each.said for each in outcomes(places, lambda: tiny.late(21) and not tiny.late(20))} == {NOTICED}
    for edited in (file.read_text(), file.read_text().lstrip().replace("20", "21")):
        file.write_text(edited)
        found = outcomes(places_of(str(file), "tiny"), lambda: tiny.late(21))
        assert {each.said for each in found} == {BROKEN}
        assert found[0].error.startswith("NotInMemory: tiny.late does not run as it stands in its file")


def test_an_error_of_the_search_itself_is_not_taken_for_noticed(
    tiny: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_file: str) -> None:
        raise LookupError("no such\nfolder")

    monkeypatch.setattr(place, "forget", fails)
    found = outcomes(places_of(str(tiny.__file__), "tiny"), lambda: tiny.capped(3) == 3)
    assert {each.said for each in found} == {BROKEN}
    assert found[0].error.startswith("LookupError: no such folder (test_places.py, line ")


@pytest.mark.parametrize("code", [0, 1, 2, 70])
def test_a_process_that_ends_by_itself_has_not_noticed(tmp_path: Path, code: int) -> None:
    (tmp_path / "tiny.py").write_text("def code(number):\n    return number != 5\n")
    tiny = imported(tmp_path / "tiny.py")
    found = outcomes(places_of(str(tiny.__file__), "tiny"), lambda: tiny.code(4) or os._exit(code))
    assert [(each.said, each.error) for each in found] == [
        (BROKEN, f"its process ended with {code}"),
        (UNNOTICED, ""),
    ]


def test_who_exits_has_noticed(tmp_path: Path) -> None:
    (tmp_path / "tiny.py").write_text("def code(number):\n    return number != 5\n")
    tiny = imported(tmp_path / "tiny.py")
    found = outcomes(places_of(str(tiny.__file__), "tiny"), lambda: tiny.code(4) or sys.exit(0))
    assert [each.said for each in found] == [NOTICED, UNNOTICED]


@pytest.mark.parametrize("change", ["edited", "added", "removed"])
def test_a_file_that_is_changed_while_the_search_runs_is_named(tmp_path: Path, change: str) -> None:
    file = tmp_path / "projections" / "time.py"
    file.parent.mkdir()
    if change != "added":
        file.write_text("ROUND = 1\n")
    files = Sources(tmp_path)
    files.stay()
    if change == "removed":
        file.unlink()
    else:
        file.write_text("ROUND = 10\n")
    with pytest.raises(SourceChanged, match=r"projections/time\.py was changed since the search began"):
        files.stay()


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
for name, sample in json.loads(sys.argv[2]).items():
    room = Room("tiny", {"tiny": tiny.__file__}, (), (str(folder / name / f"test_{name}.py"),))
    told[name] = []
    try:
        search([room], told[name].append, sample=sample, seed=5, lists=folder / name, root=folder / name)
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
IDLE = TESTS.replace("tiny.capped(11) == 10", "True").replace("tiny.capped(3) == 3", "True")
EDITING = (
    TESTS
    + """

def test_editing() -> None:
    with (Path(__file__).parent / "fixtures" / "edited.enc").open("a") as file:
        file.write("A line more.\\n")
"""
)
WRONG = TESTS + "\n\ndef test_wrong() -> None:\n    assert tiny.capped(1) == 2\n"


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Tell of a tiny room with several tests, which pytest finds, and several lists; in one process of its own."""
    folder = tmp_path_factory.mktemp("searched")
    (folder / "tiny.py").write_text(TINY[: TINY.index("def first")])
    cases: dict[str, tuple[str, str, int | None]] = {
        "unlisted": (TESTS, "", None),
        "idle": (IDLE, "", None),
        "listed": (TESTS, SURVIVOR, None),
        "listed_too_much": (TESTS, SURVIVOR + NOT_SURVIVING + GONE, None),
        "wrong": (WRONG, "", None),
        "edited": (EDITING, "", None),
        "sampled": ("", "", 4),
        "sampled_again": ("", "", 4),
    }
    for name, (tests, excused, _) in cases.items():
        (folder / name / "fixtures").mkdir(parents=True)
        (folder / name / f"test_{name}.py").write_text(tests)
        (folder / name / "tiny.toml").write_text(excused)
    samples = json.dumps({name: sample for name, (_, _, sample) in cases.items()})
    command = [sys.executable, "-c", SCRIPT, str(folder), samples]
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, list[str]] = json.loads(done.stdout)
    return {name: [line for each in lines for line in each.splitlines()] for name, lines in found.items()}


def test_only_what_survives_is_printed_with_its_place(told: dict[str, list[str]]) -> None:
    assert told["unlisted"] == [
        "tiny: tiny.capped, line 14: if points > 10:",
        "    points > 10 becomes points >= 10: 1 run it and hold",
    ]


def test_a_place_that_nothing_runs_is_said_to_be_one(told: dict[str, list[str]]) -> None:
    assert "    if points > 10 is never taken: nothing runs it" in told["idle"]


def test_nothing_is_printed_of_what_is_listed_with_a_reason(told: dict[str, list[str]]) -> None:
    assert told["listed"] == []


def test_a_listed_place_that_is_noticed_or_gone_is_complained_of(told: dict[str, list[str]]) -> None:
    noticing = "test_listed_too_much.py::test_capped"
    assert told["listed_too_much"] == [
        "tiny: tiny.capped, line 14: if points > 10:",
        f"    if points > 10 is never taken: it does not go unnoticed ({noticing} notices it), so take it out of the list",
        "tiny: tiny.capped: if points > 11:",
        "    points > 10 becomes points >= 10: there is no such place, so take it out of the list",
    ]


def test_a_test_that_fails_anyway_is_named(told: dict[str, list[str]]) -> None:
    assert told["wrong"][0].endswith("test_wrong.py::test_wrong does not hold, and notices nothing")


def test_a_search_during_which_a_file_is_changed_ends_and_says_so(told: dict[str, list[str]]) -> None:
    assert told["edited"] == [
        "fixtures/edited.enc was changed since the search began: what it found holds of neither; search again"
    ]


def test_a_sample_is_a_part_and_the_same_for_the_same_seed(told: dict[str, list[str]]) -> None:
    assert len(told["sampled"]) == 2 * 4
    assert told["sampled"] == told["sampled_again"]


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


def test_every_list_can_be_read_and_belongs_to_a_room() -> None:
    names = {room.name for room in chosen([])}
    for path in lists.EQUIVALENT.glob("*.toml"):
        assert path.stem in names
        listed(path.stem)


# ---------------------------------------------------------------- the command


def test_the_rooms_are_the_rulesets_and_what_they_share_and_every_test_of_theirs_is_there() -> None:
    found = {room.name: room for room in chosen([])}
    assert found.keys() >= {"plain", "osric", "nameless-journey", "semiautomagic", "mechanics", "folds", "judging"}
    assert all(Path(test).is_file() for room in found.values() for test in room.tests)
    assert all(room.modules for room in found.values())


def test_a_word_names_a_room_or_a_module_of_one() -> None:
    assert [(room.name, list(room.modules)) for room in chosen(["plain.order"])] == [("plain", ["order"])]
    with pytest.raises(UnknownRoom, match=r"no room or module plain\.odrer"):
        chosen(["plain.odrer"])


def test_the_command_prints_survivors_alone_and_says_by_its_exit_code_whether_there_are_any() -> None:
    words = ("tests.unnoticed", "--places", "plain", "--sample", "2", "--seed", "1")
    command = [sys.executable, "-m", *words]
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1 if done.stdout else 0, "")
