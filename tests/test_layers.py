"""Imports run one way: eventstore <- projections <- cli/encounterlog, and inside projections as docs/explanation/structure.md has them."""

import sys
from graphlib import CycleError, TopologicalSorter

import pytest

from tests.trees import PACKAGES, graph, imports

MAY_IMPORT = {
    "eventstore": {"msgspec", "eventstore", "psycopg"},
    "projections": {"msgspec", "eventstore", "projections"},
    "encounterlog": {
        "msgspec", "eventstore", "projections", "encounterlog", "anyio", "click", "httpx", "jinja2", "jsonschema", "markupsafe", "mcp",
        "mcp_types", "starlette", "uvicorn", "segno", "pydantic", "cryptography", "prompt_toolkit", "wcwidth", "yaml", "pyarrow", "dask",
        "distributed", "obstore", "pytest",
    },
}  # fmt: skip
IMPURE = {"os", "random", "secrets", "time", "datetime", "socket", "subprocess", "tempfile", "io", "shutil", "uuid"}


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_point_one_way(package: str) -> None:
    allowed = MAY_IMPORT[package] | sys.stdlib_module_names
    assert [
        each.says for each in imports(package) if not each.typed and each.name.partition(".")[0] not in allowed
    ] == []


@pytest.mark.parametrize(
    ("library", "modules"),
    [("readline", {"encounterlog.cli.editing"}), ("prompt_toolkit", {"encounterlog.cli.screen"})],
)
def test_one_module_knows_editing_at_a_terminal_and_one_drawing(library: str, modules: set[str]) -> None:
    knowing = {each.of for each in imports("encounterlog") if each.name.partition(".")[0] == library}
    assert knowing == modules


def test_one_package_knows_postgresql_and_is_imported_where_it_is_needed() -> None:
    every = [each for package in PACKAGES for each in imports(package) if not each.typed]
    own = "eventstore.postgres"
    knowing = {each.of for each in every if each.name.partition(".")[0] == "psycopg"}
    assert {each.rpartition(".")[0] for each in knowing} == {own}
    others = [each for each in every if not each.of.startswith(own) and not each.late]
    late = "encounterlog.places.open_database"
    assert {each.of for each in others if each.name.startswith(own)} == {late}
    assert [each.says for each in others if each.name.startswith(late)] == []


def test_projections_touch_no_files_clock_or_chance() -> None:
    wrong = [each for each in imports("projections") if not each.typed and each.name.partition(".")[0] in IMPURE]
    assert [each.says for each in wrong] == []


ROOMS = (
    "open_types", "because", "time", "occurrence", "toml", "stopping", "sheet",  # values
    "mechanics", "fight", "card", "address", "ruleset", "state",  # what games have in common; what a ruleset is
    "stream", "folds", "scheduling", "rulesets",  # what all games do with facts; the games, and what finds one
    "replay", "judging", "views", "explaining", "language", "proving",  # what uses them
)  # fmt: skip
"""The folders and modules of projections, low to high; each imports only what stands before it, for types and in functions, too."""
CIRCLES = {
    "projections.rulesets.osric.routines", "projections.rulesets.osric.spells", "projections.rulesets.osric.vitals",
}  # fmt: skip
"""The files that still are in a circle with a lower one, which imports them."""


def place(module: str) -> int:
    """Return how high the folder or module directly below projections stands."""
    return ROOMS.index(module.split(".")[1])


def test_inside_projections_imports_point_one_way_too() -> None:
    own = [each for each in imports("projections") if each.target.startswith("projections.")]
    assert [each.says for each in own if place(each.target) > place(each.of)] == []


def test_no_file_of_projections_is_in_a_circle_but_those_that_are_listed() -> None:
    found = graph(imports("projections"))
    TopologicalSorter({module: others - CIRCLES for module, others in found.items()}).prepare()
    for module in CIRCLES:
        with pytest.raises(CycleError):
            TopologicalSorter({name: others - (CIRCLES - {module}) for name, others in found.items()}).prepare()


def test_rulesets_do_not_know_each_other() -> None:
    own = "projections.rulesets."
    pairs = [each for each in imports("projections") if each.of.startswith(own) and each.name.startswith(own)]
    assert [each.says for each in pairs if each.of.split(".")[2] != each.name.split(".")[2]] == []


def test_no_import_cycles_at_load_time() -> None:
    found = graph(each for package in PACKAGES for each in imports(package) if not each.late and not each.typed)
    for module, others in found.items():
        packages = {each.rpartition(".")[0] for each in others} - {""}
        others |= {each for each in packages if not f"{module}.".startswith(f"{each}.")}
    TopologicalSorter(found).prepare()


@pytest.mark.parametrize("package", ["eventstore", "encounterlog"])
def test_no_file_imports_another_in_a_circle(package: str) -> None:
    """In the store not for its types, in the application not inside functions."""
    TopologicalSorter(graph(each for each in imports(package) if package == "eventstore" or not each.typed)).prepare()
