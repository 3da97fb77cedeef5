"""The documentation in docs/: whatever the program has is on its page of the reference, and each page is in the contents.

.ci/run builds it with Sphinx, which fails at a page that leads nowhere.
"""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import click
import pytest

import encounterlog
from encounterlog.cli.main import COMMANDS, load_command as command_of
from encounterlog.errors import ERRORS
from encounterlog.service.people import RIGHTS
from encounterlog.service.routes import ROWS
from eventstore.events import TAGS
from projections.language.describing import list_themes
from projections.rulesets import RULESETS, find
from tests.sessions import ROOT
from tests.tables import for_each

DOCS = ROOT / "docs"


def loaded(name: str = "generated") -> ModuleType:
    """Return a module of docs/, which no package holds."""
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PAGES: dict[str, str] = loaded().pages()


def section(page: str, title: str) -> str:
    """Return a part of a page, below its heading."""
    return re.split(rf"^##+ {re.escape(title)}$", PAGES[page], flags=re.MULTILINE)[1].partition("\n## ")[0]


@for_each("name", COMMANDS)
def test_every_command_is_in_the_reference_with_all_its_options(name: str) -> None:
    command = command_of(name)
    part = section("commands", f"encounter {name}")
    shown = [each for each in command.params if isinstance(each, click.Option) and not each.hidden]
    assert [each.name for each in shown if each.opts[0] not in part] == []


def test_every_endpoint_of_the_service_is_in_the_reference_with_its_fields() -> None:
    for row in ROWS:
        part = section("http", f"{row.method} {row.path}")
        assert [each.name for each in row.parameters if f"- `{each.name}`" not in part] == []
        assert [kind for kind in row.refusals if f"`{kind}`" not in part] == []
    assert [kind for kind in ERRORS if f"| `{kind}` |" not in PAGES["http"]] == []


@pytest.mark.parametrize("key", RULESETS)
def test_every_shape_of_sentences_is_on_its_page_with_patterns_and_example(key: str) -> None:
    for shape in (shape for theme in list_themes(find(key).rules) for shape in theme.shapes):
        part = section("language", shape.name)
        assert [pattern for pattern in shape.patterns if f"`{pattern}`\n" not in part] == []
        assert f"`{shape.example}`" in part


def test_the_gallery_has_a_replay_of_every_ruleset() -> None:
    assert set(loaded().GALLERY) == set(RULESETS)


PARTS = ("start", "table", "scripts", "service", "inside")
"""The parts of the documentation, each with a page of contents."""


def entries(page: str) -> list[str]:
    """Return the pages that the contents of a page name."""
    blocks = re.findall(r"^```\{toctree\}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    return [line for block in blocks for line in block.splitlines() if line and not line.startswith(":")]


def test_every_page_is_in_the_contents_of_one_part() -> None:
    assert entries((DOCS / "index.md").read_text("utf-8")) == [*PARTS]
    listed = [name for part in PARTS for name in entries((DOCS / f"{part}.md").read_text("utf-8"))]
    written = [path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")]
    made = [f"reference/{name}" for name in PAGES if not name.startswith(("clauses-", "life-"))]
    expected = {*made, *(name for name in written if "/generated/" not in name)} - {"index", *PARTS}
    assert sorted(listed) == sorted(expected)


@pytest.mark.parametrize("part", PARTS)
def test_the_contents_of_a_part_say_of_each_page_what_it_is_for(part: str) -> None:
    page = (DOCS / f"{part}.md").read_text("utf-8")
    rows = re.findall(r"^\| \[[^\]]+\]\(([^)]+)\.md\) \| (.+) \|$", page, re.MULTILINE)
    assert [name for name, _ in rows] == entries(page)
    assert [name for name, says in rows if len(says) < 10] == []


def test_every_variable_of_the_environment_is_in_the_reference() -> None:
    page = (DOCS / "reference" / "environment.md").read_text("utf-8")
    package = Path(str(encounterlog.__file__)).parent
    named = {
        name for path in package.rglob("*.py") for name in re.findall(r"\bENCOUNTER_[A-Z]\w+", path.read_text("utf-8"))
    }
    serve: click.Command = command_of("serve")
    named |= {str(each.envvar) for each in serve.params if each.envvar}
    assert [name for name in sorted(named) if f"`{name}`" not in page and name != "ENCOUNTER_COMPLETE"] == []


@pytest.mark.parametrize("key", RULESETS)
def test_a_judged_clause_says_at_what_and_how_a_finding_is_accepted(key: str) -> None:
    judged = loaded().judged_at(find(key))
    assert judged
    for clause in find(key).catalogue().rule:
        head = rf"^### {re.escape(clause.id)}$"
        part = re.split(head, PAGES[f"clauses-{key}"], flags=re.MULTILINE)[1].partition("\n### ")[0]
        assert f"`encounter rules {key} {clause.id} --run`" in part
        assert (f"`rule waive RECORD {clause.id} reason`" in part) == (clause.id in judged)
        assert [tag for tag in judged.get(clause.id, ()) if f"(../facts.md#{tag})" not in part] == []


def test_the_first_use_of_a_term_alone_leads_to_the_glossary() -> None:
    pieces = loaded("terms").pieces
    assert [*pieces("Findings are facts; a fact-check, artefacts, breaches and a breach.", ("fact", "breach"))] == [
        ("Findings are ", ""),
        ("facts", "fact"),
        ("; a fact-check, artefacts, ", ""),
        ("breaches", "breach"),
        (" and a breach.", ""),
    ]
    assert [*pieces("a torn tail", ("tail", "torn tail"))] == [("a ", ""), ("torn tail", "torn tail")]


def test_the_glossary_is_sorted_and_explains_each_term_in_words() -> None:
    page = (DOCS / "reference" / "glossary.md").read_text("utf-8")
    names = [name for name, _ in re.findall(r"^## (.+)\n\n(\S.+)$", page, re.MULTILINE)]
    assert names == sorted(names)
    assert len(names) == page.count("\n## ")
    asked = "fact record event deed clause finding breach notice anchor chain segment slot"
    assert {*asked.split(), *loaded("terms").AMBIGUOUS} <= {*names}


def test_serving_has_the_table_of_who_may_record_what_about_whom() -> None:
    page = (DOCS / "how-to" / "serve.md").read_text("utf-8")
    assert [kind for kind, right in RIGHTS.items() if f"| `{kind}` | {right.says} |" not in page] == []
    assert RIGHTS.keys() <= TAGS.keys()


def test_every_command_for_checks_runs_a_module_that_there_is() -> None:
    pages = [*DOCS.rglob("*.md"), *ROOT.glob("*.md"), ROOT / ".ci/run", *ROOT.glob(".github/workflows/*.yml")]
    named = {
        name
        for page in pages
        for name in re.findall(r"python -m ((?:tests|benchmarks)[.\w]*\w)", page.read_text("utf-8"))
    }
    assert len(named) > 10
    assert [name for name in sorted(named) if importlib.util.find_spec(name) is None] == []
