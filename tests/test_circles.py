"""The application hangs together in one direction, imports inside functions counted, and only what is at a terminal prints."""

import re
import subprocess
import sys

from tests.circles import arrows, circles, imports, own, printing, room_of
from tests.encounterlog.support import environment
from tests.late_imports import saving_nothing
from tests.trees import ROOT

ORDER = (
    "places", "words", "ruleset_tools", "log", "signing", "lineups", "importers", "ask", "exporters", "bulk", "schemas", "service", "mcp", "cli",
)  # fmt: skip
"""The folders of the application, low to high; each imports only what stands before it. The modules beside them belong to no folder."""
AT_A_TERMINAL = frozenset({"cli"})
CODES = "cli.failures"
"""Where a kind of error becomes an exit code."""


def test_folders_of_the_application_import_only_those_below_them() -> None:
    found = arrows(rooms=True)
    assert found.keys() - {""} <= set(ORDER)
    back = [
        f"{each.of} imports {each.what}"
        for each in imports()
        if (target := own(each.what)) is not None
        and room_of(each.of) in ORDER
        and room_of(target) in ORDER
        and ORDER.index(room_of(target)) > ORDER.index(room_of(each.of))
    ]
    assert back == []


def test_no_file_of_the_application_imports_another_in_a_circle() -> None:
    assert circles(arrows()) == []


def test_each_import_inside_a_function_loads_what_its_file_does_without_until_then() -> None:
    assert saving_nothing() == []


def test_circles_are_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a", "e"}, "e": {"d"}, "f": {"f"}}) == [
        ["a", "b", "c"],
        ["d", "e"],
    ]


def test_only_what_is_at_a_terminal_prints_and_knows_exit_codes() -> None:
    assert {room_of(module) or module for module in printing()} <= AT_A_TERMINAL
    knowing = {each.of for each in imports() if own(each.what) == CODES}
    assert {room_of(module) or module for module in knowing} <= AT_A_TERMINAL


def test_a_line_that_is_typed_goes_down_from_folder_to_folder() -> None:
    command = [sys.executable, "-m", "tests.ways", "add"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env=environment())
    steps = re.findall(r"^    (\w+) > ((\w+)\.\S+) +(\S+)$", done.stdout, re.MULTILINE)
    up = {f"{module} {function}" for caller, module, room, function in steps if ORDER.index(room) > ORDER.index(caller)}
    assert len(steps) > 10, done.stdout
    assert up == set()
