"""The application hangs together in one direction, imports inside functions counted, and only what is at a terminal prints."""

import ast
import re
from functools import cache

import pytest

from tests.trees import PACKAGES, imports, modules, tree_of

ORDER = (
    "places", "words", "ruleset_tools", "log", "signing", "lineups", "importers", "ask", "exporters", "bulk", "schemas", "service", "mcp", "cli",
)  # fmt: skip
"""The folders of the application, low to high; each imports only what stands before it. The modules beside them belong to no folder."""
PRINTS = frozenset(
    {"print_lines", "print_notes", "print_json", "print_value", "json_line", "write_pieces", "show_progress"}
)
"""The functions of `output` that print."""
HOME = PACKAGES["encounterlog"]


def room_of(module: str) -> str:
    """Return the folder of a module of the application, "" for the modules beside the folders and for those of others."""
    package, _, rest = module.partition(".")
    room = rest.partition(".")[0]
    return room if package == "encounterlog" and (HOME / room).is_dir() else ""


def test_folders_of_the_application_import_only_those_below_them() -> None:
    own = [each for each in imports("encounterlog") if not each.typed and room_of(each.target) and room_of(each.of)]
    assert {room_of(each.of) for each in own} == set(ORDER)
    up = [each.says for each in own if ORDER.index(room_of(each.target)) > ORDER.index(room_of(each.of))]
    assert up == []


@pytest.mark.slow
def test_each_import_inside_a_function_loads_what_its_file_does_without() -> None:
    loaded = {module: {module.rpartition(".")[0] or module} for module in modules()}
    for each in (each for package in PACKAGES for each in imports(package) if not each.late and not each.typed):
        loaded[each.of].add(each.target)

    @cache
    def loads(module: str) -> frozenset[str]:
        seen, waiting = {module}, [module]
        while waiting:
            new = loaded.get(waiting.pop(), set()) - seen
            seen |= new
            waiting += new
        return frozenset(seen)

    late = [each for each in imports("encounterlog") if each.late and not each.typed]
    assert [each.says for each in late if loads(each.target) <= loads(each.of)] == []


def test_only_what_is_at_a_terminal_prints_and_knows_exit_codes() -> None:
    printing = {
        module
        for module in modules()
        if module.startswith("encounterlog")
        for node in ast.walk(tree_of(module))
        if (isinstance(node, ast.Name) and node.id == "print")
        or (isinstance(node, ast.Attribute) and node.attr in PRINTS and ast.unparse(node.value) == "output")
    }
    knowing = {
        each.of for each in imports("encounterlog") if each.target == "encounterlog.cli.failures" and not each.typed
    }
    assert {room_of(module) for module in printing | knowing} == {"cli"}


def test_text_goes_out_in_one_place_only() -> None:
    """But for the question for a passphrase, the journal of a service, and a bare command, which loads no more than --version."""
    ways = re.compile(r"(click|sys)\b.*\.(s?echo|write|writelines)")
    found = {
        module.partition(".")[2]
        for module in modules()
        if module.startswith("encounterlog.")
        for node in ast.walk(tree_of(module))
        if isinstance(node, ast.Attribute) and node.attr in ("echo", "secho", "write", "writelines")
        if ways.fullmatch(ast.unparse(node))
    }
    assert found == {"cli.main", "cli.output", "service.problems"}
