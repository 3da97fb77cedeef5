"""Imports run one way: eventstore <- projections <- cli/encounterlog, and inside projections as CONTRIBUTING draws it."""

import ast
from collections import deque
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = {
    "eventstore": ROOT / "eventstore",
    "projections": ROOT / "projections",
    "encounterlog": ROOT / "cli/encounterlog",
}
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
        "starlette",
        "uvicorn",
        "segno",
        "pydantic",
        "cryptography",
        "prompt_toolkit",
        "wcwidth",
        "yaml",
        "pyarrow",
        "duckdb",
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
def tree_of(path: Path) -> ast.Module:
    """Return the syntax of a file."""
    return ast.parse(path.read_text("utf-8"))


def inside(statement: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements that stand inside another, and what holds such, as the handlers of an error do; no expressions, which hold none."""
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        those = getattr(statement, name, ())
        yield from those if isinstance(those, list) else ()


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


def is_type_checking(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def files(package: str) -> list[Path]:
    found = sorted(PACKAGES[package].rglob("*.py"))
    assert found
    return found


def standard(name: str) -> bool:
    import sys

    return name in sys.stdlib_module_names


@pytest.mark.full
@pytest.mark.parametrize("package", PACKAGES)
def test_imports_point_one_way(package: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in files(package)
        for top, name in imports(path)
        if top not in MAY_IMPORT[package] and not standard(top)
    ]
    assert wrong == []


@pytest.mark.full
@pytest.mark.parametrize(
    ("library", "modules"),
    [("readline", {"editing.py"}), ("prompt_toolkit", {"full_editing.py", "screen.py"})],
)
def test_one_module_knows_how_lines_are_edited_at_a_terminal_and_one_how_a_screen_is_drawn(
    library: str, modules: set[str]
) -> None:
    knowing = {path.name for path in files("encounterlog") for top, _ in imports(path) if top == library}
    assert knowing == modules


@pytest.mark.full
def test_one_package_knows_postgresql_and_is_imported_only_where_it_is_needed() -> None:
    folder = PACKAGES["eventstore"] / "postgres"
    knowing = {path for package in PACKAGES for path in files(package) for top, _ in imports(path) if top == "psycopg"}
    assert {path.parent for path in knowing} == {folder}
    others = [path for package in PACKAGES for path in files(package) if folder not in path.parents]
    storage = PACKAGES["encounterlog"] / "storage"
    at_load = {path for path in others for module, _ in at_load_time(path) if module.startswith("eventstore.postgres")}
    assert at_load == {storage / "open_database.py", storage / "database_shelf.py"}
    late = ("encounterlog.storage.open_database", "encounterlog.storage.database_shelf")
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


# Low to high: values; mechanics and the turn list, which know no state; the state; addresses, the stream and the catalogue; what a ruleset
# is; the folds that rulesets build on, and the kinds of schedule; the rulesets; finding one; replay; what judges, shows and proves.
ROOMS = {
    "mechanics": 1,
    "state": 2,
    "card": 3,
    "address": 3,
    "stream": 3,
    "folds": 8,
    "judging": 9,
    "views": 9,
    "explaining": 10,
    "language": 10,
    "proving": 11,
}
MODULES = {
    **{
        f"folds.{name}": 5
        for name in (
            "clock",
            "roster",
            "effects",
            "concentration",
            "tallies",
            "dues",
            "durations",
            "vitals",
            "budget",
            "order",
            "rows",
            "moves",
            "side_dice",
        )
    },
    **{f"ruleset.{name}": 3 for name in ("needs", "phases", "documents", "catalogue")},
    **{f"ruleset.{name}": 4 for name in ("ruleset", "faults", "reading")},
    "ruleset.failing": 7,
    **{f"scheduling.{name}": 1 for name in ("turnlist", "ladder")},
    "scheduling.boundaries": 3,
    "language.dice": 1,
    "scheduling.schedule": 4,
    **{f"scheduling.{name}": 5 for name in ("turn_schedule", "ladder_schedule")},
}


def rank(module: str) -> int | None:
    """Return how high a module of projections stands; it imports only what stands no higher."""
    if not module.startswith("projections."):
        return None
    room, _, rest = module.removeprefix("projections.").partition(".")
    name = rest.partition(".")[0]
    if room == "rulesets":
        return 6 if name else 7
    return MODULES.get(f"{room}.{name}", ROOMS.get(room, 0))


def test_inside_projections_imports_point_one_way_too() -> None:
    wrong = []
    for path in files("projections"):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for _, name in imports(path):
            own, other = rank(module), rank(name)
            if own is not None and other is not None and other > own:
                wrong.append(f"{module} imports {name}")
    assert wrong == []


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
    import graphlib

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
