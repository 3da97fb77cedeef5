"""Copies in JSON of the program's TOML files, which the build makes so that they are read sooner."""

import hashlib
import json
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from projections.ruleset import catalogue
from projections.toml import read_copy

ROOT = Path(__file__).parents[2]
TEXT = b"""catalogue = "1"
ruleset = "ford"
[[rule]]
id = "turn.order"
section = "1"
says = "One after the other."
kind = "derive"
case = "two act"
"""


def with_copy(folder: Path, data: object, of: bytes = TEXT) -> Path:
    path = folder / "rules.toml"
    path.write_bytes(TEXT)
    copy = {"of": hashlib.sha256(of).hexdigest(), "data": data}
    path.with_suffix(".json").write_text(json.dumps(copy), "utf-8")
    return path


def test_a_copy_of_this_very_text_is_read_in_its_place(tmp_path: Path) -> None:
    data = tomllib.loads(TEXT.decode())
    path = with_copy(tmp_path, data | {"ruleset": "copied"})
    assert read_copy(path, TEXT, dict) == data | {"ruleset": "copied"}
    assert catalogue.read_catalogue(path).ruleset == "copied"


def test_a_copy_of_another_text_is_left_aside(tmp_path: Path) -> None:
    path = with_copy(tmp_path, {"ruleset": "copied"}, of=TEXT + b"#")
    assert read_copy(path, TEXT, dict) is None
    assert catalogue.read_catalogue(path).ruleset == "ford"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"of":1,"data":{}}', '{"data":{}}', "\ud800"])
def test_a_copy_that_is_not_whole_is_left_aside(tmp_path: Path, text: str) -> None:
    path = with_copy(tmp_path, {})
    path.with_suffix(".json").write_bytes(text.encode("utf-8", "surrogatepass"))
    assert read_copy(path, TEXT, dict) is None
    assert catalogue.read_catalogue(path).ruleset == "ford"


def the_build() -> ModuleType:
    pytest.importorskip("hatchling", reason="hatchling is not installed: pip install '.[test-full]'")
    if not (ROOT / "hatch_build.py").exists():
        pytest.skip("run against a wheel, away from the source")
    spec = spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    build = module_from_spec(spec)
    spec.loader.exec_module(build)
    return build


@pytest.mark.slow
def test_the_build_copies_a_toml_file_as_it_is(tmp_path: Path) -> None:
    build = the_build()
    for source in (ROOT / "projections").rglob("*.toml"):
        path = tmp_path / "rules.toml"
        path.write_bytes(source.read_bytes())
        build.copy(path)
        assert read_copy(path, path.read_bytes(), dict) == tomllib.loads(path.read_text("utf-8")), source
