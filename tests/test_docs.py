"""Every public class and function begins with a sentence on what it is or does.

Of functions under a decorator, a deriving one needs its sentence like any other; of a check the clause that it carries
is the sentence. A property, a method of a private class, and what a class inherits need none.
"""

import ast
import inspect
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec import Struct
from msgspec.structs import fields

import encounterlog as el
from projections.ruleset.ruleset import Ruleset
from projections.ruleset.schedule import Schedule
from projections.scheduling.ladder_schedule import LadderSchedule
from projections.scheduling.turn_schedule import TurnSchedule
from tests.encounterlog.service.served import served

ROOT = Path(__file__).parents[1]
PACKAGES = (
    "eventstore",
    "projections",
    "cli/encounterlog",
    *(f"cli/plugins/encounterlog-{name}/encounterlog_{name}" for name in ("avrae", "rulelab")),
)
Documented = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def public(body: list[ast.stmt], within: str = "") -> Iterator[tuple[str, Documented]]:
    """Yield the public classes and functions of a module, and the public methods of those classes, by name."""
    for node in body:
        if isinstance(node, Documented) and not node.name.startswith("_") and not excused(node):
            yield within + node.name, node
            if isinstance(node, ast.ClassDef):
                yield from public(node.body, f"{node.name}.")


def excused(node: Documented) -> bool:
    """Say whether a check's clause, or the function that is overloaded or overridden, speaks for this one."""
    names = {part.id for decorator in node.decorator_list for part in ast.walk(decorator) if isinstance(part, ast.Name)}
    return any(name.endswith("check") or name.startswith("of_") for name in names) or bool(
        names & {"overload", "override"}
    )


def fault(node: Documented) -> str:
    """Return what is wrong with a docstring, or nothing."""
    text = ast.get_docstring(node)
    if not text:
        return "has no docstring"
    first = text.split("\n\n")[0]
    if first[0].islower():
        return f"does not begin like a sentence: {first[:60]}"
    return "" if first.endswith((".", ":", "?")) else f"does not end like a sentence: {first[-60:]}"


@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES)
def test_every_module_and_public_name_has_its_sentence(package: str) -> None:
    files = sorted((ROOT / package).rglob("*.py"))
    assert files
    assert [f"{path.relative_to(ROOT)}: {says}" for path in files for says in faults(path)] == []


def faults(path: Path) -> Iterator[str]:
    """Yield what is wrong with the docstrings of a module."""
    tree = ast.parse(path.read_text("utf-8"))
    if tree.body and not ast.get_docstring(tree):
        yield "does not say what it is for"
    yield from (f"{name} {why}" for name, node in public(tree.body) if (why := fault(node)))


@pytest.mark.parametrize("record", [Ruleset, Schedule], ids=lambda record: record.__name__)
def test_every_field_of_a_ruleset_is_explained_where_rulesets_are(record: type[Struct]) -> None:
    readme = (ROOT / "projections" / "rulesets" / "README.md").read_text("utf-8")
    table = readme.partition("## The fields of a `Ruleset`")[2].partition("\n## The order of calls")[0]
    names = {field.name for field in fields(record)}
    assert {name for name in names if f"`{name}`" not in table} == set()
    assert {name for name in names if f"`{name}`" not in (record.__doc__ or "")} - documented_beside(record) == set()


def test_the_page_on_rulesets_names_fields_that_schedules_have() -> None:
    readme = (ROOT / "projections" / "rulesets" / "README.md").read_text("utf-8")
    section = readme.partition("\n## The schedule\n")[2].partition("\n## ")[0]
    has = {field.name for schedule in (TurnSchedule, LadderSchedule) for field in fields(schedule)}
    assert set(re.findall(r"`(\w+)`", section)) - has == {"TurnSchedule", "LadderSchedule", "make_out_test"}


def documented_beside(record: type[Struct]) -> set[str]:
    """Return the fields behind which a sentence stands that says what they hold."""
    (found,) = ast.parse(inspect.getsource(record)).body
    assert isinstance(found, ast.ClassDef)
    return {
        field.target.id
        for field, then in pairwise(found.body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(then, ast.Expr) and isinstance(then.value, ast.Constant)
    }


def test_the_page_of_the_store_names_values_where_they_are() -> None:
    page = (ROOT / "docs" / "explanation" / "store.md").read_text("utf-8")
    named = re.findall(r"`(\w+)\.([A-Z]{2,})`", page)
    assert ("statements", "VERSION") in named
    for module, name in named:
        sources = [path.read_text("utf-8") for path in (ROOT / "eventstore").rglob(f"{module}.py")]
        assert any(re.search(rf"^{name}\b", source, re.MULTILINE) for source in sources), f"{module}.{name}"


@pytest.mark.skipif(not shutil.which("curl"), reason="the page shows curl")
def test_the_how_to_of_the_service_creates_a_log_over_http(tmp_path: Path) -> None:
    page = (ROOT / "docs/how-to/serve.md").read_text("utf-8")
    block = page.partition("### Over HTTP")[2].partition("```sh\n")[2].partition("```")[0]
    folder = tmp_path / "campaign"
    folder.mkdir()
    with served(folder) as service:
        given = {"SERVICE": service.url, "OPERATOR": service.token("operator", "")[0]}
        command, own = ["bash", "-euo", "pipefail", "-c", block], os.environ | given
        done = subprocess.run(command, cwd=tmp_path, env=own, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    state = el.open(folder / "mill.jsonl").state()
    assert (state.view.title, state.combatants["gob"].hp.value) == ("The mill", 2)
