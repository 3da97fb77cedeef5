"""The rooms whose functions are changed: every ruleset's folder, and the folders that all rulesets share.

To add a room: a line in `SHARED`. What looks at a ruleset's folder are its own plays and the test that is called after it; at a
shared folder the plays of all rulesets, and the tests in `tests/projections` that are called after the room or a module of it;
at the store all tests in `tests/eventstore`. Others are named in `MORE_TESTS`. All of them have to be quick, and to
come out the same each time.
"""

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from encounterlog_rulelab.search import modules_in
from projections.rulesets import find, keys, package_of

SHARED = {
    "mechanics": "projections.mechanics",
    "ruleset": "projections.ruleset",
    "stream": "projections.stream",
    "folds": "projections.folds",
    "scheduling": "projections.scheduling",
    "replay": "projections.replay",
    "judging": "projections.judging",
    "notation": "projections.language.notation",
    "eventstore": "eventstore",
}
"""The packages that are no ruleset's, by the names of their rooms."""
WITHOUT_PLAYS = frozenset({"notation", "eventstore"})
"""The rooms that plays pass by: those of our rulebooks are written in JSON, and know nothing of files."""
MORE_TESTS = {
    **dict.fromkeys(keys(), ("projections/test_moves.py",)),
    "5e": (
        "projections/test_moves.py",
        "projections/test_sheets_as_said.py",
        "projections/notation/test_fifth_edition.py",
        "lawful/test_fifth_edition.py",
    ),
    "mechanics": ("projections/test_implied_causes.py",),
    "stream": (
        "projections/test_clock.py",
        "projections/test_corrected_stream.py",
        "projections/test_consequences.py",
        "projections/test_forgotten.py",
        "projections/test_implied_causes.py",
        "projections/test_time.py",
    ),
    "replay": (
        "projections/test_consequences.py",
        "projections/test_plain.py",
        "projections/test_values.py",
        "projections/test_time.py",
        "projections/test_steps.py",
    ),
    "folds": (
        "projections/test_moves.py",
        "projections/test_plain.py",
        "projections/test_values.py",
        "projections/test_time.py",
        "projections/test_steps.py",
        "projections/test_budget.py",
    ),
    "scheduling": (
        "projections/test_order.py",
        "projections/test_steps.py",
        "projections/test_plain.py",
        "projections/notation/test_secrecy.py",
    ),
    "judging": (
        "projections/test_plain.py",
        "projections/test_values.py",
        "projections/test_vitals.py",
        "projections/test_effects.py",
        "projections/test_clock.py",
    ),
    "notation": ("encounterlog/test_scripts.py", "test_keystrokes.py"),
    "eventstore": (
        "encounterlog/test_postgresql.py",
        "faults/test_crashes.py",
        "faults/test_disks.py",
        "faults/test_hands.py",
        "faults/test_limits.py",
        "encounterlog/test_bad_facts.py",
        "encounterlog/test_bad_logs.py",
        "encounterlog/test_export.py",
        "encounterlog/test_repair.py",
        "encounterlog/test_verify.py",
        "encounterlog/test_versions.py",
    ),
}
"""Tests that look at a room and are not called after it or its modules."""
TESTS = Path(__file__).parents[2]


class UnknownRoom(Exception):
    """A word that names no room and no module of one; the message says what there is."""

    def __init__(self, word: str, known: list[str]) -> None:
        super().__init__(
            f"there is no room or module {word}; rooms are {', '.join(known)}, modules osric.order and so on"
        )


@dataclass(frozen=True)
class Room:
    """A folder whose functions are changed: its modules by name, the rulesets whose plays look at it, and its tests."""

    name: str
    modules: dict[str, str]
    rulesets: tuple[str, ...]
    tests: tuple[str, ...]
    whole: bool = True

    def only(self, module: str) -> "Room":
        """Return the room with one of its modules."""
        return Room(self.name, {module: self.modules[module]}, self.rulesets, self.tests, whole=False)


def rooms() -> dict[str, Room]:
    """Return all rooms by name."""
    return {
        **{
            key: Room(key, modules_in(Path(find(key).rules).parent), (key,), _tests(key, "projections"))
            for key in keys()
        },
        **{name: _shared(name, package) for name, package in SHARED.items()},
    }


def _shared(name: str, among: str) -> Room:
    modules, folder = package(among), among.partition(".")[0]
    own = tuple(str(file) for file in sorted((TESTS / folder).glob("test_*.py"))) if folder == name else ()
    called = _tests(name, folder, *(() if own else modules))
    return Room(name, modules, () if name in WITHOUT_PLAYS else keys(), (*own, *called))


def chosen(words: list[str]) -> list[Room]:
    """Return the rooms that words name, whole or one module of them; all if there are none. Raise UnknownRoom."""
    known = rooms()
    return [_chosen(word, known) for word in words] or list(known.values())


def _chosen(word: str, known: dict[str, Room]) -> Room:
    room, _, module = word.partition(".")
    if room not in known or (module and module not in known[room].modules):
        raise UnknownRoom(word, list(known))
    return known[room].only(module) if module else known[room]


def package(name: str) -> dict[str, str]:
    """Return the files of the modules of a package, by their names; all are imported for it."""
    found = import_module(name)
    for each in walk_packages(found.__path__, f"{name}."):
        import_module(each.name)
    return modules_in(Path(found.__path__[0]))


def _tests(room: str, beside: str, *modules: str) -> tuple[str, ...]:
    """Return the tests in a folder that are called after a room or a module of it, and those that are named for it."""
    called = [package_of(name.rpartition(".")[2]) for name in (room, *modules)]
    folders = (TESTS / beside, TESTS / beside / package_of(room))
    named = [folder / f"test_{name}.py" for folder in folders for name in called]
    more = [TESTS / name for name in MORE_TESTS.get(room, ())]
    return tuple(dict.fromkeys(str(file) for file in (*filter(Path.is_file, named), *more)))
