"""Imports run one way: eventstore <- projections <- cli/encounterlog, and inside projections as docs/explanation/structure.md has them."""

import ast
import graphlib
from collections import deque
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.trees import PACKAGES, ROOT, files, inside, is_type_checking, tree_of

MAY_IMPORT = {
    "eventstore": {"msgspec", "eventstore", "psycopg"},
    "projections": {"msgspec", "eventstore", "projections"},
    "encounterlog": {
        "msgspec",
        "eventstore",
        "projections",
        "encounterlog",
        "anyio",
        "click",
        "httpx",
        "jinja2",
        "jsonschema",
        "markupsafe",
        "mcp",
        "mcp_types",
        "starlette",
        "uvicorn",
        "segno",
        "pydantic",
        "cryptography",
        "prompt_toolkit",
        "wcwidth",
        "yaml",
        "pyarrow",
        "dask",
        "distributed",
        "obstore",
        "pytest",
    },
}
IMPURE = {"os", "random", "secrets", "time", "datetime", "socket", "subprocess", "tempfile", "io", "shutil", "uuid"}


Imports = tuple[tuple[str, str], ...]


def imports(path: Path) -> Imports:
    """Return the top-level package and the full name of everything that a file imports, in functions too."""
    return read(path)[0]


def at_load_time(path: Path) -> Imports:
    """Return the module and the full name of what a file imports from others when it is loaded itself."""
    return read(path)[1]


@cache
def read(path: Path) -> tuple[Imports, Imports]:
    """Return all imports of a file, and those at its top; it is parsed once for all tests."""
    tree = tree_of(path)
    top = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    loaded = ((node.module or "", f"{node.module}.{alias.name}") for node in top for alias in node.names)
    return tuple(imported(path, tree)), tuple(loaded)


def imported(path: Path, tree: ast.Module) -> Iterator[tuple[str, str]]:
    waiting = deque[ast.AST](node for node in tree.body if not is_type_checking(node))
    while waiting:
        node = waiting.popleft()
        waiting.extend(inside(node))
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name.split(".")[0], alias.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            for alias in node.names:
                yield (node.module or "").split(".")[0], f"{node.module}.{alias.name}"


def standard(name: str) -> bool:
    import sys

    return name in sys.stdlib_module_names


@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES)
def test_imports_point_one_way(package: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in files(package)
        for top, name in imports(path)
        if top not in MAY_IMPORT[package] and not standard(top)
    ]
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("library", "modules"),
    [("readline", {"editing.py"}), ("prompt_toolkit", {"screen.py"})],
)
def test_one_module_knows_how_lines_are_edited_at_a_terminal_and_one_how_a_screen_is_drawn(
    library: str, modules: set[str]
) -> None:
    knowing = {path.name for path in files("encounterlog") for top, _ in imports(path) if top == library}
    assert knowing == modules


@pytest.mark.slow
def test_one_package_knows_postgresql_and_is_imported_only_where_it_is_needed() -> None:
    folder = PACKAGES["eventstore"] / "postgres"
    knowing = {path for package in PACKAGES for path in files(package) for top, _ in imports(path) if top == "psycopg"}
    assert {path.parent for path in knowing} == {folder}
    others = [path for package in PACKAGES for path in files(package) if folder not in path.parents]
    places = PACKAGES["encounterlog"] / "places"
    at_load = {path for path in others for module, _ in at_load_time(path) if module.startswith("eventstore.postgres")}
    assert at_load == {places / "open_database.py", places / "database_shelf.py"}
    late = ("encounterlog.places.open_database", "encounterlog.places.database_shelf")
    wrong = [path for path in others for _, name in at_load_time(path) if name.startswith(late)]
    assert wrong == []


def test_projections_touch_no_files_clock_or_chance() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in files("projections")
        for top, name in imports(path)
        if top in IMPURE
    ]
    assert wrong == []


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


@cache
def arrows(package: str) -> dict[str, frozenset[str]]:
    """Return the modules of a package that each of them imports, for types and in functions, too."""
    root = PACKAGES[package].parent
    modules = {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path
        for path in files(package)
    }
    nodes = {
        name: [each for each in ast.walk(tree_of(path)) if isinstance(each, ast.ImportFrom)]
        for name, path in modules.items()
    }
    named = {
        name: {(each.module or "", alias.name) for each in own for alias in each.names} for name, own in nodes.items()
    }
    return {
        name: frozenset(
            each
            for module, alias in own
            for each in ({f"{module}.{alias}", module} & modules.keys())
            if each != name and (each == f"{module}.{alias}" or f"{module}.{alias}" not in modules)
        )
        for name, own in named.items()
    }


def room_of(module: str) -> str:
    """Return the folder or module directly below projections that a module stands in."""
    return module.removeprefix("projections").removeprefix(".").partition(".")[0]


def test_inside_projections_imports_point_one_way_too() -> None:
    wrong = [
        f"{module} imports {each}"
        for module, others in arrows("projections").items()
        for each in others
        if room_of(module) != room_of(each) and ROOMS.index(room_of(each)) > ROOMS.index(room_of(module))
    ]
    assert wrong == []


def test_no_file_of_projections_is_in_a_circle_of_imports() -> None:
    found = arrows("projections")
    graphlib.TopologicalSorter({module: others - CIRCLES for module, others in found.items()}).prepare()


@pytest.mark.parametrize("module", sorted(CIRCLES))
def test_the_files_that_are_listed_as_in_a_circle_are_in_one(module: str) -> None:
    found = arrows("projections")
    with pytest.raises(graphlib.CycleError):
        graphlib.TopologicalSorter({name: others - (CIRCLES - {module}) for name, others in found.items()}).prepare()


def test_rulesets_do_not_know_each_other() -> None:
    wrong = []
    for path in files("projections"):
        parts = path.relative_to(ROOT).parts
        if len(parts) > 3:
            wrong += [
                f"{path.relative_to(ROOT)} imports {name}"
                for _, name in imports(path)
                if name.startswith("projections.rulesets.") and name.split(".")[2] != parts[2]
            ]
    assert wrong == []


def test_no_import_cycles_at_load_time() -> None:
    graph = {}
    names = {}
    for package, root in PACKAGES.items():
        for path in files(package):
            parts = (package, *path.relative_to(root).with_suffix("").parts)
            names[".".join(parts).removesuffix(".__init__")] = path
    for module, path in names.items():
        targets = {name for both in at_load_time(path) for name in both}
        graph[module] = {t for t in targets if t in names and t != module and not module.startswith(t + ".")}
    graphlib.TopologicalSorter(graph).prepare()


def test_no_file_of_the_store_imports_another_in_a_circle_also_not_for_its_types() -> None:
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in files("eventstore")}
    names = {name.removesuffix(".__init__"): path for name, path in names.items()}
    graph: dict[str, set[str]] = {}
    for module, path in names.items():
        found = [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.ImportFrom)]
        targets = {(f"{node.module}.{alias.name}", node.module) for node in found for alias in node.names}
        graph[module] = {next((each for each in both if each in names), module) for both in targets} - {module}
    graphlib.TopologicalSorter(graph).prepare()
