"""OpenAPI: made from the table that routes, true to what is answered, and changed by addition only."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from encounterlog.errors import ERRORS
from encounterlog.service.routes import ROWS, describe_service
from eventstore import errors
from tests.encounterlog.service.conftest import Table
from tests.encounterlog.support import environment

GOLDEN = Path(__file__).parents[2] / "golden" / "openapi-v1.json"
EXAMPLES = 8
"""How many examples schemathesis makes for each operation."""


TEXTS = frozenset({"description", "summary", "version", "examples"})
"""What is for people, and may change."""


def without_texts(value: Any) -> Any:
    """Return a description without what is for people."""
    if isinstance(value, dict):
        return {name: without_texts(one) for name, one in value.items() if name not in TEXTS}
    return [without_texts(one) for one in value] if isinstance(value, list | tuple) else value


def missing(old: Any, new: Any, path: str = "") -> list[str]:
    """Return what the golden description has and the present one lacks or says otherwise."""
    if isinstance(old, dict) and isinstance(new, dict):
        return [
            one
            for name in old
            for one in (missing(old[name], new[name], f"{path}/{name}") if name in new else [f"{path}/{name}"])
        ]
    if isinstance(old, list) and isinstance(new, list):
        if path.endswith("/parameters"):
            return missing({each["name"]: each for each in old}, {each["name"]: each for each in new}, path)
        return [] if all(each in new for each in old) else [path]
    return [] if old == new else [path]


def test_version_one_changes_by_addition_only_and_what_is_gone_is_noticed() -> None:
    """`ENCOUNTER_GOLDEN=1 pytest -n 0 FILE` writes what was added."""
    now = without_texts(describe_service(ROWS))
    if os.environ.get("ENCOUNTER_GOLDEN"):
        assert not GOLDEN.exists() or missing(json.loads(GOLDEN.read_text("utf-8")), now) == []
        GOLDEN.write_text(json.dumps(now, indent=1, ensure_ascii=False, sort_keys=True) + "\n", "utf-8")
    assert missing(json.loads(GOLDEN.read_text("utf-8")), now) == []
    golden, less = (json.loads(GOLDEN.read_text("utf-8")) for _ in range(2))
    del less["paths"]["/v1/encounters/{name}/head"]["get"]["responses"]["304"]
    less["components"]["schemas"]["Appended"]["required"].remove("first")
    assert missing(golden, less) == [
        "/components/schemas/Appended/required",
        "/paths//v1/encounters/{name}/head/get/responses/304",
    ]


def test_every_endpoint_reference_and_error_is_described() -> None:
    made = describe_service(ROWS)
    assert {(row.path, row.method.lower()) for row in ROWS} <= {
        (path, how) for path, hows in made["paths"].items() for how in hows
    }
    names = set(made["components"]["schemas"])
    assert [each for each in references(made) if each.removeprefix("#/components/schemas/") not in names] == []
    ids = [one["operationId"] for hows in made["paths"].values() for one in hows.values()]
    assert len(ids) == len(set(ids))
    public = (each for name, each in vars(errors).items() if not name.startswith("_"))
    kinds = [each for each in public if isinstance(each, type) and issubclass(each, errors.StoreError)]
    assert [
        kind.__name__
        for kind in kinds
        if kind is not errors.StoreError and {row.error for row in ERRORS.values()}.isdisjoint(kind.__mro__)
    ] == []
    assert {kind for row in ROWS for kind in row.refusals} <= set(ERRORS)


def references(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        return own + [each for one in value.values() for each in references(one)]
    return [each for one in value for each in references(one)] if isinstance(value, list) else []


def test_the_kinds_of_problems_are_served(table: Table) -> None:
    told = table.gm.get(f"{table.served.url}/v1/problems").json()
    assert {name: one["status"] for name, one in told.items()} == {name: kind.status for name, kind in ERRORS.items()}


@pytest.mark.in_turn(4)
@pytest.mark.slow
@pytest.mark.skipif(not find_spec("schemathesis"), reason="schemathesis is not installed: pip install '.[test-full]'")
@pytest.mark.parametrize("role", ["gm", "player", "operator", "nobody"])
def test_schemathesis_finds_no_answer_that_is_not_described(table: Table, role: str, tmp_path: Path) -> None:
    name = "" if role == "operator" else table.served.name
    token = "none" if role == "nobody" else table.served.token(role, name)[0]  # type: ignore[arg-type]
    config = tmp_path / "schemathesis.toml"
    config.write_text(f'[parameters]\n"path.name" = "{table.served.name}"\n')
    checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
    words = ["--config-file", config, "run", f"{table.served.url}/openapi.json", "-H", f"Authorization: Bearer {token}"]
    more = f"--checks {checks} --max-examples {EXAMPLES} --phases fuzzing --exclude-path-regex /events$ --seed 7 --no-color"
    more += " --request-timeout 30 --suppress-health-check all --generation-database none"
    command = [sys.executable, "-m", "schemathesis.cli", *map(str, words), *more.split()]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stdout[done.stdout.find("FAILURES") :][:3000] + done.stderr[-2000:]
